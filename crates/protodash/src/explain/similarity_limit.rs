//! How far a row may be from the nearest source row and still count as similar.

use rand::SeedableRng;
use rand::seq::index;
use rand_chacha::ChaCha8Rng;

use super::ExplainParams;
use crate::baseline::SourceDistances;
use crate::distinct::first_of_equal_rows;
use crate::kernel::Kernel;
use crate::parallel;
use crate::rows::{Rows, Scalar};

/// Maximum number of source rows whose nearest neighbours are measured.
const SAMPLE: usize = 1000;

/// The distance that a given share of the source's distinct rows do not exceed from their nearest neighbour.
pub(super) struct SimilarityLimit {
    /// 0 if no two rows are apart: then nothing says how far is usual, and only an equal row counts as similar.
    pub(super) limit: f64,
}

impl SimilarityLimit {
    /// Copies do not count: if most rows have one, their distance 0 says nothing about how close other rows are.
    pub(super) fn new<T: Scalar>(kernel: &dyn Kernel<T>, source: Rows<'_, T>, params: &ExplainParams) -> Self {
        let is_first = first_of_equal_rows(source);
        let distinct: Vec<usize> = (0..source.n_rows()).filter(|row| is_first[*row]).collect();
        let mut sample = distinct;
        if sample.len() > SAMPLE {
            let mut generator = ChaCha8Rng::seed_from_u64(params.seed);
            let drawn = index::sample(&mut generator, sample.len(), SAMPLE);
            sample = drawn.into_iter().map(|place| sample[place]).collect();
        }
        let distances = SourceDistances::new(kernel, source);
        let per_task = distances.rows_per_task(None);
        let nearest = parallel::map(0..sample.len().div_ceil(per_task), |task| {
            let task = &sample[task * per_task..sample.len().min((task + 1) * per_task)];
            let rows: Vec<&[T]> = task.iter().map(|row| source.row(*row)).collect();
            let least = |distances: Vec<f64>| {
                let others = distances.into_iter().filter(|distance| *distance > 0.0);
                others.fold(f64::INFINITY, f64::min)
            };
            distances.to_each_of(&rows).into_iter().map(least).collect::<Vec<f64>>()
        });
        let mut nearest = nearest.concat();
        nearest.sort_by(f64::total_cmp);
        // The smallest distance that is not exceeded by this share of the rows.
        let place = (params.similar_share * nearest.len() as f64).ceil() as usize;
        let limit = nearest.get(place.clamp(1, nearest.len().max(1)) - 1).copied();
        SimilarityLimit { limit: limit.filter(|limit| limit.is_finite()).unwrap_or(0.0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::Gaussian;

    #[test]
    fn copies_do_not_count() {
        // Distinct rows 0, 1, 3 and 10, whose nearest neighbours are 1, 1, 2 and 7 away.
        let values = [0.0, 0.0, 0.0, 1.0, 1.0, 3.0, 10.0];
        let limit = |similar_share| {
            let params = ExplainParams { similar_share, ..ExplainParams::default() };
            SimilarityLimit::new(&Gaussian::new(1.0).unwrap(), Rows::new(&values, 1), &params).limit
        };
        assert_eq!([0.0, 0.5, 0.51, 0.75, 0.99, 1.0].map(limit), [1.0, 1.0, 2.0, 2.0, 7.0, 7.0]);
        let same = Rows::new(&values[..3], 1);
        let params = ExplainParams::default();
        assert_eq!(SimilarityLimit::new(&Gaussian::new(1.0).unwrap(), same, &params).limit, 0.0);
    }
}
