//! Support vector regression with a Gaussian kernel, by LIBSVM's algorithm as the paper has it.

use libsvm_rs::predict::predict;
use libsvm_rs::train::svm_train;
use libsvm_rs::{KernelType, SvmModel, SvmNode, SvmParameter, SvmProblem, SvmType};
use ndarray::{ArrayView1, ArrayView2, Axis};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};
use crate::watch::Watcher;

/// Errors up to this are none: a tenth of the standard deviation of what is predicted.
const TOLERATED: f64 = 0.1;
/// Megabytes for kernel values.
const CACHE: f64 = 200.0;

/// What a regression is free to choose.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(super) struct Choice {
    /// What an error costs.
    pub(super) cost: f64,
    /// γ in exp(−γ d²).
    pub(super) gamma: f64,
}

/// A trained regression.
pub(super) struct Regression(SvmModel);

impl Regression {
    /// The regression of `values` on `rows`.
    pub(super) fn fit(rows: ArrayView2<'_, f64>, values: &[f64], choice: Choice) -> Regression {
        // The library tells its iterations on stderr unless told not to.
        libsvm_rs::set_quiet(true);
        let instances = rows.rows().into_iter().map(nodes).collect();
        let parameter = SvmParameter {
            svm_type: SvmType::EpsilonSvr,
            kernel_type: KernelType::Rbf,
            gamma: choice.gamma,
            c: choice.cost,
            p: TOLERATED,
            cache_size: CACHE,
            ..SvmParameter::default()
        };
        Regression(svm_train(&SvmProblem { labels: values.to_vec(), instances }, &parameter))
    }

    /// What it predicts for each row.
    pub(super) fn predict(&self, rows: ArrayView2<'_, f64>) -> Vec<f64> {
        rows.rows().into_iter().map(|row| predict(&self.0, &nodes(row))).collect()
    }
}

fn nodes(row: ArrayView1<'_, f64>) -> Vec<SvmNode> {
    row.iter().zip(1..).map(|(value, index)| SvmNode { index, value: *value }).collect()
}

/// How a choice is made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Search {
    /// What is tried.
    pub(super) choices: Vec<Choice>,
    pub(super) n_folds: usize,
    /// Of more rows than this, a seeded sample is used.
    pub(super) n_rows: usize,
}

impl Search {
    /// The choice with the least error on held-out rows, and that error: the root of the mean square.
    pub(super) fn best(
        &self,
        rows: ArrayView2<'_, f64>,
        values: &[f64],
        seed: u64,
        watcher: &dyn Watcher,
    ) -> Result<(Choice, f64)> {
        let order = shuffled(values.len(), seed);
        let order = &order[..order.len().min(self.n_rows)];
        let mut best: Option<(Choice, f64)> = None;
        for choice in &self.choices {
            let mut squares = 0.0;
            for fold in 0..self.n_folds {
                if watcher.is_stopped() {
                    return Err(Error::Stopped);
                }
                squares += self.held_out(rows, values, order, fold, *choice);
            }
            let error = (squares / order.len() as f64).sqrt();
            if best.is_none_or(|(_, least)| error < least) {
                best = Some((*choice, error));
            }
        }
        best.ok_or(Error::Setting { name: "the number of choices", given: 0, allowed: "at least 1" })
    }

    /// The sum of squared errors on one fold by a regression on the others.
    fn held_out(&self, rows: ArrayView2<'_, f64>, values: &[f64], order: &[usize], fold: usize, choice: Choice) -> f64 {
        let part = |held_out: bool| -> Vec<usize> {
            let is_part = |(place, _): &(usize, &usize)| (place % self.n_folds == fold) == held_out;
            order.iter().enumerate().filter(is_part).map(|(_, row)| *row).collect()
        };
        let (training, test) = (part(false), part(true));
        if training.is_empty() {
            return 0.0;
        }
        let of = |places: &[usize]| places.iter().map(|row| values[*row]).collect::<Vec<f64>>();
        let regression = Regression::fit(rows.select(Axis(0), &training).view(), &of(&training), choice);
        let predicted = regression.predict(rows.select(Axis(0), &test).view());
        of(&test).iter().zip(predicted).map(|(value, predicted)| (value - predicted).powi(2)).sum()
    }
}

