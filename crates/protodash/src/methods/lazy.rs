//! The largest of many values that are expensive to compute, each with a cheap upper bound.

use std::collections::HashMap;

use crate::error::Result;
use crate::search::{FIRST_PROPOSALS, RankedRow};

/// A maximisation over candidates.
pub(super) trait LazyMaximum {
    /// The candidates with the largest upper bounds, largest first.
    fn by_bound(&mut self, limit: usize) -> Result<Vec<RankedRow>>;
    /// All candidates whose upper bound is at least this, in source order.
    fn at_least(&mut self, bound: f64) -> Result<Vec<usize>>;
    /// A tighter and more expensive upper bound for one candidate; `None` if there is none.
    fn tighter_bound(&mut self, source_index: usize) -> Result<Option<f64>>;
    /// The value of a candidate, which exceeds its bound at most by rounding; `None` if it has none.
    fn value(&mut self, source_index: usize) -> Result<Option<f64>>;
    /// How far the value found may be below the largest, as a fraction of the largest.
    fn tolerance(&self) -> f64 {
        0.0
    }
    /// How far rounding can separate two equal values of this size.
    fn rounding(&self, value: f64) -> f64;
}

/// The candidate with the largest value above `floor`; of equal values the first in the source.
///
/// Candidates are tried in the order of their bounds until the next bound is no larger than the best value found; those
/// whose tighter bound is below that are skipped.
pub(super) fn largest(problem: &mut impl LazyMaximum, floor: f64) -> Result<Option<usize>> {
    let mut values = HashMap::new();
    let Some((best, value, proposals)) = largest_value(problem, floor, &mut values)? else { return Ok(None) };
    // By rounding, an earlier candidate of equal value may have been passed over.
    let equal = value - problem.rounding(value);
    let rows = match proposals.at_least(equal) {
        Some(rows) => rows,
        None => problem.at_least(equal)?,
    };
    for row in rows.into_iter().take_while(|row| *row < best) {
        let other = match values.get(&row) {
            Some(known) => *known,
            None => problem.value(row)?,
        };
        if other.is_some_and(|other| other >= equal) {
            return Ok(Some(row));
        }
    }
    Ok(Some(best))
}

/// Values that differ by less than this fraction of their terms count as equal.
const TIE: f64 = 1e-12;

/// The candidate with the largest value, where all values are cheap; of equal values the first.
///
/// `terms` is the sum of the sizes of a value's terms: the rounding error of a difference depends on the terms of the two
/// rows, not on how large other rows are.
pub(super) fn first_of_equals<I: Iterator<Item = usize>>(
    candidates: impl Fn() -> I,
    value: impl Fn(usize) -> f64,
    terms: impl Fn(usize) -> f64,
) -> Option<usize> {
    let larger = |one: usize, other: usize| if value(other) > value(one) { other } else { one };
    let largest = candidates().reduce(larger)?;
    candidates().find(|row| value(*row) >= value(largest) - TIE * (terms(*row) + terms(largest)))
}

/// The candidates with the largest bounds that were requested.
struct Proposals {
    ranked: Vec<RankedRow>,
    /// Whether there are no other candidates.
    is_complete: bool,
}

impl Proposals {
    /// All candidates whose bound is at least this, in source order; `None` if there may be others.
    fn at_least(&self, bound: f64) -> Option<Vec<usize>> {
        let no_others = self.is_complete || self.ranked.last().is_some_and(|last| last.score < bound);
        no_others.then(|| {
            let found = self.ranked.iter().filter(|ranked| ranked.score >= bound);
            let mut rows: Vec<usize> = found.map(|ranked| ranked.source_index).collect();
            rows.sort_unstable();
            rows
        })
    }
}

/// The smallest value within the tolerance of a candidate with this bound.
fn least_within(bound: f64, tolerance: f64) -> f64 {
    if bound > 0.0 { bound * (1.0 - tolerance) } else { bound }
}

