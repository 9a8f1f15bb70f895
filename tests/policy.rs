//! What gives way when a prompt does not fit, in small cases: which parts, in which order, and what is left alone.
//! One table a rule. Not properties: those hold for any conversation; not golden cases: those hold texts.
#![allow(clippy::unwrap_used, clippy::panic)]

use stepfold::apply::apply;
use stepfold::entry::{Entry, measure};
use stepfold::message::{Call, Extent, Item, Json, Media, MediaKind, Message, Output, Part, Role, ToolResult};
use stepfold::plan::{Done, Extra, Plan, PlanInput, PlanMode, Source, Summary, plan};
use stepfold::settings::{Options, Settings, Threshold};
use stepfold::state::FoldState;
use stepfold::tokens::calibration::Calibration;

/// A text of about this many tokens: lines that differ, from a beginning that says whose it is.
fn words(name: &str, tokens: usize) -> String {
    (0..tokens.div_ceil(10)).map(|n| format!("{name} line {n} has some words in it\n")).collect()
}

fn message(role: Role, parts: Vec<Part>) -> Message {
    Message { role, parts, marker: None }
}

fn user(text: impl Into<String>) -> Message {
    message(Role::User, vec![Part::text(text.into())])
}

/// A signed thought: with it the running loop can be cut nowhere, so that nothing of it can be folded.
fn thought() -> Part {
    Part::Reasoning { text: "I look at what there is.".into(), leads_loop: true }
}

fn call(id: &str, input: &str) -> Part {
    let input = format!(r#"{{"text":{}}}"#, serde_json::to_string(input).unwrap());
    Part::Call(Call { id: id.into(), name: "read".into(), input, omitted_bytes: 0, provider_executed: false, caller: None })
}

fn result(id: &str, output: Output) -> Part {
    Part::Result(ToolResult { id: id.into(), name: "read".into(), output, provider_executed: false, marker: None })
}

/// A step: calls, and their results as one message.
fn step(results: &[(&str, Output)]) -> [Message; 2] {
    [
        message(Role::Assistant, results.iter().map(|(id, _)| call(id, "x")).collect()),
        message(Role::Tool, results.iter().map(|(id, output)| result(id, output.clone())).collect()),
    ]
}

fn text(name: &str, tokens: usize) -> Output {
    Output::Text(words(name, tokens))
}

/// PDFs by URL: four pages of 2,500 tokens each, as nobody can look inside.
fn pdfs(count: usize) -> Vec<Part> {
    let media = |n: usize| Media {
        kind: MediaKind::Pdf,
        bytes: None,
        sample: format!("https://x.test/{n}.pdf").into_bytes(),
        extent: Extent::Unknown,
    };
    (0..count).map(|n| Part::Media(media(n))).collect()
}

/// A screenshot of this many tokens and a sentence.
fn screenshots(count: usize) -> Output {
    let mut items = vec![Item::Text("The page as it is now.".into())];
    let image =
        |n: usize| Media { kind: MediaKind::Image, bytes: Some(9_000), sample: vec![n as u8], extent: Extent::Pixels(1_568, 1_568) };
    items.extend((0..count).map(|n| Item::Media(image(n))));
    Output::Content(items)
}

struct Reader<'a>(&'a [Message]);

impl Source for Reader<'_> {
    fn message(&self, index: usize) -> Option<Message> {
        self.0.get(index).cloned()
    }
}

/// What is sent of a conversation in a window, of which all is for messages.
struct Sent {
    messages: Vec<Message>,
    plan: Plan,
}

fn send(window: f64, messages: &[Message], state: &FoldState) -> Sent {
    send_with(window, Options::default(), messages, state)
}

fn send_with(window: f64, options: Options, messages: &[Message], state: &FoldState) -> Sent {
    let options = Options { context_window: Some(window), reserve_tokens: Some(0.0), ..options };
    let mut settings = Settings::new(&options, "gpt-4o", "openai");
    settings.has_given_overhead = true;
    let entries: Vec<Entry> = messages.iter().map(measure).collect();
    let mut calibration = Calibration::new(1.0, 0.0);
    // Much was reported, so that estimates are trusted.
    (calibration.is_reported, calibration.estimated_delta_tokens) = (true, 1e6);
    let plan = plan(&PlanInput {
        entries: &entries,
        source: &Reader(messages),
        settings: &settings,
        options: &options,
        state,
        calibration: &calibration,
        extends: false,
        summary: Summary::NotAsked,
        mode: PlanMode::All,
        keep_from: messages.len(),
        extra: Extra::default(),
    });
    Sent { messages: apply(messages, &plan.edits), plan }
}

impl Sent {
    /// All that is sent.
    fn text(&self) -> String {
        self.messages.iter().flat_map(|message| &message.parts).map(text_of).collect()
    }

    /// Tokens of the result of a call as it is sent; `None` when it is folded.
    fn tokens_of(&self, id: &str) -> Option<u32> {
        let parts = self.messages.iter().zip(self.messages.iter().map(measure));
        parts.flat_map(|(message, entry)| message.parts.clone().into_iter().zip(entry.parts)).find_map(|(part, entry)| match part {
            Part::Result(result) if result.id == id => Some(entry.tokens),
            _ => None,
        })
    }

    fn is_over(&self) -> bool {
        self.plan.done.iter().any(|done| matches!(done, Done::OverBudget { .. }))
    }

    fn tokens(&self) -> u32 {
        self.messages.iter().map(|message| measure(message).tokens()).sum()
    }
}

fn text_of(part: &Part) -> String {
    match part {
        Part::Text { text, .. } => text.clone(),
        Part::Call(call) => call.input.clone(),
        Part::Result(result) => result.output.to_text(),
        _ => String::new(),
    }
}

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
    let options = Options { target: Some(Threshold::Share(0.46)), ..Options::default() };
    let sent = send_with(5_600.0, options, &messages, &FoldState::default());
    assert!(sent.tokens_of("a") < Some(60), "the oldest is left: {:?}", sent.tokens_of("a"));
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
fn an_image_too_large_for_the_window_is_told_and_what_to_do_instead() {
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
        assert!(edits <= 3, "{count} PDFs: {edits} edits in 60 steps");
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
