//! What the engine remembers of one message, so that its text is read only once: tokens, fingerprints, pairs, and
//! what its calls touch.
//! A plain value that travels as bytes; JavaScript keeps it beside the message and never looks inside.

use serde::{Deserialize, Serialize};

use crate::digest::call_facts::{CallFacts, call_facts};
use crate::digest::status::is_failure;
use crate::json::Value;
use crate::model::carried::{BRIDGE, Carried, Reference, found_tools, searches_tools};
use crate::model::fingerprint::{Chain, Fingerprint, Prefix, json_fingerprint, part_fingerprint, part_outline, part_wording};
use crate::model::message::{Call, Item, Media, MediaKind, Message, Output, Part, Role, ToolResult};
use crate::model::span::{MOST_MESSAGES, Span, StandsFor};
use crate::pack::{from_bytes, to_bytes};
use crate::text::hash::mix;
use crate::tokens::estimate::estimate_tokens;
use crate::tokens::media::Counting;
use crate::tokens::{MESSAGE_TOKENS, TOKENS_PER_JSON_BYTE, saturate};

/// What kind of part it is, as far as planning must know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Kind {
    /// Text.
    Text,
    /// Reasoning.
    Reasoning,
    /// Image or file.
    Media,
    /// A tool call.
    Call,
    /// A tool result.
    Result,
    /// Asks for approval.
    ApprovalRequest,
    /// Answers an approval request.
    ApprovalResponse,
    /// Counted, never edited.
    Opaque,
}

/// What is remembered of a part.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PartEntry {
    /// Its kind.
    pub kind: Kind,
    /// Estimated tokens.
    pub tokens: u32,
    /// Fingerprint; zero when the part takes no part in the chain.
    pub fingerprint: Fingerprint,
    /// What every form of the history has of it (`fingerprint::part_outline`); zero where that is nothing.
    pub outline: Fingerprint,
    /// A hash of what the fingerprint passes over (`fingerprint::part_wording`).
    pub wording: u64,
    /// `toolCallId`, or `approvalId`.
    pub id: String,
    /// `toolName` of a call or result.
    pub name: String,
    /// The call an approval request waits for, or the server call a programmatic call came from.
    pub link: String,
    /// Run by the provider: never edited.
    pub provider_executed: bool,
    /// The output of a result may be replaced by text, the input of a call may be cut: a client's tool, and no provider-defined shape.
    pub replaceable: bool,
    /// A provider's own compaction block.
    pub native_compaction: bool,
    /// Reasoning that a tool loop must keep beginning with (Anthropic).
    pub leads_loop: bool,
    /// The id this part claims to have from stepfold; believed only when the state confirms it.
    pub marker: Option<String>,
    /// Fingerprint of a call's input, to find identical calls.
    pub input_fingerprint: u64,
    /// What a call touches.
    pub call_facts: Option<CallFacts>,
    /// A result that says that its call failed.
    pub is_error: bool,
    /// How many images it is or holds.
    pub images: u32,
    /// Bytes that images and files take in a request, as base64.
    pub media_bytes: u64,
    /// It holds files that are no images.
    pub holds_files: bool,
    /// What makes tools known: a search of the provider's own, or what a search returned.
    pub reference: Option<Box<Reference>>,
}

impl PartEntry {
    /// A part of which nothing else is known.
    fn new(kind: Kind, tokens: u32) -> PartEntry {
        PartEntry {
            kind,
            tokens,
            fingerprint: 0,
            outline: 0,
            wording: 0,
            id: String::new(),
            name: String::new(),
            link: String::new(),
            provider_executed: false,
            replaceable: false,
            native_compaction: false,
            leads_loop: false,
            marker: None,
            input_fingerprint: 0,
            call_facts: None,
            is_error: false,
            images: 0,
            media_bytes: 0,
            holds_files: false,
            reference: None,
        }
    }

