//! Averages with 95 % confidence intervals.

use serde::{Deserialize, Serialize};

/// The 97.5 % points of Student's distribution with 1 to 10 degrees of freedom.
const FEW: [f64; 10] = [12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281];

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
    /// The interval reaches from the mean less this to the mean and this; unknown after a single trial.
    pub half_width: Option<f64>,
    /// How many trials.
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

    /// The lower end of the interval; the mean where the interval is unknown.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(protodash_studies::Estimate::of(&[2.0, 2.0]).unwrap().low(), 2.0);
    /// ```
    pub fn low(&self) -> f64 {
        self.mean - self.half_width.unwrap_or(0.0)
    }

    /// The upper end of the interval; the mean where the interval is unknown.
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

/// The 97.5 % point of Student's distribution: a table for few degrees of freedom, and for more the expansion of Cornish
/// and Fisher, which is right to four digits from 11 on.
fn student(degrees: usize) -> f64 {
    if let Some(value) = FEW.get(degrees.wrapping_sub(1)) {
        return *value;
    }
    let (z, v) = (1.959_963_984_540_054_f64, degrees as f64);
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
    fn the_points_of_student_are_those_of_the_tables() {
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
}
