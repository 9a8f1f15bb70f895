//! What was answered where calls needed approval, by the user or by a rule of the app. The SDK says a denial in three ways:
//! `execution-denied`, an error beside the answer once the chat was stored, or no result at all. Here they are one.

use crate::digest::status::is_failure;
use crate::model::message::{Message, Output, Part, ToolResult};
use crate::text::hash::{HashMap, HashSet};

/// The calls that needed an answer, part by part.
#[derive(Default)]
pub struct Approvals<'m> {
    /// The call that each request waits for.
    requests: HashMap<&'m str, &'m str>,
    asked: HashSet<&'m str>,
    denied: HashMap<&'m str, &'m str>,
    /// Calls that nobody has answered for.
    waiting: HashSet<&'m str>,
}

impl<'m> Approvals<'m> {
    /// Those of a list.
    pub fn of(messages: &'m [Message]) -> Approvals<'m> {
        let mut approvals = Approvals::default();
        messages.iter().flat_map(|message| &message.parts).for_each(|part| approvals.read(part));
        approvals
    }

    /// Takes in a part.
    pub fn read(&mut self, part: &'m Part) {
        match part {
            // Some providers begin to count again.
            Part::Call(call) => {
                self.asked.remove(&*call.id);
                self.denied.remove(&*call.id);
                self.waiting.remove(&*call.id);
            }
            Part::ApprovalRequest { approval_id, call_id, is_automatic } => {
                self.requests.insert(approval_id, call_id);
                self.waiting.insert(call_id);
                if !is_automatic {
                    self.asked.insert(call_id);
                }
            }
            Part::ApprovalResponse { approval_id, approved, reason } => {
                if let Some(call) = self.call_of(approval_id) {
                    self.waiting.remove(call);
                    if !approved {
                        self.denied.insert(call, reason);
                    }
                }
            }
            Part::Text { .. } | Part::Reasoning { .. } | Part::Media(_) | Part::Result(_) | Part::Opaque { .. } => {}
        }
    }

    /// The call that a request waits for.
    pub fn call_of(&self, approval_id: &str) -> Option<&'m str> {
        self.requests.get(approval_id).copied()
    }

    /// Whether the user was asked about a call.
    pub fn asked(&self, call_id: &str) -> bool {
        self.asked.contains(call_id)
    }

    /// Whether a call waits for an answer, and has not run.
    pub fn waits(&self, call_id: &str) -> bool {
        self.waiting.contains(call_id)
    }

    /// Why a call was denied; empty where no reason was given.
    pub fn denied(&self, call_id: &str) -> Option<&'m str> {
        self.denied.get(call_id).copied()
    }

    /// Why the call of this result was denied: it did not run.
    pub fn denial<'r>(&self, result: &'r ToolResult) -> Option<&'r str>
    where
        'm: 'r,
    {
        match &result.output {
            Output::Denied(why) => Some(why),
            _ if is_failure(result) => self.denied(&result.id),
            _ => None,
        }
    }
}
