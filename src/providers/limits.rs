//! How much a model takes and which family of tokenizers it belongs to, from its id alone.
//! Knows nothing about prompts, and asks nobody: the numbers stand in the generated `limits_table`.

use serde::{Deserialize, Serialize};

use crate::providers::limits_table::{FAMILIES, SIZES};

mod local;

/// What a model takes, as far as its id says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ModelLimits {
    /// Tokens that a prompt must fit in. Where a vendor limits the input apart from the window, the input limit.
    pub context_window_tokens: u32,
    /// The most tokens of one reply.
    pub max_output_tokens: u32,
    /// Which models it tokenizes like.
    pub family: Family,
    /// Whether the id, or at least its family, is in the table; otherwise the numbers are a cautious guess.
    pub known: bool,
    /// Whether a local runtime serves the model: what it takes is set there, mostly far below what the model could, and not in any table.
    pub is_local: bool,
}

/// Models which split text into tokens alike, so that one estimate serves them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Family {
    /// OpenAI: GPT, the o series, gpt-oss.
    Gpt,
    /// Anthropic.
    Claude,
    /// Google: Gemini and Gemma.
    Gemini,
    /// Large vocabularies with much Chinese: GLM, Qwen, DeepSeek, Kimi, MiniMax and the like.
    GlmQwenDeepseek,
    /// Llama, Mistral and what descends from them.
    LlamaMistral,
    /// Everything else.
    Other,
}

impl Family {
    /// Every family, in the order of the documentation.
    pub const ALL: [Family; 6] =
        [Family::Gpt, Family::Claude, Family::Gemini, Family::GlmQwenDeepseek, Family::LlamaMistral, Family::Other];

    /// The name as users write it, e.g. `glm-qwen-deepseek`.
    pub fn name(self) -> &'static str {
        match self {
            Family::Gpt => "gpt",
            Family::Claude => "claude",
            Family::Gemini => "gemini",
            Family::GlmQwenDeepseek => "glm-qwen-deepseek",
            Family::LlamaMistral => "llama-mistral",
            Family::Other => "other",
        }
    }

    /// The family of that name, `None` for any other text.
    pub fn from_name(name: &str) -> Option<Family> {
        Family::ALL.into_iter().find(|family| family.name() == name)
    }
}

/// The limits of a model, by the id and the provider that the AI SDK reports, e.g. `gpt-5` and `openai.responses`.
///
/// Ids of gateways, clouds and fine-tunes are understood, and an id that is newer than the table gets the numbers of
/// its nearest relative. Never fails: what is not understood has `known: false` and a cautious window.
pub fn model_limits(model_id: &str, provider: &str) -> ModelLimits {
    let limits = published_limits(model_id, provider);
    if !local::is_local(model_id, provider) {
        return limits;
    }
    let context_window_tokens = limits.context_window_tokens.min(UNKNOWN_WINDOW_TOKENS);
    ModelLimits { context_window_tokens, known: false, is_local: true, ..limits }
}

/// What the vendor says that the model takes.
fn published_limits(model_id: &str, provider: &str) -> ModelLimits {
    let id = normalize(model_id);
    // The last part of a path names the model; the parts before it name whoever sells or hosts it.
    let model = split_at_last(&id, b'/').map_or(id.as_str(), |(_, model)| model);
    let tokens = tokens_of(model);
    match find(&tokens).or_else(|| find(&tokens_of(&id))) {
        Some(found) => {
            // A long window which has to be asked for is named in the id, as in `claude-sonnet-4-5[1m]`.
            let stated_tokens = if tokens.contains(&"1m") { 1_000_000 } else { 0 };
            ModelLimits {
                context_window_tokens: found.window_tokens.max(stated_tokens),
                max_output_tokens: found.reply_tokens,
                family: family_of_word(found.word).unwrap_or(Family::Other),
                known: true,
                is_local: false,
            }
        }
        None => ModelLimits {
            context_window_tokens: UNKNOWN_WINDOW_TOKENS,
            max_output_tokens: UNKNOWN_OUTPUT_TOKENS,
            family: family_of_unknown(&id, provider),
            known: false,
            is_local: false,
        },
    }
}

/// The window of most models that are run today and of nearly all that are in no table.
pub(crate) const UNKNOWN_WINDOW_TOKENS: u32 = 128_000;

