//! Acts: calls that changed something, each with what it returned, kept for as long as the checkpoint lives. Two equal acts are two acts.
//! Plain data and its bounds; how a checkpoint tells them is in `words::checkpoint::acts`.

use serde::{Deserialize, Serialize};

use crate::text::term::{Kind, each_term};

/// Acts that are kept one by one; older ones are kept by tool, with count and keys.
const MOST_ACTS: usize = 200;
/// Bytes of the keys that are kept of older acts of one tool, and tools of older acts.
const KEYS_BYTES: usize = 2_400;
const TOOLS: usize = 40;

/// How an act ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum End {
    /// It returned without an error.
    #[default]
    Done,
    /// It returned an error, or nothing at all: whether it took effect is not known.
    Unknown,
    /// The same, and a later call of its kind returned without an error in this step.
    Repeated(u32),
}

/// A call that changed something.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Act {
    /// The step.
    pub step: u32,
    /// The tool.
    pub tool: String,
    /// The call with its arguments, in a line.
    pub call: String,
    /// What it returned, in a line.
    pub returned: String,
    /// By what it is known when it is told no more: its surest id, and its amount.
    pub key: String,
    /// How it ended.
    pub end: End,
    /// The next one of its kind undoes it: a click, a key.
    pub is_reversible: bool,
}

/// Older acts of one tool.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OlderActs {
    /// The tool.
    pub tool: String,
    /// How many.
    pub count: u32,
    /// The step of the newest of them.
    pub step: u32,
    /// By what they are known, as far as there is room, newest last.
    pub keys: String,
}

/// All acts of a conversation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Acts {
    /// The newest ones, newest last.
    pub newest: Vec<Act>,
    /// What came before them, one entry a tool.
    pub older: Vec<OlderActs>,
}

impl Acts {
    /// Adds the newest act.
    pub fn push(&mut self, act: Act) {
        if act.end == End::Done {
            let is_same = |known: &&mut Act| known.end == End::Unknown && known.tool == act.tool && repeats(&known.call, &act.call);
            self.newest.iter_mut().filter(is_same).for_each(|known| known.end = End::Repeated(act.step));
        }
        self.newest.push(act);
        while self.newest.len() > MOST_ACTS {
            self.age_oldest();
        }
    }

    /// Keeps of the oldest act no more than its tool and key. What can be undone leaves first, and without a trace. Returns the place that
    /// it had among the newest; nothing where there is none left.
    pub fn age_oldest(&mut self) -> Option<usize> {
        let undone = self.newest.iter().position(|act| act.is_reversible && act.end == End::Done);
        // Among older ones nothing tells that an outcome is unknown: such an act is told whole for as long as anything else can give way.
        let at = undone.or_else(|| self.newest.iter().position(|act| act.end != End::Unknown)).unwrap_or(0);
        if at >= self.newest.len() {
            return None;
        }
        let act = self.newest.remove(at);
        if undone.is_none() {
            self.add_older(&act);
        }
        Some(at)
    }

