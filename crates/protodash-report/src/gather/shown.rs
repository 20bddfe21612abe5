//! Adds the data to a page: the nearest prototype of each row at every size, the map, and the rows with their values.

use std::collections::{BTreeMap, HashMap, HashSet};

use protodash::{Criticism, Prototype, RepresentationPath, Role};

use super::cells::TableCells;
use super::columns::described_rows;
use super::coverage::{DistanceGroups, roots};
use super::distributions::column_findings;
use super::examples::examples;
use super::followed::{RowsAtSize, some_smaller};
use super::hover::{describe_points, described_points, thumbnails};
use super::kernel_findings::{FindingsRows, KernelFindings, kernel_findings};
use super::map::{MapRows, map};
use super::show::add_shown;
use super::width::drop_usual_columns;
use super::{CriticismsOfSize, NarrowedRows, PageData, PageObserver, begin};
use crate::error::Result;
use crate::row::Row;
use crate::selection::{SelectionPage, SmallerCriticisms, SmallerExamples};

/// Number of example rows per prototype; images take less room.
const EXAMPLES: usize = 3;
const EXAMPLE_IMAGES: usize = 6;

/// Maximum number of example rows on a page; each of many prototypes has at least one.
const ALL_EXAMPLES: usize = 1200;

/// Maximum number of smaller sizes with examples, and of pairs of a prototype and an example at which no more sizes are added.
const MOST_SIZES: usize = 29;
const MOST_PAIRS: usize = 600;

/// A number of prototypes, and the positions of the examples of each among all pairs.
type ExamplesOfSize = (usize, Vec<Vec<usize>>);

/// Adds everything that comes from the data.
pub(super) fn add(
    data: &PageData<'_, '_>,
    observer: &mut dyn PageObserver,
    page: &mut SelectionPage,
    missing: &mut Vec<String>,
) -> Result<()> {
    let rows = (data.rows.source_rows, data.rows.target_rows);
    let all = FindingsRows {
        source: rows.0,
        target: rows.1,
        target_weights: data.rows.target_weights,
        kernel_mean: data.kernel_mean,
    };
    let find = || kernel_findings(&page.document, data.rows.matrices, data.prototypes, all, observer);
    let KernelFindings { path, similarity, places, criticisms: smaller } = data.kernel.clone().map_or_else(find, Ok)?;
    page.similarity = Some(similarity);
    let among_target = page.document.criticisms.iter().any(|criticism| criticism.target_index.is_some());
    let role = if among_target { Role::Target } else { Role::Source };
    begin(observer, "drawing the map")?;
    let map_rows = MapRows::new(&page.document, data.prototypes, rows, &smaller);
    let names = data.rows.rows(role);
    for row in &map_rows.criticisms()[page.criticisms.len().min(map_rows.criticisms().len())..] {
        let (id, label) = (names.id(*row).map(str::to_owned), names.label(*row).map(str::to_owned));
        page.criticisms.push(Row { index: names.table_row(*row), id, label, ..Row::default() });
    }
    page.smaller_criticisms = smaller.iter().map(|found| criticisms_of_size(found, map_rows.criticisms())).collect();
    match map(data, &map_rows, (places, &path), page.document.seed)? {
        Ok(map) => page.map = Some(map),
        Err(reason) => missing.push(reason),
    }
    if !data.rows.has_values() {
        missing.push("values of rows: a kernel matrix does not hold them".to_owned());
    }
    let prototypes = data.prototypes.iter().map(|prototype| (Role::Source, prototype.source_index));
    let criticisms = map_rows.criticisms().iter().map(|row| (role, *row));
    let telling: Vec<(Role, usize)> = prototypes.chain(criticisms).collect();
    match NarrowedRows::new(&data.rows, &telling)? {
        None => add_values(data, observer, (page, missing), &path, (&map_rows, &smaller, role))?,
        Some(narrowed) => {
            missing.extend(narrowed.missing());
            let PageData { prototypes, image_shape, kernel_mean, .. } = *data;
            let data = PageData { rows: narrowed.data(), prototypes, image_shape, kernel: None, kernel_mean };
            add_values(&data, observer, (page, missing), &path, (&map_rows, &smaller, role))?;
        }
    }
    page.class_shares = class_shares(data);
    page.n_represented = path.n_represented;
    Ok(())
}

