//! The write-up of the study of handwritten digits.

use protodash_report::numbers::counted;
use protodash_report::{Image, Images as Pictures, Row};

use super::MnistFindings;
use super::bandwidth::{AUTHORS, Width};
use super::data::DigitImages;
use super::gallery::{DigitGallery, GalleryKind};
use super::run::TRIALS;
use crate::claim::{self, ClaimVerdict};
use crate::error::Result;
use crate::table::ResultTable;
use crate::writeup::{self, Strip, Writeup};

/// Width and height of an image in pixels.
const SIDE: usize = 28;

/// The write-up, with the images of the galleries if `test` is given.
pub(super) fn writeup(findings: &MnistFindings, test: Option<&DigitImages>) -> Result<Writeup> {
    let (images, galleries) = test.map(|test| galleries(findings, test)).transpose()?.unwrap_or_default();
    Ok(Writeup {
        title: "Handwritten digits: do prototypes adapt to a skewed target?".into(),
        opening: opening(findings),
        remarks: remarks(findings),
        protocol: protocol(findings),
        claims: findings.claims.clone(),
        figures: findings.figures.clone(),
        galleries,
        images,
        tables: vec![widths(findings)],
        meanings: meanings(),
        results: serde_json::to_string(findings).ok().map(|json| ("mnist-study.json".into(), json)),
        ..Writeup::default()
    })
}

fn opening(findings: &MnistFindings) -> [String; 3] {
    let number = |name: &str| &findings.protocol[name];
    let question = format!(
        "Each method chose {} of {} test images to represent target sets of {} training images, from all ten digits alike to \
         a single digit, in {}",
        number("n_prototypes"),
        number("n_source"),
        number("n_target"),
        counted(findings.n_trials as u64, "trial")
    );
    let limit = match is_small(findings) {
        true => format!(
            "This is a quick version, whose verdicts are not those of the full study: the paper has {TRIALS} trials of 5,420 \
             images and 200 prototypes"
        ),
        false => claim::CRITERIA.to_owned(),
    };
    [question, claim::summary("sections V and V-B of the paper, some in two readings,", &findings.claims), limit]
}

fn remarks(findings: &MnistFindings) -> Vec<String> {
    let failed = findings.claims.iter().filter(|claim| claim.verdict == ClaimVerdict::DoesNotHold);
    let failed: Vec<String> = failed.map(|claim| format!("{} ({})", claim.claim, claim.place)).collect();
    let failed = (!failed.is_empty()).then(|| format!("Claims that do not hold: {}", failed.join("; ")));
    findings.remarks.iter().cloned().chain(failed).collect()
}

/// Whether the run is smaller than the paper's.
fn is_small(findings: &MnistFindings) -> bool {
    findings.n_trials < TRIALS || findings.protocol["n_prototypes"] != 200
}

fn protocol(findings: &MnistFindings) -> Vec<(String, String)> {
    let number = |name: &str| findings.protocol[name].to_string();
    let hours = findings.seconds / 3600.0;
    let took = if hours < 1.0 { format!("{:.1} minutes", 60.0 * hours) } else { format!("{hours:.2} hours") };
    let authors = findings.bandwidth.authors.error;
    let chosen = findings.bandwidth.bandwidth;
    let error = findings.bandwidth.widths.iter().find(|width| width.bandwidth == chosen).map_or(authors, |it| it.error);
    let lines = [
        ("trials", findings.n_trials.to_string()),
        ("target sets", format!("51 in each trial, of {} training images each", number("n_target"))),
        ("skews", "10 % (representative), and 30, 50, 70, 90 and 100 % of each of the ten digits".into()),
        ("source", format!("{} test images, a new random sample in each trial", number("n_source"))),
        ("prototypes", format!("m = {}", number("n_prototypes"))),
        (
            "kernel",
            format!(
                "Gaussian, exp(−d²/2σ²) on pixels from 0 to 1; σ = {chosen:.3} by five-fold cross-validation, with a \
                 1-NN error of {:.1} % on held-out images; the authors' σ = {AUTHORS} gives {:.1} %",
                100.0 * error,
                100.0 * authors
            ),
        ),
        ("Swap", format!("in every {}th trial, since it takes longer than all others together", number("swap_every"))),
        ("seed", number("seed")),
        ("CPU time of the trials", took),
    ];
    lines.map(|(name, value)| (name.to_owned(), value)).into()
}

