//! The elements of an array: how many bytes, which order, which Arrow type.

use std::sync::Arc;

use arrow_array::builder::StringBuilder;
use arrow_array::types::{
    ArrowPrimitiveType, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type,
    UInt32Type, UInt64Type,
};
use arrow_array::{ArrayRef, PrimitiveArray};
use arrow_schema::DataType;
use half::f16;

use crate::input::ColumnKind;
use crate::input::text::Encoding;

/// What an element is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Element {
    /// One byte that is 0 or 1, yielded as that number: arrays are for arithmetic.
    Bool,
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    /// Yielded as `Float32`.
    F16,
    F32,
    F64,
    /// Text of at most that many characters of four bytes each.
    Utf32(usize),
    /// Text of at most that many bytes, UTF-8 or else Latin-1.
    Bytes(usize),
}

/// Which byte of an element comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ByteOrder {
    Little,
    Big,
}

impl Element {
    /// Returns how many bytes an element has.
    pub(crate) fn size(self) -> usize {
        match self {
            Element::Bool | Element::I8 | Element::U8 => 1,
            Element::I16 | Element::U16 | Element::F16 => 2,
            Element::I32 | Element::U32 | Element::F32 => 4,
            Element::I64 | Element::U64 | Element::F64 => 8,
            Element::Utf32(n) => 4 * n,
            Element::Bytes(n) => n,
        }
    }

    /// Returns kind and Arrow type of a column of these elements.
    pub(crate) fn yielded(self) -> (ColumnKind, DataType) {
        let data_type = match self {
            Element::Bool | Element::U8 => DataType::UInt8,
            Element::I8 => DataType::Int8,
            Element::I16 => DataType::Int16,
            Element::I32 => DataType::Int32,
            Element::I64 => DataType::Int64,
            Element::U16 => DataType::UInt16,
            Element::U32 => DataType::UInt32,
            Element::U64 => DataType::UInt64,
            Element::F16 | Element::F32 => DataType::Float32,
            Element::F64 => DataType::Float64,
            Element::Utf32(_) | Element::Bytes(_) => return (ColumnKind::Text, DataType::Utf8),
        };
        (ColumnKind::Number, data_type)
    }

    /// Returns the column whose elements begin at every `stride`-th byte of `bytes`.
    pub(crate) fn column(self, order: ByteOrder, bytes: &[u8], stride: usize) -> ArrayRef {
        /// Reads numbers of `N` bytes.
        fn numbers<T: ArrowPrimitiveType, const N: usize>(
            bytes: &[u8],
            stride: usize,
            read: impl Fn([u8; N]) -> T::Native,
        ) -> ArrayRef {
            let elements = bytes.chunks(stride).filter_map(|chunk| chunk.first_chunk().copied());
            Arc::new(PrimitiveArray::<T>::from_iter_values(elements.map(read)))
        }
        macro_rules! numbers {
            ($arrow:ty, $native:ty) => {
                match order {
                    ByteOrder::Little => numbers::<$arrow, _>(bytes, stride, <$native>::from_le_bytes),
                    ByteOrder::Big => numbers::<$arrow, _>(bytes, stride, <$native>::from_be_bytes),
                }
            };
        }
        match self {
            Element::Bool => numbers::<UInt8Type, 1>(bytes, stride, |[byte]| u8::from(byte != 0)),
            Element::I8 => numbers!(Int8Type, i8),
            Element::I16 => numbers!(Int16Type, i16),
            Element::I32 => numbers!(Int32Type, i32),
            Element::I64 => numbers!(Int64Type, i64),
            Element::U8 => numbers!(UInt8Type, u8),
            Element::U16 => numbers!(UInt16Type, u16),
            Element::U32 => numbers!(UInt32Type, u32),
            Element::U64 => numbers!(UInt64Type, u64),
            Element::F16 => match order {
                ByteOrder::Little => numbers::<Float32Type, 2>(bytes, stride, |b| f16::from_le_bytes(b).to_f32()),
                ByteOrder::Big => numbers::<Float32Type, 2>(bytes, stride, |b| f16::from_be_bytes(b).to_f32()),
            },
            Element::F32 => numbers!(Float32Type, f32),
            Element::F64 => numbers!(Float64Type, f64),
            Element::Utf32(n) => texts(bytes, stride, |chunk| utf32(&chunk[..4 * n], order)),
            Element::Bytes(n) => texts(bytes, stride, |chunk| latin(&chunk[..n])),
        }
    }
}

/// Returns a column of text; empty text is missing, as it is in every other format.
fn texts(bytes: &[u8], stride: usize, read: impl Fn(&[u8]) -> String) -> ArrayRef {
    let mut builder = StringBuilder::new();
    for chunk in bytes.chunks(stride) {
        builder.append_option(Some(read(chunk)).filter(|text| !text.is_empty()));
    }
    Arc::new(builder.finish())
}

/// Returns the text before the zeros that fill an element; what is no character becomes the replacement character.
fn utf32(element: &[u8], order: ByteOrder) -> String {
    let (units, _) = element.as_chunks::<4>();
    let codes = units.iter().map(|unit| match order {
        ByteOrder::Little => u32::from_le_bytes(*unit),
        ByteOrder::Big => u32::from_be_bytes(*unit),
    });
    codes
        .take_while(|code| *code != 0)
        .map(|code| char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER))
        .collect()
}

/// Returns the text before the zeros that fill an element.
fn latin(element: &[u8]) -> String {
    let filled = element.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    let text = Encoding::Utf8.decode(&element[..filled]);
    text.or_else(|| Encoding::Windows1252.decode(&element[..filled])).unwrap_or_default().into_owned()
}
