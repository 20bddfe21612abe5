//! Which candidates may be the best, given the error bounds of their gradients and Schur complements.

use crate::parallel;
use crate::rows::Scalar;
use crate::search::local::{CandidateBlock, LocalShard, RacedMeans};
use crate::search::rank::{RankedRow, Ranking, ScoreTerms};

/// The candidates that may be the best.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct CandidateSurvey {
    /// The largest lower bound on a score; `None` if no row certainly raises the objective.
    pub(in crate::search) lower_bound: Option<LowerBound>,
    /// All candidates whose upper bound reaches it, up to a tie, in source order.
    pub(in crate::search) contenders: Vec<Contender>,
}

/// A lower bound on the score of a candidate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct LowerBound {
    pub(in crate::search) score: f64,
    /// By how much another score may be smaller and still count as equal.
    pub(in crate::search) tie: f64,
}

impl LowerBound {
    fn larger(self, other: LowerBound) -> LowerBound {
        if other.score > self.score { other } else { self }
    }
}

/// What the upper bound of a row's score has to reach for the row to be raced on.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct RaceFloor {
    pub(in crate::search) ranking: Ranking,
    pub(in crate::search) tie: ScoreTie,
    /// `None` if any row may be the best.
    pub(in crate::search) bound: Option<LowerBound>,
}

/// A candidate that may be the best.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Contender {
    pub(in crate::search) source_index: usize,
    /// Upper bound on its score.
    pub(in crate::search) score: f64,
    /// By how much its score may be smaller than another and still count as equal.
    pub(in crate::search) tie: f64,
    /// How its kernel mean is known.
    pub(in crate::search) mean: KnownMean,
}

/// How the kernel mean of a row is known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum KnownMean {
    Exact,
    /// In f32, with a bound on its error.
    Rounded,
    /// By an upper bound.
    UpperBound,
}

/// By how much two scores may differ and still count as equal: the larger of what either of them allows.
///
/// The rounding error of a score depends on the terms of its own row, not on how large other rows are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum ScoreTie {
    /// Not at all.
    Exact,
    /// By this fraction of the score.
    OfScore(f64),
    /// By this fraction of the row's largest possible slope.
    OfSlope(f64),
}

impl ScoreTie {
    /// The tie of a row with this score and this similarity to itself.
    fn of(self, score: f64, diagonal: f64, ranking: &Ranking) -> f64 {
        match self {
            ScoreTie::Exact => 0.0,
            ScoreTie::OfScore(fraction) => fraction * score.abs(),
            ScoreTie::OfSlope(fraction) => fraction * ranking.scale * diagonal.max(0.0).sqrt(),
        }
    }
}

impl Contender {
    /// Whether its score may be the best or tie with it; if its mean is an upper bound, by more than the tolerance.
    fn reaches(&self, best: Option<LowerBound>, tolerance: f64) -> bool {
        let factor = if self.is_raced() { 1.0 - tolerance } else { 1.0 };
        best.is_none_or(|best| factor * self.score >= best.score - best.tie.max(self.tie))
    }

    fn is_raced(&self) -> bool {
        self.mean == KnownMean::UpperBound
    }
}

impl CandidateSurvey {
    /// One survey from those of consecutive parts of the source.
    pub(crate) fn merged(parts: Vec<CandidateSurvey>, tolerance: f64) -> Self {
        let lower_bound = parts.iter().filter_map(|survey| survey.lower_bound).reduce(LowerBound::larger);
        // One part is not copied, since many rows may contend in a race.
        let parts = match <[CandidateSurvey; 1]>::try_from(parts) {
            Ok([mut survey]) => {
                survey.contenders.retain(|row| row.reaches(lower_bound, tolerance));
                return survey;
            }
            Err(parts) => parts,
        };
        let contenders = parts.into_iter().flat_map(|survey| survey.contenders);
        CandidateSurvey {
            lower_bound,
            contenders: contenders.filter(|row| row.reaches(lower_bound, tolerance)).collect(),
        }
    }

