//! The definition of a kernel: its name, parameters and properties, from which everything else is generated.

use std::fmt;

use super::{BuiltInKernel, Distance, LoopFormula};
use crate::error::{Error, Result};
use crate::params::in_range;

/// A built-in kernel as its own file describes it.
///
/// # Examples
///
/// ```
/// use protodash::BuiltInKernel;
///
/// let names: Vec<&str> = BuiltInKernel::DEFINITIONS.iter().map(|definition| definition.name).collect();
/// assert!(names.contains(&"gaussian"));
/// ```
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct KernelDefinition {
    /// Name of the kernel on the command line, in Python and in results.
    pub name: &'static str,
    /// Its names in other programs, in lower case: they are no names here, but errors suggest this kernel.
    pub aliases: &'static [&'static str],
    /// One line for help texts: the formula or a description.
    pub formula: &'static str,
    /// Parameters in the order in which results list them.
    pub parameters: &'static [Parameter],
    /// Distance that K-Medoids uses with this kernel, and in which its bandwidth is measured.
    pub distance: Distance,
    /// True if k(x, x) = 1 for every row, so that no similarity exceeds 1.
    pub unit_diagonal: bool,
    /// True if the kernel only tests values for equality, so columns should hold category codes.
    pub compares_codes: bool,
    /// The `auto` bandwidth as a multiple of the median distance; `None` if the kernel has no bandwidth.
    pub auto_bandwidth: Option<f64>,
    /// Builds the kernel from its parameters.
    pub(super) build: fn(&ParameterValues<'_>) -> Result<BuiltInKernel>,
}

impl KernelDefinition {
    /// Whether no similarity exceeds 1.
    pub(crate) fn has_small_values(&self) -> bool {
        self.unit_diagonal || self.distance == Distance::Cosine
    }

    /// The kernel with these parameters, in any order.
    ///
    /// # Errors
    ///
    /// If a parameter is missing, unknown or out of range.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash::{BuiltInKernel, Gaussian, ParameterValue};
    ///
    /// let gaussian = BuiltInKernel::definition_of("gaussian")?;
    /// let kernel = gaussian.build(&[("bandwidth", ParameterValue::Number(2.0))])?;
    /// assert_eq!(kernel, Gaussian::new(2.0)?.into());
    /// let error = gaussian.build(&[]).unwrap_err();
    /// assert_eq!(error.to_string(), "the gaussian kernel needs a value for its bandwidth");
    /// # Ok::<(), protodash::Error>(())
    /// ```
    pub fn build(&self, values: &[(&str, ParameterValue)]) -> Result<BuiltInKernel> {
        for (name, _) in values {
            self.parameter(name)?;
        }
        (self.build)(&ParameterValues { kernel: self.name, values })
    }

    /// The parameter of this name.
    ///
    /// # Errors
    ///
    /// If the kernel does not have it.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash::BuiltInKernel;
    ///
    /// let error = BuiltInKernel::definition_of("linear")?.parameter("bandwidth").unwrap_err();
    /// assert_eq!(error.to_string(), "the linear kernel has no parameter bandwidth");
    /// # Ok::<(), protodash::Error>(())
    /// ```
    pub fn parameter(&self, name: &str) -> Result<&'static Parameter> {
        let found = self.parameters.iter().find(|parameter| parameter.name == name);
        found.ok_or_else(|| Error::UnknownKernelParameter { kernel: self.name, parameter: name.to_owned() })
    }

    /// True if the kernel has a bandwidth.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash::BuiltInKernel;
    ///
    /// assert!(BuiltInKernel::definition_of("laplacian")?.has_bandwidth());
    /// assert!(!BuiltInKernel::definition_of("cosine")?.has_bandwidth());
    /// # Ok::<(), protodash::Error>(())
    /// ```
    pub fn has_bandwidth(&self) -> bool {
        self.parameter(BANDWIDTH.name).is_ok()
    }
}

/// A parameter of a kernel.
///
/// # Examples
///
/// ```
/// use protodash::{BuiltInKernel, ParameterDefault, ParameterValue};
///
/// let degree = BuiltInKernel::definition_of("polynomial")?.parameter("degree")?;
/// assert_eq!(degree.default, ParameterDefault::Value(ParameterValue::Whole(3)));
/// # Ok::<(), protodash::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Parameter {
    /// Name of the parameter in Rust, in Python, in flags and in results.
    pub name: &'static str,
    /// One line for help texts.
    pub help: &'static str,
    /// True if only whole numbers are allowed.
    pub is_whole: bool,
    /// Value when none is given.
    pub default: ParameterDefault,
    /// Smallest and largest allowed value.
    pub(super) range: (f64, f64),
    /// The allowed values in words.
    pub allowed: &'static str,
}

/// The bandwidth σ of every kernel that decreases with a distance; σ² must also be a normal number.
pub(super) const BANDWIDTH: Parameter = Parameter {
    name: "bandwidth",
    help: "bandwidth of the kernel",
    is_whole: false,
    default: ParameterDefault::BandwidthRule,
    range: (1e-150, 1e150),
    allowed: "above 0 and finite (1e-150 to 1e150)",
};

