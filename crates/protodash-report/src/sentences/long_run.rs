//! The line before a long run.

use protodash::CostEstimate;
use protodash_table::Setting;

use crate::numbers::{bytes, count, counted, seconds};

/// Runs that are expected to take longer are announced, in seconds.
const LONG: f64 = 10.0;
/// Samples that are suggested have at least this many rows.
const MIN_SAMPLE: f64 = 10_000.0;

/// What a long run is expected to cost and how to shorten it; `None` if it is not long.
///
/// `write` writes a setting as the front end's users do, or returns `None` if they do not have it.
///
/// # Examples
///
/// ```
/// use ndarray::Array2;
/// use protodash::compare::Unmetered;
/// use protodash::{CostEstimate, Gaussian, Means, Params};
/// use protodash_report::long_run_note;
///
/// let rows = Array2::from_shape_fn((300_000, 1), |(row, _)| row as f64);
/// let (kernel, mut params) = (Gaussian::new(1.0)?, Params::new(10));
/// params.means = Means::Full;
/// let mut estimate = CostEstimate::new(&rows, &rows, &kernel, &params, &mut Unmetered)?.unwrap();
/// (estimate.seconds, estimate.n_bytes) = (600.0, 80 << 20);
/// let note = long_run_note(&estimate, |setting| Some(format!("{setting:?}"))).unwrap();
/// let expected = "300,000 rows have 45,000,150,000 pairs, which take about 10 min and 80 MiB; for a shorter run, use \
///                 Means(\"racing\") or TargetSample(10000)";
/// assert_eq!(note, expected);
/// estimate.seconds = 3.0;
/// assert_eq!(long_run_note(&estimate, |_| None), None);
/// # Ok::<(), protodash::Error>(())
/// ```
#[must_use]
pub fn long_run_note(estimate: &CostEstimate, write: impl Fn(&Setting) -> Option<String>) -> Option<String> {
    if estimate.seconds <= LONG {
        return None;
    }
    let (n_target, n_source) = (estimate.n_target as u64, estimate.n_source as u64);
    let rows = if estimate.target_is_source {
        counted(n_source, "row")
    } else {
        format!("{} and {}", counted(n_target, "target row"), counted(n_source, "source row"))
    };
    let pairs = if estimate.is_raced {
        format!("racing is expected to compare about {} pairs of {rows}", count(rounded(estimate.n_pairs as f64)))
    } else {
        format!("{rows} have {} pairs", count(estimate.n_pairs))
    };
    let which = if estimate.is_raced { "in" } else { "which take" };
    let about = if estimate.is_lower_bound { "at least" } else { "about" };
    let cost = format!("{pairs}, {which} {about} {} and {}", seconds(estimate.seconds), bytes(estimate.n_bytes));
    let racing = estimate.could_race.then_some(Setting::Means("racing"));
    let ways: Vec<String> = [racing, sample(estimate)].into_iter().flatten().filter_map(|way| write(&way)).collect();
    Some(if ways.is_empty() { cost } else { format!("{cost}; for a shorter run, use {}", ways.join(" or ")) })
}

/// The sample that takes about as long as a run that is not announced; `None` if it would be hardly smaller.
fn sample(estimate: &CostEstimate) -> Option<Setting> {
    let part = LONG / estimate.seconds;
    // The time of a race grows with the source, that of the full mean with both.
    let of_source = estimate.is_raced || estimate.n_source > 2 * estimate.n_target;
    // A target that is the source takes each pair once, and any other one twice.
    let part = if of_source || !estimate.target_is_source { part } else { part / 2.0 };
    let n_rows = if of_source { estimate.n_source } else { estimate.n_target };
    let n_sampled = rounded((n_rows as f64 * part).max(MIN_SAMPLE)) as usize;
    let setting = if of_source { Setting::SourceSample(n_sampled) } else { Setting::TargetSample(n_sampled) };
    (2 * n_sampled <= n_rows).then_some(setting)
}

/// A number rounded down to one significant digit.
fn rounded(number: f64) -> u64 {
    let unit = 10_f64.powf(number.max(1.0).log10().floor());
    ((number / unit).floor() * unit) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::Array2;
    use protodash::compare::Unmetered;
    use protodash::{Gaussian, Means, Method, Params};

    fn estimate(n_target: usize, n_source: usize, change: impl Fn(&mut Params)) -> CostEstimate {
        let rows = |n_rows| Array2::from_shape_fn((n_rows, 1), |(row, _)| row as f64);
        let mut params = Params::new(10);
        params.means = Means::Full;
        change(&mut params);
        let (target, source) = (rows(n_target), rows(n_source));
        let target = if n_target == n_source { &source } else { &target };
        let kernel = Gaussian::new(1.0).unwrap();
        let mut estimate = CostEstimate::new(target, &source, &kernel, &params, &mut Unmetered).unwrap().unwrap();
        (estimate.seconds, estimate.n_bytes) = (100.0, 1 << 30);
        estimate
    }

    fn note(estimate: &CostEstimate) -> String {
        long_run_note(estimate, |setting| match setting {
            Setting::Means(how) => Some(format!("means={how}")),
            Setting::SourceSample(n_rows) => Some(format!("source={n_rows}")),
            Setting::TargetSample(n_rows) => Some(format!("target={n_rows}")),
            _ => None,
        })
        .unwrap()
    }

    #[test]
    fn a_race_suggests_fewer_source_rows() {
        let raced = estimate(1_000_000, 1_000_000, |params| params.means = Means::Racing);
        let expected = "racing is expected to compare about 4,000,000,000 pairs of 1,000,000 rows, in about 2 min and 1.0 GiB; \
                        for a shorter run, use source=100000";
        assert_eq!(note(&raced), expected);
    }

    #[test]
    fn the_larger_side_is_sampled_and_other_methods_take_longer() {
        let wide = estimate(50_000, 900_000, |params| params.method = Method::Swap);
        let expected = "50,000 target rows and 900,000 source rows have 46,250,025,000 pairs, which take at least 2 min and \
                        1.0 GiB; for a shorter run, use source=90000";
        assert_eq!(note(&wide), expected);
        let long = estimate(900_000, 50_000, |_| {});
        assert!(note(&long).ends_with("use means=racing or target=90000"), "{}", note(&long));
    }

    #[test]
    fn numbers_are_rounded_down_to_one_digit() {
        assert_eq!([1.0, 9.99, 10.0, 45_678.0].map(rounded), [1, 9, 10, 40_000]);
    }
}
