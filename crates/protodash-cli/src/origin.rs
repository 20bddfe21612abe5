//! The data that a saved result was made from: read again as it says, and refused if they are others.

use std::path::Path;

use protodash::{Prototype, Role};
use protodash_report::{DataRecord, Kernel, SelectionDocument};
use protodash_table::{EncodeProblem, Error};

use crate::args;
use crate::data::Data;
use crate::error::Failure;
use crate::json;
use crate::kernel::{Formula, Recipe};
use crate::progress::Progress;
use crate::result;

/// A result and the file that its rows were chosen from.
#[derive(Clone, Copy)]
pub(crate) struct Origin<'a> {
    /// The result's file.
    pub(crate) result: &'a Path,
    /// The data's file.
    pub(crate) source: &'a Path,
}

impl Origin<'_> {
    /// The flags of the data, with another path for the target if one is given.
    pub(crate) fn flags(&self, saved: &DataRecord, target: Option<&Path>) -> Result<args::Data, Failure> {
        json::to_args(saved, target).map_err(|message| self.damaged(message))
    }

    /// The kernel; `None` for kernel matrices.
    pub(crate) fn recipe(&self, saved: &Kernel) -> Result<Option<Recipe>, Failure> {
        let form = saved.form().map_err(|message| self.damaged(message))?;
        let kernel = form.map(Formula::from_form).transpose().map_err(|error| self.damaged(error.to_string()))?;
        Ok(kernel.flatten().map(Recipe::Ready))
    }

    /// The data, which were good once: what is wrong with them now means that they are others.
    pub(crate) fn load(
        &self,
        flags: &args::Data,
        recipe: Option<&Recipe>,
        (memory, seed): (u64, u64),
        progress: &mut Progress,
    ) -> Result<Data, Failure> {
        Data::load(self.source, flags, recipe, (memory, seed), progress).map_err(|failure| match &failure {
            Failure::Table(cause) => match &**cause {
                Error::NotFound { path } if Some(path) == flags.target.as_ref() => Failure::NotAResult {
                    path: self.result.to_owned(),
                    message: format!("its target is {}, and there is no such file", path.display()),
                    hint: "say with --target where the file is now",
                },
                Error::Encode(EncodeProblem::TooLarge { .. }) => failure,
                Error::Encode(problem) => self.other_data(problem.to_string()),
                _ => failure,
            },
            _ => failure,
        })
    }

    /// The saved prototypes in rows of the matrix, once the data have the sizes that the result says.
    pub(crate) fn prototypes(&self, data: &Data, saved: &SelectionDocument) -> Result<Vec<Prototype>, Failure> {
        self.check_sizes(data, saved.n_source, saved.n_target, saved.n_features)?;
        result::in_matrix(data, saved).map_err(|row| {
            self.other_data(format!("its prototype {row} is no source row of {}", self.source.display()))
        })
    }

    fn check_sizes(&self, data: &Data, n_source: usize, n_target: usize, n_features: usize) -> Result<(), Failure> {
        let sizes = [
            ("source rows", n_source, data.source.len()),
            ("target rows", n_target, data.rows(Role::Target).len()),
            ("features", n_features, data.matrices.n_features()),
        ];
        match sizes.into_iter().find(|(_, before, now)| before != now) {
            Some((what, before, now)) => {
                Err(self.other_data(format!("it was made from {before} {what}, and now there are {now}")))
            }
            None => Ok(()),
        }
    }

    /// The refusal of data that are not those of the result.
    pub(crate) fn other_data(&self, message: String) -> Failure {
        Failure::OtherData { path: self.result.to_owned(), message: format!("belongs to other data: {message}") }
    }

    fn damaged(&self, message: String) -> Failure {
        Failure::NotAResult {
            path: self.result.to_owned(),
            message: format!("is not a complete result: {message}"),
            hint: "make the selection again with `protodash select SOURCE -o RESULT.json`",
        }
    }
}
