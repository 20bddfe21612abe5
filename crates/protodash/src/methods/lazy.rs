//! The largest of many values that are dear to compute, each with a cheap upper bound.

use std::collections::HashMap;

use crate::search::Ranked;

/// Candidates asked for at first; more are asked for only if all of these had to be tried.
const FIRST_LOOK: usize = 4;

/// What is maximised.
pub(super) trait Bounded {
    /// The candidates with the largest bounds, largest first.
    fn by_bound(&self, limit: usize) -> Vec<Ranked>;
    /// All candidates whose bound is at least this, in the order of the source.
    fn at_least(&self, bound: f64) -> Vec<usize>;
    /// A bound of one candidate that is dearer and closer; `None` if there is none but the first.
    fn closer_bound(&mut self, source_index: usize) -> Option<f64>;
    /// The value of a candidate, never above its bound but by rounding; `None` if it cannot be had.
    fn value(&mut self, source_index: usize) -> Option<f64>;
    /// What rounding can make of two equal values of this size.
    fn rounding(&self, value: f64) -> f64;
}

/// The candidate with the largest value above `floor`; of equal ones the first of the source.
///
/// Candidates are tried in the order of their bounds until the next bound is no larger than the best value found; those
/// whose closer bound is below that are passed over.
pub(super) fn largest(problem: &mut impl Bounded, floor: f64) -> Option<usize> {
    let mut values = HashMap::new();
    let (best, value, looked_at) = largest_value(problem, floor, &mut values)?;
    // Rounding may have put another of equal value before the first one.
    let equal = value - problem.rounding(value);
    let before = looked_at.at_least(equal).unwrap_or_else(|| problem.at_least(equal));
    let before = before.into_iter().take_while(|row| *row < best);
    let mut value_of = |row: usize| *values.entry(row).or_insert_with(|| problem.value(row));
    let first = before.into_iter().find(|&row| value_of(row).is_some_and(|other| other >= equal));
    Some(first.unwrap_or(best))
}

/// The candidates with the largest bounds, as far as they were looked at.
struct LookedAt {
    ranked: Vec<Ranked>,
    are_all: bool,
}

impl LookedAt {
    /// All candidates whose bound is at least this, in the order of the source; `None` if there may be others.
    fn at_least(&self, bound: f64) -> Option<Vec<usize>> {
        let no_others = self.are_all || self.ranked.last().is_some_and(|last| last.score < bound);
        no_others.then(|| {
            let reach = self.ranked.iter().filter(|ranked| ranked.score >= bound);
            let mut rows: Vec<usize> = reach.map(|ranked| ranked.source_index).collect();
            rows.sort_unstable();
            rows
        })
    }
}

fn largest_value(
    problem: &mut impl Bounded,
    floor: f64,
    values: &mut HashMap<usize, Option<f64>>,
) -> Option<(usize, f64, LookedAt)> {
    let mut best: Option<(usize, f64)> = None;
    let mut limit = FIRST_LOOK;
    loop {
        let ranked = problem.by_bound(limit);
        let are_all = ranked.len() < limit;
        let mut ends = are_all;
        for candidate in &ranked {
            let bar = best.map_or(floor, |(_, value)| value);
            if candidate.score <= bar + problem.rounding(bar) {
                ends = true;
                break;
            }
            if values.contains_key(&candidate.source_index) {
                continue;
            }
            // Neither the largest nor equal to it.
            let least = bar - problem.rounding(bar);
            let is_below = |bound: f64| bound < least;
            if bar.is_finite() && problem.closer_bound(candidate.source_index).is_some_and(is_below) {
                values.insert(candidate.source_index, None);
                continue;
            }
            let value = problem.value(candidate.source_index);
            values.insert(candidate.source_index, value);
            if let Some(value) = value.filter(|value| *value > bar) {
                best = Some((candidate.source_index, value));
            }
        }
        if ends {
            return best.map(|(row, value)| (row, value, LookedAt { ranked, are_all }));
        }
        limit *= 4;
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    /// Values with bounds, and a count of how many values were asked for.
    struct Listed {
        bounds: Vec<f64>,
        closer: Option<Vec<f64>>,
        values: Vec<f64>,
        asked: usize,
        /// How often all bounds were looked through for equal ones.
        looked_through: Cell<usize>,
    }

    impl Listed {
        fn new(bounds: Vec<f64>, values: Vec<f64>) -> Self {
            Listed { bounds, closer: None, values, asked: 0, looked_through: Cell::new(0) }
        }
    }

    impl Bounded for Listed {
        fn by_bound(&self, limit: usize) -> Vec<Ranked> {
            let rows = self.bounds.iter().enumerate();
            let mut ranked: Vec<_> = rows.map(|(source_index, &score)| Ranked { source_index, score }).collect();
            ranked.sort_by(|a, b| b.score.total_cmp(&a.score));
            ranked.truncate(limit);
            ranked
        }

        fn at_least(&self, bound: f64) -> Vec<usize> {
            self.looked_through.set(self.looked_through.get() + 1);
            (0..self.bounds.len()).filter(|&row| self.bounds[row] >= bound).collect()
        }

        fn closer_bound(&mut self, source_index: usize) -> Option<f64> {
            self.closer.as_ref().map(|closer| closer[source_index])
        }

        fn value(&mut self, source_index: usize) -> Option<f64> {
            self.asked += 1;
            Some(self.values[source_index])
        }

        fn rounding(&self, _: f64) -> f64 {
            1e-9
        }
    }

    #[test]
    fn stops_at_the_first_bound_below_the_best_value() {
        let mut listed = Listed::new(vec![3.0, 9.0, 8.0, 7.0, 6.0], vec![3.0, 1.0, 7.5, 7.0, 6.0]);
        assert_eq!(largest(&mut listed, 0.0), Some(2));
        assert_eq!((listed.asked, listed.looked_through.get()), (2, 0));
    }

    #[test]
    fn looks_past_the_first_few_if_it_must() {
        let bounds: Vec<f64> = (0..50).map(|i| 100.0 - f64::from(i)).collect();
        let mut values = vec![1.0; 50];
        values[40] = 60.0;
        assert_eq!(largest(&mut Listed::new(bounds, values), 0.0), Some(40));
    }

    #[test]
    fn closer_bounds_spare_values_but_not_equal_ones() {
        let values = vec![6.0 - 1e-12, 6.0, 1.0, 2.0, 6.0 + 1e-12];
        let mut listed = Listed::new(vec![7.0, 9.0, 8.0, 8.5, 7.5], values.clone());
        listed.closer = Some(values);
        assert_eq!((largest(&mut listed, 0.0), listed.asked), (Some(0), 3));
    }

    #[test]
    fn equal_values_go_to_the_first_row() {
        let values = vec![1.0, 5.0 - 1e-12, 5.0, 5.0 + 1e-12];
        assert_eq!(largest(&mut Listed::new(values.clone(), values), 0.0), Some(1));
    }

    #[test]
    fn equal_values_beyond_the_first_look_are_looked_for() {
        let mut values = vec![5.0 - 1e-12];
        values.extend([5.0; 8]);
        let mut listed = Listed::new(values.clone(), values);
        assert_eq!((largest(&mut listed, 0.0), listed.looked_through.get()), (Some(0), 1));
    }

    #[test]
    fn nothing_above_the_floor_is_nothing() {
        assert_eq!(largest(&mut Listed::new(vec![2.0], vec![1.0]), 1.5), None);
    }
}
