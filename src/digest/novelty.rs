//! Which messages say something of their own. A standing wish says what no other message says; the fortieth invoice says what
//! the others say, with another name and another number. In any language, by words alone; not what a message means.

use std::collections::BinaryHeap;

use crate::digest::record::UserMessage;
use crate::text::hash::{HashMap, HashSet, mix};
use crate::text::order::sort_by_numbers;
use crate::text::term::{each_term, references};
use crate::text::uses::within;

/// The newest messages go before all others: the work at hand is about them.
const NEWEST: usize = 3;
/// A word of this many messages, and of more than this part of all, is nobody's own.
const COMMON: usize = 3;
const COMMON_PART: usize = 8;
/// What more messages share, and more than the same part of all, is not what they are about.
const MANY: usize = 8;
/// What a message takes beside its text, in bytes.
const BESIDE_BYTES: u64 = 30;
/// An id has letters, or at least so many digits.
const ID_BYTES: usize = 3;

/// The places of messages in the order in which they are kept where there is no room for all.
pub struct Ranked {
    order: Vec<usize>,
    /// For each the later ones about the same: what one of them takes back does not stand without it.
    later: Vec<Vec<usize>>,
}

/// Whose messages they are.
#[derive(Clone, Copy)]
enum Speaker {
    /// Names and numbers do not count: they differ from one order to the next.
    User,
    /// Names and numbers are what the model found out.
    Model,
}

/// The newest ones first, then what `goes_first`, then those that say most for their length that others do not say. Before a message go the later ones about the same: they may take it back.
fn ranked(texts: &[String], speaker: Speaker, goes_first: &dyn Fn(usize) -> bool) -> Ranked {
    let (words, names): (Vec<HashSet<u64>>, Vec<Vec<u64>>) = texts.iter().map(|text| words_and_names_of(text)).unzip();
    let later = later_about_the_same(&words, texts);
    let words = match speaker {
        Speaker::User => words,
        Speaker::Model => words.into_iter().zip(names).map(|(words, names)| words.into_iter().chain(names).collect()).collect(),
    };
    let common = common_in(&words, COMMON.max(texts.len() / COMMON_PART));
    let mut present = common;
    let newest = texts.len().saturating_sub(NEWEST);
    let mut order: Vec<usize> = Vec::with_capacity(texts.len());
    let mut is_placed = vec![false; texts.len()];
    for at in (newest..texts.len()).rev().chain((0..newest).rev().filter(|at| goes_first(*at))) {
        place(at, &later, &mut is_placed, &mut order);
    }
    order.iter().for_each(|at| present.extend(&words[*at]));
    let density = |at: usize, present: &HashSet<u64>| {
        let own = words[at].iter().filter(|word| !present.contains(*word)).count() as u64;
        1_000 * own / (texts[at].len() as u64 + BESIDE_BYTES)
    };
    // What is kept makes others worth less, never more: the best of all stays the best until it is looked at again.
    let mut queue: BinaryHeap<(u64, usize)> = (0..newest).map(|at| (density(at, &present), at)).collect();
    while let Some((before, at)) = queue.pop() {
        if is_placed[at] {
            continue;
        }
        let now = density(at, &present);
        if now < before && queue.peek().is_some_and(|next| (now, at) < *next) {
            queue.push((now, at));
            continue;
        }
        let from = order.len();
        place(at, &later, &mut is_placed, &mut order);
        order[from..].iter().for_each(|at| present.extend(&words[*at]));
    }
    Ranked { order, later }
}

/// Puts a message into the order, behind the later ones about the same, and what is about the same as those: the newest first.
fn place(at: usize, later: &[Vec<usize>], is_placed: &mut [bool], order: &mut Vec<usize>) {
    let mut found = Vec::new();
    let mut open = vec![at];
    while let Some(at) = open.pop() {
        if !std::mem::replace(&mut is_placed[at], true) {
            found.push(at);
            open.extend(&later[at]);
        }
    }
    sort_by_numbers(&mut found, |at| [-(*at as i64), 0, 0]);
    order.append(&mut found);
}

