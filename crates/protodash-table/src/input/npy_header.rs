//! Parses the header of a `.npy` file.
//!
//! ```text
//! \x93NUMPY 1 0 <length> {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }
//! ```
//!
//! The length has two bytes in version 1 and four in versions 2 and 3; the dictionary is a Python literal.

use super::array::{ArrayElement, ArrayHeader, ByteOrder};

/// The longest text, in bytes, that one element may hold.
const TEXT_LIMIT: usize = 1 << 20;

/// Why a header cannot be used.
#[derive(Debug, PartialEq)]
pub(crate) enum HeaderError {
    /// The header extends beyond the given bytes.
    Short {
        /// Where it ends.
        expected: u64,
    },
    /// It is not a valid NumPy header.
    Invalid(String),
    /// The element type is not supported.
    Type(String),
}

use HeaderError::{Invalid, Short, Type};

/// Returns the header at the beginning of `bytes`.
pub(crate) fn parse(bytes: &[u8]) -> Result<ArrayHeader, HeaderError> {
    let (length_at, length_len) = match bytes.get(6) {
        Some(1) => (8, 2),
        Some(2 | 3) => (8, 4),
        Some(version) => return Err(Invalid(format!("version {version} is unknown; supported are 1, 2 and 3"))),
        None => return Err(Short { expected: 10 }),
    };
    let text_at = length_at + length_len;
    let length = bytes.get(length_at..text_at).ok_or(Short { expected: text_at as u64 })?;
    let length = length.iter().rev().fold(0, |length, byte| 256 * length + u64::from(*byte));
    let data_start = text_at as u64 + length;
    let text = usize::try_from(data_start).ok().and_then(|end| bytes.get(text_at..end));
    let text = text.ok_or(Short { expected: data_start })?;
    let text = std::str::from_utf8(text).map_err(|_| Invalid("it is not UTF-8".into()))?;
    PythonLiteral { rest: text }.header(data_start)
}

/// A cursor over a Python literal.
struct PythonLiteral<'a> {
    rest: &'a str,
}

impl<'a> PythonLiteral<'a> {
    fn header(mut self, data_start: u64) -> Result<ArrayHeader, HeaderError> {
        let (mut descr, mut fortran, mut shape) = (None, None, None);
        self.expect('{')?;
        while !self.accept('}') {
            let key = self.string()?;
            self.expect(':')?;
            match key {
                "descr" => descr = Some(self.descr()?),
                "fortran_order" => fortran = Some(self.boolean()?),
                "shape" => shape = Some(self.shape()?),
                other => return Err(Invalid(format!("the key '{other}' is unknown"))),
            }
            if !self.accept(',') {
                self.expect('}')?;
                break;
            }
        }
        let missing = |key| Invalid(format!("the key '{key}' is missing"));
        let (element, order) = descr.ok_or_else(|| missing("descr"))?;
        let first_fastest = fortran.ok_or_else(|| missing("fortran_order"))?;
        let shape = shape.ok_or_else(|| missing("shape"))?;
        Ok(ArrayHeader { element, order, first_fastest, shape, data_start })
    }

    fn skip_blanks(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn accept(&mut self, wanted: char) -> bool {
        self.skip_blanks();
        let found = self.rest.strip_prefix(wanted);
        self.rest = found.unwrap_or(self.rest);
        found.is_some()
    }

    fn expect(&mut self, wanted: char) -> Result<(), HeaderError> {
        if self.accept(wanted) {
            return Ok(());
        }
        let found = self.rest.chars().next().map_or("the end".into(), |found| format!("'{found}'"));
        Err(Invalid(format!("expected '{wanted}', found {found}")))
    }

    /// Returns the text between quotes; names and types have no escapes.
    fn string(&mut self) -> Result<&'a str, HeaderError> {
        let quote = if self.accept('"') { '"' } else { '\'' };
        if quote == '\'' {
            self.expect('\'')?;
        }
        let (text, rest) = self.rest.split_once(quote).ok_or_else(|| Invalid("a quote is not closed".into()))?;
        self.rest = rest;
        Ok(text)
    }

    fn boolean(&mut self) -> Result<bool, HeaderError> {
        self.skip_blanks();
        for (word, value) in [("True", true), ("False", false)] {
            if let Some(rest) = self.rest.strip_prefix(word) {
                self.rest = rest;
                return Ok(value);
            }
        }
        Err(Invalid("fortran_order is neither True nor False".into()))
    }

    fn shape(&mut self) -> Result<Vec<u64>, HeaderError> {
        let mut shape = Vec::new();
        self.expect('(')?;
        while !self.accept(')') {
            shape.push(self.integer()?);
            if !self.accept(',') {
                self.expect(')')?;
                break;
            }
        }
        Ok(shape)
    }

    fn integer(&mut self) -> Result<u64, HeaderError> {
        self.skip_blanks();
        let end = self.rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(self.rest.len());
        let (digits, rest) = self.rest.split_at(end);
        // Python 2 wrote an L after long integers.
        self.rest = rest.strip_prefix('L').unwrap_or(rest);
        digits.parse().map_err(|_| Invalid("the shape does not consist of 64-bit integers".into()))
    }

    fn descr(&mut self) -> Result<(ArrayElement, ByteOrder), HeaderError> {
        self.skip_blanks();
        if self.rest.starts_with('[') {
            return Err(Type("record".into()));
        }
        let descr = self.string()?;
        element(descr).ok_or_else(|| Type(format!("'{descr}'")))
    }
}

