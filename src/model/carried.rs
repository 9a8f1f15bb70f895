//! What acts by being there, not by its words: settings in the options of a system message, references that make tools known, what holds
//! until the next message of the user. A fold carries it. Example: `{ role: 'system', content: '', providerOptions: { openai:
//! { reasoningEffortUpdate: 'high' } } }` asks for more thought from there on, and says nothing.

use serde::{Deserialize, Serialize};

use crate::json::Value;

/// The text of the assistant's message between two of the user. A message that claims to be one says nothing else.
pub const BRIDGE: &str = "[The conversation continues.]";

/// What a message does by being there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Carried {
    /// It changes settings: these options of it.
    Settings(Vec<Setting>),
    /// Its text holds until the next message of the user, and is then nothing.
    ForTurn,
    /// Somebody put it in behind what `prepareStep` returned, as ai 7 does with a catalog of tools.
    PutIn,
    /// stepfold put it there: a bridge, or a copy of what a fold carries, with its settings.
    Own(Vec<Setting>),
}

/// An option of a message that changes a setting.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Setting {
    /// Whose option it is.
    pub provider: String,
    /// Its name.
    pub key: String,
    /// What it does to tools, item by item; empty for a value of which the newest holds.
    pub changes: Vec<ToolChange>,
}

/// One item of a list of changes of tools.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolChange {
    /// The tool.
    pub tool: String,
    /// What becomes of it.
    pub change: Change,
}

/// What becomes of a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Change {
    /// It is there from then on.
    Added,
    /// The same, as the message defines it.
    Defined,
    /// It is gone from then on.
    Removed,
}

/// Options that change settings also beside a text.
/// Anthropic: `anthropicSystemMessageProviderOptions` (anthropic-language-model-options.ts). OpenAI: `openaiResponsesSystemMessageOptionsSchema`
/// (openai-responses-language-model-options.ts), which wants an empty text.
const SETTINGS: [&str; 5] = ["toolChanges", "effort", "reasoningEffortUpdate", "textFormatUpdate", "additionalTools"];

/// Options of a message that ask for nothing: ours, and marks for a cache.
const IDLE: [&str; 1] = ["stepfold"];

impl Carried {
    /// The settings that it changes.
    pub fn settings(&self) -> &[Setting] {
        match self {
            Carried::Settings(settings) | Carried::Own(settings) => settings,
            Carried::ForTurn | Carried::PutIn => &[],
        }
    }
}

/// What the options of a system message make it do.
pub fn carried(options: &Value<'_>, is_blank: bool, is_idle: &dyn Fn(&str) -> bool) -> Option<Carried> {
    let Value::Map(providers) = options else { return None };
    let of_turn = |options: &Value<'_>| options.get("clearAt").is_some();
    if !is_blank && providers.iter().any(|(_, options)| of_turn(options)) {
        return Some(Carried::ForTurn);
    }
    let settings = providers.iter().filter(|(provider, _)| !IDLE.contains(&&**provider)).flat_map(|(provider, options)| {
        let members = if let Value::Map(members) = options { members.as_slice() } else { &[] };
        // What does not exist yet is a setting where it can be nothing else.
        let sets = members.iter().filter(|(key, _)| !is_idle(key) && (is_blank || SETTINGS.contains(&&**key)));
        sets.map(|(key, value)| Setting { provider: (**provider).to_owned(), key: (**key).to_owned(), changes: changes(value) })
    });
    let settings: Vec<Setting> = settings.collect();
    (!settings.is_empty()).then_some(Carried::Settings(settings))
}

/// The changes of tools that a value lists. An item is `{ type: 'tool_removal', toolName }`, `{ type: 'tool_addition', toolName }`, the same
/// with `tool: { name }`, or the definition of a tool with its `name`.
fn changes(value: &Value<'_>) -> Vec<ToolChange> {
    let Value::List(items) = value else { return Vec::new() };
    let change = |item: &Value<'_>| {
        let text = |value: &Value<'_>, name: &str| value.get(name).and_then(Value::as_str).map(str::to_owned);
        let named = text(item, "toolName");
        let removed = text(item, "type").is_some_and(|kind| kind.contains("remov"));
        let change = match named {
            _ if removed => Change::Removed,
            Some(_) => Change::Added,
            None => Change::Defined,
        };
        let tool = named.or_else(|| text(item.get("tool").unwrap_or(item), "name")).unwrap_or_default();
        ToolChange { tool, change }
    };
    items.iter().map(change).collect()
}

