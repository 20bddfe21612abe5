//! Numbers as people read them.

pub use protodash_report::numbers::{count, counted};

/// A part of 1 as a percentage, as pages show it but for the space, which terminals may break.
///
/// # Examples
///
/// ```
/// assert_eq!(protodash_result::numbers::percent(0.5), "50.0 %");
/// ```
#[must_use]
pub fn percent(part: f64) -> String {
    protodash_report::numbers::percent(part).replace('\u{a0}', " ")
}

/// Numbers of one column in one notation, with four digits for the largest.
///
/// # Examples
///
/// ```
/// use protodash_result::numbers::*;
///
/// assert_eq!(column(&[12.0, 1.5]), ["12.00", "1.50"]);
/// ```
#[must_use]
pub fn column(values: &[f64]) -> Vec<String> {
    let largest = values.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
    if largest == 0.0 {
        return vec!["0".to_owned(); values.len()];
    }
    if !(1e-4..1e6).contains(&largest) {
        return values.iter().map(|value| format!("{value:.3e}")).collect();
    }
    let digits = (3 - largest.log10().floor() as i32).max(0) as usize;
    values.iter().map(|value| format!("{value:.digits$}")).collect()
}

/// One number with four digits.
///
/// # Examples
///
/// ```
/// use protodash_result::numbers::*;
///
/// assert_eq!(short(0.3), "0.3000");
/// ```
#[must_use]
pub fn short(value: f64) -> String {
    column(&[value]).concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_grouped() {
        assert_eq!([0, 999, 1797, 1234567].map(count), ["0", "999", "1,797", "1,234,567"]);
        assert_eq!((counted(1, "row"), counted(1200, "row")), ("1 row".to_owned(), "1,200 rows".to_owned()));
    }

    #[test]
    fn percentages_do_not_round_to_all_or_nothing() {
        let parts = [0.8861, 0.99997, 1.0, 0.0, 0.00001, 1.0 - 1e-15, -0.125];
        assert_eq!(parts.map(percent), ["88.6 %", "99.997 %", "100.0 %", "0.0 %", "0.001 %", "100.0 %", "-12.5 %"]);
    }

    #[test]
    fn a_column_has_one_notation() {
        assert_eq!(column(&[0.2131, 0.00123]), ["0.2131", "0.0012"]);
        assert_eq!(column(&[12.0, 1.5]), ["12.00", "1.50"]);
        assert_eq!(column(&[1e30, 1.0]), ["1.000e30", "1.000e0"]);
        assert_eq!(column(&[0.0, 0.0]), ["0", "0"]);
        assert_eq!(column(&[123456.7]), ["123457"]);
    }
}
