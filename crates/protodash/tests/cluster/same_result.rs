//! Any number of workers gives the bits of one process, in two messages a step.

use std::sync::atomic::{AtomicUsize, Ordering};

use protodash::cluster::Transport;
use protodash::{Method, Weights};

use crate::case::{Case, Failure, Restarting, TestKernel, TestScalar, assert_same};

fn check<T: TestScalar>(case: &Case) {
    let alone = case.alone::<T>();
    for n_workers in [1, 2, 4, 7] {
        let found = case.over::<T>(n_workers, |_, worker| Box::new(worker)).unwrap();
        assert_same(&found, &alone, &format!("{n_workers} workers: {case:?}"));
    }
}

#[test]
fn any_number_of_workers_gives_the_same_bits() {
    for method in [Method::ProtoDash, Method::ProtoGreedy] {
        for weights in [Weights::Nonnegative, Weights::Convex] {
            for n_target in [None, Some(150)] {
                for kernel in [TestKernel::Gaussian, TestKernel::Multiquadric] {
                    let case =
                        Case { n_source: 1200, n_target, method, weights, kernel, n_prototypes: 25, ..Case::SMALL };
                    check::<f64>(&case);
                    check::<f32>(&case);
                }
            }
        }
    }
}

#[test]
fn so_does_a_kernel_without_a_distance() {
    // Three columns: from the fourth on, prototypes depend on the others.
    for method in [Method::ProtoDash, Method::ProtoGreedy] {
        check::<f64>(&Case { method, kernel: TestKernel::Linear, ..Case::SMALL });
        check::<f32>(&Case { method, kernel: TestKernel::Linear, n_target: Some(40), ..Case::SMALL });
    }
}

/// Counts messages.
struct Counting<'s, T: TestScalar>(Restarting<'s, T>, &'static AtomicUsize);

impl<T: TestScalar> Transport for Counting<'_, T> {
    fn exchange(&self, message: &[u8]) -> Result<Vec<u8>, Failure> {
        self.1.fetch_add(1, Ordering::Relaxed);
        self.0.exchange(message)
    }
}

fn check_messages<T: TestScalar>(method: Method, n_target: Option<usize>) {
    static COUNTS: [AtomicUsize; 4] = [const { AtomicUsize::new(0) }; 4];
    COUNTS.iter().for_each(|count| count.store(0, Ordering::Relaxed));
    let case = Case { n_source: 600, n_target, method, n_prototypes: 40, ..Case::SMALL };
    let found = case.over::<T>(4, |worker, server| Box::new(Counting(server, &COUNTS[worker]))).unwrap();
    assert_eq!(found.prototypes.len(), 40);
    let counts = COUNTS.each_ref().map(|count| count.load(Ordering::Relaxed));
    // Each step admits one row to all four. In f32 its mean is computed in f64 before, by its owner or from a column of all.
    // Before the first there are a greeting, the opening and its survey and proposals; columns in f32 sometimes leave two
    // candidates to be compared, and a second candidate for the same shard has to be described.
    let allowed = if size_of::<T>() == 4 { 2 * 40 + 20 } else { 40 + 8 };
    for count in counts {
        assert!(count <= allowed, "{} bytes, {method:?}, {n_target:?}: {counts:?}", size_of::<T>());
    }
}

#[test]
fn a_step_takes_at_most_two_messages_per_worker() {
    for method in [Method::ProtoDash, Method::ProtoGreedy] {
        for n_target in [None, Some(300)] {
            check_messages::<f32>(method, n_target);
            check_messages::<f64>(method, n_target);
        }
    }
}
