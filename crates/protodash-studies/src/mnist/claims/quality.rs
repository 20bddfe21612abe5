//! Claims about accuracy and objective: figures 3a, 3b and 4a.

use super::{BY_CONSTRUCTION, UNAWARE, called, estimate, listed, of_ours, paired};
use crate::claim::{Claim, ClaimVerdict};
use crate::figure::shown;
use crate::interval::Estimate;
use crate::mnist::figures::{Averages, final_accuracy};

/// Mean accuracies that differ by less than this look the same in the paper's figures.
const INDISTINGUISHABLE: f64 = 0.01;
/// Upper bound of "a little worse".
const A_LITTLE: f64 = 0.05;
/// Largest share of the errors that may remain if accuracy "drastically improves".
const DRASTIC: f64 = 0.5;
/// Largest change of accuracy for a method that "does not adapt".
const STILL: f64 = 0.02;
/// Largest relative gain of the last step on the axis that is "incremental".
const INCREMENTAL: f64 = 0.01;
/// The "high skews", in percent.
const HIGH: [u32; 3] = [70, 90, 100];

/// Whether both are better than a baseline, over all skews.
pub(super) fn superior(averages: &Averages<'_>, baseline: &str) -> Option<Claim> {
    let accuracy = |method: &str| averages.over_skews(method, &final_accuracy);
    let (leads, verdict) = of_ours(|method| {
        let lead = estimate(&paired(&accuracy(method), &accuracy(baseline), |ours, theirs| ours - theirs))?;
        Some((shown(&lead), ClaimVerdict::above(&lead, 0.0)))
    })?;
    let claim = format!("ProtoGreedy's and ProtoDash's performance is superior to that of {}", called(baseline));
    let claim = Claim::new("section V", &claim, format!("accuracy minus that of {baseline}: {leads}"), verdict);
    Some(claim.holding_if("averaged over all skews the accuracy of both is higher"))
}

pub(super) fn incremental(averages: &Averages<'_>) -> Option<Claim> {
    let last = averages.sizes.len().checked_sub(1)?;
    let (before, most) = (averages.sizes.get(last.checked_sub(1)?)?, averages.sizes.get(last)?);
    let at = |place: usize| averages.over_skews("ProtoDash", &|found| found.objective.get(place).copied());
    let gain = estimate(&paired(&at(last), &at(last - 1), |now, before| (now - before) / now))?;
    let ours = format!("the step from m = {before} to {most} adds {} of the objective", shown(&gain));
    let verdict = ClaimVerdict::below(&gain, INCREMENTAL);
    let claim = Claim::new("figure 3b", "around m = 200 the gain in objective is incremental", ours, verdict);
    Some(claim.holding_if("the last step on the axis adds less than 0.01 of the objective"))
}

pub(super) fn little_worse(averages: &Averages<'_>) -> Option<Claim> {
    let accuracy = |method: &str| averages.at_skew(method, 10, &final_accuracy);
    let (ours, verdict) = of_ours(|method| {
        let less = |one, other| estimate(&paired(&accuracy(one), &accuracy(other), |one, other| one - other));
        let behind = less("K-Medoids", method)?;
        let text = match behind.mean {
            ahead if ahead < 0.0 => format!("is better by {}", shown(&less(method, "K-Medoids")?)),
            _ => format!("is worse by {}", shown(&behind)),
        };
        Some((text, ClaimVerdict::within(&behind, 0.0..=A_LITTLE)))
    })?;
    let claim =
        Claim::new("figure 4a", "ProtoDash and ProtoGreedy are a little worse than K-Medoids initially", ours, verdict);
    Some(claim.holding_if("on the representative set the accuracy of both is lower, by at most 0.05"))
}

pub(super) fn adapts(averages: &Averages<'_>) -> Option<Claim> {
    let (ours, verdict) = of_ours(|method| {
        let [none, full] = [10, 100].map(|skew| averages.at_skew(method, skew, &final_accuracy));
        let left = estimate(&paired(&full, &none, |full, none| (1.0 - full) / (1.0 - none)))?;
        let (none, full) = (shown(&estimate(&none)?), shown(&estimate(&full)?));
        let text = format!("{none} at 10 %, {full} at 100 %: {} of the errors remain", shown(&left));
        Some((text, ClaimVerdict::below(&left, DRASTIC)))
    })?;
    let claim = "the performance of ProtoDash and ProtoGreedy drastically improves as the skew increases";
    let claim = Claim::new("figure 4a", claim, ours, verdict);
    Some(claim.holding_if("from 10 % to 100 % skew both lose more than half of their errors"))
}

/// The competitors as run in the paper.
pub(super) fn others_do_not(averages: &Averages<'_>) -> Option<Claim> {
    let rises: Vec<Estimate> = UNAWARE.iter().filter_map(|method| rise(averages, method)).collect();
    let verdicts = rises.iter().map(|rise| ClaimVerdict::within(rise, -STILL..=STILL));
    let ours = format!("accuracy changes by: {}", risen(averages, &UNAWARE));
    let claim = format!("the performance of the closest competitors does not adapt to skew; {BY_CONSTRUCTION}");
    let claim = Claim::new("figure 4a", &claim, ours, verdicts.fold(ClaimVerdict::Holds, ClaimVerdict::and));
    let criterion = "from 10 % to 100 % skew the accuracies of K-Medoids and L2C change by at most 0.02";
    (!rises.is_empty()).then(|| claim.holding_if(criterion))
}

