//! Sparse rows: every result is that of the same rows with their zeros.

use ndarray::Array2;
use protodash::criticisms::{Among, CriticismParams};
use protodash::{
    BaselineParams, CrossValidation, Dataset, Error, ExplainParams, KernelMapRows, KernelSpec, Labels, Means, Method,
    Params, Role, Selection, SparseMatrix, TargetEnergy, Unobserved, Weights,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::samples::{chosen, take, weights};

const KERNELS: [&str; 6] = ["gaussian", "matern32", "matern52", "inverse-multiquadric", "linear", "cosine"];
const METHODS: [Method; 9] = [
    Method::ProtoDash,
    Method::ProtoGreedy,
    Method::Swap,
    Method::L2c,
    Method::PLasso,
    Method::KMedoids,
    Method::Coverage,
    Method::FarthestFirst,
    Method::Random,
];

/// Rows with about one value in six, some of them copies of others and some without any.
fn rows(n_rows: usize, n_columns: usize, seed: u64) -> Array2<f64> {
    let mut generator = ChaCha8Rng::seed_from_u64(seed);
    let mut rows = Array2::from_shape_simple_fn((n_rows, n_columns), || {
        if generator.random_range(0..6) == 0 { generator.random_range(0.2..2.0) } else { 0.0 }
    });
    for row in (9..n_rows).step_by(10) {
        let copied = rows.row(row - 7).to_owned();
        rows.row_mut(row).assign(&copied);
    }
    rows.rows_mut().into_iter().skip(17).step_by(40).for_each(|mut row| row.fill(0.0));
    rows
}

fn sparse(rows: &Array2<f64>) -> SparseMatrix {
    let (mut starts, mut columns, mut values) = (vec![0], Vec::new(), Vec::new());
    for row in rows.rows() {
        for (column, value) in row.iter().enumerate().filter(|(_, value)| **value != 0.0) {
            columns.push(column as u32);
            values.push(*value);
        }
        starts.push(values.len());
    }
    SparseMatrix::new(rows.ncols(), starts, columns, values).unwrap()
}

/// The same rows with and without their zeros.
fn both(source: &Array2<f64>, target: Option<&Array2<f64>>, kernel: &str) -> [Dataset<'static>; 2] {
    let spec = KernelSpec::new(kernel).unwrap();
    let dense = Dataset::from_f64(source.clone(), target.map(|target| target.clone().into()), &spec, 0).unwrap();
    let sparse = Dataset::from_sparse(sparse(source), target.map(sparse), &spec, 0).unwrap();
    let bandwidths = [&dense, &sparse].map(|dataset| dataset.kernel().unwrap().bandwidth().unwrap_or(1.0));
    assert_near(&bandwidths[..1], &bandwidths[1..], kernel);
    [dense, sparse]
}

fn assert_near(found: &[f64], expected: &[f64], what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() <= 1e-9 * (1.0 + expected.abs()), "{what}: {found} {expected}");
    }
}

fn assert_same([dense, sparse]: &[Selection; 2], what: &str) {
    assert_eq!(chosen(dense), chosen(sparse), "{what}");
    assert_near(&weights(sparse), &weights(dense), what);
    assert_near(&sparse.objective, &dense.objective, what);
    assert_eq!(dense.stopped, sparse.stopped, "{what}");
    let explained = [sparse, dense].map(|selection| Vec::from_iter(selection.explained()));
    assert_near(&explained[0], &explained[1], what);
}

