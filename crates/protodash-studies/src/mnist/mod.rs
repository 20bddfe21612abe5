//! Section V-B: prototypes of handwritten digits, for targets that are more and more one digit.

mod bandwidth;
mod claims;
mod data;
mod figures;
mod gallery;
mod neighbours;
mod protocol;
mod run;
mod trial;
mod writeup;

use serde::{Deserialize, Serialize};

pub use self::bandwidth::{Bandwidth, Width};
use self::data::Mnist;
pub use self::gallery::{Gallery, Shown};
pub use self::run::run;
use crate::claim::Claim;
use crate::error::Result;
use crate::figure::Figure;
use crate::settings::Settings;
use crate::watch::Watcher;
use crate::writeup::Writeup;

/// What the study found.
///
/// # Examples
///
/// ```no_run
/// use protodash_studies::{Settings, Unwatched, mnist::run};
///
/// let settings = Settings { quick: true, ..Settings::new("data".into(), "mnist-study".into()) };
/// let findings = run(&settings, &Unwatched)?;
/// assert_eq!(findings.figures.len(), 6);
/// # Ok::<(), protodash_studies::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Findings {
    /// The version of this shape.
    pub schema: u32,
    /// `mnist`.
    pub study: String,
    /// What was done, as the journal states it.
    pub protocol: serde_json::Value,
    /// In how many trials.
    pub n_trials: usize,
    /// How much processor time the trials took.
    pub seconds: f64,
    /// The width of the kernel.
    pub bandwidth: Bandwidth,
    /// Figures 3 and 4.
    pub figures: Vec<Figure>,
    /// Figure 5.
    pub galleries: Vec<Gallery>,
    /// The claims of the section.
    pub claims: Vec<Claim>,
    /// What a reader of the claims must not miss, in sentences.
    #[serde(default)]
    pub remarks: Vec<String>,
}

impl Findings {
    /// The study as a page and as Markdown, with its images, which are read from the data.
    ///
    /// # Errors
    ///
    /// If the data are not there any more.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// use protodash_studies::{Settings, Unwatched, mnist::run};
    ///
    /// let settings = Settings::new("data".into(), "out".into());
    /// let writeup = run(&settings, &Unwatched)?.writeup(&settings, &Unwatched)?;
    /// assert_eq!(writeup.figures.len(), 6);
    /// # Ok::<(), protodash_studies::Error>(())
    /// ```
    pub fn writeup(&self, settings: &Settings, watcher: &dyn Watcher) -> Result<Writeup> {
        writeup::writeup(self, Some(&Mnist::load_test(&settings.data, settings.memory, watcher)?))
    }
}
