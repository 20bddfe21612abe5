//! Tests of the protocol, and that the number of shards does not affect the result.

use std::cell::Cell;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use ndarray::Array2;

use super::basis::PrototypeBasis;
use super::local::{LocalShard, ShardData};
use super::protocol::*;
use super::rank::Ranking;
use super::shards::Shards;
use super::*;
use crate::error::Result;
use crate::kernel::{Gaussian, Kernel, Laplacian, Linear};
use crate::kernel_mean::Precision;
use crate::methods::{protodash, protogreedy};
use crate::observe::{Observer, Unobserved};
use crate::oversample;
use crate::params::{Method, Params, Weights};
use crate::prepared::Prepared;
use crate::problem::{SelectionProblem, StoppingRule};
use crate::rows::{Rows, Scalar};
use crate::selection::Path;
use crate::weights::Constraint;

/// Rows around five centres; every seventh row is a copy of another.
fn clustered(n_rows: usize, n_columns: usize) -> Array2<f64> {
    let state = Cell::new(7_u64);
    let next = || {
        state.set(state.get().wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407));
        (state.get() >> 40) as f64 / f64::from(1 << 24)
    };
    let mut rows = Array2::from_shape_fn((n_rows, n_columns), |(row, _)| next() + 0.7 * (row % 5) as f64);
    for row in (7..n_rows).step_by(7) {
        let copied = rows.row(row / 2).to_owned();
        rows.row_mut(row).assign(&copied);
    }
    rows
}

fn path<T: Scalar>(
    target: &Array2<T>,
    source: &Array2<T>,
    kernel: &dyn Kernel<T>,
    params: &Params,
    layout: ShardLayout,
) -> Path {
    let prepared = Prepared::for_one(target, source, kernel, params, &mut Unobserved).unwrap();
    let problem = SelectionProblem { layout, ..prepared.problem(params) };
    oversample::path(problem, &mut Unobserved).unwrap()
}

/// Compares one shard with several, whose boundaries are not aligned to anything.
fn check_layouts<T: Scalar>(target: &Array2<T>, source: &Array2<T>, kernel: &dyn Kernel<T>, params: &Params) {
    let one = path(target, source, kernel, params, ShardLayout::default());
    for (n_shards, rows_per_block) in [(1, 64), (2, 1024), (4, 100), (7, 1024), (7, 1), (source.nrows(), 3)] {
        let many = path(target, source, kernel, params, ShardLayout { n_shards, rows_per_block });
        assert_eq!(many.source_indices, one.source_indices, "{n_shards} shards: {params:?}");
        assert_eq!(many.weights, one.weights, "{n_shards} shards: {params:?}");
        assert_eq!(many.objective, one.objective, "{n_shards} shards: {params:?}");
        assert_eq!(many.stopped, one.stopped, "{n_shards} shards: {params:?}");
    }
}

#[test]
fn results_are_bit_identical_for_any_number_of_shards() {
    let source = clustered(1300, 4);
    let target = clustered(700, 4) * 1.1;
    let (source_f32, target_f32) = (source.mapv(|value| value as f32), target.mapv(|value| value as f32));
    for method in [Method::ProtoDash, Method::ProtoGreedy, Method::Swap] {
        for weights in [Weights::Nonnegative, Weights::Convex] {
            let mut params = Params::new(if method == Method::Swap { 6 } else { 20 });
            (params.method, params.weights) = (method, weights);
            let gaussian = Gaussian::new(0.8).unwrap();
            check_layouts(&source, &source, &gaussian, &params);
            check_layouts(&target, &source, &gaussian, &params);
            check_layouts(&source_f32, &source_f32, &gaussian, &params);
            check_layouts(&target_f32, &source_f32, &gaussian, &params);
        }
    }
}

#[test]
fn results_are_bit_identical_for_any_number_of_shards_when_f32_is_recomputed_in_f64() {
    // Hundreds of corners of a cube tie, so that means and columns in f32 are recomputed in f64.
    let corners = Array2::from_shape_fn((256, 8), |(row, column)| ((row >> column) & 1) as f32);
    for method in [Method::ProtoDash, Method::ProtoGreedy] {
        for column_memory in [4 << 30, 4 * 256 * 5, 0] {
            let mut params = Params::new(20);
            (params.method, params.column_memory) = (method, column_memory);
            check_layouts(&corners, &corners, &Gaussian::new(1.0).unwrap(), &params);
            params.target_weights = Some((0..256).map(|row| f64::from(row % 3) + 0.5).collect());
            check_layouts(&corners, &corners, &Laplacian::new(2.0).unwrap(), &params);
        }
    }
}

