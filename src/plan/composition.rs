//! Rung 3, checkpoint: how much of its ingredients a checkpoint has room for. Knows no messages: what is recorded is decided in `checkpoint`.

use std::collections::HashSet;

use crate::plan::budget::Budget;
use crate::plan::draft::Draft;
use crate::policy::checkpoint::{
    DIGEST_SHARE, FACTS_SHARE, FRAME_TOKENS, INTENT_SHARE, LEAST_CUT_TOKENS, MENTIONED_SHARE, SAID_SHARE, SECTIONS_SHARE, SMALL_TOKENS,
    SMALL_USER_SHARE, USER_SHARE,
};
use crate::record::heard::Heard;
use crate::record::mentioned::mentioned;
use crate::state::Checkpoint;
use crate::texts::checkpoint::{checkpoint_text, facts_text, newest_within};
use crate::texts::cut::head_and_tail_kept;
use crate::tokens::estimate::estimate_tokens;

/// What a line of the digest begins with that quotes the model and has an identifier which the calls beside it do not have.
pub const SAID: &str = "said: ";
/// What other quotes of the model begin with: most announce the calls beside them.
pub const INTENT: &str = "intent: ";

/// Gives what was recorded its room: the newest messages of the user, facts, what was done, and what was spoken of in the messages from
/// `start` on.
pub fn compose(checkpoint: &mut Checkpoint, draft: &Draft<'_>, start: usize, heard: &mut Heard, budget: &Budget) {
    let share = |share: f64| (f64::from(budget.max_checkpoint) * share) as u32;
    keep_newest_of_equals(&mut checkpoint.digest);
    let users = std::mem::take(&mut checkpoint.user_messages);
    let user_share = if budget.max_checkpoint <= SMALL_TOKENS { SMALL_USER_SHARE } else { USER_SHARE };
    let (omitted, newest_tokens, user_tokens) = (checkpoint.omitted_user_messages, share(USER_SHARE), share(user_share));
    let keep_users = |checkpoint: &mut Checkpoint, more_tokens: u32| {
        checkpoint.user_messages.clone_from(&users);
        let dropped = keep_newest(&mut checkpoint.user_messages, newest_tokens + more_tokens, user_tokens + more_tokens);
        checkpoint.omitted_user_messages = omitted.saturating_add(dropped);
    };
    keep_users(checkpoint, 0);
    // Facts, what was done and what was spoken of share what the rest leaves. What was done has its share, and what the others leave
    // unused. Nothing that stands elsewhere is spoken of.
    let mut digest = Digest::new(std::mem::take(&mut checkpoint.digest));
    let before = std::mem::take(&mut checkpoint.mentioned);
    checkpoint.facts_tokens = 0;
    let text = checkpoint_text(checkpoint);
    let least_facts = estimate_tokens(&facts_text(&checkpoint.facts, 0));
    let left = (share(SECTIONS_SHARE) + FRAME_TOKENS).saturating_sub(estimate_tokens(&text));
    let reserved = share(DIGEST_SHARE).min(left);
    checkpoint.facts_tokens = share(FACTS_SHARE).min(left - reserved);
    let facts = facts_text(&checkpoint.facts, checkpoint.facts_tokens);
    let done = digest.within(reserved).join("\n");
    let left = left.saturating_sub(estimate_tokens(&facts).saturating_sub(least_facts) + digest.used);
    let room = share(MENTIONED_SHARE).min(left);
    let (told, used) = mentioned(draft, start, heard, &before, &[&text, &facts, &done], room, budget.gist);
    checkpoint.mentioned = told;
    let left = (left + digest.used).saturating_sub(used);
    checkpoint.digest = digest.within(left);
    checkpoint.omitted_digest_lines = checkpoint.omitted_digest_lines.saturating_add((digest.lines.len() - checkpoint.digest.len()) as u32);
    if checkpoint.user_messages != users {
        keep_users(checkpoint, left.saturating_sub(digest.used));
    }
}

/// Keeps the newest text, cut to `newest_tokens` tokens, and those before it while all are within `tokens`, the oldest of them cut to what
/// is left; says how many it dropped.
fn keep_newest(list: &mut Vec<String>, newest_tokens: u32, tokens: u32) -> u32 {
    let Some(newest) = list.last_mut() else { return 0 };
    *newest = head_and_tail_kept(newest, newest_tokens);
    let mut drop = list.len() - newest_within(list, tokens).len().max(1);
    if drop > 0 {
        let used: u32 = list[drop..].iter().map(|text| estimate_tokens(text) + 2).fold(0, u32::saturating_add);
        let left = tokens.saturating_sub(used);
        if left >= LEAST_CUT_TOKENS {
            drop -= 1;
            list[drop] = head_and_tail_kept(&list[drop], left);
        }
    }
    list.drain(..drop);
    drop as u32
}

