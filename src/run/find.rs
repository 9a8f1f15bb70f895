//! Which of several runs a prompt belongs to, by what its parts say: a wrapper copies messages, the SDK converts them, and approvals,
//! downloads and edits make them differ a little. Only says which; what is done with it is for others.

use crate::model::entry::{Entry, PartEntry};
use crate::model::fingerprint::Fingerprint;
use crate::model::message::Role;
use crate::text::hash::HashSet;

/// The index of the run that most of a prompt is from; of equals the first. None when no run holds half of it.
pub fn find_run(prompt: &[Entry], runs: &[Vec<Entry>]) -> Option<usize> {
    let sent: Vec<Fingerprint> = prompt.iter().filter(|entry| is_of_history(entry)).flat_map(fingerprints_of).collect();
    let mut best: Option<(usize, (bool, usize))> = None;
    for (index, history) in runs.iter().enumerate() {
        let known: HashSet<Fingerprint> = history.iter().flat_map(fingerprints_of).collect();
        let common = sent.iter().filter(|fingerprint| known.contains(fingerprint)).count();
        // What a run sent last stands at the end of its history.
        let newest = history.iter().rev().flat_map(fingerprints_of).next();
        let score = (newest.is_some_and(|newest| sent.contains(&newest)), common);
        if common > 0 && common * 2 >= sent.len() && best.is_none_or(|(_, known)| score > known) {
            best = Some((index, score));
        }
    }
    best.map(|(index, _)| index)
}

/// Not what the SDK puts in front, nor a checkpoint of ours.
fn is_of_history(entry: &Entry) -> bool {
    entry.role() != Role::System && entry.marker.is_none()
}

/// What a message says, by its parts as they were before any edit of ours.
fn fingerprints_of(entry: &Entry) -> impl Iterator<Item = Fingerprint> {
    let original = |part: &PartEntry| part.marker.as_deref().and_then(|marker| Fingerprint::from_str_radix(marker, 16).ok());
    entry.parts.iter().map(move |part| original(part).unwrap_or(part.fingerprint)).filter(|fingerprint| *fingerprint != 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::entry::measure;
    use crate::model::message::{Message, Part};

    fn entries_by(role: Role, texts: &[&str]) -> Vec<Entry> {
        texts
            .iter()
            .map(|text| {
                measure(&Message { role, parts: vec![Part::text((*text).to_owned())], marker: None, has_cache_mark: false, carried: None })
            })
            .collect()
    }

    #[test]
    fn a_prompt_is_of_the_run_whose_newest_message_it_ends_with() {
        let user = |texts: &[&str]| entries_by(Role::User, texts);
        let runs = [user(&["same", "longer", "still longer"]), user(&["same"]), user(&["same", "other"]), user(&["foreign"])];
        let prompt = |texts: &[&str]| [entries_by(Role::System, &["Be brief."]), user(texts)].concat();
        assert_eq!(find_run(&prompt(&["same"]), &runs), Some(1));
        assert_eq!(find_run(&prompt(&["same", "other"]), &runs), Some(2));
        // A part that was changed on its way.
        assert_eq!(find_run(&prompt(&["same", "longer", "still", "still longer"]), &runs), Some(0));
        assert_eq!(find_run(&prompt(&["unknown"]), &runs), None);
        assert_eq!(find_run(&prompt(&[]), &runs), None);
    }

    #[test]
    fn of_two_runs_with_the_same_messages_the_first_is_found() {
        let runs = [entries_by(Role::User, &["same"]), entries_by(Role::User, &["same"])];
        assert_eq!(find_run(&entries_by(Role::User, &["same"]), &runs), Some(0));
    }
}
