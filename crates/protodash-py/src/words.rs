//! The command's words as Python's: its flags become keywords, and their values are written as Python writes them.

/// Flags whose value is a word.
const WORDS: &[(&str, &[&str])] =
    &[("missing", &["error", "category", "mean", "zero"]), ("scale", &["none", "standard", "minmax"])];
/// Flags that a hint names together with the names of columns.
const LISTS: &[&str] = &["drop", "categorical"];
const NAMES: &[&str] = &["id"];

/// The text with the command's flags as Python's keywords: `--target-weight` is `target_weight`, and in hints
/// `--drop a,b` is `drop=["a", "b"]`.
pub(crate) fn in_python(text: &str) -> String {
    match text.split_once("\nhint: ") {
        None => keywords(text, false),
        Some((message, hint)) => format!("{}\nhint: {}", keywords(message, false), keywords(hint, true)),
    }
}

fn keywords(text: &str, is_hint: bool) -> String {
    let mut parts = text.split("--");
    let mut shown = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find(|sign: char| !sign.is_ascii_lowercase() && sign != '-').unwrap_or(part.len());
        let (keyword, rest) = (part[..end].replace('-', "_"), &part[end..]);
        match value(&keyword, rest, is_hint) {
            _ if end == 0 => shown += &format!("--{rest}"),
            Some((value, rest)) => shown += &format!("{keyword}={value}{rest}"),
            None => shown += &format!("{keyword}{rest}"),
        }
    }
    shown
}

/// What stands behind a flag as Python writes it, if that is its value, and what follows.
fn value<'a>(keyword: &str, rest: &'a str, is_hint: bool) -> Option<(String, &'a str)> {
    let rest = rest.strip_prefix(' ')?;
    if let Some((_, words)) = WORDS.iter().find(|(flag, _)| *flag == keyword) {
        let word = words.iter().find(|word| rest.starts_with(**word))?;
        return Some((format!("{word:?}"), &rest[word.len()..]));
    }
    if !is_hint || !(LISTS.contains(&keyword) || NAMES.contains(&keyword)) {
        return None;
    }
    let (typed, rest) = typed(rest)?;
    let names: Vec<String> = if LISTS.contains(&keyword) { separated(&typed) } else { vec![typed] };
    let quoted: Vec<String> = names.iter().map(|name| format!("{name:?}")).collect();
    let value = quoted.join(", ");
    Some((if LISTS.contains(&keyword) { format!("[{value}]") } else { value }, rest))
}

/// What was typed as for a shell: up to a blank, or between single quotes; then what follows.
fn typed(text: &str) -> Option<(String, &str)> {
    let Some(mut rest) = text.strip_prefix('\'') else {
        let end = text.find(' ').unwrap_or(text.len());
        // A comma at the end is one of the sentence.
        let end = text[..end].trim_end_matches(',').len();
        return (end > 0).then(|| (text[..end].to_owned(), &text[end..]));
    };
    let mut value = String::new();
    loop {
        let (inside, after) = rest.split_once('\'')?;
        value += inside;
        match after.strip_prefix("\\''") {
            // A quote inside of quotes is written as '\''.
            Some(more) => (value, rest) = (value + "'", more),
            None => return Some((value, after)),
        }
    }
}

/// Names between commas; one that holds a comma or a double quote stands in double quotes.
fn separated(list: &str) -> Vec<String> {
    let (mut names, mut quoted) = (vec![String::new()], false);
    let mut signs = list.chars().peekable();
    while let Some(sign) = signs.next() {
        match (sign, names.last_mut()) {
            ('"', Some(name)) if quoted && signs.peek() == Some(&'"') => name.extend(signs.next()),
            ('"', _) => quoted = !quoted,
            (',', _) if !quoted => names.push(String::new()),
            (other, Some(name)) => name.push(other),
            (_, None) => {}
        }
    }
    names
}
