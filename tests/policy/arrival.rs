//! What becomes of a result when it arrives: whole if it fits once the rest has given way, else as much of it as is left.

use super::*;

/// What a result has before anything is done to it.
fn whole(name: &str, tokens: usize) -> Option<u32> {
    Some(measure(&message(Role::Tool, vec![result(name, text(name, tokens))])).parts[0].tokens)
}

/// A conversation with so many results of a thousand tokens, and what is remembered of it.
fn worked(window: f64, results: usize) -> (Vec<Message>, FoldState) {
    let mut messages = vec![user("Find out why the build is slow.")];
    for n in 0..results {
        messages.extend(read(&format!("old{n}"), &format!("src/{n}.rs")));
    }
    let state = send(window, &messages, &FoldState::default()).plan.state;
    (messages, state)
}

#[test]
fn a_large_document_in_an_empty_window_is_sent_whole() {
    for (window, tokens) in [(20_000.0, 12_000), (128_000.0, 22_700), (128_000.0, 80_000), (4_000.0, 2_500)] {
        let mut messages = vec![user("Summarize this contract.")];
        messages.extend(step(&[("contract", text("contract", tokens))]));
        let sent = send(window, &messages, &FoldState::default());
        assert_eq!(sent.tokens_of("contract"), whole("contract", tokens), "{window}");
        assert!(sent.plan.edits.is_empty() && !sent.is_over(), "{:?}", sent.plan.done);
    }
}

#[test]
fn what_is_older_gives_way_to_a_new_result_and_not_the_other_way_round() {
    // Beside few older results, too, where a cut would leave much of the new one.
    for older in 6..=12 {
        let (mut messages, state) = worked(20_000.0, older);
        messages.extend(step(&[("contract", text("contract", 12_000))]));
        let sent = send(20_000.0, &messages, &state);
        assert_eq!(sent.tokens_of("contract"), whole("contract", 12_000), "{older} older results: {:?}", sent.plan.done);
        assert!(sent.cut().is_empty() && !sent.is_over(), "{older} older results");
        assert!(older < 12 || sent.plan.breaks_prefix());
    }
}

#[test]
fn the_step_after_a_large_result_fits_and_begins_as_the_one_before() {
    let (window, mut state) = (20_000.0, FoldState::default());
    let mut messages = vec![user("Summarize this contract.")];
    messages.extend(step(&[("contract", text("contract", 12_000))]));
    for n in 0..12 {
        let sent = send(window, &messages, &state);
        assert!(!sent.is_over() && f64::from(sent.tokens()) < window, "step {n}");
        let newest = format!("c{}", n - 1);
        assert!(n == 0 || sent.tokens_of(&newest) == whole(&newest, 500), "step {n}: the new result is cut");
        // There is room for these: nothing moves.
        assert!(n > 4 || sent.plan.edits.is_empty(), "step {n}: {:?}", sent.plan.done);
        state = sent.plan.state;
        messages.extend(step(&[(&format!("c{n}"), text(&format!("c{n}"), 500))]));
    }
}

#[test]
fn a_giant_that_cannot_fit_is_cut_visibly_and_takes_nothing_from_what_is_older() {
    let (mut messages, state) = worked(20_000.0, 3);
    messages.extend(step(&[("giant", text("giant", 90_000))]));
    let sent = send(20_000.0, &messages, &state);
    assert_eq!(sent.cut(), ["giant"]);
    assert!(sent.tokens_of("giant") > Some(8_000), "{:?}", sent.tokens_of("giant"));
    assert!(!sent.plan.breaks_prefix() && !sent.is_over(), "{:?}", sent.plan.done);
    let said = sent.text();
    assert!(said.contains("left out by stepfold: too large for what is left of the context window; "));
    assert!(said.contains("giant line 0 ") && said.contains("giant line 8999 "));
    // It stands as it was sent while there is room.
    messages.extend(step(&[("next", text("next", 500))]));
    let after = send(20_000.0, &messages, &sent.plan.state);
    assert_eq!((after.tokens_of("giant"), after.tokens_of("next")), (sent.tokens_of("giant"), whole("next", 500)));
}

