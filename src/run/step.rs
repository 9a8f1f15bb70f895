//! A step of a run, from what JavaScript asks to what it is answered: takes in usage, skips the plan where none is needed, else makes it
//! with everything that goes with it, and says what happened. Pure, and the same for every caller of the planner.
//! What a plan changes is decided in `plan`; what a run carries stands in `run`.

mod answer;
pub mod compact_tool;
mod first;
mod refused;
pub mod request;
mod source;
mod spans;

use crate::model::entry::{Entry, read_entries};
use crate::model::form::is_suspicious;
use crate::model::history::History;
use crate::plan::{AheadOutcome, Answer};
use crate::plan::{Done, DroppedReasoning, Extra, Offloads, Plan, PlanInput, PlanMode, RequestedSpan, Summary, media_sent, plan};
use crate::providers::prices::PromptTokens;
use crate::providers::refusal::Refusal;
use crate::providers::sending::is_far;
use crate::providers::thinking::Thinking;
use crate::run::event::{self, Event, Sizes};
use crate::run::step::compact_tool::{PendingRequests, has_due_request};
use crate::run::{Outcomes, PackedRunState, ProviderEdits, Run, RunState, Usage};
use crate::settings::Settings;
use crate::state::FoldState;
pub use answer::{AheadAnswer, Covered, PlanAnswer, PlanTokens};
use first::{has_earlier_turn, unknown_model, usage_not_reported};
pub use request::PlanRequest;
use request::disown_forged;
use source::PlanSource;

/// A step whose run has taken in what the request reports.
struct Step<'a> {
    request: &'a PlanRequest,
    settings: Settings,
    run: Run,
    /// The model of the step before, when it was another one.
    previous_model: Option<String>,
    /// How calls ended.
    outcomes: Outcomes,
    /// What was decided before, packed.
    decisions: &'a [u8],
    /// What was learnt from the step before.
    learnt: Vec<Event>,
    /// The model asked to fold.
    folds: bool,
    /// Why thoughts have lost their prefix, if not by an edit.
    loses_thoughts: Option<DroppedReasoning>,
    /// The model turned out to bind its thoughts: until now all were sent.
    sent_all_thoughts: bool,
}

