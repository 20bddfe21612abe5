//! Reading a result, and rejecting files that are not one.

use serde_json::Value;
use thiserror::Error;

use super::{SCHEMA, SelectionDocument};

/// Why a text is not a result.
///
/// # Examples
///
/// ```
/// let error = protodash_report::SelectionDocument::from_json("{\"schema\": 2}").unwrap_err();
/// assert_eq!(error.to_string(), "has schema 2; this version reads schema 1");
/// ```
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The text is not JSON.
    #[error("is not a protodash result: it is not JSON ({0})")]
    NotJson(serde_json::Error),

    /// The JSON has no schema number.
    #[error("is not a protodash result: it has no \"schema\"")]
    NoSchema,

    /// The file follows another schema.
    #[error("has schema {0}; this version reads schema {SCHEMA}")]
    OtherSchema(Value),

    /// A key is missing or has the wrong type.
    #[error("is not a complete result: {0}")]
    Incomplete(serde_json::Error),

    /// A weight is negative or not finite.
    #[error("is not a complete result: the weight of row {row} is {weight}; weights must be finite and at least 0")]
    Weight {
        /// The row of the source.
        row: u64,
        /// Its weight.
        weight: f64,
    },
}

/// The JSON of a result of any kind, with a schema number that this version reads.
///
/// # Errors
///
/// [`ReadError::NotJson`], [`ReadError::NoSchema`] or [`ReadError::OtherSchema`].
///
/// # Examples
///
/// ```
/// assert!(protodash_report::read_json("{\"schema\": 1}").is_ok());
/// ```
pub fn read_json(text: &str) -> Result<Value, ReadError> {
    let value: Value = serde_json::from_str(text).map_err(ReadError::NotJson)?;
    match value.get("schema") {
        None => Err(ReadError::NoSchema),
        Some(schema) if schema.as_u64() != Some(SCHEMA) => Err(ReadError::OtherSchema(schema.clone())),
        Some(_) => Ok(value),
    }
}

impl SelectionDocument {
    /// The document that a text holds.
    ///
    /// # Errors
    ///
    /// If it is not the JSON of a selection.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash_report::SelectionDocument;
    ///
    /// assert_eq!(SelectionDocument::from_json(SelectionDocument::EXAMPLE)?.n_target, 4);
    /// # Ok::<(), protodash_report::ReadError>(())
    /// ```
    pub fn from_json(text: &str) -> Result<SelectionDocument, ReadError> {
        SelectionDocument::from_value(read_json(text)?)
    }

    /// The document that a JSON value holds.
    ///
    /// # Errors
    ///
    /// If a key is missing or wrong.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash_report::SelectionDocument;
    ///
    /// let value = serde_json::from_str(SelectionDocument::EXAMPLE)?;
    /// assert_eq!(SelectionDocument::from_value(value)?, SelectionDocument::example());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_value(value: Value) -> Result<SelectionDocument, ReadError> {
        let mut document: SelectionDocument = serde_json::from_value(value).map_err(ReadError::Incomplete)?;
        let valid = |weight: f64| weight.is_finite() && weight >= 0.0;
        if let Some(wrong) = document.prototypes.iter().find(|prototype| !valid(prototype.weight)) {
            return Err(ReadError::Weight { row: wrong.source_index, weight: wrong.weight });
        }
        document.fill_energy();
        Ok(document)
    }

    /// Computes the energy of files that were written before it was stored.
    fn fill_energy(&mut self) {
        let Some(mmd2) = self.mmd2.filter(|_| self.target_energy.is_none()) else { return };
        let energy = mmd2 + 2.0 * self.objective_final;
        self.target_energy = Some(energy);
        let known = self.explained_standard_error.zip(self.explained).filter(|(_, explained)| *explained != 0.0);
        self.target_energy_standard_error = known.map(|(error, explained)| error * energy / explained.abs());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn changed(change: impl FnOnce(&mut Value)) -> Result<SelectionDocument, ReadError> {
        let mut value = serde_json::from_str(SelectionDocument::EXAMPLE).unwrap();
        change(&mut value);
        SelectionDocument::from_value(value)
    }

    #[test]
    fn a_file_without_its_energy_is_read() {
        let without = changed(|value| drop(value.as_object_mut().unwrap().remove("target_energy"))).unwrap();
        assert_eq!((without.target_energy, without.target_energy_standard_error), (Some(0.75), None));
        let estimated = changed(|value| {
            value.as_object_mut().unwrap().remove("target_energy");
            value["explained_standard_error"] = json!(0.08);
        });
        let error = estimated.unwrap().target_energy_standard_error.unwrap();
        assert!((error - 0.075).abs() < 1e-15, "{error}"); // 0.08 · 0.75 / 0.8
        let skipped = changed(|value| (value["target_energy"], value["mmd2"]) = (Value::Null, Value::Null)).unwrap();
        assert_eq!(skipped.target_energy, None);
    }

    #[test]
    fn unknown_keys_survive() {
        let newer = changed(|value| {
            value["mood"] = json!({"b": 1, "a": [2.5]});
            value["prototypes"][0]["rarity"] = json!(3);
            value["data"]["encoding"] = json!("utf-8");
        });
        let text = newer.unwrap().to_json().unwrap();
        let again: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(again["mood"], json!({"b": 1, "a": [2.5]}));
        assert_eq!((&again["prototypes"][0]["rarity"], &again["data"]["encoding"]), (&json!(3), &json!("utf-8")));
    }

    #[test]
    fn damaged_files_are_rejected() {
        let message = |result: Result<SelectionDocument, ReadError>| result.unwrap_err().to_string();
        assert_eq!(message(SelectionDocument::from_json("[1]")), "is not a protodash result: it has no \"schema\"");
        assert!(
            message(SelectionDocument::from_json("{")).starts_with("is not a protodash result: it is not JSON (EOF")
        );
        assert!(message(changed(|value| value["n_source"] = json!("x"))).starts_with("is not a complete result: "));
        let negative = changed(|value| value["prototypes"][0]["weight"] = json!(-1.0));
        assert!(message(negative).ends_with("the weight of row 3 is -1; weights must be finite and at least 0"));
    }
}
