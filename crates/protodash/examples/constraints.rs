//! Five wines have been tasted; which to taste next? Fixed rows, quotas, and limits on the weights.
//!
//! First, at least two wines of every cultivar must be among the tasted ones. Then, instead, no wine may count for more than a
//! tenth of the total, and an estimate from the weighted wines must be worth at least eight of them.

#![allow(clippy::print_stdout, reason = "examples print their results")]

mod wine;

use protodash::bandwidth::{Metric, median};
use protodash::{InverseMultiquadric, Params, Quota, select};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let wine = wine::read();
    let kernel = InverseMultiquadric::new(median(&wine.rows, &wine.rows, Metric::Euclidean, 0)?)?;
    let mut params = Params::new(7);
    params.fixed = vec![0, 1, 2, 3, 4]; // all of the first cultivar
    params.exclude = vec![60]; // a corked bottle

    let mut with_quotas = params.clone();
    let cultivars: Vec<Option<&str>> = wine.cultivars.iter().copied().map(Some).collect();
    with_quotas.quotas =
        Quota::of_column("cultivar", &cultivars, &[("class_1", 2), ("class_2", 2)], &[("class_0", 6)])?;
    let selection = select(&wine.rows, &wine.rows, &kernel, &with_quotas)?;
    println!("wine  cultivar  share");
    for (place, prototype) in selection.prototypes.iter().enumerate() {
        let row = prototype.source_index;
        let fixed = if place < selection.n_fixed { "  tasted already" } else { "" };
        println!("{row:4}  {:8}  {:4.1} %{fixed}", wine.cultivars[row], 100.0 * prototype.share);
    }
    let rows: Vec<usize> = selection.prototypes.iter().map(|prototype| prototype.source_index).collect();
    assert_eq!(rows[..5], [0, 1, 2, 3, 4]);
    assert!(rows.len() == 12 && !rows.contains(&60));
    let count = |cultivar: &str| rows.iter().filter(|row| wine.cultivars[**row] == cultivar).count();
    assert!(count("class_0") <= 6 && count("class_1") >= 2 && count("class_2") >= 2);

    (params.max_weight, params.min_effective) = (Some(0.1), Some(8.0));
    let limited = select(&wine.rows, &wine.rows, &kernel, &params)?;
    let shares: Vec<f64> = limited.prototypes.iter().map(|prototype| prototype.share).collect();
    let effective = 1.0 / shares.iter().map(|share| share * share).sum::<f64>();
    println!("Within the limits, {} wines have an effective sample size of {effective:.1}.", shares.len());
    assert!(shares.iter().all(|share| *share <= 0.1 + 1e-9));
    assert!(effective >= 8.0 - 1e-6);
    Ok(())
}
