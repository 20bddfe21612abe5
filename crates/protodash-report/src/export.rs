//! The section that saves what the page shows, and says how to make it again.

use crate::html::Html;
use crate::reproduce::ReproducingCall;
use crate::section::section;

/// Its link and its name.
pub(crate) const EXPORT: (&str, &str) = ("#export", "Save and reproduce");

/// Writes the section; the script lists tables and charts.
pub(crate) fn write(html: &mut Html, calls: &[ReproducingCall]) {
    section(html, "export", EXPORT.1, |html| {
        let words = "Tables are saved as they are shown, with all digits; charts in the colours of the page.";
        html.leaf("p", &[("class", "quiet scripted")], words);
        html.leaf(
            "ul",
            &[("class", "savers scripted"), ("id", "savers"), ("tabindex", "0"), ("aria-label", "Save")],
            "",
        );
        if calls.is_empty() {
            html.leaf("p", &[("class", "unscripted quiet")], "Saving tables and charts needs JavaScript.");
        }
        for call in calls {
            write_call(html, call);
        }
    });
}

fn write_call(html: &mut Html, call: &ReproducingCall) {
    let id = format!("call-{}", call.language.to_lowercase().replace(' ', "-"));
    html.element("div", &[("class", "call")], |html| {
        html.element("div", &[("class", "call-head")], |html| {
            html.leaf("h3", &[], &call.language);
            let attributes = [("type", "button"), ("class", "copy scripted"), ("data-of", id.as_str())];
            html.leaf("button", &attributes, "Copy");
        });
        html.element("pre", &[], |html| html.leaf("code", &[("id", &id)], &call.code));
    });
}
