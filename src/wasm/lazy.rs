//! What the bytes of messages do not hold, asked of JavaScript one by one while they are measured: media, as a sample of their data, and
//! sizes. Copies no media. Believes nothing: what is missing or of another type is read as empty.

use base64::alphabet;
use base64::engine::{DecodePaddingMode, Engine as _, GeneralPurpose, GeneralPurposeConfig};
use js_sys::{ArrayBuffer, JsString, Uint8Array};
use wasm_bindgen::prelude::*;

use crate::model::message::{Extent, Media, MediaKind};
use crate::model::scan::{LazyFields, PartField, PartRef};
use crate::tokens::extent::{Read, pages, pixels};

#[wasm_bindgen]
extern "C" {
    /// The messages that were written, by `messages.ts`.
    pub type WrittenMessages;
    /// A part of a message: all of it when `item` is -2, its output when -1, else an item of that.
    #[wasm_bindgen(method)]
    fn pick(this: &WrittenMessages, message: usize, part: usize, item: i32) -> JsValue;
    /// Bytes of the JSON text of the same.
    #[wasm_bindgen(method)]
    fn size(this: &WrittenMessages, message: usize, part: usize, item: i32) -> f64;

    /// Any object of the SDK. A getter that throws or a missing field reads as undefined.
    type Raw;
    #[wasm_bindgen(method, getter, structural, catch, js_name = type)]
    fn kind(this: &Raw) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, getter, structural, catch)]
    fn text(this: &Raw) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, getter, structural, catch)]
    fn image(this: &Raw) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, getter, structural, catch)]
    fn data(this: &Raw) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, getter, structural, catch)]
    fn url(this: &Raw) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, getter, structural, catch)]
    fn href(this: &Raw) -> Result<JsValue, JsValue>;
}

/// A field of an object; undefined when the value is no object or the getter throws.
fn field(value: &JsValue, get: fn(&Raw) -> Result<JsValue, JsValue>) -> JsValue {
    if value.is_object() { get(value.unchecked_ref::<Raw>()).unwrap_or(JsValue::UNDEFINED) } else { JsValue::UNDEFINED }
}

fn string(value: &JsValue, get: fn(&Raw) -> Result<JsValue, JsValue>) -> String {
    field(value, get).as_string().unwrap_or_default()
}

/// The number by which JavaScript knows which field of a part is meant.
fn item_of(field: PartField) -> i32 {
    match field {
        PartField::Whole => -2,
        PartField::Output => -1,
        PartField::Item(item) => item as i32,
    }
}

impl LazyFields for WrittenMessages {
    fn media(&self, part: PartRef, kind: MediaKind) -> Media {
        let value = self.pick(part.message, part.part, item_of(part.field));
        let data = [Raw::image, Raw::data, Raw::url].map(|get| field(&value, get)).into_iter().find(|data| !data.is_undefined());
        media(&data.unwrap_or(JsValue::UNDEFINED), kind)
    }

    fn size(&self, part: PartRef) -> u64 {
        WrittenMessages::size(self, part.message, part.part, item_of(part.field)).max(0.0) as u64
    }
}

/// Reads media from any form the SDK allows: bytes, base64, data url, url, `URL`, or tagged (`{ type: 'data' | 'url' | 'text' … }`).
fn media(data: &JsValue, kind: MediaKind) -> Media {
    if let Some(text) = data.dyn_ref::<JsString>() {
        return text_media(text, kind);
    }
    if let Some(bytes) = data.dyn_ref::<Uint8Array>() {
        return byte_media(bytes, kind);
    }
    if let Some(buffer) = data.dyn_ref::<ArrayBuffer>() {
        return if buffer.byte_length() == 0 {
            Media { bytes: Some(0), ..Media::absent(kind, Vec::new()) }
        } else {
            byte_media(&Uint8Array::new(buffer), kind)
        };
    }
    if let Some(address) = field(data, Raw::href).as_string() {
        return Media::absent(kind, address.into_bytes());
    }
    match string(data, Raw::kind).as_str() {
        "data" => inner_media(&field(data, Raw::data), kind),
        "url" => inner_media(&field(data, Raw::url), kind),
        "text" => {
            let text = string(data, Raw::text);
            Media { bytes: Some(text.len() as u64), ..Media::absent(MediaKind::Text, text.into_bytes()) }
        }
        _ => Media::absent(kind, Vec::new()),
    }
}

