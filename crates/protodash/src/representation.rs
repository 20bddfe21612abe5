//! Which target rows each prototype represents, for the whole set and for each prefix. It does not choose prototypes.

use ndarray::{ArrayRef2, Axis};

use crate::baseline::SourceDistances;
use crate::cross_validation::Labels;
use crate::error::{Error, Result};
use crate::kernel::Kernel;
use crate::kernel_mean::{column, fold_columns};
use crate::observe::{Observer, Stage, check_cancelled};
use crate::parallel;
use crate::params::check_length;
use crate::rows::{CheckedPair, Rows, Scalar};
use crate::selection::Prototype;

/// Target rows between two calls of the observer.
const ROUND: usize = 8192;

/// The nearest prototype of each target row, and the number of rows that each prototype represents.
///
/// # Examples
///
/// ```
/// use ndarray::array;
/// use protodash::{Gaussian, Params, Unobserved, represent, select};
///
/// let rows = array![[0.0], [0.2], [5.0]];
/// let kernel = Gaussian::new(1.0)?;
/// let selection = select(&rows, &rows, &kernel, &Params::new(2))?;
/// let representation = represent(&rows, &rows, &selection.prototypes, &kernel, &mut Unobserved)?;
/// assert_eq!(representation.nearest, [Some(0), Some(0), Some(1)]);
/// assert_eq!(representation.n_represented, [2, 1]);
/// # Ok::<(), protodash::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Representation {
    /// The position, in order of choice, of each target row's prototype; `None` if no prototype has a weight.
    pub nearest: Vec<Option<usize>>,
    /// The number of target rows nearest to each prototype; 0 for prototypes without weight.
    pub n_represented: Vec<usize>,
}

/// The nearest prototype of each target row.
///
/// # Formula
///
/// ```text
/// nearest(x) = argminⱼ ‖φ(x) − φ(zⱼ)‖² = argminⱼ k(zⱼ, zⱼ) − 2 k(x, zⱼ)
/// ```
///
/// over the prototypes zⱼ with positive weight. If the kernel's diagonal is constant this is the most similar prototype;
/// otherwise (linear, polynomial) the most similar one would always be among the longest. Ties go to the prototype chosen
/// first. Costs n₁ · |L| kernel values.
///
/// # Errors
///
/// If a matrix is empty or not finite, if their numbers of columns differ, if a prototype is not a row of the source, or
/// [`Error::Cancelled`] when the observer stops the run.
///
/// # Examples
///
/// ```
/// use ndarray::array;
/// use protodash::{Linear, Prototype, Unobserved, represent};
///
/// let (target, source) = (array![[1.0], [9.0]], array![[2.0], [10.0]]);
/// let prototype = |source_index| Prototype { source_index, weight: 0.5, share: 0.5, gain: 0.0 };
/// let nearest = represent(&target, &source, &[prototype(0), prototype(1)], &Linear, &mut Unobserved)?.nearest;
/// assert_eq!(nearest, [Some(0), Some(1)]); // although 1·10 > 1·2
/// # Ok::<(), protodash::Error>(())
/// ```
pub fn represent<T: Scalar>(
    target: &ArrayRef2<T>,
    source: &ArrayRef2<T>,
    prototypes: &[Prototype],
    kernel: &dyn Kernel<T>,
    observer: &mut dyn Observer,
) -> Result<Representation> {
    let checked = CheckedPair::new(target, source)?;
    let (target, source) = checked.rows();
    let rows = prototype_rows(source, prototypes)?;
    let diagonal: Vec<f64> = rows.iter().map(|row| kernel.evaluate(row, row)).collect();
    let weighted: Vec<usize> = (0..rows.len()).filter(|&index| prototypes[index].weight > 0.0).collect();
    let weighted_rows: Vec<&[T]> = weighted.iter().map(|&index| rows[index]).collect();
    let nearer = |best: Option<(usize, f64)>, position: usize, similarity: f64| {
        let distance = diagonal[weighted[position]] - 2.0 * similarity;
        if best.is_some_and(|(_, least)| distance >= least) { best } else { Some((weighted[position], distance)) }
    };
    let mut nearest = Vec::with_capacity(target.n_rows());
    for round in rounds(target.n_rows()) {
        check_cancelled(observer.on_progress(Stage::Representation, round.start as u64, target.n_rows() as u64))?;
        let found = fold_columns(kernel, target.slice(round), &weighted_rows, None, nearer);
        nearest.extend(found.into_iter().map(|best| best.map(|(index, _)| index)));
    }
    let mut n_represented = vec![0; prototypes.len()];
    nearest.iter().flatten().for_each(|&index: &usize| n_represented[index] += 1);
    Ok(Representation { nearest, n_represented })
}

