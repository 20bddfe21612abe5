//! Prototypes for each class: each class is a separate run, and the combined objective is for the whole target.

use std::ops::ControlFlow;

use crate::samples::{cells, chosen, digits, random, take};
use ndarray::{Array1, Array2, array};
use protodash::objective::objective;
use protodash::{
    Allocation, ClassNumberError, ClassNumbers, Error, Gaussian, Kernel, Labelled, Labels, Method, Observer, Params,
    PerLabel, Prototype, Stopped, Unobserved, Weights, kernel_mean, select, select_per_label,
};

fn run(rows: &Array2<f64>, labels: &[usize], params: &Params, allocation: Allocation) -> PerLabel {
    let labelled = Labelled { rows, labels };
    let kernel = Gaussian::new(0.5).unwrap();
    select_per_label(labelled, labelled, &kernel, params, &allocation.into(), &mut Unobserved).unwrap()
}

/// Three classes of 60, 30 and 10 rows, mixed.
fn mixed() -> (Array2<f64>, Vec<usize>) {
    (random(100, 2, 11), (0..100).map(|row| [0, 0, 0, 0, 0, 0, 4, 4, 4, 9][row % 10]).collect())
}

fn of_class(labels: &[usize], class: usize) -> Vec<usize> {
    (0..labels.len()).filter(|&row| labels[row] == class).collect()
}

#[test]
fn each_class_is_a_separate_run() {
    let (rows, labels) = mixed();
    let result = run(&rows, &labels, &Params::new(20), Allocation::Proportional);
    let numbers: Vec<usize> = result.classes.iter().map(|class| class.n_prototypes).collect();
    assert_eq!(numbers, [12, 6, 2]);
    for class in &result.classes {
        let members = of_class(&labels, class.label);
        let own = take(&rows, members.clone());
        let alone = select(&own, &own, &Gaussian::new(0.5).unwrap(), &Params::new(class.n_prototypes)).unwrap();
        let together = result.selection.prototypes.iter().zip(&result.labels);
        let together: Vec<&Prototype> =
            together.filter(|(_, label)| **label == class.label).map(|(prototype, _)| prototype).collect();
        assert_eq!(together.len(), alone.prototypes.len());
        for (together, alone) in together.iter().zip(&alone.prototypes) {
            assert_eq!(together.source_index, members[alone.source_index]);
            assert!((together.weight - class.share * alone.weight).abs() < 1e-12);
        }
    }
}

#[test]
fn the_combined_objective_is_for_the_whole_target() {
    let (rows, labels) = mixed();
    let kernel = Gaussian::new(0.5).unwrap();
    let result = run(&rows, &labels, &Params::new(9), Allocation::Equal);
    let selection = &result.selection;
    assert_eq!(result.classes.iter().map(|class| class.n_prototypes).collect::<Vec<_>>(), [3, 3, 3]);
    let means = kernel_mean(&rows, &rows, &kernel).unwrap();
    let indices = chosen(selection);
    for size in 1..=9 {
        let row = |position: usize| rows.row(indices[position]).to_vec();
        let gram = Array2::from_shape_fn((size, size), |(i, j)| kernel.evaluate(&row(i), &row(j)));
        let set_means: Array1<f64> = indices[..size].iter().map(|&row| means[row]).collect();
        let weights = Array1::from(selection.weights_at(size).unwrap().to_vec());
        let expected = objective(set_means.view(), gram.view(), weights.view()).unwrap();
        assert!((selection.objective[size - 1] - expected).abs() < 1e-12);
    }
    let energy = means.iter().sum::<f64>() / 100.0;
    assert!((selection.explained().unwrap() - 2.0 * selection.objective_final() / energy).abs() < 1e-12);
    assert!(selection.explained().unwrap() > 0.8);
}

