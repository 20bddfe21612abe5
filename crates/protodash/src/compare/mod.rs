//! Several methods on the same data: their rows, fit, accuracy and cost.
//!
//! All methods share one kernel mean. The caller's [`Meter`] measures the cost of a run.

mod holdout;
mod meter;
mod results;

pub use meter::{Meter, RunCost, Unmetered};
pub use results::{Accuracy, Fit, MethodComparison, MethodResult, RandomCoverage, SkippedRun};

use ndarray::{Array2, ArrayRef2, Axis};

use self::holdout::{Split, pick};
use self::meter::Laps;
use crate::classify::{Labelled, check_labels, classify};
use crate::cross_validation::Labels;
use crate::error::{Error, Result, Role};
use crate::kernel::Kernel;
use crate::observe::Observer;
use crate::params::{Method, Params, Weights, check_row_weights};
use crate::prepared::Prepared;
use crate::row_coverage::{CoverageSurvey, RowCoverageParams};
use crate::rows::{CheckedPair, Scalar, same_rows};
use crate::selection::{Prototype, Selection};

/// Parameters of [`compare`].
///
/// # Examples
///
/// ```
/// use protodash::Method;
/// use protodash::compare::CompareParams;
///
/// let mut params = CompareParams::new(&[Method::ProtoDash, Method::KMedoids], &[5, 10]);
/// params.holdout = Some(0.2);
/// params.selection.seed = 7;
/// assert_eq!(params.n_prototypes, [5, 10]);
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct CompareParams {
    /// The methods to compare; each counts once.
    pub methods: Vec<Method>,
    /// The numbers of prototypes; each counts once.
    pub n_prototypes: Vec<usize>,
    /// The fraction of target rows to hold out for classification, drawn with the selection's seed; they are neither
    /// represented nor chosen.
    pub holdout: Option<f64>,
    /// How to measure what each method's rows cover, beside random rows; `None` does not. Its seed and weights are not used:
    /// they are those of the selection.
    pub coverage: Option<RowCoverageParams>,
    /// Everything else, the same for all methods. Its method, weights, number of prototypes and minimum gain are not
    /// used: each method keeps its own weights. Fixed, excluded and resumed rows, quotas, a budget and limits on the
    /// weights are an error ([`Error::NotForComparison`]): few methods support them, and held-out rows change the numbers
    /// of the others.
    pub selection: Params,
}

impl CompareParams {
    /// These methods at these numbers of prototypes, with default parameters and nothing held out.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash::Method;
    /// use protodash::compare::CompareParams;
    ///
    /// assert_eq!(CompareParams::new(&[Method::Swap], &[3]).holdout, None);
    /// ```
    pub fn new(methods: &[Method], n_prototypes: &[usize]) -> Self {
        let (methods, n_prototypes) = (methods.to_vec(), n_prototypes.to_vec());
        CompareParams { methods, n_prototypes, holdout: None, coverage: None, selection: Params::new(1) }
    }

    /// An error if a parameter names source rows or needs weights that methods do not have of their own.
    fn check(&self) -> Result<()> {
        let Params { fixed, exclude, resume, quotas, budget, max_weight, min_effective, .. } = &self.selection;
        let given = [
            ("fixed", !fixed.is_empty()),
            ("exclude", !exclude.is_empty()),
            ("resume", !resume.is_empty()),
            ("quotas", !quotas.is_empty()),
            ("budget", budget.is_some()),
            ("max_weight", max_weight.is_some()),
            ("min_effective", min_effective.is_some()),
        ];
        match given.into_iter().find(|(_, is_given)| *is_given) {
            Some((name, _)) => Err(Error::NotForComparison { name }),
            None => Ok(()),
        }
    }

    /// The methods, each once, in the order given.
    fn distinct_methods(&self) -> Vec<Method> {
        let mut found = Vec::new();
        for method in &self.methods {
            if !found.contains(method) {
                found.push(*method);
            }
        }
        found
    }

    /// The numbers of prototypes, each once, ascending.
    fn sizes(&self) -> Vec<usize> {
        let mut sizes = self.n_prototypes.clone();
        sizes.sort_unstable();
        sizes.dedup();
        sizes
    }
}

