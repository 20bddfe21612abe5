//! The sentence that says how much of the kernel means was computed.

use crate::document::SelectionDocument;
use crate::numbers::{counted, plain_percent};

/// How much of the kernel means a race computed, and how sure its rows are; `None` if all means were computed.
///
/// # Examples
///
/// ```
/// use protodash_report::{MeansRecord, SelectionDocument, means_sentence};
///
/// let mut document = SelectionDocument::example();
/// assert_eq!(means_sentence(&document), None);
/// (document.n_target, document.n_source) = (20_000, 50_000);
/// let (kind, n_exact) = ("racing".to_owned(), 812);
/// document.means =
///     Some(MeansRecord { kind, confidence: 1.0 - 1e-6, tolerance: 0.0, pairs: 30_000_000, n_exact });
/// let sentence = "racing computed 3.0 % of all pairs and 812 exact means; the rows are the same as from all \
///                 pairs, with probability 0.999999";
/// assert_eq!(means_sentence(&document).as_deref(), Some(sentence));
/// ```
#[must_use]
pub fn means_sentence(document: &SelectionDocument) -> Option<String> {
    let means = document.means.as_ref().filter(|means| means.is_raced())?;
    if means.n_exact == document.n_source {
        return Some("racing was not worthwhile; all means were computed".to_owned());
    }
    let all = document.n_target as f64 * document.n_source as f64;
    let share = plain_percent(means.pairs as f64 / all);
    let exact = counted(means.n_exact as u64, "exact mean");
    let rows = if means.tolerance > 0.0 {
        format!("each row is within {} of the best", plain_percent(means.tolerance))
    } else {
        "the rows are the same as from all pairs,".to_owned()
    };
    Some(format!("racing computed {share} of all pairs and {exact}; {rows} with probability {}", means.confidence))
}
