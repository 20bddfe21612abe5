//! What to try after an error of the core.

use protodash::weights::LimitError;
use protodash::{Choice, ConstraintError, Error, MatrixProblem, Method, SparseError};
use protodash_table::{Hint, HintPart, Scaling, Setting, hint};

/// Returns what to try after an error of the core, in settings that each front end writes in its own way.
///
/// # Examples
///
/// ```
/// use protodash_report::core_hint;
/// use protodash_table::Setting;
///
/// let hint = core_hint(&protodash::Error::TooManyPrototypes { requested: 9, available: 5 }).unwrap();
/// let in_python = |setting: &Setting| match setting {
///     Setting::NPrototypes(Some(number)) => Some(format!("n_prototypes={number}")),
///     _ => None,
/// };
/// assert_eq!(hint.render(in_python).unwrap(), "use n_prototypes=5 or fewer");
/// assert_eq!(core_hint(&protodash::Error::Cancelled), None);
/// ```
#[must_use]
pub fn core_hint(error: &Error) -> Option<Hint> {
    let standard = || Setting::Scale(Some(Scaling::Standard));
    let rank = || Setting::Scale(Some(Scaling::Rank));
    Some(match error {
        Error::TooManyPrototypes { available: 1, .. } => hint!(["use ", Setting::NPrototypes(Some(1))]),
        Error::TooManyPrototypes { available, .. } => {
            hint!(["use ", Setting::NPrototypes(Some(*available)), " or fewer"])
        }
        Error::Limits(limits) => return limit_hint(limits),
        Error::Constraint(constraint) => return constraint_hint(constraint),
        Error::NumberOfMedoidsNeeded => {
            hint!(["set the number with ", Setting::NPrototypes(None)], ["use another ", Setting::Method(None)])
        }
        Error::FewerPrototypesThanClasses { classes, .. } => {
            hint!(["use ", Setting::NPrototypes(Some(*classes)), " or more"], ["omit ", Setting::PerLabel])
        }
        Error::Sparse(SparseError::Kernel { .. }) => hint!(
            ["use ", Setting::Kernel(Some("inverse-multiquadric")), " or ", Setting::Kernel(Some("cosine"))],
            ["convert the rows to a file with columns, such as .npy"],
        ),
        Error::NoClusterMeans { .. } => hint!(["use ", Setting::Method(Some(Method::KMedoids.name()))]),
        Error::DistanceOverflow => hint!(["use ", standard(), " or ", rank()]),
        Error::FewerRowsThanFolds { .. } => hint!(["use ", Setting::Bandwidth(Some("auto")), " or a number"]),
        Error::UnreachableNumber { below, above, .. } => {
            let numbers = below.iter().chain([above]).map(|number| Setting::NPrototypes(Some(*number)));
            let separated = numbers.enumerate().flat_map(|(place, number)| {
                [HintPart::from(if place == 0 { "use " } else { " or " }), HintPart::from(number)]
            });
            Hint::new(vec![separated.collect(), vec!["another ".into(), Setting::Method(None).into()]])
        }
        Error::NoDistance { .. } => {
            hint!(["use ", Setting::Bandwidth(Some("1")), ": if all rows are equal, the bandwidth has no effect"])
        }
        Error::ExtremeDistances { .. } => {
            hint!(["change the unit of the values"], ["use ", standard(), " or ", rank()],)
        }
        Error::KernelNotFinite { .. } => hint!(
            ["the values are too large for this kernel; use ", standard(), " or ", rank()],
            ["another ", Setting::Kernel(None)],
        ),
        Error::KernelMatrix { problem: MatrixProblem::NotSquare { .. }, .. } => hint!([
            "with ",
            Setting::Kernel(Some("precomputed")),
            ", the source must be an n x n matrix of similarities; without it, the source is the data",
        ]),
        Error::KernelMatrix {
            problem: MatrixProblem::NotSymmetric { .. } | MatrixProblem::NotPositiveSemidefinite { .. },
            ..
        }
        | Error::NegativeDiagonal { .. }
        | Error::NegativeSchurComplement { .. } => {
            hint!(["a kernel matrix contains similarities, such as exp(-distance^2), not distances"])
        }
        Error::KernelMatrix { problem: MatrixProblem::Columns { .. }, .. } => {
            hint!([Setting::Target, " must have one row per target row and one column per source row"])
        }
        Error::NothingToRepresent { .. } => hint!([
            "the linear kernel sees only the mean, which ",
            standard(),
            " makes 0; use another ",
            Setting::Kernel(None),
            " or ",
            Setting::Scale(None),
        ]),
        _ => return None,
    })
}

fn limit_hint(error: &LimitError) -> Option<Hint> {
    let more = || [HintPart::from("choose more prototypes with "), Setting::NPrototypes(None).into()].to_vec();
    Some(match error {
        LimitError::CapTooLow { .. } => Hint::new(vec![vec!["raise ".into(), Setting::MaxWeight.into()], more()]),
        LimitError::EffectiveTooHigh { .. } => {
            Hint::new(vec![vec!["lower ".into(), Setting::MinEffective.into()], more()])
        }
        LimitError::PerLabel => {
            hint!(["omit ", Setting::PerLabel], [Setting::MaxWeight, " and ", Setting::MinEffective])
        }
        _ => return None,
    })
}

fn constraint_hint(error: &ConstraintError) -> Option<Hint> {
    Some(match error {
        ConstraintError::Method { .. } => hint!(
            ["use ", Setting::Method(Some(Method::ProtoDash.name()))],
            [Setting::Method(Some(Method::ProtoGreedy.name()))],
            [Setting::Method(Some(Method::Random.name()))],
        ),
        ConstraintError::TooFewRows { available, .. } => {
            hint!(["use ", Setting::AtLeast, format!(" with {available} or fewer")])
        }
        ConstraintError::TooManyRows { needed, .. } => {
            hint!(["use ", Setting::NPrototypes(Some(*needed)), " or more"], ["smaller minima"])
        }
        ConstraintError::Budget { cost, .. } => {
            hint!(["use ", Setting::Budget(Some(cost.to_string())), " or more"])
        }
        _ => return None,
    })
}