#[test]
fn prefixes_have_every_class_first_and_then_the_same_fraction_of_each() {
    let (rows, labels) = mixed();
    let result = run(&rows, &labels, &Params::new(20), Allocation::Proportional);
    assert_eq!(result.labels[..3], [0, 4, 9]);
    let half = &result.labels[..10];
    let count = |class: usize| half.iter().filter(|label| **label == class).count();
    assert_eq!([count(0), count(4), count(9)], [6, 3, 1]);
    // A prefix has the weights of each class with as many prototypes.
    let prefix = result.selection.prefix(3).unwrap();
    for (prototype, class) in prefix.prototypes.iter().zip(&result.classes) {
        let own = take(&rows, of_class(&labels, class.label));
        let alone = select(&own, &own, &Gaussian::new(0.5).unwrap(), &Params::new(1)).unwrap();
        assert!((prototype.weight - class.share * alone.prototypes[0].weight).abs() < 1e-12);
    }
}

#[test]
fn digits_of_every_class_with_convex_weights_are_shares() {
    let digits = take(&digits(), 0..500);
    let labels: Vec<usize> = cells("digits.csv").1[..500].iter().map(|row| row[0].parse().unwrap()).collect();
    let labelled = Labelled { rows: &digits, labels: &labels };
    let mut params = Params::new(30);
    (params.weights, params.method) = (Weights::Convex, Method::ProtoGreedy);
    let kernel = Gaussian::new(30.0).unwrap();
    let result =
        select_per_label(labelled, labelled, &kernel, &params, &Allocation::Equal.into(), &mut Unobserved).unwrap();
    for class in 0..10 {
        let of_class = result.selection.prototypes.iter().zip(&result.labels).filter(|(_, label)| **label == class);
        let weight: f64 = of_class.clone().map(|(prototype, _)| prototype.weight).sum();
        let share = labels.iter().filter(|label| **label == class).count() as f64 / 500.0;
        assert!((weight - share).abs() < 1e-10, "{weight} {share}");
        assert!(of_class.map(|(prototype, _)| labels[prototype.source_index]).all(|label| label == class));
        assert_eq!(result.classes[class].n_prototypes, 3);
    }
}

#[test]
fn separate_targets_with_weights_and_classes_of_only_one_side() {
    let (source, source_labels) = (random(60, 2, 1), (0..60).map(|row| row % 3).collect::<Vec<_>>());
    let (target, target_labels) = (random(40, 2, 2), (0..40).map(|row| row % 2).collect::<Vec<_>>());
    let kernel = Gaussian::new(0.5).unwrap();
    let mut params = Params::new(6);
    params.target_weights = Some((0..40).map(|row| if row % 2 == 0 { 1.0 } else { 5.0 }).collect());
    let labelled =
        (Labelled { rows: &target, labels: &target_labels }, Labelled { rows: &source, labels: &source_labels });
    let run = |params: &Params, target| {
        select_per_label(target, labelled.1, &kernel, params, &Allocation::Proportional.into(), &mut Unobserved)
    };
    let result = run(&params, labelled.0).unwrap();
    // 20 rows of weight 1 and 20 of weight 5: one sixth and five sixths; class 2 has no target rows.
    let shares: Vec<f64> = result.classes.iter().map(|class| class.share).collect();
    assert!((shares[0] - 1.0 / 6.0).abs() < 1e-12 && shares.len() == 2);
    assert_eq!(result.classes.iter().map(|class| class.n_prototypes).collect::<Vec<_>>(), [1, 5]);
    assert_eq!(result.selection.stopped, Stopped::NPrototypes);
    let strange = Labelled { rows: &target, labels: &[7; 40] };
    let error = run(&params, strange).unwrap_err();
    assert_eq!(error, Error::ClassWithoutSource { label: 7, n_target: 40 });
    assert_eq!(error.to_string(), "class 7 has 40 target rows and no source row to represent them");
    // A class without weight needs no prototype.
    params.target_weights = Some((0..40).map(|row| f64::from(row % 2)).collect());
    assert_eq!(run(&params, labelled.0).unwrap().classes.len(), 1);
}

