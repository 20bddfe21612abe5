//! The stylesheets and scripts of the pages.

use crate::report::Body;

/// Colours of the light theme, and what the dark theme changes.
const LIGHT: &str = include_str!("../assets/css/theme.css");
const DARK: &str = include_str!("../assets/css/dark.css");

/// The style of every page.
const STYLES: [&str; 15] = [
    include_str!("../assets/css/page.css"),
    include_str!("../assets/css/layout.css"),
    include_str!("../assets/css/controls.css"),
    include_str!("../assets/css/charts.css"),
    include_str!("../assets/css/distributions.css"),
    include_str!("../assets/css/similarity.css"),
    include_str!("../assets/css/rows.css"),
    include_str!("../assets/css/tables.css"),
    include_str!("../assets/css/comparison.css"),
    include_str!("../assets/css/relation.css"),
    include_str!("../assets/css/explanation.css"),
    include_str!("../assets/css/side_by_side.css"),
    include_str!("../assets/css/study.css"),
    include_str!("../assets/css/export.css"),
    include_str!("../assets/css/print.css"),
];

/// Sets the theme before anything is drawn.
pub(crate) const THEME_SCRIPT: &str = include_str!("../assets/js/stored_theme.js");

/// The script of every page.
const SHARED_SCRIPTS: [&str; 8] = [
    include_str!("../assets/js/document.js"),
    include_str!("../assets/js/numbers.js"),
    include_str!("../assets/js/theme.js"),
    include_str!("../assets/js/download.js"),
    include_str!("../assets/js/tooltip.js"),
    include_str!("../assets/js/sort.js"),
    include_str!("../assets/js/paper.js"),
    include_str!("../assets/js/export.js"),
];

/// The script of a selection.
const SELECTION_SCRIPTS: [&str; 16] = [
    include_str!("../assets/js/seen.js"),
    include_str!("../assets/js/pick.js"),
    include_str!("../assets/js/cells.js"),
    include_str!("../assets/js/examples.js"),
    include_str!("../assets/js/cards.js"),
    include_str!("../assets/js/nearest.js"),
    include_str!("../assets/js/bars.js"),
    include_str!("../assets/js/distributions.js"),
    include_str!("../assets/js/criticisms.js"),
    include_str!("../assets/js/coverage.js"),
    include_str!("../assets/js/zoom.js"),
    include_str!("../assets/js/map.js"),
    include_str!("../assets/js/similarity.js"),
    include_str!("../assets/js/size.js"),
    include_str!("../assets/js/selection.js"),
    include_str!("../assets/js/row_export.js"),
];

/// The script of a comparison.
const COMPARISON_SCRIPTS: [&str; 1] = [include_str!("../assets/js/comparison.js")];

/// The script of a relation.
const RELATION_SCRIPTS: [&str; 2] = [include_str!("../assets/js/graph.js"), include_str!("../assets/js/relation.js")];

/// The script of explanations.
const EXPLANATION_SCRIPTS: [&str; 2] =
    [include_str!("../assets/js/explanation.js"), include_str!("../assets/js/row_export.js")];

/// The script of two selections side by side.
const SIDE_BY_SIDE_SCRIPTS: [&str; 2] =
    [include_str!("../assets/js/cells.js"), include_str!("../assets/js/side_by_side.js")];

/// The script of a study.
const STUDY_SCRIPTS: [&str; 2] = [include_str!("../assets/js/graph.js"), include_str!("../assets/js/study.js")];

/// The stylesheet of every page: dark if the reader chose it, or if the system is dark and the reader chose nothing.
///
/// Print is always light.
pub(crate) fn stylesheet() -> String {
    let chosen = format!("@media screen {{\n:root[data-theme=\"dark\"] {{\n{DARK}}}\n}}\n");
    let of_system = format!(
        "@media screen and (prefers-color-scheme: dark) {{\n:root:not([data-theme=\"light\"]) {{\n{DARK}}}\n}}\n"
    );
    [LIGHT, &chosen, &of_system, &STYLES.concat()].concat()
}

