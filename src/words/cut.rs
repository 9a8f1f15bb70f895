//! Cuts a text to head and tail of a given number of tokens, a result also to parts between that were chosen.
//! Not a summary: what is kept is verbatim, a mark stands where something is left out. In a result the mark says who left it out, and why: the model
//! must not take the cut for what the tool returned.

use std::ops::Range;

use crate::digest::said::Said;
use crate::text::clip::{clip, word_end, word_start};
use crate::tokens::estimate::estimate_tokens;

/// Part of the kept text that comes from the head. Heads hold headers and the beginnings of listings, tails hold results and errors.
const HEAD_SHARE: f64 = 0.6;
/// Bytes within which a cut moves to a line break, …
const LINE_SEARCH_BYTES: usize = 200;
/// … but no more than this part of what is kept: of a short head little must be lost to end it well.
const LINE_SEARCH_PART: usize = 4;
/// A cut of fewer tokens than this has no room to say why, …
const EXPLAINED_TOKENS: u32 = 120;
/// … and of fewer than this none to say how much is missing.
const COUNTING_TOKENS: u32 = 40;
/// What a gap behind the first one takes.
const GAP: &str = "[…]";
const GAP_TOKENS: u32 = 4;
/// Up to so many bytes without a letter or digit are no gap.
const NOTHING_BYTES: usize = 24;

/// The text within about `tokens` tokens: the head, a line saying what was left out, the tail. Never longer than the text.
///
/// The result costs at most `tokens` where that is possible; the marker line alone takes about 20.
pub fn head_and_tail(text: &str, tokens: u32) -> String {
    head_and_tail_beside(text, tokens, &[])
}

fn head_and_tail_beside(text: &str, tokens: u32, parts: &[(u32, u32)]) -> String {
    cut_with(text, tokens, parts, &|extent| format!("[… {extent} left out …]"))
}

/// The same of a text of the user's: what stands out of its middle by what they `said` stays, too.
pub fn cut_words(text: &str, tokens: u32, said: &Said) -> String {
    if estimate_tokens(text) <= tokens {
        return text.to_owned();
    }
    let parts = said.of_its_own(text, tokens as usize, &|sentence| (estimate_tokens(sentence) + GAP_TOKENS) as usize);
    head_and_tail_beside(text, tokens, &parts)
}

/// The same of a result, with these parts between head and tail. `back` ends the sentence with how the rest can be retrieved.
pub fn cut_result(text: &str, tokens: u32, parts: &[(u32, u32)], back: &str) -> String {
    let (reason, back) = if tokens < EXPLAINED_TOKENS { ("", "") } else { (": too large for what is left of the context window", back) };
    cut_with(text, tokens, parts, &|extent| match tokens {
        ..COUNTING_TOKENS => "[… left out by stepfold]".to_owned(),
        _ => format!("[… {extent} left out by stepfold{reason}{back}]"),
    })
}

/// What a cut to about `tokens` leaves out between head and tail; nothing of a text that fits.
pub fn left_out(text: &str, tokens: u32) -> Range<usize> {
    let total = estimate_tokens(text);
    if total <= tokens { 0..0 } else { between(text, kept_bytes(text, tokens, total)) }
}

fn kept_bytes(text: &str, tokens: u32, total: u32) -> usize {
    if tokens >= total { text.len() } else { (text.len() as f64 * f64::from(tokens) / f64::from(total)) as usize }
}

/// These parts of a text, those as one that nothing is said between.
pub fn joined(text: &str, parts: impl IntoIterator<Item = (u32, u32)>) -> Vec<(u32, u32)> {
    let mut joined: Vec<(u32, u32)> = Vec::new();
    for (start, end) in parts {
        match joined.last_mut() {
            Some((_, before)) if says_nothing(text, *before as usize..start as usize) => *before = end.max(*before),
            _ => joined.push((start, end)),
        }
    }
    joined
}

fn says_nothing(text: &str, range: Range<usize>) -> bool {
    range.len() <= NOTHING_BYTES && text.get(range).is_none_or(|between| !between.contains(char::is_alphanumeric))
}

fn cut_with(text: &str, tokens: u32, parts: &[(u32, u32)], mark: &dyn Fn(&str) -> String) -> String {
    let total = estimate_tokens(text);
    if total <= tokens {
        return text.to_owned();
    }
    let of_parts =
        parts.iter().filter_map(|(start, end)| text.get(*start as usize..*end as usize)).map(|part| estimate_tokens(part) + GAP_TOKENS);
    let mut kept_bytes = kept_bytes(text, tokens.saturating_sub(of_parts.sum()), total);
    for _ in 0..24 {
        let cut = cut_to(text, kept_bytes, parts, mark);
        let cost = estimate_tokens(&cut);
        if cost <= tokens || kept_bytes == 0 {
            return if cost < total { cut } else { text.to_owned() };
        }
        // Dense parts may lie in head or tail: shrink by what it is over, and a little more.
        kept_bytes = (kept_bytes as f64 * (f64::from(tokens) / f64::from(cost)).min(0.97) * 0.98) as usize;
    }
    cut_to(text, 0, &[], mark)
}

