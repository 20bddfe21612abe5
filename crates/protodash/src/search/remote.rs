//! A shard in another process, reached by bytes.

use std::fmt::Display;
use std::marker::PhantomData;
use std::ops::Range;

use super::local::ShardData;
use super::protocol::{Admission, Shard, ShardAnswer, ShardOrder, ShardQuestion, ShardReply};
use super::wire::{Greeting, ShardRequest, WorkerReply, decode, encode};
use crate::error::{Error, Result};
use crate::observe::Observer;
use crate::rows::Scalar;
use crate::simd::InstructionSet;

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

/// The shards of workers that together have all rows of the source, in this order, and the same data as the leader.
pub(super) fn remote_shards<'a, T: Scalar>(
    whole: &ShardData<'a, T>,
    workers: &[&'a dyn Transport],
) -> Result<Vec<Box<dyn Shard<T> + 'a>>> {
    let n_source = whole.rows.n_rows();
    let mut shards: Vec<Box<dyn Shard<T> + 'a>> = Vec::new();
    let mut start = 0;
    for (worker, transport) in workers.iter().enumerate() {
        let (shard, found) = RemoteShard::<T>::connect(*transport, worker)?;
        let other = |what, found: &dyn Display, expected: &dyn Display| {
            Err(Error::OtherWorker { worker, what, found: found.to_string(), expected: expected.to_string() })
        };
        let instruction_set = format!("{:?}", InstructionSet::best());
        if found.start != start {
            return other("first source row", &found.start, &start);
        }
        if found.end <= start || found.end > n_source {
            return other("end of its source rows", &found.end, &format!("{} to {n_source}", start + 1));
        }
        if found.n_columns != whole.rows.n_columns() {
            return other("number of columns", &found.n_columns, &whole.rows.n_columns());
        }
        if found.instruction_set != instruction_set {
            return other("instruction set", &found.instruction_set, &instruction_set);
        }
        let fingerprint = whole.part(found.start..found.end).fingerprint();
        if found.fingerprint != fingerprint {
            let [found, expected] = [found.fingerprint, fingerprint].map(|hash| format!("{hash:016x}"));
            return other("hash of data, kernel and parameters", &found, &expected);
        }
        start = found.end;
        shards.push(Box::new(shard));
    }
    if start < n_source { Err(Error::RowsWithoutWorker { start, n_source }) } else { Ok(shards) }
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
            WorkerReply::Reply(_) => Err(no_greeting("it answered another message".to_owned())),
        }
    }

    fn exchange(&self, request: &ShardRequest<T>) -> Result<ShardReply<T>> {
        let bytes = self.transport.exchange(&encode::<T>(request)).map_err(|error| self.failed(error.to_string()))?;
        match decode::<T, WorkerReply<T>>(&bytes).map_err(|error| self.failed(error.to_string()))? {
            WorkerReply::Reply(reply) => Ok(reply),
            WorkerReply::Failed(reason) => Err(self.failed(reason)),
            WorkerReply::Greeting(_) => Err(self.failed("it answered another message".to_owned())),
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
            ShardReply::Done(answer) if !fits(answer) => {
                Err(self.failed("its answer does not fit the message".to_owned()))
            }
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
                described.source_index == *row
                    && described.row.len() == self.n_columns
                    && described.similarities.len() == n_prototypes
            }
            (ShardQuestion::ExactScores { rows, .. } | ShardQuestion::Means(rows), ShardAnswer::Numbers(numbers)) => {
                numbers.len() == rows.len()
            }
            (ShardQuestion::Column { .. }, ShardAnswer::ColumnSums(_)) => true,
            _ => false,
        }
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
