//! One layout for all parts of a table.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use arrow_schema::{DataType, Field, Schema};

use crate::input::census::{Census, CountedColumn};
use crate::input::layout::{TableLayout, TypeEvidence};
use crate::input::{ColumnKind, Format, Input, TableColumn, UnreadColumn};
use crate::{Error, Note, Result};

/// The layout of a table in parts.
pub(super) struct UnitedTable {
    pub(super) layout: TableLayout,
    /// For each part, the position in it of each column of the table.
    pub(super) positions: Vec<Vec<usize>>,
}

/// Returns the common layout of `parts`, of which there is at least one, and makes readers that infer types use its types.
pub(super) fn unite(path: &Path, parts: &mut [Input]) -> Result<UnitedTable> {
    let format = parts[0].format;
    // A key that is null throughout a part is not in its lines, nor is a label that all rows lack.
    if !may_lack_columns(format) {
        parts[1..].iter().try_for_each(|part| check_columns(&parts[0], part))?;
    }
    let n_rows = parts.iter().map(Input::n_rows).sum();
    let counted: Option<Vec<_>> = parts.iter().map(counted_columns).collect();
    let (layout, unread) = match counted {
        Some(counted) => {
            let unread = all_unread(parts);
            let columns = counted_together(parts, counted, &unread);
            (TableLayout::inferred(path, format, columns, n_rows)?, unread)
        }
        None => {
            let (fields, columns) = declared_together(parts)?;
            (TableLayout::new(path, format, fields, columns, n_rows)?, parts[0].unread().to_vec())
        }
    };
    let mut layout = layout.with_notes(notes(parts)).with_unread(path, unread)?;
    layout.lists.clone_from(&parts[0].layout.lists);
    let shape = parts[0].image_shape();
    layout.image_shape = shape.filter(|_| parts.iter().all(|part| part.image_shape() == shape));
    let positions = parts.iter_mut().map(|part| adopt(part, &layout)).collect();
    Ok(UnitedTable { layout, positions })
}

fn counted_columns(part: &Input) -> Option<&Vec<CountedColumn>> {
    match &part.layout.evidence {
        TypeEvidence::Counted(columns) => Some(columns),
        TypeEvidence::Declared { .. } => None,
    }
}

/// Checks that a part has the columns of the first, in any order.
fn check_columns(first: &Input, part: &Input) -> Result<()> {
    let (in_first, here) = (all_names(first), all_names(part));
    let without = |names: &[String], others: &[String]| -> Vec<String> {
        let others: HashSet<&String> = others.iter().collect();
        names.iter().filter(|name| !others.contains(name)).cloned().collect()
    };
    let (lacking, extra) = (without(&in_first, &here), without(&here, &in_first));
    if lacking.is_empty() && extra.is_empty() {
        return Ok(());
    }
    Err(Error::PartColumns { path: part.path.clone(), first: first.path.clone(), lacking, extra })
}

fn all_names(part: &Input) -> Vec<String> {
    let unread = part.unread().iter().map(|column| &column.name);
    part.columns().iter().map(|column| &column.name).chain(unread).cloned().collect()
}

/// Returns the columns that cannot be read in some part.
fn all_unread(parts: &[Input]) -> Vec<UnreadColumn> {
    let mut seen = HashSet::new();
    parts.iter().flat_map(Input::unread).filter(|column| seen.insert(&column.name)).cloned().collect()
}

/// Returns the columns of all parts, in the order in which they first appear, with the cells of all parts counted.
fn counted_together(parts: &[Input], counted: Vec<&Vec<CountedColumn>>, unread: &[UnreadColumn]) -> Vec<CountedColumn> {
    let mut together: Vec<CountedColumn> = Vec::new();
    let mut places: HashMap<&str, usize> = HashMap::new();
    let mut n_rows_before = 0;
    for (part, columns) in parts.iter().zip(counted) {
        for CountedColumn { name, census, holds_names } in columns {
            if unread.iter().any(|unread| unread.name == *name) {
                continue;
            }
            let place = *places.entry(name).or_insert_with(|| {
                together.push(CountedColumn {
                    name: name.clone(),
                    census: Census::default(),
                    holds_names: *holds_names,
                });
                together.len() - 1
            });
            let before = std::mem::take(&mut together[place].census);
            together[place].census = before.followed_by(census.clone(), n_rows_before);
        }
        n_rows_before += part.n_rows();
    }
    together
}

/// Returns the columns of the first part with types that can hold the values of all parts.
fn declared_together(parts: &[Input]) -> Result<(Vec<Field>, Vec<TableColumn>)> {
    let first = &parts[0];
    if let Some((part, column)) = unequally_read(parts) {
        return Err(different_types(first, part, &column));
    }
    let (mut fields, mut columns) = (Vec::new(), Vec::new());
    for column in first.columns() {
        let mut known: Option<(DataType, ColumnKind)> = None;
        for part in parts.iter().filter(|part| !is_untyped(part, &column.name)) {
            let Some((data_type, kind)) = type_of(part, &column.name) else { continue };
            known = Some(match known {
                None => (data_type, kind),
                Some((before, kind)) => {
                    let common = common_type(&before, &data_type);
                    (common.ok_or_else(|| different_types(first, part, &column.name))?, kind)
                }
            });
        }
        // Without values anywhere it is a column of missing numbers, as in a single file.
        let (data_type, kind) = known.unwrap_or((DataType::Float64, ColumnKind::Number));
        fields.push(Field::new(&column.name, data_type, true));
        columns.push(TableColumn { name: column.name.clone(), kind });
    }
    Ok((fields, columns))
}

