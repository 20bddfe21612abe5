//! One unit of work: every method on one target set.

use std::collections::HashMap;

use ndarray::{Array1, Array2, ArrayView1, s};
use protodash::objective::objective;
use protodash::{Gaussian, Kernel, Method, Params, Prepared, Selection, TargetEnergy, Weights};
use serde::{Deserialize, Serialize};

use super::data::{DigitImages, Mnist};
use super::neighbours::PixelNeighbours;
use super::protocol::{MnistProtocol, TargetSet};
use crate::clock::CpuTimer;
use crate::contestants::{Contestant, SelectionBasis, contestants, contestants_named};
use crate::error::Result;
use crate::methods::select_near;
use crate::observe::{StopSignal, StudyObserver};

/// The methods of figure 3c.
const OVERSAMPLED: [&str; 2] = ["ProtoDash", "ProtoGreedy"];
/// The factors of figure 3c, other than 1.
const OVERSAMPLING: [f64; 2] = [2.0, 3.0];

/// Results of every method on a target set.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct DigitOutcome {
    pub(super) set: TargetSet,
    /// CPU seconds for the kernel mean.
    pub(super) kernel_mean_seconds: f64,
    /// CPU seconds in total.
    pub(super) seconds: f64,
    pub(super) methods: Vec<DigitMethodOutcome>,
    /// Results with oversampling, at full skew.
    pub(super) oversampled: Vec<Oversampled>,
}

/// Result of one method on a target set.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct DigitMethodOutcome {
    pub(super) method: String,
    /// Number of prototypes.
    pub(super) n_prototypes: usize,
    /// 1-NN accuracy on the target, at each recorded number of prototypes.
    pub(super) accuracy: Vec<f64>,
    /// Objective with the method's own weights, at each recorded number of prototypes.
    pub(super) objective: Vec<f64>,
    /// Share of the target's digit; `None` in the representative set.
    pub(super) of_digit: Option<Share>,
    /// CPU seconds for the selection, without the kernel mean.
    pub(super) seconds: f64,
}

/// Share of the target's digit in a selection.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(super) struct Share {
    /// Share of the prototypes.
    pub(super) count: f64,
    /// Share of their weight.
    pub(super) weight: f64,
}

/// A method that selected more prototypes and kept the heaviest.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Oversampled {
    pub(super) method: String,
    pub(super) factor: f64,
    pub(super) of_digit: Share,
}

/// The source of a trial with the selections that do not depend on the target.
pub(super) struct Source {
    trial: usize,
    images: DigitImages,
    /// Selections of the methods that only see the source, by name.
    chosen: HashMap<&'static str, SourceChoice>,
}

/// A selection that is the same for every target.
struct SourceChoice {
    selection: Selection,
    gram: Array2<f64>,
    seconds: f64,
}

/// A selection to be evaluated.
struct Entry {
    contestant: Contestant,
    rows: Vec<usize>,
    /// Weights of all prototypes.
    weights: Vec<f64>,
    /// Objective at each recorded number of prototypes.
    objective: Vec<f64>,
    seconds: f64,
}

/// What all units share.
pub(super) struct DigitContext<'a> {
    pub(super) mnist: &'a Mnist,
    pub(super) protocol: &'a MnistProtocol,
    pub(super) kernel: Gaussian,
    /// Bytes that one unit may hold in kernel columns.
    pub(super) column_memory: u64,
    pub(super) observer: &'a dyn StudyObserver,
}

