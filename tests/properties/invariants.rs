//! The invariants of the design, each a judgement on a recorded run. They know what a conversation truly holds from the generator.
//! Nothing here plans, and nothing trusts what a plan says about itself where it can be measured.

use std::collections::{HashMap, HashSet};

use stepfold::digest::tools::{Keep, Tools};
use stepfold::model::entry::{Entry, Kind, PartEntry, measure};
use stepfold::model::history::{History, Place};
use stepfold::model::message::{Json, Message, Output, Part, Role};
use stepfold::plan::{Behind, CutBecause, Done, Edit, OverBudget, PartChange, Plan};
use stepfold::providers::check::{Rejects, check_messages};
use stepfold::providers::media::MediaLimit;
use stepfold::providers::thinking::Thinking;
use stepfold::run::{Outcomes, RunState, StoredRunState};
use stepfold::settings::{Settings, Threshold};
use stepfold::state::{Action, Checkpoint, STATE_VERSION};
use stepfold::words::bridge::BRIDGE;

use super::generate::{Conversation, Scenario, Semantics};
use super::session::{Engine, List, Origin, PlanArguments, Step, Trace, ask, ask_without, drive, plan_on, read_tokens};

/// What a property says: nothing, or how it is broken.
pub type Verdict = Result<(), String>;

/// A property of a run.
pub type Property = fn(&Conversation, &Trace, &Engine<'_>) -> Verdict;

/// Says what is wrong unless `holds`.
pub fn expect(holds: bool, say: impl FnOnce() -> String) -> Verdict {
    if holds { Ok(()) } else { Err(say()) }
}

/// The steps on which a plan was made, with their numbers.
pub fn planned(trace: &Trace) -> impl Iterator<Item = (usize, &Step, &PlanArguments, &Plan)> {
    trace.steps.iter().enumerate().filter_map(|(number, step)| step.planned.as_ref().map(|(given, plan)| (number, step, given, plan)))
}

/// Whether a plan did more than hold.
pub fn acted(plan: &Plan) -> bool {
    plan.done.iter().any(|done| match done {
        Done::Capped { results, .. } | Done::Cleared { results } | Done::OffersWithdrawn { results } | Done::AgedImages { results } => {
            !results.is_empty()
        }
        Done::Folded { .. } => true,
        Done::Squeezed { results, folded } => !results.is_empty() || *folded,
        // Goes with one of these, or with a change that the app made.
        Done::DroppedReasoning { .. }
        | Done::LostCheckpoint { .. }
        | Done::Pinned { .. }
        | Done::Released { .. }
        | Done::Rejected { .. }
        | Done::OverBudget { .. }
        | Done::StoodDown { .. } => false,
    })
}

fn squeezed(plan: &Plan) -> bool {
    plan.done.iter().any(|done| matches!(done, Done::Squeezed { .. }))
}

/// Whether new results were cut because the window has no room for them: squeezing does that, too.
fn cuts_new_results(plan: &Plan) -> bool {
    plan.done.iter().any(|done| matches!(done, Done::Capped { because: CutBecause::Window, .. }))
}

/// 1. Pairs: what belongs together is kept or folded together, and nothing is rejected that was not rejected before.
pub fn pairs(conversation: &Conversation, trace: &Trace, _: &Engine<'_>) -> Verdict {
    for (number, step) in trace.steps.iter().enumerate() {
        let unedited = step.list.length == step.sent.length && step.planned.as_ref().is_some_and(|(_, plan)| plan.edits.is_empty());
        if unedited {
            continue;
        }
        let raw = &conversation.messages[..step.raw_length];
        // A provider's own search means nothing to another provider, whose package leaves it out.
        let foreign = |part: &Part| matches!(part, Part::Call(call) if call.provider_executed);
        let of_one = |(message, origin): (&Message, &Origin)| *origin == Origin::Ours && message.parts.first().is_some_and(foreign);
        let sent: Vec<Message> =
            step.sent.messages().iter().zip(step.sent.origins()).filter(|it| !of_one(*it)).map(|(message, _)| message.clone()).collect();
        no_new_violation(conversation, raw, &sent).map_err(|error| format!("step {number}: {error}"))?;
        let folded = step.sent.folded();
        for (a, b) in &conversation.links {
            expect(*b >= step.raw_length || (*a < folded) == (*b < folded), || {
                format!("step {number}: messages {a} and {b} belong together, but the fold ends at {folded}")
            })?;
        }
        // Every pair that is not folded is still a pair, with its ids and names.
        let index: HashMap<usize, usize> = step
            .sent
            .origins()
            .iter()
            .enumerate()
            .filter_map(|(at, origin)| if let Origin::Raw(raw) = origin { Some((*raw, at)) } else { None })
            .collect();
        for (call, result) in conversation.pairs.iter().filter(|(_, result)| result.message < step.raw_length) {
            let part = |place: &Place| {
                let (raw, sent) = (&raw[place.message].parts, &step.sent.messages().get(*index.get(&place.message)?)?.parts);
                // Reasoning may be left out.
                let missing = if sent.len() < raw.len() { raw[..place.part].iter().filter(|part| is_reasoning(part)).count() } else { 0 };
                sent.get(place.part - missing)
            };
            match (part(call), part(result)) {
                (None, None) => {}
                (Some(Part::Call(call)), Some(Part::Result(result))) if call.id == result.id && call.name == result.name => {
                    expect(call.input.trim_start().starts_with('{'), || format!("step {number}: the input of {} is no object", call.id))?;
                }
                _ => {
                    return Err(format!("step {number}: the pair {call:?} {result:?} is broken"));
                }
            }
        }
    }
    Ok(())
}

/// Whether a message is reasoning and nothing else.
fn is_thought(message: &Message) -> bool {
    !message.parts.is_empty() && message.parts.iter().all(is_reasoning)
}

fn is_reasoning(part: &Part) -> bool {
    matches!(part, Part::Reasoning { .. })
}

/// Reasoning that may be one item with the text beside it.
fn is_unsigned(part: &Part) -> bool {
    matches!(part, Part::Reasoning { leads_loop: false, .. })
}

fn no_new_violation(conversation: &Conversation, before: &[Message], after: &[Message]) -> Verdict {
    let count = |messages: &[Message]| {
        let mut rules: HashMap<(Rejects, &str), usize> = HashMap::new();
        for violation in check_messages(messages) {
            let rule = if conversation.scenario.malformed { "" } else { violation.rule };
            *rules.entry((violation.rejected_by, rule)).or_default() += 1;
        }
        rules
    };
    let (had, has) = (count(before), count(after));
    // Only OpenAI reads its item, and it takes a list that begins with it.
    let is_item = |part: &Part| matches!(part, Part::Opaque { native_compaction: true, .. });
    let begins_with_item =
        after.iter().find(|message| message.role != Role::System).is_some_and(|message| message.parts.iter().any(is_item));
    for ((by, rule), times) in has.into_iter().filter(|((_, rule), _)| !(begins_with_item && *rule == "first-not-user")) {
        let allowed = had.get(&(by, rule)).copied().unwrap_or(0);
        // In a list that is rejected anyway a cut may change what is wrong with it, but not make it wrong for somebody else.
        let everyone = had.get(&(Rejects::Everyone, rule)).copied().unwrap_or(0);
        let excused = conversation.scenario.malformed && (allowed > 0 || everyone > 0);
        expect(excused || times <= allowed, || format!("{by:?} rejects `{rule}` {times} times, before it were {allowed}"))?;
    }
    Ok(())
}

/// 2. Tail: only cap, ageing images and squeeze touch what is newest; clearing also spares what is to be kept and errors that are still open.
pub fn tail(conversation: &Conversation, trace: &Trace, _: &Engine<'_>) -> Verdict {
    let mut held: HashSet<(Place, String)> = HashSet::new();
    let mut folded = 0;
    for (number, step, given, plan) in planned(trace) {
        let at = |place: &Place| match step.list.origins()[place.message] {
            Origin::Raw(message) => Place { message, part: place.part },
            Origin::Fold(_) | Origin::Ours => *place,
        };
        let allowed: HashSet<(usize, &str)> = plan
            .done
            .iter()
            .filter_map(|done| match done {
                // That no offer stands is worth the edit wherever it stands.
                Done::Capped { results, .. }
                | Done::Squeezed { results, .. }
                | Done::AgedImages { results }
                | Done::OffersWithdrawn { results } => Some(results),
                _ => None,
            })
            .flatten()
            .map(|result| (result.message_index, result.call_id.as_str()))
            .collect();
        let start = if squeezed(plan) {
            newest_unit(conversation, step)
        } else {
            tail_start(conversation, step, number.checked_sub(1).map(|before| &trace.steps[before]), folded)
        }
        .min(last_cut(conversation, step, given.keep_from));
        for edit in &plan.edits {
            match edit {
                Edit::Part { place, change, .. } => {
                    let is_new = held.insert((at(place), format!("{change:?}")));
                    let entry = &step.list.entries()[place.message].parts[place.part];
                    if is_new && !allowed.contains(&(place.message, entry.id.as_str())) {
                        expect(place.message < start, || {
                            format!(
                                "step {number}: message {} was edited, the tail starts at {start} {edit:?} {:?}",
                                place.message, plan.done
                            )
                        })?;
                        may_clear(conversation, step, *place).map_err(|error| format!("step {number}: {error}"))?;
                    }
                }
                Edit::Checkpoint { end, .. } => {
                    let covered = step.sent.folded();
                    expect(covered <= folded || *end <= start, || {
                        format!("step {number}: folded up to {end}, the tail starts at {start}")
                    })?;
                    folded = folded.max(covered);
                }
                Edit::Bridge { .. } | Edit::LeaveOut { .. } => {}
            }
        }
    }
    Ok(())
}

/// What is to be kept and open errors are not for clearing.
fn may_clear(conversation: &Conversation, step: &Step, place: Place) -> Verdict {
    let Some(Part::Result(result)) = step.list.messages()[place.message].parts.get(place.part) else {
        return Ok(());
    };
    let tools = Tools { rules: &conversation.scenario.options.tools, ..Tools::default() };
    expect(tools.keep(&result.name) != Keep::Always, || format!("a result of {}, which is to be kept, was cleared", result.name))?;
    let later = step.list.messages()[place.message..].iter().flat_map(|message| &message.parts);
    let resolved = later.filter(|part| matches!(part, Part::Result(other) if other.name == result.name)).count() > 1;
    expect(!result.output.is_error() || resolved, || format!("the error {} is still open but was cleared", result.id))
}

/// Where a list may be cut, by the generator's truth.
fn cuts(conversation: &Conversation, list: &List) -> Vec<usize> {
    let first = list.messages().iter().take_while(|message| message.role == Role::System).count();
    let raw = |index: usize| match list.origins()[index] {
        Origin::Raw(raw) => raw,
        Origin::Fold(end) => end - 1,
        // Behind a checkpoint it may be cut anywhere.
        Origin::Ours => usize::MAX,
    };
    let is_listed = |message: usize| !is_thought(&conversation.messages[message]) || list.origins().contains(&Origin::Raw(message));
    (first..list.length)
        .filter(|index| list.origins()[*index] != Origin::Ours)
        .filter(|index| match list.messages()[*index].role {
            Role::User | Role::System => true,
            Role::Assistant => {
                *index == 0 || list.messages()[index - 1].role != Role::Assistant || list.origins()[index - 1] == Origin::Ours
            }
            Role::Tool | Role::Unknown => false,
        })
        .filter(|index| {
            // A message of reasoning alone may be left out; what follows it then begins a step.
            let mut links = conversation.links.iter().filter(|(a, _)| is_listed(*a));
            links.all(|(a, b)| raw(*index) <= *a || raw(*index) > *b)
        })
        .collect()
}

/// Start of what is never folded: the newest unit, with the step before it while the model has not seen its results.
fn newest_unit(conversation: &Conversation, step: &Step) -> usize {
    let unseen = unseen_results(&step.list).next().map_or(step.list.length, |place| place.message);
    cuts(conversation, &step.list).into_iter().rfind(|cut| *cut <= unseen).unwrap_or(0)
}

/// The results that the model has not seen yet: those behind its newest message.
fn unseen_results(list: &List) -> impl Iterator<Item = Place> + '_ {
    let is_ours = |at: usize| list.origins()[at] == Origin::Ours;
    let is_answer = |at: &usize| list.messages()[*at].role == Role::Assistant && !is_ours(*at);
    let answered = (0..list.length).rfind(is_answer).map_or(0, |newest| newest + 1);
    let messages =
        list.messages().iter().enumerate().skip(answered).filter(move |(at, message)| message.role == Role::Tool && !is_ours(*at));
    messages.flat_map(|(message, content)| {
        let results = content.parts.iter().enumerate().filter(|(_, part)| matches!(part, Part::Result(_)));
        results.map(move |(part, _)| Place { message, part })
    })
}

