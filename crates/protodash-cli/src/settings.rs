//! Settings of `protodash-table` as flags; hints name only flags that the running subcommand has.

use std::collections::HashSet;
use std::sync::OnceLock;

use clap::CommandFactory;
use protodash_table::{MissingRule, Scaling, Setting};

use crate::args::Cli;

/// The long names of the running subcommand's flags.
static FLAGS: OnceLock<HashSet<String>> = OnceLock::new();

/// Records which subcommand runs.
pub(crate) fn run_by(command: &str) {
    let cli = Cli::command();
    let arguments = cli.find_subcommand(command).into_iter().flat_map(clap::Command::get_arguments);
    let flags = arguments.filter_map(|argument| argument.get_long().map(str::to_owned)).collect();
    // A process runs one subcommand.
    let _ = FLAGS.set(flags);
}

/// Returns a setting as a flag of the running subcommand, with its value if any; `None` if it has no such flag.
pub(crate) fn flag(setting: &Setting) -> Option<String> {
    FLAGS.get()?.contains(named(setting).0).then(|| any_flag(setting))
}

/// Returns a setting as a flag, whether or not the running subcommand has it: for hints on the next call of another one.
pub(crate) fn any_flag(setting: &Setting) -> String {
    let (name, value) = named(setting);
    let flag = if name == "n-prototypes" { "-m".to_owned() } else { format!("--{name}") };
    if value.is_empty() { flag } else { format!("{flag} {}", shell_quoted(&value)) }
}

/// Returns the flag of a setting and its value, which may be empty.
fn named(setting: &Setting) -> (&'static str, String) {
    match setting {
        Setting::Columns => ("columns", String::new()),
        Setting::Drop(names) => ("drop", comma_separated(names)),
        Setting::Categorical(names) => ("categorical", comma_separated(names)),
        Setting::Id(name) => ("id", name.clone().unwrap_or_default()),
        Setting::Label(name) => ("label", name.clone().unwrap_or_default()),
        Setting::TargetWeight => ("target-weight", String::new()),
        Setting::Show(names) => ("show", comma_separated(names)),
        Setting::Missing(rule) => ("missing", rule.map_or("", MissingRule::name).to_owned()),
        Setting::Scale(scale) => ("scale", scale.map_or("", Scaling::name).to_owned()),
        Setting::SourceWhere => ("source-where", String::new()),
        Setting::Memory => ("memory", String::new()),
        Setting::NoHeader => ("no-header", String::new()),
        Setting::Delimiter(character) => ("delimiter", character.map(String::from).unwrap_or_default()),
        Setting::Key => ("key", String::new()),
        Setting::KeysOf => ("keys-of", String::new()),
        Setting::Means(how) => ("means", (*how).to_owned()),
        Setting::Method(name) => ("method", name.unwrap_or_default().to_owned()),
        Setting::NPrototypes(number) => ("n-prototypes", number.map_or_else(String::new, |number| number.to_string())),
        Setting::PerLabel => ("per-label", String::new()),
        Setting::Kernel(name) => ("kernel", name.unwrap_or_default().to_owned()),
        Setting::Bandwidth(value) => ("bandwidth", value.unwrap_or_default().to_owned()),
        Setting::Target => ("target", String::new()),
        Setting::MaxWeight => ("max-weight", String::new()),
        Setting::MinEffective => ("min-effective", String::new()),
        Setting::AtLeast => ("at-least", String::new()),
        Setting::Budget(amount) => ("budget", amount.clone().unwrap_or_default()),
        Setting::Estimate => ("estimate", String::new()),
        Setting::SourceSample(n_rows) => ("source-sample", n_rows.to_string()),
        Setting::TargetSample(n_rows) => ("target-sample", n_rows.to_string()),
    }
}

/// Returns names as a comma-separated list; a name that contains a comma or a double quote is quoted as in CSV.
fn comma_separated(names: &[String]) -> String {
    let quoted = |name: &String| match name.contains([',', '"']) {
        true => format!("\"{}\"", name.replace('"', "\"\"")),
        false => name.clone(),
    };
    names.iter().map(quoted).collect::<Vec<_>>().join(",")
}

/// Returns `value` as typed in a shell: in single quotes if needed.
fn shell_quoted(value: &str) -> String {
    let is_plain = |character: char| character.is_alphanumeric() || "_-./:@%+=,".contains(character);
    match value.chars().all(is_plain) {
        true => value.to_owned(),
        false => format!("'{}'", value.replace('\'', "'\\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_quoted_for_the_list_and_for_the_shell() {
        let typed = |names: &[&str]| {
            shell_quoted(&comma_separated(&names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>()))
        };
        assert_eq!(typed(&["age", "größe", "Sepal.Length"]), "age,größe,Sepal.Length");
        assert_eq!(typed(&["zip code", "age"]), "'zip code,age'");
        assert_eq!(typed(&["last, first", "age"]), "'\"last, first\",age'");
        assert_eq!(typed(&["5\" disks"]), "'\"5\"\" disks\"'");
        assert_eq!(typed(&["mother's age"]), "'mother'\\''s age'");
        assert_eq!(shell_quoted("last, first"), "'last, first'");
        assert_eq!(shell_quoted(";"), "';'");
    }

    #[test]
    fn a_flag_is_named_only_if_the_subcommand_has_it() {
        run_by("relate");
        assert_eq!(flag(&Setting::Drop(vec!["zip code".into()])).unwrap(), "--drop 'zip code'");
        assert_eq!(flag(&Setting::KeysOf).unwrap(), "--keys-of");
        assert_eq!((flag(&Setting::Id(None)), flag(&Setting::NoHeader), flag(&Setting::Columns)), (None, None, None));
    }

    #[test]
    fn every_flag_that_a_setting_names_exists() {
        let all = [
            Setting::Columns,
            Setting::Drop(Vec::new()),
            Setting::Categorical(Vec::new()),
            Setting::Id(None),
            Setting::Label(None),
            Setting::TargetWeight,
            Setting::Show(Vec::new()),
            Setting::Missing(None),
            Setting::Scale(None),
            Setting::SourceWhere,
            Setting::Memory,
            Setting::NoHeader,
            Setting::Delimiter(None),
            Setting::Key,
            Setting::KeysOf,
            Setting::Means("racing"),
            Setting::Method(None),
            Setting::NPrototypes(None),
            Setting::PerLabel,
            Setting::Kernel(None),
            Setting::Bandwidth(None),
            Setting::Target,
            Setting::MaxWeight,
            Setting::MinEffective,
            Setting::AtLeast,
            Setting::Budget(None),
            Setting::Estimate,
            Setting::SourceSample(1),
            Setting::TargetSample(1),
        ];
        let cli = Cli::command();
        for setting in all {
            let (name, _) = named(&setting);
            let mut arguments = cli.get_subcommands().flat_map(clap::Command::get_arguments);
            assert!(arguments.any(|argument| argument.get_long() == Some(name)), "{name}");
        }
    }
}
