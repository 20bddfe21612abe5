use super::*;
use crate::kernel::{
    BuiltInKernel, Gaussian, InverseMultiquadric, Kernel, Laplacian, Matern32, Matern52, Polynomial, loop_formula,
};
use crate::kernel_mean::block::EvaluatedPairs;
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn random(n_values: usize, seed: u64) -> Vec<f64> {
    let mut generator = ChaCha8Rng::seed_from_u64(seed);
    (0..n_values).map(|_| generator.random_range(-1.0..1.0)).collect()
}

/// Every kernel with a formula, with bandwidths of the size of the data: values from −1 to 1 in `n_columns` columns.
fn kernels<T: Scalar>(n_columns: usize) -> Vec<Box<dyn Kernel<T> + Send>> {
    let spread = (n_columns as f64).sqrt();
    vec![
        Box::new(Gaussian::new(0.7 * spread).unwrap()),
        Box::new(Laplacian::new(0.5 * spread * spread).unwrap()),
        Box::new(Matern32::new(0.7 * spread).unwrap()),
        Box::new(Matern52::new(0.7 * spread).unwrap()),
        Box::new(InverseMultiquadric::new(0.7 * spread).unwrap()),
        Box::new(Polynomial::new(3, 0.5 / (spread * spread), 1.0).unwrap()),
    ]
}

/// The sums of one block, of two mirrored blocks and of two different matrices.
#[derive(Debug, PartialEq)]
struct Added {
    cross: Vec<f64>,
    first: Vec<f64>,
    second: Vec<f64>,
    diagonal: Vec<f64>,
}

impl Added {
    fn by(across: &dyn PairSums, within: &dyn PairSums, (n_target, n_source): (usize, usize)) -> Self {
        // All sums start from 1, to check that they are added to and not overwritten.
        let ones = |n_rows: usize| vec![1.0; n_rows];
        let middle = n_target / 2;
        let mut added = Added {
            cross: ones(n_source),
            first: ones(middle),
            second: ones(n_target - middle),
            diagonal: ones(n_target - middle),
        };
        across.add_cross(n_target / 3..n_target, 0..n_source, &mut added.cross);
        within.add_mirrored((0..middle, &mut added.first), (middle..n_target, &mut added.second));
        within.add_diagonal(middle..n_target, &mut added.diagonal);
        added
    }

    fn all(&self) -> impl Iterator<Item = &f64> {
        [&self.cross, &self.first, &self.second, &self.diagonal].into_iter().flatten()
    }
}

/// The largest relative difference between the sums of the fast path and those of the general one.
fn difference<T: Scalar>(
    arithmetic: (InstructionSet, Precision),
    kernel: &dyn Kernel<T>,
    target: Target<'_, T>,
    source: Rows<'_, T>,
) -> f64 {
    let shape = (target.rows.n_rows(), source.n_rows());
    let across = pair_sums(loop_formula(kernel).unwrap(), target, Some(source), arithmetic).unwrap();
    let within = pair_sums(loop_formula(kernel).unwrap(), target, None, arithmetic).unwrap();
    let added = Added::by(&*across, &*within, shape);
    let general = |source| EvaluatedPairs { kernel, target, source };
    let expected = Added::by(&general(source), &general(target.rows), shape);
    added.all().zip(expected.all()).map(|(a, b)| ((a - b) / b).abs()).fold(0.0, f64::max)
}

/// The largest difference over all kernels and with or without weights.
fn largest_difference<T: Scalar>(
    arithmetic: (InstructionSet, Precision),
    (n_target, n_source, n_columns): (usize, usize, usize),
    of: impl Fn(f64) -> T,
) -> f64 {
    let values = |n_rows: usize, seed: u64| random(n_rows * n_columns, seed).into_iter().map(&of).collect::<Vec<T>>();
    let (target, source) = (values(n_target, 1), values(n_source, 2));
    let weights: Vec<f64> = random(n_target, 3).iter().map(|weight| weight.abs()).collect();
    let mut largest = 0.0_f64;
    for kernel in kernels::<T>(n_columns) {
        for weights in [None, Some(&weights[..])] {
            let target = Target { rows: Rows::new(&target, n_columns), weights };
            let source = Rows::new(&source, n_columns);
            largest = largest.max(difference(arithmetic, &*kernel, target, source));
        }
    }
    largest
}

