//! `cargo xtask instructions`: what the hot loops cost in instructions, which no busy machine can blur.
//!
//! Valgrind's callgrind counts them in a small run of each loop. It knows no AVX-512, so that the AVX2 path is what is
//! counted; a loop that grows there has grown everywhere. Limits stand in `benches/instructions.json`, a tenth above
//! what was counted when they were set. With the variable `CI` set, a machine that cannot count is a failure.

use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::workspace::{StepError, Workspace, output, run, say};

/// Fails if a loop takes more instructions than its limit.
pub(crate) fn check(workspace: &Workspace) -> Result<String, StepError> {
    if let Some(missing) = missing() {
        let said = format!("{missing}, nothing was counted");
        return if std::env::var_os("CI").is_some() {
            Err(StepError::new(said))
        } else {
            Ok(format!("SKIPPED: {said}"))
        };
    }
    let benches = workspace.root().join("benches");
    run(workspace.cargo(&["build", "--release", "--bin", "loops"]).current_dir(&benches))?;
    let limits: Value = serde_json::from_str(&workspace.read("benches/instructions.json")?)
        .map_err(|error| StepError::new(format!("benches/instructions.json: {error}")))?;
    let limits = limits.as_object().ok_or_else(|| StepError::new("benches/instructions.json is not an object"))?;
    let program = benches.join("target/release/loops");
    let nothing = count(&program, "nothing")?;
    let mut beyond = Vec::new();
    for (name, limit) in limits {
        let counted = count(&program, name)?.saturating_sub(nothing);
        let limit = limit.as_u64().unwrap_or(0);
        say(&format!("{name:<32} {counted:>12} of {limit:>12}"));
        if counted > limit {
            beyond.push(name.as_str());
        }
    }
    if beyond.is_empty() {
        return Ok(format!("{} loops within their limits", limits.len()));
    }
    Err(StepError::new(format!("more instructions than allowed: {}", beyond.join(", "))))
}

/// What counting would need that is not there.
fn missing() -> Option<&'static str> {
    let valgrind = Command::new("valgrind").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    if !valgrind.is_ok_and(|status| status.success()) {
        return Some("valgrind is not installed");
    }
    #[cfg(target_arch = "x86_64")]
    let has_avx2 = std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("fma");
    #[cfg(not(target_arch = "x86_64"))]
    let has_avx2 = false;
    (!has_avx2).then_some("the limits are those of the AVX2 loops, which this processor does not run")
}

/// Instructions of one run of the program with one loop.
fn count(program: &Path, name: &str) -> Result<u64, StepError> {
    let folder = tempfile::tempdir().map_err(|error| StepError::new(format!("no temporary folder: {error}")))?;
    let file = folder.path().join("counted");
    let mut command = Command::new("valgrind");
    command.args(["--tool=callgrind", "--quiet"]).arg(format!("--callgrind-out-file={}", file.display()));
    output(command.arg(program).arg(name))?;
    let text =
        std::fs::read_to_string(&file).map_err(|error| StepError::new(format!("callgrind wrote nothing: {error}")))?;
    total(&text).ok_or_else(|| StepError::new("callgrind wrote no total"))
}

/// The number after `totals:` or `summary:` in a file of callgrind's.
fn total(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("totals:").or_else(|| line.strip_prefix("summary:")))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_total_is_found() {
        assert_eq!(total("events: Ir\nsummary: 1234\n\nfn=(1) main\n"), Some(1234));
        assert_eq!(total("events: Ir\ntotals: 99\n"), Some(99));
        assert_eq!(total("events: Ir\n"), None);
    }
}
