//! The data in two dimensions: the directions of a sample, and every shown row projected on them.

use ndarray::{ArrayRef2, Axis};
use protodash::{Error, Kernel, PrincipalAxes, Role, Scalar, principal_axes};
use protodash_report::{Map, MapPoint};
use rand::SeedableRng;
use rand::seq::index::sample;
use rand_chacha::ChaCha8Rng;

use super::Origin;

/// Points of the map at most; of more rows a sample is drawn.
const MOST_POINTS: usize = 5000;

/// Values that the directions are found from at most: 160 MB.
const MOST_VALUES: usize = 20_000_000;

/// What is shown beside the points.
pub(super) struct Marked<'a> {
    /// Criticisms in rows of the matrix, and the side that they are of.
    pub(super) criticisms: (&'a [usize], Role),
    /// The prototype that each target row is nearest to.
    pub(super) nearest: &'a [Option<usize>],
}

/// The map; `Err` with the reason where there cannot be one.
pub(super) fn map<T: Scalar, K: Kernel<T> + ?Sized>(
    origin: &Origin<'_, T, K>,
    marked: &Marked<'_>,
    seed: u64,
) -> Result<Result<Map, String>, Error> {
    if origin.features.is_empty() {
        return Ok(Err("there is no map: a kernel matrix says nothing of columns".to_owned()));
    }
    if origin.compares_codes() {
        return Ok(Err("there is no map: categories compared by equality have no directions".to_owned()));
    }
    let rows = origin.rows(Role::Target);
    let n_rows = rows.len();
    let shown = drawn(n_rows, seed);
    let projected = project(origin, &shown, marked.criticisms, seed)?;
    let point = |(row, place): (&usize, &[f64; 2])| MapPoint {
        place: *place,
        index: rows.table_row(*row),
        id: rows.id(*row).map(str::to_owned),
        label: rows.label(*row).map(str::to_owned),
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

/// The rows that become points, ascending.
fn drawn(n_rows: usize, seed: u64) -> Vec<usize> {
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

/// The directions in which the points vary most, and the place of every row on them.
fn project<T: Scalar, K: Kernel<T> + ?Sized>(
    origin: &Origin<'_, T, K>,
    points: &[usize],
    (criticisms, role): (&[usize], Role),
    seed: u64,
) -> Result<Projected, Error> {
    let (target, source) = (origin.target, origin.source);
    // Rows so wide that a copy of all would be large are represented by fewer, evenly taken.
    let step = (points.len() * target.ncols()).div_ceil(MOST_VALUES).max(1);
    let some: Vec<usize> = points.iter().copied().step_by(step).collect();
    let axes = principal_axes(&target.select(Axis(0), &some), 2, seed)?;
    let place = |matrix: &ArrayRef2<T>, row: usize| {
        let found = axes.project(&matrix.row(row).to_vec());
        [found.first().copied().unwrap_or(0.0), found.get(1).copied().unwrap_or(0.0)]
    };
    let places = |matrix: &ArrayRef2<T>, rows: &[usize]| rows.iter().map(|row| place(matrix, *row)).collect();
    let prototypes: Vec<usize> = origin.prototypes.iter().map(|prototype| prototype.source_index).collect();
    Ok(Projected {
        points: places(target, points),
        prototypes: places(source, &prototypes),
        criticisms: places(origin.matrix(role), criticisms),
        axes,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_rows_are_all_points_and_many_are_drawn_once_each() {
        assert_eq!(drawn(3, 0), [0, 1, 2]);
        let rows = drawn(9000, 1);
        assert_eq!(rows.len(), MOST_POINTS);
        assert!(rows.windows(2).all(|pair| pair[0] < pair[1]));
        assert_ne!(rows, drawn(9000, 2));
    }
}