/// Returns what a type such as `<f8` stands for.
fn element(descr: &str) -> Option<(ArrayElement, ByteOrder)> {
    let (order, rest) = match descr.split_at_checked(1)? {
        (">", rest) => (ByteOrder::Big, rest),
        ("<" | "|" | "=", rest) => (ByteOrder::Little, rest),
        _ => (ByteOrder::Little, descr),
    };
    let (kind, size) = rest.split_at_checked(1)?;
    let size: usize = size.parse().ok()?;
    let element = match (kind, size) {
        ("b", 1) => ArrayElement::Bool,
        ("i", 1) => ArrayElement::I8,
        ("i", 2) => ArrayElement::I16,
        ("i", 4) => ArrayElement::I32,
        ("i", 8) => ArrayElement::I64,
        ("u", 1) => ArrayElement::U8,
        ("u", 2) => ArrayElement::U16,
        ("u", 4) => ArrayElement::U32,
        ("u", 8) => ArrayElement::U64,
        ("f", 2) => ArrayElement::F16,
        ("f", 4) => ArrayElement::F32,
        ("f", 8) => ArrayElement::F64,
        ("U", n) if (1..=TEXT_LIMIT / 4).contains(&n) => ArrayElement::Utf32(n),
        ("S" | "a", n) if (1..=TEXT_LIMIT).contains(&n) => ArrayElement::Bytes(n),
        _ => return None,
    };
    Some((element, order))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version_1(text: &str) -> Vec<u8> {
        [b"\x93NUMPY\x01\x00", &(text.len() as u16).to_le_bytes()[..], text.as_bytes()].concat()
    }

    fn parse_text(text: &str) -> Result<ArrayHeader, HeaderError> {
        parse(&version_1(text))
    }

    #[test]
    fn headers_of_every_version() {
        let text = "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }   \n";
        let header = parse_text(text).unwrap();
        assert_eq!((header.element, header.order), (ArrayElement::F64, ByteOrder::Little));
        assert_eq!((header.first_fastest, &header.shape[..]), (false, &[3, 4][..]));
        assert_eq!(header.data_start, 10 + text.len() as u64);
        let version_2 = [b"\x93NUMPY\x02\x00", &(text.len() as u32).to_le_bytes()[..], text.as_bytes()].concat();
        assert_eq!(parse(&version_2).unwrap(), ArrayHeader { data_start: 12 + text.len() as u64, ..header });
    }

    #[test]
    fn shapes_and_orders() {
        let shape = |shape: &str| {
            parse_text(&format!("{{\"shape\": {shape}, 'fortran_order': True, 'descr': '>i2'}}")).map(|header| {
                assert!(header.first_fastest && header.order == ByteOrder::Big);
                header.shape
            })
        };
        assert_eq!(shape("()"), Ok(vec![]));
        assert_eq!(shape("(5,)"), Ok(vec![5]));
        assert_eq!(shape("(2L, 3L,4 )"), Ok(vec![2, 3, 4]));
        assert!(matches!(shape("(-1,)"), Err(Invalid(_))));
        assert!(matches!(shape("(99999999999999999999,)"), Err(Invalid(_))));
    }

    #[test]
    fn types() {
        let all = [
            ("|b1", ArrayElement::Bool),
            ("|i1", ArrayElement::I8),
            ("<u8", ArrayElement::U64),
            ("<f2", ArrayElement::F16),
        ];
        for (descr, expected) in
            all.into_iter().chain([("<U7", ArrayElement::Utf32(7)), ("|S3", ArrayElement::Bytes(3))])
        {
            assert_eq!(element(descr), Some((expected, ByteOrder::Little)), "{descr}");
        }
        for descr in ["|O", "<c16", "<f16", "<M8[ns]", "<U0", "", "<", "é8", "|V8"] {
            assert_eq!(element(descr), None, "{descr}");
        }
        let record = "{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (3,), }";
        assert_eq!(parse_text(record), Err(Type("record".into())));
    }

    #[test]
    fn invalid_headers() {
        let problem = |text: &str| match parse_text(text) {
            Err(Invalid(problem)) => problem,
            other => panic!("{other:?}"),
        };
        assert_eq!(problem(""), "expected '{', found the end");
        assert_eq!(problem("{'descr' '<f8'}"), "expected ':', found '''");
        assert_eq!(problem("{'descr': '<f8}"), "a quote is not closed");
        assert_eq!(problem("{'descr': '<f8', 'shape': (1,)}"), "the key 'fortran_order' is missing");
        assert_eq!(problem("{'order': 'C'}"), "the key 'order' is unknown");
        assert_eq!(problem("{'fortran_order': 0}"), "fortran_order is neither True nor False");
    }

    #[test]
    fn truncated_headers_state_their_full_length() {
        assert_eq!(parse(b"\x93NUMPY"), Err(Short { expected: 10 }));
        assert_eq!(parse(b"\x93NUMPY\x01\x00\x76"), Err(Short { expected: 10 }));
        assert_eq!(parse(b"\x93NUMPY\x01\x00\x76\x00{'descr'"), Err(Short { expected: 128 }));
        assert_eq!(parse(b"\x93NUMPY\x02\x00\xff\xff\xff\xff{'descr'"), Err(Short { expected: 12 + 0xffff_ffff }));
    }
}
