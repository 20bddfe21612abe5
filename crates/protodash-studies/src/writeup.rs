//! The write-up of a study, as an HTML report and as Markdown: opening, claims, figures, images and tables.

use protodash_report::{
    Attachment, Body, Images, RelationPage, Report, Row, StudyCell, StudyClaim, StudyFigure, StudyGallery, StudyPage,
    StudyPoint, StudySeries, StudyStrip, StudyTable, StudyVerdict,
};

use crate::claim::{self, Claim, ClaimVerdict};
use crate::figure::{Figure, FigureCurve, Point};
use crate::table::ResultTable;

/// A finished study, ready to be rendered.
///
/// # Examples
///
/// ```
/// use protodash_studies::{Claim, Writeup};
///
/// let claim = Claim::new("V-B", "it adapts", "rises by 0.1".into(), true);
/// let writeup = Writeup { title: "A study".into(), claims: vec![claim], ..Writeup::default() };
/// assert!(writeup.markdown().starts_with("# A study\n"));
/// assert!(protodash_report::render(&writeup.report(&[]))?.contains("rises by 0.1"));
/// # Ok::<(), protodash_report::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Writeup {
    /// The title.
    pub title: String,
    /// What was examined, how many claims hold, and what limits the findings: a sentence each.
    pub opening: [String; 3],
    /// Further findings.
    pub remarks: Vec<String>,
    /// The protocol as names with values: sizes, kernel, seed, run time.
    pub protocol: Vec<(String, String)>,
    /// The paper's claims with our results.
    pub claims: Vec<Claim>,
    /// The figures.
    pub figures: Vec<Figure>,
    /// Rows of images; only in the report.
    pub galleries: Vec<Gallery>,
    /// The images that galleries refer to.
    pub images: Images,
    /// Which tables represent which, as a graph; only in the report.
    pub relation: Option<RelationPage>,
    /// The tables.
    pub tables: Vec<ResultTable>,
    /// A glossary: terms with definitions.
    pub meanings: Vec<(String, String)>,
    /// File name and text of the results as JSON, attached to the report.
    pub results: Option<(String, String)>,
}

/// Rows of images under one heading.
///
/// # Examples
///
/// ```
/// let gallery = protodash_studies::Gallery { title: "Best 8s".into(), ..Default::default() };
/// assert!(gallery.strips.is_empty());
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Gallery {
    /// The heading.
    pub title: String,
    /// How the images were chosen; may be empty.
    pub remark: String,
    /// The rows of images.
    pub strips: Vec<Strip>,
}

/// One row of images.
///
/// # Examples
///
/// ```
/// assert!(protodash_studies::Strip::default().rows.is_empty());
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Strip {
    /// The method that chose them.
    pub name: String,
    /// The rows, best first, with their positions among the images.
    pub rows: Vec<Row>,
}

impl Writeup {
    /// The study as Markdown, without images and graph.
    ///
    /// # Examples
    ///
    /// ```
    /// let writeup = protodash_studies::Writeup { remarks: vec!["It holds".into()], ..Default::default() };
    /// assert!(writeup.markdown().contains("It holds."));
    /// ```
    pub fn markdown(&self) -> String {
        let mut text = format!("# {}\n", self.title);
        for sentence in self.opening.iter().chain(&self.remarks).filter(|sentence| !sentence.is_empty()) {
            text += &format!("\n{}{}\n", sentence, if sentence.ends_with('.') { "" } else { "." });
        }
        if !self.protocol.is_empty() {
            let lines = self.protocol.iter().map(|(name, value)| format!("- {name}: {value}\n"));
            text += &format!("\n## Protocol\n\n{}", lines.collect::<String>());
        }
        if !self.claims.is_empty() {
            text += &format!("\n## Claims\n\n{}", claim::markdown(&self.claims));
        }
        for figure in &self.figures {
            text += &format!("\n## {}\n\n{}", figure.caption(), figure.markdown());
        }
        for table in &self.tables {
            text += &format!("\n## {}\n\n{}", table.title, table.markdown());
        }
        text
    }

    /// The study as an HTML report; `run` describes the run, as names with values.
    ///
    /// # Examples
    ///
    /// ```
    /// let report = protodash_studies::Writeup::default().report(&[("version".into(), "1.0".into())]);
    /// assert!(protodash_report::render(&report)?.contains("<dt>version</dt>"));
    /// # Ok::<(), protodash_report::Error>(())
    /// ```
    pub fn report(&self, run: &[(String, String)]) -> Report {
        let page = StudyPage {
            remarks: self.remarks.clone(),
            claims: self.claims.iter().map(study_claim).collect(),
            figures: self.figures.iter().map(study_figure).collect(),
            galleries: self.galleries.iter().map(study_gallery).collect(),
            relation: self.relation.clone(),
            tables: self.tables.iter().map(study_table).collect(),
            run: [run, &self.protocol].concat(),
            meanings: self.meanings.clone(),
            images: self.images.clone(),
        };
        let mut report = Report::new(self.title.clone(), Body::Study(Box::new(page)));
        report.lead.extend(self.opening.iter().filter(|sentence| !sentence.is_empty()).cloned());
        report.result = self.results.clone().map(|(name, json)| Attachment { name, json });
        report
    }
}

