//! What rungs changed, as events report it: results with their tokens before and after, in the provider's units. Changes nothing.

use crate::model::history::Place;
use crate::plan::budget::Budget;
use crate::plan::clear::stale_results;
use crate::plan::draft::{Draft, Saving};
use crate::plan::outcome::ResultChange;
use crate::text::hash::{HashMap, HashSet};
use crate::tokens::saturate;

/// What was saved on each part: some are cut more than once.
fn merged(savings: Vec<Saving>) -> Vec<Saving> {
    let mut merged: Vec<Saving> = Vec::new();
    let mut index_of: HashMap<Place, usize> = HashMap::default();
    for (place, saved) in savings {
        match index_of.get(&place) {
            Some(at) => merged[*at].1 += saved,
            None => {
                index_of.insert(place, merged.len());
                merged.push((place, saved));
            }
        }
    }
    merged
}

/// How a rung changed parts.
pub fn changes_of(draft: &Draft<'_>, budget: &Budget, savings: Vec<Saving>) -> Vec<ResultChange> {
    let history = draft.history;
    let savings = merged(savings);
    let stale = if savings.is_empty() { HashSet::default() } else { stale_results(draft) };
    let changed =
        savings.into_iter().filter(|(place, _)| place.message >= draft.start() || draft.is_kept(place.message)).map(|(place, saved)| {
            let part = history.part(place);
            let after = draft.part_tokens(place);
            ResultChange {
                tool: part.name.clone(),
                call_id: part.id.clone(),
                message_index: place.message,
                tokens_before: provider_tokens(budget, after + saved),
                tokens_after: provider_tokens(budget, after),
                stale: stale.contains(&place),
            }
        });
    changed.collect()
}

pub fn provider_tokens(budget: &Budget, estimated: u32) -> u32 {
    saturate((f64::from(estimated) * budget.ratio).round() as u64)
}
