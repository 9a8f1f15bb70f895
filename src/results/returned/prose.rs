//! What a text says in a line: its beginning, its end and the sentences with references. In any script, by marks and digits alone.

use std::borrow::Cow;

use super::form::{LEAST_DIGITS, is_id};
use super::{AnswerOf, Member, Returned, Wanted};
use crate::text::clip::{columns, first_chars, first_columns, one_line};
use crate::text::hash::{HashMap, mix};
use crate::text::order::sort_by_numbers;
use crate::text::redact::clean;
use crate::text::sentence::sentences;
use crate::text::written::SafeText;

/// An answer of an act up to this length stands whole.
pub(super) const WHOLE_COLUMNS: usize = 300;
/// Of a longer one so much.
const PROSE_COLUMNS: usize = 200;
/// In less room than this nothing is said of a text.
const LEAST_ENDING_COLUMNS: usize = 24;
/// A text is looked through so far at its beginning, and at its end.
const HEAD_CHARS: usize = 20_000;
const TAIL_CHARS: usize = 2_000;
/// Sentences that are looked at.
const SENTENCES: usize = 500;
/// A sentence that stands this often in a text is of a list.
const REPEATED: u32 = 3;

/// Reads a text. Of a reading its first line, which says what it is: other sections hold what is worth it. Of one that may have acted its first
/// reference as well. What other results say, too, such as the menu of a page, is left out.
pub(super) fn of_text(text: &str, Wanted { columns: mut room, envelope, of }: Wanted<'_>) -> Returned {
    let is_of_act = of == AnswerOf::Act;
    let text = text.trim();
    let whole = if is_of_act { WHOLE_COLUMNS } else { room };
    if text.len() <= 4 * whole && columns(text) <= whole && (is_of_act || text.lines().count() <= 3) {
        let line = clean(text);
        return says_all(&line, id_of(&line));
    }
    let text = &head_and_end(text);
    let lines = || text.lines().filter(|line| !envelope.holds_line(line));
    let said = || lines().flat_map(sentences).filter(says);
    let first = || sentences(text).take(usize::from(said().next().is_none()));
    if is_of_act {
        room = room.max(PROSE_COLUMNS);
    }
    let most = room * 3 / 4;
    let chosen: Vec<(usize, &str)> = match is_of_act {
        true => {
            let parts: Vec<&str> = said().chain(first()).collect();
            let references: Vec<usize> = (0..parts.len()).filter(|at| !id_of(parts[*at]).is_empty()).take(SENTENCES).collect();
            by_turns(&parts, &references).into_iter().map(|at| (at, parts[at])).collect()
        }
        false => {
            let line = lines().find(says).filter(|line| columns(line) <= most).or_else(|| said().chain(first()).next());
            let is_new = |part: &str| !id_of(part).is_empty() && line.is_some_and(|line| !line.contains(part));
            // Of one that may have acted its reference as well.
            let references = said().enumerate().skip(1).take(if of == AnswerOf::Unknown { SENTENCES } else { 0 });
            let last = said().take_while(|part| line.is_some_and(|line| line.contains(part))).count().saturating_sub(1);
            line.map(|line| (last, line)).into_iter().chain(references.filter(|(_, part)| is_new(part))).collect()
        }
    };
    // Only the whole text shows that a key on the line before makes something a secret; it is read where there is something to write.
    let mut safe = None;
    let mut kept: Vec<(usize, String)> = Vec::new();
    for (at, part) in chosen {
        let start = part.as_ptr() as usize - text.as_ptr() as usize;
        let safe = safe.get_or_insert_with(|| SafeText::new(text));
        let sentence = one_line(&safe.excerpt(start..start + part.len(), part.len()));
        let first = first_columns(&sentence, most);
        let sentence = if first.len() < sentence.len() { format!("{first}…") } else { sentence };
        let Some(left) = room.checked_sub(columns(&sentence) + 1).filter(|_| is_of_act || kept.len() < 2) else { break };
        if !sentence.is_empty() {
            room = left;
            kept.push((at, sentence));
        }
    }
    sort_by_numbers(&mut kept, |(at, _)| [*at as i64, 0, 0]);
    let id = kept.iter().map(|(_, sentence)| id_of(sentence)).find(|id| !id.is_empty()).unwrap_or_default();
    let mut line = String::new();
    let mut next = None;
    for (at, sentence) in kept {
        let is_gap = next.is_some_and(|next| next != at) && !line.ends_with('…');
        line.push_str(if is_gap {
            " … "
        } else if line.is_empty() {
            ""
        } else {
            " "
        });
        line.push_str(&sentence);
        next = Some(at + 1);
    }
    says_all(&line, id)
}

/// An answer that is a text.
fn says_all(line: &str, id: String) -> Returned {
    Returned { members: vec![Member::of_text(&one_line(line))], id }
}

