//! What of a record leaves when there is no room for all of it. Not what of it a checkpoint shows: that is decided where the text is written.

use crate::digest::findings::Finding;
use crate::digest::novelty::{Ranked, keep};
use crate::digest::record::{Conclusion, LogLine, Record, UserMessage};
use crate::digest::said::Said;

/// What the lists may take of the bytes of a record.
const LOG_SHARE: f64 = 0.26;
const CONCLUSIONS_SHARE: f64 = 0.16;
const USERS_SHARE: f64 = 0.12;
const ACTS_SHARE: f64 = 0.4;
const FINDINGS_SHARE: f64 = 0.46;
/// A message of the user is cut to no less before any is forgotten.
const LEAST_USER_BYTES: usize = 240;
/// Messages of the user that are kept whatever they take; twice as many are there at most.
const MOST_USERS: usize = 400;
/// About what the words take that say so.
const LEFT_OUT_BYTES: usize = 48;

impl Record {
    /// Forgets until all takes at most `bytes`. A list has a share, and what others leave: the oldest are dropped first, of findings the least worth,
    /// of the log calls before notes, of the words of user and model those that say least of their own. The request, the plan and what still fails stay, and of what was done at least count and ids.
    pub fn fit(&mut self, bytes: usize) {
        self.fit_open(bytes, &|_| {});
    }

    /// The same of a record whose log has lines that still have something to say, as `write` does.
    pub fn fit_open(&mut self, bytes: usize, write: &dyn Fn(&mut LogLine)) {
        let share = |share: f64| (bytes as f64 * share) as usize;
        // What a list must lose: what it is over its share, and no more than all are over.
        let excess = |record: &Record, used: usize, most: f64| used.saturating_sub(share(most)).min(record.bytes().saturating_sub(bytes));
        // The log first, as if findings had no more than their share: what it takes is known once it is written.
        let found: usize = self.findings.iter().map(finding_bytes).sum();
        let others = self.bytes() - self.log_bytes() - found.saturating_sub(share(FINDINGS_SHARE));
        self.fit_log(share(LOG_SHARE).max(bytes.saturating_sub(others)), write);
        let mut over = excess(self, found, FINDINGS_SHARE);
        while over > 0
            && let Some(worst) = self.findings.pop()
        {
            over = over.saturating_sub(finding_bytes(&worst));
        }
        let used = self.conclusions.iter().map(conclusion_bytes).sum();
        let over = excess(self, used, CONCLUSIONS_SHARE);
        if over > 0 {
            let texts: Vec<String> = self.conclusions.iter().map(|conclusion| conclusion.text.clone()).collect();
            let costs: Vec<usize> = texts.iter().map(String::len).collect();
            keep(&mut self.conclusions, &Ranked::of_answers(&texts).within(used - over, &costs));
        }
        let used = self.acts.bytes();
        let most = used - excess(self, used, ACTS_SHARE);
        while self.acts.bytes() > most && !self.acts.newest.is_empty() {
            self.acts.age_oldest();
        }
        let used = self.users.iter().map(user_bytes).sum::<usize>();
        let over = excess(self, used, USERS_SHARE);
        if over > 0 {
            self.users.iter_mut().for_each(|message| message.question = message.needed_question().to_owned());
        }
        let bytes: Vec<usize> = self.users.iter().map(user_bytes).collect();
        if over > 0 && bytes.iter().sum::<usize>() > used - over {
            let said = self.said();
            let ranked = Ranked::of_users(&self.users);
            let shares = ranked.shares(&bytes, LEAST_USER_BYTES, used - over);
            for ((message, bytes), share) in self.users.iter_mut().zip(bytes).zip(&shares).filter(|(_, share)| **share > 0) {
                let most = (share + message.text.len()).saturating_sub(bytes);
                // What says that something is left out has its place within the bound.
                if most < message.text.len() {
                    message.text = said.within(&message.text, most.saturating_sub(LEFT_OUT_BYTES));
                }
            }
            self.omitted_users = self.omitted_users.saturating_add(ranked.keep(&mut self.users, &shares));
        }
    }

