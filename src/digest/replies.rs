//! What of the words of user and model belongs together, without reading what they mean: a short answer and the question before it,
//! messages that say the same. In any language: by length, by punctuation, by white space.

use crate::text::clip::{clip, columns, first_chars, one_line};
use crate::text::sentence::{is_glued, is_unspaced, sentences};

/// A message up to this width is a short answer, …
const SHORT_WIDTH: usize = 60;
/// … and up to this one a word or two.
const WORD_WIDTH: usize = 14;
/// A question stands in so many sentences at the end of a text, its options in so many lines there.
const LAST_SENTENCES: usize = 8;
const LAST_LINES: usize = 12;
/// What leads to a question is shown with it up to this many characters: a word of consent means that.
const LEAD_CHARS: usize = 160;
/// In so many answers before one the same question is looked for.
const ASKED_BEFORE: usize = 8;
/// Longest question that is shown before an answer, in characters.
const QUESTION_CHARS: usize = 240;
/// More options than this are no choice that a word makes.
const MOST_OPTIONS: usize = 8;
/// A label of an option is not longer, and a word of it that an answer may name it by not shorter, in bytes.
const LABEL_BYTES: usize = 3;
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

/// The question that a message of the user's answers; `answers` are those of the model before it, the newest first. What says more than a few
/// words needs no question that the model asks each time, and what says a lot needs none.
pub fn question_before<'t>(mut answers: impl Iterator<Item = &'t str>, text: &str) -> String {
    let Some(last) = answers.next() else { return String::new() };
    let is_usual = |asked: &str| answers.take(ASKED_BEFORE).any(|earlier| earlier.contains(asked));
    if is_long(text) || !is_short(text) && asked_in(last).is_none_or(is_usual) { String::new() } else { question_of(last, text) }
}

/// What a text asks last.
fn asked_in(text: &str) -> Option<&str> {
    let all: Vec<&str> = sentences(text).collect();
    asked_at(&all).map(|at| all[at])
}

fn asked_at(sentences: &[&str]) -> Option<usize> {
    let last = sentences.len().saturating_sub(LAST_SENTENCES);
    sentences[last..].iter().rposition(|sentence| asks(sentence)).map(|at| last + at)
}

fn asks(sentence: &str) -> bool {
    sentence.trim_end_matches(['*', '_', '"', ')', '»', '”']).ends_with(['?', '？', '؟', '\u{37e}', '՞', '፧'])
}

/// The question that an answer of the user's answers: what a text of the model asks last, with the option that the answer names or else with all
/// of them, or with what leads to it. Where nothing asks, a word or two that ask nothing themselves still answer the last
/// sentence: not every language has a mark for questions. Empty where there is none.
fn question_of(text: &str, answer: &str) -> String {
    let all: Vec<&str> = sentences(text).collect();
    let (start, end) = match asked_at(&all) {
        Some(at) => (all[..at].iter().rposition(|sentence| !asks(sentence)).map_or(0, |before| before + 1), at + 1),
        None if !is_within(answer, WORD_WIDTH) || asks(answer) => return String::new(),
        None => (all.len().saturating_sub(1), all.len()),
    };
    // Of several questions in a row the answer may answer each.
    let question = one_line(&all[start..end].join(" "));
    if !is_short(answer) {
        return clip(&question, QUESTION_CHARS / 2);
    }
    let options = options_of(text, answer, &all[start..end]);
    if !options.is_empty() {
        let each = QUESTION_CHARS / options.len();
        let options = options.iter().map(|option| clip(&one_line(option), each)).collect::<Vec<_>>().join(" ");
        return format!("{} {options}", clip(&question, QUESTION_CHARS));
    }
    let mut room = LEAD_CHARS;
    let lead = all[..start].iter().rev().take_while(|sentence| match room.checked_sub(sentence.chars().count()) {
        Some(rest) => {
            room = rest;
            true
        }
        None => false,
    });
    let from = start - lead.count();
    clip(&one_line(&format!("{} {question}", all[from..start].join(" "))), QUESTION_CHARS)
}

