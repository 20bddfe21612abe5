//! How many prototypes each class gets, and why that may be impossible.

use thiserror::Error;

use super::{Allocation, ClassRows};
use crate::cross_validation::Labels;
use crate::error::{Error, Result};

/// Names that differ more than this are not suggested.
const ALIKE: f64 = 0.8;

/// Number of class names that an error lists.
const SHOWN: usize = 10;

/// How many prototypes each class gets.
///
/// # Examples
///
/// ```
/// use protodash::{Allocation, ClassNumbers};
///
/// assert_eq!(ClassNumbers::from(Allocation::Equal), ClassNumbers::Allocated(Allocation::Equal));
/// let given = ClassNumbers::Given(vec![(3, 10), (7, 5)]); // 10 of class 3, 5 of class 7, none of any other
/// assert_eq!(given.total(), Some(15));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ClassNumbers {
    /// A rule divides the total among the classes; each gets at least 1.
    Allocated(Allocation),
    /// These numbers of these classes; 0, like not naming a class, means none of it.
    Given(Vec<(usize, usize)>),
}

impl From<Allocation> for ClassNumbers {
    fn from(allocation: Allocation) -> Self {
        ClassNumbers::Allocated(allocation)
    }
}

impl ClassNumbers {
    /// Given numbers of classes known by name; `names[label]` is the name of a class.
    ///
    /// # Errors
    ///
    /// [`Error::ClassNumbers`] if no target row is of a class, if one is named twice, or if it has fewer source rows.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash::{ClassNumbers, Labels};
    ///
    /// let names = ["DE".to_owned(), "FR".to_owned()];
    /// let labels = Labels { target: &[0, 1, 1], source: &[0, 1, 1] };
    /// let numbers = ClassNumbers::by_name(&[("FR", 2)], &names, labels)?;
    /// assert_eq!(numbers, ClassNumbers::Given(vec![(1, 2)]));
    /// let error = ClassNumbers::by_name(&[("FRA", 2)], &names, labels).unwrap_err();
    /// assert_eq!(error.to_string(), "no target row is of class \"FRA\"; did you mean \"FR\"? The classes are DE, FR");
    /// # Ok::<(), protodash::Error>(())
    /// ```
    pub fn by_name(requests: &[(&str, usize)], names: &[String], labels: Labels<'_>) -> Result<Self> {
        let mut of_target = labels.target.to_vec();
        of_target.sort_unstable();
        of_target.dedup();
        let known: Vec<(usize, &str)> =
            of_target.into_iter().filter_map(|label| Some((label, names.get(label)?.as_str()))).collect();
        let n_source = |label: usize| labels.source.iter().filter(|other| **other == label).count();
        let with_rows = known.iter().map(|(label, name)| (*label, (*name).to_owned(), n_source(*label)));
        let with_rows: Vec<(usize, String, usize)> = with_rows.collect();
        let found = requests.iter().map(|(name, number)| {
            let place = known.iter().position(|(_, other)| other == name);
            (place.ok_or_else(|| (*name).to_owned()), *number)
        });
        Ok(ClassNumbers::Given(checked(found, &with_rows)?))
    }

    /// The number of prototypes of all classes together; `None` if the caller of the rule says it.
    ///
    /// # Examples
    ///
    /// See [`ClassNumbers`].
    pub fn total(&self) -> Option<usize> {
        match self {
            ClassNumbers::Allocated(_) => None,
            ClassNumbers::Given(numbers) => {
                Some(numbers.iter().fold(0, |sum, (_, number)| sum.saturating_add(*number)))
            }
        }
    }
}

/// The given number of each of these classes, 0 for those that are not named.
pub(super) fn given(numbers: &[(usize, usize)], classes: &[ClassRows]) -> Result<Vec<usize>> {
    let known: Vec<(usize, String, usize)> =
        classes.iter().map(|class| (class.label, class.label.to_string(), class.source_rows.len())).collect();
    let found = numbers.iter().map(|(label, number)| {
        let place = known.iter().position(|(other, ..)| other == label);
        (place.ok_or_else(|| label.to_string()), *number)
    });
    let checked = checked(found, &known)?;
    let number = |class: &ClassRows| checked.iter().find(|(label, _)| *label == class.label);
    Ok(classes.iter().map(|class| number(class).map_or(0, |(_, number)| *number)).collect())
}

