//! Exact sums of `f64`, so that means and spreads do not depend on the order of rows or on how a table is split into parts.
//!
//! Rounded sums depend on both. An exact sum is an integer in units of the smallest number; it is rounded once, when it is
//! read. This is Kulisch's long accumulator in base 2³² with delayed carries: a 64-bit digit takes 2³¹ additions before it
//! can overflow. Only the digits that a column needs are stored, a few dozen bytes. Shewchuk's expansions would need as
//! little memory but take longer for each number, and squares that overflow would have to be scaled.

/// Bits per digit.
const BITS: usize = 32;

/// The lower bits of a digit, without the pending carry.
const MASK: i64 = (1 << BITS) - 1;

/// The number of additions after which digits are carried.
const MAX_PENDING: u32 = 1 << 29;

/// The exponent of the smallest number: the unit of a sum is 2⁻¹⁰⁷⁴, that of a sum of squares its square.
const UNIT: i32 = -1074;

/// Sum and sum of squares of numbers, both exact.
///
/// Equal multisets of numbers give equal means and deviations, to the last bit.
#[derive(Clone, Debug, Default)]
pub(super) struct ExactMoments {
    n: u64,
    sum: LongSum,
    squares: LongSum,
}

impl ExactMoments {
    /// Adds a finite number.
    pub(super) fn add(&mut self, value: f64) {
        self.n += 1;
        let bits = value.to_bits();
        let (exponent, fraction) = ((bits >> 52) & 0x7ff, bits & ((1 << 52) - 1));
        // Subnormal numbers have no implied bit, and the exponent of the smallest normal ones.
        let (mantissa, place) = match exponent {
            0 => (fraction, 0),
            _ => (fraction | 1 << 52, exponent as usize - 1),
        };
        if mantissa == 0 {
            return;
        }
        self.sum.add(mantissa, place, value.is_sign_negative());
        let square = u128::from(mantissa) * u128::from(mantissa);
        self.squares.add(square as u64, 2 * place, false);
        self.squares.add((square >> 64) as u64, 2 * place + 64, false);
    }

    /// Adds the numbers of `other`.
    pub(super) fn merge(&mut self, other: &ExactMoments) {
        self.n += other.n;
        self.sum.merge(&other.sum);
        self.squares.merge(&other.squares);
    }

    /// Returns the mean; NaN without numbers.
    pub(super) fn mean(&self) -> f64 {
        let (leading, exponent, is_negative) = self.sum.clone().magnitude().leading();
        let mean = times_power_of_2(leading / self.n as f64, exponent + UNIT);
        if is_negative { -mean } else { mean }
    }

    /// Returns the population standard deviation (n, not n − 1); NaN without numbers.
    pub(super) fn deviation(&self) -> f64 {
        // n²·variance = n·Σx² − (Σx)², which is never negative and exact here despite the cancellation.
        let (sum, squares) = (self.sum.clone().magnitude(), self.squares.clone().magnitude());
        let n = Magnitude { digits: vec![self.n as u32, (self.n >> 32) as u32], first: 0, is_negative: false };
        let (leading, exponent, _) = squares.times(&n).minus(&sum.times(&sum)).leading();
        let exponent = exponent + 2 * UNIT;
        // The root of a power of 2 is exact if its exponent is even.
        let (leading, half) = match exponent.rem_euclid(2) {
            0 => (leading, exponent / 2),
            _ => (2.0 * leading, (exponent - 1) / 2),
        };
        times_power_of_2(leading.sqrt() / self.n as f64, half)
    }
}

/// A long integer as signed digits, some with pending carries.
#[derive(Clone, Debug, Default)]
struct LongSum {
    digits: Vec<i64>,
    /// The position of the first digit, which counts 2^(32·first).
    first: usize,
    n_pending: u32,
}

impl LongSum {
    /// Adds ±`number`·2^`place`.
    fn add(&mut self, number: u64, place: usize, is_negative: bool) {
        let (at, shift) = (place / BITS, place % BITS);
        self.make_room(at, 3);
        let shifted = u128::from(number) << shift;
        let parts = [shifted as i64 & MASK, (shifted >> BITS) as i64 & MASK, (shifted >> (2 * BITS)) as i64];
        let digits = &mut self.digits[at - self.first..][..3];
        for (digit, part) in digits.iter_mut().zip(parts) {
            *digit += if is_negative { -part } else { part };
        }
        self.n_pending += 1;
        if self.n_pending == MAX_PENDING {
            self.carry();
        }
    }

