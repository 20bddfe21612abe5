//! Farthest-first traversal, beyond the paper: T. F. Gonzalez, "Clustering to minimize the maximum intercluster distance",
//! Theoretical Computer Science 38 (1985).

use crate::baseline::SourceDistances;
use crate::parallel;
use crate::problem::SelectionProblem;
use crate::rows::{Rows, Scalar};

/// Kernel means that differ by less than this fraction count as equal.
const TIE: f64 = 1e-12;
/// Rows that a thread works on at a time.
const BLOCK: usize = 1024;

/// Rows in farthest-first order: each next one is the candidate farthest from all rows before it.
///
/// # Formula
///
/// ```text
/// j₁ = argmaxⱼ μⱼ        jₜ₊₁ = argmaxⱼ min_{i ≤ t} d(zⱼ, zᵢ)
/// ```
///
/// Ties go to the first row; kernel means are equal up to their rounding. The order ends when every candidate equals a chosen
/// row. Fixed rows come first, and replace the row with the largest kernel mean. Each row costs one distance from every
/// source row.
pub(super) struct FarthestFirst<'a, T: Scalar> {
    rows: Rows<'a, T>,
    kernel_mean: &'a [f64],
    distances: SourceDistances<'a, T>,
    is_candidate: Vec<bool>,
    /// The distance of each source row from the nearest chosen row, without the row chosen last.
    nearest: Vec<f64>,
    last: Option<usize>,
    /// The fixed rows that have not been returned, last first.
    fixed: Vec<usize>,
}

impl<'a, T: Scalar> FarthestFirst<'a, T> {
    /// The order of the rows that may be chosen.
    pub(super) fn new(problem: SelectionProblem<'a, T>) -> Self {
        let (rows, given) = (problem.source, problem.params.given_rows());
        FarthestFirst {
            rows,
            kernel_mean: problem.kernel_mean,
            distances: SourceDistances::new(problem.kernel, rows),
            is_candidate: given.candidates(rows),
            nearest: vec![f64::INFINITY; rows.n_rows()],
            last: None,
            fixed: given.fixed.iter().rev().copied().collect(),
        }
    }

    /// The first candidate with the largest kernel mean.
    fn most_central(&self) -> Option<usize> {
        let candidates = || (0..self.is_candidate.len()).filter(|row| self.is_candidate[*row]);
        let mean = |row: usize| self.kernel_mean[row];
        let largest = candidates().map(mean).reduce(f64::max)?;
        candidates().find(|row| mean(*row) >= largest - TIE * largest.abs())
    }

    /// The first of the candidates farthest from `last` and all rows chosen before; `None` if each equals one of them.
    fn farthest_from(&mut self, last: usize) -> Option<usize> {
        let FarthestFirst { rows, distances, is_candidate, nearest, .. } = self;
        let of_blocks = parallel::map_chunks(nearest, BLOCK, |block, nearest| {
            let first = block * BLOCK;
            let mut from_last = vec![0.0; nearest.len()];
            distances.of_row(rows.row(last), first, &mut from_last);
            let mut farthest = (0.0, None);
            for (place, (nearest, from_last)) in nearest.iter_mut().zip(from_last).enumerate() {
                *nearest = nearest.min(from_last);
                if is_candidate[first + place] && *nearest > farthest.0 {
                    farthest = (*nearest, Some(first + place));
                }
            }
            farthest
        });
        of_blocks.into_iter().reduce(|best, other| if other.0 > best.0 { other } else { best })?.1
    }
}

impl<T: Scalar> Iterator for FarthestFirst<'_, T> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        let farthest = match self.last {
            Some(last) => self.farthest_from(last),
            None => None,
        };
        let next = match self.fixed.pop() {
            Some(fixed) => fixed,
            None if self.last.is_none() => self.most_central()?,
            None => farthest?,
        };
        self.is_candidate[next] = false;
        self.last = Some(next);
        Some(next)
    }
}
