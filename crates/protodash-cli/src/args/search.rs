//! How many prototypes, by which method, with which weights.

use clap::ValueEnum;

use super::values::{NPrototypes, factor, not_negative};
use crate::error::Failure;

/// The number of prototypes when the caller gives none.
const DEFAULT_PROTOTYPES: usize = 10;
/// Target rows in a sample that estimates the target's energy.
const ENERGY_SAMPLE: usize = 2000;

/// How many prototypes, by which method, with which weights.
#[derive(Debug, Clone, PartialEq, clap::Args)]
#[command(next_help_heading = "Prototypes")]
pub(crate) struct Search {
    /// Number of prototypes, or `all` [default: 10]
    ///
    /// `all` adds rows until none improves the fit.
    #[arg(short = 'm', long, value_name = "N", allow_negative_numbers = true)]
    n_prototypes: Option<NPrototypes>,

    /// Stop when the next prototype adds less than X to the objective
    #[arg(long, value_name = "X", value_parser = not_negative, allow_hyphen_values = true)]
    pub(crate) min_gain: Option<f64>,

    /// Selection method
    #[arg(long, value_enum, default_value_t)]
    pub(crate) method: Method,

    /// How to weight the chosen rows [default: nonnegative; equal for l2c]
    #[arg(long, value_enum)]
    weights: Option<Weights>,

    /// Select R×N rows, keep the N heaviest, refit their weights
    #[arg(long, value_name = "R", default_value_t = 1.0, value_parser = factor, allow_hyphen_values = true)]
    pub(crate) oversample: f64,

    /// Target energy, which `explained` needs [default: exact]
    #[arg(long, value_enum, value_name = "HOW")]
    pub(crate) target_energy: Option<TargetEnergy>,
}

impl Search {
    /// Rejects calls that are wrong whatever the files contain.
    pub(super) fn check(&self) -> Result<(), Failure> {
        if self.oversample > 1.0 && self.n_prototypes.is_none() && self.min_gain.is_some() {
            let message = "--oversample multiplies the number of prototypes, and --min-gain alone does not give one";
            return Err(Failure::call(message, "add -m, or omit --oversample"));
        }
        Ok(())
    }

    /// How to weight the chosen rows.
    pub(crate) fn weights(&self) -> Weights {
        self.weights.unwrap_or_else(|| self.method.default_weights())
    }

    /// The number of prototypes to ask for with `n_source` rows; `None` leaves it to --min-gain.
    pub(crate) fn n_prototypes(&self, n_source: usize) -> Option<usize> {
        match (self.n_prototypes, self.min_gain) {
            (Some(NPrototypes::Exactly(number)), _) => Some(number),
            (Some(NPrototypes::All), _) | (None, Some(_)) => None,
            // The caller did not ask for ten: fewer rows are not an error.
            (None, None) => Some(DEFAULT_PROTOTYPES.min(n_source)),
        }
    }

    /// The number of prototypes that the caller gave, if any.
    pub(crate) fn named_number(&self) -> Option<usize> {
        match self.n_prototypes {
            Some(NPrototypes::Exactly(number)) => Some(number),
            Some(NPrototypes::All) | None => None,
        }
    }

    /// How to compute the target's energy.
    pub(crate) fn target_energy(&self, seed: u64) -> protodash::TargetEnergy {
        self.target_energy.unwrap_or_default().with_seed(seed)
    }
}

/// Selection methods.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Method {
    /// Row with the largest gradient (Algorithm 2)
    #[default]
    Protodash,
    /// Row with the largest gain (Algorithm 1); same cost
    Protogreedy,
    /// Best of the greedy methods, improved by swaps; slowest
    Swap,
    /// Largest gain under equal weights (MMD-critic)
    L2c,
    /// The N rows with non-zero weight on the lasso path
    PLasso,
    /// Smallest total distance to the medoids (FasterPAM)
    KMedoids,
    /// Random sample, as a baseline
    Random,
}

impl Method {
    fn default_weights(self) -> Weights {
        match self {
            Method::L2c => Weights::Equal,
            _ => Weights::Nonnegative,
        }
    }
}

impl From<Method> for protodash::Method {
    fn from(method: Method) -> Self {
        match method {
            Method::Protodash => protodash::Method::ProtoDash,
            Method::Protogreedy => protodash::Method::ProtoGreedy,
            Method::Swap => protodash::Method::Swap,
            Method::L2c => protodash::Method::L2c,
            Method::PLasso => protodash::Method::PLasso,
            Method::KMedoids => protodash::Method::KMedoids,
            Method::Random => protodash::Method::Random,
        }
    }
}

/// How to weight the chosen rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Weights {
    /// Optimal non-negative weights
    #[default]
    Nonnegative,
    /// Optimal non-negative weights that sum to 1
    Convex,
    /// Equal weights
    Equal,
    /// Fraction of target rows nearest to each prototype
    Shares,
    /// The method's own: equal, lasso or cluster weights
    Own,
}

impl From<Weights> for protodash::Weights {
    fn from(weights: Weights) -> Self {
        match weights {
            Weights::Nonnegative => protodash::Weights::Nonnegative,
            Weights::Convex => protodash::Weights::Convex,
            Weights::Equal => protodash::Weights::Equal,
            Weights::Shares => protodash::Weights::Shares,
            Weights::Own => protodash::Weights::Own,
        }
    }
}

/// How to compute the target's energy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum TargetEnergy {
    /// From all target rows
    #[default]
    Exact,
    /// From a random sample of 2000 target rows
    Sample,
    /// Not at all; `explained` is then unknown
    Skip,
}

impl TargetEnergy {
    /// The core's setting, with this seed for samples.
    pub(crate) fn with_seed(self, seed: u64) -> protodash::TargetEnergy {
        match self {
            TargetEnergy::Exact => protodash::TargetEnergy::Exact,
            TargetEnergy::Sample => protodash::TargetEnergy::Sample { n_rows: ENERGY_SAMPLE, seed },
            TargetEnergy::Skip => protodash::TargetEnergy::Skip,
        }
    }
}
