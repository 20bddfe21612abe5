//! Tables whose rows are matched by a key.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::ControlFlow;

use ndarray::Array2;

use super::cells::Texts;
use super::matrix::{Encoded, Matrix};
use super::plan::find;
use super::problem::EncodeProblem;
use super::roles::{Categories, Roles};
use super::{Part, encode};
use crate::Result;
use crate::advice::{Note, Setting};
use crate::input::Input;

/// An encoded table with the key of each row.
///
/// # Examples
///
/// ```
/// use std::ops::ControlFlow;
/// use protodash_table::{Input, Keyed, ReadOptions, Roles};
///
/// let directory = tempfile::tempdir()?;
/// let path = directory.path().join("people.csv");
/// std::fs::write(&path, "person,age\n17,20\n4,30\n")?;
/// let people = Input::open(&path, &ReadOptions::default())?;
/// let keyed = Keyed::new(&people, "person", &Roles::default(), &mut |_, _| ControlFlow::Continue(()))?;
/// assert_eq!(keyed.keys(), ["17", "4"]);
/// assert_eq!(keyed.notes().len(), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Keyed<'a> {
    input: &'a Input,
    /// With the keys as the ids of its rows.
    encoded: Encoded,
    categories: Categories,
}

impl<'a> Keyed<'a> {
    /// Returns the rows of `input`, encoded according to `roles`, with the keys in column `key`, which is not a feature.
    ///
    /// Keys are compared as text, in which integers have no decimal point: 5 in one file is 5.0 in another.
    ///
    /// # Errors
    ///
    /// If there is no such column, if a key is missing or repeated, and every error of [`encode()`].
    ///
    /// # Examples
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use protodash_table::{Input, Keyed, ReadOptions, Roles};
    ///
    /// let directory = tempfile::tempdir()?;
    /// let path = directory.path().join("visits.csv");
    /// std::fs::write(&path, "person,cost\n17,20\n4,30\n17,25\n")?;
    /// let visits = Input::open(&path, &ReadOptions::default())?;
    /// let twice = Keyed::new(&visits, "person", &Roles::default(), &mut |_, _| ControlFlow::Continue(()));
    /// assert!(twice.unwrap_err().to_string().ends_with(
    ///     "visits.csv: key \"17\" in column \"person\" is in line 2 and again in line 4; keys must be unique"
    /// ));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(
        input: &'a Input,
        key: &str,
        roles: &Roles,
        progress: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
    ) -> Result<Keyed<'a>> {
        if input.is_sparse() {
            return Err(EncodeProblem::SparseKeyed { path: input.path().to_owned() }.into());
        }
        let column = input.columns()[find(input, &Setting::Key, key)?].name.clone();
        let mut roles = roles.clone();
        roles.id = Some(column.clone());
        let (encoded, _) = encode(Part::from(input), None, &roles, progress)?;
        let keys = encoded.rows.ids().unwrap_or_default();
        let mut seen: HashMap<&str, usize> = HashMap::with_capacity(keys.len());
        for (row, key) in keys.iter().enumerate() {
            let place = |row: usize| input.place(encoded.rows.table_row(row));
            let path = input.path().to_owned();
            if key.is_empty() {
                return Err(EncodeProblem::MissingKey { path, place: place(row), column }.into());
            }
            if let Some(first) = seen.insert(key, row) {
                let (key, first, second) = (key.clone(), place(first), place(row));
                return Err(EncodeProblem::DuplicateKey { path, column, key, first, second }.into());
            }
        }
        Ok(Keyed { input, encoded, categories: roles.categories })
    }

    /// Returns the key of each row.
    ///
    /// # Examples
    ///
    /// ```
    /// # use std::ops::ControlFlow;
    /// # use protodash_table::{Input, Keyed, ReadOptions, Roles};
    /// # let directory = tempfile::tempdir()?;
    /// # let path = directory.path().join("people.csv");
    /// std::fs::write(&path, "person,age\n17,20\n4,\n")?;
    /// let people = Input::open(&path, &ReadOptions::default())?;
    /// let mut roles = Roles::default();
    /// roles.missing = protodash_table::MissingRule::Category;
    /// let keyed = Keyed::new(&people, "person", &roles, &mut |_, _| ControlFlow::Continue(()))?;
    /// assert_eq!(keyed.keys(), ["17", "4"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn keys(&self) -> &[String] {
        self.encoded.rows.ids().unwrap_or_default()
    }

    /// Returns notes on the encoding.
    ///
    /// # Examples
    ///
    /// ```
    /// # use std::ops::ControlFlow;
    /// # use protodash_table::{Input, Keyed, ReadOptions, Roles};
    /// # let directory = tempfile::tempdir()?;
    /// # let path = directory.path().join("people.csv");
    /// std::fs::write(&path, "person,age\n17,20\n4,\n5,30\n")?;
    /// let people = Input::open(&path, &ReadOptions::default())?;
    /// let mut roles = Roles::default();
    /// roles.missing = protodash_table::MissingRule::Category;
    /// let keyed = Keyed::new(&people, "person", &roles, &mut |_, _| ControlFlow::Continue(()))?;
    /// let note = keyed.notes()[0].render(|_| None);
    /// assert_eq!(note, "treated 1 missing value in column \"age\" as a separate \"missing\" category");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn notes(&self) -> &[Note] {
        &self.encoded.notes
    }
}

