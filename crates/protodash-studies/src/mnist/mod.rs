//! Section V-B: prototypes of handwritten digits, for targets that are increasingly skewed towards one digit.

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

pub use self::bandwidth::{BandwidthChoice, Width};
use self::data::Mnist;
pub use self::gallery::{DigitGallery, GalleryKind};
pub use self::run::run;
use crate::claim::Claim;
use crate::error::Result;
use crate::figure::Figure;
use crate::observe::StudyObserver;
use crate::settings::Settings;
use crate::writeup::Writeup;

/// Findings of the study.
///
/// # Examples
///
/// ```no_run
/// use protodash_studies::{Settings, UnobservedStudy, mnist::run};
///
/// let settings = Settings { quick: true, ..Settings::new("data".into(), "mnist-study".into()) };
/// let findings = run(&settings, &UnobservedStudy)?;
/// assert_eq!(findings.figures.len(), 6);
/// # Ok::<(), protodash_studies::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct MnistFindings {
    /// Version of this format.
    pub schema: u32,
    /// `mnist`.
    pub study: String,
    /// The protocol, as in the journal.
    pub protocol: serde_json::Value,
    /// Number of trials.
    pub n_trials: usize,
    /// CPU seconds of all trials.
    pub seconds: f64,
    /// The bandwidth.
    pub bandwidth: BandwidthChoice,
    /// Figures 3 and 4.
    pub figures: Vec<Figure>,
    /// Figure 5.
    pub galleries: Vec<DigitGallery>,
    /// The claims of the section.
    pub claims: Vec<Claim>,
    /// Remarks on the claims, in sentences.
    #[serde(default)]
    pub remarks: Vec<String>,
}

impl MnistFindings {
    /// The write-up; its images are read from the data.
    ///
    /// # Errors
    ///
    /// If the data are missing.
    ///
    /// # Examples
    ///
    /// ```no_run
    /// use protodash_studies::{Settings, UnobservedStudy, mnist::run};
    ///
    /// let settings = Settings::new("data".into(), "out".into());
    /// let writeup = run(&settings, &UnobservedStudy)?.writeup(&settings, &UnobservedStudy)?;
    /// assert_eq!(writeup.figures.len(), 6);
    /// # Ok::<(), protodash_studies::Error>(())
    /// ```
    pub fn writeup(&self, settings: &Settings, observer: &dyn StudyObserver) -> Result<Writeup> {
        writeup::writeup(self, Some(&Mnist::load_test(&settings.data, settings.memory, observer)?))
    }
}
