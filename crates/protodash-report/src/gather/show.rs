//! Columns that are not features but tell what a row is: titles, texts, images.

use std::collections::HashSet;

use arrow_array::cast::AsArray;
use arrow_array::{Array, BinaryArray};
use protodash::Role;

use super::cells::TableCells;
use super::{PageData, RowSource};
use crate::error::Result;
use crate::html::beginning;
use crate::image::{Image, Images};
use crate::image_file::ImageFile;
use crate::numbers::counted;
use crate::row::Row;
use crate::selection::{MapPoint, SelectionPage};

/// Maximum size of an image file in the page.
const LARGEST_FILE: usize = 500_000;

/// Maximum size of all image files in the page.
const ALL_FILES: usize = 6_000_000;

/// Maximum number of points of the map with an image of their own, and the maximum size of those that no row has.
const MOST_POINT_IMAGES: usize = 1000;
const POINT_FILES: usize = 1_500_000;

/// The value of a shown column: text, or the bytes of a file.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum ShownValue {
    Text(String),
    Bytes(Vec<u8>),
}

/// Adds the shown columns to rows and to the points of the map.
pub(super) fn add_shown(
    data: &PageData<'_, '_>,
    page: &mut SelectionPage,
    (places, rows): (&[(Role, usize)], &mut [Row]),
    missing: &mut Vec<String>,
) -> Result<()> {
    let names = page.document.data.show.clone();
    if names.is_empty() {
        return Ok(());
    }
    let numbers: Vec<(Role, u64)> = places.iter().zip(rows.iter()).map(|((role, _), row)| (*role, row.index)).collect();
    let of_role = |role: Role| move |point: &MapPoint| (role, point.index);
    let points: Vec<(Role, u64)> = page
        .map
        .iter()
        .flat_map(|map| {
            map.points.iter().map(of_role(Role::Target)).chain(map.source.iter().map(of_role(Role::Source)))
        })
        .collect();
    let cells = TableCells::read(data.rows.tables, &[numbers.as_slice(), &points].concat())?;
    let shown = add_columns(
        (&cells, data.rows.tables),
        &names,
        &numbers,
        (rows, &mut page.images, data.image_shape.is_some()),
        missing,
    );
    for name in &shown {
        let of_points = cells.shown(name, &points).into_iter().map(text_of);
        let map = page.map.iter_mut().flat_map(|map| map.points.iter_mut().chain(&mut map.source));
        map.zip(of_points).for_each(|(point, text)| add_line(&mut point.text, text.as_deref().unwrap_or_default()));
    }
    let images = names.iter().find(|name| !shown.contains(name)).filter(|_| data.image_shape.is_none());
    if let Some(name) = images {
        add_point_images((data, &cells), name, &points, page);
    }
    page.shown.extend(shown);
    Ok(())
}

/// Gives points of the map their images, as far as the page has room for them.
fn add_point_images(
    (data, cells): (&PageData<'_, '_>, &TableCells),
    name: &str,
    points: &[(Role, u64)],
    page: &mut SelectionPage,
) {
    let step = points.len().div_ceil(MOST_POINT_IMAGES).max(1);
    let some: Vec<(Role, u64)> = points.iter().copied().step_by(step).collect();
    let values = cells.shown(name, &some);
    if !is_image_column(&values) {
        return;
    }
    let mut rows = vec![Row::default(); some.len()];
    // Cards name what cannot be read; a point without an image still has its text.
    let _ = add_images(data.rows.tables, name, &some, values, (&mut rows, &mut page.images), POINT_FILES);
    let all = page.map.iter_mut().flat_map(|map| map.points.iter_mut().chain(&mut map.source));
    all.step_by(step).zip(rows).for_each(|(point, row)| point.image = row.image);
}

/// Adds the columns `names` to the rows, the first one with images as images; returns the names of those with text.
pub(super) fn add_columns(
    (cells, tables): (&TableCells, &dyn RowSource),
    names: &[String],
    numbers: &[(Role, u64)],
    (rows, images, mut has_images): (&mut [Row], &mut Images, bool),
    missing: &mut Vec<String>,
) -> Vec<String> {
    let mut shown = Vec::new();
    for name in names {
        let values = cells.shown(name, numbers);
        if !has_images && is_image_column(&values) {
            has_images = true;
            missing.extend(add_images(tables, name, numbers, values, (rows, images), ALL_FILES));
            continue;
        }
        let texts: Vec<Option<String>> = values.into_iter().map(text_of).collect();
        if texts.iter().all(Option::is_none) {
            missing.push(format!("column {name:?}: it holds neither text, numbers nor images"));
            continue;
        }
        shown.push(name.clone());
        rows.iter_mut().zip(texts).for_each(|(row, text)| row.shown.push(text.unwrap_or_default()));
    }
    shown
}

