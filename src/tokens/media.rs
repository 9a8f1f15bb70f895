//! What counting depends on beside the text: what images and files cost, by provider, kind and extent, and the form around a call.
//! Not a decoder: the bytes stay in JavaScript. How large something is stands in `extent.rs`.

use super::calibration::central_ratio;
use super::estimate::estimate_tokens;
use super::{CALL_TOKENS, saturate};
use serde::{Deserialize, Serialize};

use crate::model::message::{Extent, Media, MediaKind};
use crate::policy::estimates::LEAN;
use crate::providers::limits::{Family, read_id};

/// How a model counts media, in its provider's tokens.
///
/// An image is scaled down until both edges fit, then covered with cells; more cells than `most` are not made.
struct Rule {
    family: Family,
    /// Pixels of the long edge at most.
    long_edge: f32,
    /// Pixels of the short edge at most.
    short_edge: f32,
    /// Pixels of a cell's edge.
    cell: f32,
    /// Cells of an image at most.
    most: f32,
    /// Tokens of a cell.
    each: f32,
    /// Tokens of an image beside its cells.
    base: f32,
    /// Tokens of a page of a PDF.
    page: u32,
}

/// No limit.
const ANY: f32 = 1e9;
/// Tokens of a page as text and picture. Source: Anthropic, "PDF support": 1,500 to 3,000 tokens of text a page, and an image of it;
/// Hugging Face data set `JOHNISKING/pdf-token-cost` measured 2,100 to 2,480 for a page of text or tables, 1,590 for a scan.
const PAGE: u32 = 2_500;

/// OpenAI's tiles: within 2,048 square, then the short edge at most 768, in tiles of 512.
/// Source: OpenAI, "Images and vision", calculating costs.
const fn tiles(each: f32, base: f32) -> Rule {
    Rule { family: Family::Gpt, long_edge: 2_048.0, short_edge: 768.0, cell: 512.0, most: ANY, each, base, page: PAGE }
}

/// OpenAI's patches of 32 pixels, times a factor of the model. Source: the same page; factors of GPT-5 mini and later as measured in
/// OpenAI's forum ("Introducing GPT-5.4 mini and nano") and in the Hugging Face data set `JOHNISKING/image-token-cost`.
const fn patches(most: f32, each: f32) -> Rule {
    Rule { family: Family::Gpt, long_edge: ANY, short_edge: ANY, cell: 32.0, most, each, base: 0.0, page: PAGE }
}

/// Patches of 28 pixels.
const fn fine(family: Family, long_edge: f32, most: f32, base: f32) -> Rule {
    Rule { family, long_edge, short_edge: ANY, cell: 28.0, most, each: 1.0, base, page: PAGE }
}

const fn gemini(cell: f32, each: f32, page: u32) -> Rule {
    Rule { family: Family::Gemini, long_edge: 3_072.0, short_edge: ANY, cell, most: ANY, each, base: 0.0, page }
}

