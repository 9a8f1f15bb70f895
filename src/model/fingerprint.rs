//! Stable hashes of what a part says, and the chain over a history that recognises it again.
//! Independent of message boundaries, key order, metadata, reasoning, line ends, outer white space, the order of results and what a failure
//! says, all of which a database or UI round trip changes.
//! Not a secret and not a checksum of bytes: two parts that say the same have the same fingerprint.

use std::borrow::Cow;

use crate::text::hash::mix;
use serde::{Deserialize, Serialize};

use crate::json::Value;
use crate::model::message::{Item, Media, Output, Part, Role, ToolResult};

/// Fingerprint of one part: odd for a result, even for any other. Zero is kept for parts that take no part in the chain.
pub type Fingerprint = u64;

/// Fingerprint of everything up to a part: 128 bits, in two lanes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chain {
    /// One lane.
    pub first: u64,
    /// The other.
    pub second: u64,
}

impl Chain {
    /// The chain after one more part. Results in a row may come in any order: ai 5 lists those of a step as they arrive, and a stored chat by
    /// their calls.
    pub fn then(self, fingerprint: Fingerprint) -> Chain {
        let bytes = fingerprint.to_le_bytes();
        if fingerprint & 1 == 1 {
            return Chain { first: self.first.wrapping_add(mix(1, &bytes)), second: self.second.wrapping_add(mix(2, &bytes)) };
        }
        Chain { first: mix(self.first, &bytes), second: mix(!self.second, &bytes) }
    }

    /// A short id for texts and markers: 12 hexadecimal digits.
    pub fn short_id(self) -> String {
        format!("{:012x}", self.first >> 16)
    }
}

/// A history up to a part: how many parts these are, and the chain over them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Prefix {
    /// Parts.
    pub parts: u32,
    /// The chain over them.
    pub chain: Chain,
}

impl Prefix {
    /// Stands for all that is there at the next plan.
    pub const ALL: Prefix = Prefix { parts: u32::MAX, chain: Chain { first: 0, second: 0 } };

    /// With one more part.
    pub fn then(self, part: Fingerprint) -> Prefix {
        Prefix { parts: self.parts.saturating_add(1), chain: self.chain.then(part) }
    }
}

/// Parts of an outline of which a print is kept.
const MOST_PRINTS: usize = 8_192;

/// What every form of a history has of its parts (`fingerprint::part_outline`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outline {
    /// How many parts, and the chain over them. None where it is not known.
    pub prefix: Prefix,
    /// Two bytes of each, to say what has changed since; of the newest checkpoint only, and none where there are too many parts.
    pub prints: Vec<u8>,
}

impl Outline {
    /// With more parts behind them, up to this prefix.
    pub fn then(&self, parts: impl Iterator<Item = Fingerprint>, prefix: Prefix) -> Outline {
        let mut prints = self.prints.clone();
        prints.extend(parts.flat_map(Outline::print));
        let is_whole = prints.len() == 2 * prefix.parts as usize && prints.len() <= 2 * MOST_PRINTS;
        Outline { prefix, prints: if is_whole { prints } else { Vec::new() } }
    }

    /// The print of a part.
    pub fn print(part: Fingerprint) -> [u8; 2] {
        // The lowest bit says whether it is a result.
        let [_, first, second, ..] = part.to_le_bytes();
        [first, second]
    }
}

/// The fingerprint of a part said by `role`. Zero for what a round trip may drop: reasoning, blank text, approvals.
///
/// Approvals are left out because their ids and grouping change between live runs and stored messages;
/// the calls they belong to are in the chain.
///
/// `json` is the fingerprint of the call's input or of the result's JSON output, which the caller has parsed already.
pub fn part_fingerprint(role: Role, part: &Part, json: u64) -> Fingerprint {
    let hash = match part {
        Part::Text { text, .. } if text.trim().is_empty() => return 0,
        Part::Text { text, .. } => mix(mix(1, role.name().as_bytes()), stored(text).as_bytes()),
        Part::Reasoning { .. } | Part::ApprovalRequest { .. } | Part::ApprovalResponse { .. } => return 0,
        Part::Media(media) => mix_media(2, media),
        Part::Call(call) => mix(mix(mix(3, call.id.as_bytes()), call.name.as_bytes()), &json.to_le_bytes()),
        Part::Result(result) => {
            return mix_output(mix(mix(4, result.id.as_bytes()), result.name.as_bytes()), &result.output, json) | 1;
        }
        // The payload of such parts is metadata, which stores drop: only the name is sure to come back.
        Part::Opaque { name, .. } => mix(5, name.as_bytes()),
    };
    (hash & !1).max(2)
}