/// Where a message of the list is sent; nowhere when it is folded.
fn sent_at(step: &Step, message: usize) -> Option<usize> {
    step.sent.origins().iter().position(|origin| *origin == step.list.origins()[message])
}

/// 12. Newest result intact: what the model has not seen is never folded, cleared or emptied. What is cut keeps head and tail; only images
/// and files go whole, and the result says so.
pub fn newest_intact(conversation: &Conversation, trace: &Trace, _: &Engine<'_>) -> Verdict {
    if conversation.scenario.malformed {
        return Ok(());
    }
    // What was cut to share a small room stays cut when there turns out to be more.
    let mut shared_once: HashSet<Place> = HashSet::new();
    for (number, step, _, _) in planned(trace) {
        let mut shared = step.sent.tokens();
        for place in unseen_results(&step.list) {
            let at = sent_at(step, place.message).ok_or_else(|| format!("step {number}: the new result {place:?} is folded"))?;
            let tokens = |list: &List, message: usize| list.entries()[message].parts[place.part].tokens;
            shared += u64::from(tokens(&step.list, place.message).min(SHARED_FROM_TOKENS).saturating_sub(tokens(&step.sent, at)));
        }
        // Of very many results each keeps less: with more each they would not fit.
        let is_shared = shared > u64::from(step.budget.limit);
        for place in unseen_results(&step.list) {
            let at = sent_at(step, place.message).unwrap();
            let text = |list: &List, message: usize| match &list.messages()[message].parts[place.part] {
                Part::Result(result) => result.output.to_text(),
                _ => String::new(),
            };
            let (before, after) = (text(&step.list, place.message), text(&step.sent, at));
            let tokens = step.sent.entries()[at].parts[place.part].tokens;
            let raw = match step.list.origins()[place.message] {
                Origin::Raw(message) => Place { message, part: place.part },
                Origin::Fold(_) | Origin::Ours => place,
            };
            if is_shared {
                shared_once.insert(raw);
            }
            let least = if shared_once.contains(&raw) { LEAST_SHARED_TOKENS } else { LEAST_UNSEEN_TOKENS };
            let kept = step.list.entries()[place.message].parts[place.part].tokens.min(least);
            // JSON that is only a text stands as that text, which takes less without anything missing.
            let is_whole = before == after || !after.contains("left out");
            let says_what_is_missing =
                after.contains(" left out: too large for") || after.contains(" left out: more than a request may hold");
            expect(!after.starts_with("[Old result") && (is_whole || tokens >= kept || says_what_is_missing), || {
                format!("step {number}: of the new result {place:?} {tokens} tokens are left, {kept} should be: {after}")
            })?;
        }
    }
    Ok(())
}

/// 14. Arrival: a new result that fits once the rest has given way is sent whole at the step it arrives.
pub fn arrival(conversation: &Conversation, trace: &Trace, _: &Engine<'_>) -> Verdict {
    if conversation.scenario.malformed || conversation.scenario.options.max_result_tokens.is_some() {
        return Ok(());
    }
    for (number, step, given, _) in planned(trace) {
        let sent_before = number.checked_sub(1).map_or(0, |before| trace.steps[before].raw_length);
        let (mut others, mut whole, mut cut) = (step.sent.tokens(), 0, None);
        for place in unseen_results(&step.list) {
            let Some(at) = sent_at(step, place.message) else {
                continue;
            };
            let tokens = |list: &List, message: usize| u64::from(list.entries()[message].parts[place.part].tokens);
            others -= tokens(&step.sent, at);
            whole += tokens(&step.list, place.message);
            let is_new = matches!(step.list.origins()[place.message], Origin::Raw(raw) if raw >= sent_before);
            let is_cut = |message: &Message| matches!(&message.parts[place.part], Part::Result(result) if result.output.to_text().contains("left out by stepfold"));
            if is_new && is_cut(&step.sent.messages()[at]) && !is_cut(&step.list.messages()[place.message]) {
                cut = Some(place);
            }
        }
        let Some(place) = cut else { continue };
        let saving = sure_saving(conversation, step, given, |role, is_unseen| role != Role::User && !is_unseen);
        let (least, room) = (
            others.saturating_sub(saving) + whole,
            u64::from(step.budget.squeeze_above.saturating_sub(step.budget.uncertainty_of_new(whole))),
        );
        expect(least > room, || {
            format!(
                "step {number}: the new result {place:?} is cut, but {others} tokens of others could give way by {saving}: {least} of {room}"
            )
        })?;
    }
    Ok(())
}

