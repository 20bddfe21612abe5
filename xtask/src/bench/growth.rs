//! Scaling with rows, columns and prototypes: exponents fitted to four sizes each.

use super::n_turns;
use super::report::BenchRow;
use super::tools::{BenchData, Tools, median};
use crate::workspace::StepError;

/// Number of target rows when only the search is measured, whose time does not depend on it.
const N_TARGETS: usize = 1000;

/// Fits the exponents of the kernel mean in n and d, and of a search step in n and d + m.
pub(super) fn growth(tools: &Tools) -> Result<Vec<BenchRow>, StepError> {
    let wide = |rows: usize, columns: usize| BenchData {
        file: "20000x784.f32",
        rows,
        columns,
        bandwidth: (3.8 * columns as f64).sqrt(),
    };
    let long = |rows: usize| BenchData { file: "1000000x50.f32", rows, columns: 50, bandwidth: 13.8 };
    let mean =
        |data: BenchData<'_>| tools.ours("mean", data, 1, "dtype=f32 pairs=all repeats=1").map(|turn| turn.cpu());
    let step = |data: BenchData<'_>, n_prototypes: usize| {
        let more = format!("dtype=f32 method=protodash prototypes={n_prototypes} targets={N_TARGETS} repeats=1");
        let turn = tools.ours("select", data, 1, &more)?;
        Ok::<f64, StepError>(turn.number("steps_cpu_seconds") / n_prototypes as f64)
    };
    let fit = |what: &str, sizes: &[f64], expected: f64, time: &dyn Fn(usize) -> Result<f64, StepError>| {
        // All sizes in every turn, so that other load on the machine affects all of them.
        let turn = |_| (0..sizes.len()).map(time).collect::<Result<Vec<f64>, StepError>>();
        let turns = (0..n_turns()).map(turn).collect::<Result<Vec<Vec<f64>>, StepError>>()?;
        let seconds = (0..sizes.len()).map(|size| median(turns.iter().map(|turn| turn[size]).collect()));
        let seconds: Vec<f64> = seconds.collect();
        let exponent = slope(sizes, &seconds);
        let sizes: Vec<String> = sizes.iter().map(f64::to_string).collect();
        let seconds: Vec<String> = seconds.iter().map(|seconds| format!("{seconds:.4}")).collect();
        let measured = format!("{exponent:.2} ({} at {})", seconds.join(", "), sizes.join(", "));
        let goal = format!("exponent {expected} ± 0.1");
        Ok::<BenchRow, StepError>(BenchRow::new(
            format!("growth: {what}"),
            goal,
            measured,
            (exponent - expected).abs() <= 0.1,
        ))
    };
    let rows = [10_000, 20_000, 40_000, 80_000];
    let columns = [98, 196, 392, 784];
    // Large enough that no size fits in the cache, which would distort the exponent.
    let step_rows = [80_000, 160_000, 320_000, 640_000];
    let prototypes = [200, 400, 800, 1200];
    let of = |sizes: &[usize]| sizes.iter().map(|size| *size as f64).collect::<Vec<f64>>();
    Ok(vec![
        fit("mean in n₁ = n₂, d = 50", &of(&rows), 2.0, &|i| mean(long(rows[i])))?,
        fit("mean in d, n = 10,000", &of(&columns), 1.0, &|i| mean(wide(10_000, columns[i])))?,
        fit("a step in n₂, d = 50, m = 100", &of(&step_rows), 1.0, &|i| step(long(step_rows[i]), 100))?,
        // The average number of prototypes during a run is m/2.
        fit("a step in d + m/2, d = 50, n₂ = 80,000", &prototypes.map(|m| 50.0 + m as f64 / 2.0), 1.0, &|i| {
            step(long(80_000), prototypes[i])
        })?,
    ])
}

/// Least-squares slope of log(y) against log(x).
pub(super) fn slope(x: &[f64], y: &[f64]) -> f64 {
    let mean = |values: &[f64]| values.iter().map(|value| value.ln()).sum::<f64>() / values.len() as f64;
    let (x_mean, y_mean) = (mean(x), mean(y));
    let pairs = || x.iter().zip(y).map(|(x, y)| (x.ln() - x_mean, y.ln() - y_mean));
    pairs().map(|(x, y)| x * y).sum::<f64>() / pairs().map(|(x, _)| x * x).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slope_of_a_power_is_its_exponent() {
        let x = [1.0, 2.0, 4.0, 9.0];
        assert!((slope(&x, &x.map(|x| 3.0 * x * x)) - 2.0).abs() < 1e-12);
    }
}
