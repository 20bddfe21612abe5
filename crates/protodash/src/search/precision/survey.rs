//! Which candidates may be the best, given the error bounds of their gradients and Schur complements.

use crate::rows::Scalar;
use crate::search::local::CandidateBlock;
use crate::search::rank::{Ranking, ScoreTerms};

/// The candidates that may be the best.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct CandidateSurvey {
    /// The largest lower bound on a score; `None` if no row certainly raises the objective.
    pub(super) lower_bound: Option<LowerBound>,
    /// All candidates whose upper bound reaches it, up to a tie, in source order.
    pub(super) contenders: Vec<Contender>,
}

/// A lower bound on the score of a candidate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct LowerBound {
    score: f64,
    /// By how much another score may be smaller and still count as equal.
    tie: f64,
}

/// A candidate that may be the best.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Contender {
    pub(super) source_index: usize,
    /// Upper bound on its score.
    pub(super) score: f64,
    /// By how much its score may be smaller than another and still count as equal.
    pub(super) tie: f64,
    /// How its kernel mean is known.
    pub(super) mean: KnownMean,
}

/// How the kernel mean of a row is known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum KnownMean {
    Exact,
    /// In f32, with a bound on its error.
    Rounded,
    /// Only by an upper bound.
    AtMost {
        /// The gradient that the estimated mean would give.
        estimate: f64,
    },
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
        matches!(self.mean, KnownMean::AtMost { .. })
    }
}

impl CandidateSurvey {
    /// One survey from those of consecutive parts of the source.
    pub(crate) fn merged(parts: Vec<CandidateSurvey>, tolerance: f64) -> Self {
        let larger = |one: LowerBound, other: LowerBound| if other.score > one.score { other } else { one };
        let lower_bound = parts.iter().filter_map(|survey| survey.lower_bound).reduce(larger);
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

    /// Of the contenders whose kernel means are upper bounds, those with the largest estimates, in source order.
    pub(super) fn leaders(&self, limit: usize) -> Vec<usize> {
        let estimate = |row: &Contender| match row.mean {
            KnownMean::AtMost { estimate } => Some((estimate, row.source_index)),
            KnownMean::Exact | KnownMean::Rounded => None,
        };
        let mut leaders: Vec<(f64, usize)> = self.contenders.iter().filter_map(estimate).collect();
        leaders.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        leaders.truncate(limit);
        let mut rows: Vec<usize> = leaders.into_iter().map(|(_, row)| row).collect();
        rows.sort_unstable();
        rows
    }
}

impl<T: Scalar> CandidateBlock<'_, T> {
    /// *Survey*: the candidates of the block that may be the best, in one pass.
    pub(in crate::search) fn survey(&self, ranking: &Ranking, tie: ScoreTie) -> CandidateSurvey {
        let mut survey = CandidateSurvey { lower_bound: None, contenders: Vec::new() };
        let largest_error = self.largest_gradient_error(ranking);
        let largest_diagonal = self.diagonal.largest();
        let mut floor = f64::NEG_INFINITY;
        for (row, gradient) in self.gradient.iter().enumerate() {
            let terms = self.score_terms(row, *gradient, self.schur[row]);
            let upper = ScoreTerms { gradient: gradient + largest_error, ..terms };
            if ranking.is_below(floor, upper) || !self.is_candidate[row] {
                continue;
            }
            let error = self.gradient_error(ranking, row, terms.diagonal);
            let mean = self.known_mean(row);
            // Scores already assume the smallest Schur complement; a lower bound needs the largest.
            let largest_schur = terms.schur + 2.0 * ranking.schur_error * terms.diagonal;
            let lower = match mean {
                KnownMean::AtMost { .. } => None,
                _ => ranking.score(ScoreTerms { gradient: gradient - error, schur: largest_schur, ..terms }),
            };
            if let Some(score) = lower.filter(|score| survey.lower_bound.is_none_or(|best| *score > best.score)) {
                survey.lower_bound = Some(LowerBound { score, tie: tie.of(score, terms.diagonal, ranking) });
                // No row of the block has a wider tie.
                floor = score - tie.of(score, largest_diagonal, ranking);
            }
            let upper = ranking.score(ScoreTerms { gradient: gradient + error, ..terms });
            if let Some(score) = upper.filter(|score| *score >= floor) {
                let tie = tie.of(score, terms.diagonal, ranking);
                survey.contenders.push(Contender { source_index: self.first + row, score, tie, mean });
            }
        }
        let best = survey.lower_bound;
        survey.contenders.retain(|row| row.reaches(best, ranking.tolerance));
        survey
    }

    /// How the kernel mean of a row of the block is known.
    fn known_mean(&self, row: usize) -> KnownMean {
        match (self.mean_is_approximate(row), self.slack.get(row)) {
            (false, _) => KnownMean::Exact,
            (true, None) => KnownMean::Rounded,
            (true, Some(slack)) => KnownMean::AtMost { estimate: self.gradient[row] - f64::from(*slack) },
        }
    }

    /// Whether the kernel mean of a row of the block is not exact.
    pub(in crate::search) fn mean_is_approximate(&self, row: usize) -> bool {
        self.is_approximate.get(row).is_some_and(|is_approximate| *is_approximate)
    }

    /// Error bound of the gradient of a row. If its mean is an upper bound, how far the gradient may be above its value.
    pub(in crate::search) fn gradient_error(&self, ranking: &Ranking, row: usize, diagonal: f64) -> f64 {
        let of_mean = if self.mean_is_approximate(row) { self.mean_error.at(self.kernel_mean[row]) } else { 0.0 };
        of_mean + ranking.column_error * diagonal.sqrt()
    }

    /// The largest error bound of a gradient.
    pub(in crate::search) fn largest_gradient_error(&self, ranking: &Ranking) -> f64 {
        let of_means = if self.is_approximate.is_empty() { 0.0 } else { self.mean_error.at(self.largest_mean) };
        of_means + ranking.column_error * self.diagonal.largest().sqrt()
    }
}
