//! Section V-B: prototypes of handwritten digits, for targets that are more and more one digit.

mod bandwidth;
mod claims;
mod data;
mod figures;
mod gallery;
mod neighbours;
mod protocol;
mod trial;
mod writeup;

use std::collections::HashSet;
use std::path::PathBuf;

use protodash::Gaussian;
use serde::{Deserialize, Serialize};

pub use self::bandwidth::{Bandwidth, Width};
use self::data::Mnist;
use self::figures::Averages;
use self::gallery::Curator;
pub use self::gallery::{Gallery, Shown};
use self::protocol::{Protocol, TargetSet};
use self::trial::{Bench, Outcome};
use crate::claim::Claim;
use crate::error::{Error, Result};
use crate::figure::Figure;
use crate::journal::{Journal, Opened};
use crate::outputs;
use crate::tally::Tally;
use crate::units::do_all;
use crate::watch::Watcher;
use crate::writeup::Writeup;

/// Trials of the paper.
const TRIALS: usize = 100;
/// Trials of a taste; two, so that there are intervals.
const QUICK_TRIALS: usize = 2;

/// What is asked of the study.
///
/// # Examples
///
/// ```
/// use protodash_studies::mnist::Settings;
///
/// let settings = Settings { quick: true, ..Settings::new("data".into(), "mnist-study".into()) };
/// assert_eq!(settings.n_trials(), 2);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// The folder with the four files of MNIST, or with a folder `mnist` that has them.
    pub data: PathBuf,
    /// The folder for the journal and the results; made if it is not there.
    pub output: PathBuf,
    /// A small protocol instead of the paper's.
    pub quick: bool,
    /// How many trials; `None` means as many as the protocol has.
    pub trials: Option<usize>,
    /// Seed of every draw.
    pub seed: u64,
    /// How many target sets are worked on at once.
    pub threads: usize,
    /// Bytes that the images and the kernel columns may take; images that do not fit are refused.
    pub memory: u64,
}

impl Settings {
    /// The paper's protocol on one thread.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash_studies::mnist::Settings;
    ///
    /// assert_eq!(Settings::new("data".into(), "out".into()).n_trials(), 100);
    /// ```
    pub fn new(data: PathBuf, output: PathBuf) -> Settings {
        Settings { data, output, quick: false, trials: None, seed: 0, threads: 1, memory: u64::MAX }
    }

