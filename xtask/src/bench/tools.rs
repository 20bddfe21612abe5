//! What measures: our own program, the peers' Python, and the data that both read.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::workspace::{StepError, Workspace, output, run};

/// AIX360 0.3.0 cannot be installed with its dependencies on a recent Python; its two ProtoDash files need only these.
const PEERS: &[&str] = &["numpy<2.4", "scipy", "scikit-learn", "osqp", "cvxpy"];
/// Installed without dependencies of their own: AIX360 asks for old ones, and imports xport without using it here.
const ALONE: &[&str] = &["aix360==0.3.0", "xport<3"];

/// Everything that is needed to measure.
pub(crate) struct Tools {
    python: PathBuf,
    script: PathBuf,
    measure: PathBuf,
    folder: PathBuf,
    mnist: PathBuf,
}

/// What one call reported.
#[derive(Debug, Clone)]
pub(crate) struct Measurement(Value);

impl Measurement {
    /// The middle of the times by the clock.
    pub(crate) fn wall(&self) -> f64 {
        median(self.numbers("seconds"))
    }

    /// The middle of the times of the processor.
    pub(crate) fn processor(&self) -> f64 {
        median(self.numbers("cpu_seconds"))
    }

    fn numbers(&self, key: &str) -> Vec<f64> {
        let values = self.0[key].as_array().map_or(&[][..], Vec::as_slice);
        values.iter().filter_map(Value::as_f64).collect()
    }

    pub(crate) fn number(&self, key: &str) -> f64 {
        self.0[key].as_f64().unwrap_or(f64::NAN)
    }

    /// The chosen rows.
    pub(crate) fn rows(&self) -> Vec<u64> {
        self.0["rows"].as_array().map_or(&[][..], Vec::as_slice).iter().filter_map(Value::as_u64).collect()
    }
}

/// The middle of some numbers.
pub(crate) fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied().unwrap_or(f64::NAN)
}

/// A matrix in a file, or its first rows.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BenchData<'a> {
    pub(crate) file: &'a str,
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    pub(crate) bandwidth: f64,
}

impl Tools {
    /// Builds our program, installs the peers and writes the data, unless that was done before.
    pub(crate) fn prepare(workspace: &Workspace) -> Result<Self, StepError> {
        let folder = workspace.root().join("target/bench");
        let benches = workspace.root().join("benches");
        make_folder(&folder)?;
        run(workspace.cargo(&["build", "--release", "--features", "peers"]).current_dir(&benches))?;
        let tools = Tools {
            python: folder.join("peers/bin/python"),
            script: benches.join("peers.py"),
            measure: benches.join("target/release/protodash-benches"),
            mnist: workspace.root().join("../shared/data/mnist"),
            folder,
        };
        tools.install_peers()?;
        if !tools.folder.join("1000000x50.f32").is_file() {
            run(Command::new(&tools.python).arg(&tools.script).arg("data").arg(&tools.folder))?;
        }
        Ok(tools)
    }

    fn install_peers(&self) -> Result<(), StepError> {
        let done = self.folder.join("peers/installed");
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
        pip(&[&["--no-deps", "--no-build-isolation"], ALONE].concat())?;
        std::fs::write(&done, "").map_err(|error| StepError::new(format!("cannot write {}: {error}", done.display())))
    }

    /// The digits as raw numbers, or `None` if the data are not beside the repository.
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

    /// One call of our program.
    pub(crate) fn ours(
        &self,
        work: &str,
        data: BenchData<'_>,
        n_threads: usize,
        more: &str,
    ) -> Result<Measurement, StepError> {
        self.call(Command::new(&self.measure).arg(work), data, n_threads, more)
    }

    /// One call of a peer.
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
        let value =
            serde_json::from_str(line).map_err(|error| StepError::new(format!("{line:?} is no result: {error}")))?;
        Ok(Measurement(value))
    }

    /// What Python and the peers call their versions.
    pub(crate) fn versions(&self) -> Result<String, StepError> {
        let code = "import sys, numpy, scipy, osqp, cvxpy; print('Python', sys.version.split()[0] + ', NumPy', \
                    numpy.__version__ + ', SciPy', scipy.__version__ + ', OSQP', osqp.__version__ + ', cvxpy', \
                    cvxpy.__version__ + ', AIX360 0.3.0, faer 0.24')";
        output(Command::new(&self.python).args(["-c", code])).map(|text| text.trim().to_owned())
    }
}

fn make_folder(folder: &Path) -> Result<(), StepError> {
    std::fs::create_dir_all(folder)
        .map_err(|error| StepError::new(format!("cannot make {}: {error}", folder.display())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_of_nothing_is_no_number() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), 2.0);
        assert!(median(Vec::new()).is_nan());
    }
}