/// The nearest prototype of each target row among those of its own class.
///
/// For prototypes chosen per class, as by [`select_per_label`](crate::select_per_label): each represents rows of its
/// own class, and the counts add up to the size of the class.
///
/// # Errors
///
/// As for [`represent`], and if there is not one label for each row.
///
/// # Examples
///
/// ```
/// use ndarray::array;
/// use protodash::{Labels, Linear, Prototype, Unobserved, represent_per_label};
///
/// let rows = array![[1.0], [2.0], [9.0]];
/// let prototype = |source_index| Prototype { source_index, weight: 0.5, share: 0.5, gain: 0.0 };
/// let labels = Labels { target: &[0, 1, 1], source: &[0, 1, 1] };
/// let found = represent_per_label(&rows, &rows, &[prototype(0), prototype(2)], labels, &Linear, &mut Unobserved)?;
/// assert_eq!(found.nearest, [Some(0), Some(1), Some(1)]); // although 2 is nearer to 1 than to 9
/// assert_eq!(found.n_represented, [1, 2]);
/// # Ok::<(), protodash::Error>(())
/// ```
pub fn represent_per_label<T: Scalar>(
    target: &ArrayRef2<T>,
    source: &ArrayRef2<T>,
    prototypes: &[Prototype],
    labels: Labels<'_>,
    kernel: &dyn Kernel<T>,
    observer: &mut dyn Observer,
) -> Result<Representation> {
    check_length("the target's labels", labels.target.len(), target.nrows())?;
    check_length("the source's labels", labels.source.len(), source.nrows())?;
    if let Some(other) = prototypes.iter().find(|prototype| prototype.source_index >= source.nrows()) {
        return Err(Error::NotThisSource { source_index: other.source_index, rows: source.nrows() });
    }
    let mut classes = labels.target.to_vec();
    classes.sort_unstable();
    classes.dedup();
    let mut found = Representation { nearest: vec![None; target.nrows()], n_represented: vec![0; prototypes.len()] };
    for class in classes {
        let of_class = |labels: &[usize], row: usize| labels[row] == class;
        let rows: Vec<usize> = (0..target.nrows()).filter(|row| of_class(labels.target, *row)).collect();
        let own: Vec<usize> =
            (0..prototypes.len()).filter(|at| of_class(labels.source, prototypes[*at].source_index)).collect();
        let own_prototypes: Vec<Prototype> = own.iter().map(|at| prototypes[*at]).collect();
        let part = represent(&target.select(Axis(0), &rows), source, &own_prototypes, kernel, observer)?;
        for (row, nearest) in rows.into_iter().zip(part.nearest) {
            found.nearest[row] = nearest.map(|at| own[at]);
        }
        own.iter().zip(part.n_represented).for_each(|(at, count)| found.n_represented[*at] = count);
    }
    Ok(found)
}

