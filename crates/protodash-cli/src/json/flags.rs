//! The data flags of a run in the format, so that a later command can read the same files in the same way.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use crate::args::{self, word};

/// Where the rows came from and what their columns were for, as the flags said it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Flags {
    /// The path as given; signs that are no text are replaced.
    pub(crate) source: String,
    pub(crate) target: Option<String>,
    pub(crate) source_where: Option<String>,
    pub(crate) target_where: Option<String>,
    /// How many rows were drawn, by the seed of the result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) source_sample: Option<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) target_sample: Option<usize>,
    pub(crate) columns: Vec<String>,
    pub(crate) drop: Vec<String>,
    pub(crate) id: Option<String>,
    pub(crate) label: Option<String>,
    /// The paths of files with classes, as given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) source_labels: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) target_labels: Option<String>,
    pub(crate) target_weight: Option<String>,
    /// `null` is the default for the kind of file.
    pub(crate) scale: Option<String>,
    pub(crate) categorical: Vec<String>,
    pub(crate) missing: String,
    pub(crate) header: bool,
    pub(crate) delimiter: Option<char>,
}

impl Flags {
    /// The flags of a call.
    pub(crate) fn new(source: &Path, flags: &args::Data) -> Flags {
        Flags {
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
        }
    }

    /// The flags as they were given, with the target's path replaced by `target` if there is one.
    ///
    /// # Errors
    ///
    /// What is wrong, if a word is unknown.
    pub(crate) fn to_args(&self, target: Option<&Path>) -> Result<args::Data, String> {
        let lists = [&self.columns, &self.drop, &self.categorical].map(Vec::clone);
        let mut data = args::Data::with_names(lists);
        data.target = target.map(Path::to_owned).or_else(|| self.target.as_deref().map(PathBuf::from));
        data.source_where = self.source_where.clone();
        data.target_where = self.target_where.clone();
        (data.source_sample, data.target_sample) = (self.source_sample, self.target_sample);
        data.id = self.id.clone();
        data.label = self.label.clone();
        data.source_labels = self.source_labels.as_deref().map(PathBuf::from);
        data.target_labels = self.target_labels.as_deref().map(PathBuf::from);
        data.target_weight = self.target_weight.clone();
        data.scale = self.scale.as_deref().map(|word| value("scale", word)).transpose()?;
        data.missing = value("missing", &self.missing)?;
        data.no_header = !self.header;
        data.delimiter = self.delimiter;
        Ok(data)
    }
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

fn value<E: ValueEnum>(key: &str, word: &str) -> Result<E, String> {
    E::from_str(word, false).map_err(|_| format!("its {key:?} is {word:?}, which is none that there is"))
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
        let saved = Flags::new(&call.source, &call.data);
        assert_eq!(saved.to_args(None), Ok(call.data));
        assert_eq!(saved.to_args(Some(Path::new("c.csv"))).unwrap().target, Some("c.csv".into()));
    }
}