/// Adds what the values of the rows say.
fn add_values(
    data: &PageData<'_, '_>,
    observer: &mut dyn PageObserver,
    (page, missing): (&mut SelectionPage, &mut Vec<String>),
    path: &RepresentationPath,
    (map_rows, smaller, role): (&MapRows, &[CriticismsOfSize], Role),
) -> Result<()> {
    add_findings(data, observer, (&mut *page, &mut *missing), path, (map_rows, smaller, role))?;
    Shower { data, observer, missing, map_rows }.add_rows(page, path, (map_rows.criticisms(), role))
}

/// The criticisms of a size, as positions among all criticisms of the page. Their scores have six digits: kernel means that are
/// computed again may differ from those of the run in the last ones.
fn criticisms_of_size(found: &CriticismsOfSize, all: &[usize]) -> SmallerCriticisms {
    let rounded = |score: f64| format!("{score:.5e}").parse().unwrap_or(score);
    let place =
        |criticism: &Criticism| Some((all.iter().position(|row| *row == criticism.row)?, rounded(criticism.score)));
    SmallerCriticisms { n_prototypes: found.n_prototypes, found: found.criticisms.iter().filter_map(place).collect() }
}

/// The classes of the target with their shares; empty if a row has none.
fn class_shares(data: &PageData<'_, '_>) -> Vec<(String, f64)> {
    let names = data.rows.rows(Role::Target);
    let mut shares: BTreeMap<&str, f64> = BTreeMap::new();
    for (row, share) in data.rows.target_shares().into_iter().enumerate() {
        let Some(label) = names.label(row) else { return Vec::new() };
        *shares.entry(label).or_default() += share;
    }
    shares.into_iter().map(|(label, share)| (label.to_owned(), share)).collect()
}

/// Adds the distributions of the columns, and how far the rows are from their prototypes.
fn add_findings(
    data: &PageData<'_, '_>,
    observer: &mut dyn PageObserver,
    (page, missing): (&mut SelectionPage, &mut Vec<String>),
    path: &RepresentationPath,
    (map_rows, smaller, role): (&MapRows, &[CriticismsOfSize], Role),
) -> Result<()> {
    let distances = roots(&path.distances);
    // Rows of the map whose values can be linked with it.
    let points = if page.map.is_some() { map_rows.points() } else { &[] };
    let mut groups = Vec::new();
    // Single pixels say little.
    if data.image_shape.is_none() && data.prototypes.iter().any(|prototype| prototype.weight > 0.0) {
        let found = {
            let distances = distances.as_deref().unwrap_or_default();
            column_findings(data.rows, data.prototypes, (distances, points), observer)?
        };
        (page.distributions, groups) = (found.distributions, found.groups);
        if found.n_omitted > 0 {
            missing.push(format!("distributions of the {} columns that differ least", found.n_omitted));
        }
    }
    match distances {
        Some(distances) => {
            let measured = DistanceGroups::new(data, (&distances, path), groups, points);
            let shares: Vec<f64> = data.prototypes.iter().map(|prototype| prototype.share).collect();
            let own = &map_rows.criticisms()[..page.document.criticisms.len().min(map_rows.criticisms().len())];
            page.coverage = Some(measured.coverage(data, (&distances, &shares), (own, role)));
            page.smaller_coverage = measured.smaller(data, path, &page.document, (smaller, role));
        }
        None => missing.push("distances from the prototypes: the kernel cannot measure them".to_owned()),
    }
    Ok(())
}