/// The script of a page, in its own scope.
pub(crate) fn script(body: &Body) -> String {
    let own: &[&str] = match body {
        Body::Selection(_) => &SELECTION_SCRIPTS,
        Body::Comparison(_) => &COMPARISON_SCRIPTS,
        Body::Relation(_) => &RELATION_SCRIPTS,
        Body::Explanation(_) => &EXPLANATION_SCRIPTS,
        Body::SideBySide(_) => &SIDE_BY_SIDE_SCRIPTS,
        Body::Study(_) => &STUDY_SCRIPTS,
    };
    format!("(() => {{\n\"use strict\";\n{}{}}})();\n", SHARED_SCRIPTS.concat(), own.concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The value of a variable in a stylesheet, as red, green and blue from 0 to 1.
    fn colour(css: &str, name: &str) -> [f64; 3] {
        let text = css.split(&format!("--{name}: #")).nth(1).and_then(|rest| rest.get(..6)).expect(name);
        [0, 2, 4].map(|at| f64::from(u8::from_str_radix(&text[at..at + 2], 16).unwrap()) / 255.0)
    }

    fn linear(colour: [f64; 3]) -> [f64; 3] {
        colour.map(|part| if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) })
    }

    /// The luminance of WCAG 2.
    fn luminance(colour: [f64; 3]) -> f64 {
        let [red, green, blue] = linear(colour);
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    }

    fn contrast(one: [f64; 3], other: [f64; 3]) -> f64 {
        let (one, other) = (luminance(one) + 0.05, luminance(other) + 0.05);
        one.max(other) / one.min(other)
    }

    /// CIELAB under D65.
    fn lab(colour: [f64; 3]) -> [f64; 3] {
        let [red, green, blue] = linear(colour);
        let [x, y, z] = [
            (0.412_456_4 * red + 0.357_576_1 * green + 0.180_437_5 * blue) / 0.950_47,
            0.212_672_9 * red + 0.715_152_2 * green + 0.072_175 * blue,
            (0.019_333_9 * red + 0.119_192 * green + 0.950_304_1 * blue) / 1.088_83,
        ]
        .map(|part| if part > 216.0 / 24389.0 { part.cbrt() } else { (24389.0 / 27.0 * part + 16.0) / 116.0 });
        [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
    }

    /// CIEDE2000 of two colours in CIELAB.
    fn difference(one: [f64; 3], other: [f64; 3]) -> f64 {
        let chroma = |colour: [f64; 3]| colour[1].hypot(colour[2]);
        let share = |chroma: f64| (chroma.powi(7) / (chroma.powi(7) + 25_f64.powi(7))).sqrt();
        let stretch = 1.5 - 0.5 * share((chroma(one) + chroma(other)) / 2.0);
        let [(l1, c1, h1), (l2, c2, h2)] = [one, other].map(|[l, a, b]| {
            let a = a * stretch;
            (l, a.hypot(b), b.atan2(a).to_degrees().rem_euclid(360.0))
        });
        let turn = (h2 - h1 + 180.0).rem_euclid(360.0) - 180.0;
        let (dl, dc, dh) = (l2 - l1, c2 - c1, 2.0 * (c1 * c2).sqrt() * (turn / 2.0).to_radians().sin());
        let (l, c, h) = ((l1 + l2) / 2.0, (c1 + c2) / 2.0, (h1 + turn / 2.0).rem_euclid(360.0));
        let wave = |times: f64, shift: f64| (times * h + shift).to_radians().cos();
        let t = 1.0 - 0.17 * wave(1.0, -30.0) + 0.24 * wave(2.0, 0.0) + 0.32 * wave(3.0, 6.0) - 0.2 * wave(4.0, -63.0);
        let sl = 1.0 + 0.015 * (l - 50.0).powi(2) / (20.0 + (l - 50.0).powi(2)).sqrt();
        let (sc, sh) = (1.0 + 0.045 * c, 1.0 + 0.015 * c * t);
        let turned = 30.0 * (-((h - 275.0) / 25.0).powi(2)).exp();
        let rotation = -(2.0 * turned).to_radians().sin() * 2.0 * share(c);
        ((dl / sl).powi(2) + (dc / sc).powi(2) + (dh / sh).powi(2) + rotation * dc / sc * dh / sh).sqrt()
    }

    #[test]
    fn the_difference_of_colours_is_that_of_the_published_test_data() {
        // Pairs 1, 7 and 17 of Sharma, Wu and Dalal (2005).
        let pairs = [
            ([50.0, 2.6772, -79.7751], [50.0, 0.0, -82.7485], 2.0425),
            ([50.0, 0.0, 0.0], [50.0, -1.0, 2.0], 2.3669),
            ([50.0, 2.5, 0.0], [73.0, 25.0, -18.0], 27.1492),
        ];
        for (one, other, expected) in pairs {
            assert!((difference(one, other) - expected).abs() < 1e-4, "{}", difference(one, other));
        }
    }

    #[test]
    fn colours_of_classes_differ_from_each_other_and_from_the_ground_in_both_themes() {
        let themes = [include_str!("../assets/css/theme.css"), include_str!("../assets/css/dark.css")];
        for css in themes {
            let colours: Vec<[f64; 3]> = (0..10).map(|at| colour(css, &format!("s{at}"))).collect();
            for (at, one) in colours.iter().enumerate() {
                for (before, other) in colours[..at].iter().enumerate() {
                    let found = difference(lab(*one), lab(*other));
                    assert!(found >= 25.0, "s{before} and s{at} differ by {found}");
                }
                for name in ["warm", "picked", "text"] {
                    let found = difference(lab(*one), lab(colour(css, name)));
                    assert!(found >= 18.0, "s{at} and {name} differ by {found}");
                }
                for ground in ["ground", "panel"] {
                    assert!(contrast(*one, colour(css, ground)) >= 3.0, "s{at} on {ground}");
                }
            }
        }
    }

    #[test]
    fn no_asset_can_end_its_block_or_make_a_request() {
        let own = [
            &SELECTION_SCRIPTS[..],
            &COMPARISON_SCRIPTS,
            &RELATION_SCRIPTS,
            &EXPLANATION_SCRIPTS,
            &SIDE_BY_SIDE_SCRIPTS,
            &STUDY_SCRIPTS,
        ];
        let scripts = own.into_iter().map(<[&str]>::concat).chain([SHARED_SCRIPTS.concat()]);
        for code in scripts.chain([stylesheet(), THEME_SCRIPT.to_owned()]) {
            let lower = code.to_lowercase();
            for text in ["</", "<!--", "http:", "https://", "@import", " url(", ":url(", "eval(", "innerhtml"] {
                // The SVG namespace is not a request.
                assert!(!lower.replace("http://www.w3.org/2000/svg", "").contains(text), "{text}");
            }
        }
    }
}
