//! Acts: calls that changed something, each with what it returned, kept for as long as the checkpoint lives. Two equal acts are two acts.
//! Plain data and its bounds; how a checkpoint writes them is in `words::checkpoint::acts`.

use serde::{Deserialize, Serialize};

mod end;
pub use end::End;

use crate::digest::former::Former;
use crate::digest::repeat::repeats;
use crate::digest::subject::hash_of;
use crate::results::returned::{Member, line_of};
use crate::text::hash::HashMap;
use crate::text::order::sort_by_numbers;

/// Acts that are kept one by one; older ones are kept by tool, with count and keys.
const MOST_ACTS: usize = 200;
/// So many acts of one tool are listed with little loss: they differ in what they were about.
const MANY: u32 = 4;
/// Bytes of the keys that are kept of older acts of one tool, and tools of older acts.
const KEYS_BYTES: usize = 2_400;
const TOOLS: usize = 40;

/// A call that changed something, or may have.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Act {
    /// The step.
    pub step: u32,
    /// The tool.
    pub tool: String,
    /// The call with its arguments, in a line.
    pub call: String,
    /// The same with more of its arguments, for where there is room; empty where there is no more.
    pub whole: String,
    /// What it returned.
    pub returned: Vec<Member>,
    /// The reference that it returned, by which later calls may name what it made.
    pub id: String,
    /// What it wrote to somebody.
    pub wrote: Former<String>,
    /// Its id, else what it was about, by which it is listed once it has no line of its own.
    pub key: String,
    /// How it ended.
    pub end: End,
    /// It was done to a page, and left no receipt.
    pub is_gesture: bool,
    /// Nobody has said whether its tool acts; its answer looks like it.
    pub is_likely: bool,
    /// Hash of what it is about, by which a reading may show how it ended; 0 where it names nothing.
    pub about: u64,
    /// The reading that did, what it showed, and in which step.
    pub before: Former<(String, Vec<Member>, u32)>,
    /// The step of the latest call that names what this one returned, and came back; 0 where none does.
    pub later: u32,
}

impl Act {
    /// What it returned, in a line.
    pub fn answer(&self) -> String {
        line_of(&self.returned)
    }

    /// Whether nothing has shown how it ended.
    fn is_open(&self) -> bool {
        matches!(self.end, End::Unknown | End::Aborted | End::TimedOut)
    }

    /// Which leave first: what was done to a page, then what is one of many of its tool, and last of all what may have taken effect unseen.
    /// What may have been a reading leaves before what was none.
    fn rank(&self, is_one_of_many: bool) -> u8 {
        match self.end {
            End::Unknown | End::Aborted | End::TimedOut => 4,
            _ if self.is_gesture => 0,
            _ => 1 + u8::from(!self.is_likely) + u8::from(!is_one_of_many),
        }
    }
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
    pub keys: Vec<String>,
}

impl OlderActs {
    fn keys_bytes(&self) -> usize {
        self.keys.iter().map(|key| key.len() + 2).sum()
    }
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
            for earlier in self.newest.iter_mut().filter(|earlier| earlier.is_open() && earlier.tool == act.tool) {
                // A page that goes on shows what came of a click that failed.
                if earlier.is_gesture {
                    earlier.end = End::Seen(act.step);
                } else if repeats(&earlier.call, &act.call) {
                    earlier.end = End::Repeated(act.step);
                }
            }
        }
        if act.is_likely {
            // Asked again and answered the same, it looks something up.
            self.newest.retain(|earlier| !earlier.is_likely || (&earlier.call, &earlier.returned) != (&act.call, &act.returned));
        }
        self.newest.push(act);
        while self.newest.len() > MOST_ACTS {
            self.age_oldest();
        }
    }

    /// Takes in that a later call came back: of what it says an act is about, or returned, more is shown in its step.
    pub fn point(&mut self, is_about: &dyn Fn(u64) -> bool, names: &dyn Fn(&str) -> bool, step: u32) {
        for act in self.newest.iter_mut().filter(|act| act.step < step) {
            if (act.is_open() || matches!(act.end, End::Seen(_))) && act.about != 0 && is_about(act.about) {
                act.end = End::Seen(step);
            } else if act.end.has_returned() && !act.id.is_empty() && names(&act.id) {
                act.later = step;
            }
        }
    }

    /// Takes that back of acts that are about what everything is about, or returned it.
    pub fn forget_seen(&mut self, is_matter: &dyn Fn(u64) -> bool) {
        for act in &mut self.newest {
            act.later = if act.later > 0 && is_matter(hash_of(&act.id)) { 0 } else { act.later };
            act.end = if matches!(act.end, End::Seen(_)) && !act.is_gesture && is_matter(act.about) { End::Unknown } else { act.end };
        }
    }

    /// The places of the newest in the order in which they leave: those that are least missed, of these the oldest.
    pub fn leaving(&self) -> Vec<usize> {
        let ranks = self.ranks();
        let mut places: Vec<usize> = (0..ranks.len()).collect();
        sort_by_numbers(&mut places, |at| [i64::from(ranks[*at]), *at as i64, 0]);
        places
    }

    fn ranks(&self) -> Vec<u8> {
        let mut counts: HashMap<&str, u32> = self.older.iter().map(|older| (older.tool.as_str(), older.count)).collect();
        for act in &self.newest {
            let count = counts.entry(&act.tool).or_default();
            *count = count.saturating_add(1);
        }
        self.newest.iter().map(|act| act.rank(counts.get(act.tool.as_str()).is_some_and(|count| *count >= MANY))).collect()
    }

    /// Keeps of one act no more than its tool and key: of the one that leaves first.
    pub fn age_oldest(&mut self) {
        let ranks = self.ranks();
        if let Some(at) = (0..ranks.len()).min_by_key(|at| ranks[*at]) {
            add_older(&mut self.older, &self.newest.remove(at));
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.newest.is_empty() && self.older.is_empty()
    }

    /// About how many bytes they take, without what is only for where there is room.
    pub fn bytes(&self) -> usize {
        let members = |members: &[Member]| members.iter().map(|member| member.name.len() + member.value.len() + 3).sum::<usize>();
        let texts = |act: &Act| act.call.len() + act.id.len() + act.key.len() + act.tool.len();
        let newest: usize = self.newest.iter().map(|act| texts(act) + members(&act.returned) + 20).sum();
        newest + self.older.iter().map(|older| older.tool.len() + older.keys_bytes() + 12).sum::<usize>()
    }
}

