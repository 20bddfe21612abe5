//! The parts of a page, and the list of them at its top.

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

/// Where to find what: places in the page with their names.
pub(crate) fn write_contents(html: &mut Html, sections: &[(&'static str, &'static str)]) {
    html.element("nav", &[("class", "contents"), ("aria-label", "Contents")], |html| {
        html.element("ul", &[], |html| {
            for (place, name) in sections {
                html.element("li", &[], |html| html.leaf("a", &[("href", place)], name));
            }
        });
    });
    html.line();
}

/// A list of words with their meanings, at the end of a page.
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

/// A frame in which a table wider than the page is moved from side to side.
pub(crate) fn scrolling(html: &mut Html, name: &str, content: impl FnOnce(&mut Html)) {
    // The section around it is called by its heading, so that the frame needs another name.
    let name = format!("{name}, scrolling");
    let frame = [("class", "scroll"), ("tabindex", "0"), ("role", "region"), ("aria-label", &name)];
    html.element("div", &frame, content);
}

/// The head of a table that can be sorted: names, and whether numbers stand below them.
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
