//! `protodash study`: the paper's experiments, run again.

use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use protodash_studies::{Error, Settings, Watcher, Writeup, mnist, nhanes, retail};

use crate::args::{Study, StudyName};
use crate::error::Failure;
use crate::interrupt;
use crate::messages;
use crate::progress::Progress;
use crate::report;
use crate::terminal;

/// Runs the study, or what is left of it, and shows what became of the paper's claims.
pub(super) fn run(call: &Study) -> Result<(), Failure> {
    call.check()?;
    let (began, output) = (Instant::now(), call.output());
    let page = report::destination(call.report.as_deref(), &[], None)?;
    interrupt::keep_in(output.clone());
    let watch = Watch(Mutex::new(Progress::new(call.run.quiet, true)));
    let writeup = conduct(call, &watch);
    watch.with(Progress::clear);
    let writeup = writeup.map_err(|error| match error {
        Error::Stopped => interrupt::stopped(),
        Error::Table(cause) => cause.into(),
        cause => Failure::Study { cause: Box::new(cause) },
    })?;
    terminal::print(&shown(&writeup))?;
    if !call.run.quiet {
        messages::say(&format!("written to {}", output.display()));
    }
    let made = page.as_ref().map(|_| writeup.report(&how_it_was_run(began)));
    report::finish(page.as_ref().zip(made.as_ref()), call.run.quiet)
}

/// Runs the study that is asked for.
fn conduct(call: &Study, watch: &Watch) -> Result<Writeup, Error> {
    let settings = Settings {
        quick: call.quick,
        size: call.trials,
        seed: call.seed,
        threads: rayon::current_num_threads(),
        memory: call.run.memory(),
        ..Settings::new(call.data.clone(), call.output())
    };
    match call.name {
        StudyName::Mnist => mnist::run(&settings, watch)?.writeup(&settings, watch),
        StudyName::Nhanes => Ok(nhanes::run(&settings, watch)?.writeup()),
        StudyName::Retail => Ok(retail::run(&settings, watch)?.writeup()),
    }
}

/// What was found in a few sentences, and the claims, one after the other.
fn shown(writeup: &Writeup) -> String {
    let mut text: String = writeup.summary.iter().map(|sentence| format!("{sentence}\n")).collect();
    text.push('\n');
    for claim in &writeup.claims {
        text += &format!("{}: {}\n    {}: {}\n", claim.place, claim.claim, claim.verdict, claim.ours);
        if !claim.criterion.is_empty() {
            text += &format!("    it holds if {}\n", claim.criterion);
        }
    }
    text
}

/// The command, and what ran it, for the page.
fn how_it_was_run(began: Instant) -> Vec<(String, String)> {
    let words = std::env::args().skip(1).map(|word| match word.contains(char::is_whitespace) {
        true => format!("'{word}'"),
        false => word,
    });
    let command = ["protodash".to_owned()].into_iter().chain(words).collect::<Vec<_>>().join(" ");
    let took = began.elapsed().as_secs_f64();
    let took = if took < 120.0 { format!("{took:.0} s") } else { format!("{:.0} min", took / 60.0) };
    let lines = [
        ("command", command),
        ("version", concat!("protodash ", env!("CARGO_PKG_VERSION")).to_owned()),
        ("threads", rayon::current_num_threads().to_string()),
        ("this run took", format!("{took}, of which what an earlier run had finished is no part")),
    ];
    lines.map(|(name, value)| (name.to_owned(), value)).into()
}

/// Shows the progress of a study whose units run on several threads.
struct Watch(Mutex<Progress>);

impl Watch {
    fn with(&self, job: impl FnOnce(&mut Progress)) {
        // A display whose thread has failed may show nonsense, but must not bring the run down.
        job(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

impl Watcher for Watch {
    fn on_progress(&self, done: usize, total: usize, earlier: usize) {
        self.with(|progress| progress.studying(done, total, earlier));
    }

    fn on_unit(&self, name: &str) {
        self.with(|progress| progress.study_unit(name));
    }

    fn on_note(&self, text: &str) {
        self.with(|progress| progress.note(text));
    }

    fn is_stopped(&self) -> bool {
        interrupt::requested()
    }
}
