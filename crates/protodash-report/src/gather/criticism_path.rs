//! The criticisms of smaller sizes, for the slider of a page.

use protodash::criticisms::{Among, CriticismParams, Definition};
use protodash::{Criticism, Dataset, Error as CoreError, Observer, Prototype};

use super::followed::some_smaller;
use super::kernel_findings::FindingsRows;
use crate::document::SelectionDocument;

/// Maximum number of sizes whose criticisms are found.
const MOST_SIZES: usize = 30;

/// Maximum number of criticisms of all sizes; those of one size are always found.
const MOST_CRITICISMS: usize = 200;

/// Maximum number of scores, one for each row and size: 160 MB.
const MOST_SCORES: usize = 20_000_000;

/// The criticisms of the first prototypes.
///
/// # Examples
///
/// ```
/// use protodash::Criticism;
/// use protodash_report::CriticismsOfSize;
///
/// let found = CriticismsOfSize { n_prototypes: 3, criticisms: vec![Criticism { row: 17, score: 0.2 }] };
/// assert_eq!(found.criticisms[0].row, 17);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct CriticismsOfSize {
    /// The number of prototypes.
    pub n_prototypes: usize,
    /// The rows represented worst, as rows of the matrix, worst first.
    pub criticisms: Vec<Criticism>,
}

/// As many criticisms of some smaller sizes as the result has of the complete run; none if it has none.
pub(super) fn criticism_path(
    document: &SelectionDocument,
    dataset: &Dataset<'_>,
    prototypes: &[Prototype],
    rows: FindingsRows<'_>,
    observer: &mut dyn Observer,
) -> Result<Vec<CriticismsOfSize>, CoreError> {
    let n_criticisms = document.criticisms.len();
    let Some(rule) = document.criticism.as_ref().filter(|_| n_criticisms > 0) else { return Ok(Vec::new()) };
    let mut params = CriticismParams::new(n_criticisms);
    params.definition = match rule.definition.as_str() {
        "distance" => Definition::Distance,
        _ => Definition::Witness { diversity: rule.diversity.unwrap_or(0.0) },
    };
    params.among = if rule.among == "target" { Among::Target } else { Among::Source };
    params.target_weights = rows.target_weights.map(<[f64]>::to_vec);
    params.kernel_mean = rows.kernel_mean.map(<[f64]>::to_vec);
    let known = document.written_weights(prototypes.len());
    let searched = if params.among == Among::Target { rows.target.unwrap_or(rows.source) } else { rows.source };
    let sizes: Vec<usize> = known.iter().map(|weights| weights.len()).collect();
    let most = (MOST_CRITICISMS / n_criticisms).min(MOST_SCORES / searched.len().max(1)).clamp(1, MOST_SIZES - 1);
    let asked = some_smaller(&sizes, most);
    let path: Vec<&[f64]> = known.into_iter().filter(|weights| asked.contains(&weights.len())).collect();
    let found = dataset.criticize_path(prototypes, &path, &params, observer)?;
    let of_size =
        |(weights, criticisms): (&&[f64], Vec<Criticism>)| CriticismsOfSize { n_prototypes: weights.len(), criticisms };
    Ok(path.iter().zip(found).map(of_size).collect())
}
