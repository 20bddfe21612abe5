//! Settings with a fixed list of values, and the one place where each value has its name.

/// A setting with a fixed list of values, whose names flags, JSON and Python share.
///
/// # Examples
///
/// ```
/// use protodash::{Choice, Method};
///
/// assert_eq!(Method::PLasso.name(), "p-lasso");
/// assert_eq!(Method::from_name("k-medoids"), Some(Method::KMedoids));
/// assert_eq!(Method::from_name("k-modes"), None);
/// ```
pub trait Choice: Copy + PartialEq + 'static {
    /// Every value with its name and a summary for help texts; the first is the default.
    const ALL: &'static [(Self, &'static str, &'static str)];

    /// The name of this value.
    fn name(self) -> &'static str {
        Self::ALL.iter().find(|(value, ..)| *value == self).map_or("unknown", |(_, name, _)| name)
    }

    /// The value of this name.
    fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, known, _)| *known == name).map(|(value, ..)| *value)
    }
}