/// The lines of a digest, and what they cost.
struct Digest {
    lines: Vec<String>,
    marks: Vec<&'static str>,
    /// In tokens; zero where that was not asked.
    costs: Vec<u32>,
    /// What those kept last cost together.
    used: u32,
}

impl Digest {
    fn new(lines: Vec<String>) -> Digest {
        Digest { marks: lines.iter().map(|line| mark_of(line)).collect(), costs: vec![0; lines.len()], lines, used: 0 }
    }

    /// The newest lines within `tokens` tokens. Where there is no room for all, `SAID` has its share, then calls go first.
    fn within(&mut self, tokens: u32) -> Vec<String> {
        let mut kept = vec![false; self.lines.len()];
        self.used = 0;
        let share = |share: f64| (f64::from(tokens) * share) as u32;
        for (wanted, room) in [(SAID, share(SAID_SHARE)), (INTENT, share(INTENT_SHARE)), ("", tokens), (SAID, tokens), (INTENT, tokens)] {
            for (((line, mark), cost), keep) in self.lines.iter().zip(&self.marks).zip(&mut self.costs).zip(&mut kept).rev() {
                if *keep || *mark != wanted {
                    continue;
                }
                // The cheapest takes one token, and two for its beginning and end.
                if self.used + 3 > room {
                    break;
                }
                if *cost == 0 {
                    *cost = estimate_tokens(line).saturating_add(2);
                }
                if self.used.saturating_add(*cost) > room {
                    break;
                }
                self.used += *cost;
                *keep = true;
            }
        }
        self.lines.iter().zip(kept).filter(|(_, keep)| *keep).map(|(line, _)| line.clone()).collect()
    }
}

fn mark_of(line: &str) -> &'static str {
    match () {
        () if line.starts_with(SAID) => SAID,
        () if line.starts_with(INTENT) => INTENT,
        () => "",
    }
}

/// A line that was said again stands only where it was said last.
fn keep_newest_of_equals(lines: &mut Vec<String>) {
    let mut said = HashSet::new();
    let is_newest: Vec<bool> = lines.iter().rev().map(|line| said.insert(line.as_str())).collect();
    let mut is_newest = is_newest.into_iter().rev();
    lines.retain(|_| is_newest.next().unwrap_or(true));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_message_of_the_user_is_cut_when_it_is_long_and_older_ones_are_left_out() {
        // A follow-up of 500 tokens was dropped whole from a small checkpoint, and with it the agent's task.
        let long = "find the default of an option and write it down\n".repeat(80);
        let mut list = vec!["first".to_owned(), "second".to_owned(), long.clone()];
        assert_eq!(keep_newest(&mut list, 200, 100), 2);
        let [cut] = &list[..] else { panic!("{list:?}") };
        assert!(cut.starts_with("find the default") && estimate_tokens(cut) <= 200 && estimate_tokens(cut) > 150, "{cut}");
        let mut list = vec!["first".to_owned(), "second".to_owned(), long.clone()];
        assert_eq!(keep_newest(&mut list, 2_000, 2_000), 0);
        assert_eq!(list, ["first", "second", &long]);
        // The task was said before "Yes, go on.", and left out whole, with room for most of it.
        let mut list = vec!["first".to_owned(), long.clone(), "Yes, go on.".to_owned()];
        assert_eq!(keep_newest(&mut list, 300, 300), 1);
        assert!(list[0].starts_with("find the default") && list[1] == "Yes, go on.", "{list:?}");
        assert!(list.iter().map(|text| estimate_tokens(text)).sum::<u32>() <= 300);
    }

    #[test]
    fn what_only_the_words_of_the_model_tell_has_its_share_then_calls_go_first() {
        let lines = ["said: b_0 is 7", "intent: I read b_1", "read: b_1", "said: b_1 is 9", "intent: I read b_2", "read: b_2"];
        let mut digest = Digest::new(lines.map(str::to_owned).to_vec());
        let each = lines.map(|line| estimate_tokens(line) + 2);
        let [said, intent, call] = [each[0].max(each[3]), each[1].max(each[4]), each[2].max(each[5])];
        for (tokens, kept) in [
            (said + call, vec!["said: b_1 is 9", "read: b_2"]),
            (2 * said + 2 * call, vec!["said: b_0 is 7", "read: b_1", "said: b_1 is 9", "read: b_2"]),
            (2 * said + 2 * call + intent, vec!["said: b_0 is 7", "read: b_1", "said: b_1 is 9", "intent: I read b_2", "read: b_2"]),
        ] {
            assert_eq!(digest.within(tokens), kept, "{tokens}");
        }
    }
}
