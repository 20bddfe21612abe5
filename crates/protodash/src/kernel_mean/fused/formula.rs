//! What the fused loops need to know about a kernel: a sum over the columns, and a curve applied to it.

use crate::kernel::{AnyCurve, LoopFormula};

/// The sums over the columns of a pair of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::kernel_mean) enum ColumnSum {
    Products,
    SquaredDifferences,
    AbsoluteDifferences,
}

/// What one of the rows adds to the argument of the curve: factor · Σx² + constant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::kernel_mean) struct RowOffset {
    pub(in crate::kernel_mean) factor: f64,
    pub(in crate::kernel_mean) constant: f64,
}

/// A kernel as curve(slope · sum + offset of x + offset of y).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::kernel_mean) struct PairFormula {
    pub(in crate::kernel_mean) sum: ColumnSum,
    pub(in crate::kernel_mean) curve: AnyCurve,
    pub(in crate::kernel_mean) slope: f64,
    pub(in crate::kernel_mean) x_offset: RowOffset,
    pub(in crate::kernel_mean) y_offset: RowOffset,
}

/// The formulas of a kernel.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::kernel_mean) struct FusedKernel {
    /// For any two rows, neither centred nor scaled.
    pub(in crate::kernel_mean) direct: PairFormula,
    /// For two rows near the centre, if the kernel is a function of their Euclidean distance.
    pub(in crate::kernel_mean) expanded: Option<ExpandedDistance>,
}

/// The formula for rows near the centre: their distances come from norms and products.
///
/// That takes one operation for each column, where differences take two. Rows are centred and scaled first.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::kernel_mean) struct ExpandedDistance {
    pub(in crate::kernel_mean) scale: f64,
    pub(in crate::kernel_mean) formula: PairFormula,
}

/// The plain product of two rows; its curve is never applied.
pub(super) const PRODUCT_OF_FEATURES: PairFormula = PairFormula {
    sum: ColumnSum::Products,
    curve: AnyCurve::Exponential(crate::kernel::Exponential),
    slope: 1.0,
    x_offset: NO_OFFSET,
    y_offset: NO_OFFSET,
};

const NO_OFFSET: RowOffset = RowOffset { factor: 0.0, constant: 0.0 };

impl FusedKernel {
    /// The formulas of a kernel that the fused loops compute; `None` for any other.
    pub(in crate::kernel_mean) fn of(formula: LoopFormula) -> Option<Self> {
        match formula {
            LoopFormula::SquaredDistance { curve, factor, bandwidth } => Some(distance(curve, factor, bandwidth)),
            LoopFormula::ManhattanDistance { curve, factor, bandwidth } => {
                let direct = pair_formula(ColumnSum::AbsoluteDifferences, curve, factor / bandwidth);
                Some(FusedKernel { direct, expanded: None })
            }
            LoopFormula::Product { curve, scale, offset } => {
                let products = pair_formula(ColumnSum::Products, curve, scale);
                let x_offset = RowOffset { factor: 0.0, constant: offset };
                Some(FusedKernel { direct: PairFormula { x_offset, ..products }, expanded: None })
            }
            LoopFormula::Linear | LoopFormula::Cosine | LoopFormula::EqualValues => None,
        }
    }

    /// True if the sums over the columns fit f32 wherever the kernel, to the precision of f32, is neither 0 nor 1.
    ///
    /// Squared differences overflow f32 above 1e19 and underflow below 1e-19. With a bandwidth far from both, that
    /// happens only to rows too far apart or too close together to matter. The relative error of a power is unbounded.
    pub(in crate::kernel_mean) fn fits_single(&self) -> bool {
        let inverse_bandwidth = match self.direct.sum {
            ColumnSum::SquaredDifferences => self.direct.slope.abs().sqrt(),
            ColumnSum::AbsoluteDifferences => self.direct.slope.abs(),
            ColumnSum::Products => return false,
        };
        (1e-12..1e12).contains(&inverse_bandwidth)
    }
}

fn pair_formula(sum: ColumnSum, curve: AnyCurve, slope: f64) -> PairFormula {
    PairFormula { sum, curve, slope, x_offset: NO_OFFSET, y_offset: NO_OFFSET }
}

/// A curve of `factor` · ‖x − y‖²/σ².
///
/// # Formula
///
/// ```text
/// ±½‖u − v‖² = ±(½‖u‖² + ½‖v‖² − uᵀv),  u = s (x − c),  v = s (y − c),  s = √(2|factor|)/σ
/// ```
fn distance(curve: AnyCurve, factor: f64, bandwidth: f64) -> FusedKernel {
    let half = RowOffset { factor: factor.signum() * 0.5, constant: 0.0 };
    let scale = (2.0 * factor.abs()).sqrt() / bandwidth;
    let products = pair_formula(ColumnSum::Products, curve, -factor.signum());
    FusedKernel {
        direct: pair_formula(ColumnSum::SquaredDifferences, curve, factor / (bandwidth * bandwidth)),
        expanded: Some(ExpandedDistance { scale, formula: PairFormula { x_offset: half, y_offset: half, ..products } }),
    }
}
