//! The claims of section V-C, and those of section V about all experiments, checked in each setting.

mod cost;
pub(super) mod demographics;
pub(super) mod income;
mod objective;
mod people;

use super::evidence::NhanesReading;
use super::figures::shared;
use super::protocol::{PairBasis, StudySetting};
use crate::claim::Claim;

/// The claims in the order of the paper, in each setting that has results.
pub(super) fn claims(reading: &NhanesReading<'_>) -> Vec<Claim> {
    let of = |judge: &dyn Fn(&NhanesReading<'_>, StudySetting) -> Option<Claim>, settings: &[StudySetting]| {
        settings.iter().filter_map(|setting| judge(reading, *setting)).collect::<Vec<_>>()
    };
    let (four, all): (Vec<StudySetting>, Vec<StudySetting>) = (shared().collect(), StudySetting::all().collect());
    let mut claims = of(&cost::p_lasso_expensive, &four);
    for other in ["RandomW", "L2C"] {
        claims.extend(of(&|reading, setting| objective::superior(reading, setting, other), &four));
    }
    claims.extend(people::same(reading));
    claims.extend(of(&objective::incremental, &four));
    claims.push(Claim::not_checked(
        "figure 6a",
        "the ten most important questionnaires agree with those of an expert",
        "the expert's list was not published",
    ));
    claims.extend(of(&cost::p_lasso_result, &four));
    for other in ["ProtoGreedy", "L2C", "K-Medoids"] {
        claims.extend(of(&|reading, setting| cost::faster(reading, setting, other), &four));
    }
    claims.extend(of(&income::claim, &all));
    claims.push(Claim::not_checked(
        "V-C",
        "the ranking of other methods differed, for Income",
        "the paper does not say by how much, and almost any two rankings differ; the table of Income's representatives \
         has the rank correlations",
    ));
    claims.extend(of(&demographics::on_top, &all));
    claims.extend(of(&demographics::stress, &all));
    claims.extend(of(&demographics::white_americans, &all));
    claims
}

fn place(of_paper: &str, setting: StudySetting) -> String {
    match setting.group.basis {
        PairBasis::Shared => format!("{of_paper}: {setting}"),
        PairBasis::All => format!("{of_paper}, another reading: {setting}"),
    }
}
