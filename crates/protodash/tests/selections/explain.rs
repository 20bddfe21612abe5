//! Explanations of individual rows, against `select` with each row as the only target row.

use ndarray::{Array2, Axis};
use protodash::{
    Cosine, Error, ExplainParams, Gaussian, Kernel, Labels, Laplacian, Linear, Params, Polynomial, Scalar, Unobserved,
    explain, select,
};

use crate::samples::{one_hot, random, take};

fn params(n_prototypes: usize) -> ExplainParams {
    let mut params = ExplainParams::default();
    params.n_prototypes = n_prototypes;
    params
}

/// Compares every explanation with a selection for the row alone.
fn same_as_select<T: Scalar>(rows: &Array2<T>, source: &Array2<T>, kernel: &dyn Kernel<T>, n_prototypes: usize) {
    let found = explain(rows, source, None, kernel, &params(n_prototypes), &mut Unobserved).unwrap();
    assert_eq!(found.rows.len(), rows.nrows());
    for (row, explanation) in found.rows.iter().enumerate() {
        let target = rows.select(Axis(0), &[row]);
        let alone = select(&target, source, kernel, &Params::new(n_prototypes.min(source.nrows()))).unwrap();
        assert_eq!(explanation.prototypes.len(), alone.prototypes.len(), "row {row}");
        for (one, other) in explanation.prototypes.iter().zip(&alone.prototypes) {
            assert_eq!(one.source_index, other.source_index, "row {row}");
            assert!((one.weight - other.weight).abs() <= 1e-9 * other.weight.abs().max(1.0), "{one:?} {other:?}");
            assert!((one.share - other.share).abs() < 1e-9, "{one:?} {other:?}");
        }
        match (explanation.explained, alone.explained()) {
            (Some(one), Some(other)) => assert!((one - other).abs() < 1e-9, "row {row}: {one} {other}"),
            (one, other) => assert!(one.unwrap_or(0.0) == other.unwrap_or(0.0), "row {row}: {one:?} {other:?}"),
        }
    }
}

#[test]
fn an_explanation_is_the_selection_for_the_row_alone() {
    let (rows, source) = (random(30, 4, 1), random(2500, 4, 2));
    for n_prototypes in [1, 5] {
        same_as_select(&rows, &source, &Gaussian::new(0.4).unwrap(), n_prototypes);
    }
    let (rows, source) = (random(20, 3, 3), random(200, 3, 4));
    let kernels: [Box<dyn Kernel<f64>>; 5] = [
        Box::new(Gaussian::new(2.0).unwrap()),
        Box::new(Laplacian::new(0.5).unwrap()),
        Box::new(Polynomial::new(2, 1.0, 1.0).unwrap()),
        Box::new(Linear),
        Box::new(Cosine),
    ];
    for kernel in kernels {
        same_as_select(&rows, &source, &*kernel, 4);
    }
    let single = |matrix: &Array2<f64>| matrix.mapv(|value| value as f32);
    same_as_select(&single(&rows), &single(&source), &Gaussian::new(0.7).unwrap(), 5);
    // Many copies, and fewer distinct rows than requested.
    let answers = one_hot(60, &[2, 2], 5);
    same_as_select(&take(&answers, 0..5), &answers, &Gaussian::new(0.8).unwrap(), 9);
}

#[test]
fn rows_are_explained_by_their_class_and_never_by_themselves() {
    let source = random(120, 2, 6);
    let classes: Vec<usize> = (0..120).map(|row| row % 3).collect();
    let rows = take(&source, 0..10);
    let kernel = Gaussian::new(0.4).unwrap();
    let mut params = params(4);
    params.own_rows = Some((0..10).map(Some).collect());
    let labels = Labels { target: &[1, 1, 1, 0, 0, 0, 2, 2, 2, 7], source: &classes };
    let found = explain(&rows, &source, Some(labels), &kernel, &params, &mut Unobserved).unwrap();
    for (row, explanation) in found.rows[..9].iter().enumerate() {
        // The same as a selection from the rows of that class, without the row itself.
        let members: Vec<usize> =
            (0..120).filter(|other| classes[*other] == labels.target[row] && *other != row).collect();
        let alone = select(&take(&source, [row]), &take(&source, members.clone()), &kernel, &Params::new(4)).unwrap();
        let expected: Vec<usize> = alone.prototypes.iter().map(|prototype| members[prototype.source_index]).collect();
        let chosen: Vec<usize> = explanation.prototypes.iter().map(|prototype| prototype.source_index).collect();
        assert_eq!(chosen, expected, "row {row}");
        let distance = |other: &usize| (&source.row(row) - &source.row(*other)).mapv(|d| d * d).sum().sqrt();
        for (one, other) in explanation.distances.iter().zip(chosen.iter().map(distance)) {
            assert!((one - other).abs() < 1e-12);
        }
        let nearest = members.iter().map(distance).fold(f64::INFINITY, f64::min);
        assert!((explanation.nearest_distance.unwrap() - nearest).abs() < 1e-12);
    }
    // No source row has class 7.
    let last = &found.rows[9];
    assert_eq!((last.prototypes.len(), last.nearest_distance, last.is_similar), (0, None, false));
}

