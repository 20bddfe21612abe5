//! The rows of the table: what is measured, against which peer, and the goal.

use super::n_turns;
use super::report::BenchRow;
use super::tools::{BenchData, Measurement, Tools, median};
use crate::workspace::StepError;

/// Clustered Gaussian rows; the bandwidth is about their median distance.
pub(super) fn normal(file: &str, rows: usize, columns: usize) -> BenchData<'_> {
    BenchData { file, rows, columns, bandwidth: (3.8 * columns as f64).sqrt() }
}

/// Median CPU time over all turns of a program.
fn cpu_time(turns: &[Measurement]) -> f64 {
    median(turns.iter().map(Measurement::cpu).collect())
}

/// Median wall time over all turns of a program.
fn wall_time(turns: &[Measurement]) -> f64 {
    median(turns.iter().map(Measurement::wall).collect())
}

/// Kernel mean against matrix products and NumPy, for three numbers of columns.
pub(super) fn means(tools: &Tools) -> Result<Vec<BenchRow>, StepError> {
    let mut rows = Vec::new();
    for (file, columns, of_gemm, of_numpy) in
        [("20000x784.f32", 784, 0.9, None), ("20000x50.f32", 50, 0.8, Some(2.0)), ("20000x10.f32", 10, 0.8, Some(3.0))]
    {
        let data = normal(file, 20_000, columns);
        let turns = turns_of_means(tools, data, 1)?;
        if columns == 784 {
            rows.push(threads(tools, data, &turns)?);
        }
        let [ours, openblas, faer, numpy] = turns.each_ref().map(|turns| cpu_time(turns));
        let gemm = openblas.min(faer);
        let rate = |seconds: f64| 2.0 * 4e8 * columns as f64 / seconds * 1e-9;
        let measured = format!(
            "{:.2} × ({:.0} GFLOP/s; OpenBLAS {:.0}, faer {:.0})",
            gemm / ours,
            rate(ours),
            rate(openblas),
            rate(faer),
        );
        let work = format!("kernel mean, Gaussian, f32, n = 20,000, d = {columns}, all pairs");
        rows.push(BenchRow::new(
            work.clone(),
            format!("≥ {of_gemm} × the best GEMM's rate"),
            measured,
            gemm / ours >= of_gemm,
        ));
        if let Some(factor) = of_numpy {
            rows.push(against_numpy(tools, data, (work, factor), numpy / ours)?);
        }
    }
    Ok(rows)
}

/// Kernel mean against the best NumPy formulation: wall time on two threads.
fn against_numpy(
    tools: &Tools,
    data: BenchData<'_>,
    (work, factor): (String, f64),
    cpu_ratio: f64,
) -> Result<BenchRow, StepError> {
    let (mut ours, mut numpy) = (Vec::new(), Vec::new());
    for _ in 0..n_turns() {
        ours.push(tools.ours("mean", data, 2, "dtype=f32 pairs=all repeats=3")?);
        numpy.push(tools.peer("mean", data, 2, "dtype=f32 repeats=3")?);
    }
    let (ours, numpy) = (wall_time(&ours), wall_time(&numpy));
    let measured = format!(
        "{:.1} × wall time on 2 threads ({ours:.3} s, NumPy {numpy:.3} s), {cpu_ratio:.1} × CPU time on 1",
        numpy / ours
    );
    Ok(BenchRow::new(work, format!("≥ {factor} × the best NumPy formulation"), measured, numpy / ours >= factor))
}

/// Speed-up from a second thread, in wall time, given the turns on one.
fn threads(tools: &Tools, data: BenchData<'_>, on_one: &[Vec<Measurement>; 4]) -> Result<BenchRow, StepError> {
    let clock = |turns: &[Vec<Measurement>; 4]| turns.each_ref().map(|turns| wall_time(turns));
    let (one, two) = (clock(on_one), clock(&turns_of_means(tools, data, 2)?));
    let (gain, gemm_gain) = (one[0] / two[0], one[1].min(one[2]) / two[1].min(two[2]));
    let measured = format!("{gain:.2} × faster in wall time, GEMM {gemm_gain:.2} ×");
    let work = "kernel mean, d = 784, from 1 to 2 threads".into();
    Ok(BenchRow::new(work, "≥ 0.95 × the speed-up of GEMM".into(), measured, gain >= 0.95 * gemm_gain))
}

