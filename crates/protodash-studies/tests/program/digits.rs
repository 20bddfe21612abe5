//! The small digits of `testdata` as the four files of MNIST.

use std::fs::File;
use std::io::Write;
use std::path::Path;

/// Writes the files: each of the 8 × 8 pixels becomes 3 × 3, inside a border of 2.
pub(crate) fn write(folder: &Path) {
    std::fs::create_dir(folder).unwrap();
    let table =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/digits.csv")).unwrap();
    let mut lines = table.lines();
    let label = lines.next().unwrap().split(',').position(|name| name == "label").unwrap();
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    let (train, test) = rows.split_at(1200);
    for (name, part) in [("train", train), ("t10k", test)] {
        let mut labels = File::create(folder.join(format!("{name}-labels-idx1-ubyte"))).unwrap();
        let mut images = File::create(folder.join(format!("{name}-images-idx3-ubyte"))).unwrap();
        labels.write_all(&header(&[0x801, part.len()])).unwrap();
        images.write_all(&header(&[0x803, part.len(), 28, 28])).unwrap();
        for row in part {
            labels.write_all(&[row[label].parse().unwrap()]).unwrap();
            let mut pixels: Vec<f64> = Vec::new();
            pixels.extend(
                row.iter()
                    .enumerate()
                    .filter(|(place, _)| *place != label)
                    .map(|(_, cell)| cell.parse::<f64>().unwrap()),
            );
            images.write_all(&enlarged(&pixels)).unwrap();
        }
    }
}

fn header(numbers: &[usize]) -> Vec<u8> {
    numbers.iter().flat_map(|number| (*number as u32).to_be_bytes()).collect()
}

fn enlarged(pixels: &[f64]) -> Vec<u8> {
    let mut image = vec![0; 28 * 28];
    for row in 0..24 {
        for column in 0..24 {
            image[(row + 2) * 28 + column + 2] = (pixels[row / 3 * 8 + column / 3] * 16.0).min(255.0) as u8;
        }
    }
    image
}
