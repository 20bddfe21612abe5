//! The results as a Markdown table and as JSON.

use std::fmt::Write;

use serde_json::{Value, json};

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

    /// Writes the table to `docs/benchmarks.md` and all results to `docs/benchmarks.json`. A run of some parts replaces its own
    /// rows there, by their names, and leaves the others.
    pub(super) fn write(self, workspace: &Workspace, parts: Option<&[&str]>) -> Result<String, StepError> {
        let met: Vec<bool> = self.rows.iter().filter_map(|row| row.met).collect();
        let versions = format!("{}; {}; {} turns", machine::versions(workspace), self.peers, n_turns());
        let run = json!({ "machine": self.machine, "versions": versions, "rows": self.rows.iter().map(BenchRow::record)
            .collect::<Vec<_>>() });
        let all = match parts {
            None => run,
            Some(parts) => {
                let before = workspace.read("docs/benchmarks.json")?;
                let before = serde_json::from_str(&before)
                    .map_err(|error| StepError::new(format!("cannot parse docs/benchmarks.json: {error}")))?;
                merged(before, run, &parts.join(", "))
            }
        };
        let has_plot = workspace.root().join("docs/benchmarks.svg").is_file();
        let page = workspace.read("docs/benchmarks.md")?;
        let page = replace_table(&page, &table(&all, has_plot))
            .ok_or_else(|| StepError::new("docs/benchmarks.md has no markers for the table"))?;
        for (file, text) in [("docs/benchmarks.md", page), ("docs/benchmarks.json", format!("{all:#}\n"))] {
            workspace_file(workspace, file, &text)?;
        }
        Ok(format!("{} of {} goals met", met.iter().filter(|met| **met).count(), met.len()))
    }
}

impl BenchRow {
    fn record(&self) -> Value {
        json!({ "work": self.work, "goal": self.goal, "measured": self.measured, "met": self.met })
    }
}

/// The results of an earlier run with the rows of a run of some parts in their places; new ones follow the row before them.
fn merged(mut before: Value, run: Value, parts: &str) -> Value {
    let is_same = |a: &Value, b: &Value| a["work"] == b["work"] && a["goal"] == b["goal"];
    let mut rows = before["rows"].as_array().cloned().unwrap_or_default();
    let mut next = rows.len();
    for row in run["rows"].as_array().into_iter().flatten() {
        match rows.iter().position(|known| is_same(known, row)) {
            Some(place) => {
                rows[place] = row.clone();
                next = place + 1;
            }
            None => {
                rows.insert(next, row.clone());
                next += 1;
            }
        }
    }
    let mut updates = before["updates"].as_array().cloned().unwrap_or_default();
    updates.retain(|update| update["parts"] != parts);
    updates.push(json!({ "parts": parts, "machine": run["machine"], "versions": run["versions"] }));
    before["rows"] = rows.into();
    before["updates"] = updates.into();
    before
}

fn table(all: &Value, has_plot: bool) -> String {
    let text_of = |value: &Value, key: &str| value[key].as_str().unwrap_or_default().to_owned();
    let mut text = format!("{}; {}.\n", text_of(all, "machine"), text_of(all, "versions"));
    for update in all["updates"].as_array().into_iter().flatten() {
        let [parts, machine, versions] = ["parts", "machine", "versions"].map(|key| text_of(update, key));
        let _ = writeln!(text, "\nMeasured later ({parts}): {machine}; {versions}.");
    }
    text += "\n| work | goal | measured | met |\n| --- | --- | --- | --- |\n";
    for row in all["rows"].as_array().into_iter().flatten() {
        let met = match row["met"].as_bool() {
            Some(true) => "yes",
            Some(false) => "**no**",
            None => "–",
        };
        let [work, goal, measured] = ["work", "goal", "measured"].map(|key| text_of(row, key));
        let _ = writeln!(text, "| {work} | {goal} | {measured} | {met} |");
    }
    if has_plot {
        text += "\n![Time against the number of rows](benchmarks.svg)\n";
    }
    text
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
    fn a_run_of_some_parts_replaces_its_rows_and_adds_new_ones_next_to_them() {
        let row =
            |work: &str, goal: &str, measured: &str| BenchRow::new(work.into(), goal.into(), measured.into(), true);
        let run = |rows: &[BenchRow], versions: &str| {
            let rows: Vec<Value> = rows.iter().map(BenchRow::record).collect();
            json!({ "machine": "M", "versions": versions, "rows": rows })
        };
        let before = run(&[row("a", "1", "old"), row("a", "2", "old"), row("b", "3", "old")], "one");
        let later = run(&[row("a", "1", "new"), row("c", "4", "new")], "two");
        let all = merged(merged(before, later.clone(), "racing, large"), later, "racing, large");
        let text = table(&all, true);
        let rows: Vec<&str> = text.lines().filter(|line| line.ends_with("yes |")).collect();
        assert_eq!(
            rows,
            ["| a | 1 | new | yes |", "| c | 4 | new | yes |", "| a | 2 | old | yes |", "| b | 3 | old | yes |"]
        );
        assert_eq!(text.matches("Measured later (racing, large): M; two.").count(), 1);
        assert!(text.starts_with("M; one.\n") && text.ends_with("](benchmarks.svg)\n"));
        assert!(!table(&all, false).contains("svg"));
    }

    #[test]
    fn only_the_table_is_replaced() {
        let page = format!("a\n{BEGIN}\nold\n{END}\nb\n");
        assert_eq!(replace_table(&page, "new\n").unwrap(), format!("a\n{BEGIN}\nnew\n{END}\nb\n"));
        assert_eq!(replace_table("nothing", "new"), None);
    }
}
