//! Prototypes as a classifier: against a direct implementation, and on the digits.

use std::ops::ControlFlow;

use crate::samples::{cells, digits, random, take};
use ndarray::{Array2, Axis, array};
use protodash::{
    Classification, Error, Gaussian, Kernel, Labelled, Laplacian, Linear, Observer, Params, Role, Selection, Stage,
    Unobserved, classify, select,
};

fn digit_labels() -> Vec<usize> {
    cells("digits.csv").1.iter().map(|row| row[0].parse().unwrap()).collect()
}

/// The definition, one row and one prefix at a time: the classes by the nearest prototype and by the vote.
fn by_definition(
    rows: &Array2<f64>,
    source: Labelled<'_, f64>,
    selection: &Selection,
    kernel: &dyn Kernel<f64>,
    size: usize,
) -> (Vec<usize>, Vec<usize>) {
    let weights = selection.weights_at(size).unwrap();
    let chosen: Vec<usize> = selection.prototypes[..size].iter().map(|prototype| prototype.source_index).collect();
    let similarity = |x: &[f64], index: usize| kernel.evaluate(x, source.rows.row(index).as_slice().unwrap());
    rows.rows()
        .into_iter()
        .map(|x| {
            let x = x.as_slice().unwrap();
            let distance = |index: usize| {
                let z = source.rows.row(index).to_vec();
                kernel.evaluate(x, x) + kernel.evaluate(&z, &z) - 2.0 * similarity(x, index)
            };
            let nearest = *chosen.iter().min_by(|a, b| distance(**a).total_cmp(&distance(**b))).unwrap();
            let mut votes = [0.0; 10];
            for (&index, weight) in chosen.iter().zip(weights) {
                votes[source.labels[index]] += weight * similarity(x, index);
            }
            let elected = (0..10).max_by(|&a, &b| votes[a].total_cmp(&votes[b])).unwrap();
            (source.labels[nearest], elected)
        })
        .unzip()
}

fn accuracy_of(predicted: &[usize], labels: &[usize]) -> f64 {
    predicted.iter().zip(labels).filter(|(a, b)| a == b).count() as f64 / labels.len() as f64
}

#[test]
fn every_prefix_agrees_with_the_definition() {
    let (digits, labels) = (digits(), digit_labels());
    let (source, held_out) = (take(&digits, 0..400), take(&digits, 400..537));
    let (source, truth) = (Labelled { rows: &source, labels: &labels[..400] }, &labels[400..537]);
    let kernels: [Box<dyn Kernel<f64> + Send>; 3] = [
        Box::new(Gaussian::new(25.0).unwrap()),
        Box::new(Laplacian::new(200.0).unwrap()),
        Box::new(Linear), // a diagonal that is not constant: the most similar is not the nearest
    ];
    for kernel in kernels {
        let selection = select(source.rows, source.rows, &*kernel, &Params::new(30)).unwrap();
        let held_out_rows = Labelled { rows: &held_out, labels: truth };
        let found = classify(held_out_rows, source, &selection, &*kernel, &mut Unobserved).unwrap();
        for size in 1..=selection.prototypes.len() {
            let (nearest, elected) = by_definition(&held_out, source, &selection, &*kernel, size);
            for (predictions, expected) in [(&found.nearest, &nearest), (&found.weighted, &elected)] {
                assert_eq!(predictions.accuracy[size - 1], accuracy_of(expected, truth), "{size}");
                let confusion = predictions.confusion(size).unwrap();
                let mut counted = Array2::<u64>::zeros((10, 10));
                truth.iter().zip(expected).for_each(|(truth, class)| counted[(*truth, *class)] += 1);
                assert_eq!(confusion, counted, "{size}");
                if size == selection.prototypes.len() {
                    assert_eq!(&predictions.predicted, expected);
                }
            }
        }
        assert_eq!(found.confusion().sum(), 137);
    }
}

/// Two hundred prototypes of a thousand digits classify nine of ten others correctly; the first alone cannot.
#[test]
fn many_prototypes_classify_digits_well() {
    let (digits, labels) = (digits(), digit_labels());
    let (source, held_out) = (take(&digits, 0..1000), take(&digits, 1000..1797));
    let kernel = Gaussian::new(25.0).unwrap();
    let selection = select(&source, &source, &kernel, &Params::new(200)).unwrap();
    let source = Labelled { rows: &source, labels: &labels[..1000] };
    let held_out = Labelled { rows: &held_out, labels: &labels[1000..] };
    let found = classify(held_out, source, &selection, &kernel, &mut Unobserved).unwrap();
    assert!(found.nearest.accuracy[199] > 0.9, "{}", found.nearest.accuracy[199]);
    // The vote also counts many moderately similar prototypes, which blurs the classes at this bandwidth.
    assert!(found.weighted.accuracy[199] > 0.85, "{}", found.weighted.accuracy[199]);
    assert!(found.nearest.accuracy[0] < 0.2);
}

