//! Vectors of 512 bits in two registers: AVX2 and FMA.
#![allow(unsafe_code)]

use std::arch::x86_64::*;
use std::marker::PhantomData;

use super::exp2::{COEFFICIENTS_F32, COEFFICIENTS_F64, polynomial};
use super::{AlignedLanes, Simd, Work};

/// Proof of AVX2 and FMA.
#[derive(Clone, Copy)]
pub(crate) struct Avx2<E>(PhantomData<E>);

impl<E> Avx2<E> {
    /// The proof, if the CPU has the instructions and the operating system supports their registers.
    pub(crate) fn detect() -> Option<Self> {
        let detected = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
        detected.then_some(Avx2(PhantomData))
    }
}

/// Two registers of 256 bits.
#[derive(Clone, Copy)]
pub(crate) struct RegisterPair<R>(R, R);

// SAFETY of every block below: the instructions are those of AVX2 or FMA, and `self` exists only where `detect` found
// both; aligned loads and stores go to halves of `AlignedLanes` references, which are valid, of 32 bytes and aligned to 32;
// the others go to slices of 32 bytes.

impl Simd for Avx2<f64> {
    type Element = f64;
    type Vector = RegisterPair<__m256d>;

    const N_SUMS: usize = 6;

    #[inline(always)]
    fn run<W: Work<Self>>(self, work: W) -> W::Output {
        #[target_feature(enable = "avx2,fma")]
        fn enabled<W: Work<Avx2<f64>>>(simd: Avx2<f64>, work: W) -> W::Output {
            work.work(simd)
        }
        unsafe { enabled(self, work) }
    }

    #[inline(always)]
    fn splat(self, value: f64) -> RegisterPair<__m256d> {
        let half = unsafe { _mm256_set1_pd(value) };
        RegisterPair(half, half)
    }

    #[inline(always)]
    fn load(self, lanes: &AlignedLanes<[f64; 8]>) -> RegisterPair<__m256d> {
        let (low, high) = lanes.0.split_at(4);
        unsafe { RegisterPair(_mm256_load_pd(low.as_ptr()), _mm256_load_pd(high.as_ptr())) }
    }

    #[inline(always)]
    fn load_slice(self, values: &[f64]) -> RegisterPair<__m256d> {
        let (low, high) = values[..8].split_at(4);
        unsafe { RegisterPair(_mm256_loadu_pd(low.as_ptr()), _mm256_loadu_pd(high.as_ptr())) }
    }

    #[inline(always)]
    fn store(self, vector: RegisterPair<__m256d>) -> AlignedLanes<[f64; 8]> {
        let mut lanes = AlignedLanes([0.0; 8]);
        let (low, high) = lanes.0.split_at_mut(4);
        unsafe { _mm256_store_pd(low.as_mut_ptr(), vector.0) };
        unsafe { _mm256_store_pd(high.as_mut_ptr(), vector.1) };
        lanes
    }

    #[inline(always)]
    fn add(self, a: RegisterPair<__m256d>, b: RegisterPair<__m256d>) -> RegisterPair<__m256d> {
        unsafe { RegisterPair(_mm256_add_pd(a.0, b.0), _mm256_add_pd(a.1, b.1)) }
    }

    #[inline(always)]
    fn sub(self, a: RegisterPair<__m256d>, b: RegisterPair<__m256d>) -> RegisterPair<__m256d> {
        unsafe { RegisterPair(_mm256_sub_pd(a.0, b.0), _mm256_sub_pd(a.1, b.1)) }
    }

    #[inline(always)]
    fn mul(self, a: RegisterPair<__m256d>, b: RegisterPair<__m256d>) -> RegisterPair<__m256d> {
        unsafe { RegisterPair(_mm256_mul_pd(a.0, b.0), _mm256_mul_pd(a.1, b.1)) }
    }

    #[inline(always)]
    fn div(self, a: RegisterPair<__m256d>, b: RegisterPair<__m256d>) -> RegisterPair<__m256d> {
        unsafe { RegisterPair(_mm256_div_pd(a.0, b.0), _mm256_div_pd(a.1, b.1)) }
    }

    #[inline(always)]
    fn mul_add(
        self,
        a: RegisterPair<__m256d>,
        b: RegisterPair<__m256d>,
        c: RegisterPair<__m256d>,
    ) -> RegisterPair<__m256d> {
        unsafe { RegisterPair(_mm256_fmadd_pd(a.0, b.0, c.0), _mm256_fmadd_pd(a.1, b.1, c.1)) }
    }

    #[inline(always)]
    fn mul_add_one(self, a: f64, b: f64, c: f64) -> f64 {
        a.mul_add(b, c)
    }

    #[inline(always)]
    fn max(self, a: RegisterPair<__m256d>, b: RegisterPair<__m256d>) -> RegisterPair<__m256d> {
        unsafe { RegisterPair(_mm256_max_pd(a.0, b.0), _mm256_max_pd(a.1, b.1)) }
    }

