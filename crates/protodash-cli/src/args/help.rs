//! Two levels of help: `-h` lists the flags that most calls use, `--help` explains all of them.

use std::ffi::OsString;

use clap::builder::{PossibleValue, StyledStr};
use clap::{Arg, ArgAction, Command, CommandFactory, FromArgMatches};

use super::Cli;
use super::mistakes::explained_mistake;
use crate::error::Failure;
use crate::settings;

/// The arguments that `-h` lists.
const COMMON: &[&str] = &[
    "source",
    "rows",
    "result",
    "tables",
    "shell",
    "n_prototypes",
    "target",
    "key",
    "drop",
    "id",
    "label",
    "missing",
    "method",
    "holdout",
    "all_categorical",
    "n_criticisms",
    "output",
    "report",
];

/// Maximum length, in chars, of a value with its help on one line.
const LONGEST_VALUE: usize = 64;

/// Parses the command line; if it requests help or is invalid, prints that and exits.
///
/// # Errors
///
/// A common mistake, with a suggestion.
pub(crate) fn parse() -> Result<Cli, Failure> {
    let matches = match command(std::env::args_os()).try_get_matches() {
        Ok(matches) => matches,
        Err(error) => {
            let words: Vec<String> = std::env::args().skip(1).collect();
            return Err(explained_mistake(&error, &words).unwrap_or_else(|| error.exit()));
        }
    };
    settings::run_by(matches.subcommand_name().unwrap_or_default());
    Ok(Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit()))
}

/// The clap command, with the level of help that these words request.
fn command(words: impl Iterator<Item = OsString>) -> Command {
    let words: Vec<OsString> = words.skip(1).collect();
    let all = words.iter().any(|word| word == "--help" || word == "help");
    Cli::command().mut_subcommands(|command| {
        let named = words.iter().any(|word| word == command.get_name());
        with_help(command, all && named)
    })
}

fn with_help(command: Command, all: bool) -> Command {
    let (about, after) = (command.get_long_about().cloned(), command.get_after_long_help().cloned());
    let more = format!("`protodash {} --help` explains all flags and shows examples.", command.get_name());
    // clap's own long help takes at least three lines per flag.
    let flag = Arg::new("help").short('h').long("help").action(ArgAction::HelpShort);
    let flag = flag.help_heading(None::<&str>).help("Print help; --help explains all flags");
    let command = command.disable_help_flag(true);
    match all {
        true => {
            let command = command.mut_args(explained).arg(flag);
            let command = about.map_or(command.clone(), |about| command.about(about));
            after.map_or(command.clone(), |after| command.after_help(after))
        }
        false => command.mut_args(listed).arg(flag).after_help(more),
    }
}

/// The argument as `-h` lists it: one line if it is a common one.
fn listed(arg: Arg) -> Arg {
    let common = COMMON.contains(&arg.get_id().as_str());
    let hidden = arg.is_hide_set() || !common;
    without_values(arg.hide(hidden).help_heading(None))
}

/// The argument as `--help` explains it: its full text, then one line per possible value.
fn explained(arg: Arg) -> Arg {
    let text = arg.get_long_help().or(arg.get_help()).map(StyledStr::to_string).unwrap_or_default();
    let mut text = text.replace("\n\n", "\n");
    let defaults: Vec<String> = arg.get_default_values().iter().map(|word| word.to_string_lossy().into()).collect();
    if !defaults.is_empty() && arg.get_action().takes_values() {
        let end = text.find('\n').unwrap_or(text.len());
        text.insert_str(end, &format!(" [default: {}]", defaults.join(",")));
    }
    text += &values_text(&arg.get_possible_values());
    let arg = without_values(arg.help(text));
    if arg.get_action().takes_values() { arg.hide_default_value(true) } else { arg }
}

/// One line per value with its help; only the names if a line would be too long.
fn values_text(values: &[PossibleValue]) -> String {
    let shown: Vec<&PossibleValue> = values.iter().filter(|value| value.get_help().is_some()).collect();
    let width = shown.iter().map(|value| value.get_name().len()).max().unwrap_or(0);
    let help = |value: &PossibleValue| value.get_help().map(ToString::to_string).unwrap_or_default();
    if shown.iter().any(|value| width + help(value).chars().count() > LONGEST_VALUE) {
        return format!("\n{}", shown.iter().map(|value| value.get_name()).collect::<Vec<_>>().join(", "));
    }
    shown.iter().map(|value| format!("\n  {:<width$}  {}", value.get_name(), help(value))).collect()
}

/// The argument without clap's list of possible values.
fn without_values(arg: Arg) -> Arg {
    if arg.get_action().takes_values() { arg.hide_possible_values(true) } else { arg }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn help(words: &str) -> String {
        let words = || words.split_whitespace().map(OsString::from);
        command(words()).try_get_matches_from(words()).unwrap_err().to_string()
    }

    #[test]
    fn the_definition_is_consistent() {
        command(std::iter::empty()).debug_assert();
        command(["protodash", "--help"].map(OsString::from).into_iter()).debug_assert();
    }

    #[test]
    fn the_short_help_has_ten_flags_of_one_line_each() {
        let text = help("protodash select -h");
        let (_, options) = text.split_once("Options:\n").unwrap();
        let (options, _) = options.split_once("\n\n").unwrap();
        assert_eq!(options.lines().filter(|line| line.contains("--")).count(), 11, "ten and --help:\n{options}");
        assert_eq!(options.lines().count(), 11, "one line each:\n{options}");
    }

    #[test]
    fn the_whole_help_of_every_command_fits_on_a_few_screens_and_names_every_flag() {
        for command in Cli::command().get_subcommands().map(|command| command.get_name().to_owned()) {
            let text = help(&format!("protodash {command} --help"));
            assert!(text.lines().count() <= 150, "{command}: {} lines", text.lines().count());
            let definition = Cli::command();
            let arguments = definition.find_subcommand(&command).unwrap().get_arguments();
            for arg in arguments.filter(|arg| !arg.is_hide_set()) {
                let Some(flag) = arg.get_long() else { continue };
                assert!(text.contains(&format!("--{flag}")), "{command} --help does not mention --{flag}");
            }
        }
    }
}
