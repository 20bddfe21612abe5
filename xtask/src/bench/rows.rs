//! The rows of the table: what is measured, against whom, and what is asked of the ratio.

use super::N_TURNS;
use super::report::Row;
use super::tools::{Data, Measured, Tools, median};
use crate::workspace::Failure;

/// σ: about the median distance of the rows.
fn normal(file: &str, rows: usize, columns: usize) -> Data<'_> {
    Data { file, rows, columns, bandwidth: (3.8 * columns as f64).sqrt() }
}

/// The median over all turns of a party, each of which reports several times.
fn typical(turns: &[Measured]) -> f64 {
    median(turns.iter().map(Measured::median).collect())
}

/// The kernel mean against matrix products and NumPy, at three depths, on one and two threads.
pub(super) fn means(tools: &Tools) -> Result<Vec<Row>, Failure> {
    let mut rows = Vec::new();
    for (file, columns, goals) in [
        ("20000x784.f32", 784, (0.9, None)),
        ("20000x50.f32", 50, (0.8, Some(2.0))),
        ("20000x10.f32", 10, (0.8, Some(3.0))),
    ] {
        let data = normal(file, 20_000, columns);
        let [ours, numpy, faer, formulation] = turns_of_means(tools, data, 2)?;
        let gemm = numpy.min(faer);
        let rate = |seconds: f64| 2.0 * 4e8 * columns as f64 / seconds * 1e-9;
        let mut measured = format!(
            "{:.2} × ({:.0} of {:.0} GFLOP/s; OpenBLAS {:.0}, faer {:.0})",
            gemm / ours,
            rate(ours),
            rate(gemm),
            rate(numpy),
            rate(faer),
        );
        let mut goal = format!("≥ {} × the best GEMM's rate", goals.0);
        let mut met = gemm / ours >= goals.0;
        if let Some(factor) = goals.1 {
            goal += &format!(", ≥ {factor} × NumPy");
            measured += &format!(", {:.1} × NumPy ({:.3} s of {:.3} s)", formulation / ours, ours, formulation);
            met &= formulation / ours >= factor;
        }
        rows.push(Row::new(
            format!("kernel mean, Gaussian, f32, n = 20,000, d = {columns}, 2 threads"),
            goal,
            measured,
            met,
        ));
        if columns == 784 {
            let [ours_alone, numpy_alone, faer_alone, _] = turns_of_means(tools, data, 1)?;
            let (gain, gemm_gain) = (ours_alone / ours, numpy_alone.min(faer_alone) / gemm);
            rows.push(Row::new(
                "threads: the same mean from 1 to 2".into(),
                "≥ 0.95 × what GEMM gains".into(),
                format!("{gain:.2} × faster, GEMM {gemm_gain:.2} ×"),
                gain >= 0.95 * gemm_gain,
            ));
        }
    }
    Ok(rows)
}

/// Our mean of all pairs, OpenBLAS' and faer's products, and NumPy's mean.
fn turns_of_means(tools: &Tools, data: Data<'_>, n_threads: usize) -> Result<[f64; 4], Failure> {
    let mut turns: [Vec<Measured>; 4] = Default::default();
    for _ in 0..N_TURNS {
        turns[0].push(tools.ours("mean", data, n_threads, "dtype=f32 pairs=all repeats=1")?);
        turns[1].push(tools.peer("product", data, n_threads, "dtype=f32 repeats=1")?);
        turns[2].push(tools.ours("product", data, n_threads, "dtype=f32 repeats=1")?);
        if data.columns < 784 {
            turns[3].push(tools.peer("mean", data, n_threads, "dtype=f32 repeats=1")?);
        }
    }
    Ok(turns.map(|turns| typical(&turns)))
}

