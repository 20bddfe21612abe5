//! How a run reports progress, and how a caller cancels it. Nothing here prints or reads a clock.

use std::ops::ControlFlow;

use crate::error::{Error, Result};
use crate::selection::Prototype;

/// Receives the progress of a run and can cancel it.
///
/// Every method has a default that does nothing and continues, so implement only what you need. Calls are sequential,
/// from the thread that called [`select_with`](crate::select_with) or from one of rayon's pool, and frequent enough for
/// a progress bar and for Ctrl-C: at least several times a second on any data.
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
    /// A stage has finished `done` of `total` units of work. Only the ratio is meaningful.
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

    /// After `n_prototypes` the kernel columns no longer fit in `column_memory` bytes and are dropped.
    ///
    /// The run continues and chooses the same rows, but recomputes the columns at every step.
    fn on_columns_dropped(&mut self, n_prototypes: usize, column_memory: u64) -> ControlFlow<()> {
        let _ = (n_prototypes, column_memory);
        ControlFlow::Continue(())
    }
}

/// The stages of a run that can take a long time.
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
    /// Choosing prototypes one by one.
    Search,
    /// Swapping prototypes for better rows.
    Swap,
    /// Finding the nearest prototype of each target row.
    Representation,
    /// Finding criticisms.
    Criticisms,
    /// Relating tables to each other: kernel means and prototypes of each of them.
    Relation,
    /// The distances between all source rows, if a method keeps them.
    Distances,
    /// Trying bandwidths on held-out rows.
    CrossValidation,
    /// Classifying rows by the classes of prototypes.
    Classification,
    /// Comparing the prototypes with random rows.
    Baseline,
    /// Finding the clusters of k-means.
    Clusters,
    /// Measuring what the prototypes cover: classes and distances.
    Coverage,
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
            Stage::Baseline => "baseline",
            Stage::Clusters => "clusters",
            Stage::Coverage => "coverage",
        })
    }
}

/// The observer that ignores everything.
///
/// # Examples
///
/// ```
/// use ndarray::array;
/// use protodash::{Gaussian, Params, Unobserved, select, select_with};
///
/// let rows = array![[0.0], [1.0]];
/// let kernel = Gaussian::new(1.0)?;
/// let observed = select_with(&rows, &rows, &kernel, &Params::new(1), &mut Unobserved)?;
/// assert_eq!(observed, select(&rows, &rows, &kernel, &Params::new(1))?);
/// # Ok::<(), protodash::Error>(())
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct Unobserved;

impl Observer for Unobserved {}

/// Forwards progress but not prototypes, which would be reported twice or are not final.
pub(crate) struct Silent<'a>(pub(crate) &'a mut dyn Observer);

impl Observer for Silent<'_> {
    fn on_progress(&mut self, stage: Stage, done: u64, total: u64) -> ControlFlow<()> {
        self.0.on_progress(stage, done, total)
    }

    fn on_columns_dropped(&mut self, n_prototypes: usize, column_memory: u64) -> ControlFlow<()> {
        self.0.on_columns_dropped(n_prototypes, column_memory)
    }
}

/// [`Error::Cancelled`] if the observer wants to stop.
pub(crate) fn check_cancelled(flow: ControlFlow<()>) -> Result<()> {
    match flow {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(Error::Cancelled),
    }
}