/// The numbers up to `number` in a seeded order.
pub(super) fn shuffled(number: usize, seed: u64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..number).collect();
    let mut generator = ChaCha8Rng::seed_from_u64(seed);
    for place in 1..number {
        // Drawn as 64 bits, so that machines with other word sizes draw the same.
        order.swap(place, generator.random_range(0..=place as u64) as usize);
    }
    order
}

#[cfg(test)]
mod tests {
    use ndarray::{Array2, array};

    use super::*;
    use crate::watch::Unwatched;

    fn problem() -> (Array2<f64>, Vec<f64>) {
        let rows = Array2::from_shape_fn((24, 2), |(row, column)| match column {
            0 => (1.3 * row as f64).sin(),
            _ => (0.7 * row as f64).cos(),
        });
        let value = |row: usize| {
            let (x, y) = (rows[(row, 0)], rows[(row, 1)]);
            x * y + 0.5 * x * x + 0.1 * (5.0 * row as f64).sin()
        };
        let values = (0..24).map(value).collect();
        (rows, values)
    }

    #[test]
    fn predictions_are_those_of_scikit_learn() {
        let (rows, values) = problem();
        let regression = Regression::fit(rows.view(), &values, Choice { cost: 10.0, gamma: 0.5 });
        let points = array![[0.0, 0.0], [0.5, -0.5], [-1.0, 1.0], [0.9, 0.2], [2.0, 2.0]];
        // sklearn.svm.SVR(C=10, gamma=0.5, epsilon=0.1, tol=1e-6), scikit-learn 1.9.1.
        let expected =
            [-0.036102028139191944, -0.17866674317005982, -0.30763385155573864, 0.5412875086432857, 0.8902107064080833];
        for (found, expected) in regression.predict(points.view()).into_iter().zip(expected) {
            assert!((found - expected).abs() < 2e-3, "{found} instead of {expected}");
        }
    }

    #[test]
    fn errors_within_the_tube_cost_nothing_and_no_others() {
        // What the optimum looks like: off by less than ε where the row is no support vector, by ε on free ones.
        let (rows, values) = problem();
        let (regression, cost) = (Regression::fit(rows.view(), &values, Choice { cost: 10.0, gamma: 0.5 }), 10.0);
        let predicted = regression.predict(rows.view());
        let mut coefficients = vec![0.0; values.len()];
        for (place, vector) in regression.0.sv.iter().enumerate() {
            let at = |row: &usize| vector.iter().zip(rows.row(*row)).all(|(node, value)| node.value == *value);
            coefficients[(0..values.len()).find(at).unwrap()] = regression.0.sv_coef[0][place];
        }
        assert!(coefficients.iter().sum::<f64>().abs() < 1e-9);
        for (row, coefficient) in coefficients.iter().enumerate() {
            let error = values[row] - predicted[row];
            let tube = TOLERATED + 2e-3;
            match coefficient.abs() {
                0.0 => assert!(error.abs() <= tube, "row {row}: {error}"),
                bound if bound >= cost - 1e-9 => assert!(error * coefficient.signum() >= TOLERATED - 2e-3),
                _ => assert!((error - TOLERATED * coefficient.signum()).abs() < 2e-3, "row {row}: {error}"),
            }
        }
    }

    #[test]
    fn the_best_choice_has_the_least_error_on_held_out_rows() {
        let (rows, values) = problem();
        let choices = vec![Choice { cost: 1e-6, gamma: 0.5 }, Choice { cost: 10.0, gamma: 0.5 }];
        let search = Search { choices, n_folds: 4, n_rows: 100 };
        let (choice, error) = search.best(rows.view(), &values, 0, &Unwatched).unwrap();
        assert_eq!(choice.cost, 10.0);
        assert!(error < 0.3, "{error}");
    }

    #[test]
    fn shuffling_keeps_every_number() {
        let mut order = shuffled(50, 3);
        assert_ne!(order, (0..50).collect::<Vec<_>>());
        order.sort_unstable();
        assert_eq!(order, (0..50).collect::<Vec<_>>());
    }
}
