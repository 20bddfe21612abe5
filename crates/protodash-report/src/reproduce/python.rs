//! The Python call, as source code.

use std::collections::BTreeMap;

use protodash_table::python_text;

use super::{ReproducedRun, number, parameters};
use crate::document::{DataRecord, SavedKernel};

/// The Python code that makes the result and its report again; `None` if it takes settings that Python does not have.
pub(super) fn call(run: &ReproducedRun<'_>) -> Option<String> {
    let data = run.data();
    if data.source_labels.is_some() || data.target_labels.is_some() || !data.header {
        return None;
    }
    let mut code = Code::opening("selection = protodash.select", data)?;
    if run.class_numbers().is_none() {
        code.keyword(
            "n_prototypes",
            run.n_prototypes().map_or_else(|| python_text("all"), |number| number.to_string()),
        );
    }
    code.keyword("kernel", kernel(&run.document.kernel));
    keywords(run, &mut code)?;
    code.lines.push(")".to_owned());
    let mut options = vec!["\"page.html\"".to_owned()];
    options.extend(criticisms(run));
    options.extend(run.image_shape.map(|shape| format!("image_shape=({})", shape.to_string().replace('x', ", "))));
    code.lines.push(format!("selection.report({})", options.join(", ")));
    Some(code.finish(data.is_in_memory()))
}

fn keywords(run: &ReproducedRun<'_>, code: &mut Code) -> Option<()> {
    let (document, data) = (run.document, run.data());
    code.rows(data);
    code.columns(data, &data.drop);
    if let Some(path) = &data.fixed {
        code.keyword("fixed", reader(path, data.delimiter)?);
    }
    let rows = |rows: Vec<String>| match data.id {
        Some(_) => list(rows.iter().map(|row| python_text(row))),
        None => list(rows.into_iter()),
    };
    let (fixed, exclude) = (run.fixed()?, run.exclude()?);
    for (name, given) in [("fixed", fixed), ("exclude", exclude)].into_iter().filter(|(_, given)| !given.is_empty()) {
        code.keyword(name, rows(given));
    }
    if document.method != "protodash" {
        code.keyword("method", python_text(&document.method));
    }
    run.weights().iter().for_each(|weights| code.keyword("weights", python_text(weights)));
    for (name, limit) in [("max_weight", document.max_weight), ("min_effective", document.min_effective)] {
        limit.iter().for_each(|limit| code.keyword(name, number(*limit)));
    }
    if document.oversample != 1.0 {
        code.keyword("oversample", number(document.oversample));
    }
    run.target_energy().iter().for_each(|how| code.keyword("target_energy", python_text(how)));
    if run.is_raced() {
        code.keyword("means", python_text("racing"));
    }
    run.tolerance().iter().for_each(|tolerance| code.keyword("tolerance", number(*tolerance)));
    if let Some(classes) = &document.per_label {
        let entry = |(class, number): &(&str, usize)| format!("{}: {number}", python_text(class));
        let given =
            |numbers: Vec<(&str, usize)>| format!("{{{}}}", numbers.iter().map(entry).collect::<Vec<_>>().join(", "));
        code.keyword("per_label", run.class_numbers().map_or_else(|| python_text(&classes.allocation), given));
    }
    if document.covariate_shift.is_some() {
        code.keyword("shift", "True".to_owned());
    }
    constraints(run, code)?;
    if document.seed != 0 {
        code.keyword("seed", document.seed.to_string());
    }
    Some(())
}

/// The kernel as an object; one that Python computed is the caller's.
pub(super) fn kernel(kernel: &SavedKernel) -> String {
    if kernel.kernel.is_none() { python_text(kernel.name()) } else { kernel_object(kernel.name(), parameters(kernel)) }
}

/// The object of a kernel with these parameters.
pub(super) fn kernel_object(name: &str, parameters: Vec<(&'static str, String)>) -> String {
    // The classes are named after the kernels, in camel case.
    let capital = |part: &str| {
        let mut chars = part.chars();
        chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect::<String>())
    };
    let class: String = name.split('-').map(capital).collect();
    let parameters: Vec<String> = parameters.into_iter().map(|(name, value)| format!("{name}={value}")).collect();
    format!("protodash.kernels.{class}({})", parameters.join(", "))
}

/// The limits of quotas by column, and the budget; `None` if a quota lacks its column.
fn constraints(run: &ReproducedRun<'_>, code: &mut Code) -> Option<()> {
    let Some(record) = &run.document.constraints else { return Some(()) };
    let mut limits: [BTreeMap<&str, Vec<String>>; 2] = Default::default();
    for quota in &record.quotas {
        let (column, value) = (quota.column.as_deref()?, quota.value.as_deref()?);
        let least = (quota.at_least > 0 || quota.at_most.is_none()).then_some(quota.at_least);
        for (limits, number) in limits.iter_mut().zip([least, quota.at_most]) {
            let entry = number.map(|number| format!("{}: {number}", python_text(value)));
            entry.into_iter().for_each(|entry| limits.entry(column).or_default().push(entry));
        }
    }
    for (name, limits) in ["at_least", "at_most"].into_iter().zip(limits).filter(|(_, limits)| !limits.is_empty()) {
        let columns =
            limits.iter().map(|(column, values)| format!("{}: {{{}}}", python_text(column), values.join(", ")));
        code.keyword(name, format!("{{{}}}", columns.collect::<Vec<_>>().join(", ")));
    }
    if let Some(budget) = &record.budget {
        code.keyword("cost", python_text(&budget.cost));
        if run.data().is_in_memory() {
            code.lines.push("    # or the cost of each row, if the costs were an array".to_owned());
        }
        code.keyword("budget", number(budget.budget));
    }
    Some(())
}

