//! Sections of a checkpoint: what the user asked, and the rules that came with it.

use crate::state::Checkpoint;
use crate::texts::cut::{head_and_tail, newest_within};
use crate::tokens::estimate::estimate_tokens;

/// The oldest message that is told is cut to no less.
const LEAST_CUT_TOKENS: u32 = 100;
/// A message takes at most this share of the room while there are others, so that one pasted text leaves room for them.
const ONE_SHARE: f64 = 0.6;

/// The request.
pub fn request(checkpoint: &Checkpoint, tokens: u32, _: &str) -> String {
    head_and_tail(&checkpoint.record.request, tokens)
}

/// Rules, in their order; those told first go before later ones.
pub fn rules(checkpoint: &Checkpoint, tokens: u32, _: &str) -> String {
    let mut room = tokens;
    let mut text = String::new();
    let mut omitted = 0;
    for rule in &checkpoint.record.rules {
        let cost = estimate_tokens(rule) + 2;
        if cost > room {
            omitted += 1;
            continue;
        }
        room -= cost;
        text.push_str(&format!("- {rule}\n"));
    }
    if omitted > 0 && !text.is_empty() {
        text.push_str(&format!("[{omitted} more left out]\n"));
    }
    text.truncate(text.trim_end().len());
    text
}

/// Later messages: the newest within the room, oldest first. What only acknowledges stands on one line with what it answers.
pub fn users(checkpoint: &Checkpoint, tokens: u32, _: &str) -> String {
    let record = &checkpoint.record;
    let mut blocks: Vec<String> = record
        .users
        .iter()
        .map(|asked| match asked.answers.is_empty() {
            true => asked.text.clone(),
            false => format!("\"{}\", in answer to: {}", asked.text, asked.answers),
        })
        .collect();
    if blocks.len() > 1 {
        for block in &mut blocks {
            *block = head_and_tail(block, ((f64::from(tokens) * ONE_SHARE) as u32).max(LEAST_CUT_TOKENS));
        }
    }
    let omitted = record.omitted_users as usize + keep_newest(&mut blocks, tokens);
    let note = if omitted > 0 { format!("[{omitted} older messages left out]\n\n") } else { String::new() };
    if blocks.is_empty() { String::new() } else { format!("{note}{}", blocks.join("\n\n")) }
}

/// Keeps the newest text, cut where it must be, and those before it while all are within `tokens`, the oldest of them cut to what is left;
/// says how many it dropped.
fn keep_newest(list: &mut Vec<String>, tokens: u32) -> usize {
    let Some(newest) = list.last_mut() else { return 0 };
    *newest = head_and_tail(newest, tokens);
    let mut drop = list.len() - newest_within(list, tokens).len().max(1);
    if drop > 0 {
        let used: u32 = list[drop..].iter().map(|text| estimate_tokens(text) + 2).fold(0, u32::saturating_add);
        let left = tokens.saturating_sub(used);
        if left >= LEAST_CUT_TOKENS {
            drop -= 1;
            list[drop] = head_and_tail(&list[drop], left);
        }
    }
    list.drain(..drop);
    drop
}