fn select(datasets: &[Dataset<'static>; 2], params: &Params) -> [Selection; 2] {
    [0, 1].map(|at| datasets[at].select(params, &mut Unobserved).unwrap())
}

#[test]
fn every_method_and_kernel_chooses_the_rows_it_chooses_with_zeros() {
    let source = rows(110, 40, 1);
    for kernel in KERNELS {
        let datasets = both(&source, None, kernel);
        for method in METHODS {
            let mut params = Params::new(5);
            (params.method, params.seed) = (method, 3);
            assert_same(&select(&datasets, &params), &format!("{kernel} {method:?}"));
        }
        let mut params = Params::new(6);
        params.weights = Weights::Convex;
        assert_same(&select(&datasets, &params), &format!("{kernel} convex"));
    }
}

#[test]
fn a_separate_target_shares_rows_with_the_source() {
    let source = rows(90, 40, 2);
    // A third of the target are copies of source rows, a third of other target rows.
    let target = ndarray::concatenate![ndarray::Axis(0), take(&source, 0..30), rows(60, 40, 5)];
    for kernel in KERNELS {
        let datasets = both(&source, Some(&target), kernel);
        let mut params = Params::new(6);
        params.target_weights = Some((0..90).map(|row| f64::from(row % 5)).collect());
        assert_same(&select(&datasets, &params), kernel);
        params.target_energy = TargetEnergy::Sample { n_rows: 40, seed: 1 };
        assert_same(&select(&datasets, &params), kernel);
    }
}

#[test]
fn many_copies_and_equal_sides_are_merged() {
    let few = rows(30, 40, 3);
    let copies = take(&few, (0..300).map(|row| row * 7 % 30));
    for kernel in ["gaussian", "linear"] {
        assert_same(&select(&both(&copies, None, kernel), &Params::new(4)), kernel);
        // A target with the rows of the source is the source.
        let [_, alone] = both(&few, None, kernel);
        let [_, twice] = both(&few, Some(&few), kernel);
        let found = [alone, twice].map(|dataset| dataset.select(&Params::new(4), &mut Unobserved).unwrap());
        assert_eq!(found[0], found[1]);
    }
}

#[test]
fn a_race_chooses_the_rows_of_the_full_mean() {
    let source = rows(700, 60, 4);
    let [_, dataset] = both(&source, None, "gaussian");
    let [full, raced] = [Means::Full, Means::Racing].map(|means| {
        let mut params = Params::new(6);
        params.means = means;
        dataset.select(&params, &mut Unobserved).unwrap()
    });
    assert_eq!(raced.means.kind, Means::Racing);
    assert_eq!(chosen(&full), chosen(&raced));
    assert_near(&weights(&raced), &weights(&full), "raced");
}

#[test]
fn threads_change_nothing() {
    let (source, target) = (rows(1500, 60, 6), rows(700, 60, 7));
    for kernel in ["inverse-multiquadric", "cosine"] {
        let [_, dataset] = both(&source, Some(&target), kernel);
        let found = [1, 2, 5].map(|n_threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
            pool.install(|| dataset.select(&Params::new(8), &mut Unobserved).unwrap())
        });
        assert_eq!(found[0], found[1]);
        assert_eq!(found[0], found[2]);
    }
}

#[test]
fn what_is_computed_from_a_selection_is_the_same() {
    let (source, target) = (rows(80, 40, 8), rows(100, 40, 9));
    for kernel in KERNELS {
        let datasets = both(&source, Some(&target), kernel);
        let [selection, _] = select(&datasets, &Params::new(5));
        let prototypes = &selection.prototypes;
        let saved = (&prototypes[..], selection.objective_final());
        datasets[1].verify(saved, None, &mut Unobserved).unwrap();
        for among in [Among::Target, Among::Source] {
            let mut params = CriticismParams::new(4);
            params.among = among;
            let found = [0, 1].map(|at| datasets[at].criticize(prototypes, &params, &mut Unobserved).unwrap());
            let rows = |at: usize| found[at].iter().map(|criticism| criticism.row).collect::<Vec<_>>();
            assert_eq!(rows(0), rows(1), "{kernel}");
        }
        let baselines =
            [0, 1].map(|at| datasets[at].baseline(&selection, &BaselineParams::default(), &mut Unobserved).unwrap());
        let figures = |at: usize| [baselines[at].random_explained.unwrap(), baselines[at].nearer_than_random.unwrap()];
        assert_near(&figures(1), &figures(0), kernel);
        let [dense, sparse] = [0, 1].map(|at| datasets[at].represent(prototypes, &mut Unobserved).unwrap());
        assert_eq!(dense.nearest, sparse.nearest, "{kernel}");
        let shifts = [0, 1].map(|at| datasets[at].covariate_shift(prototypes, None).unwrap());
        assert_near(&[shifts[1].effective_sample_size], &[shifts[0].effective_sample_size], kernel);
        for (dense, sparse) in shifts[0].features.iter().zip(&shifts[1].features) {
            for moments in
                [(dense.source, sparse.source), (dense.weighted, sparse.weighted), (dense.target, sparse.target)]
            {
                let numbers = |moments: protodash::covariate_shift::Moments| [moments.mean, moments.standard_deviation];
                assert_near(&numbers(moments.1), &numbers(moments.0), kernel);
            }
        }
        let similarities = [0, 1].map(|at| datasets[at].similarities().unwrap().into_raw_vec_and_offset().0);
        assert_near(&similarities[1], &similarities[0], kernel);
        let landmarks: Vec<usize> = (0..100).collect();
        let map = KernelMapRows { landmarks: &landmarks, target: &[0, 5], source: &[7] };
        let maps = [0, 1].map(|at| datasets[at].kernel_map(map, 0).unwrap().unwrap());
        assert_near(&maps[1].source[0], &maps[0].source[0], kernel);
        let params = ExplainParams::default();
        let explained = [0, 1].map(|at| datasets[at].explain(None, &params, &mut Unobserved).unwrap());
        for (dense, sparse) in explained[0].rows.iter().zip(&explained[1].rows) {
            let rows = [dense, sparse].map(|row| row.prototypes.iter().map(|one| one.source_index).collect::<Vec<_>>());
            assert_eq!(rows[0], rows[1], "{kernel}");
            assert_near(&sparse.distances, &dense.distances, kernel);
        }
    }
}

