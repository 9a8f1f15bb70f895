//! What still fails: a reading call that failed is open until a later call of the same tool about the same thing succeeds, or until
//! nothing was about it for a while. Acts are never here: an act without a success has an unknown outcome (see `act`).

use serde::{Deserialize, Serialize};

use crate::digest::subject::Subjects;

/// A failure that nothing was about for this many steps is over.
pub const FAILURE_STEPS: u32 = 15;
/// A text of more words is no value that was chosen.
const VALUE_WORDS: usize = 3;
/// Failures that are remembered.
const MOST_FAILURES: usize = 60;

/// A subject of a failed call, and how many calls since were about it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Used {
    /// Its hash.
    pub hash: u64,
    /// Calls, this one and those before it included.
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
    /// The newest step with a call about what it was about.
    pub used_step: u32,
    /// Its tool has not succeeded since.
    pub is_fresh: bool,
    /// Its short arguments.
    pub subjects: Vec<Used>,
    /// The words of its longer ones.
    pub terms: Vec<u64>,
}

impl Failing {
    /// A call that has just failed; `uses_of` says how many calls so far were about a subject.
    pub fn new(tool: &str, call: String, line: String, step: u32, subjects: &Subjects, uses_of: &dyn Fn(u64) -> u32) -> Failing {
        let used = subjects.short.iter().map(|hash| Used { hash: *hash, uses: uses_of(*hash).max(1) }).collect();
        Failing { tool: tool.to_owned(), call, line, step, used_step: step, is_fresh: true, subjects: used, terms: subjects.terms.clone() }
    }

    /// Whether a success of this tool about these subjects is what failed: it shares the rarest names, and most words of the texts. Of a
    /// first success half of the names will do: the call was corrected.
    fn is_resolved_by(&self, subjects: &Subjects) -> bool {
        let is_used = |used: &&Used| subjects.short.contains(&used.hash);
        // As they were before this call.
        let uses = |used: &Used| used.uses.saturating_sub(u32::from(is_used(&used)));
        let rarest = self.subjects.iter().map(uses).min();
        let rare: Vec<&Used> = self.subjects.iter().filter(|used| Some(uses(used)) == rarest).collect();
        let shared = rare.iter().filter(|used| is_used(used)).count();
        let is_about_it = shared == rare.len() || self.is_fresh && shared * 2 >= rare.len();
        // All tests, where some of them failed.
        let is_about_all = !self.terms.is_empty() && subjects.short.iter().all(|hash| self.subjects.iter().any(|used| used.hash == *hash));
        // A value of a few words may have been corrected, too, where most of the call is as it was.
        let is_corrected = self.is_fresh && self.terms.len() <= VALUE_WORDS && shared * 2 > rare.len() + 1;
        (is_about_it || is_about_all) && shares_most(&self.terms, &subjects.terms) || is_corrected
    }
}

/// Whether most of these terms are among others; of none, all are.
fn shares_most(terms: &[u64], others: &[u64]) -> bool {
    let shared = terms.iter().filter(|term| others.contains(term)).count();
    shared * 2 > terms.len() || terms.is_empty()
}

/// Takes in a call of any tool: what fails still is about the same things, or is over. What all calls are about says nothing.
pub fn use_subjects(failures: &mut Vec<Failing>, subjects: &Subjects, step: u32) {
    for failing in failures.iter_mut() {
        let mut shares = !failing.terms.is_empty() && shares_most(&failing.terms, &subjects.terms);
        let rarest = failing.subjects.iter().map(|used| used.uses).min();
        for used in failing.subjects.iter_mut().filter(|used| subjects.short.contains(&used.hash)) {
            shares |= Some(used.uses) == rarest;
            used.uses = used.uses.saturating_add(1);
        }
        if shares {
            failing.used_step = step;
        }
    }
    failures.retain(|failing| failing.used_step.saturating_add(FAILURE_STEPS) >= step);
}

