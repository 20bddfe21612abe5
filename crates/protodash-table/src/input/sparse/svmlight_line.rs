//! A line of an svmlight file: `label qid:query index:value index:value … # comment`.

use super::{StoredValue, tidy};
use crate::error::shortened;

/// The largest index: columns are counted in 32 bits.
const MAX_INDEX: u32 = u32::MAX - 1;

/// What a line says besides its values.
#[derive(Debug, PartialEq)]
pub(super) struct SvmLine<'a> {
    pub(super) label: Option<&'a str>,
    pub(super) query: Option<&'a str>,
}

/// Reads a line into `values`; `None` if it holds only a comment, and an error that says what is wrong.
pub(super) fn parse<'a>(text: &'a str, values: &mut Vec<StoredValue>) -> Result<Option<SvmLine<'a>>, String> {
    values.clear();
    let text = text.split_once('#').map_or(text, |(before, _)| before);
    let mut words = text.split_ascii_whitespace().peekable();
    if words.peek().is_none() {
        return Ok(None);
    }
    let label = words.next_if(|word| !word.contains(':'));
    let query = words.next_if(|word| word.starts_with("qid:")).map(|word| &word["qid:".len()..]);
    for word in words {
        let Some((index, value)) = word.split_once(':') else {
            return Err(format!("found {:?}; after the label, only index:value is allowed", shortened(word)));
        };
        let index =
            index.parse().ok().filter(|index| *index <= MAX_INDEX).ok_or_else(|| {
                format!("the index {:?} is not a whole number from 0 to {MAX_INDEX}", shortened(index))
            })?;
        let value = value.parse().ok().filter(|value: &f64| value.is_finite()).ok_or_else(|| {
            format!("the value of index {index} is {:?}; it must be a finite number", shortened(value))
        })?;
        values.push((index, value));
    }
    tidy(values).map_err(|index| format!("index {index} comes twice; each may come once"))?;
    Ok(Some(SvmLine { label, query }))
}

/// Returns whether all complete lines at the beginning of a file are those of svmlight, and one of them has values.
///
/// Labels must be numbers here; files with others are recognised by their extension.
pub(crate) fn looks_like_svmlight(head: &[u8], is_all: bool) -> bool {
    let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    let end = if is_all { head.len() } else { head.iter().rposition(|byte| *byte == b'\n').unwrap_or(0) };
    let Ok(text) = std::str::from_utf8(&head[..end]) else { return false };
    let (mut values, mut has_values) = (Vec::new(), false);
    for line in text.lines() {
        match parse(line, &mut values) {
            Ok(Some(found)) if found.label.is_none_or(are_numbers) => has_values |= !values.is_empty(),
            Ok(None) => {}
            _ => return false,
        }
    }
    has_values
}

/// Returns whether a label is a number, or several with commas between them.
fn are_numbers(label: &str) -> bool {
    label.split(',').all(|part| part.parse::<f64>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Label, query and values.
    type LineParts<'a> = (Option<&'a str>, Option<&'a str>, Vec<StoredValue>);

    fn line(text: &str) -> Result<LineParts<'_>, String> {
        let mut values = Vec::new();
        let found = parse(text, &mut values)?.expect("not only a comment");
        Ok((found.label, found.query, values))
    }

    #[test]
    fn labels_queries_and_comments() {
        assert_eq!(line("+1 3:0.5 1:2 # first"), Ok((Some("+1"), None, vec![(1, 2.0), (3, 0.5)])));
        assert_eq!(line("2 qid:7\t1:1e-3"), Ok((Some("2"), Some("7"), vec![(1, 1e-3)])));
        assert_eq!(line("1,4 9:0"), Ok((Some("1,4"), None, vec![])));
        assert_eq!(line("5:1"), Ok((None, None, vec![(5, 1.0)])));
        assert_eq!(line("-1"), Ok((Some("-1"), None, vec![])));
        assert_eq!(parse("  # only a comment", &mut Vec::new()), Ok(None));
    }

    #[test]
    fn what_is_wrong_is_said() {
        let problem = |text| line(text).unwrap_err();
        assert_eq!(problem("1 2"), "found \"2\"; after the label, only index:value is allowed");
        assert_eq!(problem("1 x:2"), "the index \"x\" is not a whole number from 0 to 4294967294");
        assert_eq!(problem("1 -3:2"), "the index \"-3\" is not a whole number from 0 to 4294967294");
        assert_eq!(problem("1 3:"), "the value of index 3 is \"\"; it must be a finite number");
        assert_eq!(problem("1 3:inf"), "the value of index 3 is \"inf\"; it must be a finite number");
        assert_eq!(problem("1 3:1 2:1 3:0"), "index 3 comes twice; each may come once");
    }

    #[test]
    fn files_are_recognised_by_all_their_first_lines() {
        let is = |text: &str, is_all| looks_like_svmlight(text.as_bytes(), is_all);
        assert!(is("# made by hand\n-1 1:0.5 7:1\n1\n1 2:3", true));
        assert!(is("1 1:0.5\n1 2:", false)); // cut off in its second line
        for text in ["a,b\n1,2\n", "1\n2\n", "time 12:30\n", "1 1:2\n1 2\n", "", "1 1:2\n1 1:x\n", "1 12:30:05\n"] {
            assert!(!is(text, true), "{text}");
        }
    }
}