/// The other reading: L2C sees the target too.
pub(super) fn given_the_target(averages: &Averages<'_>) -> Option<Claim> {
    let verdict = ClaimVerdict::within(&rise(averages, "L2C on target")?, -STILL..=STILL);
    let rises = risen(averages, &["L2C on target", "ProtoDash", "ProtoGreedy", "P-Lasso", "RandomW"]);
    let claim = "the performance of the closest competitors does not adapt to skew: L2C, given the target";
    let claim = Claim::new("figure 4a, another reading", claim, format!("accuracy changes by: {rises}"), verdict);
    Some(claim.holding_if("from 10 % to 100 % skew the accuracy of L2C on target changes by at most 0.02"))
}

pub(super) fn like_protogreedy(averages: &Averages<'_>) -> Option<Claim> {
    let accuracy = |method| averages.over_skews(method, &final_accuracy);
    let apart = estimate(&paired(&accuracy("ProtoDash"), &accuracy("ProtoGreedy"), |dash, greedy| dash - greedy))?;
    let verdict = ClaimVerdict::within(&apart, -INDISTINGUISHABLE..=INDISTINGUISHABLE);
    let ours = format!("ProtoDash minus ProtoGreedy is {}", shown(&apart));
    let claim = "the performance of ProtoDash is indistinguishable from ProtoGreedy";
    let claim = Claim::new("figure 4a", claim, ours, verdict);
    Some(claim.holding_if("the mean accuracies over all skews differ by at most 0.01"))
}

/// Whether both are better than another method at each of the high skews.
pub(super) fn outperform(averages: &Averages<'_>, other: &str) -> Option<Claim> {
    let (leads, verdict) = of_ours(|method| {
        let leads = leads(averages, method, other)?;
        let verdicts = leads.iter().map(|lead| ClaimVerdict::above(lead, 0.0));
        Some((listed(leads.iter().map(shown)), verdicts.fold(ClaimVerdict::Holds, ClaimVerdict::and)))
    })?;
    let claim =
        format!("ProtoDash and ProtoGreedy significantly outperform the others at high skews: {}", called(other));
    let ours = format!("accuracy minus that of {other} at 70, 90 and 100 %: {leads}");
    let claim = Claim::new("figure 4a", &claim, ours, verdict);
    Some(
        claim
            .holding_if("at 70, 90 and 100 % skew the accuracy of both is higher, by paired differences within trials"),
    )
}

/// Whether ProtoDash or L2C adapts better when both see the target.
pub(super) fn l2c_against_protodash(averages: &Averages<'_>) -> Option<String> {
    let leads = leads(averages, "L2C on target", "ProtoDash")?;
    let found =
        match leads.iter().map(|lead| ClaimVerdict::above(lead, 0.0)).fold(ClaimVerdict::Holds, ClaimVerdict::and) {
            ClaimVerdict::Holds => "L2C adapts to skew better than ProtoDash when it also sees the target",
            ClaimVerdict::DoesNotHold => {
                "L2C does not beat ProtoDash at all high skews even when it also sees the target"
            }
            _ => "Whether L2C beats ProtoDash at high skews when it also sees the target is undecided",
        };
    let [low, middle, full] = leads.map(|lead| shown(&lead));
    let (theirs, ours) = (shown(&rise(averages, "L2C on target")?), shown(&rise(averages, "ProtoDash")?));
    Some(format!(
        "{found}: from 10 % to 100 % skew its accuracy changes by {theirs}, that of ProtoDash by {ours}, and its lead is \
         {low} at 70 %, {middle} at 90 % and {full} at 100 %"
    ))
}

/// How much more accurate one method is than another at the high skews.
fn leads(averages: &Averages<'_>, method: &str, other: &str) -> Option<[Estimate; 3]> {
    let lead = |skew| {
        let accuracy = |method: &str| averages.at_skew(method, skew, &final_accuracy);
        estimate(&paired(&accuracy(method), &accuracy(other), |one, other| one - other))
    };
    let [low, middle, full] = HIGH.map(lead);
    Some([low?, middle?, full?])
}

/// How much a method's accuracy rises from the representative set to full skew.
fn rise(averages: &Averages<'_>, method: &str) -> Option<Estimate> {
    let at = |skew| averages.at_skew(method, skew, &final_accuracy);
    estimate(&paired(&at(100), &at(10), |full, none| full - none))
}

/// The rises of some methods, in words.
fn risen(averages: &Averages<'_>, methods: &[&str]) -> String {
    let known = methods.iter().filter_map(|method| Some((method, rise(averages, method)?)));
    listed(known.map(|(method, rise)| format!("{method} {}", shown(&rise))))
}
