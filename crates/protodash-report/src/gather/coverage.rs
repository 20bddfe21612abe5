//! How far the rows are from their prototypes, and in which groups they are farthest.

use std::collections::{BTreeMap, HashMap};

use protodash::{RepresentationPath, Role, shares};
use rayon::prelude::*;

use super::followed::{RowsAtSize, measured_sizes, some_smaller};
use super::{CriticismsOfSize, PageData};
use crate::document::SelectionDocument;
use crate::selection::{Coverage, CoveredGroup};

/// Number of bars of the histogram of distances.
const N_BARS: usize = 24;

/// Maximum number of groups, besides the classes: those farthest away at some size.
const MOST_GROUPS: usize = 100;

/// Maximum number of ranges of a column of numbers; all of its categories are groups.
const MOST_RANGES: usize = 2;

/// Maximum number of smaller sizes at which groups may be the farthest ones.
const MOST_SIZES: usize = 4;

/// The distances of target rows, which are squared; `None` if a row has no prototype or the kernel cannot measure it.
pub(super) fn roots(squared: &[f64]) -> Option<Vec<f64>> {
    let known = |squared: &f64| squared.is_finite() && *squared >= -1e-9;
    let complete = !squared.is_empty() && squared.iter().all(known);
    complete.then(|| squared.iter().map(|squared| squared.max(0.0).sqrt()).collect())
}

/// A group with its rows.
pub(super) struct FarGroup {
    pub(super) group: CoveredGroup,
    /// Its target rows.
    pub(super) rows: Vec<u32>,
    /// Whether it is a range of numbers.
    pub(super) is_range: bool,
}

/// The rows that the distances are measured of.
pub(super) struct DistanceGroups<'a> {
    /// The share of each row.
    shares: Vec<f64>,
    groups: Vec<FarGroup>,
    classes: Vec<FarGroup>,
    /// The target rows on the map.
    points: &'a [usize],
}

/// Criticisms as rows of the matrix, and their side.
pub(super) type CriticalRows<'a> = (&'a [usize], Role);

impl<'a> DistanceGroups<'a> {
    /// The classes of the target and the groups that are farthest away at some size, of which `groups` are all.
    pub(super) fn new(
        data: &PageData<'_, '_>,
        (distances, path): (&[f64], &RepresentationPath),
        groups: Vec<FarGroup>,
        points: &'a [usize],
    ) -> DistanceGroups<'a> {
        let shares = data.rows.target_shares();
        let mut classes = classes(data, &shares);
        for class in &mut classes {
            class.group.distance = mean_distance(class, &shares, distances);
        }
        worst_first(&mut classes);
        let known: Vec<usize> = path.n_represented.iter().map(Vec::len).collect();
        let smaller = some_smaller(&known, MOST_SIZES).into_iter();
        let smaller = smaller.filter_map(|size| roots(&RowsAtSize::new(path, size).distances));
        let at_sizes: Vec<Vec<f64>> = smaller.chain([distances.to_vec()]).collect();
        let mut groups = farthest(groups, &shares, &at_sizes);
        worst_first(&mut groups);
        DistanceGroups { shares, groups, classes, points }
    }

    /// How far the rows are from their prototypes, where these have the shares `weights`.
    pub(super) fn coverage(
        &self,
        data: &PageData<'_, '_>,
        (distances, weights): (&[f64], &[f64]),
        (criticisms, role): CriticalRows<'_>,
    ) -> Coverage {
        let shares = &self.shares;
        let mut order: Vec<usize> = (0..distances.len()).collect();
        order.sort_unstable_by(|one, other| distances[*one].total_cmp(&distances[*other]).then(one.cmp(other)));
        let within = |part: f64| {
            let mut sum = 0.0;
            let reached = order.iter().find(|row| {
                sum += shares[**row];
                sum >= part - 1e-12
            });
            reached.or(order.last()).map_or(0.0, |row| distances[*row])
        };
        let largest = order.last().map_or(0.0, |row| distances[*row]);
        let mut bars = vec![0.0; N_BARS];
        for (distance, share) in distances.iter().zip(shares) {
            let part = if largest > 0.0 { distance / largest } else { 0.0 };
            bars[((part * N_BARS as f64) as usize).min(N_BARS - 1)] += share;
        }
        // Source rows that are not target rows have no distance here.
        let has_distance = role == Role::Target || data.rows.target_rows.is_none();
        let critical = criticisms.iter().filter(|_| has_distance).filter_map(|row| distances.get(*row).copied());
        let groups =
            |groups: &[FarGroup]| groups.iter().map(|group| self.measured(group, distances, weights)).collect();
        Coverage {
            mean: distances.iter().zip(shares).map(|(distance, share)| distance * share).sum(),
            within_half: within(0.5),
            within_most: within(0.9),
            largest,
            bars,
            criticisms: critical.collect(),
            classes: groups(&self.classes),
            groups: groups(&self.groups),
        }
    }

    /// A group with its distance and its prototypes.
    fn measured(&self, far: &FarGroup, distances: &[f64], weights: &[f64]) -> CoveredGroup {
        let own = || far.group.prototypes.iter().filter_map(|at| weights.get(*at)).filter(|weight| **weight > 0.0);
        let is_in = |point: &usize| u32::try_from(*point).is_ok_and(|row| far.rows.binary_search(&row).is_ok());
        CoveredGroup {
            // An empty sum of floats would be -0.
            weight: own().fold(0.0, |sum, weight| sum + weight),
            n_prototypes: own().count(),
            distance: mean_distance(far, &self.shares, distances),
            points: self.points.iter().enumerate().filter(|(_, row)| is_in(row)).map(|(at, _)| at).collect(),
            ..far.group.clone()
        }
    }

    /// The coverage of some smaller sizes of the run, ascending, each with its number of prototypes.
    pub(super) fn smaller(
        &self,
        data: &PageData<'_, '_>,
        path: &RepresentationPath,
        document: &SelectionDocument,
        (smaller, critical): (&[CriticismsOfSize], Role),
    ) -> Vec<(usize, Coverage)> {
        let of_size = |size: usize| {
            let distances = roots(&RowsAtSize::new(path, size).distances)?;
            let weights = shares(document.weights_at(size)?);
            let criticisms = smaller.iter().rev().find(|found| found.n_prototypes <= size);
            let rows = |found: &CriticismsOfSize| found.criticisms.iter().map(|criticism| criticism.row).collect();
            let rows: Vec<usize> = criticisms.map(rows).unwrap_or_default();
            Some((size, self.coverage(data, (&distances, &weights), (&rows, critical))))
        };
        measured_sizes(path).into_par_iter().filter_map(of_size).collect()
    }
}

