//! Each column among the rows and among the weighted prototypes.

use serde::Serialize;

use super::SelectionPage;
use crate::chart::Histogram;
use crate::html::Html;
use crate::numbers::{count, length, whole_percent};
use crate::section::section;

/// Number of columns shown before “Show all”; the script uses the same number.
const AT_FIRST: usize = 12;

/// Number of positions across a bar that the script distinguishes.
const PLACES_PER_BAR: f64 = 20.0;

/// Ticks of more prototypes would be one band.
const MOST_TICKS: usize = 200;

/// A column among the rows and among the prototypes.
///
/// # Examples
///
/// ```
/// use protodash_report::{ColumnDistribution, DistributionBar};
///
/// let bar = |name: &str, share| DistributionBar { name: name.to_owned(), share };
/// let column = ColumnDistribution {
///     name: "city".to_owned(),
///     bars: vec![bar("Ulm", 0.75), bar("Bonn", 0.25)],
///     n_ordered: 0,
///     places: vec![0.5, 1.5],
///     ..ColumnDistribution::default()
/// };
/// assert_eq!(column.weights(&[0.5, 0.5]), [0.5, 0.5]);
/// assert_eq!(column.difference(&[0.5, 0.5]), 0.25); // a quarter of the weight is in the wrong city
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ColumnDistribution {
    /// The name of the column.
    pub name: String,
    /// Ranges of numbers from low to high, then missing values; or categories, the most frequent first.
    pub bars: Vec<DistributionBar>,
    /// Number of bars that are in the order of numbers; 0 for categories.
    pub n_ordered: usize,
    /// The place of each prototype, in order of choice: its bar, and how far it is across it.
    pub places: Vec<f64>,
    /// The bar of each point of the map; empty if a page has too many values to link.
    pub points: Vec<usize>,
}

/// A range of numbers or a category.
///
/// # Examples
///
/// See [`ColumnDistribution`].
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DistributionBar {
    /// The range or the category.
    pub name: String,
    /// Its share of the rows.
    pub share: f64,
}

impl ColumnDistribution {
    /// The share of weight in each bar, where the prototypes have these shares.
    ///
    /// # Examples
    ///
    /// See [`ColumnDistribution`].
    #[must_use]
    pub fn weights(&self, shares: &[f64]) -> Vec<f64> {
        let mut weights = vec![0.0; self.bars.len()];
        for (place, share) in self.places.iter().zip(shares) {
            if let Some(weight) = weights.get_mut(*place as usize) {
                *weight += share;
            }
        }
        weights
    }

    /// How far rows and prototypes are apart, from 0 to 1.
    ///
    /// # Formula
    ///
    /// ```text
    /// numbers:     maxᵢ |Σ_{j ≤ i} (pⱼ − qⱼ)|
    /// categories:  ½ Σⱼ |pⱼ − qⱼ|
    /// ```
    ///
    /// where pⱼ is a bar's share of the rows and qⱼ its share of the weight: for numbers the largest gap between the
    /// cumulative shares at the edge of a bar, for categories the weight that would have to move to another one.
    ///
    /// # Examples
    ///
    /// See [`ColumnDistribution`].
    #[must_use]
    pub fn difference(&self, shares: &[f64]) -> f64 {
        let gaps = self.bars.iter().zip(self.weights(shares)).map(|(bar, weight)| bar.share - weight);
        if self.n_ordered == 0 {
            return 0.5 * gaps.map(f64::abs).sum::<f64>();
        }
        let mut sum = 0.0;
        gaps.map(|gap| {
            sum += gap;
            f64::abs(sum)
        })
        .fold(0.0, f64::max)
    }

    /// The texts at both ends of an axis of numbers, and that of the bar of missing values, which stands apart.
    pub(crate) fn ends(&self) -> [&str; 3] {
        let name = |at: usize| self.bars.get(at).map_or("", |bar| bar.name.as_str());
        let (first, last) = (name(0), name(self.n_ordered.saturating_sub(1)));
        // Without the inner edges of the first and the last bar.
        let low = first.split(" to ").next().unwrap_or(first);
        let high = last.rsplit(" to ").next().unwrap_or(last);
        [low, high, name(self.n_ordered)]
    }