/// Labels with their numbers, if the classes exist, each is named once, and they have as many source rows; `known` are labels
/// with their names and numbers of source rows.
fn checked(
    requests: impl Iterator<Item = (std::result::Result<usize, String>, usize)>,
    known: &[(usize, String, usize)],
) -> Result<Vec<(usize, usize)>> {
    let refused = |error| Err(Error::ClassNumbers(error));
    let mut numbers: Vec<(usize, usize)> = Vec::new();
    for (place, requested) in requests {
        let place = match place {
            Ok(place) => place,
            Err(class) => {
                let names: Vec<&str> = known.iter().map(|(_, name, _)| name.as_str()).collect();
                let (alike, known) = (alike(&class, &names), shown(&names));
                return refused(ClassNumberError::NoSuchClass { class, alike, known });
            }
        };
        let (label, name, available) = &known[place];
        if numbers.iter().any(|(other, _)| other == label) {
            return refused(ClassNumberError::Repeated { class: name.clone() });
        }
        if requested > *available {
            return refused(ClassNumberError::TooFewRows { class: name.clone(), requested, available: *available });
        }
        numbers.push((*label, requested));
    }
    Ok(numbers)
}

/// The most similar of the names, if it is similar enough.
fn alike(name: &str, names: &[&str]) -> Option<String> {
    let similarity = |other: &str| strsim::jaro_winkler(&name.to_lowercase(), &other.to_lowercase());
    let better = |best: &&str, other: &&str| similarity(best).total_cmp(&similarity(other));
    names.iter().copied().max_by(better).filter(|best| similarity(best) >= ALIKE).map(str::to_owned)
}

fn shown(names: &[&str]) -> String {
    let more = names.len().saturating_sub(SHOWN);
    let listed = names[..names.len() - more].join(", ");
    if more > 0 { format!("{listed} and {more} more") } else { listed }
}

/// Why classes cannot have the given numbers of prototypes.
///
/// # Examples
///
/// ```
/// use ndarray::array;
/// use protodash::{
///     ClassNumberError, ClassNumbers, Error, Labelled, Linear, Params, Unobserved, select_per_label,
/// };
///
/// let rows = array![[1.0], [2.0], [3.0]];
/// let labelled = Labelled { rows: &rows, labels: &[0, 0, 1] };
/// let numbers = ClassNumbers::Given(vec![(1, 2)]);
/// let error = select_per_label(labelled, labelled, &Linear, &Params::new(2), &numbers, &mut Unobserved).unwrap_err();
/// let expected = ClassNumberError::TooFewRows { class: "1".to_owned(), requested: 2, available: 1 };
/// assert_eq!(error, Error::ClassNumbers(expected));
/// assert_eq!(error.to_string(), "class \"1\": 2 prototypes requested, but it has only 1 source row");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ClassNumberError {
    /// No target row is of a class.
    #[error("no target row is of class {class:?}{} The classes are {known}", suggested(alike.as_deref()))]
    NoSuchClass {
        /// The class.
        class: String,
        /// The most similar class.
        alike: Option<String>,
        /// The classes, or some of them.
        known: String,
    },

    /// A class has two numbers.
    #[error("class {class:?} is listed twice")]
    Repeated {
        /// The class.
        class: String,
    },

    /// A class has fewer source rows than prototypes.
    #[error("class {class:?}: {} requested, but it has only {}", crate::words::n_of(*requested, "prototype"), crate::words::n_of(*available, "source row"))]
    TooFewRows {
        /// The class.
        class: String,
        /// The number requested.
        requested: usize,
        /// Its number of source rows.
        available: usize,
    },

    /// The number of prototypes is not the sum of the numbers of the classes.
    #[error("n_prototypes is {n_prototypes}, but the numbers of the classes add up to {total}; omit one of them")]
    Contradiction {
        /// The number of prototypes.
        n_prototypes: usize,
        /// The sum.
        total: usize,
    },
}

fn suggested(alike: Option<&str>) -> String {
    alike.map_or_else(|| ".".to_owned(), |alike| format!("; did you mean {alike:?}?"))
}