fn mean_distance(far: &FarGroup, shares: &[f64], distances: &[f64]) -> f64 {
    let sum = far.rows.iter().fold(0.0, |sum, row| sum + shares[*row as usize] * distances[*row as usize]);
    sum / far.group.share
}

/// All categories, and the farthest ranges of each column; of too many groups those that are farthest at some size, given the
/// distances of all rows at some sizes.
fn farthest(groups: Vec<FarGroup>, shares: &[f64], at_sizes: &[Vec<f64>]) -> Vec<FarGroup> {
    let mean = |distances: &[f64]| distances.iter().zip(shares).map(|(distance, share)| distance * share).sum::<f64>();
    let means: Vec<f64> = at_sizes.iter().map(|distances| mean(distances).max(f64::MIN_POSITIVE)).collect();
    let relative = |far: &FarGroup| {
        let of_size = at_sizes.iter().zip(&means).map(|(distances, mean)| mean_distance(far, shares, distances) / mean);
        of_size.fold(0.0, f64::max)
    };
    let mut ranked: Vec<(f64, FarGroup)> = groups.into_iter().map(|far| (relative(&far), far)).collect();
    ranked.sort_by(|one, other| other.0.total_cmp(&one.0));
    let mut n_ranges: HashMap<String, usize> = HashMap::new();
    ranked.retain(|(_, far)| {
        let n_before = n_ranges.entry(far.group.column.clone()).or_default();
        *n_before += usize::from(far.is_range);
        !far.is_range || *n_before <= MOST_RANGES
    });
    ranked.into_iter().take(MOST_GROUPS).map(|(_, far)| far).collect()
}

fn worst_first(groups: &mut [FarGroup]) {
    groups.sort_by(|one, other| other.group.distance.total_cmp(&one.group.distance));
}

/// The classes of the target by name; none if rows have no classes.
fn classes(data: &PageData<'_, '_>, shares: &[f64]) -> Vec<FarGroup> {
    let (rows, source) = (data.rows.rows(Role::Target), data.rows.rows(Role::Source));
    let mut found: BTreeMap<&str, FarGroup> = BTreeMap::new();
    for (row, share) in shares.iter().enumerate() {
        let Some(label) = rows.label(row) else { return Vec::new() };
        let class = found.entry(label).or_insert_with(|| FarGroup {
            group: CoveredGroup { value: label.to_owned(), ..CoveredGroup::default() },
            rows: Vec::new(),
            is_range: false,
        });
        class.group.share += share;
        class.rows.push(row as u32);
    }
    for (at, prototype) in data.prototypes.iter().enumerate() {
        let label = source.label(prototype.source_index).unwrap_or_default();
        found.get_mut(label).into_iter().for_each(|class| class.group.prototypes.push(at));
    }
    found.into_values().filter(|class| class.group.share > 0.0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(column: &str, value: &str, rows: std::ops::Range<u32>, is_range: bool) -> FarGroup {
        let share = rows.len() as f64 / 40.0;
        let group =
            CoveredGroup { column: column.to_owned(), value: value.to_owned(), share, ..CoveredGroup::default() };
        FarGroup { group, rows: rows.collect(), is_range }
    }

    #[test]
    fn a_column_has_all_its_categories_and_its_farthest_ranges_of_any_size() {
        let ranges = (0..4).map(|at| group("age", &format!("range {at}"), 10 * at..10 * at + 10, true));
        let categories = (0..4).map(|at| group("city", &format!("level {at}"), 10 * at..10 * at + 10, false));
        let near_then_far =
            |far: usize| (0..40).map(|row| if row / 10 == far { 9.0 } else { 1.0 }).collect::<Vec<f64>>();
        // The second range is the farthest at a smaller size, the last one at the end.
        let at_sizes = [near_then_far(1), near_then_far(3)];
        let found = farthest(ranges.chain(categories).collect(), &[1.0 / 40.0; 40], &at_sizes);
        let mut names: Vec<&str> = found.iter().map(|far| far.group.value.as_str()).collect();
        names.sort_unstable();
        assert_eq!(names, ["level 0", "level 1", "level 2", "level 3", "range 1", "range 3"]);
    }

    #[test]
    fn distances_are_roots_and_unknown_if_one_is() {
        assert_eq!(roots(&[4.0, -1e-17, 0.25]), Some(vec![2.0, 0.0, 0.5]));
        assert_eq!(roots(&[4.0, f64::NAN]), None);
        assert_eq!((roots(&[-2.0, 1.0]), roots(&[])), (None, None));
    }
}
