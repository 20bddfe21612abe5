//! Which questionnaires Demographics represents best, and who its heaviest prototypes are.

use super::super::evidence::{Demographics, NhanesReading};
use super::super::protocol::{DEMOGRAPHICS, STRESS, StudySetting};
use super::super::ranks::{RankMeasure, RankedPair, best};
use super::super::trial::JudgedPair;
use super::place;
use crate::claim::{Claim, ClaimVerdict};
use crate::interval::Proportion;

/// The questionnaires that Demographics represents best, alone or tied.
pub(in crate::nhanes) struct Tops {
    /// The questionnaires.
    pub(in crate::nhanes) tables: Vec<String>,
    /// Number of these that indicate stress, according to the paper.
    n_listed: usize,
    /// Number of questionnaires compared.
    n_targets: usize,
}

impl Tops {
    /// The questionnaires in a setting, ranked by `measure`; `None` without results.
    pub(in crate::nhanes) fn of(
        reading: &NhanesReading<'_>,
        setting: StudySetting,
        measure: RankMeasure,
    ) -> Option<Tops> {
        let ranked = reading.evidence.ranked_by(setting, "ProtoDash", Demographics::With, measure);
        let n_targets = ranked.iter().filter(|ranked| is_demographics(ranked)).count();
        let tables: Vec<String> =
            best(&ranked).filter(|ranked| is_demographics(ranked)).map(|ranked| ranked.pair.target.clone()).collect();
        let n_listed = tables.iter().filter(|table| is_listed(table)).count();
        (n_targets > 0).then_some(Tops { tables, n_listed, n_targets })
    }

    /// Whether it tops "multiple" questionnaires.
    pub(in crate::nhanes) fn are_several(&self) -> bool {
        self.tables.len() > 1
    }

    /// Whether there are several and most of them indicate stress.
    pub(in crate::nhanes) fn are_of_stress(&self) -> bool {
        self.are_several() && 2 * self.n_listed > self.tables.len()
    }
}

/// Demographics represents several questionnaires best.
pub(super) fn on_top(reading: &NhanesReading<'_>, setting: StudySetting) -> Option<Claim> {
    let tops = Tops::of(reading, setting, RankMeasure::Explained)?;
    let titles: Vec<String> = tops.tables.iter().map(|table| reading.title(table)).collect();
    let ours = match titles.len() {
        0 => format!("of none of {}", tops.n_targets),
        number => format!("of {number} of {}: {}", tops.n_targets, titles.join(", ")),
    };
    let claim = "Demographics is the top representative of multiple questionnaires";
    Some(Claim::new(&place("figure 6c", setting), claim, ours, tops.are_several()).holding_if("of 2 or more"))
}

/// The questionnaires that it represents best indicate stress.
pub(super) fn stress(reading: &NhanesReading<'_>, setting: StudySetting) -> Option<Claim> {
    let tops = Tops::of(reading, setting, RankMeasure::Explained)?;
    let ranked = reading.evidence.ranked(setting, "ProtoDash", Demographics::With);
    let listed = ranked.iter().filter(|ranked| is_demographics(ranked) && is_listed(&ranked.pair.target));
    let ranks: Vec<f64> = listed.map(|ranked| ranked.rank).collect();
    let ours = format!(
        "it tops {}, {} of them listed; that is {} of {} on the list, where its average rank is {:.1}",
        tops.tables.len(),
        tops.n_listed,
        tops.n_listed,
        ranks.len(),
        ranks.iter().sum::<f64>() / ranks.len() as f64
    );
    let claim = "the questionnaires that it tops are indicative of high stress (13 are listed in a comment of the paper's \
                 source)";
    let claim = Claim::new(&place("figure 6c", setting), claim, ours, tops.are_of_stress());
    (!ranks.is_empty()).then(|| claim.holding_if("it tops 2 or more, and more than half of these are listed"))
}

/// Its heaviest prototypes are white Americans without a degree.
pub(super) fn white_americans(reading: &NhanesReading<'_>, setting: StudySetting) -> Option<Claim> {
    let ranked = reading.evidence.ranked(setting, "ProtoDash", Demographics::With);
    let pairs: Vec<&JudgedPair> = ranked
        .iter()
        .map(|ranked| ranked.pair)
        .filter(|pair| is_listed(&pair.target) && pair.heaviest.is_some())
        .collect();
    let number =
        pairs.iter().filter_map(|pair| pair.heaviest.as_ref()).filter(|person| person.white_at_most_aa).count();
    let (found, base) = (Proportion::of(number, pairs.len())?, base_rate(reading, setting, &pairs)?);
    let verdict = match found {
        Proportion { low, .. } if low > base => ClaimVerdict::Holds,
        Proportion { high, .. } if high <= base => ClaimVerdict::DoesNotHold,
        _ => ClaimVerdict::Undecided,
    };
    let ours = format!(
        "{number} of {}, {:.0} % (interval {:.0} to {:.0} %), where {:.0} % of the people are; most common: {}",
        pairs.len(),
        100.0 * found.share,
        100.0 * found.low,
        100.0 * found.high,
        100.0 * base,
        commonest(&pairs)?
    );
    let claim = "among the heaviest prototypes white Americans with at best an AA degree are common";
    let criterion = "Wilson's 95 % interval of their share in the heaviest for the listed questionnaires is above their share \
                     in the people that these were chosen from";
    Some(Claim::new(&place("V-C", setting), claim, ours, verdict).holding_if(criterion))
}