fn text_of(value: Option<ShownValue>) -> Option<String> {
    match value? {
        ShownValue::Text(text) => Some(text),
        ShownValue::Bytes(_) => None,
    }
}

/// Adds the beginning of a text as a line.
fn add_line(to: &mut String, text: &str) {
    if !to.is_empty() {
        to.push('\n');
    }
    let first = beginning(text);
    to.push_str(first);
    if first.len() < text.len() {
        to.push('…');
    }
}

/// Whether values are images: bytes of which some are, or paths of image files without exception.
fn is_image_column(values: &[Option<ShownValue>]) -> bool {
    let is_file = |value: &ShownValue| matches!(value, ShownValue::Bytes(bytes) if ImageFile::of(bytes).is_some());
    let is_path = |value: &ShownValue| match value {
        ShownValue::Text(text) => text == "missing" || ImageFile::is_named(text),
        ShownValue::Bytes(_) => false,
    };
    let is_missing = |value: &ShownValue| *value == ShownValue::Text("missing".to_owned());
    let known = || values.iter().flatten();
    known().any(is_file) || (known().all(is_path) && known().any(|value| !is_missing(value)))
}

/// Gives rows their images; returns what is missing.
fn add_images(
    tables: &dyn RowSource,
    name: &str,
    numbers: &[(Role, u64)],
    values: Vec<Option<ShownValue>>,
    (rows, images): (&mut [Row], &mut Images),
    most_bytes: usize,
) -> Vec<String> {
    // A row may be an example of several prototypes.
    let (mut unreadable, mut large, mut size) = (HashSet::new(), HashSet::new(), 0);
    for ((value, (role, number)), row) in values.into_iter().zip(numbers).zip(rows) {
        let place = (*role == Role::Target && !tables.is_one(), *number);
        let bytes = match value {
            None => continue,
            Some(ShownValue::Text(text)) if text == "missing" => continue,
            Some(ShownValue::Bytes(bytes)) => Some(bytes),
            Some(ShownValue::Text(path)) => tables.file(*role, &path),
        };
        let Some(image) = bytes.and_then(|bytes| Image::of_file(bytes).ok()) else {
            unreadable.insert(place);
            continue;
        };
        let more = if images.has(&image) { 0 } else { image.n_bytes() };
        if image.n_bytes() > LARGEST_FILE || size + more > most_bytes {
            large.insert(place);
            continue;
        }
        size += more;
        row.image = Some(images.add(image));
    }
    let limits = format!("an image may have {} kB, all together {} MB", LARGEST_FILE / 1000, most_bytes / 1_000_000);
    let say = |places: HashSet<(bool, u64)>, reason: &str| {
        let images = counted(places.len() as u64, "image");
        (!places.is_empty()).then(|| format!("{images} of column {name:?}: {reason}"))
    };
    [say(unreadable, "no readable PNG, JPEG, GIF or WebP file"), say(large, &limits)].into_iter().flatten().collect()
}

impl TableCells {
    /// The values of a column, whose name may differ in case; `None` where the table has no such column.
    fn shown(&self, name: &str, rows: &[(Role, u64)]) -> Vec<Option<ShownValue>> {
        let value = |(role, number): &(Role, u64)| {
            let (batch, place) = self.place(*role, *number)?;
            let schema = batch.schema();
            let fields = schema.fields();
            let exact = fields.iter().position(|field| field.name() == name);
            let same = |other: &str| other.to_lowercase() == name.to_lowercase();
            let column = exact.or_else(|| fields.iter().position(|field| same(field.name())))?;
            match batch.column(column).as_binary_opt::<i32>() {
                Some(files) => Some(bytes(files, place)),
                None => self.texts(*role, fields[column].name(), &[*number])?.pop().map(ShownValue::Text),
            }
        };
        rows.iter().map(value).collect()
    }
}

fn bytes(files: &BinaryArray, place: usize) -> ShownValue {
    match files.is_null(place) {
        true => ShownValue::Text("missing".to_owned()),
        false => ShownValue::Bytes(files.value(place).to_vec()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Option<ShownValue> {
        Some(ShownValue::Text(text.to_owned()))
    }

    #[test]
    fn a_column_of_paths_or_files_is_images() {
        assert!(is_image_column(&[text("a.png"), text("missing"), None]));
        assert!(is_image_column(&[Some(ShownValue::Bytes(b"GIF89a\x01\0\x01\0".to_vec())), text("missing")]));
        assert!(!is_image_column(&[text("a.png"), text("no image")]));
        assert!(!is_image_column(&[text("missing"), None]));
        assert!(!is_image_column(&[Some(ShownValue::Bytes(b"%PDF".to_vec()))]));
    }

    #[test]
    fn lines_of_long_texts_are_cut() {
        let mut lines = String::new();
        add_line(&mut lines, "title");
        add_line(&mut lines, &"é".repeat(121));
        assert_eq!(lines, format!("title\n{}…", "é".repeat(120)));
    }
}
