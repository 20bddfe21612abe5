//! What the data add to a page: who stands for whom at every size, the map, and the rows as people know them.

use std::collections::HashSet;

use protodash::{Error as CoreError, Kernel, RepresentationPath, Role, Scalar, represent_path};
use protodash_report::{Row, SelectionPage, examples};

use super::cells::Cells;
use super::columns::{Known, cells_of, summarise};
use super::map::{Marked, map};
use super::telling::keep_telling;
use super::{Origin, Watcher, begin};
use crate::document::Document;
use crate::error::Result;

/// Rows of each prototype that are shown: pictures take little room.
const EXAMPLES: usize = 3;
const EXAMPLE_PICTURES: usize = 6;

/// Adds what the data say to what the result says.
pub(super) fn add<T: Scalar, K: Kernel<T> + ?Sized>(
    document: &Document,
    origin: &Origin<'_, T, K>,
    watcher: &mut dyn Watcher,
    page: &mut SelectionPage,
    missing: &mut Vec<String>,
) -> Result<()> {
    let path = origin.path.clone().map_or_else(|| follow(document, origin, watcher), Ok)?;
    let among_target = document.criticisms.iter().any(|criticism| criticism.target_index.is_some());
    let role = if among_target { Role::Target } else { Role::Source };
    let rows = origin.rows(role);
    let criticisms = page.criticisms.iter().filter_map(|criticism| rows.matrix_row(criticism.row.index));
    let criticisms: Vec<usize> = criticisms.collect();
    begin(watcher, "drawing the map")?;
    match map(origin, &Marked { criticisms: (&criticisms, role), nearest: &path.nearest }, document.seed)? {
        Ok(map) => page.map = Some(map),
        Err(reason) => missing.push(reason),
    }
    if origin.features.is_empty() {
        missing.push("values of rows: a kernel matrix does not hold them".to_owned());
    }
    Gathering { origin, watcher, missing }.add_rows(page, &path, (&criticisms, role))?;
    page.n_represented = path.n_represented;
    Ok(())
}

/// The nearest prototype of each target row, at every size.
fn follow<T: Scalar, K: Kernel<T> + ?Sized>(
    document: &Document,
    origin: &Origin<'_, T, K>,
    watcher: &mut dyn Watcher,
) -> std::result::Result<RepresentationPath, CoreError> {
    // Weights that do not fit the prototypes are those of a damaged file: they say nothing about sizes.
    let fits = document.weights_path.len() <= origin.prototypes.len()
        && document.weights_path.iter().enumerate().all(|(at, weights)| weights.len() == at + 1);
    let path: Vec<&[f64]> = document.weights_path.iter().filter(|_| fits).map(Vec::as_slice).collect();
    represent_path(origin.target, origin.source, origin.prototypes, &path, origin.kernel, watcher)
}

/// A row that is shown: its side, its place in the matrix and its number in the table.
type Shown = (Role, (usize, u64));

struct Gathering<'a, T, K: ?Sized> {
    origin: &'a Origin<'a, T, K>,
    watcher: &'a mut dyn Watcher,
    missing: &'a mut Vec<String>,
}

