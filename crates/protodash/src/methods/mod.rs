//! The selection methods, one file each, named as in the paper.

mod budget;
mod coverage;
mod farthest_first;
mod gains;
mod k_means;
mod l2c;
mod lazy;
mod protodash;
mod protogreedy;
mod swap;

pub(crate) mod k_medoids;
pub(crate) mod p_lasso;
pub(crate) mod random;

use crate::centred::{CentredProblem, has_small_values, plain_shift};
use crate::cluster::ClusterError;
use crate::constraints::{OpenPlaces, RowConstraints};
use crate::error::{Error, Result, Role};
use crate::kernel::{Kernel, has_unit_diagonal, known_kernel};
use crate::kernel_mean::Precision;
use crate::observe::{Observer, Silent};
use crate::oversample::stopping_rule;
use crate::params::{Method, Params, Weights};
use crate::problem::{SelectionProblem, StoppingRule};
use crate::rows::Scalar;
use crate::search::{Connections, GreedySearch, Rank, SearchSettings, SearchSpace, Transport};
use crate::selection::{Path, Stopped};
use crate::weigh::{Rule, Weigher};
use crate::weights::Constraint;
use budget::no_lower_than_best_row;
use coverage::coverage;
use farthest_first::FarthestFirst;
use l2c::L2cOrder;
use swap::swap;

pub(crate) use protodash::protodash;
pub(crate) use protogreedy::protogreedy;

/// A method that adds row after row until it stops.
type GreedyMethod<T> = fn(&mut GreedySearch<'_, T>) -> Result<Stopped>;

/// What a method chose.
pub(crate) enum ChosenRows<'a> {
    /// Rows chosen one by one according to their weights, with those weights and their rule.
    Searched(Path, Rule),
    /// Rows whose order does not depend on weights, and the weighting rule of the method itself.
    ///
    /// The order may be longer than needed; if it is shorter, no row is left to choose.
    Ordered(Box<dyn Iterator<Item = usize> + 'a>, Rule),
}

impl ChosenRows<'_> {
    /// The weighting rule for the requested weights.
    pub(crate) fn rule(&self, requested: Weights) -> Rule {
        match (requested, self) {
            (Weights::Convex, _) => Rule::Convex,
            (Weights::Equal, _) => Rule::Equal,
            (Weights::Shares, _) => Rule::Shares(Role::Target),
            (Weights::Own, ChosenRows::Ordered(_, own)) => *own,
            (Weights::Nonnegative, _) | (Weights::Own, ChosenRows::Searched(..)) => Rule::Nonnegative,
        }
    }

    /// The path with the weights of `rule`.
    ///
    /// A search by this rule already has its weights; any other order gets them here and ends by `stop`.
    pub(crate) fn weigh<T: Scalar>(
        self,
        problem: SelectionProblem<'_, T>,
        rule: Rule,
        stop: StoppingRule,
        observer: &mut dyn Observer,
    ) -> Result<Path> {
        match self {
            ChosenRows::Searched(path, searched_by) if searched_by == rule => Ok(path),
            ChosenRows::Searched(path, _) => {
                // The search has decided the number of prototypes and reported them.
                let all = StoppingRule::at(path.source_indices.len());
                let order = path.source_indices.into_iter();
                let weighted = Weigher::new(problem, rule)?.run(order, all, &mut Silent(observer))?;
                Ok(Path { stopped: path.stopped, ..weighted })
            }
            ChosenRows::Ordered(order, _) => Weigher::new(problem, rule)?.run(order, stop, observer),
        }
    }
}

/// The rows chosen by the requested method.
pub(crate) fn choose<'a, T: Scalar>(
    problem: SelectionProblem<'a, T>,
    stop: StoppingRule,
    observer: &mut dyn Observer,
) -> Result<ChosenRows<'a>> {
    let SelectionProblem { source, params, .. } = problem;
    match params.method {
        Method::ProtoDash | Method::ProtoGreedy | Method::Swap | Method::Coverage => search(problem, stop, observer),
        Method::L2c => l2c_order(problem),
        Method::PLasso => p_lasso::choose(problem, stop, observer),
        Method::KMedoids => {
            let medoids = k_medoids::choose(problem, stop, observer)?;
            Ok(ChosenRows::Ordered(Box::new(medoids.into_iter()), Rule::Shares(Role::Source)))
        }
        Method::KMeans => {
            let rows = k_means::choose(problem, stop, observer)?;
            Ok(ChosenRows::Ordered(Box::new(rows.into_iter()), Rule::Shares(Role::Source)))
        }
        Method::FarthestFirst => Ok(ChosenRows::Ordered(Box::new(FarthestFirst::new(problem)), Rule::Nonnegative)),
        Method::Random => {
            let order = random::order(source.n_rows(), params.seed);
            let order = params.given_rows().first_fixed(source.n_rows(), order);
            let order = within_constraints(order, params, source.n_rows())?;
            Ok(ChosenRows::Ordered(order, Rule::Nonnegative))
        }
    }
}

