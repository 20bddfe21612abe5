//! The data in two dimensions: by neighbours, by the kernel's principal components, and on the principal axes of the columns.

use std::collections::HashSet;

use protodash::{Dataset, Error, KernelMapRows, Prototype, RepresentationPath, Role, principal_axes};
use protodash_table::RowMap;
use rand::SeedableRng;
use rand::seq::index::sample;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::{CriticismsOfSize, PageData};
use crate::document::SelectionDocument;
use crate::selection::{Map, MapPlaces, MapPoint, MapView};

/// Maximum number of points on the map; if there are more rows, a random sample is drawn. Half of them are rows of a
/// separate source.
const MOST_POINTS: usize = 10_000;

/// Maximum number of points from which the axes of the kernel are computed.
const MOST_LANDMARKS: usize = 500;

/// Number of points from which neighbours are embedded, and the least and the largest number for other kernels than custom ones.
const MOST_CUSTOM_NEIGHBOURS: usize = 300;
const NEIGHBOUR_LANDMARKS: [usize; 2] = [200, 1500];

/// Maximum number of prototypes that are such points in any case.
const MOST_PROTOTYPES: usize = 200;

/// Number of points whose nearest rows are compared with their nearest dots.
const ASKED: [usize; 2] = [50, 300];

/// Number of nearest rows that are compared, and of points from which on that says something.
const N_NEIGHBOURS: usize = 10;
const FEW_POINTS: usize = 25;

/// Number of products of columns, points and landmarks that are affordable: a second.
const MOST_PRODUCTS: usize = 2_000_000_000;

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

    /// The rows as the kernel sees them; no views if it has no values for pairs of target rows, or if they are expensive.
    pub(super) fn kernel_places(&self, dataset: &Dataset<'_>, seed: u64) -> Result<KernelPlaces, Error> {
        let is_custom = matches!(dataset, Dataset::Custom { .. });
        if is_custom && self.points.len() + self.source.len() > MOST_CUSTOM_ROWS {
            return Ok(KernelPlaces::default());
        }
        let (mut target, mut source) = (self.points.clone(), [&self.prototypes[..], &self.source].concat());
        let critical = if self.is_target_criticism { &mut target } else { &mut source };
        critical.extend(&self.criticisms);
        let landmarks = evenly_spaced(&self.points, MOST_LANDMARKS);
        let rows = KernelMapRows { landmarks: &landmarks, target: &target, source: &source };
        let Some(map) = dataset.kernel_map(rows, seed)? else { return Ok(KernelPlaces::default()) };
        let mut views = vec![self.places((MapView::Kernel, map.shares), map.target, map.source)];
        if self.points.len() < FEW_POINTS {
            return Ok(KernelPlaces { views, neighbours: Vec::new() });
        }
        let affordable = MOST_PRODUCTS / (target.len() + source.len()) / dataset.n_features().max(1);
        let [least, most] = NEIGHBOUR_LANDMARKS;
        let most = if is_custom { MOST_CUSTOM_NEIGHBOURS } else { affordable.clamp(least, most) };
        let landmarks = self.neighbour_landmarks(most);
        let rows = KernelMapRows { landmarks: &landmarks, ..rows };
        if let Some(map) = dataset.neighbour_map(rows, seed)? {
            views.push(self.places((MapView::Neighbours, Vec::new()), map.target, map.source));
        }
        let positions: Vec<usize> = (0..self.points.len()).collect();
        let asked = evenly_spaced(&positions, (affordable / 4).clamp(ASKED[0], ASKED[1]));
        let rows: Vec<usize> = asked.iter().map(|at| self.points[*at]).collect();
        let near = dataset.nearest_rows(&rows, &self.points, N_NEIGHBOURS)?.unwrap_or_default();
        Ok(KernelPlaces { views, neighbours: asked.into_iter().zip(near).collect() })
    }

    /// Some of the points, and the first prototypes if they are target rows.
    fn neighbour_landmarks(&self, most: usize) -> Vec<usize> {
        let mut landmarks = evenly_spaced(&self.points, most);
        if self.source.is_empty() {
            landmarks.extend(self.prototypes.iter().take(MOST_PROTOTYPES));
        }
        landmarks.sort_unstable();
        landmarks.dedup();
        landmarks
    }

    /// A view, given the places of target and source rows with the criticisms after those of their side.
    fn places(
        &self,
        (view, shares): (MapView, Vec<f64>),
        mut points: Vec<[f64; 2]>,
        mut prototypes: Vec<[f64; 2]>,
    ) -> MapPlaces {
        let critical = if self.is_target_criticism { &mut points } else { &mut prototypes };
        let criticisms = critical.split_off(critical.len() - self.criticisms.len());
        let source = prototypes.split_off(self.prototypes.len());
        MapPlaces { view, shares, preserved: None, points, source, prototypes, criticisms }
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
            view: MapView::Columns,
            preserved: None,
            points: places(Role::Target, &self.points),
            source: places(Role::Source, &self.source),
            prototypes: places(Role::Source, &self.prototypes),
            criticisms: places(self.critical_role(), &self.criticisms),
            shares: axes.shares,
        })
    }
}

