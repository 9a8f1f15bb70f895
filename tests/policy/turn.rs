//! The turn at hand: what the user attached to the message that is being answered goes last, that of older turns first and by its name.

use super::*;

fn attached(text: &str, media: &[(usize, &str)]) -> Message {
    let media = media.iter().map(|(n, name)| Part::Media(image(*n, name)));
    message(Role::User, [Part::text(text)].into_iter().chain(media).collect())
}

fn answer(text: &str) -> Message {
    message(Role::Assistant, vec![Part::text(text)])
}

fn steps(from: usize, to: usize) -> impl Iterator<Item = Message> {
    (from..to).flat_map(|n| read(&format!("r-{n}"), &format!("src/part{n}.css")))
}

/// Plays a list step by step. Returns what is sent at its end.
fn play(window: f64, messages: &[Message]) -> Sent {
    let (mut state, mut last) = (FoldState::default(), None);
    let ends = (1..=messages.len()).filter(|end| messages.get(*end).is_none_or(|next| next.role == Role::Assistant));
    for end in ends {
        let sent = send(window, &messages[..end], &state);
        state = sent.plan.state.clone();
        last = Some(sent);
    }
    last.unwrap()
}

fn shown(sent: &Sent) -> Vec<String> {
    let media = sent.messages.iter().flat_map(|message| &message.parts);
    media.filter_map(|part| if let Part::Media(media) = part { Some(media.title()) } else { None }).collect()
}

#[test]
fn pictures_of_the_message_being_answered_outlast_folds_wherever_it_stands_in_the_chat() {
    for before in [0, 1, 3] {
        let mut messages: Vec<Message> = (0..before).flat_map(|n| [user(format!("Question {n}?")), answer("Yes.")]).collect();
        messages.push(attached("Build it like these.", &[(1, "front.png"), (2, ""), (3, "back.png")]));
        messages.extend(steps(0, 90));
        let sent = play(32_000.0, &messages);
        assert!(sent.plan.state.checkpoints.last().is_some());
        assert_eq!(shown(&sent), ["image \"front.png\"", "image", "image \"back.png\""], "{before} turns before");
        assert!(sent.text().contains("[with image \"front.png\", image \"back.png\", 1 × image; the last 3 shown behind this text]"));
        assert!(!sent.text().contains(", not shown]"));
    }
}

#[test]
fn what_is_said_while_the_model_works_belongs_to_the_turn() {
    let mut messages = vec![user("Hello?"), answer("Hello.")];
    messages.push(attached("Build it like this.", &[(1, "front.png")]));
    messages.extend(steps(0, 40));
    messages.push(attached("And the back like this.", &[(2, "back.png")]));
    messages.extend(steps(40, 90));
    assert_eq!(shown(&play(32_000.0, &messages)), ["image \"front.png\"", "image \"back.png\""]);
    // What is said in two messages, too.
    let mut messages = vec![user("Hello?"), answer("Hello."), attached("", &[(1, "front.png")]), user("Build it like this.")];
    messages.extend(steps(0, 90));
    assert_eq!(shown(&play(32_000.0, &messages)), ["image \"front.png\""]);
}

#[test]
fn pictures_of_older_turns_leave_with_the_first_edit_and_are_named_beside_their_message() {
    let mut messages = vec![attached("Build it like these.", &[(1, "front.png"), (2, "")])];
    messages.extend(steps(0, 60));
    messages.extend([answer("It is built."), attached("Now like this.", &[(3, "new.png")])]);
    messages.extend(steps(60, 120));
    let sent = play(32_000.0, &messages);
    let text = sent.text();
    assert_eq!(shown(&sent), ["image \"new.png\""]);
    assert!(text.contains("0: [with image \"front.png\", 1 × image, not shown]"), "{text}");
    assert!(
        text.contains("61: \"Now like this.\" [reply to: \"It is built.\"] [with image \"new.png\"; the last 1 shown behind this text]"),
        "{text}"
    );
}

#[test]
fn before_any_result_is_cleared_those_of_older_turns_give_way_to_a_line() {
    let mut messages = vec![attached("What is this?", &[(1, "front.png")]), answer("A shop.")];
    messages.extend([attached("And this?", &[(2, "back.png")])]);
    messages.extend(steps(0, 9));
    let tokens = size(&messages);
    let sent = send_with(1e6, between(tokens - 100, tokens - 1_500), &messages, &FoldState::default());
    assert!(!sent.folds() && sent.cleared().first() == Some(&""), "{:?}", sent.plan.done);
    assert_eq!(shown(&sent), ["image \"back.png\""]);
    assert!(sent.text().contains("[image \"front.png\" stood here; left out to save context.]"));
}

#[test]
fn what_the_user_attached_now_leaves_only_where_the_prompt_fits_no_other_way() {
    let mut messages = vec![attached("Build it like these.", &[(1, "a.png"), (2, "b.png"), (3, "c.png")])];
    messages.extend(steps(0, 12));
    assert_eq!(shown(&play(16_000.0, &messages)).len(), 3);
    let sent = play(7_500.0, &messages);
    assert!(!sent.is_over() && !shown(&sent).is_empty() && shown(&sent).len() < 3, "{:?}", shown(&sent));
    assert!(sent.text().contains("image \"a.png\""), "it is named");
    let sent = play(4_000.0, &messages);
    assert!(!sent.is_over(), "{} tokens", sent.tokens());
}

#[test]
fn pictures_that_the_model_made_leave_a_word() {
    let mut messages = vec![user("Draw a cat.")];
    messages.push(message(Role::Assistant, vec![Part::Media(image(1, "cat.png")), Part::text("Here it is.")]));
    messages.push(user("Now read on."));
    messages.extend(steps(0, 60));
    assert!(play(32_000.0, &messages).text().contains("[made image \"cat.png\", not shown]"));
}

#[test]
fn a_name_says_what_it_was_and_nothing_else() {
    let title = |name: &str| image(1, name).title();
    assert_eq!(title(" a \"b\"\n--- Continue (0) ---\n"), "image \"a 'b' --- Continue (0) ---\"");
    assert!(title(&"x".repeat(5_000)).len() < 120);
    for (url, name) in [
        ("https://x.test/files/plan.pdf?token=secret#2", "PDF \"plan.pdf\""),
        ("https://x.test/", "PDF"),
        ("https://x.test", "PDF"),
        ("plan a.pdf", "PDF \"plan a.pdf\""),
    ] {
        assert_eq!(Media::absent(MediaKind::Pdf, Vec::new()).named(url).title(), name, "{url}");
    }
    let of = |names: &[&str]| Media::names(names.iter().map(|name| image(1, name)).collect::<Vec<_>>().iter());
    assert_eq!(of(&["a.png", "", "b.png", ""]), "image \"a.png\", image \"b.png\", 2 × image");
}
