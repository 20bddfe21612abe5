//! Reads files into matrices according to the flags.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use arrow_array::RecordBatch;
use ndarray::Array2;
use protodash::{Dataset, KernelSpec, Precomputed, Role, SparseKernel, SparseMatrix};
use protodash_report::{DataRecord, RowData, RowSource};
use protodash_table::{
    Categories, Condition, CsrRows, Feature, Input, Matrix, Part, ReadOptions, Roles, RowMap, encode, equal_rows,
    read_regular_file, sample_rows,
};

use crate::args;
use crate::classes::read_labels;
use crate::error::Failure;
use crate::json;
use crate::kernel_matrix::read_kernel_matrix;
use crate::progress::Progress;
use crate::settings::flag;

/// The opened files of a run.
pub(crate) struct Tables {
    /// The source file.
    pub(crate) source: Input,
    /// The target file, if it is not the source.
    pub(crate) target: Option<Input>,
    source_where: Option<Condition>,
    target_where: Option<Condition>,
    /// The number of the first fixed row of another file, which follow those of the source.
    first_fixed: Option<u64>,
    /// The rows of the source that the file of fixed rows names, if it names them all.
    fixed: Option<Vec<u64>>,
    /// For each row of the file of excluded rows, the equal rows of the source.
    excluded: Option<Vec<Vec<u64>>>,
    /// The sampled rows, if there is a sample.
    source_rows: Option<Vec<u64>>,
    target_rows: Option<Vec<u64>>,
    /// The number that the files give the first column of sparse rows.
    first_column: usize,
    /// Remarks on how the files were read.
    notes: Vec<String>,
}

impl Tables {
    /// Parses the conditions and opens the files.
    pub(crate) fn open(
        source: &Path,
        flags: &args::DataArgs,
        (has_header, memory): (bool, u64),
        progress: &mut Progress,
    ) -> Result<Tables, Failure> {
        let source_where = condition("--source-where", flags.source_where.as_deref())?;
        let target_where = condition("--target-where", flags.target_where.as_deref())?;
        let mut options = ReadOptions::default();
        options.header = has_header && !flags.no_header;
        options.delimiter = flags.delimiter.and_then(|char| u8::try_from(char).ok());
        options.id.clone_from(&flags.id);
        options.label.clone_from(&flags.label);
        options.columns = Some(flags.columns()).filter(|columns| !columns.is_empty());
        options.drop = flags.dropped();
        options.show = flags.show();
        options.pipe_limit = memory;
        let mut notes = Vec::new();
        let mut open = |path: &Path, fixed: Option<&Path>| {
            [Some(path), fixed].into_iter().flatten().try_for_each(json::refuse_result)?;
            let (input, first_fixed) = progress.waiting(&format!("opening {}", path.display()), || match fixed {
                None => Input::open(path, &options).map(|input| (input, None)),
                Some(fixed) => Input::open_with(path, fixed, &options).map(|(input, first)| (input, Some(first))),
            })?;
            notes.extend(input.notes().iter().map(|note| format!("{}: {}", path.display(), note.render(flag))));
            Ok::<_, Failure>((input, first_fixed))
        };
        // A target that is also the source is opened once.
        let other = other_target(source, flags);
        let fixed = match &flags.fixed_file {
            Some(file) => {
                json::refuse_result(file)?;
                rows_in_source(&Input::open(source, &options)?, &Input::open(file, &options)?, flags.id.as_deref())?
            }
            None => None,
        };
        // Rows that the source has already do not join it again.
        let joining = flags.fixed_file.as_deref().filter(|_| fixed.is_none());
        let (source, first_fixed) = open(source, joining)?;
        let target = other.map(|target| open(target, None)).transpose()?.map(|(target, _)| target);
        let excluded = match &flags.exclude_file {
            Some(file) => {
                let (rows, _) = open(file, None)?;
                Some(equal_rows(&source, &rows, flags.id.as_deref())?)
            }
            None => None,
        };
        notes.iter().for_each(|note| progress.note(note));
        let (source_rows, target_rows) = (None, None);
        Ok(Tables {
            source,
            target,
            source_where,
            target_where,
            first_fixed,
            fixed,
            excluded,
            source_rows,
            target_rows,
            first_column: 0,
            notes,
        })
    }

