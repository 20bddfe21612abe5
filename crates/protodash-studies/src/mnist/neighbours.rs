//! Nearest prototype of each image, for every number of prototypes.
//!
//! Pixels are bytes, so squared distances are integers: the nearest prototype and ties are exact. Each distance is
//! computed once for all methods and all numbers of prototypes.

use super::data::DigitImages;

/// Target images per block, so that a block stays in the cache while source images are compared with it.
const AT_A_TIME: usize = 64;

/// Squared distances between all images of a target and some images of a source.
pub(super) struct PixelNeighbours<'a> {
    target: &'a DigitImages,
    source: &'a DigitImages,
    /// Start of the column of each source image.
    begins: Vec<Option<usize>>,
    /// The columns, one after the other.
    distances: Vec<i32>,
}

impl<'a> PixelNeighbours<'a> {
    /// Computes the distances to the source images in any of the lists.
    pub(super) fn new<'c>(
        target: &'a DigitImages,
        source: &'a DigitImages,
        chosen: impl Iterator<Item = &'c Vec<usize>>,
    ) -> PixelNeighbours<'a> {
        let n_target = target.digits.len();
        let (mut begins, mut rows) = (vec![None; source.digits.len()], Vec::new());
        for &row in chosen.flatten() {
            if begins[row].is_none() {
                begins[row] = Some(rows.len() * n_target);
                rows.push(row);
            }
        }
        let mut distances = vec![0; rows.len() * n_target];
        let own: Vec<ByteImage> = rows.iter().map(|row| ByteImage::of(source, *row)).collect();
        for first in (0..n_target).step_by(AT_A_TIME) {
            let last = n_target.min(first + AT_A_TIME);
            let others: Vec<ByteImage> = (first..last).map(|row| ByteImage::of(target, row)).collect();
            for (place, image) in own.iter().enumerate() {
                let column = &mut distances[place * n_target..][first..last];
                column.iter_mut().zip(&others).for_each(|(distance, other)| *distance = image.distance(other));
            }
        }
        PixelNeighbours { target, source, begins, distances }
    }

    /// 1-NN accuracy with the first i + 1 of `chosen`, for every i. Ties go to the first.
    pub(super) fn accuracy(&self, chosen: &[usize]) -> Vec<f64> {
        let n_target = self.target.digits.len();
        let mut nearest = vec![(i32::MAX, usize::MAX); n_target];
        let of_size = |row: &usize| {
            let digit = self.source.digits[*row];
            let column = self.begins[*row].map_or(&[][..], |begin| &self.distances[begin..][..n_target]);
            for (nearest, distance) in nearest.iter_mut().zip(column) {
                if *distance < nearest.0 {
                    *nearest = (*distance, digit);
                }
            }
            let n_correct =
                nearest.iter().zip(&self.target.digits).filter(|((_, digit), truth)| digit == *truth).count();
            n_correct as f64 / n_target as f64
        };
        chosen.iter().map(of_size).collect()
    }
}

/// An image as integers.
struct ByteImage {
    pixels: Vec<i16>,
    square: i32,
}

impl ByteImage {
    fn of(images: &DigitImages, row: usize) -> ByteImage {
        let pixels: Vec<i16> = images.pixels.row(row).iter().map(|pixel| (pixel * 255.0).round() as i16).collect();
        ByteImage { square: product(&pixels, &pixels), pixels }
    }

    /// ‖x‖² + ‖y‖² − 2⟨x, y⟩; no term exceeds 784 · 255², or 51 million.
    fn distance(&self, other: &ByteImage) -> i32 {
        self.square + other.square - 2 * product(&self.pixels, &other.pixels)
    }
}

/// Written so that the compiler uses the multiply-add instruction for pairs of 16-bit integers.
fn product(one: &[i16], other: &[i16]) -> i32 {
    one.iter().zip(other).map(|(a, b)| i32::from(*a) * i32::from(*b)).sum()
}

#[cfg(test)]
mod tests {
    use ndarray::Array2;
    use protodash::{Gaussian, Labelled, Params, Unobserved, classify, select};

    use super::*;

    /// Images without ties between distances, with digits.
    fn images(n_rows: usize, first: usize) -> DigitImages {
        let pixel = |(row, column): (usize, usize)| {
            let mixed = (row + first).wrapping_mul(2_654_435_761).wrapping_add(column.wrapping_mul(40_503)) >> 5;
            (mixed % 256) as f32 / 255.0
        };
        DigitImages {
            pixels: Array2::from_shape_fn((n_rows, 30), pixel),
            digits: (0..n_rows).map(|row| (row * 7 + first) % 5).collect(),
        }
    }

    fn labelled(images: &DigitImages) -> Labelled<'_, f32> {
        Labelled { rows: &images.pixels, labels: &images.digits }
    }

    #[test]
    fn the_accuracy_equals_that_of_the_core() {
        let (target, source) = (images(150, 3), images(60, 1000));
        let kernel = Gaussian::new(3.0).unwrap();
        let selection = select(&target.pixels, &source.pixels, &kernel, &Params::new(20)).unwrap();
        let slow = classify(labelled(&target), labelled(&source), &selection, &kernel, &mut Unobserved).unwrap();
        let chosen = [selection.prototypes.iter().map(|chosen| chosen.source_index).collect(), vec![5, 1]];
        let fast = PixelNeighbours::new(&target, &source, chosen.iter());
        assert_eq!(fast.accuracy(&chosen[0]), slow.nearest.accuracy);
    }

    #[test]
    fn distances_are_integers_and_ties_go_to_the_first() {
        let of = |pixels: Vec<f32>, digits: Vec<usize>| DigitImages {
            pixels: Array2::from_shape_vec((digits.len(), 1), pixels).unwrap() / 255.0,
            digits,
        };
        // 10 is as far from 7 as from 13.
        let (target, source) = (of(vec![10.0], vec![3]), of(vec![7.0, 13.0], vec![3, 4]));
        let chosen = [vec![0, 1], vec![1, 0]];
        let neighbours = PixelNeighbours::new(&target, &source, chosen.iter());
        assert_eq!(neighbours.distances, [9, 9]);
        assert_eq!(neighbours.accuracy(&chosen[0]), [1.0, 1.0]);
        assert_eq!(neighbours.accuracy(&chosen[1]), [0.0, 0.0]);
    }
}
