//! Reads images and digits from the four original files of MNIST.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use ndarray::{Array2, Axis};
use protodash_table::{Input, Matrix, Part, ReadOptions, Roles, column_texts, encode};

use crate::error::{Error, Result};
use crate::observe::StudyObserver;

/// Images with pixels from 0 to 1, and their digits.
#[derive(Debug)]
pub(super) struct DigitImages {
    pub(super) pixels: Array2<f32>,
    pub(super) digits: Vec<usize>,
}

/// Both sets.
#[derive(Debug)]
pub(super) struct Mnist {
    /// 60,000 images, from which targets are sampled.
    pub(super) training: DigitImages,
    /// 10,000 images, from which sources are sampled.
    pub(super) test: DigitImages,
    /// The training images of each digit.
    pub(super) by_digit: Vec<Vec<usize>>,
}

impl Mnist {
    /// Reads the images in `folder`, or in its subfolder `mnist`.
    pub(super) fn load(folder: &Path, memory: u64, observer: &dyn StudyObserver) -> Result<Mnist> {
        let folder = within(folder);
        let training = DigitImages::load(&folder, "train", memory, observer)?;
        let test = DigitImages::load(&folder, "t10k", memory, observer)?;
        let of_digit = |digit| (0..training.digits.len()).filter(|row| training.digits[*row] == digit).collect();
        Ok(Mnist { by_digit: (0..10).map(of_digit).collect(), training, test })
    }

    /// Reads the test images only.
    pub(super) fn load_test(folder: &Path, memory: u64, observer: &dyn StudyObserver) -> Result<DigitImages> {
        DigitImages::load(&within(folder), "t10k", memory, observer)
    }
}

impl DigitImages {
    fn load(folder: &Path, name: &str, memory: u64, observer: &dyn StudyObserver) -> Result<DigitImages> {
        let images = file(folder, &format!("{name}-images-idx3-ubyte"))?;
        let input = Input::open(&images, &ReadOptions::default())?;
        let mut roles = Roles::default();
        roles.memory = memory;
        let mut go_on = |_, _| if observer.is_stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        let encoded = encode(Part::from(&input), None, &roles, &mut go_on);
        let (encoded, _) = if observer.is_stopped() { return Err(Error::Stopped) } else { encoded? };
        let Matrix::F32(mut pixels) = encoded.matrix else {
            return Err(refused(&images, "the pixels are not bytes from 0 to 255"));
        };
        pixels /= 255.0;
        let labels = file(folder, &format!("{name}-labels-idx1-ubyte"))?;
        let digits = column_texts(&Input::open(&labels, &ReadOptions::default())?, 0)?;
        let digit = |text: &Option<String>| text.as_deref()?.parse().ok().filter(|digit| *digit < 10_usize);
        let digits: Option<Vec<usize>> = digits.iter().map(digit).collect();
        let digits = digits.ok_or_else(|| refused(&labels, "a label is not a digit from 0 to 9"))?;
        if digits.len() != pixels.nrows() {
            let message = format!("has {} labels for {} images; every image needs one", digits.len(), pixels.nrows());
            return Err(refused(&labels, &message));
        }
        Ok(DigitImages { pixels, digits })
    }

    /// Some of the images.
    pub(super) fn rows(&self, rows: &[usize]) -> DigitImages {
        DigitImages {
            pixels: self.pixels.select(Axis(0), rows),
            digits: rows.iter().map(|row| self.digits[*row]).collect(),
        }
    }
}

/// The four files.
pub(super) fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let names = ["train-images-idx3", "train-labels-idx1", "t10k-images-idx3", "t10k-labels-idx1"];
    names.iter().map(|name| file(&within(folder), &format!("{name}-ubyte"))).collect()
}

/// The folder, or its subfolder `mnist`.
fn within(folder: &Path) -> PathBuf {
    let inner = folder.join("mnist");
    if inner.is_dir() { inner } else { folder.to_owned() }
}

fn refused(path: &Path, message: &str) -> Error {
    Error::Data { path: path.to_owned(), message: message.to_owned() }
}

/// The file of this name, compressed or not.
fn file(folder: &Path, name: &str) -> Result<PathBuf> {
    let packed = folder.join(format!("{name}.gz"));
    let found = [folder.join(name), packed.clone()].into_iter().find(|path| path.is_file());
    found.ok_or_else(|| refused(&packed, "not found; the folder must contain the four original files of MNIST"))
}