/// Share of white Americans with at most an AA degree among the people of these pairs, averaged over the pairs.
fn base_rate(reading: &NhanesReading<'_>, setting: StudySetting, pairs: &[&JudgedPair]) -> Option<f64> {
    let people = reading.evidence.people(setting.group)?;
    // Demographics covers everybody, so a pair with it has all people of the questionnaire.
    let of_pair = |pair: &&JudgedPair| people.tables.iter().find(|asked| asked.table == pair.target);
    let rates: Vec<f64> = pairs.iter().filter_map(of_pair).map(|asked| asked.white_at_most_aa).collect();
    (!rates.is_empty()).then(|| rates.iter().sum::<f64>() / rates.len() as f64)
}

/// Most common race and education of the heaviest prototypes.
fn commonest(pairs: &[&JudgedPair]) -> Option<String> {
    let mut profiles: Vec<(String, usize)> = Vec::new();
    for person in pairs.iter().filter_map(|pair| pair.heaviest.as_ref()) {
        let profile = format!("{}, {}", person.race, person.education);
        match profiles.iter_mut().find(|(known, _)| *known == profile) {
            Some((_, number)) => *number += 1,
            None => profiles.push((profile, 1)),
        }
    }
    profiles.sort_by_key(|(_, number)| std::cmp::Reverse(*number));
    profiles.first().map(|(most, number)| format!("{most} ({number} of {})", pairs.len()))
}

fn is_demographics(ranked: &RankedPair<'_>) -> bool {
    ranked.pair.source == DEMOGRAPHICS
}

fn is_listed(table: &str) -> bool {
    STRESS.contains(&table)
}

#[cfg(test)]
mod tests {
    use super::super::super::data::Person;
    use super::super::super::evidence::tests::{Fixture, adults};
    use super::super::super::ranks::tests::pair;
    use super::*;

    /// Demographics and Occupation as representatives of each target; the flag puts Demographics first.
    fn fixture(targets: &[(&str, bool)]) -> Fixture {
        let mut fixture = Fixture::default();
        let judged = |(target, tops): &(&str, bool)| {
            [pair(target, DEMOGRAPHICS, if *tops { 0.6 } else { 0.4 }), pair(target, "OCQ_H", 0.5)]
        };
        fixture.relation(adults(), "ProtoDash", targets.iter().flat_map(judged).collect());
        fixture
    }

    #[test]
    fn the_stress_claim_needs_several_questionnaires_most_of_them_listed() {
        // ALQ_H and BPQ_H are listed, FSQ_H and ACQ_H are not.
        for (targets, several, of_stress) in [
            ([("ALQ_H", true), ("BPQ_H", true), ("FSQ_H", true)], true, true),
            ([("ALQ_H", true), ("BPQ_H", false), ("FSQ_H", true)], true, false),
            ([("ALQ_H", true), ("BPQ_H", false), ("FSQ_H", false)], false, false),
        ] {
            let fixture = fixture(&targets);
            let verdict = |judge: fn(&NhanesReading<'_>, StudySetting) -> Option<Claim>| {
                fixture.read(|reading| judge(reading, adults())).unwrap().verdict
            };
            assert_eq!((verdict(on_top), verdict(stress)), (several.into(), of_stress.into()), "{targets:?}");
        }
        let claim = fixture(&[("ALQ_H", true), ("BPQ_H", false), ("FSQ_H", true)]);
        let claim = claim.read(|reading| stress(reading, adults())).unwrap();
        let expected = "it tops 2, 1 of them listed; that is 1 of 2 on the list, where its average rank is 1.5";
        assert_eq!(claim.ours, expected);
    }

    #[test]
    fn few_prototypes_decide_only_clear_cases() {
        let person = |white_at_most_aa| Person { race: "r".into(), education: "e".into(), white_at_most_aa };
        let verdict = |n_white: usize, base: f64| {
            let judged = |(place, table): (usize, &&str)| JudgedPair {
                heaviest: Some(person(place < n_white)),
                ..pair(table, DEMOGRAPHICS, 0.5)
            };
            let mut fixture = Fixture { white_at_most_aa: base, ..Fixture::default() };
            fixture.people(adults().group, 9, &STRESS.map(|table| (table, 9)));
            fixture.relation(adults(), "ProtoDash", STRESS.iter().enumerate().map(judged).collect());
            fixture.read(|reading| white_americans(reading, adults())).unwrap().verdict
        };
        // 3 of 13 is 23 %, interval 8 to 50 %.
        assert_eq!(
            [0.05, 0.17, 0.6].map(|base| verdict(3, base)),
            [ClaimVerdict::Holds, ClaimVerdict::Undecided, ClaimVerdict::DoesNotHold]
        );
    }
}
