//! Small letters of every alphabet. What `str::to_lowercase` gives, letter for letter, by a table of 2 KB where that of `std` takes 18:
//! alphabets stand in runs. Knows no language.

mod runs;

use runs::RUNS;

/// A text in small letters.
pub fn lower(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let mut small = String::with_capacity(text.len());
    for (at, letter) in text.char_indices() {
        match letter {
            // A small letter with a dot of its own.
            'İ' => small.push_str("i\u{307}"),
            // Greek ends a word with another letter.
            'Σ' if ends_word(text, at) => small.push('ς'),
            _ => small.push(lower_letter(letter)),
        }
    }
    small
}

/// A letter as a small one, where that is one letter.
pub fn lower_letter(letter: char) -> char {
    if letter.is_ascii() {
        return letter.to_ascii_lowercase();
    }
    let at = letter as u32;
    let behind = RUNS.partition_point(|(first, ..)| *first <= at);
    let Some((first, count, step, distance)) = behind.checked_sub(1).map(|run| RUNS[run]) else { return letter };
    let (from_first, step) = (at - first, u32::from(step));
    let is_in_run = from_first % step == 0 && from_first / step < u32::from(count);
    is_in_run.then(|| at.checked_add_signed(distance)).flatten().and_then(char::from_u32).unwrap_or(letter)
}

/// Whether the letter here is the last of a word of several.
fn ends_word(text: &str, at: usize) -> bool {
    let is_letter = |letter: Option<char>| letter.is_some_and(char::is_alphabetic);
    is_letter(text[..at].chars().next_back()) && !is_letter(text[at..].chars().nth(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The table by what `std` knows.
    fn runs_of_std() -> Vec<(u32, u8, u8, i32)> {
        let mut runs: Vec<(u32, u8, u8, i32)> = Vec::new();
        for letter in '\u{80}'..=char::MAX {
            let mut small = letter.to_lowercase();
            let (Some(small), None) = (small.next(), small.next()) else { continue };
            let (at, distance) = (letter as u32, small as i32 - letter as i32);
            if distance == 0 {
                continue;
            }
            if let Some((first, count, step, known)) = runs.last_mut() {
                let gap = at - (*first + u32::from(*count - 1) * u32::from(*step));
                if *known == distance && *count < u8::MAX && (gap == u32::from(*step) || *count == 1 && gap == 2) {
                    (*count, *step) = (*count + 1, gap as u8);
                    continue;
                }
            }
            runs.push((at, 1, 1, distance));
        }
        runs
    }

    #[test]
    fn the_table_is_that_of_std_in_runs() {
        let runs = runs_of_std();
        assert!(RUNS == runs, "the table should be {runs:#x?}");
    }

    #[test]
    fn every_letter_is_made_small_as_std_does() {
        for letter in (char::MIN..=char::MAX).filter(|letter| *letter != 'İ') {
            assert_eq!(lower_letter(letter).to_string(), letter.to_lowercase().to_string(), "{:x}", letter as u32);
        }
    }

    #[test]
    fn a_text_is_made_small_as_std_does() {
        for text in ["", "ÀÉÎ Straße ẞ", "ОПЛАТА Счёта", "ΚΩΔΙΚΌΣ ΟΔΟΣ, ΣΣ Σ", "İSTANBUL Iğdır", "ՀԱՅ ᲐᲑ ǅ Ⓐ 密码 𐐀", "plain WORDS 42"]
        {
            assert_eq!(lower(text), text.to_lowercase());
        }
    }
}
