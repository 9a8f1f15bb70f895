//! What a plan would do as a table of text, for a person who asks before it is done.
//! Decides nothing: it reads the draft. Not made for a step.

use crate::plan::budget::Budget;
use crate::plan::draft::Draft;
use crate::providers::prices::Prices;
use crate::state::Action;

/// What becomes of messages, and why.
const CHANGES: [&str; 5] = [
    "",
    ": cleared, as old results are the first to go",
    ": cut, as it is too large",
    ": folded into the checkpoint, as clearing is not enough",
    ": not read, as the provider's compaction stands for it",
];

/// What the table is made with beside the draft.
pub struct Terms<'a> {
    /// The numbers of the plan.
    pub budget: &'a Budget,
    /// What tokens cost.
    pub prices: Prices,
    /// Tokens that the summary of a fold may have; zero when there is no summarizer.
    pub summary_tokens: u32,
    /// Steps so far.
    pub steps: f64,
    /// What would be sent does not fit.
    pub is_over: bool,
}

/// Tokens of each message as the draft would send it: none for those that a checkpoint stands for.
pub fn sent_tokens(draft: &Draft<'_>) -> Vec<u64> {
    let tokens = |index| if is_folded(draft, index) || is_unread(draft, index) { 0 } else { draft.span_tokens(index, index + 1) };
    (0..draft.history.entries.len()).map(tokens).collect()
}

/// Whether a checkpoint stands for this message which is not in the list.
fn is_folded(draft: &Draft<'_>, index: usize) -> bool {
    let is_inserted = draft.checkpoint.as_ref().is_some_and(|checkpoint| !checkpoint.in_place);
    is_inserted && (draft.first()..draft.start()).contains(&index) && !draft.is_kept(index)
}

/// Whether the model does not read this message, because a compaction of its provider stands for it.
fn is_unread(draft: &Draft<'_>, index: usize) -> bool {
    (draft.history.lead..draft.first()).contains(&index)
}

/// What a plan would do.
#[derive(Clone, Debug, PartialEq)]
pub struct Preview {
    /// For a person.
    pub table: String,
    /// Tokens of the prompt, as the provider likely counts, that stand behind the first new change.
    pub rewritten_tokens: u32,
}

