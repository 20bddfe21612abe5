//! Allocation of prototypes to classes.

/// The number for each class by largest remainders, at least 1 and at most its cap.
///
/// A class whose cap is below its quota gets its cap; the rest is divided among the others by their shares. Ties go to
/// the class with the larger share, then to the first. The caps must sum to at least `total`, which must be at least
/// the number of classes.
pub(super) fn allocate(shares: &[f64], caps: &[usize], total: usize) -> Vec<usize> {
    let quotas = quotas(shares, caps, total);
    let mut numbers = vec![1; shares.len()];
    // Taking the largest remainder one by one gives every class the integer part of its quota first.
    for _ in shares.len()..total {
        let remainder = |class: usize| quotas[class] - numbers[class] as f64;
        let before =
            |a: usize, b: usize| remainder(a) > remainder(b) || (remainder(a) == remainder(b) && shares[a] > shares[b]);
        let open = (0..shares.len()).filter(|&class| numbers[class] < caps[class]);
        let Some(next) = open.reduce(|best, other| if before(other, best) { other } else { best }) else { break };
        numbers[next] += 1;
    }
    numbers
}

/// The unrounded number for each class.
fn quotas(shares: &[f64], caps: &[usize], total: usize) -> Vec<f64> {
    let mut capped = vec![false; shares.len()];
    loop {
        let sum_over = |wanted: bool, value: &dyn Fn(usize) -> f64| -> f64 {
            (0..shares.len()).filter(|&class| capped[class] == wanted).map(value).sum()
        };
        let left = total as f64 - sum_over(true, &|class| caps[class] as f64);
        let open_share = sum_over(false, &|class| shares[class]);
        let quota = |class: usize| match capped[class] {
            true => caps[class] as f64,
            false => left * shares[class] / open_share,
        };
        let quotas: Vec<f64> = (0..shares.len()).map(quota).collect();
        let over: Vec<usize> =
            (0..shares.len()).filter(|&class| !capped[class] && quotas[class] > caps[class] as f64).collect();
        if over.is_empty() {
            return quotas;
        }
        over.into_iter().for_each(|class| capped[class] = true);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_largest_remainders_get_the_rest() {
        // 10 · (0.47, 0.33, 0.20) = 4.7, 3.3, 2.0
        assert_eq!(allocate(&[0.47, 0.33, 0.20], &[99; 3], 10), [5, 3, 2]);
        assert_eq!(allocate(&[0.5, 0.5], &[99; 2], 3), [2, 1]); // a tie: the first
        assert_eq!(allocate(&[0.2, 0.4, 0.4], &[99; 3], 4), [1, 2, 1]); // 0.8, 1.6, 1.6
    }

    #[test]
    fn a_rare_class_gets_one_and_no_class_more_than_its_cap() {
        assert_eq!(allocate(&[0.98, 0.01, 0.01], &[99; 3], 10), [8, 1, 1]);
        // The quota of the first is 9 but it has 2 rows; the others divide 8 as 3 to 1.
        assert_eq!(allocate(&[0.9, 0.075, 0.025], &[2, 99, 99], 10), [2, 6, 2]);
        // Every class gets one even if another could take nearly all.
        assert_eq!(allocate(&[0.99, 0.005, 0.005], &[11, 99, 99], 12), [10, 1, 1]);
    }

    proptest! {
        #[test]
        fn numbers_add_up_and_keep_their_bounds(
            classes in prop::collection::vec((1..1000_u32, 1..20_usize), 1..12),
            total in 1..100_usize,
        ) {
            let sum: u32 = classes.iter().map(|(size, _)| size).sum();
            let shares: Vec<f64> = classes.iter().map(|(size, _)| f64::from(*size) / f64::from(sum)).collect();
            let caps: Vec<usize> = classes.iter().map(|(_, cap)| *cap).collect();
            let total = total.clamp(classes.len(), caps.iter().sum());
            let numbers = allocate(&shares, &caps, total);
            prop_assert_eq!(numbers.iter().sum::<usize>(), total);
            prop_assert!(numbers.iter().zip(&caps).all(|(number, cap)| (1..=*cap).contains(number)));
        }
    }
}
