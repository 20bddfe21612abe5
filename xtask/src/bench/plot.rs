//! A plot of time against the number of rows, for us and other tools.

use std::fmt::Write;

use super::rows::normal;
use super::tools::Tools;
use crate::workspace::{StepError, say};

/// Powers of four, which Compress++ needs, up to a million.
const SIZES: [usize; 5] = [4096, 16_384, 65_536, 262_144, 1_048_576];
const N_PROTOTYPES: usize = 64;
/// Tools that keep a matrix of all pairs stop here.
const LARGEST_MATRIX: usize = 16_384;

/// The times of one tool.
pub(super) struct PlotLine {
    name: &'static str,
    /// Rows and seconds.
    points: Vec<(f64, f64)>,
}

/// Measures every tool once at every size that it can do.
pub(super) fn measure(tools: &Tools) -> Result<Vec<PlotLine>, StepError> {
    let options = format!("dtype=f32 prototypes={N_PROTOTYPES} repeats=1");
    let mut lines = Vec::new();
    for (name, work, largest) in [
        ("protodash", "select", usize::MAX),
        ("Compress++", "compress", usize::MAX),
        ("AIX360", "aix360", LARGEST_MATRIX),
        ("k-medoids", "kmedoids", LARGEST_MATRIX),
    ] {
        let mut line = PlotLine { name, points: Vec::new() };
        for size in SIZES.into_iter().filter(|size| *size <= largest) {
            let data = normal("1048576x50.f32", size, 50);
            let measured = match work {
                "select" => tools.ours("select", data, 2, &format!("{options} method=protodash"))?,
                // AIX360 works in f64.
                "aix360" => tools.peer(work, data, 2, &options.replace("f32", "f64"))?,
                _ => tools.peer(work, data, 2, &options)?,
            };
            say(&format!("{name}, {size} rows: {:.2} s", measured.wall()));
            line.points.push((size as f64, measured.wall()));
        }
        lines.push(line);
    }
    Ok(lines)
}

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 420.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 110.0;
const TOP: f64 = 20.0;
const BOTTOM: f64 = 50.0;
/// Colours that remain distinct for colour-blind readers, on light and dark pages.
const COLOURS: [&str; 4] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7"];

/// The plot, with both axes on a log scale.
pub(super) fn svg(lines: &[PlotLine]) -> String {
    let points = || lines.iter().flat_map(|line| &line.points);
    let range = |value: fn(&(f64, f64)) -> f64| {
        let logs = points().map(|point| value(point).log10());
        let (low, high) =
            logs.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), log| (low.min(log), high.max(log)));
        (low.floor(), high.ceil().max(low.floor() + 1.0))
    };
    let (x_range, y_range) = (range(|point| point.0), range(|point| point.1));
    let x = |rows: f64| LEFT + (rows.log10() - x_range.0) / (x_range.1 - x_range.0) * (WIDTH - LEFT - RIGHT);
    let y = |seconds: f64| {
        HEIGHT - BOTTOM - (seconds.log10() - y_range.0) / (y_range.1 - y_range.0) * (HEIGHT - TOP - BOTTOM)
    };
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" \
         font-size=\"13\" fill=\"#777\">\n<title>Time against the number of rows</title>\n"
    );
    let decades = |(low, high): (f64, f64)| (low as i32..=high as i32).map(|power| 10_f64.powi(power));
    for rows in decades(x_range) {
        let at = x(rows);
        let _ = writeln!(text, "<path d=\"M{at:.1} {TOP}V{}\" stroke=\"#ccc\"/>", HEIGHT - BOTTOM);
        let label = HEIGHT - BOTTOM + 18.0;
        let _ = writeln!(text, "<text x=\"{at:.1}\" y=\"{label}\" text-anchor=\"middle\">{}</text>", grouped(rows));
    }
    for seconds in decades(y_range) {
        let at = y(seconds);
        let _ = writeln!(text, "<path d=\"M{LEFT} {at:.1}H{}\" stroke=\"#ccc\"/>", WIDTH - RIGHT);
        let _ =
            writeln!(text, "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{seconds} s</text>", LEFT - 8.0, at + 4.0);
    }
    let middle = (LEFT + WIDTH - RIGHT) / 2.0;
    let _ = writeln!(text, "<text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">rows</text>", HEIGHT - 8.0);
    for (line, colour) in lines.iter().zip(COLOURS) {
        let places: Vec<String> =
            line.points.iter().map(|(rows, seconds)| format!("{:.1},{:.1}", x(*rows), y(*seconds))).collect();
        let _ = writeln!(
            text,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>",
            places.join(" ")
        );
        for (rows, seconds) in &line.points {
            let _ = writeln!(
                text,
                "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3.5\" fill=\"{colour}\"/>",
                x(*rows),
                y(*seconds)
            );
        }
        if let Some((rows, seconds)) = line.points.last() {
            let (at, height) = (x(*rows) + 8.0, y(*seconds) + 4.0);
            let _ = writeln!(text, "<text x=\"{at:.1}\" y=\"{height:.1}\" fill=\"{colour}\">{}</text>", line.name);
        }
    }
    text + "</svg>\n"
}

/// A whole number with commas between thousands.
fn grouped(number: f64) -> String {
    let digits = format!("{number:.0}");
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_point_is_inside_the_plot_and_every_tool_is_named() {
        let line = |name, points: &[(f64, f64)]| PlotLine { name, points: points.to_vec() };
        let lines = [line("one", &[(4096.0, 0.02), (1e6, 30.0)]), line("other", &[(4096.0, 3.0)])];
        let drawn = svg(&lines);
        assert!(drawn.contains(">one</text>") && drawn.contains(">other</text>") && drawn.ends_with("</svg>\n"));
        let numbers = |key: &str| {
            let opening = format!("{key}=\"");
            let values = drawn.split(&opening).skip(1).filter_map(|rest| rest.split('"').next()?.parse().ok());
            values.collect::<Vec<f64>>()
        };
        assert_eq!(numbers("cx").len(), 3);
        assert!(numbers("cx").iter().all(|at| (LEFT..=WIDTH - RIGHT).contains(at)));
        assert!(numbers("cy").iter().all(|at| (TOP..=HEIGHT - BOTTOM).contains(at)));
    }

    #[test]
    fn thousands_are_grouped() {
        assert_eq!([1.0, 1000.0, 1e6, 10.0].map(grouped), ["1", "1,000", "1,000,000", "10"]);
    }
}
