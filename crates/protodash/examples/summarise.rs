//! Which six of 178 wines represent them all, and how well?
//!
//! Target and source are the same rows: the prototypes summarise the table they come from.

#![allow(clippy::print_stdout, reason = "examples print their results")]

mod wine;

use protodash::bandwidth::{Metric, median};
use protodash::{Gaussian, Params, represent, select};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let wine = wine::read();
    // The median distance between two rows is a common bandwidth.
    let kernel = Gaussian::new(median(&wine.rows, &wine.rows, Metric::Euclidean, 0)?)?;
    let selection = select(&wine.rows, &wine.rows, &kernel, &Params::new(6))?;
    let nearest = represent(&wine.rows, &wine.rows, &selection.prototypes, &kernel, &mut protodash::Unobserved)?;

    println!("wine  cultivar  share  nearest prototype of");
    for (prototype, n_represented) in selection.prototypes.iter().zip(&nearest.n_represented) {
        let cultivar = wine.cultivars[prototype.source_index];
        let share = 100.0 * prototype.share;
        println!("{:4}  {cultivar:8}  {share:3.0} %  {n_represented} wines", prototype.source_index);
    }
    let explained = selection.explained().ok_or("the target energy was computed")?;
    println!("Six of 178 wines explain {:.1} % of the data.", 100.0 * explained);

    assert!(explained > 0.95);
    // The cultivars were not used, yet each of the three has a prototype.
    let mut chosen: Vec<&str> = selection.prototypes.iter().map(|one| wine.cultivars[one.source_index]).collect();
    chosen.sort_unstable();
    chosen.dedup();
    assert_eq!(chosen.len(), 3);
    Ok(())
}
