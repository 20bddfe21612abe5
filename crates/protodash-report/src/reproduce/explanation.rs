//! The calls that make explanations again.

use protodash_table::python_text;

use super::python::{Code, kernel, reader};
use super::shell::Words;
use super::{ReproducingCall, calls, number};
use crate::document::ExplanationDocument;
use crate::gather::ImageShape;

/// The share of similar rows that both languages use by default.
const SIMILAR_SHARE: f64 = 0.99;

/// The calls that make explanations and their report again; those that cannot express a setting are omitted.
pub(crate) fn explanation_calls(
    document: &ExplanationDocument,
    image_shape: Option<ImageShape>,
) -> Vec<ReproducingCall> {
    calls(command(document, image_shape), python(document, image_shape))
}

/// The largest number of prototypes of a row: more were not found for any.
fn n_prototypes(document: &ExplanationDocument) -> usize {
    document.explanations.iter().map(|found| found.prototypes.len()).max().unwrap_or(1).max(1)
}

fn command(document: &ExplanationDocument, image_shape: Option<ImageShape>) -> Option<String> {
    let data = &document.data;
    if data.is_in_memory() {
        return None;
    }
    let mut words = Words::new("explain");
    words.path(&data.source);
    words.flag("--rows", data.target.as_deref().or(data.target_where.as_deref())?);
    words.flag("-m", &n_prototypes(document).to_string());
    words.kernel(&document.kernel);
    words.data(data);
    words.switch("--same", document.same_class);
    if document.similar_share != SIMILAR_SHARE {
        words.flag("--similar-share", &number(document.similar_share));
    }
    if document.seed != 0 {
        words.flag("--seed", &document.seed.to_string());
    }
    words.flag("--report", "page.html");
    image_shape.iter().for_each(|shape| words.flag("--image-shape", &shape.to_string()));
    Some(words.text)
}

fn python(document: &ExplanationDocument, image_shape: Option<ImageShape>) -> Option<String> {
    let data = &document.data;
    let has_other = data.source_where.is_some() || data.target_where.is_some() || data.source_sample.is_some();
    if has_other || data.source_labels.is_some() || !data.header || !data.show.is_empty() {
        return None;
    }
    let mut code = Code::default();
    if data.is_in_memory() {
        code.lines.push(
            "# source and rows are the data of the original call; pass ids and classes again if they were arrays."
                .to_owned(),
        );
    } else {
        code.lines.push(format!("source = {}", reader(&data.source, data.delimiter)?));
        code.lines.push(format!("rows = {}", reader(data.target.as_deref()?, data.delimiter)?));
    }
    code.open("explanations = protodash.explain", "source, rows");
    code.keyword("n_prototypes", n_prototypes(document).to_string());
    code.keyword("kernel", kernel(&document.kernel));
    data.id.iter().for_each(|id| code.keyword("id", python_text(id)));
    let mut drop = data.drop.clone();
    match (&data.label, document.same_class) {
        (Some(label), true) => code.keyword("same", python_text(label)),
        // A class is not a feature.
        (Some(label), false) => drop.push(label.clone()),
        (None, _) => {}
    }
    code.columns(data, &drop);
    if document.similar_share != SIMILAR_SHARE {
        code.keyword("similar_share", number(document.similar_share));
    }
    if document.seed != 0 {
        code.keyword("seed", document.seed.to_string());
    }
    code.lines.push(")".to_owned());
    let shape = image_shape.map(|shape| format!(", image_shape=({})", shape.to_string().replace('x', ", ")));
    code.lines.push(format!("explanations.report(\"page.html\"{})", shape.unwrap_or_default()));
    Some(code.finish(data.is_in_memory()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_calls_name_the_rows() {
        let mut document = ExplanationDocument::example();
        let found = explanation_calls(&document, None);
        assert!(found[0].code.starts_with("protodash explain people.csv --rows new.csv -m "), "{}", found[0].code);
        assert!(found[1].code.contains("rows = pandas.read_csv(\"new.csv\")"), "{}", found[1].code);
        // A condition is for the command only: in Python the rows are a table of their own.
        (document.data.target, document.data.target_where) = (None, Some("age > 60".to_owned()));
        let found = explanation_calls(&document, None);
        assert!(found.len() == 1 && found[0].code.contains(" --rows 'age > 60' "), "{found:?}");
    }
}
