//! Drives a conversation through the engine as `wasm.rs` and `prepare-step.ts` do, and records what happened at each step.
//! Kept small on purpose: it carries values between the same functions and decides nothing.

use std::cell::Cell;
use std::ops::Range;
use std::rc::Rc;

use stepfold::model::entry::{Entry, measure, read_entries};
use stepfold::model::history::{History, Place};
use stepfold::model::message::{Message, Part, Role};
use stepfold::plan::{
    Behind, Budget, DigestGiven, Edit, Extra, Offloads, Plan, PlanInput, PlanMode, Source, Summary, SummaryRequest, suffices,
};
use stepfold::providers::blocks::Blocks;
use stepfold::run::{Outcomes, Run, RunState, Usage};
use stepfold::settings::Settings;
use stepfold::state::FoldState;
use stepfold::tokens::calibration::Calibration;

use super::generate::{Conversation, Semantics, mix};

/// The functions under test. The broken variants replace one of them.
pub struct Engine<'a> {
    /// `plan::plan`.
    pub plan: &'a dyn Fn(&PlanInput<'_>) -> Plan,
    /// `apply::apply`.
    pub apply: &'a dyn Fn(&[Message], &[Edit]) -> Vec<Message>,
    /// Reads the state again. The identity for the real engine: only a broken variant loses something here.
    pub restore: &'a dyn Fn(FoldState) -> FoldState,
}

/// The engine as it is.
pub const REAL: Engine<'static> = Engine { plan: &stepfold::plan::plan, apply: &stepfold::apply::apply, restore: &|state| state };

/// Where a message of a list comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// The message of the raw history at this index, edited or not.
    Raw(usize),
    /// Our checkpoint, standing for the raw history up to this index.
    Fold(usize),
    /// Another message of ours: a bridge, or what a fold carries.
    Ours,
}

/// A list of messages, measured, with its origins.
#[derive(Clone)]
pub struct List {
    pub messages: Rc<Vec<Message>>,
    pub entries: Rc<Vec<Entry>>,
    pub origins: Rc<Vec<Origin>>,
    pub length: usize,
    /// Which compaction blocks the model reads that it is sent to.
    pub blocks: Blocks,
}

impl List {
    pub fn messages(&self) -> &[Message] {
        &self.messages[..self.length]
    }

    pub fn entries(&self) -> &[Entry] {
        &self.entries[..self.length]
    }

    pub fn origins(&self) -> &[Origin] {
        &self.origins[..self.length]
    }

    /// Estimated tokens, measured, of what the model reads.
    pub fn tokens(&self) -> u64 {
        read_tokens(self.entries(), self.blocks)
    }

    /// First message behind system messages that the model reads: Anthropic reads nothing before its newest compaction block.
    pub fn first(&self) -> usize {
        first_read(self.entries(), self.blocks)
    }

    /// The newest message that holds a block which the model reads.
    pub fn block(&self) -> Option<usize> {
        self.entries().iter().rposition(|entry| self.blocks.are_in(entry))
    }

    /// Messages of the raw history that are folded into our checkpoint.
    pub fn folded(&self) -> usize {
        self.origins().iter().filter_map(|origin| if let Origin::Fold(end) = origin { Some(*end) } else { None }).max().unwrap_or(0)
    }

    /// This list with further messages of the raw history.
    fn extended(&self, raw: &List, from: usize, to: usize) -> List {
        if Rc::ptr_eq(&self.messages, &raw.messages) {
            return List { length: to, blocks: self.blocks, ..raw.clone() };
        }
        let added = from..to;
        let messages = self.messages().iter().chain(&raw.messages[added.clone()]).cloned().collect();
        let entries = self.entries().iter().chain(&raw.entries[added.clone()]).cloned().collect();
        let origins = self.origins().iter().chain(&raw.origins[added.clone()]).copied().collect();
        List {
            messages: Rc::new(messages),
            entries: Rc::new(entries),
            origins: Rc::new(origins),
            length: self.length + added.len(),
            blocks: self.blocks,
        }
    }
}

/// What a plan was made from, to plan again.
#[derive(Clone)]
pub struct PlanArguments {
    pub settings: Settings,
    pub state: FoldState,
    pub calibration: Calibration,
    pub extends: bool,
    pub summary: Option<Option<String>>,
    /// What it was asked.
    pub request: Option<SummaryRequest>,
    pub keep_from: usize,
}

