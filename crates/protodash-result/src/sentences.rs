//! What a result came to, in sentences that a person understands.

use protodash::ParameterValue;

use crate::document::{CovariateShift, Document, ShiftedFeature};
use crate::numbers::{count, counted, percent, short};

/// What the sentence has to know beside the result.
///
/// # Examples
///
/// ```
/// assert!(!protodash_result::Asked::default().own_target);
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct Asked {
    /// How many prototypes the caller asked for.
    pub n_prototypes: Option<usize>,
    /// The least gain that the caller asked for.
    pub min_gain: Option<f64>,
    /// Whether other rows than the source's were to be represented.
    pub own_target: bool,
    /// Whether the bandwidth is the median distance.
    pub median_bandwidth: bool,
}

/// How well the prototypes do, and why there are as many as there are.
///
/// # Examples
///
/// ```
/// use protodash_result::*;
///
/// let document: Document = serde_json::from_str(Document::EXAMPLE)?;
/// let sentence = selection_sentence(&document, Asked::default());
/// assert_eq!(sentence, "2 of 4 rows explain 80.0 % of the data; the last one added 26.7 %");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[must_use]
pub fn selection_sentence(document: &Document, asked: Asked) -> String {
    let object = match asked.own_target {
        true => format!("the {}", counted(document.n_target as u64, "target row")),
        false => "the data".to_owned(),
    };
    let n_prototypes = document.prototypes.len();
    if n_prototypes == 0 {
        return why_none(document, asked, &object);
    }
    let subject = format!("{} of {}", count(n_prototypes as u64), source(document, asked));
    let first = match document.explained {
        Some(explained) => {
            let verb = if n_prototypes == 1 { "explains" } else { "explain" };
            let (how_much, remark) = how_much(explained, document.explained_standard_error);
            format!("{subject} {verb} {how_much} of {object}{remark}")
        }
        None => {
            let verb = if n_prototypes == 1 { "stands" } else { "stand" };
            let reached = short(document.objective_final);
            format!("{subject} {verb} for {object} with an objective of {reached}; how much that explains is not known")
        }
    };
    match why_as_many(document, asked) {
        Some(second) => format!("{first}; {second}"),
        None => first,
    }
}

/// What a table of criticisms shows.
///
/// # Examples
///
/// ```
/// use protodash_result::*;
///
/// let document: Document = serde_json::from_str(Document::EXAMPLE)?;
/// assert_eq!(criticisms_sentence(&document), ""); // none were looked for
/// # Ok::<(), serde_json::Error>(())
/// ```
#[must_use]
pub fn criticisms_sentence(document: &Document) -> String {
    let Some(rule) = &document.criticism else { return String::new() };
    let whose = if rule.among == "target" { "target rows" } else { "rows" };
    if document.criticisms.is_empty() {
        return format!("there are no criticisms: all {whose} are copies of prototypes");
    }
    let meaning = match rule.diversity {
        None => "farthest from every prototype".to_owned(),
        Some(0.0) => "with too much or too little weight around them".to_owned(),
        Some(diversity) => {
            format!("with too much or too little weight around them, and unlike each other (diversity {diversity})")
        }
    };
    format!("criticisms, the {whose} represented worst: {meaning}")
}

