//! Conversations for the properties: realistic in grammar, nasty in content, and with the truth about what belongs together.
//! A recipe of plain numbers is decoded into messages, so generation is cheap and proptest shrinks by dropping ops. Judges nothing.

use std::sync::LazyLock;

use proptest::prelude::*;
use stepfold::digest::tools::{Keep, ToolRule};
use stepfold::model::carried::{Carried, Change, Setting, ToolChange};
use stepfold::model::entry::{Entry, measure};
use stepfold::model::history::Place;
use stepfold::model::message::{Call, Item, Json, Media, MediaKind, Message, Output, Part, Role, ToolResult};
use stepfold::settings::{Options, Threshold};

/// What a conversation is made from: numbers, so that shrinking is dropping and lowering.
#[derive(Clone, Debug)]
pub struct Recipe {
    /// Window, options and how the run is driven.
    pub scenario: u64,
    /// One thing that happens each: kind, size, and the rest.
    pub ops: Vec<(u8, u8, u64)>,
}

/// Recipes of any conversation.
pub fn recipes() -> impl Strategy<Value = Recipe> {
    (any::<u64>(), prop::collection::vec((any::<u8>(), any::<u8>(), any::<u64>()), 3..26))
        .prop_map(|(scenario, ops)| Recipe { scenario, ops })
}

/// How the list arrives at each step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Semantics {
    /// The raw history at every step (ai 5 and 6, and ai 7 where objects are recognised).
    Rebuild,
    /// What was sent last, read anew, plus additions (ai 7 after a copy).
    Carry,
    /// The raw history; the state goes through JSON and the run's numbers are lost at some steps.
    Restart,
}

/// How a conversation is driven.
#[derive(Clone, Debug)]
pub struct Scenario {
    pub semantics: Semantics,
    pub options: Options,
    /// Models before and after the switch; mostly the same.
    pub models: [&'static str; 2],
    /// The provider's truth, which the engine must learn.
    pub overhead_tokens: f64,
    pub ratio: f64,
    pub reports_usage: bool,
    /// Steps may end with a glance; without, every step is planned.
    pub glances: bool,
    /// Malformed lists: orphans, unanswered calls, strange roles. Nothing is promised but what needs no well-formed input.
    pub malformed: bool,
    pub native_compaction: bool,
    pub giant_users: bool,
    /// Reasoning is signed, as Anthropic does it: a running tool loop must keep beginning with it.
    pub signs_reasoning: bool,
}

/// A point at which the model is called.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stop {
    /// Messages there are by then.
    pub end: usize,
    /// Steering messages stand from here on.
    pub keep_from: usize,
    /// The run's numbers are lost before this step (restart semantics only).
    pub restarts: bool,
    /// The second model is used from here on.
    pub switched: bool,
}

/// A conversation, and the truth about it.
#[derive(Clone, Debug)]
pub struct Conversation {
    pub scenario: Scenario,
    pub messages: Vec<Message>,
    pub entries: Vec<Entry>,
    /// Messages that must be kept or folded together.
    pub links: Vec<(usize, usize)>,
    /// Client calls and their results.
    pub pairs: Vec<(Place, Place)>,
    pub stops: Vec<Stop>,
}

impl Recipe {
    /// The conversation this recipe describes.
    pub fn build(&self) -> Conversation {
        let scenario = scenario(self.scenario);
        let mut builder = Builder::new(scenario, Bits(mix(self.scenario)));
        for (kind, size, rest) in &self.ops {
            builder.op(*kind, *size, Bits(*rest));
        }
        builder.finish(Bits(mix(self.scenario ^ 0x5eed)))
    }
}

/// Numbers taken from a number, lowest first; zero when used up, so that a small number means the simplest choice.
#[derive(Clone, Copy)]
pub struct Bits(pub u64);

impl Bits {
    /// One of `count` choices.
    pub fn pick(&mut self, count: u64) -> u64 {
        let chosen = self.0 % count;
        self.0 /= count;
        chosen
    }

    /// True once in `count` times.
    pub fn once_in(&mut self, count: u64) -> bool {
        self.pick(count) == count - 1
    }

    /// One of a list.
    pub fn of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.pick(choices.len() as u64) as usize]
    }

    /// Further numbers that do not use up these.
    pub fn fork(&self, salt: u64) -> Bits {
        Bits(if self.0 == 0 { 0 } else { mix(self.0 ^ (salt << 48)) })
    }
}

