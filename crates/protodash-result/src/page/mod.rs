//! What a page shows, gathered from a result and its data. How it looks is `protodash-report`'s business.

mod cells;
mod columns;
mod gather;
mod image_shape;
mod map;
mod of_result;
mod pictures;
mod settings;
mod telling;

use std::ops::ControlFlow;
use std::path::Path;

use arrow_array::RecordBatch;
use ndarray::ArrayRef2;
use protodash::{Error as CoreError, Kernel, Observer, Prototype, RepresentationPath, Role, Scalar, Unobserved};
use protodash_report::{Attachment, Body, Report};
use protodash_table::{Feature, RowMap};

use crate::document::Document;
use crate::error::{Error, Result};
use crate::sentences::{Asked, selection_sentence};

pub use cells::Cells;
pub use image_shape::ImageShape;
pub use settings::{file_settings, kernel_words, selection_settings};

/// Where rows can be read again as they stand in the data.
///
/// # Examples
///
/// ```
/// use arrow_array::RecordBatch;
/// use protodash::Role;
/// use protodash_result::{Result, Tables};
/// use protodash_table::Input;
///
/// struct OneFile(Input);
/// impl Tables for OneFile {
///     fn is_one(&self) -> bool {
///         true
///     }
///     fn rows(&self, _: Role, numbers: &[u64]) -> Result<RecordBatch> {
///         Ok(self.0.rows(numbers)?)
///     }
/// }
/// # let directory = tempfile::tempdir()?;
/// # let path = directory.path().join("a.csv");
/// std::fs::write(&path, "age\n30\n40\n")?;
/// let file = OneFile(Input::open(&path, &Default::default())?);
/// assert_eq!(file.rows(Role::Source, &[1])?.num_rows(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Tables: Sync {
    /// Whether one table holds both sides.
    ///
    /// # Examples
    ///
    /// See [`Tables`].
    fn is_one(&self) -> bool;

    /// These rows of a side's table, in that order, with all their columns.
    ///
    /// # Errors
    ///
    /// What the reader says.
    ///
    /// # Examples
    ///
    /// See [`Tables`].
    fn rows(&self, role: Role, numbers: &[u64]) -> Result<RecordBatch>;
}

/// Whoever watches a page being gathered.
///
/// # Examples
///
/// ```
/// use std::ops::ControlFlow;
/// use protodash_result::Watcher;
///
/// assert_eq!(protodash::Unobserved.on_part("drawing the map"), ControlFlow::Continue(()));
/// ```
pub trait Watcher: Observer {
    /// Hears that a part of the work is begun, and says whether to go on.
    ///
    /// # Examples
    ///
    /// See [`Watcher`].
    fn on_part(&mut self, what: &str) -> ControlFlow<()>;
}

impl Watcher for Unobserved {
    fn on_part(&mut self, _: &str) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// The data that a selection was made from.
///
/// # Examples
///
/// See [`selection_report`].
pub struct Origin<'a, T, K: ?Sized> {
    /// The rows to be represented.
    pub target: &'a ArrayRef2<T>,
    /// The rows to choose from.
    pub source: &'a ArrayRef2<T>,
    /// What compares them.
    pub kernel: &'a K,
    /// The chosen rows, by their places in the matrix.
    pub prototypes: &'a [Prototype],
    /// What is known of source rows.
    pub source_rows: &'a RowMap,
    /// What is known of target rows; `None` where they are those of the source.
    pub target_rows: Option<&'a RowMap>,
    /// What the columns of the matrices are; none for kernel matrices.
    pub features: &'a [Feature],
    /// The shape of rows that are images.
    pub image_shape: Option<ImageShape>,
    /// Where rows are read again.
    pub tables: &'a dyn Tables,
    /// Who stands for whom, where `kernel` is not the one that they were compared with; `None` asks `kernel`.
    pub path: Option<RepresentationPath>,
}

impl<T, K: ?Sized> Origin<'_, T, K> {
    fn rows(&self, role: Role) -> &RowMap {
        self.target_rows.filter(|_| role == Role::Target).unwrap_or(self.source_rows)
    }

    fn matrix(&self, role: Role) -> &ArrayRef2<T> {
        if role == Role::Target { self.target } else { self.source }
    }
}

