//! Sections of a checkpoint: what the user asked.

use crate::digest::novelty::kept_within;
use crate::digest::record::UserMessage;
use crate::state::Checkpoint;
use crate::tokens::estimate::estimate_tokens;
use crate::words::cut::head_and_tail;

/// A message is cut to no less.
const LEAST_CUT_TOKENS: u32 = 60;

/// The request.
pub fn request(checkpoint: &Checkpoint, tokens: u32, _: &str) -> String {
    head_and_tail(&checkpoint.record.request, tokens)
}

/// Later messages, oldest first. Where there is no room for all, the long ones are cut, so that as many as can be stand; then those leave that
/// say least of their own.
pub fn users(checkpoint: &Checkpoint, tokens: u32, _: &str) -> String {
    let record = &checkpoint.record;
    let mut blocks: Vec<String> = Vec::new();
    for message in &record.users {
        blocks.push(block_of(message));
    }
    let mut omitted = record.omitted_users as usize;
    let note =
        |omitted: usize| if omitted > 0 { format!("[{omitted} messages left out that say least of their own]\n\n") } else { String::new() };
    if let Some(most) = longest_within(&blocks, tokens) {
        for block in &mut blocks {
            *block = head_and_tail(block, most);
        }
    } else {
        for block in &mut blocks {
            *block = head_and_tail(block, LEAST_CUT_TOKENS.min(tokens));
        }
        let kept = kept_within(&record.users, tokens as usize, |at| estimate_tokens(&blocks[at]) as usize + 2);
        omitted += blocks.len() - kept.len();
        blocks = kept.into_iter().map(|at| std::mem::take(&mut blocks[at])).collect();
    }
    if blocks.is_empty() { String::new() } else { format!("{}{}", note(omitted), blocks.join("\n\n")) }
}

/// One message: a short answer with the question before it, a denial with the call that was denied.
fn block_of(message: &UserMessage) -> String {
    let text = &message.text;
    let count = if message.count > 1 { format!("\n[sent {} times]", message.count) } else { String::new() };
    match (message.denies.as_str(), message.question.as_str()) {
        ("", "") => format!("{text}{count}"),
        ("", question) => format!("\"{text}\" [in answer to: \"{question}\"]{count}"),
        (call, _) if text.is_empty() => format!("[denied: {call}]"),
        (call, _) => format!("\"{text}\" [denied: {call}]"),
    }
}

/// What one message may take, so that all are within `tokens` together; nothing when that is less than a message is cut to.
fn longest_within(list: &[String], tokens: u32) -> Option<u32> {
    let costs: Vec<u32> = list.iter().map(|text| estimate_tokens(text)).collect();
    let total = |most: u32| costs.iter().map(|cost| (*cost).min(most) + 2).fold(0, u32::saturating_add);
    if list.len() < 2 || total(u32::MAX) <= tokens {
        return Some(tokens);
    }
    if total(LEAST_CUT_TOKENS) > tokens {
        return None;
    }
    let (mut fits, mut over) = (LEAST_CUT_TOKENS, tokens + 1);
    while over - fits > 1 {
        let middle = fits + (over - fits) / 2;
        if total(middle) <= tokens { fits = middle } else { over = middle }
    }
    Some(fits)
}
