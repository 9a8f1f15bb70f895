//! Fillers: a short assistant message that some models demand between tool results and an enqueued message. Decided by the model's name alone.
//! Not here: which messages were enqueued, which only TypeScript knows.

use crate::model::message::Role;

/// Models that refuse a message of the user right behind results ("Unexpected role 'user' after role 'tool'"): those of Mistral, wherever they run.
const NEEDING_FILLER: [&str; 7] = ["mistral", "ministral", "mixtral", "magistral", "codestral", "devstral", "pixtral"];

/// The assistant message that is sent between results and a message of the user, where a model refuses them side by side.
pub const FILLER: &str = "I have the results.";

/// Indices of the messages of the user that stand right behind results, for a model that refuses them there.
pub fn filler_positions(roles: &[Role], model_id: &str, provider: &str) -> Vec<usize> {
    let names = [model_id, provider].map(str::to_ascii_lowercase);
    if !NEEDING_FILLER.iter().any(|part| names.iter().any(|name| name.contains(part))) {
        return Vec::new();
    }
    let follows = |index: &usize| roles[*index] == Role::User && roles[*index - 1] == Role::Tool;
    (1..roles.len()).filter(follows).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_after_results_needs_a_filler_only_where_a_model_refuses_it() {
        let roles = [Role::User, Role::Assistant, Role::Tool, Role::User, Role::User, Role::Assistant, Role::Tool, Role::Tool, Role::User];
        for (model_id, provider, expected) in [
            ("mistral-large-latest", "mistral.chat", &[3, 8][..]),
            ("mistralai/Devstral-Small-2-24B-Instruct-2512", "vllm.chat", &[3, 8]),
            ("large", "mistral.chat", &[3, 8]),
            ("gpt-5", "openai.responses", &[]),
            ("", "", &[]),
        ] {
            assert_eq!(filler_positions(&roles, model_id, provider), expected, "{model_id} {provider}");
        }
        assert!(filler_positions(&[], "mistral-large-latest", "").is_empty());
    }
}