/// What small hosts cut replies to.
const UNKNOWN_OUTPUT_TOKENS: u32 = 8_192;

/// The longest id that is looked at; a resource name of Bedrock has about 120 bytes.
const MAX_ID_BYTES: usize = 512;

/// A row of the table that an id led to.
struct Found {
    word: &'static str,
    matched_tokens: usize,
    window_tokens: u32,
    reply_tokens: u32,
}

/// The rows of one family that are still unread, as the table writes them: `opus-4:61 opus-4-5:62`.
#[derive(Clone, Copy)]
struct Rows(&'static str);

/// The rest of an id and the index of its size.
type Row = (&'static str, usize);

impl Iterator for Rows {
    type Item = Row;

    // Kept out of line, as is all that many places call: inlined, the search takes more room than the table.
    #[inline(never)]
    fn next(&mut self) -> Option<Row> {
        let (row, others) = split_at(self.0, b' ').unwrap_or((self.0, ""));
        self.0 = others;
        let (rest, digits) = split_at(row, b':')?;
        let size_index = digits.bytes().fold(0, |number, digit| number * 10 + usize::from(digit.wrapping_sub(b'0')));
        Some((rest, size_index))
    }
}

impl Rows {
    fn size_at(self, path: &str) -> Option<usize> {
        for (rest, size_index) in self {
            if rest == path {
                return Some(size_index);
            }
        }
        None
    }
}

/// The index in the row of `table` that has all words of an id behind a family's, apart from a day or a channel at the end.
pub(crate) fn exact_row(table: &[(&str, &'static str)], tokens: &[&str]) -> Option<usize> {
    let start = tokens.iter().position(|token| table.binary_search_by_key(token, |(word, _)| *word).is_ok())?;
    let position = table.binary_search_by_key(tokens.get(start)?, |(word, _)| *word).ok()?;
    let rows = Rows(table.get(position)?.1);
    let is_digits = |token: &str, length: usize| token.len() == length && token.bytes().all(|byte| byte.is_ascii_digit());
    let mut rest = tokens.get(start + 1..)?;
    loop {
        if let Some(found) = rows.size_at(&rest.join("-")) {
            return Some(found);
        }
        rest = match rest {
            [shorter @ .., year, month, day] if is_digits(year, 4) && is_digits(month, 2) && is_digits(day, 2) => shorter,
            [shorter @ .., last] if is_digits(last, 8) || *last == "latest" => shorter,
            _ => return None,
        };
    }
}

/// The best row for an id: the longest match that starts anywhere, the earliest of equals.
///
/// It may start anywhere because deployments and resellers put words of their own in front.
fn find(tokens: &[&str]) -> Option<Found> {
    let mut best: Option<Found> = None;
    for (index, token) in tokens.iter().enumerate() {
        let Ok(position) = FAMILIES.binary_search_by_key(token, |(word, _)| *word) else { continue };
        let Some((word, rows)) = FAMILIES.get(position) else { continue };
        let found = follow(word, Rows(rows), tokens.get(index + 1..).unwrap_or_default());
        let found_tokens = found.as_ref().map_or(0, |found| found.matched_tokens);
        if found_tokens > best.as_ref().map_or(0, |best| best.matched_tokens) {
            best = found;
        }
    }
    best
}

/// Follows the tokens behind a family's word as far as rows lead, and takes the row there.
fn follow(word: &'static str, rows: Rows, tokens: &[&str]) -> Option<Found> {
    let mut path = String::new();
    let mut matched_tokens = 1;
    let mut size_index = rows.size_at("");
    let mut is_own = false;
    for token in tokens {
        let Some(next) = next_token(rows, &path, token) else { break };
        if !path.is_empty() {
            path.push('-');
        }
        path.push_str(next);
        matched_tokens += 1;
        if let Some(own) = rows.size_at(&path) {
            size_index = Some(own);
            is_own = true;
        }
    }
    // The deepest row on the way is the model or the one it descends from; without any, its relatives decide.
    // A family's word alone decides nothing unless the table has a default for it: "command" and "o" are plain words.
    if !is_own && !path.is_empty() {
        size_index = smallest_below(rows, &path);
    }
    let (window_tokens, reply_tokens) = *SIZES.get(size_index?)?;
    Some(Found { word, matched_tokens, window_tokens, reply_tokens })
}

/// The token by which rows continue `path`: the one asked for, else the newest version that is older than it.
///
/// GPT-6.2 is most like GPT-6.1. An older relative, because windows grow: the guess errs to the small side.
fn next_token(rows: Rows, path: &str, token: &str) -> Option<&'static str> {
    // Behind a plain word a number proves nothing: a deployment `step-9` need not be a Step model.
    let may_guess = !path.is_empty() || rows.size_at("").is_some();
    let wanted = version(token).filter(|_| may_guess);
    let mut nearest = None;
    for (key, _) in rows {
        let Some(rest) = strip_path(key, path) else { continue };
        let known = first_token(rest);
        if known == token {
            return Some(known);
        }
        if version(known).is_some() && version(known) < wanted && version(known) > nearest.and_then(version) {
            nearest = Some(known);
        }
    }
    nearest
}

/// The smallest window among the nearest rows below `path`, those of older versions left out.
fn smallest_below(rows: Rows, path: &str) -> Option<usize> {
    let mut newest = None;
    for (key, _) in rows {
        newest = newest.max(strip_path(key, path).and_then(|rest| version(first_token(rest))));
    }
    let mut nearest: Option<&str> = None;
    let mut smallest: Option<usize> = None;
    for (key, size_index) in rows {
        let Some(rest) = strip_path(key, path) else { continue };
        // Rows are sorted: one that extends the row before it is a variant of a model already seen.
        let is_variant = nearest.is_some_and(|parent| strip_path(rest, parent).is_some());
        let known = version(first_token(rest));
        if is_variant || (known.is_some() && known != newest) {
            continue;
        }
        nearest = Some(rest);
        // Sizes are sorted by window, so the smaller index is the smaller window.
        smallest = Some(smallest.map_or(size_index, |smallest| smallest.min(size_index)));
    }
    smallest
}

/// What follows `path` in `key` after a token boundary; nothing for `path` itself.
#[inline(never)]
fn strip_path<'a>(key: &'a str, path: &str) -> Option<&'a str> {
    let rest = if path.is_empty() { key } else { key.strip_prefix(path)?.strip_prefix('-')? };
    (!rest.is_empty()).then_some(rest)
}

fn first_token(rest: &str) -> &str {
    split_at(rest, b'-').map_or(rest, |(first, _)| first)
}

/// A token that counts versions. Dates, sizes and revisions (`2407`, `70b`, `001`) are none.
#[inline(never)]
fn version(token: &str) -> Option<u8> {
    match token.as_bytes() {
        [digit @ b'0'..=b'9'] => Some(digit - b'0'),
        [tens @ b'1'..=b'9', digit @ b'0'..=b'9'] => Some((tens - b'0') * 10 + (digit - b'0')),
        _ => None,
    }
}

/// What stands before and after the first such byte.
#[inline(never)]
fn split_at(text: &str, byte: u8) -> Option<(&str, &str)> {
    let index = text.bytes().position(|other| other == byte)?;
    Some((text.get(..index)?, text.get(index + 1..)?))
}

/// What stands before and after the last such byte.
#[inline(never)]
fn split_at_last(text: &str, byte: u8) -> Option<(&str, &str)> {
    let index = text.bytes().rposition(|other| other == byte)?;
    Some((text.get(..index)?, text.get(index + 1..)?))
}

/// Reads something out of the words and numbers of an id's last part, in lower case.
pub fn read_id<T>(model_id: &str, read: impl Fn(&[&str]) -> T) -> T {
    let id = normalize(model_id);
    read(&tokens_of(split_at_last(&id, b'/').map_or(id.as_str(), |(_, model)| model)))
}

/// The id in lower case, without what wraps a model's own name. Empty when it cannot be an id.
fn normalize(model_id: &str) -> String {
    if model_id.len() > MAX_ID_BYTES {
        return String::new();
    }
    let id = model_id.to_ascii_lowercase();
    // A fine-tune is `ft:<base>:<organization>:<name>:<id>`; only the base says what it takes.
    let model = match id.strip_prefix("ft:") {
        Some(tuned) => split_at(tuned, b':').map_or(tuned, |(base, _)| base),
        None => id.as_str(),
    };
    without_revision(model).to_owned()
}

/// The words and numbers of a model's id, in lower case and without the revision of a cloud.
pub(crate) fn id_tokens(model_id: &str) -> Vec<String> {
    tokens_of(&normalize(model_id)).into_iter().map(str::to_owned).collect()
}

/// Cuts the revision that Bedrock appends (`-v1:0`, `-1:0`, `-v1`); it would read like a version of the model.
fn without_revision(id: &str) -> &str {
    let Some((head, last)) = split_at_last(id, b'-') else { return id };
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_revision = match split_at(last.strip_prefix('v').unwrap_or(last), b':') {
        Some((major, minor)) => is_number(major) && is_number(minor),
        None => last == "v1",
    };
    if is_revision { head } else { id }
}

/// The words and numbers of an id in lower case.
///
/// `claude-sonnet-4.5`, `Claude_Sonnet_4-5` and `claude-sonnet-4p5` read the same; so do `qwen3`, `qwen-3` and
/// `deepseek-v3`, `deepseek-3`. A number keeps the letters behind it: `4o` and `70b` are not 4 and 70.
fn tokens_of(id: &str) -> Vec<&str> {
    let bytes = id.as_bytes();
    let at = |index: usize| bytes.get(index).copied().unwrap_or(b' ');
    // Between digits a `p` stands for the dot, as in `glm-5p3` of Fireworks.
    let is_dot = |index: usize| at(index) == b'p' && index > 0 && at(index - 1).is_ascii_digit() && at(index + 1).is_ascii_digit();
    let mut tokens = Vec::new();
    let mut start = 0;
    for index in 0..=bytes.len() {
        let ends_word = !at(index).is_ascii_alphanumeric() || is_dot(index);
        let ends_letters = index > start && at(index - 1).is_ascii_alphabetic() && at(index).is_ascii_digit();
        if !ends_word && !ends_letters {
            continue;
        }
        let token = id.get(start..index).unwrap_or_default();
        // The `v` of `v3` says only that a version follows.
        let is_version_mark = ends_letters && token == "v";
        if !token.is_empty() && !is_version_mark {
            tokens.push(token);
        }
        start = if ends_letters { index } else { index + 1 };
    }
    tokens
}

/// The family of an id that the table does not know: by a word in it, else by the vendor in the provider's name.
fn family_of_unknown(id: &str, provider: &str) -> Family {
    let by_id = tokens_of(id).into_iter().find_map(family_of_word);
    // In `vertex.anthropic.messages` the later word is the vendor.
    let provider = normalize(provider);
    by_id.or_else(|| tokens_of(&provider).into_iter().rev().find_map(family_of_vendor)).unwrap_or(Family::Other)
}

fn family_of_word(word: &str) -> Option<Family> {
    family_in(&FAMILY_WORDS, word)
}

fn family_of_vendor(word: &str) -> Option<Family> {
    family_in(&FAMILY_VENDORS, word)
}

fn family_in(words: &[(Family, &'static str)], word: &str) -> Option<Family> {
    words.iter().find(|(_, list)| list.split_ascii_whitespace().any(|known| known == word)).map(|(family, _)| *family)
}

/// The words in ids by which a family is recognized.
const FAMILY_WORDS: [(Family, &str); 6] = [
    (Family::Gpt, "gpt chatgpt codex davinci o"),
    (Family::Claude, "claude"),
    (Family::Gemini, "gemini gemma learnlm"),
    (
        Family::GlmQwenDeepseek,
        "glm chatglm qwen qwq qvq deepseek kimi moonshot minimax mimo ernie hunyuan hy ling longcat ring seed doubao step yi",
    ),
    (Family::LlamaMistral, "llama codellama mistral ministral mixtral magistral codestral devstral pixtral voxtral nemotron hermes"),
    // These decide too: a Grok behind a deployment on Azure is no GPT.
    (Family::Other, "command grok nova phi"),
];

/// The words in names of providers that sell models of one family only.
const FAMILY_VENDORS: [(Family, &str); 5] = [
    (Family::Gpt, "openai azure"),
    (Family::Claude, "anthropic"),
    (Family::Gemini, "google vertex gemini"),
    (Family::GlmQwenDeepseek, "alibaba dashscope deepseek minimax moonshot moonshotai qwen zai zhipu"),
    (Family::LlamaMistral, "llama mistral"),
];
