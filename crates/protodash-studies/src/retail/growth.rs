//! A cost model in rows and prototypes, to extrapolate to the size of the paper's problem.

use super::evidence::RetailEvidence;
use super::trial::ScaleOutcome;

/// Size of the paper's problem: loyal customers, regular customers, prototypes.
pub(super) const PAPER: (f64, f64, f64) = (2e6, 78e6, 1.5e6);

/// Seconds on one thread as a function of target rows n₁, source rows n₂ and prototypes m.
///
/// # Formula
///
/// ```text
/// kernel mean  a · n₁ n₂
/// choice       n₂ (b · m + c · m²/2)
/// ```
///
/// A step computes one kernel column (b per row) and reads the columns kept so far (c per row and column).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Growth {
    pub(super) of_kernel_mean: f64,
    pub(super) of_column: f64,
    pub(super) of_pass: f64,
    /// Log-log slope of total time against source rows, n₁ growing with n₂, at the smallest m measured.
    pub(super) exponent: f64,
}

impl Growth {
    /// Fits the measured times by least squares on relative errors.
    pub(super) fn of(evidence: &RetailEvidence) -> Option<Growth> {
        let measured: Vec<MeasuredCost> = evidence.scales().map(MeasuredCost::from).collect();
        let least = measured.iter().map(|one| one.m).fold(f64::INFINITY, f64::min);
        let line: Vec<(f64, f64)> =
            measured.iter().filter(|one| one.m == least).map(|one| (one.n2.ln(), one.total().ln())).collect();
        let means: Vec<(f64, f64)> = measured.iter().map(|one| (one.n1 * one.n2, one.kernel_mean)).collect();
        // Relative errors give small and large problems the same influence.
        let relative = means.iter().map(|(work, seconds)| work / seconds);
        let of_kernel_mean = relative.clone().sum::<f64>() / relative.map(|one| one * one).sum::<f64>();
        let (of_column, of_pass) = two(&measured)?;
        (measured.len() > 2).then(|| Growth { of_kernel_mean, of_column, of_pass, exponent: slope(&line) })
    }

    /// Predicted seconds for the kernel mean and for the selection.
    pub(super) fn seconds(&self, (n1, n2, m): (f64, f64, f64)) -> (f64, f64) {
        (self.of_kernel_mean * n1 * n2, n2 * (self.of_column * m + self.of_pass * m * m / 2.0))
    }
}

/// One measurement.
#[derive(Debug, Clone, Copy)]
struct MeasuredCost {
    n1: f64,
    n2: f64,
    m: f64,
    kernel_mean: f64,
    choice: f64,
}

impl From<(usize, &ScaleOutcome)> for MeasuredCost {
    fn from((n_source, outcome): (usize, &ScaleOutcome)) -> MeasuredCost {
        MeasuredCost {
            n1: outcome.n_target as f64,
            n2: n_source as f64,
            m: outcome.n_prototypes as f64,
            kernel_mean: outcome.seconds.kernel_mean,
            choice: outcome.seconds.choice,
        }
    }
}

impl MeasuredCost {
    fn total(&self) -> f64 {
        self.kernel_mean + self.choice
    }
}

/// Fits b and c, both non-negative, by least squares on relative errors.
fn two(measured: &[MeasuredCost]) -> Option<(f64, f64)> {
    let (mut xx, mut xy, mut yy, mut x, mut y) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for one in measured {
        let (column, pass) = (one.n2 * one.m / one.choice, one.n2 * one.m * one.m / 2.0 / one.choice);
        xx += column * column;
        xy += column * pass;
        yy += pass * pass;
        x += column;
        y += pass;
    }
    let determinant = xx * yy - xy * xy;
    let both = ((x * yy - y * xy) / determinant, (y * xx - x * xy) / determinant);
    if xx <= 0.0 || yy <= 0.0 {
        return None;
    }
    Some(match both {
        (column, pass) if column >= 0.0 && pass >= 0.0 => both,
        (column, _) if column >= 0.0 => (x / xx, 0.0),
        _ => (0.0, y / yy),
    })
}

/// Slope of the least-squares line.
fn slope(points: &[(f64, f64)]) -> f64 {
    let n = points.len() as f64;
    let (x, y) =
        (points.iter().map(|point| point.0).sum::<f64>() / n, points.iter().map(|point| point.1).sum::<f64>() / n);
    let over: f64 = points.iter().map(|point| (point.0 - x) * (point.1 - y)).sum();
    over / points.iter().map(|point| (point.0 - x).powi(2)).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::super::evidence::{RetailResult, RetailUnit};
    use super::super::protocol::{ProblemSize, RetailTask};
    use super::super::trial::Seconds;
    use super::*;

    #[test]
    fn a_cost_that_follows_the_formula_is_recovered() {
        let (a, b, c) = (2e-9, 3e-8, 4e-10);
        let mut evidence = RetailEvidence::default();
        for (n_source, n_prototypes) in [(1000, 10), (2000, 10), (4000, 10), (1000, 100), (1000, 400)] {
            let scale = ProblemSize { n_source, n_prototypes };
            let (n1, n2, m) = (scale.n_target() as f64, n_source as f64, n_prototypes as f64);
            let seconds = Seconds { kernel_mean: a * n1 * n2, choice: n2 * (b * m + c * m * m / 2.0) };
            let outcome = ScaleOutcome { n_target: scale.n_target(), n_features: 10, n_prototypes, seconds };
            evidence.add(vec![RetailUnit { task: RetailTask::Scale { scale }, found: RetailResult::Scale(outcome) }]);
        }
        let growth = Growth::of(&evidence).unwrap();
        let near = |found: f64, expected: f64| assert!((found / expected - 1.0).abs() < 1e-6, "{found} {expected}");
        near(growth.of_kernel_mean, a);
        near(growth.of_column, b);
        near(growth.of_pass, c);
        assert!((1.0..2.0).contains(&growth.exponent), "{growth:?}");
        let (mean, choice) = growth.seconds((10.0, 100.0, 2.0));
        near(mean, a * 1000.0);
        near(choice, 100.0 * (2.0 * b + 2.0 * c));
    }

    #[test]
    fn a_slope_worked_by_hand() {
        assert_eq!(slope(&[(0.0, 1.0), (1.0, 3.0), (2.0, 5.0)]), 2.0);
    }
}
