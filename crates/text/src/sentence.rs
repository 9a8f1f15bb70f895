//! The sentences of a text in any script, by the marks that end them. Knows no word of any language.

/// Whether a character belongs to a script that puts no spaces between words.
pub fn is_unspaced(letter: char) -> bool {
    matches!(letter as u32, 0x0e00..=0x0eff | 0x1000..=0x109f | 0x1780..=0x17ff | 0x3040..=0x30ff | 0x3400..=0x4dbf | 0x4e00..=0x9fff | 0xf900..=0xfaff | 0x20000..=0x3ffff)
}

/// The sentences of a text in any script, each with the mark that ends it.
pub fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        loop {
            rest = rest.trim_start();
            if rest.is_empty() {
                return None;
            }
            let end = sentence_end(rest);
            let (sentence, behind) = rest.split_at(end);
            rest = behind;
            let sentence = sentence.trim();
            if !sentence.is_empty() {
                return Some(sentence);
            }
        }
    })
}

fn sentence_end(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(byte) = bytes.get(at).copied() {
        at += 1;
        match byte {
            b'\n' => return at,
            // A point inside a number or an address, and behind the number of a day, ends nothing.
            b'.' | b'!' | b'?' if text[at..].chars().next().is_none_or(char::is_whitespace) => {
                let is_ordinal = byte == b'.' && at > 1 && bytes[at - 2].is_ascii_digit() && bytes.get(at) == Some(&b' ');
                if !is_ordinal {
                    return at;
                }
            }
            // How the marks of other scripts begin.
            0xcd | 0xd8 | 0xe0 | 0xe3 | 0xef => {
                let letter = text[at - 1..].chars().next().unwrap_or_default();
                if matches!(letter, '。' | '！' | '？' | '؟' | '।' | '\u{37e}') {
                    return at - 1 + letter.len_utf8();
                }
            }
            _ => {}
        }
    }
    text.len()
}
