//! One line of a JSON lines file: its keys and values as written.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// A value, by kind.
pub(crate) enum JsonValue<'a> {
    /// `null`.
    Missing,
    /// A number as it is written.
    Number(&'a str),
    Boolean(bool),
    Text(Cow<'a, str>),
    /// An object or a list.
    Nested(&'static str),
}

/// The keys of a file, each with its position.
#[derive(Debug, Default)]
pub(crate) struct KeyPositions {
    keys: Vec<String>,
    positions: HashMap<String, usize>,
}

impl KeyPositions {
    /// Returns the position of `key`, which is usually `expected`; `None` if the key is new.
    pub(crate) fn position(&self, key: &str, expected: usize) -> Option<usize> {
        if self.keys.get(expected).is_some_and(|other| other == key) {
            return Some(expected);
        }
        self.positions.get(key).copied()
    }

    /// Adds a key that is new.
    pub(crate) fn push(&mut self, key: &str) -> usize {
        self.positions.insert(key.to_owned(), self.keys.len());
        self.keys.push(key.to_owned());
        self.keys.len() - 1
    }
}

impl FromIterator<String> for KeyPositions {
    fn from_iter<I: IntoIterator<Item = String>>(keys: I) -> Self {
        let mut positions = KeyPositions::default();
        keys.into_iter().for_each(|key| _ = positions.push(&key));
        positions
    }
}

/// Calls `each` with every key and value of the object in `line`, in order.
///
/// # Errors
///
/// If `line` is not a JSON object, and every error of `each`.
pub(crate) fn parse_line<'a>(
    line: &'a [u8],
    each: &mut dyn FnMut(&str, JsonValue<'a>) -> Result<(), String>,
) -> serde_json::Result<()> {
    let mut deserializer = serde_json::Deserializer::from_slice(line);
    Object(each).deserialize(&mut deserializer)?;
    deserializer.end()
}

/// Visits the object of a line.
struct Object<'f, 'a>(&'f mut dyn FnMut(&str, JsonValue<'a>) -> Result<(), String>);

impl<'a> DeserializeSeed<'a> for Object<'_, 'a> {
    type Value = ();

    fn deserialize<D: Deserializer<'a>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'a> Visitor<'a> for Object<'_, 'a> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object in braces")
    }

    fn visit_map<A: MapAccess<'a>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(Key(key)) = map.next_key::<Key<'a>>()? {
            let raw: &'a RawValue = map.next_value()?;
            let value = value(raw.get()).ok_or_else(|| serde::de::Error::custom("a text has an invalid escape"))?;
            (self.0)(&key, value).map_err(serde::de::Error::custom)?;
        }
        Ok(())
    }
}

/// A key, borrowed from the line unless it has escapes.
#[derive(Deserialize)]
struct Key<'a>(#[serde(borrow)] Cow<'a, str>);

/// Returns the value of `raw`, which is valid JSON, or `None` if it is text with half a surrogate pair.
fn value(raw: &str) -> Option<JsonValue<'_>> {
    Some(match raw.as_bytes().first() {
        Some(b'n') => JsonValue::Missing,
        Some(b't' | b'f') => JsonValue::Boolean(raw == "true"),
        Some(b'{') => JsonValue::Nested("object"),
        Some(b'[') => JsonValue::Nested("list"),
        // Without a backslash, the text is what is between the quotes.
        Some(b'"') if !raw.contains('\\') => JsonValue::Text(Cow::Borrowed(&raw[1..raw.len() - 1])),
        Some(b'"') => JsonValue::Text(Cow::Owned(serde_json::from_str(raw).ok()?)),
        _ => JsonValue::Number(raw),
    })
}
