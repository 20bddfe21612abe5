//! What section V-B claims, held against what was found.

use std::collections::BTreeMap;

use super::figures::{Averages, final_accuracy};
use super::trial::MethodOutcome;
use crate::claim::{Claim, Verdict};
use crate::figure::shown;
use crate::interval::Estimate;

/// Accuracies that differ by less than this, in the mean, cannot be told apart in the paper's figures.
const INDISTINGUISHABLE: f64 = 0.01;
/// What "a little worse" may be at most.
const A_LITTLE: f64 = 0.05;
/// The part of the errors that may be left where accuracy "drastically improves".
const DRASTIC: f64 = 0.5;
/// What accuracy may change by where a method "does not adapt".
const STILL: f64 = 0.02;
/// What "almost exclusively" has to be more than.
const ALMOST_ALL: f64 = 0.9;
/// How far from a tenth the share of one digit of ten may be where a choice is "independent of the target digit".
const INDEPENDENT: f64 = 0.05;
/// What "orders of magnitude" have to be more than.
const MAGNITUDES: f64 = 100.0;
/// What the last step on the axis may add, as a part of the objective, where the gain is "incremental".
const INCREMENTAL: f64 = 0.01;
/// Those that are given the source alone.
const UNAWARE: [&str; 2] = ["L2C", "K-Medoids"];

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
        independent(averages),
    ];
    found.into_iter().flatten().collect()
}

fn incremental(averages: &Averages<'_>) -> Option<Claim> {
    let last = averages.sizes.len().checked_sub(1)?;
    let (before, most) = (averages.sizes.get(last.checked_sub(1)?)?, averages.sizes.get(last)?);
    let at = |place: usize| averages.over_skews("ProtoDash", &|found| found.objective.get(place).copied());
    let gain = estimate(&paired(&at(last), &at(last - 1), |now, before| (now - before) / now))?;
    let ours = format!("the step from m = {before} to {most} adds {} of the objective", shown(&gain));
    let verdict = Verdict::below(&gain, INCREMENTAL);
    let claim = Claim::new("figure 3b", "around m = 200 the gain in objective is incremental", ours, verdict);
    Some(claim.holding_if("the last step on the axis adds less than 0.01 of the objective"))
}

fn little_worse(averages: &Averages<'_>) -> Option<Claim> {
    let accuracy = |method| averages.at_skew(method, 10, &final_accuracy);
    let behind = estimate(&paired(&accuracy("K-Medoids"), &accuracy("ProtoDash"), |medoids, ours| medoids - ours))?;
    let ours = match behind.mean {
        ahead if ahead < 0.0 => format!("better: K-Medoids less ProtoDash is {}", shown(&behind)),
        _ => format!("worse by {}", shown(&behind)),
    };
    let verdict = Verdict::within(&behind, 0.0..=A_LITTLE);
    let claim = Claim::new("figure 4a", "initially ProtoDash is a little worse than K-Medoids", ours, verdict);
    Some(claim.holding_if("on the representative set its accuracy is lower, by at most 0.05"))
}

fn adapts(averages: &Averages<'_>) -> Option<Claim> {
    let at = |skew| averages.at_skew("ProtoDash", skew, &final_accuracy);
    let [none, full] = [10, 100].map(at);
    let left = estimate(&paired(&full, &none, |full, none| (1.0 - full) / (1.0 - none)))?;
    let (none, full) = (estimate(&none)?, estimate(&full)?);
    let ours = format!("{} at 10 %, {} at 100 %: {} of the errors are left", shown(&none), shown(&full), shown(&left));
    let claim = "ProtoDash's performance drastically improves as the skew increases";
    let claim = Claim::new("figure 4a", claim, ours, Verdict::below(&left, DRASTIC));
    Some(claim.holding_if("from 10 % to 100 % skew more than half of its errors go away"))
}

