//! The study from files to findings.

use std::sync::{Mutex, PoisonError};

use super::Findings;
use super::claims::claims;
use super::data::Shops;
use super::evidence::{Evidence, Found, Unit};
use super::figures::Reading;
use super::protocol::{Protocol, Set, Task};
use super::trial::{Asked, Bench};
use crate::error::{Error, Result};
use crate::journal::{Journal, Opened};
use crate::outputs;
use crate::settings::Settings;
use crate::tally::Tally;
use crate::units::do_all;
use crate::watch::Watcher;

/// Draws of RandomW in the full protocol.
const DRAWS: usize = 10;
/// Draws of RandomW for a taste.
const QUICK_DRAWS: usize = 2;

/// Runs the study, or what of it the journal in the output folder does not have yet, and writes what it found.
///
/// Writes `journal.jsonl`, `results.json`, `results.md`, `figure_1a.csv` to `figure_2.csv` and a CSV file for each table
/// into the output folder. The figures, but for times, do not depend on the number of threads nor on interruptions.
///
/// # Errors
///
/// If the data are not there or not those that are expected, if the folder cannot be written to or holds units of another
/// protocol, and [`Error::Stopped`] when the watcher stops it; finished units are then kept.
///
/// # Examples
///
/// ```
/// use protodash_studies::{Settings, Unwatched, retail::run};
///
/// let folder = tempfile::tempdir()?;
/// let settings = Settings::new(folder.path().join("nothing"), folder.path().join("out"));
/// assert!(run(&settings, &Unwatched).unwrap_err().to_string().contains("is not there"));
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn run(settings: &Settings, watcher: &dyn Watcher) -> Result<Findings> {
    let (protocol, n_draws) = match settings.quick {
        true => (Protocol::quick(settings.seed), settings.size.unwrap_or(QUICK_DRAWS)),
        false => (Protocol::full(settings.seed), settings.size.unwrap_or(DRAWS)),
    };
    if n_draws == 0 {
        return Err(Error::Setting { name: "the number of trials", given: 0, allowed: "at least 1" });
    }
    watcher.on_unit("reading invoices and sessions");
    let shops = Shops::load(&settings.data, &protocol)?;
    outputs::make_folder(&settings.output)?;
    let path = settings.output.join("journal.jsonl");
    let Opened { journal, units } =
        Journal::open(&path, ("retail", &protocol), &Shops::files(&settings.data), watcher)?;
    let evidence = Mutex::new(Evidence::default());
    locked(&evidence).add(units);
    let column_memory = settings.memory / settings.threads.max(1) as u64;
    let bench = Bench { shops: &shops, protocol: &protocol, column_memory, memory: settings.memory, watcher };
    conduct(&bench, &journal, &evidence, (n_draws, settings.threads))?;
    let evidence = evidence.into_inner().unwrap_or_else(PoisonError::into_inner);
    let findings = findings(&protocol, &Reading { evidence: &evidence, n_draws, protocol: &protocol })?;
    write(settings, &findings)?;
    Ok(findings)
}

/// Has all units done that are missing: the widths and numbers first, and the measurements of cost one after the other.
fn conduct(
    bench: &Bench<'_>,
    journal: &Journal,
    evidence: &Mutex<Evidence>,
    (n_draws, threads): (usize, usize),
) -> Result<()> {
    let phases = [
        (Task::widths(), threads),
        (Task::numbers(), threads),
        (Task::trainings(n_draws), threads),
        (Task::scales(bench.protocol), 1),
    ];
    let all: Vec<Task> = phases.iter().flat_map(|(tasks, _)| tasks.clone()).collect();
    let earlier = locked(evidence).n_done(&all);
    let tally = Tally::new(bench.watcher, earlier, all.len());
    for (tasks, threads) in &phases {
        let missing = locked(evidence).missing(tasks);
        let job = |task: &Task| {
            let unit = Unit { task: task.clone(), found: found(bench, evidence, task)? };
            journal.append(&unit)?;
            locked(evidence).add(vec![unit]);
            Ok(())
        };
        do_all(&missing, *threads, || (), |(), task| tally.unit(task.to_string(), || job(task)))?;
    }
    Ok(())
}