/// The kernel, the number of features, the method and the rule for weights.
///
/// # Examples
///
/// ```
/// use protodash_result::*;
///
/// let document: Document = serde_json::from_str(Document::EXAMPLE)?;
/// let settings = settings_sentence(&document, Asked::default());
/// assert_eq!(settings, "gaussian kernel, bandwidth 2.000, 1 feature, protodash, nonnegative weights");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[must_use]
pub fn settings_sentence(document: &Document, asked: Asked) -> String {
    let kernel = &document.kernel;
    let origin = match kernel.cross_validation {
        Some(_) => " (cross-validated)",
        None if asked.median_bandwidth => " (median distance)",
        None => "",
    };
    let mut parts = vec![format!("{} kernel", kernel.name())];
    parts.extend(kernel.parameters().into_iter().map(|(name, value)| match value {
        ParameterValue::Number(value) if name == "bandwidth" => format!("{name} {}{origin}", short(value)),
        ParameterValue::Number(value) => format!("{name} {}", short(value)),
        ParameterValue::Whole(value) => format!("{name} {value}"),
    }));
    if kernel.kernel.is_some() {
        parts.push(counted(document.n_features as u64, "feature"));
    }
    parts.push(match document.oversample {
        1.0 => document.method.clone(),
        factor => format!("{} oversampled {factor} times", document.method),
    });
    parts.push(format!("{} weights", document.weights));
    if let Some(per_label) = &document.per_label {
        let shared = if per_label.allocation == "equal" { "equal numbers" } else { "numbers in proportion" };
        parts.push(format!("{shared} for {}", counted_classes(per_label.classes.len())));
    }
    parts.join(", ")
}

fn counted_classes(number: usize) -> String {
    if number == 1 { "1 class".to_owned() } else { format!("{} classes", count(number as u64)) }
}

/// Which bandwidth was chosen and why, if several were tried.
///
/// # Examples
///
/// ```
/// use protodash_result::*;
///
/// let document: Document = serde_json::from_str(Document::EXAMPLE)?;
/// assert_eq!(bandwidth_sentence(&document), None); // one was given
/// # Ok::<(), serde_json::Error>(())
/// ```
#[must_use]
pub fn bandwidth_sentence(document: &Document) -> Option<String> {
    let tried = document.kernel.cross_validation.as_ref()?;
    let best = tried.curve.iter().find(|point| Some(point.bandwidth) == document.kernel.bandwidth())?;
    let measured = |score: Option<f64>| match (score, tried.criterion.as_str()) {
        (None, _) => "nothing chosen".to_owned(),
        (Some(score), "error") => percent(score),
        (Some(score), _) => short(score),
    };
    let what = if tried.criterion == "error" { "1-NN error" } else { "mean distance from the nearest prototype" };
    let mut sentence = format!(
        "of {} bandwidths, {} ({} times the median distance) has the least {what} on held-out rows: {}",
        tried.curve.len(),
        short(best.bandwidth),
        short(best.multiple),
        measured(best.score)
    );
    if let Some(error) = best.standard_error {
        sentence += &format!(" (standard error {})", measured(Some(error)));
    }
    let median = tried.curve.iter().find(|point| point.multiple == 1.0).filter(|median| *median != best);
    if let Some(median) = median {
        sentence += &format!("; the median has {}", measured(median.score));
    }
    Some(sentence)
}

/// What the table means that shows at most so many features, and how many rows the weighted source amounts to.
///
/// # Examples
///
/// ```
/// use protodash_result::*;
///
/// let document: Document = serde_json::from_str(Document::EXAMPLE)?;
/// let shift: CovariateShift = serde_json::from_str(r#"{"effective_sample_size": 2.5, "features": []}"#)?;
/// assert!(shift_sentence(&document, &shift, 20).contains("weighted, the 4 source rows amount to 2.5"));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[must_use]
pub fn shift_sentence(document: &Document, shift: &CovariateShift, most_shown: usize) -> String {
    let features = &shift.features;
    let largest = |difference: &dyn Fn(&ShiftedFeature) -> f64| {
        features.iter().map(|feature| difference(feature).abs()).fold(0.0, f64::max)
    };
    let shown = match features.len() {
        n_features if n_features > most_shown => {
            format!("the {} of {} features that were farthest off", count(most_shown as u64), count(n_features as u64))
        }
        _ => "all features, those farthest off first".to_owned(),
    };
    let is_constant =
        |feature: &ShiftedFeature| feature.target_standard_deviation == 0.0 && feature.source_standard_deviation > 0.0;
    let unit = match features.iter().any(is_constant) {
        true => "the target (of the source for features that are constant in the target)",
        false => "the target",
    };
    format!(
        "means of {shown}, and how far they are off in standard deviations of {unit}; weighted, the {} source rows amount to \
         {:.1}, and the largest difference falls from {:.2} to {:.2}",
        count(document.n_source as u64),
        shift.effective_sample_size,
        largest(&|feature| feature.difference_before),
        largest(&|feature| feature.difference_after),
    )
}

