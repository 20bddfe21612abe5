//! How similar the prototypes are to each other: those that repeat one another form blocks.

use std::fmt::Write;

use serde::Serialize;

use super::SelectionPage;
use crate::html::Html;
use crate::numbers::{count, length, short};
use crate::section::section;

/// The side of a square in the drawing, and the room for numbers at its edges.
const CELL: usize = 10;
const EDGE: usize = 16;

/// More prototypes have no numbers at the edges: they would be too small to read.
const MOST_NUMBERED: usize = 30;

/// The width of the drawing on a large screen, and that of a square if there are few.
const WIDTH: f64 = 620.0;
const LARGEST_CELL: f64 = 34.0;

/// No pair whose similarity is smaller is redundant.
const REDUNDANT: f64 = 0.5;

/// Number of shades for positive and for negative similarities; the script uses the same.
const SHADES: f64 = 10.0;

/// How similar some prototypes are to each other, as the kernel measures it.
///
/// # Examples
///
/// ```
/// use protodash_report::PrototypeSimilarity;
///
/// let similarity = PrototypeSimilarity { prototypes: vec![0, 2], values: vec![vec![1.0, 0.4], vec![0.4, 1.0]] };
/// assert_eq!(similarity.closest(), Some((0, 2, 0.4)));
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PrototypeSimilarity {
    /// The prototypes by their index in the order of choice, similar ones next to each other.
    pub prototypes: Vec<usize>,
    /// k(x, z) / √(k(x, x) k(z, z)) for each pair of them, in this order.
    pub values: Vec<Vec<f64>>,
}

/// The similarities for the script: ranks, and the pairs below the diagonal in thousandths.
#[derive(Debug, Serialize)]
pub(super) struct SimilarityView {
    ranks: Vec<usize>,
    pairs: Vec<i64>,
}

