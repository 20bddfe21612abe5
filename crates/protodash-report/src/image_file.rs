//! The formats of image files that browsers show: which one a file has, and the size of its image.

/// What the first bytes of an image file say about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ImageFile {
    /// The media type.
    pub(crate) media: &'static str,
    /// Width in pixels.
    pub(crate) width: usize,
    /// Height in pixels.
    pub(crate) height: usize,
}

impl ImageFile {
    /// Recognises PNG, JPEG, GIF and WebP by content.
    pub(crate) fn of(bytes: &[u8]) -> Option<ImageFile> {
        let found = |media, size: Option<(usize, usize)>| {
            let (width, height) = size.filter(|(width, height)| *width > 0 && *height > 0)?;
            Some(ImageFile { media, width, height })
        };
        match bytes {
            [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => found("image/png", png_size(bytes)),
            [0xff, 0xd8, 0xff, ..] => found("image/jpeg", jpeg_size(bytes)),
            [b'G', b'I', b'F', b'8', ..] => found("image/gif", pair(bytes, 6, u16::from_le_bytes)),
            [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => found("image/webp", webp_size(bytes)),
            _ => None,
        }
    }

    /// Whether a text looks like the path of such a file.
    pub(crate) fn is_named(text: &str) -> bool {
        let ending = text.rsplit_once('.').map(|(_, ending)| ending.to_lowercase());
        let known = ending.is_some_and(|ending| ["png", "jpg", "jpeg", "gif", "webp"].contains(&ending.as_str()));
        known && !text.contains("://")
    }
}

/// The two bytes at `at`.
fn two(bytes: &[u8], at: usize) -> Option<[u8; 2]> {
    bytes.get(at..at + 2)?.try_into().ok()
}

/// Two numbers of two bytes.
fn pair(bytes: &[u8], at: usize, number: fn([u8; 2]) -> u16) -> Option<(usize, usize)> {
    Some((usize::from(number(two(bytes, at)?)), usize::from(number(two(bytes, at + 2)?))))
}

fn png_size(bytes: &[u8]) -> Option<(usize, usize)> {
    let side = |at: usize| Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?) as usize);
    Some((side(16)?, side(20)?))
}

/// The size is in the first frame header, after segments of any length.
fn jpeg_size(bytes: &[u8]) -> Option<(usize, usize)> {
    let mut at = 2;
    loop {
        let [mark, kind] = two(bytes, at)?;
        match (mark, kind) {
            (0xff, 0xff) => at += 1,
            (0xff, 0xc0..=0xcf) if ![0xc4, 0xc8, 0xcc].contains(&kind) => {
                return pair(bytes, at + 5, u16::from_be_bytes).map(|(height, width)| (width, height));
            }
            (0xff, _) => at += 2 + usize::from(u16::from_be_bytes(two(bytes, at + 2)?)).max(2),
            _ => return None,
        }
    }
}

fn webp_size(bytes: &[u8]) -> Option<(usize, usize)> {
    let three =
        |at: usize| Some(bytes.get(at..at + 3)?.iter().rev().fold(0, |sum, byte| sum << 8 | usize::from(*byte)));
    match bytes.get(12..16)? {
        b"VP8X" => Some((three(24)? + 1, three(27)? + 1)),
        b"VP8L" => {
            let bits = three(21)? | usize::from(*bytes.get(24)?) << 24;
            Some(((bits & 0x3fff) + 1, (bits >> 14 & 0x3fff) + 1))
        }
        b"VP8 " => pair(bytes, 26, u16::from_le_bytes).map(|(width, height)| (width & 0x3fff, height & 0x3fff)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size(bytes: &[u8]) -> Option<(&'static str, usize, usize)> {
        ImageFile::of(bytes).map(|file| (file.media, file.width, file.height))
    }

    #[test]
    fn formats_and_sizes_are_read_from_the_first_bytes() {
        let png = [&b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"[..], &[0, 0, 1, 0, 0, 0, 0, 9]].concat();
        assert_eq!(size(&png), Some(("image/png", 256, 9)));
        assert_eq!(size(b"GIF89a\x05\0\x07\0"), Some(("image/gif", 5, 7)));
        // A segment of four bytes before the frame header, whose height comes first.
        let jpeg = b"\xff\xd8\xff\xe0\0\x04ab\xff\xc0\0\x11\x08\0\x10\0\x20";
        assert_eq!(size(jpeg), Some(("image/jpeg", 32, 16)));
        let webp = |kind: &[u8], rest: &[u8]| [b"RIFF\0\0\0\0WEBP", kind, b"\0\0\0\0", rest].concat();
        assert_eq!(size(&webp(b"VP8X", &[0, 0, 0, 0, 9, 0, 0, 4, 0, 0])), Some(("image/webp", 10, 5)));
        assert_eq!(size(&webp(b"VP8 ", &[0, 0, 0, 0, 0, 0, 8, 0, 6, 0])), Some(("image/webp", 8, 6)));
        // Width − 1 = 3 in 14 bits, then height − 1 = 1 in the next 14.
        assert_eq!(size(&webp(b"VP8L", &[0x2f, 3, 0x40, 0, 0])), Some(("image/webp", 4, 2)));
    }

    #[test]
    fn other_and_truncated_files_are_not_images() {
        let others: [&[u8]; 6] =
            [b"", b"<svg>", b"\x89PNG\r\n\x1a\n", b"GIF89a\0\0\0\0", b"\xff\xd8\xff\xe0", b"RIFF\0\0\0\0WEBPVP8X"];
        for bytes in others {
            assert_eq!(size(bytes), None, "{bytes:?}");
        }
    }

    #[test]
    fn paths_of_images_are_recognised_and_addresses_are_not() {
        assert!(ImageFile::is_named("photos/a.b.JPG") && ImageFile::is_named("x.webp"));
        for text in ["", "png", "a.svg", "A sentence.", "https://example.org/a.png"] {
            assert!(!ImageFile::is_named(text), "{text}");
        }
    }
}