/// [`represent`] for the whole set, and what it finds for smaller sets of a path.
///
/// # Examples
///
/// ```
/// use ndarray::array;
/// use protodash::{Gaussian, Params, Unobserved, represent_path, select};
///
/// let rows = array![[0.0], [0.2], [5.0]];
/// let kernel = Gaussian::new(1.0)?;
/// let selection = select(&rows, &rows, &kernel, &Params::new(2))?;
/// let weights: Vec<&[f64]> = (1..=2).filter_map(|size| selection.weights_at(size)).collect();
/// let path = represent_path(&rows, &rows, &selection.prototypes, &weights, &kernel, &mut Unobserved)?;
/// assert_eq!(path.n_represented, [vec![3], vec![2, 1]]); // alone, the first represents all rows
/// assert_eq!(path.distances[1], 0.0); // the second row is a prototype itself
/// let of_last: Vec<(usize, Option<usize>)> =
///     path.changes.of_row(2).map(|change| (change.n_prototypes, change.nearest)).collect();
/// assert_eq!(of_last, [(1, Some(0)), (2, Some(1))]); // represented by the second prototype as soon as there is one
/// # Ok::<(), protodash::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct RepresentationPath {
    /// The position, in order of choice, of each target row's prototype; `None` if no prototype has a weight.
    pub nearest: Vec<Option<usize>>,
    /// The squared distance ‖φ(x) − φ(z)‖² of each target row from that prototype; NaN if there is none. k(x, x) counts
    /// as 0 if the kernel cannot compute it.
    pub distances: Vec<f64>,
    /// `n_represented[i][j]` target rows are nearest to the j-th of the prototypes of the i-th set.
    pub n_represented: Vec<Vec<usize>>,
    /// The sizes at which the nearest prototype of a target row changes.
    pub changes: NearestChanges,
}

/// The sizes at which the nearest prototype of each target row changes, with its distance.
///
/// A row has about ln m entries of 16 bytes: the m-th prototype is the nearest so far with probability 1/m.
///
/// # Examples
///
/// See [`RepresentationPath`].
#[derive(Debug, Clone, Default, PartialEq)]
pub struct NearestChanges {
    /// Where the entries of each row end.
    ends: Vec<usize>,
    /// The number of prototypes, the nearest one ([`NONE`] if there is none) and its squared distance.
    entries: Vec<(u32, u32, f64)>,
}

/// Stands for no prototype.
const NONE: u32 = u32::MAX;

/// From which number of prototypes on a prototype is the nearest of a target row.
///
/// # Examples
///
/// See [`RepresentationPath`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NearestChange {
    /// The number of prototypes of the set.
    pub n_prototypes: usize,
    /// The position, in order of choice, of the nearest prototype; `None` if none has a weight.
    pub nearest: Option<usize>,
    /// The squared distance from it, as in [`RepresentationPath::distances`]; NaN if there is none.
    pub distance: f64,
}

impl NearestChanges {
    /// The changes of a target row, by ascending number of prototypes; the first is that of the smallest set. Empty if there
    /// are no sets, or no such row.
    pub fn of_row(&self, row: usize) -> impl Iterator<Item = NearestChange> + '_ {
        let start = row.checked_sub(1).map_or(Some(0), |before| self.ends.get(before).copied());
        let range = start.zip(self.ends.get(row)).map_or(0..0, |(start, end)| start..*end);
        self.entries[range].iter().map(|(n_prototypes, nearest, distance)| NearestChange {
            n_prototypes: *n_prototypes as usize,
            nearest: (*nearest != NONE).then_some(*nearest as usize),
            distance: *distance,
        })
    }

    fn push_row(&mut self, changes: impl Iterator<Item = NearestChange>) {
        let entry = |change: NearestChange| {
            let nearest = change.nearest.map_or(NONE, |nearest| nearest as u32);
            (change.n_prototypes as u32, nearest, change.distance)
        };
        self.entries.extend(changes.map(entry));
        self.ends.push(self.entries.len());
    }
}