/// The rows as the kernel sees them.
///
/// # Examples
///
/// ```
/// assert!(protodash_report::KernelPlaces::default().views.is_empty());
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct KernelPlaces {
    /// Views of the map; none if the kernel has no values for pairs of target rows.
    pub views: Vec<MapPlaces>,
    /// For some points, by their position, the positions of the points nearest to them; empty if there are few points.
    pub neighbours: Vec<(usize, Vec<usize>)>,
}

impl KernelPlaces {
    /// The share of nearest rows that are among as many nearest dots; `None` if nearest rows are unknown.
    fn preserved(&self, places: &[[f64; 2]]) -> Option<f64> {
        let n_nearest = N_NEIGHBOURS.min(places.len().saturating_sub(1));
        let found = |(at, near): &(usize, Vec<usize>)| {
            let squared = |other: &usize| {
                let [x, y] = [0, 1].map(|axis| places[*other][axis] - places[*at][axis]);
                x * x + y * y
            };
            let mut dots: Vec<(f64, usize)> =
                (0..places.len()).filter(|other| other != at).map(|other| (squared(&other), other)).collect();
            if n_nearest < dots.len() {
                dots.select_nth_unstable_by(n_nearest, |one, other| {
                    one.0.total_cmp(&other.0).then(one.1.cmp(&other.1))
                });
                dots.truncate(n_nearest);
            }
            dots.iter().filter(|(_, other)| near.binary_search(other).is_ok()).count()
        };
        let n_found: usize = self.neighbours.par_iter().map(found).sum();
        let n_all = n_nearest * self.neighbours.len();
        (n_all > 0).then(|| n_found as f64 / n_all as f64)
    }
}

/// At most `most` of some rows, evenly spaced.
fn evenly_spaced(rows: &[usize], most: usize) -> Vec<usize> {
    let n = most.min(rows.len());
    (0..n).map(|at| rows[at * rows.len() / n]).collect()
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
    (kernel, path): (KernelPlaces, &RepresentationPath),
    seed: u64,
) -> Result<Result<Map, String>, Error> {
    let mut places = kernel.views.clone();
    // Codes of categories have no directions, and kernel matrices no columns.
    if !data.rows.features.is_empty() && !data.rows.codes {
        places.push(rows.column_places(data.rows.matrices, seed)?);
    }
    if places.is_empty() {
        return Ok(Err("a map: the kernel's values between target rows are unknown".to_owned()));
    }
    for view in &mut places {
        view.preserved = kernel.preserved(&view.points);
    }
    // The most faithful view is shown first; of equal ones, that of the kernel.
    places.sort_by(|one, other| other.preserved.unwrap_or(0.0).total_cmp(&one.preserved.unwrap_or(0.0)));
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
    fn the_share_of_preserved_neighbours_counts_dots() {
        // Points on a line; in the view the last point is in the middle.
        let near = (0..30).map(|at: usize| {
            let mut others: Vec<usize> = (0..30).filter(|other| *other != at).collect();
            others.sort_by_key(|other| other.abs_diff(at));
            let most = others[9].abs_diff(at);
            others.retain(|other| other.abs_diff(at) <= most);
            others.sort_unstable();
            (at, others)
        });
        let kernel = KernelPlaces { views: Vec::new(), neighbours: near.collect() };
        let line: Vec<[f64; 2]> = (0..30).map(|at| [f64::from(at), 0.0]).collect();
        assert_eq!(kernel.preserved(&line), Some(1.0));
        let moved = [&line[..29], &[[14.4, 0.0]]].concat();
        let found = kernel.preserved(&moved).unwrap();
        assert!(found < 0.97 && found > 0.5, "{found}");
        assert_eq!(KernelPlaces::default().preserved(&line), None);
    }

    #[test]
    fn landmarks_are_evenly_spaced() {
        assert_eq!(evenly_spaced(&[1, 3, 5, 7, 9], 2), [1, 5]);
        assert_eq!((evenly_spaced(&[4, 2], 9), evenly_spaced(&[], 3)), (vec![4, 2], vec![]));
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
            let mut views = rows.kernel_places(&dataset, 0).unwrap().views;
            views.push(rows.column_places(&dataset, 0).unwrap());
            assert_eq!(views.iter().map(|places| places.view).collect::<Vec<_>>(), MapView::ALL);
            for view in views {
                assert_eq!(view.points.len(), 30);
                assert_eq!(view.prototypes, [view.points[4], view.points[9]]);
                assert_eq!(view.criticisms, [view.points[7]]);
            }
        }
    }
}
