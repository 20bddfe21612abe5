//! The stylesheets and scripts of the pages, kept as files that can be read.

use crate::report::Body;

/// Colours for the light, and what is different in the dark.
const LIGHT: &str = include_str!("../assets/css/theme.css");
const DARK: &str = include_str!("../assets/css/dark.css");

/// What every page looks like.
const STYLES: [&str; 10] = [
    include_str!("../assets/css/page.css"),
    include_str!("../assets/css/layout.css"),
    include_str!("../assets/css/controls.css"),
    include_str!("../assets/css/charts.css"),
    include_str!("../assets/css/rows.css"),
    include_str!("../assets/css/tables.css"),
    include_str!("../assets/css/comparison.css"),
    include_str!("../assets/css/relation.css"),
    include_str!("../assets/css/study.css"),
    include_str!("../assets/css/print.css"),
];

/// The theme is set before anything is drawn.
pub(crate) const THEME_SCRIPT: &str = include_str!("../assets/js/stored_theme.js");

/// What every page does.
const SHARED_SCRIPTS: [&str; 7] = [
    include_str!("../assets/js/document.js"),
    include_str!("../assets/js/numbers.js"),
    include_str!("../assets/js/theme.js"),
    include_str!("../assets/js/download.js"),
    include_str!("../assets/js/tooltip.js"),
    include_str!("../assets/js/sort.js"),
    include_str!("../assets/js/paper.js"),
];

/// What a selection does beside.
const SELECTION_SCRIPTS: [&str; 6] = [
    include_str!("../assets/js/seen.js"),
    include_str!("../assets/js/cells.js"),
    include_str!("../assets/js/cards.js"),
    include_str!("../assets/js/map.js"),
    include_str!("../assets/js/size.js"),
    include_str!("../assets/js/selection.js"),
];

/// What a comparison does beside.
const COMPARISON_SCRIPTS: [&str; 1] = [include_str!("../assets/js/comparison.js")];

/// What a relation does beside.
const RELATION_SCRIPTS: [&str; 2] = [include_str!("../assets/js/graph.js"), include_str!("../assets/js/relation.js")];

/// What a study does beside.
const STUDY_SCRIPTS: [&str; 2] = [include_str!("../assets/js/graph.js"), include_str!("../assets/js/study.js")];

/// The stylesheet of every page: dark where the reader chose it, or where the system did and the reader nothing else.
///
/// Paper is light.
pub(crate) fn stylesheet() -> String {
    let chosen = format!("@media screen {{\n:root[data-theme=\"dark\"] {{\n{DARK}}}\n}}\n");
    let of_system = format!(
        "@media screen and (prefers-color-scheme: dark) {{\n:root:not([data-theme=\"light\"]) {{\n{DARK}}}\n}}\n"
    );
    [LIGHT, &chosen, &of_system, &STYLES.concat()].concat()
}

/// The script of a page, in a scope of its own.
pub(crate) fn script(body: &Body) -> String {
    let own: &[&str] = match body {
        Body::Selection(_) => &SELECTION_SCRIPTS,
        Body::Comparison(_) => &COMPARISON_SCRIPTS,
        Body::Relation(_) => &RELATION_SCRIPTS,
        Body::Study(_) => &STUDY_SCRIPTS,
    };
    format!("(() => {{\n\"use strict\";\n{}{}}})();\n", SHARED_SCRIPTS.concat(), own.concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_asset_can_end_its_own_block_or_ask_for_anything() {
        let own = [&SELECTION_SCRIPTS[..], &COMPARISON_SCRIPTS, &RELATION_SCRIPTS, &STUDY_SCRIPTS];
        let scripts = own.into_iter().map(<[&str]>::concat).chain([SHARED_SCRIPTS.concat()]);
        for code in scripts.chain([stylesheet(), THEME_SCRIPT.to_owned()]) {
            let lower = code.to_lowercase();
            for sign in ["</", "<!--", "http:", "https://", "@import", " url(", ":url(", "eval(", "innerhtml"] {
                // The name of SVG's namespace is no address.
                assert!(!lower.replace("http://www.w3.org/2000/svg", "").contains(sign), "{sign}");
            }
        }
    }
}
