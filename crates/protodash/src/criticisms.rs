//! Criticisms: the rows that prototypes represent worst. A prototype or a copy of one is never a criticism.

use ndarray::ArrayRef2;

use crate::choice::Choice;
use crate::distinct::first_of_equal_rows;
use crate::error::{Error, Result, Role};
use crate::kernel::Kernel;
use crate::kernel_mean::{Target, column, finite_means, fold_columns, mean_over_target};
use crate::observe::{Observer, Stage, check_cancelled};
use crate::parallel;
use crate::params::{check_length, check_row_weights, in_range};
use crate::prepared::normalised;
use crate::representation::prototype_rows;
use crate::rows::{CheckedPair, Rows, Scalar};
use crate::selection::Prototype;

/// A badly represented row.
///
/// # Examples
///
/// ```
/// let criticism = protodash::Criticism { row: 17, score: 0.2 };
/// assert_eq!(criticism.row, 17);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Criticism {
    /// 0-based row of the searched data.
    pub row: usize,
    /// |witness| or distance, see [`Definition`]; larger is worse.
    pub score: f64,
}

/// The definition of "badly represented".
///
/// # Examples
///
/// ```
/// use protodash::criticisms::Definition;
///
/// assert_eq!(Definition::default(), Definition::Witness { diversity: 1.0 });
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Definition {
    /// Where the densities of target and prototypes differ most (Kim et al. 2016).
    ///
    /// ```text
    /// witness(x) = Σᵢ pᵢ k(xᵢ, x) − Σⱼ wⱼ k(zⱼ, x)        max Σ_c |witness(c)| + diversity · log det K_C
    /// ```
    ///
    /// maximised greedily; the score is |witness|. With diversity 0, rows are ranked by score alone.
    Witness {
        /// Weight of the diversity term; 1 is the published objective.
        diversity: f64,
    },
    /// The distance to the nearest prototype in feature space: "farthest away" in the paper.
    ///
    /// ```text
    /// distance(x) = minⱼ √(k(x, x) − 2 k(x, zⱼ) + k(zⱼ, zⱼ))
    /// ```
    Distance,
}

impl Default for Definition {
    fn default() -> Self {
        Definition::Witness { diversity: 1.0 }
    }
}

/// Parameters of [`criticize`].
///
/// # Examples
///
/// ```
/// use protodash::criticisms::{Among, CriticismParams};
///
/// let mut params = CriticismParams::new(5);
/// params.among = Among::Target;
/// assert_eq!(params.n_criticisms, 5);
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct CriticismParams {
    /// Maximum number of criticisms.
    pub n_criticisms: usize,
    /// The definition of "badly represented".
    pub definition: Definition,
    /// Whose rows are searched.
    pub among: Among,
    /// The target weights of the selection.
    pub target_weights: Option<Vec<f64>>,
    /// The source's kernel mean, if the caller has it ([`Selection::kernel_mean`](crate::Selection::kernel_mean));
    /// otherwise the witness among the source recomputes it.
    pub kernel_mean: Option<Vec<f64>>,
}

impl CriticismParams {
    /// The witness definition, among the source.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash::criticisms::{Among, CriticismParams};
    ///
    /// assert_eq!(CriticismParams::new(3).among, Among::Source);
    /// ```
    pub fn new(n_criticisms: usize) -> Self {
        CriticismParams {
            n_criticisms,
            definition: Definition::default(),
            among: Among::Source,
            target_weights: None,
            kernel_mean: None,
        }
    }
}

/// Whose rows are searched for criticisms.
///
/// # Examples
///
/// ```
/// use protodash::criticisms::Among;
///
/// assert_ne!(Among::Source, Among::Target);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Among {
    /// The rows to choose from.
    Source,
    /// The rows to be represented.
    Target,
}

impl Choice for Among {
    const ALL: &'static [(Self, &'static str, &'static str)] = &[
        (Among::Source, "source", "The rows that could have been chosen"),
        (Among::Target, "target", "The rows to be represented"),
    ];
}

