//! Parts of results that were just cleared, kept in what stands for them: the room up to the target is used for what is likely to be needed
//! again. Chosen together over all of them, so that nothing stands there twice, and nothing that is sent anyway.

use crate::digest::shown::sorted_text;
use crate::digest::tools::Keep;
use crate::model::history::Place;
use crate::model::message::{Message, Part, Role};
use crate::plan::clear::stale_results;
use crate::plan::draft::{Draft, Saving};
use crate::policy::ladder::{LEAST_PARTS_TOKENS, PARTS_OF_RESULT};
use crate::state::{Action, Kept};
use crate::text::choose::choose;
use crate::text::chunk::chunks;
use crate::text::hash::HashSet;
use crate::text::item::{Head, Item};
use crate::text::order::sort_by_numbers;
use crate::text::term::each_term;
use crate::text::uses::{Term, Uses, within};
use crate::text::worth::{Source, score, weigh};
use crate::tokens::estimate::estimate_tokens;

/// What saying that there are parts takes.
const BESIDE_TOKENS: u32 = 8;

/// Keeps parts of these cleared results up to `target` tokens. Returns the savings that are left of each.
pub fn keep_parts(draft: &mut Draft<'_>, cleared: Vec<Saving>, target: u32) -> Vec<Saving> {
    let room = u64::from(target).saturating_sub(draft.total()).min(u64::from(u32::MAX)) as u32;
    let is_cleared =
        |place: &Place| matches!(draft.action(*place), Some(Action::Clear { keeps: Some(Kept::Parts(parts)), .. }) if parts.is_empty());
    let places: HashSet<Place> = cleared.iter().map(|(place, _)| *place).filter(is_cleared).collect();
    if room < LEAST_PARTS_TOKENS || places.is_empty() {
        return cleared;
    }
    let chosen = chosen(draft, &places, room);
    let mut savings = cleared;
    for (place, saved) in &mut savings {
        if let Some((_, kept)) = chosen.iter().find(|(known, _)| known == place) {
            *saved = saved.saturating_sub(draft.keep(*place, kept.clone()));
        }
    }
    savings
}

/// Which parts of each.
fn chosen(draft: &Draft<'_>, places: &HashSet<Place>, room: u32) -> Vec<(Place, Kept)> {
    let start = draft.start();
    let indices: Vec<u32> = (start..draft.history.entries.len()).map(|index| index as u32).collect();
    let messages = draft.read_all(&indices, false);
    let mut uses = Uses::default();
    let mut present: HashSet<u64> = HashSet::default();
    let mut texts = Vec::new();
    for (at, message) in messages.iter().enumerate() {
        for (part, content) in message.parts.iter().enumerate() {
            let place = Place { message: start + at, part };
            // What was edited before arrives as it was or as it is sent: neither may decide.
            if draft.action(place).is_some() && !places.contains(&place) {
                continue;
            }
            match content {
                // Texts and calls mention a thing; only a result states it.
                Part::Text { text, .. } => {
                    uses.mention(text);
                }
                Part::Call(call) => {
                    uses.mention(&call.input);
                }
                Part::Result(result) if draft.tools.keep(&result.name) != Keep::Never => {
                    let text = sorted_text(&result.output);
                    let order = uses.show(&text);
                    if places.contains(&place) {
                        texts.push((place, order, text));
                    } else {
                        each_term(within(&text), &mut |term, _| {
                            present.insert(term);
                        });
                    }
                }
                _ => {}
            }
        }
    }
    let of_user = |message: &&Message| message.role == Role::User;
    for message in messages.iter().rev().find(of_user).into_iter().chain(messages.iter().find(of_user)) {
        for part in &message.parts {
            if let Part::Text { text, .. } = part {
                uses.request(text);
            }
        }
    }
    // What a result is about stands in its call.
    let terms_of_call = |place: Place| {
        let message = |call: Place| messages.get(call.message.checked_sub(start)?)?.parts.get(call.part);
        match draft.history.call_of(place).and_then(message) {
            Some(Part::Call(call)) => Term::of_head(within(&call.input)),
            _ => Vec::new(),
        }
    };
    let stale = stale_results(draft);
    let (mut items, mut heads, mut ranges) = (Vec::new(), vec![Head::default()], Vec::new());
    for (at, (place, order, text)) in texts.iter().enumerate() {
        let text = within(text);
        let parts = chunks(text);
        let source = Source { order: *order, is_call: false, is_stale: stale.contains(place) };
        let own = heads.len();
        heads.push(Head { tokens: BESIDE_TOKENS, terms: terms_of_call(*place) });
        heads.extend(parts.heads.iter().map(|ranges| {
            let texts = || ranges.iter().map(|range| &text[range.clone()]);
            Head { tokens: texts().map(|text| estimate_tokens(text) + 1).sum(), terms: texts().flat_map(Term::of_head).collect() }
        }));
        let most = draft.history.part(*place).tokens / PARTS_OF_RESULT;
        for (weighed, chunk) in weigh(text, &parts, source, &uses).into_iter().zip(&parts.list) {
            let tokens = estimate_tokens(&text[chunk.range.clone()]) + 1;
            if tokens <= most {
                let head = if chunk.head == 0 { 0 } else { own + 1 + chunk.head };
                let (score, step) = (score(&weighed.features), place.message as u32);
                items.push(Item { score, tokens, terms: weighed.terms, form: weighed.form, heads: [own, head], step });
                ranges.push((at, chunk.range.clone(), parts.heads.get(chunk.head).cloned().unwrap_or_default()));
            }
        }
    }
    let mut kept: Vec<Vec<(u32, u32)>> = vec![Vec::new(); texts.len()];
    for at in choose(&items, &heads, &mut present, room) {
        let (of, range, head) = &ranges[at];
        let all = head.iter().chain([range]).map(|range| (range.start as u32, range.end as u32));
        all.for_each(|range| {
            if !kept[*of].contains(&range) {
                kept[*of].push(range);
            }
        });
    }
    let with_parts = texts.iter().zip(kept).filter(|(_, kept)| !kept.is_empty());
    with_parts
        .map(|((place, ..), mut kept)| {
            outermost(&mut kept);
            (*place, Kept::Parts(kept.into_boxed_slice()))
        })
        .collect()
}

/// Puts ranges in order, without those inside of others: a line of a caption may have been chosen by itself, too.
fn outermost(ranges: &mut Vec<(u32, u32)>) {
    sort_by_numbers(ranges, |(start, end)| [i64::from(*start), -i64::from(*end), 0]);
    let mut end_before = 0;
    ranges.retain(|(_, end)| {
        let is_outer = *end > end_before;
        end_before = end_before.max(*end);
        is_outer
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_in_another_part_is_not_said_twice() {
        let mut ranges = vec![(40, 50), (0, 8), (9, 20), (0, 20), (30, 45)];
        outermost(&mut ranges);
        assert_eq!(ranges, [(0, 20), (30, 45), (40, 50)]);
    }
}
