//! Settings that all studies share.

use std::path::PathBuf;

/// Settings of a study.
///
/// # Examples
///
/// ```
/// use protodash_studies::Settings;
///
/// let quick = Settings { quick: true, threads: 2, ..Settings::new("data".into(), "mnist-study".into()) };
/// assert_eq!((quick.size, quick.seed), (None, 0));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// Folder with the data files, or with a subfolder of the study's name that has them.
    pub data: PathBuf,
    /// Folder for the journal and the results; created if missing.
    pub output: PathBuf,
    /// Whether to run the small protocol instead of the full one.
    pub quick: bool,
    /// Number of trials (`mnist`), of random draws of RandomW (`retail`) or of people in each population (`nhanes`);
    /// `None` takes the protocol's number.
    pub size: Option<usize>,
    /// Random seed.
    pub seed: u64,
    /// Number of units that run at the same time.
    pub threads: usize,
    /// Bytes for data and kernel columns; data that do not fit are an error.
    pub memory: u64,
}

impl Settings {
    /// Settings for the full protocol on one thread.
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
