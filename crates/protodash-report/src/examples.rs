//! Which of the rows that a prototype stands for are shown.

/// Some target rows of each prototype, from the nearest to the farthest, evenly spread by rank; never one that `besides`
/// names.
///
/// `nearest` and `distances` say for each target row which prototype stands for it and how far it is from it, as
/// `protodash::represent_path` finds them. First and last are the nearest and the farthest row; of rows that are equally
/// far the first comes first.
///
/// # Panics
///
/// If `nearest` and `distances` differ in length, or if `nearest` names a prototype that there is not.
///
/// # Examples
///
/// ```
/// let nearest = [Some(0), Some(1), Some(0), Some(0), None];
/// let distances = [0.0, 0.5, 0.3, 0.1, f64::NAN];
/// // The first row is the prototype itself.
/// let rows = protodash_report::examples(&nearest, &distances, 2, 3, |row| row == 0);
/// assert_eq!(rows, [vec![3, 2], vec![1]]);
/// ```
pub fn examples(
    nearest: &[Option<usize>],
    distances: &[f64],
    n_prototypes: usize,
    n_examples: usize,
    besides: impl Fn(usize) -> bool,
) -> Vec<Vec<usize>> {
    assert_eq!(nearest.len(), distances.len(), "each target row has a distance");
    let mut rows = vec![Vec::new(); n_prototypes];
    for (row, nearest) in nearest.iter().enumerate().filter(|(row, _)| !besides(*row)) {
        nearest.iter().for_each(|at| rows[*at].push(row));
    }
    for of_prototype in &mut rows {
        of_prototype.sort_by(|a, b| distances[*a].total_cmp(&distances[*b]).then(a.cmp(b)));
        *of_prototype = spread(of_prototype, n_examples);
    }
    rows
}

/// As many entries as are wanted, first and last among them.
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
