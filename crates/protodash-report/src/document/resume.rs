//! What differs between the settings of a saved run and those of another: whether it can be continued, and which
//! settings two selections side by side do not share.

use serde::Serialize;
use serde_json::Value;

use super::{ConstraintsRecord, DataRecord, SavedKernel, SelectionDocument};
use crate::gather::file_name;

/// The settings of a run that decide which rows it chooses, apart from their number.
///
/// # Examples
///
/// See [`SelectionDocument::difference`].
#[derive(Debug, Clone)]
pub struct RunSettings<'a> {
    /// The method.
    pub method: &'a str,
    /// The rule for weights.
    pub weights: &'a str,
    /// The kernel, with its bandwidth.
    pub kernel: &'a SavedKernel,
    /// Where the rows come from and how their columns are used.
    pub data: &'a DataRecord,
    /// Number of source rows, of target rows and of features.
    pub shape: [usize; 3],
    /// The oversampling factor.
    pub oversample: f64,
    /// The largest weight allowed, as a fraction of the total.
    pub max_weight: Option<f64>,
    /// The smallest effective sample size allowed.
    pub min_effective: Option<f64>,
    /// The tolerance.
    pub tolerance: f64,
    /// The seed of every random draw.
    pub seed: u64,
    /// The fixed rows.
    pub fixed: &'a [u64],
    /// The excluded rows, ascending.
    pub exclude: &'a [u64],
    /// Quotas and budget, in the words of [`constraint_settings`](crate::constraint_settings).
    pub constraints: &'a [String],
    /// The hash of the data, as [`data_hash`](crate::data_hash) computes it, if there is one.
    pub data_hash: Option<&'a str>,
}

/// Keys of the data that may differ: files can move.
const PATHS: [&str; 5] = ["source", "target", "fixed", "source_labels", "target_labels"];

impl SelectionDocument {
    /// What differs between the settings of this run and those of another; `None` if it can be continued with them.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash_report::{RunSettings, SelectionDocument};
    ///
    /// let saved = SelectionDocument::example();
    /// let same = RunSettings {
    ///     method: "protodash",
    ///     weights: "nonnegative",
    ///     kernel: &saved.kernel,
    ///     data: &saved.data,
    ///     shape: [4, 4, 1],
    ///     oversample: 1.0,
    ///     max_weight: None,
    ///     min_effective: None,
    ///     tolerance: 0.0,
    ///     seed: 0,
    ///     fixed: &[],
    ///     exclude: &[],
    ///     constraints: &[],
    ///     data_hash: None,
    /// };
    /// assert_eq!(saved.difference(&same), None);
    /// let other = RunSettings { method: "protogreedy", ..same.clone() };
    /// assert_eq!(saved.difference(&other).unwrap(), r#"its method is "protodash", now it is "protogreedy""#);
    /// let other = RunSettings { shape: [5, 4, 1], ..same };
    /// assert_eq!(saved.difference(&other).unwrap(), "its number of source rows is 4, now it is 5");
    /// ```
    #[must_use]
    pub fn difference(&self, now: &RunSettings<'_>) -> Option<String> {
        if let Some(first) = self.differences(&self.data, now, &PATHS).into_iter().next() {
            let owner = if first.group == SettingGroup::Kernel { "kernel's " } else { "" };
            return Some(format!("its {owner}{} is {}, now it is {}", first.name, first.saved, first.now));
        }
        // Older files have no hash.
        let hashes = self.data_hash.as_deref().zip(now.data_hash);
        let changed = hashes.is_some_and(|(saved, now)| saved != now);
        changed.then(|| "the values in its rows, or their weights, are not those of these data".to_owned())
    }

    /// Everything that differs between the settings of this run and those of another, as they are in the file; where the
    /// source is does not count, since files move.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash_report::SelectionDocument;
    ///
    /// let saved = SelectionDocument::example();
    /// assert!(saved.differences_from(&saved).is_empty());
    /// let other = SelectionDocument { method: "protogreedy".into(), seed: 3, ..saved.clone() };
    /// let found = saved.differences_from(&other);
    /// assert_eq!((found[0].name.as_str(), found[0].now.as_str()), ("method", "\"protogreedy\""));
    /// assert_eq!((found[1].name.as_str(), found[1].saved.as_str(), found[1].now.as_str()), ("seed", "0", "3"));
    /// ```
    #[must_use]
    pub fn differences_from(&self, other: &SelectionDocument) -> Vec<SettingDifference> {
        let constraints = other.constraints.as_ref().map_or_else(Vec::new, ConstraintsRecord::settings);
        let fixed = other.fixed_rows();
        let (saved, now) = (without_folders(&self.data), without_folders(&other.data));
        self.differences(
            &saved,
            &RunSettings {
                method: &other.method,
                weights: &other.weights,
                kernel: &other.kernel,
                data: &now,
                shape: [other.n_source, other.n_target, other.n_features],
                oversample: other.oversample,
                max_weight: other.max_weight,
                min_effective: other.min_effective,
                tolerance: other.tolerance(),
                seed: other.seed,
                fixed: &fixed,
                exclude: &other.exclude,
                constraints: &constraints,
                data_hash: None,
            },
            &PATHS[..1],
        )
    }

