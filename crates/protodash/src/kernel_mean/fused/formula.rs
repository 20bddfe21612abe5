//! What the loops must know of a kernel: a sum over the columns, and a function of it.

use std::f64::consts::LOG2_E;

use crate::kernel::Form;

/// The sums over the columns of a pair that kernels are made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::kernel_mean) enum Sum {
    Products,
    SquaredDifferences,
    AbsoluteDifferences,
}

/// What is added to the argument of a kernel for one of the rows: factor · Σx² + constant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::kernel_mean) struct Offset {
    pub(in crate::kernel_mean) factor: f64,
    pub(in crate::kernel_mean) constant: f64,
}

/// The functions of one argument that kernels are made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::kernel_mean) enum Curve {
    Exponential,
    Matern32,
    Matern52,
    InverseMultiquadric,
    Power(u32),
}

/// A kernel as curve(slope · sum + offset of x + offset of y).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::kernel_mean) struct Formula {
    pub(in crate::kernel_mean) sum: Sum,
    pub(in crate::kernel_mean) curve: Curve,
    pub(in crate::kernel_mean) slope: f64,
    pub(in crate::kernel_mean) x_offset: Offset,
    pub(in crate::kernel_mean) y_offset: Offset,
}

/// A kernel by its formulas.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::kernel_mean) struct Plan {
    /// For any two rows, as they are.
    pub(in crate::kernel_mean) plain: Formula,
    /// For two rows near the centre, if there is something cheaper for those.
    pub(in crate::kernel_mean) near: Option<Near>,
}

/// The formula for rows near the centre, which are centred and scaled.
///
/// Their distances come from products, one operation for each column, where differences take two.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::kernel_mean) struct Near {
    pub(in crate::kernel_mean) scale: f64,
    pub(in crate::kernel_mean) formula: Formula,
}

const NONE: Offset = Offset { factor: 0.0, constant: 0.0 };

impl Plan {
    /// Whether f32 can hold the sums over the columns wherever the kernel is neither 0 nor 1, to its precision.
    ///
    /// Squares of differences leave the range of f32 above 1e19 and below 1e-19; with a bandwidth far from both they
    /// do so only for rows too far apart or too close together to matter. A power has no bound on its relative error.
    pub(in crate::kernel_mean) fn fits_single(&self) -> bool {
        let bandwidths = match self.plain.sum {
            Sum::SquaredDifferences => self.plain.slope.abs().sqrt(),
            Sum::AbsoluteDifferences => self.plain.slope.abs(),
            Sum::Products => return false,
        };
        (1e-12..1e12).contains(&bandwidths)
    }

    /// The formulas of a kernel of this form; `None` if there are none.
    pub(in crate::kernel_mean) fn of(form: Form) -> Option<Self> {
        match form {
            Form::Gaussian { bandwidth } => Some(distance(Curve::Exponential, -LOG2_E / 2.0, bandwidth)),
            Form::Matern32 { bandwidth } => Some(distance(Curve::Matern32, 3.0, bandwidth)),
            Form::Matern52 { bandwidth } => Some(distance(Curve::Matern52, 5.0, bandwidth)),
            Form::InverseMultiquadric { bandwidth } => Some(distance(Curve::InverseMultiquadric, 1.0, bandwidth)),
            Form::Laplacian { bandwidth } => {
                let plain = formula(Sum::AbsoluteDifferences, Curve::Exponential, -LOG2_E / bandwidth);
                Some(Plan { plain, near: None })
            }
            Form::Polynomial { degree, scale, offset } => {
                let products = formula(Sum::Products, Curve::Power(degree), scale);
                let x_offset = Offset { factor: 0.0, constant: offset };
                Some(Plan { plain: Formula { x_offset, ..products }, near: None })
            }
            _ => None,
        }
    }
}

fn formula(sum: Sum, curve: Curve, slope: f64) -> Formula {
    Formula { sum, curve, slope, x_offset: NONE, y_offset: NONE }
}

/// A curve of `factor` · ‖x − y‖²/σ².
///
/// # Formula
///
/// ```text
/// ±½‖u − v‖² = ±(½‖u‖² + ½‖v‖² − uᵀv),  u = s (x − c),  v = s (y − c),  s = √(2|factor|)/σ
/// ```
fn distance(curve: Curve, factor: f64, bandwidth: f64) -> Plan {
    let half = Offset { factor: factor.signum() * 0.5, constant: 0.0 };
    let scale = (2.0 * factor.abs()).sqrt() / bandwidth;
    let products = formula(Sum::Products, curve, -factor.signum());
    Plan {
        plain: formula(Sum::SquaredDifferences, curve, factor / (bandwidth * bandwidth)),
        near: Some(Near { scale, formula: Formula { x_offset: half, y_offset: half, ..products } }),
    }
}
