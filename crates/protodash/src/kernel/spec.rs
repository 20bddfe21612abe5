//! A requested kernel, some of whose parameters may depend on the data.

use ndarray::ArrayRef2;

use super::BuiltInKernel;
use super::bandwidth::BandwidthRule;
use super::definition::{BANDWIDTH, KernelDefinition, ParameterDefault, ParameterValue};
use super::sparse::SparseRows;
use crate::error::{Error, Result};
use crate::rows::Scalar;

/// A built-in kernel by name, with some of its parameters; the others are computed from the data.
///
/// # Examples
///
/// ```
/// use ndarray::array;
/// use protodash::{KernelSpec, Laplacian};
///
/// let rows = array![[0.0, 0.0], [3.0, 4.0]];
/// let kernel = KernelSpec::new("laplacian")?.resolve(None, &rows, 0)?;
/// assert_eq!(kernel, Laplacian::new(7.0)?.into()); // the median distance, in the metric of this kernel
/// # Ok::<(), protodash::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct KernelSpec {
    definition: &'static KernelDefinition,
    bandwidth: BandwidthRule,
    given: Vec<(&'static str, ParameterValue)>,
    measured_on: BandwidthRows,
}

/// The rows that a bandwidth is computed from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BandwidthRows {
    Both,
    Source,
}

impl KernelSpec {
    /// The kernel of this name with all parameters at their defaults.
    ///
    /// # Errors
    ///
    /// If there is no such kernel.
    ///
    /// # Examples
    ///
    /// ```
    /// assert!(protodash::KernelSpec::new("cosine").is_ok());
    /// assert!(protodash::KernelSpec::new("sinus").is_err());
    /// ```
    pub fn new(name: &str) -> Result<Self> {
        BuiltInKernel::definition_of(name).map(KernelSpec::from)
    }

