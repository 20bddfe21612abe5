//! Explanations of individual rows: a sentence and a table for each.

use protodash_report::{ExplainedRow, ExplanationDocument, SHARE, cut};

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
    let mut columns =
        vec![GridColumn::right("row", prototypes.iter().map(|one| one.source_index.to_string()).collect())];
    for (header, names) in [
        ("id", prototypes.iter().map(|one| one.id.clone()).collect::<Option<Vec<String>>>()),
        ("label", prototypes.iter().map(|one| one.label.clone()).collect()),
    ] {
        columns.extend(names.map(|names| GridColumn::left(header, names, NAME)));
    }
    let share = |share: f64| format!("{:.1} %", 100.0 * share);
    columns.push(GridColumn::right(SHARE, prototypes.iter().map(|one| share(one.share)).collect()));
    let distance = |distance: f64| format!("{distance:.3}");
    columns.push(GridColumn::right("distance", prototypes.iter().map(|one| distance(one.distance)).collect()));
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
