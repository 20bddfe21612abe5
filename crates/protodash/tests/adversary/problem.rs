//! Random problems of the kinds that break programs: heavy tails, near-copies, distant clusters, ties, offsets, extreme
//! scales, one row far away.

use std::fmt;

use crate::similarity::Similarity;
use ndarray::{Array2, Axis};
use protodash::SparseKernel;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A problem, reproducible from its seed.
#[derive(Debug, Clone)]
pub(crate) struct AdversaryProblem {
    pub(crate) seed: u64,
    /// What the data are like.
    pub(crate) recipe: String,
    /// `None` if the source is its own target.
    pub(crate) target: Option<Array2<f64>>,
    pub(crate) source: Array2<f64>,
    pub(crate) target_weights: Option<Vec<f64>>,
    pub(crate) similarity: Similarity,
    /// Whether the library is given kernel values instead of rows.
    pub(crate) form: KernelForm,
    /// `None` for as many as help.
    pub(crate) n_prototypes: Option<usize>,
    /// Whether all values are f32.
    pub(crate) is_single: bool,
}

/// What the library is told about the kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KernelForm {
    /// Which kernel it is.
    BuiltIn,
    /// How to evaluate it.
    Opaque,
    /// Its values.
    Matrix,
    /// Which kernel it is, with rows that are stored without their zeros.
    Sparse,
}

/// Prototypes of a problem that asks for few of them, and of one whose method needs a number.
const FEW: usize = 7;

impl AdversaryProblem {
    /// The problem of a seed.
    pub(crate) fn from_seed(seed: u64) -> Self {
        let mut generator = ChaCha8Rng::seed_from_u64(seed);
        let random = &mut generator;
        let shape = Shape::of(seed);
        let (n_source, n_columns) = shape.size(random);
        let mut recipe = Vec::new();
        let mut source = shape.rows(random, n_source, n_columns, &mut recipe);
        let mut target = random.random_bool(0.5).then(|| {
            recipe.push("target:".to_owned());
            let n_target = shape.n_target(random);
            shape.rows(random, n_target, n_columns, &mut recipe)
        });
        let is_single = random.random_bool(0.4);
        let kinds = Similarity::all(1.0, 2, 1.0).len();
        let kind = random.random_range(0..kinds);
        let grows = Similarity::all(1.0, 2, 1.0)[kind].grows();
        let largest_power = if grows { 20 } else { 100 };
        let both = |matrices: (&mut Array2<f64>, &mut Option<Array2<f64>>), change: &dyn Fn(f64) -> f64| {
            matrices.0.mapv_inplace(change);
            matrices.1.iter_mut().for_each(|matrix| matrix.mapv_inplace(change));
        };
        if random.random_bool(0.25) {
            let offset = 10_f64.powi(random.random_range(1..if is_single { 4 } else { 9 }));
            recipe.push(format!("all + {offset:e}"));
            both((&mut source, &mut target), &|value| value + offset);
        }
        if random.random_bool(0.25) {
            let power = if is_single { 12.min(largest_power) } else { largest_power };
            let scale = 10_f64.powi(random.random_range(-power..=power));
            recipe.push(format!("all × {scale:e}"));
            both((&mut source, &mut target), &|value| value * scale);
        }
        if is_single {
            both((&mut source, &mut target), &|value| f64::from(value as f32));
        }
        let mut bandwidth =
            typical_distance(&source, target.as_ref()) * pick(random, &[0.02, 0.2, 0.5, 1.0, 4.0, 60.0]);
        if shape == Shape::Wide && matches!(Similarity::all(1.0, 2, 1.0)[kind], Similarity::Laplacian(_)) {
            bandwidth *= (n_columns as f64).sqrt(); // Σ|xᵢ − yᵢ| is larger than ‖x − y‖ by up to that factor
        }
        let size = source.iter().fold(0.0_f64, |size, value| size.max(value.abs())).clamp(1e-100, 1e100);
        let scale = pick(random, &[1.0, 0.3]) / if random.random_bool(0.5) { size * size } else { 1.0 };
        let similarity = Similarity::all(bandwidth, random.random_range(1..5), scale)[kind];
        let n_target = target.as_ref().map_or(n_source, Array2::nrows);
        let target_weights = random.random_bool(0.25).then(|| {
            let weight = |random: &mut ChaCha8Rng| if random.random_bool(0.3) { 0.0 } else { normal(random).exp() };
            let mut weights: Vec<f64> = (0..n_target).map(|_| weight(random)).collect();
            weights[0] += 0.1; // they must not all be 0
            weights
        });
        let mut form =
            pick(random, &[KernelForm::BuiltIn, KernelForm::BuiltIn, KernelForm::Opaque, KernelForm::Matrix]);
        let few = random.random_range(1..=n_source.min(FEW));
        let n_prototypes = match random.random_range(0..10) {
            0 if shape != Shape::Tall => None,
            1 if shape != Shape::Tall => Some(random.random_range(1..=n_source)),
            _ => Some(few),
        };
        let has_sparse_form = SparseKernel::check(similarity.built_in().definition()).is_ok();
        if form == KernelForm::Opaque && has_sparse_form && random.random_bool(0.5) {
            form = KernelForm::Sparse;
        }
        AdversaryProblem {
            seed,
            recipe: recipe.join(", "),
            target,
            source,
            target_weights,
            similarity,
            form,
            n_prototypes,
            is_single,
        }
    }

