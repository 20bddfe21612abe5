//! The command, quoted for a POSIX shell.

use protodash::ParameterDefault;
use protodash_table::{comma_separated, shell_word};

use super::{ReproducedRun, number, parameters};
use crate::document::{DataRecord, SavedKernel};

/// The command that makes the result and its report again; `None` for data in memory.
pub(super) fn command(run: &ReproducedRun<'_>) -> Option<String> {
    let (document, data) = (run.document, run.data());
    if data.is_in_memory() {
        return None;
    }
    let most = run.n_prototypes().map_or_else(|| "all".to_owned(), |number| number.to_string());
    let n_prototypes = run.class_numbers().is_none().then_some(most.as_str());
    let mut words = Words::opening("select", n_prototypes, &document.kernel, data);
    for (flag, names) in [("--fixed", run.fixed()?), ("--exclude", run.exclude()?)] {
        words.list(flag, &names);
    }
    constraints(run, &mut words)?;
    search(run, &mut words);
    words.flag("--report", "page.html");
    run.image_shape.iter().for_each(|shape| words.flag("--image-shape", &shape.to_string()));
    Some(words.text)
}

/// The flags of the search, of criticisms and of what else was computed.
fn search(run: &ReproducedRun<'_>, words: &mut Words) {
    let document = run.document;
    if document.method != "protodash" {
        words.flag("--method", &document.method);
    }
    run.weights().iter().for_each(|weights| words.flag("--weights", weights));
    for (flag, limit) in [("--max-weight", document.max_weight), ("--min-effective", document.min_effective)] {
        limit.iter().for_each(|limit| words.flag(flag, &number(*limit)));
    }
    if document.oversample != 1.0 {
        words.flag("--oversample", &number(document.oversample));
    }
    run.target_energy().iter().for_each(|how| words.flag("--target-energy", how));
    if run.is_raced() {
        words.flag("--means", "racing");
    }
    run.tolerance().iter().for_each(|tolerance| words.flag("--tolerance", &number(*tolerance)));
    if let Some(classes) = &document.per_label {
        let given = |numbers: Vec<(&str, usize)>| {
            comma_separated(&numbers.iter().map(|(class, number)| format!("{class}={number}")).collect::<Vec<_>>())
        };
        words.flag("--per-label", &run.class_numbers().map_or_else(|| classes.allocation.clone(), given));
    }
    if !document.estimates.is_empty() {
        let columns: Vec<String> = document.estimates.iter().map(|estimate| estimate.column.clone()).collect();
        words.flag("--estimate", &comma_separated(&columns));
    }
    words.switch("--shift", document.covariate_shift.is_some());
    if let Some(rule) = document.criticism.as_ref().filter(|_| !document.criticisms.is_empty()) {
        words.flag("--n-criticisms", &document.criticisms.len().to_string());
        if rule.definition != "witness" {
            words.flag("--criticism", &rule.definition);
        }
        let diversity = rule.diversity.filter(|diversity| *diversity != 1.0);
        diversity.iter().for_each(|diversity| words.flag("--diversity", &number(*diversity)));
        if rule.among != "source" {
            words.flag("--criticize-among", &rule.among);
        }
    }
    if document.seed != 0 {
        words.flag("--seed", &document.seed.to_string());
    }
}

/// The flags of quotas and a budget; `None` if the command cannot express them.
fn constraints(run: &ReproducedRun<'_>, words: &mut Words) -> Option<()> {
    let Some(record) = &run.document.constraints else { return Some(()) };
    for quota in &record.quotas {
        // The command takes the column up to the first equals sign, without blanks around it.
        let column = quota.column.as_deref().filter(|name| !name.contains('=') && name.trim() == *name)?;
        let value = quota.value.as_deref()?;
        if quota.at_least > 0 || quota.at_most.is_none() {
            words.flag("--at-least", &format!("{column}={value}:{}", quota.at_least));
        }
        quota.at_most.iter().for_each(|at_most| words.flag("--at-most", &format!("{column}={value}:{at_most}")));
    }
    if let Some(budget) = &record.budget {
        words.flag("--cost", &budget.cost);
        words.flag("--budget", &number(budget.budget));
    }
    Some(())
}

/// Whether a parameter of the kernel always follows from the number of features: the command has no flag for it.
pub(super) fn follows_features(kernel: &SavedKernel, name: &str) -> bool {
    let definition = kernel.kernel.map(|kernel| kernel.definition());
    let mut parameters = definition.iter().flat_map(|definition| definition.parameters);
    parameters.any(|parameter| parameter.name == name && parameter.default == ParameterDefault::OneOverFeatures)
}