/// 13. The user's words are cut only when nothing else can give way, and only if the prompt then fits.
pub fn words_last(conversation: &Conversation, trace: &Trace, _: &Engine<'_>) -> Verdict {
    if conversation.scenario.malformed {
        return Ok(());
    }
    for (number, step, given, plan) in planned(trace) {
        let history = History::new(step.list.entries(), &given.state);
        let is_new = |place: &Place| given.state.decisions.iter().all(|decision| decision.fingerprint != history.fingerprint(*place));
        let cut = plan.edits.iter().find_map(|edit| match edit {
            Edit::Part { place, change: PartChange::Text { .. }, .. } if is_words(step, place) && is_new(place) => Some(place),
            _ => None,
        });
        let Some(place) = cut else { continue };
        let (tokens, limit) = (step.sent.tokens(), u64::from(step.budget.limit));
        expect(tokens <= limit, || {
            format!("step {number}: the user's words at {place:?} are cut in vain, {tokens} tokens are sent, the limit is {limit}")
        })?;
        let others = sure_saving(conversation, step, given, |role, _| role != Role::User);
        expect(others == 0, || format!("step {number}: the user's words at {place:?} are cut, but {others} tokens of others could go"))?;
    }
    Ok(())
}

fn is_words(step: &Step, place: &Place) -> bool {
    let message = &step.list.messages()[place.message];
    message.role == Role::User && matches!(message.parts[place.part], Part::Text { .. })
}

/// What a checkpoint says more of a picture that stands behind it than of one that is gone.
const SAID_OF_MEDIA_TOKENS: u64 = 12;

/// 19. The turn at hand: what the user attached to the message that is being answered leaves after everything else that can.
pub fn turn_last(conversation: &Conversation, trace: &Trace, _: &Engine<'_>) -> Verdict {
    if conversation.scenario.malformed || conversation.scenario.options.media_limit != MediaLimit::default() {
        return Ok(());
    }
    let mut before = (0, 0);
    for (number, step, given, _) in planned(trace) {
        let raw = &conversation.messages[..step.raw_length];
        let turn = turn_of(raw);
        let attached = raw[turn..].iter().filter(|message| message.role == Role::User).flat_map(|message| &message.parts).filter(is_media);
        let count = |list: &[Message], media: &Part| list.iter().flat_map(|message| &message.parts).filter(|part| *part == media).count();
        let missing: Vec<&Part> = attached.filter(|media| count(step.sent.messages(), media) < count(&raw[turn..], media)).collect();
        let was_missing = if before.0 == turn { before.1 } else { 0 };
        before = (turn, missing.len());
        if missing.len() > was_missing {
            // With the one that left last, and what is said of it then, the prompt would not fit, whatever else gave way.
            let tokens = missing.last().map_or(0, |part| part_tokens(part)) + SAID_OF_MEDIA_TOKENS;
            let others = sure_saving(conversation, step, given, |role, _| role != Role::User);
            let (least, limit) = ((step.sent.tokens() + tokens).saturating_sub(others), u64::from(step.budget.limit));
            expect(least > limit, || {
                format!(
                    "step {number}: {} of what the user attached is not sent, but {others} tokens of others could go: {least} of {limit}",
                    missing.len()
                )
            })?;
        }
    }
    Ok(())
}

fn part_tokens(part: &Part) -> u64 {
    let message = Message { role: Role::User, parts: vec![part.clone()], marker: None, has_cache_mark: false, carried: None };
    u64::from(measure(&message).parts[0].tokens)
}

fn is_media(part: &&Part) -> bool {
    matches!(part, Part::Media(_))
}

/// Where the newest turn begins: behind the newest answer of the model that results do not follow.
fn turn_of(messages: &[Message]) -> usize {
    let said = |at: &usize| [Role::User, Role::Assistant, Role::Tool].contains(&messages[*at].role);
    let is_start = |at: &usize| {
        let before = (0..*at).rfind(said);
        messages[*at].role == Role::User && before.is_none_or(|before| messages[before].role == Role::Assistant)
    };
    (0..messages.len()).rfind(is_start).unwrap_or(0)
}

fn last_cut(conversation: &Conversation, step: &Step, keep_from: usize) -> usize {
    if keep_from >= step.list.length {
        return keep_from;
    }
    cuts(conversation, &step.list).into_iter().rfind(|cut| *cut <= keep_from).unwrap_or(keep_from)
}

/// First message of the protected tail, from what was sent and the options. A turn whose start is folded already is no turn any more.
fn tail_start(conversation: &Conversation, step: &Step, previous: Option<&Step>, folded: usize) -> usize {
    if conversation.scenario.malformed {
        return step.list.length;
    }
    let options = &conversation.scenario.options;
    let cuts = cuts(conversation, &step.list);
    // As it was sent before, and what is new as it came.
    let mut before: HashMap<Origin, u64> = HashMap::new();
    for list in [Some(&step.list), previous.map(|step| &step.sent)].into_iter().flatten() {
        before.extend(list.origins().iter().copied().zip(list.entries().iter().map(|entry| u64::from(entry.tokens()))));
    }
    let tokens = |from: usize| step.list.origins()[from..].iter().map(|origin| before[origin]).sum::<u64>();
    let mut start = cuts.last().copied().unwrap_or(0);
    start = cuts.iter().copied().filter(|cut| tokens(*cut) <= u64::from(step.budget.keep_recent)).min().unwrap_or(start).min(start);
    if options.keep_recent_messages > 0 {
        let wanted = step.list.length.saturating_sub(options.keep_recent_messages as usize);
        start = start.min(cuts.iter().copied().rfind(|cut| *cut <= wanted).unwrap_or(0));
    }
    if options.keep_recent_turns > 0 {
        let is_turn = |cut: &usize| {
            step.list.messages()[*cut].role == Role::User && matches!(step.list.origins()[*cut], Origin::Raw(raw) if raw >= folded)
        };
        let turns: Vec<usize> = cuts.iter().copied().filter(is_turn).collect();
        start = start.min(turns.get(turns.len().saturating_sub(options.keep_recent_turns as usize)).copied().unwrap_or(start));
    }
    start
}

/// 3. Untouched means untouched: what no edit names is sent as it came, and an edit changes only what it says.
pub fn untouched(_: &Conversation, trace: &Trace, _: &Engine<'_>) -> Verdict {
    for (number, step, _, plan) in planned(trace) {
        let list = step.list.messages();
        let mut expected = list.to_vec();
        let (mut fold, mut emptied, mut bridges) = (None, Vec::new(), Vec::new());
        for edit in &plan.edits {
            match edit {
                Edit::Part { place, id, change } => {
                    let part = &mut expected[place.message].parts[place.part];
                    may_change(&step.list.entries()[place.message], list, *place, &plan.edits)
                        .map_err(|error| format!("step {number}: {error}"))?;
                    match (part, change) {
                        (Part::Result(result), PartChange::Output { text, is_error }) => {
                            expect(*is_error == result.output.is_error(), || {
                                format!("step {number}: {} changes sides between error and result", result.id)
                            })?;
                            result.output = if *is_error { Output::ErrorText(text.clone()) } else { Output::Text(text.clone()) };
                            result.marker = Some(id.clone());
                        }
                        (Part::Call(call), PartChange::Input { json }) => call.input.clone_from(json),
                        (Part::Text { text: old, .. }, PartChange::Text { text }) => old.clone_from(text),
                        (part @ Part::Media(_), PartChange::Text { text }) => {
                            *part = Part::Text { text: text.clone(), native_compaction: false, marker: Some(id.clone()) };
                        }
                        (part, change) => {
                            return Err(format!("step {number}: {change:?} does not fit {part:?}"));
                        }
                    }
                }
                Edit::LeaveOut { message, parts } => {
                    let whole = list[*message].parts.clone();
                    let kept = (0..whole.len()).filter(|part| !parts.contains(part));
                    expect(parts.iter().all(|part| is_reasoning(&whole[*part])), || {
                        format!("step {number}: more than reasoning is left out of message {message}")
                    })?;
                    expected[*message].parts = kept.map(|part| expected[*message].parts[part].clone()).collect();
                    emptied.extend(expected[*message].parts.is_empty().then_some(*message));
                }
                Edit::Bridge { before, .. } => bridges.push(*before),
                Edit::Checkpoint { start, end, block, behind, id, text, copies } => {
                    expect(fold.is_none(), || format!("step {number}: two checkpoints at once"))?;
                    let mut parts = vec![Part::text(text.clone())];
                    parts.extend(copies.iter().map(|place| list[place.message].parts[place.part].clone()));
                    fold = Some((
                        *start,
                        *end,
                        block.clone(),
                        behind.clone(),
                        Message { role: Role::User, parts, marker: Some(id.clone()), has_cache_mark: false, carried: None },
                    ));
                }
            }
        }
        let mut expected: Vec<Option<Message>> = expected.into_iter().map(Some).collect();
        for message in emptied {
            expected[message] = None;
        }
        let whole = expected.clone();
        for before in bridges.into_iter().rev() {
            expected.insert(before, Behind::Bridge { text: BRIDGE }.message(list));
        }
        if let Some((start, end, block, behind, checkpoint)) = fold {
            let before = whole[block].to_vec();
            let kept = behind.iter().map(|behind| match behind {
                Behind::Message { message } => whole[*message].clone(),
                _ => behind.message(list),
            });
            expected.splice(start..end, before.into_iter().chain([Some(checkpoint)]).chain(kept.collect::<Vec<_>>()));
        }
        let expected: Vec<Message> = expected.into_iter().flatten().collect();
        if let Some(at) = (0..expected.len().max(step.sent.length)).find(|at| expected.get(*at) != step.sent.messages().get(*at)) {
            return Err(format!(
                "step {number}: message {at} is sent as {:?}, expected {:?}",
                step.sent.messages().get(at),
                expected.get(at)
            ));
        }
    }
    Ok(())
}

