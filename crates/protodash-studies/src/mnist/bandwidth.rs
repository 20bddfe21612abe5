//! The bandwidth, by cross-validation on a representative target set.

use protodash::{BandwidthScore, CrossValidation, Gaussian, Labels, Params, cross_validate};
use serde::{Deserialize, Serialize};

use super::data::Mnist;
use super::protocol::{MnistProtocol, REPRESENTATIVE, TargetSet};
use crate::error::Result;
use crate::observe::{StopSignal, StudyObserver};

/// The authors' σ, on pixels from 0 to 1.
pub(super) const AUTHORS: f64 = 5.0;

/// The chosen bandwidth with all candidates.
///
/// # Examples
///
/// ```
/// use protodash_studies::mnist::{BandwidthChoice, Width};
///
/// let width = Width { bandwidth: 5.0, error: 0.1, standard_error: 0.01 };
/// assert_eq!(BandwidthChoice { bandwidth: 5.0, widths: vec![width], authors: width }.widths.len(), 1);
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BandwidthChoice {
    /// σ in exp(−d²/2σ²), on pixels from 0 to 1.
    pub bandwidth: f64,
    /// All bandwidths tried.
    pub widths: Vec<Width>,
    /// The authors' bandwidth, evaluated in the same way.
    pub authors: Width,
}

/// One bandwidth with its error.
///
/// # Examples
///
/// ```
/// let width = protodash_studies::mnist::Width { bandwidth: 5.0, error: 0.1, standard_error: 0.01 };
/// assert_eq!(width.error, 0.1);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Width {
    /// σ.
    pub bandwidth: f64,
    /// 1-NN error on held-out images.
    pub error: f64,
    /// Its standard error over the folds.
    pub standard_error: f64,
}

/// The bandwidth with the lowest 1-NN error on held-out images of a representative set.
pub(super) fn choose(mnist: &Mnist, protocol: &MnistProtocol, observer: &dyn StudyObserver) -> Result<BandwidthChoice> {
    let set = TargetSet { trial: 0, skew: REPRESENTATIVE, digit: None };
    let target = mnist.training.rows(&protocol.target_rows(&mnist.by_digit, set));
    let source = mnist.test.rows(&protocol.source_rows(mnist.test.digits.len(), 0));
    let labels = Some(Labels { target: &target.digits, source: &source.digits });
    let mut asked = CrossValidation::default();
    (asked.n_rows, asked.seed) = (protocol.n_bandwidth, protocol.seed);
    let params = Params::new(protocol.n_prototypes);
    let (target, source) = (&target.pixels, &source.pixels);
    let curve = |asked: &CrossValidation| {
        cross_validate(target, source, labels, &Gaussian::new, &params, asked, &mut StopSignal(observer))
    };
    let tried = curve(&asked)?;
    // Cross-validation takes bandwidths as multiples of the median distance.
    let unit = tried.scores.first().map_or(1.0, |score| score.bandwidth / score.multiple);
    asked.multiples = vec![AUTHORS / unit];
    let authors = Width { bandwidth: AUTHORS, ..width(&curve(&asked)?.best()) };
    let widths = tried.scores.iter().map(width).collect();
    Ok(BandwidthChoice { bandwidth: tried.best().bandwidth, widths, authors })
}

fn width(score: &BandwidthScore) -> Width {
    Width { bandwidth: score.bandwidth, error: score.score, standard_error: score.standard_error }
}
