//! How far the rounding of columns to f32 carries into the Schur complements.

use super::basis::Basis;
use crate::simd::Element;

/// What the triangle F makes of errors in the columns: F⁻¹, of the pivots.
///
/// # Formula
///
/// ```text
/// ‖ĉⱼ − cⱼ‖ ≤ ‖F⁻¹D‖ · 2⁻²⁴ ‖cⱼ‖,  D the diagonal of F
/// ```
///
/// A column is computed from those before it as they are kept, F ĉⱼ = F cⱼ + D (εₚ cⱼₚ)ₚ with |εₚ| ≤ 2⁻²⁴: what is
/// rounded is solved for with F. Of the norm we take Frobenius', which is never too small.
#[derive(Debug, Default)]
pub(super) struct Amplified {
    /// The rows of F⁻¹ up to their diagonals; empty for prototypes that are no pivots.
    inverse: Vec<Vec<f64>>,
    /// ‖F⁻¹D‖², by Frobenius.
    squared: f64,
}

impl Amplified {
    /// Takes in the prototypes that came since the last time.
    pub(super) fn follow(&mut self, basis: &Basis) {
        for position in self.inverse.len()..basis.len() {
            let (entries, is_pivot) = basis.row(position);
            let mut inverse = vec![0.0; if is_pivot { position + 1 } else { 0 }];
            if let Some((own, others)) = inverse.split_last_mut() {
                let last = entries[position];
                for (entry, row) in entries.iter().zip(&self.inverse) {
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

    /// How far off a Schur complement may be for the rounding of the columns, as a part of the diagonal.
    ///
    /// It is Kⱼⱼ − ‖cⱼ‖², and ‖cⱼ‖² ≤ Kⱼⱼ.
    pub(super) fn schur_error(&self) -> f64 {
        // Twice the rounding, to be on the safe side of what f64 adds; the last column is squared before it is rounded.
        let error = 2.0 * <f32 as Element>::ROUNDOFF * (self.squared.sqrt() + 1.0);
        error * (2.0 + error)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Candidates, Leader};
    use super::*;
    use crate::kernel::{Gaussian, Kernel};
    use crate::kernel_mean::Precision;
    use crate::observe::Unobserved;
    use crate::problem::Stop;
    use crate::rows::Rows;
    use crate::weights::Constraint;

    const N_ROWS: usize = 80;

    /// The Schur complements with columns kept so, and by how much they may be off.
    fn schur_complements(values: &[f64], kernel: &Gaussian, column_precision: Precision) -> (Vec<f64>, f64) {
        let rows = Rows::new(values, 2);
        let mean = |x: &[f64]| rows.iter().map(|y| kernel.evaluate(x, y)).sum::<f64>() / N_ROWS as f64;
        let kernel_mean: Vec<f64> = rows.iter().map(mean).collect();
        let candidates = Candidates {
            kernel,
            rows,
            kernel_mean: &kernel_mean,
            shift: 0.0,
            constraint: Constraint::Nonnegative,
            rows_per_shard: N_ROWS,
            column_memory: 1 << 20,
            column_precision,
            rough: None,
        };
        let mut leader = Leader::new(candidates).unwrap();
        let mut next = (0..N_ROWS).step_by(3);
        let each = |leader: &mut Leader<'_, f64, Gaussian>, _: &mut dyn crate::observe::Observer| {
            Ok(next.by_ref().find_map(|row| leader.try_row(row)))
        };
        leader.run(Stop::at(16), each, &mut Unobserved).unwrap();
        leader.amplified.follow(&leader.basis);
        (leader.shards[0].schur.clone(), leader.amplified.schur_error() + leader.basis.rounding())
    }

    /// From rows that are far apart to rows of which each is nearly a combination of the others.
    #[test]
    fn schur_complements_from_columns_in_f32_are_as_far_off_as_is_said() {
        let values: Vec<f64> = (0..2 * N_ROWS).map(|i| (i as f64 * 1.7).sin() * 3.0 + (i % 7) as f64).collect();
        let mut largest_error: f64 = 0.0;
        for width in [0.3, 1.0, 2.0, 4.0] {
            let kernel = Gaussian::new(width).unwrap();
            let (exact, _) = schur_complements(&values, &kernel, Precision::Double);
            let (rough, allowed) = schur_complements(&values, &kernel, Precision::Single);
            for (exact, rough) in exact.iter().zip(rough) {
                assert!((exact - rough).abs() <= allowed, "width {width}: {exact} {rough}, allowed {allowed:e}");
                largest_error = largest_error.max((exact - rough).abs() / allowed);
            }
        }
        // It is a bound and no more than that, but not out of all proportion.
        assert!(largest_error > 1e-3, "{largest_error:e} of what is allowed");
    }

    #[test]
    fn the_inverse_of_a_triangle_worked_by_hand() {
        // F = [[1, 0], [0.6, 0.8]], F⁻¹ = [[1, 0], [−0.75, 1.25]], F⁻¹D = [[1, 0], [−0.75, 1]].
        let mut basis = Basis::default();
        basis.push(&[], 1.0);
        let mut amplified = Amplified::default();
        amplified.follow(&basis);
        basis.push(&[0.6], 1.0);
        amplified.follow(&basis);
        assert!((amplified.inverse[1][0] + 0.75).abs() < 1e-15 && (amplified.inverse[1][1] - 1.25).abs() < 1e-15);
        assert!((amplified.squared - 2.5625).abs() < 1e-14);
        // A prototype in the span adds nothing.
        basis.push(&[0.6, 1.0], 1.0);
        amplified.follow(&basis);
        assert!((amplified.squared - 2.5625).abs() < 1e-14 && amplified.inverse[2].is_empty());
    }
}
