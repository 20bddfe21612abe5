//! Racing, fixed and excluded rows, quotas and a budget, limits on the weights, and explanations of single rows.

use crate::checks::{Checked, Fault, Run, ensure, is_only_rounding};
use crate::double_double::DoubleDouble;
use crate::library::Library;
use crate::problem::AdversaryProblem;
use crate::reference::Reference;
use protodash::{
    Budget, Choice, Error, Means, Method, Params, Prototype, Quota, Selection, Stopped, TargetEnergy, Weights,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Rounding of weights under limits, as a fraction of their total.
const LIMIT: f64 = 1e-8;
/// How far the objective under limits may be below that of other weights within them, as a fraction of the terms.
const GAP: f64 = 1e-9;

/// Checks one setting of each parameter that the other checks leave at its default.
pub(crate) fn check_other_parameters(
    problem: &AdversaryProblem,
    reference: &Reference,
    library: &Library<'_>,
) -> Checked {
    let random = &mut ChaCha8Rng::seed_from_u64(problem.seed ^ 0x5EED);
    for method in [Method::ProtoDash, Method::ProtoGreedy] {
        check_racing(reference, library, method)?;
        check_oversample(random, reference, library, method)?;
        check_given_rows(random, reference, library, method)?;
        check_quotas(random, reference, library, method)?;
        check_budget(random, reference, library, method)?;
        for weights in [Weights::Nonnegative, Weights::Convex] {
            check_limits(random, reference, library, (method, weights))?;
        }
    }
    for method in Method::ALL.iter().map(|(method, ..)| *method).filter(|method| method.is_nested()) {
        check_min_gain(random, library, method)?;
    }
    check_given_rows(random, reference, library, Method::L2c)?;
    check_explanation(random, problem, library)
}

fn solved(found: protodash::Result<Selection>, what: &str) -> Result<Selection, Fault> {
    found.map_err(|error| Fault { claim: "a valid problem is solved", detail: format!("{what}: {error}") })
}

/// A race gives what the full mean gives.
fn check_racing(reference: &Reference, library: &Library<'_>, method: Method) -> Checked {
    let mut params = library.params();
    (params.method, params.target_energy) = (method, TargetEnergy::Skip);
    params.means = Means::Full;
    let full = solved(library.select(&params), "full")?;
    params.means = Means::Racing;
    let what = format!("{}, racing", method.name());
    let raced = solved(library.select(&params), &what)?;
    if is_only_rounding(reference, &full) {
        return Ok(());
    }
    let run = Run::new(reference, &params, &raced, &what);
    run.check()?;
    run.chooses_the_rows_of(&full)?;
    if let Some(single) = library.select_in_single(&params) {
        let what = format!("{what}, f32");
        let single = solved(single, &what)?;
        let run = Run::new(reference, &params, &single, &what);
        run.check()?;
        run.chooses_the_rows_of(&full)?;
    }
    Ok(())
}

/// The rows are the heaviest of a longer run, with the best weights.
fn check_oversample(random: &mut ChaCha8Rng, reference: &Reference, library: &Library<'_>, method: Method) -> Checked {
    let mut params = library.params();
    params.method = method;
    let Some(wanted) = params.n_prototypes else { return Ok(()) };
    let oversample = random.random_range(1.0..4.0);
    params.n_prototypes = Some(((wanted as f64 * oversample).ceil() as usize).min(reference.raw.len()));
    let what = format!("{}, oversample {oversample}", method.name());
    let long = solved(library.select(&params), &what)?;
    (params.n_prototypes, params.oversample) = (Some(wanted), oversample);
    let kept = solved(library.select(&params), &what)?;
    let mut places: Vec<usize> = (0..long.prototypes.len()).collect();
    places.sort_by(|a, b| long.prototypes[*b].weight.total_cmp(&long.prototypes[*a].weight));
    places.truncate(wanted);
    places.sort_unstable();
    let heaviest: Vec<usize> = places.into_iter().map(|place| long.prototypes[place].source_index).collect();
    ensure(rows(&kept) == heaviest, "oversampling keeps the heaviest", || {
        format!("{what}: {:?} of {:?}", rows(&kept), long.prototypes)
    })?;
    if is_only_rounding(reference, &kept) {
        return Ok(());
    }
    let run = Run::new(reference, &params, &kept, &what);
    run.reports_its_objective()?;
    run.has_optimal_weights()
}

/// A run ends before the first step that gains too little, and is the same up to there.
fn check_min_gain(random: &mut ChaCha8Rng, library: &Library<'_>, method: Method) -> Checked {
    let mut params = library.params();
    (params.method, params.weights) = (method, Weights::Nonnegative);
    let long = solved(library.select(&params), method.name())?;
    let gains: Vec<f64> = long.prototypes.iter().map(|prototype| prototype.gain).collect();
    if gains.is_empty() {
        return Ok(());
    }
    let min_gain = gains[random.random_range(0..gains.len())] * random.random_range(0.5..1.5);
    let is_near = |gain: &f64| (gain - min_gain).abs() <= 1e-9 * min_gain;
    if !(min_gain > 0.0 && min_gain.is_finite()) || gains.iter().any(is_near) {
        return Ok(());
    }
    params.min_gain = Some(min_gain);
    let what = format!("{}, min_gain {min_gain:e}", method.name());
    let short = solved(library.select(&params), &what)?;
    let n_expected = gains.iter().position(|gain| *gain < min_gain).unwrap_or(gains.len());
    let is_cut = short.prototypes.len() == n_expected
        && (n_expected == gains.len() || short.stopped == Stopped::MinGain)
        && (n_expected == 0 || long.prefix(n_expected).is_some_and(|prefix| prefix.prototypes == short.prototypes));
    ensure(is_cut, "a run ends before a step that gains too little", || {
        format!("{what}: {:?} of {:?}", short.prototypes, long.prototypes)
    })
}

/// Fixed rows come first, excluded ones are absent, and the others are chosen as the method says.
fn check_given_rows(random: &mut ChaCha8Rng, reference: &Reference, library: &Library<'_>, method: Method) -> Checked {
    let n_rows = reference.raw.len();
    let mut params = library.params();
    params.method = method;
    if method == Method::L2c {
        params.weights = Weights::Equal;
    }
    for row in 0..n_rows {
        match random.random_range(0..5) {
            0 if params.fixed.len() < 3 => params.fixed.push(row),
            1 => params.exclude.push(row),
            _ => {}
        }
    }
    params.fixed.reverse();
    let available = n_rows - params.fixed.len() - params.exclude.len();
    params.n_prototypes = params.n_prototypes.map(|number| number.min(available));
    if available == 0 {
        return Ok(());
    }
    let what = format!("{}, fixed {:?}, excluded {:?}", method.name(), params.fixed, params.exclude);
    let selection = solved(library.select(&params), &what)?;
    let rows = rows(&selection);
    let is_given = rows.starts_with(&params.fixed) && !rows.iter().any(|row| params.exclude.contains(row));
    ensure(is_given, "fixed rows come first and excluded ones are absent", || format!("{what}: {rows:?}"))?;
    if is_only_rounding(reference, &selection) {
        return Ok(());
    }
    Run::new(reference, &params, &selection, &what).check()
}

/// Minima and maxima hold, and the weights are the best for the chosen rows.
fn check_quotas(random: &mut ChaCha8Rng, reference: &Reference, library: &Library<'_>, method: Method) -> Checked {
    let n_rows = reference.raw.len();
    let mut params = library.params();
    params.method = method;
    let n_groups = random.random_range(1..4);
    let group: Vec<usize> = (0..n_rows).map(|_| random.random_range(0..n_groups + 1)).collect();
    for number in 0..n_groups {
        let rows: Vec<usize> = (0..n_rows).filter(|row| group[*row] == number).collect();
        let at_least = random.random_range(0..3);
        let at_most = random.random_bool(0.5).then(|| at_least + random.random_range(0..3));
        params.quotas.push(Quota { name: format!("group={number}"), rows, at_least, at_most });
    }
    let what = format!("{}, {:?}", method.name(), params.quotas);
    let selection = match library.select(&params) {
        Err(Error::Constraint(_)) => return ensure(!is_feasible(&params), "what is feasible is solved", || what),
        found => solved(found, &what)?,
    };
    let rows = rows(&selection);
    for quota in &params.quotas {
        let n_chosen = rows.iter().filter(|row| quota.rows.contains(row)).count();
        let fits = n_chosen >= quota.at_least && quota.at_most.is_none_or(|most| n_chosen <= most);
        ensure(fits, "quotas hold", || format!("{what}: {rows:?}"))?;
    }
    if is_only_rounding(reference, &selection) {
        return Ok(());
    }
    let run = Run::new(reference, &params, &selection, &what);
    run.reports_its_objective()?;
    run.has_optimal_weights()
}

/// Whether the quotas can be met, with all other rows at hand.
fn is_feasible(params: &Params) -> bool {
    let needed: usize = params.quotas.iter().map(|quota| quota.at_least).sum();
    needed <= params.n_prototypes.unwrap_or(usize::MAX)
        && params.quotas.iter().all(|quota| quota.at_least <= quota.rows.len())
}

/// The rows cost no more than allowed, explain no less than the best single row, and have the best weights.
fn check_budget(random: &mut ChaCha8Rng, reference: &Reference, library: &Library<'_>, method: Method) -> Checked {
    let n_rows = reference.raw.len();
    let mut params = library.params();
    params.method = method;
    let costs: Vec<f64> = (0..n_rows).map(|_| 10_f64.powf(random.random_range(-1.0..2.0))).collect();
    let limit = costs.iter().sum::<f64>() * random.random_range(0.01..0.6);
    params.budget = Some(Budget { costs: costs.clone(), limit });
    let what = format!("{}, {:?}", method.name(), params.budget);
    let cheapest = costs.iter().copied().fold(f64::INFINITY, f64::min);
    let selection = match library.select(&params) {
        Err(Error::Constraint(_)) => return ensure(cheapest > limit, "what is feasible is solved", || what),
        found => solved(found, &what)?,
    };
    let cost: f64 = selection.prototypes.iter().map(|prototype| costs[prototype.source_index]).sum();
    ensure(cost <= limit * (1.0 + 1e-12), "the budget holds", || format!("{what}: {cost}"))?;
    if is_only_rounding(reference, &selection) {
        return Ok(());
    }
    let run = Run::new(reference, &params, &selection, &what);
    run.reports_its_objective()?;
    run.has_optimal_weights()?;
    let view = reference.view(false);
    let ours = view.best(&rows(&selection));
    for row in (0..n_rows).filter(|row| costs[*row] <= limit) {
        let alone = view.best(&[row]);
        let gap = (alone.value - ours.value).to_f64();
        ensure(gap <= GAP * alone.size.max(ours.size), "a budget leaves no better single row", || {
            format!("{what}: row {row} by {gap:e}")
        })?;
    }
    Ok(())
}

/// Weights meet their limits, and none on the way to other weights within them are better.
fn check_limits(
    random: &mut ChaCha8Rng,
    reference: &Reference,
    library: &Library<'_>,
    (method, weights): (Method, Weights),
) -> Checked {
    let mut params = library.params();
    (params.method, params.weights) = (method, weights);
    let number = params.n_prototypes.unwrap_or(reference.raw.len().min(4)) as f64;
    params.max_weight = random.random_bool(0.7).then(|| (random.random_range(1.0..2.0) / number).min(1.0));
    params.min_effective =
        (params.max_weight.is_none() || random.random_bool(0.5)).then(|| 1.0 + (number - 1.0) * random.random::<f64>());
    let what = format!(
        "{}, {}, max_weight {:?}, min_effective {:?}",
        method.name(),
        weights.name(),
        params.max_weight,
        params.min_effective
    );
    let selection = solved(library.select(&params), &what)?;
    if is_only_rounding(reference, &selection) || selection.prototypes.is_empty() {
        return Ok(());
    }
    Run::new(reference, &params, &selection, &what).reports_its_objective()?;
    let ours: Vec<f64> = selection.prototypes.iter().map(|prototype| prototype.weight).collect();
    let total: f64 = ours.iter().sum();
    if total == 0.0 {
        return Ok(());
    }
    let size = ours.len() as f64;
    // Rows too few for the limits have equal weights.
    let cap = params.max_weight.unwrap_or(1.0).max(1.0 / size);
    let floor = params.min_effective.unwrap_or(1.0).min(size);
    let meets = |weights: &[f64], rounding: f64| {
        let total: f64 = weights.iter().sum();
        let squares: f64 = weights.iter().map(|weight| weight * weight).sum();
        weights.iter().all(|weight| *weight <= cap * total * (1.0 + rounding))
            && total * total >= floor * squares * (1.0 - rounding)
    };
    ensure(meets(&ours, LIMIT), "weights meet their limits", || format!("{what}: {:?}", selection.prototypes))?;
    let view = reference.view(weights == Weights::Convex);
    let set = rows(&selection);
    let reached = view.objective(&set, &ours);
    for _ in 0..10 {
        let scale = if weights == Weights::Convex { 1.0 } else { total * random.random_range(0.5..1.5) };
        let raw: Vec<f64> = ours.iter().map(|_| random.random::<f64>()).collect();
        let sum: f64 = raw.iter().sum();
        // Mixed with equal weights, which meet all limits, until the mixture does.
        let mixed = (0..=20).map(|step| {
            let part = f64::from(step) / 20.0;
            raw.iter().map(|weight| scale * ((1.0 - part) * weight / sum + part / size)).collect::<Vec<f64>>()
        });
        let Some(other) = mixed.into_iter().find(|weights| meets(weights, 0.0)) else { continue };
        for part in [1e-3, 0.1, 1.0] {
            let between: Vec<f64> =
                ours.iter().zip(&other).map(|(ours, other)| (1.0 - part) * ours + part * other).collect();
            let value = view.objective(&set, &between);
            let gap = (value.value - reached.value).to_f64();
            ensure(gap <= GAP * value.size.max(reached.size), "no other weights within the limits are better", || {
                format!("{what}: {between:?} is {gap:e} above {ours:?}")
            })?;
        }
    }
    Ok(())
}

/// An explanation is the selection for a single target row.
fn check_explanation(random: &mut ChaCha8Rng, problem: &AdversaryProblem, library: &Library<'_>) -> Checked {
    let row = random.random_range(0..problem.target().nrows());
    let Some((explained, selected)) = library.explain(row, &library.params()) else { return Ok(()) };
    let what = format!("row {row}");
    let explained = explained.map_err(|error| Fault { claim: "a row is explained", detail: error.to_string() })?;
    let selected = solved(selected, &what)?;
    let pairs = |prototypes: &[Prototype]| -> Vec<(usize, f64)> {
        let weighted = prototypes.iter().filter(|prototype| prototype.weight > 0.0);
        weighted.map(|prototype| (prototype.source_index, prototype.weight)).collect()
    };
    let (ours, theirs) = (pairs(&explained.rows[0].prototypes), pairs(&selected.prototypes));
    // The kernel values of single rows and of blocks are rounded in different places. Nearly dependent rows amplify that in their
    // weights, and may decide which of them has one, but not in feature space.
    let signed: Vec<(usize, f64)> =
        ours.iter().copied().chain(theirs.iter().map(|(row, weight)| (*row, -weight))).collect();
    let length = |pairs: &[(usize, f64)]| -> f64 {
        let mut totals = vec![0.0; problem.source.nrows()];
        pairs.iter().for_each(|(row, weight)| totals[*row] += weight);
        let rows: Vec<usize> = (0..totals.len()).filter(|row| totals[*row] != 0.0).collect();
        let values: Vec<Vec<f64>> = rows.iter().map(|row| problem.source.row(*row).to_vec()).collect();
        let both = (0..rows.len()).flat_map(|i| (0..rows.len()).map(move |j| (i, j)));
        let term = |(i, j): (usize, usize)| {
            let weights = DoubleDouble::from(totals[rows[i]]) * DoubleDouble::from(totals[rows[j]]);
            problem.similarity.evaluate(&values[i], &values[j]).value * weights
        };
        both.map(term).sum::<DoubleDouble>().to_f64().max(0.0).sqrt()
    };
    let order = |pairs: &[(usize, f64)]| -> Vec<usize> { pairs.iter().map(|(row, _)| *row).collect() };
    let (in_order, their_order) = (order(&ours), order(&theirs));
    let has_same_rows = in_order.iter().all(|row| their_order.contains(row)) && in_order.len() == their_order.len();
    let is_same = length(&signed) <= GAP * length(&theirs) && (in_order == their_order || !has_same_rows);
    ensure(is_same, "an explanation is the selection for one row", || {
        format!("{what}: {ours:?}, {theirs:?} {:?}", selected.stopped == Stopped::Optimal)
    })
}

fn rows(selection: &Selection) -> Vec<usize> {
    selection.prototypes.iter().map(|prototype| prototype.source_index).collect()
}
