//! What holds for any data: properties of selections over random tables, kernels and parameters.

use crate::samples::{chosen, weights};
use ndarray::{Array2, Axis, concatenate};
use proptest::prelude::*;
use protodash::{
    BuiltInKernel, Cosine, Gaussian, Hamming, InverseMultiquadric, Kernel, Laplacian, Linear, Matern52, Method, Params,
    Polynomial, Precision, Selection, Stopped, TargetEnergy, Weights, select,
};

/// A kernel that a failing case can name.
struct Named(String, Box<dyn Kernel<f64>>);

impl std::fmt::Debug for Named {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl Kernel<f64> for Named {
    fn evaluate(&self, x: &[f64], y: &[f64]) -> f64 {
        self.1.evaluate(x, y)
    }

    fn built_in(&self) -> Option<BuiltInKernel> {
        self.1.built_in()
    }
}

fn kernels() -> impl Strategy<Value = Named> {
    fn named(kernel: impl Kernel<f64> + std::fmt::Debug + 'static) -> Named {
        Named(format!("{kernel:?}"), Box::new(kernel))
    }
    (0..8_usize, 0.2..3.0_f64).prop_map(|(which, bandwidth)| match which {
        0 => named(Gaussian::new(bandwidth).unwrap()),
        1 => named(Laplacian::new(bandwidth).unwrap()),
        2 => named(Matern52::new(bandwidth).unwrap()),
        3 => named(InverseMultiquadric::new(bandwidth).unwrap()),
        4 => named(Linear),
        5 => named(Polynomial::new(2, bandwidth, 0.5).unwrap()),
        6 => named(Cosine),
        _ => named(Hamming),
    })
}

/// Rows of few columns; half of the time of few values, so that equal rows and ties are frequent.
fn tables(n_columns: usize) -> impl Strategy<Value = Array2<f64>> {
    let coarse = prop_oneof![Just(0.0), Just(1.0), Just(2.0)].boxed();
    let fine = (-2.0..2.0_f64).boxed();
    (1..40_usize, prop_oneof![Just(coarse), Just(fine)]).prop_flat_map(move |(n_rows, values)| {
        prop::collection::vec(values, n_rows * n_columns)
            .prop_map(move |values| Array2::from_shape_vec((n_rows, n_columns), values).unwrap())
    })
}

fn every_method() -> impl Strategy<Value = Method> {
    let others =
        [Method::L2c, Method::PLasso, Method::KMedoids, Method::Coverage, Method::FarthestFirst, Method::Random];
    prop_oneof![methods(), prop::sample::select(others.to_vec())]
}

/// The methods that choose by weights.
fn methods() -> impl Strategy<Value = Method> {
    prop_oneof![Just(Method::ProtoDash), Just(Method::ProtoGreedy), Just(Method::Swap)]
}

fn params(method: Method, n_prototypes: usize) -> Params {
    let mut params = Params::new(n_prototypes);
    params.method = method;
    params
}

/// Two runs are the same except for ties: equal objectives at every step, up to rounding. Swap refines whole sets, of which the
/// last digits may prefer one of two equally good ones; their objectives are equal, but not those of their parts.
fn assert_equivalent(a: &Selection, b: &Selection) {
    let scale = a.objective_final().abs().max(f64::MIN_POSITIVE);
    if a.method != Method::Swap {
        for (a, b) in a.objective.iter().zip(&b.objective) {
            assert!((a - b).abs() <= 1e-8 * scale, "{a} {b}");
        }
    }
    assert!((a.objective_final() - b.objective_final()).abs() <= 1e-8 * scale);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, rng_seed: prop::test_runner::RngSeed::Fixed(7), ..Default::default() })]

    #[test]
    fn weights_are_finite_and_not_negative_and_the_objective_never_falls(
        (target, source) in (1..4_usize).prop_flat_map(|d| (tables(d), tables(d))),
        kernel in kernels(),
        method in methods(),
        convex in any::<bool>(),
    ) {
        let mut params = params(method, source.nrows());
        params.weights = if convex { Weights::Convex } else { Weights::Nonnegative };
        let selection = select(&target, &source, &kernel, &params).unwrap();
        prop_assert!(weights(&selection).iter().all(|weight| weight.is_finite() && *weight >= 0.0));
        let slack = 1e-12 * selection.objective_final().abs();
        prop_assert!(selection.objective.windows(2).all(|pair| pair[1] >= pair[0] - slack), "{:?}", selection.objective);
        let mut rows = chosen(&selection);
        rows.sort_unstable();
        rows.dedup();
        prop_assert_eq!(rows.len(), selection.prototypes.len());
        if let Some(explained) = selection.explained() {
            prop_assert!(explained <= 1.0 && (convex || explained >= 0.0));
        }
        if convex && !selection.prototypes.is_empty() {
            prop_assert!((weights(&selection).iter().sum::<f64>() - 1.0).abs() < 1e-9);
        }
    }

    #[test]
    fn a_run_for_fewer_is_a_prefix_of_a_run_for_more(
        source in tables(3), kernel in kernels(), greedy in any::<bool>(), convex in any::<bool>(), size in 1..10_usize,
    ) {
        let method = if greedy { Method::ProtoGreedy } else { Method::ProtoDash };
        let mut params = params(method, size.min(source.nrows()));
        params.weights = if convex { Weights::Convex } else { Weights::Nonnegative };
        let short = select(&source, &source, &kernel, &params).unwrap();
        params.n_prototypes = Some((size + 3).min(source.nrows()));
        let long = select(&source, &source, &kernel, &params).unwrap();
        let cut = long.prefix(short.prototypes.len().min(long.prototypes.len())).unwrap();
        prop_assert_eq!(&cut.prototypes, &short.prototypes);
        prop_assert_eq!(&cut.objective, &short.objective);
    }

    #[test]
    fn the_order_of_the_target_does_not_matter(
        (target, source) in (tables(2), tables(2)), kernel in kernels(), method in methods(), seed in any::<u64>(),
    ) {
        let mut order: Vec<usize> = (0..target.nrows()).collect();
        order.sort_by_key(|row| (*row as u64 + 1).wrapping_mul(seed | 1));
        let shuffled = crate::samples::take(&target, order);
        let params = params(method, source.nrows().min(6));
        let one = select(&target, &source, &kernel, &params).unwrap();
        assert_equivalent(&one, &select(&shuffled, &source, &kernel, &params).unwrap());
    }

    #[test]
    fn doubling_the_target_changes_nothing(
        (target, source) in (tables(2), tables(2)), kernel in kernels(), method in methods(),
    ) {
        let twice = concatenate(Axis(0), &[target.view(), target.view()]).unwrap();
        let params = params(method, source.nrows().min(6));
        let one = select(&target, &source, &kernel, &params).unwrap();
        assert_equivalent(&one, &select(&twice, &source, &kernel, &params).unwrap());
    }

    #[test]
    fn a_target_weight_of_n_equals_n_copies(
        (target, source) in (tables(2), tables(2)), kernel in kernels(), method in methods(),
    ) {
        let copies: Vec<usize> = (0..target.nrows()).map(|row| row % 3 + 1).collect();
        let repeated = crate::samples::take(&target, copies.iter().enumerate().flat_map(|(row, n)| std::iter::repeat_n(row, *n)));
        let mut params = params(method, source.nrows().min(6));
        let one = select(&repeated, &source, &kernel, &params).unwrap();
        params.target_weights = Some(copies.iter().map(|n| *n as f64 * 12.5).collect());
        let weighted = select(&target, &source, &kernel, &params).unwrap();
        assert_equivalent(&one, &weighted);
        let (a, b) = (one.target_energy.unwrap().value, weighted.target_energy.unwrap().value);
        prop_assert!((a - b).abs() <= 1e-9 * a.abs(), "{} {}", a, b);
    }

    #[test]
    fn copies_of_source_rows_change_nothing(source in tables(2), kernel in kernels(), method in methods()) {
        let target = source.clone();
        let copied = concatenate(Axis(0), &[source.view(), source.view(), source.view()]).unwrap();
        let params = params(method, source.nrows().min(6));
        let one = select(&target, &source, &kernel, &params).unwrap();
        let many = select(&target, &copied, &kernel, &params).unwrap();
        assert_equivalent(&one, &many);
        prop_assert!(chosen(&many).iter().all(|row| *row < source.nrows()), "a copy was chosen");
    }

    #[test]
    fn any_number_of_threads_gives_the_same_selection(
        (target, source) in (tables(3), tables(3)), kernel in kernels(), method in every_method(),
    ) {
        let params = params(method, source.nrows().min(8));
        let run = |threads: usize, params: &Params| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            // The lasso may skip the number; then the error must be the same for any number of threads.
            pool.install(|| select(&target, &source, &kernel, params))
        };
        prop_assert_eq!(run(1, &params), run(4, &params));
    }

    #[test]
    fn f32_rows_are_chosen_like_the_same_numbers_in_f64(source in tables(3), method in methods(), bandwidth in 0.3..2.0_f64) {
        let narrow = source.mapv(|value| value as f32);
        let wide = narrow.mapv(f64::from);
        let kernel = Gaussian::new(bandwidth).unwrap();
        let mut params = params(method, source.nrows().min(6));
        let in_f64 = select(&wide, &wide, &kernel, &params).unwrap();
        // Kernel means in f32, except for the rows that matter; see also precision.rs.
        let by_default = select(&narrow, &narrow, &kernel, &params).unwrap();
        prop_assert_eq!(chosen(&by_default), chosen(&in_f64));
        assert_equivalent(&by_default, &in_f64);
        params.precision = Some(Precision::Double);
        prop_assert_eq!(select(&narrow, &narrow, &kernel, &params).unwrap(), in_f64);
    }

    #[test]
    fn units_do_not_matter(source in tables(3), exponent in -30..30_i32, method in methods()) {
        // Rows and bandwidth in another unit; and a linear kernel, whose values then are the square of it.
        let unit = 10_f64.powi(exponent);
        let scaled = &source * unit;
        let params = params(method, source.nrows().min(6));
        let gaussian = select(&source, &source, &Gaussian::new(0.7).unwrap(), &params).unwrap();
        let in_units = select(&scaled, &scaled, &Gaussian::new(0.7 * unit).unwrap(), &params).unwrap();
        assert_equivalent(&gaussian, &in_units);
        let linear = select(&scaled, &scaled, &Linear, &params).unwrap();
        prop_assert!(weights(&linear).iter().all(|weight| weight.is_finite()));
        let plain = select(&source, &source, &Linear, &params).unwrap();
        prop_assert!((linear.explained().unwrap() - plain.explained().unwrap()).abs() < 1e-9);
    }

    #[test]
    fn min_gain_stops_the_run_where_gains_fall_below_it(source in tables(3), kernel in kernels(), part in 0.001..0.5_f64) {
        let full = select(&source, &source, &kernel, &Params::new(source.nrows())).unwrap();
        prop_assume!(!full.prototypes.is_empty());
        let min_gain = part * full.prototypes[0].gain;
        let cut = select(&source, &source, &kernel, &Params::with_min_gain(min_gain)).unwrap();
        let expected = full.prototypes.iter().position(|prototype| prototype.gain < min_gain);
        match expected {
            Some(size) => {
                prop_assert_eq!(cut.prototypes.len(), size);
                prop_assert_eq!(cut.stopped, Stopped::MinGain);
            }
            None => prop_assert_eq!(cut.prototypes.len(), full.prototypes.len()),
        }
    }

    #[test]
    fn equal_weights_choose_the_same_set_as_nonnegative_ones(source in tables(3), kernel in kernels(), method in methods()) {
        let mut params = params(method, source.nrows().min(5));
        let free = select(&source, &source, &kernel, &params).unwrap();
        params.weights = Weights::Equal;
        let equal = select(&source, &source, &kernel, &params).unwrap();
        prop_assert_eq!(chosen(&free), chosen(&equal));
        prop_assert!(weights(&equal).iter().all(|weight| *weight == 1.0 / equal.prototypes.len() as f64));
        prop_assert!(equal.objective_final() <= free.objective_final() + 1e-12 * free.objective_final().abs());
    }

    #[test]
    fn the_energy_of_a_separate_target_is_its_mean_similarity_to_itself((target, source) in (tables(2), tables(2))) {
        let kernel = Gaussian::new(1.0).unwrap();
        let across = select(&target, &source, &kernel, &Params::new(1)).unwrap().target_energy.unwrap();
        let own = select(&target, &target, &kernel, &Params::new(1)).unwrap().target_energy.unwrap();
        prop_assert!((across.value - own.value).abs() < 1e-12);
        let mut params = Params::new(1);
        params.target_energy = TargetEnergy::Skip;
        let skipped = select(&target, &source, &kernel, &params).unwrap();
        prop_assert!(skipped.explained().is_none() || target == source);
    }
}
