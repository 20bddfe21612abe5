//! The paper's claims next to what was found.

use crate::html::Html;
use crate::numbers::counted;
use crate::section::{as_sentence, scrolling, section, write_head};

const COLUMNS: [(&str, bool); 4] =
    [("where", false), ("claim of the paper", false), ("our figure", false), ("verdict", false)];

/// A claim of a paper next to our figure.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StudyClaim {
    /// Where the paper makes it.
    pub place: String,
    /// The claim.
    pub claim: String,
    /// The criterion; empty if there is none.
    pub criterion: String,
    /// What was found.
    pub ours: String,
    /// Whether it holds.
    pub verdict: StudyVerdict,
}

/// Whether a claim holds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum StudyVerdict {
    /// It holds.
    Holds,
    /// It does not hold.
    DoesNotHold,
    /// The confidence interval includes the threshold, or is unknown: more trials would tell.
    Undecided,
    /// The public data cannot tell.
    #[default]
    NotChecked,
}

impl StudyVerdict {
    /// A symbol, a word and a class, so that nothing depends on colour alone.
    fn shown(self) -> (&'static str, &'static str, &'static str) {
        match self {
            StudyVerdict::Holds => ("✓", "holds", "verdict holds"),
            StudyVerdict::DoesNotHold => ("✗", "does not hold", "verdict fails"),
            StudyVerdict::Undecided => ("?", "undecided", "verdict open"),
            StudyVerdict::NotChecked => ("–", "cannot be checked", "verdict open"),
        }
    }
}

/// Writes how many hold, remarks, and a line for each claim.
pub(super) fn write(html: &mut Html, claims: &[StudyClaim], remarks: &[String]) {
    if claims.is_empty() {
        return;
    }
    section(html, "claims", "Claims", |html| {
        html.leaf("p", &[], &summary(claims));
        for remark in remarks {
            html.leaf("p", &[("class", "remark-line")], &as_sentence(remark));
        }
        scrolling(html, "Claims", |html| {
            html.element("table", &[("class", "sortable claims"), ("id", "claim-table")], |html| {
                write_head(html, &COLUMNS);
                html.element("tbody", &[], |html| claims.iter().for_each(|claim| write_claim(html, claim)));
            });
        });
    });
}

fn summary(claims: &[StudyClaim]) -> String {
    let number = |verdict| claims.iter().filter(|claim| claim.verdict == verdict).count();
    let (holds, fails) = (number(StudyVerdict::Holds), number(StudyVerdict::DoesNotHold));
    let (undecided, open) = (number(StudyVerdict::Undecided), number(StudyVerdict::NotChecked));
    let checked = if fails + undecided == 0 {
        match holds {
            1 => "The 1 claim that could be checked holds here".to_owned(),
            all => format!("All {all} claims that could be checked hold here"),
        }
    } else {
        let n_checked = holds + fails + undecided;
        let claims = counted(n_checked as u64, "claim");
        let (hold, do_not) =
            (if holds == 1 { "holds" } else { "hold" }, if fails == 1 { "does not" } else { "do not" });
        format!("Of {claims} that could be checked, {holds} {hold} here and {fails} {do_not}")
    };
    let undecided = match undecided {
        0 => String::new(),
        1 => ", 1 is undecided".to_owned(),
        several => format!(", {several} are undecided"),
    };
    let open = if open == 0 { String::new() } else { format!("; {open} could not be checked") };
    format!("{checked}{undecided}{open}.")
}

fn write_claim(html: &mut Html, claim: &StudyClaim) {
    let (sign, word, class) = claim.verdict.shown();
    html.element("tr", &[], |html| {
        html.leaf("td", &[("class", "place")], &claim.place);
        html.element("th", &[("scope", "row")], |html| {
            html.text(&claim.claim);
            if !claim.criterion.is_empty() {
                html.leaf("span", &[("class", "criterion")], &format!("Holds if: {}", claim.criterion));
            }
        });
        html.leaf("td", &[], &claim.ours);
        html.element("td", &[("class", class)], |html| {
            html.leaf("span", &[("class", "sign"), ("aria-hidden", "true")], sign);
            html.text(" ");
            html.text(word);
        });
    });
    html.line();
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claims(verdicts: &[StudyVerdict]) -> Vec<StudyClaim> {
        verdicts.iter().map(|verdict| StudyClaim { verdict: *verdict, ..StudyClaim::default() }).collect()
    }

    #[test]
    fn claims_are_counted_by_their_verdicts() {
        use StudyVerdict::{DoesNotHold, Holds, NotChecked, Undecided};
        assert_eq!(summary(&claims(&[Holds, Holds])), "All 2 claims that could be checked hold here.");
        assert_eq!(
            summary(&claims(&[Holds, DoesNotHold, NotChecked])),
            "Of 2 claims that could be checked, 1 holds here and 1 does not; 1 could not be checked."
        );
        assert_eq!(
            summary(&claims(&[Holds, Undecided, Undecided])),
            "Of 3 claims that could be checked, 1 holds here and 0 do not, 2 are undecided."
        );
        assert_eq!(summary(&claims(&[Holds])), "The 1 claim that could be checked holds here.");
        assert_eq!(
            summary(&claims(&[Holds, Holds, DoesNotHold, DoesNotHold, Undecided])),
            "Of 5 claims that could be checked, 2 hold here and 2 do not, 1 is undecided."
        );
    }
}
