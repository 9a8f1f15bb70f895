//! Tools of several uses: what a call orders its tool to do, and the call that it passes on to a tool behind it. By the form of the input alone.
//! What orders look like is in `effect`.

use std::borrow::Cow;

use crate::digest::effect::{is_called, is_told_by_input, orders_of};
use crate::json::Value;

/// Fields that name the tool to which a call is passed on, and those that hold what it is called with.
const TOOLS: [&str; 6] = ["tool", "toolname", "toolslug", "function", "functionname", "name"];
const ARGUMENTS: [&str; 5] = ["arguments", "args", "params", "parameters", "input"];
const TOOL_BYTES: usize = 64;

/// The call that is passed on, if one is: `call_tool({ server, name, arguments })` is a call of `name`. With what is said beside it.
pub fn passed_on<'v>(tool: &str, input: &'v Value<'v>) -> Option<(&'v str, Value<'v>)> {
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

/// The use of a tool that a call makes of it: the tool, and the word by which it is told what to do.
pub fn use_of(tool: &str, input: &Value<'_>) -> String {
    let is_word = |order: &&str| order.chars().all(|letter| letter.is_alphabetic() || matches!(letter, '_' | '-' | '.'));
    let passed = passed_on(tool, input);
    let order: Option<Cow<'_, str>> = match &passed {
        Some((inner, _)) => Some((*inner).into()),
        None => orders_of(input).find(is_word).map(Cow::Borrowed),
    };
    order.map_or_else(|| tool.to_owned(), |order| format!("{tool} {order}"))
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
            assert_eq!(use_of(tool, &value), used, "{input}");
            let mut text = String::new();
            passed_on(tool, &value).iter().for_each(|(_, input)| input.write(&mut text));
            assert_eq!(text, given, "{input}");
        }
    }
}
