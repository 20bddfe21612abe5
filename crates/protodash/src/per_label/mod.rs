//! Prototypes for each class in one run: each class of the target is represented by source rows of the same class.

mod allocation;
mod numbers;

use std::ops::ControlFlow;

use ndarray::{Array2, ArrayRef2, Axis};

use self::allocation::allocate;
use self::numbers::given;
pub use self::numbers::{ClassNumberError, ClassNumbers};
use crate::choice::Choice;
use crate::classify::{Labelled, check_labels};
use crate::constraints::{ConstraintError, ConstraintReport};
use crate::energy;
use crate::error::{Error, Result, Role};
use crate::figures::TargetFigures;
use crate::gram::Gram;
use crate::kernel::Kernel;
use crate::kernel_mean::{PairShape, Precision, Target, finite_means, mean_over_target, n_pairs, zero_if_cancelled};
use crate::observe::{Observer, Silent, Stage};
use crate::params::{Means, Params, TargetEnergy};
use crate::prepared::{normalised, path_in_pool};
use crate::problem::SelectionProblem;
use crate::rows::{CheckedMatrix, Rows, Scalar, same_rows};
use crate::search::ShardLayout;
use crate::select::select_with;
use crate::selection::{Energy, KernelMeans, Path, Prototype, Selection, Stopped};
use crate::weights::LimitError;

/// How prototypes are allocated to classes.
///
/// # Examples
///
/// ```
/// assert_ne!(protodash::Allocation::Proportional, protodash::Allocation::Equal);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Allocation {
    /// In proportion to the target rows of the class, or to their weights.
    Proportional,
    /// The same number for every class, as far as possible.
    Equal,
}

impl Choice for Allocation {
    const ALL: &'static [(Self, &'static str, &'static str)] = &[
        (Allocation::Proportional, "proportional", "In proportion to the class's target rows"),
        (Allocation::Equal, "equal", "The same number for each class"),
    ];
}

/// A class of the target and its number of prototypes.
///
/// # Examples
///
/// ```
/// use protodash::ClassSummary;
///
/// let class = ClassSummary { label: 7, share: 0.25, n_target: 10, n_source: 20, n_prototypes: 3 };
/// assert_eq!(class.n_prototypes, 3);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClassSummary {
    /// The class.
    pub label: usize,
    /// Its share of the target, by target weights if given.
    pub share: f64,
    /// Its target rows.
    pub n_target: usize,
    /// Its source rows.
    pub n_source: usize,
    /// The prototypes chosen for it.
    pub n_prototypes: usize,
}

/// The result of [`select_per_label`].
///
/// # Examples
///
/// ```
/// use ndarray::array;
/// use protodash::{Allocation, Gaussian, Labelled, Params, Unobserved, select_per_label};
///
/// let rows = array![[0.0], [0.1], [5.0], [5.2], [5.4]];
/// let labelled = Labelled { rows: &rows, labels: &[0, 0, 1, 1, 1] };
/// let kernel = Gaussian::new(1.0)?;
/// let result =
///     select_per_label(labelled, labelled, &kernel, &Params::new(2), &Allocation::Equal.into(), &mut Unobserved)?;
/// assert_eq!(result.labels, [1, 0]); // the larger class first
/// # Ok::<(), protodash::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct PerLabel {
    /// The prototypes of all classes as one selection for the whole target.
    pub selection: Selection,
    /// The class of each prototype.
    pub labels: Vec<usize>,
    /// The classes, in ascending order.
    pub classes: Vec<ClassSummary>,
}