#[test]
fn between_head_and_tail_of_a_giant_stands_what_was_asked_for() {
    let log = |n: usize| match n {
        1_500 => "INFO worker 3 export: job 88213 failed, mandate DE-7741 is revoked\n    at exportBatch (export/batch.ts:64)\n".to_owned(),
        _ => format!("INFO worker {} export: job {} done in {} ms\n", n % 7, 100_000 + n, n % 90),
    };
    let table = |n: usize| match n {
        1_500 => r#"{"amount":-18340,"store":"Soest","sku":"SKU-4410"}"#.to_owned(),
        _ => format!(r#"{{"amount":{},"store":"Soest","sku":"SKU-{}"}}"#, n % 90, 10_000 + n),
    };
    let rows = (0..6_000).map(table).collect::<Vec<_>>().join(",");
    for (asked, output, needed) in [
        ("Why did job 88213 fail?", Output::Text((0..6_000).map(log).collect()), "revoked\n    at exportBatch (export/batch.ts:64)"),
        ("What is wrong with SKU-4410?", Output::Json(Json { text: format!("[{rows}]"), omitted_bytes: 0 }), r#""amount":-18340,"#),
    ] {
        let mut messages = vec![user(asked)];
        messages.extend(used("giant", "read", "{}", output));
        let sent = send(20_000.0, &messages, &FoldState::default());
        assert!(sent.cut() == ["giant"] && sent.text().contains(needed) && !sent.is_over(), "{needed}");
        let again = send(20_000.0, &messages, &sent.plan.state);
        assert_eq!(again.text(), sent.text());
    }
}

#[test]
fn beside_much_that_is_older_a_giant_still_gets_half_of_what_fits() {
    let (mut messages, state) = worked(20_000.0, 15);
    messages.extend(step(&[("giant", text("giant", 90_000))]));
    let sent = send(20_000.0, &messages, &state);
    assert_eq!(sent.cut(), ["giant"]);
    assert!(sent.tokens_of("giant") > Some(7_500) && !sent.is_over(), "{:?}", sent.tokens_of("giant"));
}

#[test]
fn parallel_results_share_what_is_left_however_many_they_are() {
    for (window, count, tokens) in [(20_000.0, 5, 6_000), (20_000.0, 40, 2_000), (20_000.0, 120, 600), (128_000.0, 600, 700)] {
        let names: Vec<String> = (0..count).map(|n| format!("r{n}")).collect();
        let mut results: Vec<(&str, Output)> = names.iter().map(|name| (name.as_str(), text(name, tokens))).collect();
        results.push(("small", text("small", 20)));
        let mut messages = vec![user("Look everywhere.")];
        messages.extend(step(&results));
        let sent = send(window, &messages, &FoldState::default());
        let shares: Vec<u32> = names.iter().filter_map(|name| sent.tokens_of(name)).collect();
        let (least, most) = (shares.iter().min().unwrap(), shares.iter().max().unwrap());
        assert!(shares.len() == count && *least * 2 > *most, "{count} results of {tokens}: {least} to {most}");
        assert_eq!(sent.tokens_of("small"), whole("small", 20), "{count} results");
        assert!(names.iter().all(|name| sent.text().contains(&format!("{name} line 0 "))), "{count} results: a head is lost");
        assert!(!sent.is_over() && (0.5..0.96).contains(&(f64::from(sent.tokens()) / window)), "{count} results: {}", sent.tokens());
    }
}

#[test]
fn what_is_only_guessed_of_the_overhead_gives_way_to_very_many_results() {
    let names: Vec<String> = (0..80).map(|n| format!("r{n}")).collect();
    let results: Vec<(&str, Output)> = names.iter().map(|name| (name.as_str(), text(name, 700))).collect();
    let mut messages = vec![user("Look up all of them.")];
    messages.extend(step(&results));
    let sent = send_unreported(16_000.0, &messages, &FoldState::default());
    assert!(sent.tokens() < 12_000 && !sent.is_over(), "{}", sent.tokens());
    assert!(names.iter().all(|name| sent.text().contains(&format!("{name} line 0"))));
}

#[test]
fn what_was_sent_whole_is_not_cut_when_the_user_says_more() {
    let mut messages = vec![user("Summarize this contract.")];
    messages.extend(step(&[("contract", text("contract", 12_000))]));
    let before = send(20_000.0, &messages, &FoldState::default());
    messages.push(user("In three sentences."));
    let after = send(20_000.0, &messages, &before.plan.state);
    assert_eq!(after.tokens_of("contract"), whole("contract", 12_000));
    assert!(after.plan.edits.is_empty(), "{:?}", after.plan.done);
}

#[test]
fn a_first_result_that_fits_is_sent_whole_before_anything_was_reported() {
    // Of 108,000 tokens that may be sent it takes 89,700, and was cut to 57,000.
    for (window, tokens) in [(128_000.0, 89_700.0), (200_000.0, 155_000.0), (64_000.0, 32_000.0), (32_000.0, 14_500.0)] {
        for is_silent in [false, true] {
            let options = Options { context_window: Some(window), ..Options::default() };
            let settings = Settings::new(&options, "gpt-4o", "openai");
            let calibration = Calibration { is_silent, ..Calibration::new(settings.prior_ratio, 0.0) };
            let mut messages = vec![user("Summarize this contract.")];
            // `words` has ten tokens a line or some more.
            let lines =
                (1..).find(|lines| f64::from(measure(&user(words("contract", lines * 100))).tokens()) * settings.prior_ratio > tokens);
            let size = lines.unwrap_or_default() * 100 - 100;
            messages.extend(step(&[("contract", text("contract", size))]));
            let sent = send_by(PlanMode::All, &settings, &options, &calibration, &messages, &FoldState::default(), &NOT_REQUESTED);
            assert_eq!(sent.tokens_of("contract"), whole("contract", size), "{window} {is_silent}: {:?}", sent.plan.done);
            assert!(!sent.is_over(), "{window} {is_silent}");
        }
    }
}
