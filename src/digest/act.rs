//! Acts: calls that changed something, each with what it returned, kept for as long as the checkpoint lives. Two equal acts are two acts.
//! Plain data and its bounds; how a checkpoint writes them is in `words::checkpoint::acts`.

use serde::{Deserialize, Serialize};

mod end;
pub use end::End;

use crate::digest::subject::hash_of;
use crate::results::returned::{Member, line_of};
use crate::text::hash::HashMap;
use crate::text::order::sort_by_numbers;
use crate::text::term::each_term;

/// Acts that are kept one by one; older ones are kept by tool, with count and keys.
const MOST_ACTS: usize = 200;
/// So many acts of one tool are listed with little loss: they differ in what they were about.
const MANY: u32 = 4;
/// Bytes of the keys that are kept of older acts of one tool, and tools of older acts.
const KEYS_BYTES: usize = 2_400;
const TOOLS: usize = 40;
/// Members that are shown of what stands otherwise since.
const REVISED: usize = 4;

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
    pub wrote: String,
    /// Its surest id and its amount, by which it is listed once it has no line of its own.
    pub key: String,
    /// How it ended.
    pub end: End,
    /// It was done to a page, and left no receipt.
    pub is_gesture: bool,
    /// Nobody has said whether its tool acts; its answer looks like it.
    pub is_likely: bool,
    /// Hash of what it is about, by which a reading may show how it ended; 0 where it names nothing.
    pub about: u64,
    /// The reading that did, in a line.
    pub seen: String,
    /// What of that which it returned stands otherwise since.
    pub now: Vec<Member>,
    /// The step that showed this.
    pub as_of: u32,
    /// The step of the latest act whose call names what this one returned; 0 where none does.
    pub later: u32,
}

