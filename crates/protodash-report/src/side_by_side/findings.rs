//! The findings about two selections, in sentences.

use super::NAMES;
use crate::document::{DataRecord, SelectionDocument, SettingDifference, SettingGroup};
use crate::numbers::{counted, measured, plain_percent};
use crate::sentences::NearerFraction;

/// The settings that are named in a sentence; a table has all.
const NAMED: usize = 3;

/// What makes a share explained comparable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Comparability {
    /// Kernel, features and target are the same.
    Comparable,
    /// What differs, so that the shares measure different things.
    Different(&'static str),
}

/// Whether the shares that two selections explain can be compared.
pub(super) fn comparability([first, second]: &[SelectionDocument; 2]) -> Comparability {
    let kernel = |document: &SelectionDocument| (document.kernel.name(), document.kernel.parameters());
    if kernel(first) != kernel(second) {
        return Comparability::Different("their kernels differ");
    }
    let differences = first.differences_from(second);
    let differs = |group| differences.iter().any(|found| found.group == group);
    if differs(SettingGroup::Features) {
        return Comparability::Different("they compare rows by different features");
    }
    let sampled = |data: &DataRecord| data.target_sample.is_some();
    let other_sample = first.seed != second.seed && (sampled(&first.data) || sampled(&second.data));
    if other_sample || differs(SettingGroup::Target) {
        return Comparability::Different("they represent different rows");
    }
    Comparability::Comparable
}

/// The findings, most important first: the fit of both, the rows they share, what differs between the runs.
pub(crate) fn side_by_side_findings(documents: &[SelectionDocument; 2]) -> Vec<String> {
    let mut findings = fit(documents);
    findings.push(shared(documents));
    findings.push(settings(&documents[0].differences_from(&documents[1])));
    findings
}

/// Notes on data of different sizes.
pub(crate) fn notes([first, second]: &[SelectionDocument; 2]) -> Vec<String> {
    let note = |what: &str, one: usize, other: usize, consequence: &str| {
        (one != other)
            .then(|| format!("A was made with {} and B with {other}: {consequence}", counted(one as u64, what)))
    };
    let source =
        "each can choose only among its own rows, and if the table has changed, rows with the same number may differ";
    let notes = [
        note("source row", first.n_source, second.n_source, source),
        note("target row", first.n_target, second.n_target, "they represent different rows"),
    ];
    notes.into_iter().flatten().collect()
}

/// How much each explains and how much nearer than random rows it is.
fn fit(documents: &[SelectionDocument; 2]) -> Vec<String> {
    let comparability = comparability(documents);
    let [first, second] = documents;
    let explained = first.explained.zip(second.explained);
    let nearer =
        [first, second].map(|document| document.baseline.as_ref().and_then(|baseline| baseline.nearer_than_random));
    let mut sentences = Vec::new();
    match (comparability, explained) {
        (Comparability::Comparable, Some((one, other))) => {
            sentences.push(explained_words(documents, one, other));
            sentences.extend(at_equal_sizes(documents));
        }
        (Comparability::Different(why), Some((one, other))) => sentences.push(format!(
            "A explains {} and B {} of the data, which cannot be compared: {why}",
            plain_percent(one),
            plain_percent(other)
        )),
        (_, None) => sentences.push("how much A and B explain cannot be compared: a share is unknown".to_owned()),
    }
    match nearer {
        [Some(one), Some(other)] => {
            let sizes = documents.each_ref().map(|document| document.weighted().count());
            let better = match one - other {
                // Each is compared with as many random rows as it has.
                _ if sizes[0] != sizes[1] => {
                    "they differ in size, so this is the improvement over random rows, not the distance"
                }
                gap if gap.abs() < 0.005 => "neither is nearer",
                gap if gap > 0.0 => "A is nearer",
                _ => "B is nearer",
            };
            let (first, second) = (NearerFraction(one), NearerFraction(other));
            let words = format!(
                "in the features, whatever the kernel, rows are {first} {} a prototype of A than {} the nearest random \
                 row, and {second} {} one of B: {better}",
                first.preposition(),
                first.preposition(),
                second.preposition()
            );
            // Where shares cannot be compared, this is the finding.
            let place = if comparability == Comparability::Comparable { sentences.len() } else { 0 };
            sentences.insert(place, words);
        }
        _ if comparability != Comparability::Comparable => {
            sentences.push("no kernel-independent figure is known: at least one result has no baseline".to_owned());
        }
        _ => {}
    }
    sentences
}

