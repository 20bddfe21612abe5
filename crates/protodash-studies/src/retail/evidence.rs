//! The contents of the journal, organised for figures and claims.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::protocol::{RetailTask, Set};
use super::trial::{LaterOutcome, ScaleOutcome, TrainingOutcome};

/// A line of the journal.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct RetailUnit {
    pub(super) task: RetailTask,
    pub(super) found: RetailResult,
}

/// Result of a task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum RetailResult {
    Width(f64),
    Number(usize),
    Training(Box<TrainingOutcome>),
    Later(LaterOutcome),
    Scale(ScaleOutcome),
    /// The method cannot return this number of prototypes.
    Nothing,
}

/// All results, by task.
#[derive(Debug, Default)]
pub(super) struct RetailEvidence {
    found: BTreeMap<RetailTask, RetailResult>,
}

impl RetailEvidence {
    /// Adds units.
    pub(super) fn add(&mut self, units: Vec<RetailUnit>) {
        self.found.extend(units.into_iter().map(|unit| (unit.task, unit.found)));
    }

    /// Number of these tasks that have a result.
    pub(super) fn n_done(&self, tasks: &[RetailTask]) -> usize {
        tasks.iter().filter(|task| self.found.contains_key(task)).count()
    }

    /// The tasks without a result.
    pub(super) fn missing(&self, tasks: &[RetailTask]) -> Vec<RetailTask> {
        tasks.iter().filter(|task| !self.found.contains_key(task)).cloned().collect()
    }

    /// Bandwidth from a task.
    pub(super) fn width(&self, task: &RetailTask) -> Option<f64> {
        match self.found.get(task)? {
            RetailResult::Width(width) => Some(*width),
            _ => None,
        }
    }

    /// Number of prototypes from a task.
    pub(super) fn number(&self, task: &RetailTask) -> Option<usize> {
        match self.found.get(task)? {
            RetailResult::Number(number) => Some(*number),
            _ => None,
        }
    }

    /// Trainings of one method, for the first `n_draws` draws.
    pub(super) fn trainings(&self, set: Set, method: &str, n_draws: usize) -> Vec<&TrainingOutcome> {
        let task = |draw| RetailTask::Training { set, method: method.to_owned(), draw };
        let outcome = |draw| match self.found.get(&task(draw))? {
            RetailResult::Training(outcome) => Some(&**outcome),
            _ => None,
        };
        (0..n_draws).filter_map(outcome).collect()
    }

    /// Follow-up of a method's heaviest prototypes.
    pub(super) fn later(&self, method: &str) -> Option<&LaterOutcome> {
        match self.found.get(&RetailTask::Later { method: method.to_owned() })? {
            RetailResult::Later(outcome) => Some(outcome),
            _ => None,
        }
    }

    /// Costs of selections, by number of source rows.
    pub(super) fn scales(&self) -> impl Iterator<Item = (usize, &ScaleOutcome)> {
        self.found.iter().filter_map(|(task, found)| match (task, found) {
            (RetailTask::Scale { scale }, RetailResult::Scale(outcome)) => Some((scale.n_source, outcome)),
            _ => None,
        })
    }
}
