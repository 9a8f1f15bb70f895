//! Reads the SDK's messages out of JavaScript. Copies text, never bytes: media cross as a sample of their data.
//! Believes nothing: whatever is missing or of another type is read as something opaque or empty.

use js_sys::{Array, ArrayBuffer, JsString, Uint8Array};
use wasm_bindgen::prelude::*;

use crate::base64;
use crate::message::{Call, Item, Json, Media, MediaKind, Message, Output, Part, Role, ToolResult};

#[wasm_bindgen]
extern "C" {
    /// Any object of the SDK. A getter that throws or a missing field reads as undefined.
    type Raw;
    #[wasm_bindgen(method, getter, structural, catch)]
    fn role(this: &Raw) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, getter, structural, catch)]
    fn content(this: &Raw) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, getter, structural, catch, js_name = providerOptions)]
    fn provider_options(this: &Raw) -> Result<JsValue, JsValue>;
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
    #[wasm_bindgen(method, getter, structural, catch, js_name = mediaType)]
    fn media_type(this: &Raw) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, getter, structural, catch, js_name = toolCallId)]
    fn tool_call_id(this: &Raw) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, getter, structural, catch, js_name = toolName)]
    fn tool_name(this: &Raw) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, getter, structural, catch)]
    fn input(this: &Raw) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, getter, structural, catch)]
    fn output(this: &Raw) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, getter, structural, catch)]
    fn value(this: &Raw) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, getter, structural, catch)]
    fn reason(this: &Raw) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, getter, structural, catch, js_name = providerExecuted)]
    fn provider_executed(this: &Raw) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, getter, structural, catch, js_name = approvalId)]
    fn approval_id(this: &Raw) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, getter, structural, catch, js_name = kind)]
    fn custom_kind(this: &Raw) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, getter, structural, catch)]
    fn stepfold(this: &Raw) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, getter, structural, catch)]
    fn checkpoint(this: &Raw) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, getter, structural, catch)]
    fn original(this: &Raw) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, getter, structural, catch)]
    fn anthropic(this: &Raw) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, getter, structural, catch)]
    fn signature(this: &Raw) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, getter, structural, catch, js_name = redactedData)]
    fn redacted_data(this: &Raw) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, getter, structural, catch)]
    fn openai(this: &Raw) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, getter, structural, catch)]
    fn caller(this: &Raw) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, getter, structural, catch, js_name = toolId)]
    fn tool_id(this: &Raw) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, getter, structural, catch, js_name = callerId)]
    fn caller_id(this: &Raw) -> Result<JsValue, JsValue>;

    /// What JavaScript does better: turning any value into JSON text without throwing.
    pub type Host;
    /// The value as JSON text; typed arrays are left out of it.
    #[wasm_bindgen(method)]
    fn json(this: &Host, value: &JsValue) -> String;
    /// Bytes of typed arrays left out by the last `json`.
    #[wasm_bindgen(method, js_name = omittedBytes)]
    fn omitted_bytes(this: &Host) -> f64;
}

/// A field of an object; undefined when the value is no object or the getter throws.
fn field(value: &JsValue, get: fn(&Raw) -> Result<JsValue, JsValue>) -> JsValue {
    if value.is_object() { get(value.unchecked_ref::<Raw>()).unwrap_or(JsValue::UNDEFINED) } else { JsValue::UNDEFINED }
}

fn string(value: &JsValue, get: fn(&Raw) -> Result<JsValue, JsValue>) -> String {
    field(value, get).as_string().unwrap_or_default()
}

/// Reads one message.
pub fn message(value: &JsValue, host: &Host) -> Message {
    let role = Role::from_name(&string(value, Raw::role));
    let content = field(value, Raw::content);
    let parts = if let Some(text) = content.as_string() {
        vec![Part::text(text)]
    } else if Array::is_array(&content) {
        Array::from(&content).iter().map(|part| read_part(&part, host)).collect()
    } else {
        Vec::new()
    };
    Message { role, parts, marker: marker(value, Raw::checkpoint) }
}

fn marker(value: &JsValue, get: fn(&Raw) -> Result<JsValue, JsValue>) -> Option<String> {
    let own = field(&field(value, Raw::provider_options), Raw::stepfold);
    field(&own, get).as_string().filter(|id| id.len() <= 64)
}

