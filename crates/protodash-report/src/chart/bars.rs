//! Horizontal bars.

use crate::html::Html;
use crate::numbers::length;

/// A bar that fills this part of its place.
pub(crate) fn write_bar(html: &mut Html, part: f64, look: usize) {
    let class = format!("bar s{}", look % super::N_LOOKS);
    let frame =
        [("class", class.as_str()), ("viewBox", "0 0 100 6"), ("preserveAspectRatio", "none"), ("aria-hidden", "true")];
    html.element("svg", &frame, |html| {
        html.leaf("rect", &[("class", "empty"), ("width", "100"), ("height", "6")], "");
        html.leaf("rect", &[("class", "full"), ("width", &length(100.0 * part.clamp(0.0, 1.0))), ("height", "6")], "");
    });
}
