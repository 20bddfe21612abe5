//! The calls that relate tables again.

use protodash::{Choice, Method, Weights};
use protodash_table::python_text;

use super::python::{Code, kernel_object, list, reader};
use super::shell::{Words, follows_features};
use super::{ReproducingCall, calls, number, parameters};
use crate::document::{RelationDocument, RelationSettings};

/// The calls that make a relation and its report again; none for results of older versions, which lack settings.
pub(crate) fn relation_calls(document: &RelationDocument) -> Vec<ReproducingCall> {
    let Some(settings) = &document.settings else { return Vec::new() };
    let run = ReproducedRelation { document, settings };
    calls(run.command(), run.python())
}

struct ReproducedRelation<'a> {
    document: &'a RelationDocument,
    settings: &'a RelationSettings,
}

impl ReproducedRelation<'_> {
    /// The name of the kernel, and its parameters with the rule for the bandwidth: the tables have different ones. Python takes
    /// the name of a rule as text.
    fn kernel(&self, rule: impl Fn(&str) -> String) -> Option<(&'static str, Vec<(&'static str, String)>)> {
        let kernel = &self.document.tables.first()?.kernel;
        let parameter = |(name, value): (&'static str, String)| match &self.settings.bandwidth {
            Some(bandwidth) if name == "bandwidth" => {
                (name, bandwidth.parse().map_or_else(|_| rule(bandwidth), number))
            }
            _ => (name, value),
        };
        let given = parameters(kernel).into_iter().filter(|(name, _)| !follows_features(kernel, name)).map(parameter);
        Some((kernel.name(), given.collect()))
    }

    /// The method and the rule for weights, unless they are the defaults.
    fn choices(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let given = [
            ("method", self.document.method.as_str(), Method::ALL[0].1),
            ("weights", self.document.weights.as_str(), Weights::ALL[0].1),
        ];
        given.into_iter().filter(|(_, name, default)| name != default).map(|(what, name, _)| (what, name))
    }

    fn command(&self) -> Option<String> {
        let (document, settings) = (self.document, self.settings);
        if document.is_in_memory() {
            return None;
        }
        let mut words = Words::new("relate");
        document.tables.iter().for_each(|table| words.path(&table.path));
        words.flag("--key", &document.key);
        words.flag("-m", &document.n_prototypes.to_string());
        let (name, parameters) = self.kernel(str::to_owned)?;
        words.kernel_with(name, parameters);
        if document.keys != "shared" {
            words.flag("--keys", &document.keys);
        }
        document.keys_of.iter().for_each(|path| words.flag("--keys-of", path));
        self.choices().for_each(|(what, name)| words.flag(&format!("--{what}"), name));
        if settings.n_best != 1 {
            words.flag("--best", &settings.n_best.to_string());
        }
        words.list("--drop", &settings.drop);
        words.list("--categorical", &settings.categorical);
        words.switch("--all-categorical", settings.all_categorical);
        settings.scale.iter().for_each(|scale| words.flag("--scale", scale));
        words.delimiter(settings.delimiter);
        if settings.seed != 0 {
            words.flag("--seed", &settings.seed.to_string());
        }
        words.flag("--report", "page.html");
        Some(words.text)
    }

    fn python(&self) -> Option<String> {
        let (document, settings) = (self.document, self.settings);
        let in_memory = document.is_in_memory();
        let read = |path: &str| reader(path, settings.delimiter);
        let mut code = Code::default();
        if in_memory {
            let names: Vec<String> = document.tables.iter().map(|table| python_text(&table.name)).collect();
            let keys = if document.keys_of.is_some() { ", and keys those it was limited to" } else { "" };
            code.lines.push(format!("# tables has the tables {} of the original call{keys}.", names.join(", ")));
        } else {
            code.lines.push("tables = {".to_owned());
            for table in &document.tables {
                code.entry(&python_text(&table.name), &read(&table.path)?);
            }
            code.lines.push("}".to_owned());
        }
        code.open("relation = protodash.relate", &format!("tables, {}", python_text(&document.key)));
        code.keyword("n_prototypes", document.n_prototypes.to_string());
        let (name, parameters) = self.kernel(python_text)?;
        code.keyword("kernel", kernel_object(name, parameters));
        if document.keys != "shared" {
            code.keyword("keys", python_text(&document.keys));
        }
        if let Some(path) = &document.keys_of {
            let keys =
                if in_memory { "keys".to_owned() } else { format!("{}[{}]", read(path)?, python_text(&document.key)) };
            code.keyword("keys_of", keys);
        }
        self.choices().for_each(|(what, name)| code.keyword(what, python_text(name)));
        if settings.n_best != 1 {
            code.keyword("best", settings.n_best.to_string());
        }
        for (name, names) in [("drop", &settings.drop), ("categorical", &settings.categorical)] {
            if !names.is_empty() {
                code.keyword(name, list(names.iter().map(|name| python_text(name))));
            }
        }
        if settings.all_categorical {
            code.keyword("categorical", python_text("all"));
        }
        settings.scale.iter().for_each(|scale| code.keyword("scale", python_text(scale)));
        if settings.seed != 0 {
            code.keyword("seed", settings.seed.to_string());
        }
        code.lines.push(")\nrelation.report(\"page.html\")".to_owned());
        Some(code.finish(in_memory))
    }
}
