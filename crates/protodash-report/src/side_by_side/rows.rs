//! The chosen rows as cards in three columns: in both selections, only in the first, only in the second.

use super::{ChosenRow, NAMES, SideBySidePage};
use crate::chart::write_bar;
use crate::html::Html;
use crate::numbers::{count, percent};
use crate::section::section;

/// Maximum number of cards in a column, which bounds the size of the page; the table has all rows.
const MOST_CARDS: usize = 60;

/// Which selections a column of cards is about.
const HEADINGS: [&str; 3] = ["In both", "Only in A", "Only in B"];

/// The rows of each column, heaviest first.
fn columns<'a, 'p>(chosen: &'a [ChosenRow<'p>]) -> [Vec<&'a ChosenRow<'p>>; 3] {
    let of = |has: [bool; 2]| chosen.iter().filter(|one| one.of.map(|record| record.is_some()) == has).collect();
    [of([true, true]), of([true, false]), of([false, true])]
}

/// The rows that have a card, column by column.
pub(super) fn with_cards<'a, 'p>(chosen: &'a [ChosenRow<'p>]) -> [Vec<&'a ChosenRow<'p>>; 3] {
    columns(chosen).map(|rows| rows.into_iter().take(MOST_CARDS).collect())
}

/// Writes the columns of cards.
pub(super) fn write(html: &mut Html, page: &SideBySidePage, chosen: &[ChosenRow<'_>]) {
    let largest = chosen.iter().flat_map(ChosenRow::shares).fold(0.0, f64::max);
    let shown = with_cards(chosen);
    let numbers = columns(chosen).map(|rows| rows.len());
    section(html, "rows", "Rows", |html| {
        html.leaf(
            "p",
            &[],
            "The rows that both selections chose, and those that only one of them chose, heaviest first.",
        );
        let mut place = 0;
        html.element("div", &[("class", "beside")], |html| {
            for ((heading, rows), number) in HEADINGS.into_iter().zip(shown).zip(numbers) {
                html.element("div", &[], |html| {
                    html.leaf("h3", &[], &format!("{heading} ({})", count(number as u64)));
                    if rows.len() < number {
                        let words = format!("The heaviest {}; the table below has all.", rows.len());
                        html.leaf("p", &[("class", "quiet")], &words);
                    }
                    if rows.is_empty() {
                        html.leaf("p", &[("class", "quiet")], "No rows.");
                        return;
                    }
                    let class = if page.is_gallery() { "cards gallery" } else { "cards" };
                    html.element("ol", &[("class", class)], |html| {
                        for one in rows {
                            place += 1;
                            write_card(html, page, one, (place, largest));
                        }
                    });
                });
            }
        });
    });
}

fn write_card(html: &mut Html, page: &SideBySidePage, one: &ChosenRow<'_>, (place, largest): (usize, f64)) {
    html.element("li", &[("class", "card"), ("data-rank", &place.to_string())], |html| {
        html.element("div", &[("class", "card-head")], |html| {
            one.row.write_image(html, &page.images);
            html.element("div", &[], |html| {
                html.element("h4", &[], |html| one.row.write_name(html));
                one.row.write_label(html);
                one.row.write_shown(html, &page.shown);
                for (side, record) in one.of.into_iter().enumerate() {
                    let Some(record) = record else { continue };
                    html.element("p", &[("class", "weight")], |html| {
                        html.leaf("strong", &[("class", "share")], &percent(record.share));
                        html.text(&format!(" of the weight in {}", NAMES[side]));
                    });
                    write_bar(html, if largest > 0.0 { record.share / largest } else { 0.0 }, side);
                }
            });
        });
        one.row.write_cells(html, &page.columns);
    });
    html.line();
}
