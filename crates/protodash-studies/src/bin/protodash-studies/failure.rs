//! The program's error type.

use std::io;
use std::path::{Path, PathBuf};

use protodash_studies::Error;
use protodash_terminal::{Exit, UserError};
use rayon::ThreadPoolBuildError;

/// Why a study could not be run or shown.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StudyFailure {
    /// The study failed.
    #[error(transparent)]
    Study(Box<Error>),

    /// Ctrl-C before anything was finished.
    #[error("interrupted: nothing was written")]
    Interrupted,

    /// Ctrl-C; finished trials are kept.
    #[error("interrupted: finished trials are kept in {}; run the same command to resume", .0.display())]
    Stopped(PathBuf),

    /// The threads cannot be started.
    #[error("cannot start the threads")]
    Threads(#[source] ThreadPoolBuildError),

    /// Stdout cannot be written to.
    #[error("cannot write to stdout")]
    Stdout(#[source] io::Error),
}

impl StudyFailure {
    /// An error of a study whose results are in `folder`.
    pub(crate) fn study(error: Error, folder: &Path) -> StudyFailure {
        match error {
            Error::Stopped => StudyFailure::stopped(folder),
            error => StudyFailure::Study(Box::new(error)),
        }
    }

    /// A study that Ctrl-C stopped.
    pub(crate) fn stopped(folder: &Path) -> StudyFailure {
        if folder.exists() { StudyFailure::Stopped(folder.to_owned()) } else { StudyFailure::Interrupted }
    }

    /// A file that cannot be written.
    pub(crate) fn write(path: &Path, cause: io::Error) -> StudyFailure {
        StudyFailure::Study(Box::new(Error::Write { path: path.to_owned(), cause }))
    }

    /// A failed write to stdout.
    pub(crate) fn stdout(cause: io::Error) -> StudyFailure {
        StudyFailure::Stdout(cause)
    }
}

impl UserError for StudyFailure {
    fn exit(&self) -> Exit {
        match self {
            StudyFailure::Interrupted | StudyFailure::Stopped(_) => Exit::Interrupted,
            StudyFailure::Stdout(cause) if cause.kind() == io::ErrorKind::BrokenPipe => Exit::Success,
            _ => Exit::Run,
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            StudyFailure::Study(error) => hint(error),
            StudyFailure::Threads(_) => Some("use fewer --threads".into()),
            _ => None,
        }
    }
}

fn hint(error: &Error) -> Option<String> {
    let text = match error {
        // A study has no flags for columns, so only advice about the data itself remains.
        Error::Table(cause) => return cause.hint()?.render(|_| None),
        Error::OtherProtocol { .. } => "use another folder with -o, or the settings the folder was made with",
        Error::OtherData { .. } => "use another folder with -o, or the files the folder was made from with --data",
        Error::Damaged { .. } => "use another folder with -o, or delete that line of the journal",
        Error::Data { .. } => "point --data to the folder with the data of the study",
        Error::Write { cause, .. } => match cause.kind() {
            io::ErrorKind::AlreadyExists => "it is a file; point -o to a folder",
            io::ErrorKind::IsADirectory => "specify a file name",
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => "create the folder first, or use another one",
            io::ErrorKind::PermissionDenied => "use a folder with write permission",
            io::ErrorKind::StorageFull => "free some space, or write to another disk",
            _ => return None,
        },
        _ => return None,
    };
    Some(text.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_instead_of_a_folder_has_its_own_hint() {
        let taken = tempfile::NamedTempFile::new().unwrap();
        let failure = StudyFailure::write(taken.path(), std::fs::create_dir_all(taken.path()).unwrap_err());
        assert_eq!(failure.hint().as_deref(), Some("it is a file; point -o to a folder"));
    }

    #[test]
    fn a_stopped_study_says_where_finished_trials_are() {
        let folder = tempfile::tempdir().unwrap();
        let missing = StudyFailure::stopped(&folder.path().join("not-yet"));
        assert_eq!(missing.to_string(), "interrupted: nothing was written");
        let kept = format!("finished trials are kept in {}; run the same command to resume", folder.path().display());
        assert_eq!(StudyFailure::stopped(folder.path()).to_string(), format!("interrupted: {kept}"));
    }
}