/// One step.
pub struct Step {
    /// The list as it arrived.
    pub list: List,
    /// Messages of the raw history by then.
    pub raw_length: usize,
    /// What was asked and answered; nothing when a glance was enough.
    pub planned: Option<(PlanArguments, Plan)>,
    /// The numbers it was decided with.
    pub budget: Budget,
    /// The list as it was sent.
    pub sent: List,
    /// The run's own idea of what was sent.
    pub run: Run,
    /// The run as it would have begun without a plan, where that was possible.
    pub begun: Option<Run>,
}

/// A whole run.
pub struct Trace {
    pub steps: Vec<Step>,
}

struct Reader<'a> {
    messages: &'a [Message],
    /// Results go into files.
    offloads: bool,
    /// Messages that it is not given.
    left_out: &'a [Range<usize>],
    /// One of these was asked for.
    missed: Cell<bool>,
}

impl<'a> Reader<'a> {
    fn new(conversation: &Conversation, messages: &'a [Message], left_out: &'a [Range<usize>]) -> Reader<'a> {
        // The same for a whole conversation, however its list comes.
        Reader { messages, offloads: conversation.messages.len() % 3 == 0, left_out, missed: Cell::new(false) }
    }
}

impl Source for Reader<'_> {
    fn message(&self, index: usize) -> Option<Message> {
        if self.left_out.iter().any(|span| span.contains(&index)) {
            self.missed.set(true);
            return None;
        }
        self.messages.get(index).cloned()
    }

    fn offload_directory(&self) -> Option<&str> {
        self.offloads.then_some("tool-results")
    }
}

/// Asks for a plan on a list.
pub fn ask(engine: &Engine<'_>, conversation: &Conversation, list: &List, given: &PlanArguments) -> Plan {
    plan_on(engine, conversation, list.messages(), list.entries(), given)
}

/// Asks for a plan on messages with entries.
pub fn plan_on(engine: &Engine<'_>, conversation: &Conversation, messages: &[Message], entries: &[Entry], given: &PlanArguments) -> Plan {
    plan_from(engine, conversation, &Reader::new(conversation, messages, &[]), entries, given)
}

/// Asks for a plan on a list of which messages are left out, and that begins with these entries; nothing when one of them had to be read.
pub fn ask_without(
    engine: &Engine<'_>,
    conversation: &Conversation,
    list: &List,
    (left_out, first): (&[Range<usize>], &[u8]),
    given: &PlanArguments,
) -> Option<Plan> {
    let reader = Reader::new(conversation, list.messages(), left_out);
    let mut entries = read_entries(first);
    let rest = list.entries().get(entries.len()..).unwrap_or_default();
    entries.extend_from_slice(rest);
    if !suffices(&History::new(&entries, &given.state)) {
        return None;
    }
    let plan = plan_from(engine, conversation, &reader, &entries, given);
    (!reader.missed.get()).then_some(plan)
}

fn plan_from(engine: &Engine<'_>, conversation: &Conversation, reader: &Reader<'_>, entries: &[Entry], given: &PlanArguments) -> Plan {
    let planned = |digests: &[DigestGiven]| {
        (engine.plan)(&PlanInput {
            entries,
            source: reader,
            settings: &given.settings,
            options: &conversation.scenario.options,
            state: &given.state,
            calibration: &given.calibration,
            extends: given.extends,
            summary: match &given.summary {
                None => Summary::NotRequested,
                Some(Some(text)) => Summary::Given(text),
                Some(None) => Summary::Unavailable,
            },
            mode: PlanMode::All,
            keep_from: given.keep_from,
            extra: Extra {
                requested_span: given.request.as_ref().map(SummaryRequest::requested_span),
                offloads: if reader.offloads { Offloads::New } else { Offloads::None },
                digests,
                ..Extra::default()
            },
        })
    };
    let mut digests = Vec::new();
    loop {
        let plan = planned(&digests);
        if plan.digests.is_empty() {
            return plan;
        }
        digests.extend(plan.digests.iter().map(|wanted| account_of(reader.messages, wanted.result)));
    }
}

/// What the user says of a result: the same of the same, sometimes nothing, and sometimes too much.
fn account_of(messages: &[Message], result: Place) -> DigestGiven {
    let id = match &messages[result.message].parts[result.part] {
        Part::Result(result) => result.id.as_str(),
        other => panic!("an account of {other:?} was asked"),
    };
    let text = (id.len() % 4 > 0).then(|| format!("What {id} said.\n").repeat(id.len() * 3 % 80));
    DigestGiven { result, text }
}

fn lead(entries: &[Entry]) -> usize {
    entries.iter().take_while(|entry| entry.role() == Role::System).count()
}

