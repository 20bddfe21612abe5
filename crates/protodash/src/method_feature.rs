//! Which methods support what: the one table that checks, errors and hints of both front ends ask.

use crate::choice::Choice;
use crate::params::Method;

/// Something that only some methods support.
///
/// # Examples
///
/// ```
/// use protodash::{Method, MethodFeature};
///
/// assert!(Method::ProtoGreedy.supports(MethodFeature::Quotas));
/// assert!(!Method::L2c.supports(MethodFeature::Quotas));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum MethodFeature {
    /// [Fixed](crate::Params::fixed), [excluded](crate::Params::exclude) and [resumed](crate::Params::resume) rows: the method
    /// adds row after row, so that it can start from any set.
    GivenRows,
    /// [Quotas](crate::Params::quotas) and a [budget](crate::Params::budget).
    Quotas,
    /// Kernel means that are known only as far as choosing needs ([`Means::Racing`](crate::Means::Racing)).
    Racing,
    /// A search divided between [workers](crate::cluster).
    Workers,
    /// A selection on a [cluster](crate::cluster): kernel means divided between workers, and then a search that is divided
    /// too, or one on a single worker.
    Cluster,
}

impl MethodFeature {
    /// The methods with this feature, in their usual order.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash::{Method, MethodFeature};
    ///
    /// let racing: Vec<Method> = MethodFeature::Racing.methods().collect();
    /// assert_eq!(racing, [Method::ProtoDash, Method::ProtoGreedy]);
    /// ```
    pub fn methods(self) -> impl Iterator<Item = Method> {
        Method::ALL.iter().map(|(method, ..)| *method).filter(move |method| method.supports(self))
    }

    /// The names of these methods as a list in words that ends with this conjunction.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash::MethodFeature;
    ///
    /// assert_eq!(MethodFeature::GivenRows.names("or"), "protodash, protogreedy, l2c, farthest-first or random");
    /// assert_eq!(MethodFeature::Workers.names("and"), "protodash and protogreedy");
    /// ```
    pub fn names(self, conjunction: &str) -> String {
        let names: Vec<&str> = self.methods().map(Choice::name).collect();
        match names.split_last() {
            Some((last, rest)) if !rest.is_empty() => format!("{} {conjunction} {last}", rest.join(", ")),
            _ => names.concat(),
        }
    }
}

impl Method {
    /// Whether the method has this feature.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash::{Method, MethodFeature};
    ///
    /// assert!(Method::ProtoGreedy.supports(MethodFeature::GivenRows));
    /// assert!(!Method::Swap.supports(MethodFeature::GivenRows)); // it would exchange fixed rows for others
    /// ```
    pub fn supports(self, feature: MethodFeature) -> bool {
        use Method::{FarthestFirst, L2c, ProtoDash, ProtoGreedy, Random};
        match feature {
            MethodFeature::GivenRows => matches!(self, ProtoDash | ProtoGreedy | L2c | FarthestFirst | Random),
            MethodFeature::Quotas => matches!(self, ProtoDash | ProtoGreedy | Random),
            MethodFeature::Racing | MethodFeature::Workers => matches!(self, ProtoDash | ProtoGreedy),
            MethodFeature::Cluster => matches!(self, ProtoDash | ProtoGreedy | L2c | Random),
        }
    }
}
