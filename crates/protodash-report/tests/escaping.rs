//! Text from the data is shown as text: none of it becomes an element, an attribute or a script.

#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use protodash_report::{
    Attachment, Body, Cell, Column, ColumnDistribution, Coverage, CoveredGroup, CriticismRule, DistributionBar,
    ExplanationDocument, ExplanationPage, Map, MapPlaces, MapPoint, PrototypeSimilarity, Report, Row,
    SelectionDocument, SelectionPage, ShiftRecord, ShiftedFeature, SideBySidePage, StudyCell, StudyClaim, StudyFigure,
    StudyGallery, StudyPage, StudyPoint, StudySeries, StudyStrip, StudyTable, Typical, render,
};
use serde_json::json;

const NASTY: &str = "</script><script>alert(1)</script>";

/// A page in which every text that can come from the data is `text`.
fn page_full_of(text: &str) -> Report {
    let text = || text.to_owned();
    let cells = vec![Cell { text: text(), exact: Some(text()), value: None, distance: 1.0, remark: text() }];
    let row = Row { index: 1, id: Some(text()), label: Some(text()), cells, image: None, shown: vec![text()] };
    let mut document = SelectionDocument::example();
    document.criticism = Some(CriticismRule { definition: text(), diversity: None, among: text() });
    let (id, label) = (Some(text()), Some(text()));
    document.criticisms =
        serde_json::from_value(json!([{ "source_index": 1, "id": id, "score": 0.1, "label": label }])).unwrap();
    let classes = json!([{ "label": text(), "share": 1.0, "n_target": 1, "n_source": 1, "n_prototypes": 1 }]);
    document.per_label = serde_json::from_value(json!({ "allocation": text(), "classes": classes })).unwrap();
    let shifted = ShiftedFeature {
        feature: text(),
        source_mean: 0.0,
        weighted_mean: 1.0,
        target_mean: 1.0,
        source_standard_deviation: 1.0,
        weighted_standard_deviation: 1.0,
        target_standard_deviation: 1.0,
        difference_before: -1.0,
        difference_after: 0.0,
    };
    document.covariate_shift = Some(ShiftRecord { effective_sample_size: 2.0, features: vec![shifted] });
    let point = MapPoint { id: Some(text()), label: Some(text()), ..MapPoint::default() };
    let [points, source, prototypes] = [1, 1, 2].map(|n| vec![[0.0, 0.0]; n]);
    let places = MapPlaces { points, source, prototypes, ..MapPlaces::default() };
    let page = SelectionPage {
        prototypes: vec![row.clone(), row.clone()],
        examples: vec![vec![row.clone()], vec![row.clone()]],
        criticisms: vec![row],
        shown: vec![text()],
        columns: vec![Column { name: text(), typical: Typical::Level { level: text(), share: 0.5 } }],
        distributions: [0, 1].map(|n_ordered| distribution(&text(), n_ordered)).into(),
        coverage: Some(Coverage {
            mean: 1.0,
            classes: vec![group(&text(), "")],
            groups: vec![group(&text(), &text())],
            ..Coverage::default()
        }),
        map: Some(Map {
            points: vec![point.clone()],
            source: vec![point],
            n_rows: 1,
            n_source: 1,
            places: vec![places; 2],
        }),
        similarity: Some(PrototypeSimilarity { prototypes: vec![1, 0], values: vec![vec![1.0, 0.5], vec![0.5, 1.0]] }),
        ..SelectionPage::new(document)
    };
    let mut report = Report::new(text(), Body::Selection(Box::new(page)));
    report.lead.push(text());
    report.settings.push((text(), text()));
    report.missing.push(text());
    let json = json!({ "id": text(), "weights_path": [[1.0], [0.5, 0.5]] }).to_string();
    report.result = Some(Attachment { name: text(), json });
    report
}