impl DigitContext<'_> {
    /// Runs a unit; `source` is reused by the next unit of the same trial.
    pub(super) fn outcome(&self, source: &mut Option<Source>, set: TargetSet) -> Result<DigitOutcome> {
        let began = CpuTimer::start();
        if source.as_ref().is_none_or(|source| source.trial != set.trial) {
            let rows = self.protocol.source_rows(self.mnist.test.digits.len(), set.trial);
            *source = Some(Source { trial: set.trial, images: self.mnist.test.rows(&rows), chosen: HashMap::new() });
        }
        let Some(Source { images, chosen, .. }) = source else { return Err(crate::Error::Stopped) };
        let target = self.mnist.training.rows(&self.protocol.target_rows(&self.mnist.by_digit, set));
        let params = self.params(set);
        let preparing = CpuTimer::start();
        let prepared =
            Prepared::new(&target.pixels, &images.pixels, &self.kernel, &params, &mut StopSignal(self.observer))?;
        let kernel_mean_seconds = preparing.seconds();
        let round = Round { context: self, prepared, target: &target, source: images, params, set };
        let methods = round.judged(&round.entries(chosen)?);
        let oversampled = if set.skew == 100 { round.oversampled()? } else { Vec::new() };
        Ok(DigitOutcome { set, kernel_mean_seconds, seconds: began.seconds(), methods, oversampled })
    }

    /// Parameters of all methods; the seed is for the random ones.
    fn params(&self, set: TargetSet) -> Params {
        let mut params = Params::new(self.protocol.n_prototypes);
        (params.weights, params.target_energy) = (Weights::Own, TargetEnergy::Skip);
        (params.seed, params.column_memory) = (self.protocol.seed.wrapping_add(set.trial as u64), self.column_memory);
        params
    }
}

/// One target set, prepared for all methods.
struct Round<'a> {
    context: &'a DigitContext<'a>,
    prepared: Prepared<'a, f32>,
    target: &'a DigitImages,
    source: &'a DigitImages,
    params: Params,
    set: TargetSet,
}

