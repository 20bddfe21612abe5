//! Horizontal bars, alone or in a list with names and values.

use crate::html::Html;
use crate::numbers::length;

/// One bar.
pub(crate) struct Bar {
    pub(crate) name: String,
    pub(crate) value: f64,
    /// The value as text.
    pub(crate) text: String,
    /// Its colour.
    pub(crate) look: usize,
}

/// Writes bars scaled to the largest, with the name under which they are saved.
pub(crate) fn write_bars(html: &mut Html, title: &str, bars: &[Bar]) {
    let largest = bars.iter().map(|bar| bar.value).fold(0.0, f64::max);
    html.element("ul", &[("class", "bars"), ("aria-label", title)], |html| {
        for bar in bars {
            html.element("li", &[], |html| {
                html.leaf("span", &[("class", "bar-name")], &bar.name);
                write_bar(html, if largest > 0.0 { bar.value / largest } else { 0.0 }, bar.look);
                html.leaf("span", &[("class", "bar-text")], &bar.text);
            });
        }
    });
}

/// Writes a bar that fills this fraction of its width.
pub(crate) fn write_bar(html: &mut Html, part: f64, look: usize) {
    let class = format!("bar s{}", look % super::N_LOOKS);
    let frame =
        [("class", class.as_str()), ("viewBox", "0 0 100 6"), ("preserveAspectRatio", "none"), ("aria-hidden", "true")];
    html.element("svg", &frame, |html| {
        html.leaf("rect", &[("class", "empty"), ("width", "100"), ("height", "6")], "");
        html.leaf("rect", &[("class", "full"), ("width", &length(100.0 * part.clamp(0.0, 1.0))), ("height", "6")], "");
    });
}
