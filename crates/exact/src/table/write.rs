//! Writes the compact table of an encoding from the vocabulary that tiktoken-rs brings.
//! A build step, and the tests' source of tables: it may panic, which stops the build. Knows how to write what the counter knows how to read.

#![allow(clippy::panic, clippy::expect_used)]

use std::collections::HashMap;

use regex::Regex;
use tiktoken_rs::CoreBPE;

use super::{KINDS, KINDS_BITS, MAGNITUDE_BITS, MAGNITUDE_CODES, Magnitude, Side, kind_of_byte, kind_of_merge, magnitude_code};
use crate::characters::Class;
use crate::pieces::Pattern;
use crate::vocabulary::Token;

/// The most bits of a merge: the reader always has so many at hand.
const MERGE_BITS: u32 = 56;

/// The tokenizer of an encoding, as tiktoken-rs has it.
pub fn reference(pattern: Pattern) -> &'static CoreBPE {
    match pattern {
        Pattern::O200k => tiktoken_rs::o200k_base_singleton(),
        Pattern::Cl100k => tiktoken_rs::cl100k_base_singleton(),
    }
}

/// The table of an encoding. Takes about half a second, so it is for build scripts and tests.
///
/// # Panics
///
/// When the vocabulary in `tiktoken-rs` is not the one that this crate was made for.
pub fn write_table(pattern: Pattern) -> Vec<u8> {
    let tokens = vocabulary(reference(pattern));
    let mut out = vec![match pattern {
        Pattern::O200k => 0,
        Pattern::Cl100k => 1,
    }];
    push_number(&mut out, tokens.len() as u32);
    let single_bytes: [u8; 256] = std::array::from_fn(|token| match tokens[token].as_slice() {
        [byte] => *byte,
        other => panic!("token {token} should be a single byte and is {other:?}"),
    });
    out.extend(single_bytes);
    push_classes(&mut out);
    push_number(&mut out, tokens.iter().map(|token| token.len() as u32).sum());
    push_merges(&mut out, &tokens);
    out
}

/// The bytes of all ordinary tokens. They are numbered without gaps, the special ones after them.
fn vocabulary(reference: &CoreBPE) -> Vec<Vec<u8>> {
    let special: Vec<String> = reference.special_tokens().into_iter().map(str::to_owned).collect();
    (0..)
        .map_while(|token| reference.decode_bytes(&[token]).ok())
        .take_while(|bytes| !special.iter().any(|name| name.as_bytes() == bytes))
        .collect()
}

/// The two tokens that byte-pair encoding merges last when it makes each token.
fn merges(tokens: &[Vec<u8>]) -> Vec<(Token, Token)> {
    let numbers: HashMap<&[u8], Token> = tokens.iter().map(Vec::as_slice).zip(0..).collect();
    let merge_of = |token: &Vec<u8>| {
        let mut borders: Vec<usize> = (0..=token.len()).collect();
        while borders.len() > 3 {
            let merge = (0..borders.len() - 2)
                .filter_map(|index| Some((numbers.get(&token[borders[index]..borders[index + 2]])?, index)))
                .min()
                .unwrap_or_else(|| panic!("the token {token:?} is not made by merges"));
            borders.remove(merge.1 + 1);
        }
        (numbers[&token[..borders[1]]], numbers[&token[borders[1]..]])
    };
    let merges: Vec<(Token, Token)> = tokens.iter().skip(256).map(merge_of).collect();
    for (token, (left, right)) in (256..).zip(&merges) {
        assert!(*left < token && *right < token, "token {token} is made of later ones: {left} and {right}");
    }
    merges
}

/// Runs of code points of equal class: length times eight plus class.
fn push_classes(out: &mut Vec<u8>) {
    let classes: Vec<(Class, Regex)> = [
        (Class::Newline, r"^[\r\n]$"),
        (Class::Blank, r"^\s$"),
        (Class::Upper, r"^[\p{Lu}\p{Lt}]$"),
        (Class::Lower, r"^\p{Ll}$"),
        (Class::Uncased, r"^[\p{Lm}\p{Lo}]$"),
        (Class::Mark, r"^\p{M}$"),
        (Class::Number, r"^\p{N}$"),
    ]
    .map(|(class, pattern)| (class, Regex::new(pattern).expect("the pattern is well-formed")))
    .into();
    let class_of = |code_point: u32| {
        let Some(character) = char::from_u32(code_point) else { return Class::Other };
        let text = character.to_string();
        classes.iter().find(|(_, regex)| regex.is_match(&text)).map_or(Class::Other, |(class, _)| *class)
    };
    let mut runs: Vec<(u32, Class)> = Vec::new();
    for code_point in 0..=u32::from(char::MAX) {
        let class = class_of(code_point);
        match runs.last_mut() {
            Some((length, last)) if *last == class => *length += 1,
            _ => runs.push((1, class)),
        }
    }
    push_number(out, runs.len() as u32);
    for (length, class) in runs {
        push_number(out, length << 3 | class as u32);
    }
}

/// What is written: a symbol by one of the codes, or bits that are equally likely.
enum Item {
    Symbol { code: usize, symbol: u16 },
    Bits { value: u32, count: u32 },
}

/// The kinds of both halves, and of each half its magnitude and the bits below it.
const ITEMS_OF_MERGE: usize = 5;

/// The code of the kinds; those of magnitudes come after it.
const KINDS_CODE: usize = 0;

