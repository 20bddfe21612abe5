//! The target and source images of each trial: section V-B of the paper.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

/// Share of one digit in a skewed target set, in percent.
pub(super) const SKEWS: [u32; 5] = [30, 50, 70, 90, 100];
/// Share of every digit in the representative set, in percent.
pub(super) const REPRESENTATIVE: u32 = 10;
/// Random number streams per trial; more than its target sets.
const STREAMS: u64 = 64;

/// Settings that determine the outcome of a trial; the number of trials is not one of them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct MnistProtocol {
    /// Random seed.
    pub(super) seed: u64,
    /// Images in a target set, sampled from the training images.
    pub(super) n_target: usize,
    /// Images in a source, sampled from the test images.
    pub(super) n_source: usize,
    /// Number of prototypes (m).
    pub(super) n_prototypes: usize,
    /// Swap runs in every n-th trial only, since it takes longer than all other methods together.
    pub(super) swap_every: usize,
    /// Images used to choose the bandwidth.
    pub(super) n_bandwidth: usize,
}

impl MnistProtocol {
    /// The paper's protocol.
    pub(super) fn full(seed: u64) -> MnistProtocol {
        MnistProtocol { seed, n_target: 5420, n_source: 1500, n_prototypes: 200, swap_every: 10, n_bandwidth: 5000 }
    }

    /// A smaller protocol for a quick version.
    pub(super) fn quick(seed: u64) -> MnistProtocol {
        MnistProtocol { seed, n_target: 1000, n_source: 500, n_prototypes: 50, swap_every: 10, n_bandwidth: 1000 }
    }

    /// Numbers of prototypes at which curves are recorded: 1 to 10, multiples of 10, and the last.
    pub(super) fn sizes(&self) -> Vec<usize> {
        let all = (1..=10).chain((20..).step_by(10)).take_while(|size| *size < self.n_prototypes);
        all.chain([self.n_prototypes]).collect()
    }

    /// The target sets of all trials, trial by trial.
    pub(super) fn target_sets(&self, n_trials: usize) -> Vec<TargetSet> {
        (0..n_trials).flat_map(TargetSet::of_trial).collect()
    }

    /// Test images in the source of a trial, ascending.
    pub(super) fn source_rows(&self, n_test: usize, trial: usize) -> Vec<usize> {
        let mut generator = self.generator(trial, 0);
        sample((0..n_test).collect(), self.n_source, &mut generator)
    }

    /// Number of images of each digit in the source of a trial; `digits` are those of all test images.
    pub(super) fn source_digits(&self, digits: &[usize], trial: usize) -> [usize; 10] {
        let mut counts = [0; 10];
        for row in self.source_rows(digits.len(), trial) {
            counts[digits[row]] += 1;
        }
        counts
    }

    /// Training images in a target set, ascending; `by_digit` lists the training images of each digit.
    pub(super) fn target_rows(&self, by_digit: &[Vec<usize>], set: TargetSet) -> Vec<usize> {
        let mut generator = self.generator(set.trial, 1 + set.place());
        let counts = counts(self.n_target, set);
        let mut rows: Vec<usize> =
            by_digit.iter().zip(counts).flat_map(|(rows, count)| sample(rows.clone(), count, &mut generator)).collect();
        rows.sort_unstable();
        rows
    }

    fn generator(&self, trial: usize, stream: u64) -> ChaCha8Rng {
        let mut generator = ChaCha8Rng::seed_from_u64(self.seed);
        generator.set_stream(trial as u64 * STREAMS + stream);
        generator
    }
}

/// One target set of one trial: the unit of work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct TargetSet {
    /// Counted from 0.
    pub(super) trial: usize,
    /// Share of one digit, in percent.
    pub(super) skew: u32,
    /// That digit; `None` in the representative set.
    pub(super) digit: Option<usize>,
}

impl std::fmt::Display for TargetSet {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let TargetSet { trial, skew, digit } = self;
        let trial = trial + 1;
        match digit {
            Some(digit) => write!(formatter, "trial {trial}, {skew} % of digit {digit}"),
            None => write!(formatter, "trial {trial}, representative"),
        }
    }
}

impl TargetSet {
    fn of_trial(trial: usize) -> impl Iterator<Item = TargetSet> {
        let skewed = SKEWS
            .into_iter()
            .flat_map(move |skew| (0..10).map(move |digit| TargetSet { trial, skew, digit: Some(digit) }));
        [TargetSet { trial, skew: REPRESENTATIVE, digit: None }].into_iter().chain(skewed)
    }

