//! Random and adversarial strings, the same on every machine: what patterns and merges can be wrong about.

use stepfold_exact::{Pattern, reference};

/// A source of strings. Keeps its memory, so that a million of them are cheap.
pub struct Generator {
    pub random: Random,
    text: String,
}

/// Numbers that look random (xorshift).
pub struct Random(u64);

impl Random {
    /// A number below `limit`.
    pub fn below(&mut self, limit: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (((self.0 >> 32) * u64::from(limit)) >> 32) as u32
    }
}

/// Both encodings have more tokens.
const TOKENS: u32 = 100_000;

/// What stands at borders in the patterns, and what other tokenizers got wrong.
const FRAGMENTS: &[&str] = &[
    "'s",
    "'S",
    "'ſ",
    "'t",
    "'re",
    "'VE",
    "'ll",
    "'Ll",
    "'d",
    "'m",
    "'",
    "''",
    " ",
    "  ",
    "   ",
    "\n",
    "\r\n",
    "\r",
    "\n\n",
    "\t",
    "\u{85}",
    "\u{a0}",
    "\u{3000}",
    "\u{2028}",
    "\u{200b}",
    "\u{feff}",
    "\u{fffd}",
    "/",
    "//",
    "/\n",
    ".",
    "...",
    "=",
    "==",
    "-",
    "_",
    "(",
    ")",
    "{",
    "\"",
    "\\n",
    "\0",
    "\u{301}",
    "\u{5bf}",
    "\u{e0100}",
    "ʰ",
    "ª",
    "ǅ",
    "中",
    "文",
    "の",
    "한",
    "ก",
    "ำ",
    "ا",
    "ـ",
    "Ж",
    "ж",
    "Σ",
    "ς",
    "é",
    "ß",
    "İ",
    "ı",
    "K",
    "ſ",
    "😀",
    "👩‍👩‍👧‍👦",
    "🏽",
    "🇩🇪",
    "½",
    "٣",
    "Ⅷ",
    "0",
    "12",
    "1234",
    "a",
    "A",
    "the",
    " the",
    "Hello",
    "WORLD",
    "camelCase",
    "HTTPServer",
    "constructor",
    "__proto__",
    "<|endoftext|>",
    "<|fim_middle|>",
    "<|",
    "|>",
    "aaaaaaa",
    "=======",
    "        ",
];

impl Generator {
    /// The same seed gives the same strings.
    pub fn new(seed: u64) -> Self {
        Self { random: Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1), text: String::new() }
    }

    /// A string of a few parts of all kinds.
    pub fn string(&mut self) -> &str {
        self.text.clear();
        for _ in 0..=self.random.below(5) {
            self.push_part();
        }
        &self.text
    }

    /// Letters of a small alphabet, which are one piece and merge in many ways.
    pub fn long_piece(&mut self, length: usize) -> String {
        let alphabets: [&[char]; 5] =
            [&['a', 'b'], &['e', 't', 'a', 'o', 'i', 'n'], &['的', '一', '是', '不'], &['=', '-', '*'], &['o', 'о', 'ο', 'ö']];
        let alphabet = alphabets[self.random.below(5) as usize];
        let stay = self.random.below(8) + 1;
        let mut character = alphabet[0];
        (0..length)
            .map(|_| {
                if self.random.below(stay) == 0 {
                    character = alphabet[self.random.below(alphabet.len() as u32) as usize];
                }
                character
            })
            .collect()
    }

    fn push_part(&mut self) {
        match self.random.below(10) {
            0..=3 => self.text.push_str(FRAGMENTS[self.random.below(FRAGMENTS.len() as u32) as usize]),
            4 => {
                let fragment = FRAGMENTS[self.random.below(FRAGMENTS.len() as u32) as usize];
                for _ in 0..self.random.below(12) {
                    self.text.push_str(fragment);
                }
            }
            // Pieces of words: tokens put together as no text has them.
            5 | 6 => {
                for _ in 0..=self.random.below(4) {
                    let token = self.random.below(TOKENS);
                    if let Ok(bytes) = reference(Pattern::Cl100k).decode_bytes(&[token]) {
                        self.text.push_str(&String::from_utf8_lossy(&bytes));
                    }
                }
            }
            7 => {
                for _ in 0..self.random.below(16) {
                    let letter = b'a' + self.random.below(26) as u8;
                    self.text.push(char::from(if self.random.below(6) == 0 { letter.to_ascii_uppercase() } else { letter }));
                }
            }
            8 => {
                for _ in 0..self.random.below(8) {
                    self.text.push(char::from(self.random.below(128) as u8));
                }
            }
            _ => {
                // Any plane, those with letters more often.
                let limit = [0x250, 0x3000, 0xFFFF, 0x2_0000, 0x10_FFFF][self.random.below(5) as usize];
                for _ in 0..=self.random.below(4) {
                    self.text.extend(char::from_u32(self.random.below(limit)));
                }
            }
        }
    }
}
