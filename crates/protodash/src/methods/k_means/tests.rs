//! K-means against a slow implementation of its own.

use ndarray::Array2;

use super::lloyd::{Clustering, cluster};
use super::nearest_rows;
use crate::observe::Unobserved;
use crate::rows::Rows;

/// Rows around `n_groups` centres, from a few products of whole numbers.
fn groups(n_rows: usize, n_groups: usize) -> Array2<f64> {
    Array2::from_shape_fn((n_rows, 2), |(row, column)| {
        let group = (row % n_groups) as f64;
        let noise = ((row * 7919 + column * 104_729 + 13) % 1009) as f64 / 1009.0;
        10.0 * (group * (1.0 + column as f64)).sin() + noise
    })
}

fn weights(n_rows: usize) -> Vec<f64> {
    (0..n_rows).map(|row| (row % 4) as f64).collect()
}

fn run(rows: &Array2<f64>, weights: &[f64], n_centres: usize, seed: u64) -> Clustering {
    cluster(Rows::new(rows.as_slice().unwrap(), 2), weights, (n_centres, seed), &mut Unobserved).unwrap()
}

fn squared(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| (x - y).powi(2)).sum()
}

/// Lloyd's steps from these centres, from the definition: (centres, losses).
fn slow(rows: &Array2<f64>, weights: &[f64], mut centres: Vec<Vec<f64>>, n_steps: usize) -> (Vec<Vec<f64>>, Vec<f64>) {
    let rows: Vec<Vec<f64>> = rows.rows().into_iter().map(|row| row.to_vec()).collect();
    let mut losses = Vec::new();
    for step in 0..n_steps {
        let nearest = |row: &Vec<f64>| {
            let mut best = 0;
            for position in 1..centres.len() {
                if squared(row, &centres[position]) < squared(row, &centres[best]) {
                    best = position;
                }
            }
            best
        };
        let of: Vec<usize> = rows.iter().map(nearest).collect();
        losses.push((0..rows.len()).map(|row| weights[row] * squared(&rows[row], &centres[of[row]])).sum());
        if step + 1 == n_steps {
            break;
        }
        for (position, centre) in centres.iter_mut().enumerate() {
            let members: Vec<usize> = (0..rows.len()).filter(|row| of[*row] == position).collect();
            let total: f64 = members.iter().map(|row| weights[*row]).sum();
            assert!(total > 0.0, "the test needs clusters with rows");
            let sum = |column: usize| members.iter().map(|row| weights[*row] * rows[*row][column]).sum::<f64>();
            *centre = (0..2).map(|column| sum(column) / total).collect();
        }
    }
    (centres, losses)
}

#[test]
fn steps_are_those_of_a_slow_implementation_and_never_raise_the_loss() {
    let (mut n_with_steps, n_rows) = (0, 60);
    for seed in 0..20 {
        // As many groups as rows: no clusters that the first centres could find.
        let rows = groups(n_rows, n_rows);
        for weights in [vec![1.0; n_rows], weights(n_rows)] {
            let n_centres = 2 + seed as usize % 5;
            let found = run(&rows, &weights, n_centres, seed);
            let start = super::lloyd::start(Rows::new(rows.as_slice().unwrap(), 2), &weights, (n_centres, seed));
            let (_, losses) = slow(&rows, &weights, start, found.losses.len());
            for (found, slow) in found.losses.iter().zip(&losses) {
                assert!((found - slow).abs() <= 1e-9 * slow, "{found} {slow}");
            }
            assert!(found.losses.windows(2).all(|pair| pair[1] <= pair[0] * (1.0 + 1e-12)), "{:?}", found.losses);
            n_with_steps += usize::from(found.losses.len() > 2);
        }
    }
    assert!(n_with_steps > 10, "{n_with_steps}");
}

#[test]
fn at_the_end_centres_are_means_and_the_chosen_rows_are_nearest_to_them() {
    let rows = groups(80, 4);
    let weights = weights(80);
    let found = run(&rows, &weights, 4, 3);
    let chosen = nearest_rows(&found, Rows::new(rows.as_slice().unwrap(), 2));
    let mut heaviest: Vec<usize> = (0..4).collect();
    heaviest.sort_by(|a, b| found.sizes[*b].total_cmp(&found.sizes[*a]));
    assert_eq!(found.sizes.iter().sum::<f64>(), weights.iter().sum::<f64>());
    for (centre, row) in heaviest.into_iter().zip(chosen) {
        let distance = |row: usize| squared(&rows.row(row).to_vec(), found.centre(centre));
        assert!((0..80).all(|other| distance(row) <= distance(other)));
    }
}

#[test]
fn there_are_no_more_centres_than_different_rows() {
    let rows = Array2::from_shape_fn((30, 2), |(row, _)| (row % 3) as f64);
    let found = run(&rows, &[1.0; 30], 8, 0);
    assert_eq!((found.n_centres(), found.losses.last()), (3, Some(&0.0)));
    let mut chosen = nearest_rows(&found, Rows::new(rows.as_slice().unwrap(), 2));
    chosen.sort_unstable();
    assert_eq!(chosen, [0, 1, 2]); // the first of each
}

#[test]
fn rows_of_weight_0_draw_no_centre() {
    let rows = Array2::from_shape_fn((20, 2), |(row, _)| if row < 10 { row as f64 } else { 1e6 + row as f64 });
    let weights: Vec<f64> = (0..20).map(|row| if row < 10 { 2.0 } else { 0.0 }).collect();
    for seed in 0..10 {
        let found = run(&rows, &weights, 3, seed);
        assert!((0..3).all(|centre| found.centre(centre)[0] < 10.0));
    }
}

#[test]
fn a_row_weighs_as_much_as_its_copies() {
    let rows = groups(40, 5);
    let twice: Vec<f64> = (0..40).map(|row| 1.0 + f64::from(u8::from(row % 3 == 0))).collect();
    let copies: Vec<usize> = (0..40).flat_map(|row| vec![row; twice[row] as usize]).collect();
    let copied = rows.select(ndarray::Axis(0), &copies);
    // Draws are by cumulated weights in the order of the rows, so both draw the same rows.
    let (once, again) = (run(&rows, &twice, 5, 9), run(&copied, &vec![1.0; copies.len()], 5, 9));
    for (a, b) in once.losses.iter().zip(&again.losses) {
        assert!((a - b).abs() <= 1e-9 * a, "{a} {b}");
    }
}
