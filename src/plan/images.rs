//! Images: of tool results only the newest keep theirs, where the user asks for that (`keepRecent.images`). Older ones give way to a line, in
//! batches, so that the prompt cache matches in between. Never touches what the model has not seen, and nothing that the user attached.

use crate::digest::tools::Keep;
use crate::model::history::Place;
use crate::plan::draft::{Draft, Saving, is_replaceable_result};
use crate::policy::ladder::IMAGES_BATCH;

/// Leaves out the images of all but the newest results once a batch of them is too old; `keep` images stay, and all from `newest` on.
pub fn age(draft: &mut Draft<'_>, keep: u32, newest: usize) -> Vec<Saving> {
    let history = draft.history;
    let images = |place: &Place| history.part(*place).images;
    let mut holding: Vec<Place> = draft
        .places()
        .filter(|place| images(place) > 0 && is_replaceable_result(history, *place) && draft.action(*place).is_none())
        .filter(|place| draft.tools.keep(&history.part(*place).name) != Keep::Always)
        .collect();
    let total: u32 = holding.iter().map(images).sum();
    if total < keep.saturating_add(keep.max(IMAGES_BATCH)) {
        return Vec::new();
    }
    let mut kept = 0;
    while kept < keep
        && let Some(place) = holding.pop()
    {
        kept += images(&place);
    }
    let old = holding.into_iter().filter(|place| place.message < newest);
    old.filter_map(|place| Some((place, draft.age_images(place))).filter(|(_, saved)| *saved > 0)).collect()
}
