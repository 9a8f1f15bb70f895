//! Prints errors per class on held-out messages, beside the two rules of thumb that others use.

use crate::corpus::{Document, hash, mix};
use crate::model::Weights;
use std::collections::BTreeMap;
use tiktoken_rs::CoreBPE;

#[derive(Clone, Copy)]
struct Message {
    tokens: f64,
    estimate: f64,
    quarter: f64,
    gemini: f64,
}

pub fn print(documents: &[Document], weights: &Weights, encoding: &CoreBPE) {
    let mut classes: BTreeMap<String, Vec<Message>> = BTreeMap::new();
    let mut conversations: BTreeMap<String, Vec<Message>> = BTreeMap::new();
    for document in documents.iter().filter(|d| d.held_out) {
        for text in messages(document) {
            let message = Message {
                tokens: encoding.encode_ordinary(text).len() as f64,
                estimate: weights.estimate(text),
                quarter: text.encode_utf16().count() as f64 / 4.0,
                gemini: text.chars().map(|c| if c.is_ascii() { 0.25 } else { 1.3 }).sum(),
            };
            let class = if document.foreign { format!("({})", document.package) } else { class_of(document, text) };
            let all = if document.foreign { "~ measured only" } else { "~ held out" };
            let agent = matches!(
                document.class.as_str(),
                "code" | "markdown" | "json" | "numbered" | "escaped" | "grep" | "diff" | "listing" | "log" | "yaml" | "text"
            );
            if document.class == "message" {
                let id = document.name.split('/').next().unwrap_or_default();
                conversations.entry(format!("transcripts {id}")).or_default().push(message);
            } else if agent {
                conversations.entry(format!("{} {}", all, mix(hash(&document.name)) % 40)).or_default().push(message);
            }
            if text.chars().count() >= 200 {
                classes.entry(class).or_default().push(message);
                classes.entry(all.to_string()).or_default().push(message);
            }
        }
    }
    println!("percent; mean |error| of messages of 200 characters and more, against o200k_base");
    println!(
        "{:34} {:>6} {:>7} {:>6} {:>6} {:>6} {:>8} {:>7} {:>7}",
        "class", "n", "|error|", "bias", "p1", "worst", "under10", "chars/4", "Gemini"
    );
    for (class, messages) in &classes {
        let mut errors: Vec<f64> = messages.iter().map(|m| percent(m.estimate, m.tokens)).collect();
        errors.sort_by(f64::total_cmp);
        let mean = |values: &mut dyn Iterator<Item = f64>| values.sum::<f64>() / messages.len() as f64;
        println!(
            "{class:34} {:6} {:7.2} {:6.2} {:6.1} {:6.1} {:8.2} {:7.1} {:7.1}",
            messages.len(),
            mean(&mut errors.iter().map(|e| e.abs())),
            mean(&mut errors.iter().copied()),
            errors[errors.len() / 100],
            errors[0],
            100.0 * mean(&mut errors.iter().map(|e| f64::from(u8::from(*e < -10.0)))),
            mean(&mut messages.iter().map(|m| percent(m.quarter, m.tokens).abs())),
            mean(&mut messages.iter().map(|m| percent(m.gemini, m.tokens).abs())),
        );
    }
    for kind in ["transcripts", "~ held out"] {
        let mut errors = Vec::new();
        for messages in conversations.iter().filter(|(name, _)| name.starts_with(kind)).map(|(_, messages)| messages) {
            for window in messages.chunks(20).filter(|w| w.len() == 20) {
                let (estimate, tokens) = window.iter().fold((0.0, 0.0), |sum, m| (sum.0 + m.estimate, sum.1 + m.tokens));
                errors.push(percent(estimate, tokens));
            }
        }
        errors.sort_by(f64::total_cmp);
        if !errors.is_empty() {
            let n = errors.len() as f64;
            println!(
                "20 messages, {kind}: n {} mean |error| {:.2} bias {:.2} p1 {:.1}",
                errors.len(),
                errors.iter().map(|e| e.abs()).sum::<f64>() / n,
                errors.iter().sum::<f64>() / n,
                errors[errors.len() / 100]
            );
        }
    }
}

fn percent(estimate: f64, tokens: f64) -> f64 {
    (estimate / tokens.max(1.0) - 1.0) * 100.0
}

/// One or two stretches of a document as long as messages are: 200 to 12,000 characters, short ones more often.
/// A document of the class `message` is one.
fn messages(document: &Document) -> Vec<&str> {
    let text = document.text.as_str();
    if document.class == "message" {
        return vec![text];
    }
    let boundary = |at: usize| (at..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len());
    let mut random = hash(&document.name);
    let mut at = 0;
    let mut messages = Vec::new();
    while at < text.len() && messages.len() < 2 {
        random = mix(random + 1);
        let length = (200.0 * 60f64.powf((random % 1000) as f64 / 1000.0)) as usize;
        let start = if random >> 20 & 3 == 0 { boundary((at + length).min(text.len())) } else { at };
        at = boundary((start + length).min(text.len()));
        if at > start {
            messages.push(&text[start..at]);
        }
    }
    messages
}

/// The class of a document, or its script where that is not plain Latin.
fn class_of(document: &Document, text: &str) -> String {
    let scripts: [(&str, fn(u32) -> bool, usize); 7] = [
        ("japanese", |c| (0x3040..0x3100).contains(&c), 20),
        ("han", |c| (0x4e00..0xa000).contains(&c), 8),
        ("hangul", |c| (0xac00..0xd7b0).contains(&c), 8),
        ("cyrillic", |c| (0x400..0x530).contains(&c), 8),
        ("greek-hebrew-arabic", |c| (0x370..0x400).contains(&c) || (0x590..0x700).contains(&c), 8),
        ("indic-thai", |c| (0x900..0x10a0).contains(&c), 8),
        ("latin-ext", |c| (0x80..0x250).contains(&c) || (0x1e00..0x1f00).contains(&c), 50),
    ];
    let letters = text.chars().filter(|c| c.is_alphabetic()).count().max(1);
    let share = |test: fn(u32) -> bool| text.chars().filter(|c| c.is_alphabetic() && test(u32::from(*c))).count();
    let found = scripts.iter().find(|(_, test, part)| share(*test) * part > letters).map(|s| s.0);
    let other = text.chars().filter(|c| c.is_alphabetic() && u32::from(*c) > 0x24f).count() * 8 > letters;
    found.unwrap_or(if other { "other scripts" } else { &document.class }).to_string()
}
