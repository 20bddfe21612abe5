//! The work of a kernel mean in parts, which may be computed in different processes and give the bits of the whole.

use super::block::{ErrorBound, add};
use super::{Precision, Target, averaged, collapsed_pairs, cross, loops_of, needs_pairs, separable_sums, symmetric};
use crate::cluster::ClusterError;
use crate::error::{Error, Result};
use crate::kernel::Kernel;
use crate::observe::{Observer, Stage};
use crate::rows::{Rows, Scalar};
use crate::simd::InstructionSet;

/// Rows for which a part is worth its cost: reading the data, and storing a sum for each row.
const ROWS_PER_PART: usize = 4096;
/// Maximum number of parts. The last bits of results depend on it where the target is the source.
const MOST_PARTS: usize = 64;

/// Pairs for which a part of another source is worth its cost. It may have fewer rows: how many there are decides no bit.
const PAIRS_PER_PART: f64 = (1_u32 << 28) as f64;
/// Maximum number of parts of another source.
const MOST_CROSS_PARTS: usize = 256;

/// Sums over some of the pairs, for consecutive rows. All parts added in order are the sums over all pairs.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct MeanPart {
    /// The first of the rows.
    pub(crate) first: usize,
    pub(crate) sums: Vec<f64>,
}

/// Number of parts for this many distinct source rows.
pub(super) fn n_parts(n_rows: usize) -> usize {
    (n_rows / ROWS_PER_PART).clamp(1, MOST_PARTS)
}

/// Number of parts for this many distinct rows of the target and of another source.
pub(super) fn n_cross_parts(n_target: usize, n_source: usize) -> usize {
    let by_pairs = (n_target as f64 * n_source as f64 / PAIRS_PER_PART) as usize;
    n_parts(n_source).max(by_pairs.min(MOST_CROSS_PARTS).min(n_source))
}

fn n_parts_of<T: Scalar>(target: Target<'_, T>, other: Option<Rows<'_, T>>) -> usize {
    let n_target = target.rows.n_rows();
    other.map_or_else(|| n_parts(n_target), |source| n_cross_parts(n_target, source.n_rows()))
}

/// Number of parts of a kernel mean; 0 if it is computed without pairs, and not in parts.
pub(crate) fn n_mean_parts<T: Scalar>(target: Target<'_, T>, source: Rows<'_, T>, kernel: &dyn Kernel<T>) -> usize {
    if !needs_pairs(kernel, target) {
        return 0;
    }
    collapsed_pairs(target, source, n_parts_of).0
}

/// One part of a kernel mean that needs pairs.
pub(crate) fn mean_part<T: Scalar>(
    target: Target<'_, T>,
    source: Rows<'_, T>,
    kernel: &dyn Kernel<T>,
    (precision, part): (Precision, usize),
    (stage, observer): (Stage, &mut dyn Observer),
) -> Result<MeanPart> {
    let arithmetic = (InstructionSet::best(), precision);
    let (part, _) = collapsed_pairs(target, source, |target, other| {
        let loops = loops_of(target, other, kernel, arithmetic);
        let (n_target, n_columns) = (target.rows.n_rows(), target.rows.n_columns());
        match other {
            None => symmetric::part_of_sums(&*loops, (n_target, n_columns), part, (stage, observer)),
            Some(source) => {
                cross::part_of_sums(&*loops, (n_target, source.n_rows(), n_columns), part, (stage, observer))
            }
        }
    });
    part
}

/// The kernel mean whose parts are given, with a bound on the error; without pairs it is computed here.
///
/// # Errors
///
/// [`ClusterError::OtherParts`] if the parts are not those of these data.
pub(crate) fn mean_of_parts<T: Scalar>(
    target: Target<'_, T>,
    source: Rows<'_, T>,
    kernel: &dyn Kernel<T>,
    (precision, parts): (Precision, &[MeanPart]),
    (stage, observer): (Stage, &mut dyn Observer),
) -> Result<(Vec<f64>, ErrorBound)> {
    if let Some(sums) = separable_sums(target, source, kernel, (stage, observer))? {
        return Ok((averaged(sums, target), ErrorBound::default()));
    }
    let arithmetic = (InstructionSet::best(), precision);
    let (joined, collapsed) = collapsed_pairs(target, source, |target, other| {
        let n_rows = other.unwrap_or(target.rows).n_rows();
        let error = loops_of(target, other, kernel, arithmetic).error();
        joined(parts, n_parts_of(target, other), n_rows).map(|sums| (sums, error))
    });
    let (sums, error) = joined?;
    let sums = if let Some(collapsed) = collapsed { collapsed.expand(&sums) } else { sums };
    Ok((averaged(sums, target), error))
}

