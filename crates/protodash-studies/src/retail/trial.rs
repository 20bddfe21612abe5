//! One unit of work: a selection with the regression trained on it, a follow-up of prototypes, or the cost of a
//! selection.

use ndarray::{Array2, ArrayView1, Axis, concatenate};
use protodash::{CrossValidation, Gaussian, Params, Prepared, Selection, TargetEnergy, Weights, cross_validate};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use super::data::{CustomerGroup, Earlier, RetailProblem, Shops};
use super::protocol::{ProblemSize, RetailProtocol, Set};
use super::svr::{Regression, SvrParams};
use crate::clock::CpuTimer;
use crate::contestants::{Contestant, SelectionBasis, contestant};
use crate::error::Result;
use crate::methods::select_near;
use crate::observe::{StopSignal, StudyObserver};

/// Noise added to copies of a customer, in standard deviations of each feature.
const JITTER: f64 = 0.1;

/// Result of training with a selection of regular customers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct TrainingOutcome {
    pub(super) n_loyal: usize,
    pub(super) n_regular: usize,
    pub(super) n_selected: usize,
    /// CPU seconds; `None` where everybody is taken.
    pub(super) seconds: Option<Seconds>,
    /// Weighted average of each feature and of the expenditure over the selection.
    pub(super) profile: Vec<Profile>,
    pub(super) choice: SvrParams,
    /// Error of these parameters on held-out training rows.
    pub(super) validation_error: f64,
    /// Share of the objective that the last tenth of the prototypes adds; `None` without an objective.
    pub(super) last_tenth: Option<f64>,
    /// Predicted minus true log(1 + expenditure) of each predicted customer.
    pub(super) errors: Vec<f64>,
    /// The same in pounds (or in page values).
    pub(super) plain_errors: Vec<f64>,
}

/// CPU seconds of a selection.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(super) struct Seconds {
    pub(super) kernel_mean: f64,
    pub(super) choice: f64,
}

/// Profile of the selection in one feature.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Profile {
    pub(super) feature: String,
    /// Average, weighted by the prototypes' weights.
    pub(super) mean: f64,
    /// Percentile of that average among regular customers.
    pub(super) percentile: f64,
}

/// Follow-up of the heaviest prototypes of the earlier year.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct LaterOutcome {
    pub(super) n_followed: usize,
    /// Number of them who were loyal a year later.
    pub(super) n_turned: usize,
    /// Share of all regular customers who were.
    pub(super) base_rate: f64,
}

/// Cost of a selection.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct ScaleOutcome {
    pub(super) n_target: usize,
    pub(super) n_features: usize,
    /// Number of prototypes when the selection ended.
    pub(super) n_prototypes: usize,
    pub(super) seconds: Seconds,
}

/// Parameters of a selection.
#[derive(Debug, Clone, Copy)]
pub(super) struct ChoiceParams {
    /// Number of prototypes.
    pub(super) number: usize,
    /// Bandwidth of the kernel.
    pub(super) width: f64,
    /// Index of the draw of RandomW.
    pub(super) draw: usize,
}

/// What all units share.
pub(super) struct RetailContext<'a> {
    pub(super) shops: &'a Shops,
    pub(super) protocol: &'a RetailProtocol,
    /// Bytes for the kernel columns of one unit while others run.
    pub(super) column_memory: u64,
    /// Bytes for the kernel columns where one unit runs at a time.
    pub(super) memory: u64,
    pub(super) observer: &'a dyn StudyObserver,
}

