//! Type inference for columns of text, by counting the kinds of their cells; shared by CSV and JSON lines.

use arrow_schema::{DataType, Field};

use super::text::TextEncoding;
use super::{ColumnKind, Format, TableColumn};
use crate::advice::Note;
use crate::hint;

/// The kind of a single cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CellKind {
    /// Empty, or one of the words for a missing value.
    Missing,
    /// An integer that fits 64 bits.
    Integer,
    /// An integer of more than 64 bits.
    LongInteger,
    /// Digits with a leading zero: a post code or identifier rather than a number.
    Code,
    /// A number with a decimal point or an exponent.
    Decimal,
    /// A spelling of plus or minus infinity.
    Infinite,
    /// `true` or `false`.
    Boolean,
    Text,
}

impl CellKind {
    /// Returns the kind of `cell`, which is trimmed.
    pub(crate) fn of(cell: &[u8]) -> CellKind {
        match cell {
            _ if CellKind::is_missing(cell) => CellKind::Missing,
            [b'0'..=b'9' | b'+' | b'-' | b'.', ..] => number(cell),
            _ => word(cell),
        }
    }

    /// Returns whether `cell`, which is trimmed, is missing.
    pub(crate) fn is_missing(cell: &[u8]) -> bool {
        matches!(cell, b"" | b"NA" | b"N/A" | b"NaN" | b"nan" | b"NULL" | b"null" | b"None" | b".")
    }
}

/// Returns the value of a cell that [`CellKind::of`] classifies as a number.
pub(crate) fn parse_number(cell: &[u8]) -> Option<f64> {
    std::str::from_utf8(cell).ok()?.parse().ok()
}

/// Returns the kind of a cell that begins like a number: sign, digits, point, digits, exponent.
fn number(cell: &[u8]) -> CellKind {
    let unsigned = cell.strip_prefix(b"+").or_else(|| cell.strip_prefix(b"-")).unwrap_or(cell);
    let whole = count_digits(unsigned);
    let mut rest = &unsigned[whole..];
    if rest.is_empty() && whole > 0 {
        return integer(cell, unsigned);
    }
    let mut digits = whole;
    if let Some(after) = rest.strip_prefix(b".") {
        let fraction = count_digits(after);
        digits += fraction;
        rest = &after[fraction..];
    }
    if let [b'e' | b'E', exponent @ ..] = rest {
        let exponent = exponent.strip_prefix(b"+").or_else(|| exponent.strip_prefix(b"-")).unwrap_or(exponent);
        let n = count_digits(exponent);
        rest = if n > 0 { &exponent[n..] } else { rest };
    }
    match (digits, rest) {
        (1.., b"") => CellKind::Decimal,
        _ => word(cell),
    }
}

/// Returns the kind of a cell of digits with an optional sign.
fn integer(cell: &[u8], unsigned: &[u8]) -> CellKind {
    // With a sign it is a number: "-05" is minus five, but "05" may be May or a district.
    if unsigned.len() > 1 && unsigned[0] == b'0' && unsigned.len() == cell.len() {
        return CellKind::Code;
    }
    // 18 digits always fit; longer ones are parsed.
    let fits = unsigned.len() <= 18 || std::str::from_utf8(cell).is_ok_and(|cell| cell.parse::<i64>().is_ok());
    if fits { CellKind::Integer } else { CellKind::LongInteger }
}

/// Returns the kind of a cell that is not a number.
fn word(cell: &[u8]) -> CellKind {
    let is = |word: &str| cell.eq_ignore_ascii_case(word.as_bytes());
    if is("true") || is("false") {
        return CellKind::Boolean;
    }
    let unsigned = cell.strip_prefix(b"+").or_else(|| cell.strip_prefix(b"-")).unwrap_or(cell);
    let infinite = unsigned.eq_ignore_ascii_case(b"inf") || unsigned.eq_ignore_ascii_case(b"infinity");
    if infinite { CellKind::Infinite } else { CellKind::Text }
}

/// Returns whether a decimal has only zeros after the point.
fn is_whole(decimal: &[u8]) -> bool {
    let mut parts = decimal.splitn(2, |byte| *byte == b'.');
    let (whole, fraction) = (parts.next(), parts.next());
    whole.is_some_and(|whole| !whole.is_empty())
        && fraction.is_some_and(|fraction| fraction.iter().all(|byte| *byte == b'0'))
}

fn count_digits(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|byte| byte.is_ascii_digit()).count()
}

