//! Help texts, their examples, and shell completion.

use crate::harness::{Folder, golden, on_testdata, project};

#[test]
fn the_help_of_each_command_is_as_reviewed() {
    for (name, arguments) in [
        ("help", "--help"),
        ("help_select", "select --help"),
        ("help_select_short", "select -h"),
        ("help_compare", "compare --help"),
        ("help_criticize", "criticize --help"),
        ("help_explain", "explain --help"),
        ("help_relate", "relate --help"),
        ("help_report", "report --help"),
        ("help_completions", "completions --help"),
    ] {
        golden(name, arguments, &on_testdata(arguments));
    }
}

#[test]
fn the_examples_of_the_help_run() {
    // A backslash at the end of a line continues it.
    let commands = ["select", "compare", "criticize", "explain", "relate", "report"];
    let help: String = commands.iter().map(|command| on_testdata(&format!("{command} --help")).stdout).collect();
    let help = help.replace("\\\n", "");
    let folder = Folder::new();
    std::fs::create_dir_all(folder.path("testdata/relate")).unwrap();
    let related = ["early_childhood", "health", "income", "occupation"].map(|name| format!("relate/{name}.csv"));
    let plain = ["digits.csv", "nhanes_adults.csv", "wine.csv", "income.csv"].map(str::to_owned);
    for name in plain.iter().chain(&related) {
        let name = format!("testdata/{name}");
        std::fs::copy(project().join(&name), folder.path(&name)).unwrap();
    }
    let examples = help.lines().filter_map(|line| line.strip_prefix("    protodash "));
    // MNIST is too large for this repository.
    let examples: Vec<&str> = examples.filter(|line| !line.contains("images-idx3-ubyte")).collect();
    assert_eq!(examples.len(), 28, "{help}");
    examples.iter().for_each(|example| run_line(&folder, example));
}

fn run_line(folder: &Folder, line: &str) {
    let mut shell = std::process::Command::new("sh");
    let program = env!("CARGO_BIN_EXE_protodash");
    let script = format!("'{program}' {line}");
    let output = shell.args(["-c", &script]).current_dir(folder.path("")).output().unwrap();
    assert!(output.status.success(), "{line}\n{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn every_shell_has_a_script() {
    for (shell, marker) in [
        ("bash", "_protodash()"),
        ("zsh", "#compdef protodash"),
        ("fish", "complete -c protodash"),
        ("elvish", "edit:completion"),
        ("powershell", "Register-ArgumentCompleter"),
    ] {
        let ran = on_testdata(&format!("completions {shell}"));
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
        assert!(ran.stdout.contains(marker), "{shell}:\n{}", ran.stdout);
        assert!(ran.stdout.contains("n-prototypes"), "{shell}");
    }
}
