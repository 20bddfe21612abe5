//! What must be true of every selection, recomputed in double-double.

use std::sync::LazyLock;

use crate::double_double::DoubleDouble;
use crate::library::Library;
use crate::problem::{AdversaryProblem, KernelForm};
use crate::reference::{Reference, View};
use crate::similarity::ExactValue;
use protodash::{Choice, Error, Method, Params, Selection, Stopped, Weights};
use rayon::{ThreadPool, ThreadPoolBuilder};

/// Rounding error of a sum, as a fraction of the size of its terms.
const VALUE: f64 = 1e-12;
/// How far weights may be from the optimum and choices from the best, in the same unit.
const GAP: f64 = 1e-10;
/// How much larger than their own terms scores may be for ties between them to be visible.
const COMMON: f64 = 1e6;
/// A gain below this fraction of the terms is rounding.
const ROUNDING: f64 = 1e-15;
/// Scores this close are equal in double-double.
const EQUAL: f64 = 1e-26;

/// A different number of threads than in the rest of the test.
static THREE_THREADS: LazyLock<ThreadPool> = LazyLock::new(|| ThreadPoolBuilder::new().num_threads(3).build().unwrap());

/// A claim that does not hold.
#[derive(Debug)]
pub(crate) struct Fault {
    /// Which claim.
    pub(crate) claim: &'static str,
    pub(crate) detail: String,
}

pub(crate) type Checked = Result<(), Fault>;

pub(crate) fn ensure(holds: bool, claim: &'static str, detail: impl FnOnce() -> String) -> Checked {
    if holds { Ok(()) } else { Err(Fault { claim, detail: detail() }) }
}

/// One selection of the problem.
pub(crate) struct Run<'a> {
    reference: &'a Reference,
    params: &'a Params,
    selection: &'a Selection,
    /// The chosen rows.
    set: Vec<usize>,
    what: String,
}

/// Checks every method with every rule for weights.
pub(crate) fn check(problem: &AdversaryProblem) -> Checked {
    let reference = Reference::new(problem);
    let library = Library::new(problem, &reference);
    for (method, method_name, _) in Method::ALL {
        for (weights, weights_name, _) in Weights::ALL {
            let mut params = library.params();
            (params.method, params.weights) = (*method, *weights);
            let what = format!("{method_name}, {weights_name}");
            check_one(&reference, &library, &params, &what)?;
        }
    }
    if reference.is_in_range() {
        crate::other_parameters::check_other_parameters(problem, &reference, &library)?;
    }
    if problem.form == KernelForm::BuiltIn && reference.is_in_range() {
        if !problem.is_tall() {
            crate::other_methods::check_lasso(&reference, &library)?;
        }
        crate::other_methods::check_medoids(problem, &library)?;
        crate::other_methods::check_coverage(problem, &library)?;
    }
    Ok(())
}

fn check_one(reference: &Reference, library: &Library<'_>, params: &Params, what: &str) -> Checked {
    let found = library.select(params);
    if !reference.is_in_range() {
        return Ok(()); // an error or a result, but no panic
    }
    let selection = match found {
        Ok(selection) => selection,
        Err(Error::UnreachableNumber { .. }) => return Ok(()),
        Err(Error::NumberOfMedoidsNeeded) if params.n_prototypes.is_none() && needs_number(params.method) => {
            return Ok(());
        }
        Err(Error::NoClusterMeans { .. }) if params.method == Method::KMeans && !library.has_means() => return Ok(()),
        Err(error) => return Err(Fault { claim: "a valid problem is solved", detail: format!("{what}: {error}") }),
    };
    if is_only_rounding(reference, &selection) {
        return Ok(());
    }
    Run::new(reference, params, &selection, what).check()?;
    same_in_other_ways(library, params, &selection, what)?;
    if params.method == Method::Swap {
        crate::other_methods::check_swap_is_never_worse(library, params, &selection, what)?;
    }
    if let Some(single) = library.select_in_single(params) {
        let single =
            single.map_err(|error| Fault { claim: "f32 is solved too", detail: format!("{what}: {error}") })?;
        if is_only_rounding(reference, &single) {
            return Ok(());
        }
        let what = format!("{what}, f32");
        let run = Run::new(reference, params, &single, &what);
        run.check()?;
        run.chooses_the_rows_of(&selection)?;
    }
    Ok(())
}

/// Whether the method divides the rows into a number of clusters.
fn needs_number(method: Method) -> bool {
    matches!(method, Method::KMedoids | Method::KMeans | Method::Coverage)
}

