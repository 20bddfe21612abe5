//! Patterns of file names, as in a shell: `*`, `?`, `[a-z]`, and `**` for any number of folders.
//!
//! Hand-written because it is a page of code and rarely needed: a pattern only has to be quoted, and so reach us instead of
//! the shell, if it names more files than fit a command line.

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

/// Returns whether `path` has a character with a special meaning in patterns.
pub(crate) fn is_pattern(path: &Path) -> bool {
    path.to_string_lossy().contains(['*', '?', '['])
}

/// Returns the files that `pattern` names, in the order of their names.
pub(crate) fn expand(pattern: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = vec![PathBuf::new()];
    let mut steps = pattern.components().peekable();
    while let Some(step) = steps.next() {
        let is_last = steps.peek().is_none();
        found = match step {
            Component::Normal(name) if is_pattern(Path::new(name)) => {
                let mut next = Vec::new();
                for folder in &found {
                    match name == "**" && !is_last {
                        true => next.extend(folders_below(folder)?),
                        false => next.extend(matching(folder, &name.to_string_lossy())?),
                    }
                }
                next
            }
            // A literal component is checked when the files below it are listed or opened.
            other => found.into_iter().map(|folder| folder.join(other)).collect(),
        };
    }
    found.retain(|path| path.is_file());
    found.sort_unstable();
    found.dedup();
    Ok(found)
}

/// Returns the entries of `folder` that match; names that begin with a dot are hidden from wildcards.
fn matching(folder: &Path, pattern: &str) -> io::Result<Vec<PathBuf>> {
    let is_shown = |name: &str| pattern.starts_with('.') || !name.starts_with('.');
    let names = names_in(folder)?.into_iter().filter(|name| is_shown(name) && matches(pattern, name));
    Ok(names.map(|name| folder.join(name)).collect())
}

/// Returns `folder` and all folders below it.
fn folders_below(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut folders = vec![folder.to_owned()];
    let mut at = 0;
    while let Some(folder) = folders.get(at).cloned() {
        at += 1;
        let inner = names_in(&folder)?.into_iter().filter(|name| !name.starts_with('.')).map(|name| folder.join(name));
        // Links are not followed: they may lead back up.
        folders.extend(inner.filter(|path| path.is_dir() && !path.is_symlink()));
    }
    Ok(folders)
}

/// Returns the names in a folder; none if there is no such folder, which then matches nothing.
fn names_in(folder: &Path) -> io::Result<Vec<String>> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned())).collect()
}

/// Returns whether all of `name` matches `pattern`.
fn matches(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) = (pattern.chars().collect(), name.chars().collect());
    let (mut at, mut from) = (0, 0);
    // After a mismatch, the last star takes one more character; earlier stars never need to.
    let mut last_star: Option<(usize, usize)> = None;
    loop {
        match (pattern.get(at), name.get(from)) {
            (None, None) => return true,
            (Some('*'), _) => {
                last_star = Some((at + 1, from));
                at += 1;
                continue;
            }
            (Some(_), Some(found)) => {
                if let Some(n) = matches_one(&pattern[at..], *found) {
                    (at, from) = (at + n, from + 1);
                    continue;
                }
            }
            _ => {}
        }
        match last_star {
            Some((after, taken)) if taken < name.len() => {
                last_star = Some((after, taken + 1));
                (at, from) = (after, taken + 1);
            }
            _ => return false,
        }
    }
}

/// Returns the length of the pattern's first element if it matches `found`; it is not a star.
fn matches_one(pattern: &[char], found: char) -> Option<usize> {
    match pattern {
        ['?', ..] => Some(1),
        ['[', rest @ ..] => match set(rest) {
            Some((length, holds)) => holds(found).then_some(length + 1),
            // A bracket that is never closed stands for itself.
            None => (found == '[').then_some(1),
        },
        [own, ..] => (*own == found).then_some(1),
        [] => None,
    }
}

/// Returns the length of a set such as `a-z]` or `!0-9]`, after its opening bracket, and what is in it.
fn set(pattern: &[char]) -> Option<(usize, impl Fn(char) -> bool)> {
    let negated = matches!(pattern.first(), Some('!' | '^'));
    let start = usize::from(negated);
    // A closing bracket that comes first is in the set.
    let end = start + 1 + pattern.get(start + 1..)?.iter().position(|char| *char == ']')?;
    let members = pattern[start..end].to_vec();
    let holds = move |found: char| {
        let mut rest = members.as_slice();
        let mut is_in = false;
        while let [first, after @ ..] = rest {
            rest = match after {
                ['-', last, after @ ..] => {
                    is_in |= (*first..=*last).contains(&found);
                    after
                }
                _ => {
                    is_in |= *first == found;
                    after
                }
            };
        }
        is_in != negated
    };
    Some((end + 1, holds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_as_in_a_shell() {
        for (pattern, name) in [
            ("*", "a.csv"),
            ("*.csv", "a.csv"),
            ("part-*.parquet", "part-.parquet"),
            ("*a*b*", "xaayb"),
            ("?.csv", "ä.csv"),
            ("[a-c]?.csv", "b7.csv"),
            ("[!a-c]", "d"),
            ("[]x]", "]"),
            ("[a-]", "-"),
            ("a[", "a["),
            ("*.csv.*", "x.csv.csv.gz"),
        ] {
            assert!(matches(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in
            [("*.csv", "a.csvx"), ("?", ""), ("?", "ab"), ("[a-c]", "d"), ("[!a-c]", "a"), ("a*b", "ac"), ("", "a")]
        {
            assert!(!matches(pattern, name), "{pattern} {name}");
        }
    }

    #[test]
    fn two_stars_stand_for_any_number_of_folders() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path();
        for path in ["b.csv", "x/a.csv", "x/y/c.csv", "x/y/.hidden.csv", ".git/d.csv", "x/e.txt", "x/dir.csv/f"] {
            fs::create_dir_all(root.join(path).parent().unwrap()).unwrap();
            fs::write(root.join(path), "").unwrap();
        }
        let found = |pattern: &str| {
            let found = expand(&root.join(pattern)).unwrap();
            let short = found.iter().map(|path| path.strip_prefix(root).unwrap().display().to_string());
            short.collect::<Vec<_>>()
        };
        assert_eq!(found("**/*.csv"), ["b.csv", "x/a.csv", "x/y/c.csv"]);
        assert_eq!(found("*/*.csv"), ["x/a.csv"]);
        assert_eq!(found("x/y/.h*"), ["x/y/.hidden.csv"]);
        assert_eq!(found("*.parquet"), [""; 0]);
        assert_eq!(found("no/such/*.csv"), [""; 0]);
    }
}
