//! Messages as bytes, for shards in other processes.
//!
//! # Format
//!
//! A message is a header of four bytes and a body without padding:
//!
//! ```text
//! b"pd"  version  bytes of a value in a row (4 or 8)  body
//! ```
//!
//! Numbers with a fraction are their bits, lowest byte first. Counts and rows are little-endian base-128 integers of
//! minimal length. A list is its length and its items, an enum the number of its variant and its fields, a struct its
//! fields. There is one encoding of each message: whatever can be read is written as the same bytes again.
//!
//! Reading never panics and never allocates much more than the length of the message, whatever the bytes are.

mod messages;
mod reader;

#[cfg(test)]
mod tests;

pub(crate) use messages::{Greeting, ShardRequest, WorkerReply};
#[expect(unreachable_pub, reason = "in the signature of a bound of the public trait Scalar")]
pub use reader::Reader;

use crate::error::{Error, Result};
use crate::rows::Scalar;

/// Version of the protocol: leader and shards must have the same.
pub(crate) const VERSION: u8 = 2;
const MAGIC: [u8; 2] = *b"pd";

/// A value that can be sent to another process.
///
/// Public because [`Scalar`] requires it; outside of this crate the trait has no name.
pub trait Wire: Sized {
    /// Appends the value.
    fn write(&self, bytes: &mut Vec<u8>);

    /// Reads a value.
    fn read(from: &mut Reader<'_>) -> Result<Self>;

    /// Any value of the type.
    #[cfg(test)]
    fn sample(random: &mut rand_chacha::ChaCha8Rng) -> Self;
}

/// A whole message.
pub(crate) fn encode<T: Scalar>(message: &impl Wire) -> Vec<u8> {
    let mut bytes = vec![MAGIC[0], MAGIC[1], VERSION, size_of::<T>() as u8];
    message.write(&mut bytes);
    bytes
}

/// A value that is no message of a search, as bytes with the version of the protocol.
pub(crate) fn written_value(value: &impl Wire) -> Vec<u8> {
    encode::<f64>(value)
}

/// The value that [`written_value`] wrote.
pub(crate) fn read_value<V: Wire>(bytes: &[u8]) -> Result<V> {
    decode::<f64, V>(bytes)
}

/// Decodes the bytes as one message, with none left over.
pub(crate) fn decode<T: Scalar, M: Wire>(bytes: &[u8]) -> Result<M> {
    let (value_size, mut from) = header(bytes)?;
    if usize::from(value_size) != size_of::<T>() {
        return Err(from.problem(format!("values of {value_size} bytes, expected {}", size_of::<T>())));
    }
    let message = M::read(&mut from)?;
    from.finish()?;
    Ok(message)
}

/// A message in words, for logs: who sends it, what it is, and how long it is.
///
/// # Errors
///
/// [`Error::BadMessage`] or [`Error::OtherProtocol`] if the bytes are not a message between a leader and a worker.
///
/// # Examples
///
/// ```
/// use protodash::cluster::message_in_words;
///
/// assert_eq!(message_in_words(b"pd\x02\x08\x00")?, "leader: Hello (5 bytes)");
/// assert!(message_in_words(b"pd\x02\x08\xff").is_err());
/// # Ok::<(), protodash::Error>(())
/// ```
pub fn message_in_words(bytes: &[u8]) -> Result<String> {
    fn words<T: Scalar>(bytes: &[u8]) -> Result<String> {
        let message = match decode::<T, ShardRequest<T>>(bytes) {
            Ok(request) => format!("leader: {request:?}"),
            Err(error) => match decode::<T, WorkerReply<T>>(bytes) {
                Ok(reply) => format!("worker: {reply:?}"),
                Err(_) => return Err(error),
            },
        };
        Ok(format!("{message} ({} bytes)", bytes.len()))
    }
    if header(bytes)?.0 == 4 { words::<f32>(bytes) } else { words::<f64>(bytes) }
}

/// Checks the header; returns the size of a value in a row, and the reader of the body.
pub(crate) fn header(bytes: &[u8]) -> Result<(u8, Reader<'_>)> {
    let mut from = Reader::new(bytes);
    if [from.byte()?, from.byte()?] != MAGIC {
        return Err(from.problem("not a message of protodash".to_owned()));
    }
    match from.byte()? {
        VERSION => Ok((from.byte()?, from)),
        found => Err(Error::OtherProtocol { found, supported: VERSION }),
    }
}

/// Implements [`Wire`] for a struct, field by field.
macro_rules! wire_struct {
    ($name:ident $(<$scalar:ident>)? { $($field:ident),* $(,)? }) => {
        impl $(<$scalar: Scalar>)? Wire for $name $(<$scalar>)? {
            fn write(&self, bytes: &mut Vec<u8>) {
                $(self.$field.write(bytes);)*
            }

            fn read(from: &mut Reader<'_>) -> Result<Self> {
                Ok($name { $($field: Wire::read(from)?),* })
            }

            #[cfg(test)]
            fn sample(random: &mut rand_chacha::ChaCha8Rng) -> Self {
                $name { $($field: Wire::sample(random)),* }
            }
        }
    };
}

/// Implements [`Wire`] for an enum: the number of the variant, then its fields.
macro_rules! wire_enum {
    ($name:ident $(<$scalar:ident>)? {
        $($tag:literal = $variant:ident $(($($item:ident),*))? $({ $($field:ident),* })?),* $(,)?
    }) => {
        impl $(<$scalar: Scalar>)? Wire for $name $(<$scalar>)? {
            fn write(&self, bytes: &mut Vec<u8>) {
                match self {
                    $($name::$variant $(($($item),*))? $({ $($field),* })? => {
                        bytes.push($tag);
                        $($($item.write(bytes);)*)?
                        $($($field.write(bytes);)*)?
                    })*
                }
            }

            fn read(from: &mut Reader<'_>) -> Result<Self> {
                match from.byte()? {
                    $($tag => Ok($name::$variant
                        $(($({ let $item = Wire::read(from)?; $item }),*))?
                        $({ $($field: Wire::read(from)?),* })?
                    ),)*
                    tag => Err(from.problem(format!("no variant {tag} of {}", stringify!($name)))),
                }
            }

            #[cfg(test)]
            fn sample(random: &mut rand_chacha::ChaCha8Rng) -> Self {
                let tags = [$($tag),*];
                let tag: u8 = tags[rand::RngExt::random_range(random, 0..tags.len())];
                match tag {
                    $($tag => $name::$variant
                        $(($({ let $item = Wire::sample(random); $item }),*))?
                        $({ $($field: Wire::sample(random)),* })?,)*
                    tag => unreachable!("{tag} is none of the variants"),
                }
            }
        }
    };
}

use {wire_enum, wire_struct};
