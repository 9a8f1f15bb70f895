//! The rung of the checkpoint: folds until the target is met, with what the summarizer has read, and says what it is to read next.
//! It reads a long span in parts; nothing is folded before it has read all it is given at this step.
//! What a checkpoint records is in `plan::checkpoint`, what is requested of the summarizer in `plan::summary_request`.

use std::borrow::Cow;

use crate::plan::changes::{changes_of, provider_tokens};
use crate::plan::checkpoint;
use crate::plan::clear::{ClearRules, clear, tail_start};
use crate::plan::draft::Draft;
use crate::plan::due::{above, pays};
use crate::plan::input::{RequestedSpan, Summary};
use crate::plan::ladder::Ladder;
use crate::plan::outcome::{Done, SummaryRequest};
use crate::plan::summary_request::{
    Next, Part, Reading, fence_of, most_summary_tokens, previous_summary, summary_request, words_beside_summary,
};
use crate::policy::ladder::MOST_PARTS;
use crate::redact::clean;
use crate::tokens::estimate::estimate_tokens;
use crate::tokens::saturate;
use crate::words::summary::without_thoughts;
use crate::words::verdict::{Standard, fault};

impl<'d> Ladder<'_, '_, 'd> {
    /// Folds what was read, and on until the target is met. Returns the summary request that must be answered before it can go on.
    pub(super) fn checkpoint(&mut self, reading: &mut Reading) -> Option<SummaryRequest> {
        // Clearing may have made room in the tail.
        let tail = tail_start(self.draft, self.budget, self.input.settings).min(self.latest_end());
        // A checkpoint can come out larger than expected; then the fold goes on until the target is met or nothing is left.
        let mut has_reached = false;
        let start = self.draft.start();
        while let Some(due) = self.due(self.draft, tail, has_reached).or_else(|| self.read_for_squeezing(reading)) {
            let whole = due.max(reading.end);
            if reading.next == Next::Ask && reading.end < whole {
                let request = self.request(reading, whole);
                if request.is_some() {
                    return request;
                }
                reading.next = Next::Digest;
            }
            let has_read = reading.text.is_some();
            let before = (has_read && reading.next == Next::Ask).then(|| (self.draft.clone(), self.done.clone()));
            if !self.fold_read(reading, whole) {
                break;
            }
            has_reached = self.draft.start() >= whole;
            if !has_read || reading.next == Next::Digest {
                reading.text = None;
                continue;
            }
            let Some(further) = self.due(self.draft, tail, has_reached) else { break };
            if reading.next == Next::Stop && self.draft.total() <= u64::from(self.budget.squeeze_above) {
                break;
            }
            if reading.next == Next::Ask
                && let Some((draft, done)) = before
            {
                // More must go than expected: it is read before anything is folded.
                let folded = std::mem::replace(self.draft, draft);
                let request = self.request(reading, further);
                if request.is_some() {
                    self.done = done;
                    return request;
                }
                *self.draft = folded;
            }
            (reading.next, reading.text) = (Next::Digest, None);
        }
        if self.draft.start() > start.max(tail) {
            self.done.push(Done::Squeezed { results: Vec::new(), folded: true });
        }
        None
    }

    /// Where a fold must end, if one is due. Where one `has_reached` its end, its checkpoint came out larger than was expected: how large is
    /// known by now, and close to the target is near enough.
    pub(super) fn due(&self, draft: &Draft<'_>, tail: usize, has_reached: bool) -> Option<usize> {
        let (near_target, target) = if self.compacts() { (0, 0) } else { (above(self.target(), self.budget), self.target()) };
        if draft.total() <= near_target {
            return None;
        }
        let is_worth = |whole: &usize| self.compacts() || self.breaks_already || pays(draft, self.budget, self.input.keep_from, *whole);
        let end_at = |target: u32, tokens: u32| checkpoint::fold_end(draft, tail, target, tokens);
        // The next checkpoint is about as large as the one that stands, where there is one.
        let again = end_at(saturate(near_target), draft.checkpoint_tokens());
        let end = if has_reached { again } else { end_at(target, checkpoint::expected_tokens(self.budget)).max(again) };
        end.filter(is_worth)
    }

    /// The end of what was read because squeezing would fold it.
    fn read_for_squeezing(&self, reading: &Reading) -> Option<usize> {
        let is_unfolded = reading.text.is_some() && self.draft.start() < reading.end;
        (is_unfolded && self.draft.total() > self.squeezes_above()).then_some(reading.end)
    }

    /// The summary request about what squeezing has folded of `before`: what leaves is read first. `None` where there is to be none.
    pub(super) fn request_for_squeezed(&mut self, reading: &Reading, before: Draft<'d>) -> Option<SummaryRequest> {
        let whole = self.draft.start();
        if reading.next != Next::Ask || whole <= before.start() {
            return None;
        }
        let squeezed = std::mem::replace(self.draft, before);
        let request = self.request(reading, whole);
        if request.is_none() {
            *self.draft = squeezed;
        }
        request
    }

