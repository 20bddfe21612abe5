//! Small images of rows, drawn in Braille characters.

use arrow_array::{Array, RecordBatch};
use protodash_report::cut;
use protodash_table::to_f64;

/// Maximum width of an image in dots.
const WIDEST: usize = 32;
/// Maximum number of images; a line says if there are more.
const MOST: usize = 20;
const GAP: &str = "  ";

/// Rows that are images.
pub(crate) struct Pictures {
    shape: [usize; 2],
    images: Vec<Vec<f64>>,
}

impl Pictures {
    /// The rows of a file whose images have this height and width; `None` if its columns are not the pixels.
    pub(crate) fn new(cells: &RecordBatch, shape: [usize; 2]) -> Option<Pictures> {
        let [height, width] = shape;
        if height * width != cells.num_columns() || height < 2 || width < 2 {
            return None;
        }
        let mut images = vec![Vec::with_capacity(height * width); cells.num_rows()];
        for column in cells.columns() {
            let numbers = to_f64(column);
            for (row, image) in images.iter_mut().enumerate() {
                image.push(if numbers.is_null(row) { f64::NAN } else { numbers.value(row) });
            }
        }
        Some(Pictures { shape, images })
    }

    /// The images side by side under their captions, in lines of at most `width` characters.
    pub(crate) fn render(&self, captions: &[String], width: usize) -> String {
        let pictures: Vec<Vec<String>> = self.images.iter().take(MOST).map(|image| self.draw(image)).collect();
        let each = pictures.iter().flatten().map(|line| line.chars().count()).max().unwrap_or(0);
        let in_a_row = ((width + GAP.len()) / (each + GAP.len())).max(1);
        let mut lines = String::new();
        for (pictures, captions) in pictures.chunks(in_a_row).zip(captions.chunks(in_a_row)) {
            let mut line = |cells: Vec<String>| {
                let padded: Vec<String> = cells.iter().map(|cell| format!("{cell:<each$}")).collect();
                lines += padded.join(GAP).trim_end();
                lines.push('\n');
            };
            line(captions.iter().map(|caption| cut(caption, each)).collect());
            for place in 0..pictures.iter().map(Vec::len).max().unwrap_or(0) {
                line(pictures.iter().map(|picture| picture.get(place).cloned().unwrap_or_default()).collect());
            }
        }
        if self.images.len() > MOST {
            lines += &format!("(pictures of the first {MOST})\n");
        }
        lines
    }

    /// One image: a dot for each pixel brighter than the midpoint between the darkest and the brightest.
    fn draw(&self, image: &[f64]) -> Vec<String> {
        let [height, width] = self.shape;
        let step = width.div_ceil(WIDEST).max(1);
        let (rows, columns) = (height.div_ceil(step), width.div_ceil(step));
        let extreme = |pick: fn(f64, f64) -> f64| image.iter().copied().fold(f64::NAN, pick);
        let middle = 0.5 * (extreme(f64::min) + extreme(f64::max));
        let lit = |row: usize, column: usize| {
            let block = (row * step..height.min((row + 1) * step))
                .flat_map(|y| (column * step..width.min((column + 1) * step)).map(move |x| image[y * width + x]));
            let (sum, n) = block.fold((0.0, 0.0), |(sum, n), pixel| (sum + pixel, n + 1.0));
            row < rows && column < columns && sum / n > middle
        };
        (0..rows.div_ceil(4))
            .map(|line| {
                (0..columns.div_ceil(2)).map(|column| braille(|y, x| lit(4 * line + y, 2 * column + x))).collect()
            })
            .collect()
    }
}

/// The Braille character, of four rows and two columns, with the dots for which `lit(row, column)` holds.
fn braille(lit: impl Fn(usize, usize) -> bool) -> char {
    // Unicode numbers the dots down the left side, down the right side, then the fourth row.
    const DOTS: [[u32; 2]; 4] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]];
    let mut code = 0x2800;
    for (row, dots) in DOTS.iter().enumerate() {
        for (column, dot) in dots.iter().enumerate() {
            if lit(row, column) {
                code |= dot;
            }
        }
    }
    char::from_u32(code).unwrap_or(' ')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bright_pixels_become_dots() {
        let image = vec![9.0, 0.0, 0.0, 9.0, 0.0, 0.0, 9.0, 9.0, 9.0];
        let pictures = Pictures { shape: [3, 3], images: vec![image.clone(), image] };
        // The left character has dots 1, 2, 3 (0x07) and 6 (0x20), the right one dot 3 (0x04).
        assert_eq!(pictures.draw(&pictures.images[0]), ["\u{2827}\u{2804}"]);
        let captions = ["1".to_owned(), "2".to_owned()];
        assert_eq!(pictures.render(&captions, 80).lines().next(), Some("1   2"));
        assert_eq!(pictures.render(&captions, 4).lines().count(), 4);
    }
}