fn read_part(value: &JsValue, host: &Host) -> Part {
    let kind = string(value, Raw::kind);
    match kind.as_str() {
        "text" => {
            let anthropic = field(&field(value, Raw::provider_options), Raw::anthropic);
            Part::Text { text: string(value, Raw::text), native_compaction: string(&anthropic, Raw::kind) == "compaction" }
        }
        "reasoning" => {
            let anthropic = field(&field(value, Raw::provider_options), Raw::anthropic);
            let leads_loop = !field(&anthropic, Raw::signature).is_undefined() || !field(&anthropic, Raw::redacted_data).is_undefined();
            Part::Reasoning { text: string(value, Raw::text), leads_loop }
        }
        "image" => Part::Media(media(&field(value, Raw::image), &string(value, Raw::media_type), MediaKind::Image)),
        "file" | "reasoning-file" => Part::Media(media(&field(value, Raw::data), &string(value, Raw::media_type), MediaKind::Other)),
        "tool-call" => {
            let input = json(&field(value, Raw::input), host);
            Part::Call(Call {
                id: string(value, Raw::tool_call_id),
                name: string(value, Raw::tool_name),
                input: input.text,
                omitted_bytes: input.omitted_bytes,
                provider_executed: field(value, Raw::provider_executed).is_truthy(),
                caller: caller(value),
            })
        }
        "tool-result" => Part::Result(ToolResult {
            id: string(value, Raw::tool_call_id),
            name: string(value, Raw::tool_name),
            output: output(&field(value, Raw::output), host),
            provider_executed: field(value, Raw::provider_executed).is_truthy(),
            marker: marker(value, Raw::original),
        }),
        "tool-approval-request" => {
            Part::ApprovalRequest { approval_id: string(value, Raw::approval_id), call_id: string(value, Raw::tool_call_id) }
        }
        "tool-approval-response" => Part::ApprovalResponse { approval_id: string(value, Raw::approval_id) },
        _ => {
            let custom = string(value, Raw::custom_kind);
            let size = json(value, host);
            let native_compaction = custom == "openai.compaction";
            let name = if custom.is_empty() { kind } else { custom };
            Part::Opaque { name, bytes: size.text.len() as u64 + size.omitted_bytes, native_compaction }
        }
    }
}

/// The server call a programmatic call came from, as Anthropic and OpenAI say it.
fn caller(value: &JsValue) -> Option<String> {
    let options = field(value, Raw::provider_options);
    if !options.is_object() {
        return None;
    }
    let anthropic = field(&field(&field(&options, Raw::anthropic), Raw::caller), Raw::tool_id);
    let openai = field(&field(&field(&options, Raw::openai), Raw::caller), Raw::caller_id);
    anthropic.as_string().or_else(|| openai.as_string())
}

fn json(value: &JsValue, host: &Host) -> Json {
    let text = host.json(value);
    Json { text, omitted_bytes: host.omitted_bytes().max(0.0) as u64 }
}

fn output(value: &JsValue, host: &Host) -> Output {
    let inner = field(value, Raw::value);
    match string(value, Raw::kind).as_str() {
        "text" => Output::Text(inner.as_string().unwrap_or_default()),
        "error-text" => Output::ErrorText(inner.as_string().unwrap_or_default()),
        "json" => Output::Json(json(&inner, host)),
        "error-json" => Output::ErrorJson(json(&inner, host)),
        "execution-denied" => Output::Denied(string(value, Raw::reason)),
        "content" if Array::is_array(&inner) => Output::Content(Array::from(&inner).iter().map(|item| content_item(&item, host)).collect()),
        _ => {
            let size = json(value, host);
            Output::Unknown(size.text.len() as u64 + size.omitted_bytes)
        }
    }
}

