//! The values of a column as bars: ranges of numbers, or categories.

use std::collections::HashMap;

use ndarray::Array2;
use protodash::Role;
use protodash_table::{Feature, date_text};

use super::RowData;
use super::columns::{ColumnPlace, level_text};
use crate::numbers::short;

/// Numbers with at most this many different values have a bar for each.
const MOST_VALUES: usize = 12;

/// Number of values from which the ends of the range are estimated.
const QUANTILE_SAMPLE: usize = 10_000;

/// The share of the values beyond each end of the range, if they are far away.
const TAIL: f64 = 0.01;

/// A column whose values are bars.
pub(super) struct ColumnBars {
    /// The name of each bar; empty for codes, whose text is in the data.
    pub(super) names: Vec<String>,
    /// For codes, a target row of each bar.
    pub(super) examples: Vec<usize>,
    /// Number of bars, from the first, in the order of numbers; 0 for categories.
    pub(super) n_ordered: usize,
    /// The bar of each target row; `None` if it has none, as a level that is not in the source.
    pub(super) rows: Vec<Option<usize>>,
    /// The place of each prototype: its bar, and how far it is across it.
    pub(super) prototypes: Vec<Option<f64>>,
}

/// Where the values of columns are: the data, and the prototypes' rows of the matrix.
pub(super) struct BarReader<'a, 'd> {
    pub(super) data: RowData<'a, 'd>,
    pub(super) prototypes: &'a Array2<f64>,
    /// Number of bars of a column of numbers.
    pub(super) n_bars: usize,
}

impl BarReader<'_, '_> {
    /// The bars of a column; `None` if its values are unknown.
    pub(super) fn bars(&self, place: &ColumnPlace<'_>) -> Option<ColumnBars> {
        match place.number {
            Some(index) if self.data.codes => Some(self.codes(index)),
            Some(index) => self.numbers(place, index, &self.data.features[index]),
            None => Some(self.levels(place)),
        }
    }

    fn column(&self, index: usize) -> Vec<f64> {
        self.data.matrices.column(Role::Target, index).unwrap_or_default()
    }

    /// Codes of categories, in the order of their numbers.
    fn codes(&self, index: usize) -> ColumnBars {
        let values = self.column(index);
        let mut first: HashMap<u64, usize> = HashMap::new();
        for (row, value) in values.iter().enumerate() {
            first.entry(value.to_bits()).or_insert(row);
        }
        let mut codes: Vec<(u64, usize)> = first.into_iter().collect();
        codes.sort_unstable();
        let place: HashMap<u64, usize> = codes.iter().enumerate().map(|(at, (code, _))| (*code, at)).collect();
        let bar = |value: &f64| place.get(&value.to_bits()).copied();
        ColumnBars {
            names: vec![String::new(); codes.len()],
            examples: codes.iter().map(|(_, row)| *row).collect(),
            n_ordered: 0,
            rows: values.iter().map(bar).collect(),
            prototypes: self.prototypes.column(index).iter().map(|value| Some(bar(value)? as f64 + 0.5)).collect(),
        }
    }

    /// Categories, one column of the matrix each.
    fn levels(&self, place: &ColumnPlace<'_>) -> ColumnBars {
        let mut rows = vec![None; self.data.rows(Role::Target).len()];
        for (at, (index, _)) in place.levels.iter().enumerate() {
            let has_level = self.column(*index).into_iter().map(|value| value != 0.0);
            rows.iter_mut().zip(has_level).filter(|(_, has)| *has).for_each(|(row, _)| *row = Some(at));
        }
        let level = |row: usize| place.levels.iter().position(|(index, _)| self.prototypes[[row, *index]] != 0.0);
        ColumnBars {
            names: place.levels.iter().map(|(_, level)| level_text(level).to_owned()).collect(),
            examples: Vec::new(),
            n_ordered: 0,
            rows,
            prototypes: (0..self.prototypes.nrows()).map(|row| Some(level(row)? as f64 + 0.5)).collect(),
        }
    }

    /// Numbers, with a bar for missing ones if they are a category.
    fn numbers(&self, place: &ColumnPlace<'_>, index: usize, feature: &Feature) -> Option<ColumnBars> {
        let unit = feature.unit.as_ref()?;
        let is_missing = place.levels.first().map(|(at, _)| (*at, self.column(*at)));
        let number =
            |value: f64, missing: f64| Some(unit.in_file(value)).filter(|found| missing == 0.0 && found.is_finite());
        let missing_at = |row: usize| is_missing.as_ref().map_or(0.0, |(_, missing)| missing[row]);
        let values: Vec<Option<f64>> =
            self.column(index).into_iter().enumerate().map(|(row, value)| number(value, missing_at(row))).collect();
        let own: Vec<Option<f64>> = self
            .prototypes
            .outer_iter()
            .map(|row| number(row[index], is_missing.as_ref().map_or(0.0, |(at, _)| row[*at])))
            .collect();
        let scale = NumberScale::around(&values, &own, self.n_bars)?;
        let text = if feature.is_date { date_text } else { short };
        let mut names = scale.names(text);
        let n_ordered = names.len();
        if values.iter().chain(&own).any(Option::is_none) {
            names.push("missing".to_owned());
        }
        let bar = |value: Option<f64>| value.map_or(n_ordered as f64 + 0.5, |value| scale.place(value));
        Some(ColumnBars {
            names,
            examples: Vec::new(),
            n_ordered,
            rows: values.into_iter().map(|value| Some(bar(value) as usize)).collect(),
            prototypes: own.into_iter().map(|value| Some(bar(value))).collect(),
        })
    }
}

