//! Messages to a worker: any sequence of bytes gets a reply that can be read, and whatever can be read can be put into words.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use ndarray::Array2;
use protodash::cluster::{self, ShardServer, message_in_words};
use protodash::{Gaussian, Params, Unobserved};

static ROWS: LazyLock<Array2<f32>> =
    LazyLock::new(|| Array2::from_shape_fn((20, 2), |(row, column)| ((row * 7 + column * 3) % 11) as f32));
static KERNEL: LazyLock<Gaussian> = LazyLock::new(|| Gaussian::new(2.0).expect("a bandwidth"));
static PARAMS: LazyLock<Params> = LazyLock::new(|| Params::new(5));

// The first byte of each part is the length of the message that follows.
fuzz_target!(|bytes: &[u8]| {
    let prepared = cluster::prepare(&*ROWS, &*ROWS, &*KERNEL, &PARAMS, &mut Unobserved).expect("small data");
    let server = ShardServer::new(&prepared, 5..20, &PARAMS).expect("rows of the source");
    let mut rest = bytes;
    while let [length, after @ ..] = rest {
        let (message, next) = after.split_at(after.len().min(usize::from(*length)));
        drop(message_in_words(message));
        message_in_words(&server.handle(message)).expect("a reply");
        rest = next;
    }
});