impl<'a> Step<'a> {
    fn begin(request: &'a PlanRequest) -> Step<'a> {
        let settings = settings_of(request);
        let previous = request.state.as_ref().and_then(|state| PackedRunState::read(state));
        let (model_id, previous_run, outcomes, decisions) = match previous {
            Some(PackedRunState { model_id, run, outcomes, decisions }) => (model_id, Some(run), outcomes, decisions),
            None => (String::new(), None, Outcomes::default(), &[] as &[u8]),
        };
        let mut run = previous_run.filter(|run| run.started).unwrap_or_else(|| Run::new(&settings));
        if request.continues_request {
            run.begin_request();
        }
        run.mark_slots = request.mark_slots.or(run.mark_slots);
        if let Some(traits) = &request.traits
            && [&request.model_id, ""].contains(&model_id.as_str())
        {
            // Before what was reported is learnt, which may show that a limit is none any more.
            run.calibration.traits.adopt(traits);
        }
        if request.reply_tokens > 0.0 && !settings.asks_by_package {
            run.reply_tokens = request.reply_tokens;
        }
        let settings = settings.for_reply(run.reply_tokens);
        let truncation = request.usage.as_ref().and_then(|usage| run.learn(&settings, usage));
        let learnt = truncation.iter().map(Event::from).collect();
        if request.summary == Answer::Pending && request.refused.is_empty() {
            run.begin_step();
        }
        if request.starts_run {
            run.begin_run();
            run.calibration.allow_for(settings.overhead_tokens);
        }
        if let Some(asks) = request.asks {
            run.learn_asks(asks);
        }
        run.caches |= request.usage.as_ref().is_some_and(Usage::reports_cache);
        let is_uncached = settings.is_uncached && !run.caches && !run.has_cache_marks;
        let settings = Settings { has_summarizer: settings.has_summarizer && run.rest == 0, is_uncached, ..settings };
        let previous_model = Some(model_id).filter(|id| !id.is_empty() && *id != request.model_id);
        let mut step = Step {
            request,
            settings,
            run,
            previous_model,
            outcomes,
            decisions,
            learnt,
            folds: false,
            loses_thoughts: None,
            sent_all_thoughts: false,
        };
        step.check_instructions();
        step
    }

    /// New instructions are a new prefix. ai 5 and 6 do not show them.
    fn check_instructions(&mut self) {
        let Some(instructions) = &self.request.instructions else { return };
        if self.run.begin_with(&read_entries(instructions)) {
            self.loses_thoughts = Some(DroppedReasoning::InstructionsChanged);
        }
    }

    /// What the model demands of thoughts, by its id and by what was learnt.
    fn thinking(&self) -> Thinking {
        self.settings.with(&self.run.calibration.traits).thinking
    }

    /// Whether this list only has to fit its window: nobody listens, no summary is under way, and nothing was decided before.
    fn only_has_to_fit(&self) -> bool {
        let PlanRequest { wants_events, mode, summary, candidates, ahead, .. } = self.request;
        !wants_events
            && *mode == PlanMode::All
            && *summary == Answer::Pending
            && self.previous_model.is_none()
            && self.decisions.is_empty()
            && candidates.is_empty()
            && ahead.is_empty()
    }

    /// The event of a request that goes on from decisions of an earlier one.
    fn session_recommended(&self) -> Option<Event> {
        (self.request.continues_request && !self.decisions.is_empty()).then_some(SESSION_RECOMMENDED)
    }
}

const SESSION_RECOMMENDED: Event = Event::SessionRecommended {
    reason: "an earlier request of this conversation was found in memory, which another server would not have",
};

/// The model's numbers, with the tokens of the instructions where no option gives the overhead.
fn settings_of(request: &PlanRequest) -> Settings {
    let mut settings = request.settings.settings;
    if let Some(instructions) = &request.instructions
        && settings.overhead_tokens == 0.0
    {
        let tokens: f64 = read_entries(instructions).iter().map(|entry| f64::from(entry.tokens())).sum();
        settings.overhead_tokens = tokens * settings.prior_ratio;
    }
    settings
}

/// Answers a step that needs no plan, which is almost every step; `None` for one that does. Nothing is decided where a message looks as if it were
/// of another form, until that is known.
pub fn try_skip_plan(request: &PlanRequest) -> Option<PlanAnswer> {
    if !request.is_known_form && read_entries(&request.entries).iter().any(is_suspicious) {
        return Some(PlanAnswer { is_suspicious: true, ..PlanAnswer::default() });
    }
    let mut step = Step::begin(request);
    // A new run looks whether the files that were named are still there.
    if request.offloads != Offloads::None && request.starts_run && !step.decisions.is_empty() {
        return None;
    }
    let extends = request.extends && step.previous_model.is_none();
    let loses_thoughts = step.loses_thoughts.is_some() && step.thinking() == Thinking::Bound;
    if !request.refused.is_empty() || loses_thoughts || !extends && !step.only_has_to_fit() {
        return None;
    }
    // A message among others than the app has put it needs its place.
    if !request.inserted.is_empty() || !request.put_in.is_empty() {
        return None;
    }
    let entries = read_entries(&request.entries);
    if has_due_request(&request.compact_requests, &entries) {
        return None;
    }
    let mut events: Vec<Event> = unknown_model(&step).into_iter().collect();
    let parts_before = step.run.parts;
    let budget = step.run.try_skip_plan(&step.settings, &entries, extends, !step.decisions.is_empty())?;
    if request.wants_events {
        let sizes = Sizes { estimated: step.run.sent_estimated as u64, unedited: step.run.raw_estimated as u64 };
        events.push(event::measured(&step.run, &step.settings, &budget, sizes, true, request.usage.as_ref()));
        events.extend(step.session_recommended());
    }
    let asks_cache = request.settings.options.prompt_cache && !step.run.has_cache_marks;
    step.outcomes.learn(&request.ended, &entries);
    let (run, outcomes) = (step.run, step.outcomes);
    let state = PackedRunState { model_id: request.model_id.clone(), run, outcomes, decisions: step.decisions };
    let has_decisions = !step.decisions.is_empty();
    let traits = state.run.calibration.traits;
    let is_bound = step.settings.with(&traits).thinking == Thinking::Bound;
    let (mark_slots, is_far) = (state.run.mark_slots, extends && is_far(state.run.parts.saturating_sub(parts_before)));
    Some(PlanAnswer {
        asks_cache,
        mark_slots,
        is_far,
        state: state.to_bytes(),
        has_decisions,
        drops_thoughts: has_decisions && is_bound && !traits.refuses_binding,
        traits: traits.learnt(),
        learnt: step.learnt,
        events,
        ..PlanAnswer::default()
    })
}

/// Plans a step. `count` counts the tokens of the engine's own texts.
pub fn plan_step(request: &PlanRequest, count: &dyn Fn(&str) -> u32) -> PlanAnswer {
    let mut step = Step::begin(request);
    let mut entries = request.entries();
    step.settings.is_uncached &= !entries.iter().any(|entry| entry.has_cache_mark);
    let mut events: Vec<Event> = step.session_recommended().into_iter().collect();
    let mut decisions = FoldState::from_packed(step.decisions);
    events.extend(unknown_model(&step));
    if !step.run.started
        && decisions.is_none()
        && let Some(recent) = resume_recent_run(&entries, request)
    {
        events.extend(recent.decisions.is_some().then_some(SESSION_RECOMMENDED));
        (step.run, step.outcomes, decisions) = (recent.run, recent.outcomes, recent.decisions);
        step.settings = step.settings.for_reply(step.run.reply_tokens);
        step.check_instructions();
        step.previous_model = (recent.model_id != request.model_id).then_some(recent.model_id);
    }
    step.outcomes.learn(&request.ended, &entries);
    let mut source = PlanSource::new(request, count);
    source.outcomes = step.outcomes.show(&mut entries);
    let is_known = step.run.started || decisions.is_some();
    let mut decisions = decisions.unwrap_or_default();
    disown_forged(&mut entries, &decisions);
    step.run.sync_with_state(&mut decisions, &step.settings, &request.model_id, step.previous_model.as_deref());
    if request.starts_run {
        step.run.calibration.allow_for(step.settings.overhead_tokens);
    }
    if step.has_outgrown(&entries, &decisions) && decisions.undo() {
        while decisions.undo() {}
        events.push(Event::Unfolded { messages: entries.len() });
    }
    for refusal in &request.refused {
        let unsent: f64 = entries.iter().map(|entry| f64::from(entry.tokens())).sum();
        let held = media_sent(&plan_input(&step, &entries, &source, &decisions, false));
        let event = step.learn_refusal(refusal, unsent, held);
        step.learnt.extend(event);
    }
    if step.needs_all(&entries, &decisions) {
        return PlanAnswer { needs_all: true, ..PlanAnswer::default() };
    }
    // A wrapper may have copied what was sent: then identity is lost, but what it says goes on from where the run was.
    let goes_on = step.run.started && !step.run.changed_model;
    let known_messages =
        History::new(&entries, &decisions).end_of(decisions.planned_parts, decisions.planned_chain).unwrap_or_default() as u32;
    let extends = goes_on && (request.extends || History::new(&entries, &decisions).continues(step.run.parts, step.run.chain));
    let pending = PendingRequests::of(&request.compact_requests, &entries, step.run.may_fold_by_itself());
    step.folds = pending.folds && request.mode == PlanMode::All;
    let mut input = plan_input(&step, &entries, &source, &decisions, extends);
    input.extra.pins = &pending.pins;
    if step.folds {
        (input.mode, input.extra.focus) = (PlanMode::Fold, pending.focus);
    }
    let plan = plan(&input);
    if source.missed.get() {
        return PlanAnswer { needs_all: true, ..PlanAnswer::default() };
    }
    let folds = plan.summary_request.is_some() || plan.done.iter().any(|done| matches!(done, Done::Folded { .. }));
    if request.starts_run && request.mode == PlanMode::All && !is_known && folds && has_earlier_turn(&entries) {
        step.learnt.push(Event::FoldedAnew);
    }
    events.extend(step.run.note_summaries(&request.summary, &plan).map(|steps| Event::SummarizerRests { steps }));
    PlanAnswer { handled_calls: pending.calls, known_messages, ..finish(step, plan, &entries, extends, events) }
}

/// Looks among other conversations for the one that this list continues furthest, to go on with what it knew.
fn resume_recent_run(entries: &[Entry], request: &PlanRequest) -> Option<RunState> {
    let blank = FoldState::default();
    let history = History::new(entries, &blank);
    let started = request.candidates.iter().filter_map(|state| PackedRunState::read(state)).filter(|candidate| candidate.run.started);
    let mut best: Option<PackedRunState<'_>> = None;
    for candidate in started {
        let is_longer = candidate.run.parts > best.as_ref().map_or(0, |best| best.run.parts);
        if is_longer && history.continues(candidate.run.parts, candidate.run.chain) {
            best = Some(candidate);
        }
    }
    // What was decided is large: only that of the one found is read.
    let mut found =
        best.map(|best| RunState { decisions: best.decisions(), model_id: best.model_id, run: best.run, outcomes: best.outcomes })?;
    found.run.begin_request();
    Some(found)
}

fn plan_input<'a>(
    step: &'a Step<'a>,
    entries: &'a [Entry],
    source: &'a PlanSource<'a>,
    decisions: &'a FoldState,
    extends: bool,
) -> PlanInput<'a> {
    let Step { request, settings, run, .. } = step;
    PlanInput {
        entries,
        source,
        settings,
        options: &request.settings.options,
        state: decisions,
        calibration: &run.calibration,
        extends,
        summary: match &request.summary {
            Answer::Given(text) => Summary::Given(text),
            Answer::Pending => Summary::NotRequested,
            Answer::Failed => Summary::Unavailable,
        },
        mode: request.mode,
        keep_from: request.keep_from,
        extra: Extra {
            requested_span: request.requested_span.as_ref().map(|span| RequestedSpan {
                start: span.start,
                end: span.end,
                part: span.part,
                previous: span.previous_summary.as_deref(),
                shown: span.shown.as_deref(),
            }),
            focus: request.focus.as_deref(),
            inserted: &request.inserted,
            pins: &[],
            working: request.working_state.as_deref(),
            note: request.checkpoint_note.as_deref(),
            digests: &request.digests,
            ahead: &request.ahead,
            asks_ahead: run.asks_ahead(),
            offloads: request.offloads,
            loses_thoughts: step.loses_thoughts,
            sent_all_thoughts: step.sent_all_thoughts,
            stands_down: run.stands_down(request.usage.as_ref(), entries.iter().any(|entry| settings.blocks.are_in(entry))),
        },
    }
}

