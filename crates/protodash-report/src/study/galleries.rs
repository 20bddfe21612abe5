//! Galleries: the images that each method chose.

use crate::html::Html;
use crate::image::Images;
use crate::row::Row;
use crate::section::section;

/// Strips of images under one heading.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StudyGallery {
    /// What the images are.
    pub title: String,
    /// How they were chosen; may be empty.
    pub remark: String,
    /// The strips.
    pub strips: Vec<StudyStrip>,
}

/// A strip of images.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StudyStrip {
    /// The method.
    pub name: String,
    /// The rows, best first.
    pub rows: Vec<Row>,
}

/// Writes the galleries side by side where there is room.
pub(super) fn write(html: &mut Html, galleries: &[StudyGallery], images: &Images) {
    if galleries.is_empty() {
        return;
    }
    section(html, "galleries", "Images", |html| {
        html.element("div", &[("class", "study-galleries")], |html| {
            for gallery in galleries {
                html.element("div", &[("class", "study-gallery")], |html| {
                    html.leaf("h3", &[], &gallery.title);
                    if !gallery.remark.is_empty() {
                        html.leaf("p", &[("class", "quiet")], &gallery.remark);
                    }
                    gallery.strips.iter().for_each(|strip| write_strip(html, strip, images));
                });
                html.line();
            }
        });
    });
}

fn write_strip(html: &mut Html, strip: &StudyStrip, images: &Images) {
    html.leaf("h4", &[], &strip.name);
    html.element("ol", &[("class", "strip")], |html| {
        for row in &strip.rows {
            let label = row.label().map_or_else(String::new, |label| format!(", label {label}"));
            html.element("li", &[("title", &format!("{}{label}", row.name()))], |html| row.write_image(html, images));
        }
    });
}
