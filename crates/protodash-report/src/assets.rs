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
