//! Runs the commands in README.md and compares their output.
//!
//! Commands in `console` blocks that begin with `$ cargo run --release -- ` or `$ protodash ` run in order, in an empty
//! folder with a link to `testdata`. The binary is the one that `cargo test` builds; a release build prints the same.
//! Rust blocks are doctests: a crate must include the file.

mod examples;

use std::path::Path;
use std::process::{Command, Output, Stdio};

use examples::{ReadmeContent, ReadmeExample};

use crate::programs;
use crate::workspace::{StepError, Workspace, say};

/// The test that runs the Python blocks.
const PYTHON_BLOCKS: &str = "crates/protodash-py/tests/test_documents.py";

/// Runs the commands in README.md, and checks that other tests cover its code blocks.
pub(crate) fn check(workspace: &Workspace) -> Result<String, StepError> {
    let readme = ReadmeContent::parse(&workspace.read("README.md")?);
    check_code(workspace, &readme)?;
    if readme.examples.is_empty() {
        return Err(StepError::new("README.md contains no command to run"));
    }
    let program = programs::build(workspace, "protodash")?;
    let folder =
        tempfile::tempdir().map_err(|error| StepError::new(format!("cannot create a temporary folder: {error}")))?;
    link(&workspace.root().join("testdata"), &folder.path().join("testdata"))?;
    for example in &readme.examples {
        run(example, &program, folder.path())?;
    }
    for (line, command) in &readme.others {
        say(&format!("note: README.md:{line}: `{command}` was not run"));
    }
    Ok(format!("commands: {}, Rust blocks: {}", readme.examples.len(), readme.rust.len()))
}

/// Checks that code blocks are tested elsewhere.
fn check_code(workspace: &Workspace, readme: &ReadmeContent) -> Result<(), StepError> {
    if let Some(line) = readme.python.first().filter(|_| !workspace.root().join(PYTHON_BLOCKS).is_file()) {
        return Err(StepError::new(format!("README.md:{line}: {PYTHON_BLOCKS}, which runs this block, is missing")));
    }
    let Some(line) = readme.rust.first() else { return Ok(()) };
    for path in workspace.files()?.iter().filter(|path| path.starts_with("crates/") && path.ends_with(".rs")) {
        if workspace.read(path)?.contains("/README.md\")") {
            return Ok(());
        }
    }
    let fix = "#[cfg(doctest)] #[doc = include_str!(\"../../../README.md\")] struct ReadmeContent;";
    Err(StepError::new(format!("README.md:{line}: no crate tests this block; add `{fix}` to the crate it uses")))
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

/// Runs one example; it must succeed and print the output shown in the README, if any.
fn run(example: &ReadmeExample, program: &Path, folder: &Path) -> Result<(), StepError> {
    say(&format!("$ {}", example.shown));
    let output = shell(example, program, folder)?;
    let place = format!("README.md:{}: `{}`", example.line, example.shown);
    if !output.status.success() {
        let messages = String::from_utf8_lossy(&output.stderr);
        return Err(StepError::new(format!("{place} failed: {}\n{}", output.status, messages.trim_end())));
    }
    let printed = String::from_utf8_lossy(&output.stdout);
    if !example.matches(&printed) {
        return Err(StepError::new(format!("{place} prints something else:\n{}", printed.trim_end())));
    }
    Ok(())
}

fn shell(example: &ReadmeExample, program: &Path, folder: &Path) -> Result<Output, StepError> {
    let own_folder = program.parent().map(Path::to_path_buf);
    let others = std::env::var_os("PATH").unwrap_or_default();
    let paths = std::env::join_paths(own_folder.into_iter().chain(std::env::split_paths(&others)))
        .map_err(|error| StepError::new(format!("cannot set PATH: {error}")))?;
    let mut command = Command::new("sh");
    command.args(["-c", &example.script]).current_dir(folder).stdin(Stdio::null());
    command.env("PATH", paths).env("HOME", folder).env("NO_COLOR", "1");
    command.output().map_err(|error| StepError::new(format!("cannot start sh: {error}")))
}
