//! Adds the data to a page: the nearest prototype of each row at every size, the map, and the rows with their values.

use std::collections::HashSet;

use protodash::{Error as CoreError, RepresentationPath, Role};

use super::cells::TableCells;
use super::columns::described_rows;
use super::examples::examples;
use super::map::{Marked, map};
use super::width::drop_usual_columns;
use super::{PageData, PageObserver, begin};
use crate::document::SelectionDocument;
use crate::error::Result;
use crate::row::Row;
use crate::selection::SelectionPage;

/// Number of example rows per prototype; images take less room.
const EXAMPLES: usize = 3;
const EXAMPLE_IMAGES: usize = 6;

/// Adds everything that comes from the data.
pub(super) fn add(
    data: &PageData<'_, '_>,
    observer: &mut dyn PageObserver,
    page: &mut SelectionPage,
    missing: &mut Vec<String>,
) -> Result<()> {
    let path = data.path.clone().map_or_else(|| follow(&page.document, data, observer), Ok)?;
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
    Shower { data, observer, missing }.add_rows(page, &path, (&criticisms, role))?;
    // Prototypes of a class represent rows of that class; how many at smaller sizes was not counted.
    if page.document.per_label.is_none() {
        page.n_represented = path.n_represented;
    }
    Ok(())
}

/// The nearest prototype of each target row, at every size.
fn follow(
    document: &SelectionDocument,
    data: &PageData<'_, '_>,
    observer: &mut dyn PageObserver,
) -> std::result::Result<RepresentationPath, CoreError> {
    // Weights that do not match the prototypes come from a damaged file and cannot be used.
    let fits = document.weights_path.len() <= data.prototypes.len()
        && document.weights_path.iter().enumerate().all(|(at, weights)| weights.len() == at + 1);
    let path: Vec<&[f64]> = document.weights_path.iter().filter(|_| fits).map(Vec::as_slice).collect();
    data.rows.matrices.represent_path(data.prototypes, &path, observer)
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
