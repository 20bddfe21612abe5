//! Who stands for whom: the representation at every size, and some rows of each prototype.

use ndarray::Array2;
use protodash::{Error, Kernel, Prototype, RepresentationPath, Scalar, represent_path};

use crate::matrices::Job;
use crate::progress::Progress;

/// Finds the nearest prototype of each target row, at every size.
pub(super) struct Follow<'a> {
    /// The prototypes, in rows of the matrix.
    pub(super) prototypes: &'a [Prototype],
    /// The weights at every size.
    pub(super) weights_path: &'a [Vec<f64>],
    /// Who watches.
    pub(super) progress: &'a mut Progress,
}

impl Job for Follow<'_> {
    type Output = RepresentationPath;

    fn run<T: Scalar, K: Kernel<T>>(
        self,
        target: &Array2<T>,
        source: &Array2<T>,
        kernel: &K,
    ) -> Result<RepresentationPath, Error> {
        // Weights that do not fit the prototypes are those of a damaged file: they say nothing about sizes.
        let fits = self.weights_path.len() <= self.prototypes.len()
            && self.weights_path.iter().enumerate().all(|(at, weights)| weights.len() == at + 1);
        let path: Vec<&[f64]> = self.weights_path.iter().filter(|_| fits).map(Vec::as_slice).collect();
        represent_path(target, source, self.prototypes, &path, kernel, self.progress)
    }
}

/// Some target rows of each prototype, from the nearest to the farthest, evenly spread by rank; never one of `besides`.
pub(super) fn examples(
    path: &RepresentationPath,
    n_prototypes: usize,
    n_examples: usize,
    besides: impl Fn(usize) -> bool,
) -> Vec<Vec<usize>> {
    let mut rows = vec![Vec::new(); n_prototypes];
    for (row, nearest) in path.nearest.iter().enumerate().filter(|(row, _)| !besides(*row)) {
        nearest.iter().for_each(|at| rows[*at].push(row));
    }
    for of_prototype in &mut rows {
        of_prototype.sort_by(|a, b| path.distances[*a].total_cmp(&path.distances[*b]).then(a.cmp(b)));
        *of_prototype = spread(of_prototype, n_examples);
    }
    rows
}

/// As many entries as are wanted, first and last among them.
fn spread(entries: &[usize], wanted: usize) -> Vec<usize> {
    if entries.len() <= wanted {
        return entries.to_vec();
    }
    (0..wanted).map(|at| entries[at * (entries.len() - 1) / wanted.saturating_sub(1).max(1)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_reach_from_the_nearest_to_the_farthest() {
        let path = RepresentationPath {
            nearest: vec![Some(0), Some(1), Some(0), Some(0), Some(0), None],
            distances: vec![0.0, 0.5, 0.3, 0.1, 0.2, f64::NAN],
            n_represented: Vec::new(),
        };
        assert_eq!(examples(&path, 2, 3, |row| row == 0), [vec![3, 4, 2], vec![1]]);
        assert_eq!(examples(&path, 2, 2, |_| false), [vec![0, 2], vec![1]]);
    }

    #[test]
    fn one_example_is_the_nearest() {
        assert_eq!((spread(&[7, 8, 9], 1), spread(&[], 3)), (vec![7], vec![]));
    }
}