fn others_do_not(averages: &Averages<'_>) -> Option<Claim> {
    let rises = |methods: &[&'static str]| -> Vec<(&'static str, Estimate)> {
        methods.iter().filter_map(|method| Some((*method, rise(averages, method)?))).collect()
    };
    let listed = |rises: &[(&str, Estimate)]| {
        rises.iter().map(|(method, rise)| format!("{method} {}", shown(rise))).collect::<Vec<_>>().join(", ")
    };
    let unaware = rises(&UNAWARE);
    let beside = rises(&["RandomW", "L2C on target", "P-Lasso"]);
    let ours = format!("accuracy changes by: {}; beside these {}", listed(&unaware), listed(&beside));
    let verdicts = unaware.iter().map(|(_, rise)| Verdict::within(rise, -STILL..=STILL));
    let verdict = verdicts.fold(Verdict::Holds, Verdict::and);
    let claim = "the performance of the closest competitors does not adapt to skew";
    let criterion = "from 10 % to 100 % skew the accuracies of K-Medoids and L2C, as the paper runs them, change by at most \
                     0.02";
    (!unaware.is_empty()).then(|| Claim::new("figure 4a", claim, ours, verdict).holding_if(criterion))
}

fn like_protogreedy(averages: &Averages<'_>) -> Option<Claim> {
    let accuracy = |method| averages.over_skews(method, &final_accuracy);
    let apart = estimate(&paired(&accuracy("ProtoDash"), &accuracy("ProtoGreedy"), |dash, greedy| dash - greedy))?;
    let verdict = Verdict::within(&apart, -INDISTINGUISHABLE..=INDISTINGUISHABLE);
    let ours = format!("ProtoDash less ProtoGreedy is {}", shown(&apart));
    let claim = "the performance of ProtoDash is indistinguishable from ProtoGreedy";
    let claim = Claim::new("figure 4a", claim, ours, verdict);
    Some(claim.holding_if("the mean accuracies over all skews differ by at most 0.01"))
}

fn faster(averages: &Averages<'_>, other: &str) -> Option<Claim> {
    let mean = averages.kernel_mean_seconds();
    let seconds = |method: &str| averages.over_skews(method, &|found| Some(found.seconds));
    let whole = |method: &str| match UNAWARE.contains(&method) {
        true => seconds(method),
        false => paired(&seconds(method), &mean, |choice, mean| choice + mean),
    };
    let times = estimate(&paired(&whole(other), &whole("ProtoDash"), |other, dash| other / dash))?;
    let choice = estimate(&paired(&seconds(other), &seconds("ProtoDash"), |other, dash| other / dash))?;
    let claim = format!("ProtoDash is orders of magnitude faster than {other}");
    let why = match other {
        "ProtoGreedy" => "our ProtoGreedy is exact and needs no solution for each candidate",
        _ => "our K-Medoids is FasterPAM",
    };
    let (whole, choice) = (shown(&times), shown(&choice));
    let ours = format!(
        "{other} takes {whole} times as long as ProtoDash, its choice without the kernel mean {choice} times; {why}"
    );
    let claim = Claim::new("figure 4b", &claim, ours, Verdict::above(&times, MAGNITUDES));
    Some(claim.holding_if("it takes less than a hundredth of the processor time, kernel mean included"))
}

fn exclusive(averages: &Averages<'_>) -> Option<Claim> {
    let count = estimate(&averages.at_skew("ProtoDash", 100, &of_digit))?;
    let weight = estimate(&averages.at_skew("ProtoDash", 100, &|found| found.of_digit.map(|share| share.weight)))?;
    let ours = format!("{} of the prototypes, {} of the weight{}", shown(&count), shown(&weight), at_most(averages));
    let verdict = Verdict::above(&count, ALMOST_ALL).and(Verdict::above(&weight, ALMOST_ALL));
    let claim =
        "at 100 % skew ProtoDash picks almost exclusively images of the target digit, with all the weight on them";
    let claim = Claim::new("figure 4c", claim, ours, verdict);
    Some(claim.holding_if("more than 0.9 of the prototypes and of the weight are of the digit"))
}

/// A source may have fewer images of a digit than prototypes are chosen.
fn at_most(averages: &Averages<'_>) -> String {
    let (of_digit, wanted) = (averages.n_source / 10, averages.sizes.last().copied().unwrap_or(1));
    if of_digit >= wanted {
        return String::new();
    }
    let most = of_digit as f64 / wanted as f64;
    format!(
        "; a source of {} has about {of_digit} images of a digit, so that no more than {most:.2} can be",
        averages.n_source
    )
}

