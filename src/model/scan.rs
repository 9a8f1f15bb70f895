//! Reads messages out of the bytes that `messages.ts` writes: all text in one copy, so that a message costs no crossing.
//! What stays in JavaScript (bytes of media, parts of unknown type) is asked for one by one while messages are measured, and never again.
//! Believes nothing: whatever is missing or of another type is read as something opaque or empty.

use crate::json::Value;
use crate::model::carried::{BRIDGE, Carried, carried};
use crate::model::message::{Call, Item, Json, Media, MediaKind, Message, Output, Part, Role, ToolResult};

/// Which part of which message; counted from zero in the written list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartRef {
    /// Message.
    pub message: usize,
    /// Part of it.
    pub part: usize,
    /// Which field of it.
    pub field: PartField,
}

/// A field of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartField {
    /// All of it.
    Whole,
    /// Its output.
    Output,
    /// An item of its content output.
    Item(usize),
}

/// What is not written into the bytes.
pub trait LazyFields {
    /// The media of a part of this kind.
    fn media(&self, part: PartRef, kind: MediaKind) -> Media;
    /// Bytes of the JSON text of a part.
    fn size(&self, part: PartRef) -> u64;
}

/// For messages that were measured before: a plan needs to know that there are media, and not their bytes.
pub struct MeasuredBefore;

impl LazyFields for MeasuredBefore {
    fn media(&self, _: PartRef, kind: MediaKind) -> Media {
        Media::absent(kind, Vec::new())
    }

    fn size(&self, _: PartRef) -> u64 {
        0
    }
}

/// A list of messages in bytes, of which any can be read alone.
pub struct MessageList<'a> {
    messages: Vec<&'a [u8]>,
}