    #[inline(always)]
    fn min(self, a: RegisterPair<__m256d>, b: RegisterPair<__m256d>) -> RegisterPair<__m256d> {
        unsafe { RegisterPair(_mm256_min_pd(a.0, b.0), _mm256_min_pd(a.1, b.1)) }
    }

    #[inline(always)]
    fn abs(self, a: RegisterPair<__m256d>) -> RegisterPair<__m256d> {
        unsafe {
            let sign = _mm256_set1_pd(-0.0);
            RegisterPair(_mm256_andnot_pd(sign, a.0), _mm256_andnot_pd(sign, a.1))
        }
    }

    #[inline(always)]
    fn sqrt(self, a: RegisterPair<__m256d>) -> RegisterPair<__m256d> {
        unsafe { RegisterPair(_mm256_sqrt_pd(a.0), _mm256_sqrt_pd(a.1)) }
    }

    #[inline(always)]
    fn interleave(
        self,
        a: RegisterPair<__m256d>,
        b: RegisterPair<__m256d>,
    ) -> (RegisterPair<__m256d>, RegisterPair<__m256d>) {
        let halves = |a, b| unsafe {
            // Unpacking interleaves within each 128-bit half; the permutations put the halves in order.
            let (low, high) = (_mm256_unpacklo_pd(a, b), _mm256_unpackhi_pd(a, b));
            RegisterPair(_mm256_permute2f128_pd::<0x20>(low, high), _mm256_permute2f128_pd::<0x31>(low, high))
        };
        (halves(a.0, b.0), halves(a.1, b.1))
    }

    #[inline(always)]
    fn exp2(self, a: RegisterPair<__m256d>) -> RegisterPair<__m256d> {
        unsafe {
            let floor = RegisterPair(_mm256_floor_pd(a.0), _mm256_floor_pd(a.1));
            let power = polynomial(self, self.sub(a, floor), &COEFFICIENTS_F64);
            RegisterPair(scaled_f64(power.0, floor.0), scaled_f64(power.1, floor.1))
        }
    }
}

impl Simd for Avx2<f32> {
    type Element = f32;
    type Vector = RegisterPair<__m256>;

    const N_SUMS: usize = 6;

    #[inline(always)]
    fn run<W: Work<Self>>(self, work: W) -> W::Output {
        #[target_feature(enable = "avx2,fma")]
        fn enabled<W: Work<Avx2<f32>>>(simd: Avx2<f32>, work: W) -> W::Output {
            work.work(simd)
        }
        unsafe { enabled(self, work) }
    }

    #[inline(always)]
    fn splat(self, value: f32) -> RegisterPair<__m256> {
        let half = unsafe { _mm256_set1_ps(value) };
        RegisterPair(half, half)
    }

    #[inline(always)]
    fn load(self, lanes: &AlignedLanes<[f32; 16]>) -> RegisterPair<__m256> {
        let (low, high) = lanes.0.split_at(8);
        unsafe { RegisterPair(_mm256_load_ps(low.as_ptr()), _mm256_load_ps(high.as_ptr())) }
    }

    #[inline(always)]
    fn load_slice(self, values: &[f32]) -> RegisterPair<__m256> {
        let (low, high) = values[..16].split_at(8);
        unsafe { RegisterPair(_mm256_loadu_ps(low.as_ptr()), _mm256_loadu_ps(high.as_ptr())) }
    }

    #[inline(always)]
    fn store(self, vector: RegisterPair<__m256>) -> AlignedLanes<[f32; 16]> {
        let mut lanes = AlignedLanes([0.0; 16]);
        let (low, high) = lanes.0.split_at_mut(8);
        unsafe { _mm256_store_ps(low.as_mut_ptr(), vector.0) };
        unsafe { _mm256_store_ps(high.as_mut_ptr(), vector.1) };
        lanes
    }

    #[inline(always)]
    fn add(self, a: RegisterPair<__m256>, b: RegisterPair<__m256>) -> RegisterPair<__m256> {
        unsafe { RegisterPair(_mm256_add_ps(a.0, b.0), _mm256_add_ps(a.1, b.1)) }
    }

    #[inline(always)]
    fn sub(self, a: RegisterPair<__m256>, b: RegisterPair<__m256>) -> RegisterPair<__m256> {
        unsafe { RegisterPair(_mm256_sub_ps(a.0, b.0), _mm256_sub_ps(a.1, b.1)) }
    }

    #[inline(always)]
    fn mul(self, a: RegisterPair<__m256>, b: RegisterPair<__m256>) -> RegisterPair<__m256> {
        unsafe { RegisterPair(_mm256_mul_ps(a.0, b.0), _mm256_mul_ps(a.1, b.1)) }
    }

