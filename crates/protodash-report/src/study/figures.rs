//! Figures: curves with confidence bands over numbers, bars with intervals over names.

use super::tables::{StudyCell, StudyTable, write_table};
use crate::chart::{Across, Interval, LineChart, Series, power_text, write_intervals, write_legend};
use crate::html::Html;
use crate::numbers::short;
use crate::section::section;

/// A figure with several series over the same x values.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StudyFigure {
    /// The caption, with the paper's figure number.
    pub caption: String,
    /// The name of the x axis.
    pub x: String,
    /// The name of the y axis.
    pub y: String,
    /// The series.
    pub series: Vec<StudySeries>,
}

/// A series of a figure.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StudySeries {
    /// Its name.
    pub name: String,
    /// Its points, in order of x.
    pub points: Vec<StudyPoint>,
}

/// A point of a series.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StudyPoint {
    /// The x value.
    pub x: String,
    /// The value, a mean over trials.
    pub mean: f64,
    /// Its confidence interval, if known.
    pub interval: Option<(f64, f64)>,
    /// Number of trials.
    pub n: usize,
}

impl StudyFigure {
    /// Distinct x values, in order of appearance.
    fn places(&self) -> Vec<&str> {
        let mut places: Vec<&str> = Vec::new();
        for point in self.series.iter().flat_map(|series| &series.points) {
            if !places.contains(&point.x.as_str()) {
                places.push(&point.x);
            }
        }
        places
    }

    /// The x values as numbers, if all are numbers and there are enough for a curve.
    fn numbers(&self) -> Option<Vec<f64>> {
        let places: Option<Vec<f64>> = self.places().into_iter().map(|place| place.parse().ok()).collect();
        places.filter(|places| places.len() > 2 && places.iter().all(|place| place.is_finite()))
    }

    /// Whether the values need a log scale: on a linear one the small ones would look like 0.
    fn needs_powers(&self) -> bool {
        let values = || self.series.iter().flat_map(|series| &series.points).map(|point| point.mean);
        let (least, most) = (values().fold(f64::INFINITY, f64::min), values().fold(0.0, f64::max));
        least > 0.0 && most > 50.0 * least
    }
}

impl StudyPoint {
    fn at(&self) -> f64 {
        self.x.parse().unwrap_or(f64::NAN)
    }

    fn text(&self) -> String {
        let Some((low, high)) = self.interval else { return short(self.mean) };
        let half = 0.5 * (high - low);
        // Two significant digits of the half width, and as many decimals for the mean; nearly exact values get four.
        let places = if half > 1e-6 { (1 - half.log10().floor() as i32).clamp(0, 6) as usize } else { 4 };
        format!("{:.places$} ±\u{a0}{half:.places$}", self.mean)
    }
}

/// Writes each figure with its numbers below it.
pub(super) fn write(html: &mut Html, figures: &[StudyFigure]) {
    if figures.is_empty() {
        return;
    }
    section(html, "figures", "Figures", |html| {
        html.element("div", &[("class", "charts study-figures")], |html| {
            for (at, figure) in figures.iter().enumerate() {
                html.element("figure", &[], |html| {
                    html.leaf("figcaption", &[], &figure.caption);
                    match figure.numbers() {
                        Some(_) => write_curves(html, figure, at),
                        None => write_bars(html, figure),
                    }
                    write_numbers(html, figure);
                });
                html.line();
            }
        });
    });
}

fn write_curves(html: &mut Html, figure: &StudyFigure, at: usize) {
    write_legend(html, figure.series.iter().map(|series| series.name.as_str()));
    let powers = figure.needs_powers();
    let scaled = |value: f64| if powers { value.log10() } else { value };
    let series = figure.series.iter().enumerate().map(|(look, series)| Series {
        name: format!("{}, {} ", series.name, figure.x),
        points: series.points.iter().map(|point| (point.at(), scaled(point.mean))).collect(),
        band: series
            .points
            .iter()
            .filter_map(|point| Some((point.at(), scaled(point.interval?.0), scaled(point.interval?.1))))
            .collect(),
        look,
    });
    let whole = figure.numbers().is_some_and(|places| places.iter().all(|place| place.fract() == 0.0));
    let y_name = if powers { format!("{} (log scale)", figure.y) } else { figure.y.clone() };
    let chart = LineChart {
        title: &figure.caption,
        id: &format!("figure-{at}"),
        x_name: &figure.x,
        y_name: &y_name,
        series: series.collect(),
        y_text: if powers { power_text } else { short },
        across: if whole { Across::Whole } else { Across::Numbers },
        powers,
    };
    chart.write(html, |_, _| {});
}

