//! Flags for the number of prototypes, the method and the weights.

use protodash::{Choice, Means, Method, RequestedNumber, TargetEnergy, Weights};

use super::values::{below_one, factor, n_prototypes, not_negative, one_of, part};
use crate::error::Failure;

/// The number of prototypes when the caller gives none.
const DEFAULT_PROTOTYPES: usize = 10;

/// Number of prototypes, method and weights.
#[derive(Debug, Clone, PartialEq, clap::Args)]
#[command(next_help_heading = "Prototypes")]
pub(crate) struct SearchArgs {
    /// A number, `5%` of the source rows, or `all` [default: 10]
    ///
    /// `all` adds rows until none improves the fit.
    #[arg(short = 'm', long, value_name = "N", value_parser = n_prototypes, allow_negative_numbers = true)]
    n_prototypes: Option<RequestedNumber>,

    /// Stop when the next prototype adds less than X to the objective
    #[arg(long, value_name = "X", value_parser = not_negative, allow_hyphen_values = true)]
    pub(crate) min_gain: Option<f64>,

    /// Selection method
    #[arg(long, value_parser = one_of(Method::ALL), default_value = Method::ALL[0].1)]
    pub(crate) method: Method,

    /// How to weight rows [default: nonnegative; l2c: equal]
    #[arg(long, value_parser = one_of(Weights::ALL))]
    weights: Option<Weights>,

    /// Cap on each weight, as a share of the total
    #[arg(long, value_name = "SHARE", value_parser = part, allow_hyphen_values = true)]
    pub(crate) max_weight: Option<f64>,

    /// Smallest effective sample size (Σw)²/Σw² allowed
    #[arg(long, value_name = "X", value_parser = factor, allow_hyphen_values = true)]
    pub(crate) min_effective: Option<f64>,

    /// Select R×N rows, keep the N heaviest, refit weights
    #[arg(long, value_name = "R", default_value_t = 1.0, value_parser = factor, allow_hyphen_values = true)]
    pub(crate) oversample: f64,

    /// Target energy, needed for `explained` [default: exact]
    #[arg(long, value_parser = one_of(TargetEnergy::ALL), value_name = "HOW")]
    pub(crate) target_energy: Option<TargetEnergy>,

    /// How to compute the kernel means
    #[arg(long, value_parser = one_of(Means::ALL), value_name = "HOW", default_value = Means::ALL[0].1)]
    pub(crate) means: Means,

    /// Accept gradients within this fraction of the best
    #[arg(long, value_name = "X", default_value_t = 0.0, value_parser = below_one, allow_hyphen_values = true)]
    pub(crate) tolerance: f64,
}

impl SearchArgs {
    /// Rejects flags that cannot be valid for any file.
    pub(super) fn check(&self) -> Result<(), Failure> {
        if self.oversample > 1.0 && self.n_prototypes.is_none() && self.min_gain.is_some() {
            let message = "--oversample multiplies the number of prototypes, which --min-gain alone does not set";
            return Err(Failure::call(message, "add -m, or omit --oversample"));
        }
        let limit = self.max_weight.map(|_| "--max-weight").or(self.min_effective.map(|_| "--min-effective"));
        if let (Some(limit), Weights::Equal | Weights::Shares | Weights::Own) = (limit, self.weights()) {
            let message = format!("{limit} limits optimal weights, but --weights is {}", self.weights().name());
            return Err(Failure::call(message, "use --weights nonnegative or convex"));
        }
        Ok(())
    }

    /// How to weight the chosen rows.
    pub(crate) fn weights(&self) -> Weights {
        self.weights.unwrap_or_else(|| self.method.default_weights())
    }

    /// The number of prototypes to request from `n_source` rows; `None` leaves it to --min-gain.
    pub(crate) fn n_prototypes(&self, n_source: usize) -> Option<usize> {
        match (self.n_prototypes, self.min_gain) {
            (Some(number), _) => number.among(n_source),
            (None, Some(_)) => None,
            // Ten is only the default, so fewer rows are not an error.
            (None, None) => Some(DEFAULT_PROTOTYPES.min(n_source)),
        }
    }

    /// Whether neither a number nor a minimum gain was given.
    pub(crate) fn has_no_number(&self) -> bool {
        self.n_prototypes.is_none() && self.min_gain.is_none()
    }

    /// The number of prototypes as the caller gave it, if any.
    pub(crate) fn requested(&self) -> Option<RequestedNumber> {
        self.n_prototypes
    }

    /// The number of prototypes that the caller gave, if any, among `n_source` rows.
    pub(crate) fn named_number(&self, n_source: usize) -> Option<usize> {
        self.n_prototypes.and_then(|number| number.among(n_source))
    }
}
