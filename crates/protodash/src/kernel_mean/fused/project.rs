//! Features of rows from landmarks, in f64: the kernel values and their products with the coefficients are both register tiles.

use std::sync::{Mutex, PoisonError};

use super::centre::CentreSplit;
use super::formula::{ColumnSum, FusedKernel, PairFormula};
use super::pack::{PackedPanels, PackedVector, Rescaling, RowGroup, pack_numbers};
use super::sum_values::CurveArguments;
use super::tile::{Tile, WIDTH};
use crate::kernel::{Curve, CurveVisitor, LoopFormula};
use crate::rows::{Rows, Scalar};
use crate::simd::{AlignedLanes, Element, InstructionSet, Simd, Visitor, Work};

/// Rows whose features are computed at a time: few enough for their kernel values to stay in the L2 cache.
pub(in crate::kernel_mean) const ROWS_AT_A_TIME: usize = 32;
/// Rows in a vector of f64.
const N_LANES: usize = <f64 as Element>::N_LANES;
/// Memory for the landmarks that row after row is compared with.
const LANDMARK_BYTES: usize = 128 << 10;

/// A linear map of the kernel values of rows with fixed landmarks.
pub(in crate::kernel_mean) trait FeatureMap<T>: Send + Sync {
    /// Writes the features of at most [`ROWS_AT_A_TIME`] rows: for each feature, one value per row.
    ///
    /// Those of a row do not depend on the other rows.
    fn features(&self, rows: Rows<'_, T>, features: &mut [[f64; ROWS_AT_A_TIME]]);
}

/// The map A k_Z for landmarks Z and coefficients A, row after row; `None` for a kernel that the fused loops do not compute.
pub(in crate::kernel_mean) fn feature_map<T: Scalar>(
    formula: LoopFormula,
    landmarks: Rows<'_, T>,
    coefficients: &[f64],
) -> Option<Box<dyn FeatureMap<T>>> {
    let kernel = FusedKernel::of(formula)?;
    Some(InstructionSet::best().visit_f64(MapStart { kernel, landmarks, coefficients }))
}

struct MapStart<'a, T> {
    kernel: FusedKernel,
    landmarks: Rows<'a, T>,
    coefficients: &'a [f64],
}

impl<T: Scalar> Visitor<f64> for MapStart<'_, T> {
    type Output = Box<dyn FeatureMap<T>>;

    fn visit<S: Simd<Element = f64>>(self, simd: S) -> Self::Output {
        let MapStart { kernel, landmarks, coefficients } = self;
        let split = kernel.expanded.map(|expanded| CentreSplit::new(simd, expanded.scale, landmarks, None));
        let all: Vec<usize> = (0..landmarks.n_rows()).collect();
        // One landmark out of reach makes the expanded formula useless.
        let split = split.filter(|split| split.split(0..all.len(), split.target_norms()).distant.is_empty());
        let group = |norms| RowGroup { rows: landmarks, indices: &all, weights: None, norms };
        let packed = |formula: PairFormula, group: RowGroup<'_, T, f64>, rescaling: Rescaling<'_>| {
            let mut panels = PackedPanels::new();
            panels.pack(simd, group, 0..landmarks.n_columns(), rescaling);
            let mut offsets = Vec::new();
            pack_numbers(&all, &mut offsets, |row| group.offset(row, formula.x_offset));
            PackedLandmarks { formula, panels, offsets }
        };
        let expanded = match (split.as_ref(), kernel.expanded) {
            (Some(split), Some(expanded)) => {
                Some(packed(expanded.formula, group(Some(split.target_norms())), split.rescaling()))
            }
            _ => None,
        };
        let direct = packed(kernel.direct, group(None), AS_THEY_ARE);
        let n_features = coefficients.len() / landmarks.n_rows();
        let mut tiles = vec![[0.0; WIDTH]; n_features.div_ceil(WIDTH) * landmarks.n_rows()];
        for (feature, row) in coefficients.chunks_exact(landmarks.n_rows()).enumerate() {
            let tile = &mut tiles[feature / WIDTH * landmarks.n_rows()..];
            tile.iter_mut().zip(row).for_each(|(piece, value)| piece[feature % WIDTH] = *value);
        }
        let n_landmarks = landmarks.n_rows();
        Box::new(FusedFeatures {
            simd,
            split,
            expanded,
            direct,
            n_landmarks,
            coefficients: tiles,
            scratch: Mutex::default(),
        })
    }
}