/// The words of a command line.
pub(super) struct Words {
    pub(super) text: String,
}

impl Words {
    /// The beginning of a command line.
    pub(super) fn new(command: &str) -> Words {
        Words { text: format!("protodash {command}") }
    }

    /// A command on a source and a target, with how many prototypes it chooses, the kernel and how the rows were read.
    pub(super) fn opening(command: &str, n_prototypes: Option<&str>, kernel: &SavedKernel, data: &DataRecord) -> Words {
        let mut words = Words::new(command);
        words.path(&data.source);
        n_prototypes.iter().for_each(|number| words.flag("-m", number));
        words.kernel(kernel);
        for (flag, value) in [("--target", &data.target), ("--target-where", &data.target_where)] {
            value.iter().for_each(|value| words.flag(flag, value));
        }
        words.data(data);
        words
    }

    /// Adds the kernel with its parameters.
    pub(super) fn kernel(&mut self, kernel: &SavedKernel) {
        let wanted = parameters(kernel).into_iter().filter(|(name, _)| !follows_features(kernel, name));
        self.kernel_with(kernel.name(), wanted.collect());
    }

    /// Adds a kernel with these parameters.
    pub(super) fn kernel_with(&mut self, name: &str, parameters: Vec<(&'static str, String)>) {
        self.flag("--kernel", name);
        parameters.iter().for_each(|(name, value)| self.flag(&format!("--{name}"), value));
    }

    /// Adds how the data were read, without the target and its condition.
    pub(super) fn data(&mut self, data: &DataRecord) {
        let texts = [
            ("--source-where", &data.source_where),
            ("--id", &data.id),
            ("--label", &data.label),
            ("--source-labels", &data.source_labels),
            ("--target-labels", &data.target_labels),
            ("--target-weight", &data.target_weight),
            ("--scale", &data.scale),
            ("--fixed", &data.fixed),
        ];
        texts.iter().for_each(|(flag, value)| value.iter().for_each(|value| self.flag(flag, value)));
        for (flag, value) in [("--source-sample", data.source_sample), ("--target-sample", data.target_sample)] {
            value.iter().for_each(|value| self.flag(flag, &value.to_string()));
        }
        let lists = [
            ("--columns", &data.columns),
            ("--drop", &data.drop),
            ("--categorical", &data.categorical),
            ("--show", &data.show),
        ];
        lists.into_iter().for_each(|(flag, names)| self.list(flag, names));
        if data.missing != "error" {
            self.flag("--missing", &data.missing);
        }
        self.switch("--normalize", data.normalize);
        self.switch("--no-header", !data.header);
        self.delimiter(data.delimiter);
    }

    /// Adds the delimiter of text files, if one was given.
    pub(super) fn delimiter(&mut self, delimiter: Option<char>) {
        delimiter.iter().for_each(|delimiter| self.flag("--delimiter", &delimiter_text(*delimiter)));
    }

    /// Adds a flag with a list of names, unless it is empty.
    pub(super) fn list(&mut self, flag: &str, names: &[String]) {
        if !names.is_empty() {
            self.flag(flag, &comma_separated(names));
        }
    }

    /// Adds a path, which must not look like a flag.
    pub(super) fn path(&mut self, path: &str) {
        let path = if path.starts_with('-') && path != "-" { format!("./{path}") } else { path.to_owned() };
        self.text += &format!(" {}", shell_word(&path));
    }

    /// Adds a flag with its value.
    pub(super) fn flag(&mut self, flag: &str, value: &str) {
        // A value that starts with a hyphen would be taken for a flag.
        let between = if value.starts_with('-') && flag.starts_with("--") { '=' } else { ' ' };
        self.text += &format!(" {flag}{between}{}", shell_word(value));
    }

    pub(super) fn switch(&mut self, flag: &str, is_on: bool) {
        if is_on {
            self.text += &format!(" {flag}");
        }
    }
}

fn delimiter_text(delimiter: char) -> String {
    if delimiter == '\t' { "tab".to_owned() } else { delimiter.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_begin_with_a_dash_are_not_flags() {
        let mut words = Words::new("select");
        words.path("-x.csv");
        words.flag("--id", "-1");
        assert_eq!(words.text, "protodash select ./-x.csv --id=-1");
    }
}
