//! Curves with confidence bands where places are numbers, bars with intervals where they are names.

use super::tables::{StudyCell, StudyTable, write_table};
use crate::chart::{Across, Interval, LineChart, Series, power_text, write_intervals, write_legend};
use crate::html::Html;
use crate::numbers::short;
use crate::section::section;

/// A figure: some curves, or bars, over the same places.
///
/// # Examples
///
/// ```
/// use protodash_report::{StudyFigure, StudyPoint, StudySeries};
///
/// let point = StudyPoint { x: "10".to_owned(), mean: 0.9, interval: Some((0.8, 1.0)), n: 100 };
/// let series = vec![StudySeries { name: "ProtoDash".to_owned(), points: vec![point] }];
/// let figure = StudyFigure { caption: "Figure 3a: accuracy".to_owned(), series, ..StudyFigure::default() };
/// assert_eq!(figure.series[0].points[0].n, 100);
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StudyFigure {
    /// What it shows, with the paper's number for it.
    pub caption: String,
    /// What the places are.
    pub x: String,
    /// What is shown there.
    pub y: String,
    /// One curve, or one bar at each place, each.
    pub series: Vec<StudySeries>,
}

/// One curve of a figure.
///
/// # Examples
///
/// ```
/// assert!(protodash_report::StudySeries::default().points.is_empty());
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StudySeries {
    /// What it is of.
    pub name: String,
    /// In order of the places.
    pub points: Vec<StudyPoint>,
}

/// One point of a curve.
///
/// # Examples
///
/// ```
/// assert_eq!(protodash_report::StudyPoint::default().interval, None);
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StudyPoint {
    /// The place.
    pub x: String,
    /// The value, a mean over trials.
    pub mean: f64,
    /// Its confidence interval, if it is known.
    pub interval: Option<(f64, f64)>,
    /// How many trials.
    pub n: usize,
}

impl StudyFigure {
    /// Every place once, in the order in which they come up.
    fn places(&self) -> Vec<&str> {
        let mut places: Vec<&str> = Vec::new();
        for point in self.series.iter().flat_map(|series| &series.points) {
            if !places.contains(&point.x.as_str()) {
                places.push(&point.x);
            }
        }
        places
    }

    /// The places as numbers, if all of them are, and if there are enough for a curve.
    fn numbers(&self) -> Option<Vec<f64>> {
        let places: Option<Vec<f64>> = self.places().into_iter().map(|place| place.parse().ok()).collect();
        places.filter(|places| places.len() > 2 && places.iter().all(|place| place.is_finite()))
    }

    /// Whether values are so far apart that the small ones could not be told from 0.
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
        // Two digits of the half width count, and the mean has as many places; what is nearly exact has four.
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
    let y_name = if powers { format!("{}, on a scale of powers", figure.y) } else { figure.y.clone() };
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
        write_intervals(html, &bars, range, powers);
    }
    let scale = if powers { format!("{}, on a scale of powers of ten", figure.y) } else { figure.y.clone() };
    html.leaf("p", &[("class", "quiet bar-scale")], &scale);
}

/// The figure as a table, for those who want to read the values.
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
    fn values_far_apart_are_shown_on_a_scale_of_powers() {
        assert!(figure(&["a", "b"], &[0.01, 2.0]).needs_powers());
        assert!(!figure(&["a", "b"], &[0.0, 2.0]).needs_powers());
        assert!(!figure(&["a", "b"], &[0.5, 2.0]).needs_powers());
    }
}
