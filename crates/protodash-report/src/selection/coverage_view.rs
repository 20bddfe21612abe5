//! Who is not represented, at each size, for the script.

use serde::Serialize;

use super::SelectionPage;
use super::coverage::{Coverage, CoveredGroup};
use crate::numbers::short;

/// Everything about the coverage.
#[derive(Debug, Serialize)]
pub(super) struct CoverageView<'a> {
    classes: Vec<GroupView<'a>>,
    groups: Vec<GroupView<'a>>,
    /// Ascending; the complete run is last.
    sizes: Vec<CoverageOfSize>,
}

/// A group, whatever the size.
#[derive(Debug, Serialize)]
struct GroupView<'a> {
    column: &'a str,
    value: &'a str,
    prototypes: &'a [usize],
    /// A hexadecimal digit for each four points of the map says which of them are in the group; the first has the lowest bit.
    points: String,
}

/// The coverage at one size.
#[derive(Debug, Serialize)]
struct CoverageOfSize {
    n_prototypes: usize,
    largest: f64,
    /// The text at the end of the axis, and that below it.
    end: String,
    remark: String,
    worst: Option<String>,
    bars: Vec<f64>,
    ticks: Vec<f64>,
    /// The distance of each group as a multiple of the average.
    classes: Vec<f64>,
    groups: Vec<f64>,
}

impl SelectionPage {
    /// The coverage at all followed sizes.
    pub(super) fn coverage_view(&self) -> Option<CoverageView<'_>> {
        let whole = self.coverage.as_ref()?;
        let n_points = self.map.as_ref().map_or(0, |map| map.points.len());
        let smaller = self.smaller_coverage.iter().map(|(size, coverage)| (*size, coverage));
        let sizes = smaller.chain([(self.prototypes.len(), whole)]);
        Some(CoverageView {
            classes: whole.classes.iter().map(|group| group.view(n_points)).collect(),
            groups: whole.groups.iter().map(|group| group.view(n_points)).collect(),
            sizes: sizes.map(|(size, coverage)| coverage.view(size, self.target_noun())).collect(),
        })
    }
}

impl CoveredGroup {
    fn view(&self, n_points: usize) -> GroupView<'_> {
        let (column, value, prototypes) = (&self.column, &self.value, &self.prototypes);
        GroupView { column, value, prototypes, points: hexadecimal(&self.points, n_points) }
    }
}

impl Coverage {
    fn view(&self, n_prototypes: usize, rows: &str) -> CoverageOfSize {
        let rounded = |value: f64| (1e6 * value).round() / 1e6;
        let relative =
            |groups: &[CoveredGroup]| groups.iter().map(|group| rounded(self.relative(group.distance))).collect();
        CoverageOfSize {
            n_prototypes,
            largest: self.largest,
            end: short(self.largest),
            remark: self.remark(rows),
            worst: self.worst_words(rows),
            bars: self.bars.iter().map(|bar| rounded(*bar)).collect(),
            ticks: self.ticks().into_iter().map(rounded).collect(),
            classes: relative(&self.classes),
            groups: relative(&self.groups),
        }
    }
}

/// Which of `n` numbers are in a list, as hexadecimal digits.
fn hexadecimal(members: &[usize], n: usize) -> String {
    let mut digits = vec![0_u32; n.div_ceil(4)];
    for member in members.iter().filter(|member| **member < n) {
        digits[member / 4] |= 1 << (member % 4);
    }
    digits.into_iter().filter_map(|digit| char::from_digit(digit, 16)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_bits() {
        assert_eq!(hexadecimal(&[0, 2, 5, 8], 9), "521");
        assert_eq!((hexadecimal(&[], 0), hexadecimal(&[], 5)), (String::new(), "00".to_owned()));
    }
}