    /// The number of prototypes for methods that need one.
    pub(crate) fn number(&self) -> usize {
        self.n_prototypes.unwrap_or(FEW).min(self.source.nrows())
    }

    /// The rows to represent.
    pub(crate) fn target(&self) -> &Array2<f64> {
        self.target.as_ref().unwrap_or(&self.source)
    }

    /// Whether there are too many rows for checks that take their third power.
    pub(crate) fn is_tall(&self) -> bool {
        self.source.nrows() > 60
    }

    /// Smaller problems: without half of the columns or rows, if there are many, and each without one row or one column.
    pub(crate) fn smaller(&self) -> Vec<AdversaryProblem> {
        let mut smaller = self.halves();
        let without = |matrix: &Array2<f64>, axis: Axis, index: usize| {
            let kept: Vec<usize> = (0..matrix.len_of(axis)).filter(|other| *other != index).collect();
            matrix.select(axis, &kept)
        };
        for row in (0..self.source.nrows()).filter(|_| self.source.nrows() > 1) {
            let mut problem = self.clone();
            problem.source = without(&self.source, Axis(0), row);
            problem.n_prototypes = self.n_prototypes.map(|number| number.min(problem.source.nrows()));
            if let Some(weights) = problem.target_weights.as_mut().filter(|_| self.target.is_none()) {
                weights.remove(row);
            }
            smaller.push(problem);
        }
        if let Some(target) = self.target.as_ref().filter(|target| target.nrows() > 1) {
            for row in 0..target.nrows() {
                let mut problem = self.clone();
                problem.target = Some(without(target, Axis(0), row));
                if let Some(weights) = problem.target_weights.as_mut() {
                    weights.remove(row);
                }
                smaller.push(problem);
            }
        }
        for column in (0..self.source.ncols()).filter(|_| self.source.ncols() > 1) {
            let mut problem = self.clone();
            problem.source = without(&self.source, Axis(1), column);
            problem.target = self.target.as_ref().map(|target| without(target, Axis(1), column));
            smaller.push(problem);
        }
        let has_weight = |problem: &AdversaryProblem| {
            problem.target_weights.as_ref().is_none_or(|weights| weights.iter().sum::<f64>() > 0.0)
        };
        smaller.retain(has_weight);
        smaller
    }
}

