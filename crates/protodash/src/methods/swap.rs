//! Swap refinement, beyond the paper: exchanges one prototype for one candidate until no exchange raises the objective.

use super::gains::largest_gain;
use super::l2c::L2cOrder;
use super::lazy::{LazyMaximum, largest};
use super::protodash::protodash;
use super::protogreedy::protogreedy;
use crate::distinct::first_of_equal_rows;
use crate::error::Result;
use crate::observe::{Observer, Silent, Stage, Unobserved};
use crate::parallel;
use crate::problem::StoppingRule;
use crate::rows::{Rows, Scalar};
use crate::search::{Exchanges, GreedySearch, Rank, RankedRow, ReducedSet, SearchSpace};
use crate::selection::{Path, Stopped};

/// An exchange must raise the objective by more than this fraction of it; less is rounding, and might never end.
const SMALLEST_RISE: f64 = 1e-10;

/// Objectives of different sets that differ by less than this fraction are equal: otherwise the last digits would decide which
/// rows are chosen, and with them the order of the target's rows.
const ROUNDING: f64 = 1e-13;

/// Number of L2C's rows to try for each prototype; ProtoGreedy chooses any that are still missing.
const L2C_ROWS: usize = 4;

/// The path of the best of three refined sets.
///
/// Exchanges end at a local optimum, which depends on the set they start from. They start here from the sets of
/// ProtoGreedy, ProtoDash and L2C, so the result is never below any of these by more than the last digits, and not below the
/// first two at all where the rows are the same.
pub(crate) fn swap<T: Scalar>(
    space: SearchSpace<'_, T>,
    stop: StoppingRule,
    observer: &mut dyn Observer,
) -> Result<Path> {
    let mut search = GreedySearch::new(space, stop, observer)?;
    let stopped = protogreedy(&mut search)?;
    let has_all_rows = search.prototypes().len() == space.rows.n_rows();
    if stopped == Stopped::Optimal || has_all_rows {
        let greedy = search.into_path(stopped);
        let mut silent = Silent(observer);
        let mut search = GreedySearch::new(space, stop, &mut silent)?;
        let stopped = protodash(&mut search)?;
        return Ok(no_lower_than(greedy, search.into_path(stopped)));
    }
    refine(&mut search, &mut AnyExchange)?;
    let mut best = RefinedSet::of(&search);
    let greedy = search.into_path(stopped); // frees its columns before the next search needs as many
    let mut silent = Silent(observer);
    let mut search = GreedySearch::new(space, StoppingRule::at(best.rows.len()), &mut silent)?;
    let stopped = protodash(&mut search)?;
    refine(&mut search, &mut AnyExchange)?;
    best = best.or_better(RefinedSet::of(&search));
    let dash = search.into_path(stopped);
    let mut search = GreedySearch::new(space, StoppingRule::at(best.rows.len()), &mut silent)?;
    choose_as_l2c(&mut search, space)?;
    refine(&mut search, &mut AnyExchange)?;
    best = best.or_better(RefinedSet::of(&search));
    drop(search);
    let refined = in_greedy_order(space, best.rows, greedy.stopped)?;
    Ok([greedy, dash].into_iter().fold(refined, no_lower_than))
}

/// `refined`, or `start` if that is higher by more than rounding.
///
/// Exchanges only ever raise the objective, but that of a refined set is summed in another order than that of its start and
/// may be less in the last digits. If it has the same rows, it takes the weights and the objective of the start.
fn no_lower_than(mut refined: Path, start: Path) -> Path {
    let reached = |path: &Path| path.objective.last().copied().unwrap_or(0.0);
    let (ours, theirs) = (reached(&refined), reached(&start));
    if theirs <= ours {
        return refined;
    }
    let (Some(weights), Some(objective)) = (refined.weights.last_mut(), refined.objective.last_mut()) else {
        return start;
    };
    let place = |row: &usize| start.source_indices.iter().position(|other| other == row);
    let places: Option<Vec<usize>> = refined.source_indices.iter().map(place).collect();
    match (places, start.weights.last()) {
        (Some(places), Some(from)) if places.len() == from.len() => {
            *weights = places.into_iter().map(|place| from[place]).collect();
            *objective = theirs;
        }
        _ if theirs - ours > ROUNDING * theirs.abs() => return Path { race: refined.race, ..start },
        _ => {}
    }
    refined
}

