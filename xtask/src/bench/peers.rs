//! Tools that summarise a million rows: time, and MMD² at the same number of rows.

use super::report::BenchRow;
use super::rows::normal;
use super::tools::{Measurement, Tools};
use crate::workspace::StepError;

/// Compress++ halves a power of four of rows down to its root, and thinning to a power of two.
const N_ROWS: usize = 1 << 20;
const N_PROTOTYPES: usize = 128;

/// Racing, Compress++, and MiniBatchKMeans with the nearest row, each once.
pub(super) fn peers(tools: &Tools) -> Result<Vec<BenchRow>, StepError> {
    let data = normal("1048576x50.f32", N_ROWS, 50);
    let options = format!("dtype=f32 prototypes={N_PROTOTYPES} repeats=1");
    let ours = |means: &str| tools.ours("select", data, 2, &format!("{options} method=protodash means={means}"));
    let (full, raced) = (ours("full")?, ours("racing")?);
    let compress = tools.peer("compress", data, 2, &options)?;
    let kmeans = tools.peer("kmeans", data, 2, &options)?;
    // The full mean knows ‖μ‖² exactly; it is the same for all.
    let mmd2 = |measured: &Measurement| {
        let without = tools.ours("mmd", data, 2, &format!("dtype=f32 {}", tools.chosen(measured)?))?;
        Ok::<f64, StepError>(full.number("energy") + without.number("without_energy"))
    };
    let own = mmd2(&raced)?;
    let mut rows = Vec::new();
    for (name, peer) in [
        ("Compress++ (goodpoints, g = 4), thinned on", &compress),
        ("MiniBatchKMeans with the nearest rows, weighted by cluster", &kmeans),
    ] {
        let other = mmd2(peer)?;
        rows.push(BenchRow::new(
            format!("1,048,576 × 50, m = {N_PROTOTYPES}, Gaussian at the median, 2 threads, wall time, once: {name}"),
            "our MMD² at most half of theirs".into(),
            format!(
                "MMD² {own:.3e} in {:.0} s; theirs {other:.3e} in {:.0} s; full mean {:.0} s",
                raced.wall(),
                peer.wall(),
                full.wall()
            ),
            own <= 0.5 * other,
        ));
    }
    Ok(rows)
}