fn source(document: &Document, asked: Asked) -> String {
    counted(document.n_source as u64, if asked.own_target { "source row" } else { "row" })
}

/// The part explained, and a remark about it if it needs one.
fn how_much(explained: f64, standard_error: Option<f64>) -> (String, &'static str) {
    match standard_error {
        Some(error) => (format!("about {} (standard error {})", percent(explained), percent(error)), ""),
        None if explained < 0.0 => (percent(explained), ", less than no prototypes at all"),
        None => (percent(explained), ""),
    }
}

fn why_none(document: &Document, asked: Asked, object: &str) -> String {
    let source = source(document, asked);
    match document.stopped.as_str() {
        "min_gain" => {
            let least = asked.min_gain.map_or_else(|| "what was asked for".to_owned(), |gain| gain.to_string());
            format!("none of the {source} raises the objective by {least} or more; a smaller least gain lets some in")
        }
        // Nothing at all explains a mean of 0.
        _ if document.explained == Some(1.0) => format!(
            "under this kernel the mean of {object} is 0, which needs no rows to stand for it: the linear kernel sees \
             nothing but the mean, and standard scaling makes it 0; take another kernel or another scale"
        ),
        _ => {
            let them = if asked.own_target { "them" } else { "it" };
            format!("none of the {source} is similar to {object}, so that no row can stand for {them}")
        }
    }
}

fn why_as_many(document: &Document, asked: Asked) -> Option<String> {
    let n_prototypes = document.prototypes.len();
    match (document.stopped.as_str(), asked.n_prototypes) {
        ("optimal", Some(wanted)) if wanted > n_prototypes => Some(format!(
            "no other row would add anything, so that there are fewer than the {} asked for",
            count(wanted as u64)
        )),
        ("optimal", _) => Some("no other row would add anything".to_owned()),
        ("min_gain", _) => {
            let least = asked.min_gain.map_or_else(|| "asked for".to_owned(), |gain| gain.to_string());
            Some(format!("one more would raise the objective by less than {least}"))
        }
        _ => what_came_last(document),
    }
}

