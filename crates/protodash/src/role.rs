//! The two matrices of a selection.

use crate::error::Error;

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

impl Error {
    /// The same error about the source: callers without a separate target know their data as the source.
    pub(crate) fn about_source(self) -> Self {
        match self {
            Error::Empty { role: Role::Target, rows, columns } => Error::Empty { role: Role::Source, rows, columns },
            Error::NotFinite { role: Role::Target, row, column, value } => {
                Error::NotFinite { role: Role::Source, row, column, value }
            }
            other => other,
        }
    }
}
