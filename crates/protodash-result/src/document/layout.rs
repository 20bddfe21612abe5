//! How the JSON is spread over lines: outer keys and list entries one to a line, whatever is inside them on that line.

use std::io::{self, Write};

use serde_json::ser::Formatter;

/// Depth up to which every entry has a line of its own.
const OPEN: usize = 2;

/// A formatter between one line for all and one line for every number.
///
/// # Examples
///
/// ```
/// use protodash_result::Layout;
/// use serde::Serialize;
///
/// let mut written = Vec::new();
/// vec![vec![vec![1, 2]]].serialize(&mut serde_json::Serializer::with_formatter(&mut written, Layout::default()))?;
/// assert_eq!(String::from_utf8(written)?, "[\n  [\n    [1, 2]\n  ]\n]");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct Layout {
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
    use serde::Serialize;
    use serde_json::json;

    #[test]
    fn outer_entries_have_lines_and_inner_ones_share_them() {
        let value = json!({"a": [{"b": 1, "c": [2, 3]}, {"b": 0.1}], "d": [], "e": {"f": [null]}});
        let mut written = Vec::new();
        value.serialize(&mut serde_json::Serializer::with_formatter(&mut written, Layout::default())).unwrap();
        let expected = "{\n  \"a\": [\n    {\"b\": 1, \"c\": [2, 3]},\n    {\"b\": 0.1}\n  ],\n  \"d\": [],\n  \"e\": {\n    \"f\": [null]\n  }\n}";
        assert_eq!(String::from_utf8(written).unwrap(), expected);
    }
}