/// Runs every method at every number of prototypes on the same data.
///
/// Each method is scored by the objective with its own weights and with refitted ones, and, if `labels` are given, by
/// how well its prototypes classify: the rows held out, or else the target rows. If a shorter run is a prefix of a
/// longer one ([`Method::is_nested`]), one run serves all numbers.
///
/// Costs one kernel mean, one run per nested method, and one run per number of prototypes for every other method. Coverage
/// costs as much as [`row_coverage`](crate::row_coverage()) for each method and each random draw at each number.
///
/// # Errors
///
/// As for [`select`](crate::select); [`Error::NotForComparison`] if the selection has fixed, excluded or resumed rows,
/// quotas, a budget or limits on the weights; also if `holdout` is not between 0 and 1 or leaves no row, or if there is not one
/// label for each row. A number that P-Lasso's path skips is not an error, nor is a kernel whose rows k-means cannot average:
/// both are listed in [`skipped`](MethodComparison::skipped).
///
/// # Examples
///
/// ```
/// use ndarray::array;
/// use protodash::compare::{CompareParams, Unmetered, compare};
/// use protodash::{Gaussian, Labels, Method, Unobserved};
///
/// let rows = array![[0.0], [0.2], [0.1], [4.0], [4.1]];
/// let classes = [0, 0, 0, 1, 1];
/// let labels = Some(Labels { target: &classes, source: &classes });
/// let params = CompareParams::new(&[Method::ProtoDash, Method::Random], &[2]);
/// let found = compare(&rows, &rows, labels, &Gaussian::new(1.0)?, &params, &mut Unmetered, &mut Unobserved)?;
/// let [protodash, random] = &found.results[..] else { panic!("two methods") };
/// assert!(protodash.own.objective >= random.own.objective);
/// assert_eq!(protodash.accuracy.as_ref().unwrap().nearest, 1.0);
/// # Ok::<(), protodash::Error>(())
/// ```
pub fn compare<T: Scalar>(
    target: &ArrayRef2<T>,
    source: &ArrayRef2<T>,
    labels: Option<Labels<'_>>,
    kernel: &dyn Kernel<T>,
    params: &CompareParams,
    meter: &mut dyn Meter,
    observer: &mut dyn Observer,
) -> Result<MethodComparison> {
    params.check()?;
    let checked = CheckedPair::new(target, source)?;
    let (target_rows, source_rows) = checked.rows();
    let same = same_rows(target_rows, source_rows);
    if let Some(labels) = labels {
        check_labels(labels.target, target_rows, Role::Target)?;
        check_labels(labels.source, source_rows, Role::Source)?;
    }
    let split = match params.holdout {
        None => Split::default(),
        Some(fraction) => Split::hold_out(fraction, target.nrows(), same, params.selection.seed)?,
    };
    let mut selection = params.selection.clone();
    if let Some(weights) = &selection.target_weights {
        check_row_weights(weights, target.nrows(), Role::Target)?;
        selection.target_weights = Some(pick(weights, split.target.as_deref()));
    }
    let (sizes, methods) = (params.sizes(), params.distinct_methods());
    selection.n_prototypes = sizes.last().copied().or(Some(1));
    selection.min_gain = None;
    let kept = |matrix: &ArrayRef2<T>, rows: &Option<Vec<usize>>| -> Option<Array2<T>> {
        rows.as_deref().map(|rows| matrix.select(Axis(0), rows))
    };
    let (kept_source, held_out) = (kept(source, &split.source), kept(target, &split.test));
    let kept_target = if same { None } else { kept(target, &split.target) };
    let source: &ArrayRef2<T> = kept_source.as_deref().unwrap_or(source);
    let target: &ArrayRef2<T> = if same { source } else { kept_target.as_deref().unwrap_or(target) };
    let test = Test {
        rows: held_out.as_deref().unwrap_or(target),
        labels: labels.map(|labels| pick(labels.target, split.test.as_deref().or(split.target.as_deref()))),
        source_labels: labels.map(|labels| pick(labels.source, split.source.as_deref())),
        classes: labels.map_or_else(Vec::new, classes),
    };
    let target_labels = labels.map(|labels| pick(labels.target, split.target.as_deref()));
    let coverage = params.coverage.as_ref().map(|coverage| RowCoverageParams {
        seed: selection.seed,
        target_weights: selection.target_weights.clone(),
        ..coverage.clone()
    });
    let pair = CheckedPair::new(target, source)?;
    let source_labels = test.source_labels.as_deref();
    let labels = target_labels.as_deref().zip(source_labels).map(|(target, source)| Labels { target, source });
    let survey = match &coverage {
        Some(params) => Some(CoverageSurvey::new(pair.rows(), labels, kernel, params, observer)?),
        None => None,
    };
    let runs = Runs { selection: &selection, split: &split, test: &test, source, kernel, survey: survey.as_ref() };
    runs.compare(target, &methods, &sizes, meter, observer)
}

fn classes(labels: Labels<'_>) -> Vec<usize> {
    let mut classes = [labels.target, labels.source].concat();
    classes.sort_unstable();
    classes.dedup();
    classes
}

/// The rows to classify.
struct Test<'a, T> {
    rows: &'a ArrayRef2<T>,
    labels: Option<Vec<usize>>,
    source_labels: Option<Vec<usize>>,
    classes: Vec<usize>,
}

/// State shared by all runs of a comparison.
struct Runs<'a, T: Scalar> {
    selection: &'a Params,
    split: &'a Split,
    test: &'a Test<'a, T>,
    source: &'a ArrayRef2<T>,
    kernel: &'a dyn Kernel<T>,
    survey: Option<&'a CoverageSurvey<'a, T>>,
}

