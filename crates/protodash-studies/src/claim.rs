//! The paper's claims, our results, and whether they agree.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use crate::interval::Estimate;

/// Whether a claim of the paper holds on our data.
///
/// # Examples
///
/// ```
/// assert_eq!(protodash_studies::ClaimVerdict::from(true).to_string(), "holds");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ClaimVerdict {
    /// It holds.
    Holds,
    /// It does not hold.
    DoesNotHold,
    /// The confidence interval contains the threshold or is unknown: more trials are needed.
    Undecided,
    /// It cannot be checked on public data.
    NotChecked,
}

impl From<bool> for ClaimVerdict {
    fn from(holds: bool) -> ClaimVerdict {
        if holds { ClaimVerdict::Holds } else { ClaimVerdict::DoesNotHold }
    }
}

impl ClaimVerdict {
    /// The verdict on a claim that a mean is above `bound`.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash_studies::{Estimate, ClaimVerdict};
    ///
    /// let estimate = Estimate::of(&[1.0, 1.1, 0.9]).unwrap(); // 1.00 ± 0.25
    /// assert_eq!(ClaimVerdict::above(&estimate, 0.5), ClaimVerdict::Holds);
    /// assert_eq!(ClaimVerdict::above(&estimate, 0.9), ClaimVerdict::Undecided);
    /// ```
    pub fn above(estimate: &Estimate, bound: f64) -> ClaimVerdict {
        ClaimVerdict::by_interval(estimate, |low, _| low > bound, |_, high| high <= bound)
    }

    /// The verdict on a claim that a mean is below `bound`.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash_studies::{Estimate, ClaimVerdict};
    ///
    /// let one = Estimate::of(&[1.0]).unwrap(); // A single trial has no interval.
    /// assert_eq!(ClaimVerdict::below(&one, 9.0), ClaimVerdict::Undecided);
    /// ```
    pub fn below(estimate: &Estimate, bound: f64) -> ClaimVerdict {
        ClaimVerdict::by_interval(estimate, |_, high| high < bound, |low, _| low >= bound)
    }

    /// The verdict on a claim that a mean is in `range`.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash_studies::{Estimate, ClaimVerdict};
    ///
    /// let estimate = Estimate::of(&[1.0, 1.1, 0.9]).unwrap(); // 1.00 ± 0.25
    /// assert_eq!(ClaimVerdict::within(&estimate, 0.0..=2.0), ClaimVerdict::Holds);
    /// assert_eq!(ClaimVerdict::within(&estimate, 2.0..=3.0), ClaimVerdict::DoesNotHold);
    /// ```
    pub fn within(estimate: &Estimate, range: RangeInclusive<f64>) -> ClaimVerdict {
        let is_in = |low: f64, high: f64| range.contains(&low) && range.contains(&high);
        ClaimVerdict::by_interval(estimate, is_in, |low, high| high < *range.start() || low > *range.end())
    }

    fn by_interval(
        estimate: &Estimate,
        holds: impl Fn(f64, f64) -> bool,
        fails: impl Fn(f64, f64) -> bool,
    ) -> ClaimVerdict {
        let (low, high) = (estimate.low(), estimate.high());
        match estimate.half_width {
            Some(_) if holds(low, high) => ClaimVerdict::Holds,
            Some(_) if fails(low, high) => ClaimVerdict::DoesNotHold,
            _ => ClaimVerdict::Undecided,
        }
    }

    /// The verdict on two conditions that must both hold.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash_studies::ClaimVerdict;
    ///
    /// assert_eq!(ClaimVerdict::Holds.and(ClaimVerdict::Undecided), ClaimVerdict::Undecided);
    /// assert_eq!(ClaimVerdict::Undecided.and(ClaimVerdict::DoesNotHold), ClaimVerdict::DoesNotHold);
    /// ```
    #[must_use]
    pub fn and(self, other: ClaimVerdict) -> ClaimVerdict {
        let weight = |verdict| match verdict {
            ClaimVerdict::DoesNotHold => 3,
            ClaimVerdict::NotChecked => 2,
            ClaimVerdict::Undecided => 1,
            ClaimVerdict::Holds => 0,
        };
        if weight(self) >= weight(other) { self } else { other }
    }
}

impl std::fmt::Display for ClaimVerdict {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            ClaimVerdict::Holds => "holds",
            ClaimVerdict::DoesNotHold => "does not hold",
            ClaimVerdict::Undecided => "undecided",
            ClaimVerdict::NotChecked => "cannot be checked",
        })
    }
}

/// A claim of the paper with our result.
///
/// # Examples
///
/// ```
/// use protodash_studies::{Claim, ClaimVerdict};
///
/// let paper = "ProtoDash is faster than K-Medoids";
/// let claim = Claim::new("figure 4b", paper, "1.2 times".into(), true).holding_if("it takes less time");
/// assert_eq!(claim.verdict, ClaimVerdict::Holds);
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Claim {
    /// Section or figure of the paper.
    pub place: String,
    /// The claim.
    pub claim: String,
    /// The numeric condition under which we say that it holds. Empty if the claim states one itself.
    pub criterion: String,
    /// Our result.
    pub ours: String,
    /// Whether the claim holds.
    pub verdict: ClaimVerdict,
}

