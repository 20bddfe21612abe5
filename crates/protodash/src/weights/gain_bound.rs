//! An upper bound on the gain of one more member, without solving for the weights with it.

use super::active_set::{ActiveSet, Constraint, ROUNDING, Settled};
use crate::factor::schur;
use crate::gram::Gram;

/// One more member, not yet in the Gram matrix.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NewMember<'a> {
    pub(crate) kernel_mean: f64,
    pub(crate) diagonal: f64,
    /// Kernel values with the members, in their order.
    pub(crate) similarities: &'a [f64],
}

impl ActiveSet {
    /// An upper bound on the gain of the new member; `None` if only solving for the weights can tell.
    ///
    /// # Formula
    ///
    /// Let the weights of the support A take any sign, which can only raise the maximum. For a weight x of the new member
    /// the optimal others are w_A − x d with K_AA d = K_Aj, and
    ///
    /// ```text
    /// l = l(w) + x gⱼ − ½ x² s        s = Kⱼⱼ − K_jA d,  gⱼ = μⱼ − (K w)ⱼ
    /// ```
    ///
    /// with the maximum gⱼ²/(2s) at x = gⱼ/s, if the slope of no member held at 0 becomes positive on the way. Checking
    /// the slopes at the end suffices, since they are linear in x and none is positive at the start.
    ///
    /// Under Σw = 1 also Σd = 1, read gⱼ − λ for gⱼ, and λ itself moves by x α where K_AA d = K_Aj + α.
    ///
    /// Costs one solve, while solving for the weights takes several and copies of the factor.
    pub(crate) fn gain_bound(&self, gram: &Gram, kernel_mean: &[f64], new: NewMember<'_>) -> Option<f64> {
        let Settled { products, multiplier } = self.settled.as_ref().filter(|_| !self.support.is_empty())?;
        let NewMember { diagonal, similarities, .. } = new;
        let mut direction = self.factor.reduce(&self.at_support(similarities));
        let mut curvature = schur(&direction, diagonal);
        self.factor.solve_upper(&mut direction);
        let mut drift = 0.0;
        if self.constraint == Constraint::Convex {
            let ones = self.ones(gram);
            let (total, of_ones): (f64, f64) = (direction.iter().sum(), ones.iter().sum());
            drift = (1.0 - total) / of_ones;
            direction.iter_mut().zip(&ones).for_each(|(value, one)| *value += drift * one);
            curvature += drift * drift * of_ones;
        }
        let surely = curvature - self.rounding(gram) * diagonal;
        if surely <= 0.0 {
            return None;
        }
        let slope = self.largest_slope(new, *multiplier);
        let weight = slope / surely;
        let mut is_held = vec![true; gram.len()];
        self.support.iter().for_each(|member| is_held[*member] = false);
        let rises = |member: usize| {
            let along: f64 = self.support.iter().zip(&direction).map(|(other, d)| gram.get(member, *other) * d).sum();
            let slope = kernel_mean[member] - multiplier - products[member];
            slope > weight * (similarities[member] - along + drift)
        };
        let stays = (0..gram.len()).filter(|member| is_held[*member]).all(|member| !rises(member));
        stays.then_some(0.5 * slope * weight)
    }

    /// An upper bound on the new member's slope, allowing for rounding.
    fn largest_slope(&self, new: NewMember<'_>, multiplier: f64) -> f64 {
        let NewMember { kernel_mean, similarities, .. } = new;
        let terms = similarities.iter().zip(&self.weights).map(|(similarity, weight)| similarity * weight);
        let (sum, size) = terms.fold((0.0, 0.0), |(sum, size), term: f64| (sum + term, size + term.abs()));
        let rounding = ROUNDING * (kernel_mean.abs() + multiplier.abs() + size);
        (kernel_mean - multiplier - sum + rounding).max(0.0)
    }

    /// Error bound of Schur complements against the support, as a fraction of the diagonal.
    ///
    /// Each entry of the factor is divided by the root of a member's Schur complement and has its relative error.
    fn rounding(&self, gram: &Gram) -> f64 {
        let part = |(place, member): (usize, &usize)| {
            let last = self.factor.row(place)[place];
            last * last / gram.get(*member, *member)
        };
        1e-14 / self.support.iter().enumerate().map(part).fold(1.0, f64::min)
    }

