//! The report of a selection.

use std::path::Path;

use super::{PageData, PageObserver, selection_settings, shown};
use crate::document::SelectionDocument;
use crate::error::Result;
use crate::report::{Attachment, Body, Report};
use crate::reproduce::reproducing_calls;
use crate::selection::SelectionPage;
use crate::sentences::{Request, findings, kernel_warning};

/// The report of a selection: the result, and what the data add to it.
///
/// Without data the page says what is missing, and that `how_to_add_data` adds it.
///
/// # Errors
///
/// If the rows cannot be read again or are invalid for the kernel, or if `observer` cancels.
///
/// # Examples
///
/// ```
/// use protodash::Unobserved;
/// use protodash_report::{Request, SelectionDocument, selection_report};
///
/// let document = SelectionDocument::example();
/// let report = selection_report(&document, None, Request::default(), "“make page”", &mut Unobserved)?;
/// assert_eq!(report.title, "Prototypes of people.csv");
/// assert!(report.missing[0].ends_with("use “make page” to add them"));
/// # Ok::<(), protodash_report::Error>(())
/// ```
pub fn selection_report(
    document: &SelectionDocument,
    data: Option<&PageData<'_, '_>>,
    request: Request,
    how_to_add_data: &str,
    observer: &mut dyn PageObserver,
) -> Result<Report> {
    let mut page = SelectionPage::new(document.clone());
    let mut missing = Vec::new();
    match data {
        None => missing.push(format!(
            "values, images and examples of rows, counts for smaller selections and the map: they need the data; use \
             {how_to_add_data} to add them"
        )),
        Some(data) => shown::add(data, observer, &mut page, &mut missing)?,
    }
    let mut report = Report::new(title(document), Body::Selection(Box::new(page)));
    report.lead.extend(findings(document, request));
    report.settings = selection_settings(document);
    // The findings already say what the kernel's note says.
    let warning = kernel_warning(document);
    report.notes = document.notes.iter().filter(|note| Some(*note) != warning.as_ref()).cloned().collect();
    report.missing = missing;
    report.calls = reproducing_calls(document, data.and_then(|data| data.image_shape));
    let name = match document.data.is_in_memory() {
        true => "prototypes.json".to_owned(),
        false => attachment_name(&document.data.source, "prototypes"),
    };
    report.result = Some(Attachment { name, json: document.to_json()? });
    Ok(report)
}

fn title(document: &SelectionDocument) -> String {
    let source = file_name(&document.data.source);
    match (&document.data.target, document.data.is_in_memory()) {
        (None, true) if document.data.has_separate_target() => "Source rows that represent the target".to_owned(),
        (Some(_), true) => "Source rows that represent the target".to_owned(),
        (None, true) => "Prototypes".to_owned(),
        (Some(target), false) => format!("Rows of {source} that represent {}", file_name(target)),
        (None, false) => format!("Prototypes of {source}"),
    }
}

/// The file name under which a result is saved, after the data it is about.
///
/// # Examples
///
/// ```
/// assert_eq!(protodash_report::attachment_name("data/wine.csv.gz", "prototypes"), "wine-prototypes.json");
/// ```
#[must_use]
pub fn attachment_name(path: &str, what: &str) -> String {
    let name = file_name(path);
    let stem = name.split('.').find(|part| !part.is_empty()).unwrap_or("result");
    format!("{stem}-{what}.json")
}

/// The last component of a path.
///
/// # Examples
///
/// ```
/// assert_eq!(protodash_report::file_name("data/wine.csv"), "wine.csv");
/// ```
#[must_use]
pub fn file_name(path: &str) -> String {
    Path::new(path).file_name().map_or_else(|| path.to_owned(), |name| name.to_string_lossy().into_owned())
}
