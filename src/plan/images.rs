//! Images and files beyond what the user asks to keep (`keepRecent.images`) or what a request may hold (`maxImages`, `maxImageBytes`). Older ones give way
//! to a line, many at a time, so that the prompt cache matches in between. A limit of the host is never passed, whatever that costs.

use crate::digest::tools::Keep;
use crate::model::entry::Kind;
use crate::model::history::Place;
use crate::model::message::Role;
use crate::plan::draft::{Draft, Saving, is_replaceable_result};
use crate::plan::input::PlanInput;
use crate::plan::pins::is_pinned;
use crate::providers::media::MediaLimit;
use crate::state::Action;

/// Of tool results: once more than twice `keep` images are sent, leaves out those of all but the newest results, so that `keep` stay, and all
/// from `newest` on, which the model has not seen.
pub fn age(draft: &mut Draft<'_>, keep: u32, newest: usize) -> Vec<Saving> {
    let history = draft.history;
    let images = |place: &Place| history.part(*place).images;
    let mut holding: Vec<Place> = draft
        .places()
        .filter(|place| images(place) > 0 && !history.part(*place).holds_files && is_replaceable_result(history, *place))
        .filter(|place| draft.action(*place).is_none() && draft.tools.keep(&history.part(*place).name) != Keep::Always)
        .collect();
    let total: u32 = holding.iter().map(images).sum();
    let most = keep.saturating_mul(2);
    if total <= most {
        return Vec::new();
    }
    let mut kept = 0;
    // Of a result all images stay, or none.
    while let Some(place) = holding.pop_if(|place| kept < keep && kept + images(place) <= most) {
        kept += images(&place);
    }
    let old = holding.into_iter().filter(|place| place.message < newest);
    old.filter_map(|place| Some((place, draft.apply(place, Action::AgeImages))).filter(|(_, saved)| *saved > 0)).collect()
}

/// What a request holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Held {
    /// Images.
    pub images: u32,
    /// Bytes of images and files, as base64.
    pub bytes: u64,
}

impl Held {
    /// What a draft sends.
    pub fn by(draft: &Draft<'_>) -> Held {
        let copies = draft.copies().iter().copied();
        copies.chain(draft.places().filter(|place| is_sent(draft, *place))).fold(Held { images: 0, bytes: 0 }, |held, place| {
            let part = draft.history.part(place);
            Held { images: held.images.saturating_add(part.images), bytes: held.bytes.saturating_add(part.media_bytes) }
        })
    }

    fn is_within(self, limit: &MediaLimit) -> bool {
        limit.images.is_none_or(|most| self.images <= most) && limit.bytes.is_none_or(|most| self.bytes <= most)
    }
}

/// Whether the images and files of a part are sent.
fn is_sent(draft: &Draft<'_>, place: Place) -> bool {
    let part = draft.history.part(place);
    (part.images > 0 || part.media_bytes > 0) && matches!(draft.action(place), None | Some(Action::Pin))
}

/// Leaves out images and files until a request may hold what is left: of older turns first, then of results that the model has seen, oldest first,
/// until half of what may be is left; then, as many as must, what the user attached to the message that is being answered, and last what
/// the model has not seen, which is from `newest` on.
pub fn limit(draft: &mut Draft<'_>, input: &PlanInput<'_>) -> Vec<Saving> {
    let limit = input.settings.with(&input.calibration.traits).media_limit;
    if Held::by(draft).is_within(&limit) {
        return Vec::new();
    }
    let history = draft.history;
    let newest = history.unseen().min(input.keep_from);
    let turn = history.turn_start();
    let mut groups: [Vec<Place>; 5] = Default::default();
    for place in draft.places().filter(|place| is_sent(draft, *place)) {
        let is_kept = is_pinned(draft, place) || draft.tools.keep(&history.part(place).name) == Keep::Always;
        let group = match history.part(place).kind {
            Kind::Media if place.message >= turn && history.entries[place.message].role() == Role::User => 3,
            Kind::Media if draft.holds_block(place.message) || draft.sends_unsigned_thoughts(place.message) => continue,
            Kind::Media => 0,
            _ if !is_replaceable_result(history, place) => continue,
            _ if place.message >= newest => 4,
            _ if is_kept => 2,
            _ if place.message < turn => 0,
            _ => 1,
        };
        groups[group].push(place);
    }
    let is_older_turn = turn >= draft.start();
    let mut left_out = Vec::new();
    for (group, places) in groups.into_iter().enumerate() {
        let aim = if group < 2 { limit.half() } else { limit };
        let copies = if group == 0 && is_older_turn || group == 3 { draft.copies().len() } else { 0 };
        for _ in 0..copies {
            if !Held::by(draft).is_within(&aim) {
                draft.leave_out_copy();
            }
        }
        for place in places {
            if Held::by(draft).is_within(&aim) {
                break;
            }
            let saved = draft.apply(place, Action::OverLimit);
            left_out.extend((saved > 0).then_some((place, saved)));
        }
    }
    left_out
}