#[test]
fn results_are_bit_identical_for_any_number_of_shards_with_dependent_prototypes() {
    // With three columns and a linear kernel the fourth prototype depends on the others.
    let source = clustered(90, 3) - 1.0;
    for method in [Method::ProtoDash, Method::ProtoGreedy, Method::Swap] {
        for (weights, column_memory) in [(Weights::Nonnegative, 4 << 30), (Weights::Convex, 0)] {
            let mut params = Params::new(6);
            (params.method, params.weights, params.column_memory) = (method, weights, column_memory);
            check_layouts(&source, &source, &Linear, &params);
        }
    }
}

const VALUES: [f64; 8] = [0.0, 0.3, 1.0, 1.4, 3.0, 3.1, 5.0, 9.0];
const MEANS: [f64; 8] = [0.3, 0.32, 0.33, 0.3, 0.28, 0.27, 0.2, 0.13];

fn shard(kernel: &Gaussian) -> LocalShard<'_, f64> {
    LocalShard::new(ShardData {
        kernel,
        rows: Rows::new(&VALUES, 1),
        first: 0,
        kernel_mean: &MEANS,
        approximate: None,
        is_candidate: vec![true; 8],
        constraints: None,
        rows_per_block: 3,
    })
}

fn ranking() -> Ranking {
    Ranking {
        rank: Rank::Gradient,
        multiplier: 0.0,
        schur_error: 1e-14,
        column_error: 0.0,
        scale: 0.33,
        tolerance: 0.0,
        per_cost: false,
        without: None,
    }
}

fn open() -> ShardOrder<f64> {
    ShardOrder::Open { shift: 0.0, columns: ColumnStorage::In(Precision::Double), keeps_schur: true }
}

fn propose() -> ShardQuestion<f64> {
    ShardQuestion::Propose { ranking: ranking(), limit: 8 }
}

fn ask(shard: &LocalShard<'_, f64>, question: &ShardQuestion<f64>) -> ShardAnswer<f64> {
    match shard.ask(0, question).unwrap() {
        ShardReply::Done(answer) => answer,
        other => panic!("{other:?}"),
    }
}

/// Admits row 2 with weight 0.33, and asks for proposals.
fn admit_row_2() -> ShardOrder<f64> {
    let mut basis = PrototypeBasis::default();
    basis.push(&[], 1.0);
    ShardOrder::Admit(Admission {
        source_index: 2,
        row: vec![1.0],
        corrections: Vec::new(),
        factor_row: basis.factor_rows().remove(0),
        coordinates: basis.coordinates(&[0.33]),
        n_columns_to_come: 2,
        schur_tolerance: 1e-6,
        then: vec![propose()],
    })
}

#[test]
fn a_repeated_order_has_no_effect_and_gets_the_same_answer() {
    let kernel = Gaussian::new(1.0).unwrap();
    let mut shard = shard(&kernel);
    let opened = shard.tell(0, &open(), &mut Unobserved).unwrap();
    assert_eq!(shard.tell(0, &open(), &mut Unobserved).unwrap(), opened);
    let admitted = shard.tell(1, &admit_row_2(), &mut Unobserved).unwrap();
    let proposed = ask(&shard, &propose());
    assert_eq!(shard.tell(1, &admit_row_2(), &mut Unobserved).unwrap(), admitted);
    assert_eq!(ask(&shard, &propose()), proposed, "admitted twice");
    // The question that came with the admission gets the same answer as when asked afterwards.
    let ShardReply::Done(ShardAnswer::Admitted(report)) = admitted else { panic!("{admitted:?}") };
    assert_eq!(report.answers, [proposed]);
}

#[test]
fn an_order_that_skips_a_number_is_rejected_with_the_missing_one() {
    let kernel = Gaussian::new(1.0).unwrap();
    let mut shard = shard(&kernel);
    assert_eq!(shard.tell(1, &admit_row_2(), &mut Unobserved).unwrap(), ShardReply::Behind(0));
    shard.tell(0, &open(), &mut Unobserved).unwrap();
    let before = ask(&shard, &propose());
    assert_eq!(shard.tell(2, &admit_row_2(), &mut Unobserved).unwrap(), ShardReply::Behind(1));
    assert_eq!(ask(&shard, &propose()), before, "a refused order was carried out");
}