/// The beginning of a line within about `tokens` tokens; says so when it is not all.
pub fn within_tokens(line: &str, tokens: u32) -> String {
    let mut chars = line.chars().count();
    let mut kept = line.to_owned();
    while estimate_tokens(&kept) > tokens {
        chars = chars * 7 / 8;
        kept = if chars == 0 { String::new() } else { clip(line, chars) };
    }
    kept
}

/// The same of what is kept for long: also within eight bytes a token, because a run of blanks costs next to no tokens.
pub fn head_and_tail_kept(text: &str, tokens: u32) -> String {
    head_and_tail(text, kept_tokens(text, tokens))
}

/// The same of a text of the user's.
pub fn cut_words_kept(text: &str, tokens: u32, said: &Said) -> String {
    cut_words(text, kept_tokens(text, tokens), said)
}

fn kept_tokens(text: &str, tokens: u32) -> u32 {
    let (length, most) = (text.len() as u64, u64::from(tokens) * 8);
    let fitting = if length > most { u64::from(estimate_tokens(text)) * most / length } else { u64::from(tokens) };
    tokens.min(fitting as u32)
}

/// The newest entries of a list within `tokens` tokens, oldest first.
pub fn newest_within(list: &[String], tokens: u32) -> &[String] {
    let mut used = 0u32;
    let mut start = list.len();
    while start > 0 {
        used = used.saturating_add(estimate_tokens(&list[start - 1])).saturating_add(2);
        if used > tokens {
            break;
        }
        start -= 1;
    }
    &list[start..]
}

/// Head and tail of so many bytes, and those of the parts that stand between them.
fn cut_to(text: &str, kept_bytes: usize, parts: &[(u32, u32)], mark: &dyn Fn(&str) -> String) -> String {
    let middle = between(text, kept_bytes);
    let inside = |(start, end): &(u32, u32)| {
        let start = line_indent(text, *start as usize);
        (middle.start <= start && *end as usize <= middle.end).then_some((start as u32, *end))
    };
    let ends = [(0, middle.start as u32), (middle.end as u32, text.len() as u32)];
    let kept = joined(text, ends[..1].iter().copied().chain(parts.iter().filter_map(inside)).chain(ends[1..].iter().copied()));
    let kept: Vec<&str> = kept.iter().filter_map(|(start, end)| text.get(*start as usize..*end as usize)).collect();
    let count = |text: &str| (text.bytes().filter(|byte| *byte == b'\n').count(), text.chars().count());
    let ((lines, characters), (lines_kept, characters_kept)) =
        (count(text), kept.iter().map(|part| count(part)).fold((0, 0), |(lines, characters), part| (lines + part.0, characters + part.1)));
    let (lines, characters) = (lines - lines_kept, characters - characters_kept);
    let extent = if lines > 0 { format!("{lines} lines, {characters} characters") } else { format!("{characters} characters") };
    let mut cut = String::with_capacity(kept_bytes + extent.len());
    for (at, part) in kept.iter().enumerate() {
        if at > 0 {
            let gap = if at == 1 { mark(&extent) } else { GAP.to_owned() };
            cut.push_str(if cut.is_empty() || cut.ends_with('\n') { "" } else { "\n" });
            cut.push_str(&gap);
            cut.push_str(if part.is_empty() || part.starts_with('\n') { "" } else { "\n" });
        }
        cut.push_str(part);
    }
    cut
}

/// What stands between head and tail of so many bytes.
fn between(text: &str, kept_bytes: usize) -> Range<usize> {
    let head_end = line_start_before(text, floor_char(text, (kept_bytes as f64 * HEAD_SHARE) as usize));
    let tail_start =
        line_start_after(text, ceil_char(text, text.len() - (kept_bytes - (kept_bytes as f64 * HEAD_SHARE) as usize).min(text.len())));
    head_end..tail_start.max(head_end)
}

/// The beginning of a line of which only white space stands before `at`; else `at`.
fn line_indent(text: &str, at: usize) -> usize {
    let before = text.get(..at).unwrap_or_default();
    let indent = before.trim_end_matches([' ', '\t']);
    if indent.is_empty() || indent.ends_with('\n') { indent.len() } else { at }
}

