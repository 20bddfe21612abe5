//! A shard in another process, reached by bytes.

use std::fmt::Display;
use std::marker::PhantomData;
use std::ops::Range;

use super::protocol::{Admission, DescribedRow, Shard, ShardAnswer, ShardOrder, ShardQuestion, ShardReply};
use super::shards::{Shards, wait_for_all};
use super::wire::{Greeting, ShardRequest, WorkerReply, decode, encode};
use crate::cluster::ClusterError;
use crate::error::{Error, Result};
use crate::observe::Observer;
use crate::rows::Scalar;

/// The way to one worker: delivers a message and returns the reply.
///
/// The worker may be a thread, a process behind a pipe or an actor on another machine. If it dies, start a new one and send the
/// same message again: a repeated message has no effect, and a worker that lost its state says so, whereupon the leader
/// repeats all orders. An error ends the run.
///
/// # Examples
///
/// ```
/// use std::sync::mpsc::{Receiver, Sender};
/// use std::sync::Mutex;
/// use protodash::cluster::Transport;
///
/// /// A worker behind two channels.
/// struct Channels(Mutex<(Sender<Vec<u8>>, Receiver<Vec<u8>>)>);
///
/// impl Transport for Channels {
///     fn exchange(&self, message: &[u8]) -> Result<Vec<u8>, Box<dyn std::error::Error + Send + Sync>> {
///         let channels = self.0.lock().map_err(|_| "an earlier message failed")?;
///         channels.0.send(message.to_vec())?;
///         Ok(channels.1.recv()?)
///     }
/// }
/// ```
pub trait Transport: Send + Sync {
    /// The worker's reply to a message.
    ///
    /// # Errors
    ///
    /// If there is no worker and there will be none. The message says why.
    fn exchange(&self, message: &[u8]) -> std::result::Result<Vec<u8>, Box<dyn std::error::Error + Send + Sync>>;
}

/// Workers that together have all rows of the source, in this order, and the same data.
pub(crate) struct Connections<'a, T> {
    shards: Vec<RemoteShard<'a, T>>,
    /// What all of them have in common.
    common: Greeting,
}

impl<'a, T: Scalar> Connections<'a, T> {
    /// Greets all workers, who forget earlier searches.
    pub(crate) fn open(workers: &[&'a dyn Transport]) -> Result<Self> {
        let greeted = greet_all::<T>(workers)?;
        let (shards, greetings): (Vec<_>, Vec<_>) = greeted.into_iter().unzip();
        let Some(common) = greetings.first().cloned() else { return Err(Error::Cluster(ClusterError::NoWorkers)) };
        let mut start = 0;
        for (worker, found) in greetings.iter().enumerate() {
            check_greeting(worker, found, &common, start)?;
            start = found.end;
        }
        let n_source = common.n_source;
        if start < n_source {
            return Err(Error::Cluster(ClusterError::RowsWithoutWorker { start, n_source }));
        }
        Ok(Connections { shards, common })
    }

    /// Number of target and of source rows.
    pub(crate) fn shape(&self) -> (usize, usize) {
        (self.common.n_target, self.common.n_source)
    }

    /// A hash of source, kernel means and candidates.
    pub(crate) fn fingerprint(&self) -> u64 {
        self.common.fingerprint
    }

    pub(super) fn into_shards(self) -> Shards<'a, T> {
        Shards::new(self.shards.into_iter().map(|shard| Box::new(shard) as Box<dyn Shard<T> + 'a>).collect())
    }
}

/// The first exchange with every worker, at the same time: a worker may have to prepare its data first.
fn greet_all<'a, T: Scalar>(workers: &[&'a dyn Transport]) -> Result<Vec<(RemoteShard<'a, T>, Greeting)>> {
    let greet = |(worker, transport): (usize, &&'a dyn Transport)| {
        let transport = *transport;
        move || RemoteShard::connect(transport, worker)
    };
    wait_for_all(workers.iter().enumerate().map(greet).collect())
}

