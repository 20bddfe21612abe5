//! The encoding of each message.

#[cfg(test)]
use rand::RngExt;

use super::{Reader, Wire, wire_enum, wire_struct};
use crate::cluster::LedPath;
use crate::error::Result;
use crate::kernel_mean::{MeanPart, Precision};
use crate::rows::Scalar;
use crate::search::precision::{CandidateSurvey, Contender, KnownMean, LowerBound, MeanPrecision, RaceFloor, ScoreTie};
use crate::search::protocol::{
    Admission, AdmissionReport, ColumnStorage, ColumnSums, DescribedRow, FactorRow, RaceCost, RacePairs, ShardAnswer,
    ShardOrder, ShardQuestion, ShardReply, ShardSummary,
};
use crate::search::rank::{Rank, RankedRow, Ranking, WithoutPrototype};
use crate::selection::Stopped;

/// What the leader sends to a worker.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ShardRequest<T> {
    /// Which rows do you have? Answered by [`WorkerReply::Greeting`].
    Hello,
    /// A question to a shard that has carried out `after` orders.
    Ask { after: u64, question: ShardQuestion<T> },
    /// An order.
    Tell { sequence: u64, order: ShardOrder<T> },
}

/// What a worker replies.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum WorkerReply<T> {
    Greeting(Greeting),
    Reply(ShardReply<T>),
    /// The request could not be read, does not fit the shard, or failed.
    Failed(String),
}

/// What a worker says about its shard before the search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Greeting {
    /// The first of the worker's source rows, and the one after the last.
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// Number of all target and source rows.
    pub(crate) n_target: usize,
    pub(crate) n_source: usize,
    pub(crate) n_columns: usize,
    /// Kernel values have other last bits under another one.
    pub(crate) instruction_set: String,
    /// A hash of all source rows, their kernel means, and which are candidates.
    pub(crate) fingerprint: u64,
}

wire_enum!(ShardRequest<T> { 0 = Hello, 1 = Ask { after, question }, 2 = Tell { sequence, order } });
wire_enum!(WorkerReply<T> { 0 = Greeting(greeting), 1 = Reply(reply), 2 = Failed(reason) });
wire_struct!(Greeting { start, end, n_target, n_source, n_columns, instruction_set, fingerprint });

wire_enum!(ShardReply<T> { 0 = Done(answer), 1 = Behind(missed) });

wire_enum!(ShardQuestion<T> {
    0 = Survey { ranking, tie },
    1 = Leaders { ranking, tie, limit },
    2 = Propose { ranking, limit },
    3 = AtLeast { ranking, score },
    4 = Raced { ranking, score },
    5 = Describe(source_index),
    6 = ExactScores { ranking, weights, rows },
    7 = Means(rows),
    8 = Column { source_index, row },
    9 = DescribeBest(ranking),
    10 = DrawsLeft { slack },
});

wire_enum!(ShardOrder<T> {
    0 = Open { shift, columns, keeps_schur },
    1 = Admit(admission),
    2 = Correct(means),
    3 = Refine { rows, floor },
    4 = CorrectAll(precision),
    5 = Refuse(source_index),
    6 = StoreColumns(columns),
    7 = Rebuild,
    8 = Expel { source_index, position, factor },
    9 = LimitCosts(limits),
});

wire_enum!(ShardAnswer<T> {
    0 = Done,
    1 = Opened(summary),
    2 = Admitted(report),
    3 = Survey(survey),
    4 = Ranked(ranked),
    5 = Rows(rows),
    6 = Refined(cost),
    7 = Numbers(numbers),
    8 = Described(row),
    9 = ColumnSums(sums),
});

wire_struct!(Admission<T> {
    source_index, row, corrections, factor_row, coordinates, n_columns_to_come, schur_tolerance, then,
});
wire_struct!(FactorRow { entries, is_pivot });
wire_enum!(ColumnStorage { 0 = In(precision), 1 = Recompute });
wire_enum!(Precision { 0 = Single, 1 = Double });
wire_struct!(Ranking { rank, multiplier, schur_error, column_error, scale, tolerance, per_cost, without });
wire_enum!(Rank { 0 = Gradient, 1 = GainBound, 2 = Alone, 3 = AnyGradient });
wire_struct!(WithoutPrototype { coordinates, lost_direction });
wire_struct!(RankedRow { source_index, score });
wire_enum!(ScoreTie { 0 = Exact, 1 = OfScore(fraction), 2 = OfSlope(fraction) });
wire_struct!(RaceFloor { ranking, tie, bound });
wire_struct!(LowerBound { score, tie });
wire_struct!(CandidateSurvey { lower_bound, contenders });
wire_struct!(Contender { source_index, score, tie, mean });
wire_enum!(KnownMean { 0 = Exact, 1 = Rounded, 2 = UpperBound });
wire_struct!(ShardSummary { scale, bad_diagonal, means, race });
wire_enum!(MeanPrecision { 0 = Exact, 1 = Approximate { column_divisor } });
wire_struct!(RacePairs { spent, limit, per_mean, for_all, draw_cost });
wire_struct!(RaceCost { n_pairs, n_exact });
wire_struct!(DescribedRow<T> { source_index, row, kernel_mean, mean_is_approximate, diagonal, group, cost, similarities });
wire_struct!(ColumnSums { head, runs });

/// By hand because an answer may be a report and a report has answers: only the outermost may be a report, or a few bytes
/// could nest so deeply that reading them overflows the stack.
impl<T: Scalar> Wire for AdmissionReport<T> {
    fn write(&self, bytes: &mut Vec<u8>) {
        self.indefinite.write(bytes);
        self.answers.write(bytes);
    }

    fn read(from: &mut Reader<'_>) -> Result<Self> {
        if from.in_report {
            return Err(from.problem("a report within a report".to_owned()));
        }
        from.in_report = true;
        let report = AdmissionReport { indefinite: Wire::read(from)?, answers: Wire::read(from)? };
        from.in_report = false;
        Ok(report)
    }

    #[cfg(test)]
    fn sample(random: &mut rand_chacha::ChaCha8Rng) -> Self {
        let answer = |random: &mut _| match ShardAnswer::sample(random) {
            ShardAnswer::Admitted(_) => ShardAnswer::Done,
            answer => answer,
        };
        let n_answers = random.random_range(0..4_usize);
        AdmissionReport { indefinite: Wire::sample(random), answers: (0..n_answers).map(|_| answer(random)).collect() }
    }
}

// What is exchanged before and after a search.
wire_struct!(MeanPart { first, sums });
wire_struct!(LedPath { fingerprint, source_indices, weights, objective, stopped });
wire_enum!(Stopped { 0 = NPrototypes, 1 = MinGain, 2 = Optimal, 3 = Exhausted, 4 = Constraints });