/// The keys on which tables are compared.
///
/// # Examples
///
/// ```
/// assert_ne!(protodash_table::KeyRule::Own, protodash_table::KeyRule::All);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyRule {
    /// Those that a table has.
    Own,
    /// Those that any table has; a table without a key has the separate level "not asked" in each of its columns.
    All,
}

/// Tables with rows in the order of their keys, with the same numbering of keys in all of them.
///
/// # Examples
///
/// ```
/// use std::ops::ControlFlow;
/// use ndarray::array;
/// use protodash_table::{AlignedTables, Input, KeyRule, Keyed, ReadOptions, Roles, Scaling};
///
/// let directory = tempfile::tempdir()?;
/// let open = |name: &str, text: &str| {
///     let path = directory.path().join(name);
///     std::fs::write(&path, text).unwrap();
///     Input::open(&path, &ReadOptions::default()).unwrap()
/// };
/// let (ages, heights) = (open("a.csv", "id,age\n9,50\n10,20\n"), open("b.csv", "height,id\n1.5,9\n1.8,8\n"));
/// let mut roles = Roles::default();
/// roles.scale = Some(Scaling::None);
/// let keyed = |input| Keyed::new(input, "id", &roles, &mut |_, _| ControlFlow::Continue(()));
///
/// let own = AlignedTables::new(&[keyed(&ages)?, keyed(&heights)?], KeyRule::Own, None, u64::MAX)?;
/// assert_eq!(own.keys, ["8", "9", "10"]);
/// assert_eq!((&own.tables[0].matrix, &own.tables[0].keys[..]), (&array![[50.0], [20.0]], &[1, 2][..]));
/// assert_eq!((&own.tables[1].matrix, &own.tables[1].keys[..]), (&array![[1.8], [1.5]], &[0, 1][..]));
///
/// // Key 8 has no age: the second column says so.
/// let all = AlignedTables::new(&[keyed(&ages)?, keyed(&heights)?], KeyRule::All, None, u64::MAX)?;
/// assert_eq!(all.tables[0].matrix, array![[0.0, 1.0], [50.0, 0.0], [20.0, 0.0]]);
/// assert_eq!((all.tables[0].n_asked, &all.tables[0].keys[..]), (2, &[0, 1, 2][..]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct AlignedTables {
    /// All keys, in numeric order if all are numbers, else as text.
    pub keys: Vec<String>,
    /// The tables in the order given.
    pub tables: Vec<AlignedTable>,
}

/// One of several [`AlignedTables`].
///
/// # Examples
///
/// ```
/// use ndarray::array;
/// use protodash_table::AlignedTable;
///
/// // The table has two of three keys; the second column marks the one that it lacks.
/// let matrix = array![[5.0, 0.0], [0.0, 1.0], [7.0, 0.0]];
/// let table = AlignedTable { matrix, keys: vec![0, 1, 2], n_asked: 2 };
/// assert_eq!(table.matrix.nrows() - table.n_asked, 1);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct AlignedTable {
    /// The features of each key, in the order of `keys`.
    pub matrix: Array2<f64>,
    /// The position of each row's key among all keys, ascending.
    pub keys: Vec<usize>,
    /// The number of rows that are in the file.
    pub n_asked: usize,
}

