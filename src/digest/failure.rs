//! What still fails: a reading call that failed is open until a later call of the same tool about the same thing succeeds, or until
//! nothing was about it for a while. Acts are never here: an act without a success has an unknown outcome (see `act`).

use serde::{Deserialize, Serialize};

use crate::digest::subject::Subjects;

/// A failure that nothing was about for this many steps is over.
pub const FAILURE_STEPS: u32 = 15;
/// Failures that are remembered.
const MOST_FAILURES: usize = 60;

/// A subject of a failed call, and how many calls since were about it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Used {
    /// Its hash.
    pub hash: u64,
    /// Calls, this one included.
    pub uses: u32,
}

/// A call that failed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failing {
    /// The tool.
    pub tool: String,
    /// The call, in a line.
    pub call: String,
    /// What it said.
    pub line: String,
    /// The step.
    pub step: u32,
    /// The newest step with a call about one of its subjects.
    pub used_step: u32,
    /// Its short arguments.
    pub subjects: Vec<Used>,
    /// The words of its longer ones.
    pub terms: Vec<u64>,
}

impl Failing {
    /// A call that has just failed.
    pub fn new(tool: &str, call: String, line: String, step: u32, subjects: &Subjects) -> Failing {
        let used = subjects.short.iter().map(|hash| Used { hash: *hash, uses: 1 }).collect();
        Failing { tool: tool.to_owned(), call, line, step, used_step: step, subjects: used, terms: subjects.terms.clone() }
    }

    /// Whether a success of this tool about these subjects is what failed: it shares the rarest subject, or most words of a text.
    fn is_resolved_by(&self, tool: &str, subjects: &Subjects) -> bool {
        if self.tool != tool {
            return false;
        }
        if let Some(rarest) = self.subjects.iter().map(|used| used.uses).min() {
            let mut rare = self.subjects.iter().filter(|used| used.uses == rarest);
            return rare.all(|used| subjects.short.contains(&used.hash));
        }
        shares_most(&self.terms, &subjects.terms)
    }
}

/// Whether most of these terms are among others; of none, all are.
fn shares_most(terms: &[u64], others: &[u64]) -> bool {
    let shared = terms.iter().filter(|term| others.contains(term)).count();
    shared * 2 > terms.len() || terms.is_empty()
}

/// Takes in a call of any tool: what fails still is about the same things, or is over.
pub fn use_subjects(failures: &mut Vec<Failing>, subjects: &Subjects, step: u32) {
    for failing in failures.iter_mut() {
        let mut shares = !failing.terms.is_empty() && shares_most(&failing.terms, &subjects.terms);
        for used in &mut failing.subjects {
            if subjects.short.contains(&used.hash) {
                used.uses = used.uses.saturating_add(1);
                shares = true;
            }
        }
        if shares {
            failing.used_step = step;
        }
    }
    failures.retain(|failing| failing.used_step.saturating_add(FAILURE_STEPS) >= step);
}

/// Takes in that a call succeeded.
pub fn resolve(failures: &mut Vec<Failing>, tool: &str, subjects: &Subjects) {
    failures.retain(|failing| !failing.is_resolved_by(tool, subjects));
}

/// Takes in that a call failed. The same failure again stands once, as it is now.
pub fn fail(failures: &mut Vec<Failing>, failing: Failing) {
    failures.retain(|earlier| earlier.tool != failing.tool || earlier.call != failing.call);
    failures.push(failing);
    if failures.len() > MOST_FAILURES {
        failures.remove(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::digest::subject::subjects_of;
    use crate::json::Value;

    fn subjects(input: &str) -> Subjects {
        subjects_of(&Value::parse(input).unwrap())
    }

    fn open_after(failed: &str, later: &[(&str, &str)]) -> bool {
        let mut failures = Vec::new();
        fail(&mut failures, Failing::new("tool", "tool()".into(), "no".into(), 1, &subjects(failed)));
        for (at, (tool, input)) in later.iter().enumerate() {
            use_subjects(&mut failures, &subjects(input), at as u32 + 2);
            resolve(&mut failures, tool, &subjects(input));
        }
        !failures.is_empty()
    }

    #[test]
    fn a_failure_is_over_when_the_same_tool_succeeds_about_the_same_thing() {
        for (failed, later, open) in [
            (r#"{"action":"check stock","sku":"LP-3"}"#, &[("tool", r#"{"action":"list shops"}"#)][..], true),
            (r#"{"action":"check stock","sku":"LP-3"}"#, &[("tool", r#"{"action":"check stock","sku":"LP-3"}"#)], false),
            // The shop is in every call: the article is what the failure was about.
            (
                r#"{"shop":"Berlin","sku":"LP-3"}"#,
                &[("other", r#"{"shop":"Berlin"}"#), ("tool", r#"{"shop":"Berlin","sku":"LP-4"}"#)],
                true,
            ),
            (r#"{"sql":"select regon from orders"}"#, &[("tool", r#"{"sql":"select region from orders"}"#)], false),
            (r#"{"sql":"select regon from orders"}"#, &[("tool", r#"{"sql":"select name, city from customers where id = 7"}"#)], true),
            (r#"{"id":"7"}"#, &[("other", r#"{"id":"7"}"#)], true),
            ("{}", &[("tool", "{}")], false),
        ] {
            assert_eq!(open_after(failed, later), open, "{failed} {later:?}");
        }
    }

    #[test]
    fn a_failure_that_nothing_is_about_any_more_is_over() {
        let (about, other) = (r#"{"id":"7"}"#, r#"{"id":"8"}"#);
        let later = |input: &'static str| -> Vec<(&str, &str)> { vec![("look", input); FAILURE_STEPS as usize + 1] };
        assert!(open_after(about, &later(about)));
        assert!(!open_after(about, &later(other)));
    }
}
