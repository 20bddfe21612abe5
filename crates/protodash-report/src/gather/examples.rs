//! Which of the rows that a prototype represents are shown as examples.

/// Some target rows of each prototype, from the nearest to the farthest, evenly spaced by rank; never one in `except`.
///
/// `nearest` and `distances` hold for each target row its nearest prototype and the distance to it. Ties go to the first
/// row.
pub(super) fn examples(
    nearest: &[Option<usize>],
    distances: &[f64],
    n_prototypes: usize,
    n_examples: usize,
    except: impl Fn(usize) -> bool,
) -> Vec<Vec<usize>> {
    debug_assert_eq!(nearest.len(), distances.len(), "each target row has a distance");
    let mut rows = vec![Vec::new(); n_prototypes];
    for (row, nearest) in nearest.iter().enumerate().filter(|(row, _)| !except(*row)) {
        nearest.iter().for_each(|at| rows[*at].push(row));
    }
    for of_prototype in &mut rows {
        of_prototype.sort_by(|a, b| distances[*a].total_cmp(&distances[*b]).then(a.cmp(b)));
        *of_prototype = spread(of_prototype, n_examples);
    }
    rows
}

/// `wanted` evenly spaced entries, including the first and the last.
fn spread(entries: &[usize], wanted: usize) -> Vec<usize> {
    if entries.len() <= wanted {
        return entries.to_vec();
    }
    (0..wanted).map(|at| entries[at * (entries.len() - 1) / wanted.saturating_sub(1).max(1)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_reach_from_the_nearest_to_the_farthest() {
        let nearest = [Some(0), Some(1), Some(0), Some(0), Some(0), None];
        let distances = [0.0, 0.5, 0.3, 0.1, 0.2, f64::NAN];
        assert_eq!(examples(&nearest, &distances, 2, 3, |row| row == 0), [vec![3, 4, 2], vec![1]]);
        assert_eq!(examples(&nearest, &distances, 2, 2, |_| false), [vec![0, 2], vec![1]]);
    }

    #[test]
    fn one_example_is_the_nearest() {
        assert_eq!((spread(&[7, 8, 9], 1), spread(&[], 3)), (vec![7], vec![]));
    }
}