/// The number of cells of each kind in a column.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Census {
    integers: u64,
    long_integers: u64,
    codes: u64,
    decimals: u64,
    /// How many decimals have only zeros after the point, like identifiers that were converted to floats.
    whole_decimals: u64,
    infinite: u64,
    booleans: u64,
    texts: u64,
    /// Row and content of the first cell that is neither missing nor a number.
    first_word: Option<(u64, Vec<u8>)>,
}

/// The inferred type of a column.
struct InferredColumn {
    kind: ColumnKind,
    data_type: DataType,
    /// Whether integers had to become text because they exceed 64 bits.
    long_integers: bool,
}

/// A column of text with the census of its cells.
#[derive(Clone, Debug)]
pub(crate) struct CountedColumn {
    pub(crate) name: String,
    pub(crate) census: Census,
    /// Whether it holds ids or labels, where `1.10` is not the number 1.1.
    pub(crate) holds_names: bool,
}

impl CountedColumn {
    /// Returns the column with the type that its cells imply, and notes on that type in a file of `format`.
    pub(crate) fn infer(&self, format: Format) -> (Field, TableColumn, Vec<Note>) {
        let CountedColumn { name, census, holds_names } = self;
        let inferred = if *holds_names { census.infer_names() } else { census.infer() };
        let long = inferred.long_integers.then(|| Note::long_integers(name));
        // In JSON, a number with a comma is in quotes and meant as text.
        let word = census.first_word().filter(|_| format == Format::Csv);
        let notes = long.into_iter().chain(word.and_then(|word| comma_note(name, word))).collect();
        (Field::new(name, inferred.data_type, true), TableColumn { name: name.clone(), kind: inferred.kind }, notes)
    }
}

/// Returns the note on a column that is text because of numbers with commas, if `word` is one.
fn comma_note(column: &str, word: &str) -> Option<Note> {
    let CommaNumber { decimal, thousands } = CommaNumber::parse(word)?;
    let note = Note::new(format!("column {column:?} was read as text because it holds {word}"));
    Some(note.with_hint(match (decimal, thousands) {
        (Some(decimal), None) => hint!([format!("if that is a decimal comma, write {decimal}")]),
        (None, Some(thousands)) => hint!([format!("if the commas separate thousands, write {thousands}")]),
        (decimal, thousands) => hint!(
            [format!("if the comma separates thousands, write {}", thousands.unwrap_or_default())],
            [format!("if it is a decimal comma, write {}", decimal.unwrap_or_default())],
        ),
    }))
}

/// What a number with commas may mean, written without them.
#[derive(Debug, PartialEq, Eq)]
struct CommaNumber {
    /// With one decimal comma: `1,5` is 1.5.
    decimal: Option<String>,
    /// With commas between thousands: `1,500` is 1500.
    thousands: Option<String>,
}

impl CommaNumber {
    /// Returns what `text` may mean, or `None` if it is not a number with commas.
    fn parse(text: &str) -> Option<CommaNumber> {
        let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
        let is_whole = |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        let is_decimal =
            unsigned.split_once(',').is_some_and(|(whole, fraction)| is_whole(whole) && is_whole(fraction));
        let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, "0"));
        let mut groups = whole.split(',');
        let has_first = groups.next().is_some_and(|first| is_whole(first) && first.len() <= 3 && first != "0");
        let are_groups = whole.contains(',') && groups.all(|group| is_whole(group) && group.len() == 3);
        let number = CommaNumber {
            decimal: is_decimal.then(|| text.replace(',', ".")),
            thousands: (has_first && are_groups && is_whole(fraction)).then(|| text.replace(',', "")),
        };
        (number.decimal.is_some() || number.thousands.is_some()).then_some(number)
    }
}

impl Census {
    /// Counts the cell of `row`, which is trimmed.
    pub(crate) fn add(&mut self, row: u64, cell: &[u8]) {
        let kind = CellKind::of(cell);
        self.count(row, kind, || cell.to_vec());
        self.whole_decimals += u64::from(kind == CellKind::Decimal && is_whole(cell));
    }

    /// Returns the first cell that is neither missing nor a number.
    pub(crate) fn first_word(&self) -> Option<&str> {
        self.first_word.as_ref().map(|(_, word)| std::str::from_utf8(word).unwrap_or_default())
    }

