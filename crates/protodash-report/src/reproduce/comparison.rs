//! The calls that compare methods again.

use protodash::{Choice, Method};
use protodash_table::python_text;

use super::python::{Code, kernel, list};
use super::shell::Words;
use super::{ReproducingCall, calls, number};
use crate::document::ComparisonDocument;
use crate::gather::ImageShape;

/// The calls that make a comparison and its report again; those that cannot express a setting are omitted. Times differ from run
/// to run.
pub(crate) fn comparison_calls(document: &ComparisonDocument, image_shape: Option<ImageShape>) -> Vec<ReproducingCall> {
    if document.results.is_empty() {
        return Vec::new();
    }
    let run = ReproducedComparison { document, image_shape };
    calls(run.command(), run.python())
}

struct ReproducedComparison<'a> {
    document: &'a ComparisonDocument,
    image_shape: Option<ImageShape>,
}

impl ReproducedComparison<'_> {
    fn sizes(&self) -> Vec<String> {
        let mut sizes: Vec<usize> = self.document.results.iter().map(|outcome| outcome.n_prototypes).collect();
        sizes.sort_unstable();
        sizes.dedup();
        sizes.iter().map(usize::to_string).collect()
    }

    /// The methods, unless they are all there are.
    fn methods(&self) -> Option<Vec<&str>> {
        let mut methods: Vec<&str> = Vec::new();
        for outcome in &self.document.results {
            if !methods.contains(&outcome.method.as_str()) {
                methods.push(&outcome.method);
            }
        }
        let all: Vec<&str> = Method::ALL.iter().map(|(_, name, ..)| *name).collect();
        (methods != all).then_some(methods)
    }

    /// Whether the energy of the target was skipped, so that no fit is known.
    fn skips_energy(&self) -> bool {
        self.document.kernel.kernel.is_some() && self.document.results.iter().all(|outcome| outcome.mmd2.is_none())
    }

    fn command(&self) -> Option<String> {
        let (document, data) = (self.document, &self.document.data);
        if data.is_in_memory() {
            return None;
        }
        let mut words = Words::opening("compare", Some(&self.sizes().join(",")), &document.kernel, data);
        self.methods().iter().for_each(|methods| words.flag("--method", &methods.join(",")));
        if document.oversample != 1.0 {
            words.flag("--oversample", &number(document.oversample));
        }
        document.holdout.iter().for_each(|part| words.flag("--holdout", &number(*part)));
        if self.skips_energy() {
            words.flag("--target-energy", "skip");
        }
        if document.seed != 0 {
            words.flag("--seed", &document.seed.to_string());
        }
        words.flag("--report", "page.html");
        self.image_shape.iter().for_each(|shape| words.flag("--image-shape", &shape.to_string()));
        Some(words.text)
    }

    fn python(&self) -> Option<String> {
        let (document, data) = (self.document, &self.document.data);
        // Pages from Python have no images.
        let has_more = data.source_labels.is_some() || data.target_labels.is_some() || !data.show.is_empty();
        if has_more || !data.header || self.image_shape.is_some() {
            return None;
        }
        let mut code = Code::opening("comparison = protodash.compare", data)?;
        code.keyword("n_prototypes", list(self.sizes().into_iter()));
        self.methods()
            .iter()
            .for_each(|methods| code.keyword("method", list(methods.iter().map(|method| python_text(method)))));
        code.keyword("kernel", kernel(&document.kernel));
        code.rows(data);
        code.columns(data, &data.drop);
        if document.oversample != 1.0 {
            code.keyword("oversample", number(document.oversample));
        }
        document.holdout.iter().for_each(|part| code.keyword("holdout", number(*part)));
        if self.skips_energy() {
            code.keyword("target_energy", python_text("skip"));
        }
        if document.seed != 0 {
            code.keyword("seed", document.seed.to_string());
        }
        code.lines.push(")\ncomparison.report(\"page.html\")".to_owned());
        Some(code.finish(data.is_in_memory()))
    }
}