/// The nearest prototype of each target row, and the number of rows that each prototype represents in every prefix.
///
/// `weights_path` are sets of ascending size: each entry has the weights of that many prototypes, the first ones. A prototype
/// without weight represents no rows. Costs n₁ · |L| kernel values, as [`represent`] does, and |L|²/2 counts for a path of
/// all sizes.
///
/// # Errors
///
/// As for [`represent`]; also if an entry of `weights_path` is not longer than the one before, or longer than the prototypes.
///
/// # Examples
///
/// ```
/// use ndarray::array;
/// use protodash::{Linear, Prototype, Unobserved, represent_path};
///
/// let rows = array![[1.0], [9.0]];
/// let prototype = |source_index| Prototype { source_index, weight: 0.5, share: 0.5, gain: 0.0 };
/// let (prototypes, weights) = ([prototype(0), prototype(1)], [&[1.0][..], &[0.0, 1.0]]);
/// let path = represent_path(&rows, &rows, &prototypes, &weights, &Linear, &mut Unobserved)?;
/// assert_eq!(path.n_represented, [vec![2], vec![0, 2]]); // the second took all weight
/// # Ok::<(), protodash::Error>(())
/// ```
pub fn represent_path<T: Scalar>(
    target: &ArrayRef2<T>,
    source: &ArrayRef2<T>,
    prototypes: &[Prototype],
    weights_path: &[&[f64]],
    kernel: &dyn Kernel<T>,
    observer: &mut dyn Observer,
) -> Result<RepresentationPath> {
    follow((target, source), prototypes, weights_path, &|_, _| true, kernel, observer)
}

/// [`represent_path`] with the nearest prototype of each target row among those of its own class, as
/// [`represent_per_label`] finds it.
///
/// # Errors
///
/// As for [`represent_path`], and if there is not one label for each row.
///
/// # Examples
///
/// ```
/// use ndarray::array;
/// use protodash::{Labels, Linear, Prototype, Unobserved, represent_path_per_label};
///
/// let rows = array![[1.0], [2.0], [9.0]];
/// let prototype = |source_index| Prototype { source_index, weight: 0.5, share: 0.5, gain: 0.0 };
/// let (prototypes, weights) = ([prototype(0), prototype(2)], [&[1.0][..], &[0.5, 0.5]]);
/// let labels = Labels { target: &[0, 1, 1], source: &[0, 1, 1] };
/// let path = represent_path_per_label(&rows, &rows, &prototypes, &weights, labels, &Linear, &mut Unobserved)?;
/// assert_eq!(path.n_represented, [vec![1], vec![1, 2]]); // the first represents its class only
/// # Ok::<(), protodash::Error>(())
/// ```
pub fn represent_path_per_label<T: Scalar>(
    target: &ArrayRef2<T>,
    source: &ArrayRef2<T>,
    prototypes: &[Prototype],
    weights_path: &[&[f64]],
    labels: Labels<'_>,
    kernel: &dyn Kernel<T>,
    observer: &mut dyn Observer,
) -> Result<RepresentationPath> {
    check_length("the target's labels", labels.target.len(), target.nrows())?;
    check_length("the source's labels", labels.source.len(), source.nrows())?;
    let same = |row: usize, at: usize| labels.target[row] == labels.source[prototypes[at].source_index];
    follow((target, source), prototypes, weights_path, &same, kernel, observer)
}

/// The path with the squared distances of [`SourceDistances`]. Costs n₁ · |L| distances.
pub(crate) fn measured_path<T: Scalar>(
    (target, source): (&ArrayRef2<T>, &ArrayRef2<T>),
    prototypes: &[Prototype],
    path: &RepresentationPath,
    kernel: &dyn Kernel<T>,
) -> Result<RepresentationPath> {
    let checked = CheckedPair::new(target, source)?;
    let (target, source) = checked.rows();
    check_length("the path", path.nearest.len(), target.n_rows())?;
    let rows = prototype_rows(source, prototypes)?.concat();
    let distances = SourceDistances::new(kernel, Rows::new(&rows, source.n_columns()));
    let squared = parallel::map(0..target.n_rows(), |row| {
        let mut values = vec![0.0; prototypes.len()];
        distances.of_row(target.row(row), 0, &mut values);
        let from =
            |nearest: Option<usize>| nearest.and_then(|at| values.get(at)).map_or(f64::NAN, |value| value * value);
        let changes = path.changes.of_row(row).map(|change| NearestChange { distance: from(change.nearest), ..change });
        (from(path.nearest[row]), changes.collect::<Vec<_>>())
    });
    let mut measured = RepresentationPath { distances: Vec::new(), changes: NearestChanges::default(), ..path.clone() };
    for (distance, changes) in squared {
        measured.distances.push(distance);
        measured.changes.push_row(changes.into_iter());
    }
    Ok(measured)
}

