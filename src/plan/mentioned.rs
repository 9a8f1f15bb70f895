//! Rung 3, checkpoint: the identifiers that folded messages spoke of, a line for each result, call and text.
//! Each stands once, where it was said last. Not the digest: nothing here says what was done.

use crate::clip::clip;
use crate::entry::Kind;
use crate::history::Place;
use crate::identifiers::Identifiers;
use crate::plan::draft::Draft;
use crate::plan::heard::{Heard, each_untold};
use crate::slice::{part, place_of};
use crate::tokens::estimate::estimate_tokens;
use crate::told::{parts_of, spoken};

/// In so many results, calls and texts an identifier must stand to go before others. Measured (bench/replay) beside the order by age
/// alone: of what only results said 1 point more is found again at 16k and 32k, 4 at 64k, for nothing.
const OFTEN: u32 = 2;
/// Such identifiers at most, as a share of the room.
const OFTEN_SHARE: f64 = 0.75;
/// How many times as much of them a line may have.
const OFTEN_TIMES: u32 = 4;

/// Lines on what was heard of tools and the model in the messages from `start` on, and before them what is left of `before`;
/// nothing of what the messages behind them or the facts say. What was said often goes first when there is no room for all, which is at
/// most `tokens`, then the newest. Says what they take of it.
pub fn mentioned(
    draft: &Draft<'_>,
    start: usize,
    heard: &mut Heard,
    before: &[String],
    facts: &str,
    tokens: u32,
    gist_tokens: u32,
) -> (Vec<String>, u32) {
    let Heard { identifiers, parts } = heard;
    let mut lines = Vec::new();
    if tokens > 0 {
        for line in before {
            let end = place_of(line, ": ").unwrap_or(line.len());
            lines.push(Line::new(identifiers.read(part(line, end, line.len())), part(line, 0, end), u32::MAX));
        }
        for (entry, heard) in draft.history.entries.iter().skip(start).zip(&*parts) {
            for (part, (number, _)) in entry.parts.iter().zip(heard) {
                // Of what the model wrote it is told elsewhere what it is about.
                let most = if part.kind == Kind::Result { gist_tokens } else { gist_tokens / 2 };
                lines.push(Line::new(*number, if part.kind == Kind::Text { "said" } else { &part.name }, most));
            }
        }
        leave_rest(draft, start + parts.len(), identifiers);
        identifiers.leave(facts);
    }
    let often = (f64::from(tokens) * OFTEN_SHARE) as u32;
    let often_used = fill(&mut lines, identifiers, often, OFTEN, OFTEN_TIMES);
    let used = often_used + fill(&mut lines, identifiers, tokens - often_used, 1, 1);
    let mut texts = Vec::new();
    for line in &lines {
        if !line.text.is_empty() {
            texts.push(format!("{}: {}", line.name, line.text));
        }
    }
    (texts, used)
}

/// Takes the identifiers of the messages from `end` on, which are sent as they are.
fn leave_rest(draft: &Draft<'_>, end: usize, identifiers: &mut Identifiers) {
    let entries = draft.history.entries;
    let is_sent = |message, part| draft.action(Place { message, part }).is_none();
    for (message, entry) in entries.iter().enumerate().skip(end) {
        for (part, told) in entry.told.iter().enumerate() {
            if is_sent(message, part) {
                identifiers.leave_written(parts_of(told).1);
            }
        }
    }
    each_untold(draft, end, entries.len(), &mut |message, read| {
        for (part, said) in read.parts.iter().enumerate() {
            if is_sent(message, part) {
                identifiers.leave(&spoken(said));
            }
        }
    });
}

/// What is said of one result, call or text.
struct Line {
    /// Of the text among the identifiers.
    number: usize,
    name: String,
    text: String,
    /// The tokens of `text`, and how many it may have.
    tokens: u32,
    most_tokens: u32,
}

impl Line {
    fn new(number: usize, name: &str, most_tokens: u32) -> Line {
        Line { number, name: clip(name, 64), text: String::new(), tokens: 0, most_tokens }
    }
}

/// Gives each line, the newest first, identifiers that stand in at least `texts` texts, up to `times` times what it may have, while
/// there is room for them. Returns what that took.
fn fill(lines: &mut [Line], identifiers: &mut Identifiers, tokens: u32, texts: u32, times: u32) -> u32 {
    let mut room = tokens;
    for line in lines.iter_mut().rev() {
        // Its name, the marks around it and the end of the line; they are paid for once.
        let frame = if line.text.is_empty() { estimate_tokens(&line.name) + 3 } else { 0 };
        let Some(rest) = room.checked_sub(frame + 2) else { break };
        let most = line.most_tokens.saturating_mul(times).saturating_sub(line.tokens);
        if identifiers.take(line.number, most.min(rest + 2), texts, &mut line.text) {
            // Together they are fewer tokens than one by one.
            let tokens = estimate_tokens(&line.text);
            room = room.saturating_sub(frame + tokens.saturating_sub(line.tokens));
            line.tokens = tokens;
        }
    }
    tokens - room
}