/// The options at the end of a text: the one that an answer names by its label or by its words, where it names one, else all.
fn options_of<'t>(text: &'t str, answer: &str, questions: &[&str]) -> Vec<&'t str> {
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let last = &lines[lines.len().saturating_sub(LAST_LINES)..];
    let options: Vec<&str> =
        last.iter().copied().filter(|line| label_of(line).is_some() && !questions.iter().any(|question| line.contains(question))).collect();
    if !(2..=MOST_OPTIONS).contains(&options.len()) {
        return Vec::new();
    }
    let named: Vec<&str> = words(answer).collect();
    let count = |option: &str| {
        let label = label_of(option).unwrap_or_default();
        let is_of = |word: &&&str| **word == label || word.len() > LABEL_BYTES && words(option).any(|of| of.eq_ignore_ascii_case(word));
        named.iter().filter(is_of).count()
    };
    let counts: Vec<usize> = options.iter().map(|option| count(option)).collect();
    let most = counts.iter().copied().max().unwrap_or(0);
    match counts.iter().filter(|count| **count == most).count() {
        1 => options.into_iter().zip(counts).filter(|(_, count)| *count == most).map(|(option, _)| option).collect(),
        _ => options,
    }
}

/// The letter or number of an item of a list; empty for one with a mere mark, `None` for what is no item.
fn label_of(line: &str) -> Option<&str> {
    if let Some(item) = line.strip_prefix(['-', '*', '•', '–', '・']).filter(|item| item.starts_with(char::is_whitespace)) {
        return Some(label_of(item.trim_start()).unwrap_or_default());
    }
    let line = line.trim_start_matches(['*', '(', '[', '（']);
    let end = line.find(|sign: char| !sign.is_alphanumeric())?;
    let is_marked = line[end..].starts_with([')', '.', ':', ']', '）', '．', '：', '、', '*']);
    (is_marked && end > 0 && end <= LABEL_BYTES).then(|| &line[..end])
}

/// The words of a text, also those of other scripts that are glued to each other.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|sign: char| !sign.is_alphanumeric() || is_glued(sign)).filter(|word| !word.is_empty())
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
            ("Block the login? **Forward the mail?**", "yes to the first, nothing to the second", "Block the login? **Forward the mail?**"),
            (&format!("{long}Agreed?"), "ok", &format!("{}Agreed?", "An answer of many words. ".repeat(6))),
            (&format!("{long}Agreed?"), "Yes, but only as soon as the review of the contract by the lawyers has ended.", "Agreed?"),
            (&format!("Really? {long}"), "it stays as it is", ""),
            ("", "yes", ""),
        ] {
            assert_eq!(question_of(text, answer), question);
        }
    }

    #[test]
    fn a_long_answer_has_its_question_too_but_not_one_that_the_model_asks_each_time() {
        let (text, usual) =
            ("Leave it, the report of the first week showed that it brings nothing at all.", "Done. Anything else I can help with?");
        let before = |answers: &[&'static str]| question_before(answers.iter().copied(), text);
        assert_eq!(before(&["It failed. Shall I try again?", usual]), "Shall I try again?");
        assert_eq!(before(&[usual, "Shall I try again?"]), "Anything else I can help with?");
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
            assert_eq!(question_of(text, answer), question);
        }
    }

    #[test]
    fn a_question_has_the_option_that_an_answer_names_or_all() {
        let text =
            "There are three ways:\n\nA) regular, on 30 June. No cost\nB) at once, with a fee of 1,900 EUR\nC) not at all\n\nWhich one?";
        for (answer, question) in [
            ("A", "Which one? A) regular, on 30 June. No cost"),
            ("regular, please", "Which one? A) regular, on 30 June. No cost"),
            ("B案でお願いします", "Which one? B) at once, with a fee of 1,900 EUR"),
            ("the second", "Which one? A) regular, on 30 June. No cost B) at once, with a fee of 1,900 EUR C) not at all"),
        ] {
            assert_eq!(question_of(text, answer), question);
        }
        let below = "What first?\n1. **Tests**\n2. The guide\n- Nothing";
        assert_eq!(question_of(below, "2"), "What first? 2. The guide");
        assert_eq!(question_of(&format!("{}All?", "- one of many\n".repeat(9)), "yes"), format!("{}All?", "- one of many ".repeat(9)));
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
