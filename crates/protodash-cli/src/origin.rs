//! The data behind a saved result: read again with its settings, and rejected if they have changed.

use std::path::Path;

use protodash::{KernelSpec, Prototype, Role};
use protodash_report::{DataRecord, SelectionDocument};
use protodash_table::{EncodeProblem, Error};

use crate::args;
use crate::data::Data;
use crate::error::Failure;
use crate::json;
use crate::progress::Progress;
use crate::result;

/// A result and the file that its rows were chosen from.
#[derive(Clone, Copy)]
pub(crate) struct SavedOrigin<'a> {
    /// The result's file.
    pub(crate) result: &'a Path,
    /// The data's file.
    pub(crate) source: &'a Path,
}

impl SavedOrigin<'_> {
    /// The saved data flags, with `target` as the target's path if it is given.
    pub(crate) fn flags(&self, saved: &DataRecord, target: Option<&Path>) -> Result<args::DataArgs, Failure> {
        json::to_args(saved, target).map_err(|message| self.damaged(message))
    }

    /// The data. They were encoded without errors once, so an encoding error means that they have changed.
    pub(crate) fn load(
        &self,
        flags: &args::DataArgs,
        kernel: Option<&KernelSpec>,
        (memory, seed): (u64, u64),
        progress: &mut Progress,
    ) -> Result<Data, Failure> {
        Data::load(self.source, flags, kernel, (memory, seed), progress).map_err(|failure| match &failure {
            Failure::Table(cause) => match &**cause {
                Error::NotFound { path } if Some(path) == flags.target.as_ref() => Failure::NotAResult {
                    path: self.result.to_owned(),
                    message: format!("its target {} does not exist", path.display()),
                    hint: "set its new path with --target",
                },
                Error::Encode(EncodeProblem::TooLarge { .. }) => failure,
                Error::Encode(problem) => self.other_data(problem.to_string()),
                _ => failure,
            },
            _ => failure,
        })
    }

    /// The saved prototypes as rows of the matrix, after checking the sizes of the data.
    pub(crate) fn prototypes(&self, data: &Data, saved: &SelectionDocument) -> Result<Vec<Prototype>, Failure> {
        self.check_sizes(data, saved.n_source, saved.n_target, saved.n_features)?;
        result::in_matrix(data, saved).map_err(|row| {
            self.other_data(format!("its prototype {row} is not a source row of {}", self.source.display()))
        })
    }

    /// Rejects data of other sizes than those of the result.
    pub(crate) fn check_sizes(
        &self,
        data: &Data,
        n_source: usize,
        n_target: usize,
        n_features: usize,
    ) -> Result<(), Failure> {
        let sizes = [
            (Role::Source, "source rows", n_source, data.source.len()),
            (Role::Target, "target rows", n_target, data.rows(Role::Target).len()),
            (Role::Source, "features", n_features, data.matrices.n_features()),
        ];
        match sizes.into_iter().find(|(_, _, expected, found)| expected != found) {
            Some((role, what, expected, found)) => {
                let path = data.tables.path(role).display();
                Err(self.other_data(format!("it expects {expected} {what}, {path} has {found}")))
            }
            None => Ok(()),
        }
    }

    /// The error for data that are not those of the result.
    pub(crate) fn other_data(&self, message: String) -> Failure {
        Failure::OtherData { path: self.result.to_owned(), message: format!("was made from different data: {message}") }
    }

    fn damaged(&self, message: String) -> Failure {
        Failure::NotAResult {
            path: self.result.to_owned(),
            message: format!("is not a complete result: {message}"),
            hint: "create it again with `protodash select SOURCE -o RESULT.json`",
        }
    }
}
