//! Checks and maintenance tasks: `cargo xtask test` runs every check that a change must pass.

mod adversary;
mod bench;
mod browser;
mod cargo;
mod example_pages;
mod house;
mod instructions;
mod licences;
mod metadata;
mod minimum_rust;
mod options;
mod programs;
mod python;
mod python_bench;
mod pythons;
mod quality;
mod ray;
mod readme;
mod steps;
mod usefulness;
mod workspace;

use std::io::{self, Write};
use std::process::ExitCode;

use steps::{ON_DEMAND, STEPS, XtaskStep};
use workspace::Workspace;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match selected_steps(&arguments) {
        Some(steps) => steps::run(&Workspace::new(), steps),
        None => usage(&arguments),
    }
}

/// Returns all steps for `test`, or the one step named. Only `adversary` and `chaos` have options.
fn selected_steps(arguments: &[String]) -> Option<&'static [XtaskStep]> {
    let (argument, options) = arguments.split_first()?;
    if !options.is_empty() && ![adversary::NAME, ray::CHAOS].contains(&argument.as_str()) {
        return None;
    }
    if argument == "test" {
        return Some(STEPS);
    }
    let named = |steps: &'static [XtaskStep]| {
        let index = steps.iter().position(|step| step.name == argument)?;
        steps.get(index..=index)
    };
    named(STEPS).or_else(|| named(ON_DEMAND))
}

/// Prints the help: to stdout if requested, to stderr after a usage error.
fn usage(arguments: &[String]) -> ExitCode {
    let requested = arguments.iter().any(|argument| ["help", "--help", "-h"].contains(&argument.as_str()));
    let text = help();
    let written =
        if requested { io::stdout().write_all(text.as_bytes()) } else { io::stderr().write_all(text.as_bytes()) };
    if requested && written.is_ok() { ExitCode::SUCCESS } else { ExitCode::from(2) }
}

fn help() -> String {
    let mut text = String::from("usage: cargo xtask test         run all of these, stopping at the first failure\n");
    for step in STEPS {
        text += &format!("       cargo xtask {:<12} {}\n", step.name, step.purpose);
    }
    text += "not part of `test`:\n";
    for step in ON_DEMAND {
        text += &format!("       cargo xtask {:<12} {}\n", step.name, step.purpose);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(arguments: &[&str]) -> Option<Vec<&'static str>> {
        let arguments: Vec<String> = arguments.iter().map(ToString::to_string).collect();
        selected_steps(&arguments).map(|steps| steps.iter().map(|step| step.name).collect())
    }

    #[test]
    fn test_runs_every_step_and_a_name_runs_one() {
        assert_eq!(
            names(&["test"]),
            Some(vec![
                "house",
                "fmt",
                "clippy",
                "minimum-rust",
                "unit",
                "doc",
                "readme",
                "example-pages",
                "browser",
                "python",
                "ray",
                "instructions",
                "licences"
            ])
        );
        assert_eq!(names(&["licences"]), Some(vec!["licences"]));
        assert_eq!(names(&["bench"]), Some(vec!["bench"]));
        assert_eq!(names(&["quality"]), Some(vec!["quality"]));
        assert_eq!(names(&["usefulness"]), Some(vec!["usefulness"]));
        assert_eq!(names(&["pythons"]), Some(vec!["pythons"]));
        assert_eq!(names(&["adversary", "--minutes", "1"]), Some(vec!["adversary"]));
        assert_eq!(names(&["chaos", "--seed", "1"]), Some(vec!["chaos"]));
    }

    #[test]
    fn anything_else_is_a_usage_error() {
        assert_eq!(names(&[]), None);
        assert_eq!(names(&["tests"]), None);
        assert_eq!(names(&["fmt", "clippy"]), None);
    }
}
