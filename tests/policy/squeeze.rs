//! What gives way when a prompt does not fit: which parts, in which order, how far, and what is left alone.

use super::*;
use stepfold::model::entry::{Meter, measure_with};
use stepfold::tokens::estimate::estimate_tokens;

#[test]
fn a_result_with_bytes_in_its_json_gives_way_to_a_note() {
    let numbers: Vec<String> = (0..73).map(|n| n.to_string()).collect();
    let bytes = Output::Json(Json { text: format!("[{}]", numbers.join(",")), omitted_bytes: 20_000 });
    let mut messages = vec![user("Look at it.")];
    messages.extend(step(&[("bytes", bytes)]));
    let sent = send(4_000.0, &messages, &FoldState::default());
    assert!(sent.text().contains("binary data left out"), "{:?} {}", sent.plan.done, sent.text());
}

#[test]
fn squeezing_takes_from_what_is_older_and_stops_at_what_fits() {
    // Steps in a loop that cannot be folded; together they do not fit.
    let mut messages = vec![user("Find out why the build is slow."), message(Role::Assistant, vec![thought(), call("a", "x")])];
    messages.push(message(Role::Tool, vec![result("a", text("first", 450))]));
    for name in ["b", "c", "d", "e", "f", "g", "h", "i", "j"] {
        messages.extend(step(&[(name, text(name, 450))]));
    }
    let options = Options { target: Some(Threshold::Share(0.6)), ..Options::default() };
    let sent = send_with(5_600.0, options, &messages, &FoldState::default());
    // A placeholder with a few parts of it.
    assert!(sent.tokens_of("a") < Some(200), "the oldest is left: {:?}", sent.tokens_of("a"));
    for name in ["h", "i", "j"] {
        assert!(sent.tokens_of(name) > Some(400), "{name} is cut: {:?}", sent.tokens_of(name));
    }
    assert!(!sent.is_over());
}

#[test]
fn a_result_that_the_model_has_not_seen_keeps_head_and_tail() {
    // Any number of parallel results behind a request; each keeps what it has, a thousand tokens, or an equal share.
    for (window, count, tokens, least) in
        [(16_000.0, 1, 40_000, 1_000), (16_000.0, 12, 10_000, 300), (8_000.0, 12, 10_000, 200), (16_000.0, 3, 150, 140)]
    {
        let names: Vec<String> = (0..count).map(|n| format!("r{n}")).collect();
        let results: Vec<(&str, Output)> = names.iter().map(|name| (name.as_str(), text(name, tokens))).collect();
        let mut messages = vec![user(words("rule", 100))];
        messages.extend(step(&results));
        // The user adds something before the model answers: the results are as new as before.
        for add in [false, true] {
            messages.extend(add.then(|| user("And look at the tests, too.")));
            let sent = send(window, &messages, &FoldState::default());
            for name in &names {
                let kept = sent.tokens_of(name).unwrap_or_default();
                assert!(kept >= least, "{count} results of {tokens} tokens in {window}: {name} keeps {kept}");
                let text = sent.text();
                assert!(text.contains(&format!("{name} line 0 ")), "{name} has lost its head");
            }
            assert!(!sent.is_over() && f64::from(sent.tokens()) < window);
        }
    }
}

#[test]
fn calls_and_the_models_texts_give_way_before_a_new_result() {
    let mut messages = vec![user("Write the file.")];
    messages.push(message(Role::Assistant, vec![Part::text(words("thought", 2_500)), call("a", &words("content", 2_500))]));
    messages.push(message(Role::Tool, vec![result("a", text("new", 500))]));
    let sent = send(4_000.0, &messages, &FoldState::default());
    assert!(sent.tokens_of("a") > Some(450), "{:?}", sent.tokens_of("a"));
    assert!(!sent.text().contains("thought line 100 ") && !sent.is_over());
}

#[test]
fn text_beside_a_signed_thought_gives_way_like_any_other() {
    let mut messages = vec![user("Write the report chapter by chapter.")];
    for n in 0..3 {
        let parts = vec![thought(), Part::text(words(&format!("chapter{n}"), 3_000)), call(&format!("c{n}"), "saved")];
        messages.extend([message(Role::Assistant, parts), message(Role::Tool, vec![result(&format!("c{n}"), text("saved", 20))])]);
        let sent = send(6_000.0, &messages, &FoldState::default());
        assert!(!sent.is_over() && sent.tokens() < 6_000, "{n}: {} tokens", sent.tokens());
        assert!(sent.messages.iter().any(|message| message.parts.first() == Some(&thought())), "{n}: the loop has lost its thought");
    }
}

#[test]
fn an_image_too_large_for_the_window_leaves_a_line_that_says_what_to_do_instead() {
    let mut messages = vec![user("Look at the page.")];
    messages.extend(step(&[("shot", screenshots(3))]));
    for (window, is_shown) in [(16_000.0, true), (4_000.0, false)] {
        let sent = send(window, &messages, &FoldState::default());
        let text = sent.text();
        assert_eq!(text.contains("3 × image left out: too large"), !is_shown, "{window}: {text}");
        assert!(text.contains("The page as it is now.") && !sent.is_over());
    }
}

#[test]
fn older_words_of_the_user_are_cut_only_if_the_prompt_then_fits() {
    // The newest message of the user is sent as it is. Nothing here can be folded: the results are new.
    for (newest_tokens, is_cut) in [(500, true), (8_000, false)] {
        let mut messages: Vec<Message> = step(&[("a", text("new", 100))]).into();
        messages.insert(0, user("Begin."));
        messages.push(user(words("rule", 6_000)));
        messages.push(user(words("log", newest_tokens)));
        let sent = send(6_000.0, &messages, &FoldState::default());
        assert_eq!(!sent.text().contains("rule line 300 "), is_cut, "{:?}", sent.plan.done);
        assert_eq!(sent.is_over(), !is_cut);
        assert!(sent.text().ends_with(&words("log", newest_tokens)));
        assert!(sent.tokens_of("a") >= Some(90));
    }
}

