//! Character classes, as far as the patterns of the encodings tell characters apart.
//! Which character has which class is data in the table; here it is only looked up.

/// What a pattern sees in a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Class {
    /// Punctuation, symbols, controls, unassigned. The class of whatever the table does not mention.
    Other = 0,
    /// `\p{Lu}`, `\p{Lt}`
    Upper = 1,
    /// `\p{Ll}`
    Lower = 2,
    /// `\p{Lm}`, `\p{Lo}`: letters without case.
    Uncased = 3,
    /// `\p{M}`
    Mark = 4,
    /// `\p{N}`
    Number = 5,
    /// `\s` but for carriage return and line feed.
    Blank = 6,
    /// Carriage return and line feed.
    Newline = 7,
}

impl Class {
    /// The class with this number; `Other` for numbers that are none.
    pub fn from_number(number: u8) -> Self {
        const ALL: [Class; 8] =
            [Class::Other, Class::Upper, Class::Lower, Class::Uncased, Class::Mark, Class::Number, Class::Blank, Class::Newline];
        ALL.get(usize::from(number)).copied().unwrap_or(Class::Other)
    }
}

/// A set of classes.
#[derive(Clone, Copy)]
pub struct Set(u8);

impl Set {
    /// The set of these classes.
    pub const fn of(classes: &[Class]) -> Self {
        let mut bits = 0;
        let mut index = 0;
        while index < classes.len() {
            bits |= 1 << classes[index] as u8;
            index += 1;
        }
        Self(bits)
    }

    /// Whether a class is one of them.
    #[inline]
    pub const fn has(self, class: Class) -> bool {
        self.0 >> class as u8 & 1 != 0
    }
}

/// Up to here each code point has a place of its own. Behind are rare ideographs and a few marks, in a handful of runs.
const FLAT: usize = 0x2_0000;

/// The class of every code point.
pub struct Classes {
    of_code_point: Vec<Class>,
    /// Ends of the runs behind `FLAT`, and their classes.
    runs_behind: Vec<(usize, Class)>,
}

/// A character in a text.
#[derive(Clone, Copy)]
pub struct Character {
    /// What a pattern sees in it.
    pub class: Class,
    /// Bytes it takes.
    pub length: usize,
}

impl Classes {
    /// From runs of equal classes that begin at code point 0; the rest is `Other`.
    pub fn from_runs(runs: impl Iterator<Item = (usize, Class)>) -> Self {
        let mut of_code_point = vec![Class::Other; FLAT];
        let mut runs_behind = Vec::new();
        let mut start = 0;
        for (length, class) in runs {
            let end = start + length;
            if class != Class::Other && start < FLAT {
                of_code_point[start..end.min(FLAT)].fill(class);
            }
            if end > FLAT {
                runs_behind.push((end, class));
            }
            start = end;
        }
        Self { of_code_point, runs_behind }
    }

    /// The character at `index`, which must be inside the text. Bytes that are not UTF-8 are read as some character.
    #[inline]
    pub fn at(&self, text: &[u8], index: usize) -> Character {
        let first = text[index];
        if first < 0x80 { Character { class: self.of_code_point[usize::from(first)], length: 1 } } else { self.beyond_ascii(text, index) }
    }

    fn beyond_ascii(&self, text: &[u8], index: usize) -> Character {
        let rest = &text[index..];
        let continuation = |at: usize| rest.get(at).map_or(0, |byte| usize::from(byte & 0x3F));
        let first = usize::from(rest[0]);
        let (code_point, length) = match first {
            0xF0.. => ((first & 0x07) << 18 | continuation(1) << 12 | continuation(2) << 6 | continuation(3), 4),
            0xE0.. => ((first & 0x0F) << 12 | continuation(1) << 6 | continuation(2), 3),
            _ => ((first & 0x1F) << 6 | continuation(1), 2),
        };
        let class = self.of_code_point.get(code_point).copied().unwrap_or_else(|| self.behind(code_point));
        Character { class, length: length.min(rest.len()) }
    }

    #[cold]
    fn behind(&self, code_point: usize) -> Class {
        self.runs_behind.iter().find(|(end, _)| code_point < *end).map_or(Class::Other, |(_, class)| *class)
    }

    /// The end of the longest run from `start` on whose classes are all in `set`.
    #[inline]
    pub fn run_end(&self, text: &[u8], start: usize, set: Set) -> usize {
        let mut end = start;
        while end < text.len() {
            let character = self.at(text, end);
            if !set.has(character.class) {
                break;
            }
            end += character.length;
        }
        end
    }
}
