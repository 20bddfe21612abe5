//! The prototypes as cards, or as a gallery if they are images.

use super::SelectionPage;
use crate::chart::write_bar;
use crate::document::PrototypeRecord;
use crate::html::{Html, beginning, clipped};
use crate::numbers::{count, percent, short};
use crate::row::{Row, label_text};
use crate::section::section;

/// Number of cards shown before “Show all”; the script uses the same number.
const AT_FIRST: usize = 60;

/// Writes a card for each prototype, heaviest first.
pub(super) fn write(html: &mut Html, page: &SelectionPage) {
    section(html, "prototypes", "Prototypes", |html| {
        write_order(html, page);
        let words = match page.prototypes.len() {
            few if few <= AT_FIRST => "Heaviest first.".to_owned(),
            many => format!("Heaviest first. Showing {AT_FIRST} of {}.", count(many as u64)),
        };
        html.leaf("p", &[("id", "cards-text"), ("class", "quiet"), ("aria-live", "polite")], &words);
        let class = if page.is_gallery() { "cards gallery" } else { "cards" };
        html.element("ol", &[("class", class), ("id", "cards")], |html| {
            write_cards(html, page, 0..AT_FIRST);
        });
        let mut attributes = vec![("type", "button"), ("id", "all-cards"), ("class", "scripted")];
        if page.prototypes.len() <= AT_FIRST {
            attributes.push(("hidden", ""));
        }
        html.leaf("button", &attributes, &format!("Show all {}", count(page.prototypes.len() as u64)));
    });
}

impl SelectionPage {
    /// What a new row adds to the share that the fixed rows explain, as text; `None` for fixed rows, without them, and
    /// if it is unknown.
    pub(super) fn added(&self, at: usize) -> Option<String> {
        let n_fixed = self.document.n_fixed;
        if n_fixed == 0 || at < n_fixed {
            return None;
        }
        let explained = self.document.explained_path();
        Some(percent(explained.get(at)? - explained.get(at - 1)?))
    }

    /// The cards that are not shown at first; the script adds them when they are needed.
    pub(crate) fn later_cards(&self) -> Option<String> {
        let n_cards = self.prototypes.len();
        (n_cards > AT_FIRST).then(|| {
            let mut html = Html::default();
            write_cards(&mut html, self, AT_FIRST..n_cards);
            html.finish()
        })
    }
}

impl SelectionPage {
    /// The examples of smaller sizes, in the order of their pairs.
    pub(super) fn smaller_example_items(&self) -> String {
        let mut html = Html::default();
        for (prototype, row) in &self.smaller_examples.pairs {
            write_example(&mut html, self, &self.prototypes[*prototype], row);
        }
        html.finish()
    }
}

/// Writes the cards at these positions in the order of weights.
fn write_cards(html: &mut Html, page: &SelectionPage, positions: std::ops::Range<usize>) {
    let prototypes = &page.document.prototypes;
    let mut order: Vec<usize> = (0..page.prototypes.len()).collect();
    order.sort_by(|a, b| prototypes[*b].weight.total_cmp(&prototypes[*a].weight));
    let largest = prototypes.iter().map(|prototype| prototype.share).fold(0.0, f64::max);
    for (place, at) in order.into_iter().enumerate().take(positions.end).skip(positions.start) {
        write_card(html, page, at, (largest, place));
    }
}

fn write_order(html: &mut Html, page: &SelectionPage) {
    html.element("div", &[("class", "order scripted")], |html| {
        html.leaf("label", &[("for", "order")], "Order");
        html.element("select", &[("id", "order")], |html| {
            let orders = [("weight", "by weight"), ("rank", "in order of choice"), ("stands", "by nearest rows")];
            for (value, words) in orders {
                html.leaf("option", &[("value", value)], words);
            }
        });
        if page.prototypes.len() > 1 {
            html.leaf("label", &[("for", "search")], "Search");
            let attributes = [
                ("type", "search"),
                ("id", "search"),
                ("autocomplete", "off"),
                ("placeholder", "any value, id or class"),
            ];
            html.void("input", &attributes);
            write_class_filter(html, page);
            html.leaf("output", &[("id", "search-text"), ("for", "search"), ("class", "quiet")], "");
        }
    });
}

/// A choice of one of the prototypes' classes, if there are several.
fn write_class_filter(html: &mut Html, page: &SelectionPage) {
    let mut classes: Vec<&str> = page.prototypes.iter().filter_map(|row| row.label.as_deref()).collect();
    classes.sort_unstable();
    classes.dedup();
    classes.sort_by_key(|name| (name.len(), *name));
    if classes.len() < 2 {
        return;
    }
    html.leaf("label", &[("for", "class-filter")], "Class");
    html.element("select", &[("id", "class-filter"), ("autocomplete", "off")], |html| {
        html.leaf("option", &[("value", "")], "all");
        for class in classes {
            // An empty class is not the same as no choice.
            let value = format!("={class}");
            let name = clipped(label_text(class)).unwrap_or_else(|| label_text(class).to_owned());
            html.leaf("option", &[("value", &value)], &name);
        }
    });
}

