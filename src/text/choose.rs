//! Chooses among chunks what is kept within a number of tokens: the highest chance of being needed for its tokens first, and what is written
//! already is worth little more. Not what a chunk is worth by itself (`worth`).

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::text::hash::{HashMap, HashSet};
use crate::text::item::Item;
use crate::text::uses::Term;

/// What takes tokens beside the chunk itself.
const BESIDE_TOKENS: u64 = 6;
/// Chances below this, of 65,536, are not worth any tokens: the least that a score says.
const LEAST_CHANCE: u64 = 80;
/// So many rows that differ by names and numbers alone make the next one worth half.
const ALIKE: u64 = 8;
/// What is new of a chunk that says anything new, of 256, is at least so much: the same words may stand in another connection.
const LEAST_NEW: u64 = 24;

/// Whether a chunk can be chosen at all: of most it is known before they are written.
pub fn may_be_chosen(score: i32, terms: &[Term], present: &HashSet<u64>) -> bool {
    chance(score) >= LEAST_CHANCE && terms.iter().any(|term| !present.contains(&term.hash))
}

/// What an item takes once it is written.
pub struct Takes {
    /// Tokens of its own.
    pub tokens: u32,
    /// Tokens of the second of its heads.
    pub under: u32,
}

/// The places of the chosen items, in the order in which they were chosen. `heads` are the tokens of what they stand under; the first is none.
/// `present` are terms that the text holds already. A row does not stand without the newest one of its key: that says what holds now.
pub fn choose(items: &[Item], heads: &[u32], present: &mut HashSet<u64>, room: u32) -> Vec<usize> {
    choose_among(items, heads, vec![true; items.len()], &mut |_| None, present, room)
}

/// The same among items of which it is only known what they take at least: of hundreds of candidates for each that is chosen, only those that
/// come to the top are written. `write` says what an item takes, if anything of it can be written.
pub fn choose_unwritten(
    items: &[Item],
    heads: &[u32],
    write: &mut dyn FnMut(usize) -> Option<Takes>,
    present: &mut HashSet<u64>,
    room: u32,
) -> Vec<usize> {
    choose_among(items, heads, vec![false; items.len()], write, present, room)
}

fn choose_among(
    items: &[Item],
    heads: &[u32],
    is_written: Vec<bool>,
    write: &mut dyn FnMut(usize) -> Option<Takes>,
    present: &mut HashSet<u64>,
    mut room: u32,
) -> Vec<usize> {
    let mut takes = Takings { tokens: items.iter().map(|item| item.tokens).collect(), heads: heads.to_vec(), is_written };
    let newest = newest_of(items);
    let mut unpaid = vec![false; heads.len()];
    unpaid.iter_mut().take(1).for_each(|none| *none = true);
    let densities = items.iter().enumerate().map(|(at, item)| density(item, takes.cost(at, item, &unpaid), present, 0));
    let mut queue: BinaryHeap<(u64, Reverse<usize>)> = densities.zip((0..).map(Reverse)).filter(|(density, _)| *density > 0).collect();
    let mut paid = unpaid.clone();
    let mut is_chosen = vec![false; items.len()];
    let mut chosen = Vec::new();
    let mut alike: HashMap<u64, u64> = HashMap::default();
    while let Some((before, Reverse(at))) = queue.pop() {
        let item = &items[at];
        let rows = if item.form == 0 { 0 } else { alike.get(&item.form).copied().unwrap_or(0) };
        // What it takes at least brought it to the top; only there it is written.
        let is_next = loop {
            let tokens = takes.cost(at, item, &paid);
            if is_chosen[at] || tokens > room {
                break false;
            }
            let now = density(item, tokens, present, rows);
            if now < before && queue.peek().is_some_and(|(next, _)| now < *next) {
                if now > 0 {
                    queue.push((now, Reverse(at)));
                }
                break false;
            }
            if !takes.write(at, item, write) {
                break true;
            }
            // As if it had been written from the beginning: heads that others have paid by now are no gain over what was.
            let anew = density(item, takes.cost(at, item, &unpaid), present, rows);
            if queue.peek().is_some_and(|(next, _)| anew < *next) {
                if anew > 0 {
                    queue.push((anew, Reverse(at)));
                }
                break false;
            }
        };
        if !is_next {
            continue;
        }
        let newer = newest.get(&item.key).copied().filter(|newest| items[*newest].step > item.step && !is_chosen[*newest]);
        for at in newer.into_iter().chain([at]) {
            let item = &items[at];
            takes.write(at, item, write);
            // What cannot be written says nothing else.
            if takes.tokens[at] == u32::MAX {
                continue;
            }
            let tokens = takes.cost(at, item, &paid);
            if tokens > room {
                break;
            }
            room -= tokens;
            item.heads.iter().for_each(|head| {
                if let Some(paid) = paid.get_mut(*head) {
                    *paid = true;
                }
            });
            present.extend(item.terms.iter().map(|term| term.hash));
            *alike.entry(item.form).or_default() += 1;
            is_chosen[at] = true;
            chosen.push(at);
        }
    }
    chosen
}

/// The newest row of each key.
fn newest_of(items: &[Item]) -> HashMap<u64, usize> {
    let mut newest: HashMap<u64, usize> = HashMap::default();
    for (at, item) in items.iter().enumerate().filter(|(_, item)| item.key != 0) {
        let newest = newest.entry(item.key).or_insert(at);
        if items[*newest].step < item.step {
            *newest = at;
        }
    }
    newest
}

/// What items and heads take: at least, or once it is known.
struct Takings {
    tokens: Vec<u32>,
    heads: Vec<u32>,
    is_written: Vec<bool>,
}

