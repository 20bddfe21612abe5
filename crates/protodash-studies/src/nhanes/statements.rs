//! The paper's two findings in sentences: the settings in which they hold.

use super::claims::demographics::Tops;
use super::claims::income::{IncomeOrder, order};
use super::evidence::NhanesReading;
use super::protocol::StudySetting;
use super::ranks::RankMeasure;

/// Statements on Income and Demographics, where there are results.
pub(super) fn statements(reading: &NhanesReading<'_>) -> Vec<String> {
    [income(reading), demographics(reading)].into_iter().flatten().collect()
}

fn income(reading: &NhanesReading<'_>) -> Option<String> {
    let orders = in_settings(|setting| order(reading, setting, RankMeasure::Explained));
    let with = |wanted: IncomeOrder| where_it_is(&orders, |order| *order == wanted);
    let mut text = String::from("The paper's finding on Income (first Early Childhood, then Occupation) ");
    text += &verdict(with(IncomeOrder::Both), orders.len());
    text += &also("Early Childhood is first and another second in: ", with(IncomeOrder::First));
    text += &also("Another is first in: ", with(IncomeOrder::Neither));
    text +=
        &also("Nobody was asked Early Childhood, so the finding cannot be checked, in: ", with(IncomeOrder::NotAsked));
    let by_own = in_settings(|setting| order(reading, setting, RankMeasure::OfOwn));
    text += &by_the_other_measure(&orders, &by_own);
    (!orders.is_empty()).then_some(text)
}

fn demographics(reading: &NhanesReading<'_>) -> Option<String> {
    /// How far the finding holds.
    #[derive(PartialEq)]
    enum DemographicsFinding {
        Stress,
        Several,
        Few,
    }
    let found = |measure| {
        in_settings(|setting| {
            let tops = Tops::of(reading, setting, measure)?;
            Some(match tops.are_several() {
                true if tops.are_of_stress() => DemographicsFinding::Stress,
                true => DemographicsFinding::Several,
                false => DemographicsFinding::Few,
            })
        })
    };
    let all = found(RankMeasure::Explained);
    let with = |wanted: DemographicsFinding| where_it_is(&all, |found| *found == wanted);
    let mut text = String::from(
        "The paper's finding on Demographics (the best representative of several questionnaires, most of which indicate \
         stress) ",
    );
    text += &verdict(with(DemographicsFinding::Stress), all.len());
    text += &also(
        "It is the best of several, but most of them do not indicate stress, in: ",
        with(DemographicsFinding::Several),
    );
    text += &also("It is the best of one or none in: ", with(DemographicsFinding::Few));
    text += &by_the_other_measure(&all, &found(RankMeasure::OfOwn));
    (!all.is_empty()).then_some(text)
}

/// A finding in each setting that has results.
fn in_settings<T>(found: impl Fn(StudySetting) -> Option<T>) -> Vec<(StudySetting, T)> {
    StudySetting::all().filter_map(|setting| Some((setting, found(setting)?))).collect()
}

/// Names of the settings that meet a condition.
fn where_it_is<T>(found: &[(StudySetting, T)], is: impl Fn(&T) -> bool) -> Vec<String> {
    found.iter().filter(|(_, found)| is(found)).map(|(setting, _)| setting.to_string()).collect()
}

fn verdict(holding: Vec<String>, n_settings: usize) -> String {
    match holding.len() {
        0 => format!("holds in none of {n_settings} settings (people, kernel)."),
        number => format!("holds in {number} of {n_settings} settings (people, kernel): {}.", holding.join("; ")),
    }
}

/// Another sentence, if any setting is named.
fn also(words: &str, settings: Vec<String>) -> String {
    if settings.is_empty() { String::new() } else { format!(" {words}{}.", settings.join("; ")) }
}

/// Whether ranks relative to the target's own prototypes give the same finding.
fn by_the_other_measure<T: PartialEq>(one: &[(StudySetting, T)], other: &[(StudySetting, T)]) -> String {
    let changed: Vec<String> = one
        .iter()
        .zip(other)
        .filter(|((_, one), (_, other))| one != other)
        .map(|((setting, _), _)| setting.to_string())
        .collect();
    let words = " Ranked relative to what the questionnaire's own prototypes explain,";
    match changed.is_empty() {
        true => format!("{words} the finding is the same."),
        false => format!("{words} the finding differs in: {}.", changed.join("; ")),
    }
}

#[cfg(test)]
mod tests {
    use super::super::evidence::tests::{Fixture, adults};
    use super::super::protocol::{DEMOGRAPHICS, EARLY_CHILDHOOD, INCOME, OCCUPATION, StudyKernel};
    use super::super::ranks::tests::pair;
    use super::super::trial::JudgedPair;
    use super::*;

    #[test]
    fn statements_name_the_settings() {
        let mut fixture = Fixture::default();
        let income = |source: &str, explained| pair(INCOME, source, explained);
        let demographics = |target: &str, explained| pair(target, DEMOGRAPHICS, explained);
        let found = vec![
            income(EARLY_CHILDHOOD, 0.9),
            income(OCCUPATION, 0.8),
            demographics(INCOME, 0.1),
            demographics("ALQ_H", 0.5),
            demographics("BPQ_H", 0.5),
        ];
        fixture.relation(adults(), "ProtoDash", found);
        let linear = StudySetting { kernel: StudyKernel::Linear, ..adults() };
        // Occupation explains more, but Early Childhood as much as its people allow.
        let easy = JudgedPair { own_explained: 0.5, ..income(EARLY_CHILDHOOD, 0.5) };
        fixture.relation(linear, "ProtoDash", vec![easy, income(OCCUPATION, 0.8), demographics(INCOME, 0.1)]);
        let expected = [
            "The paper's finding on Income (first Early Childhood, then Occupation) holds in 1 of 2 settings (people, kernel): \
             adults, Gaussian. Another is first in: adults, linear. Ranked relative to what the \
             questionnaire's own prototypes explain, the finding differs in: adults, linear.",
            "The paper's finding on Demographics (the best representative of several questionnaires, most of which \
             indicate stress) holds in 1 of 2 settings (people, kernel): adults, Gaussian. It is the best of one or \
             none in: adults, linear. Ranked relative to what the questionnaire's own \
             prototypes explain, the finding is the same.",
        ];
        assert_eq!(fixture.read(statements), expected);
        assert_eq!(Fixture::default().read(statements), Vec::<String>::new());
    }
}
