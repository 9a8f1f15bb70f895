//! How calls ended, as their run saw it: messages do not show that a tool's `toModelOutput` has left out an error, or that a call never ran. Read off the
//! steps of a run, and kept for the calls of a conversation by what they say.
//! Not what an outcome means for a checkpoint: see `digest`.

use serde::{Deserialize, Serialize};

use crate::digest::effect::Effect;
use crate::digest::status::says_failed;
use crate::json::Value;
use crate::model::entry::{Entry, Kind};
use crate::model::fingerprint::Fingerprint;
use crate::model::history::Place;
use crate::model::message::Outcome;
use crate::text::hash::HashMap;

/// Calls whose outcomes are kept; the oldest go first.
const MOST: usize = 400;

/// How one call ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Ended {
    /// Its id.
    pub call_id: String,
    /// How it ended.
    pub outcome: Outcome,
}

/// What steps say of their calls: the JSON of a list of `{ id, invalid }`, `{ id, error }` with the names and codes of what was thrown, or
/// `{ id, output }` with an outline of what the tool returned.
pub fn outcomes_of(json: &str) -> Vec<Ended> {
    let Some(Value::List(parts)) = Value::parse(json) else { return Vec::new() };
    let ended = |part: &Value<'_>| {
        let outcome = match (part.get("invalid"), part.get("error"), part.get("output")) {
            (Some(Value::Bool(true)), _, _) => Outcome::NotRun,
            (_, Some(names), _) => thrown(names),
            (_, _, Some(output)) if says_failed(output) => Outcome::Failed,
            _ => Outcome::Succeeded,
        };
        Some(Ended { call_id: part.get("id")?.as_str()?.to_owned(), outcome })
    };
    let all = parts.iter().filter_map(ended);
    // A call whose input was rejected has an error as well.
    let mut by_id: Vec<Ended> = Vec::new();
    for one in all {
        match by_id.iter_mut().find(|known| known.call_id == one.call_id) {
            Some(known) if known.outcome == Outcome::NotRun => {}
            Some(known) => known.outcome = one.outcome,
            None => by_id.push(one),
        }
    }
    by_id
}

/// How a call ended that threw something with these names and codes, such as `AbortError` and `UND_ERR_HEADERS_TIMEOUT`.
fn thrown(names: &Value<'_>) -> Outcome {
    let names = names.joined_leaves(" ").to_ascii_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| names.contains(word));
    if has(&["timeout", "timedout"]) {
        Outcome::TimedOut
    } else if has(&["abort", "cancel"]) {
        Outcome::Aborted
    } else {
        Outcome::Failed
    }
}

/// Outcomes of calls, oldest first, by what every form of the history has of the calls (`fingerprint::part_outline`). `None` where calls that say the same ended in different ways.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcomes(Vec<(Fingerprint, Option<Outcome>)>);

impl Outcomes {
    /// Whether there are no more than are kept; a stored state may hold anything.
    pub fn is_sound(&self) -> bool {
        self.0.len() <= MOST
    }

    /// Takes in how the newest calls of a list ended. That a reading succeeded says nothing new.
    pub fn learn(&mut self, ended: &[Ended], entries: &[Entry]) {
        for Ended { call_id, outcome } in ended {
            let calls = entries.iter().rev().flat_map(|entry| entry.parts.iter().rev()).filter(|part| part.kind == Kind::Call);
            let Some(call) = calls.into_iter().find(|part| part.id == *call_id) else { continue };
            let reads = call.call_facts.as_ref().is_some_and(|facts| facts.effect == Effect::Reads);
            let known = self.0.iter_mut().find(|(outline, _)| *outline == call.outline);
            match known {
                Some((_, known)) => *known = known.filter(|known| known == outcome),
                None if reads && *outcome == Outcome::Succeeded => {}
                None => self.0.push((call.outline, Some(*outcome))),
            }
        }
        let surplus = self.0.len().saturating_sub(MOST);
        self.0.drain(..surplus);
    }

