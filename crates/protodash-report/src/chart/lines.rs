//! Line charts.

use super::outline;
use super::ticks::{decade_ticks, ticks, whole_ticks};
use crate::html::Html;
use crate::numbers::{length, short};

const WIDTH: f64 = 420.0;
const HEIGHT: f64 = 240.0;
const LEFT: f64 = 52.0;
const RIGHT: f64 = 12.0;
/// Space above the highest tick for the name of the vertical axis.
const TOP: f64 = 24.0;
const BOTTOM: f64 = 36.0;
/// Maximum number of points of a line with marks.
const MARKED: usize = 40;

/// One line.
pub(crate) struct Series {
    /// Its name, in the tooltip of each point.
    pub(crate) name: String,
    /// Points from left to right.
    pub(crate) points: Vec<(f64, f64)>,
    /// The confidence band: x, lower and upper end, from left to right; empty if unknown.
    pub(crate) band: Vec<(f64, f64, f64)>,
    /// Index of its colour, dash and mark.
    pub(crate) look: usize,
}

/// A line chart.
pub(crate) struct LineChart<'a> {
    /// Its text alternative.
    pub(crate) title: &'a str,
    /// Its id, for the script.
    pub(crate) id: &'a str,
    pub(crate) x_name: &'a str,
    pub(crate) y_name: &'a str,
    pub(crate) series: Vec<Series>,
    /// Formats values of the vertical axis.
    pub(crate) y_text: fn(f64) -> String,
    /// The kind of the horizontal axis.
    pub(crate) across: Across,
    /// Whether values are exponents of ten (a log scale).
    pub(crate) powers: bool,
}

/// The kind of a horizontal axis.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Across {
    /// Any numbers.
    Numbers,
    /// Whole numbers only.
    Whole,
    /// Exponents of ten (a log scale).
    Powers,
}

impl Across {
    fn ticks(self, (low, high): (f64, f64)) -> Vec<f64> {
        match self {
            Across::Numbers => ticks(low, high, 6),
            Across::Whole => whole_ticks(low, high, 6).into_iter().filter(|tick| tick.fract() == 0.0).collect(),
            Across::Powers => decade_ticks(low, high),
        }
    }

    fn text(self, value: f64) -> String {
        if self == Across::Powers { power_text(value) } else { short(value) }
    }
}

/// The power of ten with this exponent, as text.
pub(crate) fn power_text(exponent: f64) -> String {
    short(10.0_f64.powf(exponent))
}

/// Maps values to positions in the drawing.
pub(crate) struct Frame {
    x: (f64, f64),
    y: (f64, f64),
}

impl Frame {
    fn around(series: &[Series], powers: bool) -> Frame {
        let bands = || series.iter().flat_map(|series| &series.band);
        let ends = || bands().flat_map(|(x, low, high)| [(*x, *low), (*x, *high)]);
        let points = || series.iter().flat_map(|series| series.points.iter().copied()).chain(ends());
        let range = |value: fn((f64, f64)) -> f64| {
            let values = || points().map(value).filter(|value| value.is_finite());
            (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max))
        };
        let (x, y) = (range(|point| point.0), range(|point| point.1));
        // A constant line is drawn in the middle.
        let widened = |(low, high): (f64, f64)| match low < high {
            true => (low, high),
            false if low.is_finite() => (low - 0.5, high + 0.5),
            false => (0.0, 1.0),
        };
        let (low, high) = widened(y);
        let room = 0.06 * (high - low);
        // Non-negative quantities keep 0 as their lower end.
        let floor = if !powers && low >= 0.0 && low < 0.4 * high { 0.0 } else { low - room };
        Frame { x: widened(x), y: (floor, high + room) }
    }

    /// The x position of a value.
    pub(crate) fn across(&self, value: f64) -> f64 {
        LEFT + (value - self.x.0) / (self.x.1 - self.x.0) * (WIDTH - LEFT - RIGHT)
    }

    /// The y position of a value.
    pub(crate) fn up(&self, value: f64) -> f64 {
        HEIGHT - BOTTOM - (value - self.y.0) / (self.y.1 - self.y.0) * (HEIGHT - TOP - BOTTOM)
    }

    /// The upper and lower end of the frame.
    pub(crate) fn ends(&self) -> (f64, f64) {
        (TOP, HEIGHT - BOTTOM)
    }
}

