//! What given prototypes achieve on given data: their objective, whether it is the one that was saved, and the share explained.

use ndarray::{Array2, ArrayRef2, ArrayView1};

use crate::energy::target_energy;
use crate::error::{Error, Result, Role};
use crate::kernel::Kernel;
use crate::kernel_mean::{Precision, Target, finite_means, mean_over_target};
use crate::objective::objective;
use crate::observe::{Observer, Stage};
use crate::params::{TargetEnergy, check_row_weights};
use crate::prepared::normalised;
use crate::representation::prototype_rows;
use crate::rows::{CheckedPair, Rows, Scalar};
use crate::selection::Prototype;

/// The largest relative difference that rounding can cause.
const TOLERANCE: f64 = 1e-6;
/// The largest difference that rounding can cause, as a fraction of the terms of the objective, which may cancel.
const TERMS: f64 = 1e-13;

/// Checks that prototypes with their weights have the objective `saved` on these data.
///
/// # Errors
///
/// [`Error::OtherObjective`] if they have a different one, which means that the prototypes belong to other data, and
/// those of [`objective_of`].
///
/// # Examples
///
/// ```
/// use ndarray::array;
/// use protodash::{Error, Gaussian, Params, Unobserved, select, verify};
///
/// let rows = array![[0.0], [0.1], [4.0]];
/// let kernel = Gaussian::new(1.0)?;
/// let selection = select(&rows, &rows, &kernel, &Params::new(2))?;
/// let saved = (selection.prototypes.as_slice(), selection.objective_final());
/// verify(&rows, &rows, saved, &kernel, None, &mut Unobserved)?;
/// let changed = array![[0.0], [0.1], [4.5]];
/// let refused = verify(&changed, &changed, saved, &kernel, None, &mut Unobserved);
/// assert!(matches!(refused, Err(Error::OtherObjective { .. })));
/// # Ok::<(), Error>(())
/// ```
pub fn verify<T: Scalar>(
    target: &ArrayRef2<T>,
    source: &ArrayRef2<T>,
    (prototypes, saved): (&[Prototype], f64),
    kernel: &dyn Kernel<T>,
    target_weights: Option<&[f64]>,
    observer: &mut dyn Observer,
) -> Result<()> {
    let (found, terms) = objective_and_terms(target, source, prototypes, kernel, target_weights, observer)?;
    if (found - saved).abs() <= TOLERANCE * saved.abs().max(f64::MIN_POSITIVE) + TERMS * terms {
        return Ok(());
    }
    Err(Error::OtherObjective { saved, found })
}

/// The objective of prototypes with their weights, computed from the data alone.
///
/// # Formula
///
/// ```text
/// l(w) = μᵀw − ½ wᵀKw
/// ```
///
/// as in [`objective`](crate::objective::objective). Costs one kernel value for each target row and prototype, and m²/2
/// for the Gram matrix of m prototypes.
///
/// # Errors
///
/// If a matrix is empty or not finite, if their columns differ in number, if a prototype is not a row of the source, if
/// a target weight or a kernel value is invalid, or [`Error::Cancelled`] when the observer stops it.
///
/// # Examples
///
/// ```
/// use ndarray::array;
/// use protodash::{Gaussian, Params, Unobserved, objective_of, select};
///
/// let rows = array![[0.0], [0.1], [4.0]];
/// let kernel = Gaussian::new(1.0)?;
/// let selection = select(&rows, &rows, &kernel, &Params::new(2))?;
/// let found = objective_of(&rows, &rows, &selection.prototypes, &kernel, None, &mut Unobserved)?;
/// assert!((found - selection.objective_final()).abs() < 1e-12);
/// # Ok::<(), protodash::Error>(())
/// ```
pub fn objective_of<T: Scalar>(
    target: &ArrayRef2<T>,
    source: &ArrayRef2<T>,
    prototypes: &[Prototype],
    kernel: &dyn Kernel<T>,
    target_weights: Option<&[f64]>,
    observer: &mut dyn Observer,
) -> Result<f64> {
    objective_and_terms(target, source, prototypes, kernel, target_weights, observer).map(|(objective, _)| objective)
}

