//! One unit of work: the bandwidth of a table, every method on a table, or a relation of all tables.

use ndarray::Array2;
use protodash::bandwidth::{Metric, median};
use protodash::relate::{KeyedTable, RelateParams, relate_with};
use protodash::{
    BuiltInKernel, CrossValidation, Error as CoreError, Gaussian, Kernel, Method, Params, Prepared, Weights,
    cross_validate,
};
use serde::{Deserialize, Serialize};

use super::data::{Answered, Members, NhanesSurvey, Person};
use super::protocol::{DEMOGRAPHICS, NhanesProtocol};
use crate::clock::CpuTimer;
use crate::error::Result;
use crate::methods::{METHODS, name, select_near};
use crate::observe::{StopSignal, StudyObserver};

/// Minimum rows per prototype for cross-validation.
const ROWS_PER_PROTOTYPE: usize = 10;
/// Equal rows have no distance; any bandwidth gives the same kernel.
const ANY_WIDTH: f64 = 1.0;

/// The people of a group.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct People {
    pub(super) n_people: usize,
    pub(super) tables: Vec<AskedTable>,
    /// Tables without any of these people.
    pub(super) not_asked: Vec<String>,
}

/// A table with its number of people in a group.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct AskedTable {
    pub(super) table: String,
    pub(super) n_people: usize,
    pub(super) n_features: usize,
    /// Share of its people who are white with at most an associate's degree.
    pub(super) white_at_most_aa: f64,
}

/// Results of every method on a table that is its own target.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct TableOutcome {
    /// CPU seconds for the kernel mean.
    pub(super) kernel_mean_seconds: f64,
    /// Methods that reached the number of prototypes, or nearly.
    pub(super) methods: Vec<TableMethodOutcome>,
    /// ProtoDash's objective after each of 2m prototypes.
    pub(super) objective: Vec<f64>,
}

/// Result of one method on a table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct TableMethodOutcome {
    pub(super) method: String,
    /// CPU seconds for the selection, without the kernel mean.
    pub(super) seconds: f64,
    pub(super) n_prototypes: usize,
    /// Explained share of the table, with the method's own weights.
    pub(super) explained: Option<f64>,
}

/// How well the prototypes of one table represent another.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct JudgedPair {
    pub(super) target: String,
    pub(super) source: String,
    /// Number of people on which the pair is compared.
    pub(super) n_people: usize,
    pub(super) explained: f64,
    /// Share that the target's own prototypes explain on the same people.
    pub(super) own_explained: f64,
    /// The heaviest prototype, where Demographics is the source.
    pub(super) heaviest: Option<Person>,
}

/// What all units of a group share.
pub(super) struct TableContext<'a> {
    pub(super) survey: &'a NhanesSurvey,
    pub(super) members: &'a Members,
    pub(super) protocol: &'a NhanesProtocol,
    pub(super) observer: &'a dyn StudyObserver,
}

