//! A comparison in words: the sentence that names the best methods, and the table for one number of prototypes.

use crate::document::{ComparisonDocument, OutcomeRecord};
use crate::numbers::{aligned, count, plain_percent};
use crate::sentences::listed;
use crate::tables::TextColumn;

/// The best and the fastest method, in a sentence.
#[must_use]
pub fn comparison_sentence(comparison: &ComparisonDocument) -> String {
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
    let names = listed(&best_methods, "and");
    let quality = best.explained.map_or_else(
        || format!("{names} {have} the largest objective"),
        |explained| format!("{names} {explain} the most, {}", plain_percent(explained)),
    );
    let speed = format!("{} is the fastest, {}", fastest.method, seconds(fastest.seconds));
    sentence_with_accuracy(format!("with {prototypes}, {quality}; {speed}"), comparison, &outcomes)
}

/// The sentence with the most accurate method, if there are labels.
fn sentence_with_accuracy(
    mut sentence: String,
    comparison: &ComparisonDocument,
    outcomes: &[&OutcomeRecord],
) -> String {
    let classifying: Vec<&OutcomeRecord> =
        outcomes.iter().copied().filter(|outcome| outcome.accuracy.is_some()).collect();
    if let (Some(most), methods) = leaders(&classifying, accuracy) {
        let judged = if comparison.holdout.is_some() { "held-out rows" } else { "target rows" };
        let (names, share) = (listed(&methods, "and"), plain_percent(accuracy(most)));
        let have = if methods.len() == 1 { "has" } else { "have" };
        let judged = format!("{} {judged}", count(comparison.n_test as u64));
        sentence += &format!("; {names} {have} the highest accuracy, {share} of {judged}");
    }
    sentence
}

/// The first outcome with the largest value, and all methods that tie with it up to rounding.
fn leaders<'a>(
    outcomes: &[&'a OutcomeRecord],
    value: impl Fn(&OutcomeRecord) -> f64,
) -> (Option<&'a OutcomeRecord>, Vec<&'a str>) {
    const ROUNDING: f64 = 1e-12;
    let largest = outcomes.iter().map(|outcome| value(outcome)).fold(f64::NEG_INFINITY, f64::max);
    let leads = |outcome: &&&'a OutcomeRecord| value(outcome) >= largest - ROUNDING * largest.abs();
    let leading: Vec<&'a OutcomeRecord> = outcomes.iter().filter(leads).copied().collect();
    (leading.first().copied(), leading.iter().map(|outcome| outcome.method.as_str()).collect())
}

fn accuracy(outcome: &OutcomeRecord) -> f64 {
    outcome.accuracy.unwrap_or(0.0)
}

/// One row per method at this number of prototypes: fit, accuracy if there are labels, time and memory.
#[must_use]
pub fn comparison_columns(comparison: &ComparisonDocument, n_prototypes: usize) -> Vec<TextColumn> {
    let outcomes = comparison.at(n_prototypes);
    let number = |header, cell: &dyn Fn(&OutcomeRecord) -> String| {
        let cells = outcomes.iter().map(|outcome| cell(outcome)).collect();
        TextColumn { header, is_number: true, cells }
    };
    let methods = outcomes.iter().map(|outcome| outcome.method.clone()).collect();
    let mut columns = vec![TextColumn { header: "method", is_number: false, cells: methods }];
    if outcomes.iter().any(|outcome| outcome.n_found != outcome.n_prototypes) {
        columns.push(number("found", &|outcome| count(outcome.n_found as u64)));
    }
    let objectives: Vec<f64> = outcomes.iter().map(|outcome| outcome.objective).collect();
    columns.push(TextColumn { header: "objective", is_number: true, cells: aligned(&objectives) });
    if outcomes.iter().all(|outcome| outcome.mmd2.is_some()) {
        let known = |value: Option<f64>| value.unwrap_or(f64::NAN);
        if outcomes.iter().all(|outcome| outcome.explained.is_some()) {
            columns.push(number("explained", &|outcome| plain_percent(known(outcome.explained))));
        }
        columns.push(number("MMD²", &|outcome| format!("{:.3e}", known(outcome.mmd2))));
        columns.push(number("refitted", &|outcome| format!("{:.3e}", known(outcome.mmd2_refitted))));
    }
    if outcomes.iter().any(|outcome| outcome.accuracy.is_some()) {
        // A method that found no prototypes has none.
        columns.push(number("accuracy", &|outcome| outcome.accuracy.map_or_else(|| "–".to_owned(), plain_percent)));
        if comparison.has_votes() {
            columns.push(number("vote", &|outcome| plain_percent(outcome.accuracy_weighted.unwrap_or(0.0))));
        }
    }
    columns.push(number("time", &|outcome| seconds(outcome.seconds)));
    columns.push(number("memory", &|outcome| bytes(outcome.peak_memory_bytes)));
    columns
}

/// A duration in a readable unit.
fn seconds(seconds: f64) -> String {
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
