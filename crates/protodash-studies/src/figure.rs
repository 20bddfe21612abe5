//! Figures of a study as numbers, CSV and Markdown.

use serde::{Deserialize, Serialize};

use crate::interval::Estimate;
use crate::table::csv_line;

/// A figure: curves or bars over the same x axis.
///
/// # Examples
///
/// ```
/// use protodash_studies::{Estimate, Figure, Point, FigureCurve};
///
/// let point = Point { x: "10".into(), estimate: Estimate::of(&[0.5, 0.7]).unwrap() };
/// let figure = Figure {
///     name: "3a".into(),
///     title: "Accuracy".into(),
///     x: "prototypes".into(),
///     y: "accuracy".into(),
///     series: vec![FigureCurve { name: "ProtoDash".into(), points: vec![point] }],
/// };
/// assert!(figure.csv().starts_with("series,prototypes,accuracy,low,high,n_trials\nProtoDash,10,0.6,"));
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Figure {
    /// The paper's figure number, also used in the file name.
    pub name: String,
    /// The title.
    pub title: String,
    /// Label of the x axis.
    pub x: String,
    /// Label of the y axis.
    pub y: String,
    /// The curves.
    pub series: Vec<FigureCurve>,
}

/// One curve of a figure.
///
/// # Examples
///
/// ```
/// let series = protodash_studies::FigureCurve { name: "L2C".into(), points: Vec::new() };
/// assert!(series.points.is_empty());
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FigureCurve {
    /// The name in the legend.
    pub name: String,
    /// The points, in order of x.
    pub points: Vec<Point>,
}

/// One point of a curve.
///
/// # Examples
///
/// ```
/// use protodash_studies::{Estimate, Point};
///
/// assert_eq!(Point { x: "1".into(), estimate: Estimate::of(&[3.0]).unwrap() }.estimate.mean, 3.0);
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// Position on the x axis.
    pub x: String,
    /// The value with its interval.
    pub estimate: Estimate,
}

impl Figure {
    /// The caption: the paper's figure number, if it has one, and the title.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash_studies::Figure;
    ///
    /// let text = String::new;
    /// let figure = Figure { name: "4b".into(), title: "time".into(), x: text(), y: text(), series: Vec::new() };
    /// assert_eq!(figure.caption(), "Figure 4b: time");
    /// assert_eq!(Figure { name: "4b_log".into(), ..figure }.caption(), "Figure 4b, log: time");
    /// ```
    pub fn caption(&self) -> String {
        let kind = if self.name.starts_with(|char: char| char.is_ascii_digit()) { "Figure " } else { "" };
        format!("{kind}{}: {}", self.name.replace('_', ", "), self.title)
    }

    /// The figure as CSV, one line per point.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash_studies::Figure;
    ///
    /// let empty = Figure { name: "1".into(), title: "".into(), x: "m".into(), y: "time".into(), series: Vec::new() };
    /// assert_eq!(empty.csv(), "series,m,time,low,high,n_trials\n");
    /// ```
    pub fn csv(&self) -> String {
        let mut lines = csv_line(&["series", &self.x, &self.y, "low", "high", "n_trials"]);
        for series in &self.series {
            for Point { x, estimate } in &series.points {
                let end = |value: f64| estimate.half_width.map_or(String::new(), |_| value.to_string());
                let (low, high) = (end(estimate.low()), end(estimate.high()));
                let (mean, n_trials) = (estimate.mean.to_string(), estimate.n.to_string());
                lines += &csv_line(&[&series.name, x, &mean, &low, &high, &n_trials]);
            }
        }
        lines
    }

    /// The figure as a Markdown table: a row per curve, a column per x.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash_studies::{Estimate, Figure, Point, FigureCurve};
    ///
    /// let points = vec![Point { x: "10".into(), estimate: Estimate::of(&[0.25]).unwrap() }];
    /// let series = vec![FigureCurve { name: "L2C".into(), points }];
    /// let figure = Figure { name: "4a".into(), title: "".into(), x: "skew".into(), y: "accuracy".into(), series };
    /// assert_eq!(figure.markdown(), "| accuracy by skew | 10 |\n| --- | ---: |\n| L2C | 0.2500 |\n");
    /// ```
    pub fn markdown(&self) -> String {
        let mut places: Vec<&str> = Vec::new();
        for point in self.series.iter().flat_map(|series| &series.points) {
            if !places.contains(&point.x.as_str()) {
                places.push(&point.x);
            }
        }
        let mut table = format!("| {} by {} | {} |\n", self.y, self.x, places.join(" | "));
        table += &format!("| --- |{}\n", " ---: |".repeat(places.len()));
        for series in &self.series {
            let cell = |place: &&str| {
                let found = series.points.iter().find(|point| point.x == **place);
                found.map_or_else(|| "–".to_owned(), |point| shown(&point.estimate))
            };
            let cells: Vec<String> = places.iter().map(cell).collect();
            table += &format!("| {} | {} |\n", series.name, cells.join(" | "));
        }
        table
    }
}

/// The mean ± the half width of its interval, to about four significant digits.
pub(crate) fn shown(estimate: &Estimate) -> String {
    let decimals = match estimate.mean.abs() {
        large if large >= 100.0 => 1,
        middle if middle >= 1.0 => 3,
        small if small >= 0.1 || small == 0.0 => 4,
        _ => 5,
    };
    match estimate.half_width {
        Some(half) => format!("{:.decimals$} ± {half:.decimals$}", estimate.mean),
        None => format!("{:.decimals$}", estimate.mean),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_commas_quotes_and_line_breaks_are_one_field_each() {
        let point = Point { x: "all,\nor \"most\"".into(), estimate: Estimate::of(&[0.5]).unwrap() };
        let series = vec![FigureCurve { name: "kernel mean, shared".into(), points: vec![point] }];
        let figure = Figure { name: "1b".into(), title: "".into(), x: "m".into(), y: "time, in s".into(), series };
        let expected = "series,m,\"time, in s\",low,high,n_trials\n\
                        \"kernel mean, shared\",\"all,\nor \"\"most\"\"\",0.5,,,1\n";
        assert_eq!(figure.csv(), expected);
    }
}
