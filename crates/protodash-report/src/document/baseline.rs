//! The comparison with random rows and the classes without a prototype, in the JSON format.

use std::collections::{BTreeMap, HashSet};

use protodash::{Baseline, Choice, Weights};
use serde::{Deserialize, Serialize};

use super::{PrototypeRecord, SelectionDocument};
use crate::sentences::kernel_warning;

/// Share up to which a limit for all selections says anything: above, what is best is that each target row has its own copy.
const REACHABLE: f64 = 0.995;

/// The comparison with the same number of random rows.
///
/// # Examples
///
/// ```
/// let document = protodash_report::SelectionDocument::example();
/// assert_eq!(document.baseline, None); // from before this comparison existed
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BaselineRecord {
    /// The share they explain, on average; `null` if unknown.
    pub random_explained: Option<f64>,
    /// The rule of their weights, that of the selection; absent for optimal non-negative weights.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weights: Option<String>,
    /// Number of random draws.
    pub n_draws: usize,
    /// The fraction by which target rows are nearer to a prototype than to the nearest random row; `null` if unknown.
    pub nearer_than_random: Option<f64>,
    /// Number of target rows whose distances were measured.
    pub n_rows: usize,
    /// Number of source rows that random rows are drawn from for `nearer_than_random`, a random subset; absent if it is all that
    /// may be chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub n_drawn_from: Option<usize>,
    /// The share explained by 1, 2, … random rows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub random_explained_path: Vec<f64>,
    /// `nearer_than_random` at some numbers of prototypes, each with its number.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nearer_than_random_path: Vec<(usize, f64)>,
    /// The mean distance of these target rows to their nearest prototype.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distance: Option<f64>,
    /// Their mean distance to the nearest of all source rows, which no selection can undercut; absent if the source
    /// represents itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub best_distance: Option<f64>,
    /// The share that all source rows explain together, which no selection can exceed; absent if the source represents
    /// itself or has more than 1,000 rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub best_explained: Option<f64>,
}

impl BaselineRecord {
    /// The share that no selection can exceed; `None` if it is unknown, or if all can be explained because the target is part of
    /// the source.
    pub(crate) fn explained_limit(&self) -> Option<f64> {
        self.best_explained.filter(|best| *best < REACHABLE)
    }

    /// The fraction by which target rows are nearer to the nearest of all source rows than to the nearest prototype; `None` if it
    /// is unknown, or if the target is part of the source.
    pub(crate) fn nearer_limit(&self) -> Option<f64> {
        let nearer = 1.0 - self.best_distance? / self.distance?;
        (nearer < REACHABLE).then_some(nearer)
    }

    /// A record of nothing, for tests.
    #[cfg(test)]
    pub(crate) fn empty() -> BaselineRecord {
        BaselineRecord {
            random_explained: None,
            weights: None,
            n_draws: 5,
            nearer_than_random: None,
            n_rows: 4,
            n_drawn_from: None,
            random_explained_path: Vec::new(),
            nearer_than_random_path: Vec::new(),
            distance: None,
            best_distance: None,
            best_explained: None,
        }
    }

    /// The record of a comparison.
    #[must_use]
    pub fn new(baseline: &Baseline) -> BaselineRecord {
        BaselineRecord {
            random_explained: baseline.random_explained,
            weights: (baseline.weights != Weights::Nonnegative).then(|| baseline.weights.name().to_owned()),
            n_draws: baseline.n_draws,
            nearer_than_random: baseline.nearer_than_random,
            n_rows: baseline.n_rows,
            n_drawn_from: baseline.n_drawn_from,
            random_explained_path: baseline.random_explained_path.clone(),
            nearer_than_random_path: baseline.nearer_than_random_path.clone(),
            distance: baseline.distance,
            best_distance: baseline.best_distance,
            best_explained: baseline.best_explained,
        }
    }

    /// The comparison for the first prototypes, of which `n_weighted` have a weight; how much nearer rows are is known for
    /// some numbers.
    pub(super) fn prefix(&self, n_prototypes: usize, n_weighted: usize) -> BaselineRecord {
        let path = self.random_explained_path.get(..n_prototypes).unwrap_or_default().to_vec();
        let random_explained = n_weighted.checked_sub(1).and_then(|last| path.get(last).copied());
        let nearer =
            self.nearer_than_random_path.iter().find(|(size, _)| *size == n_prototypes).map(|(_, nearer)| *nearer);
        let to_size = |(size, _): &&(usize, f64)| *size <= n_prototypes;
        BaselineRecord {
            random_explained,
            weights: self.weights.clone(),
            n_draws: self.n_draws,
            nearer_than_random: nearer,
            n_rows: if nearer.is_some() { self.n_rows } else { 0 },
            n_drawn_from: self.n_drawn_from.filter(|_| nearer.is_some()),
            random_explained_path: path,
            nearer_than_random_path: self.nearer_than_random_path.iter().take_while(to_size).copied().collect(),
            distance: None,
            best_distance: self.best_distance.filter(|_| nearer.is_some()),
            best_explained: self.best_explained,
        }
    }
}

