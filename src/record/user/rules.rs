//! Which lines of an instruction file are rules: what must be done, must not be, or is done in a certain way.
//! Not what a project is about: that can be read again.

use crate::clip::{clip, one_line};

/// Longest rule, in characters.
const RULE_CHARS: usize = 300;
/// Lines that are looked at.
const LINES: usize = 3_000;

/// Words of strict rules.
const STRICT: [&str; 25] = [
    "must",
    "never",
    "always",
    "do not",
    "don't",
    "only ",
    "required",
    "mandatory",
    "forbidden",
    "not allowed",
    "prohibited",
    "make sure",
    "ensure",
    "no matter",
    "under no",
    "stop and",
    "ask before",
    "ask first",
    "without asking",
    "unless",
    "必须",
    "不要",
    "禁止",
    "务必",
    "不得",
];
/// Words by which a line orders how something is done.
const ORDERS: [&str; 24] = [
    "use ", "keep ", "prefer ", "avoid ", "follow ", "write ", "add ", "run ", "put ", "include ", "name ", "return ", "check ", "update ",
    "create ", "commit ", "start ", "read ", "treat ", "store ", "place ", "should ", "don’t ", "when ",
];

/// The rules of a text, the strict ones first.
pub fn rules_of(text: &str) -> Vec<String> {
    let (mut strict, mut orders) = both_of(text);
    strict.append(&mut orders);
    strict
}

/// The strict rules of a text alone: what is never done, only so, or always.
pub fn strict_rules_of(text: &str) -> Vec<String> {
    both_of(text).0
}

/// The strict rules of a text, and those that order how something is done.
fn both_of(text: &str) -> (Vec<String>, Vec<String>) {
    let (mut strict, mut orders) = (Vec::new(), Vec::new());
    let (mut heading, mut in_code) = ("", false);
    for line in text.lines().take(LINES) {
        let line = line.trim();
        if line.starts_with("```") || line.starts_with("~~~") {
            in_code = !in_code;
            continue;
        }
        if in_code || line.is_empty() || line.starts_with('|') || line.starts_with('<') {
            continue;
        }
        if line.starts_with('#') {
            heading = line.trim_start_matches('#').trim();
            continue;
        }
        let bullet = ["- ", "* ", "+ ", "• "].iter().find_map(|mark| line.strip_prefix(mark)).unwrap_or(line).trim_start();
        let numbered = bullet.trim_start_matches(|sign: char| sign.is_ascii_digit());
        let is_numbered = numbered.len() < bullet.len() && numbered.starts_with(['.', ')']);
        let is_item = line.len() > bullet.len() || is_numbered;
        let rule = if is_numbered { numbered.trim_start_matches(['.', ')', ' ']) } else { bullet };
        let lower = clip(rule, 2 * RULE_CHARS).to_ascii_lowercase();
        if rule.len() < 8 || rule.trim_end_matches('*').ends_with(':') && rule.len() < 80 {
            continue;
        }
        if STRICT.iter().any(|word| has_word(&lower, word)) || rule.contains("IMPORTANT") || rule.contains("CRITICAL") {
            strict.push(one_rule(rule));
        } else if is_item && ORDERS.iter().any(|word| lower.trim_start_matches(['*', '`', '_']).starts_with(word)) {
            orders.push(if heading.is_empty() { one_rule(rule) } else { one_rule(&format!("{heading}: {rule}")) });
        }
    }
    (strict, orders)
}

/// Whether a word stands in a text as a word of its own.
fn has_word(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        let before = text[..at].chars().next_back().is_none_or(|sign| !sign.is_ascii_alphanumeric());
        let behind = text[at + word.len()..].chars().next().is_none_or(|sign| !sign.is_ascii_alphanumeric());
        before && (behind || word.ends_with(' '))
    })
}

fn one_rule(rule: &str) -> String {
    clip(&one_line(&clip(&rule.replace("**", ""), 4 * RULE_CHARS)), RULE_CHARS)
}
