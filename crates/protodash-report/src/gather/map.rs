//! The data in two dimensions: as the kernel sees them, and on the principal axes of the columns.

use std::collections::HashSet;

use protodash::{Dataset, Error, KernelMapRows, Prototype, RepresentationPath, Role, principal_axes};
use protodash_table::RowMap;
use rand::SeedableRng;
use rand::seq::index::sample;
use rand_chacha::ChaCha8Rng;

use super::{CriticismsOfSize, PageData};
use crate::document::SelectionDocument;
use crate::selection::{Map, MapPlaces, MapPoint};

/// Maximum number of points on the map; if there are more rows, a random sample is drawn. Half of them are rows of a
/// separate source.
const MOST_POINTS: usize = 10_000;

/// Maximum number of points from which the axes of the kernel are computed.
const MOST_LANDMARKS: usize = 500;

/// Maximum number of rows for which a custom kernel is asked for all pairs.
const MOST_CUSTOM_ROWS: usize = 2000;

/// Maximum number of values to compute the axes of the columns from: 160 MB.
const MOST_VALUES: usize = 20_000_000;

/// The rows on the map, as rows of the matrices.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct MapRows {
    /// Target rows.
    points: Vec<usize>,
    /// Rows of a separate source.
    source: Vec<usize>,
    prototypes: Vec<usize>,
    criticisms: Vec<usize>,
    /// The side of the criticisms.
    is_target_criticism: bool,
}

impl MapRows {
    /// All rows, or a random sample of them.
    pub(super) fn new(
        document: &SelectionDocument,
        prototypes: &[Prototype],
        (source_rows, target_rows): (&RowMap, Option<&RowMap>),
        smaller: &[CriticismsOfSize],
    ) -> MapRows {
        let is_target_criticism = document.criticisms.iter().any(|criticism| criticism.target_index.is_some());
        let names = target_rows.filter(|_| is_target_criticism).unwrap_or(source_rows);
        let of_run = document.criticisms.iter().filter_map(|criticism| names.matrix_row(criticism.row()));
        let most = if target_rows.is_some() { MOST_POINTS / 2 } else { MOST_POINTS };
        MapRows {
            points: sampled(target_rows.unwrap_or(source_rows).len(), most, document.seed),
            source: target_rows.map_or_else(Vec::new, |_| sampled(source_rows.len(), most, document.seed)),
            prototypes: prototypes.iter().map(|prototype| prototype.source_index).collect(),
            criticisms: critical_rows(of_run.collect(), smaller),
            is_target_criticism,
        }
    }

    /// The target rows that are points.
    pub(super) fn points(&self) -> &[usize] {
        &self.points
    }

    /// The rows of a separate source that are points.
    pub(super) fn source(&self) -> &[usize] {
        &self.source
    }

    /// The criticisms of all sizes, first those of the complete run.
    pub(super) fn criticisms(&self) -> &[usize] {
        &self.criticisms
    }

    /// The side of the criticisms.
    fn critical_role(&self) -> Role {
        if self.is_target_criticism { Role::Target } else { Role::Source }
    }

    /// The rows as the kernel sees them; `None` if it has no values for pairs of target rows, or if they are expensive.
    pub(super) fn kernel_places(&self, dataset: &Dataset<'_>, seed: u64) -> Result<Option<MapPlaces>, Error> {
        if matches!(dataset, Dataset::Custom { .. }) && self.points.len() + self.source.len() > MOST_CUSTOM_ROWS {
            return Ok(None);
        }
        let step = self.points.len().div_ceil(MOST_LANDMARKS).max(1);
        let landmarks: Vec<usize> = self.points.iter().copied().step_by(step).collect();
        let (mut target, mut source) = (self.points.clone(), [&self.prototypes[..], &self.source].concat());
        let critical = if self.is_target_criticism { &mut target } else { &mut source };
        critical.extend(&self.criticisms);
        let rows = KernelMapRows { landmarks: &landmarks, target: &target, source: &source };
        let Some(mut map) = dataset.kernel_map(rows, seed)? else { return Ok(None) };
        let critical = if self.is_target_criticism { &mut map.target } else { &mut map.source };
        let criticisms = critical.split_off(critical.len() - self.criticisms.len());
        let others = map.source.split_off(self.prototypes.len());
        let (of_kernel, shares, points) = (true, map.shares, map.target);
        Ok(Some(MapPlaces { of_kernel, shares, points, source: others, prototypes: map.source, criticisms }))
    }