    /// How many trials are asked for.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash_studies::mnist::Settings;
    ///
    /// let settings = Settings { trials: Some(7), ..Settings::new("data".into(), "out".into()) };
    /// assert_eq!(settings.n_trials(), 7);
    /// ```
    pub fn n_trials(&self) -> usize {
        self.trials.unwrap_or(if self.quick { QUICK_TRIALS } else { TRIALS })
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
/// use protodash_studies::mnist::{Settings, run};
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
    /// use protodash_studies::Unwatched;
    /// use protodash_studies::mnist::{Settings, run};
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

/// A line of the journal.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Unit {
    Bandwidth(Bandwidth),
    TargetSet(Box<Outcome>),
    Galleries(Vec<Gallery>),
}

/// What the journal holds, sorted.
#[derive(Default)]
struct Finished {
    bandwidth: Option<Bandwidth>,
    outcomes: Vec<Outcome>,
    galleries: Option<Vec<Gallery>>,
}

/// Runs the study, or what of it the journal in the output folder does not have yet, and writes what it found.
///
/// Writes `journal.jsonl`, `results.json`, `results.md`, `figure_3a.csv` to `figure_4c.csv` and `figure_5.csv` into the
/// output folder. Runs on the current `rayon` pool for what comes once, and on [`Settings::threads`] threads of its own
/// for the trials. The figures, but for times, do not depend on the number of threads nor on interruptions.
///
/// # Errors
///
/// If the data are not there or not MNIST, if the folder cannot be written to or holds trials of another protocol, and
/// [`Error::Stopped`] when the watcher stops it; finished units are then kept.
///
/// # Examples
///
/// ```
/// use protodash_studies::Unwatched;
/// use protodash_studies::mnist::{Settings, run};
///
/// let folder = tempfile::tempdir()?;
/// let settings = Settings::new(folder.path().join("nothing"), folder.path().join("out"));
/// assert!(run(&settings, &Unwatched).unwrap_err().to_string().contains("is not there"));
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn run(settings: &Settings, watcher: &dyn Watcher) -> Result<Findings> {
    let n_trials = settings.n_trials();
    if n_trials == 0 {
        return Err(Error::Setting { name: "the number of trials", given: 0, allowed: "at least 1" });
    }
    let protocol = settings.protocol();
    watcher.on_unit("reading images");
    let mnist = Mnist::load(&settings.data, settings.memory, watcher)?;
    outputs::make_folder(&settings.output)?;
    let path = settings.output.join("journal.jsonl");
    let Opened { journal, units } = Journal::open(&path, ("mnist", &protocol), &data::files(&settings.data)?, watcher)?;
    let mut finished = Finished::from(units);
    let bandwidth = match finished.bandwidth.take() {
        Some(bandwidth) => bandwidth,
        None => {
            watcher.on_unit("choosing the bandwidth");
            let bandwidth = bandwidth::choose(&mnist, &protocol, watcher)?;
            journal.append(&Unit::Bandwidth(bandwidth.clone()))?;
            bandwidth
        }
    };
    let kernel = Gaussian::new(bandwidth.bandwidth)?;
    let column_memory = settings.memory / settings.threads.max(1) as u64;
    let bench = Bench { mnist: &mnist, protocol: &protocol, kernel, column_memory, watcher };
    let outcomes = trials(&bench, &journal, finished.outcomes, (n_trials, settings.threads))?;
    let galleries = match finished.galleries.take() {
        Some(galleries) => galleries,
        None => {
            watcher.on_unit("choosing what the galleries show");
            let galleries = Curator { mnist: &mnist, protocol: &protocol, kernel, watcher }.galleries()?;
            journal.append(&Unit::Galleries(galleries.clone()))?;
            galleries
        }
    };
    let findings = findings(&protocol, n_trials, bandwidth, &outcomes, galleries, &mnist.test.digits)?;
    write(settings, &findings)?;
    Ok(findings)
}

/// The outcomes of all target sets: those that are known, and those that are found now.
fn trials(
    bench: &Bench<'_>,
    journal: &Journal,
    known: Vec<Outcome>,
    (n_trials, threads): (usize, usize),
) -> Result<Vec<Outcome>> {
    let all = bench.protocol.target_sets(n_trials);
    let asked: HashSet<TargetSet> = all.iter().copied().collect();
    let mut outcomes: Vec<Outcome> = known.into_iter().filter(|outcome| asked.contains(&outcome.set)).collect();
    let there: HashSet<TargetSet> = outcomes.iter().map(|outcome| outcome.set).collect();
    let missing: Vec<TargetSet> = all.iter().copied().filter(|set| !there.contains(set)).collect();
    let tally = Tally::new(bench.watcher, there.len(), all.len());
    let found = std::sync::Mutex::new(Vec::new());
    let job = |source: &mut _, set: &TargetSet| {
        let outcome = bench.outcome(source, *set)?;
        let unit = Unit::TargetSet(Box::new(outcome));
        journal.append(&unit)?;
        if let Unit::TargetSet(outcome) = unit {
            found.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(*outcome);
        }
        Ok(())
    };
    do_all(&missing, threads, || None, |source, set| tally.unit(set.to_string(), || job(source, set)))?;
    outcomes.extend(found.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner));
    outcomes.sort_by_key(|outcome| outcome.set);
    Ok(outcomes)
}

impl From<Vec<Unit>> for Finished {
    fn from(units: Vec<Unit>) -> Finished {
        let mut finished = Finished::default();
        for unit in units {
            match unit {
                Unit::Bandwidth(bandwidth) => finished.bandwidth = Some(bandwidth),
                Unit::TargetSet(outcome) => finished.outcomes.push(*outcome),
                Unit::Galleries(galleries) => finished.galleries = Some(galleries),
            }
        }
        finished
    }
}

fn findings(
    protocol: &Protocol,
    n_trials: usize,
    bandwidth: Bandwidth,
    outcomes: &[Outcome],
    galleries: Vec<Gallery>,
    test_digits: &[usize],
) -> Result<Findings> {
    let in_source: Vec<[usize; 10]> = (0..n_trials).map(|trial| protocol.source_digits(test_digits, trial)).collect();
    let averages = Averages { outcomes, sizes: &protocol.sizes(), in_source: &in_source };
    let claims = claims::claims(&averages, &galleries, test_digits);
    let protocol = serde_json::to_value(protocol)
        .map_err(|cause| Error::Write { path: "results.json".into(), cause: cause.into() })?;
    Ok(Findings {
        schema: 1,
        study: "mnist".into(),
        protocol,
        n_trials,
        seconds: outcomes.iter().map(|outcome| outcome.seconds).sum(),
        bandwidth,
        figures: averages.figures(),
        galleries,
        remarks: claims::remarks(&averages, &claims),
        claims,
    })
}

fn write(settings: &Settings, findings: &Findings) -> Result<()> {
    let folder = &settings.output;
    outputs::write_figures(folder, &findings.figures)?;
    outputs::write_whole(folder, "figure_5.csv", &gallery::csv(&findings.galleries))?;
    outputs::write_whole(folder, "results.md", &writeup::writeup(findings, None)?.markdown())?;
    outputs::write_json(folder, findings)
}