/// An order that begins with the fixed rows, without those that quotas or a budget do not admit.
fn within_constraints<'a>(
    order: Box<dyn Iterator<Item = usize> + 'a>,
    params: &Params,
    n_rows: usize,
) -> Result<Box<dyn Iterator<Item = usize> + 'a>> {
    let Some(rows) = RowConstraints::of(params, n_rows) else { return Ok(order) };
    let (mut places, mut n_fixed) = (OpenPlaces::new(params, &rows).map_err(Error::Constraint)?, params.fixed.len());
    Ok(Box::new(order.filter(move |&row| {
        if n_fixed > 0 {
            n_fixed -= 1;
            return true;
        }
        let (group, cost) = (rows.group(row), rows.cost(row));
        let is_open = cost <= places.cost_limits()[group];
        if is_open {
            places.take(row, group, cost);
        }
        is_open
    })))
}

/// L2C's order of all rows.
fn l2c_order<'a, T: Scalar>(problem: SelectionProblem<'a, T>) -> Result<ChosenRows<'a>> {
    let given = problem.params.given_rows();
    let choosable = given.choosable(problem.source.n_rows());
    let mut order = L2cOrder::new(problem.source, choosable, problem.kernel, problem.kernel_mean)?;
    order.start_with(given.fixed);
    Ok(ChosenRows::Ordered(Box::new(order), Rule::Equal))
}

/// The path of a method that chooses by weights.
fn search<'a, T: Scalar>(
    problem: SelectionProblem<'a, T>,
    stop: StoppingRule,
    observer: &mut dyn Observer,
) -> Result<ChosenRows<'a>> {
    let SelectionProblem { source, kernel, kernel_mean, approximate, params, candidates, layout, .. } = problem;
    let (constraint, rule) = (constraint(params.weights), searched_rule(params.weights));
    let centred = if rule == Rule::Convex { CentredProblem::new(&problem)? } else { None };
    let (kernel, kernel_mean, approximate): (&dyn Kernel<T>, _, _) = match &centred {
        Some(centred) => (&centred.kernel, &centred.kernel_mean[..], None),
        None => (kernel, kernel_mean, approximate),
    };
    let shift = match (constraint, &centred) {
        (Constraint::Nonnegative, _) => 0.0,
        (Constraint::Convex, Some(centred)) => centred.shift,
        (Constraint::Convex, None) => plain_shift(&problem),
    };
    let level = centred.as_ref().map_or(0.0, |centred| centred.level);
    let settings = search_settings(params, problem.kernel, (shift, level), centred.is_some());
    let (rows, given) = (source, params.given_rows());
    let constraints = RowConstraints::of(params, rows.n_rows());
    let open = constraints.as_ref().map(|constraints| constraints.candidates(rows, given));
    let (constraints, candidates) = (constraints.as_ref(), candidates.or(open.as_deref()));
    let space =
        SearchSpace { kernel, rows, kernel_mean, approximate, layout, candidates, given, constraints, settings };
    let (run, rank): (GreedyMethod<T>, _) = match params.method {
        Method::ProtoDash => (protodash, Rank::Gradient),
        Method::ProtoGreedy => (protogreedy, Rank::GainBound),
        Method::Coverage => {
            // Computed here and not lazily, since the space may borrow a centred kernel from this function.
            let order = coverage(problem, space, stop, observer)?;
            return Ok(ChosenRows::Ordered(Box::new(order.into_iter()), Rule::Nonnegative));
        }
        _ => return Ok(ChosenRows::Searched(swap(space, stop, observer)?, rule)),
    };
    let places =
        constraints.map(|constraints| OpenPlaces::new(params, constraints)).transpose().map_err(Error::Constraint)?;
    let mut search = GreedySearch::new(space, stop, observer)?;
    search.rank_per_cost(params.budget.is_some());
    places.iter().try_for_each(|places| search.constrain(places.clone()))?;
    // A race records all its pairs, so it has to search for resumed rows too; and quotas reserve other places in longer runs.
    let is_raced = approximate.is_some_and(|approximate| approximate.race.is_some());
    let resumed = if is_raced || places.is_some() { &[][..] } else { &params.resume };
    start(&mut search, (&params.fixed, resumed), rank)?;
    let stopped = run(&mut search)?;
    let path = search.into_path(stopped);
    let path = match places.filter(|_| params.budget.is_some()) {
        Some(places) => no_lower_than_best_row(path, (space, places), (&params.fixed, stop), (run, rank), observer)?,
        None => path,
    };
    Ok(ChosenRows::Searched(path, rule))
}