    /// The definition of the requested kernel.
    ///
    /// # Examples
    ///
    /// ```
    /// assert!(protodash::KernelSpec::new("hamming")?.definition().compares_codes);
    /// # Ok::<(), protodash::Error>(())
    /// ```
    pub fn definition(&self) -> &'static KernelDefinition {
        self.definition
    }

    /// The rule for the bandwidth; `None` if the kernel has none.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash::{KernelSpec, bandwidth::BandwidthRule};
    ///
    /// assert_eq!(KernelSpec::new("gaussian")?.bandwidth(), Some(BandwidthRule::default()));
    /// assert_eq!(KernelSpec::new("linear")?.bandwidth(), None);
    /// # Ok::<(), protodash::Error>(())
    /// ```
    pub fn bandwidth(&self) -> Option<BandwidthRule> {
        self.definition.has_bandwidth().then_some(self.bandwidth)
    }

    /// The same request with another rule for the bandwidth.
    ///
    /// # Errors
    ///
    /// If the kernel has no bandwidth, or if the value is out of range.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash::{KernelSpec, bandwidth::BandwidthRule};
    ///
    /// let spec = KernelSpec::new("gaussian")?;
    /// let error = spec.with_bandwidth(BandwidthRule::Fixed(-1.0)).unwrap_err();
    /// assert_eq!(error.to_string(), "bandwidth is -1; it must be above 0 and finite (1e-150 to 1e150)");
    /// # Ok::<(), protodash::Error>(())
    /// ```
    pub fn with_bandwidth(self, bandwidth: BandwidthRule) -> Result<Self> {
        self.definition.parameter(BANDWIDTH.name)?;
        if let BandwidthRule::Fixed(value) = bandwidth {
            BANDWIDTH.check(value)?;
        }
        Ok(KernelSpec { bandwidth, ..self })
    }

    /// The same request with a value for one parameter.
    ///
    /// # Errors
    ///
    /// If the kernel has no such parameter, or the value is out of range.
    ///
    /// # Examples
    ///
    /// ```
    /// use ndarray::array;
    /// use protodash::{KernelSpec, ParameterValue, Polynomial};
    ///
    /// let spec = KernelSpec::new("polynomial")?.with_parameter("degree", ParameterValue::Whole(2))?;
    /// assert_eq!(spec.resolve(None, &array![[1.0, 2.0]], 0)?, Polynomial::new(2, 0.5, 1.0)?.into());
    /// # Ok::<(), protodash::Error>(())
    /// ```
    pub fn with_parameter(mut self, name: &str, value: ParameterValue) -> Result<Self> {
        if name == BANDWIDTH.name {
            return self.with_bandwidth(BandwidthRule::Fixed(value.to_f64()));
        }
        let parameter = self.definition.parameter(name)?;
        parameter.check(value.to_f64())?;
        self.given.retain(|(given, _)| *given != parameter.name);
        self.given.push((parameter.name, value));
        Ok(self)
    }

    /// The same request with a bandwidth from the source alone, so that it does not depend on the target.
    ///
    /// [`explain`](crate::explain()) needs it: what explains a row must not change with the other rows of the call.
    ///
    /// # Examples
    ///
    /// ```
    /// use ndarray::array;
    /// use protodash::{Gaussian, KernelSpec};
    ///
    /// let (target, source) = (array![[90.0]], array![[0.0], [3.0]]);
    /// let kernel = KernelSpec::new("gaussian")?.measured_on_source().resolve(Some(&target), &source, 0)?;
    /// assert_eq!(kernel, Gaussian::new(1.5)?.into()); // half the median distance of the source rows
    /// # Ok::<(), protodash::Error>(())
    /// ```
    #[must_use]
    pub fn measured_on_source(self) -> Self {
        KernelSpec { measured_on: BandwidthRows::Source, ..self }
    }

    /// The kernel for these rows; without a target the source is to be represented.
    ///
    /// A bandwidth that still has to be cross-validated is set to the median distance.
    ///
    /// # Errors
    ///
    /// As for [`median`](super::bandwidth::median), if the bandwidth depends on the data.
    ///
    /// # Examples
    ///
    /// ```
    /// use ndarray::array;
    /// use protodash::{Gaussian, KernelSpec};
    ///
    /// let (target, source) = (array![[0.0]], array![[3.0]]);
    /// let kernel = KernelSpec::new("gaussian")?.resolve(Some(&target), &source, 0)?;
    /// assert_eq!(kernel, Gaussian::new(1.5)?.into()); // half the median distance
    /// # Ok::<(), protodash::Error>(())
    /// ```
    pub fn resolve<T: Scalar>(
        &self,
        target: Option<&ArrayRef2<T>>,
        source: &ArrayRef2<T>,
        seed: u64,
    ) -> Result<BuiltInKernel> {
        let target = target.filter(|_| self.measured_on == BandwidthRows::Both);
        self.build(source.ncols(), |rule| rule.resolve(target, source, self.definition, seed))
    }

    /// The same for sparse rows.
    pub(super) fn resolve_sparse(&self, rows: &SparseRows, seed: u64) -> Result<BuiltInKernel> {
        let with_target = self.measured_on == BandwidthRows::Both && rows.has_target();
        let median = || rows.distinct_median(with_target, seed);
        self.build(rows.n_columns(), |rule| rule.resolve_by(with_target, self.definition, median))
    }

    /// The kernel for rows with this many columns, with the bandwidth that a rule finds.
    fn build(&self, n_columns: usize, find: impl Fn(BandwidthRule) -> Result<f64>) -> Result<BuiltInKernel> {
        let mut values = Vec::new();
        for parameter in self.definition.parameters {
            let given = self.given.iter().find(|(name, _)| *name == parameter.name).map(|(_, value)| *value);
            let value = match (given, parameter.default) {
                (Some(value), _) | (None, ParameterDefault::Value(value)) => value,
                (None, ParameterDefault::BandwidthRule) => ParameterValue::Number(usable(find(self.bandwidth)?)?),
                // Keeps the product of two standardised rows near 1.
                (None, ParameterDefault::OneOverFeatures) => ParameterValue::Number(1.0 / n_columns.max(1) as f64),
            };
            values.push((parameter.name, value));
        }
        self.definition.build(&values)
    }
}

/// A bandwidth that was computed from the data, if kernels accept it.
fn usable(bandwidth: f64) -> Result<f64> {
    match BANDWIDTH.check(bandwidth) {
        Err(Error::OutOfRange { value, allowed, .. }) => Err(Error::ExtremeDistances { bandwidth: value, allowed }),
        checked => checked.map(|()| bandwidth),
    }
}

impl From<&'static KernelDefinition> for KernelSpec {
    fn from(definition: &'static KernelDefinition) -> Self {
        KernelSpec {
            definition,
            bandwidth: BandwidthRule::default(),
            given: Vec::new(),
            measured_on: BandwidthRows::Both,
        }
    }
}

impl From<BuiltInKernel> for KernelSpec {
    /// A request with every parameter set.
    fn from(kernel: BuiltInKernel) -> Self {
        let definition = kernel.definition();
        let bandwidth = kernel.bandwidth().map_or_else(BandwidthRule::default, BandwidthRule::Fixed);
        let mut given = kernel.parameters();
        given.retain(|(name, _)| *name != BANDWIDTH.name);
        KernelSpec { definition, bandwidth, given, measured_on: BandwidthRows::Both }
    }
}