    /// Returns the census with its word in UTF-8; the encoding of a file is known only at its end.
    pub(crate) fn decoded(self, encoding: TextEncoding) -> Census {
        let decode = |word: Vec<u8>| encoding.decode(&word).unwrap_or_default().into_owned().into_bytes();
        Census { first_word: self.first_word.map(|(row, word)| (row, decode(word))), ..self }
    }

    /// Returns the census of the cells of both, where those of `later` follow after `n_rows` rows.
    pub(crate) fn followed_by(self, later: Census, n_rows: u64) -> Census {
        Census {
            integers: self.integers + later.integers,
            long_integers: self.long_integers + later.long_integers,
            codes: self.codes + later.codes,
            decimals: self.decimals + later.decimals,
            whole_decimals: self.whole_decimals + later.whole_decimals,
            infinite: self.infinite + later.infinite,
            booleans: self.booleans + later.booleans,
            texts: self.texts + later.texts,
            first_word: self.first_word.or(later.first_word.map(|(row, word)| (n_rows + row, word))),
        }
    }

    /// Counts a cell of known kind in `row`; `word` returns its content, needed if it is the first word.
    pub(crate) fn count(&mut self, row: u64, cell: CellKind, word: impl FnOnce() -> Vec<u8>) {
        let count = match cell {
            CellKind::Missing => return,
            CellKind::Integer => &mut self.integers,
            CellKind::LongInteger => &mut self.long_integers,
            CellKind::Code => &mut self.codes,
            CellKind::Decimal => &mut self.decimals,
            CellKind::Infinite => &mut self.infinite,
            CellKind::Boolean => &mut self.booleans,
            CellKind::Text => &mut self.texts,
        };
        *count += 1;
        if matches!(cell, CellKind::Boolean | CellKind::Text) && self.first_word.is_none() {
            self.first_word = Some((row, word()));
        }
    }

    /// Returns the type of a column of ids or labels: decimals with a fraction are text, since `1.10` and `1.1` are different
    /// names.
    fn infer_names(&self) -> InferredColumn {
        let inferred = self.infer();
        match self.decimals > self.whole_decimals && inferred.kind == ColumnKind::Number {
            true => InferredColumn { kind: ColumnKind::Text, data_type: DataType::Utf8, long_integers: false },
            false => inferred,
        }
    }

