//! How well each method represents four data sets: the table in docs/quality.md, made anew.
//!
//! Every cell comes from `protodash compare`; none is chosen by hand.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::workspace::{StepError, Workspace, output, run, say};

const SIZES: [u64; 3] = [10, 50, 200];
/// Bandwidths, in median distances.
const WIDTHS: [f64; 2] = [0.5, 1.0];
/// Relative differences below this are rounding.
const EQUAL: f64 = 1e-9;
const PAGE: &str = "docs/quality.md";

/// A data set as arguments of the command.
struct QualityDataSet {
    name: &'static str,
    arguments: Vec<String>,
}

/// Compares all methods on all data sets and writes the page.
pub(crate) fn quality(workspace: &Workspace) -> Result<String, StepError> {
    let folder = workspace.root().join("target/quality");
    std::fs::create_dir_all(&folder).map_err(|error| StepError::new(format!("cannot make target/quality: {error}")))?;
    let sets = data_sets(workspace, &folder)?;
    run(&mut workspace.cargo(&["build", "--release"]))?;
    let mut page = String::from(INTRODUCTION);
    let mut cells = QualityCells::default();
    for set in &sets {
        let median = compare(workspace, &folder, set, None)?;
        let bandwidth = number(&median["kernel"]["bandwidth"])?;
        for width in WIDTHS {
            let comparison = compare(workspace, &folder, set, Some(width * bandwidth))?;
            page += &table(set, width, &comparison, &mut cells)?;
        }
    }
    page += &cells.verdict();
    std::fs::write(workspace.root().join(PAGE), page)
        .map_err(|error| StepError::new(format!("cannot write {PAGE}: {error}")))?;
    Ok(format!("{} cells, {PAGE}", cells.n_cells))
}

const INTRODUCTION: &str = "\
# How well each method represents

MMD² that is left between the target and the weighted prototypes (smaller is better), target = source, Gaussian kernel.
*own* are the weights that belong to the method, *best* the best non-negative weights for the same rows. The smallest of
each column is bold. Made by `cargo xtask quality`; every cell is from one call of `protodash compare` with seed 0.
";

fn data_sets(workspace: &Workspace, folder: &Path) -> Result<Vec<QualityDataSet>, StepError> {
    let data = data_folder(workspace)?;
    let usps = usps(&data, folder)?;
    let set = |name, arguments: &[&str]| QualityDataSet {
        name,
        arguments: arguments.iter().map(ToString::to_string).collect(),
    };
    let path = |file: &str| data.join(file).to_string_lossy().into_owned();
    let (letters, mnist) = (path("letter/letter-recognition.data"), path("mnist/train-images-idx3-ubyte.gz"));
    Ok(vec![
        set("digits, 1,797 × 64", &["testdata/digits.csv", "--label", "label"]),
        set("USPS, 7,291 × 256", &[&usps.to_string_lossy()]),
        set("Letters, 20,000 × 16", &[&letters, "--no-header", "--label", "column_1"]),
        set("MNIST, 5,000 of 60,000 × 784", &[&mnist, "--source-sample", "5000", "--target-sample", "5000"]),
    ])
}

fn data_folder(workspace: &Workspace) -> Result<PathBuf, StepError> {
    let told = std::env::var_os("PROTODASH_DATA").map(PathBuf::from);
    let folder = told.unwrap_or_else(|| workspace.root().join("../shared/data"));
    if folder.is_dir() {
        return Ok(folder);
    }
    let message = "the data sets are not there; set PROTODASH_DATA to a folder with letter/, mnist/ and usps/";
    Err(StepError::new(message))
}

/// The training rows of USPS as a NumPy file: HDF5 is read by h5py, in a virtual environment made for it.
fn usps(data: &Path, folder: &Path) -> Result<PathBuf, StepError> {
    let rows = folder.join("usps.npy");
    if rows.is_file() {
        return Ok(rows);
    }
    let environment = folder.join("venv");
    let python = environment.join("bin/python");
    run(Command::new("python3").args(["-m", "venv"]).arg(&environment))?;
    run(Command::new(&python).args(["-m", "pip", "install", "--quiet", "h5py", "numpy"]))?;
    let script = "import sys, h5py, numpy; numpy.save(sys.argv[2], numpy.asarray(h5py.File(sys.argv[1])['train/data'][:], 'f4'))";
    run(Command::new(&python).args(["-c", script]).arg(data.join("usps/usps.h5")).arg(&rows))?;
    Ok(rows)
}