/// ProtoDash and ProtoGreedy end to end against AIX360 and vectorised NumPy.
pub(super) fn selections(tools: &Tools) -> Result<Vec<Row>, Failure> {
    let data = normal("20000x50.f32", 20_000, 50);
    let ours = |method: &str, dtype: &str| {
        tools.ours("select", data, 2, &format!("dtype={dtype} method={method} prototypes=200 repeats=1"))
    };
    let (mut dash, mut dash_f64, mut greedy, mut numpy, mut numpy_f32) = (vec![], vec![], vec![], vec![], vec![]);
    for _ in 0..N_TURNS {
        dash.push(ours("protodash", "f32")?);
        dash_f64.push(ours("protodash", "f64")?);
        greedy.push(ours("protogreedy", "f32")?);
        numpy.push(tools.peer("protodash", data, 2, "dtype=f64 prototypes=200 repeats=1")?);
        numpy_f32.push(tools.peer("protodash", data, 2, "dtype=f32 prototypes=200 repeats=1")?);
    }
    let aix = [tools.peer("aix360", data, 2, "dtype=f64 prototypes=200 repeats=1")?];
    let seconds = typical(&dash);
    let same = |other: &Measured| agreement(&dash[0], other);
    let (times_aix, times_numpy) = (typical(&aix) / seconds, typical(&numpy) / seconds);
    let end_to_end = format!(
        "{seconds:.3} s; {times_aix:.0} × AIX360 ({:.1} s, once; {}), {times_numpy:.1} × NumPy ({:.2} s; {}); in f64 {:.3} s; NumPy in \
         f32 {:.2} s ({})",
        typical(&aix),
        same(&aix[0]),
        typical(&numpy),
        same(&numpy[0]),
        typical(&dash_f64),
        typical(&numpy_f32),
        same(&numpy_f32[0]),
    );
    let ratio = typical(&greedy) / seconds;
    Ok(vec![
        Row::new(
            "ProtoDash end to end, n = 20,000 × 50, m = 200".into(),
            "≥ 200 × AIX360, ≥ 15 × vectorised NumPy, same rows".into(),
            end_to_end,
            times_aix >= 200.0 && times_numpy >= 15.0 && dash[0].rows() == numpy[0].rows(),
        ),
        Row::new(
            "exact ProtoGreedy, same data".into(),
            "≤ 1.5 × ProtoDash's time".into(),
            format!("{ratio:.2} × ({:.3} s)", typical(&greedy)),
            ratio <= 1.5,
        ),
        memory("n = 20,000 × 50, m = 200", &dash[0], (20_000, 50, 200)),
    ])
}

/// How far two selections go together.
fn agreement(ours: &Measured, other: &Measured) -> String {
    let (ours, other) = (ours.rows(), other.rows());
    let common = ours.iter().zip(&other).take_while(|(a, b)| a == b).count();
    if ours == other { format!("the same {} rows", ours.len()) } else { format!("the same first {common} rows") }
}

/// The peak of a process against the data, a column of f32 for each prototype, and 64 MiB.
fn memory(what: &str, measured: &Measured, (rows, columns, prototypes): (usize, usize, usize)) -> Row {
    let mebibytes = |bytes: f64| bytes / f64::from(1 << 20);
    let allowed = mebibytes((4 * rows * columns + 4 * rows * prototypes) as f64) + 64.0;
    let peak = mebibytes(measured.number("peak_bytes"));
    Row::new(
        format!("memory: {what}"),
        "peak ≤ the data once + 4·n₂·m bytes + 64 MiB".into(),
        format!("{peak:.0} MiB of {allowed:.0}"),
        peak <= allowed,
    )
}

/// 60,000 digits, end to end, against one product of NumPy's.
pub(super) fn digits(tools: &Tools) -> Result<Vec<Row>, Failure> {
    let Some(file) = tools.digits()? else {
        let missing = "not measured: the digits are not beside the repository".into();
        return Ok(vec![Row::new("60,000 × 784 (MNIST), m = 200".into(), "≤ 0.75 × one GEMM".into(), missing, false)]);
    };
    let data = Data { file, rows: 60_000, columns: 784, bandwidth: 2500.0 };
    let (mut ours, mut gemm) = (Vec::new(), Vec::new());
    for _ in 0..N_TURNS {
        ours.push(tools.ours("select", data, 2, "dtype=f32 method=protodash prototypes=200 repeats=1")?);
        gemm.push(tools.peer("product", data, 2, "dtype=f32 repeats=1 heights=2048")?);
    }
    let (seconds, product) = (typical(&ours), typical(&gemm));
    let steps = median(ours.iter().map(|turn| turn.number("steps_seconds")).collect());
    Ok(vec![
        Row::new(
            "60,000 × 784 (MNIST, target = source), m = 200, ProtoDash".into(),
            "≤ 0.75 × one NumPy f32 GEMM of the full product".into(),
            format!("{:.2} × ({seconds:.1} s of {product:.1} s; steps {steps:.1} s)", seconds / product),
            seconds <= 0.75 * product,
        ),
        memory("60,000 × 784, m = 200", &ours[0], (60_000, 784, 200)),
    ])
}

/// A million rows.
pub(super) fn million(tools: &Tools) -> Result<Vec<Row>, Failure> {
    let data = normal("1000000x50.f32", 1_000_000, 50);
    let ours = tools.ours("select", data, 2, "dtype=f32 method=protodash prototypes=100 repeats=1")?;
    let (seconds, steps) = (ours.median(), ours.number("steps_seconds"));
    let rate = 1e12 / (seconds - steps) * 1e-9;
    Ok(vec![
        Row::new(
            "1,000,000 × 50, target = source, m = 100, once".into(),
            "finishes within the memory budget".into(),
            format!(
                "{seconds:.0} s, steps {steps:.1} s; {rate:.2} billion pairs/s of the n² in the mean (half of them computed)"
            ),
            true,
        ),
        memory("1,000,000 × 50, m = 100", &ours, (1_000_000, 50, 100)),
    ])
}
