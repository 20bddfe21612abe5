//! Parts of sentences for error messages.

use crate::error::Error;
use crate::kernel::BuiltInKernel;

impl Error {
    /// What [`Error::NothingToRepresent`] says about its table.
    pub const NOTHING_TO_REPRESENT: &'static str = "under this kernel the mean is 0, so there is nothing to represent";

    /// The message with the name of the class or table that it concerns instead of its number; [`Display`] if it
    /// concerns none.
    ///
    /// [`Display`]: std::fmt::Display
    ///
    /// # Examples
    ///
    /// ```
    /// let error = protodash::Error::ClassWithoutSource { label: 2, n_target: 1 };
    /// assert_eq!(error.to_string(), "class 2 has 1 target row and no source row to represent it");
    /// assert_eq!(error.with_name("cat"), "class \"cat\" has 1 target row and no source row to represent it");
    /// ```
    #[must_use]
    pub fn with_name(&self, name: &str) -> String {
        match self {
            Error::ClassWithoutSource { n_target, .. } => class_without_source(&format!("{name:?}"), *n_target),
            Error::NothingToRepresent { .. } => format!("{name}: {}", Error::NOTHING_TO_REPRESENT),
            other => other.to_string(),
        }
    }
}

/// What is wrong with a class that only the target has.
pub(crate) fn class_without_source(class: &str, n_target: usize) -> String {
    format!("class {class} has {} and no source row to represent {}", n_of(n_target, "target row"), them(n_target))
}

/// What to say after an unknown kernel: the one that was probably meant, or all names.
pub(crate) fn kernel_names(alike: Option<&'static str>) -> String {
    match alike {
        Some(name) => format!("did you mean {name:?}?"),
        None => {
            let names: Vec<&str> = BuiltInKernel::DEFINITIONS.iter().map(|definition| definition.name).collect();
            format!("known kernels are {}", names.join(", "))
        }
    }
}

/// A number with its noun: "1 row", "2 rows".
pub(crate) fn n_of(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// The pronoun for so many things.
pub(crate) fn them(number: usize) -> &'static str {
    if number == 1 { "it" } else { "them" }
}

/// "there is 1 row", "there are 2 rows".
pub(crate) fn there_are(number: usize, noun: &str) -> String {
    format!("there {} {}", if number == 1 { "is" } else { "are" }, n_of(number, noun))
}

/// The numbers of prototypes next to one that is impossible.
pub(crate) fn nearest_numbers(below: Option<usize>, above: usize) -> String {
    match below {
        Some(below) => format!("the closest possible numbers are {below} and {above}"),
        None => format!("the smallest possible number is {above}"),
    }
}