    /// The first contender that ties with the best of these exact scores; `None` if no row raises the objective.
    pub(super) fn first_best(&self, scores: &[f64]) -> Option<usize> {
        let rows = || self.contenders.iter().zip(scores).filter(|(_, score)| **score > f64::NEG_INFINITY);
        let (best, largest) = rows().reduce(|one, other| if other.1 > one.1 { other } else { one })?;
        let is_equal = |row: &Contender, score: f64| score >= largest - best.tie.max(row.tie);
        rows().find(|(row, score)| is_equal(row, **score)).map(|(row, _)| row.source_index)
    }

    /// The rows of the contenders.
    pub(super) fn rows(&self) -> Vec<usize> {
        self.contenders.iter().map(|row| row.source_index).collect()
    }

    /// The contenders whose kernel means are not exact.
    pub(super) fn approximate_rows(&self) -> Vec<usize> {
        self.contenders.iter().filter(|row| row.mean != KnownMean::Exact).map(|row| row.source_index).collect()
    }

    /// The contenders whose kernel means are upper bounds.
    pub(super) fn raced_rows(&self) -> Vec<usize> {
        self.contenders.iter().filter(|row| row.is_raced()).map(|row| row.source_index).collect()
    }
}

impl<T: Scalar> LocalShard<'_, T> {
    /// The largest lower bound of a score if there is a race: few rows have one, and it keeps most others off the lists.
    pub(in crate::search) fn raced_bound(&self, ranking: &Ranking, tie: ScoreTie) -> Option<LowerBound> {
        let bound = |block: usize| {
            let block = &self.blocks[block];
            block.means.race.as_ref().and_then(|race| block.exact_bound(ranking, tie, race))
        };
        parallel::map(0..self.blocks.len(), bound).into_iter().flatten().reduce(LowerBound::larger)
    }
}