    #[inline(always)]
    fn div(self, a: RegisterPair<__m256>, b: RegisterPair<__m256>) -> RegisterPair<__m256> {
        unsafe { RegisterPair(_mm256_div_ps(a.0, b.0), _mm256_div_ps(a.1, b.1)) }
    }

    #[inline(always)]
    fn mul_add(
        self,
        a: RegisterPair<__m256>,
        b: RegisterPair<__m256>,
        c: RegisterPair<__m256>,
    ) -> RegisterPair<__m256> {
        unsafe { RegisterPair(_mm256_fmadd_ps(a.0, b.0, c.0), _mm256_fmadd_ps(a.1, b.1, c.1)) }
    }

    #[inline(always)]
    fn mul_add_one(self, a: f64, b: f64, c: f64) -> f64 {
        a.mul_add(b, c)
    }

    #[inline(always)]
    fn max(self, a: RegisterPair<__m256>, b: RegisterPair<__m256>) -> RegisterPair<__m256> {
        unsafe { RegisterPair(_mm256_max_ps(a.0, b.0), _mm256_max_ps(a.1, b.1)) }
    }

    #[inline(always)]
    fn min(self, a: RegisterPair<__m256>, b: RegisterPair<__m256>) -> RegisterPair<__m256> {
        unsafe { RegisterPair(_mm256_min_ps(a.0, b.0), _mm256_min_ps(a.1, b.1)) }
    }

    #[inline(always)]
    fn abs(self, a: RegisterPair<__m256>) -> RegisterPair<__m256> {
        unsafe {
            let sign = _mm256_set1_ps(-0.0);
            RegisterPair(_mm256_andnot_ps(sign, a.0), _mm256_andnot_ps(sign, a.1))
        }
    }

    #[inline(always)]
    fn sqrt(self, a: RegisterPair<__m256>) -> RegisterPair<__m256> {
        unsafe { RegisterPair(_mm256_sqrt_ps(a.0), _mm256_sqrt_ps(a.1)) }
    }

    #[inline(always)]
    fn interleave(
        self,
        a: RegisterPair<__m256>,
        b: RegisterPair<__m256>,
    ) -> (RegisterPair<__m256>, RegisterPair<__m256>) {
        let halves = |a, b| unsafe {
            // Unpacking interleaves within each 128-bit half; the permutations put the halves in order.
            let (low, high) = (_mm256_unpacklo_ps(a, b), _mm256_unpackhi_ps(a, b));
            RegisterPair(_mm256_permute2f128_ps::<0x20>(low, high), _mm256_permute2f128_ps::<0x31>(low, high))
        };
        (halves(a.0, b.0), halves(a.1, b.1))
    }

    #[inline(always)]
    fn exp2(self, a: RegisterPair<__m256>) -> RegisterPair<__m256> {
        unsafe {
            let floor = RegisterPair(_mm256_floor_ps(a.0), _mm256_floor_ps(a.1));
            let power = polynomial(self, self.sub(a, floor), &COEFFICIENTS_F32);
            RegisterPair(scaled_f32(power.0, floor.0), scaled_f32(power.1, floor.1))
        }
    }
}

/// power · 2^floor, and 0 where that is below the normal numbers.
///
/// # Safety
///
/// The CPU must have AVX2.
#[inline(always)]
unsafe fn scaled_f64(power: __m256d, floor: __m256d) -> __m256d {
    unsafe {
        // Adding 3 · 2⁵¹ puts a whole number into the lowest bits; shifted, it adds to the exponent.
        let bits = _mm256_castpd_si256(_mm256_add_pd(floor, _mm256_set1_pd(6_755_399_441_055_744.0)));
        let scaled = _mm256_add_epi64(_mm256_castpd_si256(power), _mm256_slli_epi64::<52>(bits));
        let normal = _mm256_cmp_pd::<_CMP_GE_OQ>(floor, _mm256_set1_pd(-1022.0));
        _mm256_and_pd(_mm256_castsi256_pd(scaled), normal)
    }
}

/// power · 2^floor, and 0 where that is below the normal numbers.
///
/// # Safety
///
/// The CPU must have AVX2.
#[inline(always)]
unsafe fn scaled_f32(power: __m256, floor: __m256) -> __m256 {
    unsafe {
        // Adding 3 · 2²² puts a whole number into the lowest bits; shifted, it adds to the exponent.
        let bits = _mm256_castps_si256(_mm256_add_ps(floor, _mm256_set1_ps(12_582_912.0)));
        let scaled = _mm256_add_epi32(_mm256_castps_si256(power), _mm256_slli_epi32::<23>(bits));
        let normal = _mm256_cmp_ps::<_CMP_GE_OQ>(floor, _mm256_set1_ps(-126.0));
        _mm256_and_ps(_mm256_castsi256_ps(scaled), normal)
    }
}