/// What a tag holds; a tag within a tag holds nothing.
fn inner_media(data: &JsValue, kind: MediaKind) -> Media {
    if string(data, Raw::kind).is_empty() { media(data, kind) } else { Media::absent(kind, Vec::new()) }
}

/// Bytes at the start of the data that are sampled. A multiple of three, as all positions are: base64 holds three bytes in four characters.
const HEAD_BYTES: u32 = 1_536;
/// Bytes of each further window.
const WINDOW_BYTES: u32 = 48;
/// Windows spread over the data.
const WINDOWS: u32 = 8;

/// Ranges of the data that are sampled.
fn sample_ranges(length: u32) -> Vec<(u32, u32)> {
    let mut ranges = vec![(0, HEAD_BYTES.min(length))];
    if length > HEAD_BYTES {
        for index in 1..=WINDOWS {
            let last = (length - WINDOW_BYTES.min(length)) / 3 * 3;
            let at = (u64::from(last) * u64::from(index) / u64::from(WINDOWS)) as u32 / 3 * 3;
            ranges.push((at, (at + WINDOW_BYTES).min(length)));
        }
    }
    ranges
}

fn byte_media(bytes: &Uint8Array, kind: MediaKind) -> Media {
    // A detached buffer has no length either, and throws when it is read.
    let length = bytes.length();
    if length == 0 {
        return Media { bytes: Some(0), ..Media::absent(kind, Vec::new()) };
    }
    held_media(kind, length, &|at, count| bytes.subarray(at, at.saturating_add(count)).to_vec())
}

fn text_media(text: &JsString, kind: MediaKind) -> Media {
    let start: String = text.slice(0, 256).into();
    let lower = start.to_ascii_lowercase();
    if lower.starts_with("http://") || lower.starts_with("https://") {
        return Media::absent(kind, String::from(text.clone()).into_bytes());
    }
    let offset = match lower.split_once(',') {
        Some((before, _)) if before.starts_with("data:") && before.ends_with(";base64") => before.len() as u32 + 1,
        _ => 0,
    };
    let tail: String = text.slice(text.length().saturating_sub(2), text.length()).into();
    let padding = tail.bytes().filter(|byte| *byte == b'=').count() as u32;
    let characters = text.length().saturating_sub(offset + padding);
    let length = (u64::from(characters) * 3 / 4) as u32;
    held_media(kind, length, &|at, count| {
        // Three bytes stand in four characters.
        let (first, end) = (at / 3, at.saturating_add(count).min(length).div_ceil(3));
        let window: String = text.slice(offset.saturating_add(first * 4), offset + (end * 4).min(characters)).into();
        let bytes = decode(&window);
        bytes.into_iter().skip((at % 3) as usize).take(count as usize).collect()
    })
}

/// Media whose bytes are at hand: a sample of them, and their extent.
fn held_media(kind: MediaKind, length: u32, read: Read<'_>) -> Media {
    let extent = match kind {
        MediaKind::Image => pixels(read),
        MediaKind::Pdf => pages(length, read),
        MediaKind::Audio | MediaKind::Video | MediaKind::Text | MediaKind::Other => Extent::Unknown,
    };
    let sample = sample_ranges(length).into_iter().flat_map(|(from, to)| read(from, to - from)).collect();
    Media { bytes: Some(u64::from(length)), extent, ..Media::absent(kind, sample) }
}

/// A window is a piece of a longer text, so padding and the bits of its last letter say nothing.
const LENIENT: GeneralPurposeConfig =
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent).with_decode_allow_trailing_bits(true);
/// Both alphabets are met in messages.
const ALPHABETS: [GeneralPurpose; 2] =
    [GeneralPurpose::new(&alphabet::STANDARD, LENIENT), GeneralPurpose::new(&alphabet::URL_SAFE, LENIENT)];

/// Decodes base64; what is none stands for itself.
fn decode(window: &str) -> Vec<u8> {
    ALPHABETS.iter().find_map(|engine| engine.decode(window).ok()).unwrap_or_else(|| window.as_bytes().to_vec())
}
