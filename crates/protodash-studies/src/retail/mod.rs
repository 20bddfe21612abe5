//! Section V-A: which regular customers stand for the loyal, and does training on them predict better?
//!
//! The paper's data are proprietary. Two public stand-ins take their place: the invoices of an online gift shop, of two
//! years, and the visitors of a web shop.

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

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use self::protocol::Protocol;
pub use self::run::run;
use crate::claim::{self, Claim};
use crate::figure::Figure;
use crate::table::Table;
use crate::writeup::Writeup;

/// Draws of RandomW in the full protocol.
const DRAWS: usize = 10;
/// Draws of RandomW for a taste.
const QUICK_DRAWS: usize = 2;

/// What is asked of the study.
///
/// # Examples
///
/// ```
/// use protodash_studies::retail::Settings;
///
/// let settings = Settings { quick: true, ..Settings::new("data".into(), "retail-study".into()) };
/// assert_eq!(settings.n_trials(), 2);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// The folder with the invoices of both years and the online shoppers, or with a folder `retail` that has them.
    pub data: PathBuf,
    /// The folder for the journal and the results; made if it is not there.
    pub output: PathBuf,
    /// A small protocol instead of the paper's.
    pub quick: bool,
    /// How often RandomW draws; `None` means as often as the protocol says.
    pub trials: Option<usize>,
    /// Seed of every draw.
    pub seed: u64,
    /// How many units are worked on at once.
    pub threads: usize,
    /// Bytes that kernel columns may take.
    pub memory: u64,
}

impl Settings {
    /// The full protocol on one thread.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash_studies::retail::Settings;
    ///
    /// assert_eq!(Settings::new("data".into(), "out".into()).n_trials(), 10);
    /// ```
    pub fn new(data: PathBuf, output: PathBuf) -> Settings {
        Settings { data, output, quick: false, trials: None, seed: 0, threads: 1, memory: u64::MAX }
    }

    /// How often RandomW draws.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash_studies::retail::Settings;
    ///
    /// let settings = Settings { trials: Some(3), ..Settings::new("data".into(), "out".into()) };
    /// assert_eq!(settings.n_trials(), 3);
    /// ```
    pub fn n_trials(&self) -> usize {
        self.trials.unwrap_or(if self.quick { QUICK_DRAWS } else { DRAWS })
    }

    fn protocol(&self) -> Protocol {
        if self.quick { Protocol::quick(self.seed) } else { Protocol::full(self.seed) }
    }
}

/// What the study found.
///
/// # Examples
///
/// ```no_run
/// use protodash_studies::Unwatched;
/// use protodash_studies::retail::{Settings, run};
///
/// let settings = Settings { quick: true, ..Settings::new("data".into(), "retail-study".into()) };
/// let findings = run(&settings, &Unwatched)?;
/// assert_eq!(findings.figures[0].name, "1a");
/// # Ok::<(), protodash_studies::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Findings {
    /// The version of this shape.
    pub schema: u32,
    /// `retail`.
    pub study: String,
    /// What was done, as the journal states it.
    pub protocol: serde_json::Value,
    /// How often RandomW drew.
    pub n_trials: usize,
    /// What a reader has to know of the stand-ins and the rules.
    pub notes: Vec<(String, String)>,
    /// Figures 1 and 2.
    pub figures: Vec<Figure>,
    /// Who takes part, what became of prototypes, what choices cost.
    pub tables: Vec<Table>,
    /// The claims of the section.
    pub claims: Vec<Claim>,
}

impl Findings {
    /// The study as a page and as Markdown.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// # let settings = protodash_studies::retail::Settings::new("data".into(), "out".into());
    /// let findings = protodash_studies::retail::run(&settings, &protodash_studies::Unwatched)?;
    /// assert!(findings.writeup().markdown().starts_with("# Retail"));
    /// # Ok::<(), protodash_studies::Error>(())
    /// ```
    pub fn writeup(&self) -> Writeup {
        let mut summary = vec![
            claim::summary("section V-A of the paper", &self.claims),
            "The paper's data are proprietary: public data stand in for them, and nothing is confirmed or refuted for the \
             paper's shop"
                .to_owned(),
        ];
        if !self.protocol["n_customers"].is_null() {
            summary.push(format!(
                "This is a taste: at most {} customers of each side take part. Its verdicts are not those of the study",
                self.protocol["n_customers"]
            ));
        }
        Writeup {
            title: "Retail: do the regular customers that stand for the loyal predict better?".into(),
            summary,
            protocol: self.notes.clone(),
            claims: self.claims.clone(),
            figures: self.figures.clone(),
            tables: self.tables.clone(),
            results: serde_json::to_string(self).ok().map(|json| ("retail-study.json".into(), json)),
            ..Writeup::default()
        }
    }
}
