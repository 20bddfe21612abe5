//! Sparse rows: read as they are, with ids, labels and weights from the other columns of their file.

use super::Part;
use super::companions::Companions;
use super::matrix::{Encoded, Matrix};
use super::plan::{SideColumns, sides_without_features};
use super::problem::EncodeProblem;
use super::roles::{Roles, Scaling};
use super::selected::{RowProgress, SelectedRows, for_each_selected};
use crate::Result;
use crate::advice::Setting;
use crate::input::{CsrRows, Format, Input, LABEL, SparseReader};

/// Returns the sparse rows of source and target, with the same columns.
pub(super) fn encode_sparse(
    source: Part<'_>,
    target: Option<Part<'_>>,
    roles: &Roles,
    progress: &mut RowProgress<'_>,
) -> Result<(Encoded, Option<Encoded>)> {
    check_settings(source.input, roles)?;
    let readers = [Some(source), target].map(|part| part.map(|part| (part, part.input.sparse())));
    let [Some((_, Some(of_source))), of_target] = readers else { return Err(mixed(source, target).into()) };
    let of_target = match of_target {
        Some((part, Some(reader))) if format(part) == format(source) => Some((part, reader)),
        None => None,
        Some(_) => return Err(mixed(source, target).into()),
    };
    let roles = &with_label(roles, source.input);
    let (source_side, target_side) = sides_without_features(source, target, roles)?;
    let width = of_target.map_or(of_source.width(), |(_, reader)| of_source.width().with(reader.width()));
    let (first, n_columns) = width.first_and_count();
    if n_columns == 0 {
        return Err(EncodeProblem::NoValues { path: source.input.path().to_owned() }.into());
    }
    let mut filler = SparseFiller { columns: (first, n_columns), roles, used: 0, progress };
    let encoded = filler.fill(source, of_source, &source_side)?;
    let other = match of_target.zip(target_side.as_ref()) {
        Some(((part, reader), side)) => Some(filler.fill(part, reader, side)?),
        None => None,
    };
    Ok((encoded, other))
}

fn format(part: Part<'_>) -> Format {
    part.input.format()
}

/// Returns the problem that only one of the files is sparse, or that they count columns differently.
fn mixed(source: Part<'_>, target: Option<Part<'_>>) -> EncodeProblem {
    let other = target.map_or(source.input, |target| target.input);
    EncodeProblem::OtherRows {
        path: source.input.path().to_owned(),
        format: source.input.format(),
        other: other.path().to_owned(),
        other_format: other.format(),
    }
}

/// Rejects settings for columns that are features.
fn check_settings(source: &Input, roles: &Roles) -> Result<()> {
    let scale = roles.scale.filter(|scale| *scale != Scaling::None);
    let given = [
        roles.columns.as_ref().map(|_| Setting::Columns),
        (!roles.drop.is_empty()).then(|| Setting::Drop(roles.drop.clone())),
        (!roles.categorical.is_empty()).then(|| Setting::Categorical(roles.categorical.clone())),
        scale.map(|scale| Setting::Scale(Some(scale))),
    ];
    match given.into_iter().flatten().next() {
        Some(setting) => Err(EncodeProblem::SparseSetting { path: source.path().to_owned(), setting }.into()),
        None => Ok(()),
    }
}

/// Returns the roles with the labels of the file, unless the caller chose others.
fn with_label(roles: &Roles, source: &Input) -> Roles {
    let is_free = roles.id.as_deref() != Some(LABEL)
        && roles.target_weight.as_deref() != Some(LABEL)
        && !roles.estimate.iter().any(|column| column == LABEL);
    let has_label = source.columns().iter().any(|column| column.name == LABEL);
    let label = roles.label.clone().or_else(|| (has_label && is_free).then(|| LABEL.to_owned()));
    Roles { label, ..roles.clone() }
}

/// Reads the rows of both sides.
struct SparseFiller<'a, 'p> {
    /// The number of the first column in the files, and how many there are.
    columns: (u32, usize),
    roles: &'a Roles,
    /// Bytes of the rows read so far.
    used: u64,
    progress: &'a mut RowProgress<'p>,
}

impl SparseFiller<'_, '_> {
    fn fill(&mut self, part: Part<'_>, reader: &dyn SparseReader, side: &SideColumns) -> Result<Encoded> {
        let mut companions = Companions::new(part.input, side);
        // Without a column to read, the rows as a table need not be made.
        match (part.condition, part.rows) {
            (None, rows) if side.columns().is_empty() => {
                let all = || (0..part.input.n_rows()).collect();
                companions.row_numbers = rows.map_or_else(all, <[u64]>::to_vec);
            }
            _ => for_each_selected(part, &side.columns(), self.progress, |selected: &SelectedRows| {
                companions.add(part.input, selected)
            })?,
        }
        if let Some(condition) = part.condition.filter(|_| companions.row_numbers.is_empty()) {
            let (path, n_rows) = (part.input.path().to_owned(), part.input.n_rows());
            return Err(EncodeProblem::NoRowsLeft { path, n_rows, condition: condition.to_string() }.into());
        }
        let (first, n_columns) = self.columns;
        let mut rows = CsrRows::new(first, n_columns);
        self.check_memory(part, &rows, reader.n_bytes())?;
        let mut wanted = companions.row_numbers.iter().peekable();
        reader.for_each_row(&mut |row, values| {
            if wanted.next_if(|wanted| **wanted == row).is_some() {
                rows.push(values);
                self.check_memory(part, &rows, reader.n_bytes())?;
            }
            Ok(())
        })?;
        self.used += rows.n_bytes();
        let note = if self.roles.normalize { rows.normalize() } else { None };
        let mut encoded = companions.finish(part.input, Matrix::Sparse(rows), &[])?;
        encoded.notes.extend(note);
        Ok(encoded)
    }

    /// Checks that the rows so far fit, besides what is in memory to read them.
    fn check_memory(&self, part: Part<'_>, rows: &CsrRows, to_read: u64) -> Result<()> {
        let bytes = self.used.saturating_add(rows.n_bytes()).saturating_add(to_read);
        let memory = self.roles.memory;
        if bytes <= memory {
            return Ok(());
        }
        let (path, n_rows) = (part.input.path().to_owned(), rows.n_rows() as u64);
        Err(EncodeProblem::SparseTooLarge { path, n_rows, bytes, memory }.into())
    }
}