fn study_claim(claim: &Claim) -> StudyClaim {
    let verdict = match claim.verdict {
        ClaimVerdict::Holds => StudyVerdict::Holds,
        ClaimVerdict::DoesNotHold => StudyVerdict::DoesNotHold,
        ClaimVerdict::Undecided => StudyVerdict::Undecided,
        ClaimVerdict::NotChecked => StudyVerdict::NotChecked,
    };
    StudyClaim {
        place: claim.place.clone(),
        claim: claim.claim.clone(),
        criterion: claim.criterion.clone(),
        ours: claim.ours.clone(),
        verdict,
    }
}

fn study_figure(figure: &Figure) -> StudyFigure {
    let point = |point: &Point| StudyPoint {
        x: point.x.clone(),
        mean: point.estimate.mean,
        interval: point.estimate.half_width.map(|_| (point.estimate.low(), point.estimate.high())),
        n: point.estimate.n,
    };
    let series = |series: &FigureCurve| StudySeries {
        name: series.name.clone(),
        points: series.points.iter().map(point).collect(),
    };
    StudyFigure {
        caption: figure.caption(),
        x: figure.x.clone(),
        y: figure.y.clone(),
        series: figure.series.iter().filter(|series| !series.points.is_empty()).map(series).collect(),
    }
}

fn study_gallery(gallery: &Gallery) -> StudyGallery {
    let strip = |strip: &Strip| StudyStrip { name: strip.name.clone(), rows: strip.rows.clone() };
    StudyGallery {
        title: gallery.title.clone(),
        remark: gallery.remark.clone(),
        strips: gallery.strips.iter().map(strip).collect(),
    }
}

fn study_table(table: &ResultTable) -> StudyTable {
    let cell = |text: &String| StudyCell { text: text.clone(), value: number(text) };
    StudyTable {
        title: table.title.clone(),
        remark: String::new(),
        columns: table.columns.clone(),
        rows: table.rows.iter().map(|row| row.iter().map(cell).collect()).collect(),
    }
}

/// The number at the start of a cell such as `0.25 ± 0.01`, `1,234` or `12 %`.
fn number(cell: &str) -> Option<f64> {
    let first = cell.split([' ', '\u{a0}']).next()?;
    first.trim_end_matches('%').replace(',', "").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interval::Estimate;

    #[test]
    fn everything_is_in_the_report_and_in_the_markdown() {
        let point = |x: &str, value| Point { x: x.into(), estimate: Estimate::of(&[value, value + 0.5]).unwrap() };
        let points = vec![point("1", 0.25), point("2", 0.5), point("3", 0.75)];
        let series = vec![FigureCurve { name: "ProtoDash".into(), points }];
        let figure = Figure { name: "3a".into(), title: "accuracy".into(), x: "m".into(), y: "share".into(), series };
        let mut table = ResultTable::new("widths", "Bandwidths tried", &["name", "width"]);
        table.push(vec!["five".into(), "5.0 ± 0.1".into()]);
        let writeup = Writeup {
            title: "Study".into(),
            opening: ["We looked", "We found it", "It may not be there"].map(str::to_owned),
            remarks: vec!["It was behind the door".into()],
            protocol: vec![("seed".into(), "7".into())],
            claims: vec![Claim::not_checked("6a", "the expert agrees", "his list is not published")],
            figures: vec![figure],
            tables: vec![table],
            ..Writeup::default()
        };
        let text = writeup.markdown();
        let page = protodash_report::render(&writeup.report(&[])).unwrap();
        for part in [
            "We found it.",
            "It was behind the door.",
            "cannot be checked",
            "Figure 3a: accuracy",
            "Bandwidths tried",
            "five",
        ] {
            assert!(text.contains(part), "{part} is not in {text}");
            assert!(page.contains(part), "{part} is not in the page");
        }
        // Three sentences, and nothing else, come before the settings and the claims.
        assert_eq!((page.matches("<p class=\"lead\">").count(), page.matches("<p class=\"also\">").count()), (1, 2));
        assert!(page.contains("class=\"band\""));
        assert!(page.contains("data-value=\"5\""));
        assert!(text.contains("- seed: 7\n"));
    }
}
