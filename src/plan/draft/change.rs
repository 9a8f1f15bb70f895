//! What an action makes of a part: the change as a value, and the tokens of the part after it. Decides nothing.

use std::borrow::Cow;
use std::rc::Rc;

use crate::digest::shown::sorted_text;
use crate::json::Value;
use crate::model::entry::{Meter, call_text_tokens, output_tokens};
use crate::model::fingerprint::Fingerprint;
use crate::model::message::{Call, Item, Media, Output, Part};
use crate::plan::edit::PartChange;
use crate::state::{Action, Retrieval};
use crate::tokens::estimate::estimate_tokens;
use crate::tokens::media::Counting;
use crate::words::cut::{cut_result, head_and_tail};
use crate::words::placeholder::{Held, left_out, outline, over_limit, placeholder, recall_id, with_aged_images, without_media};
use crate::words::retrieval::RetrievalHint;

/// What an action makes of a part.
#[derive(Clone)]
pub struct Changed {
    /// The change.
    pub change: PartChange,
    /// The tokens of the part after it.
    pub tokens: u32,
    /// How the call of a cleared result ended: the same whatever else is kept of it. Empty for all other changes.
    pub outline: Rc<str>,
}

/// How the call of a result ended.
pub enum Outline<'c> {
    /// It is read off the result of this call.
    Of(Option<&'c Call>),
    /// It was, for the same way back.
    Known(Rc<str>),
}

/// The change an action makes to a part. `None` when the action does not apply.
/// `ended` is for results; `directories` are those that actions name; `measured` are the part's tokens, and whether these are estimated.
pub fn carry_out(
    part: &Part,
    ended: Outline<'_>,
    action: &Action,
    fingerprint: Fingerprint,
    directories: &[String],
    count: &dyn Fn(&str) -> u32,
    (measured, is_estimated): (u32, bool),
) -> Option<Changed> {
    let mut known = Rc::default();
    let (change, tokens) = match (action, part) {
        (Action::Clear { keeps, retrieval }, Part::Result(result)) => {
            let text = sorted_text(&result.output);
            let (tokens, media) = match &result.output {
                // The text must not depend on the model, which may change.
                Output::Content(items) => {
                    (output_tokens(&result.output, Meter { counting: Counting::default(), count: &estimate_tokens }), media_names(items))
                }
                // Written with other keys first, or without its quotes, it costs a little more or less.
                Output::Json(json) | Output::ErrorJson(json) if json.omitted_bytes > 0 || *text != json.text => {
                    (estimate_tokens(&text), String::new())
                }
                _ => (if is_estimated { measured } else { estimate_tokens(&text) }, String::new()),
            };
            let hint = retrieval_hint(*retrieval, fingerprint, directories)?;
            let held = Held { tokens, media: &media, hint };
            known = match ended {
                Outline::Known(line) => line,
                Outline::Of(call) if keeps.is_some() => outline(call, result, &text, hint).into(),
                Outline::Of(_) => known,
            };
            Some(output_change(placeholder(&known, result, &text, held, keeps.as_ref()), &result.output, count))
        }
        (Action::Cap { tokens, parts, retrieval }, Part::Result(result)) => {
            let text = sorted_text(&result.output);
            let rest = retrieval_hint(*retrieval, fingerprint, directories)?.words_for_the_rest();
            let cut = cut_result(&text, *tokens, parts, &rest);
            let holds_more = match &result.output {
                Output::Content(_) => true,
                Output::Json(json) | Output::ErrorJson(json) => json.omitted_bytes > 0,
                _ => false,
            };
            // Where not the text is large but images or files, these are kept whole, cleared or left out with a note; never cut away silently.
            (cut != text || !holds_more).then(|| output_change(cut, &result.output, count))
        }
        (Action::OmitMedia { tokens, reads }, Part::Result(result)) => {
            let (text, media) = match &result.output {
                Output::Content(items) => (result.output.as_text(), media_names(items)),
                Output::Json(json) | Output::ErrorJson(json) if json.omitted_bytes > 0 => {
                    (sorted_text(&result.output), "binary data".into())
                }
                _ => return None,
            };
            let cut = cut_result(&text, *tokens, &[], "");
            (!media.is_empty()).then(|| output_change(without_media(&cut, &media, *reads), &result.output, count))
        }
        (Action::AgeImages | Action::OverLimit, Part::Result(result)) => {
            let Output::Content(items) = &result.output else { return None };
            let (media, text) = (media_names(items), result.output.as_text());
            let written = if *action == Action::AgeImages { with_aged_images(&text, &media) } else { over_limit(&text, &media) };
            (!media.is_empty()).then(|| output_change(written, &result.output, count))
        }
        (Action::AgeImages | Action::OverLimit, Part::Media(media)) => {
            let text = if *action == Action::AgeImages { left_out(&media.title()) } else { over_limit("", &media.title()) };
            let tokens = count(&text);
            Some((PartChange::Text { text }, tokens))
        }
        (Action::CutInput { tokens }, Part::Call(call)) => {
            let (tokens, value) = (*tokens, Value::parse(&call.input)?);
            let mut input = String::new();
            // The form around the call costs what it did.
            let form = measured.saturating_sub(call_text_tokens(&call.name, &call.input, call.omitted_bytes, count));
            // Escaping makes some strings far longer inside the input than they are by themselves.
            for divisor in [1, 2, 4, 8, 16] {
                let mut cut = value.clone();
                shrink(&mut cut, tokens / divisor);
                input.clear();
                cut.write(&mut input);
                if call_text_tokens(&call.name, &input, 0, count) <= tokens.saturating_mul(2) {
                    break;
                }
            }
            let tokens = form.saturating_add(call_text_tokens(&call.name, &input, 0, count));
            Some((PartChange::Input { json: input }, tokens))
        }
        (Action::CutText { tokens }, Part::Text { text, .. }) => {
            let text = head_and_tail(text, *tokens);
            let tokens = count(&text);
            Some((PartChange::Text { text }, tokens))
        }
        _ => None,
    }?;
    Some(Changed { change, tokens, outline: known })
}

