//! What of the words of user and model belongs together, without reading what they mean: a short answer and the question before it,
//! messages that say the same. In any language: by length, by punctuation, by white space.

use crate::text::clip::{clip, first_chars, one_line};
use crate::text::sentence::{is_unspaced, sentences};

/// A message up to this width is a short answer, …
const SHORT_WIDTH: usize = 60;
/// … and up to this one a word or two.
const WORD_WIDTH: usize = 14;
/// What leads to a question is shown with it up to this many characters.
const LEAD_CHARS: usize = 160;
/// Longest question that is shown before an answer, in characters.
const QUESTION_CHARS: usize = 240;
/// Messages of more words than this that say the same are one. Numbers, ids and short messages are never merged.
const LONG_WORDS: usize = 40;
/// Letters of scripts without spaces that make a word, roughly.
const LETTERS_A_WORD: usize = 2;

/// Whether a message of the user may be the answer to a question.
pub fn is_short(text: &str) -> bool {
    width_of(text) <= SHORT_WIDTH
}

/// How much a text says: letters count one, of scripts without spaces two. Of a long text no more than that it is.
fn width_of(text: &str) -> usize {
    text.trim().chars().map(|letter| if is_unspaced(letter) { 2 } else { 1 }).take(SHORT_WIDTH + 1).sum()
}

/// The question that an answer of the user's answers: what a text of the model asks last, with what leads to it as far as there is room.
/// Where nothing asks, a word or two still answer its last sentence; what says more needs no question. Empty where there is none.
pub fn question_of(text: &str, answer: &str) -> String {
    let all: Vec<&str> = sentences(text).collect();
    let asks = |sentence: &&str| sentence.ends_with(['?', '？', '؟', '\u{37e}']);
    let end = match all.iter().rposition(asks) {
        Some(at) => at + 1,
        None if width_of(answer) <= WORD_WIDTH => all.len(),
        None => return String::new(),
    };
    let mut room = LEAD_CHARS;
    let mut start = end;
    while start > 0 {
        let length = all[start - 1].chars().count();
        if start < end && length > room {
            break;
        }
        room = room.saturating_sub(length);
        start -= 1;
    }
    clip(&one_line(&all[start..end].join(" ")), QUESTION_CHARS)
}

/// A text on one line within this many characters: of a longer one the sentences of its beginning and of its end, where conclusions stand.
pub fn beginning_and_end(text: &str, chars: usize) -> String {
    let line = one_line(text);
    if first_chars(&line, chars).len() == line.len() {
        return line;
    }
    let all: Vec<&str> = sentences(&line).collect();
    let lengths: Vec<usize> = all.iter().map(|sentence| sentence.chars().count() + 1).collect();
    let mut room = chars.saturating_sub(2);
    let mut take = |at: usize, least: usize| match room.checked_sub(lengths[at]) {
        Some(rest) if rest >= least => {
            room = rest;
            true
        }
        _ => false,
    };
    // The end may take what the beginning leaves, and of that at least a third.
    let head = (0..all.len()).take_while(|at| take(*at, chars / 3)).count();
    // A first sentence that is too long for that keeps its beginning.
    let kept = if head == 0 { chars * 2 / 3 } else { 0 };
    let tail = (head.max(1)..all.len()).rev().take_while(|at| take(*at, kept)).count();
    match (head, tail) {
        (0, 0) => clip(&line, chars),
        (0, tail) => format!("{} … {}", first_chars(all[0], room).trim_end(), all[all.len() - tail..].join(" ")),
        (head, 0) => format!("{} …", all[..head].join(" ")),
        (head, tail) => format!("{} … {}", all[..head].join(" "), all[all.len() - tail..].join(" ")),
    }
}

/// Whether a message is so long that another one that says the same is the same: short ones are never merged.
pub fn is_long(text: &str) -> bool {
    let mut words = 0;
    for word in text.split_whitespace() {
        words += 1.max(word.chars().filter(|letter| is_unspaced(*letter)).count() / LETTERS_A_WORD);
        if words > LONG_WORDS {
            return true;
        }
    }
    false
}

/// Whether two messages are equal but for white space.
pub fn says_same(one: &str, other: &str) -> bool {
    one.split_whitespace().eq(other.split_whitespace())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_question_before_an_answer_is_the_last_one_asked() {
        let long = "An answer of many words. ".repeat(20);
        for (text, answer, question) in [
            ("I found the order. Shall I refund 12.50 EUR? I can also wait.", "yes", "I found the order. Shall I refund 12.50 EUR?"),
            ("注文を確認しました。返金しますか？", "はい", "注文を確認しました。 返金しますか？"),
            ("هل أرسل الفاتورة؟", "نعم", "هل أرسل الفاتورة؟"),
            ("Ich lösche jetzt die Tabelle.", "gut", "Ich lösche jetzt die Tabelle."),
            ("Lieferung am 10. April.", "ja", "Lieferung am 10. April."),
            ("Ich lösche jetzt die Tabelle.", "und wann wird geliefert", ""),
            (
                &format!("{long}Agreed?"),
                "ok",
                "An answer of many words. An answer of many words. An answer of many words. An answer of many words. An answer of many words. An answer of many words. Agreed?",
            ),
            ("", "yes", ""),
        ] {
            assert_eq!(question_of(text, answer), question);
        }
    }

    #[test]
    fn a_long_text_keeps_whole_sentences_of_its_beginning_and_its_end() {
        let middle = "I look at the next file of many. ".repeat(20);
        let text = format!("The cache is filled twice. {middle}So the loader must not fill it.");
        let short = beginning_and_end(&text, 120);
        assert!(short.starts_with("The cache is filled twice.") && short.ends_with(" … So the loader must not fill it."), "{short}");
        assert!(short.chars().count() <= 122, "{short}");
        assert_eq!(beginning_and_end("いいえ。はい。", 120), "いいえ。はい。");
        let one = beginning_and_end(&"word ".repeat(100), 60);
        assert!(one.chars().count() <= 62 && one.starts_with("word"), "{one}");
        let first = beginning_and_end(&format!("{}. It is the pool.", "word ".repeat(100)), 60);
        assert!(first.ends_with(" … It is the pool.") && first.chars().count() <= 64, "{first}");
    }

    #[test]
    fn long_messages_that_differ_by_white_space_say_the_same() {
        let page = "- button \"Buy\" [ref=e1] ".repeat(20);
        assert!(says_same(&page, &page.replace(' ', "\n  ")) && !says_same(&page, "yes"));
        assert!(is_long(&page) && !is_long("yes") && !is_long("4711 4711") && is_long(&"注文".repeat(60)));
        assert!(is_short("ja, bitte") && is_short("はい、それでお願いします") && !is_short(&page));
    }
}
