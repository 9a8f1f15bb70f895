//! Which later item says something else about the same: a row of a query that was asked again, a sentence that an erratum corrects, the new
//! price of what a page showed before. By terms alone, in any language; not which of the two is true.

use std::cmp::Reverse;

use crate::text::hash::{HashMap, HashSet};
use crate::text::item::{Head, Item};
use crate::text::term::Kind;
use crate::text::uses::Term;

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
    let of_chosen = ChosenTerms::of(items, heads, chosen);
    let owns: Vec<Own> = chosen.iter().map(|at| own(&items[*at], heads, &of_chosen)).collect();
    // By the number of each term.
    let mut owners: Vec<Vec<usize>> = vec![Vec::new(); of_chosen.terms.len()];
    for (of, own) in owns.iter().enumerate() {
        for term in own.words.iter().chain(&own.names).chain(&own.figures).chain(&own.place) {
            let Some(number) = of_chosen.numbers.get(term) else { continue };
            let owners = &mut owners[*number];
            if owners.last() != Some(&of) {
                owners.push(of);
            }
        }
    }
    // The closest one; of equals the newest.
    let mut closest: HashMap<usize, (usize, u32, Reverse<usize>)> = HashMap::default();
    // What an item shares with each of the chosen ones, each term once.
    let mut shared: Vec<Vec<u64>> = vec![Vec::new(); chosen.len()];
    let mut sharing: Vec<usize> = Vec::new();
    let mut of_items = of_chosen.of_items.iter().peekable();
    for (at, item) in items.iter().enumerate() {
        let own = std::iter::from_fn(|| of_items.next_if(|(of, _)| *of == at)).map(|(_, number)| number);
        let of_heads = item.heads.iter().filter_map(|head| of_chosen.of_heads.get(*head)).flatten();
        for number in own.chain(of_heads) {
            for of in owners[*number].iter().filter(|of| item.step > items[chosen[**of]].step) {
                if shared[*of].is_empty() {
                    sharing.push(*of);
                }
                if !shared[*of].contains(&of_chosen.terms[*number]) {
                    shared[*of].push(of_chosen.terms[*number]);
                }
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

/// The terms of chosen items, and which of them few items have.
struct ChosenTerms {
    terms: Vec<u64>,
    /// The place of each in `terms`.
    numbers: HashMap<u64, usize>,
    is_few: Vec<bool>,
    /// Which of them items have, in the order of the items, and each head.
    of_items: Vec<(usize, usize)>,
    of_heads: Vec<Vec<usize>>,
}

impl ChosenTerms {
    /// Looks each term up once, however many items there are.
    fn of(items: &[Item], heads: &[Head], chosen: &[usize]) -> ChosenTerms {
        let mut of_chosen =
            ChosenTerms { terms: Vec::new(), numbers: HashMap::default(), is_few: Vec::new(), of_items: Vec::new(), of_heads: Vec::new() };
        for term in chosen.iter().flat_map(|at| terms_of(&items[*at], heads)) {
            of_chosen.numbers.entry(term.hash).or_insert_with(|| {
                of_chosen.terms.push(term.hash);
                of_chosen.terms.len() - 1
            });
        }
        let mut counts = vec![0; of_chosen.terms.len()];
        let mut with_head = vec![0; heads.len()];
        for (at, item) in items.iter().enumerate() {
            for number in item.terms.iter().filter_map(|term| of_chosen.numbers.get(&term.hash)) {
                counts[*number] += 1;
                of_chosen.of_items.push((at, *number));
            }
            item.heads.iter().for_each(|head| with_head[*head] += 1);
        }
        for (at, head) in heads.iter().enumerate() {
            let numbers: Vec<usize> = head.terms.iter().filter_map(|term| of_chosen.numbers.get(&term.hash)).copied().collect();
            numbers.iter().filter(|_| at > 0).for_each(|number| counts[*number] += with_head[at]);
            of_chosen.of_heads.push(numbers);
        }
        let many = MANY.min(items.len() / MANY_PART).max(2);
        of_chosen.is_few = counts.into_iter().map(|count| count <= many).collect();
        of_chosen
    }

    fn is_few(&self, term: u64) -> bool {
        self.numbers.get(&term).is_some_and(|number| self.is_few[*number])
    }
}

fn own(item: &Item, heads: &[Head], of_chosen: &ChosenTerms) -> Own {
    let mut own = Own::default();
    let [place, under] = item.heads.map(|head| heads.get(head).map_or(&[][..], |head| &head.terms));
    for term in item.terms.iter().chain(under).filter(|term| of_chosen.is_few(term.hash)) {
        let list = match term.kind {
            Kind::Name => &mut own.names,
            Kind::Figure | Kind::Digits => &mut own.figures,
            Kind::Word | Kind::Pair | Kind::Code => &mut own.words,
        };
        if !list.contains(&term.hash) {
            list.push(term.hash);
        }
    }
    for term in place.iter().filter(|term| of_chosen.is_few(term.hash)) {
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
    use crate::text::uses::Uses;

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
