//! The columns of a file: names and kinds.

/// A column of a file.
///
/// # Examples
///
/// ```
/// use protodash_table::{TableColumn, ColumnKind};
///
/// let age = TableColumn { name: "age".into(), kind: ColumnKind::Number };
/// assert_eq!(age.kind, ColumnKind::Number);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableColumn {
    /// The name, unique in its file.
    pub name: String,
    /// The kind of its cells.
    pub kind: ColumnKind,
}

/// The kind of a column, which determines its Arrow array.
///
/// # Examples
///
/// ```
/// use protodash_table::{ColumnKind, Input, ReadOptions};
///
/// let directory = tempfile::tempdir()?;
/// let path = directory.path().join("people.csv");
/// std::fs::write(&path, "age,member,city\n31,true,Ulm\nold,false,Bonn\n")?;
/// let people = Input::open(&path, &ReadOptions::default())?;
/// let kinds: Vec<_> = people.columns().iter().map(|column| column.kind.clone()).collect();
/// let mixed = ColumnKind::Mixed { row: 1, value: "old".into(), n_text: 1 };
/// assert_eq!(kinds, [mixed, ColumnKind::Boolean, ColumnKind::Text]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ColumnKind {
    /// Numbers: a `Float64`, `Float32` or integer array, as in the file; null (and NaN) is missing.
    Number,
    /// `BooleanArray`; null is missing.
    Boolean,
    /// `StringArray` (`Utf8`); null is missing.
    Text,
    /// Both numbers and text, in a CSV or JSON lines file; yielded as `Utf8`.
    Mixed {
        /// The row of the first text, counted from 0.
        row: u64,
        /// That text.
        value: String,
        /// How many cells are text.
        n_text: u64,
    },
}

/// A column that is in the file but cannot be read: a list, an object, binary data.
///
/// # Examples
///
/// ```
/// # use protodash_table::{Input, ReadOptions};
/// # let directory = tempfile::tempdir()?;
/// # let path = directory.path().join("a.jsonl");
/// std::fs::write(&path, "{\"x\": 1, \"tags\": [\"a\", \"b\"]}\n")?;
/// let input = Input::open(&path, &ReadOptions::default())?;
/// assert_eq!(input.columns().len(), 1);
/// assert_eq!((input.unread()[0].name.as_str(), input.unread()[0].data_type.as_str()), ("tags", "list"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnreadColumn {
    /// The name.
    pub name: String,
    /// Its type, as the file gives it.
    pub data_type: String,
}