/// A number that looks unrelated.
pub fn mix(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

fn scenario(seed: u64) -> Scenario {
    let mut bits = Bits(seed);
    let semantics = bits.of(&[Semantics::Rebuild, Semantics::Rebuild, Semantics::Carry, Semantics::Restart]);
    let window = bits.of(&[2_500.0, 1_300.0, 2_000.0, 3_500.0, 5_000.0, 7_000.0]);
    let mut options = Options { context_window: Some(window), reserve_tokens: Some(0.0), ..Options::default() };
    if bits.once_in(4) {
        options.reserve_tokens = Some(window / 10.0);
    }
    (options.trigger, options.target) = bits.of(&[
        (Some(Threshold::Share(0.8)), Some(Threshold::Share(0.5))),
        (Some(Threshold::Share(0.9)), None),
        (Some(Threshold::Share(0.95)), Some(Threshold::Share(0.9))),
        (Some(Threshold::Share(0.5)), Some(Threshold::Share(0.2))),
        (Some(Threshold::Tokens(700.0)), Some(Threshold::Share(0.4))),
        (Some(Threshold::Share(1.0)), Some(Threshold::Tokens(300.0))),
    ]);
    options.keep_recent_tokens = bits.of(&[None, None, Some(0.0), Some(300.0), Some(1e6)]);
    options.keep_recent_turns = bits.of(&[0, 0, 0, 1, 2]);
    options.keep_recent_messages = bits.of(&[0, 0, 0, 3, 8]);
    options.keep_images = bits.of(&[None, None, Some(0), Some(1), Some(6)]);
    options.media_limit.images = Bits(mix(seed)).of(&[None, None, None, None, None, Some(0), Some(1), Some(3)]);
    options.min_clear_tokens = bits.of(&[None, None, Some(0.0), Some(500.0)]);
    options.max_result_tokens = bits.of(&[None, None, None, Some(250.0)]);
    options.has_summarizer = bits.once_in(3);
    options.summary_tokens = bits.of(&[2_000, 150]);
    if bits.once_in(3) {
        let keeps = [[Keep::Always; 3], [Keep::Always, Keep::Normal, Keep::Never], [Keep::Normal, Keep::Normal, Keep::Never]];
        options.tools = ["memory", "Read", "Bash"]
            .into_iter()
            .zip(&keeps)
            .map(|(tool, keeps)| ToolRule {
                tool: tool.to_owned(),
                keep: bits.of(keeps),
                has_digest: bits.once_in(2),
                ..ToolRule::default()
            })
            .collect();
    }
    let models = bits.of(&[
        ["gpt-5", "gpt-5"],
        ["claude-sonnet-4-5", "claude-sonnet-4-5"],
        ["unknown-model", "unknown-model"],
        ["gpt-5", "claude-sonnet-4-5"],
        ["claude-opus-5-5", "claude-opus-5-5"],
        ["claude-opus-5", "claude-opus-5-5"],
        ["claude-opus-5-5", "claude-sonnet-4-5"],
    ]);
    Scenario {
        semantics,
        models,
        overhead_tokens: bits.of(&[0.0, 0.0, 0.1, 0.1, 0.2, 0.3, 0.4, 1.2]) * window,
        ratio: bits.of(&[1.0, 0.8, 1.2, 1.6]),
        reports_usage: bits.once_in(2),
        glances: true,
        malformed: bits.once_in(16),
        native_compaction: bits.once_in(2),
        giant_users: bits.once_in(5),
        signs_reasoning: bits.once_in(3),
        options,
    }
}

/// Text of each class, long enough to be cut from anywhere.
static POOLS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let numbered = |pattern: fn(u64) -> String| {
        let mut text = String::new();
        let mut n = 0;
        while text.len() < 60_000 {
            text.push_str(&pattern(mix(n) % 100_000));
            n += 1;
        }
        text
    };
    vec![
        numbered(|n| format!("The order {n} was checked and the report on module_{} is ready. ", n % 97)),
        numbered(|n| format!("    let value_{n} = self.items[{}].parse()?; // src/file_{}.rs\n", n % 13, n % 41)),
        numbered(|n| {
            format!("2026-01-{:02}T10:00:{:02}Z INFO worker-{} request /api/v1/items/{n} took {} ms\n", n % 28 + 1, n % 60, n % 7, n % 900)
        }),
        numbered(|n| {
            ["訂單已經檢查完畢，", "レポートの準備ができました。", "Отчёт готов, заказ проверен. ", "प्रतिवेदन तैयार है। "][n as usize % 4]
                .to_owned()
        }),
        numbered(|n| format!("{:x}{:X}", mix(n), mix(n + 1))),
        numbered(|n| ["🙂", "👩‍👩‍👧‍👦", "e\u{301}", "\u{200b}", "\u{0}", "—", "\u{10ffff}", "ﷺ"][n as usize % 8].to_owned()),
        numbered(|n| " \n\t\r\n   "[..1 + n as usize % 7].to_owned()),
        numbered(|n| ["---", "\"\\\"", "{{", "}}", "[…", "</", "$$", "\\n"][n as usize % 8].to_owned()),
    ]
});