#[test]
fn cross_validation_finds_the_same_bandwidth() {
    let source = rows(90, 40, 10);
    let classes: Vec<usize> = (0..90).map(|row| usize::from(source.row(row).sum() > 5.0)).collect();
    for labels in [None, Some(Labels { target: &classes, source: &classes })] {
        let mut datasets = both(&source, None, "gaussian");
        let curves = datasets.each_mut().map(|dataset| {
            let settings = CrossValidation::default();
            dataset.cross_validate_bandwidth(labels, &Params::new(5), &settings, &mut Unobserved).unwrap()
        });
        assert_near(&[curves[1].bandwidth()], &[curves[0].bandwidth()], "bandwidth");
        assert_near(&[curves[1].best().score], &[curves[0].best().score], "score");
        assert_eq!(datasets[1].kernel().unwrap().bandwidth(), Some(curves[1].bandwidth()));
        let alone = datasets.each_mut().map(|dataset| {
            let (params, settings) = (Params::new(5), CrossValidation::default());
            let labels = labels.map(|labels| labels.source);
            dataset.cross_validate_bandwidth_on_source(labels, &params, &settings, &mut Unobserved).unwrap()
        });
        assert_near(&[alone[1].bandwidth()], &[alone[0].bandwidth()], "on the source");
    }
}

#[test]
fn classes_are_selected_separately() {
    let source = rows(90, 40, 11);
    let classes: Vec<usize> = (0..90).map(|row| row % 3).collect();
    let labels = Labels { target: &classes, source: &classes };
    let datasets = both(&source, None, "matern52");
    let found = datasets.each_ref().map(|dataset| {
        dataset
            .select_per_label(labels, &Params::new(6), &protodash::Allocation::Proportional.into(), &mut Unobserved)
            .unwrap()
            .selection
    });
    assert_same(&found, "per class");
}

#[test]
fn sparse_rows_are_not_made_dense() {
    let (source, target) = (rows(20, 7, 12), rows(5, 7, 13));
    let [_, sparse] = both(&source, Some(&target), "cosine");
    assert_eq!((sparse.rows(Role::Source, &[0]), sparse.column(Role::Target, 0)), (None, None));
    assert_eq!((sparse.n_features(), sparse.n_source()), (7, 20));
}

#[test]
fn what_cannot_be_used_is_named() {
    let rows = rows(20, 7, 14);
    let error = |kernel: &str| {
        Dataset::from_sparse(sparse(&rows), None, &KernelSpec::new(kernel).unwrap(), 0).err().unwrap().to_string()
    };
    for kernel in ["laplacian", "hamming", "polynomial"] {
        let expected = format!(
            "the {kernel} kernel cannot be used with sparse rows; gaussian, matern32, matern52, inverse-multiquadric, \
             linear and cosine can"
        );
        assert_eq!(error(kernel), expected);
    }
    let spec = KernelSpec::new("gaussian").unwrap();
    let refused = |source, target| Dataset::from_sparse(source, target, &spec, 0).err().unwrap();
    let nan = SparseMatrix::new(7, vec![0, 1], vec![2], vec![f64::NAN]).unwrap();
    let expected = Error::NotFinite { role: Role::Target, row: 0, column: 2, value: "NaN".to_owned() };
    assert_eq!(refused(sparse(&rows), Some(nan)), expected);
    let narrow = SparseMatrix::new(6, vec![0, 1], vec![2], vec![1.0]).unwrap();
    assert_eq!(refused(sparse(&rows), Some(narrow)), Error::DifferentColumns { target: 6, available: 7 });
    let none = SparseMatrix::new(7, vec![0], vec![], vec![]).unwrap();
    assert_eq!(refused(none, None), Error::Empty { role: Role::Source, rows: 0, columns: 7 });
    let zeros = SparseMatrix::new(7, vec![0, 0, 0], vec![], vec![]).unwrap();
    assert_eq!(refused(zeros, None), Error::NoDistance { rows: 2 });
}

/// Squares that overflow, and rows that differ by far less than their length.
#[test]
fn extreme_values_have_the_results_of_dense_rows() {
    let unit = rows(60, 30, 15);
    for scale in [1e-140, 1e-60, 1e60, 1e140] {
        for kernel in ["gaussian", "cosine"] {
            assert_same(
                &select(&both(&(&unit * scale), None, kernel), &Params::new(4)),
                &format!("{kernel} {scale:e}"),
            );
        }
    }
    let mut far = rows(60, 30, 16) * 1e-3;
    far.column_mut(3).fill(1e3);
    assert_same(&select(&both(&far, None, "gaussian"), &Params::new(4)), "a large constant column");
}
