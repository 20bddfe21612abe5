//! How a run reports to whoever watches, and how a watcher stops it. Nothing here prints or reads a clock.

use std::ops::ControlFlow;

use crate::error::{Error, Result};
use crate::selection::Prototype;

/// A watcher of a run: told of progress, asked whether to go on.
///
/// Every method has a default that watches nothing and goes on, so that an observer implements what it needs. Calls come
/// one after the other, from the thread that called [`select_with`](crate::select_with) or from one of rayon's pool, and
/// often enough for a display and for Ctrl-C: at least several times a second on any data.
///
/// # Examples
///
/// ```
/// use std::ops::ControlFlow;
/// use ndarray::array;
/// use protodash::{Error, Gaussian, Observer, Params, Prototype, select_with};
///
/// struct StopAfterTwo;
/// impl Observer for StopAfterTwo {
///     fn on_prototype(&mut self, step: usize, _: &Prototype, _objective: f64) -> ControlFlow<()> {
///         if step == 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
///     }
/// }
///
/// let rows = array![[0.0], [1.0], [5.0]];
/// let stopped = select_with(&rows, &rows, &Gaussian::new(1.0)?, &Params::new(3), &mut StopAfterTwo);
/// assert_eq!(stopped.unwrap_err(), Error::Cancelled);
/// # Ok::<(), Error>(())
/// ```
pub trait Observer: Send {
    /// A stage has done `done` of `total` units of its work; the units mean nothing but their ratio.
    fn on_progress(&mut self, stage: Stage, done: u64, total: u64) -> ControlFlow<()> {
        let _ = (stage, done, total);
        ControlFlow::Continue(())
    }

    /// The `step`-th prototype (1-based) was chosen and the objective is now `objective`.
    ///
    /// The weight in `prototype` is the one it has at this step; later prototypes will change it.
    fn on_prototype(&mut self, step: usize, prototype: &Prototype, objective: f64) -> ControlFlow<()> {
        let _ = (step, prototype, objective);
        ControlFlow::Continue(())
    }

    /// After `n_prototypes` the kernel columns no longer fit `column_memory` bytes and were given up.
    ///
    /// The run goes on and chooses the same rows, but computes the columns again at every step.
    fn on_columns_dropped(&mut self, n_prototypes: usize, column_memory: u64) -> ControlFlow<()> {
        let _ = (n_prototypes, column_memory);
        ControlFlow::Continue(())
    }
}

/// The parts of a run that can take long.
///
/// # Examples
///
/// ```
/// assert_eq!(protodash::Stage::KernelMean.to_string(), "kernel mean");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stage {
    /// The mean similarity of every source row to the target.
    KernelMean,
    /// The target's own energy ‖μ‖², when target and source differ.
    TargetEnergy,
    /// Choosing prototypes one after the other.
    Search,
    /// Exchanging prototypes for better ones.
    Swap,
    /// Finding for each target row the prototype it is nearest to.
    Representation,
    /// Finding criticisms.
    Criticisms,
    /// Relating tables to each other: kernel means and prototypes of each of them.
    Relation,
    /// The distances of all source rows from one another, where a method keeps them.
    Distances,
    /// Trying bandwidths on held-out rows.
    CrossValidation,
    /// Giving rows the classes of prototypes.
    Classification,
}

impl std::fmt::Display for Stage {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            Stage::KernelMean => "kernel mean",
            Stage::TargetEnergy => "target energy",
            Stage::Search => "search",
            Stage::Swap => "swap",
            Stage::Representation => "representation",
            Stage::Criticisms => "criticisms",
            Stage::Relation => "relation",
            Stage::Distances => "distances",
            Stage::CrossValidation => "cross-validation",
            Stage::Classification => "classification",
        })
    }
}

/// The observer that watches nothing.
///
/// # Examples
///
/// ```
/// use ndarray::array;
/// use protodash::{Gaussian, Params, Unobserved, select, select_with};
///
/// let rows = array![[0.0], [1.0]];
/// let kernel = Gaussian::new(1.0)?;
/// let watched = select_with(&rows, &rows, &kernel, &Params::new(1), &mut Unobserved)?;
/// assert_eq!(watched, select(&rows, &rows, &kernel, &Params::new(1))?);
/// # Ok::<(), protodash::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct Unobserved;

impl Observer for Unobserved {}

/// Tells of progress but not of prototypes, where these would be told of twice or not be kept.
pub(crate) struct Silent<'a>(pub(crate) &'a mut dyn Observer);

impl Observer for Silent<'_> {
    fn on_progress(&mut self, stage: Stage, done: u64, total: u64) -> ControlFlow<()> {
        self.0.on_progress(stage, done, total)
    }

    fn on_columns_dropped(&mut self, n_prototypes: usize, column_memory: u64) -> ControlFlow<()> {
        self.0.on_columns_dropped(n_prototypes, column_memory)
    }
}

/// Turns an observer's wish to stop into the error that unwinds the run.
pub(crate) fn go_on(flow: ControlFlow<()>) -> Result<()> {
    match flow {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(Error::Cancelled),
    }
}
