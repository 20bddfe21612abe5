//! Runs what README.md shows, so that it cannot promise what does not work.
//!
//! Commands in `console` blocks that begin with `$ cargo run --release -- ` or `$ protodash ` are run one after the other
//! in an empty folder with a link to `testdata`, and what the block shows below a command must be what it prints.
//! The program is the one that `cargo test` has built already; the optimised build gives the same bytes.
//! Rust blocks are documentation tests: some crate has to include the file.

mod examples;

use std::path::Path;
use std::process::{Command, Output, Stdio};

use examples::{ReadmeContent, ReadmeExample};

use crate::programs;
use crate::workspace::{StepError, Workspace, say};

/// The test that runs Python blocks, with the package installed.
const PYTHON_BLOCKS: &str = "crates/protodash-py/tests/test_documents.py";

/// Checks the commands of README.md, and that its code is tested elsewhere.
pub(crate) fn check(workspace: &Workspace) -> Result<String, StepError> {
    let readme = ReadmeContent::parse(&workspace.read("README.md")?);
    check_code(workspace, &readme)?;
    if readme.examples.is_empty() {
        return Err(StepError::new("README.md shows no command that can be run, at least one is expected"));
    }
    let program = programs::build(workspace, "protodash")?;
    let folder = tempfile::tempdir().map_err(|error| StepError::new(format!("cannot make a folder: {error}")))?;
    link(&workspace.root().join("testdata"), &folder.path().join("testdata"))?;
    for example in &readme.examples {
        run(example, &program, folder.path())?;
    }
    for (line, command) in &readme.others {
        say(&format!("note: README.md:{line}: `{command}` is not a command of ours and was not run"));
    }
    Ok(format!("commands: {}, Rust blocks: {}", readme.examples.len(), readme.rust.len()))
}

/// Makes sure that code blocks are run by somebody.
fn check_code(workspace: &Workspace, readme: &ReadmeContent) -> Result<(), StepError> {
    if let Some(line) = readme.python.first().filter(|_| !workspace.root().join(PYTHON_BLOCKS).is_file()) {
        return Err(StepError::new(format!(
            "README.md:{line}: {PYTHON_BLOCKS}, which would run this block, is not there"
        )));
    }
    let Some(line) = readme.rust.first() else { return Ok(()) };
    for path in workspace.files()?.iter().filter(|path| path.starts_with("crates/") && path.ends_with(".rs")) {
        if workspace.read(path)?.contains("/README.md\")") {
            return Ok(());
        }
    }
    let remedy = "#[cfg(doctest)] #[doc = include_str!(\"../../../README.md\")] struct ReadmeContent;";
    Err(StepError::new(format!("README.md:{line}: no crate tests this block; add `{remedy}` to the one it uses")))
}

#[cfg(unix)]
fn link(original: &Path, link: &Path) -> Result<(), StepError> {
    std::os::unix::fs::symlink(original, link).map_err(|error| StepError::new(format!("cannot link testdata: {error}")))
}

#[cfg(windows)]
fn link(original: &Path, link: &Path) -> Result<(), StepError> {
    std::os::windows::fs::symlink_dir(original, link)
        .map_err(|error| StepError::new(format!("cannot link testdata: {error}")))
}

/// Runs one example; it must succeed and print what the README shows, if that shows anything.
fn run(example: &ReadmeExample, program: &Path, folder: &Path) -> Result<(), StepError> {
    say(&format!("$ {}", example.shown));
    let output = shell(example, program, folder)?;
    let place = format!("README.md:{}: `{}`", example.line, example.shown);
    if !output.status.success() {
        let messages = String::from_utf8_lossy(&output.stderr);
        return Err(StepError::new(format!("{place} failed: {}\n{}", output.status, messages.trim_end())));
    }
    let printed = String::from_utf8_lossy(&output.stdout);
    if !example.agrees_with(&printed) {
        return Err(StepError::new(format!(
            "{place} does not print what the README shows, but:\n{}",
            printed.trim_end()
        )));
    }
    Ok(())
}

fn shell(example: &ReadmeExample, program: &Path, folder: &Path) -> Result<Output, StepError> {
    let own_folder = program.parent().map(Path::to_path_buf);
    let others = std::env::var_os("PATH").unwrap_or_default();
    let paths = std::env::join_paths(own_folder.into_iter().chain(std::env::split_paths(&others)))
        .map_err(|error| StepError::new(format!("cannot put the program on the search path: {error}")))?;
    let mut command = Command::new("sh");
    command.args(["-c", &example.script]).current_dir(folder).stdin(Stdio::null());
    // What a command leaves in the home folder is left in the temporary one.
    command.env("PATH", paths).env("HOME", folder).env("NO_COLOR", "1");
    command.output().map_err(|error| StepError::new(format!("cannot start sh: {error}")))
}