/// Brings the run up to date and answers with what the plan decided.
fn finish(step: Step<'_>, mut plan: Plan, entries: &[Entry], extends: bool, mut events: Vec<Event>) -> PlanAnswer {
    let drops_thoughts = step.thinking() == Thinking::Bound && !step.run.calibration.traits.refuses_binding;
    let Step { request, settings, mut run, previous_model, outcomes, decisions: before, mut learnt, folds, .. } = step;
    let parts_before = run.parts;
    let waits =
        matches!(plan.ahead, Some((_, AheadOutcome::Due))) || plan.summary_request.as_ref().is_some_and(|request| request.ahead.is_none());
    if waits {
        // The plan that is made in the end finds them left out already.
        learnt.extend(event::of_plan(&plan).into_iter().filter(|event| matches!(event, Event::ReasoningDropped { .. })));
    }
    if matches!(run.provider_edits, ProviderEdits::History { is_told: true, .. }) {
        plan.done.retain(|done| !matches!(done, Done::StoodDown { .. }));
    }
    // A deep edit names hundreds of results: too many to list for no listener.
    if request.wants_events || request.records_edits {
        events.extend(event::of_plan(&plan));
        events.extend(event::of_files(&plan.files));
    } else {
        events.extend(event::warnings_of(&plan));
    }
    if !waits {
        run.sent_extends = extends;
        run.planned(&plan, entries);
        if matches!(request.mode, PlanMode::Compact | PlanMode::Prune) {
            // No step: what was reported last is not the prompt that comes next.
            run.forget_sent();
        }
        if folds && plan.done.iter().any(|done| matches!(done, Done::Folded { .. })) {
            run.folded_by_model = plan.estimated_after as f64;
        }
        if request.wants_events {
            let is_reported = extends && !plan.breaks_prefix();
            let sizes = Sizes { estimated: plan.estimated_after, unedited: plan.estimated_raw };
            events.insert(0, event::measured(&run, &settings, &plan.budget, sizes, is_reported, request.usage.as_ref()));
        }
    }
    if !waits && before.is_empty() && plan.state.has_edits() {
        events.extend(usage_not_reported(&settings, &run));
    }
    let mut decisions = Vec::new();
    // After a change of the model what waits is planned again on top of it.
    if plan.state.has_edits() || waits && previous_model.is_some() {
        plan.state.remember_calibration(&request.model_id, run.calibration);
        decisions = plan.state.to_packed();
    }
    let cost = plan.preview.as_ref().zip(settings.input_price).and_then(|(preview, input)| {
        let prompt = |estimated| plan.budget.prompt_tokens(estimated);
        let (after, unedited) = (prompt(plan.estimated_after), prompt(plan.estimated_raw));
        settings.planning_prices().cost(&input, PromptTokens { after, rewritten: preview.rewritten_tokens, unedited })
    });
    PlanAnswer {
        is_suspicious: entries.iter().any(is_suspicious),
        handled_calls: Vec::new(),
        known_messages: 0,
        mark_slots: run.mark_slots,
        is_far: run.sent_extends && is_far(run.parts.saturating_sub(parts_before)),
        asks_cache: request.settings.options.prompt_cache && !entries.iter().any(|entry| entry.has_cache_mark),
        has_decisions: !decisions.is_empty(),
        drops_thoughts: drops_thoughts && !decisions.is_empty(),
        traits: run.calibration.traits.learnt(),
        // What was only learnt of a refusal makes no other request.
        changes_decisions: match request.refused.last() {
            None if request.mode == PlanMode::Prune => plan.done.iter().any(|done| matches!(done, Done::Cleared { .. })),
            None => decisions != before,
            Some(Refusal::TooManyImages(_)) => plan.done.iter().any(|done| matches!(done, Done::AgedImages { .. })),
            Some(Refusal::Thoughts) => plan.done.iter().any(|done| matches!(done, Done::DroppedReasoning { .. })),
            Some(_) => plan.estimated_after < plan.estimated_before,
        },
        state: PackedRunState { model_id: request.model_id.clone(), run, outcomes, decisions: &decisions }.to_bytes(),
        makes_checkpoint: plan.done.iter().any(|done| matches!(done, Done::Folded { .. } | Done::Squeezed { folded: true, .. })),
        ahead: plan.ahead.map(|(index, outcome)| AheadAnswer {
            index,
            is_due: outcome == AheadOutcome::Due,
            is_pending: outcome == AheadOutcome::Pending,
        }),
        tokens: Some(PlanTokens::of(&plan)),
        learnt,
        events,
        needs_all: false,
        covered: Some(Covered { spans: plan.covered, entries: plan.covered_entries }),
        edits: plan.edits,
        files: plan.files,
        named_file: plan.named_file,
        digests: plan.digests,
        summary_request: plan.summary_request,
        cost,
        preview: plan.preview.map(|preview| preview.table),
    }
}
