//! What a call returned, in a line: ids, numbers, amounts and states first, in the order in which they stand. Knows no tool and no language.
//! Not which parts of results are kept (`choose`). Texts come in as results have them; what goes out has no secrets.

use crate::clip::{ROOM_CHARS, clean_within, clip, first_chars, one_line};
use crate::envelope::Envelope;
use crate::json::{Value, is_secret_member, unwrapped};
use crate::order::sort_by_numbers;
use crate::redact::clean;
use crate::sentence::sentences;
use crate::written::SafeText;

/// Bytes of the line that says what a call returned.
pub const LINE_BYTES: usize = 200;
/// Longest value that stands in it, in characters; a longer text says more than a line can.
const VALUE_CHARS: usize = 60;
/// Items of a list, and deepest members, that are looked into: rows say much the same.
const ITEMS: usize = 1;
const LEVELS: usize = 5;
/// Values that are looked at.
const VALUES: usize = 200;
/// A text is looked through so far, in bytes.
const TEXT_BYTES: usize = 20_000;
/// Sentences of a text that are looked at.
const SENTENCES: usize = 400;
/// JSON above this size is not looked into.
const JSON_BYTES: usize = 256 * 1024;
/// Digits of a reference.
const LEAST_DIGITS: usize = 2;
/// Shorter values may stand in a call by chance.
const LEAST_REPEATED_BYTES: usize = 3;

/// What a call returned.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Returned {
    /// In a line.
    pub line: String,
    /// The reference by which it is listed, such as `re_9XZ12 (amount 129.9)`: the surest id, and the first amount.
    pub key: String,
}

/// A value with the name under which it stands.
struct Leaf<'v> {
    name: String,
    member: &'v str,
    text: &'v str,
    worth: u8,
    /// How many lists and objects it stands in beyond the first.
    depth: usize,
}

/// The line that is wanted.
#[derive(Clone, Copy)]
pub struct Wanted<'e> {
    /// About so many bytes of it.
    pub bytes: usize,
    /// What is left out.
    pub envelope: &'e Envelope,
    /// Of a text more than the sentences with references: of a reading, other sections hold what is worth it.
    pub includes_texts: bool,
}

/// Reads off the text of a result what should outlive it, in a line. What `call` says already is not repeated.
pub fn returned(text: &str, call: &str, wanted: Wanted<'_>) -> Returned {
    let Wanted { bytes, envelope, .. } = wanted;
    let text = unwrapped(text);
    let value = if text.len() <= JSON_BYTES && text.trim_start().starts_with(['{', '[', '"']) { Value::parse(text.trim()) } else { None };
    let (line, key) = match value {
        Some(Value::Text(inner)) => of_text(&inner, wanted),
        Some(value) => of_value(&value, call, bytes, envelope),
        None => of_text(&text, wanted),
    };
    let clean = |text: &str| clean_within(&clip(text, bytes + ROOM_CHARS), bytes);
    Returned { line: clean(&one_line(&line)), key: clean(&key) }
}

