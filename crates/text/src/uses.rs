//! How terms were used: in how many texts each stands, and when a call, an answer or the user mentioned it last.
//! Covers what is live and what is carried; not what any term means.

use crate::hash::{HashMap, mix};
use crate::term::{Kind, each_term};

/// Bytes of one text that are looked at.
pub const TEXT_BYTES: usize = 128 * 1024;

/// Terms of one part of a text that are looked at.
const TERMS: usize = 80;
/// A term has about so many bytes.
const BYTES_OF_TERM: usize = 6;

/// A term of a part of a text.
#[derive(Clone, Copy, Debug)]
pub struct Term {
    /// Its hash.
    pub hash: u64,
    /// How rare it is.
    pub rarity: u32,
    /// What it is.
    pub kind: Kind,
}

/// How the terms of a part of a text were used.
#[derive(Default)]
pub struct Used {
    /// The rarity of all of them.
    pub all: u32,
    /// Of those that were used since.
    pub used: u32,
    /// Of those that the request or the newest message of the user mentions.
    pub requested: u32,
    /// Its terms, each once.
    pub terms: Vec<Term>,
    /// What it says apart from names and numbers; 0 where it has no other words.
    pub form: u64,
}

/// How one term was used.
#[derive(Clone, Copy, Debug, Default)]
pub struct Use {
    /// Texts it stands in.
    pub texts: u32,
    /// How often it was mentioned.
    pub mentions: u32,
    /// When last, in the order of texts, from one; zero when never.
    pub last: u32,
    /// The last text it stands in.
    seen: u32,
    /// The request or the newest message of the user mentions it.
    pub is_requested: bool,
}

/// How all terms were used.
#[derive(Default)]
pub struct Uses {
    terms: HashMap<u64, Use>,
    /// Texts so far.
    texts: u32,
}

impl Uses {
    /// Takes in a result: what stands there. Returns its place in the order of texts.
    pub fn show(&mut self, text: &str) -> u32 {
        self.add(text, &mut |_| {})
    }

    /// Takes in what a call, an answer or the user says. Returns its place in the order of texts.
    pub fn mention(&mut self, text: &str) -> u32 {
        let order = self.texts + 1;
        self.add(text, &mut |term_use| {
            term_use.mentions = term_use.mentions.saturating_add(1);
            term_use.last = order;
        })
    }

    /// Marks what the user requests now.
    pub fn request(&mut self, text: &str) {
        each_term(within(text), &mut |term, _| self.terms.entry(term).or_default().is_requested = true);
    }

    fn add(&mut self, text: &str, note: &mut dyn FnMut(&mut Use)) -> u32 {
        self.texts += 1;
        let order = self.texts;
        each_term(within(text), &mut |term, _| {
            let term_use = self.terms.entry(term).or_default();
            if term_use.seen != order {
                term_use.seen = order;
                term_use.texts += 1;
                note(term_use);
            }
        });
        order
    }

    /// How a term was used.
    pub fn of(&self, term: u64) -> Use {
        self.terms.get(&term).copied().unwrap_or_default()
    }

    /// How rare a term is: from one, in nearly every text, to about twelve.
    pub fn rarity(&self, term: u64, kind: Kind) -> u32 {
        self.rarity_in(self.of(term).texts, kind)
    }

    /// The same of one that stands in so many texts.
    fn rarity_in(&self, texts: u32, kind: Kind) -> u32 {
        let texts = texts.max(1);
        let rarity = (self.texts.max(texts) / texts).ilog2() + 1;
        match kind {
            Kind::Name | Kind::Code | Kind::Figure => rarity + 1,
            Kind::Word | Kind::Digits => rarity,
            Kind::Pair => rarity.div_ceil(2),
        }
    }

    /// How the terms of a part of a text were used since that text, which has this place in the order of texts.
    pub fn since(&self, part: &str, order: u32) -> Used {
        let mut seen = Used { terms: Vec::with_capacity(TERMS.min(part.len() / BYTES_OF_TERM)), ..Used::default() };
        each_term(part, &mut |term, kind| {
            if seen.terms.len() >= TERMS || seen.terms.iter().any(|other| other.hash == term) {
                return;
            }
            let term_use = self.of(term);
            let rarity = self.rarity_in(term_use.texts, kind);
            seen.terms.push(Term { hash: term, rarity, kind });
            if kind.is_word() {
                seen.form = seen.form.wrapping_add(mix(1, &term.to_le_bytes()));
            }
            seen.all += rarity;
            seen.requested += if term_use.is_requested { rarity } else { 0 };
            if term_use.last > order {
                seen.used += rarity;
            }
        });
        seen
    }

    /// Texts so far.
    pub fn texts(&self) -> u32 {
        self.texts
    }
}

/// The beginning of a text that is looked at.
pub fn within(text: &str) -> &str {
    let mut end = TEXT_BYTES.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_term_is_rare_in_one_text_and_used_when_it_is_mentioned() {
        let mut uses = Uses::default();
        uses.show("order order total");
        uses.show("order shipped");
        let order = uses.mention("shipped");
        let term = |word: &str| mix(0, word.as_bytes());
        assert_eq!((uses.of(term("order")).texts, uses.of(term("order")).mentions), (2, 0));
        assert_eq!((uses.of(term("shipped")).last, order), (3, 3));
        assert!(uses.rarity(term("total"), Kind::Word) > uses.rarity(term("order"), Kind::Word));
    }
}