    /// Draws the samples that the flags request.
    fn draw(&mut self, flags: &args::DataArgs, seed: u64, progress: &mut Progress) -> Result<(), Failure> {
        let own: Option<Vec<u64>> = self.first_fixed.map(|first| (0..first).collect());
        let mut drawn = |role, n_rows: Option<usize>| {
            let rows = own.as_deref().filter(|_| role == Role::Source || self.target.is_none());
            let part = Part { rows, ..self.part(role) };
            let rows =
                n_rows.map(|n_rows| sample_rows(part, n_rows, seed, &mut |done, total| progress.reading(done, total)));
            rows.transpose()
        };
        // Fixed rows of another file are neither drawn nor subject to the condition.
        let all = self.first_fixed.map(|_| usize::MAX);
        let mut source_rows = drawn(Role::Source, flags.source_sample.or(all))?;
        let target_rows = drawn(Role::Target, flags.target_sample)?;
        if let (Some(first), Some(rows)) = (self.first_fixed, &mut source_rows) {
            rows.extend(first..self.source.n_rows());
            self.source_where = None;
        }
        let own_rows = self.first_fixed.filter(|_| self.target.is_none()).map(|first| (0..first).collect());
        (self.source_rows, self.target_rows) = (source_rows, target_rows.or(own_rows));
        Ok(())
    }

    /// Returns the rows of the source that the file of fixed rows names, in its order; none if they joined the source.
    pub(crate) fn fixed(&self) -> &[u64] {
        self.fixed.as_deref().unwrap_or_default()
    }

    /// Returns the rows of the source that are equal to each row of the file of excluded rows.
    pub(crate) fn excluded(&self) -> Option<&[Vec<u64>]> {
        self.excluded.as_deref()
    }

    /// Returns whether a source row is one of those that joined the source.
    pub(crate) fn is_joined(&self, table_row: u64) -> bool {
        self.first_fixed.is_some_and(|first| table_row >= first)
    }

    /// Returns the path of a side's file.
    pub(crate) fn path(&self, role: Role) -> &Path {
        self.input(role).path()
    }

    /// Returns a side's file.
    pub(crate) fn input(&self, role: Role) -> &Input {
        match (role, &self.target) {
            (Role::Target, Some(target)) => target,
            _ => &self.source,
        }
    }

    /// Returns whether the target rows differ from the source rows.
    fn has_own_target(&self) -> bool {
        self.target.is_some() || self.target_where != self.source_where || self.target_rows != self.source_rows
    }

    fn part(&self, role: Role) -> Part<'_> {
        let (condition, rows) = match role {
            Role::Source => (&self.source_where, &self.source_rows),
            Role::Target => (&self.target_where, &self.target_rows),
        };
        Part { condition: condition.as_ref(), rows: rows.as_deref(), ..Part::from(self.input(role)) }
    }
}

impl RowSource for Tables {
    fn is_one(&self) -> bool {
        self.target.is_none()
    }

    fn rows(&self, role: Role, numbers: &[u64]) -> protodash_report::Result<RecordBatch> {
        Ok(self.input(role).rows(numbers)?)
    }

    fn sparse_name(&self, column: usize) -> String {
        format!("x{}", self.first_column + column)
    }

    fn file(&self, role: Role, path: &str) -> Option<Vec<u8>> {
        let folder = self.path(role).parent().unwrap_or(Path::new(""));
        read_regular_file(&folder.join(path)).ok()
    }
}

/// The data of a run.
pub(crate) struct Data {
    /// The files.
    pub(crate) tables: Tables,
    /// The source rows.
    pub(crate) source: RowMap,
    /// The target rows, if they are not the source rows.
    pub(crate) target: Option<RowMap>,
    /// The features of the matrices; none for kernel matrices.
    pub(crate) features: Vec<Feature>,
    /// The weight of each target row.
    pub(crate) target_weights: Option<Vec<f64>>,
    /// The matrices.
    pub(crate) matrices: Dataset<'static>,
    /// Remarks on how the files were read and encoded.
    pub(crate) notes: Vec<String>,
}

