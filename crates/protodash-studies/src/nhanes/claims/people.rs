//! Whether all questionnaires were answered by the same people.

use super::super::evidence::NhanesReading;
use super::super::protocol::{DEMOGRAPHICS, PairBasis, PeopleGroup, Population, QUESTIONNAIRES};
use super::super::trial::AskedTable;
use crate::claim::Claim;

/// The claim that all tables cover the same people.
pub(super) fn same(reading: &NhanesReading<'_>) -> Option<Claim> {
    let people = |population| reading.evidence.people(PeopleGroup { basis: PairBasis::Shared, population });
    let (adults, everybody) = (people(Population::Adults)?, people(Population::Everybody)?);
    let numbers = |asked: &[AskedTable]| -> Vec<usize> {
        asked.iter().filter(|asked| asked.table != DEMOGRAPHICS).map(|asked| asked.n_people).collect()
    };
    let (of_adults, of_all) = (numbers(&adults.tables), numbers(&everybody.tables));
    let n_whole = of_adults.iter().filter(|number| **number == adults.n_people).count();
    let ours = format!(
        "of the {} people of Alcohol Use {n_whole} of {} questionnaires have all, {} some and {} none; of everybody they \
         have from {} to {}",
        adults.n_people,
        QUESTIONNAIRES.len(),
        of_adults.len() - n_whole,
        QUESTIONNAIRES.len() - of_adults.len(),
        of_all.iter().min()?,
        of_all.iter().max()?
    );
    let claim = "the questionnaires are answered by the same set of 5924 people";
    let claim = Claim::new("V-C", claim, ours, n_whole == QUESTIONNAIRES.len());
    Some(claim.holding_if("every questionnaire has all people of Alcohol Use, who are that many"))
}

#[cfg(test)]
mod tests {
    use super::super::super::evidence::tests::{Fixture, adults};
    use super::*;
    use crate::claim::ClaimVerdict;

    #[test]
    fn tables_with_fewer_people_refute_it() {
        let mut fixture = Fixture::default();
        fixture.people(adults().group, 9, &[("ALQ_H", 9), ("INQ_H", 4), (DEMOGRAPHICS, 9)]);
        let everybody = PeopleGroup { population: Population::Everybody, ..adults().group };
        fixture.people(everybody, 20, &[("ALQ_H", 9), ("INQ_H", 15), ("ECQ_H", 3), (DEMOGRAPHICS, 20)]);
        let claim = fixture.read(same).unwrap();
        let expected = "of the 9 people of Alcohol Use 1 of 40 questionnaires have all, 1 some and 38 none; of everybody \
                        they have from 3 to 15";
        assert_eq!((claim.ours.as_str(), claim.verdict), (expected, ClaimVerdict::DoesNotHold));
    }
}
