//! A shard: some source rows, and what the search must know of each.
//!
//! For each row j the shard keeps the gradient gⱼ and the Schur complement sⱼ against all prototypes. Both come from
//! the row cⱼ of the partial Cholesky factor C of the source's Gram matrix, pivoted on the prototypes:
//!
//! ```text
//! gⱼ = μⱼ − cⱼᵀv,  v = Fᵀw        sⱼ = Kⱼⱼ − Σ cⱼₚ² over the pivots p
//! ```
//!
//! F being the leader's triangle (see `basis`). A new prototype adds one column to C and changes nothing in the others;
//! and as long as no weight is held at 0, v keeps its old entries too, so that a step costs one kernel column and one
//! pass over C.

use super::basis::Basis;
use crate::factor::{Factor, Rotation};
use crate::kernel::Kernel;
use crate::rows::{Rows, Scalar};

/// A slope below this part of the largest possible one is taken for 0.
const FLAT: f64 = 1e-11;

/// What candidates are ranked by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rank {
    /// The gradient: ProtoDash.
    Gradient,
    /// g²/(2s), which no gain exceeds: ProtoGreedy.
    Bound,
    /// μ − ½K, the objective of the row alone with the weight 1: the first step under Σw = 1.
    Alone,
}

/// A candidate's place in a ranking.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Ranked {
    pub(crate) source_index: usize,
    pub(crate) score: f64,
}

impl Ranked {
    /// Higher scores first; ties go to the lowest source index.
    pub(crate) fn before(&self, other: &Ranked) -> bool {
        self.score > other.score || (self.score == other.score && self.source_index < other.source_index)
    }
}

/// Everything the leader may know of a candidate.
#[derive(Debug, Clone)]
pub(crate) struct Proposal<T> {
    pub(crate) source_index: usize,
    pub(crate) row: Vec<T>,
    pub(crate) kernel_mean: f64,
    pub(crate) diagonal: f64,
    /// Kernel values with the prototypes, in their order.
    pub(crate) similarities: Vec<f64>,
}

/// How candidates would stand if the prototypes had other weights, or if one of them were gone.
#[derive(Debug, Clone, Copy)]
pub(crate) struct View<'a> {
    /// v = Fᵀw.
    pub(crate) coordinates: &'a [f64],
    /// The direction, of length 1, that the factor would lose with one prototype; sⱼ grows by (cⱼᵀu)².
    pub(crate) lost: Option<&'a [f64]>,
    /// λ, the slope that has to be exceeded.
    pub(crate) multiplier: f64,
    pub(crate) rank: Rank,
    /// How far off a Schur complement may be, as a part of the diagonal.
    pub(crate) rounding: f64,
}

/// Some consecutive rows of the source.
pub(crate) struct Shard<'a, T, K: ?Sized> {
    kernel: &'a K,
    /// Added to every kernel value; see `Candidates`.
    shift: f64,
    rows: Rows<'a, T>,
    first: usize,
    kernel_mean: &'a [f64],
    diagonal: Vec<f64>,
    /// False for prototypes, for later copies of an equal row, and for rows that the leader refused.
    candidate: Vec<bool>,
    gradient: Vec<f64>,
    schur: Vec<f64>,
    /// v as of the gradient above.
    coordinates: Vec<f64>,
    prototypes: Vec<Vec<T>>,
    is_pivot: Vec<bool>,
    /// C, a column for each prototype; `None` when it would not fit and is computed again from F.
    columns: Option<Vec<Vec<f64>>>,
    /// F, kept only for that.
    triangle: Factor,
    /// The largest |μⱼ|/√Kⱼⱼ of the whole source, at most ‖μ‖: what a slope is measured by.
    scale: f64,
}