impl RetailContext<'_> {
    /// Bandwidth by cross-validation: mean distance of held-out loyal customers to the nearest prototype.
    pub(super) fn width(&self, loyal: &CustomerGroup, regular: &CustomerGroup) -> Result<f64> {
        let mut folds = CrossValidation::default();
        (folds.n_rows, folds.seed) = (self.protocol.n_bandwidth, self.protocol.seed);
        let params = Params::new(self.protocol.bandwidth_prototypes);
        let (target, source, stop_signal) = (&loyal.rows, &regular.rows, &mut StopSignal(self.observer));
        Ok(cross_validate(target, source, None, &Gaussian::new, &params, &folds, stop_signal)?.best().bandwidth)
    }

    /// Number of prototypes for the loyal: in the paper's proportion, or as many as ProtoDash needs.
    pub(super) fn number(&self, (loyal, regular): (&CustomerGroup, &CustomerGroup), width: f64) -> Result<usize> {
        let number = self.protocol.n_prototypes(loyal.spend.len(), regular.spend.len());
        let Some(protodash) = contestant("ProtoDash") else { return Ok(number) };
        let found = self.choose((loyal, regular), protodash, ChoiceParams { number, width, draw: 0 })?;
        Ok(found.map_or(number, |(selection, _)| selection.prototypes.len()))
    }

    /// Selects, trains and predicts; `None` where P-Lasso's path skips the number.
    pub(super) fn training(&self, set: Set, by: &str, params: ChoiceParams) -> Result<Option<TrainingOutcome>> {
        let problem = self.shops.problem(set);
        let (n_loyal, n_regular) = (problem.loyal.spend.len(), problem.regular.spend.len());
        let chosen = match contestant(by) {
            None => ChosenCustomers {
                rows: (0..n_regular).collect(),
                weights: vec![1.0; n_regular],
                ..ChosenCustomers::default()
            },
            Some(by) => match self.choose((&problem.loyal, &problem.regular), by, params)? {
                Some((selection, seconds)) => ChosenCustomers::of(&selection, seconds),
                None => return Ok(None),
            },
        };
        let ChosenCustomers { rows: chosen, weights, seconds, last_tenth } = chosen;
        let (choice, validation_error, predicted) = self.predicted(problem, &chosen)?;
        let truth = problem.test.spend.iter();
        Ok(Some(TrainingOutcome {
            n_loyal,
            n_regular,
            n_selected: chosen.len(),
            seconds,
            profile: profile(problem, &chosen, &weights),
            choice,
            validation_error,
            last_tenth,
            errors: truth.clone().zip(&predicted).map(|(spend, log)| log - spend.ln_1p()).collect(),
            plain_errors: truth.zip(&predicted).map(|(spend, log)| log.exp_m1() - spend).collect(),
        }))
    }

    /// Follow-up of the heaviest prototypes of the earlier year; `None` where P-Lasso's path skips the number.
    pub(super) fn later(&self, by: &str, params: ChoiceParams) -> Result<Option<LaterOutcome>> {
        let Earlier { loyal, regular, turned } = &self.shops.earlier;
        let Some(by) = contestant(by) else { return Ok(None) };
        let Some((selection, _)) = self.choose((loyal, regular), by, params)? else { return Ok(None) };
        let followed = heaviest(&selection, self.protocol.n_heaviest);
        let all = turned.iter().filter(|turned| **turned).count();
        Ok(Some(LaterOutcome {
            n_followed: followed.len(),
            n_turned: followed.iter().filter(|row| turned[**row]).count(),
            base_rate: all as f64 / turned.len() as f64,
        }))
    }

    /// Measures the cost of a selection of this size.
    pub(super) fn scale(&self, scale: ProblemSize, width: f64) -> Result<ScaleOutcome> {
        let RetailProblem { loyal, regular, .. } = &self.shops.customers;
        let target = enlarged(&loyal.rows, scale.n_target(), self.protocol.seed);
        let source = enlarged(&regular.rows, scale.n_source, self.protocol.seed.wrapping_add(1));
        let kernel = Gaussian::new(width)?;
        let mut params = Params::new(scale.n_prototypes.min(scale.n_source));
        (params.target_energy, params.column_memory) = (TargetEnergy::Skip, self.memory);
        let began = CpuTimer::start();
        let prepared = Prepared::new(&target, &source, &kernel, &params, &mut StopSignal(self.observer))?;
        let kernel_mean = began.seconds();
        let began = CpuTimer::start();
        let selection = prepared.select(&params, &mut StopSignal(self.observer))?;
        let seconds = Seconds { kernel_mean, choice: began.seconds() };
        let (n_target, n_features, n_prototypes) = (target.nrows(), target.ncols(), selection.prototypes.len());
        Ok(ScaleOutcome { n_target, n_features, n_prototypes, seconds })
    }

    fn choose(
        &self,
        (loyal, regular): (&CustomerGroup, &CustomerGroup),
        Contestant { method, basis, .. }: Contestant,
        ChoiceParams { number, width, draw }: ChoiceParams,
    ) -> Result<Option<(Selection, Seconds)>> {
        let kernel = Gaussian::new(width)?;
        let mut params = Params::new(number);
        (params.method, params.weights, params.target_energy) = (method, Weights::Own, TargetEnergy::Skip);
        (params.seed, params.column_memory) = (self.protocol.seed.wrapping_add(draw as u64), self.column_memory);
        let began = CpuTimer::start();
        let target = if basis == SelectionBasis::Source { &regular.rows } else { &loyal.rows };
        let prepared = Prepared::new(target, &regular.rows, &kernel, &params, &mut StopSignal(self.observer))?;
        let kernel_mean = began.seconds();
        let began = CpuTimer::start();
        let selection = select_near(&prepared, &params, self.observer)?;
        let choice = began.seconds();
        Ok(selection.map(|selection| (selection, Seconds { kernel_mean, choice })))
    }

    /// Parameters of the regression, their error on held-out training rows, and the predicted logarithms.
    fn predicted(&self, problem: &RetailProblem, chosen: &[usize]) -> Result<(SvrParams, f64, Vec<f64>)> {
        let selected = problem.regular.rows.select(Axis(0), chosen);
        let rows = concatenate(Axis(0), &[problem.loyal.rows.view(), selected.view()]).map_err(|_| {
            protodash::Error::DifferentColumns { target: problem.loyal.rows.ncols(), available: selected.ncols() }
        })?;
        let spend = problem.loyal.spend.iter().chain(chosen.iter().map(|row| &problem.regular.spend[*row]));
        let logs: Vec<f64> = spend.map(|spend| spend.ln_1p()).collect();
        let mean = logs.iter().sum::<f64>() / logs.len() as f64;
        let variance = logs.iter().map(|log| (log - mean).powi(2)).sum::<f64>() / logs.len() as f64;
        let deviation = if variance > 0.0 { variance.sqrt() } else { 1.0 };
        let values: Vec<f64> = logs.iter().map(|log| (log - mean) / deviation).collect();
        let (choice, error) = self.protocol.search.best(rows.view(), &values, self.protocol.seed, self.observer)?;
        let regression = Regression::fit(rows.view(), &values, choice);
        let predicted = regression.predict(problem.test.rows.view());
        Ok((choice, error * deviation, predicted.into_iter().map(|value| mean + deviation * value).collect()))
    }
}

