//! Ctrl-C and broken pipes.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Read, Write as _};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::harness::{Folder, on_testdata};

/// Enough rows that the run is still busy when Ctrl-C arrives.
fn many_rows() -> String {
    let mut rows = String::from("1,2,3,4\n"); // a numeric header, which causes a note
    for i in 0..80_000_u32 {
        let value = |step: u32| f64::from(i.wrapping_mul(step) % 9973) / 997.0;
        writeln!(rows, "{},{},{},{}", value(7), value(131), value(1297), value(5557)).unwrap();
    }
    rows
}

#[test]
fn ctrl_c_leaves_no_file_behind() {
    let folder = Folder::with("many.csv", many_rows());
    for output in ["out.json", "out.csv", "out.parquet"] {
        let mut run = folder
            .command(&format!("select many.csv -m 500 -o {output}"))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stderr = BufReader::new(run.stderr.take().unwrap());
        // The note about the header shows that the run has started and handles signals.
        let mut remark = String::new();
        stderr.read_line(&mut remark).unwrap();
        assert!(remark.starts_with("note: many.csv: line 1 was read as the header"), "{remark}");
        let code = interrupted(&mut run);
        let mut rest = String::new();
        stderr.read_to_string(&mut rest).unwrap();
        // On a slow machine the run is announced as a long one.
        let last = rest.lines().filter(|line| !line.starts_with("note: ")).collect::<Vec<_>>();
        assert_eq!((code, last), (Some(130), vec!["interrupted: nothing was written"]));
        assert_eq!(folder.names(), ["many.csv"]);
    }
}

#[test]
fn ctrl_c_stops_reading_a_file() {
    let folder = Folder::new();
    let pipe = folder.path("pipe.csv");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let mut run =
        folder.command("select pipe.csv -o out.json").stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // The pipe opens when the command starts to read from it, and never ends.
    let mut writer = std::fs::OpenOptions::new().write(true).open(&pipe).unwrap();
    writer.write_all(b"x,y\n1,2\n3,4\n").unwrap();
    let code = interrupted(&mut run);
    let mut said = String::new();
    run.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert_eq!((code, said.as_str()), (Some(130), "interrupted: nothing was written\n"));
    assert_eq!(folder.names(), ["pipe.csv"]);
}

#[test]
fn a_long_run_says_what_it_will_cost_and_how_to_shorten_it() {
    // A header and 3,000,000 rows of one number, all different.
    let description = "{'descr': '<f8', 'fortran_order': False, 'shape': (3000000, 1), }";
    let mut bytes = b"\x93NUMPY\x01\x00\x76\x00".to_vec();
    bytes.extend(format!("{description:<117}\n").bytes());
    bytes.extend((0..3_000_000_u32).flat_map(|row| f64::from(row).to_le_bytes()));
    let folder = Folder::with("many.npy", bytes);
    let mut run =
        folder.command("select many.npy --means full").stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stderr = BufReader::new(run.stderr.take().unwrap());
    let mut note = String::new();
    stderr.read_line(&mut note).unwrap();
    assert!(note.starts_with("note: 3,000,000 rows have 4,500,001,500,000 pairs, which take about "), "{note}");
    assert!(note.contains("; for a shorter run, use --means racing or --target-sample "), "{note}");
    assert_eq!(interrupted(&mut run), Some(130));
}

/// Sends Ctrl-C and returns the exit code.
fn interrupted(run: &mut Child) -> Option<i32> {
    let pressed = Command::new("kill").args(["-INT", &run.id().to_string()]).status().unwrap();
    assert!(pressed.success());
    let since = Instant::now();
    loop {
        match run.try_wait().unwrap() {
            Some(status) => return status.code(),
            None if since.elapsed() > Duration::from_secs(60) => {
                run.kill().unwrap();
                panic!("still running a minute after Ctrl-C");
            }
            None => std::thread::sleep(Duration::from_millis(20)),
        }
    }
}

#[test]
fn a_broken_pipe_is_not_an_error() {
    let project = crate::harness::project();
    for arguments in ["select testdata/wine.csv --label label -m 3", "completions bash"] {
        let mut command = crate::harness::command(&project, arguments);
        let mut run = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // The reading end is closed before anything is written.
        drop(run.stdout.take());
        let output = run.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{arguments}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{arguments}");
    }
}

#[test]
fn stdout_has_only_the_finding_and_the_table() {
    let ran = on_testdata("select testdata/wine.csv --label label -m 3");
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    assert!(ran.stdout.starts_with("rows are ") && ran.stdout.contains("\n\nrank  "), "{}", ran.stdout);
}