impl TableContext<'_> {
    /// The people of the group.
    pub(super) fn people(&self) -> People {
        let asked = |table: &Answered| AskedTable {
            table: table.name.clone(),
            n_people: table.n_asked,
            n_features: table.rows.ncols(),
            white_at_most_aa: self.white_at_most_aa(&table.keys),
        };
        People {
            n_people: self.members.keys.len(),
            tables: self.members.tables.iter().map(asked).collect(),
            not_asked: self.members.not_asked.clone(),
        }
    }

    /// Share of these people who are white with at most an associate's degree.
    fn white_at_most_aa(&self, keys: &[usize]) -> f64 {
        let persons = keys.iter().filter_map(|key| self.survey.person(&self.members.keys[*key]));
        persons.filter(|person| person.white_at_most_aa).count() as f64 / keys.len() as f64
    }

    /// Bandwidth by cross-validation (mean distance of held-out rows); the median distance where there are few rows.
    pub(super) fn width(&self, table: &str) -> Result<f64> {
        let Some(rows) = self.rows(table) else { return Ok(ANY_WIDTH) };
        let (n_rows, n_prototypes) = (rows.nrows(), self.protocol.n_prototypes);
        let found = if n_rows < ROWS_PER_PROTOTYPE * n_prototypes {
            median(rows, rows, Metric::Euclidean, self.protocol.seed)
        } else {
            let mut folds = CrossValidation::default();
            (folds.n_rows, folds.seed) = (self.protocol.n_bandwidth, self.protocol.seed);
            let (params, stop_signal) = (Params::new(n_prototypes), &mut StopSignal(self.observer));
            cross_validate(rows, rows, None, &Gaussian::new, &params, &folds, stop_signal)
                .map(|curve| curve.best().bandwidth)
        };
        match found {
            Err(CoreError::NoDistance { .. }) => Ok(ANY_WIDTH),
            found => Ok(found?),
        }
    }

    /// Runs every method on a table.
    pub(super) fn table(&self, table: &str, kernel: &dyn Kernel<f32>) -> Result<Option<TableOutcome>> {
        let Some(place) = self.place(table) else { return Ok(None) };
        let rows = &self.members.tables[place].rows;
        let mut params = Params::new(self.protocol.n_prototypes.min(rows.nrows()));
        // As in a relation: otherwise tables with the same number of people would sample the same rows.
        (params.weights, params.seed) = (Weights::Own, self.relating(params.method).seed_of(place));
        let began = CpuTimer::start();
        let prepared = Prepared::new(rows, rows, kernel, &params, &mut StopSignal(self.observer))?;
        let kernel_mean_seconds = began.seconds();
        let mut methods = Vec::new();
        for method in METHODS {
            params.method = method;
            let began = CpuTimer::start();
            let selection = select_near(&prepared, &params, self.observer)?;
            methods.extend(selection.map(|selection| TableMethodOutcome {
                method: name(method).to_owned(),
                seconds: began.seconds(),
                n_prototypes: selection.prototypes.len(),
                explained: selection.explained(),
            }));
        }
        let twice = Params::new((2 * self.protocol.n_prototypes).min(rows.nrows()));
        let objective = prepared.select(&twice, &mut StopSignal(self.observer))?.objective;
        Ok(Some(TableOutcome { kernel_mean_seconds, methods, objective }))
    }

    /// Relates all tables; there is one kernel per table.
    pub(super) fn relation(&self, kernels: &[BuiltInKernel], method: Method) -> Result<Vec<JudgedPair>> {
        let tables: Vec<KeyedTable<'_, f32>> = self.members.tables.iter().zip(kernels).map(keyed).collect();
        let relation = relate_with(&tables, &self.relating(method), &mut StopSignal(self.observer))?;
        let judged = |pair: &protodash::relate::Pair| {
            let heaviest = pair.prototypes.iter().max_by(|one, other| one.weight.total_cmp(&other.weight));
            let source = &self.members.tables[pair.source].name;
            let person = heaviest.and_then(|chosen| self.survey.person(&self.members.keys[chosen.key]));
            JudgedPair {
                target: self.members.tables[pair.target].name.clone(),
                source: source.clone(),
                n_people: pair.n_keys,
                explained: pair.explained,
                own_explained: pair.own_explained,
                heaviest: person.filter(|_| source == DEMOGRAPHICS).cloned(),
            }
        };
        Ok(relation.pairs.iter().map(judged).collect())
    }

    /// Parameters of a relation.
    fn relating(&self, method: Method) -> RelateParams {
        let mut params = RelateParams::new(self.protocol.n_prototypes);
        (params.method, params.seed) = (method, self.protocol.seed);
        params
    }

    fn place(&self, table: &str) -> Option<usize> {
        self.members.tables.iter().position(|answered| answered.name == table)
    }

    fn rows(&self, table: &str) -> Option<&Array2<f32>> {
        self.place(table).map(|place| &self.members.tables[place].rows)
    }
}

fn keyed<'a>((table, kernel): (&'a Answered, &'a BuiltInKernel)) -> KeyedTable<'a, f32> {
    KeyedTable { rows: &table.rows, keys: &table.keys, kernel }
}