impl Round<'_> {
    /// The selection of every contestant.
    fn entries(&self, known: &mut HashMap<&'static str, SourceChoice>) -> Result<Vec<Entry>> {
        // Any selection carries the kernel mean of this target.
        let one = self.prepared.select(&Params::new(1), &mut StopSignal(self.context.observer))?;
        let mut entries = Vec::new();
        for contestant in contestants() {
            if contestant.method == Method::Swap && !self.set.trial.is_multiple_of(self.context.protocol.swap_every) {
                continue;
            }
            entries.extend(match contestant.basis {
                SelectionBasis::Target => self.by_target(contestant)?,
                SelectionBasis::Source => {
                    if !known.contains_key(contestant.name) {
                        known.insert(contestant.name, self.chosen(contestant)?);
                    }
                    known
                        .get(contestant.name)
                        .map(|chosen| self.by_source(contestant, chosen, one.kernel_mean().unwrap_or_default()))
                }
            });
        }
        Ok(entries)
    }

    /// A method's selection for this target; `None` where P-Lasso's path skips the number.
    fn by_target(&self, contestant: Contestant) -> Result<Option<Entry>> {
        let began = CpuTimer::start();
        let params = self.params_of(contestant.method);
        let Some(selection) = select_near(&self.prepared, &params, self.context.observer)? else { return Ok(None) };
        let seconds = began.seconds();
        let objective = self.at_sizes(selection.prototypes.len(), |size| at_size(&selection.objective, size));
        Ok(Some(Entry::new(contestant, &selection, objective, seconds)))
    }

    /// A selection made from the source alone, with its objective on the target of this kernel mean.
    fn by_source(&self, contestant: Contestant, chosen: &SourceChoice, mean: &[f64]) -> Entry {
        let SourceChoice { selection, gram, seconds } = chosen;
        let means: Array1<f64> = selection.prototypes.iter().map(|chosen| mean[chosen.source_index]).collect();
        let at = |size: usize| {
            let weights = ArrayView1::from(selection.weights_at(size).unwrap_or_default());
            objective(means.slice(s![..size]), gram.slice(s![..size, ..size]), weights).unwrap_or(f64::NAN)
        };
        let objective = self.at_sizes(selection.prototypes.len(), at);
        Entry::new(contestant, selection, objective, *seconds)
    }

    /// A method's selection from the source alone.
    fn chosen(&self, contestant: Contestant) -> Result<SourceChoice> {
        let (pixels, kernel, stop_signal) =
            (&self.source.pixels, &self.context.kernel, &mut StopSignal(self.context.observer));
        let params = self.params_of(contestant.method);
        let prepared = Prepared::new(pixels, pixels, kernel, &params, stop_signal)?;
        let began = CpuTimer::start();
        let selection = prepared.select(&params, stop_signal)?;
        let seconds = began.seconds();
        Ok(SourceChoice { gram: self.gram(&selection), selection, seconds })
    }

    fn params_of(&self, method: Method) -> Params {
        let mut params = self.params.clone();
        params.method = method;
        params
    }

    fn gram(&self, selection: &Selection) -> Array2<f64> {
        let row = |place: usize| self.source.pixels.row(selection.prototypes[place].source_index).to_vec();
        let rows: Vec<Vec<f32>> = (0..selection.prototypes.len()).map(row).collect();
        Array2::from_shape_fn((rows.len(), rows.len()), |(i, j)| self.context.kernel.evaluate(&rows[i], &rows[j]))
    }

    /// A value at each recorded number of prototypes; a run that ended early counts for all larger numbers.
    fn at_sizes(&self, n_prototypes: usize, value: impl Fn(usize) -> f64) -> Vec<f64> {
        self.context.protocol.sizes().iter().map(|size| value((*size).min(n_prototypes))).collect()
    }

    /// Accuracy of each selection, and its share of the target's digit.
    fn judged(&self, entries: &[Entry]) -> Vec<DigitMethodOutcome> {
        let neighbours = PixelNeighbours::new(self.target, self.source, entries.iter().map(|entry| &entry.rows));
        let judged = |entry: &Entry| {
            let accuracy = neighbours.accuracy(&entry.rows);
            DigitMethodOutcome {
                method: entry.contestant.name.to_owned(),
                n_prototypes: entry.rows.len(),
                accuracy: self.at_sizes(entry.rows.len(), |size| at_size(&accuracy, size)),
                objective: entry.objective.clone(),
                of_digit: self.set.digit.map(|digit| self.share(entry.rows.iter().zip(&entry.weights), digit)),
                seconds: entry.seconds,
            }
        };
        entries.iter().map(judged).collect()
    }

    fn share<'b>(&self, chosen: impl Iterator<Item = (&'b usize, &'b f64)>, digit: usize) -> Share {
        let (mut all, mut of_digit) = (Share { count: 0.0, weight: 0.0 }, Share { count: 0.0, weight: 0.0 });
        for (row, weight) in chosen {
            (all.count, all.weight) = (all.count + 1.0, all.weight + weight);
            if self.source.digits[*row] == digit {
                (of_digit.count, of_digit.weight) = (of_digit.count + 1.0, of_digit.weight + weight);
            }
        }
        Share { count: of_digit.count / all.count, weight: of_digit.weight / all.weight }
    }

    /// ProtoDash and ProtoGreedy with oversampling.
    fn oversampled(&self) -> Result<Vec<Oversampled>> {
        let Some(digit) = self.set.digit else { return Ok(Vec::new()) };
        let mut found = Vec::new();
        for contestant in contestants_named(&OVERSAMPLED) {
            for factor in OVERSAMPLING {
                let mut params = self.params_of(contestant.method);
                params.oversample = factor;
                let selection = self.prepared.select(&params, &mut StopSignal(self.context.observer))?;
                let chosen = selection.prototypes.iter().map(|chosen| (&chosen.source_index, &chosen.weight));
                let of_digit = self.share(chosen, digit);
                found.push(Oversampled { method: contestant.name.to_owned(), factor, of_digit });
            }
        }
        Ok(found)
    }
}

impl Entry {
    fn new(contestant: Contestant, selection: &Selection, objective: Vec<f64>, seconds: f64) -> Entry {
        let rows = selection.prototypes.iter().map(|chosen| chosen.source_index).collect();
        let weights = selection.prototypes.iter().map(|chosen| chosen.weight).collect();
        Entry { contestant, rows, weights, objective, seconds }
    }
}

/// Value of a path at `size` prototypes; 0 without prototypes.
fn at_size(path: &[f64], size: usize) -> f64 {
    size.checked_sub(1).and_then(|place| path.get(place)).copied().unwrap_or(0.0)
}
