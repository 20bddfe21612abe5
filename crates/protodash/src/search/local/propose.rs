//! Which rows of a block may be chosen next, and their scores.

use super::basis_copy::BasisCopy;
use super::block::CandidateBlock;
use super::columns::Columns;
use super::panels::{Term, terms};
use crate::rows::Scalar;
use crate::search::protocol::DescribedRow;
use crate::search::rank::{RankedRow, Ranking, ScoreTerms, WithoutPrototype};

impl<T: Scalar> CandidateBlock<'_, T> {
    /// *Propose*: the best candidates, best first, by upper bounds on their scores.
    pub(super) fn propose(&self, ranking: &Ranking, basis: &BasisCopy<T>, limit: usize) -> Vec<RankedRow> {
        let mut best: Vec<RankedRow> = Vec::with_capacity(limit.min(self.len()) + 1);
        self.for_each_candidate(ranking, basis, f64::NEG_INFINITY, |ranked| {
            if best.len() < limit || ranked.before(&best[best.len() - 1]) {
                let position = best.partition_point(|other| other.before(&ranked));
                best.insert(position, ranked);
                best.truncate(limit);
            }
            best.last().filter(|_| best.len() == limit).map_or(f64::NEG_INFINITY, |last| last.score)
        });
        best
    }

    /// *At least*: all candidates whose score may be at least this, in source order.
    pub(super) fn at_least(&self, ranking: &Ranking, basis: &BasisCopy<T>, score: f64) -> Vec<usize> {
        let mut found = Vec::new();
        self.for_each_candidate(ranking, basis, score, |ranked| {
            if ranked.score >= score {
                found.push(ranked.source_index);
            }
            score
        });
        found
    }

    /// *Describe*: what the leader needs in order to admit this row of the block.
    pub(super) fn describe(&self, basis: &BasisCopy<T>, row: usize) -> DescribedRow<T> {
        let values = self.rows.row(row);
        DescribedRow {
            source_index: self.first + row,
            row: values.to_vec(),
            kernel_mean: self.means.get(row),
            mean_is_approximate: self.means.is_approximate(row),
            diagonal: self.diagonal.get(row),
            group: self.constraints.map_or(0, |rows| rows.group(self.first + row)),
            cost: self.cost(row),
            similarities: basis.rows().iter().map(|prototype| self.similarity(values, prototype)).collect(),
        }
    }

    /// The score of one row, with its gradient at these weights computed from the data.
    pub(super) fn exact_score(
        &self,
        ranking: &Ranking,
        basis: &BasisCopy<T>,
        weights: &[f64],
        row: usize,
    ) -> Option<f64> {
        let weighted = basis.rows().iter().zip(weights).filter(|(_, weight)| **weight != 0.0);
        let similarity: f64 =
            weighted.map(|(prototype, weight)| weight * self.similarity(self.rows.row(row), prototype)).sum();
        ranking.score(self.score_terms(row, self.means.get(row) - similarity, self.schur(row)))
    }

    /// The row whose Schur complement is most negative beyond rounding error, with its value, if there is one.
    pub(super) fn indefinite(&self, tolerance: f64) -> Option<(usize, f64)> {
        let limit = -tolerance.max(1e-6);
        let below = |row: usize| self.schur(row) < limit * self.diagonal.get(row).abs();
        // There hardly ever is one, which a loop without divisions or early exits confirms quickly.
        if !(0..self.len()).fold(false, |any, row| any | below(row)) {
            return None;
        }
        let ratio = |row: usize| self.schur(row) / self.diagonal.get(row).abs();
        let row = (0..self.len()).filter(|row| below(*row)).min_by(|a, b| ratio(*a).total_cmp(&ratio(*b)))?;
        Some((self.first + row, self.schur(row)))
    }

    pub(in crate::search) fn score_terms(&self, row: usize, gradient: f64, schur: f64) -> ScoreTerms {
        ScoreTerms { gradient, schur, diagonal: self.diagonal.get(row), cost: self.cost(row) }
    }

    /// Visits candidates with upper bounds on their scores; may skip those below the floor. `visit` returns the new floor.
    fn for_each_candidate(
        &self,
        ranking: &Ranking,
        basis: &BasisCopy<T>,
        mut floor: f64,
        mut visit: impl FnMut(RankedRow) -> f64,
    ) {
        let reduced = ranking.without.as_ref().and_then(|without| self.without_prototype(without, basis));
        let gradient = reduced.as_ref().map_or(&self.gradient, |(gradient, _)| gradient);
        let schur = |row: usize| reduced.as_ref().map_or_else(|| self.schur(row), |(_, schur)| schur[row]);
        let largest_error = self.largest_gradient_error(ranking);
        for row in 0..self.len() {
            let terms = self.score_terms(row, gradient[row], schur(row));
            let upper = ScoreTerms { gradient: terms.gradient + largest_error, ..terms };
            if ranking.is_below(floor, upper) || !self.is_open(row) {
                continue;
            }
            let gradient = terms.gradient + self.gradient_error(ranking, row, terms.diagonal);
            if let Some(score) = ranking.score(ScoreTerms { gradient, ..terms }) {
                floor = visit(RankedRow { source_index: self.first + row, score });
            }
        }
    }

    /// Gradients and Schur complements without one prototype; `None` if that changes nothing.
    fn without_prototype(&self, without: &WithoutPrototype, basis: &BasisCopy<T>) -> Option<(Vec<f64>, Vec<f64>)> {
        let WithoutPrototype { coordinates, lost_direction } = without;
        let lost = lost_direction.as_deref();
        let changes = basis.changes_to(coordinates);
        if lost.is_none() && changes.is_empty() {
            return None;
        }
        if matches!(self.columns, Columns::Dropped) {
            let (mut gradient, mut schur) =
                (self.means.values.to_vec(), (0..self.len()).map(|row| self.schur(row)).collect::<Vec<_>>());
            let coordinates = terms(coordinates.iter().copied());
            self.for_each_run(basis, |rows, columns| {
                columns.subtract(0..rows.len(), &coordinates, &mut gradient[rows.clone()]);
                let along = |values: &mut [f64], terms: &[Term]| columns.subtract(0..rows.len(), terms, values);
                add_squares_along(lost, along, &mut schur[rows.clone()]);
            });
            return Some((gradient, schur));
        }
        let (mut gradient, mut schur) =
            (self.gradient.clone(), (0..self.len()).map(|row| self.schur(row)).collect::<Vec<_>>());
        self.columns.subtract(0..self.len(), &changes, &mut gradient);
        let along = |values: &mut [f64], terms: &[Term]| self.columns.subtract(0..self.len(), terms, values);
        add_squares_along(lost, along, &mut schur);
        Some((gradient, schur))
    }
}

/// Adds (cⱼᵀu)² for each row; `subtract` subtracts a linear combination of columns.
fn add_squares_along(direction: Option<&[f64]>, subtract: impl Fn(&mut [f64], &[Term]), schur: &mut [f64]) {
    let Some(direction) = direction else { return };
    let mut along = vec![0.0; schur.len()];
    subtract(&mut along, &terms(direction.iter().copied()));
    schur.iter_mut().zip(&along).for_each(|(schur, along)| *schur += along * along);
}
