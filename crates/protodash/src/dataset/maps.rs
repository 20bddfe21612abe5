//! What a page shows of a data set: places in two dimensions, neighbours, similarities and distances from prototypes.

use ndarray::Array2;

use super::Dataset;
use crate::error::{Error, Result};
use crate::kernel_map::{KernelMap, KernelMapRows, kernel_map};
use crate::neighbour_map::{NeighbourMap, nearest_rows, neighbour_map};
use crate::representation::{RepresentationPath, measured_path};
use crate::selection::Prototype;
use crate::similarity::kernel_cosines;

impl Dataset<'_> {
    /// The same path with squared distances that do not depend on the kernel's bandwidth, as [`baseline`](crate::baseline()) measures
    /// them: Euclidean, for codes the share that differs, and for kernels that are not functions of the columns their own.
    ///
    /// # Errors
    ///
    /// If a matrix is empty or not finite, if a prototype is not a row of the source, or if the path is of other rows.
    ///
    /// # Examples
    ///
    /// ```
    /// use ndarray::array;
    /// use protodash::{Dataset, KernelSpec, Prototype, Unobserved};
    ///
    /// let dataset = Dataset::from_f64(array![[0.0], [3.0], [90.0]], None, &KernelSpec::new("gaussian")?, 0)?;
    /// let prototypes = [Prototype { source_index: 0, weight: 1.0, share: 1.0, gain: 0.0 }];
    /// let path = dataset.represent_path(&prototypes, &[&[1.0]], &mut Unobserved)?;
    /// assert!(path.distances[2] <= 2.0); // as for every pair of rows that have nothing in common
    /// assert_eq!(dataset.measured_path(&prototypes, &path)?.distances, [0.0, 9.0, 8100.0]);
    /// # Ok::<(), protodash::Error>(())
    /// ```
    pub fn measured_path(&self, prototypes: &[Prototype], path: &RepresentationPath) -> Result<RepresentationPath> {
        on_rows!(self, |target, source, kernel| measured_path((target, source), prototypes, path, kernel))
    }

    /// k(x, z) / √(k(x, x) k(z, z)) for each pair of these source rows: 1 for equal rows, 0 for unrelated ones.
    ///
    /// # Errors
    ///
    /// If one is not a row of the source.
    ///
    /// # Examples
    ///
    /// ```
    /// use ndarray::array;
    /// use protodash::{Dataset, KernelSpec};
    ///
    /// let dataset = Dataset::from_f64(array![[3.0, 4.0], [6.0, 8.0], [4.0, -3.0]], None, &KernelSpec::new("linear")?, 0)?;
    /// assert_eq!(dataset.source_similarities(&[0, 1, 2])?, array![[1.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 1.0]]);
    /// # Ok::<(), protodash::Error>(())
    /// ```
    pub fn source_similarities(&self, rows: &[usize]) -> Result<Array2<f64>> {
        on_rows!(self, |_target, source, kernel| kernel_cosines(source, rows, kernel))
    }

    /// Rows in two dimensions as the kernel sees them: kernel principal components of some landmarks among the target.
    ///
    /// `None` if the kernel has no values for pairs of target rows. Costs p·(n + p) kernel values for p landmarks and n rows.
    ///
    /// # Errors
    ///
    /// If a matrix is empty or not finite, or if a row does not exist.
    ///
    /// # Examples
    ///
    /// ```
    /// use ndarray::array;
    /// use protodash::{Dataset, KernelMapRows, KernelSpec};
    ///
    /// let dataset = Dataset::from_f64(array![[0.0], [1.0], [5.0]], None, &KernelSpec::new("linear")?, 0)?;
    /// let rows = KernelMapRows { landmarks: &[0, 1, 2], target: &[0, 1, 2], source: &[2] };
    /// let map = dataset.kernel_map(rows, 0)?.unwrap();
    /// assert_eq!(map.shares.len(), 1); // all on one line
    /// assert!((map.source[0][0] - 3.0).abs() < 1e-9); // the mean is 2
    /// # Ok::<(), protodash::Error>(())
    /// ```
    pub fn kernel_map(&self, rows: KernelMapRows<'_>, seed: u64) -> Result<Option<KernelMap>> {
        on_rows!(self, |target, source, kernel| kernel_map(target, source, rows, kernel, seed))
    }

    /// Rows in two dimensions, similar ones next to each other: t-SNE of some landmarks among the target, with the other rows
    /// between the landmarks nearest to them.
    ///
    /// `None` if the kernel has no values for pairs of target rows. Costs p·(n + 2p) kernel values and 500·p² short steps.
    ///
    /// # Errors
    ///
    /// As for [`kernel_map`](Dataset::kernel_map).
    ///
    /// # Examples
    ///
    /// ```
    /// use ndarray::array;
    /// use protodash::{Dataset, KernelMapRows, KernelSpec};
    ///
    /// let dataset = Dataset::from_f64(array![[0.0], [7.0], [0.0]], None, &KernelSpec::new("linear")?, 0)?;
    /// let rows = KernelMapRows { landmarks: &[0, 1, 2], target: &[0, 1, 2], source: &[] };
    /// let places = dataset.neighbour_map(rows, 0)?.unwrap().target;
    /// assert_eq!(places[0], places[2]);
    /// # Ok::<(), protodash::Error>(())
    /// ```
    pub fn neighbour_map(&self, rows: KernelMapRows<'_>, seed: u64) -> Result<Option<NeighbourMap>> {
        on_rows!(self, |target, source, kernel| neighbour_map(target, source, rows, kernel, seed))
    }

    /// For each of the target rows `asked`, the positions among the target rows `among` of those nearest to it under the
    /// kernel: the `n` nearest other rows, and all that are no farther than the last of them.
    ///
    /// `None` if the kernel has no values for pairs of target rows. Costs a kernel value for each pair.
    ///
    /// # Errors
    ///
    /// If a matrix is empty or not finite, or if a row does not exist.
    ///
    /// # Examples
    ///
    /// ```
    /// use ndarray::array;
    /// use protodash::{Dataset, KernelSpec};
    ///
    /// let dataset = Dataset::from_f64(array![[0.0], [9.0], [1.0]], None, &KernelSpec::new("linear")?, 0)?;
    /// assert_eq!(dataset.nearest_rows(&[0], &[1, 2], 1)?, Some(vec![vec![1]])); // row 2 is second among them
    /// # Ok::<(), protodash::Error>(())
    /// ```
    pub fn nearest_rows(&self, asked: &[usize], among: &[usize], n: usize) -> Result<Option<Vec<Vec<usize>>>> {
        on_rows!(self, |target, _source, kernel| nearest_rows(target, (asked, among), n, kernel))
    }
}