    /// Takes in the images and files that it is or holds.
    fn hold<'a>(&mut self, media: impl Iterator<Item = &'a Media>) {
        for media in media {
            self.images += u32::from(media.kind == MediaKind::Image);
            self.holds_files |= media.kind != MediaKind::Image;
            self.media_bytes = self.media_bytes.saturating_add(media.bytes.unwrap_or(0).div_ceil(3).saturating_mul(4));
        }
    }

    /// The wording of parts after one more, and of results their order.
    pub fn worded(&self, before: u64) -> u64 {
        self.worded_as(before, self.fingerprint, self.wording)
    }

    /// The same of a part that may have been edited: with its fingerprint before that, and no wording.
    pub fn worded_as(&self, before: u64, fingerprint: Fingerprint, wording: u64) -> u64 {
        match (self.kind, wording) {
            (Kind::Result, wording) => mix(mix(before, &fingerprint.to_le_bytes()), &wording.to_le_bytes()),
            (_, 0) => before,
            (_, wording) => mix(before, &wording.to_le_bytes()),
        }
    }
}

/// What is remembered of a message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    role: Role,
    /// The id the message claims to have as stepfold's checkpoint.
    pub marker: Option<String>,
    /// See `Message`.
    pub has_cache_mark: bool,
    /// Its parts, in order.
    pub parts: Vec<PartEntry>,
    /// What it stands for in a list.
    pub stands_for: StandsFor,
    /// What it does by being there.
    pub carried: Option<Carried>,
}

impl Entry {
    /// Its role.
    pub fn role(&self) -> Role {
        self.role
    }

    /// Whether the model has said it.
    pub fn is_answer(&self) -> bool {
        self.role == Role::Assistant && !self.is_own()
    }

    /// Takes back that stepfold has put it there, which a forged marker says; a bridge says nothing else.
    pub fn disown(&mut self) {
        if self.is_own() && self.parts.iter().any(|part| part.fingerprint != 0) {
            let settings = self.carried.take().map(|carried| carried.settings().to_vec()).filter(|settings| !settings.is_empty());
            self.carried = settings.map(Carried::Settings);
        }
    }

    /// Whether stepfold has put it there: a bridge, or a copy of what a fold carries.
    pub fn is_own(&self) -> bool {
        matches!(self.carried, Some(Carried::Own(_)))
    }

    /// Estimated tokens of the message as it stands.
    pub fn tokens(&self) -> u32 {
        saturate(u64::from(MESSAGE_TOKENS) + self.parts.iter().map(|part| u64::from(part.tokens)).sum::<u64>())
    }

    /// The span that it stands for.
    pub fn span(&self) -> Option<&Span> {
        if let StandsFor::Span(span) = &self.stands_for { Some(span) } else { None }
    }

    /// Whether a message of the user behind it begins a turn; nothing where that is as it was before.
    pub fn ends_turn(&self) -> Option<bool> {
        match (&self.stands_for, self.role) {
            (StandsFor::Span(span), _) => span.ends_turn,
            (StandsFor::Nothing, _) | (_, Role::System | Role::Unknown) => None,
            _ if self.carried.is_some() => None,
            (_, role) => Some(role == Role::Assistant),
        }
    }

    /// How many messages of the model it stands for.
    pub fn answers(&self) -> u32 {
        self.span().map_or(u32::from(self.is_answer()), |span| span.answers)
    }

    /// Hashes of the ids of its calls, and of those that an approval is requested for.
    pub fn call_ids(&self) -> impl Iterator<Item = u32> {
        let own = self.parts.iter().filter_map(|part| match part.kind {
            Kind::Call => Some(mix(0, part.id.as_bytes()) as u32),
            Kind::ApprovalRequest => Some(mix(0, part.link.as_bytes()) as u32),
            _ => None,
        });
        self.span().map_or(&[][..], |span| &span.ids).iter().copied().chain(own)
    }

    /// The entry of a span's first message. Its other messages have entries that stand for nothing.
    pub fn of_span(span: Span) -> Entry {
        let (has_cache_mark, parts) = (span.has_cache_mark, vec![PartEntry::new(Kind::Opaque, span.tokens)]);
        Entry { has_cache_mark, parts, stands_for: StandsFor::Span(Box::new(span)), ..Entry::unreadable() }
    }

