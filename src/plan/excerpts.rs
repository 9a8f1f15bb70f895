//! Parts of results that were just cleared or cut, kept in what stands for them: the room up to the target is used for what is likely to be needed
//! again. Chosen together over all of them, so that nothing stands there twice, and nothing that is sent anyway.

use std::borrow::Cow;
use std::ops::Range;

use crate::digest::shown::sorted_text;
use crate::digest::tools::Keep;
use crate::model::history::Place;
use crate::model::message::{Message, Part, Role};
use crate::plan::clear::stale_results;
use crate::plan::draft::{Draft, Saving};
use crate::policy::ladder::{AROUND, AROUND_PART, ASKED, BELOW_BEST, LEAST_PARTS_TOKENS, OUTSTANDING, PARTS_OF_CUT, PARTS_OF_RESULT};
use crate::state::{Action, Kept};
use crate::text::choose::choose;
use crate::text::chunk::chunks;
use crate::text::hash::{HashMap, HashSet};
use crate::text::item::{Item, key_of};
use crate::text::order::sort_by_numbers;
use crate::text::term::each_term;
use crate::text::uses::{Uses, within};
use crate::text::worth::{Source, score, weigh};
use crate::text::written::SafeText;
use crate::tokens::estimate::estimate_tokens;
use crate::words::cut::{joined, left_out};

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

/// Chooses parts of these results that this plan has cut, for some of what each keeps: what was asked for may stand between head and tail.
/// Returns the savings that are left of each.
pub fn keep_between(draft: &mut Draft<'_>, savings: Vec<Saving>) -> Vec<Saving> {
    let rooms = savings.iter().filter_map(|(place, _)| match draft.action(*place) {
        Some(Action::Cap { tokens, parts, .. }) if parts.is_empty() => Some((*place, tokens / PARTS_OF_CUT)),
        _ => None,
    });
    let rooms: HashMap<Place, u32> = rooms.filter(|(_, room)| *room >= LEAST_PARTS_TOKENS).collect();
    if rooms.is_empty() {
        return savings;
    }
    let mut savings = savings;
    for (place, parts) in chosen_between(draft, &rooms) {
        let saved = draft.keep_between(place, parts.into_boxed_slice());
        savings.iter_mut().filter(|(known, _)| *known == place).for_each(|(_, before)| *before += saved);
    }
    savings
}

/// Which parts of each cut result.
fn chosen_between(draft: &Draft<'_>, rooms: &HashMap<Place, u32>) -> Vec<(Place, Vec<(u32, u32)>)> {
    let messages = read(draft);
    let shown = Shown::of(draft, &messages, |place| rooms.contains_key(&place));
    let mut all = Vec::new();
    for Text { place, order, text } in &shown.texts {
        let room = rooms.get(place).copied().unwrap_or_default();
        let middle = left_out(text, room * (PARTS_OF_CUT - 1));
        let mut present = shown.present.clone();
        for end in [&text[..middle.start], &text[middle.end..]] {
            add_terms(end, &mut present);
        }
        // What the user said last, and what was called since, is what it was looked up for.
        let source = Source { order: (*order).min(shown.asked.saturating_sub(1)), is_call: false, is_stale: false };
        let safe = SafeText::new(text);
        let mut candidates = Candidates::default();
        candidates.add((*place, source), within(text), &shown.uses, |range, tokens| {
            middle.start <= range.start && range.end <= middle.end && tokens <= room / PARTS_OF_RESULT
        });
        let ranges = candidates.outstanding(|term| shown.uses.of(term).last > source.order, &mut present, room);
        let is_safe = |range: &(u32, u32)| !safe.excerpt(range.0 as usize..range.1 as usize, usize::MAX).is_empty();
        let parts = joined(text, ranges.into_iter().filter(is_safe));
        if !parts.is_empty() {
            all.push((*place, parts));
        }
    }
    all
}