/// Every rule. A model is known by the index of its rule, which is also what counting depends on.
static RULES: [Rule; 17] = [
    // Unknown models. Grok takes 1,792 at most (xAI, "Image understanding"), Claude's first tier 1,600, Qwen's hosts mostly 2,560.
    fine(Family::Other, ANY, 2_560.0, 0.0),
    // GPT-4o, 4.1, 4.5, 4 Turbo.
    tiles(170.0, 85.0),
    // GPT-5, 5.1.
    tiles(140.0, 70.0),
    // o1, o3.
    tiles(150.0, 75.0),
    // GPT-4o mini.
    tiles(5_667.0, 2_833.0),
    // GPT-5 mini, 5.2, 5.3, and the small ones since.
    patches(1_536.0, 1.2),
    // GPT-5 nano.
    patches(1_536.0, 1.5),
    // GPT-4.1 mini.
    patches(1_536.0, 1.62),
    // o4-mini.
    patches(1_536.0, 1.72),
    // GPT-4.1 nano.
    patches(1_536.0, 2.46),
    // GPT-5.4 and later, and ids without a version: images are sent in their original size.
    patches(10_000.0, 1.2),
    // Claude up to 4.6. Source: Anthropic, "Vision": patches of 28 pixels (the older rule, width x height / 750, is 5 % off),
    // long edge 1,568, at most about 1,600 tokens; four around each, as measured by OmniGlyph ("Billing Math").
    fine(Family::Claude, 1_568.0, 1_568.0, 4.0),
    // Claude since 4.7, and ids without a version. Source: the same page: long edge 2,576, at most 4,784 tokens.
    fine(Family::Claude, 2_576.0, 4_784.0, 4.0),
    // Gemini up to 2.5. Source: Google, "Understand and count tokens": 258 for each tile of 768, scaled down to 3,072 ("Image understanding").
    gemini(768.0, 258.0, 258),
    // Gemini since 3, and ids without a version. Source: Google, "Media resolution": up to 1,120 an image, 560 a page.
    gemini(ANY, 1_120.0, 560),
    // Qwen, GLM and the like: patches of 28 pixels. Source: the model card of Qwen2-VL; hosts allow less than its 16,384 tokens,
    // llama.cpp 4,096. No usage data.
    fine(Family::GlmQwenDeepseek, ANY, 4_096.0, 2.0),
    // Mistral: patches of 28 pixels, long edge 1,540. Source: Scaleway's FAQ on Mistral Small 3.1 and the processor's configuration.
    // Llama's tiles cost about as much on most hosts. No usage data.
    fine(Family::LlamaMistral, 1_540.0, ANY, 55.0),
];

/// An image whose size is unknown (by URL, by id) is taken for a screenshot.
const SCREENSHOT: (f32, f32) = (1_600.0, 1_200.0);
/// Bytes of a typical PDF page, where pages cannot be counted.
const PDF_PAGE_BYTES: u64 = 50_000;
/// Pages of a PDF that is not at hand.
const PDF_PAGES: u64 = 4;
/// Tokens of a second of sound. Source: Google, "Audio understanding", 32; OpenAI counts 10.
const AUDIO_SECOND_TOKENS: u64 = 32;
/// Bytes of a second of sound at 128 kbit/s.
const AUDIO_SECOND_BYTES: u64 = 16_000;
/// Tokens of a second of video with its sound. Source: Google, "Video understanding": about 300 at default resolution, 258 for the one
/// frame and 32 for sound. Gemini 3 takes 70 for a frame (Google, "Media resolution"), so that it comes out high there.
const VIDEO_SECOND_TOKENS: u64 = 300;
/// Bytes of a second of video, whose length its first bytes do not show: at 2 Mbit/s. Source: YouTube Help, "Recommended upload encoding
/// settings": 1 Mbit/s for 360 lines, 2.5 for 480, 5 for 720, 8 for 1,080. What has more lines is shorter, and comes out high.
const VIDEO_SECOND_BYTES: u64 = 250_000;
/// Seconds of sound or video that is not at hand.
const SECONDS: u64 = 60;
/// A file of unknown kind or size.
const FILE_TOKENS: u64 = 2_500;

/// The place of the rule of Claude since 4.7, …
const CLAUDE_SINCE_4_7: u8 = 12;
/// … whose tokenizer takes up to 1.35 times as many tokens as the one before (Anthropic's migration guide), 1.33 times over what agents read
/// (claudecodecamp.com, by `count_tokens`; Chinese and Japanese 1.01 times). Usage records say 1.43 to 1.5 for an estimated token.
const CLAUDE_SINCE_4_7_RATIO: f64 = 1.5;
/// A mark beside the rule: media in results are sent as text.
const AS_TEXT: u8 = 0x80;
/// Tokens of twelve bytes as base64, by `o200k_base`.
const TOKENS_OF_12_BYTES: u64 = 11;

/// What counting depends on: the rule of a model. The default serves unknown models.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counting(u8);

impl Counting {
    /// Of an unknown model.
    pub const UNKNOWN: Counting = Counting(0);

