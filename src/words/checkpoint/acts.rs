//! Section of a checkpoint: calls that changed something, with what they returned. Never an offer to repeat one.

use std::cell::RefCell;

use crate::digest::act::{Act, End, OlderActs, add_older};
use crate::results::returned::line_of;
use crate::state::Checkpoint;
use crate::text::clip::label;
use crate::tokens::estimate::estimate_tokens;
use crate::words::checkpoint::Writer;
use crate::words::cut::within_tokens;

/// Tokens of the line of one act, as many as have room for all, and of the line of a tool's older ones. The most have more of its arguments.
const ACT_TOKENS: [u32; 3] = [190, 120, 72];
/// The same of one that ended with an error, of which each word counts.
const OPEN_TOKENS: [u32; 3] = [190, 120, 88];
/// What a call returned has so many of these, however long the call is.
const SAID_TOKENS: u32 = 30;
const OLDER_TOKENS: u32 = 400;
/// Longest name of a tool with what it is told to do, in characters.
const TOOL_CHARS: usize = 120;

/// Acts, oldest first. Where there is no room for all, what can be undone leaves, then the oldest are listed by tool, with count and keys.
pub fn acts(checkpoint: &Checkpoint) -> Writer<'_> {
    let acts = &checkpoint.record.acts;
    let leaving = acts.leaving();
    // The lines of each length, as far as they were written.
    let written: [RefCell<Vec<(String, u32)>>; 3] = Default::default();
    Box::new(move |tokens, _| {
        let most_older = OLDER_TOKENS.min(tokens / 2);
        let mut older = acts.older.clone();
        let has_room = |newest: u32, older: &[OlderActs]| newest <= tokens && newest + older_tokens(older, most_older) <= tokens;
        // No more lines are written than show that not all have room.
        let has_all = |at: usize, most: u32| {
            let mut lines = written[at].borrow_mut();
            let mut left = most.checked_sub(lines.iter().map(|(_, cost)| cost).sum());
            for act in acts.newest.iter().skip(lines.len()) {
                let Some(rest) = left else { return false };
                let line = costed(line(act, at));
                left = rest.checked_sub(line.1);
                lines.push(line);
            }
            left.is_some()
        };
        let most = tokens.checked_sub(older_tokens(&older, most_older));
        let longest = [0, 1].into_iter().find(|at| most.is_some_and(|most| has_all(*at, most)));
        if longest.is_none() {
            has_all(2, u32::MAX);
        }
        let lines = written[longest.unwrap_or(2)].borrow();
        let mut cost = lines.iter().map(|(_, cost)| cost).sum::<u32>();
        let mut is_shown = vec![true; lines.len()];
        for at in leaving.iter().copied() {
            if has_room(cost, &older) {
                break;
            }
            add_older(&mut older, &acts.newest[at]);
            cost -= lines[at].1;
            is_shown[at] = false;
        }
        let older = older_lines(&older, tokens.saturating_sub(cost), most_older);
        let shown = lines.iter().zip(is_shown).filter(|(_, is_shown)| *is_shown).map(|((line, _), _)| line);
        older.iter().chain(shown).map(String::as_str).collect::<Vec<_>>().join("\n")
    })
}

/// What is left of older acts, a line a tool, where there is room for `most` tokens of it. Where there is not, all tools have the same room;
/// then one line holds them all.
fn older_lines(older: &[OlderActs], tokens: u32, most: u32) -> Vec<String> {
    let equal = tokens / older.len().max(1) as u32;
    for most in [most, equal.saturating_sub(1)] {
        let lines: Vec<String> = older.iter().map(|older| older_line(older, most)).collect();
        if lines.iter().map(|line| cost(line)).sum::<u32>() <= tokens {
            return lines;
        }
    }
    let step = older.iter().map(|older| older.step).max().unwrap_or_default();
    // The newest first: a cut takes the end.
    let tools: Vec<String> = older.iter().rev().map(counted).collect();
    vec![within_tokens(&format!("{}{}", up_to(step), tools.join(", ")), tokens)]
}

fn older_tokens(older: &[OlderActs], most: u32) -> u32 {
    older.iter().map(|older| cost(&older_line(older, most))).sum()
}

fn costed(line: String) -> (String, u32) {
    let cost = cost(&line);
    (line, cost)
}

fn cost(line: &str) -> u32 {
    estimate_tokens(line) + 1
}

