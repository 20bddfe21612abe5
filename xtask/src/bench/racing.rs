//! Racing against the full mean: the same rows from fewer pairs, in less time. Every row is measured once.

use super::growth::slope;
use super::is_large;
use super::report::BenchRow;
use super::rows::{agreement, normal};
use super::tools::{BenchData, Measurement, Tools};
use crate::workspace::StepError;

/// Prototypes of all these rows.
const N_PROTOTYPES: usize = 100;

/// Selects by one kind of means, on two threads.
fn run(tools: &Tools, data: BenchData<'_>, means: &str, more: &str) -> Result<Measurement, StepError> {
    let options = format!("dtype=f32 method=protodash prototypes={N_PROTOTYPES} repeats=1 means={means} {more}");
    tools.ours("select", data, 2, &options)
}

/// The part of all pairs that a run computed.
fn part(measured: &Measurement, n_rows: usize) -> f64 {
    measured.number("pairs") / (n_rows as f64 * n_rows as f64)
}

/// Time at a million rows, pairs at 200,000, and digits.
pub(super) fn racing(tools: &Tools) -> Result<Vec<BenchRow>, StepError> {
    let mut rows = Vec::new();
    let data = normal("1000000x50.f32", 1_000_000, 50);
    for (kernel, multiple, goal) in
        [("inverse-multiquadric", 0.25, 8.0), ("gaussian", 0.5, 8.0), ("gaussian", 1.0, 20.0)]
    {
        let more = format!("kernel={kernel} of_median={multiple}");
        let (full, raced) = (run(tools, data, "full", &more)?, run(tools, data, "racing", &more)?);
        let faster = full.wall() / raced.wall();
        let measured = format!(
            "{faster:.1} × ({:.0} s, full {:.0} s; CPU {:.0} s and {:.0} s; {:.4} of the pairs; {})",
            raced.wall(),
            full.wall(),
            raced.cpu(),
            full.cpu(),
            part(&raced, data.rows),
            agreement(&raced, &full)
        );
        let work = format!("racing, 1,000,000 × 50, m = 100, {kernel} at {multiple} × median, wall time, once");
        let met = faster >= goal && raced.rows() == full.rows();
        rows.push(BenchRow::new(work, format!("≥ {goal} × faster than the full mean, same rows"), measured, met));
    }
    for (file, columns) in [("1000000x50.f32", 50), ("200000x10-heavy.f32", 10)] {
        let data = normal(file, 200_000, columns);
        for multiple in [0.25, 0.5, 1.0] {
            let more = format!("of_median={multiple}");
            let (full, raced) = (run(tools, data, "full", &more)?, run(tools, data, "racing", &more)?);
            let part = part(&raced, data.rows);
            let tails = if columns == 10 { ", heavy tails" } else { "" };
            rows.push(BenchRow::new(
                format!("racing, 200,000 × {columns}{tails}, m = 100, Gaussian at {multiple} × median, once"),
                "≤ 0.25 of the pairs, same rows".into(),
                format!(
                    "{part:.3} ({}; {:.1} × faster in CPU time)",
                    agreement(&raced, &full),
                    full.cpu() / raced.cpu()
                ),
                part <= 0.25 && raced.rows() == full.rows(),
            ));
        }
    }
    rows.extend(digits(tools)?);
    Ok(rows)
}

/// Digits: too few rows for a race, which must not cost anything.
fn digits(tools: &Tools) -> Result<Option<BenchRow>, StepError> {
    let Some(file) = tools.digits()? else { return Ok(None) };
    let data = BenchData { file, rows: 60_000, columns: 784, bandwidth: 2500.0 };
    let (full, auto) = (run(tools, data, "full", "")?, run(tools, data, "auto", "")?);
    let slower = auto.cpu() / full.cpu() - 1.0;
    Ok(Some(BenchRow::new(
        "`--means auto`, 60,000 × 784 (MNIST), m = 100, CPU time, once".into(),
        "≤ 5 % slower than the full mean, same rows".into(),
        format!(
            "{:+.1} % ({:.1} s, full {:.1} s; {}; {})",
            100.0 * slower,
            auto.cpu(),
            full.cpu(),
            auto.text("means"),
            agreement(&auto, &full)
        ),
        slower <= 0.05 && auto.rows() == full.rows(),
    )))
}

/// How the pairs of a race grow with the number of rows.
pub(super) fn growth_of_pairs(tools: &Tools) -> Result<Vec<BenchRow>, StepError> {
    let mut sizes = vec![100_000, 300_000, 1_000_000];
    let mut file = "1000000x50.f32";
    if is_large() {
        tools.generate("10000000x50.f32", "large")?;
        sizes.push(10_000_000);
        file = "10000000x50.f32";
    }
    let pairs = |rows: &usize| Ok(run(tools, normal(file, *rows, 50), "racing", "")?.number("pairs"));
    let pairs: Vec<f64> = sizes.iter().map(pairs).collect::<Result<_, StepError>>()?;
    let exponent = slope(&sizes.iter().map(|size| *size as f64).collect::<Vec<_>>(), &pairs);
    let list: Vec<String> = sizes.iter().zip(&pairs).map(|(size, pairs)| format!("{pairs:.2e} at {size}")).collect();
    Ok(vec![BenchRow::new(
        "growth: pairs of a race in n, d = 50, m = 100, Gaussian at the median".into(),
        "exponent ≤ 1.25".into(),
        format!("{exponent:.2} ({})", list.join(", ")),
        exponent <= 1.25,
    )])
}

/// Ten million rows, if asked for.
pub(super) fn large(tools: &Tools) -> Result<Vec<BenchRow>, StepError> {
    if !is_large() {
        return Ok(Vec::new());
    }
    tools.generate("10000000x50.f32", "large")?;
    let data = normal("10000000x50.f32", 10_000_000, 50);
    let raced = run(tools, data, "racing", "")?;
    let mebibytes = |bytes: f64| bytes / f64::from(1 << 20);
    let n_rows = data.rows as f64;
    let allowed = mebibytes(n_rows * (4.0 * 50.0 + 4.0 * N_PROTOTYPES as f64 + 16.0)) + 256.0;
    let peak = mebibytes(raced.number("peak_bytes"));
    let work = "racing, 10,000,000 × 50, f32, m = 100, Gaussian at the median, once";
    Ok(vec![
        BenchRow::new(
            work.into(),
            "≤ 15 minutes".into(),
            format!(
                "{:.1} minutes (CPU {:.1}; {:.5} of the pairs)",
                raced.wall() / 60.0,
                raced.cpu() / 60.0,
                part(&raced, data.rows)
            ),
            raced.wall() <= 900.0,
        ),
        BenchRow::new(
            format!("memory: {work}"),
            "peak ≤ the data once + 4·n₂·m + 16·n₂ bytes + 256 MiB".into(),
            format!("{peak:.0} MiB of {allowed:.0}"),
            peak <= allowed,
        ),
    ])
}
