//! What the user says of tools (option `tools`), and what follows from that for a call: its effect, whether its results are the user's words,
//! and how long they are worth keeping.
//! Not what a name or an input says by itself (see `effect`).

use serde::{Deserialize, Serialize};

use crate::digest::effect::{Effect, is_told_by_input};
use crate::text::hash::HashSet;

/// How long results of a tool are worth keeping.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Keep {
    /// They are cleared only when nothing else helps, and checkpoints keep the latest.
    Always,
    /// As their worth is.
    #[default]
    Normal,
    /// Once they were seen they are worth nothing.
    Never,
}

/// What the user says of one tool.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolRule {
    /// The tool's name.
    pub tool: String,
    /// What its calls do; `None`: whatever each call shows.
    pub effect: Option<Effect>,
    /// Its results are the user's own words: a tool that asks the user.
    pub speaks_for_user: bool,
    /// How long its results are worth keeping.
    pub keep: Keep,
    /// The user gives digests of its results.
    pub has_digest: bool,
}

/// The effects of tools: declared, or shown by an approval that was requested.
#[derive(Clone, Debug, Default)]
pub struct Tools<'a> {
    /// What the user says.
    pub rules: &'a [ToolRule],
    /// Tools that needed the user's approval.
    pub approved: HashSet<&'a str>,
}

impl Tools<'_> {
    /// What a call of this tool does; `by_call` is what name and input say.
    pub fn effect(&self, tool: &str, by_call: Effect) -> Effect {
        match self.rule(tool).and_then(|rule| rule.effect) {
            Some(declared) => declared,
            // Of a tool of several uses the user may be asked about those that act.
            None if self.approved.contains(tool) && !(by_call == Effect::Reads && is_told_by_input(tool)) => Effect::Acts,
            None => by_call,
        }
    }

    /// Whether results of this tool are the user's own words.
    pub fn speaks_for_user(&self, tool: &str) -> bool {
        self.rule(tool).is_some_and(|rule| rule.speaks_for_user)
    }

    /// How long results of this tool are worth keeping.
    pub fn keep(&self, tool: &str) -> Keep {
        self.rule(tool).map_or(Keep::Normal, |rule| rule.keep)
    }

    /// Whether the user gives digests of results of this tool.
    pub fn has_digest(&self, tool: &str) -> bool {
        self.rule(tool).is_some_and(|rule| rule.has_digest)
    }

    /// Tools of which the user says that their results are to be kept.
    pub fn kept(&self) -> impl Iterator<Item = &str> {
        self.rules.iter().filter(|rule| rule.keep == Keep::Always).map(|rule| rule.tool.as_str())
    }

    fn rule(&self, tool: &str) -> Option<&ToolRule> {
        self.rules.iter().find(|rule| rule.tool == tool)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_declaration_goes_before_an_approval_and_that_before_the_name() {
        let rules = [ToolRule { tool: "order_search".into(), effect: Some(Effect::Reads), ..ToolRule::default() }];
        let tools = Tools { rules: &rules, approved: ["order_search", "lookup"].into_iter().collect() };
        assert_eq!(tools.effect("order_search", Effect::Acts), Effect::Reads);
        assert_eq!(tools.effect("lookup", Effect::Reads), Effect::Acts);
        let tools = Tools { rules: &[], approved: ["execute_sql", "call_tool", "lookup"].into_iter().collect() };
        assert_eq!(
            ["execute_sql", "call_tool", "lookup"].map(|tool| tools.effect(tool, Effect::Reads)),
            [Effect::Reads, Effect::Reads, Effect::Acts]
        );
        assert_eq!(tools.effect("execute_sql", Effect::Unknown), Effect::Acts);
        assert_eq!(tools.effect("pay", Effect::Acts), Effect::Acts);
        assert_eq!(tools.effect("thing", Effect::Unknown), Effect::Unknown);
    }
}
