//! The weights by an independent interior-point solver.

use clarabel::algebra::CscMatrix;
use clarabel::solver::{DefaultSettingsBuilder, DefaultSolver, IPSolver, SolverStatus, SupportedConeT};
use ndarray::{Array1, Array2};

/// min ½wᵀKw − μᵀw with w ≥ 0, and Σw = 1 if requested.
pub(crate) fn clarabel(kernel_mean: &Array1<f64>, gram: &Array2<f64>, sum_to_one: bool) -> Array1<f64> {
    let n = kernel_mean.len();
    let mut quadratic = CscMatrix::from(gram.rows().into_iter().map(|row| row.to_vec()).collect::<Vec<_>>().as_slice());
    quadratic = quadratic.to_triu();
    let linear: Vec<f64> = kernel_mean.iter().map(|mean| -mean).collect();
    let mut rows: Vec<Vec<f64>> = Vec::new();
    let mut right: Vec<f64> = Vec::new();
    let mut cones = Vec::new();
    if sum_to_one {
        rows.push(vec![1.0; n]);
        right.push(1.0);
        cones.push(SupportedConeT::ZeroConeT(1));
    }
    for member in 0..n {
        rows.push((0..n).map(|column| if column == member { -1.0 } else { 0.0 }).collect());
        right.push(0.0);
    }
    cones.push(SupportedConeT::NonnegativeConeT(n));
    let constraints = CscMatrix::from(rows.as_slice());
    // The tightest tolerance that the solver can meet, far below the differences compared.
    for tolerance in [1e-13, 1e-12, 1e-11, 1e-10] {
        let settings = DefaultSettingsBuilder::default()
            .verbose(false)
            .tol_gap_abs(tolerance)
            .tol_gap_rel(tolerance)
            .tol_feas(tolerance)
            .max_iter(500)
            .build()
            .unwrap();
        let mut solver = DefaultSolver::new(&quadratic, &linear, &constraints, &right, &cones, settings).unwrap();
        solver.solve();
        if solver.solution.status == SolverStatus::Solved {
            // An interior point is never exactly on the boundary: small negative values are within the solver's
            // tolerance.
            return Array1::from(solver.solution.x.clone()).mapv(|weight| weight.max(0.0));
        }
    }
    panic!("clarabel could not solve the problem")
}
