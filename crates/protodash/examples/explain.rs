//! Why does this wine taste like that? Explain single rows by the few rows that resemble them.
//!
//! Ten wines are set aside. Each is explained by known wines of its own cultivar; a wine that resembles none says so.

#![allow(clippy::print_stdout, reason = "examples print their results")]

mod wine;

use ndarray::{Axis, concatenate};
use protodash::bandwidth::{Metric, median};
use protodash::{ExplainParams, InverseMultiquadric, Labels, Unobserved, explain};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let wine = wine::read();
    let (new, known): (Vec<usize>, Vec<usize>) = (0..wine.cultivars.len()).partition(|row| row % 18 == 0);
    let (rows, source) = (wine.rows.select(Axis(0), &new), wine.rows.select(Axis(0), &known));
    // The last row to explain is no wine at all: every measurement is ten standard deviations above the mean.
    let odd = ndarray::Array2::from_elem((1, rows.ncols()), 10.0);
    let rows = concatenate(Axis(0), &[rows.view(), odd.view()])?;
    // Classes are numbers; these would usually be a model's predictions.
    let class_of = |row: &usize| wine.cultivars[*row].bytes().last().map_or(0, usize::from);
    let of_source: Vec<usize> = known.iter().map(class_of).collect();
    let of_rows: Vec<usize> = new.iter().map(class_of).chain([class_of(&0)]).collect();

    let kernel = InverseMultiquadric::new(median(&source, &source, Metric::Euclidean, 0)?)?;
    let mut params = ExplainParams::default();
    params.n_prototypes = 3;
    let labels = Labels { target: &of_rows, source: &of_source };
    let found = explain(&rows, &source, Some(labels), &kernel, &params, &mut Unobserved)?;

    for (place, explanation) in found.rows.iter().enumerate() {
        let name = new.get(place).map_or("none".to_owned(), usize::to_string);
        let chosen: Vec<String> = explanation
            .prototypes
            .iter()
            .map(|one| format!("{} ({:.0} %)", known[one.source_index], 100.0 * one.share))
            .collect();
        let verdict = if explanation.is_similar { chosen.join(", ") } else { "nothing similar".to_owned() };
        println!("wine {name:>4}: {verdict}");
        assert!(explanation.prototypes.iter().all(|one| of_source[one.source_index] == of_rows[place]));
    }
    assert!(!found.rows[new.len()].is_similar, "nothing resembles the odd row");
    assert!(found.rows.iter().filter(|explanation| explanation.is_similar).count() >= new.len() - 2);
    Ok(())
}