fn largest_value(
    problem: &mut impl LazyMaximum,
    floor: f64,
    values: &mut HashMap<usize, Option<f64>>,
) -> Result<Option<(usize, f64, Proposals)>> {
    let mut best: Option<(usize, f64)> = None;
    let mut limit = FIRST_PROPOSALS;
    loop {
        let ranked = problem.by_bound(limit)?;
        let is_complete = ranked.len() < limit;
        let mut is_done = is_complete;
        for candidate in &ranked {
            let to_beat = best.map_or(floor, |(_, value)| value);
            if least_within(candidate.score, problem.tolerance()) <= to_beat + problem.rounding(to_beat) {
                is_done = true;
                break;
            }
            if values.contains_key(&candidate.source_index) {
                continue;
            }
            // A candidate whose bound is below this can neither be the best nor tie with it.
            let least = to_beat - problem.rounding(to_beat);
            if to_beat.is_finite() && problem.tighter_bound(candidate.source_index)?.is_some_and(|bound| bound < least)
            {
                values.insert(candidate.source_index, None);
                continue;
            }
            let value = problem.value(candidate.source_index)?;
            values.insert(candidate.source_index, value);
            if let Some(value) = value.filter(|value| *value > to_beat) {
                best = Some((candidate.source_index, value));
            }
        }
        if is_done {
            return Ok(best.map(|(row, value)| (row, value, Proposals { ranked, is_complete })));
        }
        limit *= 4;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values with bounds, and how many values were computed.
    struct ListedValues {
        bounds: Vec<f64>,
        tighter: Option<Vec<f64>>,
        values: Vec<f64>,
        n_computed: usize,
        /// How often all bounds were scanned for ties.
        n_scans: usize,
    }

    impl ListedValues {
        fn new(bounds: Vec<f64>, values: Vec<f64>) -> Self {
            ListedValues { bounds, tighter: None, values, n_computed: 0, n_scans: 0 }
        }
    }

    impl LazyMaximum for ListedValues {
        fn by_bound(&mut self, limit: usize) -> Result<Vec<RankedRow>> {
            let rows = self.bounds.iter().enumerate();
            let mut ranked: Vec<_> = rows.map(|(source_index, &score)| RankedRow { source_index, score }).collect();
            ranked.sort_by(|a, b| b.score.total_cmp(&a.score));
            ranked.truncate(limit);
            Ok(ranked)
        }

        fn at_least(&mut self, bound: f64) -> Result<Vec<usize>> {
            self.n_scans += 1;
            Ok((0..self.bounds.len()).filter(|&row| self.bounds[row] >= bound).collect())
        }

        fn tighter_bound(&mut self, source_index: usize) -> Result<Option<f64>> {
            Ok(self.tighter.as_ref().map(|tighter| tighter[source_index]))
        }

        fn value(&mut self, source_index: usize) -> Result<Option<f64>> {
            self.n_computed += 1;
            Ok(Some(self.values[source_index]))
        }

        fn rounding(&self, _: f64) -> f64 {
            1e-9
        }
    }

    #[test]
    fn stops_at_the_first_bound_below_the_best_value() {
        let mut listed = ListedValues::new(vec![3.0, 9.0, 8.0, 7.0, 6.0], vec![3.0, 1.0, 7.5, 7.0, 6.0]);
        assert_eq!(largest(&mut listed, 0.0).unwrap(), Some(2));
        assert_eq!((listed.n_computed, listed.n_scans), (2, 0));
    }

    #[test]
    fn requests_more_candidates_if_the_first_few_do_not_decide() {
        let bounds: Vec<f64> = (0..50).map(|i| 100.0 - f64::from(i)).collect();
        let mut values = vec![1.0; 50];
        values[40] = 60.0;
        assert_eq!(largest(&mut ListedValues::new(bounds, values), 0.0).unwrap(), Some(40));
    }

    #[test]
    fn tighter_bounds_save_values_but_not_those_of_ties() {
        let values = vec![6.0 - 1e-12, 6.0, 1.0, 2.0, 6.0 + 1e-12];
        let mut listed = ListedValues::new(vec![7.0, 9.0, 8.0, 8.5, 7.5], values.clone());
        listed.tighter = Some(values);
        assert_eq!((largest(&mut listed, 0.0).unwrap(), listed.n_computed), (Some(0), 3));
    }

    #[test]
    fn ties_go_to_the_first_row() {
        let values = vec![1.0, 5.0 - 1e-12, 5.0, 5.0 + 1e-12];
        assert_eq!(largest(&mut ListedValues::new(values.clone(), values), 0.0).unwrap(), Some(1));
    }

    #[test]
    fn ties_beyond_the_first_proposals_are_found() {
        let mut values = vec![5.0 - 1e-12];
        values.extend([5.0; 8]);
        let mut listed = ListedValues::new(values.clone(), values);
        assert_eq!((largest(&mut listed, 0.0).unwrap(), listed.n_scans), (Some(0), 1));
    }

    #[test]
    fn returns_none_if_no_value_is_above_the_floor() {
        assert_eq!(largest(&mut ListedValues::new(vec![2.0], vec![1.0]), 1.5).unwrap(), None);
    }
}
