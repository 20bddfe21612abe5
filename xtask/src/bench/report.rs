//! The results as a Markdown table and as JSON.

use std::fmt::Write;

use serde_json::json;

use super::{machine, n_turns, workspace_file};
use crate::workspace::{StepError, Workspace};

/// One row of the table.
#[derive(Debug)]
pub(super) struct BenchRow {
    pub(super) work: String,
    pub(super) goal: String,
    pub(super) measured: String,
    /// `None` without a goal.
    met: Option<bool>,
}

impl BenchRow {
    pub(super) fn new(work: String, goal: String, measured: String, met: bool) -> Self {
        BenchRow { work, goal, measured, met: Some(met) }
    }

    /// A row without a goal.
    pub(super) fn reported(work: String, measured: String) -> Self {
        BenchRow { work, goal: "–".into(), measured, met: None }
    }
}

/// All results.
pub(super) struct BenchReport {
    machine: String,
    /// Versions of the peers.
    peers: String,
    rows: Vec<BenchRow>,
}

/// Markers around the generated table; the rest of the page is written by hand.
const BEGIN: &str = "<!-- begin: cargo xtask bench -->";
const END: &str = "<!-- end: cargo xtask bench -->";

impl BenchReport {
    pub(super) fn begin(peers: String) -> Self {
        BenchReport { machine: machine::machine(), peers, rows: Vec::new() }
    }

    pub(super) fn add(&mut self, row: BenchRow) {
        self.rows.push(row);
    }

    /// Writes the table to `docs/benchmarks.md` and all results to `docs/benchmarks.json`.
    pub(super) fn write(self, workspace: &Workspace) -> Result<String, StepError> {
        let versions = format!("{}; {}; {} turns", machine::versions(workspace), self.peers, n_turns());
        let page = workspace.read("docs/benchmarks.md")?;
        let page = replace_table(&page, &self.table(&versions))
            .ok_or_else(|| StepError::new("docs/benchmarks.md has no markers for the table"))?;
        let rows: Vec<_> = self
            .rows
            .iter()
            .map(|row| json!({ "work": row.work, "goal": row.goal, "measured": row.measured, "met": row.met }))
            .collect();
        let all = json!({ "machine": self.machine, "versions": versions, "rows": rows });
        for (file, text) in [("docs/benchmarks.md", page), ("docs/benchmarks.json", format!("{all:#}\n"))] {
            workspace_file(workspace, file, &text)?;
        }
        let met: Vec<bool> = self.rows.iter().filter_map(|row| row.met).collect();
        Ok(format!("{} of {} goals met", met.iter().filter(|met| **met).count(), met.len()))
    }

    fn table(&self, versions: &str) -> String {
        let mut text =
            format!("{}; {versions}.\n\n| work | goal | measured | met |\n| --- | --- | --- | --- |\n", self.machine);
        for BenchRow { work, goal, measured, met } in &self.rows {
            let met = match met {
                Some(true) => "yes",
                Some(false) => "**no**",
                None => "–",
            };
            let _ = writeln!(text, "| {work} | {goal} | {measured} | {met} |");
        }
        text
    }
}

/// The page with the table between the markers replaced.
fn replace_table(page: &str, table: &str) -> Option<String> {
    let (before, rest) = page.split_once(BEGIN)?;
    let (_, after) = rest.split_once(END)?;
    Some(format!("{before}{BEGIN}\n{table}{END}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_table_is_replaced() {
        let page = format!("a\n{BEGIN}\nold\n{END}\nb\n");
        assert_eq!(replace_table(&page, "new\n").unwrap(), format!("a\n{BEGIN}\nnew\n{END}\nb\n"));
        assert_eq!(replace_table("nothing", "new"), None);
    }
}
