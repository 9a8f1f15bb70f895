//! Sections of a checkpoint: what the model told the user, and the summary.

use crate::digest::record::Conclusion;
use crate::state::Checkpoint;
use crate::tokens::estimate::estimate_tokens;
use crate::words::checkpoint::answer::{NewerLines, cut, without_repeats};

/// The newest conclusion takes at most this share of the room while there are others.
const NEWEST_SHARE: f64 = 0.7;
/// The same when the user has asked for something else since: then it is what came before the work at hand.
const EARLIER_SHARE: f64 = 0.4;
/// What is longer than its room by less than this part of it is not cut.
const CUT_PART: u32 = 3;
/// A conclusion is not cut to less.
const LEAST_TOKENS: u32 = 40;

/// What the model told the user: the newest whole, older ones in parts where there is no room for all.
pub fn conclusions(checkpoint: &Checkpoint, tokens: u32, _: &str) -> String {
    let others: Vec<&Conclusion> = checkpoint.record.conclusions.iter().collect();
    let is_earlier = |conclusion: &&Conclusion| {
        checkpoint.record.users.iter().any(|message| message.step >= conclusion.step && message.question.is_empty())
    };
    let share = match others.last() {
        Some(newest) if is_earlier(newest) => EARLIER_SHARE,
        _ if others.len() > 1 => NEWEST_SHARE,
        _ => 1.0,
    };
    newest_first(&others, tokens, share)
}

/// The summarizer's text, whole: nothing else keeps what it says.
pub fn summary(checkpoint: &Checkpoint, _: u32, _: &str) -> String {
    checkpoint.summary.clone().unwrap_or_default()
}

/// Conclusions within `tokens`, oldest first. The newest has `share` of them first. What a newer one says again leaves the older ones.
fn newest_first(list: &[&Conclusion], tokens: u32, share: f64) -> String {
    let mut room = tokens;
    let mut blocks: Vec<String> = Vec::new();
    let mut newer = NewerLines::default();
    let mut omitted = 0;
    for (at, conclusion) in list.iter().rev().enumerate() {
        let fresh = without_repeats(&conclusion.text, &newer);
        if fresh.is_empty() {
            continue;
        }
        let title = format!("Step {}:", conclusion.step);
        let Some(left) = room.checked_sub(estimate_tokens(&title) + 3).filter(|left| *left >= LEAST_TOKENS) else {
            omitted += 1;
            continue;
        };
        let most = match at {
            0 => left.min((f64::from(tokens) * share) as u32),
            // What is older leaves half of the room to what is older still.
            _ => left / 2,
        };
        // A few words that are left out would be missed more than their room.
        let cost = estimate_tokens(&fresh);
        let most = if cost <= left.min(most + most / CUT_PART) { cost } else { most };
        let body = cut(&fresh, most.max(LEAST_TOKENS));
        newer.add(&body);
        room = left.saturating_sub(estimate_tokens(&body));
        blocks.push(format!("{title}\n{body}"));
    }
    if omitted > 0 && !blocks.is_empty() {
        blocks.push(format!("[{omitted} older left out]"));
    }
    blocks.reverse();
    blocks.join("\n\n")
}
