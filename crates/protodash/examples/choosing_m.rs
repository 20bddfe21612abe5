//! How many prototypes are enough?
//!
//! One run covers every smaller number: the first 10 prototypes of a run for 40 are those of a run for 10. Request more
//! than you need, look at the path, and cut it where it flattens.

#![allow(clippy::print_stdout, reason = "examples print their results")]

mod wine;

use protodash::bandwidth::{Metric, median};
use protodash::{Gaussian, Params, Selection, select};

/// The share of the data to explain.
const ENOUGH: f64 = 0.98;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let wine = wine::read();
    let kernel = Gaussian::new(median(&wine.rows, &wine.rows, Metric::Euclidean, 0)?)?;
    let path = select(&wine.rows, &wine.rows, &kernel, &Params::new(40))?;
    let explained: Vec<f64> = (1..=40).filter_map(|m| path.prefix(m)?.explained()).collect();
    for m in [1, 2, 3, 5, 10, 20, 30, 40] {
        let part = explained[m - 1];
        println!("{m:3} prototypes explain {:5.1} %  {}", 100.0 * part, "█".repeat((40.0 * part) as usize));
    }
    let enough = 1 + explained.iter().position(|part| *part >= ENOUGH).ok_or("40 prototypes are not enough")?;
    println!("{enough} prototypes are the fewest that explain {} %.", 100.0 * ENOUGH);

    // More prototypes never explain less.
    assert!(explained.is_sorted());
    // Cutting the path gives the same result as a run for that number, weights included.
    let cut = path.prefix(enough).ok_or("the path is longer")?;
    let separate = select(&wine.rows, &wine.rows, &kernel, &Params::new(enough))?;
    let rows_and_weights = |selection: &Selection| -> Vec<(usize, f64)> {
        selection.prototypes.iter().map(|one| (one.source_index, one.weight)).collect()
    };
    assert_eq!(rows_and_weights(&cut), rows_and_weights(&separate));
    // MMD² says the same: less than 2 % of the target's energy is left.
    let (mmd2, energy) = (cut.mmd2().ok_or("known")?, cut.target_energy.ok_or("known")?.value);
    assert!(mmd2 <= (1.0 - ENOUGH) * energy);
    Ok(())
}