const AS_THEY_ARE: Rescaling<'_> = Rescaling { centre: None, scale: 1.0 };

/// Landmarks as a formula needs them.
struct PackedLandmarks {
    formula: PairFormula,
    panels: PackedPanels<[f64; WIDTH]>,
    offsets: Vec<[f64; WIDTH]>,
}

struct FusedFeatures<S> {
    simd: S,
    /// Which rows the expanded formula is exact enough for; `None` if it is not for the landmarks.
    split: Option<CentreSplit<f64>>,
    expanded: Option<PackedLandmarks>,
    direct: PackedLandmarks,
    n_landmarks: usize,
    /// A, in tiles of a few features; one piece per landmark.
    coefficients: Vec<[f64; WIDTH]>,
    /// Buffers not in use at the moment: at most one for each thread.
    scratch: Mutex<Vec<MapScratch>>,
}

struct MapScratch {
    rows: PackedPanels<PackedVector<f64>>,
    tiles: Vec<Tile<f64>>,
    /// Kernel values: for each panel of rows one vector per landmark.
    values: Vec<PackedVector<f64>>,
    features: Vec<Tile<f64>>,
}

impl<T: Scalar, S: Simd<Element = f64>> FeatureMap<T> for FusedFeatures<S> {
    fn features(&self, rows: Rows<'_, T>, features: &mut [[f64; ROWS_AT_A_TIME]]) {
        let unused = || self.scratch.lock().unwrap_or_else(PoisonError::into_inner);
        let lent = unused().pop();
        let mut scratch = lent.unwrap_or_else(|| MapScratch {
            rows: PackedPanels::new(),
            tiles: Vec::new(),
            values: Vec::new(),
            features: Vec::new(),
        });
        let is_central = |norm: f64| self.split.as_ref().is_some_and(|split| split.is_within_reach(norm));
        let central = match (&self.expanded, &self.split) {
            (Some(expanded), Some(split)) => {
                self.pack(&mut scratch, rows, split.rescaling());
                let mut norms = [0.0; ROWS_AT_A_TIME];
                scratch.rows.add_squares(self.simd, &mut norms[..rows.n_rows().next_multiple_of(N_LANES)]);
                self.map(&mut scratch, expanded, &norms);
                self.write(&scratch, features, |_| true);
                norms.map(is_central)
            }
            _ => [false; ROWS_AT_A_TIME],
        };
        if central[..rows.n_rows()].iter().any(|is_central| !is_central) {
            self.pack(&mut scratch, rows, AS_THEY_ARE);
            self.map(&mut scratch, &self.direct, &[0.0; ROWS_AT_A_TIME]);
            self.write(&scratch, features, |row| !central[row]);
        }
        unused().push(scratch);
    }
}

impl<S: Simd<Element = f64>> FusedFeatures<S> {
    fn pack<T: Scalar>(&self, scratch: &mut MapScratch, rows: Rows<'_, T>, rescaling: Rescaling<'_>) {
        let all: [usize; ROWS_AT_A_TIME] = std::array::from_fn(|row| row);
        let group = RowGroup { rows, indices: &all[..rows.n_rows()], weights: None, norms: None };
        scratch.rows.pack(self.simd, group, 0..rows.n_columns(), rescaling);
    }

