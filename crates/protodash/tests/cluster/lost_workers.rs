//! Workers that die, messages that arrive twice or late: nothing of it changes a bit.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use protodash::cluster::Transport;
use protodash::{Error, Method};

use crate::case::{Case, Failure, Restarting, TestScalar, assert_same};

/// When a worker dies, relative to a message.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Death {
    /// Before the message reaches it.
    Before,
    /// After it has acted on it, but before the reply arrives.
    After,
}

/// A worker that dies at some messages, counted over all that it gets, repeated ones included.
struct Mortal<'s, T: TestScalar, D> {
    worker: Restarting<'s, T>,
    n_messages: AtomicUsize,
    dies: D,
}

impl<T: TestScalar, D: Fn(usize) -> Option<Death> + Send + Sync> Transport for Mortal<'_, T, D> {
    fn exchange(&self, message: &[u8]) -> Result<Vec<u8>, Failure> {
        let death = (self.dies)(self.n_messages.fetch_add(1, Ordering::Relaxed));
        if death == Some(Death::After) {
            self.worker.exchange(message)?;
        }
        if death.is_some() {
            self.worker.restart();
        }
        self.worker.exchange(message)
    }
}

fn run<T: TestScalar>(
    case: &Case,
    dies: impl Fn(usize, usize) -> Option<Death> + Send + Sync + Copy + 'static,
) -> Result<protodash::Selection, Error> {
    case.over::<T>(3, |number, worker| {
        let dies = move |message: usize| dies(number, message);
        Box::new(Mortal { worker, n_messages: AtomicUsize::new(0), dies })
    })
}

fn check_every_message<T: TestScalar>(case: &Case) {
    let alone = case.alone::<T>();
    // Some of these are beyond the last message.
    for at in 0..4 * case.n_prototypes + 8 {
        for death in [Death::Before, Death::After] {
            let found = run::<T>(case, move |worker, message| (worker == at % 3 && message == at).then_some(death));
            assert_same(&found.unwrap(), &alone, &format!("worker {} dies {death:?} message {at}: {case:?}", at % 3));
        }
    }
}

#[test]
fn a_worker_may_die_at_any_message() {
    for method in [Method::ProtoDash, Method::ProtoGreedy] {
        // In f32 with the target as the source, steps have all kinds of messages.
        check_every_message::<f32>(&Case { method, ..Case::SMALL });
        check_every_message::<f32>(&Case { method, n_target: Some(60), ..Case::SMALL });
        check_every_message::<f64>(&Case { method, ..Case::SMALL });
    }
}

#[test]
fn workers_may_die_all_at_once_and_again_while_orders_are_repeated() {
    let case = Case { n_prototypes: 12, ..Case::SMALL };
    let alone = case.alone::<f32>();
    for (at, again) in [(5, 6), (9, 10), (12, 15), (20, 21), (20, 29)] {
        let found = run::<f32>(&case, move |_, message| {
            (message == at).then_some(Death::After).or((message == again).then_some(Death::Before))
        });
        assert_same(&found.unwrap(), &alone, &format!("all die at messages {at} and {again}"));
    }
    // One message in 30, which is more than there are in the run without the repeated ones.
    let found = run::<f32>(&case, |worker, message| ((7 * worker + message) % 30 == 29).then_some(Death::After));
    assert_same(&found.unwrap(), &alone, "one message in 30");
}

fn check_little_memory<T: TestScalar>(case: Case) {
    let alone = case.alone::<T>();
    // For two columns, so that later ones are computed again at every step.
    let little = Case { column_memory: Some(2 * 8 * case.n_source as u64), ..case };
    let context = format!("{little:?}");
    assert_same(&little.alone::<T>(), &alone, &context);
    for at in [6, 12, 15, 20, 24] {
        let found = run::<T>(&little, move |worker, message| {
            // One dies while it repeats its orders, with columns as they were before they were dropped.
            (message == at || (worker == 0 && message == at + 2)).then_some(Death::After)
        });
        assert_same(&found.unwrap(), &alone, &format!("all die at message {at}: {context}"));
    }
}

#[test]
fn columns_that_do_not_fit_change_nothing_also_where_orders_are_repeated() {
    for method in [Method::ProtoDash, Method::ProtoGreedy] {
        let case = Case { method, n_prototypes: 12, ..Case::SMALL };
        check_little_memory::<f32>(case);
        check_little_memory::<f64>(Case { n_target: Some(60), ..case });
    }
}

#[test]
fn a_worker_that_forgets_everything_at_every_message_is_named() {
    let error = run::<f64>(&Case::SMALL, |worker, message| (worker == 1 && message > 2).then_some(Death::Before));
    assert_eq!(
        error.unwrap_err().to_string(),
        "the worker of source rows 30 to 59 failed: it lost its state 17 times during one message"
    );
}

/// Delivers every message twice, and then old messages again.
struct Echoing<'s, T: TestScalar> {
    worker: Restarting<'s, T>,
    delivered: Mutex<Vec<Vec<u8>>>,
}

impl<T: TestScalar> Transport for Echoing<'_, T> {
    fn exchange(&self, message: &[u8]) -> Result<Vec<u8>, Failure> {
        let first = self.worker.exchange(message)?;
        assert_eq!(self.worker.exchange(message)?, first, "a repeated message has another reply");
        let mut delivered = self.delivered.lock().unwrap();
        // The first message starts a search, and is not repeated late by any transport that keeps a connection.
        let late = delivered.iter().skip(1).step_by(3);
        late.for_each(|message| drop(self.worker.exchange(message)));
        delivered.push(message.to_vec());
        Ok(first)
    }
}

#[test]
fn messages_that_arrive_twice_or_late_have_no_effect() {
    for method in [Method::ProtoDash, Method::ProtoGreedy] {
        for n_target in [None, Some(70)] {
            let case = Case { method, n_target, n_prototypes: 15, ..Case::SMALL };
            let found = case.over::<f32>(3, |_, worker| Box::new(Echoing { worker, delivered: Mutex::default() }));
            assert_same(&found.unwrap(), &case.alone::<f32>(), &format!("{case:?}"));
        }
    }
}