    /// Forgets about a quarter. False of one that is small, or has nothing left to lose.
    pub fn forget_some(&mut self, least_bytes: usize) -> bool {
        let before = self.bytes();
        if before > least_bytes {
            self.fit(before / 4 * 3);
        }
        self.bytes() < before
    }

    /// Takes in what the user or the app said last. Of very many messages those are forgotten that say least of their own.
    pub fn say(&mut self, message: UserMessage) {
        self.users.push(message);
        if self.users.len() >= 2 * MOST_USERS {
            let ranked = Ranked::of_users(&self.users);
            let shares = ranked.shares(&vec![1; self.users.len()], 1, MOST_USERS);
            self.omitted_users = self.omitted_users.saturating_add(ranked.keep(&mut self.users, &shares));
        }
    }

    /// What the user said: the request and later messages.
    pub fn said(&self) -> Said {
        Said::by_user(self.users.iter().map(|message| message.text.as_str()).chain([self.request.as_str()]))
    }

    /// Forgets lines of the log until it takes at most `bytes`. Begins with those that would go last, so that only what stays is written.
    fn fit_log(&mut self, bytes: usize, write: &dyn Fn(&mut LogLine)) {
        let mut places: Vec<usize> = (0..self.log.len()).collect();
        let mut order = Vec::with_capacity(places.len());
        while !places.is_empty() {
            order.push(places.remove(self.goes_first(&places)));
        }
        let (mut used, mut goes) = (0, vec![true; order.len()]);
        for at in order.into_iter().rev() {
            write(&mut self.log[at]);
            used += line_bytes(&self.log[at]);
            if used > bytes {
                break;
            }
            goes[at] = false;
        }
        let mut goes = goes.into_iter();
        let before = self.log.len();
        self.log.retain(|_| goes.next() == Some(false));
        self.omitted_log = self.omitted_log.saturating_add((before - self.log.len()) as u32);
    }

    /// About how many bytes the lists take.
    pub fn bytes(&self) -> usize {
        let sum = |sizes: &mut dyn Iterator<Item = usize>| -> usize { sizes.sum() };
        self.log_bytes()
            + self.acts.bytes()
            + sum(&mut self.users.iter().map(user_bytes))
            + sum(&mut self.conclusions.iter().map(conclusion_bytes))
            + sum(&mut self.findings.iter().map(finding_bytes))
    }

    fn log_bytes(&self) -> usize {
        self.log.iter().map(line_bytes).sum()
    }
}

fn line_bytes(line: &LogLine) -> usize {
    line.text.len() + line.outcome.len() + 8
}

fn conclusion_bytes(conclusion: &Conclusion) -> usize {
    conclusion.text.len()
}

fn user_bytes(message: &UserMessage) -> usize {
    message.text.len() + message.question.len() + message.denies.len() + message.attached.len()
}

fn finding_bytes(finding: &Finding) -> usize {
    finding.place.len() + finding.under.len() + finding.text.len() + 24
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn only_lines_of_the_log_that_stay_are_written_and_the_same_ones_as_if_all_were() {
        let line = |at: u32| LogLine { text: format!("call {at}"), is_note: at % 5 == 1, open: at % 3, ..LogLine::default() };
        let open = || Record { log: (0..300).map(line).collect(), ..Record::default() };
        let written = Cell::new(0);
        let write = |line: &mut LogLine| {
            written.set(written.get() + 1);
            line.outcome = "brought ".repeat(std::mem::take(&mut line.open) as usize);
        };
        let mut record = open();
        record.fit_open(2_000, &write);
        assert_eq!(written.replace(0), record.log.len() + 1);
        let mut whole = open();
        whole.log.iter_mut().for_each(write);
        whole.fit(2_000);
        assert_eq!(record, whole);
        assert!(record.bytes() <= 2_000 && record.omitted_log as usize + record.log.len() == 300);
    }
}