/// Tools that a part makes known to the model.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reference {
    /// Hashes of their names.
    pub tools: Vec<u64>,
    /// The items of its content that do, in the order of `tools`; empty where the part does as a whole.
    pub items: Vec<u32>,
    /// Tokens of each of these.
    pub item_tokens: Vec<u32>,
    /// They stand in the options of the part.
    pub in_options: bool,
}

/// The names of tools in a provider's answer to a search: a list of references (Anthropic), or `{ tools: [definitions] }` (OpenAI).
pub fn found_tools(output: &Value<'_>) -> Option<Vec<String>> {
    let text = |value: &Value<'_>, name: &str| value.get(name).and_then(Value::as_str).map(str::to_owned);
    let (items, name, is_wrapped) = match output {
        Value::List(items) => (items, "toolName", false),
        Value::Map(members) if members.len() == 1 => match output.get("tools")? {
            Value::List(items) => (items, "name", true),
            _ => return None,
        },
        _ => return None,
    };
    let is_found = |item: &Value<'_>| match text(item, "type") {
        Some(kind) => is_wrapped || kind.replace('-', "_") == "tool_reference",
        None => false,
    };
    let names: Option<Vec<String>> = items.iter().map(|item| text(item, name).filter(|_| is_found(item))).collect();
    names.filter(|names| !names.is_empty())
}

/// Whether the input of a call is what OpenAI's search for tools is asked (`toolSearchInputSchema`): what it returns is read by the provider.
pub fn searches_tools(input: &Value<'_>) -> bool {
    matches!(input, Value::Map(members) if members.len() == 2) && ["arguments", "call_id"].iter().all(|key| input.get(key).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str, is_blank: bool) -> Option<Carried> {
        carried(&Value::parse(json).unwrap(), is_blank, &|key| key == "cacheControl")
    }

    fn setting(provider: &str, key: &str, changes: &[(&str, Change)]) -> Setting {
        let changes = changes.iter().map(|(tool, change)| ToolChange { tool: (*tool).into(), change: *change }).collect();
        Setting { provider: provider.into(), key: key.into(), changes }
    }

    #[test]
    fn options_of_a_system_message_are_settings_where_they_change_something() {
        let effort = |provider| Some(Carried::Settings(vec![setting(provider, "effort", &[])]));
        assert_eq!(read(r#"{"anthropic":{"effort":"high"}}"#, true), effort("anthropic"));
        assert_eq!(read(r#"{"anthropic":{"effort":"high"}}"#, false), effort("anthropic"));
        assert_eq!(
            read(r#"{"openai":{"aFormOfTomorrow":1}}"#, true),
            Some(Carried::Settings(vec![setting("openai", "aFormOfTomorrow", &[])]))
        );
        for (json, is_blank) in [
            (r#"{"openai":{"aFormOfTomorrow":1}}"#, false),
            (r#"{"anthropic":{"cacheControl":{"type":"ephemeral"}}}"#, true),
            (r#"{"stepfold":{"cache":true}}"#, true),
            ("{}", true),
        ] {
            assert_eq!(read(json, is_blank), None, "{json}");
        }
        assert_eq!(read(r#"{"anthropic":{"clearAt":"next_user_message"}}"#, false), Some(Carried::ForTurn));
    }

    #[test]
    fn changes_of_tools_name_their_tools() {
        let json = r#"{"anthropic":{"toolChanges":[{"type":"tool_addition","toolName":"a"},{"type":"tool_removal","toolName":"b"},
            {"type":"tool_addition","tool":{"type":"function","name":"c"}}]},"openai":{"additionalTools":[{"type":"function","name":"d"}]}}"#;
        let anthropic = setting("anthropic", "toolChanges", &[("a", Change::Added), ("b", Change::Removed), ("c", Change::Defined)]);
        let openai = setting("openai", "additionalTools", &[("d", Change::Defined)]);
        assert_eq!(read(json, true), Some(Carried::Settings(vec![anthropic, openai])));
    }

    #[test]
    fn an_answer_to_a_search_names_the_tools_it_found_and_no_other_answer_does() {
        let found = |json: &str| found_tools(&Value::parse(json).unwrap());
        assert_eq!(found(r#"[{"type":"tool_reference","toolName":"a"}]"#), Some(vec!["a".to_owned()]));
        assert_eq!(
            found(r#"{"tools":[{"type":"function","name":"a"},{"type":"namespace","name":"b"}]}"#),
            Some(vec!["a".into(), "b".into()])
        );
        for json in [
            "[]",
            r#"{"tools":[]}"#,
            r#"[{"type":"row","toolName":"a"}]"#,
            r#"{"tools":[{"name":"saw"}]}"#,
            r#"{"tools":[{"type":"x","name":"a"}],"page":1}"#,
            "7",
        ] {
            assert_eq!(found(json), None, "{json}");
        }
    }
}