fn criticisms(run: &ReproducedRun<'_>) -> Option<String> {
    let rule = run.document.criticism.as_ref().filter(|_| !run.document.criticisms.is_empty())?;
    let mut options = vec![run.document.criticisms.len().to_string()];
    options.extend((rule.definition != "witness").then(|| format!("definition={}", python_text(&rule.definition))));
    let diversity = rule.diversity.filter(|diversity| *diversity != 1.0);
    options.extend(diversity.map(|diversity| format!("diversity={}", number(diversity))));
    options.extend((rule.among != "source").then(|| format!("among={}", python_text(&rule.among))));
    Some(format!("criticisms=selection.criticisms({})", options.join(", ")))
}

/// The expression that reads a file; `None` for formats that pandas does not read in one call.
pub(super) fn reader(path: &str, delimiter: Option<char>) -> Option<String> {
    let lower = path.to_lowercase();
    let packed = [".gz", ".xz", ".zst"];
    let name = packed.iter().find_map(|ending| lower.strip_suffix(ending)).unwrap_or(&lower);
    let (function, option) = match name.rsplit('.').next()? {
        "csv" => ("read_csv", String::new()),
        "tsv" => ("read_csv", ", sep=\"\\t\"".to_owned()),
        "parquet" => ("read_parquet", String::new()),
        "jsonl" | "ndjson" => ("read_json", ", lines=True".to_owned()),
        _ => return None,
    };
    let option = match delimiter {
        Some(delimiter) if function == "read_csv" => format!(", sep={}", python_text(&delimiter.to_string())),
        _ => option,
    };
    Some(format!("pandas.{function}({}{option})", python_text(path)))
}

#[derive(Default)]
pub(super) struct Code {
    pub(super) lines: Vec<String>,
}

impl Code {
    /// Reads the files of source and target, and opens a call that takes them; `None` for files that pandas does not read.
    pub(super) fn opening(call: &str, data: &DataRecord) -> Option<Code> {
        let mut code = Code::default();
        let names = if data.target.is_some() { "source, target" } else { "source" };
        if data.is_in_memory() {
            let verb = if data.target.is_some() { "source and target are" } else { "source is" };
            code.lines.push(format!(
                "# {verb} the data of the original call; pass ids, labels and weights again if they were arrays."
            ));
        } else {
            code.lines.push(format!("source = {}", reader(&data.source, data.delimiter)?));
            if let Some(target) = &data.target {
                code.lines.push(format!("target = {}", reader(target, data.delimiter)?));
            }
        }
        code.open(call, names);
        Some(code)
    }

    /// Opens a call with these positional arguments.
    pub(super) fn open(&mut self, call: &str, positional: &str) {
        self.lines.push(format!("{call}(\n    {positional},"));
    }

    /// Adds which rows take part, and the columns that name, class and weight them.
    pub(super) fn rows(&mut self, data: &DataRecord) {
        let texts = [
            ("source_where", &data.source_where),
            ("target_where", &data.target_where),
            ("id", &data.id),
            ("label", &data.label),
            ("target_weights", &data.target_weight),
        ];
        texts.iter().for_each(|(name, value)| value.iter().for_each(|value| self.keyword(name, python_text(value))));
        for (name, value) in [("source_sample", data.source_sample), ("target_sample", data.target_sample)] {
            value.iter().for_each(|value| self.keyword(name, value.to_string()));
        }
    }

    /// Adds how the columns are used and how values are encoded, as all functions of Python name it.
    pub(super) fn columns(&mut self, data: &DataRecord, drop: &[String]) {
        let lists = [
            ("columns", data.columns.as_slice()),
            ("drop", drop),
            ("categorical", &data.categorical),
            ("show", &data.show),
        ];
        for (name, names) in lists.into_iter().filter(|(_, names)| !names.is_empty()) {
            self.keyword(name, list(names.iter().map(|name| python_text(name))));
        }
        let scale = data.scale.as_deref().filter(|scale| !(data.is_in_memory() && *scale == "none"));
        scale.iter().for_each(|scale| self.keyword("scale", python_text(scale)));
        if data.missing != "error" {
            self.keyword("missing", python_text(&data.missing));
        }
        if data.normalize {
            self.keyword("normalize", "True".to_owned());
        }
    }

    /// The code, with its imports.
    pub(super) fn finish(self, in_memory: bool) -> String {
        let imports = if in_memory { "" } else { "import pandas\n" };
        format!("{imports}import protodash\n\n{}", self.lines.join("\n"))
    }

    /// Adds an entry of a mapping.
    pub(super) fn entry(&mut self, key: &str, value: &str) {
        self.lines.push(format!("    {key}: {value},"));
    }

    pub(super) fn keyword(&mut self, name: &str, value: String) {
        self.lines.push(format!("    {name}={value},"));
    }
}

pub(super) fn list(values: impl Iterator<Item = String>) -> String {
    format!("[{}]", values.collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_read_by_the_function_for_their_ending() {
        assert_eq!(reader("a.CSV.gz", None).unwrap(), "pandas.read_csv(\"a.CSV.gz\")");
        assert_eq!(reader("digits.npy", None), None);
    }
}
