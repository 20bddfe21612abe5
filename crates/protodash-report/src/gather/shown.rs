//! Adds the data to a page: the nearest prototype of each row at every size, the map, and the rows with their values.

use std::collections::{HashMap, HashSet};

use protodash::{Dataset, Error as CoreError, Labels, Observer, Prototype, RepresentationPath, Role};
use protodash_table::RowMap;

use super::cells::TableCells;
use super::columns::described_rows;
use super::coverage::{coverage, distances};
use super::distributions::column_findings;
use super::examples::examples;
use super::map::{Marked, map};
use super::show::add_shown;
use super::width::drop_usual_columns;
use super::{PageData, PageObserver, begin};
use crate::document::SelectionDocument;
use crate::error::Result;
use crate::row::Row;
use crate::selection::SelectionPage;

/// Number of example rows per prototype; images take less room.
const EXAMPLES: usize = 3;
const EXAMPLE_IMAGES: usize = 6;

/// Maximum number of example rows on a page; each of many prototypes has at least one.
const ALL_EXAMPLES: usize = 1200;

/// Adds everything that comes from the data.
pub(super) fn add(
    data: &PageData<'_, '_>,
    observer: &mut dyn PageObserver,
    page: &mut SelectionPage,
    missing: &mut Vec<String>,
) -> Result<()> {
    let rows = (data.rows.source_rows, data.rows.target_rows);
    let follow = || represented_path(&page.document, data.rows.matrices, data.prototypes, rows, observer);
    let path = data.path.clone().map_or_else(follow, Ok)?;
    let among_target = page.document.criticisms.iter().any(|criticism| criticism.target_index.is_some());
    let role = if among_target { Role::Target } else { Role::Source };
    let names = data.rows.rows(role);
    let criticisms: Vec<usize> = page.criticisms.iter().filter_map(|row| names.matrix_row(row.index)).collect();
    begin(observer, "drawing the map")?;
    match map(data, &Marked { criticisms: (&criticisms, role), nearest: &path.nearest }, page.document.seed)? {
        Ok(map) => page.map = Some(map),
        Err(reason) => missing.push(reason),
    }
    if data.rows.features.is_empty() {
        missing.push("values of rows: a kernel matrix does not hold them".to_owned());
    }
    add_findings(data, observer, (page, missing), &path, (&criticisms, role))?;
    Shower { data, observer, missing }.add_rows(page, &path, (&criticisms, role))?;
    page.n_represented = path.n_represented;
    Ok(())
}

/// Adds the distributions of the columns, and how far the rows are from their prototypes.
fn add_findings(
    data: &PageData<'_, '_>,
    observer: &mut dyn PageObserver,
    (page, missing): (&mut SelectionPage, &mut Vec<String>),
    path: &RepresentationPath,
    criticisms: (&[usize], Role),
) -> Result<()> {
    let distances = distances(path);
    let mut groups = Vec::new();
    // Single pixels say little.
    if data.image_shape.is_none() && data.prototypes.iter().any(|prototype| prototype.weight > 0.0) {
        let found = column_findings(data.rows, data.prototypes, distances.as_deref().unwrap_or_default(), observer)?;
        (page.distributions, groups) = (found.distributions, found.groups);
        if found.n_omitted > 0 {
            missing.push(format!("distributions of the {} columns that differ least", found.n_omitted));
        }
    }
    match distances {
        Some(distances) => page.coverage = Some(coverage(data, &distances, groups, criticisms)),
        None => missing.push("distances from the prototypes: the kernel cannot measure them".to_owned()),
    }
    Ok(())
}

/// The nearest prototype of each target row at every size that a page counts rows for, which for prototypes of classes is
/// the nearest of its class.
///
/// # Errors
///
/// If the rows do not fit the kernel, or if `observer` cancels.
///
/// # Examples
///
/// ```
/// use ndarray::array;
/// use protodash::{Dataset, KernelSpec, Prototype, Unobserved};
/// use protodash_report::{SelectionDocument, represented_path};
/// use protodash_table::RowMap;
///
/// let dataset = Dataset::from_f64(array![[0.0], [1.0], [5.0], [6.0]], None, &KernelSpec::new("linear")?, 0)?;
/// let prototypes = [0, 3].map(|source_index| Prototype { source_index, weight: 0.5, share: 0.5, gain: 0.0 });
/// let (document, rows) = (SelectionDocument::example(), RowMap::identity(4));
/// let path = represented_path(&document, &dataset, &prototypes, (&rows, None), &mut Unobserved)?;
/// assert_eq!(path.n_represented, [vec![4], vec![2, 2]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn represented_path(
    document: &SelectionDocument,
    dataset: &Dataset<'_>,
    prototypes: &[Prototype],
    (source_rows, target_rows): (&RowMap, Option<&RowMap>),
    observer: &mut dyn Observer,
) -> std::result::Result<RepresentationPath, CoreError> {
    let path = document.early_weights(prototypes.len());
    if document.per_label.is_none() {
        return dataset.represent_path(prototypes, &path, observer);
    }
    let mut numbers: HashMap<Option<String>, usize> = HashMap::new();
    let mut numbered = |rows: &RowMap| -> Vec<usize> {
        let number = |row: usize| {
            let next = numbers.len();
            *numbers.entry(rows.label(row).map(str::to_owned)).or_insert(next)
        };
        (0..rows.table_rows().len()).map(number).collect()
    };
    let source = numbered(source_rows);
    let target = target_rows.map(&mut numbered);
    let labels = Labels { source: &source, target: target.as_ref().unwrap_or(&source) };
    dataset.represent_path_per_label(prototypes, &path, labels, observer)
}

