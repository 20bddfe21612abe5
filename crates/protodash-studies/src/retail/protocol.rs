//! Which customers train, which are chosen from, and which are predicted: section V-A of the paper.

use serde::{Deserialize, Serialize};

use super::svr::{ParameterSearch, SvrParams, shuffled};
use crate::contestants::contestants;

/// What is trained on besides the methods' choices: everybody.
pub(super) const ALL: &str = "PrAll";
/// What the draws of rows begin from, so that no two sides draw alike.
const STREAM: u64 = 1000;

/// What decides on the outcome of a unit; the number of draws of RandomW does not.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct RetailProtocol {
    /// Seed of every draw.
    pub(super) seed: u64,
    /// Prototypes as a part of the loyal: 1.5 of 2 million in the paper.
    pub(super) prototypes_per_loyal: f64,
    /// Customers drawn from each side; all of them if there is no number.
    pub(super) n_customers: Option<usize>,
    /// Rows on which a bandwidth is chosen, and prototypes while it is.
    pub(super) n_bandwidth: usize,
    pub(super) bandwidth_prototypes: usize,
    /// How cost and width of the regression are chosen.
    pub(super) search: ParameterSearch,
    /// Heaviest prototypes that are followed for a year.
    pub(super) n_heaviest: usize,
    /// Source rows and prototypes whose cost is measured.
    pub(super) scales: Vec<ProblemSize>,
}

/// A problem whose cost is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct ProblemSize {
    pub(super) n_source: usize,
    pub(super) n_prototypes: usize,
}

impl RetailProtocol {
    /// The protocol of the paper.
    pub(super) fn full(seed: u64) -> RetailProtocol {
        let grid = |cost: f64| [0.001, 0.01, 0.1, 1.0].map(|gamma| SvrParams { cost, gamma });
        // As far as LIBSVM's authors advise to look, 2⁻⁵ to 2¹⁵ and 2⁻¹⁵ to 2³, and a little farther.
        let search = ParameterSearch {
            choices: [0.1, 1.0, 10.0, 100.0].map(grid).concat(),
            costs: vec![0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1e3, 3e3, 1e4, 3e4],
            gammas: vec![3e-5, 1e-4, 3e-4, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0],
            n_folds: 10,
            n_rows: 2000,
        };
        // Up to what two cores do in minutes: the last has 670 billion pairs of rows.
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

    /// A smaller one, for a taste.
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

    /// How many prototypes stand for so many loyal customers, of so many regular ones, at most.
    pub(super) fn n_prototypes(&self, n_loyal: usize, n_regular: usize) -> usize {
        ((self.prototypes_per_loyal * n_loyal as f64).round() as usize).clamp(1, n_regular)
    }

    /// Which of so many rows take part, ascending; `side` tells the sides of a set apart.
    pub(super) fn rows(&self, n_rows: usize, side: u64) -> Vec<usize> {
        let Some(wanted) = self.n_customers.filter(|wanted| *wanted < n_rows) else { return (0..n_rows).collect() };
        let mut rows = shuffled(n_rows, self.seed.wrapping_add(STREAM + side));
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
    /// Target rows: as many for each source row as the paper's 2 million for 78 million.
    pub(super) fn n_target(self) -> usize {
        (self.n_source / 39).max(1)
    }
}

/// A target, a source and what is predicted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Set {
    /// Loyal and regular customers of the later year; those who turned loyal in it are predicted a year before.
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
    /// How many prototypes every method chooses in a set.
    Number { set: Set },
    /// The same in the earlier year.
    EarlierNumber,
    /// A choice, the regression trained with it, and what it predicts.
    Training { set: Set, method: String, draw: usize },
    /// What became of the heaviest prototypes of the earlier year.
    Later { method: String },
    /// What a selection costs.
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
    /// What comes first.
    pub(super) fn widths() -> Vec<RetailTask> {
        Set::ALL.map(|set| RetailTask::Width { set }).into_iter().chain([RetailTask::EarlierWidth]).collect()
    }

    /// What comes next: all methods choose as many.
    pub(super) fn numbers() -> Vec<RetailTask> {
        Set::ALL.map(|set| RetailTask::Number { set }).into_iter().chain([RetailTask::EarlierNumber]).collect()
    }

    /// The trainings and what became of prototypes; RandomW draws so many times.
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

/// What trains beside the loyal, as figures name it: everybody, or the choice of a method.
pub(super) fn groups() -> Vec<&'static str> {
    [ALL].into_iter().chain(contestants().into_iter().map(|contestant| contestant.name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_as_many_prototypes_as_the_paper_has_in_proportion() {
        let protocol = RetailProtocol::full(0);
        assert_eq!(protocol.n_prototypes(2_000_000, 78_000_000), 1_500_000);
        assert_eq!((protocol.n_prototypes(615, 3682), protocol.n_prototypes(100, 20)), (461, 20));
        assert_eq!(ProblemSize::from((78_000_000, 1)).n_target(), 2_000_000);
    }

    #[test]
    fn rows_are_drawn_once_each_and_differ_between_sides() {
        let protocol = RetailProtocol { n_customers: Some(10), ..RetailProtocol::quick(0) };
        let rows = protocol.rows(50, 0);
        assert!(rows.len() == 10 && rows.is_sorted_by(|one, next| one < next));
        assert_ne!(rows, protocol.rows(50, 1));
        assert_eq!(RetailProtocol::full(0).rows(3, 0), [0, 1, 2]);
    }

    #[test]
    fn randomw_is_drawn_several_times_and_nothing_else_is() {
        let tasks = RetailTask::trainings(5);
        let drawn = tasks.iter().filter(|task| matches!(task, RetailTask::Training { draw: 1.., .. })).count();
        assert_eq!((tasks.len(), drawn), (2 * (8 + 5) + 8, 8));
    }
}
