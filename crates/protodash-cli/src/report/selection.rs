//! The page of a selection, from its result and its files.

use ndarray::ArrayRef2;
use protodash::{Error, Job, Kernel, Prototype, Role, Scalar};
use protodash_report::Report;
use protodash_result::{Asked, ImageShape, Origin, Result, selection_report as gathered};

use super::{failure, shape};
use crate::data::Data;
use crate::error::Failure;
use crate::json::Document;
use crate::progress::Progress;

/// What is known beside the result.
#[derive(Clone, Copy)]
pub(crate) struct Known<'a> {
    /// The data that the selection was made from, with the prototypes in rows of the matrix.
    pub(crate) data: Option<(&'a Data, &'a [Prototype])>,
    /// The shape of rows that are images, if it was given.
    pub(crate) image_shape: Option<ImageShape>,
    /// What the sentence has to know.
    pub(crate) asked: Asked,
}

/// The page of a selection.
pub(crate) fn selection_report(
    document: &Document,
    known: Known<'_>,
    progress: &mut Progress,
) -> std::result::Result<Report, Failure> {
    let Some((data, prototypes)) = known.data else {
        let alone = gathered::<f64, protodash::Linear>(document, None, known.asked, progress);
        return alone.map_err(|error| failure(None, error));
    };
    let job = Gather { document, known, data, prototypes, progress: &mut *progress };
    let gathered = data.matrices.run(job).map_err(|error| data.failure(error))?;
    progress.clear();
    gathered.map_err(|error| failure(Some(data), error))
}

/// Gathers the page, whatever the type of the numbers.
struct Gather<'a> {
    document: &'a Document,
    known: Known<'a>,
    data: &'a Data,
    prototypes: &'a [Prototype],
    progress: &'a mut Progress,
}

impl Job for Gather<'_> {
    type Output = Result<Report>;

    fn run<T: Scalar, K: Kernel<T>>(
        self,
        target: &ArrayRef2<T>,
        source: &ArrayRef2<T>,
        kernel: &K,
    ) -> std::result::Result<Self::Output, Error> {
        let data = self.data;
        let origin = Origin {
            target,
            source,
            kernel,
            prototypes: self.prototypes,
            source_rows: data.rows(Role::Source),
            target_rows: data.target.as_ref(),
            features: &data.features,
            image_shape: shape(data, self.known.image_shape),
            tables: &data.tables,
            path: None,
        };
        Ok(gathered(self.document, Some(&origin), self.known.asked, self.progress))
    }
}
