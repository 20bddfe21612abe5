//! The complete page: its security policy, header, body and footer.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::assets;
use crate::error::Result;
use crate::export;
use crate::html::Html;
use crate::image::Images;
use crate::packed::{PACKED_FROM, RESULT_PACKED_FROM, packed};
use crate::report::{Attachment, Body, Report};
use crate::section::as_sentence;

/// The page of a report, as self-contained HTML.
///
/// # Errors
///
/// If an image cannot be encoded, or if a number cannot be written as JSON.
///
/// # Examples
///
/// ```
/// use protodash_report::{Body, Report, StudyPage, render};
///
/// let report = Report::new("</title><script>alert(1)</script>", Body::Study(Box::new(StudyPage::default())));
/// let html = render(&report)?;
/// assert!(html.contains("<title>&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;</title>"));
/// assert!(html.contains("default-src &#39;none&#39;"));
/// # Ok::<(), protodash_report::Error>(())
/// ```
pub fn render(report: &Report) -> Result<String> {
    let pictures = images(&report.body).map(Images::stylesheet).transpose()?;
    let style = assets::stylesheet() + &pictures.unwrap_or_default();
    let script = assets::script(&report.body);
    let mut html = Html::default();
    html.void("!DOCTYPE html", &[]);
    html.line();
    let view = view(&report.body)?;
    let packed_view = (view.len() >= PACKED_FROM).then(|| packed(&view));
    let later = later_cards(&report.body).as_deref().map(packed);
    html.element("html", &[("lang", "en")], |html| {
        html.element("head", &[], |html| write_head(html, report, &style, &script));
        html.line();
        html.element("body", &[], |html| {
            html.leaf("a", &[("class", "skip"), ("href", "#main")], "Skip to the content");
            write_header(html, report);
            html.element("main", &[("id", "main")], |html| {
                write_body(html, report);
                export::write(html, &report.calls);
            });
            write_footer(html);
            html.line();
            match &packed_view {
                Some(packed) => html.packed("view", packed),
                None => html.data("view", &view),
            }
            later.iter().for_each(|packed| html.packed("later-cards", packed));
            if let Some(Attachment { json, .. }) = &report.result {
                let packed_result = (json.len() >= RESULT_PACKED_FROM).then(|| packed(json));
                match packed_result {
                    Some(packed) => html.packed("result", &packed),
                    None => html.data("result", json),
                }
            }
            html.own_code("script", &script);
        });
    });
    html.line();
    Ok(html.finish())
}

fn write_head(html: &mut Html, report: &Report, style: &str, script: &str) {
    let policy = format!(
        "default-src 'none'; img-src data:; style-src '{}'; script-src '{}' '{}'; base-uri 'none'; form-action 'none'",
        hash(style),
        hash(assets::THEME_SCRIPT),
        hash(script)
    );
    html.void("meta", &[("charset", "utf-8")]);
    html.void("meta", &[("http-equiv", "Content-Security-Policy"), ("content", &policy)]);
    html.void("meta", &[("name", "viewport"), ("content", "width=device-width, initial-scale=1")]);
    html.void("meta", &[("name", "color-scheme"), ("content", "light dark")]);
    html.void("meta", &[("name", "generator"), ("content", concat!("protodash ", env!("CARGO_PKG_VERSION")))]);
    // Without an icon the browser would request one.
    html.void("link", &[("rel", "icon"), ("href", "data:,")]);
    html.leaf("title", &[], &report.title);
    html.own_code("script", assets::THEME_SCRIPT);
    html.own_code("style", style);
}

/// The policy expression that allows exactly this block of code.
fn hash(code: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(code.as_bytes())))
}

