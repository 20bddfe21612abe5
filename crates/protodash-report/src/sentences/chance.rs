//! Sentences that compare a selection with random rows, and notes on the kernel.

use std::fmt;

use super::{listed, target_rows};
use crate::document::SelectionDocument;
use crate::numbers::{count, counted, plain_percent, short};

/// Shares explained for which the number of prototypes is reported.
const REACHED: [f64; 3] = [0.9, 0.95, 0.99];

/// Share explained by random rows above which a kernel is wide.
const WIDE: f64 = 0.9;

/// Rows per prototype above which prototypes are few.
const FEW: usize = 10;

/// Energy below which similarities have lost digits to underflow.
const UNDERFLOW: f64 = f64::MIN_POSITIVE / f64::EPSILON;

/// Sum of the weights below which the target's mean is nothing but rounding: weights are relative to rows of the source.
const CANCELLED: f64 = 1e-7;

/// Maximum number of classes that a sentence names.
const NAMED: usize = 12;

/// The fraction by which rows are nearer to a prototype than to a random row; negative if they are farther from it. As text, a
/// percentage with the word.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct NearerFraction(pub(crate) f64);

impl NearerFraction {
    /// The word between "nearer" or "farther" and what the rows are compared with.
    pub(crate) fn preposition(self) -> &'static str {
        if self.0 < 0.0 { "from" } else { "to" }
    }
}

impl fmt::Display for NearerFraction {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = if self.0 < 0.0 { "farther" } else { "nearer" };
        write!(formatter, "{} {word}", plain_percent(self.0.abs()))
    }
}

/// By how much rows are nearer to a prototype than to a random row.
pub(super) fn nearer_words(document: &SelectionDocument) -> Option<String> {
    let nearer = document.baseline.as_ref()?.nearer_than_random?;
    let rows = target_rows(document);
    let (ours, random) = match document.weighted().count() + document.n_fixed {
        1 => ("the prototype", "a random row".to_owned()),
        _ => ("a prototype", format!("the nearest of {}", random_rows(document))),
    };
    let share = format!("{:.0} %", 100.0 * nearer.abs());
    Some(match nearer {
        small if small.abs() < 0.005 => format!("{rows} are no nearer to {ours} than to {random}"),
        nearer if nearer > 0.0 => format!("{rows} are {share} nearer to {ours} than to {random}"),
        _ => format!("{rows} are {share} farther from {ours} than from {random}"),
    })
}

/// What random rows explain, in brackets.
pub(super) fn random_words(document: &SelectionDocument) -> String {
    let explained = document.baseline.as_ref().and_then(|baseline| baseline.random_explained);
    let (rows, weights) = (random_rows(document), random_weights_words(document));
    explained.map_or_else(String::new, |explained| format!(" ({rows}, {weights}: {})", plain_percent(explained)))
}

/// The weights of random rows: those of the selection.
pub(crate) fn random_weights_words(document: &SelectionDocument) -> String {
    let weights = match document.baseline.as_ref().and_then(|baseline| baseline.weights.as_deref()) {
        Some("convex") => "best weights that sum to 1",
        Some("equal") => "equal weights",
        Some("shares") => "weighted by nearest rows",
        _ => "best weights",
    };
    let is_limited = document.max_weight.is_some() || document.min_effective.is_some();
    if is_limited { format!("{weights} within the limits") } else { weights.to_owned() }
}

/// As many random rows as there are new prototypes with weight, in addition to the fixed ones.
fn random_rows(document: &SelectionDocument) -> String {
    let new = document.prototypes.iter().skip(document.n_fixed).filter(|prototype| prototype.weight > 0.0);
    let random = counted(new.count() as u64, "random row");
    if document.n_fixed > 0 { format!("the fixed and {random}") } else { random }
}

