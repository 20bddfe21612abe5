//! The elements of an array: size, byte order and Arrow type.

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
use crate::input::text::TextEncoding;

/// The type of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ArrayElement {
    /// One byte, yielded as the number 0 or 1.
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

/// The byte order of elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ByteOrder {
    Little,
    Big,
}

impl ArrayElement {
    /// Returns the size of an element in bytes.
    pub(crate) fn size(self) -> usize {
        match self {
            ArrayElement::Bool | ArrayElement::I8 | ArrayElement::U8 => 1,
            ArrayElement::I16 | ArrayElement::U16 | ArrayElement::F16 => 2,
            ArrayElement::I32 | ArrayElement::U32 | ArrayElement::F32 => 4,
            ArrayElement::I64 | ArrayElement::U64 | ArrayElement::F64 => 8,
            ArrayElement::Utf32(n) => 4 * n,
            ArrayElement::Bytes(n) => n,
        }
    }

    /// Returns kind and Arrow type of a column of these elements.
    pub(crate) fn yielded(self) -> (ColumnKind, DataType) {
        let data_type = match self {
            ArrayElement::Bool | ArrayElement::U8 => DataType::UInt8,
            ArrayElement::I8 => DataType::Int8,
            ArrayElement::I16 => DataType::Int16,
            ArrayElement::I32 => DataType::Int32,
            ArrayElement::I64 => DataType::Int64,
            ArrayElement::U16 => DataType::UInt16,
            ArrayElement::U32 => DataType::UInt32,
            ArrayElement::U64 => DataType::UInt64,
            ArrayElement::F16 | ArrayElement::F32 => DataType::Float32,
            ArrayElement::F64 => DataType::Float64,
            ArrayElement::Utf32(_) | ArrayElement::Bytes(_) => return (ColumnKind::Text, DataType::Utf8),
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
            ArrayElement::Bool => numbers::<UInt8Type, 1>(bytes, stride, |[byte]| u8::from(byte != 0)),
            ArrayElement::I8 => numbers!(Int8Type, i8),
            ArrayElement::I16 => numbers!(Int16Type, i16),
            ArrayElement::I32 => numbers!(Int32Type, i32),
            ArrayElement::I64 => numbers!(Int64Type, i64),
            ArrayElement::U8 => numbers!(UInt8Type, u8),
            ArrayElement::U16 => numbers!(UInt16Type, u16),
            ArrayElement::U32 => numbers!(UInt32Type, u32),
            ArrayElement::U64 => numbers!(UInt64Type, u64),
            ArrayElement::F16 => match order {
                ByteOrder::Little => numbers::<Float32Type, 2>(bytes, stride, |b| f16::from_le_bytes(b).to_f32()),
                ByteOrder::Big => numbers::<Float32Type, 2>(bytes, stride, |b| f16::from_be_bytes(b).to_f32()),
            },
            ArrayElement::F32 => numbers!(Float32Type, f32),
            ArrayElement::F64 => numbers!(Float64Type, f64),
            ArrayElement::Utf32(n) => texts(bytes, stride, |chunk| utf32(&chunk[..4 * n], order)),
            ArrayElement::Bytes(n) => texts(bytes, stride, |chunk| latin(&chunk[..n])),
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

/// Returns the text before the padding zeros; invalid code points become the replacement character.
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

/// Returns the text before the padding zeros.
fn latin(element: &[u8]) -> String {
    let filled = element.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    let text = TextEncoding::Utf8.decode(&element[..filled]);
    text.or_else(|| TextEncoding::Windows1252.decode(&element[..filled])).unwrap_or_default().into_owned()
}
