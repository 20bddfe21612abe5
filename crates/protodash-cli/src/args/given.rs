//! Flags for rows that are given before a selection starts.

use std::path::{Path, PathBuf};

use protodash::{Choice, MethodFeature};

use super::values::Names;
use super::{DataArgs, SelectArgs};
use crate::error::Failure;

/// Fixed rows, excluded rows, and a run to continue.
#[derive(Debug, Clone, Default, PartialEq, clap::Args)]
#[command(next_help_heading = "Prototypes")]
pub(crate) struct GivenArgs {
    /// Prototypes from the start: row numbers, ids, or a file
    ///
    /// -m then counts further rows. Rows of a file that are in SOURCE are fixed there; others are added to it but
    /// not represented.
    #[arg(long, value_name = "ROWS")]
    fixed: Vec<Names>,

    /// Rows not to choose: row numbers, ids, or a file
    #[arg(long, value_name = "ROWS")]
    exclude: Vec<Names>,

    /// Continue a run with the same flags to a larger -m
    #[arg(long, value_name = "RESULT.json")]
    pub(crate) resume: Option<PathBuf>,
}

impl GivenArgs {
    /// The fixed rows as they were given; none if a file has them.
    pub(crate) fn fixed(&self) -> Vec<String> {
        if self.fixed_file().is_some() { Vec::new() } else { listed(&self.fixed) }
    }

    /// The excluded rows as they were given; none if a file has them.
    pub(crate) fn excluded(&self) -> Vec<String> {
        if self.exclude_file().is_some() { Vec::new() } else { listed(&self.exclude) }
    }

    /// The file of fixed rows, if --fixed names one.
    pub(crate) fn fixed_file(&self) -> Option<PathBuf> {
        file(&self.fixed)
    }

    /// The file of excluded rows, if --exclude names one.
    pub(crate) fn exclude_file(&self) -> Option<PathBuf> {
        file(&self.exclude)
    }

    /// Whether a flag was given.
    fn is_given(&self) -> bool {
        *self != GivenArgs::default()
    }

    /// Rejects flags that cannot be valid for any file.
    pub(super) fn check(&self, call: &SelectArgs) -> Result<(), Failure> {
        if !self.is_given() {
            return Ok(());
        }
        let flag = [("--fixed", !self.fixed.is_empty()), ("--exclude", !self.exclude.is_empty())];
        let flag = flag.into_iter().find(|(_, given)| *given).map_or("--resume", |(flag, _)| flag);
        let method = call.search.method;
        if !method.supports(MethodFeature::GivenRows) {
            let message = format!("{flag} cannot be used with --method {}", method.name());
            return Err(Failure::call(message, format!("use --method {}", MethodFeature::GivenRows.names("or"))));
        }
        if call.per_label.is_some() {
            return Err(Failure::call(format!("{flag} cannot be used with --per-label"), "omit one of them"));
        }
        if self.resume.is_some() && call.search.oversample > 1.0 {
            let message = "--resume cannot be used with --oversample, whose first rows depend on the number of rows";
            return Err(Failure::call(message, "omit one of them"));
        }
        self.check_file(&call.source, &call.data, call.kernel.is_precomputed())
    }

    fn check_file(&self, source: &Path, data: &DataArgs, is_precomputed: bool) -> Result<(), Failure> {
        for (flag, names, file) in
            [("--fixed", &self.fixed, self.fixed_file()), ("--exclude", &self.exclude, self.exclude_file())]
        {
            match (file, &listed(names)[..]) {
                (Some(file), _) if is_precomputed => {
                    let message = format!("{flag} {}: kernel matrices have no rows to compare with", file.display());
                    return Err(Failure::call(message, "use row numbers"));
                }
                (None, [one]) if data.id.is_none() && one.parse::<u64>().is_err() => {
                    let message = format!("{flag} {one}: there is no such file, and it is not a row number");
                    let hint = "use row numbers such as 3,17, the name of a file, or ids together with --id";
                    return Err(Failure::call(message, hint));
                }
                _ => {}
            }
        }
        let Some(file) = self.fixed_file() else { return Ok(()) };
        if data.source_labels.is_some() {
            let message = format!("--fixed {}: --source-labels has no labels for its rows", file.display());
            return Err(Failure::call(message, "use --label with a column of both files"));
        }
        if source.as_os_str() == "-" {
            let message = format!("--fixed {}: its rows cannot join those of standard input", file.display());
            return Err(Failure::call(message, "write the data to a file first"));
        }
        Ok(())
    }
}

/// The file that the only name stands for.
fn file(names: &[Names]) -> Option<PathBuf> {
    match &listed(names)[..] {
        [path] if Path::new(path).exists() => Some(PathBuf::from(path)),
        _ => None,
    }
}

fn listed(names: &[Names]) -> Vec<String> {
    names.iter().flat_map(|Names(names)| names).cloned().collect()
}
