//! The matrix product of faer, a peer written in Rust.

use std::time::Instant;

use faer::linalg::matmul::matmul;
use faer::traits::ComplexField;
use faer::{Accum, Mat, MatRef, Par};
use ndarray::Array2;
use serde_json::{Value, json};

use crate::processor_seconds;

/// Block heights to try: small blocks fit in the cache, large ones parallelise better.
const HEIGHTS: [usize; 3] = [512, 2048, 8192];

/// Times X·Xᵀ in blocks of rows, for the block height with the lowest median CPU time.
pub fn measure<T: ComplexField + Copy>(rows: &Array2<T>, n_repeats: usize, n_threads: usize) -> Value {
    let (n_rows, n_columns) = rows.dim();
    let Some(values) = rows.as_slice() else { return Value::Null };
    let matrix = MatRef::from_row_major_slice(values, n_rows, n_columns);
    let parallel = if n_threads == 1 { Par::Seq } else { Par::rayon(n_threads) };
    let one = |height: usize| {
        let mut block = Mat::<T>::zeros(height, n_rows);
        let mut seconds = Vec::new();
        for _ in 0..n_repeats {
            let (start, processor) = (Instant::now(), processor_seconds());
            for first in (0..n_rows).step_by(height) {
                let height = height.min(n_rows - first);
                let x = matrix.subrows(first, height);
                let out = block.as_mut().subrows_mut(0, height);
                matmul(out, Accum::Replace, x, matrix.transpose(), T::one_impl(), parallel);
            }
            seconds.push((start.elapsed().as_secs_f64(), processor_seconds() - processor));
        }
        seconds
    };
    let median = |seconds: &Vec<(f64, f64)>| {
        let mut sorted: Vec<f64> = seconds.iter().map(|(_, processor)| *processor).collect();
        sorted.sort_by(f64::total_cmp);
        sorted[sorted.len() / 2]
    };
    let all = HEIGHTS.map(one);
    let best = all.iter().min_by(|a, b| median(a).total_cmp(&median(b)));
    let (wall, processor): (Vec<f64>, Vec<f64>) = best.into_iter().flatten().copied().unzip();
    json!({ "seconds": wall, "cpu_seconds": processor })
}
