//! Output files: which kind is meant, whether it can be written, and writing it whole or not at all.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::error::{Failure, WriteError};
use crate::interrupt;

/// What a file is to hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The whole result.
    Json,
    /// Rows with all their columns, as text.
    Csv,
    /// Rows with all their columns, typed.
    Parquet,
    /// A graph, in the language of Graphviz.
    Dot,
    /// A page for the browser.
    Page,
}

const OUTPUT: &str = "--output";

/// A file to be written at the end of a run.
#[derive(Debug)]
pub(crate) struct Output {
    path: PathBuf,
    kind: Kind,
    /// The flag that named it.
    flag: &'static str,
}

impl Output {
    /// The output at `path`, whose ending says what it is to hold.
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

    /// The page at `path`, which has to end as pages do.
    pub(crate) fn page(path: &Path) -> Result<Output, Failure> {
        Output::named_page(path, "--report")
    }

    fn named_page(path: &Path, flag: &'static str) -> Result<Output, Failure> {
        let ending = path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
        if !matches!(ending.as_deref(), Some("html" | "htm")) {
            let message = format!("{flag} {} {}; allowed is .html", path.display(), ending_of(path));
            return Err(Failure::call(message, "give the page a name that browsers know, such as report.html"));
        }
        Ok(Output { path: path.to_owned(), kind: Kind::Page, flag })
    }

    /// The page that `protodash report` writes.
    pub(crate) fn page_of_report(path: &Path) -> Result<Output, Failure> {
        Output::named_page(path, OUTPUT)
    }

    /// The output of a relation of tables at `path`, whose ending says what it is to hold.
    pub(crate) fn graph(path: &Path) -> Result<Output, Failure> {
        let ending = path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
        let kind = match ending.as_deref() {
            Some("json") => Kind::Json,
            Some("csv") => Kind::Csv,
            Some("dot" | "gv") => Kind::Dot,
            _ => {
                let message =
                    format!("--output {} {}; allowed are .json, .csv and .dot", path.display(), ending_of(path));
                let hint = ".json holds the whole result, .csv a line for each pair, .dot the graph for Graphviz";
                return Err(Failure::call(message, hint));
            }
        };
        Ok(Output { path: path.to_owned(), kind, flag: OUTPUT })
    }

    /// Fails now, before the long work, if the file could not be written later or would replace one of `inputs`.
    pub(crate) fn check(&self, inputs: &[&Path]) -> Result<(), Failure> {
        let own = fs::canonicalize(&self.path).ok();
        let replaced = inputs.iter().find(|input| own.is_some() && fs::canonicalize(input).ok() == own);
        if let Some(input) = replaced {
            let message = format!("{} {} would replace the input {}", self.flag, self.path.display(), input.display());
            return Err(Failure::call(message, "give the output another name"));
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

    /// What the file is to hold.
    pub(crate) fn kind(&self) -> Kind {
        self.kind
    }

    /// Writes the file by way of a draft beside it, which takes its name when it is complete.
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

    /// An empty file beside the destination, which is gone again when it is dropped.
    fn draft(&self) -> io::Result<NamedTempFile> {
        let destination = self.destination();
        let folder = destination.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut builder = tempfile::Builder::new();
        builder.prefix(".protodash-").suffix(".part");
        permit(&mut builder, &destination);
        builder.tempfile_in(folder).map_err(without_path)
    }

    /// The file itself where the path is a link to it, so that the link stays one.
    fn destination(&self) -> PathBuf {
        fs::canonicalize(&self.path).unwrap_or_else(|_| self.path.clone())
    }

    fn failure(&self, cause: impl Into<WriteError>) -> Failure {
        Failure::Write { path: self.path.clone(), cause: cause.into() }
    }
}

/// The error as the operating system gave it, without the name of a draft that nobody asked for.
fn without_path(error: io::Error) -> io::Error {
    let text = error.to_string();
    let reason = text.split_once(" at path ").map_or(text.as_str(), |(reason, _)| reason);
    io::Error::new(error.kind(), reason)
}

/// Gives the draft the permissions of the file it replaces, or those of any new file.
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
        None => "has no ending".to_owned(),
    }
}

fn unknown_ending(path: &Path) -> Failure {
    let found = ending_of(path);
    let message = format!("--output {} {found}; allowed are .json, .csv and .parquet", path.display());
    Failure::call(message, ".json holds the whole result, .csv and .parquet the rows with their weights")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_appears_whole_or_not_at_all() {
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
    fn links_and_permissions_stay() {
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