    /// The counting of a model. An id of another family than `family` says nothing about its version.
    pub fn of(model_id: &str, family: Family, id_family: Family) -> Counting {
        read_id(if family == id_family { model_id } else { "" }, |words| Counting::of_words(words, family))
    }

    fn of_words(words: &[&str], family: Family) -> Counting {
        let has = |word: &str| words.contains(&word);
        let version = version(words);
        let small = has("mini") || has("nano");
        Counting(match (family, version) {
            (Family::Other, _) => 0,
            (Family::Gpt, _) if has("4o") => {
                if small {
                    4
                } else {
                    1
                }
            }
            (Family::Gpt, 40) if has("o") => 8,
            (Family::Gpt, _) if has("o") => 3,
            (Family::Gpt, 41) if has("mini") => 7,
            (Family::Gpt, 41) if has("nano") => 9,
            (Family::Gpt, 1..=49) => 1,
            (Family::Gpt, 50) if has("nano") => 6,
            (Family::Gpt, 50..) if small => 5,
            (Family::Gpt, 50 | 51) => 2,
            (Family::Gpt, 52 | 53) => 5,
            (Family::Gpt, _) => 10,
            (Family::Claude, 1..=46) => 11,
            (Family::Claude, _) => CLAUDE_SINCE_4_7,
            (Family::Gemini, 1..=29) => 13,
            (Family::Gemini, _) => 14,
            (Family::GlmQwenDeepseek, _) => 15,
            (Family::LlamaMistral, _) => 16,
        })
    }

    /// As a number, for JavaScript to keep.
    pub fn to_number(self) -> u8 {
        self.0
    }

    /// From a number made by `to_number`; anything else counts as for an unknown model.
    pub fn from_number(number: u8) -> Counting {
        Counting(number)
    }

    fn rule(self) -> &'static Rule {
        RULES.get(usize::from(self.0 & !AS_TEXT)).unwrap_or(&RULES[0])
    }

    /// The same for a package that writes media in the results of tools as base64 text.
    pub fn with_media_as_text(self) -> Counting {
        Counting(self.0 | AS_TEXT)
    }

    /// Provider tokens for an estimated one, before anything was learnt.
    pub fn central_ratio(self) -> f64 {
        if self.0 & !AS_TEXT == CLAUDE_SINCE_4_7 { CLAUDE_SINCE_4_7_RATIO } else { central_ratio(self.rule().family) }
    }

    /// The same with the safer side.
    pub fn prior_ratio(self) -> f64 {
        LEAN * self.central_ratio()
    }

    /// Estimated tokens of the form around a call and its result. Fitted on usage records (`npm run bench:usage`): Claude has 75 to 110 of its own
    /// (Claude Code), 45 (pi); GPT 5 to 15 (Codex), 55 (opencode). Chat templates of Qwen, GLM and Llama write some 25: `<tool_call>`, the names of
    /// the fields, `<tool_response>`, the role of each. Of other models nothing is known: as much as of any.
    pub fn call_tokens(self) -> u32 {
        match self.rule().family {
            Family::Gpt => 18,
            Family::GlmQwenDeepseek | Family::LlamaMistral => 25,
            Family::Claude | Family::Gemini | Family::Other => CALL_TOKENS,
        }
    }

    /// Estimated tokens of a piece of media in the result of a tool.
    pub fn result_media_tokens(self, media: &Media) -> u32 {
        match media.bytes.filter(|_| self.0 & AS_TEXT != 0) {
            Some(bytes) => saturate(bytes.saturating_mul(TOKENS_OF_12_BYTES) / 12),
            None => self.media_tokens(media),
        }
    }

    /// Estimated tokens of a piece of media: what the provider counts, brought into the estimate's unit.
    pub fn media_tokens(self, media: &Media) -> u32 {
        let rule = self.rule();
        let tokens = match (media.kind, media.bytes) {
            (MediaKind::Text, Some(bytes)) => return text_file_tokens(media, bytes),
            (MediaKind::Image, _) => image_tokens(rule, media.extent),
            (MediaKind::Pdf, bytes) => {
                let pages = match (media.extent, bytes) {
                    (Extent::Pages(pages), _) => u64::from(pages),
                    (_, Some(bytes)) => bytes.div_ceil(PDF_PAGE_BYTES).max(1),
                    _ => PDF_PAGES,
                };
                pages * u64::from(rule.page)
            }
            (MediaKind::Audio, bytes) => seconds(bytes, sound_rate(&media.sample)) * AUDIO_SECOND_TOKENS,
            (MediaKind::Video, bytes) => seconds(bytes, VIDEO_SECOND_BYTES) * VIDEO_SECOND_TOKENS,
            (MediaKind::Text | MediaKind::Other, bytes) => FILE_TOKENS.max(bytes.unwrap_or(0) / 4),
        };
        saturate((tokens as f64 / self.central_ratio()).ceil() as u64)
    }
}

