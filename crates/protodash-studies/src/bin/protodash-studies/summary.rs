//! The summary printed after a study, and the description of the run and its command in the report.

use std::time::Instant;

use protodash_report::ReproducingCall;
use protodash_studies::Writeup;

/// The findings in a few sentences, then each claim with its verdict.
pub(crate) fn text(writeup: &Writeup) -> String {
    let sentences = writeup.opening.iter().chain(&writeup.remarks);
    let mut text: String = sentences.map(|sentence| format!("{sentence}\n")).collect();
    text.push('\n');
    for claim in &writeup.claims {
        text += &format!("{}: {}\n    {}: {}\n", claim.place, claim.claim, claim.verdict, claim.ours);
        if !claim.criterion.is_empty() {
            text += &format!("    holds if {}\n", claim.criterion);
        }
    }
    text
}

/// Version, threads and time, as names with values.
pub(crate) fn how_it_was_run(began: Instant) -> Vec<(String, String)> {
    let seconds = began.elapsed().as_secs_f64();
    let time = if seconds < 120.0 { format!("{seconds:.0} s") } else { format!("{:.0} min", seconds / 60.0) };
    let lines = [
        ("version", concat!("protodash ", env!("CARGO_PKG_VERSION")).to_owned()),
        ("threads", rayon::current_num_threads().to_string()),
        ("time of this run", format!("{time}, without trials from earlier runs")),
    ];
    lines.map(|(name, value)| (name.to_owned(), value)).into()
}

/// The command that makes the results and the report again.
pub(crate) fn command() -> ReproducingCall {
    let words = std::env::args().skip(1);
    ReproducingCall::command(["protodash-studies".to_owned()].into_iter().chain(words))
}
