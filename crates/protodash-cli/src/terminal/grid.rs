//! Text tables with aligned columns.

use anstyle::Style;
use protodash_report::cut;
use unicode_width::UnicodeWidthStr;

const GAP: &str = "  ";
const HEADER: Style = Style::new().bold();
const BELOW: Style = Style::new().dimmed();
/// Indentation of the line below a row.
pub(super) const INDENT: &str = "      ";

/// Alignment of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Align {
    Left,
    Right,
}

/// A column of a table.
#[derive(Debug)]
pub(super) struct GridColumn {
    header: &'static str,
    align: Align,
    cells: Vec<String>,
    style: Style,
}

impl GridColumn {
    /// A right-aligned column, for numbers.
    pub(super) fn right(header: &'static str, cells: Vec<String>) -> GridColumn {
        GridColumn { header, align: Align::Right, cells, style: Style::new() }
    }

    /// A left-aligned column, for words; long cells are cut at `limit` characters.
    pub(super) fn left(header: &'static str, cells: Vec<String>, limit: usize) -> GridColumn {
        let cells = cells.iter().map(|cell| cut(cell, limit)).collect();
        GridColumn { header, align: Align::Left, cells, style: Style::new() }
    }

    /// The same column in a colour.
    pub(super) fn styled(self, style: Style) -> GridColumn {
        GridColumn { style, ..self }
    }

    fn width(&self) -> usize {
        self.cells.iter().map(|cell| cell.width()).chain([self.header.width()]).max().unwrap_or(0)
    }
}

/// The table: a header line, then one line for each row, followed by a line from `below` if given.
pub(super) fn render(columns: &[GridColumn], below: &[String]) -> String {
    let widths: Vec<usize> = columns.iter().map(GridColumn::width).collect();
    let n_rows = columns.iter().map(|column| column.cells.len()).max().unwrap_or(0);
    let line = |cell: &dyn Fn(&GridColumn) -> (String, Style)| {
        let padded = columns.iter().zip(&widths).map(|(column, width)| {
            let (text, style) = cell(column);
            pad(&text, *width, column.align, style)
        });
        format!("{}\n", padded.collect::<Vec<_>>().join(GAP).trim_end())
    };
    let mut lines = line(&|column| (column.header.to_owned(), HEADER));
    for row in 0..n_rows {
        lines += &line(&|column| (column.cells.get(row).cloned().unwrap_or_default(), column.style));
        if let Some(text) = below.get(row) {
            lines += &format!("{INDENT}{BELOW}{text}{BELOW:#}\n");
        }
    }
    lines
}

/// The width left for one more column.
pub(super) fn room(columns: &[GridColumn], width: usize) -> usize {
    let taken: usize = columns.iter().map(|column| column.width() + GAP.len()).sum();
    width.saturating_sub(taken)
}

fn pad(text: &str, width: usize, align: Align, style: Style) -> String {
    let blanks = " ".repeat(width.saturating_sub(text.width()));
    match align {
        _ if text.is_empty() => blanks,
        Align::Left => format!("{style}{text}{style:#}{blanks}"),
        Align::Right => format!("{blanks}{style}{text}{style:#}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_align_right_and_words_align_left() {
        let words = ["a", "日本"].map(String::from).to_vec();
        let columns = [GridColumn::right("row", vec!["7".into(), "1024".into()]), GridColumn::left("id", words, 10)];
        let plain = anstream::adapter::strip_str(&render(&columns, &[])).to_string();
        assert_eq!(plain, " row  id\n   7  a\n1024  日本\n");
        let below = ["x 1".to_owned(), "x 2".to_owned()];
        let plain = anstream::adapter::strip_str(&render(&columns, &below)).to_string();
        assert_eq!(plain, " row  id\n   7  a\n      x 1\n1024  日本\n      x 2\n");
        assert_eq!(room(&columns, 80), 80 - 4 - 2 - 4 - 2);
    }
}