/// For each message the later ones that share an id with it, or half of their own words. What many messages share is not what they are about.
fn later_about_the_same(words: &[HashSet<u64>], texts: &[String]) -> Vec<Vec<usize>> {
    let many = MANY.max(texts.len() / COMMON_PART) + 1;
    let own = |terms: &[HashSet<u64>]| -> Vec<Vec<u64>> {
        let common = common_in(terms, many);
        terms.iter().map(|terms| terms.iter().copied().filter(|term| !common.contains(term)).collect()).collect()
    };
    let ids: Vec<HashSet<u64>> = texts.iter().map(|text| ids_of(text)).collect();
    let (words, ids) = (own(words), own(&ids));
    let mut later = vec![Vec::new(); texts.len()];
    // Where each word and each id stood so far.
    let mut places: HashMap<u64, Vec<usize>> = HashMap::default();
    let mut shared = vec![0; texts.len()];
    for at in 0..texts.len() {
        let least = words[at].len().div_ceil(2).max(1);
        for (term, weight) in words[at].iter().map(|word| (word, 1)).chain(ids[at].iter().map(|id| (id, least))) {
            for earlier in places.get(term).into_iter().flatten() {
                shared[*earlier] += weight;
            }
        }
        for (earlier, count) in shared.iter_mut().enumerate().take(at) {
            later[earlier].extend((std::mem::take(count) >= least).then_some(at));
        }
        words[at].iter().chain(&ids[at]).for_each(|term| places.entry(*term).or_default().push(at));
    }
    later
}

/// The terms of at least so many messages.
fn common_in(terms: &[HashSet<u64>], messages: usize) -> HashSet<u64> {
    let mut counts: HashMap<u64, usize> = HashMap::default();
    terms.iter().flatten().for_each(|term| *counts.entry(*term).or_default() += 1);
    counts.into_iter().filter(|(_, count)| *count >= messages).map(|(term, _)| term).collect()
}

/// The words of a text, each once, and its names and numbers.
fn words_and_names_of(text: &str) -> (HashSet<u64>, Vec<u64>) {
    let (mut words, mut names) = (HashSet::default(), Vec::new());
    each_term(within(text), &mut |term, kind| match kind.is_of_row() {
        true => names.push(term),
        false => {
            words.insert(term);
        }
    });
    (words, names)
}

/// The references in a text: `V-9`, `R4`, `4711`.
fn ids_of(text: &str) -> HashSet<u64> {
    let is_id = |word: &&str| word.len() >= ID_BYTES || word.contains(char::is_alphabetic);
    references(within(text)).filter(is_id).map(|word| mix(1, word.to_lowercase().as_bytes())).collect()
}

impl Ranked {
    /// The user's messages: what was denied must not be asked for again, what the application said holds, and a short answer says what it was
    /// asked.
    pub fn of_users(users: &[UserMessage]) -> Ranked {
        ranked(&texts_of(users), Speaker::User, &|at| !users[at].denies.is_empty() || users[at].by_app)
    }

    /// What the model told the user.
    pub fn of_answers(answers: &[String]) -> Ranked {
        ranked(answers, Speaker::Model, &|_| false)
    }

    /// The places of those that are kept within this many units, at least one, in their order.
    pub fn within(&self, room: usize, cost: &dyn Fn(usize) -> usize) -> Vec<usize> {
        let Ranked { order, later } = self;
        let mut left = room;
        let mut is_kept = vec![false; later.len()];
        for (rank, at) in order.iter().copied().enumerate() {
            if later[at].iter().any(|later| !is_kept[*later]) {
                continue;
            }
            match left.checked_sub(cost(at)) {
                Some(rest) => left = rest,
                None if rank == 0 => left = 0,
                None => continue,
            }
            is_kept[at] = true;
        }
        (0..is_kept.len()).filter(|at| is_kept[*at]).collect()
    }
}

