//! What section V-C claims, held against what was found in each setting.

use super::evidence::{Demographics, Reading};
use super::figures::shared;
use super::protocol::{Basis, DEMOGRAPHICS, EARLY_CHILDHOOD, INCOME, OCCUPATION, STRESS, Setting};
use super::ranks::{Ranked, of_target};
use super::trial::TableOutcome;
use crate::claim::{Claim, Verdict};
use crate::figure::shown;
use crate::interval::Estimate;
use crate::methods::name;

/// What one prototype more may add, as a part of the objective, where the gain is "incremental".
const INCREMENTAL: f64 = 0.01;
/// Representatives of Income that the paper names.
const TWO: usize = 2;

/// The claims in the order of the paper, each in every setting in which something was found about it.
pub(super) fn claims(reading: &Reading<'_>) -> Vec<Claim> {
    let mut claims = Vec::new();
    let of = |judge: fn(&Reading<'_>, Setting) -> Option<Claim>, settings: Vec<Setting>| {
        settings.into_iter().filter_map(|setting| judge(reading, setting)).collect::<Vec<_>>()
    };
    let (four, all): (Vec<Setting>, Vec<Setting>) = (shared().collect(), Setting::all().collect());
    claims.extend(of(incremental, four.clone()));
    claims.extend(of(p_lasso, four.clone()));
    for other in ["ProtoGreedy", "L2C", "K-Medoids"] {
        claims.extend(four.iter().filter_map(|setting| faster(reading, *setting, other)));
    }
    claims.push(Claim::not_checked(
        "figure 6a",
        "the ten most important questionnaires agree with those of an expert",
        "the expert's list was not published",
    ));
    claims.extend(of(income, all.clone()));
    claims.extend(of(others_differ, all.clone()));
    claims.extend(of(on_top, all.clone()));
    claims.extend(of(stress, all.clone()));
    claims.extend(of(white_americans, all));
    claims
}

fn incremental(reading: &Reading<'_>, setting: Setting) -> Option<Claim> {
    let at = reading.n_prototypes;
    let gain = |outcome: &TableOutcome| {
        let (before, after) = (outcome.objective.get(at.checked_sub(1)?)?, outcome.objective.get(at)?);
        Some((after - before) / after)
    };
    let gains: Vec<f64> = of_questionnaires(reading, setting).filter_map(gain).collect();
    let gain = Estimate::of(&gains)?;
    let claim = "after m = 10 prototypes the improvement in objective is incremental";
    let criterion = "one more adds less than 1 % of the objective, on average over questionnaires";
    let ours = format!("one more adds {} of it", shown(&gain));
    Some(Claim::new(&place("V-C", setting), claim, ours, Verdict::below(&gain, INCREMENTAL)).holding_if(criterion))
}

fn p_lasso(reading: &Reading<'_>, setting: Setting) -> Option<Claim> {
    let has = |outcome: &&TableOutcome| outcome.methods.iter().any(|found| found.method == "P-Lasso");
    let n_tables = of_questionnaires(reading, setting).count();
    let n_found = of_questionnaires(reading, setting).filter(has).count();
    let claim = "P-Lasso gave no result on most questionnaires";
    let criterion = "it has prototypes, within 10 % of m, for less than half of them";
    let ours = format!("a result for {n_found} of {n_tables}");
    let claim = Claim::new(&place("V-C", setting), claim, ours, 2 * n_found < n_tables).holding_if(criterion);
    (n_tables > 0).then_some(claim)
}

fn faster(reading: &Reading<'_>, setting: Setting, other: &str) -> Option<Claim> {
    let ratio = |outcome: &TableOutcome| {
        let seconds =
            |method: &str| outcome.methods.iter().find(|found| found.method == method).map(|found| found.seconds);
        Some((seconds(other)? / seconds("ProtoDash")?).ln())
    };
    let logs: Vec<f64> = of_questionnaires(reading, setting).filter_map(ratio).collect();
    let log = Estimate::of(&logs)?;
    let claim = format!("ProtoDash is efficient: it is faster than {other}");
    let ours = format!(
        "{:.2} times as fast (geometric mean over questionnaires, 95 % interval {:.2} to {:.2}), without the kernel mean",
        log.mean.exp(),
        log.low().exp(),
        log.high().exp()
    );
    let claim = Claim::new(&place("figure 6b", setting), &claim, ours, Verdict::above(&log, 0.0));
    Some(claim.holding_if("the whole interval is above 1"))
}

fn income(reading: &Reading<'_>, setting: Setting) -> Option<Claim> {
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
    let holds = first.pair.source == EARLY_CHILDHOOD && second.pair.source == OCCUPATION;
    Some(Claim::new(&place("figure 6c", setting), claim, ours, holds).holding_if("it is so in that order"))
}

fn others_differ(reading: &Reading<'_>, setting: Setting) -> Option<Claim> {
    let two = |method: &str| -> Vec<String> {
        let ranked = reading.evidence.ranked(setting, method, Demographics::Without);
        of_target(&ranked, INCOME).into_iter().take(TWO).map(|ranked| ranked.pair.source.clone()).collect()
    };
    let is_other = |method: &&str| ["L2C", "K-Medoids", "RandomW"].contains(method);
    let others = setting.group.methods().iter().map(|method| name(*method)).filter(is_other);
    let (dash, others): (_, Vec<(&str, Vec<String>)>) =
        (two("ProtoDash"), others.map(|method| (method, two(method))).collect());
    let named = |(method, two): &(&str, Vec<String>)| {
        let titles: Vec<String> = two.iter().map(|table| reading.title(table)).collect();
        format!("{method}: {}", titles.join(", "))
    };
    let ours = others.iter().map(named).collect::<Vec<_>>().join("; ");
    let claim = "the ranking of other methods differed, for Income";
    let holds = others.iter().all(|(_, two)| *two != dash);
    let claim = Claim::new(&place("V-C", setting), claim, ours, holds);
    (!dash.is_empty()).then(|| claim.holding_if("the first two of none of them are ProtoDash's first two"))
}

