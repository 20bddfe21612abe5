//! Averages and proportions with 95 % confidence intervals.

use serde::{Deserialize, Serialize};

/// 97.5 % quantiles of Student's t-distribution with 1 to 10 degrees of freedom.
const FEW: [f64; 10] = [12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281];

/// The 97.5 % quantile of the normal distribution.
pub(crate) const NORMAL: f64 = 1.959_963_984_540_054;

/// An average over independent trials with its 95 % confidence interval.
///
/// # Examples
///
/// ```
/// use protodash_studies::Estimate;
///
/// let estimate = Estimate::of(&[1.0, 2.0, 3.0]).unwrap();
/// assert_eq!((estimate.mean, estimate.n), (2.0, 3));
/// assert!((estimate.half_width.unwrap() - 4.3027 / 3.0_f64.sqrt()).abs() < 1e-12);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Estimate {
    /// The average.
    pub mean: f64,
    /// The interval is mean ± half width; unknown after a single trial.
    pub half_width: Option<f64>,
    /// Number of trials.
    pub n: usize,
}

impl Estimate {
    /// The estimate from one value of each trial; `None` if there is none.
    ///
    /// # Formula
    ///
    /// ```text
    /// half_width = t₀.₉₇₅(n − 1) · √(Σ(xᵢ − mean)² / (n − 1) / n)
    /// ```
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash_studies::Estimate;
    ///
    /// assert_eq!(Estimate::of(&[]), None);
    /// assert_eq!(Estimate::of(&[5.0]).unwrap().half_width, None);
    /// ```
    pub fn of(values: &[f64]) -> Option<Estimate> {
        let n = values.len();
        let mean = values.iter().sum::<f64>() / n as f64;
        let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
        let half_width = (n > 1).then(|| student(n - 1) * (squares / (n - 1) as f64 / n as f64).sqrt());
        (n > 0).then_some(Estimate { mean, half_width, n })
    }

    /// The lower end of the interval; the mean if the interval is unknown.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(protodash_studies::Estimate::of(&[2.0, 2.0]).unwrap().low(), 2.0);
    /// ```
    pub fn low(&self) -> f64 {
        self.mean - self.half_width.unwrap_or(0.0)
    }

    /// The upper end of the interval; the mean if the interval is unknown.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(protodash_studies::Estimate::of(&[2.0, 2.0]).unwrap().high(), 2.0);
    /// ```
    pub fn high(&self) -> f64 {
        self.mean + self.half_width.unwrap_or(0.0)
    }
}

/// A share of successes with Wilson's 95 % confidence interval.
///
/// # Formula
///
/// ```text
/// p = number / n,  z = 1.96
/// (p + z²/2n ± z √(p(1 − p)/n + z²/4n²)) / (1 + z²/n)
/// ```
///
/// Unlike p ± z √(p(1 − p)/n) it stays within 0 and 1 and is accurate for few trials and for extreme shares.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Proportion {
    pub(crate) share: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

impl Proportion {
    /// The share of `number` successes in `n` trials; `None` without trials.
    pub(crate) fn of(number: usize, n: usize) -> Option<Proportion> {
        let share = number as f64 / n as f64;
        let squared = NORMAL * NORMAL / n as f64;
        let middle = (share + squared / 2.0) / (1.0 + squared);
        let half = (squared * share * (1.0 - share) + squared * squared / 4.0).sqrt() / (1.0 + squared);
        (n > 0).then_some(Proportion { share, low: middle - half, high: middle + half })
    }
}

/// The 97.5 % quantile of Student's t-distribution: a table up to 10 degrees of freedom, then the Cornish–Fisher
/// expansion, which is accurate to four digits.
fn student(degrees: usize) -> f64 {
    if let Some(value) = FEW.get(degrees.wrapping_sub(1)) {
        return *value;
    }
    let (z, v) = (NORMAL, degrees as f64);
    let (z3, z5, z7, z9) = (z.powi(3), z.powi(5), z.powi(7), z.powi(9));
    z + (z3 + z) / (4.0 * v)
        + (5.0 * z5 + 16.0 * z3 + 3.0 * z) / (96.0 * v * v)
        + (3.0 * z7 + 19.0 * z5 + 17.0 * z3 - 15.0 * z) / (384.0 * v.powi(3))
        + (79.0 * z9 + 776.0 * z7 + 1482.0 * z5 - 1920.0 * z3 - 945.0 * z) / (92_160.0 * v.powi(4))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn student_quantiles_match_published_tables() {
        for (degrees, expected) in [(1, 12.7062), (10, 2.2281), (11, 2.2010), (20, 2.0860), (99, 1.9842)] {
            assert!((student(degrees) - expected).abs() < 1e-4, "{degrees}: {}", student(degrees));
        }
    }

    #[test]
    fn an_interval_worked_by_hand() {
        // Mean 5, squares 9 + 1 + 1 + 9 = 20, variance 20/3, standard error √(20/12) = 1.29099, t(3) = 3.1824.
        let estimate = Estimate::of(&[2.0, 4.0, 6.0, 8.0]).unwrap();
        assert_eq!((estimate.mean, estimate.n), (5.0, 4));
        assert!((estimate.half_width.unwrap() - 4.108_46).abs() < 1e-4, "{estimate:?}");
        assert!((estimate.low() - 0.891_54).abs() < 1e-4 && (estimate.high() - 9.108_46).abs() < 1e-4);
    }

    #[test]
    fn wilson_s_interval_worked_by_hand() {
        // p = 0.3, z²/n = 3.84146/10 = 0.384146: the middle is 0.492073/1.384146 = 0.355506, the half width
        // √(0.384146·0.21 + 0.384146²/4)/1.384146 = √(0.0806706 + 0.0368920)/1.384146 = 0.247715.
        let found = Proportion::of(3, 10).unwrap();
        assert!((found.low - 0.107_791).abs() < 1e-5 && (found.high - 0.603_222).abs() < 1e-5, "{found:?}");
        // None of 10: from 0 to z²/n / (1 + z²/n) = 0.277533.
        let none = Proportion::of(0, 10).unwrap();
        assert!(none.low.abs() < 1e-12 && (none.high - 0.277_533).abs() < 1e-5, "{none:?}");
        assert_eq!(Proportion::of(0, 0), None);
    }
}
