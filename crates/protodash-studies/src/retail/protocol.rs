//! The customers who train, are chosen from and are predicted: section V-A of the paper.

use serde::{Deserialize, Serialize};

use super::svr::{ParameterSearch, SvrParams, shuffled};
use crate::contestants::contestants;

/// Training on everybody, instead of a selection.
pub(super) const ALL: &str = "PrAll";
/// Offset of the seeds for samples of rows, so that no two groups share one.
const STREAM: u64 = 1000;

/// Settings that determine the outcome of a unit; the number of draws of RandomW is not one of them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct RetailProtocol {
    /// Random seed.
    pub(super) seed: u64,
    /// Number of prototypes per loyal customer: 1.5 of 2 million in the paper.
    pub(super) prototypes_per_loyal: f64,
    /// Sample size of each group; `None` takes everybody.
    pub(super) n_customers: Option<usize>,
    /// Rows and prototypes used to choose a bandwidth.
    pub(super) n_bandwidth: usize,
    pub(super) bandwidth_prototypes: usize,
    /// How the parameters of the regression are chosen.
    pub(super) search: ParameterSearch,
    /// Number of heaviest prototypes that are followed for a year.
    pub(super) n_heaviest: usize,
    /// Problem sizes whose cost is measured.
    pub(super) scales: Vec<ProblemSize>,
}

/// Size of a problem whose cost is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct ProblemSize {
    pub(super) n_source: usize,
    pub(super) n_prototypes: usize,
}

impl RetailProtocol {
    /// The paper's protocol.
    pub(super) fn full(seed: u64) -> RetailProtocol {
        let grid = |cost: f64| [0.001, 0.01, 0.1, 1.0].map(|gamma| SvrParams { cost, gamma });
        // The ranges that LIBSVM's authors recommend, 2⁻⁵ to 2¹⁵ and 2⁻¹⁵ to 2³, slightly extended.
        let search = ParameterSearch {
            choices: [0.1, 1.0, 10.0, 100.0].map(grid).concat(),
            costs: vec![0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1e3, 3e3, 1e4, 3e4],
            gammas: vec![3e-5, 1e-4, 3e-4, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0],
            n_folds: 10,
            n_rows: 2000,
        };
        // Up to a few minutes on two cores: the largest has 670 billion pairs of rows.
        let rows = (0..9).map(|doublings| (20_000 << doublings, 100));
        let prototypes = [200, 400, 800].map(|n_prototypes| (40_000, n_prototypes));
        RetailProtocol {
            seed,
            prototypes_per_loyal: 0.75,
            n_customers: None,
            n_bandwidth: 2000,
            bandwidth_prototypes: 50,
            search,
            n_heaviest: 100,
            scales: rows.chain(prototypes).map(ProblemSize::from).collect(),
        }
    }

    /// A smaller protocol for a quick version.
    pub(super) fn quick(seed: u64) -> RetailProtocol {
        let choices = [0.03, 0.1].map(|gamma| SvrParams { cost: 10.0, gamma }).to_vec();
        let search = ParameterSearch { choices, costs: vec![10.0], gammas: vec![0.03, 0.1], n_folds: 10, n_rows: 300 };
        let scales = [(1000, 20), (2000, 20), (4000, 20), (1000, 40), (1000, 80)].map(ProblemSize::from).to_vec();
        RetailProtocol {
            n_customers: Some(300),
            n_bandwidth: 300,
            bandwidth_prototypes: 20,
            search,
            scales,
            ..RetailProtocol::full(seed)
        }
    }

    /// Number of prototypes for this many loyal customers, at most the number of regular ones.
    pub(super) fn n_prototypes(&self, n_loyal: usize, n_regular: usize) -> usize {
        ((self.prototypes_per_loyal * n_loyal as f64).round() as usize).clamp(1, n_regular)
    }

    /// A random sample of rows, ascending; `group` distinguishes the groups of a set.
    pub(super) fn rows(&self, n_rows: usize, group: u64) -> Vec<usize> {
        let Some(wanted) = self.n_customers.filter(|wanted| *wanted < n_rows) else { return (0..n_rows).collect() };
        let mut rows = shuffled(n_rows, self.seed.wrapping_add(STREAM + group));
        rows.truncate(wanted);
        rows.sort_unstable();
        rows
    }
}

impl From<(usize, usize)> for ProblemSize {
    fn from((n_source, n_prototypes): (usize, usize)) -> ProblemSize {
        ProblemSize { n_source, n_prototypes }
    }
}

impl ProblemSize {
    /// Number of target rows, in the paper's proportion of 2 to 78 million.
    pub(super) fn n_target(self) -> usize {
        (self.n_source / 39).max(1)
    }
}