    /// How far the summarizer has read, by its answer.
    pub(super) fn reading(&mut self) -> Reading {
        let (start, latest_end) = (self.draft.start(), self.latest_end());
        let nothing = |next| Reading { end: start, text: None, parts: 0, next };
        if self.summary == Summary::NotRequested {
            return nothing(Next::Ask);
        }
        let is_end = |end: usize| end == start || self.draft.fold_ends().any(|known| known == end);
        let is_there = |requested: &RequestedSpan| {
            let in_order = start <= requested.start && requested.start < requested.end && requested.end <= latest_end && requested.part > 0;
            in_order && is_end(requested.start) && is_end(requested.end)
        };
        let Some(requested) = self.input.extra.requested_span.filter(is_there) else { return nothing(Next::Digest) };
        let RequestedSpan { part: parts, previous, .. } = requested;
        if let Summary::Given(text) = self.summary {
            let text = clean(without_thoughts(text).trim());
            if self.is_good(&requested, &text) {
                let next = if parts < MOST_PARTS { Next::Ask } else { Next::Stop };
                return Reading { end: requested.end, text: Some(text), parts, next };
            }
        }
        match previous.filter(|_| parts > 1) {
            Some(text) => Reading { end: requested.start, text: Some(text.to_owned()), parts, next: Next::Digest },
            None => nothing(Next::Digest),
        }
    }

    /// The next summary request about what stands up to `whole`; `None` where there is to be none.
    fn request(&self, reading: &Reading, whole: usize) -> Option<SummaryRequest> {
        if !self.input.settings.has_summarizer || !self.compacts() && self.draft.total() < u64::from(self.budget.summarize_at) {
            return None;
        }
        let kept = words_beside_summary(self.input, self.draft, self.budget, whole)?;
        let previous = reading.text.as_deref();
        let part = Part { start: reading.end.max(self.draft.start()), whole, number: reading.parts + 1, previous, kept: Some(&kept) };
        Some(summary_request(self.input, self.draft, self.budget, &part))
    }

    /// Whether a summarizer's text can stand for the span it was requested for; where it cannot, an event says why.
    pub(super) fn is_good(&mut self, requested: &RequestedSpan<'_>, text: &str) -> bool {
        let RequestedSpan { start, end, part: number, previous, shown } = *requested;
        let part = Part { start, whole: end, number, previous: previous.filter(|_| number > 1), kept: None };
        let read_again = || summary_request(self.input, self.draft, self.budget, &part).shown.into();
        let shown: Cow<'_, str> = shown.map_or_else(read_again, Cow::Borrowed);
        let standard = Standard {
            shown: &shown,
            fence: &fence_of(self.draft, end),
            replaced_tokens: self.draft.span_tokens(start, end),
            read_tokens: self.draft.span_size(start..end).1 + u64::from(previous_summary(self.draft, &part).map_or(0, estimate_tokens)),
            summary_tokens: self.input.settings.summary_tokens,
            most_tokens: most_summary_tokens(self.input, self.budget),
        };
        let fault = fault(text, &standard);
        self.done.extend(fault.map(|reason| Done::Rejected { reason }));
        fault.is_none()
    }

    /// Folds what was read, with its summary; with all up to `whole` where that alone would save nothing. Returns whether it did.
    fn fold_read(&mut self, reading: &mut Reading, whole: usize) -> bool {
        let Some(text) = &reading.text else { return self.fold(whole, None) };
        if self.fold(reading.end, Some(text)) {
            return true;
        }
        reading.next = Next::Digest;
        // A summary that saves nothing gives way to the digest.
        reading.end < whole && self.fold_beyond(reading.end, text, whole) || self.fold(whole, None)
    }

    /// Folds everything up to `end`, with the summary if there is one. Returns whether it did.
    pub(super) fn fold(&mut self, end: usize, summary: Option<&str>) -> bool {
        let start = self.draft.start();
        let messages = end - start - self.draft.block_before(end).filter(|message| *message >= start).count();
        let mut recorded = checkpoint::record(self.draft, self.budget, end, summary);
        let id = recorded.id();
        if !self.draft.try_fold(recorded.clone(), end) {
            // A summary that was made is never dropped to make room for the rest of the text. Nor is a fold given up for which the summarizer
            // was asked: it would be asked again and again.
            recorded.record.findings.clear();
            if summary.is_none() && self.summary == Summary::NotRequested || !self.draft.try_fold(recorded, end) {
                return false;
            }
        }
        self.record_fold(id, messages, summary.is_some());
        true
    }

    /// Folds up to `end` with a summary and from there to `whole` with the digest, where both together save something.
    fn fold_beyond(&mut self, end: usize, summary: &str, whole: usize) -> bool {
        let before = self.draft.clone();
        self.draft.fold_anyway(checkpoint::record(self.draft, self.budget, end, Some(summary)), end);
        let recorded = checkpoint::record(self.draft, self.budget, whole, None);
        let id = recorded.id();
        self.draft.fold_anyway(recorded, whole);
        if self.draft.total() >= before.total() {
            *self.draft = before;
            return false;
        }
        self.record_fold(id, whole - before.start(), true);
        true
    }

    /// Says what was folded. A checkpoint that goes on from one of its kind, of the same plan, takes its place: only
    /// the last one is ever sent.
    fn record_fold(&mut self, id: String, mut messages: usize, summarized: bool) {
        self.done.retain(|done| match done {
            Done::Folded { messages: before, summarized: was_summarized, .. } if *was_summarized == summarized => {
                messages += before;
                false
            }
            _ => true,
        });
        let checkpoint_tokens = provider_tokens(self.budget, self.draft.checkpoint_tokens());
        self.done.push(Done::Folded { id, messages, checkpoint_tokens, summarized });
        self.clear_head();
    }

    /// Clears the results that the checkpoint keeps only for the sake of the thought before their call.
    fn clear_head(&mut self) {
        let tail = self.draft.head().end;
        let rules = ClearRules { tail, spares_kept: true, target: 0, min_saving: 1, keeps: true };
        let savings = clear(self.draft, &rules);
        let results = changes_of(self.draft, self.budget, savings);
        if !results.is_empty() {
            self.done.push(Done::Cleared { results });
        }
    }
}