impl AlignedTables {
    /// Returns the tables with rows in the order of their keys, restricted to the keys in `wanted` if given.
    ///
    /// # Errors
    ///
    /// If a table has none of the wanted keys or shares none with any other table, or if the matrices need more than
    /// `memory` bytes.
    ///
    /// # Examples
    ///
    /// ```
    /// # use std::ops::ControlFlow;
    /// # use protodash_table::{AlignedTables, Input, KeyRule, Keyed, ReadOptions, Roles};
    /// # let directory = tempfile::tempdir()?;
    /// let open = |name: &str, text: &str| {
    ///     let path = directory.path().join(name);
    ///     std::fs::write(&path, text).unwrap();
    ///     Input::open(&path, &ReadOptions::default()).unwrap()
    /// };
    /// let (ages, heights) = (open("a.csv", "id,age\n9,50\n10,20\n"), open("b.csv", "id,height\n1,1.5\n2,1.8\n"));
    /// let keyed = |input| Keyed::new(input, "id", &Roles::default(), &mut |_, _| ControlFlow::Continue(()));
    /// let nothing = AlignedTables::new(&[keyed(&ages)?, keyed(&heights)?], KeyRule::Own, None, u64::MAX).unwrap_err();
    /// let message = "a.csv: none of its 2 keys (such as \"9\") is in any other table";
    /// assert!(nothing.to_string().ends_with(message));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(
        tables: &[Keyed<'_>],
        rule: KeyRule,
        wanted: Option<&HashSet<String>>,
        memory: u64,
    ) -> Result<AlignedTables> {
        let is_wanted = |key: &&String| wanted.is_none_or(|wanted| wanted.contains(*key));
        let mut n_tables: HashMap<&String, usize> = HashMap::new();
        for key in tables.iter().flat_map(|table| table.keys().iter().filter(is_wanted)) {
            *n_tables.entry(key).or_default() += 1;
        }
        if let Some(table) = tables.iter().find(|table| !table.keys().iter().any(|key| is_wanted(&key))) {
            let (path, n_keys) = (table.input.path().to_owned(), table.keys().len());
            return Err(EncodeProblem::NoneWanted { path, n_keys, example: table.keys()[0].clone() }.into());
        }
        for table in tables {
            let shared = |key: &String| n_tables.get(key).is_some_and(|n| *n > 1);
            if !table.keys().iter().any(shared) {
                let (path, n_keys) = (table.input.path().to_owned(), table.keys().iter().filter(is_wanted).count());
                return Err(EncodeProblem::NothingShared { path, n_keys, example: table.keys()[0].clone() }.into());
            }
        }
        let keys = in_order(n_tables.into_keys());
        let numbers: HashMap<&str, usize> = keys.iter().map(String::as_str).zip(0..).collect();
        let mut left = memory;
        let mut aligned = Vec::with_capacity(tables.len());
        for table in tables {
            let rows: BTreeMap<usize, usize> = table
                .keys()
                .iter()
                .enumerate()
                .filter_map(|(row, key)| Some((*numbers.get(key.as_str())?, row)))
                .collect();
            let table = match rule {
                KeyRule::Own => table.on_own_keys(&rows, &mut left)?,
                KeyRule::All => table.on_all_keys(&rows, keys.len(), &mut left)?,
            };
            aligned.push(table);
        }
        Ok(AlignedTables { keys, tables: aligned })
    }
}