    /// The fixed rows.
    fn fixed_rows(&self) -> Vec<u64> {
        self.prototypes.iter().take(self.n_fixed).map(|prototype| prototype.source_index).collect()
    }

    fn tolerance(&self) -> f64 {
        self.means.as_ref().map_or(0.0, |means| means.tolerance)
    }

    fn differences(&self, data: &DataRecord, now: &RunSettings<'_>, ignored: &[&str]) -> Vec<SettingDifference> {
        let fixed = self.fixed_rows();
        let shape = [self.n_source, self.n_target, self.n_features];
        let names = [
            ("number of source rows", SettingGroup::Other),
            ("number of target rows", SettingGroup::Target),
            ("number of features", SettingGroup::Features),
        ];
        let mut found = Differences::default();
        for (((name, group), saved), now) in names.into_iter().zip(shape).zip(now.shape) {
            found.compare_in(group, name, &saved, &now);
        }
        found.compare("method", self.method.as_str(), now.method);
        found.compare("rule for weights", self.weights.as_str(), now.weights);
        found.compare_keys(SettingGroup::of_data, data, now.data, ignored);
        found.compare_keys(|_| SettingGroup::Kernel, &self.kernel, now.kernel, &["cross_validation"]);
        found.compare("oversample", &self.oversample, &now.oversample);
        found.compare("max_weight", &self.max_weight, &now.max_weight);
        found.compare("min_effective", &self.min_effective, &now.min_effective);
        found.compare("tolerance", &self.tolerance(), &now.tolerance);
        found.compare("seed", &self.seed, &now.seed);
        found.compare("list of fixed rows", &fixed[..], now.fixed);
        found.compare("list of excluded rows", &self.exclude[..], now.exclude);
        let constraints = self.constraints.as_ref().map_or_else(Vec::new, ConstraintsRecord::settings);
        found.compare("list of constraints", &constraints[..], now.constraints);
        found.all
    }
}

/// The data with the names of files instead of their paths.
fn without_folders(data: &DataRecord) -> DataRecord {
    let mut data = data.clone();
    let paths = [&mut data.target, &mut data.fixed, &mut data.source_labels, &mut data.target_labels];
    paths.into_iter().flatten().for_each(|path| *path = file_name(path));
    data
}

/// A setting that differs between two runs.
///
/// # Examples
///
/// See [`SelectionDocument::differences_from`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettingDifference {
    /// What the setting belongs to.
    pub group: SettingGroup,
    /// The setting; of a kernel, its parameter, or `name`.
    pub name: String,
    /// Its value in the saved run, as JSON.
    pub saved: String,
    /// Its value in the other run, as JSON.
    pub now: String,
}

/// What a setting belongs to, which decides what can still be compared where it differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SettingGroup {
    /// The kernel.
    Kernel,
    /// The features, by which rows are compared.
    Features,
    /// The rows to represent.
    Target,
    /// The source, or how prototypes are chosen.
    Other,
}

impl SettingGroup {
    /// The group of an entry of the data in the file.
    fn of_data(key: &str) -> SettingGroup {
        match key {
            "columns" | "drop" | "categorical" | "scale" | "normalize" | "missing" => SettingGroup::Features,
            "target" | "target_where" | "target_sample" | "target_weight" => SettingGroup::Target,
            _ => SettingGroup::Other,
        }
    }
}

/// The differences found so far.
#[derive(Default)]
struct Differences {
    all: Vec<SettingDifference>,
}

impl Differences {
    fn compare<T: Serialize + PartialEq + ?Sized>(&mut self, name: &str, saved: &T, now: &T) {
        self.compare_in(SettingGroup::Other, name, saved, now);
    }

