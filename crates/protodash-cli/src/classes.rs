//! Class labels as the numbers that the core uses.

use protodash::{Error, Role};

use crate::data::Data;
use crate::error::Failure;

/// The class of each row, as a number.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Classes {
    /// The labels, in alphabetical order; a class is its position here.
    pub(crate) names: Vec<String>,
    /// The class of each target row.
    pub(crate) target: Vec<usize>,
    /// The class of each source row.
    pub(crate) source: Vec<usize>,
}

impl Classes {
    /// Returns the classes of both sides; `None` if either has no labels.
    pub(crate) fn of(data: &Data) -> Option<Classes> {
        let source = data.source.labels()?;
        let target = data.rows(Role::Target).labels()?;
        let mut names: Vec<&String> = source.iter().chain(target).collect();
        names.sort_unstable();
        names.dedup();
        let codes = |labels: &[String]| labels.iter().filter_map(|label| names.binary_search(&label).ok()).collect();
        let (target, source) = (codes(target), codes(source));
        Some(Classes { names: names.into_iter().cloned().collect(), target, source })
    }

    /// Returns the failure for an error of the core, with the label of the class it concerns.
    pub(crate) fn failure(&self, data: &Data, error: Error) -> Failure {
        match error {
            Error::ClassWithoutSource { label, n_target } => {
                let name = self.names.get(label).map_or("", String::as_str);
                let rows = if n_target == 1 { "1 target row".to_owned() } else { format!("{n_target} target rows") };
                Failure::Labels {
                    path: data.tables.path(Role::Source).to_owned(),
                    message: format!("class {name:?} has {rows} but no source rows"),
                    hint: "exclude the class with --target-where, or leave --per-label out",
                }
            }
            other => data.failure(other),
        }
    }
}
