//! Which compaction blocks of providers a model reads as such. Anthropic's is a text and stands for all before it, which the API does not read;
//! OpenAI's is an encrypted item, and what stands before it is read and billed. To any other model either is a text like others, or nothing.

use serde::{Deserialize, Serialize};

use crate::model::entry::Entry;
use crate::providers::limits::Family;

/// The blocks that a model reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Blocks {
    /// Anthropic's.
    texts: bool,
    /// OpenAI's.
    items: bool,
}

/// APIs that take neither: chat completions, by whatever package, and two whose packages write texts alone.
const WITHOUT: [&str; 4] = [".chat", ".completion", "openrouter", "amazon-bedrock"];

impl Blocks {
    /// Of a model of this family, by the name that it gives its provider. A model that nobody knows may read both.
    pub fn of(family: Family, provider: &str) -> Blocks {
        let takes = !WITHOUT.iter().any(|name| provider.ends_with(name) || provider == *name);
        let reads = |own: Family| takes && [own, Family::Other].contains(&family);
        Blocks { texts: reads(Family::Claude), items: reads(Family::Gpt) }
    }

    /// Whether the message holds a block that the model reads.
    pub fn are_in(self, entry: &Entry) -> bool {
        entry.has_native_compaction() && if entry.compacts_all_before() { self.texts } else { self.items }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::providers::limits::model_limits;

    #[test]
    fn a_block_is_one_to_the_models_of_its_provider_and_to_those_that_nobody_knows() {
        for (model, provider, texts, items) in [
            ("claude-opus-5", "anthropic.messages", true, false),
            ("claude-opus-5", "vertex.anthropic.messages", true, false),
            ("anthropic/claude-opus-5", "gateway", true, false),
            ("claude-opus-5", "my-proxy", true, false),
            ("anthropic.claude-opus-5", "amazon-bedrock", false, false),
            ("anthropic/claude-opus-5", "openrouter", false, false),
            ("claude-opus-5", "my-proxy.chat", false, false),
            ("gpt-5", "openai.responses", false, true),
            ("gpt-5", "azure.responses", false, true),
            ("gpt-5", "openai.chat", false, false),
            ("gemini-3-pro", "google.generative-ai", false, false),
            ("mock", "mock", true, true),
            ("", "", true, true),
        ] {
            let family = model_limits(model, provider).family;
            assert_eq!(Blocks::of(family, provider), Blocks { texts, items }, "{model} of {provider}");
        }
    }
}
