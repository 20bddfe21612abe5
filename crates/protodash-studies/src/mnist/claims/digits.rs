//! Claims about the digits of the prototypes: figures 3c, 4c and 5.

use super::{BY_CONSTRUCTION, UNAWARE, estimate, listed, of_ours, paired};
use crate::claim::{Claim, ClaimVerdict};
use crate::figure::shown;
use crate::mnist::figures::Averages;
use crate::mnist::gallery::{DigitGallery, GalleryKind};
use crate::mnist::trial::DigitMethodOutcome;

/// Threshold for "almost exclusively" and "all the weight".
const ALMOST_ALL: f64 = 0.9;
/// Largest deviation of a digit's share from a tenth for a set that is "independent of the target digit".
const INDEPENDENT: f64 = 0.05;

/// Whether nearly all possible images of the digit are chosen: a source may have fewer of them than prototypes.
pub(super) fn exclusive(averages: &Averages<'_>) -> Option<Claim> {
    let (found, verdict) = of_ours(|method| {
        let part = estimate(&averages.of_attainable(method))?;
        let share = estimate(&averages.at_skew(method, 100, &of_digit))?;
        let text = format!("{} of what is possible ({} of its prototypes)", shown(&part), shown(&share));
        Some((text, ClaimVerdict::above(&part, ALMOST_ALL)))
    })?;
    let most = estimate(&averages.attainable())?;
    let ours = format!("{found}; a source has images of the digit for {} of the prototypes on average", shown(&most));
    let claim = "at 100 % skew ProtoDash and ProtoGreedy pick almost exclusively images of the target digit";
    let claim = Claim::new("figure 4c", claim, ours, verdict);
    Some(claim.holding_if("both pick more than 0.9 of the images of the digit that can be among their prototypes"))
}

pub(super) fn concentrated(averages: &Averages<'_>) -> Option<Claim> {
    let (ours, verdict) = of_ours(|method| {
        let weight = estimate(&averages.at_skew(method, 100, &|found| found.of_digit.map(|share| share.weight)))?;
        Some((format!("{} of the weight", shown(&weight)), ClaimVerdict::above(&weight, ALMOST_ALL)))
    })?;
    let claim =
        "at 100 % skew all the weight of ProtoDash and ProtoGreedy is concentrated on images of the target digit";
    let claim = Claim::new("figure 4c", claim, ours, verdict);
    Some(claim.holding_if("more than 0.9 of the weight of both is on images of the digit"))
}

pub(super) fn oversampling(averages: &Averages<'_>, method: &str) -> Option<Claim> {
    let [one, two, three] = [1.0, 2.0, 3.0].map(|factor| averages.oversampled(method, factor));
    let (second, third) =
        (estimate(&paired(&two, &one, |a, b| a - b))?, estimate(&paired(&three, &one, |a, b| a - b))?);
    let ours =
        format!("the share changes by {} and {}, from {}", shown(&second), shown(&third), shown(&estimate(&one)?));
    let claim = format!("oversampling by 2 and 3 lets {method} select even more of the target digit");
    let verdict = ClaimVerdict::above(&second, 0.0).and(ClaimVerdict::above(&third, 0.0));
    let claim = Claim::new("figure 3c", &claim, ours, verdict);
    Some(claim.holding_if("both shares are above that without oversampling"))
}

/// Whether the images shown for a digit are all of that digit; `digits` are those of the test images.
pub(super) fn heaviest(galleries: &[DigitGallery], digits: &[usize]) -> Option<Claim> {
    let shown =
        galleries.iter().filter(|gallery| gallery.shown == GalleryKind::FullSkew && gallery.method == "ProtoDash");
    let counted: Vec<(usize, usize, usize)> = shown
        .map(|DigitGallery { digit, test_images, .. }| {
            let is_correct = |image: &&usize| digits.get(**image) == Some(digit);
            (*digit, test_images.iter().filter(is_correct).count(), test_images.len())
        })
        .collect();
    let ours = listed(counted.iter().map(|(digit, correct, all)| format!("{correct} of {all} for {digit}s")));
    let claim = "at 100 % skew ProtoDash exclusively picks the target digit, such as 0s or 3s or 8s";
    let claim = Claim::new("figure 5, left", claim, ours, counted.iter().all(|(_, correct, all)| correct == all));
    let criterion =
        "the heaviest ten of ProtoDash's prototypes, which are shown, are all of the digit in the first trial";
    (!counted.is_empty()).then(|| claim.holding_if(criterion))
}

/// The competitors as run in the paper.
pub(super) fn independent(averages: &Averages<'_>) -> Option<Claim> {
    let shares = UNAWARE.map(|method| Some((method, estimate(&averages.at_skew(method, 100, &of_digit))?)));
    let shares: Vec<_> = shares.into_iter().flatten().collect();
    let ours = listed(shares.iter().map(|(method, share)| format!("{method} {}", shown(share))));
    let verdicts = shares.iter().map(|(_, share)| ClaimVerdict::within(share, 0.1 - INDEPENDENT..=0.1 + INDEPENDENT));
    let claim = format!("L2C and K-Medoids pick a set that is independent of the target digit; {BY_CONSTRUCTION}");
    let claim = Claim::new("figure 5, left", &claim, ours, verdicts.fold(ClaimVerdict::Holds, ClaimVerdict::and));
    let criterion = "over the ten digits a tenth of the prototypes are of the target digit, ± 0.05";
    (!shares.is_empty()).then(|| claim.holding_if(criterion))
}

/// The other reading: L2C sees the target too.
pub(super) fn depends_on_target(averages: &Averages<'_>) -> Option<Claim> {
    let share = estimate(&averages.at_skew("L2C on target", 100, &of_digit))?;
    let dash = estimate(&averages.at_skew("ProtoDash", 100, &of_digit))?;
    let claim = "L2C picks a set that is independent of the target digit: L2C, given the target";
    let ours = format!("L2C on target {}, ProtoDash {}", shown(&share), shown(&dash));
    let verdict = ClaimVerdict::within(&share, 0.1 - INDEPENDENT..=0.1 + INDEPENDENT);
    let claim = Claim::new("figure 5, left, another reading", claim, ours, verdict);
    Some(claim.holding_if("a tenth of its prototypes are of the target digit, ± 0.05"))
}

/// Claims that only a visual comparison can check.
pub(super) fn by_eye() -> impl Iterator<Item = Claim> {
    let claims = [
        ("figure 5, centre", "ProtoDash's 8s are complete with no broken curves, L2C's second and third are not"),
        ("figure 5, right", "ProtoDash's 0s, as criticisms, look visually much worse than those selected by L2C"),
        ("figure 5, right", "ProtoDash's ordering of \"bad\" 7s seems to be much better than L2C's"),
    ];
    let reason = "a visual judgement that no number can settle; the report shows the images chosen here";
    claims.into_iter().map(move |(place, claim)| Claim::not_checked(place, claim, reason))
}

/// Share of prototypes with the target's digit.
fn of_digit(found: &DigitMethodOutcome) -> Option<f64> {
    found.of_digit.map(|share| share.count)
}
