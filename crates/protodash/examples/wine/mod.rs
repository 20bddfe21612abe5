//! The 178 wines of `testdata/wine.csv`, for the examples: 13 measurements of three cultivars.

use ndarray::{Array2, Axis};

/// The table, with every measurement scaled to mean 0 and standard deviation 1.
#[allow(dead_code, reason = "not every example needs every field")]
pub(crate) struct Wine {
    /// Names of the measurements.
    pub(crate) columns: Vec<&'static str>,
    /// The cultivar of each wine.
    pub(crate) cultivars: Vec<&'static str>,
    /// One row per wine.
    pub(crate) rows: Array2<f64>,
}

/// Reads the table.
pub(crate) fn read() -> Wine {
    let mut lines = include_str!("../../../../testdata/wine.csv").lines();
    let columns: Vec<&str> = lines.next().expect("the file has a header").split(',').skip(1).collect();
    let mut cultivars = Vec::new();
    let mut values: Vec<f64> = Vec::new();
    for line in lines {
        let (cultivar, cells) = line.split_once(',').expect("the first column is the cultivar");
        cultivars.push(cultivar);
        values.extend(cells.split(',').map(|cell| cell.parse::<f64>().expect("the other columns are numbers")));
    }
    let mut rows =
        Array2::from_shape_vec((cultivars.len(), columns.len()), values).expect("every line has all columns");
    for mut column in rows.axis_iter_mut(Axis(1)) {
        let (mean, deviation) = (column.mean().expect("there are wines"), column.std(0.0));
        column.mapv_inplace(|value| (value - mean) / deviation);
    }
    Wine { columns, cultivars, rows }
}
