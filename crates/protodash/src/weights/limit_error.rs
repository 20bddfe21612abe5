//! Limits on the weights that cannot be met.

use crate::words::n_of;

/// Why limits on the weights cannot be met.
///
/// # Examples
///
/// ```
/// use protodash::weights::LimitError;
///
/// let error = LimitError::EffectiveTooHigh { min_effective: 5.0, members: 4 };
/// assert_eq!(
///     error.to_string(),
///     "min_effective is 5, but 4 prototypes cannot have an effective sample size above 4"
/// );
/// ```
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LimitError {
    /// A cap on the weights is too low for the number of prototypes.
    #[error(
        "max_weight is {max_weight}, which is too low for {}, whose shares of the total must add up to 1; it must be \
         at least {}", n_of(*members, "prototype"), 1.0 / *members as f64
    )]
    CapTooLow {
        /// The cap given.
        max_weight: f64,
        /// Number of prototypes.
        members: usize,
    },

    /// A floor on the effective sample size is above the number of prototypes.
    #[error(
        "min_effective is {min_effective}, but {} cannot have an effective sample size above {members}",
        n_of(*members, "prototype")
    )]
    EffectiveTooHigh {
        /// The floor given.
        min_effective: f64,
        /// Number of prototypes.
        members: usize,
    },

    /// Limits on weights that are not optimised.
    #[error(
        "max_weight and min_effective limit optimal weights, nonnegative or convex; {weights} weights have no limits"
    )]
    NotOptimised {
        /// The rule for weights.
        weights: &'static str,
    },

    /// Limits on weights in a selection for each class.
    #[error("max_weight and min_effective cannot be combined with prototypes per label")]
    PerLabel,
}