impl AdversaryProblem {
    /// A problem with many rows or columns, without one half of them.
    fn halves(&self) -> Vec<AdversaryProblem> {
        let mut halves = Vec::new();
        let n_columns = self.source.ncols();
        for kept in [0..n_columns / 2, n_columns / 2..n_columns].into_iter().filter(|_| n_columns > 40) {
            let kept: Vec<usize> = kept.collect();
            let mut problem = self.clone();
            problem.source = self.source.select(Axis(1), &kept);
            problem.target = self.target.as_ref().map(|target| target.select(Axis(1), &kept));
            halves.push(problem);
        }
        let n_source = self.source.nrows();
        for kept in [0..n_source / 2, n_source / 2..n_source].into_iter().filter(|_| n_source > 40) {
            let kept: Vec<usize> = kept.collect();
            let mut problem = self.clone();
            problem.source = self.source.select(Axis(0), &kept);
            if let Some(weights) = problem.target_weights.as_mut().filter(|_| self.target.is_none()) {
                *weights = kept.iter().map(|row| weights[*row]).collect();
            }
            halves.push(problem);
        }
        halves
    }
}

/// How many rows and columns a problem has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// Few of both.
    Small,
    /// Up to 5,000 columns, where rounding errors of sums add up.
    Wide,
    /// Hundreds of rows: tiles, blocks and equal rows that are counted once.
    Tall,
}

impl Shape {
    /// One problem in 40 is wide and one tall, since each takes as long as dozens of small ones.
    fn of(seed: u64) -> Self {
        match seed % 40 {
            13 => Shape::Wide,
            29 => Shape::Tall,
            _ => Shape::Small,
        }
    }

    /// Number of source rows and of columns.
    fn size(self, random: &mut ChaCha8Rng) -> (usize, usize) {
        match self {
            Shape::Small => (random.random_range(1..30), pick(random, &[1, 2, 2, 3, 5, 9, 33])),
            Shape::Wide => (random.random_range(2..13), pick(random, &[256, 257, 300, 1024, 1031, 5000])),
            Shape::Tall => (random.random_range(200..600), pick(random, &[1, 2, 3, 5, 9])),
        }
    }

    fn n_target(self, random: &mut ChaCha8Rng) -> usize {
        match self {
            Shape::Small => pick(random, &[1, 2, 7, 20, 40]),
            Shape::Wide => pick(random, &[1, 3, 9]),
            Shape::Tall => pick(random, &[1, 65, 257, 500]),
        }
    }

    fn rows(self, random: &mut ChaCha8Rng, n_rows: usize, n_columns: usize, recipe: &mut Vec<String>) -> Array2<f64> {
        match self {
            Shape::Wide if random.random_bool(0.6) => constant_differences(random, n_rows, n_columns, recipe),
            Shape::Tall if random.random_bool(0.5) => {
                let mut matrix = rows(random, n_rows, n_columns, recipe);
                let n_different = pick(random, &[3, 20, 100]);
                recipe.push(format!("copies of {n_different} rows"));
                for row in n_different.min(n_rows)..n_rows {
                    let original = matrix.row(random.random_range(0..n_different)).to_owned();
                    matrix.row_mut(row).assign(&original);
                }
                matrix
            }
            _ => rows(random, n_rows, n_columns, recipe),
        }
    }
}

/// Rows that differ by the same number in every column, so that all rounding errors of a sum have the same sign.
fn constant_differences(
    random: &mut ChaCha8Rng,
    n_rows: usize,
    n_columns: usize,
    recipe: &mut Vec<String>,
) -> Array2<f64> {
    recipe.push("constant differences".to_owned());
    let offset = pick(random, &[0.0, 0.1, 1.0, 100.0]);
    let steps: Vec<f64> =
        (0..n_rows).map(|_| f64::from(random.random_range(-4..5_i32)) * 0.1 + 0.01 * normal(random)).collect();
    Array2::from_shape_fn((n_rows, n_columns), |(row, _)| offset + steps[row])
}

