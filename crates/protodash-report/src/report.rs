//! What a page is made from, whatever its kind.

use crate::comparison::ComparisonPage;
use crate::relation::RelationPage;
use crate::selection::SelectionPage;
use crate::study::StudyPage;

/// All that a page shows.
///
/// # Examples
///
/// ```
/// use protodash_report::{Body, Report, SelectionPage, render};
///
/// let mut report = Report::new("Prototypes of wine.csv", Body::Selection(Box::new(SelectionPage::default())));
/// report.lead.push("5 of 178 rows explain 90 % of the data".to_owned());
/// assert!(render(&report)?.contains("5 of 178 rows explain 90 % of the data"));
/// # Ok::<(), protodash_report::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// What the page is about, in a few words.
    pub title: String,
    /// What was found, the most important sentence first.
    pub lead: Vec<String>,
    /// What was asked: names with values.
    pub settings: Vec<(String, String)>,
    /// What the page would show as well if more were known, one sentence each.
    pub missing: Vec<String>,
    /// The result itself, to be downloaded from the page.
    pub result: Option<Attachment>,
    /// The rest, by its kind.
    pub body: Body,
}

impl Report {
    /// A report with a title and a body, and nothing said about them.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash_report::{Body, Report, SelectionPage};
    ///
    /// let report = Report::new("Prototypes", Body::Selection(Box::new(SelectionPage::default())));
    /// assert!(report.lead.is_empty() && report.result.is_none());
    /// ```
    pub fn new(title: impl Into<String>, body: Body) -> Report {
        let (lead, settings, missing) = (Vec::new(), Vec::new(), Vec::new());
        Report { title: title.into(), lead, settings, missing, result: None, body }
    }
}

/// A file inside the page.
///
/// # Examples
///
/// ```
/// use protodash_report::{Attachment, Body, Report, SelectionPage, render};
///
/// let mut report = Report::new("Prototypes", Body::Selection(Box::new(SelectionPage::default())));
/// report.result = Some(Attachment { name: "result.json".to_owned(), json: "{\"schema\": 1}".to_owned() });
/// assert!(render(&report)?.contains("{\"schema\": 1}"));
/// # Ok::<(), protodash_report::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Attachment {
    /// The name under which it is saved.
    pub name: String,
    /// The result as JSON, in the format of the command. The slider of a selection takes the weights at each size from
    /// its `weights_path`, so that they are in the page once.
    pub json: String,
}

/// What kind of result a page shows.
///
/// # Examples
///
/// ```
/// use protodash_report::{Body, SelectionPage};
///
/// assert!(matches!(Body::Selection(Box::new(SelectionPage::default())), Body::Selection(_)));
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Body {
    /// Prototypes with their weights.
    Selection(Box<SelectionPage>),
    /// Several methods on the same data.
    Comparison(Box<ComparisonPage>),
    /// Tables and which represent which.
    Relation(Box<RelationPage>),
    /// Claims of a paper, and what was found.
    Study(Box<StudyPage>),
}
