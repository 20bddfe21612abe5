//! Common mistakes on the command line, for which clap's own message would not help.

use std::path::Path;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use protodash::{BuiltInKernel, KernelDefinition, Precomputed};

use crate::error::Failure;

/// Flags for the number of prototypes in other programs.
const NUMBERS: &[&str] = &["-n", "-k", "-N", "--n", "--k", "--m", "--num-prototypes", "--n-samples"];

/// Flags that take several names.
const LISTS: &[&str] = &["--columns", "--drop", "--categorical"];

/// Flags of other programs, and what to use instead.
const OTHER_NAMES: &[(&[&str], &str)] = &[
    (&["--sigma", "--length-scale"], "use --bandwidth for the σ of the kernel"),
    (&["--gamma"], "use --bandwidth for the σ of the kernel; for exp(-γd²) it is 1/√(2γ)"),
    (&["--random-state", "--random-seed"], "use --seed"),
    (&["--n-jobs", "--jobs", "-j"], "use --threads"),
    (&["--metric"], "use --kernel"),
    (&["--sample-weight"], "use --target-weight to name the column of weights"),
];

/// Words for kernel matrices in other programs.
const MATRICES: &[&str] = &["matrix", "custom"];

/// A failure that suggests what `words` probably meant, if clap's `error` is a known mistake.
pub(super) fn explained_mistake(error: &clap::Error, words: &[String]) -> Option<Failure> {
    match error.kind() {
        ErrorKind::InvalidSubcommand => file_as_command(words),
        ErrorKind::UnknownArgument => {
            let word = context(error, ContextKind::InvalidArg)?;
            number_flag(&word, words)
                .or_else(|| list_without_commas(&word, words))
                .or_else(|| flag_of_other_programs(&word))
        }
        ErrorKind::InvalidValue if context(error, ContextKind::InvalidArg)?.starts_with("--kernel") => {
            kernel_name(&context(error, ContextKind::InvalidValue)?)
        }
        _ => None,
    }
}

fn context(error: &clap::Error, kind: ContextKind) -> Option<String> {
    match error.get(kind)? {
        ContextValue::String(text) => Some(text.clone()),
        _ => None,
    }
}

/// `protodash wine.csv`.
fn file_as_command(words: &[String]) -> Option<Failure> {
    let file = words.first()?;
    let is_file = Path::new(file).exists() || Path::new(file).extension().is_some();
    is_file.then(|| {
        let message = format!("{file} is not a command");
        Failure::call(message, format!("to select rows of a file, write `protodash select {}`", words.join(" ")))
    })
}

/// `-n 5`.
fn number_flag(word: &str, words: &[String]) -> Option<Failure> {
    let at = words.iter().position(|other| NUMBERS.iter().any(|flag| is_flag(other, flag)))?;
    let flag = NUMBERS.iter().find(|flag| is_flag(&words[at], flag))?;
    // clap reports a short flag alone, a long one with its value.
    if !word.starts_with(flag) {
        return None;
    }
    let attached = words[at][flag.len()..].trim_start_matches('=');
    let value = if attached.is_empty() { words.get(at + 1).map_or("", String::as_str) } else { attached };
    let number = if value.parse::<usize>().is_ok() { value } else { "N" };
    Some(Failure::call(format!("unknown flag {flag}"), format!("use -m {number} for the number of prototypes")))
}

fn is_flag(word: &str, flag: &str) -> bool {
    word.strip_prefix(flag).is_some_and(|value| {
        value.is_empty() || value.starts_with('=') || !flag.starts_with("--") && value.parse::<usize>().is_ok()
    })
}

/// `--sigma 2`.
fn flag_of_other_programs(word: &str) -> Option<Failure> {
    let flag = word.split('=').next().unwrap_or(word);
    let (_, advice) = OTHER_NAMES.iter().find(|(names, _)| names.contains(&flag))?;
    Some(Failure::call(format!("unknown flag {flag}"), (*advice).to_owned()))
}

/// `--columns a b`.
fn list_without_commas(word: &str, words: &[String]) -> Option<Failure> {
    if word.starts_with('-') {
        return None;
    }
    words.iter().enumerate().filter(|(_, flag)| LISTS.contains(&flag.as_str())).find_map(|(at, flag)| {
        let is_name = |word: &&String| !word.starts_with('-') && !Path::new(word.as_str()).is_file();
        let names: Vec<&str> = words[at + 1..].iter().take_while(is_name).map(String::as_str).collect();
        (names.len() > 1).then(|| {
            let message = format!("{flag} takes one value but is followed by {} words", names.len());
            let joined: Vec<&str> = names.iter().map(|name| name.trim_end_matches(',')).collect();
            Failure::call(message, format!("separate names with commas, without spaces: {flag} {}", joined.join(",")))
        })
    })
}

/// `--kernel rbf`.
fn kernel_name(given: &str) -> Option<Failure> {
    let lower = given.to_lowercase();
    let has_alias = |definition: &&KernelDefinition| definition.aliases.contains(&lower.as_str());
    let name = match BuiltInKernel::DEFINITIONS.iter().find(has_alias) {
        Some(definition) => definition.name,
        None if MATRICES.contains(&lower.as_str()) => Precomputed::NAME,
        None => return None,
    };
    let parameter = match name {
        "gaussian" => "; its --bandwidth is σ in exp(-d²/2σ²), so γ = 1/(2σ²)",
        _ => "",
    };
    Some(Failure::call(format!("unknown kernel {given:?}"), format!("use --kernel {name}{parameter}")))
}
