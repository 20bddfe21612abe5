//! A shard whose orders are numbered, and repeated if it has lost its state.

use std::ops::Range;
use std::sync::{Arc, PoisonError, RwLock};

use super::protocol::{Shard, ShardAnswer, ShardOrder, ShardQuestion, ShardReply};
use crate::error::{Error, Result};
use crate::observe::{Observer, Unobserved};
use crate::rows::Scalar;

/// How often a shard may lose its state during one message before the run fails.
const RECOVERIES: usize = 16;

/// A shard, the number of its next order, and the orders that it may have to repeat.
///
/// The last bits of gradients depend on the history of the search, so a shard that starts anew gets all its orders again,
/// in their order.
pub(super) struct NumberedShard<'a, T> {
    /// Written to by orders only, which need the shard exclusively anyway, and by a question that finds it behind.
    shard: RwLock<Box<dyn Shard<T> + 'a>>,
    pub(super) range: Range<usize>,
    /// Whether the shard is in another process.
    pub(super) is_remote: bool,
    next_sequence: u64,
    /// All orders so far; empty for a shard of this process, which does not lose its state.
    log: Vec<Arc<ShardOrder<T>>>,
}

impl<'a, T: Scalar> NumberedShard<'a, T> {
    pub(super) fn new(shard: Box<dyn Shard<T> + 'a>) -> Self {
        let (range, is_remote) = (shard.source_range(), shard.is_remote());
        NumberedShard { shard: RwLock::new(shard), range, is_remote, next_sequence: 0, log: Vec::new() }
    }

    /// Gives the next order. `logged` is what the log keeps of it, if the caller shares that between shards.
    pub(super) fn tell(
        &mut self,
        order: &ShardOrder<T>,
        logged: Option<&Arc<ShardOrder<T>>>,
        observer: &mut dyn Observer,
    ) -> Result<ShardAnswer<T>> {
        let shard = self.shard.get_mut().unwrap_or_else(PoisonError::into_inner);
        for _ in 0..=RECOVERIES {
            match shard.tell(self.next_sequence, order, observer)? {
                ShardReply::Done(answer) => {
                    self.next_sequence += 1;
                    if self.is_remote {
                        self.log.push(logged.map_or_else(|| Arc::new(order.for_log()), Arc::clone));
                    }
                    return Ok(answer);
                }
                ShardReply::Behind(missed) => repeat(&mut **shard, &self.log, missed)?,
            }
        }
        Err(self.keeps_failing())
    }

    /// Asks a question; the answer is that of a shard that has carried out all orders so far.
    pub(super) fn ask(&self, question: &ShardQuestion<T>) -> Result<ShardAnswer<T>> {
        for _ in 0..=RECOVERIES {
            let reply = self.shard.read().unwrap_or_else(PoisonError::into_inner).ask(self.next_sequence, question)?;
            match reply {
                ShardReply::Done(answer) => return Ok(answer),
                ShardReply::Behind(missed) => {
                    let mut shard = self.shard.write().unwrap_or_else(PoisonError::into_inner);
                    repeat(&mut **shard, &self.log, missed)?;
                }
            }
        }
        Err(self.keeps_failing())
    }

    fn keeps_failing(&self) -> Error {
        let reason = format!("it lost its state {} times during one message", RECOVERIES + 1);
        Error::WorkerFailed { start: self.range.start, end: self.range.end, reason }
    }
}

/// Repeats the orders from number `missed` on, or some of them if the shard loses its state again.
fn repeat<T: Scalar>(shard: &mut dyn Shard<T>, log: &[Arc<ShardOrder<T>>], missed: u64) -> Result<()> {
    let known = usize::try_from(missed).ok().and_then(|missed| log.get(missed..)).filter(|rest| !rest.is_empty());
    let Some(orders) = known else {
        let Range { start, end } = shard.source_range();
        let reason = format!("it misses order {missed} of {}", log.len());
        return Err(Error::WorkerFailed { start, end, reason });
    };
    for (sequence, order) in (missed..).zip(orders) {
        if let ShardReply::Behind(_) = shard.tell(sequence, order, &mut Unobserved)? {
            return Ok(());
        }
    }
    Ok(())
}

impl<T: Scalar> ShardOrder<T> {
    /// The order as it is repeated: without the questions whose answers are known.
    pub(super) fn for_log(&self) -> Self {
        let mut order = self.clone();
        if let ShardOrder::Admit(admission) = &mut order {
            admission.then.clear();
        }
        order
    }
}
