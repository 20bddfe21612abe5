//! Explains many individual rows, each by the few source rows that represent it.
//!
//! A row x is a target of one row, so that the kernel means are μⱼ = k(x, yⱼ); ProtoDash does the rest. What the rows share
//! is computed once: checks, copies, classes, and how far source rows are from each other.

mod group;
mod similarity_limit;

use ndarray::ArrayRef2;

use self::group::{SourceGroups, nearest_distance};
use self::similarity_limit::SimilarityLimit;
use crate::baseline::SourceDistances;
use crate::cross_validation::Labels;
use crate::error::{Error, Result, Role};
use crate::kernel::Kernel;
use crate::kernel_mean::{Target, column};
use crate::observe::{Observer, Stage, Unobserved, check_cancelled};
use crate::parallel;
use crate::params::{Params, check_length, in_range};
use crate::problem::SelectionProblem;
use crate::rows::{CheckedPair, Rows, Scalar};
use crate::search::ShardLayout;
use crate::selection::{Energy, Prototype, describe};

/// Rows, for each thread, between two calls of the observer.
const ROWS_PER_ROUND: usize = 32;

/// Parameters of [`explain`](crate::explain()).
///
/// # Examples
///
/// ```
/// let params = protodash::ExplainParams::default();
/// assert_eq!((params.n_prototypes, params.similar_share), (5, 0.99));
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ExplainParams {
    /// Maximum number of source rows for each row.
    pub n_prototypes: usize,
    /// A row has something similar if it is no farther from the nearest source row than this share of the source's
    /// distinct rows are from theirs: from 0 to 1.
    pub similar_share: f64,
    /// Seed of the sample of source rows, which [`similar_share`](Self::similar_share) is measured on.
    pub seed: u64,
    /// Which source row each row is, if it is one: a row does not explain itself. `None` if no row is.
    pub own_rows: Option<Vec<Option<usize>>>,
}

impl Default for ExplainParams {
    fn default() -> Self {
        ExplainParams { n_prototypes: 5, similar_share: 0.99, seed: 0, own_rows: None }
    }
}

/// The source rows that represent one row.
///
/// # Examples
///
/// See [`explain`](crate::explain()).
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Explanation {
    /// The source rows in order of choice, with their weights; their shares sum to 1.
    pub prototypes: Vec<Prototype>,
    /// The distance of each of them from the row.
    pub distances: Vec<f64>,
    /// The share of the row that they explain, as in [`Selection::explained`](crate::Selection::explained).
    pub explained: Option<f64>,
    /// The distance to the nearest source row; `None` if there is no row to choose from.
    pub nearest_distance: Option<f64>,
    /// Whether that is no farther than usual: at most [`Explanations::limit`].
    pub is_similar: bool,
}

/// The result of [`explain`](crate::explain()).
///
/// # Examples
///
/// See [`explain`](crate::explain()).
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Explanations {
    /// One for each row, in their order.
    pub rows: Vec<Explanation>,
    /// The largest distance to the nearest source row that still counts as similar; 0 if the source has no two different
    /// rows, so that only an equal row is similar.
    pub limit: f64,
}

/// For each row, the few source rows that represent it.
///
/// Equal to [`select`](crate::select) by ProtoDash with non-negative weights and that row as the only target row. With
/// labels, only source rows of the row's class are chosen.
///
/// # Nothing similar
///
/// The nearest of many rows can still be far away. A row has nothing similar in the source if it is farther from the
/// nearest source row (of its class, if there are labels) than 99 % of the distinct source rows are from theirs
/// ([`ExplainParams::similar_share`]). This does not depend on the kernel's bandwidth. Distances are Euclidean for all built-in
/// kernels of numbers, the fraction of different values for codes, and in feature space for the cosine and other kernels. They
/// are measured on a sample of 1,000 source rows. If all source rows are equal, nothing says how far is usual, and only an equal
/// row is similar.
///
/// # Other rows
///
/// An explanation depends on the row, the source and the kernel, not on the other rows. A bandwidth from the data should
/// therefore come from the source alone: [`KernelSpec::measured_on_source`](crate::KernelSpec::measured_on_source).
///
/// # Cost
///
/// Each row costs about n₂ · (m + 2) kernel values, and the sample 1,000 · n₂ distances. Rows are processed in parallel; the
/// result is the same for any number of threads.
///
/// # Errors
///
/// As for [`select`](crate::select); also if there is not one label, or one entry of
/// [`own_rows`](ExplainParams::own_rows), for each row.
///
/// # Examples
///
/// ```
/// use ndarray::array;
/// use protodash::{ExplainParams, Gaussian, Unobserved, explain};
///
/// let known = array![[0.0], [1.0], [2.0], [3.0], [4.0]];
/// let rows = array![[1.4], [50.0]];
/// let mut params = ExplainParams::default();
/// params.n_prototypes = 2;
/// let found = explain(&rows, &known, None, &Gaussian::new(1.0)?, &params, &mut Unobserved)?;
/// let chosen: Vec<usize> = found.rows[0].prototypes.iter().map(|prototype| prototype.source_index).collect();
/// assert_eq!(chosen, [1, 2]);
/// assert!(found.rows[0].explained.unwrap() > 0.95);
/// assert_eq!((found.rows[0].is_similar, found.rows[1].is_similar), (true, false)); // source rows are 1 apart, 50 is not
/// # Ok::<(), protodash::Error>(())
/// ```
pub fn explain<T: Scalar>(
    rows: &ArrayRef2<T>,
    source: &ArrayRef2<T>,
    labels: Option<Labels<'_>>,
    kernel: &dyn Kernel<T>,
    params: &ExplainParams,
    observer: &mut dyn Observer,
) -> Result<Explanations> {
    let checked = CheckedPair::new(rows, source)?;
    let (rows, source) = checked.rows();
    check(rows, source, labels, params)?;
    let groups = SourceGroups::new(source, labels.map(|labels| labels.source));
    let limit = SimilarityLimit::new(kernel, source, params).limit;
    let explainer =
        Explainer { rows, kernel, labels, groups: &groups, distances: groups.distances(kernel), params, limit };
    let per_round = ROWS_PER_ROUND * rayon::current_num_threads();
    let mut explanations = Vec::with_capacity(rows.n_rows());
    while explanations.len() < rows.n_rows() {
        let first = explanations.len();
        check_cancelled(observer.on_progress(Stage::Search, first as u64, rows.n_rows() as u64))?;
        let round = first..rows.n_rows().min(first + per_round);
        for explanation in parallel::map(round, |row| explainer.explain(row)) {
            explanations.push(explanation?);
        }
    }
    Ok(Explanations { rows: explanations, limit })
}

