//! Related tables: worked by hand, by brute force, and in any order.

use std::collections::BTreeSet;

use ndarray::{Array1, Array2, array};
use proptest::prelude::*;
use protodash::relate::{KeyedTable, Pair, RelateParams, Relation, relate};
use protodash::weights::nonnegative;
use protodash::{Error, Gaussian, Kernel, Linear, Method, Params, Weights, select};

/// Three tables about the keys 0 to 3, under the linear kernel, with one prototype each.
///
/// ```text
/// a: 0 (1,0)  1 (1,0)  2 (1,0)  3 (0,1)       b: 0 (2)  1 (1)  2 (1)      c: 2 (0,1)  3 (1,0)
/// ```
#[test]
fn three_tables_by_hand() {
    let a = array![[1.0, 0.0], [1.0, 0.0], [1.0, 0.0], [0.0, 1.0]];
    let (b, c) = (array![[2.0], [1.0], [1.0]], array![[0.0, 1.0], [1.0, 0.0]]);
    let tables = [
        KeyedTable { rows: &a, keys: &[0, 1, 2, 3], kernel: &Linear },
        KeyedTable { rows: &b, keys: &[0, 1, 2], kernel: &Linear },
        KeyedTable { rows: &c, keys: &[2, 3], kernel: &Linear },
    ];
    let relation = relate(&tables, &RelateParams::new(1)).unwrap();
    let shown: Vec<_> = relation.pairs.iter().map(|pair| (pair.target, pair.source, pair.n_keys, key(pair))).collect();
    // In b all keys have the same gain, so the first is chosen; the same for the two keys of c.
    assert_eq!(shown, [(0, 1, 3, 0), (0, 2, 2, 2), (1, 0, 3, 0), (1, 2, 1, 2), (2, 0, 2, 2), (2, 1, 1, 2)]);
    // a by b over 0, 1, 2: all three rows are (1,0), so one of them is all. a by c over 2, 3: the mean is (½,½) with
    // energy ½; key 2 reaches ½·½² = ⅛, and 2·⅛ of ½ is one half. c by a over 2, 3 is the same with swapped axes. All
    // other pairs are one-dimensional, so one row explains them.
    let explained: Vec<f64> = relation.pairs.iter().map(|pair| pair.explained).collect();
    for (found, expected) in explained.iter().zip([1.0, 0.5, 1.0, 1.0, 0.5, 1.0]) {
        assert!((found - expected).abs() < 1e-12, "{explained:?}");
    }
    assert!((relation.pairs[1].own_explained - 0.5).abs() < 1e-12);
    assert_eq!(relation.pairs.iter().map(|pair| pair.rank).collect::<Vec<_>>(), [1.0, 2.0, 1.5, 1.5, 2.0, 1.0]);
    let averages: Vec<_> = relation.tables.iter().map(|table| table.average_rank.unwrap()).collect();
    assert_eq!(averages, [(1.5 + 2.0) / 2.0, (1.0 + 1.0) / 2.0, (2.0 + 1.5) / 2.0]);
    // a alone: the mean is (¾,¼), its energy 10/16; key 0 reaches ½·(¾)².
    let own = &relation.tables[0];
    assert_eq!((own.n_keys, own.prototypes[0].key), (4, 0));
    assert!((own.prototypes[0].weight - 0.75).abs() < 1e-12 && (own.explained - 0.9).abs() < 1e-12);
}

fn key(pair: &Pair) -> usize {
    pair.prototypes[0].key
}

/// Random tables: some of the keys 0 to 29 each, in any order.
fn tables() -> impl Strategy<Value = Vec<(Array2<f64>, Vec<usize>)>> {
    let table =
        (1_usize..4, prop::collection::vec(any::<bool>(), 30), any::<u64>()).prop_map(|(columns, has, seed)| {
            let mut keys: Vec<usize> = (0..30).filter(|key| has[*key] || *key == 7).collect();
            let n_keys = keys.len();
            keys.rotate_left(seed as usize % n_keys);
            let value =
                |key: usize, column: usize| ((key * 7919 + column * 104_729) as f64 + seed as f64 % 1e4).sin() * 2.0;
            let rows = Array2::from_shape_fn((n_keys, columns), |(row, column)| value(keys[row], column));
            (rows, keys)
        });
    prop::collection::vec(table, 2..5)
}

fn kernel() -> Gaussian {
    Gaussian::new(1.3).unwrap()
}

fn keyed<'a>(tables: &'a [(Array2<f64>, Vec<usize>)], kernel: &'a Gaussian) -> Vec<KeyedTable<'a, f64>> {
    tables.iter().map(|(rows, keys)| KeyedTable { rows, keys, kernel }).collect()
}

