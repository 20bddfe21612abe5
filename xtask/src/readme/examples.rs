//! Finds the commands and code blocks in a Markdown file.

/// How our commands begin in a README, and what replaces that in the shell.
const OURS: &[(&str, &str)] = &[("cargo run --release -- ", "protodash "), ("protodash ", "protodash ")];

/// Commands and code blocks of a README.
#[derive(Debug, Default, PartialEq)]
pub(super) struct ReadmeContent {
    /// Our commands, in order.
    pub(super) examples: Vec<ReadmeExample>,
    /// Other commands, with their line numbers.
    pub(super) others: Vec<(usize, String)>,
    /// Lines where Rust blocks begin.
    pub(super) rust: Vec<usize>,
    /// Lines where Python blocks begin.
    pub(super) python: Vec<usize>,
}

/// One of our commands, with the output shown below it.
#[derive(Debug, PartialEq)]
pub(super) struct ReadmeExample {
    /// Line number, from 1.
    pub(super) line: usize,
    /// The command as written, joined into one line.
    pub(super) shown: String,
    /// The command to run, with `protodash` on `PATH`.
    pub(super) script: String,
    /// Expected output lines; empty if the README shows none.
    expected: Vec<String>,
}

impl ReadmeContent {
    /// Parses the fenced blocks of a Markdown text.
    pub(super) fn parse(text: &str) -> Self {
        let mut readme = Self::default();
        let mut lines = text.lines().enumerate().map(|(number, line)| (number + 1, line));
        while let Some((start, line)) = lines.next() {
            // A block may be indented in a list or quoted.
            let Some(language) = line.trim_start_matches([' ', '>']).strip_prefix("```") else { continue };
            let closing = |line: &str| line.trim_start_matches([' ', '>']).starts_with("```");
            let block: Vec<_> = lines.by_ref().take_while(|(_, line)| !closing(line)).collect();
            match language.split([',', ' ']).next().unwrap_or(language) {
                "console" => readme.add_console(&block),
                "rust" => readme.rust.push(start),
                "python" => readme.python.push(start),
                _ => {}
            }
        }
        readme
    }

    fn add_console(&mut self, block: &[(usize, &str)]) {
        let mut lines = block.iter().copied().peekable();
        while let Some((number, line)) = lines.next() {
            let Some(first) = line.strip_prefix("$ ") else { continue };
            let mut shown = first.to_string();
            while let Some(open) = shown.strip_suffix('\\') {
                let Some((_, next)) = lines.next() else { break };
                shown = format!("{} {}", open.trim_end(), next.trim_start());
            }
            let mut expected = Vec::new();
            while let Some((_, line)) = lines.next_if(|(_, line)| !line.starts_with("$ ")) {
                expected.push(line.trim_end().to_string());
            }
            self.add_command(number, shown, expected);
        }
    }

    fn add_command(&mut self, line: usize, shown: String, mut expected: Vec<String>) {
        while expected.last().is_some_and(String::is_empty) {
            expected.pop();
        }
        let ours = OURS.iter().find_map(|(start, program)| Some(format!("{program}{}", shown.strip_prefix(start)?)));
        match ours {
            Some(script) => self.examples.push(ReadmeExample { line, shown, script, expected }),
            None => self.others.push((line, shown)),
        }
    }
}

impl ReadmeExample {
    /// Whether the output matches; a line `…` or `...` matches any number of lines.
    pub(super) fn matches(&self, printed: &str) -> bool {
        let printed: Vec<&str> = printed.trim_end().lines().map(str::trim_end).collect();
        let expected: Vec<&str> = self.expected.iter().map(String::as_str).collect();
        expected.is_empty() || lines_match(&expected, &printed)
    }
}

fn lines_match(expected: &[&str], printed: &[&str]) -> bool {
    match expected {
        [] => printed.is_empty(),
        ["…" | "...", rest @ ..] => (0..=printed.len()).any(|skipped| lines_match(rest, &printed[skipped..])),
        [first, rest @ ..] => {
            printed.split_first().is_some_and(|(line, others)| line == first && lines_match(rest, others))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
# Title
```console
$ cargo run --release -- select testdata/a.csv \\
      -m 5
one
two

$ protodash report r.json
$ cargo xtask test
```
> ```rust
> let x = 1;
> ```
```python
x = 1
```
```text
$ protodash never
```
";

    #[test]
    fn commands_are_found_with_their_output() {
        let readme = ReadmeContent::parse(TEXT);
        let select = ReadmeExample {
            line: 3,
            shown: "cargo run --release -- select testdata/a.csv -m 5".into(),
            script: "protodash select testdata/a.csv -m 5".into(),
            expected: vec!["one".into(), "two".into()],
        };
        let report = ReadmeExample {
            line: 8,
            shown: "protodash report r.json".into(),
            script: "protodash report r.json".into(),
            expected: vec![],
        };
        assert_eq!(readme.examples, [select, report]);
        assert_eq!(readme.others, [(9, "cargo xtask test".to_string())]);
    }

    #[test]
    fn code_blocks_are_found() {
        let readme = ReadmeContent::parse(TEXT);
        assert_eq!((readme.rust, readme.python), (vec![11], vec![14]));
    }

    fn matches(expected: &[&str], printed: &str) -> bool {
        let expected = expected.iter().map(ToString::to_string).collect();
        ReadmeExample { line: 1, shown: String::new(), script: String::new(), expected }.matches(printed)
    }

    #[test]
    fn output_must_match_except_trailing_whitespace() {
        assert!(matches(&["a", "b"], "a  \nb\n\n"));
        assert!(!matches(&["a", "b"], "a\nc\n"));
        assert!(!matches(&["a"], "a\nb\n"));
        assert!(!matches(&["a", "b"], "a\n"));
    }

    #[test]
    fn ellipsis_and_empty_output_match_anything() {
        assert!(matches(&["a", "…", "z"], "a\nb\nc\nz\n"));
        assert!(matches(&["a", "...", "z"], "a\nz\n"));
        assert!(!matches(&["a", "…", "z"], "a\nb\n"));
        assert!(matches(&["…"], ""));
        assert!(matches(&[], "whatever\n"));
    }
}
