//! Sections of a checkpoint: where the work stands, what still fails, what the model noted, and the log.

use std::cell::OnceCell;

use crate::digest::plan::{Plan, PlanItem, PlanStatus};
use crate::digest::record::{LogLine, Record};
use crate::digest::replies::beginning_and_end;
use crate::results::returned::is_id;
use crate::state::Checkpoint;
use crate::text::hash::HashSet;
use crate::tokens::estimate::estimate_tokens;
use crate::words::checkpoint::Writer;
use crate::words::cut::{head_and_tail, newest_within, within_tokens};

/// Items of a plan that are done and listed one by one.
const DONE_ITEMS: usize = 6;
/// Where a log does not fit, this part of its room is for the newest lines as they are.
const WHOLE_PART: u32 = 2;
/// Notes that stay whole where there is no room for all, and the characters of older ones.
const WHOLE_NOTES: usize = 2;
const NOTE_CHARS: [usize; 3] = [240, 170, 120];
/// A note of at most this many bytes says little.
const SHORT_NOTE_BYTES: usize = 80;
/// What saying that lines are left out takes.
const LEFT_OUT_TOKENS: u32 = 10;
/// A number of so many digits names something.
const NUMBER_DIGITS: usize = 5;

/// The plan, and how the record ends.
pub fn stands(checkpoint: &Checkpoint) -> Writer<'_> {
    Box::new(|tokens, _| {
        let record = &checkpoint.record;
        let end = end_of(record);
        let room = tokens.saturating_sub(estimate_tokens(&end) + 1);
        let has_plan = !checkpoint.app_has_plan && !record.plan.is_empty();
        let plan = if has_plan { plan_within(&record.plan, record.steps, room) } else { String::new() };
        let separator = if plan.is_empty() || end.is_empty() { "" } else { "\n" };
        head_and_tail(&format!("{plan}{separator}{end}"), tokens)
    })
}

/// How the record ends, where nothing behind it and no new message of the user says so.
fn end_of(record: &Record) -> String {
    let is_waiting = record.users.last().is_some_and(|message| message.step >= record.steps);
    let is_answered = record.conclusions.last().is_some_and(|conclusion| conclusion.step == record.steps);
    match &record.last_words {
        _ if record.later.goes_on || is_waiting => String::new(),
        _ if is_answered => format!("The model answered in step {}; the record ends there.", record.steps),
        (_, words) if words.is_empty() => String::new(),
        (step, words) => format!("Announced last (step {step}): \"{words}\""),
    }
}

/// The plan: what is open whole, of what is done the newest items. `steps` is where the record ends.
fn plan_within(plan: &Plan, steps: u32, tokens: u32) -> String {
    let done = |item: &&PlanItem| matches!(item.status, PlanStatus::Done | PlanStatus::Dropped);
    let count = plan.items.iter().filter(done).count();
    let mut text = match plan.changed_at_step {
        step if step > steps => "Plan, as the messages below left it:\n".to_owned(),
        step => format!("Plan, last changed in step {step}:\n"),
    };
    let mut hidden = count.saturating_sub(DONE_ITEMS);
    if hidden > 0 {
        text.push_str(&format!("- [done] {hidden} items before these\n"));
    }
    for item in &plan.items {
        if done(&item) && hidden > 0 {
            hidden -= 1;
            continue;
        }
        let mark = match item.status {
            PlanStatus::Open => "open",
            PlanStatus::Active => "in progress",
            PlanStatus::Done => "done",
            PlanStatus::Dropped => "given up",
        };
        text.push_str(&format!("- [{mark}] {}\n", item.text));
    }
    text.push_str(&plan.text);
    head_and_tail(text.trim_end(), tokens)
}

/// What still fails, the newest last.
pub fn failing(checkpoint: &Checkpoint) -> Writer<'_> {
    let failing = checkpoint.record.failing.iter();
    let lines: Vec<String> = failing.map(|failing| format!("- {} (step {}): {}", failing.call, failing.step, failing.line)).collect();
    Box::new(move |tokens, _| match (newest_within(&lines, tokens), lines.last()) {
        // Of a long one the beginning is better than nothing.
        ([], Some(newest)) => within_tokens(newest, tokens),
        (kept, _) => kept.join("\n"),
    })
}