/// The version of a model in tenths, from the first numbers of its id: 45 for `claude sonnet 4 5 20250929`. Zero when there is none.
fn version(words: &[&str]) -> u32 {
    let number = |word: &&str| word.parse::<u32>().ok().filter(|_| word.len() <= 2);
    let Some(at) = words.iter().position(|word| number(word).is_some()) else { return 0 };
    let part = |at: usize| words.get(at).and_then(number).unwrap_or(0);
    part(at) * 10 + part(at + 1).min(9)
}

fn image_tokens(rule: &Rule, extent: Extent) -> u64 {
    let (width, height) = match extent {
        Extent::Pixels(width, height) => (width as f32, height as f32),
        Extent::Pages(_) | Extent::Unknown => SCREENSHOT,
    };
    let scale = (rule.long_edge / width.max(height)).min(rule.short_edge / width.min(height)).min(1.0);
    let cells = (width * scale / rule.cell).ceil() * (height * scale / rule.cell).ceil();
    (rule.base + cells.min(rule.most) * rule.each).ceil() as u64
}

fn seconds(bytes: Option<u64>, bytes_a_second: u64) -> u64 {
    bytes.map_or(SECONDS, |bytes| bytes.div_ceil(bytes_a_second).max(1))
}

/// Bytes of a second of sound: a WAV file says it in its header, others are taken for compressed.
fn sound_rate(sample: &[u8]) -> u64 {
    match (sample.get(..4), sample.get(28..32)) {
        (Some(b"RIFF"), Some(&[a, b, c, d])) => u64::from(u32::from_le_bytes([a, b, c, d])).max(1),
        _ => AUDIO_SECOND_BYTES,
    }
}

