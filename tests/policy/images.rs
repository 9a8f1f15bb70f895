//! Images: which give way to newer ones, when, and which never do.

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
fn images_give_way_eight_at_a_time_and_the_newest_stay() {
    for (keep, steps, gone, sent) in [(3, 10, 0, 10), (3, 11, 8, 3), (0, 7, 0, 7), (0, 8, 7, 1), (20, 39, 0, 39), (20, 40, 20, 20)] {
        let (names_gone, images, _) = aged(keeping(keep), &looks(steps), &FoldState::default());
        assert_eq!((names_gone, images), (names(0, gone), sent), "{keep} are kept of {steps}");
    }
    assert_eq!(aged(Options::default(), &looks(60), &FoldState::default()).1, 60, "nobody asked");
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
fn between_two_batches_nothing_changes() {
    let (_, _, mut state) = aged(keeping(3), &looks(11), &FoldState::default());
    for steps in 12..19 {
        let (gone, images, next) = aged(keeping(3), &looks(steps), &state);
        assert_eq!((gone, images), (vec![], 3 + steps - 11), "at step {steps}");
        state = next;
    }
    assert_eq!(aged(keeping(3), &looks(19), &state).0, names(8, 16));
}

#[test]
fn what_was_said_beside_an_image_stays_and_a_line_says_what_is_gone() {
    let messages = looks(11);
    let sent = send_with(1e6, keeping(3), &messages, &FoldState::default());
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
