//! Compares the Python package with AIX360: install time, size, speed and memory, into docs/python.md.
//!
//! `benches/python/measure.py` measures each figure in a separate process; only the install time is measured here.
//! AIX360 gets only the packages that its ProtoDash needs, far fewer than it declares.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

use serde_json::{Value, json};

use crate::python::{self, Environment};
use crate::pythons::interpreters;
use crate::workspace::{StepError, Workspace, output, say};

const PAGE: &str = "docs/python.md";
const RESULTS: &str = "benches/python/results.json";
const SCRIPT: &str = "benches/python/measure.py";
const BEGIN: &str = "<!-- begin of what `cargo xtask python-bench` writes -->";
const END: &str = "<!-- end of what `cargo xtask python-bench` writes -->";

/// Rows, features and prototypes of the call used to measure binding overhead.
const OVERHEAD: [&str; 3] = ["20000", "50", "100"];
/// Rows, features and prototypes of the runs of both packages.
const RUNS: [[&str; 3]; 3] = [["1000", "20", "10"], ["4000", "50", "20"], ["8000", "50", "50"]];
/// AIX360's declared dependencies cannot be installed on newer Pythons; its ProtoDash needs only these.
const AIX360: &str = "aix360==0.3.0";
const AIX360_NEEDS: [&str; 8] = [
    "--only-binary",
    ":all:",
    "numpy<2.4",
    "scipy",
    "scikit-learn",
    "cvxpy==1.5.4",
    "osqp==0.6.7.post3",
    "xport==2.0.2",
];
/// The Python versions that those packages support.
const PYTHONS: [(u32, u32); 2] = [(3, 11), (3, 10)];

/// Measures everything and writes the page and the JSON file.
pub(crate) fn measure(workspace: &Workspace) -> Result<String, StepError> {
    let found = interpreters();
    let python = PYTHONS.iter().find_map(|version| found.get(version));
    let python = python.ok_or_else(|| StepError::new("there is no Python 3.10 or 3.11, which AIX360 needs"))?;
    let wheel = release_wheel(workspace, python)?;
    let ours = MeasuredPackage::install(workspace, python, "protodash", &[&[&wheel.to_string_lossy()]])?;
    let theirs = MeasuredPackage::install(workspace, python, "aix360", &[&AIX360_NEEDS, &["--no-deps", AIX360]])?;
    let mut runs = Vec::new();
    for size in RUNS {
        let both = [("protodash", &ours), ("aix360", &theirs)];
        let [own, other] = both.map(|(name, package)| package.measure(&[&["run", name], &size[..]].concat()));
        runs.push(json!({ "protodash": own?, "aix360": other? }));
    }
    let results = json!({
        "machine": ours.measure(&["machine"])?,
        "wheel_bytes": size_of_file(&wheel)?,
        "import": ours.measure(&["import"])?,
        "overhead": ours.measure(&[&["overhead"], &OVERHEAD[..]].concat())?,
        "install": { "protodash": ours.to_json(), "aix360": theirs.to_json() },
        "runs": runs,
    });
    write(workspace, &results)?;
    Ok(format!("{PAGE}, {RESULTS}"))
}

/// Builds the wheel in release mode.
fn release_wheel(workspace: &Workspace, python: &Path) -> Result<PathBuf, StepError> {
    let builder = Environment::new(workspace, python, "python-bench/builder")?;
    builder.install(&["maturin>=1.9,<2"])?;
    let folder = workspace.root().join("target/python-bench/wheels");
    drop(std::fs::remove_dir_all(&folder));
    builder.maturin(&["build", "--quiet", "--release", "--out", &folder.to_string_lossy()])?;
    python::only_file(&folder)
}

/// A package in its own virtual environment.
struct MeasuredPackage<'a> {
    environment: Environment<'a>,
    seconds: f64,
    bytes: u64,
}

impl<'a> MeasuredPackage<'a> {
    /// Installs the package in a new environment, with one call of `pip` for each of `calls`.
    fn install(workspace: &'a Workspace, python: &Path, name: &str, calls: &[&[&str]]) -> Result<Self, StepError> {
        let place = format!("python-bench/{name}");
        drop(std::fs::remove_dir_all(workspace.root().join("target").join(&place)));
        let environment = Environment::new(workspace, python, &place)?;
        let empty = environment.bytes()?;
        let begun = Instant::now();
        for call in calls {
            environment.install(&[&["--no-cache-dir"], *call].concat())?;
        }
        let seconds = begun.elapsed().as_secs_f64();
        Ok(MeasuredPackage { bytes: environment.bytes()?.saturating_sub(empty), environment, seconds })
    }

    fn to_json(&self) -> Value {
        json!({ "seconds": self.seconds, "bytes": self.bytes })
    }

    /// Runs the script and returns the JSON it prints.
    fn measure(&self, arguments: &[&str]) -> Result<Value, StepError> {
        say(&format!("measuring {}", arguments.join(" ")));
        let printed = output(self.environment.python(&[SCRIPT]).args(arguments))?;
        serde_json::from_str(&printed).map_err(|error| StepError::new(format!("{SCRIPT} printed no JSON: {error}")))
    }
}

