//! Dates and times of day as numbers of days, so that close dates are close numbers.

/// Days from 0001-01-01 to 1970-01-01.
const EPOCH: i64 = 719_162;
const SECONDS_PER_DAY: f64 = 86_400.0;

/// Returns the days since 1970-01-01 (UTC) of an ISO 8601 date with or without a time, or the fraction of the day for a
/// time alone; `None` if `text` is neither.
///
/// A date is `2024-01-31`, a time `14:30`, `14:30:05` or `14:30:05.25`; they are separated by `T` or a space. `Z` or an
/// offset such as `+02:00` may follow.
pub(crate) fn parse_date(text: &[u8]) -> Option<f64> {
    match split_date(text) {
        Some((days, b"")) => Some(days as f64),
        Some((days, [b'T' | b' ', rest @ ..])) => {
            let (seconds, zone) = split_time(rest)?;
            Some(days as f64 + (seconds - offset(zone)?) / SECONDS_PER_DAY)
        }
        Some(_) => None,
        None => match split_time(text)? {
            (seconds, b"") => Some(seconds / SECONDS_PER_DAY),
            _ => None,
        },
    }
}

/// Returns whether `text` is a date with the parts of ISO 8601 in another order or with other separators, with or without a
/// time: `31.01.2024`, `01/31/2024`, `2024/1/31`, `31-1-2024 14:30`.
///
/// Such a date is not read as a number, since `01/02/2024` is January in some places and February in others.
pub(crate) fn is_local_date(text: &[u8]) -> bool {
    let n_digits = |text: &[u8]| text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (first, rest) = text.split_at(n_digits(text));
    let [separator @ (b'.' | b'/' | b'-'), rest @ ..] = rest else { return false };
    let (second, rest) = rest.split_at(n_digits(rest));
    let Some(rest) = rest.strip_prefix(&[*separator]) else { return false };
    let (third, rest) = rest.split_at(n_digits(rest));
    let parts = match (first.len(), second.len(), third.len()) {
        (4, 1..=2, 1..=2) => [first, second, third].map(digits),
        (1..=2, 1..=2, 4) | (2, 2, 2) => [third, second, first].map(digits),
        _ => return false,
    };
    let [Some(year), Some(one), Some(other)] = parts else { return false };
    let is_day = |month: i64, day: i64| (1..=12).contains(&month) && (1..=days_in_month(year, month)).contains(&day);
    // Midday and seconds may follow in any form.
    let ends = matches!(rest, [] | [b' ' | b'T', b'0'..=b'9', ..]);
    ends && (is_day(one, other) || is_day(other, one)) && parse_date(text).is_none()
}

/// Returns `days` since 1970-01-01 as a date, with the time to the second unless it is midnight; a number from 0 to 1
/// exclusive as a time of day.
///
/// # Examples
///
/// ```
/// use protodash_table::date_text;
///
/// assert_eq!(date_text(19_753.0), "2024-01-31");
/// assert_eq!(date_text(19_753.75), "2024-01-31 18:00:00");
/// assert_eq!(date_text(0.75), "18:00:00");
/// ```
#[must_use]
pub fn date_text(days: f64) -> String {
    // Beyond these years Arrow has no dates either.
    if days.is_nan() || days.abs() > 1e8 {
        return days.to_string();
    }
    let seconds = (days * SECONDS_PER_DAY).round() as i64;
    let (day, second) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let time = format!("{:02}:{:02}:{:02}", second / 3600, second / 60 % 60, second % 60);
    match (day, second) {
        (_, 0) => civil(day),
        (0, _) => time,
        _ => format!("{} {time}", civil(day)),
    }
}

/// Returns the days since 1970-01-01 of the date that `text` begins with, and the rest of `text`.
fn split_date(text: &[u8]) -> Option<(i64, &[u8])> {
    let (sign, unsigned) = match text {
        [b'-', rest @ ..] => (-1, rest),
        [b'+', rest @ ..] => (1, rest),
        _ => (1, text),
    };
    let n_digits = unsigned.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (year, rest) = unsigned.split_at(n_digits);
    let [b'-', m1, m2, b'-', d1, d2, rest @ ..] = rest else { return None };
    let (year, month, day) = (sign * digits(year)?, digits(&[*m1, *m2])?, digits(&[*d1, *d2])?);
    let is_date = (4..=6).contains(&n_digits) && (1..=12).contains(&month) && day >= 1;
    (is_date && day <= days_in_month(year, month)).then(|| {
        let days_before_month: i64 = (1..month).map(|month| days_in_month(year, month)).sum();
        (days_before_year(year) + days_before_month + day - 1 - EPOCH, rest)
    })
}

/// Returns the seconds since midnight of the time that `text` begins with, and the rest of `text`.
fn split_time(text: &[u8]) -> Option<(f64, &[u8])> {
    let [h1, h2, b':', m1, m2, rest @ ..] = text else { return None };
    let (hour, minute) = (digits(&[*h1, *h2])?, digits(&[*m1, *m2])?);
    let (second, rest) = match rest {
        [b':', s1, s2, rest @ ..] => (digits(&[*s1, *s2])?, rest),
        rest => (0, rest),
    };
    let (fraction, rest) = match rest {
        [b'.', rest @ ..] => {
            let n_digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
            let (fraction, rest) = rest.split_at(n_digits);
            (format!("0.{}", std::str::from_utf8(fraction).ok()?).parse::<f64>().ok().filter(|_| n_digits > 0)?, rest)
        }
        rest => (0.0, rest),
    };
    let is_time = hour < 24 && minute < 60 && second <= 60;
    is_time.then_some(((hour * 3600 + minute * 60 + second) as f64 + fraction, rest))
}

