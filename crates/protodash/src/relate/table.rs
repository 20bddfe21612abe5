//! One of the related tables: rows sorted by key, and results for each set of keys it shares.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::pair::KeyedWeight;
use super::progress::RelationProgress;
use super::sharing::Sharing;
use super::{KeyedTable, RelateParams, TableSummary};
use crate::error::{Error, Result, Role};
use crate::kernel::Kernel;
use crate::kernel_mean::{Target, finite_means, mean_over_target, zero_if_cancelled};
use crate::objective::explained;
use crate::observe::Stage;
use crate::params::Params;
use crate::problem::SelectionProblem;
use crate::rows::{CheckedMatrix, Rows, Scalar};
use crate::search::ShardLayout;

/// A table with its rows sorted by key.
pub(super) struct KeyedRows<'a, T: Scalar> {
    keys: Vec<usize>,
    values: Cow<'a, [T]>,
    n_columns: usize,
    pub(super) kernel: &'a dyn Kernel<T>,
    /// The results for each set of keys; a set is a list of groups.
    summaries: BTreeMap<Vec<usize>, KeySetSummary>,
    /// The groups of all its keys.
    all: Vec<usize>,
}

/// Kernel mean and prototypes over some keys of a table.
pub(super) struct KeySetSummary {
    pub(super) n_keys: usize,
    /// The kernel mean over these keys, for every row of the table.
    means: Vec<f64>,
    /// ‖μ‖² over these keys.
    pub(super) energy: f64,
    /// The prototypes chosen among these keys, with their weights.
    pub(super) prototypes: Vec<KeyedWeight>,
    pub(super) objective: f64,
}