/// What the provider wrote, signed or defined is not for editing.
fn may_change(entry: &Entry, list: &[Message], place: Place, edits: &[Edit]) -> Verdict {
    let message = &list[place.message];
    let is_left_out = edits.iter().any(|edit| matches!(edit, Edit::LeaveOut { message, .. } if *message == place.message));
    let reasons = !is_left_out && message.parts.iter().any(is_unsigned);
    let allowed = match &message.parts[place.part] {
        Part::Result(result) => message.role == Role::Tool && !result.provider_executed && entry.parts[place.part].replaceable,
        Part::Call(call) => !call.provider_executed && call.caller.is_none(),
        Part::Text { native_compaction, .. } => {
            !native_compaction && !(reasons && message.role == Role::Assistant) && message.role != Role::System
        }
        Part::Media(_) => message.role == Role::User || message.role == Role::Assistant,
        _ => false,
    };
    expect(allowed, || format!("the part {place:?} must not be edited: {:?}", message.parts[place.part]))
}

/// 4. Append-stable: between two declared edits what was sent is a prefix of what is sent next. A cap is no excuse: it only
/// touches what was never sent, or what nothing tells was sent.
pub fn append_stable(conversation: &Conversation, trace: &Trace, _: &Engine<'_>) -> Verdict {
    for (number, pair) in trace.steps.windows(2).enumerate() {
        let declared = pair[1].planned.as_ref().is_some_and(|(given, plan)| {
            plan.done.iter().any(|done| match done {
                Done::Cleared { results } | Done::OffersWithdrawn { results } | Done::AgedImages { results } => !results.is_empty(),
                Done::Folded { .. } | Done::Squeezed { .. } | Done::DroppedReasoning { .. } | Done::LostCheckpoint { .. } => true,
                // After a restart without a state nothing is known to have been sent.
                Done::Capped { .. } => given.state.planned_parts == 0,
                Done::Pinned { .. } | Done::Released { .. } | Done::Rejected { .. } | Done::OverBudget { .. } | Done::StoodDown { .. } => {
                    false
                }
            })
        });
        // A cut in a call or a text leaves no marker: in a carried list the engine cannot tell what it sent.
        let is_lost = conversation.scenario.semantics == Semantics::Carry
            && planned(trace).take(number + 1).any(|(_, _, _, plan)| cuts_unmarked(plan));
        // Another model may be sent other thoughts, and has nothing cached.
        let thinking = |step: usize| Thinking::of(conversation.scenario.models[usize::from(conversation.stops[step].switched)]);
        let is_other = thinking(number) != thinking(number + 1) || pair[0].sent.blocks != pair[1].sent.blocks;
        if declared || is_lost || is_other || conversation.scenario.malformed {
            continue;
        }
        // What stands before a block is not read any more.
        let behind = |list: &List, from: Origin| list.origins().iter().position(|origin| *origin == from);
        let first = pair[1].sent.origins().get(pair[1].sent.first()).copied();
        let has_block = pair[1].sent.block().is_some_and(|block| block == pair[1].sent.first());
        let (mut before, mut after) = (pair[0].sent.messages(), pair[1].sent.messages());
        if let Some(first) = first.filter(|_| has_block) {
            let Some(from) = behind(&pair[0].sent, first) else { continue };
            (before, after) = (&before[from..], &after[pair[1].sent.first()..]);
        }
        // A restart loses the run, and the state that is left was kept at the last plan. When a glance came after it, all that tells what
        // the glance sent is the model's answer: results without one (the run was cut off, then the user went on) may be capped.
        let is_forgotten = conversation.scenario.semantics == Semantics::Restart
            && conversation.stops[number + 1].restarts
            && pair[0].planned.is_none()
            && caps(&pair[1]);
        let answered = after.iter().rposition(|message| message.role == Role::Assistant).map_or(0, |newest| newest + 1);
        let stable = if is_forgotten { answered.min(before.len()) } else { before.len() };
        if let Some(at) = (0..stable).find(|at| after.get(*at) != Some(&before[*at])) {
            return Err(format!(
                "step {}: message {at} changes without a declared edit from {:?} to {:?}",
                number + 1,
                before[at],
                after.get(at)
            ));
        }
    }
    Ok(())
}

fn caps(step: &Step) -> bool {
    step.planned.as_ref().is_some_and(|(_, plan)| plan.done.iter().any(|done| matches!(done, Done::Capped { .. })))
}

/// Bound thoughts: what a model that binds its thoughts is sent holds none whose prefix is another than it was made with, and none
/// that follows one left out.
pub fn bound_thoughts(conversation: &Conversation, trace: &Trace, _: &Engine<'_>) -> Verdict {
    if conversation.scenario.malformed {
        return Ok(());
    }
    // Parts without reasoning, which is no part of a prefix.
    let said = |messages: &[Message]| -> Vec<(Role, Part)> {
        let parts = messages.iter().flat_map(|message| message.parts.iter().map(|part| (message.role, part.clone())));
        parts.filter(|(_, part)| !is_reasoning(part)).collect()
    };
    let sent: Vec<Vec<(Role, Part)>> = trace.steps.iter().map(|step| said(step.sent.messages())).collect();
    for (number, step) in trace.steps.iter().enumerate() {
        let stop = &conversation.stops[number];
        let is_lost = conversation.scenario.semantics == Semantics::Carry
            && planned(trace).take_while(|(at, ..)| *at <= number).any(|(_, _, _, plan)| cuts_unmarked(plan));
        if Thinking::of(conversation.scenario.models[usize::from(stop.switched)]) != Thinking::Bound || is_lost {
            continue;
        }
        let thoughts = |message: usize| conversation.messages[message].parts.iter().filter(|part| is_reasoning(part)).count();
        let mut leaves_out = false;
        // From the newest to the oldest: once one is left out, all older ones are.
        for (at, message) in step.sent.messages().iter().enumerate().rev() {
            let Origin::Raw(raw) = step.sent.origins()[at] else {
                break;
            };
            if step.sent.block().is_some() && at < step.sent.first() {
                break;
            }
            let kept = message.parts.iter().filter(|part| is_reasoning(part)).count();
            expect(kept == 0 || kept == thoughts(raw) && !leaves_out, || {
                format!("step {number}: message {raw} keeps a thought behind a gap")
            })?;
            leaves_out |= kept < thoughts(raw);
            if kept == 0 {
                continue;
            }
            // The request that brought it is the last one before it.
            let made =
                conversation.stops.iter().rposition(|stop| stop.end <= raw).ok_or_else(|| format!("message {raw} was never asked for"))?;
            let (mut expected, mut now) = (sent[made].clone(), said(&step.sent.messages()[..at]));
            expected.extend(said(&conversation.messages[conversation.stops[made].end..raw]));
            let first = message.parts.iter().position(is_reasoning).unwrap_or(0);
            for list in [&mut expected, &mut now] {
                list.extend(message.parts[..first].iter().map(|part| (message.role, part.clone())));
                // Nothing before the newest block is read.
                let is_block =
                    |(role, part): &(Role, Part)| *role == Role::Assistant && matches!(part, Part::Text { native_compaction: true, .. });
                list.drain(..list.iter().rposition(is_block).unwrap_or(0));
            }
            if let Some(differs) = (0..expected.len().max(now.len())).find(|part| expected.get(*part) != now.get(*part)) {
                return Err(format!(
                    "step {number}: the thought in message {raw} was made behind {:?}, now stands behind {:?} (part {differs})",
                    expected.get(differs),
                    now.get(differs)
                ));
            }
        }
    }
    Ok(())
}

