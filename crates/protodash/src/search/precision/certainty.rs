//! How exactly the leader knows gradients and Schur complements.

use std::collections::HashMap;

use super::column_memory::ColumnMemory;
use super::error_growth::ErrorGrowth;
use super::survey::ScoreTie;
use crate::kernel_mean::{ApproximateMeans, Precision};
use crate::rows::Scalar;
use crate::search::protocol::{KeptColumns, RacePairs, ShardSummary};
use crate::search::prototypes::PrototypeSet;
use crate::search::rank::{Rank, Ranking};

/// Scores closer than this, relative to the largest possible slope of a row or at the first step to the score, count as equal.
const TIE: f64 = 1e-12;
/// Columns in f32 round Schur complements this much more coarsely than f64.
const SINGLE_TO_DOUBLE: f64 = 1e9;

/// Whether kernel means are exact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum MeanPrecision {
    /// In f64.
    Exact,
    /// Known in f32 only or by upper ends, unless corrected.
    ApproximateMeans {
        /// What the sum of a row's kernel column is divided by to give its kernel mean; `None` if the target is not the
        /// source.
        column_divisor: Option<f64>,
    },
}

impl MeanPrecision {
    pub(crate) fn of<T: Scalar>(rough: Option<&ApproximateMeans<'_, T>>) -> Self {
        let Some(rough) = rough else { return MeanPrecision::Exact };
        let divisor = if rough.target.weights.is_some() { 1.0 } else { rough.target.rows.n_rows() as f64 };
        MeanPrecision::ApproximateMeans { column_divisor: rough.is_source.then_some(divisor) }
    }
}

/// Error bounds of what the shards compute.
pub(crate) struct Certainty {
    pub(in crate::search) columns: KeptColumns,
    pub(in crate::search) memory: ColumnMemory,
    pub(super) means: MeanPrecision,
    /// What the means were before any was corrected.
    pub(super) given_means: MeanPrecision,
    /// The kernel means in f64 of the rows described so far; empty if all were exact from the start.
    pub(super) described_means: HashMap<usize, f64>,
    /// How many kernel means were corrected.
    pub(super) n_corrected: usize,
    /// Whether a Schur complement far below 0 is an error.
    pub(in crate::search) checks_definiteness: bool,
    /// Kernel values spent on upper ends; `None` if there are none.
    pub(super) race: Option<RacePairs>,
    /// See [`Ranking::tolerance`].
    pub(super) tolerance: f64,
    error_growth: ErrorGrowth,
    /// The largest |μⱼ|/√Kⱼⱼ of the source.
    scale: f64,
}

impl Certainty {
    /// The error bounds before the first step.
    pub(crate) fn new(shards: &[ShardSummary], columns: KeptColumns, memory: ColumnMemory, tolerance: f64) -> Self {
        let means = shards.first().map_or(MeanPrecision::Exact, |shard| shard.means);
        Certainty {
            columns,
            memory,
            means,
            given_means: means,
            described_means: HashMap::new(),
            n_corrected: 0,
            checks_definiteness: true,
            race: shards.first().and_then(|shard| shard.race),
            tolerance,
            error_growth: ErrorGrowth::default(),
            scale: shards.iter().map(|shard| shard.scale).fold(0.0, f64::max),
        }
    }

    /// Takes new prototypes into account; needed before ranking by [`Rank::GainBound`].
    pub(crate) fn update(&mut self, prototypes: &PrototypeSet) {
        if self.columns_are_rough() {
            self.error_growth.follow(prototypes.basis());
        }
    }

    /// How to score candidates by `rank` at the present weights.
    pub(crate) fn ranking(&self, rank: Rank, prototypes: &PrototypeSet) -> Ranking {
        let of_columns = if self.columns_are_rough() { self.error_growth.schur_error() } else { 0.0 };
        Ranking {
            rank,
            multiplier: prototypes.multiplier(),
            schur_error: prototypes.basis().rounding() + of_columns,
            column_error: self.column_error(prototypes),
            scale: self.scale,
            tolerance: self.tolerance,
            without: None,
        }
    }

    /// Scores that differ by less than this count as equal.
    pub(super) fn tie(&self, prototypes: &PrototypeSet) -> ScoreTie {
        if prototypes.len() == 0 { ScoreTie::OfScore(TIE) } else { ScoreTie::OfSlope(TIE) }
    }

    /// Whether the columns are kept in f32.
    pub(super) fn columns_are_rough(&self) -> bool {
        self.columns == KeptColumns::In(Precision::Single)
    }

    /// Whether everything is in f64.
    pub(crate) fn is_exact(&self) -> bool {
        self.means == MeanPrecision::Exact && !self.columns_are_rough()
    }

    /// How negative rounding can make a Schur complement, as a part of the diagonal.
    pub(crate) fn schur_tolerance(&self, prototypes: &PrototypeSet) -> f64 {
        if !self.checks_definiteness {
            return f64::INFINITY;
        }
        if self.columns_are_rough() { SINGLE_TO_DOUBLE * prototypes.basis().rounding() } else { 0.0 }
    }

    /// Error bound of gradients from rounding the columns to f32, as a part of the diagonal's root.
    ///
    /// # Formula
    ///
    /// ```text
    /// |Σₚ wₚ (Fₚₚ cⱼₚ εₚ)| ≤ 2⁻²⁴ √Kⱼⱼ Σₚ wₚ Fₚₚ
    /// ```
    ///
    /// A column is computed in f64 from the earlier ones as they are kept, so that K[:, p] = Σ_{q ≤ p} F_pq C[:, q] holds
    /// except for the rounding of the column itself: errors do not accumulate.
    fn column_error(&self, prototypes: &PrototypeSet) -> f64 {
        if !self.columns_are_rough() {
            return 0.0;
        }
        let parts = prototypes.weights().iter().enumerate().map(|(position, weight)| {
            let (entries, is_pivot) = prototypes.basis().row(position);
            // The column of a dependent prototype is bounded by the prototype itself.
            weight * if is_pivot { entries[position] } else { prototypes.diagonal(position).sqrt() }
        });
        // Twice 2⁻²⁴, a margin for what f64 rounds.
        f64::from(f32::EPSILON) * parts.sum::<f64>()
    }
}
