//! Arrow arrays as numbers, booleans and text: the few conversions that readers need.
//!
//! `arrow-cast` converts every type to every other. It and what it depends on were a sixth of the first build, for the
//! dozen conversions below; the tests compare with it.

use std::fmt::Debug;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::temporal_conversions::{
    as_datetime, date32_to_datetime, date64_to_datetime, time32ms_to_time, time32s_to_time, time64ns_to_time,
    time64us_to_time,
};
use arrow_array::types::{
    ArrowPrimitiveType, ArrowTimestampType, Date32Type, Date64Type, Decimal32Type, Decimal64Type, Decimal128Type,
    Decimal256Type, DecimalType, DurationMicrosecondType, DurationMillisecondType, DurationNanosecondType,
    DurationSecondType, Float16Type, Float32Type, Float64Type, Int16Type, Int32Type, Int64Type, RunEndIndexType,
    Time32MillisecondType, Time32SecondType, Time64MicrosecondType, Time64NanosecondType, TimestampMicrosecondType,
    TimestampMillisecondType, TimestampNanosecondType, TimestampSecondType,
};
use arrow_array::{
    Array, ArrayRef, BinaryArray, Int64Array, PrimitiveArray, RunArray, StringArray, StructArray, UInt64Array,
    new_null_array,
};
use arrow_schema::{ArrowError, DataType, TimeUnit};
use arrow_select::take::take;
use chrono::SecondsFormat;

use super::ColumnKind;

/// Why an array cannot be converted.
#[derive(Debug)]
pub(crate) enum ConversionError {
    /// The value of this row, counted from 0 within the array, does not fit the new type.
    OutOfRange { row: usize, value: String },
    /// The array is inconsistent.
    Arrow(ArrowError),
}

/// Returns kind and type of a column of type `from` after conversion, or `None` if it is not supported.
///
/// Integers, `Float32`, `Float64`, booleans and `Utf8` are not converted. Half floats become `Float32`. Decimals become
/// `Int64` without fractional digits and `Float64` with them. Dates, times and timestamps become ISO 8601 text, in UTC
/// where they have a time zone; durations become `Int64` in their own unit. Dictionaries and runs become their values,
/// and a column of nothing but nulls becomes `Float64`.
pub(crate) fn converted_type(from: &DataType) -> Option<(ColumnKind, DataType)> {
    use DataType::*;
    Some(match from {
        Int8 | Int16 | Int32 | Int64 | UInt8 | UInt16 | UInt32 | UInt64 | Float32 | Float64 => {
            (ColumnKind::Number, from.clone())
        }
        Float16 => (ColumnKind::Number, Float32),
        Null => (ColumnKind::Number, Float64),
        Decimal32(_, scale) | Decimal64(_, scale) | Decimal128(_, scale) | Decimal256(_, scale) => {
            (ColumnKind::Number, if *scale > 0 { Float64 } else { Int64 })
        }
        Duration(_) => (ColumnKind::Number, Int64),
        Boolean => (ColumnKind::Boolean, Boolean),
        Utf8 | LargeUtf8 | Utf8View | Date32 | Date64 | Time32(_) | Time64(_) | Timestamp(_, _) => {
            (ColumnKind::Text, Utf8)
        }
        Dictionary(_, values) => return converted_type(values),
        RunEndEncoded(_, values) => return converted_type(values.data_type()),
        _ => return None,
    })
}

/// Returns whether a column of this type holds bytes, such as the files of images, which [`converted`] makes `Binary`. Hugging
/// Face's images are a path with bytes.
pub(crate) fn holds_bytes(from: &DataType) -> bool {
    match from {
        DataType::Binary | DataType::LargeBinary | DataType::BinaryView => true,
        DataType::Struct(fields) => {
            let bytes = fields.iter().find(|field| field.name() == "bytes");
            bytes.is_some_and(|field| !field.data_type().is_nested() && holds_bytes(field.data_type()))
        }
        _ => false,
    }
}

