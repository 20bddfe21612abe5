//! The main sentence: how well the prototypes represent the data, and why there are that many.

use super::Request;
use super::chance::{nearer_words, random_words};
use crate::document::{ConstraintsRecord, QuotaRecord, SelectionDocument};
use crate::numbers::{count, counted, four_digits, plain_percent};

/// How well the prototypes represent the data, compared with random rows, and why there are that many.
///
/// # Examples
///
/// ```
/// use protodash_report::{Request, SelectionDocument, selection_sentence};
///
/// let sentence = selection_sentence(&SelectionDocument::example(), Request::default());
/// assert_eq!(sentence, "2 of 4 rows explain 80.0 % of the data");
/// ```
#[must_use]
pub fn selection_sentence(document: &SelectionDocument, request: Request) -> String {
    let n_prototypes = document.weighted().count();
    if n_prototypes == 0 {
        return why_none(document, request);
    }
    let (object, source) = (object(document), source(document));
    let subject = format!("{} of {source}", count(n_prototypes as u64));
    let fit = match document.explained {
        Some(explained) => {
            let verb = if n_prototypes == 1 { "explains" } else { "explain" };
            let random = random_words(document);
            format!("{subject} {verb} {}{random}", how_much(explained, document, &object))
        }
        None => {
            let verb = if n_prototypes == 1 { "represents" } else { "represent" };
            let objective = four_digits(document.objective_final);
            format!("{subject} {verb} {object} with objective {objective}; {}", why_unknown(document))
        }
    };
    // Fewer than requested comes first: everything else depends on it.
    let parts = [
        why_that_many(document, request),
        constraint_words(document),
        fixed_words(document),
        nearer_words(document),
        Some(fit),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join("; ")
}

/// How quotas and budget are met, and what as many rows explain without them.
fn constraint_words(document: &SelectionDocument) -> Option<String> {
    let ConstraintsRecord { quotas, budget, explained_without, .. } = document.constraints.as_ref()?;
    let limit = |quota: &QuotaRecord| match (quota.at_least, quota.at_most) {
        (0, Some(at_most)) => format!("at most {}", count(at_most as u64)),
        (at_least, Some(at_most)) => format!("{} to {}", count(at_least as u64), count(at_most as u64)),
        (at_least, None) => format!("at least {}", count(at_least as u64)),
    };
    let quota = |quota: &QuotaRecord| {
        let rows = counted(quota.n_prototypes as u64, "row");
        format!("{rows} of {} ({})", quota.name, limit(quota))
    };
    let mut parts: Vec<String> = quotas.iter().map(quota).collect();
    parts.extend(budget.iter().map(|budget| format!("{} {} of {}", budget.cost, budget.spent, budget.budget)));
    let what = match (quotas.is_empty(), budget) {
        (true, None) => "numbers for each class",
        (true, Some(_)) => "the budget",
        (false, None) => "quotas",
        (false, Some(_)) => "quotas and budget",
    };
    let without = explained_without
        .map(|share| format!("without {what}, the same number of rows explains {}", plain_percent(share)));
    parts.extend(without);
    Some(parts.join("; "))
}

/// What the fixed rows explain, and what the others add to it.
fn fixed_words(document: &SelectionDocument) -> Option<String> {
    let (n_fixed, explained) = (document.n_fixed, document.explained?);
    let before = document.explained_by_fixed()?;
    let (verb, add) = match (n_fixed, document.prototypes.len() - n_fixed) {
        (1, 1) => ("explains", "1 more row adds".to_owned()),
        (1, n_new) => ("explains", format!("{} more rows add", count(n_new as u64))),
        (_, 1) => ("explain", "1 more row adds".to_owned()),
        (_, n_new) => ("explain", format!("{} more rows add", count(n_new as u64))),
    };
    let fixed = counted(n_fixed as u64, "fixed row");
    Some(format!("{fixed} alone {verb} {}, {add} {}", plain_percent(before), plain_percent(explained - before)))
}

fn source(document: &SelectionDocument) -> String {
    let noun = if document.data.has_separate_target() { "source row" } else { "row" };
    counted(document.n_source as u64, noun)
}

/// The rows to represent.
fn object(document: &SelectionDocument) -> String {
    match document.data.has_separate_target() {
        true => format!("the {}", counted(document.n_target as u64, "target row")),
        false => "the data".to_owned(),
    }
}

fn how_much(explained: f64, document: &SelectionDocument, object: &str) -> String {
    let percent = plain_percent(explained);
    match document.explained_standard_error {
        Some(error) => {
            let least = document.certified.filter(|certified| *certified > 0.0);
            let least = least.map_or_else(String::new, |least| format!(", at least {}", plain_percent(least)));
            format!("about {percent} (standard error {}{least}) of {object}", plain_percent(error))
        }
        None if explained < 0.0 => format!("{percent} of {object}, worse than no prototypes"),
        None => format!("{percent} of {object}"),
    }
}

/// Why the share explained is unknown.
fn why_unknown(document: &SelectionDocument) -> &'static str {
    match document.energy() {
        None => "fit not computed, because the target's energy was skipped",
        Some(energy) if energy.standard_error.is_some() => {
            "fit unknown: the estimated energy of the target is not above 0"
        }
        Some(energy) if energy.value > 0.0 => {
            "fit unknown: lost in rounding, because similarities are far larger than the target's energy"
        }
        Some(_) => "fit unknown: under this kernel the target's energy is 0",
    }
}