fn explained_words(documents: &[SelectionDocument; 2], one: f64, other: f64) -> String {
    let n_rows = documents.each_ref().map(|document| counted(document.weighted().count() as u64, "row"));
    let points = 100.0 * (other - one);
    let verdict = match points {
        equal if equal.abs() < 0.05 => "they explain the same share".to_owned(),
        more if more > 0.0 => format!("B explains {more:.1} percentage points more"),
        less => format!("A explains {:.1} percentage points more", -less),
    };
    format!(
        "the {} of A explain {} of the data, the {} of B {}: {verdict}",
        n_rows[0],
        plain_percent(one),
        n_rows[1],
        plain_percent(other)
    )
}

/// What both explain with as many prototypes as the shorter run has.
fn at_equal_sizes(documents: &[SelectionDocument; 2]) -> Option<String> {
    let paths = documents.each_ref().map(SelectionDocument::explained_path);
    let size = paths[0].len().min(paths[1].len());
    if size == 0 || paths[0].len() == paths[1].len() {
        return None;
    }
    let [one, other] = paths.map(|path| plain_percent(path[size - 1]));
    Some(format!("with the first {} each, A explains {one} and B {other}", counted(size as u64, "prototype")))
}

fn shared([first, second]: &[SelectionDocument; 2]) -> String {
    let share = |document: &SelectionDocument, other: &SelectionDocument| -> (usize, f64) {
        let theirs: std::collections::HashSet<u64> = other.weighted().map(|(_, record)| record.source_index).collect();
        let own = document.weighted().filter(|(_, record)| theirs.contains(&record.source_index));
        own.fold((0, 0.0), |(number, sum), (_, record)| (number + 1, sum + record.share))
    };
    let ((n_shared, of_first), (_, of_second)) = (share(first, second), share(second, first));
    let sizes = [first, second].map(|document| document.weighted().count());
    if n_shared == 0 {
        return format!("A and B share none of their rows ({} and {})", sizes[0], sizes[1]);
    }
    let rows = if sizes[0] == sizes[1] {
        format!("{n_shared} of their {} rows", sizes[0])
    } else {
        format!("{} ({} has {}, {} has {})", counted(n_shared as u64, "row"), NAMES[0], sizes[0], NAMES[1], sizes[1])
    };
    format!(
        "A and B share {rows}, which have {} of the weight in A and {} in B",
        plain_percent(of_first),
        plain_percent(of_second)
    )
}

fn settings(differences: &[SettingDifference]) -> String {
    let named = |found: &SettingDifference| format!("{} ({})", setting_name(found), setting_texts(found).join(", "));
    let (named, others): (Vec<String>, usize) =
        (differences.iter().take(NAMED).map(named).collect(), differences.len().saturating_sub(NAMED));
    match (named.as_slice(), others) {
        ([], _) => "the settings of both runs are the same".to_owned(),
        ([one], _) => format!("the runs differ only in {one}"),
        ([first @ .., last], 0) => format!("the runs differ in {} and {last}", first.join(", ")),
        (all, 1) => format!("the runs differ in {} and 1 more setting", all.join(", ")),
        (all, others) => format!("the runs differ in {} and {others} more settings", all.join(", ")),
    }
}

/// A setting as a noun.
pub(super) fn setting_name(found: &SettingDifference) -> String {
    match (found.group, found.name.as_str()) {
        (SettingGroup::Kernel, "name") => "kernel".to_owned(),
        (_, name) => name.replace('_', " "),
    }
}

/// Both values of a setting for people: numbers with all their digits only if they would look the same without.
pub(super) fn setting_texts(found: &SettingDifference) -> [String; 2] {
    let [saved, now] = [&found.saved, &found.now].map(|json| setting_text(json));
    if saved == now { [found.saved.clone(), found.now.clone()] } else { [saved, now] }
}