impl From<Among> for Role {
    fn from(among: Among) -> Self {
        match among {
            Among::Source => Role::Source,
            Among::Target => Role::Target,
        }
    }
}

/// The rows that the prototypes represent worst, worst first.
///
/// Returns fewer than requested if there are not enough rows that differ from the prototypes and from each other.
///
/// # Errors
///
/// If a matrix is empty or not finite, if their numbers of columns differ, if a prototype is not a row of the source, if
/// a target weight or a kernel value is invalid, if a parameter is out of range or has the wrong length, or
/// [`Error::Cancelled`] when the observer stops the run.
///
/// # Examples
///
/// ```
/// use ndarray::array;
/// use protodash::criticisms::{CriticismParams, Definition, criticize};
/// use protodash::{Gaussian, Params, Unobserved, select};
///
/// let rows = array![[0.0], [0.1], [0.2], [9.0]];
/// let kernel = Gaussian::new(1.0)?;
/// let selection = select(&rows, &rows, &kernel, &Params::new(1))?;
/// let mut params = CriticismParams::new(1);
/// params.definition = Definition::Distance;
/// let found = criticize(&rows, &rows, &selection.prototypes, &kernel, &params, &mut Unobserved)?;
/// assert_eq!(found[0].row, 3);
/// # Ok::<(), protodash::Error>(())
/// ```
pub fn criticize<T: Scalar>(
    target: &ArrayRef2<T>,
    source: &ArrayRef2<T>,
    prototypes: &[Prototype],
    kernel: &dyn Kernel<T>,
    params: &CriticismParams,
    observer: &mut dyn Observer,
) -> Result<Vec<Criticism>> {
    let weights: Vec<f64> = prototypes.iter().map(|prototype| prototype.weight).collect();
    let found = criticize_path(target, source, prototypes, &[&weights], kernel, params, observer)?;
    Ok(found.into_iter().flatten().collect())
}

/// The rows that the first prototypes represent worst, for sets of several sizes.
///
/// Each entry of `weights_path` has the weights of that many prototypes, the first ones; its criticisms are those that
/// [`criticize`] finds for them. All sets share one pass over the n · m kernel values, a number for each row and set, and one
/// kernel mean.
///
/// # Errors
///
/// As for [`criticize`]; also if an entry of `weights_path` is longer than the prototypes.
///
/// # Examples
///
/// ```
/// use ndarray::array;
/// use protodash::criticisms::{CriticismParams, Definition, criticize_path};
/// use protodash::{Gaussian, Params, Unobserved, select};
///
/// let rows = array![[0.0], [0.1], [0.2], [5.0], [5.1], [9.0]];
/// let kernel = Gaussian::new(1.0)?;
/// let selection = select(&rows, &rows, &kernel, &Params::new(2))?;
/// let weights: Vec<&[f64]> = (1..=2).filter_map(|size| selection.weights_at(size)).collect();
/// let mut params = CriticismParams::new(1);
/// params.definition = Definition::Distance;
/// let found = criticize_path(&rows, &rows, &selection.prototypes, &weights, &kernel, &params, &mut Unobserved)?;
/// assert_eq!((found[0][0].row, found[1][0].row), (5, 5));
/// assert!(found[0][0].score > found[1][0].score); // the second prototype is nearer
/// # Ok::<(), protodash::Error>(())
/// ```
pub fn criticize_path<T: Scalar>(
    target: &ArrayRef2<T>,
    source: &ArrayRef2<T>,
    prototypes: &[Prototype],
    weights_path: &[&[f64]],
    kernel: &dyn Kernel<T>,
    params: &CriticismParams,
    observer: &mut dyn Observer,
) -> Result<Vec<Vec<Criticism>>> {
    let checked = CheckedPair::new(target, source)?;
    let (target, source) = checked.rows();
    if let Some(weights) = &params.target_weights {
        check_row_weights(weights, target.n_rows(), Role::Target)?;
    }
    let prototype_rows = prototype_rows(source, prototypes)?;
    if let Some(weights) = weights_path.iter().find(|weights| weights.len() > prototypes.len()) {
        let (name, expected) = ("an entry of the path of weights", prototypes.len());
        return Err(Error::WrongLength { name, given: weights.len(), expected });
    }
    let searched = if params.among == Among::Source { source } else { target };
    let (diversity, scores) = match params.definition {
        Definition::Distance => (0.0, distances(searched, (&prototype_rows, weights_path), kernel)),
        Definition::Witness { diversity } => {
            in_range("diversity", diversity, diversity.is_finite() && diversity >= 0.0, "a finite number, at least 0")?;
            let weights = params.target_weights.as_deref().map(normalised);
            let target = Target { rows: target, weights: weights.as_deref() };
            let mean = match (&params.kernel_mean, params.among) {
                (Some(mean), Among::Source) => {
                    check_length("the kernel mean", mean.len(), source.n_rows())?;
                    finite_means(mean.clone())?
                }
                _ => finite_means(mean_over_target(target, searched, kernel, (Stage::KernelMean, &mut *observer))?)?,
            };
            (diversity, witness_sizes(searched, (&prototype_rows, weights_path), kernel, &mean))
        }
    };
    // A prototype or a copy of one is never a criticism: the first prototype that a row equals.
    let copied = |row: usize| prototype_rows.iter().position(|prototype| *prototype == searched.row(row));
    let copied = parallel::map(0..searched.n_rows(), copied);
    let is_first = first_of_equal_rows(searched);
    let criticize = |(scores, weights): (Vec<f64>, &&[f64])| {
        if let Some(row) = scores.iter().position(|score| !score.is_finite()) {
            return Err(Error::KernelNotFinite { role: params.among.into(), row, value: scores[row].to_string() });
        }
        let is_copy = |copied: &Option<usize>| copied.is_some_and(|prototype| prototype < weights.len());
        let eligible = is_first.iter().zip(&copied).map(|(first, copied)| *first && !is_copy(copied)).collect();
        greedy(searched, kernel, &scores, eligible, diversity, (params.n_criticisms, &mut *observer))
    };
    scores.into_iter().zip(weights_path).map(criticize).collect()
}

