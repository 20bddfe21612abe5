//! The diagonal of the kernel: the similarity of each row to itself.

use crate::kernel::{Kernel, has_unit_diagonal};
use crate::rows::{Rows, Scalar};

/// Kⱼⱼ for the rows of a block.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::search) enum Diagonal {
    /// One value for all rows: kernels of a distance.
    Constant(f64),
    Each(Vec<f64>),
}

impl Diagonal {
    /// k(y, y) + shift for each row.
    pub(super) fn of<T: Scalar>(kernel: &dyn Kernel<T>, shift: f64, rows: Rows<'_, T>) -> Self {
        if has_unit_diagonal(kernel) {
            return Diagonal::Constant(1.0 + shift);
        }
        Diagonal::Each(rows.iter().map(|row| kernel.evaluate(row, row) + shift).collect())
    }

    /// The largest of them.
    pub(in crate::search) fn largest(&self) -> f64 {
        match self {
            Diagonal::Constant(value) => *value,
            Diagonal::Each(values) => values.iter().copied().fold(0.0, f64::max),
        }
    }

    #[inline]
    pub(in crate::search) fn get(&self, row: usize) -> f64 {
        match self {
            Diagonal::Constant(value) => *value,
            Diagonal::Each(values) => values[row],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::{
        Cosine, Gaussian, Hamming, InverseMultiquadric, Laplacian, Linear, Matern32, Matern52, Polynomial,
    };

    #[test]
    fn the_diagonal_equals_the_kernel_evaluated_at_equal_rows() {
        let values = [0.3, -1.5, 1e9, 2.0, 0.0, 0.0];
        let rows = Rows::new(&values, 2);
        let kernels: [Box<dyn Kernel<f64> + Send>; 9] = [
            Box::new(Gaussian::new(0.3).unwrap()),
            Box::new(Laplacian::new(0.3).unwrap()),
            Box::new(Matern32::new(0.3).unwrap()),
            Box::new(Matern52::new(0.3).unwrap()),
            Box::new(InverseMultiquadric::new(0.3).unwrap()),
            Box::new(Hamming),
            Box::new(Linear),
            Box::new(Cosine),
            Box::new(Polynomial::new(2, 0.5, 1.0).unwrap()),
        ];
        for kernel in kernels {
            let diagonal = Diagonal::of(&kernel, 0.5, rows);
            for (index, row) in rows.iter().enumerate() {
                assert_eq!(diagonal.get(index), kernel.evaluate(row, row) + 0.5, "{:?}", kernel.built_in());
            }
        }
    }
}
