//! `cargo xtask bench`: compares this project with its peers on the same data, as a table in `docs`.
//!
//! The peers are installed in a virtual environment under `target/bench`. Programs in one row of the table take turns,
//! so that other load on the machine affects all of them equally.

mod growth;
mod machine;
mod peers;
mod plot;
mod racing;
mod report;
mod rows;
mod tools;

use crate::workspace::{StepError, Workspace, say};
use report::{BenchReport, BenchRow};
use tools::Tools;

/// Measures some rows of the table.
type BenchedWork = fn(&Tools) -> Result<Vec<BenchRow>, StepError>;

/// The parts of the table, in its order.
const PARTS: &[(&str, BenchedWork)] = &[
    ("means", rows::means),
    ("selections", rows::selections),
    ("growth", growth::growth),
    ("digits", rows::digits),
    ("million", rows::million),
    ("racing", racing::racing),
    ("racing-growth", racing::growth_of_pairs),
    ("peers", peers::peers),
    ("large", racing::large),
];

/// Number of turns of each program: `BENCH_TURNS`, by default 5.
fn n_turns() -> usize {
    std::env::var("BENCH_TURNS").ok().and_then(|text| text.parse().ok()).unwrap_or(5)
}

/// Whether to measure ten million rows too, which takes 7 GB of memory and a quarter of an hour: `BENCH_LARGE=1`.
fn is_large() -> bool {
    std::env::var_os("BENCH_LARGE").is_some_and(|value| value == "1")
}

/// The part that is not rows of the table but a plot.
const PLOT: &str = "plot";

/// Measures everything and writes `docs/benchmarks.md`, `docs/benchmarks.json` and the plot.
///
/// `BENCH_ONLY=racing` measures only those of its parts, separated by commas, and replaces their rows in these files.
pub(crate) fn run(workspace: &Workspace) -> Result<String, StepError> {
    let only = std::env::var("BENCH_ONLY").ok();
    let only: Option<Vec<&str>> = only.as_ref().map(|only| only.split(',').collect());
    let known = || PARTS.iter().map(|(part, _)| *part).chain([PLOT]);
    if let Some(name) = only.iter().flatten().find(|name| known().all(|part| part != **name)) {
        let known: Vec<&str> = known().collect();
        return Err(StepError::new(format!("unknown part {name}; BENCH_ONLY takes {}", known.join(", "))));
    }
    let is_wanted = |part: &str| only.as_ref().is_none_or(|only| only.contains(&part));
    let tools = Tools::prepare(workspace)?;
    let mut report = BenchReport::begin(tools.versions()?);
    for (part, measure) in PARTS {
        if !is_wanted(part) {
            continue;
        }
        for row in measure(&tools)? {
            say(&format!("{} | {} | {}", row.work, row.goal, row.measured));
            report.add(row);
        }
    }
    if is_wanted(PLOT) {
        workspace_file(workspace, "docs/benchmarks.svg", &plot::svg(&plot::measure(&tools)?))?;
    }
    report.write(workspace, only.as_deref())
}

fn workspace_file(workspace: &Workspace, file: &str, text: &str) -> Result<(), StepError> {
    let written = std::fs::write(workspace.root().join(file), text);
    written.map_err(|error| StepError::new(format!("cannot write {file}: {error}")))
}
