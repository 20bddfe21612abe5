//! Properties that every kernel in the list must have; new kernels are included automatically.

use ndarray::Array2;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::bandwidth::BandwidthRule;
use super::definiteness::check_definite;
use super::*;
use crate::error::Error;
use crate::kernel_mean::{Precision, column, kernel_mean_in};
use crate::rows::Rows;

/// Every built-in kernel with this bandwidth, if it has one, and otherwise default parameters for so many columns.
fn built_in_kernels(bandwidth: f64, n_columns: usize) -> Vec<BuiltInKernel> {
    let kernel = |definition: &'static KernelDefinition| {
        let spec = KernelSpec::from(definition);
        let spec = if definition.has_bandwidth() {
            spec.with_bandwidth(BandwidthRule::Fixed(bandwidth)).unwrap()
        } else {
            spec
        };
        spec.resolve(None, &Array2::<f64>::zeros((1, n_columns)), 0).unwrap()
    };
    BuiltInKernel::DEFINITIONS.iter().map(kernel).collect()
}

/// Narrow, medium and wide kernels.
fn kernels() -> Vec<BuiltInKernel> {
    [1e-3, 1.3, 1e3].into_iter().flat_map(|bandwidth| built_in_kernels(bandwidth, 5)).collect()
}

#[test]
fn every_kernel_can_be_rebuilt_from_its_name_and_parameters() {
    for kernel in built_in_kernels(2.5, 4) {
        let definition = BuiltInKernel::definition_of(kernel.definition().name).unwrap();
        assert_eq!(definition.build(&kernel.parameters()), Ok(kernel));
        let names: Vec<&str> = definition.parameters.iter().map(|parameter| parameter.name).collect();
        assert_eq!(kernel.parameters().iter().map(|(name, _)| *name).collect::<Vec<_>>(), names, "{kernel}");
        let rows = Array2::<f32>::zeros((3, 9));
        assert_eq!(KernelSpec::from(kernel).resolve(None, &rows, 0), Ok(kernel), "{kernel}");
        assert_eq!(kernel.definition().has_bandwidth(), kernel.bandwidth().is_some(), "{kernel}");
        assert!(!definition.formula.is_empty());
    }
}

#[test]
fn names_are_unique() {
    let names: std::collections::HashSet<&str> =
        BuiltInKernel::DEFINITIONS.iter().map(|definition| definition.name).collect();
    assert_eq!(names.len(), BuiltInKernel::DEFINITIONS.len());
    assert!(!names.contains(Precomputed::NAME) && names.contains(BuiltInKernel::DEFAULT));
}

/// Whole numbers, so that some values agree, and a row of zeros.
fn rows_of<T: Scalar>(n_rows: usize, n_columns: usize, of: impl Fn(f64) -> T) -> Array2<T> {
    Array2::from_shape_fn((n_rows, n_columns), |(row, column)| {
        of(((row * (2 * column + 3)) % 7) as f64 - 2.0 * row.min(1) as f64)
    })
}

/// Means and columns of similarities by the fast loops against `evaluate`.
fn assert_loops_agree_with_evaluate<T: Scalar>(kernel: BuiltInKernel, target: &Array2<T>, source: &Array2<T>) {
    let evaluate =
        |x: usize, y: usize| kernel.evaluate(target.row(x).to_slice().unwrap(), source.row(y).to_slice().unwrap());
    let n_target = target.nrows();
    // Values of both signs may cancel in a mean: errors are relative to the largest of them.
    let largest = (0..n_target).flat_map(|x| (0..source.nrows()).map(move |y| (x, y)));
    let largest = largest.map(|(x, y)| evaluate(x, y).abs()).fold(0.0, f64::max);
    let mean = |y: usize| (0..n_target).map(|x| evaluate(x, y)).sum::<f64>() / n_target as f64;
    for (precision, tolerance) in [(Precision::Double, 1e-12), (Precision::Single, 1e-5)] {
        let found = kernel_mean_in(precision, target, source, &kernel).unwrap();
        for (y, found) in found.means.iter().enumerate() {
            let off = (found - mean(y)).abs();
            assert!(off <= tolerance * largest, "{kernel} in {precision:?}: {found} instead of {}", mean(y));
        }
    }
    let y = source.row(2).to_slice().unwrap();
    let mut similarities = vec![f64::NAN; n_target];
    column(&kernel, Rows::new(target.as_slice().unwrap(), target.ncols()), y, &mut similarities);
    for (x, found) in similarities.into_iter().enumerate() {
        assert!((found - evaluate(x, 2)).abs() <= 1e-14 * largest, "{kernel}: {found} instead of {}", evaluate(x, 2));
    }
}