/// Number of rows whose kernel values are computed at a time.
const ROWS_AT_A_TIME: usize = 64;

/// For each set of prototypes, the fold of `start` and the similarities of each row to the prototypes of the set.
///
/// `fold` gets the value so far, the position of the prototype, its weight in the set, and the similarity.
fn fold_sets<T: Scalar>(
    rows: Rows<'_, T>,
    (prototype_rows, weights_path): (&[&[T]], &[&[f64]]),
    kernel: &dyn Kernel<T>,
    start: f64,
    fold: impl Fn(f64, usize, f64, f64) -> f64 + Sync,
) -> Vec<Vec<f64>> {
    let n_sets = weights_path.len();
    if n_sets == 0 {
        return Vec::new();
    }
    let mut folded = vec![start; rows.n_rows() * n_sets];
    parallel::map_chunks(&mut folded, ROWS_AT_A_TIME * n_sets, |chunk, folded| {
        let first = chunk * ROWS_AT_A_TIME;
        let rows = rows.slice(first..first + folded.len() / n_sets);
        let mut values = [0.0; ROWS_AT_A_TIME];
        let values = &mut values[..rows.n_rows()];
        for (position, prototype) in prototype_rows.iter().enumerate() {
            column(kernel, rows, prototype, values);
            for (folded, value) in folded.chunks_mut(n_sets).zip(&*values) {
                for (folded, weights) in folded.iter_mut().zip(weights_path) {
                    if let Some(weight) = weights.get(position) {
                        *folded = fold(*folded, position, *weight, *value);
                    }
                }
            }
        }
    });
    (0..n_sets).map(|set| folded.iter().skip(set).step_by(n_sets).copied().collect()).collect()
}

/// |witness(x)| for each row, by set of prototypes.
fn witness_sizes<T: Scalar>(
    rows: Rows<'_, T>,
    sets: (&[&[T]], &[&[f64]]),
    kernel: &dyn Kernel<T>,
    mean: &[f64],
) -> Vec<Vec<f64>> {
    let represented = fold_sets(rows, sets, kernel, 0.0, |sum, _, weight, similarity| sum + weight * similarity);
    let witness =
        |represented: Vec<f64>| mean.iter().zip(represented).map(|(mean, of_set)| (mean - of_set).abs()).collect();
    represented.into_iter().map(witness).collect()
}