    /// Adds its message to a span, behind which the history and its outline are as said. It may stand for a span itself.
    pub fn add_to(&self, span: &mut Span, end: (u32, Chain), outline: Prefix) {
        span.messages += 1;
        (span.end, span.outline) = (end, outline);
        span.tokens = span.tokens.saturating_add(self.tokens() - MESSAGE_TOKENS);
        span.answers += self.answers();
        span.has_cache_mark |= self.has_cache_mark;
        span.ids.extend(self.call_ids());
        let last_role = match &self.stands_for {
            StandsFor::Itself => Some(self.role).filter(|role| *role != Role::User),
            StandsFor::Span(inner) => inner.last_role,
            StandsFor::Nothing => None,
        };
        span.last_role = last_role.or(span.last_role);
        span.ends_turn = self.ends_turn().or(span.ends_turn);
    }

    /// Whether it, or a part of it, acts by being there.
    pub fn carries(&self) -> bool {
        self.carried.is_some() || self.parts.iter().any(|part| part.reference.is_some())
    }

    /// Whether a provider's compaction block is in it.
    pub fn has_native_compaction(&self) -> bool {
        self.parts.iter().any(|part| part.native_compaction)
    }

    /// Whether the provider reads nothing of what stands before this message: its compaction block is a text (Anthropic).
    pub fn compacts_all_before(&self) -> bool {
        self.parts.iter().any(|part| part.native_compaction && part.kind == Kind::Text)
    }

    /// What stands for an entry that cannot be read: a message of nothing, never edited.
    pub fn unreadable() -> Entry {
        Entry { role: Role::Unknown, marker: None, has_cache_mark: false, parts: Vec::new(), stands_for: StandsFor::Itself, carried: None }
    }

    /// The entry as bytes, for JavaScript to keep.
    pub fn to_bytes(&self) -> Vec<u8> {
        to_bytes(self)
    }

    /// Reads an entry written by `to_bytes`; `None` when the bytes are not one.
    pub fn from_bytes(bytes: &[u8]) -> Option<Entry> {
        from_bytes(bytes)
    }
}

/// Appends an entry behind its length: entries of a list stand one after the other.
pub fn write_entry(entry: &Entry, bytes: &mut Vec<u8>) {
    let packed = entry.to_bytes();
    bytes.extend((packed.len() as u32).to_le_bytes());
    bytes.extend(packed);
}

/// Reads entries that `write_entry` wrote, one for each message of the list. One that cannot be read keeps its place.
pub fn read_entries(mut bytes: &[u8]) -> Vec<Entry> {
    let mut entries = Vec::new();
    while let Some((length, rest)) = bytes.split_first_chunk() {
        let (entry, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize).unwrap_or((rest, &[]));
        let entry = Entry::from_bytes(entry).unwrap_or_else(Entry::unreadable);
        let others = entry.span().map_or(0, |span| (span.messages as usize).clamp(1, MOST_MESSAGES) - 1);
        entries.push(entry);
        entries.extend(std::iter::repeat_n(Entry { stands_for: StandsFor::Nothing, ..Entry::unreadable() }, others));
        bytes = rest;
    }
    entries
}

/// What a message is measured with.
#[derive(Clone, Copy)]
pub struct Meter<'a> {
    /// How the model counts media and calls.
    pub counting: Counting,
    /// Counts text: the estimator, or an exact tokenizer.
    pub count: &'a dyn Fn(&str) -> u32,
}

/// For tests: measures one message by estimate, counting as for an unknown model.
pub fn measure(message: &Message) -> Entry {
    measure_with(message, Meter { counting: Counting::default(), count: &estimate_tokens })
}

/// Measures one message as a model counts.
pub fn measure_with(message: &Message, meter: Meter<'_>) -> Entry {
    let mut parts: Vec<PartEntry> = message.parts.iter().map(|part| measure_part(message.role, part, meter)).collect();
    let (marker, has_cache_mark, carried) = (message.marker.clone(), message.has_cache_mark, message.carried.clone());
    if matches!(carried, Some(Carried::Own(_))) && message.parts == [Part::text(BRIDGE)] {
        // The history does not have it.
        parts.iter_mut().for_each(|part| part.fingerprint = 0);
    }
    Entry { role: message.role, marker, has_cache_mark, parts, stands_for: StandsFor::Itself, carried }
}