    fn merge(&mut self, other: &LongSum) {
        if other.digits.is_empty() {
            return;
        }
        let mut other = other.clone();
        other.carry();
        self.carry();
        self.make_room(other.first, other.digits.len());
        let digits = &mut self.digits[other.first - self.first..];
        digits.iter_mut().zip(&other.digits).for_each(|(digit, more)| *digit += more);
    }

    /// Makes room for `n` digits from position `at` on.
    fn make_room(&mut self, at: usize, n: usize) {
        if self.digits.is_empty() {
            self.first = at;
        }
        if at < self.first {
            self.digits.splice(0..0, std::iter::repeat_n(0, self.first - at));
            self.first = at;
        }
        let needed = at - self.first + n;
        if self.digits.len() < needed {
            self.digits.resize(needed, 0);
        }
    }

    /// Carries, so that every digit but the last is between 0 and 2³² − 1; the last has the sign.
    fn carry(&mut self) {
        let mut carried = 0;
        for digit in &mut self.digits {
            let sum = *digit + carried;
            carried = sum >> BITS;
            *digit = sum & MASK;
        }
        if carried != 0 {
            self.digits.push(carried);
        }
        self.n_pending = 0;
    }

    /// Returns the integer as sign and magnitude.
    fn magnitude(mut self) -> Magnitude {
        self.carry();
        let is_negative = self.digits.last().is_some_and(|last| *last < 0);
        if is_negative {
            self.digits.iter_mut().for_each(|digit| *digit = -*digit);
            self.carry();
        }
        Magnitude {
            digits: self.digits.into_iter().map(|digit| digit as u32).collect(),
            first: self.first,
            is_negative,
        }
    }
}

/// A long integer as sign and digits, of which the last may be 0.
#[derive(Clone, Debug)]
struct Magnitude {
    digits: Vec<u32>,
    first: usize,
    is_negative: bool,
}

impl Magnitude {
    /// Returns the product, without its sign.
    fn times(&self, other: &Magnitude) -> Magnitude {
        let mut digits = vec![0; self.digits.len() + other.digits.len()];
        for (at, one) in self.digits.iter().enumerate() {
            let mut carried = 0;
            for (digit, two) in digits[at..].iter_mut().zip(&other.digits) {
                let sum = u64::from(*one) * u64::from(*two) + u64::from(*digit) + carried;
                (*digit, carried) = (sum as u32, sum >> BITS);
            }
            digits[at + other.digits.len()] = carried as u32;
        }
        Magnitude { digits, first: self.first + other.first, is_negative: false }
    }

    /// Returns the difference to `other`, which is not larger.
    fn minus(&self, other: &Magnitude) -> Magnitude {
        let first = if other.digits.is_empty() { self.first } else { self.first.min(other.first) };
        let end = (self.first + self.digits.len()).max(other.first + other.digits.len());
        let digit = |of: &Magnitude, place: usize| {
            place.checked_sub(of.first).and_then(|at| of.digits.get(at)).map_or(0, |digit| i64::from(*digit))
        };
        let mut borrowed = 0;
        let digits = (first..end).map(|place| {
            let difference = digit(self, place) - digit(other, place) + borrowed;
            borrowed = difference >> BITS;
            difference as u32
        });
        Magnitude { digits: digits.collect(), first, is_negative: false }
    }

    /// Returns the number as `leading · 2^exponent`, with `leading` rounded to the nearest `f64`, and its sign.
    fn leading(&self) -> (f64, i32, bool) {
        let Some(last) = self.digits.iter().rposition(|digit| *digit != 0) else { return (0.0, 0, false) };
        let digit = |below: usize| last.checked_sub(below).map_or(0, |at| u128::from(self.digits[at]));
        let three = digit(0) << (2 * BITS) | digit(1) << BITS | digit(2);
        // The first 64 bits, of which the last one tells whether anything other than 0 follows: rounding needs no more.
        let excess = (64 - three.leading_zeros()) as usize;
        let is_inexact =
            three & ((1 << excess) - 1) != 0 || self.digits[..last.saturating_sub(2)].iter().any(|digit| *digit != 0);
        let first_bits = (three >> excess) as u64 | u64::from(is_inexact);
        let exponent = (BITS * (self.first + last)) as i32 - 2 * BITS as i32 + excess as i32;
        (first_bits as f64, exponent, self.is_negative)
    }
}