    fn add_older(&mut self, act: &Act) {
        let known = self.older.iter().position(|older| older.tool == act.tool).map(|at| self.older.remove(at));
        let mut older = known.unwrap_or_else(|| OlderActs { tool: act.tool.clone(), ..OlderActs::default() });
        older.count = older.count.saturating_add(1);
        older.step = act.step;
        if !act.key.is_empty() && older.keys.split(", ").all(|key| key != act.key) {
            older.keys.push_str(if older.keys.is_empty() { "" } else { ", " });
            older.keys.push_str(&act.key);
        }
        while older.keys.len() > KEYS_BYTES
            && let Some((_, rest)) = older.keys.split_once(", ")
        {
            older.keys = rest.to_owned();
        }
        self.older.push(older);
        if self.older.len() > TOOLS {
            self.older.remove(0);
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.newest.is_empty() && self.older.is_empty()
    }

    /// About how many bytes they take.
    pub fn bytes(&self) -> usize {
        let newest: usize = self.newest.iter().map(|act| act.call.len() + act.returned.len() + act.key.len() + act.tool.len() + 12).sum();
        newest + self.older.iter().map(|older| older.tool.len() + older.keys.len() + 12).sum::<usize>()
    }
}

/// Whether a later call of one tool says all that an earlier one said: its ids, dates and other names, or where it has none, its words. Less
/// than that may be another order, seat or room.
fn repeats(call: &str, later: &str) -> bool {
    let terms = |call: &str, wanted: Option<Kind>| {
        let mut terms = Vec::new();
        let arguments = call.split_once('(').map_or(call, |(_, arguments)| arguments);
        // Not the names of arguments, which all calls of a tool share.
        for value in arguments.split(", ").map(|argument| argument.split_once(": ").map_or(argument, |(_, value)| value)) {
            each_term(value, &mut |term, kind| terms.extend(wanted.is_none_or(|wanted| wanted == kind).then_some(term)));
        }
        terms
    };
    let names = terms(call, Some(Kind::Name));
    let wanted = if names.is_empty() { terms(call, None) } else { names };
    let told = terms(later, None);
    !wanted.is_empty() && wanted.iter().all(|term| told.contains(term))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn act(at: u32, is_reversible: bool) -> Act {
        let (tool, key) = if is_reversible { ("click", String::new()) } else { ("refund", format!("re_{at}")) };
        Act { step: at, tool: tool.into(), call: format!("{tool}({at})"), key, is_reversible, ..Act::default() }
    }

    #[test]
    fn what_can_be_undone_leaves_first_and_older_acts_keep_their_keys() {
        let mut acts = Acts::default();
        for at in 0..300 {
            acts.push(act(at, at % 3 == 0));
        }
        assert!(acts.newest.len() == MOST_ACTS && acts.older.is_empty());
        assert!(acts.newest.iter().all(|act| !act.is_reversible));
        for at in 300..310 {
            acts.push(act(at, false));
        }
        assert_eq!(acts.older[0].count, 10);
        assert!(acts.older[0].keys.starts_with("re_1, re_2, re_4"));
    }

    #[test]
    fn an_act_whose_outcome_is_unknown_is_not_told_among_those_that_were_done() {
        let mut acts = Acts::default();
        acts.push(Act { end: End::Unknown, ..act(0, false) });
        (1..300).for_each(|at| acts.push(act(at, false)));
        assert!(acts.newest[0].end == End::Unknown && acts.older[0].count == 100);
    }

    #[test]
    fn an_act_that_was_made_again_with_success_is_not_open_any_more() {
        let upload = |step: u32, file: &str, end: End| Act {
            step,
            tool: "upload".into(),
            call: format!("upload(file: {file}, to: form)"),
            end,
            ..Act::default()
        };
        let mut acts = Acts::default();
        acts.push(upload(1, "permit-7.pdf", End::Unknown));
        acts.push(upload(2, "plan-3.pdf", End::Unknown));
        acts.push(upload(4, "permit-7.pdf", End::Done));
        assert_eq!(acts.newest.iter().map(|act| act.end).collect::<Vec<_>>(), [End::Repeated(4), End::Unknown, End::Done]);
        // Another seat of the same train is another act, whatever its arguments are called.
        for (call, later, is_repeated) in [
            ("changeSeats(trainNo: HD7, seat: E-70442)", "changeSeats(trainNo: HD7, seat: E-70443)", false),
            ("changeSeats(trainNo: HD7, seat: E-70442)", "changeSeats(trainNo: HD7, seat: E-70442, window: true)", true),
            ("ferienhaus_buchen(haus: Seeblick)", "ferienhaus_buchen(haus: Bergblick)", false),
            ("予約(部屋: 和室)", "予約(部屋: 和室)", true),
            ("pay()", "pay()", false),
        ] {
            assert_eq!(repeats(call, later), is_repeated, "{call} {later}");
        }
    }

    #[test]
    fn acts_of_any_number_stay_bounded() {
        let mut acts = Acts::default();
        for at in 0..20_000 {
            acts.push(Act { tool: format!("tool{}", at % 100), ..act(at, false) });
        }
        assert!(acts.older.len() <= TOOLS && acts.bytes() < 200_000);
    }
}