#[test]
fn files_that_cannot_shrink_are_not_edited_for_crumbs() {
    // Above and below where work starts, and above the window: in 60 steps of about 130 tokens there is little to save.
    for count in [5, 6, 7, 8, 9] {
        let (mut messages, mut state, mut edits) =
            (vec![message(Role::User, [vec![Part::text(words("rule", 300))], pdfs(count)].concat())], FoldState::default(), 0);
        for n in 0..60 {
            let sent = send(80_000.0, &messages, &state);
            edits += usize::from(sent.plan.breaks_prefix());
            assert!(sent.text().contains("rule line 20 "), "{count} PDFs, step {n}: the request is cut");
            state = sent.plan.state;
            messages.extend(step(&[(&format!("c{n}"), text("some", 100))]));
        }
        assert!(edits <= 4, "{count} PDFs: {edits} edits in 60 steps");
    }
}

#[test]
fn beside_files_that_cannot_shrink_the_rest_is_still_kept_within_the_window() {
    // 70 of 80 thousand tokens are files; results of 1,000 tokens come on top, step after step.
    let (mut messages, mut state, mut edits) =
        (vec![message(Role::User, [vec![Part::text(words("rule", 100))], pdfs(7)].concat())], FoldState::default(), 0);
    for n in 0..60 {
        let sent = send(80_000.0, &messages, &state);
        edits += usize::from(sent.plan.breaks_prefix());
        assert!(sent.tokens() <= 80_000 && !sent.is_over(), "step {n}: {} tokens", sent.tokens());
        if n > 0 {
            assert!(sent.tokens_of(&format!("c{}", n - 1)) > Some(900), "step {n}: the newest result is cut");
        }
        state = sent.plan.state;
        messages.extend(step(&[(&format!("c{n}"), text("some", 1_000))]));
    }
    assert!(edits <= 25, "{edits} edits in 60 steps");
}

#[test]
fn files_beside_an_overhead_that_is_only_guessed_are_not_edited_for_crumbs() {
    // Half of the window are files, and nothing is reported: by the guess there is no room for more, by what is known a fifth is free.
    for (count, window) in [(3, 64_000.0), (6, 128_000.0), (9, 200_000.0)] {
        let (mut messages, mut state, mut edits) =
            (vec![message(Role::User, [vec![Part::text(words("rule", 300))], pdfs(count)].concat())], FoldState::default(), 0);
        for n in 0..40 {
            let sent = send_unreported(window, &messages, &state);
            edits += usize::from(sent.plan.breaks_prefix());
            assert!(sent.text().contains("rule line 20 ") && !sent.is_over(), "{count} PDFs, step {n}");
            state = sent.plan.state;
            messages.extend(step(&[(&format!("c{n}"), text("some", 300))]));
        }
        assert!(edits <= 5, "{count} PDFs in {window}: {edits} edits in 40 steps of 400 tokens");
    }
}

#[test]
fn a_checkpoint_carries_all_files_of_the_message_that_is_being_answered() {
    for (count, window) in [(8, 110_000.0), (12, 150_000.0), (20, 480_000.0)] {
        let mut messages = vec![message(Role::User, [vec![Part::text("Look at these.".to_owned())], pdfs(count)].concat())];
        for n in 0..30 {
            messages.extend(step(&[(&format!("c{n}"), text("some", 400))]));
        }
        let sent = send_in(PlanMode::Checkpoint, window, Options::default(), &messages, &FoldState::default());
        let files = sent.messages[0].parts.iter().filter(|part| matches!(part, Part::Media(_))).count();
        assert_eq!(files, count, "{count} PDFs in {window}");
    }
}

#[test]
fn a_cut_input_costs_what_a_fresh_measurement_says_whatever_a_model_has_around_a_call() {
    for model in ["gpt-5", "claude-opus-4-7", "qwen3-coder-30b", "some-model"] {
        let options = Options { context_window: Some(4_000.0), reserve_tokens: Some(0.0), ..Options::default() };
        let settings = Settings::new(&options, model, "");
        let measured = |messages: &[Message]| -> Vec<Entry> {
            messages.iter().map(|message| measure_with(message, Meter { counting: settings.counting, count: &estimate_tokens })).collect()
        };
        let input = format!(r#"{{"content":{}}}"#, serde_json::to_string(&words("generated", 6_000)).unwrap());
        let mut messages = talk([used("w", "write_file", &input, Output::Text("ok".into()))]);
        messages.extend(step(&[("r", text("r", 300))]));
        let entries = measured(&messages);
        let plan = plan(&PlanInput {
            entries: &entries,
            source: &Reader(&messages),
            settings: &settings,
            options: &options,
            state: &FoldState::default(),
            calibration: &Calibration::new(1.0, 0.0),
            extends: false,
            summary: Summary::NotRequested,
            mode: PlanMode::All,
            keep_from: messages.len(),
            extra: Extra::default(),
        });
        let sent = apply(&messages, &plan.edits);
        let fresh: u64 = measured(&sent).iter().map(|entry| u64::from(entry.tokens())).sum();
        assert!(plan.estimated_after < plan.estimated_before, "{model}: {:?}", plan.done);
        assert_eq!(plan.estimated_after, fresh, "{model}: {:?}", plan.done);
    }
}