    /// The rows on the principal axes of the target's columns.
    fn column_places(&self, matrices: &Dataset<'_>, seed: u64) -> Result<MapPlaces, Error> {
        let rows = |role: Role, rows: &[usize]| matrices.rows(role, rows).unwrap_or_default();
        // If rows are very wide, an evenly spaced subset of them keeps the copy small.
        let step = (self.points.len() * matrices.n_features()).div_ceil(MOST_VALUES).max(1);
        let some: Vec<usize> = self.points.iter().copied().step_by(step).collect();
        let axes = principal_axes(&rows(Role::Target, &some), 2, seed)?;
        let place = |role: Role, row: usize| {
            let found = axes.project(rows(role, &[row]).as_slice().unwrap_or_default());
            [found.first().copied().unwrap_or(0.0), found.get(1).copied().unwrap_or(0.0)]
        };
        let places = |role: Role, rows: &[usize]| rows.iter().map(|row| place(role, *row)).collect();
        Ok(MapPlaces {
            of_kernel: false,
            points: places(Role::Target, &self.points),
            source: places(Role::Source, &self.source),
            prototypes: places(Role::Source, &self.prototypes),
            criticisms: places(self.critical_role(), &self.criticisms),
            shares: axes.shares,
        })
    }
}

/// Each criticism once: those of the complete run, then those of smaller sizes.
fn critical_rows(of_run: Vec<usize>, smaller: &[CriticismsOfSize]) -> Vec<usize> {
    let mut known: HashSet<usize> = of_run.iter().copied().collect();
    let later = smaller.iter().flat_map(|found| &found.criticisms).map(|criticism| criticism.row);
    let later: Vec<usize> = later.filter(|row| known.insert(*row)).collect();
    [of_run, later].concat()
}

/// The map, or the reason why there is none; `kernel` are the places of the same rows as the kernel sees them.
pub(super) fn map(
    data: &PageData<'_, '_>,
    rows: &MapRows,
    (kernel, path): (Option<MapPlaces>, &RepresentationPath),
    seed: u64,
) -> Result<Result<Map, String>, Error> {
    let mut places: Vec<MapPlaces> = kernel.into_iter().collect();
    // Codes of categories have no directions, and kernel matrices no columns.
    if !data.rows.features.is_empty() && !data.rows.codes {
        places.push(rows.column_places(data.rows.matrices, seed)?);
    }
    if places.is_empty() {
        return Ok(Err("a map: the kernel's values between target rows are unknown".to_owned()));
    }
    let (names, source_names) = (data.rows.rows(Role::Target), data.rows.rows(Role::Source));
    let point = |names: &RowMap, row: usize, nearest: Option<usize>| MapPoint {
        index: names.table_row(row),
        id: names.id(row).map(str::to_owned),
        label: names.label(row).map(str::to_owned),
        text: String::new(),
        nearest,
        image: None,
        changes: Vec::new(),
    };
    let of_target = |row: &usize| MapPoint {
        changes: path.changes.of_row(*row).collect(),
        ..point(names, *row, path.nearest.get(*row).copied().flatten())
    };
    Ok(Ok(Map {
        places,
        points: rows.points.iter().map(of_target).collect(),
        source: rows.source.iter().map(|row| point(source_names, *row, None)).collect(),
        n_rows: names.len(),
        n_source: source_names.len(),
    }))
}

/// The rows that become points: all, or a random sample in ascending order.
fn sampled(n_rows: usize, most: usize, seed: u64) -> Vec<usize> {
    if n_rows <= most {
        return (0..n_rows).collect();
    }
    let mut rows = sample(&mut ChaCha8Rng::seed_from_u64(seed), n_rows, most).into_vec();
    rows.sort_unstable();
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::Array2;
    use protodash::KernelSpec;

    #[test]
    fn few_rows_are_all_points_and_many_are_sampled_without_repeats() {
        assert_eq!(sampled(3, 5000, 0), [0, 1, 2]);
        let rows = sampled(9000, 5000, 1);
        assert_eq!(rows.len(), 5000);
        assert!(rows.windows(2).all(|pair| pair[0] < pair[1]));
        assert_ne!(rows, sampled(9000, 5000, 2));
    }

    #[test]
    fn prototypes_and_criticisms_are_where_their_rows_are_in_both_views() {
        let values = Array2::from_shape_fn((30, 3), |(row, column)| ((row * (column + 3)) as f64).sin());
        let dataset = Dataset::from_f64(values, None, &KernelSpec::new("gaussian").unwrap(), 0).unwrap();
        let points: Vec<usize> = (0..30).collect();
        let (prototypes, criticisms) = (vec![4, 9], vec![7]);
        for is_target_criticism in [false, true] {
            let (points, prototypes) = (points.clone(), prototypes.clone());
            let criticisms = criticisms.clone();
            let rows = MapRows { points, source: Vec::new(), prototypes, criticisms, is_target_criticism };
            let kernel = rows.kernel_places(&dataset, 0).unwrap().unwrap();
            for view in [kernel, rows.column_places(&dataset, 0).unwrap()] {
                assert_eq!(view.points.len(), 30);
                assert_eq!(view.prototypes, [view.points[4], view.points[9]]);
                assert_eq!(view.criticisms, [view.points[7]]);
            }
        }
    }
}
