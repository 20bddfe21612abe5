//! Parts of sentences for error messages.

use crate::kernel::BuiltInKernel;

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
