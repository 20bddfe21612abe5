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
/// let claim = Claim::new("figure 4b", "ProtoDash is faster than K-Medoids", "1.2 times".into(), true);
/// assert_eq!(claim.verdict, Verdict::Holds);
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Claim {
    /// Where the paper says so.
    pub place: String,
    /// What it says, and what we take it to mean in numbers.
    pub claim: String,
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
        Claim { place: place.to_owned(), claim: claim.to_owned(), ours, verdict: Verdict::of(holds) }
    }
}

/// The claims as a Markdown table.
pub(crate) fn markdown(claims: &[Claim]) -> String {
    let line = |claim: &Claim| format!("| {} | {} | {} | {} |\n", claim.place, claim.claim, claim.ours, claim.verdict);
    let lines: String = claims.iter().map(line).collect();
    format!("| where | claim of the paper | our figure | verdict |\n| --- | --- | --- | --- |\n{lines}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_is_a_line_of_the_table() {
        let table = markdown(&[Claim::new("4a", "it adapts", "0.9 ± 0.1".into(), true)]);
        assert!(table.ends_with("| 4a | it adapts | 0.9 ± 0.1 | holds |\n"), "{table}");
    }
}
