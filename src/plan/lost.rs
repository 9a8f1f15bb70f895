//! Whether the newest checkpoint still stands for what it covers, and where the list differs from that. Decides nothing.

use crate::model::history::Place;
use crate::plan::draft::Draft;
use crate::plan::outcome::{Difference, DifferenceKind, DifferentPart, Done};
use crate::state::{FoldState, Outline};

/// As many parts in a row say that two histories go on alike.
const ALIKE_PARTS: usize = 3;
/// As many parts are looked for that were put in or left out in one place.
const MOST_PARTS: usize = 400;

/// Whether the newest checkpoint covers nothing of this list. An older one may stand in its place.
pub fn lost_checkpoint(draft: &Draft<'_>, state: &FoldState) -> Option<Done> {
    // A block of the provider stands for it.
    let newest = state.checkpoints.last().filter(|_| draft.reads_all() || draft.checkpoint.is_some())?;
    let stands = draft.checkpoint.as_ref().is_some_and(|held| held.recorded.chain == newest.chain);
    (!stands).then(|| Done::LostCheckpoint { id: newest.id(), messages: newest.messages, difference: difference(draft, &newest.outline) })
}

fn difference(draft: &Draft<'_>, covered: &Outline) -> Option<Difference> {
    let history = draft.history;
    if history.own_checkpoint.is_some() {
        return None;
    }
    let before: Vec<&[u8]> = covered.prints.chunks_exact(2).collect();
    let outlined = history.outlined(history.start()..history.entries.len()).map(|(place, outline)| (place, Outline::print(outline)));
    let (places, prints): (Vec<Place>, Vec<[u8; 2]>) = outlined.unzip();
    let at = before.iter().zip(&prints).take_while(|(before, now)| *before == now).count();
    if at == before.len() {
        return None;
    }
    let goes_on = |now: usize, then: usize| {
        let rest = prints.get(now..)?.iter().zip(before.get(then..)?).take(ALIKE_PARTS);
        (rest.len() > 0 && rest.into_iter().all(|(now, before)| now == before)).then_some(())
    };
    let kind = (1..MOST_PARTS).find_map(|parts| {
        let added = goes_on(at + parts, at).map(|()| DifferenceKind::Added);
        added.or_else(|| goes_on(at, at + parts).map(|()| DifferenceKind::Missing))
    });
    let kind = match kind {
        // One part in place of another.
        _ if goes_on(at + 1, at + 1).is_some() => DifferenceKind::Changed,
        Some(kind) => kind,
        None if at == prints.len() => DifferenceKind::Missing,
        None => DifferenceKind::Changed,
    };
    let message_index = places.get(at).map_or(history.entries.len(), |place| place.message);
    let part = places.get(at).filter(|_| kind != DifferenceKind::Missing).map(|place| {
        let part = history.part(*place);
        DifferentPart { role: history.entries[place.message].role(), kind: part.kind, tool: part.name.clone() }
    });
    Some(Difference { message_index, kind, part })
}
