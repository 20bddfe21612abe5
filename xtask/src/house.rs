//! Conventions that the compiler does not check: file names and lengths, unfinished code, machine-specific paths.
//!
//! [`layers`] checks imports between crates, [`type_names`] that type names are unique.

mod layers;
mod type_names;

use crate::metadata;
use crate::workspace::{StepError, Workspace, say};
use type_names::TypeNames;

/// Maximum lines in a source file.
const LONGEST_SOURCE: usize = 600;
/// Maximum lines in ARCHITECTURE.md.
const LONGEST_ARCHITECTURE: usize = 200;
/// Maximum lines in the map in ARCHITECTURE.md, so that it fits on one screen.
const LONGEST_MAP: usize = 50;

/// File and folder names that say nothing about their content.
const VAGUE_NAMES: &[&str] = &["utils", "util", "common", "helpers", "helper", "types", "misc"];

/// Markers of unfinished or disabled code, split so that this file passes its own check.
const UNFINISHED: &[&str] =
    &[concat!("TO", "DO"), concat!("FIX", "ME"), concat!("unimplemented", "!("), concat!("#[", "ignore")];

/// Top-level folders of machine-specific absolute paths.
const MACHINE_FOLDERS: &[&str] = &["work", "tmp", "root", "home", "Users"];

/// Checks every file that git tracks, and the imports between crates.
pub(crate) fn check(workspace: &Workspace) -> Result<String, StepError> {
    let files = workspace.files()?;
    let mut violations = Vec::new();
    let mut type_names = TypeNames::default();
    for path in &files {
        violations.extend(name_violation(path));
        // Binary files are skipped.
        if let Ok(text) = std::fs::read_to_string(workspace.root().join(path)) {
            violations.extend(text_violations(path, &text));
            type_names.add(path, &text);
        }
    }
    violations.extend(map_violation(&workspace.read("ARCHITECTURE.md")?));
    violations.extend(type_names.violations());
    violations.extend(layers::violations(&metadata::packages(workspace)?));
    for violation in &violations {
        say(violation);
    }
    match violations.len() {
        0 => Ok(format!("{} files", files.len())),
        n => Err(StepError::new(format!("{n} violations, see above"))),
    }
}

fn is_source(path: &str) -> bool {
    [".rs", ".py", ".pyi", ".js", ".css"].iter().any(|ending| path.ends_with(ending))
}

fn name_violation(path: &str) -> Option<String> {
    let vague = path.split('/').find(|part| {
        let stem = part.split('.').next().unwrap_or(part);
        VAGUE_NAMES.contains(&stem)
    })?;
    is_source(path).then(|| format!("{path}: the name {vague} does not describe the content"))
}

fn text_violations(path: &str, text: &str) -> Vec<String> {
    let mut violations = Vec::new();
    let longest = match path {
        "ARCHITECTURE.md" => LONGEST_ARCHITECTURE,
        _ if is_source(path) => LONGEST_SOURCE,
        _ => usize::MAX,
    };
    let n_lines = text.lines().count();
    if n_lines > longest {
        violations.push(format!("{path}: {n_lines} lines, the maximum is {longest}; split it"));
    }
    for (number, line) in text.lines().enumerate() {
        if let Some(folder) = MACHINE_FOLDERS.iter().find(|folder| names_folder(line, folder)) {
            violations.push(format!("{path}:{}: a path under /{folder} is machine-specific", number + 1));
        }
        if let Some(word) = UNFINISHED.iter().find(|word| is_source(path) && line.contains(**word)) {
            violations.push(format!("{path}:{}: {word} marks unfinished code", number + 1));
        }
    }
    violations
}

/// Checks the length of the map: the first `text` block of the section "Map".
fn map_violation(architecture: &str) -> Option<String> {
    let section = architecture.split_once("\n## Map\n").map_or("", |(_, rest)| rest);
    let map = section.split_once("```text\n").and_then(|(_, rest)| rest.split_once("```"));
    let n_lines = map.map_or(0, |(map, _)| map.lines().count());
    let is_map = (1..=LONGEST_MAP).contains(&n_lines);
    (!is_map).then(|| format!("ARCHITECTURE.md: the map has {n_lines} lines, it must have 1 to {LONGEST_MAP}"))
}

/// Whether the line contains an absolute path under `folder`.
fn names_folder(line: &str, folder: &str) -> bool {
    let path = format!("/{folder}/");
    line.match_indices(&path).any(|(start, _)| {
        let before = line.get(..start).and_then(|text| text.chars().next_back());
        // After one of these characters the slash is part of a relative path or a URL.
        !before.is_some_and(|char| char.is_alphanumeric() || "._-~/}*$".contains(char))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vague_file_names_are_rejected() {
        assert_eq!(
            name_violation("crates/protodash/src/utils.rs").unwrap(),
            "crates/protodash/src/utils.rs: the name utils.rs does not describe the content"
        );
        assert!(name_violation("crates/protodash/tests/common/mod.rs").is_some());
        assert_eq!(name_violation("crates/protodash/src/kernel/mod.rs"), None);
        assert_eq!(name_violation("docs/common.md"), None);
    }

    #[test]
    fn source_files_have_at_most_600_lines() {
        assert_eq!(text_violations("a.rs", &"x\n".repeat(600)), Vec::<String>::new());
        assert_eq!(text_violations("a.rs", &"x\n".repeat(601)), ["a.rs: 601 lines, the maximum is 600; split it"]);
        assert_eq!(text_violations("a.csv", &"x\n".repeat(601)), Vec::<String>::new());
    }

    #[test]
    fn the_map_fits_on_one_screen() {
        let map = |n_lines| format!("# A\n\n## Map\n\n```text\n{}```\n", "x\n".repeat(n_lines));
        assert_eq!(map_violation(&map(50)), None);
        assert!(map_violation(&map(51)).is_some() && map_violation("# A\n").is_some());
    }

    #[test]
    fn machine_specific_paths_are_found() {
        for folder in ["tmp", "root", "work"] {
            let line = format!("let file = \"/{folder}/data.csv\";");
            let violation = format!("a.md:1: a path under /{folder} is machine-specific");
            assert_eq!(text_violations("a.md", &line), [violation]);
        }
    }

    #[test]
    fn relative_paths_and_urls_are_allowed() {
        for line in ["src/work/main.rs", "https://example.org/home/x", "../tmp/x", "$HOME/work/x", "a / root / b"] {
            assert_eq!(text_violations("a.md", line), Vec::<String>::new());
        }
    }

    #[test]
    fn unfinished_code_is_found_in_sources_only() {
        let line = format!("// {}: later", UNFINISHED[0]);
        assert_eq!(text_violations("a.rs", &line), [format!("a.rs:1: {} marks unfinished code", UNFINISHED[0])]);
        assert_eq!(text_violations("a.csv", &line), Vec::<String>::new());
    }
}