/// The nearest prototype of each target row, at every size, among those that may represent it.
fn follow<T: Scalar>(
    (target, source): (&ArrayRef2<T>, &ArrayRef2<T>),
    prototypes: &[Prototype],
    weights_path: &[&[f64]],
    may_represent: &(dyn Fn(usize, usize) -> bool + Sync),
    kernel: &dyn Kernel<T>,
    observer: &mut dyn Observer,
) -> Result<RepresentationPath> {
    let checked = CheckedPair::new(target, source)?;
    let (target, source) = checked.rows();
    let rows = prototype_rows(source, prototypes)?;
    if weights_path.len() > rows.len() {
        return Err(Error::WrongLength {
            name: "the path of weights",
            given: weights_path.len(),
            expected: rows.len(),
        });
    }
    let mut n_before = 0;
    for weights in weights_path {
        if weights.len() <= n_before || weights.len() > rows.len() {
            let expected = (n_before + 1).min(rows.len());
            return Err(Error::WrongLength { name: "an entry of the path of weights", given: weights.len(), expected });
        }
        n_before = weights.len();
    }
    let prototypes_near = NearestPrototypes::new(kernel, rows);
    let mut path = RepresentationPath {
        nearest: Vec::with_capacity(target.n_rows()),
        distances: Vec::with_capacity(target.n_rows()),
        n_represented: weights_path.iter().map(|weights| vec![0; weights.len()]).collect(),
        changes: NearestChanges::default(),
    };
    for round in rounds(target.n_rows()) {
        check_cancelled(observer.on_progress(Stage::Representation, round.start as u64, target.n_rows() as u64))?;
        let along =
            |row: usize| prototypes_near.along(target.row(row), prototypes, weights_path, &|at| may_represent(row, at));
        for NearestAlongPath { nearest, distance, changes } in parallel::map(round, along) {
            path.nearest.push(nearest);
            path.distances.push(distance);
            let ends = changes.iter().skip(1).map(|(at, _)| *at).chain([weights_path.len()]);
            for ((start, change), end) in changes.iter().zip(ends) {
                let Some(index) = change.nearest else { continue };
                path.n_represented[*start..end].iter_mut().for_each(|counts| counts[index] += 1);
            }
            path.changes.push_row(changes.into_iter().map(|(_, change)| change));
        }
    }
    Ok(path)
}

/// The prototypes' rows, with their similarity to themselves.
struct NearestPrototypes<'a, T: Scalar> {
    kernel: &'a dyn Kernel<T>,
    rows: Vec<&'a [T]>,
    diagonal: Vec<f64>,
}

/// The nearest prototypes of one target row.
struct NearestAlongPath {
    nearest: Option<usize>,
    distance: f64,
    /// The entries of the path at which it changes.
    changes: Vec<(usize, NearestChange)>,
}

impl<'a, T: Scalar> NearestPrototypes<'a, T> {
    fn new(kernel: &'a dyn Kernel<T>, rows: Vec<&'a [T]>) -> Self {
        let diagonal = rows.iter().map(|row| kernel.evaluate(row, row)).collect();
        NearestPrototypes { kernel, rows, diagonal }
    }