/// What the model said it found, beside its calls. Where there is no room for all, older notes keep their beginning and end, those of a few
/// words leave, and then the oldest.
pub fn notes(checkpoint: &Checkpoint) -> Writer<'_> {
    let notes: Vec<&LogLine> = checkpoint.record.log.iter().filter(|line| line.is_note).collect();
    let lines: Vec<String> = notes.iter().copied().map(log_line).collect();
    let cost = |lines: &[String]| lines.iter().map(|line| estimate_tokens(line) + 1).sum::<u32>();
    let whole_cost = cost(&lines);
    let newest = lines.len().saturating_sub(WHOLE_NOTES);
    // With each number of characters those that are not short, and what they cost together.
    let cut: [OnceCell<(Vec<String>, u32)>; NOTE_CHARS.len()] = Default::default();
    Box::new(move |tokens, _| {
        let is_long = |at: &usize| *at >= newest || notes[*at].text.len() > SHORT_NOTE_BYTES;
        let within = |at: usize, chars: usize| if at < newest { beginning_and_end(&lines[at], chars) } else { lines[at].clone() };
        let cut_to = |at: usize| {
            cut[at].get_or_init(|| {
                let cut: Vec<String> = (0..lines.len()).filter(is_long).map(|line| within(line, NOTE_CHARS[at])).collect();
                let cost = cost(&cut);
                (cut, cost)
            })
        };
        let room = tokens.saturating_sub(LEFT_OUT_TOKENS);
        let shown = if whole_cost <= tokens {
            &lines
        } else {
            let shorter = (0..NOTE_CHARS.len()).map(cut_to);
            let fitting = shorter.clone().find(|(_, cost)| *cost <= room).or_else(|| shorter.last());
            newest_within(fitting.map_or(&[], |(lines, _)| lines), room)
        };
        format!("{}{}", left_out(lines.len() - shown.len(), shown.len()), shown.join("\n"))
    })
}

/// The log of calls. Where there is no room for all, the newest stand as they are, and before them older ones by their tools, each with what it
/// was called with and the references that it brought: an id costs few tokens, and is what a later call needs. Who knows of a reading can make it
/// again for the rest.
pub fn log(checkpoint: &Checkpoint) -> Writer<'_> {
    let record = &checkpoint.record;
    let of_calls = || record.log.iter().filter(|line| !line.is_note);
    let lines: Vec<String> = of_calls().map(log_line).collect();
    let all: Vec<LogLine> = of_calls().cloned().collect();
    Box::new(move |tokens, _| {
        let room = tokens.saturating_sub(LEFT_OUT_TOKENS);
        let mut whole = newest_within(&lines, room);
        let mut before = (String::new(), 0);
        if whole.len() < lines.len() {
            whole = newest_within(&lines, room / WHOLE_PART);
            let left = room.saturating_sub(whole.iter().map(|line| estimate_tokens(line) + 2).sum());
            before = grouped(&all[..lines.len() - whole.len()], left);
        }
        let omitted = left_out(record.omitted_log as usize + lines.len() - before.1 - whole.len(), whole.len());
        format!("{omitted}{}{}", before.0, whole.join("\n"))
    })
}

/// That so many lines are left out, where others are shown.
fn left_out(omitted: usize, shown: usize) -> String {
    if omitted > 0 && shown > 0 { format!("[{omitted} lines left out]\n") } else { String::new() }
}

/// Older calls by their tools: what each was called with, and the references that it brought. Returns how many lines it tells, too.
fn grouped(lines: &[LogLine], mut tokens: u32) -> (String, usize) {
    let mut told = 0;
    let mut groups: Vec<(&str, Vec<String>)> = Vec::new();
    let mut seen: HashSet<&str> = HashSet::default();
    for line in lines.iter().rev() {
        let call = line.text.strip_suffix(')').and_then(|call| call.split_once('(')).filter(|_| !line.text.contains(" → "));
        let (tool, item) = match call {
            Some((tool, input)) => {
                let references = references_of(&line.outcome, input, &mut seen);
                if references.is_empty() && !seen.insert(&line.text) {
                    told += 1;
                    continue;
                }
                seen.insert(&line.text);
                (tool, format!("{input}{references}"))
            }
            None => ("", format!("{} {}", line.step, line.text)),
        };
        let group = groups.iter().position(|(name, _)| *name == tool);
        let takes = estimate_tokens(&item) + 1 + if group.is_none() { estimate_tokens(tool) + 2 } else { 0 };
        let Some(left) = tokens.checked_sub(takes) else { break };
        tokens = left;
        told += 1;
        match group {
            Some(at) => groups[at].1.push(item),
            None => groups.push((tool, vec![item])),
        }
    }
    let mut text = String::new();
    for (tool, mut items) in groups.into_iter().rev() {
        items.reverse();
        match tool {
            "" => text.extend([items.join("\n").as_str(), "\n"]),
            tool => text.push_str(&format!("{tool}: {}\n", items.join(" | "))),
        }
    }
    (text, told)
}