#[test]
fn the_loops_agree_with_evaluate_in_both_precisions() {
    for n_columns in [1, 5, 19] {
        for kernel in built_in_kernels((n_columns as f64).sqrt(), n_columns) {
            let (target, source) = (rows_of(100, n_columns, |value| value), rows_of(33, n_columns, |value| value));
            assert_loops_agree_with_evaluate(kernel, &target, &source);
            let (target, source) =
                (rows_of(100, n_columns, |value| value as f32), rows_of(33, n_columns, |value| value as f32));
            assert_loops_agree_with_evaluate(kernel, &target, &source);
        }
    }
}

#[test]
fn a_unit_diagonal_is_one_and_the_largest_value() {
    let rows = rows_of(20, 3, |value| value);
    for kernel in built_in_kernels(1.5, 3).into_iter().filter(|kernel| kernel.definition().unit_diagonal) {
        let gram = gram(&rows, &kernel);
        assert!(gram.diag().iter().all(|value| *value == 1.0) && gram.iter().all(|value| *value <= 1.0), "{kernel}");
    }
}

fn gram(rows: &Array2<f64>, kernel: &dyn Kernel<f64>) -> Array2<f64> {
    let row = |i: usize| rows.row(i).to_vec();
    Array2::from_shape_fn((rows.nrows(), rows.nrows()), |(i, j)| kernel.evaluate(&row(i), &row(j)))
}

/// Random rows; equal rows; rows of zeros; rows on a line; one-hot rows; whole numbers; far-apart magnitudes.
fn data_sets() -> Vec<(&'static str, Array2<f64>)> {
    let mut generator = ChaCha8Rng::seed_from_u64(11);
    let mut random = Array2::from_shape_simple_fn((30, 5), || generator.random_range(-2.0..2.0));
    let mut duplicated = random.clone();
    (0..30).for_each(|i| duplicated.row_mut(i).assign(&random.row(i % 3)));
    let magnitudes = Array2::from_shape_fn((30, 5), |(i, j)| random[(i, j)] * 10_f64.powi(i as i32 % 7 - 3));
    random.row_mut(4).fill(0.0);
    vec![
        ("random", random),
        ("duplicated", duplicated),
        ("magnitudes", magnitudes),
        ("zeros", Array2::zeros((10, 5))),
        ("line", Array2::from_shape_fn((30, 5), |(i, _)| i as f64 / 7.0)),
        ("one-hot", Array2::from_shape_fn((30, 6), |(i, j)| f64::from(u8::from(i % 6 == j)))),
        ("whole numbers", Array2::from_shape_fn((30, 4), |(i, j)| ((i * (j + 3)) % 3) as f64)),
    ]
}

#[test]
fn all_are_symmetric_and_positive_semi_definite() {
    for (data, rows) in data_sets() {
        for kernel in kernels() {
            let gram = gram(&rows, &kernel);
            assert_eq!(gram, gram.t(), "{kernel} on {data}");
            assert_eq!(check_definite(gram.view()), Ok(()), "{kernel} on {data}");
        }
    }
}

#[test]
fn an_indefinite_similarity_fails_the_same_check() {
    // The squared distance is symmetric but indefinite: the check above can fail.
    struct SquaredDistance;
    impl Kernel<f64> for SquaredDistance {
        fn evaluate(&self, x: &[f64], y: &[f64]) -> f64 {
            crate::rows::squared_distance(x, y)
        }
    }
    let (_, rows) = &data_sets()[0];
    assert!(check_definite(gram(rows, &SquaredDistance).view()).is_err());
}

