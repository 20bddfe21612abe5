//! What tells the points of the map apart: their most unusual values, or thumbnails.

use protodash::Role;

use super::PageData;
use super::cells::TableCells;
use super::columns::places;
use super::image_shape::ImageShape;
use super::map::MapRows;
use crate::error::Result;
use crate::html::beginning;
use crate::image::{Image, Images};
use crate::row::{Cell, Row};
use crate::selection::{SelectionPage, Thumbnails};
use crate::typical::Column;

/// Maximum number of values, one for each column and point, that points are described from.
const MOST_VALUES: usize = 200_000;

/// Number of values that describe a point.
const VALUES: usize = 3;

/// Maximum number of values of all thumbnails: those of 2,500 digits of 28 by 28 pixels.
const MOST_PIXELS: usize = 2_000_000;

/// The points that are described by their values, as rows of the matrices; none if that would be too much.
pub(super) fn described_points(data: &PageData<'_, '_>, page: &SelectionPage, rows: &MapRows) -> Vec<(Role, usize)> {
    let target = rows.points().iter().map(|row| (Role::Target, *row));
    let points: Vec<(Role, usize)> = target.chain(rows.source().iter().map(|row| (Role::Source, *row))).collect();
    // Titles and texts are more informative.
    let wanted = page.map.is_some() && page.document.data.show.is_empty();
    let few = points.len() * places(data.rows.features).len() <= MOST_VALUES;
    if wanted && few { points } else { Vec::new() }
}

/// Describes the points by their most unusual cells.
pub(super) fn describe_points(page: &mut SelectionPage, columns: &[Column], cells: Vec<Vec<Cell>>) {
    let points = page.map.iter_mut().flat_map(|map| map.points.iter_mut().chain(&mut map.source));
    for (point, cells) in points.zip(cells) {
        let row = Row { cells, ..Row::default() };
        let unusual = row.most_unusual().into_iter().filter(|at| row.cells[*at].distance > 0.0).take(VALUES);
        let words = |at: usize| format!("{} {}", short(&columns[at].name), short(&row.cells[at].text));
        point.text = unusual.map(words).collect::<Vec<_>>().join(", ");
    }
}

/// The beginning of a long text.
fn short(text: &str) -> String {
    match beginning(text) {
        whole if whole.len() == text.len() => whole.to_owned(),
        first => format!("{first}…"),
    }
}

/// Thumbnails of some target points, as one image among `images`; `None` if images are too large for that.
pub(super) fn thumbnails(
    data: &PageData<'_, '_>,
    shape: ImageShape,
    rows: &MapRows,
    images: &mut Images,
) -> Result<Option<Thumbnails>> {
    let n_points = rows.points().len();
    let most = MOST_PIXELS / shape.sides().iter().product::<usize>().max(1);
    if most == 0 || n_points == 0 {
        return Ok(None);
    }
    let step = n_points.div_ceil(most);
    let names = data.rows.rows(Role::Target);
    let numbers = rows.points().iter().step_by(step).map(|row| (Role::Target, names.table_row(*row)));
    let numbers: Vec<(Role, u64)> = numbers.collect();
    let cells = TableCells::read(data.rows.tables, &numbers)?;
    let mut tiles = Images::default();
    let found = cells.images(data.rows.features, shape, &numbers, &mut tiles);
    let tiles: Option<Vec<&Image>> = found.into_iter().map(|at| tiles.get(at?)).collect();
    let Some(tiles) = tiles else { return Ok(None) };
    let columns = (tiles.len() as f64).sqrt().ceil() as usize;
    let Ok(sheet) = Image::sheet(&tiles, columns) else { return Ok(None) };
    let n_rows = tiles.len().div_ceil(columns);
    let [height, width, _] = shape.sides();
    Ok(Some(Thumbnails { image: images.add(sheet), columns, rows: n_rows, step, width, height }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selection::{Map, MapPoint};
    use crate::{SelectionDocument, SelectionPage};

    #[test]
    fn points_are_described_by_what_is_unusual() {
        let columns: Vec<Column> =
            ["a", "b", "c", "d", "e"].map(|name| Column::of_numbers(name, vec![0.0, 2.0])).into();
        let cells =
            columns.iter().zip(["1", "9", "4", "1", "-7"]).map(|(column, text)| column.number(text, text.parse().ok()));
        let mut page = SelectionPage::new(SelectionDocument::example());
        page.map = Some(Map { points: vec![MapPoint::default()], ..Map::default() });
        describe_points(&mut page, &columns, vec![cells.collect()]);
        assert_eq!(page.map.unwrap().points[0].text, "b 9, e -7, c 4");
    }
}