impl Keyed<'_> {
    /// Returns the rows in the order of their keys; `rows` maps keys to rows.
    fn on_own_keys(&self, rows: &BTreeMap<usize, usize>, left: &mut u64) -> Result<AlignedTable> {
        let (order, n_features) = (rows.values().copied().collect::<Vec<_>>(), self.encoded.matrix.n_features());
        self.take_memory(rows.len(), n_features, left)?;
        let matrix = Array2::from_shape_fn((rows.len(), n_features), |(place, column)| self.cell(order[place], column));
        Ok(AlignedTable { matrix, keys: rows.keys().copied().collect(), n_asked: rows.len() })
    }

    /// Returns a row for each of `n_keys` keys, with the level "not asked" in every column if the file has no row.
    fn on_all_keys(&self, rows: &BTreeMap<usize, usize>, n_keys: usize, left: &mut u64) -> Result<AlignedTable> {
        let n_features = self.encoded.matrix.n_features();
        let columns: HashSet<&str> = self.encoded.features.iter().map(|feature| feature.column.as_str()).collect();
        // "Not asked" is a separate code, or one more one-hot feature per column.
        let (absent, n_levels) = match self.categories {
            Categories::Codes => (-1.0, 0),
            Categories::OneHot if rows.len() == n_keys => (0.0, 0),
            Categories::OneHot => (0.0, columns.len()),
        };
        self.take_memory(n_keys, n_features + n_levels, left)?;
        let matrix = Array2::from_shape_fn((n_keys, n_features + n_levels), |(key, column)| match rows.get(&key) {
            Some(row) if column < n_features => self.cell(*row, column),
            Some(_) => 0.0,
            None if column < n_features => absent,
            None => 1.0,
        });
        Ok(AlignedTable { matrix, keys: (0..n_keys).collect(), n_asked: rows.len() })
    }

    fn cell(&self, row: usize, column: usize) -> f64 {
        match &self.encoded.matrix {
            Matrix::F32(matrix) => matrix[(row, column)].into(),
            Matrix::F64(matrix) => matrix[(row, column)],
            Matrix::Sparse(rows) => rows.value(row, column),
        }
    }

    /// Subtracts the memory of a matrix from what is left.
    fn take_memory(&self, n_rows: usize, n_features: usize, left: &mut u64) -> Result<()> {
        let (n_rows, n_features) = (n_rows as u64, n_features as u64);
        let bytes = n_rows.saturating_mul(n_features).saturating_mul(8);
        if bytes > *left {
            let mut widths: BTreeMap<&str, u64> = BTreeMap::new();
            self.encoded.features.iter().for_each(|feature| *widths.entry(&feature.column).or_default() += 1);
            let widest = widths.into_iter().max_by_key(|(_, n)| *n).map(|(column, n)| (column.to_owned(), n));
            let (path, memory) = (self.input.path().to_owned(), *left);
            return Err(EncodeProblem::TooLarge { path, n_rows, n_features, bytes, memory, widest }.into());
        }
        *left -= bytes;
        Ok(())
    }
}

/// Returns the distinct keys in column `key` of a file.
///
/// # Errors
///
/// If there is no such column, or if the file cannot be read.
///
/// # Examples
///
/// ```
/// use protodash_table::{Input, ReadOptions, keys_of};
///
/// let directory = tempfile::tempdir()?;
/// let path = directory.path().join("visits.csv");
/// std::fs::write(&path, "person,cost\n17,20\n4,30\n17,25\n")?;
/// let visits = Input::open(&path, &ReadOptions::default())?;
/// let keys = keys_of(&visits, "person")?;
/// assert!(keys.len() == 2 && keys.contains("17") && keys.contains("4"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn keys_of(input: &Input, key: &str) -> Result<HashSet<String>> {
    let column = find(input, &Setting::Key, key)?;
    let mut keys = HashSet::new();
    for batch in input.batches()? {
        keys.extend(Texts::new(batch?.column(column)).iter().flatten().map(str::to_owned));
    }
    Ok(keys)
}

/// Returns the keys in numeric order if all are numbers, else as text.
fn in_order<'a>(keys: impl Iterator<Item = &'a String>) -> Vec<String> {
    let mut keys: Vec<String> = keys.cloned().collect();
    keys.sort_unstable();
    let numbers: Option<Vec<f64>> = keys.iter().map(|key| key.parse().ok().filter(|n: &f64| n.is_finite())).collect();
    if let Some(numbers) = numbers {
        let mut pairs: Vec<_> = numbers.into_iter().zip(keys).collect();
        pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
        return pairs.into_iter().map(|(_, key)| key).collect();
    }
    keys
}
