//! The greedy search, divided between one leader and any number of shards.
//!
//! # Who does what
//!
//! The **leader** ([`GreedySearch`]) owns the prototypes ([`prototypes`]: Gram matrix, weights, basis), the stopping
//! rule and the record of the run. The methods are written in its verbs. It holds no source rows and nothing
//! proportional to their number; it sees only the rows that shards describe to it.
//!
//! A **shard** ([`protocol::Shard`]) owns consecutive source rows and everything proportional to their number: kernel
//! means, gradients, Schur complements, kernel columns, which rows are still candidates. It keeps a copy of the
//! prototypes' rows and of the triangle F, so a message is never longer than a row and a few numbers per prototype.
//!
//! [`local`] is the shard of this process. Its rows are in blocks, which the threads of the pool process in parallel; one
//! shard is enough for one process. [`precision`] contains everything that keeps f32 and racing from changing the
//! result; the algorithms do not mention it.
//!
//! # The protocol
//!
//! All messages are plain data, defined in [`protocol`]:
//!
//! - **Questions** ([`ask`](protocol::Shard::ask)) change nothing and may be repeated at any time.
//! - **Orders** ([`tell`](protocol::Shard::tell)) change the shard. Each shard has its own numbering from 0, since some
//!   orders concern one shard only. Repeating the last order returns the same answer and has no further effect; an
//!   order that skips a number is rejected with the missing number.
//!
//! A step of ProtoDash or ProtoGreedy takes two messages: *describe* to the shard that owns the best candidate, and
//! *admit* to all. An admission carries the questions that the next step starts with, and [`shards`] answers these from
//! the reply. Kernel means in f32 need an additional *column* or *means* question and a *correct* order, and a race needs
//! a *survey* and a *refine* or *correct* order for each of its rounds.
//!
//! # Bit-identical results for any number of shards
//!
//! A shard's results for a row do not depend on the rows next to it. The leader merges only maxima, sorted lists, and
//! sums over runs of rows counted from the start of the source ([`protocol::ColumnSums`]).
//!
//! # Shards in other processes
//!
//! [`remote`] is a shard behind a [`Transport`], [`server`] the other end with a [`local::LocalShard`], and [`wire`] the
//! messages as bytes. What makes them work:
//!
//! - The last bits of gradients depend on the history of the search. A shard that lost its state recovers it by
//!   repeating the same orders in the same sequence, not by *rebuild*. [`numbered`] keeps the log of orders; questions say
//!   how many orders they come after, so that a shard without its state notices.
//! - Copies of an earlier source row are not candidates. They are found before the source is divided.
//! - A shard that corrects kernel means needs the whole target.
//! - The last bits of kernel values differ between instruction sets. All shards must use the same.
//! - A worker checks that messages fit its state ([`local`]), a leader that answers fit their questions ([`remote`]).

mod basis;
mod candidates;
mod constrained;
mod exchange;
mod layout;
mod leader;
mod local;
mod numbered;
mod precision;
mod protocol;
mod prototypes;
mod rank;
mod remote;
mod server;
mod shards;
mod wire;

pub(crate) use candidates::FIRST_PROPOSALS;
pub(crate) use exchange::{Exchanges, ReducedSet};
pub(crate) use layout::{SearchSettings, SearchSpace, ShardLayout};
pub(crate) use leader::GreedySearch;
pub(crate) use local::ShardData;
pub(crate) use precision::RaceRecord;
pub(crate) use prototypes::Trial;
pub(crate) use rank::{Rank, RankedRow};
pub(crate) use remote::Connections;
pub(crate) use wire::{read_value, written_value};

pub use remote::Transport;
pub use server::ShardServer;
#[expect(unreachable_pub, reason = "a bound of the public trait Scalar")]
pub use wire::Wire;
pub use wire::message_in_words;

#[cfg(test)]
mod tests;
