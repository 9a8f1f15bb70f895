//! A view of a conversation as the engine needs it: roles, parts, outputs.
//! Not the SDK's type: what is opaque here (metadata, bytes, unknown fields) never leaves JavaScript.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::model::carried::Carried;
use crate::text::clip::{clean_within, one_line};

/// The role of a message, as in the AI SDK.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Role {
    /// Instructions inside the message list.
    System,
    /// The person.
    User,
    /// The model.
    Assistant,
    /// Results of tools.
    Tool,
    /// A role this version does not know; counted, never edited.
    Unknown,
}

impl Role {
    /// Reads the SDK's name of a role.
    pub fn from_name(name: &str) -> Role {
        match name {
            "system" => Role::System,
            "user" => Role::User,
            "assistant" => Role::Assistant,
            "tool" => Role::Tool,
            _ => Role::Unknown,
        }
    }

    /// The SDK's name of the role.
    pub fn name(self) -> &'static str {
        match self {
            Role::System => "system",
            Role::User => "user",
            Role::Assistant => "assistant",
            Role::Tool => "tool",
            Role::Unknown => "unknown",
        }
    }
}

/// One message.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    /// Its role.
    pub role: Role,
    /// Its parts, in order. A string content is one text part.
    pub parts: Vec<Part>,
    /// The id in `providerOptions.stepfold` when this claims to be stepfold's own checkpoint.
    /// Forgeable: only believed when the state confirms it.
    pub marker: Option<String>,
    /// Somebody else asks the provider to cache the prompt up to here, or up to a part of it.
    pub has_cache_mark: bool,
    /// What it does by being there.
    pub carried: Option<Carried>,
}

/// One part of a message.
#[derive(Clone, Debug, PartialEq)]
pub enum Part {
    /// Text of any role; `native_compaction` when a provider marked it as its own compaction block.
    Text {
        /// What is said.
        text: String,
        /// A provider's compaction block that travels as text (Anthropic).
        native_compaction: bool,
        /// The id in the part's `providerOptions.stepfold` when this claims to stand for a picture or file that stepfold has left out.
        marker: Option<String>,
    },
    /// The model's reasoning; its signature is metadata and is not text.
    Reasoning {
        /// May be empty when the provider redacted it.
        text: String,
        /// Anthropic signed or redacted it: a tool loop that begins with such reasoning must keep beginning with it.
        leads_loop: bool,
    },
    /// Image, file or generated file.
    Media(Media),
    /// A call of a tool.
    Call(Call),
    /// The result of a call.
    Result(ToolResult),
    /// Asks to approve a call.
    ApprovalRequest {
        /// Joins request and response.
        approval_id: String,
        /// The call that waits.
        call_id: String,
        /// A rule of the app answers it, not the user.
        is_automatic: bool,
    },
    /// The answer to an approval request.
    ApprovalResponse {
        /// Joins request and response.
        approval_id: String,
        /// The call may run.
        approved: bool,
        /// What was said with it.
        reason: String,
    },
    /// A provider's own part or one this version does not know: counted by its size, never edited.
    Opaque {
        /// The part's `type`, or `kind` for custom parts.
        name: String,
        /// Size of its JSON text, in bytes.
        bytes: u64,
        /// A provider's compaction block (`openai.compaction`).
        native_compaction: bool,
    },
}

/// How a call ended, as its run saw it. Messages hold less: not what a tool's `toModelOutput` leaves out, nor whether a call ran at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// It returned, and did not say that it failed.
    Succeeded,
    /// It said that it failed, or threw.
    Failed,
    /// The SDK rejected its input, or knows no such tool.
    NotRun,
    /// It was stopped while it ran.
    Aborted,
    /// It took too long, and was given up while it ran.
    TimedOut,
}

impl Outcome {
    /// From its name in JavaScript.
    pub fn from_name(name: &str) -> Option<Outcome> {
        Some(match name {
            "succeeded" => Outcome::Succeeded,
            "failed" => Outcome::Failed,
            "not-run" => Outcome::NotRun,
            "aborted" => Outcome::Aborted,
            "timed-out" => Outcome::TimedOut,
            _ => return None,
        })
    }
}

