//! Splits a condition into words, constants and symbols.

use super::problem::ConditionProblem;

/// A token and where it begins.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PlacedToken<'a> {
    pub(super) token: SqlToken<'a>,
    /// The character at which it begins, counted from 1.
    pub(super) at: usize,
}

/// A token of a condition.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum SqlToken<'a> {
    /// A keyword or a name without quotes.
    Word(&'a str),
    /// A name in double quotes or backquotes, without them.
    QuotedName(String),
    /// Text in single quotes, without them.
    Text(String),
    /// Digits, perhaps with a point and an exponent.
    Number(&'a str),
    /// An operator or punctuation.
    Symbol(&'a str),
    /// An SQL constant that conditions do not support, as shown in messages.
    OtherConstant(String),
    /// The end of the condition.
    End,
}

impl SqlToken<'_> {
    /// The token as it is written, for messages.
    pub(super) fn text(&self) -> String {
        match self {
            SqlToken::Word(text) | SqlToken::Number(text) | SqlToken::Symbol(text) => (*text).to_owned(),
            SqlToken::QuotedName(name) => format!("\"{name}\""),
            SqlToken::Text(text) => format!("'{text}'"),
            SqlToken::OtherConstant(text) => text.clone(),
            SqlToken::End => "the end of the condition".to_owned(),
        }
    }

    /// Whether this is the keyword, which is given in capitals.
    pub(super) fn is_word(&self, keyword: &str) -> bool {
        matches!(self, SqlToken::Word(word) if word.eq_ignore_ascii_case(keyword))
    }
}

/// Symbols of more than one character, longer ones first.
const LONG_SYMBOLS: [&str; 14] = ["->>", "!~*", "==", "<>", "!=", "<=", ">=", "||", "::", "->", "<<", ">>", "~*", "!~"];

/// The tokens of `text`; the last one is the end.
pub(super) fn tokens(text: &str) -> Result<Vec<PlacedToken<'_>>, ConditionProblem> {
    let mut scanner = Scanner { rest: text, at: 1 };
    let mut tokens = Vec::new();
    loop {
        scanner.skip_space()?;
        let at = scanner.at;
        let token = scanner.next()?;
        let is_end = token == SqlToken::End;
        tokens.push(PlacedToken { token, at });
        if is_end {
            return Ok(tokens);
        }
    }
}

struct Scanner<'a> {
    rest: &'a str,
    /// Position of the next character, counted from 1.
    at: usize,
}

