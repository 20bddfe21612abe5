use super::*;

macro_rules! check_all {
    ($name:ident, $element:ty, $visit:ident) => {
        /// `operation` on every number, in vectors, at every level this CPU has.
        fn $name(numbers: &[$element], operation: impl Operation<$element>) -> Vec<(InstructionSet, Vec<$element>)> {
            struct Apply<'a, O>(&'a [$element], O);
            impl<O: Operation<$element>> Visitor<$element> for Apply<'_, O> {
                type Output = Vec<$element>;
                fn visit<S: Simd<Element = $element>>(self, simd: S) -> Vec<$element> {
                    simd.run(self)
                }
            }
            impl<O: Operation<$element>, S: Simd<Element = $element>> Work<S> for Apply<'_, O> {
                type Output = Vec<$element>;
                #[inline(always)]
                fn work(self, simd: S) -> Vec<$element> {
                    let mut results = Vec::new();
                    for chunk in self.0.chunks(<$element>::N_LANES) {
                        let mut lanes = <$element>::ZERO.splat();
                        lanes.0[..chunk.len()].copy_from_slice(chunk);
                        let result = simd.store(self.1.apply(simd, simd.load(&lanes)));
                        assert_eq!(simd.store(simd.load_slice(&lanes.0)).0, lanes.0);
                        results.extend_from_slice(&result.0[..chunk.len()]);
                    }
                    results
                }
            }
            let apply = |level: InstructionSet| (level, level.$visit(Apply(numbers, operation)));
            InstructionSet::available().into_iter().map(apply).collect()
        }
    };
}

/// A function of one vector.
trait Operation<E: Element>: Copy {
    fn apply<S: Simd<Element = E>>(self, simd: S, vector: S::Vector) -> S::Vector;
}

check_all!(at_every_level_f64, f64, visit_f64);
check_all!(at_every_level_f32, f32, visit_f32);

#[derive(Clone, Copy)]
struct Exp2;
impl<E: Element> Operation<E> for Exp2 {
    #[inline(always)]
    fn apply<S: Simd<Element = E>>(self, simd: S, vector: S::Vector) -> S::Vector {
        simd.exp2(vector)
    }
}

#[test]
fn exp2_is_accurate_over_its_whole_range_in_f64() {
    let dense = (0..200_000).map(|i| -f64::from(i) / 200_000.0 * 3.0);
    let wide = (0..300_000).map(|i| -f64::from(i) * 1022.0 / 300_000.0);
    let tiny = (1..300).map(|i| -(2.0_f64.powi(-i)));
    let numbers: Vec<f64> = dense.chain(wide).chain(tiny).collect();
    for (level, powers) in at_every_level_f64(&numbers, Exp2) {
        let error = |(a, power): (&f64, &f64)| (power / a.exp2() - 1.0).abs();
        let largest = numbers.iter().zip(&powers).map(error).fold(0.0, f64::max);
        assert!(largest <= f64::EXP2_ERROR, "{level:?}: {largest:e}");
    }
}

#[test]
fn exp2_is_accurate_over_its_whole_range_in_f32() {
    let dense = (0..400_000).map(|i| -(i as f32) / 400_000.0 * 3.0);
    let wide = (0..400_000).map(|i| -(i as f32) * 126.0 / 400_000.0);
    let tiny = (1..40).map(|i| -(2.0_f32.powi(-i)));
    let numbers: Vec<f32> = dense.chain(wide).chain(tiny).collect();
    for (level, powers) in at_every_level_f32(&numbers, Exp2) {
        let error = |(a, power): (&f32, &f32)| (f64::from(*power) / f64::from(*a).exp2() - 1.0).abs();
        let largest = numbers.iter().zip(&powers).map(error).fold(0.0, f64::max);
        assert!(largest <= f32::EXP2_ERROR, "{level:?}: {largest:e}");
    }
}

#[test]
fn exp2_of_zero_is_one_and_underflow_is_zero() {
    let numbers = [0.0, -0.0, -1.0, -10.0, -1074.9, -1100.0, -1e5, -1e300, f64::MIN, f64::NEG_INFINITY];
    for (level, powers) in at_every_level_f64(&numbers, Exp2) {
        assert_eq!(powers[..2], [1.0, 1.0], "{level:?}");
        assert!(
            (powers[2] * 2.0 - 1.0).abs() < 1e-15 && (powers[3] * 1024.0 - 1.0).abs() < 1e-15,
            "{level:?} {powers:?}"
        );
        assert!(powers[4] <= f64::from_bits(1), "{level:?} {powers:?}"); // half the smallest number rounds to it or to 0
        assert_eq!(powers[5..], [0.0; 5], "{level:?}");
    }
    let numbers = [0.0, -0.0, -1.0, -200.0, -1e5, -1e30, f32::MIN, f32::NEG_INFINITY];
    for (level, powers) in at_every_level_f32(&numbers, Exp2) {
        assert_eq!(powers[..2], [1.0, 1.0], "{level:?}");
        assert!((powers[2] - 0.5).abs() < 1e-7, "{level:?} {powers:?}");
        assert_eq!(powers[3..], [0.0; 5], "{level:?}");
    }
}

