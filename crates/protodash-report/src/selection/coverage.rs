//! Who is not represented: distances from the prototypes, by class and by value.

use super::SelectionPage;
use crate::chart::{Histogram, write_bar};
use crate::html::Html;
use crate::numbers::{count, percent, short};
use crate::row::label_text;
use crate::section::{scrolling, section, write_head};

/// Number of groups without a prototype that are named.
const MOST_NAMED: usize = 3;

/// How far the rows are from their nearest prototype, whatever the kernel's bandwidth.
///
/// # Examples
///
/// ```
/// use protodash_report::{Coverage, CoveredGroup};
///
/// let class = CoveredGroup { value: "b".to_owned(), share: 0.2, distance: 0.9, ..CoveredGroup::default() };
/// let coverage = Coverage { mean: 0.6, classes: vec![class], ..Coverage::default() };
/// assert_eq!(coverage.worst().map(|group| group.value.as_str()), Some("b"));
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Coverage {
    /// The mean distance.
    pub mean: f64,
    /// The distance within which half of the rows are.
    pub within_half: f64,
    /// The distance within which nine tenths of the rows are.
    pub within_most: f64,
    /// The largest distance.
    pub largest: f64,
    /// The share of rows in each of some equal ranges of distance, from 0 to the largest.
    pub bars: Vec<f64>,
    /// The distance of each criticism, if it is a target row.
    pub criticisms: Vec<f64>,
    /// The classes, farthest first.
    pub classes: Vec<CoveredGroup>,
    /// Other groups, farthest first.
    pub groups: Vec<CoveredGroup>,
}

/// Rows of a class, or with a value of a column.
///
/// # Examples
///
/// See [`Coverage`].
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CoveredGroup {
    /// The column; empty for classes.
    pub column: String,
    /// The class or the value.
    pub value: String,
    /// Its share of the rows.
    pub share: f64,
    /// Its share of the prototypes' weight.
    pub weight: f64,
    /// Number of prototypes in it.
    pub n_prototypes: usize,
    /// The mean distance of its rows.
    pub distance: f64,
    /// The prototypes in it, with or without weight, by their position in the order of choice.
    pub prototypes: Vec<usize>,
    /// The positions of its rows among the points of the map.
    pub points: Vec<usize>,
}

impl CoveredGroup {
    /// The group in words.
    fn words(&self) -> String {
        match self.column.as_str() {
            "" => format!("class {}", label_text(&self.value)),
            column => format!("{column}: {}", label_text(&self.value)),
        }
    }
}

impl Coverage {
    /// The group that is farthest from the prototypes.
    ///
    /// # Examples
    ///
    /// See [`Coverage`].
    #[must_use]
    pub fn worst(&self) -> Option<&CoveredGroup> {
        let mut groups = self.classes.iter().chain(&self.groups);
        let first = groups.next()?;
        Some(groups.fold(first, |worst, group| if group.distance > worst.distance { group } else { worst }))
    }

    /// The places of the criticisms in the histogram: a bar, and how far across it.
    pub(super) fn ticks(&self) -> Vec<f64> {
        let place = |distance: &f64| match self.largest > 0.0 {
            true => (distance / self.largest).min(1.0) * (self.bars.len() as f64 - 1e-9),
            false => 0.5,
        };
        self.criticisms.iter().map(place).collect()
    }

    /// How far most rows are, and what the marks are.
    pub(super) fn remark(&self, rows: &str) -> String {
        let mut remark = format!(
            "Half of the {rows} are within {}, 90 % within {}.",
            short(self.within_half),
            short(self.within_most)
        );
        if !self.criticisms.is_empty() {
            remark += " Marks below the axis are the criticisms.";
        }
        remark
    }

    /// A distance as a multiple of the average.
    pub(super) fn relative(&self, distance: f64) -> f64 {
        if self.mean > 0.0 { distance / self.mean } else { 1.0 }
    }