/// About `bytes` of text of some class. Never fewer than asked for by more than a character.
fn text_of(bytes: usize, bits: &mut Bits) -> String {
    let pool = &POOLS[bits.of(&[0, 0, 0, 1, 1, 2, 2, 3, 4, 5, 6, 7])];
    let mut from = bits.pick(9_973) as usize;
    while !pool.is_char_boundary(from) {
        from += 1;
    }
    let mut end = (from + bytes).min(pool.len());
    while !pool.is_char_boundary(end) {
        end += 1;
    }
    pool[from..end].to_owned()
}

/// Bytes of an ordinary text: mostly short, sometimes a page.
fn short_bytes(size: u8) -> usize {
    usize::from(size) * if size > 240 { 8 } else { 1 }
}

/// Bytes of a tool's output: from nothing to giants.
fn output_bytes(size: u8) -> usize {
    match size {
        0..=2 => usize::from(size),
        3..=110 => 60 + usize::from(size) * 4,
        111..=215 => 800 + usize::from(size - 110) * 22,
        216..=248 => 3_200 + usize::from(size - 216) * 100,
        249..=253 => 7_000,
        _ => 11_000,
    }
}

const PATHS: [&str; 5] = ["src/main.rs", "src/lib.rs", "README.md", "docs/plan.md", "a b/ü.txt"];
const TOOLS: [&str; 12] =
    ["Read", "Read", "Write", "Edit", "Bash", "search", "fetch", "TodoWrite", "Delete", "memory", "apply_patch", "custom_tool"];

struct Builder {
    scenario: Scenario,
    messages: Vec<Message>,
    links: Vec<(usize, usize)>,
    pairs: Vec<(Place, Place)>,
    stops: Vec<Stop>,
    calls: u32,
    last_call: Option<(String, String, Output)>,
}

impl Builder {
    fn new(scenario: Scenario, mut bits: Bits) -> Builder {
        let mut builder =
            Builder { scenario, messages: Vec::new(), links: Vec::new(), pairs: Vec::new(), stops: Vec::new(), calls: 0, last_call: None };
        for _ in 0..bits.of(&[0, 0, 1, 2]) {
            let bytes = if builder.scenario.giant_users && bits.once_in(4) { 8_000 } else { 80 };
            builder.push(Role::System, vec![Part::text(text_of(bytes, &mut bits))]);
        }
        let request = text_of(bits.of(&[40, 200, 900]), &mut bits);
        let mut parts = vec![Part::text(format!("Please do this: {request}"))];
        if bits.once_in(8) {
            parts.push(media(&mut bits));
        }
        builder.push(Role::User, parts);
        builder.stop(0);
        builder
    }

    fn push(&mut self, role: Role, parts: Vec<Part>) -> usize {
        self.messages.push(Message { role, parts, marker: None, has_cache_mark: false, carried: None });
        self.messages.len() - 1
    }

    /// The model is called here; the last `steering` messages are steering messages.
    fn stop(&mut self, steering: usize) {
        let end = self.messages.len();
        self.stops.push(Stop { end, keep_from: end - steering, restarts: false, switched: false });
    }

