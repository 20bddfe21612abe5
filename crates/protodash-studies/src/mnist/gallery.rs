//! The images of figure 5: what each method picks at full skew, as the best of a digit, and as its criticisms.

use protodash::criticisms::{CriticismParams, Definition, criticize};
use protodash::{Gaussian, Params, Selection, TargetEnergy, Weights, select_with};
use serde::{Deserialize, Serialize};

use super::data::{Images, Mnist};
use super::protocol::{Protocol, TargetSet};
use crate::contestants::{Basis, Contestant, contestants_named};
use crate::error::Result;
use crate::watch::{Ear, Watcher};

/// Who the paper compares by eye; at full skew also L2C in its other reading, which is the same where target and source
/// are.
const COMPARED: [&str; 3] = ["ProtoDash", "L2C", "K-Medoids"];
const COMPARED_AT_SKEW: [&str; 4] = ["ProtoDash", "L2C", "L2C on target", "K-Medoids"];
/// Digits of which the paper shows something.
const SKEWED: [usize; 3] = [0, 3, 8];
const BEST: [usize; 2] = [8, 3];
const CRITICIZED: [usize; 2] = [0, 7];
/// Images in a gallery.
const AT_SKEW: usize = 10;
const OF_DIGIT: usize = 3;

/// A row of images.
///
/// # Examples
///
/// ```
/// use protodash_studies::mnist::{Gallery, Shown};
///
/// let gallery = Gallery { shown: Shown::Criticisms, digit: 7, method: "L2C".into(), test_images: vec![12, 3] };
/// assert_eq!(gallery.test_images[0], 12);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gallery {
    /// What the images are.
    pub shown: Shown,
    /// The digit they are to represent.
    pub digit: usize,
    /// Who picked them.
    pub method: String,
    /// Test images counted from 0, best (or worst, of criticisms) first.
    pub test_images: Vec<usize>,
}

/// What the images of a gallery are.
///
/// # Examples
///
/// ```
/// assert_ne!(protodash_studies::mnist::Shown::FullSkew, protodash_studies::mnist::Shown::Best);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Shown {
    /// Prototypes of a target set that is one digit, from a source of all digits.
    FullSkew,
    /// The best prototypes of all test images of a digit, from these.
    Best,
    /// The images of a digit that such prototypes represent worst: the farthest from the nearest.
    Criticisms,
}

/// Makes the galleries.
pub(super) struct Curator<'a> {
    pub(super) mnist: &'a Mnist,
    pub(super) protocol: &'a Protocol,
    pub(super) kernel: Gaussian,
    pub(super) watcher: &'a dyn Watcher,
}

impl Curator<'_> {
    /// All galleries.
    pub(super) fn galleries(&self) -> Result<Vec<Gallery>> {
        let mut galleries = Vec::new();
        for digit in SKEWED {
            for contestant in contestants_named(&COMPARED_AT_SKEW) {
                galleries.push(self.full_skew(contestant, digit)?);
            }
        }
        for digit in BEST {
            for contestant in contestants_named(&COMPARED) {
                galleries.push(self.best(contestant, digit)?);
            }
        }
        for digit in CRITICIZED {
            for contestant in contestants_named(&COMPARED) {
                galleries.push(self.criticisms(contestant, digit)?);
            }
        }
        Ok(galleries)
    }

    fn full_skew(&self, contestant: Contestant, digit: usize) -> Result<Gallery> {
        let set = TargetSet { trial: 0, skew: 100, digit: Some(digit) };
        let target = self.mnist.training.rows(&self.protocol.target_rows(&self.mnist.by_digit, set));
        let rows = self.protocol.source_rows(self.mnist.test.digits.len(), 0);
        let source = self.mnist.test.rows(&rows);
        let target = if contestant.basis == Basis::Source { &source } else { &target };
        let selection = self.select(target, &source, contestant)?;
        Ok(gallery(Shown::FullSkew, digit, contestant, foremost(&selection, AT_SKEW).map(|row| rows[row])))
    }

    fn best(&self, contestant: Contestant, digit: usize) -> Result<Gallery> {
        let (rows, images) = self.of_digit(digit);
        let selection = self.select(&images, &images, contestant)?;
        Ok(gallery(Shown::Best, digit, contestant, foremost(&selection, OF_DIGIT).map(|row| rows[row])))
    }

    fn criticisms(&self, contestant: Contestant, digit: usize) -> Result<Gallery> {
        let (rows, images) = self.of_digit(digit);
        let selection = self.select(&images, &images, contestant)?;
        let mut params = CriticismParams::new(OF_DIGIT);
        params.definition = Definition::Distance;
        let (pixels, ear) = (&images.pixels, &mut Ear(self.watcher));
        let found = criticize(pixels, pixels, &selection.prototypes, &self.kernel, &params, ear)?;
        Ok(gallery(Shown::Criticisms, digit, contestant, found.iter().map(|criticism| rows[criticism.row])))
    }

    fn of_digit(&self, digit: usize) -> (Vec<usize>, Images) {
        let digits = &self.mnist.test.digits;
        let rows: Vec<usize> = (0..digits.len()).filter(|row| digits[*row] == digit).collect();
        let images = self.mnist.test.rows(&rows);
        (rows, images)
    }

    fn select(&self, target: &Images, source: &Images, contestant: Contestant) -> Result<Selection> {
        let mut params = Params::new(self.protocol.n_prototypes);
        (params.method, params.weights, params.target_energy) = (contestant.method, Weights::Own, TargetEnergy::Skip);
        params.seed = self.protocol.seed;
        let (target, source) = (&target.pixels, &source.pixels);
        Ok(select_with(target, source, &self.kernel, &params, &mut Ear(self.watcher))?)
    }
}

fn gallery(shown: Shown, digit: usize, contestant: Contestant, images: impl Iterator<Item = usize>) -> Gallery {
    Gallery { shown, digit, method: contestant.name.to_owned(), test_images: images.collect() }
}

/// The heaviest prototypes; where all weigh the same, those chosen first.
fn foremost(selection: &Selection, number: usize) -> impl Iterator<Item = usize> {
    let mut places: Vec<usize> = (0..selection.prototypes.len()).collect();
    places.sort_by(|a, b| selection.prototypes[*b].weight.total_cmp(&selection.prototypes[*a].weight));
    places.truncate(number);
    places.into_iter().map(|place| selection.prototypes[place].source_index)
}

/// The galleries as CSV, one line for each image.
pub(super) fn csv(galleries: &[Gallery]) -> String {
    let mut lines = String::from("shown,digit,method,place,test_image\n");
    for Gallery { shown, digit, method, test_images } in galleries {
        let shown = match shown {
            Shown::FullSkew => "full_skew",
            Shown::Best => "best",
            Shown::Criticisms => "criticisms",
        };
        for (place, image) in test_images.iter().enumerate() {
            lines += &format!("{shown},{digit},{method},{},{image}\n", place + 1);
        }
    }
    lines
}
