//! Counts as text.

/// A count with a comma after every three digits.
///
/// # Examples
///
/// ```
/// assert_eq!(protodash_table::count(1_234_567), "1,234,567");
/// ```
#[must_use]
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// A count with its noun, in the plural unless the count is 1.
///
/// # Examples
///
/// ```
/// use protodash_table::counted;
///
/// assert_eq!((counted(1, "row"), counted(1200, "row")), ("1 row".to_owned(), "1,200 rows".to_owned()));
/// ```
#[must_use]
pub fn counted(number: u64, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{} {noun}s", count(number)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_grouped() {
        assert_eq!([0, 999, 1797, 1234567].map(count), ["0", "999", "1,797", "1,234,567"]);
    }
}