impl<'a> Scanner<'a> {
    fn next(&mut self) -> Result<SqlToken<'a>, ConditionProblem> {
        let Some(first) = self.rest.chars().next() else { return Ok(SqlToken::End) };
        let second = self.rest[first.len_utf8()..].chars().next();
        match first {
            '\'' => Ok(SqlToken::Text(self.quoted("string literal")?)),
            '"' | '`' => Ok(SqlToken::QuotedName(self.quoted("quoted name")?)),
            'x' | 'X' | 'n' | 'N' | 'b' | 'B' | 'e' | 'E' if second == Some('\'') => {
                self.take(1);
                Ok(SqlToken::OtherConstant(format!(
                    "{}'{}'",
                    first.to_ascii_uppercase(),
                    self.quoted("string literal")?
                )))
            }
            '0'..='9' => Ok(SqlToken::Number(self.number())),
            '.' if second.is_some_and(|next| next.is_ascii_digit()) => Ok(SqlToken::Number(self.number())),
            first if is_name_start(first) => Ok(SqlToken::Word(self.take_while(is_name_part))),
            '?' | '$' | '@' => {
                self.take(1);
                let name = self.take_while(is_name_part);
                Ok(SqlToken::OtherConstant(format!("{first}{name}")))
            }
            _ => {
                let long = LONG_SYMBOLS.iter().find(|symbol| self.rest.starts_with(**symbol));
                Ok(SqlToken::Symbol(self.take(long.map_or(1, |symbol| symbol.len()))))
            }
        }
    }

    /// Skips white space and comments.
    fn skip_space(&mut self) -> Result<(), ConditionProblem> {
        loop {
            self.take_while(char::is_whitespace);
            if self.rest.starts_with("--") {
                self.take_while(|character| character != '\n');
            } else if self.rest.starts_with("/*") {
                let Some(end) = self.rest.find("*/") else { return Err(self.unterminated("comment", self.at)) };
                self.take(self.rest[..end + 2].chars().count());
            } else {
                return Ok(());
            }
        }
    }

    /// The text up to a quote like the first one; a doubled quote stands for one quote.
    fn quoted(&mut self, what: &str) -> Result<String, ConditionProblem> {
        let (begin, quote) = (self.at, self.take(1));
        let mut text = String::new();
        loop {
            text += self.take_while(|character| !quote.starts_with(character));
            if self.rest.is_empty() {
                return Err(self.unterminated(what, begin));
            }
            self.take(1);
            if !self.rest.starts_with(quote) {
                return Ok(text);
            }
            text += self.take(1);
        }
    }

    fn unterminated(&self, what: &str, begin: usize) -> ConditionProblem {
        ConditionProblem::Syntax { reason: format!("unterminated {what} at character {begin}") }
    }

    fn number(&mut self) -> &'a str {
        let bytes = self.rest.as_bytes();
        let digits = |from: usize| bytes[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let mut end = digits(0);
        if bytes.get(end) == Some(&b'.') {
            end += 1 + digits(end + 1);
        }
        if matches!(bytes.get(end), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
            let exponent = if end + 1 + sign <= bytes.len() { digits(end + 1 + sign) } else { 0 };
            // Without digits the e begins a word.
            end += if exponent > 0 { 1 + sign + exponent } else { 0 };
        }
        self.take(end)
    }

    /// Takes the next `n` characters.
    fn take(&mut self, n: usize) -> &'a str {
        let end = self.rest.char_indices().nth(n).map_or(self.rest.len(), |(end, _)| end);
        let (taken, rest) = self.rest.split_at(end);
        (self.rest, self.at) = (rest, self.at + n);
        taken
    }

    fn take_while(&mut self, accept: impl Fn(char) -> bool) -> &'a str {
        let n = self.rest.chars().take_while(|character| accept(*character)).count();
        self.take(n)
    }
}

fn is_name_start(character: char) -> bool {
    character.is_alphabetic() || character == '_'
}

fn is_name_part(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Vec<String> {
        tokens(text).unwrap().iter().map(|placed| format!("{}:{}", placed.at, placed.token.text())).collect()
    }

    #[test]
    fn tokens_have_their_position() {
        assert_eq!(shown("größe>=1.5e-3"), ["1:größe", "6:>=", "8:1.5e-3", "14:the end of the condition"]);
        assert_eq!(shown("a --x\n=/* y */'it''s'"), ["1:a", "7:=", "15:'it's'", "22:the end of the condition"]);
        assert_eq!(
            shown("\"zip \"\"code\"<>.5"),
            ["1:\"zip \"code\"", "13:<>", "15:.5", "17:the end of the condition"]
        );
    }

    #[test]
    fn numbers_end_before_the_first_character_that_cannot_continue_them() {
        assert_eq!(shown("1e"), ["1:1", "2:e", "3:the end of the condition"]);
        assert_eq!(shown("1.e+"), ["1:1.", "3:e", "4:+", "5:the end of the condition"]);
        assert_eq!(shown("2abc"), ["1:2", "2:abc", "5:the end of the condition"]);
    }

    #[test]
    fn unterminated_tokens_are_errors_with_their_position() {
        for (text, reason) in [
            ("a = 'b", "unterminated string literal at character 5"),
            ("\"a", "unterminated quoted name at character 1"),
            ("a /* b", "unterminated comment at character 3"),
        ] {
            assert_eq!(tokens(text).unwrap_err().to_string(), reason);
        }
    }
}
