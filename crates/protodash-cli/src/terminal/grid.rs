//! Columns of text, aligned, in no more than a given width.

use anstyle::Style;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

const GAP: &str = "  ";
const HEADER: Style = Style::new().bold();
const BELOW: Style = Style::new().dimmed();
/// Where the lines below rows begin.
pub(super) const INDENT: &str = "      ";

/// On which side the cells of a column are flush.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Flush {
    Left,
    Right,
}

/// A column of a table.
#[derive(Debug)]
pub(super) struct Column {
    header: &'static str,
    flush: Flush,
    cells: Vec<String>,
    style: Style,
}

impl Column {
    /// A column flush right, as numbers are.
    pub(super) fn right(header: &'static str, cells: Vec<String>) -> Column {
        Column { header, flush: Flush::Right, cells, style: Style::new() }
    }

    /// A column flush left, as words are; long ones are cut at `limit` characters.
    pub(super) fn left(header: &'static str, cells: Vec<String>, limit: usize) -> Column {
        let cells = cells.iter().map(|cell| cut(cell, limit)).collect();
        Column { header, flush: Flush::Left, cells, style: Style::new() }
    }

    /// The same column in a colour.
    pub(super) fn styled(self, style: Style) -> Column {
        Column { style, ..self }
    }

    fn width(&self) -> usize {
        self.cells.iter().map(|cell| cell.width()).chain([self.header.width()]).max().unwrap_or(0)
    }
}

/// The columns side by side, one line for the headers and one for each row, with a line `below` each row if given.
pub(super) fn render(columns: &[Column], below: &[String]) -> String {
    let widths: Vec<usize> = columns.iter().map(Column::width).collect();
    let n_rows = columns.iter().map(|column| column.cells.len()).max().unwrap_or(0);
    let line = |cell: &dyn Fn(&Column) -> (String, Style)| {
        let padded = columns.iter().zip(&widths).map(|(column, width)| {
            let (text, style) = cell(column);
            pad(&text, *width, column.flush, style)
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

/// The width that the columns leave for one more.
pub(super) fn room(columns: &[Column], width: usize) -> usize {
    let taken: usize = columns.iter().map(|column| column.width() + GAP.len()).sum();
    width.saturating_sub(taken)
}

/// The text, cut to `limit` characters of width with a sign that it was.
pub(super) fn cut(text: &str, limit: usize) -> String {
    let plain: String = text.chars().map(|sign| if sign.is_control() { ' ' } else { sign }).collect();
    if plain.width() <= limit {
        return plain;
    }
    let mut kept = String::new();
    let mut width = 0;
    for sign in plain.chars() {
        width += sign.width().unwrap_or(0);
        if width + 1 > limit {
            break;
        }
        kept.push(sign);
    }
    kept.trim_end().to_owned() + "…"
}

fn pad(text: &str, width: usize, flush: Flush, style: Style) -> String {
    let blanks = " ".repeat(width.saturating_sub(text.width()));
    match flush {
        _ if text.is_empty() => blanks,
        Flush::Left => format!("{style}{text}{style:#}{blanks}"),
        Flush::Right => format!("{blanks}{style}{text}{style:#}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_flush_right_and_words_flush_left() {
        let words = ["a", "日本"].map(String::from).to_vec();
        let columns = [Column::right("row", vec!["7".into(), "1024".into()]), Column::left("id", words, 10)];
        let plain = anstream::adapter::strip_str(&render(&columns, &[])).to_string();
        assert_eq!(plain, " row  id\n   7  a\n1024  日本\n");
        let below = ["x 1".to_owned(), "x 2".to_owned()];
        let plain = anstream::adapter::strip_str(&render(&columns, &below)).to_string();
        assert_eq!(plain, " row  id\n   7  a\n      x 1\n1024  日本\n      x 2\n");
        assert_eq!(room(&columns, 80), 80 - 4 - 2 - 4 - 2);
    }

    #[test]
    fn long_text_is_cut_by_its_width() {
        assert_eq!(cut("college graduate", 8), "college…");
        assert_eq!(cut("日本語日本語", 5), "日本…");
        assert_eq!(cut("two\nlines", 20), "two lines");
    }
}
