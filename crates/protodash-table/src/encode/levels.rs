//! The levels of a categorical column: counts on each side, and the order of their features.

use std::collections::HashMap;

use super::cells::Texts;
use crate::advice::Note;
use crate::date::{is_local_date, parse_date};
use crate::input::RowPlace;
use crate::names::Listed;

/// A column with this many dates for each other value is probably one of dates.
const DATES_PER_WORD: usize = 4;

/// The side that a row belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TableRole {
    Source,
    Target,
}

/// Counts in source and target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct SideCounts {
    pub(super) source: u64,
    pub(super) target: u64,
}

impl SideCounts {
    /// Returns the count of one side.
    pub(super) fn of(&mut self, from: TableRole) -> &mut u64 {
        match from {
            TableRole::Source => &mut self.source,
            TableRole::Target => &mut self.target,
        }
    }

    /// Returns the count of both sides.
    pub(super) fn total(self) -> u64 {
        self.source + self.target
    }
}

/// The values of a column and their counts on each side.
#[derive(Debug, Default)]
pub(super) struct LevelCounts {
    counts: HashMap<String, SideCounts>,
    pub(super) values: SideCounts,
    pub(super) missing: SideCounts,
    /// How many of the levels are not dates.
    n_words: usize,
    /// The first value that is not a date, and where it is.
    pub(super) first_word: Option<(String, RowPlace)>,
    /// How many of the levels are dates in a form that is not read as a number, and the first of them.
    n_local_dates: usize,
    first_local_date: Option<String>,
}

impl LevelCounts {
    /// Counts the cells of a column; `place` returns where the cell at a position is.
    pub(super) fn add(&mut self, from: TableRole, cells: &Texts, place: impl Fn(usize) -> RowPlace) {
        for (position, cell) in cells.iter().enumerate() {
            let Some(value) = cell else {
                *self.missing.of(from) += 1;
                continue;
            };
            *self.values.of(from) += 1;
            match self.counts.get_mut(value) {
                Some(tally) => *tally.of(from) += 1,
                None => {
                    let mut tally = SideCounts::default();
                    *tally.of(from) += 1;
                    self.counts.insert(value.to_owned(), tally);
                    if parse_date(value.as_bytes()).is_none() {
                        self.n_words += 1;
                        self.first_word.get_or_insert_with(|| (value.to_owned(), place(position)));
                        if is_local_date(value.as_bytes()) {
                            self.n_local_dates += 1;
                            self.first_local_date.get_or_insert_with(|| value.to_owned());
                        }
                    }
                }
            }
        }
    }

    /// Returns the number of levels, including "missing".
    pub(super) fn n_levels(&self) -> usize {
        self.counts.len() + usize::from(self.missing.total() > 0)
    }

    /// Returns whether there are values, and all of them are dates or times of day.
    pub(super) fn are_dates(&self) -> bool {
        !self.counts.is_empty() && self.n_words == 0
    }

    /// Returns how many different dates and other values there are, if dates are far more.
    pub(super) fn mostly_dates(&self) -> Option<(usize, usize)> {
        let n_dates = self.counts.len() - self.n_words;
        (self.n_words > 0 && n_dates >= DATES_PER_WORD * self.n_words).then_some((n_dates, self.n_words))
    }

    /// Returns how many dates in another form than ISO 8601 there are, and the first, if other values are few or none.
    pub(super) fn local_dates(&self) -> Option<(usize, &str)> {
        let n_others = self.counts.len() - self.n_local_dates;
        let first = self.first_local_date.as_deref()?;
        (self.n_local_dates >= DATES_PER_WORD * n_others).then_some((self.n_local_dates, first))
    }

    /// Returns the dates of one side as days, in ascending order.
    pub(super) fn days(&self, from: TableRole) -> Vec<f64> {
        let mut days: Vec<(f64, u64)> = Vec::with_capacity(self.counts.len());
        for (value, tally) in &self.counts {
            days.extend(parse_date(value.as_bytes()).map(|day| (day, *tally.clone().of(from))));
        }
        days.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        days.into_iter().flat_map(|(day, count)| std::iter::repeat_n(day, count as usize)).collect()
    }

