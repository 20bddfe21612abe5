//! Section V-A: do regular customers that represent the loyal ones train a better regression?
//!
//! The paper's data are proprietary. Two public data sets replace them: two years of invoices of an online gift shop,
//! and the visitors of a web shop.

mod claims;
mod data;
mod errors;
mod evidence;
mod figures;
mod growth;
mod invoices;
mod protocol;
mod run;
mod svr;
mod trial;

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
/// use protodash_studies::{Settings, UnobservedStudy, retail::run};
///
/// let settings = Settings { quick: true, ..Settings::new("data".into(), "retail-study".into()) };
/// let findings = run(&settings, &UnobservedStudy)?;
/// assert_eq!(findings.figures[0].name, "1a");
/// # Ok::<(), protodash_studies::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RetailFindings {
    /// Version of this format.
    pub schema: u32,
    /// `retail`.
    pub study: String,
    /// The protocol, as in the journal.
    pub protocol: serde_json::Value,
    /// Number of draws of RandomW.
    pub n_trials: usize,
    /// Notes on the data and the methods.
    pub notes: Vec<(String, String)>,
    /// Figures 1 and 2.
    pub figures: Vec<Figure>,
    /// Groups, follow-up of prototypes, and cost of selections.
    pub tables: Vec<ResultTable>,
    /// The claims of the section.
    pub claims: Vec<Claim>,
}

impl RetailFindings {
    /// The write-up.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # let settings = protodash_studies::Settings::new("data".into(), "out".into());
    /// let findings = protodash_studies::retail::run(&settings, &protodash_studies::UnobservedStudy)?;
    /// assert!(findings.writeup().markdown().starts_with("# Retail"));
    /// # Ok::<(), protodash_studies::Error>(())
    /// ```
    pub fn writeup(&self) -> Writeup {
        let proprietary =
            "The paper's data are proprietary: public data stand in for them, so nothing is confirmed or refuted \
                           for the paper's shop"
                .to_owned();
        let (limit, remarks) = match &self.protocol["n_customers"] {
            serde_json::Value::Null => (proprietary, Vec::new()),
            most => {
                let quick = format!(
                    "This is a quick version, with at most {most} customers of each side, whose verdicts are not those of the \
                     full study"
                );
                (quick, vec![proprietary])
            }
        };
        let question = "Regular customers of an online gift shop and visitors of a web shop, chosen to represent the loyal \
                        ones, were added to the training data of a regression that predicts what people spend";
        Writeup {
            title: "Retail: do regular customers chosen to represent the loyal predict better?".into(),
            opening: [question.to_owned(), claim::summary("section V-A of the paper", &self.claims), limit],
            remarks,
            protocol: self.notes.clone(),
            claims: self.claims.clone(),
            figures: self.figures.clone(),
            tables: self.tables.clone(),
            results: serde_json::to_string(self).ok().map(|json| ("retail-study.json".into(), json)),
            ..Writeup::default()
        }
    }
}