/// What a task comes to.
fn found(bench: &Bench<'_>, evidence: &Mutex<Evidence>, task: &Task) -> Result<Found> {
    let width = |task: Task| locked(evidence).width(&task).unwrap_or(1.0);
    let number = |task: Task| locked(evidence).number(&task).unwrap_or(1);
    Ok(match task {
        Task::Width { set } => {
            let problem = bench.shops.problem(*set);
            Found::Width(bench.width(&problem.loyal, &problem.regular)?)
        }
        Task::EarlierWidth => {
            let earlier = &bench.shops.earlier;
            Found::Width(bench.width(&earlier.loyal, &earlier.regular)?)
        }
        Task::Number { set } => {
            let problem = bench.shops.problem(*set);
            Found::Number(bench.number((&problem.loyal, &problem.regular), width(Task::Width { set: *set }))?)
        }
        Task::EarlierNumber => {
            let earlier = &bench.shops.earlier;
            Found::Number(bench.number((&earlier.loyal, &earlier.regular), width(Task::EarlierWidth))?)
        }
        Task::Training { set, method, draw } => {
            let asked = Asked {
                number: number(Task::Number { set: *set }),
                width: width(Task::Width { set: *set }),
                draw: *draw,
            };
            let outcome = bench.training(*set, method, asked)?;
            outcome.map_or(Found::Nothing, |outcome| Found::Training(Box::new(outcome)))
        }
        Task::Later { method } => {
            let asked = Asked { number: number(Task::EarlierNumber), width: width(Task::EarlierWidth), draw: 0 };
            bench.later(method, asked)?.map_or(Found::Nothing, Found::Later)
        }
        Task::Scale { scale } => Found::Scale(bench.scale(*scale, width(Task::Width { set: Set::Customers }))?),
    })
}

fn locked(evidence: &Mutex<Evidence>) -> std::sync::MutexGuard<'_, Evidence> {
    evidence.lock().unwrap_or_else(PoisonError::into_inner)
}

fn findings(protocol: &Protocol, reading: &Reading<'_>) -> Result<Findings> {
    let value = serde_json::to_value(protocol)
        .map_err(|cause| Error::Write { path: "results.json".into(), cause: cause.into() })?;
    Ok(Findings {
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

/// What a reader has to know.
fn notes(protocol: &Protocol, n_draws: usize) -> Vec<(String, String)> {
    let features = super::invoices::FEATURES.join(", ");
    let search = &protocol.search;
    let last = |values: &[f64]| values.last().copied().unwrap_or_default();
    let lines = [
        (
            "customers",
            "invoices of an online gift shop (UCI Online Retail and Online Retail II), years from December to November. A \
             customer is loyal in a year if he bought in every quarter of it. As in the paper the model is trained on the \
             later year (2010–2011): all loyal customers and the chosen regular ones. Predicted is the expenditure in the \
             earlier year of those who were regular then and loyal in the later year"
                .to_owned(),
        ),
        ("features of customers", format!("{features}; of the first four the logarithm; expenditure is none of them")),
        (
            "visitors",
            "sessions of a web shop (UCI Online Shoppers). The small group, new visitors, takes the place of the loyal, and \
             returning visitors that of the regular; a fifth of the new visitors is held out and predicted. The value of \
             the pages seen takes the place of expenditure. Nobody is followed over time"
                .to_owned(),
        ),
        (
            "regression",
            format!(
                "ε-SVR with a Gaussian kernel (LIBSVM's algorithm) of log(1 + expenditure), ε a tenth of its deviation; cost \
                 and γ by {}-fold cross-validation on at most {} of the training rows, the best of {} and then, step by \
                 step, what is beside the best and better, within costs up to {} and γ from {} to {}",
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
                "as many as 1.5 million are for the paper's 2 million loyal customers ({} of their number), or, where \
                 ProtoDash reaches the optimum with fewer, as many as it needs; all methods choose that many, P-Lasso as \
                 near to it as its path comes. At the optimum ProtoDash, ProtoGreedy, Swap and P-Lasso have to agree. \
                 RandomW is drawn {n_draws} times. L2C and K-Medoids describe the regular customers and know nothing of \
                 the loyal, as in the paper's study of digits; \"L2C on target\" is given the loyal",
                protocol.prototypes_per_loyal
            ),
        ),
        (
            "a year later",
            "prototypes are chosen in the earlier year for its loyal customers, and the heaviest are looked up in the later \
             year"
                .to_owned(),
        ),
        (
            "cost",
            "customers of the later year drawn with replacement, each feature moved by a tenth of its deviation; target rows \
             are a 39th of source rows, as in the paper; processor time of one thread. What is said of the paper's own size \
             assumes that the formula holds there and that data and columns are in memory, and leaves out solving for the \
             weights, which m prototypes take some m³ operations for; with perfect sharing p threads take a p-th of it"
                .to_owned(),
        ),
        ("seed", protocol.seed.to_string()),
    ];
    lines.map(|(name, value)| (name.to_owned(), value)).into()
}

fn write(settings: &Settings, findings: &Findings) -> Result<()> {
    let folder = &settings.output;
    outputs::write_figures(folder, &findings.figures)?;
    for table in &findings.tables {
        outputs::write_text(folder, &format!("{}.csv", table.name), &table.csv())?;
    }
    outputs::write_text(folder, "results.md", &findings.writeup().markdown())?;
    outputs::write_json(folder, findings)
}
