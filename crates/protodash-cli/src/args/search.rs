//! How many prototypes are chosen and by which rule, and which criticisms are looked for.

use clap::ValueEnum;

use super::values::{NPrototypes, factor, not_negative};
use crate::error::Failure;

/// How many prototypes there are without a wish of the caller's.
const DEFAULT_PROTOTYPES: usize = 10;
/// Target rows of which an estimate of the target's energy is made.
const ENERGY_SAMPLE: usize = 2000;

/// How many prototypes, by which method, weighted how.
#[derive(Debug, Clone, PartialEq, clap::Args)]
#[command(next_help_heading = "Prototypes")]
pub(crate) struct Search {
    /// How many prototypes to choose, or `all` that help [default: 10, unless --min-gain is given]
    ///
    /// `all` goes on until no other row would raise the objective. The weights are then the best over all rows of the
    /// source: those with which it looks most like the target (see --shift).
    #[arg(short = 'm', long, value_name = "N|all", allow_negative_numbers = true)]
    n_prototypes: Option<NPrototypes>,

    /// Stop when one more prototype would raise the objective by less than this
    ///
    /// Alone, without -m, it decides the number of prototypes.
    #[arg(long, value_name = "X", value_parser = not_negative, allow_hyphen_values = true)]
    pub(crate) min_gain: Option<f64>,

    /// How prototypes are chosen
    #[arg(long, value_enum, default_value_t)]
    pub(crate) method: Method,

    /// How the chosen rows are weighted [default: equal for l2c, which is defined by them, otherwise nonnegative]
    #[arg(long, value_enum)]
    weights: Option<Weights>,

    /// Choose R times as many rows, keep the heaviest and weigh these again; at least 1
    ///
    /// The heaviest by the weights asked for, or by nonnegative ones where these are equal. It needs -m.
    #[arg(long, value_name = "R", default_value_t = 1.0, value_parser = factor, allow_hyphen_values = true)]
    pub(crate) oversample: f64,

    /// How much of the target the prototypes explain: worked out in full, estimated, or left unknown [default: exact]
    ///
    /// It costs a comparison of all target rows with each other, and nothing if they are the source rows. It changes
    /// no prototype and no weight.
    #[arg(long, value_enum, value_name = "HOW")]
    pub(crate) target_energy: Option<TargetEnergy>,
}

impl Search {
    /// Refuses what is wrong whatever the files hold.
    pub(super) fn check(&self) -> Result<(), Failure> {
        if self.oversample > 1.0 && self.n_prototypes.is_none() && self.min_gain.is_some() {
            let message = "--oversample multiplies the number of prototypes, and --min-gain alone does not give one";
            return Err(Failure::call(message, "give -m too, or leave --oversample out"));
        }
        Ok(())
    }

    /// How the chosen rows are weighted.
    pub(crate) fn weights(&self) -> Weights {
        self.weights.unwrap_or_else(|| self.method.usual_weights())
    }

    /// The number of prototypes to ask for when there are `n_source` rows; `None` leaves it to --min-gain.
    pub(crate) fn n_prototypes(&self, n_source: usize) -> Option<usize> {
        match (self.n_prototypes, self.min_gain) {
            (Some(NPrototypes::Exactly(number)), _) => Some(number),
            (Some(NPrototypes::All), _) | (None, Some(_)) => None,
            // Ten is our wish, not the caller's: fewer rows are no mistake.
            (None, None) => Some(DEFAULT_PROTOTYPES.min(n_source)),
        }
    }

    /// The number of prototypes that the caller named, if any.
    pub(crate) fn named_number(&self) -> Option<usize> {
        match self.n_prototypes {
            Some(NPrototypes::Exactly(number)) => Some(number),
            Some(NPrototypes::All) | None => None,
        }
    }

    /// What is to be known of the target's own energy.
    pub(crate) fn target_energy(&self, seed: u64) -> protodash::TargetEnergy {
        self.target_energy.unwrap_or_default().of(seed)
    }
}

