//! Output files: kind, early checks, and atomic writing.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::error::{Failure, WriteError};
use crate::interrupt;

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
            let message = format!("{flag} {} {}; allowed is .html", path.display(), ending_of(path));
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
        let own = fs::canonicalize(&self.path).ok();
        let replaced = inputs.iter().find(|input| own.is_some() && fs::canonicalize(input).ok() == own);
        if let Some(input) = replaced {
            let message = format!("{} {} would overwrite the input {}", self.flag, self.path.display(), input.display());
            return Err(Failure::call(message, "choose another name for the output"));
        }
        if self.path.is_dir() {
            return Err(self.failure(io::Error::from(io::ErrorKind::IsADirectory)));
        }
        self.draft().map(drop).map_err(|cause| self.failure(cause))
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
        interrupt::begin_writing()?;
        let mut draft = self.draft().map_err(|cause| self.failure(cause))?;
        let mut writer = BufWriter::new(&mut draft);
        content(&mut writer).map_err(|cause| self.failure(cause))?;
        writer.flush().map_err(|cause| self.failure(cause))?;
        drop(writer);
        draft.as_file().sync_all().map_err(|cause| self.failure(cause))?;
        draft.persist(self.destination()).map_err(|refused| self.failure(refused.error))?;
        Ok(())
    }

    /// An empty temporary file next to the destination, deleted when dropped.
    fn draft(&self) -> io::Result<NamedTempFile> {
        let destination = self.destination();
        let folder = destination.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut builder = tempfile::Builder::new();
        builder.prefix(".protodash-").suffix(".part");
        permit(&mut builder, &destination);
        builder.tempfile_in(folder).map_err(without_path)
    }

    /// The destination with symlinks resolved, so that a link stays a link.
    fn destination(&self) -> PathBuf {
        fs::canonicalize(&self.path).unwrap_or_else(|_| self.path.clone())
    }

    fn failure(&self, cause: impl Into<WriteError>) -> Failure {
        Failure::Write { path: self.path.clone(), cause: cause.into() }
    }
}

/// The operating system's error without the name of the temporary file.
fn without_path(error: io::Error) -> io::Error {
    let text = error.to_string();
    let reason = text.split_once(" at path ").map_or(text.as_str(), |(reason, _)| reason);
    io::Error::new(error.kind(), reason)
}

/// Gives the temporary file the permissions of the file it replaces, or those of any new file.
#[cfg(unix)]
fn permit(builder: &mut tempfile::Builder<'_, '_>, destination: &Path) {
    use std::os::unix::fs::PermissionsExt;
    let existing = fs::metadata(destination).map(|existing| existing.permissions());
    builder.permissions(existing.unwrap_or_else(|_| fs::Permissions::from_mode(0o666)));
}

#[cfg(not(unix))]
fn permit(_: &mut tempfile::Builder<'_, '_>, _: &Path) {}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_written_atomically() {
        let folder = tempfile::tempdir().unwrap();
        let output = Output::new(&folder.path().join("result.JSON")).unwrap();
        output.check(&[]).unwrap();
        let failed = output.write(|writer| {
            writer.write_all(b"{\"half\":")?;
            Err(WriteError::Io(io::ErrorKind::StorageFull.into()))
        });
        assert!(failed.is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        output.write(|writer| Ok(writer.write_all(b"{}")?)).unwrap();
        assert_eq!(fs::read_to_string(output.path()).unwrap(), "{}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn links_and_permissions_are_kept() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file.csv"), folder.path().join("link.csv"));
        fs::write(&file, "old").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        Output::new(&link).unwrap().write(|writer| Ok(writer.write_all(b"new")?)).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
    }
}