#[test]
fn the_number_must_be_between_the_classes_and_the_rows() {
    let rows = array![[0.0], [1.0], [2.0], [3.0]];
    let refused = |n_prototypes: usize, labels: &[usize]| {
        let labelled = Labelled { rows: &rows, labels };
        let params = Params::new(n_prototypes);
        let kernel = Gaussian::new(1.0).unwrap();
        let refused =
            select_per_label(labelled, labelled, &kernel, &params, &Allocation::Equal.into(), &mut Unobserved);
        refused.unwrap_err().to_string()
    };
    assert_eq!(refused(2, &[0, 1, 2, 2]), "cannot choose 2 prototypes for 3 classes; each needs at least 1");
    assert_eq!(refused(5, &[0, 1, 2, 2]), "cannot choose 5 prototypes from 4 source rows");
    assert_eq!(refused(2, &[0, 1]), "there are 2 labels for 4 target rows; there must be one for each");
}

#[test]
fn without_a_number_min_gain_stops_each_class() {
    let (rows, labels) = mixed();
    let result = run(&rows, &labels, &Params::with_min_gain(0.01), Allocation::Equal);
    assert_eq!(result.selection.stopped, Stopped::MinGain);
    assert!(result.classes.iter().all(|class| (1..class.n_source).contains(&class.n_prototypes)));
}

#[test]
fn prototypes_are_numbered_across_classes() {
    #[derive(Default)]
    struct Steps(Vec<usize>);
    impl Observer for Steps {
        fn on_prototype(&mut self, step: usize, _: &Prototype, _: f64) -> ControlFlow<()> {
            self.0.push(step);
            ControlFlow::Continue(())
        }
    }
    let (rows, labels) = mixed();
    let labelled = Labelled { rows: &rows, labels: &labels };
    let mut steps = Steps::default();
    let kernel = Gaussian::new(0.5).unwrap();
    select_per_label(labelled, labelled, &kernel, &Params::new(7), &Allocation::Proportional.into(), &mut steps)
        .unwrap();
    assert_eq!(steps.0, [1, 2, 3, 4, 5, 6, 7]);
}

#[test]
fn given_numbers_are_the_runs_of_the_classes_and_other_classes_get_none() {
    let (rows, labels) = mixed();
    let (kernel, labelled) = (Gaussian::new(0.5).unwrap(), Labelled { rows: &rows, labels: &labels });
    let numbers = ClassNumbers::Given(vec![(9, 3), (0, 5), (4, 0)]);
    let given = |n_prototypes, numbers: &ClassNumbers| {
        let mut params = Params::new(1);
        params.n_prototypes = n_prototypes;
        select_per_label(labelled, labelled, &kernel, &params, numbers, &mut Unobserved)
    };
    let result = given(Some(8), &numbers).unwrap();
    assert_eq!(result, given(None, &numbers).unwrap());
    assert_eq!(result, given(Some(8), &ClassNumbers::Given(vec![(0, 5), (9, 3)])).unwrap());
    let found: Vec<(usize, usize)> = result.classes.iter().map(|class| (class.label, class.n_prototypes)).collect();
    assert_eq!(found, [(0, 5), (4, 0), (9, 3)]);
    assert_eq!((result.selection.prototypes.len(), result.selection.stopped), (8, Stopped::NPrototypes));
    for (class, n_prototypes) in [(0, 5), (9, 3)] {
        let members = of_class(&labels, class);
        let own = take(&rows, members.clone());
        let alone = select(&own, &own, &kernel, &Params::new(n_prototypes)).unwrap();
        let expected: Vec<usize> = chosen(&alone).into_iter().map(|row| members[row]).collect();
        let together = chosen(&result.selection).into_iter().zip(&result.labels);
        let together: Vec<usize> = together.filter(|(_, label)| **label == class).map(|(row, _)| row).collect();
        assert_eq!(together, expected);
    }
    // As many prototypes without the numbers are those of a plain run.
    let free = select(&rows, &rows, &kernel, &Params::new(8)).unwrap();
    let report = result.selection.constraints.as_ref().unwrap();
    assert_eq!((report.objective_without, &report.quotas[..]), (free.objective_final(), &[][..]));
    assert_eq!(report.explained_without, free.explained());
    assert!(report.explained_without > result.selection.explained());
    // The objective is still that of the whole target: less than with the class that is left out.
    let whole = given(Some(8), &ClassNumbers::Given(vec![(0, 4), (4, 2), (9, 2)])).unwrap();
    assert!(whole.selection.explained() > result.selection.explained());
}

