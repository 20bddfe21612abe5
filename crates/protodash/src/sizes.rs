//! Numbers of prototypes at which something is reported that is too expensive to report for all.

/// Up to `most` sizes from 1 to `largest`, both included: all of them, or some that are about a constant factor apart.
///
/// Costs nothing worth mentioning. Empty if `largest` or `most` is 0; a single size is `largest`.
///
/// # Examples
///
/// ```
/// use protodash::spaced_sizes;
///
/// assert_eq!(spaced_sizes(4, 30), [1, 2, 3, 4]);
/// assert_eq!(spaced_sizes(1000, 4), [1, 10, 100, 1000]);
/// assert_eq!((spaced_sizes(7, 1), spaced_sizes(0, 3)), (vec![7], vec![]));
/// ```
#[must_use]
pub fn spaced_sizes(largest: usize, most: usize) -> Vec<usize> {
    if largest <= most {
        return (1..=largest).collect();
    }
    let mut sizes = Vec::with_capacity(most);
    if most > 1 {
        sizes.push(1);
        for left in (2..most).rev() {
            // By the factor that would reach the largest in the steps that are left; at first, that may be less than a row.
            let last = sizes.last().copied().unwrap_or(1);
            let factor = (largest as f64 / last as f64).powf(1.0 / left as f64);
            sizes.push((last + 1).max((last as f64 * factor).round() as usize));
        }
    }
    if most > 0 {
        sizes.push(largest);
    }
    sizes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_ascend_and_include_both_ends() {
        for largest in [1, 2, 29, 30, 31, 60, 500, 12_345] {
            for most in [2, 5, 30] {
                let sizes = spaced_sizes(largest, most);
                assert_eq!(sizes.len(), most.min(largest));
                assert!(sizes.windows(2).all(|pair| pair[0] < pair[1]));
                assert_eq!((sizes.first(), sizes.last()), (Some(&1), Some(&largest)));
            }
        }
    }
}