/// Whether the kernel mean is rounding error, of f64 or of data in f32, and was therefore set to 0.
pub(crate) fn is_only_rounding(reference: &Reference, selection: &Selection) -> bool {
    let cancels = |row: usize| reference.raw.mean[row].value.abs().to_f64() <= 1e-6 * reference.raw.mean[row].size;
    let are_zero = selection.kernel_mean().is_some_and(|means| means.iter().all(|mean| *mean == 0.0));
    are_zero && (0..reference.raw.len()).all(cancels)
}

/// Threads, memory and a longer run change nothing.
fn same_in_other_ways(library: &Library<'_>, params: &Params, selection: &Selection, what: &str) -> Checked {
    let threaded = THREE_THREADS.install(|| library.select(params));
    ensure(threaded.as_ref() == Ok(selection), "threads change nothing", || {
        format!("{what}: {threaded:?} {selection:?}")
    })?;
    // Of all columns none fit, or as many as in the middle of the run.
    let (n_chosen, n_source) = (selection.prototypes.len() as u64, library.n_source() as u64);
    for column_memory in [0, library.some_number(what, size_of::<f64>() as u64 * n_source * n_chosen)] {
        let mut other = params.clone();
        other.column_memory = column_memory;
        let small = library.select(&other);
        ensure(small.as_ref() == Ok(selection), "memory changes nothing", || {
            format!("{what}, {column_memory} bytes: {small:?} {selection:?}")
        })?;
    }
    let n_fewer = selection.prototypes.len() / 2;
    if params.method.is_nested() && n_fewer > 0 {
        let mut fewer = params.clone();
        fewer.n_prototypes = Some(n_fewer);
        let (short, cut) = (library.select(&fewer), selection.prefix(n_fewer).unwrap());
        ensure(short.as_ref() == Ok(&cut), "a prefix is the shorter run", || format!("{what}: {short:?} {cut:?}"))?;
    }
    Ok(())
}

impl<'a> Run<'a> {
    pub(crate) fn new(reference: &'a Reference, params: &'a Params, selection: &'a Selection, what: &str) -> Self {
        let set = selection.prototypes.iter().map(|prototype| prototype.source_index).collect();
        Run { reference, params, selection, set, what: what.to_owned() }
    }

    fn is_convex(&self) -> bool {
        self.params.weights == Weights::Convex
    }

