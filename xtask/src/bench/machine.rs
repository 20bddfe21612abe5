//! Description of the machine.

use std::process::Command;

use crate::workspace::{Workspace, output};

/// Processor, cores, memory and load, as far as the system reports them.
pub(super) fn machine() -> String {
    let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
    let value = |text: &str, key: &str| {
        let line = text.lines().find(|line| line.starts_with(key)).unwrap_or_default();
        line.split_once(':').map_or(String::from("unknown"), |(_, value)| value.trim().to_owned())
    };
    let processor = read("/proc/cpuinfo");
    let vectors = if processor.contains("avx512f") { "AVX-512" } else { "no AVX-512" };
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let load = read("/proc/loadavg").split_whitespace().next().unwrap_or("unknown").to_owned();
    format!(
        "{} ({vectors}), {cores} cores, {} of memory; load when the run began: {load}",
        value(&processor, "model name"),
        value(&read("/proc/meminfo"), "MemTotal"),
    )
}

/// Compiler version and commit.
pub(super) fn versions(workspace: &Workspace) -> String {
    let of = |program: &str, arguments: &[&str]| {
        let mut command = Command::new(program);
        output(command.args(arguments).current_dir(workspace.root())).unwrap_or_default().trim().to_owned()
    };
    format!("{}, commit {}", of("rustc", &["--version"]), of("git", &["rev-parse", "--short", "HEAD"]))
}
