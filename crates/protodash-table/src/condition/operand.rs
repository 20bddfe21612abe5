//! The operands of a condition: columns, constants and intermediate results, of one of five kinds.

use std::fmt;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type,
    UInt64Type,
};
use arrow_array::{
    Array, ArrayRef, BooleanArray, Datum, Float64Array, Int64Array, NullArray, StringArray, new_null_array,
};
use arrow_schema::DataType;

use super::problem::ConditionProblem;
use super::step::SqlLiteral;
use crate::cell::to_f64;
use crate::input::converted;

/// The kind of an operand; each is one Arrow type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OperandKind {
    /// The constant NULL, which converts to every other kind.
    Null,
    /// `Boolean`.
    Boolean,
    /// `Int64`.
    Integer,
    /// `Float64` without NaN and without negative zero, so that the total order is the order of numbers.
    Real,
    /// `Utf8`.
    Text,
}

impl OperandKind {
    pub(super) fn is_number(self) -> bool {
        matches!(self, OperandKind::Integer | OperandKind::Real)
    }
}

/// A column of the batch, a constant, or an intermediate result.
#[derive(Clone, Debug)]
pub(super) struct Operand<'a> {
    origin: OperandOrigin<'a>,
    kind: OperandKind,
    values: ArrayRef,
    is_scalar: bool,
}

