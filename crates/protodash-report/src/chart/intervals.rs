//! Bars with confidence intervals, or marks on a log scale.

use super::ticks::decade_ticks;
use crate::html::Html;
use crate::numbers::{length, short};

/// The width of a bar in its own units; the page stretches it.
const WIDTH: f64 = 200.0;

/// One bar.
pub(crate) struct Interval {
    pub(crate) name: String,
    pub(crate) value: f64,
    /// Its confidence interval, if known.
    pub(crate) ends: Option<(f64, f64)>,
    /// The value as text.
    pub(crate) text: String,
    /// Its colour.
    pub(crate) look: usize,
}

/// The scale of the values.
struct IntervalScale {
    low: f64,
    high: f64,
    powers: bool,
}

impl IntervalScale {
    /// A scale that includes 0, or starts at a power of ten, and ends just beyond the largest value.
    fn new((least, most): (f64, f64), powers: bool) -> IntervalScale {
        if powers {
            let (low, high) = (least.log10().floor(), most.log10() + 0.02 * (most / least).log10());
            return IntervalScale { low, high: high.max(low + 1.0), powers };
        }
        let (low, high) = (least.min(0.0), most.max(0.0));
        let room = if high > low { 0.02 * (high - low) } else { 1.0 };
        IntervalScale { low: if low < 0.0 { low - room } else { low }, high: high + room, powers }
    }

    /// The powers of ten, at least two.
    fn decades(&self) -> Vec<f64> {
        decade_ticks(self.low, self.high).into_iter().filter(|tick| tick.fract() == 0.0).collect()
    }

    fn across(&self, value: f64) -> f64 {
        // An interval may extend below 0, which is left of every power of ten.
        let value = if self.powers { value.max(0.0).log10() } else { value };
        WIDTH * ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0)
    }
}

/// Writes bars with the name under which they are saved; on a log scale all values must be above 0.
pub(crate) fn write_intervals(html: &mut Html, title: &str, bars: &[Interval], (range, powers): ((f64, f64), bool)) {
    let scale = IntervalScale::new(range, powers);
    let ticks = if powers { scale.decades() } else { Vec::new() };
    html.element("ul", &[("class", "bars intervals"), ("aria-label", title)], |html| {
        for bar in bars {
            html.element("li", &[], |html| {
                html.leaf("span", &[("class", "bar-name")], &bar.name);
                write_bar(html, bar, &scale, &ticks);
                html.leaf("span", &[("class", "bar-text")], &bar.text);
            });
        }
    });
    if powers {
        write_axis(html, &scale, &ticks);
    }
}

fn write_bar(html: &mut Html, bar: &Interval, scale: &IntervalScale, ticks: &[f64]) {
    let class = format!("interval s{}", bar.look % super::N_LOOKS);
    let view = format!("0 0 {WIDTH} 16");
    let frame =
        [("class", class.as_str()), ("viewBox", &view), ("preserveAspectRatio", "none"), ("aria-hidden", "true")];
    html.element("svg", &frame, |html| {
        let place = scale.across(bar.value);
        if scale.powers {
            // A log scale has no 0 and so no bar length: the value is a mark.
            ticks.iter().for_each(|tick| upright(html, "grid", scale.across(10.0_f64.powf(*tick)), (0.0, 16.0)));
            upright(html, "level", place, (2.0, 14.0));
        } else {
            html.leaf("rect", &[("class", "empty"), ("y", "2"), ("width", &length(WIDTH)), ("height", "12")], "");
            let nothing = scale.across(0.0);
            let (x, width) = (length(place.min(nothing)), length((place - nothing).abs()));
            html.leaf("rect", &[("class", "full"), ("x", &x), ("y", "2"), ("width", &width), ("height", "12")], "");
        }
        if let Some((low, high)) = bar.ends {
            let (low, high) = (scale.across(low), scale.across(high));
            let (x1, x2) = (length(low), length(high));
            html.leaf("line", &[("class", "whisker"), ("x1", &x1), ("x2", &x2), ("y1", "8"), ("y2", "8")], "");
            upright(html, "whisker", low, (5.0, 11.0));
            upright(html, "whisker", high, (5.0, 11.0));
        }
    });
}

fn upright(html: &mut Html, class: &'static str, x: f64, (top, bottom): (f64, f64)) {
    let (x, top, bottom) = (length(x), length(top), length(bottom));
    html.leaf("line", &[("class", class), ("x1", &x), ("x2", &x), ("y1", &top), ("y2", &bottom)], "");
}

/// Writes the powers of ten below the marks.
fn write_axis(html: &mut Html, scale: &IntervalScale, ticks: &[f64]) {
    html.element("div", &[("class", "interval-axis"), ("aria-hidden", "true")], |html| {
        let view = format!("0 0 {WIDTH} 16");
        html.element("svg", &[("class", "chart"), ("viewBox", &view)], |html| {
            for tick in ticks {
                let value = 10.0_f64.powf(*tick);
                let x = length(scale.across(value));
                html.leaf("text", &[("class", "tick middle"), ("x", &x), ("y", "12")], &short(value));
            }
        });
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_start_at_zero() {
        let scale = IntervalScale::new((0.5, 2.0), false);
        assert_eq!(scale.across(0.0), 0.0);
        assert!((scale.across(1.02) - WIDTH / 2.0).abs() < 1e-9);
        assert_eq!(scale.across(-1.0), 0.0);
        let below = IntervalScale::new((-1.0, 1.0), false);
        assert!((below.across(0.0) - WIDTH / 2.0).abs() < 1e-9 && below.across(-1.0) > 0.0);
    }

    #[test]
    fn log_scales_start_at_a_power_of_ten() {
        let scale = IntervalScale::new((0.02, 7.0), true);
        assert_eq!([0.01, 0.0, -3.0].map(|value| scale.across(value)), [0.0; 3]);
        assert!(scale.across(7.0) > 0.95 * WIDTH && scale.across(7.0) < WIDTH);
        assert_eq!(scale.decades(), [-2.0, -1.0, 0.0]);
        assert_eq!(IntervalScale::new((2.0, 7.0), true).decades(), [0.0, 1.0]);
    }

    #[test]
    fn an_empty_chart_has_a_scale() {
        assert!(IntervalScale::new((f64::INFINITY, 0.0), false).across(0.0).is_finite());
    }
}
