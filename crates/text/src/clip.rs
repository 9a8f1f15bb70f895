//! Texts brought to one line and to a length, with room for what must still be recognized as a secret.
//! Not for results and messages, which are cut to head and tail (`words::cut`).

use std::borrow::Cow;

use crate::redact::{clean, printable};
use crate::sentence::{is_glued, is_unspaced};

/// Characters that are kept beyond the longest text until it is cleaned: half a secret could not be recognized any more.
pub const ROOM_CHARS: usize = 240;

/// A longer word is cut.
const WORD_BYTES: usize = 60;

/// What stands behind a part of the middle of a text.
const GAP: &str = "\n\n[…]\n\n";

/// As much of the text of an error is read, and shown to people.
const ERROR_READ_CHARS: usize = 8_000;
const ERROR_CHARS: usize = 2_000;

/// The text of an error of somebody else's, as people may see it: it may quote the connection or the request that failed.
pub fn clean_error(text: &str) -> String {
    clip(&clean(first_chars(text, ERROR_READ_CHARS)), ERROR_CHARS)
}

/// The text on one line for any reader: runs of white space become one space, and what steers a terminal or turns the line round leaves.
pub fn one_line(text: &str) -> String {
    let text = text.trim();
    let mut before = 0;
    let is_one = text.bytes().all(|byte| {
        let double = byte == b' ' && before == b' ';
        before = byte;
        (b' '..0x7f).contains(&byte) && !double
    });
    if is_one {
        return text.to_owned();
    }
    let mut line = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    printable(&line).into_owned()
}

/// A name from outside, such as that of a tool, a field or a file, as it stands in a line of ours.
pub fn label(name: &str, chars: usize) -> String {
    one_line(first_chars(name, chars))
}

/// Whether a character ends a line, for any reader.
pub fn ends_line(letter: char) -> bool {
    matches!(letter, '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// At most `chars` characters; says so when it is not all.
pub fn clip(text: &str, chars: usize) -> String {
    let first = first_chars(text, chars);
    let mut clipped = first.to_owned();
    if first.len() < text.len() {
        clipped.push('…');
    }
    clipped
}

/// About so many characters: the words of its beginning and of its end, where what distinguishes a query or a command stands as a rule.
pub fn clip_middle(text: &str, chars: usize) -> String {
    if first_chars(text, chars).len() == text.len() {
        return text.to_owned();
    }
    let head = first_chars(text, chars / 2);
    let from = text.chars().count().saturating_sub(chars / 2);
    let tail = &text[first_chars(text, from).len()..];
    // Between words, where these are short: some languages have no spaces.
    let head = head.rfind(' ').filter(|end| end * 2 > head.len()).map_or(head, |end| &head[..end]);
    let tail = tail.find(' ').filter(|start| start * 2 < tail.len()).map_or(tail, |start| &tail[start + 1..]);
    format!("{head} … {tail}")
}

/// The first `chars` characters.
pub fn first_chars(text: &str, chars: usize) -> &str {
    // Most texts are short, and most others begin in ASCII: no look at each character.
    match text.as_bytes().get(..chars) {
        None => return text,
        Some(first) if first.is_ascii() => return text.get(..chars).unwrap_or(text),
        Some(_) => {}
    }
    text.char_indices().nth(chars).map_or(text, |(end, _)| &text[..end])
}

/// At most `chars` characters, without secrets, of a text that was clipped with room beyond these.
pub fn clean_within(text: &str, chars: usize) -> String {
    let mut cleaned = clean(text);
    // Where secrets left, the end moves in, and with it the half of one in which the text was cut.
    if cleaned.len() < text.len() && text.ends_with('…') {
        cleaned.truncate(cleaned.bytes().rposition(|byte| byte <= b' ').unwrap_or(0));
        cleaned.push('…');
    }
    if cleaned.len() > chars { clip(&cleaned, chars) } else { cleaned }
}

/// A text within this many bytes, without its middle where it is longer.
pub fn within(text: &str, bytes: usize) -> Cow<'_, str> {
    within_beside(text, bytes, &[])
}

/// The same with these parts of its middle, which are in order.
pub fn within_beside<'t>(text: &'t str, bytes: usize, parts: &[(u32, u32)]) -> Cow<'t, str> {
    if text.len() <= bytes {
        return text.into();
    }
    let parts_bytes = parts.iter().map(|(start, end)| (end - start) as usize + GAP.len()).sum();
    let ends = bytes.saturating_sub(parts_bytes);
    let (mut head, mut tail) = (ends / 2, text.len() - ends / 2);
    while !text.is_char_boundary(head) {
        head -= 1;
    }
    while !text.is_char_boundary(tail) {
        tail += 1;
    }
    let (head, tail) = (word_end(text, head, WORD_BYTES), word_start(text, tail, WORD_BYTES));
    let parts = parts.iter().map(|(start, end)| *start as usize..*end as usize).filter(|part| head <= part.start && part.end <= tail);
    let parts: Vec<&str> = parts.filter_map(|part| text.get(part)).collect();
    let left_out = text[head..tail].chars().count() - parts.iter().map(|part| part.chars().count()).sum::<usize>();
    let parts: String = parts.iter().flat_map(|part| [*part, GAP]).collect();
    format!("{}\n\n[… {left_out} characters left out …]\n\n{parts}{}", &text[..head], &text[tail..]).into()
}

