//! Runs the study from data files to findings.

use std::collections::HashSet;

use protodash::Gaussian;
use serde::{Deserialize, Serialize};

use super::bandwidth::{self, BandwidthChoice};
use super::claims::{claims, remarks};
use super::data::{self, Mnist};
use super::figures::Averages;
use super::gallery::{self, Curator, DigitGallery};
use super::protocol::{MnistProtocol, TargetSet};
use super::trial::{DigitContext, DigitOutcome};
use super::{MnistFindings, writeup};
use crate::counter::UnitCounter;
use crate::error::{Error, Result};
use crate::journal::{Journal, OpenedJournal};
use crate::observe::StudyObserver;
use crate::outputs;
use crate::settings::Settings;
use crate::units::run_all;

/// Number of trials in the paper.
pub(super) const TRIALS: usize = 100;
/// Number of trials of the quick version; two, so that there are intervals.
const QUICK_TRIALS: usize = 2;

/// A line of the journal.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum MnistUnit {
    Bandwidth(BandwidthChoice),
    TargetSet(Box<DigitOutcome>),
    Galleries(Vec<DigitGallery>),
}

/// Contents of the journal by kind.
#[derive(Default)]
struct Finished {
    bandwidth: Option<BandwidthChoice>,
    outcomes: Vec<DigitOutcome>,
    galleries: Option<Vec<DigitGallery>>,
}

/// Runs the units that the journal in the output folder does not have yet, and writes the findings.
///
/// Writes `journal.jsonl`, `results.json`, `results.md`, `figure_3a.csv` to `figure_4c.csv` and `figure_5.csv` into the
/// output folder. Trials run on [`Settings::threads`] separate threads, everything else on the current `rayon` pool.
/// Apart from times, the figures depend neither on the number of threads nor on interruptions.
///
/// # Errors
///
/// If the data are missing or not MNIST, if the output folder cannot be written or belongs to a run with other
/// settings, and [`Error::Stopped`] when the observer stops the study; finished units are kept.
///
/// # Examples
///
/// ```
/// use protodash_studies::{Settings, UnobservedStudy, mnist::run};
///
/// let folder = tempfile::tempdir()?;
/// let settings = Settings::new(folder.path().join("nothing"), folder.path().join("out"));
/// assert!(run(&settings, &UnobservedStudy).unwrap_err().to_string().contains("not found"));
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn run(settings: &Settings, observer: &dyn StudyObserver) -> Result<MnistFindings> {
    let (protocol, n_trials) = match settings.quick {
        true => (MnistProtocol::quick(settings.seed), settings.size.unwrap_or(QUICK_TRIALS)),
        false => (MnistProtocol::full(settings.seed), settings.size.unwrap_or(TRIALS)),
    };
    if n_trials == 0 {
        return Err(Error::Setting { name: "the number of trials", given: 0, allowed: "at least 1" });
    }
    observer.on_unit("reading images");
    let mnist = Mnist::load(&settings.data, settings.memory, observer)?;
    outputs::make_folder(&settings.output)?;
    let path = settings.output.join("journal.jsonl");
    let OpenedJournal { journal, units } =
        Journal::open(&path, ("mnist", &protocol), &data::files(&settings.data)?, observer)?;
    let mut finished = Finished::from(units);
    let bandwidth = match finished.bandwidth.take() {
        Some(bandwidth) => bandwidth,
        None => {
            observer.on_unit("choosing the bandwidth");
            let bandwidth = bandwidth::choose(&mnist, &protocol, observer)?;
            journal.append(&MnistUnit::Bandwidth(bandwidth.clone()))?;
            bandwidth
        }
    };
    let kernel = Gaussian::new(bandwidth.bandwidth)?;
    let column_memory = settings.memory / settings.threads.max(1) as u64;
    let context = DigitContext { mnist: &mnist, protocol: &protocol, kernel, column_memory, observer };
    let outcomes = trials(&context, &journal, finished.outcomes, (n_trials, settings.threads))?;
    let galleries = match finished.galleries.take() {
        Some(galleries) => galleries,
        None => {
            observer.on_unit("choosing images for the galleries");
            let galleries = Curator { mnist: &mnist, protocol: &protocol, kernel, observer }.galleries()?;
            journal.append(&MnistUnit::Galleries(galleries.clone()))?;
            galleries
        }
    };
    let findings = findings(&protocol, n_trials, bandwidth, &outcomes, galleries, &mnist.test.digits)?;
    write(settings, &findings)?;
    Ok(findings)
}