/// The selected customers.
#[derive(Default)]
struct ChosenCustomers {
    rows: Vec<usize>,
    weights: Vec<f64>,
    seconds: Option<Seconds>,
    last_tenth: Option<f64>,
}

impl ChosenCustomers {
    fn of(selection: &Selection, seconds: Seconds) -> ChosenCustomers {
        let (rows, weights) = selection.prototypes.iter().map(|chosen| (chosen.source_index, chosen.weight)).unzip();
        ChosenCustomers { rows, weights, seconds: Some(seconds), last_tenth: last_tenth(&selection.objective) }
    }
}

/// Share of the objective that the last tenth of the steps adds.
fn last_tenth(objective: &[f64]) -> Option<f64> {
    let (n, last) = (objective.len(), *objective.last()?);
    let before = objective.get((n - n.div_ceil(10)).checked_sub(1)?)?;
    Some((last - before) / last)
}

/// Profile of the selection in each feature and in expenditure.
fn profile(problem: &RetailProblem, chosen: &[usize], weights: &[f64]) -> Vec<Profile> {
    let spend = ArrayView1::from(&problem.regular.spend);
    let columns = problem.regular.raw.columns().into_iter().chain([spend]);
    let names = problem.features.iter().map(String::as_str).chain(["expenditure"]);
    names.zip(columns).map(|(feature, column)| typical(feature, column, chosen, weights)).collect()
}

