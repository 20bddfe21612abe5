//! The tables of a relation: opened, encoded and aligned by their keys.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use protodash::KernelSpec;
use protodash_table::{
    AlignedTables, Categories, EncodeProblem, Input, KeyRule, Keyed, MissingRule, ReadOptions, Roles, Scaling, keys_of,
};

use crate::args::{KeyChoice, Relate};
use crate::error::Failure;
use crate::progress::Progress;
use crate::settings::flag;

/// Tables aligned by their keys, with the names they have in results.
pub(crate) struct Related {
    /// One name for each table.
    pub(crate) names: Vec<String>,
    /// The rows.
    pub(crate) aligned: AlignedTables,
}

impl Related {
    /// The tables that the flags name.
    pub(crate) fn load(call: &Relate, kernel: &KernelSpec, progress: &mut Progress) -> Result<Related, Failure> {
        let inputs = call.tables.iter().map(|path| open(path, call, progress)).collect::<Result<Vec<_>, _>>()?;
        check_names(call, &inputs)?;
        let wanted = wanted_keys(call, progress)?;
        let mut keyed = Vec::with_capacity(inputs.len());
        for input in &inputs {
            let roles = roles(call, kernel, input);
            let table = Keyed::new(input, &call.key, &roles, &mut |done, total| progress.reading(done, total));
            let table = table.map_err(refused)?;
            progress.clear();
            keyed.push(table);
        }
        let rule = match call.keys {
            KeyChoice::Shared => KeyRule::Own,
            KeyChoice::All => KeyRule::All,
        };
        let aligned = AlignedTables::new(&keyed, rule, wanted.as_ref(), call.run.memory()).map_err(refused)?;
        Ok(Related { names: names(&call.tables), aligned })
    }
}

/// What is wrong with a table; one that cannot be compared with itself can still be left out.
fn refused(cause: protodash_table::Error) -> Failure {
    match &cause {
        protodash_table::Error::Encode(EncodeProblem::AllConstant { .. }) => {
            Failure::Tables { message: cause.to_string(), hint: "leave the table out" }
        }
        _ => cause.into(),
    }
}

fn open(path: &Path, call: &Relate, progress: &mut Progress) -> Result<Input, Failure> {
    let mut options = ReadOptions::default();
    options.delimiter = call.delimiter.and_then(|sign| u8::try_from(sign).ok());
    let input = progress.waiting(&format!("opening {}", path.display()), || Input::open(path, &options))?;
    input.notes().iter().for_each(|note| progress.note(&format!("{}: {}", path.display(), note.render(flag))));
    Ok(input)
}

/// The keys that alone are to be used, if the flags say so.
fn wanted_keys(call: &Relate, progress: &mut Progress) -> Result<Option<HashSet<String>>, Failure> {
    let Some(path) = &call.keys_of else { return Ok(None) };
    let input = open(path, call, progress)?;
    Ok(Some(progress.waiting("reading keys", || keys_of(&input, &call.key))?))
}

/// Refuses columns that no table has.
fn check_names(call: &Relate, inputs: &[Input]) -> Result<(), Failure> {
    for (flag, names) in [("--drop", call.drop()), ("--categorical", call.categorical())] {
        if let Some(name) = names.iter().find(|name| inputs.iter().all(|input| !has(input, name))) {
            let message = format!("none of the {} tables has a column {name:?}, named by {flag}", inputs.len());
            return Err(Failure::Tables { message, hint: "check the spelling" });
        }
    }
    Ok(())
}

fn has(input: &Input, name: &str) -> bool {
    input.columns().iter().any(|column| column.name.to_lowercase() == name.to_lowercase())
}

/// What the columns of one of the tables are for.
fn roles(call: &Relate, kernel: &KernelSpec, input: &Input) -> Roles {
    let here = |names: Vec<String>| names.into_iter().filter(|name| has(input, name)).collect::<Vec<_>>();
    let mut roles = Roles::default();
    roles.drop = here(call.drop());
    roles.categorical = here(call.categorical());
    roles.missing = MissingRule::Category;
    roles.memory = call.run.memory();
    roles.scale = call.scale.map(Scaling::from);
    if kernel.definition().compares_codes {
        roles.categories = Categories::Codes;
        roles.scale = Some(Scaling::None);
    }
    if call.all_categorical || kernel.definition().compares_codes {
        let is = |name: &str, other: &String| name.to_lowercase() == other.to_lowercase();
        let is_feature = |name: &str| !is(name, &call.key) && !roles.drop.iter().any(|other| is(name, other));
        let features = input.columns().iter().map(|column| column.name.clone());
        roles.categorical = features.filter(|name| is_feature(name)).collect();
    }
    roles
}

/// Names for the tables: their files without folder and endings where these differ, else the paths as given.
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
    let end = name.char_indices().skip(1).find(|(_, sign)| *sign == '.').map_or(name.len(), |(at, _)| at);
    name[..end].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_named_by_their_files_where_these_differ() {
        let named = |paths: &[&str]| names(&paths.iter().map(PathBuf::from).collect::<Vec<_>>());
        assert_eq!(named(&["x/ALQ_H.csv.xz", "INQ_H.XPT", ".hidden"]), ["ALQ_H", "INQ_H", ".hidden"]);
        assert_eq!(named(&["a/t.csv", "b/t.csv"]), ["a/t.csv", "b/t.csv"]);
    }
}