fn on_threads(n_threads: usize, work: impl FnOnce() -> Classification + Send) -> Classification {
    rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap().install(work)
}

#[test]
fn the_result_depends_neither_on_threads_nor_on_other_rows() {
    let (rows, labels) = (random(701, 3, 5), (0..701).map(|row| row % 4 * 1_000_000_007).collect::<Vec<usize>>());
    let kernel = Gaussian::new(0.5).unwrap();
    let selection = select(&rows, &rows, &kernel, &Params::new(20)).unwrap();
    let labelled = Labelled { rows: &rows, labels: &labels };
    let run = || classify(labelled, labelled, &selection, &kernel, &mut Unobserved).unwrap();
    let one = on_threads(1, run);
    assert_eq!(on_threads(4, run), one);
    assert_eq!(one.classes, [0, 1_000_000_007, 2_000_000_014, 3_000_000_021]);
    let last = rows.select(Axis(0), &[700]);
    let alone = Labelled { rows: &last, labels: &labels[700..] };
    let alone = classify(alone, labelled, &selection, &kernel, &mut Unobserved).unwrap();
    assert_eq!(alone.weighted.predicted[0], one.weighted.predicted[700]);
}

#[test]
fn a_row_without_similarity_goes_to_the_nearest_prototype() {
    let (rows, labels) = (array![[0.0], [0.1], [9.0]], [7, 7, 5]);
    let kernel = Gaussian::new(0.1).unwrap();
    let selection = select(&rows, &rows, &kernel, &Params::new(2)).unwrap();
    let source = Labelled { rows: &rows, labels: &labels };
    // exp(−½ · 400²) is 0 in f64, for both prototypes.
    let far = Labelled { rows: &array![[49.0], [-40.0]], labels: &[5, 6] };
    let found = classify(far, source, &selection, &kernel, &mut Unobserved).unwrap();
    assert_eq!(found.weighted.predicted, found.nearest.predicted);
    assert_eq!(found.classes, [5, 6, 7]); // class 6 has no prototype and counts as an error
    assert!(found.nearest.accuracy[1] <= 0.5);
}

#[test]
fn labels_must_match_the_rows() {
    let rows = array![[0.0], [1.0]];
    let kernel = Gaussian::new(1.0).unwrap();
    let selection = select(&rows, &rows, &kernel, &Params::new(1)).unwrap();
    let (good, bad) = (Labelled { rows: &rows, labels: &[0, 1] }, Labelled { rows: &rows, labels: &[0, 1, 2] });
    let error = classify(bad, good, &selection, &kernel, &mut Unobserved).unwrap_err();
    assert_eq!(error, Error::WrongNumberOfLabels { role: Role::Target, given: 3, rows: 2 });
    let error = classify(good, bad, &selection, &kernel, &mut Unobserved).unwrap_err();
    assert_eq!(error.to_string(), "there are 3 labels for 2 source rows; there must be one for each");
    let short = Labelled { rows: &array![[0.0]], labels: &[0] };
    let selection = select(&rows, &rows, &kernel, &Params::new(2)).unwrap();
    let error = classify(good, short, &selection, &kernel, &mut Unobserved).unwrap_err();
    assert_eq!(error.to_string(), "the selection refers to source row 1, but the source has 1 row");
}

#[test]
fn an_observer_can_cancel() {
    struct Stop;
    impl Observer for Stop {
        fn on_progress(&mut self, stage: Stage, _: u64, _: u64) -> ControlFlow<()> {
            assert_eq!(stage.to_string(), "classification");
            ControlFlow::Break(())
        }
    }
    let rows = array![[0.0], [1.0]];
    let kernel = Gaussian::new(1.0).unwrap();
    let selection = select(&rows, &rows, &kernel, &Params::new(1)).unwrap();
    let labelled = Labelled { rows: &rows, labels: &[0, 1] };
    assert_eq!(classify(labelled, labelled, &selection, &kernel, &mut Stop), Err(Error::Cancelled));
}