impl<T: Scalar, K: Kernel<T> + ?Sized> Gathering<'_, T, K> {
    /// Adds cells, pictures and examples.
    fn add_rows(
        &mut self,
        page: &mut SelectionPage,
        path: &RepresentationPath,
        (criticisms, role): (&[usize], Role),
    ) -> Result<()> {
        let origin = self.origin;
        let examples = self.examples(page.prototypes.len(), path);
        let named = |role: Role, row: usize| (role, (row, origin.rows(role).table_row(row)));
        let mut rows: Vec<Shown> =
            origin.prototypes.iter().map(|prototype| named(Role::Source, prototype.source_index)).collect();
        rows.extend(criticisms.iter().map(|row| named(role, *row)));
        rows.extend(examples.iter().flatten().map(|row| named(Role::Target, *row)));
        let mut made: Vec<Row> = rows.iter().map(|(role, (row, _))| self.named_row(*role, *row)).collect();
        if !origin.features.is_empty() {
            self.fill(page, &rows, &mut made)?;
        }
        let mut made = made.into_iter();
        page.prototypes.iter_mut().zip(&mut made).for_each(|(prototype, row)| fill_in(&mut prototype.row, row));
        page.criticisms
            .iter_mut()
            .zip(made.by_ref().take(criticisms.len()))
            .for_each(|(criticism, row)| fill_in(&mut criticism.row, row));
        for (prototype, of_prototype) in page.prototypes.iter_mut().zip(&examples) {
            prototype.examples = made.by_ref().take(of_prototype.len()).collect();
        }
        Ok(())
    }

    /// Rows that each prototype stands for, of which it is no example itself.
    fn examples(&self, n_prototypes: usize, path: &RepresentationPath) -> Vec<Vec<usize>> {
        let origin = self.origin;
        let n_examples = if origin.image_shape.is_some() { EXAMPLE_PICTURES } else { EXAMPLES };
        let own = origin.prototypes.iter().filter(|_| origin.target_rows.is_none());
        let chosen: HashSet<usize> = own.map(|prototype| prototype.source_index).collect();
        examples(&path.nearest, &path.distances, n_prototypes, n_examples, |row| chosen.contains(&row))
    }

    fn named_row(&self, role: Role, row: usize) -> Row {
        let rows = self.origin.rows(role);
        let (id, label) = (rows.id(row).map(str::to_owned), rows.label(row).map(str::to_owned));
        Row { index: rows.table_row(row), id, label, ..Row::default() }
    }

    /// Reads the rows again, and adds their pictures or their cells.
    fn fill(&mut self, page: &mut SelectionPage, rows: &[Shown], made: &mut [Row]) -> Result<()> {
        let origin = self.origin;
        if let Some(shape) = origin.image_shape {
            let cells = self.read(rows, &[])?;
            let numbers: Vec<(Role, u64)> = rows.iter().map(|(role, (_, number))| (*role, *number)).collect();
            let found = cells.pictures(origin.features, shape, &numbers, &mut page.images);
            made.iter_mut().zip(found).for_each(|(row, image)| row.image = image);
            return Ok(());
        }
        begin(self.watcher, "describing columns")?;
        let summary = summarise(origin.target, origin.features, origin.compares_codes());
        let target_rows = origin.rows(Role::Target);
        let frequent: Vec<Option<u64>> =
            summary.iter().map(|(_, row)| row.map(|row| target_rows.table_row(row))).collect();
        let cells = self.read(rows, &frequent)?;
        let mut columns: Vec<Known<'_>> = summary.into_iter().map(|(known, _)| known).collect();
        for (column, number) in columns.iter_mut().zip(&frequent) {
            let text = number.and_then(|number| cells.texts(Role::Target, column.name(), &[number]));
            text.into_iter().flatten().for_each(|text| column.with_level(&text));
        }
        for side in [Role::Source, Role::Target] {
            let places: Vec<usize> = (0..rows.len()).filter(|at| rows[*at].0 == side).collect();
            let of_side: Vec<(usize, u64)> = places.iter().map(|at| rows[*at].1).collect();
            let described = cells_of(&columns, &cells, (side, origin.matrix(side)), &of_side);
            places.into_iter().zip(described).for_each(|(at, cells)| made[at].cells = cells);
        }
        page.columns = columns.into_iter().map(|known| known.column).collect();
        keep_telling(page, made, self.missing);
        Ok(())
    }

    /// The rows as they stand in the tables, and these further target rows.
    fn read(&mut self, rows: &[Shown], more: &[Option<u64>]) -> Result<Cells> {
        let of = |wanted: Role| rows.iter().filter(move |(role, _)| *role == wanted).map(|(_, (_, number))| *number);
        begin(self.watcher, "reading the rows")?;
        let target = of(Role::Target).chain(more.iter().flatten().copied());
        Cells::read(self.origin.tables, of(Role::Source).collect(), target.collect())
    }
}

/// Puts what the data say in the place of what the result said, which may know names that the data do not hold.
fn fill_in(said: &mut Row, mut found: Row) {
    found.id = found.id.or_else(|| said.id.take());
    found.label = found.label.or_else(|| said.label.take());
    *said = found;
}