/// An error unless a worker continues the rows of those before it and has the same data.
fn check_greeting(worker: usize, found: &Greeting, common: &Greeting, start: usize) -> Result<()> {
    let other = |what, found: &dyn Display, expected: &dyn Display| {
        Err(Error::OtherWorker { worker, what, found: found.to_string(), expected: expected.to_string() })
    };
    let n_source = common.n_source;
    if found.start != start {
        return other("first source row", &found.start, &start);
    }
    if found.end <= start || found.end > n_source {
        return other("end of its source rows", &found.end, &format!("{} to {n_source}", start + 1));
    }
    for (what, found, expected) in [
        ("number of source rows", found.n_source, n_source),
        ("number of target rows", found.n_target, common.n_target),
        ("number of columns", found.n_columns, common.n_columns),
    ] {
        if found != expected {
            return other(what, &found, &expected);
        }
    }
    if found.instruction_set != common.instruction_set {
        return other("instruction set", &found.instruction_set, &common.instruction_set);
    }
    if found.fingerprint != common.fingerprint {
        let [found, expected] = [found.fingerprint, common.fingerprint].map(|hash| format!("{hash:016x}"));
        return other("hash of data, kernel and parameters", &found, &expected);
    }
    Ok(())
}

/// A shard behind a [`Transport`].
pub(super) struct RemoteShard<'a, T> {
    transport: &'a dyn Transport,
    range: Range<usize>,
    n_columns: usize,
    /// The number of prototypes after each order.
    sizes: Vec<usize>,
    scalar: PhantomData<fn() -> T>,
}

impl<'a, T: Scalar> RemoteShard<'a, T> {
    /// Connects with the worker at this position in the caller's list, which forgets earlier searches.
    pub(super) fn connect(transport: &'a dyn Transport, worker: usize) -> Result<(Self, Greeting)> {
        let no_greeting = |reason: String| Error::NoGreeting { worker, reason };
        let bytes = transport.exchange(&encode::<T>(&ShardRequest::<T>::Hello));
        let bytes = bytes.map_err(|error| no_greeting(error.to_string()))?;
        match decode::<T, WorkerReply<T>>(&bytes).map_err(|error| no_greeting(error.to_string()))? {
            WorkerReply::Greeting(greeting) => {
                let (range, n_columns) = (greeting.start..greeting.end, greeting.n_columns);
                Ok((RemoteShard { transport, range, n_columns, sizes: Vec::new(), scalar: PhantomData }, greeting))
            }
            WorkerReply::Failed(reason) => Err(no_greeting(reason)),
            WorkerReply::Reply(_) => Err(no_greeting("unexpected reply type".to_owned())),
        }
    }

    fn exchange(&self, request: &ShardRequest<T>) -> Result<ShardReply<T>> {
        let bytes = self.transport.exchange(&encode::<T>(request)).map_err(|error| self.failed(error.to_string()))?;
        match decode::<T, WorkerReply<T>>(&bytes).map_err(|error| self.failed(error.to_string()))? {
            WorkerReply::Reply(reply) => Ok(reply),
            WorkerReply::Failed(reason) => Err(self.failed(reason)),
            WorkerReply::Greeting(_) => Err(self.failed("unexpected reply type".to_owned())),
        }
    }

    /// The number of prototypes after so many orders.
    fn n_prototypes(&self, n_orders: u64) -> usize {
        let last = usize::try_from(n_orders).ok().and_then(|n_orders| n_orders.checked_sub(1));
        last.and_then(|last| self.sizes.get(last)).copied().unwrap_or(0)
    }

    fn failed(&self, reason: String) -> Error {
        Error::WorkerFailed { start: self.range.start, end: self.range.end, reason }
    }

    /// The reply, or an error if it does not answer the message: the leader relies on its kind and its rows.
    fn checked(&self, reply: ShardReply<T>, fits: impl Fn(&ShardAnswer<T>) -> bool) -> Result<ShardReply<T>> {
        match &reply {
            ShardReply::Done(answer) if !fits(answer) => Err(self.failed("unexpected reply type".to_owned())),
            _ => Ok(reply),
        }
    }