fn write_header(html: &mut Html, report: &Report) {
    html.element("header", &[("class", "top")], |html| {
        html.element("div", &[("class", "tools scripted")], |html| {
            if let Some(Attachment { name, .. }) = &report.result {
                let attributes = [("type", "button"), ("id", "download"), ("data-name", name.as_str())];
                html.leaf("button", &attributes, "Download the result (JSON)");
            }
            html.leaf("button", &[("type", "button"), ("id", "theme"), ("aria-pressed", "false")], "Dark");
        });
        html.leaf("h1", &[], &report.title);
        for (place, sentence) in report.lead.iter().enumerate() {
            html.leaf("p", &[("class", if place == 0 { "lead" } else { "also" })], &as_sentence(sentence));
        }
        write_settings(html, report);
        write_remarks(html, "Notes on the data:", &report.notes);
        write_remarks(html, "Not shown on this page:", &report.missing);
    });
    html.line();
}

/// Writes a box with some sentences, if there are any.
fn write_remarks(html: &mut Html, heading: &str, sentences: &[String]) {
    if sentences.is_empty() {
        return;
    }
    html.element("div", &[("class", "remarks"), ("role", "note")], |html| {
        html.leaf("p", &[], heading);
        html.element("ul", &[], |html| {
            for sentence in sentences {
                html.leaf("li", &[], &as_sentence(sentence));
            }
        });
    });
}

fn write_settings(html: &mut Html, report: &Report) {
    if report.settings.is_empty() {
        return;
    }
    html.element("dl", &[("class", "settings")], |html| {
        for (name, value) in &report.settings {
            html.element("div", &[], |html| {
                html.leaf("dt", &[], name);
                html.leaf("dd", &[], value);
            });
        }
    });
}

fn write_body(html: &mut Html, report: &Report) {
    match &report.body {
        Body::Selection(page) => page.write(html, report.result.is_some()),
        Body::Comparison(page) => page.write(html),
        Body::Relation(page) => page.write(html),
        Body::Explanation(page) => page.write(html),
        Body::SideBySide(page) => page.write(html),
        Body::Study(page) => page.write(html),
    }
}

fn write_footer(html: &mut Html) {
    html.element("footer", &[], |html| {
        html.leaf("p", &[], "Created by protodash. Self-contained; makes no network requests.");
    });
}

fn images(body: &Body) -> Option<&Images> {
    match body {
        Body::Selection(page) => Some(&page.images),
        Body::Comparison(page) => Some(&page.images),
        Body::Relation(_) => None,
        Body::Explanation(page) => Some(&page.images),
        Body::SideBySide(page) => Some(&page.images),
        Body::Study(page) => Some(&page.images),
    }
}

/// Cards that the script adds on demand.
fn later_cards(body: &Body) -> Option<String> {
    match body {
        Body::Selection(page) => page.later_cards(),
        _ => None,
    }
}

fn view(body: &Body) -> Result<String> {
    Ok(match body {
        Body::Selection(page) => to_json(&page.view())?,
        Body::Comparison(_) => to_json(&serde_json::json!({ "kind": "comparison" }))?,
        Body::Relation(page) => to_json(&page.view())?,
        Body::Explanation(page) => to_json(&page.view())?,
        Body::SideBySide(page) => to_json(&page.view())?,
        Body::Study(page) => to_json(&page.view())?,
    })
}

fn to_json(view: &impl Serialize) -> Result<String> {
    Ok(serde_json::to_string(view)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_start_with_a_capital_and_end_with_a_full_stop() {
        assert_eq!(as_sentence("5 of 7 rows explain it"), "5 of 7 rows explain it.");
        assert_eq!(as_sentence("élan!"), "Élan!");
        assert_eq!(as_sentence(""), "");
    }

    #[test]
    fn notes_are_on_the_page_and_escaped() {
        let mut report = Report::new("t", Body::Study(Box::default()));
        assert!(!render(&report).unwrap().contains("Notes on the data"));
        report.notes = vec!["column \"<b>\" looks like a label".to_owned()];
        let page = render(&report).unwrap();
        assert!(
            page.contains("<p>Notes on the data:</p><ul><li>Column &quot;&lt;b&gt;&quot; looks like a label.</li>")
        );
    }

    #[test]
    fn the_hash_matches_the_standard() {
        // The digest of the empty string from FIPS 180-4.
        assert_eq!(hash(""), "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
    }
}