impl<'a, T: Scalar> KeyedRows<'a, T> {
    /// The checked table; `table` is its number in error messages.
    pub(super) fn new(table: usize, keyed: &'a KeyedTable<'a, T>) -> Result<Self> {
        let (rows, given) = (keyed.rows.nrows(), keyed.keys.len());
        if rows != given {
            return Err(Error::WrongNumberOfKeys { table, given, rows });
        }
        let mut order: Vec<usize> = (0..rows).collect();
        order.sort_by_key(|row| keyed.keys[*row]);
        let keys: Vec<usize> = order.iter().map(|row| keyed.keys[*row]).collect();
        if let Some(twice) = keys.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(Error::DuplicateKey { table, key: twice[0] });
        }
        let n_columns = keyed.rows.ncols();
        let values = match keyed.rows.as_slice().filter(|_| order.is_sorted()) {
            // Rows that are sorted already are not copied.
            Some(values) => {
                CheckedMatrix::new(keyed.rows, Role::Source)?;
                Cow::Borrowed(values)
            }
            None => {
                let checked = CheckedMatrix::new(keyed.rows, Role::Source)?;
                Cow::Owned(gathered(checked.rows(), &order))
            }
        };
        Ok(KeyedRows { keys, values, n_columns, kernel: &keyed.kernel, summaries: BTreeMap::new(), all: Vec::new() })
    }

    /// The keys, ascending.
    pub(super) fn keys(&self) -> &[usize] {
        &self.keys
    }

    /// The work for this table, in kernel values times columns.
    pub(super) fn work(&self) -> u64 {
        let n_rows = self.keys.len() as u64;
        n_rows.saturating_mul(n_rows).saturating_mul(self.n_columns as u64)
    }

    /// Computes kernel mean, energy and prototypes for all keys and for each set of keys shared with another table.
    pub(super) fn prepare(
        &mut self,
        sharing: &Sharing,
        table: usize,
        params: &RelateParams,
        progress: &mut RelationProgress<'_>,
    ) -> Result<()> {
        self.all = sharing.of(table);
        let mut sums: BTreeMap<Vec<usize>, Vec<f64>> = BTreeMap::new();
        let shared = sharing.partners(table).into_iter().map(|other| sharing.shared(table, other));
        for set in shared.chain([self.all.clone()]) {
            sums.insert(set, vec![0.0; self.keys.len()]);
        }
        let groups: Vec<usize> = self.keys.iter().map(|key| sharing.group(*key)).collect();
        for &group in &self.all {
            self.add_group(group, &groups, &mut sums, progress)?;
        }
        for (set, sums) in sums {
            let rows: Vec<usize> = (0..groups.len()).filter(|row| set.contains(&groups[*row])).collect();
            let summary = self.summary(&rows, sums, &params.selection(table, rows.len()), progress)?;
            if summary.energy <= 0.0 {
                return Err(Error::NothingToRepresent { table });
            }
            self.summaries.insert(set, summary);
        }
        Ok(())
    }

    /// Adds the kernel values with all keys of a group to the sums of every set that contains the group.
    fn add_group(
        &self,
        group: usize,
        groups: &[usize],
        sums: &mut BTreeMap<Vec<usize>, Vec<f64>>,
        progress: &mut RelationProgress<'_>,
    ) -> Result<()> {
        let members: Vec<usize> = (0..groups.len()).filter(|row| groups[*row] == group).collect();
        progress.begin((members.len() as u64).saturating_mul(self.work() / self.keys.len() as u64));
        let values = self.gathered(&members);
        let target = Target { rows: Rows::new(&values, self.n_columns), weights: None };
        let means = mean_over_target(target, self.rows(), self.kernel, (Stage::KernelMean, progress))?;
        for sum in sums.iter_mut().filter(|(set, _)| set.contains(&group)).map(|(_, sum)| sum) {
            sum.iter_mut().zip(&means).for_each(|(sum, mean)| *sum += mean * members.len() as f64);
        }
        Ok(())
    }

    /// The results for the keys of `rows`, given the sums of their kernel values with every row.
    fn summary(
        &self,
        rows: &[usize],
        sums: Vec<f64>,
        params: &Params,
        progress: &mut RelationProgress<'_>,
    ) -> Result<KeySetSummary> {
        let n_keys = rows.len();
        let means = finite_means(sums.into_iter().map(|sum| sum / n_keys as f64).collect())?;
        let values = self.gathered(rows);
        let source = Rows::new(&values, self.n_columns);
        let target = Target { rows: source, weights: None };
        let means = zero_if_cancelled(means, target, self.rows(), self.kernel);
        let own: Vec<f64> = rows.iter().map(|row| means[*row]).collect();
        let energy = own.iter().sum::<f64>() / n_keys as f64;
        let (kernel, kernel_mean, layout) = (self.kernel, &own[..], ShardLayout::default());
        let (approximate, candidates) = (None, None);
        let problem = SelectionProblem { target, source, kernel, kernel_mean, approximate, params, candidates, layout };
        let path = T::path(problem, progress)?;
        let weights = path.weights.last().map_or(&[][..], Vec::as_slice);
        let chosen = path.source_indices.iter().zip(weights);
        let prototypes = chosen.map(|(row, weight)| KeyedWeight { key: self.keys[rows[*row]], weight: *weight });
        let prototypes = prototypes.collect();
        Ok(KeySetSummary {
            n_keys,
            means,
            energy,
            prototypes,
            objective: path.objective.last().copied().unwrap_or(0.0),
        })
    }

    /// The results for the keys of these groups.
    pub(super) fn on(&self, set: &[usize]) -> &KeySetSummary {
        &self.summaries[set]
    }

    /// The kernel mean and the features of one of the keys of `summary`.
    pub(super) fn at(&self, summary: &KeySetSummary, key: usize) -> (f64, &[T]) {
        let row = self.keys.binary_search(&key).expect("a shared key is a key of both tables");
        (summary.means[row], self.rows().row(row))
    }

    /// The result for the table by itself.
    pub(super) fn table_summary(&self, average_rank: Option<f64>) -> TableSummary {
        let summary = self.on(&self.all);
        TableSummary {
            n_keys: summary.n_keys,
            prototypes: summary.prototypes.clone(),
            objective: summary.objective,
            explained: explained(summary.energy, summary.objective),
            average_rank,
        }
    }

    fn rows(&self) -> Rows<'_, T> {
        Rows::new(&self.values, self.n_columns)
    }

    /// Some of the rows; borrowed if all of them.
    fn gathered(&self, rows: &[usize]) -> Cow<'_, [T]> {
        match rows.len() == self.keys.len() {
            true => Cow::Borrowed(&self.values),
            false => Cow::Owned(gathered(self.rows(), rows)),
        }
    }
}

fn gathered<T: Scalar>(rows: Rows<'_, T>, wanted: &[usize]) -> Vec<T> {
    wanted.iter().flat_map(|row| rows.row(*row)).copied().collect()
}
