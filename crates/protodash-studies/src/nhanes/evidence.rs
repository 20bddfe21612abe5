//! The contents of the journal, organised for figures and claims.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::codebook::Codebook;
use super::protocol::{DEMOGRAPHICS, NhanesTask, PeopleGroup, StudySetting};
use super::ranks::{RankMeasure, RankedPair, ranked};
use super::trial::{JudgedPair, People, TableOutcome};

/// A line of the journal.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct NhanesUnit {
    pub(super) task: NhanesTask,
    pub(super) found: NhanesResult,
}

/// Result of a task.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum NhanesResult {
    People(People),
    Width(f64),
    Table(TableOutcome),
    Relation(Vec<JudgedPair>),
    /// The group has no such table.
    Nothing,
}

/// All results, by task.
#[derive(Debug, Default)]
pub(super) struct NhanesEvidence {
    found: BTreeMap<NhanesTask, NhanesResult>,
}

impl NhanesEvidence {
    /// Collects units.
    pub(super) fn of(units: Vec<NhanesUnit>) -> NhanesEvidence {
        NhanesEvidence { found: units.into_iter().map(|unit| (unit.task, unit.found)).collect() }
    }

    /// Adds units.
    pub(super) fn add(&mut self, units: Vec<NhanesUnit>) {
        self.found.extend(units.into_iter().map(|unit| (unit.task, unit.found)));
    }

    /// Number of units.
    pub(super) fn len(&self) -> usize {
        self.found.len()
    }

    /// The tasks without a result.
    pub(super) fn missing(&self, tasks: Vec<NhanesTask>) -> Vec<NhanesTask> {
        tasks.into_iter().filter(|task| !self.found.contains_key(task)).collect()
    }

    /// The people of a group.
    pub(super) fn people(&self, group: PeopleGroup) -> Option<&People> {
        match self.found.get(&NhanesTask::People { group })? {
            NhanesResult::People(people) => Some(people),
            _ => None,
        }
    }

    /// The bandwidth of a table.
    pub(super) fn width(&self, group: PeopleGroup, table: &str) -> Option<f64> {
        match self.found.get(&NhanesTask::Width { group, table: table.to_owned() })? {
            NhanesResult::Width(width) => Some(*width),
            _ => None,
        }
    }

    /// Results of every method on each table in a setting.
    pub(super) fn tables(&self, setting: StudySetting) -> impl Iterator<Item = (&str, &TableOutcome)> {
        self.found.iter().filter_map(move |(task, found)| match (task, found) {
            (NhanesTask::Table { setting: of, table }, NhanesResult::Table(outcome)) if *of == setting => {
                Some((table.as_str(), outcome))
            }
            _ => None,
        })
    }

    /// Results on each questionnaire, without Demographics.
    pub(super) fn questionnaires(&self, setting: StudySetting) -> impl Iterator<Item = &TableOutcome> {
        self.tables(setting).filter(|(table, _)| *table != DEMOGRAPHICS).map(|(_, outcome)| outcome)
    }

    /// The pairs of a setting by one method, ranked by explained share, with or without Demographics.
    pub(super) fn ranked(
        &self,
        setting: StudySetting,
        method: &str,
        demographics: Demographics,
    ) -> Vec<RankedPair<'_>> {
        self.ranked_by(setting, method, demographics, RankMeasure::Explained)
    }

    /// The pairs, ranked by any measure.
    pub(super) fn ranked_by(
        &self,
        setting: StudySetting,
        method: &str,
        demographics: Demographics,
        measure: RankMeasure,
    ) -> Vec<RankedPair<'_>> {
        let task = NhanesTask::Relation { setting, method: method.to_owned() };
        let Some(NhanesResult::Relation(pairs)) = self.found.get(&task) else { return Vec::new() };
        // Demographics is only ever a source.
        let mut all = ranked(pairs, measure, &|table| demographics == Demographics::With || table != DEMOGRAPHICS);
        all.retain(|ranked| ranked.pair.target != DEMOGRAPHICS);
        all
    }
}

/// Whether Demographics is one of the sources.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Demographics {
    With,
    Without,
}

/// Results with the names of tables.
pub(super) struct NhanesReading<'a> {
    pub(super) evidence: &'a NhanesEvidence,
    pub(super) codebook: &'a Codebook,
    pub(super) n_prototypes: usize,
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::protocol::{PairBasis, Population, StudyKernel};
    use super::super::trial::{AskedTable, TableMethodOutcome};
    use super::*;

    /// Synthetic results for a test.
    #[derive(Default)]
    pub(in crate::nhanes) struct Fixture {
        pub(in crate::nhanes) evidence: NhanesEvidence,
        pub(in crate::nhanes) n_prototypes: usize,
        /// The share in every table of [`Fixture::people`].
        pub(in crate::nhanes) white_at_most_aa: f64,
    }

    impl Fixture {
        pub(in crate::nhanes) fn add(&mut self, task: NhanesTask, found: NhanesResult) {
            self.evidence.add(vec![NhanesUnit { task, found }]);
        }

        pub(in crate::nhanes) fn people(&mut self, group: PeopleGroup, n_people: usize, tables: &[(&str, usize)]) {
            let white_at_most_aa = self.white_at_most_aa;
            let asked = |(table, n_people): &(&str, usize)| AskedTable {
                table: (*table).to_owned(),
                n_people: *n_people,
                n_features: 1,
                white_at_most_aa,
            };
            let tables = tables.iter().map(asked).collect();
            let people = People { n_people, tables, not_asked: Vec::new() };
            self.add(NhanesTask::People { group }, NhanesResult::People(people));
        }

        pub(in crate::nhanes) fn table(&mut self, setting: StudySetting, table: &str, outcome: TableOutcome) {
            self.add(NhanesTask::Table { setting, table: table.to_owned() }, NhanesResult::Table(outcome));
        }

        pub(in crate::nhanes) fn relation(&mut self, setting: StudySetting, method: &str, pairs: Vec<JudgedPair>) {
            self.add(NhanesTask::Relation { setting, method: method.to_owned() }, NhanesResult::Relation(pairs));
        }

        /// Evaluates `read`, with codes instead of names.
        pub(in crate::nhanes) fn read<T>(&self, read: impl Fn(&NhanesReading<'_>) -> T) -> T {
            let codebook = Codebook::default();
            read(&NhanesReading { evidence: &self.evidence, codebook: &codebook, n_prototypes: self.n_prototypes })
        }
    }

    /// The first of all settings.
    pub(in crate::nhanes) fn adults() -> StudySetting {
        let group = PeopleGroup { basis: PairBasis::Shared, population: Population::Adults };
        StudySetting { group, kernel: StudyKernel::Gaussian }
    }

    /// Methods with their times and explained shares.
    pub(in crate::nhanes) fn outcome(methods: &[(&str, f64, f64)], objective: Vec<f64>) -> TableOutcome {
        let found = |(method, seconds, explained): &(&str, f64, f64)| TableMethodOutcome {
            method: (*method).to_owned(),
            seconds: *seconds,
            n_prototypes: 2,
            explained: Some(*explained),
        };
        TableOutcome { kernel_mean_seconds: 0.0, methods: methods.iter().map(found).collect(), objective }
    }
}
