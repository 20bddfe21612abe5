//! The rows that the prototypes represent worst.

use super::SelectionPage;
use crate::document::CriticismRule;
use crate::html::Html;
use crate::numbers::short;
use crate::row::Row;
use crate::section::{as_sentence, section};
use crate::sentences::criticisms_sentence;

/// Writes a card for each criticism of the complete run, worst first.
pub(super) fn write(html: &mut Html, page: &SelectionPage) {
    if page.document.criticism.is_none() {
        return;
    }
    section(html, "criticisms", "Criticisms", |html| {
        html.leaf("p", &[], &as_sentence(&criticisms_sentence(&page.document)));
        if let Some(order) = page.document.criticism.as_ref().and_then(order_words) {
            html.leaf("p", &[("class", "quiet")], order);
        }
        html.leaf("p", &[("class", "quiet"), ("id", "criticisms-text"), ("aria-live", "polite"), ("hidden", "")], "");
        let class = if page.is_gallery() { "cards gallery" } else { "cards" };
        html.element("ol", &[("class", class), ("id", "criticism-cards")], |html| {
            for (at, (row, criticism)) in page.criticisms.iter().zip(&page.document.criticisms).enumerate() {
                write_card(html, page, (at, row), criticism.score);
            }
        });
    });
}

/// The order of the cards, unless scores tell it.
fn order_words(rule: &CriticismRule) -> Option<&'static str> {
    rule.diversity.filter(|diversity| *diversity > 0.0).map(|_| {
        "In the order of choice: after the first, which has the highest score, each is a row with a high score that differs from those \
         before it, so scores need not fall."
    })
}

impl SelectionPage {
    /// The cards of criticisms of smaller sizes only; the script shows them when they are needed.
    pub(super) fn smaller_criticism_cards(&self) -> String {
        let mut html = Html::default();
        for (at, row) in self.criticisms.iter().enumerate().skip(self.document.criticisms.len()) {
            write_card(&mut html, self, (at, row), 0.0);
        }
        html.finish()
    }
}

fn write_card(html: &mut Html, page: &SelectionPage, (at, row): (usize, &Row), score: f64) {
    let (rank, id) = ((at + 1).to_string(), format!("criticism-{}", at + 1));
    let attributes = [("class", "card criticism"), ("id", id.as_str()), ("data-criticism", &rank)];
    html.element("li", &attributes, |html| {
        html.element("div", &[("class", "card-head")], |html| {
            row.write_image(html, &page.images);
            html.element("div", &[], |html| {
                html.element("h3", &[], |html| {
                    html.leaf("span", &[("class", "rank")], &rank);
                    html.text(" ");
                    row.write_name(html);
                });
                row.write_label(html);
                row.write_shown(html, &page.shown);
                html.element("p", &[("class", "quiet")], |html| {
                    html.text("score ");
                    html.leaf("span", &[("class", "score"), ("data-value", &score.to_string())], &short(score));
                });
            });
        });
        row.write_cells(html, &page.columns);
    });
    html.line();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_is_explained_where_scores_do_not_tell_it() {
        let rule =
            |diversity| CriticismRule { definition: "witness".to_owned(), diversity, among: "source".to_owned() };
        assert!(order_words(&rule(Some(1.0))).unwrap().starts_with("In the order of choice"));
        assert_eq!((order_words(&rule(Some(0.0))), order_words(&rule(None))), (None, None));
    }
}
