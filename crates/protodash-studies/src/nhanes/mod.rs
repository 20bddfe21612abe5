//! Section V-C: which health questionnaires represent which others, and which are most important.

mod claims;
mod codebook;
mod data;
mod evidence;
mod figures;
mod notes;
mod protocol;
mod ranks;
mod run;
mod statements;
mod trial;

use protodash_report::RelationPage;
use serde::{Deserialize, Serialize};

pub use self::run::run;
use crate::claim::{self, Claim};
use crate::figure::Figure;
use crate::table::ResultTable;
use crate::writeup::Writeup;

/// Findings of the study.
///
/// # Examples
///
/// ```no_run
/// use protodash_studies::{Settings, UnobservedStudy, nhanes::run};
///
/// let settings = Settings { quick: true, ..Settings::new("data".into(), "nhanes-study".into()) };
/// let findings = run(&settings, &UnobservedStudy)?;
/// assert_eq!(findings.figures[0].name, "6b");
/// # Ok::<(), protodash_studies::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct NhanesFindings {
    /// Version of this format.
    pub schema: u32,
    /// `nhanes`.
    pub study: String,
    /// The protocol, as in the journal.
    pub protocol: serde_json::Value,
    /// The settings in which the paper's two findings hold, in sentences.
    #[serde(default)]
    pub statements: Vec<String>,
    /// Notes on the data and on what could not be reproduced.
    pub notes: Vec<(String, String)>,
    /// Figure 6b.
    pub figures: Vec<Figure>,
    /// People, ranks and representatives.
    pub tables: Vec<ResultTable>,
    /// The claims of the section, in each setting.
    pub claims: Vec<Claim>,
    /// The graph of the first setting, for the report; `pairs.csv` has the pairs of all settings.
    pub relation: Option<RelationPage>,
}

impl NhanesFindings {
    /// The write-up.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # let settings = protodash_studies::Settings::new("data".into(), "out".into());
    /// let findings = protodash_studies::nhanes::run(&settings, &protodash_studies::UnobservedStudy)?;
    /// assert!(findings.writeup().markdown().starts_with("# Health questionnaires"));
    /// # Ok::<(), protodash_studies::Error>(())
    /// ```
    pub fn writeup(&self) -> Writeup {
        let question = "The prototypes of each health questionnaire were judged by how well they represent every other one, \
                        for several groups of people, kernels and methods";
        let holding =
            claim::summary("sections V and V-C of the paper, counted in up to eight settings each,", &self.claims);
        let limit = match &self.protocol["n_people"] {
            serde_json::Value::Null => claim::CRITERIA.to_owned(),
            n_people => format!(
                "This is a quick version, with {n_people} people of each population, whose verdicts are not those of the full \
                 study"
            ),
        };
        Writeup {
            title: "Health questionnaires: which represent which others?".into(),
            opening: [question.to_owned(), holding, limit],
            remarks: self.statements.clone(),
            protocol: self.notes.clone(),
            claims: self.claims.clone(),
            figures: self.figures.clone(),
            tables: self.tables.clone(),
            relation: self.relation.clone(),
            results: serde_json::to_string(self).ok().map(|json| ("nhanes-study.json".into(), json)),
            ..Writeup::default()
        }
    }
}