    /// Returns the sum of the variances of the one-hot features: Σ p(1 − p) over the shares p of the levels.
    pub(super) fn variance(&self) -> f64 {
        let total = (self.values.total() + self.missing.total()).max(1) as f64;
        let counts = self.counts.values().chain(std::iter::once(&self.missing));
        1.0 - counts.map(|tally| (tally.total() as f64 / total).powi(2)).sum::<f64>()
    }

    /// Returns whether no value is repeated within the source or within the target.
    pub(super) fn are_all_distinct(&self) -> bool {
        self.counts.values().all(|tally| tally.source <= 1 && tally.target <= 1)
    }

    /// Returns the values in the order of their features: numeric if all are numbers, else by code point.
    pub(super) fn in_order(&self) -> Vec<String> {
        let mut values: Vec<String> = self.counts.keys().cloned().collect();
        values.sort_unstable();
        let numbers: Option<Vec<f64>> = values.iter().map(|value| value.parse().ok()).collect();
        if let Some(numbers) = numbers {
            let mut pairs: Vec<_> = numbers.into_iter().zip(values).collect();
            pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
            values = pairs.into_iter().map(|(_, value)| value).collect();
        }
        values
    }

    /// Returns a note on the levels that only one side has, if there are any; of single target rows only on those that the
    /// source lacks.
    pub(super) fn one_sided_note(&self, column: &str, single_target_rows: bool) -> Option<Note> {
        let only = |here: fn(&SideCounts) -> u64, there: fn(&SideCounts) -> u64| {
            let mut values: Vec<String> = self
                .counts
                .iter()
                .filter(|(_, tally)| here(tally) > 0 && there(tally) == 0)
                .map(|(value, _)| value.clone())
                .collect();
            values.sort_unstable();
            if here(&self.missing) > 0 && there(&self.missing) == 0 {
                values.push("(missing)".to_owned());
            }
            values
        };
        let only_source = match single_target_rows {
            true => Vec::new(),
            false => only(|tally| tally.source, |tally| tally.target),
        };
        let only_target = only(|tally| tally.target, |tally| tally.source);
        let part = |values: &[String], side: &str| {
            (!values.is_empty()).then(|| format!("{} only in the {side}", Listed(values)))
        };
        let parts: Vec<_> = part(&only_source, "source").into_iter().chain(part(&only_target, "target")).collect();
        (!parts.is_empty()).then(|| Note::new(format!("column {column:?} has {}", parts.join(" and "))))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::{ArrayRef, StringArray};

    use super::*;

    fn levels(source: &[Option<&str>], target: &[Option<&str>]) -> LevelCounts {
        let mut levels = LevelCounts::default();
        for (from, cells) in [(TableRole::Source, source), (TableRole::Target, target)] {
            let array: ArrayRef = Arc::new(StringArray::from(cells.to_vec()));
            levels.add(from, &Texts::new(&array), |row| RowPlace::Row(row as u64));
        }
        levels
    }

    #[test]
    fn levels_are_the_union_of_both_sides() {
        let levels = levels(&[Some("b"), Some("a"), Some("b"), None], &[Some("c"), Some("a")]);
        assert_eq!(levels.in_order(), ["a", "b", "c"]);
        assert_eq!(levels.n_levels(), 4);
        assert_eq!(
            (levels.values, levels.missing),
            (SideCounts { source: 3, target: 2 }, SideCounts { source: 1, target: 0 })
        );
        assert_eq!(
            levels.one_sided_note("x", false).unwrap().render(|_| None),
            "column \"x\" has \"b\" and \"(missing)\" only in the source and \"c\" only in the target"
        );
        let note = levels.one_sided_note("x", true).unwrap().render(|_| None);
        assert_eq!(note, "column \"x\" has \"c\" only in the target");
    }

    #[test]
    fn numbers_are_ordered_as_numbers() {
        assert_eq!(levels(&["10", "9", "-1", "1.5"].map(Some), &[]).in_order(), ["-1", "1.5", "9", "10"]);
        assert_eq!(levels(&["10", "9", "x"].map(Some), &[]).in_order(), ["10", "9", "x"]);
    }

    #[test]
    fn distinct_means_no_repetition_on_either_side() {
        assert!(levels(&["a", "b"].map(Some), &["a"].map(Some)).are_all_distinct());
        assert!(!levels(&["a", "a"].map(Some), &["b"].map(Some)).are_all_distinct());
        assert_eq!(levels(&["a", "b"].map(Some), &["a", "b"].map(Some)).one_sided_note("x", false), None);
    }
}