impl SelectionDocument {
    /// Adds the comparison with random rows, and the note on the kernel that follows from it.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash::Unobserved;
    /// use protodash::{BaselineParams, Gaussian, Params, baseline, select};
    /// use protodash_report::SelectionDocument;
    ///
    /// let rows = ndarray::Array2::from_shape_fn((40, 1), |(row, _)| row as f64);
    /// let kernel = Gaussian::new(1e3)?; // under which all rows are similar
    /// let selection = select(&rows, &rows, &kernel, &Params::new(2))?;
    /// let chance = baseline(&rows, &rows, &selection, &kernel, &BaselineParams::default(), &mut Unobserved)?;
    /// let mut document = SelectionDocument { n_source: 40, ..SelectionDocument::example() };
    /// document.set_baseline(&chance);
    /// assert!(document.notes[0].starts_with("the kernel is wide: 2 random rows explain "));
    /// # Ok::<(), protodash::Error>(())
    /// ```
    pub fn set_baseline(&mut self, baseline: &Baseline) {
        self.baseline = Some(BaselineRecord::new(baseline));
        self.notes.extend(kernel_warning(self));
    }

    /// The prototypes with a positive weight, each with its rank in the order of choice, counted from 0.
    ///
    /// # Examples
    ///
    /// ```
    /// let mut document = protodash_report::SelectionDocument::example();
    /// document.prototypes[0].weight = 0.0;
    /// let ranks: Vec<usize> = document.weighted().map(|(rank, _)| rank).collect();
    /// assert_eq!(ranks, [1]);
    /// ```
    pub fn weighted(&self) -> impl Iterator<Item = (usize, &PrototypeRecord)> {
        self.prototypes.iter().enumerate().filter(|(_, prototype)| prototype.weight > 0.0)
    }

    /// Writes which classes of the target have no prototype, and their share of the target rows or of their weights.
    ///
    /// # Examples
    ///
    /// ```
    /// let mut document = protodash_report::SelectionDocument::example();
    /// document.prototypes[0].label = Some("a".to_owned());
    /// document.set_classes(["a", "b", "a", "c"], None);
    /// assert_eq!(document.classes_without_prototype, Some(vec!["b".to_owned(), "c".to_owned()]));
    /// assert_eq!(document.share_without_prototype, Some(0.5));
    /// ```
    pub fn set_classes<'a>(&mut self, target_labels: impl IntoIterator<Item = &'a str>, weights: Option<&[f64]>) {
        let mut shares: BTreeMap<&str, f64> = BTreeMap::new();
        for (row, label) in target_labels.into_iter().enumerate() {
            *shares.entry(label).or_default() += weights.and_then(|weights| weights.get(row)).copied().unwrap_or(1.0);
        }
        let total: f64 = shares.values().sum();
        let represented: HashSet<&str> = self.weighted().filter_map(|(_, found)| found.label.as_deref()).collect();
        let lacks = |(label, share): &(&str, f64)| *share > 0.0 && !represented.contains(label);
        let mut lacking: Vec<(&str, f64)> = shares.into_iter().filter(lacks).collect();
        let number = |label: &str| label.parse::<f64>().unwrap_or(f64::NAN);
        if lacking.iter().all(|(label, _)| number(label).is_finite()) {
            lacking.sort_by(|one, other| number(one.0).total_cmp(&number(other.0)));
        }
        let share: f64 = lacking.iter().map(|(_, share)| share).sum::<f64>() / total;
        let names: Vec<String> = lacking.iter().map(|(label, _)| (*label).to_owned()).collect();
        self.share_without_prototype = (!names.is_empty()).then_some(share);
        self.classes_without_prototype = Some(names);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_weighted_and_sorted_as_numbers() {
        let mut document = SelectionDocument::example();
        document.prototypes[0].label = Some("2".to_owned());
        (document.prototypes[1].label, document.prototypes[1].weight) = (Some("10".to_owned()), 0.0);
        document.set_classes(["10", "2", "9", "7"], Some(&[3.0, 4.0, 1.0, 0.0]));
        // A prototype without weight represents no class, and a class without weight needs none.
        assert_eq!(document.classes_without_prototype, Some(vec!["9".to_owned(), "10".to_owned()]));
        assert_eq!(document.share_without_prototype, Some(0.5));
        document.set_classes(["2", "2"], None);
        assert_eq!((document.classes_without_prototype, document.share_without_prototype), (Some(vec![]), None));
    }
}
