//! Reads messages out of the bytes that `scan.ts` writes: all text in one copy, so that a message costs no crossing.
//! What stays in JavaScript (bytes of media, parts of unknown type) is asked for one by one; that is rare.
//! Believes nothing: whatever is missing or of another type is read as something opaque or empty.

use crate::entry::Entry;
use crate::json::Value;
use crate::message::{Call, Item, Json, Media, MediaKind, Message, Output, Part, Role, ToolResult};

/// Which part of which message; counted from zero in the scanned list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spot {
    /// Message.
    pub message: usize,
    /// Part of it.
    pub part: usize,
    /// What of the part.
    pub within: Within,
}

/// What of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Within {
    /// All of it.
    Part,
    /// Its output.
    Output,
    /// An item of its content output.
    Item(usize),
}

/// What stayed behind in JavaScript.
pub trait Behind {
    /// The media at a spot; `fallback` is its kind when no media type says better.
    fn media(&self, spot: Spot, fallback: MediaKind) -> Media;
    /// Bytes of the JSON text of what is at a spot.
    fn size(&self, spot: Spot) -> u64;
}

/// What the bytes hold of one message.
#[derive(Clone, Debug, PartialEq)]
pub enum Scanned {
    /// It was measured before.
    Known(Entry),
    /// It is read for the first time.
    Message(Message),
}

/// Reads a list, one message at a time: what was read of one is given back before the next. What cannot be read is an
/// unreadable entry, so that indices stay those of the list.
pub fn read_list(bytes: &[u8], behind: &dyn Behind) -> impl Iterator<Item = Scanned> {
    let mut cursor = Cursor { bytes };
    let count = cursor.number().unwrap_or(0);
    (0..count).map(move |index| {
        read_one(&mut cursor, index, behind).unwrap_or_else(|| {
            // What stands behind a damaged place can no longer be told apart.
            cursor.bytes = &[];
            Scanned::Known(Entry::unreadable())
        })
    })
}

/// Tags in front of a message, a content or a value.
const NOTHING: u8 = 0;
const TEXT: u8 = 1;
const LIST: u8 = 2;
const JSON: u8 = 3;
const ENTRY: u8 = 4;
const MESSAGE: u8 = 5;

fn read_one(cursor: &mut Cursor<'_>, index: usize, behind: &dyn Behind) -> Option<Scanned> {
    match cursor.byte()? {
        ENTRY => {
            let length = cursor.number()?;
            Entry::from_bytes(cursor.take(length)?).map(Scanned::Known)
        }
        MESSAGE => read_message(cursor, index, behind).map(Scanned::Message),
        _ => None,
    }
}

fn read_message(cursor: &mut Cursor<'_>, index: usize, behind: &dyn Behind) -> Option<Message> {
    let fields = Fields::read(cursor)?;
    let parts = match cursor.byte()? {
        TEXT => vec![Part::text(cursor.text()?)],
        LIST => (0..cursor.number()?)
            .map(|part| read_part(cursor, Spot { message: index, part, within: Within::Part }, behind))
            .collect::<Option<_>>()?,
        _ => Vec::new(),
    };
    Some(Message { role: Role::from_name(fields.kind), parts, marker: fields.marker("checkpoint") })
}

fn read_part(cursor: &mut Cursor<'_>, spot: Spot, behind: &dyn Behind) -> Option<Part> {
    let fields = Fields::read(cursor)?;
    let output = (cursor.byte()? == LIST).then(|| read_output(cursor, Spot { within: Within::Output, ..spot }, behind)).flatten();
    let text = fields.text.to_owned();
    let anthropic = |name: &str| fields.option("anthropic").and_then(|options| options.get(name));
    Some(match fields.kind {
        "text" => {
            let native_compaction = anthropic("type").and_then(Value::as_str) == Some("compaction");
            Part::Text { text, native_compaction }
        }
        "reasoning" => Part::Reasoning { text, leads_loop: anthropic("signature").is_some() || anthropic("redactedData").is_some() },
        "image" => Part::Media(behind.media(spot, MediaKind::Image)),
        "file" | "reasoning-file" => Part::Media(behind.media(spot, MediaKind::Other)),
        "tool-call" => Part::Call(Call {
            caller: fields.caller(),
            id: fields.call_id.to_owned(),
            name: fields.tool_name.to_owned(),
            input: if fields.json.text.is_empty() { "null".into() } else { fields.json.text },
            omitted_bytes: fields.json.omitted_bytes,
            provider_executed: fields.provider_executed,
        }),
        "tool-result" => Part::Result(ToolResult {
            marker: fields.marker("original"),
            id: fields.call_id.to_owned(),
            name: fields.tool_name.to_owned(),
            output: output.unwrap_or(Output::Unknown(0)),
            provider_executed: fields.provider_executed,
        }),
        "tool-approval-request" => Part::ApprovalRequest { approval_id: fields.approval_id.to_owned(), call_id: fields.call_id.to_owned() },
        "tool-approval-response" => Part::ApprovalResponse { approval_id: fields.approval_id.to_owned() },
        _ => {
            let native_compaction = fields.custom_kind == "openai.compaction";
            let name = if fields.custom_kind.is_empty() { fields.kind } else { fields.custom_kind };
            Part::Opaque { name: name.to_owned(), bytes: behind.size(spot), native_compaction }
        }
    })
}

