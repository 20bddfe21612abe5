//! The tables of prototypes, criticisms and shifted features.

use anstyle::AnsiColor;
use protodash_report::{
    EstimateRecord, Look, SHARE, SelectionDocument, ShiftRecord, TextColumn, criticism_columns, estimate_columns,
    prototype_columns, shift_columns,
};

use super::grid::{GridColumn, INDENT, render, room};

/// Width of the longest bar.
const BAR: usize = 10;
/// Maximum length of an id or label; longer ones are cut.
const NAME: usize = 20;
/// Maximum length of a feature name.
const FEATURE: usize = 30;
/// The description of a row goes beside it if this many chars are left, else below it.
const BESIDE: usize = 40;
/// Maximum number of features in the table of shifts; the result file has all.
pub(crate) const SHOWN_FEATURES: usize = 20;

/// The prototypes in order of choice, in lines of at most `width` chars.
pub(crate) fn prototypes_table(document: &SelectionDocument, looks: &[Look], width: usize) -> String {
    let mut columns = Vec::new();
    for column in prototype_columns(document) {
        let is_share = column.header == SHARE;
        columns.push(in_grid(column));
        if is_share {
            columns.push(bars(document));
        }
    }
    render_with_looks(columns, looks, width)
}

/// The criticisms, worst first, in lines of at most `width` chars.
pub(crate) fn criticisms_table(document: &SelectionDocument, looks: &[Look], width: usize) -> String {
    render_with_looks(criticism_columns(&document.criticisms).into_iter().map(in_grid).collect(), looks, width)
}

/// The features with the largest gaps.
pub(crate) fn shift_table(shift: &ShiftRecord) -> String {
    render(&shift_columns(shift, SHOWN_FEATURES).into_iter().map(in_grid).collect::<Vec<_>>(), &[])
}

/// The estimated columns.
pub(crate) fn estimates_table(estimates: &[EstimateRecord]) -> String {
    render(&estimate_columns(estimates).into_iter().map(in_grid).collect::<Vec<_>>(), &[])
}

fn in_grid(column: TextColumn) -> GridColumn {
    match column.is_number {
        true => GridColumn::right(column.header, column.cells),
        false if ["feature", "column"].contains(&column.header) => {
            GridColumn::left(column.header, column.cells, FEATURE)
        }
        false => GridColumn::left(column.header, column.cells, NAME),
    }
}

/// The shares as bars.
fn bars(document: &SelectionDocument) -> GridColumn {
    let shares = || document.weighted().map(|(_, prototype)| prototype.share);
    let largest = shares().fold(0.0, f64::max);
    GridColumn::left("", shares().map(|share| bar(share / largest)).collect(), BAR).styled(AnsiColor::Cyan.on_default())
}

/// The columns with a description of each row, beside it or below it.
fn render_with_looks(mut columns: Vec<GridColumn>, looks: &[Look], width: usize) -> String {
    if looks.iter().all(Look::is_empty) {
        return render(&columns, &[]);
    }
    let fitted = |room: usize| looks.iter().map(|look| look.fit(room)).collect::<Vec<_>>();
    let room = room(&columns, width);
    if room < BESIDE {
        return render(&columns, &fitted(width.saturating_sub(INDENT.len()).max(1)));
    }
    columns.push(GridColumn::left("looks like", fitted(room), room));
    render(&columns, &[])
}

/// A bar for a fraction, in eighths of a char.
fn bar(part: f64) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    if !part.is_finite() {
        return String::new();
    }
    // Anything above 0 shows at least a sliver.
    let least = usize::from(part > 0.0);
    let eighths = ((part * (BAR * 8) as f64).round() as usize).clamp(least, BAR * 8);
    "█".repeat(eighths / 8) + EIGHTHS[eighths % 8]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_grow_by_eighths() {
        assert_eq!([1.0, 0.5, 0.0125, 0.0001, 0.0].map(bar), ["██████████", "█████", "▏", "▏", ""]);
        assert_eq!(bar(0.55), "█████▌");
        assert_eq!(bar(f64::NAN), "");
    }
}
