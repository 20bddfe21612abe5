//! Rules of the house that no compiler checks: sizes and names of files, words and paths that have no place in them.
//!
//! Which crate may use which other is in [`layers`].

mod layers;

use crate::workspace::{Failure, Workspace, say};

/// A source file longer than this has more than one reason to change.
const LONGEST_SOURCE: usize = 600;
/// A bird's-eye view longer than this is none.
const LONGEST_ARCHITECTURE: usize = 200;

/// Names that say nothing about what is inside.
const EMPTY_NAMES: &[&str] = &["utils", "util", "common", "helpers", "helper", "types", "misc"];

/// Words that mean unfinished or switched off. They are put together here so that this file passes its own check.
const UNFINISHED: &[&str] =
    &[concat!("TO", "DO"), concat!("FIX", "ME"), concat!("unimplemented", "!("), concat!("#[", "ignore")];

/// First folders of paths that exist on one machine only.
const MACHINE_FOLDERS: &[&str] = &["work", "tmp", "root", "home", "Users"];

/// Checks every file that git knows, and the imports between the crates.
pub(crate) fn check(workspace: &Workspace) -> Result<String, Failure> {
    let files = workspace.files()?;
    let mut faults = Vec::new();
    for path in &files {
        faults.extend(name_fault(path));
        // Data files may be anything; what is not UTF-8 is not ours to read.
        if let Ok(text) = std::fs::read_to_string(workspace.root().join(path)) {
            faults.extend(text_faults(path, &text));
        }
    }
    faults.extend(layers::check(workspace)?);
    for fault in &faults {
        say(fault);
    }
    match faults.len() {
        0 => Ok(format!("{} files", files.len())),
        1 => Err(Failure::new("1 rule of the house is broken, see above")),
        n => Err(Failure::new(format!("{n} rules of the house are broken, see above"))),
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

/// Whether the line holds an absolute path whose first folder is `folder`.
fn names_folder(line: &str, folder: &str) -> bool {
    let path = format!("/{folder}/");
    line.match_indices(&path).any(|(start, _)| {
        let before = line.get(..start).and_then(|text| text.chars().next_back());
        // After a letter, a digit or one of these signs the slash is inside a relative path or an address.
        !before.is_some_and(|sign| sign.is_alphanumeric() || "._-~/}*$".contains(sign))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_must_say_something() {
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
