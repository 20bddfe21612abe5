//! Settings of `protodash-table` as keyword arguments; hints name only those of the called function.

use protodash_table::{MissingRule, Scaling, Setting};

/// The keyword arguments of the function that the user called.
#[derive(Clone, Debug, Default)]
pub(crate) struct Keywords(pub(crate) Vec<String>);

impl Keywords {
    /// Returns a setting as a keyword argument, with its value if it has one; `None` if the function has no such keyword.
    pub(crate) fn write(&self, setting: &Setting) -> Option<String> {
        let (keyword, value) = named(setting)?;
        let written = if value.is_empty() { keyword.to_owned() } else { format!("{keyword}={value}") };
        self.0.iter().any(|other| other == keyword).then_some(written)
    }
}

/// Returns a setting as a keyword argument, whether or not the called function has it: for notes in a result.
pub(crate) fn any_keyword(setting: &Setting) -> Option<String> {
    named(setting).map(|(keyword, _)| keyword.to_owned())
}

/// Returns the keyword of a setting and its value, which is empty if there is none; `None` for settings of files.
fn named(setting: &Setting) -> Option<(&'static str, String)> {
    Some(match setting {
        Setting::Columns => ("columns", String::new()),
        Setting::Drop(names) => ("drop", list(names)),
        Setting::Categorical(names) => ("categorical", list(names)),
        Setting::Id(name) => ("id", name.as_deref().map(literal).unwrap_or_default()),
        Setting::Label(name) => ("label", name.as_deref().map(literal).unwrap_or_default()),
        Setting::TargetWeight => ("target_weights", String::new()),
        Setting::Show(names) => ("show", list(names)),
        Setting::Missing(rule) => ("missing", rule.map(MissingRule::name).map(literal).unwrap_or_default()),
        Setting::Scale(scale) => ("scale", scale.map(Scaling::name).map(literal).unwrap_or_default()),
        Setting::SourceWhere => ("source_where", String::new()),
        Setting::Memory => ("memory", String::new()),
        Setting::Key => ("key", String::new()),
        Setting::Means(how) => ("means", literal(how)),
        Setting::Method(name) => ("method", name.map(literal).unwrap_or_default()),
        Setting::NPrototypes(number) => ("n_prototypes", number.map(|number| number.to_string()).unwrap_or_default()),
        Setting::PerLabel => ("per_label", String::new()),
        Setting::Kernel(name) => ("kernel", name.map(literal).unwrap_or_default()),
        Setting::Bandwidth(value) => ("bandwidth", value.map(number_or_literal).unwrap_or_default()),
        Setting::Target => ("target", String::new()),
        Setting::MaxWeight => ("max_weight", String::new()),
        Setting::MinEffective => ("min_effective", String::new()),
        Setting::AtLeast => ("at_least", String::new()),
        Setting::Budget(amount) => ("budget", amount.clone().unwrap_or_default()),
        Setting::SourceSample(n_rows) => ("source_sample", n_rows.to_string()),
        Setting::TargetSample(n_rows) => ("target_sample", n_rows.to_string()),
        Setting::NoHeader | Setting::Delimiter(_) | Setting::KeysOf | Setting::Estimate => return None,
    })
}

fn list(names: &[String]) -> String {
    match names {
        [] => String::new(),
        _ => format!("[{}]", names.iter().map(|name| literal(name)).collect::<Vec<_>>().join(", ")),
    }
}

/// Returns a number as it is, and any other text as a string literal of Python.
fn number_or_literal(text: &str) -> String {
    if text.parse::<f64>().is_ok() { text.to_owned() } else { literal(text) }
}

/// Returns `text` as a string literal of Python.
fn literal(text: &str) -> String {
    let escaped = |character: char| match character {
        '"' | '\\' => format!("\\{character}"),
        '\n' => "\\n".to_owned(),
        '\r' => "\\r".to_owned(),
        '\t' => "\\t".to_owned(),
        other if other.is_control() => format!("\\x{:02x}", u32::from(other)),
        other => other.to_string(),
    };
    format!("\"{}\"", text.chars().map(escaped).collect::<String>())
}
