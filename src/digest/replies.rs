//! What of the words of user and model belongs together, without reading what they mean: a short answer and the question before it,
//! messages that say the same. In any language: by length, by punctuation, by white space.

use crate::text::clip::{clip, columns, first_chars, one_line};
use crate::text::sentence::{is_unspaced, sentences};

/// A message up to this width is a short answer, and up to this one a word or two.
const SHORT_WIDTH: usize = 60;
const WORD_WIDTH: usize = 14;
/// So many characters of the end of what the model said are shown with a short answer: its question, and what led to it or the options it left.
const QUESTION_CHARS: usize = 320;
/// A longer message answers a question in so many sentences at the end of a text, and in so many answers before the same question is looked for.
const LAST_SENTENCES: usize = 8;
const ASKED_BEFORE: usize = 8;
/// Messages of more words than this that say the same are one. Numbers, ids and short messages are never merged.
const LONG_WORDS: usize = 40;
/// Letters of scripts without spaces that make a word, roughly.
const LETTERS_A_WORD: usize = 2;

/// Whether a text is so wide at most.
fn is_within(text: &str, width: usize) -> bool {
    let text = text.trim();
    text.len() <= 4 * width && columns(text) <= width
}

/// Whether a message of the user says little without the question before it.
pub fn is_short(text: &str) -> bool {
    is_within(text, SHORT_WIDTH)
}

/// What a message of the user's answers; `answers` are those of the model before it, the newest first. Of a short one the end of what was said, where
/// that asks something; where nothing asks, a word or two that ask nothing themselves still answer it: not every language has a mark for questions.
/// What says more than a few words has the last question alone, unless the model asks it each time, and what says a lot none.
pub fn question_before<'t>(mut answers: impl Iterator<Item = &'t str>, text: &str) -> String {
    let (Some(said), false) = (answers.next(), is_long(text)) else { return String::new() };
    let all: Vec<&str> = sentences(said).collect();
    if !is_short(text) {
        let asked = all.into_iter().rev().take(LAST_SENTENCES).find(|sentence| asks(sentence));
        let asked = asked.filter(|asked| !answers.take(ASKED_BEFORE).any(|earlier| earlier.contains(asked)));
        return clip(&one_line(asked.unwrap_or_default()), QUESTION_CHARS / 2);
    }
    let mut room = QUESTION_CHARS;
    let has_room = |sentence: &&&str| {
        let left = room.checked_sub(sentence.chars().count() + 1);
        left.inspect(|left| room = *left).is_some()
    };
    let count = all.iter().rev().take_while(has_room).count().max(1).min(all.len());
    let end = &all[all.len() - count..];
    let is_asked = end.iter().any(|sentence| asks(sentence)) || is_within(text, WORD_WIDTH) && !asks(text);
    if is_asked { clip(&one_line(&end.join(" ")), QUESTION_CHARS) } else { String::new() }
}

fn asks(sentence: &str) -> bool {
    sentence.trim_end_matches(['*', '_', '"', ')', '»', '”']).ends_with(['?', '？', '؟', '\u{37e}', '՞', '፧'])
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_answer_stands_with_the_question_before_it_and_what_led_to_that() {
        let long = "An answer of many words. ".repeat(20);
        let options = "There are three ways:\n\nA) regular, on 30 June\nB) at once, with a fee of 1,900 EUR\nC) not at all\n\nWhich one?";
        for (text, answer, question) in [
            (
                "I found the order. Shall I refund 12.50 EUR? I can also wait.",
                "yes",
                "I found the order. Shall I refund 12.50 EUR? I can also wait.",
            ),
            ("注文を確認しました。返金しますか？", "はい", "注文を確認しました。 返金しますか？"),
            ("هل أرسل الفاتورة؟", "نعم", "هل أرسل الفاتورة؟"),
            (&format!("{long}Agreed?"), "ok", &format!("{}Agreed?", "An answer of many words. ".repeat(12))),
            (options, "B", &options.split_whitespace().collect::<Vec<_>>().join(" ")),
            (&format!("Really? {long}"), "it stays as it is", ""),
            ("It is late. Agreed?", "Yes, but only as soon as the review of the contract by the lawyers has ended.", "Agreed?"),
            ("", "yes", ""),
        ] {
            assert_eq!(question_before([text].into_iter(), answer), question);
        }
    }

    #[test]
    fn a_longer_answer_has_no_question_that_the_model_asks_each_time() {
        let (text, usual) =
            ("Leave it, the report of the first week showed that it brings nothing at all.", "Done. Anything else I can help with?");
        let before = |answers: &[&'static str]| question_before(answers.iter().copied(), text);
        assert_eq!(before(&["It failed. Shall I try again?", usual]), "Shall I try again?");
        assert_eq!(before(&[usual, "It failed.", usual]), "");
        assert_eq!(question_before([usual, usual].into_iter(), "no"), usual);
        assert_eq!(before(&[]), "");
    }

    #[test]
    fn where_the_model_asked_nothing_a_word_may_answer_and_a_question_does_not() {
        for (text, answer, question) in [
            ("Ich lösche jetzt die Tabelle.", "gut", "Ich lösche jetzt die Tabelle."),
            ("จะลบตารางตอนนี้", "ได้", "จะลบตารางตอนนี้"),
            ("Ich lösche jetzt die Tabelle.", "und wann wird geliefert", ""),
            ("Erledigt.", "Und O-2?", ""),
            ("N-101: تم الشحن", "وصلت؟", ""),
            ("It needs the number of your registration.", "THB/F/5523", "It needs the number of your registration."),
        ] {
            assert_eq!(question_before([text].into_iter(), answer), question);
        }
    }

    #[test]
    fn long_messages_that_differ_by_white_space_say_the_same() {
        let page = "- button \"Buy\" [ref=e1] ".repeat(20);
        assert!(says_same(&page, &page.replace(' ', "\n  ")) && !says_same(&page, "yes"));
        assert!(is_long(&page) && !is_long("yes") && !is_long("4711 4711") && is_long(&"注文".repeat(60)));
        assert!(is_short("ja, bitte") && is_short("はい、それでお願いします") && !is_short(&page));
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
}
