//! The operations on a data set, each dispatched on the types of its rows.
//!
//! The command and the Python package call these, so the generic code is compiled only here, once for each precision.

use ndarray::{Array2, ArrayRef2};

use super::Dataset;
use crate::baseline::{Baseline, BaselineParams, baseline};
use crate::classify::{Labelled, class_probabilities};
use crate::compare::{CompareParams, Meter, MethodComparison, compare};
use crate::cost_estimate::CostEstimate;
use crate::covariate_shift::{CovariateShift, covariate_shift, sparse_covariate_shift};
use crate::criticisms::{Criticism, CriticismParams, criticize, criticize_path};
use crate::cross_validation::{BandwidthCurve, CrossValidation, Labels, cross_validate};
use crate::error::{Error, Result};
use crate::explain::{ExplainParams, Explanations, explain};
use crate::kernel::bandwidth::{Metric, distinct_median};
use crate::kernel::{BuiltInKernel, Kernel};
use crate::observe::Observer;
use crate::parallel;
use crate::params::Params;
use crate::per_label::{ClassNumbers, PerLabel, select_per_label};
use crate::representation::{
    Representation, RepresentationPath, represent, represent_path, represent_path_per_label, represent_per_label,
};
use crate::rows::Scalar;
use crate::select::select_with;
use crate::selection::{Prototype, Selection};
use crate::verify::{explained_of, verify};

/// The value of an expression in `target`, `source` and `kernel` of any data set.
///
/// If the source represents itself, errors about the target name the source.
macro_rules! on_rows {
    ($dataset:expr, |$target:ident, $source:ident, $kernel:ident| $value:expr) => {{
        macro_rules! on {
            ($t:expr, $s:expr, $k:expr) => {{
                let ($target, $source, $kernel) = ($t, $s, $k);
                $value
            }};
        }
        match $dataset {
            Dataset::F32 { source, target: Some(target), kernel } => on!(&**target, &**source, kernel),
            Dataset::F64 { source, target: Some(target), kernel } => on!(&**target, &**source, kernel),
            Dataset::F32 { source, target: None, kernel } => {
                on!(&**source, &**source, kernel).map_err(Error::about_source)
            }
            Dataset::F64 { source, target: None, kernel } => {
                on!(&**source, &**source, kernel).map_err(Error::about_source)
            }
            Dataset::Sparse(kernel) => match kernel.own_target() {
                Some((_, target)) => on!(target, kernel.source_rows(), kernel),
                None => on!(kernel.source_rows(), kernel.source_rows(), kernel).map_err(Error::about_source),
            },
            Dataset::Precomputed(kernel) => on!(&*kernel.target_rows(), &*kernel.source_rows(), kernel),
            Dataset::Custom { source, target, kernel } => on!(&**target, &**source, &**kernel),
        }
    }};
}

