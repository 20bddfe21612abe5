//! What section V-B claims, held against what was found.

use std::collections::BTreeMap;

use super::figures::{Averages, final_accuracy};
use crate::claim::Claim;
use crate::figure::shown;
use crate::interval::Estimate;

/// Accuracies that differ by less than this, in the mean, cannot be told apart in the paper's figures.
const INDISTINGUISHABLE: f64 = 0.01;
/// What "a little worse" may be at most.
const A_LITTLE: f64 = 0.05;
/// What "drastically improves" has to be at least.
const DRASTIC: f64 = 0.05;
/// What "almost exclusively" has to be at least.
const ALMOST_ALL: f64 = 0.9;
/// What "orders of magnitude" have to be at least.
const MAGNITUDES: f64 = 100.0;
/// What the last ten prototypes may add, as a part of the objective, where the gain is "incremental".
const INCREMENTAL: f64 = 0.01;

/// The claims, in the order of the paper; those that nothing was found about are left out.
pub(super) fn claims(averages: &Averages<'_>) -> Vec<Claim> {
    let found = [
        incremental(averages),
        little_worse(averages),
        adapts(averages),
        others_do_not(averages),
        like_protogreedy(averages),
        faster(averages, "K-Medoids"),
        faster(averages, "ProtoGreedy"),
        exclusive(averages),
        oversampling(averages, "ProtoDash"),
        oversampling(averages, "ProtoGreedy"),
    ];
    found.into_iter().flatten().collect()
}

fn incremental(averages: &Averages<'_>) -> Option<Claim> {
    let last = averages.sizes.len().checked_sub(1)?;
    let at = |place: usize| averages.over_skews("ProtoDash", &|found| found.objective.get(place).copied());
    let gains: BTreeMap<usize, f64> = paired(&at(last), &at(last.checked_sub(1)?), |now, before| (now - before) / now);
    let gain = estimate(&gains)?;
    let claim = "at the last m the gain in objective is incremental (the last step on the axis adds less than 1 %)";
    Some(Claim::new("figure 3b", claim, format!("adds {} of it", shown(&gain)), gain.high() < INCREMENTAL))
}

fn little_worse(averages: &Averages<'_>) -> Option<Claim> {
    let accuracy = |method| averages.at_skew(method, 10, &final_accuracy);
    let behind = estimate(&paired(&accuracy("K-Medoids"), &accuracy("ProtoDash"), |medoids, ours| medoids - ours))?;
    let claim = "without skew ProtoDash is a little worse than K-Medoids (by 0 to 0.05 of accuracy)";
    let holds = behind.mean > 0.0 && behind.mean <= A_LITTLE;
    Some(Claim::new("figure 4a", claim, format!("worse by {}", shown(&behind)), holds))
}

fn adapts(averages: &Averages<'_>) -> Option<Claim> {
    let rise = rise(averages, "ProtoDash")?;
    let claim = "ProtoDash's accuracy rises drastically with skew (from 10 % to 100 % by more than 0.05)";
    Some(Claim::new("figure 4a", claim, format!("rises by {}", shown(&rise)), rise.low() > DRASTIC))
}

fn others_do_not(averages: &Averages<'_>) -> Option<Claim> {
    let rises: Vec<(&str, Estimate)> = ["L2C", "P-Lasso", "K-Medoids", "RandomW"]
        .into_iter()
        .filter_map(|method| Some((method, rise(averages, method)?)))
        .collect();
    let ours = rises.iter().map(|(method, rise)| format!("{method} {}", shown(rise))).collect::<Vec<_>>().join("; ");
    let claim = "the closest competitors do not adapt to skew (none rises by more than 0.05)";
    let holds = rises.iter().all(|(_, rise)| rise.high() <= DRASTIC);
    (!rises.is_empty()).then(|| Claim::new("figure 4a", claim, format!("rises: {ours}"), holds))
}

fn like_protogreedy(averages: &Averages<'_>) -> Option<Claim> {
    let accuracy = |method| averages.over_skews(method, &final_accuracy);
    let apart = estimate(&paired(&accuracy("ProtoDash"), &accuracy("ProtoGreedy"), |dash, greedy| dash - greedy))?;
    let claim = "ProtoDash is indistinguishable from ProtoGreedy (accuracies differ by less than 0.01)";
    let holds = apart.low() > -INDISTINGUISHABLE && apart.high() < INDISTINGUISHABLE;
    Some(Claim::new("figure 4a", claim, format!("differ by {}", shown(&apart)), holds))
}

fn faster(averages: &Averages<'_>, other: &str) -> Option<Claim> {
    let seconds = |method| averages.over_skews(method, &|found| Some(found.seconds));
    let times = estimate(&paired(&seconds(other), &seconds("ProtoDash"), |other, dash| other / dash))?;
    let claim = format!("ProtoDash is orders of magnitude faster than {other} (100 times)");
    let ours = format!("{} times, without the kernel mean", shown(&times));
    Some(Claim::new("figure 4b", &claim, ours, times.low() >= MAGNITUDES))
}

