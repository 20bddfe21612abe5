//! Numbers as text: for people, and for SVG.

pub use protodash_table::{count, counted};

/// No-break space, which keeps a number and its percent sign on one line.
const NO_BREAK: char = '\u{a0}';

/// A number with four significant digits.
pub(crate) fn short(value: f64) -> String {
    let size = value.abs();
    if value == 0.0 {
        return "0".to_owned();
    }
    if !(1e-4..1e6).contains(&size) {
        return format!("{value:.2e}");
    }
    with_digits(value, 4)
}

/// A number from the data: six significant digits, and all digits before the decimal point.
pub(crate) fn measured(value: f64) -> String {
    let size = value.abs();
    if value == 0.0 {
        return "0".to_owned();
    }
    if (1e-4..1e15).contains(&size) { with_digits(value, 6) } else { format!("{value:.5e}") }
}

/// At least this many significant digits, without trailing zeros.
fn with_digits(value: f64, wanted: i32) -> String {
    let digits = (wanted - 1 - value.abs().log10().floor() as i32).max(0) as usize;
    let text = format!("{value:.digits$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// A number with its sign and two decimals; no sign if it rounds to 0.
pub(crate) fn signed(value: f64) -> String {
    let text = format!("{value:+.2}");
    if text.ends_with("0.00") && text.len() == 5 { "0.00".to_owned() } else { text }
}

/// A fraction as a percentage, with enough digits not to show 0 or 100 when it is neither.
///
/// The space before the percent sign is non-breaking.
///
/// # Examples
///
/// ```
/// use protodash_report::numbers::percent;
///
/// assert_eq!([0.8861, 0.99997].map(percent), ["88.6\u{a0}%", "99.997\u{a0}%"]);
/// ```
pub fn percent(part: f64) -> String {
    let value = 100.0 * part;
    for digits in 1..=6 {
        let text = format!("{value:.digits$}");
        let rounded: f64 = text.parse().unwrap_or(value);
        if (rounded != 0.0 || value == 0.0) && (rounded != 100.0 || value == 100.0) {
            return format!("{text}{NO_BREAK}%");
        }
    }
    format!("{value:.1}{NO_BREAK}%")
}

/// A fraction as a percentage on an axis: without a trailing `.0`.
pub(crate) fn whole_percent(part: f64) -> String {
    let text = format!("{:.1}", 100.0 * part);
    format!("{}{NO_BREAK}%", text.strip_suffix(".0").unwrap_or(&text))
}

/// A duration in a suitable unit.
pub(crate) fn seconds(seconds: f64) -> String {
    match seconds {
        few if few < 1e-3 => format!("{:.0} µs", few * 1e6),
        few if few < 1.0 => format!("{:.0} ms", few * 1e3),
        some if some < 100.0 => format!("{some:.1} s"),
        many if many < 7200.0 => format!("{:.0} min", many / 60.0),
        long => format!("{:.1} h", long / 3600.0),
    }
}

/// A memory size in binary units; 0 means unknown.
pub(crate) fn bytes(bytes: u64) -> String {
    const MIB: f64 = (1 << 20) as f64;
    match bytes as f64 / MIB {
        0.0 => "unknown".to_owned(),
        mib if mib < 1024.0 => format!("{mib:.0} MiB"),
        mib => format!("{:.1} GiB", mib / 1024.0),
    }
}

/// A length in a drawing, to a tenth of a unit.
pub(crate) fn length(value: f64) -> String {
    let text = format!("{value:.1}");
    match text.strip_suffix(".0") {
        Some("-0") => "0".to_owned(),
        Some(whole) => whole.to_owned(),
        None => text,
    }
}

/// A fraction as a percentage for plain text, with an ordinary space.
///
/// # Examples
///
/// ```
/// assert_eq!(protodash_report::numbers::plain_percent(0.99997), "99.997 %");
/// ```
#[must_use]
pub fn plain_percent(part: f64) -> String {
    percent(part).replace(NO_BREAK, " ")
}

/// The numbers of one column in one notation, with four significant digits for the largest.
///
/// # Examples
///
/// ```
/// assert_eq!(protodash_report::numbers::aligned(&[12.0, 1.5]), ["12.00", "1.50"]);
/// ```
#[must_use]
pub fn aligned(values: &[f64]) -> Vec<String> {
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

/// One number with four significant digits, trailing zeros included.
///
/// # Examples
///
/// ```
/// assert_eq!(protodash_report::numbers::four_digits(0.3), "0.3000");
/// ```
#[must_use]
pub fn four_digits(value: f64) -> String {
    aligned(&[value]).concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_significant_digits() {
        let numbers = [0.0, 0.2131499, 1797.0, 12.0, -0.00012346, 1e-9, 2.5e7, 123456.7];
        assert_eq!(numbers.map(short), ["0", "0.2131", "1797", "12", "-0.0001235", "1.00e-9", "2.50e7", "123457"]);
    }

    #[test]
    fn six_significant_digits_of_the_data() {
        let numbers = [0.0, 0.123456789, 1234567.891, -98.7654321, 1.0 / 3.0e7];
        assert_eq!(numbers.map(measured), ["0", "0.123457", "1234568", "-98.7654", "3.33333e-8"]);
    }

    #[test]
    fn zero_has_no_sign() {
        assert_eq!(
            [-0.001, 0.0, -0.0, 0.004, -0.006, 10.0].map(signed),
            ["0.00", "0.00", "0.00", "0.00", "-0.01", "+10.00"]
        );
    }

    #[test]
    fn percentages_do_not_round_to_all_or_nothing() {
        assert_eq!(
            [0.8861, 0.99997, 1.0, 0.0, 0.00001].map(percent),
            ["88.6 %", "99.997 %", "100.0 %", "0.0 %", "0.001 %"].map(|text| text.replace(' ', "\u{a0}"))
        );
    }

    #[test]
    fn percentages_in_text_have_plain_spaces() {
        assert_eq!([1.0 - 1e-15, -0.125].map(plain_percent), ["100.0 %", "-12.5 %"]);
    }

    #[test]
    fn a_column_has_one_notation() {
        assert_eq!(aligned(&[0.2131, 0.00123]), ["0.2131", "0.0012"]);
        assert_eq!(aligned(&[1e30, 1.0]), ["1.000e30", "1.000e0"]);
        assert_eq!(aligned(&[0.0, 0.0]), ["0", "0"]);
        assert_eq!(aligned(&[123456.7]), ["123457"]);
    }

    #[test]
    fn lengths_are_short() {
        assert_eq!([0.0, -0.01, 12.34, 7.0].map(length), ["0", "0", "12.3", "7"]);
        assert_eq!([2.5e-5, 0.0421, 3.25, 360.0].map(seconds), ["25 µs", "42 ms", "3.2 s", "6 min"]);
        assert_eq!([0, 3 << 20, 5 << 30].map(bytes), ["unknown", "3 MiB", "5.0 GiB"]);
    }
}