fn of_value(value: &Value<'_>, call: &str, bytes: usize, envelope: &Envelope) -> (String, String) {
    let mut leaves = Vec::new();
    let mut texts = Vec::new();
    collect(value, "", "", LEVELS, &mut leaves, &mut texts);
    leaves.retain(|leaf| leaf.text.len() < LEAST_REPEATED_BYTES || !call.contains(leaf.text));
    if envelope.may_be_all() || leaves.iter().any(|leaf| !envelope.holds(leaf.member)) {
        // Of what only seems to be the app's a reference may be wanted yet.
        leaves.retain(|leaf| !envelope.holds(leaf.member) && (leaf.worth >= ID || !envelope.is_late(leaf.member)));
    }
    let mut order: Vec<usize> = (0..leaves.len()).collect();
    // What stands deep inside is of less use than what a result is about.
    let late = |at: usize| i64::from(envelope.is_late(leaves[at].member));
    sort_by_numbers(&mut order, |at| [late(*at), leaves[*at].depth as i64 - 2 * i64::from(leaves[*at].worth), *at as i64]);
    let mut room = bytes;
    let mut kept = vec![false; leaves.len()];
    for at in order {
        let leaf = &leaves[at];
        if let Some(left) = room.checked_sub(leaf.name.len() + leaf.text.len() + 3) {
            room = left;
            kept[at] = true;
        }
    }
    let parts: Vec<String> = leaves
        .iter()
        .zip(&kept)
        .filter(|(_, kept)| **kept)
        .map(|(leaf, _)| format!("{} {}", leaf.name, leaf.text).trim().to_owned())
        .collect();
    let id = leaves.iter().filter(|leaf| leaf.worth >= ID).max_by_key(|leaf| (leaf.worth, std::cmp::Reverse(leaf.text.len())));
    let amounts = || leaves.iter().filter(|leaf| leaf.worth < ID && is_amount(leaf.text));
    let amount = amounts().find(|leaf| is_exact(leaf.text)).or_else(|| amounts().next());
    let amount = amount.map_or(String::new(), |amount| format!(" ({} {})", amount.name, amount.text));
    let key = id.map_or(String::new(), |id| format!("{}{amount}", id.text));
    let mut line = parts.join(", ");
    // What is only a text says something too.
    if line.is_empty()
        && let Some(text) = texts.first()
    {
        line = clip(&one_line(text), bytes * 3 / 4);
    }
    (line, key)
}

const NAMED_ID: u8 = 4;
const ID: u8 = 3;
const FIGURE: u8 = 2;
const WORDS: u8 = 1;

fn collect<'v>(value: &'v Value<'_>, name: &'v str, parent: &'v str, levels: usize, leaves: &mut Vec<Leaf<'v>>, texts: &mut Vec<&'v str>) {
    if leaves.len() >= VALUES {
        return;
    }
    match value {
        Value::Null | Value::Bool(_) => {}
        Value::Number(number) => leaves.push(Leaf {
            name: label(parent, name),
            member: name,
            text: number,
            worth: if ends_like_id(name) { NAMED_ID } else { FIGURE },
            depth: LEVELS.saturating_sub(levels + 1),
        }),
        Value::Text(text) => {
            let short = text.trim();
            let length = first_chars(short, VALUE_CHARS).len();
            if length < short.len() {
                texts.push(short);
            } else if !short.is_empty() {
                let worth = match () {
                    () if ends_like_id(name) && !short.contains(' ') => NAMED_ID,
                    () if is_id(short) => ID,
                    () if !short.contains(' ') => FIGURE,
                    () => WORDS,
                };
                leaves.push(Leaf { name: label(parent, name), member: name, text: short, worth, depth: LEVELS.saturating_sub(levels + 1) });
            }
        }
        Value::List(items) if levels > 0 => {
            items.iter().take(ITEMS).for_each(|item| collect(item, name, parent, levels - 1, leaves, texts))
        }
        Value::Map(members) if levels > 0 => {
            for (member, value) in members.iter().filter(|(member, value)| !is_secret_member(members, member, value.scalar_text())) {
                collect(value, member, name, levels - 1, leaves, texts);
            }
        }
        Value::List(_) | Value::Map(_) => {}
    }
}

/// The name of a member; where it says little alone, with what it is a member of: `ticket number`.
fn label(parent: &str, name: &str) -> String {
    let says_little = name.len() <= 6 && !parent.is_empty() && !matches!(parent, "data" | "result" | "results" | "response");
    if says_little { format!("{} {}", first_chars(parent, 30), name) } else { first_chars(name, 40).to_owned() }
}

/// Whether a name ends as names of references do.
fn ends_like_id(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    ["id", "_no", "number", "ref", "reference", "code", "key", "token", "nr", "番号", "编号", "号"].iter().any(|end| lower.ends_with(end))
}

/// Whether a word looks like a reference: letters and digits, or digits in groups; no date, time, address or sentence.
pub fn is_id(word: &str) -> bool {
    if !word.bytes().any(|byte| byte.is_ascii_digit()) {
        return false;
    }
    let (mut digits, mut letters, mut others) = (0, 0, 0);
    for letter in word.chars() {
        match letter {
            _ if letter.is_ascii_digit() => digits += 1,
            _ if letter.is_alphabetic() => letters += 1,
            '-' | '_' | '/' | '#' | '.' | ':' => others += 1,
            _ => return false,
        }
    }
    let is_time = letters <= 1 && (word.contains(':') || word.matches('-').count() == 2 && word.len() <= 10)
        || word.contains("T") && word.contains(':');
    digits >= LEAST_DIGITS
        && (letters >= 1 || others >= 1 && digits >= 6)
        && digits + letters + others <= 64
        && !word.contains("://")
        && !is_time
}

