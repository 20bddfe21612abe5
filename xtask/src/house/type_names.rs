//! Type names are unique in the workspace, so that a search finds one type.

use std::collections::BTreeMap;

/// Names that every crate may declare.
const ONE_PER_CRATE: &[&str] = &["Error", "Result"];

/// The files that declare each type name.
#[derive(Default)]
pub(super) struct TypeNames(BTreeMap<String, Vec<String>>);

impl TypeNames {
    /// Adds the types that the file declares outside its tests.
    pub(super) fn add(&mut self, path: &str, text: &str) {
        if !is_checked(path) {
            return;
        }
        let code = text.split("\n#[cfg(test)]\nmod ").next().unwrap_or(text);
        for name in code.lines().filter_map(declared).filter(|name| !ONE_PER_CRATE.contains(name)) {
            let files = self.0.entry(name.to_owned()).or_default();
            // A file may declare a type once per platform.
            if files.last().is_none_or(|last| last != path) {
                files.push(path.to_owned());
            }
        }
    }

    /// Names declared in several files.
    pub(super) fn violations(&self) -> Vec<String> {
        let several = self.0.iter().filter(|(_, files)| files.len() > 1);
        several
            .map(|(name, files)| format!("type name {name} is declared more than once: {}", files.join(", ")))
            .collect()
    }
}

fn is_checked(path: &str) -> bool {
    path.ends_with(".rs") && (path.starts_with("xtask/src/") || (path.starts_with("crates/") && path.contains("/src/")))
}

/// Name of the type declared on this line.
fn declared(line: &str) -> Option<&str> {
    let mut words = without_scope(line).split([' ', '<', '(', '{', ';', ':', '=']).filter(|word| !word.is_empty());
    let is_modifier = |word: &&str| ["pub", "unsafe"].contains(word);
    let keyword = words.by_ref().find(|word| !is_modifier(word))?;
    match keyword {
        "struct" | "enum" | "trait" | "union" => words.next(),
        // An indented `type` is an associated type.
        "type" if !line.starts_with(' ') => words.next(),
        _ => None,
    }
}

/// The line without the scope in the brackets of `pub(crate)` or `pub(in path)`.
fn without_scope(line: &str) -> &str {
    let scope = line.trim_start().strip_prefix("pub(");
    scope.and_then(|scope| scope.split_once(')')).map_or(line, |(_, declaration)| declaration)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_are_found() {
        for (line, name) in [
            ("pub struct Selection {", Some("Selection")),
            ("pub(crate) enum Verdict<T> {", Some("Verdict")),
            ("    pub(super) struct Inner(u8);", Some("Inner")),
            ("pub(in crate::kernel_mean) struct Scoped<'a> {", Some("Scoped")),
            ("    pub(in crate::kernel_mean) slope: E,", None),
            ("pub trait Kernel: Sync {", Some("Kernel")),
            ("type Pair = (u8, u8);", Some("Pair")),
            ("    type Output = u8;", None),
            ("// struct Comment", None),
            ("let structure = 1;", None),
        ] {
            assert_eq!(declared(line), name, "{line}");
        }
    }

    #[test]
    fn duplicate_names_are_violations_except_in_tests() {
        let mut names = TypeNames::default();
        names.add("crates/a/src/x.rs", "pub struct Twin;\nstruct Own;\n\n#[cfg(test)]\nmod tests {\nstruct Helper;\n");
        names.add("crates/b/src/y.rs", "enum Twin {}\npub enum Error {}\nstruct Helper;\n");
        names.add("crates/b/tests/z.rs", "struct Own;\n");
        names.add("crates/c/src/error.rs", "pub enum Error {}\n");
        assert_eq!(
            names.violations(),
            ["type name Twin is declared more than once: crates/a/src/x.rs, crates/b/src/y.rs"]
        );
    }
}
