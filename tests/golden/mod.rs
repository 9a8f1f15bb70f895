//! Runs the golden cases: conversations as AI SDK messages in JSON, and what must be sent at each step. `README.md` tells the format.
//! Reads and edits messages as `wasm/read.rs` and `apply-edits.ts` do; knows only what the cases use.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};
use stepfold::model::entry::{Entry, Meter, measure_with};
use stepfold::model::message::{Call, Item, Json, Media, MediaKind, Message, Output, Part, Role, ToolResult};
use stepfold::plan::{Behind, Edit, Extra, PartChange, PlanInput, PlanMode, RequestedSpan, Summary, plan};
use stepfold::run::event::of_plan;
use stepfold::run::{Run, Usage};
use stepfold::settings::{OptionValue, Options, Settings};
use stepfold::state::FoldState;
use stepfold::tokens::estimate::estimate_tokens;

use super::hand::Listed;

fn cases() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let mut paths: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    paths.sort();
    assert!(paths.len() >= 8, "there are only {} golden cases", paths.len());
    paths
}

#[test]
fn every_golden_case_sends_what_it_says() {
    let updates = std::env::var("UPDATE_GOLDEN").is_ok();
    let mut failures = Vec::new();
    let mut recorded = String::new();
    for path in cases() {
        let text = fs::read_to_string(&path).unwrap();
        let mut case: Value = serde_json::from_str(&text).unwrap();
        let sent = run(&case);
        recorded.push_str(&sent.to_string());
        if updates {
            case["expected"] = sent;
            fs::write(&path, written(&case)).unwrap();
            continue;
        }
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        if text != written(&case) {
            failures.push(format!("{name}: the file is not in the form UPDATE_GOLDEN=1 writes, with sorted keys"));
        }
        for (step, (got, wanted)) in sent.as_array().unwrap().iter().zip(case["expected"].as_array().unwrap()).enumerate() {
            if got != wanted {
                failures.push(format!("{name}, step {step}: {}\n  got    {got}\n  wanted {wanted}", case["title"]));
            }
        }
    }
    for event in ["capped", "cleared", "checkpoint", "squeezed", "reasoning-dropped", "over-budget"] {
        assert!(recorded.contains(&format!("\"{event}\"")), "no golden case has the event {event}");
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// A line for each message, so that a difference shows what is sent otherwise. What is sent as it came stands together.
fn written(case: &Value) -> String {
    let listed = |list: &Value, indent: &str| {
        let items = list.as_array().unwrap();
        let breaks = |index: usize| index == 0 || !items[index].is_u64() || !items[index - 1].is_u64();
        let item = |index: usize| format!("{}{}", if breaks(index) { format!("\n{indent}  ") } else { " ".to_owned() }, items[index]);
        format!("[{}\n{indent}]", (0..items.len()).map(item).collect::<Vec<_>>().join(","))
    };
    let step = |step: &Value| match &step["messages"] {
        unchanged @ Value::String(_) => format!("\n    {{ \"events\": {}, \"messages\": {unchanged} }}", step["events"]),
        messages => format!("\n    {{ \"events\": {}, \"messages\": {} }}", step["events"], listed(messages, "    ")),
    };
    let field = |(name, value): (&String, &Value)| match name.as_str() {
        "expected" => format!("  \"{name}\": [{}\n  ]", value.as_array().unwrap().iter().map(step).collect::<Vec<_>>().join(",")),
        "messages" => format!("  \"{name}\": {}", listed(value, "  ")),
        _ => format!("  \"{name}\": {value}"),
    };
    format!("{{\n{}\n}}\n", case.as_object().unwrap().iter().map(field).collect::<Vec<_>>().join(",\n"))
}

/// What is sent at each step.
fn run(case: &Value) -> Value {
    let options = options(case);
    let model = |field: &str| case["model"][field].as_str().unwrap_or_default().to_owned();
    let settings = Settings::new(&options, &model("modelId"), &model("provider"));
    let raw = case["messages"].as_array().unwrap();
    let messages: Vec<Message> = raw.iter().map(read_message).collect();
    let meter = Meter { counting: settings.counting, count: &estimate_tokens };
    let entries: Vec<Entry> = messages.iter().map(|message| measure_with(message, meter)).collect();
    let mut numbers = Run::new(&settings);
    let mut state: Option<String> = None;
    let mut sent: Vec<Value> = Vec::new();
    let mut expected = Vec::new();
    let mut seen = 0;
    for end in case["steps"].as_array().unwrap().iter().map(|end| end.as_u64().unwrap() as usize) {
        // Nothing is ever reported.
        numbers.learn(&settings, &Usage::default());
        let fresh = sent.len().min(1) * seen;
        if numbers.try_skip_plan(&settings, &entries[fresh..end], true, state.is_some()).is_some() {
            let before = sent.clone();
            sent.extend((seen..end).map(Value::from));
            expected.push(recorded(Vec::new(), &before, &sent, end));
            seen = end;
            continue;
        }
        let mut before = state.as_deref().map(|text| FoldState::from_json(text).unwrap()).unwrap_or_default();
        numbers.sync_with_state(&mut before, &settings, &model("modelId"), None);
        let ask = |before: &FoldState, summary: Summary<'_>, requested_span: Option<RequestedSpan<'_>>| {
            plan(&PlanInput {
                entries: &entries[..end],
                source: &Listed(&messages),
                settings: &settings,
                options: &options,
                state: before,
                calibration: &numbers.calibration,
                extends: numbers.started,
                summary,
                mode: PlanMode::All,
                keep_from: end,
                extra: Extra { requested_span, ..Extra::default() },
            })
        };
        let mut made = ask(&before, Summary::NotRequested, None);
        while let Some(request) = made.summary_request {
            let summary = case["summary"].as_str().map_or(Summary::Unavailable, Summary::Given);
            made = ask(&before, summary, Some(request.requested_span()));
        }
        numbers.sent_extends = numbers.started;
        numbers.planned(&made, &entries[..end]);
        state = made.state.has_edits().then(|| made.state.clone().to_json());
        let before = std::mem::replace(&mut sent, apply(raw, end, &made.edits));
        let events = of_plan(&made).iter().map(|event| serde_json::to_value(event).unwrap()["type"].clone()).collect();
        expected.push(recorded(events, &before, &sent, end));
        seen = end;
    }
    Value::Array(expected)
}

/// What was sent at the step before, too, is told by its place there.
fn recorded(events: Vec<Value>, before: &[Value], sent: &[Value], end: usize) -> Value {
    if sent.len() == end && sent.iter().all(Value::is_u64) {
        return json!({ "events": events, "messages": "unchanged" });
    }
    let place = |message: &Value| before.iter().position(|known| known == message).filter(|_| message.is_object());
    let messages = sent.iter().map(|message| place(message).map_or_else(|| message.clone(), |at| json!(format!("as {at} before"))));
    json!({ "events": events, "messages": messages.collect::<Vec<_>>() })
}

fn options(case: &Value) -> Options {
    let mut given: Vec<(String, OptionValue)> = case["options"].as_object().unwrap().iter().map(option).collect();
    if case["summary"].is_string() {
        given.push(("summarize".to_owned(), OptionValue::Function));
    }
    Options::check(&given).unwrap()
}

fn option((name, value): (&String, &Value)) -> (String, OptionValue) {
    let value = match value {
        Value::Number(number) => OptionValue::Number(number.as_f64().unwrap()),
        Value::String(text) => OptionValue::Text(text.clone()),
        Value::Object(mark) if mark.contains_key("tokens") => OptionValue::Tokens(mark["tokens"].as_f64().unwrap()),
        Value::Object(members) => OptionValue::Members(members.iter().map(option).collect()),
        other => panic!("the option {name} is {other}"),
    };
    (name.clone(), value)
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn read_message(value: &Value) -> Message {
    let parts = match &value["content"] {
        Value::String(text) => vec![Part::text(text.clone())],
        Value::Array(parts) => parts.iter().map(read_part).collect(),
        other => panic!("a content is {other}"),
    };
    let marker = value["providerOptions"]["stepfold"]["checkpoint"].as_str().map(str::to_owned);
    Message { role: Role::from_name(&text(&value["role"])), parts, marker, has_cache_mark: false, carried: None }
}

fn read_part(value: &Value) -> Part {
    let options = &value["providerOptions"];
    match value["type"].as_str().unwrap_or_default() {
        "text" => Part::Text { text: text(&value["text"]), native_compaction: options["anthropic"]["type"] == "compaction", marker: None },
        "reasoning" => {
            let leads_loop = !options["anthropic"]["signature"].is_null() || !options["anthropic"]["redactedData"].is_null();
            Part::Reasoning { text: text(&value["text"]), leads_loop }
        }
        // Cases hold media as urls only.
        "image" => Part::Media(Media::absent(MediaKind::Image, text(&value["image"]).into_bytes())),
        "tool-call" => Part::Call(Call {
            id: text(&value["toolCallId"]),
            name: text(&value["toolName"]),
            input: value["input"].to_string(),
            omitted_bytes: 0,
            provider_executed: value["providerExecuted"] == true,
            caller: options["anthropic"]["caller"]["toolId"].as_str().map(str::to_owned),
        }),
        "tool-result" => Part::Result(ToolResult {
            id: text(&value["toolCallId"]),
            name: text(&value["toolName"]),
            output: read_output(&value["output"]),
            provider_executed: value["providerExecuted"] == true,
            marker: options["stepfold"]["original"].as_str().map(str::to_owned),
            ..ToolResult::default()
        }),
        "tool-approval-request" => Part::ApprovalRequest {
            approval_id: text(&value["approvalId"]),
            call_id: text(&value["toolCallId"]),
            is_automatic: value["isAutomatic"] == true,
        },
        "tool-approval-response" => Part::ApprovalResponse {
            approval_id: text(&value["approvalId"]),
            approved: value["approved"] != false,
            reason: text(&value["reason"]),
        },
        "custom" => Part::Opaque {
            name: text(&value["kind"]),
            bytes: value.to_string().len() as u64,
            native_compaction: value["kind"] == "openai.compaction",
        },
        other => panic!("a part is {other}"),
    }
}

fn read_output(output: &Value) -> Output {
    let json = || Json { text: output["value"].to_string(), omitted_bytes: 0 };
    match output["type"].as_str().unwrap_or_default() {
        "text" => Output::Text(text(&output["value"])),
        "error-text" => Output::ErrorText(text(&output["value"])),
        "json" => Output::Json(json()),
        "error-json" => Output::ErrorJson(json()),
        "execution-denied" => Output::Denied(text(&output["reason"])),
        "content" => Output::Content(output["value"].as_array().unwrap().iter().map(|item| Item::Text(text(&item["text"]))).collect()),
        other => panic!("an output is {other}"),
    }
}

/// The list with the edits carried out, as `apply-edits.ts` does it; untouched messages by their index.
fn apply(raw: &[Value], end: usize, edits: &[Edit]) -> Vec<Value> {
    let mut list: Vec<Value> = (0..end).map(Value::from).collect();
    let (mut fold, mut bridges) = (None, Vec::new());
    for edit in edits {
        match edit {
            Edit::Part { place, id, change } => {
                if list[place.message].is_u64() {
                    list[place.message] = raw[place.message].clone();
                }
                let content = &mut list[place.message]["content"];
                let part = if content.is_string() { content } else { &mut content[place.part] };
                change_part(part, id, change);
            }
            Edit::LeaveOut { message, parts } => {
                if list[*message].is_u64() {
                    list[*message] = raw[*message].clone();
                }
                let content = list[*message]["content"].as_array_mut().unwrap();
                let mut index = 0..;
                content.retain(|_| !parts.contains(&index.next().unwrap()));
                assert!(!content.is_empty(), "no case has a message of reasoning alone");
            }
            Edit::Bridge { before, text } => bridges.push((*before, own(json!({ "role": "assistant", "content": text }), "bridge"))),
            Edit::Checkpoint { start, end, block, behind, id, text, copies } => {
                let mut content = vec![json!({ "type": "text", "text": text })];
                content.extend(copies.iter().map(|place| raw[place.message]["content"][place.part].clone()));
                let checkpoint = json!({ "role": "user", "content": content, "providerOptions": { "stepfold": { "checkpoint": id } } });
                fold = Some((*start..*end, block.clone(), behind, checkpoint));
            }
        }
    }
    let whole = list.clone();
    for (before, bridge) in bridges.into_iter().rev() {
        list.insert(before, bridge);
    }
    if let Some((span, block, behind, checkpoint)) = fold {
        let before = whole[block].to_vec();
        let kept = behind.iter().map(|behind| match behind {
            Behind::Message { message } => whole[*message].clone(),
            other => panic!("no case carries {other:?}"),
        });
        list.splice(span, before.into_iter().chain([checkpoint]).chain(kept));
    }
    list
}

fn own(mut message: Value, name: &str) -> Value {
    message["providerOptions"] = json!({ "stepfold": { "original": name } });
    message
}

fn change_part(part: &mut Value, id: &str, change: &PartChange) {
    match change {
        PartChange::Output { text, is_error } => {
            let mut output = Map::new();
            output.insert("type".into(), json!(if *is_error { "error-text" } else { "text" }));
            output.insert("value".into(), json!(text));
            if let Some(options) = part["output"].get("providerOptions") {
                output.insert("providerOptions".into(), options.clone());
            }
            part["output"] = Value::Object(output);
            part["providerOptions"]["stepfold"] = json!({ "original": id });
        }
        PartChange::Input { json } => {
            part["input"] = serde_json::from_str(json).unwrap();
            remove_item_ids(part);
        }
        PartChange::Text { text } if part.is_string() => *part = json!(text),
        PartChange::Text { text } => {
            part["text"] = json!(text);
            remove_item_ids(part);
        }
    }
}

fn remove_item_ids(part: &mut Value) {
    if let Some(options) = part.get_mut("providerOptions").and_then(Value::as_object_mut) {
        for own in options.values_mut().filter_map(Value::as_object_mut) {
            own.remove("itemId");
        }
    }
}
