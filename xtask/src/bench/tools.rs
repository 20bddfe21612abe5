//! Runs our benchmark program and the peers' Python script on the same data.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::workspace::{StepError, Workspace, output, run};

/// AIX360 0.3.0 cannot be installed with its dependencies on a recent Python; its ProtoDash needs only these.
const PEERS: &[&str] = &["numpy<2.4", "scipy", "scikit-learn", "osqp", "cvxpy", "goodpoints==0.6.3", "kmedoids==0.5.5"];
/// Installed without dependencies: AIX360 requires old ones, and imports xport without using it here.
const NO_DEPS: &[&str] = &["aix360==0.3.0", "xport<3"];

/// Paths of the programs and the data.
pub(crate) struct Tools {
    python: PathBuf,
    script: PathBuf,
    measure: PathBuf,
    folder: PathBuf,
    mnist: PathBuf,
}

/// The result of one call.
#[derive(Debug, Clone)]
pub(crate) struct Measurement(Value);

impl Measurement {
    /// Median wall time.
    pub(crate) fn wall(&self) -> f64 {
        median(self.numbers("seconds"))
    }

    /// Median CPU time.
    pub(crate) fn cpu(&self) -> f64 {
        median(self.numbers("cpu_seconds"))
    }

    fn numbers(&self, key: &str) -> Vec<f64> {
        let values = self.0[key].as_array().map_or(&[][..], Vec::as_slice);
        values.iter().filter_map(Value::as_f64).collect()
    }

    pub(crate) fn number(&self, key: &str) -> f64 {
        self.0[key].as_f64().unwrap_or(f64::NAN)
    }

    /// A text; empty if there is none.
    pub(crate) fn text(&self, key: &str) -> &str {
        self.0[key].as_str().unwrap_or_default()
    }

    /// Indices of the prototypes.
    pub(crate) fn rows(&self) -> Vec<u64> {
        self.0["rows"].as_array().map_or(&[][..], Vec::as_slice).iter().filter_map(Value::as_u64).collect()
    }
}

/// The median, or NaN if there are no numbers.
pub(crate) fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied().unwrap_or(f64::NAN)
}

/// The first rows of a matrix in a file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BenchData<'a> {
    pub(crate) file: &'a str,
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    pub(crate) bandwidth: f64,
}

impl Tools {
    /// Builds our program, installs the peers and generates the data, unless already done.
    pub(crate) fn prepare(workspace: &Workspace) -> Result<Self, StepError> {
        let folder = workspace.root().join("target/bench");
        let benches = workspace.root().join("benches");
        create_folder(&folder)?;
        run(workspace.cargo(&["build", "--release", "--features", "peers"]).current_dir(&benches))?;
        let tools = Tools {
            python: folder.join("peers/bin/python"),
            script: benches.join("peers.py"),
            measure: benches.join("target/release/protodash-benches"),
            mnist: workspace.root().join("../shared/data/mnist"),
            folder,
        };
        tools.install_peers()?;
        tools.generate("1048576x50.f32", "data")?;
        Ok(tools)
    }

    /// Generates data unless this file, the last of them, is there.
    pub(crate) fn generate(&self, file: &str, what: &str) -> Result<(), StepError> {
        if self.folder.join(file).is_file() {
            return Ok(());
        }
        run(Command::new(&self.python).arg(&self.script).arg(what).arg(&self.folder))
    }

    /// Writes the rows and weights of a selection to a file, for `mmd` of our program; returns the option that names it.
    pub(crate) fn chosen(&self, measured: &Measurement) -> Result<String, StepError> {
        let file = self.folder.join("chosen.json");
        let written = std::fs::write(&file, measured.0.to_string());
        written.map_err(|error| StepError::new(format!("cannot write {}: {error}", file.display())))?;
        Ok(format!("chosen={}", file.display()))
    }

    fn install_peers(&self) -> Result<(), StepError> {
        // Named after the list, so that a longer one is installed again.
        let done = self.folder.join(format!("peers/installed-{}", PEERS.len()));
        if done.is_file() {
            return Ok(());
        }
        run(Command::new("python3").args(["-m", "venv"]).arg(self.folder.join("peers")))?;
        let pip = |arguments: &[&str]| {
            let mut command = Command::new(&self.python);
            run(command.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]).args(arguments))
        };
        pip(&["setuptools<81", "wheel"])?;
        pip(PEERS)?;
        pip(&[&["--no-deps", "--no-build-isolation"], NO_DEPS].concat())?;
        std::fs::write(&done, "").map_err(|error| StepError::new(format!("cannot write {}: {error}", done.display())))
    }

    /// File with the MNIST pixels, or `None` if MNIST is not next to the repository.
    pub(crate) fn digits(&self) -> Result<Option<&'static str>, StepError> {
        let file = "60000x784.f32";
        if !self.folder.join(file).is_file() {
            if !self.mnist.is_dir() {
                return Ok(None);
            }
            let mut command = Command::new(&self.python);
            run(command.arg(&self.script).arg("digits").arg(&self.mnist).arg(self.folder.join(file)))?;
        }
        Ok(Some(file))
    }

    /// Runs our program once.
    pub(crate) fn ours(
        &self,
        work: &str,
        data: BenchData<'_>,
        n_threads: usize,
        more: &str,
    ) -> Result<Measurement, StepError> {
        self.call(Command::new(&self.measure).arg(work), data, n_threads, more)
    }

    /// Runs a peer once.
    pub(crate) fn peer(
        &self,
        work: &str,
        data: BenchData<'_>,
        n_threads: usize,
        more: &str,
    ) -> Result<Measurement, StepError> {
        self.call(Command::new(&self.python).arg(&self.script).arg(work), data, n_threads, more)
    }

    fn call(
        &self,
        command: &mut Command,
        data: BenchData<'_>,
        n_threads: usize,
        more: &str,
    ) -> Result<Measurement, StepError> {
        let BenchData { file, rows, columns, bandwidth } = data;
        command.arg(format!("file={}", self.folder.join(file).display()));
        command.args([format!("rows={rows}"), format!("columns={columns}"), format!("bandwidth={bandwidth}")]);
        command.arg(format!("threads={n_threads}")).args(more.split_whitespace());
        for variable in ["OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"] {
            command.env(variable, n_threads.to_string());
        }
        let written = output(command)?;
        let line = written.lines().last().unwrap_or_default();
        let value = serde_json::from_str(line)
            .map_err(|error| StepError::new(format!("cannot parse the result {line:?}: {error}")))?;
        Ok(Measurement(value))
    }

    /// Versions of Python and the peers.
    pub(crate) fn versions(&self) -> Result<String, StepError> {
        let code = "import sys, numpy, scipy, osqp, cvxpy; print('Python', sys.version.split()[0] + ', NumPy', \
                    numpy.__version__ + ', SciPy', scipy.__version__ + ', OSQP', osqp.__version__ + ', cvxpy', \
                    cvxpy.__version__ + ', AIX360 0.3.0, goodpoints 0.6.3, kmedoids 0.5.5, faer 0.24')";
        output(Command::new(&self.python).args(["-c", code])).map(|text| text.trim().to_owned())
    }
}

fn create_folder(folder: &Path) -> Result<(), StepError> {
    std::fs::create_dir_all(folder)
        .map_err(|error| StepError::new(format!("cannot create {}: {error}", folder.display())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn median_of_nothing_is_nan() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), 2.0);
        assert!(median(Vec::new()).is_nan());
    }
}
