//! Sums over a target that is not the source: segments of the target against blocks of the source.

use rayon::prelude::*;

use super::Target;
use super::block::{self, Blocks, add};
use crate::error::Result;
use crate::kernel::Kernel;
use crate::observe::{Observer, Stage, go_on};
use crate::rows::{Rows, Scalar};

/// Target rows summed up before the next partial sum begins. Part of the result's definition to the last bit.
const SEGMENT: usize = 2048;
/// Source rows handled by one task. The result does not depend on it.
const BLOCK: usize = 256;
/// Tasks between two looks at the observer, if there are that many.
const TASKS_PER_ROUND: usize = 64;

/// Σᵢ pᵢ k(xᵢ, yⱼ) for each source row, p being 1 for all where there are no weights.
pub(super) fn sums<T: Scalar, K: Kernel<T> + ?Sized>(
    target: Target<'_, T>,
    source: Rows<'_, T>,
    kernel: &K,
    (stage, observer): (Stage, &mut dyn Observer),
) -> Result<Vec<f64>> {
    let segments = Blocks { n_rows: target.rows.n_rows(), size: SEGMENT };
    let blocks = Blocks { n_rows: source.n_rows(), size: BLOCK };
    let mut sums = vec![0.0; source.n_rows()];
    let n_tasks = segments.len() * blocks.len();
    for start in (0..n_tasks).step_by(TASKS_PER_ROUND) {
        go_on(observer.on_progress(stage, start as u64, n_tasks as u64))?;
        let round = start..n_tasks.min(start + TASKS_PER_ROUND);
        let partial = |task: usize| {
            let block = blocks.get(task % blocks.len());
            let mut partial = vec![0.0; block.len()];
            let segment = segments.get(task / blocks.len());
            block::add_cross(kernel, target, segment, source.slice(block), &mut partial);
            partial
        };
        let partials: Vec<Vec<f64>> = round.clone().into_par_iter().map(partial).collect();
        // Added in the order of the segments, whoever was first to finish.
        for (task, partial) in round.zip(partials) {
            add(&mut sums[blocks.get(task % blocks.len())], &partial);
        }
    }
    go_on(observer.on_progress(stage, n_tasks as u64, n_tasks as u64))?;
    Ok(sums)
}
