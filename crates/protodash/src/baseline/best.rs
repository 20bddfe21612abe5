//! What all source rows explain together: no selection from them can explain more.

use crate::kernel::Kernel;
use crate::kernel_mean::Target;
use crate::methods::choose;
use crate::observe::Unobserved;
use crate::params::{Method, Params, Weights};
use crate::problem::{SelectionProblem, StoppingRule};
use crate::rows::{Rows, Scalar};
use crate::search::ShardLayout;
use crate::selection::Selection;

/// Maximum number of source rows whose best weights are computed: up to O(n³).
const MOST_ROWS: usize = 1000;

/// The share of the target's energy that all rows that may be chosen explain with the best non-negative weights; `None` if
/// it is unknown or would be expensive.
///
/// ProtoDash without a limit ends where no row has a positive gradient: at the maximum over all weights.
pub(super) fn best_explained<T: Scalar>(
    target: Target<'_, T>,
    source: Rows<'_, T>,
    kernel: &dyn Kernel<T>,
    selection: &Selection,
    given: &Params,
) -> Option<f64> {
    let energy = selection.target_energy.filter(|_| source.n_rows() <= MOST_ROWS)?;
    let mut params = given.clone();
    (params.method, params.weights, params.n_prototypes) = (Method::ProtoDash, Weights::Nonnegative, None);
    let problem = SelectionProblem {
        target,
        source,
        kernel,
        kernel_mean: selection.kernel_mean()?,
        approximate: None,
        params: &params,
        candidates: None,
        layout: ShardLayout::default(),
    };
    let stop = StoppingRule { n_prototypes: None, min_gain: None, n_fixed: params.fixed.len() };
    let chosen = choose(problem, stop, &mut Unobserved).ok()?;
    let rule = chosen.rule(params.weights);
    let path = chosen.weigh(problem, rule, stop, &mut Unobserved).ok()?;
    energy.explained(*path.objective.last()?)
}