fn on_top(reading: &Reading<'_>, setting: Setting) -> Option<Claim> {
    let ranked = reading.evidence.ranked(setting, "ProtoDash", Demographics::With);
    let names: Vec<String> = first_by_demographics(&ranked).map(|ranked| reading.title(&ranked.pair.target)).collect();
    let n_targets = ranked.iter().filter(|ranked| ranked.pair.source == DEMOGRAPHICS).count();
    let claim = "Demographics is the top representative of multiple questionnaires";
    let ours = match names.len() {
        0 => format!("of none of {n_targets}"),
        number => format!("of {number} of {n_targets}: {}", names.join(", ")),
    };
    let claim = Claim::new(&place("figure 6c", setting), claim, ours, names.len() > 1);
    (n_targets > 0).then(|| claim.holding_if("of 2 or more"))
}

fn stress(reading: &Reading<'_>, setting: Setting) -> Option<Claim> {
    let ranked = reading.evidence.ranked(setting, "ProtoDash", Demographics::With);
    let is_listed = |ranked: &&Ranked<'_>| STRESS.contains(&ranked.pair.target.as_str());
    let of_demographics = || ranked.iter().filter(|ranked| ranked.pair.source == DEMOGRAPHICS).filter(is_listed);
    let (n_listed, n_first) = (of_demographics().count(), first_by_demographics(&ranked).filter(is_listed).count());
    let mean = Estimate::of(&of_demographics().map(|ranked| ranked.rank).collect::<Vec<_>>())?;
    let claim = "those that it represents best indicate stress: the 13 that a comment in the paper's source lists";
    let ours = format!("best of {n_first} of {n_listed}; its average rank there is {:.1}", mean.mean);
    let claim = Claim::new(&place("figure 6c", setting), claim, ours, 2 * n_first > n_listed);
    Some(claim.holding_if("it is the best for more than half of those 13 that were asked"))
}

fn white_americans(reading: &Reading<'_>, setting: Setting) -> Option<Claim> {
    let ranked = reading.evidence.ranked(setting, "ProtoDash", Demographics::With);
    let heaviest: Vec<_> = ranked
        .iter()
        .filter(|ranked| STRESS.contains(&ranked.pair.target.as_str()))
        .filter_map(|ranked| ranked.pair.heaviest.as_ref())
        .collect();
    let share = heaviest.iter().filter(|person| person.white_at_most_aa).count() as f64 / heaviest.len() as f64;
    let base = reading.evidence.people(setting.group)?.white_at_most_aa;
    let claim = "among the heaviest prototypes white Americans with at best an AA degree are common";
    let criterion = "of the heaviest for those 13 a larger part is such than of the people";
    let mut profiles: Vec<(String, usize)> = Vec::new();
    for person in &heaviest {
        let profile = format!("{}, {}", person.race, person.education);
        match profiles.iter_mut().find(|(known, _)| *known == profile) {
            Some((_, number)) => *number += 1,
            None => profiles.push((profile, 1)),
        }
    }
    profiles.sort_by_key(|(_, number)| std::cmp::Reverse(*number));
    let (most, number) = profiles.first()?;
    let ours = format!(
        "{:.0} % of them against {:.0} % of all; most common: {most} ({number} of {})",
        100.0 * share,
        100.0 * base,
        heaviest.len()
    );
    Some(Claim::new(&place("V-C", setting), claim, ours, share > base).holding_if(criterion))
}

/// Where a source stands among those of a target.
fn standing(reading: &Reading<'_>, sources: &[&Ranked<'_>], name: &str) -> String {
    let title = reading.title(name);
    match sources.iter().find(|ranked| ranked.pair.source == name) {
        Some(ranked) => format!("{title} is number {} of {}", ranked.rank, sources.len()),
        None => format!("{title} was asked of none of these people"),
    }
}

/// Targets that Demographics represents best, alone or with others.
fn first_by_demographics<'a, 'b>(ranked: &'b [Ranked<'a>]) -> impl Iterator<Item = &'b Ranked<'a>> {
    let is_best = |one: &&Ranked<'_>| {
        let mut rivals = ranked.iter().filter(|ranked| ranked.pair.target == one.pair.target);
        rivals.all(|rival| rival.pair.explained <= one.pair.explained)
    };
    ranked.iter().filter(|ranked| ranked.pair.source == DEMOGRAPHICS).filter(is_best)
}

/// What was found of each questionnaire, Demographics apart.
fn of_questionnaires<'a>(reading: &'a Reading<'_>, setting: Setting) -> impl Iterator<Item = &'a TableOutcome> {
    reading.evidence.tables(setting).filter(|(table, _)| *table != DEMOGRAPHICS).map(|(_, outcome)| outcome)
}

fn place(of_paper: &str, setting: Setting) -> String {
    match setting.group.basis {
        Basis::Shared => format!("{of_paper}: {setting}"),
        Basis::All => format!("{of_paper}, another reading: {setting}"),
    }
}
