//! Which later item says something else about the same: a row of a query that was asked again, a sentence that an erratum corrects, the new
//! price of what a page showed before. By terms alone, in any language; not which of the two is true.

use std::cmp::Reverse;

use crate::hash::{HashMap, HashSet};
use crate::item::{Head, Item};
use crate::term::Kind;
use crate::uses::Term;

/// What more items than these say, or more than this part of all, is not what one of them is about.
const MANY: usize = 8;
const MANY_PART: usize = 3;

/// Two that share so many words of their own are about the same, whatever they stand under.
const ALIKE_WORDS: usize = 6;

/// What one of the chosen items is known by: its terms that few items have.
#[derive(Default)]
struct Own {
    words: Vec<u64>,
    names: Vec<u64>,
    figures: Vec<u64>,
    /// What stands before it: the tool and what it was called with.
    place: Vec<u64>,
}

/// For each chosen item about which a later one says something else: the closest such item, if it is not chosen.
pub fn missing(items: &[Item], heads: &[Head], chosen: &[usize]) -> Vec<(usize, usize)> {
    let few = few_of(items, heads, chosen);
    let mut owners: HashMap<u64, Vec<usize>> = HashMap::default();
    let owns: Vec<Own> = chosen.iter().map(|at| own(&items[*at], heads, &few)).collect();
    for (of, own) in owns.iter().enumerate() {
        for term in own.words.iter().chain(&own.names).chain(&own.figures).chain(&own.place) {
            let owners = owners.entry(*term).or_default();
            if owners.last() != Some(&of) {
                owners.push(of);
            }
        }
    }
    let owned = |terms: &[Term]| -> Vec<(usize, u64)> {
        let with_owners = terms.iter().filter_map(|term| Some((term.hash, owners.get(&term.hash)?)));
        with_owners.flat_map(|(term, owners)| owners.iter().map(move |of| (*of, term))).collect()
    };
    let of_heads: Vec<Vec<(usize, u64)>> = heads.iter().map(|head| owned(&head.terms)).collect();
    // The closest one; of equals the newest.
    let mut closest: HashMap<usize, (usize, u32, Reverse<usize>)> = HashMap::default();
    // What an item shares with each of the chosen ones, each term once.
    let mut shared: Vec<Vec<u64>> = vec![Vec::new(); chosen.len()];
    let mut sharing: Vec<usize> = Vec::new();
    for (at, item) in items.iter().enumerate() {
        let own = owned(&item.terms);
        let of_heads = item.heads.iter().filter_map(|head| of_heads.get(*head)).flatten();
        for (of, term) in own.iter().chain(of_heads).filter(|(of, _)| item.step > items[chosen[*of]].step) {
            if shared[*of].is_empty() {
                sharing.push(*of);
            }
            if !shared[*of].contains(term) {
                shared[*of].push(*term);
            }
        }
        for of in sharing.drain(..) {
            if corrects(item, &items[chosen[of]], heads, &owns[of], &shared[of]) {
                let rank = (shared[of].len(), item.step, Reverse(at));
                let closest = closest.entry(chosen[of]).or_insert(rank);
                *closest = rank.max(*closest);
            }
            shared[of].clear();
        }
    }
    let is_chosen: HashSet<usize> = chosen.iter().copied().collect();
    closest.into_iter().map(|(at, (.., later))| (at, later.0)).filter(|(_, later)| !is_chosen.contains(later)).collect()
}

/// Whether a later item, which shares these terms, is about what an earlier one is about, and says something else.
fn corrects(item: &Item, earlier: &Item, heads: &[Head], own: &Own, shared: &[u64]) -> bool {
    let count = |terms: &[u64]| terms.iter().filter(|term| shared.contains(term)).count();
    let has_most = |terms: &[u64]| terms.is_empty() || 2 * count(terms) > terms.len();
    let (words, names, figures) = (count(&own.words), count(&own.names), count(&own.figures));
    let is_alike = words >= ALIKE_WORDS;
    let is_at_same = || words > 0 && has_most(&own.place);
    if !has_most(&own.words) || !(is_alike || names + figures > 0 || is_at_same()) {
        return false;
    }
    // What has other names is about something else, also where many have the same ones.
    let terms: HashSet<u64> = terms_of(item, heads).map(|term| term.hash).collect();
    let has_names = |of: &[Term]| {
        let names: HashSet<u64> = of.iter().filter(|term| term.kind == Kind::Name).map(|term| term.hash).collect();
        2 * names.intersection(&terms).count() >= names.len()
    };
    let [place, under] = earlier.heads.map(|head| heads.get(head).map_or(&[][..], |head| &head.terms));
    let has = |terms: &[Term], term: &Term| terms.iter().any(|other| other.hash == term.hash);
    let says_else = || item.terms.iter().any(|term| (is_alike || names > 0 || term.kind.is_of_row()) && !has(&earlier.terms, term));
    (is_alike || names + figures > 0 || has_names(place)) && has_names(&earlier.terms) && (is_alike || has_names(under)) && says_else()
}