/// Of a text the sentences with references; of an act also its first one, or its beginning where there are none. What other results say as
/// well, such as the menu of a page, is left out.
fn of_text(text: &str, Wanted { bytes, envelope, includes_texts }: Wanted<'_>) -> (String, String) {
    let head = first_chars(text.trim(), TEXT_BYTES);
    if head.len() <= bytes && head.lines().count() <= 3 {
        let cleaned = clean(head);
        let key = id_of(&cleaned);
        return (cleaned, key);
    }
    let mut parts: Vec<&str> = head.lines().filter(|line| !envelope.holds_line(line)).flat_map(sentences).take(SENTENCES).collect();
    if parts.is_empty() {
        parts = sentences(head).take(1).collect();
    }
    let has_reference: Vec<bool> = parts.iter().map(|sentence| !id_of(sentence).is_empty()).collect();
    let has_references = has_reference.contains(&true);
    let others = (0..parts.len()).filter(|at| includes_texts && (*at == 0 || !has_references));
    let chosen = (0..parts.len()).filter(|at| has_reference[*at]).chain(others.filter(|at| !has_reference[*at]));
    // Only the whole text shows that a key on the line before makes something a secret; it is read where there is something to write.
    let mut safe = None;
    let mut room = bytes;
    let mut kept: Vec<(usize, String)> = Vec::new();
    for at in chosen {
        let start = parts[at].as_ptr() as usize - head.as_ptr() as usize;
        let safe = safe.get_or_insert_with(|| SafeText::new(head));
        let sentence = one_line(&safe.excerpt(start..start + parts[at].len(), bytes * 3 / 4));
        let Some(left) = room.checked_sub(sentence.len() + 1) else { break };
        room = left;
        if !sentence.is_empty() {
            kept.push((at, sentence));
        }
    }
    sort_by_numbers(&mut kept, |(at, _)| [*at as i64, 0, 0]);
    let key = kept.iter().map(|(_, sentence)| id_of(sentence)).find(|id| !id.is_empty());
    (kept.into_iter().map(|(_, sentence)| sentence).collect::<Vec<_>>().join(" "), key.unwrap_or_default())
}

/// The first reference in a text, but not the mark of a snapshot (`[ref=e12]`), which is gone with it.
fn id_of(text: &str) -> String {
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

/// Whether a value is an amount: a number, maybe with its currency, and neither a date nor a reference.
pub fn is_amount(text: &str) -> bool {
    let symbols = |letter: char| letter == '$' || !letter.is_ascii() && !letter.is_numeric();
    let words: Vec<&str> = text.split_whitespace().map(|word| word.trim_matches(symbols)).filter(|word| !word.is_empty()).collect();
    match words.as_slice() {
        [number] => is_number(number),
        [one, other] => is_number(one) && is_currency(other) || is_currency(one) && is_number(other),
        _ => false,
    }
}

fn is_number(word: &str) -> bool {
    let digits = word.strip_prefix('-').unwrap_or(word);
    let is_plain = digits.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b',' | b'\''));
    // Two points are those of a date.
    is_plain && digits.bytes().any(|byte| byte.is_ascii_digit()) && digits.matches('.').count() < 2
}

fn is_currency(word: &str) -> bool {
    word.chars().count() <= 4 && !word.chars().any(|letter| letter.is_ascii_digit())
}

