//! Claims of the documentation that go beyond the paper, checked on the digits.

use protodash::bandwidth::{Metric, median};
use protodash::{Gaussian, Method, Params, Stopped, select};

/// Residual MMD²/‖μ‖² of each method, by bandwidth (in median distances) and number of prototypes.
#[test]
fn greedy_choice_and_exchanges_lower_the_residual() {
    let digits = crate::samples::digits();
    let width = median(&digits, &digits, Metric::Euclidean, 0).unwrap();
    let table = [
        (0.5, 10, [0.1139, 0.1162, 0.1105]),
        (0.5, 20, [0.0570, 0.0554, 0.0513]),
        (0.5, 50, [0.0192, 0.0174, 0.0159]),
        (1.0, 20, [0.0047, 0.0037, 0.0031]),
        (1.0, 50, [0.00084, 0.00073, 0.00052]),
    ];
    for (factor, n_prototypes, expected) in table {
        let kernel = Gaussian::new(factor * width).unwrap();
        let methods = [Method::ProtoDash, Method::ProtoGreedy, Method::Swap];
        let residuals = methods.map(|method| {
            let mut params = Params::new(n_prototypes);
            params.method = method;
            1.0 - select(&digits, &digits, &kernel, &params).unwrap().explained().unwrap()
        });
        let digits = if expected[0] < 0.001 { 5e-6 } else { 5e-5 };
        assert!((residuals[0] - expected[0]).abs() <= digits, "{factor} {n_prototypes}: {residuals:?}");
        assert!((residuals[1] - expected[1]).abs() <= digits, "{factor} {n_prototypes}: {residuals:?}");
        // Swaps may end at a different set than the one in the table, but not at one that is worse by more than a
        // hundredth.
        assert!(residuals[2] <= 1.01 * expected[2], "{factor} {n_prototypes}: {residuals:?}");
        assert!(residuals[2] < residuals[0] && residuals[2] < residuals[1]);
    }
}

/// For a target of one digit and a source of the others, the optimum is reached before the requested number; the
/// paper's loop would pad the set with rows of weight 0.
#[test]
fn real_data_reaches_the_optimum_before_the_requested_number() {
    let (_, rows) = crate::samples::cells("digits.csv");
    let digits = crate::samples::digits();
    let of = |wanted: bool| (0..1797).filter(|&row| (rows[row][0] == "0") == wanted).collect::<Vec<_>>();
    let (zeros, others) = (crate::samples::take(&digits, of(true)), crate::samples::take(&digits, of(false)));
    let kernel = Gaussian::new(49.0).unwrap();
    for method in [Method::ProtoDash, Method::ProtoGreedy, Method::Swap] {
        let mut params = Params::new(150);
        params.method = method;
        let selection = select(&zeros, &others, &kernel, &params).unwrap();
        assert_eq!(selection.stopped, Stopped::Optimal, "{method:?}");
        assert!(selection.prototypes.len() < 150);
    }
}
