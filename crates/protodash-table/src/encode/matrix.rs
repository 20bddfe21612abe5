//! The result of encoding: a matrix, its features, and the table rows behind its rows.

use std::sync::Arc;

use ndarray::Array2;

use super::ranks::RankScale;
use crate::input::CsrRows;
use crate::{Note, RowMap};

/// A matrix of features, with one row for each selected row of the table.
///
/// # Examples
///
/// ```
/// use ndarray::array;
/// use protodash_table::Matrix;
///
/// let matrix = Matrix::F64(array![[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]);
/// assert_eq!((matrix.n_rows(), matrix.n_features()), (3, 2));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Matrix {
    /// Single precision, if all numbers have types that are exact in it (`f32`, `f16`, 8- and 16-bit integers).
    F32(Array2<f32>),
    /// Double precision, for everything else.
    F64(Array2<f64>),
    /// The stored values of a file of sparse rows, whose columns are no [`Feature`]s: there may be millions.
    Sparse(CsrRows),
}

impl Matrix {
    /// Returns the number of rows.
    ///
    /// # Examples
    ///
    /// ```
    /// use ndarray::Array2;
    /// use protodash_table::Matrix;
    ///
    /// assert_eq!(Matrix::F32(Array2::zeros((4, 2))).n_rows(), 4);
    /// ```
    #[must_use]
    pub fn n_rows(&self) -> usize {
        match self {
            Matrix::F32(matrix) => matrix.nrows(),
            Matrix::F64(matrix) => matrix.nrows(),
            Matrix::Sparse(rows) => rows.n_rows(),
        }
    }

    /// Returns the number of features.
    ///
    /// # Examples
    ///
    /// ```
    /// use ndarray::Array2;
    /// use protodash_table::Matrix;
    ///
    /// assert_eq!(Matrix::F32(Array2::zeros((4, 2))).n_features(), 2);
    /// ```
    #[must_use]
    pub fn n_features(&self) -> usize {
        match self {
            Matrix::F32(matrix) => matrix.ncols(),
            Matrix::F64(matrix) => matrix.ncols(),
            Matrix::Sparse(rows) => rows.n_columns,
        }
    }
}

/// One column of the matrix.
///
/// # Examples
///
/// ```
/// use protodash_table::{Feature, CategoryLevel};
///
/// let age = Feature::new("age", None);
/// assert_eq!((age.name.as_str(), age.column.as_str()), ("age", "age"));
/// let ulm = Feature::new("city", Some(CategoryLevel::Value("Ulm".into())));
/// assert_eq!((ulm.name.as_str(), ulm.column.as_str()), ("city=Ulm", "city"));
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Feature {
    /// The displayed name: the column, followed by an equals sign and the level if there is one.
    pub name: String,
    /// The column of the table that it comes from.
    pub column: String,
    /// The level that it indicates; `None` for a column of numbers or codes.
    pub level: Option<CategoryLevel>,
    /// How its values convert to those in the file; `None` for a constant column, which was scaled to zeros.
    pub unit: Option<ColumnScale>,
    /// Whether its values are days since 1970-01-01, made from dates or times of day; see [`date_text`](crate::date_text).
    pub is_date: bool,
}

impl Feature {
    /// Returns the feature that comes from `column` and indicates `level`.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash_table::{Feature, CategoryLevel};
    ///
    /// assert_eq!(Feature::new("income", Some(CategoryLevel::Missing)).name, "income=(missing)");
    /// ```
    #[must_use]
    pub fn new(column: &str, level: Option<CategoryLevel>) -> Feature {
        let name = match &level {
            None => column.to_owned(),
            Some(CategoryLevel::Value(value)) => format!("{column}={value}"),
            Some(CategoryLevel::Missing) => format!("{column}=(missing)"),
        };
        Feature { name, column: column.to_owned(), level, unit: Some(ColumnScale::IDENTITY), is_date: false }
    }
}