/// Whether an amount is one of money or measure: it has a fraction, or a currency.
pub fn is_exact(text: &str) -> bool {
    text.contains(['.', ',', ' ', '$']) || !text.is_ascii()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line_of(text: &str, call: &str) -> Returned {
        returned(text, call, Wanted { bytes: LINE_BYTES, envelope: &Envelope::default(), includes_texts: false })
    }

    #[test]
    fn ids_amounts_and_states_are_kept_whatever_else_a_result_holds() {
        let noise = "x ".repeat(300);
        for (text, line, key) in [
            (
                format!(r#"{{"status":"succeeded","refundId":"re_9XZ12","amount":129.9,"log":"{noise}"}}"#),
                "amount 129.9, refundId re_9XZ12, status succeeded",
                "re_9XZ12 (amount 129.9)",
            ),
            (
                format!(r#"{{"ticket":{{"number":"TCK-20931","state":"open"}},"log":"{noise}"}}"#),
                "ticket number TCK-20931, ticket state open",
                "TCK-20931",
            ),
            (
                format!("Order placed. Your order number is SH-77120.\n{}", "- listitem [ref=e12]\n".repeat(80)),
                "Your order number is SH-77120.",
                "SH-77120",
            ),
            (
                format!("- link Housing:\n  - /url: /w3aj3uk\n- status: TR-2026-00871 saved.\n{}", "- text: more\n".repeat(40)),
                "- status: TR-2026-00871 saved.",
                "TR-2026-00871",
            ),
            (r#"{"booking":"BK-5512"}"#.to_owned(), "booking BK-5512", "BK-5512"),
            (r#"{"予約番号":"R-20931","状態":"確定"}"#.to_owned(), "予約番号 R-20931, 状態 確定", "R-20931"),
            ("saved".to_owned(), "saved", ""),
            (String::new(), "", ""),
        ] {
            let returned = line_of(&text, "");
            assert_eq!((returned.line.as_str(), returned.key.as_str()), (line, key), "{text}");
        }
    }

    #[test]
    fn a_secret_that_only_the_line_before_reveals_is_left_out() {
        let secret = format!("q7Vd{}", "2kLx9TmWz4RbNc8YpJ3s");
        let text = format!("{{\n \"name\": \"API_KEY\",\n \"value\": \"{secret}\"\n}}\n{}", "next line of ORD-771\n".repeat(20));
        let returned = line_of(&text, "");
        assert!(!returned.line.contains(&secret) && !returned.key.contains(&secret) && returned.line.contains("ORD-771"), "{returned:?}");
    }

    #[test]
    fn what_the_call_says_is_not_repeated() {
        let returned = line_of(
            r#"{"kundenNr":"KD-77210","bestellNr":"B-120355","betrag":"47,25","checksumme":"eqm34dkexx9"}"#,
            "pay(kundenNr: KD-77210)",
        );
        assert_eq!(returned.line, "bestellNr B-120355, betrag 47,25, checksumme eqm34dkexx9");
        assert_eq!(returned.key, "B-120355 (betrag 47,25)");
    }

    #[test]
    fn a_reference_is_no_date_and_no_address() {
        for (word, expected) in [
            ("re_9XZ12", true),
            ("SH-77120", true),
            ("4711-2290-11", true),
            ("ORD7731", true),
            ("2026-05-04", false),
            ("12:30", false),
            ("2026-05-04T10:00:00Z", false),
            ("https://a.test/12", false),
            ("word", false),
            ("129.9", false),
            ("e1", false),
        ] {
            assert_eq!(is_id(word), expected, "{word}");
        }
    }

    #[test]
    fn an_amount_is_a_number_maybe_with_its_currency() {
        for (text, expected) in [
            ("47,25", true),
            ("12", true),
            ("1.299,00 EUR", true),
            ("€ 12", true),
            ("12.000円", true),
            ("-3.5", true),
            ("GW-9114", false),
            ("2026-05-04", false),
            ("12.05.2026", false),
            ("10:30", false),
            ("A1", false),
            ("", false),
        ] {
            assert_eq!(is_amount(text), expected, "{text}");
        }
    }

    #[test]
    fn what_is_large_or_deep_stays_bounded() {
        let deep = format!("{}1{}", "{\"a\":".repeat(100), "}".repeat(100));
        let wide = format!("[{}]", vec![r#"{"id":"ABC-12345"}"#; 20_000].join(","));
        for text in [deep, wide, "word ".repeat(100_000), "A1-".repeat(100_000)] {
            let returned = line_of(&text, "");
            assert!(returned.line.len() <= LINE_BYTES + 4 && returned.key.len() <= LINE_BYTES + 4);
        }
    }
}