/// A set that no single exchange improves.
struct RefinedSet {
    rows: Vec<usize>,
    /// As the search has it: comparable between searches of the same problem.
    objective: f64,
}

impl RefinedSet {
    fn of<T: Scalar>(search: &GreedySearch<'_, T>) -> RefinedSet {
        RefinedSet { rows: search.prototypes().source_indices().to_vec(), objective: search.objective() }
    }

    /// The other set if it is better by more than rounding.
    fn or_better(self, other: RefinedSet) -> RefinedSet {
        if other.objective > self.objective + ROUNDING * self.objective.abs() { other } else { self }
    }
}

/// Adds L2C's rows, except those that gain nothing under non-negative weights.
fn choose_as_l2c<T: Scalar>(search: &mut GreedySearch<'_, T>, space: SearchSpace<'_, T>) -> Result<()> {
    let SearchSpace { rows, kernel, kernel_mean, .. } = space;
    let n_tried = L2C_ROWS * search.goal();
    // A constant added to all means does not change L2C's order, but copies of rows would.
    let shifted: Vec<f64> = kernel_mean.iter().map(|mean| mean + search.shift()).collect();
    let mut order = L2cOrder::new(rows, first_of_equal_rows(rows), kernel, &shifted)?.take(n_tried);
    while search.wants_more()? {
        let tried = order.find_map(|row| search.try_adding(row).transpose()).transpose()?;
        let Some(trial) = tried.map_or_else(|| largest_gain(search), |trial| Ok(Some(trial)))? else { break };
        search.add(trial, Rank::GainBound)?;
    }
    Ok(())
}

/// What an exchange must satisfy besides raising the objective.
pub(super) trait ExchangeLimit: Sync {
    /// Whether the candidate may replace the prototype.
    fn allows(&self, prototype: usize, candidate: usize) -> bool;
    /// Records an exchange.
    fn exchanged(&mut self, prototype: usize, candidate: usize);
}

/// No limit.
struct AnyExchange;

impl ExchangeLimit for AnyExchange {
    fn allows(&self, _: usize, _: usize) -> bool {
        true
    }

    fn exchanged(&mut self, _: usize, _: usize) {}
}

/// A finished set in the order in which ProtoGreedy would choose its rows, so that prefixes are sensible sets too.
pub(super) fn in_greedy_order<T: Scalar>(
    space: SearchSpace<'_, T>,
    mut set: Vec<usize>,
    stopped: Stopped,
) -> Result<Path> {
    set.sort_unstable();
    let values: Vec<T> = set.iter().flat_map(|&row| space.rows.row(row)).copied().collect();
    let kernel_mean: Vec<f64> = set.iter().map(|&row| space.kernel_mean[row]).collect();
    let rows = Rows::new(&values, space.rows.n_columns());
    let (space, mut unobserved) = (SearchSpace { rows, kernel_mean: &kernel_mean, ..space }, Unobserved);
    let mut search = GreedySearch::new(space, StoppingRule::at(set.len()), &mut unobserved)?;
    // If some rows of the set add nothing, no exchange can improve it: it is optimal.
    let is_optimal = protogreedy(&mut search)? == Stopped::Optimal;
    let mut path = search.into_path(if is_optimal { Stopped::Optimal } else { stopped });
    path.source_indices.iter_mut().for_each(|row| *row = set[*row]);
    Ok(path)
}