/// The bars of numbers.
enum NumberScale {
    /// One for each value, ascending.
    Values(Vec<f64>),
    /// Ranges of equal width; those at the ends may be open.
    Ranges { low: f64, high: f64, n_bars: usize, open: [bool; 2] },
}

impl NumberScale {
    /// Bars for these values and those of the prototypes; `None` if all are missing.
    fn around(values: &[Option<f64>], own: &[Option<f64>], n_bars: usize) -> Option<NumberScale> {
        let mut different: Vec<f64> = Vec::new();
        for value in values.iter().chain(own).flatten() {
            if different.len() <= MOST_VALUES && !different.contains(value) {
                different.push(*value);
            }
        }
        different.sort_by(f64::total_cmp);
        if different.len() <= MOST_VALUES {
            return (!different.is_empty()).then_some(NumberScale::Values(different));
        }
        let all = || values.iter().chain(own).flatten().copied();
        let (least, most) = (all().fold(f64::INFINITY, f64::min), all().fold(f64::NEG_INFINITY, f64::max));
        let step = values.len().div_ceil(QUANTILE_SAMPLE).max(1);
        let mut some: Vec<f64> = values.iter().step_by(step).flatten().copied().collect();
        some.sort_by(f64::total_cmp);
        let quantile = |part: f64| some.get((part * (some.len() as f64 - 1.0)).round() as usize).copied();
        let (low, high) = (quantile(TAIL).unwrap_or(least), quantile(1.0 - TAIL).unwrap_or(most));
        // A few values far away would leave one bar for all others.
        let room = 0.25 * (high - low);
        let open = [least < low - room && room > 0.0, most > high + room && room > 0.0];
        let (low, high) = (if open[0] { low } else { least }, if open[1] { high } else { most });
        Some(NumberScale::Ranges { low, high, n_bars: n_bars.max(1), open })
    }

    /// The bar of a value, and how far the value is across it.
    fn place(&self, value: f64) -> f64 {
        match self {
            NumberScale::Values(values) => values.partition_point(|other| *other < value) as f64 + 0.5,
            NumberScale::Ranges { low, high, n_bars, .. } => {
                // Halves of the ends: their difference may overflow.
                let part = (value / 2.0 - low / 2.0) / (high / 2.0 - low / 2.0);
                let last = *n_bars as f64;
                (part.clamp(0.0, 1.0) * last).clamp(0.0, last - 1e-9)
            }
        }
    }

    fn names(&self, text: fn(f64) -> String) -> Vec<String> {
        match self {
            NumberScale::Values(values) => values.iter().map(|value| text(*value)).collect(),
            NumberScale::Ranges { low, high, n_bars, open } => {
                let edge = |at: usize| {
                    let part = at as f64 / *n_bars as f64;
                    text(low * (1.0 - part) + high * part)
                };
                let name = |at: usize| match at {
                    0 if open[0] => format!("below {}", edge(1)),
                    last if last + 1 == *n_bars && open[1] => format!("{} or more", edge(last)),
                    _ => format!("{} to {}", edge(at), edge(at + 1)),
                };
                (0..*n_bars).map(name).collect()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(values: impl IntoIterator<Item = f64>) -> Vec<Option<f64>> {
        values.into_iter().map(Some).collect()
    }

    #[test]
    fn few_different_numbers_have_a_bar_each() {
        // The prototype's 7 is not among the rows.
        let scale = NumberScale::around(&given([1.0, 3.0, 1.0]), &given([7.0]), 8).unwrap();
        assert_eq!(scale.names(short), ["1", "3", "7"]);
        assert_eq!([1.0, 3.0, 7.0].map(|value| scale.place(value)), [0.5, 1.5, 2.5]);
        assert!(NumberScale::around(&[None], &[None], 8).is_none());
    }

    #[test]
    fn every_number_is_in_the_bar_that_its_name_says() {
        let scale = NumberScale::around(&given((0..=100).map(f64::from)), &[], 10).unwrap();
        assert_eq!(scale.names(short)[..2], ["0 to 10", "10 to 20"]);
        for value in 0..100 {
            assert_eq!(scale.place(f64::from(value)) as i32, value / 10, "{value}");
        }
        assert_eq!(scale.place(100.0) as usize, 9); // the upper end belongs to the last bar
    }

    #[test]
    fn numbers_far_away_are_in_an_open_bar() {
        let values = (0..=999).map(|value| if value == 999 { 1e9 } else { f64::from(value) });
        let scale = NumberScale::around(&given(values), &given([-1e9]), 10).unwrap();
        let names = scale.names(short);
        assert!(names[0].starts_with("below ") && names[9].ends_with(" or more"), "{names:?}");
        assert_eq!((scale.place(-1e9) as usize, scale.place(1e9) as usize, scale.place(500.0) as usize), (0, 9, 5));
    }

    #[test]
    fn a_range_of_all_numbers_does_not_overflow() {
        let values = (0..20).map(|at| f64::MAX * (f64::from(at) / 9.5 - 1.0));
        let scale = NumberScale::around(&given(values), &[], 4).unwrap();
        assert_eq!([-f64::MAX, 0.1, f64::MAX].map(|value| scale.place(value) as usize), [0, 2, 3]);
    }
}
