//! Can weights make one set of rows look like another?
//!
//! The target is the wines of one cultivar, the source all others. If rows are added until none improves the fit, the
//! weights make the source resemble the target: use them as sample weights when training and test data differ.

#![allow(clippy::print_stdout, reason = "examples print their results")]

mod wine;

use ndarray::Axis;
use protodash::bandwidth::{Metric, median};
use protodash::{Gaussian, Params, covariate_shift, select};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let wine = wine::read();
    let rows_of = |wanted: bool| -> Vec<usize> {
        (0..wine.cultivars.len()).filter(|&row| (wine.cultivars[row] == "class_0") == wanted).collect()
    };
    let (target, source) = (wine.rows.select(Axis(0), &rows_of(true)), wine.rows.select(Axis(0), &rows_of(false)));
    let kernel = Gaussian::new(median(&target, &source, Metric::Euclidean, 0)?)?;
    let selection = select(&target, &source, &kernel, &Params::until_optimal())?;
    let shift = covariate_shift(&target, &source, &selection.prototypes, None)?;

    println!("measurement                    gap before  gap after   (in standard deviations of the target)");
    let (mut before, mut after) = (0.0, 0.0);
    for (name, feature) in wine.columns.iter().zip(&shift.features) {
        println!("{name:30} {:10.2} {:10.2}", feature.difference_before(), feature.difference_after());
        before += feature.difference_before().abs();
        after += feature.difference_after().abs();
    }
    let (n_source, ess) = (source.nrows(), shift.effective_sample_size);
    println!("{} of {n_source} source rows have a weight; effective sample size {ess:.1}.", selection.prototypes.len());

    assert!(after < 0.6 * before, "the weighted source is closer to the target: {before:.2} before, {after:.2} after");
    // A closer fit costs effective sample size, so check that too.
    assert!(ess < 0.5 * n_source as f64);
    Ok(())
}