impl Dataset<'_> {
    /// Selects prototypes, as [`select_with`] does.
    ///
    /// # Errors
    ///
    /// As for [`select_with`].
    pub fn select(&self, params: &Params, observer: &mut dyn Observer) -> Result<Selection> {
        on_rows!(self, |target, source, kernel| select_with(target, source, kernel, params, observer))
    }

    /// What a selection is expected to cost, as [`CostEstimate::new`] finds it; `None` also for kernel matrices and custom
    /// kernels, of which values may be stored.
    ///
    /// # Errors
    ///
    /// As for [`CostEstimate::new`].
    ///
    /// # Examples
    ///
    /// ```
    /// use ndarray::array;
    /// use protodash::compare::Unmetered;
    /// use protodash::{Dataset, KernelSpec, Params};
    ///
    /// let dataset = Dataset::from_f64(array![[0.0], [0.1], [9.0]], None, &KernelSpec::new("gaussian")?, 0)?;
    /// assert_eq!(dataset.estimate_cost(&Params::new(2), &mut Unmetered)?, None);
    /// # Ok::<(), protodash::Error>(())
    /// ```
    pub fn estimate_cost(&self, params: &Params, meter: &mut dyn Meter) -> Result<Option<CostEstimate>> {
        if self.kernel().is_none() {
            return Ok(None);
        }
        on_rows!(self, |target, source, kernel| CostEstimate::new(target, source, kernel, params, meter))
    }

    /// Selects prototypes for each class, as [`select_per_label`] does.
    ///
    /// # Errors
    ///
    /// As for [`select_per_label`].
    ///
    /// # Examples
    ///
    /// ```
    /// use ndarray::array;
    /// use protodash::{Allocation, Dataset, KernelSpec, Labels, Params, Unobserved};
    ///
    /// let dataset = Dataset::from_f64(array![[0.0], [0.1], [9.0]], None, &KernelSpec::new("gaussian")?, 0)?;
    /// let labels = Labels { target: &[0, 0, 1], source: &[0, 0, 1] };
    /// let found = dataset.select_per_label(labels, &Params::new(2), &Allocation::Equal.into(), &mut Unobserved)?;
    /// assert_eq!(found.classes.len(), 2);
    /// # Ok::<(), protodash::Error>(())
    /// ```
    pub fn select_per_label(
        &self,
        labels: Labels<'_>,
        params: &Params,
        numbers: &ClassNumbers,
        observer: &mut dyn Observer,
    ) -> Result<PerLabel> {
        on_rows!(self, |target, source, kernel| {
            let target = Labelled { rows: target, labels: labels.target };
            let source = Labelled { rows: source, labels: labels.source };
            select_per_label(target, source, kernel, params, numbers, observer)
        })
    }

    /// The nearest prototype of each target row, as [`represent`] finds it.
    ///
    /// # Errors
    ///
    /// As for [`represent`].
    pub fn represent(&self, prototypes: &[Prototype], observer: &mut dyn Observer) -> Result<Representation> {
        on_rows!(self, |target, source, kernel| represent(target, source, prototypes, kernel, observer))
    }

    /// The nearest prototype of each target row among those of its class, as [`represent_per_label`] finds it.
    ///
    /// # Errors
    ///
    /// As for [`represent_per_label`].
    pub fn represent_per_label(
        &self,
        prototypes: &[Prototype],
        labels: Labels<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Representation> {
        on_rows!(self, |target, source, kernel| {
            represent_per_label(target, source, prototypes, labels, kernel, observer)
        })
    }

    /// The nearest prototype of each target row at every size, as [`represent_path`] finds it.
    ///
    /// # Errors
    ///
    /// As for [`represent_path`].
    pub fn represent_path(
        &self,
        prototypes: &[Prototype],
        weights_path: &[&[f64]],
        observer: &mut dyn Observer,
    ) -> Result<RepresentationPath> {
        on_rows!(self, |target, source, kernel| {
            represent_path(target, source, prototypes, weights_path, kernel, observer)
        })
    }

    /// The nearest prototype of each target row among those of its class at every size, as [`represent_path_per_label`]
    /// finds it.
    ///
    /// # Errors
    ///
    /// As for [`represent_path_per_label`].
    pub fn represent_path_per_label(
        &self,
        prototypes: &[Prototype],
        weights_path: &[&[f64]],
        labels: Labels<'_>,
        observer: &mut dyn Observer,
    ) -> Result<RepresentationPath> {
        on_rows!(self, |target, source, kernel| {
            represent_path_per_label(target, source, prototypes, weights_path, labels, kernel, observer)
        })
    }

    /// Compares a selection with random rows, as [`baseline`](crate::baseline()) does.
    ///
    /// # Errors
    ///
    /// As for [`baseline`](crate::baseline()).
    ///
    /// # Examples
    ///
    /// ```
    /// use ndarray::array;
    /// use protodash::{BaselineParams, Dataset, KernelSpec, Params, Unobserved};
    ///
    /// let dataset = Dataset::from_f64(array![[0.0], [1.0], [2.0]], None, &KernelSpec::new("gaussian")?, 0)?;
    /// let selection = dataset.select(&Params::new(1), &mut Unobserved)?;
    /// let chance = dataset.baseline(&selection, &BaselineParams::default(), &mut Unobserved)?;
    /// assert!(chance.nearer_than_random.is_some_and(|nearer| nearer > 0.2));
    /// # Ok::<(), protodash::Error>(())
    /// ```
    pub fn baseline(
        &self,
        selection: &Selection,
        params: &BaselineParams,
        observer: &mut dyn Observer,
    ) -> Result<Baseline> {
        on_rows!(self, |target, source, kernel| baseline(target, source, selection, kernel, params, observer))
    }

    /// Finds badly represented rows, as [`criticize`] does.
    ///
    /// # Errors
    ///
    /// As for [`criticize`].
    pub fn criticize(
        &self,
        prototypes: &[Prototype],
        params: &CriticismParams,
        observer: &mut dyn Observer,
    ) -> Result<Vec<Criticism>> {
        on_rows!(self, |target, source, kernel| criticize(target, source, prototypes, kernel, params, observer))
    }

    /// Finds the rows that the first prototypes represent worst, for sets of several sizes, as [`criticize_path`] does.
    ///
    /// # Errors
    ///
    /// As for [`criticize_path`].
    pub fn criticize_path(
        &self,
        prototypes: &[Prototype],
        weights_path: &[&[f64]],
        params: &CriticismParams,
        observer: &mut dyn Observer,
    ) -> Result<Vec<Vec<Criticism>>> {
        on_rows!(self, |target, source, kernel| {
            criticize_path(target, source, prototypes, weights_path, kernel, params, observer)
        })
    }

    /// Checks that saved prototypes have the saved objective on these data, as [`verify`] does.
    ///
    /// # Errors
    ///
    /// As for [`verify`].
    pub fn verify(
        &self,
        saved: (&[Prototype], f64),
        target_weights: Option<&[f64]>,
        observer: &mut dyn Observer,
    ) -> Result<()> {
        on_rows!(self, |target, source, kernel| verify(target, source, saved, kernel, target_weights, observer))
    }

    /// The share of the target that prototypes with their weights explain, as [`explained_of`] does.
    ///
    /// # Errors
    ///
    /// As for [`explained_of`].
    ///
    /// # Examples
    ///
    /// ```
    /// use ndarray::array;
    /// use protodash::{Dataset, KernelSpec, Prototype, Unobserved};
    ///
    /// let (source, target) = (array![[1.0], [2.0]], array![[3.0]]);
    /// let dataset = Dataset::from_f64(source, Some(target.into()), &KernelSpec::new("linear")?, 0)?;
    /// let prototype = Prototype { source_index: 0, weight: 3.0, share: 1.0, gain: 0.0 };
    /// assert_eq!(dataset.explained_of(&[prototype], None, &mut Unobserved)?, Some(1.0));
    /// # Ok::<(), protodash::Error>(())
    /// ```
    pub fn explained_of(
        &self,
        prototypes: &[Prototype],
        target_weights: Option<&[f64]>,
        observer: &mut dyn Observer,
    ) -> Result<Option<f64>> {
        on_rows!(self, |target, source, kernel| {
            explained_of(target, source, prototypes, kernel, target_weights, observer)
        })
    }

    /// The probability of each class for each target row, as [`class_probabilities`] does.
    ///
    /// # Errors
    ///
    /// As for [`class_probabilities`].
    ///
    /// # Examples
    ///
    /// ```
    /// use ndarray::array;
    /// use protodash::{Dataset, KernelSpec, Prototype};
    ///
    /// let dataset = Dataset::from_f64(array![[0.0], [4.0]], None, &KernelSpec::new("linear")?, 0)?;
    /// let prototype = Prototype { source_index: 0, weight: 0.5, share: 1.0, gain: 0.0 };
    /// assert_eq!(dataset.class_probabilities(&[0, 1], &[prototype], 2)?, array![[1.0, 0.0], [1.0, 0.0]]);
    /// # Ok::<(), protodash::Error>(())
    /// ```
    pub fn class_probabilities(
        &self,
        source_labels: &[usize],
        prototypes: &[Prototype],
        n_classes: usize,
    ) -> Result<Array2<f64>> {
        on_rows!(self, |target, source, kernel| {
            let source = Labelled { rows: source, labels: source_labels };
            class_probabilities(target, source, prototypes, n_classes, kernel)
        })
    }

    /// Measures how weighting the prototypes moves the features towards the target, as
    /// [`covariate_shift`](crate::covariate_shift()) does.
    ///
    /// # Errors
    ///
    /// As for [`covariate_shift`](crate::covariate_shift()).
    pub fn covariate_shift(&self, prototypes: &[Prototype], target_weights: Option<&[f64]>) -> Result<CovariateShift> {
        if let Dataset::Sparse(kernel) = self {
            let target = kernel.own_target().map_or(kernel.source(), |(target, _)| target);
            return sparse_covariate_shift(target, kernel.source(), prototypes, target_weights);
        }
        on_rows!(self, |target, source, _kernel| covariate_shift(target, source, prototypes, target_weights))
    }

    /// Runs several methods, as [`compare`](crate::compare::compare) does.
    ///
    /// # Errors
    ///
    /// As for [`compare`](crate::compare::compare).
    pub fn compare(
        &self,
        labels: Option<Labels<'_>>,
        params: &CompareParams,
        meter: &mut dyn Meter,
        observer: &mut dyn Observer,
    ) -> Result<MethodComparison> {
        on_rows!(self, |target, source, kernel| compare(target, source, labels, kernel, params, meter, observer))
    }

    /// Explains each target row by a few source rows, as [`explain`](crate::explain()) does.
    ///
    /// # Errors
    ///
    /// As for [`explain`](crate::explain()).
    pub fn explain(
        &self,
        labels: Option<Labels<'_>>,
        params: &ExplainParams,
        observer: &mut dyn Observer,
    ) -> Result<Explanations> {
        on_rows!(self, |target, source, kernel| explain(target, source, labels, kernel, params, observer))
    }

    /// k(x, z) for each target row x and each source row z.
    ///
    /// # Errors
    ///
    /// If target and source have different columns.
    ///
    /// # Examples
    ///
    /// ```
    /// use ndarray::array;
    /// use protodash::{Dataset, KernelSpec};
    ///
    /// let (source, target) = (array![[1.0], [2.0]], array![[3.0]]);
    /// let dataset = Dataset::from_f64(source, Some(target.into()), &KernelSpec::new("linear")?, 0)?;
    /// assert_eq!(dataset.similarities()?, array![[3.0, 6.0]]);
    /// # Ok::<(), protodash::Error>(())
    /// ```
    pub fn similarities(&self) -> Result<Array2<f64>> {
        on_rows!(self, |target, source, kernel| similarities(target, source, kernel))
    }

    /// Sets the kernel's bandwidth by [`cross_validate`].
    ///
    /// Samples rows so that it costs [at most five selections](CrossValidation::affordable). Without
    /// [`median`](CrossValidation::median), bandwidths are multiples of
    /// [`distinct_median`](crate::bandwidth::distinct_median).
    ///
    /// # Errors
    ///
    /// As for [`cross_validate`], and if the kernel has no bandwidth.
    ///
    /// # Examples
    ///
    /// ```
    /// use ndarray::Array2;
    /// use protodash::{CrossValidation, Dataset, KernelSpec, Params, Unobserved};
    ///
    /// let rows = Array2::from_shape_fn((40, 1), |(row, _)| (row as f64 * 0.7).sin());
    /// let mut dataset = Dataset::from_f64(rows, None, &KernelSpec::new("gaussian")?, 0)?;
    /// let curve =
    ///     dataset.cross_validate_bandwidth(None, &Params::new(4), &CrossValidation::default(), &mut Unobserved)?;
    /// assert_eq!(dataset.kernel().unwrap().bandwidth(), Some(curve.bandwidth()));
    /// # Ok::<(), protodash::Error>(())
    /// ```
    pub fn cross_validate_bandwidth(
        &mut self,
        labels: Option<Labels<'_>>,
        params: &Params,
        settings: &CrossValidation,
        observer: &mut dyn Observer,
    ) -> Result<BandwidthCurve> {
        let Some(initial) = self.kernel() else { return Err(Error::NoBandwidth) };
        let try_bandwidth = |bandwidth| initial.with_bandwidth(bandwidth);
        let metric = Metric::from(initial.definition().distance);
        let n_prototypes = params.n_total().unwrap_or(0);
        let curve = if let Dataset::Sparse(kernel) = self {
            let (target, source) = (kernel.target_rows(), kernel.source_rows());
            let mut settings = settings.clone().affordable((target.nrows(), source.nrows()), n_prototypes);
            let median = || kernel.distinct_median(settings.seed).ok();
            settings.median = settings.median.or_else(median);
            let try_sparse = |bandwidth| try_bandwidth(bandwidth).map(|formula| kernel.with_formula(formula));
            cross_validate(target, source, labels, &try_sparse, params, &settings, observer)
        } else {
            on_rows!(&*self, |target, source, _kernel| {
                let mut settings = settings.clone().affordable((target.nrows(), source.nrows()), n_prototypes);
                if settings.median.is_none() {
                    settings.median = distinct_median(target, source, metric, settings.seed).ok();
                }
                cross_validate(target, source, labels, &try_bandwidth, params, &settings, observer)
            })
        }?;
        let best = initial.with_bandwidth(curve.bandwidth())?;
        self.set_kernel(best);
        Ok(curve)
    }

    /// Sets the kernel's bandwidth by cross-validation on the source alone, as
    /// [`KernelSpec::measured_on_source`](crate::KernelSpec::measured_on_source) does for other rules.
    ///
    /// `labels` has the class of each source row.
    ///
    /// # Errors
    ///
    /// As for [`cross_validate_bandwidth`](Self::cross_validate_bandwidth).
    ///
    /// # Examples
    ///
    /// ```
    /// use ndarray::{Array2, array};
    /// use protodash::{CrossValidation, Dataset, KernelSpec, Params, Unobserved};
    ///
    /// let source = Array2::from_shape_fn((40, 1), |(row, _)| (row as f64 * 0.7).sin());
    /// let (params, settings) = (Params::new(4), CrossValidation::default());
    /// let found = [array![[0.5]], array![[90.0], [-90.0]]].map(|rows| {
    ///     let mut dataset = Dataset::from_f64(source.view(), Some(rows.into()), &KernelSpec::new("gaussian")?, 0)?;
    ///     dataset.cross_validate_bandwidth_on_source(None, &params, &settings, &mut Unobserved)?;
    ///     Ok::<_, protodash::Error>(dataset.kernel())
    /// });
    /// let [one, other] = found;
    /// assert_eq!(one?, other?);
    /// # Ok::<(), protodash::Error>(())
    /// ```
    pub fn cross_validate_bandwidth_on_source(
        &mut self,
        labels: Option<&[usize]>,
        params: &Params,
        settings: &CrossValidation,
        observer: &mut dyn Observer,
    ) -> Result<BandwidthCurve> {
        let labels = labels.map(|labels| Labels { target: labels, source: labels });
        let (curve, best) = {
            let mut alone = match self {
                Dataset::F32 { source, kernel, .. } => {
                    Dataset::F32 { source: source.view().into(), target: None, kernel: *kernel }
                }
                Dataset::F64 { source, kernel, .. } => {
                    Dataset::F64 { source: source.view().into(), target: None, kernel: *kernel }
                }
                Dataset::Sparse(kernel) => Dataset::Sparse(kernel.source_alone()),
                Dataset::Precomputed(_) | Dataset::Custom { .. } => return Err(Error::NoBandwidth),
            };
            (alone.cross_validate_bandwidth(labels, params, settings, observer)?, alone.kernel())
        };
        best.into_iter().for_each(|best| self.set_kernel(best));
        Ok(curve)
    }

    /// Replaces the kernel, if it is a built-in one.
    fn set_kernel(&mut self, replacement: BuiltInKernel) {
        match self {
            Dataset::F32 { kernel, .. } | Dataset::F64 { kernel, .. } => *kernel = replacement,
            Dataset::Sparse(kernel) => *kernel = kernel.with_formula(replacement),
            Dataset::Precomputed(_) | Dataset::Custom { .. } => {}
        }
    }
}

fn similarities<T: Scalar>(
    target: &ArrayRef2<T>,
    source: &ArrayRef2<T>,
    kernel: &dyn Kernel<T>,
) -> Result<Array2<f64>> {
    if target.ncols() != source.ncols() {
        return Err(Error::DifferentColumns { target: target.ncols(), available: source.ncols() });
    }
    let others: Vec<Vec<T>> = source.rows().into_iter().map(|row| row.to_vec()).collect();
    let mut values = Array2::zeros((target.nrows(), others.len()));
    parallel::map_chunks(values.as_slice_mut().unwrap_or_default(), others.len().max(1), |row, values| {
        let row = target.row(row).to_vec();
        values.iter_mut().zip(&others).for_each(|(value, other)| *value = kernel.evaluate(&row, other));
    });
    Ok(values)
}
