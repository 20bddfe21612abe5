//! The element types of vectors.

/// Memory aligned for loading a 512-bit vector.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(64))]
pub(crate) struct AlignedLanes<A>(pub(crate) A);

/// Element type of a vector: `f32` or `f64`.
pub(crate) trait Element: Copy + Send + Sync + std::fmt::Debug + 'static {
    /// An array of 512 bits.
    type Lanes: Copy + Send + Sync + std::fmt::Debug + 'static;

    /// Number of elements in 512 bits.
    const N_LANES: usize;
    const ZERO: Self;
    /// Largest relative error of rounding to nearest.
    const ROUNDOFF: f64;
    /// Largest relative error of [`exp2`](super::Simd::exp2).
    const EXP2_ERROR: f64;
    /// Number of terms added one after another before their sum is added to a total: the fewer, the smaller the error
    /// of a long sum. f64 has digits to spare.
    const TERMS_PER_SUM: usize;

    fn of(value: f64) -> Self;
    fn to_f64(self) -> f64;
    fn splat(self) -> Self::Lanes;
    fn lanes(lanes: &Self::Lanes) -> &[Self];
    fn lanes_mut(lanes: &mut Self::Lanes) -> &mut [Self];
}

impl Element for f64 {
    type Lanes = AlignedLanes<[f64; 8]>;

    const N_LANES: usize = 8;
    const ZERO: f64 = 0.0;
    const ROUNDOFF: f64 = f64::EPSILON / 2.0;
    const EXP2_ERROR: f64 = 1e-15;
    const TERMS_PER_SUM: usize = usize::MAX;

    #[inline(always)]
    fn of(value: f64) -> f64 {
        value
    }

    #[inline(always)]
    fn to_f64(self) -> f64 {
        self
    }

    #[inline(always)]
    fn splat(self) -> Self::Lanes {
        AlignedLanes([self; 8])
    }

    #[inline(always)]
    fn lanes(lanes: &Self::Lanes) -> &[f64] {
        &lanes.0
    }

    #[inline(always)]
    fn lanes_mut(lanes: &mut Self::Lanes) -> &mut [f64] {
        &mut lanes.0
    }
}

impl Element for f32 {
    type Lanes = AlignedLanes<[f32; 16]>;

    const N_LANES: usize = 16;
    const ZERO: f32 = 0.0;
    const ROUNDOFF: f64 = f32::EPSILON as f64 / 2.0;
    const EXP2_ERROR: f64 = 2e-7;
    const TERMS_PER_SUM: usize = 32;

    #[inline(always)]
    fn of(value: f64) -> f32 {
        value as f32
    }

    #[inline(always)]
    fn to_f64(self) -> f64 {
        f64::from(self)
    }

    #[inline(always)]
    fn splat(self) -> Self::Lanes {
        AlignedLanes([self; 16])
    }

    #[inline(always)]
    fn lanes(lanes: &Self::Lanes) -> &[f32] {
        &lanes.0
    }

    #[inline(always)]
    fn lanes_mut(lanes: &mut Self::Lanes) -> &mut [f32] {
        &mut lanes.0
    }
}
