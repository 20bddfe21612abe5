//! The memory of a race and of sparse rows, by an allocator that counts.
//!
//! One test at a time, since others would allocate at the same time.
#![allow(clippy::unwrap_used)] // a test that meets an error should fail

mod sparse;

use std::alloc::System;
use std::ops::ControlFlow;
use std::sync::{Mutex, MutexGuard, PoisonError};

use cap::Cap;
use ndarray::Array2;
use protodash::{Gaussian, Means, Observer, Params, Prototype, Stage, TargetEnergy, select_with};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, usize::MAX);

/// Waits until no other test runs.
fn alone() -> MutexGuard<'static, ()> {
    static RUNNING: Mutex<()> = Mutex::new(());
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

const N_COLUMNS: usize = 8;
const N_PROTOTYPES: usize = 8;
const N_TARGET: usize = 20_000;
/// Bytes for each source row besides data and columns, as ARCHITECTURE.md states: gradient, sums over draws, slack, flags.
const ROW_BYTES: f64 = 27.0;
/// Room for the list of rows in contention, which are nearly all of them here, with its spare capacity, and for exact means.
const LISTS: f64 = 15.0;

/// The largest memory at any report of the second half of the search.
struct LargestMemory {
    n_prototypes: usize,
    bytes: usize,
}

impl Observer for LargestMemory {
    fn on_progress(&mut self, stage: Stage, _: u64, _: u64) -> ControlFlow<()> {
        if stage == Stage::Search && 2 * self.n_prototypes >= N_PROTOTYPES {
            self.bytes = self.bytes.max(ALLOCATOR.allocated());
        }
        ControlFlow::Continue(())
    }

    fn on_prototype(&mut self, size: usize, _: &Prototype, _: f64) -> ControlFlow<()> {
        self.n_prototypes = size;
        ControlFlow::Continue(())
    }
}

/// Rows around a few centres.
fn mixture(n_rows: usize, seed: u64) -> Array2<f32> {
    let mut generator = ChaCha8Rng::seed_from_u64(seed);
    let mut place = || generator.random_range(-3.0..3.0_f32);
    Array2::from_shape_fn((n_rows, N_COLUMNS), |(row, column)| {
        (row % 7 * (3 * column + 1) % 7) as f32 + 0.2 * (place() + place() + place())
    })
}

/// Memory during a race for so many rows, without their data and columns. Features are kept only if the target is the source.
fn raced_bytes(n_rows: usize) -> f64 {
    let (target, rows) = (mixture(N_TARGET, 1), mixture(n_rows, 2));
    let before = ALLOCATOR.allocated();
    let mut params = Params::new(N_PROTOTYPES);
    params.means = Means::Racing;
    params.target_energy = TargetEnergy::Skip;
    let mut largest = LargestMemory { n_prototypes: 0, bytes: 0 };
    let kernel = Gaussian::new(1.5).unwrap();
    let raced = select_with(&target, &rows, &kernel, &params, &mut largest).unwrap();
    assert_eq!(raced.means.kind, Means::Racing);
    assert!(raced.means.n_exact < n_rows / 100, "{:?}", raced.means);
    (largest.bytes - before) as f64 - 4.0 * (N_PROTOTYPES * n_rows) as f64
}

#[test]
fn a_race_keeps_few_bytes_for_each_row() {
    let _alone = alone();
    let (few, many) = (200_000, 500_000);
    let bytes = [raced_bytes(few), raced_bytes(many)];
    let slope = (bytes[1] - bytes[0]) / (many - few) as f64;
    let most = ROW_BYTES + LISTS;
    assert!(slope > 0.5 * ROW_BYTES && slope <= most, "{slope} bytes a row, {bytes:?} in all");
    assert!(bytes[1] <= many as f64 * most + f64::from(160 << 20), "{bytes:?}");
}