/// The same by definition: every pair computed only from the rows of its shared keys, independently of other pairs.
fn plainly(
    tables: &[(Array2<f64>, Vec<usize>)],
    target: usize,
    source: usize,
    n_prototypes: usize,
) -> (Vec<usize>, f64) {
    let kernel = Gaussian::new(1.3).unwrap();
    let keys = |table: usize| tables[table].1.iter().copied().collect::<BTreeSet<usize>>();
    let shared: Vec<usize> = keys(target).intersection(&keys(source)).copied().collect();
    let row = |table: usize, key: usize| {
        let (rows, keys) = &tables[table];
        rows.row(keys.iter().position(|other| *other == key).unwrap()).to_vec()
    };
    let matrix = |table: usize| {
        let columns = tables[table].0.ncols();
        Array2::from_shape_fn((shared.len(), columns), |(position, column)| row(table, shared[position])[column])
    };
    let rows = matrix(source);
    let selection = select(&rows, &rows, &kernel, &Params::new(n_prototypes.min(shared.len()))).unwrap();
    let chosen: Vec<usize> = selection.prototypes.iter().map(|prototype| shared[prototype.source_index]).collect();
    let similarity = |x: usize, y: usize| kernel.evaluate(&row(target, x), &row(target, y));
    let mean = |x: usize| shared.iter().map(|y| similarity(x, *y)).sum::<f64>() / shared.len() as f64;
    let energy = shared.iter().map(|x| mean(*x)).sum::<f64>() / shared.len() as f64;
    let means: Array1<f64> = chosen.iter().map(|x| mean(*x)).collect();
    let gram = Array2::from_shape_fn((chosen.len(), chosen.len()), |(i, j)| similarity(chosen[i], chosen[j]));
    let weights = Array1::from(nonnegative(means.view(), gram.view()).unwrap());
    let objective = means.dot(&weights) - 0.5 * weights.dot(&gram.dot(&weights));
    (chosen, 2.0 * objective / energy)
}

fn assert_alike(one: &Relation, other: &Relation, number: impl Fn(usize) -> usize) {
    for pair in &one.pairs {
        let (target, source) = (number(pair.target), number(pair.source));
        let same = other.pairs.iter().find(|other| (other.target, other.source) == (target, source)).unwrap();
        assert_eq!((pair.explained, pair.rank, &pair.prototypes), (same.explained, same.rank, &same.prototypes));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn pairs_agree_with_their_definition(tables in tables(), n_prototypes in 1_usize..5) {
        let relation = relate(&keyed(&tables, &kernel()), &RelateParams::new(n_prototypes)).unwrap();
        prop_assert_eq!(relation.pairs.len(), tables.len() * (tables.len() - 1)); // all have key 7
        for pair in &relation.pairs {
            let (chosen, explained) = plainly(&tables, pair.target, pair.source, n_prototypes);
            prop_assert_eq!(pair.prototypes.iter().map(|chosen| chosen.key).collect::<Vec<_>>(), chosen);
            prop_assert!((pair.explained - explained).abs() < 1e-10, "{} and {explained}", pair.explained);
            prop_assert!(pair.explained >= 0.0 && pair.explained <= 1.0);
        }
    }

    /// To the last bit, since all sums are in the order of keys.
    #[test]
    fn the_order_of_tables_and_of_rows_changes_nothing(tables in tables(), turn in 1_usize..29) {
        let params = RelateParams::new(3);
        let relation = relate(&keyed(&tables, &kernel()), &params).unwrap();
        let n_tables = tables.len();
        let turned: Vec<(Array2<f64>, Vec<usize>)> = (0..n_tables)
            .map(|table| {
                let (rows, keys) = &tables[(table + 1) % n_tables];
                let order: Vec<usize> = (0..keys.len()).map(|row| (row + turn) % keys.len()).collect();
                (rows.select(ndarray::Axis(0), &order), order.iter().map(|row| keys[*row]).collect())
            })
            .collect();
        assert_alike(&relation, &relate(&keyed(&turned, &kernel()), &params).unwrap(), |table| (table + n_tables - 1) % n_tables);
    }
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let rows = |step: f64| Array2::from_shape_fn((700, 3), |(row, column)| (row as f64 * step + column as f64).sin());
    let (a, b) = (rows(0.37), rows(0.11));
    let (first, second): (Vec<usize>, Vec<usize>) = ((0..700).collect(), (200..900).collect());
    let kernel = Gaussian::new(0.9).unwrap();
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let tables = [
            KeyedTable { rows: &a, keys: &first, kernel: &kernel },
            KeyedTable { rows: &b, keys: &second, kernel: &kernel },
        ];
        pool.install(|| relate(&tables, &RelateParams::new(6)).unwrap())
    };
    assert_eq!(run(1), run(3));
}

