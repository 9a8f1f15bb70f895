//! A span as text within a number of tokens: each piece is told as far as there is room, so that the room is used.
//! Not what the pieces say (see `pieces`).

use crate::clip::{clip, one_line};
use crate::json::Value;
use crate::message::{Message, Part, Role};
use crate::record::action::Action;
use crate::record::call::read_call;
use crate::record::outcome::{Status, read_outcome};
use crate::record::user::read_user;
use crate::redact::clean;
use crate::texts::cut::head_and_tail;
use crate::texts::summary::pieces::{Piece, pieces};
use crate::tokens::estimate::estimate_tokens;

/// Fewest and most tokens of a piece for each unit of its weight.
const LEAST_TOKENS: u32 = 20;
const MOST_TOKENS: u32 = 1_000;

/// A piece with its tokens.
struct Sized {
    piece: Piece,
    head_tokens: u32,
    body_tokens: u32,
}

impl Sized {
    fn new(piece: Piece) -> Sized {
        let (head_tokens, body_tokens) = (estimate_tokens(&piece.head) + 2, estimate_tokens(&piece.body));
        Sized { piece, head_tokens, body_tokens }
    }

    /// Tokens of the body when each unit of weight has so many.
    fn body_within(&self, unit: u32) -> u32 {
        self.body_tokens.min(unit.saturating_mul(self.piece.weight))
    }

    fn tokens(&self, unit: u32) -> u64 {
        u64::from(self.head_tokens) + u64::from(self.body_within(unit))
    }

    fn text(&self, unit: u32) -> String {
        let Piece { head, body, .. } = &self.piece;
        let body = head_and_tail(body, self.body_within(unit));
        let separator = if body.contains('\n') { "\n" } else { " " };
        format!("{head}{}{body}", if body.is_empty() { "" } else { separator })
    }
}

/// The messages as text within about `tokens` tokens. Long pieces give way before short ones, by the same measure for all; where that is
/// not enough, the oldest messages leave.
pub fn span_text(messages: &[Message], tokens: u32) -> String {
    let blocks: Vec<Vec<Sized>> = pieces(messages).into_iter().map(|block| block.into_iter().map(Sized::new).collect()).collect();
    let room = u64::from(tokens);
    let all = |unit: u32| blocks.iter().flatten().map(|piece| piece.tokens(unit)).sum::<u64>();
    // The largest unit for which all fits.
    let (mut unit, mut too_much) = (LEAST_TOKENS, MOST_TOKENS + 1);
    while unit + 1 < too_much {
        let middle = unit + (too_much - unit) / 2;
        if all(middle) <= room { unit = middle } else { too_much = middle }
    }
    let mut used = 0;
    let mut start = blocks.len();
    while let Some(block) = start.checked_sub(1).and_then(|at| blocks.get(at)) {
        used += block.iter().map(|piece| piece.tokens(unit)).sum::<u64>();
        if used > room {
            break;
        }
        start -= 1;
    }
    let omitted = blocks[..start].iter().filter(|block| !block.is_empty()).count();
    let mut texts: Vec<String> = Vec::new();
    texts.extend((omitted > 0).then(|| format!("[{omitted} older messages left out]")));
    let told = blocks[start..].iter().filter(|block| !block.is_empty());
    texts.extend(told.map(|block| block.iter().map(|piece| piece.text(unit)).collect::<Vec<_>>().join("\n")));
    texts.join("\n\n")
}

/// What the messages behind a span do, a line each: so that no summary names as next what is done.
pub fn after_text(messages: &[Message]) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut calls: Vec<(&str, usize, Vec<Action>)> = Vec::new();
    for message in messages {
        for part in &message.parts {
            match part {
                Part::Text { text, .. } if message.role == Role::User => {
                    let asked = read_user(text).asked;
                    if !asked.is_empty() {
                        lines.push(format!("user: {}", clip(&one_line(&clean(&clip(&asked, 1_200))), 300)));
                    }
                }
                Part::Call(call) => {
                    let actions = read_call(&call.name, &Value::parse(&call.input).unwrap_or(Value::Null));
                    let told: Vec<String> = actions.iter().take(3).map(Action::line).filter(|line| line != "waited").collect();
                    if !told.is_empty() {
                        calls.push((&call.id, lines.len(), actions));
                        lines.push(format!("- {}", told.join("; ")));
                    }
                }
                Part::Result(result) => {
                    let Some((_, line, actions)) = calls.iter().find(|(id, ..)| *id == result.id) else { continue };
                    let outcome = read_outcome(actions, &result.output.as_text(), result.output.is_error());
                    let state = if outcome.status == Status::Failed { "failed: " } else { "" };
                    if let Some(told) = lines.get_mut(*line).filter(|_| !outcome.line.is_empty()) {
                        told.push_str(&format!(" → {state}{}", clip(&outcome.line, 120)));
                    }
                }
                _ => {}
            }
        }
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::{Call, Output, ToolResult};

    fn step(number: usize, words: usize) -> [Message; 2] {
        let (id, name) = (number.to_string(), "Bash".to_owned());
        let input = format!(r#"{{"command":"run-{number}"}}"#);
        let call = Part::Call(Call { id: id.clone(), name: name.clone(), input, omitted_bytes: 0, provider_executed: false, caller: None });
        let output = Output::Text(format!("result {number} {}", "word ".repeat(words)));
        let result = Part::Result(ToolResult { id, name, output, provider_executed: false, marker: None });
        let message = |role, part| Message { role, parts: vec![part], marker: None, has_cache_mark: false };
        [message(Role::Assistant, call), message(Role::Tool, result)]
    }

    #[test]
    fn the_room_is_used_and_not_exceeded() {
        let messages: Vec<Message> = (0..40).flat_map(|number| step(number, if number % 4 == 0 { 3_000 } else { 20 })).collect();
        for tokens in [2_000, 4_000, 8_000, 16_000] {
            let text = span_text(&messages, tokens);
            let used = estimate_tokens(&text);
            assert!(used <= tokens + 100 && used * 10 >= tokens * 8, "{used} of {tokens}");
            // What is short stays whole beside what is long.
            assert!(text.contains(&format!("result 5 {}", "word ".repeat(20).trim())) && !text.contains("older messages"), "{tokens}");
        }
        let little = span_text(&messages, 300);
        assert!(little.starts_with('[') && little.contains("older messages left out]") && little.contains("result 39"), "{little}");
    }

    #[test]
    fn what_follows_is_told_in_a_line_each() {
        let mut messages = step(1, 3).to_vec();
        messages.push(Message::text(Role::User, "and now\nthis"));
        assert_eq!(after_text(&messages), "- ran `run-1` → result 1 word word word\nuser: and now this");
    }
}