fn widths(findings: &MnistFindings) -> ResultTable {
    let title = "Bandwidths tried on a representative set, with the authors' bandwidth";
    let mut table = ResultTable::new("widths", title, &["σ", "1-NN error", "standard error", "remark"]);
    let authors = [(findings.bandwidth.authors, "the authors'")];
    let chosen = findings.bandwidth.bandwidth;
    let remark = |width: &Width| if width.bandwidth == chosen { "chosen" } else { "" };
    let tried = findings.bandwidth.widths.iter().map(|width| (*width, remark(width)));
    let mut all: Vec<(Width, &str)> = tried.chain(authors).collect();
    all.sort_by(|one, other| one.0.bandwidth.total_cmp(&other.0.bandwidth));
    for (Width { bandwidth, error, standard_error }, remark) in all {
        table.push(vec![
            format!("{bandwidth:.3}"),
            format!("{error:.4}"),
            format!("{standard_error:.4}"),
            remark.into(),
        ]);
    }
    table
}

fn meanings() -> Vec<(String, String)> {
    let meanings = [
        (
            "accuracy",
            "1-NN accuracy: the share of the target set whose nearest prototype, by pixels, has the same digit. Ties go to the \
             prototype chosen first.",
        ),
        ("objective", "l(w) with the method's own weights; higher is better."),
        (
            "L2C, L2C on target",
            "L2C gives equal weights to the rows it selects. The paper runs it on the source alone, like K-Medoids, \
             so its selection is the same for every target; `on target` it gets the kernel mean of the target.",
        ),
        (
            "P-Lasso",
            "Used if its path has the requested number of prototypes or one within 10 % of it, as in the paper; other \
             target sets are excluded from its averages.",
        ),
        (
            "time",
            "CPU time of one thread to select all prototypes. Methods that see the target also need its kernel mean, which is \
             computed once for all of them.",
        ),
    ];
    meanings.map(|(word, meaning)| (word.to_owned(), meaning.to_owned())).into()
}

/// The galleries, one heading per digit, and their images.
fn galleries(findings: &MnistFindings, test: &DigitImages) -> Result<(Pictures, Vec<writeup::Gallery>)> {
    let mut pictures = Pictures::default();
    let mut galleries: Vec<writeup::Gallery> = Vec::new();
    for gallery in &findings.galleries {
        let (title, remark) = heading(gallery);
        let rows = gallery.test_images.iter().map(|row| picture(*row, test, &mut pictures)).collect::<Result<_>>()?;
        let strip = Strip { name: gallery.method.clone(), rows };
        match galleries.iter_mut().find(|other| other.title == title) {
            Some(there) => there.strips.push(strip),
            None => galleries.push(writeup::Gallery { title, remark: remark.into(), strips: vec![strip] }),
        }
    }
    Ok((pictures, galleries))
}

fn heading(gallery: &DigitGallery) -> (String, &'static str) {
    let digit = gallery.digit;
    match gallery.shown {
        GalleryKind::FullSkew => (
            format!("Figure 5, left: a target of {digit}s only"),
            "The ten heaviest prototypes, from a source of all digits, best first.",
        ),
        GalleryKind::Best => {
            (format!("Figure 5, centre: the best {digit}s"), "Of all test images of the digit, best first.")
        }
        GalleryKind::Criticisms => (
            format!("Figure 5, right: criticisms of {digit}"),
            "The test images of the digit that are farthest from the prototypes, farthest first.",
        ),
    }
}

fn picture(row: usize, test: &DigitImages, pictures: &mut Pictures) -> Result<Row> {
    let pixels: Vec<f64> = test.pixels.row(row).iter().map(|pixel| f64::from(*pixel)).collect();
    let image = Image::of_values([SIDE, SIDE, 1], &pixels, 0.0, 1.0)?;
    Ok(Row {
        index: row as u64,
        label: Some(test.digits[row].to_string()),
        image: Some(pictures.add(image)),
        ..Row::default()
    })
}