impl Takings {
    /// Has an item written. False where it was before.
    fn write(&mut self, at: usize, item: &Item, write: &mut dyn FnMut(usize) -> Option<Takes>) -> bool {
        if std::mem::replace(&mut self.is_written[at], true) {
            return false;
        }
        match write(at) {
            Some(Takes { tokens, under }) => {
                self.tokens[at] = tokens;
                self.heads[item.heads[1]] = under;
            }
            None => self.tokens[at] = u32::MAX,
        }
        true
    }

    /// The tokens of an item and of its heads that are not paid yet.
    fn cost(&self, at: usize, item: &Item, paid: &[bool]) -> u32 {
        let unpaid = item.heads.iter().filter(|head| !paid.get(**head).copied().unwrap_or(true));
        unpaid.fold(self.tokens[at], |tokens, head| tokens.saturating_add(self.heads[*head]))
    }
}

/// What an item is worth for its tokens, behind so many rows that are like it; 0 where it says nothing new.
fn density(item: &Item, tokens: u32, present: &HashSet<u64>, rows: u64) -> u64 {
    let chance = chance(item.score);
    if chance < LEAST_CHANCE {
        return 0;
    }
    let (mut all, mut new) = (0, 0);
    for term in &item.terms {
        all += u64::from(term.rarity);
        new += if present.contains(&term.hash) { 0 } else { u64::from(term.rarity) };
    }
    // The same again, as menus of pages are.
    if new == 0 {
        return 0;
    }
    let new = (256 * new).checked_div(all).unwrap_or(0).max(LEAST_NEW);
    chance * new * ALIKE / (ALIKE + rows) / (u64::from(tokens) + BESIDE_TOKENS)
}

/// The chance behind a score, of 65,536.
pub fn chance(score: i32) -> u64 {
    /// Sixteenth powers of two, of 1,024.
    const POWERS: [u64; 16] = [1024, 1069, 1117, 1166, 1218, 1272, 1328, 1387, 1448, 1512, 1579, 1649, 1722, 1798, 1878, 1961];
    let score = score.clamp(-160, 160) + 160;
    let odds = POWERS[(score % 16) as usize] << (score / 16);
    // 1,024 << 10 are even odds.
    odds * 65_536 / (odds + (1_024 << 10))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::term::Kind;

    fn item(score: i32, tokens: u32, terms: &[u64], head: usize) -> Item {
        let terms = terms.iter().map(|hash| Term { hash: *hash, rarity: 4, kind: Kind::Name }).collect();
        Item { score, tokens, terms, form: 0, heads: [head, 0], key: 0, step: 0 }
    }

    #[test]
    fn the_likeliest_for_its_tokens_goes_first_and_what_is_present_is_left_out() {
        let items = [item(0, 20, &[1, 2], 0), item(-4, 20, &[1, 2], 0), item(-20, 20, &[3], 0), item(0, 100, &[4], 0)];
        let of = |room| choose(&items, &[0], &mut HashSet::default(), room);
        assert_eq!(of(1_000), [0, 2, 3]);
        assert_eq!(of(45), [0, 2]);
        assert!(of(10).is_empty());
    }

    #[test]
    fn only_what_comes_to_the_top_is_written_and_what_cannot_be_is_left_out() {
        let takes = |at: usize| if [0, 7, 14, 21].contains(&at) { None } else { Some(10 + at as u32 % 13) };
        let known = |at: usize, tokens: u32| Item { heads: [1, 0], ..item(40 - 3 * at as i32, tokens, &[at as u64], 1) };
        let least: Vec<Item> = (0..60).map(|at| known(at, 8)).collect();
        let heads = [0, 5];
        let mut written = Vec::new();
        let mut write = |at: usize| {
            written.push(at);
            takes(at).map(|tokens| Takes { tokens, under: 0 })
        };
        let chosen = choose_unwritten(&least, &heads, &mut write, &mut HashSet::default(), 150);
        let whole: Vec<Item> = (0..60).map(|at| known(at, takes(at).unwrap_or(u32::MAX / 2))).collect();
        assert_eq!(chosen, choose(&whole, &heads, &mut HashSet::default(), 150));
        assert!(chosen.len() > 5 && written.len() < 30, "{chosen:?} {written:?}");
        written.sort_unstable();
        assert!(written.windows(2).all(|pair| pair[0] < pair[1]), "none is written twice");
    }

    #[test]
    fn rows_that_differ_by_names_alone_leave_room_for_what_is_of_its_own() {
        let mut items: Vec<Item> = (0..30).map(|at| Item { form: 7, ..item(0, 20, &[at], 0) }).collect();
        items.push(Item { form: 8, ..item(-6, 20, &[99], 0) });
        let chosen = choose(&items, &[0], &mut HashSet::default(), 400);
        assert!(chosen.len() == 20 && chosen.contains(&30), "{chosen:?}");
    }

    #[test]
    fn a_head_is_paid_once_and_what_is_surely_not_needed_is_left_out() {
        let items = [item(0, 20, &[1], 1), item(-1, 20, &[2], 1), item(-160, 1, &[9], 0)];
        let heads = [0, 30];
        assert_eq!(choose(&items, &heads, &mut HashSet::default(), 70), [0, 1]);
        assert_eq!(choose(&items, &heads, &mut HashSet::default(), 49), [0usize; 0]);
    }

    #[test]
    fn a_chance_doubles_with_sixteen_points_where_it_is_small() {
        assert_eq!(chance(0), 32_768);
        assert!(chance(-96) > 900 && chance(-80).abs_diff(2 * chance(-96)) < 60 && chance(2_000) < 65_536);
    }
}
