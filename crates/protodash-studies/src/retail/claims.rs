//! The claims of section V-A, checked on public data.

use super::figures::RetailReading;
use super::protocol::{ALL, RetailTask, Set};
use super::trial::{Seconds, TrainingOutcome};
use crate::claim::{Claim, ClaimVerdict};
use crate::figure::shown;
use crate::interval::Proportion;

/// The paper's methods.
const OURS: [&str; 2] = ["ProtoDash", "ProtoGreedy"];
/// Condition for a significantly larger error.
const SIGNIFICANT: &str = "the 95 % intervals of the differences of RMSEs of log(1 + expenditure) are above 0";
/// Largest relative difference of errors that are "almost as good".
const ALMOST: f64 = 0.01;
/// Speed-up of ProtoDash over ProtoGreedy in the paper.
const FASTER: f64 = 3.0;
/// Times within this factor are "close".
const CLOSE: f64 = 2.0;
/// Threshold for "much more expensive".
const MUCH: f64 = 2.0;
/// Largest relative gain of the last tenth of the prototypes that is "incremental".
const INCREMENTAL: f64 = 0.01;
/// The percentiles of the paper: top 1 % of visits, top 2 % of expenditure.
const VISITS: f64 = 99.0;
const EXPENDITURE: f64 = 98.0;

/// The claims in the order of the paper; claims without results are omitted.
pub(super) fn claims(reading: &RetailReading<'_>) -> Vec<Claim> {
    let mut claims = Vec::new();
    for set in Set::ALL {
        claims.extend(incremental(reading, set));
        for other in ["L2C", "L2C on target", "P-Lasso", "K-Medoids", "RandomW"] {
            let claim = format!("with our methods' customers the error is significantly less than with {other}'s");
            claims.extend(better(reading, set, other, &claim));
        }
        claims.extend(better(reading, set, ALL, "using all the data is not a good idea"));
        claims.extend(like_protogreedy(reading, set));
        claims.extend(like_l2c(reading, set));
        claims.extend(faster(reading, set));
        claims.extend(p_lasso_is_expensive(reading, set));
    }
    claims.extend(percentile(reading, "visits", VISITS, "in the top 1 %"));
    claims.extend(percentile(reading, "expenditure", EXPENDITURE, "in the top 2 %"));
    claims.extend(turned_loyal(reading));
    claims.extend(more_than_others(reading));
    claims
}

fn logs(outcome: &TrainingOutcome) -> &[f64] {
    &outcome.errors
}

fn plain(outcome: &TrainingOutcome) -> &[f64] {
    &outcome.plain_errors
}

fn incremental(reading: &RetailReading<'_>, set: Set) -> Option<Claim> {
    let outcome = reading.evidence.trainings(set, "ProtoDash", 1).first().copied()?;
    let last = outcome.last_tenth?;
    let claim = "so many are chosen because the improvement in objective is incremental beyond this point";
    let at_optimum = if is_optimal(reading, set) { "; this is the optimum" } else { "" };
    let number = outcome.n_selected;
    let ours = format!("the last tenth of {number} prototypes adds {:.4} % of the objective{at_optimum}", 100.0 * last);
    let claim = Claim::new(&place("V-A", set), claim, ours, last < INCREMENTAL);
    Some(claim.holding_if("the last tenth of ProtoDash's prototypes adds less than 1 % of the objective"))
}

/// Whether ProtoDash needs fewer prototypes than allowed.
fn is_optimal(reading: &RetailReading<'_>, set: Set) -> bool {
    let number = reading.evidence.number(&RetailTask::Number { set });
    let outcome = reading.evidence.trainings(set, "ProtoDash", 1).first().copied();
    let at_most = outcome.map(|outcome| reading.protocol.n_prototypes(outcome.n_loyal, outcome.n_regular));
    number < at_most
}

fn better(reading: &RetailReading<'_>, set: Set, other: &str, claim: &str) -> Option<Claim> {
    let bootstrap = reading.bootstrap(set);
    let (mut verdict, mut found) = (ClaimVerdict::Holds, Vec::new());
    for ours in OURS {
        let apart = |errors: fn(&TrainingOutcome) -> &[f64]| {
            bootstrap.difference(&reading.errors_of(set, other, errors), &reading.errors_of(set, ours, errors))
        };
        let (in_logs, in_units) = (apart(logs)?, apart(plain)?);
        verdict = verdict.and(ClaimVerdict::above(&in_logs, 0.0));
        found.push(format!("{other} minus {ours}: {} ({} {})", shown(&in_logs), shown(&in_units), unit(set)));
    }
    Some(Claim::new(&place("figure 1a", set), claim, found.join("; "), verdict).holding_if(SIGNIFICANT))
}

/// Unit of the expenditure.
fn unit(set: Set) -> &'static str {
    match set {
        Set::Customers => "pounds",
        Set::Visitors => "in page values",
    }
}