fn texts_of(users: &[UserMessage]) -> Vec<String> {
    users.iter().map(|message| format!("{} {} {}", message.text, message.question, message.denies)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> UserMessage {
        UserMessage { text: text.to_owned(), ..UserMessage::default() }
    }

    fn order_of(users: &[UserMessage]) -> Vec<usize> {
        ranked(&texts_of(users), Speaker::User, &|at| !users[at].denies.is_empty()).order
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
            let order = order_of(&users);
            assert_eq!(order.len(), 41);
            assert_eq!((&order[..3], order[3]), (&[40, 39, 38][..], 2), "{wish}");
            assert_eq!(Ranked::of_users(&users).within(300, &|at| users[at].text.len()).first(), Some(&2), "{wish}");
        }
    }

    #[test]
    fn what_was_denied_and_answers_to_a_question_are_not_dropped_first() {
        let mut users: Vec<UserMessage> = (0..20).map(|n| message(&format!("Please send the invoice KD-{n}"))).collect();
        users[1] = UserMessage { denies: "pay(amount: 20)".into(), ..UserMessage::default() };
        users[3] = UserMessage { question: "Shall I delete the archive of last year?".into(), ..message("no") };
        assert_eq!(&order_of(&users)[..5], &[19, 18, 17, 1, 3]);
    }

    #[test]
    fn of_what_the_model_said_names_and_numbers_go_before_kind_words() {
        let mut answers = vec!["Have a wonderful evening and a pleasant journey home!".to_owned()];
        answers.push("Booked: R-5521 and R-5522, 47.25 EUR each, on invoice I-20418.".to_owned());
        answers.extend((0..6).map(|n| format!("I look at page {n} next.")));
        assert!(Ranked::of_answers(&answers).within(4, &|_| 1).starts_with(&[1]));
    }

    #[test]
    fn of_equal_messages_the_newest_stay_and_one_stays_in_any_case() {
        let users = vec![message("again, please"); 8];
        assert_eq!(order_of(&users), [7, 6, 5, 4, 3, 2, 1, 0]);
        assert_eq!(Ranked::of_users(&users).within(40, &|_| 13), [5, 6, 7]);
        assert_eq!(Ranked::of_users(&users).within(5, &|_| 13), [7]);
        assert!(order_of(&[]).is_empty());
    }

    #[test]
    fn what_takes_back_or_corrects_an_earlier_message_never_leaves_before_it() {
        for (earlier, revoked) in [
            ("Send offer AN-310 with twelve percent discount to the customer Halvorsen.", "No, do not send offer AN-310 to Halvorsen."),
            ("Erstatten Sie bei V-9 bitte 74,50.", "Bei V-9 bitte 47,50."),
            ("Bitte stornieren Sie die Reservierung der Messehalle.", "Nein, die Reservierung der Messehalle bitte doch nicht stornieren."),
            ("発注書N-7をハルボルセン様に送ってください。", "N-7は送らないでください。"),
            ("أرسل العرض AN-310 إلى السيدة هالفورسن", "لا ترسل العرض AN-310"),
        ] {
            let mut users: Vec<UserMessage> =
                (0..40).map(|n| message(&format!("Please look at case {n}{}", ", please".repeat(n % 4)))).collect();
            users.insert(2, message(earlier));
            users.insert(20, message(revoked));
            let ranked = Ranked::of_users(&users);
            for room in (10..3_000).step_by(10) {
                let kept = ranked.within(room, &|at| users[at].text.len());
                assert!(!kept.contains(&2) || kept.contains(&20), "{room}: {revoked}");
            }
            assert!(ranked.within(400, &|at| users[at].text.len()).starts_with(&[2, 20]), "{revoked}");
        }
    }
}
