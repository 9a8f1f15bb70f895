//! Which messages say something of their own, and how much each may take. A standing wish says what no other message says; the fortieth
//! invoice says what the others say, with another name and another number. One measure for all that is bounded, in any language, by words alone; not what a message means.

use std::collections::BinaryHeap;

use crate::digest::record::UserMessage;
use crate::digest::said::{Said, Speaker, Term, ids_of};
use crate::text::hash::{HashMap, HashSet};
use crate::text::level::level_that_fits;
use crate::text::order::sort_by_numbers;
use crate::text::term::each_term;
use crate::text::uses::within;

/// The newest messages go before others that say as rare a thing, the newest one before all: the work at hand is about them.
const NEWEST: usize = 3;
/// A word of so many answers of the model is nobody's own.
const COMMON: usize = 3;
/// What more messages share, and of ids more than this part of all, is not what they are about.
const MANY: usize = 8;
const MANY_PART: usize = 8;
/// What a message takes beside its text, in bytes.
const BESIDE_BYTES: u64 = 30;

/// What was said, as it is ranked.
struct Spoken {
    /// The terms of the speaker's own words, with how rare each is.
    own: HashMap<u64, u32>,
    /// Those of what stands with them: an answer says what it was asked.
    beside: HashMap<u64, u32>,
    bytes: u64,
}

/// How much a message says that others do not: how rare its rarest term is; whether it is one of the newest; and how much it says for its length.
type Worth = (u32, bool, u64);

impl Spoken {
    fn worth(&self, is_new: bool, present: &HashSet<u64>) -> Worth {
        let of = |terms: &HashMap<u64, u32>| {
            let new = terms.iter().filter(|(term, _)| !present.contains(term)).map(|(_, rarity)| *rarity);
            new.fold((0, 0), |(rarest, sum), rarity| (rarity.max(rarest), sum + u64::from(rarity)))
        };
        let ((rarest, own), (_, beside)) = (of(&self.own), of(&self.beside));
        (rarest, is_new, 1_000 * (own + beside) / (self.bytes + BESIDE_BYTES))
    }
}

/// The places of messages in the order in which they are kept where there is no room for all.
pub struct Ranked {
    order: Vec<usize>,
    /// For each the later ones about the same: what one of them takes back does not stand without it.
    later: Vec<Vec<usize>>,
    /// Those that say what nobody else says, and with each the later ones about the same.
    is_own: Vec<bool>,
    /// Those that say nothing beside what goes before them.
    is_said: Vec<bool>,
    /// For each of the user's messages the next one that is equal to it.
    equal: Vec<Option<usize>>,
}

/// The newest one first, then those that say what is rarest and was not said yet; what `binds` comes right behind what nobody else says. Before a message go the later ones about the same: they may take it back.
fn ranked(texts: &[String], questions: &[&str], speaker: Speaker, binds: &dyn Fn(usize) -> bool) -> Ranked {
    let (mut said, mut asked) = (Said::default(), Said::default());
    let own: Vec<Vec<Term>> = texts.iter().map(|text| said.add(text, speaker)).collect();
    let beside: Vec<Vec<Term>> = questions.iter().map(|text| asked.add(text, speaker)).collect();
    // A question is rare among all that was said.
    asked.sentences.extend(&said.sentences);
    let common = COMMON.max(texts.len() / MANY_PART) as u32;
    let rated = |said: &Said, terms: Vec<Term>| -> HashMap<u64, u32> {
        let rarity = |term: &Term| match speaker {
            Speaker::User => said.rarity(*term),
            // What many answers of the model say is nobody's own; else each of its words counts alike.
            Speaker::Model => u32::from(said.times(*term) < common),
        };
        terms.iter().map(|term| (term.hash, rarity(term))).collect()
    };
    let mut spoken = Vec::with_capacity(texts.len());
    for (at, (own, beside)) in own.into_iter().zip(beside).enumerate() {
        let bytes = (texts[at].len() + questions[at].len()) as u64;
        spoken.push(Spoken { own: rated(&said, own), beside: rated(&asked, beside), bytes });
    }
    let later = later_about_the_same(texts, questions);
    let none = vec![false; texts.len()];
    let mut ranked = Ranked { order: Vec::new(), later, is_own: none.clone(), is_said: none.clone(), equal: vec![None; texts.len()] };
    let mut present: HashSet<u64> = HashSet::default();
    let mut is_placed = none;
    let newest = texts.len().saturating_sub(NEWEST);
    let first = if let Speaker::User = speaker { texts.len().saturating_sub(1) } else { newest };
    let worth = |at: usize, present: &HashSet<u64>| match at >= first {
        true => (u32::MAX, true, 0),
        false => {
            let (rarest, is_new, density) = spoken[at].worth(at >= newest, present);
            (rarest.max(if binds(at) { said.top().saturating_sub(1) } else { 0 }), is_new, density)
        }
    };
    // What is kept makes others worth less, never more: the best of all stays the best until it is looked at again.
    let mut queue: BinaryHeap<(Worth, usize)> = (0..texts.len()).map(|at| (worth(at, &present), at)).collect();
    while let Some((before, at)) = queue.pop() {
        if is_placed[at] {
            continue;
        }
        let now = worth(at, &present);
        if now < before && queue.peek().is_some_and(|next| (now, at) < *next) {
            queue.push((now, at));
            continue;
        }
        let is_own = now.0 >= said.top();
        for at in group(at, &ranked.later, &mut is_placed) {
            ranked.is_own[at] = is_own;
            ranked.is_said[at] = matches!(worth(at, &present), (0, _, 0));
            present.extend(spoken[at].own.keys().chain(spoken[at].beside.keys()));
            ranked.order.push(at);
        }
    }
    ranked
}

