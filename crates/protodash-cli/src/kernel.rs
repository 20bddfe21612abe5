//! From flags, or from a saved result, to a kernel that the core can use.

use ndarray::Array2;
use protodash::bandwidth::{Metric, median};
use protodash::{
    Cosine, Error, Form, Gaussian, Hamming, InverseMultiquadric, Kernel, Laplacian, Linear, Matern32, Matern52,
    Polynomial, Result, Scalar,
};

use crate::args::{self, Bandwidth, KernelName};

/// Any kernel that has a formula.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Formula {
    Gaussian(Gaussian),
    Laplacian(Laplacian),
    Matern32(Matern32),
    Matern52(Matern52),
    InverseMultiquadric(InverseMultiquadric),
    Linear,
    Polynomial(Polynomial),
    Cosine,
    Hamming,
}

/// How the kernel comes about, once the data are there.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Recipe {
    /// It is known already.
    Ready(Formula),
    /// It is as wide as the median distance of the rows.
    Median { metric: Metric, seed: u64, with_bandwidth: fn(f64) -> Result<Formula> },
    /// It depends on the number of features.
    Polynomial { degree: u32, offset: f64 },
}

impl Recipe {
    /// What the flags ask for; `None` if they announce kernel matrices.
    pub(crate) fn from_flags(flags: &args::Kernel, seed: u64) -> Result<Option<Recipe>> {
        let with_bandwidth: fn(f64) -> Result<Formula> = match flags.name {
            KernelName::Gaussian => |bandwidth| Gaussian::new(bandwidth).map(Formula::Gaussian),
            KernelName::Laplacian => |bandwidth| Laplacian::new(bandwidth).map(Formula::Laplacian),
            KernelName::Matern32 => |bandwidth| Matern32::new(bandwidth).map(Formula::Matern32),
            KernelName::Matern52 => |bandwidth| Matern52::new(bandwidth).map(Formula::Matern52),
            KernelName::InverseMultiquadric => {
                |bandwidth| InverseMultiquadric::new(bandwidth).map(Formula::InverseMultiquadric)
            }
            KernelName::Linear => return Ok(Some(Recipe::Ready(Formula::Linear))),
            KernelName::Cosine => return Ok(Some(Recipe::Ready(Formula::Cosine))),
            KernelName::Hamming => return Ok(Some(Recipe::Ready(Formula::Hamming))),
            KernelName::Polynomial => {
                let (degree, offset) = (flags.degree.unwrap_or(3), flags.offset.unwrap_or(1.0));
                return Ok(Some(Recipe::Polynomial { degree, offset }));
            }
            KernelName::Precomputed => return Ok(None),
        };
        let metric = if flags.name == KernelName::Laplacian { Metric::Manhattan } else { Metric::Euclidean };
        Ok(Some(match flags.bandwidth {
            Some(Bandwidth::Number(bandwidth)) => Recipe::Ready(with_bandwidth(bandwidth)?),
            // Widths to be tried are multiples of the median.
            Some(Bandwidth::Median | Bandwidth::CrossValidated) | None => {
                Recipe::Median { metric, seed, with_bandwidth }
            }
        }))
    }

    /// The kernel for these rows.
    pub(crate) fn prepare<T: Scalar>(&self, target: &Array2<T>, source: &Array2<T>) -> Result<Formula> {
        match *self {
            Recipe::Ready(kernel) => Ok(kernel),
            Recipe::Median { metric, seed, with_bandwidth } => match median(target, source, metric, seed) {
                // One row has no distance to another; any width gives it the same kernel value of 1.
                Err(Error::NoDistance { rows: 1 }) => with_bandwidth(1.0),
                found => with_bandwidth(found?),
            },
            // One over the number of features keeps the product of two scaled rows near 1.
            Recipe::Polynomial { degree, offset } => {
                Polynomial::new(degree, 1.0 / source.ncols() as f64, offset).map(Formula::Polynomial)
            }
        }
    }

    /// Whether the kernel asks only if values are equal.
    pub(crate) fn compares_codes(&self) -> bool {
        matches!(self, Recipe::Ready(Formula::Hamming))
    }
}

impl Formula {
    /// The kernel of the same kind with another width; itself if it has none.
    pub(crate) fn with_bandwidth(self, bandwidth: f64) -> Result<Formula> {
        match self {
            Formula::Gaussian(_) => Gaussian::new(bandwidth).map(Formula::Gaussian),
            Formula::Laplacian(_) => Laplacian::new(bandwidth).map(Formula::Laplacian),
            Formula::Matern32(_) => Matern32::new(bandwidth).map(Formula::Matern32),
            Formula::Matern52(_) => Matern52::new(bandwidth).map(Formula::Matern52),
            Formula::InverseMultiquadric(_) => InverseMultiquadric::new(bandwidth).map(Formula::InverseMultiquadric),
            other @ (Formula::Linear | Formula::Polynomial(_) | Formula::Cosine | Formula::Hamming) => Ok(other),
        }
    }