fn compare(
    workspace: &Workspace,
    folder: &Path,
    set: &QualityDataSet,
    bandwidth: Option<f64>,
) -> Result<Value, StepError> {
    let result = folder.join("comparison.json");
    let mut command = Command::new(workspace.root().join("target/release/protodash"));
    command.current_dir(workspace.root()).arg("compare").args(&set.arguments).args(["--quiet", "-o"]).arg(&result);
    match bandwidth {
        // Only the median is wanted.
        None => command.args(["-m", "1", "--methods", "random"]),
        Some(bandwidth) => {
            let sizes: Vec<String> = SIZES.iter().map(ToString::to_string).collect();
            command.args(["-m", &sizes.join(","), "--bandwidth", &bandwidth.to_string()])
        }
    };
    say(&format!("{}, bandwidth {}", set.name, bandwidth.map_or("median".to_owned(), |width| width.to_string())));
    output(&mut command)?;
    let text = std::fs::read_to_string(&result).map_err(|error| StepError::new(format!("no comparison: {error}")))?;
    serde_json::from_str(&text).map_err(|error| StepError::new(format!("the comparison is not JSON: {error}")))
}

fn number(value: &Value) -> Result<f64, StepError> {
    value.as_f64().ok_or_else(|| StepError::new(format!("the comparison has {value} where a number should be")))
}

/// What swap came to in all columns.
#[derive(Default)]
struct QualityCells {
    n_cells: usize,
    n_columns: usize,
    /// Where another method was better, with both figures.
    beaten: Vec<String>,
}

impl QualityCells {
    fn verdict(&self) -> String {
        let best = self.n_columns - self.beaten.len();
        let mut text = format!("\n`swap` is the best or equal to the best in {best} of {} columns.\n", self.n_columns);
        for line in &self.beaten {
            let _ = writeln!(text, "- {line}");
        }
        text
    }
}

/// The rows of one data set and bandwidth: a line for each method, two columns for each number of prototypes.
fn table(set: &QualityDataSet, width: f64, comparison: &Value, cells: &mut QualityCells) -> Result<String, StepError> {
    let empty = Vec::new();
    let results = comparison["results"].as_array().unwrap_or(&empty);
    let mut methods: Vec<&str> = Vec::new();
    for method in results.iter().filter_map(|result| result["method"].as_str()) {
        if !methods.contains(&method) {
            methods.push(method);
        }
    }
    let figure = |method: &str, size: u64, key: &str| {
        let of = |result: &&Value| result["method"] == method && result["n_prototypes"] == size;
        results.iter().find(of).and_then(|result| result[key].as_f64())
    };
    let mut text =
        format!("\n## {}, bandwidth {width} × median = {}\n\n", set.name, short(&comparison["kernel"]["bandwidth"])?);
    text += &header();
    let columns: Vec<(u64, &str)> =
        SIZES.iter().flat_map(|size| ["mmd2", "mmd2_solved_again"].map(|key| (*size, key))).collect();
    let best = |(size, key): (u64, &str)| {
        methods.iter().filter_map(|method| figure(method, size, key)).fold(f64::INFINITY, f64::min)
    };
    for method in &methods {
        let cell = |column: &(u64, &str)| match figure(method, column.0, column.1) {
            Some(value) if value <= best(*column) * (1.0 + EQUAL) => format!("**{value:.3e}**"),
            Some(value) => format!("{value:.3e}"),
            None => "–".to_owned(),
        };
        let _ = writeln!(text, "| `{method}` | {} |", columns.iter().map(cell).collect::<Vec<_>>().join(" | "));
        cells.n_cells += columns.len();
    }
    for column in columns {
        cells.n_columns += 1;
        let (Some(swap), best) = (figure("swap", column.0, column.1), best(column)) else { continue };
        if swap > best * (1.0 + EQUAL) {
            let by = methods.iter().find(|method| figure(method, column.0, column.1) == Some(best)).unwrap_or(&"");
            let line =
                format!("{}, {width} × median, m = {}: `{by}` {best:.3e}, `swap` {swap:.3e}", set.name, column.0);
            cells.beaten.push(line);
        }
    }
    Ok(text)
}

fn header() -> String {
    let names: String = SIZES.iter().map(|size| format!(" m = {size}, own | best |")).collect();
    format!("| method |{names}\n| --- |{}\n", " --- |".repeat(2 * SIZES.len()))
}

fn short(value: &Value) -> Result<String, StepError> {
    Ok(format!("{:.4}", number(value)?))
}
