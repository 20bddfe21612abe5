//! How rows are chosen: one file for each method, named as the paper names it.

mod l2c;
mod lazy;
mod protodash;
mod protogreedy;
mod random;
mod swap;

pub(crate) mod k_medoids;
pub(crate) mod p_lasso;

use crate::error::{Result, Role};
use crate::kernel::{Kernel, has_unit_diagonal};
use crate::kernel_mean::Precision;
use crate::observe::{Observer, Silent};
use crate::params::{Method, Params, Weights};
use crate::problem::{Problem, Stop};
use crate::rows::Scalar;
use crate::search::{Candidates, Leader};
use crate::selection::Path;
use crate::weigh::{Rule, Weigher};
use crate::weights::{Constraint, convex_shift};

/// What a method chose.
pub(crate) enum Chosen<'a> {
    /// Rows whose weights decided on the next row, with those weights and the rule that they follow.
    Searched(Path, Rule),
    /// Rows whose order does not depend on weights, and the rule by which the method itself would weigh them.
    ///
    /// The order may be longer than is wanted; where it is shorter there is nothing left to choose.
    Ordered(Box<dyn Iterator<Item = usize> + 'a>, Rule),
}

impl Chosen<'_> {
    /// The rule that a caller asked for.
    pub(crate) fn rule(&self, asked: Weights) -> Rule {
        match (asked, self) {
            (Weights::Convex, _) => Rule::Convex,
            (Weights::Equal, _) => Rule::Equal,
            (Weights::Shares, _) => Rule::Shares(Role::Target),
            (Weights::Own, Chosen::Ordered(_, own)) => *own,
            (Weights::Nonnegative, _) | (Weights::Own, Chosen::Searched(..)) => Rule::Nonnegative,
        }
    }

    /// The path, weighed by `rule`.
    ///
    /// A search that followed this rule has weighed its rows already; any other order is weighed here, and ends where
    /// `stop` says.
    pub(crate) fn weigh<T: Scalar, K: Kernel<T> + ?Sized>(
        self,
        problem: Problem<'_, T, K>,
        rule: Rule,
        stop: Stop,
        observer: &mut dyn Observer,
    ) -> Result<Path> {
        match self {
            Chosen::Searched(path, followed) if followed == rule => Ok(path),
            Chosen::Searched(path, _) => {
                // Its number was settled, and its prototypes told of, by the weights that it was searched with.
                let all = Stop::at(path.source_indices.len());
                let order = path.source_indices.into_iter();
                let weighed = Weigher::new(problem, rule).run(order, all, &mut Silent(observer))?;
                Ok(Path { stopped: path.stopped, ..weighed })
            }
            Chosen::Ordered(order, _) => Weigher::new(problem, rule).run(order, stop, observer),
        }
    }
}

/// The rows that the method asked for chooses.
pub(crate) fn choose<'a, T: Scalar, K: Kernel<T> + ?Sized>(
    problem: Problem<'a, T, K>,
    stop: Stop,
    observer: &mut dyn Observer,
) -> Result<Chosen<'a>> {
    let Problem { source, params, .. } = problem;
    match params.method {
        Method::ProtoDash | Method::ProtoGreedy | Method::Swap => search(problem, stop, observer),
        Method::L2c => {
            let order = l2c::Order::new((source, vec![true; source.n_rows()]), problem.kernel, problem.kernel_mean)?;
            Ok(Chosen::Ordered(Box::new(order), Rule::Equal))
        }
        Method::PLasso => p_lasso::choose(problem, stop, observer),
        Method::KMedoids => {
            let medoids = k_medoids::choose(problem, stop, observer)?;
            Ok(Chosen::Ordered(Box::new(medoids.into_iter()), Rule::Shares(Role::Source)))
        }
        Method::Random => {
            let order = random::order(source.n_rows(), params.seed);
            Ok(Chosen::Ordered(Box::new(order), Rule::Nonnegative))
        }
    }
}

/// The path of a method that weighs as it chooses.
fn search<'a, T: Scalar, K: Kernel<T> + ?Sized>(
    problem: Problem<'a, T, K>,
    stop: Stop,
    observer: &mut dyn Observer,
) -> Result<Chosen<'a>> {
    let Problem { source, kernel, kernel_mean, rough, params, .. } = problem;
    let (constraint, rule) = match params.weights {
        Weights::Convex => (Constraint::Convex, Rule::Convex),
        _ => (Constraint::Nonnegative, Rule::Nonnegative),
    };
    let diagonal = source.iter().map(|row| kernel.evaluate(row, row));
    let shift = if constraint == Constraint::Convex { convex_shift(diagonal) } else { 0.0 };
    let shifted: Vec<f64> = kernel_mean.iter().map(|mean| mean + shift).collect();
    let Params { rows_per_shard, column_memory, .. } = *params;
    // Columns in f32 leave no doubt of gradients or gains that is not settled in f64. Similarities must be such that f32
    // can hold them. Exchanges turn the columns again and again.
    let in_single = params.method != Method::Swap && has_unit_diagonal(kernel);
    let column_precision = if in_single { Precision::Single } else { Precision::Double };
    let candidates = Candidates {
        kernel,
        rows: source,
        kernel_mean: &shifted,
        shift,
        constraint,
        rows_per_shard,
        column_memory,
        column_precision,
        rough,
    };
    let path = match params.method {
        Method::ProtoDash => Leader::new(candidates)?.run(stop, protodash::choose, observer)?,
        Method::ProtoGreedy => Leader::new(candidates)?.run(stop, protogreedy::choose, observer)?,
        _ => swap::search(candidates, stop, observer)?,
    };
    Ok(Chosen::Searched(path, rule))
}
