//! What a call is, by the form of its name and input alone: of what use of which tool, what it does and touches, and its line. Of a call that is
//! passed on to a tool behind its own, that of the tool behind.
//! Not what the user says of tools (see `tools`), and not what becomes of a call (see `reader`).

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::digest::effect::{Effect, effect_of_call, is_called, is_told_by_input, orders_of};
use crate::digest::plan::PlanChange;
use crate::digest::subject::{LINE_BYTES, call_line, hash_of, names_of};
use crate::json::Value;
use crate::model::message::Call;
use crate::results::returned::Given;

/// Fields that name the tool to which a call is passed on, and those that hold what it is called with.
const TOOLS: [&str; 6] = ["tool", "toolname", "toolslug", "function", "functionname", "name"];
const ARGUMENTS: [&str; 5] = ["arguments", "args", "params", "parameters", "input"];
const TOOL_BYTES: usize = 64;

/// What is remembered of a call beside its message: enough to say which results are out of date.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallFacts {
    /// Whether it reads or acts, by its name and input.
    pub effect: Effect,
    /// Hashes of the names and ids among its arguments.
    pub names: Vec<u64>,
}

/// The same of the call `tool(input)`.
pub fn call_facts(tool: &str, input: &Value<'_>) -> CallFacts {
    let call = CallForm::of(tool, input);
    CallFacts { effect: call.effect(), names: call.names() }
}

/// A call of a message in a line.
pub fn about(call: &Call) -> String {
    CallForm::of(&call.name, &Value::parse(&call.input).unwrap_or(Value::Null)).line(LINE_BYTES)
}

/// The values of a call of a message.
pub fn given(call: &Call) -> Given {
    Given::of(&CallForm::of(&call.name, &Value::parse(&call.input).unwrap_or(Value::Null)).given)
}

/// The form of a call.
pub struct CallForm<'v> {
    tool: &'v str,
    /// The tool behind.
    inner: Option<&'v str>,
    /// With what it is called: `call_tool({ server, name, arguments })` with its arguments, and what is said beside them.
    pub given: Cow<'v, Value<'v>>,
    /// What it changes of the plan.
    pub plan: Option<PlanChange>,
}

impl<'v> CallForm<'v> {
    /// That of the call `tool(input)`.
    pub fn of(tool: &'v str, input: &'v Value<'v>) -> CallForm<'v> {
        let plan = PlanChange::of_call(tool, input);
        match passed_on(tool, input) {
            Some((inner, given)) => CallForm { tool, inner: Some(inner), given: Cow::Owned(given), plan },
            None => CallForm { tool, inner: None, given: Cow::Borrowed(input), plan },
        }
    }

    /// Whether it reads or acts. A plan is the model's own: to change it is no act.
    pub fn effect(&self) -> Effect {
        if self.plan.is_some() { Effect::Reads } else { effect_of_call(self.inner.unwrap_or(self.tool), &self.given) }
    }

    /// The use that it makes of its tool: the tool, and the word by which it is told what to do.
    pub fn name(&self) -> String {
        let is_word = |order: &&str| order.chars().all(|letter| letter.is_alphabetic() || matches!(letter, '_' | '-' | '.'));
        let order = self.inner.or_else(|| orders_of(&self.given).find(is_word));
        order.map_or_else(|| self.tool.to_owned(), |order| format!("{} {order}", self.tool))
    }

    /// Hashes of its names and ids.
    pub fn names(&self) -> Vec<u64> {
        self.inner.map(hash_of).into_iter().chain(names_of(&self.given)).collect()
    }

    /// In a line, such as `refund(amount: 20, orderId: ORD-7)` or `call_tool refund(amount: 20)`, in about this many bytes and without secrets.
    pub fn line(&self, bytes: usize) -> String {
        let behind = self.inner.map_or(String::new(), |inner| format!(" {inner}"));
        call_line(&format!("{}{behind}", self.tool), &self.given, bytes)
    }
}

/// The tool to which a call is passed on, and what that is given.
fn passed_on<'v>(tool: &str, input: &'v Value<'v>) -> Option<(&'v str, Value<'v>)> {
    let Value::Map(members) = input else { return None };
    let find = |wanted: &[&str]| members.iter().position(|(name, _)| is_called(name, wanted));
    let (named, given) = (find(&TOOLS)?, find(&ARGUMENTS)?);
    let inner = members[named].1.as_str().filter(|inner| inner.len() <= TOOL_BYTES && !inner.contains(char::is_whitespace))?;
    let arguments = match &members[given].1 {
        Value::Text(text) => Value::parse(text)?,
        value => value.clone(),
    };
    let Value::Map(arguments) = arguments else { return None };
    let beside = members.iter().enumerate().filter(|(at, _)| *at != named && *at != given).map(|(_, member)| member.clone());
    is_told_by_input(tool).then(|| (inner, Value::object(beside.chain(arguments).collect())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_that_is_passed_on_is_one_of_the_tool_behind() {
        for (tool, input, used, given) in [
            (
                "call_tool",
                r#"{"server":"pay","name":"refund","arguments":{"id":"A-1"}}"#,
                "call_tool refund",
                r#"{"id":"A-1","server":"pay"}"#,
            ),
            ("use_mcp_tool", r#"{"tool_name":"get_order","arguments":"{\"id\":\"A-1\"}"}"#, "use_mcp_tool get_order", r#"{"id":"A-1"}"#),
            ("crm", r#"{"mode":"update","id":"7"}"#, "crm update", ""),
            ("Bash", r#"{"command":"cargo test"}"#, "Bash", ""),
            // What is made here has a name and parameters, too.
            ("create_report", r#"{"name":"search","parameters":{"day":"Mon"}}"#, "create_report", ""),
            ("deploy_function", r#"{"functionName":"get_price","input":{"a":1}}"#, "deploy_function", ""),
            ("call_tool", r#"{"name":"refund","arguments":"none"}"#, "call_tool", ""),
        ] {
            let value = Value::parse(input).unwrap();
            assert_eq!(CallForm::of(tool, &value).name(), used, "{input}");
            let mut text = String::new();
            passed_on(tool, &value).iter().for_each(|(_, input)| input.write(&mut text));
            assert_eq!(text, given, "{input}");
        }
    }

    #[test]
    fn a_call_that_is_passed_on_does_what_the_tool_behind_does() {
        use Effect::{Acts, Reads};
        for (tool, input, expected) in [
            ("call_tool", r#"{"server":"pay","name":"get_payment","arguments":{"id":"P-1"}}"#, Reads),
            ("use_mcp_tool", r#"{"tool_name":"refund_payment","arguments":"{\"id\":\"P-1\"}"}"#, Acts),
            ("get_tool_schema", r#"{"tool_name":"refund_payment","parameters":{}}"#, Reads),
            ("create_report", r#"{"name":"search","parameters":{}}"#, Acts),
        ] {
            assert_eq!(call_facts(tool, &Value::parse(input).unwrap()).effect, expected, "{tool} {input}");
        }
        let facts =
            |name: &str| call_facts("call_tool", &Value::parse(&format!(r#"{{"name":"{name}","arguments":{{"id":"P-1"}}}}"#)).unwrap());
        assert_ne!(facts("get_payment").names, facts("get_refund").names);
    }
}
