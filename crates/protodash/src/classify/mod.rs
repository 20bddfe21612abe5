//! Prototypes as a classifier: each row gets the class of its nearest prototype, or the class with the largest weighted
//! similarity. It reads a finished selection and does not choose rows.

mod counts;
mod probabilities;
mod votes;

pub use counts::Predictions;
pub use probabilities::class_probabilities;

use ndarray::{Array2, ArrayRef2};

use self::counts::PredictionCounts;
use self::votes::Voters;
use crate::error::{Error, Result, Role};
use crate::kernel::Kernel;
use crate::observe::{Observer, Stage, check_cancelled};
use crate::parallel;
use crate::params::check_length;
use crate::representation::prototype_rows;
use crate::rows::{CheckedMatrix, Rows, Scalar};
use crate::selection::Selection;

/// Rows of one task.
const TASK: usize = 128;

/// Multiplications, for each thread, between two calls of the observer.
const WORK_PER_ROUND: usize = 100_000_000;

/// Rows with a class for each.
///
/// A class can be any number.
///
/// # Examples
///
/// ```
/// use ndarray::array;
/// use protodash::Labelled;
///
/// let rows = array![[0.0], [5.0]];
/// assert_eq!(Labelled { rows: &rows, labels: &[0, 1] }.labels.len(), 2);
/// ```
#[derive(Debug)]
pub struct Labelled<'a, T> {
    /// The rows.
    pub rows: &'a ArrayRef2<T>,
    /// The class of each row.
    pub labels: &'a [usize],
}

impl<T> Clone for Labelled<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

// Deriving would require T: Copy, although T is only borrowed.
impl<T> Copy for Labelled<'_, T> {}

/// The predictions of both rules for every prefix of a selection.
///
/// # Examples
///
/// ```
/// use ndarray::array;
/// use protodash::{Gaussian, Labelled, Params, Unobserved, classify, select};
///
/// let rows = array![[0.0], [0.1], [5.0], [0.2]];
/// let labels = [3, 3, 8, 3];
/// let kernel = Gaussian::new(1.0)?;
/// let selection = select(&rows, &rows, &kernel, &Params::new(2))?;
/// let labelled = Labelled { rows: &rows, labels: &labels };
/// let classification = classify(labelled, labelled, &selection, &kernel, &mut Unobserved)?;
/// assert_eq!(classification.classes, [3, 8]);
/// assert_eq!(classification.nearest.accuracy, [0.75, 1.0]); // the first prototype is of class 3
/// # Ok::<(), protodash::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Classification {
    /// Every class of the rows and of the prototypes, in ascending order.
    pub classes: Vec<usize>,
    /// The class of the nearest prototype.
    pub nearest: Predictions,
    /// The class with the largest weighted similarity.
    pub weighted: Predictions,
}

/// Classifies rows with every prefix of the prototypes, and measures the accuracy.
///
/// # Formula
///
/// ```text
/// nearest(x)  = class of argminⱼ k(x, x) + k(zⱼ, zⱼ) − 2 k(x, zⱼ)
/// weighted(x) = argmax over classes c of Σⱼ wⱼ k(zⱼ, x), j among the prototypes of class c
/// ```
///
/// over the first i prototypes zⱼ of the selection, for every i, with the weights wⱼ of those i as a set. The nearest rule
/// is the paper's 1-nearest-neighbour classifier in the kernel's feature space; if the kernel's diagonal is constant it
/// takes the most similar prototype. It includes prototypes of weight 0. Ties go to the prototype chosen first; ties of
/// the vote, such as rows with no similarity to any prototype, go to the class of the nearest prototype.
///
/// `source` is the source of the selection, with a class for each row; `target` has the rows to classify. A prototype is
/// its own nearest prototype, so measure accuracy on held-out rows.
///
/// Costs n · m kernel values and n · m²/2 multiplications for the votes of n rows by m prototypes; O(n + m) memory and the
/// counts. The result is the same for any number of threads.
///
/// # Errors
///
/// If a matrix is empty or not finite, if their numbers of columns differ, if there is not one label for each row, if a
/// prototype is not a row of the source, if the selection has no weights for some prefix, or [`Error::Cancelled`] when the
/// observer stops the run.
///
/// # Examples
///
/// ```
/// use ndarray::array;
/// use protodash::{Gaussian, Labelled, Params, Unobserved, classify, select};
///
/// let (source, labels) = (array![[0.0], [0.5], [1.0], [1.5]], [0, 0, 1, 1]);
/// let kernel = Gaussian::new(0.5)?;
/// let selection = select(&source, &source, &kernel, &Params::new(4))?;
/// let source = Labelled { rows: &source, labels: &labels };
/// let held_out = Labelled { rows: &array![[-0.2], [1.9], [0.7]], labels: &[0, 1, 1] };
/// let classification = classify(held_out, source, &selection, &kernel, &mut Unobserved)?;
/// assert_eq!(classification.nearest.predicted, [0, 1, 0]); // 0.7 is nearer to 0.5 than to 1.0
/// assert_eq!(classification.nearest.accuracy.last(), Some(&(2.0 / 3.0)));
/// # Ok::<(), protodash::Error>(())
/// ```
pub fn classify<T: Scalar>(
    target: Labelled<'_, T>,
    source: Labelled<'_, T>,
    selection: &Selection,
    kernel: &dyn Kernel<T>,
    observer: &mut dyn Observer,
) -> Result<Classification> {
    let (rows, source_rows) =
        (CheckedMatrix::new(target.rows, Role::Target)?, CheckedMatrix::new(source.rows, Role::Source)?);
    let (rows, source_rows) = (rows.rows(), source_rows.rows());
    if rows.n_columns() != source_rows.n_columns() {
        return Err(Error::DifferentColumns { target: rows.n_columns(), available: source_rows.n_columns() });
    }
    check_labels(target.labels, rows, Role::Target)?;
    check_labels(source.labels, source_rows, Role::Source)?;
    let values = prototype_rows(source_rows, &selection.prototypes)?.concat();
    let n_weighted = (1..=selection.prototypes.len()).filter_map(|size| selection.weights_at(size)).count();
    check_length("the path of weights", n_weighted, selection.prototypes.len())?;
    let labels: Vec<usize> = selection.prototypes.iter().map(|chosen| source.labels[chosen.source_index]).collect();
    let classes = classes(&labels, target.labels);
    let place = |label: &usize| classes.binary_search(label).unwrap_or(classes.len());
    let truth: Vec<usize> = target.labels.iter().map(place).collect();
    let prototypes = Rows::new(&values, rows.n_columns());
    let voters = Voters::new(kernel, prototypes, labels.iter().map(place).collect(), selection);
    let [nearest, weighted] = count_predictions(&voters, rows, &truth, observer)?;
    Ok(Classification { nearest: nearest.predictions(&classes), weighted: weighted.predictions(&classes), classes })
}

