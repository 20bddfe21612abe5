//! One unit of work: what every method makes of one target set.

use std::time::Instant;

use ndarray::{Array1, Array2, ArrayView1, s};
use protodash::objective::objective;
use protodash::{
    Error as CoreError, Gaussian, Kernel, Labelled, Method, Params, Prepared, Selection, TargetEnergy, Weights,
    classify,
};
use serde::{Deserialize, Serialize};

use super::data::{Images, Mnist};
use super::protocol::{Protocol, TargetSet};
use crate::error::Result;
use crate::methods::{METHODS, name};
use crate::watch::{Ear, Watcher};

/// The factors of figure 3c, other than 1.
const OVERSAMPLING: [f64; 2] = [2.0, 3.0];
/// P-Lasso may miss the number asked for by this part of it, as in the paper.
const P_LASSO_MISS: f64 = 0.1;

/// What every method made of a target set.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Outcome {
    pub(super) set: TargetSet,
    /// How long the kernel mean took, on one thread.
    pub(super) kernel_mean_seconds: f64,
    pub(super) methods: Vec<MethodOutcome>,
    /// With oversampling, at full skew.
    pub(super) oversampled: Vec<Oversampled>,
}

/// What one method made of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct MethodOutcome {
    pub(super) method: String,
    /// Prototypes at the end.
    pub(super) n_prototypes: usize,
    /// The part of the target that the nearest prototype classifies rightly, at each kept number of prototypes.
    pub(super) accuracy: Vec<f64>,
    /// The objective with the method's own weights, at each kept number of prototypes.
    pub(super) objective: Vec<f64>,
    /// The part of the prototypes that are the target's digit, and of their weight; none in the representative set.
    pub(super) of_digit: Option<Share>,
    /// How long the choice took, without the kernel mean, on one thread.
    pub(super) seconds: f64,
}

/// How much of a selection is the target's digit.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(super) struct Share {
    /// Of the prototypes.
    pub(super) count: f64,
    /// Of their weight.
    pub(super) weight: f64,
}

/// A method that chose more and kept the heaviest.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Oversampled {
    pub(super) method: String,
    pub(super) factor: f64,
    pub(super) of_digit: Share,
}

/// The source of a trial, and what does not depend on the target.
pub(super) struct Source {
    trial: usize,
    images: Images,
    medoids: Option<Medoids>,
}

/// The medoids of a source: they are the same for every target.
struct Medoids {
    selection: Selection,
    gram: Array2<f64>,
    seconds: f64,
}

/// Everything that the units share.
pub(super) struct Bench<'a> {
    pub(super) mnist: &'a Mnist,
    pub(super) protocol: &'a Protocol,
    pub(super) kernel: Gaussian,
    /// Bytes that one unit may hold in kernel columns.
    pub(super) column_memory: u64,
    pub(super) watcher: &'a dyn Watcher,
}

impl Bench<'_> {
    /// The outcome of a unit; `source` is kept for the next unit of the same trial.
    pub(super) fn outcome(&self, source: &mut Option<Source>, set: TargetSet) -> Result<Outcome> {
        if source.as_ref().is_none_or(|source| source.trial != set.trial) {
            let rows = self.protocol.source_rows(self.mnist.test.digits.len(), set.trial);
            *source = Some(Source { trial: set.trial, images: self.mnist.test.rows(&rows), medoids: None });
        }
        let Some(Source { images, medoids, .. }) = source else { return Err(crate::Error::Stopped) };
        let target = self.mnist.training.rows(&self.protocol.target_rows(&self.mnist.by_digit, set));
        let mut params = Params::new(self.protocol.n_prototypes);
        (params.weights, params.target_energy, params.seed) = (Weights::Own, TargetEnergy::Skip, self.seed(set));
        params.column_memory = self.column_memory;
        let began = Instant::now();
        let prepared = Prepared::new(&target.pixels, &images.pixels, &self.kernel, &params, &mut Ear(self.watcher))?;
        let kernel_mean_seconds = began.elapsed().as_secs_f64();
        let round = Round { bench: self, prepared, target: &target, source: images, params, set };
        let mut methods = Vec::new();
        for method in METHODS {
            if method == Method::Swap && !set.trial.is_multiple_of(self.protocol.swap_every) {
                continue;
            }
            methods.extend(match method {
                Method::KMedoids => Some(round.k_medoids(medoids)?),
                _ => round.method(method)?,
            });
        }
        let oversampled = if set.skew == 100 { round.oversampled()? } else { Vec::new() };
        Ok(Outcome { set, kernel_mean_seconds, methods, oversampled })
    }

    /// Seed of the methods that draw.
    fn seed(&self, set: TargetSet) -> u64 {
        self.protocol.seed.wrapping_add(set.trial as u64)
    }
}

/// One target set, prepared for all methods.
struct Round<'a> {
    bench: &'a Bench<'a>,
    prepared: Prepared<'a, f32, Gaussian>,
    target: &'a Images,
    source: &'a Images,
    params: Params,
    set: TargetSet,
}

