//! Swap against its starts, the lasso's path and K-Medoids.

use crate::checks::{Checked, Fault, ensure};
use crate::double_double::DoubleDouble;
use crate::library::Library;
use crate::problem::AdversaryProblem;
use crate::reference::Reference;
use protodash::{Distance, Method, Params, Selection, Stopped, Weights};

/// Rounding along the lasso path, as a fraction of the size of a slope.
const LASSO: f64 = 1e-8;
/// A row is independent of others if they cannot represent at least this fraction of it.
const INDEPENDENT: f64 = 1e-6;
/// Rounding of distances, as a fraction of their sum.
const DISTANCE: f64 = 1e-9;

/// Swap is at least as good as each method it starts from under the weights that the search uses, with the same number of
/// rows. If it is optimal, which is checked elsewhere, further rows of L2C can only raise the last digits.
pub(crate) fn check_swap_is_never_worse(
    library: &Library<'_>,
    params: &Params,
    swap: &Selection,
    what: &str,
) -> Checked {
    if !matches!(params.weights, Weights::Nonnegative | Weights::Own | Weights::Convex) {
        return Ok(());
    }
    for method in [Method::ProtoGreedy, Method::ProtoDash, Method::L2c] {
        let mut params = params.clone();
        params.method = method;
        if params.weights == Weights::Own {
            params.weights = Weights::Nonnegative; // L2C's own are equal
        }
        if method == Method::L2c && swap.stopped == Stopped::Optimal {
            continue;
        }
        let Ok(start) = library.select(&params) else { continue };
        ensure(swap.objective_final() >= start.objective_final(), "swap is never worse than its starts", || {
            format!("{what}: {:e}, {method:?} {:e}", swap.objective_final(), start.objective_final())
        })?;
    }
    Ok(())
}

/// At every breakpoint the slope of each row with a positive weight equals the penalty, and no other slope exceeds it.
pub(crate) fn check_lasso(reference: &Reference, library: &Library<'_>) -> Checked {
    let mut params = library.params();
    params.n_prototypes = None;
    let path =
        library.lasso(&params).map_err(|error| Fault { claim: "the lasso has a path", detail: error.to_string() })?;
    let view = &reference.raw;
    for breakpoint in &path.breakpoints {
        // Rows that depend on the support up to rounding do not join the path.
        let rows = (0..view.len()).filter(|row| !breakpoint.support.contains(row));
        let independent = rows.filter(|row| view.schur(*row, &breakpoint.support) > INDEPENDENT);
        let members = breakpoint.support.iter().copied();
        for row in members.chain(independent.collect::<Vec<_>>()) {
            let slope = view.slope(row, &breakpoint.support, &breakpoint.weights);
            let above = (slope.value - DoubleDouble::from(breakpoint.penalty)).to_f64();
            let position = breakpoint.support.iter().position(|member| *member == row);
            let has_weight = position.is_some_and(|position| breakpoint.weights[position] > 0.0);
            let off = if has_weight { above.abs() } else { above };
            ensure(off <= LASSO * slope.size, "the lasso's path is a path of solutions", || {
                format!("row {row} is {above:e} above the penalty, size {:e}, at {breakpoint:?}", slope.size)
            })?;
        }
    }
    Ok(())
}

/// The loss is reported correctly, and no single exchange lowers it.
pub(crate) fn check_medoids(problem: &AdversaryProblem, library: &Library<'_>) -> Checked {
    let found = library.medoids().map_err(|error| Fault { claim: "k-medoids is solved", detail: error.to_string() })?;
    let rows: Vec<Vec<f64>> = problem.source.rows().into_iter().map(|row| row.to_vec()).collect();
    let distance =
        |x: &Vec<f64>| -> Vec<DoubleDouble> { rows.iter().map(|y| problem.similarity.distance(x, y)).collect() };
    let distances: Vec<Vec<DoubleDouble>> = rows.iter().map(distance).collect();
    let loss = |medoids: &[usize]| -> f64 {
        let nearest =
            |row: &Vec<DoubleDouble>| medoids.iter().map(|medoid| row[*medoid].to_f64()).fold(f64::INFINITY, f64::min);
        distances.iter().map(nearest).sum()
    };
    let total = loss(&found.medoids);
    // 1 − cos has the rounding of 1; differences of sums of distances have that of the largest distance, for each term.
    let farthest = distances.iter().flatten().map(|distance| distance.to_f64()).fold(0.0, f64::max);
    let largest = if found.distance == Distance::Cosine { 1.0 } else { farthest };
    let n_terms = (rows.len() + found.medoids.len() + 8) as f64;
    let rounding = f64::EPSILON * n_terms * largest * rows.len() as f64;
    ensure((found.loss() - total).abs() <= DISTANCE * total + rounding, "the loss is the sum of distances", || {
        format!("{} not {total} of {:?}", found.loss(), found.medoids)
    })?;
    for at in 0..found.medoids.len() {
        for row in (0..rows.len()).filter(|row| !found.medoids.contains(row)) {
            let mut other = found.medoids.clone();
            other[at] = row;
            ensure(
                loss(&other) >= total * (1.0 - DISTANCE) - rounding,
                "no exchange of medoids lowers the loss",
                || format!("{other:?} has {:e}, {:?} has {total:e}", loss(&other), found.medoids),
            )?;
        }
    }
    Ok(())
}

/// Coverage stays within its slack of K-Medoids' mean distance, from which it starts.
pub(crate) fn check_coverage(problem: &AdversaryProblem, library: &Library<'_>) -> Checked {
    if problem.target.is_some() || problem.target_weights.is_some() {
        return Ok(()); // K-Medoids then represents other rows
    }
    let mut params = library.params();
    params.method = Method::Coverage;
    let (Ok(medoids), Ok(covering)) = (library.medoids(), library.select(&params)) else {
        return Ok(()); // reported elsewhere
    };
    let rows: Vec<Vec<f64>> = problem.source.rows().into_iter().map(|row| row.to_vec()).collect();
    let chosen: Vec<usize> = covering.prototypes.iter().map(|prototype| prototype.source_index).collect();
    let distance = |x: &Vec<f64>, other: usize| problem.similarity.distance(x, &rows[other]).to_f64();
    let nearest = |x: &Vec<f64>| chosen.iter().map(|other| distance(x, *other)).fold(f64::INFINITY, f64::min);
    let total: f64 = rows.iter().map(nearest).sum();
    let farthest = rows.iter().map(|x| distance(x, 0)).fold(0.0, f64::max);
    let rounding = 1e-14 * rows.len() as f64 * if medoids.distance == Distance::Cosine { 1.0 } else { farthest };
    let allowed = medoids.loss() * (1.0 + params.coverage_slack) * (1.0 + DISTANCE) + rounding;
    ensure(chosen.is_empty() || total <= allowed, "coverage stays within its distance limit", || {
        format!("{total} of {chosen:?}, K-Medoids {} of {:?}", medoids.loss(), medoids.medoids)
    })
}