/// The distance of each row from its nearest prototype in feature space, or from the origin if there is none, by set of
/// prototypes. Prototypes count whatever their weight.
fn distances<T: Scalar>(
    rows: Rows<'_, T>,
    (prototype_rows, weights_path): (&[&[T]], &[&[f64]]),
    kernel: &dyn Kernel<T>,
) -> Vec<Vec<f64>> {
    let diagonal: Vec<f64> = prototype_rows.iter().map(|row| kernel.evaluate(row, row)).collect();
    let nearer =
        |least: f64, position: usize, _: f64, similarity: f64| least.min(diagonal[position] - 2.0 * similarity);
    let nearest = fold_sets(rows, (prototype_rows, weights_path), kernel, f64::INFINITY, nearer);
    let own = parallel::map(0..rows.n_rows(), |row| kernel.evaluate(rows.row(row), rows.row(row)));
    let distance = |(own, nearest): (&f64, f64)| {
        let squared = own + if nearest == f64::INFINITY { 0.0 } else { nearest };
        // Unlike `max`, this keeps NaN.
        if squared < 0.0 { 0.0 } else { squared.sqrt() }
    };
    nearest.into_iter().map(|nearest| own.iter().zip(nearest).map(distance).collect()).collect()
}

/// Rows by score + diversity · log s, where s is the Schur complement against the rows already found.
///
/// log det K_C grows by log s with each row that joins C, so this is the greedy maximum of Σ score + log det. A row
/// in the span of the others has s = 0 and is never taken.
fn greedy<T: Scalar>(
    rows: Rows<'_, T>,
    kernel: &dyn Kernel<T>,
    scores: &[f64],
    mut eligible: Vec<bool>,
    diversity: f64,
    (n_criticisms, observer): (usize, &mut dyn Observer),
) -> Result<Vec<Criticism>> {
    let diagonal: Vec<f64> = rows.iter().map(|row| kernel.evaluate(row, row)).collect();
    let mut schur = diagonal.clone();
    let mut columns: Vec<Vec<f64>> = Vec::new();
    let mut found: Vec<Criticism> = Vec::new();
    while found.len() < n_criticisms {
        check_cancelled(observer.on_progress(Stage::Criticisms, found.len() as u64, n_criticisms as u64))?;
        let value = |row: usize| scores[row] + if diversity > 0.0 { diversity * schur[row].ln() } else { 0.0 };
        let independent = |row: usize| diversity == 0.0 || schur[row] > 1e-10 * diagonal[row];
        let open = (0..rows.n_rows()).filter(|&row| eligible[row] && independent(row));
        let Some(best) = open.reduce(|best, row| if value(row) > value(best) { row } else { best }) else { break };
        found.push(Criticism { row: best, score: scores[best] });
        eligible[best] = false;
        if diversity > 0.0 {
            add_column(rows, kernel, best, &mut columns, &mut schur);
        }
    }
    Ok(found)
}

/// One more column of the partial Cholesky factor, pivoted on `pivot`.
fn add_column<T: Scalar>(
    rows: Rows<'_, T>,
    kernel: &dyn Kernel<T>,
    pivot: usize,
    columns: &mut Vec<Vec<f64>>,
    schur: &mut [f64],
) {
    let root = schur[pivot].sqrt();
    let known: Vec<f64> = columns.iter().map(|column| column[pivot]).collect();
    let similarities = fold_columns(kernel, rows, &[rows.row(pivot)], 0.0, |_, _, similarity| similarity);
    let value = |row: usize| {
        let explained: f64 = columns.iter().zip(&known).map(|(column, known)| column[row] * known).sum();
        (similarities[row] - explained) / root
    };
    let column = parallel::map(0..similarities.len(), value);
    schur.iter_mut().zip(&column).for_each(|(schur, value)| *schur -= value * value);
    columns.push(column);
}
