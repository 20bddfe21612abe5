//! The results of a comparison: one entry per method and number of prototypes.

use super::meter::RunCost;
use crate::classify::Classification;
use crate::error::Error;
use crate::params::Method;
use crate::row_coverage::RowCoverage;
use crate::selection::{Prototype, Selection, Stopped};

/// Several methods on the same data.
///
/// # Examples
///
/// ```
/// use ndarray::array;
/// use protodash::compare::{CompareParams, Unmetered, compare};
/// use protodash::{Gaussian, Method, Unobserved};
///
/// let rows = array![[0.0], [0.2], [4.0], [4.1], [9.0]];
/// let params = CompareParams::new(&[Method::ProtoDash, Method::Random], &[1, 2]);
/// let found = compare(&rows, &rows, None, &Gaussian::new(1.0)?, &params, &mut Unmetered, &mut Unobserved)?;
/// let order: Vec<_> = found.results.iter().map(|result| (result.n_prototypes, result.method)).collect();
/// assert_eq!(order[..2], [(1, Method::ProtoDash), (1, Method::Random)]);
/// assert_eq!(found.shared_rows(2)[0][0], 2); // a method shares all its rows with itself
/// # Ok::<(), protodash::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct MethodComparison {
    /// Cost of the kernel mean and the target's energy, which all methods use.
    pub preparation: RunCost,
    /// By number of prototypes, then in the order of the methods.
    pub results: Vec<MethodResult>,
    /// Runs that were not possible.
    pub skipped: Vec<SkippedRun>,
    /// Target rows that were represented.
    pub n_target: usize,
    /// Source rows that could be chosen.
    pub n_source: usize,
    /// Rows that were classified; 0 without labels.
    pub n_test: usize,
    /// The classes, in ascending order; empty without labels.
    pub classes: Vec<usize>,
    /// What random rows cover at each number of prototypes; empty if coverage was not measured.
    pub random_coverage: Vec<RandomCoverage>,
}

/// What as many random rows as prototypes cover on average.
///
/// # Examples
///
/// ```
/// use ndarray::array;
/// use protodash::compare::{CompareParams, Unmetered, compare};
/// use protodash::{Gaussian, Labels, Method, RowCoverageParams, Unobserved};
///
/// let rows = array![[0.0], [0.2], [0.1], [4.0]];
/// let labels = Some(Labels { target: &[0, 0, 0, 1], source: &[0, 0, 0, 1] });
/// let mut params = CompareParams::new(&[Method::FarthestFirst], &[2]);
/// params.coverage = Some(RowCoverageParams::default());
/// let found = compare(&rows, &rows, labels, &Gaussian::new(1.0)?, &params, &mut Unmetered, &mut Unobserved)?;
/// assert_eq!(found.results[0].coverage.unwrap().classes_touched, Some(2.0));
/// assert_eq!(found.random_coverage[0].expected.classes_touched, Some(1.5));
/// # Ok::<(), protodash::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RandomCoverage {
    /// Number of random rows.
    pub n_prototypes: usize,
    /// Number of draws whose distances and typicality were averaged.
    pub n_draws: usize,
    /// The exact expectation of the number of classes, and means over the draws.
    pub expected: RowCoverage,
}

impl MethodComparison {
    /// How many rows each pair of methods shares at this number of prototypes.
    ///
    /// Rows and columns are in the order of the results for that number.
    ///
    /// # Examples
    ///
    /// ```
    /// use ndarray::array;
    /// use protodash::compare::{CompareParams, Unmetered, compare};
    /// use protodash::{Gaussian, Method, Unobserved};
    ///
    /// let rows = array![[0.0], [0.2], [4.0]];
    /// let params = CompareParams::new(&[Method::ProtoDash, Method::ProtoGreedy], &[3]);
    /// let found = compare(&rows, &rows, None, &Gaussian::new(1.0)?, &params, &mut Unmetered, &mut Unobserved)?;
    /// assert_eq!(found.shared_rows(3), [[3, 3], [3, 3]]);
    /// # Ok::<(), protodash::Error>(())
    /// ```
    pub fn shared_rows(&self, n_prototypes: usize) -> Vec<Vec<usize>> {
        let at_size = self.results.iter().filter(|result| result.n_prototypes == n_prototypes);
        let sets: Vec<Vec<usize>> = at_size.map(MethodResult::sorted_rows).collect();
        let shared = |a: &[usize], b: &[usize]| a.iter().filter(|row| b.binary_search(row).is_ok()).count();
        sets.iter().map(|a| sets.iter().map(|b| shared(a, b)).collect()).collect()
    }
}