    /// The data for the script.
    pub(super) fn view(&self) -> DistributionView<'_> {
        // Two digits to the base 36 for each prototype: a page may have a thousand of them in hundreds of columns.
        let digit = |number: u32| char::from_digit(number % 36, 36).unwrap_or('0');
        let code = |place: &f64| {
            let number = (place * PLACES_PER_BAR) as u32;
            [digit(number / 36), digit(number)]
        };
        DistributionView {
            names: self.bars.iter().map(|bar| bar.name.as_str()).collect(),
            shares: self.bars.iter().map(|bar| (bar.share * 1e6).round() / 1e6).collect(),
            n_ordered: self.n_ordered,
            places: self.places.iter().flat_map(code).collect(),
            // A distribution has at most 22 bars.
            points: self.points.iter().map(|bar| digit((*bar).min(35) as u32)).collect(),
        }
    }
}

/// A distribution for the script.
#[derive(Debug, Serialize)]
pub(super) struct DistributionView<'a> {
    names: Vec<&'a str>,
    shares: Vec<f64>,
    n_ordered: usize,
    /// Two digits for each prototype.
    places: String,
    /// A digit for each point of the map.
    #[serde(skip_serializing_if = "String::is_empty")]
    points: String,
}

/// Writes a chart for each column, largest difference first.
pub(super) fn write(html: &mut Html, page: &SelectionPage) {
    if page.distributions.is_empty() {
        return;
    }
    let shares: Vec<f64> = page.document.prototypes.iter().map(|prototype| prototype.share).collect();
    let rows = page.target_noun();
    section(html, "distributions", "Distributions", |html| {
        let words = format!(
            "Do the prototypes look like the data? Each chart compares a column among the {rows} and among the \
             prototypes by weight, largest difference first."
        );
        html.leaf("p", &[], &words);
        write_legend(html, rows);
        html.element("ol", &[("class", "distributions"), ("id", "distribution-list")], |html| {
            for (at, column) in page.distributions.iter().enumerate() {
                write_column(html, column, at, (&shares, rows));
            }
        });
        if page.distributions.len() > AT_FIRST {
            let words = format!("Show all {} columns", count(page.distributions.len() as u64));
            html.leaf("button", &[("type", "button"), ("id", "all-distributions"), ("class", "scripted")], &words);
        }
    });
}

fn write_legend(html: &mut Html, rows: &str) {
    html.element("ul", &[("class", "legend")], |html| {
        let marks = [
            ("row-bars", "M-9-6h18v12h-18z", rows),
            ("weight-bars", "M-9-6h18v12h-18z", "prototypes by weight"),
            ("ticks", "M-6-3v6M0-3v6M4-3v6", "each prototype"),
        ];
        for (class, path, name) in marks {
            html.element("li", &[], |html| {
                html.element("svg", &[("viewBox", "-14 -7 28 14"), ("aria-hidden", "true")], |html| {
                    html.leaf("path", &[("class", class), ("d", path)], "");
                });
                html.text(name);
            });
        }
        html.leaf("li", &[], &format!("of a category: % of the {rows} · % of the weight"));
    });
}

fn write_column(html: &mut Html, column: &ColumnDistribution, at: usize, (shares, rows): (&[f64], &str)) {
    let (place, difference) = (at.to_string(), whole_percent(column.difference(shares)));
    let class = if at < AT_FIRST { "distribution" } else { "distribution later" };
    html.element("li", &[("class", class), ("data-column", &place)], |html| {
        html.element("h3", &[], |html| {
            html.column_name(&column.name);
            html.text(" ");
            html.element("span", &[("class", "quiet")], |html| {
                html.leaf("span", &[("class", "gap")], &difference);
                html.text(" apart");
            });
        });
        let weights = column.weights(shares);
        if column.n_ordered > 0 {
            write_numbers(html, column, &weights, (shares, rows));
        } else {
            write_categories(html, column, &weights, rows);
        }
    });
    html.line();
}

