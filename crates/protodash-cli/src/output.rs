//! Output files: kind, early checks, and atomic writing.

use std::io::Write;
use std::path::{Path, PathBuf};

use protodash_table::reads_file;
use protodash_terminal::{check_writable, interrupt, write_atomically};

use crate::error::{Failure, WriteError};

/// The content of an output file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The result.
    Json,
    /// Rows with all their columns, as text.
    Csv,
    /// Rows with all their columns, typed.
    Parquet,
    /// A graph for Graphviz.
    Dot,
    /// An HTML report.
    Page,
}

const OUTPUT: &str = "--output";

/// A file to write at the end of a run.
#[derive(Debug)]
pub(crate) struct Output {
    path: PathBuf,
    kind: Kind,
    /// The flag that named it.
    flag: &'static str,
}

impl Output {
    /// The output at `path`; its extension decides the content.
    pub(crate) fn new(path: &Path) -> Result<Output, Failure> {
        let ending = path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
        let kind = match ending.as_deref() {
            Some("json") => Kind::Json,
            Some("csv") => Kind::Csv,
            Some("parquet") => Kind::Parquet,
            _ => return Err(unknown_ending(path)),
        };
        Ok(Output { path: path.to_owned(), kind, flag: OUTPUT })
    }

    /// The report at `path`, which must end in .html.
    pub(crate) fn page(path: &Path) -> Result<Output, Failure> {
        Output::named_page(path, "--report")
    }

    fn named_page(path: &Path, flag: &'static str) -> Result<Output, Failure> {
        let ending = path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
        if !matches!(ending.as_deref(), Some("html" | "htm")) {
            let message = format!("{flag} {} {}; it must end in .html", path.display(), ending_of(path));
            return Err(Failure::call(message, "use a name such as report.html"));
        }
        Ok(Output { path: path.to_owned(), kind: Kind::Page, flag })
    }

    /// The report that `protodash report` writes.
    pub(crate) fn page_of_report(path: &Path) -> Result<Output, Failure> {
        Output::named_page(path, OUTPUT)
    }

    /// The output of `protodash relate` at `path`; its extension decides the content.
    pub(crate) fn graph(path: &Path) -> Result<Output, Failure> {
        let ending = path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
        let kind = match ending.as_deref() {
            Some("json") => Kind::Json,
            Some("csv") => Kind::Csv,
            Some("dot" | "gv") => Kind::Dot,
            _ => {
                let message =
                    format!("--output {} {}; allowed are .json, .csv and .dot", path.display(), ending_of(path));
                let hint = "use .json for the result, .csv for one line per pair, .dot for a Graphviz graph";
                return Err(Failure::call(message, hint));
            }
        };
        Ok(Output { path: path.to_owned(), kind, flag: OUTPUT })
    }

    /// Fails early if the file cannot be written or would overwrite one of `inputs`.
    pub(crate) fn check(&self, inputs: &[&Path]) -> Result<(), Failure> {
        if let Some(input) = inputs.iter().find(|input| reads_file(input, &self.path)) {
            let effect = if self.path.exists() { "overwrite" } else { "become part of" };
            let message = format!("{} {} would {effect} the input {}", self.flag, self.path.display(), input.display());
            return Err(Failure::call(message, "choose another name for the output"));
        }
        check_writable(&self.path).map_err(|cause| self.failure(cause.into()))
    }

    /// The path as given.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The content of the file.
    pub(crate) fn kind(&self) -> Kind {
        self.kind
    }

    /// Writes the file atomically: a temporary file next to it is renamed when it is complete.
    pub(crate) fn write(&self, content: impl FnOnce(&mut dyn Write) -> Result<(), WriteError>) -> Result<(), Failure> {
        if !interrupt::begin_writing() {
            return Err(Failure::Interrupted);
        }
        write_atomically(&self.path, content).map_err(|cause| self.failure(cause))
    }

    fn failure(&self, cause: WriteError) -> Failure {
        Failure::Write { path: self.path.clone(), cause }
    }
}

fn ending_of(path: &Path) -> String {
    match path.extension() {
        Some(ending) => format!("ends in .{}", ending.to_string_lossy()),
        None => "has no extension".to_owned(),
    }
}

fn unknown_ending(path: &Path) -> Failure {
    let found = ending_of(path);
    let message = format!("--output {} {found}; allowed are .json, .csv and .parquet", path.display());
    Failure::call(message, "use .json for the result, .csv or .parquet for the rows with their weights")
}
