//! What still fails: a reading call that failed is open until a later call of the same tool that says the same succeeds, or until it is long ago.
//! Acts are never here: an act without a success has an unknown outcome (see `act`).

use serde::{Deserialize, Serialize};

use crate::digest::former::Former;
use crate::digest::repeat::says_again;

/// A failure is over after so many steps.
const FAILURE_STEPS: u32 = 40;
/// Failures that are remembered.
const MOST_FAILURES: usize = 60;

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
    /// By what a failure was known to be over.
    #[allow(clippy::type_complexity)]
    pub before: Former<(u32, bool, Vec<(u64, u32)>, Vec<u64>)>,
}

/// Takes in that a call of a tool came back. What failed before and is the same call is over: returns those, by their calls.
pub fn came_back(failures: &mut Vec<Failing>, tool: &str, call: &str) -> Vec<String> {
    let is_over = |failing: &mut Failing| failing.tool == tool && (failing.call == call || says_again(&failing.call, call));
    failures.extract_if(.., is_over).map(|failing| failing.call).collect()
}

/// Takes in a call that failed.
pub fn fail(failures: &mut Vec<Failing>, failing: Failing) {
    failures.push(failing);
    if failures.len() > MOST_FAILURES {
        failures.remove(0);
    }
}

/// Takes in that the model has come to a step.
pub fn age(failures: &mut Vec<Failing>, step: u32) {
    failures.retain(|failing| failing.step.saturating_add(FAILURE_STEPS) >= step);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open_after(failed: &str, later: &str) -> bool {
        let mut failures = vec![Failing { tool: "run".into(), call: format!("run({failed})"), step: 1, ..Failing::default() }];
        came_back(&mut failures, "look", &format!("look({failed})"));
        came_back(&mut failures, "run", &format!("run({later})"));
        !failures.is_empty()
    }

    #[test]
    fn a_failure_is_over_when_the_same_tool_succeeds_about_the_same_thing() {
        for (failed, later, open) in [
            ("", "", false),
            ("id: ORD-771", "id: ORD-771, verbose: true", false),
            ("id: ORD-771", "id: ORD-772", true),
            ("action: check stock, sku: LP-331", "action: list shops", true),
            ("select regon from orders", "select region from orders", false),
            ("select regon from orders", "select name, city from customers where id = 7", true),
            ("cmd: npm test, dir: /srv", "cmd: npm test -- --bail, dir: /srv", false),
            ("cmd: make -C app test, dir: /srv", "cmd: git diff --stat app, dir: /srv", true),
            ("pytest -q tests/unit", "python3.9 -m pytest -q tests/unit", false),
            ("pytest -q tests/unit", "git status", true),
            ("pick 6 people", "pick 6 people in the list", false),
        ] {
            assert_eq!(open_after(failed, later), open, "{failed} | {later}");
        }
    }

    #[test]
    fn a_failure_that_is_long_ago_is_over() {
        let mut failures = vec![Failing { step: 2, ..Failing::default() }];
        age(&mut failures, 2 + FAILURE_STEPS);
        assert_eq!(failures.len(), 1);
        age(&mut failures, 3 + FAILURE_STEPS);
        assert!(failures.is_empty());
    }
}
