//! SVG charts: they need no script, print well and follow the theme.

mod bars;
mod histogram;
mod intervals;
mod lines;
mod ticks;

pub(crate) use bars::{Bar, write_bar, write_bars};
pub(crate) use histogram::Histogram;
pub(crate) use intervals::{Interval, write_intervals};
pub(crate) use lines::{Across, LineChart, Series, power_text};

use crate::html::Html;

/// Number of series that colour, dash and mark can distinguish.
pub(crate) const N_LOOKS: usize = 10;

/// The path of a mark around (0, 0).
pub(crate) fn outline(look: usize) -> &'static str {
    match look % N_LOOKS {
        0 => "M-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0z",
        1 => "M-3-3h6v6h-6z",
        2 => "M0-4l4 7h-8z",
        3 => "M0-4.4l4.4 4.4l-4.4 4.4l-4.4-4.4z",
        4 => "M-1.3-4h2.6v2.7h2.7v2.6h-2.7v2.7h-2.6v-2.7h-2.7v-2.6h2.7z",
        5 => "M0 4l4-7h-8z",
        6 => "M-4-1.5l4-3l4 3l-1.5 5h-5z",
        7 => "M-4-4h8l-3 4l3 4h-8l3-4z",
        8 => "M-1.3-4.4h2.6v8.8h-2.6z",
        _ => "M-3.8-2l2-2l1.8 1.8l1.8-1.8l2 2l-1.8 1.8l1.8 1.8l-2 2l-1.8-1.8l-1.8 1.8l-2-2l1.8-1.8z",
    }
}

/// Writes a legend.
pub(crate) fn write_legend<'a>(html: &mut Html, names: impl Iterator<Item = &'a str>) {
    write_legend_of(html, names.enumerate());
}

/// Writes a legend of these lines, by their looks.
pub(crate) fn write_legend_of<'a>(html: &mut Html, lines: impl Iterator<Item = (usize, &'a str)>) {
    html.element("ul", &[("class", "legend")], |html| {
        for (look, name) in lines {
            html.element("li", &[], |html| {
                let class = format!("s{}", look % N_LOOKS);
                html.element(
                    "svg",
                    &[("viewBox", "-14 -7 28 14"), ("aria-hidden", "true"), ("class", &class)],
                    |html| {
                        html.leaf("path", &[("class", "line"), ("d", "M-14 0h28")], "");
                        html.leaf("path", &[("class", "mark"), ("d", outline(look))], "");
                    },
                );
                html.text(name);
            });
        }
    });
}