/// Outcomes of all target sets: those in the journal, and those computed now.
fn trials(
    context: &DigitContext<'_>,
    journal: &Journal,
    known: Vec<DigitOutcome>,
    (n_trials, threads): (usize, usize),
) -> Result<Vec<DigitOutcome>> {
    let all = context.protocol.target_sets(n_trials);
    let asked: HashSet<TargetSet> = all.iter().copied().collect();
    let mut outcomes: Vec<DigitOutcome> = known.into_iter().filter(|outcome| asked.contains(&outcome.set)).collect();
    let there: HashSet<TargetSet> = outcomes.iter().map(|outcome| outcome.set).collect();
    let missing: Vec<TargetSet> = all.iter().copied().filter(|set| !there.contains(set)).collect();
    let counter = UnitCounter::new(context.observer, there.len(), all.len());
    let found = std::sync::Mutex::new(Vec::new());
    let job = |source: &mut _, set: &TargetSet| {
        let outcome = context.outcome(source, *set)?;
        let unit = MnistUnit::TargetSet(Box::new(outcome));
        journal.append(&unit)?;
        if let MnistUnit::TargetSet(outcome) = unit {
            found.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(*outcome);
        }
        Ok(())
    };
    run_all(&missing, threads, || None, |source, set| counter.unit(set.to_string(), || job(source, set)))?;
    outcomes.extend(found.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner));
    outcomes.sort_by_key(|outcome| outcome.set);
    Ok(outcomes)
}

impl From<Vec<MnistUnit>> for Finished {
    fn from(units: Vec<MnistUnit>) -> Finished {
        let mut finished = Finished::default();
        for unit in units {
            match unit {
                MnistUnit::Bandwidth(bandwidth) => finished.bandwidth = Some(bandwidth),
                MnistUnit::TargetSet(outcome) => finished.outcomes.push(*outcome),
                MnistUnit::Galleries(galleries) => finished.galleries = Some(galleries),
            }
        }
        finished
    }
}

fn findings(
    protocol: &MnistProtocol,
    n_trials: usize,
    bandwidth: BandwidthChoice,
    outcomes: &[DigitOutcome],
    galleries: Vec<DigitGallery>,
    test_digits: &[usize],
) -> Result<MnistFindings> {
    let in_source: Vec<[usize; 10]> = (0..n_trials).map(|trial| protocol.source_digits(test_digits, trial)).collect();
    let averages = Averages { outcomes, sizes: &protocol.sizes(), in_source: &in_source };
    let claims = claims(&averages, &galleries, test_digits);
    let protocol = serde_json::to_value(protocol)
        .map_err(|cause| Error::Write { path: "results.json".into(), cause: cause.into() })?;
    Ok(MnistFindings {
        schema: 1,
        study: "mnist".into(),
        protocol,
        n_trials,
        seconds: outcomes.iter().map(|outcome| outcome.seconds).sum(),
        bandwidth,
        figures: averages.figures(),
        galleries,
        remarks: remarks(&averages, &claims),
        claims,
    })
}

fn write(settings: &Settings, findings: &MnistFindings) -> Result<()> {
    let folder = &settings.output;
    outputs::write_figures(folder, &findings.figures)?;
    outputs::write_text(folder, "figure_5.csv", &gallery::csv(&findings.galleries))?;
    outputs::write_text(folder, "results.md", &writeup::writeup(findings, None)?.markdown())?;
    outputs::write_json(folder, findings)
}