fn floor_char(text: &str, mut at: usize) -> usize {
    at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// The first place from `at` on where a character begins; the end of the text where none does.
pub fn ceil_char(text: &str, mut at: usize) -> usize {
    while at < text.len() && !text.is_char_boundary(at) {
        at += 1;
    }
    at.min(text.len())
}

/// Moves a head's end back to a line break, if one is near, else to the end of a word.
fn line_start_before(text: &str, at: usize) -> usize {
    let from = floor_char(text, at - LINE_SEARCH_BYTES.min(at / LINE_SEARCH_PART));
    text[from..at].rfind('\n').map_or_else(|| word_end(text, at, at - from), |found| from + found + 1)
}

/// Moves a tail's start forward to a line break, if one is near, else to the beginning of a word.
fn line_start_after(text: &str, at: usize) -> usize {
    let to = ceil_char(text, at + LINE_SEARCH_BYTES.min((text.len() - at) / LINE_SEARCH_PART));
    text[at..to].find('\n').map_or_else(|| word_start(text, at, to - at), |found| at + found + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_for_long_is_bounded_in_bytes_too() {
        // A request of padded columns has few tokens, and was too large for the state, which then forgot the checkpoint.
        let padded = format!("{:200}|\n", "name").repeat(1_000);
        assert!(estimate_tokens(&padded) < 9_600);
        let kept = head_and_tail_kept(&padded, 9_600);
        assert!(kept.len() <= 9_600 * 8 + 200 && kept.len() > 9_600 * 6, "{}", kept.len());
        assert_eq!(head_and_tail_kept("short", 9_600), "short");
    }

    #[test]
    fn a_cut_keeps_head_and_tail_and_says_what_is_missing() {
        let text: String = (0..2_000).map(|n| format!("line {n} with some words in it\n")).collect();
        let cut = head_and_tail(&text, 500);
        assert!(cut.starts_with("line 0 "), "{cut}");
        assert!(cut.ends_with("line 1999 with some words in it\n"));
        assert!(cut.contains("lines,") && cut.contains("left out"));
        assert!(estimate_tokens(&cut) <= 500);
    }

    #[test]
    fn a_cut_result_says_who_cut_it_and_why_where_there_is_room() {
        let text: String = (0..2_000).map(|n| format!("line {n} with some words in it\n")).collect();
        let cut = cut_result(&text, 500, &[], "; recall it");
        let mark = cut.lines().find(|line| line.contains("stepfold")).unwrap();
        assert!(mark.starts_with("[… ") && mark.contains(" lines, ") && mark.contains(" characters left out by stepfold: "), "{mark}");
        assert!(mark.ends_with("too large for what is left of the context window; recall it]"), "{mark}");
        for (tokens, mark) in [(40, " characters left out by stepfold]"), (24, "[… left out by stepfold]")] {
            let little = cut_result(&text, tokens, &[], "; recall it");
            assert!(little.starts_with("line 0") && little.contains(mark) && estimate_tokens(&little) <= tokens, "{little}");
        }
    }

    #[test]
    fn parts_of_a_result_stand_between_head_and_tail_in_order_each_with_its_indent() {
        let text: String = (0..2_000).map(|n| format!("  line {n} with some words in it\n")).collect();
        let part = |n: usize| {
            let line = format!("line {n} with some words in it");
            let start = text.find(&line).unwrap();
            (start as u32, (start + line.len()) as u32)
        };
        let parts = joined(&text, [900, 901, 1_200].map(part));
        assert_eq!(parts.len(), 2);
        for (tokens, has_parts) in [(500, true), (160, true), (60, false)] {
            let cut = cut_result(&text, tokens, &parts, "; recall it");
            assert!(estimate_tokens(&cut) <= tokens, "{cut}");
            let whole = "recall it]\n  line 900 with some words in it\n  line 901 with some words in it\n[…]\n  line 1200 with some words in it\n[…]\n";
            assert_eq!(cut.contains(whole), has_parts, "{cut}");
        }
        // What the tail or the head holds does not stand there twice.
        let cut = cut_result(&text, 500, &[part(1), part(1_000), part(1_999)], "");
        assert!(
            cut.matches("line 1 with").count() == 1 && cut.matches("line 1999 with").count() == 1 && cut.contains("line 1000 "),
            "{cut}"
        );
        // A decision about another text finds nothing there.
        assert_eq!(cut_result(&text, 500, &[(7, 2), (400_000, u32::MAX)], ""), cut_result(&text, 500, &[], ""));
    }

    #[test]
    fn a_cut_never_splits_a_character_and_never_grows() {
        for (text, tokens) in [
            ("é".repeat(5_000), 100),
            ("😀".repeat(3_000), 50),
            ("a".repeat(100_000), 10),
            ("x".to_owned(), 0),
            (String::new(), 0),
            ("字".repeat(40), 5),
        ] {
            let cut = head_and_tail(&text, tokens);
            assert!(estimate_tokens(&cut) <= estimate_tokens(&text).max(tokens), "{}", text.len());
        }
    }

    #[test]
    fn a_text_that_fits_is_left_alone() {
        assert_eq!(head_and_tail("short", 100), "short");
    }
}
