//! How accurately the leader knows gradients and Schur complements.

use std::collections::HashMap;

use super::column_memory::ColumnMemory;
use super::error_growth::ErrorGrowth;
use super::outlook::RaceOutlook;
use super::survey::ScoreTie;
use crate::kernel_mean::{ApproximateMeans, Precision};
use crate::rows::Scalar;
use crate::search::protocol::{ColumnStorage, RacePairs, ShardSummary};
use crate::search::prototypes::PrototypeSet;
use crate::search::rank::{Rank, Ranking};

/// Scores closer than this count as equal, relative to the score at the first step, later to a row's largest possible slope.
const TIE: f64 = 1e-12;
/// Factor by which columns in f32 make the rounding errors of Schur complements larger than in f64.
const SINGLE_TO_DOUBLE: f64 = 1e9;

/// Whether kernel means are exact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum MeanPrecision {
    /// In f64.
    Exact,
    /// In f32 or upper bounds, unless corrected.
    Approximate {
        /// What the sum of a row's kernel column is divided by to give its kernel mean; `None` if the target is not the
        /// source.
        column_divisor: Option<f64>,
    },
}

impl MeanPrecision {
    pub(crate) fn of<T: Scalar>(approximate: Option<&ApproximateMeans<'_, T>>) -> Self {
        let Some(approximate) = approximate else { return MeanPrecision::Exact };
        let divisor = if approximate.target.weights.is_some() { 1.0 } else { approximate.target.rows.n_rows() as f64 };
        MeanPrecision::Approximate { column_divisor: approximate.is_source.then_some(divisor) }
    }
}

/// Error bounds of what the shards compute.
pub(crate) struct Certainty {
    pub(in crate::search) columns: ColumnStorage,
    pub(in crate::search) memory: ColumnMemory,
    pub(super) means: MeanPrecision,
    /// The precision of the means before any was corrected.
    pub(super) given_means: MeanPrecision,
    /// The kernel means in f64 of the rows described so far; empty if all were exact from the start.
    pub(super) described_means: HashMap<usize, f64>,
    /// Number of corrected kernel means.
    pub(super) n_corrected: usize,
    /// Whether a Schur complement far below 0 is an error.
    pub(in crate::search) checks_definiteness: bool,
    /// Kernel values spent on a race; `None` without one.
    pub(super) race: Option<RacePairs>,
    /// Whether all means have been computed, after a race or without one.
    pub(super) race_ended: bool,
    pub(super) outlook: RaceOutlook,
    /// See [`Ranking::tolerance`].
    pub(super) tolerance: f64,
    /// See [`Ranking::per_cost`].
    pub(crate) per_cost: bool,
    error_growth: ErrorGrowth,
    /// The largest |μⱼ|/√Kⱼⱼ of the source.
    scale: f64,
}

impl Certainty {
    /// The error bounds before the first step.
    pub(crate) fn new(shards: &[ShardSummary], columns: ColumnStorage, memory: ColumnMemory, tolerance: f64) -> Self {
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
            race_ended: false,
            outlook: RaceOutlook::default(),
            tolerance,
            per_cost: false,
            error_growth: ErrorGrowth::default(),
            scale: shards.iter().map(|shard| shard.scale).fold(0.0, f64::max),
        }
    }

    /// Takes new prototypes into account; needed before ranking by [`Rank::GainBound`].
    pub(crate) fn update(&mut self, prototypes: &PrototypeSet) {
        if self.columns_are_f32() {
            self.error_growth.update(prototypes.basis());
        }
    }

    /// How to score candidates by `rank` at the current weights.
    pub(crate) fn ranking(&self, rank: Rank, prototypes: &PrototypeSet) -> Ranking {
        let column_error = if self.columns_are_f32() { self.error_growth.schur_error() } else { 0.0 };
        Ranking {
            rank,
            multiplier: prototypes.multiplier(),
            schur_error: prototypes.basis().rounding() + column_error,
            column_error: self.column_error(prototypes),
            scale: self.scale,
            tolerance: self.tolerance,
            per_cost: self.per_cost,
            without: None,
        }
    }

    /// Scores that differ by less than this count as equal.
    pub(super) fn tie(&self, prototypes: &PrototypeSet) -> ScoreTie {
        if prototypes.len() == 0 || self.per_cost { ScoreTie::OfScore(TIE) } else { ScoreTie::OfSlope(TIE) }
    }

    /// Whether the columns are stored in f32.
    pub(super) fn columns_are_f32(&self) -> bool {
        self.columns == ColumnStorage::In(Precision::Single)
    }

    /// Whether everything is in f64.
    pub(crate) fn is_exact(&self) -> bool {
        self.means == MeanPrecision::Exact && !self.columns_are_f32()
    }

    /// How negative rounding can make a Schur complement, as a fraction of the diagonal.
    pub(crate) fn schur_tolerance(&self, prototypes: &PrototypeSet) -> f64 {
        if !self.checks_definiteness {
            return f64::INFINITY;
        }
        if self.columns_are_f32() { SINGLE_TO_DOUBLE * prototypes.basis().rounding() } else { 0.0 }
    }

    /// Error bound of gradients from rounding the columns to f32, as a fraction of the root of the diagonal.
    ///
    /// # Formula
    ///
    /// ```text
    /// |Σₚ wₚ (Fₚₚ cⱼₚ εₚ)| ≤ 2⁻²⁴ √Kⱼⱼ Σₚ wₚ Fₚₚ
    /// ```
    ///
    /// A column is computed in f64 from the earlier ones as stored, so that K[:, p] = Σ_{q ≤ p} F_pq C[:, q] holds except
    /// for the rounding of the column itself: errors do not accumulate.
    fn column_error(&self, prototypes: &PrototypeSet) -> f64 {
        if !self.columns_are_f32() {
            return 0.0;
        }
        let parts = prototypes.weights().iter().enumerate().map(|(position, weight)| {
            let (entries, is_pivot) = prototypes.basis().row(position);
            // The column of a dependent prototype is bounded by the prototype itself.
            weight * if is_pivot { entries[position] } else { prototypes.diagonal(position).sqrt() }
        });
        // Twice 2⁻²⁴, as a margin for rounding in f64.
        f64::from(f32::EPSILON) * parts.sum::<f64>()
    }
}