#[test]
fn refused_rows_become_candidates_again_at_the_next_admission() {
    let kernel = Gaussian::new(1.0).unwrap();
    let mut shard = shard(&kernel);
    let rows = |shard: &LocalShard<'_, f64>| match ask(shard, &propose()) {
        ShardAnswer::Ranked(ranked) => ranked.iter().map(|row| row.source_index).collect::<Vec<_>>(),
        other => panic!("{other:?}"),
    };
    shard.tell(0, &open(), &mut Unobserved).unwrap();
    assert_eq!(rows(&shard), [2, 1, 0, 3, 4, 5, 6, 7]);
    shard.tell(1, &ShardOrder::Refuse(4), &mut Unobserved).unwrap();
    assert_eq!(rows(&shard), [2, 1, 0, 3, 5, 6, 7]);
    shard.tell(2, &admit_row_2(), &mut Unobserved).unwrap();
    assert!(rows(&shard).contains(&4) && !rows(&shard).contains(&2));
}

#[test]
fn column_sums_do_not_depend_on_where_the_source_is_divided() {
    let terms: Vec<f64> = (0..2000).map(|row| (f64::from(row) * 0.37).sin()).collect();
    let part = |range: Range<usize>| {
        let n_head = (range.start.next_multiple_of(512) - range.start).min(range.len());
        let (head, rest) = terms[range].split_at(n_head);
        ColumnSums { head: head.to_vec(), runs: rest.chunks(512).map(|run| run.iter().sum()).collect() }
    };
    let whole = ColumnSums::total(&[part(0..2000)]);
    for cuts in [&[0, 1000, 2000][..], &[0, 1, 2, 3, 600, 700, 1024, 1025, 2000], &[0, 512, 513, 1999, 2000]] {
        let parts: Vec<ColumnSums> = cuts.windows(2).map(|cut| part(cut[0]..cut[1])).collect();
        assert_eq!(ColumnSums::total(&parts).to_bits(), whole.to_bits(), "{cuts:?}");
    }
}

/// Counts the messages to a shard.
struct CountedShard<S> {
    shard: S,
    n_messages: Arc<AtomicUsize>,
}

impl<T, S: Shard<T>> Shard<T> for CountedShard<S> {
    fn source_range(&self) -> Range<usize> {
        self.shard.source_range()
    }

    fn ask(&self, after: u64, question: &ShardQuestion<T>) -> Result<ShardReply<T>> {
        self.n_messages.fetch_add(1, Ordering::Relaxed);
        self.shard.ask(after, question)
    }

    fn tell(&mut self, sequence: u64, order: &ShardOrder<T>, observer: &mut dyn Observer) -> Result<ShardReply<T>> {
        self.n_messages.fetch_add(1, Ordering::Relaxed);
        self.shard.tell(sequence, order, observer)
    }
}

#[test]
fn a_step_takes_two_messages() {
    let rows = clustered(300, 3);
    let kernel = Gaussian::new(0.8).unwrap();
    let prepared = Prepared::new(&rows, &rows, &kernel, &Params::new(1), &mut Unobserved).unwrap();
    let params = Params::new(30);
    let problem = prepared.problem(&params);
    for (method, precision) in [Method::ProtoDash, Method::ProtoGreedy]
        .into_iter()
        .flat_map(|method| [Precision::Single, Precision::Double].map(|precision| (method, precision)))
    {
        let n_messages = Arc::new(AtomicUsize::new(0));
        let shard = LocalShard::new(ShardData {
            kernel: &kernel,
            rows: problem.source,
            first: 0,
            kernel_mean: problem.kernel_mean,
            approximate: None,
            is_candidate: crate::distinct::first_of_equal_rows(problem.source),
            constraints: None,
            rows_per_block: 64,
        });
        let counted: Box<dyn Shard<f64>> = Box::new(CountedShard { shard, n_messages: Arc::clone(&n_messages) });
        let (shards, mut unobserved) = (Shards::new(vec![counted]), Unobserved);
        let settings = SearchSettings {
            checks_definiteness: true,
            keeps_schur: true,
            constraint: Constraint::Nonnegative,
            shift: 0.0,
            level: 0.0,
            column_memory: 1 << 30,
            column_precision: precision,
            tolerance: 0.0,
        };
        let mut search = GreedySearch::with_shards(shards, settings, StoppingRule::at(30), &mut unobserved).unwrap();
        if method == Method::ProtoDash { protodash(&mut search) } else { protogreedy(&mut search) }.unwrap();
        assert_eq!(search.prototypes().len(), 30);
        // Also opening, the first survey and proposals, and occasionally a candidate that f32 leaves uncertain.
        let n_messages = n_messages.load(Ordering::Relaxed);
        assert!(n_messages <= 2 * 30 + 8, "{method:?} in {precision:?}: {n_messages} messages");
    }
}
