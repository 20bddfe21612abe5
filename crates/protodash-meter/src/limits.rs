//! Limits of a run: memory and threads.

/// Maximum number of threads. More threads than cores gain nothing, and starting very many takes long.
pub const MAX_THREADS: usize = 1024;

/// Largest size; a larger one, which no machine has, counts as this.
const MAX_SIZE: u64 = i64::MAX as u64;

const UNITS: [(&str, u64); 10] = [
    ("", 1),
    ("b", 1),
    ("kb", 1_000),
    ("mb", 1_000_000),
    ("gb", 1_000_000_000),
    ("tb", 1_000_000_000_000),
    ("kib", 1 << 10),
    ("mib", 1 << 20),
    ("gib", 1 << 30),
    ("tib", 1 << 40),
];

/// Half the RAM of the machine, or of the container's limit.
pub fn half_of_memory() -> u64 {
    let mut system = sysinfo::System::new();
    system.refresh_memory();
    let limit = system.cgroup_limits().map_or(u64::MAX, |limits| limits.total_memory);
    let total = system.total_memory().min(limit);
    // Fallback if the system does not report its memory.
    if total == 0 { 2 << 30 } else { total / 2 }
}

/// Parses a size in bytes: a number, alone or with a unit; the error says what is allowed.
///
/// # Errors
///
/// For anything else, and for less than 1 byte.
///
/// # Examples
///
/// ```
/// assert_eq!(protodash_meter::parse_size("8GiB"), Ok(8 << 30));
/// assert!(protodash_meter::parse_size("8 giga").is_err());
/// ```
pub fn parse_size(text: &str) -> Result<u64, String> {
    let allowed = "must be a number of bytes, or a number with KB, MB, GB, TB, KiB, MiB, GiB or TiB, such as 8GiB";
    let trimmed = text.trim();
    let split = trimmed.find(|char: char| char.is_ascii_alphabetic()).unwrap_or(trimmed.len());
    let (number, unit) = trimmed.split_at(split);
    let factor = UNITS.iter().find(|(name, _)| name.eq_ignore_ascii_case(unit)).map(|(_, factor)| *factor);
    let size = number.trim().parse::<f64>().ok().zip(factor).map(|(number, factor)| number * factor as f64);
    match size {
        // The conversion saturates.
        Some(size) if size >= 1.0 => Ok((size as u64).min(MAX_SIZE)),
        _ => Err(allowed.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_binary_and_decimal_units() {
        let sizes = [
            ("17", 17),
            ("8GiB", 8 << 30),
            ("1.5 mib", 3 << 19),
            ("2GB", 2_000_000_000),
            ("1tb", 1_000_000_000_000),
            ("200kB", 200_000),
            ("3B", 3),
            ("99999999999TiB", MAX_SIZE),
            (&"9".repeat(400), MAX_SIZE),
        ];
        for (text, size) in sizes {
            assert_eq!(parse_size(text), Ok(size), "{text}");
        }
        for text in ["", "GiB", "-1GiB", "8 giga", "nan", "inf", "0", "0.5", "1e3", "5M"] {
            assert!(parse_size(text).is_err(), "{text}");
        }
    }

    #[test]
    fn half_of_the_memory_is_a_usable_limit() {
        assert!((1 << 20..MAX_SIZE).contains(&half_of_memory()));
    }
}
