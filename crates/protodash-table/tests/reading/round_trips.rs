//! Written files are read back unchanged.

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int32Type};
use proptest::prelude::*;

use crate::files::{batch_cells, cells, names, open, write};

/// Text for a cell: separators, quotes, line breaks, other scripts. It begins and ends with a letter, because the reader
/// trims cells and recognises numbers, booleans and missing values.
fn cell() -> impl Strategy<Value = String> {
    "[a-z,;|\t\"' \n\r0-9.é漢🦀-]{0,12}".prop_map(|inside| format!("z{inside}z"))
}

fn quoted(cell: &str) -> String {
    format!("\"{}\"", cell.replace('"', "\"\""))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, rng_seed: prop::test_runner::RngSeed::Fixed(7), ..Default::default() })]

    #[test]
    fn quoted_cells(
        rows in (1_usize..6).prop_flat_map(|n| prop::collection::vec(prop::collection::vec(cell(), n), 1..20)),
        delimiter in prop::sample::select(vec![",", ";", "\t", "|"]),
        ending in prop::sample::select(vec!["\n", "\r\n"]),
    ) {
        let directory = tempfile::tempdir().unwrap();
        let header: Vec<String> = (0..rows[0].len()).map(|at| format!("c{at}")).collect();
        let lines = std::iter::once(&header).chain(&rows);
        let line = |cells: &Vec<String>| cells.iter().map(|cell| quoted(cell)).collect::<Vec<_>>().join(delimiter);
        let text: String = lines.map(|cells| line(cells) + ending).collect();
        let input = open(&write(directory.path(), "a.csv", text)).unwrap();
        prop_assert_eq!(names(&input), header);
        prop_assert_eq!(cells(&input), rows);
    }

    #[test]
    fn numbers_in_text(numbers in prop::collection::vec(prop::num::f64::NORMAL | prop::num::f64::ZERO, 1..50)) {
        let directory = tempfile::tempdir().unwrap();
        // Rust writes the shortest text that gives the number back; the fraction keeps the column from being integers.
        let text: String = numbers.iter().map(|number| format!("{number:e}\n")).collect();
        let input = open(&write(directory.path(), "a.csv", format!("x\n0.5\n{text}"))).unwrap();
        let batch = input.batches().unwrap().next().unwrap().unwrap();
        prop_assert_eq!(&batch.column(0).as_primitive::<Float64Type>().values()[1..], &numbers[..]);
    }

    #[test]
    fn arrays_of_every_order(
        n_rows in 1_usize..5, height in 1_usize..4, width in 1_usize..4, fortran: bool, big: bool, seed: i32,
    ) {
        let directory = tempfile::tempdir().unwrap();
        let value = |row: usize, y: usize, x: usize| seed.wrapping_mul((1 + row * 100 + y * 10 + x) as i32);
        let mut positions: Vec<[usize; 3]> = Vec::new();
        if fortran {
            (0..width).for_each(|x| (0..height).for_each(|y| (0..n_rows).for_each(|row| positions.push([row, y, x]))));
        } else {
            (0..n_rows).for_each(|row| (0..height).for_each(|y| (0..width).for_each(|x| positions.push([row, y, x]))));
        }
        let element = |at: &[usize; 3]| {
            let value = value(at[0], at[1], at[2]);
            if big { value.to_be_bytes() } else { value.to_le_bytes() }
        };
        let (order, first_fastest) = (if big { '>' } else { '<' }, if fortran { "True" } else { "False" });
        let header = format!(
            "{{'descr': '{order}i4', 'fortran_order': {first_fastest}, 'shape': ({n_rows}, {height}, {width}), }}\n"
        );
        let length = (header.len() as u16).to_le_bytes();
        let elements: Vec<u8> = positions.iter().flat_map(element).collect();
        let bytes = [b"\x93NUMPY\x01\x00", &length[..], header.as_bytes(), &elements].concat();
        let input = open(&write(directory.path(), "a.npy", bytes)).unwrap();
        prop_assert_eq!(input.image_shape(), Some([height, width]));
        let batch = input.batches().unwrap().next().unwrap().unwrap();
        for (at, column) in batch.columns().iter().enumerate() {
            let expected: Vec<i32> = (0..n_rows).map(|row| value(row, at / width, at % width)).collect();
            prop_assert_eq!(&column.as_primitive::<Int32Type>().values()[..], &expected[..]);
        }
    }

    #[test]
    fn rows_match_those_of_a_full_read(wanted in prop::collection::vec(0_u64..300, 0..20)) {
        let directory = tempfile::tempdir().unwrap();
        let text: String = (0..300).map(|row| format!("r{row},{}\n", row * row)).collect();
        let input = open(&write(directory.path(), "a.csv", format!("name,square\n{text}"))).unwrap();
        let rows = batch_cells(&input.rows(&wanted).unwrap()).unwrap();
        let expected: Vec<Vec<String>> = wanted.iter().map(|row| vec![format!("r{row}"), (row * row).to_string()]).collect();
        prop_assert_eq!(rows, expected);
    }
}