/// Our kernel mean over all pairs, the matrix products of OpenBLAS and faer, and NumPy's kernel mean.
fn turns_of_means(tools: &Tools, data: BenchData<'_>, n_threads: usize) -> Result<[Vec<Measurement>; 4], StepError> {
    let mut turns: [Vec<Measurement>; 4] = Default::default();
    for _ in 0..n_turns() {
        turns[0].push(tools.ours("mean", data, n_threads, "dtype=f32 pairs=all repeats=1")?);
        turns[1].push(tools.peer("product", data, n_threads, "dtype=f32 repeats=1")?);
        turns[2].push(tools.ours("product", data, n_threads, "dtype=f32 repeats=1")?);
        if data.columns < 784 {
            turns[3].push(tools.peer("mean", data, n_threads, "dtype=f32 repeats=1")?);
        }
    }
    Ok(turns)
}

/// ProtoDash and ProtoGreedy end to end, against AIX360 and vectorised NumPy.
pub(super) fn selections(tools: &Tools) -> Result<Vec<BenchRow>, StepError> {
    let data = normal("20000x50.f32", 20_000, 50);
    let ours = |method: &str, dtype: &str, n_threads: usize| {
        tools.ours("select", data, n_threads, &format!("dtype={dtype} method={method} prototypes=200 repeats=3"))
    };
    let numpy = |style: &str, dtype: &str| {
        tools.peer("protodash", data, 2, &format!("style={style} dtype={dtype} prototypes=200 repeats=3"))
    };
    let mut turns: [Vec<Measurement>; 8] = Default::default();
    for _ in 0..n_turns() {
        turns[0].push(ours("protodash", "f32", 2)?);
        turns[1].push(ours("protodash", "f64", 2)?);
        turns[2].push(numpy("plain", "f64")?);
        turns[3].push(numpy("best", "f64")?);
        turns[4].push(numpy("best", "f32")?);
        turns[5].push(ours("protodash", "f32", 1)?);
        turns[6].push(ours("protogreedy", "f32", 1)?);
        turns[7].push(tools.peer("aix360", data, 2, "dtype=f64 prototypes=200 repeats=1")?);
    }
    let [dash, dash_f64, plain, best, best_f32, _, _, aix] = turns.each_ref().map(|turns| wall_time(turns));
    let [.., one_thread, greedy, _] = turns.each_ref().map(|turns| cpu_time(turns));
    let [first, _, first_plain, _, first_f32, _, _, first_aix] = &turns;
    let work = "ProtoDash end to end, n = 20,000 × 50, m = 200, 2 threads, wall time";
    Ok(vec![
        BenchRow::new(
            format!("{work}, against AIX360"),
            "≥ 200 ×, same rows".into(),
            format!("{:.0} × ({dash:.3} s, AIX360 {aix:.1} s; {})", aix / dash, agreement(&first[0], &first_aix[0])),
            aix >= 200.0 * dash && first[0].rows() == first_aix[0].rows(),
        ),
        BenchRow::new(
            format!("{work}, against vectorised NumPy as it is usually written (f64)"),
            "≥ 15 ×, same rows".into(),
            format!("{:.1} × ({plain:.2} s; {})", plain / dash, agreement(&first[0], &first_plain[0])),
            plain >= 15.0 * dash && first[0].rows() == first_plain[0].rows(),
        ),
        BenchRow::reported(
            format!("{work}, against the best NumPy formulation we know"),
            format!(
                "f64: {:.1} × ({dash_f64:.3} s, NumPy {best:.2} s); f32: {:.1} × (NumPy {best_f32:.2} s; {})",
                best / dash_f64,
                best_f32 / dash,
                agreement(&first[0], &first_f32[0])
            ),
        ),
        BenchRow::new(
            "exact ProtoGreedy, same data, 1 thread".into(),
            "≤ 1.5 × ProtoDash's time".into(),
            format!("{:.2} × ({greedy:.3} s, ProtoDash {one_thread:.3} s)", greedy / one_thread),
            greedy <= 1.5 * one_thread,
        ),
        memory("n = 20,000 × 50, m = 200", &first[0], (20_000, 50, 200)),
    ])
}

