//! Where the weights go from a place of the path: which of the rows that are tied there join the support.

use super::support::Support;
use crate::error::Result;
use crate::kernel::Kernel;
use crate::observe::Observer;
use crate::rows::Scalar;

/// A row whose gradient falls no more than this part slower than the penalty is taken to fall with it.
pub(super) const PARALLEL: f64 = 1e-10;
/// A slope below this part of the terms it is the difference of is rounding.
const ROUNDING: f64 = 1e-13;

/// Lets those of the tied rows join that must, and returns the rows that may not while nothing else changes.
///
/// # Formula
///
/// ```text
/// max 1ᵀd − ½ dᵀKd,  d ≥ 0 on the tied rows
/// ```
///
/// over the present support, whose weights may move either way, and the tied rows, whose weights are 0 and may only
/// rise. As the penalty falls by t the weights become w + td: along the maximiser the gradients of the support fall as
/// fast as the penalty does, and those of the tied rows outside of it at least as fast, which is what keeps the path
/// optimal. One row alone always joins; of several that tie, any number may. The method is that of Lawson and Hanson:
/// every row that joins raises the maximum or is barred, so that it ends however many there are.
pub(super) fn settle<T: Scalar, K: Kernel<T> + ?Sized>(
    support: &mut Support<'_, T, K>,
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
fn steepest<T: Scalar, K: Kernel<T> + ?Sized>(
    support: &Support<'_, T, K>,
    tied: &[usize],
    barred: &[usize],
    direction: &[f64],
) -> Option<usize> {
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

/// Moves the direction to the maximum on the support; members past the free ones leave where they would turn negative.
fn climb<T: Scalar, K: Kernel<T> + ?Sized>(support: &mut Support<'_, T, K>, n_free: usize, direction: &mut Vec<f64>) {
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