/// How to search; `kernel` is that of the problem, whether or not the search is `centred`.
fn search_settings<T: Scalar>(
    params: &Params,
    kernel: &dyn Kernel<T>,
    (shift, level): (f64, f64),
    is_centred: bool,
) -> SearchSettings {
    // The search resolves in f64 what columns in f32 leave uncertain. They need similarities that f32 can represent, and
    // no exchanges, which would round the columns repeatedly; and ties between gains per cost are those of f64.
    let adds_only = matches!(params.method, Method::ProtoDash | Method::ProtoGreedy) && params.budget.is_none();
    let in_single = adds_only && !is_centred && has_unit_diagonal(kernel);
    let checks_definiteness = known_kernel(kernel).is_none() && !is_centred;
    // ProtoDash ranks by gradients, but a budget compares its first row with the one that gains most.
    let bounds_gains = params.method != Method::ProtoDash || params.budget.is_some();
    SearchSettings {
        constraint: constraint(params.weights),
        shift,
        level,
        column_memory: params.column_memory,
        column_precision: if in_single { Precision::Single } else { Precision::Double },
        checks_definiteness,
        keeps_schur: checks_definiteness || bounds_gains,
        tolerance: params.tolerance,
    }
}

/// The constraint on the weights during a search.
fn constraint(weights: Weights) -> Constraint {
    if weights == Weights::Convex { Constraint::Convex } else { Constraint::Nonnegative }
}

/// The rule of the weights that a search ends with.
pub(crate) fn searched_rule(weights: Weights) -> Rule {
    if weights == Weights::Convex { Rule::Convex } else { Rule::Nonnegative }
}

/// The path of ProtoDash or ProtoGreedy over the rows of workers, with the hash of their data.
pub(crate) fn lead<T: Scalar>(
    workers: &[&dyn Transport],
    kernel: &dyn Kernel<T>,
    params: &Params,
    observer: &mut dyn Observer,
) -> Result<(u64, Path)> {
    let shift = match constraint(params.weights) {
        Constraint::Nonnegative => 0.0,
        Constraint::Convex if has_small_values(kernel) => 1.0,
        Constraint::Convex => return Err(Error::Cluster(ClusterError::Centred)),
    };
    let (run, rank): (GreedyMethod<T>, _) = match params.method {
        Method::ProtoGreedy => (protogreedy, Rank::GainBound),
        _ => (protodash, Rank::Gradient),
    };
    let workers = Connections::open(workers)?;
    let (fingerprint, shape) = (workers.fingerprint(), workers.shape());
    params.check(shape.0, shape.1)?;
    let settings = search_settings(params, kernel, (shift, 0.0), false);
    let mut search = GreedySearch::led(workers, settings, stopping_rule(params), observer)?;
    start(&mut search, (&params.fixed, &params.resume), rank)?;
    let stopped = run(&mut search)?;
    Ok((fingerprint, search.into_path(stopped)))
}

/// Adds the fixed rows, then those that an earlier run chose, as far as this run would choose them too.
fn start<T: Scalar>(
    search: &mut GreedySearch<'_, T>,
    (fixed, resumed): (&[usize], &[usize]),
    rank: Rank,
) -> Result<()> {
    fixed.iter().try_for_each(|row| search.start_with(*row))?;
    for &row in resumed {
        if !search.wants_more()? {
            break;
        }
        match search.try_adding(row)? {
            Some(trial) if !search.gains_too_little(&trial) => search.add(trial, rank)?,
            _ => break,
        }
    }
    Ok(())
}
