//! K-means, beyond the paper: the rows nearest to the centres of clusters.
//!
//! The start is k-means++ (D. Arthur and S. Vassilvitskii, "k-means++: the advantages of careful seeding", SODA 2007), the
//! rest S. P. Lloyd's method ("Least squares quantization in PCM", IEEE Transactions on Information Theory 28, 1982).

mod lloyd;

use std::borrow::Cow;

use self::lloyd::{Clustering, cluster};
use crate::distinct::first_of_equal_rows;
use crate::error::{Error, Result};
use crate::kernel::{BuiltInKernel, Kernel};
use crate::observe::Observer;
use crate::problem::{SelectionProblem, StoppingRule};
use crate::rows::{Rows, Scalar, length};

/// The source rows nearest to the centres of k-means, those of the largest clusters first.
///
/// If the source is the target, its rows have the target weights.
pub(super) fn choose<T: Scalar>(
    problem: SelectionProblem<'_, T>,
    stop: StoppingRule,
    observer: &mut dyn Observer,
) -> Result<Vec<usize>> {
    let SelectionProblem { source, kernel, params, .. } = problem;
    let n_centres = stop.n_prototypes.ok_or(Error::NumberOfMedoidsNeeded)?;
    let weights = match problem.source_weights() {
        Some(weights) => Cow::Borrowed(weights),
        None => Cow::Owned(vec![1.0; source.n_rows()]),
    };
    check_averages(kernel)?;
    if matches!(kernel.built_in(), Some(BuiltInKernel::Cosine(_))) {
        let normalised = of_unit_length(source);
        let rows = Rows::new(&normalised, source.n_columns());
        let found = cluster(rows, &weights, (n_centres, params.seed), observer)?;
        return Ok(nearest_rows(&found, rows));
    }
    let found = cluster(source, &weights, (n_centres, params.seed), observer)?;
    Ok(nearest_rows(&found, source))
}

/// Refuses kernels whose rows are not points that have a mean.
fn check_averages<T: Scalar>(kernel: &dyn Kernel<T>) -> Result<()> {
    match kernel.built_in() {
        None if kernel.sparse().is_some() => Err(Error::NoClusterMeans { kernel: "keeping rows sparse" }),
        None => Err(Error::NoClusterMeans { kernel: "a kernel matrix or a custom kernel" }),
        Some(kernel) if kernel.definition().compares_codes => {
            Err(Error::NoClusterMeans { kernel: "a kernel that compares codes" })
        }
        Some(_) => Ok(()),
    }
}

/// The rows divided by their lengths; rows of zeros stay.
fn of_unit_length<T: Scalar>(rows: Rows<'_, T>) -> Vec<f64> {
    let mut values = Vec::with_capacity(rows.values().len());
    for row in rows.iter() {
        let length = length(row);
        let divisor = if length > 0.0 { length } else { 1.0 };
        values.extend(row.iter().map(|value| value.to_f64() / divisor));
    }
    values
}

/// For each centre the nearest row that no centre before it has, the centres of the heaviest clusters first.
fn nearest_rows<T: Scalar>(found: &Clustering, rows: Rows<'_, T>) -> Vec<usize> {
    let mut is_open = first_of_equal_rows(rows);
    let mut order: Vec<usize> = (0..found.n_centres()).collect();
    order.sort_by(|a, b| found.sizes[*b].total_cmp(&found.sizes[*a]).then(a.cmp(b)));
    let nearest_of = |centre: usize| {
        let nearest = lloyd::nearest_open_row(rows, found.centre(centre), &is_open)?;
        is_open[nearest] = false;
        Some(nearest)
    };
    order.into_iter().filter_map(nearest_of).collect()
}

#[cfg(test)]
mod tests;