/// Which parts of each cleared result.
fn chosen(draft: &Draft<'_>, places: &HashSet<Place>, room: u32) -> Vec<(Place, Kept)> {
    let messages = read(draft);
    let mut shown = Shown::of(draft, &messages, |place| places.contains(&place));
    let stale = stale_results(draft);
    let mut candidates = Candidates::default();
    for Text { place, order, text } in &shown.texts {
        let source = Source { order: *order, is_call: false, is_stale: stale.contains(place) };
        let most = draft.history.part(*place).tokens / PARTS_OF_RESULT;
        candidates.add((*place, source), within(text), &shown.uses, |_, tokens| tokens <= most);
    }
    let kept = candidates.choose(&mut shown.present, room);
    kept.into_iter().map(|(place, ranges)| (place, Kept::Parts(ranges.into_boxed_slice()))).collect()
}

/// The messages behind the checkpoint.
fn read(draft: &Draft<'_>) -> Vec<Message> {
    let indices: Vec<u32> = (draft.start()..draft.history.entries.len()).map(|index| index as u32).collect();
    draft.read_all(&indices, false)
}

fn add_terms(text: &str, terms: &mut HashSet<u64>) {
    each_term(within(text), &mut |term, _| {
        terms.insert(term);
    });
}

/// A result of which parts may be kept.
struct Text<'m> {
    place: Place,
    /// Its place in the order of texts.
    order: u32,
    text: Cow<'m, str>,
}

/// What stands in the messages behind the checkpoint.
struct Shown<'m> {
    uses: Uses,
    /// The terms of results that stay.
    present: HashSet<u64>,
    texts: Vec<Text<'m>>,
    /// The place of what the user said last in the order of texts.
    asked: u32,
}

impl<'m> Shown<'m> {
    fn of(draft: &Draft<'_>, messages: &'m [Message], may_go: impl Fn(Place) -> bool) -> Shown<'m> {
        let start = draft.start();
        let mut shown = Shown { uses: Uses::default(), present: HashSet::default(), texts: Vec::new(), asked: 1 };
        for (at, message) in messages.iter().enumerate() {
            for (part, content) in message.parts.iter().enumerate() {
                let place = Place { message: start + at, part };
                // What was edited before arrives as it was or as it is sent: neither may decide.
                if draft.action(place).is_some() && !may_go(place) {
                    continue;
                }
                match content {
                    // Texts and calls mention a thing; only a result states it.
                    Part::Text { text, .. } => {
                        let order = shown.uses.mention(text);
                        if message.role == Role::User {
                            shown.asked = order;
                        }
                    }
                    Part::Call(call) => {
                        shown.uses.mention(&call.input);
                    }
                    Part::Result(result) if draft.tools.keep(&result.name) != Keep::Never => {
                        let text = sorted_text(&result.output);
                        let order = shown.uses.show(&text);
                        if may_go(place) {
                            shown.texts.push(Text { place, order, text });
                        } else {
                            add_terms(&text, &mut shown.present);
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
                    shown.uses.request(text);
                }
            }
        }
        shown
    }
}

/// Chunks that may be kept.
struct Candidates {
    items: Vec<Item>,
    heads: Vec<u32>,
    /// Of each item its result, its range and those of its head.
    ranges: Vec<(Place, Range<usize>, Vec<Range<usize>>)>,
}

impl Default for Candidates {
    fn default() -> Candidates {
        Candidates { items: Vec::new(), heads: vec![0], ranges: Vec::new() }
    }
}

impl Candidates {
    /// Adds the chunks of a result that fit, by their place and tokens.
    fn add(&mut self, (place, source): (Place, Source), text: &str, uses: &Uses, fits: impl Fn(&Range<usize>, u32) -> bool) {
        let parts = chunks(text);
        let own = self.heads.len();
        self.heads.push(BESIDE_TOKENS);
        let tokens = |range: &Range<usize>| estimate_tokens(&text[range.clone()]) + 1;
        self.heads.extend(parts.heads.iter().map(|ranges| ranges.iter().map(tokens).sum::<u32>()));
        for (weighed, chunk) in weigh(text, &parts, source, uses).into_iter().zip(&parts.list) {
            let tokens = estimate_tokens(&text[chunk.range.clone()]) + 1;
            if fits(&chunk.range, tokens) {
                let head = if chunk.head == 0 { 0 } else { own + 1 + chunk.head };
                let (score, step) = (score(&weighed.features), place.message as u32);
                let under = parts.heads.get(chunk.head).cloned().unwrap_or_default();
                let key = key_of(under.iter().map(|range| &text[range.clone()]), &text[chunk.range.clone()]);
                self.items.push(Item { score, tokens, terms: weighed.terms, form: weighed.form, heads: [own, head], key, step });
                self.ranges.push((place, chunk.range.clone(), under));
            }
        }
    }