/// What an action says of how a result can be retrieved; nothing when its directory is not known.
fn retrieval_hint(retrieval: Retrieval, fingerprint: Fingerprint, directories: &[String]) -> Option<RetrievalHint<'_>> {
    let id = recall_id(fingerprint);
    Some(match retrieval {
        Retrieval::Call => RetrievalHint::Call,
        Retrieval::CallIfReads => RetrievalHint::CallIfReads,
        Retrieval::Nothing => RetrievalHint::Nothing,
        Retrieval::Recall => RetrievalHint::Recall(id),
        Retrieval::File { directory } => RetrievalHint::File { directory: directories.get(usize::from(directory))?, id },
    })
}

fn output_change(text: String, output: &Output, count: &dyn Fn(&str) -> u32) -> (PartChange, u32) {
    let tokens = count(&text);
    (PartChange::Output { text, is_error: output.is_error() }, tokens)
}

/// What a file holds of a result: all that is text. Empty when that says nothing of it.
pub fn file_text(output: &Output) -> Cow<'_, str> {
    match output {
        Output::Content(items) if !items.iter().any(|item| matches!(item, Item::Text(text) if !text.is_empty())) => "".into(),
        Output::Json(json) | Output::ErrorJson(json) if json.omitted_bytes > 0 => "".into(),
        _ => sorted_text(output),
    }
}

fn media_names(items: &[Item]) -> String {
    Media::names(items.iter().filter_map(|item| if let Item::Media(media) = item { Some(media) } else { None }))
}

/// Cuts every string of a value to head and tail, and every array to its first items.
fn shrink(value: &mut Value, tokens: u32) {
    match value {
        Value::Text(text) => *text = head_and_tail(text, tokens).into(),
        Value::List(items) => {
            let mut used = 0;
            let mut kept = 0;
            for item in items.iter_mut() {
                shrink(item, tokens);
                let mut text = String::new();
                item.write(&mut text);
                used += estimate_tokens(&text) + 1;
                if used > tokens {
                    break;
                }
                kept += 1;
            }
            if kept < items.len() {
                let note = format!("[… {} items left out …]", items.len() - kept);
                items.truncate(kept);
                items.push(Value::Text(note.into()));
            }
        }
        Value::Map(members) => members.iter_mut().for_each(|(_, inner)| shrink(inner, tokens)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
