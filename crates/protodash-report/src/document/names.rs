//! The words that the format uses for the core's options.

use protodash::{Method, Stopped, Weights};

/// The name of a method, as `--method` and the JSON spell it.
#[must_use]
pub fn method_name(method: Method) -> &'static str {
    match method {
        Method::ProtoDash => "protodash",
        Method::ProtoGreedy => "protogreedy",
        Method::Swap => "swap",
        Method::L2c => "l2c",
        Method::PLasso => "p-lasso",
        Method::KMedoids => "k-medoids",
        Method::Random => "random",
        _ => "unknown",
    }
}

/// The name of a rule for weights, as `--weights` and the JSON spell it.
#[must_use]
pub fn weights_name(weights: Weights) -> &'static str {
    match weights {
        Weights::Nonnegative => "nonnegative",
        Weights::Convex => "convex",
        Weights::Equal => "equal",
        Weights::Shares => "shares",
        Weights::Own => "own",
        _ => "unknown",
    }
}

/// The word for why a run ended.
#[must_use]
pub fn stopped_name(stopped: Stopped) -> &'static str {
    match stopped {
        Stopped::NPrototypes => "n_prototypes",
        Stopped::MinGain => "min_gain",
        Stopped::Optimal => "optimal",
        Stopped::Exhausted => "exhausted",
        _ => "unknown",
    }
}
