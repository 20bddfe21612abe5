//! How similar some rows are to each other, and an order that puts similar ones side by side.

use ndarray::{Array2, ArrayRef2};

use crate::error::{Error, Result};
use crate::kernel::Kernel;
use crate::parallel;
use crate::rows::Scalar;

/// k(x, z) / √(k(x, x) k(z, z)) for each pair of these rows; 0 where a row has no length in feature space.
pub(crate) fn kernel_cosines<T: Scalar>(
    source: &ArrayRef2<T>,
    rows: &[usize],
    kernel: &dyn Kernel<T>,
) -> Result<Array2<f64>> {
    if let Some(row) = rows.iter().find(|row| **row >= source.nrows()) {
        return Err(Error::NotThisSource { source_index: *row, rows: source.nrows() });
    }
    let values: Vec<Vec<T>> = rows.iter().map(|row| source.row(*row).to_vec()).collect();
    let lengths: Vec<f64> = values.iter().map(|row| kernel.evaluate(row, row).max(0.0).sqrt()).collect();
    let cosine = |i: usize, j: usize| match lengths[i] * lengths[j] {
        _ if i == j => 1.0,
        scale if scale > 0.0 => (kernel.evaluate(&values[i], &values[j]) / scale).clamp(-1.0, 1.0),
        _ => 0.0,
    };
    let lower = parallel::map(0..rows.len(), |i| (0..=i).map(|j| cosine(i, j)).collect::<Vec<f64>>());
    Ok(Array2::from_shape_fn((rows.len(), rows.len()), |(i, j)| lower[i.max(j)][i.min(j)]))
}

/// An order of things in which similar ones are neighbours, from their symmetric matrix of similarities.
///
/// Average linkage joins the two most similar groups until one is left; each joins with the ends side by side that are
/// most similar. Ties go to the first. Costs n³ operations.
///
/// # Examples
///
/// ```
/// use ndarray::array;
/// use protodash::similarity_order;
///
/// let similarities = array![[1.0, 0.1, 0.9, 0.0], [0.1, 1.0, 0.2, 0.8], [0.9, 0.2, 1.0, 0.1], [0.0, 0.8, 0.1, 1.0]];
/// assert_eq!(similarity_order(&similarities), [0, 2, 1, 3]); // 0 and 2 are alike, and so are 1 and 3
/// ```
pub fn similarity_order(similarities: &ArrayRef2<f64>) -> Vec<usize> {
    let n = similarities.nrows().min(similarities.ncols());
    let value = |i: usize, j: usize| Some(similarities[(i, j)]).filter(|value| value.is_finite()).unwrap_or(0.0);
    let mut groups: Vec<Vec<usize>> = (0..n).map(|at| vec![at]).collect();
    let mut sums: Vec<Vec<f64>> = (0..n).map(|i| (0..n).map(|j| value(i, j)).collect()).collect();
    while groups.len() > 1 {
        let (mut best, mut pair) = (f64::NEG_INFINITY, (0, 1));
        for (i, group) in groups.iter().enumerate() {
            for (j, other) in groups.iter().enumerate().skip(i + 1) {
                let mean = sums[i][j] / (group.len() * other.len()) as f64;
                if mean > best {
                    (best, pair) = (mean, (i, j));
                }
            }
        }
        let (first, second) = pair;
        let other = groups.remove(second);
        groups[first] = joined(std::mem::take(&mut groups[first]), other, &value);
        let added = sums.remove(second);
        sums.iter_mut().for_each(|line| line[first] += line[second]);
        sums[first].iter_mut().zip(&added).for_each(|(sum, more)| *sum += more);
        sums.iter_mut().for_each(|line| {
            line.remove(second);
        });
    }
    groups.pop().unwrap_or_default()
}

/// Two groups as one, each turned round if that brings more similar ends together.
fn joined(mut group: Vec<usize>, mut other: Vec<usize>, value: &dyn Fn(usize, usize) -> f64) -> Vec<usize> {
    let ends = |group: &[usize]| [group.first().copied().unwrap_or(0), group.last().copied().unwrap_or(0)];
    let ([start, end], [other_start, other_end]) = (ends(&group), ends(&other));
    let ways = [(end, other_start), (end, other_end), (start, other_start), (start, other_end)];
    let mut best = 0;
    for (way, (one, two)) in ways.iter().enumerate().skip(1) {
        if value(*one, *two) > value(ways[best].0, ways[best].1) {
            best = way;
        }
    }
    if best >= 2 {
        group.reverse();
    }
    if best % 2 == 1 {
        other.reverse();
    }
    group.append(&mut other);
    group
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Gaussian, Linear};
    use ndarray::array;

    #[test]
    fn points_on_a_line_come_back_in_their_order() {
        // Gaps grow, so that average linkage joins from one end.
        let places = [9.0, 0.0, 3.5, 1.0, 5.8, 2.1];
        let rows = Array2::from_shape_fn((6, 1), |(at, _)| places[at]);
        let values = kernel_cosines(&rows, &[0, 1, 2, 3, 4, 5], &Gaussian::new(3.0).unwrap()).unwrap();
        let found: Vec<f64> = similarity_order(&values).into_iter().map(|at| places[at]).collect();
        let mut sorted = places.to_vec();
        sorted.sort_by(f64::total_cmp);
        let turned: Vec<f64> = sorted.iter().rev().copied().collect();
        assert!(found == sorted || found == turned, "{found:?}");
    }

    #[test]
    fn every_position_is_in_the_order_once() {
        for n in 0..9_usize {
            let values =
                Array2::from_shape_fn((n, n), |(i, j)| ((i + j) * 7 % 5) as f64 - if i == j { f64::NAN } else { 2.0 });
            let mut order = similarity_order(&values);
            order.sort_unstable();
            assert_eq!(order, (0..n).collect::<Vec<_>>());
        }
    }

    #[test]
    fn groups_stay_together() {
        // Three groups, mixed: rows of the same group differ by less than those of different groups.
        let rows =
            Array2::from_shape_fn((15, 2), |(at, column)| (at % 3 * 10 * (column + 1)) as f64 + (at / 3) as f64 * 0.3);
        let all: Vec<usize> = (0..15).collect();
        let order = similarity_order(&kernel_cosines(&rows, &all, &Gaussian::new(5.0).unwrap()).unwrap());
        let n_changes = order.windows(2).filter(|pair| pair[0] % 3 != pair[1] % 3).count();
        assert_eq!(n_changes, 2, "{order:?}");
    }

    #[test]
    fn cosines_are_symmetric_and_defined_without_a_length() {
        let rows = array![[3.0, 4.0], [0.0, 0.0], [-4.0, 3.0], [6.0, 8.0]];
        let values = kernel_cosines(&rows, &[0, 1, 2, 3], &Linear).unwrap();
        assert_eq!(values, values.t());
        assert_eq!(values.row(0).to_vec(), [1.0, 0.0, 0.0, 1.0]);
        assert_eq!(values[(1, 1)], 1.0);
        let error = kernel_cosines(&rows, &[4], &Linear).unwrap_err();
        assert_eq!(error, Error::NotThisSource { source_index: 4, rows: 4 });
    }
}