impl<T: Scalar> Runs<'_, T> {
    fn compare(
        self,
        target: &ArrayRef2<T>,
        methods: &[Method],
        sizes: &[usize],
        meter: &mut dyn Meter,
        observer: &mut dyn Observer,
    ) -> Result<MethodComparison> {
        meter.start();
        let prepared = Prepared::new(target, self.source, self.kernel, self.selection, observer)?;
        let preparation = meter.read();
        let (mut results, mut skipped) = (Vec::new(), Vec::new());
        for &method in methods {
            for sizes in runs_of(method, self.selection, sizes) {
                match self.run(&prepared, method, sizes, meter, observer) {
                    Ok(found) => results.extend(found),
                    Err(error @ (Error::UnreachableNumber { .. } | Error::NoClusterMeans { .. })) => {
                        let skip = |&n_prototypes| SkippedRun { method, n_prototypes, error: error.clone() };
                        skipped.extend(sizes.iter().map(skip));
                    }
                    Err(error) => return Err(error),
                }
            }
        }
        results.sort_by_key(|result: &MethodResult| result.n_prototypes);
        let n_test = if self.test.labels.is_some() { self.test.rows.nrows() } else { 0 };
        let (n_target, n_source) = (target.nrows(), self.source.nrows());
        let classes = self.test.classes.clone();
        let random_coverage = self.random_coverage(sizes, observer)?;
        Ok(MethodComparison { preparation, results, skipped, n_target, n_source, n_test, classes, random_coverage })
    }

    /// What random rows cover at each number of prototypes, if that is measured.
    fn random_coverage(&self, sizes: &[usize], observer: &mut dyn Observer) -> Result<Vec<RandomCoverage>> {
        let Some(survey) = self.survey else { return Ok(Vec::new()) };
        let at = |&n_prototypes| {
            let expected = survey.measure_random(n_prototypes, observer)?;
            Ok(RandomCoverage { n_prototypes, n_draws: survey.n_draws(), expected })
        };
        sizes.iter().map(at).collect()
    }

    /// One run of a method, with its results at each of these numbers of prototypes.
    fn run(
        &self,
        prepared: &Prepared<'_, T>,
        method: Method,
        sizes: &[usize],
        meter: &mut dyn Meter,
        observer: &mut dyn Observer,
    ) -> Result<Vec<MethodResult>> {
        let mut params = self.selection.clone();
        params.n_prototypes = sizes.last().copied();
        (params.method, params.weights) = (method, Weights::Own);
        let mut laps = Laps::start(meter, &mut *observer);
        let selection = prepared.select(&params, &mut laps)?;
        let (readings, whole) = laps.stop();
        let classification = match (&self.test.labels, &self.test.source_labels) {
            (Some(labels), Some(source_labels)) => {
                let test = Labelled { rows: self.test.rows, labels };
                let source = Labelled { rows: self.source, labels: source_labels };
                Some(classify(test, source, &selection, self.kernel, observer)?)
            }
            _ => None,
        };
        let mut results = Vec::with_capacity(sizes.len());
        for &n_prototypes in sizes {
            // A run that ended early is also the result for all larger numbers.
            let size = n_prototypes.min(selection.prototypes.len());
            let own = selection.prefix(size).unwrap_or_else(|| selection.clone());
            let refitted = prepared.refit_weights(&own, observer)?;
            let last = sizes.last() == Some(&n_prototypes);
            let coverage = match self.survey {
                Some(survey) => Some(survey.measure(&rows_of(&own), observer)?),
                None => None,
            };
            let reading = size.checked_sub(1).filter(|_| !last).and_then(|step| readings.get(step));
            results.push(MethodResult {
                method,
                n_prototypes,
                stopped: own.stopped,
                own: Fit::of(&own),
                refitted: Fit::of(&refitted),
                accuracy: classification.as_ref().and_then(|found| Accuracy::of(found, size, &self.test.classes)),
                coverage,
                cost: *reading.unwrap_or(&whole),
                prototypes: self.as_given(own),
            });
        }
        Ok(results)
    }

    /// The prototypes as rows of the source that the caller gave.
    fn as_given(&self, selection: Selection) -> Vec<Prototype> {
        let mut prototypes = selection.prototypes;
        if let Some(kept) = &self.split.source {
            prototypes.iter_mut().for_each(|prototype| prototype.source_index = kept[prototype.source_index]);
        }
        prototypes
    }
}

/// The chosen rows.
fn rows_of(selection: &Selection) -> Vec<usize> {
    selection.prototypes.iter().map(|prototype| prototype.source_index).collect()
}

/// The numbers of prototypes, grouped by the run that serves them.
fn runs_of<'a>(method: Method, params: &Params, sizes: &'a [usize]) -> Vec<&'a [usize]> {
    if method.is_nested() && params.oversample == 1.0 { vec![sizes] } else { sizes.chunks(1).collect() }
}
