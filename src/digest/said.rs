//! What was said, and how rare each word of it is: a sentence says something of its own where a term of it is rare. In any language, by words
//! alone. Not which messages stay (`novelty`).

use crate::text::clip::within_beside;
use crate::text::hash::{HashMap, HashSet, mix};
use crate::text::sentence::sentences;
use crate::text::term::{each_term, references};
use crate::text::uses::within;

/// What is said so often is as rare as what is said once: who means it says it twice.
const AGAIN: u32 = 2;
/// An id has letters, or at least so many digits.
const ID_BYTES: usize = 3;
/// Where more than this part of a text says what is rarest, nothing stands out; what does leaves this part of the room to beginning and end.
const OWN_PART: usize = 2;
const ENDS_PART: usize = 4;

/// Whose words they are.
#[derive(Clone, Copy)]
pub(super) enum Speaker {
    /// Names and numbers differ from one order to the next: one is as rare as others of its form, `ORD-17` as any `ORD-`.
    User,
    /// Names and numbers are what the model found out.
    Model,
}

/// A term, and what its rarity is known by.
#[derive(Clone, Copy)]
pub(super) struct Term {
    pub(super) hash: u64,
    key: u64,
}

/// The key of all names of the user.
const NAMES: u64 = 1;

/// The terms of a text, each once.
fn terms_of(text: &str, speaker: Speaker) -> Vec<Term> {
    let (mut terms, mut seen) = (Vec::new(), HashSet::default());
    let mut take = |hash: u64, key: u64| {
        if seen.insert(hash) {
            terms.push(Term { hash, key });
        }
    };
    each_term(within(text), &mut |hash, kind| match speaker {
        Speaker::User if !kind.is_word() => take(hash, NAMES),
        Speaker::User | Speaker::Model => take(hash, hash),
    });
    if let Speaker::User = speaker {
        for id in ids(within(text)) {
            let form: String = id.chars().filter(|letter| !letter.is_numeric()).collect();
            take(hash_of_id(id), mix(2, form.to_lowercase().as_bytes()));
        }
    }
    terms
}

/// In how many sentences each term was said. What is said again word for word counts once.
#[derive(Default)]
pub struct Said {
    times: HashMap<u64, u32>,
    pub(super) sentences: HashSet<u64>,
}

impl Said {
    /// By the user in these texts.
    pub fn by_user<'t>(texts: impl Iterator<Item = &'t str>) -> Said {
        let mut said = Said::default();
        texts.for_each(|text| {
            said.add(text, Speaker::User);
        });
        said
    }

    /// Returns the terms of the text.
    pub(super) fn add(&mut self, text: &str, speaker: Speaker) -> Vec<Term> {
        let mut all = Vec::new();
        for sentence in sentences(within(text)) {
            let terms = terms_of(sentence, speaker);
            let hash = terms.iter().fold(0, |hash, term| mix(hash, &term.hash.to_le_bytes()));
            if self.sentences.insert(hash) {
                let keys: HashSet<u64> = terms.iter().map(|term| term.key).collect();
                keys.into_iter().for_each(|key| *self.times.entry(key).or_default() += 1);
            }
            all.extend(terms);
        }
        all
    }

    /// How rare a term is that nobody else says.
    pub(super) fn top(&self) -> u32 {
        (self.sentences.len() as u32).max(1).ilog2()
    }

    /// How rare a term is: from zero, in more than half of all sentences.
    pub(super) fn rarity(&self, term: Term) -> u32 {
        let all = (self.sentences.len() as u32).max(1);
        let times = Some(self.times(term)).filter(|times| *times > AGAIN).unwrap_or(1);
        (all / times.min(all)).ilog2()
    }

    /// In how many sentences a term was said.
    pub(super) fn times(&self, term: Term) -> u32 {
        self.times.get(&term.key).copied().unwrap_or_default()
    }

    /// The sentences of a text of the user's that say a rarer thing than most of it, as ranges in order, as far as there is room.
    pub fn of_its_own(&self, text: &str, room: usize, cost: &dyn Fn(&str) -> usize) -> Vec<(u32, u32)> {
        let all: Vec<(&str, u32)> = sentences(text)
            .map(|sentence| {
                (sentence, terms_of(sentence, Speaker::User).into_iter().map(|term| self.rarity(term)).max().unwrap_or_default())
            })
            .collect();
        let rarest = all.iter().map(|(_, rarity)| *rarity).max().unwrap_or_default();
        let standing = all.iter().filter(|(_, rarity)| *rarity == rarest);
        if standing.clone().map(|(sentence, _)| sentence.len()).sum::<usize>() * OWN_PART > text.len() {
            return Vec::new();
        }
        let mut left = room - room / ENDS_PART;
        let has_room = |sentence: &&str| {
            let rest = left.checked_sub(cost(sentence));
            left = rest.unwrap_or(left);
            rest.is_some()
        };
        let start = |sentence: &str| sentence.as_ptr() as usize - text.as_ptr() as usize;
        let kept = standing.map(|(sentence, _)| *sentence).filter(has_room);
        kept.map(|sentence| (start(sentence) as u32, (start(sentence) + sentence.len()) as u32)).collect()
    }

    /// Makes a text half as long. False where that is no shorter.
    pub fn halve(&self, text: &mut String) -> bool {
        let half = self.within(text, text.len() / 2);
        let is_shorter = half.len() < text.len();
        *text = half;
        is_shorter
    }

    /// A text of the user's within so many bytes: beginning and end, and what of its middle stands out.
    pub fn within(&self, text: &str, bytes: usize) -> String {
        let parts = if text.len() > bytes { self.of_its_own(text, bytes, &str::len) } else { Vec::new() };
        within_beside(text, bytes, &parts).into_owned()
    }
}

/// The references in a text: `V-9`, `R4`, `4711`.
fn ids(text: &str) -> impl Iterator<Item = &str> {
    references(text).filter(|word| word.len() >= ID_BYTES || word.contains(char::is_alphabetic))
}

pub(super) fn ids_of(text: &str) -> HashSet<u64> {
    ids(within(text)).map(hash_of_id).collect()
}

fn hash_of_id(id: &str) -> u64 {
    mix(1, id.to_lowercase().as_bytes())
}
