//! Every kernel is symmetric and positive semi-definite, on random and on degenerate rows.

use ndarray::Array2;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::definiteness::check_definite;
use super::*;

fn kernels() -> Vec<(&'static str, Box<dyn Kernel<f64>>)> {
    vec![
        ("gaussian", Box::new(Gaussian::new(1.3).unwrap())),
        ("narrow gaussian", Box::new(Gaussian::new(1e-3).unwrap())),
        ("wide gaussian", Box::new(Gaussian::new(1e3).unwrap())),
        ("laplacian", Box::new(Laplacian::new(1.3).unwrap())),
        ("matern32", Box::new(Matern32::new(1.3).unwrap())),
        ("matern52", Box::new(Matern52::new(1.3).unwrap())),
        ("inverse-multiquadric", Box::new(InverseMultiquadric::new(1.3).unwrap())),
        ("linear", Box::new(Linear)),
        ("polynomial", Box::new(Polynomial::new(3, 0.5, 1.0).unwrap())),
        ("cosine", Box::new(Cosine)),
        ("hamming", Box::new(Hamming)),
    ]
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
        for (name, kernel) in kernels() {
            let gram = gram(&rows, &*kernel);
            assert_eq!(gram, gram.t(), "{name} on {data}");
            assert_eq!(check_definite(gram.view()), Ok(()), "{name} on {data}");
        }
    }
}

#[test]
fn a_similarity_that_is_no_kernel_is_caught_by_the_same_check() {
    // The squared distance is symmetric but has negative directions: the check above can fail.
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
fn radial_kernels_are_one_at_distance_zero_and_fall() {
    for (name, kernel) in kernels().iter().filter(|(name, _)| !["linear", "polynomial", "cosine"].contains(name)) {
        let values: Vec<f64> = (0..5).map(|i| kernel.evaluate(&[0.0], &[1e-3 * f64::from(i)])).collect();
        assert_eq!(values[0], 1.0, "{name}");
        assert!(values.windows(2).all(|pair| pair[1] <= pair[0]), "{name}: {values:?}");
    }
}

#[test]
fn f32_rows_give_the_value_of_the_same_numbers_in_f64() {
    let (x, y) = ([0.1_f32, -3.5, 2.25, 7.0], [1.5_f32, 0.2, 2.25, -0.3]);
    let (wide_x, wide_y) = (x.map(f64::from), y.map(f64::from));
    fn both<K: Kernel<f32> + Kernel<f64>>(kernel: K, (x, y): (&[f32], &[f32]), (wide_x, wide_y): (&[f64], &[f64])) {
        assert_eq!(kernel.evaluate(x, y), kernel.evaluate(wide_x, wide_y));
    }
    both(Gaussian::new(2.0).unwrap(), (&x, &y), (&wide_x, &wide_y));
    both(Laplacian::new(2.0).unwrap(), (&x, &y), (&wide_x, &wide_y));
    both(Matern32::new(2.0).unwrap(), (&x, &y), (&wide_x, &wide_y));
    both(Matern52::new(2.0).unwrap(), (&x, &y), (&wide_x, &wide_y));
    both(InverseMultiquadric::new(2.0).unwrap(), (&x, &y), (&wide_x, &wide_y));
    both(Linear, (&x, &y), (&wide_x, &wide_y));
    both(Polynomial::new(2, 1.0, 0.0).unwrap(), (&x, &y), (&wide_x, &wide_y));
    both(Cosine, (&x, &y), (&wide_x, &wide_y));
    both(Hamming, (&x, &y), (&wide_x, &wide_y));
}

#[test]
fn parameters_that_make_no_kernel_are_refused() {
    for bandwidth in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(Gaussian::new(bandwidth).is_err() && Laplacian::new(bandwidth).is_err());
        assert!(Matern32::new(bandwidth).is_err() && Matern52::new(bandwidth).is_err());
        assert!(InverseMultiquadric::new(bandwidth).is_err());
    }
    assert!(Polynomial::new(0, 1.0, 0.0).is_err() && Polynomial::new(1, 0.0, 0.0).is_err());
}
