//! Sums over a target other than the source: segments of the target against blocks of the source.

use super::block::{Blocks, PairSums, add};
use crate::error::Result;
use crate::observe::{Observer, Stage, check_cancelled};
use crate::parallel;

/// Σᵢ pᵢ k(xᵢ, yⱼ) for each source row; p is 1 where there are no weights.
pub(super) fn sums(
    pair_sums: &dyn PairSums,
    (n_target, n_source, n_columns): (usize, usize, usize),
    (stage, observer): (Stage, &mut dyn Observer),
) -> Result<Vec<f64>> {
    let sizes = pair_sums.block_sizes();
    let segments = Blocks { n_rows: n_target, size: sizes.segment };
    let blocks = sizes.blocks(n_source);
    let tasks_per_round = sizes.tasks_per_round(blocks, n_columns);
    let mut sums = vec![0.0; n_source];
    let n_tasks = segments.len() * blocks.len();
    for start in (0..n_tasks).step_by(tasks_per_round) {
        check_cancelled(observer.on_progress(stage, start as u64, n_tasks as u64))?;
        let round = start..n_tasks.min(start + tasks_per_round);
        let partial = |task: usize| {
            let block = blocks.get(task % blocks.len());
            let mut partial = vec![0.0; block.len()];
            pair_sums.add_cross(segments.get(task / blocks.len()), block, &mut partial);
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
