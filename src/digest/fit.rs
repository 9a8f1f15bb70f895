//! What of a record leaves when there is no room for all of it. Not what of it a checkpoint shows: that is decided where the text is written.

use crate::digest::findings::Finding;
use crate::digest::novelty::Ranked;
use crate::digest::record::{Conclusion, Record, UserMessage};
use crate::text::clip::within;

/// What the lists may take of the bytes of a record.
const LOG_SHARE: f64 = 0.26;
const CONCLUSIONS_SHARE: f64 = 0.16;
const USERS_SHARE: f64 = 0.12;
const ACTS_SHARE: f64 = 0.4;
const FINDINGS_SHARE: f64 = 0.46;
/// A message of the user is cut to no less before any is forgotten.
const LEAST_USER_BYTES: usize = 240;
/// About what the words take that say so.
const LEFT_OUT_BYTES: usize = 48;
impl Record {
    /// Forgets until all takes at most `bytes`. A list has a share, and what others leave: the oldest are dropped first, of findings the least worth,
    /// of the log calls before notes, of the words of user and model those that say least of their own. The request, the plan and what still fails stay, and of what was done at least count and ids.
    pub fn fit(&mut self, bytes: usize) {
        let share = |share: f64| (bytes as f64 * share) as usize;
        // What a list must lose: what it is over its share, and no more than all are over.
        let excess = |record: &Record, used: usize, most: f64| used.saturating_sub(share(most)).min(record.bytes().saturating_sub(bytes));
        let mut over = excess(self, self.findings.iter().map(finding_bytes).sum(), FINDINGS_SHARE);
        while over > 0
            && let Some(worst) = self.findings.pop()
        {
            over = over.saturating_sub(finding_bytes(&worst));
        }
        let used = self.log_bytes();
        let most = used - excess(self, used, LOG_SHARE);
        while self.log_bytes() > most {
            self.forget_log();
        }
        let used = self.conclusions.iter().map(conclusion_bytes).sum();
        let over = excess(self, used, CONCLUSIONS_SHARE);
        if over > 0 {
            let texts: Vec<String> = self.conclusions.iter().map(|conclusion| conclusion.text.clone()).collect();
            keep(&mut self.conclusions, &Ranked::of_answers(&texts).within(used - over, &|at| texts[at].len()));
        }
        let used = self.acts.bytes();
        let most = used - excess(self, used, ACTS_SHARE);
        while self.acts.bytes() > most && !self.acts.newest.is_empty() {
            self.acts.age_oldest();
        }
        let users = self.users.len();
        let used = self.users.iter().map(user_bytes).sum::<usize>();
        let over = excess(self, used, USERS_SHARE);
        if over > 0 {
            self.users.iter_mut().for_each(|message| message.question = message.needed_question().to_owned());
        }
        cut_longest(&mut self.users, used - over);
        let used = self.users.iter().map(user_bytes).sum::<usize>();
        let over = excess(self, used, USERS_SHARE);
        if over > 0 {
            let kept = Ranked::of_users(&self.users).within(used - over, &|at| user_bytes(&self.users[at]));
            keep(&mut self.users, &kept);
        }
        self.omitted_users = self.omitted_users.saturating_add((users - self.users.len()) as u32);
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
        self.log.iter().map(|line| line.text.len() + line.outcome.len() + 8).sum()
    }
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

/// Cuts the longest messages of the user until all are within `bytes` together, or as short as one is cut.
fn cut_longest(users: &mut [UserMessage], bytes: usize) {
    let total = |users: &[UserMessage], most: usize| {
        users.iter().map(|message| message.text.len().min(most) + message.question.len() + message.denies.len()).sum::<usize>()
    };
    if total(users, usize::MAX) <= bytes {
        return;
    }
    let (mut most, mut over) = (LEAST_USER_BYTES, bytes.max(LEAST_USER_BYTES) + 1);
    while over - most > 1 {
        let middle = most + (over - most) / 2;
        if total(users, middle) <= bytes { most = middle } else { over = middle }
    }
    for message in users.iter_mut().filter(|message| message.text.len() > most) {
        // What says that something is left out has its place within the bound.
        message.text = within(&message.text, most.saturating_sub(LEFT_OUT_BYTES)).into_owned();
    }
}

/// Keeps the entries at these places, which are in order.
fn keep<T>(list: &mut Vec<T>, places: &[usize]) {
    let mut at = 0;
    list.retain(|_| {
        at += 1;
        places.binary_search(&(at - 1)).is_ok()
    });
}
