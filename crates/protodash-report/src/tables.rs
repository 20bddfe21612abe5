//! Prototypes, criticisms, explanations and shifted features as columns of text, for the terminal and for Python.

use crate::document::{
    CriticismRecord, EstimateRecord, ExplainedRow, PrototypeRecord, SelectionDocument, ShiftRecord, ShiftedFeature,
};
use crate::numbers::{aligned, count, four_digits, plain_percent};

/// A column of a table of text.
///
/// # Examples
///
/// See [`prototype_columns`].
#[derive(Debug, Clone, PartialEq)]
pub struct TextColumn {
    /// Its header.
    pub header: &'static str,
    /// Whether it holds numbers, which are aligned to the right.
    pub is_number: bool,
    /// One cell per row.
    pub cells: Vec<String>,
}

/// The header of the shares of weight, which are not the shares of rows.
pub const SHARE: &str = "of weight";

/// The prototypes that have a weight, in order of choice: rank, row, id, label, weight, its share of all weight, and the
/// number of rows that each is nearest to.
///
/// # Examples
///
/// ```
/// use protodash_report::{SelectionDocument, prototype_columns};
///
/// let columns = prototype_columns(&SelectionDocument::example());
/// let headers: Vec<&str> = columns.iter().map(|column| column.header).collect();
/// assert_eq!(headers, ["rank", "row", "id", "weight", "of weight", "nearest rows"]);
/// assert_eq!(columns[4].cells, ["50.0 %", "50.0 %"]);
/// ```
#[must_use]
pub fn prototype_columns(document: &SelectionDocument) -> Vec<TextColumn> {
    let (ranks, prototypes): (Vec<usize>, Vec<&PrototypeRecord>) = document.weighted().unzip();
    let mut columns = vec![
        numbers("rank", ranks.iter().map(|rank| (rank + 1).to_string())),
        numbers("row", prototypes.iter().map(|prototype| prototype.source_index.to_string())),
    ];
    columns.extend(names("id", prototypes.iter().map(|prototype| prototype.id.as_ref())));
    columns.extend(names("label", prototypes.iter().map(|prototype| prototype.label.as_ref())));
    let weights: Vec<f64> = prototypes.iter().map(|prototype| prototype.weight).collect();
    columns.push(numbers("weight", aligned(&weights)));
    columns.push(numbers(SHARE, prototypes.iter().map(|prototype| plain_percent(prototype.share))));
    let counts: Option<Vec<usize>> = prototypes.iter().map(|prototype| prototype.n_represented).collect();
    if document.n_fixed > 0 {
        columns.push(numbers("adds", ranks.iter().map(|place| added(document, *place))));
    }
    columns.extend(counts.map(|counts| numbers("nearest rows", counts.into_iter().map(|n| count(n as u64)))));
    columns
}

/// What a new row adds to the share explained; `fixed` for a fixed row.
fn added(document: &SelectionDocument, place: usize) -> String {
    if place < document.n_fixed {
        return "fixed".to_owned();
    }
    let gain = document.prototypes.get(place).map_or(0.0, |prototype| prototype.gain);
    let share = document.energy().and_then(|energy| energy.explained(gain));
    share.map_or_else(|| four_digits(gain), plain_percent)
}

/// The criticisms, worst first: rank, row, id, label and score.
///
/// # Examples
///
/// ```
/// assert_eq!(protodash_report::criticism_columns(&[])[2].header, "score");
/// ```
#[must_use]
pub fn criticism_columns(criticisms: &[CriticismRecord]) -> Vec<TextColumn> {
    let mut columns =
        vec![ranks(criticisms.len()), numbers("row", criticisms.iter().map(|criticism| criticism.row().to_string()))];
    columns.extend(names("id", criticisms.iter().map(|criticism| criticism.id.as_ref())));
    columns.extend(names("label", criticisms.iter().map(|criticism| criticism.label.as_ref())));
    let scores: Vec<f64> = criticisms.iter().map(|criticism| criticism.score).collect();
    columns.push(numbers("score", aligned(&scores)));
    columns
}