impl Claim {
    /// A claim with our result.
    ///
    /// # Examples
    ///
    /// ```
    /// let claim = protodash_studies::Claim::new("V-B", "one is two", "it is not".into(), false);
    /// assert_eq!(claim.verdict.to_string(), "does not hold");
    /// ```
    pub fn new(place: &str, claim: &str, ours: String, verdict: impl Into<ClaimVerdict>) -> Claim {
        let (place, claim) = (place.to_owned(), claim.to_owned());
        Claim { place, claim, criterion: String::new(), ours, verdict: verdict.into() }
    }

    /// The claim with the condition under which it holds.
    ///
    /// # Examples
    ///
    /// ```
    /// let claim = protodash_studies::Claim::new("V-B", "it adapts", "0.1".into(), true).holding_if("more than 0.05");
    /// assert_eq!(claim.criterion, "more than 0.05");
    /// ```
    #[must_use]
    pub fn holding_if(mut self, criterion: &str) -> Claim {
        criterion.clone_into(&mut self.criterion);
        self
    }

    /// A claim that cannot be checked on public data, with the reason.
    ///
    /// # Examples
    ///
    /// ```
    /// let claim = protodash_studies::Claim::not_checked("V-C", "the expert agrees", "his list is not published");
    /// assert_eq!(claim.verdict.to_string(), "cannot be checked");
    /// ```
    pub fn not_checked(place: &str, claim: &str, reason: &str) -> Claim {
        let (place, claim, ours) = (place.to_owned(), claim.to_owned(), reason.to_owned());
        Claim { place, claim, criterion: String::new(), ours, verdict: ClaimVerdict::NotChecked }
    }
}

/// The number of claims that hold, in a sentence.
pub(crate) fn summary(place: &str, claims: &[Claim]) -> String {
    let number = |verdict| claims.iter().filter(|claim| claim.verdict == verdict).count();
    let others = [
        (ClaimVerdict::Undecided, "is undecided", "are undecided"),
        (ClaimVerdict::NotChecked, "cannot be checked", "cannot be checked"),
    ];
    let others = others.map(|(verdict, singular, plural)| match number(verdict) {
        0 => String::new(),
        1 => format!("; 1 {singular}"),
        several => format!("; {several} {plural}"),
    });
    format!("{} of {} claims of {place} hold{}", number(ClaimVerdict::Holds), claims.len(), others.concat())
}

/// What limits the findings of a complete run, in a sentence.
pub(crate) const CRITERIA: &str = "The criteria are ours, since the paper gives none: a mean meets one if its whole 95 % \
                                   confidence interval does";

/// The claims as a Markdown table.
pub(crate) fn markdown(claims: &[Claim]) -> String {
    let line = |claim: &Claim| {
        let Claim { place, claim, criterion, ours, verdict } = claim;
        format!("| {place} | {claim} | {criterion} | {ours} | {verdict} |\n")
    };
    let lines: String = claims.iter().map(line).collect();
    format!(
        "| where | claim of the paper | holds if | our result | verdict |\n| --- | --- | --- | --- | --- |\n{lines}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_are_counted() {
        let claim = |holds| Claim::new("4a", "it adapts", String::new(), holds);
        assert_eq!(summary("section V", &[claim(true), claim(false)]), "1 of 2 claims of section V hold");
        let open = Claim::not_checked("6a", "an expert agrees", "his list is not published");
        let undecided = Claim::new("4a", "it adapts", String::new(), ClaimVerdict::Undecided);
        assert_eq!(
            summary("V", &[claim(true), open, undecided.clone(), undecided]),
            "1 of 4 claims of V hold; 2 are undecided; 1 cannot be checked"
        );
    }

    #[test]
    fn an_interval_that_contains_the_threshold_is_undecided() {
        let at = |middle: f64| Estimate::of(&[middle - 0.1, middle, middle + 0.1]).unwrap(); // ± 0.25
        use ClaimVerdict::{DoesNotHold, Holds, Undecided};
        for (middle, above, below, within) in [
            (0.0, DoesNotHold, Holds, DoesNotHold),
            (0.9, Undecided, Undecided, Undecided),
            (2.0, Holds, DoesNotHold, Holds),
            (3.1, Holds, DoesNotHold, Undecided),
            (4.0, Holds, DoesNotHold, DoesNotHold),
        ] {
            let estimate = at(middle);
            assert_eq!(ClaimVerdict::above(&estimate, 1.0), above, "{middle}");
            assert_eq!(ClaimVerdict::below(&estimate, 1.0), below, "{middle}");
            assert_eq!(ClaimVerdict::within(&estimate, 1.0..=3.0), within, "{middle}");
        }
    }

    #[test]
    fn a_claim_is_a_line_of_the_table() {
        let table = markdown(&[Claim::new("4a", "it adapts", "0.9 ± 0.1".into(), true).holding_if("> 0.5")]);
        assert!(table.ends_with("| 4a | it adapts | > 0.5 | 0.9 ± 0.1 | holds |\n"), "{table}");
    }
}
