//! Explanations of individual rows: a sentence and a table for each.

use protodash_report::{ExplainedRow, ExplanationDocument, cut, explaining_columns};

use super::grid::{GridColumn, INDENT, render, room};
use super::sentence_line;

/// Maximum number of rows that are shown; the result file has all.
const SHOWN: usize = 20;
/// What is alike and what differs goes beside a row if each has this many chars, else below it.
const BESIDE: usize = 30;
/// Maximum length of an id or label.
const NAME: usize = 20;

/// The first explanations, each a sentence and a table of at most `width` chars.
pub(crate) fn explanations(document: &ExplanationDocument, width: usize) -> String {
    let mut text = sentence_line(&document.sentence());
    for row in document.explanations.iter().take(SHOWN) {
        text.push('\n');
        text += &sentence_line(&row.sentence());
        if !row.prototypes.is_empty() {
            text += &table(row, width);
        }
    }
    let n_hidden = document.explanations.len().saturating_sub(SHOWN);
    if n_hidden > 0 {
        text += &format!("\n{n_hidden} more; write all with -o explanations.json or .csv\n");
    }
    text
}

fn table(row: &ExplainedRow, width: usize) -> String {
    let prototypes = &row.prototypes;
    let shown = explaining_columns(row).into_iter().map(|column| match column.is_number {
        true => GridColumn::right(column.header, column.cells),
        false => GridColumn::left(column.header, column.cells, NAME),
    });
    let mut columns: Vec<GridColumn> = shown.collect();
    if prototypes.iter().all(|one| one.alike.is_empty() && one.differs.is_empty()) {
        return render(&columns, &[]);
    }
    let half = room(&columns, width).saturating_sub(2) / 2;
    let alike = prototypes.iter().map(|one| one.alike.join(", "));
    let differs = prototypes.iter().map(|one| one.differs.join(", "));
    if half < BESIDE {
        let limit = width.saturating_sub(INDENT.len()).max(1);
        let line = |name: &str, words: &str| cut(&format!("{name}: {words}"), limit);
        let both = |(alike, differs): (String, String)| {
            let lines = [line("alike", &alike), line("differs", &differs)];
            lines.join(&format!("\n{INDENT}"))
        };
        return render(&columns, &alike.zip(differs).map(both).collect::<Vec<_>>());
    }
    columns.push(GridColumn::left("alike in", alike.collect(), half));
    columns.push(GridColumn::left("differs in", differs.collect(), half));
    render(&columns, &[])
}
