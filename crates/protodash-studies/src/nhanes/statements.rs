//! The paper's two findings in plain sentences: in which settings they hold and in which they do not.

use super::claims::demographics::Tops;
use super::claims::income::{IncomeOrder, order};
use super::evidence::NhanesReading;
use super::protocol::StudySetting;
use super::ranks::RankMeasure;

/// What is said of Income and of Demographics; nothing where nothing is known.
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
    text += &also(
        "Early Childhood was asked of nobody, so that the finding cannot be made, in: ",
        with(IncomeOrder::NotAsked),
    );
    let by_own = in_settings(|setting| order(reading, setting, RankMeasure::OfOwn));
    text += &by_the_other_measure(&orders, &by_own);
    (!orders.is_empty()).then_some(text)
}

fn demographics(reading: &NhanesReading<'_>) -> Option<String> {
    /// How much of the finding there is.
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

/// What is found in each setting of which something is known.
fn in_settings<T>(found: impl Fn(StudySetting) -> Option<T>) -> Vec<(StudySetting, T)> {
    StudySetting::all().filter_map(|setting| Some((setting, found(setting)?))).collect()
}

/// The names of the settings where a condition is met.
fn where_it_is<T>(found: &[(StudySetting, T)], is: impl Fn(&T) -> bool) -> Vec<String> {
    found.iter().filter(|(_, found)| is(found)).map(|(setting, _)| setting.to_string()).collect()
}

fn verdict(holding: Vec<String>, n_settings: usize) -> String {
    match holding.len() {
        0 => format!("holds in none of {n_settings} settings (people, kernel)."),
        number => format!("holds in {number} of {n_settings} settings (people, kernel): {}.", holding.join("; ")),
    }
}

/// A further sentence, if there is any setting to name.
fn also(words: &str, settings: Vec<String>) -> String {
    if settings.is_empty() { String::new() } else { format!(" {words}{}.", settings.join("; ")) }
}

/// Whether ranks by the part of what the target's own prototypes explain would say the same.
fn by_the_other_measure<T: PartialEq>(one: &[(StudySetting, T)], other: &[(StudySetting, T)]) -> String {
    let changed: Vec<String> = one
        .iter()
        .zip(other)
        .filter(|((_, one), (_, other))| one != other)
        .map(|((setting, _), _)| setting.to_string())
        .collect();
    let words = " RankedPair by what is explained over what the questionnaire's own prototypes explain,";
    match changed.is_empty() {
        true => format!("{words} the same is found."),
        false => format!("{words} it is otherwise in: {}.", changed.join("; ")),
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
    fn settings_are_named_where_a_finding_holds_and_where_not() {
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
        // Occupation explains more, but Early Childhood all that can be had of its people.
        let easy = JudgedPair { own_explained: 0.5, ..income(EARLY_CHILDHOOD, 0.5) };
        fixture.relation(linear, "ProtoDash", vec![easy, income(OCCUPATION, 0.8), demographics(INCOME, 0.1)]);
        let expected = [
            "The paper's finding on Income (first Early Childhood, then Occupation) holds in 1 of 2 settings (people, kernel): \
             adults, Gaussian. Another is first in: adults, linear. RankedPair by what is explained over what the questionnaire's own \
             prototypes explain, it is otherwise in: adults, linear.",
            "The paper's finding on Demographics (the best representative of several questionnaires, most of which \
             indicate stress) holds in 1 of 2 settings (people, kernel): adults, Gaussian. It is the best of one or \
             none in: adults, linear. RankedPair by what is explained over what the questionnaire's own prototypes explain, the same is found.",
        ];
        assert_eq!(fixture.read(statements), expected);
        assert_eq!(Fixture::default().read(statements), Vec::<String>::new());
    }
}
