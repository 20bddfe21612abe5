//! What each method of a comparison covers, and which one to use if that matters.

use protodash::{Choice, Method};
use protodash_table::Setting;

use crate::document::{ComparisonDocument, CoverageRecord, OutcomeRecord};
use crate::numbers::{count, four_digits};
use crate::tables::TextColumn;

/// The method that covers most at the largest number of prototypes, and the setting that chooses it; `None` if coverage was not
/// measured.
///
/// With labels, the method that touches most classes, and of several the one nearest to all rows; without, the nearest one.
/// Random rows are measured by their average, not by the one draw of the method `random`. `write` writes a setting as the
/// front end's users do.
///
/// # Examples
///
/// ```no_run
/// # fn show(comparison: &protodash_report::ComparisonDocument) -> Option<String> {
/// use protodash_report::coverage_sentence;
/// use protodash_table::Setting;
///
/// // farthest-first touches 12 of 12 classes, random rows 7.4: use method=farthest-first
/// coverage_sentence(comparison, |setting| match setting {
///     Setting::Method(Some(name)) => Some(format!("method={name}")),
///     _ => None,
/// })
/// # }
/// ```
#[must_use]
pub fn coverage_sentence(
    comparison: &ComparisonDocument,
    write: impl Fn(&Setting) -> Option<String>,
) -> Option<String> {
    let random = comparison.random_coverage.iter().max_by_key(|random| random.n_prototypes)?;
    let measured: Vec<(&OutcomeRecord, CoverageRecord)> = chosen(comparison, random.n_prototypes);
    let (winner, covered) =
        measured.into_iter().reduce(|best, other| if covers_more(&other.1, &best.1) { other } else { best })?;
    let rows = count(random.n_prototypes as u64);
    if !covers_more(&covered, &random.coverage) {
        return Some(match (random.coverage.classes_touched, random.coverage.n_classes) {
            (Some(touched), Some(of)) => {
                format!(
                    "no method touches more classes than {rows} random rows, {} of {} on average",
                    short(touched),
                    count(of as u64)
                )
            }
            _ => format!("on average, no method is nearer to the rows than {rows} random rows"),
        });
    }
    let name = &winner.method;
    let words = match (covered.classes_touched, covered.n_classes, random.coverage.classes_touched) {
        (Some(touched), Some(of), Some(random)) => {
            format!("{name} touches {} of {} classes, random rows {}", short(touched), count(of as u64), short(random))
        }
        _ => {
            let distance = |record: &CoverageRecord| record.mean_distance.map_or_else(String::new, four_digits);
            let (own, of_random) = (distance(&covered), distance(&random.coverage));
            format!("rows are nearest to those of {name}, {own} away on average ({of_random} from random rows)")
        }
    };
    let setting = Method::from_name(name).and_then(|method| write(&Setting::Method(Some(method.name()))));
    Some(setting.map_or_else(|| words.clone(), |setting| format!("{words}: use {setting}")))
}

/// The results at this number of prototypes with their coverage, but for the single draw of random rows.
fn chosen(comparison: &ComparisonDocument, n_prototypes: usize) -> Vec<(&OutcomeRecord, CoverageRecord)> {
    let of_method = |outcome: &&OutcomeRecord| outcome.method != Method::Random.name();
    let outcomes = comparison.at(n_prototypes).into_iter().filter(of_method);
    outcomes.filter_map(|outcome| Some((outcome, outcome.coverage?))).collect()
}

/// Whether rows touch more classes than others or, if they touch as many, are nearer to all rows.
fn covers_more(one: &CoverageRecord, other: &CoverageRecord) -> bool {
    let classes = |record: &CoverageRecord| record.classes_touched.unwrap_or(0.0);
    let distance = |record: &CoverageRecord| record.mean_distance.unwrap_or(f64::INFINITY);
    // Expectations have rounding errors.
    match classes(one) - classes(other) {
        more if more.abs() > 1e-9 => more > 0.0,
        _ => distance(one) < distance(other),
    }
}

/// A number of classes, which is whole but for averages.
fn short(number: f64) -> String {
    if number.fract() == 0.0 { count(number as u64) } else { four_digits(number) }
}

/// One row per method at this number of prototypes, and one for random rows on average: classes, distances and typicality.
/// Empty if coverage was not measured.
#[must_use]
pub fn coverage_columns(comparison: &ComparisonDocument, n_prototypes: usize) -> Vec<TextColumn> {
    let Some(random) = comparison.random_at(n_prototypes) else { return Vec::new() };
    let measured = chosen(comparison, n_prototypes);
    let random_name = format!("random rows, mean of {}", random.n_draws);
    let names = measured.iter().map(|(outcome, _)| outcome.method.clone()).chain([random_name]).collect();
    let records: Vec<CoverageRecord> =
        measured.into_iter().map(|(_, coverage)| coverage).chain([random.coverage]).collect();
    let column = |header, value: fn(&CoverageRecord) -> Option<String>| {
        let is_known = records.iter().any(|record| value(record).is_some());
        let cells = records.iter().map(|record| value(record).unwrap_or_else(|| "–".to_owned())).collect();
        is_known.then_some(TextColumn { header, is_number: true, cells })
    };
    let columns = [
        Some(TextColumn { header: "method", is_number: false, cells: names }),
        column("classes", |record| {
            Some(format!("{} of {}", short(record.classes_touched?), count(record.n_classes? as u64)))
        }),
        column("mean distance", |record| record.mean_distance.map(four_digits)),
        column("largest distance", |record| record.largest_distance.map(four_digits)),
        column("10-NN radius", |record| record.typicality.map(four_digits)),
    ];
    columns.into_iter().flatten().collect()
}
