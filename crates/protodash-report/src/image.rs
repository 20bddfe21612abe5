//! Images as PNG inside the page, each of them once.

use std::collections::HashMap;
use std::fmt::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::error::{Error, Result};

/// Pixels in a row or column at most.
const LARGEST: usize = 4096;

/// A picture of 8 bits a channel, row by row.
///
/// # Examples
///
/// ```
/// use protodash_report::Image;
///
/// let image = Image::new(1, 2, 3, vec![255, 0, 0, 0, 0, 255])?; // a red pixel beside a blue one
/// assert_eq!((image.height(), image.width()), (1, 2));
/// # Ok::<(), protodash_report::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Image {
    height: usize,
    width: usize,
    channels: usize,
    pixels: Vec<u8>,
}

impl Image {
    /// The picture with these pixels: grey (1 channel), red, green and blue (3), or these with opacity (4).
    ///
    /// # Errors
    ///
    /// If the shape is none that a picture has, or if there are more or fewer values than it says.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash_report::Image;
    ///
    /// assert!(Image::new(2, 2, 1, vec![0, 255, 255, 0]).is_ok());
    /// assert!(Image::new(2, 2, 2, vec![0; 8]).is_err());
    /// ```
    pub fn new(height: usize, width: usize, channels: usize, pixels: Vec<u8>) -> Result<Image> {
        let sides = 1..=LARGEST;
        if !sides.contains(&height) || !sides.contains(&width) || ![1, 3, 4].contains(&channels) {
            return Err(Error::ImageShape { height, width, channels });
        }
        if pixels.len() != height * width * channels {
            return Err(Error::ImageSize { height, width, channels, given: pixels.len() });
        }
        Ok(Image { height, width, channels, pixels })
    }

    /// The picture whose values are numbers between `lowest` (dark) and `highest` (bright); others are cut off there.
    ///
    /// # Errors
    ///
    /// As for [`new`](Self::new).
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash_report::Image;
    ///
    /// let image = Image::of_values([1, 2, 1], &[-1.0, 1.0], -1.0, 1.0)?;
    /// assert_eq!(image, Image::new(1, 2, 1, vec![0, 255])?);
    /// # Ok::<(), protodash_report::Error>(())
    /// ```
    pub fn of_values(shape: [usize; 3], values: &[f64], lowest: f64, highest: f64) -> Result<Image> {
        let range = if highest > lowest { highest - lowest } else { 1.0 };
        // A value that is missing is as dark as can be; the conversion cuts off what lies outside.
        let pixel = |value: &f64| ((value - lowest) / range * 255.0).round() as u8;
        Image::new(shape[0], shape[1], shape[2], values.iter().map(pixel).collect())
    }

    /// Pixels from top to bottom.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(protodash_report::Image::new(3, 1, 1, vec![0; 3])?.height(), 3);
    /// # Ok::<(), protodash_report::Error>(())
    /// ```
    pub fn height(&self) -> usize {
        self.height
    }

    /// Pixels from left to right.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(protodash_report::Image::new(3, 1, 1, vec![0; 3])?.width(), 1);
    /// # Ok::<(), protodash_report::Error>(())
    /// ```
    pub fn width(&self) -> usize {
        self.width
    }

    fn png(&self) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, self.width as u32, self.height as u32);
        encoder.set_color(match self.channels {
            1 => png::ColorType::Grayscale,
            3 => png::ColorType::Rgb,
            _ => png::ColorType::Rgba,
        });
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::High);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&self.pixels)?;
        writer.finish()?;
        Ok(bytes)
    }
}

/// The images of a page; equal ones are kept once.
///
/// # Examples
///
/// ```
/// use protodash_report::{Image, Images};
///
/// let mut images = Images::default();
/// let dark = Image::new(1, 1, 1, vec![0])?;
/// assert_eq!((images.add(dark.clone()), images.add(dark)), (0, 0));
/// assert_eq!(images.len(), 1);
/// # Ok::<(), protodash_report::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Images {
    images: Vec<Image>,
    places: HashMap<Image, usize>,
}

impl Images {
    /// The place of this image, which is added unless an equal one is there.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash_report::{Image, Images};
    ///
    /// let mut images = Images::default();
    /// images.add(Image::new(1, 1, 1, vec![0])?);
    /// assert_eq!(images.add(Image::new(1, 1, 1, vec![9])?), 1);
    /// # Ok::<(), protodash_report::Error>(())
    /// ```
    pub fn add(&mut self, image: Image) -> usize {
        let next = self.images.len();
        let place = *self.places.entry(image.clone()).or_insert(next);
        if place == next {
            self.images.push(image);
        }
        place
    }

    /// How many different images there are.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(protodash_report::Images::default().len(), 0);
    /// ```
    pub fn len(&self) -> usize {
        self.images.len()
    }

    /// Whether there is none.
    ///
    /// # Examples
    ///
    /// ```
    /// assert!(protodash_report::Images::default().is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.images.is_empty()
    }

    pub(crate) fn get(&self, at: usize) -> Option<&Image> {
        self.images.get(at)
    }

    /// A rule of the stylesheet for each image: wherever an image is shown, it is in the page once.
    pub(crate) fn stylesheet(&self) -> Result<String> {
        let mut rules = String::new();
        for (at, image) in self.images.iter().enumerate() {
            let encoded = STANDARD.encode(image.png()?);
            let _ = writeln!(rules, ".i{at}{{background-image:url(data:image/png;base64,{encoded})}}");
        }
        Ok(rules)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pixels_survive_the_encoding() {
        let pixels: Vec<u8> = (0..5 * 7 * 3).map(|value| (value * 37 % 251) as u8).collect();
        let encoded = Image::new(5, 7, 3, pixels.clone()).unwrap().png().unwrap();
        let mut reader = png::Decoder::new(std::io::Cursor::new(encoded)).read_info().unwrap();
        let mut decoded = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut decoded).unwrap();
        assert_eq!((info.width, info.height, decoded), (7, 5, pixels));
    }

    #[test]
    fn values_outside_the_range_and_missing_ones_are_cut_off() {
        let image = Image::of_values([1, 4, 1], &[-5.0, 0.5, 9.0, f64::NAN], 0.0, 1.0).unwrap();
        assert_eq!(image.pixels, [0, 128, 255, 0]);
        let flat = Image::of_values([1, 1, 1], &[3.0], 3.0, 3.0).unwrap();
        assert_eq!(flat.pixels, [0]);
    }
}