/// A message behind the later ones about the same, and what is about the same as those: the newest first.
fn group(at: usize, later: &[Vec<usize>], is_placed: &mut [bool]) -> Vec<usize> {
    let mut found = Vec::new();
    let mut open = vec![at];
    while let Some(at) = open.pop() {
        if !std::mem::replace(&mut is_placed[at], true) {
            found.push(at);
            open.extend(&later[at]);
        }
    }
    sort_by_numbers(&mut found, |at| [-(*at as i64), 0, 0]);
    found
}

/// For each message the later ones that share an id with it, or half of their own words. What many messages share is not what they are about.
fn later_about_the_same(texts: &[String], questions: &[&str]) -> Vec<Vec<usize>> {
    let own = |terms: Vec<HashSet<u64>>, many: usize| -> Vec<Vec<u64>> {
        let common = common_in(&terms, many + 1);
        terms.into_iter().map(|terms| terms.into_iter().filter(|term| !common.contains(term)).collect()).collect()
    };
    let all = || texts.iter().zip(questions).map(|(text, question)| format!("{text} {question}"));
    let words = own(all().map(|text| words_of(&text)).collect(), MANY);
    let ids = own(all().map(|text| ids_of(&text)).collect(), MANY.max(texts.len() / MANY_PART));
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

/// The words of a text, without names and numbers.
fn words_of(text: &str) -> HashSet<u64> {
    let mut words = HashSet::default();
    each_term(within(text), &mut |term, kind| {
        if !kind.is_of_row() {
            words.insert(term);
        }
    });
    words
}

impl Ranked {
    /// What the user said. What was denied must not be asked for again, what the application said holds, and a short answer says what it was asked.
    pub fn of_users(users: &[UserMessage]) -> Ranked {
        let texts: Vec<String> = users.iter().map(|message| format!("{}\n{}", message.text, message.denies)).collect();
        let questions: Vec<&str> = users.iter().map(|message| message.question.as_str()).collect();
        let mut ranked = ranked(&texts, &questions, Speaker::User, &|at| !users[at].denies.is_empty() || users[at].by_app);
        let mut places: HashMap<String, usize> = HashMap::default();
        for (at, UserMessage { text, denies, by_app, .. }) in users.iter().enumerate().rev() {
            let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
            ranked.equal[at] = places.insert(format!("{by_app} {denies} {words}"), at);
        }
        ranked
    }

    /// What the model told the user.
    pub fn of_answers(answers: &[String]) -> Ranked {
        ranked(answers, &vec![""; answers.len()], Speaker::Model, &|_| false)
    }

    /// What each may take of its cost, all of it or nothing, within this many units, at least one.
    pub fn within(&self, room: usize, costs: &[usize]) -> Vec<usize> {
        let mut shares = vec![0; costs.len()];
        self.add_within(room, costs, &mut shares);
        shares
    }

    /// Those that cost nothing are not looked for.
    fn add_within(&self, room: usize, costs: &[usize], shares: &mut [usize]) {
        let mut left = room;
        for (rank, at) in self.order.iter().copied().enumerate() {
            if costs[at] == 0 || self.later[at].iter().any(|later| shares[*later] == 0 && !self.is_stood_for(*later)) {
                continue;
            }
            match left.checked_sub(costs[at]) {
                Some(rest) => left = rest,
                None if rank == 0 => left = 0,
                None => continue,
            }
            shares[at] = costs[at];
        }
    }

    /// Whether an equal message stands for this one, which says nothing beside the others.
    fn is_stood_for(&self, at: usize) -> bool {
        self.is_said[at] && self.equal[at].is_some()
    }

    /// What each of the user's messages may take of its cost, so that all are within `room`; nothing where it leaves. Those give way first that say
    /// nothing of their own, from half of the room on; of equal ones that say nothing beside the others the newest stands for all. Then the longest are cut, to no less than `least`; and then those leave that say least.
    pub fn shares(&self, costs: &[usize], least: usize, room: usize) -> Vec<usize> {
        if costs.iter().sum::<usize>() <= room {
            return costs.to_vec();
        }
        let wanted = |own: bool| -> Vec<usize> {
            let is_wanted = |at: usize| self.is_own[at] == own && !self.is_stood_for(at);
            costs.iter().enumerate().map(|(at, cost)| if is_wanted(at) { *cost } else { 0 }).collect()
        };
        let mut shares = vec![0; costs.len()];
        // Long messages that say something of their own leave half of the room to short ones that say something, too, if not of their own.
        let others = wanted(false).iter().map(|cost| (*cost).min(least)).sum::<usize>().min(room / 2);
        for own in [true, false] {
            let left = room.saturating_sub(shares.iter().sum());
            let mut costs = wanted(own);
            let beside = if own { longest_within(&costs, least, left - others) } else { None };
            let most = beside.or_else(|| longest_within(&costs, least, left));
            costs.iter_mut().for_each(|cost| *cost = most.unwrap_or(least).min(*cost));
            if most.is_none() {
                self.add_within(left, &costs, &mut shares);
                break;
            }
            shares.iter_mut().zip(costs).for_each(|(share, cost)| *share += cost);
        }
        shares
    }

    /// Keeps those of the user's messages that have a share, with the count of those for which they stand. Returns how many left.
    pub fn keep(&self, users: &mut Vec<UserMessage>, shares: &[usize]) -> u32 {
        let mut left = 0u32;
        for at in (0..users.len()).filter(|at| shares[*at] == 0) {
            let count = users[at].count.max(1);
            match self.equal[at] {
                Some(equal) => users[equal].count = users[equal].count.max(1).saturating_add(count),
                None => left = left.saturating_add(count),
            }
        }
        keep(users, shares);
        left
    }
}

/// What one message may take, so that all, which take `costs`, are within `room` together; nothing when that is less than `least`.
fn longest_within(costs: &[usize], least: usize, room: usize) -> Option<usize> {
    let costs: Vec<u32> = costs.iter().map(|cost| *cost as u32).collect();
    Some(level_that_fits(&costs, room as u64) as usize).filter(|most| *most >= least)
}

/// Keeps the entries that have a share.
pub fn keep<T>(list: &mut Vec<T>, shares: &[usize]) {
    let mut shares = shares.iter();
    list.retain(|_| shares.next().is_some_and(|share| *share > 0));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> UserMessage {
        UserMessage { text: text.to_owned(), ..UserMessage::default() }
    }

    fn order_of(users: &[UserMessage]) -> Vec<usize> {
        Ranked::of_users(users).order
    }

    /// The places of those that are kept.
    fn kept(ranked: &Ranked, room: usize, cost: impl Fn(usize) -> usize) -> Vec<usize> {
        let shares = ranked.within(room, &(0..ranked.order.len()).map(cost).collect::<Vec<_>>());
        (0..shares.len()).filter(|at| shares[*at] > 0).collect()
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
            assert_eq!(order[..2], [40, 2], "{wish}");
            assert_eq!(kept(&Ranked::of_users(&users), 300, |at| users[at].text.len()).first(), Some(&2), "{wish}");
        }
    }

    #[test]
    fn of_many_denials_of_a_kind_each_stays_before_what_others_say_too_and_behind_what_nobody_else_says() {
        let mut users: Vec<UserMessage> = (0..60).map(|n| message(&format!("Please send the invoice KD-{n}"))).collect();
        for n in 0..20 {
            users[2 * n] = UserMessage { denies: format!("pay(amount: 20, to: KD-{n})"), ..UserMessage::default() };
        }
        users[41] = message("I am allergic to walnuts");
        let order = order_of(&users);
        assert_eq!(order[..2], [59, 41]);
        assert!(order[2..23].iter().filter(|at| !users[**at].denies.is_empty()).count() >= 19, "{order:?}");
    }

    #[test]
    fn what_was_denied_and_answers_to_a_question_are_not_dropped_first() {
        let mut users: Vec<UserMessage> = (0..20).map(|n| message(&format!("Please send the invoice KD-{n}"))).collect();
        users[1] = UserMessage { denies: "pay(amount: 20)".into(), ..UserMessage::default() };
        users[3] = UserMessage { question: "Shall I delete the archive of last year?".into(), ..message("no") };
        assert_eq!(&order_of(&users)[..5], &[19, 1, 18, 17, 3]);
    }

    #[test]
    fn of_what_the_model_said_names_and_numbers_go_before_kind_words() {
        let mut answers = vec!["Have a wonderful evening and a pleasant journey home!".to_owned()];
        answers.push("Booked: R-5521 and R-5522, 47.25 EUR each, on invoice I-20418.".to_owned());
        answers.extend((0..6).map(|n| format!("I look at page {n} next.")));
        assert!(kept(&Ranked::of_answers(&answers), 4, |_| 1).starts_with(&[1]));
    }

    #[test]
    fn of_equal_messages_the_newest_stay_and_one_stays_in_any_case() {
        let users = vec![message("again, please"); 8];
        assert_eq!(order_of(&users), [7, 6, 5, 4, 3, 2, 1, 0]);
        assert_eq!(kept(&Ranked::of_users(&users), 40, |_| 13), [5, 6, 7]);
        assert_eq!(kept(&Ranked::of_users(&users), 5, |_| 13), [7]);
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
                let kept = kept(&ranked, room, |at| users[at].text.len());
                assert!(!kept.contains(&2) || kept.contains(&20), "{room}: {revoked}");
            }
            assert!(kept(&ranked, 400, |at| users[at].text.len()).starts_with(&[2, 20]), "{revoked}");
        }
    }
}