/// The terms of chosen items that few items have.
fn few_of(items: &[Item], heads: &[Head], chosen: &[usize]) -> HashSet<u64> {
    let mut counts: HashMap<u64, usize> = HashMap::default();
    chosen.iter().flat_map(|at| terms_of(&items[*at], heads)).for_each(|term| {
        counts.entry(term.hash).or_default();
    });
    let mut count = |terms: &[Term], by: usize| {
        for term in terms {
            if let Some(count) = counts.get_mut(&term.hash) {
                *count += by;
            }
        }
    };
    let mut with_head = vec![0; heads.len()];
    for item in items {
        count(&item.terms, 1);
        item.heads.iter().for_each(|head| with_head[*head] += 1);
    }
    heads.iter().zip(with_head).skip(1).for_each(|(head, with_head)| count(&head.terms, with_head));
    let many = MANY.min(items.len() / MANY_PART).max(2);
    counts.into_iter().filter(|(_, count)| *count <= many).map(|(term, _)| term).collect()
}

fn own(item: &Item, heads: &[Head], few: &HashSet<u64>) -> Own {
    let mut own = Own::default();
    let [place, under] = item.heads.map(|head| heads.get(head).map_or(&[][..], |head| &head.terms));
    for term in item.terms.iter().chain(under).filter(|term| few.contains(&term.hash)) {
        let list = match term.kind {
            Kind::Name => &mut own.names,
            Kind::Figure | Kind::Digits => &mut own.figures,
            Kind::Word | Kind::Pair | Kind::Code => &mut own.words,
        };
        if !list.contains(&term.hash) {
            list.push(term.hash);
        }
    }
    for term in place.iter().filter(|term| few.contains(&term.hash)) {
        if !own.place.contains(&term.hash) {
            own.place.push(term.hash);
        }
    }
    own
}

/// The terms of an item and of its heads.
fn terms_of<'i>(item: &'i Item, heads: &'i [Head]) -> impl Iterator<Item = &'i Term> + 'i {
    item.terms.iter().chain(item.heads.iter().filter_map(|head| heads.get(*head)).flat_map(|head| &head.terms))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::uses::Uses;

    /// Which of two chunks, each with its place and head, is missing where the first is chosen, among others of the same kind.
    fn is_missing(earlier: [&str; 3], later: [&str; 3]) -> bool {
        let mut uses = Uses::default();
        let others = (0..30).map(|at| [format!("read(page {at})"), String::new(), format!("other words number {at}")]);
        let all: Vec<[String; 3]> = [earlier, later].map(|texts| texts.map(str::to_owned)).into_iter().chain(others).collect();
        all.iter().for_each(|[.., text]| {
            uses.show(text);
        });
        let heads: Vec<Head> = std::iter::once(Head::default())
            .chain(all.iter().flat_map(|[place, under, _]| [place, under].map(|text| Head { tokens: 1, terms: Term::of_head(text) })))
            .collect();
        let items: Vec<Item> = (all.iter().enumerate())
            .map(|(at, [.., text])| {
                let terms = Term::of_head(text);
                Item { terms, heads: [2 * at + 1, 2 * at + 2], step: at as u32, ..Item::default() }
            })
            .collect();
        missing(&items, &heads, &[0]) == [(0, 1)]
    }

    #[test]
    fn what_says_something_else_about_the_same_is_missing() {
        for (earlier, later) in [
            (
                ["query(select month, revenue from sales)", "month;revenue", "2025-08;15120442.10"],
                ["query(select month, revenue from sales where not cancelled)", "month;revenue", "2025-08;14870001.70"],
            ),
            (
                ["open(https://air.example/report)", "# Results", "At the 18 sites nitrogen dioxide fell by 23 per cent."],
                ["open(https://council.example/erratum)", "", "Erratum: at these sites nitrogen dioxide fell by 18 per cent, not by 23."],
            ),
            (
                ["getReport(RP-441)", "", "id: RP-441, next: Monday at seven, state: active"],
                ["editReport(RP-441)", "", "id: RP-441, next: Tuesday at eight, state: active"],
            ),
            (
                ["readMail(M1)", "林经理", "两天场租86,000元，搭建另计38,500元，报价有效期至5月25日"],
                ["readMail(M2)", "林经理", "搭建费调整为44,200元，场租不变，新报价有效期至5月29日"],
            ),
            (["price(sku: KX-12)", "", "price 214"], ["stock(sku: KX-12)", "", "price 187"]),
        ] {
            assert!(is_missing(earlier, later), "{later:?}");
        }
    }

    #[test]
    fn what_is_about_something_else_or_says_the_same_is_not_missing() {
        for (earlier, later) in [
            (["price(sku: KX-12)", "", "price 214"], ["price(sku: KX-13)", "", "price 187"]),
            (
                ["customer(KD-1)", "id: KD-1", "topic: delivery, date: 2025-12-16"],
                ["customer(KD-2)", "id: KD-2", "topic: delivery, date: 2025-12-17"],
            ),
            (
                ["query(select month, revenue from sales)", "month;revenue", "2025-08;15120442.10"],
                ["query(select month, staff from shops)", "month;staff", "2025-08;412"],
            ),
            (["read(a)", "", "The plant in Lyon employs 350 people."], ["read(b)", "", "The plant in Lyon employs 350 people."]),
        ] {
            assert!(!is_missing(earlier, later), "{later:?}");
        }
    }
}
