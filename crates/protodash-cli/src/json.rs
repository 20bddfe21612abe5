//! Saved results: storing the data flags of a run, and reading results back.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use protodash_report::{
    ComparisonDocument, DataRecord, ExplanationDocument, ReadError, RelationDocument, SelectionDocument, read_json,
};
use protodash_table::{MissingRule, Scaling};
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::{Map, Value};

use crate::args;
use crate::error::Failure;

/// The data flags as a record in a result.
pub(crate) fn data_record(source: &Path, flags: &args::DataArgs) -> DataRecord {
    DataRecord {
        source: text(source),
        target: flags.target.as_deref().map(text),
        fixed: flags.fixed_file.as_deref().map(text),
        source_where: flags.source_where.clone(),
        target_where: flags.target_where.clone(),
        source_sample: flags.source_sample,
        target_sample: flags.target_sample,
        columns: flags.columns(),
        drop: flags.dropped(),
        id: flags.id.clone(),
        label: flags.label.clone(),
        source_labels: flags.source_labels.as_deref().map(text),
        target_labels: flags.target_labels.as_deref().map(text),
        target_weight: flags.target_weight.clone(),
        show: flags.show(),
        scale: flags.scale.map(|scale| scale.name().to_owned()),
        normalize: flags.normalize,
        categorical: flags.categorical(),
        missing: flags.missing.name().to_owned(),
        header: !flags.no_header,
        delimiter: flags.delimiter,
        other: Map::new(),
    }
}

/// The data flags of a record, with a new path for the target if one is given.
///
/// # Errors
///
/// An unknown value in the record.
pub(crate) fn to_args(saved: &DataRecord, target: Option<&Path>) -> Result<args::DataArgs, String> {
    let lists = [&saved.columns, &saved.drop, &saved.categorical, &saved.show].map(Vec::clone);
    let mut data = args::DataArgs::with_names(lists);
    data.target = target.map(Path::to_owned).or_else(|| saved.target.as_deref().map(PathBuf::from));
    data.fixed_file = saved.fixed.as_deref().map(PathBuf::from);
    data.source_where = saved.source_where.clone();
    data.target_where = saved.target_where.clone();
    (data.source_sample, data.target_sample) = (saved.source_sample, saved.target_sample);
    data.id = saved.id.clone();
    data.label = saved.label.clone();
    data.source_labels = saved.source_labels.as_deref().map(PathBuf::from);
    data.target_labels = saved.target_labels.as_deref().map(PathBuf::from);
    data.target_weight = saved.target_weight.clone();
    let unknown = |key: &str, word: &str| format!("unknown value {word:?} for {key:?}");
    let scaling = |word: &str| Scaling::from_name(word).ok_or_else(|| unknown("scale", word));
    data.scale = saved.scale.as_deref().map(scaling).transpose()?;
    data.normalize = saved.normalize;
    data.missing = MissingRule::from_name(&saved.missing).ok_or_else(|| unknown("missing", &saved.missing))?;
    data.no_header = !saved.header;
    data.delimiter = saved.delimiter;
    Ok(data)
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// A result of any kind.
pub(crate) enum Saved {
    /// Of `protodash select` or `criticize`.
    Selection(Box<SelectionDocument>),
    /// Of `protodash compare`.
    Comparison(Box<ComparisonDocument>),
    /// Of `protodash relate`.
    Relation(Box<RelationDocument>),
    /// Of `protodash explain`.
    Explanations(Box<ExplanationDocument>),
}

/// Rejects a data file that is a result.
pub(crate) fn refuse_result(path: &Path) -> Result<(), Failure> {
    let may_be_result = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("json"));
    // A pipe can be read only once, as data.
    if !may_be_result || !path.is_file() {
        return Ok(());
    }
    match read_any(path) {
        Ok(found) => {
            let is_explanation = matches!(found, Saved::Explanations(_));
            Err(Failure::NotData { path: path.to_owned(), is_explanation })
        }
        Err(_) => Ok(()),
    }
}

/// Whether a file is a result, complete or damaged: one JSON object with a schema.
pub(crate) fn is_result(path: &Path) -> bool {
    type Envelope = BTreeMap<String, IgnoredAny>;
    // A pipe can be read only once, as data. Reading ends where a file stops being such an object.
    let file = Some(path).filter(|path| path.is_file()).and_then(|path| std::fs::File::open(path).ok());
    let read = file.and_then(|file| serde_json::from_reader::<_, Envelope>(io::BufReader::new(file)).ok());
    read.is_some_and(|object| object.contains_key("schema"))
}