    /// Position among the sets of the trial.
    fn place(self) -> u64 {
        TargetSet::of_trial(self.trial).position(|set| set == self).unwrap_or(0) as u64
    }
}

/// Number of images of each digit in a target set; a remainder goes to the first digits.
fn counts(n_target: usize, set: TargetSet) -> [usize; 10] {
    let of_digit = set.digit.map_or(0, |_| (n_target * set.skew as usize + 50) / 100);
    let others = if set.digit.is_some() { 9 } else { 10 };
    let (share, mut left) = ((n_target - of_digit) / others, (n_target - of_digit) % others);
    std::array::from_fn(|digit| {
        if set.digit == Some(digit) {
            return of_digit;
        }
        let more = usize::from(left > 0);
        left -= more;
        share + more
    })
}

/// A random sample of rows without replacement, ascending; all rows if there are no more.
fn sample(mut rows: Vec<usize>, count: usize, generator: &mut ChaCha8Rng) -> Vec<usize> {
    let count = count.min(rows.len());
    for place in 0..count {
        // u64 on every machine, so that the sample does not depend on the word size.
        let drawn = generator.random_range(place as u64..rows.len() as u64) as usize;
        rows.swap(place, drawn);
    }
    rows.truncate(count);
    rows.sort_unstable();
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    fn by_digit() -> Vec<Vec<usize>> {
        (0..10).map(|digit| (0..5421).map(|row| 10 * row + digit).collect()).collect()
    }

    fn set(skew: u32, digit: Option<usize>) -> TargetSet {
        TargetSet { trial: 3, skew, digit }
    }

    #[test]
    fn every_digit_has_its_share_at_every_skew() {
        assert_eq!(counts(5420, set(10, None)), [542; 10]);
        // 70 % of 5420 is 3794; 1626 are left for nine digits: 180 each, and one more for the first six.
        assert_eq!(counts(5420, set(70, Some(0))), [3794, 181, 181, 181, 181, 181, 181, 180, 180, 180]);
        assert_eq!(counts(5420, set(30, Some(9))), [422, 422, 422, 422, 422, 421, 421, 421, 421, 1626 + 422 - 422]);
        assert_eq!(counts(5420, set(100, Some(4))), [0, 0, 0, 0, 5420, 0, 0, 0, 0, 0]);
        for set in MnistProtocol::full(0).target_sets(1) {
            assert_eq!(counts(5420, set).iter().sum::<usize>(), 5420, "{set:?}");
        }
    }

    #[test]
    fn a_trial_has_51_target_sets() {
        let sets = MnistProtocol::full(0).target_sets(2);
        assert_eq!(sets.len(), 102);
        assert_eq!(sets.iter().filter(|set| set.trial == 1 && set.skew == 90).count(), 10);
    }

    #[test]
    fn samples_have_the_right_counts_without_repetition() {
        let protocol = MnistProtocol::full(7);
        let rows = protocol.target_rows(&by_digit(), set(70, Some(2)));
        assert!(rows.is_sorted_by(|one, next| one < next));
        assert_eq!(rows.iter().filter(|row| *row % 10 == 2).count(), 3794);
        let source = protocol.source_rows(10_000, 0);
        assert!(source.is_sorted_by(|one, next| one < next));
        assert_eq!((source.len(), source.iter().all(|row| *row < 10_000)), (1500, true));
    }

    #[test]
    fn the_digits_of_a_source_are_counted() {
        // The source has all test images, since there are not more than n_source.
        let protocol = MnistProtocol { n_source: 5, ..MnistProtocol::full(7) };
        assert_eq!(protocol.source_digits(&[3, 0, 3, 9, 3], 1), [1, 0, 0, 3, 0, 0, 0, 0, 0, 1]);
    }

    #[test]
    fn samples_depend_on_the_seed_alone() {
        let draw = |seed, trial| MnistProtocol::full(seed).source_rows(10_000, trial);
        assert_eq!(draw(1, 5), draw(1, 5));
        assert_ne!(draw(1, 5), draw(2, 5));
        assert_ne!(draw(1, 5), draw(1, 6));
        let target = |digit| MnistProtocol::full(1).target_rows(&by_digit(), set(100, Some(digit)));
        let places = |digit: usize| target(digit).iter().map(|row| row / 10).collect::<Vec<_>>();
        assert_ne!(places(0), places(1));
    }

    #[test]
    fn curves_are_recorded_at_round_numbers() {
        assert_eq!(MnistProtocol::quick(0).sizes(), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 20, 30, 40, 50]);
        assert_eq!(MnistProtocol::full(0).sizes().len(), 29);
    }
}