/// How many prototypes explain 90, 95 and 99 %; `None` for fewer than two, or if it is unknown. Rows without weight do not
/// count.
///
/// # Examples
///
/// ```
/// use protodash_report::{SelectionDocument, sizes_sentence};
///
/// let mut document = SelectionDocument::example();
/// assert_eq!(sizes_sentence(&document), Some("90 % not reached; the last prototype added 26.7 %".to_owned()));
/// document.objective = vec![0.345, 0.36];
/// assert_eq!(sizes_sentence(&document).as_deref(), Some("1 prototype explains 90 %, 2 explain 95 %; 99 % not reached"));
/// document.objective = vec![0.1, 0.375];
/// assert_eq!(sizes_sentence(&document).as_deref(), Some("2 prototypes explain 99 %"));
/// ```
#[must_use]
pub fn sizes_sentence(document: &SelectionDocument) -> Option<String> {
    let path = document.explained_path();
    let [.., before, last] = path[..] else { return None };
    // Each size with the largest share that it reaches.
    let mut reached: Vec<(usize, f64)> = Vec::new();
    for share in REACHED {
        // As it is shown elsewhere, to a tenth of a percent.
        let reaches = |explained: &f64| (1000.0 * explained).round() >= (1000.0 * share).round();
        let Some(place) = path.iter().position(reaches) else { break };
        reached.retain(|(size, _)| *size != place + 1);
        reached.push((place + 1, share));
    }
    let percent = |share: f64| format!("{:.0} %", 100.0 * share);
    let n_weighted = |size: usize| {
        let weights = document.weights_at(size);
        weights.map_or(size, |weights| weights.iter().filter(|weight| **weight > 0.0).count())
    };
    let words = |(at, (size, share)): (usize, &(usize, f64))| {
        let size = n_weighted(*size);
        let verb = if size == 1 { "explains" } else { "explain" };
        let noun = match (at, size) {
            (0, 1) => " prototype",
            (0, _) => " prototypes",
            _ => "",
        };
        format!("{}{noun} {verb} {}", count(size as u64), percent(*share))
    };
    let sizes: Vec<String> = reached.iter().enumerate().map(words).collect();
    let last_reached = reached.last().map_or(0.0, |(_, share)| *share);
    let missed =
        REACHED.into_iter().find(|share| *share > last_reached).map(|share| format!("{} not reached", percent(share)));
    Some(match (sizes.is_empty(), missed) {
        (true, missed) => {
            let missed = missed.unwrap_or_default();
            // A set that is worse than none makes the next one look better than it is.
            match before >= 0.0 {
                true => format!("{missed}; the last prototype added {}", plain_percent(last - before)),
                false => missed,
            }
        }
        (false, Some(missed)) => format!("{}; {missed}", sizes.join(", ")),
        (false, None) => sizes.join(", "),
    })
}

/// The classes without a prototype and their share of the rows; `None` if all have one or classes are unknown.
///
/// # Examples
///
/// ```
/// use protodash_report::{SelectionDocument, classes_sentence};
///
/// let mut document = SelectionDocument::example();
/// assert_eq!(classes_sentence(&document), None);
/// document.set_classes(["1", "3", "3", "4"], None);
/// let sentence = classes_sentence(&document);
/// assert_eq!(sentence.as_deref(), Some("no prototype is in class 1, 3 or 4 (100.0 % of rows)"));
/// ```
#[must_use]
pub fn classes_sentence(document: &SelectionDocument) -> Option<String> {
    let classes = document.classes_without_prototype.as_deref().filter(|classes| !classes.is_empty())?;
    let share = document.share_without_prototype?;
    let quoted = |name: &String| if name.trim().is_empty() { format!("{name:?}") } else { name.clone() };
    let names: Vec<String> = classes.iter().map(quoted).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let named = match names.len() {
        few if few <= NAMED => format!("no prototype is in class {}", listed(&names, "or")),
        many => format!("{} classes have no prototype: {}, …", count(many as u64), names[..NAMED].join(", ")),
    };
    let whole = if document.data.target_weight.is_some() { "the weight" } else { target_rows(document) };
    Some(format!("{named} ({} of {whole})", plain_percent(share)))
}

/// What no selection from these source rows can exceed; `None` if the source represents itself, if all its rows were chosen, or if
/// nothing is known.
///
/// # Examples
///
/// ```
/// use protodash_report::{SelectionDocument, best_sentence};
///
/// assert_eq!(best_sentence(&SelectionDocument::example()), None);
/// ```
#[must_use]
pub fn best_sentence(document: &SelectionDocument) -> Option<String> {
    let baseline = document.baseline.as_ref().filter(|_| document.weighted().count() < document.n_source)?;
    let rows = target_rows(document);
    // Estimated and rounded figures may exceed what they are compared with.
    let explained = baseline.explained_limit().map(|best| best.max(document.explained.unwrap_or(best)));
    let explained = explained.map(|share| format!("explain more than {}", plain_percent(share)));
    let nearer = baseline.nearer_limit().map(|nearer| match nearer {
        small if small < 0.005 => format!("be nearer to the {rows}"),
        nearer => format!("be more than {:.0} % nearer to the {rows}", 100.0 * nearer),
    });
    let limits: Vec<String> = [explained, nearer].into_iter().flatten().collect();
    let source = counted(document.n_source as u64, "source row");
    (!limits.is_empty()).then(|| format!("no selection from the {source} can {}", limits.join(" or ")))
}