/// Exchanges prototypes until no single exchange within the limit raises the objective.
///
/// Each prototype in turn is replaced by the best candidate, found with ProtoGreedy's bound against the set without it,
/// until a whole round changes nothing. Every exchange raises the objective by at least a fixed fraction, so this
/// terminates.
///
/// As many prototypes as there are threads are examined in parallel; each takes 12·m² bytes. Only the first exchange in
/// their order is made, so that the result does not depend on the number of threads.
pub(super) fn refine<T: Scalar>(search: &mut GreedySearch<'_, T>, limit: &mut impl ExchangeLimit) -> Result<()> {
    let n_prototypes = search.prototypes().len();
    let (mut position, mut unchanged) = (0, 0);
    while unchanged < n_prototypes {
        search.report(Stage::Swap, unchanged, n_prototypes)?;
        let together = rayon::current_num_threads().min(n_prototypes - unchanged);
        let positions: Vec<usize> = (0..together).map(|offset| (position + offset) % n_prototypes).collect();
        let (exchanges, within) = (search.exchanges(), &*limit);
        let found = parallel::map(0..together, |place| best_exchange(exchanges, within, positions[place]));
        let found = found.into_iter().collect::<Result<Vec<_>>>()?.into_iter().zip(positions);
        match found.filter_map(|(found, position)| Some((found?, position))).next() {
            // The new row is appended, so the next prototype has moved to this position.
            Some(((reduced, source_index), exchanged)) => {
                let prototype = search.prototypes().source_indices()[exchanged];
                let is_made = search.exchange(reduced, source_index)?;
                if is_made {
                    limit.exchanged(prototype, source_index);
                }
                (position, unchanged) = (exchanged, if is_made { 0 } else { unchanged + 1 });
            }
            None => (position, unchanged) = (position + together, unchanged + together),
        }
        position %= n_prototypes;
    }
    Ok(())
}

/// The best candidate to replace one prototype, if that raises the objective.
fn best_exchange<T: Scalar>(
    exchanges: Exchanges<'_, '_, T>,
    limit: &impl ExchangeLimit,
    position: usize,
) -> Result<Option<(ReducedSet, usize)>> {
    let floor = exchanges.objective() + SMALLEST_RISE * exchanges.objective().abs();
    let prototype = exchanges.source_index(position);
    let mut replacements = Replacements { reduced: exchanges.without(position), exchanges, limit, prototype, floor };
    let source_index = largest(&mut replacements, floor)?;
    Ok(source_index.map(|source_index| (replacements.reduced, source_index)))
}

/// The objectives with one prototype replaced by each candidate.
struct Replacements<'s, 'a, T, L> {
    exchanges: Exchanges<'s, 'a, T>,
    reduced: ReducedSet,
    limit: &'s L,
    prototype: usize,
    /// Only objectives above this count.
    floor: f64,
}

impl<T: Scalar, L: ExchangeLimit> LazyMaximum for Replacements<'_, '_, T, L> {
    fn by_bound(&mut self, limit: usize) -> Result<Vec<RankedRow>> {
        let mut ranked = self.exchanges.largest_gain_bounds(&self.reduced, limit)?;
        ranked.iter_mut().for_each(|candidate| candidate.score += self.reduced.objective());
        Ok(ranked)
    }

    fn at_least(&mut self, bound: f64) -> Result<Vec<usize>> {
        self.exchanges.gain_bounds_from(&self.reduced, bound - self.reduced.objective())
    }

    fn tighter_bound(&mut self, source_index: usize) -> Result<Option<f64>> {
        let gain = self.exchanges.tighter_gain_bound(&self.reduced, source_index)?;
        Ok(gain.map(|gain| self.reduced.objective() + gain))
    }

    fn value(&mut self, source_index: usize) -> Result<Option<f64>> {
        let objective = self.exchanges.objective_with(&mut self.reduced, source_index)?;
        // The limit is expensive, so it is only checked where it matters.
        let is_allowed = objective <= self.floor || self.limit.allows(self.prototype, source_index);
        Ok(is_allowed.then_some(objective))
    }

    fn rounding(&self, objective: f64) -> f64 {
        1e-12 * objective.abs()
    }
}
