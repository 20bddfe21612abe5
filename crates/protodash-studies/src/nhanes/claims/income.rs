//! Claims about the best representatives of Income.

use super::super::evidence::{Demographics, NhanesReading};
use super::super::protocol::{EARLY_CHILDHOOD, INCOME, OCCUPATION, StudySetting};
use super::super::ranks::{RankMeasure, RankedPair, of_target};
use super::place;
use crate::claim::Claim;

/// How far the paper's order (Early Childhood, then Occupation) holds in a setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::nhanes) enum IncomeOrder {
    /// Both are in place.
    Both,
    /// Early Childhood is first, but Occupation is not second.
    First,
    /// Another questionnaire is first.
    Neither,
    /// None of these people answered Early Childhood.
    NotAsked,
}

/// The order in a setting, ranked by `measure`.
pub(in crate::nhanes) fn order(
    reading: &NhanesReading<'_>,
    setting: StudySetting,
    measure: RankMeasure,
) -> Option<IncomeOrder> {
    let ranked = reading.evidence.ranked_by(setting, "ProtoDash", Demographics::Without, measure);
    let sources = of_target(&ranked, INCOME);
    let (first, second) = (sources.first()?, sources.get(1)?);
    Some(match first.pair.source == EARLY_CHILDHOOD {
        true if second.pair.source == OCCUPATION => IncomeOrder::Both,
        true => IncomeOrder::First,
        false if sources.iter().any(|ranked| ranked.pair.source == EARLY_CHILDHOOD) => IncomeOrder::Neither,
        false => IncomeOrder::NotAsked,
    })
}

/// The claim about Income's representatives.
pub(super) fn claim(reading: &NhanesReading<'_>, setting: StudySetting) -> Option<Claim> {
    let holds = order(reading, setting, RankMeasure::Explained)? == IncomeOrder::Both;
    let ranked = reading.evidence.ranked(setting, "ProtoDash", Demographics::Without);
    let sources = of_target(&ranked, INCOME);
    let (first, second) = (sources.first()?, sources.get(1)?);
    let claim = "Income is represented best by Early Childhood, second best by Occupation";
    let ours = format!(
        "first {}, second {}; {}, {}",
        reading.cell(first.pair),
        reading.cell(second.pair),
        standing(reading, &sources, EARLY_CHILDHOOD),
        standing(reading, &sources, OCCUPATION)
    );
    Some(Claim::new(&place("figure 6c", setting), claim, ours, holds).holding_if(
        "these two are first and second, in \
                                                                                  that order",
    ))
}

/// Rank of a source among those of a target, as text.
fn standing(reading: &NhanesReading<'_>, sources: &[&RankedPair<'_>], name: &str) -> String {
    let title = reading.title(name);
    match sources.iter().find(|ranked| ranked.pair.source == name) {
        Some(ranked) => format!("{title} is number {} of {}", ranked.rank, sources.len()),
        None => format!("{title} was asked of none of these people"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::evidence::tests::{Fixture, adults};
    use super::super::super::ranks::tests::pair;
    use super::*;
    use crate::claim::ClaimVerdict;

    /// Income with sources in decreasing order of explained share.
    fn fixture(sources: &[&str]) -> Fixture {
        let mut fixture = Fixture::default();
        let judged = |(place, source): (usize, &&str)| pair(INCOME, source, 0.9 - 0.1 * place as f64);
        fixture.relation(adults(), "ProtoDash", sources.iter().enumerate().map(judged).collect());
        fixture
    }

    #[test]
    fn the_order_holds_fully_partly_or_not_at_all() {
        for (sources, expected, verdict) in [
            ([EARLY_CHILDHOOD, OCCUPATION, "ALQ_H"], IncomeOrder::Both, ClaimVerdict::Holds),
            ([EARLY_CHILDHOOD, "ALQ_H", OCCUPATION], IncomeOrder::First, ClaimVerdict::DoesNotHold),
            (["ALQ_H", EARLY_CHILDHOOD, OCCUPATION], IncomeOrder::Neither, ClaimVerdict::DoesNotHold),
            (["ALQ_H", "BPQ_H", OCCUPATION], IncomeOrder::NotAsked, ClaimVerdict::DoesNotHold),
        ] {
            let fixture = fixture(&sources);
            assert_eq!(fixture.read(|reading| order(reading, adults(), RankMeasure::Explained)), Some(expected));
            assert_eq!(fixture.read(|reading| claim(reading, adults())).unwrap().verdict, verdict);
        }
    }
}
