//! Which names a conversation mentions: in calls and results, in what they hold, in texts, thoughts and checkpoints.
//! A name is a whole word there. Knows nothing of tools.

use crate::model::message::{Message, Part};
use crate::text::hash::HashMap;
use crate::text::order::sort_by_numbers;

/// The indices in `names` of those that are mentioned, in order.
pub fn mentioned(messages: impl Iterator<Item = Message>, names: &[String]) -> Vec<u32> {
    let mut open: HashMap<&str, usize> = names.iter().enumerate().map(|(at, name)| (name.as_str(), at)).collect();
    let mut found = Vec::new();
    for part in messages.flat_map(|message| message.parts) {
        if open.is_empty() {
            break;
        }
        let mut look = |text: &str| {
            found.extend(words(text).filter_map(|word| open.remove(word)));
            // What is no word of this kind is looked for letter by letter.
            let others: Vec<&str> = open.keys().copied().filter(|name| !name.is_empty() && !is_word(name) && text.contains(name)).collect();
            found.extend(others.into_iter().filter_map(|name| open.remove(name)));
        };
        match part {
            Part::Text { text, .. } | Part::Reasoning { text, .. } => look(&text),
            Part::Call(call) => {
                look(&call.name);
                look(&call.input);
            }
            Part::Result(result) => {
                look(&result.name);
                look(&result.output.as_text());
            }
            Part::Media(_) | Part::ApprovalRequest { .. } | Part::ApprovalResponse { .. } | Part::Opaque { .. } => {}
        }
    }
    let mut found: Vec<u32> = found.into_iter().map(|at| at as u32).collect();
    sort_by_numbers(&mut found, |at| [i64::from(*at), 0, 0]);
    found
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !is_letter(letter)).filter(|word| !word.is_empty())
}

fn is_word(name: &str) -> bool {
    name.chars().all(is_letter)
}

/// Of the names that providers take. Others part words: some languages have no spaces.
fn is_letter(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::message::{Call, Json, Output, Role, ToolResult};

    fn mentioned_in(parts: Vec<Part>, names: &[&str]) -> Vec<u32> {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        mentioned([Message { role: Role::Assistant, parts, marker: None, has_cache_mark: false, carried: None }].into_iter(), &names)
    }

    fn text(text: &str) -> Part {
        Part::text(text)
    }

    #[test]
    fn a_name_is_a_whole_word_and_each_is_named_once_in_their_own_order() {
        let part = text("Use `readPlan`, then list-documents. Never readPlans or my_find; find_all(2) and find_all again.");
        assert_eq!(mentioned_in(vec![part], &["find", "find_all", "readPlan", "list-documents", "readPlans2", ""]), [1, 2, 3]);
    }

    #[test]
    fn calls_results_and_what_they_hold_count_and_letters_of_other_alphabets_part_words() {
        let call = Call {
            id: "1".into(),
            name: "search_tools".into(),
            input: r#"{"query":"refund","hint":"order_lookup"}"#.into(),
            omitted_bytes: 0,
            provider_executed: false,
            caller: None,
        };
        let result = ToolResult {
            id: "1".into(),
            name: "other".into(),
            output: Output::Json(Json { text: r#"[{"name":"refund_order"},{"name":"mcp.files/read"}]"#.into(), omitted_bytes: 0 }),
            ..ToolResult::default()
        };
        let parts = vec![Part::Call(call), Part::Result(result), text("次はcancel_orderを使う、send_mail。")];
        let names = [
            "search_tools",
            "order_lookup",
            "other",
            "refund_order",
            "mcp.files/read",
            "cancel_order",
            "send_mail",
            "refund_orders",
            "query2",
        ];
        assert_eq!(mentioned_in(parts, &names), [0, 1, 2, 3, 4, 5, 6]);
    }
}