/// What of a part every form of a history has, whatever the tools were converted with and wherever bytes are kept: of a call its id, tool and
/// arguments, of what a person attached that it is there, of a result nothing: its call stands for it. Zero for what is in no form for sure.
///
/// `input` is the call's input, where that could be parsed.
pub fn part_outline(role: Role, part: &Part, fingerprint: Fingerprint, input: Option<&Value>) -> Fingerprint {
    let hash = match part {
        Part::Result(_) => return 0,
        // What a model made is often moved to another place when it is stored.
        Part::Media(_) if role == Role::Assistant => return 0,
        Part::Media(_) => mix(6, b""),
        // A text or number is what a model wrote in place of arguments: the run goes on with `{}`, and the text as it came is stored.
        Part::Call(call) if matches!(input, Some(Value::Text(_) | Value::Number(_) | Value::Bool(_))) => {
            let no_arguments = value_print(&Value::Map(Vec::new()));
            mix(mix(mix(3, call.id.as_bytes()), call.name.as_bytes()), &no_arguments.to_le_bytes())
        }
        _ => return fingerprint,
    };
    (hash & !1).max(2)
}

/// A hash of what the fingerprint of a part passes over and a provider does not, for thoughts that are bound to it; zero where that is nothing.
pub fn part_wording(part: &Part) -> u64 {
    match part {
        Part::Text { text, .. } if text.trim().is_empty() || stored(text) == *text => 0,
        Part::Text { text, .. } => mix(1, text.as_bytes()),
        Part::Result(ToolResult { output: Output::Denied(why), .. }) => mix(2, why.as_bytes()),
        Part::Result(result) if result.output.is_error() => mix(3, result.output.as_text().as_bytes()),
        _ => 0,
    }
}

/// A text as every store gives it back.
fn stored(text: &str) -> Cow<'_, str> {
    let text = text.trim();
    if text.contains("\r\n") { text.replace("\r\n", "\n").into() } else { text.into() }
}

/// A fingerprint of a JSON value that does not depend on the order of keys or on white space in its text.
/// `value` is `None` for text that is no JSON or nested too deeply to parse: it is hashed as it stands.
pub fn json_fingerprint(text: &str, value: Option<&Value>) -> u64 {
    value.map_or_else(|| mix(0, text.as_bytes()), value_print)
}

fn value_print(value: &Value) -> u64 {
    match value {
        Value::Null => 10,
        Value::Bool(flag) => 11 + u64::from(*flag),
        // JavaScript writes a number in one way only, so its text is the number.
        Value::Number(number) => mix(13, number.as_bytes()),
        Value::Text(text) => text_print(text),
        Value::List(items) => items.iter().fold(15, |hash, item| mix(hash, &value_print(item).to_le_bytes())),
        Value::Map(members) => {
            members.iter().fold(16, |hash, (key, inner)| mix(mix(hash, key.as_bytes()), &value_print(inner).to_le_bytes()))
        }
    }
}

fn text_print(text: &str) -> u64 {
    mix(14, text.as_bytes())
}

fn mix_output(before: u64, output: &Output, json: u64) -> u64 {
    match output {
        // A text output and a JSON string say the same: stores differ in which one they keep.
        Output::Text(text) => mix(before, &text_print(text).to_le_bytes()),
        Output::Json(_) => mix(before, &json.to_le_bytes()),
        // The stream to a user interface masks what an error says, and a denial comes back from it as an error.
        Output::ErrorText(_) | Output::ErrorJson(_) | Output::Denied(_) => mix(before, b"failed"),
        Output::Content(items) => items.iter().fold(before, |hash, item| match item {
            Item::Text(text) => mix(hash, &text_print(text).to_le_bytes()),
            Item::Media(media) => mix_media(hash, media),
            Item::Reference { bytes, .. } | Item::Opaque(bytes) => mix(hash, &bytes.to_le_bytes()),
        }),
        Output::Unknown(bytes) => mix(before, &bytes.to_le_bytes()),
    }
}

