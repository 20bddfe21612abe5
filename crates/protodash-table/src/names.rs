//! Column lookup by name, and the closest names when there is no match.

use std::fmt;

/// The result of looking up a name.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Lookup {
    /// The position of the column.
    Found(usize),
    /// No column has that name, in any case; the closest names, best first.
    Unknown(Vec<String>),
    /// Several columns differ from the name only in case; these columns.
    Ambiguous(Vec<String>),
}

/// Returns the column of `columns` called `wanted`: an exact match, or else the only one that differs only in case.
pub(crate) fn look_up<'a>(columns: impl Iterator<Item = &'a str> + Clone, wanted: &str) -> Lookup {
    if let Some(position) = columns.clone().position(|name| name == wanted) {
        return Lookup::Found(position);
    }
    let folded = wanted.to_lowercase();
    let alike: Vec<_> = columns.clone().enumerate().filter(|(_, name)| name.to_lowercase() == folded).collect();
    match alike.as_slice() {
        [] => Lookup::Unknown(closest(columns, &folded)),
        [(position, _)] => Lookup::Found(*position),
        several => Lookup::Ambiguous(several.iter().map(|(_, name)| (*name).to_owned()).collect()),
    }
}

/// The maximum number of names that a message suggests.
const N_OFFERED: usize = 3;

/// Returns the names of `columns` most similar to `folded`, which is in lower case: the best and those nearly as good.
///
/// The measure is Jaro-Winkler similarity, which tolerates swapped letters and favours a common prefix.
fn closest<'a>(columns: impl Iterator<Item = &'a str>, folded: &str) -> Vec<String> {
    const NEARLY: f64 = 0.1;
    let mut ranked: Vec<_> = columns.map(|name| (strsim::jaro_winkler(&name.to_lowercase(), folded), name)).collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
    let best = ranked.first().map_or(0.0, |(similarity, _)| *similarity);
    let near = ranked.into_iter().take(N_OFFERED).filter(|(similarity, _)| *similarity >= best - NEARLY);
    near.map(|(_, name)| name.to_owned()).collect()
}

/// Shows the names of [`Lookup::Unknown`], as `the closest is "a"` or `the closest are "a" and "b"`.
pub(crate) struct Closest<'a>(pub(crate) &'a [String]);

impl fmt::Display for Closest<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the closest {} {}", if self.0.len() == 1 { "is" } else { "are" }, Listed(self.0))
    }
}

/// Shows names in double quotes, as `"a"`, `"a" and "b"`, or `"a", "b" and 7 more`.
pub(crate) struct Listed<'a>(pub(crate) &'a [String]);

impl fmt::Display for Listed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MAX_SHOWN: usize = 8;
        let shown = if self.0.len() <= MAX_SHOWN { self.0.len() } else { MAX_SHOWN - 1 };
        for (i, name) in self.0[..shown].iter().enumerate() {
            let before = match i {
                0 => "",
                _ if i + 1 == self.0.len() => " and ",
                _ => ", ",
            };
            write!(f, "{before}{name:?}")?;
        }
        if shown < self.0.len() { write!(f, " and {} more", self.0.len() - shown) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(columns: &[&str], wanted: &str) -> Lookup {
        look_up(columns.iter().copied(), wanted)
    }

    fn owned(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn an_exact_name_takes_precedence_over_one_in_another_case() {
        assert_eq!(find(&["AGE", "age"], "age"), Lookup::Found(1));
        assert_eq!(find(&["AGE", "name"], "age"), Lookup::Found(0));
        assert_eq!(find(&["ÉTÉ"], "été"), Lookup::Found(0));
    }

    #[test]
    fn a_name_that_matches_two_columns_except_for_case_is_ambiguous() {
        assert_eq!(find(&["AGE", "Age"], "age"), Lookup::Ambiguous(owned(&["AGE", "Age"])));
    }

    #[test]
    fn the_closest_names_are_suggested_best_first() {
        let columns = ["Income", "Kidhome", "Recency", "MntWines"];
        assert_eq!(find(&columns, "incme"), Lookup::Unknown(owned(&["Income"])));
        assert_eq!(find(&columns, "zzz"), Lookup::Unknown(owned(&["Income", "Kidhome", "Recency"])));
    }

    #[test]
    fn long_lists_are_shortened() {
        let names: Vec<String> = (0..10).map(|i| format!("x{i}")).collect();
        assert_eq!(Listed(&names[..1]).to_string(), "\"x0\"");
        assert_eq!(Listed(&names[..3]).to_string(), "\"x0\", \"x1\" and \"x2\"");
        assert_eq!(Listed(&names).to_string(), "\"x0\", \"x1\", \"x2\", \"x3\", \"x4\", \"x5\", \"x6\" and 3 more");
    }
}