impl<'a> MessageList<'a> {
    /// Finds where each message stands. What is cut off at the end is left out.
    pub fn new(bytes: &'a [u8]) -> MessageList<'a> {
        let mut cursor = Cursor { bytes, has_cache_mark: false };
        let count = cursor.number().unwrap_or(0);
        let mut messages = Vec::new();
        while messages.len() < count {
            let Some(message) = cursor.number().and_then(|length| cursor.take(length)) else { break };
            messages.push(message);
        }
        MessageList { messages }
    }

    /// Whether the message at an index was not written, because no plan was expected to read it.
    pub fn is_left_out(&self, index: usize) -> bool {
        self.messages.get(index).is_some_and(|bytes| bytes.is_empty())
    }

    /// How many messages there are.
    pub fn len(&self) -> usize {
        self.messages.len()
    }

    /// Whether the list is empty.
    pub fn is_empty(&self) -> bool {
        self.messages.is_empty()
    }

    /// The message at an index; unreadable where its bytes are damaged, `None` where there is no such message.
    pub fn read(&self, index: usize, lazy: &dyn LazyFields) -> Option<Message> {
        let mut cursor = Cursor { bytes: self.messages.get(index)?, has_cache_mark: false };
        Some(read_message(&mut cursor, index, lazy).unwrap_or_else(Message::unreadable))
    }

    /// All messages, one at a time: what was read of one is given back before the next.
    pub fn iter<'l>(&'l self, lazy: &'l dyn LazyFields) -> impl Iterator<Item = Message> + 'l {
        (0..self.len()).filter_map(move |index| self.read(index, lazy))
    }
}

/// Tags in front of a content or a value.
const NOTHING: u8 = 0;
const TEXT: u8 = 1;
const LIST: u8 = 2;
const JSON: u8 = 3;

fn read_message(cursor: &mut Cursor<'_>, index: usize, lazy: &dyn LazyFields) -> Option<Message> {
    let fields = Fields::read(cursor)?;
    let parts = match cursor.byte()? {
        TEXT => vec![Part::text(cursor.text()?)],
        LIST => (0..cursor.number()?)
            .map(|part| read_part(cursor, PartRef { message: index, part, field: PartField::Whole }, lazy))
            .collect::<Option<_>>()?,
        _ => Vec::new(),
    };
    let role = Role::from_name(fields.kind);
    let options = fields.options.as_ref().filter(|_| role == Role::System);
    let is_blank = || parts.iter().all(|part| matches!(part, Part::Text { text, .. } if text.trim().is_empty()));
    let mut carried = options.and_then(|options| carried(options, is_blank(), &|key| CACHE_MARKS.contains(&key)));
    let is_own = match fields.marker("original").as_deref() {
        Some("bridge") => role == Role::Assistant && parts == [Part::text(BRIDGE)],
        Some("carried") => role != Role::User,
        _ => false,
    };
    if is_own {
        carried = Some(Carried::Own(carried.map(|carried| carried.settings().to_vec()).unwrap_or_default()));
    }
    Some(Message { role, parts, marker: fields.marker("checkpoint"), has_cache_mark: cursor.has_cache_mark, carried })
}

fn read_part(cursor: &mut Cursor<'_>, at: PartRef, lazy: &dyn LazyFields) -> Option<Part> {
    let fields = Fields::read(cursor)?;
    let output = (cursor.byte()? == LIST).then(|| read_output(cursor, PartRef { field: PartField::Output, ..at }, lazy)).flatten();
    let text = fields.text.to_owned();
    let anthropic = |name: &str| fields.option("anthropic").and_then(|options| options.get(name));
    Some(match fields.kind {
        "text" => {
            let native_compaction = anthropic("type").and_then(Value::as_str) == Some("compaction");
            Part::Text { text, native_compaction, marker: fields.marker("original") }
        }
        "reasoning" => Part::Reasoning { text, leads_loop: anthropic("signature").is_some() || anthropic("redactedData").is_some() },
        "image" => Part::Media(lazy.media(at, fields.media_kind(MediaKind::Image)).named(fields.name())),
        "file" | "reasoning-file" => Part::Media(lazy.media(at, fields.media_kind(MediaKind::Other)).named(fields.name())),
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
            output: output.unwrap_or_default(),
            provider_executed: fields.provider_executed,
            adds_tools: fields.adds_tools(),
            outcome: None,
        }),
        "tool-approval-request" => Part::ApprovalRequest {
            approval_id: fields.approval_id.to_owned(),
            call_id: fields.call_id.to_owned(),
            is_automatic: fields.is_automatic,
        },
        "tool-approval-response" => Part::ApprovalResponse {
            approval_id: fields.approval_id.to_owned(),
            approved: !fields.is_denied,
            reason: fields.reason.to_owned(),
        },
        _ => {
            let native_compaction = fields.custom_kind == "openai.compaction";
            let name = if fields.custom_kind.is_empty() { fields.kind } else { fields.custom_kind };
            Part::Opaque { name: name.to_owned(), bytes: lazy.size(at), native_compaction }
        }
    })
}

fn read_output(cursor: &mut Cursor<'_>, at: PartRef, lazy: &dyn LazyFields) -> Option<Output> {
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
                _ => other_output(kind, fields.reason, at, lazy),
            })
        }
        JSON => {
            let json = cursor.json()?;
            Some(match kind {
                "json" => Output::Json(json),
                "error-json" => Output::ErrorJson(json),
                _ => other_output(kind, fields.reason, at, lazy),
            })
        }
        LIST => {
            let items = (0..cursor.number()?).map(|item| read_item(cursor, PartRef { field: PartField::Item(item), ..at }, lazy));
            Some(Output::Content(items.collect::<Option<_>>()?))
        }
        _ => Some(match kind {
            "json" => Output::Json(Json { text: "null".into(), omitted_bytes: 0 }),
            "error-json" => Output::ErrorJson(Json { text: "null".into(), omitted_bytes: 0 }),
            _ => other_output(kind, fields.reason, at, lazy),
        }),
    }
}

fn other_output(kind: &str, reason: &str, at: PartRef, lazy: &dyn LazyFields) -> Output {
    match kind {
        "text" => Output::Text(String::new()),
        "error-text" => Output::ErrorText(String::new()),
        "execution-denied" => Output::Denied(reason.to_owned()),
        _ => Output::Unknown(lazy.size(at)),
    }
}