fn mix_media(before: u64, media: &Media) -> u64 {
    mix(mix(before, &media.bytes.unwrap_or(u64::MAX).to_le_bytes()), &media.sample)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::message::Json;

    fn json_fingerprint(text: &str) -> u64 {
        super::json_fingerprint(text, Value::parse(text).as_ref())
    }

    #[test]
    fn json_prints_ignore_key_order_and_space_but_nothing_else() {
        let same = [r#"{"a":1,"b":[1,{"x":"y","z":null}]}"#, r#"{ "b": [1, {"z":null,"x":"y"}], "a": 1 }"#];
        assert_eq!(json_fingerprint(same[0]), json_fingerprint(same[1]));
        for other in
            [r#"{"a":1,"b":[{"x":"y","z":null},1]}"#, r#"{"a":"1","b":[1,{"x":"y","z":null}]}"#, r#"{"a":1}"#, "[]", "{}", "null", "\"\""]
        {
            assert_ne!(json_fingerprint(same[0]), json_fingerprint(other), "{other}");
        }
    }

    #[test]
    fn text_that_is_no_json_still_has_a_print() {
        for text in ["", "{", "[1,2", "{\"a\":1} trailing", "\u{0}"] {
            assert_eq!(json_fingerprint(text), json_fingerprint(text));
        }
        let deep = "[".repeat(100_000);
        assert_eq!(json_fingerprint(&deep), json_fingerprint(&deep));
    }

    #[test]
    fn what_a_store_or_a_stream_to_a_browser_changes_is_the_same_part_in_other_words() {
        let result = |output| Part::Result(ToolResult { id: "1".into(), name: "track".into(), output, ..ToolResult::default() });
        let json = Json { text: r#"{"status":503}"#.into(), omitted_bytes: 0 };
        let rows = [
            (Part::text("One.\nTwo."), Part::text(" One.\r\nTwo.\n"), true),
            (Part::text("One.\nTwo."), Part::text("One. Two."), false),
            (result(Output::ErrorText("carrier: 503".into())), result(Output::ErrorText("An error occurred.".into())), true),
            (result(Output::ErrorText("carrier: 503".into())), result(Output::ErrorJson(json)), true),
            (result(Output::Denied("No!".into())), result(Output::ErrorText("No!".into())), true),
            (result(Output::Text("No!".into())), result(Output::ErrorText("No!".into())), false),
        ];
        for (ran, stored, is_same) in rows {
            let print = |part| part_fingerprint(Role::Assistant, part, 0);
            assert_eq!(print(&ran) == print(&stored), is_same, "{ran:?} {stored:?}");
            assert!(!is_same || part_wording(&ran) != part_wording(&stored), "{ran:?} {stored:?}");
        }
    }

    #[test]
    fn an_outline_says_what_was_said_and_called_and_nothing_of_what_came_of_it() {
        use crate::model::entry::measure;
        use crate::model::message::{Call, MediaKind, Message};
        let outline = |role, part: &Part| {
            measure(&Message { role, parts: vec![part.clone()], marker: None, has_cache_mark: false, carried: None }).parts[0].outline
        };
        let call = |id: &str, input: &str| {
            let (id, name, input) = (id.to_owned(), "look".to_owned(), input.to_owned());
            Part::Call(Call { id, name, input, omitted_bytes: 0, provider_executed: false, caller: None })
        };
        let text = Part::text("Go.");
        assert_eq!(outline(Role::User, &text), part_fingerprint(Role::User, &text, 0));
        // A run goes on with `{}` where the model wrote no arguments.
        for written in ["\"{\\\"id\"", "7", "true"] {
            assert_eq!(outline(Role::Assistant, &call("1", written)), outline(Role::Assistant, &call("1", "{}")));
        }
        for other in [call("2", "{}"), call("1", "{\"id\":1}"), call("1", "[]"), call("1", "null")] {
            assert_ne!(outline(Role::Assistant, &call("1", "{}")), outline(Role::Assistant, &other), "{other:?}");
        }
        let result = ToolResult { id: "1".into(), name: "look".into(), output: Output::Text("found".into()), ..ToolResult::default() };
        assert_eq!(outline(Role::Tool, &Part::Result(result)), 0);
        let media = |address: &str| Part::Media(Media::absent(MediaKind::Image, address.into()));
        assert_eq!(outline(Role::User, &media("here")), outline(Role::User, &media("there")));
        assert_ne!(outline(Role::User, &media("here")), 0);
        assert_eq!(outline(Role::Assistant, &media("here")), 0);
    }

    #[test]
    fn a_chain_depends_on_the_order_of_all_but_results_in_a_row() {
        let chain = |fingerprints: [Fingerprint; 4]| fingerprints.into_iter().fold(Chain::default(), Chain::then);
        assert_ne!(chain([2, 4, 6, 8]), chain([2, 6, 4, 8]));
        // Two results between two other parts.
        assert_eq!(chain([2, 7, 9, 8]), chain([2, 9, 7, 8]));
        assert_ne!(chain([2, 7, 9, 8]), chain([2, 7, 8, 9]));
        assert_ne!(chain([2, 7, 7, 8]), chain([2, 9, 9, 8]));
    }
}
