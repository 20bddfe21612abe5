//! Which checks there are, in which order they run, and what is printed around them.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use crate::workspace::{StepError, Workspace, say};
use crate::{
    bench, browser, cargo, house, instructions, licences, minimum_rust, python, python_bench, pythons, quality, readme,
};

/// One check.
pub(crate) struct XtaskStep {
    /// What it is called on the command line.
    pub(crate) name: &'static str,
    /// What it makes sure of.
    pub(crate) purpose: &'static str,
    /// Does the work; the result is one line for the summary.
    run: fn(&Workspace) -> Result<String, StepError>,
}

/// Every check, the quick ones first so that a slip is reported early.
pub(crate) const STEPS: &[XtaskStep] = &[
    XtaskStep { name: "house", purpose: "sizes, names and imports of the source files", run: house::check },
    XtaskStep { name: "fmt", purpose: "every file is formatted", run: cargo::fmt },
    XtaskStep { name: "clippy", purpose: "no warning in any target", run: cargo::clippy },
    XtaskStep {
        name: "minimum-rust",
        purpose: "the oldest Rust version that Cargo.toml promises",
        run: minimum_rust::check,
    },
    XtaskStep { name: "unit", purpose: "unit, integration and documentation tests", run: cargo::test },
    XtaskStep { name: "doc", purpose: "the documentation builds without a warning", run: cargo::doc },
    XtaskStep { name: "readme", purpose: "the commands of README.md do what it says", run: readme::check },
    XtaskStep { name: "browser", purpose: "every kind of page, tried out in a real browser", run: browser::check },
    XtaskStep { name: "python", purpose: "the Python package, built, installed and tested", run: python::check },
    XtaskStep {
        name: "instructions",
        purpose: "instructions of the hot loops against their limits, counted by valgrind",
        run: instructions::check,
    },
    XtaskStep { name: "licences", purpose: "licences, origins and versions of all dependencies", run: licences::check },
];

/// What is done on demand: it takes long, or needs what not every machine has.
pub(crate) const CHORES: &[XtaskStep] = &[
    XtaskStep { name: "bench", purpose: "times and memory beside the peers, into docs/benchmarks.md", run: bench::run },
    XtaskStep {
        name: "quality",
        purpose: "how well each method represents four data sets, into docs/quality.md",
        run: quality::quality,
    },
    XtaskStep {
        name: "pythons",
        purpose: "the wheel in every Python there is, with old, new and no other packages",
        run: pythons::check,
    },
    XtaskStep {
        name: "python-bench",
        purpose: "what the Python package costs, and AIX360 beside it, into docs/python.md",
        run: python_bench::measure,
    },
];

/// Runs the steps one after the other and stops at the first that fails.
pub(crate) fn run(workspace: &Workspace, steps: &[XtaskStep]) -> ExitCode {
    let start = Instant::now();
    let mut summary = Vec::new();
    for (number, step) in steps.iter().enumerate() {
        say(&format!("\n=== {} of {}: {} ({})", number + 1, steps.len(), step.name, step.purpose));
        let begun = Instant::now();
        let result = (step.run)(workspace);
        summary.push(line(step, begun.elapsed(), &result));
        if let Err(failure) = result {
            say(&format!("\n{failure}"));
            close(&summary, &format!("FAILED at step {} of {}: {}", number + 1, steps.len(), step.name), start);
            return ExitCode::FAILURE;
        }
    }
    close(&summary, &format!("ok: {0} of {0} steps passed", steps.len()), start);
    ExitCode::SUCCESS
}

fn line(step: &XtaskStep, time: Duration, result: &Result<String, StepError>) -> String {
    let outcome = result.as_ref().map_or("FAILED", String::as_str);
    format!("  {:<9} {:>7.1} s  {outcome}", step.name, time.as_secs_f64())
}

fn close(summary: &[String], verdict: &str, start: Instant) {
    say("\n=== summary");
    for line in summary {
        say(line);
    }
    say(&format!("{verdict}, {:.1} s in all", start.elapsed().as_secs_f64()));
}