fn read_item(cursor: &mut Cursor<'_>, at: PartRef, lazy: &dyn LazyFields) -> Option<Item> {
    let fields = Fields::read(cursor)?;
    Some(match fields.kind {
        "text" => Item::Text(fields.text.to_owned()),
        "media" | "file" | "file-data" | "file-url" => fields.item(lazy.media(at, fields.media_kind(MediaKind::Other))),
        "image-data" | "image-url" => fields.item(lazy.media(at, fields.media_kind(MediaKind::Image))),
        "image-file-id" | "image-file-reference" => fields.item(Media::absent(MediaKind::Image, Vec::new())),
        "file-id" | "file-reference" => fields.item(Media::absent(MediaKind::Other, Vec::new())),
        _ => match fields.tool_reference() {
            Some(tool) => Item::Reference { tool, bytes: lazy.size(at) },
            None => Item::Opaque(lazy.size(at)),
        },
    })
}

/// Names under which the providers' packages take a cache mark on a message or part: Anthropic's two, Bedrock's, OpenAI's.
pub(crate) const CACHE_MARKS: [&str; 4] = ["cacheControl", "cache_control", "cachePoint", "promptCacheBreakpoint"];

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
    media_type: &'a str,
    file_name: &'a str,
    json: Json,
    provider_executed: bool,
    is_denied: bool,
    is_automatic: bool,
    options: Option<Value<'a>>,
}

impl<'a> Fields<'a> {
    fn read(cursor: &mut Cursor<'a>) -> Option<Fields<'a>> {
        let mask = u16::from(cursor.byte()?) | u16::from(cursor.byte()?) << 8;
        let has = |bit: u16| mask & 1 << bit != 0;
        let mut fields = Fields { provider_executed: has(8), is_denied: has(11), is_automatic: has(12), ..Fields::default() };
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
        for (_, field) in [(10, &mut fields.media_type), (13, &mut fields.file_name)].into_iter().filter(|(bit, _)| has(*bit)) {
            *field = cursor.text()?;
        }
        if has(9) {
            fields.options = Some(cursor.options()?);
            cursor.has_cache_mark |= fields.has_cache_mark();
        }
        Some(fields)
    }

    /// The kind that the media type says, or this one where it says none.
    fn media_kind(&self, otherwise: MediaKind) -> MediaKind {
        match MediaKind::from_media_type(self.media_type) {
            MediaKind::Other => otherwise,
            kind => kind,
        }
    }

    /// Media of a result, under its name.
    fn item(&self, media: Media) -> Item {
        Item::Media(media.named(self.name()))
    }

    /// The name that a file has: its own, or the title that a provider is told.
    fn name(&self) -> &str {
        let Some(Value::Map(providers)) = self.options.as_ref().filter(|_| self.file_name.is_empty()) else { return self.file_name };
        let title = |name| providers.iter().find_map(|(_, options)| options.get(name)?.as_str());
        title("title").or_else(|| title("filename")).unwrap_or_default()
    }

    /// A provider's options.
    fn option(&self, provider: &str) -> Option<&Value<'a>> {
        self.options.as_ref()?.get(provider)
    }

    /// Whether a provider is asked to cache what ends here, and not by stepfold.
    fn has_cache_mark(&self) -> bool {
        let Some(Value::Map(providers)) = &self.options else { return false };
        let asks = providers.iter().any(|(_, options)| CACHE_MARKS.iter().any(|name| options.get(name).is_some()));
        asks && self.option("stepfold").and_then(|own| own.get("cache")).is_none()
    }

    /// The id a message or part claims to have from stepfold.
    fn marker(&self, name: &str) -> Option<String> {
        self.option("stepfold")?.get(name)?.as_str().filter(|id| id.len() <= 64).map(str::to_owned)
    }

    /// The tool that an item of a content makes known (Anthropic, `case 'custom'` of convert-to-anthropic-prompt.ts).
    fn tool_reference(&self) -> Option<String> {
        let Value::Map(providers) = self.options.as_ref()? else { return None };
        let is_reference = |options: &Value<'_>| options.get("type").and_then(Value::as_str) == Some("tool-reference");
        let options = providers.iter().map(|(_, options)| options).find(|options| is_reference(options))?;
        options.get("toolName").and_then(Value::as_str).map(str::to_owned)
    }