/// The line of an act, with one of the numbers of tokens.
fn line(act: &Act, at: usize) -> String {
    let (returned, seen) = (act.answer(), &act.seen);
    let answer = match act.end {
        End::Aborted => "aborted",
        End::TimedOut => "timed out",
        _ if returned.is_empty() => "no answer",
        _ => "error",
    };
    let said = if returned.is_empty() { String::new() } else { format!(": {returned}") };
    let (outcome, said, tokens) = match act.end {
        End::Done if returned.is_empty() => (String::new(), String::new(), ACT_TOKENS),
        End::Unsure if act.now.is_empty() => (" → answered, success not recorded".to_owned(), said, ACT_TOKENS),
        End::Done if act.now.is_empty() => (" → ".to_owned(), returned, ACT_TOKENS),
        End::Done | End::Unsure => {
            // What was so then is no use any more, and may be taken for what is.
            let mut then = act.clone();
            then.returned.retain(|member| !act.now.iter().any(|now| now.is_called_as(member)));
            let made = if then.answer().is_empty() { String::new() } else { format!("; when made {}", then.answer()) };
            (format!(" → as of step {}: ", act.as_of), format!("{}{made}", line_of(&act.now)), ACT_TOKENS)
        }
        // The first one may have taken effect as well: a timed-out refund that was sent again is two refunds, perhaps.
        End::Repeated(step) => (
            format!(" → {answer} (a call like it succeeded in step {step}: unless this rules it out, both may have taken effect)"),
            said,
            ACT_TOKENS,
        ),
        End::Seen(_) if seen.is_empty() => (format!(" → {answer}"), said, ACT_TOKENS),
        End::Seen(step) => (format!(" → {answer}"), format!("{said}; looked up since, in step {step}: {seen}"), OPEN_TOKENS),
        End::Unknown | End::Aborted | End::TimedOut if returned.is_empty() => {
            (format!(" → {answer} (it may have taken effect: check before anything else)"), said, ACT_TOKENS)
        }
        End::Unknown | End::Aborted | End::TimedOut => {
            (format!(" → {answer} (it may have taken effect, unless this rules it out: check first)"), said, OPEN_TOKENS)
        }
    };
    let likely = if act.is_likely { "may have changed something: " } else { "" };
    let call = if at == 0 && !act.whole.is_empty() { &act.whole } else { &act.call };
    let head = format!("{call}{outcome}");
    let room = tokens[at].saturating_sub(estimate_tokens(&head)).max(SAID_TOKENS);
    let later =
        if act.later > 0 && (act.now.is_empty() || act.as_of != act.later) { format!("; see step {}", act.later) } else { String::new() };
    format!("- step {}: {likely}{head}{}{later}", act.step, whole_members(&said, room))
}

/// The beginning of what a call returned within about this many tokens, cut between members: half a reference is worse than none.
fn whole_members(said: &str, tokens: u32) -> String {
    let mut kept = said;
    while estimate_tokens(kept) > tokens {
        match kept.rfind(", ") {
            Some(at) => kept = &kept[..at],
            None => return within_tokens(kept, tokens),
        }
    }
    if kept.len() < said.len() { format!("{kept}, …") } else { kept.to_owned() }
}

/// A tool with count and keys, the newest of them as far as there is room.
fn older_line(older: &OlderActs, tokens: u32) -> String {
    let head = format!("{}{}", up_to(older.step), counted(older));
    let keys = &older.keys;
    let mut from = 0;
    while from < keys.len() {
        let omitted = if from > 0 { "…, " } else { "" };
        let line = format!("{head}: {omitted}{}", keys[from..].join(", "));
        let over = estimate_tokens(&line).saturating_sub(tokens) as usize;
        if over == 0 {
            return line;
        }
        from += (keys.len() - from) * over / (tokens as usize + over) + 1;
    }
    head
}

fn up_to(step: u32) -> String {
    format!("- up to step {step}: ")
}

