//! The command and the Python call that make a result again, from the settings that it stores.
//!
//! They state what the run used, not what was typed: the bandwidth as a number, and only settings that are not the default.

mod comparison;
mod explanation;
mod python;
mod relation;
mod shell;

use protodash::{Choice, Method, ParameterValue};
use protodash_table::shell_word;

use crate::document::{DataRecord, QuotaRecord, SavedKernel, SelectionDocument};
use crate::gather::ImageShape;

pub(crate) use comparison::comparison_calls;
pub(crate) use explanation::explanation_calls;
pub(crate) use relation::relation_calls;

/// A call that makes a result again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReproducingCall {
    /// The language: Command or Python, and of which result if the page shows several.
    pub language: String,
    /// The call, to be pasted into a shell or into Python.
    pub code: String,
}

impl ReproducingCall {
    /// The command of these words, each quoted for the shell.
    ///
    /// # Examples
    ///
    /// ```
    /// let call = protodash_report::ReproducingCall::command(["ls".to_owned(), "my files".to_owned()]);
    /// assert_eq!((call.language.as_str(), call.code.as_str()), ("Command", "ls 'my files'"));
    /// ```
    pub fn command(words: impl IntoIterator<Item = String>) -> ReproducingCall {
        let words: Vec<String> = words.into_iter().map(|word| shell_word(&word)).collect();
        ReproducingCall { language: "Command".to_owned(), code: words.join(" ") }
    }

    /// The same call, named after one of several results on a page.
    pub(crate) fn of(self, result: &str) -> ReproducingCall {
        ReproducingCall { language: format!("{} of {result}", self.language), ..self }
    }
}

/// The calls that make a selection and its report again; those that its settings cannot be expressed in are omitted.
/// Results under quotas that were saved without columns and values have none.
///
/// # Examples
///
/// ```
/// use protodash_report::{SelectionDocument, reproducing_calls};
///
/// let mut document = SelectionDocument::example();
/// document.data.id = Some("the id".to_owned());
/// let calls = reproducing_calls(&document, None);
/// assert!(calls[0].code.starts_with("protodash select people.csv -m 2 --kernel gaussian --bandwidth 2.0 --id 'the id'"));
/// assert!(calls[1].code.contains("    id=\"the id\",\n"));
/// ```
#[must_use]
pub fn reproducing_calls(document: &SelectionDocument, image_shape: Option<ImageShape>) -> Vec<ReproducingCall> {
    let has_columns = |quota: &QuotaRecord| quota.column.is_some() && quota.value.is_some();
    if document.constraints.as_ref().is_some_and(|record| !record.quotas.iter().all(has_columns)) {
        return Vec::new();
    }
    let run = ReproducedRun { document, image_shape };
    calls(shell::command(&run), python::call(&run))
}

/// The calls that there are.
fn calls(command: Option<String>, python: Option<String>) -> Vec<ReproducingCall> {
    let call = |language: &str, code| ReproducingCall { language: language.to_owned(), code };
    let command = command.map(|code| call("Command", code));
    command.into_iter().chain(python.map(|code| call("Python", code))).collect()
}

/// A run, and what its report shows besides the result.
struct ReproducedRun<'a> {
    document: &'a SelectionDocument,
    image_shape: Option<ImageShape>,
}

impl ReproducedRun<'_> {
    fn data(&self) -> &DataRecord {
        &self.document.data
    }

    /// The number of prototypes to ask for: all if the greedy methods found that no further row helps.
    fn n_prototypes(&self) -> Option<usize> {
        let greedy = ["protodash", "protogreedy"].contains(&self.document.method.as_str());
        let until_none = greedy && self.document.stopped == "optimal" && self.document.per_label.is_none();
        (!until_none).then(|| self.document.prototypes.len().saturating_sub(self.document.n_fixed))
    }

    /// The number of prototypes of each class, if the caller gave them: then they say how many there are in all.
    fn class_numbers(&self) -> Option<Vec<(&str, usize)>> {
        self.document.per_label.as_ref()?.given()
    }

    /// The rule for weights, unless it is the method's default.
    fn weights(&self) -> Option<&str> {
        let default = Method::from_name(&self.document.method).map(|method| method.default_weights().name());
        Some(self.document.weights.as_str()).filter(|weights| Some(*weights) != default)
    }

    /// How the energy of the target was computed, unless from all rows.
    fn target_energy(&self) -> Option<&'static str> {
        match (self.document.target_energy, self.document.target_energy_standard_error) {
            (Some(_), Some(_)) => Some("sample"),
            (Some(_), None) => None,
            // A kernel matrix may lack it.
            (None, _) => self.document.kernel.kernel.map(|_| "skip"),
        }
    }

    fn is_raced(&self) -> bool {
        self.document.means.as_ref().is_some_and(|means| means.kind == "racing")
    }

    fn tolerance(&self) -> Option<f64> {
        self.document.means.as_ref().map(|means| means.tolerance).filter(|tolerance| *tolerance > 0.0)
    }

    /// The fixed rows by number, or by id where rows are named by ids; `None` if a row has none.
    fn fixed(&self) -> Option<Vec<String>> {
        if self.data().fixed.is_some() {
            return Some(Vec::new());
        }
        let fixed = self.document.prototypes.iter().take(self.document.n_fixed);
        match self.data().id {
            Some(_) => fixed.map(|prototype| prototype.id.clone()).collect(),
            None => Some(fixed.map(|prototype| prototype.source_index.to_string()).collect()),
        }
    }

    /// The excluded rows by number; `None` where rows are named by ids, which the result does not have.
    fn exclude(&self) -> Option<Vec<String>> {
        let exclude = &self.document.exclude;
        (self.data().id.is_none() || exclude.is_empty()).then(|| exclude.iter().map(u64::to_string).collect())
    }
}

/// The parameters of a kernel, as both languages read them.
fn parameters(kernel: &SavedKernel) -> Vec<(&'static str, String)> {
    let value = |value| match value {
        ParameterValue::Whole(value) => value.to_string(),
        ParameterValue::Number(value) => number(value),
    };
    kernel.parameters().into_iter().map(|(name, given)| (name, value(given))).collect()
}

/// A number with all its digits, as both languages read it.
fn number(value: f64) -> String {
    format!("{value:?}")
}
