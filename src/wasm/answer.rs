//! What plans and the helpers answer, in the shape TypeScript reads. Names and no more: nothing is decided here.

use serde::Serialize;

use crate::event::Event;
use crate::plan::{Edit, PartChange, SummaryRequest};

/// What a plan answers.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Answer {
    pub events: Vec<Event>,
    pub edits: Vec<EditOut>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub summary_request: Option<SummaryRequest>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens: Option<TokensOut>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preview: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ahead: Option<AheadOut>,
    pub folds: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AheadOut {
    pub index: usize,
    pub is_due: bool,
    pub is_pending: bool,
}

impl Answer {
    pub fn telling(events: Vec<Event>) -> Answer {
        Answer { events, edits: Vec::new(), summary_request: None, tokens: None, preview: None, ahead: None, folds: false }
    }
}

#[derive(Serialize)]
pub struct TokensOut {
    pub before: u32,
    pub after: u32,
    pub unedited: u32,
    pub limit: u32,
    pub trigger: u32,
    pub target: u32,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum EditOut {
    Checkpoint { start: usize, end: usize, head: (usize, usize), id: String, text: String, copies: Vec<(usize, usize)> },
    LeaveOut { message: usize, parts: Vec<usize> },
    Output { message: usize, part: usize, id: String, text: String, error: bool },
    Input { message: usize, part: usize, json: String },
    Text { message: usize, part: usize, text: String },
}

impl From<Edit> for EditOut {
    fn from(edit: Edit) -> EditOut {
        match edit {
            Edit::Checkpoint { start, end, head, id, text, copies } => {
                let copies = copies.into_iter().map(|place| (place.message, place.part)).collect();
                EditOut::Checkpoint { start, end, head: (head.start, head.end), id, text, copies }
            }
            Edit::LeaveOut { message, parts } => EditOut::LeaveOut { message, parts },
            Edit::Part { place, id, change } => {
                let (message, part) = (place.message, place.part);
                match change {
                    PartChange::Output { text, is_error } => EditOut::Output { message, part, id, text, error: is_error },
                    PartChange::Input { json } => EditOut::Input { message, part, json },
                    PartChange::Text { text } => EditOut::Text { message, part, text },
                }
            }
        }
    }
}

/// What a provider would reject.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ViolationOut {
    pub rule: &'static str,
    pub rejected_by: &'static str,
    pub path: String,
    pub message: String,
}

/// What a model takes.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LimitsOut {
    pub context_window: u32,
    pub max_output_tokens: u32,
    pub family: &'static str,
    pub known: bool,
    pub verified: bool,
}

/// A thrown error: TypeScript makes the class.
#[derive(Serialize)]
pub struct Failure {
    pub code: &'static str,
    pub message: String,
}
