//! The calls that compare methods again.

use protodash::{Choice, Method};

use super::python::{Code, kernel, list, literal, reader};
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
        let mut words = Words::new("compare");
        words.path(&data.source);
        words.flag("-m", &self.sizes().join(","));
        self.methods().iter().for_each(|methods| words.flag("--method", &methods.join(",")));
        words.kernel(&document.kernel);
        let texts = [("--target", &data.target), ("--target-where", &data.target_where)];
        texts.iter().for_each(|(flag, value)| value.iter().for_each(|value| words.flag(flag, value)));
        words.data(data);
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
        let (in_memory, has_target) = (data.is_in_memory(), data.target.is_some());
        // Pages from Python have no images.
        let has_more = data.source_labels.is_some() || data.target_labels.is_some() || !data.show.is_empty();
        if has_more || !data.header || self.image_shape.is_some() {
            return None;
        }
        let mut code = Code::default();
        if in_memory {
            let data = if has_target { "source and target are" } else { "source is" };
            code.lines.push(format!(
                "# {data} the data of the original call; pass ids, labels and weights again if they were arrays."
            ));
        } else {
            code.lines.push(format!("source = {}", reader(&data.source, data)?));
            if let Some(target) = &data.target {
                code.lines.push(format!("target = {}", reader(target, data)?));
            }
        }
        let positional = if has_target { "source, target" } else { "source" };
        code.lines.push(format!("comparison = protodash.compare(\n    {positional},"));
        code.keyword("n_prototypes", list(self.sizes().into_iter()));
        self.methods()
            .iter()
            .for_each(|methods| code.keyword("method", list(methods.iter().map(|method| literal(method)))));
        code.keyword("kernel", kernel(&document.kernel));
        let texts = [
            ("source_where", &data.source_where),
            ("target_where", &data.target_where),
            ("id", &data.id),
            ("label", &data.label),
            ("target_weights", &data.target_weight),
        ];
        texts.iter().for_each(|(name, value)| value.iter().for_each(|value| code.keyword(name, literal(value))));
        for (name, value) in [("source_sample", data.source_sample), ("target_sample", data.target_sample)] {
            value.iter().for_each(|value| code.keyword(name, value.to_string()));
        }
        code.columns(data, &data.drop);
        if document.oversample != 1.0 {
            code.keyword("oversample", number(document.oversample));
        }
        document.holdout.iter().for_each(|part| code.keyword("holdout", number(*part)));
        if self.skips_energy() {
            code.keyword("target_energy", literal("skip"));
        }
        if document.seed != 0 {
            code.keyword("seed", document.seed.to_string());
        }
        code.lines.push(")\ncomparison.report(\"page.html\")".to_owned());
        Some(code.finish(in_memory))
    }
}