/// How a column was scaled, and how to return to its own units.
///
/// # Examples
///
/// ```
/// use protodash_table::{Feature, ColumnScale};
///
/// assert_eq!(Feature::new("age", None).unit, Some(ColumnScale::IDENTITY)); // not scaled
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum ColumnScale {
    /// `value in the file = shift + divisor * value in the matrix`.
    Linear {
        /// The number that was subtracted.
        shift: f64,
        /// The number that the difference was divided by.
        divisor: f64,
    },
    /// The values in the matrix are ranks.
    Rank(Arc<RankScale>),
}

impl ColumnScale {
    /// No scaling.
    pub const IDENTITY: ColumnScale = ColumnScale::Linear { shift: 0.0, divisor: 1.0 };

    /// Returns the value in the matrix of a value in the file.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(protodash_table::ColumnScale::Linear { shift: 1.0, divisor: 2.0 }.in_matrix(4.0), 1.5);
    /// ```
    #[must_use]
    pub fn in_matrix(&self, value: f64) -> f64 {
        match self {
            ColumnScale::Linear { shift, divisor } => (value - shift) / divisor,
            ColumnScale::Rank(ranks) => ranks.rank(value),
        }
    }

    /// Returns the value in the file of a value in the matrix, with 0 for values that differ from 0 only by rounding.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash_table::ColumnScale;
    ///
    /// let unit = ColumnScale::Linear { shift: 0.1, divisor: 0.3 };
    /// assert_eq!(unit.in_file(2.0), 0.7);
    /// assert_eq!(unit.in_file((0.0 - 0.1) / 0.3), 0.0);
    /// ```
    #[must_use]
    pub fn in_file(&self, value: f64) -> f64 {
        match self {
            ColumnScale::Linear { shift, divisor } => {
                let part = divisor * value;
                let sum = shift + part;
                if sum.abs() <= 4.0 * f64::EPSILON * (shift.abs() + part.abs()) { 0.0 } else { sum }
            }
            ColumnScale::Rank(ranks) => ranks.value(value),
        }
    }
}

/// A value of a categorical column.
///
/// # Examples
///
/// ```
/// use protodash_table::CategoryLevel;
///
/// // A cell that holds the text "missing" is not a missing cell.
/// assert_ne!(CategoryLevel::Value("missing".into()), CategoryLevel::Missing);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CategoryLevel {
    /// A value as text: numbers as `2` or `2.5`, booleans as `true` or `false`.
    Value(String),
    /// No value.
    Missing,
}

/// A table as a matrix, with everything needed to map it back to the table.
///
/// # Examples
///
/// ```
/// use std::ops::ControlFlow;
/// use ndarray::array;
/// use protodash_table::{Input, Matrix, Part, ReadOptions, Roles, Scaling, encode};
///
/// let directory = tempfile::tempdir()?;
/// let path = directory.path().join("people.csv");
/// std::fs::write(&path, "name,age,member\nAda,20,true\nEmmy,30,false\n")?;
/// let people = Input::open(&path, &ReadOptions::default())?;
///
/// let mut roles = Roles::default();
/// roles.id = Some("name".into());
/// roles.scale = Some(Scaling::None);
/// let (encoded, _) = encode(Part::from(&people), None, &roles, &mut |_, _| ControlFlow::Continue(()))?;
/// assert_eq!(encoded.matrix, Matrix::F64(array![[20.0, 0.0, 1.0], [30.0, 1.0, 0.0]]));
/// let names: Vec<String> = encoded.features.iter().map(|feature| feature.name.clone()).collect();
/// assert_eq!(names, ["age", "member=false", "member=true"]);
/// assert_eq!((encoded.rows.table_row(1), encoded.rows.id(1)), (1, Some("Emmy")));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Encoded {
    /// The numbers.
    pub matrix: Matrix,
    /// The columns of the matrix; none for sparse rows.
    pub features: Vec<Feature>,
    /// The table row of each row of the matrix, with its id and label if there are columns for them.
    pub rows: RowMap,
    /// The weight of each row as target; on the source only if it is also the target.
    pub target_weights: Option<Vec<f64>>,
    /// Notes on the encoding; those of the source are about both sides.
    pub notes: Vec<Note>,
}
