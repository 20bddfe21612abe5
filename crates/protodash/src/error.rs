//! The crate's error type: what was given, and what is allowed.

use thiserror::Error;

use crate::cluster::ClusterError;
use crate::constraints::ConstraintError;
use crate::method_feature::MethodFeature;
use crate::per_label::ClassNumberError;
use crate::weights::LimitError;
use crate::words::{class_without_source, kernel_names, n_of, nearest_numbers, there_are};

pub use crate::kernel::matrix_problem::{MatrixProblem, MatrixRole};
pub use crate::role::Role;

/// A result whose error is this crate's [`enum@Error`].
///
/// # Examples
///
/// ```
/// let narrow: protodash::Result<protodash::Gaussian> = protodash::Gaussian::new(0.1);
/// assert!(narrow.is_ok());
/// ```
pub type Result<T> = std::result::Result<T, Error>;

/// Why a call failed.
///
/// Variants hold the numbers a caller may want to act on; the message says what was given and what is allowed.
/// Row and column numbers are 0-based, as in the matrices.
///
/// # Examples
///
/// ```
/// use ndarray::array;
/// use protodash::{Error, Gaussian, Params, select};
///
/// let rows = array![[0.0], [1.0]];
/// let error = select(&rows, &rows, &Gaussian::new(1.0)?, &Params::new(3)).unwrap_err();
/// assert_eq!(error, Error::TooManyPrototypes { requested: 3, available: 2 });
/// assert_eq!(error.to_string(), "cannot choose 3 prototypes from 2 source rows");
/// # Ok::<(), Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum Error {
    /// A matrix has no rows or no columns.
    #[error("the {role} has {} and {}; both must be at least 1", n_of(*rows, "row"), n_of(*columns, "column"))]
    Empty {
        /// Which matrix.
        role: Role,
        /// Its number of rows.
        rows: usize,
        /// Its number of columns.
        columns: usize,
    },

    /// Target and source do not have the same number of columns.
    #[error("the target has {} and the source has {available}; they must have the same number", n_of(*target, "column"))]
    DifferentColumns {
        /// Columns of the target.
        target: usize,
        /// Columns of the source.
        available: usize,
    },

    /// A value is NaN or infinite.
    #[error("the {role} has {value} in row {row}, column {column}; every value must be finite")]
    NotFinite {
        /// Which matrix.
        role: Role,
        /// 0-based row.
        row: usize,
        /// 0-based column.
        column: usize,
        /// The value found, as text, so that errors stay comparable when it is NaN.
        value: String,
    },

    /// No prototypes were requested.
    #[error("0 prototypes requested; at least 1 is needed")]
    NoPrototypes,

    /// A number of prototypes is neither an integer, nor a percentage, nor `all`.
    #[error(
        "unknown number of prototypes {given:?}; it must be a positive integer, a percentage of the source rows such as \
         5%, or all"
    )]
    UnknownNumber {
        /// What was given.
        given: String,
    },

    /// More prototypes were requested than there are source rows.
    #[error("cannot choose {} from {}", n_of(*requested, "prototype"), n_of(*available, "source row"))]
    TooManyPrototypes {
        /// The number requested.
        requested: usize,
        /// How many rows there are to choose from.
        available: usize,
    },

    /// The method cannot start from given rows or avoid some.
    #[error("{method} does not support fixed, excluded or resumed rows; use {}", MethodFeature::GivenRows.names("or"))]
    GivenRowsNotSupported {
        /// The method.
        method: &'static str,
    },

    /// Rows are fixed or excluded in a selection per class.
    #[error("rows cannot be fixed or excluded in a selection per class; remove one or the other")]
    GivenRowsPerLabel,

    /// A fixed, excluded or resumed row does not exist.
    #[error("{name} names row {row}, but the source has {}; rows are counted from 0", n_of(*n_source, "row"))]
    NoSuchRow {
        /// The parameter.
        name: &'static str,
        /// The row.
        row: usize,
        /// Number of source rows.
        n_source: usize,
    },

    /// A row is fixed twice.
    #[error("source row {row} is fixed twice; name each row once")]
    RepeatedRow {
        /// The row.
        row: usize,
    },

    /// A row is both fixed and excluded.
    #[error("source row {row} is both fixed and excluded; it can be only one of them")]
    FixedAndExcluded {
        /// The row.
        row: usize,
    },

    /// Quotas or a budget cannot be met.
    #[error(transparent)]
    Constraint(ConstraintError),

    /// Every source row is fixed or excluded.
    #[error(
        "no source row is left to choose: of {}, {n_fixed} are fixed and {n_excluded} excluded",
        n_of(*n_source, "row")
    )]
    NothingToChoose {
        /// Number of source rows.
        n_source: usize,
        /// Number of fixed rows.
        n_fixed: usize,
        /// Number of excluded rows.
        n_excluded: usize,
    },

    /// A comparison of methods was given a parameter that names rows or that methods do not share.
    #[error("a comparison of methods does not support {name}; select with one method at a time instead")]
    NotForComparison {
        /// The parameter.
        name: &'static str,
    },

    /// There are fewer target rows than folds to divide them into.
    #[error("cross-validation divides the target rows into {folds} folds, but {}", there_are(*rows, "row"))]
    FewerRowsThanFolds {
        /// The number of folds.
        folds: usize,
        /// How many target rows there are.
        rows: usize,
    },

    /// K-Medoids, Coverage, which begins with it, or K-Means was called without a number of prototypes.
    #[error("k-medoids, coverage and k-means find sets of a given size; the number of prototypes must be given")]
    NumberOfMedoidsNeeded,

    /// K-Means was called with a kernel whose rows cannot be averaged.
    #[error("k-means averages rows, which {kernel} does not allow; k-medoids works with any kernel")]
    NoClusterMeans {
        /// The kernel, in words.
        kernel: &'static str,
    },
    /// The squared distances between rows are too large for a number.
    #[error("the squared distances between source rows overflow; rescale the columns")]
    DistanceOverflow,

    /// The initial medoids are not the right number of different rows.
    #[error(
        "there are {given} initial medoids; there must be {requested} different ones, each a row number below {rows}"
    )]
    BadInitialMedoids {
        /// How many were given.
        given: usize,
        /// Number of medoids requested.
        requested: usize,
        /// How many rows there are.
        rows: usize,
    },

    /// Oversampling was requested without a number of prototypes to multiply.
    #[error("oversample is {oversample}, which multiplies n_prototypes; n_prototypes must be given with it")]
    OversampleWithoutNumber {
        /// The factor given.
        oversample: f64,
    },

    /// The limits on the weights cannot be met.
    #[error(transparent)]
    Limits(LimitError),

    /// The lasso path skips the requested number: several rows enter or leave it at once.
    #[error("no lasso penalty gives exactly {}; {}", n_of(*requested, "prototype"), nearest_numbers(*below, *above))]
    UnreachableNumber {
        /// The number requested.
        requested: usize,
        /// The next smaller number on the path.
        below: Option<usize>,
        /// The next larger one.
        above: usize,
    },

    /// A number lies outside its allowed range.
    #[error("{name} is {value}; it must be {allowed}")]
    OutOfRange {
        /// The parameter, in the vocabulary of this crate.
        name: &'static str,
        /// The value found, as text, so that errors stay comparable when it is NaN.
        value: String,
        /// The allowed range, in words.
        allowed: &'static str,
    },

    /// There is no kernel of this name.
    #[error("unknown kernel {name:?}; {}", kernel_names(*alike))]
    UnknownKernel {
        /// The name given.
        name: String,
        /// The most similar known name.
        alike: Option<&'static str>,
    },

    /// A kernel does not have a parameter of this name.
    #[error("the {kernel} kernel has no parameter {parameter}")]
    UnknownKernelParameter {
        /// Name of the kernel.
        kernel: &'static str,
        /// The parameter given.
        parameter: String,
    },

    /// A kernel cannot be built without this parameter.
    #[error("the {kernel} kernel needs a value for its {parameter}")]
    MissingKernelParameter {
        /// Name of the kernel.
        kernel: &'static str,
        /// Name of the parameter.
        parameter: &'static str,
    },

    /// Sparse rows cannot be used.
    #[error(transparent)]
    Sparse(crate::kernel::SparseError),

    /// A bandwidth was requested for a kernel matrix or a custom kernel.
    #[error("kernel matrices and custom kernels have no bandwidth")]
    NoBandwidth,

    /// A bandwidth is neither a number nor the name of a rule.
    #[error("unknown bandwidth {given:?}; it must be {allowed}")]
    UnknownBandwidth {
        /// What was given.
        given: String,
        /// What is allowed, in words.
        allowed: String,
    },

    /// A list has the wrong number of values.
    #[error("{name} has {given} values; it must have {expected}")]
    WrongLength {
        /// The list, in the vocabulary of this crate.
        name: &'static str,
        /// How many values were given.
        given: usize,
        /// How many there must be.
        expected: usize,
    },

    /// There is not one weight for each row.
    #[error("{} for {}; there must be one for each", there_are(*given, &format!("{role} weight")), n_of(*rows, &format!("{role} row")))]
    WrongNumberOfWeights {
        /// Which matrix.
        role: Role,
        /// How many weights were given.
        given: usize,
        /// How many rows there are.
        rows: usize,
    },

    /// There is not one label per row.
    #[error("{} for {}; there must be one for each", there_are(*given, "label"), n_of(*rows, &format!("{role} row")))]
    WrongNumberOfLabels {
        /// Which matrix.
        role: Role,
        /// How many labels were given.
        given: usize,
        /// How many rows there are.
        rows: usize,
    },

    /// There are more classes than prototypes.
    #[error("cannot choose {} for {classes} classes; each needs at least 1", n_of(*requested, "prototype"))]
    FewerPrototypesThanClasses {
        /// The number requested.
        requested: usize,
        /// How many classes the target has.
        classes: usize,
    },

    /// A class of the target has no source rows.
    #[error("{}", class_without_source(&label.to_string(), *n_target))]
    ClassWithoutSource {
        /// The class.
        label: usize,
        /// Its target rows.
        n_target: usize,
    },

    /// Classes cannot have the given numbers of prototypes.
    #[error(transparent)]
    ClassNumbers(ClassNumberError),

    /// A row weight is negative or not finite.
    #[error("{role} weight {row} is {value}; weights must be finite and at least 0")]
    BadWeight {
        /// Which matrix.
        role: Role,
        /// 0-based row.
        row: usize,
        /// The weight found, as text.
        value: String,
    },

    /// All row weights are zero.
    #[error("all {role} weights are 0; at least one must be positive")]
    NoWeight {
        /// Which matrix.
        role: Role,
    },

    /// All rows are equal, so the median distance is 0.
    #[error("all {rows} rows are equal, so the median distance is 0; set the bandwidth to a number")]
    NoDistance {
        /// Number of rows.
        rows: usize,
    },

    /// The bandwidth that follows from the distances between the rows is out of range.
    #[error("the distances between the rows give a bandwidth of {bandwidth}; it must be {allowed}")]
    ExtremeDistances {
        /// The bandwidth, as text.
        bandwidth: String,
        /// The allowed range, in words.
        allowed: &'static str,
    },

    /// A kernel value is NaN or infinite.
    #[error(
        "the kernel value of {role} row {row} with itself or with the target is {value}; kernel values must be finite"
    )]
    KernelNotFinite {
        /// Which matrix.
        role: Role,
        /// 0-based row.
        row: usize,
        /// The value found, as text.
        value: String,
    },

    /// A Gram matrix does not have as many rows as columns.
    #[error("the Gram matrix has {} and {}; it must be square", n_of(*rows, "row"), n_of(*columns, "column"))]
    NotSquare {
        /// Its rows.
        rows: usize,
        /// Its columns.
        columns: usize,
    },

    /// A matrix cannot be the kernel matrix that it is given as.
    #[error("{matrix} {problem}")]
    KernelMatrix {
        /// Which matrix.
        matrix: MatrixRole,
        /// What is wrong with it.
        problem: MatrixProblem,
    },

    /// The kernel of a row with itself is negative.
    #[error(
        "the kernel is not positive semi-definite: source row {row} has similarity {value:.3e} to itself; it must be at least 0"
    )]
    NegativeDiagonal {
        /// 0-based row of the source.
        row: usize,
        /// Its similarity to itself.
        value: f64,
    },

    /// Kernel values between rows prove that the kernel is not positive semi-definite.
    #[error(
        "the kernel is not positive semi-definite: source row {row} has a squared distance of {value:.3e} from the prototypes"
    )]
    NegativeSchurComplement {
        /// 0-based row of the source.
        row: usize,
        /// The negative Schur complement found.
        value: f64,
    },

    /// A target row that a parameter names does not exist.
    #[error("{name} names target row {row}, but the target has {}; rows are counted from 0", n_of(*n_target, "row"))]
    NoSuchTargetRow {
        /// The parameter.
        name: &'static str,
        /// The row.
        row: usize,
        /// Number of target rows.
        n_target: usize,
    },

    /// A selection was made from another number of source rows.
    #[error("the selection was made from {}, but there are {given}", n_of(*selected_from, "source row"))]
    OtherNumberOfRows {
        /// Number of source rows of the selection.
        selected_from: usize,
        /// Number of source rows given.
        given: usize,
    },

    /// A selection's public fields were changed so that they no longer fit together.
    #[error("the selection has {}, but {given} {what}; its fields are inconsistent",
        n_of(*prototypes, "prototype"))]
    InconsistentSelection {
        /// What does not fit.
        what: &'static str,
        /// How many of them there are.
        given: usize,
        /// Number of prototypes.
        prototypes: usize,
    },

    /// A result and a data set do not belong together.
    #[error("the selection refers to source row {source_index}, but the source has {}", n_of(*rows, "row"))]
    NotThisSource {
        /// The row that the selection refers to.
        source_index: usize,
        /// How many rows the source has.
        rows: usize,
    },

    /// Saved prototypes have a different objective on these data, so they were chosen from other data.
    #[error(
        "the prototypes have objective {found} on these data but had {saved} when they were chosen; use the data \
         that the selection was made from"
    )]
    OtherObjective {
        /// The objective that was saved.
        saved: f64,
        /// The objective on these data.
        found: f64,
    },

    /// There are too few target rows to hold any out.
    #[error("cannot hold out rows of a target with {}; at least 2 are needed", n_of(*rows, "row"))]
    TooFewRowsToHoldOut {
        /// How many target rows there are.
        rows: usize,
    },

    /// There are fewer than two tables to relate.
    #[error("cannot relate {}; at least 2 are needed", n_of(*given, "table"))]
    TooFewTables {
        /// How many were given.
        given: usize,
    },

    /// A table does not have one key per row.
    #[error("table {table} has {} for {}; there must be one for each", n_of(*given, "key"), n_of(*rows, "row"))]
    WrongNumberOfKeys {
        /// 0-based table.
        table: usize,
        /// How many keys were given.
        given: usize,
        /// How many rows the table has.
        rows: usize,
    },

    /// Two rows of a table have the same key.
    #[error("table {table} has key {key} twice; keys must be unique")]
    DuplicateKey {
        /// 0-based table.
        table: usize,
        /// The key.
        key: usize,
    },

    /// The kernel mean of a table is zero, so that no prototypes can be said to represent it.
    #[error("table {table}: {}", Error::NOTHING_TO_REPRESENT)]
    NothingToRepresent {
        /// 0-based table.
        table: usize,
    },

    /// A table shares no key with any other table.
    #[error("table {table} shares no key with any other table; at least 1 is needed")]
    NothingShared {
        /// 0-based table.
        table: usize,
    },

    /// Bytes are not a message between leader and worker.
    #[error("cannot read a message between leader and worker at byte {offset}: {problem}")]
    BadMessage {
        /// How many bytes were read before.
        offset: usize,
        /// What is wrong there.
        problem: String,
    },

    /// Leader and worker have different versions of the protocol.
    #[error(
        "the other side uses version {found} of the protocol, this side version {supported}; install the same version \
         of protodash on both"
    )]
    OtherProtocol {
        /// The version of the message.
        found: u8,
        /// The version of this library.
        supported: u8,
    },

    /// A worker did not answer the first message.
    #[error("worker {worker} sent no valid greeting: {reason}")]
    NoGreeting {
        /// Its position in the list of workers, from 0.
        worker: usize,
        /// What happened.
        reason: String,
    },

    /// A worker does not have what the leader expects.
    #[error(
        "worker {worker}, counted from 0, reports {found} as its {what}; expected: {expected}. Give all workers the same \
         data, kernel, parameters and kind of machine"
    )]
    OtherWorker {
        /// Its position in the list of workers, from 0.
        worker: usize,
        /// What differs.
        what: &'static str,
        /// What the worker has.
        found: String,
        /// What the leader expects.
        expected: String,
    },

    /// The search of this method cannot be divided between workers, or does not run on a cluster at all.
    #[error("{method} cannot run on workers; {} can", feature.names("and"))]
    MethodWithoutWorkers {
        /// The method.
        method: &'static str,
        /// What it lacks: [`MethodFeature::Workers`] or [`MethodFeature::Cluster`].
        feature: MethodFeature,
    },

    /// A selection cannot be divided between workers.
    #[error(transparent)]
    Cluster(ClusterError),

    /// A worker gave no usable reply.
    #[error("the worker of source rows {start} to {} failed: {reason}", end.saturating_sub(1))]
    WorkerFailed {
        /// The first of its source rows.
        start: usize,
        /// The row after the last.
        end: usize,
        /// What happened.
        reason: String,
    },

    /// The observer asked to stop.
    #[error("cancelled")]
    Cancelled,
}
