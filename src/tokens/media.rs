//! What images and files cost, by kind and size. Never the length of their base64 text.
//! Not a decoder: the bytes stay in JavaScript.

use super::estimate::estimate_tokens;
use super::saturate;
use crate::message::{Media, MediaKind};

/// An image whose size is unknown. Source: Anthropic scales images to at most about 1,600 tokens; OpenAI's high detail is below that.
const IMAGE_TOKENS: u32 = 1_600;
/// Tokens a page of a PDF costs as text and picture. Source: Anthropic's PDF guide, 1,500 to 3,000 of text a page plus the page as an image.
const PDF_PAGE_TOKENS: u64 = 2_500;
/// Bytes of a typical PDF page; used because pages cannot be counted without decoding.
const PDF_PAGE_BYTES: u64 = 50_000;
/// Tokens of a second of sound. Source: Gemini API, 32 tokens a second.
const AUDIO_SECOND_TOKENS: u64 = 32;
/// Bytes of a second of sound at 128 kbit/s.
const AUDIO_SECOND_BYTES: u64 = 16_000;
/// Tokens of a second of video. Source: Gemini API, about 300 tokens a second.
const VIDEO_SECOND_TOKENS: u64 = 300;
/// Bytes of a second of video at 2 Mbit/s.
const VIDEO_SECOND_BYTES: u64 = 250_000;
/// A file of unknown kind or size.
const FILE_TOKENS: u32 = 2_500;

/// Tokens of a piece of media.
pub fn media_tokens(media: &Media) -> u32 {
    let Some(bytes) = media.bytes else {
        return if media.kind == MediaKind::Image { IMAGE_TOKENS } else { FILE_TOKENS };
    };
    match media.kind {
        MediaKind::Image => IMAGE_TOKENS,
        MediaKind::Pdf => saturate(bytes.div_ceil(PDF_PAGE_BYTES).max(1) * PDF_PAGE_TOKENS),
        MediaKind::Audio => saturate(bytes.div_ceil(AUDIO_SECOND_BYTES).max(1) * AUDIO_SECOND_TOKENS),
        MediaKind::Video => saturate(bytes.div_ceil(VIDEO_SECOND_BYTES).max(1) * VIDEO_SECOND_TOKENS),
        MediaKind::Text => text_file_tokens(media, bytes),
        MediaKind::Other => saturate(u64::from(FILE_TOKENS).max(bytes / 4)),
    }
}

/// A text file costs what its text costs; the sample stands for the rest.
fn text_file_tokens(media: &Media, bytes: u64) -> u32 {
    let sample = String::from_utf8(media.sample.clone()).unwrap_or_default();
    match sample.len() as u64 {
        0 => saturate(bytes / 2),
        length => saturate((u64::from(estimate_tokens(&sample)) * bytes).div_ceil(length)),
    }
}