/// A note if the kernel is too wide to tell prototypes from random rows, or too narrow to compare rows.
///
/// # Examples
///
/// ```
/// assert_eq!(protodash_report::kernel_note(&protodash_report::SelectionDocument::example()), None);
/// ```
#[must_use]
pub fn kernel_note(document: &SelectionDocument) -> Option<String> {
    kernel_warning(document).map(|warning| format!("note: {warning}"))
}

/// The text of the note.
pub(crate) fn kernel_warning(document: &SelectionDocument) -> Option<String> {
    let random = document.baseline.as_ref().and_then(|baseline| baseline.random_explained);
    if document.energy().is_some_and(|energy| energy.value > 0.0 && energy.value < UNDERFLOW) {
        return Some(
            "the values are so small that their products lose digits, so no figure is accurate; use another scale or unit"
                .to_owned(),
        );
    }
    if let Some(total) = cancelled_weight(document) {
        return Some(format!(
            "the weights sum to {}: under this kernel the rows cancel each other, as columns with mean 0 do, and what is \
             explained is mostly rounding; use a kernel with a bandwidth",
            short(total)
        ));
    }
    if is_narrow(document) {
        return Some(
            "the kernel is narrow: most rows are similar only to themselves, so prototypes represent few other rows; try a \
             larger bandwidth"
                .to_owned(),
        );
    }
    let n_prototypes = document.weighted().count();
    // A large fraction of the rows explains the rest under any kernel.
    let random = random.filter(|random| *random > WIDE && n_prototypes * FEW <= document.n_source)?;
    let verb = if n_prototypes == 1 { "explains" } else { "explain" };
    let has_bandwidth = document.kernel.bandwidth().is_some();
    let step = if has_bandwidth { "try a smaller bandwidth" } else { "try a kernel with a bandwidth" };
    Some(format!(
        "the kernel is wide: {} {verb} {} too, so the share explained barely distinguishes good prototypes from random \
         rows; {step}",
        random_rows(document),
        plain_percent(random)
    ))
}

/// The sum of the weights, if it is so small that the target's mean is a rounding error of its rows.
fn cancelled_weight(document: &SelectionDocument) -> Option<f64> {
    let can_cancel = document.kernel.kernel.is_some_and(|kernel| !kernel.definition().unit_diagonal);
    let total: f64 = document.prototypes.iter().map(|prototype| prototype.weight).sum();
    (can_cancel && total > 0.0 && total < CANCELLED).then_some(total)
}

