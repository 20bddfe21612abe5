//! The bandwidth of the kernel by cross-validation, once the rows and their classes are known.

use protodash::bandwidth::BandwidthRule;
use protodash::{BandwidthCurve, CrossValidation, Labels, Params};

use crate::args;
use crate::classes::Classes;
use crate::data::Data;
use crate::error::Failure;
use crate::progress::Progress;

/// Gives the kernel the bandwidth that cross-validation finds, if the flags ask for that.
///
/// Returns the score of every bandwidth that was tried.
pub(crate) fn cross_validated(
    data: &mut Data,
    flags: &args::Kernel,
    params: &Params,
    seed: u64,
    progress: &mut Progress,
) -> Result<Option<BandwidthCurve>, Failure> {
    if flags.bandwidth != Some(BandwidthRule::CrossValidated) {
        return Ok(None);
    }
    let mut settings = CrossValidation::default();
    settings.seed = seed;
    let classes = Classes::of(data);
    let labels = classes.as_ref().map(|classes| Labels { target: &classes.target, source: &classes.source });
    let curve = data.matrices.cross_validate_bandwidth(labels, params, &settings, progress);
    let curve = curve.map_err(|error| data.failure(error))?;
    progress.clear();
    Ok(Some(curve))
}
