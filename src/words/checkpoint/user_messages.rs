//! Sections of a checkpoint: what the user asked, and what the application said in between.

use std::cell::OnceCell;

use crate::digest::novelty::Ranked;
use crate::digest::record::UserMessage;
use crate::digest::said::Said;
use crate::state::Checkpoint;
use crate::tokens::estimate::estimate_tokens;
use crate::words::checkpoint::Writer;
use crate::words::cut::cut_words;

/// A message is cut to no less.
const LEAST_CUT_TOKENS: u32 = 60;

/// The request.
pub fn request(checkpoint: &Checkpoint) -> Writer<'_> {
    let said = OnceCell::new();
    Box::new(move |tokens, _| cut_words(&checkpoint.record.request, tokens, said.get_or_init(|| checkpoint.record.said())))
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
/// without them; then those give way that say least of their own (`Ranked::shares`).
fn messages<'c>(messages: Vec<UserMessage>, omitted: usize) -> Writer<'c> {
    let list = List { messages, omitted, ..List::default() };
    Box::new(move |tokens, _| list.within(tokens))
}

/// Messages, and what is made of them once.
#[derive(Default)]
struct List {
    messages: Vec<UserMessage>,
    omitted: usize,
    whole: OnceCell<Blocks>,
    short: OnceCell<Blocks>,
    ranked: OnceCell<Ranked>,
    said: OnceCell<Said>,
}

/// A block for each message, and its tokens with the break behind it.
struct Blocks {
    texts: Vec<String>,
    tokens: Vec<usize>,
}

impl List {
    fn blocks(&self, is_whole: bool) -> &Blocks {
        let written = if is_whole { &self.whole } else { &self.short };
        written.get_or_init(|| {
            let texts: Vec<String> = self.messages.iter().map(|message| block_of(message, is_whole)).collect();
            let tokens = texts.iter().map(|text| estimate_tokens(text) as usize + 1).collect();
            Blocks { texts, tokens }
        })
    }

    fn within(&self, tokens: u32) -> String {
        let fits = |blocks: &Blocks| blocks.tokens.iter().sum::<usize>() <= tokens as usize;
        let whole = self.blocks(true);
        let (mut blocks, left) = if fits(whole) { (whole.texts.clone(), 0) } else { self.cut_within(tokens) };
        let omitted = self.omitted + left;
        if omitted > 0 && !blocks.is_empty() {
            blocks.insert(0, format!("[{omitted} messages left out]"));
        }
        blocks.join("\n")
    }

    fn cut_within(&self, tokens: u32) -> (Vec<String>, usize) {
        let said = self.said.get_or_init(|| Said::by_user(self.messages.iter().map(|message| message.text.as_str())));
        let ranked = self.ranked.get_or_init(|| Ranked::of_users(&self.messages));
        let costs = &self.blocks(false).tokens;
        let shares = ranked.shares(costs, LEAST_CUT_TOKENS.min(tokens) as usize, tokens as usize);
        let mut kept = self.messages.clone();
        let left = ranked.keep(&mut kept, &shares);
        let shares = shares.into_iter().zip(costs).filter(|(share, _)| *share > 0);
        // What fits whole is not cut for the count of those that it stands for.
        let cut = |(message, (share, cost)): (&UserMessage, (usize, &usize))| match block_of(message, false) {
            block if share >= *cost => block,
            block => cut_words(&block, (share - 1).max(1) as u32, said),
        };
        (kept.iter().zip(shares).map(cut).collect(), left as usize)
    }
}

/// One message behind the number of its step: an answer with the question before it, a denial with the call that was denied, and what came
/// with it and is there no more.
/// `is_whole`: also where its words say something without that.
fn block_of(message: &UserMessage, is_whole: bool) -> String {
    let UserMessage { step, text, denies, count, attached, shown, .. } = message;
    let last = if message.needed_question().is_empty() { "" } else { ", the last time as the reply to this" };
    let count = if *count > 1 { format!(" [sent {count} times{last}]") } else { String::new() };
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