fn counted(older: &OlderActs) -> String {
    format!("{} {}×", label(&older.tool, TOOL_CHARS), older.count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::returned::Member;

    fn said(members: &[(&str, &str)]) -> Vec<Member> {
        members.iter().map(|(name, value)| Member { name: (*name).into(), value: (*value).into() }).collect()
    }

    fn checkpoint(count: u32) -> Checkpoint {
        let mut checkpoint = Checkpoint::default();
        for at in 0..count {
            let act = Act {
                step: at,
                tool: "refund".into(),
                call: format!("refund(amount: 20, orderId: ORD-{at})"),
                returned: said(&[("refundId", &format!("re_{at}AX")), ("status", "succeeded")]),
                key: format!("re_{at}AX (amount: 20)"),
                ..Act::default()
            };
            checkpoint.record.acts.push(act);
        }
        checkpoint
    }

    #[test]
    fn acts_that_do_not_fit_keep_count_and_keys() {
        let all = acts(&checkpoint(45))(10_000, "");
        assert_eq!(all.lines().count(), 45);
        let few = acts(&checkpoint(45))(800, "");
        assert!(
            estimate_tokens(&few) <= 800 && few.lines().next().is_some_and(|line| line.contains("refund") && line.contains('×')),
            "{few}"
        );
        for at in 0..45 {
            assert!(few.contains(&format!("re_{at}AX")), "{at}: {few}");
        }
    }

    #[test]
    fn where_there_is_room_for_all_a_call_has_more_of_its_arguments() {
        let mut checkpoint = checkpoint(0);
        let whole = "order(item: GW-4405, remark: only before noon, quantity: 17)";
        let act = Act { call: "order(item: GW-4405, …)".into(), whole: whole.into(), ..Act::default() };
        checkpoint.record.acts.push(act);
        assert_eq!(acts(&checkpoint)(100, ""), format!("- step 0: {whole}"));
        assert_eq!(acts(&checkpoint)(20, ""), "- step 0: order(item: GW-4405, …)");
    }

    #[test]
    fn of_acts_without_any_room_tools_and_counts_are_left() {
        let mut checkpoint = checkpoint(5);
        checkpoint.record.acts.push(Act { step: 7, tool: "move_funds".into(), call: "move_funds(1)".into(), ..Act::default() });
        assert_eq!(acts(&checkpoint)(20, ""), "- up to step 7: move_funds 1×, refund 5×");
    }

    #[test]
    fn a_word_that_all_answers_have_stays_as_it_may_say_that_none_of_them_was_meant() {
        let mut checkpoint = checkpoint(0);
        for tool in ["holdRoom", "bookTaxi", "reserveTable", "payFare"] {
            let returned = said(&[("reference", "R-7"), ("run mode", "SIMULATION")]);
            checkpoint.record.acts.push(Act { tool: tool.into(), call: format!("{tool}()"), returned, ..Act::default() });
        }
        assert_eq!(acts(&checkpoint)(1_000, "").matches("run mode SIMULATION").count(), 4);
    }

    #[test]
    fn what_may_have_been_a_reading_says_so() {
        let mut checkpoint = checkpoint(0);
        let call = "encaminha_lote(L-07)".to_owned();
        checkpoint.record.acts.push(Act {
            step: 3,
            call,
            returned: said(&[("protocolo", "PRT-66193")]),
            is_likely: true,
            ..Act::default()
        });
        assert_eq!(acts(&checkpoint)(200, ""), "- step 3: may have changed something: encaminha_lote(L-07) → protocolo PRT-66193");
    }

    #[test]
    fn the_outcome_of_a_long_call_is_shown_as_far_as_there_is_room() {
        let page =
            "- status: Hold HD-9921 for pitch 14 on Thursday 5 March until 21 February and then it is given to somebody else".repeat(3);
        let act = Act { call: "click(element: Hold, ref: e17)".into(), returned: said(&[("", &page)]), ..Act::default() };
        let text = line(&act, 2);
        assert!(text.starts_with("- step 0: click(element: Hold, ref: e17) → - status: Hold HD-9921 for pitch 14"), "{text}");
        assert!(estimate_tokens(&text) <= 80);
        // Why it failed has room beside the longest call, and our own words are never cut.
        let call = format!("book(start: 2026-12-22T09:30:00+02:00, {})", "mrn: 70022, ".repeat(12));
        let alternatives = ("alternatives", "2: 2026-12-22T12:00:00+02:00; 2026-12-22T12:30:00+02:00");
        let returned = said(&[("", "SLOT_TAKEN"), alternatives, ("correlationId", "58b521e5")]);
        let text = line(&Act { call, returned, end: End::Unknown, ..Act::default() }, 2);
        assert!(text.ends_with(": check first): SLOT_TAKEN, …"), "{text}");
    }

    #[test]
    fn what_stands_otherwise_since_comes_first() {
        let act = Act {
            call: "pay(20)".into(),
            returned: said(&[("id", "P-1"), ("status", "pending")]),
            now: said(&[("status", "rejected")]),
            as_of: 9,
            ..Act::default()
        };
        assert_eq!(line(&act, 2), "- step 0: pay(20) → as of step 9: status rejected; when made id P-1");
        let cancelled = Act { now: Vec::new(), later: 12, ..act };
        assert_eq!(line(&cancelled, 2), "- step 0: pay(20) → id P-1, status pending; see step 12");
    }

    #[test]
    fn an_act_without_an_answer_is_unknown_and_not_failing() {
        let mut checkpoint = Checkpoint::default();
        checkpoint.record.acts.push(Act {
            call: "pay(20)".into(),
            returned: said(&[("", "timeout")]),
            end: End::Unknown,
            step: 3,
            ..Act::default()
        });
        let text = acts(&checkpoint)(200, "");
        assert_eq!(text, "- step 3: pay(20) → error (it may have taken effect, unless this rules it out: check first): timeout");
        checkpoint.record.acts.newest[0].end = End::Seen(4);
        checkpoint.record.acts.newest[0].seen = "getPayment(20) → paid false".into();
        assert_eq!(
            acts(&checkpoint)(200, ""),
            "- step 3: pay(20) → error: timeout; looked up since, in step 4: getPayment(20) → paid false"
        );
        checkpoint.record.acts.newest[0].end = End::Repeated(5);
        let text = acts(&checkpoint)(200, "");
        assert!(
            text.ends_with("→ error (a call like it succeeded in step 5: unless this rules it out, both may have taken effect): timeout"),
            "{text}"
        );
    }
}
