//! One test for each fault that was found, with the smallest data that shows it.

use crate::samples::{chosen, weights};
use ndarray::array;
use protodash::{Linear, Method, Params, Stopped, Weights, select};

/// Rows 1 and 2 point nearly opposite ways. The column of such a pair carries its rounding, a part 1e-6 of itself, on to
/// the Schur complements of others, which fell below 0 as if the kernel were not positive semi-definite.
#[test]
fn nearly_opposite_rows_do_not_make_a_linear_kernel_indefinite() {
    let target = array![[2.0, 2.0], [0.0, 1.0]];
    let source = array![
        [0.0, 1.4267189675451408],
        [-0.7771795545240935, -0.7705410563023494],
        [1.9466478175667787, 1.930067413394364],
        [-1.004581728111024, 1.1480852371026176],
        [0.0, -0.7754685504444703]
    ];
    for method in [Method::ProtoDash, Method::ProtoGreedy, Method::Swap] {
        let mut params = Params::new(5);
        params.method = method;
        let selection = select(&target, &source, &Linear, &params).unwrap();
        assert_eq!(selection.stopped, Stopped::Optimal, "{method:?}");
        assert!(selection.explained().unwrap() > 1.0 - 1e-12, "{method:?}");
    }
}

/// Three rows span the plane; the second and third get no weight beside the fourth. A row in the span of the prototypes
/// was never considered again, and the run called itself optimal where it was not.
#[test]
fn a_row_in_the_span_of_the_prototypes_can_still_be_chosen() {
    let target = array![[1.0, 0.2]];
    let source = array![[1.0, 1.0], [1.0, -3.0], [5.0, 1.0]];
    let mut params = Params::new(3);
    for method in [Method::ProtoDash, Method::ProtoGreedy, Method::Swap] {
        params.method = method;
        let selection = select(&target, &source, &Linear, &params).unwrap();
        assert!((selection.explained().unwrap() - 1.0).abs() < 1e-12, "{method:?}: {:?}", chosen(&selection));
    }
}

/// Four points in space are affinely but not linearly independent under the linear kernel; with Σw = 1 all four may be
/// needed, and the fourth was refused.
#[test]
fn convex_weights_use_one_point_more_than_there_are_columns() {
    let corners = array![[0.1, 0.1, 0.1], [1.0, 0.1, 0.1], [0.1, 1.0, 0.1], [0.1, 0.1, 1.0]];
    let centre = array![[0.325, 0.325, 0.325]];
    let mut params = Params::new(4);
    params.weights = Weights::Convex;
    let selection = select(&centre, &corners, &Linear, &params).unwrap();
    assert_eq!(selection.prototypes.len(), 4);
    assert!(weights(&selection).iter().all(|weight| (weight - 0.25).abs() < 1e-9), "{:?}", weights(&selection));
    assert!(selection.mmd2().unwrap() < 1e-12);
}