/// Takes in that a call succeeded. Returns which failures are over by that, by their calls.
pub fn resolve(failures: &mut Vec<Failing>, tool: &str, subjects: &Subjects) -> Vec<String> {
    let is_over = |failing: &mut Failing| failing.tool == tool && failing.is_resolved_by(subjects);
    let over = failures.extract_if(.., is_over).map(|failing| failing.call).collect();
    failures.iter_mut().filter(|failing| failing.tool == tool).for_each(|failing| failing.is_fresh = false);
    over
}

/// Takes in that a call about these subjects failed. The same failure again stands once, as it is now: returns those that it stands for, by
/// their calls.
pub fn fail(failures: &mut Vec<Failing>, failing: Failing, subjects: &Subjects) -> Vec<String> {
    let is_about_it = |earlier: &Failing| !earlier.terms.is_empty() && earlier.is_resolved_by(subjects);
    let is_same = |earlier: &mut Failing| earlier.tool == failing.tool && (earlier.call == failing.call || is_about_it(earlier));
    let over = failures.extract_if(.., is_same).map(|failing| failing.call).collect();
    failures.push(failing);
    if failures.len() > MOST_FAILURES {
        failures.remove(0);
    }
    over
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
        let about = subjects(failed);
        fail(&mut failures, Failing::new("tool", "tool()".into(), "no".into(), 1, &about, &|_| 1), &about);
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
            // The folder is in each call of a shell: a look at something else is no success of what failed.
            (r#"{"cmd":"make -C app test","dir":"/srv"}"#, &[("tool", r#"{"cmd":"git diff --stat app","dir":"/srv"}"#)], true),
            (r#"{"cmd":"npm test","dir":"/srv"}"#, &[("tool", r#"{"cmd":"npm test -- --bail","dir":"/srv"}"#)], false),
            (r#"{"cmd":"pytest -q tests/unit"}"#, &[("tool", r#"{"cmd":"pytest -q tests/integration"}"#)], true),
            (r#"{"cmd":"pytest -q tests/unit"}"#, &[("tool", r#"{"cmd":"python3.9 -m pytest -q tests/unit"}"#)], false),
            (r#"{"cmd":"pytest -q tests/unit/a.py","dir":"/srv"}"#, &[("tool", r#"{"cmd":"pytest -q tests/unit","dir":"/srv"}"#)], false),
            (r#"{"cmd":"pytest -q tests/unit","dir":"/srv"}"#, &[("tool", r#"{"cmd":"pytest -q","dir":"/srv"}"#)], false),
            (r#"{"cmd":"pytest -q tests/unit","dir":"/srv"}"#, &[("tool", r#"{"cmd":"git status","dir":"/srv"}"#)], true),
            // The same in more words.
            (r#"{"do":"pick 6 people"}"#, &[("tool", r#"{"do":"pick 6 people in the list"}"#)], false),
            (r#"{"do":"pick 6 people"}"#, &[("tool", r#"{"do":"press the button"}"#)], true),
            // A wrong argument was corrected, at once; what comes later is another one.
            (r#"{"city":"Berln","day":"2026-05-01"}"#, &[("tool", r#"{"city":"Berlin","day":"2026-05-01"}"#)], false),
            (
                r#"{"field":"Étage","option":"3e sans ascenseur","ref":"e9"}"#,
                &[("tool", r#"{"field":"Étage","option":"3e et plus","ref":"e9"}"#)],
                false,
            ),
            (
                r#"{"city":"Berln","day":"2026-05-01"}"#,
                &[("tool", r#"{"city":"Rome"}"#), ("tool", r#"{"city":"Berlin","day":"2026-05-01"}"#)],
                true,
            ),
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
        // The account is in every call.
        let (about, other) = (r#"{"account":"K-1","id":"7"}"#, r#"{"account":"K-1","id":"8"}"#);
        assert!(!open_after(about, &[later(other), later(other)].concat()));
        assert!(open_after(about, &[later(other), vec![("look", about)], later(other)[1..].to_vec()].concat()[1..]));
    }
}
