//! A random sample of rows, reproducible by its seed.

use std::ops::ControlFlow;

use rand::SeedableRng;
use rand::seq::index::sample;
use rand_chacha::ChaCha8Rng;

use super::Part;
use super::selected::{RowProgress, for_each_selected};
use crate::Result;

/// Returns a random sample of `n_rows` rows of `part` without replacement, ascending; all rows if there are no more.
///
/// The same part, number and seed give the same rows. `progress` is called as by [`encode`](super::encode()); without a
/// condition nothing is read.
///
/// # Errors
///
/// For a condition that does not fit the table, every error of reading the file, and
/// [`EncodeProblem::Stopped`](crate::EncodeProblem::Stopped) if `progress` breaks.
///
/// # Examples
///
/// ```
/// use std::ops::ControlFlow;
/// use protodash_table::{Condition, Input, Part, ReadOptions, sample_rows};
///
/// let directory = tempfile::tempdir()?;
/// let path = directory.path().join("people.csv");
/// std::fs::write(&path, "age\n20\n30\n40\n50\n")?;
/// let people = Input::open(&path, &ReadOptions::default())?;
/// let older = Condition::parse("age > 20")?;
/// let part = Part { condition: Some(&older), ..Part::from(&people) };
/// let mut go_on = |_done, _total| ControlFlow::Continue(());
/// assert_eq!(sample_rows(part, 9, 0, &mut go_on)?, [1, 2, 3]);
/// assert_eq!(sample_rows(part, 2, 0, &mut go_on)?.len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn sample_rows(
    part: Part<'_>,
    n_rows: usize,
    seed: u64,
    progress: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
) -> Result<Vec<u64>> {
    let all = rows_of(part, progress)?;
    Ok(draw_rows(all.len(), n_rows, seed).into_iter().map(|position| all[position]).collect())
}

/// Returns a random sample of `n_drawn` of the numbers below `n_rows`, ascending; all of them if there are no more.
///
/// # Examples
///
/// ```
/// use protodash_table::draw_rows;
///
/// assert_eq!(draw_rows(3, 9, 0), [0, 1, 2]);
/// assert_eq!(draw_rows(1000, 5, 7), draw_rows(1000, 5, 7));
/// ```
#[must_use]
pub fn draw_rows(n_rows: usize, n_drawn: usize, seed: u64) -> Vec<usize> {
    let mut rows = sample(&mut ChaCha8Rng::seed_from_u64(seed), n_rows, n_drawn.min(n_rows)).into_vec();
    rows.sort_unstable();
    rows
}

/// Returns all rows of a part.
fn rows_of(part: Part<'_>, progress: &mut dyn FnMut(u64, u64) -> ControlFlow<()>) -> Result<Vec<u64>> {
    let n_rows = part.input.n_rows();
    match (part.condition, part.rows) {
        (None, None) => Ok((0..n_rows).collect()),
        (None, Some(rows)) => Ok(rows.to_vec()),
        (Some(_), _) => {
            let mut rows = Vec::new();
            for_each_selected(part, &[], &mut RowProgress::new(n_rows, progress), |selected| {
                rows.extend(&selected.rows);
                Ok(())
            })?;
            Ok(rows)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Condition, Input, ReadOptions};

    fn go_on(_: u64, _: u64) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    #[test]
    fn every_row_can_be_sampled_and_none_twice() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("rows.csv");
        std::fs::write(&path, "x\n".to_owned() + &"1\n".repeat(50)).unwrap();
        let input = Input::open(&path, &ReadOptions::default()).unwrap();
        let mut times = [0; 50];
        for seed in 0..200 {
            let rows = sample_rows(Part::from(&input), 10, seed, &mut go_on).unwrap();
            assert_eq!(rows.len(), 10);
            assert!(rows.windows(2).all(|pair| pair[0] < pair[1]));
            rows.iter().for_each(|row| times[*row as usize] += 1);
        }
        // 40 times each on average, with a standard deviation of 5.7.
        assert!(times.iter().all(|times| (15..=65).contains(times)), "{times:?}");
    }

    #[test]
    fn a_sample_of_a_sample_is_a_subset_of_it() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("rows.csv");
        std::fs::write(&path, "x\n1\n2\n3\n4\n5\n6\n").unwrap();
        let input = Input::open(&path, &ReadOptions::default()).unwrap();
        let odd = Condition::parse("x % 2 = 1").unwrap();
        let part = Part { condition: Some(&odd), rows: Some(&[0, 1, 2, 3]), ..Part::from(&input) };
        assert_eq!(sample_rows(part, 5, 1, &mut go_on).unwrap(), [0, 2]);
        let part = Part { condition: None, ..part };
        assert_eq!(sample_rows(part, 5, 1, &mut go_on).unwrap(), [0, 1, 2, 3]);
    }
}
