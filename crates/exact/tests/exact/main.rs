//! The exact counter against `tiktoken-rs`, whose vocabularies it counts with: on texts that have tripped tokenizers, on a million
//! generated strings, and, where `tiktoken-rs` itself gives up, against values derived another way. Time is never asserted.
#![allow(clippy::unwrap_used, clippy::panic)]

mod generate;

use generate::Generator;
use stepfold_exact::{Counter, Pattern, reference, write_table};
use tiktoken_rs::CoreBPE;

const BOTH: [Pattern; 2] = [Pattern::O200k, Pattern::Cl100k];

fn counter(pattern: Pattern) -> Counter {
    Counter::new(&write_table(pattern))
}

#[track_caller]
fn check(counter: &mut Counter, reference: &CoreBPE, text: &str) {
    let (counted, expected) = (counter.count(text.as_bytes()), reference.encode_ordinary(text).len() as u32);
    if counted != expected {
        let head: String = text.chars().take(400).collect();
        panic!("{counted} tokens instead of {expected}: {head:?}");
    }
}

#[test]
fn texts_that_have_tripped_tokenizers_have_their_defined_count() {
    // Text, tokens in o200k_base, in cl100k_base: as the official tiktoken counts them.
    let rows = [
        ("", 0, 0),
        ("a", 1, 1),
        ("Hello, world!", 4, 4),
        ("see <|endoftext|> here", 9, 8),
        ("\u{feff}import os", 3, 3),
        ("constructor", 1, 1),
        ("hasOwnProperty", 3, 2),
        ("__proto__", 3, 3),
        ("\u{fffd}", 1, 1),
        ("<|fim_prefix|>", 6, 7),
    ];
    for pattern in BOTH {
        let (mut counter, reference) = (counter(pattern), reference(pattern));
        for (text, o200k, cl100k) in rows {
            let expected = if pattern == Pattern::O200k { o200k } else { cl100k };
            assert_eq!(counter.count(text.as_bytes()), expected, "{pattern:?}: {text:?}");
            check(&mut counter, reference, text);
        }
    }
}

#[test]
fn tables_are_made_whichever_is_asked_for_first() {
    // Tokens of two bytes, of up to four, of more, and what is cut into several: short, and long.
    let texts = ["in", "the", " world", "qzx", "qzxjvkqq", "aaaaabbbbbqzxjvkqq"];
    for pattern in BOTH {
        let (table, reference) = (write_table(pattern), reference(pattern));
        for first in texts {
            for second in texts {
                let mut counter = Counter::new(&table);
                check(&mut counter, reference, first);
                check(&mut counter, reference, second);
                texts.into_iter().for_each(|text| check(&mut counter, reference, text));
            }
        }
    }
}

#[test]
fn every_alternative_of_the_patterns_ends_where_it_should() {
    let texts = [
        "isn't ISN'T we'll WE'LL I'd you've they're I'm 'sup 'lls 'r 'v 'l",
        "it'\u{17f} 'ſx A'ſ",
        "中文AB字符 ABC中DEF ABCdefGHI aBcDeF ǅungla ʰello ªb",
        "e\u{301}a \u{301} \u{301}A \u{301}AB \u{301}a .\u{301} .\u{301}. a\u{301}\u{301}B",
        "123456 1234567٣٤٥Ⅷ½ 1a2b",
        "a  b   c\td\t\te \n f\n\n  g\r\n\r\nh \u{a0} \u{3000}x\u{85}y\u{2028}z\u{200b}w",
        "   ",
        "\n   ",
        "   \n",
        " \n \n ",
        "a \n\n",
        "x = y; // comment\n///\n/\n/ \r\n}\n/a",
        "!!! ... \"'quoted'\" ('x') [\"y\"] --- === ->\n=>\r\n",
        "\0\u{1}\u{7f}\u{80}\u{9f}",
        "👩‍👩‍👧‍👦 🇩🇪🇫🇷 👍🏽 ❤️ \u{1f3f4}\u{e0067}\u{e007f}",
        "สวัสดีชาวโลก नमस्ते दुनिया مرحبا بالعالم שלום Привет ΑΒΓαβγ",
    ];
    for pattern in BOTH {
        let (mut counter, reference) = (counter(pattern), reference(pattern));
        for text in texts {
            check(&mut counter, reference, text);
        }
    }
}

#[test]
fn every_character_has_the_class_that_the_patterns_give_it() {
    for pattern in BOTH {
        let (mut counter, reference) = (counter(pattern), reference(pattern));
        // Between these there are only private and unassigned characters.
        for character in (0..0x3_2400).chain(0xE_0000..0xE_0200).filter_map(char::from_u32) {
            check(&mut counter, reference, &format!("A{character}b{character} {character}1{character}'s"));
        }
    }
}

#[test]
fn long_runs_and_mixtures_are_cut_as_if_at_once() {
    // Longer than several windows of the merge.
    let mut generator = Generator::new(7);
    for pattern in BOTH {
        let (mut counter, reference) = (counter(pattern), reference(pattern));
        for unit in ["a", "=", "\n", "-", "ab", "abc", "的", "中国", "😀", "z\u{301}", "aA", "tion", "=-", "\u{3000}", "\t", "_", "ก", "ـ"]
        {
            for bytes in [1_023, 1_024, 1_025, 2_049, 10_000, 33_333] {
                check(&mut counter, reference, &unit.repeat(bytes / unit.len()));
            }
        }
        for _ in 0..200 {
            check(&mut counter, reference, &generator.long_piece(8_000));
        }
    }
}

#[test]
fn a_million_spaces_are_counted_where_the_reference_panics() {
    // A run of spaces is one piece. Its encoding is a sequence of tokens of spaces in which each two neighbors are the encoding of their
    // bytes, and the reference encodes short runs: as many of the longest token as the long run holds, then what is left.
    for pattern in BOTH {
        let (mut counter, reference) = (counter(pattern), reference(pattern));
        let tokens = |spaces: usize| reference.encode_ordinary(&" ".repeat(spaces));
        let longest = (1..=256).filter(|spaces| tokens(*spaces).len() == 1).max().unwrap();
        let token = tokens(longest)[0];
        // Far more than the longest token, so that it shows both the period and how the run ends.
        let sample = 20 * longest + 1_000_000 % longest;
        let encoded = tokens(sample);
        let periods = encoded.iter().take_while(|other| **other == token).count();
        assert!(periods > 10, "runs of spaces have another period than their longest token");
        let expected = encoded.len() + (1_000_000 - sample) / longest;
        assert_eq!(counter.count(" ".repeat(1_000_000).as_bytes()), expected as u32, "{pattern:?}");
    }
}

#[test]
fn bytes_that_are_no_text_are_counted_without_harm() {
    let mut generator = Generator::new(11);
    for pattern in BOTH {
        let mut counter = counter(pattern);
        for length in 0..2_000 {
            let bytes: Vec<u8> = (0..length % 67).map(|_| generator.random.below(256) as u8).collect();
            assert!(counter.count(&bytes) as usize <= bytes.len(), "{bytes:?}");
        }
    }
}

#[test]
fn a_million_generated_strings_are_counted_as_the_reference_does() {
    const STRINGS: usize = 1_000_000;
    std::thread::scope(|scope| {
        for pattern in BOTH {
            scope.spawn(move || {
                let (mut counter, reference) = (counter(pattern), reference(pattern));
                let mut generator = Generator::new(1);
                for _ in 0..STRINGS {
                    check(&mut counter, reference, generator.string());
                }
            });
        }
    });
}
