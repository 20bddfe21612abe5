//! What the core is asked for: a selection with what goes with it, or criticisms of a finished one.

use ndarray::ArrayRef2;
use protodash::criticisms::CriticismParams;
use protodash::{
    Allocation, ClassSummary, CovariateShift, Criticism, Error, Job, Kernel, Labelled, Params, Prototype, Scalar,
    Selection, covariate_shift, criticize, represent, select_per_label, select_with, verify,
};

use crate::classes::Classes;
use crate::progress::Progress;

/// Chooses prototypes, counts the rows that each stands for, and looks for criticisms if any are wanted.
pub(crate) struct Choose<'a> {
    /// What is asked of the selection.
    pub(crate) params: &'a Params,
    /// Whether each class is to have prototypes of its own, and how many.
    pub(crate) per_label: Option<(Allocation, &'a Classes)>,
    /// What is asked of the criticisms.
    pub(crate) criticisms: Option<CriticismParams>,
    /// Who watches.
    pub(crate) progress: &'a mut Progress,
}

/// What [`Choose`] returns.
pub(crate) struct Chosen {
    /// The prototypes and the path to them.
    pub(crate) selection: Selection,
    /// What each class got, if each was to have its own.
    pub(crate) classes: Vec<ClassSummary>,
    /// For each prototype the number of target rows nearest to it.
    pub(crate) n_represented: Vec<usize>,
    /// The rows worst represented, in rows of the matrix.
    pub(crate) criticisms: Vec<Criticism>,
}

impl Job for Choose<'_> {
    type Output = Chosen;

    fn run<T: Scalar, K: Kernel<T>>(
        self,
        target: &ArrayRef2<T>,
        source: &ArrayRef2<T>,
        kernel: &K,
    ) -> Result<Chosen, Error> {
        let Choose { params, per_label, criticisms, progress } = self;
        let (selection, classes) = match per_label {
            None => (select_with(target, source, kernel, params, progress)?, Vec::new()),
            Some((allocation, classes)) => {
                let target = Labelled { rows: target, labels: &classes.target };
                let source = Labelled { rows: source, labels: &classes.source };
                let found = select_per_label(target, source, kernel, params, allocation, progress)?;
                (found.selection, found.classes)
            }
        };
        let n_represented = represent(target, source, &selection.prototypes, kernel, progress)?.n_represented;
        let criticisms = match criticisms {
            None => Vec::new(),
            Some(mut wanted) => {
                wanted.kernel_mean = Some(selection.kernel_mean().to_vec());
                criticize(target, source, &selection.prototypes, kernel, &wanted, progress)?
            }
        };
        Ok(Chosen { selection, classes, n_represented, criticisms })
    }
}

/// Measures what the weights of prototypes do to the source.
pub(crate) struct MeasureShift<'a> {
    /// The prototypes, in rows of the matrix.
    pub(crate) prototypes: &'a [Prototype],
    /// How much each target row counts.
    pub(crate) target_weights: Option<&'a [f64]>,
}

impl Job for MeasureShift<'_> {
    type Output = CovariateShift;

    fn run<T: Scalar, K: Kernel<T>>(
        self,
        target: &ArrayRef2<T>,
        source: &ArrayRef2<T>,
        _: &K,
    ) -> Result<CovariateShift, Error> {
        covariate_shift(target, source, self.prototypes, self.target_weights)
    }
}

/// Finds criticisms of saved prototypes, after verifying that they belong to these data.
pub(crate) struct FindCriticisms<'a> {
    /// The prototypes, in rows of the matrix.
    pub(crate) prototypes: &'a [Prototype],
    /// The saved objective.
    pub(crate) objective: f64,
    /// Parameters of the criticisms.
    pub(crate) params: CriticismParams,
    /// Reports progress.
    pub(crate) progress: &'a mut Progress,
}

impl Job for FindCriticisms<'_> {
    type Output = Vec<Criticism>;

    fn run<T: Scalar, K: Kernel<T>>(
        self,
        target: &ArrayRef2<T>,
        source: &ArrayRef2<T>,
        kernel: &K,
    ) -> Result<Vec<Criticism>, Error> {
        let saved = (self.prototypes, self.objective);
        verify(target, source, saved, kernel, self.params.target_weights.as_deref(), &mut *self.progress)?;
        criticize(target, source, self.prototypes, kernel, &self.params, self.progress)
    }
}