/// 5. Never larger: no edit, and no plan, that does not save tokens.
pub fn never_larger(_: &Conversation, trace: &Trace, _: &Engine<'_>) -> Verdict {
    for (number, step, _, plan) in planned(trace) {
        let at = |index: usize| step.sent.origins().iter().position(|origin| *origin == step.list.origins()[index]);
        for edit in &plan.edits {
            match edit {
                Edit::Part { place, .. } => {
                    let Some(index) = at(place.message) else {
                        continue;
                    };
                    let (before, sent) = (&step.list.entries()[place.message].parts, &step.sent.entries()[index].parts);
                    let is_thought = |part: &&PartEntry| part.kind == Kind::Reasoning;
                    let missing = if sent.len() < before.len() { before[..place.part].iter().filter(is_thought).count() } else { 0 };
                    let (before, after) = (&before[place.part], &sent[place.part - missing]);
                    expect(after.tokens < before.tokens, || {
                        format!(
                            "step {number}: part {place:?} grows from {} to {} tokens: {:?}",
                            before.tokens,
                            after.tokens,
                            step.sent.messages()[index].parts
                        )
                    })?;
                }
                Edit::Bridge { .. } | Edit::LeaveOut { .. } => {}
                Edit::Checkpoint { start, end, block, behind, .. } => {
                    let before: u64 = step.list.entries()[*start..*end].iter().map(|entry| u64::from(entry.tokens())).sum();
                    let after: u64 = step.sent.entries()[*start..=start + block.len() + behind.len()]
                        .iter()
                        .map(|entry| u64::from(entry.tokens()))
                        .sum();
                    expect(after < before, || format!("step {number}: a checkpoint of {after} tokens stands for {before}"))?;
                }
            }
        }
        // A message of the user behind a fold needs a bridge, whatever that takes.
        let bridges = plan.edits.iter().filter(|edit| matches!(edit, Edit::Bridge { .. })).count() as u64;
        let bridge = Behind::Bridge { text: BRIDGE }.message(&[]).map_or(0, |bridge| u64::from(measure(&bridge).tokens()));
        let (before, after) = (step.list.tokens() + bridges * bridge, step.sent.tokens());
        expect(after <= before, || format!("step {number}: {before} tokens became {after}"))?;
        expect(!acted(plan) || plan.estimated_after < plan.estimated_before, || {
            format!("step {number}: {:?} and yet {} tokens became {}", plan.done, plan.estimated_before, plan.estimated_after)
        })?;
        // What is newly folded, in the form in which it would have been sent without the fold.
        let covered = step.sent.folded();
        let previous = if number == 0 { None } else { Some(&trace.steps[number - 1].sent) };
        if let Some(previous) = previous.filter(|previous| covered > previous.folded()) {
            let sent_before: u64 = previous
                .origins()
                .iter()
                .zip(previous.entries())
                .filter(|(origin, _)| match origin {
                    Origin::Raw(index) => *index < covered && !is_lead(&step.list, *index),
                    Origin::Fold(_) | Origin::Ours => true,
                })
                .map(|(_, entry)| u64::from(entry.tokens()))
                .sum();
            let added: u64 = step
                .list
                .origins()
                .iter()
                .zip(step.list.entries())
                .filter(
                    |(origin, _)| matches!(origin, Origin::Raw(index) if *index < covered && *index >= trace.steps[number - 1].raw_length),
                )
                .map(|(_, entry)| u64::from(entry.tokens()))
                .sum();
            let checkpoint: u64 = step
                .sent
                .origins()
                .iter()
                .zip(step.sent.entries())
                .filter(|(origin, _)| matches!(origin, Origin::Fold(_) | Origin::Ours))
                .map(|(_, entry)| u64::from(entry.tokens()))
                .sum();
            expect(checkpoint < sent_before + added, || {
                format!("step {number}: folding made {} tokens into {checkpoint}", sent_before + added)
            })?;
        }
    }
    Ok(())
}

fn is_lead(list: &List, raw: usize) -> bool {
    list.messages().iter().take_while(|message| message.role == Role::System).count() > raw
}

/// 6. Prediction: the plan's and the run's token numbers are those of a fresh measurement.
pub fn prediction(conversation: &Conversation, trace: &Trace, _: &Engine<'_>) -> Verdict {
    let fresh = |list: &List| read_tokens(&list.messages().iter().map(measure).collect::<Vec<_>>(), list.blocks);
    for (number, step) in trace.steps.iter().enumerate() {
        let sent = step.sent.tokens();
        if let (Some(begun), Some((_, plan))) = (&step.begun, &step.planned) {
            expect(*begun == step.run && plan.done.is_empty() && plan.edits.is_empty(), || {
                format!("step {number}: began without a plan as {begun:?}, with one as {:?} after {:?}", step.run, plan.done)
            })?;
        }
        if let Some((_, plan)) = &step.planned {
            expect(plan.estimated_raw == step.list.tokens(), || {
                format!("step {number}: raw is {}, predicted {}", step.list.tokens(), plan.estimated_raw)
            })?;
            expect(plan.estimated_after == sent, || format!("step {number}: sent {sent} tokens, predicted {}", plan.estimated_after))?;
        }
        expect(step.run.sent_estimated == sent as f64, || {
            format!("step {number}: sent {sent} tokens, the run says {}", step.run.sent_estimated)
        })?;
        if conversation.scenario.semantics != Semantics::Carry {
            let raw = read_tokens(&conversation.entries[..step.raw_length], step.list.blocks);
            expect(step.run.raw_estimated == raw as f64, || {
                format!("step {number}: raw {raw} tokens, the run says {}", step.run.raw_estimated)
            })?;
        }
    }
    // Once without any reuse of entries.
    trace.steps.last().map_or(Ok(()), |step| {
        let (sent, measured) = (step.sent.tokens(), fresh(&step.sent));
        expect(sent == measured, || format!("entries say {sent} tokens, a fresh measurement {measured}"))
    })
}

/// 7. Idempotence: planning what was just planned, raw or applied, changes nothing.
pub fn idempotence(conversation: &Conversation, trace: &Trace, engine: &Engine<'_>) -> Verdict {
    if conversation.scenario.malformed {
        return Ok(());
    }
    for (number, step, given, plan) in planned(trace).filter(|(_, _, _, plan)| acted(plan)) {
        let mut again = PlanArguments { state: plan.state.clone(), summary: None, ..given.clone() };
        // A turn whose start is folded is no turn any more: when squeezing folds one, the next plan has another tail.
        let folds_turns = plan.done.iter().any(|done| matches!(done, Done::Squeezed { folded: true, .. }));
        if folds_turns && conversation.scenario.options.keep_recent_turns > 0 {
            continue;
        }
        // A carried list whose parts arrived in an older form is not what the new state was made for.
        let carried = conversation.scenario.semantics == Semantics::Carry;
        let second = if carried { plan.clone() } else { ask(engine, conversation, &step.list, &again) };
        // Of a prompt that does not fit whatever gives way, a fold may save a few tokens once a new result is cut: what is sent behind it is
        // not told in it.
        let folds_on =
            |done: &Done| matches!(done, Done::Squeezed { folded: true, .. } | Done::OverBudget { .. } | Done::DroppedReasoning { .. });
        if plan.estimated_after > u64::from(plan.budget.limit) && acted(&second) && second.done.iter().all(folds_on) {
            continue;
        }
        expect(
            second.edits == plan.edits && (carried || !acted(&second)) && second.summary_request.is_none() && second.state == plan.state,
            || {
                format!(
                    "step {number}: planned {:?}, planned again {:?} (summary asked: {})",
                    plan.done,
                    second.done,
                    second.summary_request.is_some()
                )
            },
        )?;
        // What was squeezed says less about itself in the applied list than in the raw one.
        // What is over the budget by little may happen to fit when a cut text is cut again.
        // That is not told where the overhead is only guessed.
        let is_over = plan.estimated_after > u64::from(plan.budget.limit);
        if cuts_unmarked(plan) || squeezed(plan) || cuts_new_results(plan) || is_over {
            continue;
        }
        again.keep_from = step.sent.length - (step.list.length - given.keep_from);
        let applied = ask(engine, conversation, &step.sent, &again);
        // A turn whose start is folded does not stand in the way of a fold any more: beside what then cannot give way fits less.
        if plan.done.iter().any(|done| matches!(done, Done::Folded { .. })) && applied.budget.fit < plan.budget.fit {
            continue;
        }
        // The facts of an edited result are those of what is left of it: a fold that saved nothing may save a little now.
        let only_folds = applied.done.iter().all(|done| match done {
            Done::Folded { .. } | Done::OverBudget { .. } | Done::DroppedReasoning { .. } => true,
            Done::Squeezed { results, folded } => *folded || results.is_empty(),
            _ => false,
        });
        if only_folds && (acted(&applied) || applied.summary_request.is_some()) && !plan.state.decisions.is_empty() {
            continue;
        }
        expect(applied.edits.is_empty() && !acted(&applied) && applied.summary_request.is_none(), || {
            format!("step {number}: planned {:?}, planned on the applied list {:?} {:?}", plan.done, applied.done, applied.edits)
        })?;
    }
    Ok(())
}

/// 8. Determinism: the same run again, measured anew, sends the same bytes.
pub fn determinism(conversation: &Conversation, trace: &Trace, engine: &Engine<'_>) -> Verdict {
    let again = drive(&Conversation { entries: conversation.messages.iter().map(measure).collect(), ..conversation.clone() }, engine);
    for (number, (a, b)) in trace.steps.iter().zip(&again.steps).enumerate() {
        expect(a.sent.messages() == b.sent.messages(), || format!("step {number}: other messages are sent the second time"))?;
        let plan = |step: &Step| step.planned.as_ref().map(|(_, plan)| plan.clone());
        expect(plan(a) == plan(b), || format!("step {number}: another plan is made the second time"))?;
        let json = |step: &Step| step.planned.as_ref().map(|(_, plan)| plan.state.clone().to_json());
        expect(json(a) == json(b), || format!("step {number}: another state is kept the second time"))?;
    }
    Ok(())
}

