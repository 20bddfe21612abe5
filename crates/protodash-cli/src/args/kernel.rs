//! How similar two rows are: the kernel and its parameters.

use clap::ValueEnum;

use super::values::{Bandwidth, not_negative};
use super::{Data, Scale};
use crate::error::Failure;

/// The kernel and its parameters.
#[derive(Debug, Clone, PartialEq, clap::Args)]
#[command(next_help_heading = "Similarity")]
pub(crate) struct Kernel {
    /// How the similarity of two rows is measured
    #[arg(long = "kernel", value_enum, value_name = "KERNEL", default_value_t)]
    pub(crate) name: KernelName,

    /// Width of the kernel: `median` (of the distances between rows), `cv` (cross-validated) or a number, as in exp(-d^2 / (2 bandwidth^2)) [default: median]
    ///
    /// `cv` tries eleven widths from 1/8 to 4 times the median in five folds, on at most 5,000 rows, and takes the one
    /// whose prototypes serve the held-out rows best: with --label by the class of the nearest prototype, without by the
    /// distance from it.
    #[arg(long, value_name = "median|cv|NUMBER", allow_hyphen_values = true)]
    pub(crate) bandwidth: Option<Bandwidth>,

    /// Power p of the polynomial kernel, (x.y / n_features + offset)^p [default: 3]
    #[arg(long, value_name = "P", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) degree: Option<u32>,

    /// Offset of the polynomial kernel [default: 1]
    #[arg(long, value_name = "X", value_parser = not_negative, allow_hyphen_values = true)]
    pub(crate) offset: Option<f64>,
}

impl Kernel {
    /// Refuses parameters that the kernel does not have, and data flags that it cannot use.
    pub(super) fn check(&self, data: &Data) -> Result<(), Failure> {
        let name = self.name.word();
        let polynomial = self.name == KernelName::Polynomial;
        if self.bandwidth.is_some() && !self.name.has_bandwidth() {
            return Err(Failure::call(format!("--kernel {name} has no --bandwidth"), "leave --bandwidth out"));
        }
        for (flag, given) in [("--degree", self.degree.is_some()), ("--offset", self.offset.is_some())] {
            if given && !polynomial {
                let message = format!("{flag} belongs to --kernel polynomial, and the kernel is {name}");
                return Err(Failure::call(message, format!("leave {flag} out, or give --kernel polynomial")));
            }
        }
        let scaled = data.scale.is_some_and(|scale| scale != Scale::None);
        if self.name == KernelName::Hamming && scaled {
            let message = "--kernel hamming asks whether values are equal, so that --scale has no effect";
            return Err(Failure::call(message, "leave --scale out"));
        }
        match data.role_flags().first() {
            Some(flag) if self.name == KernelName::Precomputed => {
                let message = format!("--kernel precomputed reads kernel matrices, for which {flag} means nothing");
                Err(Failure::call(message, format!("leave {flag} out, or give another kernel")))
            }
            _ => Ok(()),
        }
    }
}

/// The kernels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum KernelName {
    /// exp(-|x-y|^2 / (2 s^2))
    #[default]
    Gaussian,
    /// exp(-|x-y|_1 / s), with the sum of absolute differences
    Laplacian,
    /// Matérn with smoothness 3/2: once differentiable
    Matern32,
    /// Matérn with smoothness 5/2: twice differentiable
    Matern52,
    /// 1 / sqrt(1 + |x-y|^2 / s^2), with long tails
    InverseMultiquadric,
    /// x.y
    Linear,
    /// (x.y / n_features + offset)^degree
    Polynomial,
    /// x.y / (|x| |y|)
    Cosine,
    /// Part of the columns in which two rows agree, for categories and codes
    Hamming,
    /// SOURCE is the kernel matrix itself, n x n, and --target one with a row for each target row and a column for each
    /// source row; tables must not have a header
    Precomputed,
}

impl KernelName {
    /// The word for it on the command line and in results.
    pub(crate) fn word(self) -> &'static str {
        match self {
            KernelName::Gaussian => "gaussian",
            KernelName::Laplacian => "laplacian",
            KernelName::Matern32 => "matern32",
            KernelName::Matern52 => "matern52",
            KernelName::InverseMultiquadric => "inverse-multiquadric",
            KernelName::Linear => "linear",
            KernelName::Polynomial => "polynomial",
            KernelName::Cosine => "cosine",
            KernelName::Hamming => "hamming",
            KernelName::Precomputed => "precomputed",
        }
    }

    /// Whether its values depend on a width.
    pub(crate) fn has_bandwidth(self) -> bool {
        use KernelName::{Gaussian, InverseMultiquadric, Laplacian, Matern32, Matern52};
        matches!(self, Gaussian | Laplacian | Matern32 | Matern52 | InverseMultiquadric)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_are_those_of_the_flag() {
        for name in KernelName::value_variants() {
            assert_eq!(name.to_possible_value().unwrap().get_name(), name.word());
        }
    }
}
