//! What the journal holds, sorted for figures and claims.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::codebook::Codebook;
use super::protocol::{DEMOGRAPHICS, Group, Setting, Task};
use super::ranks::{Ranked, ranked};
use super::trial::{Judged, People, TableOutcome};

/// A line of the journal.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Unit {
    pub(super) task: Task,
    pub(super) found: Found,
}

/// What a task came to.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Found {
    People(People),
    Width(f64),
    Table(TableOutcome),
    Relation(Vec<Judged>),
    /// There is no such table in the group.
    Nothing,
}

/// All that was found, by task.
#[derive(Debug, Default)]
pub(super) struct Evidence {
    found: BTreeMap<Task, Found>,
}

impl Evidence {
    /// What these units say.
    pub(super) fn of(units: Vec<Unit>) -> Evidence {
        Evidence { found: units.into_iter().map(|unit| (unit.task, unit.found)).collect() }
    }

    /// Takes in more units.
    pub(super) fn add(&mut self, units: Vec<Unit>) {
        self.found.extend(units.into_iter().map(|unit| (unit.task, unit.found)));
    }

    /// How many units there are.
    pub(super) fn len(&self) -> usize {
        self.found.len()
    }

    /// Those tasks about which nothing is known yet.
    pub(super) fn missing(&self, tasks: Vec<Task>) -> Vec<Task> {
        tasks.into_iter().filter(|task| !self.found.contains_key(task)).collect()
    }

    /// Who is in a group.
    pub(super) fn people(&self, group: Group) -> Option<&People> {
        match self.found.get(&Task::People { group })? {
            Found::People(people) => Some(people),
            _ => None,
        }
    }

    /// The bandwidth of a table.
    pub(super) fn width(&self, group: Group, table: &str) -> Option<f64> {
        match self.found.get(&Task::Width { group, table: table.to_owned() })? {
            Found::Width(width) => Some(*width),
            _ => None,
        }
    }

    /// What every method made of each table in a setting.
    pub(super) fn tables(&self, setting: Setting) -> impl Iterator<Item = (&str, &TableOutcome)> {
        self.found.iter().filter_map(move |(task, found)| match (task, found) {
            (Task::Table { setting: of, table }, Found::Table(outcome)) if *of == setting => {
                Some((table.as_str(), outcome))
            }
            _ => None,
        })
    }

    /// The pairs of a setting by one method, ranked with Demographics among them or without it.
    pub(super) fn ranked(&self, setting: Setting, method: &str, demographics: Demographics) -> Vec<Ranked<'_>> {
        let task = Task::Relation { setting, method: method.to_owned() };
        let Some(Found::Relation(pairs)) = self.found.get(&task) else { return Vec::new() };
        // Ranked with it, Demographics is a source only: nobody is asked to represent it.
        let mut all = ranked(pairs, &|table| demographics == Demographics::With || table != DEMOGRAPHICS);
        all.retain(|ranked| ranked.pair.target != DEMOGRAPHICS);
        all
    }
}

/// Whether Demographics takes part as a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Demographics {
    With,
    Without,
}

/// What was found, with names for it.
pub(super) struct Reading<'a> {
    pub(super) evidence: &'a Evidence,
    pub(super) codebook: &'a Codebook,
    pub(super) n_prototypes: usize,
}
