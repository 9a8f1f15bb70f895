//! How likely a chunk is needed again: a score by general features, each with a weight. The weights are fitted to recordings and to the judge's
//! tuning sessions (`bench/weights`), where trees and tables of points found no more. Knows no tool, no format and no language; not how many
//! chunks there is room for (`choose`).

use crate::text::chunk::{Chunk, Chunks};
use crate::text::hash::HashMap;
use crate::text::sentence::{SENTENCE_ENDS, is_unspaced};
use crate::text::uses::{Term, Used, Uses};

/// How many features there are.
pub const FEATURES: usize = 16;
/// What is seen of one chunk: a small number for each feature, in the order of `WEIGHTS`.
pub type Features = [u8; FEATURES];

/// What each feature says, and what one more of it adds to the score.
pub const WEIGHTS: [(&str, i32); FEATURES] = [
    ("terms of it that were used since, by their rarity", 7),
    ("the part of it that these are, in eighths", -3),
    ("terms of the request and of the newest message", 2),
    ("terms of its head that were used since", 1),
    ("chunks of its text for each that has its rarest word, by doublings", 9),
    ("figures", 1),
    ("its length, by doublings", -4),
    ("its depth", -5),
    ("its place in its text, in eighths", -1),
    ("chunks of its text, by doublings", -8),
    ("its age, by doublings", -3),
    ("it is of a call, not of a result", -6),
    ("a later call has made it obsolete", -30),
    ("its terms, by their rarity", 2),
    ("figures with a unit", 7),
    ("it ends as a sentence does", 7),
];
/// The score of a chunk of which nothing is seen.
const BASE: i32 = -70;
const AGE: usize = 10;
const STALE: usize = 12;
/// Features that say how a chunk was used: what was used once is used.
const OF_USE: [usize; 4] = [0, 1, 2, 3];
/// Longest figure that says how much; a longer one is a name.
const FIGURE_CHARS: usize = 9;
/// So many figures with a unit say no more than the last of them.
const MOST_UNITS: u8 = 6;
/// Marks of money and measure.
const UNITS: [char; 7] = ['%', '€', '$', '£', '¥', '₹', '°'];
/// What may close behind the mark that ends a sentence.
const CLOSES: [char; 6] = ['"', '\'', ')', ' ', ',', '\n'];

/// The text whose chunks are weighed: its place, and what it is.
#[derive(Clone, Copy, Debug, Default)]
pub struct Source {
    /// Its place in the order of texts (`Uses`).
    pub order: u32,
    /// It is what a call says, not what it brought.
    pub is_call: bool,
    /// A later call has made it obsolete.
    pub is_stale: bool,
}

/// A chunk with its worth.
#[derive(Clone, Debug, Default)]
pub struct Weighed {
    /// What was seen of it.
    pub features: Features,
    /// Its terms.
    pub terms: Vec<Term>,
    /// What it says apart from names and numbers: the same of rows that differ by these alone; 0 where it has no other words.
    pub form: u64,
}

/// Weighs the chunks of a text, in their order.
pub fn weigh(text: &str, chunks: &Chunks, source: Source, uses: &Uses) -> Vec<Weighed> {
    let heads: Vec<u32> = chunks
        .heads
        .iter()
        .map(|head| head.iter().map(|range| uses.since(&text[range.clone()], source.order).used).max().unwrap_or(0))
        .collect();
    let seen: Vec<Used> = chunks.list.iter().map(|chunk| uses.since(&text[chunk.range.clone()], source.order)).collect();
    // What stands in each row of a dump says nothing of one of them, and a row without a word of its own is one of many.
    let mut chunks_with: HashMap<u64, u32> = HashMap::default();
    for word in seen.iter().flat_map(|seen| &seen.terms).filter(|term| term.kind.is_word()) {
        *chunks_with.entry(word.hash).or_default() += 1;
    }
    let count = seen.len() as u32;
    let weigh = |(at, (chunk, seen)): (usize, (&Chunk, Used))| {
        let body = &text[chunk.range.clone()];
        let Used { all, used, requested, terms, form } = seen;
        let words = terms.iter().filter(|term| term.kind.is_word());
        let with_rarest = words.filter_map(|word| chunks_with.get(&word.hash)).min().copied().unwrap_or(count);
        let figures = body.as_bytes().windows(2).filter(|pair| pair[0].is_ascii_digit() && !pair[1].is_ascii_digit()).count();
        let features = [
            scale(used),
            (8 * used).checked_div(all).unwrap_or(0).min(8) as u8,
            scale(requested),
            scale(heads.get(chunk.head).copied().unwrap_or(0)),
            (count / with_rarest.max(1)).max(1).ilog2().min(15) as u8,
            figures.min(15) as u8,
            (2 * (body.len() as u32 / 8 + 1).ilog2()).min(15) as u8,
            chunk.depth,
            (8 * at as u32 / count.max(1)) as u8,
            count.max(1).ilog2().min(15) as u8,
            scale(uses.texts().saturating_sub(source.order)),
            u8::from(source.is_call),
            u8::from(source.is_stale),
            scale(all),
            with_unit(body),
            u8::from(body.trim_end_matches(CLOSES).ends_with(SENTENCE_ENDS)),
        ];
        Weighed { features, terms, form }
    };
    chunks.list.iter().zip(seen).enumerate().map(weigh).collect()
}