    fn compare_in<T: Serialize + PartialEq + ?Sized>(&mut self, group: SettingGroup, name: &str, saved: &T, now: &T) {
        if saved != now {
            let text = |value: &T| serde_json::to_string(value).unwrap_or_default();
            self.all.push(SettingDifference { group, name: name.to_owned(), saved: text(saved), now: text(now) });
        }
    }

    /// Compares two records key by key, in the order of the file.
    fn compare_keys(
        &mut self,
        group: fn(&str) -> SettingGroup,
        saved: &impl Serialize,
        now: &impl Serialize,
        ignored: &[&str],
    ) {
        let object = |value: serde_json::Result<Value>| match value {
            Ok(Value::Object(object)) => object,
            _ => serde_json::Map::new(),
        };
        let (saved, now) = (object(serde_json::to_value(saved)), object(serde_json::to_value(now)));
        let added = now.keys().filter(|key| !saved.contains_key(*key));
        for key in saved.keys().chain(added).filter(|key| !ignored.contains(&key.as_str())) {
            let value = |record: &serde_json::Map<String, Value>| record.get(key).cloned().unwrap_or_default();
            self.compare_in(group(key), key, &value(&saved), &value(&now));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_differences_are_found_and_folders_are_none() {
        let saved = SelectionDocument::example();
        let mut other = saved.clone();
        (other.data.source, other.data.target) = ("moved/people.csv".to_owned(), Some("new/target.csv".to_owned()));
        let mut moved = other.clone();
        moved.data.target = Some("old/target.csv".to_owned());
        assert!(other.differences_from(&moved).is_empty());
        (other.n_target, other.weights) = (9, "convex".to_owned());
        let found = saved.differences_from(&other);
        let names: Vec<&str> = found.iter().map(|one| one.name.as_str()).collect();
        assert_eq!(names, ["number of target rows", "rule for weights", "target"]);
        assert_eq!((found[2].saved.as_str(), found[2].now.as_str()), ("null", "\"target.csv\""));
    }

    #[test]
    fn every_setting_that_matters_is_compared_and_paths_are_not() {
        let saved = SelectionDocument::example();
        let (mut kernel, mut data) = (saved.kernel.clone(), saved.data.clone());
        let difference = |kernel: &SavedKernel, data: &DataRecord, (fixed, exclude): (&[u64], &[u64])| {
            let constraints = &[];
            let (method, weights, shape) = ("protodash", "nonnegative", [4, 4, 1]);
            let (oversample, tolerance, seed) = (1.0, 0.0, 0);
            saved.difference(&RunSettings {
                method,
                weights,
                kernel,
                data,
                shape,
                oversample,
                max_weight: None,
                min_effective: None,
                tolerance,
                seed,
                fixed,
                exclude,
                constraints,
                data_hash: Some("sha256:now"),
            })
        };
        data.source = "moved.csv".to_owned();
        let mut hashed = saved.clone();
        hashed.data_hash = Some("sha256:then".to_owned());
        let same = RunSettings {
            method: "protodash",
            weights: "nonnegative",
            kernel: &kernel,
            data: &data,
            shape: [4, 4, 1],
            oversample: 1.0,
            max_weight: None,
            min_effective: None,
            tolerance: 0.0,
            seed: 0,
            fixed: &[],
            exclude: &[],
            constraints: &[],
            data_hash: Some("sha256:then"),
        };
        assert_eq!(hashed.difference(&same), None);
        let other = hashed.difference(&RunSettings { data_hash: Some("sha256:now"), ..same });
        assert_eq!(other.unwrap(), "the values in its rows, or their weights, are not those of these data");
        assert_eq!(difference(&kernel, &data, (&[], &[])), None);
        assert_eq!(difference(&kernel, &data, (&[], &[2])).unwrap(), "its list of excluded rows is [], now it is [2]");
        assert_eq!(difference(&kernel, &data, (&[3], &[])).unwrap(), "its list of fixed rows is [], now it is [3]");
        data.scale = Some("none".to_owned());
        assert_eq!(difference(&kernel, &data, (&[], &[])).unwrap(), "its scale is null, now it is \"none\"");
        kernel = serde_json::from_str(r#"{"name": "gaussian", "bandwidth": 2.5}"#).unwrap();
        assert_eq!(
            difference(&kernel, &saved.data, (&[], &[])).unwrap(),
            "its kernel's bandwidth is 2.0, now it is 2.5"
        );
    }
}