fn write_numbers(html: &mut Html, column: &ColumnDistribution, weights: &[f64], (shares, rows): (&[f64], &str)) {
    let data: Vec<f64> = column.bars.iter().map(|bar| bar.share).collect();
    let weighted = column.places.iter().zip(shares).filter(|(_, share)| **share > 0.0);
    let mut ticks: Vec<f64> = weighted.map(|(place, _)| *place).collect();
    if ticks.len() > MOST_TICKS {
        ticks.clear();
    }
    let title = format!("{}: {rows} and prototypes by weight", column.name);
    let chart = Histogram {
        title: &title,
        rows: &data,
        weights,
        others: &[],
        n_ordered: column.n_ordered,
        ticks: &ticks,
        ends: column.ends(),
    };
    chart.write(html);
}

fn write_categories(html: &mut Html, column: &ColumnDistribution, weights: &[f64], rows: &str) {
    let highest = column.bars.iter().map(|bar| bar.share).chain(weights.iter().copied()).fold(0.0, f64::max);
    let width = |share: f64| length(if highest > 0.0 { 100.0 * share / highest } else { 0.0 });
    let title = format!("{}: {rows} and prototypes by weight", column.name);
    html.element("ul", &[("class", "levels"), ("aria-label", &title)], |html| {
        for (bar, weight) in column.bars.iter().zip(weights) {
            html.element("li", &[], |html| {
                html.element("span", &[("class", "level-name")], |html| html.name(&bar.name));
                let frame = [
                    ("class", "level-bars"),
                    ("viewBox", "0 0 100 12"),
                    ("preserveAspectRatio", "none"),
                    ("aria-hidden", "true"),
                ];
                html.element("svg", &frame, |html| {
                    html.leaf("rect", &[("class", "row-bars"), ("width", &width(bar.share)), ("height", "6")], "");
                    let (weighted, place) = (width(*weight), [("y", "7"), ("height", "5")]);
                    html.leaf("rect", &[("class", "weight-fill"), ("width", &weighted), place[0], place[1]], "");
                });
                html.element("span", &[("class", "level-text")], |html| {
                    html.leaf("span", &[("title", &format!("of the {rows}"))], &whole_percent(bar.share));
                    html.text(" · ");
                    html.leaf(
                        "span",
                        &[("class", "level-weight"), ("title", "of the weight")],
                        &whole_percent(*weight),
                    );
                });
            });
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(shares: &[f64], n_ordered: usize, places: &[f64]) -> ColumnDistribution {
        let bar = |share: &f64| DistributionBar { name: "1 to 2".to_owned(), share: *share };
        let bars = shares.iter().map(bar).collect();
        ColumnDistribution { name: "c".to_owned(), bars, n_ordered, places: places.to_vec(), points: Vec::new() }
    }

    #[test]
    fn numbers_differ_by_the_largest_cumulative_gap() {
        // Cumulative shares 0.1, 0.3, 0.6, 1 and 0.5, 0.5, 0.5, 1.
        let found = column(&[0.1, 0.2, 0.3, 0.4], 4, &[0.9, 3.1]);
        assert!((found.difference(&[0.5, 0.5]) - 0.4).abs() < 1e-12);
        // Missing values after three ranges: 0.6 of the rows are present, and all of the weight.
        let found = column(&[0.1, 0.2, 0.3, 0.4], 3, &[0.0, 1.0, 2.0]);
        assert!((found.difference(&[0.1, 0.2, 0.7]) - 0.4).abs() < 1e-12);
    }

    #[test]
    fn places_keep_their_bar_in_two_digits() {
        let places = [0.0, 0.999, 1.0, 19.9999, 20.5];
        let codes = column(&[0.05; 21], 20, &places).view().places;
        let read: Vec<f64> = (0..places.len())
            .map(|at| f64::from(u32::from_str_radix(&codes[2 * at..2 * at + 2], 36).unwrap()) / PLACES_PER_BAR)
            .collect();
        for (place, read) in places.iter().zip(read) {
            assert!(read.floor() == place.floor() && (place - read).abs() <= 1.0 / PLACES_PER_BAR, "{place} {read}");
        }
    }
}
