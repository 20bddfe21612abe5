//! Probabilities of classes from the distances to their nearest prototypes.

use ndarray::{Array2, ArrayRef2};

use super::{Labelled, check_labels};
use crate::error::{Error, Result, Role};
use crate::kernel::Kernel;
use crate::kernel_mean::fold_columns;
use crate::representation::prototype_rows;
use crate::rows::{CheckedPair, Scalar};
use crate::selection::Prototype;

/// A squared distance below this fraction of k(x, x) is rounding: the row is a copy of the prototype.
const SAME_ROW: f64 = 1e-12;

/// The probability of each class for each target row, from the distance to the nearest prototype of the class.
///
/// # Formula
///
/// ```text
/// p(c | x) ∝ 1 / d_c²,   d_c² = min over prototypes zⱼ of class c of k(x, x) + k(zⱼ, zⱼ) − 2 k(x, zⱼ)
/// ```
///
/// over the prototypes with positive weight. A class without one has probability 0, and a row that is a copy of a prototype
/// belongs to its class. The most probable class is that of the nearest prototype. If no prototype has weight, all
/// probabilities are 0. Classes are numbered from 0; column c of the result belongs to class c. Costs n₁ · |L| kernel values.
///
/// # Errors
///
/// If a matrix is empty or not finite, if their numbers of columns differ, if a prototype is not a row of the source, if
/// there is not one label for each source row, or [`Error::OutOfRange`] if a prototype's label is not below `n_classes`.
///
/// # Examples
///
/// ```
/// use ndarray::array;
/// use protodash::{Labelled, Linear, Prototype, class_probabilities};
///
/// let (source, target) = (array![[0.0], [4.0]], array![[2.0], [4.0]]);
/// let prototype = |source_index| Prototype { source_index, weight: 0.5, share: 0.5, gain: 0.0 };
/// let source = Labelled { rows: &source, labels: &[0, 2] };
/// let found = class_probabilities(&target, source, &[prototype(0), prototype(1)], 3, &Linear)?;
/// assert_eq!(found, array![[0.5, 0.0, 0.5], [0.0, 0.0, 1.0]]); // half-way between both; a copy of 4
/// # Ok::<(), protodash::Error>(())
/// ```
pub fn class_probabilities<T: Scalar>(
    target: &ArrayRef2<T>,
    source: Labelled<'_, T>,
    prototypes: &[Prototype],
    n_classes: usize,
    kernel: &dyn Kernel<T>,
) -> Result<Array2<f64>> {
    let checked = CheckedPair::new(target, source.rows)?;
    let (target, source_rows) = checked.rows();
    check_labels(source.labels, source_rows, Role::Source)?;
    let rows = prototype_rows(source_rows, prototypes)?;
    let mut members: Vec<Vec<usize>> = vec![Vec::new(); n_classes];
    for (position, prototype) in prototypes.iter().enumerate().filter(|(_, prototype)| prototype.weight > 0.0) {
        let label = source.labels[prototype.source_index];
        let class = members.get_mut(label).ok_or_else(|| Error::OutOfRange {
            name: "the class of a prototype",
            value: label.to_string(),
            allowed: "below the number of classes",
        })?;
        class.push(position);
    }
    let own: Vec<f64> = target.iter().map(|row| kernel.evaluate(row, row)).collect();
    let mut nearest = Array2::from_elem((target.n_rows(), n_classes), f64::INFINITY);
    for (class, members) in members.iter().enumerate() {
        let of_class: Vec<&[T]> = members.iter().map(|&position| rows[position]).collect();
        let diagonal: Vec<f64> = of_class.iter().map(|row| kernel.evaluate(row, row)).collect();
        let nearer = |least: f64, position: usize, similarity: f64| least.min(diagonal[position] - 2.0 * similarity);
        let folded = fold_columns(kernel, target, &of_class, f64::INFINITY, nearer);
        for ((place, least), own) in nearest.column_mut(class).iter_mut().zip(folded).zip(&own) {
            let square = own + least;
            *place = if square <= SAME_ROW * own.abs() { 0.0 } else { square };
        }
    }
    for mut squares in nearest.rows_mut() {
        let is_copy = squares.iter().any(|square| *square == 0.0);
        squares.mapv_inplace(|square| if is_copy { f64::from(u8::from(square == 0.0)) } else { 1.0 / square });
        let total = squares.sum();
        if total > 0.0 {
            squares.mapv_inplace(|vote| vote / total);
        }
    }
    Ok(nearest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Gaussian, Linear, Unobserved, represent};
    use ndarray::array;

    fn prototype(source_index: usize, weight: f64) -> Prototype {
        Prototype { source_index, weight, share: 0.0, gain: 0.0 }
    }

    #[test]
    fn the_most_probable_class_is_that_of_the_nearest_prototype() {
        let source = Array2::from_shape_fn((12, 2), |(row, column)| ((row * 7 + column * 3) % 11) as f64 * 0.37);
        let target = Array2::from_shape_fn((40, 2), |(row, column)| ((row * 5 + column * 13) % 17) as f64 * 0.23);
        let labels: Vec<usize> = (0..12).map(|row| row % 3).collect();
        let chosen: Vec<Prototype> = (0..6).map(|row| prototype(2 * row, 0.1)).collect();
        let kernel = Gaussian::new(1.3).unwrap();
        let labelled = Labelled { rows: &source, labels: &labels };
        let found = class_probabilities(&target, labelled, &chosen, 3, &kernel).unwrap();
        let nearest = represent(&target, &source, &chosen, &kernel, &mut Unobserved).unwrap().nearest;
        for (probabilities, nearest) in found.rows().into_iter().zip(nearest) {
            let class = labels[chosen[nearest.unwrap()].source_index];
            assert!((probabilities.sum() - 1.0).abs() < 1e-12);
            assert!(probabilities.iter().all(|other| *other <= probabilities[class]), "{probabilities}, {class}");
        }
    }

    #[test]
    fn prototypes_without_weight_have_no_say() {
        let (source, target) = (array![[0.0], [4.0]], array![[0.0]]);
        let labelled = Labelled { rows: &source, labels: &[0, 1] };
        let found = class_probabilities(&target, labelled, &[prototype(0, 0.0), prototype(1, 1.0)], 2, &Linear);
        assert_eq!(found, Ok(array![[0.0, 1.0]]));
        let found = class_probabilities(&target, labelled, &[prototype(0, 0.0)], 2, &Linear);
        assert_eq!(found, Ok(array![[0.0, 0.0]]));
    }

    #[test]
    fn a_class_beyond_the_number_of_classes_is_rejected() {
        let rows = array![[0.0], [4.0]];
        let labelled = Labelled { rows: &rows, labels: &[0, 5] };
        let refused = class_probabilities(&rows, labelled, &[prototype(1, 1.0)], 2, &Linear);
        assert!(matches!(refused, Err(Error::OutOfRange { name: "the class of a prototype", .. })));
    }
}
