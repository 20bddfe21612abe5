//! Predictions and their accuracy for every number of prototypes. Counts are integers, so their order does not matter.

use std::collections::BTreeMap;

use ndarray::Array2;

/// The predictions of one rule.
///
/// # Examples
///
/// ```
/// use ndarray::array;
/// use protodash::{Gaussian, Labelled, Params, Unobserved, classify, select};
///
/// let rows = array![[0.0], [0.1], [5.0]];
/// let kernel = Gaussian::new(1.0)?;
/// let selection = select(&rows, &rows, &kernel, &Params::new(2))?;
/// let labelled = Labelled { rows: &rows, labels: &[0, 0, 1] };
/// let weighted = classify(labelled, labelled, &selection, &kernel, &mut Unobserved)?.weighted;
/// assert_eq!(weighted.predicted, [0, 0, 1]);
/// assert_eq!(weighted.accuracy, [2.0 / 3.0, 1.0]);
/// # Ok::<(), protodash::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Predictions {
    /// The accuracy of the first i + 1 prototypes.
    pub accuracy: Vec<f64>,
    /// The class predicted for each row by all prototypes; empty if there are none.
    pub predicted: Vec<usize>,
    changes: ConfusionChanges,
    n_classes: usize,
}

impl Predictions {
    /// Confusion matrix of the first `n_prototypes`: true classes in rows, predicted classes in columns.
    ///
    /// Classes are in the order of [`Classification::classes`](crate::Classification::classes). `None` for 0 and beyond
    /// the last prototype.
    ///
    /// # Examples
    ///
    /// ```
    /// use ndarray::array;
    /// use protodash::{Gaussian, Labelled, Params, Unobserved, classify, select};
    ///
    /// let rows = array![[0.0], [0.1], [5.0]];
    /// let kernel = Gaussian::new(1.0)?;
    /// let selection = select(&rows, &rows, &kernel, &Params::new(2))?;
    /// let labelled = Labelled { rows: &rows, labels: &[0, 0, 1] };
    /// let nearest = classify(labelled, labelled, &selection, &kernel, &mut Unobserved)?.nearest;
    /// assert_eq!(nearest.confusion(1), Some(array![[2, 0], [1, 0]]));
    /// assert_eq!(nearest.confusion(2), Some(array![[2, 0], [0, 1]]));
    /// assert_eq!(nearest.confusion(3), None);
    /// # Ok::<(), protodash::Error>(())
    /// ```
    pub fn confusion(&self, n_prototypes: usize) -> Option<Array2<u64>> {
        if n_prototypes == 0 || n_prototypes > self.accuracy.len() {
            return None;
        }
        let mut confusion = Array2::<i64>::zeros((self.n_classes, self.n_classes));
        for (&(_, truth, class), change) in self.changes.range(..(n_prototypes, 0, 0)) {
            confusion[(truth, class)] += change;
        }
        Some(confusion.mapv(i64::unsigned_abs))
    }
}

/// The change in the count of (true class, predicted class) when prototype `step` (0-based) is added.
type ConfusionChanges = BTreeMap<(usize, usize, usize), i64>;

/// Counts in progress. Classes are positions in the list of classes.
pub(super) struct PredictionCounts {
    n_rows: usize,
    n_correct: Vec<u64>,
    predicted: Vec<usize>,
    changes: ConfusionChanges,
}

impl PredictionCounts {
    pub(super) fn new(n_prototypes: usize) -> Self {
        PredictionCounts {
            n_rows: 0,
            n_correct: vec![0; n_prototypes],
            predicted: Vec::new(),
            changes: ConfusionChanges::new(),
        }
    }

    /// Counts one row, given its predicted class for each number of prototypes.
    pub(super) fn count(&mut self, truth: usize, classes: impl Iterator<Item = usize>) {
        self.n_rows += 1;
        let mut before = None;
        for (step, class) in classes.enumerate() {
            self.n_correct[step] += u64::from(class == truth);
            if before != Some(class) {
                *self.changes.entry((step, truth, class)).or_default() += 1;
                if let Some(before) = before {
                    *self.changes.entry((step, truth, before)).or_default() -= 1;
                }
                before = Some(class);
            }
        }
        self.predicted.extend(before);
    }

    /// Adds the counts of the rows that follow.
    pub(super) fn append(&mut self, other: PredictionCounts) {
        self.n_rows += other.n_rows;
        self.predicted.extend(other.predicted);
        self.n_correct.iter_mut().zip(other.n_correct).for_each(|(sum, part)| *sum += part);
        for (key, change) in other.changes {
            *self.changes.entry(key).or_default() += change;
        }
    }

    pub(super) fn predictions(self, classes: &[usize]) -> Predictions {
        Predictions {
            accuracy: self.n_correct.iter().map(|correct| *correct as f64 / self.n_rows as f64).collect(),
            predicted: self.predicted.iter().map(|class| classes[*class]).collect(),
            changes: self.changes,
            n_classes: classes.len(),
        }
    }
}