/// Returns `array` in the type of [`converted_type`]; arrays of unsupported types are returned as they are.
pub(crate) fn converted(array: &ArrayRef) -> Result<ArrayRef, ConversionError> {
    use DataType::*;
    Ok(match array.data_type() {
        Float16 => Arc::new(array.as_primitive::<Float16Type>().unary::<_, Float32Type>(|value| value.to_f32())),
        Null => new_null_array(&Float64, array.len()),
        Decimal32(..) => decimal::<Decimal32Type>(array, f64::from)?,
        Decimal64(..) => decimal::<Decimal64Type>(array, |value| value as f64)?,
        Decimal128(..) => decimal::<Decimal128Type>(array, |value| value as f64)?,
        // 76 digits always parse.
        Decimal256(..) => decimal::<Decimal256Type>(array, |value| value.to_string().parse().unwrap_or(f64::NAN))?,
        Duration(unit) => match unit {
            TimeUnit::Second => integers::<DurationSecondType>(array),
            TimeUnit::Millisecond => integers::<DurationMillisecondType>(array),
            TimeUnit::Microsecond => integers::<DurationMicrosecondType>(array),
            TimeUnit::Nanosecond => integers::<DurationNanosecondType>(array),
        },
        LargeUtf8 => Arc::new(array.as_string::<i64>().iter().collect::<StringArray>()),
        Utf8View => Arc::new(array.as_string_view().iter().collect::<StringArray>()),
        LargeBinary => Arc::new(array.as_binary::<i64>().iter().collect::<BinaryArray>()),
        BinaryView => Arc::new(array.as_binary_view().iter().collect::<BinaryArray>()),
        Struct(_) if holds_bytes(array.data_type()) => bytes_of(array.as_struct())?,
        Date32 => texts::<Date32Type>(array, |days| iso(date32_to_datetime(days)?.date()))?,
        Date64 => texts::<Date64Type>(array, |milliseconds| iso(date64_to_datetime(milliseconds)?))?,
        Time32(TimeUnit::Second) => texts::<Time32SecondType>(array, |time| iso(time32s_to_time(time)?))?,
        Time32(_) => texts::<Time32MillisecondType>(array, |time| iso(time32ms_to_time(time)?))?,
        Time64(TimeUnit::Nanosecond) => texts::<Time64NanosecondType>(array, |time| iso(time64ns_to_time(time)?))?,
        Time64(_) => texts::<Time64MicrosecondType>(array, |time| iso(time64us_to_time(time)?))?,
        Timestamp(unit, zone) => match unit {
            TimeUnit::Second => timestamps::<TimestampSecondType>(array, zone.is_some())?,
            TimeUnit::Millisecond => timestamps::<TimestampMillisecondType>(array, zone.is_some())?,
            TimeUnit::Microsecond => timestamps::<TimestampMicrosecondType>(array, zone.is_some())?,
            TimeUnit::Nanosecond => timestamps::<TimestampNanosecondType>(array, zone.is_some())?,
        },
        Dictionary(..) => {
            let dictionary = array.as_any_dictionary();
            let values = converted(dictionary.values())?;
            take(&values, dictionary.keys(), None).map_err(ConversionError::Arrow)?
        }
        RunEndEncoded(ends, _) => match ends.data_type() {
            Int16 => runs(array.as_run::<Int16Type>())?,
            Int32 => runs(array.as_run::<Int32Type>())?,
            _ => runs(array.as_run::<Int64Type>())?,
        },
        _ => array.clone(),
    })
}

/// Returns the bytes of images that are structs; a null struct has none, whatever its parts hold.
fn bytes_of(array: &StructArray) -> Result<ArrayRef, ConversionError> {
    let Some(bytes) = array.column_by_name("bytes") else { return Ok(new_null_array(&DataType::Binary, array.len())) };
    let bytes = converted(bytes)?;
    let values = bytes.as_binary::<i32>().iter().enumerate();
    Ok(Arc::new(values.map(|(row, value)| value.filter(|_| array.is_valid(row))).collect::<BinaryArray>()))
}

/// Returns decimals as `Float64` if they have fractional digits, else as `Int64`.
fn decimal<D: DecimalType>(array: &ArrayRef, as_f64: impl Fn(D::Native) -> f64) -> Result<ArrayRef, ConversionError>
where
    D::Native: ToString,
{
    let decimals = array.as_primitive::<D>();
    let scale = i32::from(decimals.scale());
    if scale > 0 {
        let divisor = 10_f64.powi(scale);
        return Ok(Arc::new(decimals.unary::<_, Float64Type>(|value| as_f64(value) / divisor)));
    }
    let digits = |value: D::Native| match value.to_string() {
        zero if zero == "0" => zero,
        digits => digits + &"0".repeat(scale.unsigned_abs() as usize),
    };
    let integers = decimals.iter().enumerate().map(|(row, value)| {
        let Some(digits) = value.map(digits) else { return Ok(None) };
        digits.parse().map(Some).map_err(|_| ConversionError::OutOfRange { row, value: digits })
    });
    Ok(Arc::new(integers.collect::<Result<Int64Array, _>>()?))
}

fn integers<P: ArrowPrimitiveType<Native = i64>>(array: &ArrayRef) -> ArrayRef {
    Arc::new(array.as_primitive::<P>().unary::<_, Int64Type>(|value| value))
}