    fn op(&mut self, kind: u8, size: u8, mut bits: Bits) {
        match kind {
            0..=109 => self.step(size, bits),
            110..=134 => self.user(size, bits),
            135..=149 => {
                let text = text_of(short_bytes(size).max(3), &mut bits);
                self.push(Role::Assistant, vec![Part::text(text)]);
                self.user(size / 2, bits);
            }
            150..=164 => self.approval(size, bits),
            165..=177 => self.server_tool(size, bits),
            178..=187 => self.programmatic(size, bits),
            188..=197 => self.split_reasoning(size, bits),
            198..=203 if bits.fork(7).once_in(2) => {
                let carried = carried(size, &mut bits);
                let text = if carried == Carried::ForTurn { text_of(short_bytes(size).max(3), &mut bits) } else { String::new() };
                let at = self.push(Role::System, vec![Part::text(text)]);
                self.messages[at].carried = Some(carried);
                if size % 3 == 0 { self.step(size, bits) } else { self.user(size, bits) }
            }
            198..=203 => {
                self.push(Role::System, vec![Part::text(text_of(short_bytes(size).max(3), &mut bits))]);
                self.user(size, bits);
            }
            204..=215 => self.repeat(size, bits),
            216..=223 => self.reused_id(size, bits),
            224..=231 if self.scenario.giant_users => {
                let text = text_of(8_000, &mut bits);
                self.push(Role::User, vec![Part::text(text)]);
                self.stop(0);
            }
            232..=239 if self.scenario.native_compaction => self.native(size, bits),
            240..=244 => {
                let part = Part::Opaque { name: "custom.thing".to_owned(), bytes: u64::from(size) * 8, native_compaction: false };
                self.push(Role::Assistant, vec![part, Part::text("done")]);
                self.user(size, bits);
            }
            245..=249 => {
                let part = media(&mut bits);
                self.push(Role::User, vec![Part::text("Look at this."), part]);
                self.stop(0);
            }
            250..=252 => {
                let blank = bits.of(&["", " ", "\n"]);
                self.push(Role::Assistant, vec![Part::text(blank)]);
                self.user(size, bits);
            }
            _ => self.step(size, bits),
        }
    }

    fn user(&mut self, size: u8, mut bits: Bits) {
        let steering = usize::from(bits.once_in(6));
        let mut parts = vec![Part::text(text_of(short_bytes(size).max(2), &mut bits))];
        if bits.once_in(5) {
            parts.push(Part::text(text_of(30, &mut bits)));
        }
        let mut attached = bits.fork(12);
        for _ in 0..attached.of(&[0, 0, 0, 1, 2]) {
            parts.push(media(&mut attached));
        }
        self.push(Role::User, parts);
        self.stop(steering);
    }

    /// Words, calls and all their results: one step of an agent.
    fn step(&mut self, size: u8, mut bits: Bits) {
        let reasons = bits.once_in(4);
        let talks = bits.once_in(3);
        let count = bits.of(&[1, 1, 1, 2, 3, 5]);
        let mut parts = Vec::new();
        if reasons {
            let leads_loop = self.scenario.signs_reasoning;
            parts.push(Part::Reasoning { text: text_of(usize::from(size) / 2, &mut bits), leads_loop });
        }
        if talks {
            parts.push(Part::text(text_of(short_bytes(size).max(3), &mut bits)));
        }
        let split = bits.once_in(3);
        let mut results = Vec::new();
        for index in 0..count {
            let mut own = bits.fork(index);
            let own_size = if index == 0 { size } else { (own.pick(256)) as u8 };
            let (call, output) = self.tool(own_size, &mut own);
            results.push(result_of(&call, output));
            parts.push(Part::Call(call));
        }
        self.finish_step(parts, results, split);
    }

    /// Pushes the assistant message and its results, together or split over several tool messages.
    fn finish_step(&mut self, parts: Vec<Part>, results: Vec<ToolResult>, split: bool) {
        let message = self.push(Role::Assistant, parts);
        let mut last = message;
        for result in results {
            let id = result.id.clone();
            let place = if split || last == message {
                last = self.push(Role::Tool, vec![Part::Result(result)]);
                Place { message: last, part: 0 }
            } else {
                self.messages[last].parts.push(Part::Result(result));
                Place { message: last, part: self.messages[last].parts.len() - 1 }
            };
            let is_call = |part: &Part| matches!(part, Part::Call(call) if call.id == id);
            if let Some(part) = self.messages[message].parts.iter().position(is_call) {
                self.pairs.push((Place { message, part }, place));
            }
            self.links.push((message, last));
        }
        self.stop(0);
    }

    fn next_id(&mut self) -> String {
        self.calls += 1;
        format!("call_{}", self.calls)
    }

