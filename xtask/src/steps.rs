//! The list of checks, the order they run in, and the summary.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use crate::workspace::{StepError, Workspace, say};
use crate::{
    adversary, bench, browser, cargo, example_pages, house, instructions, licences, minimum_rust, python, python_bench,
    pythons, quality, ray, readme, usefulness,
};

/// A check or a maintenance task.
pub(crate) struct XtaskStep {
    /// Name on the command line.
    pub(crate) name: &'static str,
    /// One line of help.
    pub(crate) purpose: &'static str,
    /// Returns one line for the summary.
    run: fn(&Workspace) -> Result<String, StepError>,
}

/// All checks, fast ones first.
pub(crate) const STEPS: &[XtaskStep] = &[
    XtaskStep { name: "house", purpose: "file sizes, names and crate imports", run: house::check },
    XtaskStep { name: "fmt", purpose: "all files are formatted", run: cargo::fmt },
    XtaskStep { name: "clippy", purpose: "no warnings in any target", run: cargo::clippy },
    XtaskStep { name: "minimum-rust", purpose: "builds with the rust-version in Cargo.toml", run: minimum_rust::check },
    XtaskStep { name: "unit", purpose: "unit, integration and documentation tests", run: cargo::test },
    XtaskStep { name: "doc", purpose: "documentation builds without warnings", run: cargo::doc },
    XtaskStep { name: "readme", purpose: "commands in README.md print what it shows", run: readme::check },
    XtaskStep {
        name: "example-pages",
        purpose: "the pages in docs/examples are those of `cargo xtask examples`",
        run: example_pages::check,
    },
    XtaskStep { name: "browser", purpose: "every kind of HTML report in a real browser", run: browser::check },
    XtaskStep { name: "python", purpose: "build, install and test the Python package", run: python::check },
    XtaskStep { name: "ray", purpose: "the Python package on a Ray cluster of this machine", run: ray::check },
    XtaskStep {
        name: "instructions",
        purpose: "instruction counts of the hot loops (valgrind) against their limits",
        run: instructions::check,
    },
    XtaskStep { name: "licences", purpose: "licences, sources and versions of all dependencies", run: licences::check },
];

/// Not part of `test`: slow, or dependent on software that not every machine has.
pub(crate) const ON_DEMAND: &[XtaskStep] = &[
    XtaskStep {
        name: adversary::NAME,
        purpose: "hostile random problems against brute force; [--minutes N] [--seed S]",
        run: adversary::attack,
    },
    XtaskStep { name: "examples", purpose: "write the example pages into docs/examples", run: example_pages::write },
    XtaskStep {
        name: ray::CHAOS,
        purpose: "kill workers and drivers on a Ray cluster at random; [--minutes N] [--seed S]",
        run: ray::chaos,
    },
    XtaskStep {
        name: "bench",
        purpose: "time and memory compared with peers, into docs/benchmarks.md",
        run: bench::run,
    },
    XtaskStep {
        name: "quality",
        purpose: "MMD² of each method on four data sets, into docs/quality.md",
        run: quality::quality,
    },
    XtaskStep {
        name: "usefulness",
        purpose: "what prototypes are good for, by all methods and other packages, into docs/usefulness.md",
        run: usefulness::measure,
    },
    XtaskStep {
        name: "pythons",
        purpose: "test the wheel in every installed Python, with old, new and no optional packages",
        run: pythons::check,
    },
    XtaskStep {
        name: "python-bench",
        purpose: "time and memory of the Python package and AIX360, into docs/python.md",
        run: python_bench::measure,
    },
];

/// Runs the steps in order and stops at the first failure.
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
    say(&format!("{verdict}, {:.1} s total", start.elapsed().as_secs_f64()));
}