impl Classification {
    /// Confusion matrix of the nearest rule with all prototypes: true classes in rows, predicted classes in columns.
    ///
    /// Classes are in the order of [`classes`](Self::classes). For fewer prototypes, or for the vote, see
    /// [`Predictions::confusion`].
    ///
    /// # Examples
    ///
    /// ```
    /// use ndarray::array;
    /// use protodash::{Gaussian, Labelled, Params, Unobserved, classify, select};
    ///
    /// let rows = array![[0.0], [0.1], [5.0]];
    /// let kernel = Gaussian::new(1.0)?;
    /// let selection = select(&rows, &rows, &kernel, &Params::new(1))?;
    /// let labelled = Labelled { rows: &rows, labels: &[0, 0, 1] };
    /// let classification = classify(labelled, labelled, &selection, &kernel, &mut Unobserved)?;
    /// assert_eq!(classification.confusion(), array![[2, 0], [1, 0]]);
    /// # Ok::<(), protodash::Error>(())
    /// ```
    pub fn confusion(&self) -> Array2<u64> {
        let all = self.nearest.accuracy.len();
        self.nearest.confusion(all).unwrap_or_else(|| Array2::zeros((self.classes.len(), self.classes.len())))
    }
}

pub(crate) fn check_labels<T>(labels: &[usize], rows: Rows<'_, T>, role: Role) -> Result<()> {
    if labels.len() == rows.n_rows() {
        return Ok(());
    }
    Err(Error::WrongNumberOfLabels { role, given: labels.len(), rows: rows.n_rows() })
}

fn classes(prototypes: &[usize], rows: &[usize]) -> Vec<usize> {
    let mut classes = [prototypes, rows].concat();
    classes.sort_unstable();
    classes.dedup();
    classes
}

/// The counts of both rules over all rows.
fn count_predictions<T: Scalar>(
    voters: &Voters<'_, T>,
    rows: Rows<'_, T>,
    truth: &[usize],
    observer: &mut dyn Observer,
) -> Result<[PredictionCounts; 2]> {
    let n_rows = rows.n_rows();
    let n_tasks = n_rows.div_ceil(TASK);
    let per_round = (WORK_PER_ROUND / (TASK * voters.work_per_row())).clamp(1, 64) * rayon::current_num_threads();
    let mut totals = [PredictionCounts::new(voters.len()), PredictionCounts::new(voters.len())];
    for start in (0..n_tasks).step_by(per_round) {
        check_cancelled(observer.on_progress(Stage::Classification, start as u64, n_tasks as u64))?;
        let classify_task = |task: usize| {
            let range = task * TASK..n_rows.min((task + 1) * TASK);
            voters.classify(rows.slice(range.clone()), &truth[range])
        };
        let round = start..n_tasks.min(start + per_round);
        for part in parallel::map(round, classify_task) {
            totals.iter_mut().zip(part).for_each(|(total, part)| total.append(part));
        }
    }
    Ok(totals)
}
