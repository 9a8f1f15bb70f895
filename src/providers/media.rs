//! Images and files in a request: how many it may hold, by the user's options and by what hosts say when they refuse one, and what packages make of them.
//! Reads no error object, and decides nothing.

use serde::{Deserialize, Serialize};

use crate::model::message::MediaKind;
use crate::providers::overflow::ErrorFacts;

/// What a request may hold; nothing where no limit is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MediaLimit {
    /// Images.
    pub images: Option<u32>,
    /// Bytes of images and files, as base64.
    pub bytes: Option<u64>,
}

impl MediaLimit {
    /// The lower of two.
    pub fn and(self, other: MediaLimit) -> MediaLimit {
        let lower = |one: Option<u64>, other: Option<u64>| one.into_iter().chain(other).min();
        MediaLimit {
            images: lower(self.images.map(u64::from), other.images.map(u64::from)).map(|images| images as u32),
            bytes: lower(self.bytes, other.bytes),
        }
    }

    /// Half of it.
    pub fn half(self) -> MediaLimit {
        MediaLimit { images: self.images.map(|images| images / 2), bytes: self.bytes.map(|bytes| bytes / 2) }
    }
}

/// Whether a provider's package writes media in the result of a tool as text, base64 and all: so do those for Chat Completions, whose providers' names
/// end so (`@ai-sdk/openai` and `openai-compatible`, and what is built on it, for ai 5, 6 and 7; Mistral's, Groq's and the like). `specification`: the
/// form of the model's interface, `v2` in ai 5; `multipart` where the option `supportsMultiPartToolContent` of ai 7's is set.
pub fn writes_media_as_text(provider: &str, specification: &str) -> bool {
    let provider = provider.to_ascii_lowercase();
    match provider.contains("openrouter") {
        true => specification == "v2",
        false => {
            [".chat", ".completion"].iter().any(|end| provider.ends_with(end))
                && !provider.contains("vertex")
                && specification != "multipart"
        }
    }
}

/// Whether a provider's package hands over such media in the result of a tool as what it is. Bedrock's refuses files.
pub fn is_shown_in_results(kind: MediaKind, provider: &str, specification: &str) -> bool {
    let writes_text = writes_media_as_text(provider, specification);
    let provider = provider.to_ascii_lowercase();
    let has = |name: &str| provider.contains(name);
    match kind {
        MediaKind::Image => !writes_text,
        MediaKind::Pdf => !writes_text && !has("bedrock") && ["anthropic", "google", "vertex", "responses"].iter().any(|name| has(name)),
        MediaKind::Audio | MediaKind::Video | MediaKind::Text | MediaKind::Other => false,
    }
}

/// Images of which a request may have more only if none is large. Source: platform.claude.com, "Vision": more than 20 images in a request
/// may have at most 2,000 pixels each.
const MANY_IMAGES: u32 = 20;

/// What hosts say of too many images: the pieces of each text, in lower case.
const TOO_MANY: &[&[&str]] = &[
    // vLLM: github.com/vllm-project/vllm/issues/17092, 13513; later versions say "in one prompt"
    &["at most", "image(s) may be provided in one"],
    // vLLM before: github.com/xorbitsai/inference/issues/3054, hiyouga/LlamaFactory/issues/7886
    &["limit-mm-per-prompt", "image items in the same prompt"],
    // Anthropic: "Too much media: 0 document pages + 103 images > 100": github.com/anthropics/claude-code/issues/3397
    &["too much media"],
    // Azure: "Exceeded maximum number of images (50) allowed in the request.": github.com/anomalyco/opencode/issues/39677
    &["exceed", "maximum number of images"],
    // Anthropic, Bedrock: "too many images and documents: 104 + 1 > 100": github.com/anthropics/claude-code/issues/23392, boto/boto3/issues/4632
    // GitHub Copilot: "11 images provided, but the model supports a maximum of 10 images": github.com/microsoft/vscode/issues/306919
    // Azure and OpenAI's older models: "Max is 10.": github.com/the-open-agent/openagent/issues/874
    // new-api: "max allowed is 16": github.com/QuantumNous/new-api/issues/1233. Groq: "up to 5 images": console.groq.com/docs/vision
    &["too many images"],
];

/// Behind these stands how many may be.
const BEFORE_LIMIT: &[&str] = &["at most ", "image=", "images (", "maximum of ", "max is ", "max allowed is ", "up to ", OVER];

/// Behind a sum.
const OVER: &str = "> ";

