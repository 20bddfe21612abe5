//! Fixed and excluded rows, and the rows of a run to continue, as rows of the matrix.

use std::collections::HashMap;

use protodash::{Choice, Error, Params, Role};
use protodash_report::numbers::counted;
use protodash_report::{RunSettings, SavedKernel, constraint_settings, data_hash};

use crate::args::SelectArgs;
use crate::data::Data;
use crate::error::Failure;
use crate::json;
use crate::origin::SavedOrigin;
use crate::progress::Progress;

/// Sets the rows that the flags fix and exclude.
pub(crate) fn set_rows(
    params: &mut Params,
    call: &SelectArgs,
    data: &mut Data,
    progress: &Progress,
) -> Result<(), Failure> {
    let note = excluded_by_file(params, call, data)?;
    note.iter().for_each(|note| progress.note(note));
    data.notes.extend(note);
    let mut names = RowNames { data, has_ids: call.data.id.is_some(), ids: None };
    params.fixed = names.rows("--fixed", &call.given.fixed())?;
    for row in data.tables.fixed() {
        params.fixed.push(names.numbered("--fixed", &row.to_string())?);
    }
    params.fixed.extend(data.fixed_rows());
    params.exclude.extend(names.rows("--exclude", &call.given.excluded())?);
    params.exclude.sort_unstable();
    params.exclude.dedup();
    Ok(())
}

/// Excludes the source rows that are equal to rows of a file; a note says how many, an error that there are none.
fn excluded_by_file(params: &mut Params, call: &SelectArgs, data: &Data) -> Result<Option<String>, Failure> {
    let Some((file, equal)) = call.data.exclude_file.as_deref().zip(data.tables.excluded()) else { return Ok(None) };
    // Rows that joined the source as fixed ones are not candidates anyway, and conditions may leave out others.
    let in_matrix = |row: &u64| data.source.matrix_row(*row).filter(|_| !data.tables.is_joined(*row));
    let found: Vec<Vec<usize>> = equal.iter().map(|rows| rows.iter().filter_map(in_matrix).collect()).collect();
    let mut rows = found.concat();
    rows.sort_unstable();
    rows.dedup();
    let n_matched = found.iter().filter(|rows| !rows.is_empty()).count() as u64;
    let (source, file, n_rows) = (data.tables.path(Role::Source).display(), file.display(), equal.len() as u64);
    let which = if call.data.id.is_some() { "with the id of" } else { "equal to" };
    if rows.is_empty() {
        let message =
            format!("--exclude {file}: no source row of {source} is {which} one of its {}", counted(n_rows, "row"));
        let hint = match call.data.id {
            Some(_) => "ids are compared as text",
            None => "all columns are compared; add --id to compare only the ids",
        };
        return Err(Failure::Rows { message, hint: hint.to_owned() });
    }
    params.exclude = rows;
    let excluded = counted(params.exclude.len() as u64, "row");
    Ok(Some(format!("excluded {excluded} {which} {n_matched} of the {} of {file}", counted(n_rows, "row"))))
}

/// Sets the rows of the run to continue, if there is one; an error if its settings or data differ.
pub(crate) fn set_resumed(
    params: &mut Params,
    call: &SelectArgs,
    data: &Data,
    progress: &mut Progress,
) -> Result<(), Failure> {
    let Some(result) = &call.given.resume else { return Ok(()) };
    let saved = json::read(result)?;
    let origin = SavedOrigin { result, source: &call.source };
    let table_rows = |rows: &[usize]| rows.iter().map(|row| data.source.table_row(*row)).collect::<Vec<u64>>();
    let hash = data_hash(&data.matrices, data.target_weights.as_deref());
    let now = RunSettings {
        method: params.method.name(),
        weights: params.weights.name(),
        kernel: &SavedKernel::new(data.matrices.kernel()),
        data: &data.record(&call.source, &call.data),
        shape: [data.source.len(), data.rows(Role::Target).len(), data.matrices.n_features()],
        oversample: params.oversample,
        max_weight: params.max_weight,
        min_effective: params.min_effective,
        tolerance: params.tolerance,
        seed: params.seed,
        fixed: &table_rows(&params.fixed),
        exclude: &table_rows(&params.exclude),
        constraints: &constraint_settings(params, call.constraints.cost.as_deref().unwrap_or_default()),
        data_hash: hash.as_deref(),
    };
    if let Some(difference) = saved.difference(&now) {
        let message = format!("cannot be continued with these data and flags: {difference}");
        return Err(Failure::OtherData { path: result.clone(), message });
    }
    let prototypes = origin.prototypes(data, &saved)?;
    let of_saved = (prototypes.as_slice(), saved.objective_final);
    data.matrices.verify(of_saved, params.target_weights.as_deref(), progress).map_err(|error| match error {
        Error::OtherObjective { saved, found } => {
            let source = call.source.display();
            origin.other_data(format!("its prototypes have objective {saved}, but {found} on {source}"))
        }
        error => data.failure(error),
    })?;
    params.resume = prototypes.iter().skip(saved.n_fixed).map(|prototype| prototype.source_index).collect();
    Ok(())
}

/// Finds rows by their numbers or ids.
struct RowNames<'a> {
    data: &'a Data,
    has_ids: bool,
    /// The rows with each id, found when first needed.
    ids: Option<HashMap<&'a str, Vec<usize>>>,
}

impl RowNames<'_> {
    /// The rows of the matrix with these names, each once, in the order of the names.
    fn rows(&mut self, flag: &str, names: &[String]) -> Result<Vec<usize>, Failure> {
        let mut rows = Vec::new();
        for name in names {
            let found = if self.has_ids { self.with_id(flag, name)? } else { vec![self.numbered(flag, name)?] };
            rows.extend(found.into_iter().filter(|row| !rows.contains(row)).collect::<Vec<_>>());
        }
        Ok(rows)
    }

    fn with_id(&mut self, flag: &str, name: &str) -> Result<Vec<usize>, Failure> {
        let data = self.data;
        let ids = self.ids.get_or_insert_with(|| {
            let mut ids: HashMap<&str, Vec<usize>> = HashMap::new();
            let named = (0..data.source.len()).filter_map(|row| data.source.id(row).map(|id| (id, row)));
            named.for_each(|(id, row)| ids.entry(id).or_default().push(row));
            ids
        });
        ids.get(name).cloned().ok_or_else(|| {
            let path = data.tables.path(Role::Source).display();
            let message = format!("{flag} {name}: no source row of {path} has this id");
            Failure::Rows { message, hint: "ids are compared as text, as --id shows them".to_owned() }
        })
    }

    fn numbered(&self, flag: &str, name: &str) -> Result<usize, Failure> {
        let path = self.data.tables.path(Role::Source).display();
        let Ok(number) = name.parse::<u64>() else {
            let message = format!("{flag} {name}: it must be a row number, counted from 0");
            return Err(Failure::call(message, "add --id with the name of the id column to use ids"));
        };
        let n_rows = self.data.tables.input(Role::Source).n_rows();
        self.data.source.matrix_row(number).ok_or_else(|| match number < n_rows {
            true => Failure::Rows {
                message: format!("{flag} {number}: this row of {path} is not among the source rows"),
                hint: "--source-where or --source-sample leaves it out".to_owned(),
            },
            false => Failure::Rows {
                message: format!("{flag} {number}: {path} has {n_rows} rows, counted from 0"),
                hint: format!("use numbers up to {}", n_rows - 1),
            },
        })
    }
}
