//! The repository, and how steps run commands, print and fail.

use std::ffi::OsString;
use std::fmt;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The repository this program belongs to.
pub(crate) struct Workspace {
    root: PathBuf,
    cargo: OsString,
}

impl Workspace {
    pub(crate) fn new() -> Self {
        // The value at run time: a moved or copied clone must check itself, not its origin.
        let at_run_time = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
        let xtask = at_run_time.unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
        let root = xtask.parent().unwrap_or(&xtask).to_path_buf();
        Self { root, cargo: std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()) }
    }

    /// The folder of the root `Cargo.toml`.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Command for the cargo that started this program, run in the root.
    pub(crate) fn cargo(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.cargo);
        command.args(arguments).current_dir(&self.root);
        command
    }

    /// Text of a file, relative to the root.
    pub(crate) fn read(&self, path: &str) -> Result<String, StepError> {
        std::fs::read_to_string(self.root.join(path))
            .map_err(|error| StepError::new(format!("cannot read {path}: {error}")))
    }

    /// Files that git tracks or would add, relative to the root, sorted.
    pub(crate) fn files(&self) -> Result<Vec<String>, StepError> {
        let mut command = Command::new("git");
        command.args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]).current_dir(&self.root);
        let listed = output(&mut command)?;
        let mut files: Vec<String> = listed.split('\0').filter(|name| !name.is_empty()).map(String::from).collect();
        // Git still lists a deleted file until the deletion is committed.
        files.retain(|name| self.root.join(name).is_file());
        files.sort_unstable();
        files.dedup();
        Ok(files)
    }
}

/// Why a step failed.
#[derive(Debug)]
pub(crate) struct StepError(String);

impl StepError {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }
}

impl fmt::Display for StepError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "error: {}", self.0)
    }
}

/// Prints a line to stdout; a broken pipe does not stop the checks.
pub(crate) fn say(line: &str) {
    drop(writeln!(io::stdout(), "{line}"));
}

/// Runs a command that inherits stdout and stderr.
pub(crate) fn run(command: &mut Command) -> Result<(), StepError> {
    say(&format!("$ {}", command_line(command)));
    let status = command.status().map_err(|error| cannot_start(command, &error))?;
    if status.success() { Ok(()) } else { Err(failed(command, &status.to_string())) }
}

/// Runs a command, prints each line of its stdout as it arrives, and passes it to `on_line`.
pub(crate) fn run_with_lines(command: &mut Command, mut on_line: impl FnMut(&str)) -> Result<(), StepError> {
    say(&format!("$ {}", command_line(command)));
    let mut child = command.stdout(Stdio::piped()).spawn().map_err(|error| cannot_start(command, &error))?;
    for bytes in BufReader::new(child.stdout.take().ok_or_else(|| failed(command, "it has no stdout"))?).split(b'\n') {
        let bytes = bytes.map_err(|error| failed(command, &error.to_string()))?;
        let line = String::from_utf8_lossy(&bytes);
        say(&line);
        on_line(&line);
    }
    let status = child.wait().map_err(|error| failed(command, &error.to_string()))?;
    if status.success() { Ok(()) } else { Err(failed(command, &status.to_string())) }
}

/// Returns the stdout of a command, which inherits stderr.
pub(crate) fn output(command: &mut Command) -> Result<String, StepError> {
    let output = command.stderr(Stdio::inherit()).output().map_err(|error| cannot_start(command, &error))?;
    if !output.status.success() {
        return Err(failed(command, &output.status.to_string()));
    }
    String::from_utf8(output.stdout).map_err(|error| failed(command, &format!("its output is not UTF-8: {error}")))
}

fn cannot_start(command: &Command, error: &io::Error) -> StepError {
    StepError::new(format!("cannot start `{}`: {error}", command_line(command)))
}

fn failed(command: &Command, reason: &str) -> StepError {
    StepError::new(format!("`{}` failed: {reason}", command_line(command)))
}

/// The command as typed in a shell.
fn command_line(command: &Command) -> String {
    let variables = command.get_envs().filter_map(|(name, value)| {
        value.map(|value| format!("{}=\"{}\" ", name.to_string_lossy(), value.to_string_lossy()))
    });
    let program = Path::new(command.get_program()).file_stem().unwrap_or(command.get_program());
    let words = std::iter::once(program).chain(command.get_args());
    variables.collect::<String>() + &words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_line_is_as_typed() {
        let mut command = Command::new("/opt/tools/cargo");
        command.args(["doc", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings");
        assert_eq!(command_line(&command), "RUSTDOCFLAGS=\"-D warnings\" cargo doc --no-deps");
    }

    #[test]
    fn error_names_the_failing_command() {
        let workspace = Workspace::new();
        let failure = run(&mut workspace.cargo(&["no-such-command", "--quiet"])).unwrap_err().to_string();
        assert!(failure.starts_with("error: `cargo no-such-command --quiet` failed: exit "), "{failure}");
    }

    #[test]
    fn error_names_the_missing_program() {
        let failure = output(&mut Command::new("no-such-program-here")).unwrap_err().to_string();
        assert!(failure.starts_with("error: cannot start `no-such-program-here`: "), "{failure}");
    }

    #[test]
    fn files_are_those_of_git() {
        let files = Workspace::new().files().unwrap();
        assert!(files.contains(&"xtask/src/workspace.rs".to_string()));
        assert!(!files.iter().any(|name| name.starts_with("target/")));
    }
}
