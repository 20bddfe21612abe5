//! The direction of the path after a breakpoint: which of the tied rows join the support.

use super::support::Support;
use crate::error::Result;
use crate::observe::Observer;
use crate::rows::Scalar;

/// A gradient that falls slower than the penalty by no more than this counts as parallel to it.
pub(super) const PARALLEL: f64 = 1e-10;
/// A slope below this part of its terms is rounding error.
const ROUNDING: f64 = 1e-13;

/// Adds those of the tied rows that must join; returns the rows that must not join while nothing else changes.
///
/// # Formula
///
/// ```text
/// max 1ᵀd − ½ dᵀKd,  d ≥ 0 on the tied rows
/// ```
///
/// over the support, whose weights may move either way, and the tied rows, whose weights are 0 and may only rise. As the
/// penalty falls by t the weights become w + td: along the maximiser the gradients of the support fall as fast as the
/// penalty, and those of the other tied rows at least as fast, which keeps the path optimal. A single row always joins;
/// of several tied rows, any number may. The method is that of Lawson and Hanson: every row that joins raises the maximum
/// or is barred, so it terminates.
pub(super) fn settle<T: Scalar>(
    support: &mut Support<'_, T>,
    tied: &[usize],
    observer: &mut dyn Observer,
) -> Result<Vec<usize>> {
    let n_free = support.members.len();
    let mut barred = Vec::new();
    let mut direction = support.solve(&vec![1.0; n_free]);
    let mut maximum: f64 = direction.iter().sum();
    while let Some(row) = steepest(support, tied, &barred, &direction) {
        if !support.join(row, observer)? {
            barred.push(row);
            continue;
        }
        direction.push(0.0);
        climb(support, n_free, &mut direction);
        // At a maximiser K d = 1, so that the maximum is half of this sum.
        let risen: f64 = direction.iter().sum();
        if risen <= maximum {
            barred.push(row);
        }
        maximum = maximum.max(risen);
    }
    Ok(barred)
}

/// The tied row outside the support whose gradient falls slowest, if it falls slower than the penalty.
fn steepest<T: Scalar>(support: &Support<'_, T>, tied: &[usize], barred: &[usize], direction: &[f64]) -> Option<usize> {
    let mut best: Option<(usize, f64)> = None;
    for &row in tied.iter().filter(|row| !barred.contains(row) && !support.members.contains(row)) {
        let (mut slope, mut size) = (1.0, 1.0);
        for (similarity, step) in support.similarities(row).iter().zip(direction) {
            slope -= similarity * step;
            size += (similarity * step).abs();
        }
        if slope > PARALLEL.max(ROUNDING * size) && best.is_none_or(|(_, steepest)| slope > steepest) {
            best = Some((row, slope));
        }
    }
    best.map(|(row, _)| row)
}

/// Moves the direction to the maximum on the support; members after the first `n_free` leave if they become negative.
fn climb<T: Scalar>(support: &mut Support<'_, T>, n_free: usize, direction: &mut Vec<f64>) {
    loop {
        let goal = support.solve(&vec![1.0; direction.len()]);
        let reach = |position: usize| {
            let (here, goal) = (direction[position], goal[position]);
            if here > 0.0 { here / (here - goal) } else { 0.0 }
        };
        let blocking = (n_free..goal.len()).filter(|position| goal[*position] <= 0.0);
        let first = blocking.map(|position| (position, reach(position))).reduce(|a, b| if b.1 < a.1 { b } else { a });
        let Some((position, step)) = first else {
            *direction = goal;
            return;
        };
        direction.iter_mut().zip(&goal).for_each(|(here, goal)| *here += step * (goal - *here));
        direction.remove(position);
        support.leave(position);
    }
}