/// Writes the card at this position in the list; the script shows the later ones on request.
fn write_card(html: &mut Html, page: &SelectionPage, at: usize, (largest, place): (f64, usize)) {
    let (row, prototype) = (&page.prototypes[at], &page.document.prototypes[at]);
    let (rank, id) = ((at + 1).to_string(), format!("prototype-{}", at + 1));
    // A row without weight is not a prototype of the whole set, but may be one of a smaller set, which the slider
    // shows.
    let class = if place < AT_FIRST && prototype.weight > 0.0 { "card" } else { "card later" };
    let attributes = [("class", class), ("id", id.as_str()), ("data-rank", &rank)];
    html.element("li", &attributes, |html| {
        html.element("div", &[("class", "card-head")], |html| {
            row.write_image(html, &page.images);
            html.element("div", &[], |html| {
                html.element("h3", &[], |html| {
                    html.leaf("span", &[("class", "rank"), ("title", "order of choice")], &rank);
                    html.text(" ");
                    row.write_name(html);
                    if at < page.document.n_fixed {
                        html.text(" ");
                        html.leaf("span", &[("class", "badge"), ("title", "a prototype from the start")], "fixed");
                    }
                });
                row.write_label(html);
                row.write_shown(html, &page.shown);
                if let Some(added) = page.added(at) {
                    html.leaf("p", &[("class", "added")], &format!("adds {added} to the share explained"));
                }
                html.element("p", &[("class", "weight")], |html| {
                    html.leaf("strong", &[("class", "share")], &percent(prototype.share));
                    html.text(" of the weight ");
                    html.leaf("span", &[("class", "quiet")], &format!("(weight {})", short(prototype.weight)));
                });
                write_bar(html, if largest > 0.0 { prototype.share / largest } else { 0.0 }, 0);
                if let Some(n_represented) = prototype.n_represented {
                    html.element("p", &[("class", "stands")], |html| {
                        html.text("nearest to ");
                        html.leaf("span", &[("class", "stands-number")], &count(n_represented as u64));
                        html.text(&format!(" of {}", represented_among(page, prototype)));
                    });
                }
            });
        });
        row.write_cells(html, &page.columns);
        write_examples(html, page, at);
    });
    html.line();
}

/// The rows among which those nearest to a prototype are counted: those of its class, if prototypes were chosen per class.
fn represented_among(page: &SelectionPage, prototype: &PrototypeRecord) -> String {
    let all = format!("{} {}", count(page.document.n_target as u64), page.target_noun());
    let classes = page.document.per_label.as_ref().map_or(&[][..], |per_label| &per_label.classes);
    let own = classes.iter().find(|class| Some(&class.label) == prototype.label.as_ref());
    own.map_or(all, |class| format!("the {} {} of its class", count(class.n_target as u64), page.target_noun()))
}

/// Writes some of the rows that a prototype represents.
fn write_examples(html: &mut Html, page: &SelectionPage, at: usize) {
    let Some(examples) = page.examples.get(at).filter(|examples| !examples.is_empty()) else { return };
    html.element("details", &[("class", "examples")], |html| {
        let words = match (examples.len(), page.document.prototypes[at].n_represented) {
            (shown, Some(all)) if shown < all => format!("{} of these rows", count(shown as u64)),
            (1, _) => "this row".to_owned(),
            (shown, _) => format!("these {} rows", count(shown as u64)),
        };
        html.leaf("summary", &[], &words);
        html.leaf("p", &[("class", "quiet")], "From most to least similar.");
        let pictures = examples.iter().any(|row| row.image.is_some());
        let class = if pictures { "example-images" } else { "example-rows" };
        html.element("ul", &[("class", class)], |html| {
            examples.iter().for_each(|row| write_example(html, page, &page.prototypes[at], row));
        });
    });
}

fn write_example(html: &mut Html, page: &SelectionPage, prototype: &Row, row: &Row) {
    html.element("li", &[], |html| {
        row.write_image(html, &page.images);
        row.write_name(html);
        if let Some(label) = row.label() {
            html.text(" ");
            html.element("span", &[("class", "label")], |html| html.name(label));
        }
        if !row.shown.is_empty() {
            row.write_shown(html, &page.shown);
        } else if !row.cells.is_empty() && row.image.is_none() {
            html.leaf("span", &[("class", "example-cells")], &compared(page, prototype, row));
        }
    });
}

/// The cells in which an example differs from its prototype, in column order.
fn compared(page: &SelectionPage, prototype: &Row, row: &Row) -> String {
    let cells = page.columns.iter().zip(&row.cells).zip(&prototype.cells);
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
        0 => "identical in every column".to_owned(),
        1..=8 => differing.join(", "),
        many => format!("{} and {} more", differing[..8].join(", "), many - 8),
    }
}