fn read_output(cursor: &mut Cursor<'_>, spot: Spot, behind: &dyn Behind) -> Option<Output> {
    let fields = Fields::read(cursor)?;
    let kind = fields.kind;
    match cursor.byte()? {
        TEXT => {
            let text = cursor.text()?;
            // A JSON output may be a string.
            let quoted = || {
                let mut json = String::with_capacity(text.len() + 2);
                Value::Text(text.into()).write(&mut json);
                Json { text: json, omitted_bytes: 0 }
            };
            Some(match kind {
                "text" => Output::Text(text.to_owned()),
                "error-text" => Output::ErrorText(text.to_owned()),
                "json" => Output::Json(quoted()),
                "error-json" => Output::ErrorJson(quoted()),
                _ => other_output(kind, fields.reason, spot, behind),
            })
        }
        JSON => {
            let json = cursor.json()?;
            Some(match kind {
                "json" => Output::Json(json),
                "error-json" => Output::ErrorJson(json),
                _ => other_output(kind, fields.reason, spot, behind),
            })
        }
        LIST => {
            let items = (0..cursor.number()?).map(|item| read_item(cursor, Spot { within: Within::Item(item), ..spot }, behind));
            Some(Output::Content(items.collect::<Option<_>>()?))
        }
        _ => Some(match kind {
            "json" => Output::Json(Json { text: "null".into(), omitted_bytes: 0 }),
            "error-json" => Output::ErrorJson(Json { text: "null".into(), omitted_bytes: 0 }),
            _ => other_output(kind, fields.reason, spot, behind),
        }),
    }
}

fn other_output(kind: &str, reason: &str, spot: Spot, behind: &dyn Behind) -> Output {
    match kind {
        "text" => Output::Text(String::new()),
        "error-text" => Output::ErrorText(String::new()),
        "execution-denied" => Output::Denied(reason.to_owned()),
        _ => Output::Unknown(behind.size(spot)),
    }
}

fn read_item(cursor: &mut Cursor<'_>, spot: Spot, behind: &dyn Behind) -> Option<Item> {
    let fields = Fields::read(cursor)?;
    Some(match fields.kind {
        "text" => Item::Text(fields.text.to_owned()),
        "media" | "file" | "file-data" | "file-url" => Item::Media(behind.media(spot, MediaKind::Other)),
        "image-data" | "image-url" => Item::Media(behind.media(spot, MediaKind::Image)),
        "image-file-id" | "image-file-reference" => Item::Media(Media::absent(MediaKind::Image, Vec::new())),
        "file-id" | "file-reference" => Item::Media(Media::absent(MediaKind::Other, Vec::new())),
        _ => Item::Opaque(behind.size(spot)),
    })
}

/// The fields that an object of the SDK may have; empty where it has none.
#[derive(Default)]
struct Fields<'a> {
    /// `type`, or `role` of a message.
    kind: &'a str,
    text: &'a str,
    call_id: &'a str,
    tool_name: &'a str,
    approval_id: &'a str,
    custom_kind: &'a str,
    reason: &'a str,
    json: Json,
    provider_executed: bool,
    options: Option<Value<'a>>,
}

impl<'a> Fields<'a> {
    fn read(cursor: &mut Cursor<'a>) -> Option<Fields<'a>> {
        let mask = u16::from(cursor.byte()?) | u16::from(cursor.byte()?) << 8;
        let has = |bit: u16| mask & 1 << bit != 0;
        let mut fields = Fields { provider_executed: has(8), ..Fields::default() };
        let texts = [
            &mut fields.kind,
            &mut fields.text,
            &mut fields.call_id,
            &mut fields.tool_name,
            &mut fields.approval_id,
            &mut fields.custom_kind,
            &mut fields.reason,
        ];
        for (bit, text) in (0..).zip(texts) {
            if has(bit) {
                *text = cursor.text()?;
            }
        }
        if has(7) {
            fields.json = cursor.json()?;
        }
        if has(9) {
            fields.options = Some(cursor.options()?);
        }
        Some(fields)
    }

    /// A provider's options.
    fn option(&self, provider: &str) -> Option<&Value<'a>> {
        self.options.as_ref()?.get(provider)
    }