/// Rows and columns on both sides of every boundary: vectors, tiles, staged columns, batches and parts.
const SHAPES: [(usize, usize, usize); 16] = [
    (2, 1, 1),
    (3, 2, 2),
    (7, 8, 3),
    (9, 7, 4),
    (12, 16, 5),
    (13, 17, 7),
    (25, 15, 8),
    (40, 33, 9),
    (97, 31, 15),
    (100, 40, 16),
    (37, 39, 17),
    (20, 20, 70),
    (16, 12, 127),
    (13, 9, 129),
    (110, 35, 784),
    (30, 20, 1030),
];

#[test]
fn every_path_in_double_precision_agrees_with_the_general_one() {
    for level in InstructionSet::available() {
        for shape in SHAPES {
            let of_f64 = largest_difference((level, Precision::Double), shape, |value| value);
            assert!(of_f64 <= 1e-12, "{level:?} {shape:?}: {of_f64:e}");
            let of_f32 = largest_difference((level, Precision::Double), shape, |value| value as f32);
            assert!(of_f32 <= 1e-12, "{level:?} {shape:?}: {of_f32:e}");
        }
    }
}

#[test]
fn every_path_in_single_precision_agrees_with_the_general_one() {
    for level in InstructionSet::available() {
        for shape in SHAPES {
            let of_f32 = largest_difference((level, Precision::Single), shape, |value| value as f32);
            assert!(of_f32 <= 2e-6, "{level:?} {shape:?}: {of_f32:e}");
            let of_f64 = largest_difference((level, Precision::Single), shape, |value| value);
            assert!(of_f64 <= 2e-6, "{level:?} {shape:?}: {of_f64:e}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn any_shape_agrees_with_the_general_path(n_target in 2..60_usize, n_source in 1..40_usize, n_columns in 1..70_usize) {
        for level in InstructionSet::available() {
            let shape = (n_target, n_source, n_columns);
            let double = largest_difference((level, Precision::Double), shape, |value| value);
            prop_assert!(double <= 1e-12, "{:?}: {:e}", level, double);
            let single = largest_difference((level, Precision::Single), shape, |value| value as f32);
            prop_assert!(single <= 2e-6, "{:?}: {:e}", level, single);
        }
    }
}

/// The relative difference of the sums for one kernel in f64.
fn difference_in_double(kernel: &dyn Kernel<f64>, target: &[f64], source: &[f64], n_columns: usize) -> f64 {
    let target = Target { rows: Rows::new(target, n_columns), weights: None };
    let source = Rows::new(source, n_columns);
    let differences = InstructionSet::available().into_iter().map(|level| {
        let difference = difference((level, Precision::Double), kernel, target, source);
        assert!(difference.is_finite(), "{level:?}");
        difference
    });
    differences.fold(0.0, f64::max)
}

/// Kernels of the distance with this bandwidth.
fn distance_kernels(bandwidth: f64) -> Vec<Box<dyn Kernel<f64> + Send>> {
    vec![
        Box::new(Gaussian::new(bandwidth).unwrap()),
        Box::new(Matern32::new(bandwidth).unwrap()),
        Box::new(Matern52::new(bandwidth).unwrap()),
        Box::new(InverseMultiquadric::new(bandwidth).unwrap()),
        Box::new(Laplacian::new(bandwidth).unwrap()),
    ]
}

#[test]
fn distant_clusters_and_a_narrow_kernel_lose_no_accuracy() {
    // Two clusters a million bandwidths apart: products of centred rows would have an error of 1e12 · 1e-16.
    let clustered = |n_rows: usize, seed: u64| -> Vec<f64> {
        let place = |i: usize| if (i / 3).is_multiple_of(2) { -500.0 } else { 500.0 };
        random(n_rows * 3, seed).iter().enumerate().map(|(i, value)| place(i) + value * 1e-3).collect()
    };
    let (target, source) = (clustered(70, 1), clustered(33, 2));
    for kernel in distance_kernels(1e-3) {
        let difference = difference_in_double(&*kernel, &target, &source, 3);
        assert!(difference <= 1e-12, "{:?}: {difference:e}", kernel.built_in());
    }
}

#[test]
fn rows_at_the_edge_of_the_reach_are_accurate() {
    // Bandwidths that put none, some or all rows beyond the reach of the centre.
    for n_columns in [3, 50, 400] {
        let (target, source) = (random(60 * n_columns, 1), random(33 * n_columns, 2));
        for bandwidth in [1.0, 0.1, 0.03, 0.01, 0.003] {
            // Neighbours at a small distance, so that kernel values do not vanish.
            let near: Vec<f64> =
                target[..33 * n_columns].iter().zip(&source).map(|(x, y)| x + y * bandwidth * 0.05).collect();
            for kernel in distance_kernels(bandwidth) {
                let difference = difference_in_double(&*kernel, &target, &near, n_columns);
                assert!(difference <= 1e-12, "{:?}, {n_columns} columns: {difference:e}", kernel.built_in());
            }
        }
    }
}

#[test]
fn huge_and_tiny_values_and_offsets_lose_no_accuracy() {
    for (factor, offset) in [(1e30, 0.0), (1e-30, 0.0), (1.0, 1e8), (1e-3, -1e8), (1e100, 1e102), (1e-100, 0.0)] {
        let at = |values: Vec<f64>| values.into_iter().map(|value| value * factor + offset).collect::<Vec<f64>>();
        let (target, source) = (at(random(50 * 4, 1)), at(random(21 * 4, 2)));
        for kernel in distance_kernels(factor) {
            let difference = difference_in_double(&*kernel, &target, &source, 4);
            assert!(difference <= 1e-12, "{:?} {factor:e} {offset:e}: {difference:e}", kernel.built_in());
        }
    }
}

#[test]
fn overflowing_differences_give_a_similarity_of_zero() {
    let rows = [f64::MAX, -f64::MAX, 1e200, 0.0, f64::MAX];
    let target = Target { rows: Rows::new(&rows, 1), weights: None };
    for kernel in distance_kernels(1.0) {
        for level in InstructionSet::available() {
            let sums = pair_sums(loop_formula(&*kernel).unwrap(), target, None, (level, Precision::Double)).unwrap();
            let mut added = vec![0.0; 5];
            sums.add_diagonal(0..5, &mut added);
            // Each row equals itself, and the first equals the last.
            let has_long_tails = matches!(kernel.built_in(), Some(BuiltInKernel::InverseMultiquadric(_)));
            let expected = if has_long_tails { 1e-199 } else { 0.0 };
            for (sum, equal) in added.iter().zip([2.0, 1.0, 1.0, 1.0, 2.0]) {
                assert!((sum - equal).abs() <= expected, "{level:?} {:?} {added:?}", kernel.built_in());
            }
        }
    }
}

#[test]
fn equal_rows_have_a_similarity_of_exactly_one_in_double_precision() {
    let row = random(37, 9);
    let rows = row.repeat(30);
    let target = Target { rows: Rows::new(&rows, 37), weights: None };
    for kernel in kernels::<f64>(37).into_iter().take(5) {
        for level in InstructionSet::available() {
            for precision in [Precision::Single, Precision::Double] {
                let sums =
                    pair_sums(loop_formula(&*kernel).unwrap(), target, Some(target.rows), (level, precision)).unwrap();
                let mut added = vec![0.0; 30];
                sums.add_cross(0..30, 0..30, &mut added);
                let error = |sum: &f64| (sum / 30.0 - 1.0).abs();
                let allowed = if precision == Precision::Double { 0.0 } else { 1e-6 };
                assert!(
                    added.iter().all(|sum| error(sum) <= allowed),
                    "{level:?} {precision:?} {:?}",
                    kernel.built_in()
                );
            }
        }
    }
}

#[test]
fn single_precision_is_not_used_where_it_would_overflow_or_underflow() {
    let fits = |kernel: &dyn Kernel<f64>| FusedKernel::of(loop_formula(kernel).unwrap()).unwrap().fits_single();
    assert!(fits(&Gaussian::new(1.0).unwrap()) && fits(&Laplacian::new(1e6).unwrap()));
    assert!(!fits(&Gaussian::new(1e-20).unwrap()) && !fits(&Matern32::new(1e20).unwrap()));
    assert!(!fits(&Laplacian::new(1e-20).unwrap()) && !fits(&Polynomial::new(2, 1.0, 1.0).unwrap()));
}
