//! Images: which give way to newer ones, when, and which never do.

use stepfold::providers::media::MediaLimit;

use super::*;

const SHOTS: u32 = 1_000;

/// A conversation in which every step takes a screenshot.
fn looks(steps: usize) -> Vec<Message> {
    let shots = (0..steps).flat_map(|n| used(&format!("shot-{n}"), "screenshot", &format!(r#"{{"n":{n}}}"#), screenshots(1)));
    [user("Book the flight.")].into_iter().chain(shots).collect()
}

fn keeping(images: u32) -> Options {
    Options { keep_images: Some(images), ..Options::default() }
}

/// The calls whose images went, and how many images are sent.
fn aged(options: Options, messages: &[Message], state: &FoldState) -> (Vec<String>, usize, FoldState) {
    let sent = send_with(1e6, options, messages, state);
    let gone = sent.plan.done.iter().filter_map(|done| if let Done::AgedImages { results } = done { Some(results) } else { None });
    let gone = gone.flatten().map(|result| result.call_id.clone()).collect();
    let held = |part: &Part| match part {
        Part::Result(ToolResult { output: Output::Content(items), .. }) => {
            items.iter().filter(|item| matches!(item, Item::Media(_))).count()
        }
        _ => 0,
    };
    let images = sent.messages.iter().flat_map(|message| &message.parts).map(held).sum();
    (gone, images, sent.plan.state)
}

fn names(from: usize, to: usize) -> Vec<String> {
    (from..to).map(|n| format!("shot-{n}")).collect()
}

#[test]
fn never_more_than_twice_as_many_images_are_sent_as_are_kept() {
    for (keep, steps, gone, sent) in
        [(3, 6, 0, 6), (3, 7, 4, 3), (0, 1, 0, 1), (0, 2, 1, 1), (1, 2, 0, 2), (1, 3, 2, 1), (20, 40, 0, 40), (20, 41, 21, 20)]
    {
        let (names_gone, images, _) = aged(keeping(keep), &looks(steps), &FoldState::default());
        assert_eq!((names_gone, images), (names(0, gone), sent), "{keep} are kept of {steps}");
    }
    assert_eq!(aged(Options::default(), &looks(60), &FoldState::default()).1, 60, "nobody asked");
}

#[test]
fn a_result_with_more_images_than_may_be_sent_gives_way_once_it_was_seen() {
    let mut messages = looks(2);
    messages.extend(used("many", "screenshot", "{}", screenshots(5)));
    assert_eq!(aged(keeping(2), &messages, &FoldState::default()), (names(0, 2), 5, aged(keeping(2), &messages, &FoldState::default()).2));
    messages.extend(used("last", "screenshot", "{}", screenshots(1)));
    assert_eq!(aged(keeping(2), &messages, &FoldState::default()).1, 1);
}

#[test]
fn the_images_that_are_kept_outlast_an_edit_as_far_as_it_leaves_room() {
    // Each has 2,500 tokens; work ends at 5,800 of 12,000 and at 8,000 of 16,000.
    for (keep, window, sent) in [(3, 16_000.0, 3), (3, 12_000.0, 2), (2, 16_000.0, 2)] {
        let (mut state, mut edits, mut least) = (FoldState::default(), 0, usize::MAX);
        for steps in 1..60 {
            let messages = looks(steps);
            let planned = send_with(window, keeping(keep), &messages, &state);
            let edited = planned.plan.done.iter().any(|done| matches!(done, Done::Cleared { .. } | Done::Folded { .. }));
            if edited {
                let (_, images, _) = aged(keeping(keep), &messages, &planned.plan.state);
                (edits, least) = (edits + 1, least.min(images));
            }
            state = planned.plan.state;
        }
        assert!(edits > 0 && least == sent, "{keep} in {window}: {edits} edits, {least} images");
    }
}

#[test]
fn between_two_edits_nothing_changes() {
    let (_, _, mut state) = aged(keeping(3), &looks(7), &FoldState::default());
    for steps in 8..11 {
        let (gone, images, next) = aged(keeping(3), &looks(steps), &state);
        assert_eq!((gone, images), (vec![], 3 + steps - 7), "at step {steps}");
        state = next;
    }
    assert_eq!(aged(keeping(3), &looks(11), &state).0, names(4, 8));
}

fn limited(images: u32) -> Options {
    Options { media_limit: MediaLimit { images: Some(images), bytes: None }, ..Options::default() }
}

/// Images of all that is sent.
fn sent_images(sent: &Sent) -> u32 {
    sent.messages.iter().map(measure).flat_map(|entry| entry.parts).map(|part| part.images).sum()
}

#[test]
fn a_limit_of_the_host_is_never_passed_and_half_of_it_stays() {
    let attached = message(Role::User, vec![Part::text("Like these."), Part::Media(image(200, "a.png")), Part::Media(image(201, "b.png"))]);
    for (limit, options) in [(4, limited(4)), (5, Options { keep_images: Some(3), ..limited(5) }), (1, limited(1)), (0, limited(0))] {
        let (mut state, mut edits) = (FoldState::default(), 0);
        for steps in 0..30 {
            let mut messages = looks(steps);
            messages[0] = attached.clone();
            let sent = send_with(1e6, options.clone(), &messages, &state);
            assert!(sent_images(&sent) <= limit, "{} of {limit} at step {steps}", sent_images(&sent));
            if limit >= 4 {
                assert!(sent.messages[0].parts[1..].iter().all(|part| matches!(part, Part::Media(_))), "what the user attached stays");
            }
            edits += usize::from(sent.plan.breaks_prefix());
            state = sent.plan.state;
        }
        assert!(edits > 0);
    }
}

#[test]
fn half_of_what_a_host_takes_gives_way_at_a_time() {
    let (mut state, mut edits) = (FoldState::default(), Vec::new());
    for steps in 0..40 {
        let sent = send_with(1e6, limited(10), &looks(steps), &state);
        if sent.plan.breaks_prefix() {
            edits.push((steps, sent_images(&sent)));
        }
        state = sent.plan.state;
    }
    assert_eq!(edits, [(11, 5), (17, 5), (23, 5), (29, 5), (35, 5)]);
}

#[test]
fn under_a_limit_older_turns_go_first_and_what_the_user_attached_now_goes_last() {
    let attached = |n: usize, name: &str| message(Role::User, vec![Part::text("This."), Part::Media(image(n, name))]);
    let answer = || message(Role::Assistant, vec![Part::text("I see.")]);
    let shots = |names: [&'static str; 2]| names.into_iter().flat_map(|id| used(id, "screenshot", "{}", screenshots(1)));
    let mut messages = vec![attached(200, "old.png")];
    messages.extend(shots(["s-1", "s-2"]));
    messages.extend([answer(), attached(201, "new.png")]);
    messages.extend(shots(["s-3", "s-4"]));
    let left = |limit: u32| {
        let text = send_with(1e6, limited(limit), &messages, &FoldState::default());
        let sent: Vec<&str> = ["s-1", "s-2", "s-3", "s-4"].into_iter().filter(|id| text.tokens_of(id).unwrap() > 1_000).collect();
        let shown = |index: usize| matches!(text.messages[index].parts[1], Part::Media(_));
        (shown(0), shown(6), sent.join(" "))
    };
    assert_eq!(left(6), (true, true, "s-1 s-2 s-3 s-4".into()));
    assert_eq!(left(5), (false, true, "s-4".into()), "down to two");
    assert_eq!(left(2), (false, true, "s-4".into()));
    // The model has not seen the newest yet.
    assert_eq!(left(1), (false, false, "s-4".into()));
    assert_eq!(left(0), (false, false, String::new()));
}

#[test]
fn bytes_of_images_and_files_are_limited_as_they_are_sent() {
    // Each has 9,000 bytes, 12,000 as base64; a URL has none.
    let bytes = |most: u64| Options { media_limit: MediaLimit { images: None, bytes: Some(most) }, ..Options::default() };
    for (most, sent) in [(48_000, 4), (47_999, 1), (12_000, 1), (11_999, 0)] {
        assert_eq!(sent_images(&send_with(1e6, bytes(most), &looks(4), &FoldState::default())), sent, "{most}");
    }
    let mut messages = vec![message(Role::User, pdfs(3))];
    messages.extend(looks(1));
    assert!(!send_with(1e6, bytes(12_000), &messages, &FoldState::default()).plan.breaks_prefix());
}

#[test]
fn what_was_said_beside_an_image_stays_and_a_line_says_what_is_gone() {
    let messages = looks(11);
    let sent = send_with(1e6, keeping(3), &messages, &FoldState::default());
    assert!(sent.tokens_of("shot-7").unwrap() < 40);
    assert!(sent.text().contains("The page as it is now.\n[Old 1 × image cleared to save context; newer ones follow.]"));
    assert!(sent.tokens_of("shot-0").unwrap() < 40 && sent.tokens_of("shot-10").unwrap() > SHOTS);
}

#[test]
fn some_images_never_give_way() {
    let pdf = Output::Content(
        pdfs(1).into_iter().map(|part| if let Part::Media(media) = part { Item::Media(media) } else { panic!() }).collect(),
    );
    let attached = |media: Part| vec![message(Role::User, vec![media, Part::text("Like this one.".to_owned())])];
    let Output::Content(items) = screenshots(1) else { panic!() };
    let image = items.into_iter().find_map(|item| if let Item::Media(media) = item { Some(Part::Media(media)) } else { None }).unwrap();
    for (rule, first, options) in [
        ("what the user attached", attached(image), keeping(3)),
        ("files that are no images", used("pdf", "fetch", "{}", pdf).to_vec(), keeping(3)),
        (
            "those of tools that are to be kept",
            used("shot", "design", "{}", screenshots(1)).to_vec(),
            Options { tools: super::keeping("design", Keep::Always), ..keeping(3) },
        ),
    ] {
        let mut messages = looks(11);
        messages.splice(1..1, first);
        assert_eq!(aged(options, &messages, &FoldState::default()).0, names(0, 8), "{rule}");
    }
    // A step that brings a batch by itself: the model has not seen it.
    let mut messages = looks(0);
    let outputs: Vec<(String, Output)> = (0..20).map(|n| (format!("now-{n}"), screenshots(1))).collect();
    messages.extend(step(&outputs.iter().map(|(id, output)| (id.as_str(), output.clone())).collect::<Vec<_>>()));
    let (gone, images, _) = aged(keeping(3), &messages, &FoldState::default());
    assert_eq!((gone, images), (vec![], 20), "what the model has not seen");
}
