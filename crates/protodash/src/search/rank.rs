//! What candidates are ranked by, and under which view of the prototypes.

use super::panels::Term;

/// A slope below this part of the largest possible one is taken for 0.
const FLAT: f64 = 1e-11;

/// Less than 1 by more than the rounding of a score.
const BELOW_ROUNDING: f64 = 1.0 - 1e-12;
/// Squares above this have all their digits.
const SMALLEST_SQUARE: f64 = 1e-290;

/// What candidates are ranked by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rank {
    /// The gradient: ProtoDash.
    Gradient,
    /// g²/(2s), which no gain exceeds: ProtoGreedy.
    Bound,
    /// μ − ½K, the objective of the row alone with the weight 1: the first step under Σw = 1.
    Alone,
}

/// A candidate's place in a ranking.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Ranked {
    pub(crate) source_index: usize,
    pub(crate) score: f64,
}

impl Ranked {
    /// Higher scores first; ties go to the lowest source index.
    pub(crate) fn before(&self, other: &Ranked) -> bool {
        self.score > other.score || (self.score == other.score && self.source_index < other.source_index)
    }
}

/// How candidates would stand if the prototypes had other weights, or if one of them were gone.
#[derive(Debug, Clone, Copy)]
pub(crate) struct View<'a> {
    /// v = Fᵀw.
    pub(crate) coordinates: &'a [f64],
    /// Where v differs from the one that the gradients are of, and by how much.
    pub(crate) changes: &'a [Term],
    /// The direction, of length 1, that the factor would lose with one prototype; sⱼ grows by (cⱼᵀu)².
    pub(crate) lost: Option<&'a [f64]>,
    /// λ, the slope that has to be exceeded.
    pub(crate) multiplier: f64,
    pub(crate) rank: Rank,
    /// How far off a Schur complement may be, as a part of the diagonal.
    pub(crate) rounding: f64,
    /// How far off a gradient may be for the rounding of the columns, as a part of the diagonal's root.
    pub(crate) column_error: f64,
    /// The largest |μⱼ|/√Kⱼⱼ of the whole source, at most ‖μ‖: what a slope is measured by.
    pub(crate) scale: f64,
}

/// What is known of one row: its gradient, its Schur complement and its diagonal.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Standing {
    pub(crate) gradient: f64,
    pub(crate) schur: f64,
    pub(crate) diagonal: f64,
}

impl View<'_> {
    /// Whether the score of a row is below this for sure, seen without a division; `false` says nothing.
    #[inline]
    pub(crate) fn is_below(&self, floor: f64, standing: Standing) -> bool {
        let slope = standing.gradient - self.multiplier;
        match self.rank {
            Rank::Alone => false,
            Rank::Gradient => slope < floor,
            Rank::Bound => {
                let surely_apart = (standing.schur - self.rounding * standing.diagonal).max(0.0);
                let limit = 2.0 * floor * surely_apart * BELOW_ROUNDING;
                let slope = slope.max(0.0);
                // Where the limit is within range, the square that reaches it is, too.
                limit > SMALLEST_SQUARE && slope * slope < limit
            }
        }
    }

    /// The score of a row that could be chosen; `None` for one that would raise nothing.
    #[inline]
    pub(crate) fn score(&self, standing: Standing) -> Option<f64> {
        let Standing { gradient, schur, diagonal } = standing;
        let slope = gradient - self.multiplier;
        let rises = diagonal > 0.0 && slope > FLAT * self.scale * diagonal.sqrt();
        match self.rank {
            Rank::Alone => Some(gradient - 0.5 * diagonal),
            Rank::Gradient | Rank::Bound if !rises => None,
            Rank::Gradient => Some(slope),
            // A row in the span of the prototypes can gain where a weight is held at 0, but the bound says nothing of it.
            Rank::Bound if schur <= self.rounding * diagonal => Some(f64::INFINITY),
            // Written as a product of quotients, which stays within range where the square does not.
            Rank::Bound => Some(0.5 * slope * (slope / (schur - self.rounding * diagonal))),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        /// Over all magnitudes, and around equality.
        #[test]
        fn what_is_said_to_be_below_is_below(
            rank in prop::sample::select(vec![Rank::Gradient, Rank::Bound, Rank::Alone]),
            (gradient, size) in (-2.0..4.0_f64, -320..300_i32),
            (schur, schur_size) in (-0.1..1.0_f64, -300..10_i32),
            near in prop::sample::select(vec![f64::NEG_INFINITY, -1.0, 0.3, 1.0 - 1e-13, 1.0, 1.0 + 1e-13, 1.5]),
        ) {
            let view = View {
                coordinates: &[], changes: &[], lost: None, multiplier: 0.0, rank,
                rounding: 1e-9, column_error: 0.0, scale: 1e-300,
            };
            let gradient = gradient * 10_f64.powi(size);
            let standing = Standing { gradient, schur: schur * 10_f64.powi(schur_size), diagonal: 1.0 };
            if let Some(score) = view.score(standing) {
                // Of an infinite score every finite floor is a part.
                let floor = if score.is_finite() { near * score } else { near };
                prop_assert!(!view.is_below(floor, standing) || score < floor, "{score} and {floor}");
            }
        }
    }

    #[test]
    fn a_row_far_from_the_best_is_seen_to_be_below() {
        let view = |rank| View {
            coordinates: &[],
            changes: &[],
            lost: None,
            multiplier: 0.1,
            rank,
            rounding: 1e-9,
            column_error: 0.0,
            scale: 1.0,
        };
        let standing = Standing { gradient: 0.3, schur: 0.5, diagonal: 1.0 };
        assert!(view(Rank::Bound).is_below(0.041, standing) && !view(Rank::Bound).is_below(0.039, standing));
        assert!(view(Rank::Gradient).is_below(0.21, standing) && !view(Rank::Gradient).is_below(0.19, standing));
        assert!(!view(Rank::Alone).is_below(1.0, standing));
        // In the span of the prototypes the bound says nothing.
        assert!(!view(Rank::Bound).is_below(1.0, Standing { schur: 0.0, ..standing }));
    }
}