fn content_item(value: &JsValue, host: &Host) -> Item {
    let data = || field(value, Raw::data);
    let media_type = || string(value, Raw::media_type);
    match string(value, Raw::kind).as_str() {
        "text" => Item::Text(string(value, Raw::text)),
        "media" | "file" | "file-data" => Item::Media(media(&data(), &media_type(), MediaKind::Other)),
        "image-data" => Item::Media(media(&data(), &media_type(), MediaKind::Image)),
        "file-url" => Item::Media(media(&field(value, Raw::url), &media_type(), MediaKind::Other)),
        "image-url" => Item::Media(media(&field(value, Raw::url), &media_type(), MediaKind::Image)),
        "image-file-id" | "image-file-reference" => Item::Media(Media { kind: MediaKind::Image, bytes: None, sample: Vec::new() }),
        "file-id" | "file-reference" => Item::Media(Media { kind: MediaKind::Other, bytes: None, sample: Vec::new() }),
        _ => {
            let size = json(value, host);
            Item::Opaque(size.text.len() as u64 + size.omitted_bytes)
        }
    }
}

/// Reads media from any form the SDK allows: bytes, base64, data url, url, `URL`, or tagged (`{ type: 'data' | 'url' | 'text' … }`).
fn media(data: &JsValue, media_type: &str, fallback: MediaKind) -> Media {
    let kind = if media_type.is_empty() { fallback } else { MediaKind::from_media_type(media_type) };
    let kind = if kind == MediaKind::Other { fallback } else { kind };
    if let Some(text) = data.dyn_ref::<JsString>() {
        return text_media(text, kind);
    }
    if let Some(bytes) = data.dyn_ref::<Uint8Array>() {
        return byte_media(bytes, kind);
    }
    if let Some(buffer) = data.dyn_ref::<ArrayBuffer>() {
        return if buffer.byte_length() == 0 {
            Media { kind, bytes: Some(0), sample: Vec::new() }
        } else {
            byte_media(&Uint8Array::new(buffer), kind)
        };
    }
    if let Some(address) = field(data, Raw::href).as_string() {
        return Media { kind, bytes: None, sample: address.into_bytes() };
    }
    match string(data, Raw::kind).as_str() {
        "data" => inner_media(&field(data, Raw::data), media_type, kind),
        "url" => inner_media(&field(data, Raw::url), media_type, kind),
        "text" => {
            let text = string(data, Raw::text);
            Media { kind: MediaKind::Text, bytes: Some(text.len() as u64), sample: text.into_bytes() }
        }
        _ => Media { kind, bytes: None, sample: Vec::new() },
    }
}

/// What a tag holds; a tag within a tag holds nothing.
fn inner_media(data: &JsValue, media_type: &str, kind: MediaKind) -> Media {
    if string(data, Raw::kind).is_empty() { media(data, media_type, kind) } else { Media { kind, bytes: None, sample: Vec::new() } }
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
        return Media { kind, bytes: Some(0), sample: Vec::new() };
    }
    let sample = sample_ranges(length).into_iter().flat_map(|(from, to)| bytes.subarray(from, to).to_vec()).collect();
    Media { kind, bytes: Some(u64::from(length)), sample }
}

fn text_media(text: &JsString, kind: MediaKind) -> Media {
    let start: String = text.slice(0, 256).into();
    let lower = start.to_ascii_lowercase();
    if lower.starts_with("http://") || lower.starts_with("https://") {
        return Media { kind, bytes: None, sample: String::from(text.clone()).into_bytes() };
    }
    let offset = match lower.strip_prefix("data:").and_then(|rest| rest.find(',')) {
        Some(comma) if lower[..comma + 5].ends_with(";base64") => comma as u32 + 6,
        _ => 0,
    };
    let tail: String = text.slice(text.length().saturating_sub(2), text.length()).into();
    let padding = tail.bytes().filter(|byte| *byte == b'=').count() as u32;
    let characters = (text.length() - offset).saturating_sub(padding);
    let length = (u64::from(characters) * 3 / 4) as u32;
    let sample = sample_ranges(length)
        .into_iter()
        .flat_map(|(from, to)| {
            let (first, last) = (from / 3 * 4, (to.div_ceil(3) * 4).min(characters));
            let window: String = text.slice(offset + first, offset + last).into();
            let mut bytes = decode(&window);
            bytes.truncate((to - from) as usize);
            bytes
        })
        .collect();
    Media { kind, bytes: Some(u64::from(length)), sample }
}

/// Decodes base64; what is none stands for itself.
fn decode(window: &str) -> Vec<u8> {
    base64::decode(window).unwrap_or_else(|| window.as_bytes().to_vec())
}