    fn at_support(&self, values: &[f64]) -> Vec<f64> {
        self.support.iter().map(|member| values[*member]).collect()
    }
}

#[cfg(test)]
mod tests {
    use ndarray::{Array1, Array2, array};
    use proptest::prelude::*;

    use super::*;

    /// The bound on the gain of the last member over the others, and its gain.
    fn bound_and_gain(gram: &Array2<f64>, kernel_mean: &[f64], constraint: Constraint) -> (Option<f64>, f64) {
        let last = kernel_mean.len() - 1;
        let mut members = Gram::from_view(gram.view());
        members.pop();
        let mut solver = ActiveSet::new(constraint);
        let before = solver.maximise(&members, &kernel_mean[..last]).objective;
        let similarities = gram.row(last).to_vec();
        let new = NewMember {
            kernel_mean: kernel_mean[last],
            diagonal: similarities[last],
            similarities: &similarities[..last],
        };
        let bound = solver.gain_bound(&members, &kernel_mean[..last], new);
        let after = solver.maximise(&Gram::from_view(gram.view()), kernel_mean).objective;
        (bound, after - before)
    }

    #[test]
    fn the_bound_is_exact_if_no_member_leaves() {
        // w = 0.5, g = 0.4 − 0.5·0.5 = 0.15, s = 1 − 0.25: 0.15²/1.5.
        let gram = array![[1.0, 0.5], [0.5, 1.0]];
        let (bound, gain) = bound_and_gain(&gram, &[0.5, 0.4], Constraint::Nonnegative);
        assert!((bound.unwrap() - 0.015).abs() < 1e-12 && (gain - 0.015).abs() < 1e-12, "{bound:?} {gain}");
    }

    #[test]
    fn there_is_no_bound_if_a_member_held_at_zero_would_enter() {
        // The second is held at 0 by the first, which the third replaces.
        let gram = array![[1.0, 0.9, 0.9], [0.9, 1.0, 0.6], [0.9, 0.6, 1.0]];
        let (bound, gain) = bound_and_gain(&gram, &[1.0, 0.88, 1.0], Constraint::Nonnegative);
        assert_eq!(bound, None);
        assert!(gain > 0.0);
    }

    #[test]
    fn there_is_no_bound_without_members() {
        let new = NewMember { kernel_mean: 1.0, diagonal: 1.0, similarities: &[] };
        let mut solver = ActiveSet::new(Constraint::Nonnegative);
        assert_eq!(solver.gain_bound(&Gram::default(), &[], new), None);
        solver.maximise(&Gram::default(), &[]);
        assert_eq!(solver.gain_bound(&Gram::default(), &[], new), None);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(3000))]

        /// With few columns rows are nearly dependent, and many members are held at 0.
        #[test]
        fn no_gain_exceeds_its_bound(
            convex: bool,
            n_columns in 1_usize..6,
            width in prop::sample::select(vec![0.1, 1.0, 10.0]),
            values in prop::collection::vec(-1.0..1.0_f64, 60),
            means in prop::collection::vec(0.0..1.0_f64, 10),
        ) {
            let rows = Array2::from_shape_vec((10, n_columns), values[..10 * n_columns].to_vec()).unwrap();
            let gram = Array2::from_shape_fn((10, 10), |(i, j)| {
                let apart = &rows.row(i) - &rows.row(j);
                (-apart.dot(&apart) / (2.0 * width * width)).exp()
            });
            // Means of rows of the set itself, so that weights can nearly reach them.
            let kernel_mean: Vec<f64> = (gram.dot(&Array1::from(means)) / 10.0).to_vec();
            let constraint = if convex { Constraint::Convex } else { Constraint::Nonnegative };
            let (bound, gain) = bound_and_gain(&gram, &kernel_mean, constraint);
            if let Some(bound) = bound {
                prop_assert!(gain <= bound * (1.0 + 1e-9) + 1e-14, "{gain:e} exceeds the bound {bound:e}");
            }
        }
    }
}
