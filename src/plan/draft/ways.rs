//! How results can be had again that a draft clears: by the tool, by recall or in a file; and where files are. Clears nothing.

use super::Draft;
use crate::digest::effect::Effect;
use crate::history::Place;
use crate::message::{Item, Output, Part};
use crate::plan::draft::file_text;
use crate::policy::ladder::FILES_BYTES;
use crate::state::{Action, DIRECTORIES, FoldState, Way};

/// The directories that actions may name, and which of them new files are for, with the bytes that may be written there.
pub fn directories_of(state: &FoldState, wanted: Option<&str>) -> (Vec<String>, Option<(u8, usize)>) {
    let mut directories = state.directories.clone();
    let Some(wanted) = wanted else { return (directories, None) };
    let known = directories.iter().position(|directory| directory == wanted);
    let at = known.unwrap_or(directories.len());
    if known.is_none() && at < DIRECTORIES {
        directories.push(wanted.to_owned());
    }
    let offload = (at < directories.len()).then_some((at as u8, FILES_BYTES));
    (directories, offload)
}

/// How a call is offered that has such an effect.
fn way_of(effect: Effect) -> Way {
    match effect {
        Effect::Reads => Way::Call,
        Effect::Acts => Way::Nothing,
        Effect::Unknown => Way::CallIfReads,
    }
}

impl Draft<'_> {
    /// Whether the call of a result reads or acts, by all that is known now.
    pub fn effect_of(&self, result: Place) -> Effect {
        let part = self.history.part(result);
        self.tools.effect(&part.name, self.history.touch_of(result).map_or(Effect::Unknown, |touch| touch.effect))
    }

    /// An action as it is carried out now: a tool that has turned out to act is not offered any more.
    pub(super) fn without_offer(&self, place: Place, action: Action) -> Action {
        match action {
            Action::Clear { tells, way: Way::Call | Way::CallIfReads } if self.effect_of(place) == Effect::Acts => {
                Action::Clear { tells, way: Way::Nothing }
            }
            Action::Cap { tokens, way: Way::Call | Way::CallIfReads } if self.effect_of(place) == Effect::Acts => {
                Action::Cap { tokens, way: Way::Nothing }
            }
            action => action,
        }
    }

    /// Tries to cut a result to head and tail. Returns the tokens it saves.
    pub fn cut(&mut self, place: Place, tokens: u32) -> u32 {
        let way = self.way_without_file(place);
        self.apply(place, Action::Cap { tokens, way })
    }

    fn way_without_file(&self, place: Place) -> Way {
        if self.source.recalls() { Way::Recall } else { way_of(self.effect_of(place)) }
    }

    /// How a result is to be had again, and the bytes that are written for it.
    pub(super) fn way_to(&mut self, place: Place) -> (Way, usize) {
        // The file that was named before is still there.
        if let Some(Action::Clear { way: way @ Way::File { .. }, .. }) = self.action(place) {
            return (way, 0);
        }
        let other = self.way_without_file(place);
        let Some((directory, left)) = self.offload else { return (other, 0) };
        self.read_last(place.message);
        let Some(Part::Result(result)) = self.last.as_ref().and_then(|(_, message)| message.parts.get(place.part)) else {
            return (other, 0);
        };
        let holds_media = matches!(&result.output, Output::Content(items) if items.iter().any(|item| matches!(item, Item::Media(_))));
        match file_text(&result.output).len() {
            bytes if bytes > 0 && bytes <= left && !(holds_media && other == Way::Recall) => (Way::File { directory }, bytes),
            _ => (other, 0),
        }
    }

    /// The directory that results of this plan are put into as files, if they are.
    pub fn offload_directory(&self) -> Option<&str> {
        self.offload.and_then(|(directory, _)| self.directories.get(usize::from(directory))).map(String::as_str)
    }

    /// Directories of files that actions name.
    pub fn directories(&self) -> &[String] {
        &self.directories
    }

    /// Of these what the state must keep: those that are named, and what stands before them.
    pub fn named_directories(&self) -> Vec<String> {
        let named = self.changes.values().filter_map(|(action, _)| match action {
            Action::Clear { way: Way::File { directory }, .. } => Some(usize::from(*directory) + 1),
            _ => None,
        });
        self.directories[..named.max().unwrap_or(0).min(self.directories.len())].to_vec()
    }
}
