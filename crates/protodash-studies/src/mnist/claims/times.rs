//! Claims about time: figure 4b.

use super::{UNAWARE, estimate, paired};
use crate::claim::{Claim, ClaimVerdict};
use crate::figure::shown;
use crate::interval::Estimate;
use crate::mnist::figures::Averages;

/// Threshold for "orders of magnitude".
const MAGNITUDES: f64 = 100.0;
/// Threshold for "much more expensive".
const MUCH: f64 = 2.0;

pub(super) fn faster(averages: &Averages<'_>, other: &str) -> Option<Claim> {
    let (times, ours) = times_as_long(averages, other)?;
    let claim = format!("ProtoDash is orders of magnitude faster than {other}");
    let claim = Claim::new("figure 4b", &claim, ours, ClaimVerdict::above(&times, MAGNITUDES));
    Some(claim.holding_if("it takes less than a hundredth of the CPU time, kernel mean included"))
}

pub(super) fn p_lasso_is_expensive(averages: &Averages<'_>) -> Option<Claim> {
    let (times, ours) = times_as_long(averages, "P-Lasso")?;
    let claim = "P-Lasso is much more expensive than ProtoDash";
    let claim = Claim::new("section V, figure 4b", claim, ours, ClaimVerdict::above(&times, MUCH));
    Some(claim.holding_if("it takes more than twice the CPU time, kernel mean included"))
}

/// The time of a method relative to ProtoDash, kernel mean included, as a number and in words.
fn times_as_long(averages: &Averages<'_>, other: &str) -> Option<(Estimate, String)> {
    let mean = averages.kernel_mean_seconds();
    let seconds = |method: &str| averages.over_skews(method, &|found| Some(found.seconds));
    let whole = |method: &str| match UNAWARE.contains(&method) {
        true => seconds(method),
        false => paired(&seconds(method), &mean, |choice, mean| choice + mean),
    };
    let times = estimate(&paired(&whole(other), &whole("ProtoDash"), |other, dash| other / dash))?;
    let choice = estimate(&paired(&seconds(other), &seconds("ProtoDash"), |other, dash| other / dash))?;
    let why = match other {
        "ProtoGreedy" => "our ProtoGreedy is exact and solves no problem per candidate",
        "P-Lasso" => "our P-Lasso follows its path once and does not search for the penalty",
        _ => "our K-Medoids is FasterPAM",
    };
    let (whole, choice) = (shown(&times), shown(&choice));
    let ours = format!(
        "{other} takes {whole} times as long as ProtoDash, its selection without the kernel mean {choice} times; {why}"
    );
    Some((times, ours))
}