impl Act {
    /// What it returned and wrote, in a line.
    pub fn answer(&self) -> String {
        let wrote = if self.wrote.is_empty() { String::new() } else { format!("wrote: {}", self.wrote) };
        let parts = [line_of(&self.returned), wrote];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ")
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
            // Asked again and answered the same without a receipt, it looks something up.
            let says_same = |earlier: &Act| {
                earlier.call == act.call && earlier.tool == act.tool && (earlier.returned == act.returned || act.key.is_empty())
            };
            self.newest.retain(|earlier| !earlier.is_likely || !says_same(earlier));
        }
        self.newest.push(act);
        while self.newest.len() > MOST_ACTS {
            self.age_oldest();
        }
    }

    /// Takes in that a reading has shown more of what these hashes name; `line` gives it a line.
    pub fn see(&mut self, names: &[u64], step: u32, line: &dyn Fn() -> String) {
        let is_shown = |act: &&mut Act| (act.is_open() || matches!(act.end, End::Seen(_))) && act.about != 0 && names.contains(&act.about);
        for act in self.newest.iter_mut().filter(is_shown) {
            act.end = End::Seen(step);
            act.seen = line();
        }
    }

    /// Takes back what readings have shown of acts that are about what everything is about, and where later calls have named that.
    pub fn forget_seen(&mut self, is_matter: &dyn Fn(u64) -> bool) {
        for act in self.newest.iter_mut().filter(|act| act.later > 0 && is_matter(hash_of(&act.id))) {
            act.later = 0;
        }
        for act in self.newest.iter_mut().filter(|act| !act.seen.is_empty() && is_matter(act.about)) {
            act.end = End::Unknown;
            act.seen.clear();
        }
    }

    /// Takes in what was `said` to a later call, which `names` what some acts returned: what stands otherwise now. What is called by
    /// another reference there is another thing, such as the ticket that was split off from one.
    pub fn revise(&mut self, names: &dyn Fn(&str) -> bool, step: u32, said: &dyn Fn() -> Vec<Member>) {
        for act in self.named(names) {
            let was = |now: &Member| act.returned.iter().find(|member| member.is_called_as(now));
            let differs = |now: &Member| was(now).is_some_and(|was| was.value != now.value);
            let now: Vec<Member> = said().into_iter().filter(differs).take(REVISED).collect();
            if now.iter().any(|now| was(now).is_some_and(|was| was.value == act.id)) {
                continue;
            }
            act.now = now;
            act.as_of = step;
        }
    }

    /// Takes in that the call of a later act names what acts returned: it may have changed or ended that, whatever it says of itself.
    pub fn name_in(&mut self, names: &dyn Fn(&str) -> bool, step: u32) {
        self.named(names).for_each(|act| act.later = step);
    }

    /// The acts that returned a reference which a later call names.
    fn named(&mut self, names: &dyn Fn(&str) -> bool) -> impl Iterator<Item = &mut Act> {
        self.newest.iter_mut().filter(|act| act.end.has_returned() && !act.id.is_empty() && names(&act.id))
    }

    /// Gives back the calls of a tool that has turned out to read.
    pub fn take_back(&mut self, tool: &str) -> Vec<Act> {
        let (back, stay) = std::mem::take(&mut self.newest).into_iter().partition(|act| act.is_likely && act.tool == tool);
        self.newest = stay;
        back
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
        let texts = |act: &Act| act.call.len() + act.id.len() + act.wrote.len() + act.key.len() + act.tool.len() + act.seen.len();
        let newest: usize = self.newest.iter().map(|act| texts(act) + members(&act.returned) + members(&act.now) + 20).sum();
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

/// Whether a later call of one tool says all that an earlier one said: its ids, dates and other names with most of its words, or where it
/// has no names, all of its words. Less than that may be another order, seat or letter, and so may be what was left out of a long one.
fn repeats(call: &str, later: &str) -> bool {
    if call.contains('…') || later.contains('…') {
        return call == later;
    }
    let (names, words) = said(call);
    let (later_names, later_words) = said(later);
    let holds = |term: &&u64| later_names.contains(term) || later_words.contains(term);
    let same_words = words.iter().filter(holds).count();
    match names.is_empty() {
        true => !words.is_empty() && same_words == words.len(),
        false => names.iter().all(|name| holds(&name)) && (words.is_empty() || same_words * 2 > words.len()),
    }
}

/// The names and the words of the arguments of a call. Not what they are called, which all calls of a tool share.
fn said(call: &str) -> (Vec<u64>, Vec<u64>) {
    let (mut names, mut words) = (Vec::new(), Vec::new());
    let arguments = call.split_once('(').map_or(call, |(_, arguments)| arguments);
    for value in arguments.split(", ").map(|argument| argument.split_once(": ").map_or(argument, |(_, value)| value)) {
        for word in value.split_whitespace() {
            let mut terms = Vec::new();
            each_term(word, &mut |term, kind| terms.push((term, kind)));
            // The words of a name are no more than the name.
            match terms.iter().any(|(_, kind)| kind.is_of_row()) {
                true => names.extend(terms.iter().filter(|(_, kind)| kind.is_of_row()).map(|(term, _)| *term)),
                false => words.extend(terms.iter().map(|(term, _)| *term)),
            }
        }
    }
    (names, words)
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
        // Another seat of the same train is another act, whatever its arguments are called.
        for (call, later, is_repeated) in [
            ("changeSeats(trainNo: HD7, seat: E-70442)", "changeSeats(trainNo: HD7, seat: E-70443)", false),
            ("changeSeats(trainNo: HD7, seat: E-70442)", "changeSeats(trainNo: HD7, seat: E-70442, window: true)", true),
            ("ferienhaus_buchen(haus: Seeblick)", "ferienhaus_buchen(haus: Bergblick)", false),
            ("予約(部屋: 和室)", "予約(部屋: 和室)", true),
            ("pay()", "pay()", false),
            // Another letter to the same person, and an order whose number was corrected.
            ("send(subject: Offer, to: a.b@c.test)", "send(subject: Invoice, to: a.b@c.test)", false),
            ("send(subject: Offer, to: a.b@c.test)", "send(subject: Offer, to: a.b@c.test)", true),
            ("order(qty: 60, sku: LP-331)", "order(qty: 50, sku: LP-331)", true),
            ("edit(path: a.ts, old: let a… = 1)", "edit(path: a.ts, old: let b… = 2)", false),
            ("edit(path: a.ts, old: let a… = 1)", "edit(path: a.ts, old: let a… = 1)", true),
        ] {
            assert_eq!(repeats(call, later), is_repeated, "{call} {later}");
        }
    }

    #[test]
    fn an_act_without_a_success_is_open_until_something_is_seen_of_it() {
        let mut acts = Acts::default();
        let pay = Act { about: 7, end: End::Unknown, ..act(1, false) };
        acts.push(pay.clone());
        acts.push(Act { about: 8, ..pay });
        acts.see(&[3, 7], 4, &|| "getPayment(INV-7) → paid false".into());
        assert_eq!((acts.newest[0].end, acts.newest[1].end), (End::Seen(4), End::Unknown));
        assert_eq!(acts.newest[0].seen, "getPayment(INV-7) → paid false");
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
    fn what_was_said_later_of_what_an_act_returned_stands_as_it_is_now() {
        let members = |said: &str| -> Vec<Member> {
            let member = |said: &str| said.split_once('=').map(|(name, value)| Member { name: name.into(), value: value.into() });
            said.split("; ").filter_map(member).collect()
        };
        let returned = members("payment id=P-771; account=AC-9; currency=eur; status=pending; at=3 May, 12:30");
        let paid =
            Act { call: "pay(F-44)".into(), id: "P-771".into(), returned, wrote: "It is due on 3 May, at noon.".into(), ..act(1, false) };
        for (name, said, now) in [
            ("P-771", "currency=eur; payment status=rejected; failure code=AC04", "payment status rejected"),
            ("P-771", "status=pending; currency=eur", ""),
            ("P-771", "at=4 May, 12:30; last_status=rejected", "at 4 May, 12:30"),
            ("P-771", "at=5 May, 12:30; id=P-772; of=P-771", ""),
            ("P-7712", "status=rejected", ""),
            ("AC-9", "status=open", ""),
        ] {
            let mut acts = Acts::default();
            acts.push(paid.clone());
            acts.revise(&|id| id == name, 9, &|| members(said));
            assert_eq!(line_of(&acts.newest[0].now), now, "{name} {said}");
        }
        let mut acts = Acts::default();
        acts.push(paid);
        acts.revise(&|id| id == "P-771", 9, &|| members("status=rejected"));
        assert_eq!((line_of(&acts.newest[0].now).as_str(), acts.newest[0].as_of), ("status rejected", 9));
        acts.revise(&|id| id == "P-771", 12, &|| members("status=pending"));
        assert_eq!(acts.newest[0].now, []);
    }

    #[test]
    fn a_later_act_that_names_what_an_earlier_one_made_is_pointed_to_unless_all_is_about_that() {
        let mut acts = Acts::default();
        for id in ["NY-60417", "NY-60418"] {
            acts.push(Act { id: id.into(), ..act(14, false) });
        }
        acts.name_in(&|id| id == "NY-60418", 32);
        acts.name_in(&|id| id == "NY-60418", 40);
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
    fn calls_of_a_tool_that_turns_out_to_read_are_given_back() {
        let mut acts = Acts::default();
        acts.push(act(1, false));
        acts.push(Act { is_likely: true, ..act(2, false) });
        assert_eq!(acts.take_back("refund").iter().map(|act| act.step).collect::<Vec<_>>(), [2]);
        assert_eq!(acts.newest.len(), 1);
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
