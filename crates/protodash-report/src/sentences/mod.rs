//! Results in sentences.

mod chance;
mod comparison;
mod coverage;
mod long_run;
mod means;
mod relation;
mod selection;

use protodash::{ParameterValue, Stopped};
use protodash_table::{Setting, hint};

use crate::document::{SelectionDocument, ShiftRecord, ShiftedFeature};
use crate::numbers::{count, counted, four_digits, plain_percent};

pub(crate) use chance::{NearerFraction, kernel_warning, random_weights_words};
pub use chance::{best_sentence, classes_sentence, kernel_note, sizes_sentence};
pub use comparison::{comparison_columns, comparison_sentence};
pub use coverage::{coverage_columns, coverage_sentence};
pub use long_run::long_run_note;
pub use means::means_sentence;
pub use relation::{relation_columns, relation_sentence, relation_settings_sentence};
pub use selection::selection_sentence;

/// Names as a list in a sentence, with "and" or "or" before the last.
fn listed(names: &[&str], conjunction: &str) -> String {
    match names {
        [others @ .., last] if !others.is_empty() => format!("{} {conjunction} {last}", others.join(", ")),
        _ => names.concat(),
    }
}

/// What the rows to represent are called.
fn target_rows(document: &SelectionDocument) -> &'static str {
    if document.data.has_separate_target() { "target rows" } else { "rows" }
}

/// The sentences of a result, most important first: the finding compared with random rows, classes without a prototype,
/// how many prototypes are enough, what no selection can exceed, and a note on the kernel.
///
/// # Examples
///
/// ```
/// use protodash_report::{Request, SelectionDocument, findings};
///
/// let lines = findings(&SelectionDocument::example(), Request::default());
/// assert_eq!(lines[0], "2 of 4 rows explain 80.0 % of the data");
/// ```
#[must_use]
pub fn findings(document: &SelectionDocument, request: Request) -> Vec<String> {
    let first = selection_sentence(document, request);
    let others = [classes_sentence(document), sizes_sentence(document), best_sentence(document), kernel_note(document)];
    [first].into_iter().chain(others.into_iter().flatten()).collect()
}

/// The request, which is not part of the result.
///
/// # Examples
///
/// ```
/// assert_eq!(protodash_report::Request::default().n_prototypes, None);
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Request {
    /// The requested number of prototypes.
    pub n_prototypes: Option<usize>,
    /// The requested minimum gain.
    pub min_gain: Option<f64>,
    /// The bandwidth as a multiple of the median distance, if a rule set it.
    pub median_multiple: Option<f64>,
}

/// What a table of criticisms shows; empty if none were searched for.
///
/// # Examples
///
/// ```
/// use protodash_report::{SelectionDocument, criticisms_sentence};
///
/// assert_eq!(criticisms_sentence(&SelectionDocument::example()), "");
/// ```
#[must_use]
pub fn criticisms_sentence(document: &SelectionDocument) -> String {
    let Some(rule) = &document.criticism else { return String::new() };
    let noun = if rule.among == "target" { "target row" } else { "row" };
    if document.criticisms.is_empty() {
        return format!("no criticisms: every {noun} is a copy of a prototype");
    }
    let meaning = match rule.diversity {
        None => "farthest from their nearest prototype".to_owned(),
        Some(0.0) => "in over- or under-represented regions".to_owned(),
        Some(diversity) => {
            format!("in over- or under-represented regions, and different from each other (diversity {diversity})")
        }
    };
    format!("criticisms, the {noun}s represented worst: {meaning}")
}

/// The kernel, the number of features, the method and the rule for weights.
///
/// # Examples
///
/// ```
/// use protodash_report::{Request, SelectionDocument, settings_sentence};
///
/// let settings = settings_sentence(&SelectionDocument::example(), Request::default());
/// assert_eq!(settings, "gaussian kernel, bandwidth 2.000, 1 feature, protodash, nonnegative weights");
/// ```
#[must_use]
pub fn settings_sentence(document: &SelectionDocument, request: Request) -> String {
    let kernel = &document.kernel;
    let origin = match (&kernel.cross_validation, request.median_multiple) {
        (Some(tried), _) if tried.is_flat() => String::new(),
        (Some(_), _) => " (cross-validated)".to_owned(),
        (None, Some(multiple)) => format!(" ({})", multiple_words(multiple)),
        (None, None) => String::new(),
    };
    let mut parts = vec![format!("{} kernel", kernel.name())];
    parts.extend(kernel.parameters().into_iter().map(|(name, value)| match value {
        ParameterValue::Number(value) if name == "bandwidth" => format!("{name} {}{origin}", four_digits(value)),
        ParameterValue::Number(value) => format!("{name} {}", four_digits(value)),
        ParameterValue::Whole(value) => format!("{name} {value}"),
    }));
    if kernel.kernel.is_some() {
        parts.push(counted(document.n_features as u64, "feature"));
    }
    parts.push(method_words(document));
    parts.push(format!("{} weights{}", document.weights, limits_words(document)));
    if let Some(per_label) = &document.per_label {
        let classes = match per_label.classes.len() {
            1 => "1 class".to_owned(),
            many => format!("{} classes", count(many as u64)),
        };
        parts.push(format!("{classes} with {} numbers of prototypes", per_label.allocation));
    }
    parts.join(", ")
}