    fn answers_question(&self, question: &ShardQuestion<T>, answer: &ShardAnswer<T>, n_prototypes: usize) -> bool {
        let owns = |row: usize| self.range.contains(&row);
        match (question, answer) {
            (ShardQuestion::Survey { .. }, ShardAnswer::Survey(survey)) => {
                survey.contenders.iter().all(|row| owns(row.source_index))
            }
            (
                ShardQuestion::Leaders { limit, .. } | ShardQuestion::Propose { limit, .. },
                ShardAnswer::Ranked(ranked),
            ) => ranked.len() <= *limit && ranked.iter().all(|row| owns(row.source_index)),
            (ShardQuestion::AtLeast { .. } | ShardQuestion::Raced { .. }, ShardAnswer::Rows(rows)) => {
                rows.iter().all(|row| owns(*row))
            }
            (ShardQuestion::Describe(row), ShardAnswer::Described(described)) => {
                described.source_index == *row && self.fits(described, n_prototypes)
            }
            (ShardQuestion::DescribeBest(_), ShardAnswer::Described(described)) => {
                owns(described.source_index) && self.fits(described, n_prototypes)
            }
            (ShardQuestion::DescribeBest(_), ShardAnswer::Done) => true,
            (ShardQuestion::ExactScores { rows, .. } | ShardQuestion::Means(rows), ShardAnswer::Numbers(numbers)) => {
                numbers.len() == rows.len()
            }
            (ShardQuestion::DrawsLeft { .. }, ShardAnswer::Numbers(numbers)) => numbers.len() == 1,
            (ShardQuestion::Column { .. }, ShardAnswer::ColumnSums(_)) => true,
            _ => false,
        }
    }

    fn fits(&self, described: &DescribedRow<T>, n_prototypes: usize) -> bool {
        described.row.len() == self.n_columns && described.similarities.len() == n_prototypes
    }

    fn answers_order(&self, order: &ShardOrder<T>, answer: &ShardAnswer<T>, n_prototypes: usize) -> bool {
        match (order, answer) {
            (ShardOrder::Open { .. }, ShardAnswer::Opened(_))
            | (ShardOrder::Refine { .. }, ShardAnswer::Refined(_)) => true,
            (ShardOrder::Admit(Admission { then, .. }), ShardAnswer::Admitted(report)) => {
                let mut pairs = then.iter().zip(&report.answers);
                report.answers.len() == then.len()
                    && pairs.all(|(asked, answer)| self.answers_question(asked, answer, n_prototypes + 1))
            }
            (ShardOrder::Open { .. } | ShardOrder::Refine { .. } | ShardOrder::Admit(_), _) => false,
            (_, answer) => *answer == ShardAnswer::Done,
        }
    }
}

impl<T: Scalar> Shard<T> for RemoteShard<'_, T> {
    fn source_range(&self) -> Range<usize> {
        self.range.clone()
    }

    fn is_remote(&self) -> bool {
        true
    }

    fn ask(&self, after: u64, question: &ShardQuestion<T>) -> Result<ShardReply<T>> {
        let reply = self.exchange(&ShardRequest::Ask { after, question: question.clone() })?;
        self.checked(reply, |answer| self.answers_question(question, answer, self.n_prototypes(after)))
    }

    fn tell(&mut self, sequence: u64, order: &ShardOrder<T>, _: &mut dyn Observer) -> Result<ShardReply<T>> {
        let reply = self.exchange(&ShardRequest::Tell { sequence, order: order.clone() })?;
        let before = self.n_prototypes(sequence);
        let reply = self.checked(reply, |answer| self.answers_order(order, answer, before))?;
        // An order that is repeated is counted already.
        if matches!(reply, ShardReply::Done(_)) && sequence == self.sizes.len() as u64 {
            self.sizes.push(match order {
                ShardOrder::Admit(_) => before + 1,
                ShardOrder::Expel { .. } => before.saturating_sub(1),
                _ => before,
            });
        }
        Ok(reply)
    }
}
