//! Vectors of numbers behind one safe interface. This is the only module of the crate with `unsafe` code.
//!
//! A value of a type that implements [`Simd`] proves that the CPU has an instruction set: it exists only where the
//! instructions were detected. Code generic over it is compiled once for each instruction set, inside [`Simd::run`], and
//! chosen at run time; no compiler flag is needed.
//!
//! The last bits of a result may differ between instruction sets (a fused multiply-add rounds once, a product and a sum
//! twice); they never depend on the position of a number in its vector.

mod element;
mod exp2;
mod portable;
mod prefetch;

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;

use std::sync::atomic::{AtomicU8, Ordering};

pub(crate) use element::{AlignedLanes, Element};
pub(crate) use portable::Portable;
pub(crate) use prefetch::prefetch;

#[cfg(target_arch = "x86_64")]
pub(crate) use avx2::Avx2;
#[cfg(target_arch = "x86_64")]
pub(crate) use avx512::Avx512;

/// Proof that the CPU has an instruction set, and its operations on vectors.
///
/// Call the methods inside [`run`](Simd::run): elsewhere they are correct but slow.
pub(crate) trait Simd: Copy + Send + Sync + 'static {
    /// Element type of a vector.
    type Element: Element;
    /// A vector of as many elements as [`Element::Lanes`] has.
    type Vector: Copy;

    /// Number of vectors of sums that fit in registers together with their operands.
    const N_SUMS: usize;

    /// Does the work with the instructions enabled.
    fn run<W: Work<Self>>(self, work: W) -> W::Output;

    /// The same number in every lane.
    fn splat(self, value: Self::Element) -> Self::Vector;
    /// A vector from memory.
    fn load(self, lanes: &<Self::Element as Element>::Lanes) -> Self::Vector;
    /// A vector from the beginning of a slice, which must be long enough.
    fn load_slice(self, values: &[Self::Element]) -> Self::Vector;
    /// A vector to memory.
    fn store(self, vector: Self::Vector) -> <Self::Element as Element>::Lanes;

    /// a + b.
    fn add(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// a − b.
    fn sub(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// a · b.
    fn mul(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// a / b.
    fn div(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// a · b + c, with a single rounding if the CPU supports it.
    fn mul_add(self, a: Self::Vector, b: Self::Vector, c: Self::Vector) -> Self::Vector;
    /// a · b + c for single numbers of f64, which the compiler makes vectors of. Of vectors of f64 it is a lane of
    /// [`mul_add`](Simd::mul_add).
    fn mul_add_one(self, a: f64, b: f64, c: f64) -> f64;
    /// The larger of the two; `b` if `a` is NaN.
    fn max(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// The smaller of the two; `b` if `a` is NaN.
    fn min(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// |a|.
    fn abs(self, a: Self::Vector) -> Self::Vector;
    /// √a.
    fn sqrt(self, a: Self::Vector) -> Self::Vector;

    /// a₀ b₀ a₁ b₁ …, in two vectors.
    fn interleave(self, a: Self::Vector, b: Self::Vector) -> (Self::Vector, Self::Vector);

    /// 2^a for a ≤ 0, −∞ included. 2⁰ is exactly 1.
    ///
    /// The relative error is at most [`Element::EXP2_ERROR`] where the power is a normal number; a smaller one is rounded
    /// to a subnormal number or to 0.
    fn exp2(self, a: Self::Vector) -> Self::Vector;
}

/// Transposes a square matrix whose rows are vectors. There must be as many rows as a vector has lanes.
///
/// Interleaving row i with row i + n/2 takes the last bit of every column number into that of the row; doing so for
/// every bit exchanges the two.
#[inline(always)]
pub(crate) fn transposed<S: Simd, const N: usize>(simd: S, mut rows: [S::Vector; N]) -> [S::Vector; N] {
    for _ in 0..N.ilog2() {
        let before = rows;
        for i in 0..N / 2 {
            (rows[2 * i], rows[2 * i + 1]) = simd.interleave(before[i], before[i + N / 2]);
        }
    }
    rows
}

/// The work of [`Simd::run`]. The method and everything it calls must be `#[inline(always)]` to use the instructions.
pub(crate) trait Work<S: Simd> {
    type Output;
    fn work(self, simd: S) -> Self::Output;
}

/// An instruction set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum InstructionSet {
    /// Plain loops, vectorised by the compiler.
    Portable,
    /// AVX2 and FMA: 256 bits.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// AVX-512 F and DQ: 512 bits.
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

/// The limit of this process: the number of an instruction set, or any larger number.
static LIMIT: AtomicU8 = AtomicU8::new(u8::MAX);

/// Work that is generic over the instruction set.
pub(crate) trait Visitor<E: Element> {
    type Output;
    fn visit<S: Simd<Element = E>>(self, simd: S) -> Self::Output;
}

impl InstructionSet {
    /// The best instruction set of this CPU, within the limit of this process.
    pub(crate) fn best() -> Self {
        let best = Self::of_cpu();
        match LIMIT.load(Ordering::Relaxed) {
            0 => best.min(InstructionSet::Portable),
            #[cfg(target_arch = "x86_64")]
            1 => best.min(InstructionSet::Avx2),
            _ => best,
        }
    }

    /// From now on, uses no instructions beyond these in this process.
    pub(crate) fn limit(self) {
        LIMIT.store(self as u8, Ordering::Relaxed);
    }

    /// The best instruction set of this CPU.
    fn of_cpu() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            if Avx512::<f64>::detect().is_some() {
                return InstructionSet::Avx512;
            }
            if Avx2::<f64>::detect().is_some() {
                return InstructionSet::Avx2;
            }
        }
        InstructionSet::Portable
    }

    /// Calls the visitor with the proof of these instructions, or with the portable one if the CPU does not have them.
    pub(crate) fn visit_f64<V: Visitor<f64>>(self, visitor: V) -> V::Output {
        #[cfg(target_arch = "x86_64")]
        match (self, Avx2::<f64>::detect(), Avx512::<f64>::detect()) {
            (InstructionSet::Avx512, _, Some(simd)) => return visitor.visit(simd),
            (InstructionSet::Avx2, Some(simd), _) => return visitor.visit(simd),
            _ => {}
        }
        visitor.visit(Portable::<f64>::new())
    }

    /// The same for vectors of f32.
    pub(crate) fn visit_f32<V: Visitor<f32>>(self, visitor: V) -> V::Output {
        #[cfg(target_arch = "x86_64")]
        match (self, Avx2::<f32>::detect(), Avx512::<f32>::detect()) {
            (InstructionSet::Avx512, _, Some(simd)) => return visitor.visit(simd),
            (InstructionSet::Avx2, Some(simd), _) => return visitor.visit(simd),
            _ => {}
        }
        visitor.visit(Portable::<f32>::new())
    }

    /// All instruction sets of this CPU.
    #[cfg(test)]
    pub(crate) fn available() -> Vec<Self> {
        let mut levels = vec![InstructionSet::Portable];
        #[cfg(target_arch = "x86_64")]
        {
            levels.extend(Avx2::<f64>::detect().map(|_| InstructionSet::Avx2));
            levels.extend(Avx512::<f64>::detect().map(|_| InstructionSet::Avx512));
        }
        levels
    }
}

/// Does plain loops over f64 with the widest vectors of this CPU.
///
/// The compiler fuses no product with a sum, so that every bit is that of the portable loops. The closure and everything
/// it calls must be `#[inline(always)]`.
#[inline(always)]
pub(crate) fn widened<R>(work: impl FnOnce() -> R) -> R {
    InstructionSet::best().visit_f64(PlainLoops(work))
}

struct PlainLoops<F>(F);

impl<R, F: FnOnce() -> R> Visitor<f64> for PlainLoops<F> {
    type Output = R;

    #[inline(always)]
    fn visit<S: Simd<Element = f64>>(self, simd: S) -> R {
        simd.run(self)
    }
}

impl<S: Simd, R, F: FnOnce() -> R> Work<S> for PlainLoops<F> {
    type Output = R;

    #[inline(always)]
    fn work(self, _: S) -> R {
        (self.0)()
    }
}

#[cfg(test)]
mod tests;
