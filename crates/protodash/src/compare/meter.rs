//! The cost of a run, measured by the caller: the core reads no clock and no memory counter.

use std::ops::ControlFlow;

use crate::observe::{Observer, Stage};
use crate::selection::Prototype;

/// The cost of a run; 0 if not measured.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct RunCost {
    /// Wall-clock seconds since the run started.
    pub seconds: f64,
    /// Peak resident memory of the process since the run started.
    pub peak_memory_bytes: u64,
}

/// The caller's clock and memory counter, read while methods run.
///
/// [`compare`](crate::compare::compare) calls [`start`](Self::start) before each run and [`read`](Self::read) after each
/// prototype and at the end.
///
/// # Examples
///
/// ```
/// use std::time::Instant;
/// use protodash::compare::{Meter, RunCost};
///
/// struct Stopwatch(Instant);
/// impl Meter for Stopwatch {
///     fn start(&mut self) {
///         self.0 = Instant::now();
///     }
///     fn read(&mut self) -> RunCost {
///         RunCost { seconds: self.0.elapsed().as_secs_f64(), ..RunCost::default() }
///     }
/// }
///
/// let mut stopwatch = Stopwatch(Instant::now());
/// stopwatch.start();
/// assert!(stopwatch.read().seconds < 60.0);
/// ```
pub trait Meter: Send {
    /// Starts measuring a new run.
    fn start(&mut self);

    /// The cost of the current run so far.
    fn read(&mut self) -> RunCost;
}

/// The meter that measures nothing.
///
/// # Examples
///
/// ```
/// use protodash::compare::{Meter, Unmetered};
///
/// Unmetered.start();
/// assert_eq!(Unmetered.read().seconds, 0.0);
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct Unmetered;

impl Meter for Unmetered {
    fn start(&mut self) {}

    fn read(&mut self) -> RunCost {
        RunCost::default()
    }
}

/// Reads the meter after each prototype, and forwards everything to the caller's observer.
pub(super) struct Laps<'a> {
    meter: &'a mut dyn Meter,
    observer: &'a mut dyn Observer,
    readings: Vec<RunCost>,
}

impl<'a> Laps<'a> {
    /// Starts a run.
    pub(super) fn start(meter: &'a mut dyn Meter, observer: &'a mut dyn Observer) -> Self {
        meter.start();
        Laps { meter, observer, readings: Vec::new() }
    }

    /// The reading after each prototype, and the one at the end of the run.
    pub(super) fn stop(self) -> (Vec<RunCost>, RunCost) {
        let whole = self.meter.read();
        (self.readings, whole)
    }
}

impl Observer for Laps<'_> {
    fn on_progress(&mut self, stage: Stage, done: u64, total: u64) -> ControlFlow<()> {
        self.observer.on_progress(stage, done, total)
    }

    fn on_prototype(&mut self, step: usize, prototype: &Prototype, objective: f64) -> ControlFlow<()> {
        self.readings.push(self.meter.read());
        self.observer.on_prototype(step, prototype, objective)
    }

    fn on_columns_dropped(&mut self, n_prototypes: usize, column_memory: u64) -> ControlFlow<()> {
        self.observer.on_columns_dropped(n_prototypes, column_memory)
    }
}
