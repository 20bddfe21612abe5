//! No message, however damaged, makes a worker panic.

use std::path::Path;
use std::sync::Mutex;

use ndarray::Array2;
use proptest::prelude::*;
use protodash::cluster::{self, ShardServer, Transport, message_in_words};
use protodash::{Gaussian, Method, Params, Prepared, Unobserved};

use crate::case::{Case, Failure};

/// Keeps the messages.
struct Recording<'s>(ShardServer<'s, f32>, Mutex<Vec<Vec<u8>>>);

impl Transport for Recording<'_> {
    fn exchange(&self, message: &[u8]) -> Result<Vec<u8>, Failure> {
        self.1.lock().unwrap().push(message.to_vec());
        let reply = self.0.handle(message);
        // Every message can be put into words.
        assert!(message_in_words(message).unwrap().starts_with("leader: "));
        assert!(message_in_words(&reply).unwrap().starts_with("worker: "));
        Ok(reply)
    }
}

fn messages(case: &Case) -> Vec<Vec<u8>> {
    case.with::<f32, _>(|prepared, params| {
        let recording = Recording(ShardServer::new(prepared, 0..case.n_source, params).unwrap(), Mutex::default());
        cluster::select(prepared, &[&recording], params, &mut Unobserved).unwrap();
        recording.1.into_inner().unwrap()
    })
}

/// A change of a message: its place as a fraction, and the new byte.
type Change = (f64, u8);

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Real messages in their order, some with a changed, removed or inserted byte.
    #[test]
    fn damaged_messages_get_a_reply(
        method in prop::sample::select(vec![Method::ProtoDash, Method::ProtoGreedy]),
        changes in prop::collection::vec((0.0..1.0_f64, prop::collection::vec((0.0..1.0_f64, any::<u8>()), 1..4), 0..3_u8), 1..40),
    ) {
        let case = Case { method, ..Case::SMALL };
        let changes: Vec<(f64, Vec<Change>, u8)> = changes;
        let mut sent = messages(&case);
        for (which, bytes, kind) in changes {
            let place = (which * sent.len() as f64) as usize;
            let mut damaged = sent[place].clone();
            for (at, byte) in bytes {
                let at = (at * damaged.len() as f64) as usize;
                match kind {
                    1 => damaged.insert(at, byte),
                    _ if damaged.is_empty() => {}
                    0 => damaged[at] = byte,
                    _ => drop(damaged.remove(at)),
                }
            }
            // Instead of the message, or before it.
            if kind == 0 { sent[place] = damaged } else { sent.insert(place, damaged) }
        }
        case.with::<f32, _>(|prepared, params| {
            let server = ShardServer::new(prepared, 0..case.n_source, params).unwrap();
            for message in &sent {
                let reply = server.handle(message);
                assert!(message_in_words(&reply).is_ok());
            }
        });
    }
}

/// The messages in a file for the fuzz target `cluster`: each after a byte with its length.
fn split(mut rest: &[u8]) -> Vec<&[u8]> {
    let mut messages = Vec::new();
    while let [length, after @ ..] = rest {
        let (message, next) = after.split_at(after.len().min(usize::from(*length)));
        messages.push(message);
        rest = next;
    }
    messages
}

/// The data of the fuzz target.
fn with_fuzzed_data<R>(run: impl FnOnce(&Prepared<'_, f32>, &Params) -> R) -> R {
    let rows = Array2::from_shape_fn((20, 2), |(row, column)| ((row * 7 + column * 3) % 11) as f32);
    let (kernel, params) = (Gaussian::new(2.0).unwrap(), Params::new(5));
    run(&cluster::prepare(&rows, &rows, &kernel, &params, &mut Unobserved).unwrap(), &params)
}

#[test]
fn inputs_of_the_fuzz_target_get_replies() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/fuzz/cluster");
    let mut n_files = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let bytes = std::fs::read(entry.unwrap().path()).unwrap();
        with_fuzzed_data(|prepared, params| {
            let server = ShardServer::new(prepared, 5..20, params).unwrap();
            split(&bytes).into_iter().for_each(|message| drop(message_in_words(&server.handle(message)).unwrap()));
        });
        n_files += 1;
    }
    assert!(n_files > 0);
}

#[test]
fn the_seed_of_the_fuzz_target_is_a_whole_search() {
    let sent = with_fuzzed_data(|prepared, params| {
        let first = ShardServer::new(prepared, 0..5, params).unwrap();
        let second = Recording(ShardServer::new(prepared, 5..20, params).unwrap(), Mutex::default());
        cluster::select(prepared, &[&first, &second], params, &mut Unobserved).unwrap();
        second.1.into_inner().unwrap()
    });
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/fuzz/cluster/seed-search");
    if std::env::var_os("PROTODASH_RENEW_SEED").is_some() {
        let framed = sent.iter().flat_map(|message| [&[message.len() as u8][..], message].concat());
        std::fs::write(&path, framed.collect::<Vec<u8>>()).unwrap();
    }
    // Not the same bytes, since the last bits of numbers differ between machines, but messages that still mean something.
    with_fuzzed_data(|prepared, params| {
        let server = ShardServer::new(prepared, 5..20, params).unwrap();
        for message in split(&std::fs::read(path).unwrap()) {
            let (message, reply) = (message_in_words(message).unwrap(), server.handle(message));
            assert!(!message_in_words(&reply).unwrap().contains("Failed"), "{message}");
        }
    });
    assert!(sent.len() > 10);
}