/// The share of a target that prototypes with their weights explain; `None` if the target's energy is 0.
///
/// The target need not be the one that they were chosen for: held-out rows tell how well prototypes generalise.
///
/// # Formula
///
/// ```text
/// explained = 2 l(w) / ‖μ‖²
/// ```
///
/// Costs n₁² kernel values for ‖μ‖² of n₁ target rows, besides those of [`objective_of`].
///
/// # Errors
///
/// As for [`objective_of`].
///
/// # Examples
///
/// ```
/// use ndarray::array;
/// use protodash::{Gaussian, Params, Unobserved, explained_of, select};
///
/// let rows = array![[0.0], [0.1], [4.0]];
/// let kernel = Gaussian::new(1.0)?;
/// let selection = select(&rows, &rows, &kernel, &Params::new(2))?;
/// let explained = |target| explained_of(target, &rows, &selection.prototypes, &kernel, None, &mut Unobserved);
/// assert!((explained(&rows)?.unwrap() - selection.explained().unwrap()).abs() < 1e-12);
/// assert!(explained(&array![[9.0], [9.1]])?.unwrap() < 0.1); // rows that they do not represent
/// # Ok::<(), protodash::Error>(())
/// ```
pub fn explained_of<T: Scalar>(
    target: &ArrayRef2<T>,
    source: &ArrayRef2<T>,
    prototypes: &[Prototype],
    kernel: &dyn Kernel<T>,
    target_weights: Option<&[f64]>,
    observer: &mut dyn Observer,
) -> Result<Option<f64>> {
    let objective = objective_of(target, source, prototypes, kernel, target_weights, observer)?;
    let checked = CheckedPair::new(target, source)?;
    let target_weights = target_weights.map(normalised);
    let target = Target { rows: checked.rows().0, weights: target_weights.as_deref() };
    let asked = (TargetEnergy::Exact, Precision::Double);
    let energy = target_energy(target, None, kernel, asked, observer)?;
    Ok(energy.and_then(|energy| energy.explained(objective)))
}

