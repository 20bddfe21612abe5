//! Which target rows each prototype stands for. Reads finished prototypes.

use ndarray::ArrayRef2;

use crate::error::{Error, Result};
use crate::kernel::Kernel;
use crate::kernel_mean::fold_columns;
use crate::observe::{Observer, Stage, go_on};
use crate::rows::{CheckedPair, Rows, Scalar};
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
    let checked = CheckedPair::new(target, source)?;
    let (target, source) = checked.rows();
    let rows = prototype_rows(source, prototypes)?;
    let diagonal: Vec<f64> = rows.iter().map(|row| kernel.evaluate(row, row)).collect();
    let weighted: Vec<usize> = (0..rows.len()).filter(|&index| prototypes[index].weight > 0.0).collect();
    let weighted_rows: Vec<&[T]> = weighted.iter().map(|&index| rows[index]).collect();
    let nearer = |best: Option<(usize, f64)>, place: usize, similarity: f64| {
        let distance = diagonal[weighted[place]] - 2.0 * similarity;
        if best.is_some_and(|(_, least)| distance >= least) { best } else { Some((weighted[place], distance)) }
    };
    let mut nearest = Vec::with_capacity(target.n_rows());
    for start in (0..target.n_rows()).step_by(ROUND) {
        go_on(observer.on_progress(Stage::Representation, start as u64, target.n_rows() as u64))?;
        let round = start..target.n_rows().min(start + ROUND);
        let found = fold_columns(kernel, target.slice(round), &weighted_rows, None, nearer);
        nearest.extend(found.into_iter().map(|best| best.map(|(index, _)| index)));
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
