//! Vectors as plain arrays, which the compiler vectorises for its target CPU.

use std::marker::PhantomData;

use super::exp2::{COEFFICIENTS_F32, COEFFICIENTS_F64, polynomial};
use super::{AlignedLanes, Simd, Work};

/// Needs no instructions beyond those of the target CPU.
#[derive(Clone, Copy)]
pub(crate) struct Portable<E>(PhantomData<E>);

impl<E> Portable<E> {
    pub(crate) fn new() -> Self {
        Portable(PhantomData)
    }
}

/// True if the target CPU has a fused multiply-add; elsewhere it would be a slow library call.
const FUSED: bool = cfg!(any(target_feature = "fma", target_arch = "aarch64"));

macro_rules! portable {
    ($element:ty, $n_lanes:literal, $coefficients:ident, $scaled:ident) => {
        impl Simd for Portable<$element> {
            type Element = $element;
            type Vector = [$element; $n_lanes];

            const N_SUMS: usize = 2;

            #[inline(always)]
            fn run<W: Work<Self>>(self, work: W) -> W::Output {
                #[inline(never)]
                fn outlined<W: Work<Portable<$element>>>(simd: Portable<$element>, work: W) -> W::Output {
                    work.work(simd)
                }
                outlined(self, work)
            }

            #[inline(always)]
            fn splat(self, value: $element) -> Self::Vector {
                [value; $n_lanes]
            }

            #[inline(always)]
            fn load(self, lanes: &AlignedLanes<Self::Vector>) -> Self::Vector {
                lanes.0
            }

            #[inline(always)]
            fn load_slice(self, values: &[$element]) -> Self::Vector {
                let values = &values[..$n_lanes];
                std::array::from_fn(|lane| values[lane])
            }

            #[inline(always)]
            fn store(self, vector: Self::Vector) -> AlignedLanes<Self::Vector> {
                AlignedLanes(vector)
            }

            #[inline(always)]
            fn add(self, a: Self::Vector, b: Self::Vector) -> Self::Vector {
                std::array::from_fn(|lane| a[lane] + b[lane])
            }

            #[inline(always)]
            fn sub(self, a: Self::Vector, b: Self::Vector) -> Self::Vector {
                std::array::from_fn(|lane| a[lane] - b[lane])
            }

            #[inline(always)]
            fn mul(self, a: Self::Vector, b: Self::Vector) -> Self::Vector {
                std::array::from_fn(|lane| a[lane] * b[lane])
            }

            #[inline(always)]
            fn div(self, a: Self::Vector, b: Self::Vector) -> Self::Vector {
                std::array::from_fn(|lane| a[lane] / b[lane])
            }

            #[inline(always)]
            fn mul_add(self, a: Self::Vector, b: Self::Vector, c: Self::Vector) -> Self::Vector {
                std::array::from_fn(
                    |lane| {
                        if FUSED { a[lane].mul_add(b[lane], c[lane]) } else { a[lane] * b[lane] + c[lane] }
                    },
                )
            }

            #[inline(always)]
            fn mul_add_one(self, a: f64, b: f64, c: f64) -> f64 {
                if FUSED { a.mul_add(b, c) } else { a * b + c }
            }

            #[inline(always)]
            fn max(self, a: Self::Vector, b: Self::Vector) -> Self::Vector {
                std::array::from_fn(|lane| if a[lane] > b[lane] { a[lane] } else { b[lane] })
            }

            #[inline(always)]
            fn min(self, a: Self::Vector, b: Self::Vector) -> Self::Vector {
                std::array::from_fn(|lane| if a[lane] < b[lane] { a[lane] } else { b[lane] })
            }

            #[inline(always)]
            fn abs(self, a: Self::Vector) -> Self::Vector {
                a.map(<$element>::abs)
            }

            #[inline(always)]
            fn sqrt(self, a: Self::Vector) -> Self::Vector {
                a.map(<$element>::sqrt)
            }

            #[inline(always)]
            fn interleave(self, a: Self::Vector, b: Self::Vector) -> (Self::Vector, Self::Vector) {
                let place = |place: usize| if place % 2 == 0 { a[place / 2] } else { b[place / 2] };
                (std::array::from_fn(place), std::array::from_fn(|lane| place(lane + $n_lanes)))
            }

            #[inline(always)]
            fn exp2(self, a: Self::Vector) -> Self::Vector {
                // Rounding a − 0.5 to the nearest whole number gives ⌊a⌋ or, on a tie, its neighbour.
                let shifted = a.map(|a| (a - 0.5) + Self::SHIFT);
                let floor = shifted.map(|shifted| shifted - Self::SHIFT);
                let power = polynomial(self, self.sub(a, floor), &$coefficients);
                std::array::from_fn(|lane| $scaled(power[lane], shifted[lane], floor[lane]))
            }
        }
    };
}

portable!(f64, 8, COEFFICIENTS_F64, scaled_f64);
portable!(f32, 16, COEFFICIENTS_F32, scaled_f32);

impl Portable<f64> {
    /// Added to a whole number, it moves that number into the lowest bits.
    const SHIFT: f64 = 6_755_399_441_055_744.0; // 3 · 2⁵¹
}

impl Portable<f32> {
    /// Added to a whole number, it moves that number into the lowest bits.
    const SHIFT: f32 = 12_582_912.0; // 3 · 2²²
}

/// power · 2^floor, and 0 where that is below the normal numbers.
#[inline(always)]
fn scaled_f64(power: f64, shifted: f64, floor: f64) -> f64 {
    let scaled = f64::from_bits(power.to_bits().wrapping_add(shifted.to_bits() << 52));
    if floor >= -1022.0 { scaled } else { 0.0 }
}

/// power · 2^floor, and 0 where that is below the normal numbers.
#[inline(always)]
fn scaled_f32(power: f32, shifted: f32, floor: f32) -> f32 {
    let scaled = f32::from_bits(power.to_bits().wrapping_add(shifted.to_bits() << 23));
    if floor >= -126.0 { scaled } else { 0.0 }
}
