//! Runs the study from data files to findings.

use std::sync::{Mutex, PoisonError};

use super::RetailFindings;
use super::claims::claims;
use super::data::Shops;
use super::evidence::{RetailEvidence, RetailResult, RetailUnit};
use super::figures::RetailReading;
use super::protocol::{RetailProtocol, RetailTask, Set};
use super::trial::{ChoiceParams, RetailContext};
use crate::counter::UnitCounter;
use crate::error::{Error, Result};
use crate::journal::{Journal, OpenedJournal};
use crate::observe::StudyObserver;
use crate::outputs;
use crate::settings::Settings;
use crate::units::run_all;

/// Draws of RandomW in the full protocol.
const DRAWS: usize = 10;
/// Draws of RandomW in the quick version.
const QUICK_DRAWS: usize = 2;

/// Runs the units that the journal in the output folder does not have yet, and writes the findings.
///
/// Writes `journal.jsonl`, `results.json`, `results.md`, `figure_1a.csv` to `figure_2.csv` and a CSV file for each
/// table into the output folder. Apart from times, the figures depend neither on the number of threads nor on
/// interruptions.
///
/// # Errors
///
/// If the data are missing or wrong, if the output folder cannot be written or belongs to a run with other settings,
/// and [`Error::Stopped`] when the observer stops the study; finished units are kept.
///
/// # Examples
///
/// ```
/// use protodash_studies::{Settings, UnobservedStudy, retail::run};
///
/// let folder = tempfile::tempdir()?;
/// let settings = Settings::new(folder.path().join("nothing"), folder.path().join("out"));
/// assert!(run(&settings, &UnobservedStudy).unwrap_err().to_string().contains("not found"));
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn run(settings: &Settings, observer: &dyn StudyObserver) -> Result<RetailFindings> {
    let (protocol, n_draws) = match settings.quick {
        true => (RetailProtocol::quick(settings.seed), settings.size.unwrap_or(QUICK_DRAWS)),
        false => (RetailProtocol::full(settings.seed), settings.size.unwrap_or(DRAWS)),
    };
    if n_draws == 0 {
        return Err(Error::Setting { name: "the number of trials", given: 0, allowed: "at least 1" });
    }
    observer.on_unit("reading invoices and sessions");
    let shops = Shops::load(&settings.data, &protocol)?;
    outputs::make_folder(&settings.output)?;
    let path = settings.output.join("journal.jsonl");
    let OpenedJournal { journal, units } =
        Journal::open(&path, ("retail", &protocol), &Shops::files(&settings.data), observer)?;
    let evidence = Mutex::new(RetailEvidence::default());
    locked(&evidence).add(units);
    let column_memory = settings.memory / settings.threads.max(1) as u64;
    let context =
        RetailContext { shops: &shops, protocol: &protocol, column_memory, memory: settings.memory, observer };
    conduct(&context, &journal, &evidence, (n_draws, settings.threads))?;
    let evidence = evidence.into_inner().unwrap_or_else(PoisonError::into_inner);
    let findings = findings(&protocol, &RetailReading { evidence: &evidence, n_draws, protocol: &protocol })?;
    write(settings, &findings)?;
    Ok(findings)
}

/// Runs the missing units: bandwidths and numbers first, measurements of cost one at a time.
fn conduct(
    context: &RetailContext<'_>,
    journal: &Journal,
    evidence: &Mutex<RetailEvidence>,
    (n_draws, threads): (usize, usize),
) -> Result<()> {
    let phases = [
        (RetailTask::widths(), threads),
        (RetailTask::numbers(), threads),
        (RetailTask::trainings(n_draws), threads),
        (RetailTask::scales(context.protocol), 1),
    ];
    let all: Vec<RetailTask> = phases.iter().flat_map(|(tasks, _)| tasks.clone()).collect();
    let earlier = locked(evidence).n_done(&all);
    let counter = UnitCounter::new(context.observer, earlier, all.len());
    for (tasks, threads) in &phases {
        let missing = locked(evidence).missing(tasks);
        let job = |task: &RetailTask| {
            let unit = RetailUnit { task: task.clone(), found: found(context, evidence, task)? };
            journal.append(&unit)?;
            locked(evidence).add(vec![unit]);
            Ok(())
        };
        run_all(&missing, *threads, || (), |(), task| counter.unit(task.to_string(), || job(task)))?;
    }
    Ok(())
}

