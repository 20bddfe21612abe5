//! What a run costs, measured by the caller: the core reads no clock and no memory counter.

use std::ops::ControlFlow;

use crate::observe::{Observer, Stage};
use crate::selection::Prototype;

/// A stopwatch, memory gauge or whatever else the caller measures while methods run.
///
/// [`compare`](crate::compare::compare) calls [`start`](Self::start) before each run and [`read`](Self::read) after each
/// prototype and at the end.
///
/// # Examples
///
/// ```
/// use std::time::{Duration, Instant};
/// use protodash::compare::Meter;
///
/// struct Stopwatch(Instant);
/// impl Meter for Stopwatch {
///     type Cost = Duration;
///     fn start(&mut self) {
///         self.0 = Instant::now();
///     }
///     fn read(&mut self) -> Duration {
///         self.0.elapsed()
///     }
/// }
///
/// let mut stopwatch = Stopwatch(Instant::now());
/// stopwatch.start();
/// assert!(stopwatch.read() < Duration::from_secs(60));
/// ```
pub trait Meter: Send {
    /// One reading.
    type Cost: Clone + Send;

    /// Starts measuring a new run.
    fn start(&mut self);

    /// The cost of the current run so far.
    fn read(&mut self) -> Self::Cost;
}

/// The meter that measures nothing.
///
/// # Examples
///
/// ```
/// use protodash::compare::{Meter, Unmetered};
///
/// Unmetered.start();
/// assert_eq!(Unmetered.read(), ());
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct Unmetered;

impl Meter for Unmetered {
    type Cost = ();

    fn start(&mut self) {}

    fn read(&mut self) {}
}

/// Reads the meter after each prototype, and forwards everything to the caller's observer.
pub(super) struct Laps<'a, M: Meter> {
    meter: &'a mut M,
    observer: &'a mut dyn Observer,
    readings: Vec<M::Cost>,
}

impl<'a, M: Meter> Laps<'a, M> {
    /// Starts a run.
    pub(super) fn start(meter: &'a mut M, observer: &'a mut dyn Observer) -> Self {
        meter.start();
        Laps { meter, observer, readings: Vec::new() }
    }

    /// The reading after each prototype, and the one at the end of the run.
    pub(super) fn stop(self) -> (Vec<M::Cost>, M::Cost) {
        let whole = self.meter.read();
        (self.readings, whole)
    }
}

impl<M: Meter> Observer for Laps<'_, M> {
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
