//! Providers that report nothing: edits are as rare there as elsewhere, and where the overhead is known the window is used.

use super::*;

/// How 80 steps with results of so many tokens are sent.
#[derive(Debug)]
struct Played {
    edits: usize,
    /// The largest prompt, overhead included, as the provider counts.
    largest: f64,
}

fn play(window: f64, tokens: usize, overhead: Option<f64>) -> Played {
    let options = Options { context_window: Some(window), ..Options::default() };
    let settings = Settings::new(&options, "qwen3-coder-30b", "llama-server.chat");
    let mut calibration = Calibration { is_silent: true, ..Calibration::new(settings.prior_ratio, 0.0) };
    if let Some(overhead) = overhead {
        calibration.see_overhead(overhead);
    }
    let mut messages = vec![user("Compare all gauges and tell me the highest.")];
    let (mut state, mut played) = (FoldState::default(), Played { edits: 0, largest: 0.0 });
    for n in 0..80 {
        messages.extend(used(&format!("c{n}"), "report", &format!(r#"{{"n":{n}}}"#), text(&format!("gauge {n}"), tokens)));
        let sent = send_by(PlanMode::All, &settings, &options, &calibration, &messages, &state, &NOT_REQUESTED);
        assert!(!sent.is_over(), "{window} {tokens}, step {n}: {:?}", sent.plan.done);
        played.edits += usize::from(sent.plan.breaks_prefix());
        played.largest = played.largest.max(calibration.overhead_tokens + settings.prior_ratio * f64::from(sent.tokens()));
        state = sent.plan.state;
    }
    assert!(played.largest + calibration.unknown_overhead(window) <= window - settings.reserve_tokens, "{window} {tokens}: {played:?}");
    played
}

#[test]
fn where_the_overhead_is_known_most_of_the_window_is_used_and_one_step_in_five_edits() {
    for (window, tokens, overhead) in [
        (32_000.0, 300, 1_500.0),
        (32_000.0, 1_400, 1_500.0),
        (32_000.0, 1_400, 0.0),
        (32_000.0, 1_900, 1_500.0),
        (64_000.0, 1_400, 6_000.0),
        (64_000.0, 4_000, 1_500.0),
        (64_000.0, 4_300, 1_500.0),
        (128_000.0, 9_000, 12_000.0),
        (200_000.0, 3_000, 30_000.0),
    ] {
        let played = play(window, tokens, Some(overhead));
        assert!(played.edits <= 16 && played.largest >= 0.6 * window, "{window} {tokens}: {played:?}");
    }
}

#[test]
fn where_it_is_guessed_one_step_in_four_edits() {
    for (window, tokens) in
        [(32_000.0, 300), (32_000.0, 1_400), (32_000.0, 1_900), (64_000.0, 1_400), (64_000.0, 4_000), (64_000.0, 4_300), (128_000.0, 9_000)]
    {
        let played = play(window, tokens, None);
        assert!(played.edits <= 20, "{window} {tokens}: {played:?}");
    }
}