/// One method at one number of prototypes.
///
/// # Examples
///
/// ```
/// use ndarray::array;
/// use protodash::compare::{CompareParams, Unmetered, compare};
/// use protodash::{Gaussian, Method, Unobserved};
///
/// let rows = array![[0.0], [0.1], [0.2], [9.0]];
/// let params = CompareParams::new(&[Method::L2c], &[2]);
/// let found = compare(&rows, &rows, None, &Gaussian::new(1.0)?, &params, &mut Unmetered, &mut Unobserved)?;
/// let l2c = &found.results[0];
/// // Equal weights are L2C's own; refitted weights can only be better.
/// assert_eq!(l2c.prototypes[0].weight, l2c.prototypes[1].weight);
/// assert!(l2c.refitted.objective > l2c.own.objective);
/// # Ok::<(), protodash::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct MethodResult {
    /// The method.
    pub method: Method,
    /// The number requested.
    pub n_prototypes: usize,
    /// The prototypes with the method's own weights; rows of the source as it was given.
    pub prototypes: Vec<Prototype>,
    /// Why the run ended.
    pub stopped: Stopped,
    /// The fit with the method's own weights.
    pub own: Fit,
    /// The fit of the same rows with optimal non-negative weights.
    pub refitted: Fit,
    /// How well the prototypes classify, if labels were given and there is a prototype.
    pub accuracy: Option<Accuracy>,
    /// What the prototypes cover, if that was requested.
    pub coverage: Option<RowCoverage>,
    /// The cost of the run up to this number of prototypes, without the preparation.
    pub cost: RunCost,
}

impl MethodResult {
    fn sorted_rows(&self) -> Vec<usize> {
        let mut rows: Vec<usize> = self.prototypes.iter().map(|prototype| prototype.source_index).collect();
        rows.sort_unstable();
        rows
    }
}

/// How close weighted prototypes come to the target.
///
/// # Examples
///
/// ```
/// use protodash::compare::Fit;
///
/// let fit = Fit { objective: 0.375, mmd2: Some(0.25), explained: Some(0.75) };
/// assert!(fit.explained.unwrap() < 1.0);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fit {
    /// The objective l(w); larger is better.
    pub objective: f64,
    /// The squared distance to the target, if its energy is known.
    pub mmd2: Option<f64>,
    /// The share of the target's energy explained, if known.
    pub explained: Option<f64>,
}

impl Fit {
    pub(super) fn of(selection: &Selection) -> Fit {
        Fit { objective: selection.objective_final(), mmd2: selection.mmd2(), explained: selection.explained() }
    }
}

/// How well prototypes classify rows.
///
/// # Examples
///
/// ```
/// use protodash::compare::Accuracy;
///
/// let perfect = Accuracy { nearest: 1.0, weighted: 1.0, confusion: vec![vec![3, 0], vec![0, 2]] };
/// assert_eq!(perfect.confusion[0][1], 0);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Accuracy {
    /// The fraction of rows that the nearest prototype classifies correctly.
    pub nearest: f64,
    /// The fraction that the weighted vote of all prototypes classifies correctly.
    pub weighted: f64,
    /// Rows of each true class (rows) by the class of the nearest prototype (columns).
    pub confusion: Vec<Vec<u64>>,
}

impl Accuracy {
    /// The accuracy of the first `size` prototypes; `None` if there are none.
    pub(super) fn of(found: &Classification, size: usize, classes: &[usize]) -> Option<Accuracy> {
        let last = size.checked_sub(1)?;
        let counts = found.nearest.confusion(size)?;
        // The classification knows the classes that occur in its rows; the table covers all of them.
        let place: Vec<usize> = found.classes.iter().filter_map(|class| classes.binary_search(class).ok()).collect();
        let mut confusion = vec![vec![0; classes.len()]; classes.len()];
        for ((i, j), count) in counts.indexed_iter() {
            confusion[place[i]][place[j]] = *count;
        }
        let (nearest, weighted) = (*found.nearest.accuracy.get(last)?, *found.weighted.accuracy.get(last)?);
        Some(Accuracy { nearest, weighted, confusion })
    }
}

/// A method that cannot return this number of prototypes on these data.
///
/// # Examples
///
/// ```
/// use protodash::compare::SkippedRun;
/// use protodash::{Error, Method};
///
/// let error = Error::UnreachableNumber { requested: 2, below: Some(1), above: 3 };
/// let skipped = SkippedRun { method: Method::PLasso, n_prototypes: 2, error };
/// assert!(skipped.error.to_string().contains("1 and 3"));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct SkippedRun {
    /// The method.
    pub method: Method,
    /// The number requested.
    pub n_prototypes: usize,
    /// Why.
    pub error: Error,
}
