//! The sentences of a text in any script, by the marks that end them. Knows no word of any language.

/// The marks that end a sentence.
pub const SENTENCE_ENDS: [char; 9] = ['.', '!', '?', '。', '！', '？', '؟', '।', '\u{37e}'];

/// Whether a character belongs to a script that puts no spaces between words.
pub fn is_unspaced(letter: char) -> bool {
    matches!(letter as u32, 0x0e00..=0x0eff | 0x1000..=0x109f | 0x1780..=0x17ff | 0x3040..=0x30ff | 0x3400..=0x4dbf | 0x4e00..=0x9fff | 0xf900..=0xfaff | 0x20000..=0x3ffff)
}

/// Whether characters of its script are written to a name before them with nothing between: scripts without spaces, and Hangul,
/// whose words end in particles. What such words are about is found by pairs of characters.
pub fn is_glued(letter: char) -> bool {
    is_unspaced(letter) || matches!(letter, '\u{ac00}'..='\u{d7a3}')
}

/// The sentences of a text in any script, each with the mark that ends it. A line break ends one, too.
pub fn sentences(text: &str) -> impl Iterator<Item = &str> {
    split(text, true)
}

/// The same of lines that go on in each other: they may be inside of JSON, where `\n` stands for a break.
pub fn sentences_of_lines(text: &str) -> impl Iterator<Item = &str> {
    split(text, false)
}

fn split(text: &str, at_breaks: bool) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        loop {
            rest = rest.trim_start();
            while !at_breaks && let Some(behind) = rest.strip_prefix("\\n") {
                rest = behind.trim_start();
            }
            if rest.is_empty() {
                return None;
            }
            let end = sentence_end(rest, at_breaks);
            let (sentence, behind) = rest.split_at(end);
            rest = behind;
            let sentence = sentence.trim();
            if !sentence.is_empty() {
                return Some(sentence);
            }
        }
    })
}

fn sentence_end(text: &str, at_breaks: bool) -> usize {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(byte) = bytes.get(at).copied() {
        at += 1;
        match byte {
            b'\n' if at_breaks => return at,
            // A point inside a number or an address, and behind the number of a day, ends nothing.
            b'.' | b'!' | b'?' if is_end(text, at, byte) => return at,
            // How the marks of other scripts begin.
            0xcd | 0xd8 | 0xe0 | 0xe3 | 0xef => {
                let letter = text[at - 1..].chars().next().unwrap_or_default();
                if SENTENCE_ENDS.contains(&letter) {
                    return at - 1 + letter.len_utf8();
                }
            }
            _ => {}
        }
    }
    text.len()
}

/// Whether a mark that ends sentences of Latin scripts, and stands before `at`, ends one.
fn is_end(text: &str, at: usize, mark: u8) -> bool {
    let bytes = text.as_bytes();
    let is_last = text[at..].chars().next().is_none_or(char::is_whitespace) || text[at..].starts_with("\\n");
    is_last && (mark != b'.' || bytes.get(at) != Some(&b' ') || !is_day(&bytes[..at - 1]))
}

/// Whether a text ends as the number of a day does, such as `10` in "10. April": a year or a figure ends a sentence.
fn is_day(before: &[u8]) -> bool {
    let digits = before.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let behind = before.len().checked_sub(digits + 1).and_then(|at| before.get(at));
    (1..=2).contains(&digits) && !matches!(behind, Some(b'.' | b',' | b':' | b'-' | b'/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_end_at_their_marks_in_any_script_and_behind_figures_but_not_behind_days() {
        for (text, expected) in [
            ("One. Two! Three? Four", &["One.", "Two!", "Three?", "Four"][..]),
            ("It was laid in 2019. It cost 3.5. Then it rained.", &["It was laid in 2019.", "It cost 3.5.", "Then it rained."]),
            ("Am 10. April um 9:30. Dann nicht.", &["Am 10. April um 9:30.", "Dann nicht."]),
            ("最初の文です。次は？はい", &["最初の文です。", "次は？", "はい"]),
            ("पहला वाक्य। दूसरा", &["पहला वाक्य।", "दूसरा"]),
            ("a.b is no end", &["a.b is no end"]),
            ("one line\nanother", &["one line", "another"]),
        ] {
            assert_eq!(sentences(text).collect::<Vec<_>>(), expected, "{text}");
        }
    }
}