/// A multiple of the median distance.
fn multiple_words(multiple: f64) -> String {
    match multiple {
        0.25 => "a quarter of the median distance".to_owned(),
        0.5 => "half the median distance".to_owned(),
        1.0 => "the median distance".to_owned(),
        other => format!("{} times the median distance", four_digits(other)),
    }
}

/// The method, with its oversampling factor if there is one.
pub(crate) fn method_words(document: &SelectionDocument) -> String {
    match document.oversample {
        1.0 => document.method.clone(),
        factor => format!("{} oversampled {factor} times", document.method),
    }
}

/// The limits on the weights, to follow the rule for weights; empty if there are none.
pub(crate) fn limits_words(document: &SelectionDocument) -> String {
    let cap = document.max_weight.map(|cap| format!("each at most {} % of the total", four_digits(100.0 * cap)));
    let floor = document.min_effective.map(|floor| format!("effective sample size at least {}", four_digits(floor)));
    let limits: Vec<String> = cap.into_iter().chain(floor).collect();
    if limits.is_empty() { String::new() } else { format!(" ({})", limits.join(", ")) }
}

/// Which bandwidth cross-validation chose and why.
///
/// # Examples
///
/// ```
/// use protodash_report::{SelectionDocument, bandwidth_sentence};
///
/// assert_eq!(bandwidth_sentence(&SelectionDocument::example()), None); // the bandwidth was given
/// ```
#[must_use]
pub fn bandwidth_sentence(document: &SelectionDocument) -> Option<String> {
    let tried = document.kernel.cross_validation.as_ref()?;
    let text = |score: Option<f64>| match (score, tried.criterion.as_str()) {
        (None, _) => "no prototypes".to_owned(),
        (Some(score), "error") => plain_percent(score),
        (Some(score), _) => four_digits(score),
    };
    if tried.is_flat() {
        return Some(format!(
            "all {} bandwidths have the same {} on held-out rows ({}); using the `auto` bandwidth, {}",
            tried.curve.len(),
            tried.score_name(),
            text(tried.curve[0].score),
            four_digits(document.kernel.bandwidth()?)
        ));
    }
    let best = tried.curve.iter().find(|point| Some(point.bandwidth) == document.kernel.bandwidth())?;
    let mut sentence = format!(
        "of {} bandwidths, {} ({} times the median distance) has the lowest {} on held-out rows: {}",
        tried.curve.len(),
        four_digits(best.bandwidth),
        four_digits(best.multiple),
        tried.score_name(),
        text(best.score)
    );
    if let Some(error) = best.standard_error {
        sentence += &format!(" (standard error {})", text(Some(error)));
    }
    let median = tried.curve.iter().find(|point| point.multiple == 1.0).filter(|median| *median != best);
    if let Some(median) = median {
        sentence += &format!("; the median distance scores {}", text(median.score));
    }
    Some(sentence)
}

/// What a table of at most `most_shown` shifted features means.
///
/// # Examples
///
/// ```
/// use protodash_report::{SelectionDocument, ShiftRecord, shift_sentence};
///
/// let shift = ShiftRecord { effective_sample_size: 2.5, features: Vec::new() };
/// let sentence = shift_sentence(&SelectionDocument::example(), &shift, 20);
/// assert!(sentence.contains("effective sample size 2.5 of 4 source rows"));
/// ```
#[must_use]
pub fn shift_sentence(document: &SelectionDocument, shift: &ShiftRecord, most_shown: usize) -> String {
    let features = &shift.features;
    let largest = |difference: &dyn Fn(&ShiftedFeature) -> f64| {
        features.iter().map(|feature| difference(feature).abs()).fold(0.0, f64::max)
    };
    let shown = match features.len() {
        n_features if n_features > most_shown => {
            format!("the {} of {} features with the largest gaps", count(most_shown as u64), count(n_features as u64))
        }
        _ => "all features, largest gap first".to_owned(),
    };
    let is_constant =
        |feature: &ShiftedFeature| feature.target_standard_deviation == 0.0 && feature.source_standard_deviation > 0.0;
    let unit = match features.iter().any(is_constant) {
        true => "the target (of the source for features that are constant in the target)",
        false => "the target",
    };
    format!(
        "means of {shown}; gaps are in standard deviations of {unit}; effective sample size {:.1} of {}; largest gap {:.2} \
         before weighting, {:.2} after",
        shift.effective_sample_size,
        counted(document.n_source as u64, "source row"),
        largest(&|feature| feature.difference_before),
        largest(&|feature| feature.difference_after),
    )
}