fn typical(feature: &str, column: ArrayView1<'_, f64>, chosen: &[usize], weights: &[f64]) -> Profile {
    let total: f64 = weights.iter().sum();
    let mean = chosen.iter().zip(weights).map(|(row, weight)| weight * column[*row]).sum::<f64>() / total;
    let below = column.iter().filter(|value| **value < mean).count();
    Profile { feature: feature.to_owned(), mean, percentile: 100.0 * below as f64 / column.len() as f64 }
}

/// Rows of the heaviest prototypes; among equal weights those chosen first.
fn heaviest(selection: &Selection, number: usize) -> Vec<usize> {
    let mut places: Vec<usize> = (0..selection.prototypes.len()).collect();
    places.sort_by(|one, other| selection.prototypes[*other].weight.total_cmp(&selection.prototypes[*one].weight));
    places.truncate(number);
    places.into_iter().map(|place| selection.prototypes[place].source_index).collect()
}

/// A random sample of rows with replacement, with noise so that no two are equal.
fn enlarged(rows: &Array2<f64>, number: usize, seed: u64) -> Array2<f32> {
    let mut generator = ChaCha8Rng::seed_from_u64(seed);
    let mut uniform = move || (generator.random_range(0..1_u64 << 53) as f64 + 0.5) / (1_u64 << 53) as f64;
    let mut all = Array2::zeros((number, rows.ncols()));
    for mut row in all.rows_mut() {
        let drawn = rows.row((uniform() * rows.nrows() as f64) as usize);
        for (cell, value) in row.iter_mut().zip(drawn) {
            // Box–Muller; one of its two values is used.
            let normal = (-2.0 * uniform().ln()).sqrt() * (std::f64::consts::TAU * uniform()).cos();
            *cell = (value + JITTER * normal) as f32;
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use ndarray::array;

    use super::*;

    #[test]
    fn a_profile_worked_by_hand() {
        let column = array![1.0, 2.0, 3.0, 10.0];
        // (1·2 + 3·10)/4 = 8, above three of four.
        let found = typical("visits", column.view(), &[1, 3], &[1.0, 3.0]);
        assert_eq!((found.mean, found.percentile), (8.0, 75.0));
    }

    #[test]
    fn what_the_last_tenth_adds_worked_by_hand() {
        // Of 20 steps the last two add 0.5 of 10.
        let mut objective = vec![9.5; 20];
        (objective[18], objective[19]) = (9.8, 10.0);
        assert!((last_tenth(&objective).unwrap() - 0.05).abs() < 1e-15);
        assert_eq!((last_tenth(&[]), last_tenth(&[1.0])), (None, None));
    }

    #[test]
    fn enlarged_rows_are_near_those_drawn() {
        let rows = array![[0.0, 100.0], [50.0, 0.0]];
        let all = enlarged(&rows, 1000, 7);
        assert_eq!(all, enlarged(&rows, 1000, 7));
        let near =
            |row: ArrayView1<'_, f32>, at: [f32; 2]| row.iter().zip(at).all(|(one, other)| (one - other).abs() < 1.0);
        assert!(all.rows().into_iter().all(|row| near(row, [0.0, 100.0]) || near(row, [50.0, 0.0])));
        let first = all.rows().into_iter().filter(|row| near(*row, [0.0, 100.0])).count();
        assert!((400..600).contains(&first), "{first}");
    }
}