impl Data {
    /// Loads the data that the flags describe in at most `memory` bytes; without a kernel, the files are kernel
    /// matrices.
    ///
    /// `seed` is the random seed of the samples.
    pub(crate) fn load(
        source: &Path,
        flags: &args::DataArgs,
        kernel: Option<&KernelSpec>,
        (memory, seed): (u64, u64),
        progress: &mut Progress,
    ) -> Result<Data, Failure> {
        check_stdin(Data::paths(source, flags))?;
        // A kernel matrix has no header.
        let mut tables = Tables::open(source, flags, (kernel.is_some(), memory), progress)?;
        tables.draw(flags, seed, progress)?;
        let loaded = match kernel {
            None => Data::from_kernel_matrices(tables, memory, progress),
            Some(kernel) => {
                let roles = roles(flags, kernel, &tables.source, memory);
                let labels = [
                    read_labels(flags.source_labels.as_deref(), &tables.source, (flags.no_header, memory), progress)?,
                    read_labels(
                        flags.target_labels.as_deref(),
                        tables.input(Role::Target),
                        (flags.no_header, memory),
                        progress,
                    )?,
                ];
                Data::from_rows(tables, &roles, (kernel, seed), progress).and_then(|data| data.with_labels(labels))
            }
        };
        progress.clear();
        // Report an interrupt as such, not as the error it caused.
        if protodash_terminal::interrupt::requested() { Err(Failure::Interrupted) } else { loaded }
    }

    fn from_rows(
        mut tables: Tables,
        roles: &Roles,
        (kernel, seed): (&KernelSpec, u64),
        progress: &mut Progress,
    ) -> Result<Data, Failure> {
        if tables.source.is_sparse() {
            // Before the rows are read, and without the hints for columns.
            SparseKernel::check(kernel.definition())
                .map_err(|error| Failure::core(tables.path(Role::Source), error))?;
        }
        let target = tables.has_own_target().then(|| tables.part(Role::Target));
        let mut reading = |done, total| progress.reading(done, total);
        let (source, target) = encode(tables.part(Role::Source), target, roles, &mut reading)?;
        progress.clear();
        let notes = source.notes.iter().chain(target.iter().flat_map(|target| &target.notes));
        let encoding: Vec<String> = notes.map(|note| note.render(flag)).collect();
        encoding.iter().for_each(|note| progress.note(note));
        let notes = [tables.notes.clone(), encoding].concat();
        let features = source.features;
        if let Matrix::Sparse(rows) = &source.matrix {
            tables.first_column = rows.first as usize;
        }
        let (target_rows, target_matrix, target_weights) = match target {
            None => (None, None, source.target_weights),
            Some(target) => (Some(target.rows), Some(target.matrix), target.target_weights),
        };
        let matrices = progress.waiting("measuring distances", || dataset(source.matrix, target_matrix, kernel, seed));
        let matrices = matrices.map_err(|error| Failure::core(tables.path(Role::Source), error))?;
        Ok(Data { tables, source: source.rows, target: target_rows, features, target_weights, matrices, notes })
    }

    /// Returns the data with labels from separate files.
    fn with_labels(self, [source, target]: [Option<Vec<String>>; 2]) -> Result<Data, Failure> {
        let attach = |rows: RowMap, labels: Option<&Vec<String>>| match labels {
            Some(labels) => rows.with_table_labels(labels),
            None => Ok(rows),
        };
        // If source and target are one file, they also share the label file.
        let target = target.as_ref().or(source.as_ref().filter(|_| self.tables.target.is_none()));
        let target_rows = self.target.map(|rows| attach(rows, target)).transpose()?;
        Ok(Data { source: attach(self.source, source.as_ref())?, target: target_rows, ..self })
    }

    fn from_kernel_matrices(tables: Tables, memory: u64, progress: &mut Progress) -> Result<Data, Failure> {
        let gram = read_kernel_matrix(&tables.source, memory, progress)?;
        let left = memory.saturating_sub(8 * gram.len() as u64);
        let across = tables.target.as_ref().map(|target| read_kernel_matrix(target, left, progress)).transpose()?;
        let rows = |matrix: &Array2<f64>| RowMap::identity(matrix.nrows());
        let (source, target) = (rows(&gram), across.as_ref().map(rows));
        let kernel = match across {
            None => Precomputed::new(gram),
            Some(across) => Precomputed::across(across, gram),
        };
        let kernel = kernel.map_err(|error| Failure::core(tables.path(role_of(&error)), error))?;
        let matrices = Dataset::Precomputed(kernel);
        let notes = tables.notes.clone();
        Ok(Data { tables, source, target, features: Vec::new(), target_weights: None, matrices, notes })
    }

