//! How candidates are ranked, and at which weights of the prototypes.

/// A slope below this fraction of the largest possible one is treated as 0.
const FLAT: f64 = 1e-11;

/// Below 1 by more than the rounding error of a score.
const BELOW_ROUNDING: f64 = 1.0 - 1e-12;
/// Squares above this have full precision.
const SMALLEST_SQUARE: f64 = 1e-290;

/// The score that candidates are ranked by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rank {
    /// The gradient: ProtoDash.
    Gradient,
    /// g²/(2s), an upper bound on the gain: ProtoGreedy.
    GainBound,
    /// μ − ½K, the objective of the row alone with weight 1: the first step under Σw = 1.
    Alone,
    /// The gradient, whatever its sign: rows that a quota needs.
    AnyGradient,
}

/// A candidate and its score.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct RankedRow {
    pub(crate) source_index: usize,
    pub(crate) score: f64,
}

impl RankedRow {
    /// Higher scores first; ties go to the lowest source index.
    pub(crate) fn before(&self, other: &RankedRow) -> bool {
        self.score > other.score || (self.score == other.score && self.source_index < other.source_index)
    }

    /// The best of these rows, best first.
    pub(crate) fn best(mut rows: Vec<RankedRow>, limit: usize) -> Vec<RankedRow> {
        rows.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.source_index.cmp(&b.source_index)));
        rows.truncate(limit);
        rows
    }
}

/// How candidates are scored.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Ranking {
    pub(crate) rank: Rank,
    /// λ, the slope that a candidate has to exceed.
    pub(crate) multiplier: f64,
    /// Error bound of Schur complements, as a fraction of the diagonal.
    pub(crate) schur_error: f64,
    /// Error bound of gradients from rounding the columns to f32, as a fraction of the root of the diagonal.
    pub(crate) column_error: f64,
    /// The largest |μⱼ|/√Kⱼⱼ of the whole source, at most ‖μ‖: the unit of slopes.
    pub(crate) scale: f64,
    /// A row whose mean is an upper bound may be ignored if its score exceeds the best exact score by less than this
    /// fraction of its own.
    pub(crate) tolerance: f64,
    /// Whether scores are per cost: bounds of gains are divided by the cost, and gradients by its root, since a gain grows
    /// with the square of the gradient.
    pub(crate) per_cost: bool,
    /// Set if a prototype is excluded.
    pub(crate) without: Option<WithoutPrototype>,
}

/// What scores need to know about the set without one prototype.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct WithoutPrototype {
    /// v = Fᵀw for the weights without it, in the basis with it.
    pub(crate) coordinates: Vec<f64>,
    /// The unit vector u that the span of the prototypes loses; sⱼ grows by (cⱼᵀu)².
    pub(crate) lost_direction: Option<Vec<f64>>,
}

/// What a score is computed from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ScoreTerms {
    pub(crate) gradient: f64,
    pub(crate) schur: f64,
    pub(crate) diagonal: f64,
    /// 1 without a budget.
    pub(crate) cost: f64,
}

impl Ranking {
    /// Whether the score of a row is certainly below this, decided without a division; `false` says nothing.
    #[inline]
    pub(crate) fn is_below(&self, floor: f64, terms: ScoreTerms) -> bool {
        let slope = terms.gradient - self.multiplier;
        match self.rank {
            Rank::Alone => false,
            _ if self.per_cost => false,
            Rank::Gradient | Rank::AnyGradient => slope < floor,
            Rank::GainBound => {
                let least_schur = (terms.schur - self.schur_error * terms.diagonal).max(0.0);
                let limit = 2.0 * floor * least_schur * BELOW_ROUNDING;
                let slope = slope.max(0.0);
                // If the limit is a normal number, so is any square that reaches it.
                limit > SMALLEST_SQUARE && slope * slope < limit
            }
        }
    }

    /// The score of a row; `None` if adding the row cannot raise the objective.
    #[inline]
    pub(crate) fn score(&self, terms: ScoreTerms) -> Option<f64> {
        let ScoreTerms { gradient, schur, diagonal, cost } = terms;
        let cost = if self.per_cost { cost } else { 1.0 };
        let slope = gradient - self.multiplier;
        let rises = diagonal > 0.0 && slope > FLAT * self.scale * diagonal.sqrt();
        match self.rank {
            Rank::Alone => Some(gradient - 0.5 * diagonal),
            Rank::AnyGradient => Some(slope),
            Rank::Gradient | Rank::GainBound if !rises => None,
            Rank::Gradient => Some(slope / cost.sqrt()),
            // A row in the span of the prototypes can gain if a weight is held at 0, but the bound does not cover that.
            Rank::GainBound if schur <= self.schur_error * diagonal => Some(f64::INFINITY),
            // A product of quotients does not overflow where the square would.
            Rank::GainBound => Some(0.5 * slope * (slope / (schur - self.schur_error * diagonal)) / cost),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn ranking(rank: Rank, multiplier: f64, scale: f64) -> Ranking {
        Ranking {
            rank,
            multiplier,
            schur_error: 1e-9,
            column_error: 0.0,
            scale,
            tolerance: 0.0,
            per_cost: false,
            without: None,
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        /// Over all magnitudes, and around equality.
        #[test]
        fn rows_reported_below_the_floor_score_below_it(
            rank in prop::sample::select(vec![Rank::Gradient, Rank::GainBound, Rank::Alone]),
            (gradient, size) in (-2.0..4.0_f64, -320..300_i32),
            (schur, schur_size) in (-0.1..1.0_f64, -300..10_i32),
            near in prop::sample::select(vec![f64::NEG_INFINITY, -1.0, 0.3, 1.0 - 1e-13, 1.0, 1.0 + 1e-13, 1.5]),
        ) {
            let ranking = ranking(rank, 0.0, 1e-300);
            let gradient = gradient * 10_f64.powi(size);
            let terms = ScoreTerms { gradient, schur: schur * 10_f64.powi(schur_size), diagonal: 1.0, cost: 1.0 };
            if let Some(score) = ranking.score(terms) {
                // Every finite floor is below an infinite score.
                let floor = if score.is_finite() { near * score } else { near };
                prop_assert!(!ranking.is_below(floor, terms) || score < floor, "{score} and {floor}");
            }
        }
    }

    #[test]
    fn a_row_far_from_the_best_is_reported_below_the_floor() {
        let is_below = |rank, floor, terms| ranking(rank, 0.1, 1.0).is_below(floor, terms);
        let terms = ScoreTerms { gradient: 0.3, schur: 0.5, diagonal: 1.0, cost: 1.0 };
        assert!(is_below(Rank::GainBound, 0.041, terms) && !is_below(Rank::GainBound, 0.039, terms));
        assert!(is_below(Rank::Gradient, 0.21, terms) && !is_below(Rank::Gradient, 0.19, terms));
        assert!(!is_below(Rank::Alone, 1.0, terms));
        // The bound does not cover rows in the span of the prototypes.
        assert!(!is_below(Rank::GainBound, 1.0, ScoreTerms { schur: 0.0, ..terms }));
    }
}
