//! House rules that no compiler checks: names and lengths of files, unfinished work, paths of one machine.
//!
//! [`layers`] checks which crate imports which, [`type_names`] that a type name has one meaning.

mod layers;
mod type_names;

use crate::metadata;
use crate::workspace::{StepError, Workspace, say};
use type_names::TypeNames;

/// A source file longer than this has more than one reason to change.
const LONGEST_SOURCE: usize = 600;
/// A longer overview is not an overview.
const LONGEST_ARCHITECTURE: usize = 200;
/// The map in ARCHITECTURE.md has to fit on one screen.
const LONGEST_MAP: usize = 50;

/// Names that say nothing about what is inside.
const EMPTY_NAMES: &[&str] = &["utils", "util", "common", "helpers", "helper", "types", "misc"];

/// Words that mean unfinished or disabled, assembled so that this file passes its own check.
const UNFINISHED: &[&str] =
    &[concat!("TO", "DO"), concat!("FIX", "ME"), concat!("unimplemented", "!("), concat!("#[", "ignore")];

/// First folders of absolute paths that exist on one machine only.
const MACHINE_FOLDERS: &[&str] = &["work", "tmp", "root", "home", "Users"];

/// Checks every file that git knows, and the imports between the crates.
pub(crate) fn check(workspace: &Workspace) -> Result<String, StepError> {
    let files = workspace.files()?;
    let mut faults = Vec::new();
    let mut type_names = TypeNames::default();
    for path in &files {
        faults.extend(name_fault(path));
        // Data files may be anything; only text is checked.
        if let Ok(text) = std::fs::read_to_string(workspace.root().join(path)) {
            faults.extend(text_faults(path, &text));
            type_names.add(path, &text);
        }
    }
    faults.extend(map_fault(&workspace.read("ARCHITECTURE.md")?));
    faults.extend(type_names.faults());
    faults.extend(layers::faults(&metadata::packages(workspace)?));
    for fault in &faults {
        say(fault);
    }
    match faults.len() {
        0 => Ok(format!("{} files", files.len())),
        n => Err(StepError::new(format!("house rules broken: {n}, see above"))),
    }
}

fn is_source(path: &str) -> bool {
    [".rs", ".py", ".pyi", ".js", ".css"].iter().any(|ending| path.ends_with(ending))
}

fn name_fault(path: &str) -> Option<String> {
    let empty = path.split('/').find(|part| {
        let stem = part.split('.').next().unwrap_or(part);
        EMPTY_NAMES.contains(&stem)
    })?;
    is_source(path).then(|| format!("{path}: the name {empty} does not say what is inside"))
}

fn text_faults(path: &str, text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let longest = match path {
        "ARCHITECTURE.md" => LONGEST_ARCHITECTURE,
        _ if is_source(path) => LONGEST_SOURCE,
        _ => usize::MAX,
    };
    let n_lines = text.lines().count();
    if n_lines > longest {
        faults.push(format!("{path}: {n_lines} lines, at most {longest} are allowed; split it"));
    }
    for (number, line) in text.lines().enumerate() {
        if let Some(folder) = MACHINE_FOLDERS.iter().find(|folder| names_folder(line, folder)) {
            faults.push(format!("{path}:{}: a path under /{folder} exists on one machine only", number + 1));
        }
        if let Some(word) = UNFINISHED.iter().find(|word| is_source(path) && line.contains(**word)) {
            faults.push(format!("{path}:{}: {word} has no place in finished code", number + 1));
        }
    }
    faults
}

/// The fault of a map, the first `text` block of the section "Map", that is longer than a screen.
fn map_fault(architecture: &str) -> Option<String> {
    let section = architecture.split_once("\n## Map\n").map_or("", |(_, rest)| rest);
    let map = section.split_once("```text\n").and_then(|(_, rest)| rest.split_once("```"));
    let n_lines = map.map_or(0, |(map, _)| map.lines().count());
    let is_map = (1..=LONGEST_MAP).contains(&n_lines);
    (!is_map).then(|| format!("ARCHITECTURE.md: the map has {n_lines} lines, it must have 1 to {LONGEST_MAP}"))
}

/// Whether the line contains an absolute path whose first folder is `folder`.
fn names_folder(line: &str, folder: &str) -> bool {
    let path = format!("/{folder}/");
    line.match_indices(&path).any(|(start, _)| {
        let before = line.get(..start).and_then(|text| text.chars().next_back());
        // After a letter, a digit or one of these chars the slash is inside a relative path or a URL.
        !before.is_some_and(|char| char.is_alphanumeric() || "._-~/}*$".contains(char))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_name_must_say_something() {
        assert_eq!(
            name_fault("crates/protodash/src/utils.rs").unwrap(),
            "crates/protodash/src/utils.rs: the name utils.rs does not say what is inside"
        );
        assert!(name_fault("crates/protodash/tests/common/mod.rs").is_some());
        assert_eq!(name_fault("crates/protodash/src/kernel/mod.rs"), None);
        assert_eq!(name_fault("docs/common.md"), None);
    }

    #[test]
    fn a_source_file_may_have_600_lines_and_no_more() {
        assert_eq!(text_faults("a.rs", &"x\n".repeat(600)), Vec::<String>::new());
        assert_eq!(text_faults("a.rs", &"x\n".repeat(601)), ["a.rs: 601 lines, at most 600 are allowed; split it"]);
        assert_eq!(text_faults("a.csv", &"x\n".repeat(601)), Vec::<String>::new());
    }

    #[test]
    fn the_map_fits_on_one_screen() {
        let map = |n_lines| format!("# A\n\n## Map\n\n```text\n{}```\n", "x\n".repeat(n_lines));
        assert_eq!(map_fault(&map(50)), None);
        assert!(map_fault(&map(51)).is_some() && map_fault("# A\n").is_some());
    }

    #[test]
    fn a_path_of_one_machine_is_found() {
        for folder in ["tmp", "root", "work"] {
            let line = format!("let file = \"/{folder}/data.csv\";");
            let fault = format!("a.md:1: a path under /{folder} exists on one machine only");
            assert_eq!(text_faults("a.md", &line), [fault]);
        }
    }

    #[test]
    fn a_relative_path_or_an_address_is_not() {
        for line in ["src/work/main.rs", "https://example.org/home/x", "../tmp/x", "$HOME/work/x", "a / root / b"] {
            assert_eq!(text_faults("a.md", line), Vec::<String>::new());
        }
    }

    #[test]
    fn unfinished_work_is_found_in_sources_only() {
        let line = format!("// {}: later", UNFINISHED[0]);
        assert_eq!(text_faults("a.rs", &line), [format!("a.rs:1: {} has no place in finished code", UNFINISHED[0])]);
        assert_eq!(text_faults("a.csv", &line), Vec::<String>::new());
    }
}