/// What an answer names as covered is not read by the next plan on the same history: it is made without those messages, and is the same.
/// Only a result that comes long after its call leads back to one of them, and then that is noticed. So it is with the entries that stand for
/// those of these messages.
pub fn covered(conversation: &Conversation, trace: &Trace, engine: &Engine<'_>) -> Verdict {
    let Scenario { semantics, malformed, .. } = conversation.scenario;
    if semantics == Semantics::Carry {
        return Ok(());
    }
    let mut covered = (Vec::new(), Vec::new());
    for (number, step, given, plan) in planned(trace) {
        let (left_out, entries) = std::mem::replace(&mut covered, (plan.covered.clone(), plan.covered_entries.clone()));
        let Some(without) = ask_without(engine, conversation, &step.list, (&left_out, &[]), given) else {
            expect(malformed, || format!("step {number}: a message that is covered is read again"))?;
            continue;
        };
        expect(without == *plan, || format!("step {number}: another plan is made without what is covered"))?;
        let without = ask_without(engine, conversation, &step.list, (&left_out, &entries), given);
        expect(without.is_none_or(|without| without == *plan), || format!("step {number}: another plan is made on spans"))?;
    }
    Ok(())
}

/// No part is cut below this many tokens by the engine; a little more, because cuts move to line breaks.
const SMALLEST_CUT_TOKENS: u32 = 170;
/// What a result that the model has not seen keeps at least; cuts move to line breaks.
const LEAST_UNSEEN_TOKENS: u32 = 120;
/// … unless there are so many that they do not fit with this each; then this.
const SHARED_FROM_TOKENS: u32 = 200;
const LEAST_SHARED_TOKENS: u32 = 10;
/// … and may keep more than that.
const CUT_TOKENS: u32 = 150;

/// 9. Fits: what is sent is within the budget, or all that may give way has; where it exceeds what a prompt may have, the plan says
/// what makes that impossible, and it is true.
pub fn fits(conversation: &Conversation, trace: &Trace, _: &Engine<'_>) -> Verdict {
    for (number, step) in trace.steps.iter().enumerate() {
        let tokens = step.sent.tokens();
        let fits = tokens <= u64::from(step.budget.limit);
        let Some((given, plan)) = &step.planned else {
            expect(fits, || format!("step {number}: a glance let {tokens} tokens pass, the limit is {}", step.budget.limit))?;
            continue;
        };
        let reasons: Vec<(OverBudget, Option<usize>)> = plan
            .done
            .iter()
            .filter_map(
                |done| {
                    if let Done::OverBudget { reason, message_index, .. } = done { Some((*reason, *message_index)) } else { None }
                },
            )
            .collect();
        let is_native = stood_down(plan);
        expect(!step.budget.is_over(tokens) || !reasons.is_empty() || is_native, || {
            format!("step {number}: {tokens} tokens are sent, {} are allowed, and nothing is said", step.budget.prompt_limit_tokens)
        })?;
        // More than what the budget left room for, but not more than is allowed: the overhead is a guess, or seems too large to be true.
        if !fits && reasons.is_empty() && !is_native && !conversation.scenario.malformed {
            nothing_left(conversation, step, given).map_err(|error| format!("step {number}: {error}"))?;
        }
        for (reason, index) in reasons {
            is_true(conversation, step, given, (reason, index)).map_err(|error| format!("step {number}: {error}"))?;
        }
    }
    Ok(())
}

fn stood_down(plan: &Plan) -> bool {
    plan.done.iter().any(|done| matches!(done, Done::StoodDown { .. }))
}

/// Whether what a plan gives as the reason is so.
fn is_true(conversation: &Conversation, step: &Step, given: &PlanArguments, (reason, index): (OverBudget, Option<usize>)) -> Verdict {
    let tokens = step.sent.tokens();
    match reason {
        OverBudget::Overhead => {
            let is_system = index.is_none_or(|index| step.list.entries()[index].role() == Role::System);
            expect(step.budget.is_over(tokens) && is_system, || format!("the overhead is blamed for {tokens} tokens in vain"))?;
            if step.budget.exhausted || conversation.scenario.malformed {
                return Ok(());
            }
            nothing_left(conversation, step, given)?;
            let system = step.sent.entries().iter().take_while(|entry| entry.role() == Role::System);
            let overhead = step.budget.overhead_tokens / step.budget.ratio + system.map(|entry| f64::from(entry.tokens())).sum::<f64>();
            is_more_than_any(step, "the overhead", overhead.ceil() as u64, |message| message.role != Role::System)
        }
        OverBudget::NativeCompaction => {
            let index = index.filter(|index| step.list.blocks.are_in(&step.list.entries()[*index]));
            let index = index.ok_or_else(|| "no message with a block is named".to_owned())?;
            is_largest(step, index)
        }
        OverBudget::Message => {
            let index = index.filter(|index| *index < step.list.length).ok_or_else(|| "no message is named".to_owned())?;
            expect(step.budget.is_over(tokens), || {
                format!("{tokens} tokens are within {} and yet message {index} is blamed", step.budget.prompt_limit_tokens)
            })?;
            if conversation.scenario.malformed {
                return Ok(());
            }
            nothing_left(conversation, step, given)?;
            is_largest(step, index)
        }
    }
}

/// Whether no more can give way than would leave the prompt over its budget.
fn nothing_left(conversation: &Conversation, step: &Step, given: &PlanArguments) -> Verdict {
    let (tokens, limit) = (step.sent.tokens(), u64::from(step.budget.limit));
    let saving = sure_saving(conversation, step, given, |_, _| true);
    expect(tokens.saturating_sub(saving) > limit, || format!("over budget by {} tokens, but {saving} could give way", tokens - limit))
}

/// Tokens that folding and cutting would surely save of what is sent, cutting in parts of these roles that the model has seen or not.
fn sure_saving(conversation: &Conversation, step: &Step, given: &PlanArguments, counts: fn(Role, bool) -> bool) -> u64 {
    let newest = newest_unit(conversation, step).min(last_cut(conversation, step, given.keep_from));
    let history = History::new(step.list.entries(), &given.state);
    let newest_user = step.list.messages().iter().rposition(|message| message.role == Role::User);
    // The message of a block stays, and so does what belongs to that; a fold ends behind it.
    let block = step.list.block().map(|block| history.unit_of(block)).unwrap_or_default();
    let may_fold = |index: usize| index >= step.list.first() && !block.contains(&index) && block.end <= newest;
    let unfolded = step.sent.origins().iter().zip(step.sent.messages()).zip(step.sent.entries()).filter(|((origin, message), _)| {
        let index = step.list.origins().iter().position(|other| other == *origin);
        message.role != Role::System && matches!(origin, Origin::Raw(_)) && index.is_some_and(|index| index < newest && may_fold(index))
    });
    let foldable: u64 = unfolded
        .flat_map(|(_, entry)| &entry.parts)
        .filter(|part| part.kind != Kind::Media && part.fingerprint != 0)
        .map(|part| u64::from(part.tokens))
        .sum();
    // Folding less than a checkpoint costs saves nothing.
    let folding = foldable.saturating_sub(u64::from(step.budget.max_checkpoint) + 700 + kept_by_fold(conversation, step));
    let unseen: Vec<Place> = unseen_results(&step.list).collect();
    let mut cutting = 0;
    for (at, origin) in step.sent.origins().iter().enumerate() {
        let Some(index) = step.list.origins().iter().position(|other| other == origin) else {
            continue;
        };
        let message = &step.sent.messages()[at];
        let is_fixed = index < step.list.first() || step.list.blocks.are_in(&step.list.entries()[index]);
        if message.role == Role::System || matches!(origin, Origin::Fold(_) | Origin::Ours) || index < newest || is_fixed {
            continue;
        }
        for (part_index, part) in message.parts.iter().enumerate() {
            let entry = &step.sent.entries()[at].parts[part_index];
            let reasons = message.parts.iter().any(is_unsigned);
            let cuttable = match part {
                Part::Result(_) => message.role == Role::Tool && entry.replaceable,
                Part::Text { native_compaction: false, .. } if message.role == Role::Assistant => !reasons,
                Part::Text { native_compaction: false, .. } => message.role == Role::User && Some(index) != newest_user,
                _ => false,
            };
            let place = Place { message: index, part: part_index };
            let is_unseen = unseen.contains(&place);
            let least = if is_unseen { LEAST_UNSEEN_TOKENS + CUT_TOKENS } else { SMALLEST_CUT_TOKENS };
            if cuttable && counts(message.role, is_unseen) && index < given.keep_from && history.fingerprint(place) != 0 {
                cutting += u64::from(entry.tokens.saturating_sub(least));
            }
        }
    }
    folding + cutting
}

