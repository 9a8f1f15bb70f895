//! Which of the user's messages say something of their own. A standing wish says what no other message says; the fortieth invoice says what
//! the others say, with another name and another number. In any language, by words alone; not what a message means.

use std::collections::BinaryHeap;

use crate::digest::record::UserMessage;
use crate::text::hash::{HashMap, HashSet};
use crate::text::order::sort_by_numbers;
use crate::text::term::{Kind, each_term};
use crate::text::uses::within;

/// The newest messages go before all others: the work at hand is about them.
const NEWEST: usize = 3;
/// A word of this many messages, and of more than this part of all, is nobody's own.
const COMMON: usize = 3;
const COMMON_PART: usize = 8;
/// What a message takes beside its text, in bytes.
const BESIDE_BYTES: u64 = 30;

/// The places of messages in the order in which they are kept where there is no room for all: the newest ones, then what the user denied,
/// which must not be asked for again, then those that say most for their length that others do not say. A short answer says what it was asked.
/// Names and numbers do not count: they differ from one order to the next.
fn by_novelty(users: &[UserMessage]) -> Vec<usize> {
    let texts: Vec<String> = users.iter().map(|message| format!("{} {}", message.text, message.question)).collect();
    let mut words: Vec<HashSet<u64>> = Vec::with_capacity(texts.len());
    let mut messages: HashMap<u64, usize> = HashMap::default();
    for text in &texts {
        let mut own: HashSet<u64> = HashSet::default();
        each_term(within(text), &mut |term, kind| {
            if kind != Kind::Name && own.insert(term) {
                *messages.entry(term).or_default() += 1;
            }
        });
        words.push(own);
    }
    let most = COMMON.max(texts.len() / COMMON_PART);
    let mut present: HashSet<u64> = messages.into_iter().filter(|(_, count)| *count >= most).map(|(term, _)| term).collect();
    let newest = texts.len().saturating_sub(NEWEST);
    let mut order: Vec<usize> = (newest..texts.len()).rev().collect();
    order.extend((0..newest).rev().filter(|at| !users[*at].denies.is_empty()));
    order.iter().for_each(|at| present.extend(&words[*at]));
    let density = |at: usize, present: &HashSet<u64>| {
        let own = words[at].iter().filter(|word| !present.contains(*word)).count() as u64;
        1_000 * own / (texts[at].len() as u64 + BESIDE_BYTES)
    };
    // What is kept makes others worth less, never more: the best of all stays the best until it is looked at again.
    let mut queue: BinaryHeap<(u64, usize)> =
        (0..newest).filter(|at| users[*at].denies.is_empty()).map(|at| (density(at, &present), at)).collect();
    while let Some((before, at)) = queue.pop() {
        let now = density(at, &present);
        if now < before && queue.peek().is_some_and(|next| (now, at) < *next) {
            queue.push((now, at));
            continue;
        }
        present.extend(&words[at]);
        order.push(at);
    }
    order
}

/// The places of the messages that are kept within this many units, at least one, in their order.
pub fn kept_within(users: &[UserMessage], room: usize, cost: impl Fn(usize) -> usize) -> Vec<usize> {
    let mut left = room;
    let mut kept: Vec<usize> = Vec::new();
    for at in by_novelty(users) {
        match left.checked_sub(cost(at)) {
            Some(rest) => left = rest,
            None if kept.is_empty() => left = 0,
            None => continue,
        }
        kept.push(at);
    }
    sort_by_numbers(&mut kept, |at| [*at as i64, 0, 0]);
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> UserMessage {
        UserMessage { text: text.to_owned(), ..UserMessage::default() }
    }

    #[test]
    fn a_standing_wish_outlives_forty_orders_in_any_language() {
        for (wish, order) in [
            ("Invoices go to the partnership from now on, never by post.", "Please send the invoice to customer"),
            ("Ab jetzt gehen Rechnungen immer an die GbR, nie per Post.", "Bitte die nächste Rechnung senden an Kunde"),
            ("これからの請求書は必ず組合宛てに、郵送はしないでください。", "次のお客様に請求書を送ってください"),
        ] {
            let mut users: Vec<UserMessage> = (0..40).map(|n| message(&format!("{order} KD-{}, {},50 EUR", 7_000 + n, 10 + n))).collect();
            users.insert(2, message(wish));
            let order = by_novelty(&users);
            assert_eq!(order.len(), 41);
            assert_eq!((&order[..3], order[3]), (&[40, 39, 38][..], 2), "{wish}");
            assert_eq!(kept_within(&users, 300, |at| users[at].text.len()).first(), Some(&2), "{wish}");
        }
    }

    #[test]
    fn what_was_denied_and_answers_to_a_question_are_not_dropped_first() {
        let mut users: Vec<UserMessage> = (0..20).map(|n| message(&format!("Please send the invoice KD-{n}"))).collect();
        users[1] = UserMessage { denies: "pay(amount: 20)".into(), ..UserMessage::default() };
        users[3] = UserMessage { question: "Shall I delete the archive of last year?".into(), ..message("no") };
        assert_eq!(&by_novelty(&users)[..5], &[19, 18, 17, 1, 3]);
    }

    #[test]
    fn of_equal_messages_the_newest_stay_and_one_stays_in_any_case() {
        let users = vec![message("again, please"); 8];
        assert_eq!(by_novelty(&users), [7, 6, 5, 4, 3, 2, 1, 0]);
        assert_eq!(kept_within(&users, 40, |_| 13), [5, 6, 7]);
        assert_eq!(kept_within(&users, 5, |_| 13), [7]);
        assert!(by_novelty(&[]).is_empty());
    }
}
