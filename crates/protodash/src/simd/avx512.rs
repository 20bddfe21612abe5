//! Vectors of 512 bits in one register: AVX-512 F and DQ.
#![allow(unsafe_code)]

use std::arch::x86_64::*;
use std::marker::PhantomData;

use super::exp2::{COEFFICIENTS_F32, COEFFICIENTS_F64, polynomial};
use super::{AlignedLanes, Simd, Work};

/// Proof of AVX-512 F and DQ.
#[derive(Clone, Copy)]
pub(crate) struct Avx512<E>(PhantomData<E>);

impl<E> Avx512<E> {
    /// The proof, if the CPU has the instructions and the operating system supports their registers.
    pub(crate) fn detect() -> Option<Self> {
        let detected = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("fma");
        detected.then_some(Avx512(PhantomData))
    }
}

/// Rounding mode: down, with exceptions suppressed.
const DOWN: i32 = 0x9;

// SAFETY of every block below: the instructions are those of AVX-512 F or DQ, and `self` exists only where `detect`
// found both; aligned loads and stores go to `AlignedLanes` references, which are valid, of 64 bytes and aligned to 64; the
// others go to slices of 64 bytes.

impl Simd for Avx512<f64> {
    type Element = f64;
    type Vector = __m512d;

    const N_SUMS: usize = 12;

    #[inline(always)]
    fn run<W: Work<Self>>(self, work: W) -> W::Output {
        #[target_feature(enable = "avx512f,avx512dq,avx2,fma")]
        fn enabled<W: Work<Avx512<f64>>>(simd: Avx512<f64>, work: W) -> W::Output {
            work.work(simd)
        }
        unsafe { enabled(self, work) }
    }

    #[inline(always)]
    fn splat(self, value: f64) -> __m512d {
        unsafe { _mm512_set1_pd(value) }
    }

    #[inline(always)]
    fn load(self, lanes: &AlignedLanes<[f64; 8]>) -> __m512d {
        unsafe { _mm512_load_pd(lanes.0.as_ptr()) }
    }

    #[inline(always)]
    fn load_slice(self, values: &[f64]) -> __m512d {
        unsafe { _mm512_loadu_pd(values[..8].as_ptr()) }
    }

    #[inline(always)]
    fn store(self, vector: __m512d) -> AlignedLanes<[f64; 8]> {
        let mut lanes = AlignedLanes([0.0; 8]);
        unsafe { _mm512_store_pd(lanes.0.as_mut_ptr(), vector) };
        lanes
    }

    #[inline(always)]
    fn add(self, a: __m512d, b: __m512d) -> __m512d {
        unsafe { _mm512_add_pd(a, b) }
    }

    #[inline(always)]
    fn sub(self, a: __m512d, b: __m512d) -> __m512d {
        unsafe { _mm512_sub_pd(a, b) }
    }

    #[inline(always)]
    fn mul(self, a: __m512d, b: __m512d) -> __m512d {
        unsafe { _mm512_mul_pd(a, b) }
    }

    #[inline(always)]
    fn div(self, a: __m512d, b: __m512d) -> __m512d {
        unsafe { _mm512_div_pd(a, b) }
    }

    #[inline(always)]
    fn mul_add(self, a: __m512d, b: __m512d, c: __m512d) -> __m512d {
        unsafe { _mm512_fmadd_pd(a, b, c) }
    }

    #[inline(always)]
    fn mul_add_one(self, a: f64, b: f64, c: f64) -> f64 {
        a.mul_add(b, c)
    }

    #[inline(always)]
    fn max(self, a: __m512d, b: __m512d) -> __m512d {
        unsafe { _mm512_max_pd(a, b) }
    }

    #[inline(always)]
    fn min(self, a: __m512d, b: __m512d) -> __m512d {
        unsafe { _mm512_min_pd(a, b) }
    }

    #[inline(always)]
    fn abs(self, a: __m512d) -> __m512d {
        unsafe { _mm512_abs_pd(a) }
    }

    #[inline(always)]
    fn sqrt(self, a: __m512d) -> __m512d {
        unsafe { _mm512_sqrt_pd(a) }
    }

