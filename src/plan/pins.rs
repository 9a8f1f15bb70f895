//! Pins: results that the model asks to keep whole. No rung clears or cuts them; where their message is folded they stand verbatim in the
//! checkpoint. Bounded: what goes beyond is released, the oldest in the conversation first. When the model asks for one, and what it is answered,
//! stands in `step::compact_tool`.

use crate::digest::shown::sorted_text;
use crate::model::fingerprint::Fingerprint;
use crate::model::history::{History, Place};
use crate::model::message::{Item, Output, Part};
use crate::plan::budget::Budget;
use crate::plan::draft::{Draft, is_replaceable_result};
use crate::plan::hold::held;
use crate::plan::input::PlanInput;
use crate::plan::outcome::Done;
use crate::policy::compact_tool::{MOST_PINS, PINNED_BYTES, PINNED_SHARE};
use crate::redact::clean;
use crate::state::{Action, Checkpoint, KeptResult};
use crate::tokens::estimate::estimate_tokens;
use crate::tokens::saturate;
use crate::words::compact_tool::{PinOutcome, PinTarget};
use crate::words::placeholder::recall_id;

/// Estimated tokens that pinned results may have among the messages, and as many again in the checkpoint.
pub fn most_tokens(budget: &Budget) -> u32 {
    (f64::from(budget.limit) * PINNED_SHARE) as u32
}

/// Whether no rung may take this part.
pub fn is_pinned(draft: &Draft<'_>, place: Place) -> bool {
    draft.action(place) == Some(Action::Pin)
}

/// Pins the newest result with each of these fingerprints, and releases what is too much. Returns what was pinned.
pub fn pin(draft: &mut Draft<'_>, budget: &Budget, wanted: &[Fingerprint]) -> Vec<Done> {
    let mut done = Vec::new();
    for fingerprint in wanted {
        let history = draft.history;
        let is_it = |place: &Place| history.fingerprint(*place) == *fingerprint && is_replaceable_result(history, *place);
        let Some(place) = draft.places().filter(is_it).last() else { continue };
        if draft.action(place).is_none() {
            draft.pin(place);
            let part = history.part(place);
            let tokens = saturate((f64::from(part.tokens) * budget.ratio).round() as u64);
            done.push(Done::Pinned { tool: part.name.clone(), call_id: part.id.clone(), tokens });
        }
    }
    let places: Vec<Place> = pinned(draft).collect();
    let mut room = most_tokens(budget);
    for (newer, place) in places.into_iter().rev().enumerate() {
        let tokens = draft.part_tokens(place);
        if newer < MOST_PINS && tokens <= room {
            room -= tokens;
        } else {
            draft.unpin(place);
        }
    }
    done
}

/// Pinned results among the messages that are not folded, oldest first.
pub fn pinned(draft: &Draft<'_>) -> impl Iterator<Item = Place> {
    draft.places().filter(|place| is_pinned(draft, *place))
}

/// Names of the tools whose results are pinned, among the messages and in the checkpoint.
pub fn tools(draft: &Draft<'_>) -> Vec<String> {
    let kept = draft.checkpoint.iter().flat_map(|checkpoint| &checkpoint.recorded.kept).filter(|kept| kept.pinned);
    kept.map(|kept| kept.tool.clone()).chain(pinned(draft).map(|place| draft.history.part(place).name.clone())).collect()
}

/// Looks for the newest result that the model may mean, in a list with what was decided before.
pub fn find_pin_target(input: &PlanInput<'_>, target: &PinTarget<'_>) -> PinOutcome {
    let history = History::new(input.entries, input.state);
    let mut draft = held(&history, input);
    let budget = Budget::new(input.settings, input.calibration, input.extends, None);
    let results: Vec<Place> = draft.places().filter(|place| is_replaceable_result(&history, *place)).collect();
    let Some(place) = results.iter().rev().copied().find(|place| is_target(&draft, *place, target)) else {
        let mut tools: Vec<String> = Vec::new();
        for place in results.iter().rev() {
            let name = &history.part(*place).name;
            if !tools.contains(name) {
                tools.push(name.clone());
            }
        }
        return PinOutcome::Missing { tools };
    };
    match draft.action(place) {
        Some(Action::Pin) => return PinOutcome::Pinned,
        Some(_) => return PinOutcome::Edited,
        None if history.part(place).marker.is_some() => return PinOutcome::Edited,
        None => {}
    }
    let Some(output) = output_of(&draft, place) else { return PinOutcome::Missing { tools: Vec::new() } };
    let is_whole = match &output {
        Output::Content(items) => items.iter().all(|item| matches!(item, Item::Text(_))),
        Output::Json(json) | Output::ErrorJson(json) => json.omitted_bytes == 0,
        _ => true,
    };
    if !is_whole {
        return PinOutcome::Media;
    }
    let provider = |estimated: u32| saturate((f64::from(estimated) * budget.ratio).round() as u64);
    let (tokens, most) = (draft.part_tokens(place), most_tokens(&budget));
    let text = text_of(&output);
    if tokens > most || estimate_tokens(&text) > most || text.len() > PINNED_BYTES {
        return PinOutcome::TooLarge { tokens: provider(tokens), most_tokens: provider(most) };
    }
    let before = tools(&draft);
    let fingerprint = history.fingerprint(place);
    pin(&mut draft, &budget, &[fingerprint]);
    let released = match released(before, &tools(&draft)) {
        Some(Done::Released { tools }) => tools,
        _ => Vec::new(),
    };
    PinOutcome::Free { fingerprint, tool: history.part(place).name.clone(), tokens: provider(tokens), released }
}

