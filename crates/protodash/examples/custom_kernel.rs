//! A kernel for the time of day, on which 23:30 and 00:30 are an hour apart.
//!
//! Every method of the library works with any symmetric positive definite kernel. This one is the von Mises kernel
//! exp(κ (cos θ − 1)), where θ is the angle between two hands of a 24-hour clock. Comparing hours by their difference
//! would split the night at midnight.

#![allow(clippy::print_stdout, reason = "examples print their results")]

use ndarray::{Array2, array};
use protodash::{Gaussian, Kernel, Params, represent, select};

/// Similarity of two times of day, in hours.
struct TimeOfDay {
    /// How quickly similarity falls with distance (κ).
    concentration: f64,
}

impl Kernel<f64> for TimeOfDay {
    fn evaluate(&self, x: &[f64], y: &[f64]) -> f64 {
        let angle = (x[0] - y[0]) * std::f64::consts::TAU / 24.0;
        (self.concentration * (angle.cos() - 1.0)).exp()
    }
}

fn main() -> protodash::Result<()> {
    // Alarms of a week: a burst around midnight, one before noon, one in the evening.
    let alarms: Array2<f64> = array![
        [22.9],
        [23.2],
        [23.6],
        [23.9],
        [0.1],
        [0.3],
        [0.7],
        [1.1], // eight at night
        [10.4],
        [10.9],
        [11.0],
        [11.3],
        [11.8], // five before noon
        [18.5],
        [19.0],
        [19.2] // three in the evening
    ];
    let kernel = TimeOfDay { concentration: 6.0 };
    let selection = select(&alarms, &alarms, &kernel, &Params::new(3))?;
    let nearest = represent(&alarms, &alarms, &selection.prototypes, &kernel, &mut protodash::Unobserved)?;
    for (prototype, n_represented) in selection.prototypes.iter().zip(&nearest.n_represented) {
        let hour = alarms[[prototype.source_index, 0]];
        let (hours, minutes) = (hour.floor(), 60.0 * hour.fract());
        println!("an alarm at {hours:02.0}:{minutes:02.0} stands for {n_represented} alarms");
    }

    // One prototype for the whole night, on both sides of midnight.
    assert_eq!(nearest.n_represented, [8, 5, 3]);
    // A Gaussian on the same numbers needs two: to it, 23:54 and 00:06 are a day apart.
    let plain = select(&alarms, &alarms, &Gaussian::new(1.5)?, &Params::new(3))?;
    let at_night = plain.prototypes.iter().filter(|prototype| prototype.source_index < 8).count();
    println!("a Gaussian kernel spends {at_night} of its 3 prototypes on the night");
    assert_eq!(at_night, 2);
    Ok(())
}