    #[inline(always)]
    fn interleave(self, a: __m512d, b: __m512d) -> (__m512d, __m512d) {
        unsafe {
            let low = _mm512_setr_epi64(0, 8, 1, 9, 2, 10, 3, 11);
            let high = _mm512_setr_epi64(4, 12, 5, 13, 6, 14, 7, 15);
            (_mm512_permutex2var_pd(a, low, b), _mm512_permutex2var_pd(a, high, b))
        }
    }

    #[inline(always)]
    fn exp2(self, a: __m512d) -> __m512d {
        // `reduce` gives a − ⌊a⌋ (0 for −∞); `scalef` multiplies by 2^⌊a⌋ and handles subnormal results.
        let power = polynomial(self, unsafe { _mm512_reduce_pd::<DOWN>(a) }, &COEFFICIENTS_F64);
        unsafe { _mm512_scalef_pd(power, a) }
    }
}

impl Simd for Avx512<f32> {
    type Element = f32;
    type Vector = __m512;

    const N_SUMS: usize = 12;

    #[inline(always)]
    fn run<W: Work<Self>>(self, work: W) -> W::Output {
        #[target_feature(enable = "avx512f,avx512dq,avx2,fma")]
        fn enabled<W: Work<Avx512<f32>>>(simd: Avx512<f32>, work: W) -> W::Output {
            work.work(simd)
        }
        unsafe { enabled(self, work) }
    }

    #[inline(always)]
    fn splat(self, value: f32) -> __m512 {
        unsafe { _mm512_set1_ps(value) }
    }

    #[inline(always)]
    fn load(self, lanes: &AlignedLanes<[f32; 16]>) -> __m512 {
        unsafe { _mm512_load_ps(lanes.0.as_ptr()) }
    }

    #[inline(always)]
    fn load_slice(self, values: &[f32]) -> __m512 {
        unsafe { _mm512_loadu_ps(values[..16].as_ptr()) }
    }

    #[inline(always)]
    fn store(self, vector: __m512) -> AlignedLanes<[f32; 16]> {
        let mut lanes = AlignedLanes([0.0; 16]);
        unsafe { _mm512_store_ps(lanes.0.as_mut_ptr(), vector) };
        lanes
    }

    #[inline(always)]
    fn add(self, a: __m512, b: __m512) -> __m512 {
        unsafe { _mm512_add_ps(a, b) }
    }

    #[inline(always)]
    fn sub(self, a: __m512, b: __m512) -> __m512 {
        unsafe { _mm512_sub_ps(a, b) }
    }

    #[inline(always)]
    fn mul(self, a: __m512, b: __m512) -> __m512 {
        unsafe { _mm512_mul_ps(a, b) }
    }

    #[inline(always)]
    fn div(self, a: __m512, b: __m512) -> __m512 {
        unsafe { _mm512_div_ps(a, b) }
    }

    #[inline(always)]
    fn mul_add(self, a: __m512, b: __m512, c: __m512) -> __m512 {
        unsafe { _mm512_fmadd_ps(a, b, c) }
    }

    #[inline(always)]
    fn mul_add_one(self, a: f64, b: f64, c: f64) -> f64 {
        a.mul_add(b, c)
    }

    #[inline(always)]
    fn max(self, a: __m512, b: __m512) -> __m512 {
        unsafe { _mm512_max_ps(a, b) }
    }

    #[inline(always)]
    fn min(self, a: __m512, b: __m512) -> __m512 {
        unsafe { _mm512_min_ps(a, b) }
    }

    #[inline(always)]
    fn abs(self, a: __m512) -> __m512 {
        unsafe { _mm512_abs_ps(a) }
    }

    #[inline(always)]
    fn sqrt(self, a: __m512) -> __m512 {
        unsafe { _mm512_sqrt_ps(a) }
    }

    #[inline(always)]
    fn interleave(self, a: __m512, b: __m512) -> (__m512, __m512) {
        unsafe {
            let low = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
            let high = _mm512_setr_epi32(8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
            (_mm512_permutex2var_ps(a, low, b), _mm512_permutex2var_ps(a, high, b))
        }
    }

    #[inline(always)]
    fn exp2(self, a: __m512) -> __m512 {
        // As for f64.
        let power = polynomial(self, unsafe { _mm512_reduce_ps::<DOWN>(a) }, &COEFFICIENTS_F32);
        unsafe { _mm512_scalef_ps(power, a) }
    }
}