fn write_bars(html: &mut Html, figure: &StudyFigure) {
    let (places, powers) = (figure.places(), figure.needs_powers());
    let points = || figure.series.iter().flat_map(|series| &series.points);
    let ends = points().flat_map(|point| point.interval.map_or([point.mean; 2], |(low, high)| [low, high]));
    let shown = ends.filter(|end| !powers || *end > 0.0);
    let range = shown.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), end| (low.min(end), high.max(end)));
    for place in &places {
        if places.len() > 1 {
            html.leaf("h3", &[("class", "bar-place")], &format!("{}: {place}", figure.x));
        }
        let bar = |(look, series): (usize, &StudySeries)| {
            let point = series.points.iter().find(|point| point.x == *place)?;
            let (name, text) = (series.name.clone(), point.text());
            Some(Interval { name, value: point.mean, ends: point.interval, text, look })
        };
        let bars: Vec<Interval> = figure.series.iter().enumerate().filter_map(bar).collect();
        let title = if places.len() > 1 {
            format!("{}, {}: {place}", figure.caption, figure.x)
        } else {
            figure.caption.clone()
        };
        write_intervals(html, &title, &bars, (range, powers));
    }
    let scale = if powers { format!("{} (log scale)", figure.y) } else { figure.y.clone() };
    html.leaf("p", &[("class", "quiet bar-scale")], &scale);
}

/// Writes the figure as a table.
fn write_numbers(html: &mut Html, figure: &StudyFigure) {
    let places = figure.places();
    let line = |series: &StudySeries| {
        let cell = |place: &&str| {
            let point = series.points.iter().find(|point| point.x == **place);
            point.map_or_else(StudyCell::default, |point| StudyCell::number(point.mean, point.text()))
        };
        [StudyCell::text(series.name.clone())].into_iter().chain(places.iter().map(cell)).collect()
    };
    let name = if places.len() > 1 { format!("{} by {}", figure.y, figure.x) } else { figure.y.clone() };
    let table = StudyTable {
        title: format!("Numbers of {}", figure.caption),
        columns: [name].into_iter().chain(places.iter().map(|place| (*place).to_owned())).collect(),
        rows: figure.series.iter().map(line).collect(),
        ..StudyTable::default()
    };
    html.element("details", &[("class", "numbers")], |html| {
        html.leaf("summary", &[], "The numbers");
        write_table(html, &table);
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(places: &[&str], means: &[f64]) -> StudyFigure {
        let point = |(x, mean): (&&str, &f64)| StudyPoint { x: (*x).to_owned(), mean: *mean, ..StudyPoint::default() };
        let points = places.iter().zip(means).map(point).collect();
        let series = vec![StudySeries { name: "one".to_owned(), points }];
        StudyFigure { series, ..StudyFigure::default() }
    }

    #[test]
    fn numbers_make_curves_and_names_make_bars() {
        assert_eq!(figure(&["10", "30", "50"], &[1.0; 3]).numbers(), Some(vec![10.0, 30.0, 50.0]));
        assert_eq!(figure(&["10", "30"], &[1.0; 2]).numbers(), None);
        assert_eq!(figure(&["adults", "30", "50"], &[1.0; 3]).numbers(), None);
    }

    #[test]
    fn a_mean_has_as_many_places_as_its_interval() {
        let text = |mean: f64, half: f64| {
            let interval = Some((mean - half, mean + half));
            StudyPoint { mean, interval, ..StudyPoint::default() }.text().replace('\u{a0}', " ")
        };
        assert_eq!(text(0.123_456, 0.0042), "0.1235 ± 0.0042");
        assert_eq!(text(123.4, 25.0), "123 ± 25");
        assert_eq!(text(0.1, 1e-16), "0.1000 ± 0.0000");
        assert_eq!(StudyPoint { mean: 0.5, ..StudyPoint::default() }.text(), "0.5");
    }

    #[test]
    fn values_far_apart_are_shown_on_a_log_scale() {
        assert!(figure(&["a", "b"], &[0.01, 2.0]).needs_powers());
        assert!(!figure(&["a", "b"], &[0.0, 2.0]).needs_powers());
        assert!(!figure(&["a", "b"], &[0.5, 2.0]).needs_powers());
    }
}
