//! Every kernel, in f64 by the library and in double-double by its formula.

use crate::double_double::DoubleDouble;
use protodash::{
    BuiltInKernel, Cosine, Distance, Gaussian, Hamming, InverseMultiquadric, Kernel, Laplacian, Linear, Matern32,
    Matern52, Polynomial, Scalar,
};

/// A kernel with its parameters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Similarity {
    Gaussian(f64),
    Laplacian(f64),
    Matern32(f64),
    Matern52(f64),
    InverseMultiquadric(f64),
    Linear,
    Polynomial { degree: u32, scale: f64, offset: f64 },
    Cosine,
    Hamming,
}

/// A kernel value, and the size of the terms it is computed from, which its rounding error is relative to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ExactValue {
    pub(crate) value: DoubleDouble,
    pub(crate) size: f64,
}

impl ExactValue {
    pub(crate) const ZERO: ExactValue = ExactValue { value: DoubleDouble::ZERO, size: 0.0 };
}

/// A kernel that hides its formula, so that the library evaluates it pair by pair.
pub(crate) struct Opaque(pub(crate) BuiltInKernel);

impl<T: Scalar> Kernel<T> for Opaque {
    fn evaluate(&self, x: &[T], y: &[T]) -> f64 {
        self.0.evaluate(x, y)
    }
}

fn exact(value: f64) -> DoubleDouble {
    DoubleDouble::from(value)
}

fn squared_distance(x: &[f64], y: &[f64]) -> DoubleDouble {
    let pairs = x.iter().zip(y).map(|(x, y)| exact(*x) - exact(*y));
    pairs.map(|difference| difference * difference).sum()
}

fn product(x: &[f64], y: &[f64]) -> DoubleDouble {
    x.iter().zip(y).map(|(x, y)| exact(*x) * exact(*y)).sum()
}

impl Similarity {
    /// The kernel of the library.
    pub(crate) fn built_in(self) -> BuiltInKernel {
        match self {
            Similarity::Gaussian(bandwidth) => Gaussian::new(bandwidth).unwrap().into(),
            Similarity::Laplacian(bandwidth) => Laplacian::new(bandwidth).unwrap().into(),
            Similarity::Matern32(bandwidth) => Matern32::new(bandwidth).unwrap().into(),
            Similarity::Matern52(bandwidth) => Matern52::new(bandwidth).unwrap().into(),
            Similarity::InverseMultiquadric(bandwidth) => InverseMultiquadric::new(bandwidth).unwrap().into(),
            Similarity::Linear => Linear.into(),
            Similarity::Polynomial { degree, scale, offset } => Polynomial::new(degree, scale, offset).unwrap().into(),
            Similarity::Cosine => Cosine.into(),
            Similarity::Hamming => Hamming.into(),
        }
    }

    /// All kernels, for rows that are typically this far apart.
    pub(crate) fn all(bandwidth: f64, degree: u32, scale: f64) -> Vec<Similarity> {
        vec![
            Similarity::Gaussian(bandwidth),
            Similarity::Laplacian(bandwidth),
            Similarity::Matern32(bandwidth),
            Similarity::Matern52(bandwidth),
            Similarity::InverseMultiquadric(bandwidth),
            Similarity::Linear,
            Similarity::Polynomial { degree, scale, offset: 1.0 },
            Similarity::Cosine,
            Similarity::Hamming,
        ]
    }

    /// Whether values depend on the size of rows, so that they overflow where rows are large.
    pub(crate) fn grows(self) -> bool {
        matches!(self, Similarity::Linear | Similarity::Polynomial { .. })
    }