    /// The worst group, in a sentence.
    pub(super) fn worst_words(&self, rows: &str) -> Option<String> {
        let worst = self.worst()?;
        let times = self.relative(worst.distance);
        let times = if times < 1.1 { format!("{times:.2}") } else { format!("{times:.1}") };
        let prototypes = match worst.n_prototypes {
            0 => "no prototype is in it".to_owned(),
            _ => format!("it has {} of the weight", percent(worst.weight)),
        };
        let words = format!(
            "The worst-represented group is {} ({} of the {rows}): {times} times as far from the nearest \
             prototype as the average, and {prototypes}.",
            worst.words(),
            percent(worst.share),
        );
        Some(words + &self.others_without_prototype(worst))
    }

    /// The groups besides the worst that no prototype is in, the largest first.
    fn others_without_prototype(&self, worst: &CoveredGroup) -> String {
        let groups = self.classes.iter().chain(&self.groups);
        let mut empty: Vec<&CoveredGroup> =
            groups.filter(|group| group.n_prototypes == 0 && !std::ptr::eq(*group, worst)).collect();
        empty.sort_by(|one, other| other.share.total_cmp(&one.share));
        let name = |group: &&CoveredGroup| format!("{} ({})", group.words(), percent(group.share));
        let named: Vec<String> = empty.iter().take(MOST_NAMED).map(name).collect();
        let also = if worst.n_prototypes == 0 { " either" } else { "" };
        match (&named[..], empty.len() - named.len()) {
            ([], _) => String::new(),
            (_, 1) => format!(" No prototype is in {} and 1 more group{also}.", named.join(", ")),
            (_, more) if more > 1 => format!(" No prototype is in {} and {more} more groups{also}.", named.join(", ")),
            ([only], _) => format!(" No prototype is in {only}{also}."),
            ([first @ .., last], _) => format!(" No prototype is in {} or {last}{also}.", first.join(", ")),
        }
    }
}

/// Writes the distances as a histogram, and the groups as tables.
pub(super) fn write(html: &mut Html, page: &SelectionPage) {
    let Some(coverage) = &page.coverage else { return };
    let rows = page.target_noun();
    section(html, "coverage", "Who is not represented", |html| {
        coverage.worst_words(rows).iter().for_each(|words| html.leaf("p", &[("class", "finding")], words));
        html.leaf("p", &[("class", "quiet"), ("id", "coverage-text"), ("aria-live", "polite"), ("hidden", "")], "");
        html.element("div", &[("class", "halves coverage")], |html| {
            html.element("div", &[], |html| {
                write_histogram(html, coverage, rows);
                write_groups(html, coverage, (&coverage.classes, "classes"), "Classes by distance");
            });
            write_groups(html, coverage, (&coverage.groups, "groups"), "Groups by distance");
        });
    });
}

fn write_histogram(html: &mut Html, coverage: &Coverage, rows: &str) {
    html.element("figure", &[("class", "distances")], |html| {
        let words = format!("Distance of the {rows} from the nearest prototype");
        html.leaf("figcaption", &[], &words);
        let ticks = coverage.ticks();
        let chart = Histogram {
            title: &words,
            rows: &coverage.bars,
            weights: &[],
            others: &[],
            n_ordered: coverage.bars.len(),
            ticks: &ticks,
            ends: ["0", &short(coverage.largest), ""],
        };
        chart.write(html);
        html.leaf("p", &[("class", "quiet distances-text")], &coverage.remark(rows));
    });
}

