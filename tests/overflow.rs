//! Real errors of providers: those that a smaller prompt cures, and those that only look like it.
//! What they say is in `overflow/refusals.txt`, each with where it was seen.
#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use stepfold::providers::overflow::{ErrorFacts, http_status, is_context_overflow, read_overflow};

/// The refusals of a kind (`too large`, `no overflow`): where they stand, the status, the tokens of prompt, window and reply, and the text.
fn refusals(kind: &str) -> Vec<(String, Vec<u16>, Vec<u32>, &'static str)> {
    let parts = include_str!("overflow/refusals.txt").split("\n== ").skip(1);
    let rows = parts.filter(|part| part.starts_with(kind)).flat_map(|part| {
        let (title, rows) = part.split_once('\n').unwrap();
        rows.lines().filter(|row| !row.is_empty() && !row.starts_with('#')).map(move |row| {
            let mut columns = row.splitn(3, ' ');
            let status: u16 = columns.next().unwrap().parse().unwrap();
            let tokens = columns.next().unwrap().split('/').filter_map(|tokens| tokens.parse().ok()).collect();
            (format!("{title}: {row}"), if status == 0 { vec![] } else { vec![status] }, tokens, columns.next().unwrap_or_default())
        })
    });
    rows.collect()
}

#[test]
fn a_refusal_of_a_prompt_that_is_too_large_is_recognized_and_its_numbers_are_read() {
    let rows = refusals("too large");
    assert!(rows.len() >= 67, "{} rows", rows.len());
    let mut wrong = Vec::new();
    for (row, status_codes, tokens, text) in rows {
        let facts = ErrorFacts { status_codes, texts: vec![text], ..ErrorFacts::default() };
        let read = read_overflow(&facts)
            .map(|reported| [reported.prompt_tokens, reported.window_tokens, reported.reply_tokens].map(|tokens| tokens as u32));
        if !is_context_overflow(&facts) || read.is_none_or(|read| read[..] != tokens) {
            wrong.push(format!("{read:?}: {row}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn what_a_smaller_prompt_does_not_cure_is_no_overflow() {
    let rows = refusals("no overflow");
    assert!(rows.len() >= 37, "{} rows", rows.len());
    for (row, status_codes, _, text) in rows {
        let facts = ErrorFacts { status_codes, texts: vec![text], ..ErrorFacts::default() };
        assert!(!is_context_overflow(&facts), "{row}");
        assert_eq!(read_overflow(&facts), None, "{row}");
    }
}

#[test]
fn codes_and_names_are_enough() {
    for code in ["context_length_exceeded", "Context_Length_Exceeded", "model_max_prompt_tokens_exceeded", "1261"] {
        assert!(is_context_overflow(&ErrorFacts { codes: vec![code], ..ErrorFacts::default() }), "{code}");
    }
    for code in ["rate_limit_exceeded", "insufficient_quota", "invalid_request_error", "string_above_max_length", "400"] {
        assert!(!is_context_overflow(&ErrorFacts { codes: vec![code], ..ErrorFacts::default() }), "{code}");
    }
    for name in ["ContextWindowOverflowError", "ContextOverflowError", "ContextWindowExceededError"] {
        assert!(is_context_overflow(&ErrorFacts { names: vec![name], ..ErrorFacts::default() }), "{name}");
    }
    for name in ["AI_APICallError", "AI_RetryError", "AI_NoOutputGeneratedError", "GatewayInvalidRequestError", "AbortError"] {
        assert!(!is_context_overflow(&ErrorFacts { names: vec![name], ..ErrorFacts::default() }), "{name}");
    }
}

#[test]
fn of_several_attempts_one_overflow_decides() {
    let facts = ErrorFacts {
        names: vec!["AI_RetryError", "AI_APICallError", "AI_APICallError"],
        status_codes: vec![429, 400],
        codes: vec!["rate_limit_error", "invalid_request_error"],
        texts: vec!["This request would exceed your rate limit", "prompt is too long: 210000 tokens > 200000 maximum"],
    };
    assert!(is_context_overflow(&facts));
    let only_limited = ErrorFacts { status_codes: vec![429, 429, 503], ..facts };
    assert!(!is_context_overflow(&only_limited));
}

#[test]
fn a_413_of_a_rate_limit_is_known_by_its_code_too() {
    let facts = ErrorFacts { status_codes: vec![413], codes: vec!["rate_limit_exceeded"], ..ErrorFacts::default() };
    assert!(!is_context_overflow(&facts));
}

#[test]
fn only_the_beginning_of_a_long_text_is_read() {
    let sentence = "prompt is too long: 219898 tokens > 200000 maximum";
    let late = format!("{}{sentence}", "é".repeat(1_000_000));
    let early = format!("{sentence}{}", "é".repeat(1_000_000));
    assert!(!is_context_overflow(&ErrorFacts { texts: vec![&late], ..ErrorFacts::default() }));
    assert!(is_context_overflow(&ErrorFacts { texts: vec![&early], ..ErrorFacts::default() }));
}

proptest! {
    #[test]
    fn any_facts_get_an_answer_and_always_the_same(
        text in ".{0,400}",
        code in ".{0,40}",
        name in ".{0,40}",
        status in any::<u16>(),
    ) {
        let facts =
            ErrorFacts { names: vec![&name], status_codes: vec![status], codes: vec![&code], texts: vec![&text, &text] };
        prop_assert_eq!(is_context_overflow(&facts), is_context_overflow(&facts.clone()));
    }

    #[test]
    fn the_case_of_a_sentence_does_not_matter(upper in any::<bool>()) {
        let sentence = "Input is too long for requested model.";
        let text = if upper { sentence.to_uppercase() } else { sentence.to_lowercase() };
        let facts = ErrorFacts { texts: vec![&text], ..ErrorFacts::default() };
        prop_assert!(is_context_overflow(&facts));
    }
}

#[test]
fn a_number_that_is_no_http_status_does_not_become_one() {
    assert_eq!(http_status(413.0), Some(413));
    // 65,949 is 413 in sixteen bits.
    for number in [65_949.0, -65_123.0, 413.5, 0.0, 99.0, 600.0, 1e300, f64::NAN, f64::INFINITY] {
        assert_eq!(http_status(number), None, "{number}");
    }
}
