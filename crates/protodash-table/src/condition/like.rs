//! `LIKE` and `ILIKE`: `%` matches any text, `_` one character, and `\` takes the next character literally.

use std::str::Chars;

use arrow_array::cast::AsArray;
use arrow_array::{Array, BooleanArray, Datum, StringArray};

/// Returns for each row whether the text matches the pattern; null where either is null.
pub(super) fn like(text: &dyn Datum, pattern: &dyn Datum, ignore_case: bool) -> BooleanArray {
    let ((texts, one_text), (patterns, one_pattern)) = (text.get(), pattern.get());
    let (texts, patterns) = (texts.as_string::<i32>(), patterns.as_string::<i32>());
    let n_rows = if one_text { patterns.len() } else { texts.len() };
    let mut compiled: Option<(&str, LikePattern)> = None;
    let row_matches = |row: usize| {
        let (text, pattern) = (cell(texts, one_text, row)?, cell(patterns, one_pattern, row)?);
        // Usually all rows share one pattern.
        if compiled.as_ref().is_none_or(|(source, _)| *source != pattern) {
            compiled = Some((pattern, LikePattern::new(pattern, ignore_case)));
        }
        compiled.as_ref().map(|(_, compiled)| compiled.matches(text))
    };
    (0..n_rows).map(row_matches).collect()
}

fn cell(array: &StringArray, is_scalar: bool, row: usize) -> Option<&str> {
    let row = if is_scalar { 0 } else { row };
    array.is_valid(row).then(|| array.value(row))
}

/// A pattern, split into tokens.
struct LikePattern {
    tokens: Vec<LikeToken>,
    ignore_case: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum LikeToken {
    Literal(char),
    AnyChar,
    AnyText,
}

impl LikePattern {
    fn new(pattern: &str, ignore_case: bool) -> LikePattern {
        let mut tokens = Vec::new();
        let mut chars = pattern.chars();
        while let Some(char) = chars.next() {
            tokens.push(match char {
                '%' => LikeToken::AnyText,
                '_' => LikeToken::AnyChar,
                // A backslash at the end stands for itself.
                '\\' => LikeToken::Literal(folded(chars.next().unwrap_or('\\'), ignore_case)),
                char => LikeToken::Literal(folded(char, ignore_case)),
            });
        }
        LikePattern { tokens, ignore_case }
    }

    /// Whether the whole text matches. On a mismatch the last `%` takes one more character.
    fn matches(&self, text: &str) -> bool {
        let (mut rest, mut place) = (text.chars(), 0);
        let mut retry: Option<(Chars<'_>, usize)> = None;
        loop {
            match self.tokens.get(place) {
                Some(LikeToken::AnyText) => {
                    place += 1;
                    retry = Some((rest.clone(), place));
                    continue;
                }
                Some(token) if self.accepts(*token, rest.clone().next()) => {
                    (rest, place) = (skip_one(rest), place + 1);
                    continue;
                }
                None if rest.as_str().is_empty() => return true,
                _ => {}
            }
            let Some((start, after)) = retry.take() else { return false };
            if start.as_str().is_empty() {
                return false;
            }
            (rest, place) = (skip_one(start), after);
            retry = Some((rest.clone(), after));
        }
    }

    fn accepts(&self, token: LikeToken, char: Option<char>) -> bool {
        char.is_some_and(|char| match token {
            LikeToken::Literal(literal) => literal == folded(char, self.ignore_case),
            LikeToken::AnyChar | LikeToken::AnyText => true,
        })
    }
}

fn skip_one(mut chars: Chars<'_>) -> Chars<'_> {
    chars.next();
    chars
}

/// Returns the character without its case where case is ignored.
fn folded(char: char, ignore_case: bool) -> char {
    if !ignore_case {
        return char;
    }
    let upper = single(char.to_uppercase()).unwrap_or(char);
    single(upper.to_lowercase()).unwrap_or(char)
}

/// Returns the only character; `None` if there are several, as in the upper case of `ß`.
fn single(mut chars: impl Iterator<Item = char>) -> Option<char> {
    chars.next().filter(|_| chars.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(text: &str, pattern: &str) -> [bool; 2] {
        [false, true].map(|ignore_case| LikePattern::new(pattern, ignore_case).matches(text))
    }

    #[test]
    fn wildcards_and_escapes() {
        for (text, pattern, expected) in [
            ("Ada", "Ada", true),
            ("Ada", "A%", true),
            ("Ada", "%a", true),
            ("Ada", "A__", true),
            ("Ada", "A_", false),
            ("", "%", true),
            ("", "_", false),
            ("", "", true),
            ("a\nb", "a_b", true),
            ("aab", "%ab", true),
            ("abcabd", "%ab_%d", true),
            ("mississippi", "m%iss%ip_i", true),
            ("mississippi", "m%iss%ip_", false),
            ("50%", "50\\%", true),
            ("500", "50\\%", false),
            ("a\\", "a\\", true),
            ("äöü", "_ö_", true),
            ("a.b", "a.b", true),
            ("axb", "a.b", false),
        ] {
            assert_eq!(matches(text, pattern), [expected; 2], "{text:?} LIKE {pattern:?}");
        }
    }

    #[test]
    fn case_is_ignored_on_request() {
        for (text, pattern) in [("ADA", "a%"), ("ÄRGER", "är%"), ("straße", "STRAßE"), ("ΣΊΣΥΦΟΣ", "σίσυφος")]
        {
            assert_eq!(matches(text, pattern), [false, true], "{text:?} ILIKE {pattern:?}");
        }
    }

    #[test]
    fn null_and_scalar_operands() {
        let texts = StringArray::from(vec![Some("ab"), None, Some("b")]);
        let pattern = StringArray::new_scalar("a%");
        let expected = BooleanArray::from(vec![Some(true), None, Some(false)]);
        assert_eq!(like(&texts, &pattern, false), expected);
        let patterns = StringArray::from(vec![Some("_b"), Some("%"), None]);
        assert_eq!(like(&texts, &patterns, false), BooleanArray::from(vec![Some(true), None, None]));
    }
}
