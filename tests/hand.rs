//! Messages written by hand, and plans made on them with nothing learnt before. Judges nothing.

use stepfold::model::entry::Entry;
use stepfold::model::message::{Call, Message, Output, Part, Role, ToolResult};
use stepfold::plan::{Extra, Plan, PlanInput, PlanMode, Source, Summary, plan};
use stepfold::settings::{Options, Settings};
use stepfold::state::FoldState;
use stepfold::tokens::calibration::Calibration;

/// A list of messages that a plan may read again.
pub struct Listed<'a>(pub &'a [Message]);

impl Source for Listed<'_> {
    fn message(&self, index: usize) -> Option<Message> {
        self.0.get(index).cloned()
    }
}

pub fn message(role: Role, parts: Vec<Part>) -> Message {
    Message { role, parts, marker: None, has_cache_mark: false, carried: None }
}

pub fn call(id: &str, tool: &str, input: &str) -> Part {
    Part::Call(Call { id: id.into(), name: tool.into(), input: input.into(), omitted_bytes: 0, provider_executed: false, caller: None })
}

pub fn result(id: &str, tool: &str, output: Output) -> Part {
    Part::Result(ToolResult { id: id.into(), name: tool.into(), output, ..ToolResult::default() })
}

/// A plan on measured messages, without a summarizer.
pub fn plan_on(
    (messages, entries): (&[Message], &[Entry]),
    mode: PlanMode,
    options: &Options,
    settings: &Settings,
    state: &FoldState,
) -> Plan {
    plan(&PlanInput {
        entries,
        source: &Listed(messages),
        settings,
        options,
        state,
        calibration: &Calibration::new(1.0, 0.0),
        extends: false,
        summary: Summary::Unavailable,
        mode,
        keep_from: messages.len(),
        extra: Extra::default(),
    })
}
