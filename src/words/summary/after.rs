//! What the messages after a span do, a line each: so that no summary names as next what is done. The agent keeps these messages, so that a
//! beginning is enough of each.

use crate::digest::approvals::Approvals;
use crate::digest::status::failure_of;
use crate::json::Value;
use crate::model::message::{Message, Part, Role};
use crate::redact::clean;
use crate::text::clip::{clip, one_line};
use crate::text::hash::HashMap;

/// Characters of what the user said, of a call's input and of a result.
const TEXT: usize = 300;
const INPUT: usize = 160;
const RESULT: usize = 120;

/// The messages, a line for each text and each call.
pub fn after_text(messages: &[Message]) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut calls: HashMap<&str, usize> = HashMap::default();
    let approvals = Approvals::of(messages);
    for part in messages.iter().flat_map(|message| message.parts.iter().map(move |part| (message.role, part))) {
        match part {
            (Role::User, Part::Text { text, .. }) if !text.trim().is_empty() => lines.push(format!("user: {}", begun(text, TEXT))),
            (_, Part::Call(call)) => {
                calls.insert(&call.id, lines.len());
                let input = Value::parse(&call.input).map_or_else(|| call.input.clone(), |input| input.joined_leaves(" "));
                lines.push(format!("- {} {}", one_line(&clean(&call.name)), begun(&input, INPUT)).trim_end().to_owned());
            }
            (_, Part::Result(result)) => {
                let said = begun(&result.output.as_text(), RESULT);
                let outcome = match approvals.denial(result) {
                    Some(why) => format!("denied: {}", begun(why, RESULT)),
                    None => failure_of(result).map_or_else(|| said.clone(), |how| format!("{how}: {said}")),
                };
                if let Some(line) = calls.get(&*result.id).and_then(|line| lines.get_mut(*line)).filter(|_| !outcome.is_empty()) {
                    line.push_str(&format!(" → {outcome}"));
                }
            }
            _ => {}
        }
    }
    lines.join("\n")
}

fn begun(text: &str, characters: usize) -> String {
    clip(&one_line(&clean(text.trim())), characters)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::message::{Call, Output, ToolResult};

    #[test]
    fn what_follows_is_listed_in_a_line_each() {
        let (id, name) = ("1".to_owned(), "bookRoom".to_owned());
        let input = r#"{"nights":2,"room":"Garden"}"#.to_owned();
        let call = Part::Call(Call { id: id.clone(), name: name.clone(), input, omitted_bytes: 0, provider_executed: false, caller: None });
        let output = Output::ErrorText(format!("full\n{}", "word ".repeat(90)));
        let result = Part::Result(ToolResult { id, name, output, ..ToolResult::default() });
        let message = |role, part| Message { role, parts: vec![part], marker: None, has_cache_mark: false, carried: None };
        let messages = [message(Role::Assistant, call), message(Role::Tool, result), Message::text(Role::User, "and now\nthis")];
        let text = after_text(&messages);
        assert!(text.starts_with("- bookRoom 2 Garden → failed: full word word") && text.ends_with("…\nuser: and now this"), "{text}");
        assert!(text.len() < 250, "{text}");
    }
}
