//! A message as everything of ours is made of it: without secrets. Cleaned as a whole before anything is chosen or cut, so that no half of a
//! secret stands at a border, and none without the name that reveals it.

use std::cell::RefCell;

use crate::json::{Value, write_string};
use crate::model::message::{Item, Message, Output, Part, Role};
use crate::redact::{clean, is_by_our_rules};
use crate::text::hash::{HashSet, mix};

impl Message {
    /// The message without secrets in what tools and the model wrote, and which of its parts that changed. The words of the user and the app
    /// are told as they came.
    pub fn cleaned(mut self) -> (Message, Vec<usize>) {
        let is_theirs = matches!(self.role, Role::User | Role::System);
        let mut changed = Vec::new();
        for (at, part) in self.parts.iter_mut().enumerate() {
            let mut clear = |text: &mut String, clean: fn(&str) -> String| {
                if let Some(cleaned) = cleaned_once(text, clean) {
                    *text = cleaned;
                    changed.push(at);
                }
            };
            match part {
                Part::Text { .. } if is_theirs => {}
                Part::Text { text, .. } | Part::Reasoning { text, .. } => clear(text, clean),
                Part::Call(call) => clear(&mut call.input, clean),
                Part::Result(result) => match &mut result.output {
                    Output::Text(text) | Output::ErrorText(text) | Output::Denied(text) => clear(text, clean),
                    Output::Json(json) | Output::ErrorJson(json) => clear(&mut json.text, cleaned_json),
                    Output::Content(items) => {
                        for item in items {
                            if let Item::Text(text) = item {
                                clear(text, clean);
                            }
                        }
                    }
                    Output::Unknown(_) => {}
                },
                _ => {}
            }
        }
        (self, changed)
    }
}

/// Texts without secrets that are remembered: a plan reads a message several times, and each edit all of them.
const MOST_KNOWN: usize = 50_000;

thread_local! {
    static KNOWN: RefCell<HashSet<u64>> = RefCell::default();
}

/// A text without its secrets; `None` where it holds none.
fn cleaned_once(text: &str, clean: fn(&str) -> String) -> Option<String> {
    // The same text is cleaned otherwise where it is JSON: the function belongs to its print.
    let print = mix(clean as usize as u64, text.as_bytes());
    let is_ours = is_by_our_rules();
    if is_ours && KNOWN.with_borrow(|known| known.contains(&print)) {
        return None;
    }
    let cleaned = clean(text);
    if cleaned != text {
        return Some(cleaned);
    }
    if is_ours {
        KNOWN.with_borrow_mut(|known| {
            if known.len() >= MOST_KNOWN {
                known.clear();
            }
            known.insert(print);
        });
    }
    None
}

/// A string of JSON is cleaned as its text: stores turn one into the other.
fn cleaned_json(json: &str) -> String {
    match Value::parse(json) {
        Some(Value::Text(text)) => {
            let mut written = String::with_capacity(json.len());
            write_string(&clean(&text), &mut written);
            written
        }
        _ => clean(json),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::message::{Json, ToolResult};

    fn of(output: Output) -> (String, Vec<usize>) {
        let result = ToolResult { id: "1".into(), name: "read".into(), output, ..ToolResult::default() };
        let mut message = Message::text(Role::Tool, "go on");
        message.parts.push(Part::Result(result));
        let (message, changed) = message.cleaned();
        match &message.parts[1] {
            Part::Result(result) => (result.output.as_text().into_owned(), changed),
            part => (format!("{part:?}"), changed),
        }
    }

    #[test]
    fn a_secret_that_only_its_surroundings_reveal_is_gone_from_a_text_and_from_the_same_text_as_json() {
        let secret = format!("q7Vd{}", "2kLx9TmWz4RbNc8YpJ3s");
        for text in [
            format!("{{\n \"name\": \"API_KEY\",\n \"value\": \"{secret}\",\n \"order\": \"ORD-771\"\n}}"),
            format!("ORD-771 was paid\n\"name\": \"API_KEY\",\n\"value\": \"{secret}\"\n"),
            format!("{{\n \"name\": \"API_KEY\",\n \"value\": \"{secret}\"\n}}\n{}", "next line of ORD-771\n".repeat(20)),
            format!("user,password\nann,{secret}\nORD-771,-\n"),
        ] {
            let (cleaned, changed) = of(Output::Text(text.clone()));
            assert!(!cleaned.contains(&secret) && cleaned.contains("ORD-771") && changed == [1], "{cleaned} {changed:?}");
            let mut json = String::new();
            write_string(&text, &mut json);
            let of_json = of(Output::Json(Json { text: json, omitted_bytes: 0 })).0;
            assert_eq!(Value::parse(&of_json).as_ref().and_then(Value::as_str), Some(&*cleaned));
        }
        assert_eq!(of(Output::Text("paid ORD-771".into())), ("paid ORD-771".into(), Vec::new()));
    }

    #[test]
    fn the_words_of_the_user_stay() {
        let said = "my password: Sommer2024!";
        let of = |role| Message::text(role, said).cleaned();
        assert_eq!(of(Role::User).0.parts, [Part::text(said)]);
        assert_eq!(of(Role::Assistant).1, [0]);
    }
}
