//! The Gram matrix of the prototypes, which grows and shrinks by one row at a time.

use ndarray::ArrayView2;

use crate::factor::add_multiple;
use crate::rows::product;
use crate::simd::widened;

/// A symmetric matrix, stored as the rows of its lower triangle.
#[derive(Debug, Clone, Default)]
pub(crate) struct Gram {
    rows: Vec<Vec<f64>>,
}

impl Gram {
    pub(crate) fn from_view(matrix: ArrayView2<'_, f64>) -> Self {
        let rows = matrix.rows().into_iter().enumerate();
        Gram { rows: rows.map(|(index, row)| row.iter().take(index + 1).copied().collect()).collect() }
    }

    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    #[inline]
    pub(crate) fn get(&self, i: usize, j: usize) -> f64 {
        if i >= j { self.rows[i][j] } else { self.rows[j][i] }
    }

    /// Adds a member with these similarities to the others and to itself.
    pub(crate) fn push(&mut self, similarities: &[f64], diagonal: f64) {
        debug_assert_eq!(similarities.len(), self.len());
        let mut row = Vec::with_capacity(similarities.len() + 1);
        row.extend_from_slice(similarities);
        row.push(diagonal);
        self.rows.push(row);
    }

    /// Removes the last member.
    pub(crate) fn pop(&mut self) {
        self.rows.pop();
    }

    /// Removes member `index`.
    pub(crate) fn remove(&mut self, index: usize) {
        self.rows.remove(index);
        for row in &mut self.rows[index..] {
            row.remove(index);
        }
    }

    /// K w.
    pub(crate) fn times(&self, weights: &[f64]) -> Vec<f64> {
        let mut result = vec![0.0; self.len()];
        widened(
            #[inline(always)]
            || {
                for (i, row) in self.rows.iter().enumerate() {
                    result[i] += product(row, &weights[..=i]);
                    add_multiple(&mut result, weights[i], &row[..i]);
                }
            },
        );
        result
    }

    /// (K w) at a member, if no later member has a weight.
    pub(crate) fn times_at(&self, member: usize, weights: &[f64]) -> f64 {
        product(&self.rows[member], &weights[..=member])
    }

    /// (K w) at some members, with w = 0 at all others.
    pub(crate) fn times_among(&self, members: &[usize], values: &[f64]) -> Vec<f64> {
        let mut weights = vec![0.0; self.len()];
        members.iter().zip(values).for_each(|(member, value)| weights[*member] = *value);
        let mut result = vec![0.0; self.len()];
        widened(
            #[inline(always)]
            || {
                for &i in members {
                    let row = &self.rows[i];
                    result[i] += product(row, &weights[..=i]);
                    add_multiple(&mut result, weights[i], &row[..i]);
                }
            },
        );
        members.iter().map(|member| result[*member]).collect()
    }

    /// l(w) = μᵀw − ½ wᵀKw.
    pub(crate) fn objective(&self, kernel_mean: &[f64], weights: &[f64]) -> f64 {
        objective(kernel_mean, weights, &self.times(weights))
    }
}

/// l(w), given K w.
pub(crate) fn objective(kernel_mean: &[f64], weights: &[f64], products: &[f64]) -> f64 {
    weights.iter().zip(kernel_mean).zip(products).map(|((w, mean), product)| w * (mean - 0.5 * product)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;

    #[test]
    fn products_use_both_triangles() {
        let mut gram = Gram::from_view(array![[2.0, 1.0], [1.0, 3.0]].view());
        gram.push(&[0.5, 0.0], 4.0);
        assert_eq!(gram.times(&[1.0, 2.0, 4.0]), [6.0, 7.0, 16.5]);
        assert_eq!(gram.times_among(&[2, 0], &[4.0, 1.0]), [16.5, 4.0]); // as with 0 in between
        assert_eq!(gram.times_at(2, &[1.0, 2.0, 0.0]), 0.5);
        gram.remove(1);
        assert_eq!(gram.times(&[1.0, 4.0]), [4.0, 16.5]);
        // l = (1·1 + 4·1) − ½(1·4 + 4·16.5) = 5 − 35
        assert_eq!(gram.objective(&[1.0, 1.0], &[1.0, 4.0]), -30.0);
    }
}