/// How many figures say how much of something: a limit, a price, a date in words. In any script: a letter or a mark stands beside the digits.
fn with_unit(body: &str) -> u8 {
    let mut count = 0;
    let mut rest = body;
    // By bytes: a digit is one, and of most chunks there is no other look at a letter.
    while let Some(start) = rest.bytes().position(|byte| byte.is_ascii_digit()) {
        let figure = &rest[start..];
        let length = figure.bytes().position(|byte| !(byte.is_ascii_digit() || matches!(byte, b'.' | b','))).unwrap_or(figure.len());
        let before = rest[..start].chars().next_back().unwrap_or(' ');
        let behind = &figure[length..];
        let next = behind.strip_prefix(' ').unwrap_or(behind).chars().next().unwrap_or(' ');
        // Part of a name: `A4711`, `2026-11-26`. A script without spaces has no names of that kind.
        let is_of_name = before.is_alphanumeric() && !is_unspaced(before) || matches!(before, '-' | '_' | '/');
        let has_unit = UNITS.contains(&next) || next.is_alphabetic() || UNITS.contains(&before);
        count += u8::from(length <= FIGURE_CHARS && !is_of_name && has_unit && count < MOST_UNITS);
        rest = behind;
    }
    count
}

/// What was seen of a chunk then and now: what was used once is used, what is obsolete stays so, and its age goes on.
pub fn renewed(mut before: Features, now: Features, is_stale: bool) -> Features {
    OF_USE.iter().for_each(|at| before[*at] = before[*at].max(now[*at]));
    before[AGE] = before[AGE].max(now[AGE]);
    before[STALE] |= u8::from(is_stale);
    before
}

/// Whether a later call has made the text of a chunk obsolete.
pub fn is_stale(features: &Features) -> bool {
    features[STALE] > 0
}

/// A number by its size: 0, 2, 3, 4, 5, … for each half doubling.
fn scale(number: u32) -> u8 {
    let squared = u64::from(number) * u64::from(number) + 1;
    squared.ilog2().min(15) as u8
}

/// The score of a chunk: sixteen more double the odds that it is needed.
pub fn score(features: &Features) -> i32 {
    BASE + features.iter().zip(&WEIGHTS).map(|(value, (_, weight))| i32::from(*value) * weight).sum::<i32>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::chunk::chunks;

    fn scores(text: &str, mentions: &[&str]) -> Vec<i32> {
        let mut uses = Uses::default();
        let order = uses.show(text);
        for other in 0..20 {
            uses.show(&format!("other words {other}"));
        }
        mentions.iter().for_each(|words| {
            uses.mention(words);
        });
        let weighed = weigh(text, &chunks(text), Source { order, ..Source::default() }, &uses);
        weighed.iter().map(|chunk| score(&chunk.features)).collect()
    }

    #[test]
    fn what_was_mentioned_since_is_worth_more_in_any_language() {
        for (text, mentions) in [
            ("the order ORD-4711 was shipped\nthe garden hose was green", "look at ORD-4711, it was shipped"),
            ("注文は大阪へ送られました\n庭のホースは緑色でした", "大阪へ送られた注文"),
            ("Заказ отправлен в Казань\nШланг для сада зелёный", "заказ в казань отправлен"),
        ] {
            let [used, other] = scores(text, &[mentions])[..] else { panic!("{text}") };
            assert!(used > other, "{text}: {used} {other}");
            assert!(used > scores(text, &[])[0], "{text}");
        }
    }

    #[test]
    fn a_limit_is_worth_more_than_a_line_without_one_in_any_script() {
        for (limit, other) in [
            ("Notice is due 6 weeks before the end", "Notice is due some weeks before the end"),
            ("逾期每天按货款的0.5%支付违约金", "逾期每天按货款的比例支付违约金"),
            ("A parcel may weigh 30 kg at most", "A parcel AB-30-77 may weigh at most"),
        ] {
            let [first, second] = scores(&format!("{limit}\n{other}"), &[])[..] else { panic!("{limit}") };
            assert!(first > second, "{limit}: {first} {second}");
        }
    }

    #[test]
    fn a_row_that_is_unlike_the_others_of_its_text_is_worth_more_than_they_are() {
        for (row, other) in [
            ("server_{} will be updated in-place", "server_{} must be replaced"),
            ("server_{} の配送が完了しました", "server_{} の返金が必要です"),
            // Each row of a log has a point in time of its own.
            ("2026-11-20T1{}7:01.{}44Z session opened for user", "2026-11-20T1{}7:01.{}44Z session refused for user"),
        ] {
            let row_at = |at: usize| if at == 40 { other } else { row }.replace("{}", &at.to_string());
            let rows: Vec<String> = (0..64).map(row_at).collect();
            let scores = scores(&rows.join("\n"), &[]);
            assert!((0..64).all(|at| at == 40 || scores[at] < scores[40]), "{row}: {scores:?}");
        }
    }
}
