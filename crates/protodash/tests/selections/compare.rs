//! Comparisons of methods through the public interface.

use crate::samples::random;
use protodash::compare::{CompareParams, Unmetered, compare};
use protodash::{Budget, Error, Gaussian, Method, Params, Quota, Unobserved};

/// They were applied to the rows left after the holdout, which have other numbers.
#[test]
fn parameters_that_name_rows_or_limit_weights_are_rejected() {
    type Setter<'a> = &'a dyn Fn(&mut Params);
    let (rows, kernel) = (random(20, 2, 1), Gaussian::new(1.0).unwrap());
    let refused = |set: Setter<'_>, holdout| {
        let mut params = CompareParams::new(&[Method::ProtoDash, Method::Random], &[2, 5]);
        params.holdout = holdout;
        set(&mut params.selection);
        compare(&rows, &rows, None, &kernel, &params, &mut Unmetered, &mut Unobserved).map(|found| found.results.len())
    };
    let quota = Quota { name: "x".to_owned(), rows: vec![18, 19], at_least: 2, at_most: None };
    let set: [(&str, Setter<'_>); 7] = [
        ("fixed", &|params| params.fixed = vec![19]),
        ("exclude", &|params| params.exclude = vec![0, 1]),
        ("resume", &|params| params.resume = vec![3]),
        ("quotas", &|params| params.quotas = vec![quota.clone()]),
        ("budget", &|params| params.budget = Some(Budget { costs: vec![1.0; 20], limit: 3.0 })),
        ("max_weight", &|params| params.max_weight = Some(0.6)),
        ("min_effective", &|params| params.min_effective = Some(1.5)),
    ];
    for (name, set) in set {
        for holdout in [None, Some(0.3)] {
            let error = refused(set, holdout).unwrap_err();
            assert_eq!(error, Error::NotForComparison { name });
            let message =
                format!("a comparison of methods does not support {name}; select with one method at a time instead");
            assert_eq!(error.to_string(), message);
        }
    }
    assert_eq!(refused(&|_| (), Some(0.3)), Ok(4));
}