fn write_groups(html: &mut Html, coverage: &Coverage, (groups, kind): (&[CoveredGroup], &str), name: &'static str) {
    if groups.is_empty() {
        return;
    }
    let has_columns = groups.iter().any(|group| !group.column.is_empty());
    let farthest = groups.iter().map(|group| coverage.relative(group.distance)).fold(0.0, f64::max);
    scrolling(html, name, |html| {
        html.element("table", &[("class", "sortable groups"), ("data-groups", kind)], |html| {
            let names: &[(&str, bool)] =
                if has_columns { &[("column", false), ("value", false)] } else { &[("class", false)] };
            let numbers = [("of rows", true), ("of weight", true), ("prototypes", true), ("distance", true)];
            write_head(html, &[names, &numbers[..]].concat());
            html.element("tbody", &[], |html| {
                for (at, group) in groups.iter().enumerate() {
                    write_group(html, (at, group), has_columns, coverage.relative(group.distance), farthest);
                }
            });
        });
    });
}

fn write_group(html: &mut Html, (at, group): (usize, &CoveredGroup), has_column: bool, relative: f64, farthest: f64) {
    html.element("tr", &[("data-group", &at.to_string())], |html| {
        if has_column {
            html.element("th", &[("scope", "row")], |html| html.column_name(&group.column));
            html.element("td", &[], |html| html.name(label_text(&group.value)));
        } else {
            html.element("th", &[("scope", "row")], |html| html.name(label_text(&group.value)));
        }
        let number = |html: &mut Html, value: f64, text: &str| {
            html.leaf("td", &[("class", "number"), ("data-value", &value.to_string())], text);
        };
        number(html, group.share, &percent(group.share));
        number(html, group.weight, &percent(group.weight));
        number(html, group.n_prototypes as f64, &count(group.n_prototypes as u64));
        html.element("td", &[("class", "number"), ("data-value", &relative.to_string())], |html| {
            html.text(&format!("{relative:.2} ×"));
            write_bar(html, if farthest > 0.0 { relative / farthest } else { 0.0 }, 6);
        });
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(column: &str, distance: f64, n_prototypes: usize) -> CoveredGroup {
        let (column, value) = (column.to_owned(), "v".to_owned());
        CoveredGroup { column, value, share: 0.25, weight: 0.1, n_prototypes, distance, ..CoveredGroup::default() }
    }

    #[test]
    fn the_worst_group_is_named() {
        let mut coverage = Coverage { mean: 0.5, classes: vec![group("", 0.6, 2)], ..Coverage::default() };
        coverage.groups.push(group("age", 1.0, 0));
        let words = coverage.worst_words("rows").unwrap();
        assert_eq!(
            words,
            "The worst-represented group is age: v (25.0\u{a0}% of the rows): 2.0 times as far from the nearest prototype as the \
             average, and no prototype is in it."
        );
        coverage.groups.clear();
        assert!(coverage.worst_words("rows").unwrap().contains("class v"));
        assert!(coverage.worst_words("rows").unwrap().ends_with("it has 10.0\u{a0}% of the weight."));
    }

    #[test]
    fn a_group_that_is_hardly_farther_is_named_and_groups_without_prototype_are_too() {
        let mut coverage = Coverage { mean: 0.5, groups: vec![group("age", 0.52, 1)], ..Coverage::default() };
        let words = coverage.worst_words("rows").unwrap();
        assert!(words.contains("is age: v (25.0\u{a0}% of the rows): 1.04 times as far"), "{words}");
        assert!(words.ends_with("it has 10.0\u{a0}% of the weight."), "{words}");
        coverage.groups.push(group("city", 0.4, 0));
        let words = coverage.worst_words("rows").unwrap();
        assert!(words.ends_with(" No prototype is in city: v (25.0\u{a0}%)."), "{words}");
        coverage.groups.extend([0.45, 0.46, 0.6].map(|distance| group("job", distance, 0)));
        let words = coverage.worst_words("rows").unwrap();
        // The worst is not repeated.
        assert!(
            words.contains("is job: v") && words.ends_with("job: v (25.0\u{a0}%) or job: v (25.0\u{a0}%) either."),
            "{words}"
        );
        coverage.groups.push(group("job", 0.1, 0));
        assert!(coverage.worst_words("rows").unwrap().ends_with(" and 1 more group either."));
        assert_eq!(Coverage::default().worst_words("rows"), None);
    }
}
