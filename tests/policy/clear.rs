//! Cap and clear: which results go, in which order, and which never do.

use stepfold::digest::effect::Effect;
use stepfold::digest::tools::ToolRule;

use super::*;

/// A conversation of which `tokens` must go, and what is then cleared, in order.
struct Case {
    rule: &'static str,
    messages: Vec<Message>,
    tokens: u32,
    options: fn(Options) -> Options,
    cleared: &'static [&'static str],
}

fn case(rule: &'static str, messages: Vec<Message>, tokens: u32, cleared: &'static [&'static str]) -> Case {
    Case { rule, messages, tokens, options: |options| options, cleared }
}

fn check(case: Case) {
    let all = size(&case.messages);
    let options = (case.options)(between(all - 1, all - case.tokens));
    let sent = send_with(50_000.0, options, &case.messages, &FoldState::default());
    assert_eq!(sent.cleared(), case.cleared, "{}: {:?}", case.rule, sent.plan.done);
    assert!(!sent.folds(), "{}: nothing need be folded", case.rule);
}

#[test]
fn the_oldest_goes_first_and_no_more_than_must() {
    let steps = || talk([read("a", "a.rs"), read("b", "b.rs"), read("c", "c.rs"), read("d", "d.rs")]);
    check(case("one must go", steps(), 500, &["a"]));
    check(case("two must go", steps(), 1_200, &["a", "b"]));
}

#[test]
fn what_a_placeholder_would_hardly_shorten_stays_while_another_result_is_enough() {
    let steps = || talk([used("small", "get_total", "{}", text("small", 190)), read("b", "b.rs"), read("c", "c.rs")]);
    check(case("the larger one is enough", steps(), 500, &["b"]));
}

#[test]
fn what_is_stale_goes_before_what_is_older() {
    check(case(
        "the same call was made again",
        talk([read("old", "old.rs"), read("first", "a.rs"), read("again", "a.rs"), read("d", "d.rs")]),
        500,
        &["first"],
    ));
    let next = |id: &str| used(id, "click_next", r#"{"element":"Next"}"#, text(id, 1_000));
    check(case(
        "an act that is made again brings something else: the second click on Next another page",
        talk([read("old", "old.rs"), next("first"), next("second"), read("d", "d.rs")]),
        500,
        &["old"],
    ));
    check(case(
        "all readings of a file that was changed are stale",
        talk([read("old", "old.rs"), read("before", "a.rs"), read("newest", "a.rs"), wrote("w", "a.rs"), read("d", "d.rs")]),
        1_200,
        &["before", "newest"],
    ));
    let by_thing = || {
        talk([read("old", "old.rs"), read("before", "a.rs"), used("w", "thing", r#"{"path":"a.rs"}"#, text("w", 20)), read("d", "d.rs")])
    };
    check(case("of a tool that nothing is known of it is not told that it changes anything", by_thing(), 500, &["old"]));
    let acts =
        |options| Options { tools: vec![ToolRule { tool: "thing".into(), effect: Some(Effect::Acts), ..ToolRule::default() }], ..options };
    check(Case { options: acts, ..case("the user says that a tool changes things", by_thing(), 500, &["before"]) });
    check(case(
        "another file was changed",
        talk([read("old", "old.rs"), read("before", "a.rs"), wrote("w", "other.rs"), read("d", "d.rs")]),
        500,
        &["old"],
    ));
    check(case(
        "stale ones first, then the oldest",
        talk([read("old", "old.rs"), read("first", "a.rs"), read("again", "a.rs"), read("d", "d.rs")]),
        1_200,
        &["first", "old"],
    ));
}

#[test]
fn a_call_with_another_input_is_no_repetition() {
    check(case(
        "two commands of one tool",
        talk([ran("one", "ls", text("one", 1_000)), ran("two", "ls -a", text("two", 1_000)), read("d", "d.rs")]),
        500,
        &["one"],
    ));
    check(case(
        "a command that was run again, before an older one",
        talk([
            ran("other", "ls", text("other", 1_000)),
            ran("one", "npm test", text("one", 1_000)),
            ran("two", "npm test", text("two", 1_000)),
            read("d", "d.rs"),
        ]),
        500,
        &["one"],
    ));
}

#[test]
fn what_a_plan_says_it_cleared_is_sent_cleared_and_not_folded() {
    let (mut clears, mut folds) = (false, false);
    for count in [10, 60] {
        let mut messages = vec![user("Find out why the build is slow.")];
        for n in 0..count {
            messages.extend(read(&format!("r{n}"), &format!("src/{n}.rs")));
        }
        let all = size(&messages);
        for (part, window) in (1..20).flat_map(|part| [(part, 20_000.0), (part, 200_000.0)]) {
            let sent = send_with(window, between(all - 1, all / 20 * part), &messages, &FoldState::default());
            (clears, folds) = (clears || !sent.cleared().is_empty(), folds || sent.folds());
            for id in sent.cleared() {
                let tokens = sent.tokens_of(id);
                assert!(tokens.is_some_and(|tokens| tokens < 1_000), "{id} of {count}, {part}: {tokens:?}, {:?}", sent.plan.done);
            }
        }
    }
    assert!(clears && folds);
}

/// Two results may go. Each has 1,000 tokens, of which its placeholder may take 125: together they save 1,750 for sure. Nothing may be folded.
fn two_may_go() -> Vec<Message> {
    let mut messages = talk([read("a", "a.rs"), read("b", "b.rs"), ran("d", "ls", text("d", 4_000))]);
    messages[1].parts.insert(0, thought());
    messages
}

#[test]
fn less_than_the_least_saving_is_not_worth_an_edit() {
    let messages = two_may_go();
    let all = size(&messages);
    for (least, cleared) in [(1_740.0, &["a", "b"][..]), (1_770.0, &[])] {
        let options = Options { min_clear_tokens: Some(least), ..between(all - 1, all - 3_600) };
        let sent = send_with(50_000.0, options, &messages, &FoldState::default());
        assert_eq!(sent.cleared(), cleared, "at least {least}: {:?}", sent.plan.done);
    }
}

#[test]
fn a_clearing_need_not_save_more_than_half_of_the_way_from_target_to_trigger_unless_the_user_says_so() {
    let messages = two_may_go();
    let all = size(&messages);
    for (given, way, cleared) in [(None, 3_440, &["a", "b"][..]), (None, 3_560, &[]), (Some(10_000.0), 3_440, &[])] {
        let options = Options { min_clear_tokens: given, ..between(all - 1, all - 1 - way) };
        let sent = send_with(50_000.0, options, &messages, &FoldState::default());
        assert_eq!(sent.cleared(), cleared, "{given:?}, {way} tokens from target to trigger: {:?}", sent.plan.done);
    }
}

#[test]
fn a_tool_that_is_to_be_kept_is_not_cleared() {
    let protect: fn(Options) -> Options = |options| Options { tools: keeping("read_file", Keep::Always), ..options };
    let messages = talk([read("kept", "a.rs"), ran("b", "ls", text("b", 1_000)), read("d", "d.rs")]);
    check(Case { options: protect, ..case("the older one is to be kept", messages, 500, &["b"]) });
}

#[test]
fn what_is_worth_nothing_once_it_was_seen_goes_first() {
    let forget: fn(Options) -> Options = |options| Options { tools: keeping("bash", Keep::Never), ..options };
    let looked = |id: &str| ran(id, &format!("look {id}"), text(id, 1_200));
    let steps = || talk([read("old", "old.rs"), read("first", "a.rs"), read("again", "a.rs"), looked("x"), looked("y"), read("d", "d.rs")]);
    check(Case { options: forget, ..case("before what is older or stale", steps(), 400, &["x"]) });
    check(Case { options: forget, ..case("and what is stale next", steps(), 2_200, &["x", "y", "first"]) });
    let mut failing = steps();
    failing.splice(1..1, ran("open", "look z", Output::ErrorText(words("open", 1_000))));
    check(Case { options: forget, ..case("not while it is an error that is open", failing, 400, &["x", "y"]) });
    // The newest step has not been seen.
    let unseen = talk([read("old", "old.rs"), looked("x")]);
    check(Case { options: forget, ..case("not before the model has seen it", unseen, 400, &["old"]) });
}

#[test]
fn nothing_of_what_is_worth_nothing_stands_in_its_place() {
    let found = |id: &str| ran(id, &format!("look {id}"), Output::Text(format!("order_4711 is at the door\n{}", words(id, 1_000))));
    let messages = talk([found("x"), read("b", "b.rs"), read("d", "d.rs")]);
    let all = size(&messages);
    for (keep, stands) in [(Keep::Normal, true), (Keep::Never, false)] {
        let options = Options { tools: keeping("bash", keep), ..between(all - 1, all - 500) };
        let sent = send_with(50_000.0, options, &messages, &FoldState::default());
        assert_eq!(sent.cleared(), ["x"], "{keep:?}");
        assert_eq!(sent.text().contains("order_4711"), stands, "{keep:?}: {}", sent.text());
        assert!(sent.text().contains("[Old result"));
    }
}

#[test]
fn an_error_goes_only_when_it_is_resolved() {
    let failed = |id: &str| ran(id, "npm test", Output::ErrorText(words(id, 1_000)));
    check(case("it is open", talk([failed("open"), read("b", "b.rs"), read("d", "d.rs")]), 500, &["b"]));
    check(case(
        "the same command has succeeded since",
        talk([failed("mended"), read("b", "b.rs"), ran("ok", "npm test", Output::Text("All pass.".into())), read("d", "d.rs")]),
        500,
        &["mended"],
    ));
    check(case(
        "another command has succeeded since",
        talk([failed("open"), read("b", "b.rs"), ran("ok", "npm run lint", Output::Text("All pass.".into())), read("d", "d.rs")]),
        500,
        &["b"],
    ));
}

#[test]
fn a_result_of_the_provider_is_not_cleared() {
    let mut messages = talk([read("provider", "a.rs"), read("b", "b.rs"), read("d", "d.rs")]);
    for message in &mut messages[1..3] {
        for part in &mut message.parts {
            match part {
                Part::Call(call) => call.provider_executed = true,
                Part::Result(result) => result.provider_executed = true,
                _ => {}
            }
        }
    }
    check(case("the provider ran the older one", messages, 500, &["b"]));
}

#[test]
fn the_tail_is_as_long_as_was_asked_for_and_no_longer() {
    let messages = talk([read("a", "a.rs"), read("b", "b.rs"), read("c", "c.rs"), read("d", "d.rs")]);
    let two_steps = size(&messages[5..]);
    for (tail, cleared) in [(two_steps, &["a", "b"][..]), (two_steps - 1, &["a", "b", "c"]), (0, &["a", "b", "c"])] {
        let options = Options { keep_recent_tokens: Some(tail.into()), ..Options::default() };
        let sent = send_in(PlanMode::Clear, 50_000.0, options, &messages, &FoldState::default());
        assert_eq!(sent.cleared(), cleared, "a tail of {tail} tokens");
    }
}

#[test]
fn the_newest_turns_and_messages_are_kept_where_they_are_asked_for() {
    let mut messages = talk([read("a", "a.rs")]);
    for (id, path) in [("b", "b.rs"), ("c", "c.rs")] {
        messages.push(user("Go on."));
        messages.extend(read(id, path));
    }
    messages.push(message(Role::Assistant, vec![Part::text("Done.")]));
    for (turns, kept_messages, cleared) in [
        (0, 0, &["a", "b", "c"][..]),
        (1, 0, &["a", "b"]),
        (2, 0, &["a"]),
        (3, 0, &[]),
        (0, 3, &["a", "b"]),
        // A pair is not parted: its call and result are kept together.
        (0, 2, &["a", "b"]),
        (0, 1, &["a", "b", "c"]),
        (0, 6, &["a"]),
    ] {
        let options =
            Options { keep_recent_tokens: Some(0.0), keep_recent_turns: turns, keep_recent_messages: kept_messages, ..Options::default() };
        let sent = send_in(PlanMode::Clear, 50_000.0, options, &messages, &FoldState::default());
        assert_eq!(sent.cleared(), cleared, "{turns} turns, {kept_messages} messages");
    }
}

#[test]
fn a_result_is_cut_before_it_was_ever_sent_and_not_after() {
    let options = |most: f64| Options { max_result_tokens: Some(most), ..Options::default() };
    let mut messages = talk([used("sent", "read_file", r#"{"path":"a.rs"}"#, text("sent", 4_000))]);
    let before = send_with(50_000.0, options(10_000.0), &messages, &FoldState::default());
    assert!(before.tokens_of("sent") > Some(3_500));
    messages.extend(used("new", "read_file", r#"{"path":"b.rs"}"#, text("new", 4_000)));
    let after = send_with(50_000.0, options(2_000.0), &messages, &before.plan.state);
    assert!(after.tokens_of("sent") > Some(3_500), "the one sent before is cut: {:?}", after.tokens_of("sent"));
    assert!(after.tokens_of("new") < Some(2_100) && after.tokens_of("new") > Some(1_500), "{:?}", after.tokens_of("new"));
}

#[test]
fn pruning_clears_down_to_the_target_though_the_trigger_is_far() {
    let messages = || talk([read("old", "old.rs"), read("before", "a.rs"), wrote("w", "a.rs"), read("c", "c.rs"), read("d", "d.rs")]);
    let all = size(&messages());
    let (trigger, target) = (40_000, all - 500);
    let untouched = send_with(50_000.0, between(trigger, target), &messages(), &FoldState::default());
    assert!(untouched.plan.done.is_empty(), "{:?}", untouched.plan.done);
    let pruned = send_in(PlanMode::Prune, 50_000.0, between(trigger, target), &messages(), &FoldState::default());
    assert_eq!(pruned.cleared(), ["before"], "what is stale goes first, and no more than must");
    assert!(!pruned.folds() && pruned.tokens() <= target);
    let next = send_with(50_000.0, between(trigger, target), &messages(), &pruned.plan.state);
    assert_eq!(next.messages, pruned.messages, "what was decided holds at the next step");
    assert!(next.cleared().is_empty());
}

#[test]
fn pruning_folds_nothing_and_leaves_the_tail_however_far_the_target() {
    let messages = talk([read("a", "a.rs"), read("b", "b.rs"), read("c", "c.rs"), read("d", "d.rs")]);
    let sent = send_in(PlanMode::Prune, 50_000.0, between(40_000, 1_000), &messages, &FoldState::default());
    assert!(!sent.folds() && !sent.cleared().is_empty() && !sent.cleared().contains(&"d"), "{:?}", sent.plan.done);
    let tail = Options { keep_recent_messages: 100, ..between(40_000, 1_000) };
    assert!(send_in(PlanMode::Prune, 50_000.0, tail, &messages, &FoldState::default()).cleared().is_empty());
}

#[test]
fn pruning_does_nothing_below_the_target_nor_for_crumbs() {
    let messages = || talk([read("a", "a.rs"), read("b", "b.rs"), read("c", "c.rs"), read("d", "d.rs")]);
    let all = size(&messages());
    let below = send_in(PlanMode::Prune, 50_000.0, between(40_000, all), &messages(), &FoldState::default());
    assert!(below.plan.done.is_empty(), "{:?}", below.plan.done);
    let few = Options { min_clear_tokens: Some(1e6), ..between(180_000, all - 500) };
    assert!(send_in(PlanMode::Prune, 200_000.0, few, &messages(), &FoldState::default()).cleared().is_empty());
}

#[test]
fn a_placeholder_offers_its_call_again_only_where_the_call_reads() {
    for (tool, again, if_it_reads) in [("read_file", true, false), ("thing", false, true), ("refund_order", false, false)] {
        let messages = talk([used("a", tool, r#"{"path":"a.rs"}"#, text("a", 1_000)), read("d", "d.rs")]);
        let sent = send_in(PlanMode::Clear, 50_000.0, between(2_000, 100), &messages, &FoldState::default());
        assert_eq!(sent.cleared(), ["a"], "{tool}");
        assert_eq!(sent.text().contains("call the tool again"), again, "{tool}");
        assert_eq!(sent.text().contains("call it again if that changes nothing"), if_it_reads, "{tool}");
    }
}
