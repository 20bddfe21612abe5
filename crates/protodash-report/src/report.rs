//! The input of a page.

use crate::comparison::ComparisonPage;
use crate::explanation::ExplanationPage;
use crate::relation::RelationPage;
use crate::reproduce::ReproducingCall;
use crate::selection::SelectionPage;
use crate::side_by_side::SideBySidePage;
use crate::study::StudyPage;

/// Everything a page shows.
///
/// # Examples
///
/// ```
/// use protodash_report::{Body, Report, StudyPage, render};
///
/// let mut report = Report::new("Prototypes of wine.csv", Body::Study(Box::new(StudyPage::default())));
/// report.lead.push("5 of 178 rows explain 90 % of the data".to_owned());
/// assert!(render(&report)?.contains("5 of 178 rows explain 90 % of the data"));
/// # Ok::<(), protodash_report::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// The title.
    pub title: String,
    /// The findings, most important sentence first.
    pub lead: Vec<String>,
    /// The settings, as names with values.
    pub settings: Vec<(String, String)>,
    /// Notes on how the data were read and encoded, one sentence each.
    pub notes: Vec<String>,
    /// What is missing and why, one sentence each.
    pub missing: Vec<String>,
    /// The result, for download from the page.
    pub result: Option<Attachment>,
    /// Calls that make the result and the page again.
    pub calls: Vec<ReproducingCall>,
    /// The content.
    pub body: Body,
}

impl Report {
    /// A report with a title and a body only.
    pub fn new(title: impl Into<String>, body: Body) -> Report {
        let (lead, settings, notes, missing) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Report { title: title.into(), lead, settings, notes, missing, result: None, calls: Vec::new(), body }
    }
}

/// A file embedded in the page.
#[derive(Debug, Clone, PartialEq)]
pub struct Attachment {
    /// Its file name.
    pub name: String,
    /// The result as JSON. The slider of a selection reads the weights at each size from its `weights_path`, so the
    /// page contains them only once.
    pub json: String,
}

/// The kind of result a page shows.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Body {
    /// Prototypes with their weights.
    Selection(Box<SelectionPage>),
    /// Several methods on the same data.
    Comparison(Box<ComparisonPage>),
    /// How tables represent each other.
    Relation(Box<RelationPage>),
    /// Rows next to the rows that represent them.
    Explanation(Box<ExplanationPage>),
    /// Two selections from the same table.
    SideBySide(Box<SideBySidePage>),
    /// A paper's claims and what was found.
    Study(Box<StudyPage>),
}
