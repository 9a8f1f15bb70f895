//! How large an image or document is, from a few bytes of its file: pixels from headers, pages from what a PDF says in plain text.
//! Not a decoder, and no reader of whole files: bytes are asked for by place, and at most a few kilobytes of them.

use crate::model::message::Extent;

/// Reads bytes of a file from an offset; fewer where the file ends.
pub type Read<'a> = &'a dyn Fn(u32, u32) -> Vec<u8>;

/// Bytes in which headers of all formats but JPEG say the size.
const HEAD_BYTES: u32 = 1_536;
/// Segments of a JPEG that are walked; embedded previews and profiles fill some dozens.
const SEGMENTS: u32 = 300;
/// Bytes at either end of a PDF that are looked through. The page tree's root is mostly written near one of them.
const PDF_BYTES: u32 = 65_536;
/// No page of a PDF takes fewer bytes; an outline counts too, and may count more than there are pages.
const LEAST_PAGE_BYTES: u32 = 300;

/// The pixels of a PNG, JPEG, GIF, WebP, AVIF or HEIC.
pub fn pixels(read: Read<'_>) -> Extent {
    let head = read(0, HEAD_BYTES);
    let size = match head.as_slice() {
        [0x89, b'P', b'N', b'G', ..] => Some((big(&head, 16, 4), big(&head, 20, 4))),
        [b'G', b'I', b'F', ..] => Some((little(&head, 6, 2), little(&head, 8, 2))),
        [0xff, 0xd8, ..] => jpeg(read),
        [b'R', b'I', b'F', b'F', ..] => webp(&head),
        _ if head.get(4..8) == Some(b"ftyp") => largest_item(&head),
        _ => None,
    };
    match size {
        Some((width, height)) if width > 0 && height > 0 => Extent::Pixels(width, height),
        _ => Extent::Unknown,
    }
}

/// Walks the segments of a JPEG to the one that starts a frame: metadata in front of it may be larger than the image.
fn jpeg(read: Read<'_>) -> Option<(u32, u32)> {
    let mut at = 2u32;
    for _ in 0..SEGMENTS {
        let segment = read(at, 9);
        let marker = *segment.get(1)?;
        at = match marker {
            // A fill byte in front of a marker.
            0xff => at + 1,
            // Without a length.
            0x01 | 0xd0..=0xd8 => at + 2,
            // Tables and extensions whose numbers lie among those of the frames.
            0xc4 | 0xc8 | 0xcc => at.checked_add(2 + big(&segment, 2, 2))?,
            0xc0..=0xcf => return Some((big(&segment, 7, 2), big(&segment, 5, 2))),
            _ => at.checked_add(2 + big(&segment, 2, 2))?,
        };
    }
    None
}

fn webp(head: &[u8]) -> Option<(u32, u32)> {
    match head.get(12..16)? {
        b"VP8 " => Some((little(head, 26, 2) & 0x3fff, little(head, 28, 2) & 0x3fff)),
        b"VP8L" => {
            let bits = little(head, 21, 4);
            Some(((bits & 0x3fff) + 1, (bits >> 14 & 0x3fff) + 1))
        }
        b"VP8X" => Some((little(head, 24, 3) + 1, little(head, 27, 3) + 1)),
        _ => None,
    }
}

/// The largest `ispe` box: an image made of tiles has one for the tiles and one for the whole.
fn largest_item(head: &[u8]) -> Option<(u32, u32)> {
    places_of(head, b"ispe")
        .map(|at| (big(head, at + 8, 4), big(head, at + 12, 4)))
        .max_by_key(|(width, height)| u64::from(*width) * u64::from(*height))
}

/// The pages of a PDF of `length` bytes, where it says so outside compressed objects.
pub fn pages(length: u32, read: Read<'_>) -> Extent {
    let mut text = read(0, PDF_BYTES);
    let linearized = text.get(..1_024.min(text.len())).filter(|start| places_of(start, b"/Linearized").next().is_some());
    // A file made for the web says at its start how many pages it has.
    let stated = linearized.map_or(0, |start| most_after(start, b"/N "));
    if length > PDF_BYTES {
        text.extend(read(length.saturating_sub(PDF_BYTES).max(PDF_BYTES), PDF_BYTES));
    }
    let pages = if stated > 0 { stated } else { most_after(&text, b"/Count ") };
    if pages > 0 { Extent::Pages(pages.min(length / LEAST_PAGE_BYTES + 1)) } else { Extent::Unknown }
}

/// The largest number that follows a key.
fn most_after(text: &[u8], key: &[u8]) -> u32 {
    let number = |at: usize| {
        let digits = text.get(at + key.len()..).unwrap_or_default().iter().take(7).take_while(|byte| byte.is_ascii_digit());
        digits.fold(0, |number, digit| number * 10 + u32::from(digit - b'0'))
    };
    places_of(text, key).map(number).max().unwrap_or(0)
}

fn places_of<'a>(bytes: &'a [u8], key: &'a [u8]) -> impl Iterator<Item = usize> + 'a {
    (0..bytes.len()).filter(move |at| bytes.get(*at..).is_some_and(|rest| rest.starts_with(key)))
}

/// A number of `length` bytes, big end first; zero behind the end.
fn big(bytes: &[u8], at: usize, length: usize) -> u32 {
    bytes.get(at..at + length).unwrap_or_default().iter().fold(0, |number, byte| number << 8 | u32::from(*byte))
}

