//! What a text says in a line: its beginning, its end and the sentences with references. In any script, by marks and digits alone.

use super::form::is_id;
use super::{AnswerOf, Member, Returned, Wanted};
use crate::text::clip::{clip_middle, columns, first_columns, one_line};
use crate::text::hash::{HashMap, mix};
use crate::text::redact::clean;
use crate::text::sentence::sentences;
use crate::text::written::SafeText;

/// An answer of an act up to this length stands whole.
pub(super) const WHOLE_COLUMNS: usize = 300;
/// Of a longer one so much.
const PROSE_COLUMNS: usize = 200;
/// Another answer is whole in so many lines.
const WHOLE_LINES: usize = 3;
/// Of a text so much is looked through.
const TEXT_CHARS: usize = 20_000;
/// Sentences with references, of an act and of one that may have acted.
const REFERENCES: usize = 5;
/// A sentence that stands this often in a text is of a list.
const REPEATED: u32 = 3;
/// In less room than this nothing is said of how a program ended.
const LEAST_ENDING_COLUMNS: usize = 24;

/// Reads a text. Of a reading its first line, which says what it is: other sections hold what is worth it. Of an act its end and its references, too.
pub(super) fn of_text(text: &str, Wanted { columns: room, envelope, of }: Wanted<'_>) -> Returned {
    let is_act = of == AnswerOf::Act;
    let text = text.trim();
    let whole = if is_act { WHOLE_COLUMNS } else { room };
    if text.len() <= 4 * whole && columns(text) <= whole && (is_act || text.lines().count() <= WHOLE_LINES) {
        return of_line(&one_line(&clean(text)));
    }
    let text = &clip_middle(text, TEXT_CHARS);
    let mut room = room.max(if is_act { PROSE_COLUMNS } else { 0 });
    let most = room * 3 / 4;
    // Of a reading a line says what it is, and nothing else of it is looked at.
    let parts = |line| if is_act || columns(line) > most { sentences(line).collect() } else { vec![line] };
    let wanted = if of == AnswerOf::Reading { 1 } else { usize::MAX };
    let of_lines =
        |is_own: &dyn Fn(&&str) -> bool| text.lines().filter(is_own).flat_map(parts).filter(says).take(wanted).collect::<Vec<_>>();
    // What other results say, too, such as the menu of a page, says nothing of this one.
    let own = of_lines(&|line| !envelope.holds_line(line));
    let said = if own.is_empty() { of_lines(&|_| true) } else { own };
    let single = if is_act { single(&said) } else { (0..said.len()).collect() };
    // Only the whole text shows that a key on the line before makes something a secret.
    let safe = SafeText::new(text);
    let show = |at: usize| {
        let start = said[at].as_ptr() as usize - text.as_ptr() as usize;
        one_line(&safe.excerpt(start..start + said[at].len(), said[at].len()))
    };
    let count = match of {
        AnswerOf::Act => REFERENCES,
        AnswerOf::Unknown => 1,
        AnswerOf::Reading => 0,
    };
    let places = || single.iter().copied();
    let mut references = places().filter(|at| !id_of(said[*at]).is_empty() && !id_of(&show(*at)).is_empty()).take(count);
    let order: Vec<usize> = match is_act {
        // The last sentence of a report says little without the one before.
        true => {
            references.next().into_iter().chain(places().take(1)).chain(places().rev().take(2)).chain(references).chain(places()).collect()
        }
        false => places().take(1).chain(references).collect(),
    };
    let mut chosen: Vec<usize> = Vec::new();
    for at in order {
        let left = room.checked_sub(columns(said[at]).min(most) + 3);
        if let Some(left) = left.filter(|_| !chosen.contains(&at)) {
            room = left;
            chosen.push(at);
        }
    }
    chosen.sort_unstable();
    let mut line = String::new();
    let mut next = 0;
    for at in chosen {
        let sentence = show(at);
        let first = first_columns(&sentence, most);
        line.push_str(if line.is_empty() {
            ""
        } else if next == at {
            " "
        } else {
            " … "
        });
        line.push_str(first);
        line.push_str(if first.len() < sentence.len() { "…" } else { "" });
        next = at + 1;
    }
    of_line(&line)
}

/// The places of sentences without those of one shape: they are a list or a log, which says little of what an act did.
fn single(said: &[&str]) -> Vec<usize> {
    let shapes: Vec<u64> = said.iter().map(|sentence| shape_of(sentence)).collect();
    let mut times: HashMap<u64, u32> = HashMap::default();
    shapes.iter().for_each(|shape| *times.entry(*shape).or_default() += 1);
    let is_single = |at: &usize| times.get(&shapes[*at]).is_none_or(|times| *times < REPEATED);
    let single: Vec<usize> = (0..said.len()).filter(is_single).collect();
    if single.is_empty() { (0..said.len()).collect() } else { single }
}

/// An answer that is a text.
fn of_line(line: &str) -> Returned {
    Returned { members: vec![Member::of_text(line)], id: id_of(line) }
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
    let text = &clip_middle(text, TEXT_CHARS);
    let safe = SafeText::new(text);
    let show = |line: &str| {
        let start = line.as_ptr() as usize - text.as_ptr() as usize;
        let line = one_line(&safe.excerpt(start..start + line.len(), most));
        // Without the rules around it: `==== 1 failed ====`.
        line.trim_matches(['=', '-', '_', '*', '#', ' ']).to_owned()
    };
    let mut lines = text.lines().filter(says).map(|line| show(line.trim())).filter(|line| !line.is_empty());
    let first = lines.next().unwrap_or_default();
    let mut line = first_columns(&first, most / 2).to_owned();
    let mut room = most - columns(&line);
    let mut last: Vec<String> =
        lines.rev().take_while(|line| room.checked_sub(columns(line) + 3).inspect(|left| room = *left).is_some()).collect();
    last.reverse();
    line.push_str(if line.len() < first.len() || !last.is_empty() { " … " } else { "" });
    line + &last.join("; ")
}

/// Whether a sentence says something: what has no letter and no digit is a rule or a frame, and a name without a value, such as `- main:`, what
/// others stand in.
fn says(sentence: &&str) -> bool {
    let is_frame = sentence.trim().strip_prefix("- ").and_then(|name| name.strip_suffix(':')).is_some_and(|name| !name.contains(' '));
    sentence.chars().any(char::is_alphanumeric) && !is_frame
}

/// What is the same of sentences that only differ in their numbers and in what stands in quotes.
fn shape_of(sentence: &str) -> u64 {
    let outside = sentence.split('"').step_by(2).flat_map(str::split_whitespace);
    let words = outside.map(|word| if word.bytes().any(|byte| byte.is_ascii_digit()) { "0" } else { word });
    words.fold(0, |shape, word| mix(shape, word.as_bytes()))
}

/// The first reference in a text, but not the mark of a snapshot (`[ref=e12]`), which is gone with it, and no path: that is where something is.
fn id_of(text: &str) -> String {
    let ends = |letter: char| {
        letter.is_whitespace() || matches!(letter, ',' | ';' | '"' | '\'' | '(' | ')' | '，' | '、' | '。' | '「' | '」' | '：')
    };
    let words = text.split(ends).filter(|word| !word.starts_with(['[', '/']));
    let mut words = words.map(|word| word.trim_end_matches(['.', ':', '!', '?']).trim_start_matches(['#', '*']));
    words.find(|word| is_id(word)).unwrap_or_default().to_owned()
}