/// What the plan would do; `held` are the tokens of each message with earlier decisions alone.
pub fn preview(draft: &Draft<'_>, held: &[u64], held_total: u64, terms: &Terms<'_>) -> Preview {
    let budget = terms.budget;
    let history = draft.history;
    let mut table = String::from("message    tokens      sent\n");
    let mut rows: Vec<Row> = Vec::new();
    let mut tools: Vec<(&str, u64, u64)> = Vec::new();
    let (mut first_new, mut rewritten, mut summarized) = (None, 0, 0);
    for (index, (sent, held)) in sent_tokens(draft).into_iter().zip(held).enumerate() {
        let Some(entry) = history.entries.get(index) else { break };
        let mut change = match () {
            () if is_folded(draft, index) => 3,
            () if is_unread(draft, index) => 4,
            () => 0,
        };
        let mut label = entry.role().name().to_owned();
        for place in history.places(index, index + 1) {
            let part = history.part(place);
            if let (0, Some(action)) = (change, draft.action(place).filter(|action| *action != Action::Pin)) {
                change = if matches!(action, Action::Clear { .. }) { 1 } else { 2 };
            }
            if part.name.is_empty() {
                continue;
            }
            label.push(' ');
            label.push_str(&part.name);
            let (raw, sent) = (u64::from(part.tokens), if change >= 3 { 0 } else { u64::from(draft.part_tokens(place)) });
            match tools.iter_mut().find(|(name, ..)| *name == part.name) {
                Some((_, all_raw, all_sent)) => (*all_raw, *all_sent) = (*all_raw + raw, *all_sent + sent),
                None => tools.push((&part.name, raw, sent)),
            }
        }
        let is_new = sent < *held;
        if is_new {
            first_new = first_new.or(Some(index));
            summarized += if change == 3 { *held } else { 0 };
        }
        if first_new.is_some() {
            rewritten += sent;
        }
        let raw = u64::from(entry.tokens());
        match rows.last_mut() {
            Some(row) if change >= 3 && row.change == change && row.is_new == is_new => row.extend(raw, sent),
            _ => rows.push(Row { first: index, count: 1, raw, sent, label, change, is_new }),
        }
    }
    for row in &rows {
        row.write(&mut table, budget);
    }
    for (name, raw, sent) in tools {
        line(&mut table, budget, "tool", raw, sent, name);
    }
    let checkpoint = if is_folded(draft, draft.start().saturating_sub(1)) { u64::from(draft.checkpoint_tokens()) } else { 0 };
    if checkpoint > 0 {
        line(&mut table, budget, "", 0, checkpoint, "checkpoint");
    }
    let prompt = |estimated: u64| budget.prompt_tokens(estimated);
    let (before, after) = (prompt(held_total), prompt(draft.total()));
    let fit = prompt(u64::from(budget.limit));
    let guessed = prompt(u64::from(budget.certain_limit)).saturating_sub(fit);
    table.push_str(&format!(
        "The prompt has {before} tokens, {} of them system prompt and tools, and would have {after}. Editing starts above {} and ends at {}; \
         {fit} fit{}.\n",
        prompt(0),
        prompt(u64::from(budget.trigger)),
        prompt(u64::from(budget.target)),
        if guessed > 0 { format!(", as {guessed} more are kept for system prompt and tools until their size is known") } else { String::new() }
    ));
    if terms.is_over {
        table.push_str("That is more than fits, and nothing more can give way.\n");
    }
    let rewritten_tokens = if first_new.is_some() { prompt(rewritten + checkpoint).saturating_sub(prompt(0)) } else { 0 };
    match first_new {
        Some(first) => {
            let saved = before.saturating_sub(after);
            let cost = |tokens: u64, price: f64| (tokens as f64 * price) as u64;
            let Prices { cache_read, cache_write, output } = terms.prices;
            let summary = if summarized > 0 && terms.summary_tokens > 0 {
                u64::from(prompt(summarized)).saturating_add(cost(u64::from(terms.summary_tokens), output))
            } else {
                0
            };
            let once = cost(rewritten_tokens.into(), (cache_write - cache_read).max(0.0)).saturating_add(summary);
            let each = cost(u64::from(saved), cache_read);
            table.push_str(&format!(
                "Saves {saved} tokens now and in each later request; the provider's cache is written anew from message {first} on. \
                 Priced as tokens of new input, that costs {once} once{} and saves {each} each time: paid back after {}. \
                 As many steps as so far are to be expected: {}.\n",
                if summary > 0 { ", the summary included," } else { "" },
                match once.div_ceil(each.max(1)) {
                    1 => "1 request".to_owned(),
                    requests => format!("{requests} requests"),
                },
                terms.steps as u64
            ));
        }
        None => table.push_str("Nothing new would happen.\n"),
    }
    Preview { table, rewritten_tokens }
}

/// A message of the table, or neighbours that the same checkpoint stands for.
struct Row {
    first: usize,
    count: usize,
    raw: u64,
    sent: u64,
    label: String,
    change: usize,
    is_new: bool,
}

impl Row {
    fn extend(&mut self, raw: u64, sent: u64) {
        self.count += 1;
        self.raw += raw;
        self.sent += sent;
    }

    fn write(&self, table: &mut String, budget: &Budget) {
        let &Self { first, count, raw, sent, ref label, change, is_new } = self;
        let (index, label) = match count {
            1 => (first.to_string(), label.clone()),
            _ => (format!("{first}-{}", first + count - 1), format!("{count} messages")),
        };
        let before = if (1..4).contains(&change) && !is_new { ", before" } else { "" };
        let change = CHANGES.get(change).copied().unwrap_or_default();
        line(table, budget, &index, raw, sent, &format!("{label}{before}{change}"));
    }
}

/// A line of the table, its numbers pushed to the right.
fn line(table: &mut String, budget: &Budget, index: &str, before: u64, after: u64, label: &str) {
    let provider = |estimated: u64| ((estimated as f64 * budget.ratio).round() as u64).to_string();
    for (value, width) in [(index, 7), (&*provider(before), 10), (&*provider(after), 10)] {
        for _ in value.len()..width {
            table.push(' ');
        }
        table.push_str(value);
    }
    table.push_str("  ");
    table.push_str(label);
    table.push('\n');
}