pub fn first_read(entries: &[Entry], blocks: Blocks) -> usize {
    let newest = entries.iter().rposition(|entry| blocks.are_in(entry));
    newest.filter(|newest| entries[*newest].compacts_all_before()).unwrap_or_else(|| lead(entries))
}

pub fn read_tokens(entries: &[Entry], blocks: Blocks) -> u64 {
    let read = entries[..lead(entries)].iter().chain(&entries[first_read(entries, blocks)..]);
    read.map(|entry| u64::from(entry.tokens())).sum()
}

/// The raw history of a conversation as a list, for the model that it begins with.
pub fn raw_list(conversation: &Conversation) -> List {
    let length = conversation.messages.len();
    let blocks = Settings::new(&conversation.scenario.options, conversation.scenario.models[0], "").blocks;
    List {
        messages: Rc::new(conversation.messages.clone()),
        entries: Rc::new(conversation.entries.clone()),
        origins: Rc::new((0..length).map(Origin::Raw).collect()),
        length,
        blocks,
    }
}

/// Carries out edits and keeps track of where messages come from; entries of untouched messages are reused, as JavaScript does.
pub fn carry_out(engine: &Engine<'_>, list: &List, edits: &[Edit]) -> List {
    if edits.is_empty() {
        return list.clone();
    }
    let messages = (engine.apply)(list.messages(), edits);
    let mut origins: Vec<Option<(Origin, Option<usize>)>> =
        list.origins().iter().enumerate().map(|(index, origin)| Some((*origin, Some(index)))).collect();
    let (mut fold, mut bridges) = (None, Vec::new());
    for edit in edits {
        match edit {
            Edit::Checkpoint { start, end, block, behind, .. } => fold = Some((*start, *end, block.clone(), behind)),
            Edit::Bridge { before, .. } => bridges.push(*before),
            Edit::LeaveOut { message, parts } if parts.len() == list.messages()[*message].parts.len() => origins[*message] = None,
            Edit::LeaveOut { .. } | Edit::Part { .. } => {}
        }
    }
    let with_bridges = |from: usize, to: usize| {
        let messages = (from..to).zip(&origins[from..to]);
        messages.flat_map(|(at, origin)| bridges.contains(&at).then_some(Some((Origin::Ours, None))).into_iter().chain([*origin]))
    };
    let origins: Vec<_> = match fold {
        None => with_bridges(0, list.length).collect(),
        Some((start, end, block, behind)) => {
            let covered = list.origins()[start..end].iter().map(|origin| match origin {
                Origin::Raw(index) => index + 1,
                Origin::Fold(end) => *end,
                Origin::Ours => 0,
            });
            let checkpoint = Origin::Fold(covered.max().unwrap_or(0));
            let before = origins[block].iter().copied();
            let kept = behind.iter().map(|behind| match behind {
                Behind::Message { message } => origins[*message],
                _ => Some((Origin::Ours, None)),
            });
            let fold = before.chain([Some((checkpoint, None))]).chain(kept);
            with_bridges(0, start).chain(fold).chain(with_bridges(end, list.length)).collect()
        }
    };
    let (mut origins, sources): (Vec<Origin>, Vec<Option<usize>>) = origins.into_iter().flatten().unzip();
    let entries = messages.iter().enumerate().map(|(index, message)| match sources.get(index).copied().flatten() {
        Some(source) if list.messages[source] == *message => list.entries[source].clone(),
        _ => measure(message),
    });
    let entries: Vec<Entry> = entries.collect();
    // A broken variant may return any number of messages; what is known of them is all that can be said.
    origins.resize(messages.len(), Origin::Raw(usize::MAX));
    let length = messages.len();
    List { messages: Rc::new(messages), entries: Rc::new(entries), origins: Rc::new(origins), length, blocks: list.blocks }
}

