//! The data in two dimensions: the directions of a sample, and every shown row projected on them.

use ndarray::{Array2, Axis};
use protodash::{Error, Form, Kernel, PrincipalAxes, Role, Scalar, principal_axes};
use protodash_report::{Map, MapPoint};
use rand::SeedableRng;
use rand::seq::index::sample;
use rand_chacha::ChaCha8Rng;

use crate::data::Data;
use crate::error::Failure;
use crate::matrices::Job;
use crate::progress::Progress;

/// Points of the map at most; of more rows a sample is drawn.
const MOST_POINTS: usize = 5000;

/// Values that the directions are found from at most: 160 MB.
const MOST_VALUES: usize = 20_000_000;

/// The rows that are shown beside the points, in rows of the matrices.
pub(super) struct Marked<'a> {
    /// Prototypes, of the source.
    pub(super) prototypes: &'a [usize],
    /// Criticisms, and the side that they are of.
    pub(super) criticisms: (&'a [usize], Role),
}

/// The map; `Err` with the reason where there cannot be one.
pub(super) fn map(
    data: &Data,
    marked: &Marked<'_>,
    nearest: &[Option<usize>],
    seed: u64,
    progress: &mut Progress,
) -> Result<Result<Map, String>, Failure> {
    match data.matrices.form() {
        None => return Ok(Err("there is no map: a kernel matrix says nothing of columns".to_owned())),
        Some(Form::Hamming) => {
            return Ok(Err("there is no map: categories compared by equality have no directions".to_owned()));
        }
        Some(_) => {}
    }
    let rows = data.rows(Role::Target);
    let n_rows = rows.numbers.len();
    let shown = drawn(n_rows, seed);
    let job = Project { points: &shown, marked, seed };
    let projected = progress.waiting("drawing the map", || data.matrices.run(job));
    let projected = projected.map_err(|error| data.failure(error))?;
    let point = |(row, place): (&usize, &[f64; 2])| MapPoint {
        place: *place,
        index: rows.numbers[*row],
        id: rows.ids.as_ref().map(|ids| ids[*row].clone()),
        label: rows.labels.as_ref().map(|labels| labels[*row].clone()),
        nearest: nearest.get(*row).copied().flatten(),
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

/// Finds the directions in which the points vary most, and the place of every row on them.
struct Project<'a> {
    points: &'a [usize],
    marked: &'a Marked<'a>,
    seed: u64,
}

struct Projected {
    axes: PrincipalAxes,
    points: Vec<[f64; 2]>,
    prototypes: Vec<[f64; 2]>,
    criticisms: Vec<[f64; 2]>,
}

impl Job for Project<'_> {
    type Output = Projected;

    fn run<T: Scalar, K: Kernel<T>>(self, target: &Array2<T>, source: &Array2<T>, _: &K) -> Result<Projected, Error> {
        // Rows so wide that a copy of all would be large are represented by fewer, evenly taken.
        let step = (self.points.len() * target.ncols()).div_ceil(MOST_VALUES).max(1);
        let some: Vec<usize> = self.points.iter().copied().step_by(step).collect();
        let axes = principal_axes(&target.select(Axis(0), &some), 2, self.seed)?;
        let place = |matrix: &Array2<T>, row: usize| {
            let found = axes.project(&matrix.row(row).to_vec());
            [found.first().copied().unwrap_or(0.0), found.get(1).copied().unwrap_or(0.0)]
        };
        let places = |matrix: &Array2<T>, rows: &[usize]| rows.iter().map(|row| place(matrix, *row)).collect();
        let (criticisms, role) = self.marked.criticisms;
        Ok(Projected {
            points: places(target, self.points),
            prototypes: places(source, self.marked.prototypes),
            criticisms: places(if role == Role::Target { target } else { source }, criticisms),
            axes,
        })
    }
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
