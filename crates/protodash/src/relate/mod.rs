//! How well the prototypes of one table represent another table about the same entities.
//!
//! The paper's study of questionnaires (section V-C) as a function. An entity (a person, a shop, a sample) has a *key*;
//! each table describes some of the entities by its own features. Prototypes are chosen by the features of one table
//! and evaluated by the features of another, with refitted weights. Keys are numbers chosen by the caller.

mod pair;
mod progress;
mod rank;
mod sharing;
mod table;

use ndarray::ArrayRef2;

use crate::error::{Error, Result};
use crate::kernel::Kernel;
use crate::observe::{Observer, Unobserved};
use crate::params::{Method, Params, Weights};
use crate::rows::Scalar;
pub use pair::{KeyedWeight, Pair};
use progress::RelationProgress;
pub use rank::ranks;
use sharing::Sharing;
use table::KeyedRows;

/// 2⁶⁴ over the golden ratio, made odd.
const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;

/// A table whose rows have keys that other tables may have too.
///
/// # Examples
///
/// ```
/// use ndarray::array;
/// use protodash::{Linear, relate::KeyedTable};
///
/// let answers = array![[1.0, 0.0], [0.0, 1.0]];
/// let table = KeyedTable { rows: &answers, keys: &[17, 4], kernel: &Linear };
/// assert_eq!(table.rows.nrows(), table.keys.len());
/// ```
#[derive(Clone, Copy)]
pub struct KeyedTable<'a, T: Scalar> {
    /// The features of each entity.
    pub rows: &'a ArrayRef2<T>,
    /// The key of each row, unique within the table.
    pub keys: &'a [usize],
    /// The kernel of this table.
    pub kernel: &'a dyn Kernel<T>,
}

/// Parameters of [`relate`].
///
/// # Examples
///
/// ```
/// use protodash::{Method, Weights, relate::RelateParams};
///
/// let params = RelateParams::new(10); // as many as in the paper
/// assert_eq!((params.method, params.weights), (Method::ProtoDash, Weights::Nonnegative));
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct RelateParams {
    /// Number of prototypes of each table; fewer if there are fewer keys.
    pub n_prototypes: usize,
    /// The selection method.
    pub method: Method,
    /// How they are weighted, in their own table and in others. [`Weights::Own`] and [`Weights::Shares`] are not refitted:
    /// the prototypes keep the weights of their own table in others.
    pub weights: Weights,
    /// Random seed, from which each table gets its own ([`RelateParams::seed_of`]).
    pub seed: u64,
}

impl RelateParams {
    /// This number of prototypes by ProtoDash, with non-negative weights.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(protodash::relate::RelateParams::new(5).n_prototypes, 5);
    /// ```
    pub fn new(n_prototypes: usize) -> Self {
        RelateParams { n_prototypes, method: Method::ProtoDash, weights: Weights::Nonnegative, seed: 0 }
    }

    /// The random seed of a table; that of the first table is [`RelateParams::seed`].
    ///
    /// With the same seed, tables with the same number of rows would draw the same keys, and would be equally good
    /// representatives of every other table.
    ///
    /// # Examples
    ///
    /// ```
    /// let params = protodash::relate::RelateParams::new(5);
    /// assert_eq!(params.seed_of(0), params.seed);
    /// assert_ne!(params.seed_of(1), params.seed_of(2));
    /// ```
    pub fn seed_of(&self, table: usize) -> u64 {
        // An odd factor gives every table a different seed, far enough apart that nearby seeds do not collide.
        self.seed ^ (table as u64).wrapping_mul(SPREAD)
    }

    /// The parameters of a selection from `n_rows` rows of a table.
    fn selection(&self, table: usize, n_rows: usize) -> Params {
        let mut params = Params::new(self.n_prototypes.min(n_rows));
        params.method = self.method;
        params.weights = self.weights;
        params.seed = self.seed_of(table);
        params
    }
}

/// How well tables represent each other.
///
/// # Examples
///
/// ```
/// use ndarray::array;
/// use protodash::{Gaussian, relate::{KeyedTable, RelateParams, relate}};
///
/// let (age, height) = (array![[1.0], [2.0], [9.0]], array![[0.9], [1.1], [1.8]]);
/// let kernel = Gaussian::new(1.0)?;
/// let tables = [&age, &height].map(|rows| KeyedTable { rows, keys: &[0, 1, 2], kernel: &kernel });
/// let relation = relate(&tables, &RelateParams::new(1))?;
/// assert_eq!((relation.tables.len(), relation.pairs.len()), (2, 2));
/// # Ok::<(), protodash::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Relation {
    /// One for each table, in the order given.
    pub tables: Vec<TableSummary>,
    /// One for each table (target) and each other table that shares a key with it (source), by target, then by source.
    pub pairs: Vec<Pair>,
}

/// The result for one table.
///
/// # Examples
///
/// ```
/// use ndarray::array;
/// use protodash::{Linear, relate::{KeyedTable, RelateParams, relate}};
///
/// let rows = array![[1.0], [2.0]];
/// let tables = [&rows, &rows].map(|rows| KeyedTable { rows, keys: &[5, 8], kernel: &Linear });
/// let summary = &relate(&tables, &RelateParams::new(1))?.tables[0];
/// assert_eq!((summary.n_keys, summary.prototypes[0].key, summary.explained), (2, 5, 1.0));
/// assert_eq!(summary.average_rank, Some(1.0)); // the only other table
/// # Ok::<(), protodash::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct TableSummary {
    /// Its number of keys.
    pub n_keys: usize,
    /// Its own prototypes, chosen among all its keys, with their weights.
    pub prototypes: Vec<KeyedWeight>,
    /// Their objective.
    pub objective: f64,
    /// The fraction of the table that they explain.
    pub explained: f64,
    /// The mean of its ranks as a source, over the targets that it shares keys with; lower is better.
    pub average_rank: Option<f64>,
}

