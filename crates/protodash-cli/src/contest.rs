//! Several methods on the same data: who chooses what, how well, how fast, in how much memory.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use ndarray::{Array2, ArrayRef2, Axis};
use protodash::{
    Classification, Error, Job, Kernel, Labelled, Method, Observer, Params, Prepared, Prototype, Scalar, Selection,
    Stage, Weights, classify,
};

use crate::classes::Classes;
use crate::holdout::Split;
use crate::memory::PeakMemory;
use crate::progress::Progress;

/// What is asked of every method.
pub(crate) struct Contest<'a> {
    /// The methods, in the order in which they take part.
    pub(crate) methods: &'a [Method],
    /// The numbers of prototypes, ascending.
    pub(crate) sizes: &'a [usize],
    /// Everything else, the same for all.
    pub(crate) params: Params,
    /// Which rows are represented, chosen from, and kept for judging.
    pub(crate) split: &'a Split,
    /// The class of each row of the source and of the target, if they are known.
    pub(crate) classes: Option<&'a Classes>,
    /// Who watches.
    pub(crate) progress: &'a mut Progress,
}

/// What came of it.
pub(crate) struct Results {
    /// How long the kernel mean took, which all methods use.
    pub(crate) preparation: Duration,
    /// For each number of prototypes and method, in that order.
    pub(crate) outcomes: Vec<Outcome>,
    /// What could not be done.
    pub(crate) refusals: Vec<(Method, usize, Error)>,
    pub(crate) n_target: usize,
    pub(crate) n_source: usize,
    pub(crate) n_test: usize,
}

/// One method at one number of prototypes.
pub(crate) struct Outcome {
    pub(crate) method: Method,
    /// The number asked for.
    pub(crate) n_prototypes: usize,
    /// The prototypes with the method's own weights; rows of the source as it was given.
    pub(crate) own: Selection,
    /// The same prototypes with the best non-negative weights.
    pub(crate) solved_again: Selection,
    /// How the judged rows were classified, if there are classes.
    pub(crate) judgement: Option<Judgement>,
    /// How long the choice took, without the kernel mean.
    pub(crate) time: Duration,
    /// The most memory in use during the run that this is the result of, the data included.
    pub(crate) peak_bytes: u64,
}

/// How the prototypes did as a classifier.
pub(crate) struct Judgement {
    /// The part of the judged rows that the nearest prototype classifies rightly.
    pub(crate) accuracy: f64,
    /// The same for the weighted vote.
    pub(crate) accuracy_weighted: f64,
    /// How often the nearest prototype gave rows of each class (in rows) each class (in columns).
    pub(crate) confusion: Vec<Vec<u64>>,
}

impl Job for Contest<'_> {
    type Output = Results;

    fn run<T: Scalar, K: Kernel<T>>(
        self,
        target: &ArrayRef2<T>,
        source: &ArrayRef2<T>,
        kernel: &K,
    ) -> Result<Results, Error> {
        let Split { target: target_rows, source: source_rows, test } = self.split;
        let (kept_target, kept_source) = (kept(target, target_rows.as_deref()), kept(source, source_rows.as_deref()));
        let same = std::ptr::eq(target, source);
        let source = kept_source.as_deref().unwrap_or(source);
        let judged = test.as_deref().map(|test| target.select(Axis(0), test));
        let target = if same { source } else { kept_target.as_deref().unwrap_or(target) };
        let ring = Ring { contest: self, judged: judged.as_deref().unwrap_or(target), source, kernel };
        ring.results(target)
    }
}

/// These rows of a matrix; `None` for all of them.
fn kept<T: Scalar>(matrix: &ArrayRef2<T>, rows: Option<&[usize]>) -> Option<Array2<T>> {
    rows.map(|rows| matrix.select(Axis(0), rows))
}

/// The data and the rules of one contest.
struct Ring<'a, 'c, T, K> {
    contest: Contest<'c>,
    judged: &'a ArrayRef2<T>,
    source: &'a ArrayRef2<T>,
    kernel: &'a K,
}

impl<T: Scalar, K: Kernel<T>> Ring<'_, '_, T, K> {
    fn results(mut self, target: &ArrayRef2<T>) -> Result<Results, Error> {
        let (source, kernel) = (self.source, self.kernel);
        let began = Instant::now();
        let params = self.contest.params.clone();
        let prepared = Prepared::new(target, source, kernel, &params, self.contest.progress)?;
        let preparation = began.elapsed();
        let (mut outcomes, mut refusals) = (Vec::new(), Vec::new());
        for &method in self.contest.methods {
            for sizes in groups(method, &params, self.contest.sizes) {
                match self.run(&prepared, method, sizes) {
                    Ok(found) => outcomes.extend(found),
                    Err(refusal @ Error::UnreachableNumber { .. }) => {
                        refusals.push((method, sizes[sizes.len() - 1], refusal));
                    }
                    Err(error) => return Err(error),
                }
            }
        }
        outcomes.sort_by_key(|outcome: &Outcome| outcome.n_prototypes);
        let n_test = if self.contest.classes.is_some() { self.judged.nrows() } else { 0 };
        let (n_target, n_source) = (target.nrows(), source.nrows());
        Ok(Results { preparation, outcomes, refusals, n_target, n_source, n_test })
    }

