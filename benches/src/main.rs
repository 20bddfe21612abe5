//! One measurement for each call, as a line of JSON: `measure WORK key=value ...`. `cargo xtask bench` calls it.
//!
//! Data come from raw little-endian files, so that peers in other languages read the same numbers. Times leave out the
//! reading. The peak of the memory is the process's own, data included.

mod arguments;
mod product;

use std::ops::ControlFlow;
use std::time::Instant;

use arguments::{Arguments, Failure};
use ndarray::{Array2, s};
use protodash::{Gaussian, Method, Observer, Params, Precision, Scalar, Selection, Stage, kernel_mean_in, select_with};
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
        (work, _) => return Err(format!("no work is called {work}; there are product, mean and select").into()),
    };
    measured["peak_bytes"] = json!(peak_bytes());
    println!("{measured}");
    Ok(())
}

/// The time of each of several kernel means of the rows, under themselves or under the other half of them.
fn mean<T: Scalar + arguments::Raw>(arguments: &Arguments) -> Result<Value, Failure> {
    let rows: Array2<T> = arguments.rows()?;
    let kernel = Gaussian::new(arguments.real("bandwidth")?)?;
    let precision = if size_of::<T>() == 4 { Precision::Single } else { Precision::Double };
    let within = arguments.text("pairs")? == "half";
    // Equal values in the same memory would be seen to be the same rows; another matrix is not.
    let others = if within { None } else { Some(shuffled(&rows)) };
    let seconds = times(arguments.number("repeats")?, || {
        kernel_mean_in(precision, &rows, others.as_ref().unwrap_or(&rows), &kernel)
    })?;
    Ok(json!({ "seconds": seconds.wall, "cpu_seconds": seconds.processor }))
}

/// The same rows, the second half first.
fn shuffled<T: Scalar>(rows: &Array2<T>) -> Array2<T> {
    let half = rows.nrows() / 2;
    Array2::from_shape_fn(rows.dim(), |(row, column)| rows[[(row + half) % rows.nrows(), column]])
}

/// The time of each of several selections from the rows, and what was selected.
fn selection<T: Scalar + arguments::Raw>(arguments: &Arguments) -> Result<Value, Failure> {
    let rows: Array2<T> = arguments.rows()?;
    // The target is the source, or its first rows: then the search is nearly all there is to do.
    let target = arguments.number("targets").ok().map(|n_targets| rows.slice(s![..n_targets, ..]).to_owned());
    let target = target.as_ref().unwrap_or(&rows);
    let loaded = peak_bytes();
    let kernel = Gaussian::new(arguments.real("bandwidth")?)?;
    let mut params = Params::new(arguments.number("prototypes")?);
    params.method = match arguments.text("method")? {
        "protogreedy" => Method::ProtoGreedy,
        _ => Method::ProtoDash,
    };
    let mut last: Option<Selection> = None;
    let mut steps = StepsBegun::default();
    let seconds = times(arguments.number("repeats")?, || {
        steps.begun = None;
        last = Some(select_with(target, &rows, &kernel, &params, &mut steps)?);
        Ok(())
    })?;
    let steps = steps.begun.map(|(begun, processor)| (begun.elapsed().as_secs_f64(), processor_seconds() - processor));
    let (steps, steps_processor) = steps.unzip();
    let last = last.ok_or("nothing was repeated")?;
    let chosen: Vec<usize> = last.prototypes.iter().map(|prototype| prototype.source_index).collect();
    let objective = last.objective_final();
    Ok(json!({
        "seconds": seconds.wall, "cpu_seconds": seconds.processor, "steps_seconds": steps,
        "steps_cpu_seconds": steps_processor, "rows": chosen, "objective": objective, "loaded_bytes": loaded
    }))
}

/// Notes when the kernel mean was done and the search began.
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

/// The seconds that each of several calls took, by the clock and of the processor.
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

/// Processor time of all threads so far, where the system says so.
pub(crate) fn processor_seconds() -> f64 {
    let threads = std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let nanoseconds = threads.filter_map(|thread| {
        let text = std::fs::read_to_string(thread.path().join("schedstat")).ok()?;
        text.split_whitespace().next()?.parse::<f64>().ok()
    });
    nanoseconds.sum::<f64>() * 1e-9
}

/// The most memory that this process ever had at once, where the system says so.
fn peak_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.parse::<u64>().ok().map(|kilobytes| kilobytes * 1024)
}
