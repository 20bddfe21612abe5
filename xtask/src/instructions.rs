//! `cargo xtask instructions`: instruction counts of the hot loops, which do not depend on the load of the machine.
//!
//! Valgrind's callgrind counts a small run of each loop. It does not support AVX-512, so it runs the AVX2 path. The
//! limits in `benches/instructions.json` are 10 % above the counts when they were set. Without valgrind or AVX2 the
//! step is skipped, or fails if `CI` is set.

use std::collections::HashMap;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::workspace::{StepError, Workspace, output, run, say};

/// A loop, another to compare it with, and the most instructions that it may take of the other's: the default kernel must
/// not leave the loops that the Gaussian runs in.
const RATIOS: [(&str, &str, f64); 2] = [
    ("mean_inverse_multiquadric_f32", "mean_gaussian_f32", 1.3),
    ("mean_inverse_multiquadric_f64", "mean_gaussian_f64", 1.3),
];

/// Fails if a loop exceeds its limit.
pub(crate) fn check(workspace: &Workspace) -> Result<String, StepError> {
    if let Some(missing) = missing() {
        let message = format!("{missing}, nothing was counted");
        return if std::env::var_os("CI").is_some() {
            Err(StepError::new(message))
        } else {
            Ok(format!("SKIPPED: {message}"))
        };
    }
    let benches = workspace.root().join("benches");
    run(workspace.cargo(&["build", "--release", "--bin", "loops"]).current_dir(&benches))?;
    let limits: Value = serde_json::from_str(&workspace.read("benches/instructions.json")?)
        .map_err(|error| StepError::new(format!("benches/instructions.json: {error}")))?;
    let limits = limits.as_object().ok_or_else(|| StepError::new("benches/instructions.json is not an object"))?;
    let program = benches.join("target/release/loops");
    let baseline = count(&program, "nothing")?;
    let (mut exceeded, mut counts) = (Vec::new(), HashMap::new());
    for (name, limit) in limits {
        let counted = count(&program, name)?.saturating_sub(baseline);
        let limit = limit.as_u64().unwrap_or(0);
        say(&format!("{name:<32} {counted:>12} of {limit:>12}"));
        if counted > limit {
            exceeded.push(name.as_str());
        }
        counts.insert(name.as_str(), counted);
    }
    exceeded.extend(above_ratio(&counts));
    if exceeded.is_empty() {
        return Ok(format!("{} loops within their limits", limits.len()));
    }
    Err(StepError::new(format!("instruction limit exceeded: {}", exceeded.join(", "))))
}

/// The loops that take more than their part of another's instructions.
fn above_ratio(counts: &HashMap<&str, u64>) -> Vec<&'static str> {
    let is_above = |(name, other, ratio): &&(&str, &str, f64)| {
        let [counted, other] = [name, other].map(|name| counts.get(name).map_or(0.0, |count| *count as f64));
        counted > ratio * other
    };
    RATIOS.iter().filter(is_above).map(|(name, ..)| *name).collect()
}

/// The missing requirement, if any.
fn missing() -> Option<&'static str> {
    let valgrind = Command::new("valgrind").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    if !valgrind.is_ok_and(|status| status.success()) {
        return Some("valgrind is not installed");
    }
    #[cfg(target_arch = "x86_64")]
    let has_avx2 = std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("fma");
    #[cfg(not(target_arch = "x86_64"))]
    let has_avx2 = false;
    (!has_avx2).then_some("the limits are for AVX2, which this processor does not support")
}

/// Instructions executed by one run of the loop `name`.
fn count(program: &Path, name: &str) -> Result<u64, StepError> {
    let folder =
        tempfile::tempdir().map_err(|error| StepError::new(format!("cannot create a temporary folder: {error}")))?;
    let file = folder.path().join("counted");
    let mut command = Command::new("valgrind");
    command.args(["--tool=callgrind", "--quiet"]).arg(format!("--callgrind-out-file={}", file.display()));
    output(command.arg(program).arg(name))?;
    let text =
        std::fs::read_to_string(&file).map_err(|error| StepError::new(format!("callgrind wrote nothing: {error}")))?;
    total(&text).ok_or_else(|| StepError::new("callgrind wrote no total"))
}

/// The number after `totals:` or `summary:` in callgrind's output.
fn total(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("totals:").or_else(|| line.strip_prefix("summary:")))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loop_far_above_the_one_it_is_compared_with_is_named() {
        let counts = |multiquadric| {
            HashMap::from([
                ("mean_gaussian_f32", 100),
                ("mean_inverse_multiquadric_f32", multiquadric),
                ("mean_gaussian_f64", 100),
                ("mean_inverse_multiquadric_f64", 100),
            ])
        };
        assert_eq!(above_ratio(&counts(130)), [""; 0]);
        assert_eq!(above_ratio(&counts(131)), ["mean_inverse_multiquadric_f32"]);
    }

    #[test]
    fn every_loop_has_a_limit_and_every_limit_a_loop() {
        let workspace = Workspace::new();
        let program = workspace.read("benches/src/bin/loops.rs").unwrap();
        let names = program.split("Some(\"").skip(1).filter_map(|rest| rest.split_once("\") =>"));
        let mut loops: Vec<&str> = names.map(|(name, _)| name).filter(|name| *name != "nothing").collect();
        loops.sort_unstable();
        let limits: Value = serde_json::from_str(&workspace.read("benches/instructions.json").unwrap()).unwrap();
        let mut limited: Vec<&String> = limits.as_object().unwrap().keys().collect();
        limited.sort_unstable();
        assert_eq!(loops, limited);
    }

    #[test]
    fn total_is_parsed() {
        assert_eq!(total("events: Ir\nsummary: 1234\n\nfn=(1) main\n"), Some(1234));
        assert_eq!(total("events: Ir\ntotals: 99\n"), Some(99));
        assert_eq!(total("events: Ir\n"), None);
    }
}