    /// The features of the packed rows, whose squared norms are these.
    fn map(&self, scratch: &mut MapScratch, landmarks: &PackedLandmarks, norms: &[f64; ROWS_AT_A_TIME]) {
        let MapScratch { rows, tiles, values, features } = scratch;
        let PackedLandmarks { formula, panels, offsets } = landmarks;
        let (n_panels, n_tiles) = (rows.len(), panels.len());
        let n_columns = rows.panel(0).len();
        let RowOffsets(y_offsets) = RowOffsets::of(*formula, norms);
        values.resize(n_panels * n_tiles * WIDTH, PackedVector(0.0.splat()));
        let per_group = (LANDMARK_BYTES / (n_columns * WIDTH * size_of::<f64>())).clamp(1, n_tiles);
        tiles.resize(per_group, [0.0.splat(); WIDTH]);
        for start in (0..n_tiles).step_by(per_group) {
            let some = start..n_tiles.min(start + per_group);
            let x = &panels.values()[some.start * n_columns..some.end * n_columns];
            for panel in 0..n_panels {
                let tiles = &mut tiles[..some.len()];
                formula.sum.accumulate(self.simd, rows.panel(panel), x, tiles, false);
                let values = &mut values[panel * n_tiles * WIDTH..][some.start * WIDTH..some.end * WIDTH];
                let arguments = CurveArguments {
                    slope: formula.slope,
                    tiles,
                    x_offsets: &offsets[some.clone()],
                    y_offsets: &y_offsets[panel],
                };
                formula.curve.visit(ValuesOfTiles { simd: self.simd, arguments, values });
            }
        }
        let n_feature_tiles = self.coefficients.len() / self.n_landmarks;
        features.resize(n_panels * n_feature_tiles, [0.0.splat(); WIDTH]);
        for (panel, features) in features.chunks_exact_mut(n_feature_tiles.max(1)).enumerate().take(n_panels) {
            let values = &values[panel * n_tiles * WIDTH..][..self.n_landmarks];
            ColumnSum::Products.accumulate(self.simd, values, &self.coefficients, features, false);
        }
    }

    /// Writes the features of those rows that are wanted.
    fn write(&self, scratch: &MapScratch, features: &mut [[f64; ROWS_AT_A_TIME]], is_wanted: impl Fn(usize) -> bool) {
        let n_feature_tiles = self.coefficients.len() / self.n_landmarks;
        for (feature, places) in features.iter_mut().enumerate() {
            for (row, place) in places.iter_mut().enumerate().take(scratch.rows.len() * N_LANES) {
                if is_wanted(row) {
                    let tile = &scratch.features[row / N_LANES * n_feature_tiles + feature / WIDTH];
                    *place = f64::lanes(&tile[feature % WIDTH])[row % N_LANES];
                }
            }
        }
    }
}

/// What each row adds to the arguments of the curve.
struct RowOffsets([PackedVector<f64>; ROWS_AT_A_TIME / N_LANES]);

impl RowOffsets {
    fn of(formula: PairFormula, norms: &[f64; ROWS_AT_A_TIME]) -> Self {
        let offset = formula.y_offset;
        let of_norm =
            |norm: f64| if offset.factor == 0.0 { offset.constant } else { offset.factor * norm + offset.constant };
        RowOffsets(std::array::from_fn(|panel| {
            let lanes: [f64; N_LANES] = std::array::from_fn(|lane| of_norm(norms[panel * N_LANES + lane]));
            PackedVector(AlignedLanes(lanes))
        }))
    }
}

/// The kernel values of one panel of rows, for the curve of the kernel.
struct ValuesOfTiles<'a, S> {
    simd: S,
    arguments: CurveArguments<'a, f64>,
    /// One vector per landmark.
    values: &'a mut [PackedVector<f64>],
}

impl<S: Simd<Element = f64>> CurveVisitor for ValuesOfTiles<'_, S> {
    fn visit<C: Curve>(self, curve: C) {
        let ValuesOfTiles { simd, arguments, values } = self;
        simd.run(WriteValues { curve, arguments, values });
    }
}

struct WriteValues<'a, C> {
    curve: C,
    arguments: CurveArguments<'a, f64>,
    values: &'a mut [PackedVector<f64>],
}

impl<S: Simd<Element = f64>, C: Curve> Work<S> for WriteValues<'_, C> {
    type Output = ();

    #[inline(always)]
    fn work(self, simd: S) {
        let CurveArguments { slope, tiles, x_offsets, y_offsets } = self.arguments;
        let (slope, y_offset) = (simd.splat(slope), simd.load(&y_offsets.0));
        for ((tile, x_offsets), values) in tiles.iter().zip(x_offsets).zip(self.values.chunks_exact_mut(WIDTH)) {
            for ((sums, &x_offset), value) in tile.iter().zip(x_offsets).zip(values) {
                let offset = simd.add(simd.splat(x_offset), y_offset);
                *value = PackedVector(simd.store(self.curve.value(simd, simd.mul_add(simd.load(sums), slope, offset))));
            }
        }
    }
}