/// What a program printed that failed, in about so many columns: its first line, and its last ones, which say how it ended.
pub fn ending(text: &str, most: usize) -> String {
    let text = text.trim();
    if columns(text) <= most {
        return one_line(text);
    }
    if most < LEAST_ENDING_COLUMNS {
        return String::new();
    }
    let text = &head_and_end(text);
    let safe = SafeText::new(text);
    let show = |line: &&str| {
        let start = line.as_ptr() as usize - text.as_ptr() as usize;
        let line = one_line(&safe.excerpt(start..start + line.len(), most));
        // Without the rules around it: `==== 1 failed ====`.
        line.trim_matches(['=', '-', '_', '*', '#', ' ']).to_owned()
    };
    let mut lines = text.lines().filter(says).map(|line| line.trim());
    let first = lines.next().as_ref().map(show).unwrap_or_default();
    let mut line = first_columns(&first, most / 2).to_owned();
    let mut room = most - columns(&line);
    let last = lines.rev().map(|line| show(&line)).filter(|line| !line.is_empty());
    let mut last: Vec<String> =
        last.take_while(|line| room.checked_sub(columns(line) + 3).inspect(|left| room = *left).is_some()).collect();
    last.reverse();
    line.push_str(if line.len() < first.len() || !last.is_empty() { " … " } else { "" });
    line + &last.join("; ")
}

/// What is looked through of a text.
fn head_and_end(text: &str) -> Cow<'_, str> {
    let head = first_chars(text, HEAD_CHARS);
    let rest = &text[head.len()..];
    if rest.is_empty() {
        return text.into();
    }
    let from = rest.char_indices().rev().nth(TAIL_CHARS).map_or(0, |(at, _)| at);
    // From a line's beginning: half a line may be taken for a whole one.
    let from = if from == 0 { 0 } else { rest[from..].find('\n').map_or(from, |end| from + end) };
    format!("{head}\n{}", &rest[from..]).into()
}

/// Whether a sentence says something: what has no letter and no digit is a rule or a frame, and a name without a value, such as `- main:`, what
/// others stand in.
fn says(sentence: &&str) -> bool {
    let is_frame = sentence.trim().strip_prefix("- ").and_then(|name| name.strip_suffix(':')).is_some_and(|name| !name.contains(' '));
    sentence.chars().any(char::is_alphanumeric) && !is_frame
}

/// The beginning, the end and the sentences with references by turns: each may be what a text is for. Sentences of one shape are a list or a log,
/// which say less.
fn by_turns(parts: &[&str], references: &[usize]) -> Vec<usize> {
    let shapes: Vec<u64> = parts.iter().map(|part| shape_of(part)).collect();
    let mut times: HashMap<u64, u32> = HashMap::default();
    shapes.iter().for_each(|shape| *times.entry(*shape).or_default() += 1);
    let is_single = |at: &usize| times.get(&shapes[*at]).is_none_or(|times| *times < REPEATED);
    let single: Vec<usize> = (0..parts.len()).filter(is_single).collect();
    let said = if single.is_empty() { (0..parts.len()).collect() } else { single };
    let (mut head, mut end) = (said.iter(), said.iter().rev());
    let mut reference = references.iter().filter(|at| said.contains(at));
    let mut order: Vec<usize> = Vec::new();
    for turn in 0..SENTENCES {
        let unused = |at: &&usize| !order.contains(at);
        let next = match turn % 6 {
            1 => head.find(unused),
            // The last sentence of a report says little without the one before.
            2 | 3 => end.find(unused),
            _ => reference.find(unused),
        };
        order.extend(next.copied().into_iter().collect::<Vec<_>>());
    }
    order
}

/// What is the same of sentences that only differ in their numbers and in what stands in quotes.
fn shape_of(sentence: &str) -> u64 {
    let outside = sentence.split('"').step_by(2).flat_map(str::split_whitespace);
    let words = outside.map(|word| if word.bytes().any(|byte| byte.is_ascii_digit()) { "0" } else { word });
    words.fold(0, |shape, word| mix(shape, word.as_bytes()))
}

/// The first reference in a text, but not the mark of a snapshot (`[ref=e12]`), which is gone with it.
pub(super) fn id_of(text: &str) -> String {
    let ends = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b',' | b';' | b'"' | b'\'' | b'(' | b')');
    let mut at = 0;
    // Most words have none, as their bytes show.
    while let Some(digit) = text.as_bytes()[at..].iter().position(u8::is_ascii_digit) {
        let (before, behind) = text.as_bytes().split_at(at + digit);
        let start = before.iter().rposition(ends).map_or(0, |end| end + 1);
        let end = behind.iter().position(ends).map_or(text.len(), |length| before.len() + length);
        at = end;
        let stretch = &text[start..end];
        if stretch.bytes().filter(u8::is_ascii_digit).nth(LEAST_DIGITS - 1).is_none() {
            continue;
        }
        let words = stretch.split(|letter: char| letter.is_whitespace() || matches!(letter, '，' | '、' | '。' | '「' | '」' | '：'));
        let mut words = words
            .filter(|word| !word.starts_with('['))
            .map(|word| word.trim_end_matches(['.', ':', '!', '?']).trim_start_matches(['#', '*']));
        // A path is where something is, not what it is called.
        if let Some(id) = words.find(|word| !word.starts_with('/') && is_id(word)) {
            return id.to_owned();
        }
    }
    String::new()
}
