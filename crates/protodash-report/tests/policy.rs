//! The Content-Security-Policy allows the page's own code, by its hash, and nothing else.

#![allow(clippy::unwrap_used)]

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use protodash_report::{
    Body, Image, Images, Report, Row, SelectionDocument, SelectionPage, StudyGallery, StudyPage, StudyStrip, render,
};
use sha2::{Digest, Sha256};

/// A page of each kind that has images.
fn pages() -> [String; 2] {
    [selection_page(), study_page()]
}

fn selection_page() -> String {
    let mut images = Images::default();
    let image = images.add(Image::new(2, 2, 1, vec![0, 255, 255, 0]).unwrap());
    let row = Row { image: Some(image), ..Row::default() };
    let mut document = SelectionDocument::example();
    document.prototypes.push(document.prototypes[0].clone());
    let page = SelectionPage { prototypes: vec![row; 3], images, ..SelectionPage::new(document) };
    render(&Report::new("Prototypes", Body::Selection(Box::new(page)))).unwrap()
}

fn study_page() -> String {
    let mut images = Images::default();
    let image = images.add(Image::new(2, 2, 1, vec![0, 255, 255, 0]).unwrap());
    let rows = vec![Row { image: Some(image), ..Row::default() }; 3];
    let strips = vec![StudyStrip { name: "ProtoDash".to_owned(), rows }];
    let galleries = vec![StudyGallery { strips, ..StudyGallery::default() }];
    render(&Report::new("Study", Body::Study(Box::new(StudyPage { galleries, images, ..StudyPage::default() }))))
        .unwrap()
}

/// Every text between `open` and `close`.
fn between<'a>(html: &'a str, open: &str, close: &str) -> Vec<&'a str> {
    html.split(open).skip(1).map(|rest| rest.split(close).next().unwrap()).collect()
}

#[test]
fn only_the_page_s_own_code_is_allowed_by_its_hash() {
    for html in pages() {
        let policy = between(&html, "http-equiv=\"Content-Security-Policy\" content=\"", "\"")[0].replace("&#39;", "'");
        let hash = |code: &&str| format!("'sha256-{}'", STANDARD.encode(Sha256::digest(code.as_bytes())));
        let scripts: Vec<String> = between(&html, "<script>", "</script>").iter().map(hash).collect();
        let styles: Vec<String> = between(&html, "<style>", "</style>").iter().map(hash).collect();
        let expected = format!(
            "default-src 'none'; img-src data:; style-src {}; script-src {}; base-uri 'none'; form-action 'none'",
            styles.join(" "),
            scripts.join(" ")
        );
        assert_eq!(policy, expected);
        assert!(!policy.contains("unsafe"));
    }
}

#[test]
fn an_image_is_in_the_page_once_however_often_it_is_shown() {
    for html in pages() {
        assert_eq!(html.matches("data:image/png;base64,").count(), 1);
        assert_eq!(html.matches("class=\"image i0\"").count(), 3);
    }
}

#[test]
fn a_page_makes_no_network_requests() {
    for html in pages() {
        for address in between(&html, "href=\"", "\"").iter().chain(&between(&html, "src=\"", "\"")) {
            assert!(address.starts_with('#') || address.starts_with("data:"), "{address}");
        }
        let names = html.matches("http://www.w3.org/").count();
        assert!(html.matches("http://").count() == names);
        assert!(!html.contains("https://"));
    }
}
