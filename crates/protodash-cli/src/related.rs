//! The tables of `protodash relate`: opened, encoded and aligned by their keys.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use protodash::KernelSpec;
use protodash_table::{AlignedTables, EncodeProblem, Input, KeyRule, Keyed, KeyedColumns, Note, ReadOptions, keys_of};

use crate::args::{KeyChoice, RelateArgs};
use crate::data::check_stdin;
use crate::error::Failure;
use crate::progress::Progress;
use crate::settings::flag;

/// Tables aligned by their keys, with the names they have in results.
pub(crate) struct Related {
    /// One name for each table.
    pub(crate) names: Vec<String>,
    /// The rows.
    pub(crate) aligned: AlignedTables,
    /// Remarks on how the files were read and encoded.
    pub(crate) notes: Vec<String>,
}

impl Related {
    /// The tables that the flags name.
    pub(crate) fn load(call: &RelateArgs, kernel: &KernelSpec, progress: &mut Progress) -> Result<Related, Failure> {
        check_stdin(call.tables.iter().chain(&call.keys_of).map(PathBuf::as_path))?;
        let mut notes = Vec::new();
        let mut inputs = Vec::with_capacity(call.tables.len());
        for path in &call.tables {
            inputs.push(open(path, call, &mut notes, progress)?);
        }
        let columns = columns(call, kernel);
        check_names(&columns, &inputs)?;
        let wanted = wanted_keys(call, &mut notes, progress)?;
        let mut keyed = Vec::with_capacity(inputs.len());
        for input in &inputs {
            let roles = columns.roles(input);
            let table = Keyed::new(input, &call.key, &roles, &mut |done, total| progress.reading(done, total));
            let table = table.map_err(refused)?;
            progress.clear();
            add_notes(table.notes(), input.path(), &mut notes, progress);
            keyed.push(table);
        }
        let rule = match call.keys {
            KeyChoice::Shared => KeyRule::Own,
            KeyChoice::All => KeyRule::All,
        };
        let aligned = AlignedTables::new(&keyed, rule, wanted.as_ref(), call.run.memory()).map_err(refused)?;
        Ok(Related { names: names(&call.tables), aligned, notes })
    }
}

/// The failure for an error in a table; if its rows cannot be compared, the hint is to omit it.
fn refused(cause: protodash_table::Error) -> Failure {
    match &cause {
        protodash_table::Error::Encode(EncodeProblem::AllConstant { .. }) => {
            Failure::Tables { message: cause.to_string(), hint: "omit the table" }
        }
        _ => cause.into(),
    }
}

fn open(path: &Path, call: &RelateArgs, notes: &mut Vec<String>, progress: &mut Progress) -> Result<Input, Failure> {
    let mut options = ReadOptions::default();
    options.delimiter = call.delimiter.and_then(|char| u8::try_from(char).ok());
    options.pipe_limit = call.run.memory();
    let input = progress.waiting(&format!("opening {}", path.display()), || Input::open(path, &options))?;
    add_notes(input.notes(), path, notes, progress);
    Ok(input)
}

/// Shows notes on a table, and keeps them for the result.
fn add_notes(found: &[Note], path: &Path, notes: &mut Vec<String>, progress: &mut Progress) {
    for note in found {
        let note = format!("{}: {}", path.display(), note.render(flag));
        progress.note(&note);
        notes.push(note);
    }
}

/// The keys of --keys-of, if it is given.
fn wanted_keys(
    call: &RelateArgs,
    notes: &mut Vec<String>,
    progress: &mut Progress,
) -> Result<Option<HashSet<String>>, Failure> {
    let Some(path) = &call.keys_of else { return Ok(None) };
    let input = open(path, call, notes, progress)?;
    Ok(Some(progress.waiting("reading keys", || keys_of(&input, &call.key))?))
}

/// Rejects columns that no table has.
fn check_names(columns: &KeyedColumns, inputs: &[Input]) -> Result<(), Failure> {
    let Some(name) = columns.unknown(inputs) else { return Ok(()) };
    let flag = if columns.drop.iter().any(|other| other == name) { "--drop" } else { "--categorical" };
    let message = format!("none of the {} tables has the column {name:?} given to {flag}", inputs.len());
    Err(Failure::Tables { message, hint: "check the spelling" })
}

/// How the columns of the tables are used.
fn columns(call: &RelateArgs, kernel: &KernelSpec) -> KeyedColumns {
    let mut columns = KeyedColumns::new(&call.key);
    (columns.drop, columns.categorical) = (call.drop(), call.categorical());
    columns.all_categorical = call.all_categorical;
    columns.codes = kernel.definition().compares_codes;
    columns.scale = call.scale;
    columns.memory = call.run.memory();
    columns
}

/// Names of the tables: file names without extensions if these differ, else the paths as given.
fn names(paths: &[PathBuf]) -> Vec<String> {
    let short: Vec<String> = paths.iter().map(|path| stem(path)).collect();
    let distinct: HashSet<&String> = short.iter().collect();
    match distinct.len() == short.len() {
        true => short,
        false => paths.iter().map(|path| path.display().to_string()).collect(),
    }
}

/// The name of a file up to its first dot.
fn stem(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    let end = name.char_indices().skip(1).find(|(_, char)| *char == '.').map_or(name.len(), |(at, _)| at);
    name[..end].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_named_after_their_files_unless_names_repeat() {
        let named = |paths: &[&str]| names(&paths.iter().map(PathBuf::from).collect::<Vec<_>>());
        assert_eq!(named(&["x/ALQ_H.csv.xz", "INQ_H.XPT", ".hidden"]), ["ALQ_H", "INQ_H", ".hidden"]);
        assert_eq!(named(&["a/t.csv", "b/t.csv"]), ["a/t.csv", "b/t.csv"]);
    }
}