    /// Returns the flags as a record in a result. Fixed rows that the source has already are named by their numbers.
    pub(crate) fn record(&self, source: &Path, flags: &args::DataArgs) -> DataRecord {
        let mut record = json::data_record(source, flags);
        record.fixed = record.fixed.filter(|_| self.tables.first_fixed.is_some());
        record
    }

    /// Returns the fixed rows of another file as rows of the matrix, which are its last.
    pub(crate) fn fixed_rows(&self) -> Vec<usize> {
        let Some(first) = self.tables.first_fixed else { return Vec::new() };
        (0..self.source.len()).filter(|row| self.source.table_row(*row) >= first).collect()
    }

    /// Returns the rows of a side; without a target, the source is the target.
    pub(crate) fn rows(&self, role: Role) -> &RowMap {
        match (role, &self.target) {
            (Role::Target, Some(target)) => target,
            _ => &self.source,
        }
    }

    /// The rows for the page and the terminal.
    pub(crate) fn row_data(&self) -> RowData<'_, 'static> {
        RowData {
            matrices: &self.matrices,
            source_rows: &self.source,
            target_rows: self.target.as_ref(),
            features: &self.features,
            codes: self.matrices.kernel().is_some_and(|kernel| kernel.definition().compares_codes),
            target_weights: self.target_weights.as_deref(),
            tables: &self.tables,
        }
    }

    /// Returns the failure for an error of the core, with rows of the files.
    pub(crate) fn failure(&self, error: protodash::Error) -> Failure {
        use protodash::Error;
        let in_file = |role, row: usize| {
            let (path, row) = self.tables.input(role).part_of(self.rows(role).table_row(row));
            (path, row as usize)
        };
        let (path, error) = match error {
            Error::KernelNotFinite { role, row, value } => {
                let (path, row) = in_file(role, row);
                (path, Error::KernelNotFinite { role, row, value })
            }
            Error::NegativeSchurComplement { row, value } => {
                let (path, row) = in_file(Role::Source, row);
                (path, Error::NegativeSchurComplement { row, value })
            }
            Error::NegativeDiagonal { row, value } => {
                let (path, row) = in_file(Role::Source, row);
                (path, Error::NegativeDiagonal { row, value })
            }
            Error::FixedAndExcluded { row } => {
                let (path, row) = in_file(Role::Source, row);
                (path, Error::FixedAndExcluded { row })
            }
            Error::RepeatedRow { row } => {
                let (path, row) = in_file(Role::Source, row);
                (path, Error::RepeatedRow { row })
            }
            other => (self.tables.path(role_of(&other)), other),
        };
        Failure::core(path, error)
    }

    /// Returns the paths of all input files; a target that is also the source is read once.
    pub(crate) fn paths<'a>(source: &'a Path, flags: &'a args::DataArgs) -> Vec<&'a Path> {
        let target = other_target(source, flags);
        let others = [&flags.source_labels, &flags.target_labels, &flags.fixed_file, &flags.exclude_file];
        target.into_iter().chain(others.into_iter().flatten().map(PathBuf::as_path)).chain([source]).collect()
    }
}

/// The rows of the source that a file names, in its order; `None` if the source lacks one of them.
///
/// A row of the file stands for the next of the equal source rows, or for all with its id.
fn rows_in_source(source: &Input, file: &Input, id: Option<&str>) -> Result<Option<Vec<u64>>, Failure> {
    // The error that columns differ comes when the file joins the source.
    let Ok(found) = equal_rows(source, file, id) else { return Ok(None) };
    let (mut rows, mut seen) = (Vec::new(), HashSet::new());
    for equal in found {
        if equal.is_empty() {
            return Ok(None);
        }
        let new = equal.into_iter().filter(|row| seen.insert(*row));
        let n_before = rows.len();
        match id {
            Some(_) => rows.extend(new),
            None => rows.extend(new.take(1)),
        }
        if id.is_none() && rows.len() == n_before {
            return Ok(None);
        }
    }
    Ok(Some(rows))
}

