//! The data in two dimensions: principal axes, and every shown row projected on them.

use protodash::{Error, PrincipalAxes, Role, principal_axes};
use rand::SeedableRng;
use rand::seq::index::sample;
use rand_chacha::ChaCha8Rng;

use super::PageData;
use crate::selection::{Map, MapPoint};

/// Maximum number of points on the map; if there are more rows, a random sample is drawn.
const MOST_POINTS: usize = 5000;

/// Maximum number of values to compute the axes from: 160 MB.
const MOST_VALUES: usize = 20_000_000;

/// What is marked on the map.
pub(super) struct Marked<'a> {
    /// Criticisms as rows of the matrix, and their side.
    pub(super) criticisms: (&'a [usize], Role),
    /// The nearest prototype of each target row.
    pub(super) nearest: &'a [Option<usize>],
}

/// The map, or the reason why there is none.
pub(super) fn map(data: &PageData<'_, '_>, marked: &Marked<'_>, seed: u64) -> Result<Result<Map, String>, Error> {
    if data.rows.features.is_empty() {
        return Ok(Err("a map: a kernel matrix has no columns".to_owned()));
    }
    if data.rows.codes {
        return Ok(Err("a map: categories compared by equality have no directions".to_owned()));
    }
    let rows = data.rows.rows(Role::Target);
    let n_rows = rows.len();
    let shown = sampled(n_rows, seed);
    let projected = project(data, &shown, marked.criticisms, seed)?;
    let point = |(row, place): (&usize, &[f64; 2])| MapPoint {
        place: *place,
        index: rows.table_row(*row),
        id: rows.id(*row).map(str::to_owned),
        label: rows.label(*row).map(str::to_owned),
        text: String::new(),
        nearest: marked.nearest.get(*row).copied().flatten(),
    };
    Ok(Ok(Map {
        shares: projected.axes.shares,
        points: shown.iter().zip(&projected.points).map(point).collect(),
        n_rows,
        prototypes: projected.prototypes,
        criticisms: projected.criticisms,
    }))
}

/// The rows that become points: all, or a random sample in ascending order.
fn sampled(n_rows: usize, seed: u64) -> Vec<usize> {
    if n_rows <= MOST_POINTS {
        return (0..n_rows).collect();
    }
    let mut rows = sample(&mut ChaCha8Rng::seed_from_u64(seed), n_rows, MOST_POINTS).into_vec();
    rows.sort_unstable();
    rows
}

struct Projected {
    axes: PrincipalAxes,
    points: Vec<[f64; 2]>,
    prototypes: Vec<[f64; 2]>,
    criticisms: Vec<[f64; 2]>,
}

/// The principal axes of the points, and the coordinates of every row on them.
fn project(
    data: &PageData<'_, '_>,
    points: &[usize],
    (criticisms, role): (&[usize], Role),
    seed: u64,
) -> Result<Projected, Error> {
    let matrices = data.rows.matrices;
    let rows = |role: Role, rows: &[usize]| matrices.rows(role, rows).unwrap_or_default();
    // If rows are very wide, an evenly spaced subset of them keeps the copy small.
    let step = (points.len() * matrices.n_features()).div_ceil(MOST_VALUES).max(1);
    let some: Vec<usize> = points.iter().copied().step_by(step).collect();
    let axes = principal_axes(&rows(Role::Target, &some), 2, seed)?;
    let place = |role: Role, row: usize| {
        let found = axes.project(rows(role, &[row]).as_slice().unwrap_or_default());
        [found.first().copied().unwrap_or(0.0), found.get(1).copied().unwrap_or(0.0)]
    };
    let places = |role: Role, rows: &[usize]| rows.iter().map(|row| place(role, *row)).collect();
    let prototypes: Vec<usize> = data.prototypes.iter().map(|prototype| prototype.source_index).collect();
    Ok(Projected {
        points: places(Role::Target, points),
        prototypes: places(Role::Source, &prototypes),
        criticisms: places(role, criticisms),
        axes,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_rows_are_all_points_and_many_are_sampled_without_repeats() {
        assert_eq!(sampled(3, 0), [0, 1, 2]);
        let rows = sampled(9000, 1);
        assert_eq!(rows.len(), MOST_POINTS);
        assert!(rows.windows(2).all(|pair| pair[0] < pair[1]));
        assert_ne!(rows, sampled(9000, 2));
    }
}