/// JSON texts above this size are not parsed: what they say is not worth the memory.
const PARSED_BYTES: usize = 4 << 20;

/// The JSON value of a call's input or a result's output, and its fingerprint.
fn parse(part: &Part) -> (Option<Value<'_>>, u64) {
    let text = match part {
        Part::Call(call) => &call.input,
        Part::Result(ToolResult { output: Output::Json(json) | Output::ErrorJson(json), .. }) => &json.text,
        _ => return (None, 0),
    };
    let value = if text.len() <= PARSED_BYTES { Value::parse(text) } else { None };
    let fingerprint = json_fingerprint(text, value.as_ref());
    (value, fingerprint)
}

fn measure_part(role: Role, part: &Part, meter: Meter<'_>) -> PartEntry {
    let (json, json_fingerprint) = parse(part);
    let mut entry = PartEntry::new(Kind::Text, 0);
    (entry.fingerprint, entry.wording) = (part_fingerprint(role, part, json_fingerprint), part_wording(part));
    entry.outline = part_outline(role, part, entry.fingerprint, json.as_ref());
    match part {
        Part::Text { text, native_compaction, marker } => {
            entry.tokens = (meter.count)(text);
            entry.marker = marker.clone();
            // The package sends no empty one.
            entry.native_compaction = *native_compaction && role == Role::Assistant && !text.trim().is_empty();
        }
        Part::Reasoning { text, leads_loop } => {
            entry.leads_loop = *leads_loop;
            entry.kind = Kind::Reasoning;
            entry.tokens = (meter.count)(text);
        }
        Part::Media(media) => {
            entry.kind = Kind::Media;
            entry.tokens = meter.counting.media_tokens(media);
            entry.hold([media].into_iter());
        }
        Part::Call(call) => {
            entry.kind = Kind::Call;
            entry.tokens =
                meter.counting.call_tokens().saturating_add(call_text_tokens(&call.name, &call.input, call.omitted_bytes, meter.count));
            entry.id = call.id.clone();
            entry.name = call.name.clone();
            entry.link = call.caller.clone().unwrap_or_default();
            entry.provider_executed = call.provider_executed;
            entry.replaceable = !call.provider_executed && entry.link.is_empty() && !is_provider_defined(call, json.as_ref());
            entry.input_fingerprint = json_fingerprint;
            entry.call_facts = Some(call_facts(&call.name, json.as_ref().unwrap_or(&Value::Null)));
            entry.reference = json.as_ref().filter(|input| searches_tools(input)).map(|_| Box::default());
        }
        Part::Result(result) => {
            entry.kind = Kind::Result;
            entry.tokens = output_tokens(&result.output, meter);
            entry.id = result.id.clone();
            entry.name = result.name.clone();
            // A result outside a tool message was written by the provider, whatever its flag says.
            entry.provider_executed = result.provider_executed || role != Role::Tool;
            entry.reference = reference_of(result, json.as_ref(), entry.fingerprint, meter).map(Box::new);
            entry.replaceable = !entry.provider_executed && is_replaceable(result, json.as_ref());
            entry.marker = result.marker.clone();
            entry.is_error = is_failure(result);
            if let Output::Content(items) = &result.output {
                entry.hold(items.iter().filter_map(|item| if let Item::Media(media) = item { Some(media) } else { None }));
            }
        }
        Part::ApprovalRequest { approval_id, call_id, .. } => {
            entry.kind = Kind::ApprovalRequest;
            entry.id = approval_id.clone();
            entry.link = call_id.clone();
        }
        Part::ApprovalResponse { approval_id, .. } => {
            entry.kind = Kind::ApprovalResponse;
            entry.id = approval_id.clone();
        }
        Part::Opaque { bytes, native_compaction, .. } => {
            entry.kind = Kind::Opaque;
            // Two bytes a token is dearer than any text seen in provider payloads.
            entry.tokens = saturate(bytes / 2);
            entry.native_compaction = *native_compaction && role == Role::Assistant;
        }
    }
    entry
}

