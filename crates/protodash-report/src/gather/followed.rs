//! The nearest prototype of every row at a smaller size, and which sizes the slider of a page follows.

use protodash::{RepresentationPath, spaced_sizes};

/// Maximum number of distances, one for each row and size, that a page is made from.
const MOST_DISTANCES: usize = 10_000_000;

/// The target rows at a number of prototypes.
pub(super) struct RowsAtSize {
    /// The position of each row's nearest prototype.
    pub(super) nearest: Vec<Option<usize>>,
    /// Its squared distance; NaN if there is none.
    pub(super) distances: Vec<f64>,
}

impl RowsAtSize {
    /// The rows represented by the first `n_prototypes`, of a path that begins with smaller ones.
    pub(super) fn new(path: &RepresentationPath, n_prototypes: usize) -> RowsAtSize {
        let of_row = |row: usize| {
            let change = path.changes.of_row(row).take_while(|change| change.n_prototypes <= n_prototypes).last();
            change.map_or((None, f64::NAN), |change| (change.nearest, change.distance))
        };
        let (nearest, distances) = (0..path.nearest.len()).map(of_row).unzip();
        RowsAtSize { nearest, distances }
    }
}

/// At most `most` of the known sizes below the largest one, about a constant factor apart.
pub(super) fn some_smaller(known: &[usize], most: usize) -> Vec<usize> {
    let smaller = &known[..known.len().saturating_sub(1)];
    let asked = spaced_sizes(smaller.last().copied().unwrap_or(0), most);
    let mut sizes: Vec<usize> =
        asked.into_iter().filter_map(|size| smaller.iter().rev().find(|known| **known <= size).copied()).collect();
    sizes.dedup();
    sizes
}

/// The known sizes below the largest one whose distances the page shows: all, unless there are very many rows.
pub(super) fn measured_sizes(path: &RepresentationPath) -> Vec<usize> {
    let known: Vec<usize> = path.n_represented.iter().map(Vec::len).collect();
    let n_rows = path.nearest.len().max(1);
    match MOST_DISTANCES / n_rows {
        enough if enough >= known.len() => known[..known.len().saturating_sub(1)].to_vec(),
        most => some_smaller(&known, most.max(1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_sizes_some_are_followed() {
        let known: Vec<usize> = (1..=10).chain([15, 20]).collect();
        assert_eq!(some_smaller(&known, 100), (1..=10).chain([15]).collect::<Vec<_>>());
        assert_eq!(some_smaller(&known, 3), [1, 4, 15]);
        assert_eq!((some_smaller(&[5], 3), some_smaller(&[], 3)), (vec![], vec![]));
    }
}
