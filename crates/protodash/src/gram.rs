//! The Gram matrix of the prototypes, which grows and shrinks by one row at a time.

use ndarray::ArrayView2;

use crate::factor::add_multiple;
use crate::rows::product;
use crate::simd::widened;
use crate::sparse_row::{NEGLIGIBLE, SparseRow};

/// A symmetric matrix, stored as the rows of its lower triangle.
#[derive(Debug, Clone, Default)]
pub(crate) struct Gram {
    rows: Vec<GramRow>,
}

/// A row up to the diagonal.
#[derive(Debug, Clone)]
struct GramRow {
    all: Vec<f64>,
    /// Those that are not negligible, if they are few.
    some: Option<SparseRow>,
}

impl GramRow {
    /// The product with the vector.
    #[inline(always)]
    fn times(&self, vector: &[f64]) -> f64 {
        match &self.some {
            Some(some) => some.product(vector),
            None => product(&self.all, vector),
        }
    }

    /// Adds a multiple of the first entries to the sums, of which there are fewer.
    #[inline(always)]
    fn add_to(&self, sums: &mut [f64], factor: f64) {
        match &self.some {
            Some(some) => some.add_multiple(sums, factor),
            None => add_multiple(sums, factor, &self.all),
        }
    }
}

impl Gram {
    pub(crate) fn from_view(matrix: ArrayView2<'_, f64>) -> Self {
        let mut gram = Gram::default();
        for (index, row) in matrix.rows().into_iter().enumerate() {
            let row: Vec<f64> = row.iter().take(index + 1).copied().collect();
            gram.push(&row[..index], row[index]);
        }
        gram
    }

    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    #[inline]
    pub(crate) fn get(&self, i: usize, j: usize) -> f64 {
        if i >= j { self.rows[i].all[j] } else { self.rows[j].all[i] }
    }

    /// Adds a member with these similarities to the others and to itself.
    pub(crate) fn push(&mut self, similarities: &[f64], diagonal: f64) {
        debug_assert_eq!(similarities.len(), self.len());
        let mut row = Vec::with_capacity(similarities.len() + 1);
        row.extend_from_slice(similarities);
        row.push(diagonal);
        let some = self.counting_entries(&row);
        self.rows.push(GramRow { all: row, some });
    }

    /// Removes the last member.
    pub(crate) fn pop(&mut self) {
        self.rows.pop();
    }

    /// Removes member `index`.
    pub(crate) fn remove(&mut self, index: usize) {
        self.rows.remove(index);
        for at in index..self.rows.len() {
            self.rows[at].all.remove(index);
            if self.rows[at].some.is_some() {
                self.rows[at].some = self.counting_entries(&self.rows[at].all);
            }
        }
    }

    /// The entries of a row that are not negligible next to the diagonals, if they are few.
    fn counting_entries(&self, row: &[f64]) -> Option<SparseRow> {
        let (own, last) = (row.last().copied().unwrap_or(0.0), row.len() - 1);
        let diagonal = |member: usize| if member == last { own } else { self.get(member, member) };
        let length = |diagonal: f64| diagonal.max(0.0).sqrt();
        // |Kᵢⱼ| ≤ √(Kᵢᵢ Kⱼⱼ)
        SparseRow::of(row, |member, entry| entry.abs() <= NEGLIGIBLE * length(own) * length(diagonal(member)))
    }

    /// K w.
    pub(crate) fn times(&self, weights: &[f64]) -> Vec<f64> {
        let mut result = vec![0.0; self.len()];
        widened(
            #[inline(always)]
            || {
                for (i, row) in self.rows.iter().enumerate() {
                    result[i] += row.times(&weights[..=i]);
                    row.add_to(&mut result[..i], weights[i]);
                }
            },
        );
        result
    }

    /// (K w) at a member, if no later member has a weight.
    pub(crate) fn times_at(&self, member: usize, weights: &[f64]) -> f64 {
        self.rows[member].times(&weights[..=member])
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
                    result[i] += row.times(&weights[..=i]);
                    row.add_to(&mut result[..i], weights[i]);
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
    fn a_matrix_of_strangers_has_the_products_of_its_entries() {
        // Each member resembles the one 7 before it, and all others by less than any digit.
        let n_members = 150;
        let similarity = |i: usize, j: usize| match i - j {
            0 => 1.0,
            7 => 0.25,
            _ => 1e-40,
        };
        let mut gram = Gram::default();
        for i in 0..n_members {
            let similarities: Vec<f64> = (0..i).map(|j| similarity(i, j)).collect();
            gram.push(&similarities, 1.0);
        }
        assert!(gram.rows[100].some.is_some());
        let weights: Vec<f64> = (0..n_members).map(|i| 1.0 + i as f64).collect();
        let all: Vec<usize> = (0..n_members).collect();
        for (i, (product, among)) in gram.times(&weights).into_iter().zip(gram.times_among(&all, &weights)).enumerate()
        {
            let before = if i >= 7 { 0.25 * weights[i - 7] } else { 0.0 };
            let after = if i + 7 < n_members { 0.25 * weights[i + 7] } else { 0.0 };
            assert_eq!((product, among), (weights[i] + before + after, product));
        }
        gram.remove(93);
        assert_eq!(gram.times_at(99, &weights), weights[99]); // 100 without 93
        assert_eq!(gram.get(99, 92), 1e-40);
    }

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
