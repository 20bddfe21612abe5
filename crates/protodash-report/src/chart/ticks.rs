//! Ticks of an axis.

/// About `wanted` round numbers within `low` and `high`.
pub(super) fn ticks(low: f64, high: f64, wanted: usize) -> Vec<f64> {
    let range = high - low;
    if !(range > 0.0 && range.is_finite()) {
        return vec![low];
    }
    let rough = range / wanted.max(1) as f64;
    let power = 10.0_f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|factor| factor * power).find(|step| *step >= rough);
    let step = step.unwrap_or(10.0 * power);
    let first = (low / step - 1e-9).ceil() as i64;
    let last = (high / step + 1e-9).floor() as i64;
    (first..=last).map(|at| at as f64 * step).collect()
}

/// Powers of ten between two exponents, with 2 and 5 times them if there are few.
pub(super) fn decade_ticks(low: f64, high: f64) -> Vec<f64> {
    let exponents = low.floor() as i32..=high.ceil() as i32;
    let factors: &[f64] = if high - low > 3.0 { &[1.0] } else { &[1.0, 2.0, 5.0] };
    let ticks = exponents.flat_map(|exponent| factors.iter().map(move |factor| f64::from(exponent) + factor.log10()));
    ticks.filter(|tick| (low..=high).contains(tick)).collect()
}

/// Round whole numbers from `low` to `high`, including both ends where there is room.
pub(super) fn whole_ticks(low: f64, high: f64, wanted: usize) -> Vec<f64> {
    let mut found: Vec<f64> = ticks(low, high, wanted).into_iter().filter(|tick| tick.fract() == 0.0).collect();
    let near = (high - low) / (2.0 * wanted.max(1) as f64);
    found.retain(|tick| (tick - low).abs() > near && (high - tick).abs() > near);
    found.insert(0, low);
    if high > low {
        found.push(high);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round() {
        assert_eq!(ticks(0.0, 1.0, 5), [0.0, 0.2, 0.4, 0.6000000000000001, 0.8, 1.0]);
        assert_eq!(ticks(3.0, 47.0, 4), [20.0, 40.0]);
        assert_eq!(ticks(2.0, 2.0, 4), [2.0]);
    }

    #[test]
    fn decades_are_divided_if_there_are_few() {
        assert_eq!(decade_ticks(-4.5, 0.2), [-4.0, -3.0, -2.0, -1.0, 0.0]);
        assert_eq!(decade_ticks(-0.1, 1.0).len(), 4); // 1, 2, 5 and 10
    }

    #[test]
    fn whole_ticks_include_both_ends() {
        assert_eq!(whole_ticks(1.0, 10.0, 5), [1.0, 2.0, 4.0, 6.0, 8.0, 10.0]);
        assert_eq!(whole_ticks(1.0, 31.0, 6), [1.0, 5.0, 10.0, 15.0, 20.0, 25.0, 31.0]); // 30 would touch 31
        assert_eq!(whole_ticks(1.0, 2.0, 5), [1.0, 2.0]);
        assert_eq!(whole_ticks(1.0, 1.0, 5), [1.0]);
    }
}