#[test]
fn a_copy_of_the_own_row_may_explain_it() {
    let source = ndarray::array![[1.0], [5.0], [1.0], [9.0]];
    let rows = ndarray::array![[1.0]];
    let mut params = params(1);
    params.own_rows = Some(vec![Some(0)]);
    let found = explain(&rows, &source, None, &Gaussian::new(1.0).unwrap(), &params, &mut Unobserved).unwrap();
    assert_eq!(found.rows[0].prototypes[0].source_index, 2);
    assert_eq!(found.rows[0].nearest_distance, Some(0.0));
}

#[test]
fn about_one_row_in_a_hundred_of_the_same_kind_has_nothing_similar_and_far_rows_have_nothing() {
    let (source, rows) = (random(4000, 3, 7), random(1000, 3, 8));
    for bandwidth in [0.01, 0.3, 30.0] {
        let kernel = Gaussian::new(bandwidth).unwrap();
        let found = explain(&rows, &source, None, &kernel, &params(2), &mut Unobserved).unwrap();
        let n_dissimilar = found.rows.iter().filter(|row| !row.is_similar).count();
        // 10 expected, whatever the bandwidth; the limit is itself estimated from 1,000 rows.
        assert!((2..30).contains(&n_dissimilar), "{bandwidth}: {n_dissimilar}");
        let far = &rows + 100.0;
        let found = explain(&far, &source, None, &kernel, &params(2), &mut Unobserved).unwrap();
        assert!(found.rows.iter().all(|row| !row.is_similar));
    }
}

#[test]
fn any_number_of_threads_gives_the_same_explanations() {
    let (source, rows) = (random(900, 5, 9), random(150, 5, 10));
    let kernel = Gaussian::new(0.8).unwrap();
    let with_threads = |n_threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap();
        pool.install(|| explain(&rows, &source, None, &kernel, &params(5), &mut Unobserved).unwrap())
    };
    assert_eq!(with_threads(1), with_threads(3));
}

#[test]
fn wrong_input_is_rejected() {
    let (source, rows) = (random(9, 2, 11), random(3, 2, 12));
    let kernel = Gaussian::new(1.0).unwrap();
    let refused = |labels: Option<Labels<'_>>, params: &ExplainParams| {
        explain(&rows, &source, labels, &kernel, params, &mut Unobserved).unwrap_err()
    };
    assert_eq!(refused(None, &params(0)), Error::NoPrototypes);
    let labels = Labels { target: &[0, 1], source: &[0; 9] };
    assert!(matches!(refused(Some(labels), &params(1)), Error::WrongNumberOfLabels { given: 2, rows: 3, .. }));
    let mut wrong = params(1);
    wrong.own_rows = Some(vec![None, Some(9), None]);
    assert_eq!(refused(None, &wrong), Error::NoSuchRow { name: "own_rows", row: 9, n_source: 9 });
    let mut wrong = params(1);
    wrong.similar_share = 1.5;
    assert!(matches!(refused(None, &wrong), Error::OutOfRange { name: "similar_share", .. }));
    let narrow = random(3, 1, 13);
    let refused = explain(&narrow, &source, None, &kernel, &params(1), &mut Unobserved);
    assert_eq!(refused.unwrap_err(), Error::DifferentColumns { target: 1, available: 2 });
}
