//! Each column among the rows to represent and among the prototypes of both selections.

use super::{NAMES, SideBySidePage};
use crate::chart::Histogram;
use crate::html::Html;
use crate::numbers::{count, length, whole_percent};
use crate::section::section;
use crate::selection::ColumnDistribution;

/// Maximum number of columns with a chart: those in which the selections differ most.
const MOST_COLUMNS: usize = 60;

/// The share of each selection's weight in each bar.
fn weights(page: &SideBySidePage, column: &ColumnDistribution) -> [Vec<f64>; 2] {
    let shares = page
        .documents
        .each_ref()
        .map(|document| -> Vec<f64> { document.weighted().map(|(_, record)| record.share).collect() });
    let none = |side: usize| vec![0.0; shares[side].len()];
    [column.weights(&[shares[0].clone(), none(1)].concat()), column.weights(&[none(0), shares[1].clone()].concat())]
}

/// How far two selections are apart in a column, from 0 to 1, as [`ColumnDistribution::difference`] defines it.
fn apart(column: &ColumnDistribution, [first, second]: &[Vec<f64>; 2]) -> f64 {
    let gaps = first.iter().zip(second).map(|(one, other)| one - other);
    if column.n_ordered == 0 {
        return 0.5 * gaps.map(f64::abs).sum::<f64>();
    }
    gaps.scan(0.0, |sum, gap| {
        *sum += gap;
        Some(f64::abs(*sum))
    })
    .fold(0.0, f64::max)
}

/// Writes a chart for each column, those in which the selections differ most first.
pub(super) fn write(html: &mut Html, page: &SideBySidePage) {
    if page.distributions.is_empty() {
        return;
    }
    let mut columns: Vec<(f64, &ColumnDistribution, [Vec<f64>; 2])> = Vec::new();
    for column in &page.distributions {
        let weights = weights(page, column);
        columns.push((apart(column, &weights), column, weights));
    }
    columns.sort_by(|one, other| other.0.total_cmp(&one.0));
    section(html, "distributions", "Distributions", |html| {
        let rows = if page.documents[0].data.has_separate_target() { "target rows" } else { "rows" };
        let mut words = format!(
            "Each column among the {rows} of A and among the prototypes of both by weight, the columns in which A and B differ \
             most first."
        );
        if columns.len() > MOST_COLUMNS {
            words += &format!(" The first {MOST_COLUMNS} of {}.", count(columns.len() as u64));
        }
        html.leaf("p", &[], &words);
        write_legend(html, rows);
        html.element("ol", &[("class", "distributions")], |html| {
            for (gap, column, weights) in columns.iter().take(MOST_COLUMNS) {
                html.element("li", &[("class", "distribution")], |html| {
                    html.element("h3", &[], |html| {
                        html.column_name(&column.name);
                        html.text(" ");
                        html.leaf("span", &[("class", "quiet")], &format!("{} apart", whole_percent(*gap)));
                    });
                    if column.n_ordered > 0 {
                        write_numbers(html, column, weights, rows);
                    } else {
                        write_categories(html, column, weights, rows);
                    }
                });
                html.line();
            }
        });
    });
}

fn write_legend(html: &mut Html, rows: &str) {
    html.element("ul", &[("class", "legend")], |html| {
        for (class, name) in [("row-bars", rows), ("weight-bars", NAMES[0]), ("other-bars", NAMES[1])] {
            html.element("li", &[], |html| {
                html.element("svg", &[("viewBox", "-14 -7 28 14"), ("aria-hidden", "true")], |html| {
                    html.leaf("path", &[("class", class), ("d", "M-9-6h18v12h-18z")], "");
                });
                html.text(name);
            });
        }
        html.leaf("li", &[], &format!("of a category: % of the {rows} · % of A · % of B"));
    });
}

fn write_numbers(html: &mut Html, column: &ColumnDistribution, [first, second]: &[Vec<f64>; 2], rows: &str) {
    let data: Vec<f64> = column.bars.iter().map(|bar| bar.share).collect();
    let [low, high, apart] = column.ends();
    let title = format!("{}: {rows}, and prototypes of A and B by weight", column.name);
    let (n_ordered, ends) = (column.n_ordered, [low, high, apart]);
    Histogram { title: &title, rows: &data, weights: first, others: second, n_ordered, ticks: &[], ends }.write(html);
}

fn write_categories(html: &mut Html, column: &ColumnDistribution, [first, second]: &[Vec<f64>; 2], rows: &str) {
    let shares = column.bars.iter().map(|bar| bar.share);
    let highest = shares.chain(first.iter().chain(second).copied()).fold(0.0, f64::max);
    let width = |share: f64| length(if highest > 0.0 { 100.0 * share / highest } else { 0.0 });
    let title = format!("{}: {rows}, and prototypes of A and B by weight", column.name);
    html.element("ul", &[("class", "levels"), ("aria-label", &title)], |html| {
        for (at, bar) in column.bars.iter().enumerate() {
            let parts = [("row-bars", bar.share), ("weight-fill", first[at]), ("other-fill", second[at])];
            html.element("li", &[], |html| {
                html.element("span", &[("class", "level-name")], |html| html.name(&bar.name));
                let frame = [
                    ("class", "level-bars triple"),
                    ("viewBox", "0 0 100 17"),
                    ("preserveAspectRatio", "none"),
                    ("aria-hidden", "true"),
                ];
                html.element("svg", &frame, |html| {
                    for ((class, share), y) in parts.into_iter().zip(["0", "6", "12"]) {
                        html.leaf("rect", &[("class", class), ("y", y), ("width", &width(share)), ("height", "5")], "");
                    }
                });
                let texts = parts.map(|(_, share)| whole_percent(share)).join(" · ");
                html.leaf("span", &[("class", "level-text")], &texts);
            });
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::SelectionDocument;
    use crate::selection::DistributionBar;

    #[test]
    fn the_weights_of_each_selection_are_its_own() {
        let documents = [SelectionDocument::example(), SelectionDocument::example().prefix(1).unwrap()];
        let shares: Vec<f64> = documents[0].prototypes.iter().map(|one| one.share).collect();
        let page = SideBySidePage::new(documents).unwrap();
        let bars = ["a", "b"].map(|name| DistributionBar { name: name.to_owned(), share: 0.5 }).to_vec();
        let mut column = ColumnDistribution {
            name: "c".to_owned(),
            bars,
            n_ordered: 0,
            places: vec![0.5, 1.5, 1.5],
            points: Vec::new(),
        };
        let found = weights(&page, &column);
        assert_eq!(found, [shares.clone(), vec![0.0, 1.0]]);
        // All of the weight of B is in the second bar, so what A has in the first would have to move.
        assert!((apart(&column, &found) - shares[0]).abs() < 1e-12);
        column.n_ordered = 2;
        assert!((apart(&column, &found) - shares[0]).abs() < 1e-12);
    }
}
