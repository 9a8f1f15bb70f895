//! Section of a checkpoint: calls that changed something, with what they returned. Never an offer to repeat one.

use crate::digest::act::{Act, Acts, End, OlderActs};
use crate::state::Checkpoint;
use crate::tokens::estimate::estimate_tokens;
use crate::words::cut::within_tokens;

/// Tokens of the line of one act, as many as have room for all, and of the line of a tool's older ones.
const ACT_TOKENS: [u32; 2] = [120, 72];
const OLDER_TOKENS: u32 = 400;

/// Acts, oldest first. Where there is no room for all, what can be undone leaves, then the oldest are listed by tool, with count and keys.
pub fn acts(checkpoint: &Checkpoint, tokens: u32, _: &str) -> String {
    let mut acts = checkpoint.record.acts.clone();
    let [most, least] = ACT_TOKENS.map(|tokens| acts.newest.iter().map(|act| line(act, tokens)).collect::<Vec<String>>());
    let has_room = most.iter().map(|line| cost(line)).sum::<u32>() + older_tokens(&acts) <= tokens;
    let mut lines = if has_room { most } else { least };
    let mut costs: Vec<u32> = lines.iter().map(|line| cost(line)).collect();
    let mut newest: u32 = costs.iter().sum();
    // What the older ones take is of interest only once the newest have room.
    while (newest > tokens || newest + older_tokens(&acts) > tokens)
        && let Some(at) = acts.age_oldest()
    {
        lines.remove(at);
        newest -= costs.remove(at);
    }
    let older = acts.older.iter().map(|older| older_line(older, OLDER_TOKENS.min(tokens / 2)));
    older.chain(lines).collect::<Vec<_>>().join("\n")
}

fn older_tokens(acts: &Acts) -> u32 {
    acts.older.iter().map(|older| cost(&older_line(older, OLDER_TOKENS))).sum()
}

fn cost(line: &str) -> u32 {
    estimate_tokens(line) + 1
}

fn line(act: &Act, tokens: u32) -> String {
    let outcome = match (act.end, act.returned.is_empty()) {
        (End::Done, true) => String::new(),
        (End::Done, false) => format!(" → {}", act.returned),
        // The first one may have taken effect as well: a timed-out refund that was sent again is two refunds, perhaps. What it said stands last,
        // where a cut takes nothing else.
        (End::Repeated(step), true) => format!(" → no answer (a call like it succeeded in step {step}: check whether both took effect)"),
        (End::Repeated(step), false) => {
            format!(" → error (a call like it succeeded in step {step}: check whether both took effect): {}", act.returned)
        }
        (End::Unknown, true) => " → no answer (it may have taken effect: check before anything else)".to_owned(),
        (End::Unknown, false) => format!(" → error (it may have taken effect all the same: check before anything else): {}", act.returned),
    };
    format!("- step {}: {}", act.step, whole_members(&format!("{}{outcome}", act.call), tokens))
}

/// The beginning of a line within about this many tokens, cut between members: half a reference is worse than none. How the call ended is
/// never cut off whole.
fn whole_members(line: &str, tokens: u32) -> String {
    let outcome = line.find(" → ").unwrap_or(0);
    let mut kept = line;
    while estimate_tokens(kept) > tokens {
        match kept.rfind(", ").filter(|at| *at > outcome) {
            Some(at) => kept = &kept[..at],
            None => return within_tokens(kept, tokens),
        }
    }
    if kept.len() < line.len() { format!("{kept}, …") } else { kept.to_owned() }
}

fn older_line(older: &OlderActs, tokens: u32) -> String {
    let keys = if older.keys.is_empty() { String::new() } else { format!(": {}", older.keys) };
    within_tokens(&format!("- up to step {}: {} {}×{keys}", older.step, older.tool, older.count), tokens)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checkpoint(count: u32) -> Checkpoint {
        let mut checkpoint = Checkpoint::default();
        for at in 0..count {
            let act = Act {
                step: at,
                tool: "refund".into(),
                call: format!("refund(amount: 20, orderId: ORD-{at})"),
                returned: format!("refundId re_{at}AX, status succeeded"),
                key: format!("re_{at}AX (amount: 20)"),
                ..Act::default()
            };
            checkpoint.record.acts.push(act);
        }
        checkpoint
    }

    #[test]
    fn acts_that_do_not_fit_keep_count_and_keys() {
        let all = acts(&checkpoint(45), 10_000, "");
        assert_eq!(all.lines().count(), 45);
        let few = acts(&checkpoint(45), 800, "");
        assert!(
            estimate_tokens(&few) <= 800 && few.lines().next().is_some_and(|line| line.contains("refund") && line.contains('×')),
            "{few}"
        );
        for at in 0..45 {
            assert!(few.contains(&format!("re_{at}AX")), "{at}: {few}");
        }
    }

    #[test]
    fn the_outcome_of_a_long_call_is_shown_as_far_as_there_is_room() {
        let page =
            "- status: Hold HD-9921 for pitch 14 on Thursday 5 March until 21 February and then it is given to somebody else".repeat(3);
        let line = whole_members(&format!("click(element: Hold, ref: e17) → {page}"), 72);
        assert!(line.starts_with("click(element: Hold, ref: e17) → - status: Hold HD-9921 for pitch 14"), "{line}");
        assert!(estimate_tokens(&line) <= 72);
    }

    #[test]
    fn an_act_without_an_answer_is_unknown_and_not_failing() {
        let mut checkpoint = Checkpoint::default();
        checkpoint.record.acts.push(Act {
            call: "pay(20)".into(),
            returned: "timeout".into(),
            end: End::Unknown,
            step: 3,
            ..Act::default()
        });
        let text = acts(&checkpoint, 200, "");
        assert_eq!(text, "- step 3: pay(20) → error (it may have taken effect all the same: check before anything else): timeout");
        checkpoint.record.acts.newest[0].end = End::Repeated(5);
        let text = acts(&checkpoint, 200, "");
        assert!(text.ends_with("→ error (a call like it succeeded in step 5: check whether both took effect): timeout"), "{text}");
    }
}
