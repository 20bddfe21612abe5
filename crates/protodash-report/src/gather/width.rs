//! Which columns of a wide table are shown.

use crate::row::Row;
use crate::selection::SelectionPage;

/// Maximum number of cells on a page; wider tables show only columns in which some row is unusual.
const MOST_CELLS: usize = 400_000;
/// Number of most unusual columns kept per row.
const KEPT_PER_ROW: usize = 6;

/// Drops columns in which no shown row is unusual, if all of them would make the page too large.
pub(super) fn drop_usual_columns(page: &mut SelectionPage, rows: &mut [Row], missing: &mut Vec<String>) {
    let n_columns = page.columns.len();
    if n_columns * rows.len() <= MOST_CELLS {
        return;
    }
    let mut kept = vec![false; n_columns];
    for row in rows.iter() {
        row.most_unusual().into_iter().take(KEPT_PER_ROW).for_each(|at| kept[at] = true);
    }
    let n_kept = kept.iter().filter(|kept| **kept).count();
    missing.push(format!(
        "{} of {n_columns} columns, which are not among the {KEPT_PER_ROW} most unusual ones of any shown row",
        n_columns - n_kept
    ));
    let mut flags = kept.iter();
    page.columns.retain(|_| flags.next().copied().unwrap_or(false));
    for row in rows {
        let mut flags = kept.iter();
        row.cells.retain(|_| flags.next().copied().unwrap_or(false));
    }
}
