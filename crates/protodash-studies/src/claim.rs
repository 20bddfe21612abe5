//! What the paper claims, what was found, and whether they agree.

use serde::{Deserialize, Serialize};

/// Whether a claim of the paper holds here.
///
/// # Examples
///
/// ```
/// assert_eq!(protodash_studies::Verdict::of(true).to_string(), "holds");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Verdict {
    /// It does.
    Holds,
    /// It does not.
    DoesNotHold,
    /// Public data cannot tell.
    NotChecked,
}

impl Verdict {
    /// The verdict on a condition.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash_studies::Verdict;
    ///
    /// assert_eq!(Verdict::of(1 > 2), Verdict::DoesNotHold);
    /// ```
    pub fn of(holds: bool) -> Verdict {
        if holds { Verdict::Holds } else { Verdict::DoesNotHold }
    }
}

impl std::fmt::Display for Verdict {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            Verdict::Holds => "holds",
            Verdict::DoesNotHold => "does not hold",
            Verdict::NotChecked => "cannot be checked",
        })
    }
}

/// A claim of the paper beside our figure.
///
/// # Examples
///
/// ```
/// use protodash_studies::{Claim, Verdict};
///
/// let paper = "ProtoDash is faster than K-Medoids";
/// let claim = Claim::new("figure 4b", paper, "1.2 times".into(), true).holding_if("it takes less time");
/// assert_eq!(claim.verdict, Verdict::Holds);
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Claim {
    /// Where the paper says so.
    pub place: String,
    /// What it says.
    pub claim: String,
    /// What decides whether it holds: what we take its words to mean in numbers. Empty if the claim says it itself.
    pub criterion: String,
    /// What was found.
    pub ours: String,
    /// Whether it holds here.
    pub verdict: Verdict,
}

impl Claim {
    /// A claim with what was found.
    ///
    /// # Examples
    ///
    /// ```
    /// let claim = protodash_studies::Claim::new("V-B", "one is two", "it is not".into(), false);
    /// assert_eq!(claim.verdict.to_string(), "does not hold");
    /// ```
    pub fn new(place: &str, claim: &str, ours: String, holds: bool) -> Claim {
        let (place, claim) = (place.to_owned(), claim.to_owned());
        Claim { place, claim, criterion: String::new(), ours, verdict: Verdict::of(holds) }
    }

    /// The claim with what decides whether it holds.
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

    /// A claim that public data cannot decide, with the reason.
    ///
    /// # Examples
    ///
    /// ```
    /// let claim = protodash_studies::Claim::not_checked("V-C", "the expert agrees", "his list is not published");
    /// assert_eq!(claim.verdict.to_string(), "cannot be checked");
    /// ```
    pub fn not_checked(place: &str, claim: &str, reason: &str) -> Claim {
        let (place, claim, ours) = (place.to_owned(), claim.to_owned(), reason.to_owned());
        Claim { place, claim, criterion: String::new(), ours, verdict: Verdict::NotChecked }
    }
}

/// How many of the claims hold, in a sentence.
pub(crate) fn summary(place: &str, claims: &[Claim]) -> String {
    let number = |verdict| claims.iter().filter(|claim| claim.verdict == verdict).count();
    let (holds, open) = (number(Verdict::Holds), number(Verdict::NotChecked));
    let open = if open == 0 { String::new() } else { format!("; {open} cannot be checked") };
    format!("{holds} of {} claims of {place} hold here{open}", claims.len())
}

/// The claims as a Markdown table.
pub(crate) fn markdown(claims: &[Claim]) -> String {
    let line = |claim: &Claim| {
        let Claim { place, claim, criterion, ours, verdict } = claim;
        format!("| {place} | {claim} | {criterion} | {ours} | {verdict} |\n")
    };
    let lines: String = claims.iter().map(line).collect();
    format!(
        "| where | claim of the paper | holds if | our figure | verdict |\n| --- | --- | --- | --- | --- |\n{lines}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_are_counted() {
        let claim = |holds| Claim::new("4a", "it adapts", String::new(), holds);
        assert_eq!(summary("section V", &[claim(true), claim(false)]), "1 of 2 claims of section V hold here");
        let open = Claim::not_checked("6a", "an expert agrees", "his list is not published");
        assert_eq!(summary("V", &[claim(true), open]), "1 of 2 claims of V hold here; 1 cannot be checked");
    }

    #[test]
    fn a_claim_is_a_line_of_the_table() {
        let table = markdown(&[Claim::new("4a", "it adapts", "0.9 ± 0.1".into(), true).holding_if("> 0.5")]);
        assert!(table.ends_with("| 4a | it adapts | > 0.5 | 0.9 ± 0.1 | holds |\n"), "{table}");
    }
}
