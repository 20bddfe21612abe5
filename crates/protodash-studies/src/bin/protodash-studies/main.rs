//! The `protodash-studies` program: reproduces the paper's experiments and checks its claims.
//!
//! This is the command line around the library of the same name, which runs the studies and does not use the terminal.

mod args;
mod failure;
mod progress;
mod summary;

use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use protodash_studies::Writeup;
use protodash_terminal::{check_writable, finish, interrupt, print, say, write_atomically};

use args::Arguments;
use failure::StudyFailure;
use progress::StudyProgress;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let folder = arguments.study.output();
    interrupt::listen({
        let folder = folder.clone();
        move || StudyFailure::stopped(&folder).to_string()
    });
    let resources = &arguments.study.common().resources;
    let ran = resources.on_threads(|| run(&arguments, &folder)).map_err(StudyFailure::Threads);
    finish(ran.and_then(|result| result))
}

/// Runs the study, or resumes it, and prints which of the paper's claims hold.
fn run(arguments: &Arguments, folder: &Path) -> Result<(), StudyFailure> {
    let (began, common) = (Instant::now(), arguments.study.common());
    let quiet = common.resources.quiet;
    if let Some(page) = &common.report {
        check_writable(page).map_err(|cause| StudyFailure::write(page, cause))?;
    }
    let progress = StudyProgress::new(quiet);
    let writeup = arguments.study.run(folder, &progress);
    progress.clear();
    let writeup = writeup.map_err(|error| StudyFailure::study(error, folder))?;
    print(&summary::text(&writeup)).map_err(StudyFailure::stdout)?;
    if !quiet {
        say(&format!("written to {}", folder.display()));
    }
    if let Some(page) = &common.report {
        write_page(page, &writeup, began, folder)?;
        if !quiet {
            say(&format!("report written to {}", page.display()));
        }
    }
    Ok(())
}

fn write_page(page: &Path, writeup: &Writeup, began: Instant, folder: &Path) -> Result<(), StudyFailure> {
    let mut report = writeup.report(&summary::how_it_was_run(began));
    report.calls.push(summary::command());
    let html = protodash_report::render(&report).map_err(|cause| StudyFailure::study(cause.into(), folder))?;
    if !interrupt::begin_writing() {
        return Err(StudyFailure::stopped(folder));
    }
    write_atomically(page, |writer| writer.write_all(html.as_bytes())).map_err(|cause| StudyFailure::write(page, cause))
}
