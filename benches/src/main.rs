//! Runs one measurement and prints it as a line of JSON: `measure WORK key=value ...`. Called by `cargo xtask bench`.
//!
//! Data come from raw little-endian files, which peers in other languages can read too. Times exclude reading. Peak
//! memory is that of the process, including the data.

mod arguments;
mod mmd;
mod product;

use std::ops::ControlFlow;
use std::time::Instant;

use arguments::{Arguments, Failure};
use ndarray::{Array2, s};
use protodash::{
    Choice, Gaussian, InverseMultiquadric, Kernel, Means, Method, Observer, Params, Precision, Scalar, Selection, Stage,
    bandwidth, kernel_mean_in, select_with,
};
use serde_json::{Value, json};

fn main() -> Result<(), Failure> {
    let arguments = Arguments::parse(std::env::args().skip(1))?;
    let n_threads = arguments.number("threads")?;
    rayon::ThreadPoolBuilder::new().num_threads(n_threads).build_global()?;
    let mut measured = match (arguments.work(), arguments.text("dtype")?) {
        ("product", "f32") => product::measure::<f32>(&arguments.rows()?, arguments.number("repeats")?, n_threads),
        ("product", _) => product::measure::<f64>(&arguments.rows()?, arguments.number("repeats")?, n_threads),
        ("mean", "f32") => mean::<f32>(&arguments)?,
        ("mean", _) => mean::<f64>(&arguments)?,
        ("select", "f32") => selection::<f32>(&arguments)?,
        ("select", _) => selection::<f64>(&arguments)?,
        ("mmd", "f32") => mmd::measure::<f32>(&arguments)?,
        ("mmd", _) => mmd::measure::<f64>(&arguments)?,
        (work, _) => return Err(format!("unknown work {work}; allowed are product, mean, select and mmd").into()),
    };
    measured["peak_bytes"] = json!(peak_bytes());
    println!("{measured}");
    Ok(())
}

/// Times the kernel mean of the rows: `pairs=half` uses symmetry, otherwise all pairs are computed.
fn mean<T: Scalar + arguments::Raw>(arguments: &Arguments) -> Result<Value, Failure> {
    let rows: Array2<T> = arguments.rows()?;
    let kernel = Gaussian::new(arguments.real("bandwidth")?)?;
    let precision = if size_of::<T>() == 4 { Precision::Single } else { Precision::Double };
    let within = arguments.text("pairs")? == "half";
    // A separate matrix, because symmetry is used when target and source are the same memory.
    let others = if within { None } else { Some(shuffled(&rows)) };
    let seconds = times(arguments.number("repeats")?, || {
        kernel_mean_in(precision, &rows, others.as_ref().unwrap_or(&rows), &kernel)
    })?;
    Ok(json!({ "seconds": seconds.wall, "cpu_seconds": seconds.processor }))
}

/// The same rows, second half first.
fn shuffled<T: Scalar>(rows: &Array2<T>) -> Array2<T> {
    let half = rows.nrows() / 2;
    Array2::from_shape_fn(rows.dim(), |(row, column)| rows[[(row + half) % rows.nrows(), column]])
}

/// Times selections from the rows, and returns the prototypes.
fn selection<T: Scalar + arguments::Raw>(arguments: &Arguments) -> Result<Value, Failure> {
    let rows: Array2<T> = arguments.rows()?;
    // With `targets` the target is the first rows only, so that the search dominates the time.
    let target = arguments.number("targets").ok().map(|n_targets| rows.slice(s![..n_targets, ..]).to_owned());
    let target = target.as_ref().unwrap_or(&rows);
    let loaded = peak_bytes();
    // A multiple of the median distance if there is one, else the bandwidth itself.
    let bandwidth = match arguments.real("of_median") {
        Ok(multiple) => multiple * bandwidth::median(target, &rows, bandwidth::Metric::Euclidean, 0)?,
        Err(_) => arguments.real("bandwidth")?,
    };
    let kernel: Box<dyn Kernel<T>> = match arguments.text("kernel") {
        Ok("inverse-multiquadric") => Box::new(InverseMultiquadric::new(bandwidth)?),
        _ => Box::new(Gaussian::new(bandwidth)?),
    };
    let mut params = Params::new(arguments.number("prototypes")?);
    params.means = match arguments.text("means") {
        Ok("racing") => Means::Racing,
        Ok("full") => Means::Full,
        _ => Means::Auto,
    };
    params.method = match arguments.text("method")? {
        "protogreedy" => Method::ProtoGreedy,
        _ => Method::ProtoDash,
    };
    let mut last: Option<Selection> = None;
    let mut steps = StepsBegun::default();
    let seconds = times(arguments.number("repeats")?, || {
        steps.begun = None;
        last = Some(select_with(target, &rows, &*kernel, &params, &mut steps)?);
        Ok(())
    })?;
    let steps = steps.begun.map(|(begun, processor)| (begun.elapsed().as_secs_f64(), processor_seconds() - processor));
    let (steps, steps_processor) = steps.unzip();
    let last = last.ok_or("nothing was repeated")?;
    let chosen: Vec<usize> = last.prototypes.iter().map(|prototype| prototype.source_index).collect();
    let weights: Vec<f64> = last.prototypes.iter().map(|prototype| prototype.weight).collect();
    let (objective, means) = (last.objective_final(), &last.means);
    Ok(json!({
        "weights": weights, "means": means.kind.name(), "pairs": means.pairs, "n_exact": means.n_exact,
        "mmd2": last.mmd2(), "energy": last.target_energy.map(|energy| energy.value),
        "seconds": seconds.wall, "cpu_seconds": seconds.processor, "steps_seconds": steps,
        "steps_cpu_seconds": steps_processor, "rows": chosen, "objective": objective, "loaded_bytes": loaded
    }))
}

/// Records when the search starts, after the kernel mean.
#[derive(Default)]
struct StepsBegun {
    begun: Option<(Instant, f64)>,
}

impl Observer for StepsBegun {
    fn on_progress(&mut self, stage: Stage, _: u64, _: u64) -> ControlFlow<()> {
        if stage == Stage::Search {
            self.begun.get_or_insert_with(|| (Instant::now(), processor_seconds()));
        }
        ControlFlow::Continue(())
    }
}

/// Wall and CPU time of each call.
#[derive(Default)]
struct Seconds {
    wall: Vec<f64>,
    processor: Vec<f64>,
}

fn times<R>(n_repeats: usize, mut work: impl FnMut() -> protodash::Result<R>) -> Result<Seconds, Failure> {
    let mut seconds = Seconds::default();
    for _ in 0..n_repeats {
        let (start, processor) = (Instant::now(), processor_seconds());
        work()?;
        seconds.wall.push(start.elapsed().as_secs_f64());
        seconds.processor.push(processor_seconds() - processor);
    }
    Ok(seconds)
}

/// CPU time of all threads so far (Linux only, else 0).
pub(crate) fn processor_seconds() -> f64 {
    let threads = std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let nanoseconds = threads.filter_map(|thread| {
        let text = std::fs::read_to_string(thread.path().join("schedstat")).ok()?;
        text.split_whitespace().next()?.parse::<f64>().ok()
    });
    nanoseconds.sum::<f64>() * 1e-9
}

/// Peak resident memory of this process (Linux only).
fn peak_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.parse::<u64>().ok().map(|kilobytes| kilobytes * 1024)
}
