//! The native half of the Python package: views of Python's arrays in, arrays and documents out.
//!
//! Names and defaults are in `python/protodash`, the mathematics in `protodash`, results and their text in
//! `protodash_report`.

mod array_note;
mod arrow;
mod cluster;
mod columns;
mod compare;
mod covariate_shift;
mod criticize;
mod cross_validate;
mod custom;
mod data;
mod distinct;
mod document;
mod equal_rows;
mod error;
mod estimate;
mod explain;
mod feature;
mod input;
mod kernel;
mod memory;
mod relate;
mod report;
mod represent;
mod rows;
mod select;
mod settings;
mod sparse;
mod table;
mod threads;
mod watch;

use pyo3::prelude::*;

/// Functions for the modules in `python/protodash`, not for users: arguments are already checked.
#[pymodule]
mod _native {
    #[pymodule_export]
    use crate::array_note::array_note;
    #[pymodule_export]
    use crate::cluster::{
        WorkerPort, check_cluster, common_instructions, count_mean_tasks, instructions, lead, limit_to_instructions,
        message_in_words, run_mean_task, select_from_tasks,
    };
    #[pymodule_export]
    use crate::compare::{ComparisonResult, compare};
    #[pymodule_export]
    use crate::covariate_shift::covariate_shift;
    #[pymodule_export]
    use crate::criticize::criticize;
    #[pymodule_export]
    use crate::cross_validate::cross_validate;
    #[pymodule_export]
    use crate::distinct::distinct;
    #[pymodule_export]
    use crate::document::{Document, criticism_table};
    #[pymodule_export]
    use crate::equal_rows::equal_rows;
    #[pymodule_export]
    use crate::error::Advice;
    #[pymodule_export]
    use crate::estimate::estimate;
    #[pymodule_export]
    use crate::explain::{ExplanationResult, explain};
    #[pymodule_export]
    use crate::kernel::{check_kernel, kernel_definitions, median_multiple, resolve_kernel};
    #[pymodule_export]
    use crate::memory::{half_of_memory, parse_size};
    #[pymodule_export]
    use crate::relate::{RelationResult, relate};
    #[pymodule_export]
    use crate::report::{looks, report, report_side_by_side};
    #[pymodule_export]
    use crate::represent::{class_probabilities, explained_of, represent, similarities};
    #[pymodule_export]
    use crate::rows::{draw_rows, normalized};
    #[pymodule_export]
    use crate::select::{constraints_in_words, default_weights, hash_of_data, number_of_prototypes, select};
    #[pymodule_export]
    use crate::sparse::normalized_sparse;
    #[pymodule_export]
    use crate::table::encode;
    #[pymodule_export]
    use crate::watch::panics;

    use protodash::criticisms::Among;
    use protodash::{Allocation, BuiltInKernel, Choice, Means, Method, SparseKernel, TargetEnergy, Weights};
    use protodash_table::{MissingRule, Scaling};

    use super::*;

    /// The names of a setting's values.
    fn names<C: Choice>() -> Vec<&'static str> {
        names_of(C::ALL)
    }

    fn names_of<T>(all: &[(T, &'static str, &'static str)]) -> Vec<&'static str> {
        all.iter().map(|(_, name, _)| *name).collect()
    }

    /// The kernels that need only the products of rows.
    fn sparse_kernels() -> Vec<&'static str> {
        let definitions = BuiltInKernel::DEFINITIONS.iter();
        definitions.filter(|kernel| SparseKernel::check(kernel).is_ok()).map(|kernel| kernel.name).collect()
    }

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("DEFAULT_KERNEL", protodash::BuiltInKernel::DEFAULT)?;
        module.add("DEFAULT_BANDWIDTH", protodash::bandwidth::BandwidthRule::default().to_string())?;
        module.add("METHODS", names::<Method>())?;
        module.add("WEIGHTS", names::<Weights>())?;
        module.add("TARGET_ENERGY", names::<TargetEnergy>())?;
        module.add("MEANS", names::<Means>())?;
        module.add("PER_LABEL", names::<Allocation>())?;
        module.add("AMONG", names::<Among>())?;
        module.add("SPARSE_KERNELS", sparse_kernels())?;
        module.add("SCALES", names_of(Scaling::ALL))?;
        module.add("MISSING", names_of(MissingRule::ALL))?;
        module.add("MAX_THREADS", protodash_meter::MAX_THREADS)?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
