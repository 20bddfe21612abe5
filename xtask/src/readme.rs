//! Runs the commands in README.md and other documents and compares their output.
//!
//! Commands in `console` blocks that begin with `$ cargo run --release -- ` or `$ protodash ` run in order, for each document
//! in an empty folder with a link to `testdata`. The binary is the one that `cargo test` builds; a release build prints the same.
//! Rust blocks are doctests: a crate must include the file.

mod examples;

use std::path::Path;
use std::process::{Command, Output, Stdio};

use examples::{ReadmeContent, ReadmeExample};

use crate::programs;
use crate::workspace::{StepError, Workspace, say};

/// The test that runs the Python blocks.
const PYTHON_BLOCKS: &str = "crates/protodash-py/tests/test_documents.py";

/// The documents whose commands run.
const DOCUMENTS: [&str; 2] = ["README.md", "docs/uses.md"];

/// Runs the commands in the documents, and checks that other tests cover their code blocks.
pub(crate) fn check(workspace: &Workspace) -> Result<String, StepError> {
    let program = programs::build(workspace, "protodash")?;
    let results = DOCUMENTS.map(|name| check_document(workspace, name, &program));
    Ok(results.into_iter().collect::<Result<Vec<_>, _>>()?.join("; "))
}

fn check_document(workspace: &Workspace, name: &str, program: &Path) -> Result<String, StepError> {
    let document = ReadmeContent::parse(&workspace.read(name)?);
    check_code(workspace, name, &document)?;
    if document.examples.is_empty() {
        return Err(StepError::new(format!("{name} contains no command to run")));
    }
    let folder =
        tempfile::tempdir().map_err(|error| StepError::new(format!("cannot create a temporary folder: {error}")))?;
    link(&workspace.root().join("testdata"), &folder.path().join("testdata"))?;
    for example in &document.examples {
        run(example, name, program, folder.path())?;
    }
    for (line, command) in &document.others {
        say(&format!("note: {name}:{line}: `{command}` was not run"));
    }
    Ok(format!("{name}: {} commands, {} Rust blocks", document.examples.len(), document.rust.len()))
}

/// Checks that code blocks are tested elsewhere.
fn check_code(workspace: &Workspace, name: &str, document: &ReadmeContent) -> Result<(), StepError> {
    if let Some(line) = document.python.first().filter(|_| !workspace.root().join(PYTHON_BLOCKS).is_file()) {
        return Err(StepError::new(format!("{name}:{line}: {PYTHON_BLOCKS}, which runs this block, is missing")));
    }
    let Some(line) = document.rust.first() else { return Ok(()) };
    for path in workspace.files()?.iter().filter(|path| path.starts_with("crates/") && path.ends_with(".rs")) {
        if workspace.read(path)?.contains(&format!("/{name}\")")) {
            return Ok(());
        }
    }
    let fix = format!("#[cfg(doctest)] #[doc = include_str!(\"../../../{name}\")] struct ReadmeContent;");
    Err(StepError::new(format!("{name}:{line}: no crate tests this block; add `{fix}` to the crate it uses")))
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

/// Runs one example; it must succeed and print the output that the document shows, if any.
fn run(example: &ReadmeExample, name: &str, program: &Path, folder: &Path) -> Result<(), StepError> {
    say(&format!("$ {}", example.shown));
    let output = shell(example, program, folder)?;
    let place = format!("{name}:{}: `{}`", example.line, example.shown);
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
