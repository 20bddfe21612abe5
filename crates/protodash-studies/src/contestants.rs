//! The contestants: the paper's methods, ours, and both readings of L2C.

use protodash::Method;

use crate::methods::{METHODS, name};

/// The data that a method represents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SelectionBasis {
    /// The target.
    Target,
    /// The source alone: the selection is the same for every target.
    Source,
}

/// A method under its name in the figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Contestant {
    pub(crate) name: &'static str,
    pub(crate) method: Method,
    pub(crate) basis: SelectionBasis,
}

/// All contestants, in the order of the figures.
///
/// In the paper L2C and K-Medoids "pick a set that is independent of the target digit": they are given the source. L2C
/// can also be given the kernel mean of another data set, which is ProtoGreedy with equal weights; that is shown too.
pub(crate) fn contestants() -> Vec<Contestant> {
    METHODS.into_iter().flat_map(|method| of_method(method).iter().map(move |basis| named(method, *basis))).collect()
}

/// The contestant of this name.
pub(crate) fn contestant(name: &str) -> Option<Contestant> {
    contestants().into_iter().find(|contestant| contestant.name == name)
}

/// The contestants of these names.
pub(crate) fn contestants_named(names: &[&str]) -> Vec<Contestant> {
    contestants().into_iter().filter(|contestant| names.contains(&contestant.name)).collect()
}

fn of_method(method: Method) -> &'static [SelectionBasis] {
    match method {
        Method::KMedoids => &[SelectionBasis::Source],
        Method::L2c => &[SelectionBasis::Source, SelectionBasis::Target],
        _ => &[SelectionBasis::Target],
    }
}

fn named(method: Method, basis: SelectionBasis) -> Contestant {
    let name = if (method, basis) == (Method::L2c, SelectionBasis::Target) { "L2C on target" } else { name(method) };
    Contestant { name, method, basis }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_method_competes_and_l2c_twice() {
        let names: Vec<&str> = contestants().iter().map(|contestant| contestant.name).collect();
        let expected = ["ProtoDash", "ProtoGreedy", "Swap", "L2C", "L2C on target", "P-Lasso", "K-Medoids", "RandomW"];
        assert_eq!(names, expected);
        let alone: Vec<&str> =
            contestants().iter().filter(|one| one.basis == SelectionBasis::Source).map(|one| one.name).collect();
        assert_eq!(alone, ["L2C", "K-Medoids"]);
    }
}
