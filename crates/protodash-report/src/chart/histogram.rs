//! Histograms: rows as filled bars, weights of prototypes as outlined ones, single values as ticks below the axis.

use crate::html::Html;
use crate::numbers::length;

/// The drawing; the script that redraws it uses the same numbers.
const WIDTH: f64 = 280.0;
const HEIGHT: f64 = 112.0;
const EDGE: f64 = 4.0;
const BASE: f64 = 84.0;
const HIGHEST: f64 = 76.0;
/// Space between the bars of numbers and that of missing values, in bars.
const GAP: f64 = 0.6;
const TICK: (f64, f64) = (86.0, 6.0);
/// Space for the name of the bar of missing values, and between it and the end of the axis.
const NAME_APART: f64 = 64.0;

/// A histogram.
pub(crate) struct Histogram<'a> {
    /// Its text alternative.
    pub(crate) title: &'a str,
    /// The share of rows in each bar.
    pub(crate) rows: &'a [f64],
    /// The share of weight in each bar; empty if there are no weights.
    pub(crate) weights: &'a [f64],
    /// The share of another selection's weight in each bar; empty if there is no other.
    pub(crate) others: &'a [f64],
    /// Number of bars that are ranges; the others, for missing values, stand apart.
    pub(crate) n_ordered: usize,
    /// Positions of ticks: a bar, and how far across it.
    pub(crate) ticks: &'a [f64],
    /// The texts at both ends of the axis, and that of the bar that stands apart.
    pub(crate) ends: [&'a str; 3],
}

impl Histogram<'_> {
    /// Writes the chart.
    pub(crate) fn write(&self, html: &mut Html) {
        let view = format!("0 0 {WIDTH} {HEIGHT}");
        let attributes =
            [("class", "chart histogram"), ("viewBox", view.as_str()), ("role", "img"), ("aria-label", self.title)];
        let highest = self.rows.iter().chain(self.weights).chain(self.others).copied().fold(0.0, f64::max);
        html.element("svg", &attributes, |html| {
            html.leaf("path", &[("class", "row-bars"), ("d", &self.bars(self.rows, highest))], "");
            if !self.weights.is_empty() {
                html.leaf("path", &[("class", "weight-bars"), ("d", &self.bars(self.weights, highest))], "");
            }
            if !self.others.is_empty() {
                html.leaf("path", &[("class", "other-bars"), ("d", &self.bars(self.others, highest))], "");
            }
            let (left, right, base) = (length(EDGE), length(self.across(self.n_ordered as f64 - 1e-9)), length(BASE));
            html.leaf("line", &[("class", "axis"), ("x1", &left), ("x2", &right), ("y1", &base), ("y2", &base)], "");
            html.leaf("path", &[("class", "ticks"), ("d", &self.tick_path())], "");
            html.leaf("path", &[("class", "picked-tick"), ("d", "")], "");
            let y = length(HEIGHT - 6.0);
            html.leaf("text", &[("x", &left), ("y", &y)], self.ends[0]);
            let is_apart = self.rows.len() > self.n_ordered;
            // The name of the bar that stands apart may be wider than the bar.
            let end = self.across(self.n_ordered as f64 - 1e-9).min(WIDTH - if is_apart { NAME_APART } else { EDGE });
            html.leaf("text", &[("class", "end"), ("x", &length(end)), ("y", &y)], self.ends[1]);
            if is_apart {
                html.leaf("text", &[("class", "end"), ("x", &length(WIDTH - EDGE)), ("y", &y)], self.ends[2]);
            }
        });
    }

    /// The width of a bar.
    fn step(&self) -> f64 {
        let n_apart = self.rows.len() - self.n_ordered;
        let room = self.n_ordered as f64 + if n_apart > 0 { n_apart as f64 + GAP } else { 0.0 };
        (WIDTH - 2.0 * EDGE) / room.max(1.0)
    }

    /// The x position of a place.
    fn across(&self, place: f64) -> f64 {
        let gap = if place >= self.n_ordered as f64 { GAP } else { 0.0 };
        EDGE + (place + gap) * self.step()
    }

    fn bars(&self, shares: &[f64], highest: f64) -> String {
        let mut path = String::new();
        for (at, share) in shares.iter().enumerate().filter(|(_, share)| **share > 0.0 && highest > 0.0) {
            let (x, width, height) =
                (self.across(at as f64) + 0.5, (self.step() - 1.0).max(0.5), HIGHEST * share / highest);
            let (x, width, height) = (length(x), length(width), length(height));
            path += &format!("M{x} {BASE}v-{height}h{width}v{height}z");
        }
        path
    }

    fn tick_path(&self) -> String {
        let mut places: Vec<String> = self.ticks.iter().map(|place| length(self.across(*place))).collect();
        places.sort_unstable();
        places.dedup();
        places.iter().map(|x| format!("M{x} {}v{}", TICK.0, TICK.1)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn histogram<'a>(rows: &'a [f64], n_ordered: usize, ticks: &'a [f64]) -> Histogram<'a> {
        Histogram { title: "t", rows, weights: &[], others: &[], n_ordered, ticks, ends: ["0", "9", "missing"] }
    }

    #[test]
    fn bars_fill_the_width_and_the_highest_the_height() {
        let chart = histogram(&[0.25, 0.75], 2, &[]);
        assert_eq!(chart.bars(chart.rows, 0.75), "M4.5 84v-25.3h135v25.3zM140.5 84v-76h135v76z");
        assert_eq!(chart.across(2.0 - 1e-12).round(), WIDTH - EDGE);
    }

    #[test]
    fn another_selection_has_an_outline_of_its_own_on_the_same_scale() {
        let chart = Histogram { weights: &[0.0, 1.0], others: &[0.5, 0.0], ..histogram(&[0.25, 0.75], 2, &[]) };
        let mut html = Html::default();
        chart.write(&mut html);
        let (one, other) = (chart.bars(chart.weights, 1.0), chart.bars(chart.others, 1.0));
        let drawn = html.finish();
        assert!(drawn.contains(&format!("class=\"weight-bars\" d=\"{one}\"")), "{drawn}");
        assert!(drawn.contains(&format!("class=\"other-bars\" d=\"{other}\"")), "{drawn}");
    }

    #[test]
    fn the_end_of_the_axis_keeps_a_distance_from_the_name_of_missing_values() {
        let mut html = Html::default();
        histogram(&[0.05; 13], 12, &[]).write(&mut html);
        let drawn = html.finish();
        let place = |text: &str| {
            let before = drawn.split(&format!(">{text}</text>")).next().unwrap();
            before.rsplit(" x=\"").next().unwrap().split('"').next().unwrap().parse::<f64>().unwrap()
        };
        // Both end at their place; the name is up to 48 wide.
        assert!(place("missing") - place("9") >= 60.0, "{drawn}");
    }

    #[test]
    fn missing_values_stand_apart_and_equal_ticks_are_drawn_once() {
        let chart = histogram(&[0.5, 0.5, 0.0], 2, &[0.5, 2.5, 0.5]);
        assert!((chart.across(3.0) - (WIDTH - EDGE)).abs() < 1e-9);
        assert_eq!(chart.tick_path().matches('M').count(), 2);
        assert_eq!(chart.bars(&[0.0; 3], 0.0), "");
    }
}
