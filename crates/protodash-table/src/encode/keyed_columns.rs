//! The roles of columns in several tables that share a key.

use super::roles::{Categories, MissingRule, Roles, Scaling};
use crate::input::Input;

/// How the columns of several tables with a common key are used.
///
/// A table need not have every column that is named; missing values are always a category.
///
/// # Examples
///
/// ```
/// use protodash_table::{Input, KeyedColumns, ReadOptions};
///
/// let directory = tempfile::tempdir()?;
/// let path = directory.path().join("people.csv");
/// std::fs::write(&path, "person,age,smoker\n17,20,1\n4,30,0\n")?;
/// let people = Input::open(&path, &ReadOptions::default())?;
/// let mut columns = KeyedColumns::new("person");
/// columns.categorical = vec!["smoker".into(), "income".into()];
/// assert_eq!(columns.roles(&people).categorical, ["smoker"]);
/// assert_eq!(columns.unknown(&[people]), Some("income"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct KeyedColumns {
    /// The key column, which is never a feature.
    pub key: String,
    /// Columns that are not features.
    pub drop: Vec<String>,
    /// Numeric features to treat as categorical.
    pub categorical: Vec<String>,
    /// Whether every feature is categorical.
    pub all_categorical: bool,
    /// Whether the kernel only compares for equality, so that every feature is a code.
    pub codes: bool,
    /// How numbers are scaled.
    pub scale: Option<Scaling>,
    /// The maximum size of a matrix, in bytes.
    pub memory: u64,
}

impl KeyedColumns {
    /// Returns the defaults for tables with this key column: every other column is a feature.
    ///
    /// # Examples
    ///
    /// ```
    /// assert!(protodash_table::KeyedColumns::new("person").drop.is_empty());
    /// ```
    #[must_use]
    pub fn new(key: &str) -> KeyedColumns {
        KeyedColumns {
            key: key.to_owned(),
            drop: Vec::new(),
            categorical: Vec::new(),
            all_categorical: false,
            codes: false,
            scale: None,
            memory: u64::MAX,
        }
    }

    /// Returns the first dropped or categorical column that none of the tables has.
    ///
    /// # Examples
    ///
    /// See [`KeyedColumns`].
    #[must_use]
    pub fn unknown(&self, tables: &[Input]) -> Option<&str> {
        let mut names = self.drop.iter().chain(&self.categorical);
        names.find(|name| tables.iter().all(|table| !has(table, name))).map(String::as_str)
    }

    /// Returns the roles of one table's columns.
    ///
    /// # Examples
    ///
    /// See [`KeyedColumns`].
    #[must_use]
    pub fn roles(&self, table: &Input) -> Roles {
        let here = |names: &[String]| names.iter().filter(|name| has(table, name)).cloned().collect::<Vec<_>>();
        let mut roles = Roles {
            drop: here(&self.drop),
            categorical: here(&self.categorical),
            missing: MissingRule::Category,
            memory: self.memory,
            scale: self.scale,
            ..Roles::default()
        };
        if self.codes {
            roles.categories = Categories::Codes;
            roles.scale = Some(Scaling::None);
        }
        if self.all_categorical || self.codes {
            let is_other = |name: &str| same(name, &self.key) || roles.drop.iter().any(|other| same(name, other));
            let names = table.columns().iter().map(|column| column.name.clone());
            roles.categorical = names.filter(|name| !is_other(name)).collect();
        }
        roles
    }
}

fn has(table: &Input, name: &str) -> bool {
    table.columns().iter().any(|column| same(&column.name, name))
}

fn same(name: &str, other: &str) -> bool {
    name.to_lowercase() == other.to_lowercase()
}