/// The selection that a file holds.
pub(crate) fn read(path: &Path) -> Result<SelectionDocument, Failure> {
    let hint = "RESULT.json must come from `protodash select SOURCE -o RESULT.json`";
    let rejected = |error: ReadError| not_a_result(path, &error, hint);
    let value = value(path, hint)?;
    if value.get("explanations").is_some() {
        let message = "is a result of `protodash explain`, which has explanations of rows but no selection".to_owned();
        return Err(Failure::NotAResult { path: path.to_owned(), message, hint });
    }
    SelectionDocument::from_value(value).map_err(rejected)
}

/// The result in a file, of any kind.
pub(crate) fn read_any(path: &Path) -> Result<Saved, Failure> {
    let hint = "RESULT.json must come from `protodash select`, `criticize`, `compare`, `relate` or `explain` with -o RESULT.json";
    of_any_kind(value(path, hint)?).map_err(|error| not_a_result(path, &error, hint))
}

/// The result that a JSON value holds; each kind has a list that no other kind has.
fn of_any_kind(value: Value) -> Result<Saved, ReadError> {
    if value.get("results").is_some() {
        complete(value).map(|found| Saved::Comparison(Box::new(found)))
    } else if value.get("pairs").is_some() {
        complete(value).map(|found| Saved::Relation(Box::new(found)))
    } else if value.get("explanations").is_some() {
        complete(value).map(|found| Saved::Explanations(Box::new(found)))
    } else {
        SelectionDocument::from_value(value).map(|found| Saved::Selection(Box::new(found)))
    }
}

/// The JSON in a file.
fn value(path: &Path, hint: &'static str) -> Result<Value, Failure> {
    let bytes = std::fs::read(path).map_err(|cause| unreadable(path, cause))?;
    // Bytes that are not UTF-8 are not JSON either, and are reported as such.
    read_json(&String::from_utf8_lossy(&bytes)).map_err(|error| not_a_result(path, &error, hint))
}

fn complete<T: DeserializeOwned>(value: Value) -> Result<T, ReadError> {
    serde_json::from_value(value).map_err(ReadError::Incomplete)
}

fn not_a_result(path: &Path, error: &ReadError, hint: &'static str) -> Failure {
    Failure::NotAResult { path: path.to_owned(), message: error.to_string(), hint }
}

/// A file that cannot be read, reported in the same words as a table.
fn unreadable(path: &Path, cause: io::Error) -> Failure {
    let path = path.to_owned();
    Failure::from(match cause.kind() {
        io::ErrorKind::NotFound => protodash_table::Error::NotFound { path },
        io::ErrorKind::PermissionDenied => protodash_table::Error::NoPermission { path },
        io::ErrorKind::IsADirectory => protodash_table::Error::IsDirectory { path },
        _ => protodash_table::Error::Read { path, cause },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[test]
    fn a_result_is_told_from_data_by_its_content() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let is = |text: &str| {
            std::fs::write(&path, text).unwrap();
            is_result(&path)
        };
        assert!(is(SelectionDocument::EXAMPLE) && is("{\"schema\": 9}"));
        // Lines of JSON, an array, a CSV file, and an object of something else.
        assert!(
            !is("{\"schema\": 1}\n{\"schema\": 2}\n")
                && !is("[{\"schema\": 1}]")
                && !is("schema\n1\n")
                && !is("{\"x\": 1}")
        );
        assert!(!is_result(folder.path()) && !is_result(&folder.path().join("none")));
    }

    #[test]
    fn flags_come_back_as_they_were_given() {
        let line = "protodash select a.csv --target b.csv --target-where x>1 --columns u,v --id w --categorical u \
                    --scale minmax --normalize --missing zero --no-header --delimiter tab --target-weight k --show t,p --source-labels c.csv --target-labels d.csv \
                    --source-sample 5 --target-sample 7";
        let args::Command::Select(call) = args::Cli::parse_from(line.split_whitespace()).command else {
            panic!("not a select command")
        };
        let saved = data_record(&call.source, &call.data);
        assert_eq!(to_args(&saved, None), Ok(call.data));
        assert_eq!(to_args(&saved, Some(Path::new("c.csv"))).unwrap().target, Some("c.csv".into()));
    }
}