impl Round<'_> {
    /// What a method makes of the set; `None` if it is P-Lasso and has no such number.
    fn method(&self, method: Method) -> Result<Option<MethodOutcome>> {
        let began = Instant::now();
        let Some(selection) = self.select(&self.params_of(method))? else { return Ok(None) };
        let seconds = began.elapsed().as_secs_f64();
        let objective = self.at_sizes(&selection, |size| at_size(&selection.objective, size));
        self.judged(&selection, objective, seconds).map(Some)
    }

    /// The medoids of the source, judged on this target.
    fn k_medoids(&self, medoids: &mut Option<Medoids>) -> Result<MethodOutcome> {
        if medoids.is_none() {
            let began = Instant::now();
            let selection = self.prepared.select(&self.params_of(Method::KMedoids), &mut Ear(self.bench.watcher))?;
            let seconds = began.elapsed().as_secs_f64();
            *medoids = Some(Medoids { gram: self.gram(&selection), selection, seconds });
        }
        let Some(Medoids { selection, gram, seconds }) = medoids else { return Err(crate::Error::Stopped) };
        // The kernel mean of this target, which any selection brings along.
        let one = self.prepared.select(&Params::new(1), &mut Ear(self.bench.watcher))?;
        let means: Array1<f64> =
            selection.prototypes.iter().map(|medoid| one.kernel_mean()[medoid.source_index]).collect();
        let at = |size: usize| {
            let weights = ArrayView1::from(selection.weights_at(size).unwrap_or_default());
            objective(means.slice(s![..size]), gram.slice(s![..size, ..size]), weights)
        };
        let objective = self.at_sizes(selection, at);
        self.judged(selection, objective, *seconds)
    }

    fn params_of(&self, method: Method) -> Params {
        let mut params = self.params.clone();
        params.method = method;
        params
    }

    fn gram(&self, selection: &Selection) -> Array2<f64> {
        let row = |place: usize| self.source.pixels.row(selection.prototypes[place].source_index).to_vec();
        let rows: Vec<Vec<f32>> = (0..selection.prototypes.len()).map(row).collect();
        Array2::from_shape_fn((rows.len(), rows.len()), |(i, j)| self.bench.kernel.evaluate(&rows[i], &rows[j]))
    }

    /// A selection; where P-Lasso's path has not the number asked for, one that is nearly as large.
    fn select(&self, params: &Params) -> Result<Option<Selection>> {
        let asked = self.params.n_prototypes.unwrap_or(1);
        let near = |number: &usize| number.abs_diff(asked) as f64 <= P_LASSO_MISS * asked as f64;
        match self.prepared.select(params, &mut Ear(self.bench.watcher)) {
            Ok(selection) => Ok(Some(selection)),
            Err(CoreError::UnreachableNumber { below, above, .. }) => {
                let Some(number) = below.filter(near).or(Some(above).filter(near)) else { return Ok(None) };
                let mut params = params.clone();
                params.n_prototypes = Some(number);
                Ok(Some(self.prepared.select(&params, &mut Ear(self.bench.watcher))?))
            }
            Err(error) => Err(error.into()),
        }
    }

    /// A value at each kept number of prototypes; a run that ended early is the result for all larger numbers too.
    fn at_sizes(&self, selection: &Selection, value: impl Fn(usize) -> f64) -> Vec<f64> {
        let sizes = self.bench.protocol.sizes();
        sizes.iter().map(|size| value((*size).min(selection.prototypes.len()))).collect()
    }

    fn judged(&self, selection: &Selection, objective: Vec<f64>, seconds: f64) -> Result<MethodOutcome> {
        let labelled = |images: &Images| images.digits.clone();
        let (target_digits, source_digits) = (labelled(self.target), labelled(self.source));
        let target = Labelled { rows: &self.target.pixels, labels: &target_digits };
        let source = Labelled { rows: &self.source.pixels, labels: &source_digits };
        let found = classify(target, source, selection, &self.bench.kernel, &mut Ear(self.bench.watcher))?;
        Ok(MethodOutcome {
            method: name(selection.method).to_owned(),
            n_prototypes: selection.prototypes.len(),
            accuracy: self.at_sizes(selection, |size| at_size(&found.nearest.accuracy, size)),
            objective,
            of_digit: self.set.digit.map(|digit| self.share(selection, digit)),
            seconds,
        })
    }

    fn share(&self, selection: &Selection, digit: usize) -> Share {
        let is_digit = |place: &usize| self.source.digits[selection.prototypes[*place].source_index] == digit;
        let all = 0..selection.prototypes.len();
        let share = |value: &dyn Fn(usize) -> f64| {
            let total: f64 = all.clone().map(value).sum();
            all.clone().filter(is_digit).map(value).sum::<f64>() / total
        };
        Share { count: share(&|_| 1.0), weight: share(&|place| selection.prototypes[place].weight) }
    }

    /// ProtoDash and ProtoGreedy with more prototypes, of which the heaviest are kept.
    fn oversampled(&self) -> Result<Vec<Oversampled>> {
        let Some(digit) = self.set.digit else { return Ok(Vec::new()) };
        let mut found = Vec::new();
        for method in [Method::ProtoDash, Method::ProtoGreedy] {
            for factor in OVERSAMPLING {
                let mut params = self.params_of(method);
                params.oversample = factor;
                let selection = self.prepared.select(&params, &mut Ear(self.bench.watcher))?;
                let of_digit = self.share(&selection, digit);
                found.push(Oversampled { method: name(method).to_owned(), factor, of_digit });
            }
        }
        Ok(found)
    }
}

/// What a path has after so many prototypes; nothing is worth nothing.
fn at_size(path: &[f64], size: usize) -> f64 {
    size.checked_sub(1).and_then(|place| path.get(place)).copied().unwrap_or(0.0)
}
