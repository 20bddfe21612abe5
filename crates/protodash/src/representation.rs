//! Which target rows each prototype stands for. Reads finished prototypes.

use ndarray::ArrayRef2;
use rayon::prelude::*;

use crate::error::{Error, Result, Role};
use crate::kernel::Kernel;
use crate::observe::{Observer, Stage, go_on};
use crate::rows::{Checked, Rows, Scalar};
use crate::selection::Prototype;

/// Target rows looked at between two calls of the observer.
const ROUND: usize = 8192;

/// For each target row its nearest prototype, and for each prototype how many rows it is nearest to.
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
    /// For each target row the place of its prototype in the order of choice; `None` if no prototype has a weight.
    pub nearest: Vec<Option<usize>>,
    /// For each prototype the number of target rows that are nearest to it; 0 for those without weight.
    pub n_represented: Vec<usize>,
}

/// Which prototype each target row is nearest to.
///
/// # Formula
///
/// ```text
/// nearest(x) = argminⱼ ‖φ(x) − φ(zⱼ)‖² = argminⱼ k(zⱼ, zⱼ) − 2 k(x, zⱼ)
/// ```
///
/// over the prototypes zⱼ of positive weight. Where the kernel's diagonal is constant this is the most similar one;
/// where it is not (linear, polynomial), the most similar would always be among the longest. Ties go to the prototype
/// chosen first. Costs n₁ · |L| kernel values.
///
/// # Errors
///
/// If a matrix is empty or not finite, if their columns differ in number, if a prototype is not a row of the source,
/// or [`Error::Cancelled`] when the observer stops it.
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
pub fn represent<T: Scalar, K: Kernel<T> + ?Sized>(
    target: &ArrayRef2<T>,
    source: &ArrayRef2<T>,
    prototypes: &[Prototype],
    kernel: &K,
    observer: &mut dyn Observer,
) -> Result<Representation> {
    let (target, source) = (Checked::new(target, Role::Target)?, Checked::new(source, Role::Source)?);
    let (target, source) = (target.rows(), source.rows());
    if target.n_columns() != source.n_columns() {
        return Err(Error::DifferentColumns { target: target.n_columns(), available: source.n_columns() });
    }
    let rows = prototype_rows(source, prototypes)?;
    let diagonal: Vec<f64> = rows.iter().map(|row| kernel.evaluate(row, row)).collect();
    let weighted: Vec<usize> = (0..rows.len()).filter(|&index| prototypes[index].weight > 0.0).collect();
    let nearest_to = |x: &[T]| {
        let distance = |index: usize| diagonal[index] - 2.0 * kernel.evaluate(x, rows[index]);
        let with_distance = weighted.iter().map(|&index| (index, distance(index)));
        with_distance.reduce(|best, other| if other.1 < best.1 { other } else { best }).map(|(index, _)| index)
    };
    let mut nearest = Vec::with_capacity(target.n_rows());
    for start in (0..target.n_rows()).step_by(ROUND) {
        go_on(observer.on_progress(Stage::Representation, start as u64, target.n_rows() as u64))?;
        let round = start..target.n_rows().min(start + ROUND);
        nearest.par_extend(round.into_par_iter().map(|row| nearest_to(target.row(row))));
    }
    let mut n_represented = vec![0; prototypes.len()];
    nearest.iter().flatten().for_each(|&index: &usize| n_represented[index] += 1);
    Ok(Representation { nearest, n_represented })
}

/// The values of each prototype's row.
pub(crate) fn prototype_rows<'a, T: Scalar>(source: Rows<'a, T>, prototypes: &[Prototype]) -> Result<Vec<&'a [T]>> {
    let n_rows = source.n_rows();
    let row = |prototype: &Prototype| match prototype.source_index {
        source_index if source_index < n_rows => Ok(source.row(source_index)),
        source_index => Err(Error::NotThisSource { source_index, rows: n_rows }),
    };
    prototypes.iter().map(row).collect()
}
