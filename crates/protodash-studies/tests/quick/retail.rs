//! The quick study of real customers: it finishes, has the documented shape, and resumes after a stop.

use std::path::Path;

use protodash_studies::retail::{RetailFindings, run};
use protodash_studies::{Error, Settings, UnobservedStudy};

use crate::real_data::real_data;
use crate::stop_at::StopAt;

#[test]
fn a_stopped_study_resumes_with_the_same_result() {
    let Some(data) = real_data("retail") else { return };
    let folder = tempfile::tempdir().unwrap();
    let settings = |name: &str, threads| Settings {
        quick: true,
        threads,
        ..Settings::new(data.clone(), folder.path().join(name))
    };
    let stop = StopAt::new(7);
    assert!(matches!(run(&settings("study", 2), &stop), Err(Error::Stopped)));
    assert!(!folder.path().join("study/results.json").exists());
    let findings = run(&settings("study", 1), &UnobservedStudy).unwrap();
    check(&findings, &folder.path().join("study"));
    let whole = run(&settings("whole", 2), &UnobservedStudy).unwrap();
    let untimed = |findings: &RetailFindings| {
        let (figures, tables) = (&findings.figures, &findings.tables);
        ([&figures[0], &figures[1], &figures[3]].map(Clone::clone), tables[..3].to_vec())
    };
    assert_eq!(untimed(&findings), untimed(&whole));

    let other = Settings { seed: 1, ..settings("study", 1) };
    let message = run(&other, &UnobservedStudy).unwrap_err().to_string();
    assert!(message.ends_with("belongs to a run with other settings: seed was 0, now 1"), "{message}");
    let none = Settings { size: Some(0), ..settings("none", 1) };
    assert_eq!(
        run(&none, &UnobservedStudy).unwrap_err().to_string(),
        "the number of trials is 0; it must be at least 1"
    );
}

/// Checks shapes and properties of any run.
fn check(findings: &RetailFindings, folder: &Path) {
    let names: Vec<&str> = findings.figures.iter().map(|figure| figure.name.as_str()).collect();
    assert_eq!(names, ["1a", "1a_plain", "1b", "2"]);
    for name in &names {
        assert!(folder.join(format!("figure_{name}.csv")).is_file());
    }
    for table in ["people", "later", "choices", "scales", "on_paper"] {
        assert!(folder.join(format!("{table}.csv")).is_file(), "{table}");
    }
    // All the data and each method but P-Lasso, which may have no such number, have an error on both sets.
    let errors = &findings.figures[0].series;
    assert_eq!(errors[0].name, "PrAll");
    assert!(errors.iter().filter(|series| series.name != "P-Lasso").all(|series| series.points.len() == 2));
    assert!(errors.iter().flat_map(|series| &series.points).all(|point| point.estimate.mean > 0.0));
    let percentiles = findings.figures[3].series.iter().flat_map(|series| &series.points);
    assert!(percentiles.into_iter().all(|point| (0.0..=100.0).contains(&point.estimate.mean)));
    // 300 of each side are drawn; the test set of customers has 265.
    assert_eq!(findings.tables[0].rows[0][..3], ["customers", "300", "300"]);
    assert_eq!(findings.tables[0].rows[0][5], "265");
    assert_eq!(findings.tables[3].rows.len(), 5);
    assert!(findings.claims.len() >= 17, "{}", findings.claims.len());
    let saved: RetailFindings =
        serde_json::from_str(&std::fs::read_to_string(folder.join("results.json")).unwrap()).unwrap();
    assert_eq!(&saved, findings);
}
