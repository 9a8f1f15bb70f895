//! Rung 3, checkpoint: the identifiers that folded messages spoke of, a line for each result, call and text.
//! Each stands once, where it was said last. Not the digest: nothing here says what was done.

use std::borrow::Cow;

use crate::clip::clip;
use crate::json::Value;
use crate::message::{Part, Role};
use crate::plan::draft::{Draft, sorted_text};
use crate::slice::{part, place_of};
use crate::table::Table;
use crate::texts::placeholder::gist;
use crate::tokens::estimate::estimate_tokens;

/// Messages that are read at once.
const AT_ONCE: usize = 8;

/// Lines on what tools and the model said in the messages from `start` to `end`, and before them what is left of `before`.
/// The newest go first when there is no room for all, which is at most `tokens`. Says what they take of it.
pub fn mentioned(draft: &Draft<'_>, start: usize, end: usize, before: &[String], tokens: u32, gist_tokens: u32) -> (Vec<String>, u32) {
    let mut mentioned = Mentioned { known: Table::default(), lines: Vec::new(), room: tokens, used: 0 };
    let speaks = |index: &usize| matches!(draft.history.entries[*index].role(), Role::Assistant | Role::Tool);
    let newest_first: Vec<u32> = (start..end).rev().filter(speaks).map(|index| index as u32).collect();
    for some in newest_first.chunks(AT_ONCE) {
        // What there is no room for is not even read.
        if mentioned.room == 0 {
            break;
        }
        for message in &draft.read_all(some, false) {
            for part in message.parts.iter().rev() {
                let (name, text, tokens): (&str, Cow<'_, str>, u32) = match part {
                    _ if mentioned.room == 0 => break,
                    Part::Result(result) => (&result.name, sorted_text(&result.output), gist_tokens),
                    Part::Call(call) => {
                        (&call.name, Value::parse(&call.input).unwrap_or(Value::Null).joined_leaves("\n").into(), gist_tokens / 2)
                    }
                    Part::Text { text, .. } => ("said", text.as_str().into(), gist_tokens / 2),
                    _ => continue,
                };
                mentioned.add(name, &text, tokens);
            }
        }
    }
    for line in before.iter().rev() {
        let end = place_of(line, ": ").unwrap_or(line.len());
        mentioned.add(part(line, 0, end), part(line, end, line.len()), u32::MAX);
    }
    mentioned.lines.reverse();
    (mentioned.lines, mentioned.used)
}

/// The lines, newest first.
struct Mentioned {
    /// Identifiers that stand in them.
    known: Table,
    lines: Vec<String>,
    room: u32,
    used: u32,
}

impl Mentioned {
    /// Adds a line if there is room for it; behind the first without room there is none.
    fn add(&mut self, name: &str, text: &str, tokens: u32) {
        let gist = gist(text, tokens, &mut self.known);
        if gist.is_empty() {
            return;
        }
        let line = format!("{}: {gist}", clip(name, 64));
        let cost = estimate_tokens(&line) + 2;
        match self.room.checked_sub(cost) {
            Some(rest) => {
                self.room = rest;
                self.used += cost;
                self.lines.push(line);
            }
            None => self.room = 0,
        }
    }
}