fn like_protogreedy(reading: &RetailReading<'_>, set: Set) -> Option<Claim> {
    let of = |method| reading.errors_of(set, method, logs);
    let bootstrap = reading.bootstrap(set);
    let apart = bootstrap.difference(&of("ProtoDash"), &of("ProtoGreedy"))?;
    let error = bootstrap.root_mean_square(&of("ProtoGreedy"))?;
    let claim = "ProtoDash is almost as good as ProtoGreedy";
    let why = if is_optimal(reading, set) { "; with so many, both are at or near the optimum" } else { "" };
    let percent = 100.0 * apart.mean / error.mean;
    let ours = format!("{percent:+.2} % (ProtoDash minus ProtoGreedy: {}){why}", shown(&apart));
    let verdict = ClaimVerdict::below(&apart, ALMOST * error.mean);
    Some(Claim::new(&place("figure 1a", set), claim, ours, verdict).holding_if("its error is less than 1 % larger"))
}

fn like_l2c(reading: &RetailReading<'_>, set: Set) -> Option<Claim> {
    let whole = |method| Some(seconds(reading, set, method, choice)? + seconds(reading, set, method, kernel_mean)?);
    let ratio = whole("ProtoDash")? / whole("L2C")?;
    let of_choice = seconds(reading, set, "ProtoDash", choice)? / seconds(reading, set, "L2C", choice)?;
    let claim = "ProtoDash is close in running time to L2C";
    let ours = format!("{ratio:.2} times L2C's with the kernel mean of each,  {of_choice:.2} times without");
    let claim = Claim::new(&place("figure 1b", set), claim, ours, ratio < CLOSE && ratio > 1.0 / CLOSE);
    Some(claim.holding_if("the times with the kernel mean are within a factor of 2 of each other"))
}

fn faster(reading: &RetailReading<'_>, set: Set) -> Option<Claim> {
    let ratio = seconds(reading, set, "ProtoGreedy", choice)? / seconds(reading, set, "ProtoDash", choice)?;
    let claim = "ProtoDash is over 3 times faster than ProtoGreedy";
    let ours = format!("ProtoGreedy takes {ratio:.2} times as long as ProtoDash, without the kernel mean");
    Some(Claim::new(&place("figure 1b", set), claim, ours, ratio > FASTER))
}

fn p_lasso_is_expensive(reading: &RetailReading<'_>, set: Set) -> Option<Claim> {
    let ratio = seconds(reading, set, "P-Lasso", choice)? / seconds(reading, set, "ProtoDash", choice)?;
    let claim = "P-Lasso is much more expensive than ProtoDash, as the experiments show";
    let ours = format!("P-Lasso takes {ratio:.2} times as long as ProtoDash, without the kernel mean");
    let claim = Claim::new(&place("section V", set), claim, ours, ratio > MUCH);
    Some(claim.holding_if("it takes more than twice as long"))
}

fn percentile(reading: &RetailReading<'_>, feature: &str, bound: f64, words: &str) -> Option<Claim> {
    let outcome = reading.evidence.trainings(Set::Customers, "ProtoDash", 1).first().copied()?;
    let found = outcome.profile.iter().find(|profile| profile.feature == feature)?;
    let claim = format!("the prototypes' weighted average of {feature} is {words} of regular customers");
    let ours = format!("{:.1}, above {:.1} % of regular customers", found.mean, found.percentile);
    Some(Claim::new("figure 2: customers", &claim, ours, found.percentile >= bound))
}

fn turned_loyal(reading: &RetailReading<'_>) -> Option<Claim> {
    let found = reading.evidence.later("ProtoDash")?;
    let claim = "of the 100 heaviest prototypes most become loyal a year later (83 in the paper)";
    let ours = format!(
        "{} of {}, where {:.1} % of all regular customers do",
        found.n_turned,
        found.n_followed,
        100.0 * found.base_rate
    );
    Some(
        Claim::new("V-A: customers", claim, ours, 2 * found.n_turned > found.n_followed)
            .holding_if("more than half do"),
    )
}

fn more_than_others(reading: &RetailReading<'_>) -> Option<Claim> {
    let found = reading.evidence.later("ProtoDash")?;
    let Proportion { share, low, high } = Proportion::of(found.n_turned, found.n_followed)?;
    let claim = "they become loyal more often than regular customers do";
    let ours = format!(
        "{:.1} % (interval {:.1} to {:.1} %), {:.1} times the base rate",
        100.0 * share,
        100.0 * low,
        100.0 * high,
        share / found.base_rate
    );
    let claim = Claim::new("V-A: customers", claim, ours, low > found.base_rate);
    Some(claim.holding_if("the 95 % interval of their share is above the share of all regular customers"))
}

fn choice(seconds: Seconds) -> f64 {
    seconds.choice
}

fn kernel_mean(seconds: Seconds) -> f64 {
    seconds.kernel_mean
}

/// Time of a part of a method's work, averaged over draws.
fn seconds(reading: &RetailReading<'_>, set: Set, method: &str, part: fn(Seconds) -> f64) -> Option<f64> {
    let outcomes = reading.evidence.trainings(set, method, reading.n_draws);
    let values: Vec<f64> = outcomes.iter().filter_map(|outcome| outcome.seconds.map(part)).collect();
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

fn place(of_paper: &str, set: Set) -> String {
    format!("{of_paper}: {set}")
}
