//! Sums where target and source are the same rows: every pair of blocks once, each value used for both of its rows.

use std::ops::Range;

use super::block::{Blocks, PairSums, add};
use crate::error::Result;
use crate::observe::{Observer, Stage, check_cancelled};
use crate::parallel;

/// A block of rows, and rows before it or the block itself.
type BlockPair = (Range<usize>, Range<usize>);

/// Σᵢ pᵢ k(xᵢ, xⱼ) for each row; p is 1 where there are no weights.
pub(super) fn sums(
    pair_sums: &dyn PairSums,
    (n_rows, n_columns): (usize, usize),
    (stage, observer): (Stage, &mut dyn Observer),
) -> Result<Vec<f64>> {
    let sizes = pair_sums.block_sizes();
    let blocks = sizes.blocks(n_rows);
    let tasks_of = |second: usize| {
        let second = blocks.get(second);
        let segments = Blocks { n_rows: second.start, size: sizes.segment };
        let earlier = (0..segments.len()).map(move |segment| segments.get(segment));
        earlier.chain([second.clone()]).map(move |first| (first, second.clone()))
    };
    let total: u64 = (0..blocks.len()).map(|second| tasks_of(second).count() as u64).sum();
    let mut tasks = (0..blocks.len()).flat_map(tasks_of).peekable();
    let tasks_per_round = sizes.tasks_per_round(blocks, n_columns);
    let mut sums = vec![0.0; n_rows];
    let mut done = 0;
    while tasks.peek().is_some() {
        check_cancelled(observer.on_progress(stage, done, total))?;
        let round: Vec<BlockPair> = tasks.by_ref().take(tasks_per_round).collect();
        let partials = parallel::map(0..round.len(), |task| task_sums(pair_sums, &round[task]));
        // Added in the order of the tasks, not of completion, so that results do not depend on scheduling.
        for ((first, second), (first_sums, second_sums)) in round.iter().zip(partials) {
            add(&mut sums[first.clone()], &first_sums);
            add(&mut sums[second.clone()], &second_sums);
        }
        done += round.len() as u64;
    }
    check_cancelled(observer.on_progress(stage, total, total))?;
    Ok(sums)
}

/// The partial sums of one task for its first and its second rows; only the latter if a block is paired with itself.
fn task_sums(pair_sums: &dyn PairSums, (first, second): &BlockPair) -> (Vec<f64>, Vec<f64>) {
    let mut second_sums = vec![0.0; second.len()];
    if first == second {
        pair_sums.add_diagonal(second.clone(), &mut second_sums);
        return (Vec::new(), second_sums);
    }
    let mut first_sums = vec![0.0; first.len()];
    pair_sums.add_mirrored((first.clone(), &mut first_sums), (second.clone(), &mut second_sums));
    (first_sums, second_sums)
}
