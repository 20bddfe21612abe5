//! The data flags of a call in the format, and back, so that a later command reads the same files the same way.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use protodash_report::DataRecord;
use serde_json::Map;

use crate::args::{self, word};

/// Where the rows of a call come from.
pub(crate) fn data_record(source: &Path, flags: &args::Data) -> DataRecord {
    DataRecord {
        source: text(source),
        target: flags.target.as_deref().map(text),
        source_where: flags.source_where.clone(),
        target_where: flags.target_where.clone(),
        source_sample: flags.source_sample,
        target_sample: flags.target_sample,
        columns: flags.columns(),
        drop: flags.drop(),
        id: flags.id.clone(),
        label: flags.label.clone(),
        source_labels: flags.source_labels.as_deref().map(text),
        target_labels: flags.target_labels.as_deref().map(text),
        target_weight: flags.target_weight.clone(),
        scale: flags.scale.as_ref().map(word),
        categorical: flags.categorical(),
        missing: word(&flags.missing),
        header: !flags.no_header,
        delimiter: flags.delimiter,
        other: Map::new(),
    }
}

/// The flags that a record stands for, with another path for the target if one is given.
///
/// # Errors
///
/// The unknown value, if there is one.
pub(crate) fn to_args(saved: &DataRecord, target: Option<&Path>) -> Result<args::Data, String> {
    let lists = [&saved.columns, &saved.drop, &saved.categorical].map(Vec::clone);
    let mut data = args::Data::with_names(lists);
    data.target = target.map(Path::to_owned).or_else(|| saved.target.as_deref().map(PathBuf::from));
    data.source_where = saved.source_where.clone();
    data.target_where = saved.target_where.clone();
    (data.source_sample, data.target_sample) = (saved.source_sample, saved.target_sample);
    data.id = saved.id.clone();
    data.label = saved.label.clone();
    data.source_labels = saved.source_labels.as_deref().map(PathBuf::from);
    data.target_labels = saved.target_labels.as_deref().map(PathBuf::from);
    data.target_weight = saved.target_weight.clone();
    data.scale = saved.scale.as_deref().map(|word| value("scale", word)).transpose()?;
    data.missing = value("missing", &saved.missing)?;
    data.no_header = !saved.header;
    data.delimiter = saved.delimiter;
    Ok(data)
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

fn value<E: ValueEnum>(key: &str, word: &str) -> Result<E, String> {
    E::from_str(word, false).map_err(|_| format!("unknown value {word:?} for {key:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[test]
    fn flags_come_back_as_they_were_given() {
        let line = "protodash select a.csv --target b.csv --target-where x>1 --columns u,v --id w --categorical u \
                    --scale minmax --missing zero --no-header --delimiter tab --target-weight k --source-labels c.csv --target-labels d.csv \
                    --source-sample 5 --target-sample 7";
        let args::Command::Select(call) = args::Cli::parse_from(line.split_whitespace()).command else {
            panic!("a selection was asked for")
        };
        let saved = data_record(&call.source, &call.data);
        assert_eq!(to_args(&saved, None), Ok(call.data));
        assert_eq!(to_args(&saved, Some(Path::new("c.csv"))).unwrap().target, Some("c.csv".into()));
    }
}