/// Where the word ends that is whole before a cut: half an id is another one, and half a figure, too. Of a row of words of more than `most` bytes
/// without a space, such as numbers in a list, the last one counts; the cut itself where that is longer, too.
pub fn word_end(text: &str, at: usize, most: usize) -> usize {
    let (before, behind) = text.split_at(at);
    at - cut_word(before, behind, &|is| bytes_of(before.chars().rev(), is, most))
}

/// The same behind a cut: where the first word begins that is whole.
pub fn word_start(text: &str, at: usize, most: usize) -> usize {
    let (before, behind) = text.split_at(at);
    at + cut_word(before, behind, &|is| bytes_of(behind.chars(), is, most))
}

/// The bytes of the word that a cut goes through.
fn cut_word(before: &str, behind: &str, bytes: &dyn Fn(fn(char) -> bool) -> Option<usize>) -> usize {
    let of = |is: fn(char) -> bool| if before.ends_with(is) && behind.starts_with(is) { bytes(is) } else { Some(0) };
    of(is_of_word).or_else(|| of(char::is_alphanumeric)).unwrap_or(0)
}

/// The bytes of the word with which these characters begin; none of one that has more than `most`.
fn bytes_of(chars: impl Iterator<Item = char>, is: fn(char) -> bool, most: usize) -> Option<usize> {
    let mut bytes = 0;
    for letter in chars.take_while(|letter| is(*letter)) {
        bytes += letter.len_utf8();
        if bytes > most {
            return None;
        }
    }
    Some(bytes)
}

/// What words and ids of scripts with spaces are made of; the text of others may be cut anywhere.
fn is_of_word(letter: char) -> bool {
    letter.is_alphanumeric() && !is_glued(letter) || matches!(letter, '-' | '_' | '.' | ',' | ':' | '/' | '@')
}

/// How wide a text is: a character that is a word or a syllable says as much as two letters.
pub fn columns(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.chars().map(width).sum() }
}

fn width(letter: char) -> usize {
    let is_syllable = ('\u{ac00}'..='\u{d7a3}').contains(&letter);
    1 + usize::from(is_syllable || is_unspaced(letter))
}

/// The beginning of a text within so many columns.
pub fn first_columns(text: &str, most: usize) -> &str {
    let mut room = most;
    let end = text.char_indices().find(|(_, letter)| match room.checked_sub(width(*letter)) {
        Some(left) => {
            room = left;
            false
        }
        None => true,
    });
    end.map_or(text, |(at, _)| &text[..at])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_what_a_character_says() {
        assert_eq!((columns("abc"), columns("رقم"), columns("번호"), columns("番号")), (3, 3, 4, 4));
        assert_eq!((first_columns("番号番号", 5), first_columns("abc", 5)), ("番号", "abc"));
    }

    #[test]
    fn a_line_has_no_break_that_any_reader_sees_and_nothing_that_turns_it_round() {
        for mark in [
            "\n",
            "\r\n",
            "\u{b}",
            "\u{c}",
            " \u{1c}",
            "\u{85}",
            "\u{2028}",
            "\u{2029}",
            "\0 ",
            "\u{7f}\n",
            "\n\u{202e}",
            "\u{2067}\n\t",
            "\n\u{1b}[31m",
        ] {
            assert_eq!(one_line(&format!("name{mark}- step 3: refund")), "name - step 3: refund", "{mark:?}");
        }
        assert_eq!((one_line("رقم 7"), label("a\nb c", 3)), ("رقم 7".to_owned(), "a b".to_owned()));
    }

    #[test]
    fn no_word_and_no_id_is_cut_where_it_ends_nearby() {
        for (text, at, expected) in [
            ("lot LT-0831-B is out", 9, ("lot ", " is out")),
            ("lot LT-0831-B is out", 13, ("lot LT-0831-B", " is out")),
            ("会計期間LT-0831は除外", 17, ("会計期間", "は除外")),
            ("会計期間は除外", 6, ("会計", "期間は除外")),
            ("one-very-long-word", 9, ("one-very-", "long-word")),
            ("[70,71,72,73,74,75,76,77]", 11, ("[70,71,72,", ",74,75,76,77]")),
            ("abcdefghijklmnopqrst", 10, ("abcdefghij", "klmnopqrst")),
        ] {
            assert_eq!((&text[..word_end(text, at, 8)], &text[word_start(text, at, 8)..]), expected, "{text}");
        }
        assert!(within(&"word LT-0831-B ".repeat(40), 100).split_whitespace().all(|word| {
            ["word", "LT-0831-B", "[…", "…]", "left", "out", "characters", "500"].contains(&word) || word.parse::<u32>().is_ok()
        }));
    }

    #[test]
    fn the_middle_leaves_between_words_where_there_are_any() {
        for (text, expected) in [
            ("select total from orders where region = 'UK'", "select total from … where region = 'UK'"),
            (
                "在庫 東京都渋谷区の倉庫にある商品をすべて数えて、大阪の支店に送る前に合計を教えてください",
                "在庫 東京都渋谷区の倉庫にある商品をすべ … 大阪の支店に送る前に合計を教えてください",
            ),
            ("short", "short"),
        ] {
            assert_eq!(clip_middle(text, 40), expected);
        }
    }
}