fn is_target(draft: &Draft<'_>, place: Place, target: &PinTarget<'_>) -> bool {
    let history = draft.history;
    let part = history.part(place);
    let is_named = part.name == target.name || part.id == target.name || target.name.parse() == Ok(recall_id(part.fingerprint));
    let wanted = target.containing.to_lowercase();
    let holds = |text: &str| text.to_lowercase().contains(&wanted);
    let is_called_so = || {
        let call = history.call_of(place)?;
        match draft.read(call.message)?.parts.get(call.part)? {
            Part::Call(call) => Some(holds(&call.input)),
            _ => None,
        }
    };
    is_named
        && (wanted.is_empty() || is_called_so() == Some(true) || output_of(draft, place).is_some_and(|output| holds(&sorted_text(&output))))
}

fn output_of(draft: &Draft<'_>, place: Place) -> Option<Output> {
    match draft.read(place.message)?.parts.into_iter().nth(place.part)? {
        Part::Result(result) => Some(result.output),
        _ => None,
    }
}

/// Those of `before` that are not pinned any more.
pub fn released(mut before: Vec<String>, after: &[String]) -> Option<Done> {
    for tool in after {
        if let Some(at) = before.iter().rposition(|name| name == tool) {
            before.remove(at);
        }
    }
    (!before.is_empty()).then_some(Done::Released { tools: before })
}

/// Estimated tokens of pinned results that a checkpoint up to `end` carries along: folding does not save them.
pub fn carried_tokens(draft: &Draft<'_>, end: usize) -> u64 {
    let kept = draft.checkpoint.as_ref().map_or(0, |checkpoint| kept_tokens(&checkpoint.recorded));
    let folding: u64 = folding(draft, end).map(|place| u64::from(draft.part_tokens(place))).sum();
    u64::from(kept) + folding
}

/// Estimated tokens of pinned results in a checkpoint.
pub fn kept_tokens(checkpoint: &Checkpoint) -> u32 {
    checkpoint.kept.iter().filter(|kept| kept.pinned).fold(0, |sum, kept| sum.saturating_add(estimate_tokens(&kept.text)))
}

/// Pinned results that a fold up to `end` takes out of the messages.
fn folding<'d>(draft: &'d Draft<'_>, end: usize) -> impl Iterator<Item = Place> + 'd {
    let (block, head) = (draft.block_before(end), draft.head_of(end));
    pinned(draft).filter(move |place| place.message < end && !block.contains(&place.message) && !head.contains(&place.message))
}

/// Keeps pinned results that a fold up to `end` takes out of the messages; the oldest leave where there are too many.
pub fn keep(draft: &Draft<'_>, budget: &Budget, end: usize, kept: &mut Vec<KeptResult>) {
    for place in folding(draft, end) {
        let Some(message) = draft.read(place.message) else { continue };
        let Some(Part::Result(result)) = message.parts.get(place.part) else { continue };
        let found = KeptResult { tool: result.name.clone(), text: text_of(&result.output), pinned: true };
        kept.retain(|result| *result != found);
        kept.push(found);
    }
    let (mut tokens, mut bytes, mut count) = (most_tokens(budget), PINNED_BYTES, MOST_PINS);
    let mut fits = |result: &KeptResult| {
        let (wanted_tokens, wanted_bytes) = (estimate_tokens(&result.text), result.text.len());
        let fits = count > 0 && wanted_tokens <= tokens && wanted_bytes <= bytes;
        if fits {
            (tokens, bytes, count) = (tokens - wanted_tokens, bytes - wanted_bytes, count - 1);
        }
        fits
    };
    let mut newest_first = std::mem::take(kept);
    newest_first.reverse();
    newest_first.retain(|result| !result.pinned || fits(result));
    newest_first.reverse();
    *kept = newest_first;
}

/// The text of a pinned result in a checkpoint, without secrets.
fn text_of(output: &Output) -> String {
    clean(&sorted_text(output))
}