    /// ‖φ(x) − φ(zⱼ)‖² without k(x, x), which is the same for all prototypes.
    fn distance(&self, x: &[T], index: usize) -> f64 {
        let mut similarity = [0.0];
        // Computed as in `represent`, so that both agree to the last bit.
        column(self.kernel, Rows::new(x, x.len()), self.rows[index], &mut similarity);
        self.diagonal[index] - 2.0 * similarity[0]
    }

    fn along(
        &self,
        x: &[T],
        prototypes: &[Prototype],
        weights_path: &[&[f64]],
        may_represent: &dyn Fn(usize) -> bool,
    ) -> NearestAlongPath {
        let distances: Vec<f64> = (0..self.rows.len()).map(|index| self.distance(x, index)).collect();
        let nearer = |best: usize, other: usize| if distances[other] < distances[best] { other } else { best };
        let among = |weight: &dyn Fn(usize) -> f64, size: usize| {
            (0..size).filter(|&index| weight(index) > 0.0 && may_represent(index)).reduce(nearer)
        };
        let own = self.kernel.evaluate(x, x);
        let own = if own.is_finite() { own } else { 0.0 };
        let distance_from = |nearest: Option<usize>| nearest.map_or(f64::NAN, |index| own + distances[index]);
        // If all prototypes have a weight, only the newest can be nearer than the nearest so far.
        let (mut best, mut n_seen) = (None, 0);
        let mut changes: Vec<(usize, NearestChange)> = Vec::new();
        for (at, weights) in weights_path.iter().enumerate() {
            for newest in (n_seen..weights.len()).filter(|newest| may_represent(*newest)) {
                best = Some(best.map_or(newest, |best| nearer(best, newest)));
            }
            n_seen = weights.len();
            let now = best.filter(|best| weights[*best] > 0.0).or_else(|| among(&|index| weights[index], n_seen));
            if changes.last().is_none_or(|(_, change)| change.nearest != now) {
                let change = NearestChange { n_prototypes: n_seen, nearest: now, distance: distance_from(now) };
                changes.push((at, change));
            }
        }
        let nearest = among(&|index| prototypes[index].weight, prototypes.len());
        NearestAlongPath { nearest, distance: distance_from(nearest), changes }
    }
}

/// Target rows between two calls of the observer.
fn rounds(n_rows: usize) -> impl Iterator<Item = std::ops::Range<usize>> {
    (0..n_rows).step_by(ROUND).map(move |start| start..n_rows.min(start + ROUND))
}

