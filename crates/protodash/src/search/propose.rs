//! What a shard tells of its rows: which may be chosen next, and how good they are.

use super::columns::Columns;
use super::panels::{Term, terms};
use super::rank::{Ranked, Standing, View};
use super::shard::{Chosen, Proposal, Shard};
use crate::kernel::Kernel;
use crate::rows::Scalar;

/// Which of a shard's candidates may be the best.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Survey {
    /// The best score that a candidate has for sure; `None` if no row surely rises.
    pub(super) surely: Option<f64>,
    /// All that may reach it, less a tie, in the order of the source, by the largest score that each may have.
    pub(super) contenders: Vec<Ranked>,
}

/// By how much two scores may differ and still be taken for equal.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Tie {
    /// This much.
    Difference(f64),
    /// This part of the larger one.
    Part(f64),
}

impl Tie {
    pub(super) fn at(self, score: f64) -> f64 {
        match self {
            Tie::Difference(difference) => difference,
            Tie::Part(part) => part * score.abs(),
        }
    }
}

impl<T: Scalar, K: Kernel<T> + ?Sized> Shard<'_, T, K> {
    /// *Propose*: the best candidates, best first, by the largest score that each may have.
    pub(crate) fn propose(&self, view: &View<'_>, chosen: Chosen<'_, T>, limit: usize) -> Vec<Ranked> {
        let mut best: Vec<Ranked> = Vec::with_capacity(limit.min(self.len()) + 1);
        self.for_each_candidate(view, chosen, f64::NEG_INFINITY, |ranked| {
            if best.len() < limit || ranked.before(&best[best.len() - 1]) {
                let place = best.partition_point(|other| other.before(&ranked));
                best.insert(place, ranked);
                best.truncate(limit);
            }
            best.last().filter(|_| best.len() == limit).map_or(f64::NEG_INFINITY, |last| last.score)
        });
        best
    }

    /// *Propose*: all candidates whose score may be at least this, in the order of the source.
    pub(crate) fn at_least(&self, view: &View<'_>, chosen: Chosen<'_, T>, score: f64) -> Vec<usize> {
        let mut found = Vec::new();
        self.for_each_candidate(view, chosen, score, |ranked| {
            if ranked.score >= score {
                found.push(ranked.source_index);
            }
            score
        });
        found
    }

    /// *Propose*: the candidates that may be the best, in one pass.
    ///
    /// Those are all whose score may reach the best that one of the shard has for sure, less a tie.
    pub(crate) fn survey(&self, view: &View<'_>, tie: Tie) -> Survey {
        let mut survey = Survey { surely: None, contenders: Vec::new() };
        let most = self.largest_allowance(view);
        let mut floor = f64::NEG_INFINITY;
        for (row, gradient) in self.gradient.iter().enumerate() {
            let standing = self.standing(row, *gradient, self.schur[row]);
            if view.is_below(floor, Standing { gradient: gradient + most, ..standing }) || !self.candidate[row] {
                continue;
            }
            let allowance = self.allowance(view, row, standing.diagonal);
            // Scores allow for a Schur complement that is smaller; for sure is the one with one that is larger.
            let largest = standing.schur + 2.0 * view.rounding * standing.diagonal;
            let surely = view.score(Standing { gradient: gradient - allowance, schur: largest, ..standing });
            if let Some(score) = surely.filter(|score| survey.surely.is_none_or(|best| *score > best)) {
                survey.surely = Some(score);
                floor = score - tie.at(score);
            }
            let at_most = view.score(Standing { gradient: gradient + allowance, ..standing });
            if let Some(score) = at_most.filter(|score| *score >= floor) {
                survey.contenders.push(Ranked { source_index: self.first + row, score });
            }
        }
        survey.contenders.retain(|ranked| ranked.score >= floor);
        survey
    }

    /// The score of one row, its gradient under the present weights computed from the data and its kernel mean.
    pub(crate) fn exact_score(
        &self,
        view: &View<'_>,
        chosen: Chosen<'_, T>,
        weights: &[f64],
        source_index: usize,
    ) -> Option<f64> {
        let row = self.local(source_index)?;
        let weighted = chosen.rows.iter().zip(weights).filter(|(_, weight)| **weight != 0.0);
        let similarity: f64 =
            weighted.map(|(prototype, weight)| weight * self.similarity(self.rows.row(row), prototype)).sum();
        view.score(self.standing(row, self.kernel_mean[row] - similarity, self.schur[row]))
    }

    /// What the leader needs in order to admit this row; `None` if it is another shard's.
    pub(crate) fn describe(&self, chosen: Chosen<'_, T>, source_index: usize) -> Option<Proposal<T>> {
        let row = self.local(source_index)?;
        let values = self.rows.row(row);
        Some(Proposal {
            source_index,
            row: values.to_vec(),
            kernel_mean: self.kernel_mean[row],
            diagonal: self.diagonal.get(row),
            similarities: chosen.rows.iter().map(|prototype| self.similarity(values, prototype)).collect(),
        })
    }

    /// The row whose Schur complement is farthest below what rounding explains, if there is one: proof that the kernel
    /// is not positive semi-definite.
    pub(crate) fn indefinite(&self, rounding: f64) -> Option<(usize, f64)> {
        let limit = -rounding.max(1e-6);
        let below = |row: usize| self.schur[row] < limit * self.diagonal.get(row).abs();
        // Nearly always there is none: this is seen without a division or a way out of the loop.
        if !(0..self.len()).fold(false, |any, row| any | below(row)) {
            return None;
        }
        let part = |row: usize| self.schur[row] / self.diagonal.get(row).abs();
        let row = (0..self.len()).filter(|row| below(*row)).min_by(|a, b| part(*a).total_cmp(&part(*b)))?;
        Some((self.first + row, self.schur[row]))
    }

    fn standing(&self, row: usize, gradient: f64, schur: f64) -> Standing {
        Standing { gradient, schur, diagonal: self.diagonal.get(row) }
    }

    pub(super) fn rough(&self, row: usize) -> bool {
        self.is_rough.get(row).is_some_and(|is_rough| *is_rough)
    }

    /// How far off the gradient of a row may be.
    fn allowance(&self, view: &View<'_>, row: usize, diagonal: f64) -> f64 {
        let of_mean = if self.rough(row) { self.mean_error.at(self.kernel_mean[row]) } else { 0.0 };
        of_mean + view.column_error * diagonal.sqrt()
    }

    /// The largest of them.
    fn largest_allowance(&self, view: &View<'_>) -> f64 {
        let of_means = if self.is_rough.is_empty() { 0.0 } else { self.mean_error.at(self.largest_mean) };
        of_means + view.column_error * self.diagonal.largest().sqrt()
    }

    /// Visits rows that may be chosen with the largest score that each may have: all but some below the floor, which
    /// `visit` may raise.
    fn for_each_candidate(
        &self,
        view: &View<'_>,
        chosen: Chosen<'_, T>,
        mut floor: f64,
        mut visit: impl FnMut(Ranked) -> f64,
    ) {
        let seen;
        let (gradient, schur) = if view.lost.is_none() && view.changes.is_empty() {
            (&self.gradient, &self.schur)
        } else {
            seen = self.as_seen(view, chosen);
            (&seen.0, &seen.1)
        };
        let most = self.largest_allowance(view);
        for row in 0..self.len() {
            let standing = self.standing(row, gradient[row], schur[row]);
            let reach = Standing { gradient: standing.gradient + most, ..standing };
            if view.is_below(floor, reach) || !self.candidate[row] {
                continue;
            }
            let gradient = standing.gradient + self.allowance(view, row, standing.diagonal);
            if let Some(score) = view.score(Standing { gradient, ..standing }) {
                floor = visit(Ranked { source_index: self.first + row, score });
            }
        }
    }

    /// Gradients and Schur complements under another view than the current weights'.
    fn as_seen(&self, view: &View<'_>, chosen: Chosen<'_, T>) -> (Vec<f64>, Vec<f64>) {
        if matches!(self.columns, Columns::Dropped) {
            let mut seen = (self.kernel_mean.to_vec(), self.schur.clone());
            let coordinates = terms(view.coordinates.iter().copied());
            self.for_each_few(chosen, |rows, columns| {
                columns.subtract(0..rows.len(), &coordinates, &mut seen.0[rows.clone()]);
                let along = |values: &mut [f64], terms: &[Term]| columns.subtract(0..rows.len(), terms, values);
                add_squares_along(view.lost, along, &mut seen.1[rows.clone()]);
            });
            return seen;
        }
        let (mut gradient, mut schur) = (self.gradient.clone(), self.schur.clone());
        self.columns.subtract(0..self.len(), view.changes, &mut gradient);
        let along = |values: &mut [f64], terms: &[Term]| self.columns.subtract(0..self.len(), terms, values);
        add_squares_along(view.lost, along, &mut schur);
        (gradient, schur)
    }
}

/// Adds (cⱼᵀu)² for each row, `subtract` subtracting terms of the columns.
fn add_squares_along(lost: Option<&[f64]>, subtract: impl Fn(&mut [f64], &[Term]), schur: &mut [f64]) {
    let Some(lost) = lost else { return };
    let mut along = vec![0.0; schur.len()];
    subtract(&mut along, &terms(lost.iter().copied()));
    schur.iter_mut().zip(&along).for_each(|(schur, along)| *schur += along * along);
}