    fn view(&self) -> &'a View {
        self.reference.view(self.is_convex())
    }

    /// Whether the weights are optimal for their set.
    fn has_best_weights(&self) -> bool {
        let own_are_best =
            !matches!(self.params.method, Method::L2c | Method::PLasso | Method::KMeans | Method::KMedoids);
        match self.params.weights {
            Weights::Nonnegative | Weights::Convex => true,
            Weights::Own => own_are_best,
            _ => false,
        }
    }

    fn weights_at(&self, size: usize) -> &'a [f64] {
        self.selection.weights_at(size).unwrap_or_default()
    }

    pub(crate) fn check(&self) -> Checked {
        self.has_the_right_shape()?;
        self.reports_its_objective()?;
        if self.has_best_weights() {
            self.has_optimal_weights()?;
        }
        self.is_optimal_if_it_says_so()?;
        match self.params.method {
            Method::ProtoDash if self.has_best_weights() => self.follows(&|at, row| self.gradient(at, row)),
            Method::ProtoGreedy if self.has_best_weights() => self.follows(&|at, row| self.with(at, row)),
            Method::L2c => self.follows(&|at, row| self.equally_weighted(at, row)),
            Method::Swap if self.has_best_weights() => self.no_exchange_is_better(),
            _ => Ok(()),
        }
    }

    fn has_the_right_shape(&self) -> Checked {
        let Selection { prototypes, stopped, objective, .. } = self.selection;
        let wanted = self.params.n_prototypes.map_or(usize::MAX, |number| number + self.params.fixed.len());
        let fits = prototypes.len() <= wanted && (*stopped != Stopped::NPrototypes || prototypes.len() == wanted);
        ensure(fits, "the number is what was asked for", || {
            format!("{}: {} {stopped:?}", self.what, prototypes.len())
        })?;
        let mut sorted = self.set.clone();
        sorted.sort_unstable();
        sorted.dedup();
        ensure(sorted.len() == self.set.len(), "no row is chosen twice", || format!("{}: {:?}", self.what, self.set))?;
        for size in 1..=prototypes.len() {
            let weights = self.weights_at(size);
            let total: f64 = weights.iter().sum();
            let sums_to_one = !matches!(self.params.weights, Weights::Nonnegative | Weights::Own);
            let fine = weights.len() == size && weights.iter().all(|weight| weight.is_finite() && *weight >= 0.0);
            let fine = fine && (!sums_to_one || (total - 1.0).abs() < 1e-9) && objective[size - 1].is_finite();
            ensure(fine, "weights are finite, at least 0, and sum to 1 if they should", || {
                format!("{}: {weights:?}", self.what)
            })?;
        }
        Ok(())
    }

    pub(crate) fn reports_its_objective(&self) -> Checked {
        let raw = &self.reference.raw;
        for size in 1..=self.set.len() {
            let exact = raw.objective(&self.set[..size], self.weights_at(size));
            let ours = self.selection.objective[size - 1];
            let error = (exact.value - ours.into()).abs().to_f64();
            // Under Σw = 1 a constant of the size of what can be explained is added to the kernel.
            let added = if self.is_convex() { self.reference.energy.size } else { 0.0 };
            ensure(error <= VALUE * (exact.size + added), "the objective is that of the weights", || {
                format!("{} at {size}: {ours}, not {}, size {}", self.what, exact.value.to_f64(), exact.size)
            })?;
        }
        let Some(energy) = self.selection.target_energy else { return Ok(()) };
        let reference = &self.reference.energy;
        let error = (reference.value - energy.value.into()).abs().to_f64();
        let allowed = VALUE * reference.size + self.selection.error_bounds.target_energy;
        ensure(error <= allowed, "the energy is that of the target", || {
            format!("{}: {} not {}", self.what, energy.value, reference.value.to_f64())
        })
    }

    /// l(w) is the maximum of its set, at every size.
    pub(crate) fn has_optimal_weights(&self) -> Checked {
        let view = self.view();
        for size in 1..=self.set.len() {
            let set = &self.set[..size];
            let (ours, best) = (view.objective(set, self.weights_at(size)), view.best(set));
            self.is_no_lower(ours, best, "weights are optimal", || {
                format!("{set:?} with {:?}", self.weights_at(size))
            })?;
        }
        Ok(())
    }

    fn is_no_lower(
        &self,
        ours: ExactValue,
        best: ExactValue,
        claim: &'static str,
        what: impl Fn() -> String,
    ) -> Checked {
        let (gap, size) = ((best.value - ours.value).to_f64(), ours.size.max(best.size));
        ensure(gap <= GAP * size, claim, || {
            format!("{}: {} is {gap:e} below {}, size {size:e}", self.what, what(), best.value.to_f64())
        })
    }

    /// No set of any size is better than one that is reported as optimal.
    fn is_optimal_if_it_says_so(&self) -> Checked {
        if self.selection.stopped != Stopped::Optimal {
            return Ok(());
        }
        let view = self.view();
        let everything: Vec<usize> = (0..view.len()).filter(|row| self.is_candidate(*row)).collect();
        let everything = [&self.params.fixed[..], &everything].concat();
        self.is_no_lower(view.best(&self.set), view.best(&everything), "optimal means optimal", || {
            format!("{:?}", self.set)
        })
    }

    /// No candidate scores higher than the one chosen by more than rounding, and of equal ones it is the first.
    fn follows(&self, score: &dyn Fn(usize, usize) -> ExactValue) -> Checked {
        for at in self.params.fixed.len()..self.set.len() {
            let (before, chosen) = (&self.set[..at], self.set[at]);
            let ours = score(at, chosen);
            for row in (0..self.view().len()).filter(|row| !before.contains(row) && self.is_candidate(*row)) {
                let other = score(at, row);
                let (lead, size) = ((other.value - ours.value).to_f64(), ours.size.max(other.size));
                let detail = || {
                    let scores = (other.value.to_f64(), ours.value.to_f64());
                    format!(
                        "{} step {at}: {row} before {chosen} after {before:?}, {scores:?} by {lead:e}, size {size:e}",
                        self.what
                    )
                };
                ensure(lead <= GAP * size || self.gains_nothing(at, row), "the best candidate is chosen", detail)?;
                // With much cancellation, equal scores may differ by more than the library treats as equal.
                let score = ours.value.abs().to_f64();
                let is_simple = match self.params.method {
                    Method::ProtoGreedy => at == 0,
                    // The terms that its scores have in common can be so large that the rest is lost here, but not there.
                    Method::L2c => at == 0 || size <= COMMON * self.own_size(row).max(self.own_size(chosen)),
                    _ => true,
                };
                let is_tied = is_simple && lead.abs() <= EQUAL * score && size <= 1e3 * score;
                ensure(!is_tied || row >= chosen, "ties go to the first row", detail)?;
            }
        }
        Ok(())
    }

    /// The terms of a score that depend on this row alone.
    fn own_size(&self, row: usize) -> f64 {
        // L2C's scores are those of the kernel itself, whatever the weights.
        let view = if self.params.method == Method::L2c { &self.reference.raw } else { self.view() };
        view.mean[row].value.to_f64().abs().max(view.gram[row][row].value.to_f64().abs())
    }

    /// Whether a row may be chosen: it is neither fixed nor excluded, and, except for L2C, it equals no fixed row and no
    /// earlier candidate.
    fn is_candidate(&self, row: usize) -> bool {
        let Params { fixed, exclude, method, .. } = self.params;
        if fixed.contains(&row) || exclude.contains(&row) {
            return false;
        }
        let firsts = &self.reference.first_equal;
        let is_copy = |other: usize| firsts[other] == firsts[row];
        *method == Method::L2c
            || !(fixed.iter().any(|other| is_copy(*other))
                || (0..row).any(|other| is_copy(other) && !exclude.contains(&other)))
    }

    /// Whether a row raises the objective by no more than rounding, whatever its gradient.
    fn gains_nothing(&self, at: usize, row: usize) -> bool {
        let (without, with) = (self.view().best(&self.set[..at]), self.with(at, row));
        at > 0 && (with.value - without.value).to_f64() <= ROUNDING * with.size.max(without.size)
    }

    /// What ProtoDash ranks by.
    fn gradient(&self, at: usize, row: usize) -> ExactValue {
        let (view, set, weights) = (self.view(), &self.set[..at], self.weights_at(at));
        let (mean, own) = (view.mean[row], view.gram[row][row]);
        if at == 0 {
            return alone(mean, own, self.is_convex());
        }
        view.slope(row, set, weights) // under Σw = 1 minus a multiplier that is the same for all rows
    }

    /// What ProtoGreedy ranks by.
    fn with(&self, at: usize, row: usize) -> ExactValue {
        let view = self.view();
        if at == 0 {
            return alone(view.mean[row], view.gram[row][row], self.is_convex());
        }
        view.best(&[&self.set[..at], &[row]].concat())
    }

    /// What L2C ranks by.
    fn equally_weighted(&self, at: usize, row: usize) -> ExactValue {
        let set = [&self.set[..at], &[row]].concat();
        self.reference.raw.objective(&set, &vec![1.0 / set.len() as f64; set.len()])
    }

    fn no_exchange_is_better(&self) -> Checked {
        let view = self.view();
        let ours = view.best(&self.set);
        for at in 0..self.set.len() {
            for row in (0..view.len()).filter(|row| !self.set.contains(row)) {
                let mut other = self.set.clone();
                other[at] = row;
                let best = view.best(&other);
                let (gap, size) = ((best.value - ours.value).to_f64(), ours.size.max(best.size));
                ensure(gap <= 10.0 * GAP * size, "no exchange is better", || {
                    format!("{}: {other:?} is {gap:e} above {:?}", self.what, self.set)
                })?;
            }
        }
        Ok(())
    }

    /// The rows are those of another run: up to the first that rounding may have decided where f32 is only an approximation,
    /// which the search resolves, and all of them for methods that compute in f64 from data in f32.
    pub(crate) fn chooses_the_rows_of(&self, other: &Selection) -> Checked {
        let theirs: Vec<usize> = other.prototypes.iter().map(|prototype| prototype.source_index).collect();
        let Some(at) = (0..self.set.len().min(theirs.len())).find(|at| self.set[*at] != theirs[*at]) else {
            return Ok(());
        };
        let clear = match self.params.method {
            Method::ProtoDash if self.has_best_weights() => {
                let (ours, theirs) = (self.gradient(at, self.set[at]), self.gradient(at, theirs[at]));
                (ours.value - theirs.value).abs().to_f64() > VALUE * ours.size.max(theirs.size)
            }
            Method::ProtoGreedy if self.has_best_weights() => {
                let (ours, theirs) = (self.with(at, self.set[at]), self.with(at, theirs[at]));
                (ours.value - theirs.value).abs().to_f64() > VALUE * ours.size.max(theirs.size)
            }
            // The weights that the search ranks by are not in the result; the same search is checked with those that are.
            Method::ProtoDash | Method::ProtoGreedy => false,
            _ => true,
        };
        ensure(!clear, "f32 chooses the rows of f64", || format!("{}: {:?} not {theirs:?}", self.what, self.set))
    }
}

/// What the first step ranks by: the gain of a row alone.
fn alone(mean: ExactValue, own: ExactValue, is_convex: bool) -> ExactValue {
    let half = DoubleDouble::from(0.5);
    if is_convex {
        return ExactValue { value: mean.value - half * own.value, size: mean.size + own.size };
    }
    if mean.value <= DoubleDouble::ZERO || own.value <= DoubleDouble::ZERO {
        return ExactValue { value: DoubleDouble::ZERO, size: mean.size };
    }
    let gain = half * mean.value * mean.value / own.value;
    ExactValue { value: gain, size: mean.size * mean.size / own.value.to_f64() }
}
