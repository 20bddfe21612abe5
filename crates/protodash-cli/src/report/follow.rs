//! Who stands for whom: the representation at every size.

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