/// How prototypes are chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Method {
    /// The row with the largest gain, then the steepest rise at every step: Algorithm 2 of the paper
    #[default]
    Protodash,
    /// The row with the largest gain at every step: Algorithm 1, exactly, at about the same price
    Protogreedy,
    /// Exchanges of one row for another until none gains, from the rows of protogreedy, protodash and l2c: best and slowest
    Swap,
    /// The row that makes the objective with equal weights largest at every step: MMD-critic, the paper's L2C
    L2c,
    /// The rows that have a weight in the lasso when as many have one as are wanted
    PLasso,
    /// The rows with the smallest sum of distances from all source rows to the nearest of them
    KMedoids,
    /// Rows drawn by --seed, as something to compare with
    Random,
}

impl Method {
    /// The weights that go with it when none are asked for.
    fn usual_weights(self) -> Weights {
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

/// How the chosen rows are weighted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Weights {
    /// The best that are not negative
    #[default]
    Nonnegative,
    /// The best that are not negative and sum to 1
    Convex,
    /// All the same
    Equal,
    /// For each the part of the target rows that it is nearest to
    Shares,
    /// Those that belong to the method: all the same for l2c, the lasso's own for p-lasso, the
    /// clusters' shares for k-medoids, otherwise the best
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

/// How the target's own energy is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum TargetEnergy {
    /// From all target rows
    #[default]
    Exact,
    /// From 2000 target rows drawn by --seed, with the standard error; from all if there are no more
    Sample,
    /// Not at all
    Skip,
}

impl TargetEnergy {
    /// The same for the core, samples drawn by `seed`.
    pub(crate) fn of(self, seed: u64) -> protodash::TargetEnergy {
        match self {
            TargetEnergy::Exact => protodash::TargetEnergy::Exact,
            TargetEnergy::Sample => protodash::TargetEnergy::Sample { n_rows: ENERGY_SAMPLE, seed },
            TargetEnergy::Skip => protodash::TargetEnergy::Skip,
        }
    }
}

/// What "badly represented" means, and whose rows are searched.
#[derive(Debug, Clone, PartialEq, clap::Args)]
#[command(next_help_heading = "Criticisms")]
pub(crate) struct Criticisms {
    /// What makes a row badly represented
    #[arg(long = "criticism", value_enum, value_name = "DEFINITION", default_value_t)]
    pub(crate) definition: CriticismName,

    /// How much witness criticisms are kept apart from one another; 0 ranks them by the score alone [default: 1]
    #[arg(long, value_name = "X", value_parser = not_negative, allow_hyphen_values = true)]
    diversity: Option<f64>,

    /// Whose rows are searched for criticisms
    #[arg(long = "criticize-among", value_enum, value_name = "WHOSE", default_value_t)]
    pub(crate) among: Among,
}

impl Criticisms {
    /// Refuses a diversity that the definition does not have.
    pub(super) fn check(&self) -> Result<(), Failure> {
        if self.diversity.is_some() && self.definition == CriticismName::Distance {
            let message = "--diversity belongs to --criticism witness, and the definition is distance";
            return Err(Failure::call(message, "leave --diversity out, or give --criticism witness"));
        }
        Ok(())
    }

    /// How much witness criticisms are kept apart.
    pub(crate) fn diversity(&self) -> f64 {
        self.diversity.unwrap_or(1.0)
    }

    /// Whether anything but the defaults was asked for.
    pub(super) fn is_default(&self) -> bool {
        self.definition == CriticismName::default() && self.diversity.is_none() && self.among == Among::default()
    }
}

/// What makes a row badly represented.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum CriticismName {
    /// The prototypes' weights there are too high or too low for how many rows there are (Kim et al. 2016)
    #[default]
    Witness,
    /// It is far from the nearest prototype
    Distance,
}

/// Whose rows are searched for criticisms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Among {
    /// The rows that could have been chosen
    #[default]
    Source,
    /// The rows that were to be represented
    Target,
}
