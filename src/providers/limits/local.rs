//! Recognizes models that a local runtime serves, by the names that providers and models have there. Ollama, LM Studio and llama.cpp load a
//! model with a window of their own choice, often 4,096 tokens, and Ollama drops the front of a longer prompt without a word.

/// Words in names of providers.
const RUNTIMES: [&str; 7] = ["ollama", "lmstudio", "lm-studio", "llamacpp", "llama.cpp", "llama-cpp", "llamafile"];

/// Whether a local runtime serves the model.
pub fn is_local(model_id: &str, provider: &str) -> bool {
    let (id, provider) = (model_id.to_ascii_lowercase(), provider.to_ascii_lowercase());
    RUNTIMES.iter().any(|name| provider.contains(name)) || id.contains(".gguf") || id.ends_with("-gguf") || tag_of_ollama(&id)
}

/// `llama3.1:8b`, `qwen3:14b-q4_K_M`, `mistral:latest`. Other tags are resellers' (`:free`), revisions (`-v1:0`), windows that are asked for
/// (`:1m`) and fine-tunes (`ft:…`).
fn tag_of_ollama(id: &str) -> bool {
    let Some((_, tag)) = id.rsplit_once(':').filter(|(_, tag)| !id.starts_with("ft:") && *tag != "1m") else { return false };
    let size = tag.split('-').next().unwrap_or_default();
    let digits = size.trim_end_matches(['b', 'm']);
    let is_size = digits.len() + 1 == size.len() && digits.starts_with(|first: char| first.is_ascii_digit());
    tag == "latest" || is_size && digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn local_runtimes_are_recognized_by_the_names_of_their_providers_and_models() {
        for (model_id, provider) in [
            ("llama3.1", "ollama.chat"),
            ("gpt-oss-20b", "lmstudio"),
            ("qwen3", "my-llama.cpp.chat"),
            ("llama3.1:8b", "openai-compatible.chat"),
            ("deepseek-r1:1.5b-qwen-distill-q4_K_M", ""),
            ("mistral:latest", ""),
            ("lmstudio-community/Qwen3-8B-GGUF", ""),
            ("/models/llama-3-8b.Q4_K_M.gguf", ""),
        ] {
            assert!(is_local(model_id, provider), "{model_id} {provider}");
        }
        for (model_id, provider) in [
            ("meta-llama/llama-3.1-8b-instruct:free", "openrouter"),
            ("anthropic.claude-3-5-sonnet-20240620-v1:0", "amazon-bedrock"),
            ("ft:gpt-4o:my-org:name:7b", "openai"),
            ("claude-sonnet-4-5", "anthropic.messages"),
            ("anthropic/claude-sonnet-4:1m", "openrouter"),
            ("llama-3.1-8b-instant", "groq.chat"),
            ("", ""),
        ] {
            assert!(!is_local(model_id, provider), "{model_id} {provider}");
        }
    }
}
