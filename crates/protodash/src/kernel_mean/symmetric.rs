//! Sums where target and source are the same rows: every pair of blocks once, each value used for both of its rows.

use std::ops::Range;

use super::block::{BlockSizes, Blocks, PairSums, add};
use super::parts::{MeanPart, n_parts};
use crate::error::Result;
use crate::observe::{Observer, Stage, check_cancelled};
use crate::parallel;

/// A block of rows, and rows before it or the block itself.
type BlockPair = (Range<usize>, Range<usize>);

/// Σᵢ pᵢ k(xᵢ, xⱼ) for each row; p is 1 where there are no weights.
///
/// The sums of each part are added on their own and then to the total, so that parts may be computed anywhere.
pub(super) fn sums(
    pair_sums: &dyn PairSums,
    (n_rows, n_columns): (usize, usize),
    (stage, observer): (Stage, &mut dyn Observer),
) -> Result<Vec<f64>> {
    let schedule = SymmetricSchedule { sizes: pair_sums.block_sizes(), n_rows, n_columns };
    let total = schedule.n_tasks(0..schedule.blocks().len());
    let (mut sums, mut done) = (vec![0.0; n_rows], 0);
    for part in 0..n_parts(n_rows) {
        let MeanPart { first, sums: partial } =
            schedule.part(pair_sums, part, (stage, &mut *observer), (done, total))?;
        add(&mut sums[first..], &partial);
        done += schedule.n_tasks(schedule.blocks_of(part));
    }
    check_cancelled(observer.on_progress(stage, total, total))?;
    Ok(sums)
}

/// One part of [`sums`]. It has sums for all rows up to the last of its blocks.
pub(super) fn part_of_sums(
    pair_sums: &dyn PairSums,
    (n_rows, n_columns): (usize, usize),
    part: usize,
    (stage, observer): (Stage, &mut dyn Observer),
) -> Result<MeanPart> {
    let schedule = SymmetricSchedule { sizes: pair_sums.block_sizes(), n_rows, n_columns };
    let total = schedule.n_tasks(schedule.blocks_of(part));
    let sums = schedule.part(pair_sums, part, (stage, &mut *observer), (0, total))?;
    check_cancelled(observer.on_progress(stage, total, total))?;
    Ok(sums)
}

/// How the pairs are divided into tasks, and the tasks into parts.
#[derive(Clone, Copy)]
struct SymmetricSchedule {
    sizes: BlockSizes,
    n_rows: usize,
    n_columns: usize,
}

impl SymmetricSchedule {
    fn blocks(&self) -> Blocks {
        self.sizes.blocks(self.n_rows)
    }

    /// The blocks whose pairs with themselves and with earlier rows belong to a part: about as many pairs in each part, of
    /// which there are as many as the square of the last row's number.
    fn blocks_of(&self, part: usize) -> Range<usize> {
        let (n_blocks, n_parts) = (self.blocks().len(), n_parts(self.n_rows));
        let start = |part: usize| (n_blocks as f64 * (part as f64 / n_parts as f64).sqrt()).round() as usize;
        start(part)..start(part + 1)
    }

    /// The tasks of some blocks, in order.
    fn tasks(&self, blocks: Range<usize>) -> impl Iterator<Item = BlockPair> + use<> {
        let (all, segment) = (self.blocks(), self.sizes.segment);
        blocks.flat_map(move |second| {
            let second = all.get(second);
            let segments = Blocks { n_rows: second.start, size: segment };
            let earlier = (0..segments.len()).map(move |segment| segments.get(segment));
            earlier.chain([second.clone()]).map(move |first| (first, second.clone()))
        })
    }

    fn n_tasks(&self, blocks: Range<usize>) -> u64 {
        let n_earlier = |block: usize| self.blocks().get(block).start.div_ceil(self.sizes.segment) as u64;
        blocks.map(|block| n_earlier(block) + 1).sum()
    }

    /// The sums of one part; `done` of `total` tasks were done before.
    fn part(
        &self,
        pair_sums: &dyn PairSums,
        part: usize,
        (stage, observer): (Stage, &mut dyn Observer),
        (mut done, total): (u64, u64),
    ) -> Result<MeanPart> {
        let blocks = self.blocks_of(part);
        let n_rows = blocks.clone().last().map_or(0, |last| self.blocks().get(last).end);
        let mut tasks = self.tasks(blocks).peekable();
        let tasks_per_round = self.sizes.tasks_per_round(self.blocks(), self.n_columns);
        let mut sums = vec![0.0; n_rows];
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
        Ok(MeanPart { first: 0, sums })
    }
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
