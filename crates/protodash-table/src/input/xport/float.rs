//! IBM hexadecimal floating point, the numbers of SAS transport files.

/// Returns the number in `bytes`, of which there are at most 8, or `None` if it is missing.
///
/// # Formula
///
/// ```text
/// (−1)^s · 16^(e − 64) · 0.f
/// ```
///
/// with the sign `s` in the first bit, the exponent `e` in the next 7 and the fraction `f` in the others. A fraction of
/// zeros means 0 with an exponent of 0 and missing with any other: the first byte then is `.`, `_` or a letter.
pub(crate) fn number(bytes: &[u8]) -> Option<f64> {
    // SAS shortens a number by leaving off its last bytes.
    let mut whole = [0; 8];
    for (to, from) in whole.iter_mut().zip(bytes) {
        *to = *from;
    }
    let bits = u64::from_be_bytes(whole);
    let fraction = bits & 0x00ff_ffff_ffff_ffff;
    let exponent = i32::from(whole[0] & 0x7f);
    if fraction == 0 {
        return (exponent == 0).then_some(0.0);
    }
    // The fraction has up to 56 bits and is rounded to the nearest 53; the powers of 2 lie within 2^±312.
    let magnitude = fraction as f64 * 2_f64.powi(4 * (exponent - 64) - 56);
    Some(if whole[0] & 0x80 == 0 { magnitude } else { -magnitude })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_by_hand() {
        // 1 = 16^1 · 1/16, -118.625 = -16^2 · (7·16 + 6 + 10/16) / 256 (the example of IBM's manual).
        assert_eq!(number(&[0x41, 0x10, 0, 0, 0, 0, 0, 0]), Some(1.0));
        assert_eq!(number(&[0xc2, 0x76, 0xa0, 0, 0, 0, 0, 0]), Some(-118.625));
        assert_eq!(number(&[0; 8]), Some(0.0));
        assert_eq!(number(&[0x80, 0, 0, 0, 0, 0, 0, 0]), Some(0.0));
        // 0.1 = 16^0 · 0.1, cut off after 56 bits and rounded up in the last, as SAS does.
        assert_eq!(number(&[0x40, 0x19, 0x99, 0x99, 0x99, 0x99, 0x99, 0x9a]), Some(0.1));
        // The largest and the smallest.
        assert_eq!(number(&[0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]), Some(16_f64.powi(63)));
        assert_eq!(number(&[0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x01]), Some(2_f64.powi(-312)));
    }

    #[test]
    fn short_numbers_omit_their_last_bytes() {
        assert_eq!(number(&[0xc2, 0x76, 0xa0]), Some(-118.625));
        assert_eq!(number(&[0x2e, 0]), None);
    }

    #[test]
    fn all_missing_values_of_sas() {
        for first in (b'A'..=b'Z').chain([b'.', b'_']) {
            assert_eq!(number(&[first, 0, 0, 0, 0, 0, 0, 0]), None);
        }
    }
}