fn oversampling(averages: &Averages<'_>, method: &str) -> Option<Claim> {
    let [one, two, three] = [1.0, 2.0, 3.0].map(|factor| averages.oversampled(method, factor));
    let (second, third) =
        (estimate(&paired(&two, &one, |a, b| a - b))?, estimate(&paired(&three, &one, |a, b| a - b))?);
    let ours =
        format!("the share changes by {} and {}, from {}", shown(&second), shown(&third), shown(&estimate(&one)?));
    let claim = format!("oversampling by 2 and 3 lets {method} select even more of the target digit");
    let verdict = Verdict::above(&second, 0.0).and(Verdict::above(&third, 0.0));
    let claim = Claim::new("figure 3c", &claim, ours, verdict);
    Some(claim.holding_if("both shares are above that without oversampling"))
}

fn independent(averages: &Averages<'_>) -> Option<Claim> {
    let share = |method: &str| estimate(&averages.at_skew(method, 100, &of_digit));
    let target = share("L2C on target")
        .map_or_else(String::new, |share| format!("; given the target, L2C picks {}", shown(&share)));
    let ours = format!("a tenth is of the target digit, on average, since both are given the source alone{target}");
    let shares = UNAWARE.iter().filter_map(|method| share(method));
    let verdicts = shares.map(|share| Verdict::within(&share, 0.1 - INDEPENDENT..=0.1 + INDEPENDENT));
    let verdict = verdicts.fold(Verdict::Holds, Verdict::and);
    let claim =
        Claim::new("figure 5", "L2C and K-Medoids pick a set that is independent of the target digit", ours, verdict);
    let known = UNAWARE.iter().any(|method| share(method).is_some());
    known.then(|| {
        claim.holding_if("over the ten digits a tenth of the prototypes are of the target digit, by 0.05 more or less")
    })
}

/// The part of the prototypes that are of the target's digit.
fn of_digit(found: &MethodOutcome) -> Option<f64> {
    found.of_digit.map(|share| share.count)
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
    use super::super::trial::{Outcome, Share};
    use super::*;

    fn outcome(set: TargetSet, accuracy: impl Fn(&str) -> f64, seconds: impl Fn(&str) -> f64) -> Outcome {
        let method = |method: &str| MethodOutcome {
            method: method.to_owned(),
            n_prototypes: 2,
            accuracy: vec![0.1, accuracy(method)],
            objective: vec![0.5, 0.501],
            of_digit: set.digit.map(|_| Share { count: if method == "K-Medoids" { 0.1 } else { 0.95 }, weight: 0.85 }),
            seconds: seconds(method),
        };
        let methods = ["ProtoDash", "ProtoGreedy", "K-Medoids"].map(method).into();
        Outcome { set, kernel_mean_seconds: 1.0, seconds: 9.0, methods, oversampled: Vec::new() }
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
        let found = claims(&Averages { outcomes: &outcomes, sizes: &[1, 2], n_source: 10 });
        let verdicts: Vec<(&str, Verdict)> = found.iter().map(|claim| (&claim.claim[..24], claim.verdict)).collect();
        let expected = [
            ("around m = 200 the gain ", Verdict::Holds),
            ("initially ProtoDash is a", Verdict::Holds),
            ("ProtoDash's performance ", Verdict::Holds),
            ("the performance of the c", Verdict::Holds),
            ("the performance of Proto", Verdict::Holds),
            ("ProtoDash is orders of m", Verdict::Holds),
            ("ProtoDash is orders of m", Verdict::DoesNotHold),
            ("at 100 % skew ProtoDash ", Verdict::DoesNotHold),
            ("L2C and K-Medoids pick a", Verdict::Holds),
        ];
        assert_eq!(verdicts, expected);
        // Errors fall from 0.2 to 0.05.
        assert_eq!(
            found[2].ours,
            "0.8000 ± 0.0000 at 10 %, 0.9500 ± 0.0000 at 100 %: 0.2500 ± 0.0000 of the errors are left"
        );
        // 300 s against 1 s and 1 s for the kernel mean.
        let expected = "K-Medoids takes 150.0 ± 0.0 times as long as ProtoDash, its choice without the kernel mean \
                        300.0 ± 0.0 times; our K-Medoids is FasterPAM";
        assert_eq!(found[5].ours, expected);
        // A source of 10 has one image of each digit for two prototypes.
        assert!(found[7].ours.ends_with("so that no more than 0.50 can be"), "{}", found[7].ours);
        assert!(found.iter().all(|claim| !claim.criterion.is_empty()));
    }
}