/// Adds rows to a page.
struct Shower<'a, 'd> {
    data: &'a PageData<'a, 'd>,
    observer: &'a mut dyn PageObserver,
    missing: &'a mut Vec<String>,
}

impl Shower<'_, '_> {
    /// Adds cells, images and examples.
    fn add_rows(
        &mut self,
        page: &mut SelectionPage,
        path: &RepresentationPath,
        (criticisms, role): (&[usize], Role),
    ) -> Result<()> {
        let examples = self.examples(page.prototypes.len(), path);
        let mut places: Vec<(Role, usize)> =
            self.data.prototypes.iter().map(|prototype| (Role::Source, prototype.source_index)).collect();
        places.extend(criticisms.iter().map(|row| (role, *row)));
        places.extend(examples.iter().flatten().map(|row| (Role::Target, *row)));
        let mut rows: Vec<Row> = places.iter().map(|(role, row)| self.named_row(*role, *row)).collect();
        if !self.data.rows.features.is_empty() {
            self.fill(page, &places, &mut rows)?;
            add_shown(self.data, page, (&places, &mut rows), self.missing)?;
        }
        let mut rows = rows.into_iter();
        page.prototypes.iter_mut().zip(&mut rows).for_each(|(shown, row)| fill_in(shown, row));
        let critical = rows.by_ref().take(criticisms.len());
        page.criticisms.iter_mut().zip(critical).for_each(|(shown, row)| fill_in(shown, row));
        page.examples = examples.iter().map(|examples| rows.by_ref().take(examples.len()).collect()).collect();
        Ok(())
    }

    /// Rows that each prototype represents, without the prototypes themselves.
    fn examples(&self, n_prototypes: usize, path: &RepresentationPath) -> Vec<Vec<usize>> {
        let data = self.data;
        let n_examples = if data.image_shape.is_some() { EXAMPLE_IMAGES } else { EXAMPLES };
        let n_examples = n_examples.min(ALL_EXAMPLES / n_prototypes.max(1)).max(1);
        let own = data.prototypes.iter().filter(|_| data.rows.target_rows.is_none());
        let chosen: HashSet<usize> = own.map(|prototype| prototype.source_index).collect();
        examples(&path.nearest, &path.distances, n_prototypes, n_examples, |row| chosen.contains(&row))
    }

    fn named_row(&self, role: Role, row: usize) -> Row {
        let rows = self.data.rows.rows(role);
        let (id, label) = (rows.id(row).map(str::to_owned), rows.label(row).map(str::to_owned));
        Row { index: rows.table_row(row), id, label, ..Row::default() }
    }

    /// Adds the images or the cells of rows.
    fn fill(&mut self, page: &mut SelectionPage, places: &[(Role, usize)], rows: &mut [Row]) -> Result<()> {
        let data = self.data;
        let Some(shape) = data.image_shape else {
            let (columns, cells) = described_rows(&data.rows, places, self.observer)?;
            page.columns = columns;
            rows.iter_mut().zip(cells).for_each(|(row, cells)| row.cells = cells);
            drop_usual_columns(page, rows, self.missing);
            return Ok(());
        };
        begin(self.observer, "reading the rows")?;
        let numbers: Vec<(Role, u64)> =
            places.iter().zip(rows.iter()).map(|((role, _), row)| (*role, row.index)).collect();
        let cells = TableCells::read(data.rows.tables, &numbers)?;
        let images = cells.images(data.rows.features, shape, &numbers, &mut page.images);
        rows.iter_mut().zip(images).for_each(|(row, image)| row.image = image);
        Ok(())
    }
}

/// Replaces a row of the result with that of the data, but keeps names that the data do not have.
fn fill_in(shown: &mut Row, mut found: Row) {
    found.id = found.id.or_else(|| shown.id.take());
    found.label = found.label.or_else(|| shown.label.take());
    *shown = found;
}