/// The objective, and the size of the terms of its quadratic part: (Σⱼ wⱼ √Kⱼⱼ)².
fn objective_and_terms<T: Scalar>(
    target: &ArrayRef2<T>,
    source: &ArrayRef2<T>,
    prototypes: &[Prototype],
    kernel: &dyn Kernel<T>,
    target_weights: Option<&[f64]>,
    observer: &mut dyn Observer,
) -> Result<(f64, f64)> {
    let checked = CheckedPair::new(target, source)?;
    let (target, source) = checked.rows();
    if let Some(weights) = target_weights {
        check_row_weights(weights, target.n_rows(), Role::Target)?;
    }
    let rows = prototype_rows(source, prototypes)?;
    if rows.is_empty() {
        return Ok((0.0, 0.0));
    }
    let values = rows.concat();
    let target_weights = target_weights.map(normalised);
    let target = Target { rows: target, weights: target_weights.as_deref() };
    let chosen = Rows::new(&values, source.n_columns());
    let kernel_mean = finite_means(mean_over_target(target, chosen, kernel, (Stage::KernelMean, observer))?)?;
    let mut gram = Array2::zeros((rows.len(), rows.len()));
    for (i, row) in rows.iter().enumerate() {
        for (j, other) in rows[..=i].iter().enumerate() {
            let value = kernel.evaluate(row, other);
            (gram[(i, j)], gram[(j, i)]) = (value, value);
        }
    }
    let weights: Vec<f64> = prototypes.iter().map(|prototype| prototype.weight).collect();
    let lengths = gram.diag().mapv(|own: f64| own.max(0.0).sqrt());
    let terms = lengths.dot(&ArrayView1::from(&weights));
    let objective = objective(ArrayView1::from(&kernel_mean), gram.view(), ArrayView1::from(&weights))?;
    Ok((objective, terms * terms))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Gaussian, Linear, Params, Unobserved, select};
    use ndarray::array;

    #[test]
    fn an_objective_of_terms_that_cancel_is_verified() {
        let (target, source) = (array![[1.0], [-1.0 + 2e-10]], array![[1.0], [-1.0]]);
        let mut params = Params::new(2);
        params.weights = crate::Weights::Convex;
        let selection = select(&target, &source, &Linear, &params).unwrap();
        let saved = (selection.prototypes.as_slice(), selection.objective_final());
        verify(&target, &source, saved, &Linear, None, &mut Unobserved).unwrap();
    }

    #[test]
    fn the_objective_of_a_selection_follows_from_the_data() {
        let target = array![[0.0, 1.0], [2.0, 2.0], [5.0, 4.0]];
        let source = array![[1.0, 1.0], [2.0, 3.0], [4.0, 4.0], [9.0, 9.0]];
        let kernel = Gaussian::new(1.5).unwrap();
        for weights in [None, Some(vec![1.0, 0.0, 1e300])] {
            let mut params = Params::new(2);
            params.target_weights = weights.clone();
            let selection = select(&target, &source, &kernel, &params).unwrap();
            let (prototypes, weights) = (&selection.prototypes, weights.as_deref());
            let found = objective_of(&target, &source, prototypes, &kernel, weights, &mut Unobserved).unwrap();
            assert!((found - selection.objective_final()).abs() < 1e-12, "{found}");
        }
    }

    #[test]
    fn the_arithmetic_by_hand() {
        // μ of row 0 is (1·1 + 1·3)/2 = 2, K = 1, w = 0.5: l = 2·0.5 − ½·0.25 = 0.875.
        let (target, source) = (array![[1.0], [3.0]], array![[1.0], [7.0]]);
        let prototype = Prototype { source_index: 0, weight: 0.5, share: 1.0, gain: 0.0 };
        let found = objective_of(&target, &source, &[prototype], &Linear, None, &mut Unobserved);
        assert_eq!(found, Ok(0.875));
        assert_eq!(objective_of(&target, &source, &[], &Linear, None, &mut Unobserved), Ok(0.0));
    }

    #[test]
    fn explained_by_hand() {
        // l = 0.875 as above; the mean of 1 and 3 is 2, so ‖μ‖² = 4: 2·0.875/4.
        let (target, source) = (array![[1.0], [3.0]], array![[1.0], [7.0]]);
        let prototype = Prototype { source_index: 0, weight: 0.5, share: 1.0, gain: 0.0 };
        let found = explained_of(&target, &source, &[prototype], &Linear, None, &mut Unobserved);
        assert_eq!(found, Ok(Some(0.4375)));
        // With all weight on the row 3, μ = 3, l = 3·0.5 − ½·0.25 = 1.375 and ‖μ‖² = 9.
        let found = explained_of(&target, &source, &[prototype], &Linear, Some(&[0.0, 5.0]), &mut Unobserved);
        assert_eq!(found, Ok(Some(2.75 / 9.0)));
        let nothing = explained_of(&array![[1.0], [-1.0]], &source, &[prototype], &Linear, None, &mut Unobserved);
        assert_eq!(nothing, Ok(None));
    }

    #[test]
    fn prototypes_of_another_source_are_rejected() {
        let rows = array![[1.0], [2.0]];
        let prototype = Prototype { source_index: 5, weight: 1.0, share: 1.0, gain: 0.0 };
        let refused = verify(&rows, &rows, (&[prototype], 0.5), &Linear, None, &mut Unobserved);
        assert_eq!(refused, Err(Error::NotThisSource { source_index: 5, rows: 2 }));
        let own = Prototype { source_index: 1, ..prototype };
        // μ = 3, K = 4: l(1) = 3 − 2 = 1.
        assert_eq!(verify(&rows, &rows, (&[own], 1.0 + 1e-9), &Linear, None, &mut Unobserved), Ok(()));
        let refused = verify(&rows, &rows, (&[own], 1.1), &Linear, None, &mut Unobserved);
        assert_eq!(refused, Err(Error::OtherObjective { saved: 1.1, found: 1.0 }));
    }
}