/// How well the prototypes of each table represent each other table.
///
/// # Definition
///
/// Let S be the keys that tables i (target) and j (source) share. Prototypes L ⊆ S are chosen by the features of j to
/// represent S. They are then evaluated by the features of i:
///
/// ```text
/// μ(x)       = 1/|S| Σ_{y ∈ S} kᵢ(x, y)                       kernel mean of table i over S
/// f_ij       = max over w ≥ 0 of Σ_{x∈L} w_x μ(x) − ½ Σ_{x,y∈L} w_x w_y kᵢ(x, y)
/// explained  = 2 f_ij / ‖μ‖²,   ‖μ‖² = 1/|S| Σ_{x∈S} μ(x)      between 0 and 1
/// r_ij       = rank of explained among all j for the same i, 1 the best; equal values share the mean of their ranks
/// r_j        = mean of r_ij over all i ≠ j that share a key with j
/// ```
///
/// r_ij and r_j are those of section V-C of the paper, where all tables have the same keys and `explained` gives the
/// same order as the objective. If keys differ, objectives refer to different rows and are not comparable, but values
/// of `explained` are; [`Pair::own_explained`] is the fraction that table i's own prototypes, chosen among the same S,
/// explain.
///
/// # Cost
///
/// nⱼ² kernel values for each table, regardless of the number of tables it is compared with: kernel values are summed
/// for each group of keys that occur in the same tables, and the kernel mean over any S is computed from these sums.
/// Then |S| kernel values for each prototype of each pair. Memory is O(nⱼ) for each pair of tables. The result depends
/// neither on the order of rows nor on the number of threads, and on the order of tables only for random methods, since
/// each table has its own seed ([`RelateParams::seed_of`]).
///
/// # Errors
///
/// If there are fewer than two tables, if a table is empty or not finite, if there is not one unique key for each row,
/// if a table shares no key with any other, if the kernel mean of a table is zero, or if no prototypes are requested.
///
/// # Examples
///
/// ```
/// use ndarray::array;
/// use protodash::{Linear, relate::{KeyedTable, RelateParams, relate}};
///
/// let income = array![[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]];
/// let work = array![[1.0], [1.0], [0.0]];
/// let tables = [&income, &work].map(|rows| KeyedTable { rows, keys: &[0, 1, 2], kernel: &Linear });
/// let relation = relate(&tables, &RelateParams::new(1))?;
/// // Work chooses key 0; in income it reaches f = (2/3)² / 2, and ‖μ‖² is (2/3)² + (1/3)².
/// let pair = &relation.pairs[0];
/// assert_eq!((pair.target, pair.source, pair.n_keys, pair.prototypes[0].key), (0, 1, 3, 0));
/// assert!((pair.explained - 0.8).abs() < 1e-12);
/// # Ok::<(), protodash::Error>(())
/// ```
pub fn relate<T: Scalar>(tables: &[KeyedTable<'_, T>], params: &RelateParams) -> Result<Relation> {
    relate_with(tables, params, &mut Unobserved)
}

/// [`relate`] with an observer that receives progress and can stop the run.
///
/// # Errors
///
/// As for [`relate`], and [`Error::Cancelled`] when the observer stops the run.
///
/// # Examples
///
/// ```
/// use std::ops::ControlFlow;
/// use ndarray::array;
/// use protodash::{Error, Linear, Observer, Stage, relate::{KeyedTable, RelateParams, relate_with}};
///
/// struct Stop;
/// impl Observer for Stop {
///     fn on_progress(&mut self, stage: Stage, _: u64, _: u64) -> ControlFlow<()> {
///         assert_eq!(stage, Stage::Relation);
///         ControlFlow::Break(())
///     }
/// }
///
/// let rows = array![[1.0], [2.0]];
/// let tables = [&rows, &rows].map(|rows| KeyedTable { rows, keys: &[0, 1], kernel: &Linear });
/// assert_eq!(relate_with(&tables, &RelateParams::new(1), &mut Stop), Err(Error::Cancelled));
/// ```
pub fn relate_with<T: Scalar>(
    tables: &[KeyedTable<'_, T>],
    params: &RelateParams,
    observer: &mut dyn Observer,
) -> Result<Relation> {
    if params.n_prototypes == 0 {
        return Err(Error::NoPrototypes);
    }
    if tables.len() < 2 {
        return Err(Error::TooFewTables { given: tables.len() });
    }
    let mut related = Vec::with_capacity(tables.len());
    for (table, keyed) in tables.iter().enumerate() {
        related.push(KeyedRows::new(table, keyed)?);
    }
    let sharing = Sharing::new(&related.iter().map(|table| table.keys()).collect::<Vec<_>>());
    if let Some(table) = (0..tables.len()).find(|table| sharing.partners(*table).is_empty()) {
        return Err(Error::NothingShared { table });
    }
    let total = related.iter().map(KeyedRows::work).sum();
    let mut progress = RelationProgress::new(observer, total);
    for (table, member) in related.iter_mut().enumerate() {
        member.prepare(&sharing, table, params, &mut progress)?;
    }
    let mut pairs = Vec::new();
    for target in 0..tables.len() {
        for source in sharing.partners(target) {
            pairs.push(pair::evaluate((target, &related[target]), (source, &related[source]), &sharing, params)?);
        }
    }
    rank::rank(&mut pairs);
    let tables = related.iter().enumerate().map(|(table, member)| member.table_summary(rank::average(&pairs, table)));
    Ok(Relation { tables: tables.collect(), pairs })
}
