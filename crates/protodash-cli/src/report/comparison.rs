//! The page of a comparison.

use protodash::Role;
use protodash_report::{Attachment, Body, ComparisonPage, Outcome, Overlap, Report, Row};

use protodash_result::{Cells, WHAT_ADDS_DATA, attachment_name, file_name};

use super::{failure, settings, shape, text};
use crate::args::ImageShape;
use crate::data::Data;
use crate::error::Failure;
use crate::json::{self, Comparison};
use crate::progress::Progress;
use crate::terminal;

/// The page of a comparison, with pictures if the data are there and are images.
pub(crate) fn comparison_report(
    comparison: &Comparison,
    data: Option<&Data>,
    image_shape: Option<ImageShape>,
    progress: &mut Progress,
) -> Result<Report, Failure> {
    let mut page = of_result(comparison);
    if let Some((data, shape)) = data.and_then(|data| Some((data, shape(data, image_shape)?))) {
        add_pictures(&mut page, data, shape, progress)?;
    }
    let mut report =
        Report::new(format!("Methods on {}", file_name(&comparison.data.source)), Body::Comparison(Box::new(page)));
    report.lead.push(terminal::comparison_sentence(comparison));
    report.lead.extend(comparison.notes.iter().cloned());
    report.settings = settings::of_comparison(comparison);
    if data.is_none() {
        report.missing.push(format!(
            "pictures of the rows, if they are images: they are in the data, not in the result; {WHAT_ADDS_DATA} adds them"
        ));
    }
    let name = attachment_name(&comparison.data.source, "methods");
    report.result = Some(Attachment { name, json: text(|writer| comparison.write(writer))? });
    Ok(report)
}

fn of_result(comparison: &Comparison) -> ComparisonPage {
    let chosen = |chosen: &json::Chosen| {
        let (id, label) = (chosen.id.clone(), chosen.label.clone());
        (Row { index: chosen.source_index, id, label, ..Row::default() }, chosen.weight)
    };
    let outcome = |outcome: &json::Outcome| Outcome {
        method: outcome.method.clone(),
        n_prototypes: outcome.n_prototypes,
        n_found: outcome.n_found,
        objective: outcome.objective,
        explained: outcome.explained,
        mmd2: outcome.mmd2,
        mmd2_solved_again: outcome.mmd2_solved_again,
        accuracy: outcome.accuracy,
        accuracy_weighted: outcome.accuracy_weighted,
        seconds: outcome.seconds,
        peak_memory_bytes: outcome.peak_memory_bytes,
        prototypes: outcome.prototypes.iter().map(chosen).collect(),
    };
    let overlap = |overlap: &json::Overlap| Overlap {
        n_prototypes: overlap.n_prototypes,
        methods: overlap.methods.clone(),
        shared: overlap.shared.clone(),
    };
    let judged = match (comparison.n_test, comparison.holdout) {
        (0, _) => String::new(),
        (n_test, Some(_)) => format!("{n_test} held-out rows"),
        (n_test, None) => format!("{n_test} target rows"),
    };
    ComparisonPage {
        outcomes: comparison.results.iter().map(outcome).collect(),
        overlap: comparison.overlap.iter().map(overlap).collect(),
        judged,
        ..ComparisonPage::default()
    }
}

fn add_pictures(
    page: &mut ComparisonPage,
    data: &Data,
    shape: ImageShape,
    progress: &mut Progress,
) -> Result<(), Failure> {
    let mut numbers: Vec<u64> =
        page.outcomes.iter().flat_map(|outcome| &outcome.prototypes).map(|(row, _)| row.index).collect();
    numbers.sort_unstable();
    numbers.dedup();
    let cells = progress.waiting("reading the rows", || Cells::read(&data.tables, numbers.clone(), Vec::new()));
    let cells = cells.map_err(|error| failure(Some(data), error))?;
    let rows: Vec<(Role, u64)> = numbers.iter().map(|number| (Role::Source, *number)).collect();
    let found = cells.pictures(&data.features, shape, &rows, &mut page.images);
    for (row, _) in page.outcomes.iter_mut().flat_map(|outcome| &mut outcome.prototypes) {
        row.image = numbers.binary_search(&row.index).ok().and_then(|at| found[at]);
    }
    Ok(())
}
