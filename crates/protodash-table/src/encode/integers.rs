//! The integers of a column, as long as they may be ids or classes.

use std::collections::HashSet;

/// The distinct integers in the first values of a column.
#[derive(Clone, Debug)]
pub(super) struct IntegerCensus {
    seen: HashSet<i64>,
    n_values: u64,
    /// Whether the name of the column suggests classes, so that repeated values do not end the count.
    may_be_classes: bool,
}

/// The maximum number of classes.
const MAX_CLASSES: usize = 50;

/// The maximum number of values counted. If this many are distinct, it is not by chance: of 10⁸ equally likely integers, two
/// would be equal with probability 1 − 5·10⁻¹⁰.
const MAX_COUNTED: u64 = 1 << 16;

impl IntegerCensus {
    pub(super) fn new(may_be_classes: bool) -> IntegerCensus {
        IntegerCensus { seen: HashSet::new(), n_values: 0, may_be_classes }
    }

    /// Counts `values`, and returns whether they may still be ids or classes.
    pub(super) fn add(&mut self, values: &[f64]) -> bool {
        for value in values {
            if self.n_values == MAX_COUNTED {
                return true;
            }
            // Ids of more than 53 bits are rounded, but only neighbours become equal.
            if value.fract() != 0.0 || value.abs() >= i64::MAX as f64 {
                return false;
            }
            self.n_values += 1;
            let is_new = self.seen.insert(*value as i64);
            let (n_values, n_distinct) = (self.n_values, self.seen.len() as u64);
            let is_unique = n_distinct == n_values;
            if !is_new && !self.may_be_classes || !is_unique && self.seen.len() > MAX_CLASSES {
                return false;
            }
        }
        true
    }

    /// Returns whether all values are different.
    pub(super) fn are_distinct(&self) -> bool {
        self.n_values > 0 && self.seen.len() as u64 == self.n_values
    }

    /// Returns whether the values are few, repeated, and in a column whose name suggests classes.
    pub(super) fn are_classes(&self) -> bool {
        self.may_be_classes && (2..=MAX_CLASSES).contains(&self.seen.len()) && !self.are_distinct()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn census(may_be_classes: bool, values: &[f64]) -> Option<IntegerCensus> {
        let mut census = IntegerCensus::new(may_be_classes);
        census.add(values).then_some(census)
    }

    #[test]
    fn ids_are_distinct_integers() {
        assert!(census(false, &[3.0, 1.0, -7.0]).unwrap().are_distinct());
        assert!(census(false, &[3.0, 1.0, 3.0]).is_none());
        assert!(census(false, &[3.0, 1.5]).is_none());
        assert!(!census(false, &[]).unwrap().are_distinct());
    }

    #[test]
    fn classes_are_few_repeated_integers_under_a_suggestive_name() {
        assert!(census(true, &[1.0, 2.0, 1.0]).unwrap().are_classes());
        assert!(!census(true, &[1.0, 2.0]).unwrap().are_classes());
        assert!(!census(true, &[1.0, 1.0]).unwrap().are_classes());
        let many: Vec<f64> = (0..120).map(|i| f64::from(i % 60)).collect();
        assert!(census(true, &many).is_none());
    }

    #[test]
    fn a_long_column_is_judged_by_its_beginning() {
        let mut census = IntegerCensus::new(false);
        let long: Vec<f64> = (0..MAX_COUNTED as u32 + 9).map(f64::from).collect();
        assert!(census.add(&long) && census.add(&[0.0]) && census.are_distinct());
    }
}
