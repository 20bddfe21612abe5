//! Kernel means computed in tasks, searches that continue another, and a leader without data.

use protodash::cluster::{self, MeanTasks, ShardServer, Transport};
use protodash::{Error, Method, Params, TargetEnergy, Unobserved, Weights};

use crate::case::{Case, TestKernel, TestScalar, assert_same};

/// The selection of workers that prepare their data from the results of tasks.
fn in_tasks<T: TestScalar>(case: &Case, params: &Params) -> Result<protodash::Selection, Error> {
    case.with_rows::<T, _>(|target, source| {
        let kernel = case.kernel::<T>();
        let tasks = MeanTasks::new(target, source, &*kernel, params)?;
        let results: Vec<_> =
            (0..tasks.len()).rev().map(|task| tasks.run(task, &mut Unobserved)).collect::<Result<_, _>>()?;
        let results: Vec<_> = results.into_iter().rev().collect();
        let prepared = tasks.prepare(&results, &mut Unobserved)?;
        let n_source = source.nrows();
        let parts = [0..n_source / 3, n_source / 3..n_source];
        let servers = parts.map(|part| ShardServer::new(&prepared, part, params).unwrap());
        let workers = servers.each_ref().map(|server| server as &dyn Transport);
        let led = cluster::lead(&workers, &*kernel, params, &mut Unobserved)?;
        cluster::finish(&prepared, &led, params, &mut Unobserved)
    })
}

fn alone<T: TestScalar>(case: &Case, params: &Params) -> protodash::Selection {
    let kernel = case.kernel::<T>();
    case.with_rows::<T, _>(|target, source| protodash::select(target, source, &*kernel, params)).unwrap()
}

fn check<T: TestScalar>(case: &Case, params: &Params) {
    assert_same(&in_tasks::<T>(case, params).unwrap(), &alone::<T>(case, params), &format!("{case:?} {params:?}"));
}

#[test]
fn means_and_energy_computed_in_tasks_have_the_same_bits() {
    for n_target in [None, Some(9000)] {
        for kernel in [TestKernel::Gaussian, TestKernel::Linear] {
            let case = Case { n_source: 9000, n_target, kernel, n_prototypes: 4, ..Case::SMALL };
            check::<f32>(&case, &case.params());
            check::<f64>(&case, &case.params());
        }
    }
}

#[test]
fn energy_and_target_weights_are_those_of_the_call() {
    let case = Case { n_source: 300, n_target: Some(200), ..Case::SMALL };
    let mut params = case.params();
    for energy in [TargetEnergy::Skip, TargetEnergy::Sample { n_rows: 50, seed: 3 }, TargetEnergy::Exact] {
        params.target_energy = energy;
        check::<f32>(&case, &params);
    }
    params.target_weights = Some((0..200).map(|row| f64::from(row % 5)).collect());
    check::<f64>(&case, &params);
}

#[test]
fn weights_of_every_rule_and_limits_are_those_of_the_call() {
    for method in [Method::ProtoDash, Method::ProtoGreedy] {
        let case = Case { n_source: 200, method, n_prototypes: 8, ..Case::SMALL };
        let mut params = case.params();
        for weights in [Weights::Own, Weights::Equal, Weights::Shares, Weights::Convex] {
            params.weights = weights;
            check::<f32>(&case, &params);
            check::<f64>(&case, &params);
        }
        params.max_weight = Some(0.2);
        check::<f32>(&case, &params);
        (params.fixed, params.exclude) = (vec![7, 3], (100..150).collect());
        check::<f32>(&case, &params);
        params = Params::new(1);
        (params.method, params.n_prototypes, params.min_gain) = (method, None, Some(1e-3));
        check::<f64>(&case, &params);
    }
}

#[test]
fn results_of_other_tasks_are_rejected() {
    let case = Case { n_source: 9000, ..Case::SMALL };
    case.with_rows::<f32, _>(|target, source| {
        let kernel = case.kernel::<f32>();
        let tasks = MeanTasks::new(target, source, &*kernel, &case.params()).unwrap();
        assert_eq!(tasks.len(), 2);
        assert!(tasks.run(2, &mut Unobserved).is_err());
        let result = tasks.run(0, &mut Unobserved).unwrap();
        let error = |results: &[&[u8]]| tasks.prepare(results, &mut Unobserved).err().unwrap().to_string();
        assert!(error(&[&result]).contains("1 parts of a kernel mean of 9000 rows, where 2 are expected"));
        assert!(error(&[&result, &result[1..]]).contains("cannot read a message"));
        assert!(error(&[&result, &result[..result.len() - 1]]).contains("cannot read a message"));
    });
}

#[test]
fn a_search_continues_one_that_ended_at_any_row() {
    for method in [Method::ProtoDash, Method::ProtoGreedy] {
        for n_target in [None, Some(150)] {
            let case = Case { n_source: 400, method, n_target, n_prototypes: 12, ..Case::SMALL };
            let whole = alone::<f32>(&case, &case.params());
            let rows: Vec<usize> = whole.prototypes.iter().map(|prototype| prototype.source_index).collect();
            for length in 0..=rows.len() {
                let mut params = case.params();
                params.resume = rows[..length].to_vec();
                let found = in_tasks::<f32>(&case, &params).unwrap();
                assert_same(&found, &whole, &format!("continued after {length} rows: {case:?}"));
            }
        }
    }
}
