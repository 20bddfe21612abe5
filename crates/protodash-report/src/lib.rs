//! Turns a finished result into one HTML page that opens offline, prints well and can be mailed.
//!
//! Plain structs go in, one string comes out: [`render`] is the verb and [`Report`] what it takes. This crate reads and
//! writes no file, knows no algorithm and asks nobody for anything; whoever has the result gathers what the page shows.
//!
//! What can be shown without a script is HTML and SVG by the time the page is made; the script adds the slider, sorting,
//! tooltips, the theme and the download. Text from the data reaches the page through one module, which escapes it,
//! and a Content-Security-Policy names the hash of the page's own style and script and forbids everything else.
//!
//! ```
//! use protodash_report::{Body, Prototype, Report, Row, SelectionPage, render};
//!
//! let chosen = Prototype { row: Row { index: 7, ..Row::default() }, weight: 0.5, share: 1.0, ..Prototype::default() };
//! let page = SelectionPage { prototypes: vec![chosen], objective: vec![0.125], ..SelectionPage::default() };
//! let html = render(&Report::new("Prototypes of <data>", Body::Selection(Box::new(page))))?;
//! assert!(html.starts_with("<!DOCTYPE html>"));
//! assert!(html.contains("Prototypes of &lt;data&gt;"));
//! # Ok::<(), protodash_report::Error>(())
//! ```

mod assets;
mod chart;
mod comparison;
mod error;
mod examples;
mod html;
mod image;
pub mod numbers;
mod page;
mod relation;
mod report;
mod row;
mod section;
mod selection;
mod study;
mod typical;

pub use comparison::{ComparisonPage, Outcome, Overlap};
pub use error::{Error, Result};
pub use examples::examples;
pub use image::{Image, Images};
pub use page::render;
pub use relation::{RelatedPair, RelatedTable, RelationPage};
pub use report::{Attachment, Body, Report};
pub use row::{Cell, Row};
pub use selection::{
    Bandwidths, Class, Criticism, Map, MapPoint, Prototype, SelectionPage, ShiftedFeature, TriedBandwidth,
};
pub use study::{
    StudyCell, StudyClaim, StudyFigure, StudyGallery, StudyPage, StudyPoint, StudySeries, StudyStrip, StudyTable,
    StudyVerdict,
};
pub use typical::{Column, Typical};