/// Returns every value as text; `text` returns `None` for values outside the range of dates.
fn texts<P: ArrowPrimitiveType>(
    array: &ArrayRef,
    text: impl Fn(P::Native) -> Option<String>,
) -> Result<ArrayRef, ConversionError> {
    let array: &PrimitiveArray<P> = array.as_primitive();
    let texts = array.iter().enumerate().map(|(row, value)| {
        let Some(value) = value else { return Ok(None) };
        let out_of_range = || ConversionError::OutOfRange { row, value: array.data_type().to_string() };
        text(value).map(Some).ok_or_else(out_of_range)
    });
    Ok(Arc::new(texts.collect::<Result<StringArray, _>>()?))
}

/// Named zones would need a time zone database; the instant is the same in UTC.
fn timestamps<P: ArrowTimestampType>(array: &ArrayRef, has_zone: bool) -> Result<ArrayRef, ConversionError> {
    texts::<P>(array, |value| {
        let time = as_datetime::<P>(value)?;
        if has_zone { Some(time.and_utc().to_rfc3339_opts(SecondsFormat::AutoSi, true)) } else { iso(time) }
    })
}

/// `Debug` of a date or time is ISO 8601, with as many fractional digits as needed.
fn iso(time: impl Debug) -> Option<String> {
    Some(format!("{time:?}"))
}