/// The rows of the prototypes.
pub(crate) fn prototype_rows<'a, T: Scalar>(source: Rows<'a, T>, prototypes: &[Prototype]) -> Result<Vec<&'a [T]>> {
    let n_rows = source.n_rows();
    let row = |prototype: &Prototype| match prototype.source_index {
        source_index if source_index < n_rows => Ok(source.row(source_index)),
        source_index => Err(Error::NotThisSource { source_index, rows: n_rows }),
    };
    prototypes.iter().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Gaussian, Params, Unobserved, select};
    use ndarray::Array2;

    #[test]
    fn measured_distances_do_not_saturate() {
        let rows = Array2::from_shape_fn((40, 2), |(i, j)| (i * i + j) as f64);
        let kernel = Gaussian::new(1.0).unwrap();
        let selection = select(&rows, &rows, &kernel, &Params::new(4)).unwrap();
        let weights: Vec<&[f64]> = (1..=4).map(|size| selection.weights_at(size).unwrap()).collect();
        let prototypes = &selection.prototypes;
        let path = represent_path(&rows, &rows, prototypes, &weights, &kernel, &mut Unobserved).unwrap();
        assert!(path.distances.iter().all(|distance| *distance <= 2.0));
        let measured = measured_path((&rows, &rows), prototypes, &path, &kernel).unwrap();
        assert_eq!((&measured.nearest, &measured.n_represented), (&path.nearest, &path.n_represented));
        for row in 0..40 {
            let expected = |nearest: Option<usize>| {
                let prototype = rows.row(prototypes[nearest.unwrap()].source_index);
                rows.row(row).iter().zip(prototype).map(|(x, z)| (x - z).powi(2)).sum::<f64>()
            };
            let near = |found: f64, expected: f64| (found - expected).abs() <= 1e-9 * expected;
            assert!(near(measured.distances[row], expected(path.nearest[row])));
            let changes = measured.changes.of_row(row);
            assert!(changes.into_iter().all(|change| near(change.distance, expected(change.nearest))));
        }
        let short = RepresentationPath { nearest: vec![None], ..path };
        assert!(measured_path((&rows, &rows), prototypes, &short, &kernel).is_err());
    }

    #[test]
    fn each_prefix_of_the_path_is_a_representation() {
        let rows = Array2::from_shape_fn((57, 2), |(i, j)| ((i * 31 + j * 17) % 23) as f64 / 3.0);
        let kernel = Gaussian::new(1.5).unwrap();
        let selection = select(&rows, &rows, &kernel, &Params::new(9)).unwrap();
        let mut path: Vec<Vec<f64>> = (1..=9).map(|size| selection.weights_at(size).unwrap().to_vec()).collect();
        // A prototype without weight in one prefix is skipped in that prefix only.
        path[5][2] = 0.0;
        let weights: Vec<&[f64]> = path.iter().map(Vec::as_slice).collect();
        let found = represent_path(&rows, &rows, &selection.prototypes, &weights, &kernel, &mut Unobserved).unwrap();
        let whole = represent(&rows, &rows, &selection.prototypes, &kernel, &mut Unobserved).unwrap();
        assert_eq!((&found.nearest, found.n_represented.last()), (&whole.nearest, Some(&whole.n_represented)));
        for (weights, counts) in path.iter().zip(&found.n_represented) {
            let of_size = |(prototype, weight): (&Prototype, &f64)| Prototype { weight: *weight, ..*prototype };
            let prototypes: Vec<Prototype> = selection.prototypes.iter().zip(weights).map(of_size).collect();
            let alone = represent(&rows, &rows, &prototypes, &kernel, &mut Unobserved).unwrap();
            assert_eq!(counts, &alone.n_represented);
            for (row, nearest) in alone.nearest.iter().enumerate() {
                let until = found.changes.of_row(row).take_while(|change| change.n_prototypes <= weights.len());
                let change = until.last().unwrap();
                assert_eq!(change.nearest, *nearest);
                let prototype = rows.row(prototypes[nearest.unwrap()].source_index).to_vec();
                let similar = kernel.evaluate(&rows.row(row).to_vec(), &prototype);
                assert!((change.distance - (2.0 - 2.0 * similar)).abs() < 1e-12);
            }
        }
        // Sizes may be left out.
        let some = [weights[1], weights[5], weights[8]];
        let sparse = represent_path(&rows, &rows, &selection.prototypes, &some, &kernel, &mut Unobserved).unwrap();
        let expected: Vec<&Vec<usize>> = [1, 5, 8].iter().map(|at| &found.n_represented[*at]).collect();
        assert_eq!(sparse.n_represented.iter().collect::<Vec<_>>(), expected);
        let n_changes = (0..57).map(|row| found.changes.of_row(row).count()).sum::<usize>();
        assert!((2 * 57..6 * 57).contains(&n_changes), "{n_changes}");
        assert_eq!(found.changes.of_row(57).count(), 0);
        for (row, nearest) in found.nearest.iter().enumerate() {
            assert_eq!(found.changes.of_row(row).last().map(|change| change.nearest), Some(*nearest));
            let prototype = rows.row(selection.prototypes[nearest.unwrap()].source_index).to_vec();
            let similar = kernel.evaluate(&rows.row(row).to_vec(), &prototype);
            assert!((found.distances[row] - (2.0 - 2.0 * similar)).abs() < 1e-12);
        }
    }
}
