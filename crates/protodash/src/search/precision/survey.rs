//! Which candidates may be the best, given how far off their gradients and Schur complements may be.

use crate::rows::Scalar;
use crate::search::local::CandidateBlock;
use crate::search::rank::{Ranking, ScoreTerms};

/// The candidates that may be the best.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct CandidateSurvey {
    /// The largest lower bound of a score; `None` if no row certainly raises the objective.
    pub(super) lower_bound: Option<f64>,
    /// All candidates whose upper bound reaches it, less a tie, in source order.
    pub(super) contenders: Vec<Contender>,
}

/// A candidate that may be the best.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Contender {
    pub(super) source_index: usize,
    /// Upper bound of its score.
    pub(super) score: f64,
    /// Whether its kernel mean is known in f32 only.
    pub(super) mean_is_rough: bool,
}

/// By how much two scores may differ and still count as equal.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum ScoreTie {
    Absolute(f64),
    /// Relative to the larger score.
    Relative(f64),
}

impl ScoreTie {
    pub(super) fn at(self, score: f64) -> f64 {
        match self {
            ScoreTie::Absolute(difference) => difference,
            ScoreTie::Relative(part) => part * score.abs(),
        }
    }
}

impl CandidateSurvey {
    /// One survey from those of consecutive parts of the source.
    pub(crate) fn merged(parts: Vec<CandidateSurvey>, tie: ScoreTie) -> Self {
        let lower_bound = parts.iter().filter_map(|survey| survey.lower_bound).reduce(f64::max);
        let floor = lower_bound.map_or(f64::NEG_INFINITY, |score| score - tie.at(score));
        let contenders = parts.into_iter().flat_map(|survey| survey.contenders);
        CandidateSurvey { lower_bound, contenders: contenders.filter(|row| row.score >= floor).collect() }
    }

    /// The rows of the contenders.
    pub(super) fn rows(&self) -> Vec<usize> {
        self.contenders.iter().map(|row| row.source_index).collect()
    }

    /// The contenders whose kernel means are known in f32 only.
    pub(super) fn rough_rows(&self) -> Vec<usize> {
        self.contenders.iter().filter(|row| row.mean_is_rough).map(|row| row.source_index).collect()
    }
}

impl<T: Scalar> CandidateBlock<'_, T> {
    /// *Survey*: the candidates of the block that may be the best, in one pass.
    pub(in crate::search) fn survey(&self, ranking: &Ranking, tie: ScoreTie) -> CandidateSurvey {
        let mut survey = CandidateSurvey { lower_bound: None, contenders: Vec::new() };
        let largest_error = self.largest_gradient_error(ranking);
        let mut floor = f64::NEG_INFINITY;
        for (row, gradient) in self.gradient.iter().enumerate() {
            let terms = self.score_terms(row, *gradient, self.schur[row]);
            let reach = ScoreTerms { gradient: gradient + largest_error, ..terms };
            if ranking.is_below(floor, reach) || !self.is_candidate[row] {
                continue;
            }
            let error = self.gradient_error(ranking, row, terms.diagonal);
            // Scores already assume the smallest Schur complement; a lower bound needs the largest.
            let largest_schur = terms.schur + 2.0 * ranking.schur_error * terms.diagonal;
            let least = ranking.score(ScoreTerms { gradient: gradient - error, schur: largest_schur, ..terms });
            if let Some(score) = least.filter(|score| survey.lower_bound.is_none_or(|best| *score > best)) {
                survey.lower_bound = Some(score);
                floor = score - tie.at(score);
            }
            let most = ranking.score(ScoreTerms { gradient: gradient + error, ..terms });
            if let Some(score) = most.filter(|score| *score >= floor) {
                let mean_is_rough = self.mean_is_rough(row);
                survey.contenders.push(Contender { source_index: self.first + row, score, mean_is_rough });
            }
        }
        survey.contenders.retain(|row| row.score >= floor);
        survey
    }

    /// Whether the kernel mean of a row of the block is known in f32 only.
    pub(in crate::search) fn mean_is_rough(&self, row: usize) -> bool {
        self.is_rough.get(row).is_some_and(|is_rough| *is_rough)
    }

    /// Error bound of the gradient of a row.
    pub(in crate::search) fn gradient_error(&self, ranking: &Ranking, row: usize, diagonal: f64) -> f64 {
        let of_mean = if self.mean_is_rough(row) { self.mean_error.at(self.kernel_mean[row]) } else { 0.0 };
        of_mean + ranking.column_error * diagonal.sqrt()
    }

    /// The largest error bound of a gradient.
    pub(in crate::search) fn largest_gradient_error(&self, ranking: &Ranking) -> f64 {
        let of_means = if self.is_rough.is_empty() { 0.0 } else { self.mean_error.at(self.largest_mean) };
        of_means + ranking.column_error * self.diagonal.largest().sqrt()
    }
}
