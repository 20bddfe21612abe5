//! The quick study of real digits: it finishes, has the documented shape, and resumes after a stop.

use std::path::Path;

use protodash_studies::mnist::{MnistFindings, run};
use protodash_studies::{Error, Settings, UnobservedStudy};

use crate::real_data::real_data;
use crate::stop_at::StopAt;

#[test]
fn a_stopped_study_resumes_with_the_same_result() {
    let Some(data) = real_data("mnist") else { return };
    let folder = tempfile::tempdir().unwrap();
    let settings = |name: &str, threads| Settings {
        quick: true,
        size: Some(1),
        threads,
        ..Settings::new(data.clone(), folder.path().join(name))
    };
    let whole = run(&settings("whole", 2), &UnobservedStudy).unwrap();
    check(&whole, &folder.path().join("whole"));
    let writeup = whole.writeup(&settings("whole", 1), &UnobservedStudy).unwrap();
    // Seven headings; at full skew four rows of ten images each.
    assert_eq!(writeup.galleries.len(), 7);
    assert_eq!(writeup.galleries[0].strips.iter().map(|strip| strip.rows.len()).collect::<Vec<_>>(), [10; 4]);
    assert!(protodash_report::render(&writeup.report(&[])).unwrap().contains("Figure 5, centre: the best 8s"));

    let stop = StopAt::new(3);
    let interrupted = settings("interrupted", 2);
    assert!(matches!(run(&interrupted, &stop), Err(Error::Stopped)));
    assert!(!interrupted.output.join("results.json").exists());
    // As if the first run had continued and then crashed while writing its 45th line.
    let written = std::fs::read_to_string(folder.path().join("whole/journal.jsonl")).unwrap();
    let lines: Vec<&str> = written.split_inclusive('\n').collect();
    let half = &lines[44][..lines[44].len() / 2];
    std::fs::write(interrupted.output.join("journal.jsonl"), lines[..44].concat() + half).unwrap();
    let observer = StopAt::new(usize::MAX);
    let resumed = run(&Settings { threads: 1, ..interrupted }, &observer).unwrap();
    assert_eq!(observer.notes.lock().unwrap().len(), 1);
    assert_eq!(untimed(whole), untimed(resumed));

    let other = Settings { seed: 1, ..settings("whole", 1) };
    let message = run(&other, &UnobservedStudy).unwrap_err().to_string();
    assert!(message.ends_with("belongs to a run with other settings: seed was 0, now 1"), "{message}");
}

/// Checks shapes and properties of any run.
fn check(findings: &MnistFindings, folder: &Path) {
    let names: Vec<&str> = findings.figures.iter().map(|figure| figure.name.as_str()).collect();
    assert_eq!(names, ["3a", "3b", "3c", "4a", "4b", "4c"]);
    for name in names.iter().chain(&["5"]) {
        assert!(folder.join(format!("figure_{name}.csv")).is_file());
    }
    let accuracy = &findings.figures[0];
    assert!(accuracy.series.iter().filter(|series| series.name != "P-Lasso").all(|series| series.points.len() == 14));
    for figure in [0, 2, 3, 5].map(|place| &findings.figures[place]) {
        let values = figure.series.iter().flat_map(|series| &series.points).map(|point| point.estimate.mean);
        assert!(values.into_iter().all(|value| (0.0..=1.0).contains(&value)), "{}", figure.name);
    }
    // Optimal weights for more prototypes are never worse.
    let objective = &findings.figures[1].series[0];
    assert!(objective.points.is_sorted_by(|one, next| one.estimate.mean <= next.estimate.mean));
    // Three digits at full skew by four methods, and two digits twice by three.
    assert_eq!(findings.galleries.len(), 24);
    assert_eq!(findings.claims.len(), 27);
    let text = std::fs::read_to_string(folder.join("results.md")).unwrap();
    assert!(text.contains("\n## Claims\n") && text.contains("This is a quick version"), "{text}");
    assert!(findings.bandwidth.widths.iter().any(|width| width.bandwidth == findings.bandwidth.bandwidth));
    let saved: MnistFindings =
        serde_json::from_str(&std::fs::read_to_string(folder.join("results.json")).unwrap()).unwrap();
    assert_eq!(&saved, findings);
}

/// The findings without times.
fn untimed(mut findings: MnistFindings) -> MnistFindings {
    findings.figures.retain(|figure| figure.name != "4b");
    findings.claims.retain(|claim| !claim.place.ends_with("figure 4b"));
    findings.seconds = 0.0;
    findings
}
