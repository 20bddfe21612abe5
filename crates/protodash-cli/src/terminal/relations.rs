//! Related tables: their average ranks, and the best representative of each.

use protodash_report::{RelationDocument, TextColumn, relation_columns, relation_sentence, relation_settings_sentence};

use super::grid::{GridColumn, render};
use super::sentence_line;

/// Names longer than this are cut.
const NAME: usize = 32;

/// The table, the sentence and the settings.
pub(crate) fn relation_shown(relation: &RelationDocument, width: usize) -> String {
    let limit = NAME.min(width / 4).max(8);
    let column = |column: TextColumn| match column.is_number {
        true => GridColumn::right(column.header, column.cells),
        false => GridColumn::left(column.header, column.cells, limit),
    };
    let columns: Vec<GridColumn> = relation_columns(relation).into_iter().map(column).collect();
    let mut text = render(&columns, &[]);
    text.push('\n');
    text += &sentence_line(&relation_sentence(relation));
    text += &sentence_line(&relation_settings_sentence(relation));
    text
}
