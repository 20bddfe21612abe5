//! The layout of the JSON: each outer key and list entry on its own line, with everything inside it on that line.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::ser::Formatter;

/// Depth up to which every entry gets its own line.
const OPEN: usize = 2;

/// Writes a document in this layout, with a line break at its end.
pub(super) fn write(document: &impl Serialize, writer: &mut dyn Write) -> serde_json::Result<()> {
    let mut serializer = serde_json::Serializer::with_formatter(&mut *writer, Layout::default());
    document.serialize(&mut serializer)?;
    writer.write_all(b"\n").map_err(serde_json::Error::io)
}

/// The text that [`write`] writes.
pub(super) fn to_json(document: &impl Serialize) -> serde_json::Result<String> {
    let mut bytes = Vec::new();
    write(document, &mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// A formatter between one line for everything and one line for every number.
#[derive(Debug, Default)]
struct Layout {
    depth: usize,
    /// Whether the innermost list or object has entries.
    filled: bool,
}

impl Layout {
    fn begin<W: ?Sized + Write>(&mut self, writer: &mut W, bracket: &[u8]) -> io::Result<()> {
        self.depth += 1;
        self.filled = false;
        writer.write_all(bracket)
    }

    fn end<W: ?Sized + Write>(&mut self, writer: &mut W, bracket: &[u8]) -> io::Result<()> {
        self.depth -= 1;
        if self.filled && self.depth < OPEN {
            self.new_line(writer)?;
        }
        self.filled = true;
        writer.write_all(bracket)
    }

    fn entry<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        let separator: &[u8] = match (first, self.depth <= OPEN) {
            (true, _) => b"",
            (false, true) => b",",
            (false, false) => b", ",
        };
        writer.write_all(separator)?;
        self.filled = true;
        if self.depth <= OPEN { self.new_line(writer) } else { Ok(()) }
    }

    fn new_line<W: ?Sized + Write>(&self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b"\n")?;
        (0..self.depth).try_for_each(|_| writer.write_all(b"  "))
    }
}

impl Formatter for Layout {
    fn begin_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.begin(writer, b"[")
    }

    fn end_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.end(writer, b"]")
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.entry(writer, first)
    }

    fn begin_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.begin(writer, b"{")
    }

    fn end_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.end(writer, b"}")
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.entry(writer, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b": ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn outer_entries_have_lines_and_inner_ones_share_them() {
        let value = json!({"a": [{"b": 1, "c": [2, 3]}, {"b": 0.1}], "d": [], "e": {"f": [null]}});
        let expected = "{\n  \"a\": [\n    {\"b\": 1, \"c\": [2, 3]},\n    {\"b\": 0.1}\n  ],\n  \"d\": [],\n  \"e\": {\n    \"f\": [null]\n  }\n}\n";
        assert_eq!(to_json(&value).unwrap(), expected);
    }
}