fn exclusive(averages: &Averages<'_>) -> Option<Claim> {
    let count = estimate(&averages.at_skew("ProtoDash", 100, &|found| found.of_digit.map(|share| share.count)))?;
    let weight = estimate(&averages.at_skew("ProtoDash", 100, &|found| found.of_digit.map(|share| share.weight)))?;
    let claim = "at 100 % skew ProtoDash picks almost only the target digit, with all the weight on it (0.9 of both)";
    let ours = format!("{} of the prototypes, {} of the weight", shown(&count), shown(&weight));
    Some(Claim::new("figure 4c", claim, ours, count.low() >= ALMOST_ALL && weight.low() >= ALMOST_ALL))
}

fn oversampling(averages: &Averages<'_>, method: &str) -> Option<Claim> {
    let [one, two, three] = [1.0, 2.0, 3.0].map(|factor| averages.oversampled(method, factor));
    let (second, third) =
        (estimate(&paired(&two, &one, |a, b| a - b))?, estimate(&paired(&three, &one, |a, b| a - b))?);
    let claim = format!("oversampling by 2 and 3 lets {method} select more of the target digit");
    let ours = format!("share changes by {} and {}", shown(&second), shown(&third));
    Some(Claim::new("figure 3c", &claim, ours, second.low() > 0.0 && third.low() > 0.0))
}

/// How much a method's accuracy rises from the representative set to full skew.
fn rise(averages: &Averages<'_>, method: &str) -> Option<Estimate> {
    let at = |skew| averages.at_skew(method, skew, &final_accuracy);
    estimate(&paired(&at(100), &at(10), |full, none| full - none))
}

/// What two quantities come to in each trial that has both.
fn paired(
    one: &BTreeMap<usize, f64>,
    other: &BTreeMap<usize, f64>,
    value: impl Fn(f64, f64) -> f64,
) -> BTreeMap<usize, f64> {
    one.iter().filter_map(|(trial, one)| Some((*trial, value(*one, *other.get(trial)?)))).collect()
}

fn estimate(by_trial: &BTreeMap<usize, f64>) -> Option<Estimate> {
    Estimate::of(&by_trial.values().copied().collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::super::protocol::{Protocol, TargetSet};
    use super::super::trial::{MethodOutcome, Outcome, Share};
    use super::*;
    use crate::claim::Verdict;

    fn outcome(set: TargetSet, accuracy: impl Fn(&str) -> f64, seconds: impl Fn(&str) -> f64) -> Outcome {
        let method = |method: &str| MethodOutcome {
            method: method.to_owned(),
            n_prototypes: 2,
            accuracy: vec![0.1, accuracy(method)],
            objective: vec![0.5, 0.501],
            of_digit: set.digit.map(|_| Share { count: 0.95, weight: 0.85 }),
            seconds: seconds(method),
        };
        let methods = ["ProtoDash", "ProtoGreedy", "K-Medoids"].map(method).into();
        Outcome { set, kernel_mean_seconds: 1.0, methods, oversampled: Vec::new() }
    }

    #[test]
    fn each_claim_is_judged_by_its_own_numbers() {
        let accuracy = |set: TargetSet| {
            move |method: &str| match (method, set.skew) {
                ("K-Medoids", _) => 0.82 + 0.001 * set.trial as f64,
                (_, 10) => 0.80,
                (_, skew) => 0.85 + 0.001 * f64::from(skew),
            }
        };
        let seconds = |method: &str| if method == "K-Medoids" { 300.0 } else { 1.0 };
        let sets = Protocol::quick(0).target_sets(3);
        let outcomes: Vec<Outcome> = sets.into_iter().map(|set| outcome(set, accuracy(set), seconds)).collect();
        let found = claims(&Averages { outcomes: &outcomes, sizes: &[1, 2] });
        let verdicts: Vec<(&str, Verdict)> = found.iter().map(|claim| (&claim.claim[..24], claim.verdict)).collect();
        let expected = [
            ("at the last m the gain i", Verdict::Holds),
            ("without skew ProtoDash i", Verdict::Holds),
            ("ProtoDash's accuracy ris", Verdict::Holds),
            ("the closest competitors ", Verdict::Holds),
            ("ProtoDash is indistingui", Verdict::Holds),
            ("ProtoDash is orders of m", Verdict::Holds),
            ("ProtoDash is orders of m", Verdict::DoesNotHold),
            ("at 100 % skew ProtoDash ", Verdict::DoesNotHold),
        ];
        assert_eq!(verdicts, expected);
        assert_eq!(found[2].ours, "rises by 0.1500 ± 0.0000");
        assert_eq!(found[5].ours, "300.0 ± 0.0 times, without the kernel mean");
    }
}
