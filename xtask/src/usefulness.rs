//! What prototypes are good for, by every method and by other packages, into docs/usefulness.md.
//!
//! `benches/usefulness` chooses with the command and measures with NumPy; that takes a few minutes on two cores.

use crate::python::{Environment, find_python};
use crate::quality::data_folder;
use crate::workspace::{StepError, Workspace, run, say};

const SCRIPTS: &str = "benches/usefulness";
const PAGE: &str = "docs/usefulness.md";
const FIGURES: &str = "docs/usefulness.json";
const MEASURED: &str = "target/usefulness/measured.json";
/// The finished splits of a run that was stopped.
const JOURNAL: &str = "target/usefulness/measured.jsonl";
/// What the rules and measures need beside the command.
const PACKAGES: [&str; 5] = ["numpy", "scikit-learn", "h5py", "kmedoids", "mmd-critic"];

/// Measures everything and writes the page and the figures.
pub(crate) fn measure(workspace: &Workspace) -> Result<String, StepError> {
    let data = data_folder(workspace)?;
    let python = find_python().ok_or_else(|| StepError::new("there is no supported Python on PATH"))?;
    let environment = Environment::new(workspace, &python, "usefulness/venv")?;
    environment.install(&PACKAGES)?;
    run(&mut workspace.cargo(&["build", "--release"]))?;
    let command = workspace.root().join("target/release/protodash");
    say("measuring every rule on every data set");
    let script = format!("{SCRIPTS}/measure.py");
    run(environment.python(&[&script, "testdata"]).arg(data).arg(MEASURED).env("PROTODASH_COMMAND", command))?;
    run(&mut environment.python(&[&format!("{SCRIPTS}/page.py"), MEASURED, PAGE, FIGURES]))?;
    // The next run measures again.
    drop(std::fs::remove_file(workspace.root().join(JOURNAL)));
    Ok(format!("{PAGE}, {FIGURES}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn page_has_the_markers_that_the_script_looks_for() {
        let workspace = Workspace::new();
        let (page, script) = (workspace.read(PAGE).unwrap(), workspace.read(&format!("{SCRIPTS}/page.py")).unwrap());
        for name in ["BEGIN", "END"] {
            let line = script.lines().find_map(|line| line.strip_prefix(&format!("{name} = "))).unwrap();
            assert_eq!(page.matches(line.trim_matches('"')).count(), 1, "{line}");
        }
    }
}