#[test]
fn kernels_with_a_bandwidth_are_one_at_distance_zero_and_fall() {
    for kernel in kernels().into_iter().filter(|kernel| kernel.bandwidth().is_some()) {
        let values: Vec<f64> = (0..5).map(|i| kernel.evaluate(&[0.0], &[1e-3 * f64::from(i)])).collect();
        assert_eq!(values[0], 1.0, "{kernel}");
        assert!(values.windows(2).all(|pair| pair[1] <= pair[0]), "{kernel}: {values:?}");
    }
}

#[test]
fn f32_rows_give_the_value_of_the_same_numbers_in_f64() {
    let (x, y) = ([0.1_f32, -3.5, 2.25, 7.0], [1.5_f32, 0.2, 2.25, -0.3]);
    for kernel in built_in_kernels(2.0, 4) {
        let in_double = kernel.evaluate(&x.map(f64::from), &y.map(f64::from));
        assert_eq!(kernel.evaluate(&x, &y), in_double, "{kernel}");
    }
}

#[test]
fn bandwidths_out_of_range_are_rejected() {
    for kernel in kernels().into_iter().filter(|kernel| kernel.bandwidth().is_some()) {
        for bandwidth in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e-200, 1e200] {
            assert!(matches!(kernel.with_bandwidth(bandwidth), Err(Error::OutOfRange { .. })), "{kernel} {bandwidth}");
        }
    }
    assert!(matches!(BuiltInKernel::from(Linear).with_bandwidth(1.0), Err(Error::UnknownKernelParameter { .. })));
}

#[test]
fn polynomials_that_are_not_positive_definite_are_rejected() {
    assert!(Polynomial::new(0, 1.0, 0.0).is_err() && Polynomial::new(1, 0.0, 0.0).is_err());
    assert!(Polynomial::new(1, 1.0, -0.5).is_err() && Polynomial::new(1, f64::INFINITY, 0.0).is_err());
}

#[test]
fn only_known_parameters_are_accepted() {
    let polynomial = BuiltInKernel::definition_of("polynomial").unwrap();
    let given = [("degree", ParameterValue::Whole(2)), ("bandwidth", ParameterValue::Number(1.0))];
    let error = Error::UnknownKernelParameter { kernel: "polynomial", parameter: "bandwidth".to_owned() };
    assert_eq!(polynomial.build(&given), Err(error));
    let error = Error::MissingKernelParameter { kernel: "polynomial", parameter: "scale" };
    assert_eq!(polynomial.build(&given[..1]), Err(error));
}

#[test]
fn the_error_for_an_unknown_name_lists_the_known_ones() {
    let message = |name: &str| KernelSpec::new(name).unwrap_err().to_string();
    assert_eq!(
        message("Inverse-Multiquadratic"),
        "unknown kernel \"Inverse-Multiquadratic\"; did you mean \"inverse-multiquadric\"?"
    );
    assert!(message("xyz").starts_with("unknown kernel \"xyz\"; known kernels are gaussian, laplacian, "));
    assert_eq!(message("RBF"), "unknown kernel \"RBF\"; did you mean \"gaussian\"?");
    assert_eq!(message("dot"), "unknown kernel \"dot\"; did you mean \"linear\"?");
    // No alias is a name, and none belongs to two kernels.
    let definitions = BuiltInKernel::DEFINITIONS;
    let aliases: Vec<&str> = definitions.iter().flat_map(|definition| definition.aliases).copied().collect();
    for (at, alias) in aliases.iter().enumerate() {
        assert!(!aliases[..at].contains(alias) && definitions.iter().all(|definition| definition.name != *alias));
        assert_eq!(*alias, alias.to_lowercase());
    }
}

#[test]
fn the_median_is_measured_in_the_metric_of_the_kernel() {
    let rows = ndarray::array![[0.0, 0.0], [3.0, 4.0]];
    let median = BandwidthRule::Median { multiple: 1.0 };
    let spec = |name: &str| KernelSpec::new(name).unwrap().with_bandwidth(median).unwrap();
    let bandwidth = |name: &str| spec(name).resolve(None, &rows, 0).unwrap().bandwidth();
    assert_eq!((bandwidth("gaussian"), bandwidth("laplacian")), (Some(5.0), Some(7.0)));
}
