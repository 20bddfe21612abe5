//! Messages survive the round trip through bytes, and arbitrary bytes are read safely.

use std::fmt::Debug;

use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::search::protocol::{ShardAnswer, ShardOrder, ShardQuestion, ShardReply};

/// Reads a message as every kind of message with both types of values; whatever can be read has no other encoding.
fn read_as_all(bytes: &[u8]) {
    fn read_as<T: Scalar, M: Wire>(bytes: &[u8]) {
        if let Ok(message) = decode::<T, M>(bytes) {
            assert_eq!(encode::<T>(&message), bytes);
        }
    }
    read_as::<f32, ShardRequest<f32>>(bytes);
    read_as::<f64, ShardRequest<f64>>(bytes);
    read_as::<f32, WorkerReply<f32>>(bytes);
    read_as::<f64, WorkerReply<f64>>(bytes);
}

/// The bits of NaN are compared by their bytes, everything else also by value.
fn check_round_trip<T: Scalar, M: Wire + Debug>(message: &M) -> Vec<u8> {
    let bytes = encode::<T>(message);
    let read: M = decode::<T, M>(&bytes).unwrap();
    assert_eq!(format!("{read:?}"), format!("{message:?}"));
    assert_eq!(encode::<T>(&read), bytes);
    bytes
}

fn check_message<T: Scalar, M: Wire + Debug>(random: &mut ChaCha8Rng) {
    let bytes = check_round_trip::<T, M>(&M::sample(random));
    // Part of a message is not a message, and neither is a message with something after it.
    for length in 0..bytes.len() {
        assert!(decode::<T, M>(&bytes[..length]).is_err(), "{length} of {} bytes", bytes.len());
    }
    assert!(decode::<T, M>(&[&bytes[..], &[0]].concat()).is_err());
    let mut mutated = bytes.clone();
    for _ in 0..20 {
        let place = random.random_range(0..mutated.len());
        mutated[place] = random.random();
        read_as_all(&mutated);
    }
    // An insertion or a removal moves everything behind it.
    mutated.clone_from(&bytes);
    mutated.insert(random.random_range(4..=bytes.len()), random.random());
    read_as_all(&mutated);
    mutated.remove(random.random_range(4..mutated.len()));
    read_as_all(&mutated);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn messages_survive_and_damaged_ones_do_not_panic(seed in any::<u64>()) {
        let random = &mut ChaCha8Rng::seed_from_u64(seed);
        check_message::<f64, ShardRequest<f64>>(random);
        check_message::<f32, ShardRequest<f32>>(random);
        check_message::<f64, WorkerReply<f64>>(random);
        check_message::<f32, WorkerReply<f32>>(random);
    }

    #[test]
    fn any_bytes_can_be_read_or_rejected(
        value_size in prop::sample::select(vec![4, 8]),
        body in prop::collection::vec(prop_oneof![any::<u8>(), 0..10_u8], 0..200),
    ) {
        read_as_all(&[&MAGIC[..], &[VERSION, value_size], &body[..]].concat());
        read_as_all(&body);
    }
}

#[test]
fn messages_are_short() {
    // Header, kind, number of orders, kind of question, row.
    let describe = ShardRequest::<f64>::Ask { after: 5, question: ShardQuestion::Describe(300) };
    assert_eq!(encode::<f64>(&describe), [b'p', b'd', 2, 8, 1, 5, 5, 0xac, 0x02]);
    let done = WorkerReply::<f32>::Reply(ShardReply::Done(ShardAnswer::Done));
    assert_eq!(encode::<f32>(&done), [b'p', b'd', 2, 4, 1, 0, 0]);
    let refuse = ShardRequest::<f32>::Tell { sequence: 127, order: ShardOrder::Refuse(128) };
    assert_eq!(encode::<f32>(&refuse), [b'p', b'd', 2, 4, 2, 127, 5, 0x80, 0x01]);
}

#[test]
fn errors_say_what_was_found() {
    let message = |bytes: &[u8]| decode::<f64, ShardRequest<f64>>(bytes).unwrap_err().to_string();
    assert_eq!(message(b""), "cannot read a message between leader and worker at byte 0: the message ends too early");
    assert!(message(b"GET / HTTP").ends_with("at byte 2: not a message of protodash"));
    assert_eq!(
        message(b"pd\x07\x08\0"),
        "the other side uses version 7 of the protocol, this side version 2; install the same version of protodash on both"
    );
    assert!(message(b"pd\x02\x04\0").ends_with("values of 4 bytes, expected 8"));
    assert!(message(b"pd\x02\x08\x09").ends_with("no variant 9 of ShardRequest"));
    assert!(message(b"pd\x02\x08\0\0\0").ends_with("2 bytes after the end of the message"));
    // A list of 2^40 rows in a message of 14 bytes.
    assert!(message(b"pd\x02\x08\x01\x00\x07\x80\x80\x80\x80\x80\x20").ends_with("with 0 bytes left"));
    assert!(message(b"pd\x02\x08\x01\x80\x00").ends_with("a number with a leading 0"));
    assert!(message(&[&b"pd\x02\x08\x01"[..], &[0xff; 9], &[0x02]].concat()).ends_with("a number above 2^64"));
}

#[test]
fn reports_do_not_nest() {
    // Reply, done, admitted, not indefinite, one answer: admitted, not indefinite, one answer, …
    let nested = [&b"pd\x02\x08\x01\x00"[..], &[2, 0, 1].repeat(100_000)].concat();
    let error = decode::<f64, WorkerReply<f64>>(&nested).unwrap_err();
    assert!(error.to_string().ends_with("a report within a report"), "{error}");
}
