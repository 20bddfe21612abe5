//! The other end of a remote shard: answers the leader's messages.

use std::ops::Range;
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use super::local::{LocalShard, ShardData};
use super::protocol::Shard;
use super::remote::Transport;
use super::wire::{Greeting, ShardRequest, WorkerReply, decode, encode};
use crate::observe::Unobserved;
use crate::rows::Scalar;
use crate::simd::InstructionSet;

/// A worker's part of a search: some consecutive source rows, and the replies to the leader's messages.
///
/// It is itself a [`Transport`], to a worker in this process.
///
/// # Examples
///
/// See [`cluster`](crate::cluster).
pub struct ShardServer<'a, T: Scalar> {
    shard: RwLock<LocalShard<'a, T>>,
    greeting: Greeting,
}

impl<'a, T: Scalar> ShardServer<'a, T> {
    /// The worker of some rows of the source, which represents `n_target` rows.
    pub(crate) fn with_data(whole: &ShardData<'a, T>, rows: Range<usize>, n_target: usize) -> Self {
        let greeting = Greeting {
            start: rows.start,
            end: rows.end,
            n_target,
            n_source: whole.rows.n_rows(),
            n_columns: whole.rows.n_columns(),
            instruction_set: format!("{:?}", InstructionSet::best()),
            fingerprint: whole.fingerprint(),
        };
        ShardServer { shard: RwLock::new(LocalShard::new(whole.part(rows))), greeting }
    }

    /// The reply to a message. Anything that is not a message for this worker gets a reply that says why.
    ///
    /// Work runs on the current `rayon` thread pool.
    ///
    /// # Examples
    ///
    /// ```
    /// use ndarray::array;
    /// use protodash::cluster::{self, ShardServer};
    /// use protodash::{Gaussian, Params, Unobserved};
    ///
    /// let (rows, kernel, params) = (array![[0.0], [1.0], [5.0]], Gaussian::new(1.0)?, Params::new(2));
    /// let prepared = cluster::prepare(&rows, &rows, &kernel, &params, &mut Unobserved)?;
    /// let server = ShardServer::new(&prepared, 0..3, &params)?;
    /// let reply = server.handle(b"GET / HTTP/1.1");
    /// assert!(String::from_utf8_lossy(&reply).contains("not a message of protodash"));
    /// # Ok::<(), protodash::Error>(())
    /// ```
    pub fn handle(&self, message: &[u8]) -> Vec<u8> {
        T::handle(self, message)
    }

    pub(crate) fn reply(&self, message: &[u8]) -> Vec<u8> {
        let reply = match decode::<T, ShardRequest<T>>(message) {
            Ok(request) => self.reply_to(&request),
            Err(error) => WorkerReply::Failed(error.to_string()),
        };
        encode::<T>(&reply)
    }

    fn reply_to(&self, request: &ShardRequest<T>) -> WorkerReply<T> {
        let replied = match request {
            ShardRequest::Hello => {
                self.changed().reset();
                return WorkerReply::Greeting(self.greeting.clone());
            }
            ShardRequest::Ask { after, question } => {
                let shard = self.shard();
                let is_behind = *after > shard.n_orders();
                let checked = if is_behind { Ok(()) } else { shard.check_question(question) };
                checked.map(|()| shard.ask(*after, question))
            }
            ShardRequest::Tell { sequence, order } => {
                let mut shard = self.changed();
                let is_next = *sequence == shard.n_orders();
                let checked = if is_next { shard.check_order(order) } else { Ok(()) };
                checked.map(|()| shard.tell(*sequence, order, &mut Unobserved))
            }
        };
        match replied {
            Ok(Ok(reply)) => WorkerReply::Reply(reply),
            Ok(Err(error)) => WorkerReply::Failed(error.to_string()),
            Err(problem) => WorkerReply::Failed(problem),
        }
    }

    fn shard(&self) -> RwLockReadGuard<'_, LocalShard<'a, T>> {
        self.shard.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn changed(&self) -> RwLockWriteGuard<'_, LocalShard<'a, T>> {
        self.shard.write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T: Scalar> Transport for ShardServer<'_, T> {
    fn exchange(&self, message: &[u8]) -> Result<Vec<u8>, Box<dyn std::error::Error + Send + Sync>> {
        Ok(self.handle(message))
    }
}