#[test]
fn subnormal_results_of_exp2_are_rounded_or_zero() {
    let numbers: Vec<f64> = (0..520).map(|i| -1022.0 - f64::from(i) / 10.0).collect();
    for (level, powers) in at_every_level_f64(&numbers, Exp2) {
        for (a, power) in numbers.iter().zip(powers) {
            let distance = (power - a.exp2()).abs();
            assert!(power == 0.0 || distance <= f64::from_bits(1).max(1e-15 * power), "{level:?} {a} {power:e}");
        }
    }
}

/// √|max(3a/(a + 1) − 2a · a, min(a, 5))|: every other operation once.
#[derive(Clone, Copy)]
struct Everything;
impl<E: Element> Operation<E> for Everything {
    #[inline(always)]
    fn apply<S: Simd<Element = E>>(self, simd: S, a: S::Vector) -> S::Vector {
        let number = |value: f64| simd.splat(E::of(value));
        let quotient = simd.div(simd.mul(number(3.0), a), simd.add(a, number(1.0)));
        let difference = simd.sub(quotient, simd.mul_add(a, a, simd.mul_add(a, a, number(0.0))));
        simd.sqrt(simd.abs(simd.max(difference, simd.min(a, number(5.0)))))
    }
}

#[test]
fn operations_match_scalar_arithmetic() {
    let numbers: Vec<f64> = (-400..400).map(|i| f64::from(i) / 16.0 + 1.0 / 64.0).collect();
    let expected = |a: f64| (3.0 * a / (a + 1.0) - 2.0 * a * a).max(a.min(5.0)).abs().sqrt();
    for (level, results) in at_every_level_f64(&numbers, Everything) {
        for (a, result) in numbers.iter().zip(results) {
            assert!((result - expected(*a)).abs() <= 1e-14 * expected(*a), "{level:?} {a} {result}");
        }
    }
    let numbers: Vec<f32> = numbers.iter().map(|a| *a as f32).collect();
    for (level, results) in at_every_level_f32(&numbers, Everything) {
        for (a, result) in numbers.iter().zip(results) {
            let expected = expected(f64::from(*a));
            assert!((f64::from(result) - expected).abs() <= 1e-6 * expected, "{level:?} {a} {result}");
        }
    }
}

/// a · a + 0.1 minus the same for single numbers.
#[derive(Clone, Copy)]
struct SquareDifference;
impl<E: Element> Operation<E> for SquareDifference {
    #[inline(always)]
    fn apply<S: Simd<Element = E>>(self, simd: S, a: S::Vector) -> S::Vector {
        let mut singly = simd.store(a);
        for value in E::lanes_mut(&mut singly) {
            *value = E::of(simd.mul_add_one(value.to_f64(), value.to_f64(), 0.1));
        }
        simd.sub(simd.mul_add(a, a, simd.splat(E::of(0.1))), simd.load(&singly))
    }
}

#[test]
fn scalar_multiply_add_rounds_like_a_lane() {
    let numbers: Vec<f64> = (1..1000).map(|i| 1.0 / f64::from(i)).collect();
    for (level, differences) in at_every_level_f64(&numbers, SquareDifference) {
        assert!(differences.iter().all(|difference| *difference == 0.0), "{level:?}");
    }
    let numbers: Vec<f32> = numbers.iter().map(|a| *a as f32).collect();
    for (level, differences) in at_every_level_f32(&numbers, SquareDifference) {
        assert!(differences.iter().all(|difference| difference.abs() <= 2e-7), "{level:?}");
    }
}

/// Numbers taken as a square of vectors, transposed.
macro_rules! check_transposed {
    ($name:ident, $element:ty, $visit:ident, $n:literal) => {
        #[test]
        fn $name() {
            struct Transpose;
            impl Visitor<$element> for Transpose {
                type Output = Vec<$element>;
                fn visit<S: Simd<Element = $element>>(self, simd: S) -> Vec<$element> {
                    simd.run(self)
                }
            }
            impl<S: Simd<Element = $element>> Work<S> for Transpose {
                type Output = Vec<$element>;
                #[inline(always)]
                fn work(self, simd: S) -> Vec<$element> {
                    let rows: [_; $n] = std::array::from_fn(|row| {
                        simd.load(&AlignedLanes(std::array::from_fn(|column| (row * $n + column) as $element)))
                    });
                    transposed(simd, rows).into_iter().flat_map(|column| simd.store(column).0).collect()
                }
            }
            for level in InstructionSet::available() {
                let columns = level.$visit(Transpose);
                let expected: Vec<$element> = (0..$n * $n).map(|i| (i % $n * $n + i / $n) as $element).collect();
                assert_eq!(columns, expected, "{level:?}");
            }
        }
    };
}

check_transposed!(a_square_is_transposed_in_f64, f64, visit_f64, 8);
check_transposed!(a_square_is_transposed_in_f32, f32, visit_f32, 16);
