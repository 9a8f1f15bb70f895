//! Cuts a long answer: it is cut between its lines and sentences by what they are worth, and what a newer answer says again leaves.
//! Not which answers are shown, nor how much room each has (`conclusions`).

use std::iter::{once, repeat};

use crate::text::hash::{HashSet, mix};
use crate::text::order::sort_by_numbers;
use crate::text::sentence::sentences;
use crate::tokens::estimate::estimate_tokens;
use crate::words::cut::head_and_tail;

/// What stands where lines are left out.
const GAP: &str = "[…]";
/// Items of a list that gives no reasons: what follows them only lists results.
const LIST_ITEMS: usize = 12;
/// Lines of code in one block; a longer one is left out where there is no room for all.
const CODE_LINES: usize = 14;
/// A line of more bytes is cut between its sentences.
const LINE_BYTES: usize = 160;
/// So much of a line's words in one line of a newer answer: that says it again.
const REPEATED_SHARE: f64 = 0.8;
/// Fewer words may stand in another line by chance.
const LEAST_WORDS: usize = 3;
/// Shorter words are the same in all lines.
const WORD_BYTES: usize = 3;

/// A line of an answer or a sentence of it, a block of code or a table.
struct Piece<'t> {
    text: &'t str,
    worth: u32,
    is_title: bool,
    /// What stands between it and the piece before.
    space: &'static str,
}

/// What newer answers say, line by line: the words of each.
#[derive(Default)]
pub struct NewerLines {
    lines: Vec<HashSet<u64>>,
}

impl NewerLines {
    /// Adds what is shown of an answer.
    pub fn add(&mut self, text: &str) {
        self.lines.extend(text.lines().map(words_of).filter(|words| !words.is_empty()));
    }

    /// Whether one line says all that this one says: its numbers, and nearly all of its words.
    fn holds(&self, line: &str) -> bool {
        let words = words_of(line);
        let numbers: Vec<u64> = words_with_digits(line);
        let least = (words.len() as f64 * REPEATED_SHARE).ceil() as usize;
        words.is_empty()
            || words.len() >= LEAST_WORDS
                && self.lines.iter().any(|newer_line| {
                    numbers.iter().all(|word| newer_line.contains(word))
                        && words.iter().filter(|word| newer_line.contains(word)).count() >= least
                })
    }
}

/// An answer without what newer ones say. Empty when nothing is left of it.
pub fn without_repeats(text: &str, newer: &NewerLines) -> String {
    let pieces = pieces_of(text);
    let kept: Vec<bool> = pieces.iter().map(|piece| !piece.is_title && !piece.text.lines().all(|line| newer.holds(line))).collect();
    if pieces.iter().zip(&kept).all(|(piece, kept)| *kept || piece.is_title) {
        return text.to_owned();
    }
    if !kept.contains(&true) {
        return String::new();
    }
    joined(&pieces, &kept)
}

/// An answer within about `tokens`: its beginning, what it numbers, and its end come first; long lists and code last.
pub fn cut(text: &str, tokens: u32) -> String {
    if estimate_tokens(text) <= tokens {
        return text.to_owned();
    }
    let pieces = pieces_of(text);
    let costs: Vec<u32> = pieces.iter().map(|piece| estimate_tokens(piece.text) + 2).collect();
    let mut order: Vec<usize> = (0..pieces.len()).filter(|at| pieces[*at].worth > 0 && !pieces[*at].is_title).collect();
    sort_by_numbers(&mut order, |at| [-i64::from(pieces[*at].worth), *at as i64, 0]);
    let mut kept = vec![false; pieces.len()];
    let mut is_told = vec![false; pieces.len()];
    let mut room = tokens.saturating_sub(8);
    for at in order {
        let title = title_above(&pieces, at).filter(|title| !is_told[*title]);
        let Some(rest) = room.checked_sub(costs[at] + title.map_or(0, |title| costs[title])) else { continue };
        room = rest;
        kept[at] = true;
        title.into_iter().for_each(|title| is_told[title] = true);
    }
    // A single line or table may be most of a text.
    if room > tokens / 3 * 2 {
        return head_and_tail(text, tokens);
    }
    joined(&pieces, &kept)
}

