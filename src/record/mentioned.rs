//! The identifiers that folded messages spoke of, a line for each result, call and text.
//! Each stands once, where it was said last. Not the digest: nothing here says what was done.

use crate::clip::clip;
use crate::entry::Kind;
use crate::history::Place;
use crate::record::excerpts::{each_excerpt, spoken};
use crate::record::heard::{Heard, Past, each_without_excerpts};
use crate::record::identifiers::Identifiers;
use crate::tokens::estimate::estimate_tokens;

/// In so many results, calls and texts an identifier must stand to go before others. Measured (bench/replay) beside the order by age
/// alone: of what only results said 1 point more is found again at 16k and 32k, 4 at 64k, for nothing.
const OFTEN: u32 = 2;
/// How many times as much as a placeholder a line may have. Measured beside four times, with as much for all of them together: of all that
/// is referred to again half a point more is found at 32k, because the newest lines come first.
const LINE_TIMES: u32 = 6;

/// What stands between what results, calls or texts in a row with the same name say: no byte of an identifier.
const BETWEEN: &str = "; ";

/// Lines on what was heard of tools and the model in the messages from `start` on, and before them what is left of `before`, at most
/// `tokens` together; nothing of what the messages behind them say, nor of what stands `elsewhere` in the checkpoint. What was said often goes
/// first when there is no room for all, then the newest. Says what they take of it.
pub fn mentioned(
    draft: &dyn Past,
    start: usize,
    heard: &mut Heard,
    before: &str,
    elsewhere: &[&str],
    tokens: u32,
    kept_tokens: u32,
) -> (String, u32) {
    let Heard { identifiers, parts } = heard;
    let mut lines = Vec::new();
    if tokens > 0 {
        let mut before = before;
        while !before.is_empty() {
            let (line, others) = split_at(before, "\n");
            let (name, mut line_rest) = split_at(line, ": ");
            while !line_rest.is_empty() {
                let (one, rest) = split_at(line_rest, BETWEEN);
                lines.push(Line::new(identifiers.read(one), name, u32::MAX));
                line_rest = rest;
            }
            before = others;
        }
        for (entry, heard) in draft.entries().iter().skip(start).zip(&*parts) {
            for (part, (number, _)) in entry.parts.iter().zip(heard) {
                // Of what the model wrote other lines say what it is about.
                let times = if part.kind == Kind::Result { LINE_TIMES } else { LINE_TIMES / 2 };
                lines.push(Line::new(*number, if part.kind == Kind::Text { "said" } else { &part.name }, kept_tokens * times));
            }
        }
        leave_rest(draft, start + parts.len(), identifiers);
        elsewhere.iter().for_each(|text| identifiers.leave(text));
    }
    let often = fill(&mut lines, identifiers, tokens, OFTEN);
    let used = often + fill(&mut lines, identifiers, tokens - often, 1);
    let (mut all, mut name) = (String::new(), "");
    for line in lines.iter().filter(|line| !line.text.is_empty()) {
        let between = if all.is_empty() { "" } else { "\n" };
        let begin = if name == line.name { [BETWEEN, "", ""] } else { [between, &line.name, ": "] };
        begin.iter().for_each(|piece| all.push_str(piece));
        all.push_str(&line.text);
        name = &line.name;
    }
    (all, used)
}

/// What stands before and behind the first `between`; without one, all stands before it.
fn split_at<'a>(text: &'a str, between: &str) -> (&'a str, &'a str) {
    text.split_once(between).unwrap_or((text, ""))
}

/// Takes the identifiers of the messages from `end` on, which are sent as they are.
fn leave_rest(draft: &dyn Past, end: usize, identifiers: &mut Identifiers) {
    let entries = draft.entries();
    let is_sent = |message, part| draft.is_sent(Place { message, part });
    for (message, entry) in entries.iter().enumerate().skip(end) {
        for (part, (_, written)) in each_excerpt(&entry.excerpts).enumerate() {
            if is_sent(message, part) {
                identifiers.leave_written(written);
            }
        }
    }
    each_without_excerpts(draft, end, entries.len(), &mut |message, read| {
        for (part, said) in read.parts.iter().enumerate() {
            if is_sent(message, part) {
                identifiers.leave(&spoken(said));
            }
        }
    });
}

/// What is said of one result, call or text: a line, or behind that of its neighbour when it has the same name.
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

/// Gives each line, the newest first, identifiers that stand in at least `texts` texts, up to what it may have, while there is room for
/// them. Returns what that took.
fn fill(lines: &mut [Line], identifiers: &mut Identifiers, tokens: u32, texts: u32) -> u32 {
    let mut room = tokens;
    let mut newer = "";
    for line in lines.iter_mut().rev() {
        // Its name, the marks around it and the end of the line; they are paid for once.
        let frame = match line.text.is_empty() {
            false => 0,
            true if line.name == newer => 1,
            true => estimate_tokens(&line.name) + 3,
        };
        let Some(rest) = room.checked_sub(frame + 2) else { break };
        let most = line.most_tokens.saturating_sub(line.tokens);
        if identifiers.take(line.number, most.min(rest + 2), texts, &mut line.text) {
            // Together they are fewer tokens than one by one.
            let tokens = estimate_tokens(&line.text);
            room = room.saturating_sub(frame + tokens.saturating_sub(line.tokens));
            line.tokens = tokens;
        }
        if !line.text.is_empty() {
            newer = &line.name;
        }
    }
    tokens - room
}
