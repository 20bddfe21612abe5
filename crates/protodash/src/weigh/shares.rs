//! Shares: the fraction of some rows that is nearest to each prototype.

use crate::kernel::Kernel;
use crate::kernel_mean::Target;
use crate::kernel_mean::column::column;
use crate::parallel;
use crate::rows::Scalar;

/// Rows that a thread works on at a time.
const BLOCK: usize = 512;

/// The nearest prototype of each row so far.
///
/// ```text
/// nearest(x) = argminⱼ k(zⱼ, zⱼ) − 2 k(x, zⱼ)        shareⱼ = Σ pᵢ over the rows xᵢ that are nearest to zⱼ
/// ```
///
/// Ties go to the prototype chosen first. A prototype costs one kernel value for each row.
pub(super) struct Shares<'a, T> {
    rows: Target<'a, T>,
    /// The position of the nearest prototype, and k(z, z) − 2 k(x, z).
    nearest: Vec<(usize, f64)>,
    n_prototypes: usize,
}

impl<'a, T: Scalar> Shares<'a, T> {
    pub(super) fn new(rows: Target<'a, T>) -> Self {
        Shares { rows, nearest: vec![(0, f64::INFINITY); rows.rows.n_rows()], n_prototypes: 0 }
    }

    /// The shares with one more prototype.
    pub(super) fn add(&mut self, kernel: &dyn Kernel<T>, prototype: &[T]) -> Vec<f64> {
        let (rows, place) = (self.rows.rows, self.n_prototypes);
        let own = kernel.evaluate(prototype, prototype);
        parallel::map_chunks(&mut self.nearest, BLOCK, |block, nearest| {
            let mut similarities = vec![0.0; nearest.len()];
            column(kernel, rows.slice(block * BLOCK..block * BLOCK + nearest.len()), prototype, &mut similarities);
            for (nearest, similarity) in nearest.iter_mut().zip(&similarities) {
                let distance = own - 2.0 * similarity;
                if distance < nearest.1 {
                    *nearest = (place, distance);
                }
            }
        });
        self.n_prototypes += 1;
        self.shares()
    }

    fn shares(&self) -> Vec<f64> {
        let mut sums = vec![0.0; self.n_prototypes];
        match self.rows.weights {
            None => {
                self.nearest.iter().for_each(|(place, _)| sums[*place] += 1.0);
                // Counts are exact; dividing once keeps the shares exact.
                sums.iter_mut().for_each(|sum| *sum /= self.nearest.len() as f64);
            }
            Some(weights) => self.nearest.iter().zip(weights).for_each(|((place, _), weight)| sums[*place] += weight),
        }
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::{Gaussian, Linear};
    use crate::rows::Rows;

    #[test]
    fn a_new_prototype_takes_the_rows_nearer_to_it() {
        let values = [0.0, 1.0, 2.0, 9.0];
        let weights = [0.5, 0.25, 0.125, 0.125];
        let kernel = Gaussian::new(5.0).unwrap();
        for (weights, expected) in [(None, [0.5, 0.5]), (Some(&weights[..]), [0.75, 0.25])] {
            let mut shares = Shares::new(Target { rows: Rows::new(&values, 1), weights });
            assert_eq!(shares.add(&kernel, &[0.0]), [1.0]);
            assert_eq!(shares.add(&kernel, &[3.0]), expected); // 2 and 9 are nearer to 3 than to 0
            assert_eq!(shares.add(&kernel, &[3.0])[2], 0.0); // a copy gets nothing
        }
    }

    #[test]
    fn the_longest_row_is_not_the_nearest_to_all() {
        let mut shares = Shares::new(Target { rows: Rows::new(&[1.0, 9.0], 1), weights: None });
        shares.add(&Linear, &[2.0]);
        assert_eq!(shares.add(&Linear, &[10.0]), [0.5, 0.5]); // although 1·10 > 1·2
    }
}