/// A number of `length` bytes, little end first; zero behind the end.
fn little(bytes: &[u8], at: usize, length: usize) -> u32 {
    bytes.get(at..at + length).unwrap_or_default().iter().rev().fold(0, |number, byte| number << 8 | u32::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(bytes: &[u8]) -> Extent {
        let asked = std::cell::Cell::new(0);
        let found = pixels(&|at, count| {
            asked.set(asked.get() + count);
            let start = (at as usize).min(bytes.len());
            bytes[start..bytes.len().min(start + count as usize)].to_vec()
        });
        assert!(asked.get() < 8_000, "{} bytes were read", asked.get());
        found
    }

    fn joined(parts: &[&[u8]]) -> Vec<u8> {
        parts.concat()
    }

    /// A JPEG segment of a length.
    fn segment(marker: u8, length: u16) -> Vec<u8> {
        joined(&[&[0xff, marker], &length.to_be_bytes(), &vec![7; usize::from(length) - 2]])
    }

    #[test]
    fn headers_of_all_formats_say_the_size() {
        let png = joined(&[b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", &1_920u32.to_be_bytes(), &1_080u32.to_be_bytes(), &[8, 6, 0, 0, 0]]);
        let gif = joined(&[b"GIF89a", &1_920u16.to_le_bytes(), &1_080u16.to_le_bytes(), &[0; 9]]);
        let lossy = joined(&[b"RIFF....WEBPVP8 ....\0\0\0\x9d\x01\x2a", &1_920u16.to_le_bytes(), &1_080u16.to_le_bytes(), &[0; 9]]);
        let lossless = joined(&[b"RIFF....WEBPVP8L....\x2f", &(1_919u32 | 1_079 << 14 | 1 << 28).to_le_bytes(), &[0; 9]]);
        let extended = joined(&[b"RIFF....WEBPVP8X....\0\0\0\0", &1_919u32.to_le_bytes()[..3], &1_079u32.to_le_bytes()[..3], &[0; 9]]);
        let ispe = |width: u32, height: u32| joined(&[b"\0\0\0\x14ispe\0\0\0\0", &width.to_be_bytes(), &height.to_be_bytes()]);
        let avif = joined(&[b"\0\0\0\x20ftypavif\0\0\0\0avifmif1miaf", &[9; 300], &ispe(512, 512), &ispe(1_920, 1_080), &[0; 40]]);
        for (name, bytes) in [("png", png), ("gif", gif), ("lossy", lossy), ("lossless", lossless), ("extended", extended), ("avif", avif)]
        {
            assert_eq!(of(&bytes), Extent::Pixels(1_920, 1_080), "{name}");
        }
    }

    #[test]
    fn the_frame_of_a_jpeg_is_found_behind_large_metadata() {
        for frame in [0xc0, 0xc1, 0xc2, 0xcf] {
            let head = [vec![0xff, 0xd8], segment(0xe0, 16), segment(0xe1, 65_535), segment(0xe2, 65_000), segment(0xc4, 300), vec![0xff]];
            let start = joined(&[&[0xff, frame, 0, 17, 8], &1_080u16.to_be_bytes(), &1_920u16.to_be_bytes(), &[3; 9]]);
            assert_eq!(of(&joined(&[&head.concat(), &start])), Extent::Pixels(1_920, 1_080), "{frame:x}");
        }
    }

    #[test]
    fn what_is_no_image_or_cut_off_has_no_size() {
        let endless = joined(&[&[0xff, 0xd8], &[0xff; 4_000]]);
        let empty = segment(0xe1, 2).repeat(2_000);
        for bytes in [
            &b""[..],
            b"\x89PNG",
            b"GIF89a",
            b"RIFF",
            b"RIFF....WEBPVP8 ",
            b"<svg/>",
            &[0xff, 0xd8],
            &endless,
            &joined(&[&[0xff, 0xd8], &empty]),
        ] {
            assert_eq!(of(bytes), Extent::Unknown, "{:?}", &bytes[..bytes.len().min(20)]);
        }
    }

    fn pages_of(text: &[u8]) -> Extent {
        pages(text.len() as u32, &|at, count| {
            text[(at as usize).min(text.len())..text.len().min((at as usize).saturating_add(count as usize))].to_vec()
        })
    }

    #[test]
    fn pages_are_those_of_the_root_wherever_it_is_written() {
        let small = b"%PDF-1.4\n1 0 obj <</Type /Pages /Kids [2 0 R 3 0 R] /Count 2>> endobj\n".repeat(10);
        assert_eq!(pages_of(&small), Extent::Pages(2));
        for (before, behind) in [(0, 400_000), (400_000, 0)] {
            let root = b"<</Type/Pages/Count 340/Kids[1 0 R]>> <</Type/Pages/Count 12>>";
            assert_eq!(pages_of(&joined(&[b"%PDF-1.7\n", &vec![7; before], root, &vec![7; behind]])), Extent::Pages(340));
        }
        let web = joined(&[b"%PDF-1.6\n1 0 obj <</Linearized 1/L 90000/O 9/E 5000/N 31/T 80000>>", &vec![7; 90_000]]);
        assert_eq!(pages_of(&web), Extent::Pages(31));
    }

    #[test]
    fn a_pdf_that_says_nothing_or_lies_is_counted_by_size() {
        assert_eq!(pages_of(&[7; 200_000]), Extent::Unknown);
        assert_eq!(pages_of(b"%PDF /Count 9999999"), Extent::Pages(1));
    }
}