/// Tokens that a fold may have to keep of a tool loop that began with a thought: those of one step.
fn kept_by_fold(conversation: &Conversation, step: &Step) -> u64 {
    let cuts = cuts(conversation, &step.list);
    let ends = cuts.iter().copied().skip(1).chain([step.list.length]);
    let steps = cuts.iter().zip(ends).map(|(start, end)| &step.list.entries()[*start..end]);
    let thoughtful = steps.filter(|step| step.first().is_some_and(|entry| entry.parts.first().is_some_and(|part| part.leads_loop)));
    thoughtful.map(|step| step.iter().map(|entry| u64::from(entry.tokens())).sum()).max().unwrap_or(0)
}

fn is_largest(step: &Step, index: usize) -> Verdict {
    let origin = step.list.origins()[index];
    let at =
        step.sent.origins().iter().position(|other| *other == origin).ok_or_else(|| format!("message {index} is blamed but not sent"))?;
    is_more_than_any(step, &format!("message {index}"), u64::from(step.sent.entries()[at].tokens()), |_| true)
}

fn is_more_than_any(step: &Step, blamed: &str, own: u64, counts: fn(&Message) -> bool) -> Verdict {
    let first = step.sent.first();
    let rest = step.sent.entries().iter().enumerate().zip(step.sent.messages()).zip(step.sent.origins());
    let rest = rest.filter(|(((at, _), message), origin)| {
        !matches!(origin, Origin::Fold(_) | Origin::Ours) && (*at >= first || message.role == Role::System) && counts(message)
    });
    let larger = rest.into_iter().find(|(((_, entry), _), _)| u64::from(entry.tokens()) > own);
    expect(larger.is_none(), || format!("{blamed} of {own} tokens is blamed, but there is a larger message"))
}

/// 10. State: a restored state does the same to the same history, also when a store has regrouped it.
pub fn state_restores(conversation: &Conversation, trace: &Trace, engine: &Engine<'_>) -> Verdict {
    let is_lost = conversation.scenario.semantics == Semantics::Carry && planned(trace).any(|(_, _, given, plan)| edits_twice(given, plan));
    if conversation.scenario.malformed || is_lost {
        return Ok(());
    }
    let Some((_, step, given, plan)) = planned(trace).filter(|(_, _, _, plan)| !plan.edits.is_empty()).last() else {
        return Ok(());
    };
    let restored = stepfold::state::FoldState::from_json(&plan.state.clone().to_json())
        .map_err(|reason| format!("the state was rejected: {reason}"))?;
    // With room for everything a plan only holds.
    let mut settings = given.settings;
    (settings.window_tokens, settings.reserve_tokens, settings.max_result_tokens) = (1e8, 0.0, None);
    (settings.trigger, settings.target) = (Some(Threshold::Share(0.9)), Some(Threshold::Share(0.8)));
    let given = PlanArguments { settings, state: (engine.restore)(restored), extends: false, ..given.clone() };
    let raw = &conversation.messages[..step.raw_length];
    let rows: [(&str, fn(&[Message]) -> Vec<Message>); 9] = [
        ("as it was", |messages| messages.to_vec()),
        ("results split", split_results),
        ("results merged", merge_results),
        ("without reasoning", without_reasoning),
        ("without approvals", without_approvals),
        ("JSON keys sorted", sort_keys),
        ("text results as JSON strings", texts_as_json),
        ("results in another order", reverse_results),
        ("failures in other words", mask_failures),
    ];
    let wanted = normal(step.sent.messages());
    for (name, regroup) in rows {
        let stored = regroup(raw);
        let entries: Vec<Entry> = stored.iter().map(measure).collect();
        let held = plan_on(engine, conversation, &stored, &entries, &PlanArguments { keep_from: stored.len(), ..given.clone() });
        expect(!acted(&held), || format!("{name}: a restored state leads to new work: {:?}", held.done))?;
        let sent = normal(&(engine.apply)(&stored, &held.edits));
        let differs = (0..wanted.len().max(sent.len())).find(|at| wanted.get(*at) != sent.get(*at));
        if let Some(at) = differs {
            return Err(format!("{name}: part {at} is sent as {:?}, before the restore as {:?}", sent.get(at), wanted.get(at)));
        }
    }
    Ok(())
}

