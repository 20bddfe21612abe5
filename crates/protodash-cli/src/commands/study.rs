//! `protodash study`: the paper's experiments, run again.

use std::sync::{Mutex, PoisonError};

use protodash_studies::mnist::{self, Findings, Settings};
use protodash_studies::{Error, Watcher};

use crate::args::Study;
use crate::error::Failure;
use crate::interrupt;
use crate::messages;
use crate::progress::Progress;
use crate::terminal;

/// Runs the study, or what is left of it, and shows what became of the paper's claims.
pub(super) fn run(call: &Study) -> Result<(), Failure> {
    let output = call.output();
    let settings = Settings {
        quick: call.quick,
        trials: call.trials,
        seed: call.seed,
        threads: rayon::current_num_threads(),
        memory: call.run.memory(),
        ..Settings::new(call.data.clone(), output.clone())
    };
    let watch = Watch(Mutex::new(Progress::new(call.run.quiet, true)));
    let findings = mnist::run(&settings, &watch);
    watch.with(Progress::clear);
    let findings = findings.map_err(|error| match error {
        Error::Stopped => Failure::StudyStopped { folder: output.clone() },
        Error::Table(cause) => cause.into(),
        cause => Failure::Study { cause: Box::new(cause) },
    })?;
    terminal::print(&shown(&findings))?;
    if !call.run.quiet {
        messages::say(&format!("written to {}", output.display()));
    }
    Ok(())
}

/// The claims, one after the other.
fn shown(findings: &Findings) -> String {
    let mut text = format!("{} trials, bandwidth {:.3}\n\n", findings.n_trials, findings.bandwidth.bandwidth);
    for claim in &findings.claims {
        text += &format!("{}: {}\n    {}: {}\n", claim.place, claim.claim, claim.verdict, claim.ours);
    }
    text
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

    fn on_note(&self, text: &str) {
        self.with(|progress| progress.note(text));
    }

    fn is_stopped(&self) -> bool {
        interrupt::requested()
    }
}
