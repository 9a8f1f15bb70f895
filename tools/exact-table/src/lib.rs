//! Writes the compact table of an encoding (see `stepfold_exact::table`) from the vocabulary that tiktoken-rs brings.
//! A build step, and the tests' source of tables. Knows how to write what the counter knows how to read.

use std::collections::HashMap;

use regex::Regex;
use stepfold_exact::Pattern;
use stepfold_exact::characters::Class;
use stepfold_exact::table::{self, CONTEXTS, KINDS, LEFT_KIND, Magnitude, SCALE_BITS, STATE_MIN, Side};
use stepfold_exact::vocabulary::Token;
use tiktoken_rs::CoreBPE;

/// The tokenizer of an encoding, as tiktoken-rs has it.
pub fn reference(pattern: Pattern) -> &'static CoreBPE {
    match pattern {
        Pattern::O200k => tiktoken_rs::o200k_base_singleton(),
        Pattern::Cl100k => tiktoken_rs::cl100k_base_singleton(),
    }
}

/// The table of an encoding.
pub fn write(pattern: Pattern) -> Vec<u8> {
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

/// What the coder is given: a symbol in a context, or bits that are equally likely.
enum Item {
    Symbol { context: usize, symbol: u8 },
    Bits { value: u32, count: u32 },
}

fn push_merges(out: &mut Vec<u8>, tokens: &[Vec<u8>]) {
    let mut members = [0; KINDS];
    let mut kinds_and_places: Vec<(u8, u32)> = Vec::new();
    let mut push = |kinds_and_places: &mut Vec<(u8, u32)>, kind: u8| {
        kinds_and_places.push((kind, members[usize::from(kind)]));
        members[usize::from(kind)] += 1;
    };
    for byte in &tokens[..256] {
        push(&mut kinds_and_places, table::kind_of_byte(byte[0]));
    }
    let mut items = Vec::new();
    for (left, right) in merges(tokens) {
        let (left_kind, right_kind) = (kinds_and_places[left as usize].0, kinds_and_places[right as usize].0);
        push_half(&mut items, Side::Left, LEFT_KIND, kinds_and_places[left as usize]);
        push_half(&mut items, Side::Right, table::right_kind(left_kind), kinds_and_places[right as usize]);
        push(&mut kinds_and_places, table::kind_of_merge(tokens[left as usize] == b" ", left_kind, right_kind));
    }

    let mut counts = vec![Vec::new(); CONTEXTS];
    for item in &items {
        if let Item::Symbol { context, symbol } = item {
            let counts: &mut Vec<u32> = &mut counts[*context];
            counts.resize(counts.len().max(usize::from(*symbol) + 1), 0);
            counts[usize::from(*symbol)] += 1;
        }
    }
    let frequencies: Vec<Vec<u32>> = counts.iter().map(|counts| scale(counts)).collect();
    for frequencies in &frequencies {
        push_number(out, frequencies.len() as u32);
        for frequency in frequencies {
            push_number(out, *frequency);
        }
    }
    out.extend(encode(&items, &frequencies));
}

fn push_half(items: &mut Vec<Item>, side: Side, kind_context: usize, (kind, place): (u8, u32)) {
    let (magnitude, value) = Magnitude::of(place);
    items.push(Item::Symbol { context: kind_context, symbol: kind });
    items.push(Item::Symbol { context: table::magnitude_of(side, kind), symbol: magnitude.0 });
    items.push(Item::Bits { value, count: magnitude.low_bits() });
}

/// Frequencies in the proportions of `counts` that add up to the scale; what occurs keeps at least one.
fn scale(counts: &[u32]) -> Vec<u32> {
    let total: u64 = counts.iter().map(|count| u64::from(*count)).sum();
    if total == 0 {
        return Vec::new();
    }
    let scale = 1i64 << SCALE_BITS;
    let mut frequencies: Vec<u32> = counts
        .iter()
        .map(|count| if *count == 0 { 0 } else { ((u64::from(*count) * scale as u64 + total / 2) / total).max(1) as u32 })
        .collect();
    let mut excess = frequencies.iter().map(|frequency| i64::from(*frequency)).sum::<i64>() - scale;
    while excess != 0 {
        // Where one more or less changes the proportion least.
        let largest = frequencies.iter_mut().max().expect("there are counts");
        *largest = if excess > 0 { *largest - 1 } else { *largest + 1 };
        excess -= excess.signum();
    }
    frequencies
}

/// rANS works backwards: what is decoded last is encoded first.
fn encode(items: &[Item], frequencies: &[Vec<u32>]) -> Vec<u8> {
    let starts: Vec<Vec<u32>> = frequencies
        .iter()
        .map(|frequencies| {
            frequencies
                .iter()
                .scan(0, |start, frequency| {
                    *start += frequency;
                    Some(*start - frequency)
                })
                .collect()
        })
        .collect();
    let mut words: Vec<u32> = Vec::new();
    let mut state = STATE_MIN;
    for item in items.iter().rev() {
        let (start, frequency, bits) = match item {
            Item::Symbol { context, symbol } => {
                (starts[*context][usize::from(*symbol)], frequencies[*context][usize::from(*symbol)], SCALE_BITS)
            }
            Item::Bits { value, count } => (*value, 1, *count),
        };
        if state >= ((STATE_MIN >> bits) << 32) * u64::from(frequency) {
            words.push(state as u32);
            state >>= 32;
        }
        state = ((state / u64::from(frequency)) << bits) + state % u64::from(frequency) + u64::from(start);
    }
    words.push(state as u32);
    words.push((state >> 32) as u32);
    words.iter().rev().flat_map(|word| word.to_le_bytes()).collect()
}

/// Seven bits a byte, the lowest first; the top bit says that more follow.
fn push_number(out: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}