fn check<T: Scalar>(
    rows: Rows<'_, T>,
    source: Rows<'_, T>,
    labels: Option<Labels<'_>>,
    params: &ExplainParams,
) -> Result<()> {
    if params.n_prototypes == 0 {
        return Err(Error::NoPrototypes);
    }
    let share = params.similar_share;
    in_range("similar_share", share, (0.0..=1.0).contains(&share), "from 0 to 1")?;
    for (role, rows, labels) in [
        (Role::Target, rows.n_rows(), labels.map(|labels| labels.target)),
        (Role::Source, source.n_rows(), labels.map(|labels| labels.source)),
    ] {
        if let Some(given) = labels.map(<[usize]>::len).filter(|given| *given != rows) {
            return Err(Error::WrongNumberOfLabels { role, given, rows });
        }
    }
    let Some(own_rows) = &params.own_rows else { return Ok(()) };
    check_length("own_rows", own_rows.len(), rows.n_rows())?;
    match own_rows.iter().flatten().find(|row| **row >= source.n_rows()) {
        Some(&row) => Err(Error::NoSuchRow { name: "own_rows", row, n_source: source.n_rows() }),
        None => Ok(()),
    }
}

/// Everything that explaining a row needs.
struct Explainer<'a, T: Scalar> {
    rows: Rows<'a, T>,
    kernel: &'a dyn Kernel<T>,
    labels: Option<Labels<'a>>,
    groups: &'a SourceGroups<'a, T>,
    /// For each group, its distances.
    distances: Vec<SourceDistances<'a, T>>,
    params: &'a ExplainParams,
    limit: f64,
}

impl<T: Scalar> Explainer<'_, T> {
    fn explain(&self, row: usize) -> Result<Explanation> {
        let own = self.params.own_rows.as_ref().and_then(|own| own[row]);
        let nothing = || Explanation {
            prototypes: Vec::new(),
            distances: Vec::new(),
            explained: None,
            nearest_distance: None,
            is_similar: false,
        };
        let class = self.labels.map(|labels| labels.target[row]);
        let Some(place) = self.groups.place_of(class) else { return Ok(nothing()) };
        let (group, measure) = (self.groups.group(place), &self.distances[place]);
        let is_candidate = group.candidates_without(own);
        if !is_candidate.contains(&true) {
            return Ok(nothing());
        }
        let (x, source) = (self.rows.row(row), group.rows());
        let mut kernel_mean = vec![0.0; source.n_rows()];
        column(self.kernel, source, x, &mut kernel_mean);
        let n_candidates = is_candidate.iter().filter(|is_candidate| **is_candidate).count();
        let params = Params::new(self.params.n_prototypes.min(n_candidates));
        let problem = SelectionProblem {
            target: Target { rows: Rows::new(x, x.len()), weights: None },
            source,
            kernel: self.kernel,
            kernel_mean: &kernel_mean,
            approximate: None,
            params: &params,
            candidates: Some(&is_candidate),
            // Rows are the unit of parallel work, and a row needs no more threads than one.
            layout: ShardLayout { rows_per_block: source.n_rows(), ..ShardLayout::default() },
        };
        let path = T::path(problem, &mut Unobserved)?;
        let weights = path.weights.last().map_or(&[][..], Vec::as_slice);
        let mut prototypes = describe(&path.source_indices, weights, &path.objective, &[]);
        let chosen: Vec<&[T]> = path.source_indices.iter().map(|row| source.row(*row)).collect();
        let distances = chosen.iter().map(|other| measure.nearest(&[x], &[other])[0]).collect();
        prototypes.iter_mut().for_each(|prototype| prototype.source_index = group.source_row(prototype.source_index));
        let value = self.kernel.evaluate(x, x);
        let explained =
            path.objective.last().and_then(|objective| Energy { value, standard_error: None }.explained(*objective));
        let nearest = nearest_distance(measure, x, &is_candidate);
        let is_similar = nearest <= self.limit;
        Ok(Explanation { prototypes, distances, explained, nearest_distance: Some(nearest), is_similar })
    }
}
