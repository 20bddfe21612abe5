//! The kernel in the format: its name and its parameters, as the core lists them.

use std::collections::BTreeMap;

use protodash::{BuiltInKernel, KernelSpec, ParameterValue, Precomputed};
use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};

use super::CrossValidationRecord;

/// A kernel as a result stores it.
///
/// # Examples
///
/// ```
/// use protodash_report::SavedKernel;
///
/// let kernel: SavedKernel = serde_json::from_str(r#"{"name": "gaussian", "bandwidth": 2.0}"#)?;
/// assert_eq!(kernel.bandwidth(), Some(2.0));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(try_from = "KernelFields")]
pub struct SavedKernel {
    /// The kernel; `None` if kernel values were given as matrices or by a function.
    pub kernel: Option<BuiltInKernel>,
    /// How the bandwidth was found, if by cross-validation.
    pub cross_validation: Option<CrossValidationRecord>,
}

impl SavedKernel {
    /// This kernel; without one, kernel matrices.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash_report::SavedKernel;
    ///
    /// assert_eq!(SavedKernel::new(Some(protodash::Linear.into())).name(), "linear");
    /// assert_eq!(SavedKernel::new(None).name(), "precomputed");
    /// ```
    #[must_use]
    pub fn new(kernel: Option<BuiltInKernel>) -> SavedKernel {
        SavedKernel { kernel, cross_validation: None }
    }

    /// Name of the kernel.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(protodash_report::SavedKernel::new(Some(protodash::Cosine.into())).name(), "cosine");
    /// ```
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.kernel.map_or(Precomputed::NAME, |kernel| kernel.definition().name)
    }

    /// The bandwidth, if the kernel has one.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(protodash_report::SavedKernel::new(None).bandwidth(), None);
    /// ```
    #[must_use]
    pub fn bandwidth(&self) -> Option<f64> {
        self.kernel.and_then(|kernel| kernel.bandwidth())
    }

    /// Parameters of the kernel by name.
    ///
    /// # Examples
    ///
    /// ```
    /// assert!(protodash_report::SavedKernel::new(None).parameters().is_empty());
    /// ```
    #[must_use]
    pub fn parameters(&self) -> Vec<(&'static str, ParameterValue)> {
        self.kernel.map_or_else(Vec::new, |kernel| kernel.parameters())
    }

    /// A request for exactly this kernel; `None` for kernel matrices.
    ///
    /// # Examples
    ///
    /// ```
    /// assert!(protodash_report::SavedKernel::new(None).spec().is_none());
    /// ```
    #[must_use]
    pub fn spec(&self) -> Option<KernelSpec> {
        self.kernel.map(KernelSpec::from)
    }
}

impl Serialize for SavedKernel {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("name", self.name())?;
        for (name, value) in self.parameters() {
            match value {
                ParameterValue::Whole(value) => map.serialize_entry(name, &value)?,
                ParameterValue::Number(value) => map.serialize_entry(name, &value)?,
            }
        }
        if let Some(cross_validation) = &self.cross_validation {
            map.serialize_entry("cross_validation", cross_validation)?;
        }
        map.end()
    }
}

/// The fields of the JSON object.
#[derive(Deserialize)]
struct KernelFields {
    name: String,
    #[serde(default)]
    cross_validation: Option<CrossValidationRecord>,
    #[serde(flatten)]
    others: BTreeMap<String, serde_json::Value>,
}

impl TryFrom<KernelFields> for SavedKernel {
    type Error = protodash::Error;

    fn try_from(KernelFields { name, cross_validation, others }: KernelFields) -> protodash::Result<SavedKernel> {
        if name == Precomputed::NAME {
            return Ok(SavedKernel { kernel: None, cross_validation });
        }
        let definition = BuiltInKernel::definition_of(&name)?;
        let value = |name: &'static str| {
            let number = others.get(name)?.as_f64()?;
            Some((name, ParameterValue::Number(number)))
        };
        let values: Vec<_> = definition.parameters.iter().filter_map(|parameter| value(parameter.name)).collect();
        Ok(SavedKernel { kernel: Some(definition.build(&values)?), cross_validation })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_in_kernel_survives_a_round_trip() {
        let rows = ndarray::array![[0.0, 1.0], [2.0, 5.0]];
        for definition in BuiltInKernel::DEFINITIONS {
            let kernel = KernelSpec::from(definition).resolve(None, &rows, 0).unwrap();
            let json = serde_json::to_string(&SavedKernel::new(Some(kernel))).unwrap();
            assert_eq!(serde_json::from_str::<SavedKernel>(&json).unwrap().kernel, Some(kernel), "{json}");
        }
    }

    #[test]
    fn parameters_are_written_after_the_name_in_the_order_of_the_definition() {
        let kernel = protodash::Polynomial::new(3, 0.5, 1.0).unwrap();
        let json = serde_json::to_string(&SavedKernel::new(Some(kernel.into()))).unwrap();
        assert_eq!(json, r#"{"name":"polynomial","degree":3,"scale":0.5,"offset":1.0}"#);
    }

    #[test]
    fn a_kernel_without_its_bandwidth_is_rejected() {
        let error = serde_json::from_str::<SavedKernel>(r#"{"name": "gaussian"}"#).unwrap_err();
        assert_eq!(error.to_string(), "the gaussian kernel needs a value for its bandwidth");
    }
}
