//! Quality and time of the methods by number of prototypes.

use super::ComparisonPage;
use crate::chart::{Across, Bar, LineChart, Series, power_text, write_bars, write_legend};
use crate::document::OutcomeRecord;
use crate::html::Html;
use crate::numbers::{percent, seconds, short};
use crate::section::section;

/// A measure of quality.
struct Measure {
    id: &'static str,
    name: &'static str,
    remark: &'static str,
    value: fn(&OutcomeRecord) -> Option<f64>,
    text: fn(f64) -> String,
}

const MEASURES: [Measure; 3] = [
    Measure {
        id: "objective",
        name: "objective",
        remark: "higher is better",
        value: |outcome| Some(outcome.objective),
        text: short,
    },
    Measure { id: "mmd2", name: "MMD²", remark: "lower is better", value: |outcome| outcome.mmd2, text: short },
    Measure {
        id: "accuracy",
        name: "1-NN accuracy",
        remark: "higher is better",
        value: |outcome| outcome.accuracy,
        text: percent,
    },
];

/// Writes a chart for each known measure.
pub(super) fn write_quality(html: &mut Html, page: &ComparisonPage) {
    let several = page.sizes().len() > 1;
    section(html, "quality", "Quality", |html| {
        if several {
            write_legend(html, page.methods().into_iter());
        }
        html.element("div", &[("class", "charts")], |html| {
            let known =
                |measure: &&Measure| page.document.results.iter().any(|outcome| (measure.value)(outcome).is_some());
            for measure in MEASURES.iter().filter(known) {
                html.element("figure", &[], |html| {
                    let caption = format!("{} ({})", measure.name, measure.remark);
                    html.leaf("figcaption", &[], &caption);
                    if several { write_curve(html, page, measure) } else { write_values(html, page, measure) }
                });
            }
        });
    });
}

fn write_curve(html: &mut Html, page: &ComparisonPage, measure: &Measure) {
    let powers = needs_powers(page, measure);
    let scaled = |value: f64| if powers { value.log10() } else { value };
    let series = page.methods().into_iter().enumerate().map(|(look, method)| {
        let own = page.document.results.iter().filter(|outcome| outcome.method == method);
        let mut points: Vec<(f64, f64)> =
            own.filter_map(|outcome| Some((outcome.n_prototypes as f64, scaled((measure.value)(outcome)?)))).collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        Series { name: format!("{method}, prototypes: "), points, band: Vec::new(), look }
    });
    let title = format!("{} of each method by number of prototypes", measure.name);
    let chart = LineChart {
        title: &title,
        id: measure.id,
        x_name: "number of prototypes",
        y_name: if powers { "log scale" } else { "" },
        series: series.collect(),
        y_text: if powers { power_text } else { measure.text },
        across: Across::Whole,
        powers,
    };
    chart.write(html, |_, _| {});
}

/// Whether the values need a log scale: on a linear one the small ones would look like 0.
fn needs_powers(page: &ComparisonPage, measure: &Measure) -> bool {
    let values = || page.document.results.iter().filter_map(measure.value);
    let (least, most) = (values().fold(f64::INFINITY, f64::min), values().fold(0.0, f64::max));
    least > 0.0 && most > 20.0 * least
}

/// Draws bars instead of a curve when there is only one number of prototypes.
fn write_values(html: &mut Html, page: &ComparisonPage, measure: &Measure) {
    let bars = page.sizes().first().map_or_else(Vec::new, |size| page.at(*size));
    let bar = |(look, outcome): (usize, &OutcomeRecord)| {
        let value = (measure.value)(outcome)?;
        Some(Bar { name: outcome.method.clone(), value, text: (measure.text)(value), look })
    };
    write_bars(
        html,
        &format!("{} of each method", measure.name),
        &bars.into_iter().filter_map(bar).collect::<Vec<_>>(),
    );
}

/// Writes a bar chart of times for each number of prototypes.
pub(super) fn write_time(html: &mut Html, page: &ComparisonPage) {
    section(html, "time", "Time", |html| {
        html.element("div", &[("class", "charts")], |html| {
            for size in page.sizes() {
                html.element("figure", &[], |html| {
                    html.leaf("figcaption", &[], &super::prototypes(size));
                    let bar = |(look, outcome): (usize, &OutcomeRecord)| Bar {
                        name: outcome.method.clone(),
                        value: outcome.seconds,
                        text: seconds(outcome.seconds),
                        look,
                    };
                    let title = format!("Time of each method, {}", super::prototypes(size));
                    write_bars(html, &title, &page.at(size).into_iter().map(bar).collect::<Vec<_>>());
                });
            }
        });
    });
}