/// Prototypes for each class of the target, chosen among the source rows of that class.
///
/// # Formula
///
/// ```text
/// Σ_c p_c Σⱼ wⱼ⁽ᶜ⁾ k(zⱼ⁽ᶜ⁾, ·)   near   Σ_c p_c μ_c = μ
/// ```
///
/// where p_c is the share of class c in the target, μ_c its kernel mean, and w⁽ᶜ⁾ the weights of its prototypes. Each
/// class is a separate run; its weights, multiplied by p_c, are those of the combined selection, whose objective, MMD²
/// and `explained` are for the whole target. The fit can be worse than that of a run without classes, in which rows of
/// one class may represent another.
///
/// `params.n_prototypes` is the number for all classes together. It is allocated by largest remainders, at least 1 to each
/// class and no more than its source rows. Without that number, `min_gain` ends the run of each class. Classes without
/// target rows (or without weight) get none. If the number of each class is [given](ClassNumbers::Given), `n_prototypes` must
/// be their sum or `None`; what classes with 0 contribute to the target is then not represented. As many prototypes are then
/// also chosen without the numbers, and [`Selection::constraints`] says what they explain.
///
/// **Order.** First one prototype of each class, the largest class first; then the others so that each class always has
/// about the same fraction of its prototypes. A [`prefix`](Selection::prefix) has, for each class, its first few
/// prototypes with their weights as a set.
///
/// # Errors
///
/// As for [`select`](crate::select); also if there is not one label for each row, if there are fewer prototypes than
/// classes, if a class of the target has no source rows, or if given numbers are not possible
/// ([`Error::ClassNumbers`]).
///
/// # Examples
///
/// ```
/// use ndarray::array;
/// use protodash::{Allocation, ClassNumbers, Gaussian, Labelled, Params, Unobserved, select_per_label};
///
/// let rows = array![[0.0], [0.1], [0.2], [5.0], [5.2], [0.3]];
/// let labelled = Labelled { rows: &rows, labels: &[0, 0, 0, 1, 1, 0] };
/// let (kernel, params) = (Gaussian::new(1.0)?, Params::new(3));
/// let proportional = Allocation::Proportional.into();
/// let result = select_per_label(labelled, labelled, &kernel, &params, &proportional, &mut Unobserved)?;
/// assert_eq!(result.labels, [0, 1, 0]); // two of three for two thirds of the rows
/// assert!(result.selection.explained().unwrap() > 0.99);
/// let given = ClassNumbers::Given(vec![(1, 2), (0, 1)]);
/// let result = select_per_label(labelled, labelled, &kernel, &params, &given, &mut Unobserved)?;
/// assert_eq!(result.labels, [0, 1, 1]);
/// # Ok::<(), protodash::Error>(())
/// ```
pub fn select_per_label<T: Scalar>(
    target: Labelled<'_, T>,
    source: Labelled<'_, T>,
    kernel: &dyn Kernel<T>,
    params: &Params,
    numbers: &ClassNumbers,
    observer: &mut dyn Observer,
) -> Result<PerLabel> {
    let checked = (CheckedMatrix::new(target.rows, Role::Target)?, CheckedMatrix::new(source.rows, Role::Source)?);
    let (target_rows, source_rows) = (checked.0.rows(), checked.1.rows());
    if target_rows.n_columns() != source_rows.n_columns() {
        return Err(Error::DifferentColumns { target: target_rows.n_columns(), available: source_rows.n_columns() });
    }
    check_labels(target.labels, target_rows, Role::Target)?;
    check_labels(source.labels, source_rows, Role::Source)?;
    let total = numbers.total();
    if let Some((n_prototypes, total)) = params.n_prototypes.zip(total).filter(|(requested, total)| requested != total)
    {
        return Err(Error::ClassNumbers(ClassNumberError::Contradiction { n_prototypes, total }));
    }
    let params = &Params { n_prototypes: params.n_prototypes.or(total), ..params.clone() };
    params.check(target_rows.n_rows(), source_rows.n_rows())?;
    if !params.fixed.is_empty() || !params.exclude.is_empty() || !params.resume.is_empty() {
        return Err(Error::GivenRowsPerLabel);
    }
    if params.limits().is_set() {
        return Err(Error::Limits(LimitError::PerLabel));
    }
    if params.is_constrained() {
        return Err(Error::Constraint(ConstraintError::PerLabel));
    }
    let classes = classes(target.labels, source.labels, params);
    let is_given = matches!(numbers, ClassNumbers::Given(_));
    let numbers = class_numbers(&classes, params, numbers)?;
    let weights = params.target_weights.as_deref().map(normalised);
    let whole = Target { rows: target_rows, weights: weights.as_deref() };
    let means = finite_means(mean_over_target(whole, source_rows, kernel, (Stage::KernelMean, &mut *observer))?)?;
    let means = zero_if_cancelled(means, whole, source_rows, kernel);
    let own_means = same_rows(target_rows, source_rows).then_some(&means[..]);
    let energy = energy::target_energy(whole, own_means, kernel, (params.target_energy, Precision::Double), observer)?;
    // Classes of which none are wanted take no run.
    let (chosen, left): (Vec<_>, Vec<_>) =
        classes.into_iter().zip(numbers).partition(|(_, n_prototypes)| *n_prototypes != Some(0));
    let mut parts = Vec::with_capacity(chosen.len());
    for (class, n_prototypes) in &chosen {
        let before = parts.iter().map(|part: &Selection| part.prototypes.len()).sum();
        let mut counted = CountingObserver { observer: &mut *observer, before };
        parts.push(represent_class((target.rows, source.rows), class, kernel, (params, *n_prototypes), &mut counted)?);
    }
    let classes: Vec<ClassRows> = chosen.into_iter().map(|(class, _)| class).collect();
    let (mut path, labels) = combined(&classes, &parts, source_rows, &means, kernel);
    let n_chosen = parts.iter().map(|part| part.prototypes.len());
    let chosen = classes.iter().zip(n_chosen).map(|(class, n_prototypes)| class.summary(n_prototypes));
    let mut summaries: Vec<ClassSummary> = chosen.chain(left.iter().map(|(class, _)| class.summary(0))).collect();
    summaries.sort_unstable_by_key(|class| class.label);
    let n_pairs = n_pairs(kernel, PairShape::of(target_rows, source_rows));
    let kernel_mean = means.clone();
    let means = KernelMeans { means: Some(means.into()), error: 0.0, n_pairs };
    let shape = (target_rows.n_rows(), source_rows.n_rows());
    let figures = TargetFigures::of(&mut path, (whole, source_rows), kernel, params, (energy, 0.0));
    let mut selection = Selection::from_path(params, shape, path, figures, means);
    let n_chosen = selection.prototypes.len();
    if is_given && n_chosen > 0 {
        let problem = (whole, source_rows, kernel, &kernel_mean[..]);
        let without = without_numbers(problem, (params, n_chosen), energy, observer)?;
        selection.constraints = Some(ConstraintReport::new(params, &selection, &without));
    }
    Ok(PerLabel { selection, labels, classes: summaries })
}

