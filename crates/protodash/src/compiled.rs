//! The large computations, compiled in this crate once for f32 and once for f64.
//!
//! A generic function is compiled again in every crate that calls it. The public functions are generic over [`Scalar`], and
//! nearly all of this crate is behind those below: without them, every program that selects prototypes would compile it
//! once more.
#![expect(private_interfaces, reason = "only this crate calls the methods; outside of it the trait has no name")]

use crate::error::Result;
use crate::kernel::Kernel;
use crate::kernel_mean::{self, ErrorBound, MeanPart, Precision, Target};
use crate::methods;
use crate::observe::{Observer, Stage};
use crate::oversample;
use crate::params::Params;
use crate::prepared::Prepared;
use crate::problem::SelectionProblem;
use crate::rows::{Rows, Scalar};
use crate::search::{ShardServer, Transport};
use crate::selection::{Path, Selection};
use crate::simd::InstructionSet;

/// A type for which this crate has compiled code. Only [`Scalar`]s are.
pub trait CompiledOnce: Sized {
    /// [`oversample::path`].
    fn path(problem: SelectionProblem<'_, Self>, observer: &mut dyn Observer) -> Result<Path>
    where
        Self: Scalar;

    /// [`kernel_mean::mean_by`].
    fn mean_by(
        target: Target<'_, Self>,
        source: Rows<'_, Self>,
        kernel: &dyn Kernel<Self>,
        arithmetic: (InstructionSet, Precision),
        watch: (Stage, &mut dyn Observer),
    ) -> Result<(Vec<f64>, ErrorBound)>
    where
        Self: Scalar;

    /// [`kernel_mean::n_mean_parts`].
    fn n_mean_parts(target: Target<'_, Self>, source: Rows<'_, Self>, kernel: &dyn Kernel<Self>) -> usize
    where
        Self: Scalar;

    /// [`kernel_mean::mean_part`].
    fn mean_part(
        target: Target<'_, Self>,
        source: Rows<'_, Self>,
        kernel: &dyn Kernel<Self>,
        part: (Precision, usize),
        watch: (Stage, &mut dyn Observer),
    ) -> Result<MeanPart>
    where
        Self: Scalar;

    /// [`kernel_mean::mean_of_parts`].
    fn mean_of_parts(
        target: Target<'_, Self>,
        source: Rows<'_, Self>,
        kernel: &dyn Kernel<Self>,
        parts: (Precision, &[MeanPart]),
        watch: (Stage, &mut dyn Observer),
    ) -> Result<(Vec<f64>, ErrorBound)>
    where
        Self: Scalar;

    /// [`kernel_mean::sums_of_all_pairs`].
    fn sums_of_all_pairs(
        target: Target<'_, Self>,
        other: Option<Rows<'_, Self>>,
        kernel: &dyn Kernel<Self>,
        arithmetic: (InstructionSet, Precision),
        watch: (Stage, &mut dyn Observer),
    ) -> Result<(Vec<f64>, ErrorBound)>
    where
        Self: Scalar;

    /// [`methods::lead`].
    fn lead(
        workers: &[&dyn Transport],
        kernel: &dyn Kernel<Self>,
        params: &Params,
        observer: &mut dyn Observer,
    ) -> Result<(u64, Path)>
    where
        Self: Scalar;

    /// [`oversample::weighed`].
    fn weighed(problem: SelectionProblem<'_, Self>, path: Path, observer: &mut dyn Observer) -> Result<Path>
    where
        Self: Scalar;

    /// [`ShardServer::reply`].
    fn handle(server: &ShardServer<'_, Self>, message: &[u8]) -> Vec<u8>
    where
        Self: Scalar;

    /// [`Prepared::race`].
    fn race(prepared: &Prepared<'_, Self>, params: &Params, observer: &mut dyn Observer) -> Result<Selection>
    where
        Self: Scalar;
}

macro_rules! compile_for {
    ($($scalar:ty)*) => {$(
        impl CompiledOnce for $scalar {
            fn path(problem: SelectionProblem<'_, $scalar>, observer: &mut dyn Observer) -> Result<Path> {
                oversample::path(problem, observer)
            }

            fn mean_by(
                target: Target<'_, $scalar>,
                source: Rows<'_, $scalar>,
                kernel: &dyn Kernel<$scalar>,
                arithmetic: (InstructionSet, Precision),
                watch: (Stage, &mut dyn Observer),
            ) -> Result<(Vec<f64>, ErrorBound)> {
                kernel_mean::mean_by(target, source, kernel, arithmetic, watch)
            }

            fn n_mean_parts(
                target: Target<'_, $scalar>,
                source: Rows<'_, $scalar>,
                kernel: &dyn Kernel<$scalar>,
            ) -> usize {
                kernel_mean::n_mean_parts(target, source, kernel)
            }

            fn mean_part(
                target: Target<'_, $scalar>,
                source: Rows<'_, $scalar>,
                kernel: &dyn Kernel<$scalar>,
                part: (Precision, usize),
                watch: (Stage, &mut dyn Observer),
            ) -> Result<MeanPart> {
                kernel_mean::mean_part(target, source, kernel, part, watch)
            }

            fn mean_of_parts(
                target: Target<'_, $scalar>,
                source: Rows<'_, $scalar>,
                kernel: &dyn Kernel<$scalar>,
                parts: (Precision, &[MeanPart]),
                watch: (Stage, &mut dyn Observer),
            ) -> Result<(Vec<f64>, ErrorBound)> {
                kernel_mean::mean_of_parts(target, source, kernel, parts, watch)
            }

            fn sums_of_all_pairs(
                target: Target<'_, $scalar>,
                other: Option<Rows<'_, $scalar>>,
                kernel: &dyn Kernel<$scalar>,
                arithmetic: (InstructionSet, Precision),
                watch: (Stage, &mut dyn Observer),
            ) -> Result<(Vec<f64>, ErrorBound)> {
                kernel_mean::sums_of_all_pairs(target, other, kernel, arithmetic, watch)
            }

            fn lead(
                workers: &[&dyn Transport],
                kernel: &dyn Kernel<$scalar>,
                params: &Params,
                observer: &mut dyn Observer,
            ) -> Result<(u64, Path)> {
                methods::lead(workers, kernel, params, observer)
            }

            fn weighed(
                problem: SelectionProblem<'_, $scalar>,
                path: Path,
                observer: &mut dyn Observer,
            ) -> Result<Path> {
                oversample::weighed(problem, path, observer)
            }

            fn handle(server: &ShardServer<'_, $scalar>, message: &[u8]) -> Vec<u8> {
                server.reply(message)
            }

            fn race(
                prepared: &Prepared<'_, $scalar>,
                params: &Params,
                observer: &mut dyn Observer,
            ) -> Result<Selection> {
                prepared.race(params, observer)
            }
        }
    )*};
}

compile_for!(f32 f64);