/// A text file costs what its text costs; the sample stands for the rest.
fn text_file_tokens(media: &Media, bytes: u64) -> u32 {
    // Cut inside a character, it is text up to there.
    let whole = std::str::from_utf8(&media.sample).map_or_else(|error| error.valid_up_to(), str::len);
    let sample = std::str::from_utf8(&media.sample[..whole]).unwrap_or_default();
    match sample.len() as u64 {
        0 => saturate(bytes / 2),
        length => saturate((u64::from(estimate_tokens(sample)) * bytes).div_ceil(length)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::providers::limits::model_limits;

    #[test]
    fn a_text_file_in_any_letters_costs_about_what_its_text_costs() {
        // Its sample is cut inside a letter, and half a token was taken for each byte.
        let text = "Станция измеряет уровень воды каждое утро. ".repeat(100);
        let end = (1_001..).find(|end| !text.is_char_boundary(*end)).unwrap_or_default();
        let sample = text.as_bytes()[..end].to_vec();
        let media = Media { bytes: Some(text.len() as u64), ..Media::absent(MediaKind::Text, sample) };
        let (counted, whole) = (f64::from(text_file_tokens(&media, text.len() as u64)), f64::from(estimate_tokens(&text)));
        assert!((counted / whole - 1.0).abs() < 0.15, "{counted} beside {whole}");
    }

    /// The provider's tokens of an image, the central ratio applied again.
    fn image(model: &str, width: u32, height: u32) -> f64 {
        let family = model_limits(model, "").family;
        let media = Media { extent: Extent::Pixels(width, height), ..Media::absent(MediaKind::Image, Vec::new()) };
        let counting = Counting::of(model, family, family);
        f64::from(counting.media_tokens(&media)) * counting.central_ratio()
    }

    #[test]
    fn a_first_count_knows_which_tokenizer_a_claude_has() {
        let ratio = |model: &str| Counting::of(model, Family::Claude, Family::Claude).central_ratio();
        for old in ["claude-3-5-haiku-latest", "claude-sonnet-4-5-20250929", "anthropic.claude-opus-4-6-v1:0", "claude-haiku-4.5"] {
            assert_eq!(ratio(old), 1.14, "{old}");
        }
        for new in [
            "claude-opus-4-7",
            "anthropic/claude-opus-4.8",
            "claude-sonnet-5",
            "us.anthropic.claude-opus-5-v1:0",
            "claude-fable-5",
            "claude",
        ] {
            assert_eq!(ratio(new), 1.5, "{new}");
        }
        assert_eq!(Counting::of("claude-opus-4-7", Family::Gpt, Family::Claude).central_ratio(), 0.99);
    }

    #[test]
    fn a_call_costs_what_its_family_writes_around_it_and_an_unknown_model_counts_the_most() {
        let form = |model: &str| {
            let family = model_limits(model, "").family;
            Counting::of(model, family, family).call_tokens()
        };
        for (model, tokens) in
            [("gpt-5.5", 18), ("o3", 18), ("qwen3-coder-30b", 25), ("llama-3.3-70b", 25), ("claude-opus-4-7", 80), ("mine", 80)]
        {
            assert_eq!(form(model), tokens, "{model}");
        }
    }

    #[test]
    fn media_that_a_package_writes_as_text_cost_what_their_base64_costs() {
        // 60,000 letters of base64 are 41,000 tokens by `o200k_base`, and were counted as the pixels of a small picture.
        let media = Media { bytes: Some(45_000), extent: Extent::Pixels(320, 200), ..Media::absent(MediaKind::Image, Vec::new()) };
        let shown = Counting::of("gpt-4.1", Family::Gpt, Family::Gpt);
        let written = shown.with_media_as_text();
        assert!(shown.result_media_tokens(&media) < 1_000);
        assert!((40_000..42_500).contains(&written.result_media_tokens(&media)));
        assert_eq!(written.media_tokens(&media), shown.media_tokens(&media), "the user's picture is one");
        assert_eq!((written.call_tokens(), written.central_ratio()), (18, 0.99));
        let by_url = Media { bytes: None, ..media };
        assert_eq!(written.result_media_tokens(&by_url), shown.result_media_tokens(&by_url));
    }

    #[test]
    fn images_cost_what_the_providers_documents_and_measurements_say() {
        // OpenAI's guide has the rows of GPT-4o and GPT-4.1 mini; those with a date in brackets were measured through the API
        // (Hugging Face data set `JOHNISKING/image-token-cost`, prompt text subtracted; OpenAI's forum).
        for (model, width, height, tokens) in [
            ("gpt-4o", 1_024, 1_024, 765.0),
            ("gpt-4o", 2_048, 4_096, 1_105.0),
            ("gpt-4o-mini-2024-07-18", 1_024, 1_024, 25_501.0),
            ("openai/gpt-5", 1_024, 1_024, 630.0),
            ("gpt-4.1-mini", 1_024, 1_024, 1_659.0),
            ("o4-mini", 1_024, 1_024, 1_761.0),
            ("o3", 1_024, 1_024, 675.0),
            ("gpt-5.5", 512, 512, 308.0),
            ("gpt-6-sol", 1_280, 720, 1_104.0),
            ("gpt-6-sol", 1_920, 1_080, 2_448.0),
            ("gpt-5.5", 4_032, 3_024, 11_868.0),
            ("claude-sonnet-4-5-20250929", 256, 256, 104.0),
            ("claude-haiku-4-5", 1_024, 1_024, 1_373.0),
            ("claude-haiku-4-5", 1_920, 1_080, 1_564.0),
            ("anthropic.claude-opus-4-8-v1:0", 1_920, 1_080, 2_695.0),
            ("gemini-2.5-flash", 384, 384, 258.0),
            ("gemini-2.5-flash", 1_600, 700, 774.0),
            ("google/gemini-3.8-flash", 4_000, 3_000, 1_120.0),
            ("qwen3-vl-235b-a22b-instruct", 1_024, 1_024, 1_371.0),
            ("pixtral-12b", 1_024, 1_024, 1_424.0),
        ] {
            let found = image(model, width, height);
            assert!((found / tokens - 1.0).abs() < 0.025, "{model}: {found} for {width} x {height}, it should be {tokens}");
        }
    }

    #[test]
    fn an_image_of_any_shape_has_a_finite_cost() {
        for counting in 0..=u8::MAX {
            for (width, height) in [(1, 1), (1, u32::MAX), (u32::MAX, u32::MAX), (20_000, 3)] {
                let media = Media { extent: Extent::Pixels(width, height), ..Media::absent(MediaKind::Image, Vec::new()) };
                let tokens = Counting::from_number(counting).media_tokens(&media);
                assert!((1..40_000).contains(&tokens), "rule {counting}: {tokens} for {width} x {height}");
            }
        }
    }

    #[test]
    fn a_prediction_comes_out_at_the_provider_s_number_or_a_little_above() {
        let family = Family::Claude;
        let media = Media { extent: Extent::Pixels(1_024, 1_024), ..Media::absent(MediaKind::Image, Vec::new()) };
        let counting = Counting::of("claude-haiku-4-5", family, family);
        let predicted = f64::from(counting.media_tokens(&media)) * counting.prior_ratio();
        assert!((1_373.0..1_373.0 * 1.06).contains(&predicted), "{predicted}");
    }

    #[test]
    fn files_cost_by_pages_and_seconds_else_by_size_else_a_default() {
        let of = |kind, bytes, sample: &[u8], extent| {
            f64::from(Counting(14).media_tokens(&Media { bytes, extent, ..Media::absent(kind, sample.to_vec()) }))
                * central_ratio(Family::Gemini)
        };
        let near = |found: f64, tokens: f64| assert!((found - tokens).abs() < 3.0, "{found}, it should be {tokens}");
        near(of(MediaKind::Pdf, Some(9_000_000), b"", Extent::Pages(12)), 12.0 * 560.0);
        near(of(MediaKind::Pdf, Some(100_000), b"", Extent::Unknown), 2.0 * 560.0);
        near(of(MediaKind::Pdf, None, b"https://example.com/a.pdf", Extent::Unknown), 4.0 * 560.0);
        near(of(MediaKind::Audio, Some(160_000), b"ID3", Extent::Unknown), 320.0);
        let mut wav = b"RIFF....WAVEfmt ............".to_vec();
        wav.extend(176_400u32.to_le_bytes());
        near(of(MediaKind::Audio, Some(1_764_000), &wav, Extent::Unknown), 320.0);
        near(of(MediaKind::Video, Some(2_500_000), b"\0\0\0\x18ftypmp42", Extent::Unknown), 3_000.0);
        near(of(MediaKind::Video, Some(2_500_001), b"\0\0\0\x18ftypmp42", Extent::Unknown), 3_300.0);
        near(of(MediaKind::Video, Some(1), b"", Extent::Unknown), 300.0);
        near(of(MediaKind::Video, None, b"https://example.com/a.mp4", Extent::Unknown), 18_000.0);
        near(of(MediaKind::Other, None, b"", Extent::Unknown), 2_500.0);
        assert_eq!(
            Counting(14).media_tokens(&Media { bytes: Some(400), ..Media::absent(MediaKind::Text, b"word ".repeat(80)) }),
            estimate_tokens(&"word ".repeat(80))
        );
    }
}
