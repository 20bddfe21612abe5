//! The example pages in `docs/examples`: written by the calls in its README.md, and checked against them.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::programs;
use crate::workspace::{StepError, Workspace, say};

/// Where the pages are, and the file with the calls that make them.
const FOLDER: &str = "docs/examples";
const CALLS: &str = "docs/examples/README.md";

/// Maximum size of all pages.
const MOST_BYTES: u64 = 1_500_000;

/// Writes the pages.
pub(crate) fn write(workspace: &Workspace) -> Result<String, StepError> {
    let program = programs::build(workspace, "protodash")?;
    let calls = calls(&workspace.read(CALLS)?);
    calls.iter().try_for_each(|call| make(workspace, &program, call, &workspace.root().join(FOLDER)))?;
    Ok(format!("{} pages, {} kB", calls.len(), size(workspace, &calls)? / 1000))
}

/// Checks that the pages are those that the calls make now, whatever the last digits of their numbers.
pub(crate) fn check(workspace: &Workspace) -> Result<String, StepError> {
    let program = programs::build(workspace, "protodash")?;
    let calls = calls(&workspace.read(CALLS)?);
    if calls.is_empty() {
        return Err(StepError::new(format!("{CALLS} has no call that makes a page")));
    }
    let folder =
        tempfile::tempdir().map_err(|error| StepError::new(format!("cannot create a temporary folder: {error}")))?;
    for call in &calls {
        make(workspace, &program, call, folder.path())?;
        let made = read(&folder.path().join(&call.page))?;
        let kept = workspace.read(&format!("{FOLDER}/{}", call.page))?;
        if without_digits(&made) != without_digits(&kept) {
            return Err(StepError::new(format!("{FOLDER}/{} is out of date; run `cargo xtask examples`", call.page)));
        }
    }
    let size = size(workspace, &calls)?;
    if size > MOST_BYTES {
        return Err(StepError::new(format!("the pages in {FOLDER} have {size} bytes, more than {MOST_BYTES}")));
    }
    Ok(format!("{} pages, {} kB", calls.len(), size / 1000))
}

/// A call of the command that makes a page.
#[derive(Debug, PartialEq)]
struct ExampleCall {
    arguments: Vec<String>,
    page: String,
}

/// The calls in the console blocks of a document.
fn calls(document: &str) -> Vec<ExampleCall> {
    let call = |line: &str| {
        let mut arguments: Vec<String> =
            line.strip_prefix("$ protodash ")?.split_whitespace().map(str::to_owned).collect();
        let at = arguments.iter().position(|argument| argument == "--report")?;
        let page = arguments.drain(at..).nth(1)?;
        Some(ExampleCall { arguments, page })
    };
    document.lines().filter_map(call).collect()
}

fn make(workspace: &Workspace, program: &Path, call: &ExampleCall, folder: &Path) -> Result<(), StepError> {
    say(&format!("$ protodash {} --report {}", call.arguments.join(" "), call.page));
    let mut command = Command::new(program);
    command.current_dir(workspace.root()).args(&call.arguments).arg("--quiet");
    command.arg("--report").arg(folder.join(&call.page));
    let output = command.output().map_err(|error| StepError::new(format!("cannot run the command: {error}")))?;
    match output.status.success() {
        true => Ok(()),
        false => Err(StepError::new(String::from_utf8_lossy(&output.stderr).into_owned())),
    }
}

fn size(workspace: &Workspace, calls: &[ExampleCall]) -> Result<u64, StepError> {
    let path = |call: &ExampleCall| workspace.root().join(FOLDER).join(&call.page);
    calls.iter().map(|call| Ok(read(&path(call))?.len() as u64)).sum()
}

fn read(path: &Path) -> Result<String, StepError> {
    fs::read_to_string(path).map_err(|error| StepError::new(format!("cannot read {}: {error}", path.display())))
}

/// A page without digits and compressed blocks: other instruction sets may round the last digit differently.
fn without_digits(page: &str) -> String {
    let mut text = String::new();
    for (place, block) in page.split("<script").enumerate() {
        let is_packed = place > 0 && block.split('>').next().is_some_and(|attributes| attributes.contains("packed"));
        let kept = if is_packed { block.split_once("</script>").map_or("", |(_, rest)| rest) } else { block };
        text.extend(kept.chars().filter(|char| !char.is_ascii_digit()));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_read_from_console_lines() {
        let found =
            calls("```console\n$ protodash select a.csv -m 3 --report a.html\n$ ls\n$ protodash select b.csv\n```\n");
        let arguments = ["select", "a.csv", "-m", "3"].map(str::to_owned).to_vec();
        assert_eq!(found, [ExampleCall { arguments, page: "a.html".to_owned() }]);
    }

    #[test]
    fn digits_and_packed_blocks_do_not_count() {
        let page = |number: &str, packed: &str| {
            format!("<p>{number} rows</p><script data-packed=\"true\">{packed}</script><p>end<script>x</script>")
        };
        assert_eq!(without_digits(&page("12", "AB")), without_digits(&page("7", "CD")));
        assert_ne!(without_digits(&page("12", "AB")), without_digits(&page("many", "AB")));
        assert!(without_digits(&page("1", "AB")).ends_with("end>x</script>"));
    }
}
