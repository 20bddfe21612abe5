//! The page of a selection, from its result and its files.

use ndarray::ArrayRef2;
use protodash::{Error, Job, Kernel, Prototype, Scalar};
use protodash_report::{ImageShape, PageData, Report, Request, SelectionDocument, selection_report as made};

use super::{ADD_DATA, failure, shape};
use crate::data::Data;
use crate::error::Failure;
use crate::progress::Progress;

/// What the page shows beside the result.
#[derive(Clone, Copy)]
pub(crate) struct PageInput<'a> {
    /// The data that the selection was made from, with the prototypes as rows of the matrix.
    pub(crate) data: Option<(&'a Data, &'a [Prototype])>,
    /// The shape of rows that are images, if it was given.
    pub(crate) image_shape: Option<ImageShape>,
    /// What was asked for.
    pub(crate) request: Request,
}

/// The page of a selection.
pub(crate) fn selection_report(
    document: &SelectionDocument,
    input: PageInput<'_>,
    progress: &mut Progress,
) -> Result<Report, Failure> {
    let Some((data, prototypes)) = input.data else {
        let nothing = None::<&PageData<'_, f64>>;
        return made(document, nothing, input.request, ADD_DATA, progress).map_err(|error| failure(None, error));
    };
    let job = MakePage { document, input, data, prototypes, progress: &mut *progress };
    let report = data.matrices.run(job).map_err(|error| data.failure(error))?;
    progress.clear();
    report.map_err(|error| failure(Some(data), error))
}

/// Makes the page, whatever the type of the numbers.
struct MakePage<'a> {
    document: &'a SelectionDocument,
    input: PageInput<'a>,
    data: &'a Data,
    prototypes: &'a [Prototype],
    progress: &'a mut Progress,
}

impl Job for MakePage<'_> {
    type Output = protodash_report::Result<Report>;

    fn run<T: Scalar>(
        self,
        target: &ArrayRef2<T>,
        source: &ArrayRef2<T>,
        kernel: &dyn Kernel<T>,
    ) -> Result<Self::Output, Error> {
        let data = self.data;
        let page = PageData {
            rows: data.row_data(target, source),
            kernel,
            prototypes: self.prototypes,
            image_shape: shape(data, self.input.image_shape),
            path: None,
        };
        Ok(made(self.document, Some(&page), self.input.request, ADD_DATA, self.progress))
    }
}