/// Whether rows are, on average, more similar to themselves than to all other rows together.
///
/// ‖μ‖² is the mean of all similarities. Those of rows to themselves, which are 1, add 1/n to it.
fn is_narrow(document: &SelectionDocument) -> bool {
    const FEWEST: usize = 20;
    let unit_diagonal = document.kernel.kernel.is_some_and(|kernel| kernel.definition().unit_diagonal);
    let energy = document.energy().filter(|energy| energy.standard_error.is_none());
    unit_diagonal
        && document.n_target >= FEWEST
        && energy.is_some_and(|energy| energy.value * (document.n_target as f64) < 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::BaselineRecord;

    fn compared(nearer: Option<f64>, random: Option<f64>) -> SelectionDocument {
        let baseline =
            BaselineRecord { random_explained: random, nearer_than_random: nearer, ..BaselineRecord::empty() };
        SelectionDocument { baseline: Some(baseline), n_source: 100, ..SelectionDocument::example() }
    }

    #[test]
    fn nearer_and_farther_have_their_words() {
        let words = |nearer| nearer_words(&compared(Some(nearer), None)).unwrap();
        assert_eq!(words(0.154), "rows are 15 % nearer to a prototype than to the nearest of 2 random rows");
        assert_eq!(words(-0.02), "rows are 2 % farther from a prototype than from the nearest of 2 random rows");
        assert_eq!(words(0.001), "rows are no nearer to a prototype than to the nearest of 2 random rows");
        assert_eq!(nearer_words(&compared(None, None)), None);
        let mut alone = compared(Some(0.2), None);
        alone.prototypes.pop();
        assert_eq!(nearer_words(&alone).unwrap(), "rows are 20 % nearer to the prototype than to a random row");
    }

    #[test]
    fn the_best_possible_is_told_as_far_as_it_is_known() {
        let mut document = compared(None, None);
        let mut told = |explained, distances: Option<(f64, f64)>| {
            let baseline = document.baseline.as_mut().unwrap();
            baseline.best_explained = explained;
            (baseline.distance, baseline.best_distance) = distances.unzip();
            best_sentence(&document)
        };
        assert_eq!(
            told(Some(0.91), Some((2.0, 1.5))).unwrap(),
            "no selection from the 100 source rows can explain more than 91.0 % or be more than 25 % nearer to the rows"
        );
        assert_eq!(
            told(None, Some((2.0, 1.5))).unwrap(),
            "no selection from the 100 source rows can be more than 25 % nearer to the rows"
        );
        assert_eq!(
            told(Some(0.91), None).unwrap(),
            "no selection from the 100 source rows can explain more than 91.0 %"
        );
        assert!(told(None, Some((2.0, 2.0))).unwrap().ends_with(" can be nearer to the rows"));
        // The target is part of the source.
        assert_eq!(told(Some(1.0), Some((2.0, 0.0))), None);
        // What was found cannot be better than the best.
        assert!(told(Some(0.8 - 1e-13), Some((0.0, 0.0))).unwrap().ends_with("80.0 %"));
        assert_eq!(told(None, None), None);
    }

    #[test]
    fn random_rows_have_the_weights_of_the_selection() {
        let words = |weights: Option<&str>| {
            let mut document = compared(None, Some(0.5));
            document.baseline.as_mut().unwrap().weights = weights.map(str::to_owned);
            random_words(&document)
        };
        assert_eq!(words(None), " (2 random rows, best weights: 50.0 %)");
        assert_eq!(words(Some("convex")), " (2 random rows, best weights that sum to 1: 50.0 %)");
        assert_eq!(words(Some("equal")), " (2 random rows, equal weights: 50.0 %)");
        let mut limited = compared(None, Some(0.5));
        limited.max_weight = Some(0.6);
        assert_eq!(random_words(&limited), " (2 random rows, best weights within the limits: 50.0 %)");
    }

    #[test]
    fn a_share_that_is_shown_as_reached_is_reached() {
        // 0.45 is the energy: 98.96 % is shown as 99.0 %.
        let document = SelectionDocument { objective: vec![0.1, 0.5 * 0.75 * 0.9896], ..SelectionDocument::example() };
        assert_eq!(sizes_sentence(&document).as_deref(), Some("2 prototypes explain 99 %"));
    }

    #[test]
    fn a_class_without_a_name_is_quoted() {
        let mut document = SelectionDocument::example();
        document.set_classes(["", "b"], None);
        assert_eq!(classes_sentence(&document).unwrap(), "no prototype is in class \"\" or b (100.0 % of rows)");
        document.set_classes(["bed and breakfast", "hotel", "hotel", "inn"], None);
        assert_eq!(
            classes_sentence(&document).unwrap(),
            "no prototype is in class bed and breakfast, hotel or inn (100.0 % of rows)"
        );
    }

    #[test]
    fn rows_without_weight_do_not_count_as_prototypes() {
        let mut document = SelectionDocument { objective: vec![0.1, 0.375], ..SelectionDocument::example() };
        document.weights_path[1] = vec![0.0, 1.0];
        assert_eq!(sizes_sentence(&document).as_deref(), Some("1 prototype explains 99 %"));
    }

    #[test]
    fn a_wide_and_a_narrow_kernel_are_noted() {
        let wide = kernel_note(&compared(None, Some(0.957))).unwrap();
        assert!(wide.contains("the kernel is wide: 2 random rows explain 95.7 % too"), "{wide}");
        assert_eq!(kernel_note(&compared(None, Some(0.788))), None);
        assert_eq!(kernel_note(&SelectionDocument { n_source: 4, ..compared(None, Some(0.957)) }), None);
        let mut narrow = compared(None, Some(0.2));
        (narrow.n_target, narrow.target_energy) = (1000, Some(0.0012));
        assert!(kernel_note(&narrow).unwrap().contains("the kernel is narrow"));
        let mut cancelled = compared(None, Some(0.2));
        cancelled.kernel = serde_json::from_str(r#"{"name": "linear"}"#).unwrap();
        assert_eq!(kernel_note(&cancelled), None);
        cancelled.prototypes.iter_mut().for_each(|prototype| prototype.weight *= 1e-9);
        assert!(kernel_note(&cancelled).unwrap().contains("the rows cancel each other"));
        let tiny = SelectionDocument { target_energy: Some(1e-320), ..SelectionDocument::example() };
        assert!(kernel_note(&tiny).unwrap().contains("lose digits"));
    }
}