impl PrototypeSimilarity {
    /// The most similar pair, by their indices in the order of choice, and its similarity.
    ///
    /// # Examples
    ///
    /// See [`PrototypeSimilarity`].
    #[must_use]
    pub fn closest(&self) -> Option<(usize, usize, f64)> {
        let pairs = (1..self.prototypes.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
        let best = pairs.max_by(|one, other| self.values[one.0][one.1].total_cmp(&self.values[other.0][other.1]))?;
        let (one, other) = (self.prototypes[best.0], self.prototypes[best.1]);
        Some((one.min(other), one.max(other), self.values[best.0][best.1]))
    }

    /// The shade of a similarity, negative, 0 or positive. The scale is the same on every page: 1, of equal rows, is the darkest.
    fn shade(value: f64) -> i64 {
        (SHADES * value.clamp(-1.0, 1.0)).round() as i64
    }

    /// The similarity of each prototype's most similar other, the median of them.
    fn usual_closest(&self) -> Option<f64> {
        let closest = |i: usize| {
            let others = self.values[i].iter().enumerate().filter(|(j, _)| *j != i).map(|(_, value)| *value);
            others.fold(f64::NEG_INFINITY, f64::max)
        };
        let mut found: Vec<f64> = (0..self.values.len()).map(closest).collect();
        found.sort_by(f64::total_cmp);
        found.get(found.len() / 2).copied()
    }

    pub(super) fn view(&self) -> SimilarityView {
        let pairs = (1..self.values.len()).flat_map(|i| self.values[i][..i].iter());
        SimilarityView {
            ranks: self.prototypes.iter().map(|at| at + 1).collect(),
            pairs: pairs.map(|value| (value * 1000.0).round() as i64).collect(),
        }
    }
}

/// The class of a shade.
fn shade_class(shade: i64) -> String {
    if shade < 0 { format!("shade n{}", -shade) } else { format!("shade k{shade}") }
}

/// Writes the similarities as a heat map.
pub(super) fn write(html: &mut Html, page: &SelectionPage) {
    let Some(similarity) = page.similarity.as_ref().filter(|similarity| similarity.prototypes.len() > 1) else {
        return;
    };
    section(html, "similarity", "Similarity", |html| {
        html.element("div", &[("class", "halves")], |html| {
            html.element("div", &[], |html| {
                for words in [finding(page, similarity), reading(page, similarity)] {
                    html.leaf("p", &[], &words);
                }
                write_legend(html, similarity);
                html.leaf("p", &[("id", "similarity-text"), ("class", "quiet"), ("aria-live", "polite")], "");
            });
            write_squares(html, similarity);
        });
    });
}

fn finding(page: &SelectionPage, similarity: &PrototypeSimilarity) -> String {
    let Some((one, other, value)) = similarity.closest() else { return String::new() };
    let named = |at: usize| {
        let id = page.prototypes.get(at).and_then(|row| row.id.as_deref()).filter(|id| !id.is_empty());
        id.map_or_else(|| (at + 1).to_string(), |id| format!("{} ({})", at + 1, crate::html::beginning(id)))
    };
    let usual = similarity.usual_closest().filter(|_| similarity.prototypes.len() > 2);
    let usual = usual.map_or_else(String::new, |usual| {
        format!(" For half of the prototypes, the most similar other one has a similarity of at most {}.", short(usual))
    });
    let redundant = if value < REDUNDANT { " No pair is redundant." } else { "" };
    format!(
        "The most similar prototypes are {} and {}: similarity {}, where 1 means identical and 0 unrelated.{redundant}{usual}",
        named(one),
        named(other),
        short(value)
    )
}

fn reading(page: &SelectionPage, similarity: &PrototypeSimilarity) -> String {
    let n_weighted = page.document.prototypes.iter().filter(|prototype| prototype.weight > 0.0).count();
    let shown = match similarity.prototypes.len() {
        few if few < n_weighted => {
            format!("Of {} prototypes, the heaviest {few} are shown. ", count(n_weighted as u64))
        }
        _ => String::new(),
    };
    format!(
        "{shown}Each square is a pair of prototypes: the stronger its colour, the more similar they are under the kernel. Similar \
         prototypes are next to each other: a block of strong colour on the diagonal is a group that repeats itself."
    )
}

fn write_legend(html: &mut Html, similarity: &PrototypeSimilarity) {
    let negative = similarity.values.iter().flatten().fold(0.0, |least: f64, value| least.min(*value));
    html.element("ul", &[("class", "legend shades")], |html| {
        let mut entry = |from: i64, to: i64, words: &str| {
            html.element("li", &[], |html| {
                let view = format!("0 0 {} {CELL}", (to - from + 1) * CELL as i64);
                html.element("svg", &[("viewBox", view.as_str()), ("aria-hidden", "true")], |html| {
                    for shade in from..=to {
                        let line = format!("M{} {}h{CELL}", (shade - from) * CELL as i64, CELL / 2);
                        html.leaf("path", &[("class", &shade_class(shade)), ("d", &line)], "");
                    }
                });
                html.text(words);
            });
        };
        if negative < 0.0 {
            entry(-(SHADES as i64), -1, "from −1 to 0");
        }
        entry(0, SHADES as i64, "from 0 to 1");
    });
}

/// All squares of a shade are one path; neighbours in a line are one stroke.
fn write_squares(html: &mut Html, similarity: &PrototypeSimilarity) {
    let n = similarity.prototypes.len();
    let side = EDGE + n * CELL;
    let mut paths = vec![String::new(); 2 * SHADES as usize + 1];
    for (line, values) in similarity.values.iter().enumerate() {
        let shades: Vec<i64> = values.iter().map(|value| PrototypeSimilarity::shade(*value)).collect();
        let mut from = 0;
        while from < n {
            let same = shades[from..].iter().take_while(|shade| **shade == shades[from]).count();
            let path = usize::try_from(shades[from] + SHADES as i64).ok().and_then(|at| paths.get_mut(at));
            if let Some(path) = path.filter(|_| line != from || same > 1) {
                let _ = write!(path, "M{} {}h{}", EDGE + from * CELL, EDGE + line * CELL + CELL / 2, same * CELL);
            }
            from += same;
        }
    }
    let view = format!("0 0 {side} {side}");
    let width = length(WIDTH.min(LARGEST_CELL / CELL as f64 * side as f64));
    let attributes = [
        ("id", "similarities"),
        ("class", "similarities"),
        ("viewBox", view.as_str()),
        ("width", &width),
        ("role", "img"),
        ("aria-label", "Similarity of each pair of prototypes"),
    ];
    html.element("svg", &attributes, |html| {
        for (at, path) in paths.iter().enumerate() {
            let shade = at as i64 - SHADES as i64;
            let (class, id) = (shade_class(shade), format!("shade-{shade}"));
            if shade >= 0 || !path.is_empty() {
                html.leaf("path", &[("class", &class), ("id", &id), ("d", path)], "");
            }
        }
        let own: String =
            (0..n).map(|at| format!("M{} {}h{CELL}", EDGE + at * CELL, EDGE + at * CELL + CELL / 2)).collect();
        html.leaf("path", &[("class", "shade own"), ("id", "shade-own"), ("d", &own)], "");
        html.leaf("path", &[("class", "similarity-picked"), ("id", "similarity-picked"), ("d", "")], "");
        html.leaf("path", &[("class", "similarity-cursor"), ("id", "similarity-cursor"), ("d", "")], "");
        if n <= MOST_NUMBERED {
            write_numbers(html, similarity);
        }
    });
}

fn write_numbers(html: &mut Html, similarity: &PrototypeSimilarity) {
    for (at, prototype) in similarity.prototypes.iter().enumerate() {
        let (middle, rank) = ((EDGE + at * CELL + CELL / 2).to_string(), (prototype + 1).to_string());
        let edge = (EDGE - 2).to_string();
        let attributes = |name| [("class", name), ("data-rank", rank.as_str())];
        let across = [("x", middle.as_str()), ("y", edge.as_str())];
        let down = [("x", edge.as_str()), ("y", middle.as_str()), ("dy", "0.35em")];
        html.leaf("text", &[&attributes("across")[..], &across].concat(), &rank);
        html.leaf("text", &[&attributes("down")[..], &down].concat(), &rank);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SelectionDocument;

    fn three() -> PrototypeSimilarity {
        let values = vec![vec![1.0, 0.8, -0.2], vec![0.8, 1.0, 0.1], vec![-0.2, 0.1, 1.0]];
        PrototypeSimilarity { prototypes: vec![1, 0, 2], values }
    }

    #[test]
    fn the_most_similar_pair_is_named_first() {
        let similarity = three();
        assert_eq!(similarity.closest(), Some((0, 1, 0.8)));
        let page = SelectionPage::new(SelectionDocument::example());
        let words = finding(&page, &similarity);
        assert!(words.starts_with("The most similar prototypes are 1 (Dan) and 2 ("), "{words}");
        assert!(
            words.ends_with("For half of the prototypes, the most similar other one has a similarity of at most 0.8."),
            "{words}"
        );
        assert_eq!(PrototypeSimilarity::default().closest(), None);
    }

    #[test]
    fn pairs_that_have_little_in_common_are_not_redundant() {
        let page = SelectionPage::new(SelectionDocument::example());
        let line = |other: f64| PrototypeSimilarity {
            prototypes: vec![0, 1],
            values: vec![vec![1.0, other], vec![other, 1.0]],
        };
        assert!(finding(&page, &line(0.3)).ends_with("0 unrelated. No pair is redundant."));
        assert!(!finding(&page, &line(0.6)).contains("redundant"));
    }

    #[test]
    fn shades_have_the_same_scale_on_every_page() {
        assert_eq!([0.8, -0.2, 0.01, 0.0, 1.0].map(PrototypeSimilarity::shade), [8, -2, 0, 0, 10]);
        assert_eq!(PrototypeSimilarity::shade(-1.0 - 1e-9), -10);
        assert_eq!(three().view().pairs, [800, -200, 100]);
    }

    #[test]
    fn every_square_is_drawn_once_besides_the_diagonal() {
        let mut html = Html::default();
        write_squares(&mut html, &three());
        let page = html.finish();
        let widths =
            page.split(" d=\"").skip(1).flat_map(|path| path.split('"').next().unwrap_or("").split('h').skip(1));
        let total: usize = widths.map(|width| width.split('M').next().unwrap().parse::<usize>().unwrap()).sum();
        // Nine squares, of which three are on the diagonal; a run across it is drawn under it.
        assert!((9 * CELL..=12 * CELL).contains(&total), "{total}");
        assert!(page.contains("shade n2") && page.contains("shade k8") && !page.contains("shade n5"));
    }
}