/// Adds rows to a page.
struct Shower<'a, 'd> {
    data: &'a PageData<'a, 'd>,
    observer: &'a mut dyn PageObserver,
    missing: &'a mut Vec<String>,
    map_rows: &'a MapRows,
}

impl Shower<'_, '_> {
    /// Adds cells, images and examples.
    fn add_rows(
        &mut self,
        page: &mut SelectionPage,
        path: &RepresentationPath,
        (criticisms, role): (&[usize], Role),
    ) -> Result<()> {
        let whole = RowsAtSize { nearest: path.nearest.clone(), distances: path.distances.clone() };
        let examples = self.examples(self.data.prototypes, &whole);
        let mut places: Vec<(Role, usize)> =
            self.data.prototypes.iter().map(|prototype| (Role::Source, prototype.source_index)).collect();
        places.extend(criticisms.iter().map(|row| (role, *row)));
        places.extend(examples.iter().flatten().map(|row| (Role::Target, *row)));
        let (smaller, pairs) = self.smaller_examples(path);
        places.extend(pairs.iter().map(|(_, row)| (Role::Target, *row)));
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
        page.smaller_examples = SmallerExamples {
            sizes: smaller,
            pairs: pairs.into_iter().map(|(prototype, _)| prototype).zip(rows).collect(),
        };
        Ok(())
    }

    /// The examples of some smaller sizes: the number of prototypes with the positions of the examples of each among all
    /// pairs of a prototype and a target row, which are second.
    fn smaller_examples(&self, path: &RepresentationPath) -> (Vec<ExamplesOfSize>, Vec<(usize, usize)>) {
        let known: Vec<usize> = path.n_represented.iter().map(Vec::len).collect();
        let (mut pairs, mut place_of) = (Vec::new(), HashMap::new());
        let mut sizes = Vec::new();
        for size in some_smaller(&known, MOST_SIZES) {
            let rows = RowsAtSize::new(path, size);
            let found = self.examples(&self.data.prototypes[..size], &rows);
            let of_prototype = |(prototype, rows): (usize, Vec<usize>)| {
                let mut place = |row: usize| {
                    *place_of.entry((prototype, row)).or_insert_with(|| {
                        pairs.push((prototype, row));
                        pairs.len() - 1
                    })
                };
                rows.into_iter().map(&mut place).collect()
            };
            sizes.push((size, found.into_iter().enumerate().map(of_prototype).collect()));
            if pairs.len() > MOST_PAIRS {
                break;
            }
        }
        (sizes, pairs)
    }

    /// Rows that each prototype represents, without the prototypes themselves.
    fn examples(&self, prototypes: &[Prototype], represented: &RowsAtSize) -> Vec<Vec<usize>> {
        let (data, n_prototypes) = (self.data, prototypes.len());
        let n_examples = if data.image_shape.is_some() { EXAMPLE_IMAGES } else { EXAMPLES };
        let n_examples = n_examples.min(ALL_EXAMPLES / n_prototypes.max(1)).max(1);
        let own = prototypes.iter().filter(|_| data.rows.target_rows.is_none());
        let chosen: HashSet<usize> = own.map(|prototype| prototype.source_index).collect();
        examples(&represented.nearest, &represented.distances, n_prototypes, n_examples, |row| chosen.contains(&row))
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
            let points = described_points(data, page, self.map_rows);
            let (columns, mut cells) = described_rows(&data.rows, &[places, &points].concat(), self.observer)?;
            describe_points(page, &columns, cells.split_off(places.len()));
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
        page.thumbnails = thumbnails(data, shape, self.map_rows, &mut page.images)?;
        Ok(())
    }
}

/// Replaces a row of the result with that of the data, but keeps names that the data do not have.
fn fill_in(shown: &mut Row, mut found: Row) {
    found.id = found.id.or_else(|| shown.id.take());
    found.label = found.label.or_else(|| shown.label.take());
    *shown = found;
}
