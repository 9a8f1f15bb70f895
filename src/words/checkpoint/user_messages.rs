//! Sections of a checkpoint: what the user asked.

use std::cell::OnceCell;

use crate::digest::novelty::Ranked;
use crate::digest::record::{Record, UserMessage};
use crate::state::Checkpoint;
use crate::tokens::estimate::estimate_tokens;
use crate::words::checkpoint::Writer;
use crate::words::cut::head_and_tail;

/// A message is cut to no less.
const LEAST_CUT_TOKENS: u32 = 60;

/// The request.
pub fn request(checkpoint: &Checkpoint) -> Writer<'_> {
    Box::new(|tokens, _| head_and_tail(&checkpoint.record.request, tokens))
}

/// Later messages, oldest first. Where there is no room for all, questions leave before messages that say something without them, then the
/// long ones are cut, so that as many as can be stand; then those leave that say least of their own.
pub fn users(checkpoint: &Checkpoint) -> Writer<'_> {
    let ranked = OnceCell::new();
    Box::new(move |tokens, _| users_within(&checkpoint.record, tokens, &ranked))
}

fn users_within(record: &Record, tokens: u32, ranked: &OnceCell<Ranked>) -> String {
    let written = |has_questions: bool| record.users.iter().map(|message| block_of(message, has_questions)).collect::<Vec<_>>();
    let mut blocks = written(true);
    let mut most = longest_within(&blocks, tokens);
    if most.is_none_or(|most| blocks.iter().any(|block| estimate_tokens(block) > most)) {
        blocks = written(false);
        most = longest_within(&blocks, tokens);
    }
    let mut omitted = record.omitted_users as usize;
    if let Some(most) = most {
        for block in &mut blocks {
            *block = head_and_tail(block, most);
        }
    } else {
        for block in &mut blocks {
            *block = head_and_tail(block, LEAST_CUT_TOKENS.min(tokens));
        }
        let ranked = ranked.get_or_init(|| Ranked::of_users(&record.users));
        let kept = ranked.within(tokens as usize, &|at| estimate_tokens(&blocks[at]) as usize + 1);
        omitted += blocks.len() - kept.len();
        blocks = kept.into_iter().map(|at| std::mem::take(&mut blocks[at])).collect();
    }
    if omitted > 0 && !blocks.is_empty() {
        blocks.insert(0, format!("[{omitted} messages left out]"));
    }
    blocks.join("\n")
}

/// One message behind the number of its step: an answer with the question before it, a denial with the call that was denied.
/// `has_questions`: also those that say something without theirs have it.
fn block_of(message: &UserMessage, has_questions: bool) -> String {
    let UserMessage { step, text, denies, count, .. } = message;
    let count = if *count > 1 { format!(" [sent {count} times]") } else { String::new() };
    let question = if has_questions { &message.question } else { message.needed_question() };
    let said = match (denies.as_str(), question) {
        ("", "") => text.clone(),
        ("", question) => format!("\"{text}\" [answers: \"{question}\"]"),
        (call, _) if text.is_empty() => format!("[denied: {call}]"),
        (call, _) => format!("\"{text}\" [denied: {call}]"),
    };
    format!("{step}: {said}{count}")
}

/// What one message may take, so that all are within `tokens` together; nothing when that is less than a message is cut to.
fn longest_within(list: &[String], tokens: u32) -> Option<u32> {
    let costs: Vec<u32> = list.iter().map(|text| estimate_tokens(text)).collect();
    let total = |most: u32| costs.iter().map(|cost| (*cost).min(most) + 1).fold(0, u32::saturating_add);
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
