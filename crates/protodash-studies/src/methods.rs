//! The methods that take part, by the names of the paper.

use protodash::Method;

/// All of them, in the order in which figures show them.
pub(crate) const METHODS: [Method; 7] = [
    Method::ProtoDash,
    Method::ProtoGreedy,
    Method::Swap,
    Method::L2c,
    Method::PLasso,
    Method::KMedoids,
    Method::Random,
];

/// The paper's name of a method, or ours for the one that is ours.
pub(crate) fn name(method: Method) -> &'static str {
    match method {
        Method::ProtoDash => "ProtoDash",
        Method::ProtoGreedy => "ProtoGreedy",
        Method::Swap => "Swap",
        Method::L2c => "L2C",
        Method::PLasso => "P-Lasso",
        Method::KMedoids => "K-Medoids",
        Method::Random => "RandomW",
        _ => "another method",
    }
}
