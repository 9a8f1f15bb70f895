//! The placeholder that stands for a cleared tool result: how its call ended, how large it was, how to get it back, and the
//! parts of it that are likely to be needed again. A constant function of the call, its result and the decision, so that the prompt cache keeps matching.

use crate::digest::call_facts::given;
use crate::digest::status::{is_failure, reason};
use crate::model::fingerprint::Fingerprint;
use crate::model::message::{Call, ToolResult};
use crate::results::envelope::Envelope;
use crate::results::returned::{AnswerOf, LINE_COLUMNS, Wanted, returned};
use crate::state::Kept;
use crate::text::clip::{ROOM_CHARS, clean_within, clip, label, one_line};
use crate::text::written::{Excerpts, LEFT_OUT, goes_on};
use crate::words::cut::within_tokens;
use crate::words::retrieval::RetrievalHint;

/// Tokens of the line about the result, at most.
const OUTLINE_TOKENS: u32 = 110;
/// Longest reason of a failure, in characters.
const LINE_CHARS: usize = 160;
/// Marks behind which no full stop stands.
const ENDS: [char; 10] = ['.', '!', '?', '…', '。', '！', '？', '؟', '।', ':'];
/// Longest part that is kept, in characters.
const PART_CHARS: usize = 1_000;

/// What a placeholder says besides how the call ended.
#[derive(Clone, Copy, Debug)]
pub struct Held<'a> {
    /// About so many tokens were cleared.
    pub tokens: u32,
    /// Media among them, such as `2 × image`; empty when there were none.
    pub media: &'a str,
    /// How the result can be retrieved.
    pub hint: RetrievalHint<'a>,
}

/// The placeholder for a result with this text, whose call ended as `outline` says. Without `keeps`, what is kept of the result, it does not
/// even say that.
pub fn placeholder(outline: &str, result: &ToolResult, text: &str, held: Held<'_>, keeps: Option<&Kept>) -> String {
    let Held { tokens, media, hint } = held;
    let used = keeps.map_or(String::new(), |kept| used_of(text, kept));
    let outline = if keeps.is_some() { within_tokens(&without(outline, &used), OUTLINE_TOKENS) } else { String::new() };
    let name = label(&result.name, 64);
    let outline = if outline.is_empty() { outline } else { format!(": {outline}") };
    let stop = if outline.ends_with(ENDS) { "" } else { "." };
    let held = if media.is_empty() { String::new() } else { format!(" and held {media}") };
    format!("[Old result of {name} cleared to save context{outline}{stop} It had about {tokens} tokens{held}{}.{used}]", hint.words())
}

/// An outline without those of its pieces that stand among the parts below it.
fn without(outline: &str, parts: &str) -> String {
    let separator = if outline.contains(" … ") { " … " } else { ", " };
    // Parts have a colon behind the names of values, and keep their own white space.
    let parts: Vec<String> = parts.lines().map(|line| one_line(&line.replace(':', ""))).collect();
    let stands = |piece: &str| parts.iter().any(|line| line.contains(&one_line(&piece.replace(':', ""))));
    outline.split(separator).filter(|piece| parts.is_empty() || !stands(piece)).collect::<Vec<_>>().join(separator)
}

/// Whether a text is such a placeholder, which an app may have stored in place of the result.
pub fn is_placeholder(text: &str) -> bool {
    text.starts_with("[Old result") && text.contains(" cleared to save context") && text.contains(" It had about ") && text.ends_with(']')
}

/// What is kept of a result.
fn used_of(text: &str, kept: &Kept) -> String {
    match kept {
        Kept::Parts(parts) if parts.is_empty() => String::new(),
        Kept::Parts(parts) => parts_of(text, parts),
        Kept::Digest(digest) if digest.is_empty() => String::new(),
        Kept::Digest(digest) => format!(" In short:\n{digest}\n"),
    }
}

/// Parts of a result, one a line. Of a text that is not the one that was decided about, what is a part of it still.
fn parts_of(text: &str, parts: &[(u32, u32)]) -> String {
    let whole = Excerpts::of(text);
    let mut before = 0;
    let excerpts = parts.iter().map(|(start, end)| {
        let (from, excerpt) = (*start as usize, whole.excerpt(*start as usize..*end as usize, PART_CHARS));
        let between = text.get(std::mem::replace(&mut before, *end as usize)..from).unwrap_or_default();
        let is_behind = !between.contains(char::is_alphanumeric);
        if excerpt.is_empty() || is_behind || !goes_on(text, from) { excerpt } else { format!("{LEFT_OUT}{excerpt}") }
    });
    let lines: Vec<String> = excerpts.filter(|line| !line.is_empty()).collect();
    if lines.is_empty() { String::new() } else { format!(" Parts of it:\n{}\n", lines.join("\n")) }
}

