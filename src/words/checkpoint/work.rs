//! Sections of a checkpoint: where the work stands, what still fails, what the model noted, and the log.

use crate::digest::plan::{Plan, PlanItem, PlanStatus};
use crate::digest::record::{LogLine, Record};
use crate::state::Checkpoint;
use crate::tokens::estimate::estimate_tokens;
use crate::words::checkpoint::Writer;
use crate::words::cut::{head_and_tail, newest_within, within_tokens};

/// Items of a plan that are done and listed one by one.
const DONE_ITEMS: usize = 6;
/// Where a log does not fit, this part of its room is for older readings without what they brought.
const CALLS_PART: u32 = 2;
/// What saying that lines are left out takes.
const LEFT_OUT_TOKENS: u32 = 10;

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

/// What the model said it found, beside its calls, the newest of it.
pub fn notes(checkpoint: &Checkpoint) -> Writer<'_> {
    let lines: Vec<String> = checkpoint.record.log.iter().filter(|line| line.is_note).map(log_line).collect();
    Box::new(move |tokens, _| {
        let shown = newest_within(&lines, tokens.saturating_sub(LEFT_OUT_TOKENS));
        format!("{}{}", left_out(lines.len() - shown.len(), shown.len()), shown.join("\n"))
    })
}

/// The log of calls, the newest lines of it. Where there is no room for all, a part of it is for older ones, readings without what they brought:
/// who knows of a reading can make it again.
pub fn log(checkpoint: &Checkpoint) -> Writer<'_> {
    let record = &checkpoint.record;
    let of_calls = || record.log.iter().filter(|line| !line.is_note);
    let lines: Vec<String> = of_calls().map(log_line).collect();
    let calls: Vec<String> = of_calls().map(|line| format!("{} {}", line.step, line.text)).collect();
    Box::new(move |tokens, _| {
        let room = tokens.saturating_sub(LEFT_OUT_TOKENS);
        let mut whole = newest_within(&lines, room);
        let mut before: &[String] = &[];
        if whole.len() < lines.len() {
            whole = newest_within(&lines, room - room / CALLS_PART);
            let left = room.saturating_sub(whole.iter().map(|line| estimate_tokens(line) + 2).sum());
            before = newest_within(&calls[..lines.len() - whole.len()], left);
        }
        let omitted = left_out(record.omitted_log as usize + lines.len() - before.len() - whole.len(), whole.len());
        let shown: Vec<&str> = before.iter().chain(whole).map(String::as_str).collect();
        format!("{omitted}{}", shown.join("\n"))
    })
}

/// That so many lines are left out, where others are shown.
fn left_out(omitted: usize, shown: usize) -> String {
    if omitted > 0 && shown > 0 { format!("[{omitted} lines left out]\n") } else { String::new() }
}

fn log_line(line: &LogLine) -> String {
    let count = if line.count > 1 { format!(" ×{}", line.count) } else { String::new() };
    format!("{} {}{}{count}", line.step, line.text, line.outcome)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_older_readings_the_log_says_what_was_called_where_it_has_no_room_for_what_they_brought() {
        let mut checkpoint = Checkpoint::default();
        let line = |step| LogLine {
            step,
            text: format!("read(page: {step})"),
            outcome: " → title a page with a long name".into(),
            count: 1,
            ..LogLine::default()
        };
        checkpoint.record.log = (1..=20).map(line).collect();
        assert_eq!(log(&checkpoint)(1_000, "").matches(" → title").count(), 20);
        let short = log(&checkpoint)(200, "");
        let (first, last) = (short.lines().nth(1).unwrap_or_default(), short.lines().last().unwrap_or_default());
        assert!(first.ends_with(')') && last.ends_with("long name"), "{short}");
        assert!(short.starts_with("[") && short.matches("read(").count() > short.matches("→").count() * 3 / 2, "{short}");
        assert!(estimate_tokens(&short) <= 200, "{short}");
    }
}
