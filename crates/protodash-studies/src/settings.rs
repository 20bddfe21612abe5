//! What is asked of a study, whichever it is.

use std::path::PathBuf;

/// What is asked of a study.
///
/// # Examples
///
/// ```
/// use protodash_studies::Settings;
///
/// let taste = Settings { quick: true, threads: 2, ..Settings::new("data".into(), "mnist-study".into()) };
/// assert_eq!((taste.size, taste.seed), (None, 0));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// The folder with the files of the study, or with a folder of the study's name that has them.
    pub data: PathBuf,
    /// The folder for the journal and the results; made if it is not there.
    pub output: PathBuf,
    /// A small protocol instead of the full one.
    pub quick: bool,
    /// How large it is to be: trials of `mnist`, draws of RandomW in `retail`, people of each population in `nhanes`;
    /// `None` means what the protocol has.
    pub size: Option<usize>,
    /// Seed of every draw.
    pub seed: u64,
    /// How many units are worked on at once.
    pub threads: usize,
    /// Bytes that data and kernel columns may take; data that do not fit are refused.
    pub memory: u64,
}

impl Settings {
    /// The full protocol on one thread.
    ///
    /// # Examples
    ///
    /// ```
    /// let settings = protodash_studies::Settings::new("data".into(), "out".into());
    /// assert!(!settings.quick && settings.threads == 1);
    /// ```
    #[must_use]
    pub fn new(data: PathBuf, output: PathBuf) -> Settings {
        Settings { data, output, quick: false, size: None, seed: 0, threads: 1, memory: u64::MAX }
    }
}
