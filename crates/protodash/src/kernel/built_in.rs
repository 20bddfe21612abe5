//! The list of built-in kernels, and everything that is generated from it.

use std::fmt;

use super::definition::{BANDWIDTH, BuiltIn, KernelDefinition, ParameterValue};
use super::{Kernel, LoopFormula};
use crate::error::{Error, Result};
use crate::rows::Scalar;

/// Lists the kernels in the order in which help texts show them.
macro_rules! built_in_kernels {
    ($($module:ident::$kernel:ident),* $(,)?) => {
        $(pub use super::$module::$kernel;)*

        /// Any of the built-in kernels, for callers that choose one at run time.
        ///
        /// # Examples
        ///
        /// ```
        /// use protodash::{BuiltInKernel, Kernel, Laplacian};
        ///
        /// let kernel = BuiltInKernel::from(Laplacian::new(2.0)?);
        /// assert_eq!(kernel.evaluate(&[0.0], &[2.0]), (-1.0_f64).exp());
        /// assert_eq!(kernel.to_string(), "laplacian (bandwidth 2)");
        /// # Ok::<(), protodash::Error>(())
        /// ```
        #[derive(Debug, Clone, Copy, PartialEq)]
        #[non_exhaustive]
        pub enum BuiltInKernel {
            $(#[doc = concat!("See [`", stringify!($kernel), "`].")] $kernel($kernel)),*
        }

        impl BuiltInKernel {
            /// All built-in kernels.
            pub const DEFINITIONS: &'static [KernelDefinition] = &[$($kernel::DEFINITION),*];

            /// The definition of this kernel, which does not depend on its parameters.
            pub fn definition(&self) -> &'static KernelDefinition {
                match self {
                    $(BuiltInKernel::$kernel(_) => const { &$kernel::DEFINITION }),*
                }
            }

            /// The parameters by name, in the order in which results list them.
            pub fn parameters(&self) -> Vec<(&'static str, ParameterValue)> {
                match self {
                    $(BuiltInKernel::$kernel(kernel) => kernel.parameters()),*
                }
            }

            /// How the loops over many pairs compute this kernel; `None` calls `evaluate` for each pair.
            pub(crate) fn loop_formula(&self) -> Option<LoopFormula> {
                match self {
                    $(BuiltInKernel::$kernel(kernel) => kernel.loop_formula()),*
                }
            }
        }

        impl<T: Scalar> Kernel<T> for BuiltInKernel {
            #[inline]
            fn evaluate(&self, x: &[T], y: &[T]) -> f64 {
                match self {
                    $(BuiltInKernel::$kernel(kernel) => kernel.evaluate(x, y)),*
                }
            }

            fn built_in(&self) -> Option<BuiltInKernel> {
                Some(*self)
            }
        }

        $(impl From<$kernel> for BuiltInKernel {
            fn from(kernel: $kernel) -> Self {
                BuiltInKernel::$kernel(kernel)
            }
        })*
    };
}

built_in_kernels! {
    gaussian::Gaussian,
    laplacian::Laplacian,
    matern32::Matern32,
    matern52::Matern52,
    inverse_multiquadric::InverseMultiquadric,
    linear::Linear,
    polynomial::Polynomial,
    cosine::Cosine,
    hamming::Hamming,
}

/// Similarity above which a known name is suggested for an unknown one.
const ALIKE: f64 = 0.7;

impl BuiltInKernel {
    /// Name of the default kernel.
    pub const DEFAULT: &'static str = InverseMultiquadric::DEFINITION.name;

    /// The definition of the kernel with this name.
    ///
    /// # Errors
    ///
    /// If there is no such kernel; the error suggests the most similar name.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash::BuiltInKernel;
    ///
    /// assert!(BuiltInKernel::definition_of("hamming")?.compares_codes);
    /// let error = BuiltInKernel::definition_of("gausian").unwrap_err();
    /// assert_eq!(error.to_string(), "unknown kernel \"gausian\"; did you mean \"gaussian\"?");
    /// # Ok::<(), protodash::Error>(())
    /// ```
    pub fn definition_of(name: &str) -> Result<&'static KernelDefinition> {
        let found = Self::DEFINITIONS.iter().find(|definition| definition.name == name);
        found.ok_or_else(|| Error::UnknownKernel { name: name.to_owned(), alike: alike(name) })
    }

    /// The bandwidth; `None` if the kernel has none.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash::{BuiltInKernel, Gaussian, Linear};
    ///
    /// assert_eq!(BuiltInKernel::from(Gaussian::new(2.0)?).bandwidth(), Some(2.0));
    /// assert_eq!(BuiltInKernel::from(Linear).bandwidth(), None);
    /// # Ok::<(), protodash::Error>(())
    /// ```
    pub fn bandwidth(&self) -> Option<f64> {
        let parameters = self.parameters();
        parameters.iter().find(|(name, _)| *name == BANDWIDTH.name).map(|(_, value)| value.to_f64())
    }

    /// The same kernel with another bandwidth.
    ///
    /// # Errors
    ///
    /// If the kernel has no bandwidth, or if the value is out of range.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash::{BuiltInKernel, Gaussian};
    ///
    /// let kernel = BuiltInKernel::from(Gaussian::new(2.0)?);
    /// assert_eq!(kernel.with_bandwidth(3.0)?, Gaussian::new(3.0)?.into());
    /// # Ok::<(), protodash::Error>(())
    /// ```
    pub fn with_bandwidth(&self, bandwidth: f64) -> Result<Self> {
        self.definition().parameter(BANDWIDTH.name)?;
        let mut parameters = self.parameters();
        for (name, value) in &mut parameters {
            if *name == BANDWIDTH.name {
                *value = ParameterValue::Number(bandwidth);
            }
        }
        self.definition().build(&parameters)
    }
}

impl fmt::Display for BuiltInKernel {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parameters: Vec<String> = self.parameters().iter().map(|(name, value)| format!("{name} {value}")).collect();
        formatter.write_str(self.definition().name)?;
        if parameters.is_empty() { Ok(()) } else { write!(formatter, " ({})", parameters.join(", ")) }
    }
}

/// The name of the kernel that other programs call so, or else the most similar known name, if there is a similar one.
fn alike(name: &str) -> Option<&'static str> {
    let lower = name.to_lowercase();
    if let Some(definition) =
        BuiltInKernel::DEFINITIONS.iter().find(|definition| definition.aliases.contains(&lower.as_str()))
    {
        return Some(definition.name);
    }
    let similarity = |known: &str| strsim::jaro_winkler(&lower, known);
    let names = BuiltInKernel::DEFINITIONS.iter().map(|definition| definition.name);
    names.filter(|known| similarity(known) > ALIKE).max_by(|a, b| similarity(a).total_cmp(&similarity(b)))
}