impl LineChart<'_> {
    /// Writes the frame, the lines and whatever `more` adds.
    pub(crate) fn write(&self, html: &mut Html, more: impl FnOnce(&mut Html, &Frame)) {
        let frame = Frame::around(&self.series, self.powers);
        let view = format!("0 0 {WIDTH} {HEIGHT}");
        let (first, last) = (frame.x.0.to_string(), frame.x.1.to_string());
        let (left, right) = (length(frame.across(frame.x.0)), length(frame.across(frame.x.1)));
        let attributes = [
            ("class", "chart"),
            ("id", self.id),
            ("viewBox", &view),
            ("role", "img"),
            ("aria-label", self.title),
            ("data-first", &first),
            ("data-last", &last),
            ("data-left", &left),
            ("data-right", &right),
        ];
        html.element("svg", &attributes, |html| {
            self.write_axes(html, &frame);
            self.series.iter().for_each(|series| self.write_series(html, &frame, series));
            more(html, &frame);
        });
    }

    fn write_axes(&self, html: &mut Html, frame: &Frame) {
        let (top, bottom) = frame.ends();
        let up = if self.powers { decade_ticks(frame.y.0, frame.y.1) } else { ticks(frame.y.0, frame.y.1, 5) };
        for tick in up {
            let y = length(frame.up(tick));
            let right = length(WIDTH - RIGHT);
            html.leaf("line", &[("class", "grid"), ("x1", &length(LEFT)), ("x2", &right), ("y1", &y), ("y2", &y)], "");
            let x = length(LEFT - 6.0);
            html.leaf("text", &[("class", "tick end"), ("x", &x), ("y", &y), ("dy", "0.35em")], &(self.y_text)(tick));
        }
        let (label, axis) = (length(bottom + 14.0), length(bottom));
        for tick in self.across.ticks(frame.x) {
            let (x, text) = (length(frame.across(tick)), self.across.text(tick));
            html.leaf("text", &[("class", "tick middle"), ("x", &x), ("y", &label)], &text);
        }
        let right = length(WIDTH - RIGHT);
        html.leaf(
            "line",
            &[("class", "axis"), ("x1", &length(LEFT)), ("x2", &right), ("y1", &axis), ("y2", &axis)],
            "",
        );
        let (x, y) = (length(0.5 * (LEFT + WIDTH - RIGHT)), length(HEIGHT - 4.0));
        html.leaf("text", &[("class", "name middle"), ("x", &x), ("y", &y)], self.x_name);
        html.leaf("text", &[("class", "name"), ("x", "0"), ("y", &length(top - 14.0))], self.y_name);
    }

    fn write_series(&self, html: &mut Html, frame: &Frame, series: &Series) {
        let class = format!("s{}", series.look % super::N_LOOKS);
        html.element("g", &[("class", &class)], |html| {
            write_band(html, frame, &series.band);
            let mut path = String::new();
            for (x, y) in series.points.iter().filter(|(x, y)| x.is_finite() && y.is_finite()) {
                path.push(if path.is_empty() { 'M' } else { 'L' });
                path += &format!("{} {}", length(frame.across(*x)), length(frame.up(*y)));
            }
            html.leaf("path", &[("class", "line"), ("d", &path)], "");
            if series.points.len() > MARKED {
                return;
            }
            for (x, y) in series.points.iter().filter(|(x, y)| x.is_finite() && y.is_finite()) {
                let place = format!("translate({} {})", length(frame.across(*x)), length(frame.up(*y)));
                let words = format!("{}{}: {}", series.name, self.across.text(*x), (self.y_text)(*y));
                html.element(
                    "path",
                    &[("class", "mark"), ("transform", &place), ("d", outline(series.look))],
                    |html| {
                        html.leaf("title", &[], &words);
                    },
                );
            }
        });
    }
}

/// The area of a confidence band.
fn write_band(html: &mut Html, frame: &Frame, band: &[(f64, f64, f64)]) {
    let known = || band.iter().filter(|(x, low, high)| x.is_finite() && low.is_finite() && high.is_finite());
    if known().count() < 2 {
        return;
    }
    let place = |x: f64, y: f64| format!("{} {}", length(frame.across(x)), length(frame.up(y)));
    let above = known().map(|(x, _, high)| place(*x, *high));
    let below = known().rev().map(|(x, low, _)| place(*x, *low));
    let path = format!("M{}z", above.chain(below).collect::<Vec<_>>().join("L"));
    html.leaf("path", &[("class", "band"), ("d", &path)], "");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_frame_holds_every_point() {
        let series = [Series { name: String::new(), points: vec![(1.0, 0.5), (5.0, 0.9)], band: Vec::new(), look: 0 }];
        let frame = Frame::around(&series, false);
        assert_eq!((frame.across(1.0), frame.across(5.0)), (LEFT, WIDTH - RIGHT));
        let (top, bottom) = frame.ends();
        assert!([0.5, 0.9].iter().all(|value| (top..=bottom).contains(&frame.up(*value))));
    }

    #[test]
    fn the_frame_holds_every_band() {
        let band = vec![(1.0, -0.5, 0.7), (5.0, 0.8, 1.9)];
        let series = [Series { name: String::new(), points: vec![(1.0, 0.5), (5.0, 0.9)], band, look: 0 }];
        let frame = Frame::around(&series, false);
        let (top, bottom) = frame.ends();
        assert!([-0.5, 1.9].iter().all(|value| (top..=bottom).contains(&frame.up(*value))));
    }

    #[test]
    fn charts_with_one_point_or_none_have_a_frame() {
        let one = Frame::around(
            &[Series { name: String::new(), points: vec![(1.0, 2.0)], band: Vec::new(), look: 0 }],
            false,
        );
        assert!(one.across(1.0).is_finite() && one.up(2.0).is_finite());
        let none = Frame::around(&[], false);
        assert!(none.across(0.5).is_finite());
    }
}