    /// The results of a list whose outcomes are known. Their entries say from now on whether the calls failed.
    pub fn show(&self, entries: &mut [Entry]) -> HashMap<Place, Outcome> {
        let mut shown = HashMap::default();
        if self.0.is_empty() {
            return shown;
        }
        let known: HashMap<Fingerprint, Outcome> = self.0.iter().filter_map(|(call, outcome)| Some((*call, (*outcome)?))).collect();
        let mut calls: HashMap<String, Fingerprint> = HashMap::default();
        for (message, entry) in entries.iter_mut().enumerate() {
            for (at, part) in entry.parts.iter_mut().enumerate() {
                match part.kind {
                    Kind::Call => drop(calls.insert(part.id.clone(), part.outline)),
                    Kind::Result => {
                        if let Some(outcome) = calls.get(&part.id).and_then(|call| known.get(call)) {
                            part.is_error |= *outcome != Outcome::Succeeded;
                            shown.insert(Place { message, part: at }, *outcome);
                        }
                    }
                    _ => {}
                }
            }
        }
        shown
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::entry::measure;
    use crate::model::message::{Call, Message, Output, Part, Role, ToolResult};

    fn ended(call_id: &str, outcome: Outcome) -> Ended {
        Ended { call_id: call_id.into(), outcome }
    }

    #[test]
    fn what_steps_say_of_calls_is_read_by_structure() {
        let json = r#"[
            {"id":"a","output":{"content":[{"type":"text","text":"card declined"}],"isError":true}},
            {"id":"b","output":{"content":[],"isError":false}},
            {"id":"c","invalid":true},{"id":"c","error":[]},
            {"id":"d","error":["AbortError"]},{"id":"e","error":["Error","UND_ERR_HEADERS_TIMEOUT"]},{"id":"f","error":["TypeError"]},
            {"id":"g","output":{"success":false,"reason":"full"}},{"id":"h","output":"done"},{"error":[]},7]"#;
        use Outcome::{Aborted, Failed, NotRun, Succeeded, TimedOut};
        let expected = [
            ended("a", Failed),
            ended("b", Succeeded),
            ended("c", NotRun),
            ended("d", Aborted),
            ended("e", TimedOut),
            ended("f", Failed),
            ended("g", Failed),
            ended("h", Succeeded),
        ];
        assert_eq!(outcomes_of(json), expected);
        assert_eq!(outcomes_of("{}"), []);
    }

    fn step(id: &str, tool: &str, input: &str) -> [Entry; 2] {
        let call = Call { id: id.into(), name: tool.into(), input: input.into(), ..Call::default() };
        let result = ToolResult { id: id.into(), name: tool.into(), output: Output::Text("so".into()), ..ToolResult::default() };
        [(Role::Assistant, Part::Call(call)), (Role::Tool, Part::Result(result))]
            .map(|(role, part)| measure(&Message { role, parts: vec![part], marker: None, has_cache_mark: false, carried: None }))
    }

    #[test]
    fn of_ids_that_come_again_each_call_keeps_its_own_outcome() {
        let mut entries =
            [step("0", "refund", r#"{"id":7}"#), step("0", "refund", r#"{"id":8}"#), step("0", "find", r#"{"id":8}"#)].concat();
        let mut outcomes = Outcomes::default();
        outcomes.learn(&[ended("0", Outcome::Succeeded)], &entries[..2]);
        outcomes.learn(&[ended("0", Outcome::Failed)], &entries[..4]);
        outcomes.learn(&[ended("0", Outcome::Succeeded)], &entries);
        let shown = outcomes.show(&mut entries);
        let of = |message| shown.get(&Place { message, part: 0 }).copied();
        assert_eq!([of(1), of(3), of(5)], [Some(Outcome::Succeeded), Some(Outcome::Failed), None]);
        assert_eq!([1, 3, 5].map(|message| entries[message].parts[0].is_error), [false, true, false]);
        // The same call of the same id, ended otherwise: nobody knows which is which.
        outcomes.learn(&[ended("0", Outcome::Succeeded)], &entries[..4]);
        outcomes.learn(&[ended("0", Outcome::Succeeded)], &entries[..4]);
        assert_eq!(outcomes.show(&mut entries).get(&Place { message: 3, part: 0 }), None);
    }

    #[test]
    fn the_oldest_go_first() {
        let pay = |order: usize| step("0", "pay", &format!(r#"{{"order":{order}}}"#));
        let mut outcomes = Outcomes::default();
        for at in 0..MOST + 5 {
            outcomes.learn(&[ended("0", Outcome::Succeeded)], &pay(at));
        }
        assert!(outcomes.is_sound() && outcomes.0.len() == MOST);
        assert_eq!(outcomes.show(&mut pay(0)).len(), 0);
        assert_eq!(outcomes.show(&mut pay(404)).len(), 1);
    }
}