    /// The ranges that are kept of one result within `room` tokens, in order: what stands out, by its score and by how few chunks hold what of it
    /// is `asked` for, and what stands around it.
    fn outstanding(mut self, asked: impl Fn(u64) -> bool, present: &mut HashSet<u64>, room: u32) -> Vec<(u32, u32)> {
        let mut chunks_with: HashMap<u64, u32> = HashMap::default();
        for term in self.items.iter().flat_map(|item| &item.terms).filter(|term| asked(term.hash)) {
            *chunks_with.entry(term.hash).or_default() += 1;
        }
        let count = self.items.len() as u32;
        for item in &mut self.items {
            let fewest = item.terms.iter().filter_map(|term| chunks_with.get(&term.hash)).min();
            item.score += fewest.map_or(0, |with| ASKED * (count / with).ilog2() as i32);
        }
        let mut scores: Vec<i32> = self.items.iter().map(|item| item.score).collect();
        sort_by_numbers(&mut scores, |score| [i64::from(*score), 0, 0]);
        let middle = scores.get(scores.len() / 2).copied().unwrap_or_default();
        let least = scores.last().map_or(0, |best| best - BELOW_BEST).max(middle + OUTSTANDING);
        self.items.iter_mut().filter(|item| item.score < least).for_each(|item| item.score = i32::MIN / 2);
        let chosen = choose(&self.items, &self.heads, present, room / AROUND_PART);
        let mut left = chosen.iter().fold(room, |left, at| left.saturating_sub(self.items[*at].tokens));
        let mut kept: HashSet<usize> = chosen.iter().copied().collect();
        for distance in 1..=AROUND {
            for at in chosen.iter().flat_map(|at| [Some(at + distance), at.checked_sub(distance)]).flatten() {
                let Some(item) = self.items.get(at).filter(|item| item.tokens <= left) else { continue };
                left -= if kept.insert(at) { item.tokens } else { 0 };
            }
        }
        let mut ranges: Vec<(u32, u32)> = chosen.iter().flat_map(|at| &self.ranges[*at].2).map(in_bytes).collect();
        ranges.extend(kept.into_iter().map(|at| in_bytes(&self.ranges[at].1)));
        outermost(&mut ranges);
        ranges
    }

    /// The ranges that are kept of each result within `room` tokens, in order.
    fn choose(&self, present: &mut HashSet<u64>, room: u32) -> HashMap<Place, Vec<(u32, u32)>> {
        let mut kept: HashMap<Place, Vec<(u32, u32)>> = HashMap::default();
        for at in choose(&self.items, &self.heads, present, room) {
            let (place, range, head) = &self.ranges[at];
            kept.entry(*place).or_default().extend(head.iter().chain([range]).map(in_bytes));
        }
        kept.values_mut().for_each(outermost);
        kept
    }
}

fn in_bytes(range: &Range<usize>) -> (u32, u32) {
    (range.start as u32, range.end as u32)
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
