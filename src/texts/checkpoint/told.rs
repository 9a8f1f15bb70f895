//! Sections of a checkpoint: what the model told the user, and what the user agreed to.

use crate::record::conclusions::heads;
use crate::record::work::Conclusion;
use crate::state::Checkpoint;
use crate::texts::cut::{between_paragraphs, head_and_tail};
use crate::tokens::estimate::estimate_tokens;

/// The newest conclusion takes at most this share of the room while there are others.
const NEWEST_SHARE: f64 = 0.7;
/// The same when the user has asked for something else since: then it is what came before the work at hand.
const EARLIER_SHARE: f64 = 0.4;
/// So many agreements have a section of their own; older ones are conclusions like others.
const AGREEMENTS: usize = 2;
/// A conclusion is not cut to less.
const LEAST_TOKENS: u32 = 40;

/// What the user agreed to, the newest last.
pub fn agreed(checkpoint: &Checkpoint, tokens: u32, _: &str) -> String {
    let own: Vec<&Conclusion> = checkpoint.record.conclusions.iter().filter(|told| is_agreed(checkpoint, told)).collect();
    let title = |told: &Conclusion| format!("Step {}, to which the user said \"{}\":", told.step, told.agreed);
    newest_first(&own, tokens, 1.0, title)
}

/// What the model told the user: the newest whole, older ones by their decisions where there is no room for all.
pub fn conclusions(checkpoint: &Checkpoint, tokens: u32, _: &str) -> String {
    let others: Vec<&Conclusion> = checkpoint.record.conclusions.iter().filter(|told| !is_agreed(checkpoint, told)).collect();
    let is_earlier = |told: &&Conclusion| checkpoint.record.users.iter().any(|asked| asked.step >= told.step && asked.answers.is_empty());
    let share = match others.last() {
        Some(newest) if is_earlier(newest) => EARLIER_SHARE,
        _ if others.len() > 1 => NEWEST_SHARE,
        _ => 1.0,
    };
    newest_first(&others, tokens, share, |told| format!("Step {}:", told.step))
}

/// The summarizer's text.
pub fn summary(checkpoint: &Checkpoint, tokens: u32, _: &str) -> String {
    head_and_tail(checkpoint.summary.as_deref().unwrap_or_default(), tokens)
}

/// Whether a conclusion stands among what was agreed.
fn is_agreed(checkpoint: &Checkpoint, told: &Conclusion) -> bool {
    let newest = checkpoint.record.conclusions.iter().rev().filter(|told| !told.agreed.is_empty()).take(AGREEMENTS);
    newest.into_iter().any(|known| std::ptr::eq(known, told))
}

/// Conclusions within `tokens`, oldest first. The newest has `share` of them first; one that does not fit is told by its decisions.
fn newest_first(list: &[&Conclusion], tokens: u32, share: f64, title: impl Fn(&Conclusion) -> String) -> String {
    let mut room = tokens;
    let mut blocks: Vec<String> = Vec::new();
    for (at, told) in list.iter().rev().enumerate() {
        let title = title(told);
        let Some(left) = room.checked_sub(estimate_tokens(&title) + 3).filter(|left| *left >= LEAST_TOKENS) else { break };
        let most = match at {
            0 => left.min((f64::from(tokens) * share) as u32).max(LEAST_TOKENS),
            // What is older leaves half of the room to what is older still.
            _ => left / 2,
        };
        let whole = estimate_tokens(&told.text);
        let body =
            if whole <= most || at == 0 { between_paragraphs(&told.text, most) } else { heads_within(&told.text, most.max(LEAST_TOKENS)) };
        if body.is_empty() {
            continue;
        }
        room = left.saturating_sub(estimate_tokens(&body));
        blocks.push(format!("{title}\n{body}"));
    }
    let omitted = list.len() - blocks.len();
    if omitted > 0 && !blocks.is_empty() {
        blocks.push(format!("[{omitted} older left out]"));
    }
    blocks.reverse();
    blocks.join("\n\n")
}

/// The decisions of an older conclusion, as many of its first as there is room for.
fn heads_within(text: &str, tokens: u32) -> String {
    let heads = heads(text);
    let mut room = tokens;
    let kept = heads.lines().take_while(|line| {
        let cost = estimate_tokens(line) + 1;
        let fits = cost <= room;
        room = room.saturating_sub(cost);
        fits
    });
    kept.collect::<Vec<_>>().join("\n")
}
