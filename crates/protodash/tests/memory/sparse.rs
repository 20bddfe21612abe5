//! The memory of sparse rows: 20,000 × 30,000 would be 4.8 GB with its zeros.

use protodash::{Dataset, KernelSpec, Params, Role, SparseMatrix, TargetEnergy, Unobserved};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::{ALLOCATOR, alone};

const N_COLUMNS: usize = 30_000;
const VALUES_PER_ROW: usize = 100;
/// Room besides twice the rows (they are copied once): the columns of the search, and 4 bytes for each column and thread.
const ROOM: usize = 32 << 20;

fn rows(n_rows: usize, seed: u64) -> SparseMatrix {
    let mut generator = ChaCha8Rng::seed_from_u64(seed);
    let mut values = |n: usize| -> Vec<f64> { (0..n).map(|_| generator.random_range(0.1..2.0)).collect() };
    let n_values = n_rows * VALUES_PER_ROW;
    let (values, places) = (values(n_values), values(n_values));
    // Some columns are frequent, most are rare, as words are.
    let columns =
        places.iter().map(|place| ((place - 0.1) / 1.9).powi(3) * N_COLUMNS as f64).map(|column| column as u32);
    let starts = (0..=n_rows).map(|row| row * VALUES_PER_ROW).collect();
    SparseMatrix::new(N_COLUMNS, starts, columns.collect(), values).unwrap()
}

#[test]
fn sparse_rows_never_get_their_zeros() {
    let _alone = alone();
    let before = ALLOCATOR.allocated();
    let (source, target) = (rows(20_000, 1), rows(400, 2));
    let bytes = (source.n_bytes() + target.n_bytes()) as usize;
    // An allocation beyond the limit fails, and with it the test.
    ALLOCATOR.set_limit(before + 2 * bytes + ROOM).unwrap();
    for (kernel, target) in [("cosine", None), ("linear", None), ("gaussian", Some(target))] {
        let spec = KernelSpec::new(kernel).unwrap();
        let dataset = Dataset::from_sparse(source.clone(), target, &spec, 0).unwrap();
        let mut params = Params::new(5);
        params.target_energy = TargetEnergy::Sample { n_rows: 100, seed: 0 };
        let selection = dataset.select(&params, &mut Unobserved).unwrap();
        assert_eq!(selection.prototypes.len(), 5, "{kernel}");
        dataset.covariate_shift(&selection.prototypes, None).unwrap();
        let Dataset::Sparse(sparse) = &dataset else { panic!("the rows are sparse") };
        assert_eq!(sparse.dense_columns(Role::Source, &[0, 7]).dim(), (20_000, 2));
    }
    ALLOCATOR.set_limit(usize::MAX).unwrap();
}