/// Result of a task.
fn found(context: &RetailContext<'_>, evidence: &Mutex<RetailEvidence>, task: &RetailTask) -> Result<RetailResult> {
    let width = |task: RetailTask| locked(evidence).width(&task).unwrap_or(1.0);
    let number = |task: RetailTask| locked(evidence).number(&task).unwrap_or(1);
    Ok(match task {
        RetailTask::Width { set } => {
            let problem = context.shops.problem(*set);
            RetailResult::Width(context.width(&problem.loyal, &problem.regular)?)
        }
        RetailTask::EarlierWidth => {
            let earlier = &context.shops.earlier;
            RetailResult::Width(context.width(&earlier.loyal, &earlier.regular)?)
        }
        RetailTask::Number { set } => {
            let problem = context.shops.problem(*set);
            RetailResult::Number(
                context.number((&problem.loyal, &problem.regular), width(RetailTask::Width { set: *set }))?,
            )
        }
        RetailTask::EarlierNumber => {
            let earlier = &context.shops.earlier;
            RetailResult::Number(context.number((&earlier.loyal, &earlier.regular), width(RetailTask::EarlierWidth))?)
        }
        RetailTask::Training { set, method, draw } => {
            let params = ChoiceParams {
                number: number(RetailTask::Number { set: *set }),
                width: width(RetailTask::Width { set: *set }),
                draw: *draw,
            };
            let outcome = context.training(*set, method, params)?;
            outcome.map_or(RetailResult::Nothing, |outcome| RetailResult::Training(Box::new(outcome)))
        }
        RetailTask::Later { method } => {
            let params = ChoiceParams {
                number: number(RetailTask::EarlierNumber),
                width: width(RetailTask::EarlierWidth),
                draw: 0,
            };
            context.later(method, params)?.map_or(RetailResult::Nothing, RetailResult::Later)
        }
        RetailTask::Scale { scale } => {
            RetailResult::Scale(context.scale(*scale, width(RetailTask::Width { set: Set::Customers }))?)
        }
    })
}

fn locked(evidence: &Mutex<RetailEvidence>) -> std::sync::MutexGuard<'_, RetailEvidence> {
    evidence.lock().unwrap_or_else(PoisonError::into_inner)
}

fn findings(protocol: &RetailProtocol, reading: &RetailReading<'_>) -> Result<RetailFindings> {
    let value = serde_json::to_value(protocol)
        .map_err(|cause| Error::Write { path: "results.json".into(), cause: cause.into() })?;
    Ok(RetailFindings {
        schema: 1,
        study: "retail".into(),
        protocol: value,
        n_trials: reading.n_draws,
        notes: notes(protocol, reading.n_draws),
        figures: reading.figures(),
        tables: reading.tables(),
        claims: claims(reading),
    })
}

/// Notes on the data and the methods.
fn notes(protocol: &RetailProtocol, n_draws: usize) -> Vec<(String, String)> {
    let features = super::invoices::FEATURES.join(", ");
    let search = &protocol.search;
    let last = |values: &[f64]| values.last().copied().unwrap_or_default();
    let lines = [
        (
            "customers",
            "invoices of an online gift shop (UCI Online Retail and Online Retail II), years from December to November. A \
             customer is loyal in a year with purchases in every quarter. As in the paper, the model is trained on the later \
             year (2010–2011): all loyal customers and the selected regular ones. It predicts the expenditure in the \
             earlier year of customers who were regular then and loyal in the later year"
                .to_owned(),
        ),
        ("features of customers", format!("{features}; logarithms of the first four; expenditure is not a feature")),
        (
            "visitors",
            "sessions of a web shop (UCI Online Shoppers). New visitors, the small group, stand in for the loyal, \
             returning visitors for the regular customers; a fifth of the new visitors is held out and predicted. The \
             value of the pages seen stands in for expenditure. Visitors are not tracked over time"
                .to_owned(),
        ),
        (
            "regression",
            format!(
                "ε-SVR with a Gaussian kernel (LIBSVM's algorithm) of log(1 + expenditure), ε a tenth of its deviation; cost \
                 and γ by {}-fold cross-validation on at most {} of the training rows, the best of a grid of {}, then \
                 better neighbours of the best, with costs up to {} and γ from {} to {}",
                search.n_folds,
                search.n_rows,
                search.choices.len(),
                last(&search.costs),
                search.gammas.first().copied().unwrap_or_default(),
                last(&search.gammas),
            ),
        ),
        (
            "prototypes",
            format!(
                "{} per loyal customer, the paper's proportion of 1.5 to 2 million, or fewer if ProtoDash reaches the \
                 optimum earlier; all methods select that many, P-Lasso as close to it as its path allows. At the \
                 optimum \
                 ProtoDash, ProtoGreedy, Swap and P-Lasso must agree. RandomW is drawn {n_draws} times. L2C and \
                 K-Medoids \
                 see only the regular customers, as in the paper's study of digits; \"L2C on target\" sees the loyal",
                protocol.prototypes_per_loyal
            ),
        ),
        (
            "a year later",
            "prototypes represent the loyal customers of the earlier year; the heaviest are looked up in the later year"
                .to_owned(),
        ),
        (
            "cost",
            "customers of the later year sampled with replacement, with noise of a tenth of each feature's deviation; one \
             target row per 39 source rows, as in the paper; CPU time of one thread. The extrapolation to the paper's size \
             assumes that the formula holds there and that data and columns fit in memory, and excludes the weights, \
             which take about m³ operations for m prototypes; p threads would reduce the time by a factor of p at best"
                .to_owned(),
        ),
        ("seed", protocol.seed.to_string()),
    ];
    lines.map(|(name, value)| (name.to_owned(), value)).into()
}

fn write(settings: &Settings, findings: &RetailFindings) -> Result<()> {
    let folder = &settings.output;
    outputs::write_figures(folder, &findings.figures)?;
    for table in &findings.tables {
        outputs::write_text(folder, &format!("{}.csv", table.name), &table.csv())?;
    }
    outputs::write_text(folder, "results.md", &findings.writeup().markdown())?;
    outputs::write_json(folder, findings)
}
