//! Turns tables into matrices as the command does.

use numpy::PyArray2;
use protodash_table::{
    Categories, Condition, Encoded, Input, Matrix, MissingRule, Part, Roles, Scaling, encode as encode_parts,
    sample_rows,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::error::CallFailure;
use crate::feature::given;
use crate::input::{Needed, input};
use crate::settings::Keywords;
use crate::watch::{self, Run};

/// Roles of columns, conditions on rows and the encoding, under the names of the command's flags.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct TableOptions {
    columns: Option<Vec<String>>,
    drop: Vec<String>,
    id: Option<String>,
    label: Option<String>,
    target_weight: Option<String>,
    show: Vec<String>,
    categorical: Vec<String>,
    scale: Option<String>,
    missing: String,
    normalize: bool,
    source_where: Option<String>,
    target_where: Option<String>,
    source_sample: Option<usize>,
    target_sample: Option<usize>,
    seed: u64,
    /// Whether the kernel only tests values for equality.
    codes: bool,
    /// Whether the target rows are single rows, to be explained.
    single_target_rows: bool,
    memory: u64,
    /// The keywords of the called function, which hints may name.
    keywords: Vec<String>,
}

/// Returns source and target as matrices with their row numbers, ids and labels; no target if it is the source.
#[pyfunction]
pub(crate) fn encode<'py>(
    py: Python<'py>,
    source: &Bound<'py, PyAny>,
    target: Option<&Bound<'py, PyAny>>,
    mut options: TableOptions,
    run: Run,
) -> PyResult<Bound<'py, PyDict>> {
    let keywords = Keywords(std::mem::take(&mut options.keywords));
    let refused = |error| CallFailure::table(error, &keywords);
    let condition = |text: &Option<String>| text.as_deref().map(Condition::parse).transpose().map_err(refused);
    let (source_where, target_where) = (condition(&options.source_where)?, condition(&options.target_where)?);
    let source = input("source", source, &needed(&options, source_where.as_ref()), &keywords)?;
    let needed = needed(&options, target_where.as_ref());
    let target = target.map(|target| input("target", target, &needed, &keywords)).transpose()?;
    let roles = roles(&options, &source)?;
    let n_rows = (source.n_rows(), target.as_ref().unwrap_or(&source).n_rows());
    let (encoded, other) = watch::run(py, run, |reporter| {
        let mut reading = |done, total| reporter.note("reading", done, total);
        let mut source = Part { condition: source_where.as_ref(), ..Part::from(&source) };
        let mut wanted =
            Part { condition: target_where.as_ref(), ..Part::from(target.as_ref().unwrap_or(source.input)) };
        let mut draw = |part, n_rows: Option<usize>| {
            n_rows.map(|n_rows| sample_rows(part, n_rows, options.seed, &mut reading)).transpose().map_err(refused)
        };
        let (source_rows, target_rows) = (draw(source, options.source_sample)?, draw(wanted, options.target_sample)?);
        (source.rows, wanted.rows) = (source_rows.as_deref(), target_rows.as_deref());
        let own_target = target.is_some() || source_where != target_where || source_rows != target_rows;
        encode_parts(source, own_target.then_some(wanted), &roles, &mut reading).map_err(refused)
    })?;
    described(py, encoded, other, n_rows, &keywords)
}

/// Returns the columns of a table that must be supported.
fn needed(options: &TableOptions, condition: Option<&Condition>) -> Needed {
    let roles = [&options.id, &options.label, &options.target_weight].into_iter().flatten();
    let named = roles.map(String::as_str).chain(condition.into_iter().flat_map(Condition::columns));
    let named: Vec<&str> = named.chain(options.columns.iter().flatten().map(String::as_str)).collect();
    let needed = match &options.columns {
        Some(_) => Needed::only(&named),
        None => Needed::all_but(&options.drop, &named),
    };
    needed.with_shown(&options.show)
}

