//! Swap refinement, beyond the paper: exchanges of one prototype for one candidate until none gains.

use rayon::prelude::*;

use super::lazy::{Bounded, largest};
use super::{l2c, protodash, protogreedy};
use crate::error::Result;
use crate::kernel::Kernel;
use crate::observe::{Observer, Silent, Stage, Unobserved, go_on};
use crate::problem::Stop;
use crate::rows::{Rows, Scalar};
use crate::search::{Candidates, Leader, Ranked, Shorter, first_of_equal_rows};
use crate::selection::{Path, Stopped};

/// An exchange must raise the objective by more than this part of it; less is rounding, and could go on forever.
const SMALLEST_RISE: f64 = 1e-10;

/// L2C's rows that are looked at for each that is wanted; what is still missing then is chosen as by ProtoGreedy.
const L2C_ROWS: usize = 4;

/// The path of the best of three refined sets.
///
/// Exchanges end at a set that no single one improves, and which one that is depends on where they began. They begin
/// here from ProtoGreedy's set, from ProtoDash's and from L2C's, so that the result is never below any of them.
pub(crate) fn search<T: Scalar, K: Kernel<T> + ?Sized>(
    candidates: Candidates<'_, T, K>,
    stop: Stop,
    observer: &mut dyn Observer,
) -> Result<Path> {
    let mut leader = Leader::new(candidates)?;
    let greedy = leader.run(stop, protogreedy::choose, observer)?;
    if greedy.stopped == Stopped::Optimal {
        return Ok(greedy);
    }
    refine(&mut leader, observer)?;
    let (mut set, mut objective) = (leader.source_indices().to_vec(), leader.objective());
    // Its columns would be held beside those of the others.
    drop(leader);
    for start in [from_protodash, from_l2c] {
        let mut leader = start(candidates, Stop::at(set.len()), &mut Silent(observer))?;
        refine(&mut leader, observer)?;
        if leader.objective() > objective + SMALLEST_RISE * objective.abs() {
            (set, objective) = (leader.source_indices().to_vec(), leader.objective());
        }
    }
    in_greedy_order(candidates, set, greedy.stopped)
}

/// A search that has chosen as ProtoDash does.
fn from_protodash<'a, T: Scalar, K: Kernel<T> + ?Sized>(
    candidates: Candidates<'a, T, K>,
    stop: Stop,
    observer: &mut dyn Observer,
) -> Result<Leader<'a, T, K>> {
    let mut leader = Leader::new(candidates)?;
    leader.run(stop, protodash::choose, observer)?;
    Ok(leader)
}

/// A search that has chosen L2C's rows, but for those that gain nothing under non-negative weights.
fn from_l2c<'a, T: Scalar, K: Kernel<T> + ?Sized>(
    candidates: Candidates<'a, T, K>,
    stop: Stop,
    observer: &mut dyn Observer,
) -> Result<Leader<'a, T, K>> {
    let Candidates { rows, kernel, kernel_mean, .. } = candidates;
    let n_rows = stop.n_prototypes.map_or(rows.n_rows(), |wanted| L2C_ROWS * wanted);
    // A constant added to all means changes nothing in L2C's order; copies would.
    let mut order = l2c::Order::new((rows, first_of_equal_rows(rows)), kernel, kernel_mean)?.take(n_rows);
    let mut leader = Leader::new(candidates)?;
    let choose =
        |leader: &mut Leader<'a, T, K>, observer: &mut dyn Observer| match order.find_map(|row| leader.try_row(row)) {
            Some(trial) => Ok(Some(trial)),
            None => protogreedy::choose(leader, observer),
        };
    leader.run(stop, choose, observer)?;
    Ok(leader)
}

