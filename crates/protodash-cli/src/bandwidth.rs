//! The width of the kernel by cross-validation, once the rows and their classes are known.

use ndarray::Array2;
use protodash::{BandwidthCurve, CrossValidation, Error, Kernel, Labels, Params, Scalar, cross_validate};

use crate::args::{self, Bandwidth};
use crate::classes::Classes;
use crate::data::Data;
use crate::error::Failure;
use crate::kernel::Formula;
use crate::matrices::Job;
use crate::progress::Progress;

/// Widens or narrows the kernel of the data as cross-validation says, if the flags ask for it.
///
/// Returns what every width that was tried came to; `None` if none was.
pub(crate) fn cross_validated(
    data: &mut Data,
    flags: &args::Kernel,
    params: &Params,
    seed: u64,
    progress: &mut Progress,
) -> Result<Option<BandwidthCurve>, Failure> {
    let kernel = data.matrices.kernel().filter(|_| flags.bandwidth == Some(Bandwidth::CrossValidated));
    let Some(kernel) = kernel else { return Ok(None) };
    let mut asked = CrossValidation::default();
    asked.seed = seed;
    let classes = Classes::of(data);
    let job = TryBandwidths { kernel, classes: classes.as_ref(), params, asked: &asked, progress: &mut *progress };
    let curve = data.matrices.run(job).map_err(|error| data.failure(error))?;
    progress.clear();
    let best = kernel.with_bandwidth(curve.best().bandwidth).map_err(|error| data.failure(error))?;
    data.matrices.set_kernel(best);
    Ok(Some(curve))
}

struct TryBandwidths<'a> {
    kernel: Formula,
    classes: Option<&'a Classes>,
    params: &'a Params,
    asked: &'a CrossValidation,
    progress: &'a mut Progress,
}

impl Job for TryBandwidths<'_> {
    type Output = BandwidthCurve;

    fn run<T: Scalar, K: Kernel<T>>(
        self,
        target: &Array2<T>,
        source: &Array2<T>,
        _: &K,
    ) -> Result<BandwidthCurve, Error> {
        let labels = self.classes.map(|classes| Labels { target: &classes.target, source: &classes.source });
        let kernel_at = |bandwidth: f64| self.kernel.with_bandwidth(bandwidth);
        cross_validate(target, source, labels, &kernel_at, self.params, self.asked, self.progress)
    }
}
