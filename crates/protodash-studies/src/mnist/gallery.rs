//! The images of figure 5: prototypes at full skew, best prototypes of a digit, and criticisms.

use protodash::criticisms::{CriticismParams, Definition, criticize};
use protodash::{Gaussian, Params, Selection, TargetEnergy, Weights, select_with};
use serde::{Deserialize, Serialize};

use super::data::{DigitImages, Mnist};
use super::protocol::{MnistProtocol, TargetSet};
use crate::contestants::{Contestant, SelectionBasis, contestants_named};
use crate::error::Result;
use crate::observe::{StopSignal, StudyObserver};

/// The methods that the paper compares visually; at full skew also L2C on target.
const COMPARED: [&str; 3] = ["ProtoDash", "L2C", "K-Medoids"];
const COMPARED_AT_SKEW: [&str; 4] = ["ProtoDash", "L2C", "L2C on target", "K-Medoids"];
/// The digits that the paper shows.
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
/// use protodash_studies::mnist::{DigitGallery, GalleryKind};
///
/// let gallery = DigitGallery { shown: GalleryKind::Criticisms, digit: 7, method: "L2C".into(), test_images: vec![12, 3] };
/// assert_eq!(gallery.test_images[0], 12);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DigitGallery {
    /// Kind of images.
    pub shown: GalleryKind,
    /// The digit they represent.
    pub digit: usize,
    /// The method that chose them.
    pub method: String,
    /// Indices of test images, best first (worst first for criticisms).
    pub test_images: Vec<usize>,
}

/// Kind of images in a gallery.
///
/// # Examples
///
/// ```
/// assert_ne!(protodash_studies::mnist::GalleryKind::FullSkew, protodash_studies::mnist::GalleryKind::Best);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum GalleryKind {
    /// Prototypes for a target of one digit, from a source of all digits.
    FullSkew,
    /// The best prototypes of all test images of a digit, chosen from the same images.
    Best,
    /// The images of a digit that are farthest from their nearest prototype.
    Criticisms,
}

/// Chooses the images of the galleries.
pub(super) struct Curator<'a> {
    pub(super) mnist: &'a Mnist,
    pub(super) protocol: &'a MnistProtocol,
    pub(super) kernel: Gaussian,
    pub(super) observer: &'a dyn StudyObserver,
}

impl Curator<'_> {
    /// All galleries.
    pub(super) fn galleries(&self) -> Result<Vec<DigitGallery>> {
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

    fn full_skew(&self, contestant: Contestant, digit: usize) -> Result<DigitGallery> {
        let set = TargetSet { trial: 0, skew: 100, digit: Some(digit) };
        let target = self.mnist.training.rows(&self.protocol.target_rows(&self.mnist.by_digit, set));
        let rows = self.protocol.source_rows(self.mnist.test.digits.len(), 0);
        let source = self.mnist.test.rows(&rows);
        let target = if contestant.basis == SelectionBasis::Source { &source } else { &target };
        let selection = self.select(target, &source, contestant)?;
        Ok(gallery(GalleryKind::FullSkew, digit, contestant, foremost(&selection, AT_SKEW).map(|row| rows[row])))
    }

    fn best(&self, contestant: Contestant, digit: usize) -> Result<DigitGallery> {
        let (rows, images) = self.of_digit(digit);
        let selection = self.select(&images, &images, contestant)?;
        Ok(gallery(GalleryKind::Best, digit, contestant, foremost(&selection, OF_DIGIT).map(|row| rows[row])))
    }

    fn criticisms(&self, contestant: Contestant, digit: usize) -> Result<DigitGallery> {
        let (rows, images) = self.of_digit(digit);
        let selection = self.select(&images, &images, contestant)?;
        let mut params = CriticismParams::new(OF_DIGIT);
        params.definition = Definition::Distance;
        let (pixels, stop_signal) = (&images.pixels, &mut StopSignal(self.observer));
        let found = criticize(pixels, pixels, &selection.prototypes, &self.kernel, &params, stop_signal)?;
        Ok(gallery(GalleryKind::Criticisms, digit, contestant, found.iter().map(|criticism| rows[criticism.row])))
    }

    fn of_digit(&self, digit: usize) -> (Vec<usize>, DigitImages) {
        let digits = &self.mnist.test.digits;
        let rows: Vec<usize> = (0..digits.len()).filter(|row| digits[*row] == digit).collect();
        let images = self.mnist.test.rows(&rows);
        (rows, images)
    }

    fn select(&self, target: &DigitImages, source: &DigitImages, contestant: Contestant) -> Result<Selection> {
        let mut params = Params::new(self.protocol.n_prototypes);
        (params.method, params.weights, params.target_energy) = (contestant.method, Weights::Own, TargetEnergy::Skip);
        params.seed = self.protocol.seed;
        let (target, source) = (&target.pixels, &source.pixels);
        Ok(select_with(target, source, &self.kernel, &params, &mut StopSignal(self.observer))?)
    }
}

fn gallery(
    shown: GalleryKind,
    digit: usize,
    contestant: Contestant,
    images: impl Iterator<Item = usize>,
) -> DigitGallery {
    DigitGallery { shown, digit, method: contestant.name.to_owned(), test_images: images.collect() }
}

/// The heaviest prototypes; among equal weights those chosen first.
fn foremost(selection: &Selection, number: usize) -> impl Iterator<Item = usize> {
    let mut places: Vec<usize> = (0..selection.prototypes.len()).collect();
    places.sort_by(|a, b| selection.prototypes[*b].weight.total_cmp(&selection.prototypes[*a].weight));
    places.truncate(number);
    places.into_iter().map(|place| selection.prototypes[place].source_index)
}

/// The galleries as CSV, one line per image.
pub(super) fn csv(galleries: &[DigitGallery]) -> String {
    let mut lines = String::from("shown,digit,method,place,test_image\n");
    for DigitGallery { shown, digit, method, test_images } in galleries {
        let shown = match shown {
            GalleryKind::FullSkew => "full_skew",
            GalleryKind::Best => "best",
            GalleryKind::Criticisms => "criticisms",
        };
        for (place, image) in test_images.iter().enumerate() {
            lines += &format!("{shown},{digit},{method},{},{image}\n", place + 1);
        }
    }
    lines
}