/// Number of leading rows that two selections share.
pub(super) fn agreement(ours: &Measurement, other: &Measurement) -> String {
    let (ours, other) = (ours.rows(), other.rows());
    let common = ours.iter().zip(&other).take_while(|(a, b)| a == b).count();
    if ours == other { format!("the same {} rows", ours.len()) } else { format!("the same first {common} rows") }
}

/// Peak memory against the limit: the data, one f32 column per prototype, and 64 MiB.
fn memory(what: &str, measured: &Measurement, (rows, columns, prototypes): (usize, usize, usize)) -> BenchRow {
    let mebibytes = |bytes: f64| bytes / f64::from(1 << 20);
    let allowed = mebibytes((4 * rows * columns + 4 * rows * prototypes) as f64) + 64.0;
    let peak = mebibytes(measured.number("peak_bytes"));
    BenchRow::new(
        format!("memory: {what}"),
        "peak ≤ the data once + 4·n₂·m bytes + 64 MiB".into(),
        format!("{peak:.0} MiB of {allowed:.0}"),
        peak <= allowed,
    )
}

/// 60,000 digits end to end, against one NumPy matrix product.
pub(super) fn digits(tools: &Tools) -> Result<Vec<BenchRow>, StepError> {
    let Some(file) = tools.digits()? else {
        let missing = "not measured: MNIST not found next to the repository".into();
        return Ok(vec![BenchRow::new(
            "60,000 × 784 (MNIST), m = 200".into(),
            "≤ 0.75 × one GEMM".into(),
            missing,
            false,
        )]);
    };
    let data = BenchData { file, rows: 60_000, columns: 784, bandwidth: 2500.0 };
    let (mut ours, mut gemm) = (Vec::new(), Vec::new());
    for _ in 0..n_turns() {
        ours.push(tools.ours("select", data, 1, "dtype=f32 method=protodash prototypes=200 repeats=1")?);
        gemm.push(tools.peer("product", data, 1, "dtype=f32 repeats=1 heights=2048")?);
    }
    let (seconds, product) = (cpu_time(&ours), cpu_time(&gemm));
    let steps = median(ours.iter().map(|turn| turn.number("steps_cpu_seconds")).collect());
    Ok(vec![
        BenchRow::new(
            "60,000 × 784 (MNIST, target = source), m = 200, ProtoDash".into(),
            "≤ 0.75 × one NumPy f32 GEMM of the full product".into(),
            format!("{:.2} × ({seconds:.1} s of {product:.1} s; steps {steps:.1} s)", seconds / product),
            seconds <= 0.75 * product,
        ),
        memory("60,000 × 784, m = 200", &ours[0], (60_000, 784, 200)),
    ])
}

/// A million rows.
pub(super) fn million(tools: &Tools) -> Result<Vec<BenchRow>, StepError> {
    let data = normal("1000000x50.f32", 1_000_000, 50);
    let ours = tools.ours("select", data, 2, "dtype=f32 method=protodash prototypes=100 repeats=1 means=full")?;
    let (seconds, steps) = (ours.wall(), ours.number("steps_seconds"));
    let rate = 1e12 / (seconds - steps) * 1e-9;
    Ok(vec![
        BenchRow::new(
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
