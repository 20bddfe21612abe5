//! The prototypes of one table, evaluated by the features of another.

use ndarray::{Array1, Array2, ArrayView1};

use super::RelateParams;
use super::sharing::Sharing;
use super::table::{KeySetSummary, KeyedRows};
use crate::error::Result;
use crate::objective::{explained, objective};
use crate::params::Weights;
use crate::rows::Scalar;
use crate::weights::{convex, equal, nonnegative};

/// A prototype, by its key, and its weight.
///
/// # Examples
///
/// ```
/// use protodash::relate::KeyedWeight;
///
/// let chosen = KeyedWeight { key: 73557, weight: 0.25 };
/// assert_eq!(chosen.key, 73557);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct KeyedWeight {
    /// The key.
    pub key: usize,
    /// Its weight.
    pub weight: f64,
}

/// How well one table's prototypes represent another table.
///
/// # Examples
///
/// ```
/// use ndarray::array;
/// use protodash::{Linear, relate::{KeyedTable, RelateParams, relate}};
///
/// let (wide, narrow) = (array![[1.0, 0.0], [0.0, 1.0], [0.0, 1.0]], array![[1.0], [3.0]]);
/// let tables = [
///     KeyedTable { rows: &wide, keys: &[0, 1, 2], kernel: &Linear },
///     KeyedTable { rows: &narrow, keys: &[1, 2], kernel: &Linear },
/// ];
/// let pair = &relate(&tables, &RelateParams::new(1))?.pairs[0];
/// // Only keys 1 and 2 are shared, and there the first table has the same row.
/// assert_eq!((pair.n_keys, pair.explained, pair.rank), (2, 1.0, 1.0));
/// # Ok::<(), protodash::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Pair {
    /// The represented table.
    pub target: usize,
    /// The table by whose features the prototypes are chosen.
    pub source: usize,
    /// Number of shared keys.
    pub n_keys: usize,
    /// The prototypes, in order of choice, with their weights in the target.
    pub prototypes: Vec<KeyedWeight>,
    /// Their objective in the target.
    pub objective: f64,
    /// The fraction of the target, over the shared keys, that they explain.
    pub explained: f64,
    /// The fraction that the target's own prototypes, chosen among the same keys, explain.
    pub own_explained: f64,
    /// The rank of the source among all sources of this target; 1 is the best.
    pub rank: f64,
}

/// The pair of a target and a source that share keys, not yet ranked.
pub(super) fn evaluate<T: Scalar>(
    (target, represented): (usize, &KeyedRows<'_, T>),
    (source, chooser): (usize, &KeyedRows<'_, T>),
    sharing: &Sharing,
    params: &RelateParams,
) -> Result<Pair> {
    let set = sharing.shared(target, source);
    let (summary, chosen) = (represented.on(&set), &chooser.on(&set).prototypes);
    let (weights, objective) = refit(represented, summary, chosen, params.weights)?;
    let prototypes = chosen.iter().zip(weights).map(|(chosen, weight)| KeyedWeight { key: chosen.key, weight });
    Ok(Pair {
        target,
        source,
        n_keys: summary.n_keys,
        prototypes: prototypes.collect(),
        objective,
        explained: explained(summary.energy, objective),
        own_explained: explained(summary.energy, summary.objective),
        rank: 0.0,
    })
}

/// The weights of these prototypes in a table, and their objective.
fn refit<T: Scalar>(
    table: &KeyedRows<'_, T>,
    summary: &KeySetSummary,
    chosen: &[KeyedWeight],
    rule: Weights,
) -> Result<(Vec<f64>, f64)> {
    if chosen.is_empty() {
        return Ok((Vec::new(), 0.0));
    }
    let (means, rows): (Vec<f64>, Vec<&[T]>) = chosen.iter().map(|chosen| table.at(summary, chosen.key)).unzip();
    let means = Array1::from(means);
    let gram = Array2::from_shape_fn((rows.len(), rows.len()), |(i, j)| {
        // Evaluated in one order, so that it is symmetric to the last bit.
        table.kernel.evaluate(rows[i.min(j)], rows[i.max(j)])
    });
    let weights = match rule {
        Weights::Equal => equal(chosen.len()),
        Weights::Convex => convex(means.view(), gram.view())?,
        Weights::Nonnegative => nonnegative(means.view(), gram.view())?,
        Weights::Own | Weights::Shares => chosen.iter().map(|chosen| chosen.weight).collect(),
    };
    let reached = objective(means.view(), gram.view(), ArrayView1::from(&weights))?;
    Ok((weights, reached))
}