/// The page of two selections in which every text that can come from the data is `text`.
fn both_full_of(text: &str) -> Report {
    let text = || text.to_owned();
    let mut first = SelectionDocument::example();
    first.data.source_where = Some(text());
    first.data.drop = vec![text()];
    let second = SelectionDocument::example();
    let mut page = SideBySidePage::new([first, second]).unwrap();
    for row in page.rows.values_mut() {
        let cells = vec![Cell { text: text(), exact: Some(text()), value: None, distance: 1.0, remark: text() }];
        *row = Row { id: Some(text()), label: Some(text()), cells, shown: vec![text()], ..row.clone() };
    }
    page.columns = vec![Column { name: text(), typical: Typical::Level { level: text(), share: 0.5 } }];
    page.shown = vec![text()];
    page.distributions = [0, 1].map(|n_ordered| distribution(&text(), n_ordered)).into();
    let mut report = Report::new(text(), Body::SideBySide(Box::new(page)));
    report.notes.push(text());
    report
}

fn distribution(text: &str, n_ordered: usize) -> ColumnDistribution {
    let bars = vec![DistributionBar { name: text.to_owned(), share: 0.5 }; 2];
    ColumnDistribution { name: text.to_owned(), bars, n_ordered, places: vec![0.5, 1.5], points: Vec::new() }
}

fn group(value: &str, column: &str) -> CoveredGroup {
    let (value, column) = (value.to_owned(), column.to_owned());
    CoveredGroup { column, value, share: 0.5, weight: 0.5, n_prototypes: 1, distance: 2.0, ..CoveredGroup::default() }
}

/// The page of a study in which every text is `text`.
fn study_full_of(text: &str) -> Report {
    let text = || text.to_owned();
    let (place, claim, criterion, ours) = (text(), text(), text(), text());
    let claims = vec![StudyClaim { place, claim, criterion, ours, ..StudyClaim::default() }];
    let point = |x: String| StudyPoint { x, mean: 0.5, interval: Some((0.25, 0.75)), n: 3 };
    let figure = |points| StudyFigure {
        caption: text(),
        x: text(),
        y: text(),
        series: vec![StudySeries { name: text(), points }],
    };
    let curve = figure(["1", "2", "3"].map(|x| point(x.to_owned())).into());
    let strips = vec![StudyStrip { name: text(), rows: vec![Row { label: Some(text()), ..Row::default() }] }];
    let page = StudyPage {
        claims,
        figures: vec![curve, figure(vec![point(text()), point("a place".to_owned())])],
        galleries: vec![StudyGallery { title: text(), remark: text(), strips }],
        tables: vec![StudyTable {
            title: text(),
            remark: text(),
            columns: vec![text()],
            rows: vec![vec![StudyCell::text(text())]],
        }],
        run: vec![(text(), text())],
        meanings: vec![(text(), text())],
        ..StudyPage::default()
    };
    Report::new(text(), Body::Study(Box::new(page)))
}

/// The page of explanations in which every text is `text`; the second row is added by the script.
fn explanations_full_of(text: &str) -> Report {
    let mut document = ExplanationDocument::example();
    let first = &mut document.explanations[0];
    (first.id, first.label) = (Some(text.to_owned()), Some(text.to_owned()));
    for one in &mut first.prototypes {
        (one.id, one.label) = (Some(text.to_owned()), Some(format!("other {text}")));
        (one.alike, one.differs) = (vec![text.to_owned()], vec![text.to_owned()]);
    }
    document.explanations = vec![document.explanations[0].clone(); 7];
    let mut page = ExplanationPage::new(document);
    let cells = |text: &str| vec![Cell { text: text.to_owned(), ..Cell::default() }];
    page.columns = vec![Column { name: text.to_owned(), typical: Typical::Unknown }];
    page.shown = vec![text.to_owned()];
    page.rows.iter_mut().for_each(|row| (row.cells, row.shown) = (cells("mine"), vec![text.to_owned()]));
    page.sources.values_mut().for_each(|row| (row.cells, row.shown) = (cells(text), vec![text.to_owned()]));
    Report::new(text, Body::Explanation(Box::new(page)))
}

