//! Which results a plan wants written as files, and what they hold: those that it clears and folds, and a list of what is folded.
//! Writes nothing, and bounds how much is to be written at once.

use std::ops::Range;

use serde::Serialize;

use crate::digest::call_facts::about;
use crate::model::entry::Kind;
use crate::model::fingerprint::Fingerprint;
use crate::model::history::Place;
use crate::model::message::Part;
use crate::plan::draft::{Draft, file_text};
use crate::policy::ladder::FILES_BYTES;
use crate::state::{Action, Checkpoint, Decision, Retrieval};
use crate::text::clip::one_line;
use crate::text::hash::HashSet;
use crate::words::placeholder::{is_placeholder, recall_id};
use crate::words::retrieval::result_file;

/// A file to be written.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ResultFile {
    /// Its path, which its placeholder names.
    pub path: String,
    /// All of its text.
    pub text: String,
}

/// What must be written before the draft may be sent, of which messages from `start_before` on were not folded. What was named earlier
/// is written already, unless it is gone.
pub fn files(draft: &Draft<'_>, start_before: usize, is_gone: bool) -> Vec<ResultFile> {
    let state = draft.history.state;
    let named = state.decisions.iter().filter_map(|decision| path_of(&state.directories, &decision.action, decision.fingerprint));
    let mut written: HashSet<String> = named.filter(|_| !is_gone).collect();
    let mut files = Vec::new();
    for place in draft.places() {
        let path = draft.action(place).and_then(|action| path_of(draft.directories(), &action, draft.history.fingerprint(place)));
        if let Some(path) = path.filter(|path| written.insert(path.clone()))
            && let Some(text) = text_of(draft, place)
        {
            files.push(ResultFile { path, text });
        }
    }
    if let Some(checkpoint) = draft.checkpoint.as_ref().filter(|checkpoint| !checkpoint.recorded.results_in.is_empty()) {
        files.extend(folded(draft, start_before..draft.start(), &checkpoint.recorded, &written));
    }
    files
}

/// The results of these messages as far as they are not written yet, and a file with one line for each.
fn folded(draft: &Draft<'_>, messages: Range<usize>, checkpoint: &Checkpoint, written: &HashSet<String>) -> Vec<ResultFile> {
    let history = draft.history;
    let places: Vec<Place> = history.places(messages.start, messages.end.max(messages.start)).collect();
    let (mut files, mut lines, mut listed) = (Vec::new(), Vec::new(), HashSet::default());
    let mut left = FILES_BYTES;
    // Of too much the newest is written.
    for place in places.into_iter().rev().filter(|place| history.part(*place).kind == Kind::Result) {
        let id = recall_id(history.fingerprint(place));
        let Some(text) = text_of(draft, place).filter(|_| listed.insert(id)) else { continue };
        let line_count = text.lines().count();
        let path = format!("{}/{}", checkpoint.results_in, result_file(id));
        if !written.contains(&path) {
            let Some(rest) = left.checked_sub(text.len()) else { continue };
            left = rest;
            files.push(ResultFile { path, text });
        }
        lines.push(format!("{}: {}, {line_count} lines\n", result_file(id), one_line(&call_of(draft, place))));
    }
    if !lines.is_empty() {
        lines.reverse();
        files.push(ResultFile { path: index_of(checkpoint), text: lines.concat() });
    }
    files
}

/// The call of a result in a few words; its tool where the call is not there.
fn call_of(draft: &Draft<'_>, result: Place) -> String {
    let call = || {
        let place = draft.history.call_of(result)?;
        match draft.read(place.message)?.parts.get(place.part)? {
            Part::Call(call) => Some(about(call)),
            _ => None,
        }
    };
    call().unwrap_or_else(|| draft.history.part(result).name.clone())
}

/// The file that an action names for the part with this fingerprint.
fn path_of(directories: &[String], action: &Action, fingerprint: Fingerprint) -> Option<String> {
    match action {
        Action::Clear { retrieval: Retrieval::File { directory }, .. } => {
            Some(format!("{}/{}", directories.get(usize::from(*directory))?, result_file(recall_id(fingerprint))))
        }
        _ => None,
    }
}

/// The newest file that earlier plans have named.
pub fn named_file(draft: &Draft<'_>) -> Option<String> {
    let state = draft.history.state;
    let path = |decision: &Decision| path_of(&state.directories, &decision.action, decision.fingerprint);
    let cleared = state.decisions.iter().rev().find_map(path);
    let folded = || state.checkpoints.last().filter(|checkpoint| !checkpoint.results_in.is_empty()).map(index_of);
    cleared.or_else(folded)
}

/// The file that names the results of folded calls, one a line.
fn index_of(checkpoint: &Checkpoint) -> String {
    format!("{}/index-{}.txt", checkpoint.results_in, checkpoint.id())
}

/// What a file holds of a result; none of what is no result, or says nothing.
fn text_of(draft: &Draft<'_>, place: Place) -> Option<String> {
    // As it came: a file is what the tool returned.
    let message = draft.source.message(place.message)?;
    let Part::Result(result) = message.parts.get(place.part)? else { return None };
    let text = file_text(&result.output);
    (!text.is_empty() && !is_placeholder(&text)).then(|| text.into_owned())
}
