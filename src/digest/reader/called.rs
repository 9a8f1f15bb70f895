//! One call on its way into a record: what its input says, what it did, and what the user answered to it.
//! Not which lines of the log it leaves (see `reader`).

use super::Reader;
use crate::digest::act::{Act, End};
use crate::digest::call_facts::effect_of;
use crate::digest::effect::{Effect, is_reversible};
use crate::digest::plan::PlanChange;
use crate::digest::record::{UserMessage, push};
use crate::digest::status::reason;
use crate::digest::subject::{Subjects, amount_of, call_line, name_of, subjects_of};
use crate::json::Value;
use crate::json::unwrapped;
use crate::model::message::Call;
use crate::redact::clean;
use crate::text::clip::within;
use crate::text::returned::{Wanted, returned};

/// Bytes of the line of a call that acts, and columns of what it returned.
const ACT_BYTES: usize = 110;
const RETURNED_COLUMNS: usize = 130;
/// Longest text of a denial, or of a tool that speaks for the user.
const USER_TEXT_BYTES: usize = 4_000;

/// A call that waits for its result, or has had it.
#[derive(Default)]
pub(super) struct Called {
    pub(super) tool: String,
    /// What it changes of the plan.
    pub(super) plan: Option<PlanChange>,
    pub(super) step: u32,
    pub(super) effect: Effect,
    pub(super) subjects: Subjects,
    /// The call in a line.
    pub(super) line: String,
    /// What it is listed by, where it returned no id.
    pub(super) name: String,
    /// The first amount in it.
    pub(super) amount: String,
}

impl Called {
    /// It is listed among what was done.
    pub(super) fn is_act(&self) -> bool {
        self.effect == Effect::Acts && self.plan.is_none()
    }
}

impl Reader<'_> {
    /// A call as its input shows it, before its result is there.
    pub(super) fn called(&self, call: &Call, step: u32) -> Called {
        let value = Value::parse(&call.input).unwrap_or(Value::Null);
        Called {
            tool: call.name.clone(),
            plan: PlanChange::of_call(&call.name, &value),
            step,
            effect: self.tools.effect(&call.name, effect_of(&call.name, &value)),
            subjects: subjects_of(&value),
            line: call_line(&call.name, &value, ACT_BYTES),
            name: name_of(&value),
            amount: amount_of(&value),
        }
    }

    /// Takes in a call that changed something, with what it returned.
    pub(super) fn done(&mut self, called: &Called, text: &str, end: End) {
        let wanted = Wanted { columns: RETURNED_COLUMNS, envelope: &self.envelopes.acts, is_of_act: true };
        let returned = match end {
            End::Done => returned(text, &called.line, wanted),
            End::Unknown | End::Repeated(_) => returned(&reason(text), "", wanted),
        };
        self.record.acts.push(Act {
            step: called.step,
            tool: called.tool.clone(),
            call: called.line.clone(),
            returned: returned.line,
            key: match returned.key {
                key if key.is_empty() => format!("{}{}", called.name, called.amount),
                key if key.contains('(') => key,
                key => format!("{key}{}", called.amount),
            },
            end,
            is_reversible: is_reversible(&called.tool),
        });
    }

    /// Takes in that the user denied a call.
    pub(super) fn take_denial(&mut self, called: &Called, why: &str) {
        let denial = UserMessage {
            step: self.record.steps,
            text: clean(&within(why.trim(), USER_TEXT_BYTES)),
            denies: called.line.clone(),
            count: 1,
            ..UserMessage::default()
        };
        push(&mut self.record.users, denial);
    }

    /// Takes in the result of a tool that the app has declared to speak for the user.
    pub(super) fn take_user_answer(&mut self, called: &Called, text: &str) {
        let text = clean(&within(unwrapped(text).trim(), USER_TEXT_BYTES));
        if !text.is_empty() {
            push(
                &mut self.record.users,
                UserMessage { step: self.record.steps, text, question: called.line.clone(), count: 1, ..UserMessage::default() },
            );
        }
    }
}