impl Parameter {
    /// Checks that the parameter can have this value.
    ///
    /// # Errors
    ///
    /// If the value is out of range, or not an integer although the parameter is one.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash::BuiltInKernel;
    ///
    /// let degree = BuiltInKernel::definition_of("polynomial")?.parameter("degree")?;
    /// let error = degree.check(2.5).unwrap_err();
    /// assert_eq!(error.to_string(), "degree is 2.5; it must be a whole number from 1 to 1000");
    /// # Ok::<(), protodash::Error>(())
    /// ```
    pub fn check(&self, value: f64) -> Result<()> {
        let inside = (self.range.0..=self.range.1).contains(&value);
        in_range(self.name, value, inside && (!self.is_whole || value.fract() == 0.0), self.allowed)
    }
}

/// Where the value of a parameter comes from when none is given.
///
/// # Examples
///
/// ```
/// use protodash::{BuiltInKernel, ParameterDefault};
///
/// let scale = BuiltInKernel::definition_of("polynomial")?.parameter("scale")?;
/// assert_eq!(scale.default, ParameterDefault::OneOverFeatures);
/// # Ok::<(), protodash::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum ParameterDefault {
    /// This value.
    Value(ParameterValue),
    /// The default [`BandwidthRule`](crate::bandwidth::BandwidthRule), applied to the data.
    BandwidthRule,
    /// One over the number of columns of the data.
    OneOverFeatures,
}

/// The value of a kernel's parameter.
///
/// # Examples
///
/// ```
/// use protodash::ParameterValue;
///
/// assert_eq!(ParameterValue::Whole(3).to_f64(), 3.0);
/// assert_eq!(ParameterValue::Number(0.5).to_string(), "0.5");
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ParameterValue {
    /// A whole number.
    Whole(u32),
    /// Any other number.
    Number(f64),
}

impl ParameterValue {
    /// The value as a floating-point number.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(protodash::ParameterValue::Number(0.5).to_f64(), 0.5);
    /// ```
    pub fn to_f64(self) -> f64 {
        match self {
            ParameterValue::Whole(value) => f64::from(value),
            ParameterValue::Number(value) => value,
        }
    }
}

impl fmt::Display for ParameterValue {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_f64().fmt(formatter)
    }
}

/// The parameters that a kernel is built from.
#[derive(Debug)]
pub(super) struct ParameterValues<'a> {
    kernel: &'static str,
    values: &'a [(&'a str, ParameterValue)],
}

impl ParameterValues<'_> {
    /// The value of a parameter, checked.
    pub(super) fn get(&self, parameter: &Parameter) -> Result<f64> {
        let found = self.values.iter().find(|(name, _)| *name == parameter.name);
        let (_, value) =
            found.ok_or(Error::MissingKernelParameter { kernel: self.kernel, parameter: parameter.name })?;
        parameter.check(value.to_f64())?;
        Ok(value.to_f64())
    }
}

/// Defines constructor and getter for a kernel whose only field is its bandwidth.
macro_rules! impl_bandwidth {
    ($kernel:ident) => {
        impl $kernel {
            /// The kernel with this bandwidth σ.
            ///
            /// # Errors
            ///
            /// If the bandwidth is not between 1e-150 and 1e150; its square must not overflow or underflow.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("use protodash::", stringify!($kernel), ";")]
            ///
            #[doc = concat!("assert!(", stringify!($kernel), "::new(0.5).is_ok());")]
            #[doc = concat!("let error = ", stringify!($kernel), "::new(-1.0).unwrap_err();")]
            /// assert_eq!(error.to_string(), "bandwidth is -1; it must be above 0 and finite (1e-150 to 1e150)");
            /// ```
            pub fn new(bandwidth: f64) -> $crate::Result<Self> {
                BANDWIDTH.check(bandwidth).map(|()| $kernel { bandwidth })
            }

            /// The bandwidth σ.
            ///
            /// # Examples
            ///
            /// ```
            #[doc = concat!("assert_eq!(protodash::", stringify!($kernel), "::new(0.5)?.bandwidth(), 0.5);")]
            /// # Ok::<(), protodash::Error>(())
            /// ```
            pub fn bandwidth(&self) -> f64 {
                self.bandwidth
            }
        }
    };
}
pub(super) use impl_bandwidth;

/// What every built-in kernel provides besides [`Kernel`](super::Kernel).
pub(super) trait BuiltIn {
    /// Everything that does not depend on the parameters.
    const DEFINITION: KernelDefinition;

    /// Values of the parameters, in the order of the definition.
    fn parameters(&self) -> Vec<(&'static str, ParameterValue)>;

    /// How the loops over many pairs compute this kernel; `None` calls `evaluate` for each pair.
    fn loop_formula(&self) -> Option<LoopFormula> {
        None
    }
}
