//! The HTML writer, the only way to add content to a page: it escapes attributes and text.

use std::fmt::Write;

/// An HTML writer. Element and attribute names are constants of this crate; everything else is escaped.
#[derive(Debug, Default)]
pub(crate) struct Html {
    text: String,
}

/// Attributes of an element: names from this crate, values from anywhere.
pub(crate) type Attributes<'a> = &'a [(&'static str, &'a str)];

impl Html {
    /// Writes an element with content.
    pub(crate) fn element(&mut self, tag: &'static str, attributes: Attributes<'_>, content: impl FnOnce(&mut Html)) {
        self.void(tag, attributes);
        content(self);
        self.text += "</";
        self.text += tag;
        self.text.push('>');
    }

    /// Writes an element with text.
    pub(crate) fn leaf(&mut self, tag: &'static str, attributes: Attributes<'_>, text: &str) {
        self.element(tag, attributes, |html| html.text(text));
    }

    /// Writes a void element.
    pub(crate) fn void(&mut self, tag: &'static str, attributes: Attributes<'_>) {
        self.text.push('<');
        self.text += tag;
        for (name, value) in attributes {
            self.text.push(' ');
            self.text += name;
            // A boolean attribute has no value.
            if !value.is_empty() || !BOOLEAN.contains(name) {
                self.text += "=\"";
                escape(&mut self.text, value);
                self.text.push('"');
            }
        }
        self.text.push('>');
    }

    /// Writes escaped text.
    pub(crate) fn text(&mut self, text: &str) {
        escape(&mut self.text, text);
    }

    /// Writes text that can wrap after underscores, as in column names.
    fn breakable(&mut self, text: &str) {
        for (at, part) in text.split('_').enumerate() {
            if at > 0 {
                self.text("_");
                self.void("wbr", &[]);
            }
            self.text(part);
        }
    }

    /// Writes a name from the data; a long one is cut, with the full name in its tooltip.
    ///
    /// Right-to-left names do not reorder the words around them.
    pub(crate) fn name(&mut self, name: &str) {
        self.clipped_name(name, Html::text);
    }

    /// Writes a column name, which can wrap after underscores.
    pub(crate) fn column_name(&mut self, name: &str) {
        self.clipped_name(name, Html::breakable);
    }

    fn clipped_name(&mut self, name: &str, write: fn(&mut Html, &str)) {
        match clipped(name) {
            Some(beginning) => self.element("bdi", &[("title", name)], |html| write(html, &beginning)),
            None => self.element("bdi", &[], |html| write(html, name)),
        }
    }

    /// Writes text; a long one shows its beginning, and the rest on demand.
    pub(crate) fn in_short(&mut self, text: &str) {
        let beginning = beginning(text);
        if beginning.len() == text.len() {
            return self.text(text);
        }
        self.element("details", &[("class", "long")], |html| {
            html.leaf("summary", &[], &format!("{beginning}…"));
            html.text(text);
        });
    }

    /// Writes a line break, which keeps the page source readable.
    pub(crate) fn line(&mut self) {
        self.text.push('\n');
    }

    /// Writes a block of JSON for the script; nothing in it can end the block.
    pub(crate) fn data(&mut self, id: &'static str, json: &str) {
        let _ = write!(self.text, "<script type=\"application/json\" id=\"{id}\">");
        for sign in json.chars() {
            match sign {
                // JSON has these chars in strings only, where they can be escaped.
                '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                    let _ = write!(self.text, "\\u{:04x}", u32::from(sign));
                }
                other => self.text.push(other),
            }
        }
        self.text += "</script>\n";
    }

    /// Writes a block of text that [`packed`](crate::packed::packed) returned, which is letters, digits and `+/=` only.
    pub(crate) fn packed(&mut self, id: &'static str, base64: &str) {
        let _ =
            writeln!(self.text, "<script type=\"text/plain\" id=\"{id}\" data-packed=\"deflate\">{base64}</script>");
    }

    /// Writes a stylesheet or script of this crate, which contains no text from the data.
    pub(crate) fn own_code(&mut self, tag: &'static str, code: &str) {
        let _ = writeln!(self.text, "<{tag}>{code}</{tag}>");
    }

    /// The HTML.
    pub(crate) fn finish(self) -> String {
        self.text
    }
}

const BOOLEAN: [&str; 3] = ["hidden", "open", "checked"];

fn escape(into: &mut String, text: &str) {
    for sign in text.chars() {
        match sign {
            '&' => *into += "&amp;",
            '<' => *into += "&lt;",
            '>' => *into += "&gt;",
            '"' => *into += "&quot;",
            '\'' => *into += "&#39;",
            // Control chars are not allowed in HTML, even escaped.
            '\t' | '\n' => into.push(sign),
            control if control.is_control() => into.push('\u{fffd}'),
            // Neither are noncharacters.
            other if is_noncharacter(other) => into.push('\u{fffd}'),
            other => into.push(other),
        }
    }
}

fn is_noncharacter(sign: char) -> bool {
    let code = u32::from(sign);
    (0xfdd0..=0xfdef).contains(&code) || code & 0xfffe == 0xfffe
}

/// Maximum length of a text that is not cut; the script uses the same number.
const LONG: usize = 120;

/// A short text, or the first chars of a long one.
pub(crate) fn beginning(text: &str) -> &str {
    text.char_indices().nth(LONG).map_or(text, |(end, _)| &text[..end])
}

/// Maximum length of a name that is not cut; the script uses the same number.
const LONG_NAME: usize = 60;

/// The first chars of a long name.
pub(crate) fn clipped(name: &str) -> Option<String> {
    name.char_indices().nth(LONG_NAME).map(|(end, _)| format!("{}…", &name[..end]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_name_shows_its_beginning() {
        let mut html = Html::default();
        html.name(&"é".repeat(61));
        assert_eq!(html.finish(), format!("<bdi title=\"{}\">{}…</bdi>", "é".repeat(61), "é".repeat(60)));
    }

    #[test]
    fn text_and_attributes_are_escaped() {
        let mut html = Html::default();
        html.leaf("p", &[("title", "\" onclick='x'")], "</p><script>alert(1)</script>&\0");
        let expected =
            "<p title=\"&quot; onclick=&#39;x&#39;\">&lt;/p&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;\u{fffd}</p>";
        assert_eq!(html.finish(), expected);
    }

    #[test]
    fn data_cannot_end_their_block() {
        let mut html = Html::default();
        html.data("d", "[\"</script><!--\u{2028}&\"]");
        let expected =
            "<script type=\"application/json\" id=\"d\">[\"\\u003c/script\\u003e\\u003c!--\\u2028\\u0026\"]</script>\n";
        assert_eq!(html.finish(), expected);
    }

    #[test]
    fn true_attributes_have_no_value_and_empty_ones_do() {
        let mut html = Html::default();
        html.void("input", &[("hidden", ""), ("value", "")]);
        assert_eq!(html.finish(), "<input hidden value=\"\">");
    }
}