/// The references of an outcome that stand nowhere yet: of each item of a list its own, since what it refers to beside could be taken for it.
/// Numbers have the name under which they stood.
fn references_of<'l>(outcome: &'l str, input: &str, seen: &mut HashSet<&'l str>) -> String {
    let mut told = String::new();
    for piece in outcome.trim_start_matches(" → ").split(", ") {
        // What an outcome was cut in is no reference any more.
        let words = |text: &'l str| text.split([' ', ':']).filter(|word| !word.is_empty() && !word.ends_with('…'));
        let own = piece.split(';').filter_map(|item| words(item).find(|word| is_reference(word)));
        let new: Vec<&str> = own.filter(|word| !input.contains(word) && seen.insert(word)).collect();
        let Some(first) = new.first() else { continue };
        told.push_str(if told.is_empty() { " → " } else { ", " });
        let name = words(piece).next().filter(|name| *name != *first && first.bytes().all(|byte| byte.is_ascii_digit()));
        told.extend(name.into_iter().flat_map(|name| [name, " "]));
        told.push_str(&new.join(" "));
    }
    told
}

fn is_reference(word: &str) -> bool {
    is_id(word) || word.len() >= NUMBER_DIGITS && word.bytes().all(|byte| byte.is_ascii_digit())
}

fn log_line(line: &LogLine) -> String {
    let count = if line.count > 1 { format!(" ×{}", line.count) } else { String::new() };
    format!("{} {}{}{count}", line.step, line.text, line.outcome)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(step: u32, outcome: &str) -> LogLine {
        LogLine { step, text: format!("read(page: {step})"), outcome: outcome.into(), count: 1, ..LogLine::default() }
    }

    #[test]
    fn where_a_log_has_no_room_for_all_older_calls_stand_by_their_tools_with_the_references_they_brought() {
        let mut checkpoint = Checkpoint::default();
        let outcome = |step| format!(" → title a page with a long name, orders 2: #W{step}001; #W{step}002, owner pay_7711, size 300");
        checkpoint.record.log = (10..30).map(|step| read(step, &outcome(step))).collect();
        assert_eq!(log(&checkpoint)(2_000, "").matches(" → title").count(), 20);
        let short = log(&checkpoint)(400, "");
        assert!(estimate_tokens(&short) <= 400, "{short}");
        let of_older = short.lines().find(|line| line.starts_with("read: ")).unwrap_or_default();
        // A reference that stands already is not repeated.
        assert!(of_older.contains("page: 20 → #W20001 #W20002 | page: 21 → ") && of_older.matches("pay_7711").count() == 1, "{short}");
        assert!(short.ends_with("size 300"), "{short}");
    }

    #[test]
    fn each_item_has_its_own_reference_numbers_have_their_name_and_what_a_line_was_cut_in_is_none() {
        let mut seen = HashSet::default();
        let outcome = " → items 2: 1340995114 1656367028 Keyboard; 3358616356 7765186836 Helmet, day 2026-05-04, zip 19122, payment_method_id paypal_94…";
        assert_eq!(references_of(outcome, "order: #W1", &mut seen), " → items 1340995114 3358616356, zip 19122");
        assert_eq!(references_of(outcome, "", &mut seen), "");
    }

    #[test]
    fn a_call_that_brought_nothing_new_stands_once_and_an_act_keeps_its_line() {
        let mut lines: Vec<LogLine> = (0..4).map(|_| read(1, " → 3 pages")).collect();
        lines.insert(2, LogLine { step: 2, text: "pay(id: 7) → the user refused".into(), count: 1, ..LogLine::default() });
        assert_eq!(grouped(&lines, 1_000), ("2 pay(id: 7) → the user refused\nread: page: 1\n".into(), 5));
    }
}