/// Returns a column that can be read in the first part but not in a later one, or the reverse.
fn unequally_read(parts: &[Input]) -> Option<(&Input, String)> {
    let unread: HashSet<&String> = parts[0].unread().iter().map(|column| &column.name).collect();
    parts[1..].iter().find_map(|part| {
        let here: HashSet<&String> = part.unread().iter().map(|column| &column.name).collect();
        unread.symmetric_difference(&here).next().map(|name| (part, (*name).clone()))
    })
}

fn is_untyped(part: &Input, name: &str) -> bool {
    matches!(&part.layout.evidence, TypeEvidence::Declared { untyped } if untyped.iter().any(|other| other == name))
}

fn type_of(part: &Input, name: &str) -> Option<(DataType, ColumnKind)> {
    let at = part.columns().iter().position(|column| column.name == name)?;
    Some((part.schema().field(at).data_type().clone(), part.columns()[at].kind.clone()))
}

/// Returns the smallest type that can hold the values of both, if they are of one kind.
fn common_type(one: &DataType, other: &DataType) -> Option<DataType> {
    use DataType::*;
    if one == other {
        return Some(one.clone());
    }
    if !one.is_numeric() || !other.is_numeric() {
        return None;
    }
    let (bits, other_bits) = (one.primitive_width()? * 8, other.primitive_width()? * 8);
    let is_small = |data_type: &DataType| matches!(data_type, Float32 | Int8 | UInt8 | Int16 | UInt16);
    if one.is_floating() || other.is_floating() {
        return Some(if is_small(one) && is_small(other) { Float32 } else { Float64 });
    }
    let signed = |bits| match bits {
        8 => Int8,
        16 => Int16,
        32 => Int32,
        64 => Int64,
        // No integer type holds both negative numbers and all of 64 bits.
        _ => Float64,
    };
    Some(match (one.is_signed_integer(), other.is_signed_integer()) {
        (true, true) => signed(bits.max(other_bits)),
        (false, false) if bits > other_bits => one.clone(),
        (false, false) => other.clone(),
        (true, false) => signed(bits.max(2 * other_bits)),
        (false, true) => signed(other_bits.max(2 * bits)),
    })
}

fn different_types(first: &Input, part: &Input, column: &str) -> Error {
    let named = |part: &Input| {
        let unread =
            || part.unread().iter().find(|unread| unread.name == column).map(|unread| unread.data_type.clone());
        type_of(part, column).map(|(data_type, _)| data_type.to_string()).or_else(unread).unwrap_or_default()
    };
    Error::PartType {
        path: part.path.clone(),
        column: column.to_owned(),
        found: named(part),
        first: first.path.clone(),
        expected: named(first),
    }
}

/// Returns the notes on the files, each once, with the first file it is about; notes on types are omitted, since those of
/// the whole table replace them.
fn notes(parts: &[Input]) -> Vec<Note> {
    let mut seen = Vec::new();
    let mut notes = Vec::new();
    for part in parts {
        let on_types: Vec<Note> =
            counted_columns(part).into_iter().flatten().flat_map(|column| column.infer(part.format).2).collect();
        for note in part.notes().iter().filter(|note| !on_types.contains(note)) {
            if !seen.contains(note) {
                seen.push(note.clone());
                notes.push(note.clone().about(part.path()));
            }
        }
    }
    notes
}

/// Returns whether a part of this format lacks the columns that all its rows lack.
fn may_lack_columns(format: Format) -> bool {
    matches!(format, Format::JsonLines | Format::Svmlight)
}

/// Returns the positions in a part of the table's columns, after making it yield their types if it can.
fn adopt(part: &mut Input, table: &TableLayout) -> Vec<usize> {
    let field = |name: &str| table.schema.fields().iter().find(|field| field.name() == name);
    if may_lack_columns(part.format) {
        part.table.yield_types_of(&table.schema);
        return (0..table.columns.len()).collect();
    }
    let own = part.layout.schema.fields().iter().map(|own| field(own.name()).unwrap_or(own).clone());
    let schema = Arc::new(Schema::new(own.collect::<Vec<_>>()));
    part.table.yield_types_of(&schema);
    let positions: HashMap<&str, usize> = part.columns().iter().map(|column| column.name.as_str()).zip(0..).collect();
    // Every part has all columns.
    table.columns.iter().map(|column| positions[column.name.as_str()]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_types_hold_the_values_of_both() {
        use DataType::*;
        for (one, other, common) in [
            (Int8, Int8, Some(Int8)),
            (Int8, Int64, Some(Int64)),
            (UInt8, UInt32, Some(UInt32)),
            (Int8, UInt8, Some(Int16)),
            (Int64, UInt32, Some(Int64)),
            (Int32, UInt64, Some(Float64)),
            (Float32, Int16, Some(Float32)),
            (Float32, Int32, Some(Float64)),
            (Float32, Float64, Some(Float64)),
            (Float64, Int64, Some(Float64)),
            (Utf8, Int64, None),
            (Boolean, Int8, None),
        ] {
            assert_eq!(common_type(&one, &other), common, "{one} {other}");
            assert_eq!(common_type(&other, &one), common, "{other} {one}");
        }
    }
}