    /// Returns the type of the column.
    ///
    /// A code makes the column text. Otherwise numbers and words together are mixed; words alone are text, or boolean if
    /// all are true or false. Numbers are integers if all are and fit 64 bits, text if all are and some do not (an
    /// identifier must not lose digits), and else floating point. A column without values is numeric.
    fn infer(&self) -> InferredColumn {
        let numbers = self.integers + self.long_integers + self.decimals;
        let text = |kind| InferredColumn { kind, data_type: DataType::Utf8, long_integers: false };
        let number = |data_type| InferredColumn { kind: ColumnKind::Number, data_type, long_integers: false };
        match &self.first_word {
            _ if self.codes > 0 => text(ColumnKind::Text),
            Some((row, word)) if numbers > 0 => {
                let value = String::from_utf8_lossy(word).into_owned();
                text(ColumnKind::Mixed { row: *row, value, n_text: self.booleans + self.texts })
            }
            Some(_) if self.texts == 0 && self.infinite == 0 => {
                InferredColumn { kind: ColumnKind::Boolean, data_type: DataType::Boolean, long_integers: false }
            }
            Some(_) => text(ColumnKind::Text),
            None if self.decimals + self.infinite > 0 || numbers == 0 => number(DataType::Float64),
            None if self.long_integers > 0 => InferredColumn { long_integers: true, ..text(ColumnKind::Text) },
            None => number(DataType::Int64),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(cells: &[&str], expected: CellKind) {
        for cell in cells {
            assert_eq!(CellKind::of(cell.as_bytes()), expected, "{cell}");
        }
    }

    #[test]
    fn kinds_of_cells() {
        all(&["", "NA", "N/A", "NaN", "nan", "NULL", "null", "None", "."], CellKind::Missing);
        all(&["0", "-0", "7", "+5", "-12", "-05", "9223372036854775807", "-9223372036854775808"], CellKind::Integer);
        all(&["9223372036854775808", "123456789012345678901234567890"], CellKind::LongInteger);
        all(&["00123", "01", "00", "00000000000000000000"], CellKind::Code);
        all(&["1.5", ".5", "5.", "-1e5", "1E-30", "+.5e+3", "007.5", "1e999"], CellKind::Decimal);
        all(&["inf", "-Inf", "+INFINITY"], CellKind::Infinite);
        all(&["true", "FALSE", "True"], CellKind::Boolean);
        all(
            &["a", "-", "+", "1e", "1e+", "1,5", "1 2", "0x1F", "1_000", "-.", "12%", "na", "..", "1.2.3"],
            CellKind::Text,
        );
    }

    fn census(cells: &[&str]) -> Census {
        let mut census = Census::default();
        for (row, cell) in cells.iter().enumerate() {
            census.add(row as u64, cell.as_bytes());
        }
        census
    }

    fn inferred(cells: &[&str]) -> (ColumnKind, DataType) {
        let inferred = census(cells).infer();
        (inferred.kind, inferred.data_type)
    }

    #[test]
    fn commas_are_decimal_or_between_thousands() {
        let parsed = |text: &str| CommaNumber::parse(text).map(|number| (number.decimal, number.thousands));
        let of = |text: &str| Some(text.to_owned());
        assert_eq!(parsed("1,5"), Some((of("1.5"), None)));
        assert_eq!(parsed("0,125"), Some((of("0.125"), None)));
        assert_eq!(parsed("-1,000"), Some((of("-1.000"), of("-1000"))));
        assert_eq!(parsed("1,234,567"), Some((None, of("1234567"))));
        assert_eq!(parsed("1,234.50"), Some((None, of("1234.50"))));
        for text in ["1", "a,b", "1,", ",5", "1,23,456", "1234,567,890", "1.5"] {
            assert_eq!(parsed(text), None, "{text}");
        }
    }

    #[test]
    fn decimal_ids_are_text_unless_all_are_whole() {
        let of_names = |cells: &[&str]| census(cells).infer_names().data_type;
        assert_eq!(of_names(&["1.1", "1.10", "2.0"]), DataType::Utf8);
        assert_eq!(of_names(&["1e3", "2.0"]), DataType::Utf8);
        assert_eq!(of_names(&["17850.0", "", "-3.00", "5."]), DataType::Float64);
        assert_eq!(of_names(&["1", "NA"]), DataType::Int64);
        assert_eq!(of_names(&["", "NA"]), DataType::Float64);
    }

    #[test]
    fn kinds_of_columns() {
        assert_eq!(inferred(&["1", "", "-3"]), (ColumnKind::Number, DataType::Int64));
        assert_eq!(inferred(&["1", "2.5", "NA"]), (ColumnKind::Number, DataType::Float64));
        assert_eq!(inferred(&["1", "inf"]), (ColumnKind::Number, DataType::Float64));
        assert_eq!(inferred(&["", "NA"]), (ColumnKind::Number, DataType::Float64));
        assert_eq!(inferred(&["1", "9223372036854775808"]), (ColumnKind::Text, DataType::Utf8));
        assert_eq!(inferred(&["1.5", "9223372036854775808"]), (ColumnKind::Number, DataType::Float64));
        assert_eq!(inferred(&["12345", "00123"]), (ColumnKind::Text, DataType::Utf8));
        assert_eq!(inferred(&["12345", "00123", "x"]), (ColumnKind::Text, DataType::Utf8));
        assert_eq!(inferred(&["true", "False", ""]), (ColumnKind::Boolean, DataType::Boolean));
        assert_eq!(inferred(&["true", "maybe"]), (ColumnKind::Text, DataType::Utf8));
        assert_eq!(inferred(&["inf", "out"]), (ColumnKind::Text, DataType::Utf8));
    }

    #[test]
    fn two_censuses_merge_into_that_of_all_cells() {
        let cells = ["1", "", "2.0", "00123", "x", "1e5", "inf", "true", "9223372036854775808", "1,5"];
        for cut in 0..=cells.len() {
            for cells in [&cells[..], &["1", "2"], &["1", "unknown", "3"], &["true", "x"]] {
                let (before, after) = cells.split_at(cut.min(cells.len()));
                let together = census(before).followed_by(census(after), before.len() as u64);
                assert_eq!(together, census(cells), "{cells:?} cut at {cut}");
            }
        }
    }

    #[test]
    fn mixed_columns_record_their_first_word() {
        let mixed = |row, value: &str, n_text| (ColumnKind::Mixed { row, value: value.into(), n_text }, DataType::Utf8);
        assert_eq!(inferred(&["1", "NA", "unknown", "3", "old"]), mixed(2, "unknown", 2));
        assert_eq!(inferred(&["1", "true"]), mixed(1, "true", 1));
    }
}
