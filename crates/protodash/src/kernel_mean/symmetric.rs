//! Sums over a target that is the source: every pair of blocks once, each value used for both of its rows.

use std::ops::Range;

use rayon::prelude::*;

use super::Target;
use super::block::{self, Blocks, add};
use crate::error::Result;
use crate::kernel::Kernel;
use crate::observe::{Observer, Stage, go_on};
use crate::rows::Scalar;

/// Rows of one block. Part of the result's definition to the last bit.
const BLOCK: usize = 256;
/// Pairs of blocks between two looks at the observer.
const PAIRS_PER_ROUND: usize = 64;

/// Σᵢ pᵢ k(xᵢ, xⱼ) for each row, p being 1 for all where there are no weights.
pub(super) fn sums<T: Scalar, K: Kernel<T> + ?Sized>(
    target: Target<'_, T>,
    kernel: &K,
    (stage, observer): (Stage, &mut dyn Observer),
) -> Result<Vec<f64>> {
    let n_rows = target.rows.n_rows();
    let blocks = Blocks { n_rows, size: BLOCK };
    let total = (blocks.len() * (blocks.len() + 1) / 2) as u64;
    let mut pairs = (0..blocks.len()).flat_map(|second| (0..=second).map(move |first| (first, second))).peekable();
    let mut sums = vec![0.0; n_rows];
    let mut done = 0;
    while pairs.peek().is_some() {
        go_on(observer.on_progress(stage, done, total))?;
        let round: Vec<_> = pairs.by_ref().take(PAIRS_PER_ROUND).collect();
        let partial =
            |&(first, second): &(usize, usize)| pair_sums(kernel, target, blocks.get(first), blocks.get(second));
        let partials: Vec<_> = round.par_iter().map(partial).collect();
        // Added in the order of the pairs, whoever was first to finish.
        for ((first, second), (first_sums, second_sums)) in round.iter().zip(partials) {
            add(&mut sums[blocks.get(*first)], &first_sums);
            add(&mut sums[blocks.get(*second)][..second_sums.len()], &second_sums);
        }
        done += round.len() as u64;
    }
    go_on(observer.on_progress(stage, total, total))?;
    Ok(sums)
}

/// What one pair of blocks adds to its first and to its second block; a block with itself adds to the first alone.
fn pair_sums<T: Scalar, K: Kernel<T> + ?Sized>(
    kernel: &K,
    target: Target<'_, T>,
    first: Range<usize>,
    second: Range<usize>,
) -> (Vec<f64>, Vec<f64>) {
    let mut first_sums = vec![0.0; first.len()];
    if first == second {
        block::add_diagonal(kernel, target, first, &mut first_sums);
        return (first_sums, Vec::new());
    }
    let mut second_sums = vec![0.0; second.len()];
    block::add_mirrored(kernel, target, (first, &mut first_sums), (second, &mut second_sums));
    (first_sums, second_sums)
}
