//! The program as users see it: its output, its errors, and how it stops and resumes.

#![allow(clippy::unwrap_used)] // a test that meets an error should fail

mod digits;

use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

fn program(folder: &Path, arguments: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_protodash-studies"));
    command.args(arguments.split_whitespace()).current_dir(folder).stdin(Stdio::null()).env("NO_COLOR", "1");
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn run(folder: &Path, arguments: &str) -> Output {
    program(folder, arguments).output().unwrap()
}

/// Runs the program, which must fail with this code and exactly this message, and print nothing else.
fn refuses(folder: &Path, arguments: &str, code: i32, message: &str) {
    let output = run(folder, arguments);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), said.trim_end()), (Some(code), message), "{arguments}");
    assert!(output.stdout.is_empty(), "{arguments}");
}

#[test]
fn the_help_is_as_reviewed() {
    let folder = tempfile::tempdir().unwrap();
    let help = ["--help", "mnist --help", "nhanes --help"].map(|arguments| {
        let output = run(folder.path(), arguments);
        assert!(output.status.success());
        format!("$ protodash-studies {arguments}\n{}", String::from_utf8(output.stdout).unwrap())
    });
    let found = help.join("\n");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/cli/studies_help.txt");
    if std::env::var_os("PROTODASH_RENEW").is_some() {
        std::fs::write(&path, &found).unwrap();
    }
    assert_eq!(found, std::fs::read_to_string(&path).unwrap_or_default(), "PROTODASH_RENEW=1 renews it");
}

#[test]
fn errors_name_what_was_given_and_what_is_allowed() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("empty")).unwrap();
    std::fs::write(folder.path().join("file"), "").unwrap();
    let folder = folder.path();
    refuses(
        folder,
        "nhanes --data . --trials 3",
        2,
        "error: unexpected argument '--trials' found\n\n  tip: a similar argument exists: '--threads'\n\nUsage: \
         protodash-studies nhanes --data <DIR> --threads <N>\n\nFor more information, try '--help'.",
    );
    refuses(
        folder,
        "mnist --data . --report page.txt",
        2,
        "error: invalid value 'page.txt' for '--report <FILE>': must end in .html\n\nFor more \
         information, try '--help'.",
    );
    refuses(
        folder,
        "mnist --data empty --report missing/page.html",
        1,
        "error: missing/page.html: cannot be written\nCaused by: No such file or directory (os error 2)\nhint: create \
         the folder first, or use another one",
    );
    for study in ["mnist", "nhanes", "retail"] {
        let output = run(folder, &format!("{study} --data empty"));
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{study}: {said}");
        assert!(said.starts_with("error: empty"), "{said}");
        assert!(said.ends_with("hint: point --data to the folder with the data of the study\n"), "{said}");
        assert!(!folder.join(format!("{study}-study")).exists());
    }
}

#[test]
fn a_quick_study_prints_its_claims_and_writes_a_folder_and_a_report() {
    let folder = tempfile::tempdir().unwrap();
    digits::write(&folder.path().join("mnist"));
    let call = "mnist --data mnist --quick --trials 1 --report page.html";
    let output = run(folder.path(), call);
    let (printed, said) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert_eq!(said, "written to mnist-study-quick\nreport written to page.html\n");
    assert!(printed.contains("\nfigure 4a: ") && printed.contains("    holds if "), "{printed}");
    let page = std::fs::read_to_string(folder.path().join("page.html")).unwrap();
    assert!(page.contains(&format!("protodash-studies {call}")));
    assert!(folder.path().join("mnist-study-quick/results.json").is_file());
    // A file instead of the folder.
    std::fs::write(folder.path().join("file"), "").unwrap();
    refuses(
        folder.path(),
        "mnist --data mnist --quick -o file",
        1,
        "error: file: cannot be written\nCaused by: File exists (os error 17)\nhint: it is a file; point -o to a folder",
    );
}

#[cfg(unix)]
#[test]
fn ctrl_c_keeps_finished_trials_and_the_same_command_resumes() {
    let folder = tempfile::tempdir().unwrap();
    digits::write(&folder.path().join("mnist"));
    let call = "mnist --data mnist --quick --trials 1 --threads 1 -o out";
    let run_to_stop = program(folder.path(), call).spawn().unwrap();
    let journal = folder.path().join("out/journal.jsonl");
    wait_for(|| n_lines(&journal) > 3);
    let output = interrupted(run_to_stop);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(130), "{said}");
    assert_eq!(said, "interrupted: finished trials are kept in out; run the same command to resume\n");
    let kept = n_lines(&journal);
    assert!(!folder.path().join("out/results.json").exists());
    let resumed = run(folder.path(), call);
    assert_eq!(resumed.status.code(), Some(0));
    // Head, bandwidth, 51 target sets and galleries, none of them twice.
    assert!(kept < 54 && n_lines(&journal) == 54, "{kept} lines, then {}", n_lines(&journal));
}

fn n_lines(path: &Path) -> usize {
    std::fs::read_to_string(path).map_or(0, |text| text.matches('\n').count())
}

fn wait_for(condition: impl Fn() -> bool) {
    let since = std::time::Instant::now();
    while !condition() {
        assert!(since.elapsed().as_secs() < 120, "the study made no progress for two minutes");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
}

/// Sends Ctrl-C and waits for the end.
fn interrupted(run: Child) -> Output {
    assert!(Command::new("kill").args(["-INT", &run.id().to_string()]).status().unwrap().success());
    run.wait_with_output().unwrap()
}