fn why_none(document: &SelectionDocument, request: Request) -> String {
    let source = source(document);
    match document.stopped.as_str() {
        "min_gain" => {
            let least = request.min_gain.map_or_else(|| "the minimum gain".to_owned(), |gain| gain.to_string());
            format!("none of the {source} raises the objective by {least} or more; try a smaller minimum gain")
        }
        _ if document.energy().is_some_and(|energy| energy.value == 0.0 && energy.standard_error.is_none()) => format!(
            "no prototypes: under this kernel the mean of {} is 0, so there is nothing to explain (the linear kernel \
             sees only the mean, which standard scaling makes 0; products of values below 1e-154 underflow to 0); try \
             another kernel or another scale",
            object(document)
        ),
        _ => {
            let them = if document.data.has_separate_target() { "them" } else { "it" };
            format!("none of the {source} is similar to {}, so none can represent {them}", object(document))
        }
    }
}

/// Why there are fewer prototypes than requested, or why the run stopped if no number was requested.
fn why_that_many(document: &SelectionDocument, request: Request) -> Option<String> {
    // The request does not count fixed rows.
    let n_prototypes = document.weighted().filter(|(place, _)| *place >= document.n_fixed).count();
    let n_chosen = document.prototypes.len() - document.n_fixed;
    let found = n_prototypes as u64;
    let subject = match request.n_prototypes {
        Some(wanted) if wanted > n_prototypes => {
            format!("{} instead of {}", counted(found, "prototype"), count(wanted as u64))
        }
        Some(_) if n_chosen == n_prototypes => return None,
        _ => format!("stopped at {}", count(found)),
    };
    match document.stopped.as_str() {
        "optimal" => Some(format!("{subject}: no further row improves the fit")),
        "constraints" => Some(format!("{subject}: no row within the quotas and the budget improves the fit")),
        "exhausted" => Some(format!("{subject}: the method found no more rows")),
        "min_gain" => {
            let least = request.min_gain.map_or_else(|| "the minimum gain".to_owned(), |gain| gain.to_string());
            Some(format!("{subject}: the next row would raise the objective by less than {least}"))
        }
        _ if n_chosen > n_prototypes => {
            let without = count((n_chosen - n_prototypes) as u64);
            Some(format!("{subject}: {without} of {} chosen rows got no weight", count(n_chosen as u64)))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{BaselineRecord, DataRecord};

    /// A document whose last objective explains this share.
    fn document(objective: &[f64], explained: Option<f64>, stopped: &str) -> SelectionDocument {
        let example = SelectionDocument::example();
        let objective_final = objective.last().copied().unwrap_or(0.0);
        SelectionDocument {
            n_target: 313,
            n_source: 1797,
            stopped: stopped.into(),
            prototypes: vec![example.prototypes[0].clone(); objective.len()],
            objective: objective.to_vec(),
            objective_final,
            target_energy: explained.map(|explained| 2.0 * objective_final / explained),
            explained,
            ..example
        }
    }

    fn with_target(document: SelectionDocument) -> SelectionDocument {
        SelectionDocument { data: DataRecord::in_memory("array", true), ..document }
    }

    #[test]
    fn the_sentence_says_why_the_run_ended() {
        let path = [0.2, 0.3, 0.36, 0.4];
        let request = Request { n_prototypes: Some(9), min_gain: Some(0.01), ..Request::default() };
        let sentence = |stopped| selection_sentence(&document(&path, Some(0.8), stopped), request);
        assert_eq!(sentence("n_prototypes"), "4 of 1,797 rows explain 80.0 % of the data");
        assert_eq!(
            sentence("min_gain"),
            "4 prototypes instead of 9: the next row would raise the objective by less than 0.01; 4 of 1,797 rows explain \
             80.0 % of the data"
        );
        assert_eq!(
            sentence("optimal"),
            "4 prototypes instead of 9: no further row improves the fit; 4 of 1,797 rows explain 80.0 % of the data"
        );
        let one_of_two = Request { n_prototypes: Some(2), ..Request::default() };
        let one = selection_sentence(&document(&[0.2], Some(0.4), "optimal"), one_of_two);
        assert!(one.starts_with("1 prototype instead of 2: "), "{one}");
        let many = Request { n_prototypes: Some(50), ..Request::default() };
        let many = selection_sentence(&document(&[0.2; 21], Some(0.4), "optimal"), many);
        assert!(many.starts_with("21 prototypes instead of 50: "), "{many}");
        let open = selection_sentence(&document(&path, Some(0.8), "optimal"), Request::default());
        assert!(open.starts_with("stopped at 4: no further row improves the fit; 4 of"), "{open}");
    }

    #[test]
    fn the_comparison_with_chance_comes_before_the_fit() {
        let mut document = document(&[0.2, 0.3, 0.36, 0.4], Some(0.8), "n_prototypes");
        let (random_explained, nearer_than_random) = (Some(0.788), Some(0.15));
        document.baseline = Some(BaselineRecord { random_explained, nearer_than_random, ..BaselineRecord::empty() });
        assert_eq!(
            selection_sentence(&document, Request::default()),
            "rows are 15 % nearer to a prototype than to the nearest of 4 random rows; 4 of 1,797 rows explain 80.0 % of the \
             data (4 random rows, best weights: 78.8 %)"
        );
        document.prototypes[2].weight = 0.0;
        let request = Request { n_prototypes: Some(4), ..Request::default() };
        let sentence = selection_sentence(&document, request);
        assert!(
            sentence.starts_with("3 prototypes instead of 4: 1 of 4 chosen rows got no weight; rows"),
            "{sentence}"
        );
    }

    #[test]
    fn an_empty_selection_says_why() {
        let sentence = |explained, stopped| {
            let request = Request { min_gain: Some(10.0), ..Request::default() };
            selection_sentence(&document(&[], explained, stopped), request)
        };
        let dissimilar = "none of the 1,797 rows is similar to the data, so none can represent it";
        assert_eq!(sentence(Some(0.0), "optimal"), dissimilar);
        assert_eq!(
            sentence(Some(0.0), "min_gain"),
            "none of the 1,797 rows raises the objective by 10 or more; try a smaller minimum gain"
        );
        let nothing = SelectionDocument { target_energy: Some(0.0), ..document(&[], None, "optimal") };
        let nothing = selection_sentence(&nothing, Request::default());
        assert!(nothing.starts_with("no prototypes: under this kernel the mean of the data is 0"), "{nothing}");
    }

    #[test]
    fn the_sentence_names_the_target() {
        let mut estimated = with_target(document(&[0.2], Some(0.5), "n_prototypes"));
        let sentence = |document: &SelectionDocument| selection_sentence(document, Request::default());
        assert_eq!(sentence(&estimated), "1 of 1,797 source rows explains 50.0 % of the 313 target rows");
        estimated.explained_standard_error = Some(0.0123);
        assert_eq!(
            sentence(&estimated),
            "1 of 1,797 source rows explains about 50.0 % (standard error 1.2 %) of the 313 target rows"
        );
        estimated.certified = Some(0.445);
        assert_eq!(
            sentence(&estimated),
            "1 of 1,797 source rows explains about 50.0 % (standard error 1.2 %, at least 44.5 %) of the 313 target rows"
        );
        assert_eq!(
            sentence(&with_target(document(&[0.2, 0.3], None, "n_prototypes"))),
            "2 of 1,797 source rows represent the 313 target rows with objective 0.3000; fit not computed, because the \
             target's energy was skipped"
        );
        assert_eq!(
            sentence(&document(&[-0.5], Some(-1.25), "n_prototypes")),
            "1 of 1,797 rows explains -125.0 % of the data, worse than no prototypes"
        );
    }
}