/// How many images a request may hold by an error about too many, 0 where it does not say; `None` for any other error.
pub fn read_too_many(facts: &ErrorFacts<'_>) -> Option<u32> {
    // Anthropic, of an image too large for a request of so many: github.com/anthropics/claude-code/issues/24630
    if facts.say(&[&["dimensions exceed", "many-image requests"]]) {
        return Some(MANY_IMAGES);
    }
    let limits = || facts.texts.iter().find_map(|text| limit_in(&text.to_ascii_lowercase()));
    facts.say(TOO_MANY).then(|| limits().unwrap_or(0))
}

/// The limit that a text names. Where documents count beside images, what they leave.
fn limit_in(text: &str) -> Option<u32> {
    BEFORE_LIMIT.iter().filter(|_| text.contains("image")).find_map(|before| {
        let (sum, limit) = text.rsplit_once(before)?;
        let most = number_at(limit)?;
        let documents = sum.split_once("too much media: ").or_else(|| sum.rsplit_once(" + ")).and_then(|(_, rest)| number_at(rest));
        Some(if *before == OVER { most.saturating_sub(documents.unwrap_or(0)) } else { most })
    })
}

fn number_at(text: &str) -> Option<u32> {
    let digits = text.len() - text.trim_start_matches(|letter: char| letter.is_ascii_digit()).len();
    text[..digits].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_of_images_says_how_many_may_be() {
        for (text, most) in [
            ("At most 4 image(s) may be provided in one request.", Some(4)),
            ("At most 1 image(s) may be provided in one prompt.", Some(1)),
            ("You set image=2 (or defaulted to 1) in `--limit-mm-per-prompt`, but passed 3 image items in the same prompt.", Some(2)),
            ("You set or defaulted to image=4 in --limit-mm-per-prompt, but passed 10 image items in the same prompt.", Some(4)),
            (
                r#"{"type":"error","error":{"type":"invalid_request_error","message":"too many images and documents: 104 + 1 > 100"}}"#,
                Some(99),
            ),
            ("too many images and documents: 101 + 0 > 100", Some(100)),
            ("Too much media: 5 document pages + 98 images > 100", Some(95)),
            ("Exceeded maximum number of images (50) allowed in the request.", Some(50)),
            ("Too many images in request: 11 images provided, but the model supports a maximum of 10 images.", Some(10)),
            ("The request contains too many images: 11 images were provided, but the model supports a maximum of 10 images.", Some(10)),
            ("Too many images in request. Max is 10.", Some(10)),
            ("too many images in the message, max allowed is 16", Some(16)),
            ("Too many images provided. This model supports up to 5 images", Some(5)),
            ("Too many images.", Some(0)),
            (
                "messages.19.content.27.image.source.base64.data: At least one of the image dimensions exceed max allowed size for many-image requests: 2000 pixels",
                Some(20),
            ),
            ("messages.0.content.1.image.source.base64: image exceeds 5 MB maximum: 7340032 bytes > 5242880 bytes", None),
            ("At least one of the image dimensions exceed max allowed size: 8000 pixels", None),
            ("This model does not support image input.", None),
            ("Too many requests, up to 10 images per minute", None),
            ("prompt is too long: 210000 tokens > 200000 maximum", None),
        ] {
            let facts = ErrorFacts { status_codes: vec![400], texts: vec![text], ..ErrorFacts::default() };
            assert_eq!(read_too_many(&facts), most, "{text}");
        }
    }

    #[test]
    fn packages_for_chat_completions_write_images_in_results_as_text() {
        for (provider, specification, image, pdf) in [
            ("anthropic.messages", "v3", true, true),
            ("vertex.anthropic.messages", "v3", true, true),
            ("amazon-bedrock", "v2", true, false),
            ("openai.responses", "v2", true, true),
            ("openai.chat", "v4", false, false),
            ("azure.chat", "v3", false, false),
            ("google.generative-ai", "v3", true, true),
            ("google.vertex.chat", "v3", true, true),
            ("vendor.chat", "v3", false, false),
            ("mistral.chat", "v3", false, false),
            ("groq.chat", "v3", false, false),
            ("vendor.chat", "multipart", true, false),
            ("openrouter", "v2", false, false),
            ("openrouter.chat", "v3", true, false),
            ("gateway", "v3", true, false),
            ("", "", true, false),
        ] {
            let shown = [MediaKind::Image, MediaKind::Pdf].map(|kind| is_shown_in_results(kind, provider, specification));
            assert_eq!(shown, [image, pdf], "{provider} {specification}");
        }
    }
}
