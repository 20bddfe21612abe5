//! Sums over a target other than the source: segments of the target against blocks of the source.

use std::ops::Range;

use super::block::{Blocks, PairSums, add};
use super::parts::{MeanPart, n_cross_parts};
use crate::error::Result;
use crate::observe::{Observer, Stage, check_cancelled};
use crate::parallel;

/// Σᵢ pᵢ k(xᵢ, yⱼ) for each source row; p is 1 where there are no weights.
pub(super) fn sums(
    pair_sums: &dyn PairSums,
    (n_target, n_source, n_columns): (usize, usize, usize),
    watch: (Stage, &mut dyn Observer),
) -> Result<Vec<f64>> {
    sums_of_rows(pair_sums, (n_target, 0..n_source, n_columns), watch)
}

/// The sums of the source rows of one part: the same bits as in [`sums`].
pub(super) fn part_of_sums(
    pair_sums: &dyn PairSums,
    (n_target, n_source, n_columns): (usize, usize, usize),
    part: usize,
    watch: (Stage, &mut dyn Observer),
) -> Result<MeanPart> {
    let n_parts = n_cross_parts(n_target, n_source);
    let rows = n_source * part / n_parts..n_source * (part + 1) / n_parts;
    let first = rows.start;
    Ok(MeanPart { first, sums: sums_of_rows(pair_sums, (n_target, rows, n_columns), watch)? })
}

fn sums_of_rows(
    pair_sums: &dyn PairSums,
    (n_target, rows, n_columns): (usize, Range<usize>, usize),
    (stage, observer): (Stage, &mut dyn Observer),
) -> Result<Vec<f64>> {
    let sizes = pair_sums.block_sizes();
    let segments = Blocks { n_rows: n_target, size: sizes.segment };
    let blocks = sizes.blocks(rows.len());
    let tasks_per_round = sizes.tasks_per_round(blocks, n_columns);
    let mut sums = vec![0.0; rows.len()];
    let n_tasks = segments.len() * blocks.len();
    for start in (0..n_tasks).step_by(tasks_per_round) {
        check_cancelled(observer.on_progress(stage, start as u64, n_tasks as u64))?;
        let round = start..n_tasks.min(start + tasks_per_round);
        let partial = |task: usize| {
            let block = blocks.get(task % blocks.len());
            let mut partial = vec![0.0; block.len()];
            let source = rows.start + block.start..rows.start + block.end;
            pair_sums.add_cross(segments.get(task / blocks.len()), source, &mut partial);
            partial
        };
        let partials = parallel::map(round.clone(), partial);
        // Added in the order of the segments, not of completion, so that results do not depend on scheduling.
        for (task, partial) in round.zip(partials) {
            add(&mut sums[blocks.get(task % blocks.len())], &partial);
        }
    }
    check_cancelled(observer.on_progress(stage, n_tasks as u64, n_tasks as u64))?;
    Ok(sums)
}
