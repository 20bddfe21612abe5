//! What a race remembers of a source row while the row is not raced, in 13 bytes.
//!
//! Every sum is rounded up, to 16 significant bits for the two that estimates come from and to 8 for the powers. The upper
//! bound increases with each of them, so that it still holds; it becomes about one percent wider.

use super::RacedRow;
use super::bound::DrawSums;

/// The sums and the level of a [`RacedRow`], rounded up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PackedRow {
    /// The upper three bytes of Σu − ΣΩπu and of Σπu.
    linear: [u8; 3],
    drawn: [u8; 3],
    /// The upper two bytes of Σu², Σu³ and Σu⁴.
    powers: [[u8; 2]; 3],
    level: u8,
}

impl PackedRow {
    /// The row with its sums rounded up.
    pub(crate) fn new(row: &RacedRow) -> Self {
        PackedRow {
            linear: upper_bytes(row.sums.linear),
            drawn: upper_bytes(row.sums.drawn),
            powers: row.sums.powers.map(upper_bytes),
            level: row.level,
        }
    }

    /// The row with the rounded sums.
    pub(crate) fn unpack(&self) -> RacedRow {
        let sums = DrawSums {
            linear: from_upper_bytes(self.linear),
            drawn: from_upper_bytes(self.drawn),
            powers: self.powers.map(from_upper_bytes),
        };
        RacedRow { sums, level: self.level }
    }
}

/// The first bytes of the smallest number that has no others and is at least this.
fn upper_bytes<const N: usize>(value: f32) -> [u8; N] {
    let dropped = u32::MAX.checked_shr(8 * N as u32).unwrap_or(0);
    // Bits of positive numbers are in their order, those of negative ones in the opposite order.
    let bits = if value > 0.0 { value.to_bits().saturating_add(dropped) } else { value.to_bits() };
    let bytes = bits.to_be_bytes();
    std::array::from_fn(|at| bytes[at])
}

fn from_upper_bytes<const N: usize>(upper: [u8; N]) -> f32 {
    let mut bytes = [0; 4];
    bytes[..N].copy_from_slice(&upper);
    f32::from_be_bytes(bytes)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(5000))]

        #[test]
        fn sums_are_rounded_up_and_only_once(value in prop::num::f32::NORMAL | prop::num::f32::ZERO) {
            let [two, three] = [from_upper_bytes(upper_bytes::<2>(value)), from_upper_bytes(upper_bytes::<3>(value))];
            prop_assert!(two >= three && three >= value, "{value} {three} {two}");
            prop_assert!(two.is_infinite() || f64::from(two - value) <= f64::from(value.abs()) / 128.0);
            prop_assert!(three.is_infinite() || f64::from(three - value) <= f64::from(value.abs()) / 32_768.0);
            prop_assert_eq!(from_upper_bytes(upper_bytes::<2>(two)), two);
            prop_assert_eq!(from_upper_bytes(upper_bytes::<3>(three)), three);
        }
    }

    #[test]
    fn a_row_takes_13_bytes() {
        assert_eq!(size_of::<PackedRow>(), 13);
        let row = RacedRow { sums: DrawSums { linear: -1.5, drawn: 0.25, powers: [3.0, -0.5, 2.0] }, level: 7 };
        assert_eq!(PackedRow::new(&row).unpack(), row);
    }
}
