//! Kernels between Python and the core: definitions one way, requests the other.

use std::collections::BTreeMap;

use numpy::PyReadonlyArray2;
use protodash::bandwidth::BandwidthRule;
use protodash::{
    BuiltInKernel, KernelSpec, Parameter, ParameterDefault, ParameterValue, Precomputed, Scalar, SparseKernel,
};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::data::Array;
use crate::error::CallFailure;
use crate::sparse::SparseArrays;
use crate::watch::{self, Run};

/// A kernel as requested from Python: a name, and the parameters that are set.
#[derive(Debug, Clone, FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct KernelRequest {
    name: String,
    parameters: BTreeMap<String, RequestedValue>,
}

/// A number, or the name of a rule that finds it.
#[derive(Debug, Clone, FromPyObject)]
enum RequestedValue {
    Number(f64),
    Rule(String),
}

impl KernelRequest {
    /// The request in the core's terms.
    pub(crate) fn spec(&self) -> protodash::Result<KernelSpec> {
        let mut spec = KernelSpec::new(&self.name)?;
        for (name, value) in &self.parameters {
            spec = match value {
                RequestedValue::Number(value) => spec.with_parameter(name, ParameterValue::Number(*value))?,
                // The bandwidth is the one parameter that has rules.
                RequestedValue::Rule(rule) => spec.with_bandwidth(BandwidthRule::named(rule)?)?,
            };
        }
        Ok(spec)
    }

    /// True if the data are kernel matrices.
    pub(crate) fn is_precomputed(&self) -> bool {
        self.name == Precomputed::NAME
    }
}

/// The built-in kernels: name, formula, and for each parameter its name, whether it is whole, and its default.
#[pyfunction]
pub(crate) fn kernel_definitions(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    let definitions = BuiltInKernel::DEFINITIONS.iter().map(|definition| {
        let described = PyDict::new(py);
        described.set_item("name", definition.name)?;
        described.set_item("formula", definition.formula)?;
        described.set_item("compares_codes", definition.compares_codes)?;
        let parameters = definition.parameters.iter().map(|parameter| described_parameter(py, parameter));
        described.set_item("parameters", parameters.collect::<PyResult<Vec<_>>>()?)?;
        Ok(described)
    });
    definitions.collect()
}

fn described_parameter<'py>(py: Python<'py>, parameter: &Parameter) -> PyResult<Bound<'py, PyDict>> {
    let described = PyDict::new(py);
    described.set_item("name", parameter.name)?;
    described.set_item("is_whole", parameter.is_whole)?;
    match parameter.default {
        ParameterDefault::Value(value) => set_value(&described, "default", value)?,
        ParameterDefault::BandwidthRule => described.set_item("default", BandwidthRule::default().to_string())?,
        _ => described.set_item("default", py.None())?,
    }
    Ok(described)
}

/// Sets an item to an `int` or a `float`, as the parameter has it.
fn set_value(dictionary: &Bound<'_, PyDict>, name: &str, value: ParameterValue) -> PyResult<()> {
    match value {
        ParameterValue::Whole(value) => dictionary.set_item(name, value),
        ParameterValue::Number(value) => dictionary.set_item(name, value),
    }
}

/// Raises if there is no such kernel or it cannot have these parameters.
#[pyfunction]
pub(crate) fn check_kernel(kernel: KernelRequest) -> PyResult<()> {
    kernel.spec().map_err(CallFailure::Core)?;
    Ok(())
}

/// The bandwidth as a multiple of the median distance, if a rule sets it.
#[pyfunction]
pub(crate) fn median_multiple(kernel: KernelRequest) -> PyResult<Option<f64>> {
    if kernel.is_precomputed() {
        return Ok(None);
    }
    let spec = kernel.spec().map_err(CallFailure::Core)?;
    Ok(spec.bandwidth().and_then(|rule| rule.median_multiple(spec.definition())))
}

/// All parameters of the kernel as numbers; open ones are computed from the data.
#[pyfunction]
pub(crate) fn resolve_kernel<'py>(
    py: Python<'py>,
    kernel: KernelRequest,
    source: &Bound<'py, PyAny>,
    target: Option<&Bound<'py, PyAny>>,
    seed: u64,
    n_threads: usize,
) -> PyResult<Bound<'py, PyDict>> {
    let spec = kernel.spec().map_err(CallFailure::Core)?;
    let run = Run { n_threads, progress: None };
    let resolved = if let Ok(source) = source.extract::<SparseArrays<'_>>() {
        let target: Option<SparseArrays<'_>> = target.map(|target| target.extract()).transpose()?;
        let (source, target) = (source.matrix()?, target.map(|target| target.matrix()).transpose()?);
        watch::run(py, run, |_| Ok(SparseKernel::new(source, target, &spec, seed)?.formula()))
    } else {
        match Array::of(source)? {
            Array::F32(source) => resolved(py, &spec, (&source, target), seed, run),
            Array::F64(source) => resolved(py, &spec, (&source, target), seed, run),
        }
    }?;
    let parameters = PyDict::new(py);
    for (name, value) in resolved.parameters() {
        set_value(&parameters, name, value)?;
    }
    Ok(parameters)
}

fn resolved<'py, T: Scalar + numpy::Element>(
    py: Python<'py>,
    spec: &KernelSpec,
    (source, target): (&PyReadonlyArray2<'py, T>, Option<&Bound<'py, PyAny>>),
    seed: u64,
    run: Run,
) -> PyResult<BuiltInKernel> {
    let target: Option<PyReadonlyArray2<'_, T>> = target.map(|target| target.extract()).transpose()?;
    let (source, target) = (source.as_array(), target.as_ref().map(|target| target.as_array()));
    watch::run(py, run, |_| Ok(spec.resolve(target.as_deref(), &source, seed)?))
}
