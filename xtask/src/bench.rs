//! `cargo xtask bench`: compares this project with its peers on the same data, as a table in `docs`.
//!
//! The peers are installed in a virtual environment under `target/bench`. Programs in one row of the table take turns,
//! so that other load on the machine affects all of them equally.

mod growth;
mod machine;
mod report;
mod rows;
mod tools;

use crate::workspace::{StepError, Workspace, say};
use report::BenchReport;
use tools::Tools;

/// Number of turns of each program: `BENCH_TURNS`, by default 5.
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