/// The file of the target, if it is not that of the source.
fn other_target<'a>(source: &Path, flags: &'a args::DataArgs) -> Option<&'a Path> {
    flags.target.as_deref().filter(|target| !is_same_file(source, target))
}

/// Whether two paths lead to the same file, such as `a.csv` and `./a.csv`.
fn is_same_file(one: &Path, other: &Path) -> bool {
    let found = |path: &Path| std::fs::canonicalize(path).ok();
    // A pipe, or a name that stands for many files, has no path of its own.
    one == other || found(one).zip(found(other)).is_some_and(|(one, other)| one == other)
}

/// Rejects a call that reads standard input twice, of which the second time would find nothing.
pub(crate) fn check_stdin<'a>(paths: impl IntoIterator<Item = &'a Path>) -> Result<(), Failure> {
    match paths.into_iter().filter(|path| path.as_os_str() == "-").count() {
        0 | 1 => Ok(()),
        n => {
            let message = format!("`-` was given {n} times; standard input can be read only once");
            Err(Failure::call(message, "write the data to files first"))
        }
    }
}

/// The side that an error is about.
fn role_of(error: &protodash::Error) -> Role {
    use protodash::{Error, MatrixRole};
    match error {
        Error::KernelMatrix { matrix: MatrixRole::TargetBySource | MatrixRole::Target, .. } => Role::Target,
        _ => Role::Source,
    }
}

fn condition(flag: &'static str, text: Option<&str>) -> Result<Option<Condition>, Failure> {
    let parsed = text.map(Condition::parse).transpose();
    parsed.map_err(|cause| Failure::Condition { flag, cause: Box::new(cause) })
}

fn roles(flags: &args::DataArgs, kernel: &KernelSpec, source: &Input, memory: u64) -> Roles {
    let mut roles = Roles::default();
    roles.columns = Some(flags.columns()).filter(|columns| !columns.is_empty());
    roles.drop = flags.drop();
    roles.show = flags.show();
    roles.estimate.clone_from(&flags.estimate);
    roles.id = flags.id.clone();
    roles.label = flags.label.clone();
    roles.target_weight = flags.target_weight.clone();
    roles.categorical = flags.categorical();
    roles.scale = flags.scale;
    roles.normalize = flags.normalize;
    roles.missing = flags.missing;
    roles.single_target_rows = flags.single_target_rows;
    roles.memory = memory;
    if kernel.definition().compares_codes {
        // The kernel only tests for equality, so every column is categorical, with one code per value.
        roles.categories = Categories::Codes;
        roles.scale = Some(protodash_table::Scaling::None);
        let features = flags.features_of(source);
        roles.categorical.extend(features.into_iter().filter(|name| !flags.categorical().contains(name)));
    }
    roles
}

/// Source and target with the requested kernel, in one precision (f64 if either needs it) unless they are sparse.
fn dataset(
    source: Matrix,
    target: Option<Matrix>,
    kernel: &KernelSpec,
    seed: u64,
) -> protodash::Result<Dataset<'static>> {
    match (source, target) {
        (Matrix::Sparse(source), target) => {
            let target = match target {
                Some(Matrix::Sparse(target)) => Some(sparse(target)?),
                // Both sides of sparse rows are sparse.
                _ => None,
            };
            Dataset::from_sparse(sparse(source)?, target, kernel, seed)
        }
        (Matrix::F32(source), None) => Dataset::from_f32(source, None, kernel, seed),
        (Matrix::F32(source), Some(Matrix::F32(target))) => {
            Dataset::from_f32(source, Some(target.into()), kernel, seed)
        }
        (source, target) => {
            Dataset::from_f64(in_double(source), target.map(|target| in_double(target).into()), kernel, seed)
        }
    }
}

fn sparse(rows: CsrRows) -> protodash::Result<SparseMatrix> {
    SparseMatrix::new(rows.n_columns, rows.starts, rows.columns, rows.values)
}

fn in_double(matrix: Matrix) -> Array2<f64> {
    match matrix {
        Matrix::F32(matrix) => matrix.mapv(f64::from),
        Matrix::F64(matrix) => matrix,
        Matrix::Sparse(_) => Array2::default((0, 0)),
    }
}