/// 10. State: where a stored state is of another version, its newest checkpoint stands where it stood, with the user's words, what was done and
/// the summary.
pub fn upgrades(conversation: &Conversation, trace: &Trace, engine: &Engine<'_>) -> Verdict {
    let covered = |plan: &Plan| {
        plan.edits.iter().find_map(|edit| match edit {
            Edit::Checkpoint { start, end, block, behind, id, .. } => Some((*start, *end, block.clone(), behind.clone(), id.clone())),
            _ => None,
        })
    };
    // What is carried on begins with a checkpoint of ours; who comes with another version has the raw history.
    let Scenario { malformed, semantics, .. } = conversation.scenario;
    let Some((_, step, given, plan)) = planned(trace).filter(|(_, _, _, plan)| covered(plan).is_some()).last() else {
        return Ok(());
    };
    if malformed || semantics == Semantics::Carry {
        return Ok(());
    }
    let state = RunState { model_id: "gpt-5".into(), run: step.run, outcomes: Outcomes::default(), decisions: Some(plan.state.clone()) };
    let mut stored = StoredRunState::of(state);
    let version = |version: u32| format!(r#""version":{version},"#);
    stored.decisions = stored.decisions.map(|text| text.replace(&version(STATE_VERSION), &version(STATE_VERSION + 1)));
    let restored = stored.restore();
    expect(restored.refused.is_some_and(|reason| reason.contains("version")), || "another version is not told of".to_owned())?;
    let state = (engine.restore)(restored.state.and_then(|state| state.decisions).unwrap_or_default());
    let (Some(before), Some(after)) = (plan.state.checkpoints.last(), state.checkpoints.last()) else {
        return Err("the newest checkpoint is gone".to_owned());
    };
    let lasting = |checkpoint: &Checkpoint| {
        let Checkpoint { chain, summary, record, media, head, .. } = checkpoint.clone();
        (chain, summary, record.request, record.users, record.acts, media, head)
    };
    expect(lasting(before) == lasting(after), || format!("{:?} became {:?}", lasting(before), lasting(after)))?;
    let mut settings = given.settings;
    (settings.window_tokens, settings.reserve_tokens, settings.max_result_tokens) = (1e8, 0.0, None);
    (settings.trigger, settings.target) = (Some(Threshold::Share(0.9)), Some(Threshold::Share(0.8)));
    let held = ask(engine, conversation, &step.list, &PlanArguments { settings, state, extends: false, ..given.clone() });
    expect(covered(&held) == covered(plan), || format!("{:?} is covered, before {:?}", covered(&held), covered(plan)))
}

/// The parts of a list in a form that does not depend on what a store changes.
fn normal(messages: &[Message]) -> Vec<(Role, Part)> {
    let mut parts = Vec::new();
    for message in messages {
        for part in &message.parts {
            let part = match part.clone() {
                Part::Reasoning { .. } | Part::ApprovalRequest { .. } | Part::ApprovalResponse { .. } => continue,
                Part::Text { text, .. } if text.trim().is_empty() => continue,
                Part::Call(mut call) => {
                    call.input = sorted(&call.input);
                    Part::Call(call)
                }
                Part::Result(mut result) => {
                    result.marker = None;
                    result.output = match result.output {
                        Output::Text(text) => Output::Json(Json { text: serde_json::to_string(&text).unwrap(), omitted_bytes: 0 }),
                        Output::Json(json) => Output::Json(Json { text: sorted(&json.text), ..json }),
                        Output::ErrorText(_) | Output::ErrorJson(_) | Output::Denied(_) => Output::ErrorText(String::new()),
                        other => other,
                    };
                    Part::Result(result)
                }
                other => other,
            };
            parts.push((message.role, part));
        }
    }
    let id = |part: &(Role, Part)| {
        if let Part::Result(result) = &part.1 { Some(result.id.clone()) } else { None }
    };
    parts.chunk_by_mut(|first, second| id(first).is_some() && id(second).is_some()).for_each(|results| results.sort_by_key(id));
    parts
}

fn sorted(json: &str) -> String {
    serde_json::from_str::<serde_json::Value>(json).map_or_else(|_| json.to_owned(), |value| value.to_string())
}

fn split_results(messages: &[Message]) -> Vec<Message> {
    let split = messages.iter().flat_map(|message| match message.role {
        Role::Tool => message
            .parts
            .iter()
            .map(|part| Message { role: Role::Tool, parts: vec![part.clone()], marker: None, has_cache_mark: false, carried: None })
            .collect(),
        _ => vec![message.clone()],
    });
    split.collect()
}

fn merge_results(messages: &[Message]) -> Vec<Message> {
    let mut merged: Vec<Message> = Vec::new();
    for message in messages {
        match merged.last_mut().filter(|last| last.role == Role::Tool && message.role == Role::Tool) {
            Some(last) => last.parts.extend(message.parts.iter().cloned()),
            None => merged.push(message.clone()),
        }
    }
    merged
}

fn without(messages: &[Message], drop: fn(&Part) -> bool) -> Vec<Message> {
    let kept = messages
        .iter()
        .map(|message| Message { parts: message.parts.iter().filter(|part| !drop(part)).cloned().collect(), ..message.clone() });
    kept.filter(|message| !message.parts.is_empty()).collect()
}

fn without_reasoning(messages: &[Message]) -> Vec<Message> {
    without(messages, |part| matches!(part, Part::Reasoning { .. }))
}

fn without_approvals(messages: &[Message]) -> Vec<Message> {
    without(messages, |part| matches!(part, Part::ApprovalRequest { .. } | Part::ApprovalResponse { .. }))
}

fn sort_keys(messages: &[Message]) -> Vec<Message> {
    each_part(messages, |part| match part {
        Part::Call(call) => call.input = sorted(&call.input),
        Part::Result(result) => {
            if let Output::Json(json) | Output::ErrorJson(json) = &mut result.output {
                json.text = sorted(&json.text);
            }
        }
        _ => {}
    })
}

fn texts_as_json(messages: &[Message]) -> Vec<Message> {
    each_part(messages, |part| {
        if let Part::Result(result) = part
            && let Output::Text(text) = &result.output
            && !result.provider_executed
        {
            result.output = Output::Json(Json { text: serde_json::to_string(text).unwrap(), omitted_bytes: 0 });
        }
    })
}

fn reverse_results(messages: &[Message]) -> Vec<Message> {
    let mut changed = messages.to_vec();
    for message in &mut changed {
        message
            .parts
            .chunk_by_mut(|first, second| matches!((first, second), (Part::Result(_), Part::Result(_))))
            .for_each(<[Part]>::reverse);
    }
    changed
}

fn mask_failures(messages: &[Message]) -> Vec<Message> {
    each_part(messages, |part| {
        if let Part::Result(result) = part
            && matches!(result.output, Output::ErrorText(_) | Output::ErrorJson(_) | Output::Denied(_))
        {
            result.output = Output::ErrorText("An error occurred.".to_owned());
        }
    })
}

fn each_part(messages: &[Message], change: fn(&mut Part)) -> Vec<Message> {
    let mut changed = messages.to_vec();
    changed.iter_mut().flat_map(|message| &mut message.parts).for_each(change);
    changed
}

/// Whether a plan holds cuts of calls or texts, which leave no marker.
fn cuts_unmarked(plan: &Plan) -> bool {
    plan.state.decisions.iter().any(|decision| matches!(decision.action, Action::CutInput { .. } | Action::CutText { .. }))
}

/// Whether a plan edits what was edited before. A carried list no longer holds what was cut away, so there the outcome cannot be
/// the same as on the raw history.
fn edits_twice(given: &PlanArguments, plan: &Plan) -> bool {
    let mut gone = given.state.decisions.iter().filter(|before| !plan.state.decisions.contains(before));
    // What is folded may have been cut before, and a later part that says the same have the decision now.
    let folds = plan.done.iter().any(|done| matches!(done, Done::Folded { .. })) && !given.state.decisions.is_empty();
    cuts_unmarked(plan) || squeezed(plan) || folds || gone.next().is_some()
}

/// One behaviour on three majors: the raw history and the carried list lead to the same bytes.
pub fn carry_is_rebuild(conversation: &Conversation, _: &Trace, engine: &Engine<'_>) -> Verdict {
    let with = |semantics: Semantics| {
        let mut scenario = conversation.scenario.clone();
        // Every step is planned on both sides, as a glance may put work off; and a summarizer would see what is cut already.
        (scenario.semantics, scenario.glances) = (semantics, false);
        scenario.options.has_summarizer = false;
        drive(&Conversation { scenario, ..conversation.clone() }, engine)
    };
    // A model that binds nothing is shown again what another one was not sent; a carried list no longer holds it.
    let [first, then] = conversation.scenario.models.map(Thinking::of);
    let [reads, read_then] = conversation.scenario.models.map(|model| Settings::new(&conversation.scenario.options, model, "").blocks);
    // So it is with a block that only one of them reads.
    if conversation.scenario.malformed || first == Thinking::Bound && then != Thinking::Bound || reads != read_then {
        return Ok(());
    }
    let (rebuilt, carried) = (with(Semantics::Rebuild), with(Semantics::Carry));
    for (number, (a, b)) in rebuilt.steps.iter().zip(&carried.steps).enumerate() {
        let is_lost = |step: &&Step| step.planned.as_ref().is_some_and(|(given, plan)| edits_twice(given, plan));
        if [a, b].iter().any(is_lost) {
            return Ok(());
        }
        // What stands before a block is not read.
        let read = |step: &'_ Step| step.sent.messages()[if step.sent.block().is_some() { step.sent.first() } else { 0 }..].to_vec();
        let (a, b) = (read(a), read(b));
        if let Some(at) = (0..a.len().max(b.len())).find(|at| a.get(*at) != b.get(*at)) {
            return Err(format!(
                "step {number}: message {at} is sent as {:?} from the raw history, as {:?} from the carried list",
                a.get(at),
                b.get(at)
            ));
        }
    }
    Ok(())
}

/// Blocks: the newest message with a compaction block that the model reads is sent as it came, nothing of ours before it where the model does not
/// read that, and a checkpoint that covers it behind it.
pub fn blocks_stay(_: &Conversation, trace: &Trace, _: &Engine<'_>) -> Verdict {
    for (number, step) in trace.steps.iter().enumerate() {
        let Some(block) = step.list.block() else { continue };
        let origin = step.list.origins()[block];
        let at = step.sent.origins().iter().position(|other| *other == origin);
        let at = at.ok_or_else(|| format!("step {number}: the block in message {block} is not sent"))?;
        expect(step.sent.messages()[at] == step.list.messages()[block], || format!("step {number}: the message of a block changes"))?;
        if step.list.entries()[block].compacts_all_before() {
            let came = &step.list.messages()[..block];
            expect(step.sent.messages()[..at] == *came, || format!("step {number}: what stands before a block changes"))?;
        }
        let Origin::Raw(raw) = origin else { return Err(format!("step {number}: a block of ours")) };
        let before = step.sent.origins()[..at].iter().find(|other| matches!(other, Origin::Fold(end) if *end > raw));
        expect(before.is_none(), || format!("step {number}: a checkpoint that covers a block stands before it"))?;
    }
    Ok(())
}

/// What a run reached, for the histogram.
pub fn reached(trace: &Trace) -> Vec<&'static str> {
    let mut names = Vec::new();
    for step in &trace.steps {
        match &step.planned {
            None => names.push("glance"),
            Some((given, plan)) => {
                if !plan.edits.is_empty() && !acted(plan) {
                    names.push("hold");
                }
                if given.summary.is_some() {
                    names.push("summary");
                }
                if plan.state.decisions.iter().any(|decision| matches!(decision.action, Action::CutInput { .. } | Action::CutText { .. })) {
                    names.push("cut-input-or-text");
                }
                names.extend(plan.done.iter().map(|done| match done {
                    Done::Capped { .. } => "cap",
                    Done::Cleared { .. } => "clear",
                    Done::OffersWithdrawn { .. } => "withdraw-offers",
                    Done::AgedImages { .. } => "age-images",
                    Done::Folded { .. } => "checkpoint",
                    Done::Pinned { .. } => "pin",
                    Done::Released { .. } => "release-pins",
                    Done::Rejected { .. } => "reject",
                    Done::Squeezed { .. } => "squeeze",
                    Done::OverBudget { reason: OverBudget::Overhead, .. } => "over-overhead",
                    Done::OverBudget { .. } => "over-budget",
                    Done::StoodDown { .. } => "stand-down",
                    Done::LostCheckpoint { .. } => "lose-checkpoint",
                    Done::DroppedReasoning { .. } => "drop-reasoning",
                }));
            }
        }
    }
    names.sort_unstable();
    names.dedup();
    names
}

/// A conversation as a few lines: roles, parts and sizes.
pub fn sketch(conversation: &Conversation) -> String {
    let mut text = format!("{:?}\nstops {:?}\n", conversation.scenario, conversation.stops);
    for (index, (message, entry)) in conversation.messages.iter().zip(&conversation.entries).enumerate() {
        let parts: Vec<String> = entry
            .parts
            .iter()
            .map(|part| match part.kind {
                Kind::Call | Kind::Result => {
                    format!("{:?} {} {} {}t", part.kind, part.name, part.id, part.tokens)
                }
                kind => format!("{kind:?} {}t", part.tokens),
            })
            .collect();
        text.push_str(&format!("{index:3} {:9} {}\n", message.role.name(), parts.join(" | ")));
    }
    text
}