/// The source rows that explain a row, in order of choice: row, id, label, share of the weight, and distance.
///
/// # Examples
///
/// ```
/// use protodash_report::{ExplanationDocument, explaining_columns};
///
/// let columns = explaining_columns(&ExplanationDocument::example().explanations[0]);
/// let headers: Vec<&str> = columns.iter().map(|column| column.header).collect();
/// assert_eq!(headers, ["row", "id", "of weight", "distance"]);
/// assert_eq!(columns[3].cells, ["0.4000", "0.6000"]);
/// ```
#[must_use]
pub fn explaining_columns(row: &ExplainedRow) -> Vec<TextColumn> {
    let prototypes = &row.prototypes;
    let mut columns = vec![numbers("row", prototypes.iter().map(|one| one.source_index.to_string()))];
    columns.extend(names("id", prototypes.iter().map(|one| one.id.as_ref())));
    columns.extend(names("label", prototypes.iter().map(|one| one.label.as_ref())));
    columns.push(numbers(SHARE, prototypes.iter().map(|one| plain_percent(one.share))));
    columns.push(numbers("distance", row.distances()));
    columns
}

/// At most `most_shown` shifted features, largest gap first: their means, and the gaps before and after weighting.
///
/// # Examples
///
/// ```
/// use protodash_report::{ShiftRecord, shift_columns};
///
/// let shift = ShiftRecord { effective_sample_size: 2.0, features: Vec::new() };
/// assert_eq!(shift_columns(&shift, 20)[4].header, "gap before");
/// ```
#[must_use]
pub fn shift_columns(shift: &ShiftRecord, most_shown: usize) -> Vec<TextColumn> {
    let mut features = shift.largest_first();
    features.truncate(most_shown);
    let each =
        |header, cell: fn(&ShiftedFeature) -> String| numbers(header, features.iter().map(|feature| cell(feature)));
    let names = features.iter().map(|feature| feature.feature.clone()).collect();
    vec![
        TextColumn { header: "feature", is_number: false, cells: names },
        each("source", |feature| four_digits(feature.source_mean)),
        each("weighted", |feature| four_digits(feature.weighted_mean)),
        each("target", |feature| four_digits(feature.target_mean)),
        each("gap before", |feature| two_decimals(feature.difference_before)),
        each("gap after", |feature| two_decimals(feature.difference_after)),
    ]
}

/// Estimated columns: the estimate, the mean of all rows, the error, and that of random rows.
///
/// # Examples
///
/// ```
/// assert_eq!(protodash_report::estimate_columns(&[])[1].header, "estimate");
/// ```
#[must_use]
pub fn estimate_columns(estimates: &[EstimateRecord]) -> Vec<TextColumn> {
    let each = |header, value: fn(&EstimateRecord) -> Option<f64>| {
        let cell = |estimate| value(estimate).map_or_else(|| "–".to_owned(), four_digits);
        numbers(header, estimates.iter().map(cell))
    };
    let names = estimates.iter().map(|estimate| estimate.column.clone()).collect();
    vec![
        TextColumn { header: "column", is_number: false, cells: names },
        each("estimate", |estimate| Some(estimate.estimate)),
        each("all rows", |estimate| estimate.mean),
        each("error", |estimate| estimate.error),
        each("of random rows ±", |estimate| estimate.random_standard_error),
    ]
}

/// A gap with two decimals; no sign if it rounds to 0.
fn two_decimals(gap: f64) -> String {
    let text = format!("{gap:.2}");
    if text == "-0.00" { "0.00".to_owned() } else { text }
}

fn numbers(header: &'static str, cells: impl IntoIterator<Item = String>) -> TextColumn {
    TextColumn { header, is_number: true, cells: cells.into_iter().collect() }
}

fn ranks(n_rows: usize) -> TextColumn {
    numbers("rank", (1..=n_rows).map(|rank| rank.to_string()))
}

/// A column of ids or labels, if every row has one.
fn names<'a>(header: &'static str, names: impl Iterator<Item = Option<&'a String>>) -> Option<TextColumn> {
    let cells: Option<Vec<String>> = names.map(|name| name.cloned()).collect();
    cells.filter(|cells| !cells.is_empty()).map(|cells| TextColumn { header, is_number: false, cells })
}
