//! How many features to keep: each makes residuals smaller and every pair more expensive.

use super::cost::{CURVE, POWERS};
use super::landmarks::FEATURE_STEP;
use crate::kernel::Kernel;
use crate::rows::{Rows, Scalar, product};

/// Fewer features are preferred if their cost is at most this many times the smallest: its estimate is approximate.
const NEARLY: f64 = 1.05;

/// The number of features for which a race is expected to be cheapest, by rows that are no landmarks.
///
/// # Formula
///
/// ```text
/// cost(r) ∝ (d + c + r) V,    V = mean k⊥(x, y)² over x ≠ y
/// ```
///
/// where k⊥ is what the first r features leave: the draws that it takes to tell two close rows apart are in proportion to V, and
/// each of them costs the d columns, the curve and the powers, and the features.
pub(super) fn cheapest_rank<T: Scalar>(kernel: &dyn Kernel<T>, rows: Rows<'_, T>, features: &[Vec<f64>]) -> usize {
    let n_features = features.first().map_or(0, Vec::len);
    let ranks: Vec<usize> = (0..n_features).step_by(FEATURE_STEP).chain([n_features]).collect();
    let mut squares = vec![0.0; ranks.len()];
    for (i, x) in features.iter().enumerate() {
        for (j, y) in features[..i].iter().enumerate() {
            let mut residual = kernel.evaluate(rows.row(i), rows.row(j));
            let mut from = 0;
            for (rank, squares) in ranks.iter().zip(&mut squares) {
                residual -= product(&x[from..*rank], &y[from..*rank]);
                from = *rank;
                *squares += residual * residual;
            }
        }
    }
    let per_draw = |rank: usize| rows.n_columns() as f64 + CURVE + POWERS + rank as f64;
    let costs = ranks.iter().zip(&squares).map(|(rank, squares)| per_draw(*rank) * squares);
    let costs: Vec<f64> = costs.collect();
    let smallest = costs.iter().copied().fold(f64::INFINITY, f64::min);
    let best = costs.iter().position(|cost| *cost <= NEARLY * smallest);
    best.map_or(n_features, |best| ranks[best])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::Linear;

    #[test]
    fn features_that_explain_nothing_are_dropped() {
        // Rows on 24 axes: half of the features are coordinates, the others 0.
        let values: Vec<f64> = (0..96 * 24).map(|at| f64::from(u8::from(at % 24 == at / 24 % 24))).collect();
        let rows = Rows::new(&values, 24);
        let zeros = [0.0; 24];
        let features: Vec<Vec<f64>> = rows.iter().map(|row| [row, &zeros].concat()).collect();
        assert_eq!(cheapest_rank(&Linear, rows, &features), 24);
        let nothing = vec![vec![0.0; 48]; 96];
        assert_eq!(cheapest_rank(&Linear, rows, &nothing), 0);
    }
}
