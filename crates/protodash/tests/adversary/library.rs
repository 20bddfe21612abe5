//! The library on a problem, in f64 or f32, with the kernel in the form that the problem asks for.

use crate::problem::{AdversaryProblem, KernelForm};
use crate::reference::Reference;
use crate::similarity::Opaque;
use ndarray::{Array2, Axis};
use protodash::bandwidth::BandwidthRule;
use protodash::{
    ExplainParams, Explanations, KMedoids, KMedoidsParams, Kernel, KernelSpec, LassoPath, Params, Precomputed, Result,
    Selection, SparseKernel, SparseMatrix, Unobserved, explain, k_medoids, p_lasso_path, select,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The data of a problem as the library takes them.
pub(crate) struct Library<'a> {
    problem: &'a AdversaryProblem,
    reference: &'a Reference,
    single: Option<(Option<Array2<f32>>, Array2<f32>)>,
    sparse: Option<SparseKernel>,
}

impl<'a> Library<'a> {
    pub(crate) fn new(problem: &'a AdversaryProblem, reference: &'a Reference) -> Self {
        let has_rows = !matches!(problem.form, KernelForm::Matrix | KernelForm::Sparse);
        let in_single = |matrix: &Array2<f64>| matrix.mapv(|value| value as f32);
        let single = (problem.is_single && has_rows)
            .then(|| (problem.target.as_ref().map(in_single), in_single(&problem.source)));
        let sparse = (problem.form == KernelForm::Sparse).then(|| sparse_kernel(problem));
        Library { problem, reference, single, sparse }
    }

    /// Parameters with the problem's number of prototypes and target weights.
    pub(crate) fn params(&self) -> Params {
        let mut params = Params::until_optimal();
        params.n_prototypes = self.problem.n_prototypes;
        params.target_weights.clone_from(&self.problem.target_weights);
        params
    }

    pub(crate) fn n_source(&self) -> usize {
        self.problem.source.nrows()
    }

    /// A number up to `largest`, reproducible from the problem and a text.
    pub(crate) fn some_number(&self, text: &str, largest: u64) -> u64 {
        let seed = text.bytes().fold(self.problem.seed, |seed, byte| seed.wrapping_mul(31).wrapping_add(byte.into()));
        ChaCha8Rng::seed_from_u64(seed).random_range(0..=largest)
    }

    /// Whether the library can average rows under the kernel.
    pub(crate) fn has_means(&self) -> bool {
        let kernel = self.problem.similarity.built_in();
        self.problem.form == KernelForm::BuiltIn && !kernel.definition().compares_codes
    }

    /// The selection from the data in f64.
    pub(crate) fn select(&self, params: &Params) -> Result<Selection> {
        let AdversaryProblem { target, source, similarity, form, .. } = self.problem;
        let target = target.as_ref().unwrap_or(source);
        match form {
            KernelForm::BuiltIn => select(target, source, &similarity.built_in(), params),
            KernelForm::Opaque => select(target, source, &Opaque(similarity.built_in()), params),
            KernelForm::Matrix => {
                let kernel = self.matrix_kernel()?;
                let (target, source) = (kernel.target_rows(), kernel.source_rows());
                match self.problem.target {
                    Some(_) => select(&target, &source, &kernel, params),
                    None => select(&source, &source, &kernel, params),
                }
            }
            KernelForm::Sparse => {
                let kernel = self.sparse.as_ref().unwrap();
                select(kernel.target_rows(), kernel.source_rows(), kernel, params)
            }
        }
    }

    /// The selection from the data in f32; `None` if they are not.
    pub(crate) fn select_in_single(&self, params: &Params) -> Option<Result<Selection>> {
        let (target, source) = self.single.as_ref()?;
        let built_in = self.problem.similarity.built_in();
        let opaque = Opaque(built_in);
        let kernel: &dyn Kernel<f32> = if self.problem.form == KernelForm::Opaque { &opaque } else { &built_in };
        Some(select(target.as_ref().unwrap_or(source), source, kernel, params))
    }

    /// The explanation of a target row, and the selection for it alone; `None` if there are no rows but kernel values.
    pub(crate) fn explain(&self, row: usize, params: &Params) -> Option<(Result<Explanations>, Result<Selection>)> {
        let AdversaryProblem { source, similarity, form, .. } = self.problem;
        let target = self.problem.target().select(Axis(0), &[row]);
        let (built_in, opaque) = (similarity.built_in(), Opaque(similarity.built_in()));
        let kernel: &dyn Kernel<f64> = match form {
            KernelForm::BuiltIn => &built_in,
            KernelForm::Opaque => &opaque,
            KernelForm::Matrix | KernelForm::Sparse => return None,
        };
        let mut settings = ExplainParams::default();
        settings.n_prototypes = self.problem.number();
        let explained = explain(&target, source, None, kernel, &settings, &mut Unobserved);
        let mut params = params.clone();
        (params.target_weights, params.n_prototypes) = (None, Some(settings.n_prototypes));
        Some((explained, select(&target, source, kernel, &params)))
    }

    /// The lasso's path.
    pub(crate) fn lasso(&self, params: &Params) -> Result<LassoPath> {
        let AdversaryProblem { target, source, similarity, .. } = self.problem;
        p_lasso_path(target.as_ref().unwrap_or(source), source, &similarity.built_in(), params, &mut Unobserved)
    }

    /// The medoids of the source.
    pub(crate) fn medoids(&self) -> Result<KMedoids> {
        let params = KMedoidsParams::new(self.problem.number());
        k_medoids(&self.problem.source, &self.problem.similarity.built_in(), &params, &mut Unobserved)
    }

    fn matrix_kernel(&self) -> Result<Precomputed<'_>> {
        let [own, across, target] = &self.reference.matrices;
        match self.problem.target {
            None => Precomputed::new(own.view()),
            Some(_) => Precomputed::across(across.view(), own.view())?.with_target(target.view()),
        }
    }
}

/// The problem's kernel of its rows without their zeros.
fn sparse_kernel(problem: &AdversaryProblem) -> SparseKernel {
    let sparse = |rows: &Array2<f64>| {
        let (mut starts, mut columns, mut values) = (vec![0], Vec::new(), Vec::new());
        for row in rows.rows() {
            let stored = row.iter().enumerate().filter(|(_, value)| **value != 0.0);
            stored.for_each(|(column, value)| {
                columns.push(column as u32);
                values.push(*value);
            });
            starts.push(values.len());
        }
        SparseMatrix::new(rows.ncols(), starts, columns, values).unwrap()
    };
    let kernel = problem.similarity.built_in();
    let spec = KernelSpec::new(kernel.definition().name).unwrap();
    let spec = match kernel.bandwidth() {
        Some(bandwidth) => spec.with_bandwidth(BandwidthRule::Fixed(bandwidth)).unwrap(),
        None => spec,
    };
    SparseKernel::new(sparse(&problem.source), problem.target.as_ref().map(sparse), &spec, 0).unwrap()
}