    /// A call of some tool and what it returns.
    fn tool(&mut self, size: u8, bits: &mut Bits) -> (Call, Output) {
        let name = bits.of(&TOOLS);
        let path = bits.of(&PATHS);
        let quoted = |text: &str| serde_json::to_string(text).unwrap();
        let whole = |text: String| Json { text, omitted_bytes: 0 };
        let (input, mut output) = match name {
            "Read" => (format!(r#"{{"path":{},"limit":10}}"#, quoted(path)), Output::Text(text_of(output_bytes(size), bits))),
            "Write" => {
                let content = text_of(output_bytes(size), bits);
                (format!(r#"{{"path":{},"content":{}}}"#, quoted(path), quoted(&content)), Output::Text("ok".to_owned()))
            }
            "Edit" => {
                let old = text_of(usize::from(size), bits);
                (
                    format!(r#"{{"path":{},"old":{},"new":"x","flags":[1,2.5,null,true]}}"#, quoted(path), quoted(&old)),
                    Output::Text("edited".to_owned()),
                )
            }
            "Bash" => (r#"{"command":"cargo test --all"}"#.to_owned(), Output::Text(text_of(output_bytes(size), bits))),
            "search" => {
                let body = text_of(output_bytes(size), bits);
                let hits = format!(r#"{{"title":"Paper {size}","id":"doc_{}","body":{},"Score":0.5}}"#, bits.pick(50), quoted(&body));
                let json = format!(r#"{{"query":"z","hits":[{hits},{{"id":7,"name":"Seven"}}],"count":2}}"#);
                (r#"{"query":"z","after":null}"#.to_owned(), Output::Json(whole(json)))
            }
            "fetch" => {
                let image = |page| Item::Media(Media { bytes: Some(9_000), ..Media::absent(MediaKind::Image, vec![size, page]) });
                let mut items = vec![Item::Text(text_of(output_bytes(size), bits))];
                items.extend((0..bits.of(&[1, 1, 4])).map(image));
                (format!(r#"{{"url":"https://example.com/{size}"}}"#), Output::Content(items))
            }
            "TodoWrite" => (
                r#"{"todos":[{"status":"pending","content":"write the tests"},{"status":"done","content":"read"}]}"#.to_owned(),
                Output::Text("ok".to_owned()),
            ),
            "Delete" => (format!(r#"{{"path":{}}}"#, quoted(path)), Output::Text(String::new())),
            "memory" => (r#"{"key":"goal"}"#.to_owned(), Output::Text(text_of(output_bytes(size), bits))),
            "apply_patch" => (
                r#"{"patch":"*** Begin"}"#.to_owned(),
                Output::Json(whole(format!(r#"{{"status":"completed","output":{}}}"#, quoted(&text_of(output_bytes(size), bits))))),
            ),
            _ => {
                let text = text_of(output_bytes(size), bits);
                // Results whose JSON is no object: a string, an array of numbers.
                let json = if size % 2 == 0 {
                    quoted(&text)
                } else {
                    format!("[{}]", (0..output_bytes(size) / 5).map(|n| format!("{n}")).collect::<Vec<_>>().join(","))
                };
                (
                    r#"{"b":1,"a":{"d":[],"c":"x"}}"#.to_owned(),
                    Output::Json(Json { text: json, omitted_bytes: u64::from(size == 77) * 100 }),
                )
            }
        };
        match bits.pick(24) {
            20 => output = Output::ErrorText(text_of(output_bytes(size), bits)),
            21 => output = Output::ErrorJson(whole(format!(r#"{{"message":{},"code":1}}"#, quoted(&text_of(output_bytes(size), bits))))),
            22 => output = Output::Unknown(u64::from(size) * 40),
            23 if size % 2 == 0 => {
                let item = |tool: &str| Item::Reference { tool: tool.to_owned(), bytes: 90 };
                output = Output::Content(vec![item(["a", "c"][usize::from(size / 2 % 2)]), Item::Text("found".to_owned()), item("d")]);
            }
            23 => output = Output::Content(vec![Item::Opaque(u64::from(size) * 20), Item::Text("see above".to_owned())]),
            _ => {}
        }
        self.last_call = Some((name.to_owned(), input.clone(), output.clone()));
        let id = self.next_id();
        (Call { id, name: name.to_owned(), input, omitted_bytes: 0, provider_executed: false, caller: None }, output)
    }

    /// A call that waits for the user: request, response in a tool message, result in a later one.
    fn approval(&mut self, size: u8, mut bits: Bits) {
        let denied = bits.once_in(4);
        let together = bits.once_in(4);
        let (call, mut output) = self.tool(size, &mut bits);
        if denied {
            output = Output::Denied("not now".to_owned());
        }
        let reason = if denied { "not now".to_owned() } else { String::new() };
        let approval_id = format!("approval_{}", self.calls);
        let result = result_of(&call, output);
        let request = Part::ApprovalRequest { approval_id: approval_id.clone(), call_id: call.id.clone(), is_automatic: false };
        let asked = self.push(Role::Assistant, vec![Part::text("May I?"), Part::Call(call), request]);
        let answered = self.push(Role::Tool, vec![Part::ApprovalResponse { approval_id, approved: !denied, reason }]);
        let place = if together {
            self.messages[answered].parts.push(Part::Result(result));
            Place { message: answered, part: 1 }
        } else {
            Place { message: self.push(Role::Tool, vec![Part::Result(result)]), part: 0 }
        };
        self.links.extend([(asked, answered), (asked, place.message)]);
        self.pairs.push((Place { message: asked, part: 1 }, place));
        self.stop(0);
    }

    /// A tool that the provider runs: call and result in one assistant message.
    fn server_tool(&mut self, size: u8, mut bits: Bits) {
        let (mut call, mut output) = self.tool(size, &mut bits);
        call.provider_executed = true;
        if size % 3 == 0 {
            call.input = r#"{"query":"x"}"#.to_owned();
            let found =
                [r#"[{"type":"tool_reference","toolName":"a"}]"#, r#"{"tools":[{"type":"function","name":"b"},{"type":"x","name":"a"}]}"#];
            output = Output::Json(Json { text: found[usize::from(size / 3 % 2)].to_owned(), omitted_bytes: 0 });
        }
        let flagged = !bits.once_in(3);
        let result = ToolResult { provider_executed: flagged, ..result_of(&call, output) };
        self.push(Role::Assistant, vec![Part::Call(call), Part::Result(result), Part::text("As the search shows.")]);
        self.user(size / 3, bits);
    }

    /// A server tool that calls client tools: losing the server call makes the client calls invalid.
    fn programmatic(&mut self, size: u8, mut bits: Bits) {
        let (mut server, _) = self.tool(0, &mut bits.fork(1));
        server.provider_executed = true;
        let caller = server.id.clone();
        let late = bits.once_in(2);
        let ran = Output::Text("ran".to_owned());
        let server_result = ToolResult { name: "code".to_owned(), provider_executed: true, ..result_of(&server, ran) };
        let mut parts = vec![Part::Call(server)];
        let (mut call, output) = self.tool(size, &mut bits);
        call.caller = Some(caller.clone());
        let result = result_of(&call, output);
        let first = self.messages.len();
        if late {
            // The client call comes a step later than the server call it belongs to.
            parts.push(Part::Result(server_result));
            let (own, own_output) = self.tool(3, &mut bits.fork(2));
            let own_result = result_of(&own, own_output);
            parts.push(Part::Call(own));
            self.finish_step(parts, vec![own_result], false);
            let second = self.messages.len();
            self.finish_step(vec![Part::Call(call)], vec![result], false);
            self.links.push((first, second));
        } else {
            parts.extend([Part::Result(server_result), Part::Call(call)]);
            self.finish_step(parts, vec![result], false);
        }
    }

    /// Reasoning in a message of its own; the item it belongs to comes in the next one.
    fn split_reasoning(&mut self, size: u8, mut bits: Bits) {
        let leads_loop = self.scenario.signs_reasoning;
        let first = self.push(Role::Assistant, vec![Part::Reasoning { text: text_of(usize::from(size), &mut bits), leads_loop }]);
        let (call, output) = self.tool(size, &mut bits);
        let result = result_of(&call, output);
        self.links.push((first, first + 1));
        self.finish_step(vec![Part::text("So:"), Part::Call(call)], vec![result], false);
    }

    /// The last call again, with the same result.
    fn repeat(&mut self, size: u8, bits: Bits) {
        let Some((name, input, output)) = self.last_call.clone() else {
            return self.step(size, bits);
        };
        let id = self.next_id();
        let call = Call { id, name, input, omitted_bytes: 0, provider_executed: false, caller: None };
        let result = result_of(&call, output);
        self.finish_step(vec![Part::Call(call)], vec![result], false);
    }

    /// A step whose call has an id that was used before, sometimes with everything else the same as well.
    fn reused_id(&mut self, size: u8, mut bits: Bits) {
        let repeated = if bits.once_in(2) { self.last_call.clone() } else { None };
        let (mut call, mut output) = self.tool(size, &mut bits);
        if let Some((name, input, same)) = repeated {
            (call.name, call.input, output) = (name, input, same);
        }
        call.id = bits.of(&["call_1", "call_2", "call_reused"]).to_owned();
        let result = result_of(&call, output);
        self.finish_step(vec![Part::Call(call)], vec![result], false);
    }

    fn native(&mut self, size: u8, mut bits: Bits) {
        let part = if bits.once_in(2) {
            Part::Text { text: text_of(short_bytes(size).max(5), &mut bits), native_compaction: true, marker: None }
        } else {
            Part::Opaque { name: "openai.compaction".to_owned(), bytes: 300, native_compaction: true }
        };
        self.push(Role::Assistant, vec![part, Part::text("Continuing.")]);
        self.user(size, bits);
    }

    fn finish(mut self, mut bits: Bits) -> Conversation {
        let restarts = 1 + bits.pick(4) as usize;
        let switch_at = 1 + bits.pick(12) as usize;
        for (index, stop) in self.stops.iter_mut().enumerate() {
            stop.restarts = index % restarts == 0;
            stop.switched = index >= switch_at;
        }
        if self.scenario.malformed {
            self.damage(bits);
        }
        let Builder { scenario, messages, links, pairs, stops, .. } = self;
        let entries = messages.iter().map(measure).collect();
        Conversation { scenario, messages, entries, links, pairs, stops }
    }

    /// What careless applications send: parts dropped, doubled, moved to other roles.
    fn damage(&mut self, mut bits: Bits) {
        for round in 0..1 + bits.pick(4) {
            let mut own = bits.fork(round + 7);
            let index = own.pick(self.messages.len() as u64) as usize;
            let other = own.pick(self.messages.len() as u64) as usize;
            match own.pick(6) {
                0 => self.messages[index].parts.clear(),
                1 => self.messages.swap(index, other),
                2 => self.messages[index] = self.messages[other].clone(),
                3 => self.messages[index].role = own.of(&[Role::User, Role::Assistant, Role::Tool, Role::System, Role::Unknown]),
                4 => {
                    let part = self.messages[other].parts.first().cloned();
                    self.messages[index].parts.extend(part);
                }
                _ => {
                    self.messages[index].parts.pop();
                }
            }
        }
        self.links.clear();
        self.pairs.clear();
    }
}

/// What a system message may do by being there.
fn carried(size: u8, bits: &mut Bits) -> Carried {
    let change = |tool: &str, change| ToolChange { tool: tool.to_owned(), change };
    let changes = match size % 5 {
        0 => vec![change("a", Change::Removed)],
        1 => vec![change("a", Change::Added), change("b", Change::Added)],
        2 => vec![change("b", Change::Removed), change("c", Change::Defined)],
        3 => vec![change("c", Change::Removed)],
        _ => vec![change("c", Change::Defined), change("a", Change::Added)],
    };
    let setting = |key: &str, changes| Setting { provider: "anthropic".to_owned(), key: key.to_owned(), changes };
    match bits.pick(4) {
        0 => Carried::ForTurn,
        1 => Carried::Settings(vec![setting("effort", Vec::new())]),
        2 => Carried::Settings(vec![setting("toolChanges", changes)]),
        _ => Carried::Settings(vec![setting("effort", Vec::new()), setting("toolChanges", changes)]),
    }
}

fn result_of(call: &Call, output: Output) -> ToolResult {
    ToolResult { id: call.id.clone(), name: call.name.clone(), output, ..ToolResult::default() }
}

fn media(bits: &mut Bits) -> Part {
    let kind = bits.of(&[MediaKind::Image, MediaKind::Pdf, MediaKind::Text, MediaKind::Audio, MediaKind::Other]);
    let bytes = bits.of(&[Some(900), None, Some(2_000)]);
    let sample = if bits.once_in(5) { Vec::new() } else { vec![bits.pick(250) as u8; 40] };
    let media = Media { bytes, ..Media::absent(kind, sample) };
    Part::Media(media.named(bits.of(&["", "", "front.png", "a \"b\"\n--- c (0) ---.pdf"])))
}
