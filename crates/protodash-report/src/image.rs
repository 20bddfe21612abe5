//! Images, embedded in the page as PNG, each once.

use std::collections::HashMap;
use std::fmt::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::error::{Error, Result};
use crate::image_file::ImageFile;

/// Maximum height and width in pixels.
const LARGEST: usize = 4096;

/// An image with 8 bits per channel, row by row.
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
    /// The media type, if `pixels` holds a file instead.
    media: Option<&'static str>,
}

impl Image {
    /// An image with these pixels: grey (1 channel), RGB (3) or RGBA (4).
    ///
    /// # Errors
    ///
    /// If no image can have the shape, or if the number of values does not match it.
    pub fn new(height: usize, width: usize, channels: usize, pixels: Vec<u8>) -> Result<Image> {
        let sides = 1..=LARGEST;
        if !sides.contains(&height) || !sides.contains(&width) || ![1, 3, 4].contains(&channels) {
            return Err(Error::ImageShape { height, width, channels });
        }
        if pixels.len() != height * width * channels {
            return Err(Error::ImageSize { height, width, channels, given: pixels.len() });
        }
        Ok(Image { height, width, channels, pixels, media: None })
    }

    /// An image with values from `lowest` (dark) to `highest` (bright); others are clamped.
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
        // Missing values become 0; the conversion clamps.
        let pixel = |value: &f64| ((value - lowest) / range * 255.0).round() as u8;
        Image::new(shape[0], shape[1], shape[2], values.iter().map(pixel).collect())
    }

    /// Images of one shape in rows of `columns` on one sheet; what is left of the last row is dark.
    ///
    /// # Errors
    ///
    /// If the sheet is too large, or if shapes differ.
    pub(crate) fn sheet(images: &[&Image], columns: usize) -> Result<Image> {
        let Some(first) = images.first().filter(|_| columns > 0) else { return Image::new(0, 0, 1, Vec::new()) };
        let (height, line) = (first.height, first.width * first.channels);
        let n_rows = images.len().div_ceil(columns);
        let mut pixels = vec![0; n_rows * height * columns * line];
        for (place, image) in images.iter().enumerate() {
            let (down, across) = (place / columns * height, place % columns * line);
            for (y, own) in image.pixels.chunks_exact(line).take(height).enumerate() {
                let start = (down + y) * columns * line + across;
                pixels[start..start + line].copy_from_slice(own);
            }
        }
        Image::new(n_rows * height, columns * first.width, first.channels, pixels)
    }

    /// The image in a PNG, JPEG, GIF or WebP file, which becomes part of the page as it is.
    ///
    /// # Errors
    ///
    /// If the bytes are not such a file.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash_report::Image;
    ///
    /// assert_eq!(Image::of_file(b"GIF89a\x05\0\x07\0".to_vec())?.width(), 5);
    /// assert!(Image::of_file(b"%PDF".to_vec()).is_err());
    /// # Ok::<(), protodash_report::Error>(())
    /// ```
    pub fn of_file(bytes: Vec<u8>) -> Result<Image> {
        let ImageFile { media, width, height } = ImageFile::of(&bytes).ok_or(Error::NoImageFile)?;
        Ok(Image { height, width, channels: 0, pixels: bytes, media: Some(media) })
    }

    /// Whether it is a file, which is smoothed when enlarged; single pixels of values are not.
    pub(crate) fn is_file(&self) -> bool {
        self.media.is_some()
    }

    /// Number of bytes in memory.
    pub(crate) fn n_bytes(&self) -> usize {
        self.pixels.len()
    }

    /// Height in pixels.
    pub fn height(&self) -> usize {
        self.height
    }

    /// Width in pixels.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The address of the image, which contains it.
    fn address(&self) -> Result<String> {
        Ok(match self.media {
            Some(media) => format!("data:{media};base64,{}", STANDARD.encode(&self.pixels)),
            None => format!("data:image/png;base64,{}", STANDARD.encode(self.png()?)),
        })
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

/// The images of a page, without duplicates.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Images {
    images: Vec<Image>,
    places: HashMap<Image, usize>,
}

impl Images {
    /// Adds an image unless it is already there, and returns its index.
    pub fn add(&mut self, image: Image) -> usize {
        let next = self.images.len();
        let place = *self.places.entry(image.clone()).or_insert(next);
        if place == next {
            self.images.push(image);
        }
        place
    }

    /// Number of distinct images.
    pub fn len(&self) -> usize {
        self.images.len()
    }

    /// Whether there are no images.
    pub fn is_empty(&self) -> bool {
        self.images.is_empty()
    }

    /// Whether an image is already there.
    pub(crate) fn has(&self, image: &Image) -> bool {
        self.places.contains_key(image)
    }

    pub(crate) fn get(&self, at: usize) -> Option<&Image> {
        self.images.get(at)
    }

    /// A stylesheet with a rule for each image, so that the page contains each image once.
    pub(crate) fn stylesheet(&self) -> Result<String> {
        let mut rules = String::new();
        for (at, image) in self.images.iter().enumerate() {
            let _ = writeln!(rules, ".i{at}{{background-image:url({})}}", image.address()?);
        }
        Ok(rules)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sheet_has_one_image_beside_the_other() {
        let image = |value: u8| Image::new(2, 1, 1, vec![value, value + 1]).unwrap();
        let (one, two, three) = (image(1), image(3), image(5));
        let sheet = Image::sheet(&[&one, &two, &three], 2).unwrap();
        assert_eq!(sheet, Image::new(4, 2, 1, vec![1, 3, 2, 4, 5, 0, 6, 0]).unwrap());
        assert!(Image::sheet(&[], 2).is_err());
    }

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
    fn values_outside_the_range_and_missing_ones_are_clamped() {
        let image = Image::of_values([1, 4, 1], &[-5.0, 0.5, 9.0, f64::NAN], 0.0, 1.0).unwrap();
        assert_eq!(image.pixels, [0, 128, 255, 0]);
        let flat = Image::of_values([1, 1, 1], &[3.0], 3.0, 3.0).unwrap();
        assert_eq!(flat.pixels, [0]);
    }
}