/// Estimated tokens of a call without the form around it and its result.
pub fn call_text_tokens(name: &str, input: &str, omitted_bytes: u64, count: &dyn Fn(&str) -> u32) -> u32 {
    saturate(u64::from(count(name)) + u64::from(count(input)) + omitted_bytes * TOKENS_PER_JSON_BYTE)
}

/// Estimated tokens of an output.
pub fn output_tokens(output: &Output, meter: Meter<'_>) -> u32 {
    match output {
        Output::Text(text) | Output::ErrorText(text) | Output::Denied(text) => (meter.count)(text),
        Output::Json(json) | Output::ErrorJson(json) => {
            saturate(u64::from((meter.count)(&json.text)) + json.omitted_bytes.saturating_mul(TOKENS_PER_JSON_BYTE))
        }
        Output::Content(items) => saturate(items.iter().map(|item| u64::from(item_tokens(item, meter))).sum()),
        Output::Unknown(bytes) => saturate(bytes / 2),
    }
}

fn item_tokens(item: &Item, meter: Meter<'_>) -> u32 {
    match item {
        Item::Text(text) => (meter.count)(text),
        Item::Media(media) => meter.counting.result_media_tokens(media),
        Item::Reference { bytes, .. } | Item::Opaque(bytes) => saturate(bytes / 2),
    }
}

/// The tools that a result makes known.
fn reference_of(result: &ToolResult, json: Option<&Value<'_>>, fingerprint: Fingerprint, meter: Meter<'_>) -> Option<Reference> {
    let hash = |tool: &str| mix(0, tool.as_bytes());
    let mut reference = Reference::default();
    match &result.output {
        Output::Content(items) => {
            for (at, item) in items.iter().enumerate() {
                if let Item::Reference { tool, .. } = item {
                    reference.tools.push(hash(tool));
                    reference.items.push(at as u32);
                    reference.item_tokens.push(item_tokens(item, meter));
                }
            }
        }
        Output::Json(_) => reference.tools = json.and_then(found_tools).unwrap_or_default().iter().map(|tool| hash(tool)).collect(),
        _ => {}
    }
    if result.adds_tools {
        // Which tools these are stays in its options.
        reference = Reference { tools: vec![fingerprint], in_options: true, ..Reference::default() };
    }
    (!reference.tools.is_empty()).then_some(reference)
}

/// Tools that OpenAI defines and the client runs. Their results are typed items of the API, not text:
/// a placeholder would be sent as the output of a call of another type and be rejected.
const PROVIDER_DEFINED: [&str; 6] = ["shell", "local_shell", "apply_patch", "computer", "computer_use", "tool_search"];

/// Keys of which the input of each such tool has one; a user's own tool of the same name has others.
const PROVIDER_DEFINED_KEYS: [&str; 4] = ["action", "actions", "operation", "arguments"];

/// Whether a call is an item of OpenAI's own. What is cut is sent in full and without its item id, which some of these items must have.
fn is_provider_defined(call: &Call, input: Option<&Value<'_>>) -> bool {
    PROVIDER_DEFINED.contains(&call.name.as_str())
        && input.is_some_and(|input| PROVIDER_DEFINED_KEYS.iter().any(|key| input.get(key).is_some()))
}

fn is_replaceable(result: &ToolResult, json: Option<&Value<'_>>) -> bool {
    match &result.output {
        Output::Unknown(_) | Output::Denied(_) => false,
        Output::Json(json) | Output::ErrorJson(json) if json.text.starts_with('{') && PROVIDER_DEFINED.contains(&result.name.as_str()) => {
            false
        }
        // What OpenAI's search is answered is an item of its own, whatever the app calls the tool.
        Output::Json(_) | Output::ErrorJson(_) => json.and_then(found_tools).is_none(),
        Output::Text(_) | Output::ErrorText(_) => true,
        // An item this version does not know may be a reference the provider must see again.
        Output::Content(items) => !items.iter().any(|item| matches!(item, Item::Reference { .. } | Item::Opaque(_))),
    }
}
