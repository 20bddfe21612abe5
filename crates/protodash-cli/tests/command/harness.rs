//! Runs the built command in a folder and captures its output.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// The output of a run.
#[derive(Debug, PartialEq)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Ran {
        let text = |bytes| String::from_utf8(bytes).expect("the command writes UTF-8");
        Ran { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
    }
}

/// The command, to be run in `folder` with arguments separated by spaces; `{}` in an argument stands for a space.
pub(crate) fn command(folder: &Path, arguments: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_protodash"));
    command.args(arguments.split_whitespace().map(|argument| argument.replace("{}", " ")));
    command.current_dir(folder).stdin(Stdio::null()).env("NO_COLOR", "1");
    command
}

/// Runs the command from the root of the repository, for its test data.
pub(crate) fn on_testdata(arguments: &str) -> Ran {
    command(&project(), arguments).output().expect("the command can be started").into()
}

/// The root of the repository.
pub(crate) fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the project has a folder")
}

/// A folder for one test.
pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn new() -> Folder {
        Folder(tempfile::tempdir().expect("a temporary folder can be made"))
    }

    /// A folder with one file in it.
    pub(crate) fn with(name: &str, content: impl AsRef<[u8]>) -> Folder {
        let folder = Folder::new();
        folder.write(name, content);
        folder
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) -> &Folder {
        fs::write(self.path(name), content).expect("a file can be written");
        self
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// The names of all files, in order.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).expect("the folder is there");
        let mut names: Vec<_> =
            entries.map(|entry| entry.expect("it can be read").file_name().into_string().expect("UTF-8")).collect();
        names.sort();
        names
    }

    /// The names and bytes of all files, in order.
    fn contents(&self) -> Vec<(String, Vec<u8>)> {
        let is_file = |name: &String| self.path(name).is_file();
        let bytes = |name: String| {
            let bytes = fs::read(self.path(&name)).unwrap_or_else(|error| panic!("{name}: {error}"));
            (name, bytes)
        };
        self.names().into_iter().filter(is_file).map(bytes).collect()
    }

    pub(crate) fn command(&self, arguments: &str) -> Command {
        command(self.0.path(), arguments)
    }

    pub(crate) fn run(&self, arguments: &str) -> Ran {
        self.command(arguments).output().expect("the command can be started").into()
    }

    /// Runs the command, which must succeed, and returns what it prints.
    pub(crate) fn stdout(&self, arguments: &str) -> String {
        let ran = self.run(arguments);
        assert_eq!(ran.code, Some(0), "protodash {arguments}\n{}", ran.stderr);
        ran.stdout
    }

    /// Runs the command, which must fail with this code and exactly this message, print nothing and write nothing.
    pub(crate) fn refuses(&self, arguments: &str, code: i32, message: &str) {
        let before = self.contents();
        let ran = self.run(arguments);
        let expected = Ran { code: Some(code), stdout: String::new(), stderr: format!("{message}\n") };
        assert_eq!(ran, expected, "protodash {arguments}\nsaid\n{}\nand not\n{message}\n", ran.stderr);
        assert!(self.contents() == before, "protodash {arguments} left or changed a file");
    }
}

/// Compares a run with `testdata/cli/NAME.txt`; with PROTODASH_RENEW set, writes that file instead.
pub(crate) fn golden(name: &str, arguments: &str, ran: &Ran) {
    let code = ran.code.map_or_else(|| "none".to_owned(), |code| code.to_string());
    let (stdout, stderr) = (rounded(&ran.stdout), rounded(&ran.stderr));
    let found = format!("$ protodash {arguments}\n{stdout}--- standard error\n{stderr}--- exit {code}\n");
    let path = project().join("testdata/cli").join(name).with_extension("txt");
    if std::env::var_os("PROTODASH_RENEW").is_some() {
        fs::write(&path, &found).expect("the golden can be written");
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(found, expected, "{} differs; PROTODASH_RENEW=1 renews it\n{found}", path.display());
}

/// The text with every long number rounded to nine digits, which all machines agree on.
fn rounded(text: &str) -> String {
    let mut result = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(|char: char| char.is_ascii_digit()) {
        let (before, from) = rest.split_at(start);
        let end = from.find(|char: char| !(char.is_ascii_digit() || ".e-".contains(char))).unwrap_or(from.len());
        let (number, after) = from.split_at(end);
        result += before;
        match number.parse::<f64>() {
            Ok(value) if number.contains('.') && number.len() > 11 => {
                result += &format!("{value:.8e}")
                    .parse::<f64>()
                    .map_or_else(|_| number.to_owned(), |value| value.to_string());
            }
            _ => result += number,
        }
        rest = after;
    }
    result + rest
}

#[test]
fn long_numbers_are_rounded_and_short_ones_are_not() {
    assert_eq!(
        rounded("{\"a\": 0.4506356969927987, \"b\": -12, \"c\": 1.5}"),
        "{\"a\": 0.450635697, \"b\": -12, \"c\": 1.5}"
    );
}
