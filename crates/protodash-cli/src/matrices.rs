//! The numbers of a run, whatever their type, and the one place where a job is run on them.

use ndarray::Array2;
use protodash::{Error, Form, Kernel, Precomputed, Scalar};
use protodash_table::Matrix;

use crate::kernel::{Formula, Recipe};

/// Rows of numbers with the kernel that compares them, or kernel matrices in their place.
pub(crate) enum Matrices {
    /// Rows in single precision.
    F32 { source: Array2<f32>, target: Option<Array2<f32>>, kernel: Formula },
    /// Rows in double precision.
    F64 { source: Array2<f64>, target: Option<Array2<f64>>, kernel: Formula },
    /// The kernel of the source with itself, and of target rows with source rows.
    Kernel { gram: Array2<f64>, across: Option<Array2<f64>> },
}

/// Something to be done with target, source and kernel, whatever their types.
pub(crate) trait Job {
    /// What comes of it.
    type Output;

    /// Does it.
    fn run<T: Scalar, K: Kernel<T>>(
        self,
        target: &Array2<T>,
        source: &Array2<T>,
        kernel: &K,
    ) -> Result<Self::Output, Error>;
}

impl Matrices {
    /// Both sides in one precision, double if either needs it, with the kernel for them.
    pub(crate) fn of_rows(source: Matrix, target: Option<Matrix>, recipe: &Recipe) -> Result<Matrices, Error> {
        match (source, target) {
            (Matrix::F32(source), None) => Matrices::single(source, None, recipe),
            (Matrix::F32(source), Some(Matrix::F32(target))) => Matrices::single(source, Some(target), recipe),
            (source, target) => {
                let (source, target) = (in_double(source), target.map(in_double));
                let kernel = recipe.prepare(target.as_ref().unwrap_or(&source), &source)?;
                Ok(Matrices::F64 { source, target, kernel })
            }
        }
    }

    fn single(source: Array2<f32>, target: Option<Array2<f32>>, recipe: &Recipe) -> Result<Matrices, Error> {
        let kernel = recipe.prepare(target.as_ref().unwrap_or(&source), &source)?;
        Ok(Matrices::F32 { source, target, kernel })
    }

    /// What `job` makes of these numbers.
    pub(crate) fn run<J: Job>(&self, job: J) -> Result<J::Output, Error> {
        match self {
            Matrices::F32 { source, target, kernel } => job.run(target.as_ref().unwrap_or(source), source, kernel),
            Matrices::F64 { source, target, kernel } => job.run(target.as_ref().unwrap_or(source), source, kernel),
            Matrices::Kernel { gram, across } => {
                let kernel = match across {
                    None => Precomputed::new(gram.view())?,
                    Some(across) => Precomputed::across(across.view(), gram.view())?,
                };
                job.run(&kernel.target_rows(), &kernel.source_rows(), &kernel)
            }
        }
    }

    /// The kernel, if it has a formula.
    pub(crate) fn kernel(&self) -> Option<Formula> {
        match self {
            Matrices::F32 { kernel, .. } | Matrices::F64 { kernel, .. } => Some(*kernel),
            Matrices::Kernel { .. } => None,
        }
    }

    /// Compares the rows by another kernel from now on; kernel matrices stay as they are.
    pub(crate) fn set_kernel(&mut self, other: Formula) {
        match self {
            Matrices::F32 { kernel, .. } | Matrices::F64 { kernel, .. } => *kernel = other,
            Matrices::Kernel { .. } => {}
        }
    }

    /// The formula of the kernel; none for kernel matrices.
    pub(crate) fn form(&self) -> Option<Form> {
        match self {
            Matrices::F32 { kernel, .. } | Matrices::F64 { kernel, .. } => Some(kernel.form()),
            Matrices::Kernel { .. } => None,
        }
    }

    /// Bytes that the numbers take.
    pub(crate) fn bytes(&self) -> u64 {
        let bytes = match self {
            Matrices::F32 { source, target, .. } => 4 * (source.len() + target.as_ref().map_or(0, |rows| rows.len())),
            Matrices::F64 { source, target, .. } => 8 * (source.len() + target.as_ref().map_or(0, |rows| rows.len())),
            Matrices::Kernel { gram, across } => 8 * (gram.len() + across.as_ref().map_or(0, |rows| rows.len())),
        };
        bytes as u64
    }

    /// Columns of the rows, or of the kernel matrix.
    pub(crate) fn n_features(&self) -> usize {
        match self {
            Matrices::F32 { source, .. } => source.ncols(),
            Matrices::F64 { source, .. } => source.ncols(),
            Matrices::Kernel { gram, .. } => gram.ncols(),
        }
    }
}

fn in_double(matrix: Matrix) -> Array2<f64> {
    match matrix {
        Matrix::F32(matrix) => matrix.mapv(f64::from),
        Matrix::F64(matrix) => matrix,
    }
}