impl fmt::Display for AdversaryProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let precision = if self.is_single { "f32" } else { "f64" };
        writeln!(f, "seed {}: {} ({precision})", self.seed, self.recipe)?;
        writeln!(f, "{:?} as {:?}, n_prototypes {:?}", self.similarity, self.form, self.n_prototypes)?;
        write!(f, "source {:?}", self.source.rows().into_iter().map(|row| row.to_vec()).collect::<Vec<_>>())?;
        if let Some(target) = &self.target {
            write!(f, "\ntarget {:?}", target.rows().into_iter().map(|row| row.to_vec()).collect::<Vec<_>>())?;
        }
        self.target_weights.iter().try_for_each(|weights| write!(f, "\ntarget weights {weights:?}"))
    }
}

fn pick<T: Clone>(random: &mut ChaCha8Rng, choices: &[T]) -> T {
    choices[random.random_range(0..choices.len())].clone()
}

/// A normal variate, by the Box–Muller transform.
fn normal(random: &mut ChaCha8Rng) -> f64 {
    let (radius, angle) = (random.random_range(f64::MIN_POSITIVE..1.0), random.random_range(0.0..1.0));
    (-2.0 * f64::ln(radius)).sqrt() * f64::cos(std::f64::consts::TAU * angle)
}

/// Rows of some kind, then changed in some ways.
fn rows(random: &mut ChaCha8Rng, n_rows: usize, n_columns: usize, recipe: &mut Vec<String>) -> Array2<f64> {
    let kind = pick(random, &["normal", "heavy tails", "lattice", "clusters", "one-hot", "mirrored", "line"]);
    recipe.push(kind.to_owned());
    let spread = 10_f64.powi(random.random_range(0..8));
    let mut matrix = Array2::<f64>::zeros((n_rows, n_columns));
    for row in 0..n_rows {
        let along = normal(random);
        let hot = random.random_range(0..n_columns);
        for column in 0..n_columns {
            matrix[(row, column)] = match kind {
                "heavy tails" => (4.0 * normal(random)).exp() * pick(random, &[-1.0, 1.0]),
                "lattice" => f64::from(random.random_range(-2..3_i32)),
                "clusters" => spread * (row % 3) as f64 + normal(random),
                "one-hot" => f64::from(u8::from(column == hot)),
                "mirrored" if row % 2 == 1 => -matrix[(row - 1, column)],
                "line" => along * (column + 1) as f64,
                _ => normal(random),
            };
        }
    }
    if random.random_bool(0.3) {
        let noise = 10_f64.powi(random.random_range(-17..-2));
        recipe.push(format!("near-copies within {noise:e}"));
        for row in 1..n_rows {
            if random.random_bool(0.5) {
                let original = random.random_range(0..row);
                for column in 0..n_columns {
                    let value = matrix[(original, column)];
                    matrix[(row, column)] = value * (1.0 + noise * normal(random));
                }
            }
        }
    }
    if random.random_bool(0.2) {
        let distance = 10_f64.powi(random.random_range(1..11));
        recipe.push(format!("one row × {distance:e}"));
        let far = random.random_range(0..n_rows);
        matrix.row_mut(far).mapv_inplace(|value| value * distance);
    }
    if random.random_bool(0.15) {
        recipe.push("a constant column".to_owned());
        matrix.column_mut(random.random_range(0..n_columns)).fill(0.7);
    }
    matrix
}

/// The median distance between different rows, or 1.
fn typical_distance(source: &Array2<f64>, target: Option<&Array2<f64>>) -> f64 {
    let other = target.unwrap_or(source);
    let pairs = source.rows().into_iter().flat_map(|x| other.rows().into_iter().map(move |y| (x, y)));
    let distance = |(x, y): (ndarray::ArrayView1<'_, f64>, ndarray::ArrayView1<'_, f64>)| {
        x.iter().zip(&y).fold(0.0_f64, |length, (x, y)| length.hypot(x - y))
    };
    let mut distances: Vec<f64> = pairs.map(distance).filter(|distance| *distance > 0.0).collect();
    distances.sort_by(f64::total_cmp);
    distances.get(distances.len() / 2).copied().unwrap_or(1.0)
}