/// How much the first half explained and how much the last prototype added, for whoever wonders if more are needed.
fn what_came_last(document: &Document) -> Option<String> {
    let n_prototypes = document.prototypes.len();
    let explained = document.explained.filter(|explained| *explained > 0.0 && n_prototypes > 1)?;
    let at = |size: usize| document.objective.get(size - 1).map(|value| explained * value / document.objective_final);
    let (half, before) = (at(n_prototypes / 2)?, at(n_prototypes - 1)?);
    let last = percent(explained - before);
    if n_prototypes < 4 {
        return Some(format!("the last one added {last}"));
    }
    Some(format!("the first {} explain {}, the last one added {last}", count(n_prototypes as u64 / 2), percent(half)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_unit_of_a_shift_is_the_one_that_was_used() {
        let unit = |target_standard_deviation: f64| {
            let feature = ShiftedFeature {
                feature: "age".into(),
                source_mean: 5.0,
                weighted_mean: 3.0,
                target_mean: 3.0,
                source_standard_deviation: 1.0,
                weighted_standard_deviation: 0.5,
                target_standard_deviation,
                difference_before: 2.0,
                difference_after: 0.0,
            };
            let shift = CovariateShift { effective_sample_size: 2.0, features: vec![feature] };
            let sentence = shift_sentence(&document(&[0.5], Some(0.9), "n_prototypes"), &shift, 20);
            sentence.split(';').next().unwrap().to_owned()
        };
        assert!(unit(1.0).ends_with("in standard deviations of the target"));
        assert!(unit(0.0).ends_with("of the target (of the source for features that are constant in the target)"));
    }

    #[test]
    fn a_table_of_all_features_does_not_speak_of_some() {
        let feature = r#"{"feature": "age", "source_mean": 1, "weighted_mean": 1, "target_mean": 1,
            "source_standard_deviation": 1, "weighted_standard_deviation": 1, "target_standard_deviation": 1,
            "difference_before": 0, "difference_after": 0}"#;
        let feature: ShiftedFeature = serde_json::from_str(feature).unwrap();
        let shift = CovariateShift { effective_sample_size: 2.0, features: vec![feature; 73] };
        let says = |most_shown| shift_sentence(&document(&[0.5], None, "n_prototypes"), &shift, most_shown);
        assert!(says(20).starts_with("means of the 20 of 73 features that were farthest off, and how far"));
        assert!(says(usize::MAX).starts_with("means of all features, those farthest off first, and how far"));
    }

    fn document(objective: &[f64], explained: Option<f64>, stopped: &str) -> Document {
        let example: Document = serde_json::from_str(Document::EXAMPLE).unwrap();
        Document {
            n_target: 313,
            n_source: 1797,
            n_features: 64,
            stopped: stopped.into(),
            prototypes: vec![example.prototypes[0].clone(); objective.len()],
            objective: objective.to_vec(),
            objective_final: objective.last().copied().unwrap_or(0.0),
            explained,
            ..example
        }
    }

    #[test]
    fn the_sentence_fits_the_end_of_the_run() {
        let path = [0.2, 0.3, 0.36, 0.4];
        let asked = Asked { n_prototypes: Some(9), min_gain: Some(0.01), ..Asked::default() };
        let says = |stopped| selection_sentence(&document(&path, Some(0.8), stopped), asked);
        assert_eq!(
            says("n_prototypes"),
            "4 of 1,797 rows explain 80.0 % of the data; the first 2 explain 60.0 %, the last one added 8.0 %"
        );
        assert_eq!(
            says("min_gain"),
            "4 of 1,797 rows explain 80.0 % of the data; one more would raise the objective by less than 0.01"
        );
        assert_eq!(
            says("optimal"),
            "4 of 1,797 rows explain 80.0 % of the data; no other row would add anything, so that there are fewer than \
             the 9 asked for"
        );
    }

    #[test]
    fn why_there_is_none() {
        let says = |explained, stopped| {
            let asked = Asked { min_gain: Some(10.0), ..Asked::default() };
            selection_sentence(&document(&[], explained, stopped), asked)
        };
        let similar = "none of the 1,797 rows is similar to the data, so that no row can stand for it";
        assert_eq!(says(Some(0.0), "optimal"), similar);
        assert_eq!(
            says(Some(0.0), "min_gain"),
            "none of the 1,797 rows raises the objective by 10 or more; a smaller least gain lets some in"
        );
        assert!(
            says(Some(1.0), "optimal").starts_with("under this kernel the mean of the data is 0, which needs no rows")
        );
    }

    #[test]
    fn the_sentence_fits_the_target() {
        let asked = Asked { own_target: true, ..Asked::default() };
        let mut estimated = document(&[0.2], Some(0.5), "n_prototypes");
        assert_eq!(
            selection_sentence(&estimated, asked),
            "1 of 1,797 source rows explains 50.0 % of the 313 target rows"
        );
        estimated.explained_standard_error = Some(0.0123);
        assert_eq!(
            selection_sentence(&estimated, asked),
            "1 of 1,797 source rows explains about 50.0 % (standard error 1.2 %) of the 313 target rows"
        );
        assert_eq!(
            selection_sentence(&document(&[0.2, 0.3], None, "n_prototypes"), asked),
            "2 of 1,797 source rows stand for the 313 target rows with an objective of 0.3000; how much that explains is \
             not known"
        );
        assert_eq!(
            selection_sentence(&document(&[-0.5], Some(-1.25), "n_prototypes"), Asked::default()),
            "1 of 1,797 rows explains -125.0 % of the data, less than no prototypes at all"
        );
    }
}