impl<'a, T: Scalar, K: Kernel<T> + ?Sized> Shard<'a, T, K> {
    pub(crate) fn new(
        (kernel, shift): (&'a K, f64),
        rows: Rows<'a, T>,
        first: usize,
        kernel_mean: &'a [f64],
        candidate: Vec<bool>,
    ) -> Self {
        let diagonal: Vec<f64> = rows.iter().map(|row| kernel.evaluate(row, row) + shift).collect();
        Shard {
            gradient: kernel_mean.to_vec(),
            schur: diagonal.clone(),
            coordinates: Vec::new(),
            prototypes: Vec::new(),
            is_pivot: Vec::new(),
            columns: Some(Vec::new()),
            triangle: Factor::default(),
            scale: 0.0,
            kernel,
            shift,
            rows,
            first,
            kernel_mean,
            diagonal,
            candidate,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.rows.n_rows()
    }

    pub(crate) fn diagonal(&self) -> &[f64] {
        &self.diagonal
    }

    /// The largest |μⱼ|/√Kⱼⱼ of these rows.
    pub(crate) fn own_scale(&self) -> f64 {
        let slopes = self.kernel_mean.iter().zip(&self.diagonal).filter(|(_, diagonal)| **diagonal > 0.0);
        slopes.map(|(mean, diagonal)| mean.abs() / diagonal.sqrt()).fold(0.0, f64::max)
    }

    /// Sets the scale that the shards of a source have in common.
    pub(crate) fn set_scale(&mut self, scale: f64) {
        self.scale = scale;
    }

    /// Gives up the columns of C: from here on they are computed again at every step.
    pub(crate) fn drop_columns(&mut self) {
        self.columns = None;
    }

    /// Takes a row out of the candidates.
    pub(crate) fn refuse(&mut self, source_index: usize) {
        if let Some(candidate) = self.local(source_index).and_then(|row| self.candidate.get_mut(row)) {
            *candidate = false;
        }
    }

    /// Makes a row a candidate again.
    pub(crate) fn readmit(&mut self, source_index: usize) {
        if let Some(candidate) = self.local(source_index).and_then(|row| self.candidate.get_mut(row)) {
            *candidate = true;
        }
    }

    /// *Admit*: a new prototype with its row of F. One kernel column, one column of C.
    pub(crate) fn admit(&mut self, prototype: &[T], (row, is_pivot): (&[f64], bool)) {
        let (reduced, last) = (&row[..row.len() - 1], row[row.len() - 1]);
        self.prototypes.push(prototype.to_vec());
        self.is_pivot.push(is_pivot);
        self.triangle.push_row(reduced, last);
        let Some(columns) = &mut self.columns else { return };
        let mut column: Vec<f64> =
            self.rows.iter().map(|row| self.kernel.evaluate(row, prototype) + self.shift).collect();
        for (known, &entry) in columns.iter().zip(reduced).filter(|(_, entry)| **entry != 0.0) {
            column.iter_mut().zip(known).for_each(|(value, known)| *value -= entry * known);
        }
        if is_pivot {
            for (value, schur) in column.iter_mut().zip(&mut self.schur) {
                *value /= last;
                *schur -= *value * *value;
            }
        }
        columns.push(column);
    }

    /// *Expel*: a prototype leaves an independent set, with the rotations that made the leader's factor triangular.
    pub(crate) fn expel(&mut self, position: usize, rotations: &[Rotation]) {
        self.prototypes.remove(position);
        self.is_pivot.pop();
        self.triangle.remove(position);
        self.forget_weights();
        let Some(columns) = &mut self.columns else { return };
        for rotation in rotations {
            let (left, right) = columns.split_at_mut(rotation.column + 1);
            for (first, second) in left[rotation.column].iter_mut().zip(&mut right[0]) {
                (*first, *second) = rotation.apply(*first, *second);
            }
        }
        columns.pop();
        // Summed anew, so that exchanging often does not let rounding pile up.
        self.schur.copy_from_slice(&self.diagonal);
        for column in &*columns {
            self.schur.iter_mut().zip(column).for_each(|(schur, value)| *schur -= value * value);
        }
    }

    /// *Expel* from a set of which some depend on others: who is a pivot may change, so all are admitted anew.
    pub(crate) fn expel_and_rebuild(&mut self, position: usize, basis: &Basis) {
        let mut prototypes = std::mem::take(&mut self.prototypes);
        prototypes.remove(position);
        self.is_pivot.clear();
        self.triangle = Factor::default();
        self.forget_weights();
        self.schur.copy_from_slice(&self.diagonal);
        self.columns = self.columns.take().map(|_| Vec::new());
        for (place, prototype) in prototypes.iter().enumerate() {
            self.admit(prototype, basis.row(place));
        }
    }

    /// The coordinates belong to columns that are gone; the next `reweigh` starts from the kernel mean again.
    fn forget_weights(&mut self) {
        self.coordinates.clear();
        self.gradient.copy_from_slice(self.kernel_mean);
    }

    /// *Reweigh*: new weights, given by v = Fᵀw. Entries of v that did not change cost nothing.
    pub(crate) fn reweigh(&mut self, coordinates: &[f64]) {
        self.coordinates.resize(coordinates.len(), 0.0);
        match &self.columns {
            Some(columns) => add_changes(&mut self.gradient, columns, &self.coordinates, coordinates),
            None => self.recompute(coordinates),
        }
        self.coordinates.copy_from_slice(coordinates);
    }

    /// *Propose*: the best candidates, best first.
    pub(crate) fn propose(&self, view: &View<'_>, limit: usize) -> Vec<Ranked> {
        let mut best: Vec<Ranked> = Vec::with_capacity(limit.min(self.len()) + 1);
        self.for_each_candidate(view, |ranked| {
            if best.len() < limit || ranked.before(&best[best.len() - 1]) {
                let place = best.partition_point(|other| other.before(&ranked));
                best.insert(place, ranked);
                best.truncate(limit);
            }
        });
        best
    }

    /// *Propose*: all candidates with at least this score, in the order of the source.
    pub(crate) fn at_least(&self, view: &View<'_>, score: f64) -> Vec<usize> {
        let mut found = Vec::new();
        self.for_each_candidate(view, |ranked| {
            if ranked.score >= score {
                found.push(ranked.source_index);
            }
        });
        found
    }

    /// What the leader needs in order to admit this row; `None` if it is another shard's.
    pub(crate) fn describe(&self, source_index: usize) -> Option<Proposal<T>> {
        let row = self.local(source_index)?;
        let values = self.rows.row(row);
        Some(Proposal {
            source_index,
            row: values.to_vec(),
            kernel_mean: self.kernel_mean[row],
            diagonal: self.diagonal[row],
            similarities: self.prototypes.iter().map(|prototype| self.similarity(values, prototype)).collect(),
        })
    }

    /// The row whose Schur complement is farthest below what rounding explains, if there is one: proof that the kernel
    /// is not positive semi-definite.
    pub(crate) fn indefinite(&self) -> Option<(usize, f64)> {
        let rows = self.schur.iter().zip(&self.diagonal).enumerate();
        let (row, (schur, _)) = rows.min_by(|(_, a), (_, b)| (a.0 / a.1.abs()).total_cmp(&(b.0 / b.1.abs())))?;
        (*schur < -1e-6 * self.diagonal[row].abs()).then_some((self.first + row, *schur))
    }

    fn similarity(&self, x: &[T], y: &[T]) -> f64 {
        self.kernel.evaluate(x, y) + self.shift
    }

    fn local(&self, source_index: usize) -> Option<usize> {
        source_index.checked_sub(self.first).filter(|row| *row < self.rows.n_rows())
    }

    fn for_each_candidate(&self, view: &View<'_>, mut visit: impl FnMut(Ranked)) {
        let seen;
        let (gradient, schur) = if view.lost.is_none() && view.coordinates == self.coordinates {
            (&self.gradient, &self.schur)
        } else {
            seen = self.as_seen(view);
            (&seen.0, &seen.1)
        };
        for row in (0..self.len()).filter(|row| self.candidate[*row]) {
            if let Some(score) = self.score(view, row, gradient[row], schur[row]) {
                visit(Ranked { source_index: self.first + row, score });
            }
        }
    }

    /// The score of a row that could be chosen; `None` for one that would raise nothing.
    fn score(&self, view: &View<'_>, row: usize, gradient: f64, schur: f64) -> Option<f64> {
        let diagonal = self.diagonal[row];
        let slope = gradient - view.multiplier;
        let rises = diagonal > 0.0 && slope > FLAT * self.scale * diagonal.sqrt();
        match view.rank {
            Rank::Alone => Some(gradient - 0.5 * diagonal),
            Rank::Gradient | Rank::Bound if !rises => None,
            Rank::Gradient => Some(slope),
            // A row in the span of the prototypes can gain where a weight is held at 0, but the bound says nothing of it.
            Rank::Bound if schur <= view.rounding * diagonal => Some(f64::INFINITY),
            // Written as a product of quotients, which stays within range where the square does not.
            Rank::Bound => Some(0.5 * slope * (slope / (schur - view.rounding * diagonal))),
        }
    }

    /// Gradients and Schur complements under another view than the current weights'.
    fn as_seen(&self, view: &View<'_>) -> (Vec<f64>, Vec<f64>) {
        let (mut gradient, mut schur) = (self.gradient.clone(), self.schur.clone());
        match &self.columns {
            Some(columns) => {
                let mut known = self.coordinates.clone();
                known.resize(view.coordinates.len(), 0.0);
                add_changes(&mut gradient, columns, &known, view.coordinates);
                if let Some(lost) = view.lost {
                    let mut along = vec![0.0; self.len()];
                    add_changes(&mut along, columns, lost, &vec![0.0; lost.len()]);
                    schur.iter_mut().zip(&along).for_each(|(schur, along)| *schur += along * along);
                }
            }
            None => {
                for row in 0..self.len() {
                    let reduced = self.reduced(row);
                    gradient[row] = self.kernel_mean[row] - inner(&reduced, view.coordinates);
                    schur[row] = self.schur_of(row, &reduced);
                    schur[row] += view.lost.map_or(0.0, |lost| inner(&reduced, lost).powi(2));
                }
            }
        }
        (gradient, schur)
    }

    fn recompute(&mut self, coordinates: &[f64]) {
        for row in 0..self.len() {
            let reduced = self.reduced(row);
            self.gradient[row] = self.kernel_mean[row] - inner(&reduced, coordinates);
            self.schur[row] = self.schur_of(row, &reduced);
        }
    }

    fn schur_of(&self, row: usize, reduced: &[f64]) -> f64 {
        let pivots = reduced.iter().zip(&self.is_pivot).filter(|(_, is_pivot)| **is_pivot);
        self.diagonal[row] - pivots.map(|(value, _)| value * value).sum::<f64>()
    }

    /// The row cⱼ of C, from the data.
    fn reduced(&self, row: usize) -> Vec<f64> {
        let values = self.rows.row(row);
        let mut reduced: Vec<f64> = self.prototypes.iter().map(|other| self.similarity(values, other)).collect();
        self.triangle.solve_lower(&mut reduced);
        reduced
    }
}

/// Adds Σᵢ (fromᵢ − toᵢ) Cᵢ, over the entries that differ.
fn add_changes(sums: &mut [f64], columns: &[Vec<f64>], from: &[f64], to: &[f64]) {
    for ((column, from), to) in columns.iter().zip(from).zip(to) {
        let change = from - to;
        if change != 0.0 {
            sums.iter_mut().zip(column).for_each(|(sum, value)| *sum += change * value);
        }
    }
}

fn inner(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