fn push_merges(out: &mut Vec<u8>, tokens: &[Vec<u8>]) {
    let mut members = [0; KINDS];
    let mut kinds_and_places: Vec<(u8, u32)> = Vec::new();
    let mut push = |kinds_and_places: &mut Vec<(u8, u32)>, kind: u8| {
        kinds_and_places.push((kind, members[usize::from(kind)]));
        members[usize::from(kind)] += 1;
    };
    for byte in &tokens[..256] {
        push(&mut kinds_and_places, kind_of_byte(byte[0]));
    }
    let mut items = Vec::new();
    for (left, right) in merges(tokens) {
        let (left_kind, right_kind) = (kinds_and_places[left as usize].0, kinds_and_places[right as usize].0);
        items.push(Item::Symbol { code: KINDS_CODE, symbol: symbol_of_kinds(left_kind, right_kind) });
        push_half(&mut items, Side::Left, kinds_and_places[left as usize]);
        push_half(&mut items, Side::Right, kinds_and_places[right as usize]);
        push(&mut kinds_and_places, kind_of_merge(tokens[left as usize] == b" ", left_kind, right_kind));
    }
    for count in members {
        push_number(out, count);
    }

    let mut counts = vec![Vec::new(); 1 + MAGNITUDE_CODES];
    for item in &items {
        if let Item::Symbol { code, symbol } = item {
            let counts: &mut Vec<u32> = &mut counts[*code];
            counts.resize(counts.len().max(usize::from(*symbol) + 1), 0);
            counts[usize::from(*symbol)] += 1;
        }
    }
    let longest = |code| if code == KINDS_CODE { KINDS_BITS } else { MAGNITUDE_BITS };
    let lengths: Vec<Vec<u8>> = counts.into_iter().enumerate().map(|(code, counts)| code_lengths(counts, longest(code))).collect();
    for lengths in &lengths {
        push_number(out, lengths.len() as u32);
        out.extend(lengths);
    }
    push_items(out, &items, &lengths);
}

fn push_half(items: &mut Vec<Item>, side: Side, (kind, place): (u8, u32)) {
    let (magnitude, value) = Magnitude::of(place);
    items.push(Item::Symbol { code: 1 + magnitude_code(side, kind), symbol: u16::from(magnitude.0) });
    items.push(Item::Bits { value, count: magnitude.low_bits() });
}

/// The lengths of the prefix code that is best for symbols that occur so often; none is longer than `longest` bits.
fn code_lengths(mut counts: Vec<u32>, longest: u32) -> Vec<u8> {
    loop {
        // Trees of symbols: how often they occur together, and which they are.
        let mut trees: Vec<(u32, Vec<usize>)> =
            counts.iter().enumerate().filter(|(_, count)| **count > 0).map(|(symbol, count)| (*count, vec![symbol])).collect();
        let mut lengths = vec![0; counts.len()];
        if let [(_, only)] = trees.as_slice() {
            lengths[only[0]] = 1;
        }
        while trees.len() > 1 {
            trees.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
            let (Some(first), Some(second)) = (trees.pop(), trees.pop()) else { break };
            let symbols = [first.1, second.1].concat();
            for symbol in &symbols {
                lengths[*symbol] += 1;
            }
            trees.push((first.0 + second.0, symbols));
        }
        if lengths.iter().all(|length| u32::from(*length) <= longest) {
            return lengths;
        }
        // Flatter, until no code is too long.
        for count in counts.iter_mut().filter(|count| **count > 0) {
            *count = *count / 2 + 1;
        }
    }
}

/// Writes codes and bits, the lowest bit first, and as much behind them as a reader looks ahead.
fn push_items(out: &mut Vec<u8>, items: &[Item], lengths: &[Vec<u8>]) {
    let codes: Vec<Vec<u32>> = lengths.iter().map(|lengths| codes(lengths)).collect();
    let written = |item: &Item| match item {
        Item::Symbol { code, symbol } => {
            let length = u32::from(lengths[*code][usize::from(*symbol)]);
            // A code is read from its highest bit on.
            (codes[*code][usize::from(*symbol)].reverse_bits() >> (32 - length), length)
        }
        Item::Bits { value, count } => (*value, *count),
    };
    let mut buffer = 0u64;
    let mut filled = 0;
    for merge in items.chunks(ITEMS_OF_MERGE) {
        let bits: u32 = merge.iter().map(|item| written(item).1).sum();
        assert!(bits <= MERGE_BITS, "a merge takes {bits} bits, more than are ready to be read");
    }
    for item in items {
        let (value, count) = written(item);
        buffer |= u64::from(value) << filled;
        filled += count;
        while filled >= 8 {
            out.push(buffer as u8);
            buffer >>= 8;
            filled -= 8;
        }
    }
    out.push(buffer as u8);
    out.extend([0; 8]);
}

/// The codes for these lengths: shorter ones first, those of one length in the order of their symbols.
fn codes(lengths: &[u8]) -> Vec<u32> {
    let longest = lengths.iter().max().copied().unwrap_or(0);
    let mut codes = vec![0; lengths.len()];
    let mut next = 0;
    for length in 1..=longest {
        for (code, _) in codes.iter_mut().zip(lengths).filter(|(_, other)| **other == length) {
            *code = next >> (longest - length);
            next += 1 << (longest - length);
        }
    }
    codes
}

/// Seven bits a byte, the lowest first; the top bit says that more follow.
fn push_number(out: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Both kinds as one symbol.
fn symbol_of_kinds(left: u8, right: u8) -> u16 {
    u16::from(left) * KINDS as u16 + u16::from(right)
}

impl Magnitude {
    /// The magnitude of a place, and what is above it.
    fn of(place: u32) -> (Self, u32) {
        let shifted = place + 4;
        let low_bits = 29 - shifted.leading_zeros();
        (Self((low_bits * 4 + (shifted >> low_bits & 3)) as u8), shifted & ((1 << low_bits) - 1))
    }
}
