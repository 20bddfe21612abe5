//! Reads bytes that may be anything, and the encoding of numbers, texts and lists.

#[cfg(test)]
use rand::RngExt;
#[cfg(test)]
use rand_chacha::ChaCha8Rng;

use super::Wire;
use crate::error::{Error, Result};

/// Bytes that are not read yet.
#[derive(Debug)]
pub struct Reader<'a> {
    bytes: &'a [u8],
    position: usize,
    /// Whether a report on an admission is being read: it may not contain another.
    pub(super) in_report: bool,
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Reader { bytes, position: 0, in_report: false }
    }

    /// The next byte.
    pub(super) fn byte(&mut self) -> Result<u8> {
        Ok(self.array::<1>()?[0])
    }

    /// The next bytes.
    fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        match self.bytes.get(self.position..).and_then(|rest| rest.first_chunk()) {
            Some(found) => {
                self.position += N;
                Ok(*found)
            }
            None => Err(self.problem("the message ends too early".to_owned())),
        }
    }

    /// Number of bytes left.
    fn n_left(&self) -> usize {
        self.bytes.len() - self.position
    }

    /// The length of a list whose items take at least one byte each.
    fn length(&mut self) -> Result<usize> {
        let length = usize::read(self)?;
        match self.n_left() {
            left if length <= left => Ok(length),
            left => Err(self.problem(format!("a list of {length} items with {left} bytes left"))),
        }
    }

    /// An error unless everything has been read.
    pub(super) fn finish(&self) -> Result<()> {
        match self.n_left() {
            0 => Ok(()),
            left => Err(self.problem(format!("{left} bytes after the end of the message"))),
        }
    }

    /// An error at the current position.
    pub(super) fn problem(&self, problem: String) -> Error {
        Error::BadMessage { offset: self.position, problem }
    }
}

macro_rules! wire_float {
    ($($float:ty)*) => {$(
        impl Wire for $float {
            fn write(&self, bytes: &mut Vec<u8>) {
                bytes.extend(self.to_bits().to_le_bytes());
            }

            fn read(from: &mut Reader<'_>) -> Result<Self> {
                from.array().map(<$float>::from_le_bytes)
            }

            /// Any bits, of which zeros, infinities and NaN are a part.
            #[cfg(test)]
            fn sample(random: &mut ChaCha8Rng) -> Self {
                let special = [0.0, -0.0, 1.0, <$float>::INFINITY, <$float>::NAN, <$float>::MIN_POSITIVE / 3.0];
                match random.random_range(0..12_usize) {
                    place if place < special.len() => special[place],
                    _ => <$float>::from_bits(random.random()),
                }
            }
        }
    )*};
}

wire_float!(f32 f64);

impl Wire for u64 {
    fn write(&self, bytes: &mut Vec<u8>) {
        let mut rest = *self;
        while rest >= 0x80 {
            bytes.push(rest as u8 | 0x80);
            rest >>= 7;
        }
        bytes.push(rest as u8);
    }

    fn read(from: &mut Reader<'_>) -> Result<Self> {
        let mut value = 0;
        for shift in (0..u64::BITS).step_by(7) {
            let byte = from.byte()?;
            let bits = u64::from(byte & 0x7f);
            if bits << shift >> shift != bits {
                break;
            }
            value |= bits << shift;
            if byte < 0x80 {
                let is_minimal = bits > 0 || shift == 0;
                return if is_minimal { Ok(value) } else { Err(from.problem("a number with a leading 0".to_owned())) };
            }
        }
        Err(from.problem("a number above 2^64".to_owned()))
    }

    #[cfg(test)]
    fn sample(random: &mut ChaCha8Rng) -> Self {
        random.random::<u64>() >> random.random_range(0..64_u32)
    }
}

impl Wire for usize {
    fn write(&self, bytes: &mut Vec<u8>) {
        (*self as u64).write(bytes);
    }

    fn read(from: &mut Reader<'_>) -> Result<Self> {
        let value = u64::read(from)?;
        usize::try_from(value).map_err(|_| from.problem(format!("{value} is too large for this machine")))
    }

    #[cfg(test)]
    fn sample(random: &mut ChaCha8Rng) -> Self {
        (random.random::<u32>() >> random.random_range(0..32_u32)) as usize
    }
}

impl Wire for bool {
    fn write(&self, bytes: &mut Vec<u8>) {
        bytes.push(u8::from(*self));
    }

    fn read(from: &mut Reader<'_>) -> Result<Self> {
        match from.byte()? {
            0 => Ok(false),
            1 => Ok(true),
            found => Err(from.problem(format!("{found} where 0 or 1 is expected"))),
        }
    }

    #[cfg(test)]
    fn sample(random: &mut ChaCha8Rng) -> Self {
        random.random()
    }
}

impl Wire for String {
    fn write(&self, bytes: &mut Vec<u8>) {
        self.len().write(bytes);
        bytes.extend(self.as_bytes());
    }

    fn read(from: &mut Reader<'_>) -> Result<Self> {
        let length = from.length()?;
        let text = String::from_utf8(from.bytes[from.position..from.position + length].to_vec());
        from.position += length;
        text.map_err(|_| from.problem("a text that is not UTF-8".to_owned()))
    }

    #[cfg(test)]
    fn sample(random: &mut ChaCha8Rng) -> Self {
        (0..random.random_range(0..9_usize)).map(|_| random.random::<char>()).collect()
    }
}

impl<V: Wire> Wire for Option<V> {
    fn write(&self, bytes: &mut Vec<u8>) {
        self.is_some().write(bytes);
        self.iter().for_each(|value| value.write(bytes));
    }

    fn read(from: &mut Reader<'_>) -> Result<Self> {
        if bool::read(from)? { V::read(from).map(Some) } else { Ok(None) }
    }

    #[cfg(test)]
    fn sample(random: &mut ChaCha8Rng) -> Self {
        random.random::<bool>().then(|| V::sample(random))
    }
}

impl<V: Wire> Wire for Vec<V> {
    fn write(&self, bytes: &mut Vec<u8>) {
        self.len().write(bytes);
        self.iter().for_each(|value| value.write(bytes));
    }

    fn read(from: &mut Reader<'_>) -> Result<Self> {
        // Grows as items are read: a length that is too large must not reserve memory for items that never come.
        let n_items = from.length()?;
        let mut items = Vec::with_capacity(n_items.min(from.n_left() / size_of::<V>().max(1)));
        for _ in 0..n_items {
            items.push(V::read(from)?);
        }
        Ok(items)
    }

    #[cfg(test)]
    fn sample(random: &mut ChaCha8Rng) -> Self {
        (0..random.random_range(0..5_usize)).map(|_| V::sample(random)).collect()
    }
}

impl<A: Wire, B: Wire> Wire for (A, B) {
    fn write(&self, bytes: &mut Vec<u8>) {
        self.0.write(bytes);
        self.1.write(bytes);
    }

    fn read(from: &mut Reader<'_>) -> Result<Self> {
        Ok((A::read(from)?, B::read(from)?))
    }

    #[cfg(test)]
    fn sample(random: &mut ChaCha8Rng) -> Self {
        (A::sample(random), B::sample(random))
    }
}
