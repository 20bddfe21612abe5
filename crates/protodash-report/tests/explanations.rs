//! The page of explanations: what is highlighted, what is stated, how large it becomes.

#![allow(clippy::unwrap_used)]

use protodash_report::{Body, Column, ExplanationDocument, ExplanationPage, Report, Typical, render};

/// Explanations of `n_rows` rows by two source rows, with `n_columns` numbers each.
fn page(n_rows: usize, n_columns: usize) -> ExplanationPage {
    let mut document = ExplanationDocument::example();
    let row = document.explanations[0].clone();
    document.explanations = (0..n_rows)
        .map(|at| {
            let mut row = row.clone();
            (row.row, row.id) = (at as u64, None);
            row
        })
        .collect();
    let mut page = ExplanationPage::new(document);
    let typical = Typical::Number { median: 0.0, deviation: 2.0 };
    page.columns = (0..n_columns).map(|at| Column { name: format!("c{at}"), typical: typical.clone() }).collect();
    let cells = |row: usize| -> Vec<_> {
        let value = |at: usize| ((7 * at + 3 * row) % 11) as f64;
        page.columns
            .iter()
            .enumerate()
            .map(|(at, column)| column.number(&value(at).to_string(), Some(value(at))))
            .collect()
    };
    let rows: Vec<_> = (0..n_rows).map(cells).collect();
    let sources: Vec<_> = (0..2).map(|at| cells(at + 5)).collect();
    page.rows.iter_mut().zip(rows).for_each(|(row, cells)| row.cells = cells);
    page.sources.values_mut().zip(sources).for_each(|(row, cells)| row.cells = cells);
    page
}

fn html(page: ExplanationPage) -> String {
    render(&Report::new("Explanations", Body::Explanation(Box::new(page)))).unwrap()
}

#[test]
fn differences_are_marked_with_their_size_and_equal_values_are_not() {
    // Row 0 has 0, 7, 3; the sources, as rows 5 and 6, have 4, 0, 7 and 7, 3, 10; the spread is 2.
    let html = html(page(1, 3));
    let line = |name: &str| html.split(&format!("<bdi>{name}</bdi>")).nth(1).unwrap().split("</tr>").next().unwrap();
    assert!(line("c0").contains("4 <span class=\"apart\">+2.0 sd</span>"), "{}", line("c0"));
    assert!(line("c0").ends_with("data-value=\"3.5\">+3.5 sd</td>"), "{}", line("c0"));
    assert!(line("c1").contains("0 <span class=\"apart\">-3.5 sd</span>"), "{}", line("c1"));
    let mut same = page(1, 3);
    let ours = same.rows[0].cells.clone();
    same.sources.values_mut().for_each(|row| row.cells = ours.clone());
    let html = self::html(same);
    assert!(!html.contains("class=\"apart\"") && html.matches("<tr class=\"alike\">").count() == 3);
}

#[test]
fn nothing_similar_is_stated_plainly() {
    let html = html(ExplanationPage::new(ExplanationDocument::example()));
    assert!(html.contains("<p class=\"finding alone\">Nothing similar; the nearest row is 46.00 away.</p>"));
    assert!(html.contains("<td class=\"alone\">nothing similar</td>"));
    assert!(html.contains("Only the 1 row with nothing similar"));
}

#[test]
fn a_thousand_rows_stay_small_and_wide_ones_show_what_differs_most() {
    let narrow = html(page(1000, 15));
    assert!(narrow.len() < 700_000, "{} bytes", narrow.len());
    let wide = html(page(1000, 400));
    assert!(wide.len() < 3_000_000, "{} bytes", wide.len());
    // 300,000 values: 100 columns for each of 3,000 rows.
    let first = wide.split("<article").nth(1).unwrap();
    assert_eq!(first.matches("<th scope=\"row\">").count(), 100);
}
