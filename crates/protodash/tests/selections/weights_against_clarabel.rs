//! The weights are the maximum: by the optimality conditions, and by an independent interior-point solver.

use crate::quadratic_programme::clarabel;
use ndarray::{Array1, Array2};
use protodash::objective::{gradient, objective};
use protodash::weights::{convex, nonnegative};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Gram matrices of all kinds: well-conditioned, nearly singular, singular by duplicates, one-hot, large, tiny.
fn problems() -> Vec<(String, Array1<f64>, Array2<f64>)> {
    let mut problems = Vec::new();
    for seed in 0..12 {
        for n in [1, 2, 5, 12, 40] {
            let points = crate::samples::random(n, 3, seed);
            let wide = gaussian(&points, &points, 3.0); // nearly singular
            let narrow = gaussian(&points, &points, 0.5);
            let data = crate::samples::random(200, 3, seed + 1000);
            problems.push((format!("wide {n} {seed}"), mean(&gaussian(&data, &points, 3.0)), wide));
            problems.push((format!("narrow {n} {seed}"), mean(&gaussian(&data, &points, 0.5)), narrow));
            let answers = crate::samples::one_hot(n, &[2, 3, 4], seed);
            let others = crate::samples::one_hot(100, &[2, 3, 4], seed + 1000);
            problems.push((format!("one-hot {n} {seed}"), mean(&others.dot(&answers.t())), answers.dot(&answers.t())));
            // A mean that no weights can reach: many weights are held at 0.
            let mut generator = ChaCha8Rng::seed_from_u64(seed);
            let free = Array1::from_shape_simple_fn(n, || generator.random_range(-1.0..1.0));
            let factor = crate::samples::random(n, n + 2, seed + 2000);
            problems.push((format!("free {n} {seed}"), free.clone(), factor.dot(&factor.t())));
            problems.push((format!("large {n} {seed}"), &free * 1e12, factor.dot(&factor.t()) * 1e12));
            problems.push((format!("tiny {n} {seed}"), &free * 1e-12, factor.dot(&factor.t()) * 1e-12));
        }
    }
    problems
}

fn gaussian(x: &Array2<f64>, y: &Array2<f64>, bandwidth: f64) -> Array2<f64> {
    Array2::from_shape_fn((x.nrows(), y.nrows()), |(i, j)| {
        let distance = (&x.row(i) - &y.row(j)).mapv(|difference| difference * difference).sum();
        (-distance / (2.0 * bandwidth * bandwidth)).exp()
    })
}

fn mean(similarities: &Array2<f64>) -> Array1<f64> {
    similarities.mean_axis(ndarray::Axis(0)).unwrap()
}

#[test]
fn nonnegative_weights_meet_the_optimality_conditions() {
    for (name, kernel_mean, gram) in problems() {
        let weights = Array1::from(nonnegative(kernel_mean.view(), gram.view()).unwrap());
        let slope = gradient(kernel_mean.view(), gram.view(), weights.view()).unwrap();
        let scale = size(&kernel_mean);
        for (member, (&weight, &slope)) in weights.iter().zip(&slope).enumerate() {
            assert!(weight.is_finite() && weight >= 0.0, "{name}: weight {member} is {weight}");
            assert!(slope <= 1e-10 * scale, "{name}: slope {member} is {slope} of {scale}");
            assert!(weight == 0.0 || slope >= -1e-10 * scale, "{name}: slope {member} is {slope} of {scale}");
        }
    }
}

#[test]
fn convex_weights_meet_the_optimality_conditions() {
    for (name, kernel_mean, gram) in problems() {
        let weights = Array1::from(convex(kernel_mean.view(), gram.view()).unwrap());
        let slope = gradient(kernel_mean.view(), gram.view(), weights.view()).unwrap();
        let scale = size(&kernel_mean) + size(&gram.dot(&weights));
        assert!((weights.sum() - 1.0).abs() < 1e-10, "{name}: the weights sum to {}", weights.sum());
        let support = || weights.iter().zip(&slope).filter(|(weight, _)| **weight > 0.0);
        let common = support().map(|(_, slope)| *slope).sum::<f64>() / support().count() as f64;
        for (member, (&weight, &slope)) in weights.iter().zip(&slope).enumerate() {
            assert!(weight >= 0.0, "{name}: weight {member} is {weight}");
            assert!(slope <= common + 1e-10 * scale, "{name}: slope {member} is {slope}, common {common}");
            assert!(weight == 0.0 || slope >= common - 1e-10 * scale, "{name}: slope {member} is {slope}");
        }
    }
}

#[test]
fn both_reach_the_maximum_that_clarabel_finds() {
    for (name, kernel_mean, gram) in problems() {
        for sum_to_one in [false, true] {
            let solve = if sum_to_one { convex } else { nonnegative };
            let ours = Array1::from(solve(kernel_mean.view(), gram.view()).unwrap());
            // Clarabel's tolerances are absolute, so the problem is scaled by the largest similarity.
            let unit = gram.iter().fold(f64::MIN_POSITIVE, |unit, value| unit.max(value.abs()));
            let (scaled_mean, scaled_gram) = (&kernel_mean / unit, &gram / unit);
            let theirs = clarabel(&scaled_mean, &scaled_gram, sum_to_one);
            let value =
                |weights: &Array1<f64>| objective(scaled_mean.view(), scaled_gram.view(), weights.view()).unwrap();
            let (ours_value, theirs_value) = (value(&ours), value(&theirs));
            let tolerance = 1e-8 * (1.0 + theirs_value.abs());
            assert!((ours_value - theirs_value).abs() <= tolerance, "{name}: {ours_value}, clarabel {theirs_value}");
            // K w is unique even if w is not.
            let difference = size(&(scaled_gram.dot(&ours) - scaled_gram.dot(&theirs)));
            let fitted = size(&scaled_gram.dot(&theirs));
            assert!(difference <= 1e-6 * (1.0 + fitted), "{name}: K w differs by {difference} of {fitted}");
        }
    }
}

#[test]
fn weights_agree_with_clarabel_where_they_are_unique() {
    for seed in 0..40 {
        let points = crate::samples::random(15, 4, seed);
        let gram = gaussian(&points, &points, 0.6);
        let kernel_mean = mean(&gaussian(&crate::samples::random(100, 4, seed + 500), &points, 0.6));
        for sum_to_one in [false, true] {
            let solve = if sum_to_one { convex } else { nonnegative };
            let ours = solve(kernel_mean.view(), gram.view()).unwrap();
            let theirs = clarabel(&kernel_mean, &gram, sum_to_one);
            for (ours, theirs) in ours.iter().zip(&theirs) {
                assert!((ours - theirs).abs() < 1e-8, "seed {seed}: {ours}, clarabel {theirs}");
            }
        }
    }
}

fn size(vector: &Array1<f64>) -> f64 {
    vector.iter().fold(0.0, |size, value| size.max(value.abs()))
}