impl<T: Scalar, K: Kernel<T> + ?Sized> Origin<'_, T, K> {
    /// Whether the columns hold category codes.
    fn compares_codes(&self) -> bool {
        self.kernel.built_in().is_some_and(|kernel| kernel.definition().compares_codes)
    }
}

/// What adds the data to the page of a result alone, as that page says it.
///
/// # Examples
///
/// ```
/// use protodash::Gaussian;
/// use protodash_result::{Asked, Document, WHAT_ADDS_DATA, selection_report};
///
/// let document: Document = serde_json::from_str(Document::EXAMPLE)?;
/// let report = selection_report::<f64, Gaussian>(&document, None, Asked::default(), &mut protodash::Unobserved)?;
/// assert!(report.missing[0].contains(WHAT_ADDS_DATA));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub const WHAT_ADDS_DATA: &str = "“protodash report RESULT.json SOURCE”";

/// The page of a selection: what the result says, and what the data add to it if they are there.
///
/// # Errors
///
/// If the rows cannot be read again, do not fit the kernel, or `watcher` wants to stop.
///
/// # Examples
///
/// ```
/// use protodash::Gaussian;
/// use protodash_result::{Asked, Document, selection_report};
///
/// let document: Document = serde_json::from_str(Document::EXAMPLE)?;
/// let report = selection_report::<f64, Gaussian>(&document, None, Asked::default(), &mut protodash::Unobserved)?;
/// assert_eq!(report.title, "Prototypes of people.csv");
/// assert!(report.missing[0].starts_with("the values of the rows"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn selection_report<T: Scalar, K: Kernel<T> + ?Sized>(
    document: &Document,
    origin: Option<&Origin<'_, T, K>>,
    asked: Asked,
    watcher: &mut dyn Watcher,
) -> Result<Report> {
    let mut page = of_result::page(document, asked);
    let mut missing = Vec::new();
    match origin {
        None => missing.push(format!(
            "the values of the rows, their pictures, examples, the rows that each prototype stood for at smaller sizes \
             and the map: they are in the data, not in the result; {WHAT_ADDS_DATA} adds them"
        )),
        Some(origin) => gather::add(document, origin, watcher, &mut page, &mut missing)?,
    }
    let mut report = Report::new(title(document), Body::Selection(Box::new(page)));
    report.lead.push(selection_sentence(document, asked));
    report.settings = selection_settings(document);
    report.missing = missing;
    let mut json = Vec::new();
    document.write(&mut json)?;
    let name = attachment_name(&document.data.source, "prototypes");
    report.result = Some(Attachment { name, json: String::from_utf8_lossy(&json).into_owned() });
    Ok(report)
}

fn title(document: &Document) -> String {
    let source = file_name(&document.data.source);
    match &document.data.target {
        Some(target) => format!("Rows of {source} that stand for {}", file_name(target)),
        None => format!("Prototypes of {source}"),
    }
}

/// The name under which a result is saved, after the file that it is about.
///
/// # Examples
///
/// ```
/// assert_eq!(protodash_result::attachment_name("data/wine.csv.gz", "prototypes"), "wine-prototypes.json");
/// ```
#[must_use]
pub fn attachment_name(path: &str, what: &str) -> String {
    let name = file_name(path);
    let stem = name.split('.').find(|part| !part.is_empty()).unwrap_or("result");
    format!("{stem}-{what}.json")
}

/// A file's name without its folder.
///
/// # Examples
///
/// ```
/// assert_eq!(protodash_result::file_name("data/wine.csv"), "wine.csv");
/// ```
#[must_use]
pub fn file_name(path: &str) -> String {
    Path::new(path).file_name().map_or_else(|| path.to_owned(), |name| name.to_string_lossy().into_owned())
}

/// Tells the watcher that a part is begun; an error if it wants to stop.
fn begin(watcher: &mut dyn Watcher, what: &str) -> Result<()> {
    if watcher.on_part(what).is_break() { Err(Error::Core(CoreError::Cancelled)) } else { Ok(()) }
}
