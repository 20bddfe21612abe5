//! The prototypes as cards, or as a gallery if they are pictures.

use super::{Prototype, SelectionPage};
use crate::chart::write_bar;
use crate::html::{Html, beginning, clipped};
use crate::numbers::{count, percent, short};
use crate::section::section;

/// Cards that are shown at once where scripts run; the script knows the same number.
const AT_FIRST: usize = 60;

/// Writes a card for each prototype, the heaviest first.
pub(super) fn write(html: &mut Html, page: &SelectionPage) {
    let mut order: Vec<usize> = (0..page.prototypes.len()).collect();
    order.sort_by(|a, b| page.prototypes[*b].weight.total_cmp(&page.prototypes[*a].weight));
    let largest = page.prototypes.iter().map(|prototype| prototype.share).fold(0.0, f64::max);
    section(html, "prototypes", "Prototypes", |html| {
        write_order(html);
        html.leaf("p", &[("id", "cards-text"), ("class", "quiet"), ("aria-live", "polite")], "The heaviest first.");
        let class = if page.images.is_empty() { "cards" } else { "cards gallery" };
        html.element("ol", &[("class", class), ("id", "cards")], |html| {
            for (place, at) in order.into_iter().enumerate() {
                write_card(html, page, at, (largest, place));
            }
        });
        let mut attributes = vec![("type", "button"), ("id", "all-cards"), ("class", "scripted")];
        if page.prototypes.len() <= AT_FIRST {
            attributes.push(("hidden", ""));
        }
        html.leaf("button", &attributes, &format!("Show all {}", count(page.prototypes.len() as u64)));
    });
}

fn write_order(html: &mut Html) {
    html.element("div", &[("class", "order scripted")], |html| {
        html.leaf("label", &[("for", "order")], "Order");
        html.element("select", &[("id", "order")], |html| {
            let orders =
                [("weight", "by weight"), ("rank", "as they were chosen"), ("stands", "by rows they stand for")];
            for (value, words) in orders {
                html.leaf("option", &[("value", value)], words);
            }
        });
    });
}

/// Writes a card at a place of the list; those far down are shown by the script when they are asked for.
fn write_card(html: &mut Html, page: &SelectionPage, at: usize, (largest, place): (f64, usize)) {
    let prototype = &page.prototypes[at];
    let (rank, id) = ((at + 1).to_string(), format!("prototype-{}", at + 1));
    let class = if place < AT_FIRST { "card" } else { "card later" };
    let attributes = [("class", class), ("id", id.as_str()), ("data-rank", &rank)];
    html.element("li", &attributes, |html| {
        html.element("div", &[("class", "card-head")], |html| {
            prototype.row.write_image(html, &page.images);
            html.element("div", &[], |html| {
                html.element("h3", &[], |html| {
                    html.leaf("span", &[("class", "rank"), ("title", "place in the order of choice")], &rank);
                    html.text(" ");
                    prototype.row.write_name(html);
                });
                prototype.row.write_label(html);
                html.element("p", &[("class", "weight")], |html| {
                    html.leaf("strong", &[("class", "share")], &percent(prototype.share));
                    html.text(" of all weight ");
                    html.leaf("span", &[("class", "quiet")], &format!("(weight {})", short(prototype.weight)));
                });
                write_bar(html, if largest > 0.0 { prototype.share / largest } else { 0.0 }, 0);
                html.element("p", &[("class", "stands")], |html| {
                    html.text("stands for ");
                    html.leaf("span", &[("class", "stands-number")], &count(prototype.n_represented as u64));
                    html.text(&format!(" of {} {}", count(page.n_target as u64), page.target_noun));
                });
            });
        });
        prototype.row.write_cells(html, &page.columns);
        write_examples(html, page, prototype);
    });
    html.line();
}

/// Some of the rows that a prototype stands for.
fn write_examples(html: &mut Html, page: &SelectionPage, prototype: &Prototype) {
    if prototype.examples.is_empty() {
        return;
    }
    html.element("details", &[("class", "examples")], |html| {
        let words = match (prototype.examples.len(), prototype.n_represented) {
            (shown, all) if shown < all => format!("{} of these rows", count(shown as u64)),
            (1, _) => "this row".to_owned(),
            (shown, _) => format!("these {} rows", count(shown as u64)),
        };
        html.leaf("summary", &[], &words);
        html.leaf("p", &[("class", "quiet")], "From the most similar to the least similar one.");
        let pictures = prototype.examples.iter().any(|row| row.image.is_some());
        let class = if pictures { "example-images" } else { "example-rows" };
        html.element("ul", &[("class", class)], |html| {
            for row in &prototype.examples {
                html.element("li", &[], |html| {
                    row.write_image(html, &page.images);
                    row.write_name(html);
                    if let Some(label) = row.label() {
                        html.text(" ");
                        html.element("span", &[("class", "label")], |html| html.name(label));
                    }
                    if !row.cells.is_empty() {
                        html.leaf("span", &[("class", "example-cells")], &compared(page, prototype, row));
                    }
                });
            }
        });
    });
}

/// The cells in which an example differs from its prototype, in the order of the columns.
fn compared(page: &SelectionPage, prototype: &Prototype, row: &crate::row::Row) -> String {
    let cells = page.columns.iter().zip(&row.cells).zip(&prototype.row.cells);
    let differing: Vec<String> = cells
        .filter(|((_, own), other)| own.in_file() != other.in_file())
        .map(|((column, own), _)| {
            let name = clipped(&column.name).unwrap_or_else(|| column.name.clone());
            match beginning(&own.text) {
                whole if whole.len() == own.text.len() => format!("{name} {whole}"),
                beginning => format!("{name} {beginning}…"),
            }
        })
        .collect();
    match differing.len() {
        0 => "the same in every column".to_owned(),
        1..=8 => differing.join(", "),
        many => format!("{} and {} more", differing[..8].join(", "), many - 8),
    }
}