fn runs<R: RunEndIndexType>(array: &RunArray<R>) -> Result<ArrayRef, ConversionError> {
    let values = converted(array.values())?;
    let places = (0..array.len()).map(|row| array.get_physical_index(row) as u64);
    take(&values, &UInt64Array::from_iter_values(places), None).map_err(ConversionError::Arrow)
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::LargeBinaryArray;
    use arrow_array::builder::StringDictionaryBuilder;
    use arrow_array::{
        Date32Array, Date64Array, Decimal32Array, Decimal64Array, Decimal128Array, Decimal256Array, DictionaryArray,
        DurationSecondArray, Float16Array, Int32Array, LargeStringArray, NullArray, StringViewArray,
        Time32MillisecondArray, Time32SecondArray, Time64MicrosecondArray, Time64NanosecondArray,
        TimestampMicrosecondArray, TimestampMillisecondArray, TimestampNanosecondArray, TimestampSecondArray,
    };
    use arrow_buffer::{NullBuffer, i256};
    use arrow_cast::cast;
    use arrow_schema::Field;
    use half::f16;

    #[test]
    fn images_of_hugging_face_are_their_bytes() {
        let bytes: ArrayRef = Arc::new(LargeBinaryArray::from_opt_vec(vec![Some(b"ab"), Some(b"c"), None]));
        let path: ArrayRef = Arc::new(StringArray::from(vec!["x.png", "y.png", "z.png"]));
        let fields = [("bytes", &bytes), ("path", &path)];
        let fields: Vec<Field> =
            fields.iter().map(|(name, array)| Field::new(*name, array.data_type().clone(), true)).collect();
        let known = NullBuffer::from(vec![true, false, true]);
        let images: ArrayRef = Arc::new(StructArray::new(fields.into(), vec![bytes, Arc::clone(&path)], Some(known)));
        assert!(holds_bytes(images.data_type()) && !holds_bytes(path.data_type()));
        let found = converted(&images).unwrap();
        assert_eq!(found.as_binary::<i32>(), &BinaryArray::from_opt_vec(vec![Some(b"ab"), None, None]));
    }

    fn decimals() -> Vec<ArrayRef> {
        let small = vec![Some(0), None, Some(-12_345), Some(999_999)];
        let wide = vec![Some(0), None, Some(-1_234_567_890_123_456_i128), Some(9_007_199_254_740_993)];
        let huge: Vec<Option<i256>> = wide.iter().map(|value| value.map(i256::from_i128)).collect();
        let mut arrays: Vec<ArrayRef> = Vec::new();
        for scale in [-3, 0, 1, 4] {
            let decimals32 = Decimal32Array::from(small.clone()).with_precision_and_scale(9, scale.min(3));
            let decimals64 = Decimal64Array::from(vec![Some(-123_456_789_012), None, Some(7)]);
            arrays.push(Arc::new(decimals32.unwrap()));
            arrays.push(Arc::new(decimals64.with_precision_and_scale(18, scale).unwrap()));
            arrays.push(Arc::new(Decimal128Array::from(wide.clone()).with_precision_and_scale(38, scale).unwrap()));
            arrays.push(Arc::new(Decimal256Array::from(huge.clone()).with_precision_and_scale(76, scale).unwrap()));
        }
        arrays
    }

    fn times() -> Vec<ArrayRef> {
        let instants = vec![Some(0), None, Some(-1), Some(1_700_000_000_123), Some(-62_135_596_800_000)];
        let zone = |array: TimestampMicrosecondArray| array.with_timezone("+00:00");
        vec![
            Arc::new(Date32Array::from(vec![Some(0), None, Some(19_000), Some(-719_163), Some(3_000_000)])),
            Arc::new(Date64Array::from(vec![Some(0), None, Some(86_400_000), Some(1_700_000_000_123)])),
            Arc::new(Time32SecondArray::from(vec![Some(0), None, Some(86_399)])),
            Arc::new(Time32MillisecondArray::from(vec![Some(0), None, Some(86_399_999)])),
            Arc::new(Time64MicrosecondArray::from(vec![Some(0), None, Some(86_399_999_999)])),
            Arc::new(Time64NanosecondArray::from(vec![Some(0), None, Some(86_399_999_999_999)])),
            Arc::new(TimestampSecondArray::from(vec![Some(0), None, Some(1_700_000_000), Some(-62_135_596_800)])),
            Arc::new(TimestampMillisecondArray::from(instants.clone())),
            Arc::new(zone(TimestampMicrosecondArray::from(instants.clone()))),
            Arc::new(TimestampNanosecondArray::from(instants)),
        ]
    }

    fn others() -> Vec<ArrayRef> {
        let halves = vec![Some(f16::from_f32(0.1)), None, Some(f16::MAX), Some(f16::NEG_INFINITY)];
        let texts = vec![Some("a"), None, Some(""), Some("ß")];
        vec![
            Arc::new(Float16Array::from(halves)),
            Arc::new(NullArray::new(3)),
            Arc::new(DurationSecondArray::from(vec![Some(-5), None])),
            Arc::new(LargeStringArray::from(texts.clone())),
            Arc::new(StringViewArray::from(texts)),
        ]
    }

    #[test]
    fn every_type_converts_as_arrow_casts() {
        for array in [decimals(), times(), others()].concat() {
            let (_, to) = converted_type(array.data_type()).unwrap();
            let expected = cast(&array, &to).unwrap();
            assert_eq!(&converted(&array).unwrap(), &expected, "{}", array.data_type());
        }
    }

    #[test]
    fn dictionaries_and_runs_become_their_values() {
        let mut builder = StringDictionaryBuilder::<Int32Type>::new();
        ["b", "a", "b"].into_iter().for_each(|text| builder.append_value(text));
        builder.append_null();
        let texts: ArrayRef = Arc::new(builder.finish());
        assert_eq!(
            converted(&texts).unwrap().as_string::<i32>(),
            &StringArray::from(vec![Some("b"), Some("a"), Some("b"), None])
        );
        let dates: ArrayRef = Arc::new(Date32Array::from(vec![Some(1), None]));
        let keys = Int32Array::from(vec![Some(0), Some(1), None, Some(0)]);
        let dates: ArrayRef = Arc::new(DictionaryArray::new(keys, dates));
        let expected = StringArray::from(vec![Some("1970-01-02"), None, None, Some("1970-01-02")]);
        assert_eq!(converted(&dates).unwrap().as_string::<i32>(), &expected);
        let values = Decimal128Array::from(vec![Some(15), None]).with_precision_and_scale(5, 1).unwrap();
        let runs: ArrayRef = Arc::new(RunArray::try_new(&Int32Array::from(vec![2, 3]), &values).unwrap());
        let expected = arrow_array::Float64Array::from(vec![Some(1.5), Some(1.5), None]);
        assert_eq!(converted(&runs).unwrap().as_primitive::<Float64Type>(), &expected);
        // A slice of runs begins in the middle of one.
        assert_eq!(converted(&runs.slice(1, 2)).unwrap().as_primitive::<Float64Type>(), &expected.slice(1, 2));
    }

    #[test]
    fn values_that_do_not_fit_name_their_row() {
        let wide = Decimal128Array::from(vec![Some(1), None, Some(i128::from(i64::MAX) / 10)]);
        let wide: ArrayRef = Arc::new(wide.with_precision_and_scale(38, -2).unwrap());
        let Err(ConversionError::OutOfRange { row, value }) = converted(&wide) else { panic!("fits") };
        assert_eq!((row, value.as_str()), (2, "92233720368547758000"));
        let late: ArrayRef = Arc::new(TimestampSecondArray::from(vec![0, i64::MAX]));
        assert!(matches!(converted(&late), Err(ConversionError::OutOfRange { row: 1, .. })));
    }
}