    /// The id a message or part claims to have from stepfold.
    fn marker(&self, name: &str) -> Option<String> {
        self.option("stepfold")?.get(name)?.as_str().filter(|id| id.len() <= 64).map(str::to_owned)
    }

    /// The server call a programmatic call came from, as Anthropic and OpenAI say it.
    fn caller(&self) -> Option<String> {
        let id = |provider: &str, name: &str| self.option(provider)?.get("caller")?.get(name)?.as_str().map(str::to_owned);
        id("anthropic", "toolId").or_else(|| id("openai", "callerId"))
    }
}

struct Cursor<'a> {
    bytes: &'a [u8],
}

impl<'a> Cursor<'a> {
    #[inline(always)]
    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        Some(*first)
    }

    #[inline(always)]
    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.bytes.split_at_checked(length)?;
        self.bytes = rest;
        Some(taken)
    }

    /// Four bytes, little end first.
    fn number(&mut self) -> Option<usize> {
        self.take(4)?.first_chunk().map(|bytes| u32::from_le_bytes(*bytes) as usize)
    }

    fn text(&mut self) -> Option<&'a str> {
        let length = self.number()?;
        std::str::from_utf8(self.take(length)?).ok()
    }

    fn json(&mut self) -> Option<Json> {
        let omitted_bytes = self.number()? as u64;
        Some(Json { text: self.text()?.to_owned(), omitted_bytes })
    }

    /// A small tree of options: texts, objects, and `true` for whatever else is there.
    fn options(&mut self) -> Option<Value<'a>> {
        let members = (0..self.byte()?).map(|_| {
            let name = self.text()?;
            let value = match self.byte()? {
                NOTHING => Value::Bool(true),
                TEXT => Value::Text(self.text()?.into()),
                _ => self.options()?,
            };
            Some((name.into(), value))
        });
        members.collect::<Option<Vec<_>>>().map(Value::Map)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entry::measure;

    struct Nothing;

    impl Behind for Nothing {
        fn media(&self, _: Spot, kind: MediaKind) -> Media {
            Media::absent(kind, Vec::new())
        }

        fn size(&self, _: Spot) -> u64 {
            0
        }
    }

    fn text(bytes: &mut Vec<u8>, text: &str) {
        bytes.extend((text.len() as u32).to_le_bytes());
        bytes.extend(text.as_bytes());
    }

    /// What `scan.ts` writes for a known message and an assistant message with a call.
    fn scanned() -> Vec<u8> {
        let mut bytes = 2u32.to_le_bytes().to_vec();
        let entry = measure(&Message::text(Role::User, "known")).to_bytes();
        bytes.push(ENTRY);
        bytes.extend((entry.len() as u32).to_le_bytes());
        bytes.extend(entry);
        bytes.extend([MESSAGE, 1, 0]);
        text(&mut bytes, "assistant");
        bytes.push(LIST);
        bytes.extend(1u32.to_le_bytes());
        bytes.extend([1 | 4 | 8 | 128, 2]);
        text(&mut bytes, "tool-call");
        text(&mut bytes, "call_1");
        text(&mut bytes, "read");
        bytes.extend(0u32.to_le_bytes());
        text(&mut bytes, r#"{"path":"a"}"#);
        bytes.push(1);
        text(&mut bytes, "openai");
        bytes.extend([LIST, 1]);
        text(&mut bytes, "caller");
        bytes.extend([LIST, 1]);
        text(&mut bytes, "callerId");
        bytes.push(TEXT);
        text(&mut bytes, "server_1");
        bytes.push(NOTHING);
        bytes
    }

    #[test]
    fn a_scan_holds_known_entries_and_new_messages() {
        let bytes = scanned();
        let list: Vec<_> = read_list(&bytes, &Nothing).collect();
        let call = Call {
            id: "call_1".into(),
            name: "read".into(),
            input: r#"{"path":"a"}"#.into(),
            omitted_bytes: 0,
            provider_executed: false,
            caller: Some("server_1".into()),
        };
        assert_eq!(
            list,
            [
                Scanned::Known(measure(&Message::text(Role::User, "known"))),
                Scanned::Message(Message { role: Role::Assistant, parts: vec![Part::Call(call)], marker: None }),
            ]
        );
    }

    #[test]
    fn what_is_cut_off_is_unreadable_and_keeps_its_place() {
        let bytes = scanned();
        for length in 4..bytes.len() {
            let list: Vec<_> = read_list(&bytes[..length], &Nothing).collect();
            assert_eq!(list.len(), 2);
            assert_eq!(list[1], Scanned::Known(Entry::unreadable()), "cut to {length}");
        }
    }
}
