//! Weights that make a source resemble a target: the optimum over all rows, and its effect.

use crate::quadratic_programme::clarabel;
use crate::samples::{cells, digits, random, take};
use ndarray::{Array1, Array2, Axis};
use protodash::objective::{gradient, objective};
use protodash::{
    Gaussian, Kernel, Method, Params, Polynomial, Prototype, Selection, Stopped, Weights, covariate_shift, kernel_mean,
    select,
};

fn gram(rows: &Array2<f64>, kernel: &dyn Kernel<f64>) -> Array2<f64> {
    let row = |index: usize| rows.row(index).to_slice().unwrap();
    Array2::from_shape_fn((rows.nrows(), rows.nrows()), |(i, j)| kernel.evaluate(row(i), row(j)))
}

fn all_rows(target: &Array2<f64>, source: &Array2<f64>, kernel: &dyn Kernel<f64>, weights: Weights) -> Selection {
    let mut params = Params::until_optimal();
    params.weights = weights;
    select(target, source, kernel, &params).unwrap()
}

/// The search until the optimum finds the solution of a quadratic programme over all source rows.
#[test]
fn the_weights_are_the_optimum_over_all_rows() {
    for seed in 0..6 {
        let source = random(70, 2, seed);
        let target = random(40, 2, seed + 100).mapv(|value| 0.5 * value + 0.4);
        for kernel in [&Gaussian::new(0.4).unwrap() as &dyn Kernel<f64>, &Polynomial::new(2, 1.0, 1.0).unwrap()] {
            let means = Array1::from(kernel_mean(&target, &source, kernel).unwrap());
            let gram = gram(&source, kernel);
            for (rule, sum_to_one) in [(Weights::Nonnegative, false), (Weights::Convex, true)] {
                let selection = all_rows(&target, &source, kernel, rule);
                assert_eq!(selection.stopped, Stopped::Optimal);
                let shift = covariate_shift(&target, &source, &selection.prototypes, None).unwrap();
                let (ours, theirs) = (Array1::from(shift.weights), clarabel(&means, &gram, sum_to_one));
                let value = |weights: &Array1<f64>| objective(means.view(), gram.view(), weights.view()).unwrap();
                assert!((value(&ours) - value(&theirs)).abs() < 1e-8, "{} {}", value(&ours), value(&theirs));
                // K w is unique even if w is not.
                let difference = (gram.dot(&ours) - gram.dot(&theirs)).mapv(f64::abs);
                assert!(difference.iter().all(|difference| *difference < 1e-4), "{difference}");
            }
        }
    }
}

/// None of 1,797 rows could raise the objective, without ever storing a matrix of 1,797² values.
#[test]
fn no_further_digit_improves_the_fit() {
    let digits = digits();
    let threes: Vec<usize> =
        cells("digits.csv").1.iter().enumerate().filter(|(_, row)| row[0] == "3").map(|(row, _)| row).collect();
    let (target, kernel) = (take(&digits, threes), Gaussian::new(30.0).unwrap());
    let source = take(&digits, (0..1797).filter(|row| row % 3 > 0));
    let selection = all_rows(&target, &source, &kernel, Weights::Nonnegative);
    let shift = covariate_shift(&target, &source, &selection.prototypes, None).unwrap();
    let means = Array1::from(kernel_mean(&target, &source, &kernel).unwrap());
    let weights = Array1::from(shift.weights.clone());
    let slope = gradient(means.view(), gram(&source, &kernel).view(), weights.view()).unwrap();
    assert!(slope.iter().all(|slope| *slope < 1e-9));
    // Every pixel's mean gets closer, or was close already.
    for feature in &shift.features {
        let (before, after) = (feature.difference_before().abs(), feature.difference_after().abs());
        assert!(after <= before.max(0.2), "{before} {after}");
    }
    assert!(shift.effective_sample_size > 1.0 && shift.effective_sample_size <= selection.prototypes.len() as f64);
}

#[test]
fn equal_target_and_source_need_no_weighting() {
    let rows = random(60, 2, 3);
    let selection = all_rows(&rows, &rows, &Gaussian::new(0.3).unwrap(), Weights::Convex);
    let shift = covariate_shift(&rows, &rows, &selection.prototypes, None).unwrap();
    assert!(selection.mmd2().unwrap() < 1e-12);
    for feature in &shift.features {
        assert!(feature.difference_before().abs() < 1e-12 && feature.difference_after().abs() < 1e-4);
    }
}

#[test]
fn a_mean_over_the_weighted_source_is_a_mean_over_the_target() {
    // The purpose of the weights: a quantity known only on the source, estimated for the target.
    let source = random(600, 1, 7);
    let target = random(500, 1, 8).mapv(|value| 0.5 + 0.4 * value);
    let quantity = |rows: &Array2<f64>| rows.map_axis(Axis(1), |row| (3.0 * row[0]).sin());
    let selection = all_rows(&target, &source, &Gaussian::new(0.3).unwrap(), Weights::Convex);
    let shift = covariate_shift(&target, &source, &selection.prototypes, None).unwrap();
    let truth = quantity(&target).mean().unwrap();
    let weighted = quantity(&source).dot(&Array1::from(shift.weights));
    let unweighted = quantity(&source).mean().unwrap();
    assert!((weighted - truth).abs() < 0.01, "{weighted} {truth}");
    assert!((unweighted - truth).abs() > 0.3, "{unweighted} {truth}");
}

#[test]
fn few_prototypes_have_a_covariate_shift_too() {
    let (source, target) = (random(200, 3, 1), random(150, 3, 2).mapv(|value| value * 0.5 + 0.3));
    let kernel = Gaussian::new(0.6).unwrap();
    let mut params = Params::new(12);
    params.method = Method::ProtoGreedy;
    let few = select(&target, &source, &kernel, &params).unwrap();
    let shift = covariate_shift(&target, &source, &few.prototypes, None).unwrap();
    assert_eq!(shift.weights.iter().filter(|weight| **weight > 0.0).count(), 12);
    assert!(shift.effective_sample_size <= 12.0);
    assert!(shift.features.iter().all(|feature| feature.difference_after().abs() < 0.3));
}

#[test]
fn a_prototype_of_another_source_is_rejected() {
    let prototype = Prototype { source_index: 5, weight: 1.0, share: 1.0, gain: 0.0 };
    let error = covariate_shift(&random(3, 1, 0), &random(4, 1, 1), &[prototype], None).unwrap_err();
    assert_eq!(error.to_string(), "the selection refers to source row 5, but the source has 4 rows");
    let error = covariate_shift(&random(3, 1, 0), &random(4, 2, 1), &[], None).unwrap_err();
    assert_eq!(error.to_string(), "the target has 1 column and the source has 2; they must have the same number");
}
