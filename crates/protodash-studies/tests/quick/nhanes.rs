//! The quick study of real questionnaires: it finishes, has the documented shape, and resumes after a stop.

use std::path::Path;

use protodash_studies::nhanes::{NhanesFindings, run};
use protodash_studies::{Error, Settings, UnobservedStudy};

use crate::real_data::real_data;
use crate::stop_at::StopAt;

#[test]
fn a_stopped_study_resumes_with_the_same_result() {
    let Some(data) = real_data("nhanes") else { return };
    let folder = tempfile::tempdir().unwrap();
    let settings = |name: &str, threads| Settings {
        quick: true,
        size: Some(60),
        threads,
        ..Settings::new(data.clone(), folder.path().join(name))
    };
    let stop = StopAt::new(100);
    assert!(matches!(run(&settings("study", 2), &stop), Err(Error::Stopped)));
    assert!(!folder.path().join("study/results.json").exists());
    let findings = run(&settings("study", 1), &UnobservedStudy).unwrap();
    check(&findings, &folder.path().join("study"));
    // Everything is in the journal: nothing runs again, so even the times are the same.
    assert_eq!(run(&settings("study", 2), &UnobservedStudy).unwrap(), findings);

    let other = Settings { seed: 1, ..settings("study", 1) };
    let message = run(&other, &UnobservedStudy).unwrap_err().to_string();
    assert!(message.ends_with("belongs to a run with other settings: seed was 0, now 1"), "{message}");
    let none = Settings { size: Some(1), ..settings("none", 1) };
    assert_eq!(
        run(&none, &UnobservedStudy).unwrap_err().to_string(),
        "the number of people is 1; it must be at least 2"
    );
}

/// Checks shapes and properties of any run.
fn check(findings: &NhanesFindings, folder: &Path) {
    let names: Vec<&str> = findings.tables.iter().map(|table| table.name.as_str()).collect();
    let expected = [
        "people",
        "average_ranks",
        "average_ranks_of_own",
        "income",
        "representatives",
        "demographics",
        "agreement",
        "explained",
        "widths",
    ];
    assert_eq!(names, expected);
    for name in names.iter().chain(&["pairs", "figure_6b"]) {
        assert!(folder.join(format!("{name}.csv")).is_file(), "{name}");
    }
    assert!(folder.join("graph_adults_gaussian.dot").is_file());
    // The graph in the report: 38 questionnaires of the adults, each with the others as its representatives.
    let graph = findings.relation.as_ref().unwrap();
    assert!(graph.tables.len() == 38 && graph.n_edges >= 38, "{}", graph.n_edges);
    // With so few people, two tables may share none.
    assert!((38 * 36..=38 * 37).contains(&graph.pairs.len()), "{}", graph.pairs.len());
    assert!((0..38).all(|target| graph.pairs.iter().any(|pair| pair.target == target)));
    assert!(graph.tables.iter().all(|table| table.explained > 0.0 && !table.name.ends_with("_H")));
    // The opening says how many claims hold, the statements which, before any table.
    let markdown = findings.writeup().markdown();
    assert_eq!(findings.statements.len(), 2);
    let places = ["claims of sections V and V-C", &findings.statements[0], "## Protocol"];
    assert!(places.map(|text| markdown.find(text).unwrap()).is_sorted());
    // Early Childhood and Weight History - Youth were asked of children only.
    let people = &findings.tables[0];
    let of = |name: &str| people.rows.iter().find(|row| row[0] == name).unwrap().clone();
    assert_eq!(people.rows[0][1..3], ["60", "60"]);
    assert_eq!((of("Early Childhood")[1].as_str(), of("Weight History - Youth")[1].as_str()), ("nobody", "nobody"));
    assert_eq!(of("Alcohol Use")[1], "60");
    assert_eq!(findings.notes[2].1, "Early Childhood, Weight History - Youth; excluded there");
    // No code of a table is shown, and every method has its time in each of the four settings.
    assert!(!markdown.contains("_H "));
    let times = &findings.figures[0];
    assert!(times.series.iter().filter(|series| series.name != "P-Lasso").all(|series| series.points.len() == 4));
    // Average ranks are between the first and the last, and no share exceeds 1.
    let ranks = findings.tables[1].rows.iter().flat_map(|row| &row[1..]).filter(|cell| *cell != "–");
    assert!(ranks.map(|cell| cell.parse::<f64>().unwrap()).all(|rank| (1.0..=39.0).contains(&rank)));
    let pairs = std::fs::read_to_string(folder.join("pairs.csv")).unwrap();
    assert!(pairs.lines().count() > 40 * 30 * 15);
    let saved: NhanesFindings =
        serde_json::from_str(&std::fs::read_to_string(folder.join("results.json")).unwrap()).unwrap();
    assert_eq!(&saved, findings);
}