/// How the call of a result with this text ended, in a line. The call itself stands before it, as a rule.
pub fn outline(call: Option<&Call>, result: &ToolResult, text: &str, hint: RetrievalHint<'_>) -> String {
    let given = call.map(given).unwrap_or_default();
    // What cannot be had again acted; of what a recall or a file brings back nothing shows whether it did.
    let of = match hint {
        RetrievalHint::Nothing => AnswerOf::Act,
        RetrievalHint::Call => AnswerOf::Reading,
        RetrievalHint::CallIfReads | RetrievalHint::Recall(_) | RetrievalHint::File { .. } => AnswerOf::Unknown,
    };
    match is_failure(result) {
        true => format!("failed: {}", clean_within(&one_line(&clip(reason(text).trim(), LINE_CHARS + ROOM_CHARS)), LINE_CHARS)),
        false => returned(text, &given, Wanted { columns: LINE_COLUMNS, envelope: &Envelope::default(), of }).line(),
    }
}

/// A result that the model has not seen, without its `media`, such as `2 × image`, for which there was no room. Asking again would give
/// the same, so of a call that reads it says what to ask for instead.
pub fn without_media(text: &str, media: &str, reads: bool) -> String {
    let separator = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    let instead = if reads { " Ask for less: a smaller image, a part of it, fewer pages." } else { "" };
    format!("{text}{separator}[{media} left out: too large for what is left of the context window.{instead}]")
}

/// A result whose images, such as `2 × image`, gave way to newer ones.
pub fn with_aged_images(text: &str, images: &str) -> String {
    let separator = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    format!("{text}{separator}[Old {images} cleared to save context; newer ones follow.]")
}

/// What stands for a picture or file of the user's, such as `image "front.png"`, that gave way.
pub fn left_out(title: &str) -> String {
    format!("[{title} stood here; left out to save context.]")
}

/// A result, or what the user attached, without its `media`: a request may hold no more.
pub fn over_limit(text: &str, media: &str) -> String {
    let separator = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    format!("{text}{separator}[{media} left out: more than a request may hold.]")
}

