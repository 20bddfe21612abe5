//! What do the prototypes miss?
//!
//! Ten prototypes summarise 1,797 handwritten digits. A criticism is a row where the prototypes misrepresent the data:
//! where the witness function, the difference between the two kernel means, is largest.

#![allow(clippy::print_stdout, reason = "examples print their results")]

use ndarray::{Array2, ArrayView1};
use protodash::bandwidth::{Metric, median};
use protodash::criticisms::{CriticismParams, Definition};
use protodash::{Gaussian, Params, Unobserved, criticize, select};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (digits, images) = read();
    let kernel = Gaussian::new(median(&images, &images, Metric::Euclidean, 0)? / 2.0)?;
    let selection = select(&images, &images, &kernel, &Params::new(10))?;
    let prototypes: Vec<usize> = selection.prototypes.iter().map(|one| one.source_index).collect();
    // By the witness function alone. The default also makes criticisms differ from each other.
    let mut params = CriticismParams::new(5);
    params.definition = Definition::Witness { diversity: 0.0 };
    let found = criticize(&images, &images, &selection.prototypes, &kernel, &params, &mut Unobserved)?;
    let criticisms: Vec<usize> = found.iter().map(|one| one.row).collect();
    for (name, rows) in [("prototypes", &prototypes[..5]), ("criticisms", &criticisms[..])] {
        println!("{name}: {:?}", rows.iter().map(|&row| digits[row]).collect::<Vec<_>>());
        for line in 0..8 {
            println!("{}", rows.iter().map(|&row| pixels(images.row(row), line)).collect::<Vec<_>>().join("   "));
        }
    }

    // A prototype is never a criticism, and the worst comes first.
    assert!(criticisms.iter().all(|row| !prototypes.contains(row)));
    assert!(found.is_sorted_by(|one, next| one.score >= next.score));
    Ok(())
}

/// The digits 0 to 9 with their images of 8 × 8 pixels from 0 to 16.
fn read() -> (Vec<u8>, Array2<f64>) {
    let lines: Vec<&str> = include_str!("../../../testdata/digits.csv").lines().skip(1).collect();
    let cells = |line: &&'static str| line.split(',').map(|cell| cell.parse::<f64>().expect("all cells are numbers"));
    let digits = lines.iter().filter_map(|line| cells(line).next()).map(|digit| digit as u8).collect();
    let values: Vec<f64> = lines.iter().flat_map(|line| cells(line).skip(1)).collect();
    (digits, Array2::from_shape_vec((lines.len(), 64), values).expect("an image has 64 pixels"))
}

/// One line of an image.
fn pixels(image: ArrayView1<'_, f64>, line: usize) -> String {
    image.iter().skip(8 * line).take(8).map(|value| [' ', '░', '▒', '▓', '█'][(value / 4.0) as usize]).collect()
}