    /// Whether tools are added behind a result (OpenAI, `openaiResponsesToolResultOptionsSchema`).
    fn adds_tools(&self) -> bool {
        let Some(Value::Map(providers)) = &self.options else { return false };
        providers.iter().any(|(_, options)| options.get("additionalTools").is_some())
    }

    /// The server call a programmatic call came from, as Anthropic and OpenAI say it.
    fn caller(&self) -> Option<String> {
        let id = |provider: &str, name: &str| self.option(provider)?.get("caller")?.get(name)?.as_str().map(str::to_owned);
        id("anthropic", "toolId").or_else(|| id("openai", "callerId"))
    }
}

struct Cursor<'a> {
    bytes: &'a [u8],
    /// A cache mark of somebody else's was read.
    has_cache_mark: bool,
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

    /// A small tree of options: texts, objects, lists of a message's own, and `true` for whatever else is there.
    fn options(&mut self) -> Option<Value<'a>> {
        let members = (0..self.byte()?).map(|_| Some((self.text()?.into(), self.option()?)));
        members.collect::<Option<Vec<_>>>().map(Value::Map)
    }

    fn option(&mut self) -> Option<Value<'a>> {
        Some(match self.byte()? {
            NOTHING => Value::Bool(true),
            TEXT => Value::Text(self.text()?.into()),
            JSON => Value::List((0..self.number()?).map(|_| self.option()).collect::<Option<_>>()?),
            _ => self.options()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(bytes: &mut Vec<u8>, text: &str) {
        bytes.extend((text.len() as u32).to_le_bytes());
        bytes.extend(text.as_bytes());
    }

    /// What `messages.ts` writes for a message of the user and one of the assistant with a call.
    fn written() -> Vec<u8> {
        let mut user = vec![1, 0];
        text(&mut user, "user");
        user.push(TEXT);
        text(&mut user, "go on");
        let mut assistant = vec![1, 0];
        text(&mut assistant, "assistant");
        assistant.push(LIST);
        assistant.extend(1u32.to_le_bytes());
        assistant.extend([1 | 4 | 8 | 128, 2]);
        text(&mut assistant, "tool-call");
        text(&mut assistant, "call_1");
        text(&mut assistant, "read");
        assistant.extend(0u32.to_le_bytes());
        text(&mut assistant, r#"{"path":"a"}"#);
        assistant.push(1);
        text(&mut assistant, "openai");
        assistant.extend([LIST, 1]);
        text(&mut assistant, "caller");
        assistant.extend([LIST, 1]);
        text(&mut assistant, "callerId");
        assistant.push(TEXT);
        text(&mut assistant, "server_1");
        assistant.push(NOTHING);
        let mut bytes = 2u32.to_le_bytes().to_vec();
        for message in [user, assistant] {
            bytes.extend((message.len() as u32).to_le_bytes());
            bytes.extend(message);
        }
        bytes
    }

    #[test]
    fn any_message_of_a_list_can_be_read_alone() {
        let bytes = written();
        let list = MessageList::new(&bytes);
        let call = Call {
            id: "call_1".into(),
            name: "read".into(),
            input: r#"{"path":"a"}"#.into(),
            omitted_bytes: 0,
            provider_executed: false,
            caller: Some("server_1".into()),
        };
        let assistant =
            Message { role: Role::Assistant, parts: vec![Part::Call(call)], marker: None, has_cache_mark: false, carried: None };
        assert_eq!(list.read(1, &MeasuredBefore), Some(assistant));
        assert_eq!(list.read(0, &MeasuredBefore), Some(Message::text(Role::User, "go on")));
        assert_eq!(list.read(2, &MeasuredBefore), None);
    }

    #[test]
    fn what_is_cut_off_is_left_out_and_what_is_damaged_keeps_its_place() {
        let bytes = written();
        for length in 0..bytes.len() {
            assert!(MessageList::new(&bytes[..length]).len() < 2, "cut to {length}");
        }
        let mut damaged = bytes.clone();
        // The length of the first text within the first message.
        damaged[10..14].fill(0xff);
        let list = MessageList::new(&damaged);
        assert_eq!(list.read(0, &MeasuredBefore), Some(Message::unreadable()));
        assert!(list.read(1, &MeasuredBefore).is_some_and(|message| message.role == Role::Assistant));
    }
}
