//! How far the rows are from their prototypes, and in which groups they are farthest.

use std::collections::BTreeMap;

use protodash::{RepresentationPath, Role};

use super::PageData;
use crate::selection::{Coverage, CoveredGroup};

/// Number of bars of the histogram of distances.
const N_BARS: usize = 24;

/// Maximum number of groups, besides the classes: those farthest away.
const MOST_GROUPS: usize = 12;

/// The distance of each target row from its prototype; `None` if a row has none or the kernel cannot measure it.
pub(super) fn distances(path: &RepresentationPath) -> Option<Vec<f64>> {
    let known = |squared: &f64| squared.is_finite() && *squared >= -1e-9;
    let complete = !path.distances.is_empty() && path.distances.iter().all(known);
    complete.then(|| path.distances.iter().map(|squared| squared.max(0.0).sqrt()).collect())
}

/// How far the rows are from their prototypes; `groups` are rows that share a value, and criticisms rows of the matrix.
pub(super) fn coverage(
    data: &PageData<'_, '_>,
    distances: &[f64],
    mut groups: Vec<CoveredGroup>,
    (criticisms, role): (&[usize], Role),
) -> Coverage {
    let shares = data.rows.target_shares();
    let mut order: Vec<usize> = (0..distances.len()).collect();
    order.sort_by(|one, other| distances[*one].total_cmp(&distances[*other]));
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
    for (distance, share) in distances.iter().zip(&shares) {
        let part = if largest > 0.0 { distance / largest } else { 0.0 };
        bars[((part * N_BARS as f64) as usize).min(N_BARS - 1)] += share;
    }
    // Source rows that are not target rows have no distance here.
    let has_distance = role == Role::Target || data.rows.target_rows.is_none();
    let critical = criticisms.iter().filter(|_| has_distance).filter_map(|row| distances.get(*row).copied());
    worst_first(&mut groups);
    groups.truncate(MOST_GROUPS);
    Coverage {
        mean: distances.iter().zip(&shares).map(|(distance, share)| distance * share).sum(),
        within_half: within(0.5),
        within_most: within(0.9),
        largest,
        bars,
        criticisms: critical.collect(),
        classes: classes(data, distances, &shares),
        groups,
    }
}

fn worst_first(groups: &mut [CoveredGroup]) {
    groups.sort_by(|one, other| other.distance.total_cmp(&one.distance));
}

/// The classes of the target, farthest first; none if rows have no classes.
fn classes(data: &PageData<'_, '_>, distances: &[f64], shares: &[f64]) -> Vec<CoveredGroup> {
    let (rows, source) = (data.rows.rows(Role::Target), data.rows.rows(Role::Source));
    let mut found: BTreeMap<&str, CoveredGroup> = BTreeMap::new();
    for (row, (distance, share)) in distances.iter().zip(shares).enumerate() {
        let Some(label) = rows.label(row) else { return Vec::new() };
        let class =
            found.entry(label).or_insert_with(|| CoveredGroup { value: label.to_owned(), ..CoveredGroup::default() });
        class.share += share;
        class.distance += share * distance;
    }
    for prototype in data.prototypes.iter().filter(|prototype| prototype.weight > 0.0) {
        let label = source.label(prototype.source_index).unwrap_or_default();
        if let Some(class) = found.get_mut(label) {
            class.weight += prototype.share;
            class.n_prototypes += 1;
        }
    }
    let mut classes: Vec<CoveredGroup> = found.into_values().filter(|class| class.share > 0.0).collect();
    classes.iter_mut().for_each(|class| class.distance /= class.share);
    worst_first(&mut classes);
    classes
}

#[cfg(test)]
mod tests {
    use super::*;
    use protodash::NearestChanges;

    #[test]
    fn distances_are_roots_and_unknown_if_one_is() {
        let path = |distances: Vec<f64>| RepresentationPath {
            nearest: Vec::new(),
            distances,
            n_represented: Vec::new(),
            changes: NearestChanges::default(),
        };
        assert_eq!(distances(&path(vec![4.0, -1e-17, 0.25])), Some(vec![2.0, 0.0, 0.5]));
        assert_eq!(distances(&path(vec![4.0, f64::NAN])), None);
        assert_eq!((distances(&path(vec![-2.0, 1.0])), distances(&path(Vec::new()))), (None, None));
    }
}