/// The id under which a result can be recalled: nine digits, which are three tokens.
pub fn recall_id(fingerprint: Fingerprint) -> u64 {
    100_000_000 + fingerprint % 900_000_000
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::message::{Json, Output};

    const NONE: &[(u32, u32)] = &[];

    fn written(call: Option<&Call>, result: &ToolResult, held: Held<'_>, keeps: Option<&Kept>) -> String {
        let text = result.output.as_text();
        placeholder(&outline(call, result, &text, held.hint), result, &text, held, keeps)
    }

    fn placeholder_of(tool: &str, input: &str, text: &str, keeps: Option<&[(u32, u32)]>) -> String {
        let kept = keeps.map(|parts| Kept::Parts(parts.into()));
        let call =
            Call { id: "1".into(), name: tool.into(), input: input.into(), omitted_bytes: 0, provider_executed: false, caller: None };
        let output = Output::Text(text.into());
        let result = ToolResult { id: "1".into(), name: tool.into(), output, ..ToolResult::default() };
        written(Some(&call), &result, Held { tokens: 20, media: "", hint: RetrievalHint::Call }, kept.as_ref())
    }

    #[test]
    fn a_placeholder_says_what_it_was_and_how_it_ended() {
        for (tool, input, text, outline) in [
            ("read_file", r#"{"path":"src/main.rs"}"#, "     5→fn a\n     6→fn b", " of read_file cleared to save context: 5→fn a 6→fn b"),
            (
                "Bash",
                r#"{"command":"cargo test"}"#,
                "test result: ok. 5 passed",
                " of Bash cleared to save context: test result: ok. 5 passed",
            ),
            (
                "get_order",
                r#"{"order_id":"4711"}"#,
                r#"{"order_id":"4711","status":"open","lines":[1]}"#,
                " of get_order cleared to save context: lines 1, status open",
            ),
            ("get", "{}", "", " of get cleared to save context"),
        ] {
            assert_eq!(
                placeholder_of(tool, input, text, Some(NONE)),
                format!("[Old result{outline}. It had about 20 tokens; call the tool again if you need it.]")
            );
        }
    }

    #[test]
    fn no_placeholder_offers_a_call_that_acts() {
        let call = Call {
            id: "1".into(),
            name: "pay".into(),
            input: r#"{"amount":20}"#.into(),
            omitted_bytes: 0,
            provider_executed: false,
            caller: None,
        };
        let result = ToolResult { id: "1".into(), name: "pay".into(), output: Output::Text("id PAY-771".into()), ..ToolResult::default() };
        let of = |hint| written(Some(&call), &result, Held { tokens: 20, media: "", hint }, Some(&Kept::nothing()));
        assert_eq!(of(RetrievalHint::Nothing), "[Old result of pay cleared to save context: id PAY-771. It had about 20 tokens.]");
        assert!(of(RetrievalHint::CallIfReads).ends_with("; call it again if that changes nothing.]"));
    }

    #[test]
    fn a_placeholder_keeps_parts_of_a_result_as_they_stand() {
        let text = placeholder_of("run", "{}", "use std::fs;\n  see order_4711\nplain words\nmore", Some(&[(15, 29), (30, 41)]));
        assert!(text.ends_with(" Parts of it:\nsee order_4711\nplain words\n]"), "{text}");
        let json = placeholder_of("get", "{}", r#"{"id":"A-1","rows":[{"day":"Mon","open":true}]}"#, Some(&[(1, 11), (20, 45)]));
        assert!(json.ends_with(" Parts of it:\nid: A-1\nday: Mon, open: true\n]"), "{json}");
        // What goes on behind something that is left out says so; a line of its own does not.
        let prose = "Returns are free. Not for orders of B2B. They pay 12 EUR.\nA refund takes 5 days.";
        let text = placeholder_of("read", "{}", prose, Some(&[(0, 17), (41, 57), (58, 80)]));
        assert!(text.ends_with(" Parts of it:\nReturns are free.\n… They pay 12 EUR.\nA refund takes 5 days.\n]"), "{text}");
        // A decision about another text finds nothing there.
        assert!(!placeholder_of("run", "{}", "one", Some(&[(15, 29)])).contains("Parts"));
    }

    #[test]
    fn a_flag_that_says_no_stands_wherever_a_call_may_have_acted() {
        let call = Call { id: "1".into(), name: "t".into(), input: "{}".into(), omitted_bytes: 0, provider_executed: false, caller: None };
        let text = r#"{"applied":false,"changeId":"CH-4410"}"#;
        let output = Output::Json(Json { text: text.into(), omitted_bytes: 0 });
        let result = ToolResult { id: "1".into(), name: "t".into(), output, ..ToolResult::default() };
        for (hint, says) in [
            (RetrievalHint::Nothing, true),
            (RetrievalHint::Recall(100_000_077), true),
            (RetrievalHint::CallIfReads, true),
            (RetrievalHint::Call, false),
        ] {
            let text = written(Some(&call), &result, Held { tokens: 20, media: "", hint }, Some(&Kept::nothing()));
            assert_eq!(text.contains("applied false"), says, "{text}");
        }
    }

    #[test]
    fn an_outline_ends_with_one_mark_and_says_nothing_that_stands_below() {
        let text = placeholder_of("read", "{}", "The order has arrived.", Some(NONE));
        assert!(text.contains(": The order has arrived. It had about 20"), "{text}");
        let text = placeholder_of("read", "{}", "注文は届きました。", Some(NONE));
        assert!(text.contains(": 注文は届きました。 It had about 20"), "{text}");
        let text = placeholder_of("get", "{}", r#"{"id":"A-1-7","state":"open"}"#, Some(&[(1, 13)]));
        assert!(text.contains(": state open. It had") && text.ends_with("Parts of it:\nid: A-1-7\n]"), "{text}");
    }

    #[test]
    fn a_placeholder_keeps_no_secret_and_no_more_than_it_may() {
        let secret = format!("x7Kq{}", "9ZpL2mVw8RtY4nB");
        let text = placeholder_of("read", r#"{"path":"a.env"}"#, &format!("DB_PASSWORD={secret}"), Some(&[(0, 23)]));
        assert!(text.contains("DB_PASSWORD=") && !text.contains(&secret), "{text}");
        let long = "word ".repeat(5_000);
        assert!(placeholder_of("x", &format!(r#"{{"a":"{long}","command":"{long}"}}"#), &long, Some(NONE)).len() < 800);
        assert!(!placeholder_of("t", r#"{"path":"src/main.rs"}"#, "x", None).contains("main.rs"));
    }

    #[test]
    fn a_placeholder_names_the_media_it_stands_for() {
        let result = ToolResult { id: "1".into(), name: "shot".into(), output: Output::Text(String::new()), ..ToolResult::default() };
        let held = Held { tokens: 3_200, media: "2 × image", hint: RetrievalHint::Recall(recall_id(77)) };
        let text = written(None, &result, held, None);
        assert!(is_placeholder(&text) && !is_placeholder("[Old results were cleared]"));
        assert!(text.contains("It had about 3200 tokens and held 2 × image; use the recall tool with id 100000077 if"), "{text}");
    }

    #[test]
    fn a_placeholder_names_the_file_that_holds_the_text() {
        let result = ToolResult { id: "1".into(), name: "read".into(), output: Output::Text("a".into()), ..ToolResult::default() };
        let held = Held { tokens: 20, media: "", hint: RetrievalHint::File { directory: "tool-results", id: recall_id(77) } };
        let text = written(None, &result, held, None);
        assert!(is_placeholder(&text) && text.ends_with("its text is in tool-results/100000077.txt if you need it.]"), "{text}");
    }
}