#[test]
fn impossible_numbers_are_errors_that_name_the_class() {
    let (rows, labels) = mixed();
    let (kernel, labelled) = (Gaussian::new(0.5).unwrap(), Labelled { rows: &rows, labels: &labels });
    let refused = |n_prototypes, numbers: &[(usize, usize)]| {
        let (mut params, numbers) = (Params::new(1), ClassNumbers::Given(numbers.to_vec()));
        params.n_prototypes = n_prototypes;
        select_per_label(labelled, labelled, &kernel, &params, &numbers, &mut Unobserved).unwrap_err()
    };
    for (error, message) in [
        (refused(None, &[(5, 1)]), "no target row is of class \"5\". The classes are 0, 4, 9"),
        (refused(None, &[(9, 11)]), "class \"9\": 11 prototypes requested, but it has only 10 source rows"),
        (refused(None, &[(9, 1), (0, 2), (9, 2)]), "class \"9\" is listed twice"),
        (
            refused(Some(4), &[(9, 3)]),
            "n_prototypes is 4, but the numbers of the classes add up to 3; omit one of them",
        ),
        (refused(None, &[(9, 0)]), "0 prototypes requested; at least 1 is needed"),
        (refused(None, &[]), "0 prototypes requested; at least 1 is needed"),
    ] {
        assert_eq!(error.to_string(), message);
    }
    // A class without source rows matters only if prototypes of it are wanted.
    let (source, rest) = (take(&rows, of_class(&labels, 0)), vec![0; 60]);
    let from_one = |numbers: &[(usize, usize)]| {
        let numbers = ClassNumbers::Given(numbers.to_vec());
        let source = Labelled { rows: &source, labels: &rest };
        select_per_label(labelled, source, &kernel, &Params::until_optimal(), &numbers, &mut Unobserved)
    };
    assert_eq!(from_one(&[(0, 3)]).unwrap().selection.prototypes.len(), 3);
    let error = ClassNumberError::TooFewRows { class: "4".to_owned(), requested: 1, available: 0 };
    assert_eq!(from_one(&[(0, 3), (4, 1)]).unwrap_err(), Error::ClassNumbers(error));
}

#[test]
fn classes_can_be_given_by_name() {
    let names: Vec<String> = ["DE", "FR", "unused", "IT"].map(str::to_owned).to_vec();
    let labels = Labels { target: &[0, 0, 1, 3, 3], source: &[0, 1, 1, 2] };
    let by_name = |requests: &[(&str, usize)]| ClassNumbers::by_name(requests, &names, labels);
    assert_eq!(by_name(&[("FR", 2), ("IT", 0)]).unwrap(), ClassNumbers::Given(vec![(1, 2), (3, 0)]));
    for (requests, message) in [
        (&[("fr", 1)][..], "no target row is of class \"fr\"; did you mean \"FR\"? The classes are DE, FR, IT"),
        (&[("unused", 1)], "no target row is of class \"unused\". The classes are DE, FR, IT"),
        (&[("FR", 3)], "class \"FR\": 3 prototypes requested, but it has only 2 source rows"),
        (&[("FR", 1), ("FR", 1)], "class \"FR\" is listed twice"),
    ] {
        assert_eq!(by_name(requests).unwrap_err().to_string(), message);
    }
}
