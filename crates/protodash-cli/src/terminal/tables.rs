//! The tables of prototypes and of criticisms.

use anstyle::AnsiColor;

use super::grid::{Column, INDENT, cut, render, room};
use super::looks::Look;
use crate::json::{Criticism, Document};
use protodash_result::numbers::{column, count, percent};

/// Width of the longest bar.
const BAR: usize = 10;
/// Ids and labels longer than this are cut.
const NAME: usize = 20;
/// What a row looks like stands beside it where so many characters are left for it, and else below.
const BESIDE: usize = 40;

/// The prototypes in order of choice, in lines of at most `width` characters.
pub(crate) fn prototypes_table(document: &Document, looks: &[Look], width: usize) -> String {
    let prototypes = &document.prototypes;
    let each = |cell: fn(&crate::json::Prototype) -> String| prototypes.iter().map(cell).collect::<Vec<_>>();
    let mut columns = vec![
        Column::right("rank", ranks(prototypes.len())),
        Column::right("row", each(|prototype| prototype.source_index.to_string())),
    ];
    columns.extend(names("id", prototypes.iter().map(|prototype| prototype.id.as_deref())));
    columns.extend(names("label", prototypes.iter().map(|prototype| prototype.label.as_deref())));
    let weights: Vec<f64> = prototypes.iter().map(|prototype| prototype.weight).collect();
    let largest = prototypes.iter().map(|prototype| prototype.share).fold(0.0, f64::max);
    columns.extend([
        Column::right("weight", column(&weights)),
        Column::right("share", each(|prototype| percent(prototype.share))),
        Column::left("", prototypes.iter().map(|prototype| bar(prototype.share / largest)).collect(), BAR)
            .styled(AnsiColor::Cyan.on_default()),
        Column::right("stands for", each(|prototype| count(prototype.n_represented as u64))),
    ]);
    render_with_looks(columns, looks, width)
}

/// The criticisms, worst first, in lines of at most `width` characters.
pub(crate) fn criticisms_table(criticisms: &[Criticism], looks: &[Look], width: usize) -> String {
    let rows = criticisms.iter().map(|criticism| criticism.source_index.or(criticism.target_index));
    let scores: Vec<f64> = criticisms.iter().map(|criticism| criticism.score).collect();
    let mut columns = vec![
        Column::right("rank", ranks(criticisms.len())),
        Column::right("row", rows.map(|row| row.map_or_else(String::new, |row| row.to_string())).collect()),
    ];
    columns.extend(names("id", criticisms.iter().map(|criticism| criticism.id.as_deref())));
    columns.extend(names("label", criticisms.iter().map(|criticism| criticism.label.as_deref())));
    columns.push(Column::right("score", column(&scores)));
    render_with_looks(columns, looks, width)
}

fn ranks(count: usize) -> Vec<String> {
    (1..=count).map(|rank| rank.to_string()).collect()
}

/// A column of ids or labels, if there are any.
fn names<'a>(header: &'static str, names: impl Iterator<Item = Option<&'a str>>) -> Option<Column> {
    let names: Option<Vec<String>> = names.map(|name| name.map(str::to_owned)).collect();
    names.filter(|names| !names.is_empty()).map(|names| Column::left(header, names, NAME))
}

/// The columns with what each row looks like, beside it or below it.
fn render_with_looks(mut columns: Vec<Column>, looks: &[Look], width: usize) -> String {
    if looks.iter().all(Look::is_empty) {
        return render(&columns, &[]);
    }
    let fitted = |room: usize| looks.iter().map(|look| cut(&look.fit(room), room)).collect::<Vec<_>>();
    let room = room(&columns, width);
    if room < BESIDE {
        return render(&columns, &fitted(width.saturating_sub(INDENT.len()).max(1)));
    }
    columns.push(Column::left("looks like", fitted(room), room));
    render(&columns, &[])
}

/// A bar for a part of 1, in eighths of a character.
fn bar(part: f64) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    if !part.is_finite() {
        return String::new();
    }
    // What is there at all shows at least a sliver.
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
