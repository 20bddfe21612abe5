//! The loop over rows and prototypes: similarities, the nearest prototype of each prefix, and the votes.

use super::counts::PredictionCounts;
use crate::kernel::Kernel;
use crate::kernel_mean::column::column;
use crate::rows::{Rows, Scalar};
use crate::selection::Selection;

/// Rows whose votes are added together, so that the compiler can use vector instructions.
const LANES: usize = 16;

/// Prototypes with their classes and the weights of each prefix.
pub(super) struct Voters<'a, T: Scalar> {
    kernel: &'a dyn Kernel<T>,
    prototypes: Rows<'a, T>,
    /// k(z, z).
    diagonal: Vec<f64>,
    /// The class of each prototype, numbered by first occurrence.
    classes: Vec<usize>,
    /// The caller's label of each class.
    labels: Vec<usize>,
    /// How many classes the first i + 1 prototypes belong to.
    n_classes: Vec<usize>,
    /// The weights of the first i + 1 prototypes.
    weights: Vec<&'a [f64]>,
}

impl<'a, T: Scalar> Voters<'a, T> {
    pub(super) fn new(
        kernel: &'a dyn Kernel<T>,
        prototypes: Rows<'a, T>,
        labels: Vec<usize>,
        selection: &'a Selection,
    ) -> Self {
        let mut labels_of_classes: Vec<usize> = Vec::new();
        let (mut classes, mut n_classes) = (Vec::new(), Vec::new());
        for label in labels {
            let known = labels_of_classes.iter().position(|other| *other == label);
            classes.push(known.unwrap_or(labels_of_classes.len()));
            if known.is_none() {
                labels_of_classes.push(label);
            }
            n_classes.push(labels_of_classes.len());
        }
        Voters {
            kernel,
            prototypes,
            diagonal: prototypes.iter().map(|row| kernel.evaluate(row, row)).collect(),
            weights: (1..=classes.len()).filter_map(|size| selection.weights_at(size)).collect(),
            classes,
            labels: labels_of_classes,
            n_classes,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.classes.len()
    }

    /// Approximate number of multiplications for a row.
    pub(super) fn work_per_row(&self) -> usize {
        self.len() * (self.prototypes.n_columns() + self.len() / 2) + 1
    }

    /// The counts of both rules, nearest first.
    pub(super) fn classify(&self, rows: Rows<'_, T>, truth: &[usize]) -> [PredictionCounts; 2] {
        let mut counts = [PredictionCounts::new(self.len()), PredictionCounts::new(self.len())];
        let mut similarities = vec![[0.0; LANES]; self.len()];
        let mut column_of_row = vec![0.0; self.len()];
        for (start, truth) in (0..rows.n_rows()).step_by(LANES).zip(truth.chunks(LANES)) {
            for lane in 0..truth.len() {
                column(self.kernel, self.prototypes, rows.row(start + lane), &mut column_of_row);
                similarities.iter_mut().zip(&column_of_row).for_each(|(lanes, value)| lanes[lane] = *value);
            }
            let nearest = self.nearest(&similarities);
            let elected = self.elected(&similarities, &nearest);
            for (lane, truth) in truth.iter().enumerate() {
                counts[0].count(*truth, nearest.iter().map(|lanes| self.labels[lanes[lane]]));
                counts[1].count(*truth, elected.iter().map(|lanes| self.labels[lanes[lane]]));
            }
        }
        counts
    }

    /// The class of the nearest among the first i + 1 prototypes, for every i.
    fn nearest(&self, similarities: &[[f64; LANES]]) -> Vec<[usize; LANES]> {
        let mut smallest = [f64::INFINITY; LANES];
        let mut nearest = [0; LANES];
        let prototypes = similarities.iter().zip(&self.diagonal).zip(&self.classes);
        prototypes
            .map(|((similarities, own), class)| {
                for lane in 0..LANES {
                    let distance = own - 2.0 * similarities[lane];
                    if distance < smallest[lane] {
                        (smallest[lane], nearest[lane]) = (distance, *class);
                    }
                }
                nearest
            })
            .collect()
    }

    /// The class with the most votes of the first i + 1 prototypes, for every i; on a tie the class of the nearest.
    fn elected(&self, similarities: &[[f64; LANES]], nearest: &[[usize; LANES]]) -> Vec<[usize; LANES]> {
        let mut votes = vec![[0.0; LANES]; self.labels.len()];
        let prefixes = self.weights.iter().zip(&self.n_classes).zip(nearest);
        prefixes
            .map(|((weights, n_classes), nearest)| {
                let votes = &mut votes[..*n_classes];
                votes.fill([0.0; LANES]);
                for ((weight, similarities), class) in weights.iter().zip(similarities).zip(&self.classes) {
                    let votes = &mut votes[*class];
                    for lane in 0..LANES {
                        votes[lane] += weight * similarities[lane];
                    }
                }
                let mut elected = *nearest;
                for lane in 0..LANES {
                    for class in 0..*n_classes {
                        if votes[class][lane] > votes[elected[lane]][lane] {
                            elected[lane] = class;
                        }
                    }
                }
                elected
            })
            .collect()
    }
}
