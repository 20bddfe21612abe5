//! A comparison of methods: one table per number of prototypes, and a sentence that names the best.

use anstyle::Style;

use super::grid::{Column, render};
use super::listed;
use crate::json::{Comparison, Outcome, Overlap};
use protodash_result::numbers::{column, count, percent};

const NAME: usize = 20;

/// A table for each number of prototypes, and the rows that methods share at the largest one.
pub(crate) fn comparison_tables(comparison: &Comparison) -> String {
    let mut text = String::new();
    for overlap in &comparison.overlap {
        let outcomes = comparison.at(overlap.n_prototypes);
        if outcomes.is_empty() {
            continue;
        }
        text += &heading(overlap.n_prototypes);
        text += &outcomes_table(&outcomes);
        text.push('\n');
    }
    if let Some(overlap) = comparison.overlap.last().filter(|overlap| overlap.methods.len() > 1) {
        text += &overlap_table(overlap);
        text.push('\n');
    }
    text
}

/// The best and the fastest method, in a sentence.
pub(crate) fn comparison_sentence(comparison: &Comparison) -> String {
    let Some(largest) = comparison.results.iter().map(|outcome| outcome.n_prototypes).max() else {
        return "no method returned that many prototypes".to_owned();
    };
    let outcomes = comparison.at(largest);
    let (best, best_methods) = leaders(&outcomes, |outcome| outcome.objective);
    let fastest = outcomes.iter().min_by(|a, b| a.seconds.total_cmp(&b.seconds));
    let (Some(best), Some(fastest)) = (best, fastest) else { return String::new() };
    let prototypes =
        if largest == 1 { "1 prototype".to_owned() } else { format!("{} prototypes", count(largest as u64)) };
    let (explain, have) = if best_methods.len() == 1 { ("explains", "has") } else { ("explain", "have") };
    let names = listed(&best_methods);
    let quality = best.explained.map_or_else(
        || format!("{names} {have} the largest objective"),
        |explained| format!("{names} {explain} most, {}", percent(explained)),
    );
    let speed = format!("{} is the fastest, {}", fastest.method, seconds(fastest.seconds));
    sentence_with_accuracy(format!("with {prototypes} {quality}; {speed}"), comparison, &outcomes)
}

/// The sentence with the most accurate method, if there are labels.
fn sentence_with_accuracy(mut sentence: String, comparison: &Comparison, outcomes: &[&Outcome]) -> String {
    let classifying: Vec<&Outcome> = outcomes.iter().copied().filter(|outcome| outcome.accuracy.is_some()).collect();
    if let (Some(most), methods) = leaders(&classifying, accuracy) {
        let judged = if comparison.holdout.is_some() { "held-out rows" } else { "target rows" };
        let (names, share) = (listed(&methods), percent(accuracy(most)));
        sentence +=
            &format!("; {names} has the highest accuracy, {share} of {} {judged}", count(comparison.n_test as u64));
    }
    sentence
}

/// The first outcome with the largest value, and all methods that tie with it up to rounding.
fn leaders<'a>(outcomes: &[&'a Outcome], value: impl Fn(&Outcome) -> f64) -> (Option<&'a Outcome>, Vec<&'a str>) {
    const ROUNDING: f64 = 1e-12;
    let largest = outcomes.iter().map(|outcome| value(outcome)).fold(f64::NEG_INFINITY, f64::max);
    let leads = |outcome: &&&'a Outcome| value(outcome) >= largest - ROUNDING * largest.abs();
    let leading: Vec<&'a Outcome> = outcomes.iter().filter(leads).copied().collect();
    (leading.first().copied(), leading.iter().map(|outcome| outcome.method.as_str()).collect())
}

fn accuracy(outcome: &Outcome) -> f64 {
    outcome.accuracy.unwrap_or(0.0)
}

fn heading(n_prototypes: usize) -> String {
    const BOLD: Style = Style::new().bold();
    let noun = if n_prototypes == 1 { "prototype" } else { "prototypes" };
    format!("{BOLD}{} {noun}{BOLD:#}\n", count(n_prototypes as u64))
}

fn outcomes_table(outcomes: &[&Outcome]) -> String {
    let each = |cell: &dyn Fn(&Outcome) -> String| outcomes.iter().map(|outcome| cell(outcome)).collect::<Vec<_>>();
    let mut columns = vec![Column::left("method", each(&|outcome| outcome.method.clone()), NAME)];
    if outcomes.iter().any(|outcome| outcome.n_found != outcome.n_prototypes) {
        columns.push(Column::right("found", each(&|outcome| count(outcome.n_found as u64))));
    }
    let numbers =
        |value: &dyn Fn(&Outcome) -> f64| column(&outcomes.iter().map(|outcome| value(outcome)).collect::<Vec<_>>());
    columns.push(Column::right("objective", numbers(&|outcome| outcome.objective)));
    if outcomes.iter().all(|outcome| outcome.mmd2.is_some()) {
        let known = |value: Option<f64>| value.unwrap_or(f64::NAN);
        columns.push(Column::right("explained", each(&|outcome| percent(known(outcome.explained)))));
        columns.push(Column::right("MMD²", each(&|outcome| format!("{:.3e}", known(outcome.mmd2)))));
        columns
            .push(Column::right("refitted", each(&|outcome| format!("{:.3e}", known(outcome.mmd2_solved_again)))));
    }
    if outcomes.iter().all(|outcome| outcome.accuracy.is_some()) {
        columns.push(Column::right("accuracy", each(&|outcome| percent(accuracy(outcome)))));
        columns.push(Column::right("vote", each(&|outcome| percent(outcome.accuracy_weighted.unwrap_or(0.0)))));
    }
    columns.push(Column::right("time", each(&|outcome| seconds(outcome.seconds))));
    columns.push(Column::right("memory", each(&|outcome| bytes(outcome.peak_memory_bytes))));
    render(&columns, &[])
}

/// How many rows each two methods share.
fn overlap_table(overlap: &Overlap) -> String {
    const NUMBERS: [&str; 9] = ["1", "2", "3", "4", "5", "6", "7", "8", "9"];
    let names = overlap.methods.iter().enumerate().map(|(place, method)| format!("{} {method}", place + 1));
    let mut columns = vec![Column::left("shared rows", names.collect(), NAME)];
    for (place, number) in (0..overlap.methods.len()).zip(NUMBERS) {
        let cells = overlap.shared.iter().map(|row| count(row[place] as u64)).collect();
        columns.push(Column::right(number, cells));
    }
    render(&columns, &[])
}

/// A duration in a readable unit.
pub(super) fn seconds(seconds: f64) -> String {
    match seconds {
        few if few < 1e-3 => format!("{:.0} µs", few * 1e6),
        few if few < 1.0 => format!("{:.0} ms", few * 1e3),
        some if some < 100.0 => format!("{some:.1} s"),
        many => format!("{:.0} min", many / 60.0),
    }
}

fn bytes(bytes: u64) -> String {
    const MIB: f64 = (1 << 20) as f64;
    match bytes as f64 / MIB {
        0.0 => "unknown".to_owned(),
        mib if mib < 1024.0 => format!("{mib:.0} MiB"),
        mib => format!("{:.1} GiB", mib / 1024.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_shown_in_a_readable_unit() {
        assert_eq!([2.5e-5, 0.0421, 3.25, 360.0].map(seconds), ["25 µs", "42 ms", "3.2 s", "6 min"]);
    }

    #[test]
    fn sizes_are_shown_in_binary_units() {
        assert_eq!([0, 3 << 20, 5 << 30].map(bytes), ["unknown", "3 MiB", "5.0 GiB"]);
    }
}