/// The page without the contents of its own style and script.
fn without_own_code(html: &str) -> String {
    let mut rest = html.to_owned();
    for tag in ["script", "style"] {
        let (open, close) = (format!("<{tag}>"), format!("</{tag}>"));
        while let Some(start) = rest.find(&open) {
            let end = rest[start..].find(&close).unwrap() + start + close.len();
            rest.replace_range(start..end, "");
        }
    }
    rest
}

#[test]
fn a_column_called_end_of_script_is_shown_as_text() {
    let html = render(&page_full_of(NASTY)).unwrap();
    assert!(!without_own_code(&html).contains("<script>"), "a script from the data is in the page");
    assert!(html.contains("&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;"));
    // Two scripts of the page, two blocks of data, and no more.
    assert_eq!(html.matches("<script").count(), 4);
    assert_eq!(html.matches("</script>").count(), 4);
    let html = render(&study_full_of(NASTY)).unwrap();
    assert!(!without_own_code(&html).contains("<script>"), "a script from the study is in the page");
    assert_eq!(html.matches("<script").count(), 3);
    let html = render(&explanations_full_of(NASTY)).unwrap();
    assert!(!without_own_code(&html).contains("<script>"), "a script from the explanations is in the page");
    assert_eq!(html.matches("<script").count(), 3);
    let both = render(&both_full_of(NASTY)).unwrap();
    assert!(!without_own_code(&both).contains("<script>"), "a script from two selections is in the page");
    assert_eq!(both.matches("<script").count(), 3);
    // The rows that the script adds are escaped twice: as HTML, and in the JSON that holds them.
    assert!(html.contains("\\u0026lt;/script\\u0026gt;"));
}

#[test]
fn attributes_cannot_be_closed() {
    for page in [page_full_of, study_full_of, explanations_full_of, both_full_of] {
        let html = render(&page("\" onload=\"alert(1)\" x='")).unwrap();
        assert!(!html.contains("\" onload=\""));
    }
}

#[test]
fn no_element_has_a_style_or_a_handler() {
    let pages = [page_full_of, study_full_of, explanations_full_of, both_full_of].map(|page| page("plain"));
    let html = pages.map(|page| without_own_code(&render(&page).unwrap())).concat();
    let tags = html.split('<').skip(1).map(|part| part.split('>').next().unwrap());
    for attribute in tags.flat_map(|tag| tag.split(' ').skip(1)) {
        let name = attribute.split('=').next().unwrap();
        assert!(
            !attribute.contains('=') || (name != "style" && !name.starts_with("on")),
            "the policy forbids {attribute}"
        );
    }
}

/// The elements of a page, in order, without attributes and text.
fn elements(html: &str) -> Vec<String> {
    let html = without_own_code(html);
    let tag = |part: &str| part.split([' ', '>']).next().unwrap_or_default().to_owned();
    html.split('<').skip(1).map(tag).collect()
}

proptest! {
    #[test]
    fn whatever_the_text_the_elements_are_the_same(text in "[\\PC<>&\"'/_\\\\\u{2028}\u{0}!-]{1,40}") {
        // Names may be broken after underscores: the one element that depends on the text.
        let plain = |html: &str| elements(html).into_iter().filter(|tag| tag != "wbr").collect::<Vec<_>>();
        let html = render(&page_full_of(&text)).unwrap();
        prop_assert_eq!(plain(&html), plain(&render(&page_full_of("plain")).unwrap()));
        let study = render(&study_full_of(&text)).unwrap();
        prop_assert_eq!(plain(&study), plain(&render(&study_full_of("plain")).unwrap()));
        let explanations = render(&explanations_full_of(&text)).unwrap();
        prop_assert_eq!(plain(&explanations), plain(&render(&explanations_full_of("plain")).unwrap()));
        let both = render(&both_full_of(&text)).unwrap();
        prop_assert_eq!(plain(&both), plain(&render(&both_full_of("plain")).unwrap()));
    }
}