/// A call of a tool.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Call {
    /// `toolCallId`.
    pub id: String,
    /// `toolName`.
    pub name: String,
    /// The input as JSON text.
    pub input: String,
    /// Bytes inside the input that were not serialised (typed arrays).
    pub omitted_bytes: u64,
    /// Run by the provider; its result stands in the assistant message.
    pub provider_executed: bool,
    /// The server tool call that made this call (programmatic tool calling), if any.
    pub caller: Option<String>,
}

/// The result of a call.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToolResult {
    /// `toolCallId`.
    pub id: String,
    /// `toolName`.
    pub name: String,
    /// What the tool returned.
    pub output: Output,
    /// Run by the provider.
    pub provider_executed: bool,
    /// The id in the part's `providerOptions.stepfold` when this claims to be stepfold's own edit.
    pub marker: Option<String>,
    /// Its options add tools behind it.
    pub adds_tools: bool,
    /// How its call ended, where that is known.
    pub outcome: Option<Outcome>,
}

/// What a tool returned. As in the AI SDK, with JSON as text.
#[derive(Clone, Debug, PartialEq)]
pub enum Output {
    /// Plain text.
    Text(String),
    /// A JSON value, as text.
    Json(Json),
    /// An error message.
    ErrorText(String),
    /// An error value, as JSON text.
    ErrorJson(Json),
    /// The user denied the call.
    Denied(String),
    /// Text and media, in order.
    Content(Vec<Item>),
    /// An output type this version does not know; its JSON size in bytes.
    Unknown(u64),
}

/// JSON text, and how many bytes of binary data it leaves out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Json {
    /// The text.
    pub text: String,
    /// Bytes of typed arrays inside the value that are not in the text.
    pub omitted_bytes: u64,
}

/// One item of a content output.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// Text.
    Text(String),
    /// Image or file.
    Media(Media),
    /// Makes a tool known to the model.
    Reference {
        /// The tool.
        tool: String,
        /// Its JSON size in bytes.
        bytes: u64,
    },
    /// Anything else; its JSON size in bytes.
    Opaque(u64),
}

/// What kind of media a part holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MediaKind {
    /// Any image.
    Image,
    /// A PDF document.
    Pdf,
    /// Sound.
    Audio,
    /// Moving pictures.
    Video,
    /// Plain text in a file.
    Text,
    /// Anything else.
    Other,
}

impl MediaKind {
    /// The name in texts.
    pub fn name(self) -> &'static str {
        match self {
            MediaKind::Image => "image",
            MediaKind::Pdf => "PDF",
            MediaKind::Audio => "audio",
            MediaKind::Video => "video",
            MediaKind::Text | MediaKind::Other => "file",
        }
    }

    /// From an IANA media type such as `image/png`.
    pub fn from_media_type(media_type: &str) -> MediaKind {
        let top = media_type.split_once('/').map_or(media_type, |(top, _)| top);
        match (top, media_type) {
            ("image", _) => MediaKind::Image,
            ("audio", _) => MediaKind::Audio,
            ("video", _) => MediaKind::Video,
            (_, "application/pdf") => MediaKind::Pdf,
            ("text", _) => MediaKind::Text,
            _ => MediaKind::Other,
        }
    }
}

/// Media, known by kind and size; the bytes stay in JavaScript.
#[derive(Clone, Debug, PartialEq)]
pub struct Media {
    /// What it shows.
    pub kind: MediaKind,
    /// Decoded size, when the data is at hand (not for urls).
    pub bytes: Option<u64>,
    /// A sample of the decoded bytes, or the url: what the fingerprint is made of.
    pub sample: Vec<u8>,
    /// Its size in what providers count.
    pub extent: Extent,
    /// The name that the user or a tool gave it; empty where it has none. Stores may drop it, so it is no part of the fingerprint.
    pub name: String,
}

