//! Whole checkpoints of made-up sessions of six kinds of agents, and of bad input. The texts stand in `*.md` beside this file,
//! for people to read; `UPDATE_CHECKPOINTS=1 cargo test checkpoints::` writes them anew.
#![allow(clippy::unwrap_used, clippy::panic)]

mod bad;
mod sessions;

use std::fs;
use std::path::Path;

use stepfold::model::entry::{Entry, measure};
use stepfold::model::message::Message;
use stepfold::plan::{Edit, PlanMode};
use stepfold::settings::{Options, Settings};
use stepfold::state::FoldState;

use super::hand::plan_on;

/// The text of the checkpoint that folds all but the newest messages of a session, in a window.
pub fn checkpoint_of(messages: &[Message], window: f64) -> String {
    let options = Options { context_window: Some(window), keep_recent_tokens: Some(1.0), ..Options::default() };
    let settings = Settings::new(&options, "", "");
    let entries: Vec<Entry> = messages.iter().map(measure).collect();
    let made = plan_on((messages, &entries), PlanMode::Checkpoint, &options, &settings, &FoldState::default());
    let text = made.edits.iter().find_map(|edit| match edit {
        Edit::Checkpoint { text, .. } => Some(text.clone()),
        _ => None,
    });
    text.unwrap_or_default()
}

#[test]
fn whole_checkpoints_say_what_they_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/checkpoints");
    let updates = std::env::var("UPDATE_CHECKPOINTS").is_ok();
    let mut changed = Vec::new();
    for (name, window, messages) in sessions::all() {
        let path = folder.join(format!("{name}.md"));
        let text = format!("{}\n", checkpoint_of(&messages, window));
        assert!(text.len() > 1, "{name} makes no checkpoint");
        if updates {
            fs::write(&path, &text).unwrap();
        } else if fs::read_to_string(&path).unwrap_or_default() != text {
            changed.push(format!("{name}:\n{text}"));
        }
    }
    assert!(changed.is_empty(), "{}", changed.join("\n"));
}
