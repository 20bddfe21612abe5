//! What section V-A claims, held against what was found on the stand-ins.

use super::figures::Reading;
use super::protocol::{ALL, Set};
use super::trial::TrainingOutcome;
use crate::claim::Claim;
use crate::figure::shown;

/// When an error is significantly larger.
const SIGNIFICANT: &str = "the 95 % interval of the difference of RMSEs of log(1 + expenditure) is above 0";
/// Errors that differ by less than this part of the error are "almost as good".
const ALMOST: f64 = 0.01;
/// How much faster than ProtoGreedy the paper found ProtoDash.
const FASTER: f64 = 3.0;
/// Times within this factor are "close".
const CLOSE: f64 = 2.0;
/// The percentiles of the paper: top 1 % of visits, top 2 % of expenditure.
const VISITS: f64 = 99.0;
const EXPENDITURE: f64 = 98.0;
/// The 97.5 % point of the normal distribution.
const NORMAL: f64 = 1.959_963_984_540_054;

/// The claims in the order of the paper; those that nothing was found about are left out.
pub(super) fn claims(reading: &Reading<'_>) -> Vec<Claim> {
    let mut claims = Vec::new();
    for set in Set::ALL {
        for other in ["L2C", "P-Lasso", "K-Medoids", "RandomW"] {
            claims.extend(better(reading, set, other));
        }
        claims.extend(not_all(reading, set));
        claims.extend(like_protogreedy(reading, set));
        claims.extend(like_l2c(reading, set));
        claims.extend(faster(reading, set));
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

fn better(reading: &Reading<'_>, set: Set, other: &str) -> Option<Claim> {
    let of = |method| reading.errors_of(set, method, logs);
    let apart = reading.bootstrap(set).difference(&of(other), &of("ProtoDash"))?;
    let claim = format!("with ProtoDash's customers the error is significantly less than with {other}'s");
    let ours = format!("{other} less ProtoDash: {}", shown(&apart));
    Some(Claim::new(&place("figure 1a", set), &claim, ours, apart.low() > 0.0).holding_if(SIGNIFICANT))
}

fn not_all(reading: &Reading<'_>, set: Set) -> Option<Claim> {
    let of = |method| reading.errors_of(set, method, logs);
    let apart = reading.bootstrap(set).difference(&of(ALL), &of("ProtoDash"))?;
    let claim = "using all the data is not a good idea";
    let ours = format!("PrAll less ProtoDash: {}", shown(&apart));
    Some(Claim::new(&place("figure 1a", set), claim, ours, apart.low() > 0.0).holding_if(SIGNIFICANT))
}

fn like_protogreedy(reading: &Reading<'_>, set: Set) -> Option<Claim> {
    let of = |method| reading.errors_of(set, method, logs);
    let bootstrap = reading.bootstrap(set);
    let apart = bootstrap.difference(&of("ProtoDash"), &of("ProtoGreedy"))?;
    let error = bootstrap.root_mean_square(&of("ProtoGreedy"))?;
    let claim = "ProtoDash is almost as good as ProtoGreedy";
    let ours = format!("{:+.2} % (ProtoDash less ProtoGreedy: {})", 100.0 * apart.mean / error.mean, shown(&apart));
    let claim = Claim::new(&place("figure 1a", set), claim, ours, apart.mean <= ALMOST * error.mean);
    Some(claim.holding_if("its error is at most 1 % larger"))
}

fn like_l2c(reading: &Reading<'_>, set: Set) -> Option<Claim> {
    let ratio = seconds(reading, set, "ProtoDash")? / seconds(reading, set, "L2C")?;
    let claim = "ProtoDash is close in running time to L2C";
    let ours = format!("{ratio:.2} times L2C's, without the kernel mean");
    let claim = Claim::new(&place("figure 1b", set), claim, ours, ratio < CLOSE && ratio > 1.0 / CLOSE);
    Some(claim.holding_if("the times are within a factor of 2 of each other"))
}

fn faster(reading: &Reading<'_>, set: Set) -> Option<Claim> {
    let ratio = seconds(reading, set, "ProtoGreedy")? / seconds(reading, set, "ProtoDash")?;
    let claim = "ProtoDash is over 3 times faster than ProtoGreedy";
    let ours = format!("{ratio:.2} times as fast, without the kernel mean");
    Some(Claim::new(&place("figure 1b", set), claim, ours, ratio > FASTER))
}

fn percentile(reading: &Reading<'_>, feature: &str, bound: f64, words: &str) -> Option<Claim> {
    let outcome = reading.evidence.trainings(Set::Customers, "ProtoDash", 1).first().copied()?;
    let found = outcome.profile.iter().find(|profile| profile.feature == feature)?;
    let claim = format!("the prototypes' weighted average of {feature} is {words} of regular customers");
    let ours = format!("{:.1}, above {:.1} % of regular customers", found.mean, found.percentile);
    Some(Claim::new("figure 2: customers", &claim, ours, found.percentile >= bound))
}

fn turned_loyal(reading: &Reading<'_>) -> Option<Claim> {
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

fn more_than_others(reading: &Reading<'_>) -> Option<Claim> {
    let found = reading.evidence.later("ProtoDash")?;
    let n = found.n_followed as f64;
    let share = found.n_turned as f64 / n;
    // Wilson's interval, which is right for shares near 0 as well.
    let squared = NORMAL * NORMAL / n;
    let middle = (share + squared / 2.0) / (1.0 + squared);
    let half = (squared * share * (1.0 - share) + squared * squared / 4.0).sqrt() / (1.0 + squared);
    let claim = "they become loyal more often than regular customers do";
    let ours = format!(
        "{:.1} % (interval {:.1} to {:.1} %), {:.1} times the base rate",
        100.0 * share,
        100.0 * (middle - half),
        100.0 * (middle + half),
        share / found.base_rate
    );
    let claim = Claim::new("V-A: customers", claim, ours, middle - half > found.base_rate);
    Some(claim.holding_if("the 95 % interval of their share is above the share of all regular customers"))
}

/// How long a method took to choose, on average over its draws.
fn seconds(reading: &Reading<'_>, set: Set, method: &str) -> Option<f64> {
    let outcomes = reading.evidence.trainings(set, method, reading.n_draws);
    let values: Vec<f64> = outcomes.iter().filter_map(|outcome| Some(outcome.seconds?.choice)).collect();
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

fn place(of_paper: &str, set: Set) -> String {
    format!("{of_paper}: {set}")
}