    pub(crate) fn evaluate(self, x: &[f64], y: &[f64]) -> ExactValue {
        let one = DoubleDouble::ONE;
        let decay =
            |factor: f64, bandwidth: f64| exact(factor).sqrt() * squared_distance(x, y).sqrt() / exact(bandwidth);
        let value = match self {
            Similarity::Gaussian(bandwidth) => {
                let square = exact(bandwidth) * exact(bandwidth);
                (-squared_distance(x, y) / (square + square)).exp()
            }
            Similarity::Laplacian(bandwidth) => {
                let apart: DoubleDouble = x.iter().zip(y).map(|(x, y)| (exact(*x) - exact(*y)).abs()).sum();
                (-apart / exact(bandwidth)).exp()
            }
            Similarity::Matern32(bandwidth) => {
                let scaled = decay(3.0, bandwidth);
                (one + scaled) * (-scaled).exp()
            }
            Similarity::Matern52(bandwidth) => {
                let scaled = decay(5.0, bandwidth);
                (one + scaled + scaled * scaled / exact(3.0)) * (-scaled).exp()
            }
            Similarity::InverseMultiquadric(bandwidth) => {
                let square = exact(bandwidth) * exact(bandwidth);
                one / (one + squared_distance(x, y) / square).sqrt()
            }
            Similarity::Linear => product(x, y),
            Similarity::Polynomial { degree, scale, offset } => {
                (exact(scale) * product(x, y) + exact(offset)).powi(degree)
            }
            Similarity::Cosine => cosine(x, y),
            Similarity::Hamming => {
                let n_equal = x.iter().zip(y).filter(|(x, y)| x == y).count();
                exact(n_equal as f64) / exact(x.len() as f64)
            }
        };
        let terms: f64 = x.iter().zip(y).map(|(x, y)| (x * y).abs()).sum();
        let size = match self {
            Similarity::Linear => terms,
            Similarity::Polynomial { degree, scale, offset } => (scale * terms + offset).powi(degree as i32),
            _ => 1.0,
        };
        ExactValue { value, size }
    }

    /// The distance that K-Medoids uses with this kernel.
    pub(crate) fn distance(self, x: &[f64], y: &[f64]) -> DoubleDouble {
        match Distance::of::<f64, _>(&self.built_in()) {
            Distance::Euclidean => squared_distance(x, y).sqrt(),
            Distance::Manhattan => x.iter().zip(y).map(|(x, y)| (exact(*x) - exact(*y)).abs()).sum(),
            Distance::Cosine if x == y => DoubleDouble::ZERO, // also where both are zero
            Distance::Hamming | Distance::Cosine => DoubleDouble::ONE - self.evaluate(x, y).value,
            _ => {
                let [own, other, both] = [(x, x), (y, y), (x, y)].map(|(x, y)| self.evaluate(x, y).value);
                (own + other - both - both).sqrt()
            }
        }
    }
}

/// The cosine of the angle between two rows; 0 if one of them is zero.
fn cosine(x: &[f64], y: &[f64]) -> DoubleDouble {
    // Divided by the largest value first, so that squares neither overflow nor vanish.
    let unit = |row: &[f64]| {
        let largest = row.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
        let scaled: Vec<DoubleDouble> = row.iter().map(|value| exact(*value) / exact(largest)).collect();
        let length = scaled.iter().map(|value| *value * *value).sum::<DoubleDouble>().sqrt();
        (largest > 0.0).then(|| scaled.into_iter().map(|value| value / length).collect::<Vec<_>>())
    };
    match (unit(x), unit(y)) {
        (Some(x), Some(y)) => x.iter().zip(&y).map(|(x, y)| *x * *y).sum(),
        _ => DoubleDouble::ZERO,
    }
}

#[test]
fn every_kernel_of_the_library_is_here_and_has_the_same_values() {
    let all = Similarity::all(1.3, 3, 0.5);
    let names: Vec<&str> = all.iter().map(|similarity| similarity.built_in().definition().name).collect();
    let expected: Vec<&str> = BuiltInKernel::DEFINITIONS.iter().map(|definition| definition.name).collect();
    assert_eq!(names, expected);
    let rows: [&[f64]; 4] = [&[0.5, -1.0, 2.0], &[0.5, 1.5, 1.0], &[0.0; 3], &[3.0, -1.0, 2.5]];
    for similarity in all {
        for x in rows {
            for y in rows {
                let (ours, exact) = (similarity.built_in().evaluate(x, y), similarity.evaluate(x, y));
                assert!(
                    (ours - exact.value.to_f64()).abs() <= 1e-14 * exact.size.max(1.0),
                    "{similarity:?} {x:?} {y:?}"
                );
            }
        }
    }
}
