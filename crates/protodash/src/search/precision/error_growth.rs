//! How rounding the columns to f32 propagates to the Schur complements.

use crate::search::basis::PrototypeBasis;
use crate::simd::Element;

/// F⁻¹ over the pivots, which turns errors of kernel columns into errors of columns of C.
///
/// # Formula
///
/// ```text
/// ‖ĉⱼ − cⱼ‖ ≤ ‖F⁻¹D‖ · 2⁻²⁴ ‖cⱼ‖,  D the diagonal of F
/// ```
///
/// A column is computed from the earlier ones as stored, so F ĉⱼ = F cⱼ + D (εₚ cⱼₚ)ₚ with |εₚ| ≤ 2⁻²⁴. The Frobenius
/// norm is an upper bound on the norm.
#[derive(Debug, Default)]
pub(super) struct ErrorGrowth {
    /// The rows of F⁻¹ up to their diagonals; empty for dependent prototypes.
    inverse: Vec<Vec<f64>>,
    /// ‖F⁻¹D‖² in the Frobenius norm.
    squared: f64,
}

impl ErrorGrowth {
    /// Adds the prototypes since the last call.
    pub(super) fn update(&mut self, basis: &PrototypeBasis) {
        for position in self.inverse.len()..basis.len() {
            let (entries, is_pivot) = basis.row(position);
            let mut inverse = vec![0.0; if is_pivot { position + 1 } else { 0 }];
            if let Some((own, others)) = inverse.split_last_mut() {
                let last = entries[position];
                for (entry, row) in entries.iter().zip(&self.inverse).filter(|(entry, _)| **entry != 0.0) {
                    others.iter_mut().zip(row).for_each(|(sum, value)| *sum -= entry * value);
                }
                others.iter_mut().for_each(|value| *value /= last);
                *own = 1.0 / last;
            }
            let diagonal = (0..=position).map(|column| basis.row(column).0[column]);
            self.squared +=
                inverse.iter().zip(diagonal).map(|(value, diagonal)| (value * diagonal).powi(2)).sum::<f64>();
            self.inverse.push(inverse);
        }
    }

    /// Error bound of Schur complements from rounding the columns, as a fraction of the diagonal.
    ///
    /// A Schur complement is Kⱼⱼ − ‖cⱼ‖², and ‖cⱼ‖² ≤ Kⱼⱼ.
    pub(super) fn schur_error(&self) -> f64 {
        // Twice the roundoff, as a margin for rounding in f64; the last column is squared before it is rounded.
        let error = 2.0 * <f32 as Element>::ROUNDOFF * (self.squared.sqrt() + 1.0);
        error * (2.0 + error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::{Gaussian, Kernel};
    use crate::kernel_mean::Precision;
    use crate::observe::Unobserved;
    use crate::rows::Rows;
    use crate::search::local::{LocalShard, ShardData};
    use crate::search::protocol::{Admission, ColumnStorage, FactorRow, Shard, ShardOrder};

    const N_ROWS: usize = 80;

    /// The Schur complements after every third row was admitted, with columns in this precision, and their error bound.
    fn schur_complements(values: &[f64], kernel: &Gaussian, precision: Precision) -> (Vec<f64>, f64) {
        let rows = Rows::new(values, 2);
        let mut shard = LocalShard::new(ShardData {
            kernel,
            rows,
            first: 0,
            kernel_mean: &[0.5; N_ROWS],
            approximate: None,
            is_candidate: vec![true; N_ROWS],
            constraints: None,
            rows_per_block: N_ROWS,
        });
        let columns = ColumnStorage::In(precision);
        shard.tell(0, &ShardOrder::Open { shift: 0.0, columns, keeps_schur: true }, &mut Unobserved).unwrap();
        let (mut basis, mut growth) = (PrototypeBasis::default(), ErrorGrowth::default());
        let members: Vec<usize> = (0..N_ROWS).step_by(3).take(16).collect();
        for (position, &source_index) in members.iter().enumerate() {
            let row = rows.row(source_index);
            let earlier = members[..position].iter();
            let similarities: Vec<f64> = earlier.map(|other| kernel.evaluate(row, rows.row(*other))).collect();
            basis.push(&similarities, 1.0);
            let (entries, is_pivot) = basis.row(position);
            let admission = Admission {
                source_index,
                row: row.to_vec(),
                corrections: Vec::new(),
                factor_row: FactorRow { entries: entries.to_vec(), is_pivot },
                coordinates: vec![0.0; position + 1],
                n_columns_to_come: 16 - position,
                schur_tolerance: 1.0,
                then: Vec::new(),
            };
            shard.tell(position as u64 + 1, &ShardOrder::Admit(admission), &mut Unobserved).unwrap();
        }
        growth.update(&basis);
        (shard.blocks[0].schur.clone(), growth.schur_error() + basis.rounding())
    }

    /// From rows that are far apart to rows that are nearly linearly dependent.
    #[test]
    fn schur_complements_from_columns_in_f32_stay_within_the_bound() {
        let values: Vec<f64> = (0..2 * N_ROWS).map(|i| (i as f64 * 1.7).sin() * 3.0 + (i % 7) as f64).collect();
        let mut largest_error: f64 = 0.0;
        for width in [0.3, 1.0, 2.0, 4.0] {
            let kernel = Gaussian::new(width).unwrap();
            let (exact, _) = schur_complements(&values, &kernel, Precision::Double);
            let (approximate, allowed) = schur_complements(&values, &kernel, Precision::Single);
            for (exact, approximate) in exact.iter().zip(approximate) {
                assert!(
                    (exact - approximate).abs() <= allowed,
                    "width {width}: {exact} {approximate}, allowed {allowed:e}"
                );
                largest_error = largest_error.max((exact - approximate).abs() / allowed);
            }
        }
        // The bound is not tight, but not useless either.
        assert!(largest_error > 1e-3, "{largest_error:e} of the bound");
    }

    #[test]
    fn the_inverse_of_a_triangle_computed_by_hand() {
        // F = [[1, 0], [0.6, 0.8]], F⁻¹ = [[1, 0], [−0.75, 1.25]], F⁻¹D = [[1, 0], [−0.75, 1]].
        let mut basis = PrototypeBasis::default();
        basis.push(&[], 1.0);
        let mut growth = ErrorGrowth::default();
        growth.update(&basis);
        basis.push(&[0.6], 1.0);
        growth.update(&basis);
        assert!((growth.inverse[1][0] + 0.75).abs() < 1e-15 && (growth.inverse[1][1] - 1.25).abs() < 1e-15);
        assert!((growth.squared - 2.5625).abs() < 1e-14);
        // A dependent prototype adds nothing.
        basis.push(&[0.6, 1.0], 1.0);
        growth.update(&basis);
        assert!((growth.squared - 2.5625).abs() < 1e-14 && growth.inverse[2].is_empty());
    }
}