/// As many prototypes as in the selection, chosen from all rows for the whole target.
fn without_numbers<T: Scalar>(
    (target, source, kernel, kernel_mean): (Target<'_, T>, Rows<'_, T>, &dyn Kernel<T>, &[f64]),
    (params, n_prototypes): (&Params, usize),
    energy: Option<Energy>,
    observer: &mut dyn Observer,
) -> Result<Selection> {
    let (params, layout) = (params.unconstrained(n_prototypes), ShardLayout::default());
    let (approximate, candidates, given) = (None, None, &params);
    let problem =
        SelectionProblem { target, source, kernel, kernel_mean, approximate, params: given, candidates, layout };
    let mut path = path_in_pool(problem, &mut Silent(observer))?;
    let figures = TargetFigures::of(&mut path, (target, source), kernel, &params, (energy, 0.0));
    let shape = (target.rows.n_rows(), source.n_rows());
    Ok(Selection::from_path(&params, shape, path, figures, KernelMeans { means: None, error: 0.0, n_pairs: 0 }))
}

/// The rows of one class.
struct ClassRows {
    label: usize,
    share: f64,
    target_rows: Vec<usize>,
    source_rows: Vec<usize>,
}

impl ClassRows {
    fn summary(&self, n_prototypes: usize) -> ClassSummary {
        let (n_target, n_source) = (self.target_rows.len(), self.source_rows.len());
        ClassSummary { label: self.label, share: self.share, n_target, n_source, n_prototypes }
    }
}

/// The classes of the target with a positive weight, in ascending order.
fn classes(target_labels: &[usize], source_labels: &[usize], params: &Params) -> Vec<ClassRows> {
    let mut labels = target_labels.to_vec();
    labels.sort_unstable();
    labels.dedup();
    let weights = params.target_weights.as_deref().map(normalised);
    let mut classes: Vec<ClassRows> = labels
        .into_iter()
        .map(|label| ClassRows { label, share: 0.0, target_rows: Vec::new(), source_rows: Vec::new() })
        .collect();
    let places: std::collections::HashMap<usize, usize> =
        classes.iter().enumerate().map(|(place, class)| (class.label, place)).collect();
    for (row, label) in target_labels.iter().enumerate() {
        let class = &mut classes[places[label]];
        class.target_rows.push(row);
        class.share += weights.as_ref().map_or(1.0, |weights| weights[row]);
    }
    if weights.is_none() {
        classes.iter_mut().for_each(|class| class.share /= target_labels.len() as f64);
    }
    for (row, label) in source_labels.iter().enumerate() {
        places.get(label).into_iter().for_each(|&place| classes[place].source_rows.push(row));
    }
    classes.retain(|class| class.share > 0.0);
    classes
}

/// The number of prototypes of each class; `None` if the run decides.
fn class_numbers(classes: &[ClassRows], params: &Params, numbers: &ClassNumbers) -> Result<Vec<Option<usize>>> {
    let allocation = match numbers {
        ClassNumbers::Allocated(allocation) => *allocation,
        ClassNumbers::Given(numbers) => return Ok(given(numbers, classes)?.into_iter().map(Some).collect()),
    };
    if let Some(class) = classes.iter().find(|class| class.source_rows.is_empty()) {
        return Err(Error::ClassWithoutSource { label: class.label, n_target: class.target_rows.len() });
    }
    let Some(requested) = params.n_prototypes else { return Ok(vec![None; classes.len()]) };
    if requested < classes.len() {
        return Err(Error::FewerPrototypesThanClasses { requested, classes: classes.len() });
    }
    let caps: Vec<usize> = classes.iter().map(|class| class.source_rows.len()).collect();
    let available = caps.iter().sum();
    if requested > available {
        return Err(Error::TooManyPrototypes { requested, available });
    }
    let share = |class: &ClassRows| match allocation {
        Allocation::Proportional => class.share,
        Allocation::Equal => 1.0 / classes.len() as f64,
    };
    let shares: Vec<f64> = classes.iter().map(share).collect();
    Ok(allocate(&shares, &caps, requested).into_iter().map(Some).collect())
}

