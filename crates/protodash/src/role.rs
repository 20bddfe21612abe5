//! The two matrices of a selection.

/// Which of the two matrices an error is about.
///
/// # Examples
///
/// ```
/// assert_eq!(protodash::Role::Target.to_string(), "target");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// The rows to be represented.
    Target,
    /// The rows to choose from.
    Source,
}

impl std::fmt::Display for Role {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            Role::Target => "target",
            Role::Source => "source",
        })
    }
}