/// A finished set in the order in which ProtoGreedy would choose its rows, so that its beginnings are good sets too.
fn in_greedy_order<T: Scalar, K: Kernel<T> + ?Sized>(
    candidates: Candidates<'_, T, K>,
    mut set: Vec<usize>,
    stopped: Stopped,
) -> Result<Path> {
    set.sort_unstable();
    let values: Vec<T> = set.iter().flat_map(|&row| candidates.rows.row(row)).copied().collect();
    let kernel_mean: Vec<f64> = set.iter().map(|&row| candidates.kernel_mean[row]).collect();
    let rows = Rows::new(&values, candidates.rows.n_columns());
    let mut leader = Leader::new(Candidates { rows, kernel_mean: &kernel_mean, ..candidates })?;
    let mut path = leader.run(Stop::at(set.len()), protogreedy::choose, &mut Unobserved)?;
    // A set of which some rows add nothing is one that no exchange can improve: the optimum.
    path.stopped = if path.stopped == Stopped::Optimal { Stopped::Optimal } else { stopped };
    path.source_indices.iter_mut().for_each(|row| *row = set[*row]);
    Ok(path)
}

/// Exchanges prototypes until no single exchange raises the objective.
///
/// Each prototype is taken out in turn and the best candidate put in its place, found with the bound of ProtoGreedy
/// against the set without it; the work ends when a whole round brought nothing. The objective never falls, and since
/// it rises by a fixed part with every exchange the rounds end.
///
/// As many prototypes as there are threads are looked at together, each of which takes 12·m² bytes. The first exchange in
/// their order is made and what was found after it forgotten, so that the number of threads changes nothing.
fn refine<T: Scalar, K: Kernel<T> + ?Sized>(leader: &mut Leader<'_, T, K>, observer: &mut dyn Observer) -> Result<()> {
    let (mut position, mut unchanged) = (0, 0);
    while unchanged < leader.len() {
        go_on(observer.on_progress(Stage::Swap, unchanged as u64, leader.len() as u64))?;
        let together = rayon::current_num_threads().min(leader.len() - unchanged);
        let positions: Vec<usize> = (0..together).map(|offset| (position + offset) % leader.len()).collect();
        let found = positions.par_iter().map(|position| exchange_at(leader, *position)).collect::<Vec<_>>();
        match found.into_iter().enumerate().find_map(|(offset, found)| Some((offset, found?))) {
            // The newcomer joins at the end, so that after an exchange the next prototype has moved into this place.
            Some((offset, (shorter, source_index))) => {
                leader.exchange(shorter, source_index, observer)?;
                (position, unchanged) = (positions[offset], 0);
            }
            None => (position, unchanged) = (position + together, unchanged + together),
        }
        position %= leader.len();
    }
    Ok(())
}

/// The best candidate for the place of one prototype, if that raises the objective.
fn exchange_at<T: Scalar, K: Kernel<T> + ?Sized>(
    leader: &Leader<'_, T, K>,
    position: usize,
) -> Option<(Shorter, usize)> {
    let goal = leader.objective() + SMALLEST_RISE * leader.objective().abs();
    let mut instead = Instead { shorter: leader.without(position), leader };
    let source_index = largest(&mut instead, goal)?;
    Some((instead.shorter, source_index))
}

/// The objective with each candidate in the place of one prototype.
struct Instead<'a, 'l, T, K: ?Sized> {
    leader: &'a Leader<'l, T, K>,
    shorter: Shorter,
}

impl<T: Scalar, K: Kernel<T> + ?Sized> Bounded for Instead<'_, '_, T, K> {
    fn by_bound(&self, limit: usize) -> Vec<Ranked> {
        let mut ranked = self.leader.propose_instead(&self.shorter, limit);
        ranked.iter_mut().for_each(|candidate| candidate.score += self.shorter.optimum.objective);
        ranked
    }

    fn at_least(&self, bound: f64) -> Vec<usize> {
        self.leader.at_least_instead(&self.shorter, bound - self.shorter.optimum.objective)
    }

    fn closer_bound(&mut self, source_index: usize) -> Option<f64> {
        let most_gain = self.leader.most_gain_after_exchange(&self.shorter, source_index)?;
        Some(self.shorter.optimum.objective + most_gain)
    }

    fn value(&mut self, source_index: usize) -> Option<f64> {
        self.leader.objective_after_exchange(&mut self.shorter, source_index)
    }

    fn rounding(&self, objective: f64) -> f64 {
        1e-12 * objective.abs()
    }
}