fn size_of_file(path: &Path) -> Result<u64, StepError> {
    let found = std::fs::metadata(path);
    found.map(|file| file.len()).map_err(|error| StepError::new(format!("cannot read {}: {error}", path.display())))
}

fn write(workspace: &Workspace, results: &Value) -> Result<(), StepError> {
    let page = workspace.read(PAGE)?;
    let between = page.split_once(BEGIN).and_then(|(before, rest)| Some((before, rest.split_once(END)?.1)));
    let (before, after) =
        between.ok_or_else(|| StepError::new(format!("{PAGE} has no markers for the generated part")))?;
    let page = format!("{before}{BEGIN}\n{}{END}{after}", markdown(results));
    let figures = format!("{results:#}\n");
    for (path, text) in [(PAGE, page), (RESULTS, figures)] {
        let written = std::fs::write(workspace.root().join(path), text);
        written.map_err(|error| StepError::new(format!("cannot write {path}: {error}")))?;
    }
    Ok(())
}

/// The generated part of the page.
fn markdown(results: &Value) -> String {
    let number = |path: &str| results.pointer(path).and_then(Value::as_f64).unwrap_or(f64::NAN);
    let text = |path: &str| results.pointer(path).and_then(Value::as_str).unwrap_or("?").to_owned();
    let mut page = format!(
        "{}, {} cores, load {} at start, {}, Python {}, NumPy {}; Gaussian data and kernel.\n\n",
        text("/machine/processor"),
        number("/machine/cores"),
        number("/machine/load"),
        text("/machine/system"),
        text("/machine/python"),
        text("/machine/numpy"),
    );
    let _ = write!(
        page,
        "- Binding overhead: {} rows × {} features, {} prototypes take {:.3} s, the Rust call alone {:.3} s: {:.2} % \
         more (median of seven calls).\n- `import protodash` takes {:.0} ms after `import numpy` ({:.0} ms).\n- \
         Wheel size: {:.1} MB.\n\n",
        number("/overhead/n"),
        number("/overhead/d"),
        number("/overhead/m"),
        number("/overhead/seconds"),
        number("/overhead/rust_seconds"),
        100.0 * number("/overhead/overhead"),
        1000.0 * number("/import/protodash_after_numpy"),
        1000.0 * number("/import/numpy"),
        number("/wheel_bytes") / 1e6,
    );
    page += "| | AIX360 0.3.0 | protodash |\n| --- | ---: | ---: |\n";
    let mut line = |what: &str, theirs: String, ours: String| {
        let _ = writeln!(page, "| {what} | {theirs} | {ours} |");
    };
    let install = |name: &str| format!("{:.0} s", number(&format!("/install/{name}/seconds")));
    line("install time, with dependencies", install("aix360"), install("protodash"));
    let bytes = |name: &str| format!("{:.0} MB", number(&format!("/install/{name}/bytes")) / 1e6);
    line("size on disk, with dependencies", bytes("aix360"), bytes("protodash"));
    for (place, run) in results["runs"].as_array().into_iter().flatten().enumerate() {
        let size = format!("{} × {}, m = {}", run["aix360"]["n"], run["aix360"]["d"], run["aix360"]["m"]);
        let cell = |name: &str, what: &str, unit: &str| {
            format!("{:.3} {unit}", number(&format!("/runs/{place}/{name}/{what}")))
        };
        line(&format!("{size}: time"), cell("aix360", "seconds", "s"), cell("protodash", "seconds", "s"));
        let memory = |name: &str| format!("{:.0} MB", number(&format!("/runs/{place}/{name}/megabytes")));
        line(&format!("{size}: peak memory"), memory("aix360"), memory("protodash"));
    }
    page + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn page_has_the_markers() {
        let page = Workspace::new().read(PAGE).unwrap();
        assert!(page.find(BEGIN).unwrap() < page.find(END).unwrap());
    }

    #[test]
    fn results_become_a_table() {
        let run = |seconds: f64| json!({ "n": 10, "d": 2, "m": 3, "seconds": seconds, "megabytes": 4.6 });
        let results = json!({
            "machine": { "processor": "P", "cores": 2, "load": 0.5, "system": "S", "python": "3.11.7", "numpy": "2.0" },
            "wheel_bytes": 5_500_000, "import": { "numpy": 0.1, "protodash_after_numpy": 0.02 },
            "overhead": { "n": 10, "d": 2, "m": 3, "seconds": 1.01, "rust_seconds": 1.0, "overhead": 0.01 },
            "install": { "protodash": { "seconds": 2.0, "bytes": 3e7 }, "aix360": { "seconds": 40.0, "bytes": 3e8 } },
            "runs": [{ "protodash": run(0.25), "aix360": run(9.0) }],
        });
        let page = markdown(&results);
        assert!(page.contains("| 10 × 2, m = 3: time | 9.000 s | 0.250 s |"), "{page}");
        assert!(page.contains("| size on disk, with dependencies | 300 MB | 30 MB |"), "{page}");
        assert!(page.contains("the Rust call alone 1.000 s: 1.00 % more"), "{page}");
    }
}