/// Returns the seconds by which a zone is ahead of UTC: nothing or `Z`, or `+02:00`, `+0200` or `+02`.
fn offset(zone: &[u8]) -> Option<f64> {
    let (sign, hour, minute) = match zone {
        b"" | b"Z" => return Some(0.0),
        [sign, h1, h2] => (sign, [*h1, *h2], [b'0', b'0']),
        [sign, h1, h2, m1, m2] | [sign, h1, h2, b':', m1, m2] => (sign, [*h1, *h2], [*m1, *m2]),
        _ => return None,
    };
    let seconds = (digits(&hour)? * 3600 + digits(&minute)? * 60) as f64;
    match sign {
        b'+' => Some(seconds),
        b'-' => Some(-seconds),
        _ => None,
    }
}

fn digits(text: &[u8]) -> Option<i64> {
    let is_number = !text.is_empty() && text.iter().all(u8::is_ascii_digit);
    is_number.then(|| text.iter().fold(0, |number, digit| 10 * number + i64::from(digit - b'0')))
}

fn is_leap(year: i64) -> bool {
    year.rem_euclid(4) == 0 && (year.rem_euclid(100) != 0 || year.rem_euclid(400) == 0)
}

fn days_in_month(year: i64, month: i64) -> i64 {
    match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Returns the days from 0001-01-01 to the first day of `year` in the Gregorian calendar.
fn days_before_year(year: i64) -> i64 {
    let before = year - 1;
    365 * before + before.div_euclid(4) - before.div_euclid(100) + before.div_euclid(400)
}

/// Returns the date of a day counted from 1970-01-01.
fn civil(day: i64) -> String {
    let since_one = day + EPOCH;
    // 400 years have 146,097 days; the estimate is wrong by at most one year.
    let mut year = (400 * since_one).div_euclid(146_097) + 1;
    while days_before_year(year) > since_one {
        year -= 1;
    }
    while days_before_year(year + 1) <= since_one {
        year += 1;
    }
    let (mut month, mut left) = (1, since_one - days_before_year(year));
    while left >= days_in_month(year, month) {
        left -= days_in_month(year, month);
        month += 1;
    }
    let sign = if year < 0 { "-" } else { "" };
    format!("{sign}{:04}-{month:02}-{:02}", year.abs(), left + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Option<f64> {
        parse_date(text.as_bytes())
    }

    #[test]
    fn dates_by_hand() {
        assert_eq!(parsed("1970-01-01"), Some(0.0));
        assert_eq!(parsed("1969-12-31"), Some(-1.0));
        // 30 years of 365 days and 7 leap days: 1972, 76, 80, 84, 88, 92, 96.
        assert_eq!(parsed("2000-01-01"), Some(10_957.0));
        assert_eq!(parsed("2000-03-01"), Some(10_957.0 + 60.0));
        assert_eq!(parsed("1970-01-02 12:00"), Some(1.5));
        assert_eq!(parsed("1970-01-02T12:00:00Z"), Some(1.5));
        assert_eq!(parsed("1970-01-02T12:00:00+06:00"), Some(1.25));
        assert_eq!(parsed("1970-01-01T00:00:00.5-0100"), Some(3600.5 / 86_400.0));
        assert_eq!(parsed("06:00:00"), Some(0.25));
    }

    #[test]
    fn other_texts_are_not_dates() {
        for text in [
            "",
            "2024",
            "2024-13-01",
            "2023-02-29",
            "2024-1-1",
            "24-01-01",
            "2024-01-01x",
            "2024-01-01T",
            "25:00",
            "1:30",
            "2024-01-01 10:61",
            "2024-01-01 10:00 CET",
            "555-12-34",
            "12:30 h",
            "2024-01-01T10:00:00.",
        ] {
            assert_eq!(parsed(text), None, "{text}");
        }
    }

    #[test]
    fn dates_in_other_forms() {
        for text in ["31.01.2024", "1.2.2024", "01/31/2024", "31/01/24", "2024/1/31", "31-01-2024", "29.02.2024 14:30"]
        {
            assert!(is_local_date(text.as_bytes()), "{text}");
        }
        for text in [
            "2024-01-31",
            "1.2.3",
            "192.168.10.1",
            "31.02.2024",
            "13/13/2024",
            "01/2024",
            "31.01.2024x",
            "12-34-5678",
            "",
        ] {
            assert!(!is_local_date(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn every_day_of_a_thousand_years_round_trips() {
        for day in -182_500..182_500 {
            let text = civil(day);
            assert_eq!(parsed(&text), Some(day as f64), "{text}");
        }
        for text in ["-0044-03-15", "+12000-02-29", "2024-01-31 18:00:07", "23:59:59"] {
            let days = parsed(text).unwrap();
            assert_eq!(parsed(&date_text(days)), Some(days), "{text}");
        }
    }
}