/// The effective sample size below which weights are noted, as a fraction of the rows with a weight.
const LOW_EFFECTIVE: f64 = 0.5;
/// The same as a fraction of the source rows, where no number of rows was requested.
const LOW_SHARE: f64 = 0.1;

/// A warning if a few rows carry most of the weight, so that a model trained with the weights sees little data.
///
/// `write` returns a setting as the user writes it, or `None` if there is no such setting. A few are less than half of the
/// rows with a weight, or less than a tenth of the source rows unless the run ended at a requested number of rows.
///
/// # Examples
///
/// ```
/// use protodash_report::{SelectionDocument, ShiftRecord, shift_warning};
/// use protodash_table::Setting;
///
/// let document = SelectionDocument::example(); // two prototypes
/// let shift = |effective_sample_size| ShiftRecord { effective_sample_size, features: Vec::new() };
/// assert_eq!(shift_warning(&document, &shift(1.0), &|_| None), None);
/// let flag = |setting: &Setting| matches!(setting, Setting::MinEffective).then(|| "--min-effective".to_owned());
/// assert!(shift_warning(&document, &shift(0.9), &flag).unwrap().ends_with("; use --min-effective"));
/// ```
#[must_use]
pub fn shift_warning(
    document: &SelectionDocument,
    shift: &ShiftRecord,
    write: &dyn Fn(&Setting) -> Option<String>,
) -> Option<String> {
    few_rows_warning(document, shift.effective_sample_size, write)
}

/// Settings that limit weights by the names they have in the JSON, for readers that may use any front end.
pub(crate) fn limit_name(setting: &Setting) -> Option<String> {
    match setting {
        Setting::MaxWeight => Some("max_weight".to_owned()),
        Setting::MinEffective => Some("min_effective".to_owned()),
        _ => None,
    }
}

/// The warning of [`shift_warning`] for weights with this effective sample size.
pub(crate) fn few_rows_warning(
    document: &SelectionDocument,
    effective: f64,
    write: &dyn Fn(&Setting) -> Option<String>,
) -> Option<String> {
    let advice = hint!(["use ", Setting::MaxWeight], ["use ", Setting::MinEffective]).render(write);
    let advice = advice.map_or_else(String::new, |advice| format!("; {advice}"));
    let n_weighted = document.weighted().count();
    if effective < LOW_EFFECTIVE * n_weighted as f64 {
        return Some(format!(
            "{} have a weight, but an effective sample size of {effective:.1}: a few of them dominate, and a model trained \
             with these weights can be worse than one without{advice}",
            counted(n_weighted as u64, "row"),
        ));
    }
    let share = effective / document.n_source.max(1) as f64;
    (document.stopped != Stopped::NPrototypes.name() && share < LOW_SHARE).then(|| {
        format!(
            "the weights have an effective sample size of {effective:.1}, {} of the {}: a model trained with them sees \
             little of the data and can be worse than one without{advice}",
            plain_percent(share),
            counted(document.n_source as u64, "source row")
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn feature(target_standard_deviation: f64) -> ShiftedFeature {
        ShiftedFeature {
            feature: "age".into(),
            source_mean: 5.0,
            weighted_mean: 3.0,
            target_mean: 3.0,
            source_standard_deviation: 1.0,
            weighted_standard_deviation: 0.5,
            target_standard_deviation,
            difference_before: 2.0,
            difference_after: 0.0,
        }
    }

    fn sentence(features: Vec<ShiftedFeature>, most_shown: usize) -> String {
        let shift = ShiftRecord { effective_sample_size: 2.0, features };
        shift_sentence(&SelectionDocument::example(), &shift, most_shown)
    }

    #[test]
    fn the_sentence_names_the_unit_of_the_gaps() {
        assert!(sentence(vec![feature(1.0)], 20).contains("in standard deviations of the target;"));
        let constant = sentence(vec![feature(0.0)], 20);
        assert!(constant.contains("of the target (of the source for features that are constant in the target);"));
    }

    #[test]
    fn the_sentence_says_whether_all_features_are_shown() {
        let features = || vec![feature(1.0); 73];
        assert!(sentence(features(), 20).starts_with("means of the 20 of 73 features with the largest gaps; "));
        assert!(sentence(features(), usize::MAX).starts_with("means of all features, largest gap first; "));
    }
}
