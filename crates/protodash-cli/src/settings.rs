//! Settings of `protodash-table` as flags; hints name only flags that the running subcommand has.

use std::collections::HashSet;
use std::sync::OnceLock;

use clap::CommandFactory;
use protodash_table::{Setting, SettingValue, comma_separated, shell_word};

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
    FLAGS.get()?.contains(&long_name(setting)).then(|| any_flag(setting))
}

/// Returns a setting as a flag, whether or not the running subcommand has it: for hints on the next call of another one.
pub(crate) fn any_flag(setting: &Setting) -> String {
    let flag = match setting {
        Setting::NPrototypes(_) => "-m".to_owned(),
        other => format!("--{}", long_name(other)),
    };
    let value = match setting.value() {
        None => return flag,
        Some(SettingValue::Names(names)) => comma_separated(&names),
        Some(SettingValue::Text(value) | SettingValue::Number(value)) => value,
    };
    format!("{flag} {}", shell_word(&value))
}

/// Returns the long name of a setting's flag.
fn long_name(setting: &Setting) -> String {
    setting.name().replace('_', "-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_quoted_for_the_list_and_for_the_shell() {
        let typed = |names: &[&str]| {
            shell_word(&comma_separated(&names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>()))
        };
        assert_eq!(typed(&["age", "größe", "Sepal.Length"]), "age,größe,Sepal.Length");
        assert_eq!(typed(&["zip code", "age"]), "'zip code,age'");
        assert_eq!(typed(&["last, first", "age"]), "'\"last, first\",age'");
        assert_eq!(typed(&["5\" disks"]), "'\"5\"\" disks\"'");
        assert_eq!(typed(&["mother's age"]), "'mother'\\''s age'");
        assert_eq!(shell_word("last, first"), "'last, first'");
        assert_eq!(shell_word(";"), "';'");
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
            let name = long_name(&setting);
            let mut arguments = cli.get_subcommands().flat_map(clap::Command::get_arguments);
            assert!(arguments.any(|argument| argument.get_long() == Some(&name)), "{name}");
        }
    }
}