/// Returns `value · 2^exponent`, in two steps if the power alone is out of range.
fn times_power_of_2(value: f64, exponent: i32) -> f64 {
    let half = exponent / 2;
    value * 2.0_f64.powi(half) * 2.0_f64.powi(exponent - half)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn moments(values: &[f64]) -> ExactMoments {
        let mut moments = ExactMoments::default();
        values.iter().for_each(|value| moments.add(*value));
        moments
    }

    #[test]
    fn sums_are_exact_where_rounded_ones_are_not() {
        // 1 is lost beside 10¹⁰⁰ in every rounded sum.
        assert_eq!(moments(&[1e100, 1.0, -1e100, 1.0]).mean(), 0.5);
        assert_eq!(moments(&[0.1; 10]).mean(), 0.1);
        assert_eq!(moments(&[0.1; 10]).deviation(), 0.0);
        assert_eq!(moments(&[-3.0, -5.0]).mean(), -4.0);
        assert_eq!(moments(&[0.0, -0.0]).mean(), 0.0);
        // Around 10⁹, and around the limits of f64.
        assert_eq!(moments(&[1e9 + 1.0, 1e9 + 3.0]).deviation(), 1.0);
        assert_eq!(moments(&[f64::MAX, f64::MAX, f64::MAX]).mean(), f64::MAX);
        assert_eq!(moments(&[f64::MAX, -f64::MAX]).deviation(), f64::MAX);
        assert_eq!(moments(&[5e-324, 5e-324, 1.5e-323]).mean(), 1e-323);
        assert!(moments(&[]).mean().is_nan() && moments(&[]).deviation().is_nan());
    }

    #[test]
    fn delayed_carries_change_nothing() {
        let mut often = moments(&[1.5, -2.25, 1e300, -1e300, 3e-300]);
        often.sum.carry();
        often.squares.carry();
        often.add(7.0);
        let rarely = moments(&[1.5, -2.25, 1e300, -1e300, 3e-300, 7.0]);
        assert_eq!((often.mean(), often.deviation()), (rarely.mean(), rarely.deviation()));
        let mut sum = LongSum { n_pending: MAX_PENDING - 1, ..LongSum::default() };
        sum.add(u64::MAX, 31, true);
        assert_eq!(sum.n_pending, 0);
        let (leading, exponent, is_negative) = sum.magnitude().leading();
        assert_eq!((leading * 2.0_f64.powi(exponent), is_negative), (2.0_f64.powi(95), true));
    }

    proptest! {
        #[test]
        fn the_order_and_the_split_into_parts_do_not_matter(
            mut values in prop::collection::vec(prop::num::f64::NORMAL | prop::num::f64::SUBNORMAL | prop::num::f64::ZERO, 1..40),
            cut in 0_usize..40,
        ) {
            let all = moments(&values);
            let cut = cut.min(values.len());
            let (mut front, back) = (moments(&values[..cut]), moments(&values[cut..]));
            front.merge(&back);
            values.sort_unstable_by(f64::total_cmp);
            let sorted = moments(&values);
            for other in [front, sorted] {
                prop_assert_eq!(all.mean().to_bits(), other.mean().to_bits());
                prop_assert_eq!(all.deviation().to_bits(), other.deviation().to_bits());
            }
        }

        #[test]
        fn whole_numbers_agree_with_integer_arithmetic(values in prop::collection::vec(-1_000_000_i64..1_000_000, 1..60)) {
            let exact = moments(&values.iter().map(|value| *value as f64).collect::<Vec<_>>());
            let (n, sum) = (values.len() as i128, values.iter().sum::<i64>() as i128);
            let squares: i128 = values.iter().map(|value| i128::from(value * value)).sum();
            prop_assert_eq!(exact.mean(), sum as f64 / n as f64);
            prop_assert_eq!(exact.deviation(), ((n * squares - sum * sum) as f64).sqrt() / n as f64);
        }

        #[test]
        fn deviations_match_the_two_pass_formula(values in prop::collection::vec(-1e6_f64..1e6, 2..60)) {
            let exact = moments(&values);
            let mean = values.iter().sum::<f64>() / values.len() as f64;
            let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / values.len() as f64;
            prop_assert!((exact.deviation() - variance.sqrt()).abs() <= 1e-12 * variance.sqrt().max(1e-3));
        }
    }
}
