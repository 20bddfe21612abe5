//! Adds the data to a page: the nearest prototype of each row at every size, the map, and the rows with their values.

use std::collections::HashSet;

use protodash::{RepresentationPath, Role};

use super::cells::TableCells;
use super::columns::described_rows;
use super::coverage::{coverage, distances};
use super::distributions::column_findings;
use super::examples::examples;
use super::kernel_findings::{KernelFindings, kernel_findings};
use super::map::{MapRows, map};
use super::show::add_shown;
use super::width::drop_usual_columns;
use super::{NarrowedRows, PageData, PageObserver, begin};
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
    let find = || kernel_findings(&page.document, data.rows.matrices, data.prototypes, rows, observer);
    let KernelFindings { path, similarity, places } = data.kernel.clone().map_or_else(find, Ok)?;
    page.similarity = Some(similarity);
    let among_target = page.document.criticisms.iter().any(|criticism| criticism.target_index.is_some());
    let role = if among_target { Role::Target } else { Role::Source };
    let names = data.rows.rows(role);
    let criticisms: Vec<usize> = page.criticisms.iter().filter_map(|row| names.matrix_row(row.index)).collect();
    begin(observer, "drawing the map")?;
    let map_rows = MapRows::new(&page.document, data.prototypes, rows);
    match map(data, &map_rows, (places, &path.nearest), page.document.seed)? {
        Ok(map) => page.map = Some(map),
        Err(reason) => missing.push(reason),
    }
    if !data.rows.has_values() {
        missing.push("values of rows: a kernel matrix does not hold them".to_owned());
    }
    let prototypes = data.prototypes.iter().map(|prototype| (Role::Source, prototype.source_index));
    let telling: Vec<(Role, usize)> = prototypes.chain(criticisms.iter().map(|row| (role, *row))).collect();
    match NarrowedRows::new(&data.rows, &telling)? {
        None => add_values(data, observer, (page, missing), &path, (&criticisms, role))?,
        Some(narrowed) => {
            missing.extend(narrowed.missing());
            let PageData { prototypes, image_shape, .. } = *data;
            let data = PageData { rows: narrowed.data(), prototypes, image_shape, kernel: None };
            add_values(&data, observer, (page, missing), &path, (&criticisms, role))?;
        }
    }
    page.n_represented = path.n_represented;
    Ok(())
}

/// Adds what the values of the rows say.
fn add_values(
    data: &PageData<'_, '_>,
    observer: &mut dyn PageObserver,
    (page, missing): (&mut SelectionPage, &mut Vec<String>),
    path: &RepresentationPath,
    criticisms: (&[usize], Role),
) -> Result<()> {
    add_findings(data, observer, (&mut *page, &mut *missing), path, criticisms)?;
    Shower { data, observer, missing }.add_rows(page, path, criticisms)
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
