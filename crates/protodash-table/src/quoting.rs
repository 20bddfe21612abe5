//! Texts as they are typed: in a shell, in a list of a flag, and in Python.

/// A word as typed in a shell: in single quotes if needed.
///
/// # Examples
///
/// ```
/// use protodash_table::shell_word;
///
/// let words = ["a.csv", "gr\u{f6}\u{df}e", "", "it's", "$HOME"].map(shell_word);
/// assert_eq!(words, ["a.csv", "gr\u{f6}\u{df}e", "''", "'it'\\''s'", "'$HOME'"]);
/// ```
#[must_use]
pub fn shell_word(word: &str) -> String {
    let is_plain = |char: char| char.is_alphanumeric() || "_-./:@%+=,".contains(char);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

/// Names as a comma-separated list; a name that contains a comma or a double quote is quoted as in CSV.
///
/// # Examples
///
/// ```
/// let names = ["a,b", "5\"", "c d"].map(str::to_owned);
/// assert_eq!(protodash_table::comma_separated(&names), "\"a,b\",\"5\"\"\",c d");
/// ```
#[must_use]
pub fn comma_separated(names: &[String]) -> String {
    let in_csv = |name: &String| match name.contains([',', '"']) {
        true => format!("\"{}\"", name.replace('"', "\"\"")),
        false => name.clone(),
    };
    names.iter().map(in_csv).collect::<Vec<_>>().join(",")
}

/// A text as a string literal of Python.
///
/// # Examples
///
/// ```
/// assert_eq!(protodash_table::python_text("a\"b\\c\n\u{7}\u{e9}"), "\"a\\\"b\\\\c\\n\\x07\u{e9}\"");
/// ```
#[must_use]
pub fn python_text(text: &str) -> String {
    let escaped = |char: char| match char {
        '"' | '\\' => format!("\\{char}"),
        '\n' => "\\n".to_owned(),
        '\r' => "\\r".to_owned(),
        '\t' => "\\t".to_owned(),
        other if other.is_control() => format!("\\x{:02x}", u32::from(other)),
        other => other.to_string(),
    };
    format!("\"{}\"", text.chars().map(escaped).collect::<String>())
}