/// Runs a conversation.
pub fn drive(conversation: &Conversation, engine: &Engine<'_>) -> Trace {
    let scenario = &conversation.scenario;
    let raw = raw_list(conversation);
    let settings = scenario.models.map(|model| Settings::new(&scenario.options, model, ""));
    let mut steps: Vec<Step> = Vec::new();
    let mut run: Option<Run> = None;
    let mut state: Option<String> = None;
    let mut previous_model = scenario.models[0];
    for (number, stop) in conversation.stops.iter().enumerate() {
        let model = scenario.models[usize::from(stop.switched)];
        let settings = &settings[usize::from(stop.switched)];
        let previous = steps.last();
        let list = match (scenario.semantics, previous) {
            (Semantics::Carry, Some(step)) => step.sent.extended(&raw, step.raw_length, stop.end),
            _ => List { length: stop.end, ..raw.clone() },
        };
        let list = List { blocks: settings.blocks, ..list };
        if scenario.semantics == Semantics::Restart && stop.restarts {
            run = None;
        }
        let same_model = run.is_none() || previous_model == model;
        // As on the boundary, the run and the state live as bytes and JSON between steps.
        let mut numbers = run.and_then(kept).unwrap_or_else(|| Run::new(settings));
        if let (Some(step), true, true) = (previous, run.is_some(), scenario.reports_usage) {
            numbers.learn(settings, &usage(conversation, number, step));
        }
        let extends = run.is_some() && scenario.semantics != Semantics::Carry;
        let fresh = previous.map_or(0, |step| step.raw_length);
        if extends
            && scenario.glances
            && same_model
            && let Some(budget) = numbers.try_skip_plan(settings, &raw.entries[fresh..stop.end], true, state.is_some())
        {
            let sent = previous.map_or_else(|| list.clone(), |step| step.sent.extended(&raw, step.raw_length, stop.end));
            steps.push(Step { list, raw_length: stop.end, planned: None, budget, sent, run: numbers, begun: None });
            run = Some(numbers);
            continue;
        }
        let mut begun = numbers;
        let begun = (state.is_none() && begun.try_skip_plan(settings, list.entries(), false, false).is_some()).then_some(begun);
        let mut before = state.as_deref().map(|text| (engine.restore)(FoldState::from_json(text).unwrap())).unwrap_or_default();
        numbers.sync_with_state(&mut before, settings, model, (!same_model).then_some(previous_model));
        // What was copied on the way still goes on from where the run was.
        let continues = || History::new(list.entries(), &before).continues(numbers.parts, numbers.chain);
        let extends = same_model && numbers.started && (extends || continues());
        // Steering messages are the newest ones, whatever list they arrive in.
        let keep_from = list.length - (stop.end - stop.keep_from);
        let mut given = PlanArguments {
            settings: *settings,
            state: before,
            calibration: numbers.calibration,
            extends,
            summary: None,
            request: None,
            keep_from,
        };
        let mut plan = ask(engine, conversation, &list, &given);
        // A long span is read in parts; nothing is folded before the last of them.
        while let Some(request) = plan.summary_request.take() {
            // A part that ended behind blank messages once was asked for again and again.
            assert!(request.part <= 4, "step {number} asks for part {}", request.part);
            given.summary = Some(summary(&request.prompt, number));
            given.request = Some(request);
            plan = ask(engine, conversation, &list, &given);
        }
        numbers.sent_extends = extends;
        numbers.planned(&plan, list.entries());
        let mut after = plan.state.clone();
        if after.has_edits() {
            after.remember_calibration(model, numbers.calibration);
        }
        state = after.has_edits().then(|| after.to_json());
        let sent = carry_out(engine, &list, &plan.edits);
        steps.push(Step { list, raw_length: stop.end, budget: plan.budget, planned: Some((given, plan)), sent, run: numbers, begun });
        run = Some(numbers);
        previous_model = model;
    }
    Trace { steps }
}

/// What the provider reports for the step before: mostly the truth, sometimes nothing, rarely nonsense.
fn usage(conversation: &Conversation, number: usize, step: &Step) -> Usage {
    let scenario = &conversation.scenario;
    let truth = scenario.overhead_tokens + scenario.ratio * step.run.sent_estimated;
    let input = match mix(number as u64 ^ conversation.messages.len() as u64) % 16 {
        0 => f64::NAN,
        1 => 0.0,
        2 => truth * 40.0,
        _ => truth.round(),
    };
    Usage { input, ..Usage::default() }
}

/// What the user's summarizer says: a pure function of the prompt. Sometimes far too long, sometimes nothing.
fn summary(prompt: &str, number: usize) -> Option<String> {
    match (prompt.len() + number) % 6 {
        0 => None,
        1 => Some("The work goes on. ".repeat(400)),
        2 => Some("ok".to_owned()),
        n => Some(format!("Summary {n}: files were read, tests were run; {} bytes were summarized.\n- src/main.rs is next", prompt.len())),
    }
}

/// The run as JavaScript hands it back.
fn kept(run: Run) -> Option<Run> {
    let bytes = RunState { model_id: String::new(), run, outcomes: Outcomes::default(), decisions: None }.to_bytes();
    RunState::read(&bytes).map(|state| state.run)
}