/// The pieces that are kept below their titles, a mark where others stood.
fn joined(pieces: &[Piece<'_>], kept: &[bool]) -> String {
    let mut all = kept.to_vec();
    for at in 1..pieces.len().saturating_sub(1) {
        // What leads to lines that are left out leads nowhere.
        all[at] = kept[at] && !(pieces[at].text.ends_with(':') && !kept[at + 1] && !kept.get(at + 2).is_some_and(|kept| *kept));
    }
    for at in 0..pieces.len() {
        if !all[at] || pieces[at].is_title {
            continue;
        }
        if let Some(title) = title_above(pieces, at) {
            all[title] = true;
        }
    }
    let mut text = String::new();
    let mut is_gap = false;
    for (piece, kept) in pieces.iter().zip(all) {
        if !kept {
            is_gap = true;
            continue;
        }
        if is_gap {
            text.push_str(if piece.space == " " { " " } else { "\n" });
            text.push_str(GAP);
        }
        text.push_str(piece.space);
        text.push_str(piece.text);
        is_gap = false;
    }
    if is_gap {
        text.push_str(&format!("\n{GAP}"));
    }
    text.trim().to_owned()
}

/// The title under which a piece stands.
fn title_above(pieces: &[Piece<'_>], at: usize) -> Option<usize> {
    pieces[..at].iter().rposition(|piece| piece.is_title)
}

/// The lines of a text, each with its worth, long ones by their sentences; a block of code and a table are one piece.
fn pieces_of(text: &str) -> Vec<Piece<'_>> {
    let mut pieces: Vec<Piece<'_>> = Vec::new();
    let (mut items, mut space) = (0, "\n");
    let mut at = 0;
    while at < text.len() {
        let line = line_at(text, at);
        let trimmed = line.trim();
        if trimmed.is_empty() || trimmed == "---" {
            space = "\n\n";
            at += line.len() + 1;
            continue;
        }
        let end = match () {
            () if trimmed.starts_with("```") => end_of_code(text, at),
            () if trimmed.starts_with('|') => end_of_table(text, at),
            () => at + line.len(),
        };
        let piece = &text[at..end];
        let (is_title, is_block) = (is_heading(trimmed), piece.len() > line.len());
        let is_item = trimmed.starts_with(['-', '*', '•']) && !is_title;
        let is_numbered = trimmed.starts_with(|sign: char| sign.is_ascii_digit()) && trimmed.contains(['.', ')']);
        items = if is_item || is_numbered { items + 1 } else { 0 };
        let worth = match () {
            () if pieces.is_empty() => 5,
            () if is_block && piece.lines().count() > CODE_LINES => 1,
            () if is_block => 2,
            () if items > LIST_ITEMS => 0,
            () if is_numbered => 4,
            () if is_item => 2,
            () => 3,
        };
        if is_title || is_block || piece.len() <= LINE_BYTES {
            pieces.push(Piece { text: piece, worth, is_title, space });
        } else {
            for (sentence, space) in sentences(piece).zip(once(space).chain(repeat(" "))) {
                // What has a number in it says what is so, or by which name it is found.
                let worth = if space == " " { worth.min(3) + u32::from(has_digit(sentence)) } else { worth };
                pieces.push(Piece { text: sentence, worth, is_title, space });
            }
        }
        space = "\n";
        at = end + 1;
    }
    // What stands last most often says what is next.
    if let Some(last) = pieces.iter_mut().rev().find(|piece| piece.worth > 0 && !piece.is_title) {
        last.worth = last.worth.max(4);
    }
    pieces
}

fn line_at(text: &str, at: usize) -> &str {
    text[at..].split('\n').next().unwrap_or_default()
}

/// Where the block of code ends that begins at a line: with its closing fence, else with the text.
fn end_of_code(text: &str, at: usize) -> usize {
    let mut end = at + line_at(text, at).len();
    while end < text.len() {
        let line = line_at(text, end + 1);
        end += 1 + line.len();
        if line.trim().starts_with("```") {
            break;
        }
    }
    end
}

/// Where the table ends that begins at a line.
fn end_of_table(text: &str, at: usize) -> usize {
    let mut end = at + line_at(text, at).len();
    while end < text.len() && line_at(text, end + 1).trim().starts_with('|') {
        end += 1 + line_at(text, end + 1).len();
    }
    end
}

/// Whether a line is a title of what follows it.
fn is_heading(line: &str) -> bool {
    line.starts_with('#') || (line.starts_with("**") && (line.ends_with("**") || line.ends_with("**:") || line.ends_with(":**")))
}

fn words_of(line: &str) -> HashSet<u64> {
    words(line).filter(|word| word.len() >= WORD_BYTES || has_digit(word)).map(hash).collect()
}

fn words_with_digits(line: &str) -> Vec<u64> {
    words(line).filter(|word| has_digit(word)).map(hash).collect()
}

/// The words of a line without its marks: the number of an item is none.
fn words(line: &str) -> impl Iterator<Item = &str> {
    let line = line.trim();
    let behind = line.trim_start_matches(|sign: char| sign.is_ascii_digit());
    let line = if behind.len() < line.len() && behind.starts_with(['.', ')']) { behind } else { line };
    line.split(|sign: char| !sign.is_alphanumeric()).filter(|word| !word.is_empty())
}

fn has_digit(word: &str) -> bool {
    word.bytes().any(|byte| byte.is_ascii_digit())
}

fn hash(word: &str) -> u64 {
    mix(0, word.to_ascii_lowercase().as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_newer_answer_says_again_leaves_the_older_one() {
        let mut newer = NewerLines::default();
        newer.add("## State\n1. **Cache** - it is filled twice by the loader and by the page\n2. 229 tests pass\n");
        let older = "## State\n- Cache: it is filled twice by the loader and the page\n- 228 tests pass\n\nThe lock stays as it is.";
        assert_eq!(without_repeats(older, &newer), "## State\n[…]\n- 228 tests pass\n\nThe lock stays as it is.");
        assert_eq!(without_repeats("## State\n2. 229 tests pass", &newer), "");
        let list = "All is new.\n\nWhat was measured:\n- 229 tests pass";
        assert_eq!(without_repeats(list, &newer), "All is new.\n[…]");
    }

    #[test]
    fn a_long_answer_keeps_what_it_numbers_and_loses_long_lists_first() {
        let list = (0..60).map(|n| format!("- A page titled number {n}")).collect::<Vec<_>>().join("\n");
        let text = format!("The review is done.\n\n## Pages\n{list}\n\n## Findings\n1. `get` reads behind the end.\n\nPR #12 is open.");
        let cut = cut(&text, 120);
        for kept in ["The review is done.", "## Findings\n1. `get` reads", "PR #12 is open."] {
            assert!(cut.contains(kept), "{kept}: {cut}");
        }
        assert!(!cut.contains("number 40") && cut.contains(GAP), "{cut}");
        assert!(estimate_tokens(&cut) <= 120);
    }

    #[test]
    fn a_long_answer_is_cut_between_lines_and_keeps_its_beginning_and_its_end() {
        let text = (0..40).map(|n| format!("Paragraph {n} says something about it.")).collect::<Vec<_>>().join("\n\n");
        let short = cut(&text, 120);
        assert!(short.starts_with("Paragraph 0 ") && short.ends_with("Paragraph 39 says something about it."), "{short}");
        assert!(short.contains(GAP) && estimate_tokens(&short) <= 120, "{short}");
        assert_eq!(cut("short", 120), "short");
    }

    #[test]
    fn a_long_paragraph_is_cut_between_its_sentences_and_keeps_those_with_numbers() {
        let text = "I looked at the file. It was loaded twice by the night job, as the log says and as the operator told us. The second lot is LT-0831-B with 412 rows. \
            Nobody had noticed it, because the totals are only compared at the end of a quarter. I leave it out from here on.";
        assert_eq!(cut(text, 48), "I looked at the file. […] The second lot is LT-0831-B with 412 rows. […] I leave it out from here on.");
    }

    #[test]
    fn code_that_never_ends_and_lines_without_an_end_are_cut() {
        for text in ["```\n".repeat(3_000), "| a |\n".repeat(3_000), "x ".repeat(30_000), "#".repeat(20_000)] {
            assert!(estimate_tokens(&cut(&text, 200)) <= 200);
        }
    }
}