/// Where an operand comes from, kept for messages.
#[derive(Clone, Copy, Debug)]
enum OperandOrigin<'a> {
    Column(&'a str),
    Literal(&'a SqlLiteral),
    Result(&'static str),
}

impl<'a> Operand<'a> {
    /// Returns the column `name`, whose values are `array`, as one of the five kinds.
    pub(super) fn column(name: &'a str, array: &ArrayRef) -> Result<Operand<'a>, ConditionProblem> {
        let (kind, values) = normalized(array).ok_or_else(|| ConditionProblem::ColumnType {
            name: name.to_owned(),
            data_type: array.data_type().to_string(),
        })?;
        Ok(Operand { origin: OperandOrigin::Column(name), kind, values, is_scalar: false })
    }

    /// Returns a constant.
    pub(super) fn literal(literal: &'a SqlLiteral) -> Operand<'a> {
        let (kind, values): (OperandKind, ArrayRef) = match literal {
            SqlLiteral::Null => (OperandKind::Null, Arc::new(NullArray::new(1))),
            SqlLiteral::Boolean(value) => (OperandKind::Boolean, Arc::new(BooleanArray::from(vec![*value]))),
            SqlLiteral::Integer(value) => (OperandKind::Integer, Arc::new(Int64Array::from(vec![*value]))),
            SqlLiteral::Real(value) => (OperandKind::Real, Arc::new(Float64Array::from(vec![value + 0.0]))),
            SqlLiteral::Text(value) => (OperandKind::Text, Arc::new(StringArray::from(vec![value.as_str()]))),
        };
        Operand { origin: OperandOrigin::Literal(literal), kind, values, is_scalar: true }
    }

    /// Returns the boolean result of `operator`.
    pub(super) fn truth(operator: &'static str, values: BooleanArray, is_scalar: bool) -> Operand<'a> {
        Operand {
            origin: OperandOrigin::Result(operator),
            kind: OperandKind::Boolean,
            values: Arc::new(values),
            is_scalar,
        }
    }

    /// Returns the integer result of `operator`.
    pub(super) fn integers(operator: &'static str, values: Int64Array, is_scalar: bool) -> Operand<'a> {
        let values = Arc::new(values);
        Operand { origin: OperandOrigin::Result(operator), kind: OperandKind::Integer, values, is_scalar }
    }

    /// Returns the real result of `operator`, with NaN as null.
    pub(super) fn reals(operator: &'static str, values: &Float64Array, is_scalar: bool) -> Operand<'a> {
        let values = Arc::new(without_nan(values));
        Operand { origin: OperandOrigin::Result(operator), kind: OperandKind::Real, values, is_scalar }
    }

    /// Returns NULL as the result of `operator`.
    pub(super) fn null(operator: &'static str) -> Operand<'a> {
        let values = Arc::new(NullArray::new(1));
        Operand { origin: OperandOrigin::Result(operator), kind: OperandKind::Null, values, is_scalar: true }
    }

    pub(super) fn kind(&self) -> OperandKind {
        self.kind
    }

    pub(super) fn is_scalar(&self) -> bool {
        self.is_scalar
    }

    /// The index of a row's value; a constant has one value for all rows.
    pub(super) fn index(&self, row: usize) -> usize {
        if self.is_scalar { 0 } else { row }
    }

    pub(super) fn values(&self) -> &dyn Array {
        self.values.as_ref()
    }

    /// Returns the name of the column, if this is a text column.
    pub(super) fn text_column(&self) -> Option<String> {
        match (self.origin, self.kind) {
            (OperandOrigin::Column(name), OperandKind::Text) => Some(name.to_owned()),
            _ => None,
        }
    }

    /// Returns the problem that `operator` needs something else.
    pub(super) fn wrong_kind(&self, operator: &'static str, wanted: &'static str) -> ConditionProblem {
        let (found, text_column) = (self.to_string(), self.text_column());
        ConditionProblem::WrongKind { operator, wanted, found, text_column }
    }

    /// Returns the operand converted to `kind`; only NULL and integers can be converted.
    pub(super) fn into_kind(self, kind: OperandKind) -> Operand<'a> {
        let values: ArrayRef = match (self.kind, kind) {
            (OperandKind::Null, _) => new_null_array(&data_type(kind), self.values.len()),
            (OperandKind::Integer, OperandKind::Real) => {
                Arc::new(self.values.as_primitive::<Int64Type>().unary::<_, Float64Type>(|value| value as f64))
            }
            _ => return self,
        };
        Operand { kind, values, ..self }
    }

    /// Returns one boolean for each of `n_rows` rows, or `self` if it is not boolean.
    pub(super) fn into_rows(self, n_rows: usize) -> Result<BooleanArray, Operand<'a>> {
        if !matches!(self.kind, OperandKind::Boolean | OperandKind::Null) {
            return Err(self);
        }
        let truth = self.into_kind(OperandKind::Boolean);
        let values = truth.values.as_boolean();
        if !truth.is_scalar {
            return Ok(values.clone());
        }
        let value = values.is_valid(0).then(|| values.value(0));
        Ok(std::iter::repeat_n(value, n_rows).collect())
    }
}

impl Datum for Operand<'_> {
    fn get(&self) -> (&dyn Array, bool) {
        (self.values.as_ref(), self.is_scalar)
    }
}

/// Shows the operand and its kind: `column "age" (numbers)`.
impl fmt::Display for Operand<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (one, many) = match self.kind {
            OperandKind::Null => ("NULL", "NULL"),
            OperandKind::Boolean => ("true/false", "true/false"),
            OperandKind::Integer | OperandKind::Real => ("a number", "numbers"),
            OperandKind::Text => ("text", "text"),
        };
        match self.origin {
            OperandOrigin::Column(name) => write!(f, "column {name:?} ({many})"),
            OperandOrigin::Literal(literal) => write!(f, "{literal} ({one})"),
            OperandOrigin::Result(operator) => write!(f, "the result of {operator} ({many})"),
        }
    }
}

fn data_type(kind: OperandKind) -> DataType {
    match kind {
        OperandKind::Null => DataType::Null,
        OperandKind::Boolean => DataType::Boolean,
        OperandKind::Integer => DataType::Int64,
        OperandKind::Real => DataType::Float64,
        OperandKind::Text => DataType::Utf8,
    }
}

/// Returns the kind of a column and its values in the Arrow type of that kind; `None` for lists, binary data and so on.
fn normalized(array: &ArrayRef) -> Option<(OperandKind, ArrayRef)> {
    use DataType::*;
    Some(match array.data_type() {
        Null => (OperandKind::Null, array.clone()),
        Boolean => (OperandKind::Boolean, array.clone()),
        Int8 => (OperandKind::Integer, integers::<Int8Type>(array)),
        Int16 => (OperandKind::Integer, integers::<Int16Type>(array)),
        Int32 => (OperandKind::Integer, integers::<Int32Type>(array)),
        Int64 => (OperandKind::Integer, array.clone()),
        UInt8 => (OperandKind::Integer, integers::<UInt8Type>(array)),
        UInt16 => (OperandKind::Integer, integers::<UInt16Type>(array)),
        UInt32 => (OperandKind::Integer, integers::<UInt32Type>(array)),
        UInt64 => match small_integers(array) {
            Some(values) => (OperandKind::Integer, values),
            None => (OperandKind::Real, Arc::new(to_f64(array))),
        },
        Float32 | Float64 => (OperandKind::Real, Arc::new(without_nan(&to_f64(array)))),
        Utf8 => (OperandKind::Text, array.clone()),
        // Dates and times are compared as ISO 8601 text, which sorts chronologically.
        other => {
            let values = converted(array).ok()?;
            return if values.data_type() == other { None } else { normalized(&values) };
        }
    })
}

fn integers<P: ArrowPrimitiveType<Native: Into<i64>>>(array: &ArrayRef) -> ArrayRef {
    Arc::new(array.as_primitive::<P>().unary::<_, Int64Type>(Into::into))
}

/// Returns unsigned integers as signed ones, if all fit.
fn small_integers(array: &ArrayRef) -> Option<ArrayRef> {
    let values = array.as_primitive::<UInt64Type>();
    values
        .iter()
        .flatten()
        .all(|value| i64::try_from(value).is_ok())
        .then(|| -> ArrayRef { Arc::new(values.unary::<_, Int64Type>(|value| value as i64)) })
}

/// Returns `values` with NaN as missing and -0 as 0.
fn without_nan(values: &Float64Array) -> Float64Array {
    values.unary_opt(|value| (!value.is_nan()).then_some(value + 0.0))
}
