//! What needs the kernel of the selection: the nearest prototype of each row, how similar the prototypes are, and the map.

use std::collections::HashMap;

use protodash::{Dataset, Error as CoreError, Labels, Observer, Prototype, RepresentationPath, similarity_order};
use protodash_table::RowMap;

use super::criticism_path::{CriticismsOfSize, criticism_path};
use super::map::{KernelPlaces, MapRows};
use crate::document::SelectionDocument;
use crate::selection::PrototypeSimilarity;

/// Maximum number of prototypes whose similarities are shown: the heaviest.
const MOST_COMPARED: usize = 60;

/// What a page shows of the kernel.
///
/// # Examples
///
/// See [`kernel_findings`].
#[derive(Debug, Clone, PartialEq)]
pub struct KernelFindings {
    /// The nearest prototype of each target row at every size, with distances that do not depend on the kernel's bandwidth.
    pub path: RepresentationPath,
    /// How similar the heaviest prototypes are.
    pub similarity: PrototypeSimilarity,
    /// The rows in two dimensions.
    pub places: KernelPlaces,
    /// The criticisms of some smaller sizes, ascending; empty if the result has no criticisms.
    pub criticisms: Vec<CriticismsOfSize>,
}

/// The rows of a selection, as [`kernel_findings`] needs them.
///
/// # Examples
///
/// See [`kernel_findings`].
#[derive(Debug, Clone, Copy)]
pub struct FindingsRows<'a> {
    /// Numbers, ids and labels of source rows.
    pub source: &'a RowMap,
    /// Those of target rows; `None` if the source is the target.
    pub target: Option<&'a RowMap>,
    /// The weight of each target row; `None` if all count the same.
    pub target_weights: Option<&'a [f64]>,
    /// The kernel mean of each source row, if it is known.
    pub kernel_mean: Option<&'a [f64]>,
}

/// The nearest prototype of each target row at every size that a page counts rows for, which for prototypes of classes is
/// the nearest of its class; how similar the prototypes are; the rows in two dimensions; and the criticisms of smaller sizes.
///
/// # Errors
///
/// If the rows do not fit the kernel, or if `observer` cancels.
///
/// # Examples
///
/// ```
/// use ndarray::array;
/// use protodash::{Dataset, KernelSpec, Prototype, Unobserved};
/// use protodash_report::{FindingsRows, SelectionDocument, kernel_findings};
/// use protodash_table::RowMap;
///
/// let dataset = Dataset::from_f64(array![[0.0], [1.0], [5.0], [6.0]], None, &KernelSpec::new("linear")?, 0)?;
/// let prototypes = [1, 3].map(|source_index| Prototype { source_index, weight: 0.5, share: 0.5, gain: 0.0 });
/// let (document, source) = (SelectionDocument::example(), &RowMap::identity(4));
/// let rows = FindingsRows { source, target: None, target_weights: None, kernel_mean: None };
/// let found = kernel_findings(&document, &dataset, &prototypes, rows, &mut Unobserved)?;
/// assert_eq!(found.path.n_represented, [vec![4], vec![2, 2]]);
/// assert_eq!(found.similarity.values, [[1.0, 1.0], [1.0, 1.0]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn kernel_findings(
    document: &SelectionDocument,
    dataset: &Dataset<'_>,
    prototypes: &[Prototype],
    rows: FindingsRows<'_>,
    observer: &mut dyn Observer,
) -> Result<KernelFindings, CoreError> {
    let named = (rows.source, rows.target);
    let criticisms = criticism_path(document, dataset, prototypes, rows, observer)?;
    let path = represented_path(document, dataset, prototypes, named, observer)?;
    Ok(KernelFindings {
        path: dataset.measured_path(prototypes, &path)?,
        similarity: similarity(dataset, prototypes)?,
        places: MapRows::new(document, prototypes, named, &criticisms).kernel_places(dataset, document.seed)?,
        criticisms,
    })
}

/// How similar the heaviest prototypes are, with similar ones next to each other.
fn similarity(dataset: &Dataset<'_>, prototypes: &[Prototype]) -> Result<PrototypeSimilarity, CoreError> {
    let mut places: Vec<usize> = (0..prototypes.len()).filter(|at| prototypes[*at].weight > 0.0).collect();
    // Stable: of equal weights, those chosen first.
    places.sort_by(|a, b| prototypes[*b].weight.total_cmp(&prototypes[*a].weight));
    places.truncate(MOST_COMPARED);
    places.sort_unstable();
    let rows: Vec<usize> = places.iter().map(|at| prototypes[*at].source_index).collect();
    let values = dataset.source_similarities(&rows)?;
    let order = similarity_order(&values);
    let line = |at: &usize| order.iter().map(|other| values[(*at, *other)]).collect();
    Ok(PrototypeSimilarity {
        values: order.iter().map(line).collect(),
        prototypes: order.iter().map(|at| places[*at]).collect(),
    })
}

fn represented_path(
    document: &SelectionDocument,
    dataset: &Dataset<'_>,
    prototypes: &[Prototype],
    (source_rows, target_rows): (&RowMap, Option<&RowMap>),
    observer: &mut dyn Observer,
) -> Result<RepresentationPath, CoreError> {
    let path = document.written_weights(prototypes.len());
    if document.per_label.is_none() {
        return dataset.represent_path(prototypes, &path, observer);
    }
    let mut numbers: HashMap<Option<String>, usize> = HashMap::new();
    let mut numbered = |rows: &RowMap| -> Vec<usize> {
        let number = |row: usize| {
            let next = numbers.len();
            *numbers.entry(rows.label(row).map(str::to_owned)).or_insert(next)
        };
        (0..rows.len()).map(number).collect()
    };
    let source = numbered(source_rows);
    let target = target_rows.map(&mut numbered);
    let labels = Labels { source: &source, target: target.as_ref().unwrap_or(&source) };
    dataset.represent_path_per_label(prototypes, &path, labels, observer)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::Array2;
    use protodash::KernelSpec;

    #[test]
    fn the_heaviest_prototypes_are_compared_and_those_without_weight_are_not() {
        let rows = Array2::from_shape_fn((90, 1), |(row, _)| row as f64);
        let dataset = Dataset::from_f64(rows, None, &KernelSpec::new("gaussian").unwrap(), 0).unwrap();
        let prototype = |at: usize| Prototype { source_index: at, weight: (at % 80) as f64, share: 0.0, gain: 0.0 };
        let prototypes: Vec<Prototype> = (0..90).map(prototype).collect();
        let found = similarity(&dataset, &prototypes).unwrap();
        assert_eq!(found.prototypes.len(), MOST_COMPARED);
        assert!(found.prototypes.iter().all(|at| prototypes[*at].weight >= 20.0));
        let few = similarity(&dataset, &prototypes[79..82]).unwrap();
        assert_eq!((few.prototypes, few.values.len()), (vec![0, 2], 2));
    }
}
