//! A differential test: random hostile problems, every kernel, method and rule for weights, in f64 and f32, checked against
//! brute force in double-double arithmetic.
//!
//! As an ordinary test it runs a fixed number of problems. `cargo xtask adversary --minutes 10 --seed 1` runs it for a given
//! time; a failure prints the seed and the smallest problem that still fails.
#![allow(clippy::unwrap_used)] // a test that meets an error should fail
#![allow(clippy::print_stderr)] // a long run reports its progress

mod checks;
mod double_double;
mod library;
mod other_methods;
mod other_parameters;
mod problem;
mod reference;
mod similarity;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use checks::{Fault, check};
use problem::AdversaryProblem;

/// Number of problems in the ordinary test.
const N_PROBLEMS: u64 = 150;
/// Maximum number of smaller problems tried to minimise a failure.
const N_SMALLER: usize = 600;

/// A number from the environment.
fn setting(name: &str) -> Option<f64> {
    let value = std::env::var(name).ok()?;
    Some(value.parse().unwrap_or_else(|_| panic!("{name} is {value:?}; it must be a number")))
}

/// The fault in a problem's results, if any; a panic is one.
fn fault(problem: &AdversaryProblem) -> Option<Fault> {
    let checked = catch_unwind(AssertUnwindSafe(|| check(problem)));
    match checked {
        Ok(Ok(())) => None,
        Ok(Err(fault)) => Some(fault),
        Err(_) => Some(Fault { claim: "no input panics", detail: "see the message above".to_owned() }),
    }
}

/// The smallest problem found that breaks the same claim.
fn minimised(mut problem: AdversaryProblem, mut fault_found: Fault) -> (AdversaryProblem, Fault) {
    let mut n_tried = 0;
    loop {
        let smaller = problem.smaller().into_iter().find_map(|smaller| {
            n_tried += 1;
            let fault = fault(&smaller).filter(|fault| n_tried <= N_SMALLER && fault.claim == fault_found.claim)?;
            Some((smaller, fault))
        });
        match smaller {
            Some(found) if n_tried <= N_SMALLER => (problem, fault_found) = found,
            _ => return (problem, fault_found),
        }
    }
}

#[test]
fn every_selection_is_what_it_claims_to_be() {
    let limit = setting("PROTODASH_ADVERSARY_MINUTES").map(|minutes| Duration::from_secs_f64(60.0 * minutes));
    let first = setting("PROTODASH_ADVERSARY_SEED").unwrap_or(0.0) as u64;
    let (start, mut said) = (Instant::now(), Instant::now());
    let mut n_faults = 0;
    let mut seed = first;
    while limit.map_or(seed < first + N_PROBLEMS, |limit| start.elapsed() < limit) {
        let problem = AdversaryProblem::from_seed(seed);
        if let Some(found) = fault(&problem) {
            let (smallest, found) = minimised(problem, found);
            eprintln!("NOT TRUE: {}\n{}\n{smallest}\n", found.claim, found.detail);
            n_faults += 1;
        }
        seed += 1;
        if said.elapsed() > Duration::from_secs(30) {
            eprintln!("{} problems, {n_faults} faults", seed - first);
            said = Instant::now();
        }
    }
    eprintln!("{} problems from seed {first}, {n_faults} faults", seed - first);
    assert_eq!(n_faults, 0, "see above; to repeat one: cargo xtask adversary --seed SEED --minutes 0.01");
}