    /// The kernel with this formula; `None` for one without.
    pub(crate) fn from_form(form: Form) -> Result<Option<Formula>> {
        Ok(Some(match form {
            Form::Gaussian { bandwidth } => Formula::Gaussian(Gaussian::new(bandwidth)?),
            Form::Laplacian { bandwidth } => Formula::Laplacian(Laplacian::new(bandwidth)?),
            Form::Matern32 { bandwidth } => Formula::Matern32(Matern32::new(bandwidth)?),
            Form::Matern52 { bandwidth } => Formula::Matern52(Matern52::new(bandwidth)?),
            Form::InverseMultiquadric { bandwidth } => {
                Formula::InverseMultiquadric(InverseMultiquadric::new(bandwidth)?)
            }
            Form::Linear => Formula::Linear,
            Form::Polynomial { degree, scale, offset } => Formula::Polynomial(Polynomial::new(degree, scale, offset)?),
            Form::Cosine => Formula::Cosine,
            Form::Hamming => Formula::Hamming,
            _ => return Ok(None),
        }))
    }

    /// The formula of the kernel.
    pub(crate) fn form(&self) -> Form {
        match self {
            Formula::Gaussian(kernel) => Kernel::<f64>::form(kernel),
            Formula::Laplacian(kernel) => Kernel::<f64>::form(kernel),
            Formula::Matern32(kernel) => Kernel::<f64>::form(kernel),
            Formula::Matern52(kernel) => Kernel::<f64>::form(kernel),
            Formula::InverseMultiquadric(kernel) => Kernel::<f64>::form(kernel),
            Formula::Linear => Form::Linear,
            Formula::Polynomial(kernel) => Kernel::<f64>::form(kernel),
            Formula::Cosine => Form::Cosine,
            Formula::Hamming => Form::Hamming,
        }
    }
}

impl<T: Scalar> Kernel<T> for Formula {
    #[inline]
    fn evaluate(&self, x: &[T], y: &[T]) -> f64 {
        match self {
            Formula::Gaussian(kernel) => kernel.evaluate(x, y),
            Formula::Laplacian(kernel) => kernel.evaluate(x, y),
            Formula::Matern32(kernel) => kernel.evaluate(x, y),
            Formula::Matern52(kernel) => kernel.evaluate(x, y),
            Formula::InverseMultiquadric(kernel) => kernel.evaluate(x, y),
            Formula::Linear => Linear.evaluate(x, y),
            Formula::Polynomial(kernel) => kernel.evaluate(x, y),
            Formula::Cosine => Cosine.evaluate(x, y),
            Formula::Hamming => Hamming.evaluate(x, y),
        }
    }

    fn form(&self) -> Form {
        Formula::form(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::ValueEnum;
    use ndarray::array;

    fn flags(name: KernelName) -> args::Kernel {
        args::Kernel { name, bandwidth: None, degree: None, offset: None }
    }

    fn formula(name: KernelName, rows: &Array2<f64>) -> Option<Formula> {
        Recipe::from_flags(&flags(name), 0).unwrap().map(|recipe| recipe.prepare(rows, rows).unwrap())
    }

    #[test]
    fn every_name_is_a_kernel_that_a_result_can_bring_back() {
        let rows = array![[0.0, 1.0], [2.0, 5.0], [3.0, 3.0]];
        for &name in KernelName::value_variants() {
            match formula(name, &rows) {
                Some(formula) => assert_eq!(Formula::from_form(formula.form()), Ok(Some(formula)), "{name:?}"),
                None => assert_eq!(name, KernelName::Precomputed),
            }
        }
    }

    #[test]
    fn the_laplacian_measures_its_median_in_its_own_distance() {
        let rows = array![[0.0, 0.0], [3.0, 4.0]];
        let form = |name| formula(name, &rows).unwrap().form();
        assert_eq!(form(KernelName::Gaussian), Form::Gaussian { bandwidth: 5.0 });
        assert_eq!(form(KernelName::Laplacian), Form::Laplacian { bandwidth: 7.0 });
    }

    #[test]
    fn one_row_alone_needs_no_distance() {
        let row = array![[3.0, 4.0]];
        assert_eq!(formula(KernelName::Gaussian, &row).unwrap().form(), Form::Gaussian { bandwidth: 1.0 });
    }

    #[test]
    fn the_polynomial_is_scaled_by_the_number_of_features() {
        let rows = array![[3.0, 4.0], [1.0, 0.0]];
        let form = Form::Polynomial { degree: 3, scale: 0.5, offset: 1.0 };
        assert_eq!(formula(KernelName::Polynomial, &rows).unwrap().form(), form);
    }
}