/// Adds an act to those of which no more is kept than tool and key.
pub fn add_older(all: &mut Vec<OlderActs>, act: &Act) {
    let earlier = all.iter().position(|older| older.tool == act.tool).map(|at| all.remove(at));
    let mut older = earlier.unwrap_or_else(|| OlderActs { tool: act.tool.clone(), ..OlderActs::default() });
    older.count = older.count.saturating_add(1);
    older.step = act.step;
    let failed = match act.end {
        End::Done => "",
        End::Unsure => " (answered)",
        _ => " (error)",
    };
    let key = format!("{}{failed}", act.key);
    if !act.key.is_empty() && !older.keys.contains(&key) {
        older.keys.push(key);
    }
    while older.keys_bytes() > KEYS_BYTES && older.keys.len() > 1 {
        older.keys.remove(0);
    }
    all.push(older);
    if all.len() > TOOLS {
        all.remove(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn act(at: u32, is_gesture: bool) -> Act {
        let (tool, key) = if is_gesture { ("click", String::new()) } else { ("refund", format!("re_{at}")) };
        Act { step: at, tool: tool.into(), call: format!("{tool}({at})"), key, is_gesture, ..Act::default() }
    }

    #[test]
    fn what_was_done_to_a_page_leaves_first_and_older_acts_keep_count_and_keys() {
        let mut acts = Acts::default();
        for at in 0..300 {
            acts.push(act(at, at % 3 == 0));
        }
        assert!(acts.newest.len() == MOST_ACTS && acts.newest.iter().all(|act| !act.is_gesture));
        for at in 300..310 {
            acts.push(act(at, false));
        }
        let older: Vec<_> = acts.older.iter().map(|older| (older.tool.as_str(), older.count)).collect();
        assert_eq!(older, [("click", 100), ("refund", 10)]);
        assert_eq!(acts.older[1].keys[..3], ["re_1", "re_2", "re_4"]);
    }

    #[test]
    fn an_act_whose_outcome_is_unknown_is_not_listed_among_those_that_were_done() {
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
    }

    #[test]
    fn an_act_without_a_success_is_open_until_something_is_seen_of_it() {
        let mut acts = Acts::default();
        let pay = Act { about: 7, end: End::Unknown, ..act(1, false) };
        acts.push(pay.clone());
        acts.push(Act { about: 8, ..pay });
        acts.point(&|about| about == 7, &|_| false, 4);
        assert_eq!((acts.newest[0].end, acts.newest[1].end), (End::Seen(4), End::Unknown));
        // Nor is a click that failed, once the page went on.
        acts.push(Act { end: End::Unknown, ..act(5, true) });
        acts.push(act(6, true));
        assert_eq!(acts.newest[2].end, End::Seen(6));
        while !acts.newest.is_empty() {
            acts.age_oldest();
        }
        assert_eq!(acts.older[1].keys, ["re_1 (error)"]);
    }

    #[test]
    fn a_later_call_that_names_what_an_act_made_is_pointed_to_unless_all_is_about_that() {
        let mut acts = Acts::default();
        for id in ["NY-60417", "NY-60418"] {
            acts.push(Act { id: id.into(), ..act(14, false) });
        }
        acts.point(&|_| true, &|id| id == "NY-60418", 32);
        acts.point(&|_| true, &|id| id == "NY-60418", 40);
        assert_eq!(acts.newest.iter().map(|act| act.later).collect::<Vec<_>>(), [0, 40]);
        acts.forget_seen(&|about| about == hash_of("NY-60418"));
        assert_eq!(acts.newest[1].later, 0);
    }

    #[test]
    fn what_may_have_been_a_reading_leaves_before_what_was_done_and_stands_once() {
        let likely = |at: u32, call: &str, key: &str| Act {
            call: call.into(),
            tool: "encaminha".into(),
            key: key.into(),
            is_likely: true,
            ..act(at, false)
        };
        let mut acts = Acts::default();
        acts.push(act(1, false));
        for (at, call, key) in
            [(2, "estado(L-7)", ""), (3, "estado(L-7)", ""), (4, "encaminha(L-7)", "PRT-1"), (5, "encaminha(L-7)", "PRT-2")]
        {
            acts.push(Act { returned: vec![Member::of_text(key)], ..likely(at, call, key) });
        }
        assert_eq!(acts.newest.iter().map(|act| act.step).collect::<Vec<_>>(), [1, 3, 4, 5]);
        acts.age_oldest();
        assert_eq!(acts.newest[0].step, 1);
        // One of a kind stays before one of many.
        (6..10).for_each(|at| acts.push(act(at, false)));
        acts.push(Act { tool: "move_funds".into(), ..act(10, false) });
        for _ in 0..7 {
            acts.age_oldest();
        }
        assert_eq!(acts.newest[0].tool, "move_funds");
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