/// A JSON value for people.
fn setting_text(json: &str) -> String {
    match serde_json::from_str(json) {
        Ok(serde_json::Value::Number(number)) if number.is_f64() => {
            number.as_f64().map_or_else(|| json.to_owned(), measured)
        }
        Ok(serde_json::Value::Null) => "not set".to_owned(),
        Ok(serde_json::Value::String(text)) => text,
        Ok(serde_json::Value::Bool(true)) => "yes".to_owned(),
        Ok(serde_json::Value::Bool(false)) => "no".to_owned(),
        Ok(serde_json::Value::Array(values)) if values.is_empty() => "none".to_owned(),
        Ok(serde_json::Value::Array(values)) => {
            let texts: Vec<String> = values.iter().take(8).map(|value| setting_text(&value.to_string())).collect();
            let more = values.len().saturating_sub(8);
            if more > 0 { format!("{} and {more} more", texts.join(", ")) } else { texts.join(", ") }
        }
        _ => json.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::BaselineRecord;

    fn pair(change: impl FnOnce(&mut SelectionDocument)) -> [SelectionDocument; 2] {
        let baseline = |nearer| BaselineRecord {
            random_explained: Some(0.5),
            nearer_than_random: Some(nearer),
            ..BaselineRecord::empty()
        };
        let mut first = SelectionDocument::example();
        first.baseline = Some(baseline(0.25));
        let mut second = first.clone();
        second.baseline = Some(baseline(0.5));
        change(&mut second);
        [first, second]
    }

    #[test]
    fn the_same_kernel_and_data_are_compared_by_the_share_explained() {
        let found = side_by_side_findings(&pair(|second| {
            second.explained = Some(0.9);
            second.method = "protogreedy".to_owned();
        }));
        assert_eq!(
            found,
            [
                "the 2 rows of A explain 80.0 % of the data, the 2 rows of B 90.0 %: B explains 10.0 percentage points more",
                "in the features, whatever the kernel, rows are 25.0 % nearer to a prototype of A than to the nearest random \
                 row, and 50.0 % nearer to one of B: B is nearer",
                "A and B share 2 of their 2 rows, which have 100.0 % of the weight in A and 100.0 % in B",
                "the runs differ only in method (protodash, protogreedy)",
            ]
        );
    }

    #[test]
    fn rows_that_are_farther_than_random_rows_are_not_nearer_by_a_negative_number() {
        let found = side_by_side_findings(&pair(|second| {
            second.baseline.as_mut().unwrap().nearer_than_random = Some(-0.113);
        }));
        assert_eq!(
            found[1],
            "in the features, whatever the kernel, rows are 25.0 % nearer to a prototype of A than to the nearest random \
             row, and 11.3 % farther from one of B: A is nearer"
        );
    }

    #[test]
    fn other_bandwidths_are_compared_without_the_kernel() {
        let found = side_by_side_findings(&pair(|second| {
            second.kernel = serde_json::from_str(r#"{"name": "gaussian", "bandwidth": 9.0}"#).unwrap();
        }));
        assert!(found[0].ends_with("B is nearer"), "{found:?}");
        assert_eq!(
            found[1],
            "A explains 80.0 % and B 80.0 % of the data, which cannot be compared: their kernels differ"
        );
        assert_eq!(found[3], "the runs differ only in bandwidth (2, 9)");
        let without = side_by_side_findings(&pair(|second| {
            second.kernel = serde_json::from_str(r#"{"name": "linear"}"#).unwrap();
            second.baseline = None;
        }));
        assert!(without[1].starts_with("no kernel-independent figure is known"), "{without:?}");
    }

    #[test]
    fn features_and_targets_must_be_the_same() {
        let of = |change: fn(&mut SelectionDocument)| comparability(&pair(change));
        assert_eq!(of(|_| ()), Comparability::Comparable);
        assert_eq!(of(|second| second.seed = 5), Comparability::Comparable);
        assert_eq!(
            of(|second| second.data.scale = Some("rank".to_owned())),
            Comparability::Different("they compare rows by different features")
        );
        assert_eq!(of(|second| second.n_target = 9), Comparability::Different("they represent different rows"));
        let sample = |second: &mut SelectionDocument| (second.data.target_sample, second.seed) = (Some(4), 1);
        assert_eq!(comparability(&pair(sample)), Comparability::Different("they represent different rows"));
    }

    #[test]
    fn shorter_runs_are_compared_at_their_size() {
        let first = SelectionDocument::example();
        let found = side_by_side_findings(&[first.clone(), first.prefix(1).unwrap()]);
        let different = side_by_side_findings(&pair(|second| {
            second.prototypes.truncate(1);
        }));
        assert!(different.iter().any(|one| one.ends_with("not the distance")), "{different:?}");
        assert_eq!(found[1], "with the first 1 prototype each, A explains 53.3 % and B 53.3 %");
        assert!(found[2].starts_with("A and B share 1 row (A has 2, B has 1)"), "{found:?}");
    }

    #[test]
    fn data_of_other_sizes_are_noted() {
        let found = notes(&pair(|second| (second.n_source, second.n_target) = (7, 5)));
        assert!(found[0].starts_with("A was made with 4 source rows and B with 7: "), "{found:?}");
        assert_eq!(found[1], "A was made with 4 target rows and B with 5: they represent different rows");
    }

    #[test]
    fn values_are_shown_as_people_write_them() {
        let texts = ["null", "\"x\"", "[]", "[\"a\",\"b\"]", "true", "1.2508783502469392"].map(setting_text);
        assert_eq!(texts, ["not set", "x", "none", "a, b", "yes", "1.25088"]);
        let close = |saved: &str, now: &str| {
            let (group, name) = (SettingGroup::Other, "seed".to_owned());
            setting_texts(&SettingDifference { group, name, saved: saved.to_owned(), now: now.to_owned() })
        };
        assert_eq!(close("1.25087835", "1.25087836"), ["1.25087835", "1.25087836"]);
        assert_eq!(close("1.25087835", "3"), ["1.25088", "3"]);
    }
}
