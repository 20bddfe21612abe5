//! How far weighted rows are from the mean of all rows, whoever chose them.

use ndarray::{Array2, Axis};
use protodash::{Gaussian, Kernel, Precision, Scalar, kernel_mean_in};
use serde_json::{Value, json};

use crate::arguments::{Arguments, Failure, Raw};

/// wᵀKw − 2wᵀμ for the rows and weights in the JSON file `chosen`: MMD² without ‖μ‖², which is the same for all choices.
pub fn measure<T: Scalar + Raw>(arguments: &Arguments) -> Result<Value, Failure> {
    let rows: Array2<T> = arguments.rows()?;
    let kernel = Gaussian::new(arguments.real("bandwidth")?)?;
    let chosen: Value = serde_json::from_str(&std::fs::read_to_string(arguments.text("chosen")?)?)?;
    let list = |key: &str| chosen[key].as_array().ok_or_else(|| format!("{key} is missing")).map(Vec::as_slice);
    let indices: Vec<usize> = list("rows")?.iter().filter_map(Value::as_u64).map(|row| row as usize).collect();
    let weights: Vec<f64> = list("weights")?.iter().filter_map(Value::as_f64).collect();
    let some = rows.select(Axis(0), &indices);
    let means = kernel_mean_in(Precision::Double, &rows, &some, &kernel)?.means;
    let mut total = 0.0;
    for ((row, weight), mean) in some.rows().into_iter().zip(&weights).zip(means) {
        let similarities = some.rows().into_iter().zip(&weights).map(|(other, other_weight)| {
            other_weight * kernel.evaluate(row.as_slice().unwrap_or_default(), other.as_slice().unwrap_or_default())
        });
        total += weight * (similarities.sum::<f64>() - 2.0 * mean);
    }
    Ok(json!({ "without_energy": total }))
}