    /// One run of a method, and what it says of each of these numbers of prototypes.
    fn run(&mut self, prepared: &Prepared<'_, T, K>, method: Method, sizes: &[usize]) -> Result<Vec<Outcome>, Error> {
        let mut params = self.contest.params.clone();
        params.n_prototypes = sizes.last().copied();
        (params.method, params.weights) = (method, Weights::Own);
        let memory = PeakMemory::start();
        let mut watch = Stopwatch::start(self.contest.progress);
        let selection = prepared.select(&params, &mut watch)?;
        let (whole, times) = (watch.began.elapsed(), watch.times);
        let peak_bytes = memory.stop();
        let classification = self.classification(&selection)?;
        let n_classes = self.contest.classes.map_or(0, |classes| classes.names.len());
        let outcome = |&n_prototypes: &usize| {
            // A run that ended early is the result for all larger numbers too.
            let size = n_prototypes.min(selection.prototypes.len());
            let own = selection.prefix(size).unwrap_or_else(|| selection.clone());
            let solved_again = prepared.solve_again(&own, self.contest.progress)?;
            let judgement = classification.as_ref().and_then(|found| Judgement::new(found, size, n_classes));
            let last = sizes.last() == Some(&n_prototypes);
            let time = if last { whole } else { times.get(size.wrapping_sub(1)).copied().unwrap_or(whole) };
            Ok(Outcome { method, n_prototypes, own, solved_again, judgement, time, peak_bytes })
        };
        sizes.iter().map(outcome).collect()
    }

    /// What the prototypes make of the judged rows, for every number of them.
    fn classification(&mut self, selection: &Selection) -> Result<Option<Classification>, Error> {
        let Some(classes) = self.contest.classes else { return Ok(None) };
        let Split { target, source, test } = self.contest.split;
        let pick = |labels: &[usize], rows: Option<&[usize]>| {
            rows.map_or_else(|| labels.to_vec(), |rows| rows.iter().map(|row| labels[*row]).collect())
        };
        let judged = pick(&classes.target, test.as_deref().or(target.as_deref()));
        let source_labels = pick(&classes.source, source.as_deref());
        let judged = Labelled { rows: self.judged, labels: &judged };
        let source = Labelled { rows: self.source, labels: &source_labels };
        classify(judged, source, selection, self.kernel, self.contest.progress).map(Some)
    }
}

impl Judgement {
    /// What the first prototypes came to; `None` if there are none.
    fn new(found: &Classification, size: usize, n_classes: usize) -> Option<Judgement> {
        let place = size.checked_sub(1)?;
        let counts = found.nearest.confusion(size)?;
        // The core knows the classes that occur among these rows; the tables are over all of them.
        let mut confusion = vec![vec![0; n_classes]; n_classes];
        for ((i, j), count) in counts.indexed_iter() {
            confusion[found.classes[i]][found.classes[j]] = *count;
        }
        let (accuracy, accuracy_weighted) = (*found.nearest.accuracy.get(place)?, *found.weighted.accuracy.get(place)?);
        Some(Judgement { accuracy, accuracy_weighted, confusion })
    }
}

/// The numbers of prototypes that one run can answer for.
fn groups<'a>(method: Method, params: &Params, sizes: &'a [usize]) -> Vec<&'a [usize]> {
    if method.is_nested() && params.oversample == 1.0 { vec![sizes] } else { sizes.chunks(1).collect() }
}

/// Notes when each prototype was chosen, and passes on the rest.
struct Stopwatch<'a> {
    began: Instant,
    times: Vec<Duration>,
    progress: &'a mut Progress,
}

impl<'a> Stopwatch<'a> {
    fn start(progress: &'a mut Progress) -> Self {
        Stopwatch { began: Instant::now(), times: Vec::new(), progress }
    }
}

impl Observer for Stopwatch<'_> {
    fn on_progress(&mut self, stage: Stage, done: u64, total: u64) -> ControlFlow<()> {
        self.progress.on_progress(stage, done, total)
    }

    fn on_prototype(&mut self, step: usize, prototype: &Prototype, objective: f64) -> ControlFlow<()> {
        self.times.push(self.began.elapsed());
        self.progress.on_prototype(step, prototype, objective)
    }

    fn on_columns_dropped(&mut self, n_prototypes: usize, column_memory: u64) -> ControlFlow<()> {
        self.progress.on_columns_dropped(n_prototypes, column_memory)
    }
}
