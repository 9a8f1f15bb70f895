//! Sections of a checkpoint: what the user asked, and what the application said in between.

use std::cell::OnceCell;

use crate::digest::novelty::Ranked;
use crate::digest::record::UserMessage;
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

/// Later messages of the user.
pub fn users(checkpoint: &Checkpoint) -> Writer<'_> {
    messages(of(checkpoint, false), checkpoint.record.omitted_users as usize)
}

/// System messages in the middle of the conversation: not the user's words.
pub fn app(checkpoint: &Checkpoint) -> Writer<'_> {
    messages(of(checkpoint, true), 0)
}

fn of(checkpoint: &Checkpoint, by_app: bool) -> Vec<UserMessage> {
    checkpoint.record.users.iter().filter(|message| message.by_app == by_app).cloned().collect()
}

/// Messages, oldest first. Where there is no room for all, questions and what is said of images leave before messages that say something
/// without them, then the long ones are cut, so that as many as can be stand; then those leave that say least of their own.
fn messages<'c>(messages: Vec<UserMessage>, omitted: usize) -> Writer<'c> {
    let list = List { messages, omitted, whole: OnceCell::new(), short: OnceCell::new(), ranked: OnceCell::new() };
    Box::new(move |tokens, _| list.within(tokens))
}

/// Messages, and what is made of them once.
struct List {
    messages: Vec<UserMessage>,
    omitted: usize,
    whole: OnceCell<Blocks>,
    short: OnceCell<Blocks>,
    ranked: OnceCell<Ranked>,
}

/// A block for each message, and its tokens.
struct Blocks {
    texts: Vec<String>,
    tokens: Vec<u32>,
}

impl List {
    fn blocks(&self, is_whole: bool) -> &Blocks {
        let written = if is_whole { &self.whole } else { &self.short };
        written.get_or_init(|| {
            let texts: Vec<String> = self.messages.iter().map(|message| block_of(message, is_whole)).collect();
            let tokens = texts.iter().map(|text| estimate_tokens(text)).collect();
            Blocks { texts, tokens }
        })
    }

    fn within(&self, tokens: u32) -> String {
        let mut omitted = self.omitted;
        let mut written = self.blocks(true);
        let mut most = longest_within(&written.tokens, tokens);
        if most.is_none_or(|most| written.tokens.iter().any(|tokens| *tokens > most)) {
            written = self.blocks(false);
            most = longest_within(&written.tokens, tokens);
        }
        let cut_to = |most: u32| {
            let blocks = written.texts.iter().zip(&written.tokens);
            blocks.map(move |(text, tokens)| if *tokens > most { head_and_tail(text, most) } else { text.clone() })
        };
        let mut blocks: Vec<String> = match most {
            Some(most) => cut_to(most).collect(),
            None => {
                let mut blocks: Vec<String> = cut_to(LEAST_CUT_TOKENS.min(tokens)).collect();
                let ranked = self.ranked.get_or_init(|| Ranked::of_users(&self.messages));
                let kept = ranked.within(tokens as usize, &|at| estimate_tokens(&blocks[at]) as usize + 1);
                omitted += blocks.len() - kept.len();
                kept.into_iter().map(|at| std::mem::take(&mut blocks[at])).collect()
            }
        };
        if omitted > 0 && !blocks.is_empty() {
            blocks.insert(0, format!("[{omitted} messages left out]"));
        }
        blocks.join("\n")
    }
}

/// One message behind the number of its step: an answer with the question before it, a denial with the call that was denied, and what came
/// with it and is there no more.
/// `is_whole`: also where its words say something without that.
fn block_of(message: &UserMessage, is_whole: bool) -> String {
    let UserMessage { step, text, denies, count, attached, shown, .. } = message;
    let count = if *count > 1 { format!(" [sent {count} times]") } else { String::new() };
    let question = if is_whole { &message.question } else { message.needed_question() };
    let said = match (denies.as_str(), question) {
        ("", "") => text.clone(),
        ("", question) if text.is_empty() => format!("[reply to: \"{question}\"]"),
        ("", question) => format!("\"{text}\" [reply to: \"{question}\"]"),
        (call, _) if text.is_empty() => format!("[denied: {call}]"),
        (call, _) => format!("\"{text}\" [denied: {call}]"),
    };
    let space = if said.is_empty() { "" } else { " " };
    let is_told = !attached.is_empty() && (is_whole || text.is_empty());
    let attached = match shown {
        _ if !is_told => String::new(),
        0 => format!("{space}[with {attached}, not shown]"),
        shown => format!("{space}[with {attached}; the last {shown} shown behind this text]"),
    };
    format!("{step}: {said}{attached}{count}")
}

/// What one message may take, so that all, which take `costs`, are within `tokens` together; nothing when that is less than a message is cut to.
fn longest_within(costs: &[u32], tokens: u32) -> Option<u32> {
    let total = |most: u32| costs.iter().map(|cost| (*cost).min(most) + 1).fold(0, u32::saturating_add);
    if costs.len() < 2 || total(u32::MAX) <= tokens {
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