/// A data set with target, source and customers to predict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Set {
    /// Loyal and regular customers of the later year; customers who became loyal in it are predicted a year before.
    Customers,
    /// New and returning visitors of a web shop; held-out new visitors are predicted.
    Visitors,
}

impl Set {
    pub(super) const ALL: [Set; 2] = [Set::Customers, Set::Visitors];
}

impl std::fmt::Display for Set {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            Set::Customers => "customers",
            Set::Visitors => "visitors",
        })
    }
}

/// A unit of work.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum RetailTask {
    /// The bandwidth of a set.
    Width { set: Set },
    /// The bandwidth of the earlier year.
    EarlierWidth,
    /// Number of prototypes of every method in a set.
    Number { set: Set },
    /// The same in the earlier year.
    EarlierNumber,
    /// A selection, the regression trained with it, and its predictions.
    Training { set: Set, method: String, draw: usize },
    /// Follow-up of the heaviest prototypes of the earlier year.
    Later { method: String },
    /// Cost of a selection.
    Scale { scale: ProblemSize },
}

impl std::fmt::Display for RetailTask {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            RetailTask::Width { set } => write!(formatter, "bandwidth, {set}"),
            RetailTask::EarlierWidth => formatter.write_str("bandwidth, customers of the earlier year"),
            RetailTask::Number { set } => write!(formatter, "number of prototypes, {set}"),
            RetailTask::EarlierNumber => formatter.write_str("number of prototypes, customers of the earlier year"),
            RetailTask::Training { set, method, .. } => write!(formatter, "{method}, {set}"),
            RetailTask::Later { method } => write!(formatter, "{method}, customers of the earlier year"),
            RetailTask::Scale { scale: ProblemSize { n_source, n_prototypes } } => {
                write!(formatter, "cost of {n_prototypes} prototypes from {n_source} rows")
            }
        }
    }
}

impl RetailTask {
    /// The tasks that run first.
    pub(super) fn widths() -> Vec<RetailTask> {
        Set::ALL.map(|set| RetailTask::Width { set }).into_iter().chain([RetailTask::EarlierWidth]).collect()
    }

    /// The tasks that run next: all methods select the same number.
    pub(super) fn numbers() -> Vec<RetailTask> {
        Set::ALL.map(|set| RetailTask::Number { set }).into_iter().chain([RetailTask::EarlierNumber]).collect()
    }

    /// The trainings and follow-ups; RandomW is drawn `n_draws` times.
    pub(super) fn trainings(n_draws: usize) -> Vec<RetailTask> {
        let of_set = |set: Set| {
            let names = groups();
            names.into_iter().flat_map(move |method| {
                let draws = if method == "RandomW" { n_draws } else { 1 };
                (0..draws).map(move |draw| RetailTask::Training { set, method: method.to_owned(), draw })
            })
        };
        let later =
            contestants().into_iter().map(|contestant| RetailTask::Later { method: contestant.name.to_owned() });
        Set::ALL.into_iter().flat_map(of_set).chain(later).collect()
    }

    /// The measurements of cost.
    pub(super) fn scales(protocol: &RetailProtocol) -> Vec<RetailTask> {
        protocol.scales.iter().map(|scale| RetailTask::Scale { scale: *scale }).collect()
    }
}

/// Names in the figures of the customers added to the loyal for training: everybody, or a method's selection.
pub(super) fn groups() -> Vec<&'static str> {
    [ALL].into_iter().chain(contestants().into_iter().map(|contestant| contestant.name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_prototypes_is_in_the_papers_proportion() {
        let protocol = RetailProtocol::full(0);
        assert_eq!(protocol.n_prototypes(2_000_000, 78_000_000), 1_500_000);
        assert_eq!((protocol.n_prototypes(615, 3682), protocol.n_prototypes(100, 20)), (461, 20));
        assert_eq!(ProblemSize::from((78_000_000, 1)).n_target(), 2_000_000);
    }

    #[test]
    fn samples_have_no_repetition_and_differ_between_groups() {
        let protocol = RetailProtocol { n_customers: Some(10), ..RetailProtocol::quick(0) };
        let rows = protocol.rows(50, 0);
        assert!(rows.len() == 10 && rows.is_sorted_by(|one, next| one < next));
        assert_ne!(rows, protocol.rows(50, 1));
        assert_eq!(RetailProtocol::full(0).rows(3, 0), [0, 1, 2]);
    }

    #[test]
    fn only_randomw_is_drawn_several_times() {
        let tasks = RetailTask::trainings(5);
        let drawn = tasks.iter().filter(|task| matches!(task, RetailTask::Training { draw: 1.., .. })).count();
        assert_eq!((tasks.len(), drawn), (2 * (8 + 5) + 8, 8));
    }
}