impl<T: Scalar> CandidateBlock<'_, T> {
    /// *Survey*: the candidates of the block that may be the best, in one pass; `bound` is a lower bound of any row's score.
    pub(in crate::search) fn survey(
        &self,
        ranking: &Ranking,
        tie: ScoreTie,
        bound: Option<LowerBound>,
    ) -> CandidateSurvey {
        let mut survey = CandidateSurvey { lower_bound: bound, contenders: Vec::new() };
        let largest_error = self.largest_gradient_error(ranking);
        let largest_diagonal = self.diagonal.largest();
        // No row of the block allows more.
        let floor_at = |score: f64| score - tie.of(score, largest_diagonal, ranking);
        let mut floor = bound.map_or(f64::NEG_INFINITY, |bound| floor_at(bound.score) - bound.tie);
        for (row, gradient) in self.gradient.iter().enumerate() {
            let terms = self.score_terms(row, *gradient, self.schur(row));
            let upper = ScoreTerms { gradient: gradient + largest_error, ..terms };
            if ranking.is_below(floor, upper) || !self.is_open(row) {
                continue;
            }
            let least = self.least_score(ranking, row);
            if let Some(score) = least.filter(|score| survey.lower_bound.is_none_or(|best| *score > best.score)) {
                survey.lower_bound = Some(LowerBound { score, tie: tie.of(score, terms.diagonal, ranking) });
                floor = floor_at(score);
            }
            survey.contenders.extend(self.contender(ranking, tie, row).filter(|row| row.score >= floor));
        }
        let best = survey.lower_bound;
        survey.contenders.retain(|row| row.reaches(best, ranking.tolerance));
        survey
    }

    /// *Leaders*: of the rows whose kernel means are upper bounds and whose scores may reach the bound, those with the largest
    /// estimated gradients.
    pub(in crate::search) fn leaders(
        &self,
        ranking: &Ranking,
        tie: ScoreTie,
        bound: Option<LowerBound>,
        limit: usize,
    ) -> Vec<RankedRow> {
        let Some(race) = &self.means.race else { return Vec::new() };
        let mut best: Vec<RankedRow> = Vec::with_capacity(limit.min(self.gradient.len()) + 1);
        for (row, (gradient, slack)) in self.gradient.iter().zip(&race.slack).enumerate() {
            let estimate = gradient - race.unit * f64::from(*slack);
            let ranked = RankedRow { source_index: self.first + row, score: estimate };
            let may_lead = best.len() < limit || ranked.before(&best[best.len() - 1]);
            if may_lead && self.is_open(row) && self.means.is_approximate(row) && self.reaches(row, ranking, tie, bound)
            {
                let position = best.partition_point(|other| other.before(&ranked));
                best.insert(position, ranked);
                best.truncate(limit);
            }
        }
        best
    }

    /// Whether a row of the block may have the best score, or one equal to it.
    pub(in crate::search) fn reaches(
        &self,
        row: usize,
        ranking: &Ranking,
        tie: ScoreTie,
        bound: Option<LowerBound>,
    ) -> bool {
        self.contender(ranking, tie, row).is_some_and(|row| row.reaches(bound, ranking.tolerance))
    }

    /// A row of the block with the upper bound of its score; `None` if it cannot raise the objective.
    fn contender(&self, ranking: &Ranking, tie: ScoreTie, row: usize) -> Option<Contender> {
        let terms = self.score_terms(row, self.gradient[row], self.schur(row));
        let error = self.gradient_error(ranking, row, terms.diagonal);
        let score = ranking.score(ScoreTerms { gradient: terms.gradient + error, ..terms })?;
        let tie = tie.of(score, terms.diagonal, ranking);
        Some(Contender { source_index: self.first + row, score, tie, mean: self.known_mean(row) })
    }

    /// The lower bound of a row's score; `None` if it may not raise the objective.
    fn least_score(&self, ranking: &Ranking, row: usize) -> Option<f64> {
        let terms = self.score_terms(row, self.gradient[row], self.schur(row));
        let error = self.gradient_error(ranking, row, terms.diagonal);
        // Scores already assume the smallest Schur complement; a lower bound needs the largest.
        let schur = terms.schur + 2.0 * ranking.schur_error * terms.diagonal;
        match self.known_mean(row) {
            KnownMean::UpperBound => None,
            _ => ranking.score(ScoreTerms { gradient: terms.gradient - error, schur, ..terms }),
        }
    }

    /// The largest lower bound of the score of a row whose kernel mean is exact.
    fn exact_bound(&self, ranking: &Ranking, tie: ScoreTie, race: &RacedMeans) -> Option<LowerBound> {
        let exact = race.exact.iter().map(|(row, _)| *row).filter(|row| self.is_open(*row));
        let bound = |row: usize| {
            let score = self.least_score(ranking, row)?;
            Some(LowerBound { score, tie: tie.of(score, self.diagonal.get(row), ranking) })
        };
        exact.filter_map(bound).reduce(LowerBound::larger)
    }

    /// How the kernel mean of a row of the block is known.
    fn known_mean(&self, row: usize) -> KnownMean {
        match (self.means.is_approximate(row), &self.means.race) {
            (false, _) => KnownMean::Exact,
            (true, None) => KnownMean::Rounded,
            (true, Some(_)) => KnownMean::UpperBound,
        }
    }

    /// Error bound of the gradient of a row. If its mean is an upper bound, how far the gradient may be above its value.
    pub(in crate::search) fn gradient_error(&self, ranking: &Ranking, row: usize, diagonal: f64) -> f64 {
        let of_mean = match self.known_mean(row) {
            KnownMean::Rounded => self.means.error.at(self.means.get(row)),
            KnownMean::Exact | KnownMean::UpperBound => 0.0,
        };
        of_mean + ranking.column_error * diagonal.sqrt()
    }

    /// The largest error bound of a gradient.
    pub(in crate::search) fn largest_gradient_error(&self, ranking: &Ranking) -> f64 {
        let of_means = if self.means.is_approximate.is_empty() { 0.0 } else { self.means.error.at(self.means.largest) };
        of_means + ranking.column_error * self.diagonal.largest().sqrt()
    }
}
