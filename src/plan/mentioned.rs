//! Rung 3, checkpoint: the identifiers that folded messages spoke of, a line for each result, call and text.
//! Each stands once, where it was said last. Not the digest: nothing here says what was done.

use std::borrow::Cow;

use crate::clip::clip;
use crate::history::Place;
use crate::identifiers::Identifiers;
use crate::message::{Part, Role};
use crate::plan::draft::Draft;
use crate::slice::{part, place_of};
use crate::tokens::estimate::estimate_tokens;

/// Messages that are read at once.
const AT_ONCE: usize = 8;
/// In so many results, calls and texts an identifier must stand to go before others. Measured (bench/replay) beside the order by age
/// alone: of what only results said 1 point more is found again at 16k and 32k, 4 at 64k, for nothing.
const OFTEN: u32 = 2;
/// Such identifiers at most, as a share of the room.
const OFTEN_SHARE: f64 = 0.75;
/// How many times as much as a placeholder a line may have. Measured beside once, with as much for all of them together: of all that is
/// referred to again a point more is found at 16k, two at 32k, because the newest lines come first.
const LINE_TIMES: u32 = 4;

/// Lines on what tools and the model said in the messages from `start` to `end`, and before them what is left of `before`, at most
/// `tokens` together; nothing of what the messages behind them say, nor of what the checkpoint has `told`. What was said often goes first
/// when there is no room for all, then the newest. Says what they take of it.
pub fn mentioned(
    draft: &Draft<'_>,
    start: usize,
    end: usize,
    before: &[String],
    told: &str,
    tokens: u32,
    gist_tokens: u32,
) -> (Vec<String>, u32) {
    let mut identifiers = Identifiers::default();
    let mut lines = Vec::new();
    if tokens > 0 {
        leave_rest(draft, end, &mut identifiers);
        identifiers.leave(told);
        for line in before {
            let end = place_of(line, ": ").unwrap_or(line.len());
            identifiers.read(part(line, end, line.len()));
            lines.push(Line::new(part(line, 0, end), u32::MAX));
        }
        let speaks = |index: &usize| matches!(draft.history.entries[*index].role(), Role::Assistant | Role::Tool);
        let speaking: Vec<u32> = (start..end).filter(speaks).map(|index| index as u32).collect();
        for some in speaking.chunks(AT_ONCE) {
            for message in &draft.read_all(some, false) {
                for part in &message.parts {
                    let Some((name, text)) = spoken(part) else { continue };
                    identifiers.read(&text);
                    // Of what the model wrote it is told elsewhere what it is about.
                    let times = if matches!(part, Part::Result(_)) { LINE_TIMES } else { LINE_TIMES / 2 };
                    lines.push(Line::new(name, gist_tokens * times));
                }
            }
        }
    }
    let often = (f64::from(tokens) * OFTEN_SHARE) as u32;
    let often_used = fill(&mut lines, &mut identifiers, often, OFTEN);
    let used = often_used + fill(&mut lines, &mut identifiers, tokens - often_used, 1);
    let mut texts = Vec::new();
    for line in &lines {
        if !line.text.is_empty() {
            texts.push(format!("{}: {}", line.name, line.text));
        }
    }
    (texts, used)
}

/// Identifiers of the messages from `end` on, which are sent as they are.
fn leave_rest(draft: &Draft<'_>, end: usize, identifiers: &mut Identifiers) {
    let rest: Vec<u32> = (end..draft.history.entries.len()).map(|index| index as u32).collect();
    for (message, read) in (end..).zip(&draft.read_all(&rest, false)) {
        for (part, said) in read.parts.iter().enumerate() {
            if draft.action(Place { message, part }).is_none()
                && let Some((_, text)) = spoken(said)
            {
                identifiers.leave(&text);
            }
        }
    }
}

/// Who says something, and what.
fn spoken(part: &Part) -> Option<(&str, Cow<'_, str>)> {
    match part {
        Part::Result(result) => Some((&result.name, result.output.as_text())),
        Part::Call(call) => Some((&call.name, call.input.as_str().into())),
        Part::Text { text, .. } => Some(("said", text.as_str().into())),
        _ => None,
    }
}

/// What is said of one result, call or text.
struct Line {
    name: String,
    text: String,
    /// The tokens of `text`, and how many it may have.
    tokens: u32,
    most_tokens: u32,
}

impl Line {
    fn new(name: &str, most_tokens: u32) -> Line {
        Line { name: clip(name, 64), text: String::new(), tokens: 0, most_tokens }
    }
}

/// Gives each line, the newest first, identifiers that stand in at least `texts` texts, up to what it may have, while there is room for them. Returns what that took.
fn fill(lines: &mut [Line], identifiers: &mut Identifiers, tokens: u32, texts: u32) -> u32 {
    let mut room = tokens;
    for (number, line) in lines.iter_mut().enumerate().rev() {
        // Its name, the marks around it and the end of the line; they are paid for once.
        let frame = if line.text.is_empty() { estimate_tokens(&line.name) + 3 } else { 0 };
        let Some(rest) = room.checked_sub(frame + 2) else { break };
        let most = line.most_tokens.saturating_sub(line.tokens);
        if identifiers.take(number, most.min(rest + 2), texts, &mut line.text) {
            // Together they are fewer tokens than one by one.
            let tokens = estimate_tokens(&line.text);
            room = room.saturating_sub(frame + tokens.saturating_sub(line.tokens));
            line.tokens = tokens;
        }
    }
    tokens - room
}