/// How large media is, as far as its bytes say it cheaply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Extent {
    /// Not known.
    #[default]
    Unknown,
    /// Width and height of an image.
    Pixels(u32, u32),
    /// Pages of a document.
    Pages(u32),
}

/// Longest name of a file that is shown, in characters, and how many names stand in one line; further files are counted.
const NAME_CHARS: usize = 80;
const NAMES: usize = 20;

impl Media {
    /// What they are, such as `image "front.png", 2 × image, 1 × PDF`: those that have a name by it, the others counted.
    pub fn names<'a>(media: impl Iterator<Item = &'a Media>) -> String {
        let (mut names, mut counts): (Vec<String>, Vec<(&str, usize)>) = (Vec::new(), Vec::new());
        for media in media {
            let kind = media.kind.name();
            match counts.iter_mut().find(|(other, _)| *other == kind) {
                _ if !media.name.is_empty() && names.len() < NAMES => names.push(media.title()),
                Some((_, count)) => *count += 1,
                None => counts.push((kind, 1)),
            }
        }
        names.extend(counts.iter().map(|(kind, count)| format!("{count} × {kind}")));
        names.join(", ")
    }

    /// What one is, such as `image "front.png"` or `PDF`.
    pub fn title(&self) -> String {
        let kind = self.kind.name();
        // A name is anybody's text: on one line and without quotes it ends where it stands.
        let name = clean_within(&one_line(&self.name).replace('"', "'"), NAME_CHARS);
        if name.is_empty() { kind.to_owned() } else { format!("{kind} \"{name}\"") }
    }

    /// The same under this name; of an address, under its last part.
    pub fn named(self, name: &str) -> Media {
        let name = match name.split_once("://") {
            // What stands behind the path may be a secret that opens it.
            Some((_, address)) => address.split(['?', '#']).next().and_then(|path| path.rsplit_once('/')).map_or("", |(_, last)| last),
            None => name,
        };
        Media { name: name.trim().to_owned(), ..self }
    }

    /// Media of which no bytes are at hand.
    pub fn absent(kind: MediaKind, url: Vec<u8>) -> Media {
        Media { kind, bytes: None, sample: url, extent: Extent::Unknown, name: String::new() }
    }
}

impl Message {
    /// What stands for a message that cannot be read.
    pub fn unreadable() -> Message {
        Message { role: Role::Unknown, parts: Vec::new(), marker: None, has_cache_mark: false, carried: None }
    }

    /// A message of text.
    pub fn text(role: Role, text: impl Into<String>) -> Message {
        Message { role, parts: vec![Part::text(text)], marker: None, has_cache_mark: false, carried: None }
    }

    /// What pictures and files it holds (`Media::names`).
    pub fn media_names(&self) -> String {
        Media::names(self.parts.iter().filter_map(|part| if let Part::Media(media) = part { Some(media) } else { None }))
    }
}

impl Part {
    /// An ordinary text part.
    pub fn text(text: impl Into<String>) -> Part {
        Part::Text { text: text.into(), native_compaction: false, marker: None }
    }
}

impl Default for Output {
    fn default() -> Output {
        Output::Unknown(0)
    }
}

impl Output {
    /// The text a model reads, without media. JSON stands as its text.
    pub fn as_text(&self) -> Cow<'_, str> {
        match self {
            Output::Text(text) | Output::ErrorText(text) | Output::Denied(text) => text.as_str().into(),
            Output::Json(json) | Output::ErrorJson(json) => json.text.as_str().into(),
            Output::Content(items) => {
                let texts = items.iter().filter_map(|item| match item {
                    Item::Text(text) => Some(text.as_str()),
                    Item::Media(_) | Item::Reference { .. } | Item::Opaque(_) => None,
                });
                texts.collect::<Vec<_>>().join("\n").into()
            }
            Output::Unknown(_) => "".into(),
        }
    }

    /// The same text, owned.
    pub fn to_text(&self) -> String {
        self.as_text().into_owned()
    }

    /// Whether the SDK marked the output as an error.
    pub fn is_error(&self) -> bool {
        matches!(self, Output::ErrorText(_) | Output::ErrorJson(_))
    }
}
