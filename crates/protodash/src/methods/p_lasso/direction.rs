//! The direction of the path after a breakpoint: which of the tied rows join the support.

use std::collections::HashSet;

use super::support::Support;
use crate::error::Result;
use crate::observe::Observer;
use crate::rows::Scalar;

/// A gradient that falls more slowly than the penalty by no more than this counts as parallel to it.
pub(super) const PARALLEL: f64 = 1e-10;
/// A slope below this fraction of its terms is rounding error.
const ROUNDING: f64 = 1e-13;

/// Adds the tied rows that must join; returns the rows that must not join while nothing else changes.
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
/// or is barred, so it terminates. The tied rows are compared once for each row that joins, however many cannot join.
pub(super) fn settle<T: Scalar>(
    support: &mut Support<'_, T>,
    tied: &[usize],
    observer: &mut dyn Observer,
) -> Result<Vec<usize>> {
    let n_free = support.members.len();
    let mut barred = HashSet::new();
    let mut direction = support.solve(&vec![1.0; n_free]);
    let mut maximum: f64 = direction.iter().sum();
    'joins: loop {
        for row in steepest_first(support, tied, &barred, &direction) {
            if !support.join(row, observer)? {
                // Nothing has changed, so the next row is the next steepest.
                barred.insert(row);
                continue;
            }
            direction.push(0.0);
            climb(support, n_free, &mut direction);
            // At a maximiser K d = 1, so the maximum is half of this sum.
            let risen: f64 = direction.iter().sum();
            if risen <= maximum {
                barred.insert(row);
            }
            maximum = maximum.max(risen);
            continue 'joins;
        }
        return Ok(tied.iter().copied().filter(|row| barred.contains(row)).collect());
    }
}

/// The tied rows outside the support whose gradients fall more slowly than the penalty, the slowest first.
fn steepest_first<T: Scalar>(
    support: &Support<'_, T>,
    tied: &[usize],
    barred: &HashSet<usize>,
    direction: &[f64],
) -> Vec<usize> {
    let members: HashSet<usize> = support.members.iter().copied().collect();
    let rows = tied.iter().filter(|row| !barred.contains(row) && !members.contains(row));
    let slope = |&row: &usize| {
        let (mut slope, mut size) = (1.0, 1.0);
        for (similarity, step) in support.similarities(row).iter().zip(direction) {
            slope -= similarity * step;
            size += (similarity * step).abs();
        }
        (slope > PARALLEL.max(ROUNDING * size)).then_some((row, slope))
    };
    let mut rising: Vec<(usize, f64)> = rows.filter_map(slope).collect();
    rising.sort_by(|a, b| b.1.total_cmp(&a.1)); // stable, so that of equal slopes the first row comes first
    rising.into_iter().map(|(row, _)| row).collect()
}

/// Moves the direction to the maximum on the support; members after the first `n_free` leave if it becomes negative there.
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
