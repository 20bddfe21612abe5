//! The sections of a page and its table of contents.

use crate::export::EXPORT;
use crate::html::Html;

/// A section with its heading.
pub(crate) fn section(html: &mut Html, id: &'static str, heading: &str, content: impl FnOnce(&mut Html)) {
    let heading_id = format!("{id}-heading");
    html.element("section", &[("id", id), ("aria-labelledby", &heading_id)], |html| {
        html.leaf("h2", &[("id", &heading_id)], heading);
        content(html);
    });
    html.line();
}

/// The text as a sentence, with a capital letter and a full stop; empty text stays empty.
pub(crate) fn as_sentence(text: &str) -> String {
    let mut chars = text.chars();
    let first: String = chars.next().map_or_else(String::new, |first| first.to_uppercase().collect());
    if text.is_empty() {
        return String::new();
    }
    let end = if text.ends_with(['.', '!', '?']) { "" } else { "." };
    format!("{first}{}{end}", chars.as_str())
}

/// The table of contents: links with their names.
pub(crate) fn write_contents(html: &mut Html, sections: &[(&'static str, &'static str)]) {
    html.element("nav", &[("class", "contents"), ("aria-label", "Contents")], |html| {
        html.element("ul", &[], |html| {
            for (place, name) in sections.iter().chain([&EXPORT]) {
                html.element("li", &[], |html| html.leaf("a", &[("href", place)], name));
            }
        });
    });
    html.line();
}

/// Writes a list of terms with their meanings, at the end of a page.
pub(crate) fn write_meanings(html: &mut Html, meanings: &[(impl AsRef<str>, String)]) {
    section(html, "reading", "How to read this", |html| {
        html.element("dl", &[("class", "explanations")], |html| {
            for (word, meaning) in meanings {
                html.leaf("dt", &[], word.as_ref());
                html.leaf("dd", &[], meaning);
            }
        });
    });
}

/// A frame that scrolls sideways, for tables wider than the page.
pub(crate) fn scrolling(html: &mut Html, name: &str, content: impl FnOnce(&mut Html)) {
    // Its section is already labelled by its heading, so the frame needs another label.
    let name = format!("{name}, scrolling");
    let frame = [("class", "scroll"), ("tabindex", "0"), ("role", "region"), ("aria-label", &name)];
    html.element("div", &frame, content);
}

/// Writes the header of a sortable table: names, and whether the column holds numbers.
pub(crate) fn write_head(html: &mut Html, names: &[(&str, bool)]) {
    html.element("thead", &[], |html| {
        html.element("tr", &[], |html| {
            for (name, is_number) in names {
                let class = if *is_number { "number" } else { "word" };
                html.element("th", &[("scope", "col"), ("class", class)], |html| html.column_name(name));
            }
        });
    });
}
