//! `cargo xtask bench`: this project beside its peers on the same data in the same run, as a table in `docs`.
//!
//! The peers are installed into a virtual environment under `target/bench`. Measurements of one row take turns, so that
//! whatever else the machine does meets all of them alike.

mod growth;
mod machine;
mod report;
mod rows;
mod tools;

use crate::workspace::{StepError, Workspace, say};
use report::BenchReport;
use tools::Tools;

/// How often each of the parties takes its turn: five times, or as often as `BENCH_TURNS` says.
fn n_turns() -> usize {
    std::env::var("BENCH_TURNS").ok().and_then(|text| text.parse().ok()).unwrap_or(5)
}

/// Measures everything and writes `docs/benchmarks.md` and `docs/benchmarks.json`.
pub(crate) fn run(workspace: &Workspace) -> Result<String, StepError> {
    let tools = Tools::prepare(workspace)?;
    let mut report = BenchReport::begin(tools.versions()?);
    for measure in [rows::means, rows::selections, growth::growth, rows::digits, rows::million] {
        for row in measure(&tools)? {
            say(&format!("{} | {} | {}", row.work, row.goal, row.measured));
            report.add(row);
        }
    }
    report.write(workspace)
}
