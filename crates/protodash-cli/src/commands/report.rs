//! `protodash report`: a page from a saved result.

use std::path::Path;

use protodash_report::Report as Page;

use crate::args::Report;
use crate::data::Data;
use crate::error::Failure;
use crate::json::{self, Comparison, Document, Flags, Saved, SavedKernel};
use crate::origin::Origin;
use crate::output::Output;
use crate::progress::Progress;
use crate::report::{self, Known, check_shape, comparison_report, relation_report, selection_report};
use crate::terminal::Asked;

/// Makes the page and writes it.
pub(super) fn run(call: &Report) -> Result<(), Failure> {
    let output = Output::page_of_report(&call.output)?;
    let inputs: Vec<&Path> =
        [call.result.as_path()].into_iter().chain(call.source.as_deref()).chain(call.target.as_deref()).collect();
    output.check(&inputs)?;
    let mut progress = Progress::new(call.run.quiet, true);
    let page = match json::read_any(&call.result)? {
        Saved::Selection(document) => selection(call, &document, &output, &mut progress)?,
        Saved::Comparison(comparison) => comparison_page(call, &comparison, &output, &mut progress)?,
        Saved::Relation(relation) => {
            if call.source.is_some() {
                let message = format!("{} relates tables, and its page needs no SOURCE", call.result.display());
                return Err(Failure::call(message, "leave SOURCE out"));
            }
            relation_report(&relation)?
        }
    };
    report::finish(Some((&output, &page)), call.run.quiet)
}

fn selection(call: &Report, document: &Document, output: &Output, progress: &mut Progress) -> Result<Page, Failure> {
    let Some(source) = &call.source else {
        let asked = Asked { own_target: own_target(&document.data), ..Asked::default() };
        return selection_report(document, Known { data: None, image_shape: None, asked }, progress);
    };
    let origin = Origin { result: &call.result, source };
    let data = load(call, origin, (&document.data, &document.kernel, document.seed), output, progress)?;
    let prototypes = origin.prototypes(&data, document)?;
    let asked = Asked { own_target: data.target.is_some(), ..Asked::default() };
    selection_report(
        document,
        Known { data: Some((&data, &prototypes)), image_shape: call.image_shape, asked },
        progress,
    )
}

fn comparison_page(
    call: &Report,
    comparison: &Comparison,
    output: &Output,
    progress: &mut Progress,
) -> Result<Page, Failure> {
    let data = match &call.source {
        None => None,
        Some(source) => {
            let origin = Origin { result: &call.result, source };
            let saved = (&comparison.data, &comparison.kernel, comparison.seed);
            Some(load(call, origin, saved, output, progress)?)
        }
    };
    comparison_report(comparison, data.as_ref(), call.image_shape, progress)
}

/// The data as the result says they were read.
fn load(
    call: &Report,
    origin: Origin<'_>,
    (flags, kernel, seed): (&Flags, &SavedKernel, u64),
    output: &Output,
    progress: &mut Progress,
) -> Result<Data, Failure> {
    let flags = origin.flags(flags, call.target.as_deref())?;
    let source = origin.source.to_owned();
    output.check(&Data::paths(&source, &flags))?;
    let kernel = kernel.spec();
    let data = origin.load(&flags, kernel.as_ref(), (call.run.memory(), seed), progress)?;
    check_shape(&data, call.image_shape)?;
    Ok(data)
}

/// Whether other rows than the source's were represented, as far as the flags say.
fn own_target(flags: &Flags) -> bool {
    flags.target.is_some() || flags.target_where != flags.source_where || flags.target_sample != flags.source_sample
}