#[test]
fn on_the_same_keys_the_prototypes_of_a_table_are_those_of_a_selection() {
    let rows = Array2::from_shape_fn((40, 2), |(row, column)| (row as f64 * 0.9 + column as f64 * 2.0).cos());
    let other = rows.mapv(|value| value * value);
    let (kernel, keys) = (Gaussian::new(0.5).unwrap(), (0..40).collect::<Vec<usize>>());
    let asked = [
        (Method::ProtoGreedy, Weights::Convex, 0),
        (Method::Swap, Weights::Nonnegative, 0),
        (Method::Random, Weights::Nonnegative, 0),
        (Method::Random, Weights::Nonnegative, 7),
    ];
    for (method, weights, seed) in asked {
        let mut params = Params::new(5);
        (params.method, params.weights, params.seed) = (method, weights, seed);
        let selection = select(&rows, &rows, &kernel, &params).unwrap();
        let mut asked = RelateParams::new(5);
        (asked.method, asked.weights, asked.seed) = (method, weights, seed);
        let tables = [&rows, &other].map(|rows| KeyedTable { rows, keys: &keys, kernel: &kernel });
        let relation = relate(&tables, &asked).unwrap();
        let own = &relation.tables[0];
        let found: Vec<_> = own.prototypes.iter().map(|chosen| (chosen.key, chosen.weight)).collect();
        let expected: Vec<_> = selection.prototypes.iter().map(|p| (p.source_index, p.weight)).collect();
        assert_eq!((found, own.explained), (expected, selection.explained().unwrap()));
        assert_eq!(relation.pairs[0].own_explained, own.explained);
        if weights == Weights::Convex {
            let total: f64 = relation.pairs[0].prototypes.iter().map(|chosen| chosen.weight).sum();
            assert!((total - 1.0).abs() < 1e-9);
        }
    }
}

/// With the same draws for all, equal tables would represent any third one equally well.
#[test]
fn equal_tables_draw_different_rows() {
    let rows = Array2::from_shape_fn((40, 2), |(row, column)| (row as f64 * 0.9 + column as f64 * 2.0).cos());
    let (kernel, keys) = (Gaussian::new(0.5).unwrap(), (0..40).collect::<Vec<usize>>());
    let tables = [&rows; 3].map(|rows| KeyedTable { rows, keys: &keys, kernel: &kernel });
    let mut asked = RelateParams::new(5);
    (asked.method, asked.seed) = (Method::Random, 7);
    let relation = relate(&tables, &asked).unwrap();
    let drawn: BTreeSet<Vec<usize>> =
        relation.tables.iter().map(|table| table.prototypes.iter().map(|chosen| chosen.key).collect()).collect();
    assert_eq!(drawn.len(), 3);
    // Each draws as a selection with its own seed does.
    let mut params = Params::new(5);
    (params.method, params.seed) = (Method::Random, asked.seed_of(2));
    let selection = select(&rows, &rows, &kernel, &params).unwrap();
    let expected: Vec<usize> = selection.prototypes.iter().map(|prototype| prototype.source_index).collect();
    let found: Vec<usize> = relation.tables[2].prototypes.iter().map(|chosen| chosen.key).collect();
    assert_eq!(found, expected);
}

#[test]
fn invalid_relations_are_rejected() {
    let rows = array![[1.0], [2.0]];
    let table = |keys: &'static [usize]| KeyedTable { rows: &rows, keys, kernel: &Linear };
    let refused = |tables: &[KeyedTable<'_, f64>]| relate(tables, &RelateParams::new(1)).unwrap_err().to_string();
    assert_eq!(refused(&[table(&[0, 1])]), "cannot relate 1 table; at least 2 are needed");
    assert_eq!(refused(&[table(&[0, 1]), table(&[0])]), "table 1 has 1 key for 2 rows; there must be one for each");
    assert_eq!(refused(&[table(&[0, 1]), table(&[7, 7])]), "table 1 has key 7 twice; keys must be unique");
    assert_eq!(
        refused(&[table(&[0, 1]), table(&[1, 2]), table(&[8, 9])]),
        "table 2 shares no key with any other table; at least 1 is needed"
    );
    let centred = array![[-1.0], [1.0]];
    let nothing = KeyedTable { rows: &centred, keys: &[0, 1], kernel: &Linear };
    assert_eq!(
        refused(&[table(&[0, 1]), nothing]),
        "table 1: under this kernel the mean is 0, so there is nothing to represent"
    );
    let none = relate(&[table(&[0, 1]), table(&[0, 1])], &RelateParams::new(0));
    assert_eq!(none, Err(Error::NoPrototypes));
}
