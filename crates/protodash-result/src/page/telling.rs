//! Which columns of a wide table are worth their room.

use protodash_report::{Row, SelectionPage};

/// Cells of one page at most; of wider tables only the columns that set a row apart are shown.
const MOST_CELLS: usize = 400_000;
/// Columns of a row that may set it apart.
const TELLING: usize = 6;

/// Leaves out columns that set no row apart, where all of them would make the page too large.
pub(super) fn keep_telling(page: &mut SelectionPage, rows: &mut [Row], missing: &mut Vec<String>) {
    let n_columns = page.columns.len();
    if n_columns * rows.len() <= MOST_CELLS {
        return;
    }
    let mut kept = vec![false; n_columns];
    for row in rows.iter() {
        let mut order: Vec<usize> = (0..row.cells.len()).collect();
        order.sort_by(|a, b| row.cells[*b].distance.total_cmp(&row.cells[*a].distance));
        order.into_iter().take(TELLING).for_each(|at| kept[at] = true);
    }
    let n_kept = kept.iter().filter(|kept| **kept).count();
    missing.push(format!(
        "{} of {n_columns} columns: none of them is among the {TELLING} in which a shown row differs most from what is \
         typical",
        n_columns - n_kept
    ));
    let mut flags = kept.iter();
    page.columns.retain(|_| flags.next().copied().unwrap_or(false));
    for row in rows {
        let mut flags = kept.iter();
        row.cells.retain(|_| flags.next().copied().unwrap_or(false));
    }
}