/// The sums of all parts, of which so many are expected.
fn joined(parts: &[MeanPart], expected: usize, n_rows: usize) -> Result<Vec<f64>> {
    let found = parts.len();
    let fit = |part: &MeanPart| part.first.checked_add(part.sums.len()).is_some_and(|end| end <= n_rows);
    if found != expected || !parts.iter().all(fit) {
        return Err(Error::Cluster(ClusterError::OtherParts { found, expected, n_rows }));
    }
    let mut sums = vec![0.0; n_rows];
    parts.iter().for_each(|part| add(&mut sums[part.first..part.first + part.sums.len()], &part.sums));
    Ok(sums)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::{Gaussian, Laplacian, Linear};
    use crate::kernel_mean::mean_in;
    use crate::observe::Unobserved;

    /// Rows of two columns, of which some are equal if `n_distinct` is less than their number.
    fn values(n_rows: usize, n_distinct: usize) -> Vec<f32> {
        let value = |i: usize| ((i % (2 * n_distinct)) as f32 * 0.37).sin() * 3.0;
        (0..2 * n_rows).map(value).collect()
    }

    fn check(target: &[f32], source: Option<&[f32]>, kernel: &dyn Kernel<f32>, expected_parts: usize) {
        let target = Target { rows: Rows::new(target, 2), weights: None };
        let source = source.map_or(target.rows, |source| Rows::new(source, 2));
        assert_eq!(n_mean_parts(target, source, kernel), expected_parts);
        for precision in [Precision::Single, Precision::Double] {
            let whole = mean_in(precision, target, source, kernel, (Stage::KernelMean, &mut Unobserved)).unwrap();
            let part = |part| {
                let watch: (Stage, &mut dyn Observer) = (Stage::KernelMean, &mut Unobserved);
                mean_part(target, source, kernel, (precision, part), watch).unwrap()
            };
            // In another order, as tasks end.
            let mut parts: Vec<_> = (0..expected_parts).rev().map(part).collect();
            parts.reverse();
            let watch: (Stage, &mut dyn Observer) = (Stage::KernelMean, &mut Unobserved);
            let found = mean_of_parts(target, source, kernel, (precision, &parts), watch).unwrap();
            let bits = |means: &[f64]| means.iter().map(|mean| mean.to_bits()).collect::<Vec<_>>();
            assert_eq!(bits(&found.0), bits(&whole.0));
            assert_eq!(found.1, whole.1);
        }
    }

    #[test]
    fn parts_of_a_target_that_is_the_source_have_the_bits_of_the_whole() {
        let rows = values(13_000, 13_000);
        check(&rows, None, &Gaussian::new(1.0).unwrap(), 3);
        check(&rows, None, &Laplacian::new(1.0).unwrap(), 3);
        check(&rows, None, &Linear, 0);
    }

    #[test]
    fn parts_of_repeated_rows_are_those_of_distinct_rows() {
        check(&values(20_000, 9000), None, &Gaussian::new(1.0).unwrap(), 2);
        check(&values(2000, 900), Some(&values(20_000, 9000)), &Gaussian::new(1.0).unwrap(), 2);
    }

    #[test]
    fn parts_of_another_source_have_the_bits_of_the_whole() {
        check(&values(3000, 3000), Some(&values(9001, 9001)), &Gaussian::new(1.0).unwrap(), 2);
        check(&values(9001, 9001), Some(&values(30, 30)), &Gaussian::new(1.0).unwrap(), 1);
    }

    #[test]
    fn a_large_target_has_more_parts_than_its_source_alone() {
        assert_eq!(n_cross_parts(780_000, 20_000), 58);
        assert_eq!(n_cross_parts(78_000_000, 2_000_000), MOST_CROSS_PARTS);
        assert_eq!(n_cross_parts(1_000_000_000, 3), 3);
        assert_eq!(n_cross_parts(10, 1), 1);
    }

    #[test]
    fn parts_of_other_data_are_rejected() {
        let part = |first, n_rows| MeanPart { first, sums: vec![1.0; n_rows] };
        assert_eq!(joined(&[part(0, 2), part(1, 1)], 2, 9000).unwrap()[..3], [1.0, 2.0, 0.0]);
        for parts in [vec![part(0, 1)], vec![part(0, 1); 3], vec![part(0, 1), part(8999, 2)]] {
            assert!(matches!(
                joined(&parts, 2, 9000),
                Err(Error::Cluster(ClusterError::OtherParts { expected: 2, .. }))
            ));
        }
        assert!(joined(&[part(usize::MAX, 1), part(0, 1)], 2, 9000).is_err());
    }
}