fn roles(options: &TableOptions, source: &Input) -> PyResult<Roles> {
    let mut roles = Roles::default();
    roles.columns = options.columns.clone();
    roles.drop = options.drop.clone();
    roles.show = options.show.clone();
    roles.id = options.id.clone();
    roles.label = options.label.clone();
    roles.target_weight = options.target_weight.clone();
    roles.categorical = options.categorical.clone();
    roles.scale = options.scale.as_deref().map(scaling).transpose()?;
    roles.missing = known("missing", MissingRule::from_name, &options.missing)?;
    roles.normalize = options.normalize;
    roles.single_target_rows = options.single_target_rows;
    roles.memory = options.memory;
    if options.codes {
        // The kernel only tests for equality, so every column is categorical, with one code per value.
        roles.categories = Categories::Codes;
        roles.scale = Some(Scaling::None);
        let listed = |name: &String| options.categorical.contains(name);
        roles.categorical.extend(features(options, source).into_iter().filter(|name| !listed(name)));
    }
    Ok(roles)
}

/// Returns the features: the named columns, or else all without another role.
fn features(options: &TableOptions, source: &Input) -> Vec<String> {
    if let Some(columns) = &options.columns {
        return columns.clone();
    }
    let roles = [&options.id, &options.label, &options.target_weight].into_iter().flatten();
    let others: Vec<String> =
        options.drop.iter().chain(&options.show).chain(roles).map(|name| name.to_lowercase()).collect();
    let is_other = |name: &str| others.contains(&name.to_lowercase());
    let columns = source.columns().iter().enumerate();
    let kept = columns.filter(|(at, column)| !is_other(&column.name) && !source.list_of(*at).is_some_and(is_other));
    kept.map(|(_, column)| column.name.clone()).collect()
}

/// Returns the scaling of this name.
pub(crate) fn scaling(given: &str) -> PyResult<Scaling> {
    known("scale", Scaling::from_name, given)
}

/// Returns the choice called `given`; the Python side has already rejected unknown names with a list of the known ones.
fn known<T>(option: &str, from_name: fn(&str) -> Option<T>, given: &str) -> PyResult<T> {
    from_name(given).ok_or_else(|| PyValueError::new_err(format!("unknown value {given:?} for {option:?}")))
}

fn described<'py>(
    py: Python<'py>,
    source: Encoded,
    target: Option<Encoded>,
    n_rows: (u64, u64),
    keywords: &Keywords,
) -> PyResult<Bound<'py, PyDict>> {
    let described = PyDict::new(py);
    let names: Vec<&str> = source.features.iter().map(|feature| feature.name.as_str()).collect();
    described.set_item("features", names)?;
    described.set_item("columns", source.features.iter().map(given).collect::<Vec<_>>())?;
    let weights = target.as_ref().unwrap_or(&source).target_weights.clone();
    described.set_item("target_weights", weights)?;
    let target_notes = target.iter().flat_map(|target| &target.notes);
    let notes = source.notes.iter().chain(target_notes).map(|note| note.render(|setting| keywords.write(setting)));
    described.set_item("notes", notes.collect::<Vec<_>>())?;
    described.set_item("source", side(py, source, n_rows.0)?)?;
    described.set_item("target", target.map(|target| side(py, target, n_rows.1)).transpose()?)?;
    Ok(described)
}

/// Returns one side: its rows as a matrix, and the number of rows of its table.
fn side<'py>(py: Python<'py>, encoded: Encoded, n_rows: u64) -> PyResult<Bound<'py, PyDict>> {
    let side = PyDict::new(py);
    side.set_item("n_rows", n_rows)?;
    match encoded.matrix {
        Matrix::F32(matrix) => side.set_item("matrix", PyArray2::from_owned_array(py, matrix))?,
        Matrix::F64(matrix) => side.set_item("matrix", PyArray2::from_owned_array(py, matrix))?,
        // Tables in memory are never sparse.
        Matrix::Sparse(_) => {
            return Err(PyValueError::new_err(
                "the file has sparse rows, which cannot be a table; protodash.select takes sparse rows as a SciPy matrix",
            ));
        }
    }
    let numbers = encoded.rows.table_rows().into_iter().map(|row| row as i64);
    side.set_item("numbers", numpy::PyArray1::from_iter(py, numbers))?;
    side.set_item("ids", encoded.rows.ids())?;
    side.set_item("labels", encoded.rows.labels())?;
    Ok(side)
}
