//! Names of tables and answers, from the survey's codebook.

use std::collections::HashMap;
use std::path::Path;

use protodash_table::{Input, ReadOptions, column_texts};

use crate::error::{Error, Result};

/// Names of tables and of answers.
#[derive(Debug, Default)]
pub(super) struct Codebook {
    tables: HashMap<String, String>,
    /// By table, variable and code.
    answers: HashMap<(String, String, String), String>,
}

impl Codebook {
    /// Reads the codebook in `folder`; keeps the answers to these variables.
    pub(super) fn load(folder: &Path, variables: &[&str]) -> Result<Codebook> {
        let mut book = Codebook::default();
        let [tables, names] = columns(&folder.join("tables.csv.gz"), ["TableName", "Description"])?;
        book.tables.extend(tables.into_iter().zip(names));
        let names = ["TableName", "Variable", "CodeOrValue", "ValueDescription"];
        let [tables, of, codes, meanings] = columns(&folder.join("codebook.csv.gz"), names)?;
        for (((table, variable), code), meaning) in tables.into_iter().zip(of).zip(codes).zip(meanings) {
            if variables.contains(&variable.as_str()) {
                book.answers.insert((table, variable, code), meaning);
            }
        }
        Ok(book)
    }

    /// Name of a questionnaire; its file name if the codebook has none.
    pub(super) fn table<'a>(&'a self, name: &'a str) -> &'a str {
        match name {
            // Its full name, "Demographic Variables and Sample Weights", covers more than is used here.
            super::protocol::DEMOGRAPHICS => "Demographics",
            name => self.tables.get(name).map_or(name, String::as_str),
        }
    }

    /// Meaning of a code.
    pub(super) fn answer(&self, table: &str, variable: &str, code: &str) -> Option<&str> {
        self.answers.get(&(table.to_owned(), variable.to_owned(), code.to_owned())).map(String::as_str)
    }
}

/// Columns of a file as text; missing cells are empty.
pub(super) fn columns<const N: usize>(path: &Path, names: [&str; N]) -> Result<[Vec<String>; N]> {
    let refused = |message: String| Error::Data { path: path.to_owned(), message };
    if !path.is_file() {
        return Err(refused("not found; the folder must contain the questionnaires and the codebook".to_owned()));
    }
    let input = Input::open(path, &ReadOptions::default())?;
    let mut found = names.map(|_| Vec::new());
    for (name, cells) in names.iter().zip(&mut found) {
        let position = input.columns().iter().position(|column| column.name == *name);
        let position = position.ok_or_else(|| refused(format!("has no column {name:?}, which the study needs")))?;
        *cells = column_texts(&input, position)?.into_iter().map(Option::unwrap_or_default).collect();
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("tables.csv.gz"), "TableName,Description\nINQ_H,Income\n").unwrap();
        let codes = "Variable,TableName,CodeOrValue,ValueDescription\nSEX,DEMO_H,1,Male\nAGE,DEMO_H,80,80 or more\n";
        std::fs::write(folder.path().join("codebook.csv.gz"), codes).unwrap();
        folder
    }

    #[test]
    fn tables_and_answers_have_names() {
        let folder = folder();
        let book = Codebook::load(folder.path(), &["SEX"]).unwrap();
        assert_eq!(
            (book.table("INQ_H"), book.table("XYZ_H"), book.table("DEMO_H")),
            ("Income", "XYZ_H", "Demographics")
        );
        assert_eq!(book.answer("DEMO_H", "SEX", "1"), Some("Male"));
        assert_eq!((book.answer("DEMO_H", "SEX", "2"), book.answer("DEMO_H", "AGE", "80")), (None, None));
    }

    #[test]
    fn a_missing_column_is_named() {
        let folder = folder();
        let error = columns(&folder.path().join("tables.csv.gz"), ["Name"]).unwrap_err().to_string();
        assert!(error.ends_with("tables.csv.gz: has no column \"Name\", which the study needs"), "{error}");
        let error = columns(&folder.path().join("none.csv"), ["Name"]).unwrap_err().to_string();
        assert!(error.contains("none.csv: not found; "), "{error}");
    }
}