/// The selection of one class, with row numbers within the class.
fn represent_class<T: Scalar>(
    (target, source): (&ArrayRef2<T>, &ArrayRef2<T>),
    class: &ClassRows,
    kernel: &dyn Kernel<T>,
    (params, n_prototypes): (&Params, Option<usize>),
    observer: &mut dyn Observer,
) -> Result<Selection> {
    let target_rows: Array2<T> = target.select(Axis(0), &class.target_rows);
    let source_rows: Array2<T> = source.select(Axis(0), &class.source_rows);
    let mut params = params.clone();
    params.n_prototypes = n_prototypes;
    params.target_energy = TargetEnergy::Skip;
    // The objective of the whole takes all kernel means anyway.
    params.means = Means::Full;
    params.target_weights =
        params.target_weights.map(|weights| class.target_rows.iter().map(|&row| weights[row]).collect());
    select_with(&target_rows, &source_rows, kernel, &params, observer)
}

/// The selections of the classes as one path for the whole target, and the class of each prototype.
fn combined<T: Scalar>(
    classes: &[ClassRows],
    parts: &[Selection],
    source: Rows<'_, T>,
    means: &[f64],
    kernel: &dyn Kernel<T>,
) -> (Path, Vec<usize>) {
    let mut path = Path { stopped: stopped(parts), ..Path::default() };
    let (mut gram, mut set_means, mut labels) = (Gram::default(), Vec::new(), Vec::new());
    let order = order(classes, parts);
    let mut sizes = vec![0; classes.len()];
    for (place, &(class, index)) in order.iter().enumerate() {
        let row = classes[class].source_rows[parts[class].prototypes[index].source_index];
        let similarity = |other: usize| kernel.evaluate(source.row(row), source.row(other));
        let similarities: Vec<f64> = path.source_indices.iter().map(|&other| similarity(other)).collect();
        gram.push(&similarities, similarity(row));
        set_means.push(means[row]);
        path.source_indices.push(row);
        labels.push(classes[class].label);
        sizes[class] += 1;
        let weight = |&(class, index): &(usize, usize)| {
            let own = parts[class].weights_at(sizes[class]).and_then(|weights| weights.get(index));
            classes[class].share * own.copied().unwrap_or(0.0)
        };
        let weights: Vec<f64> = order[..=place].iter().map(weight).collect();
        path.objective.push(gram.objective(&set_means, &weights));
        path.weights.push(weights);
    }
    (path, labels)
}

/// Prototypes as (class, position in its selection), in an order in which each class always has about the same fraction of
/// its prototypes.
fn order(classes: &[ClassRows], parts: &[Selection]) -> Vec<(usize, usize)> {
    let len = |class: usize| parts[class].prototypes.len();
    let mut order: Vec<(usize, usize)> =
        (0..classes.len()).flat_map(|class| (0..len(class)).map(move |index| (class, index))).collect();
    order.sort_by(|&(a, i), &(b, j)| {
        // i/len(a) compared with j/len(b), in integers.
        let by_part = (i * len(b)).cmp(&(j * len(a)));
        by_part.then(classes[b].share.total_cmp(&classes[a].share)).then(a.cmp(&b))
    });
    order
}

/// Why the run stopped: at the optimum only if every class did.
fn stopped(parts: &[Selection]) -> Stopped {
    if parts.iter().all(|part| part.stopped == Stopped::Optimal) {
        return Stopped::Optimal;
    }
    let any = |stopped: Stopped| parts.iter().any(|part| part.stopped == stopped);
    let early = [Stopped::MinGain, Stopped::Exhausted].into_iter().find(|stopped| any(*stopped));
    early.unwrap_or(Stopped::NPrototypes)
}

/// Numbers prototypes consecutively across classes.
struct CountingObserver<'a> {
    observer: &'a mut dyn Observer,
    before: usize,
}

impl Observer for CountingObserver<'_> {
    fn on_progress(&mut self, stage: Stage, done: u64, total: u64) -> ControlFlow<()> {
        self.observer.on_progress(stage, done, total)
    }

    fn on_prototype(&mut self, step: usize, prototype: &Prototype, objective: f64) -> ControlFlow<()> {
        self.observer.on_prototype(self.before + step, prototype, objective)
    }

    fn on_columns_dropped(&mut self, n_prototypes: usize, column_memory: u64) -> ControlFlow<()> {
        self.observer.on_columns_dropped(n_prototypes, column_memory)
    }
}
